// What is found to be wrong (src/findings.ts), in plain words: a heading, and what to do.

const ADVICE: Record<string, readonly [heading: string, advice: string]> = {
  control_busy: ["The control store is busy", "Wait a moment. If it stays, look for a command that does not end."],
  control_not_writable: [
    "The control store can’t be written",
    "Look at the disk and at who owns DATA_DIR, and run the doctor.",
  ],
  control_schema: ["The control store is of another release", "Restart all processes with the same release."],
  store_damaged: ["A store is damaged", "Restore it from the last backup. The log says what was found."],
  store_refused: ["A store is missing, or not the right one", "Put it back, or restore it from the last backup."],
  store_in_doubt: ["The disk has failed to write", "Look at the disk. The service writes the store anew by itself."],
  spool_missing: ["The spool is missing", "Put the folder spool of DATA_DIR back. Imports wait until then."],
  move_waits: ["A workspace is between two cells", "Start the other cell, or look why it does not answer."],
  no_worker: ["No worker is alive", "Start one: npm run worker. Imports wait until then."],
  disk_nearly_full: ["The disk is nearly full", "Make room: remove old backups, or give the disk more space."],
  proxy_refuses_bodies: ["The proxy refuses large imports", "Raise its limit for bodies, or lower IMPORT_MAX_BYTES."],
  redis_unavailable: [
    "Redis does not answer",
    "Start Redis, or look why it can’t be reached. Imports wait until then.",
  ],
  redis_refuses: ["Redis refuses what it is sent", "Give Redis more memory, and look at its settings."],
  shutting_down: ["This process is shutting down", "Nothing. Another one serves in a moment."],
  check_failed: ["A check has failed", "Look at the log of the service."],
};

/** What a finding is called, and what to do about it. */
export function adviceOn(code: string): { heading: string; advice: string } {
  const [heading, advice] = ADVICE[code] ?? ["Something is wrong", "Look at the log of the service."];
  return { heading, advice };
}

/** The codes that have their own words. */
export const ADVISED = Object.keys(ADVICE);
