// The page that publishes a study: what changes, what is probably a mistake, and who is affected.

import { randomUUID } from "node:crypto";
import { attributeKeys } from "../../base/attributes.ts";
import { Problem } from "../../base/problems.ts";
import type { Reply } from "../../http/wire/reply.ts";
import { EMPTY_CONTENT } from "../../nouns/content/content.ts";
import { differenceOf } from "../../nouns/content/difference.ts";
import { missingAttributes, warningsOf } from "../../nouns/content/warnings.ts";
import { type Faults, faultsOf } from "../shell/faults.ts";
import { unchecked } from "../shell/forms.ts";
import { page, redirect, type VisitorRequest } from "../shell/request.ts";
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
  const basis = query.get("forecast");
  const isAsked = basis === "ANSWERS" || basis === "ROSTER";
  const forecast = isAsked
    ? (await calls.send("forecastScreenerQuotas", { id: params.id!, body: { basis } })).value
    : null;
  const target = typed ?? String(latest?.targetQualifiedParticipants ?? "");
  const view: PublishView = {
    live: isActive ? latest : null,
    isPublished: query.has("published"),
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
    hasQuotas: !after || after.quotas !== undefined,
    forecast,
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
