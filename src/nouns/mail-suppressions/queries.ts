// Statements on addresses that are not written to.

import { countRow } from "../../../db/list/counts.ts";
import type { Reader, Writer } from "../../../db/sqlite/connection.ts";
import { newId } from "../../base/ids.ts";
import { Problem } from "../../base/problems.ts";
import { type Actor, actorRow } from "../../events/actors.ts";
import type { RecordEvent } from "../../events/record.ts";
import { mailHashSql, mailKeysOf, suppressesSql } from "./hash.ts";
import { countedSuppressions, mailSuppression, type SuppressionReason } from "./resource.ts";

export interface SuppressionRow {
  id: number;
  uid: string;
  reason: SuppressionReason;
  created_at: string;
}

/** @throws Problem mail_suppression_not_found */
export function getSuppression(db: Reader, uid: string): SuppressionRow {
  const row = db.get<SuppressionRow>("SELECT id, uid, reason, created_at FROM mail_suppression WHERE uid = ?", uid);
  if (!row) throw new Problem("mail_suppression_not_found");
  return row;
}

export function findSuppression(db: Reader, address: string): SuppressionRow | undefined {
  return db.get(
    `SELECT x.id, x.uid, x.reason, x.created_at FROM (SELECT ? AS address) AS a CROSS JOIN mail_suppression AS x ON ${suppressesSql("a.address")}`,
    address,
  );
}

/** An address that is not to be written to. */
interface Suppressed {
  address: string;
  reason: SuppressionReason;
  /** What the receiver has said, without the address. */
  detail?: string | null;
  by: Actor;
  /** Whether the hash alone is kept: whoever had the address is erased, or it was typed for one message. */
  isHidden: boolean;
}

/** Inside a transaction. An address has the reason that came first. @returns its id, and whether it is new */
export function suppress(
  db: Writer,
  { address, reason, detail = null, by, isHidden }: Suppressed,
  record: RecordEvent,
): { uid: string; isNew: boolean } {
  const { hash, mark } = mailKeysOf(db, address);
  const known = db.get<{ id: number; uid: string }>("SELECT id, uid FROM mail_suppression WHERE hash = ?", hash);
  const shown = isHidden ? null : address;
  if (known) {
    db.run("UPDATE mail_suppression SET address = coalesce(address, ?) WHERE id = ?", shown, known.id);
    return { uid: known.uid, isNew: false };
  }
  const uid = newId();
  const at = new Date();
  const { lastInsertRowid } = db.run(
    `INSERT INTO mail_suppression (uid, hash, mark, address, reason, detail, created_by, created_at) VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
    ...[uid, hash, mark, shown, reason, detail, actorRow(db, by), at.toISOString()],
  );
  countRow(db, countedSuppressions, Number(lastInsertRowid), { reason }, 1);
  record({
    type: "mail-suppression.created",
    resource: { type: mailSuppression.type, uid },
    summary: { reason },
    at,
  });
  return { uid, isNew: true };
}

/** Inside a transaction: the address may be written to again. */
export function deleteSuppression(db: Writer, { id, uid, reason }: SuppressionRow, record: RecordEvent): void {
  db.run("DELETE FROM mail_suppression WHERE id = ?", id);
  record({ type: "mail-suppression.deleted", resource: { type: mailSuppression.type, uid }, summary: { reason } });
}

/** Inside a transaction: the address of somebody who is erased is kept as a hash alone. What a receiver has said may name them. */
export function hideAddresses(db: Writer, addresses: readonly string[]): void {
  db.run(
    `UPDATE mail_suppression SET address = NULL, detail = NULL WHERE hash IN (SELECT ${mailHashSql("value")} FROM json_each(?))`,
    JSON.stringify(addresses),
  );
}
