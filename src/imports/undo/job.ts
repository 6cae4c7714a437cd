// The job that takes back what an import did, or what an undo did.

import * as v from "valibot";
import { count } from "../../base/schemas.ts";
import { defineUndo, SUMMARY_OF_PEOPLE, type Undoing } from "../../engine/run/undo.ts";
import { ERASED } from "../../erasure/names.ts";
import type { Forget } from "../../erasure/person.ts";
import { makeErased } from "../../erasure/plans.ts";
import { importJob } from "../job.ts";
import { IMPORT_UNDO } from "../kinds.ts";
import { applyUndo } from "./apply.ts";
import { createUndo, planUndo } from "./plan.ts";

/** Removes what the scratch store has of the person. The rows stay, without what names the person. */
export const forgetInUndo: Forget = (file, { uid, externalUids, emails }) => {
  makeErased(file, "id INTEGER PRIMARY KEY, participant_id INTEGER NOT NULL");
  let { changes } = file.run(
    `INSERT INTO erased (id, participant_id) SELECT id, participant_id FROM plan
     WHERE participant_uid = ? OR external_uid IN (SELECT value FROM json_each(?))`,
    uid,
    JSON.stringify(externalUids),
  );
  for (const table of ["touched_participant", "touched_assignment", "wanted"])
    file.run(`DELETE FROM ${table} WHERE participant_id IN (SELECT participant_id FROM erased)`);
  // Another participant may have had this externalUid. The ids name nobody, and readers who follow the events must see that it went or
  // came back. The mark says that there was more.
  const rows = "IN (SELECT id FROM erased)";
  file.run(
    `UPDATE plan SET external_uid = iif(participant_uid <> ?, ?, NULL),
       json = CASE participant_kind
         WHEN 'REMOVED' THEN json_object('external_uid', ?, 'created_by', json -> 'created_by', 'created_at', json -> 'created_at')
         WHEN 'CHANGED' THEN '{}' END,
       now = iif(participant_kind = 'CHANGED', json_object('updated_by', now -> 'updated_by'), NULL) WHERE id ${rows}`,
    uid,
    ERASED,
    ERASED,
  );
  file.run(
    `UPDATE plan SET participant_uid = NULL, participant_kind = NULL, json = NULL, updated_by = NULL, now = NULL,
       assignment_uid = NULL, status = NULL, session_id = NULL, session_uid = NULL WHERE id ${rows} AND external_uid IS NULL`,
  );
  // Others may have had this email before.
  const mails = JSON.stringify(emails);
  changes += file.run("DELETE FROM wanted WHERE email IN (SELECT value FROM json_each(?))", mails).changes;
  for (const [table, column] of [
    ["plan", "json"],
    ["plan", "now"],
    ["touched_participant", "json"],
  ])
    changes += file.run(
      `UPDATE ${table} SET ${column} = json_set(${column}, '$.email', ?)
       WHERE (${column} ->> 'email') COLLATE NOCASE IN (SELECT value FROM json_each(?))`,
      ERASED,
      mails,
    ).changes;
  return changes > 0;
};

/** How it is taken back who is in a screener. */
export const undoSteps: Undoing = {
  create: createUndo,
  plan: planUndo,
  apply(db, effect, { job, summary: { rows } }) {
    job.progress("APPLYING", 0, rows);
    return applyUndo(db, effect, job.uid);
  },
};

/** Jobs are kept for a month, and processes of both releases may work at the same time. */
const counted = v.optional(v.pipe(count, v.description("Not of an undo that release 1.1.0 has done")));

export const undoJob = defineUndo({
  kind: IMPORT_UNDO,
  of: importJob,
  summary: { ...SUMMARY_OF_PEOPLE, leaving: counted, returning: counted, changedBack: counted },
  label: "Undo of an import",
  events: { succeeded: "import.undone", failed: "import.failed", planned: "import.planned" },
  forget: forgetInUndo,
  steps: undoSteps,
});
