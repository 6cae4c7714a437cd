// The query of an endpoint that is no list. It is read strictly: a parameter that is ignored would change what happens.

import * as v from "valibot";
import { messageOf } from "../base/check-body.ts";
import { isCleanText } from "../base/clean-text.ts";
import { invalidRequest, Problem, type ProblemDetail } from "../base/problems.ts";
import type { FilterRules } from "../base/resource.ts";
import { unknownMember } from "../base/schemas.ts";
import { type ListQuery, readListQuery, readParameters } from "./list-query.ts";
import type { Format, ReplyFormat } from "./wire/formats.ts";

/** The schema of a query: an object of texts. A member may be a record of texts: `name[key]=text`. */
export type QuerySchema = v.ObjectSchema<v.ObjectEntries, undefined>;

/** Keeps the check of a query short. */
const MAX_PARAMETERS = 500;

/**
 * Reads a query by its schema. `name[key]=text` is a member of the record `name`. @throws Problem 400 with every error:
 * unknown and repeated parameters, and texts that the schema refuses
 */
function readQuery<Schema extends QuerySchema>(querystring: string, schema: Schema): v.InferOutput<Schema> {
  const { entries } = schema;
  const given = readParameters(querystring);
  if (given.size > MAX_PARAMETERS)
    throw invalidRequest([{ pointer: "", message: `has more than ${MAX_PARAMETERS} parameters` }]);
  const errors = new Map<string, string>();
  const query: Record<string, string | Record<string, string>> = {};
  for (const [pointer, text] of given) {
    const [, record, key = ""] = /^(\w+)\[(.*)\]$/s.exec(pointer) ?? [];
    const name = record ?? pointer;
    if (!Object.hasOwn(entries, name)) errors.set(pointer, unknownMember(name, Object.keys(entries)));
    else if (isRecord(entries[name]!) !== (record !== undefined))
      errors.set(pointer, record === undefined ? `must be ${name}[…]` : "must not have brackets");
    else if (given.getAll(pointer).length > 1) errors.set(pointer, "is given twice");
    else if (!isCleanText(text) || !isCleanText(key)) errors.set(pointer, "holds U+0000");
    else if (record === undefined) query[name] = text;
    else {
      // Without a prototype, any key is a plain member.
      query[name] ??= Object.create(null) as Record<string, string>;
      (query[name] as Record<string, string>)[key] = text;
    }
  }
  const { success, output, issues = [] } = v.safeParse(schema, query);
  for (const issue of issues) {
    const [name, ...keys] = (issue.path ?? []).map(({ key }) => String(key));
    const pointer = `${name}${keys.map((key) => `[${key}]`).join("")}`;
    if (!errors.has(pointer)) errors.set(pointer, messageOf(issue));
  }
  if (errors.size || !success) throw invalidRequest([...errors].map(([pointer, message]) => ({ pointer, message })));
  return output;
}

/** For requests without parameters. @param files what may go with a file. @throws Problem 400 when there is one */
function readNoQuery(querystring: string, files?: QuerySchema): undefined {
  if (!querystring) return;
  const known = Object.keys(files?.entries ?? {});
  const errors = [...readParameters(querystring).keys()].map((pointer) => ({
    pointer,
    message: known.includes(pointer.replace(/\[.*$/s, ""))
      ? "goes with a file; JSON has its settings in itself"
      : "is not a parameter here",
  }));
  if (errors.length) throw invalidRequest(errors);
}

/** The parameters of an endpoint that is no list; undefined where there are none. @throws Problem 400 with every error */
function parametersOf(
  { parameters, bodyFormats }: { parameters?: QuerySchema; bodyFormats?: readonly Format[] },
  format: Format,
  querystring: string,
): object | undefined {
  const hasParameters = parameters && (!bodyFormats || format !== "json");
  return hasParameters ? readQuery(querystring, parameters) : readNoQuery(querystring, parameters);
}

const NO_QUERY: ListQuery = { page: { offset: 0, limit: 0 }, filters: [] };

/** Reads an endpoint's query: that of a list, its parameters, or both. @throws Problem 400 with every error */
export function readQueryOf(
  {
    filters,
    sorts,
    ...endpoint
  }: {
    filters?: FilterRules;
    sorts?: readonly string[];
    hasNoPages?: true;
    parameters?: QuerySchema;
    bodyFormats?: readonly Format[];
  },
  { format, bodyFormat, querystring }: { format: ReplyFormat; bodyFormat: Format; querystring: string },
): { query: ListQuery; parameters: object | undefined } {
  if (!filters) return { query: NO_QUERY, parameters: parametersOf(endpoint, bodyFormat, querystring) };
  if (!endpoint.parameters) return { query: readListQuery(querystring, filters, format, sorts), parameters: undefined };
  const ofList = new URLSearchParams();
  const others = new URLSearchParams();
  const isOfList = endpoint.hasNoPages ? /^filter\[/ : /^(?:filter|pagination)\[|^sort$/;
  for (const [name, value] of readParameters(querystring)) (isOfList.test(name) ? ofList : others).append(name, value);
  const errors: ProblemDetail[] = [];
  const read = <Result>(from: () => Result): Result | undefined => {
    try {
      return from();
    } catch (error) {
      if (!(error instanceof Problem) || !error.document.errors) throw error;
      errors.push(...error.document.errors);
      return undefined;
    }
  };
  const query = read(() => readListQuery(ofList.toString(), filters, format, sorts));
  const parameters = read(() => parametersOf(endpoint, bodyFormat, others.toString()));
  if (errors.length) throw invalidRequest(errors);
  return { query: query!, parameters };
}

/** Whether the parameter has keys: `name[key]`. */
export function isRecord(schema: v.GenericSchema): boolean {
  const inner = "wrapped" in schema ? (schema.wrapped as v.GenericSchema) : schema;
  return inner.type === "record";
}
