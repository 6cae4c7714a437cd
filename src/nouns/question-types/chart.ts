// What many answers to a question say together: the rows of a chart, each with a count for all and for each group.

import * as v from "valibot";

const count = v.number();

const row = v.pipe(
  v.object({
    label: v.string(),
    from: v.pipe(v.nullable(v.number()), v.description("Only of a histogram: numbers from here, …")),
    to: v.pipe(v.nullable(v.number()), v.description("… to here. This one is included in the last row alone")),
    isWriteIn: v.pipe(v.boolean(), v.description("What participants have written beside the options")),
    count,
    groupCounts: v.pipe(v.array(count), v.description("In the order of `groups`")),
  }),
  v.title("ResultsRow"),
);

const statistics = v.pipe(
  v.object({ min: v.number(), max: v.number(), mean: v.number(), median: v.number() }),
  v.title("ResultsStatistics"),
);

export const chart = v.pipe(
  v.object({
    kind: v.pipe(
      v.picklist(["OPTIONS", "HISTOGRAM", "WORDS"]),
      v.description(
        "`OPTIONS`: how many have chosen each. `HISTOGRAM`: how many numbers lie in each range. `WORDS`: how many answers have each of the " +
          "most frequent words of three letters or more",
      ),
    ),
    rows: v.array(row),
    statistics: v.pipe(v.nullable(statistics), v.description("Only of numbers, and of all groups together")),
  }),
  v.title("ResultsChart"),
);

export type Chart = v.InferOutput<typeof chart>;

/** Answers of all participants, and of the groups into which they are split. */
export interface Answers<Shown> {
  all: readonly Shown[];
  groups: readonly (readonly Shown[])[];
}

interface Label {
  label: string;
  from?: number;
  to?: number;
  isWriteIn?: boolean;
}

/** The rows with these labels. @param count how many of some answers belong to each label, in their order */
export function rowsOf<Shown>(
  labels: readonly Label[],
  { all, groups }: Answers<Shown>,
  count: (answers: readonly Shown[]) => number[],
): Chart["rows"] {
  const counts = count(all);
  const groupCounts = groups.map(count);
  return labels.map(({ label, from = null, to = null, isWriteIn = false }, at) => ({
    label,
    from,
    to,
    isWriteIn,
    count: counts[at]!,
    groupCounts: groupCounts.map((ofGroup) => ofGroup[at]!),
  }));
}
