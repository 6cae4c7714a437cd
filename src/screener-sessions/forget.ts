// Removes the links of a person who is erased from the scratch store of a job that has opened sessions. The rows stay.

import type { Forget } from "../jobs/person.ts";

export const forgetInOpening: Forget = (file, { assignments, sessions }) => {
  file.exec("CREATE TEMP TABLE erased (position INTEGER PRIMARY KEY) STRICT");
  const { changes } = file.run(
    `INSERT INTO erased (position) SELECT position FROM opened WHERE assignment_uid IN (SELECT value FROM json_each(?))
     UNION SELECT position FROM key WHERE uid IN (SELECT value FROM json_each(?))`,
    JSON.stringify(assignments),
    JSON.stringify(sessions),
  );
  const erased = "WHERE position IN (SELECT position FROM erased)";
  file.run(`UPDATE key SET uid = NULL, slug = NULL ${erased}`);
  file.run(`UPDATE opened SET assignment_id = NULL, assignment_uid = NULL, participant_id = NULL ${erased}`);
  return changes > 0;
};
