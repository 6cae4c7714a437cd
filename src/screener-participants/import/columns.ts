// The columns of a participant that a row of an import may change.

import { REQUIRED, WRITTEN, type Written } from "../../participants/resource.ts";

/** What a row may change of a participant: all but `externalUid`, by which rows are matched. */
export const changeable = (Object.keys(WRITTEN) as Written[]).flatMap((member) =>
  member === "externalUid" ? [] : { member, column: WRITTEN[member], isRequired: REQUIRED.includes(member) },
);

/** SQL for each changeable column (or each of `columns`). */
export function each(sql: (column: string, member: string) => string, separator = ", ", columns = changeable): string {
  return columns.map(({ column, member }) => sql(column, member)).join(separator);
}
