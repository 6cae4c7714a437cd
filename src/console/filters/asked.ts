// What the address of a table of answers says: columns, filters and the order, as the API's query has them. So a bookmark shows the same again.

import { offsetOf } from "../shell/request.ts";

export const ROWS_PER_PAGE = 100;

/** A filter of the address. */
export interface AskedFilter {
  /** `answers.<key>`, `attributes.<key>` or a member of sessions. */
  field: string;
  operator: string;
  values: string[];
}

export interface AskedTable {
  /** undefined: the first ones. */
  columns: string[] | undefined;
  filters: AskedFilter[];
  isOldestFirst: boolean;
  /** The column whose texts are shown one below the other, instead of the table. */
  texts?: string;
  offset: number;
}

const FILTER = /^filter\[(\w+(?:\..+)?)\]\[(\w+)\](?:\[\])?$/s;

export function askedIn(query: URLSearchParams): AskedTable {
  const filters = new Map<string, AskedFilter>();
  for (const [name, value] of query) {
    const [, field, operator] = FILTER.exec(name) ?? [];
    if (field === undefined || operator === undefined) continue;
    // A search without words is none.
    if (operator === "matches" && !/[\p{L}\p{N}]/u.test(value)) continue;
    const known = filters.get(`${field} ${operator}`);
    if (known) known.values.push(value);
    else filters.set(`${field} ${operator}`, { field, operator, values: [value] });
  }
  const columns = query.getAll("column").filter((column) => column);
  const texts = query.get("texts");
  return {
    columns: columns.length ? columns : undefined,
    ...(texts && { texts }),
    filters: [...filters.values()],
    isOldestFirst: query.get("sort") === "startedAt",
    offset: offsetOf(query, ROWS_PER_PAGE),
  };
}

/** What an address is made of: what is missing is as at first. */
type Addressed = Partial<Omit<AskedTable, "filters">> & { filters: readonly AskedFilter[] };

/** The parameters of a page's address, without the position in the list. */
export function parametersOf({ columns = [], filters, isOldestFirst, texts }: Addressed): [string, string][] {
  return [
    ...columns.map((column): [string, string] => ["column", column]),
    ...filters.flatMap(parametersOfFilter),
    ...(isOldestFirst ? [["sort", "startedAt"] as [string, string]] : []),
    ...(texts ? [["texts", texts] as [string, string]] : []),
  ];
}

/** Whether an operator takes several values. */
export function isList(operator: string): boolean {
  return operator === "in" || operator === "nin";
}

/** What was typed for an operator: several values have commas between them. */
export function valuesIn(operator: string, typed: string): string[] {
  if (!isList(operator)) return [typed];
  return typed
    .split(",")
    .map((one) => one.trim())
    .filter((one) => one !== "");
}

/** As the API takes it, too. */
export function parametersOfFilter({ field, operator, values }: AskedFilter): [name: string, value: string][] {
  const brackets = isList(operator) ? "[]" : "";
  return values.map((value) => [`filter[${field}][${operator}]${brackets}`, value]);
}

/** An address with these parameters. */
export function addressOf(path: string, asked: Addressed): string {
  const query = new URLSearchParams(parametersOf(asked));
  return query.size ? `${path}?${query}` : path;
}

/** The query of the API's call. @param columns those that are shown */
export function queryOf(asked: AskedTable, columns: readonly string[], limit?: number): string {
  const query = new URLSearchParams({ columns: columns.map(quoted).join(",") });
  for (const [name, value] of asked.filters.flatMap(parametersOfFilter)) query.append(name, value);
  if (asked.texts) query.set(`filter[${asked.texts}][answered]`, "true");
  if (asked.isOldestFirst) query.set("sort", "startedAt");
  if (limit !== undefined) {
    query.set("pagination[limit]", String(limit));
    query.set("pagination[offset]", String(asked.offset));
  }
  return query.toString();
}

function quoted(column: string): string {
  return /[",\s]/.test(column) ? `"${column.replaceAll('"', '""')}"` : column;
}
