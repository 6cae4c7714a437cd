// /screener-quotas/{id}/recount and /offer.

import * as v from "valibot";
import { exampleIds, exampleJob } from "../base/examples.ts";
import { closedObject, JobReference } from "../base/schemas.ts";
import { type AnyEndpoint, type ApiRequest, defineEndpoint } from "../http/endpoint.ts";
import { workspaceSource } from "../http/lists.ts";
import { getQuota } from "../nouns/quotas/queries.ts";
import { getScreenerUid } from "../nouns/screeners/queries.ts";
import { markOfRequest } from "../nouns/sessions/resource.ts";
import { replyWithJobItself, submitJob } from "../writes/submit-job.ts";
import { HOLD_HOURS, MAX_HOLD_HOURS, MIN_HOLD_HOURS, offerJob } from "./offer-job.ts";
import { recountJob } from "./recount-job.ts";

const tag = "Quotas";

const dryRun = v.optional(v.nullable(v.boolean("must be true, false or null")));

const replies = {
  200: {
    description: "The job that has done it, or its plan",
    schema: JobReference,
    headers: { Location: "The path of the job" },
  },
};

const done = {
  ...exampleJob,
  screenerId: exampleIds.screener,
  status: "SUCCEEDED",
  finishedAt: "2026-01-31T12:00:00.300Z",
} as const;
const planned = {
  ...exampleJob,
  screenerId: exampleIds.screener,
  status: "PLANNED",
  plan: { reason: "DRY_RUN", expiresAt: "2026-02-07T12:00:00.000Z" },
} as const;

/** The ids of the quota and of its screener, as jobs have them. @throws Problem screener_quota_not_found */
function quotaOf(request: ApiRequest): { screenerId: string; quotaId: string } {
  return workspaceSource(request).read((db) => {
    const { uid, screener_id } = getQuota(db, request.params.id!);
    return { screenerId: getScreenerUid(db, screener_id), quotaId: uid };
  });
}

const recount = defineEndpoint({
  method: "post",
  path: "/screener-quotas/:id/recount",
  operationId: "recountScreenerQuota",
  scopes: ["author"],
  tag,
  summary: "Count completed sessions into a quota that is newer",
  description:
    "Completed sessions of publications without this quota take a place in it, if its rule holds for their answers and the participant's " +
    "attributes: also beyond its limit, and each participant once. Sessions that were not asked what the rule needs are SKIPPED. All or " +
    "nothing. With `dryRun` it ends as a plan, which can be applied. It can be undone.",
  isJob: true,
  body: v.pipe(closedObject({ dryRun }), v.title("ScreenerQuotaRecount")),
  bodyIsOptional: true,
  replies,
  examples: {
    recount: { body: {}, reply: { ...done, kind: recountJob.kind, summary: { counted: 0, skipped: 0 } } },
    preview: {
      summary: "Show who would be counted",
      body: { dryRun: true },
      reply: { ...planned, kind: recountJob.kind, summary: { counted: 0, skipped: 0 } },
    },
  },
  problems: ["screener_quota_not_found"],
  async handle(request) {
    const { dryRun } = request.body ?? {};
    return replyWithJobItself(
      request,
      await submitJob(request, recountJob, { ...quotaOf(request), dryRun: dryRun ?? false }),
    );
  },
});

const wrongHours = `must be a whole number from ${MIN_HOLD_HOURS} to ${MAX_HOLD_HOURS}`;

const holdHours = v.pipe(
  v.optional(
    v.nullable(
      v.pipe(
        v.number(wrongHours),
        v.integer(wrongHours),
        v.minValue(MIN_HOLD_HOURS, wrongHours),
        v.maxValue(MAX_HOLD_HOURS, wrongHours),
      ),
    ),
  ),
  v.description(`How long places are held for those who get the offer. Default: ${HOLD_HOURS}`),
);

const offer = defineEndpoint({
  method: "post",
  path: "/screener-quotas/:id/offer",
  operationId: "offerScreenerQuota",
  scopes: ["author"],
  tag,
  summary: "Offer places to participants who were turned away by a full quota",
  description:
    "Sessions that this quota has turned away go on, the earliest first, with a place held in all of their quotas; those for whom one of " +
    "them has no room are SKIPPED. Links stay the same. Where the id of a session was given to another site by a redirect, the participant " +
    "gets a copy of the session, with a new link. When the places lapse, the sessions are `OVER_QUOTA` again. All or nothing. With `dryRun` it " +
    "ends as a plan, which can be applied. It can be undone for those who have not answered since.",
  isJob: true,
  body: v.pipe(closedObject({ holdHours, dryRun }), v.title("ScreenerQuotaOffer")),
  bodyIsOptional: true,
  replies,
  examples: {
    offer: {
      body: { holdHours: 72 },
      reply: { ...done, kind: offerJob.kind, summary: { offered: 0, skipped: 0 } },
    },
    preview: {
      summary: "Show who would get an offer",
      body: { dryRun: true },
      reply: { ...planned, kind: offerJob.kind, summary: { offered: 0, skipped: 0 } },
    },
  },
  problems: ["screener_quota_not_found", "screener_closed", "link_expired"],
  async handle(request) {
    const { dryRun, holdHours } = request.body ?? {};
    const payload = {
      ...quotaOf(request),
      holdHours: holdHours ?? HOLD_HOURS,
      mark: markOfRequest(request),
      dryRun: dryRun ?? false,
    };
    return replyWithJobItself(request, await submitJob(request, offerJob, payload));
  },
});

export const quotaJobRoutes: AnyEndpoint[] = [recount, offer];
