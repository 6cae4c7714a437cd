// Opens and removes sessions.

import type { Reader, Writer } from "../../db/sqlite/connection.ts";
import { newSlug, newUnguessableId } from "../base/ids.ts";
import { Problem } from "../base/problems.ts";
import { changesBetween, type NewEvent, type RecordEvent } from "../events/record.ts";
import { findPublicationById } from "../nouns/publications/queries.ts";
import { isFull } from "../nouns/publications/quota.ts";
import { derive, deriveAssignment } from "../nouns/screener-participants/derived.ts";
import { getAssignment } from "../nouns/screener-participants/queries.ts";
import { findActivePublicationId, getAcceptance, requireAccepting } from "../nouns/screeners/queries.ts";
import { findOpenSession, getSession, insertSession, markRemoved } from "../nouns/sessions/queries.ts";
import { session } from "../nouns/sessions/resource.ts";
import { givePlacesBack } from "./places.ts";

/**
 * Inside a transaction: opens a session on the screener's active publication, and writes an event; or finds the session that
 * is open. @param mark what its slug begins with. @throws Problem screener_participant_not_found, screener_closed, screener_not_published, quota_reached
 */
export function openSession(
  db: Writer,
  assignmentUid: string,
  mark: string,
  record: RecordEvent,
): { uid: string; isNew: boolean } {
  const assignment = getAssignment(db, assignmentUid);
  const open = findOpenSession(db, assignment.uid);
  if (open) return { uid: open.uid, isNew: false };
  requireAccepting(getAcceptance(db, assignment.screener_id));
  const publicationId = findActivePublicationId(db, assignment.screener_id);
  const publication = publicationId ? findPublicationById(db, publicationId) : undefined;
  if (!publication) throw new Problem("screener_not_published");
  if (isFull(db, publication)) throw new Problem("quota_reached");
  const uid = newUnguessableId();
  const at = new Date();
  insertSession(db, {
    uid,
    slug: newSlug(mark),
    screenerId: assignment.screener_id,
    assignmentUid: assignment.uid,
    participantId: assignment.participant_id,
    publicationId: publication.id,
    tagSetId: publication.tag_set_id,
    now: at.toISOString(),
  });
  const derived = derive(db, assignment);
  record({
    ...sessionEvent("created", uid),
    changes: [...changesBetween(null, shownSession(db, uid)), ...derived],
    at,
  });
  return { uid, isNew: true };
}

/** Inside a transaction: marks a session as removed, and writes an event. It is kept for audit. @throws Problem screener_session_not_found */
export function removeSession(db: Writer, uid: string, record: RecordEvent): void {
  const row = getSession(db, uid);
  if (row.status === "REMOVED") return;
  const before = shownSession(db, row.uid);
  markRemoved(db, row);
  givePlacesBack(db, row, "SESSION_REMOVED", record);
  const derived = deriveAssignment(db, row.screener_participant_uid);
  record({
    ...sessionEvent("removed", row.uid),
    changes: [...changesBetween(before, shownSession(db, row.uid)), ...derived],
  });
}

/** The type and the resource of an event of a session. */
export function sessionEvent(end: SessionEvent, uid: string): Pick<NewEvent, "type" | "resource"> {
  return { type: `screener-session.${end}`, resource: { type: session.type, uid } };
}

type SessionEvent = "created" | "started" | "answered" | "completed" | "overridden" | "removed";

/** A session as JSON, without its link: that depends on where the service is. */
function shownSession(db: Reader, uid: string): string {
  return db.value<string>("SELECT json_remove(?, '$.screenerSessionLink')", session.find(db, uid, "")!)!;
}
