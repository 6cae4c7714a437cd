// Writes a new session, without reading it again.

import { countRow } from "../../../db/list/counts.ts";
import type { Writer } from "../../../db/sqlite/connection.ts";
import { referenceOf } from "../../base/references.ts";
import type { SessionRow } from "./queries.ts";
import { countedSessions } from "./resource.ts";

/** By which link somebody has joined, what was typed there, and what the order by chance comes from (null: the session's id). */
export interface Joining {
  linkId: number;
  email: string | null;
  seed: string;
}

/** A session that is made by its first submission: when that was, in which language, and how long pages were open (JSON). */
export interface Begun {
  at: Date;
  language: string | null;
  pageTimes: string | null;
}

const INSERT = `INSERT INTO screener_session (uid, slug, screener_id, screener_participant_uid, participant_id, screener_publication_id,
    tag_set_id, created_at, is_test, reference, screener_link_id, claimed_email, order_of, state, started_at, last_active_at, language,
    page_times)
  VALUES (${Array(18).fill("?").join(", ")})`;

/** What a new session has of these. */
const UNSAID = {
  status: "ACTIVE",
  outcome: null,
  outcome_reason: null,
  refused_uid: null,
  withdrawn_at: null,
  answers_erased_at: null,
  completed_at: null,
  override: null,
  outcome_quota_ids: null,
  quota_ids: null,
  offered_until: null,
  offer: null,
  arms: null,
  review_state: null,
  review: null,
} as const satisfies Partial<SessionRow>;

/** Its members are those of the row: SQLite takes long to give a row back that it has written. */
export function insertSession(
  db: Writer,
  session: {
    uid: string;
    slug: string;
    screenerId: number;
    assignmentUid: string;
    participantId: number;
    publicationId: number;
    tagSetId: number;
    now: string;
    isTest?: boolean;
    joined?: Joining | undefined;
    begun?: Begun | undefined;
  },
): SessionRow {
  const { isTest = false, joined, begun } = session;
  const begunAt = begun?.at.toISOString() ?? null;
  const written = {
    uid: session.uid,
    screener_id: session.screenerId,
    screener_participant_uid: session.assignmentUid,
    participant_id: session.participantId,
    screener_publication_id: session.publicationId,
    is_test: isTest ? 1 : 0,
    reference: referenceOf(db, session.uid),
    claimed_email: joined?.email ?? null,
    order_of: joined?.seed ?? null,
    state: begun ? "IN_PROGRESS" : "NOT_STARTED",
    started_at: begunAt,
    last_active_at: begunAt,
    language: begun?.language ?? null,
    page_times: begun?.pageTimes ?? null,
  } as const;
  const { lastInsertRowid } = db.run(
    INSERT,
    ...[written.uid, session.slug, written.screener_id, written.screener_participant_uid, written.participant_id],
    ...[written.screener_publication_id, session.tagSetId, session.now, written.is_test, written.reference],
    ...[joined?.linkId ?? null, written.claimed_email, written.order_of, written.state, begunAt, begunAt],
    ...[written.language, written.page_times],
  );
  const row: SessionRow = { id: Number(lastInsertRowid), ...written, ...UNSAID };
  if (!isTest) countRow(db, countedSessions, row.id, row, 1);
  return row;
}
