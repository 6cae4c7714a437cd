// Finds the sessions that a job is to review, before others have to wait for it.

import type { Reader } from "../../db/sqlite/connection.ts";
import { invalidRequest, Problem } from "../base/problems.ts";
import { sessionsOf } from "../exports/matching.ts";
import { readFilter, type SentFilter } from "../exports/sent-filter.ts";
import { shown } from "../languages/counted.ts";
import { getScreener } from "../nouns/screeners/queries.ts";
import { reviewFilter } from "../nouns/sessions/reviews.ts";

/** How many sessions one job reviews: others can't write while it is applied. */
const MAX_REVIEWED = 5000;

/** Which sessions: those that a filter lets through, or those with these ids. */
interface WantedSessions {
  screenerId: string;
  filter: SentFilter | null;
  screenerSessionIds: string[] | null;
}

/** Sessions, each with the state of its review that it must still have when it is reviewed. */
export type Chosen = readonly (readonly [id: number, state: string | null])[];

/** @throws Problem screener_not_found, invalid_request, too_many_sessions */
export function chooseSessions(db: Reader, { screenerId, filter, screenerSessionIds }: WantedSessions): Chosen {
  const screener = getScreener(db, screenerId);
  if (screenerSessionIds) return named(db, screener.id, screenerSessionIds);
  const { filters, asked } = readFilter(filter!, { pointer: "/filter" });
  const isAnyState = Object.hasOwn(filter!, "review");
  const pending = { by: reviewFilter.by, operator: "eq" as const, values: ["PENDING"] };
  const ids = sessionsOf(db, screener, { filters: isAnyState ? filters : [...filters, pending], asked });
  if (ids.length > MAX_REVIEWED) throw tooMany(ids.length);
  return db
    .all<{ id: number; state: string | null }>(
      `SELECT e.id, e.review_state AS state FROM json_each(?) AS j CROSS JOIN screener_session AS e ON e.id = j.value`,
      JSON.stringify(ids),
    )
    .map(({ id, state }) => [id, state]);
}

function named(db: Reader, screenerId: number, uids: readonly string[]): Chosen {
  const rows = db.all<{ at: number; id: number | null }>(
    `SELECT j.key AS at, e.id FROM json_each(?) AS j
       LEFT JOIN screener_session AS e ON e.uid = j.value AND e.screener_id = ? AND e.is_test = 0 ORDER BY j.key`,
    JSON.stringify(uids),
    screenerId,
  );
  const errors = rows.flatMap(({ at, id }) =>
    id === null ? [{ pointer: `/screenerSessionIds/${at}`, message: "names no session of this screener" }] : [],
  );
  if (errors.length) throw invalidRequest(errors);
  return rows.map(({ id }) => [id!, "PENDING"]);
}

function tooMany(count: number): Problem {
  const [found, most] = [count, MAX_REVIEWED].map(shown);
  return new Problem("too_many_sessions", {
    detail: `The filter finds ${found} sessions, and a job reviews at most ${most}. Filter by time, one part after the other.`,
  });
}
