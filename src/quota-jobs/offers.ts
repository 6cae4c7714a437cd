// Decides who of those that were turned away gets an offer, one after the other. It only reads, so that it also runs on a workspace alone.

import type { Reader } from "../../db/sqlite/connection.ts";
import { Parsed } from "../base/parsed.ts";
import { shown } from "../nouns/content/answers.ts";
import type { Content } from "../nouns/content/content.ts";
import { readPublished } from "../nouns/content/queries.ts";
import { addressOverQuota, isKeptByAnswers, quotasOf } from "../nouns/content/quotas.ts";
import { givesLinkAway } from "../nouns/content/redirects.ts";
import { findPublicationById } from "../nouns/publications/queries.ts";
import { leftOfTarget } from "../nouns/publications/target.ts";
import { decide, isUsedUp } from "../nouns/quotas/decide.ts";
import { listPlacesIn } from "../nouns/quotas/place-queries.ts";
import { listRoomOf, type QuotaRow } from "../nouns/quotas/queries.ts";
import { findAnswers } from "../nouns/responses/queries.ts";
import { getSessionById, quotaIdsOf } from "../nouns/sessions/queries.ts";
import { answeringOf } from "../screening/answering.ts";

/** A session that was over quota. */
export interface TurnedAway {
  id: number;
  participant: number;
  publication: number;
  /** JSON: the ids of the quotas that it is in. */
  quotaIds: string | null;
  /** JSON: the ids of the quotas that had no room. */
  fullIds: string;
}

/** What was decided for some sessions, by their indexes. */
export interface Decisions {
  /** Those without an offer, by the reason. */
  skipped: ReadonlyMap<string, readonly number[]>;
  /** Those of which another site was given the id: the participant goes on in a copy. */
  copied: readonly number[];
  /** Those with an offer of the same places, one behind the other, but for those that are skipped. */
  runs: readonly Run[];
}

interface Run {
  from: number;
  to: number;
  /** The number of the set of places. */
  set: number;
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

  get isOverLimit(): boolean {
    return this.room.row.mode === "LIMIT" && isUsedUp(this);
  }
}

/** Few sets of quotas are those of many sessions. */
interface CellSet {
  cells: Cell[];
  /** Whether answers to come can't take the session out of one. */
  isSettled: boolean;
}

interface Published {
  content: Content;
  /** How many its target leaves. Infinity: it has none. */
  left: number;
  /** By the JSON of the quotas' ids. */
  sets: Map<string | null, CellSet>;
  /** By the JSON of the ids of those that had no room: whether another site was given the session's id. */
  copies: Map<string, boolean>;
}

export class Offers {
  offered = 0;
  /** The rowids of places of theirs that have lapsed. */
  readonly lapsed: number[] = [];
  readonly #db: Reader;
  readonly #quotaUid: string;
  readonly #now = Date.now();
  readonly #room: ReadonlyMap<string, Room>;
  readonly #parsed = new Parsed();
  readonly #publications = new Map<number, Published>();
  /** The numbers of the sets of places that are given, by the JSON of their quotas' rowids and of what is over the limit. */
  readonly #given = new Map<string, number>();

  constructor(db: Reader, { uid, screener_id }: QuotaRow) {
    this.#db = db;
    this.#quotaUid = uid;
    this.#room = new Map(listRoomOf(db, screener_id, this.#now).map((one) => [one.row.uid, one]));
  }

  /** The sets of places: number, rowid of the quota, whether it is over the limit. */
  sets(): [set: number, quotaId: number, isOverLimit: 0 | 1][] {
    return [...this.#given].flatMap(([json, set]) =>
      (JSON.parse(`[${json}]`) as [number, 0 | 1][]).map(([quotaId, over]): [number, number, 0 | 1] => [
        set,
        quotaId,
        over,
      ]),
    );
  }

  /** Those who were decided before have their places already. */
  decide(sessions: readonly TurnedAway[]): Decisions {
    const placed = this.#placesOf(sessions);
    const skipped = new Map<string, number[]>();
    const copied: number[] = [];
    const runs: Run[] = [];
    for (const [at, session] of sessions.entries()) {
      const publication = this.#publicationOf(session.publication);
      const given = this.#offer(session, publication, placed);
      if (typeof given === "string") {
        const others = skipped.get(given);
        if (others) others.push(at);
        else skipped.set(given, [at]);
        continue;
      }
      this.offered++;
      publication.left--;
      if (this.#isCopied(session.fullIds, publication)) copied.push(at);
      const run = runs.at(-1);
      if (run?.set === given) run.to = at;
      else runs.push({ from: at, to: at, set: given });
    }
    return { skipped, copied, runs };
  }

  /** @returns the number of the set of places that it gets, or why it gets none */
  #offer(session: TurnedAway, publication: Published, placed: ReadonlyMap<number, Set<number>>): number | string {
    if (publication.left <= 0) return "TARGET_REACHED";
    const has = placed.get(session.participant);
    const cells = this.#cellsFor(session, publication);
    for (const cell of cells) cell.hasPlace = has?.has(cell.room.row.id) ?? false;
    const { missing, full, isRefused } = decide(cells);
    if (isRefused) return full.every(({ isPaused }) => isPaused) ? "QUOTA_PAUSED" : "QUOTA_FULL";
    const set = this.#numberOf(missing);
    for (const { room } of missing) room.given++;
    return set;
  }

  #numberOf(missing: readonly Cell[]): number {
    let json = "";
    for (const { room, isOverLimit } of missing) json += `${json && ","}[${room.row.id},${Number(isOverLimit)}]`;
    let known = this.#given.get(json);
    if (known === undefined) {
      known = this.#given.size + 1;
      this.#given.set(json, known);
    }
    return known;
  }

  #isCopied(fullIds: string, { content, copies }: Published): boolean {
    let known = copies.get(fullIds);
    if (known === undefined) {
      const address = addressOverQuota(content, quotaIdsOf(fullIds)[0]!);
      known = address !== undefined && givesLinkAway(address);
      copies.set(fullIds, known);
    }
    return known;
  }

  /** In which of their quotas participants have a place, by the rowids of both. A participant has one session that may go on. */
  #placesOf(sessions: readonly TurnedAway[]): Map<number, Set<number>> {
    const asking = new Map<Room, number[]>();
    for (const session of sessions) {
      for (const { room } of this.#setOf(session, this.#publicationOf(session.publication)).cells) {
        const others = asking.get(room);
        if (others) others.push(session.participant);
        else if (room.row.taken + room.row.held > 0) asking.set(room, [session.participant]);
      }
    }
    const placed = new Map<number, Set<number>>();
    for (const [{ row }, participants] of asking) {
      for (const { id, participant, hasLapsed } of listPlacesIn(this.#db, row.id, participants, this.#now)) {
        if (hasLapsed) this.lapsed.push(id);
        else placed.set(participant, (placed.get(participant) ?? new Set()).add(row.id));
      }
    }
    return placed;
  }

  #publicationOf(id: number): Published {
    let known = this.#publications.get(id);
    if (!known) {
      const publication = findPublicationById(this.#db, id)!;
      const content = readPublished(this.#db, this.#parsed, publication);
      const left = leftOfTarget(this.#db, publication) ?? Number.POSITIVE_INFINITY;
      known = { content, left, sets: new Map(), copies: new Map() };
      this.#publications.set(id, known);
    }
    return known;
  }

  /** The quotas that the session is in, as far as that is settled: it may go on. */
  #cellsFor(session: TurnedAway, publication: Published): Cell[] {
    const { cells, isSettled } = this.#setOf(session, publication);
    if (isSettled) return cells;
    const answering = answeringOf(this.#db, this.#parsed, getSessionById(this.#db, session.id));
    const answers = findAnswers(this.#db, session.id, answering.questions);
    const { counting } = shown(answering.content, answers);
    const settled = new Set(quotasOf(answering.content, answers, counting, false).map(({ id }) => id));
    return cells.filter(({ room, isOfArm }) => isOfArm || settled.has(room.row.uid));
  }

  #setOf({ quotaIds }: TurnedAway, { content: { quotas = [] }, sets }: Published): CellSet {
    const known = sets.get(quotaIds);
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
    sets.set(quotaIds, set);
    return set;
  }
}
