// Checks filters that were sent as JSON, as the query of a list is checked.

import { invalidRequest, Problem } from "../base/problems.ts";
import { sessionFilters } from "../exports/filters.ts";
import { readListQuery } from "../http/list-query.ts";
import { filtersIn, type SentFilter } from "./filter.ts";

/** @throws Problem 400 with every error, but those that only the study's questions show */
export function checkFilter(sent: SentFilter): void {
  const pointers = new Map<string, string>();
  const query = new URLSearchParams();
  for (const { pointer, field, operator, isList, values } of filtersIn(sent)) {
    const name = `filter[${field}][${operator}]${isList ? "[]" : ""}`;
    pointers.set(name, pointer);
    // An empty value is how a query has an empty list.
    for (const one of isList && !values.length ? [""] : values) query.append(name, one);
  }
  try {
    readListQuery(query.toString(), sessionFilters);
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    const { errors = [], errorCount } = error.document;
    throw invalidRequest(
      errors.map((one) => ({ ...one, pointer: pointers.get(one.pointer) ?? one.pointer })),
      errorCount,
    );
  }
}
