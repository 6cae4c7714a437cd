// The chart of selects: how many have chosen each option, or have written something in.

import { type CountedChart, type Counter, Tally } from "./chart.ts";

interface Choice {
  text: string;
  isWriteIn: boolean;
}

interface Version {
  options: readonly { id: string; text: string }[];
  allowsWriteIn: boolean;
}

/** The options that a question has or had, those of the newest version first; and for each version the rows of its options by their texts. */
export function rowsOfOptions(versions: readonly Version[]) {
  const labels: { label: string; isFormer: boolean }[] = [];
  const rows = new Map<string, number>();
  const rowOf = versions.map(
    ({ options }, version) =>
      new Map(
        options.map(({ id, text }) => {
          let row = rows.get(id);
          if (row === undefined) {
            row = labels.push({ label: text, isFormer: version > 0 }) - 1;
            rows.set(id, row);
          }
          return [text, row];
        }),
      ),
  );
  return { labels, rowOf };
}

export class ChoiceCounter implements Counter<readonly Choice[]> {
  readonly #labels: { label: string; isFormer: boolean; isWriteIn?: boolean }[];
  readonly #rowOf: readonly ReadonlyMap<string, number>[];
  /** The row of what is written in: the last one. */
  readonly #writeIn: number;
  readonly #tally: Tally;

  constructor(versions: readonly Version[], groups: number) {
    const { labels, rowOf } = rowsOfOptions(versions);
    this.#rowOf = rowOf;
    this.#writeIn = labels.length;
    const withWriteIn = versions.findIndex(({ allowsWriteIn }) => allowsWriteIn);
    this.#labels =
      withWriteIn < 0 ? labels : [...labels, { label: "Something else", isFormer: withWriteIn > 0, isWriteIn: true }];
    this.#tally = new Tally(this.#labels.length, groups);
  }

  add(choices: readonly Choice[], version: number, group: number | undefined): void {
    for (const { text, isWriteIn } of choices) {
      const row = isWriteIn ? this.#writeIn : this.#rowOf[version]!.get(text);
      if (row !== undefined) this.#tally.count(row, group);
    }
  }

  result(): CountedChart {
    const rows = this.#labels.map((label, row) => this.#tally.row(row, label));
    return { kind: "OPTIONS", rows, statistics: null };
  }
}
