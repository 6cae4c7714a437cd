// The run of a job that can be a dry run: it works out a plan, and applies that. An approved plan is applied only if it is what was shown.

import type { Reader, Writer } from "../../../db/sqlite/connection.ts";
import type { NewEvent, RecordEvent } from "../../events/record.ts";
import { findMoved } from "../ledger/compare.ts";
import type { EventDetails } from "../ledger/events.ts";
import { PLAN_MS } from "../ledger/plans.ts";
import type { JobRun } from "./job-run.ts";
import { JobScratch, type Outcome } from "./scratch.ts";

/** The steps of such a job. The workspace is attached as `w`. */
export interface PlanSteps<Plan extends { summary: object }> {
  /** Makes the tables of the scratch store: those of its rows (engine/ledger/rows.ts) and the view `answer`. */
  create(scratch: Writer): void;
  /** Works out, before others have to wait, what stays true until it is planned. @throws Problem */
  ahead?(db: Reader): void;
  /** Fills them. @throws Problem */
  plan(db: Writer): Plan;
  /** Changes the workspace as planned. @param record of what follows: it is said after the job. @returns details of the job's event */
  apply(db: Writer, plan: Plan, record: RecordEvent): EventDetails;
  /** False if `apply` makes sure itself that its rows refer to existing rows: see JobScratch.applyOnce. */
  checksReferences?: false;
}

/** @param isDryRun whether it ends with its plan */
export function planOrApply<Plan extends { summary: object }>(
  job: JobRun,
  isDryRun: boolean,
  { create, ahead, plan, apply, checksReferences }: PlanSteps<Plan>,
): Outcome {
  using scratch = JobScratch.inFile(job);
  const { db } = scratch;
  create(db);
  const { approved } = job;
  if (isDryRun && !approved) {
    const { summary } = scratch.withSnapshot(() => plan(db));
    const expiresAt = new Date(Date.now() + PLAN_MS).toISOString();
    return scratch.conclude({ summary, plan: { reason: "DRY_RUN", expiresAt } });
  }
  if (ahead) scratch.withSnapshot(() => ahead(db));
  if (approved) scratch.attachApproved(approved);
  return scratch.applyOnce(() => {
    job.progress("COMPARING", 0, null);
    const planned = plan(db);
    const problem = approved && findMoved(db);
    if (problem) {
      // Nothing happens to any row.
      for (const table of ["plan", "plan_block"]) db.run(`DELETE FROM ${table}`);
      return { problem };
    }
    const following: NewEvent[] = [];
    const event = apply(db, planned, (one) => following.push(one));
    return { summary: planned.summary, event, following };
  }, checksReferences);
}
