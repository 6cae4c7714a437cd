// Programs that the tests need and the project does not bring: found on the machine, or installed where that may be done.

import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { delimiter, join } from "node:path";

/** The first of `names` that is on this machine; else Debian's `package`, installed when that may be done. */
export function findOrInstall(names: readonly string[], debianPackage: string): string | undefined {
  const found = firstOnPath(names);
  if (found || process.getuid?.() !== 0 || !firstOnPath(["apt-get"])) return found;
  process.stderr.write(`No ${names[0]} on this machine; installing Debian's.\n`);
  const install = ["install", "-y", "-qq", "--no-install-recommends", debianPackage];
  // The package lists of a fresh machine may be missing or old.
  if (!aptGet(install) && aptGet(["update", "-qq"])) aptGet(install);
  return firstOnPath(names);
}

/** @returns whether it went well; it says itself why not */
function aptGet(args: string[]): boolean {
  const env = { ...process.env, DEBIAN_FRONTEND: "noninteractive" };
  return spawnSync("apt-get", args, { stdio: ["ignore", "ignore", "inherit"], env }).status === 0;
}

function firstOnPath(names: readonly string[]): string | undefined {
  const folders = [...(process.env.PATH ?? "").split(delimiter), "/usr/bin", "/usr/sbin"];
  return names.flatMap((name) => folders.map((folder) => join(folder, name))).find((path) => existsSync(path));
}
