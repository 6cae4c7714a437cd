// Checks stores: their pages, their references, their counts, and the ledger against the stores' outcomes. Each check
// returns sentences about what is wrong.

import { existsSync } from "node:fs";
import { blockSize, type CountedTable, countedSql, PART_BLOCKS } from "../../db/list/counts.ts";
import { checkVersion, SchemaTooNewError, type StoreKind } from "../../db/migrate.ts";
import type { Reader } from "../../db/sqlite/connection.ts";
import { spoolPath } from "../engine/files/bodies.ts";
import { resultPath } from "../engine/files/result-file.ts";
import { countedEvents } from "../events/record.ts";
import { importJob } from "../imports/job.ts";
import { countedMailings, countedMessages } from "../mailings/resource.ts";
import { countedLinks } from "../nouns/links/resource.ts";
import { countedSuppressions } from "../nouns/mail-suppressions/resource.ts";
import { countedNotes } from "../nouns/participant-notes/resource.ts";
import { countedRequests } from "../nouns/participant-requests/resource.ts";
import { countedParticipants } from "../nouns/participants/resource.ts";
import { countedResponses } from "../nouns/responses/resource.ts";
import { countedAssignments } from "../nouns/screener-participants/resource.ts";
import { countedScreeners } from "../nouns/screeners/resource.ts";
import { countedSessions } from "../nouns/sessions/resource.ts";
import { countedDeliveries, countedEndpoints } from "../webhooks/resource.ts";

export const counted: CountedTable[] = [
  countedEvents,
  countedScreeners,
  countedLinks,
  countedParticipants,
  countedRequests,
  countedNotes,
  countedSuppressions,
  countedMailings,
  countedMessages,
  countedAssignments,
  countedSessions,
  countedResponses,
  countedEndpoints,
  countedDeliveries,
];

/** One sentence says enough about each kind of damage. */
const MAX_SHOWN = 5;

/** Outcomes are removed at about the same time as their jobs. */
const OUTCOME_DAYS = 29;
const DAY_MS = 24 * 3_600_000;

/** Checks the pages, the schema and the references of a store. */
export function checkStore(db: Reader, kind: StoreKind): string[] {
  const pages = db.values<string>(`PRAGMA integrity_check(${MAX_SHOWN})`).filter((line) => line !== "ok");
  if (pages.length) return pages.map((line) => `it is damaged: ${line}`);
  try {
    checkVersion(db, kind);
  } catch (error) {
    if (!(error instanceof SchemaTooNewError)) throw error;
    return [`it has schema version ${error.found}, and this release knows only version ${error.known}`];
  }
  return db
    .all<{ table: string; rowid: number | null; parent: string }>("PRAGMA foreign_key_check")
    .slice(0, MAX_SHOWN)
    .map(
      ({ table, rowid, parent }) => `row ${rowid ?? "?"} of ${table} refers to a row of ${parent} that is not there`,
    );
}

/** Checks the counts of lists against the rows. The store has the current schema. */
export function checkCounts(db: Reader): string[] {
  return counted.flatMap((one) => {
    const isRight = levelsOf(one).every(({ kept, real }) => hasSameRows(db, kept, real));
    return isRight ? [] : [`the counts of ${one.table} are not those of its rows`];
  });
}

/** The counts of blocks, and those of parts: SELECTs of what is kept, and of what should be. */
function levelsOf(one: CountedTable): { kept: string; real: string }[] {
  const { table, facets } = one;
  const grouped = (number: string, n: string, from: string) =>
    `SELECT ${[...facets, number].join(", ")}, ${n} AS n FROM ${from} GROUP BY ${[...facets, number].join(", ")}`;
  const rows = `${table} AS t WHERE ${countedSql(one)}`;
  const keptIn = (level: string) => `SELECT ${[...facets, level].join(", ")}, n FROM ${table}_${level} WHERE n <> 0`;
  const blocks = { kept: keptIn("block"), real: grouped(`id / ${blockSize(one)}`, "count(*)", rows) };
  if (!one.parts) return [blocks];
  return [blocks, { kept: keptIn("part"), real: grouped(`block / ${PART_BLOCKS}`, "sum(n)", `(${blocks.kept})`) }];
}

function hasSameRows(db: Reader, some: string, others: string): boolean {
  const hasMore = (one: string, other: string) =>
    db.value(`SELECT 1 FROM (SELECT * FROM (${one}) EXCEPT SELECT * FROM (${other})) LIMIT 1`) !== undefined;
  return !hasMore(some, others) && !hasMore(others, some);
}

/** Checks that the log of events has no gaps: a page of it is found by arithmetic. The store has the current schema. */
export function checkLog(db: Reader): string[] {
  const gap = db.value<number>("SELECT count(*) > 0 AND max(id) - min(id) + 1 <> count(*) FROM event");
  return gap ? ["the log of events has gaps"] : [];
}

/** A warning is about what is gone, but nobody needs. */
export type Level = "error" | "warning";

/** A workspace's jobs, as the ledger has them. */
export interface KnownJob {
  uid: string;
  kind: string;
  status: string;
  result_file: string | null;
  finished_at: number | null;
  /** Whether the ledger has its body. */
  is_short: 0 | 1;
}

export function jobsOf(ledger: Reader, workspaceId: number): KnownJob[] {
  return ledger.all(
    `SELECT uid, kind, status, result_file, finished_at, EXISTS (SELECT 1 FROM job_body AS b WHERE b.job_uid = uid) AS is_short
     FROM job WHERE workspace_id = ? ORDER BY id`,
    workspaceId,
  );
}

/** Checks a workspace's jobs against its store, its spooled bodies and its results. The store is newer than the ledger. */
export function checkJobs(
  store: Reader,
  dataDir: string,
  jobs: readonly KnownJob[],
): { job: KnownJob; level: Level; message: string }[] {
  const since = Date.now() - OUTCOME_DAYS * DAY_MS;
  const decided = new Set(store.values<string>("SELECT job_uid FROM job_outcome"));
  return jobs.flatMap((job) => {
    const { uid, kind, status, result_file, finished_at, is_short } = job;
    const found = (message: string, level: Level = "error") => [{ job, level, message: `the job ${uid} ${message}` }];
    const isOpen = finished_at === null || status === "PLANNED";
    if (status === "SUCCEEDED" && finished_at! > since && !decided.has(uid))
      return found("has succeeded, and the store does not know it: the store is older than the ledger");
    if (isOpen && kind === importJob.kind && !decided.has(uid) && !is_short && !existsSync(spoolPath(dataDir, uid)))
      return found("is open, and its body is not in spool");
    if (result_file !== null && !existsSync(resultPath(dataDir, result_file)))
      return found("has a result that is not in results: it answers 410", "warning");
    return [];
  });
}
