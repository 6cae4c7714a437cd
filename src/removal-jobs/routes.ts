// /screener-participants-removal

import * as v from "valibot";
import { exampleIds, exampleJob } from "../base/examples.ts";
import { closedObject, id, JobReference, shortArray } from "../base/schemas.ts";
import { type AnyEndpoint, defineEndpoint } from "../http/endpoint.ts";
import { replyWithJobItself, submitJob } from "../writes/submit-job.ts";
import { removalJob } from "./job.ts";
import { MAX_OF } from "./named.ts";

const Removal = v.pipe(
  closedObject({
    screenerId: id,
    screenerParticipantIds: shortArray(id, MAX_OF.remove, "must name a screener participant"),
    dryRun: v.optional(v.nullable(v.boolean("must be true, false or null"))),
  }),
  v.title("ScreenerParticipantsRemoval"),
);

const example = { ...exampleJob, kind: removalJob.kind, screenerId: exampleIds.screener };
const body = { screenerId: exampleIds.screener, screenerParticipantIds: [exampleIds.screenerParticipant] };

const remove = defineEndpoint({
  method: "post",
  path: "/screener-participants-removal",
  operationId: "removeScreenerParticipants",
  scopes: ["import"],
  tag: "Screener participants",
  summary: "Remove many screener participants",
  description:
    "Removes those who are named from the screener, each as by itself: their sessions are archived, and what they hold in quotas is free. " +
    "The participants stay. Who is not in the screener, or no longer, is SKIPPED. All or nothing. With `dryRun` it ends as a plan, which can " +
    "be applied. It can be undone.",
  isJob: true,
  body: Removal,
  replies: {
    200: {
      description: "The job that removed them, or its plan",
      schema: JobReference,
      headers: { Location: "The path of the job" },
    },
  },
  examples: {
    preview: {
      summary: "Show who would be removed",
      body: { ...body, dryRun: true },
      reply: {
        ...example,
        status: "PLANNED",
        summary: { rows: 1, removed: 1, skipped: 0 },
        plan: { reason: "DRY_RUN", expiresAt: "2026-02-07T12:00:00.000Z" },
      },
    },
    removed: {
      body,
      reply: {
        ...example,
        status: "SUCCEEDED",
        summary: { rows: 1, removed: 1, skipped: 0 },
        finishedAt: "2026-01-31T12:00:00.300Z",
      },
    },
  },
  problems: ["screener_not_found"],
  async handle(request) {
    const { screenerId, screenerParticipantIds, dryRun } = request.body;
    const payload = {
      screenerId,
      screenerParticipantIds: [...new Set(screenerParticipantIds)],
      dryRun: dryRun ?? false,
    };
    return replyWithJobItself(request, await submitJob(request, removalJob, payload));
  },
});

export const removalRoutes: AnyEndpoint[] = [remove];
