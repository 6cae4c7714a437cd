// Opens the control store: credentials and the job ledger.

import { mkdirSync } from "node:fs";
import { join } from "node:path";
import type { Reader, Writer } from "./connection.ts";
import { migrate } from "./migrate.ts";
import { type OpenOptions, openReader, openWriter } from "./open.ts";
import { keepPrivate } from "./private.ts";

/** The two connections of one process or thread to the control store. */
export interface Control {
  reader: Reader;
  writer: Writer;
  close(): void;
}

/** Opens DATA_DIR/control.sqlite; creates and migrates it if necessary. Every process does this before it makes files. @throws SchemaError */
export function openControl(dataDir: string, options: OpenOptions): Control {
  keepPrivate();
  mkdirSync(dataDir, { recursive: true });
  const path = join(dataDir, "control.sqlite");
  // The process serves nobody yet, so this connection may wait for a lock.
  const first = openWriter(path, { ...options, busyTimeoutMs: 10_000 });
  migrate(first, "control");
  const writer = openWriter(path, options);
  const reader = openReader(path, options);
  // Not earlier: closing the last connection removes the WAL under a lock that the next ones would not wait for.
  first.close();
  return {
    reader,
    writer,
    close() {
      reader.close();
      writer.close();
    },
  };
}
