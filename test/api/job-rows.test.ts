// The rows of jobs: of those that have none, and how one row of many is found.

import assert from "node:assert/strict";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { openScratchReader } from "../../db/open.ts";
import { type Client, people } from "../support/client.ts";
import { startService } from "../support/service.ts";

const service = await startService();

async function lastJob(client: Client) {
  return (await client.get("/jobs?sort=-createdAt&pagination[limit]=1")).body.items[0];
}

test("a job of a kind without rows says that it has none, in every format", async () => {
  const { client, screenerId } = await service.screener();
  await client.post("/screener-publications", { screenerId });
  const jobs = [await lastJob(client)];
  await client.import(screenerId, people(300));
  // The first one has its result in a file.
  for (let n = 0; n < 2; n++) {
    assert.equal((await client.post("/screener-sessions", { screenerId })).status, 200);
    jobs.push(await lastJob(client));
  }
  for (const { id, kind } of jobs) {
    for (const accept of ["application/json", "text/csv", "application/x-ndjson"]) {
      const { status, body } = await client.get(`/jobs/${id}/rows`, { Accept: accept });
      assert.deepEqual([status, body.code, body.detail], [410, "job_result_gone", NO_ROWS], `${kind} ${accept}`);
    }
  }
});

const NO_ROWS = "The job has no rows, or they are no longer kept.";

test("a plan has no result, and says so", async () => {
  const { client, screenerId } = await service.screener();
  const planned = await client.post("/screener-participants-import", { screenerId, participants: [], dryRun: true });
  const { status, body } = await client.get(`/jobs/${planned.body.id}/result`);
  assert.deepEqual([status, body.detail], [409, "The job is a plan, failed or was cancelled, and has no result."]);
});

test("a row of many is found by its externalUid without reading the others, of imports and of undos", async () => {
  const { client, screenerId } = await service.screener();
  await client.import(screenerId, people(400));
  const removed = await client.post("/screener-participants-import", {
    screenerId,
    importMode: "FULL_SYNC",
    participants: people(200),
  });
  const path = removed.headers.get("Location")!;
  const undone = await client.post(`${path}/undo`, {});
  for (const id of [path.split("/").at(-1)!, undone.body.id as string]) {
    const found = await client.get(`/jobs/${id}/rows?filter[externalUid][eq]=P-300`);
    assert.equal(found.body.total, 1);
    const folder = join(service.config.dataDir, "results");
    const db = openScratchReader(join(folder, readdirSync(folder).find((file) => file.startsWith(id))!));
    const steps = db.all<{ detail: string }>("EXPLAIN QUERY PLAN SELECT id FROM row_name WHERE external_uid = 'P-300'");
    db.close();
    assert.deepEqual(
      steps.filter(({ detail }) => detail.startsWith("SCAN")),
      [],
    );
  }
});
