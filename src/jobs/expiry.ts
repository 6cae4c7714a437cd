// Statements that remove what has expired: results, and jobs.

import type { Writer } from "../../db/connection.ts";

/** Removes up to 1,000 expired results. @returns their files, which the caller removes; `isDone` when none was left */
export function expireResults(db: Writer, finishedBefore: number): { files: string[]; isDone: boolean } {
  const files = db.values<string>(
    "SELECT result_file FROM job WHERE finished_at < ? AND result_file IS NOT NULL ORDER BY finished_at LIMIT 1000",
    finishedBefore,
  );
  const { changes } = db.run(
    `UPDATE job SET result = NULL, result_file = NULL, rows = NULL WHERE id IN (SELECT id FROM job WHERE finished_at < ?
       AND (result IS NOT NULL OR result_file IS NOT NULL OR rows IS NOT NULL) ORDER BY finished_at LIMIT 1000)`,
    finishedBefore,
  );
  return { files, isDone: changes === 0 };
}

/** Removes up to 1,000 old jobs. @returns how many */
export function deleteFinished(db: Writer, finishedBefore: number): number {
  return db.run(
    "DELETE FROM job WHERE id IN (SELECT id FROM job WHERE finished_at < ? ORDER BY finished_at LIMIT 1000)",
    finishedBefore,
  ).changes;
}
