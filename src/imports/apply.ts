// Step 5, apply: carries out the plan, with a few statements that each write many rows. The workspace is attached as `w`.
// The same statements keep what an undo needs: tables `effect…`.

import { MIN_BULK_ROWS, type SchemaPart, without } from "../../db/bulk.ts";
import { LATE_INDEX } from "../../db/late-index.ts";
import { countRange } from "../../db/list/counts.ts";
import type { Reader, SqlValue, Writer } from "../../db/sqlite/connection.ts";
import { insertEffect } from "../engine/ledger/effects.ts";
import { type Actor, actorRow } from "../events/actors.ts";
import { countedParticipants } from "../nouns/participants/resource.ts";
import { countedAssignments } from "../nouns/screener-participants/resource.ts";
import { addKeys, type GivenAttributes } from "./attributes.ts";
import type { Plan } from "./plan.ts";
import { removeAbsent } from "./removals.ts";
import { HELD } from "./row-errors.ts";
import { each, newValue } from "./tables.ts";

/** Rows that one INSERT writes. Progress is reported after each. */
const MAX_INSERT_ROWS = 50_000;

interface Applying {
  jobUid: string;
  actor: Actor;
  attributes: GivenAttributes;
  /** Called with the number of rows written, of how many: a participant and an assignment are one each. */
  onProgress(done: number, total: number): void;
}

/** Carries out the plan. */
export function applyPlan(db: Writer, plan: Plan, { jobUid, actor, attributes, onProgress }: Applying): void {
  const { screenerId, now, summary, lastParticipant, lastAssignment } = plan;
  // The values of `created_by` and `created_at`, and of `updated_by` and `updated_at`.
  const audit: SqlValue[] = [BigInt(actorRow(db, actor, "w")), now.toISOString()];
  const effect = insertEffect(db, {
    jobUid,
    screenerId,
    now,
    participants: [lastParticipant, lastParticipant + summary.created],
    keptFor: plan.keptFor,
  });
  const total = summary.created + summary.assigned;
  onProgress(0, total);
  addKeys(db, attributes);
  if (summary.updated) updateChanged(db, effect, audit);
  withoutIndexes(db, summary.created, () => insertNew(db, plan, audit, (created) => onProgress(created, total)));
  insertAssignments(db, plan, (assigned) => onProgress(summary.created + assigned, total));
  if (summary.removed) removeAbsent(db, effect, plan);
  countRange(db, countedParticipants, "w", {}, { after: lastParticipant, n: summary.created });
  const added = { screener_id: screenerId, status: "NOT_STARTED" };
  countRange(db, countedAssignments, "w", added, { after: lastAssignment, n: summary.assigned });
}

/** The former values of what a row changes, by column. */
const former = `'{' || substr(concat(${each(
  (column) =>
    `iif(r.${column} IS NOT NULL AND r.${column} IS NOT q.kept_${column}, ',"${column}":' || json_quote(q.kept_${column}), '')`,
)}), 2) || '}'`;

function updateChanged(db: Writer, effect: bigint, audit: readonly SqlValue[]): void {
  db.run(
    `INSERT INTO w.effect_participant (effect_id, participant_id, kind, json, updated_by)
     SELECT ?, q.participant_id, 'CHANGED', ${former}, q.kept_updated_by
     FROM plan AS q JOIN stage AS r USING (id) WHERE q.outcome = 'UPDATED' ORDER BY q.id`,
    effect,
  );
  // Participants may swap emails, and emails are unique: first clear each email that another participant gets.
  db.run(`UPDATE w.participant SET email = NULL WHERE id IN (SELECT p.id ${HELD})`);
  db.run(
    `UPDATE w.participant SET ${each((column) => `${column} = q.${column}`)}, updated_by = ?, updated_at = ?
     FROM (SELECT participant_id, ${each((column) => `coalesce(r.${column}, kept_${column}) AS ${column}`)}
           FROM plan JOIN stage AS r USING (id) WHERE outcome = 'UPDATED') AS q
     WHERE q.participant_id = w.participant.id`,
    ...audit,
  );
}

function insertNew(
  db: Writer,
  { summary }: Plan,
  audit: readonly SqlValue[],
  onProgress: (rows: number) => void,
): void {
  let created = 0;
  for (let from = 1; from <= summary.created; from += MAX_INSERT_ROWS) {
    created += db.run(
      `INSERT INTO w.participant (id, uid, external_uid, ${each((column) => column)}, created_by, created_at, updated_by, updated_at)
       SELECT q.participant_id, q.participant_uid, r.external_uid, ${each(newValue)}, ?, ?, ?, ?
       FROM new_row AS n JOIN plan AS q USING (id) JOIN stage AS r USING (id)
       WHERE n.rank >= ? AND n.rank < ? ORDER BY n.rank`,
      ...audit,
      ...audit,
      from,
      from + MAX_INSERT_ROWS,
    ).changes;
    onProgress(created);
  }
  assertWritten(created, summary.created);
}

function insertAssignments(db: Writer, { screenerId, summary }: Plan, onProgress: (rows: number) => void): void {
  if (!summary.assigned) return;
  let assigned = 0;
  for (let from = 1; from <= summary.rows; from += MAX_INSERT_ROWS) {
    assigned += db.run(
      `INSERT INTO w.screener_participant (uid, screener_id, participant_id)
       SELECT assignment_uid, ?, participant_id FROM plan
       WHERE is_assigned = 0 AND id >= ? AND id < ? ORDER BY id`,
      screenerId,
      from,
      from + MAX_INSERT_ROWS,
    ).changes;
    onProgress(assigned);
  }
  assertWritten(assigned, summary.assigned);
}

/** Foreign keys are not checked row by row: so all that the plan refers to must have been written. */
function assertWritten(rows: number, planned: number): void {
  if (rows !== planned) throw new Error(`The plan has ${planned} new rows, and ${rows} were written.`);
}

/**
 * Runs `insert`, which adds `rows` participants. If they are many, their indexes are made again. The one on names is built when the job
 * has ended.
 */
function withoutIndexes(db: Writer, rows: number, insert: () => void): void {
  if (rows < MIN_BULK_ROWS || rows <= countParticipants(db)) insert();
  else without(db, "w", findIndexes(db), insert, [LATE_INDEX]);
}

function countParticipants(db: Reader): number {
  return db.value<number>("SELECT coalesce(sum(n), 0) FROM w.participant_part")!;
}

/** The indexes that no constraint needs: external ids, emails, names, attributes. */
function findIndexes(db: Reader): SchemaPart[] {
  return db.all(
    "SELECT type, name, sql FROM w.sqlite_schema WHERE type = 'index' AND tbl_name = 'participant' AND sql IS NOT NULL",
  );
}
