// Removes what the jobs of a workspace have kept of a person: in the ledger, in result files, and in the spool.

import { existsSync, rmSync } from "node:fs";
import type { Writer } from "../../../db/sqlite/connection.ts";
import { openScratchWriter } from "../../../db/sqlite/open.ts";
import { immediate } from "../../../db/sqlite/write.ts";
import { overwriteUnused } from "../../../db/wipe.ts";
import { Problem } from "../../base/problems.ts";
import { jobColumns } from "../../erasure/job-columns.ts";
import { Mentions } from "../../erasure/mentions.ts";
import type { Forget, Person } from "../../erasure/person.ts";
import { forgetWordsOf } from "../../erasure/search.ts";
import { forgetInPending } from "../../events/outbox.ts";
import { dropBodies, dropBodiesOfScreener } from "../files/bodies.ts";
import { removeChosenFiles } from "../files/chosen-files.ts";
import { removeFilesOf } from "../files/files-of-jobs.ts";
import { changeResultFile, isGone, ResultDamagedError, resultPath } from "../files/result-file.ts";
import { cancelJob } from "../ledger/cancel.ts";
import { dropResults } from "../ledger/expiry.ts";
import { endPlan, removeFiles } from "../ledger/plans.ts";
import { sweepFiles } from "../ledger/sweep.ts";

/** How many jobs are read at once. */
const SLICE_JOBS = 100;

/** What the ledger has of a job. */
export interface KeptJob {
  id: number;
  uid: string;
  kind: string;
  /** Whether it is a plan that may still be applied, or is about to be. */
  is_plan: 0 | 1;
  status: string;
  result_file: string | null;
  rows: string | null;
}

/** The workspace whose jobs are meant. */
export interface Ledger {
  ledger: Writer;
  dataDir: string;
  workspaceId: number;
}

const PERSON_GONE = "The plan names a participant who was erased. Nothing was changed.";

/** The columns with outcomes. Jobs that have the person in one of them are counted. */
const OUTCOMES = ["job.result", "job.rows", "job.problem"];

/** What an erasure has done to the workspace's jobs. */
export interface Forgotten {
  /** How many jobs had data of the people. */
  changed: number;
  /** The ids of jobs whose results were damaged, and were removed. */
  damaged: string[];
}

/** See JobRun.forget. @param except the job that forgets: the plan that it carries out stays what was approved until it ends, and goes then */
export function forgetInJobs(
  { ledger, dataDir, workspaceId, except = "" }: Ledger & { except?: string },
  forgets: ReadonlyMap<string, Forget>,
  people: readonly Person[],
): Forgotten {
  const all = people.map((person) => new Mentions(person));
  const hasNamed = (rows: string) => all.some((mentions) => mentions.withoutRows(rows) !== rows);
  const changed = new Set<unknown>();
  const damaged: string[] = [];
  const files: string[] = [];
  for (let last = 0; ; ) {
    const jobs = ledger.all<KeptJob>(
      `SELECT id, uid, kind, status, result_file, rows, plan IS NOT NULL AND status IN ('PLANNED', 'QUEUED') AS is_plan
       FROM job NOT INDEXED WHERE workspace_id = ? AND id > ? AND uid <> ? ORDER BY id LIMIT ${SLICE_JOBS}`,
      workspaceId,
      last,
      except,
    );
    for (const job of jobs) {
      const { inFile, leaves } = forgetInFile(dataDir, job, forgets.get(job.kind), people);
      if (leaves) files.push(resultPath(dataDir, job.result_file!));
      if (inFile === "DAMAGED") {
        removeDamaged(ledger, dataDir, job);
        damaged.push(job.uid);
      } else if (job.is_plan && (inFile === "NAMED" || hasNamed(job.rows ?? "[]")))
        end(ledger, dataDir, job, new Problem("plan_outdated", { detail: PERSON_GONE }));
      if (inFile !== "NOTHING") changed.add(job.id);
    }
    last = jobs.at(-1)?.id ?? last;
    if (jobs.length < SLICE_JOBS) break;
  }
  const scope = { scope: "workspace_id = ?", values: [workspaceId] };
  const transact = (work: () => void) => immediate(ledger, work);
  for (const mentions of all)
    for (const [column, ids] of forgetWordsOf(ledger, jobColumns, mentions, { ...scope, transact }))
      if (OUTCOMES.includes(column)) for (const id of ids) changed.add(id);
  // They may name people in any spelling that an import takes. The caller of a job that failed can send it again.
  dropBodies(ledger, dataDir, workspaceId);
  const uid = ledger.value<string>("SELECT uid FROM workspace WHERE id = ?", workspaceId)!;
  immediate(ledger, () => {
    for (const mentions of all) forgetInPending(ledger, uid, mentions);
  });
  removeChosenFiles(dataDir, uid);
  // Files that a killed process has left.
  sweepFiles(dataDir, ledger);
  overwriteLeft(files);
  return { changed: changed.size, damaged };
}

/** What a job's result file has of people, and whether something may be left in unused parts of its pages. */
interface Found {
  inFile: "NOTHING" | "NAMED" | "DAMAGED";
  leaves: boolean;
}

/** In the header of a result file, in the transaction that removes somebody: so a run that was killed is gone on with. Elsewhere it is 0. */
const LEAVES = "user_version";

/** That of a plan is not changed: it goes as a whole. */
function forgetInFile(dataDir: string, job: KeptJob, forget: Forget | undefined, people: readonly Person[]): Found {
  if (job.result_file === null || !forget) return { inFile: "NOTHING", leaves: false };
  try {
    return changeResultFile(resultPath(dataDir, job.result_file), (file) => {
      file.run("BEGIN IMMEDIATE");
      const isNamed = people.filter((person) => forget(file, person)).length > 0;
      const isKept = isNamed && !job.is_plan;
      if (isKept) file.run(`PRAGMA ${LEAVES} = 1`);
      file.run(isKept ? "COMMIT" : "ROLLBACK");
      return { inFile: isNamed ? "NAMED" : "NOTHING", leaves: file.value(`PRAGMA ${LEAVES}`) === 1 };
    });
  } catch (error) {
    if (isGone(error)) return { inFile: "NOTHING", leaves: false };
    // It lacks a table or a column, so the person can't be searched for.
    if (error instanceof ResultDamagedError || isUnknown(error)) return { inFile: "DAMAGED", leaves: false };
    throw error;
  }
}

/** Overwrites what these result files have left of people. */
function overwriteLeft(paths: readonly string[]): void {
  overwriteUnused(paths);
  for (const path of paths.filter((one) => existsSync(one))) {
    const file = openScratchWriter(path);
    file.run(`PRAGMA ${LEAVES} = 0`);
    file.close();
  }
}

function isUnknown(error: unknown): boolean {
  return error instanceof Error && "code" in error && error.code === "SQLITE_ERROR";
}

/** Removes a result file that can't be read: it may have data of the person. The ledger forgets the file first. */
function removeDamaged(ledger: Writer, dataDir: string, job: KeptJob): void {
  const path = resultPath(dataDir, job.result_file!);
  if (job.is_plan) end(ledger, dataDir, job, new Problem("result_damaged"));
  immediate(ledger, () => dropResults(ledger, [job]));
  for (const suffix of ["-journal", ""]) rmSync(path + suffix, { force: true });
}

/** Ends a plan, or a job that waits and may still be cancelled. */
export function end(ledger: Writer, dataDir: string, job: KeptJob, problem: Problem): void {
  const isEnded = immediate(ledger, () =>
    job.status === "PLANNED"
      ? endPlan(ledger, job.uid, problem, Date.now())
      : cancelJob(ledger, job, problem, Date.now()),
  );
  if (isEnded) removeFiles(dataDir, job);
}

/** Removes the jobs of a workspace that have ended, plans among them, with their files and those that were chosen for imports. @returns the ids of the others */
export function forgetFinishedJobs({ ledger, dataDir, workspaceId }: Ledger): string[] {
  const jobs = ledger.all<{ id: number; uid: string }>(
    "SELECT id, uid FROM job NOT INDEXED WHERE workspace_id = ? AND finished_at IS NOT NULL",
    workspaceId,
  );
  // The rows go last, so that a run which is interrupted finds the files again.
  removeFilesOf(dataDir, new Set(jobs.map(({ uid }) => uid)));
  removeChosenFiles(dataDir, ledger.value<string>("SELECT uid FROM workspace WHERE id = ?", workspaceId)!);
  // A plan may have been approved meanwhile.
  immediate(ledger, () =>
    ledger.run(
      "DELETE FROM job WHERE id IN (SELECT value FROM json_each(?)) AND finished_at IS NOT NULL",
      JSON.stringify(jobs.map(({ id }) => id)),
    ),
  );
  return ledger.values(
    "SELECT uid FROM job INDEXED BY job_open WHERE workspace_id = ? AND finished_at IS NULL",
    workspaceId,
  );
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
