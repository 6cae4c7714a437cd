// How a session is shown.

import * as v from "valibot";
import { TagView, timestamp, uuid } from "../schemas.ts";
import { constantSql, objectSql, plainOrNullSql, plainSql, valueSql } from "../sql-json.ts";

export const SESSION_STATUSES = ["ACTIVE", "ARCHIVED", "REMOVED"] as const;
export const SESSION_STATES = ["NOT_STARTED", "IN_PROGRESS", "COMPLETED"] as const;

/** The members of a session's JSON that it is opened with, each from a column. */
interface Columns {
  uid: string;
  screenerUid: string;
  assignmentUid: string;
  publicationUid: string;
  appUrl: string;
  slug: string;
}

const identity = (columns: Columns) => ({
  _type: constantSql("ScreenerSession"),
  id: plainSql(columns.uid),
  screenerId: plainSql(columns.screenerUid),
  screenerParticipantId: plainSql(columns.assignmentUid),
  screenerPublicationId: plainSql(columns.publicationUid),
  screenerSessionLink: `json_quote(${columns.appUrl} || '/screeners/' || ${columns.screenerUid} || '/' || ${columns.uid})`,
  linkSlug: plainSql(columns.slug),
});

const members = {
  ...identity({
    uid: "t.uid",
    screenerUid: "s.uid",
    assignmentUid: "t.screener_participant_uid",
    publicationUid: "p.uid",
    appUrl: "?",
    slug: "t.slug",
  }),
  status: plainSql("t.status"),
  state: plainSql("t.state"),
  outcomeReason: plainOrNullSql("t.outcome_reason"),
  startedAt: plainOrNullSql("t.started_at"),
  lastActiveAt: plainOrNullSql("t.last_active_at"),
  completedAt: plainOrNullSql("t.completed_at"),
  assignedTags: "g.json",
};

/** A session's JSON, from `sessionFrom`. Its parameter is the workspace's app_url. */
export const sessionJson = objectSql(members);

/** The JSON of a session that has just been opened, from columns wherever they are. `tags` gives JSON text. */
export function newSessionJsonSql({ tags, ...columns }: Columns & { tags: string }): string {
  return objectSql({
    ...identity(columns),
    status: constantSql("ACTIVE"),
    state: constantSql("NOT_STARTED"),
    outcomeReason: "'null'",
    startedAt: "'null'",
    lastActiveAt: "'null'",
    completedAt: "'null'",
    assignedTags: tags,
  });
}

export const sessionFrom = `screener_session AS t
  JOIN screener AS s ON s.id = t.screener_id
  JOIN screener_publication AS p ON p.id = t.screener_publication_id
  JOIN tag_set AS g ON g.id = t.tag_set_id`;

/** The same with who is to get the link, from `rosterFrom`. Its parameters are the app_url, twice. */
export const rosterJson = objectSql({
  ...members,
  shortLink: "json_quote(? || '/s/' || t.slug)",
  externalParticipantUid: valueSql("r.external_uid"),
  name: valueSql("r.name"),
  email: valueSql("r.email"),
  screenerParticipantStatus: `'"' || coalesce(a.status, 'REMOVED') || '"'`,
});

export const rosterFrom = `${sessionFrom}
  JOIN participant AS r ON r.id = t.participant_id
  LEFT JOIN screener_participant AS a ON a.uid = t.screener_participant_uid`;

/** A session as a line of the roster, which is what links are mailed from. */
export const rosterColumns = [
  "externalParticipantUid",
  "name",
  "email",
  "screenerParticipantStatus",
  "status",
  "state",
  "outcomeReason",
  "screenerSessionLink",
  "shortLink",
  "startedAt",
  "lastActiveAt",
  "completedAt",
  "id",
  "screenerId",
  "screenerParticipantId",
  "screenerPublicationId",
  "assignedTags",
];

/** Where the participants of a workspace are served: one URL each, below PUBLIC_URL. */
export function appUrl(publicUrl: string, workspaceUid: string): string {
  return publicUrl + appPath(workspaceUid);
}

/** The same, as it reaches this service: PUBLIC_URL may have a path of its own. */
export function appPath(workspaceUid: string): string {
  return `/w/${workspaceUid}`;
}

export const SessionView = v.pipe(
  v.object({
    _type: v.literal("ScreenerSession"),
    id: uuid,
    screenerId: uuid,
    screenerParticipantId: uuid,
    screenerPublicationId: uuid,
    screenerSessionLink: v.pipe(v.string(), v.url()),
    linkSlug: v.string(),
    status: v.picklist(SESSION_STATUSES),
    state: v.picklist(SESSION_STATES),
    outcomeReason: v.nullable(v.picklist(["SCREENED_OUT", "OVER_QUOTA"])),
    startedAt: v.nullable(timestamp),
    lastActiveAt: v.nullable(timestamp),
    completedAt: v.nullable(timestamp),
    assignedTags: v.array(TagView),
  }),
  v.title("ScreenerSession"),
);
