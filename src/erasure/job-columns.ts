// The text columns of jobs, and how a person is removed from them: all of the ledger but what is in result files.

import { each, ITEMS, KEY, NOTE, PROBLEM, ROWS, SHOWN_JSON, WARNINGS } from "./column-kinds.ts";
import type { Columns } from "./search.ts";
import { causeWithout } from "./without.ts";

/** What callers and jobs have said of a job. */
export const jobColumns: Columns = {
  ...each("job", ["idempotency_key", "apply_key", "request_id", "trace_id"], KEY),
  "job.note": NOTE,
  "job.cause": { words: causeWithout },
  "job.problem": PROBLEM,
  "job.result": ITEMS,
  "job.rows": ROWS,
  "job.warnings": WARNINGS,
  // A job that waits runs as it was sent: what it brings in is its caller's wish.
  "job.payload": { ...SHOWN_JSON, where: "finished_at IS NOT NULL AND status <> 'PLANNED'" },
};
