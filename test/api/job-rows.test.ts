// How one row of many is found among the rows of a job.

import assert from "node:assert/strict";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { openScratchReader } from "../../db/open.ts";
import { people } from "../support/client.ts";
import { startService } from "../support/service.ts";

const service = await startService();

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
