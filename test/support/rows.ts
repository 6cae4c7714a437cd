// Rows for tests that write to a workspace store themselves.

import { countRows } from "../../db/list/counts.ts";
import type { Writer } from "../../db/sqlite/connection.ts";
import { newId } from "../../src/base/ids.ts";
import { countedParticipants } from "../../src/nouns/participants/resource.ts";
import { countedScreeners } from "../../src/nouns/screeners/resource.ts";

/** A WITH clause: the table `n (i)` has the numbers from 1 to `rows`. */
export const numbers = (rows: number) =>
  `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${rows})`;

/** Adds screeners, and participants with the rowids from 1 to `rows`. */
export function addPeople(db: Writer, screeners: readonly string[], rows: number): void {
  db.run("INSERT INTO actor (id, type, uid, name) VALUES (1, 'ApplicationActor', ?, 'Test')", newId());
  for (const uid of screeners) {
    db.run(
      "INSERT INTO screener (uid, title, created_by, created_at, updated_by, updated_at) VALUES (?, 'A', 1, '', 1, '')",
      uid,
    );
  }
  db.run(
    `${numbers(rows)} INSERT INTO participant (id, uid, external_uid, email, name, created_by, created_at, updated_by, updated_at)
     SELECT i, 'p' || i, 'P-' || i, 'p' || i || '@example.org', 'P', 1, '', 1, '' FROM n`,
  );
  countRows(db, countedScreeners, "main", "TRUE", [], 1);
  countRows(db, countedParticipants, "main", "TRUE", [], 1);
}
