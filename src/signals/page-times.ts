// How long the pages of a version are usually open: a count for each step of time, from which a median is read without looking at sessions.

import type { Reader, Writer } from "../../db/sqlite/connection.ts";

/** Each step is a sixth longer than the one before: from 0.25 s to an hour. */
const STEPS = 64;
const FIRST_MS = 250;
const FACTOR = 1.165;
const LOG_FACTOR = Math.log(FACTOR);

/** From so many sessions of a version on, its medians say something. */
const MIN_COUNTED = 20;

/** The counts of a version: of each page, by its index, one for each step. */
type PageCounts = Uint32Array;

export function findPageCounts(db: Reader, publicationId: number): PageCounts {
  const bytes = db.value<Buffer>("SELECT counts FROM page_times WHERE screener_publication_id = ?", publicationId);
  // A copy: the bytes may stand anywhere in their buffer.
  return bytes ? new Uint32Array(new Uint8Array(bytes).buffer) : new Uint32Array();
}

/** The median of a page in ms; undefined while too few have completed the version. */
export function medianOf(counts: PageCounts, page: number): number | undefined {
  const first = page * STEPS;
  let total = 0;
  for (let step = 0; step < STEPS; step++) total += counts[first + step] ?? 0;
  if (total < MIN_COUNTED) return undefined;
  let before = 0;
  let step = 0;
  while (before + counts[first + step]! < total / 2) before += counts[first + step++]!;
  // Within the step, as if its times were spread over it.
  return FIRST_MS * FACTOR ** (step - 1 + (total / 2 - before) / counts[first + step]!);
}

/** Counts the times of a session that was completed. @param times in ms, by the index of the page */
export function countPageTimes(
  db: Writer,
  publicationId: number,
  counts: PageCounts,
  times: ReadonlyMap<number, number>,
): void {
  if (!times.size) return;
  const length = Math.max(counts.length, (Math.max(...times.keys()) + 1) * STEPS);
  const after = new Uint32Array(length);
  after.set(counts);
  for (const [page, ms] of times) after[page * STEPS + stepOf(ms)]! += 1;
  db.run(
    `INSERT INTO page_times (screener_publication_id, counts) VALUES (?, ?)
     ON CONFLICT DO UPDATE SET counts = excluded.counts`,
    publicationId,
    Buffer.from(after.buffer),
  );
}

function stepOf(ms: number): number {
  const step = Math.ceil(Math.log(Math.max(ms, 1) / FIRST_MS) / LOG_FACTOR);
  return Math.min(Math.max(step, 0), STEPS - 1);
}
