// The rows of a mailing's plan: one for each person. The scratch store is main, the workspace is attached as `w`.

import type { Writer } from "../../db/sqlite/connection.ts";
import type { Forget } from "../erasure/person.ts";
import { blankUids } from "../erasure/plans.ts";

/** Makes the tables of the scratch store. */
export function createRows(scratch: Writer): void {
  scratch.exec(`
    CREATE TABLE plan (
      id INTEGER PRIMARY KEY,
      outcome TEXT NOT NULL,
      reason TEXT,
      -- Null: of a person who was erased.
      assignment_uid TEXT,
      participant_uid TEXT,
      external_uid TEXT,
      participant_id INTEGER,
      -- Whether their address may be another's, written in another way.
      is_odd INTEGER
    ) STRICT;
    CREATE TABLE plan_block (
      outcome TEXT NOT NULL, block INTEGER NOT NULL, n INTEGER NOT NULL, PRIMARY KEY (outcome, block)
    ) STRICT, WITHOUT ROWID;
    -- The assignments that filters by answers and attributes let through.
    CREATE TABLE chosen (id INTEGER PRIMARY KEY) STRICT;
    CREATE VIEW job_row AS SELECT q.id, NULL AS position, NULL AS line, q.external_uid, 'false' AS assigned, q.participant_uid,
        q.assignment_uid, NULL AS status, NULL AS session_uid, '[]' AS changes, '[]' AS errors, q.reason
      FROM plan AS q;
    CREATE VIEW row_name AS SELECT id, external_uid FROM plan;
    CREATE VIEW answer AS SELECT NULL AS position, NULL AS json WHERE FALSE;
  `);
}

/** Removes a person who is erased from the scratch store. The row stays. */
export const forgetInMailings: Forget = (file, person) => {
  const theirs = file.run(
    `UPDATE plan SET assignment_uid = NULL, participant_uid = NULL, external_uid = NULL, participant_id = NULL
     WHERE participant_uid = ? OR assignment_uid IN (SELECT value FROM json_each(?))`,
    person.uid,
    JSON.stringify(person.assignments),
  ).changes;
  return theirs + blankUids(file, person) > 0;
};
