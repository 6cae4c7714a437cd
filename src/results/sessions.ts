// Reads the sessions that are counted, and their answers, slice by slice: all of them at once would not fit into memory.

import type { Reader, SqlValue } from "../../db/sqlite/connection.ts";
import type { OutcomeReason } from "../nouns/content/content.ts";
import { dayIn, UTC } from "../nouns/screeners/time-zones.ts";
import { OUTCOME_REASON_SQL } from "../nouns/sessions/outcome-reasons.ts";
import type { Results } from "./results.ts";

const MAX_DAYS = 366;

/** How many sessions are read at once, and about how many answers. */
const SESSIONS_AT_ONCE = 500;
const ANSWERS_AT_ONCE = 4000;

/** What is counted: a screener's sessions, of one publication or of all. */
export interface Scope {
  screenerId: number;
  /** undefined: all. */
  publicationId: number | undefined;
  /** Whether those are counted whose participants have withdrawn. */
  includesWithdrawn: boolean;
  /** The rowids of those that filters let through, in order. undefined: there are no filters. */
  only?: readonly number[] | undefined;
  /** Those that are looked at, as a share of those that have started. 1: all. */
  share: number;
}

type Counted = Pick<Scope, "screenerId" | "includesWithdrawn" | "only">;

/** A session that has started. */
export interface CountedSession {
  id: number;
  participant: number;
  publication: number;
  state: "IN_PROGRESS" | "COMPLETED";
  reason: OutcomeReason | null;
  /** JSON: how long pages were open, by `p<index of the page>`, in ms. */
  times: string | null;
  /** JSON: the ids of its arms, by those of the assignments. */
  arms: string | null;
}

/** How many sessions of a publication are in a state. */
interface SessionCount {
  publication: number;
  hasStarted: 0 | 1;
  isCompleted: 0 | 1;
  n: number;
}

/** Which sessions are in results: those that were not removed, and are no tests; by default, also not withdrawn. */
const COUNTED = "t.screener_id = ? AND t.status <> 'REMOVED' AND t.is_test = 0";
const counted = ({ includesWithdrawn }: Pick<Scope, "includesWithdrawn">) =>
  includesWithdrawn ? COUNTED : `${COUNTED} AND t.withdrawn_at IS NULL`;

/** All sessions, or those of the rowids in a parameter. */
function sessionsOf(only: Scope["only"]): string {
  return only ? "json_each(?) AS o CROSS JOIN screener_session AS t ON t.id = o.value" : "screener_session AS t";
}

/** All sessions, also those that have not started: SQLite counts them, because of those there may be very many. */
export function countSessions(db: Reader, which: Counted): SessionCount[] {
  return db.all(
    `SELECT screener_publication_id AS publication, state <> 'NOT_STARTED' AS hasStarted, state = 'COMPLETED' AS isCompleted, count(*) AS n
     FROM ${sessionsOf(which.only)} WHERE ${counted(which)} GROUP BY 1, 2, 3`,
    ...(which.only ? [JSON.stringify(which.only)] : []),
    which.screenerId,
  );
}

/** Sessions whose participants have withdrawn. */
interface WithdrawnCount {
  isCompleted: 0 | 1;
  outcome: "QUALIFIED" | "DISQUALIFIED" | "UNKNOWN" | null;
  n: number;
  /** How many of them are the last one of a screener participant, whose status is UNKNOWN by that. */
  last: number;
}

export function countWithdrawn(db: Reader, screenerId: number): WithdrawnCount[] {
  return db.all(
    `SELECT t.state = 'COMPLETED' AS isCompleted, t.outcome, count(*) AS n, sum(a.id IS NOT NULL AND NOT EXISTS (
         SELECT 1 FROM screener_session AS s WHERE s.screener_participant_uid = t.screener_participant_uid AND s.id > t.id
           AND s.status <> 'REMOVED' AND s.is_test = 0)) AS last
     FROM screener_session AS t INDEXED BY screener_session_withdrawn
       LEFT JOIN screener_participant AS a ON a.uid = t.screener_participant_uid
     WHERE t.screener_id = ? AND t.withdrawn_at IS NOT NULL AND t.status <> 'REMOVED' AND t.is_test = 0 GROUP BY 1, 2`,
    screenerId,
  );
}

/** Of a time: its day in UTC, or its quarter of an hour, because in other time zones days begin at any of them. */
const dayOf = (column: string) => `substr(${column}, 1, 10)`;
const quarterOf = (column: string) => `substr(${column}, 1, 14) || printf('%02d', substr(${column}, 15, 2) / 15 * 15)`;

/** By the days of the study's time zone. Each of the times is counted for itself: all combinations would be almost as many as sessions. @param publicationId undefined: all */
export function daysOf(
  db: Reader,
  { publicationId, ...which }: Omit<Scope, "share">,
  timeZone: string,
): Results["days"] {
  const days = new Map<string, Results["days"][number]>();
  const timeOf = timeZone === UTC ? dayOf : quarterOf;
  const count = (what: "opened" | "started" | "completed" | "qualified", column: string, more = "TRUE") => {
    const times = db.all<{ time: string; n: number }>(
      `SELECT ${timeOf(column)} AS time, count(*) AS n FROM ${sessionsOf(which.only)}
       WHERE ${counted(which)} AND ${column} IS NOT NULL AND ${more} ${publicationId === undefined ? "" : "AND screener_publication_id = ?"}
       GROUP BY 1`,
      ...(which.only ? [JSON.stringify(which.only)] : []),
      which.screenerId,
      ...(publicationId === undefined ? [] : [publicationId]),
    );
    for (const { time, n } of times) {
      const date = timeZone === UTC ? time : dayIn(timeZone, `${time}Z`);
      const day = days.get(date) ?? { date, opened: 0, started: 0, completed: 0, qualified: 0 };
      day[what] += n;
      days.set(date, day);
    }
  };
  count("opened", "created_at");
  count("started", "started_at");
  count("completed", "completed_at");
  count("qualified", "completed_at", "outcome = 'QUALIFIED'");
  return [...days.values()].sort((one, other) => (one.date < other.date ? -1 : 1)).slice(-MAX_DAYS);
}

/**
 * The sessions that have started, by rowid. Of a sample, those whose rowid comes first in an order that has nothing to do with theirs:
 * the rowid times an odd number near 2 ** 32 divided by the golden ratio, without what is above 32 bits.
 */
export function* startedSessions(db: Reader, scope: Scope, questions: number): Generator<CountedSession[]> {
  const { screenerId, publicationId, share, only } = scope;
  const limit = Math.max(1, Math.min(SESSIONS_AT_ONCE, Math.floor(ANSWERS_AT_ONCE / Math.max(questions, 1))));
  const ofPublication = publicationId === undefined ? "" : "AND t.screener_publication_id = ?";
  const read = (from: string, which: readonly SqlValue[], after: number) =>
    db.all<CountedSession>(
      `SELECT t.id, participant_id AS participant, screener_publication_id AS publication, state, ${OUTCOME_REASON_SQL} AS reason, page_times AS times, arms
       FROM ${from}
       WHERE ${counted(scope)} AND t.id > ? AND state <> 'NOT_STARTED' ${ofPublication} AND ((t.id * 2654435769) & 4294967295) < ?
       ORDER BY t.id LIMIT ?`,
      ...which,
      screenerId,
      after,
      ...(publicationId === undefined ? [] : [publicationId]),
      Math.ceil(share * 2 ** 32),
      limit,
    );
  if (only) {
    for (let at = 0; at < only.length; at += limit) {
      const slice = read(sessionsOf(only), [JSON.stringify(only.slice(at, at + limit))], 0);
      if (slice.length) yield slice;
    }
    return;
  }
  let after = 0;
  for (;;) {
    const slice = read("screener_session AS t INDEXED BY screener_session_screener", [], after);
    if (slice.length) yield slice;
    if (slice.length < limit) return;
    after = slice.at(-1)!.id;
  }
}
