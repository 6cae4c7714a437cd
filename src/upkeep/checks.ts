// What a process checks of itself and its surroundings. Each check makes one finding, or none.

import { randomUUID } from "node:crypto";
import { open, rm, statfs } from "node:fs/promises";
import { join } from "node:path";
import type { Control } from "../../db/control.ts";
import { checkVersion, currentVersion, SchemaTooNewError } from "../../db/migrate.ts";
import { CONTROL, listDoubts } from "../../db/sqlite/doubt.ts";
import type { Presence } from "../../db/sqlite/lock.ts";
import { whenFree } from "../../db/sqlite/when-free.ts";
import { isFull, StoreBusyError } from "../../db/sqlite/write.ts";
import type { Config } from "../base/config.ts";
import type { Check, Finding } from "../base/findings.ts";
import { listOpenMoves } from "../cells/moves.ts";
import { isSpoolThere } from "../engine/files/bodies.ts";
import { blockedJobs } from "../engine/ledger/blocked.ts";
import type { Carrier } from "../engine/threads/dispatch.ts";
import { clockFinding, noteClock } from "../workspaces/clock.ts";
import { listFindings } from "../workspaces/store-findings.ts";
import { listMigrations } from "../workspaces/store-migrations.ts";
import { commandsEnd } from "./interrupted-commands.ts";

const MAX_WAIT_MS = 500;

/** What every process checks, whatever it does. @param presence of a process that hands jobs to Redis for others */
export function checksOf(config: Config, control: Control, carrier: Carrier, presence: Presence | undefined): Check[] {
  return [
    writable(config, control),
    controlReadable(control),
    () => clockFinding(control.reader),
    diskSpace(config),
    storesFound(control),
    storesMigrating(control),
    storesInDoubt(config),
    () => blockedJobs(control.reader),
    spoolThere(config),
    movesEnd(control),
    commandsEnd(config, control),
    () => carrier.check(),
    ...(presence ? [workerAlive(presence)] : []),
  ];
}

/** Whether the control store can be written: it writes one row. Then, whether there is space for files. */
function writable({ dataDir }: Config, { writer }: Control): Check {
  return async () => {
    try {
      await whenFree(writer, MAX_WAIT_MS, () => noteClock(writer, Date.now()));
    } catch (error) {
      // It can be written, but now an operator or another process does.
      if (error instanceof StoreBusyError)
        return { code: "control_busy", message: "The control store is busy; writes wait.", blocking: false };
      const why = isFull(error)
        ? error
        : await tryToWrite(join(dataDir, "tmp")).then(
            () => error,
            (reason) => reason,
          );
      return readOnly("The control store", why);
    }
    // The row may have found room in a file that was there already.
    try {
      await tryToWrite(join(dataDir, "tmp"));
    } catch (error) {
      // Without this folder small writes go.
      if ((error as NodeJS.ErrnoException).code !== "ENOENT") return readOnly("DATA_DIR", error);
    }
    return undefined;
  };
}

function readOnly(what: string, error: unknown): Finding {
  const isOnlyRead = (error as NodeJS.ErrnoException).code === "EROFS";
  const reason = isFull(error) ? "the disk is full" : isOnlyRead ? "its file system can only be read" : reasonOf(error);
  return {
    code: "read_only",
    message: `${what} can't be written: ${reason}. Writes are refused, reads go on.`,
    blocking: "writes",
  };
}

/** Small writes need less. */
const TRIED = Buffer.alloc(256 * 1024);

/** Writes a file, which nobody sees: it leaves nothing, even if the process is killed. */
async function tryToWrite(folder: string): Promise<void> {
  const path = join(folder, `try-${randomUUID()}`);
  const file = await open(path, "wx");
  try {
    await rm(path);
    await file.writeFile(TRIED);
  } finally {
    await file.close();
  }
}

/**
 * Whether the control store can be read, and by this release: without it nobody's credentials are known. During an upgrade a newer
 * release has migrated it, and this process serves until it is replaced.
 */
function controlReadable({ reader }: Control): Check {
  const known = currentVersion("control");
  const finding = (message: string, blocking: boolean) => ({ code: "control_schema", message, blocking });
  return () => {
    try {
      const found = checkVersion(reader, "control");
      if (found === known) return undefined;
      if (found > known)
        return finding(
          `A newer release has migrated the control store to schema version ${found}. This process knows ${known}, and goes on serving.`,
          false,
        );
      return finding(`The control store has schema version ${found}, and this release needs ${known}.`, true);
    } catch (error) {
      if (error instanceof SchemaTooNewError) return finding(error.message, true);
      return { ...finding(`The control store can't be read: ${reasonOf(error)}.`, true), code: "control_not_readable" };
    }
  };
}

/** Without the full stop, and without what Node and db/sqlite/connection.ts say of the path: everybody may read it. */
function reasonOf(error: unknown): string {
  return String(error instanceof Error ? error.message : error).replace(/(, \w+ '.*'| \(\/.*\))?\.?$/s, "");
}

const STORE_CODES = {
  OPENING: "store_refused",
  ACCESS: "store_unreadable",
  CHECK: "store_damaged",
  FILES: "file_damaged",
  ERASED: "erased_back",
} as const;

/** What was found of workspaces' stores when they were opened, read, or checked. The others are served. */
function storesFound({ reader }: Control): Check {
  return () =>
    listFindings(reader).map(({ workspace_uid, source, message }) => ({
      code: STORE_CODES[source],
      message,
      blocking: false,
      ...(workspace_uid !== CONTROL && { workspace: workspace_uid }),
    }));
}

/** Which stores are being migrated, by whichever process. */
function storesMigrating({ reader }: Control): Check {
  return () =>
    listMigrations(reader, Date.now()).map(({ workspace_uid, from_version, at_version, to_version, started_at }) => ({
      code: "store_migrating",
      message:
        `The workspace's store is being migrated from schema version ${from_version} to ${to_version}: ${at_version} is reached ` +
        `after ${Math.round((Date.now() - started_at) / 1000)} s. It is read meanwhile; writes wait.`,
      blocking: false,
      workspace: workspace_uid,
    }));
}

/** Whether bodies of imports can be taken, and those that were taken be read. */
function spoolThere({ dataDir }: Config): Check {
  return () =>
    isSpoolThere(dataDir)
      ? undefined
      : {
          code: "spool_missing",
          message:
            "The folder spool of DATA_DIR is missing: put it back. No imports are taken, and those that were taken wait.",
          blocking: false,
        };
}

/** A move that was handed over takes no longer than that. */
const MAX_MOVE_MS = 10_000;

/** Whether the cells answer that workspaces were handed over to. Until then nobody serves these. */
function movesEnd({ reader }: Control): Check {
  let since = new Map<string, number>();
  return () => {
    const waiting = listOpenMoves(reader).filter(({ status }) => status === "HANDED_OVER");
    since = new Map(waiting.map(({ uid }) => [uid, since.get(uid) ?? performance.now()]));
    return waiting
      .filter(({ uid }) => performance.now() - since.get(uid)! > MAX_MOVE_MS)
      .map(({ workspace_uid, cell, url }) => ({
        code: "move_waits",
        message: `A workspace was handed over to the cell ${cell}, which does not answer (${url}). Nobody serves it until that cell is back.`,
        blocking: false,
        workspace: workspace_uid,
      }));
  };
}

/** Which stores are in doubt (db/sqlite/doubt.ts). Without the control store no write can be acknowledged. */
function storesInDoubt({ dataDir }: Config): Check {
  return () =>
    listDoubts(dataDir).map((name) => ({
      code: "store_in_doubt",
      message: `A sync of the store ${name} has failed. Nothing in it is acknowledged until it is written anew.`,
      blocking: name === CONTROL && "writes",
      ...(name !== CONTROL && { workspace: name }),
    }));
}

/** Whether somebody takes the jobs that this process hands to Redis. */
function workerAlive(presence: Presence): Check {
  return () =>
    presence.isAnyAlive("worker")
      ? undefined
      : {
          code: "no_worker",
          message: "No worker is alive; jobs are accepted and wait. Start one: npm run worker.",
          blocking: false,
        };
}

/** A disk with less free space than this part of it is nearly full. */
const MIN_FREE = 0.05;

/** Whether the disk has space for the largest import, and some more. */
function diskSpace({ dataDir, importMaxBytes }: Config): Check {
  return async () => {
    const { bsize, blocks, bavail, files, ffree } = await statfs(dataDir);
    const [total, free] = [blocks * bsize, bavail * bsize];
    const what = (detail: string): Finding => ({
      code: "disk_nearly_full",
      message: `The disk of DATA_DIR is nearly full: ${detail}`,
      blocking: false,
    });
    const left = `${mib(free)} of ${mib(total)} MiB are free.`;
    const nothing = "Without space nothing can be written.";
    if (free < total * MIN_FREE) return what(`${left} ${nothing}`);
    if (free < importMaxBytes) return what(`${left} An import may need ${mib(importMaxBytes)} MiB (IMPORT_MAX_BYTES).`);
    if (files > 0 && ffree < files * MIN_FREE) return what(`${ffree} of ${files} files can still be made. ${nothing}`);
    return undefined;
  };
}

function mib(bytes: number): number {
  return Math.floor(bytes / 1024 / 1024);
}
