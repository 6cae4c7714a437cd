// Works out what an undo takes back: for each participant that the undone job touched, all of what it did, or nothing. What
// was touched since stays. The scratch store is main, the workspace is attached as `w`.

import { countRows } from "../../../db/list/counts.ts";
import type { Reader, Writer } from "../../../db/sqlite/connection.ts";
import { uuid7Time } from "../../base/ids.ts";
import type { EffectRow } from "../../engine/ledger/effects.ts";
import { countedPlan, MAX_UNINDEXED_ROWS, ROW_NAME_INDEX } from "../../engine/ledger/rows.ts";
import type { UndoSummary } from "../../engine/run/undo.ts";
import { each } from "../tables.ts";
import { createRows } from "./rows.ts";

export function createUndo(scratch: Writer): void {
  scratch.exec(`
    CREATE TABLE plan (
      id INTEGER PRIMARY KEY,
      outcome TEXT NOT NULL DEFAULT 'REVERTED',
      reason TEXT,
      participant_id INTEGER NOT NULL,
      participant_uid TEXT,
      -- Unknown when the participant is gone.
      external_uid TEXT,
      -- What the undone job did to the participant: see the table effect_participant.
      participant_kind TEXT,
      json TEXT,
      updated_by INTEGER,
      -- The values that it has now.
      now TEXT,
      -- And to the assignment: see effect_assignment.
      assignment_kind TEXT,
      assignment_id INTEGER,
      assignment_uid TEXT,
      status TEXT,
      session_id INTEGER,
      session_uid TEXT
    ) STRICT;
    CREATE TABLE plan_block (
      outcome TEXT NOT NULL, block INTEGER NOT NULL, n INTEGER NOT NULL, PRIMARY KEY (outcome, block)
    ) STRICT, WITHOUT ROWID;
    CREATE TABLE touched_participant (
      participant_id INTEGER PRIMARY KEY, kind TEXT NOT NULL, json TEXT, updated_by INTEGER
    ) STRICT;
    CREATE TABLE touched_assignment (
      participant_id INTEGER PRIMARY KEY, participant_uid TEXT, kind TEXT NOT NULL, assignment_id INTEGER NOT NULL,
      uid TEXT NOT NULL, status TEXT NOT NULL, session_id INTEGER
    ) STRICT;
    -- The actors of the workspace, for those who have created and changed participants.
    CREATE TABLE known_actor (id INTEGER PRIMARY KEY, json TEXT NOT NULL) STRICT;
    -- The emails that participants get back.
    CREATE TABLE wanted (participant_id INTEGER PRIMARY KEY, email TEXT NOT NULL COLLATE NOCASE) STRICT;
    CREATE INDEX wanted_email ON wanted (email);
  `);
  createRows(scratch);
}

/** Plans to take back what a job did. */
export function planUndo(db: Writer, effect: EffectRow): UndoSummary {
  findTouched(db, effect);
  db.run(
    `INSERT INTO plan (participant_id, participant_uid, external_uid, participant_kind, json, updated_by, now,
       assignment_kind, assignment_id, assignment_uid, status, session_id, session_uid)
     SELECT i.participant_id, coalesce(p.uid, tp.json ->> 'uid', ta.participant_uid),
       coalesce(p.external_uid, tp.json ->> 'external_uid'), tp.kind, tp.json, tp.updated_by,
       iif(tp.kind IN ('ADDED', 'CHANGED'),
         json_object(${each((column) => `'${column}', p.${column}`)}, 'updated_by', p.updated_by), NULL),
       ta.kind, ta.assignment_id, ta.uid, ta.status, ta.session_id, e.uid
     FROM (SELECT participant_id FROM touched_participant UNION SELECT participant_id FROM touched_assignment) AS i
     LEFT JOIN touched_participant AS tp USING (participant_id)
     LEFT JOIN touched_assignment AS ta USING (participant_id)
     LEFT JOIN w.participant AS p ON p.id = i.participant_id AND tp.kind IS NOT 'REMOVED'
       -- The rowid of one who is gone may be another's now.
       AND p.uid = coalesce(ta.participant_uid, p.uid)
     LEFT JOIN w.screener_session AS e ON e.id = ta.session_id
     ORDER BY i.participant_id`,
  );
  db.run("INSERT INTO known_actor (id, json) SELECT id, json FROM w.actor");
  keepTouchedSince(db, effect);
  keepTakenEmails(db);
  countRows(db, countedPlan, "main", "TRUE", [], 1);
  const { rows, kept, ...effects } = countPlan(db);
  if (rows > MAX_UNINDEXED_ROWS) db.run(`CREATE INDEX ${ROW_NAME_INDEX} ON plan (external_uid)`);
  return { rows, reverted: rows - kept, kept, ...effects };
}

/** What it does to people: each that was added leaves the screener, and so on. */
function countPlan(db: Reader): Required<Omit<UndoSummary, "reverted">> {
  const many = (where: string) => `count(*) FILTER (WHERE ${where})`;
  const reverted = (where: string) => many(`outcome = 'REVERTED' AND ${where}`);
  return db.get<Required<Omit<UndoSummary, "reverted">>>(
    `SELECT count(*) AS rows, ${many("outcome = 'KEPT'")} AS kept, ${reverted("assignment_kind = 'ADDED'")} AS leaving,
       ${reverted("assignment_kind = 'REMOVED'")} AS "returning", ${reverted("participant_kind = 'CHANGED'")} AS changedBack FROM plan`,
  )!;
}

/**
 * Lists what the job did. The participants that an import created lie in a range of rowids, the assignments that it added in
 * a range of ids: the time of both is the import's alone.
 */
function findTouched(db: Writer, effect: EffectRow): void {
  const time = uuid7Time(new Date(effect.stamp));
  db.run(
    `INSERT INTO touched_participant (participant_id, kind) SELECT p.id, 'ADDED' FROM w.participant AS p
     WHERE p.id > ? AND p.id <= ? AND p.created_at = ? ORDER BY p.id`,
    effect.participants_after,
    effect.participants_to,
    effect.stamp,
  );
  db.run(
    `INSERT INTO touched_participant (participant_id, kind, json, updated_by)
     SELECT participant_id, kind, json, updated_by FROM w.effect_participant WHERE effect_id = ? ORDER BY participant_id`,
    effect.id,
  );
  db.run(
    `INSERT INTO touched_assignment (participant_id, kind, assignment_id, uid, status)
     SELECT a.participant_id, 'ADDED', a.id, a.uid, 'NOT_STARTED' FROM w.screener_participant AS a
     WHERE a.uid >= ? AND a.uid < ? AND a.screener_id = ? ORDER BY a.participant_id`,
    time,
    `${time}~`,
    effect.screener_id,
  );
  db.run(
    `INSERT INTO touched_assignment (participant_id, participant_uid, kind, assignment_id, uid, status, session_id)
     SELECT participant_id, participant_uid, kind, assignment_id, uid, status, session_id FROM w.effect_assignment
     WHERE effect_id = ? ORDER BY participant_id`,
    effect.id,
  );
}

/** Keeps what was touched since, with the first reason that applies. */
function keepTouchedSince(db: Writer, { stamp, screener_id }: EffectRow): void {
  const touched = new Set(
    ["participant", "assignment"].flatMap((what) =>
      db.values<string>(`SELECT DISTINCT '${what} ' || kind FROM touched_${what}`),
    ),
  );
  /** @param of the kind of effect: if there is none of it, the check is skipped */
  const keep = (of: readonly string[], reason: string, where: string, ...values: (string | number)[]) => {
    if (!of.some((kind) => touched.has(kind))) return;
    db.run(
      `UPDATE plan AS q SET outcome = 'KEPT', reason = '${reason}' WHERE outcome = 'REVERTED' AND ${where}`,
      ...values,
    );
  };
  const sessions = "w.screener_session AS e WHERE e.screener_participant_uid = q.assignment_uid";
  keep(
    [...touched],
    "GONE",
    `participant_kind IS NOT 'REMOVED' AND NOT EXISTS (
       SELECT 1 FROM w.participant AS p WHERE p.id = q.participant_id AND p.uid = q.participant_uid)`,
  );
  keep(
    ["participant ADDED", "participant CHANGED"],
    "EDITED",
    `participant_kind IN ('ADDED', 'CHANGED')
       AND (SELECT p.updated_at FROM w.participant AS p WHERE p.id = q.participant_id) IS NOT ?`,
    stamp,
  );
  const added = ["assignment ADDED"];
  keep(
    added,
    "ANSWERED",
    `assignment_kind = 'ADDED' AND EXISTS (SELECT 1 FROM ${sessions} AND e.last_active_at >= ?)`,
    stamp,
  );
  keep(
    added,
    "OPENED",
    `assignment_kind = 'ADDED' AND EXISTS (SELECT 1 FROM ${sessions} AND e.created_at >= ?)`,
    stamp,
  );
  // The status and the session show what the times may miss: they come from different clocks.
  keep(
    added,
    "OPENED",
    `assignment_kind = 'ADDED' AND EXISTS (SELECT 1 FROM w.screener_participant AS a
       WHERE a.uid = q.assignment_uid AND (a.status <> q.status OR a.current_session_id IS NOT q.session_id))`,
  );
  keep(
    ["assignment ADDED", "participant ADDED"],
    "UNASSIGNED",
    `(assignment_kind = 'ADDED' OR participant_kind = 'ADDED')
       AND NOT EXISTS (SELECT 1 FROM w.screener_participant AS a WHERE a.uid = q.assignment_uid)`,
  );
  keep(
    ["participant ADDED"],
    "ASSIGNED_ELSEWHERE",
    `participant_kind = 'ADDED' AND (
       EXISTS (SELECT 1 FROM w.screener_participant AS a WHERE a.participant_id = q.participant_id AND a.uid IS NOT q.assignment_uid)
       OR EXISTS (SELECT 1 FROM w.screener_session AS e WHERE e.participant_id = q.participant_id))`,
  );
  keep(
    ["assignment REMOVED"],
    "ASSIGNED_AGAIN",
    `assignment_kind = 'REMOVED' AND participant_kind IS NOT 'REMOVED' AND EXISTS (SELECT 1 FROM w.screener_participant AS a
       WHERE a.participant_id = q.participant_id AND a.screener_id = ?)`,
    screener_id,
  );
  keep(
    ["participant REMOVED"],
    "EXTERNAL_UID_TAKEN",
    "participant_kind = 'REMOVED' AND EXISTS (SELECT 1 FROM w.participant AS p WHERE p.external_uid = q.external_uid)",
  );
}

/**
 * Keeps participants whose former email another participant has and keeps. They keep their emails, too, so
 * a participant that would get one of theirs back is kept as well.
 */
function keepTakenEmails(db: Writer): void {
  db.run(
    `INSERT INTO wanted (participant_id, email)
     SELECT participant_id, json ->> 'email' AS email FROM plan
     WHERE outcome = 'REVERTED' AND participant_kind IN ('CHANGED', 'REMOVED') AND email IS NOT NULL`,
  );
  db.run(
    `UPDATE plan SET outcome = 'KEPT', reason = 'EMAIL_TAKEN' WHERE outcome = 'REVERTED' AND participant_id IN (
       WITH RECURSIVE kept (participant_id) AS (
         SELECT n.participant_id FROM wanted AS n JOIN w.participant AS p ON p.email = n.email
         WHERE p.id <> n.participant_id AND NOT EXISTS (
           SELECT 1 FROM plan AS q WHERE q.participant_id = p.id AND q.outcome = 'REVERTED'
             AND (q.participant_kind = 'ADDED' OR (q.participant_kind = 'CHANGED' AND json_type(q.json, '$.email') IS NOT NULL)))
         UNION SELECT n.participant_id FROM kept AS k
           JOIN w.participant AS p ON p.id = k.participant_id
           JOIN wanted AS n ON n.email = p.email AND n.participant_id <> k.participant_id
       )
       SELECT participant_id FROM kept)`,
  );
}
