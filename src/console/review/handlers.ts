// The page on which people accept or reject who qualifies, one after the other.

import { newId } from "../../base/ids.ts";
import { Problem } from "../../base/problems.ts";
import { withReferences } from "../../base/references.ts";
import type { NewReview, ScreenerSession, ScreenerSessionsReview } from "../../client/types.ts";
import type { Reply } from "../../http/wire/reply.ts";
import { listPending } from "../../nouns/sessions/queries.ts";
import { readGiven } from "../answers/session-handlers.ts";
import { started } from "../imports/jobs.ts";
import { faultsOf } from "../shell/faults.ts";
import { unchecked } from "../shell/forms.ts";
import { page, redirect, type VisitorRequest } from "../shell/request.ts";
import { studyFrame } from "../study/handlers.ts";
import { manyOf, readFilter } from "./chosen.ts";
import { isDecision, type Reviewed, renderReview, type Waiting } from "./page.tsx";

/** How many that wait are listed. */
const LISTED = 50;

/** GET: the session of the query, or the one that waits longest. */
export function showReview(request: VisitorRequest): Promise<Reply> {
  return replyWithReview(request, { reference: request.query.get("session"), reason: "", faults: {} });
}

/** POST: decides of a session, unless somebody has changed it since it was shown; and leads to the one that has waited longest after it. */
export async function review(request: VisitorRequest): Promise<Reply> {
  const { base, calls, fields, params } = request;
  const [reference, reason, decision] = [fields("session"), fields("reason"), fields("decision")];
  const { session, tag } = await sessionOf(request, reference);
  const waiting = listWaiting(request);
  const after = waiting[waiting.findIndex((one) => one.reference === session.reference) + 1];
  const done = new URLSearchParams({ done: isDecision(decision) ? decision : "" });
  if (after) done.set("session", after.reference);
  const next = `${base}/console/studies/${params.id}/review?${done}`;
  // A form that is sent twice has decided already.
  if (session.review?.state === decision && fields("was") !== decision) return redirect(next);
  try {
    if (session.review?.state !== fields("was")) throw new Problem("precondition_failed");
    const body: NewReview = { decision: unchecked<NewReview["decision"]>(decision), reason };
    await calls.send("reviewScreenerSession", { id: session.id, headers: { "if-match": tag }, body });
  } catch (error) {
    const isStale = error instanceof Problem && error.code === "precondition_failed";
    const faults = isStale ? { "": STALE } : faultsOf(error, ["reason"]);
    return replyWithReview(request, { reference, reason, faults });
  }
  return redirect(next);
}

interface ReviewForm {
  reference: string | null;
  reason: string;
  faults: Record<string, string>;
  /** What the form for many has sent. */
  many?: Parameters<typeof manyOf>[2];
}

/** POST: shows what deciding of many would do. */
export async function planMany(request: VisitorRequest): Promise<Reply> {
  const { base, calls, fields, params } = request;
  const headers = { prefer: "respond-async", "idempotency-key": fields("key") || newId() };
  const reason = fields("reasonForAll");
  const filter = readFilter(fields("filter"));
  const body: ScreenerSessionsReview = {
    screenerId: params.id!,
    filter,
    decision: unchecked<ScreenerSessionsReview["decision"]>(fields("decision")),
    reason,
    dryRun: true,
  };
  try {
    return redirect(`${base}/console/jobs/${await started(calls.send("reviewScreenerSessions", { headers, body }))}`);
  } catch (error) {
    if (!(error instanceof Problem) || error.code !== "invalid_request") throw error;
    const { reason: fault, ...others } = faultsOf(error, ["reason"]);
    const faults = { ...others, ...(fault !== undefined && { reasonForAll: fault }) };
    return replyWithReview(request, { reference: null, reason: "", faults, many: { filter, reason } });
  }
}

const STALE =
  "Somebody has decided about this person since you opened the page. Nothing was changed: look at it, and try again.";

async function replyWithReview(
  request: VisitorRequest,
  { reference, reason, faults, many }: ReviewForm,
): Promise<Reply> {
  const { calls, query } = request;
  const { frame, screener } = await studyFrame(request);
  const waiting = listWaiting(request);
  const chosen = reference ?? waiting[0]?.reference;
  const done = query.get("done");
  const shown = chosen === undefined ? undefined : await readReviewed(request, chosen);
  const html = renderReview(frame, {
    waiting,
    shown,
    reason,
    faults,
    many: await manyOf(request, screener.timeZone, many),
    done: done !== null && isDecision(done) ? done : null,
    curl: calls.curl("reviewScreenerSession", {
      id: shown?.session.id ?? "SESSION_ID",
      body: { decision: "ACCEPTED" },
    }),
  });
  return page(Object.keys(faults).length ? 422 : 200, html);
}

/** Those who have waited longest. */
function listWaiting({ context, params, visitor }: VisitorRequest): Waiting[] {
  return context.workspaces.read(visitor.workspace_uid, (db) =>
    listPending(db, params.id!, LISTED).map(({ uid, externalUid, completedAt }) => ({
      // Addresses are in logs and histories: none has the id of a session.
      reference: withReferences(db, uid),
      externalUid,
      completedAt,
    })),
  );
}

async function readReviewed(request: VisitorRequest, reference: string): Promise<Reviewed> {
  const { session } = await sessionOf(request, reference);
  return { session, ...(await readGiven(request, session)) };
}

/** A session that is reviewed, and its entity tag. @throws Problem unless it belongs to the study of the path */
async function sessionOf(
  { calls, params }: VisitorRequest,
  id: string,
): Promise<{ session: ScreenerSession; tag: string }> {
  const { body, headers } = await calls.reply("getScreenerSession", { id });
  const session: ScreenerSession = JSON.parse(String(body));
  if (session.screenerId !== params.id || session.review === null) throw new Problem("screener_session_not_found");
  return { session, tag: headers?.ETag ?? "" };
}
