// The plan of a job that removes screener participants who are named, and what it writes. The scratch store is main, the workspace is
// attached as `w`.

import { countRows } from "../../db/list/counts.ts";
import type { Writer } from "../../db/sqlite/connection.ts";
import { insertEffect, nextStamp } from "../engine/ledger/effects.ts";
import { countedPlan, jobRow } from "../engine/ledger/rows.ts";
import { keepRemovals, removeAssignments } from "../imports/removals.ts";
import { getScreener } from "../nouns/screeners/queries.ts";

/** Makes the tables of the scratch store. `keepRemovals` reads `plan`. */
export function createRemoval(scratch: Writer): void {
  scratch.exec(`
    CREATE TABLE plan (
      id INTEGER PRIMARY KEY,
      outcome TEXT NOT NULL,
      reason TEXT,
      -- As it was sent. Null, and those below: of a person who was erased.
      assignment_uid TEXT,
      removed_id INTEGER,
      participant_id INTEGER,
      participant_uid TEXT,
      external_uid TEXT,
      status TEXT,
      removed_session_id INTEGER,
      session_uid TEXT
    ) STRICT;
    CREATE TABLE plan_block (
      outcome TEXT NOT NULL, block INTEGER NOT NULL, n INTEGER NOT NULL, PRIMARY KEY (outcome, block)
    ) STRICT, WITHOUT ROWID;
    CREATE VIEW job_row AS SELECT q.id, NULL AS position, NULL AS line, q.external_uid, 'false' AS assigned,
        q.participant_uid, q.assignment_uid, q.status, q.session_uid, '[]' AS changes, '[]' AS errors, q.reason
      FROM plan AS q;
    CREATE VIEW row_name AS SELECT id, external_uid FROM plan;
    CREATE VIEW answer AS SELECT t.id AS position, ${jobRow.json} AS json FROM plan AS t JOIN job_row AS r ON r.id = t.id;
  `);
}

/** Screener participants, each with the participant whom the approved plan has for it. */
type Named = readonly (readonly [uid: string, participantUid: string | null])[];

/** Those that the approved plan names. */
export function namedBefore(db: Writer): Named {
  const rows = db.all<{ uid: string; participant: string | null }>(
    "SELECT assignment_uid AS uid, participant_uid AS participant FROM approved.plan ORDER BY id",
  );
  return rows.map(({ uid, participant }) => [uid, participant]);
}

interface RemovalPlan {
  summary: { rows: number; removed: number; skipped: number };
  screenerId: number;
}

/** Plans to remove those who are in the screener. @throws Problem screener_not_found */
export function planRemoval(db: Writer, screenerUid: string, named: Named): RemovalPlan {
  const { id: screenerId } = getScreener(db, screenerUid, "w");
  db.run(
    `INSERT INTO plan (id, outcome, reason, assignment_uid, removed_id, participant_id, participant_uid, external_uid, status,
       removed_session_id, session_uid)
     SELECT j.key + 1, iif(a.id IS NULL, 'SKIPPED', 'REMOVED'), iif(a.id IS NULL, 'UNASSIGNED', NULL), j.value ->> 0, a.id, p.id,
       coalesce(p.uid, j.value ->> 1), p.external_uid, a.status, a.current_session_id, e.uid
     FROM json_each(?) AS j
       LEFT JOIN w.screener_participant AS a ON a.uid = j.value ->> 0 AND a.screener_id = ?
       LEFT JOIN w.participant AS p ON p.id = a.participant_id
       LEFT JOIN w.screener_session AS e ON e.id = a.current_session_id
     ORDER BY j.key`,
    JSON.stringify(named),
    screenerId,
  );
  countRows(db, countedPlan, "main", "TRUE", [], 1);
  const removed = db.value<number>("SELECT count(*) FROM plan WHERE outcome = 'REMOVED'")!;
  return { summary: { rows: named.length, removed, skipped: named.length - removed }, screenerId };
}

/** Removes them as an import does, and keeps what is needed to undo it. @returns the time that it writes */
export function applyRemoval(db: Writer, { screenerId }: RemovalPlan, jobUid: string): Date {
  const now = nextStamp(db);
  const effect = insertEffect(db, { jobUid, screenerId, now });
  keepRemovals(db, effect, "TRUE");
  removeAssignments(db, effect, screenerId);
  return now;
}
