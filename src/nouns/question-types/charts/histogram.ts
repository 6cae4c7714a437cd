// The chart of numbers: how many lie in each range.

import { plainNumber } from "../values/plain-number.ts";
import { type CountedChart, type Counter, type Counting, Tally } from "./chart.ts";
import { Growing } from "./growing.ts";

const MAX_RANGES = 20;

/** Keeps the numbers, because ranges and the median depend on all of them. */
export class NumberCounter implements Counter<number> {
  readonly #groups: number;
  readonly #isWhole: boolean;
  readonly #numbers = new Growing(Float64Array);
  /** The group of each number. */
  readonly #groupOf = new Growing(Uint8Array);

  /** @param isWhole whether all numbers are whole: then each can have its own row */
  constructor({ groups }: Counting, isWhole: boolean) {
    this.#groups = groups;
    this.#isWhole = isWhole;
  }

  add(number: number, _: number, group: number | undefined): void {
    this.#numbers.push(number);
    if (group !== undefined) this.#groupOf.push(group);
  }

  result(): CountedChart {
    const { values: numbers } = this.#numbers;
    if (!numbers.length) return { kind: "HISTOGRAM", rows: [], statistics: null };
    const sorted = numbers.slice().sort();
    const { length } = sorted;
    const [min, max] = [sorted[0]!, sorted[length - 1]!];
    const isWhole = this.#isWhole;
    const ranges = min === max && !isWhole ? [{ from: min, to: max }] : rangesOf(min, max, isWhole);
    const tally = new Tally(ranges.length, this.#groups);
    const { values: groupOf } = this.#groupOf;
    numbers.forEach((number, at) => {
      tally.count(rangeOf(number, ranges), groupOf[at]);
    });
    const rows = ranges.map(({ from, to }, row) =>
      tally.row(row, { label: isWhole ? labelOf(from, to - 1) : labelOf(from, to), from, to }),
    );
    const mean = sorted.reduce((sum, number) => sum + number, 0) / length;
    const median = (sorted[(length - 1) >> 1]! + sorted[length >> 1]!) / 2;
    return { kind: "HISTOGRAM", rows, statistics: { min, max, mean, median } };
  }
}

interface Range {
  from: number;
  to: number;
}

/** The position of the range that a number lies in. */
function rangeOf(number: number, ranges: readonly Range[]): number {
  const { from: start, to } = ranges[0]!;
  const width = to - start;
  if (width === 0) return 0;
  // The ranges decide, because division may err.
  const at = Math.min(Math.max(Math.floor((number - start) / width), 0), ranges.length - 1);
  if (number < ranges[at]!.from && at > 0) return at - 1;
  return number >= ranges[at]!.to && at < ranges.length - 1 ? at + 1 : at;
}

function labelOf(first: number, last: number): string {
  return first === last ? plainNumber(first) : `${plainNumber(first)} to ${plainNumber(last)}`;
}

/** Ranges of one width, which is 1, 2 or 5 with zeros, and from multiples of it. */
function rangesOf(min: number, max: number, isWhole: boolean): Range[] {
  const { width, at } = widthFor(min, max, isWhole);
  let [first, last] = [Math.floor(min / width), Math.floor(max / width)];
  // Division may err by the last digit.
  if (at(first) > min) first--;
  if (at(last + 1) <= max) last++;
  return Array.from({ length: last - first + 1 }, (_, index) => ({
    from: at(first + index),
    to: at(first + index + 1),
  }));
}

/** The least width that leaves few ranges, and its multiples. */
function widthFor(min: number, max: number, isWhole: boolean): { width: number; at(index: number): number } {
  const spread = Math.max(max - min, Math.abs(max) * 1e-9, 1e-9);
  for (let power = isWhole ? 0 : Math.floor(Math.log10(spread / MAX_RANGES)); ; power++)
    for (const digit of [1, 2, 5]) {
      // For powers below 1, it divides: a multiplication would give 0.30000000000000004 for 0.3.
      const at = (index: number) => (power < 0 ? (index * digit) / 10 ** -power : index * digit * 10 ** power);
      const width = at(1);
      if (Math.floor(max / width) - Math.floor(min / width) < MAX_RANGES) return { width, at };
    }
}
