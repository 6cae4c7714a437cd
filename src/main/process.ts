// How a process starts and ends. If it can't start, it says why in one sentence. When it ends, it loses nothing.

import { ControlLostError } from "../../db/control.ts";
import { SchemaError } from "../../db/migrate.ts";
import { ForeignOwnerError } from "../../db/sqlite/owner.ts";
import { ReadOnlyError } from "../../db/sqlite/read-only.ts";
import { ConfigError } from "../base/config.ts";
import type { Process } from "./context.ts";

/** Returns what `open` returns. If it throws, prints the reason and exits with 1. */
export function openOrExit<T>(open: () => T): T {
  try {
    return open();
  } catch (error) {
    cannotOpen(error);
  }
}

/** Prints why something can't be opened, with the stack if it is not clear why, and exits with 1. */
export function cannotOpen(error: unknown): never {
  const code = error instanceof Error && "code" in error ? `${error.code}` : "";
  const isKnown = [SchemaError, ControlLostError, ForeignOwnerError, ReadOnlyError, ConfigError].some(
    (known) => error instanceof known,
  );
  const expected = isKnown || /^(E[A-Z]+|SQLITE_)/.test(code);
  // A folder that is not there or not ours: that it is DATA_DIR, Node does not know.
  const about = code.startsWith("E") && "path" in (error as object) ? ". Look at DATA_DIR" : "";
  process.stderr.write(`${expected ? (error as Error).message : String((error as Error).stack)}${about}\n`);
  process.exit(1);
}

/** Prints why the process can't start, and exits with 1. */
export function exitWith(error: Error): never {
  process.stderr.write(`${error.message}\n`);
  process.exit(1);
}

// A signal to a process group comes more than once: npm, foreman and timeout(1) have it too, and pass it on. What comes so
// soon after the first is the same request to end.
const SAME_REQUEST_MS = 1000;

/**
 * On SIGTERM or SIGINT runs `end` and exits with 0. On a later signal exits at once: running jobs are put back in the
 * queue, and accepted jobs are on the disk.
 */
export function onShutdown(context: Process, end: () => Promise<void>): void {
  let asked: number | undefined;
  const stop = (signal: NodeJS.Signals) => {
    if (asked !== undefined) {
      if (performance.now() - asked < SAME_REQUEST_MS) return;
      context.pool.requeueRunning();
      process.exit(1);
    }
    asked = performance.now();
    context.log.info({ signal }, "ending");
    end().then(
      () => process.exit(0),
      (error: unknown) => {
        context.log.error({ err: error }, "shutdown failed");
        process.exit(1);
      },
    );
  };
  process.on("SIGTERM", stop);
  process.on("SIGINT", stop);
}
