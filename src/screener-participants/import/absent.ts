// A part of the plan: who is absent, so that the assignment goes. Who stays is in the table `named`.

import type { Writer } from "../../../db/connection.ts";
import { countRange } from "../../../db/counts.ts";
import { countedPlan } from "../../jobs/rows.ts";
import { REJECTED, type RowErrors } from "./row-errors.ts";

/**
 * Plans to remove the screener's assignments that no row names. A rejected row names its participant, too.
 * @returns how many
 */
export function planRemovals(db: Writer, screenerId: number, errors: RowErrors): number {
  const named = errors.count
    ? `AND p.external_uid NOT IN (SELECT r.external_uid FROM stage AS r WHERE ${REJECTED} AND r.external_uid IS NOT NULL)
       AND (p.email IS NULL OR p.email NOT IN (
         SELECT r.email FROM stage AS r WHERE ${REJECTED} AND r.external_uid IS NULL AND r.email IS NOT NULL))`
    : "";
  const last = db.value<number>("SELECT coalesce(max(id), 0) FROM plan")!;
  fillNamed(db);
  const { changes } = db.run(
    `INSERT INTO plan (outcome, participant_id, participant_uid, assignment_uid, is_assigned, status, session_uid,
       removed_id, removed_external_uid)
     SELECT 'REMOVED', p.id, p.uid, a.uid, 1, a.status, e.uid, a.id, p.external_uid
     FROM w.screener_participant AS a
     JOIN w.participant AS p ON p.id = a.participant_id
     LEFT JOIN w.screener_session AS e ON e.id = a.current_session_id
     WHERE a.screener_id = ? AND a.participant_id NOT IN (SELECT participant_id FROM temp.named) ${named}
     ORDER BY a.id`,
    screenerId,
  );
  countRange(db, countedPlan, "main", { outcome: "REMOVED" }, { after: last, n: changes });
  // To find a row by its externalUid.
  if (changes)
    db.run("CREATE INDEX IF NOT EXISTS plan_removed ON plan (removed_external_uid) WHERE outcome = 'REMOVED'");
  return changes;
}

/**
 * Fills `named`, a table of the participants in the plan. If a statement that inserts into `plan` also read from it, SQLite
 * would first write all new rows to another table.
 */
function fillNamed(db: Writer): void {
  db.exec(`
    CREATE TEMP TABLE IF NOT EXISTS named (participant_id INTEGER PRIMARY KEY) STRICT;
    DELETE FROM named;
    INSERT OR IGNORE INTO named SELECT participant_id FROM plan WHERE participant_id IS NOT NULL;
  `);
}
