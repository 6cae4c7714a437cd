// The texts of statements that take several rows of values. Each is made once: a new text is hashed to find its statement.

const made = new Map<string, string[]>();

/** `before`, so many rows of so many parameters, and `after`. The first and the last are texts of the code: each is kept. */
export function withRows(before: string, columns: number, count: number, after = ""): string {
  let known = made.get(before);
  if (!known) {
    known = [];
    made.set(before, known);
  }
  known[count] ??= `${before} VALUES ${Array(count).fill(rowOf(columns)).join(", ")} ${after}`;
  return known[count];
}

const rowOf = (columns: number) => `(${Array(columns).fill("?").join(", ")})`;
