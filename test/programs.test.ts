// What the tests say when a program that they need is missing: before they install it, and where they may not.

import assert from "node:assert/strict";
import { test } from "node:test";
import { findOrInstall, type Machine } from "./support/programs.ts";

const NAMES = ["redis-server", "valkey-server"];
const MISSING = "The tests need redis-server or valkey-server, which is not on this machine";
const INSTALL = "apt-get install -y -qq --no-install-recommends redis-server";

/** A machine with some programs, and all that is said and run on it. `installs`: which attempts to install go well. */
function machine(programs: string[], { isRoot = true, installs = [true] } = {}): Machine & { log: string[] } {
  const log: string[] = [];
  let attempt = 0;
  return {
    log,
    isRoot,
    find: (name) => (programs.includes(name) ? `/usr/bin/${name}` : undefined),
    run: (command, args) => {
      log.push(`runs ${[command, ...args].join(" ")}`);
      if (args[0] !== "install") return true;
      const goesWell = installs[attempt++] ?? false;
      if (goesWell) programs.push(args.at(-1)!);
      return goesWell;
    },
    say: (line) => log.push(`says ${line}`),
  };
}

test("a program that is there is used, and nothing is installed", () => {
  const has = machine(["valkey-server", "apt-get"]);
  assert.equal(findOrInstall(NAMES, "redis-server", has), "/usr/bin/valkey-server");
  assert.deepEqual(has.log, []);
});

test("before a program is installed, a line says what is missing and which command installs it", () => {
  const lacks = machine(["apt-get"]);
  assert.equal(findOrInstall(NAMES, "redis-server", lacks), "/usr/bin/redis-server");
  assert.deepEqual(lacks.log, [`says ${MISSING}. Running: ${INSTALL}`, `runs ${INSTALL}`]);
});

test("where the package lists are old, they are brought up to date, which is said before as well", () => {
  const old = machine(["apt-get"], { installs: [false, true] });
  assert.equal(findOrInstall(NAMES, "redis-server", old), "/usr/bin/redis-server");
  const commands = [INSTALL, "apt-get update -qq", INSTALL];
  assert.deepEqual(
    old.log,
    commands.flatMap((command) => [`says ${MISSING}. Running: ${command}`, `runs ${command}`]),
  );
});

test("where nothing may be installed, one sentence says what is missing and how to get it", () => {
  const sentence = `${MISSING}: install it (on Debian: apt-get install redis-server), and run them again.`;
  for (const [what, one] of Object.entries({
    "no root": machine(["apt-get"], { isRoot: false }),
    "no apt-get": machine([]),
  })) {
    assert.throws(() => findOrInstall(NAMES, "redis-server", one), { message: sentence }, what);
    assert.deepEqual(one.log, [], what);
  }
  const broken = machine(["apt-get"], { installs: [] });
  assert.throws(() => findOrInstall(NAMES, "redis-server", broken), { message: sentence });
});
