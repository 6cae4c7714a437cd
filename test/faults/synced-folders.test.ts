// A file that was synced is found after a power cut only if its folder was synced, too.

import assert from "node:assert/strict";
import { test } from "node:test";
import { BadDisk } from "../support/bad-disk.ts";
import { ASYNC, people } from "../support/client.ts";
import { install } from "../support/process.ts";

test("folders are synced when a file is made in them, before anything is acknowledged that needs it", async () => {
  const installation = install();
  const disk = new BadDisk(installation.dataDir);
  const positions = (path: string) => disk.syncs.flatMap((one, at) => (one.path === path ? [at] : []));
  const made = await installation.cliWith(disk.env, "workspace", "create", "Test", "--json");
  const workspace = installation.known(JSON.parse(made.stdout));
  const shelf = `workspaces/${workspace.id.slice(-2)}`;
  const store = `${shelf}/${workspace.id}.sqlite`;
  // The row of the workspace, which says that there is a store, is written after that.
  const [row] = positions("control.sqlite-wal").slice(-1);
  for (const folder of ["", "workspaces", shelf]) {
    const [first] = positions(folder);
    assert.ok(first !== undefined && first < row!, `${folder || "DATA_DIR"} is synced`);
  }

  const web = await installation.web({ env: disk.env });
  const client = workspace.client(web);
  const screenerId = await client.screener();
  const before = disk.syncs.length;
  const { body: job } = await client.import(screenerId, people(2000), {}, ASYNC);
  await installation.drain();
  const [file] = installation.control<string>("SELECT result_file FROM job WHERE uid = ?", job.id);
  assert.ok(file);
  const since = (path: string) => positions(path).filter((at) => at >= before);
  const [body] = since(`spool/${job.id}`);
  const [spool] = since("spool");
  const [accepted] = since("control.sqlite-wal");
  assert.ok(body! < spool! && spool! < accepted!, "the body and its folder, then the ledger");
  const folder = since("results").at(-1);
  const applied = since(`${store}-wal`).at(-1);
  assert.ok(folder !== undefined && folder < applied!, "the folder of results, then the workspace");
  const result = since(`results/${file}`).at(-1);
  assert.ok(result! < applied!, "the result, then the workspace");
});
