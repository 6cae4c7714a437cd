// What participants have unsubscribed from: a study, or everything. They do it themselves, and take it back themselves.

import type { Reader, Writer } from "../../db/sqlite/connection.ts";
import { SERVICE } from "../events/actors.ts";
import { BY_SERVICE, type RecordEvent, recordEvent } from "../events/record.ts";
import {
  deleteSuppression,
  findSuppression,
  type SuppressionRow,
  suppress,
} from "../nouns/mail-suppressions/queries.ts";
import type { SessionRow } from "../nouns/sessions/queries.ts";
import { session } from "../nouns/sessions/resource.ts";

/** From what. */
const SCOPES = ["study", "everything"] as const;
export type MailScope = (typeof SCOPES)[number];

/** What a link or a form says. */
export function scopeOf(text: string | null | undefined): MailScope | undefined {
  return SCOPES.find((one) => one === text);
}

export interface Unsubscribed {
  /** Since when, as ISO-8601. Undefined: not. */
  study: string | undefined;
  everything: string | undefined;
}

export function findUnsubscribed(db: Reader, participantId: number, screenerId: number): Unsubscribed {
  const since = (screener: number) =>
    db.value<string>(
      "SELECT created_at FROM unsubscription WHERE participant_id = ? AND coalesce(screener_id, 0) = ?",
      participantId,
      screener,
    );
  const former = findFormer(db, participantId);
  return { study: since(screenerId), everything: since(0) ?? former?.created_at };
}

interface Unsubscription {
  /** The study that they want no mail about; null: any. */
  screenerId: string | null;
  createdAt: string;
}

/** Everything that a participant has unsubscribed from. */
export function listUnsubscriptions(db: Reader, participantId: number): Unsubscription[] {
  return db.all(
    `SELECT s.uid AS screenerId, n.created_at AS createdAt FROM unsubscription AS n LEFT JOIN screener AS s ON s.id = n.screener_id
     WHERE n.participant_id = ? ORDER BY n.id`,
    participantId,
  );
}

/** The session at whose link somebody does it, or to whose link a message had led. */
export type Unsubscriber = Pick<SessionRow, "uid" | "participant_id" | "screener_id">;

/** Inside a transaction. Another time it changes nothing. */
export function unsubscribe(db: Writer, linked: Unsubscriber, scope: MailScope, record: RecordEvent): void {
  const at = new Date();
  const { changes } = db.run(
    "INSERT INTO unsubscription (participant_id, screener_id, created_at) VALUES (?, ?, ?) ON CONFLICT DO NOTHING",
    linked.participant_id,
    scope === "study" ? linked.screener_id : null,
    at.toISOString(),
  );
  if (changes) record({ ...eventOf("participant.unsubscribed", linked, scope), at });
}

/** Inside a transaction: somebody wants mail again, also at an address whose former owner had unsubscribed. */
export function subscribe(db: Writer, linked: Unsubscriber, scope: MailScope, record: RecordEvent): void {
  const { changes } = db.run(
    "DELETE FROM unsubscription WHERE participant_id = ? AND coalesce(screener_id, 0) = ?",
    linked.participant_id,
    scope === "study" ? linked.screener_id : 0,
  );
  const former = scope === "everything" ? findFormer(db, linked.participant_id) : undefined;
  if (former) deleteSuppression(db, former, record);
  if (changes || former) record(eventOf("participant.subscribed", linked, scope));
}

function eventOf(type: "participant.unsubscribed" | "participant.subscribed", { uid }: Unsubscriber, scope: MailScope) {
  return { type, resource: { type: session.type, uid }, summary: { scope: scope.toUpperCase() } };
}

/** That somebody has unsubscribed who was erased, and had the participant's address. */
function findFormer(db: Reader, participantId: number): SuppressionRow | undefined {
  const email = db.value<string | null>("SELECT email FROM participant WHERE id = ?", participantId) ?? undefined;
  const known = email === undefined ? undefined : findSuppression(db, email);
  return known?.reason === "UNSUBSCRIBED" ? known : undefined;
}

/** Inside a transaction, before a participant goes: who is not to be written to stays so, by the keyed hash of the address. */
export function keepNoContact(db: Writer, participantId: number): void {
  const row = db.get<{ email: string | null; reason: "DO_NOT_CONTACT" | "UNSUBSCRIBED" | null }>(
    `SELECT p.email, CASE WHEN p.do_not_contact IS NOT NULL THEN 'DO_NOT_CONTACT'
       WHEN EXISTS (SELECT 1 FROM unsubscription AS n WHERE n.participant_id = p.id AND n.screener_id IS NULL) THEN 'UNSUBSCRIBED' END AS reason
     FROM participant AS p WHERE p.id = ?`,
    participantId,
  );
  if (!row?.reason || row.email === null) return;
  const record: RecordEvent = (event) => recordEvent(db, BY_SERVICE, event);
  suppress(db, { address: row.email, reason: row.reason, by: SERVICE, isHidden: true }, record);
}
