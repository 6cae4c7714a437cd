// Removes expired spooled bodies, results, ledger rows and outcomes, and truncates WALs. Runs in a thread of every
// process, soon after the start and once an hour.

import { rewriteAnswerSearchOf } from "../../db/answer-search.ts";
import { type Control, controlPath } from "../../db/control.ts";
import { removeExpired, type Times } from "../../db/expiry.ts";
import { buildLateIndex } from "../../db/late-index.ts";
import { keepSearch, rewriteSearchOf } from "../../db/people-search.ts";
import { CONTROL, Doubt } from "../../db/sqlite/doubt.ts";
import { recover } from "../../db/sqlite/recover.ts";
import { StoreRefusedError } from "../../db/sqlite/refused.ts";
import { immediate, isTransient } from "../../db/sqlite/write.ts";
import { dropExpiredBodies } from "../engine/files/bodies.ts";
import { sweepChosenFiles } from "../engine/files/chosen-files.ts";
import { forEach } from "../engine/files/each.ts";
import {
  deleteFinished,
  expirePlans,
  expireResults,
  keepBudget,
  measureResults,
  removeStepwise,
} from "../engine/ledger/expiry.ts";
import { sweepFiles } from "../engine/ledger/sweep.ts";
import type { SideTask, Stores } from "../engine/threads/side-task.ts";
import { movePending, workspacesWithPending } from "../events/outbox.ts";
import { mendMailNote } from "../mail/notes.ts";
import { alignKeys, overwriteKeys } from "../signals/keys.ts";
import { mendWebhooks } from "../webhooks/delivery-queries.ts";
import { trustedTime } from "../workspaces/clock.ts";
import { listWorkspaces } from "../workspaces/queries.ts";

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/** How long a job stays in the ledger after it has ended. */
const LEDGER_DAYS = 30;

/** Brings every store up to date, which opening it does, and removes what has expired. */
export const tidyStores: SideTask<undefined, void> = {
  name: "tidy",
  perform: (stores) => tidy(stores, trustedTime(stores.control.reader)),
};

/** Moves events of the control store to the logs of their workspaces. */
export const moveEvents: SideTask<undefined, void> = {
  name: "events",
  perform({ control, workspaces }) {
    let failure: unknown;
    for (const uid of workspacesWithPending(control.reader)) {
      try {
        movePending(control.writer, uid, (work) => workspaces.write(uid, work));
      } catch (error) {
        // The next run tries again.
        if (!isTransient(error)) failure ??= error;
      }
    }
    if (failure !== undefined) throw failure;
  },
};

/** Brings a workspace's store up to date. */
export const migrateWorkspace: SideTask<string, void> = {
  name: "migrate",
  perform({ workspaces }, uid) {
    workspaces.migrate(uid);
    // All of the store is in the WAL now.
    workspaces.trim(uid);
  },
};

/** Takes what small writes have brought into the search for people, and checkpoints the WAL of a workspace's store. */
export const checkpointWorkspace: SideTask<string, void> = {
  name: "checkpoint",
  perform({ workspaces }, uid) {
    keepSearch(workspaces, uid);
    workspaces.checkpoint(uid);
  },
};

/** Brings a store out of doubt (db/sqlite/doubt.ts). @returns false when it was not in doubt */
export const recoverStore: SideTask<string, boolean> = {
  name: "recover",
  perform: ({ dataDir, workspaces }, name) =>
    name === CONTROL ? recover(controlPath(dataDir), new Doubt(dataDir, CONTROL)) : workspaces.recover(name),
};

/** Removes what has expired. Each step is short and may run twice. */
export function tidy(stores: Stores, now = Date.now()): void {
  const { dataDir, jobResultTtlHours, eventsTtlDays, control } = stores;
  const { writer } = control;
  const jobsSince = now - Math.max(LEDGER_DAYS * DAY_MS, jobResultTtlHours * HOUR_MS);
  // What fails in one step, each hour, must not keep the others from it.
  const steps: (() => void)[] = [
    () => removeStepwise(stores, () => expirePlans(writer, now)),
    () => removeStepwise(stores, () => expireResults(writer, now - jobResultTtlHours * HOUR_MS)),
    () => dropExpiredBodies(writer, dataDir, now),
    () => {
      while (immediate(writer, () => measureResults(writer, dataDir)));
      keepBudget(stores, now);
    },
    () => {
      while (immediate(writer, () => deleteFinished(writer, jobsSince)));
      // Event loops write to this store too, but never checkpoint its WAL.
      writer.checkpoint("PASSIVE");
    },
    () => sweepFiles(dataDir, control.reader, now),
    () => sweepChosenFiles(dataDir, now),
    () => tidyWorkspaces(stores, { now, jobsSince, eventsSince: now - eventsTtlDays * DAY_MS }),
    () => overwriteKeys(control, dataDir),
  ];
  forEach(steps, (step) => step());
}

/** The same in each workspace's store. */
function tidyWorkspaces({ control, workspaces, expiring }: Stores, times: Times): void {
  forEachWorkspace(control, (uid) => {
    try {
      workspaces.migrate(uid);
      const hasRemoved = removeExpired(workspaces, uid, expiring, times);
      buildLateIndex(workspaces, uid);
      keepSearch(workspaces, uid);
      rewriteSearchOf(workspaces, uid);
      rewriteAnswerSearchOf(workspaces, uid);
      mendMailNote(control, workspaces, uid);
      alignKeys({ control, workspaces }, uid, times.now);
      mendWebhooks(control, workspaces, uid, Math.max(times.now, Date.now()));
      workspaces.trim(uid, hasRemoved);
    } catch (error) {
      // For example, an import holds the lock. The next run tries again. A store that is refused is named.
      if (!isTransient(error) || error instanceof StoreRefusedError) throw error;
    }
  });
}

/** Brings every workspace store up to date, one at a time. May be interrupted and repeated. @returns their number */
export function migrateAll({ control, workspaces }: Pick<Stores, "control" | "workspaces">): number {
  return forEachWorkspace(control, (uid) => workspaces.migrate(uid));
}

/** Continues after a workspace that fails. @throws Error that names all that failed, at the end */
function forEachWorkspace(control: Control, perform: (uid: string) => void): number {
  const all = listWorkspaces(control.reader);
  const failed: string[] = [];
  for (const { uid } of all) {
    try {
      perform(uid);
    } catch (error) {
      failed.push(`${uid}: ${error instanceof Error ? error.message : error}`);
    }
  }
  if (failed.length) throw new Error(`It failed for ${failed.length} of ${all.length} workspaces. ${failed.join(" ")}`);
  return all.length;
}
