// Drops the indexes of participants while many rows are inserted, and builds them again: to sort a million values once takes
// half of the time that finding a place for each takes. All in the transaction that inserts the rows, so nobody sees it. The index
// on names is built when the job has ended.

import type { Reader, Writer } from "../../../db/connection.ts";
import { LATE_INDEX } from "../../../db/late-index.ts";

/** For fewer rows the statements of all connections would be compiled anew for nothing. */
const MIN_ROWS = 5000;

/** Runs `insert`, which adds `rows` participants. */
export function withoutIndexes(db: Writer, rows: number, insert: () => void): void {
  const indexes = rows >= MIN_ROWS && rows > countParticipants(db) ? findIndexes(db) : [];
  for (const { name } of indexes) db.exec(`DROP INDEX w."${name}"`);
  insert();
  for (const { name, sql } of indexes) if (name !== LATE_INDEX) db.exec(sql.replace(/ INDEX /, " INDEX w."));
}

function countParticipants(db: Reader): number {
  return db.value<number>("SELECT coalesce(sum(n), 0) FROM w.participant_part")!;
}

/** The indexes that no constraint needs: external ids, emails, names, attributes. */
function findIndexes(db: Reader): { name: string; sql: string }[] {
  return db.all(
    "SELECT name, sql FROM w.sqlite_schema WHERE type = 'index' AND tbl_name = 'participant' AND sql IS NOT NULL",
  );
}
