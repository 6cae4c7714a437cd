// A process is alive while it holds its lock, which the system releases at once when it dies, however it dies.

import assert from "node:assert/strict";
import { existsSync, mkdtempSync, readdirSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { isProcessAlive, Presence } from "../../db/sqlite/lock.ts";
import { ServiceProcess } from "../support/process.ts";

const folder = mkdtempSync(join(tmpdir(), "screening-locks-"));
let mine: Presence;
before(() => {
  mine = new Presence(folder, "mine");
});
after(() => {
  mine.close();
  rmSync(folder, { recursive: true, force: true });
});

/** A process that is there, by a name. */
async function other(name: string): Promise<ServiceProcess> {
  const process = new ServiceProcess("test/db/child.ts", { args: ["presence", folder, name] });
  await process.says(/is here/);
  return process;
}

test("a process that is killed is dead at once, and its lock is cleared away", async () => {
  const process = await other("killed");
  assert.equal(mine.isAlive("killed"), true);
  await process.kill("SIGKILL");
  assert.equal(mine.isAlive("killed"), false);
  assert.equal(existsSync(join(folder, "locks", "killed")), false);
  assert.equal(mine.isAlive("killed"), false);
});

test("a stopped process is alive, however long it is stopped", async () => {
  const process = await other("stopped");
  process.signal("SIGSTOP");
  const path = join(folder, "locks", "stopped");
  utimesSync(path, 0, 0);
  assert.equal(mine.isAlive("stopped"), true);
  mine.sweep();
  assert.equal(mine.isAlive("stopped"), true);
  assert.ok(existsSync(path));
  await process.kill("SIGKILL");
  assert.equal(mine.isAlive("stopped"), false);
});

test("a process that has closed is not alive, and neither is an unknown name", () => {
  const short = new Presence(folder, "short");
  assert.equal(mine.isAlive("short"), true);
  short.close();
  assert.equal(mine.isAlive("short"), false);
  assert.equal(mine.isAlive("mine"), true);
  const store = join(folder, "control.sqlite");
  writeFileSync(store, "");
  for (const name of ["nobody", "", "../control.sqlite", "a/b", "a\0b"])
    for (const isAlive of [mine.isAlive(name), isProcessAlive(folder, name)]) assert.equal(isAlive, false, name);
  assert.ok(existsSync(store), "a name that leads elsewhere removes nothing");
  assert.deepEqual(readdirSync(join(folder, "locks")), ["mine"]);
});

test("the locks of dead processes are removed, but not those of processes that are just starting", async () => {
  for (const name of ["old", "young"]) await (await other(name)).kill("SIGKILL");
  utimesSync(join(folder, "locks", "old"), 0, 0);
  mine.sweep();
  assert.deepEqual(readdirSync(join(folder, "locks")).sort(), ["mine", "young"]);
});
