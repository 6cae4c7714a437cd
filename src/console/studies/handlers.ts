// The page with the workspace's studies: screeners, with what their lists count.

import { setImmediate as nextTurn } from "node:timers/promises";
import type { Screener } from "../../client/types.ts";
import type { Reply } from "../../http/wire/reply.ts";
import { isDraftChanged } from "../../nouns/content/queries.ts";
import { findTarget } from "../../nouns/quotas/queries.ts";
import { lastAnswerAt, refusalOf } from "../../nouns/screeners/queries.ts";
import { newestOf } from "../shell/newest.ts";
import { offsetOf, page, signedIn, type VisitorRequest } from "../shell/request.ts";
import { renderStudies, type Study } from "./page.tsx";

const STUDIES_PER_PAGE = 20;

/** GET of the studies, the newest first. */
export async function showStudies(request: VisitorRequest): Promise<Reply> {
  const { base, calls } = request;
  const limit = STUDIES_PER_PAGE;
  const offset = offsetOf(request.query);
  const { total, items, query } = await newestOf((query) => calls.get("listScreeners", { query }), "", {
    limit,
    offset,
  });
  const studies: Study[] = [];
  for (const screener of items) {
    studies.push(await studyOf(request, screener));
    // Other requests need not wait for all of them.
    await nextTurn();
  }
  const curl = calls.curl("listScreeners", { query });
  return page(200, renderStudies(base, signedIn(request), { total, limit, offset, studies, curl }));
}

/** A study, as the list shows it. */
export async function studyOf({ calls, context, visitor }: VisitorRequest, screener: Screener): Promise<Study> {
  const { id, title, acceptance, opensAt, closesAt, activePublicationId } = screener;
  // A total comes from kept counts, however many there are.
  const count = async (status?: string) => {
    const filters = [`filter[screenerId][eq]=${id}`, ...(status ? [`filter[status][eq]=${status}`] : [])];
    const query = `pagination[limit]=1&${filters.join("&")}`;
    return (await calls.get("listScreenerParticipants", { query })).total;
  };
  const publication =
    activePublicationId === null ? undefined : await calls.get("getScreenerPublication", { id: activePublicationId });
  const refusal = refusalOf({ acceptance, opens_at: opensAt, closes_at: closesAt });
  const [qualified, screenedOut] = [await count("QUALIFIED"), await count("DISQUALIFIED")];
  const completed = qualified + screenedOut + (await count("UNKNOWN"));
  return {
    id,
    title,
    opensAt,
    closesAt,
    state: publication ? (refusal ?? "live") : "draft",
    isChanged: context.workspaces.read(visitor.workspace_uid, (db) => isDraftChanged(db, id)),
    lastAnswerAt: context.workspaces.read(visitor.workspace_uid, (db) => lastAnswerAt(db, id)),
    assigned: await count(),
    started: completed + (await count("IN_PROGRESS")),
    completed,
    qualified,
    screenedOut,
    target: publication?.targetQualifiedParticipants ?? null,
    places: context.workspaces.read(visitor.workspace_uid, (db) => findTarget(db, id)) ?? null,
  };
}
