// Resources. Each is declared once, by its members. They give its JSON (made by SQLite), its schema, its columns in a CSV
// table and the filters of its lists.

import * as v from "valibot";
import type { CountedTable } from "../../db/list/counts.ts";
import type { ListDefinition, ListResult } from "../../db/list/items.ts";
import { isLongRead, readPage } from "../../db/list/list.ts";
import { isLongLogRead, type LogDefinition, openLogSlices, readLogPage } from "../../db/list/log.ts";
import type { MergedDefinition } from "../../db/list/merged.ts";
import type { Page } from "../../db/list/ranges.ts";
import { openSlices, type Slices } from "../../db/list/slices.ts";
import type { Sort } from "../../db/list/sorted.ts";
import type { Filter } from "../../db/list/where.ts";
import type { Reader, SqlValue } from "../../db/sqlite/connection.ts";
import { objectSql } from "./json-sql.ts";
import type { AnyFilterRule, Cell, Member } from "./members.ts";

export type Members = Readonly<Record<string, Member>>;

export type FilterRules = Readonly<Record<string, AnyFilterRule>>;

/** A column of a CSV table. */
export interface Column {
  heading: string;
  /** @param item the parsed JSON of a row */
  cell(item: object): Cell;
}

type Entries = Record<string, v.GenericSchema>;
type Variant = Entries & { _type: v.LiteralSchema<string, undefined> };

/** `Scope` is the type of the values that the SQL needs beyond the store; `parameters` binds them. */
interface Declaration<Of extends Members, Scope = void> {
  /** Its `_type`. */
  type: string;
  /** The name of its schema in the API description. Default: its `_type`. */
  title?: string;
  /** The FROM clause. The resource's own table is `t`. Joins must neither add nor drop rows. */
  from: string;
  members: Of;
  /** The order of CSV columns, which must never change. Members that are not named follow, in the order of `members`. */
  columnOrder?: readonly (keyof Of & string)[];
  /** If `_type` has several values: for each value the schemas of the members that differ. */
  variants?: readonly Variant[];
  /** Its values in the examples of the API description. Ids are those of src/base/examples.ts. */
  example: Readonly<Record<keyof Of, unknown>>;
  /** The values of the parameters in the members' SQL. */
  parameters?(scope: Scope): SqlValue[];
}

export interface Resource<Of extends Members = Members, Scope = void> {
  type: string;
  from: string;
  members: Of;
  /** SQL expression for its JSON text. */
  json: string;
  schema: v.GenericSchema;
  columns(db: Reader): readonly Column[];
  filters: FilterRules;
  /** The JSON of one, in examples. */
  example: Readonly<Record<keyof Of | "_type", unknown>>;
  parameters(scope: Scope): SqlValue[];
  /** A resource's JSON by its public id, or undefined. */
  find(db: Reader, uid: string, scope: Scope): string | undefined;
  /** SQL expression for the same JSON from other columns. */
  jsonFrom(columns: { [member in keyof Of]: string }): string;
}

export function resource<const Of extends Members, Scope = void>(
  declaration: Declaration<Of, Scope>,
): Resource<Of, Scope> {
  const { type, title = type, from, members, columnOrder = [], variants, example, parameters = () => [] } = declaration;
  const optional = Object.keys(members).filter((name) => members[name]!.isOptional);
  const jsonFrom = (columns: Record<string, string>) =>
    objectSql(
      {
        ...("_type" in members ? {} : { _type: [{ text: `"${type}"` }] }),
        ...mapValues(members, (member, name) => member.json(columns[name]!)),
      },
      Object.fromEntries(optional.map((name) => [name, columns[name]!])),
    );
  const json = jsonFrom(mapValues(members, ({ column }) => column));
  const findOne = `SELECT ${json} FROM ${from} WHERE t.uid = ?`;
  const entries: Entries = { _type: v.literal(type), ...mapValues(members, ({ schema }) => schema) };
  const objectOf = (variant: Variant) => v.pipe(v.object({ ...entries, ...variant }), v.title(variant._type.literal));
  const schema = variants ? v.variant("_type", variants.map(objectOf)) : v.object(entries);
  const names: string[] = [...columnOrder, ...Object.keys(members).filter((name) => !columnOrder.includes(name))];
  const columns = names.flatMap((name) => columnsOf(name, members[name]!.cells));
  return {
    type,
    from,
    members,
    json,
    schema: v.pipe(schema, v.title(title)),
    columns: (db) => [...columns, ...names.flatMap((name) => columnsOf(name, members[name]!.moreCells?.(db) ?? {}))],
    filters: Object.fromEntries(
      Object.entries(members).flatMap(([name, { filter }]) => (filter ? [[name, filter]] : [])),
    ),
    example: { _type: type, ...example },
    parameters,
    find: (db, uid, scope) => db.value(findOne, ...parameters(scope), uid),
    jsonFrom,
  };
}

function columnsOf(name: string, cells: Member["cells"]): Column[] {
  return Object.entries(cells).map(([suffix, cellOf]) => ({
    heading: name + suffix,
    cell: (item) => cellOf((item as Record<string, unknown>)[name], item),
  }));
}

function mapValues<Value, Mapped>(
  members: Readonly<Record<string, Value>>,
  map: (value: Value, name: string) => Mapped,
): Record<string, Mapped> {
  return Object.fromEntries(Object.entries(members).map(([name, value]) => [name, map(value, name)]));
}

/** What a list has from its resource. */
type FromResource = Pick<Resource, "type" | "schema" | "filters" | "columns" | "example">;

/** A list of a resource, read by page or as a whole. `Scope` is the type of the values that its SQL needs. */
export interface List<Scope = void> extends FromResource {
  /** The name of a file with this list, without date and ending. */
  name: string;
  /** What it can be sorted by: members, with `-` before those in descending order. The first is the default. */
  sorts?: readonly string[];
  /** Whether only its pages can be sorted: the whole list is in its default order. */
  sortsPages?: true;
  page(db: Reader, filters: readonly Filter[], page: Page, scope: Scope, sort?: string): ListResult;
  /** What a thread reads instead, if `page` would take too long for an event loop. */
  longRead?:
    | ((db: Reader, filters: readonly Filter[], page: Page, scope: Scope, sort?: string) => LongRead | undefined)
    | undefined;
  /** The whole list. */
  slices(db: Reader, filters: readonly Filter[], scope: Scope, sort?: string): Slices;
}

/** The arguments of `readPage`, `readLogPage` or `readMergedPage`. They can be copied between threads. */
export interface LongRead {
  /** The result file of a job. Default: the workspace's store. */
  file?: string | undefined;
  list: ListDefinition | LogDefinition | MergedDefinition;
  filters: readonly Filter[];
  page: Page;
  parameters: SqlValue[];
  sort?: Sort | undefined;
}

/** What pages of a list can be sorted by: members, each with an SQL expression on `t`. The first is the order of creation. */
export type Sorts = Readonly<Record<string, string>>;

/** The sort that a caller asks for; undefined where it is the order of creation. */
function sortOf(sorts: Sorts, asked: string | undefined): Sort | undefined {
  if (asked === undefined || asked === Object.keys(sorts)[0]) return undefined;
  const isDescending = asked.startsWith("-");
  return { by: sorts[isDescending ? asked.slice(1) : asked]!, isDescending };
}

/** The list of all rows of a counted table. `whole` replaces `paged` in the whole list, if that shows more than a page. */
export function countedList<Scope = void>(
  name: string,
  counted: CountedTable,
  paged: Omit<Resource<Members, Scope>, "jsonFrom">,
  whole: Pick<Resource<Members, Scope>, "from" | "json" | "columns" | "parameters"> = paged,
  sorts: Sorts = {},
): List<Scope> {
  const pages = { ...counted, from: paged.from, json: paged.json };
  const slices = { ...counted, from: whole.from, json: whole.json };
  return {
    name,
    type: paged.type,
    schema: paged.schema,
    filters: paged.filters,
    example: paged.example,
    columns: whole.columns,
    ...(Object.keys(sorts).length && {
      sorts: Object.keys(sorts).flatMap((member) => [member, `-${member}`]),
      sortsPages: true,
    }),
    page: (db, filters, page, scope, asked) =>
      readPage(db, pages, filters, page, paged.parameters(scope), sortOf(sorts, asked)),
    longRead(db, filters, page, scope, asked) {
      const sort = sortOf(sorts, asked);
      return isLongRead(db, pages, filters, page, sort)
        ? { list: pages, filters, page, parameters: paged.parameters(scope), sort }
        : undefined;
    },
    slices: (db, filters, scope) => openSlices(db, slices, filters, { parameters: whole.parameters(scope) }),
  };
}

/** The list of all rows of a log. */
export function logList(
  name: string,
  counted: CountedTable & Pick<LogDefinition, "time">,
  { from, json, type, schema, filters, example, columns }: Omit<Resource, "jsonFrom">,
): List {
  const list: LogDefinition = { ...counted, from, json };
  return {
    name,
    type,
    schema,
    filters,
    example,
    columns,
    page: (db, given, page) => readLogPage(db, list, given, page),
    longRead: (db, given, page) =>
      isLongLogRead(db, list, given) ? { list, filters: given, page, parameters: [] } : undefined,
    slices: (db, given) => openLogSlices(db, list, given),
  };
}
