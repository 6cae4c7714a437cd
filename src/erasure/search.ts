// Searches columns of a store for a person, and changes what names the person.

import type { Reader, SqlValue, Writer } from "../../db/sqlite/connection.ts";
import type { Mentions } from "./mentions.ts";

/** Deletes the row. */
export const GONE = Symbol("gone");

/** What stays of a text. @param row the columns that the way needs besides */
type Way = (mentions: Mentions, text: string, row: Record<string, unknown>) => string | null | typeof GONE;

/** A column that has people's words, and what is done with them. */
export interface Words {
  words: Way;
  /** Other columns of the row. */
  more?: readonly string[];
  /** SQL: which rows have words; an index may find them. */
  where?: string;
  /** Rows are only added, and never get other words: a store may be searched before it is locked. */
  isLog?: true;
  /** The key of a table without rowids. */
  key?: string;
  /** SQL: what is set besides. */
  also?: string;
}

/** Or it has none, for a reason; or they are found in another way: by which function. */
export type Column = Words | { not: string } | { by: string };

/** By table and column. */
export type Columns = Readonly<Record<string, Column>>;

/** What is to be changed. */
interface Found {
  name: string;
  words: Words;
  id: SqlValue;
  before: string;
  after: string | null | typeof GONE;
}

/** What was found in logs before the store was locked: up to which rowid they were searched, and which rows. */
export interface Searched {
  last: Record<string, number>;
  found: Found[];
}

/** How many rows are read at once. */
const SLICE = 500;

function* wordsOf(columns: Columns): Generator<[name: string, words: Words]> {
  for (const [name, column] of Object.entries(columns)) if ("words" in column) yield [name, column];
}

function* find(
  db: Reader,
  mentions: Mentions,
  [name, words]: [string, Words],
  { after = 0, scope = "true", values = [] }: { after?: SqlValue; scope?: string; values?: SqlValue[] } = {},
): Generator<Found> {
  const [table, column] = name.split(".") as [string, string];
  const { key = "rowid", more = [], where = "true" } = words;
  const columns = [`${key} AS search_id`, `${column} AS search_text`, ...more].join(", ");
  const sql = `SELECT ${columns} FROM ${table} WHERE ${key} > ? AND ${column} IS NOT NULL AND (${where}) AND (${scope})
    ORDER BY ${key} LIMIT ${SLICE}`;
  for (let last: SqlValue = key === "rowid" ? after : ""; ; ) {
    const rows = db.all<{ search_id: SqlValue; search_text: string }>(sql, last, ...values);
    for (const { search_id: id, search_text: before, ...row } of rows) {
      const text = words.words(mentions, before, row);
      if (text !== before) yield { name, words, id, before, after: text };
    }
    if (rows.length < SLICE) return;
    last = rows.at(-1)!.search_id;
  }
}

function change(db: Writer, { name, words: { key = "rowid", also }, id, before, after }: Found): void {
  const [table, column] = name.split(".") as [string, string];
  if (after === GONE) {
    db.run(`DELETE FROM ${table} WHERE ${key} = ?`, id);
    return;
  }
  const set = `${column} = ?${also === undefined ? "" : `, ${also}`}`;
  const { changes } = db.run(
    `UPDATE OR IGNORE ${table} SET ${set} WHERE ${key} = ? AND ${column} = ?`,
    after,
    id,
    before,
  );
  // It must be unique, and another one was the same but for the name.
  if (!changes)
    db.run(`UPDATE OR IGNORE ${table} SET ${set} WHERE ${key} = ? AND ${column} = ?`, `${after} ${id}`, id, before);
}

/** Searches what only grows, before the store is locked. */
export function searchLogs(db: Reader, columns: Columns, mentions: Mentions): Searched {
  const searched: Searched = { last: {}, found: [] };
  for (const one of wordsOf(columns)) {
    const [name, { isLog }] = one;
    if (!isLog) continue;
    searched.last[name] = db.value<number | null>(`SELECT max(rowid) FROM ${name.split(".")[0]}`) ?? 0;
    searched.found.push(...find(db, mentions, one));
  }
  return searched;
}

/** Changes all words that name the person. Call it inside a transaction. @returns the rows that were changed, by table and column */
export function forgetWords(
  db: Writer,
  columns: Columns,
  mentions: Mentions,
  searched?: Searched,
): Map<string, SqlValue[]> {
  const changed = new Map<string, SqlValue[]>();
  for (const one of wordsOf(columns)) {
    const [name, { isLog }] = one;
    const before = isLog && searched ? searched.found.filter((found) => found.name === name) : [];
    const now = [...find(db, mentions, one, { after: (isLog && searched?.last[name]) || 0 })];
    for (const found of [...before, ...now]) change(db, found);
    changed.set(
      name,
      [...before, ...now].map(({ id }) => id),
    );
  }
  return changed;
}

/**
 * The same for some rows of a store that others write to: they are found first, and each is changed in a transaction of its own.
 * @param scope SQL: which rows @returns the rows that were changed, by table and column
 */
export function forgetWordsOf(
  db: Writer,
  columns: Columns,
  mentions: Mentions,
  { scope, values, transact }: { scope: string; values: SqlValue[]; transact: (work: () => void) => void },
): Map<string, SqlValue[]> {
  const changed = new Map<string, SqlValue[]>();
  for (const one of wordsOf(columns)) {
    const found = [...find(db, mentions, one, { scope, values })];
    for (const each of found) transact(() => change(db, each));
    changed.set(
      one[0],
      found.map(({ id }) => id),
    );
  }
  return changed;
}
