// Completion of the command line, as bash does it with the script that the command line prints, and zsh in a terminal.

import assert from "node:assert/strict";
import { execFileSync, spawn, spawnSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import type { Command } from "commander";
import { makeProgram } from "../src/cli/program.ts";
import { newFolder } from "./support/folder.ts";
import { ServiceProcess } from "./support/process.ts";
import { until } from "./support/until.ts";

const file = join(newFolder(), "completion.bash");

/** The completions of each of these lines, whose last word is being typed. */
function completed(lines: string[][]): string[][] {
  const calls = lines.map((words) => `try screening ${words.map((word) => `'${word}'`).join(" ")}`);
  const script = `
source ${file}
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
  for (const [index, [words, { commands, options, registeredArguments }]] of all.entries()) {
    const wanted = [
      ...commands.map((one) => one.name()),
      ...registeredArguments.flatMap(({ argChoices }) => argChoices ?? []),
      ...options.map(({ long }) => long!),
      // All commands take it.
      ...(words.length ? ["--note"] : []),
      "--help",
    ];
    assert.deepEqual(found[index], wanted, words.join(" "));
  }
  assert.deepEqual(
    completed([
      ["wor"],
      ["--note", "why", "key", "cr"],
      ["key", "create", "--workspace", "x", "--sc"],
      ["completion", "z"],
      ["nothing"],
    ]),
    [["workspace"], ["create"], ["--scopes"], ["zsh"], []],
  );
});

test("zsh gets the same script, and another shell is refused", async () => {
  const { out } = await print("completion", "zsh");
  assert.match(out, /^# Completes `screening` in zsh\..*\n(?:.*\n)*_screening\(\) \{/);
  const other = await print("completion", "fish");
  assert.deepEqual([other.code, /Allowed choices are bash, zsh/.test(other.err)], [2, true]);
});

test("in a terminal of zsh, the tabulator completes commands, options and files", async (t) => {
  if (spawnSync("zsh", ["--version"]).status !== 0) return t.diagnostic("zsh is not here (Debian: zsh)");
  const home = newFolder();
  mkdirSync(join(home, "rosters"));
  writeFileSync(join(home, "completion.zsh"), (await print("completion", "zsh")).out);
  // `script` gives it a terminal. Without a .zshrc nothing has prepared completion.
  const env = { ...process.env, HOME: home, ZDOTDIR: home, TERM: "dumb" };
  const terminal = spawn("script", ["-qfec", "zsh -f -i", "/dev/null"], { cwd: home, env });
  t.after(() => terminal.kill());
  let shown = "";
  terminal.stdout.setEncoding("utf8").on("data", (text: string) => {
    shown += text;
  });
  /** What the line has become. */
  const type = async (keys: string, wanted: RegExp) => {
    shown = "";
    terminal.stdin.write(keys);
    await until(() => wanted.test(shown), keys).catch(() => assert.match(shown, wanted));
  };
  await type("source completion.zsh && echo rea''dy\n", /ready/);
  assert.doesNotMatch(shown, /not found/);
  await type("screening wor\t", /workspace /);
  await type("cre\t", /create /);
  await type("--sand\t", /--sandbox /);
  await type("\u0015screening key \t\t", /--help +--note +create +list +revoke +rotate/);
  await type("\u0015screening import ro\t", /rosters\//);
});
