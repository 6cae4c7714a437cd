// A mailing goes out while the processes that send it are killed, the relay is away for a while, refuses some for now and some for good, and hangs
// up: each person gets one message at most, what nobody knows is counted, and nobody gets one who should not any more.

import assert from "node:assert/strict";
import { test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { openWriter } from "../../db/sqlite/open.ts";
import { immediate } from "../../db/sqlite/write.ts";
import { Workspaces } from "../../db/workspaces.ts";
import { startRelay } from "../support/mail-relay.ts";
import { type Installation, install, ownRedis, type ServiceProcess, type TestWorkspace } from "../support/process.ts";
import { KILLS, seeded } from "../support/seeded.ts";
import { everyKind, publish } from "../support/study.ts";
import { until } from "../support/until.ts";

/** `KILLS=20` by default, in two tests. */
const KILLS_HERE = Math.ceil(KILLS / 2);
/** `KILLS=40 PEOPLE_A_KILL=500` writes to 10,000, with 20 kills in each test. */
const PEOPLE_A_KILL = Number(process.env.PEOPLE_A_KILL ?? 25);
const PEOPLE = KILLS_HERE * PEOPLE_A_KILL;
/** What a process has on its way at most. */
const AT_ONCE = 4;
/** Kills are spread over the messages. */
const BETWEEN_KILLS = Math.max(2, Math.floor(PEOPLE_A_KILL * 0.8) - 2 * AT_ONCE);

/** As if the time had come for all that waits. */
function hasten(installation: Installation, workspace: TestWorkspace): void {
  const options = { busyTimeoutMs: 10_000, checkpoints: false } as const;
  const path = new Workspaces(installation.dataDir, { ...options, onStale: "migrate" }).path(workspace.id);
  const db = openWriter(path, options);
  try {
    immediate(db, () => {
      db.run("UPDATE message SET due_at = 1 WHERE due_at > 1");
      db.run("UPDATE mailing SET next_at = 1 WHERE next_at > 1");
    });
  } finally {
    db.close();
  }
}

const addressOf = (person: number) => `p${person}@d${person}.example`;
const personOf = (address: string) => Number(/^p(\d+)@/.exec(address)![1]);

for (const carrier of ["threads", "redis"] as const) {
  test(`${PEOPLE} people get one message at most, whatever happens to what sends it (${carrier})`, {
    timeout: 180_000 + KILLS * 6000 + PEOPLE * 200,
  }, async (t) => {
    const redis = carrier === "redis" ? ownRedis() : undefined;
    await redis?.start();
    const relay = await startRelay();
    // Some time between the message and its record, in which to be killed.
    relay.delayMs = 10;
    const installation = install({
      ...{ SMTP_URL: relay.url, MAIL_FROM: "studies@lab.example", MAIL_PER_MINUTE: "100000" },
      ...(redis && { REDIS_URL: redis.url }),
    });
    let web = await installation.web();
    let victim: ServiceProcess = redis ? await installation.worker() : web;
    const workspace = installation.workspace();
    const client = () => workspace.client(web);
    const draw = seeded(`mailings ${carrier}`);

    const greylisted = new Set<string>();
    let isAway = false;
    let hungUp = 0;
    relay.script = {
      recipient(address) {
        if (isAway) return "HANG_UP";
        const person = personOf(address);
        if (person % 11 === 1 && !greylisted.has(address)) {
          greylisted.add(address);
          return { code: 451, message: "Greylisted" };
        }
        return person % 13 === 2 ? { code: 550, message: "No such user" } : undefined;
      },
      message({ to }) {
        if (personOf(to[0]!) % 17 !== 3) return undefined;
        hungUp++;
        return "HANG_UP";
      },
    };

    const study = await publish(client(), everyKind);
    const rows = Array.from({ length: PEOPLE }, (_, person) => ({
      ...{ externalUid: `P${person}`, email: addressOf(person), name: `Person ${person}` },
    }));
    const { body: people } = await client().import(study.screener, rows, {}, { Prefer: "wait=60" });
    const { body: plan } = await client().post("/mailings", {
      ...{ screenerId: study.screener, name: "Invitation", kind: "INVITATION", dryRun: true },
      ...{ subject: "For {{name|you}}", body: "{{link}}" },
    });
    assert.deepEqual(plan.summary, { send: PEOPLE, skip: 0 });
    /** They are screened out at once, because they are too young. */
    const finish = async (person: number) => {
      const { body: session } = await client().post("/screener-sessions", { screenerParticipantId: people[person].id });
      const { status, text } = await client().post(`/screener-sessions/${session.id}/responses`, {
        responses: [
          { screenerQuestionId: study.question.age, answer: 17 },
          { screenerQuestionId: study.question.smokes, answer: [{ text: "No", isWriteIn: false }] },
        ],
      });
      assert.equal(status, 200, text);
    };
    const unsubscribe = async (person: number) => {
      const { body: session } = await client().post("/screener-sessions", { screenerParticipantId: people[person].id });
      const page = new URL(`${session.screenerSessionLink}?unsubscribe`);
      const body = new URLSearchParams({ "List-Unsubscribe": "One-Click" });
      assert.equal((await fetch(new URL(page.pathname + page.search, web.url), { method: "POST", body })).status, 200);
    };
    const spared = new Set([7, 19].filter((person) => person < PEOPLE));
    for (const person of spared) await finish(person);
    const { body: applied } = await client().post(`/jobs/${plan.id}/apply`, {});
    assert.equal(applied.summary.send, PEOPLE - spared.size);
    const path = `/mailings/${plan.id}`;
    const stateOf = (state: string) =>
      installation.stored<string>(
        workspace,
        `SELECT p.external_uid FROM message AS m JOIN participant AS p ON p.id = m.participant_id WHERE m.state = '${state}'`,
      );

    for (let kill = 0; kill < KILLS_HERE; kill++) {
      const before = relay.received.length;
      const isLast = () => stateOf("READY").length === 0;
      await until(
        () => relay.received.length > before + BETWEEN_KILLS || isLast(),
        "mail comes",
        60_000 + PEOPLE_A_KILL * 500,
      );
      await sleep(draw() * 150);
      await victim.kill();
      isAway = kill % 5 === 2;
      if (redis) victim = await installation.worker();
      else victim = web = await installation.web();
      if (isAway) {
        await sleep(500);
        isAway = false;
        hasten(installation, workspace);
      }
      if (kill === Math.floor(KILLS_HERE / 2)) {
        assert.equal((await client().post(`${path}/pause`, {})).status, 200);
        await until(() => stateOf("SENDING").length === 0, "nothing is on its way");
        const waiting = stateOf("READY").map((participant) => Number(participant.slice(1)));
        for (const person of waiting.slice(0, 3)) await finish(person);
        for (const person of waiting.slice(3, 5)) await unsubscribe(person);
        for (const person of waiting.slice(0, 5)) spared.add(person);
        assert.equal((await client().post(`${path}/resume`, {})).status, 200);
      }
      hasten(installation, workspace);
    }
    // What is left when most have got theirs is for nobody: the study is closed.
    await until(
      () => {
        hasten(installation, workspace);
        return stateOf("READY").length <= 2 * AT_ONCE;
      },
      "most are sent",
      120_000 + PEOPLE * 100,
    );
    await client().post(`${path}/pause`, {});
    await until(() => stateOf("SENDING").length === 0, "nothing is on its way");
    await client().patch(`/screeners/${study.screener}`, { acceptance: "CLOSED" });
    const atTheEnd = relay.received.length;
    await client().post(`${path}/resume`, {});
    await until(
      async () => {
        hasten(installation, workspace);
        return (await client().get(path)).body.status === "SENT";
      },
      "it has ended",
      60_000,
    );
    assert.equal(relay.received.length, atTheEnd, "nothing leaves for a closed study");

    const { body: ended } = await client().get(path);
    t.diagnostic(JSON.stringify({ kills: KILLS_HERE, hungUp, received: atTheEnd, ...ended.messages }));
    const came = relay.received.map(({ to }) => to[0]!);
    assert.equal(new Set(came).size, came.length, "nobody got two");
    const sent = new Set(stateOf("SENT").map((participant) => addressOf(Number(participant.slice(1)))));
    const uncertain = new Set(stateOf("UNCERTAIN").map((participant) => addressOf(Number(participant.slice(1)))));
    for (const address of sent) assert.ok(came.includes(address), `${address} is SENT, and has got nothing`);
    for (const address of came) assert.ok(sent.has(address) || uncertain.has(address), `${address} has got one`);
    for (const person of spared) assert.ok(!came.includes(addressOf(person)), `${person} had finished, or wanted none`);
    assert.ok(uncertain.size <= KILLS_HERE * AT_ONCE + hungUp);
    const { READY, SENDING, DEFERRED, ...others } = ended.messages as Record<string, number>;
    assert.deepEqual({ READY, SENDING, DEFERRED }, { READY: 0, SENDING: 0, DEFERRED: 0 });
    assert.equal(
      Object.values(others).reduce((sum, n) => sum + n, 0),
      PEOPLE - 2,
    );
  });
}
