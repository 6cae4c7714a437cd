// Checks filters that were sent as JSON, as the query of a list is checked.

import { Problem } from "../base/problems.ts";
import { readListQuery } from "../http/list-query.ts";
import { sessionFilters } from "./filters.ts";
import { filtersIn, type SentAt, type SentFilter } from "./sent-filter.ts";

interface FilterFault {
  pointer: string;
  /** The path to it from where the filters were sent. Empty: it is about all of them. */
  path: string[];
  message: string;
}

/** Every error, but those that only the study's questions show. */
export function faultsOfFilter(sent: SentFilter, at: SentAt): FilterFault[] {
  const places = new Map<string, Pick<FilterFault, "pointer" | "path">>();
  const query = new URLSearchParams();
  for (const { pointer, field, operator, isList, values } of filtersIn(sent, at)) {
    const name = `filter[${field}][${operator}]${isList ? "[]" : ""}`;
    places.set(name, { pointer, path: [field, operator] });
    // An empty value is how a query has an empty list.
    for (const one of isList && !values.length ? [""] : values) query.append(name, one);
  }
  try {
    readListQuery(query.toString(), sessionFilters);
    return [];
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    const nowhere = { pointer: at.pointer, path: [] };
    return (error.document.errors ?? []).map(({ pointer, message }) => ({
      ...(places.get(pointer) ?? nowhere),
      message,
    }));
  }
}
