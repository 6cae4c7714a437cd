// Claims places in quotas: all that a session needs, or none. A workspace has one writer at a time, and all of this happens in the
// transaction that writes the answers. So places are never given to more people than there is room for.

import type { Reader, Writer } from "../../../db/sqlite/connection.ts";
import { newId } from "../../base/ids.ts";
import type { RecordEvent } from "../../events/record.ts";
import { getScreenerUid } from "../screeners/queries.ts";
import { decide, isUsedUp } from "./decide.ts";
import {
  countHeld,
  deleteFormer,
  insertPlaces,
  type Place,
  type ReleaseReason,
  releaseHeld,
  releaseLapsedOf,
  releasePlaces,
  updatePlaces,
} from "./place-queries.ts";
import { findQuotasOf, getQuotaById, type QuotaRow } from "./queries.ts";
import { tally } from "./tally.ts";

/** A quota that a session is in, as its publication has it. */
interface WantedQuota {
  /** Its public id. */
  id: string;
  /** COUNT: a place is given beyond the limit, too. */
  mode: "LIMIT" | "COUNT";
}

/** Whose places they are. */
interface Claimant {
  sessionId: number;
  participantId: number;
}

interface Claim {
  quotas: readonly WantedQuota[];
  by: Claimant;
  /** HELD: until `holdMinutes` after now. Null: until somebody decides. */
  state: "HELD" | "TAKEN";
  holdMinutes: number | null;
  /** Whether the session may hold places already. */
  isFirst: boolean;
  at: Date;
}

/**
 * Inside a transaction: gives the session a place in each of these quotas, or no further one. It keeps the places
 * that it holds in them, and gives back those that it holds in others. @returns the public ids of the quotas without room. Empty: the session has all places
 */
export function claimPlaces(db: Writer, claim: Claim, record: RecordEvent): string[] {
  const { quotas, by, state, holdMinutes, isFirst, at } = claim;
  const { sessionId, participantId } = by;
  const now = Date.now();
  const asked = quotas.length ? askedFor(db, quotas, participantId, now) : [];
  const lapsed = asked.flatMap(({ row }) => (row.has_lapsed ? row.place_id! : []));
  if (lapsed.length) releasePlaces(db, lapsed, "LAPSED");
  const rows = asked.map(({ row }) => row);
  const { missing, full, isRefused } = decide(asked);
  if (!isFirst) {
    const ids = rows.map(({ id }) => id);
    releaseHeld(db, sessionId, "ANSWERS_CHANGED", ids);
  }
  const kept = isRefused ? "HELD" : state;
  const expiresAt = kept === "HELD" && holdMinutes !== null ? deadlineAfter(holdMinutes) : null;
  // What another session of theirs holds until it is reviewed stays with that.
  const isUpdated = (row: AskedRow) =>
    row.place_state === "HELD" && !row.has_lapsed && !(kept === "HELD" && row.awaits_review);
  const held = rows.filter(isUpdated).map((row) => row.place_id!);
  if (held.length) updatePlaces(db, held, { state: kept, sessionId, expiresAt });
  if (isRefused) {
    tally.refused += full.length;
    return full.map(({ row }) => row.uid);
  }
  if (missing.length) {
    tally.granted += missing.length;
    for (const one of missing) if (!isUsedUp(one)) releaseForOne(db, one.row, now);
    // Somebody may change an answer again and again: that must not leave a place each time.
    const ids = missing.map(({ row }) => row.id);
    if (!isFirst) deleteFormer(db, sessionId, ids);
    const places = missing.map((one) => ({
      quotaId: one.row.id,
      uid: newId(),
      isOverLimit: one.row.mode === "LIMIT" && isUsedUp(one),
    }));
    insertPlaces(db, { places, participantId, sessionId, state, now: at.toISOString(), expiresAt });
  }
  if (state === "TAKEN")
    for (const row of rows.filter(({ place_state }) => place_state !== "TAKEN")) recordIfTurned(db, row, record, at);
  return [];
}

/** Which of these quotas have no room for the participant, by their public ids. Lapsed places count as free. */
export function quotasWithoutRoom(db: Reader, quotas: readonly WantedQuota[], participantId: number): string[] {
  const limits = quotas.filter(({ mode }) => mode === "LIMIT");
  if (!limits.length) return [];
  return decide(askedFor(db, limits, participantId, Date.now())).full.map(({ row }) => row.uid);
}

/** The quotas as `decide` takes them, in their order. The mode is that of the publication. */
function askedFor(db: Reader, quotas: readonly WantedQuota[], participantId: number, now: number) {
  const ids = quotas.map(({ id }) => id);
  const rows = new Map(findQuotasOf(db, ids, participantId, now).map((row) => [row.uid, row]));
  return quotas.flatMap(({ id, mode }) => {
    const row = rows.get(id);
    if (!row) return [];
    const hasPlace = row.place_id !== null && !row.has_lapsed;
    return { row, mode, isPaused: row.paused !== 0, limit: row.max_places, given: givenOf(db, row, now), hasPlace };
  });
}

type AskedRow = ReturnType<typeof findQuotasOf>[number];

/** How many places are taken, or held by others and not given back, also if they have lapsed. */
const notGivenBack = ({ taken, held, has_lapsed }: AskedRow) => taken + held - has_lapsed;

/** How many places are given. Only where it matters it is counted which of them have lapsed, and then up to the limit. */
function givenOf(db: Reader, row: AskedRow, now: number): number {
  const { id, max_places: limit, taken } = row;
  const given = notGivenBack(row);
  if (limit === null || given < limit) return given;
  return taken >= limit ? taken : taken + countHeld(db, id, now, limit - taken);
}

/**
 * Gives back as many lapsed places as have to go for one more. Those who held them could go on with them if the clock were set back, and
 * then there would be more places than the limit. The others are given back in time.
 */
function releaseForOne(db: Writer, row: AskedRow, now: number): void {
  const { id, max_places: limit } = row;
  if (limit === null) return;
  const count = notGivenBack(row) + 1 - limit;
  if (count > 0) releaseLapsedOf(db, id, now, count);
}

interface Release {
  reason: ReleaseReason;
  /** Another session of the participant that a place which does not lapse goes to, by the public id of the quota. */
  heirs: ReadonlyMap<string, Heir>;
  at: Date;
}

interface Heir {
  sessionId: number;
  /** HELD: until it is reviewed. */
  state: "HELD" | "TAKEN";
}

/** Inside a transaction: gives back places. */
export function releaseAll(
  db: Writer,
  places: readonly Place[],
  { reason, heirs, at }: Release,
  record: RecordEvent,
): void {
  for (const { id, quota_id, expires_at } of places) {
    const quota = getQuotaById(db, quota_id);
    const heir = expires_at === null ? heirs.get(quota.uid) : undefined;
    if (heir) updatePlaces(db, [id], { ...heir, expiresAt: null });
    else releasePlaces(db, [id], reason);
    recordIfTurned(db, quota, record, at);
  }
}

/** Writes an event if a quota has become full, or is not full any more. Places that are held make no quota full. @param before the quota before the change */
export function recordIfTurned(db: Reader, before: QuotaRow, record: RecordEvent, at: Date): void {
  const after = getQuotaById(db, before.id);
  if (isFull(after) === isFull(before)) return;
  record({
    type: isFull(after) ? "screener-quota.full" : "screener-quota.opened",
    resource: { type: "ScreenerQuota", uid: after.uid },
    summary: {
      limit: after.max_places,
      taken: after.taken,
      held: countHeld(db, after.id, Date.now()),
      screenerId: getScreenerUid(db, after.screener_id),
    },
    byService: true,
    fillsStudy: isFull(after) && after.for_everybody === 1,
    at,
  });
}

export function isFull({ mode, max_places, taken }: QuotaRow): boolean {
  return mode === "LIMIT" && max_places !== null && taken >= max_places;
}

let latest = 0;

/**
 * In ms since 1970. It is counted from a time that only rises while the process runs, because a clock that was set back may be set right
 * again. Compare it with the clock as it is: another process may have been started after the clock was set back, and what it holds would
 * lapse early for a process that still counts from the time before.
 */
export function deadlineAfter(minutes: number): number {
  latest = Math.max(latest, Date.now());
  return latest + minutes * 60_000;
}
