// What is wrong with the options and arguments of a command is said at once.

import assert from "node:assert/strict";
import { test } from "node:test";
import { ServiceProcess } from "./support/process.ts";

/** What a command says before its usage, and how it ends. */
async function refused(...args: string[]) {
  const cli = new ServiceProcess("src/cli.ts", { args, env: { DATA_DIR: "/nowhere" } });
  const { code } = await cli.ended;
  return [code, ...cli.stderr.split("\n\n")[0]!.split("\n")];
}

test("wrong values, missing options and missing arguments are said together, and nothing is done", async () => {
  const named = ["--name", "", "--email", "ada"];
  assert.deepEqual(await refused("--note", "x".repeat(501), "user", "create", ...named), [
    2,
    "error: option '--note <text>' argument '".concat(
      "x".repeat(501),
      "' is invalid. It must have at most 500 characters.",
    ),
    "error: option '--name <name>' argument '' is invalid. It must not be empty.",
    "error: option '--email <email>' argument 'ada' is invalid. It is not an email address.",
    "error: required option '--workspace <id>' not specified",
    "error: required option '--role <role>' not specified",
  ]);
  assert.deepEqual(await refused("participant", "remove"), [
    2,
    "error: required option '--workspace <id>' not specified",
    "error: required option '--screener <id>' not specified",
    "error: missing required argument 'file'",
  ]);
  assert.deepEqual(await refused("workspace", "create"), [2, "error: missing required argument 'name'"]);
  assert.deepEqual(await refused("completion", "fish"), [
    2,
    "error: command-argument value 'fish' is invalid for argument 'shell'. Allowed choices are bash, zsh.",
  ]);
});

test("all unknown options are said together, with the near ones, and with all else that is wrong", async () => {
  const unknown = ["--frob", "1", "--nmae", "Ada", "--operator=yes"];
  assert.deepEqual(await refused("user", "create", ...unknown, "--role", "boss", "--email"), [
    2,
    "error: option '--role <role>' argument 'boss' is invalid. It must be one of viewer, researcher, admin.",
    "error: option '--email <email>' argument missing",
    "error: unknown option '--frob'",
    "error: unknown option '--nmae'; did you mean --name?",
    "error: unknown option '--operator=yes'; did you mean --operator?",
    "error: required option '--workspace <id>' not specified",
    "error: required option '--name <name>' not specified",
  ]);
  assert.deepEqual(await refused("workspace", "create", "", "two", "--sandbx", "--nte", "why"), [
    2,
    "error: command-argument value '' is invalid for argument 'name'. It must not be empty.",
    "error: unknown option '--sandbx'; did you mean --sandbox?",
    "error: unknown option '--nte'; did you mean --note?",
    "error: too many arguments: two",
  ]);
  // What follows an unknown option may be its value, and what follows `--` is no option.
  assert.deepEqual(await refused("completion", "--shell", "bash"), [2, "error: unknown option '--shell'"]);
  assert.deepEqual(await refused("completion", "--shell", "--", "--bash"), [2, "error: unknown option '--shell'"]);
  assert.deepEqual(await refused("completion", "--", "--bash"), [
    2,
    "error: command-argument value '--bash' is invalid for argument 'shell'. Allowed choices are bash, zsh.",
  ]);
});

test("a word that is no command is said alone: what the options are, only a command knows", async () => {
  assert.deepEqual(await refused("user", "crate", "--sandbx"), [
    2,
    "error: unknown command 'crate'",
    "(Did you mean create?)",
  ]);
});
