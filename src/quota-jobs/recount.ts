// Counts completed sessions into a quota that their publications did not have. The scratch store is main, the workspace is attached as `w`.

import type { Reader, Writer } from "../../db/sqlite/connection.ts";
import { newId } from "../base/ids.ts";
import { Parsed } from "../base/parsed.ts";
import { insertEffect, nextStamp } from "../engine/ledger/effects.ts";
import type { RecordEvent } from "../events/record.ts";
import { DraftAnswers } from "../forecast/answers.ts";
import { PEOPLE_AT_ONCE } from "../forecast/queries.ts";
import type { Person } from "../forecast/replay.ts";
import { askedIn, type Content, type Quota } from "../nouns/content/content.ts";
import { Facts, questionsIn } from "../nouns/content/holds.ts";
import { readPublished } from "../nouns/content/queries.ts";
import { traceIn } from "../nouns/content/quotas.ts";
import { listPublications } from "../nouns/publications/queries.ts";
import type { Question } from "../nouns/question-types/registry.ts";
import { recordIfTurned } from "../nouns/quotas/claim.ts";
import { isUsedUp } from "../nouns/quotas/decide.ts";
import { listPlacesIn } from "../nouns/quotas/place-queries.ts";
import { getQuota, listRoomOf, type QuotaRow } from "../nouns/quotas/queries.ts";
import { countsSql } from "../nouns/sessions/queries.ts";
import { BATCH, countPlan, inBatches, insertRows, type PlanRow } from "./rows.ts";

/** What a recount does. */
interface RecountPlan {
  summary: { counted: number; skipped: number };
  quota: QuotaRow;
}

/** Which completed sessions are in a quota that their publications did not have. Answers of completed sessions do not change. */
export class Verdicts {
  readonly #quotaUid: string;
  /** By the rowid of the session. Undefined: the publication did not ask for it. */
  readonly #known = new Map<number, { participant: number; isIn: boolean | undefined }>();

  constructor(quotaUid: string) {
    this.#quotaUid = quotaUid;
  }

  /** All of them now, in the order of completion. Those that were read before are not read again. @throws Problem screener_quota_not_found */
  read(db: Reader): { session: number; participant: number; isIn: boolean | undefined }[] {
    const quota = getQuota(db, this.#quotaUid);
    const { newest, cell, older } = contentsOf(db, quota);
    const sessions = listCompleted(db, quota, older);
    const unknown = sessions.filter((session) => !this.#known.has(session));
    const answers = new DraftAnswers(db, newest);
    const asked = new Set(cell.when === null ? [] : questionsIn(cell.when));
    const questions = newest.pages.flatMap(askedIn).filter(({ id }) => asked.has(id));
    for (let at = 0; at < unknown.length; at += PEOPLE_AT_ONCE) {
      const some = unknown.slice(at, at + PEOPLE_AT_ONCE);
      for (const [index, person] of answers.read(some).entries())
        this.#known.set(some[index]!, { participant: person.participant, isIn: isIn(cell, questions, person) });
    }
    return sessions.map((session) => ({ session, ...this.#known.get(session)! }));
  }
}

/** Whether somebody is in a quota. Undefined: that was not asked. @param questions those that its rule is about */
function isIn(cell: Quota, questions: readonly Question[], person: Person): boolean | undefined {
  const facts = new Facts(person);
  const open = new Set<string>();
  for (const question of questions) {
    const answer = person.answers.get(question.id);
    if (answer !== undefined) facts.set(question.id, { question, answer });
    else if (!person.asked.has(question.id)) open.add(question.id);
  }
  return traceIn([cell], facts, open)[0]!.isIn;
}

/** Plans to give places to those of completed sessions who are in a quota. @throws Problem screener_quota_not_found */
export function planRecount(db: Writer, quotaUid: string, verdicts: Verdicts): RecountPlan {
  const quota = getQuota(db, quotaUid);
  const concerned = verdicts.read(db).filter(({ isIn }) => isIn !== false);
  const seen = new Set<number>();
  let { given } = listRoomOf(db, quota.screener_id, Date.now()).find(({ row }) => row.id === quota.id)!;
  const summary = { counted: 0, skipped: 0 };
  for (let at = 0; at < concerned.length; at += BATCH) {
    const some = concerned.slice(at, at + BATCH);
    // Their places are in `given` already.
    const holding = holdersOf(db, quota, some);
    const rows = some.flatMap(({ session, participant, isIn }): PlanRow[] => {
      if (seen.has(participant)) return [];
      if (isIn === undefined) {
        summary.skipped++;
        return [{ outcome: "SKIPPED", reason: "NOT_ASKED", session }];
      }
      seen.add(participant);
      summary.counted++;
      const isHolding = holding.has(participant);
      const isOverLimit = !isHolding && quota.mode === "LIMIT" && isUsedUp({ limit: quota.max_places, given });
      if (!isHolding) given++;
      const reason = isOverLimit ? "OVER_LIMIT" : null;
      return [{ outcome: "COUNTED", reason, session, places: [{ quotaId: quota.id, uid: newId(), isOverLimit }] }];
    });
    insertRows(db, rows, summary.counted + summary.skipped - rows.length);
  }
  countPlan(db);
  return { summary, quota };
}

/** Which of these people hold a place in a quota. */
function holdersOf(db: Reader, quota: QuotaRow, people: readonly { participant: number }[]): Set<number> {
  const participants = people.map(({ participant }) => participant);
  const places = listPlacesIn(db, quota.id, participants, Date.now());
  return new Set(places.flatMap(({ participant, hasLapsed }) => (hasLapsed ? [] : [participant])));
}

/** The newest content that has a quota, whose questions are those that its rule names; and the rowids of publications without it. */
function contentsOf(db: Reader, quota: QuotaRow): { newest: Content; cell: Quota; older: number[] } {
  const published = new Parsed();
  const contents = listPublications(db, quota.screener_id).map((publication) => ({
    id: publication.id,
    content: readPublished(db, published, publication),
  }));
  const cellIn = ({ quotas }: Content) => quotas?.find(({ id }) => id === quota.uid);
  const newest = contents.find(({ content }) => cellIn(content))!.content;
  const older = contents.filter(({ content }) => !cellIn(content)).map(({ id }) => id);
  return { newest, cell: cellIn(newest)!, older };
}

/** How many completed sessions a recount would look at; 0 if it has counted some already. @throws Problem screener_quota_not_found */
export function countUncounted(db: Reader, quotaUid: string): number {
  const quota = getQuota(db, quotaUid);
  const publications = JSON.stringify(contentsOf(db, quota).older);
  const isCounted = db.value(
    `SELECT 1 FROM quota_place AS p JOIN screener_session AS e ON e.id = p.session_id
     WHERE p.quota_id = ? AND ${IS_KEPT} AND e.screener_publication_id IN (SELECT value FROM json_each(?)) LIMIT 1`,
    quota.id,
    publications,
  );
  if (isCounted !== undefined) return 0;
  return db.value(
    `SELECT count(*) FROM json_each(?) AS j CROSS JOIN screener_session AS e ON e.screener_publication_id = j.value
     WHERE ${countsSql("e")}`,
    publications,
  )!;
}

/** The completed sessions of these publications that count, of participants who have not taken a place, in the order of completion. */
function listCompleted(db: Reader, quota: QuotaRow, publications: readonly number[]): number[] {
  return db.values(
    `SELECT e.id FROM w.screener_session AS e
     WHERE e.screener_id = ? AND e.screener_publication_id IN (SELECT value FROM json_each(?)) AND ${countsSql("e")}
       AND NOT EXISTS (SELECT 1 FROM w.quota_place AS p WHERE p.quota_id = ? AND p.participant_id = e.participant_id
         AND ${IS_KEPT})
     ORDER BY e.completed_at, e.id`,
    quota.screener_id,
    JSON.stringify(publications),
    quota.id,
  );
}

/** SQL: whether a place `p` is taken, or held until its session is reviewed. As the indexes have it. */
export const IS_KEPT = "p.state IN ('HELD', 'TAKEN') AND p.expires_at IS NULL";

/** SQL: how the session of a row `q` gets its place. */
const GIVEN_STATE =
  "(SELECT iif(e.review_state IS 'PENDING', 'HELD', 'TAKEN') FROM w.screener_session AS e WHERE e.id = q.session_id)";

export type OnProgress = (done: number, total: number) => void;

/** Gives the places, and keeps what is needed to undo that. @returns the time that it writes */
export function applyRecount(
  db: Writer,
  { quota, summary }: RecountPlan,
  jobUid: string,
  record: RecordEvent,
  onProgress: OnProgress,
): Date {
  const now = nextStamp(db);
  const effect = insertEffect(db, { jobUid, screenerId: quota.screener_id, now });
  inBatches(db, { screenerId: quota.screener_id, rows: summary.counted }, onProgress, (from, to) => {
    const going = "q.outcome = 'COUNTED' AND q.id >= ? AND q.id < ?";
    db.run(
      `INSERT INTO w.effect_place (effect_id, session_id, quota_id) SELECT ?, q.session_id, ? FROM plan AS q WHERE ${going}`,
      ...[effect, quota.id, from, to],
    );
    // A place that another session of theirs holds is the one that they have now.
    db.run(
      `WITH h AS MATERIALIZED (SELECT p.id, q.session_id, ${GIVEN_STATE} AS state FROM plan AS q
         CROSS JOIN w.quota_place AS p ON p.quota_id = ? AND p.participant_id = q.participant_id AND p.state IN ('HELD', 'TAKEN') WHERE ${going})
       UPDATE w.quota_place SET state = h.state, session_id = h.session_id, expires_at = NULL FROM h WHERE h.id = w.quota_place.id`,
      ...[quota.id, from, to],
    );
    db.run(
      `INSERT INTO w.quota_place (uid, quota_id, participant_id, session_id, state, is_over_limit, created_at)
       SELECT n.uid, n.quota_id, q.participant_id, q.session_id, ${GIVEN_STATE}, n.is_over_limit, ?
       FROM plan AS q JOIN place AS n ON n.plan_id = q.id WHERE ${going} ORDER BY q.id ON CONFLICT DO NOTHING`,
      ...[now.toISOString(), from, to],
    );
    db.run(
      `UPDATE w.screener_session SET quota_ids = json_insert(coalesce(quota_ids, '[]'), '$[#]', ?)
       WHERE id IN (SELECT q.session_id FROM plan AS q WHERE ${going})`,
      ...[quota.uid, from, to],
    );
  });
  recordIfTurned(db, quota, record, now);
  return now;
}
