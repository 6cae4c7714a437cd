// Removes the sessions of a person who is erased from the scratch store of a job that has moved sessions. The rows stay.

import { Mentions } from "../erasure/mentions.ts";
import type { Forget } from "../erasure/person.ts";

export const forgetInMoves: Forget = (file, person) => {
  let { changes } = file.run(
    `UPDATE plan SET session_id = NULL, session_uid = NULL, assignment_uid = NULL
     WHERE assignment_uid IN (SELECT value FROM json_each(?)) OR session_uid IN (SELECT value FROM json_each(?))`,
    JSON.stringify(person.assignments),
    JSON.stringify(person.sessions),
  );
  const mentions = new Mentions(person);
  for (const { id, json } of file.all<{ id: number; json: string }>("SELECT id, json FROM named_tags")) {
    const kept = mentions.withoutTexts(json, "SHOWN");
    if (kept !== json) changes += file.run("UPDATE named_tags SET json = ? WHERE id = ?", kept, id).changes;
  }
  return changes > 0;
};
