// A restore in place of one workspace, and others who resume the workspace meanwhile, or after it was interrupted.

import assert from "node:assert/strict";
import { existsSync, mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { aloneWith, type State } from "../../src/upkeep/restore-state.ts";
import { people } from "../support/client.ts";
import { newFolder } from "../support/folder.ts";
import { install, ServiceProcess } from "../support/process.ts";
import { until } from "../support/until.ts";

const installation = install();
let web = await installation.web();
const { workspace, client: first, screenerId } = await installation.screener(web);
let client = first;
const wait = { Prefer: "wait=60" };
await client.import(screenerId, people(30), {}, wait);
const backups = newFolder();
assert.equal((await installation.cli("backup", backups)).code, 0);
await client.import(screenerId, people(5, 1000), {}, wait);

const cli = (...args: string[]) => installation.cli(...args);
const ofWorkspace = ["--workspace", workspace.id];
const resume = () => cli("workspace", "resume", ...ofWorkspace);
const folder = join(installation.dataDir, "restoring", workspace.id);
const isServed = async () => (await client.get("/participants?pagination[limit]=1")).status === 200;
const suspendedAt = () =>
  installation.control<number | null>(`SELECT suspended_at FROM workspace WHERE uid = '${workspace.id}'`)[0]!;

/** What a restore has written of itself when it was killed. */
function interruptedWith(state: State): void {
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, "state.json"), JSON.stringify(state));
}

const details = async () =>
  ((await (await fetch(`${web.url}/readyz`)).json()) as { details: { code: string }[] }).details;

async function serveAnew(): Promise<void> {
  await web.kill();
  web = await installation.web();
  client = workspace.client(web);
}

test("while a restore runs nobody is let in to the store that it replaces", async () => {
  assert.equal((await cli("workspace", "suspend", ...ofWorkspace)).code, 0);
  const at = suspendedAt();
  interruptedWith({ plan: "1", suspendedAt: at! });
  {
    using _running = aloneWith(installation.dataDir, workspace.id);
    const { code, stderr } = await resume();
    assert.equal(code, 1);
    assert.match(stderr, /is running: it lets the workspace in when it has ended/);
    assert.equal(suspendedAt(), at);
  }
});

test("after one that was interrupted while it prepared, a resume takes it back: the store takes writes again", async () => {
  await web.kill();
  const plan = await cli("restore", backups, ...ofWorkspace, "--in-place", "--json");
  const file = join(newFolder(), "kill");
  // The store has its fence.
  writeFileSync(file, "1 VACUUM INTO");
  const env = { DATA_DIR: installation.dataDir, REDIS_URL: "", KILL_FILE: file };
  const args = ["restore", backups, ...ofWorkspace, "--in-place", "--apply", JSON.parse(plan.stdout).plan];
  const killed = new ServiceProcess("src/cli.ts", { args, preload: ["test/support/kill-at.ts"], env });
  assert.equal((await killed.ended).signal, "SIGKILL");
  assert.ok(existsSync(folder));
  const { code, stderr } = await resume();
  assert.equal(code, 0, stderr);
  assert.equal(existsSync(folder), false);
  web = await installation.web();
  client = workspace.client(web);
  assert.ok(await isServed());
  assert.equal((await client.import(screenerId, people(1, 2000), {}, wait)).status, 200);
});

test("one that was killed at its very end is done: that is said, and its folder goes", async () => {
  interruptedWith({ plan: "1", suspendedAt: 5, switching: { kept: null, isListThere: true, erased: 0 } });
  const { stdout } = await cli("doctor");
  assert.match(stdout, /is done, and was interrupted before it had removed its folder: the workspace is served/);
  assert.doesNotMatch(stdout, /stays suspended/);
  assert.deepEqual(
    (await details()).filter(({ code }) => code === "restore_interrupted"),
    [],
  );
  await serveAnew();
  await until(async () => !existsSync(folder), "its folder goes");
  assert.ok(await isServed());
  // One that is not done is none of that.
  assert.equal((await cli("workspace", "suspend", ...ofWorkspace)).code, 0);
  interruptedWith({ plan: "1", suspendedAt: suspendedAt()!, switching: { kept: null, isListThere: true, erased: 0 } });
  assert.match((await cli("doctor")).stdout, /stays suspended/);
  assert.match((await resume()).stderr, /Go on with it: --apply 1/);
  interruptedWith({ plan: "1", suspendedAt: suspendedAt()! });
  assert.equal((await resume()).code, 0);
});

test("the state of one that was written in its first form is taken back, too", async () => {
  for (const wasSuspended of [false, true]) {
    assert.equal((await cli("workspace", "suspend", ...ofWorkspace)).code, 0);
    interruptedWith({ plan: "1", wasSuspended });
    await serveAnew();
    await web.says(/"a restore that was interrupted is taken back"/);
    assert.deepEqual(readdirSync(join(installation.dataDir, "restoring")), []);
    assert.equal(await isServed(), !wasSuspended);
    assert.equal((await resume()).code, 0);
  }
});
