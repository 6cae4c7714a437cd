// Completion of the command line, as bash does it with the script that the command line prints.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import type { Command } from "commander";
import { makeProgram } from "../src/cli/program.ts";
import { newFolder } from "./support/folder.ts";
import { ServiceProcess } from "./support/process.ts";

const file = join(newFolder(), "completion.bash");

/** The completions of each of these lines, whose last word is being typed. */
function completed(lines: string[][]): string[][] {
  const calls = lines.map((words) => `try screening ${words.map((word) => `'${word}'`).join(" ")}`);
  const script = `
source ${file}
compopt() { :; }
try() { COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); COMPREPLY=(); _screening; echo "\${COMPREPLY[*]}"; }
${calls.join("\n")}`;
  const text = execFileSync("bash", ["--norc", "-c", script], { encoding: "utf8" });
  return text
    .split("\n")
    .slice(0, -1)
    .map((line) => line.split(" ").filter(Boolean));
}

const print = async (...args: string[]) => {
  const cli = new ServiceProcess("src/cli.ts", { args, env: { DATA_DIR: "/nowhere" } });
  const { code } = await cli.ended;
  return { code, out: cli.stdout, err: cli.stderr };
};

test("every command and option is completed, also behind options, and nothing else is", async () => {
  const { code, out } = await print("completion", "bash");
  assert.equal(code, 0);
  writeFileSync(file, out);
  const all: [string[], Command][] = [];
  const walk = (command: Command, words: string[]) => {
    all.push([words, command]);
    for (const inner of command.commands) walk(inner, [...words, inner.name()]);
  };
  walk(makeProgram(), []);
  assert.ok(all.length > 50);
  const found = completed(all.map(([words]) => [...words, ""]));
  for (const [index, [words, { commands, options }]] of all.entries()) {
    const wanted = [...commands.map((one) => one.name()), ...options.map(({ long }) => long!), "--help"];
    assert.deepEqual(found[index], wanted, words.join(" "));
  }
  assert.deepEqual(
    completed([["wor"], ["--note", "why", "key", "cr"], ["key", "create", "--workspace", "x", "--sc"], ["nothing"]]),
    [["workspace"], ["create"], ["--scopes"], []],
  );
});

test("zsh reads the same script, and another shell is refused", async () => {
  const { out } = await print("completion", "zsh");
  assert.match(
    out,
    /^# Completes `screening` in zsh\..*\nautoload -U \+X bashcompinit && bashcompinit\n_screening\(\) \{/,
  );
  const other = await print("completion", "fish");
  assert.deepEqual([other.code, /Allowed choices are bash, zsh/.test(other.err)], [2, true]);
});
