// The jobs of a workspace, as JSON.

import type { Reader, SqlValue } from "../../db/connection.ts";
import { type Filter, type ListResult, type Page, readItems } from "../../db/list.ts";
import { jobJson } from "./view.ts";

/** A job as JSON, or undefined. */
export function findJobJson(db: Reader, workspaceId: number, uid: string): string | undefined {
  return db.value(`SELECT ${jobJson} FROM job AS t WHERE t.uid = ? AND t.workspace_id = ?`, uid, workspaceId);
}

/** A page of a workspace's jobs, oldest first. Finished ones go after a while, so the list stays short. */
export function listJobs(db: Reader, workspaceId: number, filters: readonly Filter[], page: Page): ListResult {
  const where = ["t.workspace_id = ?"];
  const values: SqlValue[] = [workspaceId];
  for (const { field, operator, values: wanted } of filters) {
    const not = operator === "ne" || operator === "nin" ? "NOT " : "";
    where.push(`t.${field} ${not}IN (SELECT value FROM json_each(?))`);
    values.push(JSON.stringify(wanted));
  }
  const sql = where.join(" AND ");
  return db.snapshot(() => ({
    total: db.value<number>(`SELECT count(*) FROM job AS t WHERE ${sql}`, ...values) ?? 0,
    items: readItems(
      db,
      jobJson,
      `FROM job AS t WHERE ${sql} ORDER BY t.id LIMIT ? OFFSET ?`,
      ...values,
      page.limit,
      page.offset,
    ),
  }));
}
