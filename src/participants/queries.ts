// Statements on participants.

import type { Reader, Writer } from "../../db/connection.ts";
import {
  type CountedTable,
  countRow,
  type Filter,
  type ListDefinition,
  type ListResult,
  type Page,
  readPage,
} from "../../db/list.ts";
import { openSlices, type Slices } from "../../db/list-slices.ts";
import { Problem } from "../problems.ts";
import { participantFrom, participantJson } from "./view.ts";

export interface ParticipantRow {
  id: number;
  uid: string;
  external_uid: string;
  email: string | null;
  name: string | null;
}

export const countedParticipants: CountedTable = { table: "participant", facets: [] };

const participants: ListDefinition = {
  ...countedParticipants,
  from: participantFrom,
  json: participantJson,
  filters: { externalUid: { column: "external_uid" }, email: { column: "email" } },
};

export function listParticipants(db: Reader, filters: readonly Filter[], page: Page): ListResult {
  return readPage(db, participants, filters, page);
}

/** All that the filters let through. */
export function sliceParticipants(db: Reader, filters: readonly Filter[]): Slices {
  return openSlices(db, participants, filters);
}

/** A participant as JSON, or undefined. */
export function findParticipantJson(db: Reader, uid: string): string | undefined {
  return db.value(`SELECT ${participantJson} FROM ${participantFrom} WHERE t.uid = ?`, uid);
}

/** @throws Problem participant_not_found */
export function getParticipant(db: Reader, uid: string): ParticipantRow {
  const row = db.get<ParticipantRow>("SELECT id, uid, external_uid, email, name FROM participant WHERE uid = ?", uid);
  if (!row) throw new Problem("participant_not_found");
  return row;
}

/** Whether a participant has this externalUid. */
export function hasExternalUid(db: Reader, externalUid: string): boolean {
  return db.value("SELECT 1 FROM participant WHERE external_uid = ?", externalUid) === 1;
}

/** Whether a participant other than `id` has this email, in any ASCII case. */
export function hasEmail(db: Reader, email: string, exceptId = 0): boolean {
  return db.value("SELECT 1 FROM participant WHERE email = ? AND id <> ?", email, exceptId) === 1;
}

export function insertParticipant(
  db: Writer,
  participant: { uid: string; externalUid: string; email: string; name: string; actor: number; now: string },
): void {
  const { uid, externalUid, email, name, actor, now } = participant;
  const { lastInsertRowid } = db.run(
    `INSERT INTO participant (uid, external_uid, email, name, created_by, created_at, updated_by, updated_at)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
    uid,
    externalUid,
    email,
    name,
    actor,
    now,
    actor,
    now,
  );
  countRow(db, countedParticipants, Number(lastInsertRowid), [], 1);
}

/** Changes what differs; what doesn't leaves the row alone. */
export function updateParticipant(
  db: Writer,
  participant: { id: number; email: string | null; name: string | null; actor: number; now: string },
): void {
  db.run(
    `UPDATE participant SET email = ?, name = ?, updated_by = ?, updated_at = ?
     WHERE id = ? AND (email COLLATE BINARY, name) IS NOT (?, ?)`,
    participant.email,
    participant.name,
    participant.actor,
    participant.now,
    participant.id,
    participant.email,
    participant.name,
  );
}
