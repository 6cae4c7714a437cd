// How a process begins and ends: in plain words when it can't begin, and without losing anything when it ends.

import { SchemaError } from "../db/migrate.ts";
import type { Context } from "./context.ts";

/** What `open` opens; or the reason in a sentence, and the end of the process. */
export function openOrExit<T>(open: () => T): T {
  try {
    return open();
  } catch (error) {
    const code = error instanceof Error && "code" in error ? `${error.code}` : "";
    const expected = error instanceof SchemaError || /^(E[A-Z]+|SQLITE_)/.test(code);
    process.stderr.write(`${expected ? (error as Error).message : String((error as Error).stack)}\n`);
    process.exit(1);
  }
}

/**
 * On SIGTERM or SIGINT runs `end` and exits 0. On a second one exits at once: what was under way is put back, and what
 * is accepted is on the disk.
 */
export function onShutdown(context: Context, end: () => Promise<void>): void {
  let ending = false;
  const stop = (signal: NodeJS.Signals) => {
    if (ending) {
      context.pool.handBack();
      process.exit(1);
    }
    ending = true;
    context.log.info({ signal }, "ending");
    end().then(
      () => process.exit(0),
      (error: unknown) => {
        context.log.error({ err: error }, "the end went wrong");
        process.exit(1);
      },
    );
  };
  process.on("SIGTERM", stop);
  process.on("SIGINT", stop);
}
