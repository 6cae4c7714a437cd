// /screener-participants

import type { Writer } from "../../../db/sqlite/connection.ts";
import type { RecordEvent } from "../../events/record.ts";
import { type AnyEndpoint, defineEndpoint, ok } from "../../http/endpoint.ts";
import { defineList } from "../../http/lists.ts";
import { defineRead } from "../../http/reads.ts";
import { writeOnce } from "../../writes/write-once.ts";
import { releaseHeldOf } from "../quotas/place-queries.ts";
import { archiveSessions } from "../sessions/queries.ts";
import { addParticipant } from "./add.ts";
import { deleteAssignment, getAssignment } from "./queries.ts";
import { assignment, assignmentList, removedAssignment } from "./resource.ts";

const tag = "Screener participants";

const list = defineList(assignmentList, {
  path: "/screener-participants",
  operationId: "listScreenerParticipants",
  tag,
  summary: "List screener participants",
  downloads: "SCREENER_PARTICIPANTS",
});

const read = defineRead(assignment, {
  path: "/screener-participants/:id",
  operationId: "getScreenerParticipant",
  tag,
  summary: "Get a screener participant",
  reply: "The screener participant",
  unknown: "screener_participant_not_found",
});

const remove = defineEndpoint({
  method: "delete",
  path: "/screener-participants/:id",
  operationId: "removeScreenerParticipant",
  scopes: ["import"],
  tag,
  summary: "Remove a screener participant",
  description:
    "Removes the assignment of a participant to a screener and archives its sessions. The participant stays, and can be imported again.",
  replies: { 200: { description: "The removed screener participant", schema: removedAssignment.schema } },
  examples: { removed: { reply: removedAssignment.example } },
  problems: ["screener_participant_not_found"],
  handle(request) {
    return writeOnce(request, (db, record) => ok(removeAssignment(db, request.params.id!, record)));
  },
});

export const assignmentRoutes: AnyEndpoint[] = [list, addParticipant, read, remove];

/**
 * Its sessions take no more responses, but stay readable with their responses. Call it inside a transaction. Writes an event.
 * @returns the removed assignment as JSON. @throws Problem screener_participant_not_found
 */
function removeAssignment(db: Writer, uid: string, record: RecordEvent): string {
  const row = getAssignment(db, uid);
  const removed = removedAssignment.find(db, uid)!;
  const archivedSessions = archiveSessions(db, row.uid);
  const sessions = "SELECT t.id FROM screener_session AS t WHERE t.screener_participant_uid = ?";
  releaseHeldOf(db, `session_id IN (${sessions})`, [row.uid]);
  deleteAssignment(db, row);
  const { screenerId, participantId } = JSON.parse(removed);
  record({
    type: "screener-participant.removed",
    resource: { type: assignment.type, uid },
    summary: { screenerId, participantId, archivedSessions },
  });
  return removed;
}
