// A job as a line for people.

import type { OperatorsJob } from "../jobs/all-jobs.ts";

export function lineOf({ id, workspaceId, kind, status, createdAt, problem, requestId }: OperatorsJob): string {
  const how = problem ? `${status.toLowerCase()} (${problem.code})` : status.toLowerCase();
  return [id, createdAt, kind, how, `workspace ${workspaceId}`, ...(requestId ? [`request ${requestId}`] : [])].join(
    "  ",
  );
}

/** How far it is: to be put behind its line. */
export function progressOf({ progress }: Pick<OperatorsJob, "progress">): string {
  if (!progress) return "";
  const { phase, done, total } = progress;
  return `  ${phase.toLowerCase()} ${done}${total === null ? "" : ` of ${total}`}`;
}
