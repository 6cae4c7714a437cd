// What is left of signals when sessions, or their answers, are erased.

import type { Reader, SqlValue, Writer } from "../../db/sqlite/connection.ts";
import { type ComparedKind, MAX_MARKS, marksOf, rangeOf } from "./queries.ts";

/** What signals have of sessions whose answers are erased. @param ids SQL that selects their rowids, with its values */
export function forgetSignals(db: Writer, ids: string, ...values: SqlValue[]): void {
  db.run(`DELETE FROM signal WHERE session_id IN (${ids})`, ...values);
  const named = db.all<Compared>(
    `SELECT g.id, g.session_id AS session, g.other_session_id AS other, g.kind, s.participant_id AS participant
     FROM signal AS g CROSS JOIN screener_session AS s ON s.id = g.session_id WHERE g.other_session_id IN (${ids})`,
    ...values,
  );
  // Very many may name the same one.
  const known = new Map<number, Marked[]>();
  const markedBy = (hash: number) => {
    let marked = known.get(hash);
    if (!marked) {
      marked = listFirstMarked(db, hash, ids, values);
      known.set(hash, marked);
    }
    return marked;
  };
  for (const signal of named) {
    const third = findThird(db, signal, markedBy);
    if (third === undefined) db.run("DELETE FROM signal WHERE id = ?", signal.id);
    else db.run("UPDATE signal SET other_session_id = ? WHERE id = ?", third, signal.id);
  }
  db.run(
    `WITH given (id) AS (${ids}) DELETE FROM signal_mark WHERE id IN (
       SELECT m.id FROM given AS s CROSS JOIN signal_mark AS m ON m.id >= s.id * ${MAX_MARKS} AND m.id < (s.id + 1) * ${MAX_MARKS})`,
    ...values,
  );
}

/** A session with a mark, and whose it is. */
interface Marked {
  id: number;
  participant: number;
}

/** A signal, and the rowids of the sessions that it compares. */
interface Compared {
  id: number;
  session: number;
  participant: number;
  other: number;
  kind: ComparedKind;
}

/** Another session, of somebody else, that has in common all that the two have. */
function findThird(
  db: Reader,
  { kind, session, participant, other }: Compared,
  markedBy: (hash: number) => readonly Marked[],
): number | undefined {
  const [first, ...others] = db.values<number>(
    `SELECT m.hash FROM signal_mark AS m CROSS JOIN signal_mark AS o ON o.hash = m.hash WHERE ${marksOf("m")} AND ${marksOf("o")}`,
    ...rangeOf(kind, session),
    ...rangeOf(kind, other),
  );
  if (first === undefined) return undefined;
  const has = `SELECT 1 FROM signal_mark AS m WHERE ${marksOf("m")} AND m.hash = ?`;
  const hasAll = (id: number) => others.every((hash) => db.value(has, ...rangeOf(kind, id), hash) !== undefined);
  return markedBy(first).find((one) => one.participant !== participant && hasAll(one.id))?.id;
}

/** So many of the first ones with a mark are looked at. */
const MAX_THIRDS = 20;

function listFirstMarked(db: Reader, hash: number, ids: string, values: readonly SqlValue[]): Marked[] {
  return db.all(
    `SELECT s.id, s.participant_id AS participant FROM signal_mark AS m CROSS JOIN screener_session AS s ON s.id = m.id / ${MAX_MARKS}
     WHERE m.hash = ? AND s.id NOT IN (${ids}) ORDER BY m.id LIMIT ${MAX_THIRDS}`,
    hash,
    ...values,
  );
}
