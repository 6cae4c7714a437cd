// Whom a message that is due goes to, and why it does not any more.

import type { Reader } from "../../db/sqlite/connection.ts";
import type { Correspondent } from "../mail/claims.ts";
import type { MessageRow } from "../mail/outbox.ts";
import { purposeOf } from "./plan.ts";
import type { MailingRow } from "./queries.ts";
import { reasonSql, type SkipReason, type Standing } from "./reasons.ts";
import type { Step } from "./texts.ts";

export interface Found extends Correspondent {
  assignment: string;
  /** Of the assignment. */
  status: string;
  email: string | null;
  reason: SkipReason | null;
  /** The id of the session that is open. */
  session: string | null;
}

/** Undefined: the person is not in the study any more. */
export function findRecipient(
  db: Reader,
  { kind, screener_id: screenerId }: MailingRow,
  row: MessageRow,
  step: Step,
  standing: Standing & { now: number },
): Found | undefined {
  const reason = reasonSql(db, purposeOf(kind, step, row.step!), { ...standing, screenerId });
  const found = db.get<Found>(
    `SELECT a.uid AS assignment, a.status, p.email, p.name, p.attributes, ${reason.sql} AS reason, e.uid AS session
     FROM screener_participant AS a JOIN participant AS p ON p.id = a.participant_id
       LEFT JOIN screener_session AS e ON e.id = a.current_session_id AND e.status = 'ACTIVE'
     WHERE a.participant_id = ? AND a.screener_id = ?`,
    ...[...reason.values, row.participant_id, screenerId],
  );
  const begins = kind !== "MESSAGE" && found?.status === "NOT_STARTED" && found.reason === null;
  const isFull = begins && standing.fullness.isFor(found.attributes, row.participant_id!);
  return isFull ? { ...found, reason: "QUOTA_FULL" } : found;
}
