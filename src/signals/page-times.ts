// How long the pages of a version are usually open: a count for each step of time, from which a median is read without looking at sessions.

import { LRUCache } from "lru-cache";
import type { Reader, Writer } from "../../db/sqlite/connection.ts";

/** Each step is a sixth longer than the one before: from 0.25 s to an hour. */
const STEPS = 64;
const FIRST_MS = 250;
const FACTOR = 1.165;
const LOG_FACTOR = Math.log(FACTOR);

/** From so many sessions of a version on, its medians say something. */
const MIN_COUNTED = 20;

/** From so many on, they hardly move: they are read again after a while, and of the sessions, one in four is counted. */
const MANY = 256;
const KEPT_MS = 5000;

/** One in four, whichever ids a study's sessions have: several studies may open theirs in turns. */
const isOfShare = (id: number) => Math.imul(id, 0x9e37_79b1) >>> 30 === 0;

/** Of each page of a version, by its index: how many are counted, and their median in ms; undefined while they are too few. */
interface PageTimes {
  totals: number[];
  medians: (number | undefined)[];
  /** On the clock of `performance`. */
  readAt: number;
}

const MAX_VERSIONS = 100;
const kept = new WeakMap<Reader, LRUCache<number, PageTimes>>();

function keptOf(db: Reader): LRUCache<number, PageTimes> {
  let ofStore = kept.get(db);
  if (!ofStore) {
    ofStore = new LRUCache({ max: MAX_VERSIONS });
    kept.set(db, ofStore);
  }
  return ofStore;
}

/**
 * Counts the times of a session that was completed, as long as that tells anything.
 * @param times in ms, by the index of the page
 * @returns the medians of the version's pages without it
 */
export function countPageTimes(
  db: Writer,
  { id, screener_publication_id: version }: { id: number; screener_publication_id: number },
  times: ReadonlyMap<number, number>,
): PageTimes["medians"] {
  const pages = [...times.keys()];
  const areMany = ({ totals }: PageTimes) => pages.every((page) => totals[page]! >= MANY);
  const now = performance.now();
  const known = keptOf(db).get(version);
  if (known && now - known.readAt < KEPT_MS && !isOfShare(id) && areMany(known)) return known.medians;
  const counts = findCounts(db, version);
  const read = { ...timesOf(counts), readAt: now };
  keptOf(db).set(version, read);
  if (pages.length && (isOfShare(id) || !areMany(read))) addTo(db, version, counts, times);
  return read.medians;
}

/** The counts of a version: of each page, by its index, one for each step. */
function findCounts(db: Reader, version: number): Uint32Array<ArrayBuffer> {
  const bytes = db.value<Buffer>("SELECT counts FROM page_times WHERE screener_publication_id = ?", version);
  // A copy: the bytes may stand anywhere in their buffer.
  return bytes ? new Uint32Array(new Uint8Array(bytes).buffer) : new Uint32Array();
}

function timesOf(counts: Uint32Array): Pick<PageTimes, "totals" | "medians"> {
  const totals: number[] = [];
  const medians: (number | undefined)[] = [];
  for (let first = 0; first < counts.length; first += STEPS) {
    let total = 0;
    for (let at = first; at < first + STEPS; at++) total += counts[at]!;
    totals.push(total);
    medians.push(total < MIN_COUNTED ? undefined : medianOf(counts, first, total));
  }
  return { totals, medians };
}

function medianOf(counts: Uint32Array, first: number, total: number): number {
  let before = 0;
  let at = first;
  while (before + counts[at]! < total / 2) before += counts[at++]!;
  // Within the step, as if its times were spread over it.
  return FIRST_MS * FACTOR ** (at - first - 1 + (total / 2 - before) / counts[at]!);
}

function addTo(db: Writer, version: number, counts: Uint32Array, times: ReadonlyMap<number, number>): void {
  const length = Math.max(counts.length, (Math.max(...times.keys()) + 1) * STEPS);
  const after = new Uint32Array(length);
  after.set(counts);
  for (const [page, ms] of times) after[page * STEPS + stepOf(ms)]! += 1;
  db.run(
    `INSERT INTO page_times (screener_publication_id, counts) VALUES (?, ?)
     ON CONFLICT DO UPDATE SET counts = excluded.counts`,
    version,
    Buffer.from(after.buffer),
  );
}

function stepOf(ms: number): number {
  const step = Math.ceil(Math.log(Math.max(ms, 1) / FIRST_MS) / LOG_FACTOR);
  return Math.min(Math.max(step, 0), STEPS - 1);
}
