// Removes an assignment. Its sessions take no more responses, but stay readable with their responses. The participant stays.

import type { Writer } from "../../db/connection.ts";
import { archiveSessions } from "../screener-sessions/queries.ts";
import { deleteAssignment, getAssignment } from "./queries.ts";
import { removedAssignment } from "./resource.ts";

/** Call it inside a transaction. @returns the removed assignment as JSON. @throws Problem screener_participant_not_found */
export function removeAssignment(db: Writer, uid: string): string {
  const assignment = getAssignment(db, uid);
  const removed = removedAssignment.find(db, uid)!;
  archiveSessions(db, assignment.uid);
  deleteAssignment(db, assignment);
  return removed;
}
