// How a screener participant (an assignment) is shown.

import * as v from "valibot";
import { uuid } from "../schemas.ts";
import { constantSql, objectSql, plainOrNullSql, plainSql, valueSql } from "../sql-json.ts";

export const ASSIGNMENT_STATUSES = ["NOT_STARTED", "IN_PROGRESS", "QUALIFIED", "DISQUALIFIED", "UNKNOWN"] as const;

/** An assignment's JSON, from columns that are named alike wherever they come from. */
export function assignmentJsonSql(columns: {
  uid: string;
  screenerUid: string;
  participantUid: string;
  externalUid: string;
  sessionUid: string;
  name: string;
  email: string;
  /** SQL expression that gives JSON text. */
  status: string;
}): string {
  return objectSql({
    _type: constantSql("ScreenerParticipant"),
    id: plainSql(columns.uid),
    screenerId: columns.screenerUid,
    participantId: plainSql(columns.participantUid),
    externalParticipantUid: valueSql(columns.externalUid),
    currentSessionId: plainOrNullSql(columns.sessionUid),
    name: valueSql(columns.name),
    email: valueSql(columns.email),
    status: columns.status,
  });
}

const columns = {
  uid: "t.uid",
  screenerUid: plainSql("s.uid"),
  participantUid: "p.uid",
  externalUid: "p.external_uid",
  sessionUid: "e.uid",
  name: "p.name",
  email: "p.email",
};

/** An assignment's JSON, from `assignmentFrom`. */
export const assignmentJson = assignmentJsonSql({ ...columns, status: plainSql("t.status") });

/** The same as it is shown once it is removed. */
export const removedAssignmentJson = assignmentJsonSql({ ...columns, status: constantSql("REMOVED") });

export const assignmentFrom = `screener_participant AS t
  JOIN screener AS s ON s.id = t.screener_id
  JOIN participant AS p ON p.id = t.participant_id
  LEFT JOIN screener_session AS e ON e.id = t.current_session_id`;

/** An assignment as a line of a table. */
export const assignmentColumns = [
  "id",
  "screenerId",
  "participantId",
  "externalParticipantUid",
  "name",
  "email",
  "status",
  "currentSessionId",
];

const entries = {
  _type: v.literal("ScreenerParticipant"),
  id: uuid,
  screenerId: uuid,
  participantId: uuid,
  externalParticipantUid: v.string(),
  currentSessionId: v.nullable(uuid),
  name: v.nullable(v.string()),
  email: v.nullable(v.string()),
};

export const AssignmentView = v.pipe(
  v.object({ ...entries, status: v.picklist(ASSIGNMENT_STATUSES) }),
  v.title("ScreenerParticipant"),
);

export const RemovedAssignmentView = v.pipe(
  v.object({ ...entries, status: v.literal("REMOVED") }),
  v.title("RemovedScreenerParticipant"),
);
