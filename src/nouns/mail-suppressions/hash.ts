// The keyed hash of an address of mail: what is kept of it when whoever had it was erased.

import type { FilterColumn } from "../../../db/list/where.ts";
import type { Reader } from "../../../db/sqlite/connection.ts";
import { mailHasher, mailMarker } from "../../../db/sqlite/mail-functions.ts";

const KEY = "(SELECT key FROM reference_key)";

/** SQL expression. @param address SQL expression, too */
export const mailHashSql = (address: string) => `mail_hash(${address}, ${KEY})`;

/** SQL expression of a number that few addresses share. */
const markSql = (address: string) => `mail_mark(${address}, ${KEY})`;

/**
 * SQL condition on a row `x` of mail_suppression: whether it is of an address. Found by the mark. The plus: the index on hashes would need a hash
 * for each address that is asked about, which takes 40 times as long.
 */
export const suppressesSql = (address: string) => `x.mark = ${markSql(address)} AND +x.hash = ${mailHashSql(address)}`;

/** How the list of suppressions is filtered by address: also of those that are kept as a hash alone. */
export const byAddress: FilterColumn = { column: "hash", stored: mailHashSql("$") };

/** The hash of an address, and its mark. */
export function mailKeysOf(db: Reader, address: string): { hash: Buffer; mark: number } {
  return db.get(`SELECT ${mailHashSql("?")} AS hash, ${markSql("?")} AS mark`, address, address)!;
}

/**
 * For whoever asks about many addresses: why each is suppressed. Marks are compared first, here, because SQL calls a function for each.
 * @param reason SQL expression over a row `x` of mail_suppression
 */
export function suppressionsOfMany<Reason>(db: Reader, reason: string): (address: string) => Reason | undefined {
  const marks = new Set(db.values<number>("SELECT mark FROM mail_suppression"));
  if (!marks.size) return () => undefined;
  const key = db.value<Buffer>(`SELECT ${KEY}`)!;
  const [markOf, hashOf] = [mailMarker(key), mailHasher(key)];
  const sql = `SELECT ${reason} FROM mail_suppression AS x WHERE x.mark = ? AND +x.hash = ?`;
  return (address) => {
    const mark = markOf(address);
    return marks.has(mark) ? db.value<Reason>(sql, mark, hashOf(address)) : undefined;
  };
}
