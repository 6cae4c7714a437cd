// People join by open links on three web processes, which are killed at random. Nobody is made half: whoever joined is one participant with
// one assignment and one session, with answers; and no more join by a link than it lets.

import assert from "node:assert/strict";
import { test } from "node:test";
import type { Client } from "../support/client.ts";
import { assertCounts } from "../support/counts.ts";
import { install, ownRedis, type WebProcess } from "../support/process.ts";
import { KILLS, seeded } from "../support/seeded.ts";
import { everyKind, publish } from "../support/study.ts";
import { until } from "../support/until.ts";
import { ABOUT, DAYS, formOf, Visitor } from "../support/visitor.ts";

/** `KILLS=200` lets 10,000 join. */
const PEOPLE = KILLS * 50;
const WEBS = 3;
const AT_ONCE = 24;
/** Below what would join by the second link. */
const LIMIT = Math.floor(PEOPLE / 4);

// biome-ignore lint/suspicious/noExplicitAny: items of lists
type Row = any;

test(`${PEOPLE} people join on three web processes that are killed, and nobody is half there`, {
  timeout: 120_000 + KILLS * 5000,
}, async (t) => {
  const redis = ownRedis();
  await redis.start();
  const installation = install({ REDIS_URL: redis.url });
  const workspace = installation.workspace();
  const webs: (WebProcess | undefined)[] = await Promise.all(Array.from({ length: WEBS }, () => installation.web()));
  await installation.worker();
  const draw = seeded("joins");
  const client = (): Client => workspace.client(webs.find((web) => web !== undefined)!);
  const study = await publish(client(), everyKind);
  const linkOf = async (limit: number | null): Promise<{ id: string; path: string }> => {
    const { body } = await client().post("/screener-links", { screenerId: study.screener, name: "Poster", limit });
    return { id: body.id, path: new URL(body.link).pathname };
  };
  const links = [await linkOf(null), await linkOf(LIMIT)] as const;
  const counts = { joined: 0, full: 0, "cut off": 0, completed: 0 };
  const joined: string[] = [];

  /** Any process that lives. */
  const visitor = async (person: number): Promise<Visitor> => {
    const alive = await until(() => {
      const all = webs.filter((web) => web !== undefined);
      return all.length ? all : undefined;
    }, "a web process lives");
    // Few people share an address.
    return new Visitor(alive[Math.floor(draw() * alive.length)]!.url, `127.0.${1 + (person % 200)}.1`);
  };
  const first = () => `${formOf(study, "About you", ABOUT)}&version=1&shown=${Date.now() - 5000}`;

  async function comes(person: number): Promise<void> {
    const { path } = links[person % 2]!;
    for (;;) {
      const sent = await (await visitor(person)).post(path, first()).catch(() => undefined);
      // Nobody answered: somebody who sends the form again may join twice.
      if (!sent) {
        counts["cut off"]++;
        continue;
      }
      if (sent.status === 503) continue;
      if (sent.status === 409) return void counts.full++;
      assert.equal(sent.status, 303, sent.text);
      counts.joined++;
      const own = String(sent.headers.location).split("?")[0]!;
      joined.push(own.split("/").at(-1)!);
      if (person % 3 === 0) await finishes(person, own);
      return;
    }
  }

  async function finishes(person: number, own: string): Promise<void> {
    for (;;) {
      const sent = await (await visitor(person)).send(own, study, "Your days", DAYS).catch(() => undefined);
      if (!sent || sent.status === 503) continue;
      assert.equal(sent.status, 303, sent.text);
      counts.completed++;
      return;
    }
  }

  let next = 0;
  let kills = 0;
  const people = Array.from({ length: AT_ONCE }, async () => {
    while (next < PEOPLE) {
      // The kills are spread over all who come.
      await until(() => kills >= Math.floor((next * (KILLS + 1)) / PEOPLE) || undefined, "a process is killed", 60_000);
      await comes(next++);
    }
  });
  const restarts: Promise<void>[] = [];
  const startAgain = async (at: number) => {
    webs[at] = await installation.web();
  };
  const killing = (async () => {
    while (kills < KILLS) {
      await until(() => next >= (PEOPLE * (kills + 0.5)) / (KILLS + 1) || undefined, "people come", 60_000);
      const alive = await until(
        () => {
          const all = webs.flatMap((web, at) => (web ? [at] : []));
          return all.length > 1 ? all : undefined;
        },
        "a process may be killed",
        60_000,
      );
      const at = alive[Math.floor(draw() * alive.length)]!;
      const web = webs[at]!;
      webs[at] = undefined;
      await web.kill("SIGKILL");
      kills++;
      restarts.push(startAgain(at));
    }
  })();
  await Promise.all([killing, ...people]);
  await Promise.all(restarts);
  t.diagnostic(JSON.stringify({ kills, ...counts }));

  const of = `filter[screenerId][eq]=${study.screener}`;
  const sessions: Row[] = await client().all(`/screener-sessions?${of}`);
  const assignments: Row[] = await client().all(`/screener-participants?${of}`);
  const participants: Row[] = await client().all("/participants");
  const responses: Row[] = await client().all(`/screener-responses?${of}`);
  // Each of the three has as many as the others, and leads to them.
  const ids = (rows: Row[], member: string) => rows.map((row) => row[member]).sort();
  assert.deepEqual(ids(assignments, "participantId"), ids(participants, "id"));
  assert.deepEqual(ids(sessions, "screenerParticipantId"), ids(assignments, "id"));
  const answered = new Set(responses.map(({ screenerSessionId }) => screenerSessionId));
  for (const { id, state } of sessions) {
    assert.ok(answered.has(id), `the session ${id} has no answer`);
    assert.notEqual(state, "NOT_STARTED");
  }
  const known = new Set(ids(sessions, "id"));
  for (const session of joined) assert.ok(known.has(session), `${session} was told to somebody, and is not there`);
  assert.ok(sessions.length <= joined.length + counts["cut off"]);
  for (const [index, { id }] of links.entries()) {
    const { body } = await client().get(`/screener-links/${id}`);
    const its = sessions.filter(({ screenerLinkId }) => screenerLinkId === id);
    const done = its.filter(({ state }) => state === "COMPLETED").length;
    assert.deepEqual([body.joined, body.started, body.completed], [its.length, its.length, done]);
    if (index === 1) assert.equal(its.length, LIMIT);
  }
  installation.read(workspace, assertCounts);
});
