// /screener-sessions-move

import * as v from "valibot";
import { exampleIds, exampleJob } from "../base/examples.ts";
import { closedObject, id, JobReference } from "../base/schemas.ts";
import { type AnyEndpoint, defineEndpoint } from "../http/endpoint.ts";
import { replyWithJobItself, submitJob } from "../writes/submit-job.ts";
import { moveJob } from "./job.ts";

const Move = v.pipe(
  closedObject({
    screenerId: id,
    dryRun: v.optional(v.nullable(v.boolean("must be true, false or null"))),
  }),
  v.title("ScreenerSessionsMove"),
);

const example = { ...exampleJob, kind: moveJob.kind, screenerId: exampleIds.screener };

const move = defineEndpoint({
  method: "post",
  path: "/screener-sessions-move",
  operationId: "moveScreenerSessions",
  scopes: ["author"],
  tag: "Sessions",
  summary: "Move links that nobody has opened to the active publication",
  description:
    "Sessions that are ACTIVE and NOT_STARTED, and on another publication of the screener than the active one, go on with the " +
    "active one, with its tags: their links stay the same. Those in progress and completed stay. All or nothing. With `dryRun` it " +
    "ends as a plan, which can be applied. It can be undone.",
  isJob: true,
  body: Move,
  replies: {
    200: {
      description: "The job that moved them, or its plan",
      schema: JobReference,
      headers: { Location: "The path of the job" },
    },
  },
  examples: {
    move: {
      body: { screenerId: exampleIds.screener },
      reply: { ...example, status: "SUCCEEDED", summary: { moved: 1 }, finishedAt: "2026-01-31T12:00:00.300Z" },
    },
    preview: {
      summary: "Show which links would move",
      body: { screenerId: exampleIds.screener, dryRun: true },
      reply: {
        ...example,
        status: "PLANNED",
        summary: { moved: 1 },
        plan: { reason: "DRY_RUN", expiresAt: "2026-02-07T12:00:00.000Z" },
      },
    },
  },
  problems: ["screener_not_found", "screener_not_published"],
  async handle(request) {
    const { screenerId, dryRun } = request.body;
    return replyWithJobItself(request, await submitJob(request, moveJob, { screenerId, dryRun: dryRun ?? false }));
  },
});

export const moveRoutes: AnyEndpoint[] = [move];
