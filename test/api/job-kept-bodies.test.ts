// The body of a job that failed for a reason of the service's own is kept for a week, and no longer than anybody may want it.

import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { after, test } from "node:test";
import { openControl } from "../../db/control.ts";
import { Workspaces } from "../../db/workspaces.ts";
import { NoRetry, retryJob } from "../../src/engine/ledger/retry.ts";
import { BY_SERVICE } from "../../src/events/record.ts";
import { tidy } from "../../src/upkeep/housekeeping.ts";
import { removeWorkspace } from "../../src/upkeep/remove-workspace.ts";
import { findWorkspace } from "../../src/workspaces/queries.ts";
import { findBytes } from "../support/bytes.ts";
import { ASYNC, type Client, people } from "../support/client.ts";
import { startService } from "../support/service.ts";
import { holdWrites, storesOf, writeTo } from "../support/store.ts";
import { until } from "../support/until.ts";

const DAY_MS = 24 * 3_600_000;
const PATIENT = { busyTimeoutMs: 10_000, checkpoints: true, onStale: "migrate" } as const;
/** So many that the body is a file. */
const MANY = 1000;
const BUDGET_BYTES = 200_000;

// Its log would be full of errors.
const service = await startService({
  config: { importMaxBytes: BUDGET_BYTES, workspaceSpoolMaxBytes: BUDGET_BYTES, logLevel: "silent" },
});
const control = openControl(service.config.dataDir, PATIENT);
const workspaces = new Workspaces(service.config.dataDir, PATIENT);
const store = storesOf(service, { control, workspaces });
after(() => {
  workspaces.close();
  control.close();
});

/** An import whose job has failed as if there were a bug. @returns the id of the job */
async function failedImport(client: Client, screenerId: string, rows: unknown[]): Promise<string> {
  const rename = (from: string, to: string) =>
    writeTo(workspaces, client.workspaceId, (db) => db.exec(`ALTER TABLE ${from} RENAME TO ${to}`));
  rename("effect", "gone");
  const { body } = await client.import(screenerId, rows, {}, { Prefer: "wait=60" });
  rename("gone", "effect");
  assert.equal(body.code, "internal_error");
  await until(() => control.reader.value("SELECT finished_at FROM job WHERE uid = ?", body.jobId), "it has ended");
  assert.ok(isKept(body.jobId));
  return body.jobId;
}

function isThere(job: string): boolean {
  const isShort = control.reader.value("SELECT 1 FROM job_body WHERE job_uid = ?", job) === 1;
  return isShort || existsSync(join(service.config.dataDir, "spool", job));
}

function isKept(job: string): boolean {
  const until = control.reader.value<number | null>("SELECT body_until FROM job WHERE uid = ?", job) ?? null;
  assert.equal(until !== null, isThere(job), "the ledger knows what there is");
  return until !== null;
}

test("it is kept for seven days, and one that failed by its caller's fault is not", async () => {
  const { client, screenerId } = await service.screener();
  const job = await failedImport(client, screenerId, people(MANY));
  const { body } = await client.import(screenerId, [...people(MANY), { externalUid: "X" }], {}, { Prefer: "wait=60" });
  await until(() => !isThere(body.jobId), "the other one goes");
  tidy(store, Date.now() + 7 * DAY_MS - 60_000);
  assert.ok(isKept(job));
  tidy(store, Date.now() + 7 * DAY_MS + 60_000);
  assert.ok(!isKept(job));
});

test("it makes room for an upload that needs it, and the budget holds", async () => {
  const { client, screenerId } = await service.screener();
  const [first, second] = [
    await failedImport(client, screenerId, people(400)),
    await failedImport(client, screenerId, people(3, MANY)),
  ];
  const bytes = control.reader.value<number>("SELECT spooled_bytes FROM job WHERE uid = ?", second)!;
  const raw = JSON.stringify({ screenerId, participants: people(10) }).padEnd(BUDGET_BYTES - bytes);
  assert.equal((await client.call("POST", "/screener-participants-import", { raw })).status, 200);
  assert.deepEqual([isKept(first), isKept(second)], [false, true], "the oldest goes");
});

test("an erasure removes it, and none is retried while an erasure waits", async () => {
  const { client, screenerId } = await service.screener();
  const someone = { externalUid: "UNMISTAKABLE-4711", email: "unmistakable@example.org", name: "Unmistakable Person" };
  const { body: person } = await client.post("/participants", someone);
  const jobs = [
    await failedImport(client, screenerId, [someone, ...people(MANY)]),
    await failedImport(client, screenerId, [{ ...someone, name: "Unmistakable Other" }]),
  ];
  const release = holdWrites(service, client);
  const { body: erasure } = await client.call("DELETE", `/participants/${person.id}`, { headers: ASYNC });
  // It removes them before it needs the lock: perhaps it has done so already.
  const wait = new RegExp(`^The job ${jobs[0]} has (?:to wait: the job ${erasure.id}, |no body any more\\.)`);
  assert.throws(
    () => retryJob(store, jobs[0]!, BY_SERVICE, ["PARTICIPANT_ERASURE"]),
    (error) => error instanceof NoRetry && wait.test(error.message),
  );
  release();
  await service.drain();
  assert.equal((await client.get(`/jobs/${erasure.id}`)).body.status, "SUCCEEDED");
  assert.deepEqual(jobs.map(isKept), [false, false]);
  assert.deepEqual(findBytes(service.config.dataDir, Object.values(someone)), []);
});

test("the deletion of its screener removes it, and that of its workspace", async () => {
  const { client, screenerId } = await service.screener();
  const other = await client.screener("Other");
  const [ours, theirs] = [
    await failedImport(client, screenerId, people(MANY)),
    await failedImport(client, other, people(3, 10)),
  ];
  const { title } = (await client.get(`/screeners/${screenerId}`)).body;
  const deletion = await client.delete(`/screeners/${screenerId}?confirm=${encodeURIComponent(title)}`);
  assert.equal(deletion.status, 200, deletion.text);
  assert.deepEqual([isKept(ours), isKept(theirs)], [false, true]);
  const long = await failedImport(client, other, people(MANY));
  removeWorkspace(store, findWorkspace(control.reader, client.workspaceId)!);
  assert.deepEqual([isKept(theirs), isKept(long)], [false, false]);
});
