// The jobs that erase: a participant; and the answers of a session alone, after a withdrawal.

import * as v from "valibot";
import { countRows } from "../../db/list/counts.ts";
import type { Reader, Writer } from "../../db/sqlite/connection.ts";
import { Problem } from "../base/problems.ts";
import { counted } from "../engine/ledger/summaries.ts";
import { defineJob } from "../engine/run/define-job.ts";
import { addErased } from "../erasure/list.ts";
import { changesBetween } from "../events/record.ts";
import { countedResponses } from "../nouns/responses/resource.ts";
import { getSession, type SessionRow } from "../nouns/sessions/queries.ts";
import { session } from "../nouns/sessions/resource.ts";
import { forgetSignals } from "../signals/forget.ts";
import { erase, findPerson, searchFor } from "./erase.ts";

export const erasureJob = defineJob({
  kind: "PARTICIPANT_ERASURE",
  label: "Erasure of a person",
  summary: counted("participants", "screenerParticipants", "sessions", "responses", "jobs"),
  events: { succeeded: "participant.erased", failed: "job.failed" },
  resourceOf: ({ participantId }) => ({ type: "Participant", uid: participantId }),
  overtakes: "WORKSPACE",
  wipes: true,
  payload: v.object({ participantId: v.string() }),
  run(job, { participantId }) {
    const { workspaces, workspaceUid } = job;
    // First the data that only jobs write: the other jobs of the workspace wait meanwhile. The participant goes last, so that a run that
    // is interrupted can be repeated.
    const person = workspaces.read(workspaceUid, (db) => findPerson(db, participantId));
    const { changed: jobs, damaged } = job.forget([person]);
    const searched = workspaces.read(workspaceUid, (db) => searchFor(db, person));
    return workspaces.write(workspaceUid, (db) =>
      job.applyOnce(db, () => {
        // The list comes first: if it can't be written, nobody is erased yet. If the process dies here, the job goes on.
        addErased(job.erasedDir, workspaceUid, [{ uid: participantId, at: Date.now() }]);
        return {
          summary: { ...erase(db, participantId, searched), jobs },
          warnings: damaged.map((uid) => ({
            code: "result_damaged",
            message: `The result of the job ${uid} was damaged, so that nobody can tell what it had of the participant. It was removed.`,
          })),
        };
      }),
    );
  },
});

/** What was agreed to stays, as hash and time. */
export const answersErasureJob = defineJob({
  kind: "SCREENER_SESSION_ANSWERS_ERASURE",
  label: "Erasure of somebody’s answers",
  scope: "admin",
  summary: counted("responses"),
  events: { succeeded: "screener-session.answers-erased", failed: "job.failed" },
  resourceOf: ({ sessionId }) => ({ type: session.type, uid: sessionId }),
  wipes: true,
  payload: v.object({ screenerId: v.string(), sessionId: v.string() }),
  run: (job, { sessionId }) =>
    job.workspaces.write(job.workspaceUid, (db) =>
      job.applyOnce(db, () => {
        const before = session.find(db, sessionId, "") ?? null;
        const responses = eraseAnswers(db, sessionId);
        const changes = changesBetween(before, session.find(db, sessionId, "")!);
        return { summary: { responses }, event: { changes } };
      }),
    ),
});

/** @throws Problem screener_session_not_found, session_not_withdrawn */
export function getWithdrawn(db: Reader, uid: string): SessionRow {
  const row = getSession(db, uid);
  if (row.withdrawn_at === null) throw new Problem("session_not_withdrawn");
  return row;
}

/** Call it inside a transaction. @returns how many answers there were */
function eraseAnswers(db: Writer, uid: string): number {
  const { id } = getWithdrawn(db, uid);
  const answers = "t.screener_session_id = ?";
  countRows(db, countedResponses, "main", answers, [id], -1);
  const { changes } = db.run(`DELETE FROM screener_response AS t WHERE ${answers}`, id);
  forgetSignals(db, "SELECT ?", id);
  // Quotas say what was answered. Their places were given back before.
  db.run("DELETE FROM quota_place WHERE session_id = ? AND state = 'RELEASED'", id);
  db.run(
    `UPDATE screener_session SET page_times = NULL, outcome_quota_ids = NULL,
       quota_ids = iif(review_state IS 'ACCEPTED', quota_ids, NULL),
       answers_erased_at = coalesce(answers_erased_at, ?) WHERE id = ?`,
    new Date().toISOString(),
    id,
  );
  return changes;
}
