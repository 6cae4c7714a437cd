// A list of people as people have it: one a line, in a text or in a table.

/** The first cell of each line, each once. */
export function namesIn(text: string): string[] {
  const cells = text
    .replace(/^\uFEFF/, "")
    .split(/\r\n|\r|\n/)
    .map((line) => (/^\s*"((?:[^"]|"")*)"/.exec(line)?.[1]?.replaceAll('""', '"') ?? line.split(/[,;\t]/)[0]!).trim());
  return [...new Set(cells.filter(Boolean))];
}
