// Reads a payload in NDJSON: a row on each line.

import { invalidRequest, type ProblemDetail } from "../../problems.ts";
import { badTextPointers } from "../../text.ts";
import { type Slice, UNREADABLE } from "./slice.ts";
import { type Cut, LINE_END, TextFile } from "./text-rows.ts";

/** Reads the rows of NDJSON. @throws Problem 400 when the file has none, or is not text */
export function* readNdjson(file: number): Generator<Slice> {
  const text = new TextFile(file);
  let first = 0;
  for (;;) {
    const found = text.next(cutLines, `/participants/${first}`);
    if (!found) break;
    const rows: unknown[] = [];
    const lines: number[] = [];
    const badText: ProblemDetail[] = [];
    const { bytes, ends } = found;
    for (const [index, end] of ends.entries()) {
      const line = bytes.toString("utf8", ends[index - 1] ?? 0, end);
      if (line.trim() === "") continue;
      const pointer = `/participants/${first + rows.length}`;
      const number = found.lines[index]!;
      const row = parseLine(line);
      for (const bad of row === UNREADABLE ? [] : badTextPointers(line, row))
        badText.push({ pointer: pointer + bad, message: `line ${number}: holds U+0000 or a lone surrogate` });
      if (row === UNREADABLE) badText.push({ pointer, message: `line ${number}: is not JSON` });
      rows.push(row);
      lines.push(number);
    }
    yield { first, rows, lines, badText };
    first += rows.length;
  }
  // Half a pipeline may have failed; with FULL_SYNC, nothing would remove everybody.
  if (!first) throw invalidRequest([{ pointer: "", message: "has no row; send no rows as JSON" }]);
}

function cutLines(bytes: Buffer): Cut {
  const ends: number[] = [];
  for (let at = bytes.indexOf(LINE_END); at >= 0; at = bytes.indexOf(LINE_END, at + 1)) ends.push(at + 1);
  return { ends, lineEnds: ends.map(() => 1) };
}

function parseLine(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return UNREADABLE;
  }
}
