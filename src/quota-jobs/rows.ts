// The rows of jobs that give places: one for each session. The scratch store is main, the workspace is attached as `w`.

import { countRows } from "../../db/list/counts.ts";
import type { Writer } from "../../db/sqlite/connection.ts";
import { countedPlan, jobRow } from "../engine/ledger/rows.ts";
import type { UndoSummary } from "../engine/run/undo.ts";
import type { Forget } from "../erasure/person.ts";
import { type ManyPlaces, writeManyPlaces } from "../nouns/quotas/many-places.ts";

/** How many rows are written before progress is reported. */
export const BATCH = 10_000;

/** Makes the tables of the scratch store. */
export function createRows(scratch: Writer): void {
  scratch.exec(`
    CREATE TABLE plan (
      id INTEGER PRIMARY KEY,
      outcome TEXT NOT NULL,
      reason TEXT,
      -- Null, and those below: it is gone, or of a person who was erased.
      session_id INTEGER,
      session_uid TEXT,
      -- Of offers.
      assignment_id INTEGER,
      assignment_uid TEXT,
      -- Of offers: what the assignment's status was, and whether the session was its current one.
      assignment_status TEXT,
      is_current INTEGER,
      participant_id INTEGER,
      participant_uid TEXT
    ) STRICT;
    CREATE TABLE plan_block (
      outcome TEXT NOT NULL, block INTEGER NOT NULL, n INTEGER NOT NULL, PRIMARY KEY (outcome, block)
    ) STRICT, WITHOUT ROWID;
    -- The places that a recount gives, with their new ids. Of the plan's rows that have some.
    CREATE TABLE place (
      plan_id INTEGER NOT NULL, quota_id INTEGER NOT NULL, uid TEXT NOT NULL, is_over_limit INTEGER NOT NULL, PRIMARY KEY (plan_id, quota_id)
    ) STRICT, WITHOUT ROWID;
    -- The places of offers: those from one row of the plan to another, but for those without an offer, get the same set.
    CREATE TABLE place_run (from_id INTEGER PRIMARY KEY, to_id INTEGER NOT NULL, set_id INTEGER NOT NULL) STRICT;
    CREATE TABLE place_set (
      id INTEGER NOT NULL, quota_id INTEGER NOT NULL, is_over_limit INTEGER NOT NULL, PRIMARY KEY (id, quota_id)
    ) STRICT, WITHOUT ROWID;
    -- The sessions that are copied, and their copies.
    CREATE TABLE copy (plan_id INTEGER PRIMARY KEY, session_id INTEGER, uid TEXT, slug TEXT) STRICT;
    CREATE VIEW job_row AS SELECT q.id, NULL AS position, NULL AS line, NULL AS external_uid, 'false' AS assigned,
        q.participant_uid, q.assignment_uid, NULL AS status, q.session_uid,
        iif(c.uid IS NULL, '[]', json_array(json_object('field', 'screenerParticipant.currentSessionId', 'from', q.session_uid, 'to', c.uid))) AS changes,
        '[]' AS errors, q.reason
      FROM plan AS q LEFT JOIN copy AS c ON c.plan_id = q.id;
    CREATE VIEW row_name AS SELECT NULL AS id, NULL AS external_uid WHERE FALSE;
    CREATE VIEW answer AS SELECT t.id AS position, ${jobRow.json} AS json FROM plan AS t JOIN job_row AS r ON r.id = t.id;
  `);
}

/** A row of the plan. */
export interface PlanRow {
  outcome: "COUNTED" | "SKIPPED";
  reason: string | null;
  /** The rowid of the session. */
  session: number;
  /** The places that it gets, by the rowids of their quotas. */
  places?: readonly { quotaId: number; uid: string; isOverLimit: boolean }[];
}

/** Adds rows to the plan. @param after the id of the last one before */
export function insertRows(db: Writer, rows: readonly PlanRow[], after: number): void {
  db.run(
    `INSERT INTO plan (id, outcome, reason, session_id, session_uid, assignment_uid, participant_id, participant_uid)
     SELECT ? + j.key, j.value ->> 0, j.value ->> 1, e.id, e.uid, e.screener_participant_uid, e.participant_id, p.uid
     FROM json_each(?) AS j CROSS JOIN w.screener_session AS e ON e.id = j.value ->> 2 JOIN w.participant AS p ON p.id = e.participant_id`,
    after + 1,
    JSON.stringify(rows.map(({ outcome, reason, session }) => [outcome, reason, session])),
  );
  const places = rows.flatMap(({ places = [] }, at) =>
    places.map(({ quotaId, uid, isOverLimit }) => [after + 1 + at, quotaId, uid, Number(isOverLimit)]),
  );
  if (places.length)
    db.run(
      "INSERT INTO place (plan_id, quota_id, uid, is_over_limit) SELECT value ->> 0, value ->> 1, value ->> 2, value ->> 3 FROM json_each(?)",
      JSON.stringify(places),
    );
}

/** Counts the rows of the plan, which is whole. */
export function countPlan(db: Writer): void {
  countRows(db, countedPlan, "main", "TRUE", [], 1);
}

/** The same of an undo. */
export function countUndo(db: Writer): UndoSummary {
  countPlan(db);
  const rows = db.value<number>("SELECT coalesce(max(id), 0) FROM plan")!;
  const kept = db.value<number>("SELECT coalesce(sum(n), 0) FROM plan_block WHERE outcome = 'KEPT'")!;
  return { rows, reverted: rows - kept, kept };
}

/** Calls `write`, which changes places, with ranges of the plan's ids. */
export function inBatches(
  db: Writer,
  writing: ManyPlaces,
  onProgress: (done: number, total: number) => void,
  write: (from: number, to: number) => void,
): void {
  const total = db.value<number>("SELECT coalesce(max(id), 0) FROM plan")!;
  writeManyPlaces(db, "w", writing, () => {
    for (let from = 1; from <= total; from += BATCH) {
      onProgress(from - 1, total);
      write(from, from + BATCH);
    }
  });
  onProgress(total, total);
}

/** Removes a person who is erased from the scratch store. The rows stay. */
export const forgetInPlaces: Forget = (file, { assignments, sessions }) => {
  const named = [JSON.stringify(assignments), JSON.stringify(sessions)];
  const own = "assignment_uid IN (SELECT value FROM json_each(?)) OR session_uid IN (SELECT value FROM json_each(?))";
  const { changes: copies } = file.run(
    `UPDATE copy SET session_id = NULL, uid = NULL, slug = NULL WHERE plan_id IN (SELECT id FROM plan WHERE ${own})`,
    ...named,
  );
  const { changes: rows } = file.run(
    `UPDATE plan SET session_id = NULL, session_uid = NULL, assignment_id = NULL, assignment_uid = NULL, participant_id = NULL, participant_uid = NULL WHERE ${own}`,
    ...named,
  );
  return copies + rows > 0;
};
