// What tests share that kill a worker while it plans, applies or undoes.

import type { Answer, Client } from "./client.ts";
import type { Installation, TestWorkspace } from "./process.ts";
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

/** The job, once it has ended. */
export function endOf(client: Client, jobId: string): Promise<Answer["body"]> {
  return until(
    async () => {
      const { body } = await client.get(`/jobs/${jobId}`);
      return body.finishedAt && body;
    },
    "a job ends",
    END_MS,
  );
}
