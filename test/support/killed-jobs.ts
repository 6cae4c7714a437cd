// What tests share that kill a worker while it plans, applies or undoes.

import assert from "node:assert/strict";
import type { TestContext } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import type { Answer, Client } from "./client.ts";
import { type Installation, install, type TestWorkspace } from "./process.ts";
import { KILLS, seeded } from "./seeded.ts";
import { until } from "./until.ts";

/** What an import may change, as JSON: people and assignments in their order, and all sessions. Times are not in it. */
export function dump(installation: Installation, workspace: TestWorkspace): string {
  return installation.read(workspace, (db) =>
    // One statement, so that it reads one moment.
    db.value<string>(`SELECT json_object(
      'people', json((SELECT json_group_array(json_array(uid, external_uid, email, name)) FROM (SELECT * FROM participant ORDER BY id))),
      'assigned', json((SELECT json_group_array(concat(uid, participant_id, status, current_session_id))
        FROM (SELECT * FROM screener_participant ORDER BY id))),
      'sessions', json((SELECT json_group_array(concat(uid, status, state)) FROM (SELECT * FROM screener_session ORDER BY id))),
      'counted', json_array((SELECT sum(n) FROM participant_block), (SELECT sum(n) FROM screener_participant_block)))`),
  )!;
}

/** How far a job was when its worker was killed. */
export function momentOf(installation: Installation, workspace: TestWorkspace, jobId: string): string {
  const [decided] = installation.stored<number>(workspace, "SELECT count(*) FROM job_outcome WHERE job_uid = ?", jobId);
  const [how] = installation.control<string>(
    "SELECT iif(status = 'RUNNING', iif(apply_begun, 'applying', 'staging'), lower(status)) FROM job WHERE uid = ?",
    jobId,
  );
  return how === "applying" && decided ? "committed" : how!;
}

/** A busy machine needs longer: a new worker has to start its threads, and Redis keeps a dead worker's ticket for some seconds. */
export const END_MS = 120_000;

/** The job, once it has ended. The service says when: to ask again and again takes time from who does it. */
export function endOf(client: Client, jobId: string): Promise<Answer["body"]> {
  return until(
    async () => {
      const { body } = await client.get(`/jobs/${jobId}`, { Prefer: "wait=20" });
      return body.finishedAt && body;
    },
    "a job ends",
    END_MS,
  );
}

/** An installation with a screener. */
interface Scene {
  installation: Installation;
  workspace: TestWorkspace;
  client: Client;
  screenerId: string;
}

/** A job and what takes it back, in turns. */
interface Turns {
  /** What can be seen now. */
  look(): string;
  /** What can be seen after the first one. Without it, that is what the first one shows, which nobody disturbs. */
  after?: string;
  /** The id of a job that was there before the first turn. */
  last?: string;
  /** Submits the job of a turn. @param last the id of the job of the turn before */
  submit(turn: number, last: string): Promise<Answer>;
  /** Called when it was killed, and may not have ended yet. */
  checkMeanwhile?(last: string): Promise<void>;
  /** Looks at a job that has ended. */
  check(turn: number, job: Answer["body"]): Promise<void> | void;
}

/** Kills a worker at drawn moments of jobs that take each other back: all is as before the job or as after it, and finally as after it. */
export async function killInTurns(
  t: TestContext,
  name: string,
  redisUrl: string,
  begin: (scene: Scene, lane: 0 | 1) => Promise<Turns>,
): Promise<void> {
  const moments: Record<string, number> = {};
  const env = { REDIS_URL: redisUrl, WORKER_CONCURRENCY: "1" };
  await Promise.all(
    ([0, 1] as const).map((lane) =>
      killInLane(seeded(`${name} ${lane}`), moments, install(env), (scene) => begin(scene, lane)),
    ),
  );
  t.diagnostic(`killed when ${JSON.stringify(moments)}`);
}

async function killInLane(
  draw: () => number,
  moments: Record<string, number>,
  installation: Installation,
  begin: (scene: Scene) => Promise<Turns>,
): Promise<void> {
  const kills = KILLS / 2;
  const web = await installation.web();
  let worker = await installation.worker();
  const scene = { installation, ...(await installation.screener(web)) };
  const { workspace, client } = scene;
  const turns = await begin(scene);
  let was = turns.look();
  let becomes = turns.after;
  let last = turns.last ?? "";
  let length = 0;
  // The first one is not disturbed: it shows how long it takes.
  for (let turn = 0; turn <= kills; turn++) {
    const started = performance.now();
    const { status, body: job } = await turns.submit(turn, last);
    assert.equal(status, 202);
    if (turn > 0) {
      await sleep(length * ((turn - 1 + draw()) / kills));
      await worker.kill();
      const moment = momentOf(installation, workspace, job.id);
      moments[moment] = (moments[moment] ?? 0) + 1;
      const now = turns.look();
      assert.ok(now === was || now === becomes, `a part of it, ${moment}: ${now}`);
      worker = await installation.worker();
    }
    await turns.checkMeanwhile?.(last);
    const ended = await endOf(client, job.id);
    length ||= performance.now() - started;
    assert.equal(ended.status, "SUCCEEDED", JSON.stringify(ended.problem));
    becomes ??= turns.look();
    assert.ok(turns.look() === becomes && becomes !== was, "it is as it becomes");
    await turns.check(turn, ended);
    last = job.id;
    [was, becomes] = [becomes, was];
  }
  assert.deepEqual(installation.stored(workspace, "PRAGMA foreign_key_check"), []);
  assert.deepEqual(installation.control("PRAGMA quick_check"), ["ok"]);
}
