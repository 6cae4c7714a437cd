// Statements of feasibility: who is on the roster, and who has finished. All of them only read.

import type { Reader } from "../../db/sqlite/connection.ts";

/** Somebody of the roster. */
interface RosterRow {
  id: number;
  email: string | null;
  /** Not null: they are marked "do not contact". */
  doNotContact: string | null;
  /** JSON. */
  attributes: string;
}

/** Some people of the workspace, in the order in which they were added. @param after the rowid of the last one before */
export function listPeople(db: Reader, after: number, rows: number): RosterRow[] {
  return db.all(
    `SELECT id, email, do_not_contact AS doNotContact, attributes FROM participant WHERE id > ? ORDER BY id LIMIT ?`,
    after,
    rows,
  );
}

/** The participants who have finished a screener, by their rowids. */
export function listFinished(db: Reader, screenerId: number): ReadonlySet<number> {
  return new Set(
    db.values<number>(
      `SELECT participant_id FROM screener_participant INDEXED BY screener_participant_screener
       WHERE screener_id = ? AND status NOT IN ('NOT_STARTED', 'IN_PROGRESS')`,
      screenerId,
    ),
  );
}
