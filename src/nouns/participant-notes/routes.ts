// /participant-notes: what staff have written of participants.

import { type AnyEndpoint, created, defineEndpoint, ok } from "../../http/endpoint.ts";
import { defineList } from "../../http/lists.ts";
import { defineRead } from "../../http/reads.ts";
import { writeOnce } from "../../writes/write-once.ts";
import { deleteNote, getNote, insertNote } from "./queries.ts";
import { NewParticipantNote, noteList, participantNote } from "./resource.ts";

const tag = "Participants";

const list = defineList(noteList, {
  path: "/participant-notes",
  operationId: "listParticipantNotes",
  tag,
  summary: "List notes on participants",
  downloads: "PARTICIPANT_NOTES",
  description:
    "`filter[participantId][eq]` gives those on one participant. Participants never see them at their links.",
});

const read = defineRead(participantNote, {
  path: "/participant-notes/:id",
  operationId: "getParticipantNote",
  tag,
  summary: "Get a note on a participant",
  reply: "The note",
  unknown: "participant_note_not_found",
});

const create = defineEndpoint({
  method: "post",
  path: "/participant-notes",
  operationId: "createParticipantNote",
  scopes: ["import"],
  tag,
  summary: "Write a note on a participant",
  description:
    "For staff. It is in the participant's export, and goes when the participant is erased. A note is not changed: delete it, and write another one.",
  body: NewParticipantNote,
  replies: {
    201: { description: "The note", schema: participantNote.schema, headers: { Location: "Its path" } },
  },
  examples: {
    note: {
      body: { participantId: participantNote.example.participantId, note: participantNote.example.note },
      reply: participantNote.example,
    },
  },
  problems: ["participant_not_found"],
  handle(request) {
    const { body, principal } = request;
    return writeOnce(request, (db, record) => {
      const uid = insertNote(db, { ...body, by: principal.actor }, record);
      return created(participantNote.find(db, uid)!, `/participant-notes/${uid}`);
    });
  },
});

const remove = defineEndpoint({
  method: "delete",
  path: "/participant-notes/:id",
  operationId: "deleteParticipantNote",
  scopes: ["import"],
  tag,
  summary: "Delete a note on a participant",
  replies: { 200: { description: "What it was", schema: participantNote.schema } },
  examples: { deleted: { reply: participantNote.example } },
  problems: ["participant_note_not_found"],
  handle(request) {
    return writeOnce(request, (db, record) => {
      const row = getNote(db, request.params.id!);
      const json = participantNote.find(db, row.uid)!;
      deleteNote(db, row, record);
      return ok(json);
    });
  },
});

export const participantNoteRoutes: AnyEndpoint[] = [list, read, create, remove];
