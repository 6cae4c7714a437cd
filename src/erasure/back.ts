// Who of the erased is back in a store: somebody has put an older file of it there.

import { closeSync, fstatSync, openSync, readSync } from "node:fs";
import { join } from "node:path";
import type { Reader } from "../../db/sqlite/connection.ts";
import { type ErasedOf, erasedAt, LINE } from "./list.ts";

/** How many participants are looked up at once. */
const SLICE = 10_000;

/** The ids of the participants who are on the list, though they are in the store. */
export function listBack(store: Reader, workspaceUid: string, list: ErasedOf): string[] {
  const found: string[] = [];
  for (let last = 0; ; ) {
    const rows = store.all<{ id: number; uid: string }>(
      `SELECT id, uid FROM participant WHERE id > ? ORDER BY id LIMIT ${SLICE}`,
      last,
    );
    found.push(...rows.map(({ uid }) => uid).filter((uid) => erasedAt(list, workspaceUid, uid) !== undefined));
    if (rows.length < SLICE) return found;
    last = rows.at(-1)!.id;
  }
}

/**
 * The same while the service runs: an erasure is on the list a moment before the person is gone.
 * @returns undefined while one is under way @param read lends the store
 */
export function countBack(
  ledger: Reader,
  workspaceUid: string,
  list: ErasedOf,
  read: <T>(look: (store: Reader) => T) => T,
): number | undefined {
  const count = () => read((store) => listBack(store, workspaceUid, list)).length;
  if (!count()) return 0;
  const isErasing = ledger.value<number>(
    `SELECT 1 FROM job INDEXED BY job_open WHERE workspace_id = (SELECT id FROM workspace WHERE uid = ?) AND finished_at IS NULL
       AND kind IN ('PARTICIPANT_ERASURE', 'PARTICIPANTS_ERASURE')`,
    workspaceUid,
  );
  return isErasing ? undefined : count();
}

/** So much of the end of a list is read. */
const TAIL_BYTES = 4096;

/**
 * Whether a store lacks the last erasure of the list, so that more of them may be back: an erasure leaves an event, and the last event
 * is always kept. Hardly more than a look: called when a store is opened. @returns what it goes by; undefined: it lacks none
 */
export function lacksErasure(store: Reader, folder: string, workspaceUid: string): string | undefined {
  const erased = lastErasure(join(folder, workspaceUid));
  if (erased === undefined) return undefined;
  const event = store.value<number>("SELECT created_at FROM event ORDER BY id DESC LIMIT 1") ?? 0;
  return event < erased ? `${erased} ${event}` : undefined;
}

/** In ms since 1970. undefined: there is none, or the list can't be read. */
function lastErasure(path: string): number | undefined {
  const tail = Buffer.alloc(TAIL_BYTES);
  let length = 0;
  try {
    const file = openSync(path, "r");
    try {
      length = readSync(file, tail, 0, TAIL_BYTES, Math.max(fstatSync(file).size - TAIL_BYTES, 0));
    } finally {
      closeSync(file);
    }
  } catch {
    return undefined;
  }
  const lines = tail.toString("latin1", 0, length).split("\n");
  const times = lines.flatMap((line) =>
    LINE.test(line) && !line.startsWith("key ") ? [Date.parse(line.slice(0, 24))] : [],
  );
  return times.length ? Math.max(...times) : undefined;
}
