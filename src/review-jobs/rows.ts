// The rows of jobs that review sessions: one for each session. The scratch store is main, the workspace is attached as `w`.

import { countRows } from "../../db/list/counts.ts";
import type { Writer } from "../../db/sqlite/connection.ts";
import { countedPlan, jobRow } from "../engine/ledger/rows.ts";
import { Mentions } from "../erasure/mentions.ts";
import type { Forget } from "../erasure/person.ts";
import { forgetSessions } from "../erasure/plans.ts";
import { type Placed, Room } from "./room.ts";

/** How many rows are read at once. */
const BATCH = 10_000;

/** What is done with a session: it is reviewed, or that is taken back. */
const DONE = "q.outcome IN ('REVIEWED', 'REVERTED')";

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
      assignment_uid TEXT,
      -- The state of its review when it was chosen; and the one that it gets.
      from_state TEXT,
      to_state TEXT,
      -- JSON: the rowids of the quotas without room. Null: there are none.
      quotas TEXT
    ) STRICT;
    CREATE TABLE plan_block (
      outcome TEXT NOT NULL, block INTEGER NOT NULL, n INTEGER NOT NULL, PRIMARY KEY (outcome, block)
    ) STRICT, WITHOUT ROWID;
    CREATE TABLE named_quota (id INTEGER PRIMARY KEY, name TEXT NOT NULL) STRICT;
    CREATE VIEW job_row AS SELECT q.id, NULL AS position, NULL AS line, NULL AS external_uid, 'false' AS assigned,
        NULL AS participant_uid, q.assignment_uid, NULL AS status, q.session_uid,
        iif(${DONE} AND q.session_uid IS NOT NULL,
          json_array(json_object('field', 'review.state', 'from', q.from_state, 'to', q.to_state)), '[]') AS changes,
        (SELECT json_group_array(json_object('pointer', '', 'message', 'The quota “' || n.name || '” has no room.'))
         FROM json_each(q.quotas) AS j CROSS JOIN named_quota AS n ON n.id = j.value) AS errors,
        q.reason
      FROM plan AS q;
    CREATE VIEW row_name AS SELECT NULL AS id, NULL AS external_uid WHERE FALSE;
    CREATE VIEW answer AS SELECT t.id AS position, ${jobRow.json} AS json FROM plan AS t JOIN job_row AS r ON r.id = t.id;
  `);
}

/**
 * Of the rows that need places, those for whom there is none get another outcome, with the reason; and all rows are counted.
 * @returns how many there are, and how many of them are done
 */
export function placeRows(db: Writer, screenerId: number, refused: "SKIPPED" | "KEPT"): { rows: number; done: number } {
  const room = new Room(db, screenerId);
  const rows = db.value<number>("SELECT coalesce(max(id), 0) FROM plan")!;
  for (let after = 0; after < rows; after += BATCH) {
    const asking = db.all<Placed & { row: number }>(
      `SELECT q.id AS "row", e.participant_id AS participant, e.quota_ids AS quotaIds
       FROM plan AS q CROSS JOIN w.screener_session AS e ON e.id = q.session_id
       WHERE q.id > ? AND q.id <= ? AND ${DONE} AND q.from_state <> 'ACCEPTED' AND q.to_state <> 'REJECTED' ORDER BY q.id`,
      after,
      after + BATCH,
    );
    const without = room.give(asking).flatMap((full, at) => {
      const reason = full.every(({ isPaused }) => isPaused) ? "QUOTA_PAUSED" : "QUOTA_FULL";
      return full.length ? [[asking[at]!.row, reason, full.map(({ quotaId }) => quotaId)]] : [];
    });
    db.run(
      `UPDATE plan SET outcome = ?, reason = j.value ->> 1, quotas = j.value -> 2 FROM json_each(?) AS j WHERE plan.id = j.value ->> 0`,
      refused,
      JSON.stringify(without),
    );
  }
  db.run(
    `INSERT INTO named_quota (id, name) SELECT id, name FROM w.screener_quota
     WHERE id IN (SELECT j.value FROM plan AS q, json_each(q.quotas) AS j)`,
  );
  countRows(db, countedPlan, "main", "TRUE", [], 1);
  return { rows, done: db.value<number>(`SELECT count(*) FROM plan AS q WHERE ${DONE}`)! };
}

/** Removes a person who is erased from the scratch store. The rows stay. */
export const forgetInReviews: Forget = (file, person) => {
  let changes = forgetSessions(file, person);
  const mentions = new Mentions(person);
  for (const { id, name } of file.all<{ id: number; name: string }>("SELECT id, name FROM named_quota")) {
    const kept = mentions.without(name, "SHOWN");
    if (kept !== name) changes += file.run("UPDATE named_quota SET name = ? WHERE id = ?", kept, id).changes;
  }
  return changes > 0;
};
