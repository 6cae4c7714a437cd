// Checks filters that were sent as JSON, as the query of a list is checked.

import { Problem } from "../base/problems.ts";
import { sessionFilters } from "../exports/filters.ts";
import { readListQuery } from "../http/list-query.ts";
import { filtersIn, type SentFilter } from "./filter.ts";

interface FilterFault {
  /** Undefined: it is about all of them. */
  field?: string;
  operator?: string;
  message: string;
}

/** Every error, but those that only the study's questions show. */
export function faultsOfFilter(sent: SentFilter): FilterFault[] {
  const places = new Map<string, Pick<FilterFault, "field" | "operator">>();
  const query = new URLSearchParams();
  for (const { field, operator, isList, values } of filtersIn(sent)) {
    const name = `filter[${field}][${operator}]${isList ? "[]" : ""}`;
    places.set(name, { field, operator });
    // An empty value is how a query has an empty list.
    for (const one of isList && !values.length ? [""] : values) query.append(name, one);
  }
  try {
    readListQuery(query.toString(), sessionFilters);
    return [];
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    return (error.document.errors ?? []).map(({ pointer, message }) => ({ ...places.get(pointer), message }));
  }
}
