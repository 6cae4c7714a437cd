// The members of resources. A member declares the SQL of its value, how that becomes JSON, its schema, its
// columns in a CSV table, and the filter of lists.

import * as v from "valibot";
import type { FilterColumn, Operator } from "../../db/list/where.ts";
import type { Reader } from "../../db/sqlite/connection.ts";
import { anyValue, type Encoding, jsonText, milliseconds, type Piece, plainText } from "./json-sql.ts";
import { ActorView, TagView, timestamp as timestampSchema, uuid } from "./schemas.ts";

/** The value of a cell in a CSV table. */
export type Cell = string | number | boolean | null | undefined;

export interface Member {
  /** SQL expression of the value. */
  column: string;
  /** How the value of a column becomes JSON. */
  json(column: string): Piece[];
  encoding: Encoding;
  schema: v.GenericSchema;
  /** Its CSV columns: what follows the member's name in the heading, and the function that gives the cell. */
  cells: Readonly<Record<string, CellOf>>;
  /** The columns that depend on what the store has. They come after all others. */
  moreCells?(db: Reader): Readonly<Record<string, CellOf>>;
  filter?: AnyFilterRule;
  /** Where the value is null, JSON lacks the member. */
  isOptional?: true;
}

type CellOf = (value: unknown, item: object) => Cell;

/** A filter that a list takes. */
export interface FilterRule {
  operators: readonly Operator[];
  /** Its values: UUIDs, any text, what is searched for, whole numbers, timestamps (the column has ISO-8601, or milliseconds), or one of these words. */
  values: "uuid" | "text" | "search" | "number" | "timestamp" | "milliseconds" | readonly string[];
  by: FilterColumn;
}

/** A filter by the value of a key: `filter[<member>.<key>][eq]`. */
export interface KeyedFilterRule {
  operators: readonly Operator[];
  values: "text";
  byKey(key: string): FilterColumn;
  /** The texts in the store that a value matches. */
  stored(value: string): string[];
  /** Operators that the endpoint itself handles, by their names with what they mean. */
  more?: Readonly<Record<string, string>>;
}

/** A filter by what only a study can say, such as the answers to a question: `filter[<member>.<key>][<operator>]`. The endpoint handles it. */
export interface StudyFilterRule {
  operators: readonly [];
  values: "text";
  /** Its operators by their names, with what they mean. */
  more: Readonly<Record<string, string>>;
}

export type AnyFilterRule = FilterRule | KeyedFilterRule | StudyFilterRule;

/** A filter that the endpoint handles, as it was sent. */
export interface AskedFilter {
  /** The parameter that had it. */
  pointer: string;
  field: string;
  key: string;
  operator: string;
  values: string[];
}

/** A member that lists can be filtered by. */
type Filterable = Member & { filter: FilterRule };

/** A filter's operators. A member that is not a column of the listed table `t` must also name the column of `t` to compare. */
type FilterOf<Column extends string> = Column extends `t.${string}`
  ? readonly Operator[]
  : { operators: readonly Operator[]; by: FilterColumn };

export const ANY_OPERATOR: readonly Operator[] = ["eq", "ne", "in", "nin"];

/** The operators of texts that have an index of their own. */
export const INDEXED_TEXT: readonly Operator[] = [...ANY_OPERATOR, "startsWith"];

/** The operators of timestamps. All rows of a range are counted, so the column needs an index where a list is long. */
export const RANGE: readonly Operator[] = ["gte", "lt"];

/**
 * The filter of times in a column without an index: rows are compared one by one, of long lists in a thread. Half a million take 70 ms there;
 * with an index, changing 100,000 of them would take a fifth to a half longer.
 */
export function scannedTimes(column: string): FilterRule {
  return scannedTime(column, `t.${column}`);
}

/**
 * The same of a time that is worked out.
 * @param value SQL expression on `t`
 * @param since SELECT of the ids, by indexes, of all whose time is at least `$`, if there is one. It may have some more
 */
export function scannedTime(column: string, value: string, since?: string): FilterRule {
  const scan = { value, index: "", ...(since !== undefined && { since }) };
  return { operators: RANGE, values: "timestamp", by: { column, scan } };
}

/** SQL expression for this moment, as ISO-8601. */
export const NOW = "strftime('%Y-%m-%dT%H:%M:%fZ', 'now')";

/** What an UPDATE sets of a session or an assignment, together with what is shown of it. */
export const CHANGED_NOW = `changed_at = ${NOW}`;

interface MakeMember {
  <Column extends string>(column: Column, filter: FilterOf<Column>): Filterable;
  (column: string): Member;
}

/** A UUID. */
export const uid = kind(plainText, uuid, "uuid");

/** Any text. */
export const text = kind(anyValue, v.string(), "text");

/** A timestamp that is stored as ISO-8601. */
export const timestamp = kind(plainText, timestampSchema, "timestamp");

/** A timestamp that is stored as milliseconds since 1970. JSON has it as ISO-8601. */
export const millisecondsAsTimestamp = kind(milliseconds, timestampSchema, "milliseconds");

/** One of `words`, which need no escapes in JSON. */
export function word(words: readonly string[]): MakeMember {
  return kind(plainText, v.picklist(words), words);
}

export function number(column: string, schema: v.GenericSchema): Member {
  return member(column, { always: jsonText.always, orNull: anyValue.orNull }, schema);
}

/** JSON from a column or from an SQL expression. Without `cells` it has no column in a CSV table. */
export function json(column: string, schema: v.GenericSchema, cells: Member["cells"] = {}): Member {
  return { ...member(column, jsonText, schema), cells };
}

/** One column of a CSV table for each of these members of an object. */
export function cellsOf(...names: string[]): Member["cells"] {
  const inner = (name: string) => (value: unknown) => (value as Record<string, Cell> | null)?.[name];
  return Object.fromEntries(names.map((name) => [`.${name}`, inner(name)]));
}

/** The actor of a change. */
export function actor(column: string): Member {
  return json(column, ActorView, cellsOf("name", "id"));
}

/** A list of tags. In a CSV table: `category:value`, joined by `; `. */
export function tags(column: string): Member {
  const cell = (value: unknown) =>
    (value as v.InferOutput<typeof TagView>[]).map((tag) => `${tag.category}:${tag.value}`).join("; ");
  return json(column, v.array(TagView), { "": cell });
}

/** The same member, where the value may be null. */
export function nullable<Kind extends Member>(kind: Kind): Kind {
  return { ...kind, json: kind.encoding.orNull, schema: v.nullable(kind.schema) };
}

/** Marks what later versions may add to: programs meet more than is described. */
export const EXTENSIBLE = { "x-extensible": true } as const;

/** The same member, whose words are not all that may come: a later version may have more. */
export function openWords<Kind extends Member>(kind: Kind): Kind {
  return { ...kind, schema: v.pipe(kind.schema, v.metadata(EXTENSIBLE)) };
}

/** The same member, which JSON lacks where the value is null. It can't be the first one. */
export function optional(kind: Member, description: string): Member {
  return { ...kind, isOptional: true, schema: v.optional(v.pipe(kind.schema, v.description(description))) };
}

/** The same member, which the specification declares nullable. The value is never null. */
function declaredNullable(kind: Member): Member {
  return { ...kind, schema: v.nullable(kind.schema) };
}

/** Who created and last updated a resource, and when. `t` is its table; `c` and `u` are the joined actors. */
export const audit = {
  createdBy: declaredNullable(actor("c.json")),
  createdAt: declaredNullable(timestamp("t.created_at")),
  updatedBy: declaredNullable(actor("u.json")),
  updatedAt: declaredNullable(timestamp("t.updated_at")),
};

/** `column` of `t` holds the rowid of a row in `table`. Callers name that row by the value of its column `by`. */
export function refersTo(column: string, table: string, by: string): FilterColumn {
  return { column, references: { table, by } };
}

function kind(encoding: Encoding, schema: v.GenericSchema, values: FilterRule["values"]): MakeMember {
  function make<Column extends string>(column: Column, filter: FilterOf<Column>): Filterable;
  function make(column: string): Member;
  function make(column: string, filter?: FilterOf<string> | readonly Operator[]): Member {
    const made = member(column, encoding, schema);
    if (!filter) return made;
    if ("by" in filter) return { ...made, filter: { ...filter, values } };
    return { ...made, filter: { operators: filter, by: { column: column.slice("t.".length) }, values } };
  }
  return make;
}

function member(column: string, encoding: Encoding, schema: v.GenericSchema): Member {
  return { column, json: encoding.always, encoding, schema, cells: { "": (value) => value as Cell } };
}
