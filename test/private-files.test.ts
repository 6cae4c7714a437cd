// The data directory is its owner's alone, whatever the umask of the process that made it.

import assert from "node:assert/strict";
import { chmodSync, existsSync, lstatSync, readdirSync, readFileSync } from "node:fs";
import { join, relative } from "node:path";
import { test } from "node:test";
import { ASYNC, Client, people } from "./support/client.ts";
import { hold } from "./support/hold.ts";
import { install } from "./support/process.ts";
import { until } from "./support/until.ts";

/** Everything below a folder, and the folder, with its mode. */
function modes(folder: string, root = folder): [path: string, mode: string][] {
  const stat = lstatSync(folder, { throwIfNoEntry: false });
  if (!stat) return [];
  const own: [string, string] = [relative(root, folder), (stat.mode & 0o777).toString(8)];
  return stat.isDirectory() ? [own, ...readdirSync(folder).flatMap((name) => modes(join(folder, name), root))] : [own];
}

/** What others could read or open. */
const open = (folder: string) =>
  modes(folder).filter(([path, mode]) => mode !== (lstatSync(join(folder, path)).isDirectory() ? "700" : "600"));

/** Sets what processes inherit, which any operator may have set. */
function withUmask<T>(mask: number, start: () => T): T {
  const before = process.umask(mask);
  try {
    return start();
  } finally {
    process.umask(before);
  }
}

for (const mask of [0, 0o002, 0o022]) {
  test(`whatever processes make is 0600 or 0700 under a umask of 0${mask.toString(8)}`, async () => {
    const installation = install({ REDIS_URL: process.env.TEST_REDIS_URL ?? "" });
    const folder = join(installation.dataDir, "data");
    const env = { DATA_DIR: folder };
    const created = await withUmask(mask, () => installation.web({ env }));
    const worker = await withUmask(mask, () => installation.worker({ env }));
    await until(() => existsSync(join(folder, "first-credentials")), "there is a first workspace");
    const first = readFileSync(join(folder, "first-credentials"), "utf8");
    const [, id = "", apiKey = "", apiSecret = ""] = /workspace +(\S+).*?key +(\S+).*?secret +(\S+)/s.exec(first)!;
    const client = new Client(created.url, id, { apiKey, apiSecret });
    const screenerId = await client.screener();
    assert.equal((await client.import(screenerId, people(5000))).status, 200);
    const release = hold(folder, id);
    await client.import(screenerId, people(5000, 5000), {}, ASYNC);
    const folders = ["workspaces", "spool", "results", "locks"];
    const seen = await until(() => {
      const paths = modes(folder).map(([path]) => path);
      return folders.every((name) => paths.some((path) => path.startsWith(`${name}/`))) ? paths : undefined;
    }, "there is one of everything");
    for (const name of ["control.sqlite-wal", "control.sqlite-shm"]) assert.ok(seen.includes(name));
    assert.ok(seen.some((path) => /^workspaces.*-wal$/.test(path)));
    assert.deepEqual(open(folder), []);
    release();
    await Promise.all([created.kill("SIGTERM"), worker.kill("SIGTERM")]);
    assert.deepEqual(open(folder), []);
  });
}

test("a data directory that others can read is closed to them at the start", async () => {
  const installation = install();
  const web = await installation.web();
  await installation.screener(web);
  await web.kill();
  for (const [path] of modes(installation.dataDir)) {
    const full = join(installation.dataDir, path);
    chmodSync(full, lstatSync(full).isDirectory() ? 0o755 : 0o644);
  }
  assert.ok(open(installation.dataDir).length > 5);
  const again = await installation.web();
  assert.deepEqual(open(installation.dataDir), []);
  await again.kill("SIGTERM");
  assert.ok(!again.log.some(({ msg }) => msg === "others may read this"));
});
