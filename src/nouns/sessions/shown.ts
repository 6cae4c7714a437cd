// A single session as it is read: with what lists leave out, because it takes more than a row of the table.

import type { Reader } from "../../../db/sqlite/connection.ts";
import type { Parsed } from "../../base/parsed.ts";
import { listSignals } from "../../signals/resource.ts";
import { type Caller, hasScope } from "../../workspaces/credentials.ts";
import { ordersOf } from "./orders.ts";
import { getSession } from "./queries.ts";
import { appUrlOf, session } from "./resource.ts";

/** For whom it is read. */
interface Reading {
  appUrl: string;
  published: Parsed;
  /** Whether the caller may review: nobody else learns what speaks against a person. */
  isReviewer: boolean;
}

/** For whom a request reads it. */
export function readingOf(
  request: Parameters<typeof appUrlOf>[0] & { context: { published: Parsed }; principal: Pick<Caller, "scopes"> },
): Reading {
  const isReviewer = hasScope(request.principal.scopes, "review");
  return { appUrl: appUrlOf(request), published: request.context.published, isReviewer };
}

/** The session with its orders, and for reviewers with its signals, as JSON. */
export function findShown(db: Reader, uid: string, { appUrl, published, isReviewer }: Reading): string | undefined {
  return db.snapshot(() => {
    const json = session.find(db, uid, appUrl);
    if (json === undefined) return undefined;
    const { orders } = ordersOf(db, published, getSession(db, uid));
    if (!orders.length && !isReviewer) return json;
    const shown = JSON.parse(json);
    if (orders.length) shown.orders = orders;
    const signals = isReviewer ? listSignals(db, uid) : [];
    if (isReviewer && shown.review) shown.review.signals = signals;
    else if (signals.length) shown.signals = signals;
    return JSON.stringify(shown);
  });
}
