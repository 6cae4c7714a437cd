// Statements of feasibility: who is on the roster, and who has finished. All of them only read.

import type { Reader } from "../../db/sqlite/connection.ts";
import { attributesSql } from "../base/attributes.ts";

/** Somebody of the roster. */
interface RosterRow {
  id: number;
  /** What they have of the attributes that were asked for: see attributesSql. */
  values: string;
}

/** The rowid of the last one of the first `most` people of the workspace; undefined where it has fewer. Found by kept counts, without reading them. */
export function findLastOf(db: Reader, most: number): number | undefined {
  const place = db.get<{ block: number; within: number }>(
    `SELECT block, ? - earlier AS within FROM (SELECT block, n, sum(n) OVER (ORDER BY block) - n AS earlier FROM participant_block)
     WHERE earlier < ? AND earlier + n >= ?`,
    ...[most, most, most],
  );
  return (
    place &&
    db.value(
      "SELECT id FROM participant WHERE id >= max(? << 10, 1) ORDER BY id LIMIT 1 OFFSET ? - 1",
      place.block,
      place.within,
    )
  );
}

/** Some people of the workspace, in the order in which they were added. @param after the rowid of the last one before @param keys of attributes, at least one */
export function listPeople(db: Reader, keys: readonly string[], after: number, rows: number): RosterRow[] {
  return db.all(
    `SELECT id, ${attributesSql(keys)} AS "values" FROM participant WHERE id > ? ORDER BY id LIMIT ?`,
    after,
    rows,
  );
}

/** The participants who have finished a screener, by their rowids. Read where the kept counts say that there are some. */
export function listFinished(db: Reader, screenerId: number): number[] {
  const ended = "status NOT IN ('NOT_STARTED', 'IN_PROGRESS')";
  return db.values(
    `SELECT a.participant_id
     FROM (SELECT DISTINCT block FROM screener_participant_block WHERE screener_id = ? AND n > 0 AND ${ended}) AS b
       CROSS JOIN screener_participant AS a ON a.id >= b.block << 10 AND a.id < b.block + 1 << 10
     WHERE a.screener_id = ? AND a.${ended} AND a.participant_id > 0`,
    ...[screenerId, screenerId],
  );
}
