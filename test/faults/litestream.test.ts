// Litestream replicates the stores while imports run; after a kill, what it has restored is sound and has the imports.

import assert from "node:assert/strict";
import { readdirSync } from "node:fs";
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

test("one command restores an earlier moment, with every store as it was then", async () => {
  const source = install();
  const web = await source.web();
  const replica = `file://${newFolder()}`;
  const replicating = litestream("replicate", source.dataDir, replica);
  const [busy, idle] = [await source.screener(web), await source.screener(web)];
  const assignments = "SELECT count(*) FROM screener_participant";
  const isReplicated = ({ workspace }: typeof busy, count: number) =>
    until(
      async () => (await replicated(replica, workspace, assignments))[0] === count,
      `${count} are replicated`,
      120_000,
    );
  for (const { client, screenerId } of [busy, idle]) await client.import(screenerId, people(10));
  await isReplicated(busy, 10);
  await isReplicated(idle, 10);
  // Times of Litestream are whole seconds: what comes later is another one, also of the ledger.
  const clockGoesOn = () => {
    const later = Date.now() + 2000;
    return until(() => Date.now() > later, "the clock has gone on");
  };
  await clockGoesOn();
  const moment = new Date().toISOString();
  await clockGoesOn();
  await busy.client.import(busy.screenerId, people(30));
  await isReplicated(busy, 30);
  kill(replicating.child);
  await web.kill("SIGKILL");

  const tooEarly = litestream("restore-to", newFolder(), replica, "2020-01-01T00:00:00Z", "--without-erased");
  assert.equal(await new Promise((resolve) => tooEarly.child.once("exit", resolve)), 1);
  assert.match(tooEarly.output(), /does not go back to 2020-01-01T00:00:00Z/);
  // Wrong options are said before anything is restored, and what is left to do when it can't go on.
  const untouched = newFolder();
  const nowhere = litestream(
    "restore-to",
    untouched,
    replica,
    moment,
    "--note",
    "why",
    "--erased",
    "/nowhere",
    "/none",
  );
  assert.equal(await new Promise((resolve) => nowhere.child.once("exit", resolve)), 1);
  assert.equal(nowhere.output(), "/nowhere is not there.\n/none is not there.\n");
  assert.deepEqual(readdirSync(untouched), []);
  const listless = litestream("restore-to", untouched, replica, moment);
  assert.equal(await new Promise((resolve) => listless.child.once("exit", resolve)), 1);
  assert.match(listless.output(), /--without-erased[\s\S]*go on there: npm run -s cli -- restore --in-place/);
  const restored = install({}, newFolder());
  const restoring = litestream("restore-to", restored.dataDir, replica, moment, "--without-erased");
  assert.equal(await new Promise((resolve) => restoring.child.once("exit", resolve)), 0, restoring.output());
  assert.match(restoring.output(), /is a new installation[\s\S]*is sound/);
  const again = await restored.web();
  for (const { workspace } of [busy, idle])
    assert.equal((await workspace.client(again).get("/screener-participants?pagination[limit]=1")).body.total, 10);
});
