// Writes schema.sql: the schema after all migrations, for people to read and for a test to compare.

import { writeFileSync } from "node:fs";
import { migrate, type StoreKind } from "./migrate.ts";
import { openWriter } from "./sqlite/open.ts";

/** The schema of a new store of this kind, as SQL. */
export function dumpSchema(kind: StoreKind): string {
  const db = openWriter(":memory:", { busyTimeoutMs: 0, checkpoints: true });
  migrate(db, kind);
  const statements = db.values<string>(
    `SELECT sql FROM sqlite_schema WHERE sql IS NOT NULL AND name NOT LIKE 'sqlite_%'
       AND name NOT IN (SELECT name FROM pragma_table_list WHERE type = 'shadow')`,
  );
  db.close();
  return `-- Generated from the migrations by \`npm run schema\`.\n\n${statements.map((sql) => `${sql};\n`).join("\n")}`;
}

if (import.meta.main) {
  for (const kind of ["control", "workspace"] as const) {
    writeFileSync(new URL(`./${kind}/schema.sql`, import.meta.url), dumpSchema(kind));
  }
}
