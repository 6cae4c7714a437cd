// Checks the counts that are kept beside the listed tables against the rows.

import assert from "node:assert/strict";
import { blockSize, countedSql, PART_BLOCKS } from "../../db/list/counts.ts";
import type { Reader } from "../../db/sqlite/connection.ts";
import { counted } from "../../src/backup/check.ts";
import { listWorkspaces } from "../../src/workspaces/queries.ts";
import type { Service } from "./service.ts";

/** Fails unless the counts of a workspace are right, in every block and for all facets, and no reference leads nowhere. */
export function assertCounts(db: Reader): void {
  // Also a service that nobody asks moves events into the log.
  db.snapshot(() => assertCountsNow(db));
}

function assertCountsNow(db: Reader): void {
  const tables = db.values<string>("SELECT name FROM sqlite_schema WHERE name LIKE '%\\_block' ESCAPE '\\' ORDER BY 1");
  assert.deepEqual(counted.map(({ table }) => `${table}_block`).sort(), tables, "every counted table is checked");
  for (const one of counted) {
    const columns = [...one.facets, "block"].join(", ");
    assert.deepEqual(
      db.all(`SELECT ${columns}, n FROM ${one.table}_block WHERE n <> 0 ORDER BY ${columns}`),
      db.all(
        `SELECT ${[...one.facets, `id / ${blockSize(one)} AS block`].join(", ")}, count(*) AS n
         FROM ${one.table} AS t WHERE ${countedSql(one)} GROUP BY ${columns} ORDER BY ${columns}`,
      ),
      one.table,
    );
    if (!one.parts) continue;
    const ofParts = [...one.facets, "part"].join(", ");
    assert.deepEqual(
      db.all(`SELECT ${ofParts}, n FROM ${one.table}_part WHERE n <> 0 ORDER BY ${ofParts}`),
      db.all(
        `SELECT ${[...one.facets, `id / ${blockSize(one) * PART_BLOCKS} AS part`].join(", ")}, count(*) AS n
         FROM ${one.table} AS t WHERE ${countedSql(one)} GROUP BY ${ofParts} ORDER BY ${ofParts}`,
      ),
      `parts of ${one.table}`,
    );
  }
  assert.equal(db.value("PRAGMA foreign_key_check"), undefined);
}

/** The same of all workspaces of a service. */
export function assertAllCounts({ context: { control, workspaces } }: Pick<Service, "context">): void {
  for (const { uid } of listWorkspaces(control.reader)) workspaces.read(uid, assertCounts);
}
