// What a workspace may have in the spool and in results: counted in bytes while they are written, and each for itself.

import assert from "node:assert/strict";
import { existsSync, readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { gzipSync } from "node:zlib";
import { type Answer, ASYNC, type Client, people } from "../support/client.ts";
import { type Service, startService } from "../support/service.ts";
import { holdWrites } from "../support/store.ts";
import { until } from "../support/until.ts";

const MIB = 1024 * 1024;
const IMPORT = "/screener-participants-import";

/** The bytes in a folder of the service. */
function bytesIn({ config }: Service, folder: "spool" | "results"): number {
  const path = join(config.dataDir, folder);
  if (!existsSync(path)) return 0;
  return readdirSync(path)
    .map((name) => statSync(join(path, name), { throwIfNoEntry: false })?.size ?? 0)
    .reduce((sum, size) => sum + size, 0);
}

/** A payload of about a MiB, which packs well. */
function packed(screenerId: string, from = 0): Uint8Array {
  const [person] = people(1, from);
  return gzipSync(`{"screenerId":"${screenerId}","participants":[${JSON.stringify(person)}${" ".repeat(MIB)}]}`);
}

function upload(client: Client, raw: Uint8Array): Promise<Answer> {
  return client.call("POST", IMPORT, { raw, headers: { ...ASYNC, "Content-Encoding": "gzip" } });
}

function isOverBudget({ status, headers, body }: Answer, bytes: number): void {
  assert.deepEqual([status, body.code], [429, "import_budget_exceeded"]);
  assert.ok(Number(headers.get("retry-after")) >= 1);
  assert.equal(headers.get("ratelimit-policy"), `"import-bytes";q=${bytes}`);
  assert.match(headers.get("ratelimit")!, /^"import-bytes";r=0;t=\d+$/);
}

test("many packed uploads at once take no more of the spool than their workspace may, and hinder no other", async () => {
  const budget = 4 * MIB;
  const service = await startService({ config: { importMaxBytes: 2 * MIB, workspaceSpoolMaxBytes: budget } });
  const { client, screenerId } = await service.screener();
  const neighbour = await service.screener();
  const release = holdWrites(service, client);
  let most = 0;
  const watch = setInterval(() => {
    most = Math.max(most, bytesIn(service, "spool"));
  }, 1);
  const answers = await Promise.all(Array.from({ length: 12 }, (_, n) => upload(client, packed(screenerId, n))));
  const accepted = answers.filter(({ status }) => status === 202);
  for (const answer of answers) if (answer.status !== 202) isOverBudget(answer, budget);
  assert.equal(accepted.length, 3, "they are not all refused together");
  // One by one until it is full: what was refused above takes nothing any more.
  let sent = accepted.length;
  for (let last = 202; last === 202; sent++) last = (await upload(client, packed(screenerId, 100 + sent))).status;
  assert.equal(sent, 4, "three fit");
  clearInterval(watch);
  assert.ok(most <= budget, `${most} bytes lay in the spool`);
  isOverBudget(await upload(client, packed(screenerId)), budget);
  assert.equal((await neighbour.client.import(neighbour.screenerId, people(10))).status, 200);
  assert.ok(bytesIn(service, "spool") > 3 * MIB);
  release();
  await service.drain();
  await until(() => bytesIn(service, "spool") === 0, "the spool is empty");
  assert.equal((await client.get("/participants")).body.total, 3);
  assert.equal((await upload(client, packed(screenerId))).status, 202);
});

test("the bodies of plans count, until the plans are discarded", async () => {
  const budget = 2 * MIB;
  const service = await startService({ config: { importMaxBytes: 2 * MIB, workspaceSpoolMaxBytes: budget } });
  const { client, screenerId } = await service.screener();
  const [person] = people(1);
  const raw = gzipSync(
    `{"dryRun":true,"screenerId":"${screenerId}","participants":[${JSON.stringify(person)}${" ".repeat(1.2 * MIB)}]}`,
  );
  const { body: plan } = await upload(client, raw);
  await service.drain();
  isOverBudget(await upload(client, raw), budget);
  assert.equal((await client.delete(`/jobs/${plan.id}`)).status, 200);
  assert.equal((await upload(client, raw)).status, 202);
});

test("a workspace's results push out its own, and not its neighbour's", async () => {
  const service = await startService({ config: { workspaceResultsMaxBytes: MIB } });
  const small = await service.screener();
  const large = await service.screener();
  const importMany = async ({ client, screenerId }: typeof small, from: number) => {
    const { status, headers } = await client.import(screenerId, people(600, from));
    assert.equal(status, 200);
    return headers.get("location")!;
  };
  const kept = await importMany(small, 0);
  const paths: string[] = [];
  for (let turn = 0; turn < 12; turn++) paths.push(await importMany(large, turn * 600));
  const status = async (client: Client, path: string) => (await client.get(`${path}/result`)).status;
  await until(async () => (await status(large.client, paths[0]!)) === 410, "the oldest is gone");
  assert.equal(await status(large.client, paths.at(-1)!), 200);
  assert.equal(await status(small.client, kept), 200);
  const own = "SELECT sum(result_bytes) FROM job AS j JOIN workspace AS w ON w.id = j.workspace_id WHERE w.uid = ?";
  const counted =
    "SELECT bytes FROM workspace_results AS r JOIN workspace AS w ON w.id = r.workspace_id WHERE w.uid = ?";
  const { reader } = service.context.control;
  await until(() => reader.value<number>(own, large.client.workspaceId)! <= MIB, "they fit");
  for (const { client } of [small, large])
    assert.equal(reader.value(counted, client.workspaceId), reader.value(own, client.workspaceId));
});

test("a job whose file would be larger than the budget is stopped while it writes, and changes nothing", async () => {
  const service = await startService({ config: { workspaceResultsMaxBytes: MIB } });
  const { client, screenerId } = await service.screener();
  const { status, body } = await client.import(screenerId, people(20_000), {}, { Prefer: "wait=60" });
  assert.deepEqual([status, body.code], [413, "result_too_large"]);
  assert.equal((await client.get("/participants")).body.total, 0);
  // The answer may come before the worker has removed the files.
  await until(() => bytesIn(service, "spool") + bytesIn(service, "results") === 0, "its files are gone");
  assert.equal((await client.get(`/jobs/${body.jobId}`)).body.attempts, 1);
  assert.equal((await client.import(screenerId, people(1000))).status, 200);
});
