// The jobs that are set aside (queue.ts), as readiness and metrics show them.

import type { Reader } from "../../../db/sqlite/connection.ts";
import type { Finding } from "../../base/findings.ts";
import { type BlockedCode, blockedJson } from "./resource.ts";

/** How many jobs are named. */
const MAX_NAMED = 100;

interface BlockedRow {
  uid: string;
  kind: string;
  workspace_uid: string;
  blocked: string;
}

/** A finding for each job that is set aside, the oldest first; of many, the first hundred. */
export function blockedJobs(db: Reader): Finding[] {
  const rows = db.all<BlockedRow>(
    `SELECT t.uid, t.kind, w.uid AS workspace_uid, ${blockedJson} AS blocked
     FROM job AS t INDEXED BY job_blocked CROSS JOIN workspace AS w ON w.id = t.workspace_id
     WHERE t.blocked_since IS NOT NULL AND t.finished_at IS NULL ORDER BY t.blocked_since LIMIT ${MAX_NAMED}`,
  );
  return rows.map(({ uid, kind, workspace_uid, blocked }) => {
    const { code, since, nextTryAt }: NonNullable<Finding["blocked"]> = JSON.parse(blocked);
    return {
      code: "job_blocked",
      message:
        `The job ${uid} (${kind}) was tried in vain for 15 minutes and is set aside since ${since} (${code}): the workspace's other jobs go on. ` +
        `It is tried every hour, next at ${nextTryAt}; or now, with the command \`job retry ${uid}\`.`,
      blocking: false,
      workspace: workspace_uid,
      job: uid,
      blocked: { since, code, nextTryAt },
    };
  });
}

/** How many jobs are set aside, by kind and code. */
export function countBlocked(db: Reader): { kind: string; code: BlockedCode; count: number }[] {
  return db.all(
    `SELECT kind, blocked_code AS code, count(*) AS count FROM job INDEXED BY job_blocked
     WHERE blocked_since IS NOT NULL AND finished_at IS NULL GROUP BY kind, blocked_code`,
  );
}
