// The chart of dates: how many lie in each year, or in several years together.

import type { CountedChart, Counter, Counting } from "./chart.ts";
import { NumberCounter } from "./histogram.ts";

export class YearCounter implements Counter<string> {
  readonly #years: NumberCounter;

  constructor(counting: Counting) {
    this.#years = new NumberCounter(counting, true);
  }

  add(date: string, version: number, group: number | undefined): void {
    this.#years.add(Number(date.slice(0, 4)), version, group);
  }

  result(): CountedChart {
    // The mean of years says nothing.
    return { ...this.#years.result(), statistics: null };
  }
}
