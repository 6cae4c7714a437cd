// The form that adds one person to a study. It ends on the page "Share", which shows their link.

import type { VNode } from "preact";
import type { Faults } from "../shell/faults.ts";
import { fieldsOf, TextField } from "../shell/fields.tsx";
import { Token } from "../shell/layout.tsx";
import type { StudyFrame } from "./study-frame.tsx";

/** What was typed into a form, by the names of the fields. */
export type Typed = Readonly<Record<string, string>>;

export const PERSON_LABELS = { email: "Email", personName: "Their name", externalUid: "Id" };

interface PersonFormProps {
  frame: StudyFrame;
  /** Of a form that is sent twice, the second one changes nothing. */
  personKey: string;
  typed?: Typed;
  faults?: Faults;
}

export function PersonForm({ frame, personKey, typed = {}, faults = {} }: PersonFormProps): VNode {
  const field = fieldsOf(PERSON_LABELS, typed, faults);
  return (
    <form class="card" method="post" action={`${frame.base}/console/studies/${frame.id}/share`} novalidate>
      <p class="note">Enter what you know, at least one of these. You get their link to copy.</p>
      <Token value={frame.signedIn.token} />
      <input type="hidden" name="key" value={personKey} />
      <TextField {...field("email")} />
      <TextField {...field("personName")} />
      <TextField {...field("externalUid")} hint="As in your own system." />
      <button class="button" type="submit" name="make" value="person">
        Add the person
      </button>
    </form>
  );
}
