// How long results and plans are kept: for a time, and as long as all together fit their budget.

import assert from "node:assert/strict";
import { existsSync, readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { after, test } from "node:test";
import { openControl } from "../../db/control.ts";
import { immediate } from "../../db/sqlite/write.ts";
import { Workspaces } from "../../db/workspaces.ts";
import { tidy } from "../../src/upkeep/housekeeping.ts";
import { type Answer, type Client, people } from "../support/client.ts";
import { startService } from "../support/service.ts";
import { storesOf } from "../support/store.ts";
import { until } from "../support/until.ts";

const HOUR_MS = 3_600_000;
const MIB = 1024 * 1024;
const PATIENT = { busyTimeoutMs: 10_000, checkpoints: true, onStale: "migrate" } as const;

const service = await startService({ config: { resultsMaxBytes: MIB } });
const { dataDir } = service.config;
const control = openControl(dataDir, PATIENT);
const workspaces = new Workspaces(dataDir, PATIENT);
after(() => {
  workspaces.close();
  control.close();
});

/** Runs the upkeep with a time for results of one hour. */
function tidyAt(now: number): void {
  tidy({ ...storesOf(service, { control, workspaces }), jobResultTtlHours: 1, workspaceResultsMaxBytes: 2 ** 40 }, now);
}

function inLedger(sql: string, ...values: (string | number)[]): void {
  immediate(control.writer, () => control.writer.run(sql, ...values), 5000);
}

function ledger<Value>(sql: string, ...values: string[]): Value {
  return control.reader.value<Value>(sql, ...values)!;
}

/** The files of a job in a folder of the service. */
function files(folder: "results" | "spool", id: string): string[] {
  const path = join(dataDir, folder);
  return existsSync(path) ? readdirSync(path).filter((name) => name.startsWith(id)) : [];
}

/** Imports some hundred rows, so that the result is a file. @returns the job's id */
async function importMany(client: Client, screenerId: string, from = 0, more: object = {}): Promise<string> {
  const { status, headers } = await client.import(screenerId, people(600, from), { ...more });
  assert.equal(status, 200);
  return headers.get("location")!.replace("/jobs/", "");
}

function result(client: Client, id: string): Promise<Answer> {
  return client.get(`/jobs/${id}/result`);
}

function gone({ status, body }: Answer): boolean {
  if (status === 200) return false;
  assert.deepEqual([status, body.code], [410, "job_result_gone"]);
  return true;
}

test("the oldest results go soon after a job has ended, when all together take too much space", async () => {
  const { client, screenerId } = await service.screener();
  const ids: string[] = [];
  for (let turn = 0; turn < 12; turn++) ids.push(await importMany(client, screenerId, turn * 600));
  const bytes = () =>
    ids.map((id) => files("results", id).map((name) => statSync(join(dataDir, "results", name)).size));
  await until(
    () =>
      bytes()
        .flat()
        .reduce((sum, size) => sum + size, 0) <= MIB,
    "the results fit their budget",
  );
  const kept = [];
  for (const id of ids) kept.push(!gone(await result(client, id)));
  assert.ok(kept.includes(false) && kept.at(-1), `${kept}`);
  assert.deepEqual(kept, [...kept].sort(), "the oldest ones have gone");
  for (const [index, id] of ids.entries()) assert.equal(files("results", id).length, kept[index] ? 1 : 0);
  // What is counted is what is there.
  assert.equal(ledger("SELECT bytes FROM result_total"), ledger("SELECT sum(result_bytes) FROM job"));
  assert.equal((await client.get(`/jobs/${ids[0]}`)).body.status, "SUCCEEDED");
});

test("results in the ledger count, and a result that is larger than the budget stays until the next job ends", async () => {
  const { client, screenerId } = await service.screener();
  const small = (await client.import(screenerId, people(5))).headers.get("location")!.replace("/jobs/", "");
  assert.ok(ledger<number>("SELECT result_bytes FROM job WHERE uid = ?", small) > 500);
  inLedger("UPDATE job SET result_bytes = ? WHERE uid = ?", 2 * MIB, small);
  tidyAt(Date.now());
  assert.ok(!gone(await result(client, small)), "it is the newest one");
  await client.import(screenerId, people(1));
  await until(async () => gone(await result(client, small)), "it is gone");
  assert.equal(ledger("SELECT bytes FROM result_total"), ledger("SELECT sum(result_bytes) FROM job"));
});

test("a result is kept for its time in hours, and a plan until it is applied", async () => {
  const { client, screenerId } = await service.screener();
  const done = await importMany(client, screenerId);
  const { body: plan } = await client.import(screenerId, people(2000, 600), { dryRun: true });
  assert.equal(plan.status, "PLANNED");
  tidyAt(Date.now() + HOUR_MS / 2);
  assert.ok(!gone(await result(client, done)));
  tidyAt(Date.now() + 2 * HOUR_MS);
  assert.ok(gone(await result(client, done)));
  tidyAt(Date.parse(plan.plan.expiresAt) - HOUR_MS);
  assert.deepEqual([files("spool", plan.id).length, files("results", plan.id).length], [1, 1]);
  const applied = await client.post(`/jobs/${plan.id}/apply`, {});
  assert.deepEqual([applied.status, applied.body.status, applied.body.summary.created], [200, "SUCCEEDED", 2000]);
});

test("a plan that nobody has applied in time ends, and its files go", async () => {
  const { client, screenerId } = await service.screener();
  const { body: plan } = await client.import(screenerId, people(600), { dryRun: true });
  tidyAt(Date.parse(plan.plan.expiresAt));
  const { body: ended } = await client.get(`/jobs/${plan.id}`);
  assert.deepEqual([ended.status, ended.problem.code, ended.problem.jobId], ["CANCELLED", "plan_expired", plan.id]);
  assert.deepEqual([files("spool", plan.id), files("results", plan.id)], [[], []]);
  const late = await client.post(`/jobs/${plan.id}/apply`, {});
  assert.deepEqual([late.status, late.body.code], [409, "plan_expired"]);
  assert.equal((await client.get("/participants")).body.total, 0);
  // It stays in the list for a month after its end, as every job does.
  tidyAt(Date.parse(plan.plan.expiresAt) + 29 * 24 * HOUR_MS);
  assert.equal((await client.get(`/jobs/${plan.id}`)).status, 200);
  tidyAt(Date.parse(plan.plan.expiresAt) + 31 * 24 * HOUR_MS);
  assert.equal((await client.get(`/jobs/${plan.id}`)).status, 404);
});

test("plans go last when there is no space, and then end", async () => {
  const { client, screenerId } = await service.screener();
  const { body: plan } = await client.import(screenerId, people(600, 10_000), { dryRun: true });
  const other = await client.screener();
  const ids: string[] = [];
  for (let turn = 0; turn < 8; turn++) ids.push(await importMany(client, other, turn * 600));
  await until(async () => gone(await result(client, ids[0]!)), "the oldest result is gone");
  assert.equal((await client.get(`/jobs/${plan.id}`)).body.status, "PLANNED", "the plan is older, and stays");
  inLedger("UPDATE job SET result_bytes = ? WHERE uid = ?", 2 * MIB, plan.id);
  await client.import(other, people(1));
  const ended = await until(async () => {
    const { body } = await client.get(`/jobs/${plan.id}`);
    return body.status === "CANCELLED" && body;
  }, "the plan has ended");
  assert.equal(ended.problem.code, "plan_expired");
  await until(() => !files("spool", plan.id).length && !files("results", plan.id).length, "its files are gone");
  assert.equal(ledger("SELECT bytes FROM result_total"), ledger("SELECT sum(result_bytes) FROM job"));
});

test("results that an earlier release kept are measured by the upkeep", async () => {
  const { client, screenerId } = await service.screener();
  const large = await importMany(client, screenerId);
  await client.import(screenerId, people(5));
  const measured = () =>
    ledger<string>("SELECT json_group_array(result_bytes) FROM job WHERE result_bytes IS NOT NULL");
  const before = measured();
  inLedger("UPDATE job SET result_bytes = NULL");
  assert.equal(ledger("SELECT bytes FROM result_total"), 0);
  tidyAt(Date.now());
  assert.equal(measured(), before);
  assert.ok(!gone(await result(client, large)));
});
