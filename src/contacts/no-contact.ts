// Why nobody may write to a participant. Whoever writes asks this when it is planned, and again in the transaction in which it is sent.

import type { Where } from "../../db/list/where.ts";
import type { Reader } from "../../db/sqlite/connection.ts";
import { suppressesSql } from "../nouns/mail-suppressions/hash.ts";
import { findContactCap } from "./cap.ts";

/** In the order in which one of several is named. */
export const NO_CONTACT = ["NO_EMAIL", "DO_NOT_CONTACT", "UNSUBSCRIBED", "BOUNCED", "CONTACTED_RECENTLY"] as const;

export type NoContact = (typeof NO_CONTACT)[number];

export const DAY_MS = 24 * 3_600_000;

interface Asked {
  /** The alias of `participant` in the statement. */
  participant: string;
  /** The rowid of the study that it is about. */
  screenerId: number;
  now: number;
}

/**
 * SQL expression of a NoContact, or of null: they may be written to. Each part is a look-up in an index, so it can be asked of all people of a
 * study. Its values are bound where it stands in the statement. `db` may have the workspace attached.
 */
export function noContactSql(db: Reader, { participant, screenerId, now }: Asked): Where {
  const cap = findContactCap(db);
  const contacted = `(SELECT count(*) FROM message AS m WHERE m.participant_id = ${participant}.id AND m.contacted_at > ?) >= ?`;
  return {
    sql: `CASE WHEN ${participant}.email IS NULL THEN 'NO_EMAIL'
        WHEN ${participant}.do_not_contact IS NOT NULL THEN 'DO_NOT_CONTACT'
        WHEN EXISTS (SELECT 1 FROM unsubscription AS n WHERE n.participant_id = ${participant}.id AND coalesce(n.screener_id, 0) IN (0, ?))
          THEN 'UNSUBSCRIBED'
        ELSE coalesce(${suppressedSql(`${participant}.email`)}, ${cap ? `iif(${contacted}, 'CONTACTED_RECENTLY', NULL)` : "NULL"}) END`,
    values: [screenerId, ...(cap ? [now - cap.days * DAY_MS, cap.messages] : [])],
  };
}

/** SQL expression of what a row `x` of mail_suppression says, as a NoContact. */
export const SUPPRESSION_SQL =
  "CASE WHEN x.reason IN ('BOUNCED', 'UNSUBSCRIBED') THEN x.reason ELSE 'DO_NOT_CONTACT' END";

/** SQL expression of why an address is not written to, as a NoContact. Null: it is not suppressed. */
function suppressedSql(address: string): string {
  // Without any, no address needs a mark.
  return `CASE WHEN EXISTS (SELECT 1 FROM mail_suppression) THEN
    (SELECT ${SUPPRESSION_SQL}
     FROM mail_suppression AS x WHERE ${suppressesSql(address)}) END`;
}

/** Why nobody may write to a participant about a study. @param participantId its rowid @param screenerId that of the study */
export function findNoContact(
  db: Reader,
  participantId: number,
  screenerId: number,
  now = Date.now(),
): NoContact | undefined {
  const { sql, values } = noContactSql(db, { participant: "p", screenerId, now });
  return (
    db.value<NoContact | null>(`SELECT ${sql} FROM participant AS p WHERE p.id = ?`, ...values, participantId) ??
    undefined
  );
}

/** Why an address gets no message at all, not even one that somebody has just asked for: that would only do harm to the sender. */
export function findSuppressed(db: Reader, address: string): "BOUNCED" | "DO_NOT_CONTACT" | undefined {
  const reason = suppressionOf(db, address);
  return reason === "BOUNCED" || reason === "DO_NOT_CONTACT" ? reason : undefined;
}

/** Undefined: the address is not suppressed. */
function suppressionOf(db: Reader, address: string): NoContact | undefined {
  return (
    db.value<NoContact | null>(`SELECT ${suppressedSql("a.address")} FROM (SELECT ? AS address) AS a`, address) ??
    undefined
  );
}
