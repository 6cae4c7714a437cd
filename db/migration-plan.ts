// What migrations may do, and what they take.

import { checkVersion, currentVersion, type Migration, migrationsOf, type StoreKind } from "./migrate.ts";
import type { Reader } from "./sqlite/connection.ts";

export interface MigrationPlan {
  from: number;
  to: number;
  /** About so long, and so many bytes that its files grow by. */
  seconds: number;
  growthBytes: number;
}

/**
 * Seconds for each million rows, and bytes for each row: on two cores with a million participants. A slower disk takes longer. In a STRICT table SQLite looks through all rows for a new column.
 */
const COSTS: [statement: RegExp, seconds: number, bytes: number][] = [
  [/^ALTER TABLE (\w+) ADD COLUMN/, 0.5, 0],
  [/^CREATE (?:UNIQUE )?INDEX \w+ ON (\w+)/, 1.6, 38],
  [/^INSERT INTO \w+ .*?\bFROM (\w+)/, 1, 110],
  [/^UPDATE (\w+) SET/, 2, 0],
  [/^DROP TABLE (\w+)/, 1.2, 0],
];

/** The commit writes all of it once more. */
const WITH_COMMIT = 1.3;

/**
 * What migrating a store would take, from its pending migrations and the rows of the tables that they touch. Reads only.
 * @returns undefined when the store is up to date @throws SchemaTooNewError
 */
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

/**
 * What leaves old code working, so that a rolling upgrade interrupts nobody: the release before does not know what is new. What it needs
 * goes in a later release only, when nobody runs it any more.
 */
const EXPANDING = [
  /^CREATE ((?:VIRTUAL )?TABLE|INDEX|TRIGGER|VIEW) /,
  // Old code gives no value for it.
  /^ALTER TABLE \w+ ADD COLUMN (?!.*\bNOT NULL\b(?!.*\bDEFAULT\b))(?!.*\b(UNIQUE|PRIMARY KEY)\b)/,
];

/** A sentence for each reason why it could not be released. @param released the last schema version that was released */
export function findFaults(kind: StoreKind, { name, sql }: Migration, released: number): string[] {
  const fault = (text: string) => `db/${kind}/${name} ${text}`;
  const [, header, oldest] = /^-- (Expands\.|Contracts: the oldest schema version is (\d+)\.)$/m.exec(sql) ?? [];
  if (header === undefined)
    return [fault('has no line "-- Expands." or "-- Contracts: the oldest schema version is N."')];
  const statements = statementsOf(sql);
  if (oldest === undefined) return findBreaking(statements).map((one) => fault(`does not only expand: ${one}`));
  const faults: string[] = [];
  if (Number(oldest) > released)
    faults.push(fault(`locks the last release out, which knows version ${released}: contract in a later release`));
  if (!statements.includes(`UPDATE schema_oldest SET version = ${oldest}`))
    faults.push(fault(`does not say so in the store: UPDATE schema_oldest SET version = ${oldest}`));

  return faults;
}

/** The statements that could break the release before. */
function findBreaking(statements: readonly string[]): string[] {
  const made = new Set(statements.flatMap((one) => /^CREATE (?:VIRTUAL )?TABLE (\w+)/.exec(one)?.[1] ?? []));
  const added = statements.flatMap((one) => {
    const [, table, column] = /^ALTER TABLE (\w+) ADD COLUMN (\w+)/.exec(one) ?? [];
    return table ? [`${table}.${column}`] : [];
  });
  const isHarmless = (one: string) => {
    const [, unique] = /^CREATE UNIQUE INDEX \w+ ON (\w+)/.exec(one) ?? [];
    const [, filled] = /^INSERT (?:OR \w+ )?INTO (\w+)/.exec(one) ?? [];
    const [, table, column] = /^UPDATE (\w+) SET (\w+) = /.exec(one) ?? [];
    // An index or a trigger comes back in another form: statements may name an index.
    const [, dropped] = /^DROP (?:INDEX|TRIGGER) (\w+)$/.exec(one) ?? [];
    return (
      EXPANDING.some((pattern) => pattern.test(one)) ||
      (unique !== undefined && made.has(unique)) ||
      (filled !== undefined && made.has(filled)) ||
      (table !== undefined && added.includes(`${table}.${column}`)) ||
      (dropped !== undefined && statements.some((other) => createsAgain(other, dropped)))
    );
  };
  return statements.filter((one) => !isHarmless(one));
}

function createsAgain(statement: string, name: string): boolean {
  return new RegExp(`^CREATE (UNIQUE )?(INDEX|TRIGGER) ${name}( |$)`).test(statement);
}

/** The statements of a migration, each in one line. Of triggers only their names. */
function statementsOf(sql: string): string[] {
  return (
    sql
      .replace(/--.*$/gm, "")
      // Their bodies have semicolons.
      .replace(/^CREATE TRIGGER (\w+)[\s\S]*?^END;/gm, "CREATE TRIGGER $1 ;")
      .split(";")
      .map((one) => one.replace(/\s+/g, " ").trim())
      .filter((one) => one)
  );
}
