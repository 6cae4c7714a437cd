// The orders by chance in which a session is shown things: for callers that show the questions themselves, and for those who judge the answers.

import * as v from "valibot";
import type { Reader } from "../../../db/sqlite/connection.ts";
import { json, type Member, optional } from "../../base/members.ts";
import type { Parsed } from "../../base/parsed.ts";
import { uuid } from "../../base/schemas.ts";
import { type Shuffle, shownIds, shufflesOf } from "../content/order.ts";
import { publishedShuffles, readPublished } from "../content/queries.ts";
import { findPublicationById, type PublicationRow } from "../publications/queries.ts";

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

/** What orders hang on, of the row of a session. */
interface Ordered {
  uid: string;
  order_of: string | null;
  screener_publication_id: number;
}

const ordersView = v.array(order);

/** Worked out where a single session is read. */
export const ordersMember: Member = optional(
  json("NULL", ordersView),
  "The orders by chance in which it is shown things, in the content's order: only where a single session is read, and its publication shuffles anything",
);

export const OrdersView = v.pipe(
  v.object({
    _type: v.literal("ScreenerSessionOrders"),
    screenerSessionId: uuid,
    screenerPublicationId: uuid,
    orders: v.pipe(ordersView, v.description("Of all that is shuffled, in the content's order")),
  }),
  v.title("ScreenerSessionOrders"),
);

export function ordersOf(db: Reader, published: Parsed, session: Ordered): v.InferOutput<typeof OrdersView> {
  const publication = findPublicationById(db, session.screener_publication_id)!;
  const orders = publishedShuffles(db, publication.id) ? shuffledBy(db, published, publication, session) : [];
  return {
    _type: "ScreenerSessionOrders",
    screenerSessionId: session.uid,
    screenerPublicationId: publication.uid,
    orders,
  };
}

function shuffledBy(db: Reader, published: Parsed, publication: PublicationRow, session: Ordered) {
  const seed = { seed: session.order_of ?? session.uid, version: publication.shuffle_version };
  const ofQuestion = ({ of }: Shuffle) => of === "OPTIONS" || of === "ROWS";
  return shufflesOf(readPublished(db, published, publication)).map((shuffle) => ({
    of: shuffle.of,
    block: shuffle.of === "PAGES" ? shuffle.id : null,
    screenerPageId: shuffle.of === "QUESTIONS" ? shuffle.id : null,
    screenerQuestionId: ofQuestion(shuffle) ? shuffle.id : null,
    ids: shownIds(shuffle, seed),
  }));
}
