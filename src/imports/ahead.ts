// Plans removals ahead, and keeps what their undo needs, before the workspace is locked: that takes much longer than to remove them.
// Others write meanwhile. Under the lock, what they have touched is planned again.

import { countRange, countRows } from "../../db/list/counts.ts";
import type { Writer } from "../../db/sqlite/connection.ts";
import { hasApprovedRows } from "../engine/ledger/compare.ts";
import { countedPlan } from "../engine/ledger/rows.ts";
import type { JobRun } from "../engine/run/job-run.ts";
import type { JobScratch } from "../engine/run/scratch.ts";
import { typesTouching } from "../events/types.ts";
import type { MaxRemovals } from "../nouns/screener-participants/import-settings.ts";
import { findScreenerId } from "../nouns/screeners/queries.ts";
import {
  type Absent,
  countAssignments,
  exceededLimit,
  fillNamed,
  insertRemovals,
  nameJoined,
  type PlanRemovals,
  planRemovals,
} from "./absent.ts";
import type { ImportSettings } from "./check.ts";
import { discardKept, discardLeft, isKept, type Kept, keepAhead } from "./kept-ahead.ts";
import { findByEmail } from "./match.ts";
import type { Staged } from "./plan.ts";
import { keepRemovals } from "./removals.ts";
import { dropRemovalsIndex, indexNames } from "./tables.ts";

/** Fewer are planned under the lock. */
const MIN_REMOVALS = 5000;

/** After so many events all is planned again. */
const MAX_EVENTS = 20_000;

/** The removals that were planned ahead: rows of the plan with ids above `after`. */
interface Ahead {
  screenerId: number;
  after: number;
  removed: number;
  /** The last event that had happened. */
  lastEvent: number;
  /** How many assignments the screener had. */
  assignments: number;
  includesJoined: boolean;
}

/** How the removals are planned under the lock. When it is disposed of, what was kept for them and is not needed goes. */
interface RemovalsAhead extends Disposable {
  plan: PlanRemovals;
}

/**
 * Plans the removals of a FULL_SYNC without wrong rows now, if there are many. Not inside a transaction.
 * @param limit how many may be removed, if not all @returns undefined when they are planned under the lock
 */
export function planAhead(
  job: JobRun,
  scratch: JobScratch,
  staged: Staged,
  limit: MaxRemovals | undefined,
): RemovalsAhead | undefined {
  const { settings, rows, errors } = staged;
  const { db } = scratch;
  const ahead = errors.count ? undefined : scratch.withSnapshot(() => planNow(db, settings, rows));
  if (!ahead) return undefined;
  discardLeft(scratch, job);
  const discard = () => discardKept(scratch, job);
  const { removed, assignments } = ahead;
  const isStopped = exceededLimit({ summary: { removed }, assignments }, limit) !== undefined;
  try {
    const kept = isStopped ? undefined : keepAhead(job, scratch, ahead);
    indexNames(db);
    // To compare so many rows takes long, too.
    const areApproved = job.approved !== undefined && hasApprovedRows(db, ahead.after);
    const plan: PlanRemovals = (_, absent) => {
      const isUntouched = takeAhead(db, ahead, absent, kept);
      if (isUntouched !== undefined)
        return {
          removed: absent.absent,
          ...(kept && { keptFor: kept.id }),
          ...(isUntouched && areApproved && { approvedAfter: ahead.after }),
        };
      dropAhead(db);
      return planRemovals(db, absent);
    };
    return { plan, [Symbol.dispose]: discard };
  } catch (error) {
    discard();
    throw error;
  }
}

/** Plans the removals, if there are many, by a snapshot of the workspace. */
function planNow(db: Writer, settings: ImportSettings, rows: number): Ahead | undefined {
  const { includesJoined } = settings;
  const screenerId = findScreenerId(db, settings.screenerId, "w");
  const assignments = screenerId === undefined ? 0 : countAssignments(db, screenerId);
  if (screenerId === undefined || assignments - rows < MIN_REMOVALS) return undefined;
  const lastEvent = db.value<number>("SELECT coalesce(max(id), 0) FROM w.event")!;
  if (settings.matchBy === "email") findByEmail(db);
  fillNamed(
    db,
    "(SELECT p.id AS participant_id FROM stage AS r JOIN w.participant AS p ON p.external_uid = r.external_uid)",
  );
  if (!includesJoined) nameJoined(db, screenerId);
  // New rows of the table come after the one with the highest id.
  db.run("INSERT INTO plan (id, outcome) VALUES (?, '')", BigInt(rows));
  dropRemovalsIndex(db);
  const removed = insertRemovals(db, screenerId);
  db.run("DELETE FROM plan WHERE id = ?", BigInt(rows));
  return { screenerId, after: rows, removed, lastEvent, assignments, includesJoined };
}

/** Forgets the removals that were planned ahead. */
function dropAhead(db: Writer): void {
  dropRemovalsIndex(db);
  db.exec(`
    DELETE FROM plan WHERE outcome = 'REMOVED';
    DELETE FROM plan_block WHERE outcome = 'REMOVED';
  `);
}

/**
 * Under the lock: plans again what others have touched meanwhile, and counts what was planned ahead.
 * @returns whether all is as it was planned ahead; undefined when the plan can't be used
 */
function takeAhead(db: Writer, ahead: Ahead, { absent, errors }: Absent, kept: Kept | undefined): boolean | undefined {
  if (errors.count || (kept && !isKept(db, kept)) || !findTouched(db, ahead)) return undefined;
  const { after, removed } = ahead;
  fillNamed(db, `plan WHERE id <= ${after} AND participant_id IS NOT NULL`);
  if (!ahead.includesJoined) nameJoined(db, ahead.screenerId);
  countRange(db, countedPlan, "main", { outcome: "REMOVED" }, { after, n: removed });
  const [former, again] = planTouched(db, ahead, kept);
  return removed - former + again === absent ? former + again === 0 : undefined;
}

/** How to find whom an event is about, by what it touches. Any other event may be about anybody. */
const TOUCHED = {
  people: { of: "w.participant AS p ON p.uid = e.resource_uid", id: "p.id" },
  assignments: { of: "w.participant AS p ON p.uid = e.summary ->> 'participantId'", id: "p.id" },
  answers: { of: "w.screener_session AS s ON s.uid = e.resource_uid", id: "s.participant_id" },
};

const TOUCHING = Object.entries(TOUCHED).map(([touches, how]) => ({
  types: JSON.stringify(typesTouching(touches as keyof typeof TOUCHED)),
  ...how,
}));
const ANYBODY = JSON.stringify(typesTouching("anybody"));

/**
 * Fills `touched` with the participants who were changed since, or whose assignment or sessions were.
 * @returns false when it may be anybody
 */
function findTouched(db: Writer, { lastEvent }: Ahead): boolean {
  db.exec(`
    CREATE TEMP TABLE IF NOT EXISTS touched (participant_id INTEGER PRIMARY KEY) STRICT;
    DELETE FROM temp.touched;
  `);
  const { count, wide } = db.get<{ count: number; wide: number }>(
    `SELECT count(*) AS count, count(*) FILTER (WHERE type IN (SELECT value FROM json_each(?))) AS wide
     FROM w.event WHERE id > ?`,
    ANYBODY,
    lastEvent,
  )!;
  if (wide > 0 || count > MAX_EVENTS) return false;
  for (const { types, of, id } of count ? TOUCHING : [])
    db.run(
      `INSERT OR IGNORE INTO temp.touched SELECT ${id} FROM w.event AS e CROSS JOIN ${of}
       WHERE e.id > ? AND +e.type IN (SELECT value FROM json_each(?))`,
      lastEvent,
      types,
    );
  return true;
}

/** Plans those in `touched` again. @returns how many of them were to go, and how many are now */
function planTouched(
  db: Writer,
  { screenerId, after, removed, lastEvent }: Ahead,
  kept: Kept | undefined,
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
    // A row keeps its position. Others come at the end, behind all that were planned.
    id: `coalesce((SELECT d.id FROM temp.planned AS d WHERE d.participant_id = a.participant_id), ${after + removed} + a.id)`,
  });
  const present = `IN (SELECT q.id FROM ${rows})`;
  countRows(db, countedPlan, "main", `t.id ${present}`, [], 1);
  if (kept) {
    const gone = "assignment_id IN (SELECT removed_id FROM temp.planned)";
    db.run(`DELETE FROM w.effect_assignment WHERE effect_id = ? AND ${gone}`, kept.id);
    keepRemovals(db, kept.id, `id ${present}`);
  }
  db.exec("DROP TABLE temp.planned; DROP TABLE temp.name");
  return [former, again];
}
