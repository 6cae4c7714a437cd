// What a new version leaves to be done: links that keep a former one, and quotas that begin at zero.

import type { ScreenerPublication, ScreenerQuota } from "../../client/types.ts";
import { MAX_QUOTAS } from "../../nouns/content/content.ts";
import { countMoves } from "../../session-moves/count.ts";
import type { VisitorRequest } from "../shell/request.ts";

/** Links that nobody has opened, on former versions. They are counted in a thread, unless nothing was written since that was done. */
export async function countUnopened({ context, params, visitor }: VisitorRequest): Promise<number> {
  const { keptAnswers, pool } = context;
  const wanted = { workspaceUid: visitor.workspace_uid, screenerUid: params.id! };
  const name = `movable sessions ${wanted.screenerUid}`;
  const { json } = await keptAnswers.get(wanted.workspaceUid, name, () => pool.ask(countMoves, wanted));
  return JSON.parse(json);
}

/** All that are in the draft, if they are published. */
export async function quotasOf({ calls, params }: VisitorRequest): Promise<ScreenerQuota[]> {
  return (await calls.get("listScreenerQuotas", { id: params.id!, query: `pagination[limit]=${MAX_QUOTAS}` })).items;
}

/** The quotas that began with the live version, if people have finished former ones: their answers may be counted. */
export async function begunQuotas(
  request: VisitorRequest,
  live: Pick<ScreenerPublication, "version" | "createdAt">,
): Promise<ScreenerQuota[]> {
  if (live.version === 1) return [];
  const filters = `filter[screenerId][eq]=${request.params.id}&filter[status][eq]=ACTIVE&filter[state][eq]=COMPLETED`;
  const total = await request.calls.total("listScreenerSessions", { query: filters });
  return total ? (await quotasOf(request)).filter(({ createdAt }) => createdAt === live.createdAt) : [];
}
