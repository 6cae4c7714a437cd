// The commands in the documents work as they stand there: their options, variables, scripts and files exist.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { existsSync, globSync, readFileSync } from "node:fs";
import { test } from "node:test";
import type { Command } from "commander";
import { VARIABLES } from "../src/base/config.ts";
import { makeProgram } from "../src/cli/program.ts";
import { blocks, spans, textOf } from "./support/documents.ts";

/** Words of a line of a shell, without a comment behind it. */
function shellWords(line: string): string[] {
  const bare = line.replace(/(?:^|\s)#.*$/, "");
  return [...bare.matchAll(/(?:"[^"]*"|'[^']*'|[^\s"'])+/g)].map(([word]) => word.replace(/["']/g, ""));
}

test("each command that is named takes its arguments and options as they stand there", () => {
  const wrong: string[] = [];
  let count = 0;
  const lines = [...blocks.filter(({ kind }) => kind === "bash" || kind === "sh"), ...spans].flatMap(({ at, text }) =>
    text
      .replace(/\\\n/g, " ")
      .split("\n")
      .map((line) => ({ at, line })),
  );
  for (const { at, line } of lines) {
    const [, rest] = /\bcli(?: --)? ((?:[a-z].*|--\w.*))$/.exec(line.replace(/(?:\s|^)#.*/, "")) ?? [];
    if (!rest || !/npm run|run\.mjs/.test(line)) continue;
    count++;
    const args = shellWords(rest.split(/ (?:[|>]|2>|&&|<)/)[0]!.replace(/\)+"?$/, ""));
    const fault = faultOf(args);
    if (fault) wrong.push(`${at}: ${args.join(" ")}: ${fault}`);
  }
  assert.deepEqual(wrong, []);
  assert.ok(count > 70, String(count));
});

/** What the command line finds wrong with these arguments. Nothing is done. */
function faultOf(args: string[]): string {
  const program = makeProgram(() => {});
  const said: string[] = [];
  const quiet = (command: Command): void => {
    if (command.commands.length === 0) command.action(() => {});
    command.configureOutput({ writeErr: (text) => said.push(text), outputError: (text) => said.push(text) });
    for (const inner of command.commands) quiet(inner);
  };
  quiet(program);
  try {
    program.parse(args, { from: "user" });
    return "";
  } catch (error) {
    return `${said[0] ?? error}`.trim();
  }
}

const shellBlocks = blocks.filter(({ kind }) => kind === "bash" || kind === "sh");

test("the commands of shells are well written, and their variables, scripts and files exist", () => {
  const wrong: string[] = [];
  const scripts = Object.keys(JSON.parse(readFileSync("package.json", "utf8")).scripts);
  for (const { at, text } of shellBlocks)
    try {
      execFileSync("bash", ["-n"], { input: text, stdio: ["pipe", "ignore", "pipe"] });
    } catch (error) {
      wrong.push(`${at}: ${(error as { stderr: Buffer }).stderr}`);
    }
  let count = 0;
  for (const { at, text } of [...shellBlocks, ...spans]) {
    const set = [...text.matchAll(/(?:^|\s|-e )([A-Z][A-Z0-9_]{2,})=/g)].map(([, name]) => name!);
    for (const name of set) if (!isRead(name, at)) wrong.push(`${at}: nothing reads a variable ${name}`);
    const run = [...text.matchAll(/\bnpm (?:run )?(?:-s |--\S+ )*([a-z]+(?::[a-z]+)?)(?= |$)/gm)].map(
      ([, name]) => name!,
    );
    for (const name of run) if (![...scripts, ...OF_NPM].includes(name)) wrong.push(`${at}: no script ${name}`);
    const files = [...text.matchAll(/(?<![\w/.-])(?:deploy|src|test|workers|db)\/[\w./-]+\.\w+/g)].map(
      ([file]) => file,
    );
    for (const file of files) if (!existsSync(file) && file !== NEW_MIGRATION) wrong.push(`${at}: no file ${file}`);
    count += set.length + run.length + files.length;
  }
  assert.deepEqual(wrong, []);
  assert.ok(count > 300, String(count));
});

/** Programs beside the service, which read variables of their own. */
const programs = globSync([
  "deploy/**/*.{sh,mjs,ts}",
  "docs/examples/*",
  "test/**/*.ts",
  "package.json",
  "src/node-version.mjs",
])
  .filter((file) => !file.includes("documented"))
  .map((file) => readFileSync(file, "utf8"));

/** Whether the service reads a variable, or a program of the project, or a later command of the same page. */
function isRead(name: string, at: string): boolean {
  const named = new RegExp(`\\b${name}\\b`);
  const used = new RegExp(`\\$\\{?${name}\\b|env\\.${name}\\b`);
  return (
    VARIABLES.includes(name) || used.test(textOf.get(at.split(":")[0]!)!) || programs.some((text) => named.test(text))
  );
}

/** Of the walk that adds a field. */
const NEW_MIGRATION = "db/workspace/008-participant-notes.sql";

/** What npm does without a script. */
const OF_NPM = ["ci", "install", "exec", "version", "pack", "run"];
