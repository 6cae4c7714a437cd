// Serves small writes in this process, and takes its processor time, and that of the statements that write events:
// `timed-writes.ts FOLDER`. Writes `writes JSON`: for each kind of write both times, in ms for each. The caller is another thread.

import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { Worker } from "node:worker_threads";
import { Reader, Writer } from "../../db/sqlite/connection.ts";
import { readConfig } from "../../src/base/config.ts";
import { BY_SERVICE } from "../../src/events/record.ts";
import { openContext } from "../../src/main/context.ts";
import { startServer } from "../../src/main/server.ts";
import { createWorkspace } from "../../src/workspaces/create.ts";

export interface TimedWrite {
  /** The processor time of the thread that serves, for each write. */
  ms: number;
  /** Of this, in statements of events. */
  events: number;
}

export type TimedWrites = Record<"created" | "submitted", TimedWrite>;

/** What recordEvent does. Its actor is looked up by what it writes, too. */
const OF_EVENTS =
  /^\s*(?:INSERT INTO (?:main\.)?event|SELECT id, created_at FROM (?:main\.)?event|SELECT id, name FROM main\.actor)/;

let events = 0;
const kept = new Set<string>();
for (const [owner, names] of [
  [Reader.prototype, ["get", "value"]],
  [Writer.prototype, ["run"]],
] as const) {
  for (const name of names) {
    const methods = owner as unknown as Record<string, (sql: string, ...values: unknown[]) => unknown>;
    const method = methods[name]!;
    methods[name] = function (this: Reader, sql, ...values) {
      if (!OF_EVENTS.test(sql)) return method.call(this, sql, ...values);
      kept.add(sql);
      const started = processorMs();
      try {
        return method.call(this, sql, ...values);
      } finally {
        events += processorMs() - started;
      }
    };
  }
}

const [dataDir = ""] = process.argv.slice(2);
const config = { ...readConfig({ LOG_LEVEL: "error", PORT: "0", NODE_ENV: "production" }), dataDir, host: "127.0.0.1" };
const context = await openContext(config, 1);
const server = await startServer(context);
context.dispatcher.start();
const { workspace, apiKey, apiSecret } = createWorkspace(context.control, context.workspaces, "Bench", BY_SERVICE);
const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
const headers = { "X-Service-Api-Key": apiKey, "X-Service-Api-Secret": apiSecret };
const caller = new Worker(new URL("./writes-thread.ts", import.meta.url), { workerData: { url, headers } });

const writes = {} as TimedWrites;
for (const kind of ["created", "submitted"] as const) {
  const [ready] = await once(caller, "message");
  if (ready !== kind) throw new Error(`The caller is at ${ready}.`);
  events = 0;
  const started = processorMs();
  caller.postMessage("begin");
  const [count] = await once(caller, "message");
  writes[kind] = { ms: (processorMs() - started) / count, events: events / count };
}
// A statement that is written in another way would count as none.
if (kept.size < 4) throw new Error(`Only ${kept.size} statements write events.`);
const total = context.workspaces.read(workspace.id, (db) => db.value<number>("SELECT count(*) FROM event"));
process.stdout.write(`writes ${JSON.stringify({ ...writes, total })}\n`);

/** The processor time of this thread. */
function processorMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
}
