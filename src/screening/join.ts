// Somebody joins a study by an open link: a participant, an assignment and a session are made, for a person whom nobody knew.

import { randomUUID } from "node:crypto";
import type { Writer } from "../../db/sqlite/connection.ts";
import { newId } from "../base/ids.ts";
import { actorRow, SERVICE } from "../events/actors.ts";
import { changesBetween, type RecordEvent } from "../events/record.ts";
import type { LinkRow } from "../nouns/links/queries.ts";
import { insertParticipant } from "../nouns/participants/queries.ts";
import { participant } from "../nouns/participants/resource.ts";
import { insertAssignment } from "../nouns/screener-participants/queries.ts";
import { assignment } from "../nouns/screener-participants/resource.ts";
import { getScreenerUid } from "../nouns/screeners/queries.ts";
import { openSession } from "./lifecycle.ts";

/** What is known of somebody who joins. */
interface Newcomer {
  name: string | null;
  /** As it was typed: nobody has confirmed it. */
  email: string | null;
  /** The text of src/base/attributes.ts. */
  attributes: string;
  /** What the order by chance came from that the first page had. Null: the session's id. */
  seed: string | null;
}

/**
 * Inside a transaction. @param mark what the slug of the session begins with. @returns the id of the session, which is not started
 * @throws Problem screener_closed, link_expired, screener_not_published, quota_reached; 400 if the workspace gets too many keys of attributes
 */
export function join(db: Writer, link: LinkRow, who: Newcomer, mark: string, record: RecordEvent): string {
  const actor = actorRow(db, SERVICE);
  const at = new Date();
  const [participantUid, assignmentUid] = [newId(), newId()];
  const values = { externalUid: `joined-${randomUUID()}`, email: null, name: who.name, attributes: who.attributes };
  if (!insertParticipant(db, { uid: participantUid, values, actor, now: at.toISOString() }))
    throw new Error("A random externalUid is taken.");
  insertAssignment(db, { uid: assignmentUid, screenerId: link.screener_id, participantUid });
  const changes = changesBetween(null, participant.find(db, participantUid)!);
  record({
    type: "participant.created",
    resource: { type: participant.type, uid: participantUid },
    changes,
    at,
    byService: true,
  });
  record({
    type: "screener-participant.joined",
    resource: { type: assignment.type, uid: assignmentUid },
    summary: {
      screenerId: getScreenerUid(db, link.screener_id),
      participantId: participantUid,
      screenerLinkId: link.uid,
    },
    at,
    byService: true,
  });
  const joined = { linkId: link.id, email: who.email, seed: who.seed };
  return openSession(db, assignmentUid, mark, record, joined).uid;
}
