// Takes backups by the schedule of BACKUP_SCHEDULE. Every process that runs jobs looks; one of them takes it, with the command of the command
// line in a process of its own: a backup reads all there is, and nobody waits for it.

import { type ChildProcess, spawn } from "node:child_process";
import { fileURLToPath } from "node:url";
import type { Control } from "../../db/control.ts";
import { ROOT } from "../../db/root.ts";
import type { Presence } from "../../db/sqlite/lock.ts";
import { whenFree } from "../../db/sqlite/when-free.ts";
import type { Check } from "../base/findings.ts";
import type { Log } from "../base/log.ts";
import type { BackupConfig } from "../base/settings/backup.ts";
import { lastTime } from "../base/settings/cron.ts";
import { counted } from "../languages/counted.ts";
import {
  backupBegunAt,
  backupTakenFor,
  claimBackup,
  endBackup,
  firstMadeAt,
  isBackupDir,
  lastBackup,
  useBackupDir,
} from "../workspaces/installation.ts";

const WAIT_MS = 5000;
/** A backup may take so long before it is late. */
const LATE_AFTER_MS = 3_600_000;
/** How much of what the command says of a failure is logged. */
const MAX_SAID = 2000;

interface Options {
  backup: BackupConfig;
  control: Control;
  presence: Presence;
  log: Log;
}

/** What has become of the command. */
interface Ended {
  code: number | null;
  stdout: string;
  stderr: string;
}

export class ScheduledBackups {
  readonly #options: Options;
  #child: ChildProcess | undefined;
  #taking: Promise<void> | undefined;
  #closed = false;
  #hasLooked = false;

  constructor(options: Options) {
    this.#options = options;
  }

  /** Takes a backup if one is due, and nobody takes it: the last time of the schedule counts, however many were missed. Never rejects. */
  look(): Promise<void> {
    this.#taking ??= this.#takeDue()
      .catch((error: unknown) => {
        if (!this.#closed) this.#options.log.error({ err: error }, "backup failed");
      })
      .finally(() => {
        this.#taking = undefined;
      });
    return this.#taking;
  }

  async #takeDue(): Promise<void> {
    const { backup, control, presence } = this.#options;
    const { reader, writer } = control;
    const now = Date.now();
    const due = lastTime(backup.schedule, now)!;
    if (this.#closed) return;
    if (!this.#hasLooked) await whenFree(writer, WAIT_MS, () => useBackupDir(writer, backup.dir));
    this.#hasLooked = true;
    if ((backupTakenFor(reader) ?? 0) >= due) return;
    // While settings change: who started last, knows.
    if (!isBackupDir(reader, backup.dir)) return;
    const claim = { runner: presence.name, now, isAlive: (name: string) => this.#isTaking(name) };
    if (!(await whenFree(writer, WAIT_MS, () => claimBackup(writer, due, claim)))) return;
    let isTaken = false;
    try {
      isTaken = this.#report(await this.#run());
    } finally {
      if (!this.#closed)
        await whenFree(writer, WAIT_MS, () => {
          const isWanted = isTaken && isBackupDir(writer, backup.dir);
          endBackup(writer, presence.name, isWanted ? due : undefined);
        });
    }
  }

  /** This process takes one backup at a time: what it has claimed before is over. */
  #isTaking(name: string): boolean {
    const { presence } = this.#options;
    return name !== presence.name && presence.isAlive(name);
  }

  #run(): Promise<Ended> {
    const { dir, keep } = this.#options.backup;
    const program = fileURLToPath(new URL("src/run.mjs", ROOT));
    const kept = ["--keep-daily", String(keep.daily), "--keep-weekly", String(keep.weekly)];
    const child = spawn(process.execPath, [program, "cli", "backup", dir, ...kept, "--json"], {
      stdio: ["ignore", "pipe", "pipe"],
    });
    this.#child = child;
    let stdout = "";
    let stderr = "";
    child.stdout.setEncoding("utf8").on("data", (text: string) => (stdout += text));
    child.stderr.setEncoding("utf8").on("data", (text: string) => (stderr = (stderr + text).slice(-MAX_SAID)));
    return new Promise((resolve, reject) => {
      child.once("error", reject);
      child.once("close", (code) => resolve({ code, stdout, stderr: stderr.trim() }));
    });
  }

  /** @returns whether there is a backup: also one without some workspaces */
  #report({ code, stdout, stderr }: Ended): boolean {
    const { log } = this.#options;
    const taken = stdout ? JSON.parse(stdout) : undefined;
    if (code === 0) log.info(taken, "backup taken");
    else if (!this.#closed) log.error({ code, ...taken, ...(stderr && { said: stderr }) }, "backup failed");
    return taken !== undefined;
  }

  /** Ends a backup that is being taken: another process takes it. */
  async close(): Promise<void> {
    this.#closed = true;
    this.#child?.kill();
    await this.#taking;
  }
}

/** Whether a backup is missing that was due, or workspaces are missing in it. */
export function backupCheck({ reader }: Control, { schedule }: BackupConfig): Check {
  return () => {
    const lateBefore = Date.now() - LATE_AFTER_MS;
    const due = lastTime(schedule, lateBefore)!;
    const last = lastBackup(reader);
    if ((backupTakenFor(reader) ?? 0) < due) {
      // Nobody misses one from before there was anything.
      if (due < (firstMadeAt(reader) ?? Number.POSITIVE_INFINITY)) return undefined;
      // One that was missed is caught up.
      if ((backupBegunAt(reader) ?? 0) > lateBefore) return undefined;
      const known = last ? `The last one is of ${new Date(last.at).toISOString()}.` : "There is none.";
      const message = `The backup of ${new Date(due).toISOString()} was not taken. ${known} The log says why.`;
      return { code: "backup_late", message, blocking: false };
    }
    if (!last?.failed) return undefined;
    const message = `${counted(last.failed, "workspace is", "workspaces are")} not in the last backup. The log says why.`;
    return { code: "backup_incomplete", message, blocking: false };
  };
}
