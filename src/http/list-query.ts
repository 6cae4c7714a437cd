// The query of a list: `pagination[offset|limit]`, `filter[field][operator]` and `sort`. It is read strictly: a parameter
// that is ignored would give the caller the wrong list.

import type { Page } from "../../db/list/ranges.ts";
import type { Filter, Operator } from "../../db/list/where.ts";
import { MAX_SEARCHED_WORDS, searchedWords } from "../../db/sqlite/words.ts";
import { isCleanText } from "../base/clean-text.ts";
import { columnOf, isHandled, readTimestamp, storedValues } from "../base/filter-rules.ts";
import type { AnyFilterRule, AskedFilter } from "../base/members.ts";
import { invalidRequest, Problem, type ProblemDetail } from "../base/problems.ts";
import type { FilterRules } from "../base/resource.ts";
import { isUuid } from "../base/schemas.ts";
import { MEDIA_TYPES, type ReplyFormat } from "./wire/formats.ts";

export interface ListQuery {
  page: Page;
  filters: Filter[];
  /** The filters that the endpoint itself handles. */
  asked?: AskedFilter[];
  /** One of the list's sorts; undefined when the query has none. */
  sort?: string;
}

export const DEFAULT_LIMIT = 100;
export const MAX_LIMIT = 500;
/** The limit for the values of one filter. */
export const MAX_VALUES = 500;

const NO_FILTERS: Filter[] = [];

/**
 * Reads the query of a list with the filters of `rules`, which can be sorted by any of `sorts`. Any other parameter is an error, and so is pagination in a format
 * that has the whole list.
 * @throws Problem 400 with every error
 */
export function readListQuery(
  querystring: string,
  rules: FilterRules,
  format: ReplyFormat = "json",
  sorts: readonly string[] = [],
): ListQuery {
  const page: Page = { offset: 0, limit: DEFAULT_LIMIT };
  if (!querystring) return { page, filters: NO_FILTERS };
  const errors: ProblemDetail[] = [];
  const filters = new Map<string, Filter & { rule: AnyFilterRule }>();
  const asked = new Map<string, AskedFilter>();
  const seen = new Set<string>();
  let sort: string | undefined;
  for (const [name, value] of readParameters(querystring)) {
    const match = /^(?:pagination\[(offset|limit)\]|filter\[(\w+)(?:\.(.+?))?\]\[(\w+)\](\[\d*\])?)$/s.exec(name);
    const complain = (message: string) => errors.push({ pointer: name, message });
    if (name === "sort" && sorts.length) {
      if (sort !== undefined) complain("is given twice");
      if (!sorts.includes(value)) complain(`must be one of ${sorts.join(", ")}`);
      sort = value;
      continue;
    }
    if (!match) {
      complain(rightForm(name, rules) ?? "is not a parameter of this list");
      continue;
    }
    const [, pagination, field = "", sentKey, operator = "", brackets] = match;
    if (pagination === "offset" || pagination === "limit") {
      if (format !== "json") complain(`does not go with ${MEDIA_TYPES[format]}, which has the whole list`);
      if (seen.has(name)) complain("is given twice");
      seen.add(name);
      const number = readNumber(value, pagination === "limit" ? 1 : 0);
      if (number === undefined) complain(`must be a whole number of at least ${pagination === "limit" ? 1 : 0}`);
      else page[pagination] = pagination === "limit" ? Math.min(number, MAX_LIMIT) : number;
      continue;
    }
    const rule = Object.hasOwn(rules, field) ? rules[field] : undefined;
    const key = sentKey?.trim();
    const isAsked = rule !== undefined && key !== undefined && key !== "" && isHandled(rule, operator);
    const by = rule && !isAsked && columnOf(rule, key);
    if (!rule || !(isAsked || (by && rule.operators.some((one) => one === operator)))) {
      complain(
        `is not a filter of this list; ${field === "screenerId" && rules.search ? OF_SCREENER : describe(rules)}`,
      );
      continue;
    }
    const many = operator === "in" || operator === "nin";
    if (brackets && !many) {
      complain("takes one value, without []");
      continue;
    }
    const id = JSON.stringify([field, key, operator]);
    let filter: { values: string[] } | undefined = filters.get(id) ?? asked.get(id);
    if (filter && !many) complain("is given twice");
    if (!filter && by) {
      filters.set(id, { by, operator: operator as Operator, values: [], rule });
      filter = filters.get(id)!;
    }
    if (!filter) {
      asked.set(id, { pointer: name, field, key: key!, operator, values: [] });
      filter = asked.get(id)!;
    }
    // An empty value is the only way to write an empty list of values: `in` then matches nothing.
    if (many && value === "") continue;
    if (filter.values.length === MAX_VALUES) {
      complain(`must have at most ${MAX_VALUES} values`);
      break;
    }
    const error = isCleanText(name) ? errorOf(value, rule) : "holds U+0000";
    if (many && !brackets && value.includes(",")) complain(eachAlone(name, value));
    else if (error) complain(error);
    filter.values.push(value);
  }
  if (errors.length) throw invalidRequest(errors);
  // Sorted, so that the same filters in another order give the same SQL statement.
  const sorted = [...filters].sort(([a], [b]) => (a < b ? -1 : 1));
  return {
    page,
    filters: sorted.map(([, { by, operator, values, rule }]) => ({ by, operator, values: storedValues(values, rule) })),
    ...(asked.size && { asked: [...asked.values()] }),
    ...(sort !== undefined && { sort }),
  };
}

/** Whether the filter has a key: `filter[<field>.<key>]`. */
function isKeyed(rule: AnyFilterRule): boolean {
  return !("by" in rule);
}

/** All operators of a filter. */
export function operatorsOf(rule: AnyFilterRule): string[] {
  return [...rule.operators, ...("more" in rule ? Object.keys(rule.more ?? {}) : [])];
}

/** The pairs of a query. @throws Problem 400 when it is not percent-encoded UTF-8 */
export function readParameters(querystring: string): URLSearchParams {
  try {
    // URLSearchParams would replace invalid bytes by U+FFFD.
    decodeURIComponent(querystring);
  } catch {
    const detail = "The query is not valid percent-encoded UTF-8.";
    throw new Problem("invalid_request", { detail, errors: [{ pointer: "", message: detail }] });
  }
  return new URLSearchParams(querystring);
}

function readNumber(text: string, min: number): number | undefined {
  if (!/^\d+$/.test(text)) return undefined;
  // Larger numbers are no error: a limit is lowered to the maximum, and an offset past the end gives an empty page.
  const number = Math.min(Number(text), Number.MAX_SAFE_INTEGER);
  return number >= min ? number : undefined;
}

/** An error that names what a parameter was probably meant to be. */
function rightForm(name: string, rules: FilterRules): string | undefined {
  if (name === "limit" || name === "offset") return `is written pagination[${name}]`;
  const [, filtered, key] = /^(?:filter\[)?(\w+)(\.(?:(?!\]\[).)+?)?\]?$/s.exec(name) ?? [];
  const rule = filtered !== undefined && Object.hasOwn(rules, filtered) ? rules[filtered] : undefined;
  if (!rule) return undefined;
  const field = `filter[${filtered}${key ?? (isKeyed(rule) ? ".{key}" : "")}]`;
  const operators = operatorsOf(rule);
  return `needs an operator, such as ${field}[${operators[0]}]; there are ${operators.join(", ")}`;
}

/** Several values are not written with commas, because a value may have one. */
function eachAlone(name: string, value: string): string {
  const [first = "", second = ""] = value.split(",");
  const example = (one: string) => `${name}[]=${one.trim().slice(0, MAX_EXAMPLE)}`;
  return `has a comma: each value is a parameter of its own, ${example(first)}&${example(second)}. One value that has a comma is ${name}[]=…`;
}

const MAX_EXAMPLE = 40;

function errorOf(value: string, { values }: AnyFilterRule): string | undefined {
  if (!isCleanText(value)) return "holds U+0000";
  if (values === "uuid") return isUuid(value) ? undefined : "must be a UUID";
  if (values === "text") return undefined;
  if (values === "search") return faultOfSearch(value);
  if (values === "number") return /^\d{1,9}$/.test(value) ? undefined : "must be a whole number";
  if (values === "timestamp" || values === "milliseconds")
    return readTimestamp(value)
      ? undefined
      : `must be a timestamp such as 2026-01-31T12:00:00.000Z${LOST_PLUS.test(value) ? "; a + in a query is a space, so write %2B" : ""}`;
  return values.includes(value) ? undefined : `must be one of ${values.join(", ")}`;
}

function faultOfSearch(value: string): string | undefined {
  const words = searchedWords(value).length;
  if (words > MAX_SEARCHED_WORDS) return `must have at most ${MAX_SEARCHED_WORDS} words`;
  return words ? undefined : "must have a letter or a digit";
}

/** An offset whose plus was not encoded. */
const LOST_PLUS = /\d \d\d:?\d\d$/;

/** Those who are searched for among all may be wanted of one study. */
const OF_SCREENER =
  "the people of a screener are listed by /screener-participants, which takes filter[screenerId] and filter[search] together";

function describe(rules: FilterRules): string {
  const known = Object.entries(rules).map(
    ([field, rule]) => `filter[${nameOf(field, rule)}] with ${operatorsOf(rule).join(", ")}`,
  );
  return known.length ? `its filters are ${known.join("; ")}` : "it has no filters";
}

/** A filter's field as the description shows it. */
export function nameOf(field: string, rule: AnyFilterRule): string {
  return isKeyed(rule) ? `${field}.{key}` : field;
}
