// Compares the columns of a CSV with those of the last import from the same source. A column that is missing or renamed would change
// no participant any more, and no other check finds that.
//
// A source is an actor (a key, a user, the command line), a screener and a mode.

import type { Reader, Writer } from "../../db/sqlite/connection.ts";
import type { Actor } from "../events/actors.ts";
import type { ImportMode } from "../nouns/screener-participants/import-settings.ts";

/** Of so many columns each is compared. A participant has at most 150 attributes. */
const MAX_COMPARED = 1000;

/** How many of a kind are warned of. */
const MAX_WARNINGS = 100;

export interface Source {
  /** The screener's rowid. */
  screenerId: number;
  actor: Actor;
  importMode: ImportMode;
}

/** The warnings of columns that the last import had, and these are not; and of new ones. @param columns what they are */
export function compareColumns(db: Reader, source: Source, columns: readonly string[]): object[] {
  const last = db.value<string>(
    `SELECT columns FROM w.import_columns WHERE screener_id = ? AND actor_uid = ? AND import_mode = ?`,
    ...valuesOf(source),
  );
  if (last === undefined || columns.length > MAX_COMPARED) return [];
  const before = JSON.parse(last) as string[];
  const missing = new Set(before).difference(new Set(columns));
  const added = new Set(columns).difference(new Set(before));
  return [
    ...warningsOf("column_missing", missing, "The last import had this column, and this one does not"),
    ...warningsOf("column_new", added, "The last import did not have this column"),
  ];
}

function warningsOf(code: string, columns: ReadonlySet<string>, message: string): object[] {
  return [...columns].slice(0, MAX_WARNINGS).map((one) => {
    const column = one.replace(ATTRIBUTE, "");
    return { code, message: `${message}: ${JSON.stringify(column)}.`, column };
  });
}

/** The name of an attribute among columns. It differs from those of members. */
const ATTRIBUTE = /^attributes\./;

/** Keeps the columns. Call it in the transaction that applies the import. */
export function keepColumns(db: Writer, source: Source, columns: readonly string[], jobUid: string): void {
  if (columns.length > MAX_COMPARED) return;
  db.run(
    `INSERT INTO w.import_columns (screener_id, actor_uid, import_mode, columns, job_uid) VALUES (?, ?, ?, ?, ?)
     ON CONFLICT DO UPDATE SET former = columns, columns = excluded.columns, job_uid = excluded.job_uid`,
    ...valuesOf(source),
    JSON.stringify(columns),
    jobUid,
  );
}

/** Goes back to the columns from before an import that is undone. */
export function takeBackColumns(db: Writer, jobUid: string): void {
  db.run("DELETE FROM w.import_columns WHERE job_uid = ? AND former IS NULL", jobUid);
  db.run("UPDATE w.import_columns SET columns = former, former = NULL, job_uid = '' WHERE job_uid = ?", jobUid);
}

function valuesOf({ screenerId, actor, importMode }: Source): [number, string, string] {
  return [screenerId, actor.uid, importMode];
}
