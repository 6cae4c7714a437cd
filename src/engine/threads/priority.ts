// The priority of threads.

import { readlinkSync } from "node:fs";
import { setPriority } from "node:os";

const NICENESS = 5;

/**
 * Lowers the priority of this thread, so that API reads win when CPU is short. On Linux each thread has its own priority, under the id
 * that /proc shows.
 */
export function lowerPriority(): void {
  try {
    setPriority(Number(readlinkSync("/proc/thread-self").split("/").at(-1)), NICENESS);
  } catch {
    // On other systems a thread can't have its own priority.
  }
}
