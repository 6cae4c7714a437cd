// A job, as the pages show it: what it is called, and what it says.

/** Of the resource Job. */
export interface Job {
  id: string;
  kind: string;
  status: "QUEUED" | "RUNNING" | "PLANNED" | "SUCCEEDED" | "FAILED" | "CANCELLED";
  progress: { phase: string; done: number; total: number | null } | null;
  summary: Record<string, number> | null;
  problem: JobProblem | null;
  createdBy: { name: string };
  createdAt: string;
  finishedAt: string | null;
  screenerId: string | null;
  importMode: "UPDATES_ONLY" | "FULL_SYNC" | null;
  warnings: { code: string; message: string }[] | null;
  plan: { reason: string; expiresAt: string; removalLimit?: { isExceeded: boolean } } | null;
}

/** How many removals somebody has to type in before the plan is applied; 0: none, because the workspace's limit allows them. */
export function removalsToConfirm({ summary, plan }: Pick<Job, "summary" | "plan">): number {
  return plan?.removalLimit?.isExceeded === false ? 0 : (summary?.removed ?? 0);
}

/** Whether the job failed for a reason of the service's own: another run may succeed. */
export function isRetryable({ status, problem }: Pick<Job, "status" | "problem">): boolean {
  return status === "FAILED" && problem !== null && problem.status >= 500;
}

export interface JobProblem {
  status: number;
  title: string;
  detail: string;
  errors?: { pointer: string; message: string; row?: number }[];
  errorCount?: number;
}

export const STATES: Record<Job["status"], string> = {
  QUEUED: "Waits",
  RUNNING: "Runs",
  PLANNED: "Waits for you",
  SUCCEEDED: "Done",
  FAILED: "Failed",
  CANCELLED: "Cancelled",
};

const KINDS: Record<string, string> = {
  SCREENER_PARTICIPANTS_IMPORT: "Import of people",
  SCREENER_PARTICIPANTS_IMPORT_UNDO: "Undo of an import",
  SCREENER_SESSIONS_OPENING: "Links for everybody",
  PARTICIPANT_ERASURE: "Erasure of a person",
  SCREENER_DELETION: "Deletion of a study",
  SCREENER_PUBLICATION: "Publication of a study",
};

export function nameOfJob(kind: string): string {
  return KINDS[kind] ?? inWords(kind);
}

/** SCREENER_DELETION, or fullSync, as words. */
export function inWords(name: string): string {
  const words = name
    .replace(/([a-z])([A-Z])/g, "$1 $2")
    .replaceAll(/[_-]/g, " ")
    .toLowerCase();
  return words.charAt(0).toUpperCase() + words.slice(1);
}

const FIELDS: Record<string, string> = { externalUid: "Id", name: "Name", email: "Email" };

/** What a member of a person is called. An attribute has its own name. */
export function nameOfField(field: string): string {
  return FIELDS[field] ?? (field.startsWith("attributes.") ? field.slice("attributes.".length) : inWords(field));
}

/** A number, as people read it. */
export function shown(n: number): string {
  return n.toLocaleString("en-GB");
}
