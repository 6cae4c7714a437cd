// When a session last changed.

/** SQL expression for it, as an index has it: when what it shows was written, also where that leaves the same. @param t the alias of the session */
export function updatedSql(t: string): string {
  const others = ["last_active_at", "completed_at", "withdrawn_at", "answers_erased_at", "changed_at"];
  return `max(${t}.created_at, ${others.map((column) => `coalesce(${t}.${column}, '')`).join(", ")})`;
}

/** The same of a listed session. */
export const UPDATED = updatedSql("t");

/** SELECT of the ids of the sessions that have changed since `$`, by that index. */
export const CHANGED_SINCE = `SELECT c.id FROM screener_session AS c WHERE ${updatedSql("c")} >= $`;
