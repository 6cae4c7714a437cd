// The chart of consents: how many have given it, by the version of its text.

import { type CountedChart, type Counter, Tally } from "./chart.ts";

interface Given {
  version: string | null;
}

/** Versions beyond these are counted together: each may be another text. */
const MAX_VERSIONS = 100;

export class ConsentCounter implements Counter<Given> {
  readonly #labels: { label: string }[] = [];
  readonly #rowOf = new Map<string | null, number>();
  readonly #tally: Tally;

  constructor(groups: number) {
    this.#tally = new Tally(1, groups);
  }

  add({ version }: Given, _: number, group: number | undefined): void {
    const row = this.#rowOf.get(version) ?? this.#add(version);
    this.#tally.count(row, group);
  }

  #add(version: string | null): number {
    const isOther = this.#labels.length === MAX_VERSIONS;
    if (this.#labels.length > MAX_VERSIONS) return MAX_VERSIONS;
    const label = isOther ? "Given, other versions" : version === null ? "Given" : `Given, version ${version}`;
    const row = this.#labels.push({ label }) - 1;
    if (!isOther) this.#rowOf.set(version, row);
    return row;
  }

  result(): CountedChart {
    const rows = this.#labels.map((label, row) => this.#tally.row(row, label));
    return { kind: "OPTIONS", rows, statistics: null };
  }
}
