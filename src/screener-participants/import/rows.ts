// What an import shows for each row: its outcome, and what it changes.

import type { Writer } from "../../../db/connection.ts";
import { changeable } from "./columns.ts";

/** The values that a row changes, as a JSON array of field, from and to. Of the planned row `q` and the staged row `r`. */
const changes = `'[' || substr(concat(${changeable
  .map(
    ({ member, column }) =>
      `iif(r.${column} IS NOT NULL AND r.${column} IS NOT q.kept_${column},
         concat(',{"field":"${member}","from":', json_quote(q.kept_${column}), ',"to":', json_quote(r.${column}), '}'), '')`,
  )
  .join(", ")}), 2) || ']'`;

/** Makes the view `job_row` (jobs/rows.ts). What a plan has not made yet has no id. */
export function createRows(scratch: Writer): void {
  scratch.exec(`
    CREATE VIEW job_row AS SELECT q.id,
      iif(q.outcome = 'REMOVED', NULL, q.id - 1) AS position,
      r.line,
      coalesce(r.external_uid, q.removed_external_uid) AS external_uid,
      iif(q.is_assigned = 0, 'true', 'false') AS assigned,
      iif(q.outcome = 'CREATED' AND g.is_planned, NULL, q.participant_uid) AS participant_uid,
      iif(q.is_assigned = 0 AND g.is_planned, NULL, q.assignment_uid) AS assignment_uid,
      iif(q.outcome = 'REMOVED', q.status, NULL) AS status,
      iif(q.outcome = 'REMOVED', q.session_uid, NULL) AS session_uid,
      iif(q.outcome IN ('CREATED', 'UPDATED'), ${changes}, '[]') AS changes,
      coalesce((SELECT '[' || group_concat(e.json, ',') || ']' FROM row_error AS e WHERE e.row = q.id), '[]') AS errors,
      NULL AS reason
    FROM plan AS q CROSS JOIN target AS g LEFT JOIN stage AS r ON r.id = q.id;
    -- To find rows by their externalUid.
    CREATE VIEW row_name AS SELECT id, external_uid FROM stage
      UNION ALL SELECT id, removed_external_uid FROM plan WHERE outcome = 'REMOVED';
  `);
}
