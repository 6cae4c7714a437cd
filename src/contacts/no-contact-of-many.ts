// Why nobody may write to each of many people: the same as no-contact.ts says of one, by sets, because of a whole roster that is several times
// as fast. A test compares the two.

import type { Reader } from "../../db/sqlite/connection.ts";
import { suppressionsOfMany } from "../nouns/mail-suppressions/hash.ts";
import { findContactCap } from "./cap.ts";
import { DAY_MS, type NoContact, SUPPRESSION_SQL } from "./no-contact.ts";

interface Person {
  id: number;
  email: string | null;
  /** Not null: it is marked "do not contact". */
  doNotContact: unknown;
}

/** @param screenerId the rowid of the study that it is about @returns why nobody may write to a participant. Undefined: they may be written to */
export function noContactOfMany(
  db: Reader,
  screenerId: number,
  now: number,
): (person: Person) => NoContact | undefined {
  const unsubscribed = new Set(
    db.values<number>("SELECT participant_id FROM unsubscription WHERE coalesce(screener_id, 0) IN (0, ?)", screenerId),
  );
  const suppressionOf = suppressionsOfMany<NoContact>(db, SUPPRESSION_SQL);
  const contacted = contactedRecently(db, now);
  return ({ id, email, doNotContact }) => {
    if (email === null) return "NO_EMAIL";
    if (doNotContact !== null) return "DO_NOT_CONTACT";
    if (unsubscribed.has(id)) return "UNSUBSCRIBED";
    return suppressionOf(email) ?? (contacted.has(id) ? "CONTACTED_RECENTLY" : undefined);
  };
}

/** The participants who have had as many messages as the workspace's cap allows. */
function contactedRecently(db: Reader, now: number): ReadonlySet<number> {
  const cap = findContactCap(db);
  if (!cap) return new Set();
  return new Set(
    db.values<number>(
      `SELECT participant_id FROM message INDEXED BY message_contacted WHERE contacted_at IS NOT NULL AND contacted_at > ?
       GROUP BY participant_id HAVING count(*) >= ?`,
      now - cap.days * DAY_MS,
      cap.messages,
    ),
  );
}
