// A grid of quotas as a table: the last question has the columns. On the page of the quotas and in the builder.

import type { ComponentChildren, VNode } from "preact";
import { combinations } from "../../nouns/content/grids/grids.ts";

interface GridTableProps<Cell> {
  label: string;
  /** What each question asks, and its answers in words. */
  questions: readonly { prompt: string; answers: readonly string[] }[];
  /** @param positions of an answer to each question */
  cellOf(positions: readonly number[]): Cell;
  show(cell: Cell): ComponentChildren;
  /** Of a row, a column, or all. */
  showSum(cells: readonly Cell[]): ComponentChildren;
  /** Whether its cells have links. Without them a keyboard could not scroll it. */
  hasLinks: boolean;
}

export function GridTable<Cell>({ label, questions, cellOf, show, showSum, hasLinks }: GridTableProps<Cell>): VNode {
  const before = questions.slice(0, -1);
  const columns = questions.at(-1)!.answers;
  const rows = combinations(before.map(({ answers }) => answers.length)).map((positions) => ({
    name: positions.map((at, index) => before[index]!.answers[at]!).join(", "),
    cells: columns.map((_, at) => cellOf([...positions, at])),
  }));
  return (
    <section class="frame" aria-label={label} {...(hasLinks ? {} : { tabIndex: 0 })}>
      <table>
        <thead>
          <tr>
            <th scope="col">{before.map(({ prompt }) => prompt).join(", ")}</th>
            {columns.map((name) => (
              <th key={name} scope="col">
                {name}
              </th>
            ))}
            <th scope="col">Together</th>
          </tr>
        </thead>
        <tbody>
          {rows.map(({ name, cells }) => (
            <tr key={name}>
              <th scope="row">{name}</th>
              {cells.map((cell, at) => (
                <td key={columns[at]!}>{show(cell)}</td>
              ))}
              <td>{showSum(cells)}</td>
            </tr>
          ))}
          <tr>
            <th scope="row">Together</th>
            {columns.map((name, at) => (
              <td key={name}>{showSum(rows.map(({ cells }) => cells[at]!))}</td>
            ))}
            <td>{showSum(rows.flatMap(({ cells }) => cells))}</td>
          </tr>
        </tbody>
      </table>
    </section>
  );
}
