// Plans removals ahead, before the workspace is locked: to plan many, and to keep what their undo needs, takes much longer than
// to remove them. Others write meanwhile. Under the lock, what they have touched is planned again.

import type { Writer } from "../../../db/connection.ts";
import { countRange, countRows } from "../../../db/counts.ts";
import { type EventType, eventTypes } from "../../events/types.ts";
import { countedPlan } from "../../jobs/rows.ts";
import type { JobScratch } from "../../jobs/scratch.ts";
import { findScreenerId } from "../../screeners/queries.ts";
import { type Attempt, beginEffect, deleteUndecided, findUndecided, isBegun, keepRemovals } from "../effects.ts";
import type { MaxRemovals } from "../resource.ts";
import { countAssignments, fillNamed, insertRemovals } from "./absent.ts";
import { exceededLimit } from "./limit.ts";
import { dropRemovalsIndex, indexNames } from "./stage.ts";

/** Fewer are planned under the lock. */
const MIN_REMOVALS = 5000;

/** So many are kept while the store is locked once. */
const SLICE_ROWS = 5000;

/** After so many events all is planned again. */
const MAX_EVENTS = 20_000;

/** The removals that were planned ahead: rows of the plan with ids above `after`. */
export interface Ahead {
  screenerId: number;
  after: number;
  removed: number;
  /** The last event that had happened. */
  lastEvent: number;
  /** The effect that has been begun, with what an undo needs; undefined when so many must not be removed. */
  effect: bigint | undefined;
  /** Who has begun it. */
  attempt: Attempt;
}

interface Wanted {
  screenerUid: string;
  rows: number;
  limit: MaxRemovals | undefined;
  attempt: Attempt;
  onProgress(): void;
}

/** Plans the removals of a FULL_SYNC without wrong rows, if there are many. */
export function planAhead(
  scratch: JobScratch,
  { screenerUid, rows, limit, attempt, onProgress }: Wanted,
): Ahead | undefined {
  const { db } = scratch;
  const planned = scratch.withSnapshot((): (Ahead & { assignments: number }) | undefined => {
    const screenerId = findScreenerId(db, screenerUid, "w");
    const assignments = screenerId === undefined ? 0 : countAssignments(db, screenerId);
    if (screenerId === undefined || assignments - rows < MIN_REMOVALS) return undefined;
    const lastEvent = db.value<number>("SELECT coalesce(max(id), 0) FROM w.event")!;
    fillNamed(
      db,
      "(SELECT p.id AS participant_id FROM stage AS r JOIN w.participant AS p ON p.external_uid = r.external_uid)",
    );
    // New rows of the table come after the one with the highest id.
    db.run("INSERT INTO plan (id, outcome) VALUES (?, '')", BigInt(rows));
    dropRemovalsIndex(db);
    const removed = insertRemovals(db, screenerId);
    db.run("DELETE FROM plan WHERE id = ?", BigInt(rows));
    return { screenerId, after: rows, removed, lastEvent, effect: undefined, attempt, assignments };
  });
  // What an attempt has left that was killed.
  discardAhead(scratch, attempt.jobUid);
  if (!planned) return undefined;
  const { removed, assignments } = planned;
  const isStopped = exceededLimit({ summary: { removed }, assignments }, limit) !== undefined;
  const effect = isStopped ? undefined : keepAhead(scratch, planned, onProgress);
  indexNames(db);
  return { ...planned, effect };
}

/** Keeps what an undo of these removals needs. @returns the effect that has been begun, if nobody has removed it */
function keepAhead(scratch: JobScratch, planned: Ahead, onProgress: Wanted["onProgress"]): bigint | undefined {
  const { db } = scratch;
  const { screenerId, after, removed, attempt } = planned;
  let effect: bigint | undefined;
  let kept = 0;
  scratch.writeAhead(() => {
    effect ??= beginEffect(db, attempt, screenerId);
    if (!isBegun(db, effect, attempt))
      throw new Error("Another attempt of the job has removed what this one has kept.");
    const first = after + 1 + kept;
    keepRemovals(db, effect, "q.id >= ? AND q.id < ?", first, first + SLICE_ROWS);
    kept += SLICE_ROWS;
    onProgress();
    return kept < removed;
  });
  return effect;
}

/** Removes what attempts of the job have kept ahead, if it was not applied. */
export function discardAhead(scratch: JobScratch, jobUid: string): void {
  const { db } = scratch;
  let id = scratch.withSnapshot(() => findUndecided(db, jobUid));
  if (id === undefined) return;
  scratch.writeAhead(() => {
    id = findUndecided(db, jobUid);
    if (id !== undefined) deleteUndecided(db, id, jobUid);
    return id !== undefined;
  });
}

/** Forgets the removals that were planned ahead. */
export function dropAhead(db: Writer): void {
  dropRemovalsIndex(db);
  db.exec(`
    DELETE FROM plan WHERE outcome = 'REMOVED';
    DELETE FROM plan_block WHERE outcome = 'REMOVED';
  `);
}

/**
 * Under the lock: plans again what others have touched meanwhile, and counts what was planned ahead.
 * @param absent how many have to go
 * @returns whether it is as it was planned ahead; undefined when that can't be told: then nothing is planned
 */
export function takeAhead(db: Writer, ahead: Ahead, absent: number): boolean | undefined {
  const { after, removed, effect, attempt } = ahead;
  const isThere = effect === undefined || isBegun(db, effect, attempt);
  if (isThere && findTouched(db, ahead)) {
    fillNamed(db, `plan WHERE id <= ${after} AND participant_id IS NOT NULL`);
    countRange(db, countedPlan, "main", { outcome: "REMOVED" }, { after, n: removed });
    const [former, again] = planTouched(db, ahead);
    if (removed - former + again === absent) return former + again === 0;
  }
  dropAhead(db);
  return undefined;
}

/** What happens without a change to people, assignments and sessions. */
const HARMLESS = eventTypes.filter((type) =>
  /^((screener|screener-publication|workspace)\.(created|updated)|quota\.|import\.(planned|failed)|job\.|user\.|api-key\.|access-token\.|webhook-|attribute-index\.)/.test(
    type,
  ),
);

const BY_PARTICIPANT = { of: "w.participant AS p ON p.uid = e.resource_uid", id: "p.id" };
const BY_SESSION = { of: "w.screener_session AS s ON s.uid = e.resource_uid", id: "s.participant_id" };

/** What happens to one participant, and how to find whom. Any other event may be about anybody. */
const TOUCHING: { [type in EventType]?: { of: string; id: string } } = {
  "participant.created": BY_PARTICIPANT,
  "participant.updated": BY_PARTICIPANT,
  "screener-participant.removed": { of: "w.participant AS p ON p.uid = e.summary ->> 'participantId'", id: "p.id" },
  "screener-session.created": BY_SESSION,
  "screener-session.started": BY_SESSION,
  "screener-session.answered": BY_SESSION,
  "screener-session.completed": BY_SESSION,
  "screener-session.overridden": BY_SESSION,
  "screener-session.removed": BY_SESSION,
};

const KNOWN = JSON.stringify([...HARMLESS, ...Object.keys(TOUCHING)]);

/**
 * Fills `touched` with the participants who were changed since, or whose assignment or sessions were.
 * @returns false when it may be anybody
 */
function findTouched(db: Writer, { lastEvent }: Ahead): boolean {
  db.exec(`
    CREATE TEMP TABLE IF NOT EXISTS touched (participant_id INTEGER PRIMARY KEY) STRICT;
    DELETE FROM temp.touched;
  `);
  const { count, known } = db.get<{ count: number; known: number }>(
    `SELECT count(*) AS count, count(*) FILTER (WHERE type IN (SELECT value FROM json_each(?))) AS known
     FROM w.event WHERE id > ?`,
    KNOWN,
    lastEvent,
  )!;
  if (known < count || count > MAX_EVENTS) return false;
  for (const [type, { of, id }] of count ? Object.entries(TOUCHING) : [])
    db.run(
      `INSERT OR IGNORE INTO temp.touched SELECT ${id} FROM w.event AS e CROSS JOIN ${of} WHERE e.id > ? AND +e.type = ?`,
      lastEvent,
      type,
    );
  return true;
}

/** Plans those in `touched` again. @returns how many of them were to go, and how many are now */
function planTouched(
  db: Writer,
  { screenerId, after, removed, lastEvent, effect }: Ahead,
): [former: number, again: number] {
  if (db.value("SELECT 1 FROM temp.touched LIMIT 1") === undefined) return [0, 0];
  // The plan's rows are found by their externalUid: that of now, or one from before.
  db.exec(`
    CREATE TEMP TABLE name (external_uid TEXT PRIMARY KEY) STRICT;
    INSERT INTO temp.name SELECT p.external_uid FROM temp.touched AS n CROSS JOIN w.participant AS p ON p.id = n.participant_id;
  `);
  db.run(
    `INSERT OR IGNORE INTO temp.name SELECT c.value ->> 'from' FROM w.event AS e, json_each(e.changes) AS c
     WHERE e.id > ? AND +e.type = 'participant.updated' AND c.value ->> 'field' = 'externalUid'`,
    lastEvent,
  );
  const rows = `temp.name AS n CROSS JOIN plan AS q ON q.removed_external_uid = n.external_uid AND q.outcome = 'REMOVED'
    WHERE q.participant_id IN (SELECT participant_id FROM temp.touched)`;
  db.exec(`
    CREATE TEMP TABLE planned (participant_id INTEGER PRIMARY KEY, id INTEGER NOT NULL, removed_id INTEGER NOT NULL) STRICT;
    INSERT INTO temp.planned SELECT q.participant_id, q.id, q.removed_id FROM ${rows};
  `);
  const planned = "IN (SELECT id FROM temp.planned)";
  countRows(db, countedPlan, "main", `t.id ${planned}`, [], -1);
  const former = db.run(`DELETE FROM plan WHERE id ${planned}`).changes;
  const again = insertRemovals(db, screenerId, {
    from: "temp.touched AS n CROSS JOIN w.screener_participant AS a ON a.participant_id = n.participant_id",
    // A row keeps its place. Others come at the end, behind all that were planned.
    id: `coalesce((SELECT d.id FROM temp.planned AS d WHERE d.participant_id = a.participant_id), ${after + removed} + a.id)`,
  });
  const present = `IN (SELECT q.id FROM ${rows})`;
  countRows(db, countedPlan, "main", `t.id ${present}`, [], 1);
  if (effect !== undefined) {
    const kept = "assignment_id IN (SELECT removed_id FROM temp.planned)";
    db.run(`DELETE FROM w.effect_assignment WHERE effect_id = ? AND ${kept}`, effect);
    keepRemovals(db, effect, `q.id ${present}`);
  }
  db.exec("DROP TABLE temp.planned; DROP TABLE temp.name");
  return [former, again];
}
