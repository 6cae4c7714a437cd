// The beginning of a CSV, as an import reads it: to choose what its columns are.

import { withoutApostrophes } from "../../base/csv.ts";
import { invalidRequest } from "../../base/problems.ts";
import type { Imported } from "../../nouns/screener-participants/import-settings.ts";
import { takeDelimiter } from "./csv-delimiter.ts";
import { ownTargets } from "./csv-headings.ts";
import { cutRows, type Delimiter, firstCells, isBlankRow, parseRows } from "./csv-rows.ts";
import { TextFile } from "./text-rows.ts";

/** How many bytes of a file are looked at. */
export const PREVIEW_BYTES = 64 * 1024;

/** How many columns can be chosen from. A participant has at most 150 attributes. */
const MAX_COLUMNS = 500;

export interface Preview {
  columns: {
    heading: string;
    /** What it is without a mapping; undefined: it has no heading. */
    own: Imported | undefined;
  }[];
  /** The cells of the first rows. */
  rows: string[][];
}

/**
 * @param start the beginning of the file, at most PREVIEW_BYTES
 * @param isWhole whether that is all of it
 * @param maxRows how many rows are wanted
 * @param known its delimiter, where nobody has to look
 * @returns undefined for a file without a row
 * @throws Problem 400 when it can't be read, or has too many columns
 */
export function previewCsv(start: Buffer, isWhole: boolean, maxRows: number, known?: Delimiter): Preview | undefined {
  let rest = isWhole ? start : start.subarray(0, endOfLines(start));
  const file = new TextFile((into, at) => {
    const copied = rest.copy(into, at);
    rest = rest.subarray(copied);
    return copied;
  });
  const delimiter = known ?? takeDelimiter(file, {}, MAX_COLUMNS + 1);
  const found = file.next((bytes) => cutRows(bytes, delimiter), "");
  if (!found) return undefined;
  const { length } = firstCells(found.bytes, delimiter);
  if (length > MAX_COLUMNS) {
    const message = `has ${length} columns, and can have at most ${MAX_COLUMNS}; remove those that are not needed`;
    throw invalidRequest([{ pointer: "", message }]);
  }
  const filled = parseRows(found, delimiter).filter((cells) => !isBlankRow(cells));
  const [headings = [], ...rows] = filled.map((cells) => cells.map(withoutApostrophes));
  if (!headings.length) return undefined;
  const own = ownTargets(headings);
  return {
    columns: headings.map((heading, column) => ({ heading: heading.trim(), own: own[column] })),
    rows: rows.slice(0, maxRows),
  };
}

/** Where the last whole line ends. In UTF-16 a line end has two bytes. */
function endOfLines(bytes: Buffer): number {
  const mark = bytes.length > 1 ? bytes.readUInt16BE() : 0;
  if (mark === 0xfffe) return evenAfter(bytes, Buffer.from([0x0a, 0]));
  if (mark === 0xfeff) return evenAfter(bytes, Buffer.from([0, 0x0a]));
  return bytes.lastIndexOf(0x0a) + 1;
}

function evenAfter(bytes: Buffer, lineEnd: Buffer): number {
  for (let at = bytes.lastIndexOf(lineEnd); at > 0; at = bytes.lastIndexOf(lineEnd, at - 1))
    if (at % 2 === 0) return at + lineEnd.length;
  return 0;
}
