// How fast places are offered to people who were turned away, and completed sessions counted into a new quota, against an import of as many
// people; and how fast that is taken back.

import { openWriter } from "../../db/sqlite/open.ts";
import { immediate } from "../../db/sqlite/write.ts";
import { pagesOfAnswers } from "./answers.ts";
import type { Caller } from "./caller.ts";
import type { Figure } from "./figures.ts";
import { fillResponses } from "./many-responses.ts";
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
    const undo = await undone(caller, id);
    workspace.close();
    return { value, undo, floor };
  });
  const what = "Offering 100,000 places to those who were turned away (threads)";
  return figures(what, samples);
}

/** 100,000 completed sessions are counted into a quota that is newer. */
export async function recounts(): Promise<Figure[]> {
  await using service = await Service.start("threads");
  const samples = await measure({ rounds: ROUNDS }, async () => {
    const elsewhere = await service.workspace();
    const { ms: floor } = await elsewhere.importPeople({ count: COUNT });
    elsewhere.close();
    const workspace = await service.workspace();
    const { caller, screenerId } = workspace;
    const content = `/screeners/${screenerId}/content`;
    const { text } = await caller.call("PUT", content, { body: { pages: pagesOfAnswers("age") } });
    await caller.post("/screener-publications", { screenerId });
    fillResponses(workspace.path, COUNT * 4);
    const draft = JSON.parse(text) as { pages: { questions: { id: string; key: string }[] }[] };
    const [age] = draft.pages.flatMap(({ questions }) => questions).filter(({ key }) => key === "age");
    const quotas = [{ name: "Adults", when: { questionId: age!.id, atLeast: 18 }, limit: COUNT }];
    await caller.call("PUT", content, { body: { ...draft, quotas } });
    await caller.post("/screener-publications", { screenerId });
    const { items } = await caller.get<{ items: { id: string }[] }>(`/screeners/${screenerId}/quotas`);
    const { ms: value, id } = await submit(caller, `/screener-quotas/${items[0]!.id}/recount`, { body: {} });
    const { summary } = await caller.get<{ summary: { counted: number } }>(`/jobs/${id}`);
    if (summary.counted !== COUNT) throw new Error(`It has counted ${summary.counted} sessions.`);
    const undo = await undone(caller, id);
    workspace.close();
    return { value, undo, floor };
  });
  return figures("Counting 100,000 completed sessions into a new quota (threads)", samples);
}

async function undone(caller: Caller, job: string): Promise<number> {
  const { ms, id } = await submit(caller, `/jobs/${job}/undo`);
  const { summary } = await caller.get<{ summary: { reverted: number } }>(`/jobs/${id}`);
  if (summary.reverted !== COUNT) throw new Error(`It has taken ${summary.reverted} back.`);
  return ms;
}

function figures(what: string, { value, undo, floor }: Record<"value" | "undo" | "floor", number[]>): Figure[] {
  const against = "importing as many people";
  return [
    compared({ what, against, unit: "ms", target: { atMost: 1 } }, { value, floor }),
    compared({ what: "Taking that back", against, unit: "ms", target: { atMost: 1 } }, { value: undo, floor }),
  ];
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
        SELECT screener_id, status, state, id >> 10, count(*) FROM screener_session GROUP BY 1, 2, 3, 4;
      -- They held places before they were turned away.
      INSERT INTO quota_place (uid, quota_id, participant_id, session_id, state, reason, created_at)
        SELECT e.uid, q.id, e.participant_id, e.id, 'RELEASED', 'OVER_QUOTA', e.created_at FROM screener_session AS e, screener_quota AS q`);
  });
  db.get("PRAGMA wal_checkpoint(TRUNCATE)");
  db.close();
}
