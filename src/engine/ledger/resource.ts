// Declares the resource Job: its JSON, and a workspace's list of jobs.

import * as v from "valibot";
import { readItems } from "../../../db/list/items.ts";
import { slicesByIds } from "../../../db/list/slices.ts";
import { allOf, type Filter, type Where, whereOf } from "../../../db/list/where.ts";
import type { Reader } from "../../../db/sqlite/connection.ts";
import { exampleIds, exampleJob } from "../../base/examples.ts";
import { isoTime } from "../../base/json-sql.ts";
import {
  ANY_OPERATOR,
  actor,
  cellsOf,
  json,
  millisecondsAsTimestamp,
  nullable,
  number,
  openWords,
  RANGE,
  text,
  uid,
  word,
} from "../../base/members.ts";
import { type List, resource } from "../../base/resource.ts";
import { count, problemEntries, timestamp } from "../../base/schemas.ts";
import { type DescribedKind, jobOf } from "./summaries.ts";

export const STATUSES = ["QUEUED", "RUNNING", "PLANNED", "SUCCEEDED", "FAILED", "CANCELLED"] as const;

export type JobStatus = (typeof STATUSES)[number];

/** The code of a job that no worker knows: usually a newer one does. */
export const NEWER_WORKER = "newer_worker_needed";

/** Why a job is set aside. */
const BLOCKED_CODES = [
  "store_refused",
  "store_unavailable",
  "store_full",
  "store_busy",
  "spool_unavailable",
  "results_unavailable",
  NEWER_WORKER,
] as const;

export type BlockedCode = (typeof BLOCKED_CODES)[number];

const blocked = v.pipe(
  v.object({ since: timestamp, code: v.picklist(BLOCKED_CODES), nextTryAt: timestamp }),
  v.title("JobBlocked"),
  v.description(
    "Set aside after 15 minutes of tries, and tried every hour, while the workspace's other jobs go on. null: it is not",
  ),
);

/** Since when and why a job is set aside, as JSON; the row is `t`. */
export const blockedJson = `json_object('since', ${isoTime("t.blocked_since")}, 'code', t.blocked_code,
  'nextTryAt', ${isoTime("max(t.available_at, t.blocked_since)")})`;

const progress = v.nullable(
  v.pipe(v.object({ phase: v.string(), done: count, total: v.nullable(count) }), v.title("JobProgress")),
);

const summary = v.pipe(v.record(v.string(), v.unknown()), v.description("What it has depends on the `kind`"));

const described = <Schema extends v.GenericSchema>(schema: Schema, of: string) =>
  v.optional(v.pipe(schema, v.description(of)));

const warnings = v.array(
  v.pipe(
    v.looseObject({
      code: v.string(),
      message: v.string(),
      member: described(
        v.string(),
        "Of unknown_member: its name. Of unknown_column_near: the member that may be meant",
      ),
      rows: described(count, "Of unknown_member: how many rows have it"),
      columns: described(v.array(v.string()), "Of columns_ignored: their headings"),
      column: described(v.string(), "Of unknown_column_near, column_missing and column_new: the column"),
      maxRemovals: described(v.union([count, v.string()]), "Of removal_limit_not_counted: the limit"),
    }),
    v.title("JobWarning"),
  ),
);

const plan = v.pipe(
  v.looseObject({
    reason: v.picklist(["DRY_RUN", "REMOVAL_LIMIT"]),
    expiresAt: timestamp,
    removalLimit: v.optional(
      v.pipe(
        v.object({ maxRemovals: v.union([count, v.string()]), isExceeded: v.boolean() }),
        v.title("JobRemovalLimit"),
        v.description("Of a dry run: the limit for removals that would count, if there is one"),
      ),
    ),
  }),
  v.title("JobPlan"),
);

const IMPORT_MODES = ["UPDATES_ONLY", "FULL_SYNC"];

/** The resource. `kinds` are all kinds of jobs. */
export function jobResource(kinds: readonly DescribedKind[]) {
  const members = jobMembers(kinds);
  return { ...members, schema: jobOf(members.schema, kinds) };
}

function jobMembers(kinds: readonly DescribedKind[]) {
  return resource({
    type: "Job",
    title: "JobMembers",
    from: "job AS t",
    members: {
      id: uid("t.uid"),
      kind: openWords(word(kinds.map(({ kind }) => kind))("t.kind", ANY_OPERATOR)),
      status: word(STATUSES)("t.status", ANY_OPERATOR),
      progress: json(
        `iif(t.progress_phase IS NULL, 'null',
           json_object('phase', t.progress_phase, 'done', t.progress_done, 'total', t.progress_total))`,
        progress,
        cellsOf("phase", "done", "total"),
      ),
      summary: nullable(json("t.summary", summary, { "": cellOfSummary })),
      problem: nullable(
        json(
          "json_set(t.problem, '$.jobId', t.uid)",
          v.pipe(v.object(problemEntries), v.title("JobProblem")),
          cellsOf("code", "detail"),
        ),
      ),
      createdBy: actor("json_object('_type', t.actor_type, 'id', t.actor_uid, 'name', t.actor_name)"),
      createdAt: millisecondsAsTimestamp("t.created_at", RANGE),
      startedAt: nullable(millisecondsAsTimestamp("t.started_at")),
      finishedAt: nullable(millisecondsAsTimestamp("t.finished_at")),
      screenerId: nullable(uid("t.screener_uid", ANY_OPERATOR)),
      screenerPublicationId: nullable(uid("t.publication_uid")),
      importMode: nullable(word(IMPORT_MODES)("t.import_mode")),
      idempotencyKey: nullable(text("t.idempotency_key")),
      requestId: nullable(text("t.request_id")),
      traceId: nullable(text("t.trace_id")),
      attempts: number("t.attempts", count),
      warnings: nullable(json("t.warnings", warnings, { "": cellOfWarnings })),
      plan: nullable(json("t.plan", plan, cellsOf("reason", "expiresAt"))),
      blocked: nullable(
        json(
          `iif(t.blocked_since IS NULL OR t.finished_at IS NOT NULL, NULL, ${blockedJson})`,
          blocked,
          cellsOf("since", "code", "nextTryAt"),
        ),
      ),
    },
    example: {
      ...exampleJob,
      status: "SUCCEEDED",
      summary: { rows: 2, created: 1, updated: 0, unchanged: 1, assigned: 1, removed: 0 },
      startedAt: "2026-01-31T12:00:00.050Z",
      finishedAt: "2026-01-31T12:00:00.300Z",
      screenerId: exampleIds.screener,
      importMode: "UPDATES_ONLY",
      attempts: 1,
    },
  });
}

const job = jobMembers([]);

/** SQL for the JSON of a job; the row is `t`. */
export const jobJson = job.json;

/** A job as JSON, or undefined. */
export function findJobJson(db: Reader, workspaceId: number, uid: string): string | undefined {
  return db.value(`SELECT ${job.json} FROM job AS t WHERE t.uid = ? AND t.workspace_id = ?`, uid, workspaceId);
}

/**
 * The list of a workspace's jobs, in the order in which they were accepted. Finished jobs are removed after some time,
 * so the list stays short.
 */
export function jobList(kinds: readonly DescribedKind[]): List<number> {
  return {
    ...jobResource(kinds),
    name: "jobs",
    sorts: SORTS,
    page: (db, filters, page, workspaceId, sort) => {
      const { sql, values } = matching(workspaceId, filters);
      const ids = `SELECT t.id ${sql} ORDER BY ${order(sort)} LIMIT ? OFFSET ?`;
      return db.snapshot(() => ({
        total: db.value<number>(`SELECT count(*) ${sql}`, ...values) ?? 0,
        items: readItems(
          db,
          job.json,
          `FROM job AS t WHERE t.id IN (${ids}) ORDER BY ${order(sort)}`,
          ...values,
          page.limit,
          page.offset,
        ),
      }));
    },
    slices: (db, filters, workspaceId, sort) => {
      const { sql, values } = matching(workspaceId, filters);
      const ids = db.values<number>(`SELECT t.id ${sql} ORDER BY ${order(sort)}`, ...values);
      const read = `SELECT ${job.json} FROM job AS t WHERE t.id IN (SELECT value FROM json_each(?)) ORDER BY ${order(sort)}`;
      return slicesByIds(ids, (reader, slice) => reader.values(read, slice));
    },
  };
}

const SORTS = ["createdAt", "-createdAt"];

/** The id alone is not enough: a plan gets a new one when it is applied. */
function order(sort: string | undefined): string {
  return sort === "-createdAt" ? "t.created_at DESC, t.id DESC" : "t.created_at, t.id";
}

/** FROM and WHERE of the jobs that match. The index has every column that is filtered by. */
function matching(workspaceId: number, filters: readonly Filter[]): Where {
  const { sql, values } = allOf([{ sql: "t.workspace_id = ?", values: [workspaceId] }, ...filters.map(whereOf)]);
  return { sql: `FROM job AS t INDEXED BY job_list WHERE ${sql}`, values };
}

function cellOfWarnings(warnings: unknown): string | null {
  return (warnings as { message: string }[] | null)?.map(({ message }) => message).join("; ") ?? null;
}

function cellOfSummary(summary: unknown): string | null {
  if (typeof summary !== "object" || summary === null) return null;
  return Object.entries(summary)
    .map(([name, number]) => `${name}: ${number}`)
    .join("; ");
}
