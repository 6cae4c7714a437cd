// /screener-quotas, and a screener's list of them.

import { invalidRequest, type ProblemDetail } from "../../base/problems.ts";
import { actorRow } from "../../events/actors.ts";
import { changesBetween } from "../../events/record.ts";
import { type AnyEndpoint, besideStored, defineEndpoint, requireMatch, withTag } from "../../http/endpoint.ts";
import { defineList, workspaceSource } from "../../http/lists.ts";
import { defineRead } from "../../http/reads.ts";
import { writeOnce } from "../../writes/write-once.ts";
import { getScreener, getScreenerUid } from "../screeners/queries.ts";
import { recordIfTurned } from "./claim.ts";
import { findQuota, getQuota, type QuotaRow, updateQuota } from "./queries.ts";
import { placeList, QuotaChange, quota, quotaList } from "./resource.ts";

const tag = "Quotas";

const list = defineList(
  quotaList,
  {
    path: "/screeners/:id/quotas",
    operationId: "listScreenerQuotas",
    tag,
    summary: "List a screener's quotas",
    downloads: null,
    description:
      "The quotas that were published, over all versions. `held` are places of participants who are answering, without those that have lapsed. " +
      "`RETIRED`: it is gone from the draft.",
    order: "in the order of the draft, then those that are gone from there",
    problems: ["screener_not_found"],
  },
  (request) => workspaceSource(request).read((db) => getScreener(db, request.params.id!).id),
);

const read = defineRead(quota, {
  path: "/screener-quotas/:id",
  operationId: "getScreenerQuota",
  tag,
  summary: "Get a quota",
  reply: "The quota",
  unknown: "screener_quota_not_found",
});

function faultsOfLimit({ mode }: QuotaRow, { limit }: { limit?: number | null | undefined }): ProblemDetail[] {
  return limit === null && mode === "LIMIT"
    ? [{ pointer: "/limit", message: "can be null only where mode is COUNT" }]
    : [];
}

const change = defineEndpoint({
  method: "patch",
  path: "/screener-quotas/:id",
  operationId: "changeScreenerQuota",
  scopes: ["author"],
  tag,
  summary: "Change a quota's limit, or pause it",
  description:
    "Send only the members to change. A limit below what is taken takes nobody's place. While a quota is paused it gives no places; " +
    "those that are taken stay. null takes the limit of a quota that only counts away.",
  body: QuotaChange,
  together: besideStored(findQuota, faultsOfLimit),
  isConditional: true,
  replies: {
    200: { description: "The quota as it is now", schema: quota.schema, headers: { ETag: "For If-Match" } },
  },
  examples: {
    limit: { summary: "Raise the limit", body: { limit: 50 }, reply: { ...quota.example, limit: 50, remaining: 37 } },
  },
  problems: ["screener_quota_not_found"],
  handle(request) {
    const { body, params, principal } = request;
    return writeOnce(request, (db, record) => {
      const current = getQuota(db, params.id!);
      const before = quota.find(db, current.uid)!;
      requireMatch(request, before);
      const { limit = current.max_places, paused = current.paused === 1 } = body;
      const wrong = faultsOfLimit(current, body);
      if (wrong.length) throw invalidRequest(wrong);
      const at = new Date();
      const actor = actorRow(db, principal.actor);
      updateQuota(db, { id: current.id, limit, paused, actor, now: at.toISOString() });
      const after = quota.find(db, current.uid)!;
      const settings = new Set(["limit", "paused", "updatedAt", "updatedBy"]);
      const changes = changesBetween(before, after).filter(({ field }) => settings.has(field));
      const resource = { type: quota.type, uid: current.uid };
      const summary = { screenerId: getScreenerUid(db, current.screener_id) };
      if (changes.length) record({ type: "screener-quota.updated", resource, changes, summary, at });
      recordIfTurned(db, current, record, at);
      return withTag(after);
    });
  },
});

const places = defineList(
  placeList,
  {
    path: "/screener-quotas/:id/places",
    operationId: "listScreenerQuotaPlaces",
    tag,
    summary: "List a quota's places",
    downloads: "SCREENER_QUOTA_PLACES",
    description: "Who holds or has taken a place, by which session, and why it was given back.",
    problems: ["screener_quota_not_found"],
  },
  (request) => workspaceSource(request).read((db) => getQuota(db, request.params.id!).id),
);

export const quotaRoutes: AnyEndpoint[] = [list, read, change, places];
