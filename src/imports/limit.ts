// The guard: how many of a screener's assignments an import may remove.

import { Problem } from "../base/problems.ts";
import type { ImportMode, MaxRemovals } from "../nouns/screener-participants/resource.ts";

interface Removals {
  summary: { removed: number };
  /** The number of the screener's assignments before the import. */
  assignments: number;
}

/** What is wrong with a plan that removes more than `limit` allows, if it does. Without a limit nothing is. */
export function exceededLimit(
  { summary: { removed }, assignments }: Removals,
  limit: MaxRemovals | undefined,
): Problem | undefined {
  if (limit === undefined || removed <= allowed(limit, assignments)) return undefined;
  return new Problem("removal_limit_exceeded", {
    detail:
      `The import would remove ${removed} of the screener's ${assignments} participants, and the limit is ${limit}. ` +
      "Nothing was changed. The job has the plan: it can be looked at, and applied.",
    members: { removals: removed, assignments, maxRemovals: limit },
  });
}

/** A percentage is rounded up, so that one of few assignments may go. It counts in thousandths, which is exact. */
function allowed(limit: MaxRemovals, assignments: number): number {
  if (typeof limit === "number") return limit;
  return Math.ceil((assignments * Math.round(Number(limit.slice(0, -1)) * 1000)) / 100_000);
}

interface Limits {
  importMode: ImportMode;
  /** The import's own. */
  maxRemovals: MaxRemovals | undefined;
  /** The import's own, or the workspace's. */
  limit: MaxRemovals | undefined;
}

/** The warnings of an import for which a limit does not count: it removes nobody, or somebody decides. */
export function uncounted(
  { summary: { removed }, assignments }: Removals,
  { importMode, maxRemovals, limit }: Limits,
  decides: "dry run" | "approved" | undefined,
): object[] {
  const code = "removal_limit_not_counted";
  if (importMode !== "FULL_SYNC") {
    if (maxRemovals === undefined) return [];
    return [{ code, message: `The limit ${maxRemovals} was not counted: ${importMode} removes nobody.`, maxRemovals }];
  }
  if (!decides || limit === undefined || removed <= allowed(limit, assignments)) return [];
  const of = `${removed} of the screener's ${assignments} participants`;
  const message =
    decides === "approved"
      ? `${of} were removed. The limit ${limit} was not counted, because the plan was approved.`
      : `${of} would be removed. The limit ${limit} is not counted when this plan is applied.`;
  return [{ code, message, maxRemovals: limit }];
}
