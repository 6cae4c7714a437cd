// A list of people as people have it: one a line, in a text or in a table.

import { MAX_ERASED } from "../screening/erasure-of-many.ts";

/** How many people one job takes. More would be long in the ledger, which has them until the job is forgotten. */
export const MAX_OF = { remove: 10_000, erase: MAX_ERASED } as const;

/** The first cell of each line, each once. */
export function namesIn(text: string): string[] {
  const cells = text
    .replace(/^\uFEFF/, "")
    .split(/\r\n|\r|\n/)
    .map((line) => (/^\s*"((?:[^"]|"")*)"/.exec(line)?.[1]?.replaceAll('""', '"') ?? line.split(/[,;\t]/)[0]!).trim());
  return [...new Set(cells.filter(Boolean))];
}
