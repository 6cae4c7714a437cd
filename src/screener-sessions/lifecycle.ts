// Opens and removes sessions, and keeps what an assignment shows of its sessions up to date.

import type { Reader, Writer } from "../../db/connection.ts";
import { type Change, changesBetween, type NewEvent, type RecordEvent } from "../events/record.ts";
import { newSlug, newUnguessableId } from "../ids.ts";
import { Problem } from "../problems.ts";
import {
  type AssignmentRow,
  findAssignment,
  getAssignment,
  updateAssignment,
} from "../screener-participants/queries.ts";
import type { AssignmentStatus } from "../screener-participants/resource.ts";
import { findPublicationById, type PublicationRow } from "../screener-publications/queries.ts";
import { publication as publicationResource } from "../screener-publications/resource.ts";
import { findActivePublicationId, getAcceptance, getScreenerUid, requireAccepting } from "../screeners/queries.ts";
import {
  countQualified,
  findCurrentSessionId,
  findLatestSession,
  findOpenSession,
  getSession,
  getSessionUid,
  hasQualified,
  insertSession,
  markRemoved,
  type SessionRow,
} from "./queries.ts";
import { session } from "./resource.ts";

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
  record({ ...told("created", uid), changes: [...changesBetween(null, shownSession(db, uid)), ...derived], at });
  return { uid, isNew: true };
}

/** Inside a transaction: marks a session as removed, and writes an event. It is kept for audit. @throws Problem screener_session_not_found */
export function removeSession(db: Writer, uid: string, record: RecordEvent): void {
  const row = getSession(db, uid);
  if (row.status === "REMOVED") return;
  const before = shownSession(db, row.uid);
  markRemoved(db, row);
  const derived = deriveAssignment(db, row.screener_participant_uid);
  record({ ...told("removed", row.uid), changes: [...changesBetween(before, shownSession(db, row.uid)), ...derived] });
}

/** The type and the resource of an event of a session. */
export function told(end: SessionEvent, uid: string): Pick<NewEvent, "type" | "resource"> {
  return { type: `screener-session.${end}`, resource: { type: session.type, uid } };
}

type SessionEvent = "created" | "started" | "answered" | "completed" | "overridden" | "removed";

/** A session as JSON, without its link: that depends on where the service is. */
function shownSession(db: Reader, uid: string): string {
  return db.value<string>("SELECT json_remove(?, '$.screenerSessionLink')", session.find(db, uid, "")!)!;
}

/** Whether a publication has reached its target of qualified participants, not counting the participant `besides`. */
export function isFull(db: Reader, publication: PublicationRow, besides?: number): boolean {
  const target = publication.target_qualified_participants;
  return target !== null && hasQualified(db, publication.id, target - publication.erased_qualified, besides);
}

/**
 * Inside a transaction: makes a change that may let a publication reach its target, and writes an event if it does. While the
 * target stays reached there is no other event.
 */
export function watchQuota<T>(db: Writer, publicationId: number, record: RecordEvent, change: () => T): T {
  const wasFull = isFull(db, findPublicationById(db, publicationId)!);
  const result = change();
  const publication = findPublicationById(db, publicationId)!;
  if (wasFull || !isFull(db, publication)) return result;
  const { uid, screener_id, target_qualified_participants: target, erased_qualified } = publication;
  const summary = {
    target,
    qualified: countQualified(db, publicationId) + erased_qualified,
    screenerId: getScreenerUid(db, screener_id),
  };
  const resource = { type: publicationResource.type, uid };
  record({ type: "quota.reached", resource, summary, byService: true });
  return result;
}

/**
 * Inside a transaction: updates what an assignment shows of its sessions, unless the assignment was removed. @returns what has
 * changed, for the session's event
 */
export function deriveAssignment(db: Writer, assignmentUid: string): Change[] {
  const assignment = findAssignment(db, assignmentUid);
  return assignment ? derive(db, assignment) : [];
}

function derive(db: Writer, assignment: AssignmentRow): Change[] {
  const { status, current_session_id: current } = assignment;
  const derived = {
    status: assignmentStatus(findLatestSession(db, assignment.uid)),
    currentSessionId: findCurrentSessionId(db, assignment.uid) ?? null,
  };
  const changes: Change[] = [];
  if (derived.status !== status)
    changes.push({ field: "screenerParticipant.status", from: status, to: derived.status });
  if (derived.currentSessionId !== current) {
    const [from, to] = [current, derived.currentSessionId].map((id) => (id === null ? null : getSessionUid(db, id)));
    changes.push({ field: "screenerParticipant.currentSessionId", from, to });
  }
  if (changes.length) updateAssignment(db, assignment, derived);
  return changes;
}

function assignmentStatus(latest: Pick<SessionRow, "state" | "outcome"> | undefined): AssignmentStatus {
  if (!latest || latest.state === "NOT_STARTED") return "NOT_STARTED";
  return latest.state === "IN_PROGRESS" ? "IN_PROGRESS" : (latest.outcome ?? "UNKNOWN");
}
