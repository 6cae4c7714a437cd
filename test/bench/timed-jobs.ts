// Runs imports in this process, and takes the processor time of each SQL statement: `timed-jobs.ts FOLDER COUNT`. Writes
// `jobs JSON`: for each import its time and that of its statements, in ms.

import { randomUUIDv7 } from "node:crypto";
import { mkdirSync } from "node:fs";
import { dirname } from "node:path";
import { openControl } from "../../db/control.ts";
import { THREAD_CONTROL, THREAD_WORKSPACES } from "../../db/profiles.ts";
import { Reader, Writer } from "../../db/sqlite/connection.ts";
import { Workspaces } from "../../db/workspaces.ts";
import { newId } from "../../src/base/ids.ts";
import { spoolPath } from "../../src/engine/files/bodies.ts";
import { insertJob } from "../../src/engine/ledger/queries.ts";
import { runJob } from "../../src/engine/run/run.ts";
import { actorRow } from "../../src/events/actors.ts";
import { BY_SERVICE } from "../../src/events/record.ts";
import { importJob } from "../../src/imports/job.ts";
import { createWorkspace } from "../../src/workspaces/create.ts";
import { type Which, writePayload } from "./people.ts";

export interface TimedJob {
  ms: number;
  statements: [sql: string, ms: number][];
}

const [dataDir = "", count = ""] = process.argv.slice(2);
const control = openControl(dataDir, THREAD_CONTROL);
const workspaces = new Workspaces(dataDir, THREAD_WORKSPACES);
const { workspace } = createWorkspace(control, workspaces, "Bench", BY_SERVICE);
const workspaceId = control.reader.value<number>("SELECT id FROM workspace")!;
const actor = { type: "ApplicationActor", uid: newId(), name: "Bench" } as const;
const screenerId = newId();
workspaces.write(workspace.id, (db) => {
  const now = new Date().toISOString();
  const by = actorRow(db, actor);
  db.run(
    "INSERT INTO screener (id, uid, title, created_by, created_at, updated_by, updated_at) VALUES (1, ?, 'Bench', ?, ?, ?, ?)",
    screenerId,
    by,
    now,
    by,
    now,
  );
});

const times = new Map<string, number>();
for (const [owner, names] of [
  [Reader.prototype, ["get", "all", "value", "values"]],
  [Writer.prototype, ["run", "exec"]],
] as const) {
  for (const name of names) {
    const methods = owner as unknown as Record<string, (sql: string, ...values: unknown[]) => unknown>;
    const method = methods[name]!;
    methods[name] = function (this: Reader, sql, ...values) {
      const started = processorMs();
      try {
        return method.call(this, sql, ...values);
      } finally {
        times.set(sql, (times.get(sql) ?? 0) + processorMs() - started);
      }
    };
  }
}

const people = { count: Number(count) };
const jobs = { fresh: run(people), again: run(people), changed: run({ ...people, surname: " II" }) };
process.stdout.write(`jobs ${JSON.stringify(jobs)}\n`);

function run(which: Which): TimedJob {
  const uid = randomUUIDv7();
  const path = spoolPath(dataDir, uid);
  mkdirSync(dirname(path), { recursive: true });
  writePayload(path, { screenerId, ...which });
  insertJob(control.writer, {
    uid,
    workspaceId,
    kind: importJob.kind,
    payload: "{}",
    actor,
    idempotencyKey: null,
    fingerprint: null,
    screenerUid: null,
    spooledBytes: null,
    note: null,
    cause: null,
    requestId: uid,
    traceId: null,
    now: Date.now(),
  });
  times.clear();
  const started = processorMs();
  const report = runJob(
    {
      dataDir,
      erasedDir: `${dataDir}/erased`,
      runner: "bench",
      control,
      workspaces,
      workspaceResultsMaxBytes: 2 ** 40,
    },
    [importJob],
    uid,
  );
  const ms = processorMs() - started;
  if (report?.status !== "SUCCEEDED") throw new Error(JSON.stringify(report));
  return { ms, statements: [...times] };
}

/** The processor time of this thread: what it waits for the disk or for a processor does not count. */
function processorMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
}
