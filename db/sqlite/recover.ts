// Brings a store out of doubt (db/sqlite/doubt.ts). The kernel may have lost pages that it could not write, and it marks them
// as written, so it may also drop them from memory at any time. Then they are read as they were before.
//
// So the WAL is read, its checksums are compared, and the same bytes are written again and synced. Now SQLite can copy the
// WAL into the store's file and empty it. If pages of the file itself may be lost, every page is written anew before that.

import { closeSync, fdatasyncSync, openSync, readSync, statSync, writeSync } from "node:fs";
import { endianness } from "node:os";
import type { Writer } from "./connection.ts";
import type { Doubt } from "./doubt.ts";
import { openWriter } from "./open.ts";
import { isDamage } from "./refused.ts";

/**
 * Pages of the WAL are lost, and SQLite's index of it still has them. Only when every process has let go of the store is
 * the index made again from what is there. Nobody may close the store first: that would copy the lost pages into its file.
 */
export class StoreLostError extends Error {
  constructor(path: string, frame: number) {
    super(
      `${path} has lost what could not be written (from frame ${frame} on); none of it was acknowledged. ` +
        "All processes of the service have to end at once, and find what is on the disk when they start again.",
    );
    this.name = "StoreLostError";
  }
}

/** Readers or writers keep the store from being checkpointed. */
class StillBusyError extends Error {
  readonly code = "SQLITE_BUSY";
}

/** Waits this long for the store's lock, and for its readers. */
const WAIT_MS = 10_000;

/** Brings the store out of doubt, if it is in doubt. @throws StoreLostError, or any error when it stays in doubt */
export function recover(path: string, doubt: Doubt): boolean {
  const mark = doubt.read();
  if (!mark) return false;
  const options = { busyTimeoutMs: WAIT_MS, checkpoints: false };
  const opened: Writer[] = [];
  let isLost = false;
  try {
    const holder = openWriter(path, options);
    opened.push(holder);
    const db = openWriter(path, options);
    opened.push(db);
    holder.exec("BEGIN IMMEDIATE");
    // Nobody adds to the WAL or begins it anew now.
    db.value("SELECT count(*) FROM sqlite_schema");
    rewriteWal(`${path}-wal`, db.get<{ log: number }>("PRAGMA wal_checkpoint(NOOP)")?.log ?? 0);
    holder.exec("ROLLBACK");
    if (mark.includes("file")) db.exec("VACUUM");
    truncate(db);
    doubt.clear(mark);
    return true;
  } catch (error) {
    isLost = error instanceof StoreLostError;
    // The first page and the schema may be among what is lost. Then SQLite can't say how long its WAL is.
    if (isDamage(error)) {
      isLost = true;
      checkWal(path);
      isLost = false;
    }
    throw error;
  } finally {
    if (!isLost) for (const db of opened) db.close();
  }
}

function truncate(db: Writer): void {
  if (db.get<{ busy: number }>("PRAGMA wal_checkpoint(TRUNCATE)")?.busy) {
    throw new StillBusyError("The store is in use, so that it can't be brought out of doubt yet.");
  }
}

const HEADER_BYTES = 32;
const FRAME_HEADER_BYTES = 24;

/** The indexes of WALs that were read, by inode. They stay open: closing one would release the locks that this process has on it. */
const indexes = new Map<number, number>();

/** How many frames its index says that a WAL has: https://www.sqlite.org/walformat.html#the_wal_index_file_format */
function indexedFrames(path: string): number {
  const { ino } = statSync(`${path}-shm`);
  const file = indexes.get(ino) ?? openSync(`${path}-shm`, "r");
  indexes.set(ino, file);
  const header = readFully(file, 20, 0);
  return endianness() === "LE" ? header.readUInt32LE(16) : header.readUInt32BE(16);
}

/** Only reads it. @throws StoreLostError */
function checkWal(path: string): void {
  compareWal(`${path}-wal`, indexedFrames(path), false);
}

/** Writes the first frames of a WAL again as they are, and syncs it. */
function rewriteWal(path: string, frames: number): void {
  compareWal(path, frames, true);
}

/** Compares the checksums of a WAL's first frames. https://www.sqlite.org/fileformat2.html#walformat @throws StoreLostError */
function compareWal(path: string, frames: number, isWritten: boolean): void {
  if (frames <= 0) return;
  const file = openSync(path, isWritten ? "r+" : "r");
  try {
    const header = readFully(file, HEADER_BYTES, 0);
    const magic = header.readUInt32BE(0);
    const checksum = new WalChecksum((magic & 1) === 1);
    checksum.add(header, 0, 24);
    if (magic >>> 1 !== 0x377f0682 >>> 1 || !checksum.equals(header, 24)) throw new StoreLostError(path, 1);
    if (isWritten) writeFully(file, header, 0);
    const salts = header.subarray(16, 24);
    const frameBytes = FRAME_HEADER_BYTES + header.readUInt32BE(8);
    const perSlice = Math.max(1, Math.floor(2 ** 20 / frameBytes));
    for (let first = 0; first < frames; first += perSlice) {
      const position = HEADER_BYTES + first * frameBytes;
      const slice = readFully(file, Math.min(perSlice, frames - first) * frameBytes, position);
      for (let at = 0; at < slice.length; at += frameBytes) {
        checksum.add(slice, at, 8);
        checksum.add(slice, at + FRAME_HEADER_BYTES, frameBytes - FRAME_HEADER_BYTES);
        if (salts.compare(slice, at + 8, at + 16) !== 0 || !checksum.equals(slice, at + 16)) {
          throw new StoreLostError(path, first + at / frameBytes + 1);
        }
      }
      if (isWritten) writeFully(file, slice, position);
    }
    if (isWritten) fdatasyncSync(file);
  } finally {
    // SQLite has no locks on the WAL itself, so closing it releases none.
    closeSync(file);
  }
}

class WalChecksum {
  readonly #isBigEndian: boolean;
  #s0 = 0;
  #s1 = 0;

  constructor(isBigEndian: boolean) {
    this.#isBigEndian = isBigEndian;
  }

  add(bytes: Buffer, from: number, length: number): void {
    const view = new DataView(bytes.buffer, bytes.byteOffset + from, length);
    const isLittle = !this.#isBigEndian;
    for (let at = 0; at < length; at += 8) {
      this.#s0 = (this.#s0 + view.getUint32(at, isLittle) + this.#s1) >>> 0;
      this.#s1 = (this.#s1 + view.getUint32(at + 4, isLittle) + this.#s0) >>> 0;
    }
  }

  equals(bytes: Buffer, at: number): boolean {
    return bytes.readUInt32BE(at) === this.#s0 && bytes.readUInt32BE(at + 4) === this.#s1;
  }
}

/** What is missing at the end of the file is zeros. */
function readFully(file: number, length: number, position: number): Buffer {
  const bytes = Buffer.alloc(length);
  let done = 0;
  while (done < length) {
    const read = readSync(file, bytes, done, length - done, position + done);
    if (read === 0) break;
    done += read;
  }
  return bytes;
}

function writeFully(file: number, bytes: Buffer, position: number): void {
  let done = 0;
  while (done < bytes.length) done += writeSync(file, bytes, done, bytes.length - done, position + done);
}
