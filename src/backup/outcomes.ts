// The results that the store of a workspace knows of: a backup needs those of the jobs that are open in its ledger.

import type { Reader } from "../../db/sqlite/connection.ts";

/** A job that has a result, as a workspace's store has it. */
export interface Outcome {
  job_uid: string;
  result_file: string;
}

/** Closes the store. */
export function outcomesIn(store: Reader): Outcome[] {
  try {
    return store.all("SELECT job_uid, result_file FROM job_outcome WHERE result_file IS NOT NULL");
  } finally {
    store.close();
  }
}
