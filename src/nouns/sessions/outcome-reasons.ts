// Why a session is disqualified: as it is kept, and as it is shown.

import type { OutcomeReason } from "../content/content.ts";

/** SQL expression for the reason of a session's outcome. The release before keeps only two, of which NO_CONSENT is one. */
export const OUTCOME_REASON_SQL =
  "iif(t.outcome_reason = 'SCREENED_OUT' AND t.refused_uid IS NOT NULL, 'NO_CONSENT', t.outcome_reason)";

interface Kept {
  outcome_reason: Exclude<OutcomeReason, "NO_CONSENT"> | null;
  refused_uid: string | null;
}

/** Why a session is disqualified. */
export function outcomeReasonOf({ outcome_reason: kept, refused_uid }: Kept): OutcomeReason | null {
  return kept === "SCREENED_OUT" && refused_uid !== null ? "NO_CONSENT" : kept;
}

/** The same as the column has it. */
export function keptReason(reason: OutcomeReason | null): Kept["outcome_reason"] {
  return reason === "NO_CONSENT" ? "SCREENED_OUT" : reason;
}
