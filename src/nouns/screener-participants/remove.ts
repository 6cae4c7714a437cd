// Removes an assignment. Its sessions take no more responses, but stay readable with their responses. The participant stays.

import type { Writer } from "../../../db/sqlite/connection.ts";
import type { RecordEvent } from "../../events/record.ts";
import { releaseHeldOf } from "../quotas/queries.ts";
import { archiveSessions } from "../sessions/queries.ts";
import { deleteAssignment, getAssignment } from "./queries.ts";
import { removedAssignment, assignment as shown } from "./resource.ts";

/** Call it inside a transaction. Writes an event. @returns the removed assignment as JSON. @throws Problem screener_participant_not_found */
export function removeAssignment(db: Writer, uid: string, record: RecordEvent): string {
  const assignment = getAssignment(db, uid);
  const removed = removedAssignment.find(db, uid)!;
  const archivedSessions = archiveSessions(db, assignment.uid);
  const sessions = "SELECT t.id FROM screener_session AS t WHERE t.screener_participant_uid = ?";
  releaseHeldOf(db, `session_id IN (${sessions})`, [assignment.uid]);
  deleteAssignment(db, assignment);
  const { screenerId, participantId } = JSON.parse(removed);
  record({
    type: "screener-participant.removed",
    resource: { type: shown.type, uid },
    summary: { screenerId, participantId, archivedSessions },
  });
  return removed;
}
