// The page that publishes a study: what changes, what is probably a mistake, and who is affected.

import { hash, randomUUID } from "node:crypto";
import { attributeKeys } from "../../base/attributes.ts";
import { Problem } from "../../base/problems.ts";
import type { ScreenerContent } from "../../client/types.ts";
import type { Reply } from "../../http/wire/reply.ts";
import { differenceOf } from "../../nouns/content/advice/difference.ts";
import { closedQuotas, missingAttributes, NO_QUESTIONS, warningsOf } from "../../nouns/content/advice/warnings.ts";
import { EMPTY_CONTENT } from "../../nouns/content/content.ts";
import { changedLanguages, type LanguageChange } from "../../nouns/publications/draft-wording.ts";
import { required } from "../../nouns/translations/writing.ts";
import { type Faults, faultsOf } from "../shell/faults.ts";
import { unchecked } from "../shell/forms.ts";
import { offsetOf, page, redirect, type VisitorRequest } from "../shell/request.ts";
import { readContent } from "../study/draft.ts";
import { studyFrame } from "../study/handlers.ts";
import { countUnopened, quotasOf } from "./leftovers.ts";
import { type PublishView, renderPublish, TARGET } from "./page.tsx";
import { limitIn, type Target, targetOf, withTarget } from "./target.ts";
import { changesInWords } from "./translated.tsx";

/** GET of the page. */
export function showPublish(request: VisitorRequest): Promise<Reply> {
  return replyWithPublish(request, undefined, {});
}

const STALE = "The draft was changed since you opened this page. This has not published it: look at the changes again.";

const INCOMPLETE = "Something is incomplete, so nothing is published: finish it in the builder.";

const NOT_TRANSLATED = "Not all texts are translated, so nothing is published: look at the languages.";

/** POST: publishes the draft, if it is still the one that the page has shown. */
export async function publishStudy(request: VisitorRequest): Promise<Reply> {
  const { base, calls, fields, params } = request;
  const typed = fields(TARGET).trim();
  const target = typed === "" ? null : /^\d+$/.test(typed) ? Number(typed) : unchecked<number>(typed);
  try {
    const { content: draft } = await readContent(request, "getScreenerContent", params.id!);
    const { of } = targetOf(await latestOf(request), draft, await quotasOf(request));
    const version = draft ? await putTarget(request, draft, of, target) : fields("version");
    if (version === undefined) return await replyWithPublish(request, typed, { "": STALE });
    const { status } = await calls.send("publishScreener", {
      // The form may come back, with another target in the draft.
      headers: { "idempotency-key": hash("sha256", `${fields("key")} ${version}`), "if-match": version },
      body: {
        screenerId: params.id!,
        [TARGET]: of === "publication" ? target : null,
        ...(fields("translated") && { requireTranslations: true }),
      },
    });
    // The job waits behind others.
    return redirect(status === 202 ? `${base}/console/jobs` : `${base}/console/studies/${params.id}/share?published`);
  } catch (error) {
    if (error instanceof Problem && error.code === "precondition_failed") {
      // A form that is sent twice has published already.
      if (((await latestOf(request))?.id ?? "") !== fields("latest"))
        return redirect(`${base}/console/studies/${params.id}/share?published`);
      return replyWithPublish(request, typed, { "": STALE });
    }
    if (error instanceof Problem && error.code === "translations_incomplete")
      return replyWithPublish(request, typed, { "": NOT_TRANSLATED });
    if (error instanceof Problem && error.code === "draft_incomplete")
      return replyWithPublish(request, typed, { "": INCOMPLETE });
    return replyWithPublish(request, typed, onTarget(faultsOf(error, [TARGET])));
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

/**
 * Puts the target that was typed into the draft that the page has shown, unless it has it. @returns the draft's entity tag; undefined if
 * the target is published by now: then its limit is changed elsewhere
 */
async function putTarget(
  { calls, fields, params }: VisitorRequest,
  draft: ScreenerContent,
  of: Target["of"],
  limit: number | null,
): Promise<string | undefined> {
  const version = fields("version");
  if (of === "publication" || (of === "quota" && limit === null)) return version;
  if (limitIn(draft) === limit) return version;
  if (of === "quota") return undefined;
  const body = withTarget(draft, limit);
  const { headers } = await calls.send("putScreenerContent", {
    id: params.id!,
    headers: { "if-match": version },
    body,
  });
  return headers.ETag ?? "";
}

/** What is wrong with the limit of the quota is wrong with the target. */
function onTarget(faults: Faults): Faults {
  return Object.fromEntries(
    Object.entries(faults).map(([name, text]) =>
      /^\/quotas\/\d+\/limit$/.test(name) ? [TARGET, text.slice(name.length + 1)] : [name, text],
    ),
  );
}

async function latestOf({ calls, params }: VisitorRequest) {
  const { items } = await calls.get("listScreenerPublications", { id: params.id!, query: "pagination[limit]=1" });
  return items[0];
}

/** What publishing would change of the translations. */
async function languagesChanged({ context, params, visitor }: VisitorRequest): Promise<LanguageChange[]> {
  const asked = { workspaceUid: visitor.workspace_uid, screenerUid: params.id! };
  const ask = () => context.pool.ask(changedLanguages, asked);
  return required(await context.turns.inThread(asked.workspaceUid, ask)).changes;
}

/** @param typed the target; undefined: that of the latest publication */
async function replyWithPublish(request: VisitorRequest, typed: string | undefined, faults: Faults): Promise<Reply> {
  const { calls, context, params, query, visitor } = request;
  const { frame, screener } = await studyFrame(request);
  const { content: after, etag: version } = await readContent(request, "getScreenerContent", params.id!);
  const latest = await latestOf(request);
  const isActive = latest !== undefined && latest.id === screener.activePublicationId;
  const before = isActive
    ? (await readContent(request, "getScreenerPublicationContent", latest.id)).content
    : EMPTY_CONTENT;
  const count = (operationId: "listScreenerParticipants" | "listScreenerSessions", filters: string) =>
    calls.total(operationId, { query: `filter[screenerId][eq]=${frame.id}${filters}` });
  const sessions = (state: string) =>
    count("listScreenerSessions", `&filter[status][eq]=ACTIVE&filter[state][eq]=${state}`);
  const versions = await calls.get("listScreenerPublications", {
    id: params.id!,
    query: `pagination[limit]=${VERSIONS_PER_PAGE}&pagination[offset]=${offsetOf(query, VERSIONS_PER_PAGE)}`,
  });
  const quotas = await quotasOf(request);
  const target = targetOf(latest, after, quotas);
  const limits = new Map(quotas.map(({ id, limit }) => [id, limit]));
  const basis = query.get("forecast");
  const isAsked = basis === "ANSWERS" || basis === "ROSTER";
  const forecast = isAsked
    ? (await calls.send("forecastScreenerQuotas", { id: params.id!, body: { basis } })).value
    : null;
  const { items: languages } = await calls.get("listScreenerTranslations", { id: params.id! });
  const view: PublishView = {
    live: isActive ? latest : null,
    restored: /^\d{1,9}$/.exec(query.get("restored") ?? "")?.[0],
    unopened: isActive ? await countUnopened(request) : 0,
    versions,
    incomplete: after?.incomplete ?? [],
    changes:
      before && after ? [...differenceOf(before, after), ...changesInWords(await languagesChanged(request))] : null,
    warnings: after
      ? [
          // What is there, but not finished, is said beside them.
          ...warningsOf(after).filter((warning) => warning !== NO_QUESTIONS || !after.incomplete?.length),
          ...closedQuotas(after, (id) => limits.get(id)),
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
    languages,
    hasQuotas: !after || after.quotas !== undefined,
    forecast,
    target,
    typed: typed ?? typedTarget(target),
    isReviewed: screener.review !== "NONE",
    hasLimit: after?.quotas?.some(({ mode }) => mode === "LIMIT") ?? false,
    latestId: latest?.id ?? "",
    version,
    key: randomUUID(),
    faults,
    curl: calls.curl("publishScreener", {
      headers: { "if-match": version },
      body: { screenerId: frame.id, [TARGET]: target.of === "publication" ? target.limit : null },
    }),
  };
  return page(Object.keys(faults).length ? 422 : 200, renderPublish(frame, view));
}

function typedTarget(target: Target): string {
  return target.of === "quota" ? "" : String(target.limit ?? "");
}
