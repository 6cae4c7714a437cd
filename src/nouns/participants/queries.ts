// Statements on participants.

import { countRow } from "../../../db/list/counts.ts";
import type { Reader, Writer } from "../../../db/sqlite/connection.ts";
import {
  attributeIndex,
  attributeOfIndex,
  attributeSql,
  MAX_ATTRIBUTE_KEYS,
  NO_ATTRIBUTES,
} from "../../base/attributes.ts";
import { escapePointer } from "../../base/clean-text.ts";
import { invalidRequest, Problem } from "../../base/problems.ts";
import { actorRow, SERVICE } from "../../events/actors.ts";
import { countedParticipants, NOBODY, WRITTEN, type Written } from "./resource.ts";

/** The values that callers write. */
type ParticipantValues = { [member in Written]: string | null } & StoredAttributes;

/** The values of a new participant. Members that are left out are null, if the schema allows it. */
type NewValues = { [member in Written]?: string | null | undefined } & StoredAttributes;

interface StoredAttributes {
  /** The text of src/base/attributes.ts. */
  attributes: string;
}

type ParticipantRow = { id: number; uid: string; doNotContact: string | null } & ParticipantValues;

const members = [...(Object.keys(WRITTEN) as Written[]), "attributes"] as const;
const columns = [...Object.values(WRITTEN), "attributes"];
const marks = columns.map(() => "?").join(", ");

const SELECT_ONE = `SELECT id, uid, do_not_contact AS doNotContact, ${members.map((member, index) => `${columns[index]} AS ${member}`).join(", ")}
  FROM participant WHERE uid = ?`;

/** It rises, even within a millisecond: an undo finds by it what was changed since. Its values: the time now, twice. */
const LATER = "iif(? > updated_at, ?, strftime('%Y-%m-%dT%H:%M:%fZ', updated_at, '+0.001 seconds'))";

const INSERT = `INSERT INTO participant (uid, ${columns.join(", ")}, created_by, created_at, updated_by, updated_at)
  VALUES (?, ${marks}, ?, ?, ?, ?) ON CONFLICT DO NOTHING`;

const UPDATE = `UPDATE participant SET ${columns.map((column) => `${column} = ?`).join(", ")}, updated_by = ?,
    updated_at = ${LATER}
  WHERE id = ? AND (${columns.map((column) => `${column} COLLATE BINARY`).join(", ")}) IS NOT (${marks})`;

/** @throws Problem participant_not_found */
export function getParticipant(db: Reader, uid: string): ParticipantRow {
  const row = db.get<ParticipantRow>(SELECT_ONE, uid);
  if (!row) throw new Problem("participant_not_found");
  return row;
}

/** The participant with this value, which is unique. */
export function findParticipantBy(
  db: Reader,
  column: "uid" | "external_uid" | "email",
  value: string,
): { id: number; uid: string } | undefined {
  return db.get(`SELECT id, uid FROM participant WHERE ${column} = ? AND uid <> ''`, value);
}

/** The row of nobody. It is made when it is needed first. */
export function nobody(db: Writer): number {
  const actor = actorRow(db, SERVICE);
  const now = new Date().toISOString();
  db.run(
    `INSERT INTO participant (id, uid, external_uid, created_by, created_at, updated_by, updated_at)
     VALUES (?, '', '', ?, ?, ?, ?) ON CONFLICT DO NOTHING`,
    NOBODY,
    actor,
    now,
    actor,
    now,
  );
  return NOBODY;
}

/** Empty: it is nobody's. */
export function externalUidOf(db: Reader, participantId: number): string {
  return db.value<string>("SELECT external_uid FROM participant WHERE id = ?", participantId) ?? "";
}

/** When a participant was changed last. */
export function updatedAtOf(db: Reader, participantId: number): string {
  return db.value("SELECT updated_at FROM participant WHERE id = ?", participantId)!;
}

/** Whether a participant other than `exceptId` has this externalUid. */
export function hasExternalUid(db: Reader, externalUid: string, exceptId = 0): boolean {
  return db.value("SELECT 1 FROM participant WHERE external_uid = ? AND id <> ?", externalUid, exceptId) === 1;
}

/** Whether a participant other than `exceptId` has this email, in any ASCII case. */
export function hasEmail(db: Reader, email: string, exceptId = 0): boolean {
  return db.value("SELECT 1 FROM participant WHERE email = ? AND id <> ?", email, exceptId) === 1;
}

/** @returns its rowid; undefined when its externalUid or email is taken. @throws Problem 400 if the workspace gets too many keys of attributes */
export function insertParticipant(
  db: Writer,
  { uid, values, actor, now }: { uid: string; values: NewValues; actor: number; now: string },
): number | undefined {
  const { changes, lastInsertRowid } = db.run(
    INSERT,
    uid,
    ...members.map((member) => values[member] ?? null),
    actor,
    now,
    actor,
    now,
  );
  if (!changes) return undefined;
  const id = Number(lastInsertRowid);
  countRow(db, countedParticipants, id, {}, 1);
  addAttributeKeys(db, values.attributes);
  return id;
}

/** Writes nothing if the participant has these values already, so that `updated_at` stays. @throws as above */
export function updateParticipant(
  db: Writer,
  { id, values, actor, now }: { id: number; values: ParticipantValues; actor: number; now: string },
): void {
  const written = members.map((member) => values[member]);
  const { changes } = db.run(UPDATE, ...written, actor, now, now, id, ...written);
  if (changes) addAttributeKeys(db, values.attributes);
}

/** @param mark JSON of who has marked the participant, when and why; null: nobody */
export function setDoNotContact(
  db: Writer,
  { id, mark, actor, now }: { id: number; mark: string | null; actor: number; now: string },
): void {
  db.run(
    `UPDATE participant SET do_not_contact = ?, updated_by = ?, updated_at = ${LATER} WHERE id = ?`,
    ...[mark, actor, now, now, id],
  );
}

/** Indexes of a workspace on attributes. Each makes writes a little slower. */
const MAX_ATTRIBUTE_INDEXES = 10;

/**
 * Makes the index on an attribute, for filters. Nobody else can write meanwhile: 1 to 3 seconds for a million participants.
 * @returns how many participants have the attribute, and whether there was no index. @throws Error if there are too many indexes
 */
export function createAttributeIndex(db: Writer, key: string): { participants: number; isNew: boolean } {
  const indexed = listIndexedAttributes(db);
  const isNew = !indexed.includes(key);
  if (isNew && indexed.length >= MAX_ATTRIBUTE_INDEXES)
    throw new Error(`The workspace has ${MAX_ATTRIBUTE_INDEXES} indexed attributes, and can't have more.`);
  const value = attributeSql(key);
  db.exec(`CREATE INDEX IF NOT EXISTS ${attributeIndex(key)} ON participant (${value}) WHERE ${value} IS NOT NULL`);
  return { participants: db.value(`SELECT count(*) FROM participant WHERE ${value} IS NOT NULL`)!, isNew };
}

/** @returns whether there was an index */
export function dropAttributeIndex(db: Writer, key: string): boolean {
  if (!listIndexedAttributes(db).includes(key)) return false;
  db.exec(`DROP INDEX ${attributeIndex(key)}`);
  return true;
}

/** The keys of attributes with an index, in order. */
export function listIndexedAttributes(db: Reader): string[] {
  return db
    .values<string>("SELECT name FROM sqlite_schema WHERE type = 'index' AND tbl_name = 'participant'")
    .flatMap((name) => attributeOfIndex(name) ?? [])
    .sort();
}

/**
 * Keeps the keys of attributes that were written: tables have a column for each.
 * @throws Problem 400 if the workspace gets too many
 */
function addAttributeKeys(db: Writer, attributes: string): void {
  if (attributes === NO_ATTRIBUTES) return;
  const added = db.values<string>(
    "INSERT INTO participant_attribute (key) SELECT key FROM json_each(?) WHERE true ON CONFLICT DO NOTHING RETURNING key",
    attributes,
  );
  if (!added.length) return;
  const count = db.value<number>("SELECT count(*) FROM participant_attribute")!;
  if (count <= MAX_ATTRIBUTE_KEYS) return;
  const message = `is a new key, and the participants of a workspace may have ${MAX_ATTRIBUTE_KEYS} different keys`;
  throw invalidRequest(added.map((key) => ({ pointer: `/attributes/${escapePointer(key)}`, message })));
}
