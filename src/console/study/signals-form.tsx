// Which signals a study looks for, and from which number on each counts, as a form on its page.

import type { VNode } from "preact";
import { clean } from "../../base/clean-text.ts";
import type { SignalKind } from "../../signals/settings.ts";
import { LabelledField } from "../shell/fault-list.tsx";
import type { Faults } from "../shell/faults.ts";
import { Token } from "../shell/layout.tsx";
import { SIGNAL_WORDS } from "./signal-words.ts";
import type { StudyFrame } from "./study-frame.tsx";
import { fieldOf, numberFieldOf, type SignalSetting, type TypedSignals } from "./typed-signals.ts";

interface KindOfForm {
  kind: SignalKind;
  hint: string;
  /** Of the number from which on it counts. */
  number?: { label: string; hint: string };
}

const KINDS: Record<SignalSetting, KindOfForm> = {
  hurried: {
    kind: "HURRIED",
    hint: "Pages took much less time than half of the others needed.",
    number: {
      label: "Percent of the time",
      hint: "A page is hurried below this share of its median time. 5 to 95, usually 40.",
    },
  },
  straightLines: {
    kind: "STRAIGHT_LINES",
    hint: "The same answer in each row of a matrix.",
    number: { label: "Rows", hint: "A matrix with fewer rows is not looked at. 3 to 50, usually 5." },
  },
  sameText: {
    kind: "SAME_TEXT",
    hint: "A text that somebody else has written, too.",
    number: { label: "Letters", hint: "A shorter text is not compared. 10 to 1,000, usually 30." },
  },
  attentionCheck: {
    kind: "ATTENTION_CHECK",
    hint: "A rule of a page finds people who have not read it. You write the rule in the builder.",
  },
  contradiction: {
    kind: "CONTRADICTION",
    hint: "A rule of a page says what can’t be true together. You write it in the builder.",
  },
  sameEmail: { kind: "SAME_EMAIL", hint: "Another person has the same mailbox, written in another way." },
  sameBrowser: {
    kind: "SAME_BROWSER",
    hint: "Several people answered in one browser. It gets a cookie: say so where you tell people about the study.",
  },
  sameAddress: {
    kind: "SAME_ADDRESS",
    hint: "Several people came from one block of internet addresses.",
    number: {
      label: "People",
      hint: "So many people from one block count. 2 to 50, usually 12: an office or a hostel has one block.",
    },
  },
  hiddenField: { kind: "HIDDEN_FIELD", hint: "A field was filled in that people do not see." },
};

/** What the numbers are called, by their fields. */
export const NUMBER_LABELS: Record<string, string> = Object.fromEntries(
  Object.entries(KINDS).flatMap(([setting, { kind, number }]) =>
    number ? [[numberFieldOf(setting), `${SIGNAL_WORDS[kind]}: ${number.label}`]] : [],
  ),
);

interface FormProps {
  frame: StudyFrame;
  signals: TypedSignals;
  faults: Faults;
}

export function SignalsForm({ frame, signals, faults }: FormProps): VNode {
  return (
    <details class="more" open={Object.values(signals).some(({ isOn }) => isOn)}>
      <summary>Signals: reasons to doubt answers</summary>
      <p>
        Signals decide nothing. They are shown beside the answers of a person, and “Review” above can hold people who
        have one.
      </p>
      <form method="post" action={`${frame.base}/console/studies/${frame.id}/signals`} novalidate>
        <Token value={frame.signedIn.token} />
        <fieldset class="field choices">
          <legend>Look for</legend>
          {Object.entries(signals).map(([setting, typed]) => (
            <KindFields key={setting} setting={setting as SignalSetting} typed={typed} faults={faults} />
          ))}
        </fieldset>
        <button class="button" type="submit">
          Save the signals
        </button>
      </form>
    </details>
  );
}

interface KindProps {
  setting: SignalSetting;
  typed: TypedSignals[SignalSetting];
  faults: Faults;
}

function KindFields({ setting, typed, faults }: KindProps): VNode {
  const { kind, hint, number } = KINDS[setting];
  const id = fieldOf(setting);
  return (
    <>
      <div class="choice">
        <input type="checkbox" id={id} name={id} value="yes" checked={typed.isOn} aria-describedby={`${id}-hint`} />
        <label for={id}>{SIGNAL_WORDS[kind]}</label>
        <p class="note" id={`${id}-hint`}>
          {hint}
        </p>
      </div>
      {number && (
        <NumberField
          id={numberFieldOf(setting)}
          number={number}
          typed={typed.number}
          fault={faults[numberFieldOf(setting)]}
        />
      )}
    </>
  );
}

interface NumberProps {
  id: string;
  number: NonNullable<KindOfForm["number"]>;
  typed: string;
  fault: string | undefined;
}

function NumberField({ id, number, typed, fault }: NumberProps): VNode {
  return (
    <div class="choice-number">
      <LabelledField id={id} label={NUMBER_LABELS[id]} hint={number.hint} fault={fault && `${number.label} ${fault}`}>
        {(described) => (
          <input
            class="entry entry-short"
            id={id}
            name={id}
            type="text"
            inputmode="numeric"
            autocomplete="off"
            value={clean(typed)}
            aria-describedby={described}
            aria-invalid={fault ? "true" : undefined}
          />
        )}
      </LabelledField>
    </div>
  );
}
