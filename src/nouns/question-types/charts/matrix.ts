// The chart of matrices: how many have chosen each column in each row.

import type { CountedChart, CountedMatrixRow, Counter } from "./chart.ts";

interface Choice {
  text: string;
  isWriteIn: boolean;
}

interface Shown {
  rows: readonly { rowId: string; choices: readonly { text: string }[] }[];
}

interface Version {
  rows: readonly { id: string; text: string }[];
}

interface CountedRow extends Pick<CountedMatrixRow, "label" | "isFormer" | "answered" | "groupAnswered"> {
  counter: Counter<Choice[]>;
}

export class MatrixCounter implements Counter<Shown> {
  readonly #rows = new Map<string, CountedRow>();

  /** @param versions the newest first @param counterOf counts the choices in one row, in all versions */
  constructor(versions: readonly Version[], groups: number, counterOf: () => Counter<Choice[]>) {
    for (const [version, { rows }] of versions.entries())
      for (const { id, text } of rows)
        if (!this.#rows.has(id))
          this.#rows.set(id, {
            label: text,
            isFormer: version > 0,
            answered: 0,
            groupAnswered: new Array<number>(groups).fill(0),
            counter: counterOf(),
          });
  }

  add({ rows }: Shown, version: number, group: number | undefined): void {
    for (const { rowId, choices } of rows) {
      const row = this.#rows.get(rowId);
      if (!row) continue;
      row.answered++;
      if (group !== undefined) row.groupAnswered[group]!++;
      row.counter.add(
        choices.map(({ text }) => ({ text, isWriteIn: false })),
        version,
        group,
      );
    }
  }

  result(): CountedChart {
    const matrixRows = [...this.#rows.values()].map(({ counter, ...row }) => ({ ...row, rows: counter.result().rows }));
    return { kind: "MATRIX", rows: [], statistics: null, matrixRows };
  }
}
