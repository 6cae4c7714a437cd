// Unknown members of a body. They are ignored, so that a client can send back what it has read. But the reply names them, because one
// may be misspelt.

import type * as v from "valibot";
import { escapePointer } from "../base/clean-text.ts";
import { MAX_ERRORS, type ProblemDetail } from "../base/problems.ts";
import { itemSchemaOf, nearest, unknownMember } from "../base/schemas.ts";
import type { AnyEndpoint } from "./endpoint.ts";

/** The members that a value may have, and what these may have. Undefined: anything. */
interface Known {
  members?: Map<string, Known>;
  items?: Known;
}

interface UnknownMember {
  /** Its names, from the top of the body on. */
  path: readonly string[];
  /** The names that are known there. */
  known: readonly string[];
}

/** Whether the endpoint reads a JSON body, in which it ignores members that it does not know. */
export function takesOpenBody({ body, streamsBody, method }: AnyEndpoint): boolean {
  return body !== undefined && !streamsBody && method !== "get";
}

/** The members of `body` that neither the endpoint takes nor its resource has: at most MAX_ERRORS. */
export function unknownMembers(endpoint: AnyEndpoint, body: unknown): UnknownMember[] {
  let known = ofEndpoints.get(endpoint);
  if (!known) {
    known = merge([endpoint.body, endpoint.replies[200]?.schema, endpoint.replies[201]?.schema].map(knownOf));
    ofEndpoints.set(endpoint, known);
  }
  const found: UnknownMember[] = [];
  collect(known, body, [], found);
  return found;
}

const ofEndpoints = new WeakMap<AnyEndpoint, Known>();

/** The errors where the request has unknown members refused. */
export function errorsOf(unknown: readonly UnknownMember[]): ProblemDetail[] {
  return unknown.map(({ path, known }) => ({
    pointer: path.map((name) => `/${escapePointer(name)}`).join(""),
    message: unknownMember(path.at(-1)!, known),
  }));
}

/** The value of Warning-Members: a list of names, each with the known one that it is nearest to (RFC 9651). */
export function warningOf(unknown: readonly UnknownMember[]): string {
  const items = unknown.slice(0, MAX_LISTED).map(({ path, known }) => {
    const name = path.at(-1)!;
    const near = nearest(name, known);
    // Clients read no header of many kilobytes.
    return `${itemOf(path.join("/").slice(0, MAX_CHARACTERS))}${near === undefined ? "" : `; did-you-mean="${near}"`}`;
  });
  return items.join(", ");
}

const MAX_LISTED = 20;
const MAX_CHARACTERS = 100;

/** The name as a token if it can be one; else as a string, in ASCII or UTF-8. */
function itemOf(text: string): string {
  if (/^[a-z*][\w!#$%&'*+.^`|~:/-]*$/i.test(text)) return text;
  if (/^[ -~]*$/.test(text)) return `"${text.replace(/["\\]/g, "\\$&")}"`;
  const bytes = [...Buffer.from(text)].map((byte) =>
    byte >= 0x20 && byte < 0x7f && byte !== 0x25 && byte !== 0x22
      ? String.fromCharCode(byte)
      : `%${byte.toString(16).padStart(2, "0")}`,
  );
  return `%"${bytes.join("")}"`;
}

function collect({ members, items }: Known, value: unknown, path: readonly string[], found: UnknownMember[]): void {
  if (typeof value !== "object" || value === null) return;
  if (Array.isArray(value)) {
    if (items) value.forEach((item, index) => void collect(items, item, [...path, String(index)], found));
    return;
  }
  if (!members) return;
  for (const name in value) {
    if (found.length === MAX_ERRORS) return;
    const known = members.get(name);
    if (!known) found.push({ path: [...path, name], known: [...members.keys()] });
    else collect(known, (value as Record<string, unknown>)[name], [...path, name], found);
  }
}

/** The members that a schema knows. For a choice of schemas: those that any of them knows. */
function knownOf(schema: v.GenericSchema | undefined): Known {
  if (!schema) return {};
  if ("pipe" in schema) {
    const [first, ...actions] = schema.pipe as [v.GenericSchema, ...{ type: string; metadata?: unknown }[]];
    const item = actions.map(itemSchemaOf).find((one) => one !== undefined);
    return item ? { items: knownOf(item) } : knownOf(first);
  }
  if ("wrapped" in schema) return knownOf(schema.wrapped as v.GenericSchema);
  if ("options" in schema && Array.isArray(schema.options) && typeof schema.options[0] === "object")
    return merge(schema.options.map((option) => knownOf(option as v.GenericSchema)));
  if ("item" in schema) return { items: knownOf(schema.item as v.GenericSchema) };
  if ("entries" in schema) {
    const entries = Object.entries(schema.entries as v.ObjectEntries);
    return { members: new Map(entries.map(([name, entry]) => [name, knownOf(entry as v.GenericSchema)])) };
  }
  return {};
}

function merge(all: readonly Known[]): Known {
  const members = new Map<string, Known>();
  for (const known of all)
    for (const [name, one] of known.members ?? []) members.set(name, merge([members.get(name) ?? {}, one]));
  const items = all.flatMap((known) => known.items ?? []);
  return { ...(members.size && { members }), ...(items.length && { items: merge(items) }) };
}
