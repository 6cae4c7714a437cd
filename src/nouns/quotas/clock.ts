// The time by which places lapse. It only rises while the process runs: a clock that is set back lets nothing lapse early, and
// makes no place that lapses before older ones.

let latest = 0;

/** In ms since 1970. */
export function risingNow(): number {
  latest = Math.max(latest, Date.now());
  return latest;
}
