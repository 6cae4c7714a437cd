// What a process checks of itself and its surroundings. Each check makes one finding, or none.

import { statfs } from "node:fs/promises";
import type { Control } from "../db/control.ts";
import { CONTROL, listDoubts } from "../db/doubt.ts";
import type { Presence } from "../db/lock.ts";
import { currentVersion } from "../db/migrate.ts";
import { whenFree } from "../db/when-free.ts";
import { StoreBusyError } from "../db/write.ts";
import { ask } from "./ask.ts";
import { listOpenMoves } from "./cells/moves.ts";
import type { Config } from "./config.ts";
import type { Check, Finding } from "./findings.ts";
import type { Carrier } from "./jobs/dispatch.ts";
import { isSpoolThere } from "./jobs/spool.ts";
import { touchInstallation } from "./workspaces/installation.ts";
import { listFindings } from "./workspaces/store-findings.ts";

const MAX_WAIT_MS = 500;

/** What every process checks, whatever it does. @param presence of a process that hands jobs to Redis for others */
export function checksOf(config: Config, control: Control, carrier: Carrier, presence: Presence | undefined): Check[] {
  return [
    controlWritable(control),
    controlVersion(control),
    diskSpace(config),
    storesFound(control),
    storesInDoubt(config),
    spoolThere(config),
    movesEnd(control),
    () => carrier.check(),
    ...(presence ? [workerAlive(presence)] : []),
  ];
}

/** Whether the control store can be written: it writes one row. */
function controlWritable({ writer }: Control): Check {
  return async () => {
    try {
      await whenFree(writer, MAX_WAIT_MS, () => touchInstallation(writer, Date.now()));
      return undefined;
    } catch (error) {
      // It can be written, but now an operator or another process does.
      if (error instanceof StoreBusyError) {
        return { code: "control_busy", message: "The control store is busy; writes wait.", blocking: false };
      }
      const reason = String(error instanceof Error ? error.message : error).replace(/\.$/, "");
      return {
        code: "control_not_writable",
        message: `The control store can't be written: ${reason}.`,
        blocking: true,
      };
    }
  };
}

function controlVersion({ reader }: Control): Check {
  return () =>
    reader.value<number>("PRAGMA user_version") === currentVersion("control")
      ? undefined
      : {
          code: "control_schema",
          message: "The control store's schema version is not the one of this release.",
          blocking: true,
        };
}

/** What was found of workspaces' stores when they were opened, read, or checked. The others are served. */
function storesFound({ reader }: Control): Check {
  return () =>
    listFindings(reader).map(({ workspace_uid, source, message }) => ({
      code: source === "CHECK" ? "store_damaged" : "store_refused",
      message,
      blocking: false,
      ...(workspace_uid !== CONTROL && { workspace: workspace_uid }),
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

/** Which stores are in doubt (db/doubt.ts). Without the control store nothing can be acknowledged. */
function storesInDoubt({ dataDir }: Config): Check {
  return () =>
    listDoubts(dataDir).map((name) => ({
      code: "store_in_doubt",
      message: `A sync of the store ${name} has failed. Nothing in it is acknowledged until it is written anew.`,
      blocking: name === CONTROL,
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

/** Asks the proxy at PUBLIC_URL whether it lets a body of IMPORT_MAX_BYTES through. One that can't be asked is no finding. */
export async function proxyLetsBodiesThrough({ publicUrl, importMaxBytes }: Config): Promise<Finding | undefined> {
  // Without credentials the service refuses it before it reads the body.
  const answer = await ask(`${publicUrl}/screener-participants-import`, importMaxBytes);
  if (!("status" in answer) || answer.status !== 413) return undefined;
  return {
    code: "proxy_refuses_bodies",
    message:
      `The proxy refuses bodies of IMPORT_MAX_BYTES (${importMaxBytes} bytes) with 413: raise its limit ` +
      "(nginx: client_max_body_size), or lower IMPORT_MAX_BYTES.",
    blocking: false,
  };
}

function mib(bytes: number): number {
  return Math.floor(bytes / 1024 / 1024);
}
