// The chart of numbers: how many lie in each range.

import { type Answers, type Chart, rowsOf } from "./chart.ts";
import { plainNumber } from "./typed-number.ts";

const MAX_RANGES = 20;

/** @param isWhole whether all numbers are whole: then each can have its own row */
export function histogram(answers: Answers<number>, isWhole: boolean): Chart {
  const sorted = Float64Array.from(answers.all).sort();
  const { length } = sorted;
  if (!length) return { kind: "HISTOGRAM", rows: [], statistics: null };
  const [min, max] = [sorted[0]!, sorted[length - 1]!];
  const ranges = min === max && !isWhole ? [{ from: min, to: max }] : rangesOf(min, max, isWhole);
  const labels = ranges.map(({ from, to }) => ({
    label: isWhole ? labelOf(from, to - 1) : labelOf(from, to),
    from,
    to,
  }));
  const start = ranges[0]!.from;
  const width = ranges[0]!.to - start;
  const rows = rowsOf(labels, answers, (numbers) => {
    const counts = new Array<number>(ranges.length).fill(0);
    for (const number of numbers) {
      if (width === 0) {
        counts[0]!++;
        continue;
      }
      // The ranges decide, because division may err.
      let at = Math.min(Math.max(Math.floor((number - start) / width), 0), ranges.length - 1);
      if (number < ranges[at]!.from && at > 0) at--;
      else if (number >= ranges[at]!.to && at < ranges.length - 1) at++;
      counts[at]!++;
    }
    return counts;
  });
  const mean = sorted.reduce((sum, number) => sum + number, 0) / length;
  const median = (sorted[(length - 1) >> 1]! + sorted[length >> 1]!) / 2;
  return { kind: "HISTOGRAM", rows, statistics: { min, max, mean, median } };
}

function labelOf(first: number, last: number): string {
  return first === last ? plainNumber(first) : `${plainNumber(first)} to ${plainNumber(last)}`;
}

/** Ranges of one width, which is 1, 2 or 5 with zeros, and from multiples of it. */
function rangesOf(min: number, max: number, isWhole: boolean): { from: number; to: number }[] {
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
