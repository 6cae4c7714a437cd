// The resource declaration of sessions: how they are shown, their table, and the roster. What callers send is in bodies.ts.

import * as v from "valibot";
import type { CountedTable } from "../../../db/list/counts.ts";
import { armFilter, shownArmsSql } from "../../arms/queries.ts";
import { exampleAudit, exampleIds, exampleTag } from "../../base/examples.ts";
import { markOf } from "../../base/ids.ts";
import {
  ANY_OPERATOR,
  type FilterRule,
  json,
  nullable,
  RANGE,
  refersTo,
  scannedTime,
  scannedTimes,
  tags,
  text,
  timestamp,
  uid,
  word,
} from "../../base/members.ts";
import { byReference, referenceSql } from "../../base/references.ts";
import { countedList, resource } from "../../base/resource.ts";
import { timestamp as timestampSchema, uuid } from "../../base/schemas.ts";
import { OUTCOME_REASONS } from "../content/content.ts";
import { attributesMember } from "../participants/attribute-members.ts";
import { TEST_SESSIONS } from "../publications/test-sessions.ts";
import { consentText } from "../question-types/values/consent-text.ts";
import { ordersMember } from "./orders.ts";
import { OUTCOME_REASON_SQL } from "./outcome-reasons.ts";
import { reviewMember, signalsMember } from "./reviews.ts";
import { CHANGED_SINCE, UPDATED } from "./updated.ts";

export const STATUSES = ["ACTIVE", "ARCHIVED", "REMOVED"] as const;
export const STATES = ["NOT_STARTED", "IN_PROGRESS", "COMPLETED"] as const;
export const OUTCOMES = ["QUALIFIED", "DISQUALIFIED", "UNKNOWN"] as const;
/** The filter of lists that have test sessions only where they are asked for. */
export const testFilter: FilterRule = {
  operators: ["eq"],
  values: ["true", "false"],
  by: { column: "is_test", apart: true },
};

/** The most test sessions of a screener. */
export const MAX_TEST_SESSIONS = 1000;

/** SQL expression for a session's link. */
export const linkSql = (appUrl: string, screenerUid: string, sessionUid: string) =>
  `${appUrl} || '/screeners/' || ${screenerUid} || '/' || ${sessionUid}`;

const SessionArm = v.pipe(
  v.object({ assignmentId: uuid, assignmentName: v.string(), armId: uuid, armName: v.string() }),
  v.title("ScreenerSessionArm"),
);

type GivenArm = v.InferOutput<typeof SessionArm>;

function armsText(arms: readonly GivenArm[]): string {
  return arms.map(({ assignmentName, armName }) => `${assignmentName}: ${armName}`).join("; ");
}

const WithdrawnConsent = v.pipe(
  v.object({
    screenerQuestionId: uuid,
    textHash: v.string(),
    version: v.nullable(v.string()),
    language: v.string(),
    at: timestampSchema,
  }),
  v.title("WithdrawnConsent"),
);

type Withdrawn = v.InferOutput<typeof WithdrawnConsent>;

function consentsText(consents: readonly Withdrawn[]): string {
  return consents.map(consentText).join("; ");
}

/** Without an index: many sessions have the same language. */
const languageFilter: FilterRule = {
  operators: ANY_OPERATOR,
  values: "text",
  by: { column: "language", scan: { value: "t.language", index: "" } },
};

const members = {
  id: uid("t.uid", ANY_OPERATOR),
  screenerId: uid("s.uid", { operators: ANY_OPERATOR, by: refersTo("screener_id", "screener", "uid") }),
  screenerParticipantId: uid("t.screener_participant_uid", ANY_OPERATOR),
  screenerPublicationId: uid("p.uid"),
  screenerSessionLink: { ...text(linkSql("?", "s.uid", "t.uid")), schema: v.pipe(v.string(), v.url()) },
  linkSlug: { ...uid("t.slug"), schema: v.string(), cells: {} },
  status: word(STATUSES)("t.status", ANY_OPERATOR),
  state: word(STATES)("t.state", ANY_OPERATOR),
  outcomeReason: nullable(word(OUTCOME_REASONS)(OUTCOME_REASON_SQL)),
  startedAt: { ...nullable(timestamp("t.started_at")), filter: scannedTimes("started_at") },
  lastActiveAt: { ...nullable(timestamp("t.last_active_at")), filter: scannedTimes("last_active_at") },
  completedAt: { ...nullable(timestamp("t.completed_at")), filter: scannedTimes("completed_at") },
  assignedTags: tags("g.json"),
  reference: uid(`coalesce(t.reference, ${referenceSql("t.uid")})`, { operators: ANY_OPERATOR, by: byReference }),
  isTest: { ...json("iif(t.is_test, 'true', 'false')", v.boolean()), filter: testFilter },
  outcomeQuotaIds: json(
    "iif(t.outcome_reason = 'OVER_QUOTA', coalesce(t.outcome_quota_ids, '[]'), '[]')",
    v.array(uuid),
    {
      "": (ids) => (ids as string[]).join("; "),
    },
  ),
  screenerLinkId: nullable(
    uid("l.uid", { operators: ANY_OPERATOR, by: refersTo("screener_link_id", "screener_link", "uid") }),
  ),
  arms: json(shownArmsSql("t.arms"), v.array(SessionArm), { "": (arms) => armsText(arms as GivenArm[]) }),
  language: { ...nullable(text("t.language")), filter: languageFilter },
  withdrawnAt: nullable(timestamp("t.withdrawn_at", RANGE)),
  withdrawnConsents: json("coalesce(t.withdrawn_consents, '[]')", v.array(WithdrawnConsent), {
    "": (consents) => consentsText(consents as Withdrawn[]),
  }),
  answersErasedAt: nullable(timestamp("t.answers_erased_at")),
  orders: ordersMember,
  review: reviewMember,
  signals: signalsMember,
  createdAt: { ...timestamp("t.created_at"), filter: scannedTimes("created_at") },
};

const example = {
  id: exampleIds.session,
  screenerId: exampleIds.screener,
  screenerParticipantId: exampleIds.screenerParticipant,
  screenerPublicationId: exampleIds.publication,
  screenerSessionLink: `https://study.example.org/w/acme/screeners/${exampleIds.screener}/${exampleIds.session}`,
  linkSlug: "q3wJkS9dT2uV5xYzAbCdEf",
  status: "ACTIVE",
  state: "NOT_STARTED",
  outcomeReason: null,
  startedAt: null,
  lastActiveAt: null,
  completedAt: null,
  withdrawnAt: null,
  withdrawnConsents: [],
  answersErasedAt: null,
  assignedTags: [exampleTag],
  reference: exampleIds.reference,
  isTest: false,
  outcomeQuotaIds: [],
  screenerLinkId: null,
  arms: [],
  language: null,
  orders: undefined,
  review: null,
  signals: undefined,
  createdAt: exampleAudit.createdAt,
};

const from = `screener_session AS t
  JOIN screener AS s ON s.id = t.screener_id
  JOIN screener_publication AS p ON p.id = t.screener_publication_id
  JOIN tag_set AS g ON g.id = t.tag_set_id
  LEFT JOIN screener_link AS l ON l.id = t.screener_link_id`;

/** Its parameter is the URL of the workspace's participant pages (`appUrlOf`). */
export const session = resource({
  type: "ScreenerSession",
  from,
  members,
  example,
  parameters: (appUrl: string) => [appUrl],
});

/** A session with the person who gets its link: what links are mailed from. */
const roster = resource({
  type: "ScreenerSession",
  from: `${from}
    JOIN participant AS r ON r.id = t.participant_id
    LEFT JOIN screener_participant AS a ON a.uid = t.screener_participant_uid`,
  members: {
    ...members,
    shortLink: text("? || '/s/' || t.slug"),
    externalParticipantUid: text("r.external_uid"),
    name: text("r.name"),
    email: text("r.email"),
    screenerParticipantStatus: word([])("coalesce(a.status, 'REMOVED')"),
    attributes: attributesMember("r.attributes"),
  },
  example: {
    ...example,
    shortLink: "https://study.example.org/w/acme/s/q3wJkS9dT2uV5xYzAbCdEf",
    externalParticipantUid: "P-17",
    name: "Ada Lovelace",
    email: "ada@example.org",
    screenerParticipantStatus: "NOT_STARTED",
    attributes: { country: "GB" },
  },
  columnOrder: [
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
  ],
  parameters: (appUrl: string) => [appUrl, appUrl],
});

export const countedSessions = {
  table: "screener_session",
  facets: ["screener_id", "status", "state"],
  parts: true,
  apart: { without: "t.is_test = 0", alone: `t.id IN ${TEST_SESSIONS}` },
} as const satisfies CountedTable;

/** List pages have sessions; the whole list is the roster. */
export const sessionList = countedList(
  "screener-sessions",
  countedSessions,
  {
    ...session,
    filters: { ...session.filters, updatedAt: scannedTime("changed_at", UPDATED, CHANGED_SINCE), armId: armFilter },
  },
  roster,
);

interface OfWorkspace {
  context: { config: { publicUrl: string }; cell: string | null };
  principal: { workspaceUid: string };
}

/** The URL of the participant pages of a request's workspace, below PUBLIC_URL. */
export function appUrlOf({ context, principal }: OfWorkspace): string {
  return context.config.publicUrl + appPath(context.cell, principal.workspaceUid);
}

/** The same as a path that this service sees, without the path of PUBLIC_URL. */
export function appPath(cell: string | null, workspaceUid: string): string {
  return `/w/${markOf(cell, workspaceUid)}${workspaceUid}`;
}

/** What slugs of links begin with. */
export function markOfRequest({ context, principal }: OfWorkspace): string {
  return markOf(context.cell, principal.workspaceUid);
}
