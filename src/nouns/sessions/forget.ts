// Removes the links of a person who is erased from the scratch store of a job that has opened sessions. The rows stay.

import { Mentions } from "../../erasure/mentions.ts";
import type { Forget } from "../../erasure/person.ts";

export const forgetInOpening: Forget = (file, person) => {
  const { assignments, sessions } = person;
  file.exec("CREATE TEMP TABLE erased (position INTEGER PRIMARY KEY) STRICT");
  const { changes } = file.run(
    `INSERT INTO erased (position) SELECT position FROM opened WHERE assignment_uid IN (SELECT value FROM json_each(?))
     UNION SELECT position FROM key WHERE uid IN (SELECT value FROM json_each(?))`,
    JSON.stringify(assignments),
    JSON.stringify(sessions),
  );
  const erased = "WHERE position IN (SELECT position FROM erased)";
  // Files of the release before have no references.
  const hasReferences = file.value("SELECT 1 FROM pragma_table_info('key') WHERE name = 'reference'") === 1;
  file.run(`UPDATE key SET uid = NULL, slug = NULL ${hasReferences ? ", reference = NULL" : ""} ${erased}`);
  file.run(`UPDATE opened SET assignment_id = NULL, assignment_uid = NULL, participant_id = NULL ${erased}`);
  const tags = file.value<string | null>("SELECT tags FROM shared") ?? "";
  const kept = tags && new Mentions(person).withoutTexts(tags, "SHOWN");
  if (kept !== tags) file.run("UPDATE shared SET tags = ?", kept);
  return changes > 0 || kept !== tags;
};
