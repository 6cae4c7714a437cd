// Finds errors of planned rows: missing values, and emails that other participants have.

import type { Reader, Writer } from "../../db/sqlite/connection.ts";
import { changeable, each } from "./columns.ts";
import { REJECTED, type RowErrors, rowErrorSql } from "./row-errors.ts";

/** The planned rows `q` that give a new email, which the participant `p` has. Emails that stay are not checked. */
export const HELD = `FROM plan AS q JOIN stage AS r USING (id) JOIN w.participant AS p ON p.email = r.email
  WHERE q.outcome IN ('CREATED', 'UPDATED') AND r.email IS NOT q.kept_email COLLATE NOCASE AND p.id <> q.participant_id`;

/** Adds an error for each required value that a new participant lacks. @returns how many */
export function findLacking(db: Writer, errors: RowErrors): number {
  const required = changeable.filter(({ isRequired }) => isRequired);
  const lacking = `FROM new_row AS n JOIN stage AS r USING (id) WHERE ${each((column) => `r.${column} IS NULL`, " OR ", required)}`;
  if (db.value(`SELECT 1 ${lacking} LIMIT 1`) === undefined) return 0;
  const message = "'is required, because there is no participant with this externalUid yet'";
  const lacks = required.map(
    ({ member, column }, position) =>
      `SELECT r.id AS row, ${rowErrorSql(member, message, "NULL")} AS json, ${position} AS position
       FROM new_row AS n JOIN stage AS r USING (id) WHERE r.${column} IS NULL`,
  );
  return errors.addFrom(`SELECT row, json FROM (${lacks.join(" UNION ALL ")}) ORDER BY row, position`);
}

/**
 * Adds an error for each row with the email of another participant, to whom no row gives a new one. When wrong rows are
 * skipped, their participants keep their emails: so the rows that want those are wrong, too. @returns how many
 */
export function findTaken(db: Writer, errors: RowErrors, isChained: boolean): number {
  const taken = `${HELD} AND p.id NOT IN (
      SELECT q2.participant_id FROM plan AS q2 JOIN stage AS r2 USING (id)
      WHERE q2.outcome = 'UPDATED' AND r2.email IS NOT NULL AND r2.email <> q2.kept_email COLLATE NOCASE)`;
  if (db.value(`SELECT 1 ${taken} LIMIT 1`) === undefined) return 0;
  const error = (holder: string) =>
    rowErrorSql("email", `concat('is taken by another participant, ', ${holder})`, "r.email", holder);
  if (!isChained) return errors.addFrom(`SELECT r.id, ${error("p.external_uid")} ${taken} ORDER BY r.id`);
  db.exec("CREATE INDEX IF NOT EXISTS stage_email ON stage (email COLLATE NOCASE)");
  return errors.addFrom(
    `WITH RECURSIVE refused (id, holder) AS (
       SELECT r.id, p.external_uid ${taken}
       UNION SELECT r.id, g.external_uid FROM refused AS f
         JOIN plan AS q ON q.id = f.id AND q.outcome = 'UPDATED'
         JOIN stage AS g ON g.id = f.id
         JOIN stage AS r ON r.email = q.kept_email COLLATE NOCASE AND r.id <> f.id
         JOIN plan AS q2 ON q2.id = r.id AND q2.outcome IN ('CREATED', 'UPDATED')
     )
     SELECT r.id, ${error("min(f.holder)")} FROM refused AS f JOIN stage AS r USING (id) GROUP BY r.id ORDER BY r.id`,
  );
}

/** Whether a rejected row may be about anybody: it has no usable externalUid, and no participant's email. */
export function hasUnidentified(db: Reader): boolean {
  const unidentified = `SELECT 1 FROM stage AS r WHERE ${REJECTED} AND r.external_uid IS NULL
    AND NOT EXISTS (SELECT 1 FROM w.participant AS p WHERE p.email = r.email) LIMIT 1`;
  return db.value(unidentified) !== undefined;
}
