// Ends a process that must not close its stores.

import { writeSync } from "node:fs";
import type { Log } from "../../base/log.ts";

/**
 * Ends this process without closing a store. To close it, SQLite would copy pages from memory into the store's file, and they
 * are not what was written.
 */
export function endAtOnce(log: Log, reason: string): never {
  log.fatal({}, reason);
  writeSync(2, `${reason}\n`);
  process.kill(process.pid, "SIGKILL");
  throw new Error(reason);
}
