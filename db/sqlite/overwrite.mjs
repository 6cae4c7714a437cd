// A program: overwrites with zeros what stores have in unused parts of their pages (unused-bytes.mjs). The stores stay in use.
//
// SQLite has no way to do that but to write a store anew. So the bytes are written into the file: while nobody else may write, and the
// WAL is empty, so that nobody copies pages from it. Their place on the page means nothing to SQLite, so a reader may read meanwhile, and
// a process that is killed has done no harm. Then a commit has all connections forget the pages that they remember.
//
// It is a process of its own, because one that closes a file loses all locks that it has on it. The paths are lines of its input.

import {
  closeSync,
  existsSync,
  fstatSync,
  fsyncSync,
  openSync,
  readFileSync,
  readSync,
  statSync,
  writeSync,
} from "node:fs";
import Database from "better-sqlite3";
import { hasNoData, MAX_PAGES, sizesOf, unusedBytes } from "./unused-bytes.mjs";

/** Ends the process: another connection was in the way for too long. */
const BUSY = 75;

const WAIT_MS = 5000;
const PAUSE_MS = 20;

/** The bytes of a file that are read at once. */
const CHUNK_BYTES = 1024 * 1024;

/** So many pages are overwritten while others wait: some 10 ms. */
const STEP_PAGES = 1000;

const ZEROS = Buffer.alloc(65_536);

for (const path of readFileSync(0, "utf8").split("\n")) if (path) overwrite(path);
process.exit();

/** @param {string} path */
function overwrite(path) {
  if (!existsSync(path)) return;
  // It is closed after the connection: with it go the locks.
  const file = openSync(path, "r+");
  const db = new Database(path, { fileMustExist: true, timeout: 250 });
  db.exec("PRAGMA wal_autocheckpoint = 0; PRAGMA synchronous = FULL; PRAGMA secure_delete = ON");
  // What a run that was killed has overwritten, others may still remember.
  withLock(db, path, () => commitNothing(db));
  emptyWal(db);
  const pages = unusedPages(file);
  for (let at = 0; at < pages.length; at += STEP_PAGES)
    withLock(db, path, () => {
      for (const number of pages.slice(at, at + STEP_PAGES)) overwritePage(file, number);
      commitNothing(db);
    });
  if (pages.length) {
    emptyWal(db);
    fsyncSync(file);
  }
  // One with a WAL stays open until the process ends, as if it were killed: the last connection that is closed removes the WAL, and
  // whether it is the last one says nobody better than the processes that go on with it.
  if (db.pragma("journal_mode", { simple: true }) === "wal") return;
  db.close();
  closeSync(file);
}

/**
 * The numbers of the pages to overwrite. Others may write meanwhile: copies of what was erased become fewer by that, and stay where they are, so
 * a page without any stays so.
 * @param {number} file
 */
function unusedPages(file) {
  const { size, usable, count } = measure(file);
  const chunk = Buffer.alloc(Math.max(CHUNK_BYTES, size));
  const found = [];
  for (let first = 1; first <= count; ) {
    const pages = Math.floor(readSync(file, chunk, 0, chunk.length, (first - 1) * size) / size);
    if (!pages) break;
    for (let at = 0; at < pages; at++)
      if (!hasNoData(first + at, size) && unusedBytes(chunk.subarray(at * size, (at + 1) * size), usable).length)
        found.push(first + at);
    first += pages;
  }
  return found;
}

/** @param {number} file @param {number} number */
function overwritePage(file, number) {
  const { size, usable } = measure(file);
  const page = Buffer.alloc(size);
  const start = (number - 1) * size;
  // It may be gone.
  if (readSync(file, page, 0, size, start) < size) return;
  for (const [from, to] of unusedBytes(page, usable)) writeSync(file, ZEROS, 0, to - from, start + from);
}

/** @param {number} file */
function measure(file) {
  const head = Buffer.alloc(100);
  readSync(file, head, 0, 100, 0);
  const { size, usable } = sizesOf(head);
  const count = size ? Math.floor(fstatSync(file).size / size) : 0;
  if (count >= MAX_PAGES) throw new Error("The file is so large that its pages can't be told apart.");
  return { size, usable, count };
}

/**
 * Runs `work` in a transaction, while the file has all there is and nobody else writes.
 * @param {Database.Database} db @param {string} path @param {() => void} work
 */
function withLock(db, path, work) {
  for (const deadline = Date.now() + WAIT_MS; ; pause(deadline)) {
    if (!tryEmptyWal(db)) continue;
    try {
      db.exec("BEGIN EXCLUSIVE");
    } catch (error) {
      if (isBusy(error)) continue;
      throw error;
    }
    const wal = statSync(`${path}-wal`, { throwIfNoEntry: false });
    if (wal && wal.size > 0) {
      // Somebody has written in between.
      db.exec("ROLLBACK");
      continue;
    }
    work();
    db.exec("COMMIT");
    return;
  }
}

/** @param {Database.Database} db */
function emptyWal(db) {
  for (const deadline = Date.now() + WAIT_MS; !tryEmptyWal(db); ) pause(deadline);
}

/** @param {Database.Database} db @returns whether nobody was in the way. True also of a file that has no WAL */
function tryEmptyWal(db) {
  const [row] = /** @type {{ busy: number }[]} */ (db.pragma("wal_checkpoint(TRUNCATE)"));
  return row?.busy === 0;
}

/** Writes the first page as it is. @param {Database.Database} db */
function commitNothing(db) {
  db.pragma(`user_version = ${db.pragma("user_version", { simple: true })}`);
}

/** @param {number} deadline */
function pause(deadline) {
  if (Date.now() >= deadline) process.exit(BUSY);
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, PAUSE_MS);
}

/** @param {unknown} error */
function isBusy(error) {
  return error instanceof Error && "code" in error && String(error.code).startsWith("SQLITE_BUSY");
}
