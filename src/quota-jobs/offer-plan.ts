// Plans to offer places to participants who were turned away: whose sessions would get a place in each of their quotas, the earliest
// first. What decides only reads, so that it also runs on a workspace alone.

import type { Reader, Writer } from "../../db/sqlite/connection.ts";
import { newId } from "../base/ids.ts";
import { Parsed } from "../base/parsed.ts";
import { shown } from "../nouns/content/answers.ts";
import type { Content } from "../nouns/content/content.ts";
import { readPublished } from "../nouns/content/published.ts";
import { addressOverQuota, isKeptByAnswers, quotasOf } from "../nouns/content/quotas.ts";
import { givesLinkAway } from "../nouns/content/redirects.ts";
import { findPublicationById } from "../nouns/publications/queries.ts";
import { leftOfTarget } from "../nouns/publications/target.ts";
import { decide, isUsedUp } from "../nouns/quotas/decide.ts";
import { listPlacesGiven } from "../nouns/quotas/place-queries.ts";
import { getQuota, listRoomOf, type QuotaRow } from "../nouns/quotas/queries.ts";
import { findAnswers } from "../nouns/responses/queries.ts";
import { getAcceptance, requireAccepting } from "../nouns/screeners/queries.ts";
import { getSessionById, quotaIdsOf } from "../nouns/sessions/queries.ts";
import { answeringOf } from "../screening/answering.ts";
import { BATCH, countPlan, insertRows, type PlanRow } from "./rows.ts";

/** A session that was over quota. */
interface TurnedAway {
  id: number;
  participant: number;
  publication: number;
  status: "ACTIVE" | "ARCHIVED";
  /** JSON: the ids of the quotas that it is in. */
  quotaIds: string | null;
  /** The first quota that had no room. */
  first: string;
  isAssigned: 0 | 1;
  /** Whether the participant has no later session of this assignment. */
  isLatest: 0 | 1;
}

/** What an offer does. */
export interface OfferPlan {
  summary: { offered: number; skipped: number };
  quota: QuotaRow;
}

/** How many would get an offer now, of how many people who were turned away. @throws Problem screener_quota_not_found, screener_closed, link_expired */
export function countOffers(db: Reader, quotaUid: string): { offered: number; people: number } {
  const { summary, people } = offersOf(db, quotaUid, () => {});
  return { offered: summary.offered, people };
}

/** Plans to offer places to those who were turned away by a quota. @throws Problem screener_quota_not_found, screener_closed, link_expired */
export function planOffer(db: Writer, quotaUid: string): OfferPlan {
  let after = 0;
  const plan = offersOf(db, quotaUid, (rows) => {
    insertRows(db, rows, after);
    const copied = rows.flatMap(({ isCopied }, at) => (isCopied ? [after + 1 + at] : []));
    if (copied.length) db.run("INSERT INTO copy (plan_id) SELECT value FROM json_each(?)", JSON.stringify(copied));
    after += rows.length;
  });
  countPlan(db);
  return plan;
}

interface OfferRow extends PlanRow {
  /** Whether another site was given the id of the session: the participant goes on in a copy of it. */
  isCopied?: boolean;
}

type Room = ReturnType<typeof listRoomOf>[number];

/** A quota, as `decide` takes it for one participant after the other. */
class Cell {
  hasPlace = false;
  readonly room: Room;
  readonly mode: "LIMIT" | "COUNT";
  /** Whether it has closed an arm, so that the session was not in it. */
  readonly isOfArm: boolean;

  constructor(room: Room, mode: "LIMIT" | "COUNT", isOfArm: boolean) {
    this.room = room;
    this.mode = mode;
    this.isOfArm = isOfArm;
  }

  get isPaused(): boolean {
    return this.room.isPaused;
  }

  get limit(): number | null {
    return this.room.limit;
  }

  get given(): number {
    return this.room.given;
  }
}

/** Looks who would get all places that they need, the earliest first. @param add gets a row for each */
function offersOf(db: Reader, quotaUid: string, add: (rows: OfferRow[]) => void): OfferPlan & { people: number } {
  const quota = getQuota(db, quotaUid);
  requireAccepting(getAcceptance(db, quota.screener_id));
  const offers = new Offers(db, quota);
  const all = listTurnedAway(db, quota);
  for (let at = 0; at < all.length; at += BATCH) {
    const some = all.slice(at, at + BATCH);
    const given = placesGivenTo(db, quota.screener_id, some);
    add(some.map((session) => offers.rowOf(session, given)));
  }
  const offered = offers.offered;
  return {
    summary: { offered, skipped: all.length - offered },
    quota,
    people: new Set(all.map(({ participant }) => participant)).size,
  };
}

/** What is left of a publication's target. */
interface Published {
  content: Content;
  /** Infinity: it has no target. */
  left: number;
}

/** Decides for one session after the other whether it gets an offer. */
class Offers {
  offered = 0;
  readonly #db: Reader;
  readonly #quotaUid: string;
  readonly #room: ReadonlyMap<string, Room>;
  readonly #parsed = new Parsed();
  readonly #publications = new Map<number, Published>();
  /** Few sets of quotas are those of many sessions. */
  readonly #sets = new Map<string, { cells: Cell[]; isSettled: boolean }>();

  constructor(db: Reader, { uid, screener_id }: QuotaRow) {
    this.#db = db;
    this.#quotaUid = uid;
    this.#room = new Map(listRoomOf(db, screener_id, Date.now()).map((one) => [one.row.uid, one]));
  }

  /** @param given the places that participants have: those that are offered are added */
  rowOf(session: TurnedAway, given: Map<number, Set<number>>): OfferRow {
    const skip = (reason: string): OfferRow => ({ outcome: "SKIPPED", reason, session: session.id });
    if (!session.isAssigned || session.status !== "ACTIVE") return skip("UNASSIGNED");
    if (!session.isLatest) return skip("ANOTHER_SESSION");
    const publication = this.#publicationOf(session);
    if (publication.left <= 0) return skip("TARGET_REACHED");
    const has = given.get(session.participant) ?? new Set();
    const cells = this.#cellsFor(session, publication.content);
    for (const cell of cells) cell.hasPlace = has.has(cell.room.row.id);
    const { missing, full, isRefused } = decide(cells);
    if (isRefused) return skip(full.every(({ isPaused }) => isPaused) ? "QUOTA_PAUSED" : "QUOTA_FULL");
    const places = missing.map((cell) => ({
      quotaId: cell.room.row.id,
      uid: newId(),
      isOverLimit: cell.room.row.mode === "LIMIT" && isUsedUp(cell),
    }));
    for (const { room } of missing) room.given++;
    given.set(session.participant, has.union(new Set(places.map(({ quotaId }) => quotaId))));
    this.offered++;
    publication.left--;
    const address = addressOverQuota(publication.content, session.first);
    const isCopied = address !== undefined && givesLinkAway(address);
    return { outcome: "OFFERED", reason: isCopied ? "COPIED" : null, session: session.id, places, isCopied };
  }

  #publicationOf({ publication: id }: TurnedAway): Published {
    const known = this.#publications.get(id);
    if (known) return known;
    const publication = findPublicationById(this.#db, id)!;
    const content = readPublished(this.#db, this.#parsed, publication);
    const found = { content, left: leftOfTarget(this.#db, publication) ?? Number.POSITIVE_INFINITY };
    this.#publications.set(id, found);
    return found;
  }

  /** The quotas that the session is in, as far as that is settled: it may go on. */
  #cellsFor(session: TurnedAway, content: Content): Cell[] {
    const { cells, isSettled } = this.#setOf(session, content);
    if (isSettled) return cells;
    const answering = answeringOf(this.#db, this.#parsed, getSessionById(this.#db, session.id));
    const answers = findAnswers(this.#db, session.id, answering.questions);
    const { counting } = shown(answering.content, answers);
    const settled = new Set(quotasOf(answering.content, answers, counting, false).map(({ id }) => id));
    return cells.filter(({ room, isOfArm }) => isOfArm || settled.has(room.row.uid));
  }

  #setOf({ publication, quotaIds }: TurnedAway, { quotas = [] }: Content) {
    const key = `${publication} ${quotaIds}`;
    const known = this.#sets.get(key);
    if (known) return known;
    const modes = new Map(quotas.map(({ id, mode }) => [id, mode]));
    const ids = quotaIdsOf(quotaIds);
    // One that has closed the arms is that of the arm that may be given.
    const isOfArm = !ids.includes(this.#quotaUid);
    const cells = (isOfArm ? [...ids, this.#quotaUid] : ids).flatMap((id) => {
      const room = this.#room.get(id);
      return room ? [new Cell(room, modes.get(id) ?? room.row.mode, !ids.includes(id))] : [];
    });
    const of = new Set(cells.map(({ room }) => room.row.uid));
    const rules = quotas.flatMap(({ id, when }) => (when && of.has(id) ? [when] : []));
    const set = { cells, isSettled: rules.every(isKeptByAnswers) };
    this.#sets.set(key, set);
    return set;
  }
}

/** The sessions that this quota has turned away, the earliest first. */
function listTurnedAway(db: Reader, { uid, screener_id }: QuotaRow): TurnedAway[] {
  return db.all(
    `SELECT e.id, e.participant_id AS participant, e.screener_publication_id AS publication, e.status, e.quota_ids AS quotaIds,
       e.outcome_quota_ids ->> 0 AS "first", a.id IS NOT NULL AS isAssigned,
       iif(a.current_session_id = e.id, 1, NOT EXISTS (SELECT 1 FROM screener_session AS l
         WHERE l.screener_participant_uid = e.screener_participant_uid AND l.id > e.id AND l.status <> 'REMOVED' AND l.is_test = 0)) AS isLatest
     FROM screener_publication AS p CROSS JOIN screener_session AS e ON e.screener_publication_id = p.id
       LEFT JOIN screener_participant AS a ON a.uid = e.screener_participant_uid
     WHERE p.screener_id = ? AND e.outcome = 'DISQUALIFIED' AND e.outcome_reason = 'OVER_QUOTA' AND e.status <> 'REMOVED' AND e.is_test = 0
       AND instr(e.outcome_quota_ids, ?) > 0
     ORDER BY e.completed_at, e.id`,
    screener_id,
    uid,
  );
}

/** In which of a screener's quotas these participants have a place, by the rowids of both. */
function placesGivenTo(db: Reader, screenerId: number, sessions: readonly TurnedAway[]): Map<number, Set<number>> {
  const given = new Map<number, Set<number>>();
  const participants = sessions.map(({ participant }) => participant);
  for (const { participant, quota } of listPlacesGiven(db, screenerId, participants, Date.now()))
    given.set(participant, (given.get(participant) ?? new Set()).add(quota));
  return given;
}
