// /screener-sessions: reads. Writes are in src/screening, because they change several nouns.

import * as v from "valibot";
import { exampleIds } from "../../base/examples.ts";
import { invalidRequest } from "../../base/problems.ts";
import { type AnyEndpoint, type ApiRequest, defineEndpoint, ok } from "../../http/endpoint.ts";
import { defineList } from "../../http/lists.ts";
import { defineRead } from "../../http/reads.ts";
import { MEDIA_TYPES } from "../../http/wire/formats.ts";
import { EXPANDED, type Expanded, expandedSessionList } from "./expanded.ts";
import { OrdersView, ordersOf } from "./orders.ts";
import { getSession } from "./queries.ts";
import { appUrlOf, session } from "./resource.ts";
import { findShown, readingOf } from "./shown.ts";

const tag = "Sessions";

const EXPANSIONS = [...EXPANDED, EXPANDED.join(","), EXPANDED.toReversed().join(",")];

const parameters = v.object({
  expand: v.optional(
    v.pipe(
      v.picklist(EXPANSIONS, `must be ${EXPANDED.join(" or ")}, or both with a comma between them`),
      v.description("What each session of a page has in it, too. JSON only."),
      v.transform((text) => text.split(",") as Expanded[]),
    ),
  ),
});

const list = defineList(
  expandedSessionList,
  {
    path: "/screener-sessions",
    operationId: "listScreenerSessions",
    tag,
    summary: "List sessions",
    downloads: "SCREENER_SESSIONS",
    description:
      "The whole list, as CSV or NDJSON, is the roster, for mailing the links: each session with the participant's `name`, `email` and " +
      "`externalParticipantUid`, `screenerParticipantStatus` (`REMOVED` if the screener participant was removed), and the `shortLink`. Lists leave out `orders`.",
    parameters,
  },
  (request) => ({ appUrl: appUrlOf(request), expanded: expandedIn(request) }),
);

const read = defineRead(
  { ...session, find: findShown },
  {
    path: "/screener-sessions/:id",
    operationId: "getScreenerSession",
    scopes: ["read", "respond"],
    tag,
    summary: "Get a session",
    description:
      "With `orders`, where its publication shuffles anything; and for callers with the scope `review`, with its signals: `review.signals`, or `signals` where it has no review. An id of another workspace is unknown, like an id that nobody has.",
    reply: "The session",
    unknown: "screener_session_not_found",
  },
  readingOf,
);

const readOrders = defineEndpoint({
  method: "get",
  path: "/screener-sessions/:id/orders",
  operationId: "getScreenerSessionOrders",
  scopes: ["read", "respond"],
  tag,
  summary: "Get the orders by chance of a session",
  description:
    "In which order the session is shown what its publication shuffles: the pages of blocks, the questions of pages, the options of questions. It stays the same, " +
    "also before the first answer. What is hidden by a condition, or was never reached, is among them.",
  replies: { 200: { description: "The orders", schema: OrdersView } },
  examples: {
    none: {
      summary: "Nothing is shuffled",
      reply: {
        _type: "ScreenerSessionOrders",
        screenerSessionId: exampleIds.session,
        screenerPublicationId: exampleIds.publication,
        orders: [],
      },
    },
  },
  problems: ["screener_session_not_found"],
  handle({ context, principal, params }) {
    const { workspaces, published } = context;
    const orders = workspaces.read(principal.workspaceUid, (db) =>
      db.snapshot(() => ordersOf(db, published, getSession(db, params.id!))),
    );
    return ok(JSON.stringify(orders));
  },
});

/** @throws Problem 400 where it is asked of the whole list, which has the participants anyhow */
function expandedIn({ format, parameters: given }: ApiRequest): readonly Expanded[] {
  const { expand = [] } = given as v.InferOutput<typeof parameters>;
  if (expand.length && format !== "json")
    throw invalidRequest([{ pointer: "expand", message: `does not go with ${MEDIA_TYPES[format]}, the roster` }]);
  return expand;
}

export const sessionRoutes: AnyEndpoint[] = [list, read, readOrders];
