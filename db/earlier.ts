// Reads a workspace's store that is not migrated yet as if it were: a reader need not wait until a large one is. What lies over the
// old schema is temporary, and of one connection: empty tables for those that are to come, and views with the defaults of new columns.

import { currentVersion, freshStore } from "./migrate.ts";
import type { Reader } from "./sqlite/connection.ts";

/** The schema of the first release. Versions before it differ in more than what is missing. */
const FIRST_RELEASED = 5;

/** Whether a store of this version can be read as if it were migrated. */
export function canBeRead(version: number): boolean {
  return version >= FIRST_RELEASED && version < currentVersion("workspace");
}

interface Table {
  name: string;
  sql: string;
}

/** The statements that lay the present schema over the store's. They take milliseconds, however large it is. */
export function overlayOf(db: Reader, workspaceId: string): string {
  const fresh = freshStore("workspace");
  const statements = ["PRAGMA temp_store = MEMORY"];
  // A virtual table makes those that it keeps its data in.
  const tables = `SELECT name, sql FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%'
    AND name NOT IN (SELECT name FROM pragma_table_list WHERE type = 'shadow')`;
  const old = new Set(db.all<Table>(tables).map(({ name }) => name));
  for (const table of fresh.all<Table>(tables))
    statements.push(...(old.has(table.name) ? withDefaults(db, fresh, table.name) : emptyTable(fresh, table)));
  if (!old.has("store"))
    statements.push(`INSERT INTO temp.store (id, workspace_uid) VALUES (1, '${workspaceId.replaceAll("'", "''")}')`);
  return statements.join(";\n");
}

function withDefaults(db: Reader, fresh: Reader, table: string): string[] {
  const columns = "SELECT name, dflt_value FROM pragma_table_xinfo(?)";
  const has = db.all<{ name: string }>(columns, table).map(({ name }) => name);
  const missing = fresh
    .all<{ name: string; dflt_value: string | null }>(columns, table)
    .filter(({ name }) => !has.includes(name));
  if (!missing.length) return [];
  const added = missing.map(({ name, dflt_value }) => `${dflt_value ?? "NULL"} AS ${name}`);
  return [`CREATE TEMP VIEW ${table} AS SELECT ${[...has, ...added].join(", ")} FROM main.${table}`];
}

function emptyTable(fresh: Reader, { name, sql }: Table): string[] {
  const indexes = fresh.values<string>(
    "SELECT sql FROM sqlite_schema WHERE type = 'index' AND tbl_name = ? AND sql IS NOT NULL",
    name,
  );
  return [
    sql.replace(/^CREATE TABLE /, "CREATE TEMP TABLE ").replace(/^CREATE VIRTUAL TABLE /, "$&temp."),
    ...indexes.map((index) => index.replace(/^(CREATE (?:UNIQUE )?INDEX) /, "$1 temp.")),
    ...(name.endsWith("_part") ? [sumsOfBlocks(fresh, name)] : []),
  ];
}

/** Lists take their totals from these sums of counts (db/list/counts.ts). There are few counts. */
function sumsOfBlocks(fresh: Reader, part: string): string {
  const columns = fresh.values<string>("SELECT name FROM pragma_table_info(?)", part);
  const facets = columns.filter((name) => name !== "part" && name !== "n");
  const grouped = [...facets, "block >> 8"].join(", ");
  return `INSERT INTO temp.${part} (${[...facets, "part", "n"].join(", ")})
    SELECT ${grouped}, sum(n) FROM ${part.replace(/_part$/, "_block")} GROUP BY ${grouped}`;
}
