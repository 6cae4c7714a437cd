// Says which sessions find a place again in each of their quotas, one after the other, as claims will. It only reads.

import type { Reader } from "../../db/sqlite/connection.ts";
import { decide } from "../nouns/quotas/decide.ts";
import { listPlacesIn } from "../nouns/quotas/place-queries.ts";
import { listRoomOf } from "../nouns/quotas/queries.ts";
import { quotaIdsOf } from "../nouns/sessions/queries.ts";

export interface Placed {
  participant: number;
  /** JSON: the ids of the quotas that the session is in. */
  quotaIds: string | null;
}

type QuotaRoom = ReturnType<typeof listRoomOf>[number];

export class Room {
  readonly #db: Reader;
  readonly #now = Date.now();
  readonly #rooms: ReadonlyMap<string, QuotaRoom>;

  constructor(db: Reader, screenerId: number) {
    this.#db = db;
    this.#rooms = new Map(listRoomOf(db, screenerId, this.#now).map((room) => [room.row.uid, room]));
  }

  /** Gives places to those for whom all of their quotas have room. @returns for each, the quotas without room. None: it has all places */
  give(sessions: readonly Placed[]): { quotaId: number; isPaused: boolean }[][] {
    const placed = this.#placesOf(sessions);
    return sessions.map((session) => {
      const has = placed.get(session.participant);
      const asked = this.#roomsOf(session).map((room) => ({
        ...{ mode: room.row.mode, isPaused: room.isPaused, limit: room.limit, given: room.given },
        ...{ hasPlace: has?.has(room.row.id) ?? false, room },
      }));
      const { missing, full } = decide(asked);
      if (full.length) return full.map(({ room, isPaused }) => ({ quotaId: room.row.id, isPaused }));
      for (const { room } of missing) {
        room.given++;
        placed.set(session.participant, (placed.get(session.participant) ?? new Set()).add(room.row.id));
      }
      return [];
    });
  }

  #roomsOf({ quotaIds }: Placed): QuotaRoom[] {
    return quotaIdsOf(quotaIds).flatMap((id) => this.#rooms.get(id) ?? []);
  }

  /** In which of their quotas participants have a place, by the rowids of both. */
  #placesOf(sessions: readonly Placed[]): Map<number, Set<number>> {
    const asking = new Map<QuotaRoom, number[]>();
    for (const session of sessions)
      for (const room of this.#roomsOf(session)) {
        const others = asking.get(room);
        if (others) others.push(session.participant);
        else asking.set(room, [session.participant]);
      }
    const placed = new Map<number, Set<number>>();
    for (const [{ row }, participants] of asking)
      for (const { participant, hasLapsed } of listPlacesIn(this.#db, row.id, participants, this.#now))
        if (!hasLapsed) placed.set(participant, (placed.get(participant) ?? new Set()).add(row.id));
    return placed;
  }
}
