// The columns that a query chooses: names with commas between them. A name that has a comma stands in double quotes, as in CSV.

import { parse } from "csv-parse/sync";
import * as v from "valibot";

/** As many as somebody can read. The export has all. */
const MAX_CHOSEN = 100;

export const chosenColumns = v.pipe(
  v.string(),
  v.description(
    "Which columns, with commas between them, in their order: `session.startedAt`, `answers.<key>`, `answers.<key>.<id of a row>`, " +
      "`attributes.<key>`, `quotas.<name>`, `arms.<name>` and so on; see the list of columns. A name that has a comma stands in double quotes. " +
      `At most ${MAX_CHOSEN}. Default: who, when, the outcome and the first questions`,
  ),
  v.rawTransform(({ dataset: { value }, addIssue, NEVER }) => {
    const names = namesIn(value);
    if (!names?.length) addIssue({ message: "must be names of columns with commas between them" });
    else if (names.length > MAX_CHOSEN) addIssue({ message: `must be at most ${MAX_CHOSEN} columns` });
    else if (new Set(names).size < names.length) addIssue({ message: "names a column twice" });
    else return names;
    return NEVER;
  }),
);

function namesIn(text: string): string[] | undefined {
  try {
    const [names = []] = parse(text, { trim: true, to: 1 }) as string[][];
    return names.every((name) => name !== "") ? names : undefined;
  } catch {
    return undefined;
  }
}
