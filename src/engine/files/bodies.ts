// The bodies of jobs. A short one is in the ledger, in the transaction that accepts the job: a file would have to be synced,
// and its folder, too. A longer one is in the spool, as it came in. The API neither parses it nor keeps it in memory.
//
// A job that fails for a reason of the service's own keeps its body for some days, so that it can be retried (retry.ts). Kept bodies
// count for the workspace's budget, and make room for bodies that come in. The ledger lets go of a body first: a file that a killed
// process leaves is removed by the sweep.

import { createHash } from "node:crypto";
import { closeSync, existsSync, fstatSync, openSync, readSync, rmSync } from "node:fs";
import { type FileHandle, open, rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { Reader, Writer } from "../../../db/sqlite/connection.ts";
import { makeFolder, syncPath } from "../../../db/sqlite/folders.ts";
import { whenFree } from "../../../db/sqlite/when-free.ts";
import { immediate } from "../../../db/sqlite/write.ts";
import type { ProblemDocument } from "../../base/problems.ts";

/** A longer body is in the spool. */
export const MAX_SHORT_BYTES = 64 * 1024;

/** Copies the next bytes into `into` from `at` on. @returns how many; 0 at the end */
export type Input = (into: Buffer, at: number) => number;

/** A body, open to be read once, from its start. */
export interface Body extends Disposable {
  /** Its length. */
  bytes: number;
  read: Input;
}

/** Keeps a short body, until the job has ended. Call it in the transaction that accepts the job. */
export function keepBody(ledger: Writer, jobUid: string, bytes: Uint8Array): void {
  ledger.run("INSERT INTO job_body (job_uid, bytes) VALUES (?, ?)", jobUid, bytes);
}

/** Opens the body of a job. @throws Error ENOENT when there is none */
export function openBody(ledger: Reader, dataDir: string, jobUid: string): Body {
  const bytes = ledger.value<Uint8Array>("SELECT bytes FROM job_body WHERE job_uid = ?", jobUid);
  return bytes
    ? bodyInMemory(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length))
    : openFile(spoolPath(dataDir, jobUid));
}

/** Opens a file to be read as a body is. */
export function openFile(path: string): Body {
  const file = openSync(path, "r");
  return {
    bytes: fstatSync(file).size,
    read: (into, at) => readSync(file, into, at, into.length - at, null),
    [Symbol.dispose]: () => closeSync(file),
  };
}

function bodyInMemory(bytes: Buffer): Body {
  let position = 0;
  return {
    bytes: bytes.length,
    read(into, at) {
      const copied = bytes.copy(into, at, position);
      position += copied;
      return copied;
    },
    [Symbol.dispose]: () => {},
  };
}

export function spoolPath(dataDir: string, jobUid: string): string {
  return join(dataDir, "spool", jobUid);
}

/** Makes the spool's folder. Not at each body: a spool that is away must not be replaced by an empty one. */
export function makeSpool(dataDir: string): void {
  makeFolder(join(dataDir, "spool"));
}

/** Whether the spool's folder is there. */
export function isSpoolThere(dataDir: string): boolean {
  return existsSync(join(dataDir, "spool"));
}

/** Removes the body of a job, if it has one. */
export function removeSpooled(dataDir: string, jobUid: string): void {
  rmSync(spoolPath(dataDir, jobUid), { force: true });
}

/** A body that has come in. */
interface Received {
  /** SHA-256, in hexadecimal. */
  hash: string;
  bytes: number;
  /** The body, if it is short. Else it is in the spool. */
  short: Buffer | undefined;
}

/**
 * Takes a body in. If it is longer than `maxShort` bytes, it goes to the spool, and is on the disk when this resolves. A body
 * that breaks off leaves no file.
 */
export async function receiveBody(body: AsyncIterable<Uint8Array>, path: string, maxShort: number): Promise<Received> {
  const hash = createHash("sha256");
  const start: Uint8Array[] = [];
  let bytes = 0;
  let file: FileHandle | undefined;
  try {
    for await (const chunk of body) {
      hash.update(chunk);
      bytes += chunk.length;
      if (bytes <= maxShort) {
        start.push(chunk);
        continue;
      }
      if (!file) {
        file = await open(path, "wx");
        for (const earlier of start.splice(0)) await file.appendFile(earlier);
      }
      // Not write(), which may write only a part of the chunk.
      await file.appendFile(chunk);
    }
    if (file) {
      await file.datasync();
      await file.close();
      // A new file survives a power failure only if its folder is on the disk, too.
      await syncPath(dirname(path));
    }
    return { hash: hash.digest("hex"), bytes, short: file ? undefined : Buffer.concat(start) };
  } catch (error) {
    if (file) {
      await file.close().catch(() => {});
      await rm(path, { force: true });
    }
    throw error;
  }
}

/** How long the body of a failed job is kept after its end. */
const KEPT_MS = 7 * 24 * 3_600_000;

/** How long an upload waits for the ledger's lock to make room. */
const ROOM_WAIT_MS = 1000;

/** Whether a job with this problem, as JSON, failed for a reason of the service's own: another run may succeed. */
export function isOurFault(problem: string | null): boolean {
  return problem !== null && (JSON.parse(problem) as ProblemDocument).status >= 500;
}

/** Until when the body of a job that ends now with this problem is kept; null: it is not kept. */
export function keptUntil(problem: string | null, now: number): number | null {
  const isLost = problem !== null && (JSON.parse(problem) as ProblemDocument).code === "job_body_lost";
  return isOurFault(problem) && !isLost ? now + KEPT_MS : null;
}

/** Removes the bodies that have been kept long enough. */
export function dropExpiredBodies(ledger: Writer, dataDir: string, now: number): void {
  remove(
    dataDir,
    immediate(ledger, () => letGo(ledger, "body_until <= ?", now)),
  );
}

/** Removes all kept bodies of a workspace. */
export function dropBodies(ledger: Writer, dataDir: string, workspaceId: number): void {
  remove(
    dataDir,
    immediate(ledger, () => letGo(ledger, "workspace_id = ?", workspaceId)),
  );
}

/** Removes the kept bodies that are about a screener, or may be. */
export function dropBodiesOfScreener(ledger: Writer, dataDir: string, workspaceId: number, screenerUid: string): void {
  const isAbout = "workspace_id = ? AND coalesce(screener_uid, ?) = ?";
  remove(
    dataDir,
    immediate(ledger, () => letGo(ledger, isAbout, workspaceId, screenerUid, screenerUid)),
  );
}

/** Removes the oldest kept body of a workspace. @returns false when it has none. @throws StoreBusyError */
export async function dropOldestBody(ledger: Writer, dataDir: string, workspaceId: number): Promise<boolean> {
  const oldest = `id = (SELECT id FROM job INDEXED BY job_kept WHERE workspace_id = ? AND body_until IS NOT NULL
    ORDER BY finished_at LIMIT 1)`;
  const dropped = await whenFree(ledger, ROOM_WAIT_MS, () => letGo(ledger, oldest, workspaceId));
  remove(dataDir, dropped);
  return dropped.length > 0;
}

/** @returns the ids of the jobs. A trigger removes a body that is in the ledger */
function letGo(ledger: Writer, where: string, ...values: (string | number)[]): string[] {
  return ledger.values(
    `UPDATE job SET body_until = NULL WHERE body_until IS NOT NULL AND ${where} RETURNING uid`,
    ...values,
  );
}

function remove(dataDir: string, jobs: readonly string[]): void {
  for (const uid of jobs) removeSpooled(dataDir, uid);
}
