// The orders by chance of a session, for callers that show the questions themselves, and for those who judge the answers.

import * as v from "valibot";
import type { Reader } from "../../db/sqlite/connection.ts";
import { exampleIds } from "../base/examples.ts";
import type { Parsed } from "../base/parsed.ts";
import { uuid } from "../base/schemas.ts";
import { type AnyEndpoint, defineEndpoint, ok } from "../http/endpoint.ts";
import { shownIds, shufflesOf } from "../nouns/content/order.ts";
import { getSession } from "../nouns/sessions/queries.ts";
import { answeringOf } from "./answering.ts";

const order = v.pipe(
  v.object({
    of: v.pipe(
      v.picklist(["PAGES", "QUESTIONS", "OPTIONS", "ROWS"]),
      v.description("Of a block; of a page; of a question"),
    ),
    block: v.nullable(v.string()),
    screenerPageId: v.nullable(uuid),
    screenerQuestionId: v.nullable(uuid),
    ids: v.pipe(v.array(uuid), v.description("Of the pages, questions, options or rows, in the order shown")),
  }),
  v.title("ScreenerSessionOrder"),
);

const Orders = v.pipe(
  v.object({
    _type: v.literal("ScreenerSessionOrders"),
    screenerSessionId: uuid,
    screenerPublicationId: uuid,
    orders: v.pipe(v.array(order), v.description("Of all that is shuffled, in the content's order")),
  }),
  v.title("ScreenerSessionOrders"),
);

const read = defineEndpoint({
  method: "get",
  path: "/screener-sessions/:id/orders",
  operationId: "getScreenerSessionOrders",
  scopes: ["read", "respond"],
  tag: "Sessions",
  summary: "Get the orders by chance of a session",
  description:
    "In which order the session is shown what its publication shuffles: the pages of blocks, the questions of pages, the options of questions. It stays the same, " +
    "also before the first answer. What is hidden by a condition, or was never reached, is among them.",
  replies: { 200: { description: "The orders", schema: Orders } },
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
      db.snapshot(() => ordersOf(db, published, params.id!)),
    );
    return ok(JSON.stringify(orders));
  },
});

export const orderRoutes: AnyEndpoint[] = [read];

function ordersOf(db: Reader, published: Parsed, uid: string): v.InferOutput<typeof Orders> {
  const session = getSession(db, uid);
  const { publication, content, inContentOrder } = answeringOf(db, published, session);
  return {
    _type: "ScreenerSessionOrders",
    screenerSessionId: session.uid,
    screenerPublicationId: publication.uid,
    orders: shufflesOf(inContentOrder).map((shuffle) => ({
      of: shuffle.of,
      block: shuffle.of === "PAGES" ? shuffle.id : null,
      screenerPageId: shuffle.of === "QUESTIONS" ? shuffle.id : null,
      screenerQuestionId: shuffle.of === "OPTIONS" || shuffle.of === "ROWS" ? shuffle.id : null,
      ids: shownIds(shuffle, content.order!),
    })),
  };
}
