// Erases the people again whom a backup has brought back, before the restored stores are served: those on the list of the erased
// (erasure/list.ts).

import { existsSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { rewriteAnswerSearch } from "../../db/answer-search.ts";
import { migrate } from "../../db/migrate.ts";
import { rewriteSearch } from "../../db/people-search.ts";
import { OFFLINE } from "../../db/profiles.ts";
import type { Reader, Writer } from "../../db/sqlite/connection.ts";
import { openScratchReader, openWriter } from "../../db/sqlite/open.ts";
import { immediate } from "../../db/sqlite/write.ts";
import { storePath } from "../../db/store.ts";
import { overwriteUnused, wipe } from "../../db/wipe.ts";
import { Problem } from "../base/problems.ts";
import { dropBodies } from "../engine/files/bodies.ts";
import { causedByService, eventOfEnd } from "../engine/ledger/events.ts";
import { dropResults } from "../engine/ledger/expiry.ts";
import { failureOf, findOutcome } from "../engine/ledger/outcome.ts";
import { removeFiles } from "../engine/ledger/plans.ts";
import { findJob } from "../engine/ledger/queries.ts";
import { markEnded } from "../engine/ledger/states.ts";
import { type AnyJobKind, eventsOf } from "../engine/run/define-job.ts";
import { end, forgetInJobs, type KeptJob, type Ledger } from "../engine/run/forget.ts";
import { listBack } from "../erasure/back.ts";
import {
  addErased,
  type Erasure,
  erasedAt,
  isListThere,
  listedWorkspaces,
  mergeLists,
  readList,
} from "../erasure/list.ts";
import { pendEvent } from "../events/outbox.ts";
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

interface Erasing {
  dataDir: string;
  erasedDir: string;
  /** The path of the ledger. */
  ledger: string;
  kinds: readonly AnyJobKind[];
  cause: Cause;
}

interface Restoring extends Erasing {
  /** The workspaces that have a store. */
  workspaces: readonly string[];
}

/** Where lists are. */
interface Lists {
  erasedDir: string;
  otherLists: readonly string[];
  /** Whether it is all right that there is none. */
  isListNeedless?: boolean | undefined;
}

/**
 * Whether there is a list. A folder that was named, or is beside the backups, may be empty: then nobody was erased. ERASED_DIR may be the
 * empty folder where a disk is missing. @throws NoList if there has to be one
 */
export function findLists({ erasedDir, otherLists, isListNeedless }: Lists): boolean {
  const isThere = isListThere(erasedDir) || otherLists.some((folder) => existsSync(folder));
  if (!isThere && !isListNeedless) throw new NoList(erasedDir);
  return isThere;
}

/** Those who were erased after the backup would be back. Nothing was restored. */
class NoList extends Error {
  constructor(erasedDir: string) {
    super(
      `There is no list of the erased, neither in ${erasedDir} (ERASED_DIR) nor beside the backup, so people who were erased after it would be back. ` +
        "Nothing was restored. Name a folder with the list (--erased DIR), or say --without-erased if nobody was erased, or is to be erased again by hand.",
    );
  }
}

/** Gathers the lists in ERASED_DIR. */
export function gatherLists({ erasedDir, otherLists }: Lists): void {
  for (const folder of otherLists)
    if (existsSync(folder) && resolve(folder) !== resolve(erasedDir)) mergeLists(folder, erasedDir);
}

/** Where a backup may have a list: beside it, and that of one workspace in it. */
export function copiesOf(backup: string): string[] {
  return [join(dirname(backup), COPY), join(backup, COPY)];
}

/** Nothing may run on the stores. */
export function eraseAgain(restoring: Restoring): Omit<ErasedAgain, "isListThere"> {
  const { erasedDir, workspaces } = restoring;
  const again = { participants: 0, jobs: 0, failed: [] as string[] };
  const listed = new Set(listedWorkspaces(erasedDir));
  for (const uid of workspaces) {
    try {
      const { participants, jobs } = eraseReturned(restoring, uid);
      again.participants += participants;
      again.jobs += jobs;
    } catch {
      // It is found by `verify`, too.
      if (listed.has(uid)) again.failed.push(uid);
    }
  }
  return again;
}

/**
 * Erases those on the list of a workspace whom its store has again. No job of the workspace may run meanwhile, and it must be of this
 * release's schema. May be interrupted and repeated.
 */
export function eraseReturned(erasing: Erasing, uid: string): { participants: number; jobs: number } {
  const store = openWriter(storePath(erasing.dataDir, uid), OFFLINE, true);
  try {
    const isListed = listedWorkspaces(erasing.erasedDir).includes(uid);
    const again = isListed ? eraseIn(erasing, uid, store) : { participants: 0, jobs: 0 };
    // A list that was lost is made again, as far as the log knows.
    addErased(erasing.erasedDir, uid, erasuresIn(store));
    return again;
  } finally {
    store.close();
  }
}

function eraseIn(
  { dataDir, erasedDir, ledger: path, kinds, cause }: Erasing,
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
    const found = listBack(store, uid, list);
    for (const participantUid of found) {
      const { changed: jobs } = forgetInJobs(of, forgets, [findPerson(store, participantUid)]);
      immediate(store, () => {
        const resource = { type: "Participant", uid: participantUid };
        const summary = { ...erase(store, participantUid), jobs };
        recordEvent(store, cause, { type: "participant.erased", resource, summary });
      });
    }
    immediate(store, () => forgetUndone(store, (one) => erasedAt(list, uid, one) !== undefined));
    const last = [...list.hashes.values()].reduce((one, other) => Math.max(one, other), 0);
    const jobs = endPassed(of, store, last, kinds);
    rewriteSearch((work) => immediate(store, () => work(store)));
    rewriteAnswerSearch((work) => immediate(store, () => work(store)));
    wipe(store, false);
    wipe(ledger, false);
    overwriteUnused([storePath(dataDir, uid), path]);
    return { participants: found.length, jobs };
  } finally {
    ledger.close();
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

const PASSED =
  "It waited in the backup, and somebody was erased after it. It may have that person, so it does not run.";

/**
 * Ends waiting imports and undos, and plans, that were accepted before an erasure that this store does not know: they may have that
 * person. Kept bodies are removed, too. @param erasedAt the time of the last erasure, in ms since 1970 @returns how many have ended
 */
function endPassed(
  { ledger, dataDir, workspaceId }: Ledger,
  store: Reader,
  erasedAt: number,
  kinds: readonly AnyJobKind[],
): number {
  const importing = kinds.filter(({ keepsOrder }) => keepsOrder).map(({ kind }) => kind);
  const jobs = ledger.all<KeptJob & { is_kept: 0 | 1 }>(
    `SELECT id, uid, kind, status, result_file, rows, 1 AS is_plan, body_until IS NOT NULL AS is_kept FROM job NOT INDEXED
     WHERE workspace_id = ? AND created_at < ? AND (kind IN (SELECT value FROM json_each(?)) OR plan IS NOT NULL)
       AND (finished_at IS NULL OR status = 'PLANNED' OR body_until IS NOT NULL)`,
    workspaceId,
    erasedAt,
    JSON.stringify(importing),
  );
  if (jobs.some(({ is_kept }) => is_kept)) dropBodies(ledger, dataDir, workspaceId);
  // One that has taken effect only has to say so.
  const open = jobs.filter(({ uid, is_kept }) => !is_kept && findOutcome(store, uid) === undefined);
  for (const job of open) {
    if (job.status === "PLANNED") end(ledger, dataDir, job, new Problem("plan_outdated", { detail: PASSED }));
    else fail(ledger, dataDir, job, new Problem("job_overtaken", { detail: PASSED }), kinds);
    immediate(ledger, () => dropResults(ledger, [job]));
  }
  return open.length;
}

/** Fails a job that has no outcome, and does not run. Only the ledger says so, as for a job that is lost. */
function fail(ledger: Writer, dataDir: string, { id, uid }: KeptJob, problem: Problem, kinds: readonly AnyJobKind[]) {
  immediate(ledger, () => {
    const job = findJob(ledger, uid)!;
    const outcome = failureOf(problem.document);
    ledger.run("UPDATE job SET apply_begun = 0 WHERE id = ?", id);
    if (!markEnded(ledger, id, "FAILED", outcome.problem!, Date.now())) return;
    pendEvent(ledger, job.workspace_uid, causedByService(uid), eventOfEnd(eventsOf(kinds, job.kind), job, outcome));
  });
  removeFiles(dataDir, { uid, result_file: null });
}
