// What the ledger knows of workspaces' stores, and what is found when they are opened.

import type { Control } from "../../db/control.ts";
import type { StoreRefusedError } from "../../db/refused.ts";
import { immediate, isTransient, whenFree } from "../../db/write.ts";
import type { Log } from "../log.ts";
import { findFinding, recordFinding } from "../workspaces/findings.ts";
import { listSucceeded } from "./queries.ts";

const DAY_MS = 24 * 3_600_000;
/** Younger than what upkeep removes, here and in the store. */
const KNOWN_MS = 25 * DAY_MS;

/** How a process or thread knows its stores: options of Workspaces. */
export interface StoreKnowledge {
  jobsOf(workspaceId: string): string[];
  onOpened(workspaceId: string, refused?: StoreRefusedError): void;
}

/** For a thread or a command, which may wait for the ledger's lock. */
export function knownStores({ reader, writer }: Control): StoreKnowledge {
  return {
    jobsOf: (id) => listSucceeded(reader, id, Date.now() - KNOWN_MS),
    onOpened(id, refused) {
      try {
        const message = refused?.message ?? null;
        if (findFinding(reader, id, "OPENING") === message) return;
        immediate(writer, () => recordFinding(writer, id, "OPENING", message));
      } catch (error) {
        // It is found again when the store is opened the next time.
        if (!isTransient(error)) throw error;
      }
    },
  };
}

/** For an event loop. What is new is logged. */
export function watchedStores({ reader, writer }: Control, log: Log): StoreKnowledge {
  const recording = new Set<string>();
  return {
    jobsOf: (id) => listSucceeded(reader, id, Date.now() - KNOWN_MS),
    onOpened(id, refused) {
      const message = refused?.message ?? null;
      if (recording.has(id) || findFinding(reader, id, "OPENING") === message) return;
      recording.add(id);
      if (refused) log.error({ workspace: id, err: refused }, "store refused");
      else log.info({ workspace: id }, "store opened again");
      whenFree(writer, RECORD_WAIT_MS, () => recordFinding(writer, id, "OPENING", message))
        .catch((error: unknown) => log.warn({ workspace: id, err: error }, "finding not recorded"))
        .finally(() => recording.delete(id));
    },
  };
}

const RECORD_WAIT_MS = 1000;
