// Statements on screener participants (assignments).

import type { Reader, Writer } from "../../db/connection.ts";
import {
  type CountedTable,
  countRow,
  type Filter,
  type ListDefinition,
  type ListResult,
  type Page,
  readPage,
} from "../../db/list.ts";
import { openSlices, type Slices } from "../../db/list-slices.ts";
import { Problem } from "../problems.ts";
import { assignmentFrom, assignmentJson, removedAssignmentJson } from "./view.ts";

export interface AssignmentRow {
  id: number;
  uid: string;
  screener_id: number;
  participant_id: number;
  status: string;
  current_session_id: number | null;
}

export const countedAssignments: CountedTable = { table: "screener_participant", facets: ["screener_id", "status"] };

const assignments: ListDefinition = {
  ...countedAssignments,
  from: assignmentFrom,
  json: assignmentJson,
  filters: {
    screenerId: { column: "screener_id", references: { table: "screener", by: "uid" } },
    participantId: { column: "participant_id", references: { table: "participant", by: "uid" } },
    externalParticipantUid: { column: "participant_id", references: { table: "participant", by: "external_uid" } },
    status: { column: "status" },
  },
};

export function listAssignments(db: Reader, filters: readonly Filter[], page: Page): ListResult {
  return readPage(db, assignments, filters, page);
}

/** All that the filters let through. */
export function sliceAssignments(db: Reader, filters: readonly Filter[]): Slices {
  return openSlices(db, assignments, filters);
}

/** An assignment as JSON, or undefined. */
export function findAssignmentJson(db: Reader, uid: string): string | undefined {
  return db.value(`SELECT ${assignmentJson} FROM ${assignmentFrom} WHERE t.uid = ?`, uid);
}

/** The same, as it is shown when it has just been removed. */
export function findRemovedAssignmentJson(db: Reader, uid: string): string | undefined {
  return db.value(`SELECT ${removedAssignmentJson} FROM ${assignmentFrom} WHERE t.uid = ?`, uid);
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

export function deleteAssignment(db: Writer, assignment: AssignmentRow): void {
  countRow(db, countedAssignments, assignment.id, [assignment.screener_id, assignment.status], -1);
  db.run("DELETE FROM screener_participant WHERE id = ?", assignment.id);
}

/** Sets what is derived from the assignment's sessions. */
export function updateAssignment(
  db: Writer,
  assignment: AssignmentRow,
  derived: { status: string; currentSessionId: number | null },
): void {
  if (derived.status !== assignment.status) {
    countRow(db, countedAssignments, assignment.id, [assignment.screener_id, assignment.status], -1);
    countRow(db, countedAssignments, assignment.id, [assignment.screener_id, derived.status], 1);
  }
  db.run(
    "UPDATE screener_participant SET status = ?, current_session_id = ? WHERE id = ?",
    derived.status,
    derived.currentSessionId,
    assignment.id,
  );
}
