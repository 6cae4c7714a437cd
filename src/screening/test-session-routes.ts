// What deletes the test sessions of a screener. session-routes.ts opens them.

import { exampleIds, exampleJob } from "../base/examples.ts";
import { JobReference } from "../base/schemas.ts";
import { type AnyEndpoint, defineEndpoint } from "../http/endpoint.ts";
import { getScreener } from "../nouns/screeners/queries.ts";
import { replyWithJobItself, submitJob } from "../writes/submit-job.ts";
import { testDeletionJob } from "./test-deletion-job.ts";

const remove = defineEndpoint({
  method: "delete",
  path: "/screeners/:id/test-sessions",
  operationId: "deleteScreenerTestSessions",
  scopes: ["author"],
  tag: "Sessions",
  summary: "Delete all test sessions of a screener",
  description:
    "With their answers. Nothing brings them back, and their links lead nowhere. The events stay, without what they said. The summary of " +
    "the job says how many there were.",
  isJob: true,
  replies: {
    200: { description: "The job, which is done", schema: JobReference, headers: { Location: "The path of the job" } },
  },
  examples: {
    deleted: {
      reply: {
        ...exampleJob,
        kind: testDeletionJob.kind,
        status: "SUCCEEDED",
        screenerId: exampleIds.screener,
        summary: { sessions: 0, responses: 0 },
        finishedAt: "2026-01-31T12:00:00.300Z",
      },
    },
  },
  problems: ["screener_not_found"],
  async handle(request) {
    const { context, principal, params } = request;
    const { uid } = context.workspaces.read(principal.workspaceUid, (db) => getScreener(db, params.id!));
    return replyWithJobItself(request, await submitJob(request, testDeletionJob, { screenerId: uid }));
  },
});

export const testSessionActions: AnyEndpoint[] = [remove];
