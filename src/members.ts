// The kinds of members that resources have. A member says in one place which SQL gives its value, how that becomes JSON,
// its schema, its columns in a table, and what lists can be filtered by.

import * as v from "valibot";
import type { FilterColumn, Operator } from "../db/list-where.ts";
import { anyValue, type Encoding, jsonText, milliseconds, type Piece, plainText } from "./json-sql.ts";
import { ActorView, TagView, timestamp as timestampSchema, uuid } from "./schemas.ts";

/** What a cell of a table can hold. */
export type Cell = string | number | boolean | null | undefined;

export interface Member {
  /** SQL expression of the value. */
  column: string;
  /** How the value of a column becomes JSON. */
  json(column: string): Piece[];
  encoding: Encoding;
  schema: v.GenericSchema;
  /** Its columns in a table: what follows the member's name in the heading, and what a cell holds. */
  cells: Readonly<Record<string, CellOf>>;
  filter?: FilterRule;
}

type CellOf = (value: unknown, item: object) => Cell;

/** What a list can be filtered by. */
export interface FilterRule {
  operators: readonly Operator[];
  /** UUIDs, one of some words, or any text. */
  values: "uuid" | "text" | readonly string[];
  by: FilterColumn;
}

/** A member that lists can be filtered by. */
export type Filterable = Member & { filter: FilterRule };

/** A filter's operators. A member that is no column of the listed table `t` also names the column of `t` to look at. */
type FilterOf<Column extends string> = Column extends `t.${string}`
  ? readonly Operator[]
  : { operators: readonly Operator[]; by: FilterColumn };

export const ANY_OPERATOR: readonly Operator[] = ["eq", "ne", "in", "nin"];

interface MakeMember {
  <Column extends string>(column: Column, filter: FilterOf<Column>): Filterable;
  (column: string): Member;
}

/** A UUID. */
export const uid = kind(plainText, uuid, "uuid");

/** Any text. */
export const text = kind(anyValue, v.string(), "text");

/** ISO-8601, as it is stored. */
export const timestamp = kind(plainText, timestampSchema, "text");

/** Milliseconds since 1970, shown as ISO-8601. */
export const millisecondsAsTimestamp = kind(milliseconds, timestampSchema, "text");

/** One of some words that need no escapes. */
export function word(words: readonly string[]): MakeMember {
  return kind(plainText, v.picklist(words), words);
}

/** A number. */
export function number(column: string, schema: v.GenericSchema): Member {
  return member(column, { always: jsonText.always, orNull: anyValue.orNull }, schema);
}

/** JSON that a column holds, or that an SQL expression makes. Without `cells` it is no column of a table. */
export function json(column: string, schema: v.GenericSchema, cells: Member["cells"] = {}): Member {
  return { ...member(column, jsonText, schema), cells };
}

/** The same members of an object, each in a column of its own. */
export function cellsOf(...names: string[]): Member["cells"] {
  const inner = (name: string) => (value: unknown) => (value as Record<string, Cell> | null)?.[name];
  return Object.fromEntries(names.map((name) => [`.${name}`, inner(name)]));
}

/** Who did something. */
export function actor(column: string): Member {
  return json(column, ActorView, cellsOf("name", "id"));
}

/** A list of tags; in a table as `category:value`. */
export function tags(column: string): Member {
  const cell = (value: unknown) =>
    (value as v.InferOutput<typeof TagView>[]).map((tag) => `${tag.category}:${tag.value}`).join("; ");
  return json(column, v.array(TagView), { "": cell });
}

/** The same member, which may be null. */
export function nullable<Kind extends Member>(kind: Kind): Kind {
  return { ...kind, json: kind.encoding.orNull, schema: v.nullable(kind.schema) };
}

/** The same member, which clients must take for nullable (the specification says so), though it never is. */
function saidToBeNullable(kind: Member): Member {
  return { ...kind, schema: v.nullable(kind.schema) };
}

/** Who created and last updated a resource `t`, and when. `c` and `u` are the joined actors. */
export const audit = {
  createdBy: saidToBeNullable(actor("c.json")),
  createdAt: saidToBeNullable(timestamp("t.created_at")),
  updatedBy: saidToBeNullable(actor("u.json")),
  updatedAt: saidToBeNullable(timestamp("t.updated_at")),
};

/** A column of `t` with the rowid of a row of `table`, which callers name by that table's column `by`. */
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
