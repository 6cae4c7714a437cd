// No process runs code that lies in the shared temporary folder, where others may write; and none needs that folder.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { cpSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { people } from "./support/client.ts";
import { newFolder } from "./support/folder.ts";
import { install, ServiceProcess } from "./support/process.ts";
import { copyOfCode } from "./support/releases/code.ts";

const folder = newFolder();

test("code that somebody has planted in the temporary folder is not run", async () => {
  const shared = mkdtempSync(join(folder, "shared-"));
  const mark = join(folder, "mark");
  plant(shared, `process.getBuiltinModule("node:fs").appendFileSync(${JSON.stringify(mark)}, "planted\\n");`);
  loadWithTsx(shared, "./src/base/config.ts");
  assert.ok(existsSync(mark), "tsx runs what is planted: the test plants it well");
  rmSync(mark);
  const before = readdirSync(shared, { recursive: true });

  const installation = install();
  const env = { TMPDIR: shared };
  const web = await installation.web({ env });
  const { client, screenerId } = await installation.screener(web);
  assert.equal((await client.import(screenerId, people(2000))).status, 200, "a thread runs a job");
  assert.equal((await client.get("/participants")).body.total, 2000);
  const migrated = await new ServiceProcess("src/cli.ts", {
    env: { ...env, DATA_DIR: installation.dataDir },
    args: ["migrate"],
  }).ended;
  assert.equal(migrated.code, 0);
  assert.equal((await web.kill("SIGTERM")).code, 0);
  assert.ok(!existsSync(mark), "it was run");
  assert.deepEqual(readdirSync(shared, { recursive: true }), before, "and nothing was added for others to run");
});

test("commands that read TypeScript run no code that is planted there, either, and leave none", async () => {
  const shared = mkdtempSync(join(folder, "shared-"));
  const mark = join(folder, "mark-of-a-command");
  plant(shared, `process.getBuiltinModule("node:fs").appendFileSync(${JSON.stringify(mark)}, "planted\\n");`);
  const before = readdirSync(shared, { recursive: true });
  const project = copyOfCode();
  const env = { ...process.env, TMPDIR: shared, TSX_DISABLE_CACHE: "" };
  const npm = (...args: string[]) => execFileSync("npm", ["run", "-s", ...args], { cwd: project, env });
  // Nothing is compiled there.
  assert.match(String(npm("cli", "--", "--help")), /^Usage: cli/);
  // All scripts that have tsx are called in the same way: see below.
  npm("schema");
  assert.ok(!existsSync(mark), "it was run");
  assert.deepEqual(readdirSync(shared, { recursive: true }), before);
});

test("every script that has tsx read TypeScript has it keep nothing", () => {
  const { scripts } = JSON.parse(readFileSync("package.json", "utf8")) as { scripts: Record<string, string> };
  const commands = [...Object.values(scripts), ...readFileSync("Procfile", "utf8").split("\n")];
  assert.ok(commands.filter((command) => /\bnode /.test(command)).length > 8);
  for (const command of commands)
    if (/\btsx\b/.test(command)) assert.match(command, /^TSX_DISABLE_CACHE=1 node .*--import tsx /);
});

test("a temporary folder that is not there does not matter", async () => {
  const installation = install({ TMPDIR: join(folder, "not-there") });
  const web = await installation.web();
  const { client, screenerId } = await installation.screener(web);
  assert.equal((await client.import(screenerId, people(20_000))).status, 200);
  assert.equal((await installation.cli("workspace", "list", "--json")).code, 0);
  assert.equal((await web.kill("SIGTERM")).code, 0);
});

let filled: string | undefined;

/** A temporary folder that tsx has filled. */
function filledFolder(): string {
  if (filled === undefined) {
    filled = mkdtempSync(join(folder, "filled-"));
    // Every process, and every thread, loads it.
    loadWithTsx(filled, "./src/main/app.ts", "./src/main/registry.ts");
  }
  return filled;
}

/** Fills a folder as tsx does, and puts `code` before all that is there. */
function plant(shared: string, code: string): void {
  cpSync(filledFolder(), shared, { recursive: true, preserveTimestamps: true });
  const entries = readdirSync(shared, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  assert.ok(entries.length > 100);
  for (const entry of entries) {
    const path = join(entry.parentPath, entry.name);
    const kept = JSON.parse(readFileSync(path, "utf8"));
    writeFileSync(path, JSON.stringify({ ...kept, code: code + kept.code }));
  }
}

function loadWithTsx(shared: string, ...modules: string[]): void {
  const code = modules.map((path) => `await import(${JSON.stringify(path)});`).join(" ");
  execFileSync(process.execPath, ["--import", "tsx", "--input-type=module", "-e", code], {
    env: { ...process.env, TMPDIR: shared, TSX_DISABLE_CACHE: "" },
    stdio: "inherit",
  });
}
