// Removes what is kept to undo jobs, once it is too late to undo them.

import type { Reader, Writer } from "../../../db/sqlite/connection.ts";

/** The parts of an effect, and the key of each. */
const PARTS = {
  effect_session: "session_id",
  effect_assignment: "assignment_id",
  effect_participant: "participant_id",
} as const;

/** How many rows are removed in one transaction. */
const MAX_ROWS = 5000;

/** The oldest effect that is old enough. */
export function findOldEffect(db: Reader, decidedBefore: number): number | undefined {
  return db.value<number>("SELECT id FROM effect WHERE decided_at < ? ORDER BY decided_at LIMIT 1", decidedBefore);
}

/** Removes some of what is kept to undo the oldest job. @returns false when nothing was left to remove */
export function deleteEffects(db: Writer, decidedBefore: number): boolean {
  const id = findOldEffect(db, decidedBefore);
  if (id !== undefined) deleteEffect(db, id);
  return id !== undefined;
}

/** Removes some of an effect; and the effect itself, when nothing else of it is left. */
export function deleteEffect(db: Writer, id: number): void {
  for (const [part, key] of Object.entries(PARTS)) {
    const { changes } = db.run(
      `DELETE FROM ${part} WHERE effect_id = ? AND ${key} IN (SELECT ${key} FROM ${part} WHERE effect_id = ? LIMIT ${MAX_ROWS})`,
      id,
      id,
    );
    if (changes === MAX_ROWS) return;
  }
  db.run("DELETE FROM effect WHERE id = ?", id);
}
