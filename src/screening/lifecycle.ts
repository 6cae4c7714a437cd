// Opens and removes sessions, and withdraws people from them.

import { recountRow } from "../../db/list/counts.ts";
import type { Reader, Writer } from "../../db/sqlite/connection.ts";
import { leaveArms } from "../arms/queries.ts";
import { newSlug, newUnguessableId } from "../base/ids.ts";
import { Problem } from "../base/problems.ts";
import { NOBODY_UID } from "../events/actors.ts";
import { type Change, changesBetween, type NewEvent, type RecordEvent } from "../events/record.ts";
import { countJoin } from "../nouns/links/queries.ts";
import { nobody } from "../nouns/participants/queries.ts";
import { findPublicationById, type PublicationRow } from "../nouns/publications/queries.ts";
import { isTargetReached } from "../nouns/publications/target.ts";
import { derive, deriveAssignment } from "../nouns/screener-participants/derived.ts";
import { getAssignment } from "../nouns/screener-participants/queries.ts";
import { findActivePublicationId, getAcceptance, getScreener, requireAccepting } from "../nouns/screeners/queries.ts";
import { type Begun, insertSession, type Joining } from "../nouns/sessions/insert.ts";
import {
  countTestSessions,
  findOpenSession,
  getSession,
  markRemoved,
  type SessionRow,
} from "../nouns/sessions/queries.ts";
import { countedSessions, MAX_TEST_SESSIONS, session as sessionResource } from "../nouns/sessions/resource.ts";
import { givePlacesBack } from "./places.ts";

/**
 * Inside a transaction: opens a session on the screener's active publication, and writes an event; or finds the session that
 * is open. @param mark what its slug begins with. @param joined by which link, and what was typed there. @throws Problem screener_participant_not_found, screener_closed, link_expired, screener_not_published, quota_reached
 */
export function openSession(
  db: Writer,
  assignmentUid: string,
  mark: string,
  record: RecordEvent,
  joined?: Joining,
): { uid: string; isNew: boolean } {
  const assignment = getAssignment(db, assignmentUid);
  const open = findOpenSession(db, assignment.uid);
  if (open) return { uid: open.uid, isNew: false };
  const owner = { uid: assignment.uid, participantId: assignment.participant_id };
  requireAccepting(getAcceptance(db, assignment.screener_id));
  const publication = getActivePublication(db, assignment.screener_id);
  if (isTargetReached(db, publication)) throw new Problem("quota_reached");
  const opened = openFor(db, publication, owner, mark, joined);
  record(openedEvent(db, opened, derive(db, assignment)));
  return { uid: opened.session.uid, isNew: true };
}

/**
 * Inside a transaction: opens a session of a study that was found to take it. Who joins has one before the assignment is made: so that has the
 * session from the beginning.
 */
export function openFor(
  db: Writer,
  publication: PublicationRow,
  owner: Owner,
  mark: string,
  joined: Joining | undefined,
  begun?: Begun,
): OpenedSession {
  const opened = insertFor(db, publication, owner, mark, { joined, begun });
  if (joined) countJoin(db, joined.linkId, begun !== undefined);
  return opened;
}

/**
 * Says that a session was opened. What it has begun with is said by another event. @param derived what has changed of its assignment
 * @param made what the session was made with, where that is known
 */
export function openedEvent(
  db: Reader,
  { session, at }: OpenedSession,
  derived: readonly Change[],
  made: readonly Change[] = changesBetween(null, shownSession(db, session.uid)),
): NewEvent {
  const shown = made.filter(({ field }) => !UNSAID.has(field));
  const createdAt = { field: "createdAt", from: null, to: at.toISOString() };
  return { ...sessionEvent("created", session), changes: [...shown, createdAt, ...derived], at };
}

/** The link depends on where the service is; what the summary of an event says is said once; and the others come with the first answers. */
const UNSAID = new Set(["screenerSessionLink", "isTest", "startedAt", "lastActiveAt", "language"]);

/** Whom a test session is opened for: a screener participant, or nobody. */
type Tested = { screenerParticipantId: string } | { screenerId: string };

/**
 * Inside a transaction: opens a test session on the screener's active publication, and writes an event. Neither whether the screener takes
 * answers nor its target matters. @throws Problem screener_participant_not_found, screener_not_found, screener_not_published, test_session_limit
 */
export function openTestSession(db: Writer, tested: Tested, mark: string, record: RecordEvent): string {
  const assignment = "screenerParticipantId" in tested ? getAssignment(db, tested.screenerParticipantId) : undefined;
  const screenerId = assignment?.screener_id ?? getScreener(db, (tested as { screenerId: string }).screenerId).id;
  const publication = getActivePublication(db, screenerId);
  if (countTestSessions(db, screenerId) >= MAX_TEST_SESSIONS) throw new Problem("test_session_limit");
  const owner = assignment
    ? { uid: assignment.uid, participantId: assignment.participant_id }
    : { uid: NOBODY_UID, participantId: nobody(db) };
  const opened = insertFor(db, publication, owner, mark, { isTest: true });
  record(openedEvent(db, opened, []));
  return opened.session.uid;
}

/** @throws Problem screener_not_published */
function getActivePublication(db: Reader, screenerId: number): PublicationRow {
  const publicationId = findActivePublicationId(db, screenerId);
  const publication = publicationId ? findPublicationById(db, publicationId) : undefined;
  if (!publication) throw new Problem("screener_not_published");
  return publication;
}

/** Whose session it is: an assignment, by its id. */
interface Owner {
  uid: string;
  participantId: number;
}

export interface OpenedSession {
  session: SessionRow;
  slug: string;
  publication: PublicationRow;
  at: Date;
}

function insertFor(
  db: Writer,
  publication: PublicationRow,
  owner: Owner,
  mark: string,
  { isTest = false, joined, begun }: { isTest?: boolean; joined?: Joining | undefined; begun?: Begun | undefined },
): OpenedSession {
  const at = begun?.at ?? new Date();
  const slug = newSlug(mark);
  const session = insertSession(db, {
    uid: newUnguessableId(),
    slug,
    screenerId: publication.screener_id,
    assignmentUid: owner.uid,
    participantId: owner.participantId,
    publicationId: publication.id,
    tagSetId: publication.tag_set_id,
    now: at.toISOString(),
    isTest,
    joined,
    begun,
  });
  return { session, slug, publication, at };
}

/** Inside a transaction: marks a session as removed, and writes an event. It is kept for audit. @throws Problem screener_session_not_found */
export function removeSession(db: Writer, uid: string, record: RecordEvent): void {
  const row = getSession(db, uid);
  if (row.status === "REMOVED") return;
  const before = shownSession(db, row.uid);
  const at = new Date();
  markRemoved(db, row);
  const opened: NewEvent[] = [];
  givePlacesBack(db, row, "SESSION_REMOVED", at, (event) => opened.push(event));
  if (row.arms !== null) leaveArms(db, row.id);
  const derived = row.is_test ? [] : deriveAssignment(db, row.screener_participant_uid);
  record({
    ...sessionEvent("removed", row),
    changes: [...changesBetween(before, shownSession(db, row.uid)), ...derived],
    at,
  });
  for (const event of opened) record(event);
}

/** Inside a transaction: archives a session that was begun, gives back its places, and writes an event. Another time it changes nothing. */
export function withdrawSession(db: Writer, row: SessionRow, record: RecordEvent): void {
  if (row.started_at === null || row.withdrawn_at !== null || row.status === "REMOVED") return;
  const at = new Date();
  if (!row.is_test) recountRow(db, countedSessions, row.id, row, { status: "ARCHIVED" });
  db.run(
    `UPDATE screener_session SET status = 'ARCHIVED', withdrawn_at = ?, withdrawn_consents = ${CONSENTS}, offered_until = NULL, offer = NULL
     WHERE id = ?`,
    at.toISOString(),
    row.id,
    row.id,
  );
  const turned: NewEvent[] = [];
  // Who was accepted has done what was asked for.
  if (row.review_state !== "ACCEPTED") givePlacesBack(db, row, "WITHDRAWN", at, (event) => turned.push(event));
  if (row.arms !== null) leaveArms(db, row.id);
  const derived = row.is_test ? [] : deriveAssignment(db, row.screener_participant_uid);
  const consents: object[] = JSON.parse(
    db.value("SELECT withdrawn_consents FROM screener_session WHERE id = ?", row.id)!,
  );
  const changes: Change[] = [
    { field: "status", from: row.status, to: "ARCHIVED" },
    { field: "withdrawnAt", from: null, to: at.toISOString() },
    ...(consents.length ? [{ field: "withdrawnConsents", from: [], to: consents }] : []),
    ...derived,
  ].filter(({ from, to }) => from !== to);
  record({ ...sessionEvent("withdrawn", row), changes, at });
  for (const event of turned) record(event);
}

/** What was agreed to in a session, as JSON. */
const CONSENTS = `(SELECT json_group_array(json_object('screenerQuestionId', q.uid, 'textHash', r.answer ->> '$.textHash',
    'version', r.answer ->> '$.version', 'language', r.answer ->> '$.language', 'at', r.answer ->> '$.at'))
  FROM screener_response AS r JOIN publication_question AS q ON q.id = r.publication_question_id
  WHERE r.screener_session_id = ? AND q.type = 'ScreenerConsentQuestion' AND r.answer <> 'null')`;

/** The type and the resource of an event of a session. Of a test, the summary says so. */
export function sessionEvent(
  end: SessionEvent,
  { uid, is_test }: Pick<SessionRow, "uid" | "is_test">,
  summary?: object,
): Pick<NewEvent, "type" | "resource" | "summary"> {
  const said = is_test ? { ...summary, isTest: true } : summary;
  return {
    type: `screener-session.${end}`,
    resource: { type: sessionResource.type, uid },
    ...(said && { summary: said }),
  };
}

type SessionEvent =
  | "created"
  | "started"
  | "language-chosen"
  | "answered"
  | "completed"
  | "overridden"
  | "accepted"
  | "rejected"
  | "review-reopened"
  | "withdrawn"
  | "removed";

/** A session as JSON. */
function shownSession(db: Reader, uid: string): string {
  return sessionResource.find(db, uid, "")!;
}
