// A scale on the page: a row of radio buttons, drawn as digits or as stars.

import * as v from "valibot";
import { clean } from "../../base/clean-text.ts";
import type { TextAttributes } from "../../words/speech.ts";
import { nullableText } from "./entries.ts";
import { describedBy, Notes, Prompt } from "./field.tsx";
import { answerField, fieldId } from "./form.ts";
import type { FieldProps, QuestionOf } from "./question-type.ts";

/** How the steps look: digits; stars; or digits from 0 to 10 with the ends of a Net Promoter Score. */
export const LOOKS = ["NUMBERS", "STARS", "NPS"] as const;
export type Look = (typeof LOOKS)[number];

export const scaleView = {
  look: v.picklist(LOOKS),
  from: v.number(),
  to: v.number(),
  lowLabel: nullableText,
  highLabel: nullableText,
};

export type ScaleQuestion = QuestionOf<"Scale", typeof scaleView>;

export function ScaleField({ typed, ...notes }: FieldProps<ScaleQuestion>) {
  const { question, speech, error } = notes;
  const { id, from, to, look, required } = question;
  const ends = endsOf(notes);
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
        <Prompt {...notes} />
      </legend>
      <Notes {...notes} />
      <div class={look === "STARS" ? "scale scale-stars" : "scale"}>
        {Array.from({ length: to - from + 1 }, (_, index) => from + index).map((step) => (
          <label class="step" key={step}>
            <input class="step-box" {...box(String(step))} id={step === from ? fieldId(id) : undefined} />
            {look === "STARS" ? (
              <>
                <span class="star" />
                <bdi class="unseen">{speech.count("stars", step)}</bdi>
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
            <bdi>{speech.say("noAnswer")}</bdi>
          </span>
        </label>
      )}
    </fieldset>
  );
}

interface EndWords {
  text: string;
  of: TextAttributes;
}

/** The words at the ends: a Net Promoter Score has some where the author has no others. */
function endsOf({ question, speech, author }: Omit<FieldProps<ScaleQuestion>, "typed">): {
  low: EndWords | null;
  high: EndWords | null;
} {
  const wordsOf = (member: "lowLabel" | "highLabel", ours: "notAtAllLikely" | "extremelyLikely") => {
    const own = question[member];
    if (own !== null) return { text: own, of: { dir: speech.dir, ...author(member) } };
    return question.look === "NPS" ? { text: speech.say(ours), of: {} } : null;
  };
  return { low: wordsOf("lowLabel", "notAtAllLikely"), high: wordsOf("highLabel", "extremelyLikely") };
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

function Words({ text, of }: EndWords) {
  return <bdi {...of}>{clean(text)}</bdi>;
}
