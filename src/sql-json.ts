// SQL expressions that give JSON text. A resource is described once, as SQL, and SQLite makes its bytes: concatenation
// is several times as fast as rows that become objects that become JSON.

/** A JSON object with these members, each an SQL expression that gives JSON text. */
export function objectSql(members: Record<string, string>): string {
  const parts = Object.entries(members).map(([name, value], index) => {
    const key = `${index ? "," : "{"}"${name}":`;
    // What is known beforehand becomes one literal with its key.
    return value.startsWith("'") && value.endsWith("'") ? `'${key}${value.slice(1)}` : `'${key}' || ${value}`;
  });
  return `${parts.join(" || ")} || '}'`.replaceAll("' || '", "");
}

/** A constant string. */
export function constantSql(text: string): string {
  return `'"${text}"'`;
}

/** A column of text that needs no escapes, such as an id or a word of an enumeration, and is never null. */
export function plainSql(column: string): string {
  return `'"' || ${column} || '"'`;
}

/** The same, or null. */
export function plainOrNullSql(column: string): string {
  return `coalesce('"' || ${column} || '"', 'null')`;
}

/** A column of any text or number, or null. */
export function valueSql(column: string): string {
  return `json_quote(${column})`;
}

/** A column that holds JSON text, or null. */
export function jsonSql(column: string): string {
  return `coalesce(${column}, 'null')`;
}

/** A column of milliseconds since 1970, as ISO-8601; or null. */
export function timestampSql(column: string): string {
  return `coalesce('"' || strftime('%Y-%m-%dT%H:%M:%fZ', ${column} / 1000.0, 'unixepoch') || '"', 'null')`;
}

/** The audit members of `t`, whose creator is joined as `c` and last updater as `u`. */
export const auditSql = {
  createdBy: "c.json",
  createdAt: plainSql("t.created_at"),
  updatedBy: "u.json",
  updatedAt: plainSql("t.updated_at"),
};
