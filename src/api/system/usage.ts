// What a workspace takes: its rows, its bytes, and its jobs.

import { stat } from "node:fs/promises";
import * as v from "valibot";
import { type CountedTable, totalTable } from "../../../db/list/counts.ts";
import type { Reader } from "../../../db/sqlite/connection.ts";
import { storePath } from "../../../db/store.ts";
import { count, timestamp } from "../../base/schemas.ts";
import { countedEvents } from "../../events/record.ts";
import type { Context } from "../../http/context.ts";
import { countedParticipants } from "../../nouns/participants/resource.ts";
import { countedResponses } from "../../nouns/responses/resource.ts";
import { countedAssignments } from "../../nouns/screener-participants/resource.ts";
import { countedScreeners } from "../../nouns/screeners/resource.ts";
import { countedSessions } from "../../nouns/sessions/resource.ts";
import { findWorkspace } from "../../workspaces/queries.ts";

const COUNTED = {
  screeners: countedScreeners,
  participants: countedParticipants,
  screenerParticipants: countedAssignments,
  screenerSessions: countedSessions,
  screenerResponses: countedResponses,
  events: countedEvents,
} as const satisfies Record<string, CountedTable>;

type Counted = keyof typeof COUNTED;

const bytes = (what: string) => v.pipe(count, v.description(`${what}, in bytes`));

export const Usage = v.pipe(
  v.object({
    _type: v.literal("WorkspaceUsage"),
    isSandbox: v.pipe(
      v.boolean(),
      v.description("Whether the workspace is for trying things out: it sends no mail, and can be emptied"),
    ),
    rows: v.pipe(
      v.object(Object.fromEntries(Object.keys(COUNTED).map((name) => [name, count])) as Record<Counted, typeof count>),
      v.title("WorkspaceRows"),
    ),
    storeBytes: bytes("The workspace's store"),
    walBytes: bytes("What was written last, and is not in the store's file yet"),
    spoolBytes: bytes("Bodies of unfinished imports and plans, and those that are kept of failed jobs"),
    maxSpoolBytes: bytes("The most that these may take"),
    resultsBytes: bytes("Results and rows of jobs that are kept"),
    maxResultsBytes: bytes("The most that these may take: beyond it the oldest go"),
    unfinishedJobs: v.pipe(count, v.description("Jobs that wait or run")),
    oldestUnfinishedJobAt: v.nullable(v.pipe(timestamp, v.description("When the oldest of them was accepted"))),
    lastActivityAt: v.nullable(v.pipe(timestamp, v.description("When something was last changed"))),
  }),
  v.title("WorkspaceUsage"),
);

export type Usage = v.InferOutput<typeof Usage>;

export const usageExample: Usage = {
  _type: "WorkspaceUsage",
  isSandbox: false,
  rows: {
    screeners: 3,
    participants: 1200,
    screenerParticipants: 1500,
    screenerSessions: 1400,
    screenerResponses: 9800,
    events: 12_000,
  },
  storeBytes: 4_194_304,
  walBytes: 32_768,
  spoolBytes: 0,
  maxSpoolBytes: 1_073_741_824,
  resultsBytes: 250_000,
  maxResultsBytes: 2_147_483_648,
  unfinishedJobs: 0,
  oldestUnfinishedJobAt: null,
  lastActivityAt: "2026-01-31T12:00:00.000Z",
};

/** What a workspace takes now. Rows are sums of counts, so it costs the same for any number of them. */
export async function usageOf(
  { config, control, workspaces }: Context,
  { workspaceId, workspaceUid }: { workspaceId: number; workspaceUid: string },
): Promise<Usage> {
  const path = storePath(config.dataDir, workspaceUid);
  const [storeBytes, walBytes] = await Promise.all([sizeOf(path), sizeOf(`${path}-wal`)]);
  const { rows, lastActivityAt } = workspaces.read(workspaceUid, (db) =>
    db.snapshot(() => ({ rows: countRows(db), lastActivityAt: lastActivity(db) })),
  );
  const jobs = unfinishedJobsOf(control.reader, workspaceId);
  return {
    _type: "WorkspaceUsage",
    isSandbox: findWorkspace(control.reader, workspaceUid)!.is_sandbox === 1,
    rows,
    storeBytes,
    walBytes,
    spoolBytes: control.reader.value<number>(
      `SELECT coalesce(sum(spooled_bytes), 0) FROM job INDEXED BY job_spooled WHERE workspace_id = ? AND spooled_bytes IS NOT NULL
         AND (finished_at IS NULL OR status = 'PLANNED' OR body_until IS NOT NULL)`,
      workspaceId,
    )!,
    maxSpoolBytes: config.workspaceSpoolMaxBytes,
    resultsBytes:
      control.reader.value<number>("SELECT bytes FROM workspace_results WHERE workspace_id = ?", workspaceId) ?? 0,
    maxResultsBytes: config.workspaceResultsMaxBytes,
    unfinishedJobs: jobs.count,
    oldestUnfinishedJobAt: timeOf(jobs.oldest),
    lastActivityAt: timeOf(lastActivityAt),
  };
}

function countRows(db: Reader): Usage["rows"] {
  return Object.fromEntries(Object.keys(COUNTED).map((name) => [name, countOf(db, name as Counted)])) as Usage["rows"];
}

/** How many rows there are of one kind. */
export function countOf(db: Reader, name: Counted): number {
  return db.value<number>(`SELECT coalesce(sum(n), 0) FROM ${totalTable(COUNTED[name])}`)!;
}

/** When something was last changed, in ms since 1970; null: never, as far as is known. */
export function lastActivity(db: Reader): number | null {
  return db.value<number>("SELECT created_at FROM event ORDER BY id DESC LIMIT 1") ?? null;
}

/** The unfinished jobs of a workspace; when the oldest was accepted, in ms since 1970. */
export function unfinishedJobsOf(ledger: Reader, workspaceId: number): { count: number; oldest: number | null } {
  return ledger.get(
    `SELECT count(*) AS count, min(created_at) AS oldest FROM job INDEXED BY job_open
     WHERE workspace_id = ? AND finished_at IS NULL`,
    workspaceId,
  )!;
}

/** Of a file, in bytes. One that is not there has none. */
async function sizeOf(path: string): Promise<number> {
  return (await stat(path).catch(() => undefined))?.size ?? 0;
}

function timeOf(at: number | null): string | null {
  return at === null ? null : new Date(at).toISOString();
}
