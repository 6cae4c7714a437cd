// Opens the control store: credentials and the job ledger.

import { mkdirSync } from "node:fs";
import { join } from "node:path";
import type { Reader, Writer } from "./connection.ts";
import { migrate } from "./migrate.ts";
import { type OpenOptions, openReader, openWriter } from "./open.ts";

/** The control store's two connections, of one process or thread. */
export interface Control {
  reader: Reader;
  writer: Writer;
  close(): void;
}

/** Opens DATA_DIR/control.sqlite, made and brought up to date when need be. @throws SchemaError */
export function openControl(dataDir: string, options: OpenOptions): Control {
  mkdirSync(dataDir, { recursive: true });
  const path = join(dataDir, "control.sqlite");
  // Before anyone is served there is time to wait for a lock.
  const first = openWriter(path, { ...options, busyTimeoutMs: 10_000 });
  migrate(first, "control");
  const writer = openWriter(path, options);
  const reader = openReader(path, options);
  // Not earlier: with the last connection goes the log, under a lock that the next ones would not wait for.
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
