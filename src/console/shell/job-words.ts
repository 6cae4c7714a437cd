// A job, as the pages show it: what it is called, and what it says.

import { isUndo, jobLabels, undoOf } from "../../api/job-kinds.ts";
import type { Job, JobWarning } from "../../client/types.ts";

/** A warning for people: it names no parameters of the API. */
export function wordsOfWarning({ code, message, column, member }: JobWarning): string {
  if (code !== "unknown_column_near" || column === undefined || member === undefined) return message;
  const what = nameOfField(member).toLowerCase();
  return `No column is chosen for the ${what}. Did you mean “${column}”? Without it, nobody’s ${what} changes. You can change what the columns are.`;
}

/** What the summary of a job of whatever kind counts. */
export function countsOf({ summary }: Pick<Job, "summary">): Readonly<Record<string, number | undefined>> {
  return { ...summary };
}

/** Which number somebody has to type in before the plan is applied: of those who are removed, erased, or reviewed. 0: none; the workspace's limit allows the removals. */
export function numberToConfirm({ kind, summary, plan }: Pick<Job, "kind" | "summary" | "plan">): number {
  const { reviewed, erased, removed = 0 } = countsOf({ summary });
  if (reviewed !== undefined && !isUndo(kind)) return reviewed;
  if (erased !== undefined) return erased;
  return plan?.removalLimit?.isExceeded === false ? 0 : removed;
}

/** Whether the job failed for a reason of the service's own: another run may succeed. */
export function isRetryable({ status, problem }: Pick<Job, "status" | "problem">): boolean {
  return status === "FAILED" && problem !== null && problem.status >= 500;
}

const STATES: Record<Job["status"], string> = {
  QUEUED: "Waits",
  RUNNING: "Runs",
  PLANNED: "Waits for you",
  SUCCEEDED: "Done",
  FAILED: "Failed",
  CANCELLED: "Cancelled",
};

/** What a job's state is called. */
export function stateOf({ status, blocked }: Pick<Job, "status" | "blocked">): string {
  return blocked ? "Set aside" : STATES[status];
}

/** Whether jobs of this kind can be taken back. */
export function isUndoable(kind: string): boolean {
  return undoOf(kind) !== undefined;
}

/** Whether jobs of this kind have effects on single people or links, as rows. */
export function hasEffects(kind: string): boolean {
  return isUndoable(kind) || isUndo(kind) || kind === "PARTICIPANTS_ERASURE";
}

export function nameOfJob(kind: string): string {
  return jobLabels.get(kind) ?? inWords(kind);
}

/** SCREENER_DELETION, or fullSync, as words. */
export function inWords(name: string): string {
  const words = name
    .replace(/([a-z])([A-Z])/g, "$1 $2")
    .replaceAll(/[_-]/g, " ")
    .toLowerCase();
  return words.charAt(0).toUpperCase() + words.slice(1);
}

const FIELDS: Record<string, string> = {
  externalUid: "Id",
  name: "Name",
  email: "Email",
  assignedTags: "Tags",
  "screenerParticipant.currentSessionId": "Link",
};

/** What a member of a person is called. An attribute has its own name. */
export function nameOfField(field: string): string {
  return FIELDS[field] ?? (field.startsWith("attributes.") ? field.slice("attributes.".length) : inWords(field));
}
