// How fast places are offered to people who were turned away, against an import of as many people.

import { openWriter } from "../../db/sqlite/open.ts";
import { immediate } from "../../db/sqlite/write.ts";
import { pagesOfAnswers } from "./answers.ts";
import type { Figure } from "./figures.ts";
import { compared, measure } from "./rounds.ts";
import { Service, submit } from "./service.ts";

const COUNT = 100_000;
const ROUNDS = 3;

/** 100,000 sessions that were over quota go on, with a place held for each. */
export async function offers(): Promise<Figure[]> {
  await using service = await Service.start("threads");
  const samples = await measure({ rounds: ROUNDS }, async () => {
    const workspace = await service.workspace();
    const { caller, screenerId } = workspace;
    const quotas = [{ name: "Everybody", when: null, limit: 0 }];
    await caller.call("PUT", `/screeners/${screenerId}/content`, { body: { pages: pagesOfAnswers("age"), quotas } });
    await caller.post("/screener-publications", { screenerId });
    const { ms: floor } = await workspace.importPeople({ count: COUNT });
    await submit(caller, "/screener-sessions", { body: { screenerId } });
    const { items } = await caller.get<{ items: { id: string }[] }>(`/screeners/${screenerId}/quotas`);
    const ids = items.map(({ id }) => id);
    turnAway(workspace.path, ids);
    await caller.call("PATCH", `/screener-quotas/${ids[0]}`, { body: { limit: COUNT } });
    const { ms: value, id } = await submit(caller, `/screener-quotas/${ids[0]}/offer`, { body: {} });
    const { summary } = await caller.get<{ summary: { offered: number } }>(`/jobs/${id}`);
    if (summary.offered !== COUNT) throw new Error(`It has offered ${summary.offered} places.`);
    workspace.close();
    return { value, floor };
  });
  const what = "Offering 100,000 places to those who were turned away (threads)";
  return [compared({ what, against: "importing as many people", unit: "ms", target: { atMost: 1 } }, samples)];
}

/** Leaves all sessions as the first of these quotas would have turned them away. Nobody else writes meanwhile. */
function turnAway(path: string, quotas: readonly string[]): void {
  const db = openWriter(path, { busyTimeoutMs: 10_000, checkpoints: true });
  const at = new Date().toISOString();
  immediate(db, () => {
    db.exec("DELETE FROM screener_session_block; DELETE FROM screener_participant_block");
    db.run(
      `UPDATE screener_session SET state = 'COMPLETED', outcome = 'DISQUALIFIED', outcome_reason = 'OVER_QUOTA', started_at = ?, last_active_at = ?,
         completed_at = ?, outcome_quota_ids = ?, quota_ids = ?`,
      ...[at, at, at, JSON.stringify(quotas), JSON.stringify(quotas)],
    );
    db.exec(`UPDATE screener_participant SET status = 'DISQUALIFIED';
      INSERT INTO screener_participant_block
        SELECT screener_id, status, id >> 10, count(*) FROM screener_participant GROUP BY 1, 2, 3;
      INSERT INTO screener_session_block
        SELECT screener_id, status, state, id >> 10, count(*) FROM screener_session GROUP BY 1, 2, 3, 4`);
  });
  db.get("PRAGMA wal_checkpoint(TRUNCATE)");
  db.close();
}
