// A scale on the page: a row of radio buttons, drawn as digits or as stars.

import { clean } from "../../base/clean-text.ts";
import { describedBy, Notes, Prompt } from "./field.tsx";
import { answerField, fieldId } from "./form.ts";
import type { FieldProps } from "./question-type.ts";
import type { ScaleQuestion } from "./scale-view.ts";

/** The ends of a Net Promoter Score, where the author has no other words. */
const NPS_ENDS = { lowLabel: "Not at all likely", highLabel: "Extremely likely" };

export function ScaleField({ typed, ...notes }: FieldProps<ScaleQuestion>) {
  const { question, error } = notes;
  const { id, from, to, look, required } = question;
  const ends = endsOf(question);
  const group = {
    role: "radiogroup" as const,
    "aria-invalid": error ? ("true" as const) : undefined,
    "aria-required": required,
  };
  const box = (value: string) => ({
    type: "radio" as const,
    name: answerField(id),
    value,
    checked: typed.text === value,
  });
  return (
    <fieldset class="group" aria-describedby={describedBy(notes)} {...group}>
      <legend class="prompt">
        <Prompt question={question} />
      </legend>
      <Notes {...notes} />
      <div class={look === "STARS" ? "scale scale-stars" : "scale"}>
        {Array.from({ length: to - from + 1 }, (_, index) => from + index).map((step) => (
          <label class="step" key={step}>
            <input class="step-box" {...box(String(step))} id={step === from ? fieldId(id) : undefined} />
            {look === "STARS" ? (
              <>
                <span class="star" />
                <bdi class="unseen">{step === 1 ? "1 star" : `${step} stars`}</bdi>
              </>
            ) : (
              <span class="step-number">{step}</span>
            )}
            <EndText text={step === from ? ends.low : step === to ? ends.high : null} />
          </label>
        ))}
      </div>
      {(ends.low ?? ends.high) !== null && (
        // The steps say it to those who hear the page.
        <div class="scale-ends" aria-hidden="true">
          <End step={from} text={ends.low} />
          <End step={to} text={ends.high} />
        </div>
      )}
      {!required && typed.text && (
        <label class="option">
          <input class="box" {...box("")} />
          <span class="option-text">
            <bdi>No answer</bdi>
          </span>
        </label>
      )}
    </fieldset>
  );
}

interface EndWords {
  text: string;
  /** Of the page's language; the author's language is not known. */
  isOurs: boolean;
}

function endsOf({ look, lowLabel, highLabel }: ScaleQuestion): { low: EndWords | null; high: EndWords | null } {
  const wordsOf = (own: string | null, ours: string) => {
    if (own !== null) return { text: own, isOurs: false };
    return look === "NPS" ? { text: ours, isOurs: true } : null;
  };
  return { low: wordsOf(lowLabel, NPS_ENDS.lowLabel), high: wordsOf(highLabel, NPS_ENDS.highLabel) };
}

function EndText({ text }: { text: EndWords | null }) {
  if (!text) return null;
  return (
    <span class="unseen">
      {" – "}
      <Words {...text} />
    </span>
  );
}

function End({ step, text }: { step: number; text: EndWords | null }) {
  return (
    <span>
      {text && (
        <>
          <bdi>{step}</bdi>: <Words {...text} />
        </>
      )}
    </span>
  );
}

function Words({ text, isOurs }: EndWords) {
  return <bdi lang={isOurs ? undefined : ""}>{clean(text)}</bdi>;
}
