// How a ledger row becomes a Job.

import * as v from "valibot";
import { ActorView, count, problemEntries, timestamp, uuid } from "../schemas.ts";
import { constantSql, jsonSql, objectSql, plainSql, timestampSql, valueSql } from "../sql-json.ts";

export const JOB_STATUSES = ["QUEUED", "RUNNING", "SUCCEEDED", "FAILED", "CANCELLED"] as const;

/** Every kind of job. */
export const JOB_KINDS = ["SCREENER_PARTICIPANTS_IMPORT", "SCREENER_PUBLICATION", "SCREENER_SESSIONS_OPENING"] as const;

/** A job's JSON, from `job AS t`. */
export const jobJson = objectSql({
  _type: constantSql("Job"),
  id: plainSql("t.uid"),
  kind: plainSql("t.kind"),
  status: plainSql("t.status"),
  progress:
    "iif(t.progress_phase IS NULL, 'null', json_object('phase', t.progress_phase, 'done', t.progress_done, 'total', t.progress_total))",
  summary: jsonSql("t.summary"),
  problem: jsonSql("t.problem"),
  createdBy: objectSql({
    _type: plainSql("t.actor_type"),
    id: plainSql("t.actor_uid"),
    name: valueSql("t.actor_name"),
  }),
  createdAt: timestampSql("t.created_at"),
  startedAt: timestampSql("t.started_at"),
  finishedAt: timestampSql("t.finished_at"),
});

/** A job as a line of a table. */
export const jobColumns = [
  "id",
  "kind",
  "status",
  "progress.phase",
  "progress.done",
  "progress.total",
  "summary",
  "problem.code",
  "problem.detail",
  "createdBy.name",
  "createdBy.id",
  "createdAt",
  "startedAt",
  "finishedAt",
];

export const JobView = v.pipe(
  v.object({
    _type: v.literal("Job"),
    id: uuid,
    kind: v.picklist(JOB_KINDS),
    status: v.picklist(JOB_STATUSES),
    progress: v.nullable(v.object({ phase: v.string(), done: count, total: v.nullable(count) })),
    summary: v.nullable(
      v.pipe(
        v.record(v.string(), count),
        v.description(
          "Of an import: rows, created, updated, unchanged, assigned, removed; of an opening of sessions: opened",
        ),
      ),
    ),
    problem: v.nullable(v.object(problemEntries)),
    createdBy: ActorView,
    createdAt: timestamp,
    startedAt: v.nullable(timestamp),
    finishedAt: v.nullable(timestamp),
  }),
  v.title("Job"),
);
