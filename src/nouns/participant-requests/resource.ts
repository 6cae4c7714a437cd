// The resource ParticipantRequest: what a participant has asked for at a personal link, for staff to do. Its JSON and its list.

import type { CountedTable } from "../../../db/list/counts.ts";
import { exampleIds } from "../../base/examples.ts";
import { ANY_OPERATOR, actor, nullable, refersTo, timestamp, uid, word } from "../../base/members.ts";
import { countedList, resource } from "../../base/resource.ts";

/** What can be asked for: a copy of all that is kept, or that it is erased. */
const REQUEST_KINDS = ["DATA", "ERASURE"] as const;
export type RequestKind = (typeof REQUEST_KINDS)[number];

const STATES = ["OPEN", "DONE"] as const;

export const participantRequest = resource({
  type: "ParticipantRequest",
  from: `participant_request AS t JOIN participant AS r ON r.id = t.participant_id
    LEFT JOIN screener_session AS e ON e.id = t.screener_session_id LEFT JOIN screener AS s ON s.id = e.screener_id
    LEFT JOIN actor AS c ON c.id = t.closed_by`,
  members: {
    id: uid("t.uid"),
    kind: word(REQUEST_KINDS)("t.kind", ANY_OPERATOR),
    state: word(STATES)("t.state", ANY_OPERATOR),
    participantId: uid("r.uid", { operators: ANY_OPERATOR, by: refersTo("participant_id", "participant", "uid") }),
    screenerId: nullable(uid("s.uid")),
    screenerSessionId: nullable(uid("e.uid")),
    createdAt: timestamp("t.created_at"),
    closedBy: nullable(actor("c.json")),
    closedAt: nullable(timestamp("t.closed_at")),
  },
  example: {
    id: exampleIds.participantRequest,
    kind: "DATA",
    state: "OPEN",
    participantId: exampleIds.participant,
    screenerId: exampleIds.screener,
    screenerSessionId: exampleIds.session,
    createdAt: "2026-01-31T12:00:00.000Z",
    closedBy: null,
    closedAt: null,
  },
});

/** Those that are deleted are counted by a trigger. */
export const countedRequests = {
  table: "participant_request",
  facets: ["kind", "state"],
} as const satisfies CountedTable;

export const requestList = countedList("participant-requests", countedRequests, participantRequest);
