// Removes what the jobs of a workspace have kept of a person: in the ledger, in result files, and in the spool.

import { existsSync, rmSync } from "node:fs";
import type { Writer } from "../../db/connection.ts";
import { openScratchWriter } from "../../db/open.ts";
import { immediate } from "../../db/write.ts";
import { forgetInPending, withoutTexts } from "../events/outbox.ts";
import { Problem } from "../problems.ts";
import { cancelJob } from "./cancel.ts";
import { removeChosenFiles } from "./chosen-files.ts";
import { dropResults } from "./expiry.ts";
import { dropBodies, dropBodiesOfScreener } from "./kept-bodies.ts";
import { type Forget, Mentions, type Person } from "./person.ts";
import { endPlan, removeFiles } from "./plans.ts";
import { resultPath } from "./result.ts";
import { sweepFiles } from "./sweep.ts";

/** So many jobs are read at once. */
const SLICE_JOBS = 100;

interface KeptJob {
  id: number;
  uid: string;
  kind: string;
  /** Whether it is a plan that may still be applied, or is about to be. */
  is_plan: 0 | 1;
  status: string;
  result_file: string | null;
  result: string | null;
  rows: string | null;
  problem: string | null;
  idempotency_key: string | null;
  apply_key: string | null;
  request_id: string | null;
  trace_id: string | null;
  note: string | null;
  cause: string | null;
}

/** Whose jobs. */
interface Ledger {
  ledger: Writer;
  dataDir: string;
  workspaceId: number;
}

const WITHOUT = {
  result: "withoutItems",
  rows: "withoutRows",
  problem: "withoutErrors",
} as const satisfies Record<string, keyof Mentions>;

const CHOSEN_BY_CALLERS = ["idempotency_key", "apply_key", "request_id", "trace_id", "note"] as const;

/** See JobRun.forget. */
export function forgetInJobs(
  { ledger, dataDir, workspaceId }: Ledger,
  forgets: ReadonlyMap<string, Forget>,
  person: Person,
): number {
  const mentions = new Mentions(person);
  let changed = 0;
  for (let last = 0; ; ) {
    const jobs = ledger.all<KeptJob>(
      `SELECT id, uid, kind, status, result_file, result, rows, problem, idempotency_key, apply_key, request_id, trace_id,
         note, cause,
         plan IS NOT NULL AND status IN ('PLANNED', 'QUEUED') AS is_plan
       FROM job NOT INDEXED WHERE workspace_id = ? AND id > ? ORDER BY id LIMIT ${SLICE_JOBS}`,
      workspaceId,
      last,
    );
    for (const job of jobs) {
      const inFile = forgetInFile(dataDir, job, forgets.get(job.kind), person);
      if (job.is_plan && (inFile || mentions.withoutRows(job.rows ?? "[]") !== (job.rows ?? "[]")))
        end(ledger, dataDir, job);
      if (forgetInRow(ledger, job, mentions) || inFile) changed++;
    }
    last = jobs.at(-1)?.id ?? last;
    if (jobs.length < SLICE_JOBS) break;
  }
  // They may name the person in any spelling that an import takes. The caller of a job that failed can send it again.
  dropBodies(ledger, dataDir, workspaceId);
  const uid = ledger.value<string>("SELECT uid FROM workspace WHERE id = ?", workspaceId)!;
  immediate(ledger, () => forgetInPending(ledger, uid, (text) => mentions.isWordOf(text)));
  removeChosenFiles(dataDir, uid);
  // What a killed process has left.
  sweepFiles(dataDir, ledger);
  return changed;
}

/** @returns whether the job's result file has something of the person. That of a plan is not changed: it goes as a whole */
function forgetInFile(dataDir: string, job: KeptJob, forget: Forget | undefined, person: Person): boolean {
  if (job.result_file === null || !forget) return false;
  const path = resultPath(dataDir, job.result_file);
  if (!existsSync(path)) return false;
  const file = openScratchWriter(path);
  try {
    file.run("BEGIN IMMEDIATE");
    const isNamed = forget(file, person);
    file.run(isNamed && !job.is_plan ? "COMMIT" : "ROLLBACK");
    return isNamed;
  } finally {
    file.close();
  }
}

function end(ledger: Writer, dataDir: string, job: KeptJob): void {
  const problem = new Problem("plan_outdated", {
    detail: "The plan names a participant who was erased. Nothing was changed.",
  });
  const isEnded = immediate(ledger, () =>
    job.status === "PLANNED"
      ? endPlan(ledger, job.uid, problem, Date.now())
      : cancelJob(ledger, job, problem, Date.now()),
  );
  if (isEnded) removeFiles(dataDir, job);
}

/** @returns whether the ledger had something of the person */
function forgetInRow(ledger: Writer, job: KeptJob, mentions: Mentions): boolean {
  const texts = Object.entries(WITHOUT).flatMap(([column, method]) => {
    const json = job[column as keyof typeof WITHOUT];
    const without = json === null ? null : mentions[method](json);
    return without === json ? [] : [[column, without] as const];
  });
  const chosen = CHOSEN_BY_CALLERS.filter((column) => job[column] !== null && mentions.isWordOf(job[column]));
  const cause = job.cause === null ? undefined : withoutTexts(JSON.parse(job.cause), (text) => mentions.isWordOf(text));
  const changes = [
    ...texts,
    ...chosen.map((column) => [column, null] as const),
    ...(cause ? [["cause", JSON.stringify(cause)] as const] : []),
  ];
  if (changes.length)
    immediate(ledger, () =>
      ledger.run(
        `UPDATE job SET ${changes.map(([column]) => `${column} = ?`).join(", ")} WHERE id = ?`,
        ...changes.map(([, value]) => value),
        job.id,
      ),
    );
  return texts.length > 0;
}

/** Removes the results of a screener's jobs, and kept bodies. @returns the ids of the jobs */
export function forgetScreenerInJobs({ ledger, dataDir, workspaceId }: Ledger, screenerUid: string): string[] {
  const jobs = ledger.all<{ id: number; uid: string; result_file: string | null }>(
    `SELECT id, uid, result_file FROM job NOT INDEXED
     WHERE workspace_id = ? AND screener_uid = ? AND finished_at IS NOT NULL AND status <> 'PLANNED'`,
    workspaceId,
    screenerUid,
  );
  for (const file of immediate(ledger, () => dropResults(ledger, jobs)))
    rmSync(resultPath(dataDir, file), { force: true });
  dropBodiesOfScreener(ledger, dataDir, workspaceId, screenerUid);
  sweepFiles(dataDir, ledger);
  return jobs.map(({ uid }) => uid);
}

/** Removes what outcomes in the workspace's store have of a person. Call it inside a transaction. */
export function forgetInOutcomes(db: Writer, person: Person): void {
  const mentions = new Mentions(person);
  const outcomes = db.all<{ job_uid: string } & Record<keyof typeof WITHOUT, string | null>>(
    `SELECT job_uid, result, rows, problem FROM job_outcome
     WHERE result IS NOT NULL OR rows IS NOT NULL OR problem IS NOT NULL`,
  );
  for (const { job_uid, ...kept } of outcomes)
    for (const [column, method] of Object.entries(WITHOUT)) {
      const json = kept[column as keyof typeof WITHOUT];
      const without = json === null ? null : mentions[method](json);
      if (without !== json) db.run(`UPDATE job_outcome SET ${column} = ? WHERE job_uid = ?`, without, job_uid);
    }
}
