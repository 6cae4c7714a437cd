// What a migration may do, so that a rolling upgrade interrupts nobody: the release before works on with the new schema. What it
// needs goes in a later release only, when nobody runs it any more.

import type { Migration, StoreKind } from "./migrate.ts";

/** What leaves old code working: it does not know what is new. */
const EXPANDING = [
  /^CREATE (TABLE|INDEX|TRIGGER|VIEW) /,
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
  const made = new Set(statements.flatMap((one) => /^CREATE TABLE (\w+)/.exec(one)?.[1] ?? []));
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
export function statementsOf(sql: string): string[] {
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
