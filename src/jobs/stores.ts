// What the ledger knows of workspaces' stores, and what is found when they are opened.

import type { Writer } from "../../db/connection.ts";
import type { Control } from "../../db/control.ts";
import type { StoreRefusedError } from "../../db/refused.ts";
import { whenFree } from "../../db/when-free.ts";
import type { Workspaces } from "../../db/workspaces.ts";
import { immediate, isTransient } from "../../db/write.ts";
import { pendEvent } from "../events/outbox.ts";
import type { Cause } from "../events/record.ts";
import type { Log } from "../log.ts";
import { Problem } from "../problems.ts";
import { findFinding, forgetCheck, recordFinding } from "../workspaces/store-findings.ts";
import type { AnyJobKind } from "./define-job.ts";
import { eventOfEnd, type JobEvents } from "./events.ts";
import { failureOf, findOutcome } from "./outcome.ts";
import { failSucceeded, findJob, listSucceeded } from "./queries.ts";

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
        const message = refused?.summary ?? null;
        if (findFinding(reader, id, "OPENING") === message) return;
        immediate(writer, () => recordOpening(writer, id, message));
      } catch (error) {
        // It is found again when the store is opened the next time.
        if (!isTransient(error)) throw error;
      }
    },
  };
}

/** For an event loop. What is new is logged. */
export function watchedStores({ reader, writer }: Control, log: Log): StoreKnowledge {
  /** What is to be recorded of stores. It may change while the ledger's lock is waited for. */
  const latest = new Map<string, string | null>();
  const record = async (id: string) => {
    try {
      let recorded: string | null | undefined;
      while (recorded !== latest.get(id))
        recorded = await whenFree(writer, RECORD_WAIT_MS, () => {
          const message = latest.get(id)!;
          recordOpening(writer, id, message);
          return message;
        });
    } catch (error) {
      log.warn({ workspace: id, err: error }, "finding not recorded");
    } finally {
      latest.delete(id);
    }
  };
  return {
    jobsOf: (id) => listSucceeded(reader, id, Date.now() - KNOWN_MS),
    onOpened(id, refused) {
      const message = refused?.summary ?? null;
      const isRecording = latest.has(id);
      if ((isRecording ? latest.get(id) : findFinding(reader, id, "OPENING")) === message) return;
      latest.set(id, message);
      if (refused) log.error({ workspace: id, err: refused }, "store refused");
      else log.info({ workspace: id }, "store opened again");
      if (!isRecording) void record(id);
    },
  };
}

/** What was found when a store was opened; null when nothing is wrong (any more). */
function recordOpening(db: Writer, id: string, message: string | null): void {
  recordFinding(db, id, "OPENING", message);
  if (message === null) forgetCheck(db, id);
}

const RECORD_WAIT_MS = 1000;

/** Of a job of a kind that this release does not have. */
const UNKNOWN_KIND: JobEvents = { succeeded: "job.failed", failed: "job.failed" };

/**
 * Accepts a store that is older than the ledger: the jobs whose outcomes it lacks have failed now, so that nobody is answered
 * with what is not there, and their Idempotency-Keys are free. Each has an event. @returns the ids of these jobs
 */
export function acceptStore(
  { reader, writer }: Control,
  workspaces: Workspaces,
  workspaceUid: string,
  { cause, kinds }: { cause: Cause; kinds: readonly AnyJobKind[] },
): string[] {
  const succeeded = listSucceeded(reader, workspaceUid, 0, -1);
  const lost = workspaces.read(workspaceUid, (db) => succeeded.filter((uid) => !findOutcome(db, uid)));
  const outcome = failureOf(new Problem("job_lost").document);
  immediate(writer, () => {
    for (const uid of lost) {
      const job = findJob(writer, uid)!;
      if (!failSucceeded(writer, uid, outcome.problem!)) continue;
      const events = kinds.find(({ kind }) => kind === job.kind)?.events ?? UNKNOWN_KIND;
      pendEvent(writer, workspaceUid, { ...cause, jobUid: uid }, eventOfEnd(events, job, outcome));
    }
  });
  return lost;
}
