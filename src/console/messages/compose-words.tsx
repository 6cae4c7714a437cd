// Of the form of a new message: what it says, in each language, and the reminders.

import type { VNode } from "preact";
import { TextArea, TextField } from "../shell/fields.tsx";
import { Fold, PlainField } from "./compose-fields.tsx";
import { type FormView, isWrong } from "./form-view.ts";
import { MAX_REMINDERS, NEXT, NO_WORDS, nameOf, type Typed } from "./typed.ts";

/** Whether a translation of a message was typed. */
function hasWords({ steps }: Typed, step: number): boolean {
  return [...(steps[step]?.words ?? [])].some(([language, { subject, body }]) => language && (subject || body));
}

interface WordsProps {
  view: FormView;
  step: number;
  language: string;
  hasHints?: true;
}

/** A field of one message. */
const ofStep = ({ labels, faults }: FormView, name: string, value: string) => ({
  ...{ name, value, label: labels[name] ?? name, fault: faults[name] },
});

export function WordFields({ view, step, language, hasHints }: WordsProps): VNode {
  const { subject, body } = view.typed.steps[step]?.words.get(language) ?? NO_WORDS;
  return (
    <>
      <TextField
        {...ofStep(view, nameOf("subject", step, language), subject)}
        hint={hasHints && "With {{name|you}} or {{answer:KEY|…}}, if you like."}
      />
      <TextArea
        {...ofStep(view, nameOf("body", step, language), body)}
        rows={step === 0 ? 12 : 6}
        hint={
          hasHints &&
          "Markdown. {{name|friend}} is the name, or “friend” where there is none; {{attribute:KEY|…}} an attribute; {{answer:KEY|…}} what the person has answered to the question with that heading in tables, when the message is sent. {{link}}, on a line of its own, is the person’s own link."
        }
      />
    </>
  );
}

/** The first message in the study's other languages. */
export function OtherLanguages({ view }: { view: FormView }): VNode | null {
  if (!view.offered.languages.length) return null;
  return (
    <Fold
      name="In other languages"
      note="People whose attribute “language” names one of these get the message in it. An empty text is sent in the study’s own language."
      isOpen={hasWords(view.typed, 0) || isWrong(view, /^(?:subject|body)-[a-z]/i)}
    >
      <Translations view={view} step={0} />
    </Fold>
  );
}

function Translations({ view, step }: { view: FormView; step: number }): VNode {
  return (
    <>
      {view.offered.languages.map((language) => (
        <WordFields key={language} view={view} step={step} language={language} />
      ))}
    </>
  );
}

/** Those that were typed, and an empty one. */
export function Reminders({ path, view }: { path: string; view: FormView }): VNode {
  const { typed, offered } = view;
  const steps = [...typed.steps.slice(1), NEXT].slice(0, MAX_REMINDERS);
  const isOpen = typed.steps.length > 1;
  return (
    <Fold
      id="reminders"
      name="Reminders"
      note="Each reminder goes to people who have not finished by then. You choose how many days after the message before it."
      isOpen={isOpen}
    >
      {steps.map(({ days }, index) => {
        const step = index + 1;
        const name = nameOf("days", step);
        return (
          <fieldset class="field" key={name}>
            <legend>Reminder {step}</legend>
            <PlainField {...ofStep(view, name, days)} />
            <WordFields view={view} step={step} language="" />
            {offered.languages.length > 0 && <Translations view={view} step={step} />}
          </fieldset>
        );
      })}
      {isOpen && steps.length < MAX_REMINDERS && (
        <button class="button button-quiet" type="submit" name="make" value="more" formaction={`${path}#reminders`}>
          One more reminder
        </button>
      )}
    </Fold>
  );
}
