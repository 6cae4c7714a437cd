// Tables of the console.

import type { ComponentChildren, VNode } from "preact";

interface TableProps {
  columns: readonly string[];
  /** A class for its style. */
  of?: string;
  children: ComponentChildren;
}

/** On narrow screens each row is a card: its cells name their column by `data-label`. */
export function Table({ columns, of, children }: TableProps): VNode {
  return (
    <table class={of ? `cards-when-narrow ${of}` : "cards-when-narrow"}>
      <thead>
        <tr>
          {columns.map((column) => (
            <th scope="col" key={column}>
              {column}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>{children}</tbody>
    </table>
  );
}
