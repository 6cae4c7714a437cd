// /screener-sessions: reads. Writes are in src/screening, because they change several nouns.

import type { AnyEndpoint } from "../../http/endpoint.ts";
import { defineList } from "../../http/lists.ts";
import { defineRead } from "../../http/reads.ts";
import { appUrlOf, session, sessionList } from "./resource.ts";

const tag = "Sessions";

const list = defineList(
  sessionList,
  {
    path: "/screener-sessions",
    operationId: "listScreenerSessions",
    tag,
    summary: "List sessions",
    description:
      "The whole list, as CSV or NDJSON, is the roster, for mailing the links: each session with the participant's `name`, `email` and " +
      "`externalParticipantUid`, `screenerParticipantStatus` (`REMOVED` if the screener participant was removed), and the `shortLink`.",
  },
  appUrlOf,
);

const read = defineRead(
  session,
  {
    path: "/screener-sessions/:id",
    operationId: "getScreenerSession",
    scopes: ["read", "respond"],
    tag,
    summary: "Get a session",
    reply: "The session",
    unknown: "screener_session_not_found",
  },
  appUrlOf,
);

export const sessionRoutes: AnyEndpoint[] = [list, read];
