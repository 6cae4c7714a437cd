// Somebody joins a study by an open link: a participant, an assignment and a session are made, for a person whom nobody knew.

import type { Writer } from "../../db/sqlite/connection.ts";
import { newId } from "../base/ids.ts";
import { actorRow, SERVICE } from "../events/actors.ts";
import { type Change, firstChanges, type RecordEvent } from "../events/record.ts";
import type { LinkRow } from "../nouns/links/queries.ts";
import { insertParticipant } from "../nouns/participants/queries.ts";
import { participant } from "../nouns/participants/resource.ts";
import type { PublicationRow } from "../nouns/publications/queries.ts";
import { statusOf } from "../nouns/screener-participants/derived.ts";
import { findAssignmentOf, insertAssignment } from "../nouns/screener-participants/queries.ts";
import { assignment } from "../nouns/screener-participants/resource.ts";
import { getScreenerUid } from "../nouns/screeners/queries.ts";
import type { Begun } from "../nouns/sessions/insert.ts";
import type { SessionRow } from "../nouns/sessions/queries.ts";
import { type OpenedSession, openedEvent, openFor, openSession } from "./lifecycle.ts";

/** What is known of somebody who joins. */
interface Newcomer {
  name: string | null;
  /** As it was typed. */
  email: string | null;
  /** Whether it was confirmed, and nobody else has it. */
  isConfirmed?: boolean;
  /** The text of src/base/attributes.ts. */
  attributes: string;
  /** What the order by chance came from that the first page had. */
  seed: string;
}

/** A study that was found to take somebody. */
export interface Study {
  screener: string;
  /** The active one. */
  publication: PublicationRow;
}

/** The session of somebody who joins. */
export interface JoiningSession {
  session: SessionRow;
  /** Assigns the person, once it is known what the session comes to: call it. @returns what the assignment has from the session */
  assign(progress: Pick<SessionRow, "state" | "outcome">): Change[];
}

/**
 * Inside a transaction, in which the study was found to take somebody. @param mark what the slug of the session begins with. @param begun by the first
 * submission, which the caller takes. Missing: the session is not started
 * @throws Problem 400 if the workspace gets too many keys of attributes
 */
export function join(
  db: Writer,
  link: LinkRow,
  { screener, publication }: Study,
  who: Newcomer,
  mark: string,
  record: RecordEvent,
  begun?: Begun,
): JoiningSession {
  const actor = actorRow(db, SERVICE);
  const at = begun?.at ?? new Date();
  const [participantUid, assignmentUid] = [newId(), newId()];
  const values = {
    // In the order of time, so that those of many people who join share pages of its index.
    externalUid: `joined-${newId()}`,
    email: who.isConfirmed ? who.email : null,
    name: who.name,
    attributes: who.attributes,
  };
  const participantId = insertParticipant(db, { uid: participantUid, values, actor, now: at.toISOString() });
  if (participantId === undefined) throw new Error("A random externalUid is taken.");
  const joined = { linkId: link.id, email: who.isConfirmed ? null : who.email, seed: who.seed };
  const opened = openFor(db, publication, { uid: assignmentUid, participantId }, mark, joined, begun);
  const { session } = opened;
  // What was written, without reading it again.
  const changes = firstChanges({ ...values, attributes: JSON.parse(values.attributes) });
  record({
    type: "participant.created",
    resource: { type: participant.type, uid: participantUid },
    changes,
    at,
    byService: true,
  });
  record(joinedEvent(link, screener, assignmentUid, participantUid, at));
  const derived = [{ field: "screenerParticipant.currentSessionId", from: null, to: session.uid }];
  record(openedEvent(db, opened, derived, firstChanges(madeSession(db, opened, screener, link))));
  const assign: JoiningSession["assign"] = (progress) => {
    const status = statusOf(progress);
    const own = { uid: assignmentUid, screenerId: link.screener_id, participantId };
    insertAssignment(db, own, { status, currentSessionId: session.id });
    return status === "NOT_STARTED" ? [] : [{ field: "screenerParticipant.status", from: "NOT_STARTED", to: status }];
  };
  return { session, assign };
}

/** The session as its JSON shows it first, without reading it. */
function madeSession(db: Writer, opened: OpenedSession, screener: string, link: LinkRow): object {
  const { session, slug, publication } = opened;
  const { tag_set_id } = publication;
  const tags = () => JSON.parse(db.value<string>("SELECT json FROM tag_set WHERE id = ?", tag_set_id)!);
  return {
    screenerId: screener,
    screenerParticipantId: session.screener_participant_uid,
    screenerPublicationId: publication.uid,
    linkSlug: slug,
    status: session.status,
    state: "NOT_STARTED",
    assignedTags: db.once(`tags ${tag_set_id}`, tags),
    reference: session.reference,
    outcomeQuotaIds: [],
    screenerLinkId: link.uid,
    arms: [],
    withdrawnConsents: [],
  };
}

/** The same with a session that is not started. @returns its id */
export function joinUnbegun(...joining: Parameters<typeof join>): string {
  const { session, assign } = join(...joining);
  assign(session);
  return session.uid;
}

/**
 * Inside a transaction: a participant who is known, by an email that was confirmed, goes on at the own session, or joins. What is known of them
 * stays as it is. @returns the id of the session, and whether it was made now @throws Problem as `openSession`
 */
export function joinAs(
  db: Writer,
  link: LinkRow,
  known: { id: number; uid: string; seed: string },
  mark: string,
  record: RecordEvent,
): { uid: string; isNew: boolean } {
  const assigned = findAssignmentOf(db, link.screener_id, known.id);
  if (assigned !== undefined) {
    const { currentSessionId } = JSON.parse(assignment.find(db, assigned)!);
    if (currentSessionId !== null) return { uid: currentSessionId, isNew: false };
  }
  const uid = assigned ?? newId();
  if (assigned === undefined) {
    insertAssignment(db, { uid, screenerId: link.screener_id, participantId: known.id });
    record(joinedEvent(link, getScreenerUid(db, link.screener_id), uid, known.uid, new Date()));
  }
  return openSession(db, uid, mark, record, { linkId: link.id, email: null, seed: known.seed });
}

function joinedEvent(link: LinkRow, screenerUid: string, assignmentUid: string, participantUid: string, at: Date) {
  return {
    type: "screener-participant.joined" as const,
    resource: { type: assignment.type, uid: assignmentUid },
    summary: {
      screenerId: screenerUid,
      participantId: participantUid,
      screenerLinkId: link.uid,
    },
    at,
    byService: true as const,
  };
}
