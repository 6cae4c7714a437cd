// What the ledger knows of workspaces' stores, and what is found when they are opened.

import type { Control } from "../../../db/control.ts";
import type { Reader, Writer } from "../../../db/sqlite/connection.ts";
import type { StoreRefusedError } from "../../../db/sqlite/refused.ts";
import { whenFree } from "../../../db/sqlite/when-free.ts";
import { immediate, isTransient } from "../../../db/sqlite/write.ts";
import type { WorkspacesOptions } from "../../../db/store.ts";
import type { Workspaces } from "../../../db/workspaces.ts";
import type { Log } from "../../base/log.ts";
import { Problem } from "../../base/problems.ts";
import { lacksErasure } from "../../erasure/back.ts";
import { renewLog } from "../../events/log.ts";
import { pendEvent } from "../../events/outbox.ts";
import type { Cause } from "../../events/record.ts";
import { findOpening, forgetCheck, makeCheckDue, recordFinding } from "../../workspaces/store-findings.ts";
import { type MigrationLine, recordStep } from "../../workspaces/store-migrations.ts";
import { eventOfEnd } from "../ledger/events.ts";
import { failureOf, findOutcome } from "../ledger/outcome.ts";
import { findJob, listSucceeded } from "../ledger/queries.ts";
import { failSucceeded } from "../ledger/states.ts";
import { type AnyJobKind, eventsOf } from "./define-job.ts";

const DAY_MS = 24 * 3_600_000;
/** Upkeep removes older rows, in the ledger and in the store. */
const KNOWN_MS = 25 * DAY_MS;

/** How a process or thread knows its stores: options of Workspaces. */
interface StoreKnowledge {
  jobsOf(workspaceId: string): string[];
  onOpened(workspaceId: string, refused?: StoreRefusedError, opened?: Reader): void;
}

/** Finds stores that lack an erasure when they are opened, once for each state of a store and its list. */
function erasureWatch(erasedDir: string): (workspaceId: string, opened: Reader | undefined) => boolean {
  const known = new Map<string, string>();
  return (id, opened) => {
    const lack = opened && lacksErasure(opened, erasedDir, id);
    if (lack === undefined || known.get(id) === lack) return false;
    known.set(id, lack);
    return true;
  };
}

/** For a thread or a command, which may wait for the ledger's lock. @param print gets a line when a migration begins, after each step, and when it ends */
export function knownStores(
  { reader, writer }: Control,
  erasedDir: string,
  print?: (line: MigrationLine) => void,
): StoreKnowledge & Pick<WorkspacesOptions, "onMigration"> {
  /** The sizes of stores before their migration. */
  const before = new Map<string, number>();
  const hasNewLack = erasureWatch(erasedDir);
  return {
    onMigration(workspace, step) {
      const { from, at, to, state, ms, bytes } = step;
      if (state === "UNDER_WAY" && at === from) {
        before.set(workspace, bytes);
        print?.({ msg: "store migrating", workspace, from, to, bytes });
      } else if (state === "UNDER_WAY") print?.({ msg: "store migration step", workspace, from, to, at, ms, bytes });
      if (state === "DONE")
        print?.({ msg: "store migrated", workspace, from, to, ms, bytesBefore: before.get(workspace)!, bytes });
      try {
        immediate(writer, () => recordStep(writer, workspace, step, Date.now()));
      } catch (error) {
        // The migration goes on, even if its progress is not recorded.
        if (!isTransient(error)) throw error;
      }
    },
    jobsOf: (id) => listSucceeded(reader, id, Date.now() - KNOWN_MS),
    onOpened(id, refused, opened) {
      try {
        if (hasNewLack(id, opened)) immediate(writer, () => makeCheckDue(writer, id));
        if (findOpening(reader, id) === (refused?.summary ?? null)) return;
        immediate(writer, () => recordOpening(writer, id, refused));
      } catch (error) {
        // It is found again when the store is opened the next time.
        if (!isTransient(error)) throw error;
      }
    },
  };
}

/** For an event loop. New findings are logged. */
export function watchedStores({ reader, writer }: Control, erasedDir: string, log: Log): StoreKnowledge {
  const hasNewLack = erasureWatch(erasedDir);
  /** The findings to record. They may change while a write waits for the ledger's lock. */
  const latest = new Map<string, StoreRefusedError | undefined>();
  const record = async (id: string) => {
    try {
      for (let recorded: StoreRefusedError | null | undefined = null; recorded !== latest.get(id); )
        recorded = await whenFree(writer, RECORD_WAIT_MS, () => {
          const refused = latest.get(id);
          recordOpening(writer, id, refused);
          return refused;
        });
    } catch (error) {
      log.warn({ workspace: id, err: error }, "finding not recorded");
    } finally {
      latest.delete(id);
    }
  };
  return {
    jobsOf: (id) => listSucceeded(reader, id, Date.now() - KNOWN_MS),
    onOpened(id, refused, opened) {
      if (hasNewLack(id, opened))
        whenFree(writer, RECORD_WAIT_MS, () => makeCheckDue(writer, id)).catch((error) =>
          log.warn({ workspace: id, err: error }, "finding not recorded"),
        );
      const message = refused?.summary ?? null;
      const isRecording = latest.has(id);
      if ((isRecording ? (latest.get(id)?.summary ?? null) : findOpening(reader, id)) === message) return;
      latest.set(id, refused);
      if (refused) log.error({ workspace: id, err: refused }, "store refused");
      else log.info({ workspace: id }, "store opened again");
      if (!isRecording) void record(id);
    },
  };
}

/** Records what was found when a store was opened. @param refused undefined: nothing is wrong (any more) */
function recordOpening(db: Writer, id: string, refused: StoreRefusedError | undefined): void {
  const isClosed = refused?.fault === "unreadable";
  recordFinding(db, id, "OPENING", refused && !isClosed ? refused.summary : null);
  recordFinding(db, id, "ACCESS", refused && isClosed ? refused.summary : null);
  if (!refused) forgetCheck(db, id);
}

const RECORD_WAIT_MS = 1000;

/**
 * Accepts a store that is older than the ledger: jobs whose outcomes it lacks become failed, so that no reply shows lost data, and
 * their Idempotency-Keys are free. Each gets an event. The log gets a new id, so that its readers notice.
 * @returns the ids of these jobs
 */
export function acceptStore(
  { reader, writer }: Control,
  workspaces: Workspaces,
  workspaceUid: string,
  { cause, kinds }: { cause: Cause; kinds: readonly AnyJobKind[] },
): string[] {
  const succeeded = listSucceeded(reader, workspaceUid, 0, -1);
  const lost = workspaces.read(workspaceUid, (db) => succeeded.filter((uid) => !findOutcome(db, uid)));
  workspaces.write(workspaceUid, renewLog);
  immediate(writer, () => recordFinding(writer, workspaceUid, "ERASED", null));
  const outcome = failureOf(new Problem("job_lost").document);
  immediate(writer, () => {
    for (const uid of lost) {
      const job = findJob(writer, uid)!;
      if (!failSucceeded(writer, uid, outcome.problem!)) continue;
      const event = eventOfEnd(eventsOf(kinds, job.kind), job, outcome);
      pendEvent(writer, workspaceUid, { ...cause, jobUid: uid }, event);
    }
  });
  return lost;
}
