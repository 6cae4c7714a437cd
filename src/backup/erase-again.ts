// Erases the people again whom a backup has brought back, before the restored stores are served: those on the list of the erased
// (erasure/list.ts).

import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { migrate } from "../../db/migrate.ts";
import type { Reader, Writer } from "../../db/sqlite/connection.ts";
import { openScratchReader, openWriter } from "../../db/sqlite/open.ts";
import { immediate } from "../../db/sqlite/write.ts";
import { storePath } from "../../db/store.ts";
import { wipe } from "../../db/wipe.ts";
import type { AnyJobKind } from "../engine/run/define-job.ts";
import { endPassed, forgetInJobs } from "../engine/run/forget.ts";
import {
  addErased,
  type ErasedOf,
  type Erasure,
  erasedAt,
  listedWorkspaces,
  mergeLists,
  readList,
} from "../erasure/list.ts";
import { type Cause, recordEvent } from "../events/record.ts";
import { erase, findPerson, forgetUndone } from "../screening/erase.ts";
import { findWorkspace } from "../workspaces/queries.ts";

/** The list beside the backups, as of the last one. */
export const COPY = "erased";

export interface ErasedAgain {
  /** Whether there was a list of the erased. Without it those who were erased since are back. */
  isListThere: boolean;
  /** How many were erased again. */
  participants: number;
  /** The imports and undos that ended, because they waited and an erasure had come after them. */
  jobs: number;
  /** The workspaces with a list whose stores can't be read. */
  failed: string[];
}

interface Restoring {
  dataDir: string;
  erasedDir: string;
  /** The path of the ledger. */
  ledger: string;
  /** The workspaces that have a store. */
  workspaces: readonly string[];
  kinds: readonly AnyJobKind[];
  cause: Cause;
}

const OFFLINE = { busyTimeoutMs: 10_000, checkpoints: true } as const;

/** How many participants are looked up at once. */
const SLICE = 10_000;

/** Gathers the lists that there are in ERASED_DIR. @returns whether there was one */
export function gatherLists(erasedDir: string, others: readonly string[]): boolean {
  const found = [erasedDir, ...others].filter((folder) => existsSync(folder));
  for (const folder of found) if (folder !== erasedDir) mergeLists(folder, erasedDir);
  return found.length > 0;
}

/** Where a backup may have a list beside it. */
export function copiesOf(backup: string): string[] {
  return [join(dirname(backup), COPY)];
}

/** Nothing may run on the stores. */
export function eraseAgain(restoring: Restoring): Omit<ErasedAgain, "isListThere"> {
  const { dataDir, erasedDir, workspaces } = restoring;
  const again = { participants: 0, jobs: 0, failed: [] as string[] };
  const listed = new Set(listedWorkspaces(erasedDir));
  for (const uid of workspaces) {
    try {
      const store = openWriter(storePath(dataDir, uid), OFFLINE, true);
      try {
        if (listed.has(uid)) {
          const { participants, jobs } = eraseIn(restoring, uid, store);
          again.participants += participants;
          again.jobs += jobs;
        }
        // A list that was lost is made again, as far as the log knows.
        addErased(erasedDir, uid, erasuresIn(store));
      } finally {
        store.close();
      }
    } catch {
      // It is found by `verify`, too.
      if (listed.has(uid)) again.failed.push(uid);
    }
  }
  return again;
}

function eraseIn(
  { dataDir, erasedDir, ledger: path, kinds, cause }: Restoring,
  uid: string,
  store: Writer,
): { participants: number; jobs: number } {
  const list = readList(erasedDir, uid);
  const ledger = openWriter(path, OFFLINE, true);
  try {
    migrate(ledger, "control");
    const workspace = findWorkspace(ledger, uid);
    if (!workspace) return { participants: 0, jobs: 0 };
    const of = { ledger, dataDir, workspaceId: workspace.id };
    const forgets = new Map(kinds.flatMap(({ kind, forget }) => (forget ? [[kind, forget] as const] : [])));
    const found = foundIn(store, uid, list);
    for (const participantUid of found) {
      const { changed: jobs } = forgetInJobs(of, forgets, findPerson(store, participantUid));
      immediate(store, () => {
        const resource = { type: "Participant", uid: participantUid };
        const summary = { ...erase(store, participantUid), jobs };
        recordEvent(store, cause, { type: "participant.erased", resource, summary });
      });
    }
    immediate(store, () => forgetUndone(store, (one) => erasedAt(list, uid, one) !== undefined));
    const jobs = endPassed(of, store, Math.max(...list.hashes.values()));
    wipe(store, false);
    wipe(ledger, false);
    return { participants: found.length, jobs };
  } finally {
    ledger.close();
  }
}

function foundIn(store: Reader, uid: string, list: ErasedOf): string[] {
  const found: string[] = [];
  for (let last = 0; ; ) {
    const rows = store.all<{ id: number; uid: string }>(
      `SELECT id, uid FROM participant WHERE id > ? ORDER BY id LIMIT ${SLICE}`,
      last,
    );
    found.push(...rows.map((row) => row.uid).filter((one) => erasedAt(list, uid, one) !== undefined));
    if (rows.length < SLICE) return found;
    last = rows.at(-1)!.id;
  }
}

/** Adds the people to a list whom the log of a store has as erased: older releases kept no list, and one may be lost. */
export function listErased(erasedDir: string, uid: string, path: string): void {
  const store = openScratchReader(path);
  try {
    addErased(erasedDir, uid, erasuresIn(store));
  } finally {
    store.close();
  }
}

/** The people whom a job has erased, by the log of a store. Retention removes the others again by itself. */
function erasuresIn(store: Reader): Erasure[] {
  if (store.value("SELECT 1 FROM sqlite_schema WHERE name = 'event'") === undefined) return [];
  return store.all(
    "SELECT resource_uid AS uid, created_at AS at FROM event WHERE type = 'participant.erased' AND job_uid IS NOT NULL",
  );
}
