// What is found to be wrong (src/base/findings.ts), in plain words: a heading, and what to do.

const ADVICE: Record<string, readonly [heading: string, advice: string]> = {
  control_busy: ["The control store is busy", "Wait a moment. If it stays, look for a command that does not end."],
  read_only: [
    "Nothing can be written",
    "Make room on the disk, or look why it can’t be written and who owns DATA_DIR, and run the doctor.",
  ],
  control_not_readable: ["The control store can’t be read", "Look at the disk, and run the doctor."],
  control_schema: [
    "The control store is of another release",
    "Finish the upgrade: start all processes with the same release.",
  ],
  store_migrating: [
    "A workspace is brought up to date after an upgrade",
    "Nothing. People can read it; writes wait until it is done.",
  ],
  clock_ahead: [
    "The clock is ahead",
    "Look whether the machine's clock is right. If it is, nothing has to be done: what is kept for a time is removed a day later.",
  ],
  file_damaged: [
    "A file of a job is damaged",
    "It is named there. Its rows can't be read any more, or it has to be sent again; it goes when its job does.",
  ],
  erased_back: [
    "People who were erased are back",
    "An older file of a store was put back. Run workspace accept-store, which erases them again.",
  ],
  store_damaged: ["A store is damaged", "Restore it from the last backup. The log says what was found."],
  store_refused: ["A store is missing, or not the right one", "Put it back, or restore it from the last backup."],
  store_unreadable: [
    "A store belongs to another user",
    "Give it back to the user of the service, as the message says, and run commands as that user.",
  ],
  store_in_doubt: ["The disk has failed to write", "Look at the disk. The service writes the store anew by itself."],
  spool_missing: ["The spool is missing", "Put the folder spool of DATA_DIR back. Imports wait until then."],
  move_waits: ["A workspace is between two cells", "Start the other cell, or look why it does not answer."],
  restore_interrupted: [
    "A restore of one workspace was interrupted",
    "As the message says: it is taken back by itself, or its command goes on with it.",
  ],
  accept_interrupted: [
    "workspace accept-store was interrupted",
    "Run it once more. The workspace is suspended until then.",
  ],
  no_worker: ["No worker is alive", "Start one: npm run worker. Imports wait until then."],
  backup_late: [
    "A backup was not taken",
    "Look at the log of the service, and whether BACKUP_DIR can be written: the doctor says it.",
  ],
  backup_incomplete: ["Workspaces are missing in the last backup", "The log of the service says which ones, and why."],
  disk_nearly_full: ["The disk is nearly full", "Make room: remove old backups, or give the disk more space."],
  mail_relay_fails: ["Mail can’t be sent", "It waits. The doctor says what the relay refuses."],
  mail_uncertain: [
    "Some mail may be lost",
    "The relay or a process ended before the relay had replied. The log says which messages these are.",
  ],
  mail_late: ["Mail is late", "See whether the relay answers, and whether MAIL_PER_MINUTE is enough."],
  proxy_refuses_bodies: ["The proxy refuses large imports", "Raise its limit for bodies, or lower IMPORT_MAX_BYTES."],
  redis_unavailable: [
    "Redis does not answer",
    "Start Redis, or look why it can’t be reached. Imports wait until then.",
  ],
  redis_refuses: ["Redis refuses what it is sent", "Give Redis more memory, and look at its settings."],
  webhook_failing: [
    "A receiver of webhooks takes no messages",
    "Look under Webhooks how the last attempts went, and at the receiver. Each message is sent again for three days.",
  ],
  webhook_disabled: [
    "A webhook is disabled",
    "Look at its receiver, then enable the address under Webhooks. What happened meanwhile is sent by a replay.",
  ],
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
