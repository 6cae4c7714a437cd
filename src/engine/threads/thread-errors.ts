// Errors that leave a thread. Only their text and their cause leave it, so the cause says which error it is.

/** The same may succeed later. */
export const TRANSIENT = "transient";

/** A store has lost pages that its processes still hold (db/sqlite/recover.ts). */
export const LOST = "lost";

/** A job's result file is damaged (result-file.ts). The text says how. */
export const DAMAGED = "damaged";

/** Whether an error from a thread has this cause. */
export function isMarked(error: unknown, cause: string): error is Error {
  return error instanceof Error && error.cause === cause;
}
