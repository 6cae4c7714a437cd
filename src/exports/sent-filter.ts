// The filters of the table of answers as JSON, for bodies that name sessions by them.

import * as v from "valibot";
import type { Filter, Operator } from "../../db/list/where.ts";
import type { Reader } from "../../db/sqlite/connection.ts";
import { columnOf, isHandled, storedValues } from "../base/filter-rules.ts";
import type { AskedFilter } from "../base/members.ts";
import { idOfReference } from "../base/references.ts";
import { sessionFilters } from "./filters.ts";

const value = v.union([v.string(), v.number(), v.boolean()], "must be a text, a number, true or false");

/** Of the operators of a filter. */
export const asksSomething = <Operators extends Record<string | number, unknown>>() =>
  v.minEntries<Operators, 1, string>(1, 'must have an operator, such as { "eq": 18 }');

/** By field, then by operator: `{ "answers.age": { "gte": 18 } }`. A filter that asks nothing is none: it would find everybody. */
export const SentFilter = v.record(
  v.string(),
  v.pipe(
    v.record(
      v.string(),
      v.union([value, v.array(value)], "must be a value, or an array of values"),
      "must be an object",
    ),
    asksSomething(),
  ),
  "must be an object",
);

/** What descriptions say of its form. */
export const FORM_OF_FILTER =
  'The filters of the table of answers, by field and operator: `filter[answers.age][gte]=18` is `{ "answers.age": { "gte": 18 } }`';

export type SentFilter = v.InferOutput<typeof SentFilter>;

/** Where filters were sent. */
export interface SentAt {
  /** JSON pointer. */
  pointer: string;
  /** Of which all names are keys, such as `answers`. Missing: they are fields. */
  field?: string;
}

/** Each filter, with its values as texts. */
export function* filtersIn(sent: SentFilter, { pointer: at, field: of }: SentAt) {
  for (const [name, operators] of Object.entries(sent))
    for (const [operator, given] of Object.entries(operators)) {
      const pointer = `${at}/${[name, operator].map(escaped).join("/")}`;
      const field = of === undefined ? name : `${of}.${name}`;
      yield { pointer, field, operator, isList: Array.isArray(given), values: [given].flat().map(String) };
    }
}

/** A part of a JSON pointer. */
const escaped = (part: string) => part.replaceAll("~", "~0").replaceAll("/", "~1");

/** The filters as lists have them. */
export interface ReadFilters {
  filters: Filter[];
  asked: AskedFilter[];
}

/** The same as lists have them, of one that was checked (sent-filter-query.ts). */
export function readFilter(sent: SentFilter, at: SentAt): ReadFilters {
  const filters: Filter[] = [];
  const asked: AskedFilter[] = [];
  for (const { pointer, field, operator, values } of filtersIn(sent, at)) {
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

/** With the ids of the sessions that it names by references, as callers do that must not see ids. */
export function withIds(db: Reader, sent: SentFilter): SentFilter {
  if (!Object.hasOwn(sent, "id")) return sent;
  const clear = (one: string | number | boolean) => idOfReference(db, String(one));
  const operators = Object.entries(sent.id!).map(([operator, value]) => [
    operator,
    Array.isArray(value) ? value.map(clear) : clear(value),
  ]);
  return { ...sent, id: Object.fromEntries(operators) };
}
