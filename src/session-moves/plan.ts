// The plan of a job that moves sessions from one publication to another, and what it writes. The scratch store is main, the workspace is
// attached as `w`.

import { countRows } from "../../db/list/counts.ts";
import type { Reader, Writer } from "../../db/sqlite/connection.ts";
import { CHANGED_NOW } from "../base/members.ts";
import { Problem } from "../base/problems.ts";
import { type EffectRow, insertEffect, nextStamp } from "../engine/ledger/effects.ts";
import { countedPlan, jobRow } from "../engine/ledger/rows.ts";
import type { UndoSummary } from "../engine/run/undo.ts";
import { findPublicationById, type PublicationRow } from "../nouns/publications/queries.ts";
import { getScreener } from "../nouns/screeners/queries.ts";

/** How many rows are written before progress is reported. */
const BATCH = 10_000;

/** Sessions that nobody has begun and that are no tests, on another publication than the screener's active one, while there is one. */
const movable = (schema: string) => `e.screener_publication_id IN (
    SELECT p.id FROM ${schema}.screener_publication AS p WHERE p.screener_id = ? AND p.status = 'ARCHIVED')
  AND e.outcome IS NULL AND e.status = 'ACTIVE' AND e.state = 'NOT_STARTED' AND e.is_test = 0`;

/** How many sessions would move now. None without an active publication. @throws Problem screener_not_found */
export function countMovable(db: Reader, screenerUid: string): number {
  const { id, active_publication_id } = getScreener(db, screenerUid);
  if (active_publication_id === null) return 0;
  return db.value<number>(`SELECT count(*) FROM main.screener_session AS e WHERE ${movable("main")}`, id)!;
}

/** SQL of one change, with a comma before it; empty where both are the same. @param shown SQL of what has a rowid */
const change = (field: string, column: string, shown: (id: string) => string) =>
  `iif(q.from_${column} = q.to_${column}, '',
    ',' || json_object('field', '${field}', 'from', ${shown(`q.from_${column}`)}, 'to', ${shown(`q.to_${column}`)}))`;

const CHANGES = [
  change("screenerPublicationId", "publication", (id) => `(SELECT uid FROM named_publication WHERE id = ${id})`),
  change("assignedTags", "tags", (id) => `json((SELECT json FROM named_tags WHERE id = ${id}))`),
];

/** Makes the tables of the scratch store. */
export function createMoves(scratch: Writer): void {
  scratch.exec(`
    CREATE TABLE plan (
      id INTEGER PRIMARY KEY,
      outcome TEXT NOT NULL,
      reason TEXT,
      -- Null: it is gone, or of a person who was erased.
      session_id INTEGER,
      session_uid TEXT,
      assignment_uid TEXT,
      -- See the table effect_move.
      from_publication INTEGER NOT NULL,
      from_tags INTEGER NOT NULL,
      to_publication INTEGER NOT NULL,
      to_tags INTEGER NOT NULL
    ) STRICT;
    CREATE TABLE plan_block (
      outcome TEXT NOT NULL, block INTEGER NOT NULL, n INTEGER NOT NULL, PRIMARY KEY (outcome, block)
    ) STRICT, WITHOUT ROWID;
    CREATE TABLE named_publication (id INTEGER PRIMARY KEY, uid TEXT NOT NULL) STRICT;
    CREATE TABLE named_tags (id INTEGER PRIMARY KEY, json TEXT NOT NULL) STRICT;
    CREATE VIEW job_row AS SELECT q.id, NULL AS position, NULL AS line, NULL AS external_uid, 'false' AS assigned,
        NULL AS participant_uid, q.assignment_uid, NULL AS status, q.session_uid,
        iif(q.session_uid IS NULL OR q.outcome = 'KEPT', '[]', '[' || substr(concat(${CHANGES.join(", ")}), 2) || ']') AS changes,
        '[]' AS errors, q.reason
      FROM plan AS q;
    CREATE VIEW row_name AS SELECT NULL AS id, NULL AS external_uid WHERE FALSE;
    CREATE VIEW answer AS SELECT t.id AS position, ${jobRow.json} AS json FROM plan AS t JOIN job_row AS r ON r.id = t.id;
  `);
}

/** What a move does. */
interface MovePlan {
  summary: { moved: number };
  screenerId: number;
  /** Where the sessions go. */
  publication: PublicationRow;
}

/** Plans to move all sessions of a screener that nobody has begun to its active publication. @throws Problem screener_not_found, screener_not_published */
export function planMove(db: Writer, screenerUid: string): MovePlan {
  const { id: screenerId, active_publication_id: activeId } = getScreener(db, screenerUid, "w");
  const publication = activeId === null ? undefined : findPublicationById(db, activeId);
  if (!publication) throw new Problem("screener_not_published");
  const { changes: moved } = db.run(
    `INSERT INTO plan (outcome, session_id, session_uid, assignment_uid, from_publication, from_tags, to_publication, to_tags)
     SELECT 'MOVED', e.id, e.uid, e.screener_participant_uid, e.screener_publication_id, e.tag_set_id, ?, ?
     FROM w.screener_session AS e WHERE ${movable("w")} ORDER BY e.id`,
    publication.id,
    publication.tag_set_id,
    screenerId,
  );
  countPlan(db);
  return { summary: { moved }, screenerId, publication };
}

/** Plans to move the sessions back that a job has moved, if nothing has happened to them since. */
export function planReturn(db: Writer, { id, screener_id }: EffectRow): UndoSummary {
  const { changes: rows } = db.run(
    `INSERT INTO plan (outcome, reason, session_id, session_uid, assignment_uid, from_publication, from_tags, to_publication, to_tags)
     SELECT iif(reason IS NULL, 'REVERTED', 'KEPT'), reason, session_id, uid, assignment_uid, to_publication, to_tags, from_publication, from_tags
     FROM (SELECT m.*, e.uid, e.screener_participant_uid AS assignment_uid, CASE
         WHEN e.id IS NULL THEN 'GONE'
         WHEN e.status = 'REMOVED' THEN 'REMOVED'
         WHEN e.state <> 'NOT_STARTED' THEN 'ANSWERED'
         WHEN e.status = 'ARCHIVED' THEN 'UNASSIGNED'
         WHEN e.screener_publication_id <> m.to_publication THEN 'MOVED_AGAIN' END AS reason
       FROM w.effect_move AS m LEFT JOIN w.screener_session AS e ON e.id = m.session_id AND e.screener_id = ?
       WHERE m.effect_id = ?) ORDER BY session_id`,
    screener_id,
    id,
  );
  countPlan(db);
  const kept = db.value<number>("SELECT count(*) FROM plan WHERE outcome = 'KEPT'")!;
  return { rows, reverted: rows - kept, kept };
}

/** Counts the rows, and keeps the names that they show. */
function countPlan(db: Writer): void {
  countRows(db, countedPlan, "main", "TRUE", [], 1);
  const named = (column: string) => `SELECT from_${column} FROM plan UNION SELECT to_${column} FROM plan`;
  db.run(
    `INSERT INTO named_publication (id, uid) SELECT p.id, p.uid FROM w.screener_publication AS p WHERE p.id IN (${named("publication")})`,
  );
  db.run(`INSERT INTO named_tags (id, json) SELECT g.id, g.json FROM w.tag_set AS g WHERE g.id IN (${named("tags")})`);
}

/** Carries out the plan, and keeps what is needed to undo it. @returns the time that it writes */
export function applyMoves(
  db: Writer,
  { jobUid, screenerId }: { jobUid: string; screenerId: number },
  onProgress: (done: number, total: number) => void,
): Date {
  const now = nextStamp(db);
  const effect = insertEffect(db, { jobUid, screenerId, now });
  const total = db.value<number>("SELECT coalesce(max(id), 0) FROM plan")!;
  const going = "q.outcome <> 'KEPT' AND q.id >= ? AND q.id < ?";
  // The tags have an index, which SQLite writes even if nothing changes.
  const isTagged = db.value("SELECT 1 FROM plan WHERE from_tags <> to_tags LIMIT 1") !== undefined;
  for (let from = 1; from <= total; from += BATCH) {
    const to = from + BATCH;
    onProgress(from - 1, total);
    const { changes: kept } = db.run(
      `INSERT INTO w.effect_move (effect_id, session_id, from_publication, from_tags, to_publication, to_tags)
       SELECT ?, q.session_id, q.from_publication, q.from_tags, q.to_publication, q.to_tags
       FROM plan AS q WHERE ${going} ORDER BY q.id`,
      effect,
      from,
      to,
    );
    const { changes: moved } = db.run(
      `UPDATE w.screener_session SET screener_publication_id = q.to_publication${isTagged ? ", tag_set_id = q.to_tags" : ""}, ${CHANGED_NOW}
       FROM plan AS q WHERE q.session_id = w.screener_session.id AND ${going}`,
      from,
      to,
    );
    if (moved !== kept) throw new Error(`${kept} sessions were to be moved, and ${moved} were.`);
  }
  onProgress(total, total);
  return now;
}
