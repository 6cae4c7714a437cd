// The jobs of a workspace, as JSON.

import type { Reader, SqlValue } from "../../db/connection.ts";
import { type Filter, type ListResult, type Page, readItems } from "../../db/list.ts";
import { type Slices, slicesByKey } from "../../db/list-slices.ts";
import { jobJson } from "./view.ts";

/** A job as JSON, or undefined. */
export function findJobJson(db: Reader, workspaceId: number, uid: string): string | undefined {
  return db.value(`SELECT ${jobJson} FROM job AS t WHERE t.uid = ? AND t.workspace_id = ?`, uid, workspaceId);
}

/** A page of a workspace's jobs, oldest first. Finished ones go after a while, so the list stays short. */
export function listJobs(db: Reader, workspaceId: number, filters: readonly Filter[], page: Page): ListResult {
  const { sql, values } = matching(workspaceId, filters);
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

/** All that the filters let through. */
export function sliceJobs(db: Reader, workspaceId: number, filters: readonly Filter[]): Slices {
  const { sql, values } = matching(workspaceId, filters);
  const newest = db.value<number>("SELECT max(id) FROM job") ?? 0;
  return slicesByKey(0, (reader, after, rows) =>
    reader.all(
      `SELECT t.id AS key, ${jobJson} AS json FROM job AS t WHERE ${sql} AND t.id > ? AND t.id <= ? ORDER BY t.id LIMIT ?`,
      ...values,
      after,
      newest,
      rows,
    ),
  );
}

function matching(workspaceId: number, filters: readonly Filter[]): { sql: string; values: SqlValue[] } {
  const where = ["t.workspace_id = ?"];
  const values: SqlValue[] = [workspaceId];
  for (const { field, operator, values: wanted } of filters) {
    const not = operator === "ne" || operator === "nin" ? "NOT " : "";
    where.push(`t.${field} ${not}IN (SELECT value FROM json_each(?))`);
    values.push(JSON.stringify(wanted));
  }
  return { sql: where.join(" AND "), values };
}
