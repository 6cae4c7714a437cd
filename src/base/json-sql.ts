// SQL expressions that give JSON text. SQLite itself concatenates the bytes of a list. That is several times as fast as
// reading rows, making objects and serializing them.

/** A piece of a concatenation: constant text, or an SQL expression. */
export type Piece = { text: string } | { sql: string };

const QUOTE: Piece = { text: '"' };
const NULL = "'null'";

/** How a column's value becomes JSON: if it is never null, and if it may be null. */
export interface Encoding {
  always(column: string): Piece[];
  orNull(column: string): Piece[];
}

/** Text that needs no escapes, such as an id or a word of an enumeration. */
export const plainText: Encoding = {
  always: (column) => [QUOTE, { sql: column }, QUOTE],
  orNull: (column) => [{ sql: `coalesce('"' || ${column} || '"', ${NULL})` }],
};

/** Any text or number. */
export const anyValue: Encoding = {
  always: (column) => [{ sql: `json_quote(${column})` }],
  orNull: (column) => [{ sql: `json_quote(${column})` }],
};

/** JSON text, or a number that is never null. */
export const jsonText: Encoding = {
  always: (column) => [{ sql: column }],
  orNull: (column) => [{ sql: `coalesce(${column}, ${NULL})` }],
};

/** Milliseconds since 1970, as ISO-8601. */
export const milliseconds: Encoding = {
  always: (column) => plainText.always(isoTime(column)),
  orNull: (column) => plainText.orNull(isoTime(column)),
};

/** SQL of the text of milliseconds since 1970, as ISO-8601. */
export function isoTime(column: string): string {
  return `strftime('%Y-%m-%dT%H:%M:%fZ', ${column} / 1000.0, 'unixepoch')`;
}

/**
 * SQL expression for a JSON object with these members.
 * @param optional the columns of members that the object lacks where these are null. The first member can't be one of them
 */
export function objectSql(
  members: Record<string, readonly Piece[]>,
  optional: Readonly<Record<string, string>> = {},
): string {
  const pieces = Object.entries(members).flatMap(([name, value], index): Piece[] => {
    const column = optional[name];
    // concat() takes null as an empty text.
    if (column !== undefined)
      return [{ sql: `iif(${column} IS NULL, NULL, concat(',"${name}":', ${value.map(sqlOf).join(", ")}))` }];
    return [{ text: `${index ? "," : "{"}"${name}":` }, ...value];
  });
  // One concat() of all pieces, because each `||` would copy everything before it.
  return `concat(${merged([...pieces, { text: "}" }])
    .map(sqlOf)
    .join(", ")})`;
}

/** The same pieces, with neighbouring texts joined. */
function merged(pieces: readonly Piece[]): Piece[] {
  const all: Piece[] = [];
  for (const piece of pieces) {
    const last = all.at(-1);
    if (last && "text" in last && "text" in piece) all[all.length - 1] = { text: last.text + piece.text };
    else all.push(piece);
  }
  return all;
}

function sqlOf(piece: Piece): string {
  return "sql" in piece ? piece.sql : `'${piece.text.replaceAll("'", "''")}'`;
}
