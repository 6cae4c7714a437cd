// Removes what the scratch store of an undo has of a person who is erased. The rows stay, without what names the person.

import type { Forget } from "../../jobs/person.ts";

export const forgetInUndo: Forget = (file, { uid, externalUids, emails }) => {
  file.exec("CREATE TEMP TABLE erased (id INTEGER PRIMARY KEY, participant_id INTEGER NOT NULL) STRICT");
  let { changes } = file.run(
    `INSERT INTO erased (id, participant_id) SELECT id, participant_id FROM plan
     WHERE participant_uid = ? OR external_uid IN (SELECT value FROM json_each(?))`,
    uid,
    JSON.stringify(externalUids),
  );
  for (const table of ["touched_participant", "touched_assignment", "wanted"])
    file.run(`DELETE FROM ${table} WHERE participant_id IN (SELECT participant_id FROM erased)`);
  // An earlier participant with this name, who went with this undo. That one's ids name nobody, and who follows the events must
  // be able to see that it went.
  const wentHere = "outcome = 'REVERTED' AND participant_kind = 'ADDED' AND participant_uid <> ?";
  const kept = ["participant_uid", "participant_kind", "assignment_uid"];
  file.run(
    `UPDATE plan SET ${kept.map((column) => `${column} = iif(${wentHere}, ${column}, NULL)`).join(", ")}, external_uid = NULL,
       json = NULL, updated_by = NULL, now = NULL, status = NULL, session_id = NULL, session_uid = NULL
     WHERE id IN (SELECT id FROM erased)`,
    ...kept.map(() => uid),
  );
  // Others may have had this email before.
  for (const [table, column] of [
    ["plan", "json"],
    ["plan", "now"],
    ["touched_participant", "json"],
  ])
    changes += file.run(
      `UPDATE ${table} SET ${column} = json_set(${column}, '$.email', NULL)
       WHERE (${column} ->> 'email') COLLATE NOCASE IN (SELECT value FROM json_each(?))`,
      JSON.stringify(emails),
    ).changes;
  return changes > 0;
};
