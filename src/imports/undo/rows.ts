// The rows that an undo shows: what it takes back for each participant, and what that changes.

import type { Writer } from "../../../db/sqlite/connection.ts";
import { jobRow } from "../../engine/ledger/rows.ts";
import { WRITTEN } from "../../nouns/participants/resource.ts";
import { attributeChanges } from "../tables.ts";

/** The member of each column. */
const memberOf = `CASE j.key ${Object.entries(WRITTEN)
  .map(([member, column]) => `WHEN '${column}' THEN '${member}'`)
  .join(" ")} END`;

/** SQL of one change, with a comma before it: of the name of a member, and of JSON texts. */
const change = (field: string, from: string, to: string) =>
  `concat(',{"field":"', ${field}, '","from":', ${from}, ',"to":', ${to}, '}')`;
const unless = (condition: string, sql: string) => `iif(${condition}, '', ${sql})`;
const list = (...changes: string[]) => `'[' || substr(concat(${changes.join(", ")}), 2) || ']'`;

/** An actor as JSON, by its rowid. */
const actorOf = (id: string) => `(SELECT k.json FROM known_actor AS k WHERE k.id = ${id})`;

/** What the undo changes of a participant who stays: from its values now to those in `json`. */
const changed = list(
  `(SELECT group_concat(iif(j.key = 'attributes',
      ${attributeChanges("q.now ->> 'attributes'", "q.json ->> 'attributes'")},
      ${change(memberOf, "q.now -> j.key", "q.json -> j.key")}), '') FROM json_each(q.json) AS j)`,
  unless(
    "q.updated_by = q.now ->> 'updated_by'",
    change("'updatedBy'", actorOf("q.now ->> 'updated_by'"), actorOf("q.updated_by")),
  ),
);

/** The values of a participant who is restored or removed. @param given the SQL of a column's value */
function whole(given: (column: string) => string, changeOf: (field: string, value: string) => string): string[] {
  return Object.entries(WRITTEN).map(([member, column]) =>
    unless(`${given(column)} IS NULL`, changeOf(`'${member}'`, `json_quote(${given(column)})`)),
  );
}

/** The changes when a participant is removed whom the undone job has created. They always have `externalUid`, also if it was erased. */
const gone = list(
  change("'externalUid'", "json_quote(q.external_uid)", "'null'"),
  ...whole(
    (column) => (column === WRITTEN.externalUid ? "NULL" : `q.now ->> '${column}'`),
    (field, value) => change(field, value, "'null'"),
  ),
  attributeChanges("q.now ->> 'attributes'", "NULL"),
);

/** The changes when a participant is restored whom it has removed. */
const back = list(
  ...whole(
    (column) => `q.json ->> '${column}'`,
    (field, value) => change(field, "'null'", value),
  ),
  attributeChanges("NULL", "q.json ->> 'attributes'"),
  change("'createdBy'", "'null'", actorOf("q.json ->> 'created_by'")),
  change("'createdAt'", "'null'", "q.json -> 'created_at'"),
  change("'updatedBy'", "'null'", actorOf("q.updated_by")),
);

/** Makes the views `job_row` (engine/ledger/rows.ts) and `answer`. */
export function createRows(scratch: Writer): void {
  scratch.exec(`
    CREATE VIEW job_row AS SELECT q.id, NULL AS position, NULL AS line, q.external_uid,
        iif(q.outcome = 'REVERTED' AND q.assignment_kind = 'REMOVED', 'true', 'false') AS assigned,
        q.participant_uid, q.assignment_uid, q.status, q.session_uid,
        CASE iif(q.outcome = 'REVERTED', q.participant_kind, NULL)
          WHEN 'CHANGED' THEN ${changed} WHEN 'ADDED' THEN ${gone} WHEN 'REMOVED' THEN ${back} ELSE '[]' END AS changes,
        '[]' AS errors, q.reason
      FROM plan AS q;
    CREATE VIEW row_name AS SELECT id, external_uid FROM plan;
    CREATE VIEW answer AS SELECT t.id AS position, ${jobRow.json} AS json FROM plan AS t JOIN job_row AS r ON r.id = t.id;
  `);
}
