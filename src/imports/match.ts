// By what rows are matched with participants: their externalUid, or their email. Rows that are matched by email get the externalUid of
// their participant, so that all further steps find participants by that.

import type { Writer } from "../../db/sqlite/connection.ts";
import { ADDED } from "../nouns/participants/resource.ts";
import type { MatchKey } from "../nouns/screener-participants/import-settings.ts";
import { type RowErrors, rowErrorSql } from "./row-errors.ts";
import { dropStagedIndex } from "./tables.ts";

interface Rows {
  rows: number;
  /** How many rows have each key. */
  present: Record<MatchKey, number>;
  errors: RowErrors;
}

/** Adds an error for each row without a key; and, where rows are matched by email, for each with an externalUid, which is then not kept. */
export function requireKeys(db: Writer, matchBy: MatchKey, { rows, present, errors }: Rows): void {
  const isByEmail = matchBy === "email";
  if (isByEmail && present.externalUid) {
    const message = "'must be left out, because rows are matched by email'";
    errors.addFirst(
      2,
      `SELECT r.id AS row, ${rowErrorSql("externalUid", message, "r.external_uid")} AS json FROM stage AS r
       WHERE r.external_uid IS NOT NULL AND NOT ${hasError("externalUid")}`,
    );
    db.run("UPDATE stage SET external_uid = NULL WHERE external_uid IS NOT NULL");
  }
  if (present[matchBy] === rows) return;
  const [column, message] = isByEmail
    ? ["email", "'is required, because rows are matched by email'"]
    : ["external_uid", "'is required'"];
  // Of a row that could not be read as one, nothing is known.
  const isUnread = `r.external_uid IS NULL AND r.email IS NULL AND r.name IS NULL AND ${hasError("")}`;
  errors.addFirst(
    1,
    `SELECT r.id AS row, ${rowErrorSql(matchBy, message, "NULL")} AS json FROM stage AS r
     WHERE r.${column} IS NULL AND NOT (${isUnread}) AND NOT ${hasError(matchBy)}`,
  );
}

/** SQL: whether the staged row `r` has an error of this member. Empty: of the row as a whole. */
function hasError(member: string): string {
  return `EXISTS (SELECT 1 FROM row_error AS e WHERE e.row = r.id
    AND e.json ->> 'pointer' = concat('/participants/', r.id - 1, '${member && `/${member}`}'))`;
}

/** Gives each row the externalUid of the participant who has its email; none to the others. The workspace is attached as `w`. */
export function findByEmail(db: Writer): void {
  // To write so many values into an index, in no order, takes longer than to make it again.
  dropStagedIndex(db);
  db.run("UPDATE stage SET external_uid = (SELECT p.external_uid FROM w.participant AS p WHERE p.email = stage.email)");
}

/** Makes the externalUid of each planned participant, from the participant's own id: both are in the order of the rows. */
export function nameNew(db: Writer): void {
  db.run(
    `UPDATE stage SET external_uid = concat('${ADDED}', q.participant_uid) FROM plan AS q
     WHERE q.id = stage.id AND q.outcome = 'CREATED'`,
  );
}
