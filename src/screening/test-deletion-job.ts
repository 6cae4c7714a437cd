// The job that deletes the test sessions of a screener, with their answers.

import * as v from "valibot";
import type { Writer } from "../../db/sqlite/connection.ts";
import { counted } from "../engine/ledger/summaries.ts";
import { defineJob } from "../engine/run/define-job.ts";
import { getScreener } from "../nouns/screeners/queries.ts";
import { forgetAnswers } from "../webhooks/delivery-queries.ts";

export const testDeletionJob = defineJob({
  kind: "SCREENER_TEST_SESSIONS_DELETION",
  label: "Deletion of test links",
  scope: "author",
  summary: counted("sessions", "responses"),
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
