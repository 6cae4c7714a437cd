// The resource ScreenerParticipant (in code: assignment): its JSON, what an import sends, and its table.

import * as v from "valibot";
import type { CountedTable } from "../../../db/list/counts.ts";
import { exampleScreenerParticipant } from "../../base/examples.ts";
import { isoTime } from "../../base/json-sql.ts";
import { ANY_OPERATOR, nullable, refersTo, scannedTime, text, timestamp, uid, word } from "../../base/members.ts";
import { countedList, type FilterRules, resource } from "../../base/resource.ts";
import { attributeFilter, attributesMember } from "../participants/attribute-members.ts";
import { searchOfParticipants } from "../participants/resource.ts";
import { currentReviewFilter, currentReviewMember } from "../sessions/reviews.ts";
import { updatedSql } from "../sessions/updated.ts";

const STATUSES = ["NOT_STARTED", "IN_PROGRESS", "QUALIFIED", "DISQUALIFIED", "UNKNOWN"] as const;

export type AssignmentStatus = (typeof STATUSES)[number];

const type = "ScreenerParticipant";

const filteredBy = (column: string, table: string, by: string) => ({
  operators: ANY_OPERATOR,
  by: refersTo(column, table, by),
});

const COLUMN_ORDER = [
  "id",
  "screenerId",
  "participantId",
  "externalParticipantUid",
  "name",
  "email",
  "status",
] as const;

/** When an assignment was made, as SQL: its id is a UUIDv7, and has the time. @param uid SQL expression for it */
export const assignedAtSql = (uid: string) =>
  isoTime(`(('0x' || substr(${uid}, 1, 8) || substr(${uid}, 10, 4)) ->> '$')`);

/** When it or its current session, which is never older, last changed, as SQL. @param t its alias. @param session that of the session, or null */
export const changedAtSql = (t: string, session: string) => latest(t, updatedSql(session));

const latest = (t: string, ofSession: string) =>
  `max(coalesce(${ofSession}, ${assignedAtSql(`${t}.uid`)}), coalesce(${t}.changed_at, ''))`;

const CREATED = assignedAtSql("t.uid");

/** The same where the session is not joined. */
const UPDATED = latest("t", `(SELECT ${updatedSql("c")} FROM screener_session AS c WHERE c.id = t.current_session_id)`);

export const assignment = resource({
  type,
  from: `screener_participant AS t
    JOIN screener AS s ON s.id = t.screener_id
    JOIN participant AS p ON p.id = t.participant_id
    LEFT JOIN screener_session AS e ON e.id = t.current_session_id`,
  members: {
    id: uid("t.uid"),
    screenerId: uid("s.uid", filteredBy("screener_id", "screener", "uid")),
    participantId: uid("p.uid", filteredBy("participant_id", "participant", "uid")),
    externalParticipantUid: text("p.external_uid", filteredBy("participant_id", "participant", "external_uid")),
    currentSessionId: nullable(uid("e.uid")),
    name: nullable(text("p.name")),
    email: nullable(text("p.email")),
    status: word(STATUSES)("t.status", ANY_OPERATOR),
    review: currentReviewMember,
    createdAt: { ...timestamp(CREATED), filter: scannedTime("uid", CREATED) },
    updatedAt: { ...timestamp(changedAtSql("t", "e")), filter: scannedTime("changed_at", UPDATED) },
  },
  example: exampleScreenerParticipant,
  columnOrder: COLUMN_ORDER,
});

/** The reply to its removal. */
export const removedAssignment = resource({
  ...assignment,
  type,
  title: "RemovedScreenerParticipant",
  example: { ...exampleScreenerParticipant, currentSessionId: null, status: "REMOVED" },
  members: { ...assignment.members, status: { ...word([])("'REMOVED'"), schema: v.literal("REMOVED") } },
});

export const countedAssignments = {
  table: "screener_participant",
  facets: ["screener_id", "status"],
  parts: true,
} as const satisfies CountedTable;

/** An assignment with what is known of its participant. */
const roster = resource({
  ...assignment,
  type,
  members: { ...assignment.members, attributes: attributesMember("p.attributes") },
  columnOrder: COLUMN_ORDER,
  example: { ...exampleScreenerParticipant, attributes: { country: "GB" } },
});

const ofParticipant = (sql: string) => `(SELECT ${sql} FROM participant WHERE id = t.participant_id)`;

/** The publication of the current session. Many may have it, so they are compared one by one. */
const ofPublication = {
  column: "current_session_id",
  scan: {
    value: `(SELECT v.uid FROM screener_session AS c JOIN screener_publication AS v ON v.id = c.screener_publication_id
      WHERE c.id = t.current_session_id)`,
    index: "",
  },
};

const moreFilters: FilterRules = {
  screenerPublicationId: { operators: ANY_OPERATOR, values: "uuid", by: ofPublication },
  review: currentReviewFilter,
  search: searchOfParticipants,
  attributes: attributeFilter("participant_id", ofParticipant),
};

/** List pages have assignments; the whole list is the roster. */
export const assignmentList = countedList(
  "screener-participants",
  countedAssignments,
  { ...assignment, filters: { ...assignment.filters, ...moreFilters } },
  roster,
  { createdAt: "t.id", updatedAt: UPDATED },
);
