// Writes events into a workspace's store: asked with a number of transactions a second, the events of each, and how many
// transactions, it says when all are written.

import { setTimeout as sleep } from "node:timers/promises";
import { parentPort, workerData } from "node:worker_threads";
import { openWriter } from "../../db/sqlite/open.ts";
import { immediate } from "../../db/sqlite/write.ts";
import { newId } from "../../src/base/ids.ts";
import { BY_SERVICE, recordEvent } from "../../src/events/record.ts";

export interface Writes {
  /** Transactions a second; 0: as fast as it goes. */
  perSecond: number;
  events: number;
  transactions: number;
}

const { path, type } = workerData as { path: string; type: "participant.updated" };
const db = openWriter(path, { busyTimeoutMs: 10_000, checkpoints: false, durable: "later" });
const changes = [{ field: "name", from: "Ada King", to: "Ada Lovelace" }];

parentPort!.on("message", async ({ perSecond, events, transactions }: Writes) => {
  const started = performance.now();
  for (let transaction = 0; transaction < transactions; transaction++) {
    if (perSecond) await sleep(Math.max(0, started + (transaction * 1000) / perSecond - performance.now()));
    immediate(db, () => {
      for (let event = 0; event < events; event++)
        recordEvent(db, BY_SERVICE, { type, resource: { type: "Participant", uid: newId() }, changes });
    });
  }
  parentPort!.postMessage(performance.now() - started);
});
