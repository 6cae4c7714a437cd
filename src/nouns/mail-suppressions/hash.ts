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

/** How many emails are read at once. */
const AT_ONCE = 5000;

/**
 * The participants whose addresses are suppressed, by their rowids. @param reason SQL expression over a row `x` of mail_suppression
 */
export function listSuppressed<Reason>(db: Reader, reason: string): { id: number; reason: Reason }[] {
  const shown = db.all<{ id: number; reason: Reason }>(
    `SELECT p.id, ${reason} AS reason FROM mail_suppression AS x JOIN participant AS p ON p.email = x.address WHERE x.address IS NOT NULL`,
  );
  // Those of whom the hash alone is kept may have come back.
  const marks = new Set(db.values<number>("SELECT mark FROM mail_suppression WHERE address IS NULL"));
  return marks.size ? [...shown, ...listHidden<Reason>(db, reason, marks)] : shown;
}

/** Marks are compared first, here, because SQL calls a function for each. */
function listHidden<Reason>(db: Reader, reason: string, marks: ReadonlySet<number>): { id: number; reason: Reason }[] {
  const key = db.value<Buffer>(`SELECT ${KEY}`)!;
  const [markOf, hashOf] = [mailMarker(key), mailHasher(key)];
  const found: { id: number; reason: Reason }[] = [];
  for (let after = "", emails: string[]; ; after = emails.at(-1)!) {
    // From the index alone.
    emails = db.values("SELECT email FROM participant WHERE email > ? ORDER BY email LIMIT ?", after, AT_ONCE);
    if (!emails.length) return found;
    for (const email of emails) {
      const mark = markOf(email);
      if (!marks.has(mark)) continue;
      const row = db.get<{ id: number; reason: Reason }>(
        `SELECT p.id, ${reason} AS reason FROM mail_suppression AS x JOIN participant AS p ON p.email = ? WHERE x.mark = ? AND +x.hash = ?`,
        email,
        mark,
        hashOf(email),
      );
      if (row) found.push(row);
    }
  }
}
