// A worker is killed at any moment of a move of links, or of its undo: all is as before it or as after it, and finally as after it.

import assert from "node:assert/strict";
import { test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { ASYNC, people } from "../support/client.ts";
import { endOf, momentOf } from "../support/killed-jobs.ts";
import { type Installation, install, ownRedis, type TestWorkspace } from "../support/process.ts";
import { KILLS, seeded } from "../support/seeded.ts";

const LINKS = 6000;
/** Links that are begun: they stay. */
const BEGUN = 5;

const redis = ownRedis();
await redis.start();

test(`a worker killed at ${KILLS} moments of moves of links, and of their undo, leaves all or nothing`, async (t) => {
  const moments: Record<string, number> = {};
  await Promise.all([killInLane(0, moments), killInLane(1, moments)]);
  t.diagnostic(`killed when ${JSON.stringify(moments)}`);
});

/** Moves links, takes that back, and so on, with a killed worker each time. */
async function killInLane(lane: number, moments: Record<string, number>): Promise<void> {
  const kills = KILLS / 2;
  const draw = seeded(`moves ${lane}`);
  const installation = install({ REDIS_URL: redis.url, WORKER_CONCURRENCY: "1" });
  const web = await installation.web();
  let worker = await installation.worker();
  const { workspace, client, screenerId } = await installation.screener(web);
  const wait = { Prefer: "wait=60" };
  const { body: first } = await client.post("/screener-publications", {
    screenerId,
    tags: [{ category: "a", value: "b" }],
  });
  await client.import(screenerId, people(LINKS), {}, wait);
  const { body: opened } = await client.post("/screener-sessions", { screenerId }, wait);
  for (const { id } of opened.slice(0, BEGUN))
    assert.equal((await client.post(`/screener-sessions/${id}/responses`, { responses: [] })).status, 200);
  const { body: second } = await client.post("/screener-publications", { screenerId, tags: [] });
  const before = counts(installation, workspace);
  assert.deepEqual(before, { [first.id]: [LINKS, BEGUN] });
  const after = { [first.id]: [BEGUN, BEGUN], [second.id]: [LINKS - BEGUN, 0] };
  const moved = LINKS - BEGUN;
  let last = "";
  let length = 0;
  // The first one is not disturbed: it shows how long it takes.
  for (let turn = 0; turn <= kills; turn++) {
    const isMove = turn % 2 === 0;
    const [was, becomes] = isMove ? [before, after] : [after, before];
    const started = performance.now();
    const { status, body: job } = isMove
      ? await client.post("/screener-sessions-move", { screenerId }, ASYNC)
      : await client.post(`/jobs/${last}/undo`, undefined, ASYNC);
    assert.equal(status, 202);
    if (turn > 0) {
      await sleep(length * ((turn - 1 + draw()) / kills));
      await worker.kill();
      const moment = momentOf(installation, workspace, job.id);
      moments[moment] = (moments[moment] ?? 0) + 1;
      const now = JSON.stringify(counts(installation, workspace));
      assert.ok([was, becomes].map((one) => JSON.stringify(one)).includes(now), `a part of it, ${moment}: ${now}`);
      worker = await installation.worker();
    }
    const ended = await endOf(client, job.id);
    length ||= performance.now() - started;
    const summary = isMove ? { moved } : { rows: moved, reverted: moved, kept: 0 };
    assert.deepEqual([ended.status, ended.summary], ["SUCCEEDED", summary], JSON.stringify(ended.problem));
    assert.deepEqual(counts(installation, workspace), becomes);
    const { total } = (await client.get(`/jobs/${job.id}/rows?pagination[limit]=1`)).body;
    assert.equal(total, moved);
    // What an undo needs is kept once for each.
    const kept = installation.stored(
      workspace,
      "SELECT count(*) FROM effect_move WHERE effect_id = (SELECT id FROM effect WHERE job_uid = ?)",
      job.id,
    );
    assert.deepEqual(kept, [moved]);
    last = job.id;
  }
  assert.deepEqual(installation.stored(workspace, "PRAGMA foreign_key_check"), []);
  assert.deepEqual(installation.control("PRAGMA quick_check"), ["ok"]);
}

/** How many sessions each publication has, and how many of them are begun. Their tags are those of the publication. */
function counts(installation: Installation, workspace: TestWorkspace): Record<string, number[]> {
  return JSON.parse(
    installation.read(workspace, (db) =>
      // One statement, so that it reads one moment.
      db.value<string>(`SELECT json_group_object(uid, json_array(n, begun)) FROM (
        SELECT p.uid, count(*) AS n, total(t.state <> 'NOT_STARTED') AS begun FROM screener_session AS t
        JOIN screener_publication AS p ON p.id = t.screener_publication_id AND p.tag_set_id = t.tag_set_id
        GROUP BY p.id ORDER BY p.id)`),
    )!,
    (_, value) => (typeof value === "number" ? Math.round(value) : value),
  );
}
