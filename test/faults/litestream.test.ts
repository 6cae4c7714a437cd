// Litestream replicates the stores while imports run; after a kill, what it has restored is sound and has the imports.

import assert from "node:assert/strict";
import { test } from "node:test";
import { people } from "../support/client.ts";
import { newFolder } from "../support/folder.ts";
import { kill, litestream, replicated } from "../support/litestream-script.ts";
import { install } from "../support/process.ts";
import { until } from "../support/until.ts";

test("stores that Litestream has replicated during imports are restored after a kill", async () => {
  const source = install();
  const web = await source.web();
  const replica = `file://${newFolder()}`;
  const replicating = litestream("replicate", source.dataDir, replica);
  // One workspace was there before, one comes later.
  const first = await source.screener(web);
  await until(() => /initialized db.*workspaces/.test(replicating.output()), "the first workspace is replicated");
  const second = await source.screener(web);
  const imports = [first, second].map(async ({ client, screenerId }) => {
    for (let n = 0; n < 5; n++) assert.equal((await client.import(screenerId, people(2000 + n * 500))).status, 200);
  });
  await Promise.all(imports);
  const assignments = "SELECT count(*) FROM screener_participant";
  for (const { workspace } of [first, second])
    await until(async () => (await replicated(replica, workspace, assignments))[0] === 4000, "all is replicated");
  kill(replicating.child);
  await web.kill("SIGKILL");

  const restored = install({}, newFolder());
  const restoring = litestream("restore", restored.dataDir, replica);
  const code = await new Promise((resolve) => restoring.child.once("exit", resolve));
  assert.equal(code, 0, restoring.output());
  const { code: verified, stdout, stderr } = await restored.cli("verify");
  assert.equal(verified, 0, stdout + stderr);
  const again = await restored.web();
  await restored.drain();
  for (const { workspace } of [first, second]) {
    const { body } = await workspace.client(again).get("/screener-participants?pagination[limit]=1");
    assert.equal(body.total, 4000);
  }
});
