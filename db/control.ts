// Opens the control store: credentials and the job ledger.

import { globSync, statSync } from "node:fs";
import { join } from "node:path";
import type { Reader, Writer } from "./connection.ts";
import { CONTROL, Doubt } from "./doubt.ts";
import { makeFolder, syncFolder } from "./folders.ts";
import { migrate } from "./migrate.ts";
import { type OpenOptions, openReader, openWriter } from "./open.ts";
import { keepPrivate } from "./private.ts";

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
 * files. @throws SchemaError, ControlLostError
 */
export function openControl(dataDir: string, settings: OpenOptions): Control {
  keepPrivate();
  // SQLite's temporary files are in tmp/ (src/config.ts).
  makeFolder(join(dataDir, "tmp"));
  const path = controlPath(dataDir);
  const isNew = (statSync(path, { throwIfNoEntry: false })?.size ?? 0) === 0;
  if (isNew) assertFirstStart(dataDir, path);
  const options = { ...settings, doubt: new Doubt(dataDir, CONTROL) };
  // The process serves nobody yet, so this connection may wait for a lock.
  const first = openWriter(path, { ...options, durable: "commit", busyTimeoutMs: 10_000 });
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

/** Not a first start, if there are workspaces: with a new control store nobody would ever find them again. */
function assertFirstStart(dataDir: string, path: string): void {
  const count = globSync("workspaces/*/*.sqlite", { cwd: dataDir }).length;
  if (!count) return;
  throw new ControlLostError(
    `${path} is missing or empty, but there are stores of ${count} workspaces beside it: ` +
      "put it back, or restore it from a backup. It has their credentials and their jobs.",
  );
}
