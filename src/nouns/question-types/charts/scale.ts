// The chart of a scale: how many have chosen each step.

import { type CountedChart, type Counter, Tally } from "./chart.ts";

/** A scale, as far as its chart needs it. */
interface Scale {
  from: number;
  to: number;
  lowLabel: string | null;
  highLabel: string | null;
}

interface Step {
  number: number;
  label: string;
  /** Whether only former versions have it. */
  isFormer: boolean;
}

export class ScaleCounter implements Counter<number> {
  readonly #steps: readonly Step[];
  readonly #tally: Tally;

  /** @param versions the newest first */
  constructor(versions: readonly Scale[], groups: number) {
    this.#steps = stepsOf(versions);
    this.#tally = new Tally(this.#steps.length, groups);
  }

  add(number: number, _: number, group: number | undefined): void {
    this.#tally.count(number - this.#steps[0]!.number, group);
  }

  result(): CountedChart {
    const rows = this.#steps.map(({ number, label, isFormer }, row) =>
      this.#tally.row(row, { label, from: number, to: number + 1, isFormer }),
    );
    return { kind: "HISTOGRAM", rows, statistics: this.#statistics() };
  }

  #statistics(): CountedChart["statistics"] {
    const chosen = this.#steps.flatMap(({ number }, row) => {
      const count = this.#tally.of(row);
      return count ? [{ number, count }] : [];
    });
    const [first, last] = [chosen[0], chosen.at(-1)];
    if (!first || !last) return null;
    const answers = chosen.reduce((sum, { count }) => sum + count, 0);
    const sum = chosen.reduce((all, { number, count }) => all + number * count, 0);
    /** The number at a position, when all answers stand in order. */
    const at = (position: number) => {
      let left = position;
      for (const { number, count } of chosen) {
        if (left < count) return number;
        left -= count;
      }
      return last.number;
    };
    const median = (at((answers - 1) >> 1) + at(answers >> 1)) / 2;
    return { min: first.number, max: last.number, mean: sum / answers, median };
  }
}

/** All steps that some version has, without gaps. */
function stepsOf(versions: readonly Scale[]): Step[] {
  const { from, to, lowLabel, highLabel } = versions[0]!;
  const low = Math.min(...versions.map((version) => version.from));
  const high = Math.max(...versions.map((version) => version.to));
  return Array.from({ length: high - low + 1 }, (_, index) => {
    const number = low + index;
    const words = number === from ? lowLabel : number === to ? highLabel : null;
    return {
      number,
      label: words === null ? String(number) : `${number} (${words})`,
      isFormer: number < from || number > to,
    };
  });
}
