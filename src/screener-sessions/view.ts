// How a session is shown.

import * as v from "valibot";
import { TagView, timestamp, uuid } from "../schemas.ts";
import { constantSql, objectSql, plainOrNullSql, plainSql } from "../sql-json.ts";

export const SESSION_STATUSES = ["ACTIVE", "ARCHIVED", "REMOVED"] as const;
export const SESSION_STATES = ["NOT_STARTED", "IN_PROGRESS", "COMPLETED"] as const;

/** A session's JSON, from `sessionFrom`. Its parameter is the workspace's app_url. */
export const sessionJson = objectSql({
  _type: constantSql("ScreenerSession"),
  id: plainSql("t.uid"),
  screenerId: plainSql("s.uid"),
  screenerParticipantId: plainSql("t.screener_participant_uid"),
  screenerPublicationId: plainSql("p.uid"),
  screenerSessionLink: "json_quote(? || '/screeners/' || s.uid || '/' || t.uid)",
  linkSlug: plainSql("t.slug"),
  status: plainSql("t.status"),
  state: plainSql("t.state"),
  outcomeReason: plainOrNullSql("t.outcome_reason"),
  startedAt: plainOrNullSql("t.started_at"),
  lastActiveAt: plainOrNullSql("t.last_active_at"),
  completedAt: plainOrNullSql("t.completed_at"),
  assignedTags: "g.json",
});

export const sessionFrom = `screener_session AS t
  JOIN screener AS s ON s.id = t.screener_id
  JOIN screener_publication AS p ON p.id = t.screener_publication_id
  JOIN tag_set AS g ON g.id = t.tag_set_id`;

/** Where the participants of a workspace are served: one URL each, below PUBLIC_URL. */
export function appUrl(publicUrl: string, workspaceUid: string): string {
  return `${publicUrl}/w/${workspaceUid}`;
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
