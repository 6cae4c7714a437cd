// The columns of a participant that a row of an import may change.

import { REQUIRED, WRITTEN, type Written } from "../nouns/participants/resource.ts";

/** What a row may change of a participant: all but `externalUid`, by which rows are matched. */
export const changeable = [
  ...(Object.keys(WRITTEN) as Written[]).flatMap((member) =>
    member === "externalUid" ? [] : { member, column: WRITTEN[member], isRequired: REQUIRED.includes(member) },
  ),
  // The text of all attributes: see attributes.ts.
  { member: "attributes", column: "attributes", isRequired: false },
];

/** SQL expression of a new participant's value, from the staged row `r`. */
export function newValue(column: string): string {
  return column === "attributes" ? "coalesce(r.attributes, '{}')" : `r.${column}`;
}

/**
 * SQL: the attributes that differ between two stored texts, as JSON objects of field, from and to, with a comma before each;
 * sorted, because plans are compared as texts.
 */
export function attributeChanges(from: string, to: string): string {
  const read = (text: string, columns: string) =>
    `SELECT key, iif(type IN ('true', 'false'), type, json_quote(value)) AS json, ${columns} FROM json_each(${text})`;
  return `coalesce((SELECT group_concat(concat(',{"field":', json_quote('attributes.' || key), ',"from":', coalesce(f, 'null'),
      ',"to":', coalesce(t, 'null'), '}'), '')
    FROM (SELECT key, max(iif(side = 0, json, NULL)) AS f, max(iif(side = 1, json, NULL)) AS t
      FROM (${read(from, "0 AS side")} UNION ALL ${read(to, "1 AS side")}) GROUP BY key)
    WHERE f IS NOT t), '')`;
}

/** SQL for each changeable column (or each of `columns`). */
export function each(
  sql: (column: string, member: string) => string,
  separator = ", ",
  columns: readonly { member: string; column: string }[] = changeable,
): string {
  return columns.map(({ column, member }) => sql(column, member)).join(separator);
}
