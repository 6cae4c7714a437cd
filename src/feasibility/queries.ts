// Statements of feasibility: who is on the roster, and who has finished. All of them only read.

import type { Reader } from "../../db/sqlite/connection.ts";
import { attributesSql } from "../base/attributes.ts";

/** Somebody of the roster. */
interface RosterRow {
  id: number;
  email: string | null;
  /** Not null: they are marked "do not contact". */
  doNotContact: string | null;
  /** What they have of the attributes that were asked for: see attributesSql. */
  values: string;
}

/** Some people of the workspace, in the order in which they were added. @param after the rowid of the last one before @param keys of attributes */
export function listPeople(db: Reader, keys: readonly string[], after: number, rows: number): RosterRow[] {
  const values = keys.length ? attributesSql(keys) : "''";
  return db.all(
    `SELECT id, email, do_not_contact AS doNotContact, ${values} AS "values" FROM participant WHERE id > ? ORDER BY id LIMIT ?`,
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
