// A file of results/ goes bad on the disk: what needs it fails and says why, erasures remove it, and the workspace's other jobs go on.

import assert from "node:assert/strict";
import { readdirSync, readFileSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import Database from "better-sqlite3";
import { findBytes } from "../support/bytes.ts";
import { type Client, people } from "../support/client.ts";
import { startService } from "../support/service.ts";

const service = await startService({ config: { logLevel: "silent" } });
const results = join(service.config.dataDir, "results");
const wait = { Prefer: "wait=60" };
/** So many rows are in a file. */
const MANY = 600;

/** How a file goes bad. */
const DAMAGES: Record<string, (path: string) => void> = {
  "has garbage": (path) => writeFileSync(path, Buffer.alloc(readFileSync(path).length, "P-1 garbage ")),
  "is truncated": (path) => truncateSync(path, 12_288),
  "has a bad page": (path) => {
    const db = new Database(path, { readonly: true });
    const root = db.prepare("SELECT rootpage FROM sqlite_schema WHERE name = 'plan'").pluck().get() as number;
    const size = db.pragma("page_size", { simple: true }) as number;
    db.close();
    const bytes = readFileSync(path);
    bytes.fill(0xa5, (root - 1) * size, root * size);
    writeFileSync(path, bytes);
  },
  "is empty": (path) => truncateSync(path, 0),
  "has other tables": (path) => {
    truncateSync(path, 0);
    const db = new Database(path);
    db.exec("CREATE TABLE other (text TEXT); INSERT INTO other VALUES ('person1@example.org')");
    db.close();
  },
};

function fileOf(jobId: string): string {
  const name = readdirSync(results).find((one) => one.startsWith(jobId));
  assert.ok(name, "the job has a file");
  return join(results, name);
}

/** @returns the id of the job */
async function importMany(client: Client, screenerId: string, more: object = {}, from = 0): Promise<string> {
  const { status, headers, text } = await client.import(screenerId, people(MANY, from), { ...more }, wait);
  assert.equal(status, 200, text);
  return headers.get("location")!.replace("/jobs/", "");
}

for (const [what, damage] of Object.entries(DAMAGES)) {
  test(`a result file that ${what} stops nothing: its rows answer 410, its plan fails, an erasure removes it`, async () => {
    const { client, screenerId } = await service.screener();
    const imported = await importMany(client, screenerId);
    const { body: undo } = await client.post(`/jobs/${imported}/undo`, {}, wait);
    assert.equal(undo.status, "SUCCEEDED", JSON.stringify(undo));
    const { body: undoPlan } = await client.post(`/jobs/${undo.id}/undo`, { dryRun: true }, wait);
    const plan = await importMany(client, screenerId, { dryRun: true });
    const later = await importMany(client, screenerId, { dryRun: true });
    const jobs = [imported, undo.id, undoPlan.id, plan, later];
    for (const id of jobs) damage(fileOf(id));

    for (const id of jobs)
      for (const accept of ["application/json", "text/csv"]) {
        const { status, body } = await client.get(`/jobs/${id}/rows`, { Accept: accept });
        assert.deepEqual([status, body?.code], [410, "job_result_gone"]);
        if (what !== "has other tables") assert.match(body.detail, /damaged/);
      }
    const result = await client.get(`/jobs/${imported}/result`);
    assert.deepEqual([result.status, result.body.code], [410, "job_result_gone"]);

    for (const id of [undoPlan.id, plan]) {
      const { status, body } = await client.post(`/jobs/${id}/apply`, {}, wait);
      assert.deepEqual([status, body.code], [500, "result_damaged"]);
      assert.equal((await client.get(`/jobs/${id}`)).body.status, "FAILED");
    }
    assert.equal((await client.get(`/screener-participants?filter[screenerId][eq]=${screenerId}`)).body.total, 0);
    // The queue goes on, and one that is sent again is applied.
    const again = await importMany(client, screenerId);
    damage(fileOf(again));

    const { body: found } = await client.get("/participants?filter[externalUid][eq]=P-1");
    const erased = await client.call("DELETE", `/participants/${found.items[0].id}`, { headers: wait });
    assert.deepEqual([erased.status, erased.body.status], [200, "SUCCEEDED"], erased.text);
    const named = erased.body.warnings.map(({ code, message }: { code: string; message: string }) => {
      assert.equal(code, "result_damaged");
      return [...jobs, again].find((id) => message.includes(id));
    });
    // Those that have failed have no files any more.
    assert.deepEqual(named, [imported, undo.id, again]);
    for (const id of jobs) assert.ok(!readdirSync(results).some((name) => name.startsWith(id)), id);
    assert.deepEqual(findBytes(results, ["person1@example.org", "P-1 garbage"]), []);
    assert.equal((await client.get(`/jobs/${later}`)).body.status, "CANCELLED");
    assert.equal((await client.get(`/jobs/${again}/rows`)).status, 410);
    await importMany(client, screenerId, {}, MANY);
  });
}
