// The members of an assignment that follow from its sessions.

import type { Writer } from "../../../db/sqlite/connection.ts";
import type { Change } from "../../events/record.ts";
import { getSessionUid, type SessionRow } from "../sessions/queries.ts";
import { type AssignmentRow, findAssignment, updateAssignment } from "./queries.ts";
import type { AssignmentStatus } from "./resource.ts";

/**
 * Inside a transaction: updates what an assignment shows of its sessions, unless the assignment was removed. @returns what has
 * changed, for the session's event
 */
export function deriveAssignment(db: Writer, assignmentUid: string): Change[] {
  const assignment = findAssignment(db, assignmentUid);
  return assignment ? derive(db, assignment) : [];
}

/** The same, for an assignment that was read already. */
export function derive(db: Writer, assignment: AssignmentRow): Change[] {
  const { status, current_session_id: current } = assignment;
  const derived = db.get<{ status: AssignmentStatus; currentSessionId: number | null }>(DERIVED, assignment.uid)!;
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

/** The status of an assignment that has one session, as `statusSql` has it. */
export function statusOf({ state, outcome }: Pick<SessionRow, "state" | "outcome">): AssignmentStatus {
  return state === "COMPLETED" ? (outcome ?? "UNKNOWN") : state;
}

/** SQL of the status of an assignment: nobody reminds who has withdrawn, and nobody takes them for qualified. @param schema with a dot, or empty. @param uid SQL of its id */
export const statusSql = (schema: string, uid: string) =>
  `coalesce((SELECT iif(s.withdrawn_at IS NOT NULL, 'UNKNOWN', iif(s.state = 'COMPLETED', coalesce(s.outcome, 'UNKNOWN'), s.state)) FROM ${schema}screener_session AS s
    WHERE s.screener_participant_uid = ${uid} AND s.status <> 'REMOVED' AND s.is_test = 0 ORDER BY s.id DESC LIMIT 1), 'NOT_STARTED')`;

// After a removed session there is no current one until another is opened.
const DERIVED = `SELECT ${statusSql("", "a.uid")} AS status,
    (SELECT iif(s.status = 'ACTIVE', s.id, NULL) FROM screener_session AS s
     WHERE s.screener_participant_uid = a.uid AND s.is_test = 0 ORDER BY s.id DESC LIMIT 1) AS currentSessionId
  FROM (SELECT ? AS uid) AS a`;
