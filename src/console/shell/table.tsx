// Tables of the console.

import type { ComponentChildren, VNode } from "preact";

/** A column that the table can be sorted by. */
interface SortedColumn {
  name: string;
  /** The value of `sort` in the address. Descending, it has a minus before it. */
  by: string;
}

interface TableProps {
  columns: readonly (string | SortedColumn)[];
  /** Where columns lead, and what the table is sorted by now. */
  sorting?: Sorting;
  /** A class for its style. */
  of?: string;
  children: ComponentChildren;
}

export interface Sorting {
  /** The address of the first page, without `sort`. */
  path: string;
  /** As in the address; empty: the order of the list itself. */
  at: string;
}

/** A heading that sorts: the first time upwards, then downwards. */
export function Heading({
  column: { name, by },
  sorting: { path, at },
}: {
  column: SortedColumn;
  sorting: Sorting;
}): VNode {
  const order = at === by ? "ascending" : at === `-${by}` ? "descending" : undefined;
  return (
    <th scope="col" aria-sort={order}>
      <a class="sorts" href={withSort(path, at === by ? `-${by}` : by)}>
        {name}
        <span aria-hidden="true">{order === undefined ? "" : order === "ascending" ? " ▲" : " ▼"}</span>
      </a>
    </th>
  );
}

/** A heading by which a list by time is sorted. */
export const byTime = (name: string): SortedColumn => ({ name, by: "createdAt" });

/** Of cards, which have no headings: leads to the other order. */
export function OtherOrder({ path, at }: Sorting): VNode {
  const isOldestFirst = at === "createdAt";
  return (
    <p>
      <a href={withSort(path, isOldestFirst ? "-createdAt" : "createdAt")}>
        {isOldestFirst ? "Newest first" : "Oldest first"}
      </a>
    </p>
  );
}

/** An address with a sort. */
export function withSort(path: string, sort: string): string {
  return sort ? `${path}${path.includes("?") ? "&" : "?"}sort=${sort}` : path;
}

/** On narrow screens each row is a card: its cells name their column by `data-label`. */
export function Table({ columns, sorting, of, children }: TableProps): VNode {
  return (
    <table class={of ? `cards-when-narrow ${of}` : "cards-when-narrow"}>
      <thead>
        <tr>
          {columns.map((column) =>
            typeof column === "string" ? (
              <th scope="col" key={column}>
                {column}
              </th>
            ) : (
              <Heading key={column.name} column={column} sorting={sorting!} />
            ),
          )}
        </tr>
      </thead>
      <tbody>{children}</tbody>
    </table>
  );
}
