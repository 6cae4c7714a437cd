// Step 6, answer: what an import shows, read from the plan. One assignment per row, in the payload's order; rejected rows have none.
// And for each row its outcome, and what it changes.

import type { Writer } from "../../db/sqlite/connection.ts";
import { assignment } from "../nouns/screener-participants/resource.ts";
import { attributeChanges, changeable } from "./columns.ts";

const answered = assignment.jsonFrom({
  id: "q.assignment_uid",
  screenerId: "g.screener_uid",
  participantId: "q.participant_uid",
  externalParticipantUid: "r.external_uid",
  currentSessionId: "q.session_uid",
  name: "coalesce(r.name, q.kept_name)",
  email: "coalesce(r.email, q.kept_email)",
  status: "q.status",
});

/** The values that a row changes, as a JSON array of field, from and to. Of the planned row `q` and the staged row `r`. */
const changes = `'[' || substr(concat(${changeable
  .map(
    ({ member, column }) =>
      `iif(r.${column} IS NOT NULL AND r.${column} IS NOT q.kept_${column}, ${changeOf(member, `q.kept_${column}`, `r.${column}`)}, '')`,
  )
  .join(", ")}), 2) || ']'`;

function changeOf(member: string, from: string, to: string): string {
  if (member === "attributes") return attributeChanges(from, to);
  return `concat(',{"field":"${member}","from":', json_quote(${from}), ',"to":', json_quote(${to}), '}')`;
}

/** Makes the views `answer (position, json)` and `job_row` (engine/ledger/rows.ts). What a plan has not made yet has no id. */
export function createAnswer(scratch: Writer): void {
  scratch.exec(`
    CREATE VIEW answer AS SELECT q.id AS position, ${answered} AS json
      FROM plan AS q JOIN stage AS r USING (id) CROSS JOIN target AS g WHERE q.outcome <> 'REJECTED';
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

/** Names the screener of the answer. */
export function setTarget(scratch: Writer, screenerUid: string): void {
  scratch.run("INSERT INTO target (screener_uid, is_planned) VALUES (?, 0)", screenerUid);
}

/** Shows the plan as one that is not applied, or as one that is. */
export function showAsPlanned(scratch: Writer, isPlanned: boolean): void {
  scratch.run("UPDATE target SET is_planned = ?", isPlanned ? 1 : 0);
}
