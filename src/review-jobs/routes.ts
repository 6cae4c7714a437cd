// /screener-sessions-review

import * as v from "valibot";
import { exampleIds, exampleJob } from "../base/examples.ts";
import { idOfReference } from "../base/references.ts";
import { closedObject, id, JobReference, shortArray } from "../base/schemas.ts";
import { type SentFilter, withIds } from "../exports/sent-filter.ts";
import { faultsOfFilter } from "../exports/sent-filter-query.ts";
import { requireScope } from "../http/auth.ts";
import { type AnyEndpoint, type ApiRequest, defineEndpoint } from "../http/endpoint.ts";
import { workspaceSource } from "../http/lists.ts";
import { reason } from "../nouns/sessions/reviews.ts";
import { replyWithJobItself, submitJob } from "../writes/submit-job.ts";
import { DECISIONS, ReviewFilter, reviewJob } from "./job.ts";

/** More are found by a filter: they would be long in the ledger. */
const MAX_IDS = 1000;

/** What is wrong with filters is said together with the rest. */
const CheckedFilter = v.pipe(
  ReviewFilter,
  v.rawCheck(({ dataset, addIssue }) => {
    if (!dataset.typed) return;
    for (const { path: keys, message } of faultsOfFilter(dataset.value, { pointer: "/filter" })) {
      const path = keys.map(
        (key): v.ObjectPathItem => ({ type: "object", origin: "value", input: dataset.value, key, value: null }),
      );
      addIssue(path.length ? { message, path: path as [v.ObjectPathItem] } : { message });
    }
  }),
);

const Review = v.pipe(
  closedObject({
    screenerId: id,
    filter: v.optional(v.nullable(CheckedFilter)),
    screenerSessionIds: v.optional(v.nullable(shortArray(id, MAX_IDS, "must name a session"))),
    decision: v.picklist(DECISIONS, `must be ${DECISIONS.join(" or ")}`),
    reason,
    dryRun: v.optional(v.nullable(v.boolean("must be true, false or null"))),
  }),
  // Not a check: that would wait until all members are right.
  v.rawCheck(({ dataset, addIssue }) => {
    const { filter, screenerSessionIds } = dataset.value as Named;
    if (((filter ?? null) === null) === ((screenerSessionIds ?? null) === null))
      addIssue({ message: "must have either filter or screenerSessionIds" });
  }),
  v.title("ScreenerSessionsReview"),
);

const example = { ...exampleJob, kind: reviewJob.kind, screenerId: exampleIds.screener };

const review = defineEndpoint({
  method: "post",
  path: "/screener-sessions-review",
  operationId: "reviewScreenerSessions",
  scopes: ["review"],
  tag: "Sessions",
  summary: "Accept or reject many sessions",
  description:
    "Sessions that wait for their review are accepted or rejected, each as by itself: those that a filter lets through, as in the table of " +
    "answers, or those that are named. What somebody else has decided stays, and its row is SKIPPED. All or nothing. With `dryRun` it ends " +
    "as a plan, which can be applied to the sessions that it shows. It can be undone, as far as there are places.",
  isJob: true,
  body: Review,
  replies: {
    200: {
      description: "The job that has reviewed them, or its plan",
      schema: JobReference,
      headers: { Location: "The path of the job" },
    },
  },
  examples: {
    reject: {
      body: {
        screenerId: exampleIds.screener,
        filter: { completedAt: { gte: "2026-01-31T22:00:00.000Z", lt: "2026-02-01T05:00:00.000Z" } },
        decision: "REJECTED",
        reason: "A machine was at work that night",
      },
      reply: {
        ...example,
        status: "SUCCEEDED",
        summary: { reviewed: 0, skipped: 0 },
        finishedAt: "2026-01-31T12:00:00.300Z",
      },
    },
    preview: {
      summary: "Show who would be accepted",
      body: { screenerId: exampleIds.screener, filter: {}, decision: "ACCEPTED", dryRun: true },
      reply: {
        ...example,
        status: "PLANNED",
        summary: { reviewed: 0, skipped: 0 },
        plan: { reason: "DRY_RUN", expiresAt: "2026-02-07T12:00:00.000Z" },
      },
    },
  },
  problems: ["screener_not_found", "too_many_sessions"],
  async handle(request) {
    const { screenerId, decision, reason = null, dryRun, ...which } = request.body;
    // How many match would say what people have answered.
    if (Object.keys(which.filter ?? {}).some((field) => field !== "review")) requireScope(request.principal, ["read"]);
    const payload = { screenerId, ...named(request, which), decision, reason, dryRun: dryRun ?? false };
    return replyWithJobItself(request, await submitJob(request, reviewJob, payload));
  },
});

interface Named {
  filter?: SentFilter | null | undefined;
  screenerSessionIds?: readonly string[] | null | undefined;
}

/** The same, with each session once, by its id. A caller that must not see ids has sent references. */
function named(request: ApiRequest<unknown>, { filter = null, screenerSessionIds: ids = null }: Named) {
  if (!request.principal.hidesLinks) return { filter, screenerSessionIds: ids && [...new Set(ids)] };
  return workspaceSource(request as ApiRequest).read((db) => ({
    filter: filter && withIds(db, filter),
    screenerSessionIds: ids && [...new Set(ids.map((one) => idOfReference(db, one)))],
  }));
}

export const reviewJobRoutes: AnyEndpoint[] = [review];
