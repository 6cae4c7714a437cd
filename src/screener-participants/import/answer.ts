// Step 6, answer: shows one assignment per row, in the payload's order, read from the plan.

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
export function createAnswer(scratch: Writer, screenerUid: string): void {
  scratch.exec(`
    CREATE TABLE IF NOT EXISTS target (screener_uid TEXT NOT NULL) STRICT;
    DELETE FROM target;
    CREATE VIEW IF NOT EXISTS answer AS SELECT q.position, ${json} AS json
      FROM plan AS q JOIN stage AS r USING (position) CROSS JOIN target AS g;
  `);
  scratch.run("INSERT INTO target (screener_uid) VALUES (?)", screenerUid);
}
