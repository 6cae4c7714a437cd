// The jobs of all workspaces, as the operator sees them.

import type { Where } from "../../../db/list/where.ts";
import type { Reader, SqlValue } from "../../../db/sqlite/connection.ts";
import type { ProblemDocument } from "../../base/problems.ts";
import { type JobStatus, jobJson } from "./resource.ts";

/** Which jobs. A condition that is left out does not narrow. */
export interface JobFilter {
  status?: JobStatus | undefined;
  workspaceId?: string | undefined;
  /** Accepted before this time, in ms. */
  acceptedBefore?: number | undefined;
  /** The X-Request-Id of the request that made the job or had its plan applied, or the id of its trace. */
  requestId?: string | undefined;
  /** Not ended, or ended since this time, in ms. */
  openSince?: number | undefined;
}

/** A job, as the API shows it, and its workspace. */
export interface OperatorsJob {
  id: string;
  workspaceId: string;
  kind: string;
  status: JobStatus;
  progress: { phase: string; done: number; total: number | null } | null;
  summary: Record<string, number> | null;
  problem: ProblemDocument | null;
  createdAt: string;
  startedAt: string | null;
  finishedAt: string | null;
  requestId: string | null;
  traceId: string | null;
  attempts: number;
  blocked: { since: string; code: string; nextTryAt: string } | null;
}

/** How many are listed at most. */
const MAX_LISTED = 1000;

/** The newest jobs, the newest first; and how many there are in all. */
export function listAllJobs(db: Reader, filter: JobFilter): { total: number; items: OperatorsJob[] } {
  const { sql, values } = matching(filter);
  return db.snapshot(() => ({
    total: db.value<number>(`SELECT count(*) ${sql}`, ...values)!,
    items: read(db, `${sql} ORDER BY t.created_at DESC, t.id DESC LIMIT ${MAX_LISTED}`, ...values),
  }));
}

/** A job of any workspace. */
export function findAnyJob(db: Reader, uid: string): OperatorsJob | undefined {
  return read(db, `${FROM} WHERE t.uid = ?`, uid)[0];
}

const FROM = "FROM job AS t JOIN workspace AS w ON w.id = t.workspace_id";

function read(db: Reader, rest: string, ...values: SqlValue[]): OperatorsJob[] {
  return db
    .all<{ json: string; workspace: string }>(`SELECT ${jobJson} AS json, w.uid AS workspace ${rest}`, ...values)
    .map(({ json, workspace }) => ({ ...JSON.parse(json), workspaceId: workspace }));
}

function matching({ status, workspaceId, acceptedBefore, requestId, openSince }: JobFilter): Where {
  const conditions: [condition: string, value: SqlValue | undefined][] = [
    ["t.status = ?", status],
    ["w.uid = ?", workspaceId],
    ["t.created_at < ?", acceptedBefore],
    ["? IN (t.request_id, t.trace_id, t.cause ->> 'requestId', t.cause ->> 'traceId')", requestId],
    // By two indexes: with OR all jobs would be read, four times a second (cli/job-watch.ts).
    [
      `t.id IN (SELECT id FROM job INDEXED BY job_open WHERE finished_at IS NULL
         UNION ALL SELECT id FROM job INDEXED BY job_finished WHERE finished_at >= ?)`,
      openSince,
    ],
  ];
  const chosen = conditions.filter(([, value]) => value !== undefined);
  const where = chosen.length ? ` WHERE ${chosen.map(([condition]) => condition).join(" AND ")}` : "";
  return { sql: FROM + where, values: chosen.map(([, value]) => value as SqlValue) };
}
