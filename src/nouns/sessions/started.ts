// The sessions of a screener that were started, for the export.

import { openSlices, type Slices } from "../../../db/list/slices.ts";
import type { Filter } from "../../../db/list/where.ts";
import type { Reader } from "../../../db/sqlite/connection.ts";
import type { AttributeValue } from "../../base/attributes.ts";
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
  /** If a person has set the outcome: what the rules had come to, who has set it, why and when. */
  judged: string | null;
  overriddenBy: string | null;
  overrideReason: string | null;
  overriddenAt: string | null;
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
    JOIN screener_publication AS p ON p.id = t.screener_publication_id`,
  json: `json_object('id', t.id, 'publicationId', p.id, 'uid', t.uid, 'participantUid', ${participantUidSql("r.uid")}, 'externalUid', r.external_uid,
    'publicationUid', p.uid, 'version', p.version, 'status', t.status, 'state', t.state, 'outcome', t.outcome,
    'outcomeReason', ${OUTCOME_REASON_SQL}, 'startedAt', t.started_at, 'lastActiveAt', t.last_active_at, 'completedAt', t.completed_at,
    'judged', t.override ->> '$.judged.outcome', 'overriddenBy', t.override ->> '$.createdBy.name',
    'overrideReason', t.override ->> '$.reason', 'overriddenAt', t.override ->> '$.createdAt', 'attributes', json(r.attributes),
    'isTest', json(iif(t.is_test, 'true', 'false')), 'arms', json(t.arms),
    'seed', coalesce(t.order_of, t.uid), 'shuffleVersion', p.shuffle_version)`,
};

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
  { filters, includesTests, includesWithdrawn }: StartedFilters,
  rows: number,
): Slices {
  const { by } = session.members.screenerId.filter;
  const which = [{ by, operator: "eq" as const, values: [screenerUid] }, ...filters];
  const slices = (more: readonly Filter[]) =>
    openSlices(db, includesWithdrawn ? started : startedAndStaying, [...which, ...more], {
      only: "(t.state <> 'NOT_STARTED' OR t.status = 'REMOVED')",
      rows,
    });
  if (!includesTests) return slices([]);
  const [others, tests] = [slices([]), slices([{ by: testFilter.by, operator: "eq", values: ["true"] }])];
  return { next: (reader) => others.next(reader) ?? tests.next(reader) };
}

/** Which of them. */
export interface StartedFilters {
  filters: readonly Filter[];
  /** Whether test sessions follow after all others. */
  includesTests: boolean;
  includesWithdrawn: boolean;
}
