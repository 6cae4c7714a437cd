// A command that restores one workspace is killed at each of its steps: the workspace is as before or as restored, and nothing is left.

import assert from "node:assert/strict";
import { existsSync, globSync, mkdirSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { storePath } from "../../db/store.ts";
import { aloneWith } from "../../src/upkeep/restore-state.ts";
import { people } from "../support/client.ts";
import { assertCounts } from "../support/counts.ts";
import { newFolder } from "../support/folder.ts";
import { install, ServiceProcess } from "../support/process.ts";
import { until } from "../support/until.ts";

const installation = install();
let web = await installation.web();
const { workspace, client: first, screenerId } = await installation.screener(web);
let client = first;
const serve = async () => {
  web = await installation.web();
  client = workspace.client(web);
};
const wait = { Prefer: "wait=60" };
await client.import(screenerId, people(300), {}, wait);
const backups = newFolder();
const backup = await installation.cli("backup", backups);
assert.equal(backup.code, 0, backup.stderr);
await client.import(screenerId, people(50, 1000), {}, wait);

const count = async () => (await client.get("/participants?pagination[limit]=1")).body.total as number | undefined;
const left = (folder: string) => {
  const path = join(installation.dataDir, folder);
  return existsSync(path) ? readdirSync(path).filter((name) => folder !== "tmp" || name.startsWith("restore-")) : [];
};

/** Runs the command until so many statements have begun so; then it is killed. @returns whether it was */
async function isKilledAt(nth: number, sql: string, args: string[]): Promise<boolean> {
  const file = join(newFolder(), "kill");
  writeFileSync(file, `${nth} ${sql}`);
  const env = { DATA_DIR: installation.dataDir, REDIS_URL: "", KILL_FILE: file };
  const command = new ServiceProcess("src/cli.ts", { args, preload: ["test/support/kill-at.ts"], env });
  return (await command.ended).signal === "SIGKILL";
}

test("as a new workspace: until the end there is none, and the next run removes what was left", async () => {
  const args = ["restore", backups, "--workspace", workspace.id];
  const known = installation.control<string>("SELECT uid FROM workspace");
  for (const sql of ["UPDATE store SET log_uid", "DELETE FROM notice", "INSERT INTO workspace ", "COMMIT"]) {
    // The last commit is that of the control store: the store has its place already.
    assert.ok(await isKilledAt(sql === "COMMIT" ? 5 : 1, sql, args), sql);
    assert.deepEqual(installation.control("SELECT uid FROM workspace"), known, sql);
  }
  const { code, stdout, stderr } = await installation.cli(...args, "--json");
  assert.equal(code, 0, stderr);
  const { id } = JSON.parse(stdout).workspace;
  const stores = globSync("workspaces/*/*.sqlite", { cwd: installation.dataDir }).length;
  assert.deepEqual([installation.control("SELECT uid FROM workspace"), stores], [[...known, id], known.length + 1]);
  assert.deepEqual(left("tmp"), []);
});

/** The steps, and how often the statement has run before. From the state on, the files change places. */
const STEPS = [
  [1, "UPDATE store SET log_uid"],
  [1, "UPDATE workspace SET suspended_at"],
  [1, "VACUUM INTO"],
  [2, "VACUUM INTO"],
  [2, "UPDATE store SET log_uid"],
  [1, "INSERT INTO pending_event"],
  [2, "UPDATE workspace SET suspended_at"],
] as const;

const args = ["restore", backups, "--workspace", workspace.id, "--in-place"];
const run = async (...more: string[]) => {
  const { code, stdout, stderr } = await installation.cli(...more, "--json");
  assert.equal(code, 0, stderr);
  return JSON.parse(stdout);
};

/** Asks a process that has just started. */
const details = async () => {
  const { details } = (await (await fetch(`${web.url}/readyz`)).json()) as { details: Record<string, unknown>[] };
  return details;
};

const finding = (code: string) => until(async () => (await details()).find((one) => one.code === code), code);

for (const [index, [nth, sql]] of STEPS.entries())
  test(`in place, killed at “${sql}” (${nth}): it is taken back, or goes on`, async () => {
    const { plan } = await run(...args);
    // It would take back what the command has left.
    await web.kill();
    assert.ok(await isKilledAt(nth, sql, [...args, "--apply", plan]), "it was killed");
    const isSwitching = index >= 4;
    const { stdout: said } = await installation.cli("doctor");
    assert.match(said, isSwitching ? RegExp(`stays suspended.*--apply ${plan}`, "s") : /interrupted before anything/);
    {
      // While a command has the lock, nothing was interrupted.
      using _running = aloneWith(installation.dataDir, workspace.id);
      const { stdout } = await installation.cli("doctor");
      assert.match(stdout, /a restore of the workspace \S+ is running/);
      assert.doesNotMatch(stdout, /interrupted/);
      await serve();
      assert.equal((await details()).length, 0);
      // Whatever is served is all of before, or all of the backup.
      assert.ok([350, undefined].includes(await count()));
    }
    if (!isSwitching) {
      if (index % 2) assert.equal((await run(...args)).plan, plan);
      else {
        // The service does so by itself: at its start, and every half minute.
        await web.kill();
        await serve();
        await web.says(/"a restore that was interrupted is taken back"/);
      }
      assert.equal(await count(), 350);
      assert.deepEqual(left("restoring"), []);
      assert.deepEqual(await details(), []);
      return;
    }
    const found = await finding("restore_interrupted");
    assert.deepEqual([found.workspace, found.blocking], [workspace.id, false]);
    assert.match(String(found.message), RegExp(`--apply ${plan}`));
    for (const refused of [args, ["workspace", "resume", "--workspace", workspace.id]])
      assert.match((await installation.cli(...refused)).stderr, /Go on with it: --apply/);
    const { kept } = await run(...args, "--apply", plan);
    assert.equal(await count(), 300);
    assert.deepEqual(left("restoring"), []);
    assert.deepEqual(await until(async () => (await details()).length === 0, "it is over"), true);
    installation.read(workspace, (db) => assertCounts(db));
    // And back, for the next step.
    const again = ["restore", kept, "--workspace", workspace.id, "--in-place"];
    await run(...again, "--apply", (await run(...again)).plan);
    assert.equal(await count(), 350);
  });

for (const [nth, sql] of [STEPS[2], STEPS[5]])
  test(`who suspends the workspace after the kill (at “${sql}”) finds it suspended afterwards, too`, async () => {
    const { plan } = await run(...args);
    await web.kill();
    assert.ok(await isKilledAt(nth, sql, [...args, "--apply", plan]), "it was killed");
    const suspend = ["workspace", "suspend", "--workspace", workspace.id];
    const { suspendedAt } = await run(...suspend);
    assert.equal((await run(...suspend)).suspendedAt, suspendedAt);
    await serve();
    const isSwitching = sql === STEPS[5][1];
    if (isSwitching) await run(...args, "--apply", plan);
    await until(() => left("restoring").length === 0, "it is over", 60_000);
    assert.equal((await client.get("/participants")).body.code, "workspace_suspended");
    await run("workspace", "resume", "--workspace", workspace.id);
    assert.equal(await count(), isSwitching ? 300 : 350);
    if (isSwitching) await client.import(screenerId, people(50, 1000), {}, wait);
  });

test("accept-store, killed: the workspace stays suspended, which is said; once more, and it is served, unless somebody has suspended it", async () => {
  const accept = ["workspace", "accept-store", "--workspace", workspace.id];
  for (const isSuspended of [false, true]) {
    assert.ok(await isKilledAt(2, "UPDATE workspace SET suspended_at", accept), "it was killed");
    assert.equal((await client.get("/participants")).body.code, "workspace_suspended");
    assert.equal((await finding("accept_interrupted")).workspace, workspace.id);
    assert.match(
      (await installation.cli("doctor")).stdout,
      /accept-store of the workspace \S+ was interrupted.*once more/,
    );
    if (isSuspended) await run("workspace", "suspend", "--workspace", workspace.id);
    await run(...accept);
    if (isSuspended) {
      assert.equal((await client.get("/participants")).body.code, "workspace_suspended");
      await run("workspace", "resume", "--workspace", workspace.id);
    }
    assert.equal(await count(), 350);
    assert.deepEqual(await until(async () => (await details()).length === 0, "it is over"), true);
    assert.doesNotMatch((await installation.cli("doctor")).stdout, /interrupted/);
  }
});

test("in place, killed after it has suspended the workspace, and again while it copies: it is served when that is taken back", async () => {
  const { plan } = await run(...args);
  for (const sql of ["VACUUM INTO", "UPDATE store SET log_uid"])
    assert.ok(await isKilledAt(1, sql, [...args, "--apply", plan]), sql);
  await run(...args);
  assert.equal(await count(), 350);
});

test("in place of a store that can't be read, killed: it can be taken back, and its files are kept", async () => {
  writeFileSync(storePath(installation.dataDir, workspace.id), "no store");
  const { plan, counts } = await run(...args);
  assert.equal(counts, null);
  assert.ok(await isKilledAt(2, "VACUUM INTO", [...args, "--apply", plan]), "it was killed");
  assert.equal((await run(...args)).plan, plan);
  const before = left("replaced");
  const { kept } = await run(...args, "--apply", plan);
  assert.match(kept, /-damaged$/);
  assert.deepEqual(
    readdirSync(kept),
    readdirSync(kept).filter((name) => name.startsWith(workspace.id)),
  );
  assert.equal(left("replaced").length, before.length + 1);
  assert.deepEqual(
    left("replaced").filter((name) => name.endsWith(".partial")),
    [],
  );
  assert.equal(await count(), 300);
});

test("in place of a store that is missing, nothing is kept", async () => {
  rmSync(storePath(installation.dataDir, workspace.id));
  const before = left("replaced");
  const { kept } = await run(...args, "--apply", (await run(...args)).plan);
  assert.equal(kept, null);
  assert.deepEqual(left("replaced"), before);
  assert.equal(await count(), 300);
});

test("a state that can't be read is named, and the service goes on", async () => {
  const installation = install();
  const { workspace } = await installation.screener(await installation.web());
  await installation.stop();
  const folder = join(installation.dataDir, "restoring", workspace.id);
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, "state.json"), "{");
  const web = await installation.web();
  const [line] = await web.says(/.*"a restore that was interrupted could not be taken back".*/, 20_000);
  assert.ok(line.includes(`${join(folder, "state.json")} can't be read`), line);
  const { status } = await fetch(`${web.url}/readyz`);
  assert.equal(status, 200);
});
