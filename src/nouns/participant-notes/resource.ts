// The resource ParticipantNote: what staff have written of a participant, who never sees it at a link. Its JSON and its list.

import * as v from "valibot";
import type { CountedTable } from "../../../db/list/counts.ts";
import { exampleActor, exampleIds } from "../../base/examples.ts";
import { ANY_OPERATOR, actor, refersTo, text, timestamp, uid } from "../../base/members.ts";
import { countedList, resource } from "../../base/resource.ts";
import { id, requiredText } from "../../base/schemas.ts";

export const participantNote = resource({
  type: "ParticipantNote",
  from: "participant_note AS t JOIN participant AS r ON r.id = t.participant_id JOIN actor AS c ON c.id = t.created_by",
  members: {
    id: uid("t.uid"),
    participantId: uid("r.uid", { operators: ANY_OPERATOR, by: refersTo("participant_id", "participant", "uid") }),
    note: text("t.note"),
    createdBy: actor("c.json"),
    createdAt: timestamp("t.created_at"),
  },
  example: {
    id: exampleIds.participantNote,
    participantId: exampleIds.participant,
    note: "Prefers to be called in the evening",
    createdBy: exampleActor,
    createdAt: "2026-01-31T12:00:00.000Z",
  },
});

/** Those that are deleted are counted by a trigger. */
export const countedNotes = { table: "participant_note", facets: [] } as const satisfies CountedTable;

export const noteList = countedList("participant-notes", countedNotes, participantNote);

export const NewParticipantNote = v.pipe(
  v.object({ participantId: id, note: requiredText(2000) }),
  v.title("NewParticipantNote"),
);
