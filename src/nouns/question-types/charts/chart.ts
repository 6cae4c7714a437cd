// What many answers to a question say together: the rows of a chart, each with a count for all and for each group. Answers are
// counted as they come, because all of them together may not fit into memory.

import * as v from "valibot";

const count = v.number();

/** Of what share of a sample. */
const bound = (which: string) =>
  v.pipe(
    v.nullable(v.number()),
    v.description(
      `The ${which} end of the interval in which the share lies among all, with 95 % (Wilson). null: all are counted, so there is nothing to estimate`,
    ),
  );
const groupBounds = (which: string) =>
  v.pipe(v.nullable(v.array(v.number())), v.description(`The ${which} ends for the groups. null: all are counted`));

/** The interval of a share. */
export const interval = { low: bound("lower"), high: bound("upper") };

const row = v.pipe(
  v.object({
    label: v.string(),
    from: v.pipe(v.nullable(v.number()), v.description("Only of a histogram: numbers from here, …")),
    to: v.pipe(v.nullable(v.number()), v.description("… to here. This one is included in the last row alone")),
    isWriteIn: v.pipe(v.boolean(), v.description("What participants have written beside the options")),
    isFormer: v.pipe(v.boolean(), v.description("An option that only former versions of the question had")),
    count,
    meanRank: v.pipe(
      v.nullable(v.number()),
      v.description(
        "Only of a ranking, whose rows count those who have ranked an option first: its mean rank, of those who have ranked it",
      ),
    ),
    groupCounts: v.pipe(v.array(count), v.description("In the order of `groups`")),
    ...interval,
    groupLows: groupBounds("lower"),
    groupHighs: groupBounds("upper"),
  }),
  v.title("ResultsRow"),
);

const groupAnswered = v.pipe(v.array(count), v.description("In the order of `groups`"));

const matrixRow = v.pipe(
  v.object({
    label: v.string(),
    isFormer: v.pipe(v.boolean(), v.description("A row that only former versions of the question had")),
    answered: v.pipe(count, v.description("How many have chosen something in it")),
    groupAnswered,
    rows: v.pipe(v.array(row), v.description("The columns, with how many have chosen each in this row")),
  }),
  v.title("ResultsMatrixRow"),
);

const statistics = v.pipe(
  v.object({ min: v.number(), max: v.number(), mean: v.number(), median: v.number() }),
  v.title("ResultsStatistics"),
);

export const chart = v.pipe(
  v.object({
    kind: v.pipe(
      v.picklist(["OPTIONS", "HISTOGRAM", "WORDS", "MATRIX"]),
      v.description(
        "`OPTIONS`: how many have chosen each. `HISTOGRAM`: how many numbers lie in each range. `WORDS`: how many answers have each of the " +
          "most frequent words of three letters or more. `MATRIX`: `matrixRows` has a chart of each row",
      ),
    ),
    rows: v.array(row),
    statistics: v.pipe(v.nullable(statistics), v.description("Only of numbers, and of all groups together")),
    matrixRows: v.pipe(v.nullable(v.array(matrixRow)), v.description("Only of a matrix, whose own `rows` are empty")),
  }),
  v.title("ResultsChart"),
);

type Row = v.InferOutput<typeof row>;

/** A chart that was counted: how sure its shares are is not known to the type of question. */
export interface CountedChart extends Omit<v.InferOutput<typeof chart>, "rows" | "matrixRows"> {
  rows: CountedRow[];
  matrixRows?: CountedMatrixRow[];
}

export type CountedRow = Omit<Row, "low" | "high" | "groupLows" | "groupHighs">;

export interface CountedMatrixRow extends Omit<v.InferOutput<typeof matrixRow>, "rows"> {
  rows: CountedRow[];
}

/** What a counter counts. */
export interface Counting {
  /** How many groups the answers are split into. */
  groups: number;
  /** How many questions are counted at the same time: they share the memory. */
  questions: number;
}

/** Counts the answers to a question. */
export interface Counter<Shown> {
  /** @param version which of the question's versions was answered @param group undefined: they are not split */
  add(shown: Shown, version: number, group: number | undefined): void;
  result(): CountedChart;
}

interface Label {
  label: string;
  from?: number;
  to?: number;
  isWriteIn?: boolean;
  isFormer?: boolean;
  meanRank?: number | null;
}

/** Counts by row, for all and for each group. */
export class Tally {
  readonly #columns: number;
  #counts: Uint32Array;

  constructor(rows: number, groups: number) {
    this.#columns = groups + 1;
    this.#counts = new Uint32Array(rows * this.#columns);
  }

  /** Rows that it has no room for yet are added. */
  count(row: number, group: number | undefined): void {
    const at = row * this.#columns;
    if (at >= this.#counts.length) {
      const grown = new Uint32Array(Math.max(2 * this.#counts.length, at + 64 * this.#columns));
      grown.set(this.#counts);
      this.#counts = grown;
    }
    this.#counts[at]!++;
    if (group !== undefined) this.#counts[at + 1 + group]!++;
  }

  of(row: number): number {
    return this.#counts[row * this.#columns] ?? 0;
  }

  /** The row of a chart. */
  row(row: number, label: Label): CountedChart["rows"][number] {
    const { label: text, from = null, to = null, isWriteIn = false, isFormer = false, meanRank = null } = label;
    const [count = 0, ...groupCounts] = this.#counts.subarray(row * this.#columns, (row + 1) * this.#columns);
    return { label: text, from, to, isWriteIn, isFormer, count, meanRank, groupCounts };
  }
}
