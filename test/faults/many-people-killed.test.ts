// Many are erased, and many are removed and come back, while the process is killed at random: nobody half, and every event once.

import assert from "node:assert/strict";
import { test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { type Answer, type Client, people } from "../support/client.ts";
import { assertCounts } from "../support/counts.ts";
import { install, ownRedis, type ServiceProcess } from "../support/process.ts";
import { KILLS, seeded } from "../support/seeded.ts";

const redis = ownRedis();
await redis.start();

const ERASED = 60;
const REMOVED = 200;

for (const [name, env] of [
  ["threads", {}],
  ["Redis", { REDIS_URL: redis.url, WORKER_CONCURRENCY: "1" }],
] as const)
  test(`jobs about many people survive kills, on ${name}`, async (t) => {
    const installation = install(env);
    const workspace = installation.workspace();
    const draw = seeded(`many people ${name}`);
    const starts = "REDIS_URL" in env ? 2 : 1;
    const start = (at: number) => (at ? installation.worker() : installation.web());
    const running: (ServiceProcess & { url?: string })[] = [];
    for (let at = 0; at < starts; at++) running.push(await start(at));
    let kills = 0;
    const client = () => workspace.client(running[0] as { url: string });
    const kill = async () => {
      const at = Math.floor(draw() * running.length);
      await running[at]!.kill("SIGKILL");
      kills++;
      running[at] = await start(at);
    };
    const persist = async (ask: (client: Client) => Promise<Answer>): Promise<Answer> => {
      for (;;) {
        const answer = await ask(client()).catch(() => undefined);
        if (answer && answer.status < 500) return answer;
        await sleep(50);
      }
    };
    /** How many people are there. */
    const count = async () =>
      (await persist((one) => one.get("/participants?pagination[limit]=1"))).body.total as number;
    /**
     * Has a plan applied, and kills processes until it has ended. A job that kills three processes without doing a part fails.
     * @param moves it does a part after the other: there is one between two kills
     */
    const applied = async (id: string, times: number, moves = false) => {
      await persist((one) => one.post(`/jobs/${id}/apply`, undefined, { Prefer: "respond-async" }));
      for (let at = 0; ; at++) {
        const { body } = await persist((one) => one.get(`/jobs/${id}`));
        if (body.finishedAt !== null && body.status !== "PLANNED") return body;
        if (at < times) {
          const before = await count();
          await sleep(draw() * 150);
          await kill();
          const isOver = async () => (await persist((one) => one.get(`/jobs/${id}`))).body.finishedAt !== null;
          while (moves && (await count()) === before && !(await isOver())) await sleep(20);
        } else await sleep(50);
      }
    };
    const { body: screener } = await client().post("/screeners", { title: "Many" });
    const wait = { Prefer: "wait=60" };
    await client().import(screener.id, people(REMOVED), {}, wait);
    const all = (await client().all("/participants")).map(({ id }) => id);
    const assigned = async () => (await client().all("/screener-participants")).map(({ id }) => id);
    const before = await assigned();

    while (kills < KILLS / 2) {
      const named = { screenerId: screener.id, screenerParticipantIds: before, dryRun: true };
      const plan = await client().post("/screener-participants-removal", named, wait);
      const removed = await applied(plan.body.id, 2);
      assert.deepEqual([removed.status, removed.summary.removed], ["SUCCEEDED", REMOVED], JSON.stringify(removed));
      assert.deepEqual(await assigned(), []);
      const undo = await client().post(`/jobs/${plan.body.id}/undo`, { dryRun: true }, wait);
      const undone = await applied(undo.body.id, 2);
      assert.deepEqual([undone.status, undone.summary.reverted], ["SUCCEEDED", REMOVED], JSON.stringify(undone));
      assert.deepEqual(await assigned(), before);
    }
    const going = all.slice(0, ERASED);
    const plan = await client().post("/participants-erasure", { participantIds: going, dryRun: true }, wait);
    const erased = await applied(plan.body.id, KILLS / 2, true);
    assert.deepEqual([erased.status, erased.summary], ["SUCCEEDED", { rows: ERASED, erased: ERASED, skipped: 0 }]);
    const left = (await client().all("/participants")).map(({ id }) => id);
    assert.deepEqual(left, all.slice(ERASED));
    const events = await client().all("/events");
    const named = events.flatMap(({ type, resource }) =>
      type === "participant.erased" ? [(resource as { id: string }).id] : [],
    );
    assert.deepEqual(named, going);
    assert.equal(events.filter(({ type }) => type === "participants.erased").length, 1);
    installation.read(workspace, (db) => assertCounts(db));
    t.diagnostic(`${kills} kills`);
    for (const one of running) await one.kill("SIGTERM");
  });
