// Removes what the scratch store of an import has of a person who is erased. The rows stay, without what names the person.

import type { Writer } from "../../db/sqlite/connection.ts";
import type { ProblemDetail } from "../base/problems.ts";
import { Mentions } from "../erasure/mentions.ts";
import { ERASED } from "../erasure/names.ts";
import type { Forget } from "../erasure/person.ts";
import { makeErased } from "../erasure/plans.ts";
import { changeable, each } from "./tables.ts";

/** How many errors, or rejected rows, are read at once. */
const SLICE = 500;

export const forgetInImport: Forget = (file, person) => {
  const { uid, externalUids, emails } = person;
  let changes = 0;
  const run: typeof file.run = (sql, ...values) => {
    const result = file.run(sql, ...values);
    changes += result.changes;
    return result;
  };
  const [names, mails] = [JSON.stringify(externalUids), JSON.stringify(emails)];
  makeErased(file, "id INTEGER PRIMARY KEY");
  run(
    `INSERT INTO erased (id) SELECT id FROM plan WHERE participant_uid = ? OR removed_external_uid IN (SELECT value FROM json_each(?))
     UNION SELECT id FROM stage WHERE external_uid IN (SELECT value FROM json_each(?))`,
    uid,
    names,
    names,
  );
  if (isMatchedByEmail(file))
    run(
      `INSERT OR IGNORE INTO erased (id) SELECT id FROM stage WHERE email COLLATE NOCASE IN (SELECT value FROM json_each(?))`,
      mails,
    );
  const rows = "IN (SELECT id FROM erased)";
  run(`DELETE FROM stage WHERE id ${rows}`);
  // Another participant may have had this externalUid. The ids name nobody, and readers who follow the events need them. The mark says
  // that there was more.
  run(
    `UPDATE plan SET participant_id = NULL, ${each((column) => `kept_${column} = NULL`)},
       removed_external_uid = iif(participant_uid <> ?, ?, NULL) WHERE id ${rows}`,
    uid,
    ERASED,
  );
  run(
    `UPDATE plan SET participant_uid = NULL, assignment_uid = NULL, status = NULL, session_uid = NULL
     WHERE id ${rows} AND removed_external_uid IS NULL`,
  );
  for (const [table, column] of [
    ["stage", "email"],
    ["plan", "kept_email"],
  ])
    run(
      `UPDATE ${table} SET ${column} = ? WHERE ${column} COLLATE NOCASE IN (SELECT value FROM json_each(?))`,
      ERASED,
      mails,
    );
  changes += forgetInErrors(file, new Mentions(person));
  if (file.value("SELECT 1 FROM sqlite_schema WHERE name = 'wrong_attributes'") !== undefined)
    run(`DELETE FROM wrong_attributes WHERE id ${rows}`);
  return changes > 0;
};

/** Whether the email of a row says who is meant. Files of earlier releases do not say it. */
function isMatchedByEmail(file: Writer): boolean {
  const says = file.value("SELECT 1 FROM sqlite_schema WHERE name = 'target' AND instr(sql, 'matched_by')");
  return says !== undefined && file.value("SELECT 1 FROM target WHERE matched_by = 'email'") !== undefined;
}

/** Removes errors that name the person, and their rows. A wrong value may contain a name, such as an email with more text behind it. */
function forgetInErrors(file: Writer, mentions: Mentions): number {
  let changes = 0;
  const columns = ["external_uid", ...changeable.map(({ column }) => column)];
  const rejected = `SELECT id, ${columns.join(", ")} FROM stage
    WHERE id > ? AND id IN (SELECT row FROM row_error) ORDER BY id LIMIT ${SLICE}`;
  eachOf<{ id: number } & Record<string, string | null>>(file, rejected, ({ id, ...row }) => {
    const isNamed = Object.values(row).some((text) => text !== null && mentions.isIn(String(text), "SAID"));
    if (isNamed) changes += file.run("INSERT INTO erased (id) VALUES (?) ON CONFLICT DO NOTHING", id).changes;
  });
  file.run("DELETE FROM stage WHERE id IN (SELECT id FROM erased)");
  const errors = `SELECT id, json, row IN (SELECT id FROM erased) AS is_erased FROM row_error WHERE id > ? ORDER BY id LIMIT ${SLICE}`;
  eachOf<{ id: number; json: string; is_erased: 0 | 1 }>(file, errors, ({ id, json, is_erased }) => {
    if (!is_erased && !mentions.mayBeIn(json)) return;
    const error: ProblemDetail = JSON.parse(json);
    const without = is_erased ? mentions.erasedError(error) : mentions.withoutError(error);
    if (without === error) return;
    changes += file.run("UPDATE row_error SET json = ? WHERE id = ?", JSON.stringify(without), id).changes;
  });
  return changes;
}

function eachOf<Row extends { id: number }>(file: Writer, sql: string, look: (row: Row) => void): void {
  for (let last = 0; ; ) {
    const rows = file.all<Row>(sql, last);
    rows.forEach(look);
    if (rows.length < SLICE) return;
    last = rows.at(-1)!.id;
  }
}
