// The delimiter of a CSV: the one that its first line names, or the one that its headings show.

import { invalidRequest } from "../../base/problems.ts";
import type { Imported } from "../../nouns/screener-participants/import-settings.ts";
import { haveMember } from "./csv-headings.ts";
import { type Delimiter, firstCells } from "./csv-rows.ts";
import type { TextFile } from "./text-rows.ts";

const DELIMITERS: readonly Delimiter[] = [",", ";", "\t"];

/** What rows may be matched by, and what its column counts for. */
const KEYS = [
  ["externalUid", 2e6],
  ["email", 1e6],
] as const;

/** What spreadsheets write above the headings, for each other: `sep=;`. Saved again, it may have quotes and empty cells. */
const NAMED = /^"?sep=(.)"?[,;\t]*\r?(?:\n|$)/i;

/**
 * The delimiter that the first line names, which is then taken from the file. Else the one that gives a column externalUid, or
 * else email, or else the most columns.
 * @param maxCells so many headings are looked at
 * @throws Problem 400 when a delimiter is named that is none
 */
export function takeDelimiter(
  text: TextFile,
  mapped: Record<string, Imported>,
  maxCells = Number.POSITIVE_INFINITY,
): Delimiter {
  const [line, named] = NAMED.exec(text.ahead.toString("latin1", 0, MAX_NAMED_BYTES)) ?? [];
  if (line !== undefined) {
    text.skipLine(line.length);
    const delimiter = DELIMITERS.find((one) => one === named);
    if (delimiter) return delimiter;
    const message = `line 1: names the delimiter ${JSON.stringify(named)}, and it can be a comma, a semicolon or a tab`;
    throw invalidRequest([{ pointer: "", message }]);
  }
  const scores = DELIMITERS.map((delimiter) => {
    const headings = firstCells(text.ahead, delimiter).slice(0, maxCells);
    const [, score] = KEYS.find(([member]) => haveMember(headings, mapped, member)) ?? [];
    return headings.length + (score ?? 0);
  });
  return DELIMITERS[scores.indexOf(Math.max(...scores))]!;
}

/** A line that names a delimiter is not longer, whatever number of empty cells it has. */
const MAX_NAMED_BYTES = 1024;
