// The pages of a study's quotas: all of them, and one with the people who have its places.

import { newId } from "../../base/ids.ts";
import { Problem } from "../../base/problems.ts";
import { withReferences } from "../../base/references.ts";
import type { Screener, ScreenerQuota, ScreenerQuotaChange } from "../../client/types.ts";
import type { Reply } from "../../http/wire/reply.ts";
import { type Content, MAX_QUOTAS } from "../../nouns/content/content.ts";
import { assignmentsIn, questionsIn } from "../../nouns/content/holds.ts";
import { asRead, ContentNames } from "../../nouns/content/sentences.ts";
import { countErased } from "../../nouns/quotas/queries.ts";
import { HOLD_HOURS } from "../../quota-jobs/offer-job.ts";
import { lookWhoWaits, type Waiting } from "../../quota-jobs/waiting.ts";
import { includesRole } from "../../workspaces/rights.ts";

import { type Faults, faultsOf } from "../shell/faults.ts";
import { unchecked } from "../shell/forms.ts";
import { byTime } from "../shell/newest.ts";
import { offsetOf, page, redirect, type VisitorRequest } from "../shell/request.ts";
import { readContent } from "../study/draft.ts";
import { studyFrame } from "../study/handlers.ts";
import { renderQuotas } from "./page.tsx";
import { LIMIT, type NamedPlace, renderQuota } from "./quota-page.tsx";
import { whatIf } from "./what-if.tsx";
import { PLACE_STATES } from "./words.tsx";

/** All that a draft can have: a grid is not cut. */
const QUOTAS_PER_PAGE = MAX_QUOTAS;
const PLACES_PER_PAGE = 50;
/** Few studies have more. */
const ARMS_PER_PAGE = 500;

/** GET of a study's quotas. */
export async function showQuotas(request: VisitorRequest): Promise<Reply> {
  const { calls, params, query } = request;
  const { frame, screener } = await studyFrame(request);
  const call = {
    id: params.id!,
    query: `pagination[limit]=${QUOTAS_PER_PAGE}&pagination[offset]=${offsetOf(query, QUOTAS_PER_PAGE)}`,
  };
  const { total, limit, offset, items } = await calls.get("listScreenerQuotas", call);
  const { content: draft } = await readContent(request, "getScreenerContent", params.id!);
  const isAsking = items.some(({ when }) => when !== null && questionsIn(when).length > 0);
  const questions = namesIn(draft, isAsking ? await liveOf(request, screener) : undefined);
  const live = new Set(items.map(({ id }) => id));
  const unpublished = (draft?.quotas ?? []).filter(({ id }) => !live.has(id)).map(({ name }) => name);
  const curl = calls.curl("listScreenerQuotas", call);
  const tried = await whatIf(request, draft, items);
  const arms = await calls.get("listScreenerArms", { id: params.id!, query: `pagination[limit]=${ARMS_PER_PAGE}` });
  const view = {
    ...{ arms: arms.items, moreArms: arms.total - arms.items.length },
    ...{ quotas: items, questions, unpublished: total > limit ? [] : unpublished, whatIf: tried },
    ...{ holdMinutes: screener.quotaHoldMinutes, total, limit, offset, curl },
  };
  const isWrong = tried?.faults.length || tried?.tried.some(({ fault }) => fault);
  return page(isWrong ? 422 : 200, renderQuotas(frame, view));
}

/** GET of them as a CSV. */
export function sendQuotas({ calls, params }: VisitorRequest): Promise<Reply> {
  return calls.reply("listScreenerQuotas", { id: params.id! }, "csv");
}

/** GET of a study's arms as a CSV. */
export function sendArms({ calls, params }: VisitorRequest): Promise<Reply> {
  return calls.reply("listScreenerArms", { id: params.id! }, "csv");
}

/** GET of one quota. */
export async function showQuota(request: VisitorRequest): Promise<Reply> {
  const { quota } = await quotaOf(request);
  return replyWithQuota(request, quota, String(quota.limit ?? ""), {});
}

/** POST: changes the limit of a quota, pauses it, or lets it go on. */
export async function changeQuota(request: VisitorRequest): Promise<Reply> {
  const { base, fields, params } = request;
  const { quota } = await quotaOf(request);
  const typed = fields(LIMIT).trim();
  const paused = fields("paused");
  if (paused === "" && typed === "")
    return replyWithQuota(request, quota, typed, { [LIMIT]: "must be a whole number" });
  const change: ScreenerQuotaChange =
    paused === ""
      ? { limit: /^\d+$/.test(typed) ? Number(typed) : unchecked<number>(typed) }
      : { paused: paused === "yes" };
  try {
    const isChanged = await changeUnlessStale(request, change);
    if (isChanged) return redirect(`${base}/console/studies/${params.id}/quotas/${quota.id}?saved`);
    const now = (await quotaOf(request)).quota;
    const text =
      "Somebody has changed this quota since you opened the page. Nothing was changed: look at it, and try again.";
    return await replyWithQuota(request, now, typed || String(now.limit ?? ""), { "": text });
  } catch (error) {
    return replyWithQuota(request, quota, typed, faultsOf(error, [LIMIT]));
  }
}

/** How often it is tried while people take places at the same moment. */
const MAX_TRIES = 10;

/**
 * Changes a quota if its limit and state are still what the page has shown. Its entity tag has its places, too: those may change
 * meanwhile. @returns whether it has now what was wanted
 */
async function changeUnlessStale(request: VisitorRequest, change: ScreenerQuotaChange): Promise<boolean> {
  const { calls, fields } = request;
  for (let tries = 1; ; tries++) {
    const { quota, tag } = await quotaOf(request);
    // A form that is sent twice has changed it already.
    if (Object.entries(change).every(([name, value]) => quota[name as keyof ScreenerQuotaChange] === value))
      return true;
    if (settingsOf(quota) !== fields("was")) return false;
    try {
      await calls.send("changeScreenerQuota", { id: quota.id, headers: { "if-match": tag }, body: change });
      return true;
    } catch (error) {
      if (!(error instanceof Problem && error.code === "precondition_failed") || tries === MAX_TRIES) throw error;
    }
  }
}

/** What people change of a quota, as the form has it. */
function settingsOf({ limit, paused }: Pick<ScreenerQuota, "limit" | "paused">): string {
  return JSON.stringify({ limit, paused });
}

/** The quota of the path, and its entity tag. @throws Problem unless it belongs to the study of the path */
async function quotaOf({ calls, params }: VisitorRequest): Promise<{ quota: ScreenerQuota; tag: string }> {
  const { body, headers } = await calls.reply("getScreenerQuota", { id: params.quota! });
  const quota: ScreenerQuota = JSON.parse(String(body));
  if (quota.screenerId !== params.id) throw new Problem("screener_quota_not_found");
  return { quota, tag: headers?.ETag ?? "" };
}

async function replyWithQuota(
  request: VisitorRequest,
  quota: ScreenerQuota,
  typed: string,
  faults: Faults,
): Promise<Reply> {
  const { calls, context, query, visitor } = request;
  const { frame, screener } = await studyFrame(request);
  const state = stateIn(query);
  const filter = state && `filter[state][eq]=${state}`;
  const read = (query: string) => calls.get("listScreenerQuotaPlaces", { id: quota.id, query });
  const places = await byTime(read, filter, { query, limit: PLACES_PER_PAGE });
  const html = renderQuota(frame, {
    quota,
    questions: await questionsOf(request, screener, quota),
    state,
    places: await named(request, places.items),
    erased: context.workspaces.read(visitor.workspace_uid, (db) => countErased(db, quota.id)),
    total: places.total,
    limit: places.limit,
    offset: places.offset,
    order: places.order,
    was: settingsOf(quota),
    typed,
    faults,
    isSaved: query.has("saved"),
    waiting: await waitingFor(request, quota),
    hours: query.get("hours") ?? String(HOLD_HOURS),
    key: newId(),
    curl: calls.curl("listScreenerQuotaPlaces", { id: quota.id, query: places.query }),
  });
  return page(Object.keys(faults).length ? 422 : 200, html);
}

/** Who waits for its places, for those who can do something about it. */
async function waitingFor({ context, visitor }: VisitorRequest, { id }: ScreenerQuota): Promise<Waiting | null> {
  if (!includesRole(visitor.role, "researcher")) return null;
  const { keptAnswers, pool } = context;
  const wanted = { workspaceUid: visitor.workspace_uid, quotaUid: id };
  const { json } = await keptAnswers.get(wanted.workspaceUid, `waiting for ${id}`, () =>
    pool.ask(lookWhoWaits, wanted),
  );
  return JSON.parse(json);
}

function stateIn(query: URLSearchParams): string {
  const state = query.get("state") ?? "";
  return Object.hasOwn(PLACE_STATES, state) ? state : "";
}

/** GET of a quota's places as a CSV. */
export async function sendPlaces(request: VisitorRequest): Promise<Reply> {
  const { quota } = await quotaOf(request);
  const state = stateIn(request.query);
  const query = state && `filter[state][eq]=${state}`;
  return request.calls.reply("listScreenerQuotaPlaces", { id: quota.id, query }, "csv");
}

/** Places with the ids of their people, and with references instead of sessions' ids: these are never in addresses. */
async function named(
  { calls, context, visitor }: VisitorRequest,
  places: readonly Omit<NamedPlace, "externalUid">[],
): Promise<NamedPlace[]> {
  const people = new Map<string, string>();
  for (const { participantId: id } of places)
    if (!people.has(id)) people.set(id, (await calls.get("getParticipant", { id })).externalUid);
  const referred = (id: string) => context.workspaces.read(visitor.workspace_uid, (db) => withReferences(db, id));
  return places.map((place) => ({
    ...place,
    externalUid: people.get(place.participantId)!,
    screenerSessionId: referred(place.screenerSessionId),
  }));
}

/** The names of these contents. The later ones count. */
function namesIn(...contents: (Content | undefined)[]): ContentNames {
  const all = contents.filter((content) => content !== undefined);
  const pages = all.flatMap((content) => asRead(content).pages);
  return new ContentNames({ pages, assignments: all.flatMap(({ assignments = [] }) => assignments) });
}

/** What is live, if it can be read at once. Undefined also: nothing is. */
async function liveOf(request: VisitorRequest, { activePublicationId: id }: Screener): Promise<Content | undefined> {
  return id === null ? undefined : (await readContent(request, "getScreenerPublicationContent", id)).content;
}

/** The questions and arms that a quota's rule is about: as they are live, else as in the draft. */
async function questionsOf(
  request: VisitorRequest,
  screener: Screener,
  { when }: ScreenerQuota,
): Promise<ContentNames> {
  const asked = when === null ? [] : [...questionsIn(when), ...assignmentsIn(when)];
  if (!asked.length) return namesIn();
  const live = await liveOf(request, screener);
  const questions = namesIn(live);
  if (asked.every((id) => questions.has(id) || questions.assignments.has(id))) return questions;
  const { content: draft } = await readContent(request, "getScreenerContent", request.params.id!);
  return namesIn(draft, live);
}
