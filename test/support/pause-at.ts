// Loaded before a process and into its threads: a thread waits just before certain statements run.
//   PAUSE_SQL    JSON: how the statements begin
//   PAUSE_FILE   made when a thread waits; it goes on when the file is gone

import { existsSync, writeFileSync } from "node:fs";
import { isMainThread } from "node:worker_threads";
import Database from "better-sqlite3";

const { PAUSE_SQL, PAUSE_FILE } = process.env;

if (PAUSE_SQL && PAUSE_FILE && !isMainThread) {
  const starts: string[] = JSON.parse(PAUSE_SQL);
  const { prepare } = Database.prototype;
  Database.prototype.prepare = function (this: Database.Database, sql: string) {
    const statement = prepare.call<Database.Database, [string], Database.Statement<unknown[]>>(this, sql);
    if (!starts.some((start) => sql.startsWith(start))) return statement;
    for (const method of ["run", "get"] as const) {
      const act = statement[method].bind(statement) as (...values: unknown[]) => never;
      statement[method] = (...values: unknown[]) => {
        pause(PAUSE_FILE);
        return act(...values);
      };
    }
    return statement;
  } as typeof prepare;
}

/** Makes the file, and waits until it is gone. */
export function pause(file: string): void {
  writeFileSync(file, "");
  while (existsSync(file)) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 5);
}
