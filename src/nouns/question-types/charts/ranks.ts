// The chart of rankings: how many have ranked each option first, and its mean rank.

import { type CountedChart, type Counter, Tally } from "./chart.ts";

interface Ranked {
  optionId: string;
}

interface Version {
  options: readonly { id: string; text: string }[];
}

export class RankCounter implements Counter<readonly Ranked[]> {
  readonly #labels: { label: string; isFormer: boolean }[] = [];
  readonly #rowOf = new Map<string, number>();
  readonly #tally: Tally;
  /** Of all ranks that an option was given: how many, and their sum. */
  readonly #ranks: { count: number; sum: number }[];

  /** @param versions the newest first */
  constructor(versions: readonly Version[], groups: number) {
    for (const [version, { options }] of versions.entries())
      for (const { id, text } of options)
        if (!this.#rowOf.has(id)) this.#rowOf.set(id, this.#labels.push({ label: text, isFormer: version > 0 }) - 1);
    this.#tally = new Tally(this.#labels.length, groups);
    this.#ranks = this.#labels.map(() => ({ count: 0, sum: 0 }));
  }

  add(ranked: readonly Ranked[], _: number, group: number | undefined): void {
    for (const [index, { optionId }] of ranked.entries()) {
      const row = this.#rowOf.get(optionId);
      if (row === undefined) continue;
      if (index === 0) this.#tally.count(row, group);
      const ranks = this.#ranks[row]!;
      ranks.count++;
      ranks.sum += index + 1;
    }
  }

  result(): CountedChart {
    const rows = this.#labels.map((label, row) => {
      const { count, sum } = this.#ranks[row]!;
      return this.#tally.row(row, { ...label, meanRank: count ? sum / count : null });
    });
    return { kind: "OPTIONS", rows, statistics: null };
  }
}
