// The order of jobs around those that are set aside (queue.ts): which jobs wait for them, and which of them end because a later job has
// overtaken them.

import type { Reader } from "../../../db/sqlite/connection.ts";
import { immediate } from "../../../db/sqlite/write.ts";
import { Problem } from "../../base/problems.ts";
import { failureOf } from "../ledger/outcome.ts";
import { findJob, JOB, type JobRow } from "../ledger/queries.ts";
import { BLOCKED_PAUSE_MS } from "../ledger/queue.ts";
import { requeueBehind } from "../ledger/states.ts";
import type { AnyJobKind } from "./define-job.ts";
import { decideFailed, finish } from "./finish.ts";
import type { Runtime } from "./job-run.ts";

/** The jobs that are set aside before this one. There is almost never one. */
const BLOCKED_BEFORE = "workspace_id = ? AND id < ? AND blocked_since IS NOT NULL AND finished_at IS NULL";

/** The codes of jobs that wait because the store could not be opened. They may succeed once it can be. */
const OF_STORE = ["store_refused", "store_unavailable"];

/** Jobs behind it do not cause another try within this time. */
const JUST_TRIED_MS = 60_000;

/**
 * Whether a job goes back to the queue, so that jobs that are set aside before it have one more try first. Before an import or an
 * undo these are erasures; before any job, those that could not open the store, which is open now. Once for each try of the job.
 */
export function givesWay(
  { control, runner }: Runtime,
  kinds: readonly AnyJobKind[],
  kind: AnyJobKind,
  { id, uid, workspace_id, gave_way }: JobRow,
): boolean {
  const { reader, writer } = control;
  if (
    gave_way ||
    reader.value(`SELECT 1 FROM job INDEXED BY job_blocked WHERE ${BLOCKED_BEFORE}`, workspace_id, id) === undefined
  )
    return false;
  const first = kind.keepsOrder
    ? kinds.filter(({ overtakes }) => overtakes === "WORKSPACE").map((one) => one.kind)
    : [];
  const now = Date.now();
  return immediate(writer, () => {
    const { changes } = writer.run(
      `UPDATE job SET available_at = ? WHERE ${BLOCKED_BEFORE} AND status = 'QUEUED' AND (kind IN (SELECT value FROM json_each(?))
         OR (blocked_code IN (SELECT value FROM json_each(?)) AND available_at - ? NOT BETWEEN ? AND ?))`,
      now,
      workspace_id,
      id,
      JSON.stringify(first),
      JSON.stringify(OF_STORE),
      BLOCKED_PAUSE_MS,
      now - JUST_TRIED_MS,
      now,
    );
    if (!changes) return false;
    requeueBehind(writer, uid, runner);
    return true;
  });
}

/**
 * Ends jobs that are set aside before a job that has changed data: they would change the data out of order. Call it before that
 * job ends, so that a repeated run does it, too.
 */
export function endOvertaken(
  runtime: Runtime,
  kinds: readonly AnyJobKind[],
  { overtakes }: AnyJobKind,
  { uid }: JobRow,
): void {
  if (!overtakes) return;
  const { reader } = runtime.control;
  for (const passed of listOvertaken(reader, findJob(reader, uid)!, overtakes, kinds)) {
    const problem = new Problem("job_overtaken", {
      detail: `The job was set aside at ${new Date(passed.blocked_since!).toISOString()}, and the job ${uid}, which was accepted after it, was applied meanwhile. It changed nothing. Send it again if it is still wanted.`,
    });
    const kind = kinds.find((one) => one.kind === passed.kind)!;
    finish(runtime, passed, decideFailed(runtime, kind, passed, failureOf(problem.document)), kind, kinds);
  }
}

/** A job whose screener is not known may be about any screener. */
function listOvertaken(
  db: Reader,
  { id, workspace_id, screener_uid }: JobRow,
  overtakes: "SCREENER" | "WORKSPACE",
  kinds: readonly AnyJobKind[],
): JobRow[] {
  const about = overtakes === "WORKSPACE" ? null : screener_uid;
  return db.all(
    `${JOB} WHERE j.workspace_id = ? AND j.id < ? AND j.blocked_since IS NOT NULL AND j.finished_at IS NULL
       AND j.kind IN (SELECT value FROM json_each(?)) AND (? IS NULL OR j.screener_uid IS NULL OR j.screener_uid = ?)`,
    workspace_id,
    id,
    JSON.stringify(kinds.filter(({ keepsOrder }) => keepsOrder).map(({ kind }) => kind)),
    about,
    about,
  );
}
