// The job that deletes a screener with all that belongs to it. Participants stay.

import * as v from "valibot";
import { countRow } from "../../../db/list/counts.ts";
import type { Writer } from "../../../db/sqlite/connection.ts";
import { counted } from "../../engine/ledger/summaries.ts";
import { defineJob } from "../../engine/run/define-job.ts";
import { forgetAnswers } from "../../webhooks/delivery-queries.ts";
import { type Belongings, countBelongings, getScreener } from "./queries.ts";
import { countedScreeners } from "./resource.ts";

export const deletionJob = defineJob({
  kind: "SCREENER_DELETION",
  label: "Deletion of a study",
  summary: counted("publications", "screenerParticipants", "sessions", "responses"),
  events: { succeeded: "screener.deleted", failed: "job.failed" },
  endsPlansOf: ["PEOPLE", "LINKS", "MAILINGS"],
  overtakes: "SCREENER",
  wipes: true,
  payload: v.object({ screenerId: v.string() }),
  run(job, { screenerId }) {
    // First the data that only jobs write. The screener goes last, so that a run that is interrupted can be repeated.
    const jobs = job.forgetScreener(screenerId);
    const { workspaces, workspaceUid } = job;
    return workspaces.write(workspaceUid, (db) =>
      job.applyOnce(db, () => ({ summary: { ...deleteScreener(db, screenerId, jobs) } })),
    );
  },
});

/** Call it inside a transaction. @param jobs the ids of its jobs. @throws Problem screener_not_found */
function deleteScreener(db: Writer, uid: string, jobs: readonly string[]): Belongings {
  const { id } = getScreener(db, uid);
  const belongings = countBelongings(db, id);
  const publications = "(SELECT p.id FROM screener_publication AS p WHERE p.screener_id = ?)";
  const effects = "(SELECT f.id FROM effect AS f WHERE f.screener_id = ?)";
  const about = `SELECT uid FROM screener WHERE id = ? UNION ALL SELECT uid FROM screener_publication WHERE screener_id = ?
    UNION ALL SELECT uid FROM screener_session WHERE screener_id = ?`;
  forgetAnswers(db, about, id, id, id);
  db.run(`UPDATE event SET changes = NULL, note = NULL WHERE resource_uid IN (${about})`, id, id, id);
  for (const rows of [
    `effect_participant WHERE effect_id IN ${effects}`,
    `effect_assignment WHERE effect_id IN ${effects}`,
    `effect_session WHERE effect_id IN ${effects}`,
    `effect_move WHERE effect_id IN ${effects}`,
    `effect_place WHERE effect_id IN ${effects}`,
    `effect_offer WHERE effect_id IN ${effects}`,
    `effect_review WHERE effect_id IN ${effects}`,
    "effect WHERE screener_id = ?",
    "quota_place WHERE quota_id IN (SELECT q.id FROM screener_quota AS q WHERE q.screener_id = ?)",
    "screener_quota WHERE screener_id = ?",
    "given_arm WHERE arm_id IN (SELECT a.id FROM screener_arm AS a WHERE a.screener_id = ?)",
    "session_arm WHERE arm_id IN (SELECT a.id FROM screener_arm AS a WHERE a.screener_id = ?)",
    "screener_arm WHERE screener_id = ?",
    "draw_seed WHERE screener_id = ?",
    "screener_response WHERE screener_id = ?",
    "screener_response_block WHERE screener_id = ?",
    "screener_participant WHERE screener_id = ?",
    "screener_participant_block WHERE screener_id = ?",
    "screener_session WHERE screener_id = ?",
    "screener_session_block WHERE screener_id = ?",
    "screener_link WHERE screener_id = ?",
    "screener_link_block WHERE screener_id = ?",
    `publication_question WHERE screener_publication_id IN ${publications}`,
    `publication_translation WHERE screener_publication_id IN ${publications}`,
    "screener_translation WHERE screener_id = ?",
    `publication_content WHERE screener_publication_id IN ${publications}`,
    "screener_content WHERE screener_id = ?",
    "import_columns WHERE screener_id = ?",
  ])
    db.run(`DELETE FROM ${rows}`, id);
  db.run("UPDATE screener SET active_publication_id = NULL WHERE id = ?", id);
  db.run("DELETE FROM screener_publication WHERE screener_id = ?", id);
  countRow(db, countedScreeners, id, {}, -1);
  db.run("DELETE FROM screener WHERE id = ?", id);
  db.run(
    "UPDATE job_outcome SET result = NULL, rows = NULL WHERE job_uid IN (SELECT value FROM json_each(?))",
    JSON.stringify(jobs),
  );
  // Replies that are kept for repeated requests may show what was deleted.
  db.run("DELETE FROM idempotent_reply WHERE instr(reply, ?) > 0", uid);
  return belongings;
}
