// Statements on participants.

import type { Reader, Writer } from "../../db/connection.ts";
import { countRow } from "../../db/list.ts";
import { Problem } from "../problems.ts";
import { countedParticipants, WRITTEN, type Written } from "./resource.ts";

/** The values that callers write. */
export type ParticipantValues = { [member in Written]: string | null };

/** The values of a new participant; what is left out is null. The schema says what may be. */
type NewValues = { [member in Written]?: string | null | undefined };

export type ParticipantRow = { id: number; uid: string } & ParticipantValues;

const members = Object.keys(WRITTEN) as Written[];
const columns = Object.values(WRITTEN);
const marks = columns.map(() => "?").join(", ");

const SELECT_ONE = `SELECT id, uid, ${members.map((member) => `${WRITTEN[member]} AS ${member}`).join(", ")}
  FROM participant WHERE uid = ?`;

const INSERT = `INSERT INTO participant (uid, ${columns.join(", ")}, created_by, created_at, updated_by, updated_at)
  VALUES (?, ${marks}, ?, ?, ?, ?)`;

const UPDATE = `UPDATE participant SET ${columns.map((column) => `${column} = ?`).join(", ")}, updated_by = ?,
    updated_at = iif(? > updated_at, ?, strftime('%Y-%m-%dT%H:%M:%fZ', updated_at, '+0.001 seconds'))
  WHERE id = ? AND (${columns.map((column) => `${column} COLLATE BINARY`).join(", ")}) IS NOT (${marks})`;

/** @throws Problem participant_not_found */
export function getParticipant(db: Reader, uid: string): ParticipantRow {
  const row = db.get<ParticipantRow>(SELECT_ONE, uid);
  if (!row) throw new Problem("participant_not_found");
  return row;
}

/** Whether a participant other than `exceptId` has this externalUid. */
export function hasExternalUid(db: Reader, externalUid: string, exceptId = 0): boolean {
  return db.value("SELECT 1 FROM participant WHERE external_uid = ? AND id <> ?", externalUid, exceptId) === 1;
}

/** Whether a participant other than `exceptId` has this email, in any ASCII case. */
export function hasEmail(db: Reader, email: string, exceptId = 0): boolean {
  return db.value("SELECT 1 FROM participant WHERE email = ? AND id <> ?", email, exceptId) === 1;
}

export function insertParticipant(
  db: Writer,
  { uid, values, actor, now }: { uid: string; values: NewValues; actor: number; now: string },
): void {
  const { lastInsertRowid } = db.run(
    INSERT,
    uid,
    ...members.map((member) => values[member] ?? null),
    actor,
    now,
    actor,
    now,
  );
  countRow(db, countedParticipants, Number(lastInsertRowid), {}, 1);
}

/**
 * Writes nothing if the participant has these values already, so that `updated_at` stays. Else that becomes later, even
 * within a millisecond: an undo tells by it what was changed since.
 */
export function updateParticipant(
  db: Writer,
  { id, values, actor, now }: { id: number; values: ParticipantValues; actor: number; now: string },
): void {
  const written = members.map((member) => values[member]);
  db.run(UPDATE, ...written, actor, now, now, id, ...written);
}
