// Reads a payload in NDJSON: a row on each line.

import { badTextPointers } from "../../base/clean-text.ts";
import { invalidRequest, type ProblemDetail } from "../../base/problems.ts";
import type { Input } from "../../engine/files/bodies.ts";
import { fileError, type Slice, UNREADABLE } from "./slice.ts";
import { type Cut, LINE_END, TextFile } from "./text-rows.ts";

/** Reads the rows of NDJSON. @returns whether its last line is ended. @throws Problem 400 when the file has none, or is not text */
export function* readNdjson(input: Input): Generator<Slice, boolean> {
  const text = new TextFile(input);
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
      const location = { position: first + rows.length, line: found.lines[index]! };
      const row = parseLine(line);
      if (row === UNREADABLE) badText.push(fileError(location, "is not JSON"));
      else
        for (const pointer of badTextPointers(line, row))
          badText.push(fileError(location, "holds U+0000 or a lone surrogate", pointer));
      rows.push(row);
      lines.push(location.line);
    }
    yield { first, rows, lines, badText };
    first += rows.length;
  }
  // Half a pipeline may have failed; with FULL_SYNC, nothing would remove everybody.
  if (!first) throw invalidRequest([{ pointer: "", message: "has no row; send no rows as JSON" }]);
  return text.isEnded;
}

export function cutLines(bytes: Buffer): Cut {
  const ends: number[] = [];
  for (let at = bytes.indexOf(LINE_END); at >= 0; at = bytes.indexOf(LINE_END, at + 1)) ends.push(at + 1);
  return { ends, lineEnds: ends.map(() => 1) };
}

/** The value; UNREADABLE if the line is not JSON. */
export function parseLine(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return UNREADABLE;
  }
}
