// The guard: how many of a screener's assignments an import may remove.

import { Problem } from "../../problems.ts";
import type { MaxRemovals } from "../resource.ts";

/** Percentages count from this many assignments on: of a few, one is a large part. */
const MIN_ASSIGNMENTS_FOR_PERCENT = 100;

/** What is wrong with a plan that removes more than `limit` allows, if it does. Without a limit nothing is. */
export function exceededLimit(
  { summary: { removed }, assignments }: { summary: { removed: number }; assignments: number },
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

function allowed(limit: MaxRemovals, assignments: number): number {
  if (typeof limit === "number") return limit;
  if (assignments < MIN_ASSIGNMENTS_FOR_PERCENT) return assignments;
  return (assignments * Number(limit.slice(0, -1))) / 100;
}
