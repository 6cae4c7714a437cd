// The command `doctor`: what is wrong with the installation, a line each, and what to do; and `clock accept`.

import { existsSync, statSync } from "node:fs";
import { join } from "node:path";
import type { Command } from "commander";
import { immediate } from "../../db/sqlite/write.ts";
import { configOrExit } from "../base/config.ts";
import { checkAddress, checkRedis } from "../doctor/around.ts";
import { checkBackups } from "../doctor/backups.ts";
import { checkFiles, checkList, checkPermissions, checkSpace, withStore } from "../doctor/data.ts";
import { type Finding, isError } from "../doctor/finding.ts";
import { checkMail } from "../doctor/mail.ts";
import { checkRestores } from "../doctor/restores.ts";
import { acceptClock } from "../workspaces/clock.ts";
import { installationId } from "../workspaces/installation.ts";
import { Bar } from "./running/bar.ts";
import { command, date } from "./running/command.ts";

export function addDoctor(program: Command): void {
  addClock(program);
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
      process.exitCode = findings.some(isError) ? 1 : 0;
    });
}

interface Check {
  check: string;
  found: Finding[];
}

async function examine(onProgress: (done: number, total: number) => void): Promise<Check[]> {
  const config = configOrExit();
  const { dataDir, redisUrl } = config;
  const files = checkFiles(config, onProgress);
  const checks: Check[] = [{ check: "stores and files", found: files }];
  if (existsSync(dataDir)) {
    checks.push({ check: "permissions", found: checkPermissions(dataDir) });
    checks.push({ check: "list of the erased", found: checkList(config) });
    checks.push({ check: "restores", found: checkRestores(config.dataDir) });
    checks.push({ check: "disk space", found: checkSpace(dataDir) });
  }
  const installation = readInstallation(dataDir);
  if (redisUrl && installation) checks.push({ check: "Redis", found: await checkRedis(redisUrl, installation) });
  if (config.backup) checks.push({ check: "backups", found: await checkBackups(config) });
  if (config.mail) checks.push({ check: "mail", found: await checkMail(config.mail) });
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

/** Beside it, because it is the doctor who finds that the clock is ahead. */
function addClock(program: Command): void {
  const clock = program.command("clock").description("The clock of this machine");
  command(
    clock,
    "accept",
    "Say that the clock is right: what is kept for a time is removed by it from now on",
    ({ control: { writer } }) => {
      const now = Date.now();
      const ahead = immediate(writer, () => acceptClock(writer, now));
      const lines = [
        `The clock counts from now on: it is ${date(now)}.`,
        ahead
          ? `What is kept for a time has not been removed since ${date(ahead.before)}. It is within the hour, or when a process starts.`
          : "Nothing has waited for that.",
      ];
      return { json: { now: date(now), before: date(ahead?.before ?? null) }, lines };
    },
  );
}
