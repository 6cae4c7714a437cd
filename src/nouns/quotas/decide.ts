// Decides who gets places. Claims, which count in a store, and forecasts, which count in memory, both ask here.

/** How full a quota is, for somebody who needs a place in it. */
interface Fullness {
  /** COUNT: it counts, and turns nobody away. */
  mode: "LIMIT" | "COUNT";
  isPaused: boolean;
  /** Null: there is none. */
  limit: number | null;
  /** How many places are taken, or held and have not lapsed. */
  given: number;
  /** Whether one of these is theirs. */
  hasPlace: boolean;
}

interface Decision<Quota> {
  /** Those in which they have no place yet. */
  missing: Quota[];
  /** Those of them without room. */
  full: Quota[];
  /** Whether they get none of the missing places. If not, they get all of them. */
  isRefused: boolean;
}

/** @param quotas all that somebody is in */
export function decide<Quota extends Fullness>(quotas: readonly Quota[]): Decision<Quota> {
  const missing = quotas.filter(({ hasPlace }) => !hasPlace);
  const full = missing.filter((quota) => !hasRoom(quota));
  return { missing, full, isRefused: full.length > 0 };
}

function hasRoom(quota: Fullness): boolean {
  return quota.mode === "COUNT" || (!quota.isPaused && !isUsedUp(quota));
}

/** Whether all places of a limit are given. */
export function isUsedUp({ limit, given }: Pick<Fullness, "limit" | "given">): boolean {
  return limit !== null && given >= limit;
}
