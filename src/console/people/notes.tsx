// The notes on a person: for staff alone.

import type { VNode } from "preact";
import { clean } from "../../base/clean-text.ts";
import type { ParticipantNote } from "../../client/types.ts";
import { FaultSummary, fieldsOf, TextField } from "../shell/fields.tsx";
import { type SignedIn, Time, Token } from "../shell/layout.tsx";

/** A note as typed, and what is wrong with it. */
export interface TypedNote {
  typed: string;
  fault?: string;
}

interface NotesProps {
  base: string;
  signedIn: SignedIn;
  view: { person: { id: string }; notes: ParticipantNote[]; note: TypedNote; key: string };
}

const LABELS = { note: "A note" };

export function Notes({ base, signedIn, view: { person, notes, note, key } }: NotesProps): VNode {
  const path = `${base}/console/people/${person.id}/notes`;
  const mayWrite = signedIn.role !== "viewer";
  const faults = note.fault === undefined ? {} : { note: note.fault };
  return (
    <section aria-labelledby="notes">
      <h2 id="notes">Notes</h2>
      <FaultSummary faults={faults} labels={LABELS} />
      {notes.length === 0 && <p>Nobody has written a note on this person.</p>}
      <ul class="rows">
        {notes.map(({ id, note, createdBy, createdAt }) => (
          <li key={id}>
            <div>
              <p dir="auto">{clean(note)}</p>
              <p class="note">
                <bdi>{clean(createdBy.name)}</bdi>, <Time at={createdAt} />
              </p>
            </div>
            {mayWrite && (
              <form method="post" action={`${path}/${id}/deletion`}>
                <Token value={signedIn.token} />
                <button class="button button-quiet" type="submit">
                  Delete<span class="unseen"> the note: {clean(note.slice(0, 60))}</span>
                </button>
              </form>
            )}
          </li>
        ))}
      </ul>
      {mayWrite && (
        <form method="post" action={path} novalidate>
          <Token value={signedIn.token} />
          <input type="hidden" name="key" value={key} />
          <TextField
            {...fieldsOf(LABELS, { note: note.typed }, faults)("note")}
            hint="For your team: the person does not see it, but gets it with all data that is kept, if they ask for that."
          />
          <button class="button button-quiet" type="submit">
            Write it down
          </button>
        </form>
      )}
    </section>
  );
}
