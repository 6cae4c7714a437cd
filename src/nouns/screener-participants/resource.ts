// The resource ScreenerParticipant (in code: assignment): its JSON, what an import sends, and its table.

import * as v from "valibot";
import type { CountedTable } from "../../../db/list/counts.ts";
import { exampleScreenerParticipant } from "../../base/examples.ts";
import { isoTime } from "../../base/json-sql.ts";
import { ANY_OPERATOR, nullable, refersTo, scannedTime, text, uid, word } from "../../base/members.ts";
import { countedList, type FilterRules, resource } from "../../base/resource.ts";
import { attributeFilter, attributesMember } from "../participants/attribute-members.ts";
import { searchOfParticipants } from "../participants/resource.ts";
import { currentReviewFilter, currentReviewMember } from "../sessions/reviews.ts";
import { CHANGED_SINCE, updatedSql } from "../sessions/updated.ts";

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

/** Its id is a UUIDv7, and has the time. */
const CREATED = isoTime("(('0x' || substr(t.uid, 1, 8) || substr(t.uid, 10, 4)) ->> '$')");

/** Of itself, and of its current session, which is never older. */
const UPDATED = `max(coalesce((SELECT ${updatedSql("c")} FROM screener_session AS c WHERE c.id = t.current_session_id), ${CREATED}),
  coalesce(t.changed_at, ''))`;

/** The beginning of ids that are made at `$`, or a millisecond before. */
const ID_OF_TIME = `(SELECT printf('%08x-%04x', at >> 16, at & 0xffff) FROM (SELECT max(CAST(unixepoch($, 'subsec') * 1000 AS INTEGER) - 1, 0) AS at))`;

/** SELECT of the ids of those that were made since `$`. */
const CREATED_SINCE = `SELECT id FROM screener_participant WHERE uid >= ${ID_OF_TIME}`;

/** SELECT of the ids of those that have changed since `$`: what is new, has changed itself, or whose session has. */
const UPDATED_SINCE = `${CREATED_SINCE}
  UNION ALL SELECT id FROM screener_participant WHERE changed_at >= $
  UNION ALL SELECT a.id FROM (${CHANGED_SINCE}) AS changed
    CROSS JOIN screener_participant AS a ON a.current_session_id = changed.id`;

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
  // They are no members: the answer of an import would have to work them out a million times.
  createdAt: scannedTime("uid", CREATED, CREATED_SINCE),
  updatedAt: scannedTime("changed_at", UPDATED, UPDATED_SINCE),
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
