// When places that are held lapse. A clock that is set back lets nothing lapse early.

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
