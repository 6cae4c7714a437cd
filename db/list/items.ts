// What a list is, and its items as the bytes to send.

import type { Reader, SqlValue } from "../sqlite/connection.ts";
import type { CountedTable } from "./counts.ts";

/** No items. */
export const NOTHING = new Uint8Array();

export interface ListDefinition extends CountedTable {
  /** FROM clause. The listed table is `t`; joins must neither add nor drop rows. */
  from: string;
  /** SQL expression that gives one item as JSON text. */
  json: string;
}

export interface ListResult {
  total: number;
  /** The items as JSON texts in UTF-8, with commas between them. */
  items: Uint8Array;
  /** How many they are, where the total is not counted to its end. */
  rows?: number;
}

/**
 * The rows of a SELECT as JSON texts with commas between them. These are the bytes to send, because a string would
 * have to be turned into bytes again. `rest` begins with FROM.
 */
export function readItems(db: Reader, json: string, rest: string, ...values: SqlValue[]): Uint8Array {
  const sql = `SELECT CAST(group_concat(item) AS BLOB) FROM (SELECT ${json} AS item ${rest})`;
  return db.value<Uint8Array | null>(sql, ...values) ?? NOTHING;
}
