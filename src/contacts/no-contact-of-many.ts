// Why nobody may write to each of many people: the same as no-contact.ts says of one, by sets, because of a whole roster that is several times
// as fast. A test compares the two.

import type { Reader } from "../../db/sqlite/connection.ts";
import { listSuppressed } from "../nouns/mail-suppressions/hash.ts";
import { findContactCap } from "./cap.ts";
import { DAY_MS, type NoContact, SUPPRESSION_SQL } from "./no-contact.ts";

/** @param screenerId the rowid of the study that it is about @returns the participants to whom nobody may write, by their rowids, and why */
export function noContactOfMany(db: Reader, screenerId: number, now: number): Map<number, NoContact> {
  const found = new Map<number, NoContact>();
  const add = (ids: readonly number[], reason: NoContact): void => {
    for (const id of ids) found.set(id, reason);
  };
  // Each reason takes the place of those that come after it in NO_CONTACT.
  add(listContactedRecently(db, now), "CONTACTED_RECENTLY");
  for (const { id, reason } of listSuppressed<NoContact>(db, SUPPRESSION_SQL)) found.set(id, reason);
  add(
    db.values("SELECT participant_id FROM unsubscription WHERE coalesce(screener_id, 0) IN (0, ?)", screenerId),
    "UNSUBSCRIBED",
  );
  add(db.values("SELECT id FROM participant WHERE do_not_contact IS NOT NULL AND id > 0"), "DO_NOT_CONTACT");
  add(db.values("SELECT id FROM participant WHERE email IS NULL AND id > 0"), "NO_EMAIL");
  return found;
}

/** The participants who have had as many messages as the workspace's cap allows. */
function listContactedRecently(db: Reader, now: number): number[] {
  const cap = findContactCap(db);
  if (!cap) return [];
  return db.values(
    `SELECT participant_id FROM message INDEXED BY message_contacted
     WHERE participant_id > 0 AND contacted_at IS NOT NULL AND contacted_at > ?
     GROUP BY participant_id HAVING count(*) >= ?`,
    now - cap.days * DAY_MS,
    cap.messages,
  );
}
