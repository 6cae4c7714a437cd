// How a job ends: what its handler returns, and the outcome that is made of it.

import type { Problem } from "../../base/problems.ts";
import type { NewEvent } from "../../events/record.ts";
import type { EventDetails } from "../ledger/events.ts";
import { NOTHING } from "../ledger/outcome.ts";
import type { Outcome } from "../ledger/queries.ts";

/** Why nothing was applied, and until when it may be. */
export interface PlanNote {
  reason: "DRY_RUN" | "REMOVAL_LIMIT";
  /** ISO-8601. */
  expiresAt: string;
  /** Of a dry run: the limit for removals that would count, if there is one. */
  removalLimit?: { maxRemovals: number | string; isExceeded: boolean };
}

/** What a handler returns after it has changed the data, or instead of that. */
export interface Applied {
  summary?: object;
  /** The job's result, as JSON text. */
  result?: string;
  /** Or the name of the file below results/ that has it, and the rows (engine/ledger/outcome.ts, engine/ledger/rows.ts). */
  resultFile?: string;
  /** The outcomes of its rows as a JSON array, when they are few. */
  rows?: string;
  warnings?: object[];
  /** With one of these nothing was changed: why, or the plan that may be applied later. */
  problem?: Problem;
  plan?: PlanNote;
  /** Further details of its event. */
  event?: EventDetails;
  /** Events after it. */
  following?: readonly NewEvent[];
}

export function outcomeOf({ summary, result, resultFile, rows, warnings, problem, plan }: Applied): Outcome {
  return {
    ...NOTHING,
    summary: summary ? JSON.stringify(summary) : null,
    result: result ?? null,
    result_file: resultFile ?? null,
    rows: rows ?? null,
    warnings: warnings?.length ? JSON.stringify(warnings) : null,
    problem: problem ? JSON.stringify(problem.document) : null,
    plan: plan ? JSON.stringify(plan) : null,
  };
}
