// Deletes the test sessions of a screener, with their answers.

import * as v from "valibot";
import type { Writer } from "../../db/sqlite/connection.ts";
import { exampleIds, exampleJob } from "../base/examples.ts";
import { JobReference } from "../base/schemas.ts";
import { defineJob } from "../engine/run/define-job.ts";
import { type AnyEndpoint, defineEndpoint } from "../http/endpoint.ts";
import { getScreener } from "../nouns/screeners/queries.ts";
import { forgetAnswers } from "../webhooks/delivery-queries.ts";
import { replyWithJobItself } from "../writes/job-reply.ts";
import { submitJob } from "../writes/submit-job.ts";

export const testDeletionJob = defineJob({
  kind: "SCREENER_TEST_SESSIONS_DELETION",
  label: "Deletion of test links",
  events: { succeeded: "screener-sessions.tests-deleted", failed: "job.failed" },
  wipes: true,
  payload: v.object({ screenerId: v.string() }),
  run: (job, { screenerId }) =>
    job.workspaces.write(job.workspaceUid, (db) =>
      job.applyOnce(db, () => ({ summary: { ...deleteTestSessions(db, screenerId) } })),
    ),
});

/** Call it inside a transaction. They are in no counts. @throws Problem screener_not_found */
function deleteTestSessions(db: Writer, screenerUid: string): { sessions: number; responses: number } {
  const { id } = getScreener(db, screenerUid);
  const tests = (column: string) =>
    `(SELECT x.${column} FROM screener_session AS x INDEXED BY screener_session_test WHERE x.screener_id = ? AND x.is_test = 1)`;
  // The log keeps that they were there. What is erased with a person later is found by sessions, which are gone then.
  forgetAnswers(db, tests("uid"), id);
  db.run(`UPDATE event SET changes = NULL, note = NULL WHERE resource_uid IN ${tests("uid")}`, id);
  const { changes: responses } = db.run(
    `DELETE FROM screener_response WHERE screener_session_id IN ${tests("id")}`,
    id,
  );
  const { changes: sessions } = db.run("DELETE FROM screener_session WHERE screener_id = ? AND is_test = 1", id);
  return { sessions, responses };
}

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
