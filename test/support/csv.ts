// Reads CSV as RFC 4180 defines it, and nothing else: CRLF, doubled quotes, the same number of cells in every line.

/** The lines of cells, the headings first. Throws where the text is no such CSV. */
export function parseCsv(text: string): string[][] {
  if (!text.startsWith("\uFEFF")) throw new Error("There is no byte order mark.");
  const rows: string[][] = [];
  const cell = /(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r\n)/y;
  cell.lastIndex = 1;
  let row: string[] = [];
  while (cell.lastIndex < text.length) {
    const at = cell.lastIndex;
    const match = cell.exec(text);
    if (!match) throw new Error(`No cell at ${at}: ${JSON.stringify(text.slice(at, at + 80))}`);
    row.push(match[1]?.replaceAll('""', '"') ?? match[2]!);
    if (match[3] === ",") continue;
    if (rows.length && row.length !== rows[0]!.length) throw new Error(`Line ${rows.length} has ${row.length} cells.`);
    rows.push(row);
    row = [];
  }
  if (row.length) throw new Error("The last line has no end.");
  return rows;
}

/** The same as objects, by heading. */
export function readCsv(text: string): Record<string, string>[] {
  const [headings = [], ...rows] = parseCsv(text);
  if (new Set(headings).size !== headings.length) throw new Error("A heading comes twice.");
  return rows.map((row) => Object.fromEntries(row.map((cell, index) => [headings[index]!, cell])));
}
