// Loaded before a process and into its threads: kills it just before a certain statement runs.
//   KILL_SQL    how the statement begins
//   KILL_VALUE  a text that one of its values holds; without, any will do
//   KILL_ONCE   a file that marks that it has happened; without, it happens each time
//   KILL_WHAT   the process (the default); the thread, and the process lives; or the statement, as on a full disk
// Or a test chooses it while the process runs (kills.ts):
//   KILL_FILE   once this file is there, it has a number, and how the statement begins: so many of them from then on, in one thread

import { closeSync, existsSync, openSync, readFileSync } from "node:fs";
import { isMainThread } from "node:worker_threads";
import Database from "better-sqlite3";

const { KILL_SQL, KILL_FILE, KILL_VALUE, KILL_ONCE, KILL_WHAT } = process.env;
let seen = 0;

if (KILL_SQL || KILL_FILE) {
  const { prepare } = Database.prototype;
  Database.prototype.prepare = function (this: Database.Database, sql: string) {
    const statement = prepare.call<Database.Database, [string], Database.Statement<unknown[]>>(this, sql);
    // As it is written: db/sqlite/connection.ts puts a plus before parameters.
    const text = sql.replaceAll("+?", "?");
    if (!text.startsWith(KILL_SQL ?? "")) return statement;
    const run = statement.run.bind(statement);
    statement.run = (...values: unknown[]) => {
      if (isChosen(text) && isAbout(values) && isFirst()) strike();
      return run(...values);
    };
    return statement;
  } as typeof prepare;
}

function isChosen(sql: string): boolean {
  if (!KILL_FILE) return true;
  if (!existsSync(KILL_FILE)) return false;
  const [, nth = "", start = ""] = /^(\d+) (.+)$/.exec(readFileSync(KILL_FILE, "utf8")) ?? [];
  return sql.startsWith(start) && ++seen >= Number(nth);
}

function isAbout(values: unknown[]): boolean {
  return !KILL_VALUE || values.some((value) => typeof value === "string" && value.includes(KILL_VALUE));
}

function isFirst(): boolean {
  if (!KILL_ONCE) return true;
  try {
    closeSync(openSync(KILL_ONCE, "wx"));
    return true;
  } catch {
    return false;
  }
}

function strike(): never {
  if (KILL_WHAT === "statement") throw new Database.SqliteError("database or disk is full", "SQLITE_FULL");
  if (KILL_WHAT === "thread" && !isMainThread) process.exit(1);
  process.kill(process.pid, "SIGKILL");
  // Nothing more happens here, however long the signal takes.
  for (;;) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
}
