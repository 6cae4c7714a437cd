// Statements on notes about participants. What they say is in no event: it goes with the note.

import { countRow } from "../../../db/list/counts.ts";
import type { Reader, Writer } from "../../../db/sqlite/connection.ts";
import { newId } from "../../base/ids.ts";
import { Problem } from "../../base/problems.ts";
import { type Actor, actorRow } from "../../events/actors.ts";
import type { RecordEvent } from "../../events/record.ts";
import { getParticipant } from "../participants/queries.ts";
import { participant } from "../participants/resource.ts";
import { countedNotes } from "./resource.ts";

interface NoteRow {
  id: number;
  uid: string;
  participant_uid: string;
}

/** @throws Problem participant_note_not_found */
export function getNote(db: Reader, uid: string): NoteRow {
  const row = db.get<NoteRow>(
    `SELECT n.id, n.uid, r.uid AS participant_uid FROM participant_note AS n JOIN participant AS r ON r.id = n.participant_id
     WHERE n.uid = ?`,
    uid,
  );
  if (!row) throw new Problem("participant_note_not_found");
  return row;
}

/** Inside a transaction, with an event. @returns its id. @throws Problem participant_not_found */
export function insertNote(
  db: Writer,
  { participantId, note, by }: { participantId: string; note: string; by: Actor },
  record: RecordEvent,
): string {
  const row = getParticipant(db, participantId);
  const uid = newId();
  const at = new Date();
  const { lastInsertRowid } = db.run(
    "INSERT INTO participant_note (uid, participant_id, note, created_by, created_at) VALUES (?, ?, ?, ?, ?)",
    uid,
    row.id,
    note,
    actorRow(db, by),
    at.toISOString(),
  );
  countRow(db, countedNotes, Number(lastInsertRowid), {}, 1);
  record({ ...noteEvent("written", { uid, participant_uid: row.uid }), at });
  return uid;
}

/** Inside a transaction, with an event. */
export function deleteNote(db: Writer, row: NoteRow, record: RecordEvent): void {
  db.run("DELETE FROM participant_note WHERE id = ?", row.id);
  record(noteEvent("deleted", row));
}

function noteEvent(end: "written" | "deleted", { uid, participant_uid }: Pick<NoteRow, "uid" | "participant_uid">) {
  return {
    type: `participant-note.${end}` as const,
    resource: { type: participant.type, uid: participant_uid },
    summary: { participantNoteId: uid },
  };
}
