// The bodies of jobs. A short one is in the ledger, in the transaction that accepts the job: a file would have to be synced,
// and its folder, too. A longer one is in the spool.

import { closeSync, fstatSync, openSync, readSync } from "node:fs";
import type { Reader, Writer } from "../../../db/sqlite/connection.ts";
import { spoolPath } from "./spool.ts";

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
