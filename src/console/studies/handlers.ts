// The page with the workspace's studies: screeners, with what their lists count.

import { setImmediate as nextTurn } from "node:timers/promises";
import type { Reader } from "../../../db/sqlite/connection.ts";
import type { Screener, ScreenerPublication } from "../../client/types.ts";
import type { Reply } from "../../http/wire/reply.ts";
import { isTarget } from "../../nouns/content/quotas.ts";
import { isDraftChanged } from "../../nouns/publications/draft-wording.ts";
import { shownQualified } from "../../nouns/publications/target.ts";
import { listOfEverybody } from "../../nouns/quotas/queries.ts";
import {
  findScreeners,
  lastAnswerAt,
  refusalOf,
  SCREENER_ORDERS,
  type WantedScreeners,
} from "../../nouns/screeners/queries.ts";
import { countPending, listPending } from "../../nouns/sessions/queries.ts";
import { offsetOf, page, signedIn, type VisitorRequest } from "../shell/request.ts";
import { renderStudies, type Study } from "./page.tsx";

const STUDIES_PER_PAGE = 20;

/** GET of the studies: those that are in use, or the archived ones; by words of their titles; the newest first, or in another order. */
export async function showStudies(request: VisitorRequest): Promise<Reply> {
  const { base, calls, context, query, visitor } = request;
  const limit = STUDIES_PER_PAGE;
  const offset = offsetOf(query, limit);
  const asked = {
    words: (query.get("q") ?? "").trim(),
    isArchived: query.has("archived"),
    order: SCREENER_ORDERS.find((order) => order === query.get("sort")) ?? SCREENER_ORDERS[0],
  };
  const find = (of: Partial<WantedScreeners>) =>
    context.workspaces.read(visitor.workspace_uid, (db) => findScreeners(db, { ...asked, limit, offset, ...of }));
  const { total, ids } = find({});
  const archived = asked.isArchived ? 0 : find({ words: "", isArchived: true, limit: 0, offset: 0 }).total;
  const studies: Study[] = [];
  for (const id of ids) {
    studies.push(await studyOf(request, await calls.get("getScreener", { id })));
    // Other requests need not wait for all of them.
    await nextTurn();
  }
  const curl = calls.curl("listScreeners");
  const view = { asked, archived, total, limit, offset, studies, curl };
  return page(200, renderStudies(base, signedIn(request), view));
}

/** A study, as the list shows it. */
export async function studyOf({ calls, context, visitor }: VisitorRequest, screener: Screener): Promise<Study> {
  const { id, title, opensAt, closesAt, linkExpiresAt, timeZone, activePublicationId } = screener;
  // A total comes from kept counts, however many there are.
  const count = (status?: string) => {
    const filters = [`filter[screenerId][eq]=${id}`, ...(status ? [`filter[status][eq]=${status}`] : [])];
    return calls.total("listScreenerParticipants", { query: filters.join("&") });
  };
  const publication =
    activePublicationId === null ? undefined : await calls.get("getScreenerPublication", { id: activePublicationId });
  const [qualified, screenedOut] = [await count("QUALIFIED"), await count("DISQUALIFIED")];
  const completed = qualified + screenedOut + (await count("UNKNOWN"));
  return {
    id,
    title,
    opensAt,
    closesAt,
    linkExpiresAt,
    timeZone,
    state: stateOf(screener),
    isChanged: context.workspaces.read(visitor.workspace_uid, (db) => db.snapshot(() => isDraftChanged(db, id))),
    lastAnswerAt: context.workspaces.read(visitor.workspace_uid, (db) => lastAnswerAt(db, id)),
    assigned: await count(),
    started: completed + (await count("IN_PROGRESS")),
    completed,
    qualified,
    screenedOut,
    target: publicationTargetOf(publication, (id) =>
      context.workspaces.read(visitor.workspace_uid, (db) => shownQualified(db, id)),
    ),
    review: context.workspaces.read(visitor.workspace_uid, (db) => ({
      pending: countPending(db, id),
      since: listPending(db, id, 1)[0]?.completedAt ?? null,
    })),
    places: context.workspaces.read(visitor.workspace_uid, (db) => placesOf(db, id)),
  };
}

/** The places of the quota that is the study's target. Null: there is none. */
function placesOf(db: Reader, screenerUid: string): Study["places"] {
  const { limit = null, taken = 0 } = listOfEverybody(db, screenerUid).find(isTarget) ?? {};
  return limit === null ? null : { limit, taken };
}

/** The state of a study now. */
export function stateOf({
  acceptance,
  opensAt,
  closesAt,
  linkExpiresAt,
  activePublicationId,
}: Screener): Study["state"] {
  if (activePublicationId === null) return "draft";
  const refusal = refusalOf({ acceptance, opens_at: opensAt, closes_at: closesAt, link_expires_at: linkExpiresAt });
  return refusal ?? "live";
}

/** The target of the live version, and how many count for it; null: there is none. */
function publicationTargetOf(
  publication: ScreenerPublication | undefined,
  qualifiedBy: (id: string) => number,
): Study["target"] {
  if (!publication || publication.targetQualifiedParticipants === null) return null;
  const { id, version, targetQualifiedParticipants: wanted } = publication;
  return { version, wanted, qualified: qualifiedBy(id) };
}
