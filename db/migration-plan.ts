// What migrating a store would take, from its pending migrations and the rows of the tables that they touch. Measured on two cores with a
// million participants; a slower disk takes longer.

import { statementsOf } from "./expand.ts";
import { checkVersion, currentVersion, migrationsOf, type StoreKind } from "./migrate.ts";
import type { Reader } from "./sqlite/connection.ts";

export interface MigrationPlan {
  from: number;
  to: number;
  /** About so long, and so many bytes that its files grow by. */
  seconds: number;
  growthBytes: number;
}

/** Seconds for each million rows, and bytes for each row. In a STRICT table SQLite looks through all rows for a new column. */
const COSTS: [statement: RegExp, seconds: number, bytes: number][] = [
  [/^ALTER TABLE (\w+) ADD COLUMN/, 0.5, 0],
  [/^CREATE (?:UNIQUE )?INDEX \w+ ON (\w+)/, 1.6, 38],
  [/^INSERT INTO \w+ .*?\bFROM (\w+)/, 1, 110],
  [/^UPDATE (\w+) SET/, 2, 0],
  [/^DROP TABLE (\w+)/, 1.2, 0],
];

/** The commit writes all of it once more. */
const WITH_COMMIT = 1.3;

/** Reads only. @returns undefined when the store is up to date @throws SchemaTooNewError */
export function planMigration(db: Reader, kind: StoreKind): MigrationPlan | undefined {
  const from = checkVersion(db, kind);
  const to = currentVersion(kind);
  if (from >= to) return undefined;
  let [seconds, growthBytes] = [0, 0];
  for (const statement of migrationsOf(kind)
    .filter(({ version }) => version > from)
    .flatMap(({ sql }) => statementsOf(sql))) {
    for (const [pattern, perMillion, perRow] of COSTS) {
      const [, table] = pattern.exec(statement) ?? [];
      if (table === undefined) continue;
      const rows = rowsOf(db, table.replace(/_(?:rebuilt|next)$/, ""));
      seconds += (rows / 1e6) * perMillion * WITH_COMMIT;
      growthBytes += rows * perRow;
    }
  }
  return { from, to, seconds, growthBytes };
}

/** How many rows a table has, or had at some time: the highest rowid. 0: it is not there, or has none. */
function rowsOf(db: Reader, table: string): number {
  try {
    return db.value<number>(`SELECT max(rowid) FROM ${table}`) ?? 0;
  } catch {
    return 0;
  }
}
