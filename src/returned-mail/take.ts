// What follows from mail that has come about a message: it has bounced, or its recipient wants no more mail.

import type { Writer } from "../../db/sqlite/connection.ts";
import { referenceKey } from "../base/references.ts";
import { type Unsubscriber, unsubscribe } from "../contacts/unsubscriptions.ts";
import { SERVICE } from "../events/actors.ts";
import { BY_SERVICE, type RecordEvent, recordEvent } from "../events/record.ts";
import { suppressFound } from "../mail/bounced.ts";
import { type MessageRow, recordBounced } from "../mail/outbox.ts";
import { isProven, type ReturnAddress } from "../mail/return-address.ts";
import { settleBounced } from "../mailings/settle.ts";
import { mailHashSql } from "../nouns/mail-suppressions/hash.ts";
import { suppress } from "../nouns/mail-suppressions/queries.ts";
import type { Complaint, Report, ReturnedMail } from "./read.ts";

/**
 * What has become of it. Hard: nobody has the address, and nothing more is sent there. Soft: it was not delivered for another reason. Complained: its
 * recipient has called it spam, and nothing more is sent there.
 */
export interface Taken {
  outcome: "BOUNCED_HARD" | "BOUNCED_SOFT" | "COMPLAINED" | "UNSUBSCRIBED" | "IGNORED";
  /** Why it was ignored. */
  reason: "UNKNOWN_ADDRESS" | "NOT_READABLE" | "NO_REPORT" | "NOT_FAILED" | "AUTOMATIC" | null;
}

export const ignored = (reason: Taken["reason"]): Taken => ({ outcome: "IGNORED", reason });

/** Inside a transaction of the workspace that the address names. The same mail may come again. */
export function takeReturned(
  db: Writer,
  address: ReturnAddress,
  { report, complaint, isAutomatic }: ReturnedMail,
): Taken {
  const row = db.get<MessageRow>("SELECT * FROM message WHERE id = ?", address.id);
  if (!row || !isProven(referenceKey(db), address, row.uid)) return ignored("UNKNOWN_ADDRESS");
  if (complaint) return takeComplaint(db, row, complaint);
  if (address.purpose === "UNSUBSCRIBE") {
    // A program that answers by itself has not read it.
    if (report || isAutomatic) return ignored("AUTOMATIC");
    return takeUnsubscribing(db, row);
  }
  if (!report) return ignored("NO_REPORT");
  if (!report.hasFailed) return ignored("NOT_FAILED");
  return takeBounce(db, row, report);
}

function takeBounce(db: Writer, row: MessageRow, report: Report): Taken {
  const { isHard, words } = report;
  const address = isHard ? addressOf(db, row, report) : undefined;
  const isNew = address !== undefined && suppressFound(db, address, "BOUNCED", words);
  // Nobody has the address, as it turns out after a report that its box was full.
  const bounced = recordBounced(db, row, { words, isWorse: isNew }, Date.now());
  if (bounced) settleBounced(db, bounced, { isHard, words });
  return { outcome: isHard ? "BOUNCED_HARD" : "BOUNCED_SOFT", reason: null };
}

/** Who calls a message spam gets none any more; also where nobody can say any more at which address. */
function takeComplaint(db: Writer, row: MessageRow, complaint: Complaint): Taken {
  const address = addressOf(db, row, complaint);
  if (address === undefined) {
    const taken = takeUnsubscribing(db, row);
    if (taken.outcome === "IGNORED") return taken;
  } else suppressFound(db, address, "COMPLAINED");
  return { outcome: "COMPLAINED", reason: null };
}

/** Where the message had gone to: only its hash is kept. The participant may have another email now, and the report may name one that ours leads to. */
function addressOf(db: Writer, row: MessageRow, { addresses }: Report | Complaint): string | undefined {
  const email = db.value<string | null>("SELECT email FROM participant WHERE id = ?", row.participant_id);
  const possible = [email, row.address, ...addresses].filter((one) => typeof one === "string");
  return db.value(
    `SELECT j.value FROM message AS m JOIN json_each(?) AS j ON ${mailHashSql("j.value")} = m.to_hash WHERE m.id = ? LIMIT 1`,
    JSON.stringify(possible),
    row.id,
  );
}

/** As a mail program does at the page: its recipient is shown the sender and no study. So it stops everything. */
function takeUnsubscribing(db: Writer, row: MessageRow): Taken {
  const record: RecordEvent = (event) => recordEvent(db, BY_SERVICE, event);
  const linked = db.get<Unsubscriber>(
    `SELECT uid, participant_id, screener_id FROM screener_session
     WHERE participant_id = ? AND is_test = 0 ORDER BY screener_id = (SELECT screener_id FROM mailing WHERE id = ?) DESC, id DESC LIMIT 1`,
    row.participant_id,
    row.mailing_id,
  );
  const email = db.value<string | null>("SELECT email FROM participant WHERE id = ?", row.participant_id);
  if (linked) unsubscribe(db, linked, "everything", record);
  // The session has gone meanwhile.
  else if (email) suppress(db, { address: email, reason: "UNSUBSCRIBED", by: SERVICE, isHidden: false }, record);
  else return ignored("UNKNOWN_ADDRESS");
  return { outcome: "UNSUBSCRIBED", reason: null };
}
