// Defines a kind of job that takes back what jobs of another kind did. Such an undo is undone like them, unless it is final.

import * as v from "valibot";
import type { Writer } from "../../../db/sqlite/connection.ts";
import type { RecordEvent } from "../../events/record.ts";
import { type EffectRow, findEffect, markUndone, requireUndoable } from "../ledger/effects.ts";
import { counted, type SummaryMembers } from "../ledger/summaries.ts";
import { type AnyJobKind, defineJob, type JobKind } from "./define-job.ts";
import type { JobRun } from "./job-run.ts";
import { type PlanSteps, planOrApply } from "./planned.ts";

/** The job to undo, and its screener. */
const UndoPayload = v.object({ jobId: v.string(), screenerId: v.nullable(v.string()), dryRun: v.boolean() });

/** A kind of job that undoes others. */
export interface UndoKind extends JobKind<v.InferInput<typeof UndoPayload>> {
  /** The kinds of jobs that it takes back: its own is one of them, unless it is final. */
  undoes: readonly string[];
}

/** How many rows of the plan are taken back, and how many are not. */
export interface UndoSummary {
  rows: number;
  reverted: number;
  kept: number;
  /** Of people in a screener: how many leave it, return to it, and get former values back. */
  leaving?: number;
  returning?: number;
  changedBack?: number;
}

export interface Undoing extends Omit<PlanSteps<{ summary: UndoSummary }>, "plan" | "apply"> {
  /** Plans to take back what a job did: rows that are REVERTED, or KEPT with a reason. */
  plan(db: Writer, effect: EffectRow): UndoSummary;
  /** Carries out the plan and, unless it is final, keeps what is needed to undo that (`insertEffect`). @returns the time that it writes */
  apply(db: Writer, effect: EffectRow, run: { job: JobRun; summary: UndoSummary; record: RecordEvent }): Date;
}

/** What all undos count. */
const SUMMARY = counted("rows", "reverted", "kept");

/** What an undo counts that changes who is in a screener. */
export const SUMMARY_OF_PEOPLE = { ...SUMMARY, ...counted("leaving", "returning", "changedBack") };

type UndoDefinition = Pick<AnyJobKind, "kind" | "label" | "events" | "forget"> & {
  /** The kind of jobs that it undoes. What is not given here is as there. */
  of: AnyJobKind;
  /** Such an undo can't be undone: one does again what it has undone. */
  isFinal?: true;
  steps: Undoing;
  /** Default: what all undos count. */
  summary?: SummaryMembers;
};

/** Defines the undo of a kind of job. POST /jobs/{id}/undo finds it by `undoes`. */
export function defineUndo({ of, isFinal, steps, ...definition }: UndoDefinition): UndoKind {
  const { plan, apply, ...rest } = steps;
  const kind = defineJob({
    ...of,
    summary: SUMMARY,
    ...definition,
    payload: UndoPayload,
    run: (job, { jobId, dryRun }) =>
      planOrApply(job, dryRun, {
        ...rest,
        plan(db) {
          const effect = requireUndoable(findEffect(db, jobId, "w"));
          return { effect, summary: plan(db, effect) };
        },
        apply(db, { effect, summary }, record) {
          const at = apply(db, effect, { job, summary, record });
          markUndone(db, effect, job.uid);
          return { at, summary: { undoneJobId: jobId } };
        },
      }),
  });
  return { ...kind, undoes: isFinal ? [of.kind] : [of.kind, kind.kind] };
}
