// The command `doctor`: what is wrong with the installation, a line each, and what to do.

import { existsSync, statSync } from "node:fs";
import { join } from "node:path";
import type { Command } from "commander";
import { configOrExit } from "../config.ts";
import { checkAddress } from "../doctor/address.ts";
import { checkFiles, checkPermissions, checkSpace, withStore } from "../doctor/data.ts";
import type { Finding } from "../doctor/finding.ts";
import { checkRedis } from "../doctor/redis.ts";
import { installationId } from "../workspaces/installation.ts";
import { Bar } from "./bar.ts";

export function addDoctor(program: Command): void {
  program
    .command("doctor")
    .description("Say what is wrong with the installation, and what to do about it")
    .option("--json", "print only one JSON value")
    .action(async (options: { json?: true }) => {
      const bar = new Bar(!options.json);
      const checks = await examine((done, total) => bar.show("Checking", done, total));
      bar.stop();
      const findings = checks.flatMap(({ check, found }) => found.map((finding) => ({ check, ...finding })));
      process.stdout.write(options.json ? `${JSON.stringify({ findings })}\n` : checks.map(linesOf).join(""));
      process.exitCode = findings.some(({ level }) => level === "error") ? 1 : 0;
    });
}

interface Check {
  check: string;
  found: Finding[];
}

async function examine(onProgress: (done: number, total: number) => void): Promise<Check[]> {
  const config = configOrExit();
  const { dataDir, redisUrl } = config;
  const files = checkFiles(dataDir, onProgress);
  const checks: Check[] = [{ check: "stores and files", found: files }];
  if (existsSync(dataDir)) {
    checks.push({ check: "permissions", found: checkPermissions(dataDir) });
    checks.push({ check: "disk space", found: checkSpace(dataDir) });
  }
  const installation = readInstallation(dataDir);
  if (redisUrl && installation) checks.push({ check: "Redis", found: await checkRedis(redisUrl, installation) });
  checks.push({ check: "address", found: await checkAddress(config) });
  return checks;
}

/** The installation's id; undefined when the ledger can't be read, which is found elsewhere. */
function readInstallation(dataDir: string): string | undefined {
  const path = join(dataDir, "control.sqlite");
  // To open an empty file would write to it.
  if (!statSync(path, { throwIfNoEntry: false })?.size) return undefined;
  try {
    return withStore(path, installationId);
  } catch {
    return undefined;
  }
}

function linesOf({ check, found }: Check): string {
  if (!found.length) return `ok       ${check}\n`;
  return found
    .map(({ level, message, advice }) => `${level.padEnd(7)}  ${check}: ${message}. What to do: ${advice}.\n`)
    .join("");
}
