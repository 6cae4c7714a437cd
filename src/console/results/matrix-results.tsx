// What was answered to a matrix: a table of its rows and columns, or, where results are split, the bars of each row.

import type { VNode } from "preact";
import { clean } from "../../base/clean-text.ts";
import type { ResultsMatrixRow, ResultsRow } from "../../client/types.ts";
import { counted } from "../../languages/counted.ts";
import { type Bar, Bars, type Group, Share } from "./charts.tsx";

interface MatrixProps {
  caption: string;
  rows: readonly ResultsMatrixRow[];
  /** What the results are split into. */
  groups: readonly Group["label"][];
  barOf: (row: ResultsRow) => Bar;
}

export function MatrixResults({ caption, rows, groups, barOf }: MatrixProps): VNode {
  if (!groups.length) return <MatrixTable {...{ caption, rows, barOf }} />;
  return (
    <>
      {rows.map(({ label, isFormer, answered, groupAnswered, rows: columns }, at) => (
        <section key={`${at} ${label}`}>
          <h3 dir="auto">
            {clean(label)}
            {isFormer && <span class="note"> (former row)</span>}
          </h3>
          <Bars
            caption={`${caption} – ${label}`}
            heading="Answer"
            bars={columns.map(barOf)}
            of={answered}
            groups={groups.map((group, index) => ({ label: group, of: groupAnswered[index]! }))}
          />
        </section>
      ))}
    </>
  );
}

/** All rows have the same columns. */
function MatrixTable({ caption, rows, barOf }: Omit<MatrixProps, "groups">): VNode {
  const columns = rows[0]?.rows.map(barOf) ?? [];
  return (
    <div class="frame">
      <table class="bars bars-split">
        <caption class="unseen">{clean(caption)}</caption>
        <thead>
          <tr>
            <th scope="col">Row</th>
            {columns.map(({ label, note }, at) => (
              <th scope="col" key={`${at} ${label}`}>
                <bdi>{clean(label)}</bdi>
                {note && <span class="note"> {note}</span>}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map(({ label, isFormer, answered, rows: cells }, at) => (
            <tr key={`${at} ${label}`}>
              <th scope="row" dir="auto">
                {clean(label)}
                <span class="note">
                  {isFormer && " (former row)"} {counted(answered, "answer", "answers")}
                </span>
              </th>
              {cells.map(barOf).map(({ label: column, count, ranges }, index) => (
                <td key={`${index} ${column}`} data-label={clean(column)}>
                  <Share count={count} of={answered} range={answered ? ranges?.[0] : undefined} />
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
