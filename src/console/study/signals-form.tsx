// Which signals a study looks for, as a form on its page.

import type { VNode } from "preact";
import type { Screener } from "../../client/types.ts";
import { Token } from "../shell/layout.tsx";
import type { StudyFrame } from "./study-frame.tsx";

type Kind = keyof Screener["signals"];

const KINDS: Record<Kind, { label: string; hint: string }> = {
  hurried: { label: "Answered in a hurry", hint: "Pages took much less time than half of the others needed." },
  straightLines: { label: "Straight lines", hint: "The same answer in each row of a matrix." },
  sameText: { label: "The same text", hint: "A text that somebody else has written, too." },
  attentionCheck: {
    label: "Attention check",
    hint: "A rule of a page says who has not read it. You write it in the builder.",
  },
  contradiction: {
    label: "Contradiction",
    hint: "A rule of a page says what can’t be true together. You write it in the builder.",
  },
  sameEmail: { label: "The same email", hint: "Another person has the same mailbox, written in another way." },
  sameBrowser: {
    label: "The same browser",
    hint: "Several people answered in one browser. It gets a cookie: say so where you tell people about the study.",
  },
  sameAddress: { label: "The same address", hint: "Several people came from one block of addresses of the internet." },
  hiddenField: { label: "Hidden field", hint: "A field was filled in that people do not see." },
};

/** The name of a kind's field. */
export const fieldOf = (kind: string) => `signal-${kind}`;

export function SignalsForm({ frame, signals }: { frame: StudyFrame; signals: Screener["signals"] }): VNode {
  return (
    <details class="more" open={Object.values(signals).some((one) => one !== null)}>
      <summary>Signals: what may speak against answers</summary>
      <p>They decide nothing. Whoever reviews answers reads them, and “Review” above can hold those who have some.</p>
      <form method="post" action={`${frame.base}/console/studies/${frame.id}/signals`}>
        <Token value={frame.signedIn.token} />
        <fieldset class="field choices">
          <legend>Look for</legend>
          {Object.entries(KINDS).map(([kind, { label, hint }]) => {
            const id = fieldOf(kind);
            return (
              <div class="choice" key={kind}>
                <input
                  type="checkbox"
                  id={id}
                  name={id}
                  value="yes"
                  checked={signals[kind as Kind] !== null}
                  aria-describedby={`${id}-hint`}
                />
                <label for={id}>{label}</label>
                <p class="note" id={`${id}-hint`}>
                  {hint}
                </p>
              </div>
            );
          })}
        </fieldset>
        <button class="button" type="submit">
          Save the signals
        </button>
      </form>
    </details>
  );
}
