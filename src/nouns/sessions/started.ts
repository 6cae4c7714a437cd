// The sessions of a screener that were started, for the export.

import { openSlices, type Slices } from "../../../db/list/slices.ts";
import { allOf, type Filter, splitScans, type Where, whereWithScans } from "../../../db/list/where.ts";
import type { Reader } from "../../../db/sqlite/connection.ts";
import type { AttributeValue } from "../../base/attributes.ts";
import { SIGNALS_SQL } from "../../signals/signal-filter.ts";
import { participantUidSql } from "../participants/resource.ts";
import { OUTCOME_REASON_SQL } from "./outcome-reasons.ts";
import type { SessionProgress } from "./progress.ts";
import type { SessionRow } from "./queries.ts";
import { countedSessions, session, testFilter } from "./resource.ts";

/** A session that was started, for a row of the export. */
export interface StartedSession {
  id: number;
  publicationId: number;
  uid: string;
  participantUid: string;
  externalUid: string;
  publicationUid: string;
  version: number;
  status: SessionRow["status"];
  state: SessionRow["state"];
  outcome: SessionRow["outcome"];
  outcomeReason: SessionProgress["outcomeReason"];
  startedAt: string | null;
  lastActiveAt: string | null;
  completedAt: string | null;
  withdrawnAt: string | null;
  /** If a person has set the outcome: what the rules had come to, who has set it, why and when. */
  judged: string | null;
  overriddenBy: string | null;
  overrideReason: string | null;
  overriddenAt: string | null;
  /** If it is reviewed: the state, who has decided, why and when. */
  review: string | null;
  reviewedBy: string | null;
  reviewReason: string | null;
  reviewedAt: string | null;
  language: string | null;
  /** The name of the open link. */
  link: string | null;
  /** The kinds of what speaks against it. */
  signals: string | null;
  /** The participant's. */
  attributes: Record<string, AttributeValue>;
  isTest: boolean;
  /** The ids of its arms, by those of the assignments. */
  arms: Record<string, string> | null;
  /** What its orders by chance come from. */
  seed: string;
  shuffleVersion: number;
}

const started = {
  ...countedSessions,
  from: `screener_session AS t JOIN participant AS r ON r.id = t.participant_id
    JOIN screener_publication AS p ON p.id = t.screener_publication_id
    LEFT JOIN screener_link AS l ON l.id = t.screener_link_id`,
  json: `json_object('id', t.id, 'publicationId', p.id, 'uid', t.uid, 'participantUid', ${participantUidSql("r.uid")}, 'externalUid', r.external_uid,
    'publicationUid', p.uid, 'version', p.version, 'status', t.status, 'state', t.state, 'outcome', t.outcome,
    'outcomeReason', ${OUTCOME_REASON_SQL}, 'startedAt', t.started_at, 'lastActiveAt', t.last_active_at, 'completedAt', t.completed_at, 'withdrawnAt', t.withdrawn_at,
    'judged', t.override ->> '$.judged.outcome', 'overriddenBy', t.override ->> '$.createdBy.name',
    'overrideReason', t.override ->> '$.reason', 'overriddenAt', t.override ->> '$.createdAt',
    'review', t.review_state, 'reviewedBy', t.review ->> '$.by.name', 'reviewReason', t.review ->> '$.reason', 'reviewedAt', t.review ->> '$.at',
    'language', t.language, 'link', l.name, 'signals', ${SIGNALS_SQL}, 'attributes', json(r.attributes),
    'isTest', json(iif(t.is_test, 'true', 'false')), 'arms', json(t.arms),
    'seed', coalesce(t.order_of, t.uid), 'shuffleVersion', p.shuffle_version)`,
};

/** Those of these rowids, by them. */
export function readStarted(db: Reader, ids: readonly number[]): Map<number, StartedSession & PersonOfSession> {
  const rows = db.values<string>(
    `SELECT json_patch(${started.json}, json_object('name', r.name, 'email', r.email))
     FROM json_each(?) AS i CROSS JOIN ${started.from} WHERE t.id = i.value`,
    JSON.stringify(ids),
  );
  return new Map(
    rows.map((json) => {
      const session: StartedSession & PersonOfSession = JSON.parse(json);
      return [session.id, session];
    }),
  );
}

/** What the table of answers says beside what exports have. */
interface PersonOfSession {
  name?: string;
  email?: string;
}

/**
 * The rowids of a screener's sessions that have started, in the order of their first answers, the newest first unless `isOldestFirst`.
 * Without tests, and those whose participants have withdrawn or who were removed.
 */
export function listStarted(db: Reader, which: WhichStarted, page?: { offset: number; limit: number }): number[] {
  const { sql, values } = startedWhere(db, which);
  const direction = which.isOldestFirst ? "ASC" : "DESC";
  return db.values(
    `SELECT t.id FROM screener_session AS t WHERE ${sql} ORDER BY t.started_at ${direction}, t.id ${direction} LIMIT ? OFFSET ?`,
    ...values,
    page?.limit ?? -1,
    page?.offset ?? 0,
  );
}

export function countStarted(db: Reader, which: WhichStarted): number {
  const { sql, values } = startedWhere(db, which);
  return db.value(`SELECT count(*) FROM screener_session AS t WHERE ${sql}`, ...values)!;
}

interface WhichStarted {
  screenerId: number;
  filters: readonly Filter[];
  isOldestFirst: boolean;
  /** Whether also those whose participants have withdrawn. Missing: no. */
  includesWithdrawn?: boolean;
}

/** As the index `screener_session_started` has it. */
function startedWhere(db: Reader, { screenerId, filters, includesWithdrawn }: WhichStarted): Where {
  const staying = includesWithdrawn ? "" : " AND t.withdrawn_at IS NULL";
  const sql = `t.screener_id = ? AND t.started_at IS NOT NULL AND t.is_test = 0${staying}`;
  return allOf([{ sql, values: [screenerId] }, whereWithScans(splitScans(db, filters))]);
}

/** Of a session `t`. A removed one loses its progress. */
const MAY_HAVE_STARTED = "(t.state <> 'NOT_STARTED' OR t.status = 'REMOVED')";

/** The rowids of the sessions that may be in an export. */
export function listStartedOrRemoved(db: Reader, screenerId: number): number[] {
  return db.values(
    `SELECT t.id FROM screener_session AS t WHERE t.screener_id = ? AND ${MAY_HAVE_STARTED} ORDER BY t.id`,
    screenerId,
  );
}

/** The same without those whose participants have withdrawn. */
const startedAndStaying = {
  ...started,
  apart: {
    without: `${started.apart.without} AND t.withdrawn_at IS NULL`,
    alone: `${started.apart.alone} AND t.withdrawn_at IS NULL`,
  },
};

/**
 * A screener's sessions that were started and that all filters let through, as StartedSession in JSON, `rows` at a time. Removed sessions are all
 * included, because they lose their progress: we can't know whether they were started.
 */
export function sliceStarted(
  db: Reader,
  screenerUid: string,
  { filters, ids, includesTests, includesWithdrawn }: StartedFilters,
  rows: number,
): Slices {
  const { by } = session.members.screenerId.filter;
  const which = [{ by, operator: "eq" as const, values: [screenerUid] }, ...filters];
  const slices = (more: readonly Filter[]) =>
    openSlices(db, includesWithdrawn ? started : startedAndStaying, [...which, ...more], {
      only: MAY_HAVE_STARTED,
      rows,
      ids,
    });
  if (!includesTests) return slices([]);
  const [others, tests] = [slices([]), slices([{ by: testFilter.by, operator: "eq", values: ["true"] }])];
  return { next: (reader) => others.next(reader) ?? tests.next(reader) };
}

/** How many sessions are read at once. */
const SESSIONS_AT_ONCE = 5000;

/** An attribute of the participants whose sessions were started, slice by slice. @param attribute SQL expression of its JSON in `participant` */
export function* attributesOfStarted(
  db: Reader,
  screenerId: number,
  attribute: string,
): Generator<{ session: number; value: string }[]> {
  const sql = `SELECT t.id AS session, (SELECT ${attribute} FROM participant WHERE id = t.participant_id) AS value FROM screener_session AS t
    WHERE t.screener_id = ? AND t.id > ? AND ${MAY_HAVE_STARTED} ORDER BY t.id LIMIT ?`;
  for (let after = 0; ; ) {
    const slice = db.all<{ session: number; value: string | null }>(sql, screenerId, after, SESSIONS_AT_ONCE);
    yield slice.flatMap(({ session, value }) => (value === null ? [] : [{ session, value }]));
    if (slice.length < SESSIONS_AT_ONCE) return;
    after = slice.at(-1)!.session;
  }
}

/** Which of them. */
export interface StartedFilters {
  filters: readonly Filter[];
  /** Only these rowids. undefined: all. */
  ids?: readonly number[] | undefined;
  /** Whether test sessions follow after all others. */
  includesTests: boolean;
  includesWithdrawn: boolean;
}
