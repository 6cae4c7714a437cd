// Opens and removes sessions, and keeps what an assignment shows of its sessions up to date.

import type { Reader, Writer } from "../../db/connection.ts";
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
import { findActivePublicationId, getAcceptance, requireAccepting } from "../screeners/queries.ts";
import {
  findCurrentSessionId,
  findLatestSession,
  findOpenSession,
  getSession,
  hasQualified,
  insertSession,
  markRemoved,
  type SessionRow,
} from "./queries.ts";

/**
 * Inside a transaction: opens a session on the screener's active publication, or finds the session that is open.
 * @throws Problem screener_participant_not_found, screener_closed, screener_not_published, quota_reached
 */
export function openSession(db: Writer, assignmentUid: string): { uid: string; isNew: boolean } {
  const assignment = getAssignment(db, assignmentUid);
  const open = findOpenSession(db, assignment.uid);
  if (open) return { uid: open.uid, isNew: false };
  requireAccepting(getAcceptance(db, assignment.screener_id));
  const publicationId = findActivePublicationId(db, assignment.screener_id);
  const publication = publicationId ? findPublicationById(db, publicationId) : undefined;
  if (!publication) throw new Problem("screener_not_published");
  if (isFull(db, publication)) throw new Problem("quota_reached");
  const uid = newUnguessableId();
  insertSession(db, {
    uid,
    slug: newSlug(),
    screenerId: assignment.screener_id,
    assignmentUid: assignment.uid,
    participantId: assignment.participant_id,
    publicationId: publication.id,
    tagSetId: publication.tag_set_id,
    now: new Date().toISOString(),
  });
  derive(db, assignment);
  return { uid, isNew: true };
}

/** Inside a transaction: marks a session as removed. It is kept for audit. @throws Problem screener_session_not_found */
export function removeSession(db: Writer, uid: string): void {
  const session = getSession(db, uid);
  if (session.status === "REMOVED") return;
  markRemoved(db, session);
  deriveAssignment(db, session.screener_participant_uid);
}

/** Whether a publication has reached its target of qualified participants, not counting the participant `besides`. */
export function isFull(db: Reader, publication: PublicationRow, besides?: number): boolean {
  const target = publication.target_qualified_participants;
  return target !== null && hasQualified(db, publication.id, target - publication.erased_qualified, besides);
}

/** Inside a transaction: updates what an assignment shows of its sessions, unless the assignment was removed. */
export function deriveAssignment(db: Writer, assignmentUid: string): void {
  const assignment = findAssignment(db, assignmentUid);
  if (assignment) derive(db, assignment);
}

function derive(db: Writer, assignment: AssignmentRow): void {
  const latest = findLatestSession(db, assignment.uid);
  updateAssignment(db, assignment, {
    status: assignmentStatus(latest),
    currentSessionId: findCurrentSessionId(db, assignment.uid) ?? null,
  });
}

function assignmentStatus(latest: Pick<SessionRow, "state" | "outcome"> | undefined): AssignmentStatus {
  if (!latest || latest.state === "NOT_STARTED") return "NOT_STARTED";
  return latest.state === "IN_PROGRESS" ? "IN_PROGRESS" : (latest.outcome ?? "UNKNOWN");
}
