// Statements on assignments.

import { countRow, recountRow } from "../../../db/list/counts.ts";
import type { Reader, Writer } from "../../../db/sqlite/connection.ts";
import { CHANGED_NOW } from "../../base/members.ts";
import { Problem } from "../../base/problems.ts";
import { type AssignmentStatus, countedAssignments } from "./resource.ts";

export interface AssignmentRow {
  id: number;
  uid: string;
  screener_id: number;
  participant_id: number;
  status: AssignmentStatus;
  current_session_id: number | null;
}

/** @throws Problem screener_participant_not_found */
export function getAssignment(db: Reader, uid: string): AssignmentRow {
  const row = findAssignment(db, uid);
  if (!row) throw new Problem("screener_participant_not_found");
  return row;
}

export function findAssignment(db: Reader, uid: string): AssignmentRow | undefined {
  return db.get("SELECT * FROM screener_participant WHERE uid = ?", uid);
}

/** The public id of a participant's assignment to a screener. */
export function findAssignmentOf(db: Reader, screenerId: number, participantId: number): string | undefined {
  return db.value(
    "SELECT uid FROM screener_participant WHERE participant_id = ? AND screener_id = ?",
    participantId,
    screenerId,
  );
}

/** What follows from an assignment's sessions. */
interface Derived {
  status: AssignmentStatus;
  currentSessionId: number | null;
}

const WITHOUT_SESSION: Derived = { status: "NOT_STARTED", currentSessionId: null };

/** Assigns a participant. Nobody is assigned twice: check it before. @param derived from the session that was opened for it, if any */
export function insertAssignment(
  db: Writer,
  { uid, screenerId, participantId }: { uid: string; screenerId: number; participantId: number },
  { status, currentSessionId }: Derived = WITHOUT_SESSION,
): void {
  const { lastInsertRowid } = db.run(
    "INSERT INTO screener_participant (uid, screener_id, participant_id, status, current_session_id) VALUES (?, ?, ?, ?, ?)",
    ...[uid, screenerId, participantId, status, currentSessionId],
  );
  countRow(db, countedAssignments, Number(lastInsertRowid), { screener_id: screenerId, status }, 1);
}

export function deleteAssignment(db: Writer, assignment: AssignmentRow): void {
  countRow(db, countedAssignments, assignment.id, assignment, -1);
  db.run("DELETE FROM screener_participant WHERE id = ?", assignment.id);
}

/** Stores what follows from the assignment's sessions. */
export function updateAssignment(db: Writer, assignment: AssignmentRow, derived: Derived): void {
  recountRow(db, countedAssignments, assignment.id, assignment, { status: derived.status });
  // Most often the session is the same: then its index stays as it is.
  if (derived.currentSessionId === assignment.current_session_id)
    db.run(`UPDATE screener_participant SET status = ?, ${CHANGED_NOW} WHERE id = ?`, derived.status, assignment.id);
  else
    db.run(
      `UPDATE screener_participant SET status = ?, current_session_id = ?, ${CHANGED_NOW} WHERE id = ?`,
      derived.status,
      derived.currentSessionId,
      assignment.id,
    );
}
