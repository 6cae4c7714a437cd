// Writes so many places that triggers would count them one by one for longer than it takes to write them.

import { findParts, isHalfOf, MIN_BULK_ROWS, without } from "../../../db/bulk.ts";
import type { Reader, Writer } from "../../../db/sqlite/connection.ts";

/** Places are counted again if they are at most so many times as many as are written: to count one costs a twentieth of its trigger. */
const MAX_COUNTED = 10;

export interface ManyPlaces {
  screenerId: number;
  /** How many places are written, about. */
  rows: number;
  /** Whether all of them are given back. Then they leave most indexes. */
  areReleased?: boolean;
}

/** Inside a transaction: runs `write`, which changes places of a screener, and no others. Many of them are counted afterwards, at once. */
export function writeManyPlaces(
  db: Writer,
  schema: string,
  { screenerId, rows, areReleased = false }: ManyPlaces,
  write: () => void,
): void {
  if (rows < MIN_BULK_ROWS || rows * MAX_COUNTED < countPlaces(db, schema, screenerId)) {
    write();
    return;
  }
  const triggers = ["quota_place_added", "quota_place_changed", "quota_place_removed"];
  const isRemade = areReleased && isHalfOf(db, schema, "quota_place", rows);
  const indexes = isRemade ? ["quota_place_one", "quota_place_state", "quota_place_lapse"] : [];
  without(db, schema, findParts(db, schema, "quota_place", [...triggers, ...indexes]), write);
  db.run(
    `UPDATE ${schema}.screener_quota AS q SET taken = ${counted(schema, "TAKEN")}, held = ${counted(schema, "HELD")} WHERE q.screener_id = ?`,
    screenerId,
  );
}

/** How many places are held or taken in a screener. */
function countPlaces(db: Reader, schema: string, screenerId: number): number {
  return db.value(
    `SELECT coalesce(sum(taken + held), 0) FROM ${schema}.screener_quota WHERE screener_id = ?`,
    screenerId,
  )!;
}

/** SQL: how many places of the quota `q` have this state. */
function counted(schema: string, state: "TAKEN" | "HELD"): string {
  return `(SELECT count(*) FROM ${schema}.quota_place AS p WHERE p.quota_id = q.id AND p.state = '${state}')`;
}
