// Which sessions a review is about: filters as those of the table of answers, in JSON.

import * as v from "valibot";
import type { Filter, Operator } from "../../db/list/where.ts";
import { columnOf, isHandled, storedValues } from "../base/filter-rules.ts";
import type { AskedFilter } from "../base/members.ts";
import { sessionFilters } from "../exports/filters.ts";

const value = v.union([v.string(), v.number(), v.boolean()], "must be a text, a number, true or false");

export const ReviewFilter = v.pipe(
  v.record(
    v.string(),
    v.record(
      v.string(),
      v.union([value, v.array(value)], "must be a value, or an array of values"),
      "must be an object",
    ),
    "must be an object",
  ),
  v.description(
    'The filters of the table of answers, by field and operator: `filter[answers.age][gte]=18` is `{ "answers.age": { "gte": 18 } }`. ' +
      "Sessions that wait for their review, unless it has `review`",
  ),
);

export type SentFilter = v.InferOutput<typeof ReviewFilter>;

/** Each filter, with its values as texts. */
export function* filtersIn(sent: SentFilter) {
  for (const [field, operators] of Object.entries(sent))
    for (const [operator, given] of Object.entries(operators)) {
      const pointer = `/filter/${[field, operator].map(escaped).join("/")}`;
      yield { pointer, field, operator, isList: Array.isArray(given), values: [given].flat().map(String) };
    }
}

/** A part of a JSON pointer. */
const escaped = (part: string) => part.replaceAll("~", "~0").replaceAll("/", "~1");

/** The same as lists have them, of one that was checked (filter-query.ts). */
export function readFilter(sent: SentFilter): { filters: Filter[]; asked: AskedFilter[] } {
  const filters: Filter[] = [];
  const asked: AskedFilter[] = [];
  for (const { pointer, field, operator, values } of filtersIn(sent)) {
    const [name = "", ...rest] = field.split(".");
    const key = rest.length ? rest.join(".").trim() : undefined;
    const rule = sessionFilters[name]!;
    if (key !== undefined && isHandled(rule, operator)) asked.push({ pointer, field: name, key, operator, values });
    else
      filters.push({
        by: columnOf(rule, key)!,
        operator: operator as Operator,
        values: storedValues(values, rule),
      });
  }
  return { filters, asked };
}
