// The page that publishes a study: what changes, what is probably a mistake, and who is affected.

import { randomUUID } from "node:crypto";
import { attributeKeys } from "../../base/attributes.ts";
import { Problem } from "../../base/problems.ts";
import type { Reply } from "../../http/wire/reply.ts";
import { EMPTY_CONTENT } from "../../nouns/content/content.ts";
import { differenceOf } from "../../nouns/content/difference.ts";
import { missingAttributes, warningsOf } from "../../nouns/content/warnings.ts";
import { countMoves } from "../../session-moves/count.ts";
import { type Faults, faultsOf } from "../shell/faults.ts";
import { unchecked } from "../shell/forms.ts";
import { offsetOf, page, redirect, type VisitorRequest } from "../shell/request.ts";
import { readContent } from "../study/draft.ts";
import { studyFrame } from "../study/handlers.ts";
import { type PublishView, renderPublish, TARGET } from "./page.tsx";

/** GET of the page. */
export function showPublish(request: VisitorRequest): Promise<Reply> {
  return replyWithPublish(request, undefined, {});
}

/** POST: publishes the draft, if it is still the one that the page has shown. */
export async function publishStudy(request: VisitorRequest): Promise<Reply> {
  const { base, calls, fields, params } = request;
  const typed = fields(TARGET).trim();
  const target = typed === "" ? null : /^\d+$/.test(typed) ? Number(typed) : unchecked<number>(typed);
  try {
    const { status } = await calls.send("publishScreener", {
      headers: { "idempotency-key": fields("key"), "if-match": fields("version") },
      body: { screenerId: params.id!, [TARGET]: target },
    });
    // The job waits behind others.
    return redirect(status === 202 ? `${base}/console/jobs` : `${base}/console/studies/${params.id}/publish?published`);
  } catch (error) {
    if (error instanceof Problem && error.code === "precondition_failed") {
      const text =
        "The draft was changed since you opened this page. Nothing is published yet: look at the changes again.";
      return replyWithPublish(request, typed, { "": text });
    }
    return replyWithPublish(request, typed, faultsOf(error, [TARGET]));
  }
}

/** POST: puts a former version into the draft, if that is still the one that the page has seen. */
export async function restoreVersion(request: VisitorRequest): Promise<Reply> {
  const { base, calls, fields, params } = request;
  try {
    const { version } = await calls.get("getScreenerPublication", { id: params.publication! });
    await calls.send("restoreScreenerPublication", {
      id: params.publication!,
      headers: { "if-match": fields("version") },
      body: {},
    });
    return redirect(`${base}/console/studies/${params.id}/publish?restored=${version}`);
  } catch (error) {
    if (!(error instanceof Problem) || error.code !== "precondition_failed") throw error;
    const text = "The draft was changed since you opened this page. It is not replaced: look at the changes again.";
    return replyWithPublish(request, undefined, { "": text });
  }
}

/** How many versions a page lists. */
const VERSIONS_PER_PAGE = 10;

/** @param typed the target; undefined: that of the latest publication */
async function replyWithPublish(request: VisitorRequest, typed: string | undefined, faults: Faults): Promise<Reply> {
  const { calls, context, params, query, visitor } = request;
  const { frame, screener } = await studyFrame(request);
  // The revision is read before the draft: the draft on the page is never older than the one that may be published.
  const version = (await calls.reply("getScreenerContent", { id: params.id! })).headers?.ETag ?? "";
  const { items } = await calls.get("listScreenerPublications", {
    id: params.id!,
    query: "pagination[limit]=1",
  });
  const [latest] = items;
  const isActive = latest !== undefined && latest.id === screener.activePublicationId;
  const before = isActive ? await readContent(request, "getScreenerPublicationContent", latest.id) : EMPTY_CONTENT;
  const after = await readContent(request, "getScreenerContent", params.id!);
  const count = async (operationId: "listScreenerParticipants" | "listScreenerSessions", filters: string) => {
    const query = `pagination[limit]=1&filter[screenerId][eq]=${frame.id}${filters}`;
    return (await calls.get(operationId, { query })).total;
  };
  const sessions = (state: string) =>
    count("listScreenerSessions", `&filter[status][eq]=ACTIVE&filter[state][eq]=${state}`);
  const versions = await calls.get("listScreenerPublications", {
    id: params.id!,
    query: `pagination[limit]=${VERSIONS_PER_PAGE}&pagination[offset]=${offsetOf(query)}`,
  });
  const movable = { workspaceUid: visitor.workspace_uid, screenerUid: frame.id };
  const target = typed ?? String(latest?.targetQualifiedParticipants ?? "");
  const view: PublishView = {
    live: isActive ? latest : null,
    isPublished: query.has("published"),
    restored: /^\d{1,9}$/.exec(query.get("restored") ?? "")?.[0],
    unopened: (isActive && (await context.pool.ask(countMoves, movable))) || 0,
    versions,
    changes: before && after ? differenceOf(before, after) : null,
    warnings: after
      ? [
          ...warningsOf(after),
          ...missingAttributes(after, context.workspaces.read(visitor.workspace_uid, attributeKeys)).map(
            ({ message }) => message,
          ),
        ]
      : [],
    people: {
      assigned: await count("listScreenerParticipants", ""),
      invited: await sessions("NOT_STARTED"),
      answering: await sessions("IN_PROGRESS"),
      done: await sessions("COMPLETED"),
    },
    target,
    version,
    key: randomUUID(),
    faults,
    curl: calls.curl("publishScreener", {
      headers: { "if-match": version },
      body: { screenerId: frame.id, [TARGET]: Number(target) || null },
    }),
  };
  return page(Object.keys(faults).length ? 422 : 200, renderPublish(frame, view));
}
