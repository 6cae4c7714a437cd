// Which sessions a review is about, as it is sent: filters as those of the table of answers, in JSON.

import * as v from "valibot";
import type { Filter } from "../../db/list/where.ts";
import type { AskedFilter } from "../base/members.ts";
import { invalidRequest, Problem, type ProblemDetail } from "../base/problems.ts";
import { sessionFilters } from "../exports/filters.ts";
import { readListQuery } from "../http/list-query.ts";

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

interface ReadFilter {
  filters: Filter[];
  asked: AskedFilter[];
  /** Errors in the filters with pointers into the body. */
  pointed(errors: readonly ProblemDetail[]): ProblemDetail[];
}

/** As lists read them. @throws Problem 400 with every error */
export function readFilter(sent: SentFilter): ReadFilter {
  const pointers = new Map<string, string>();
  const query = new URLSearchParams();
  for (const [field, operators] of Object.entries(sent))
    for (const [operator, given] of Object.entries(operators)) {
      const name = `filter[${field}][${operator}]${Array.isArray(given) ? "[]" : ""}`;
      pointers.set(name, `/filter/${[field, operator].map(escaped).join("/")}`);
      // An empty value is how a query has an empty list.
      const values = Array.isArray(given) ? (given.length ? given : [""]) : [given];
      for (const one of values) query.append(name, String(one));
    }
  const pointed: ReadFilter["pointed"] = (errors) =>
    errors.map((error) => ({ ...error, pointer: pointers.get(error.pointer) ?? error.pointer }));
  try {
    const { filters, asked = [] } = readListQuery(query.toString(), sessionFilters);
    return { filters, asked, pointed };
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    const { errors = [], errorCount } = error.document;
    throw invalidRequest(pointed(errors), errorCount);
  }
}

/** A part of a JSON pointer. */
const escaped = (part: string) => part.replaceAll("~", "~0").replaceAll("/", "~1");
