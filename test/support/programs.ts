// Programs that the tests need and the project does not bring: found on the machine, or installed where that is
// allowed.

import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { delimiter, join } from "node:path";

/** What a machine has, and what may be done to it. */
export interface Machine {
  /** Where a program is; undefined when it is not there. */
  find(name: string): string | undefined;
  isRoot: boolean;
  /** Runs a command. @returns whether it went well; it says itself why not */
  run(command: string, args: readonly string[]): boolean;
  /** Writes a line for the person who has started the tests. */
  say(line: string): void;
}

const thisMachine: Machine = {
  find: (name) => {
    const folders = [...(process.env.PATH ?? "").split(delimiter), "/usr/bin", "/usr/sbin"];
    return folders.map((folder) => join(folder, name)).find((path) => existsSync(path));
  },
  isRoot: process.getuid?.() === 0,
  run: (command, args) => {
    const env = { ...process.env, DEBIAN_FRONTEND: "noninteractive" };
    return spawnSync(command, args, { stdio: ["ignore", "ignore", "inherit"], env }).status === 0;
  },
  say: (line) => process.stderr.write(`${line}\n`),
};

/** Where a program is on this machine, for a test that can do without. */
export const findProgram = thisMachine.find;

/**
 * Where the first of `names` is. When none is on the machine, Debian's `debianPackage` is installed, if that may be done:
 * a line says so before. @throws Error that says what to install
 */
export function findOrInstall(names: readonly string[], debianPackage: string, machine = thisMachine): string {
  const find = () => names.map(machine.find).find((path) => path !== undefined);
  const found = find();
  if (found) return found;
  const missing = `The tests need ${names.join(" or ")}, which is not on this machine`;
  if (machine.isRoot && machine.find("apt-get")) {
    const aptGet = (...args: string[]) => {
      machine.say(`${missing}. Running: apt-get ${args.join(" ")}`);
      return machine.run("apt-get", args);
    };
    const install = ["install", "-y", "-qq", "--no-install-recommends", debianPackage];
    // The package lists of a fresh machine may be missing or old.
    if (!aptGet(...install) && aptGet("update", "-qq")) aptGet(...install);
  }
  const installed = find();
  if (installed) return installed;
  throw new Error(`${missing}: install it (on Debian: apt-get install ${debianPackage}), and run them again.`);
}
