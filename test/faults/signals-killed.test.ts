// People answer two by two, with the same text or in the same browser, while processes are killed: each pair that both ended is found, nobody
// else; and exactly who ended with a signal waits for a review, with the place held.

import assert from "node:assert/strict";
import { test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { faultsOfQuotas } from "../../src/nouns/quotas/queries.ts";
import type { Client } from "../support/client.ts";
import { assertCounts } from "../support/counts.ts";
import { install, ownRedis, type ServiceProcess } from "../support/process.ts";
import { KILLS, seeded } from "../support/seeded.ts";
import { Browser, type Given, watch } from "../support/signals.ts";
import { type Invitation, invite } from "../support/study.ts";
import { until } from "../support/until.ts";

const redis = ownRedis();
await redis.start();

const KILLS_HERE = Math.ceil(KILLS / 4);
const PEOPLE = 24 * (KILLS_HERE + 1);
const AT_ONCE = 8;

interface Slot {
  start(): Promise<ServiceProcess & { url?: string }>;
  /** Undefined while it is being started. */
  process: (ServiceProcess & { url?: string }) | undefined;
}

/** What two neighbours have in common: a text, a browser, or nothing. */
const common = (at: number) => (["SAME_TEXT", "SAME_BROWSER", undefined] as const)[Math.floor(at / 2) % 3];

for (const [name, env] of [
  ["threads", {}],
  ["Redis", { REDIS_URL: redis.url }],
] as const)
  test(`${PEOPLE} people are compared with each other while processes are killed, on ${name}`, async (t) => {
    const installation = install(env);
    const workspace = installation.workspace();
    const draw = seeded(`signals ${name}`);
    const slot = (start: Slot["start"]): Slot => ({ start, process: undefined });
    const web = () => slot(() => installation.web());
    const slots = name === "Redis" ? [web(), web(), slot(() => installation.worker())] : [web()];
    for (const one of slots) one.process = await one.start();
    /** Of any web process that lives. */
    const alive = {
      get url(): string {
        const urls = slots.flatMap(({ process }) => process?.url ?? []);
        return urls[Math.floor(draw() * urls.length)] ?? "http://127.0.0.1:1";
      },
    };
    const client = (): Client => workspace.client(alive);
    const study = await watch(
      client(),
      { review: "SIGNALS", signals: { sameText: {}, sameBrowser: {}, attentionCheck: {} } },
      [{ name: "Everybody", when: null, mode: "COUNT" }],
    );
    const people = await invite(client(), study.screener, PEOPLE);
    let browser = new Browser(alive);
    const browsers = people.map((_, at) => {
      if (at % 2 === 0 || common(at) !== "SAME_BROWSER") browser = new Browser(alive);
      return browser;
    });
    // A browser has its cookie before two people use it at once.
    for (const at of people.keys())
      if (at % 2 === 0 && common(at) === "SAME_BROWSER") await browsers[at]!.get(people[at]!.path);
    let [ended, cutOff] = [0, 0];

    /** Sends it until somebody has taken it. What was cut off may have been taken. */
    async function comes(person: Invitation, at: number): Promise<void> {
      const text = common(at) === "SAME_TEXT" ? Math.floor(at / 2) : `my own reasons, of which there are ${at}`;
      const given: Given = {
        why: `All of us buy them, each day, for the sake of ${text}.`,
        read: at % 7 ? "Blue" : "Red",
      };
      for (;;) {
        const isTaken = await browsers[at]!.answer(study, person, given).then(
          () => true,
          () => false,
        );
        if (isTaken) break;
        cutOff++;
        const page = await browsers[at]!.get(person.path).catch(() => undefined);
        if (page?.status === 200 && /Thank you/.test(page.text)) break;
        await sleep(20);
      }
      ended++;
    }

    let kills = 0;
    const killing = (async () => {
      while (kills < KILLS_HERE) {
        await until(() => ended >= (PEOPLE * (kills + 0.5)) / (KILLS_HERE + 1) || undefined, "people come", 60_000);
        const one = slots[Math.floor(draw() * slots.length)]!;
        const { process } = one;
        one.process = undefined;
        await process!.kill("SIGKILL");
        kills++;
        one.process = await one.start();
      }
    })();
    // Those of a pair come at once, or one after the other.
    let next = 0;
    const lanes = Array.from({ length: AT_ONCE }, async () => {
      while (next < PEOPLE) {
        const at = next++;
        await until(() => kills >= Math.floor((at * (KILLS_HERE + 1)) / PEOPLE) || undefined, "a kill", 60_000);
        await comes(people[at]!, at);
      }
    });
    await Promise.all([killing, ...lanes]);
    t.diagnostic(JSON.stringify({ kills, cutOff }));

    installation.read(workspace, (db) => {
      assertCounts(db);
      assert.deepEqual(faultsOfQuotas(db), []);
      const rowids = new Map(
        db.all<{ id: number; uid: string }>("SELECT id, uid FROM screener_session").map(({ id, uid }) => [uid, id]),
      );
      const idOf = (at: number) => rowids.get(people[at]!.session)!;
      for (const at of people.keys()) {
        const session = db.get<{ state: string; review: string | null; place: string | null }>(
          `SELECT state, review_state AS review, (SELECT p.state FROM quota_place AS p WHERE p.session_id = s.id) AS place
           FROM screener_session AS s WHERE id = ?`,
          idOf(at),
        )!;
        assert.equal(session.state, "COMPLETED", `person ${at}`);
        const found = db.all<{ kind: string; other: number | null }>(
          "SELECT kind, other_session_id AS other FROM signal WHERE session_id = ? ORDER BY kind",
          idOf(at),
        );
        const shared = common(at);
        const expected = [
          ...(at % 7 ? [] : [{ kind: "ATTENTION_CHECK", other: null }]),
          ...(shared ? [{ kind: shared, other: idOf(at ^ 1) }] : []),
        ];
        assert.deepEqual(found, expected, `person ${at}`);
        assert.equal(session.place, session.review === "PENDING" ? "HELD" : "TAKEN", `person ${at}`);
        // Who has failed the check had a signal from the beginning.
        if (!(at % 7)) assert.equal(session.review, "PENDING");
        else if (!shared) assert.equal(session.review, null);
      }
      // Of each pair the second one waits.
      const waits = (at: number) =>
        db.value<string | null>("SELECT review_state FROM screener_session WHERE id = ?", idOf(at)) === "PENDING";
      for (let at = 0; at < PEOPLE; at += 2)
        if (common(at) && at % 7 && (at + 1) % 7)
          assert.equal([at, at + 1].filter(waits).length, 1, `persons ${at} and ${at + 1}`);
      // Of each a text and a browser, however often it was sent.
      assert.equal(db.value("SELECT count(*) FROM signal_mark"), 2 * PEOPLE);
    });
  });
