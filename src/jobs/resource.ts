// Declares the resource Job: its JSON, and a workspace's list of jobs.

import * as v from "valibot";
import type { Reader, SqlValue } from "../../db/connection.ts";
import { readItems } from "../../db/list.ts";
import { slicesByKey } from "../../db/list-slices.ts";
import type { Filter } from "../../db/list-where.ts";
import { exampleJob } from "../examples.ts";
import { ANY_OPERATOR, actor, cellsOf, json, millisecondsAsTimestamp, nullable, uid, word } from "../members.ts";
import { type List, resource } from "../resource.ts";
import { count, problemEntries } from "../schemas.ts";

const STATUSES = ["QUEUED", "RUNNING", "PLANNED", "SUCCEEDED", "FAILED", "CANCELLED"] as const;

export type JobStatus = (typeof STATUSES)[number];

const progress = v.nullable(
  v.pipe(v.object({ phase: v.string(), done: count, total: v.nullable(count) }), v.title("JobProgress")),
);

const summary = v.pipe(
  v.record(v.string(), count),
  v.description(
    "For an import: rows, created, updated, unchanged, assigned, removed. For opening sessions in bulk: opened",
  ),
);

/** The resource declaration. `kinds` are all kinds of jobs. */
export function jobResource(kinds: readonly string[]) {
  return resource({
    type: "Job",
    from: "job AS t",
    members: {
      id: uid("t.uid"),
      kind: word(kinds)("t.kind", ANY_OPERATOR),
      status: word(STATUSES)("t.status", ANY_OPERATOR),
      progress: json(
        `iif(t.progress_phase IS NULL, 'null',
           json_object('phase', t.progress_phase, 'done', t.progress_done, 'total', t.progress_total))`,
        progress,
        cellsOf("phase", "done", "total"),
      ),
      summary: nullable(json("t.summary", summary, { "": cellOfSummary })),
      problem: nullable(
        json("t.problem", v.pipe(v.object(problemEntries), v.title("JobProblem")), cellsOf("code", "detail")),
      ),
      createdBy: actor("json_object('_type', t.actor_type, 'id', t.actor_uid, 'name', t.actor_name)"),
      createdAt: millisecondsAsTimestamp("t.created_at"),
      startedAt: nullable(millisecondsAsTimestamp("t.started_at")),
      finishedAt: nullable(millisecondsAsTimestamp("t.finished_at")),
    },
    example: {
      ...exampleJob,
      status: "SUCCEEDED",
      summary: { rows: 2, created: 1, updated: 0, unchanged: 1, assigned: 1, removed: 0 },
      startedAt: "2026-01-31T12:00:00.050Z",
      finishedAt: "2026-01-31T12:00:00.300Z",
    },
  });
}

const job = jobResource([]);

/** A job as JSON, or undefined. */
export function findJobJson(db: Reader, workspaceId: number, uid: string): string | undefined {
  return db.value(`SELECT ${job.json} FROM job AS t WHERE t.uid = ? AND t.workspace_id = ?`, uid, workspaceId);
}

/**
 * The list of a workspace's jobs, in the order in which they were accepted. Finished jobs are removed after some time,
 * so the list stays short.
 */
export function jobList(kinds: readonly string[]): List<number> {
  return {
    ...jobResource(kinds),
    name: "jobs",
    page: (db, filters, page, workspaceId) => {
      const { sql, values } = matching(workspaceId, filters);
      return db.snapshot(() => ({
        total: db.value<number>(`SELECT count(*) FROM job AS t WHERE ${sql}`, ...values) ?? 0,
        items: readItems(
          db,
          job.json,
          `FROM job AS t WHERE ${sql} ORDER BY t.id LIMIT ? OFFSET ?`,
          ...values,
          page.limit,
          page.offset,
        ),
      }));
    },
    slices: (db, filters, workspaceId) => {
      const { sql, values } = matching(workspaceId, filters);
      const newest = db.value<number>("SELECT max(id) FROM job") ?? 0;
      return slicesByKey(0, (reader, after, rows) =>
        reader.all(
          `SELECT t.id AS key, ${job.json} AS json FROM job AS t
           WHERE ${sql} AND t.id > ? AND t.id <= ? ORDER BY t.id LIMIT ?`,
          ...values,
          after,
          newest,
          rows,
        ),
      );
    },
  };
}

function matching(workspaceId: number, filters: readonly Filter[]): { sql: string; values: SqlValue[] } {
  const where = ["t.workspace_id = ?"];
  const values: SqlValue[] = [workspaceId];
  for (const { by, operator, values: wanted } of filters) {
    const not = operator === "ne" || operator === "nin" ? "NOT " : "";
    where.push(`t.${by.column} ${not}IN (SELECT value FROM json_each(?))`);
    values.push(JSON.stringify(wanted));
  }
  return { sql: where.join(" AND "), values };
}

function cellOfSummary(summary: unknown): string | null {
  if (typeof summary !== "object" || summary === null) return null;
  return Object.entries(summary)
    .map(([name, number]) => `${name}: ${number}`)
    .join("; ");
}
