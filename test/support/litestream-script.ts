// Runs deploy/litestream.sh, with the Litestream of the tests.

import { type ChildProcess, execFile, spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { after } from "node:test";
import { promisify } from "node:util";
import { newFolder } from "./folder.ts";
import { readStore } from "./process.ts";

const BINARY = new URL("../../node_modules/@flydotio/litestream-linux-x64/litestream", import.meta.url).pathname;
const SCRIPT = new URL("../../deploy/litestream.sh", import.meta.url).pathname;

/** The environment of the script. */
export function litestreamEnv(dataDir: string, replica: string): Record<string, string> {
  if (!existsSync(BINARY)) throw new Error("npm ci brings Litestream for Linux on x64.");
  return { LITESTREAM: BINARY, DATA_DIR: dataDir, REPLICA_URL: replica, RELOAD_SECONDS: "1" };
}

/** Runs the script. It ends with the test. */
export function litestream(
  command: string,
  dataDir: string,
  replica: string,
  ...more: string[]
): { child: ChildProcess; output: () => string } {
  const env = { ...process.env, ...litestreamEnv(dataDir, replica) };
  const child = spawn("sh", [SCRIPT, command, ...more], { env, detached: true, stdio: ["ignore", "pipe", "pipe"] });
  let output = "";
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (data) => (output += data));
  after(() => kill(child));
  return { child, output: () => output };
}

/** The values of a workspace's store as it would be restored now. Nothing where there is no replica yet. */
export async function replicated<Value>(replica: string, workspace: { id: string }, sql: string): Promise<Value[]> {
  const path = join(newFolder(), "restored.sqlite");
  const url = `${replica}/workspaces/${workspace.id.slice(-2)}/${workspace.id}.sqlite`;
  await promisify(execFile)(BINARY, ["restore", "-if-replica-exists", "-o", path, url]);
  if (!existsSync(path)) return [];
  return readStore(path, (db) => db.values<Value>(sql));
}

/** Kills the script, and what it has started. */
export function kill(child: ChildProcess): void {
  try {
    process.kill(-child.pid!, "SIGKILL");
  } catch {
    // It has ended.
  }
}
