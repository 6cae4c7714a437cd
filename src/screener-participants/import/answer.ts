// Step 6, answer: shows one assignment per row, in the payload's order, read from the plan. Rejected rows have none.

import type { Writer } from "../../../db/connection.ts";
import { assignment } from "../resource.ts";

const json = assignment.jsonFrom({
  id: "q.assignment_uid",
  screenerId: "g.screener_uid",
  participantId: "q.participant_uid",
  externalParticipantUid: "r.external_uid",
  currentSessionId: "q.session_uid",
  name: "coalesce(r.name, q.kept_name)",
  email: "coalesce(r.email, q.kept_email)",
  status: "q.status",
});

/** Makes the view `answer (position, json)`, which is read when the plan is applied. */
export function createAnswer(scratch: Writer): void {
  scratch.exec(`
    -- One row. is_planned: nothing is applied yet.
    CREATE TABLE target (screener_uid TEXT NOT NULL, is_planned INTEGER NOT NULL) STRICT;
    CREATE VIEW answer AS SELECT q.id AS position, ${json} AS json
      FROM plan AS q JOIN stage AS r USING (id) CROSS JOIN target AS g WHERE q.outcome <> 'REJECTED';
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
