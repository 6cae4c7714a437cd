// SQL expressions that give JSON text. A resource is described once, as SQL, and SQLite makes its bytes: concatenation
// is several times as fast as rows that become objects that become JSON.

/** A JSON object with these members, each an SQL expression that gives JSON text. */
export function objectSql(members: Record<string, string>): string {
  const pieces = Object.entries(members).flatMap(([name, value], index) => [
    `'${index ? "," : "{"}"${name}":'`,
    ...piecesOf(value),
  ]);
  // What is known beforehand becomes one literal. And one call takes them all, because `||` copies all that it has so
  // far for each of them.
  return `concat(${merge([...pieces, "'}'"]).join(", ")})`;
}

/** What an SQL expression joins by `||`, not counting what is in parentheses or literals. */
function piecesOf(sql: string): string[] {
  const pieces: string[] = [];
  let depth = 0;
  let start = 0;
  for (const { 0: mark, index } of sql.matchAll(/'[^']*'|[()]| \|\| /g)) {
    if (mark === "(") depth++;
    else if (mark === ")") depth--;
    else if (mark === " || " && depth === 0) {
      pieces.push(sql.slice(start, index));
      start = index + mark.length;
    }
  }
  return [...pieces, sql.slice(start)];
}

/** Makes one literal of those that stand side by side. */
function merge(pieces: readonly string[]): string[] {
  const merged: string[] = [];
  for (const piece of pieces) {
    const last = merged.at(-1);
    if (last && isLiteral(last) && isLiteral(piece)) merged[merged.length - 1] = last.slice(0, -1) + piece.slice(1);
    else merged.push(piece);
  }
  return merged;
}

function isLiteral(piece: string): boolean {
  return /^'[^']*'$/.test(piece);
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
