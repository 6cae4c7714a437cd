// Turns the filters of a list into SQL.

import type { Reader, SqlValue } from "../sqlite/connection.ts";
import type { CountedTable } from "./counts.ts";

/** A column that a list can be filtered by. */
export interface FilterColumn {
  column: string;
  /** For a column that holds a rowid: the column `by` of `table` holds the values that callers send. `many`: several rows may have the same value. */
  references?: { table: string; by: string; many?: true };
  /** For a value that may lack an index, or that many rows share. */
  scan?: ScannedValue;
  /** It chooses between the rows that are counted (`false`) and those that are not (`true`): see `CountedTable.apart`. */
  apart?: true;
  /** SQL expression of the column's value for the value `$` that callers send. Default: the same. */
  stored?: string;
  /** For `matches`: what finds the rows in which words are. */
  search?: Search;
}

/** How words are found. Each `?` in the SQL is bound to the words. Data alone: a thread gets a copy. */
export interface Search {
  /** A SELECT of the values of the column, as `id`, that the index finds, with a WHERE at its end; and whether it has them as they are now. */
  indexed: string;
  isCurrent: string;
  /** SELECTs of those that the index lacks, joined by UNION ALL, each of them in order. */
  others: string;
  /** SQL condition on a row of `t`. */
  holds: string;
}

/** A value that a scan compares row by row, unless its index says that few rows have it. */
type ScannedValue =
  | {
      /** SQL expression of the value for a row of `t`. */
      value: string;
      /** The name of the index on the value, if it may have one. */
      index?: string;
      /** A SELECT of the ids of all rows of `t` whose value is at least `$`, by indexes. It may have some more. */
      since?: string;
    }
  | {
      /** SQL condition on a row of `t`, which may have several values: whether it has one of the set `$`. They have an index. */
      has: string;
    };

/** `gte` and `lt` (at least; less than) are for values that have an order; `startsWith` for texts of an index; `matches` for a search. */
export type Operator = "eq" | "ne" | "in" | "nin" | "gte" | "lt" | "startsWith" | "matches";

/** What a list is filtered by. */
export interface Filter {
  by: FilterColumn;
  operator: Operator;
  values: string[];
}

/** A part of a WHERE clause, with the values to bind. The listed table is `t`. */
export interface Where {
  sql: string;
  values: SqlValue[];
}

/** No text that a caller has goes on with more than one of it. */
const LAST_CHARACTER = "\u{10FFFF}\u{10FFFF}";

export function whereOf(filter: Filter): Where {
  const { by, operator, values } = filter;
  const { column, references, stored = "$" } = by;
  const since = sinceOf(filter);
  if (since) return allOf([{ sql: `t.id IN (${since.sql})`, values: since.values }, scanOf(filter)]);
  if (isRange(operator)) return rangeOf(`t.${column}`, operator, values);
  if (operator === "startsWith") {
    // A range, which an index finds; in the order of the column, which for emails does not see ASCII case.
    return { sql: `(t.${column} >= ? AND t.${column} < ?)`, values: [values[0]!, `${values[0]}${LAST_CHARACTER}`] };
  }
  if (!references && values.length === 1 && isPositive({ operator })) {
    return { sql: `t.${column} = ${stored.replace("$", "?")}`, values: [values[0]!] };
  }
  const set = references
    ? `SELECT id FROM ${references.table} WHERE ${references.by} IN (SELECT value FROM json_each(?))`
    : `SELECT ${stored.replace("$", "value")} FROM json_each(?)`;
  const bound = [JSON.stringify(values)];
  if (isPositive({ operator })) {
    // One value is compared as a scalar, so that an index on the column also gives the order.
    if (values.length === 1 && !references?.many) return { sql: `t.${column} = (${set})`, values: bound };
    return { sql: `t.${column} IN (${set})`, values: bound };
  }
  return { sql: `(t.${column} IS NULL OR t.${column} NOT IN (${set}))`, values: bound };
}

function isRange(operator: Operator): operator is "gte" | "lt" {
  return operator === "gte" || operator === "lt";
}

function rangeOf(value: string, operator: "gte" | "lt", values: readonly string[]): Where {
  return { sql: `${value} ${operator === "gte" ? ">=" : "<"} ?`, values: [values[0]!] };
}

/** The rows that indexes find, of a filter that a scan would compare row by row. */
function sinceOf({ by: { scan }, operator, values }: Filter): Where | undefined {
  if (operator !== "gte" || !scan || !("value" in scan) || scan.since === undefined) return undefined;
  return bindAll(scan.since.replaceAll("$", "?"), values[0]!);
}

/** Whether indexes find what has changed since a moment. */
export function isSince(filter: Filter): boolean {
  return sinceOf(filter) !== undefined;
}

/** If `references` with an index finds more rows than this, a scan is as good. */
const MAX_FOUND_ROWS = 5000;

/** Whether it names more rows than an event loop has time to sort. */
export function namesMany(db: Reader, table: string, filter: Filter): boolean {
  if (filter.operator !== "startsWith") return false;
  const { sql, values } = whereOf(filter);
  const found = `SELECT 1 FROM ${table} AS t WHERE ${sql} LIMIT ${MAX_FOUND_ROWS + 1}`;
  return db.value<number>(`SELECT count(*) FROM (${found})`, ...values)! > MAX_FOUND_ROWS;
}

/** Splits filters into those that select rows by a scan, and the others. */
export function splitScans(db: Reader, filters: readonly Filter[]): { scans: Filter[]; others: Filter[] } {
  const isScan = (filter: Filter) =>
    filter.operator === "matches" || (filter.by.scan !== undefined && !findsFew(db, filter, filter.by.scan));
  const { scans = [], others = [] } = Object.groupBy(filters, (filter) => (isScan(filter) ? "scans" : "others"));
  return { scans, others };
}

/** Whether an index finds the rows with these values, and they are few. */
function findsFew(db: Reader, filter: Filter, scan: ScannedValue): boolean {
  const since = sinceOf(filter);
  if (since) {
    const found = `SELECT count(*) FROM (SELECT 1 FROM (${since.sql}) LIMIT ${MAX_FOUND_ROWS + 1})`;
    return db.value<number>(found, ...since.values)! <= MAX_FOUND_ROWS;
  }
  const { by, operator, values } = filter;
  const { references } = by;
  const isPrefix = operator === "startsWith";
  if (!references && !isPrefix) return false;
  const hasIndex =
    "has" in scan ||
    (scan.index !== undefined &&
      db.value("SELECT 1 FROM sqlite_schema WHERE type = 'index' AND name = ?", scan.index) !== undefined);
  if (!hasIndex) return false;
  // namesMany counts them.
  if (isPrefix || !references) return true;
  const found = db.value<number>(
    `SELECT count(*) FROM (SELECT 1 FROM ${references.table}
       WHERE ${references.by} IN (SELECT value FROM json_each(?)) LIMIT ${MAX_FOUND_ROWS + 1})`,
    JSON.stringify(values),
  );
  return found! <= MAX_FOUND_ROWS;
}

/** The WHERE clause of filters, some of which compare row by row. */
export function whereWithScans({ scans, others }: { scans: readonly Filter[]; others: readonly Filter[] }): Where {
  return allOf([...others.map(whereOf), ...scans.map(scanOf)]);
}

function scanOf(filter: Filter): Where {
  const { by, operator, values } = filter;
  if (operator === "matches") return { sql: by.search!.holds, values: [values[0]!] };
  if (operator === "startsWith") return whereOf(filter);
  const scan = by.scan!;
  if ("value" in scan && isRange(operator)) return rangeOf(scan.value, operator, values);
  const set = "(SELECT value FROM json_each(?))";
  const bound = [JSON.stringify(values)];
  if ("has" in scan) {
    const has = scan.has.replace("$", set);
    return { sql: isPositive({ operator }) ? has : `NOT ${has}`, values: bound };
  }
  const { value } = scan;
  const sql = isPositive({ operator }) ? `${value} IN ${set}` : `(${value} IS NULL OR ${value} NOT IN ${set})`;
  return { sql, values: bound };
}

/** Which rows of a list are asked for: the condition for them, whether they are those that are not counted, and the other filters. */
export function splitApart(
  { apart }: Pick<CountedTable, "apart">,
  filters: readonly Filter[],
): { rows: Where; isAlone: boolean; filters: readonly Filter[] } {
  const choice = apart && filters.find(({ by }) => by.apart);
  const isAlone = choice?.values[0] === "true";
  const sql = isAlone ? apart!.alone : (apart?.without ?? "TRUE");
  return { rows: { sql, values: [] }, isAlone, filters: choice ? filters.filter(({ by }) => !by.apart) : filters };
}

/** Whether the filter names the rows to include, not those to exclude. */
export function isPositive({ operator }: { operator: Operator }): boolean {
  return operator !== "ne" && operator !== "nin";
}

/** Joins all parts with AND. */
export function allOf(parts: readonly Where[]): Where {
  if (!parts.length) return { sql: "TRUE", values: [] };
  return {
    sql: parts.map(({ sql }) => sql).join(" AND "),
    values: parts.flatMap(({ values }) => values),
  };
}

/** A SELECT that gives the values of a search's column, in order, as `id`. */
export function foundBy({ indexed, isCurrent, others }: Search, words: string): Where {
  return bindAll(`${indexed} AND ${isCurrent} UNION ALL ${others} ORDER BY id`, words);
}

/** The same in half of the time, as two SELECTs: in no order, and some of the values may lack the words by now. */
export function gatheredBy({ indexed, others }: Search, words: string): Where[] {
  return [bindAll(indexed, words), bindAll(others, words)];
}

/** Binds each `?` to the same words. */
function bindAll(sql: string, words: string): Where {
  return { sql, values: Array.from(sql.matchAll(/\?/g), () => words) };
}
