// Removes an assignment. Its sessions take no more responses, and stay readable like these; the participant stays.

import type { Writer } from "../../db/connection.ts";
import { archiveSessions } from "../screener-sessions/queries.ts";
import { deleteAssignment, getAssignment } from "./queries.ts";
import { removedAssignment } from "./resource.ts";

/** Inside a transaction. @returns the assignment as it is shown once removed. @throws Problem screener_participant_not_found */
export function removeAssignment(db: Writer, uid: string): string {
  const assignment = getAssignment(db, uid);
  const removed = removedAssignment.find(db, uid)!;
  archiveSessions(db, assignment.uid);
  deleteAssignment(db, assignment);
  return removed;
}
