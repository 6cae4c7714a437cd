// The warnings of what was read: members, columns and lines that may be meant otherwise.

import { unknownMember } from "../base/schemas.ts";
import { WRITTEN, type Written } from "../nouns/participants/resource.ts";
import type { UnknownMembers } from "./check.ts";
import type { Columns } from "./read/csv-headings.ts";
import { nearMember } from "./read/near-members.ts";
import type { Payload } from "./read/read.ts";

const members = Object.keys(WRITTEN) as Written[];

/** With these warnings, a person should look at the plan before it is applied. */
export const STOPPING = ["unknown_column_near", "column_missing"] as const;

/** The warnings of a payload that was read to its end. @param unknown members of rows that are ignored */
export function warningsOf(unknown: UnknownMembers, { columns, isEnded }: Payload): object[] {
  const notEnded = {
    code: "last_line_not_ended",
    message: "The last line of the file has no line end. Some of the file may be missing.",
  };
  return [...(columns ? ofColumns(columns) : []), ...unknownMembers(unknown), ...(isEnded ? [] : [notEnded])];
}

function ofColumns({ ignored, near }: Columns): object[] {
  const unused = {
    code: "columns_ignored",
    message: `These columns were not imported: ${ignored.map((heading) => JSON.stringify(heading)).join(", ")}.`,
    columns: ignored,
  };
  const meant = near.map(({ heading, member }) => ({
    code: "unknown_column_near",
    message:
      `No column is ${member}. Is ${JSON.stringify(heading)} meant? If it is, send columns[${heading}]=${member}; ` +
      `if it is not, columns[${heading}]=attributes.`,
    column: heading,
    member,
  }));
  return [...(ignored.length ? [unused] : []), ...meant];
}

function unknownMembers(unknown: UnknownMembers): object[] {
  return [...unknown].map(([member, rows]) => {
    const near = nearMember(member, members);
    const known = near ? `is not known; did you mean ${near}?` : unknownMember(member, members);
    return {
      code: "unknown_member",
      message: `${member} ${known.replace(/[^?]$/, "$&.")} It was ignored in ${rows} ${rows === 1 ? "row" : "rows"}.`,
      member,
      rows,
    };
  });
}
