// Opens the control store: credentials and the job ledger.

import { readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { migrate } from "./migrate.ts";
import type { Reader, Writer } from "./sqlite/connection.ts";
import { CONTROL, Doubt } from "./sqlite/doubt.ts";
import { makeFolder, syncFolder } from "./sqlite/folders.ts";
import { type OpenOptions, openReader, openWriter } from "./sqlite/open.ts";
import { assertOwner } from "./sqlite/owner.ts";
import { keepPrivate } from "./sqlite/private.ts";
import { isReadOnly, ReadOnlyError } from "./sqlite/read-only.ts";
import { isBusy } from "./sqlite/write.ts";

/** The two connections of one process or thread to the control store. */
export interface Control {
  reader: Reader;
  writer: Writer;
  /** Copies a WAL that has grown into the store's file. Not on an event loop. */
  trim(): void;
  close(): void;
}

/** The control store is not there, but stores of workspaces are. */
export class ControlLostError extends Error {}

export function controlPath(dataDir: string): string {
  return join(dataDir, "control.sqlite");
}

/**
 * Opens DATA_DIR/control.sqlite; creates and migrates it if necessary. Every process does this before it makes
 * files. @throws SchemaError, ControlLostError, ForeignOwnerError
 */
export function openControl(dataDir: string, settings: OpenOptions): Control {
  assertOwner(dataDir);
  keepPrivate();
  // SQLite's temporary files are in tmp/ (src/base/config.ts).
  makeFolder(join(dataDir, "tmp"));
  const path = controlPath(dataDir);
  const isNew = (statSync(path, { throwIfNoEntry: false })?.size ?? 0) === 0;
  if (isNew) assertFirstStart(dataDir, path);
  const options = { ...settings, doubt: new Doubt(dataDir, CONTROL) };
  // The process serves nobody yet, so this connection may wait for a lock.
  const first = openFirst(dataDir, { ...options, durable: "commit", busyTimeoutMs: FIRST_WAIT_MS });
  try {
    if (!isNew && first.value("SELECT count(*) FROM sqlite_schema") === 0) assertFirstStart(dataDir, path);
    migrate(first, "control");
  } catch (error) {
    first.close();
    throw error;
  }
  if (isNew) syncFolder(dataDir);
  const writer = openWriter(path, options);
  const reader = openReader(path, options);
  // Not earlier: closing the last connection removes the WAL under a lock that the next ones would not wait for.
  first.close();
  return {
    reader,
    writer,
    trim: () => writer.checkpointGrown(),
    close() {
      reader.close();
      writer.close();
    },
  };
}

const FIRST_WAIT_MS = 10_000;
const FIRST_PAUSE_MS = 20;

function openFirst(dataDir: string, options: OpenOptions): Writer {
  const deadline = performance.now() + FIRST_WAIT_MS;
  for (;;) {
    try {
      return openWriter(controlPath(dataDir), options);
    } catch (cause) {
      if (isReadOnly(dataDir)) throw new ReadOnlyError(dataDir, { cause });
      // Of two processes that both make a new file one of WAL, SQLite refuses one at once, whatever its timeout.
      if (!isBusy(cause) || performance.now() > deadline) throw cause;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, FIRST_PAUSE_MS);
    }
  }
}

/** Not a first start, if there are workspaces: with a new control store nobody would ever find them again. */
function assertFirstStart(dataDir: string, path: string): void {
  const all = join(dataDir, "workspaces");
  const count = namesIn(all)
    .flatMap((folder) => namesIn(join(all, folder)))
    .filter((name) => name.endsWith(".sqlite")).length;
  if (!count) return;
  throw new ControlLostError(
    `${path} is missing or empty, but there are stores of ${count} workspaces beside it: ` +
      "put it back, or restore it from a backup. It has their credentials and their jobs.",
  );
}

/** The names in a folder; none, if it is not there, or is no folder. */
function namesIn(folder: string): string[] {
  return statSync(folder, { throwIfNoEntry: false })?.isDirectory() ? readdirSync(folder) : [];
}
