// Removes expired spooled bodies, results, ledger rows and outcomes, and truncates WALs. Runs in a thread of every
// process, at the start and once an hour.

import { rmSync } from "node:fs";
import { type Control, controlPath } from "../../db/control.ts";
import { buildLateIndex } from "../../db/late-index.ts";
import type { Reader } from "../../db/sqlite/connection.ts";
import { CONTROL, Doubt } from "../../db/sqlite/doubt.ts";
import { recover } from "../../db/sqlite/recover.ts";
import { StoreRefusedError } from "../../db/sqlite/refused.ts";
import { immediate, isTransient } from "../../db/sqlite/write.ts";
import { dropExpiredBodies } from "../engine/files/bodies.ts";
import { sweepChosenFiles } from "../engine/files/chosen-files.ts";
import { forEach } from "../engine/files/each.ts";
import { resultPath } from "../engine/files/result-file.ts";
import { deleteEffects, findOldEffect } from "../engine/ledger/effects.ts";
import {
  bytesKept,
  deleteFinished,
  expirePlans,
  expireResults,
  measureResults,
  overBudget,
  type Removed,
  trimResults,
} from "../engine/ledger/expiry.ts";
import { deleteOutcomes, dropResults, hasOldOutcomes } from "../engine/ledger/outcome.ts";
import { removeFiles, UNDO_MS } from "../engine/ledger/plans.ts";
import { sweepFiles } from "../engine/ledger/sweep.ts";
import type { SideTask, Stores } from "../engine/threads/side-task.ts";
import { movePending, workspacesWithPending } from "../events/outbox.ts";
import { deleteEvents, hasOldEvents } from "../events/queries.ts";
import { endLapsedOffers, hasLapsedOffers } from "../quota-jobs/end-offers.ts";
import { deleteDeliveriesUntil, mendWebhooks } from "../webhooks/delivery-queries.ts";
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

/** Checkpoints the WAL of a workspace's store. */
export const checkpointWorkspace: SideTask<string, void> = {
  name: "checkpoint",
  perform: ({ workspaces }, uid) => workspaces.checkpoint(uid),
};

/** Brings a store out of doubt (db/sqlite/doubt.ts). @returns false when it was not in doubt */
export const recoverStore: SideTask<string, boolean> = {
  name: "recover",
  perform: ({ dataDir, workspaces }, name) =>
    name === CONTROL ? recover(controlPath(dataDir), new Doubt(dataDir, CONTROL)) : workspaces.recover(name),
};

/** Removes what has expired. Each step is short and may run twice. */
export function tidy(stores: Stores, now = Date.now()): void {
  const { dataDir, jobResultTtlHours, control } = stores;
  const { writer } = control;
  const ledgerUntil = now - Math.max(LEDGER_DAYS * DAY_MS, jobResultTtlHours * HOUR_MS);
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
      while (immediate(writer, () => deleteFinished(writer, ledgerUntil)));
      // Event loops write to this store too, but never checkpoint its WAL.
      writer.checkpoint("PASSIVE");
    },
    () => sweepFiles(dataDir, control.reader, now),
    () => sweepChosenFiles(dataDir, now),
    () => tidyWorkspaces(stores, now, ledgerUntil),
  ];
  forEach(steps, (step) => step());
}

/** The same in each workspace's store. */
function tidyWorkspaces(stores: Stores, now: number, ledgerUntil: number): void {
  const { eventsTtlDays, control, workspaces } = stores;
  const [resultsUntil, effectsUntil, eventsUntil] = [now - DAY_MS, now - UNDO_MS, now - eventsTtlDays * DAY_MS];
  forEachWorkspace(control, (uid) => {
    try {
      workspaces.migrate(uid);
      // Most stores have nothing to remove, and are only read.
      const has = (look: (db: Reader) => boolean) => workspaces.read(uid, look);
      // An outcome is needed until the ledger has a copy. Jobs are retried for minutes, not for days.
      if (has((db) => hasOldOutcomes(db, ledgerUntil, resultsUntil)))
        workspaces.write(uid, (db) => {
          deleteOutcomes(db, ledgerUntil);
          dropResults(db, resultsUntil);
        });
      if (has((db) => findOldEffect(db, effectsUntil) !== undefined))
        while (workspaces.write(uid, (db) => deleteEffects(db, effectsUntil)));
      if (has((db) => hasOldEvents(db, eventsUntil)))
        while (workspaces.write(uid, (db) => deleteEvents(db, eventsUntil, deleteDeliveriesUntil)));
      if (has((db) => hasLapsedOffers(db, now))) while (workspaces.write(uid, (db) => endLapsedOffers(db, now)));
      buildLateIndex(workspaces, uid);
      mendWebhooks(control, workspaces, uid, Math.max(now, Date.now()));
      workspaces.trim(uid);
    } catch (error) {
      // For example, an import holds the lock. The next run tries again. A store that is refused is named.
      if (!isTransient(error) || error instanceof StoreRefusedError) throw error;
    }
  });
}

/** Removes the oldest results of a workspace, and of all, while they need too much space. It is cheap when they do not. */
export function keepBudget(stores: Omit<Stores, "workspaces">, now = Date.now()): void {
  const { control, resultsMaxBytes, workspaceResultsMaxBytes: maxBytes } = stores;
  for (const workspaceId of overBudget(control.reader, maxBytes))
    removeStepwise(stores, () => trimResults(control.writer, maxBytes, now, workspaceId));
  if (bytesKept(control.reader) <= resultsMaxBytes) return;
  removeStepwise(stores, () => trimResults(control.writer, resultsMaxBytes, now));
}

function removeStepwise({ dataDir, control }: Pick<Stores, "dataDir" | "control">, step: () => Removed): void {
  for (let isDone = false; !isDone; ) {
    const removed = immediate(control.writer, step);
    for (const file of removed.files) rmSync(resultPath(dataDir, file), { force: true });
    for (const plan of removed.plans) removeFiles(dataDir, plan);
    isDone = removed.isDone;
  }
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
