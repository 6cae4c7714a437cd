// What questions of all types show on the page: the prompt, what it allows, and what is wrong.
//
// A question's direction (right to left, or left to right) is that of its prompt: dir="auto" takes the first letter
// that is neither in a bdi nor in an element with its own direction. Our own words are in bdi, so that they neither
// change that direction nor get mixed up in it.

import type { ComponentChildren } from "preact";
import { clean } from "../../base/clean-text.ts";
import type { Speech } from "../../words/speech.ts";
import { answerField, fieldId } from "./form.ts";
import { TextBlock, TextSpan } from "./markup/texts.tsx";
import type { Common, FieldProps } from "./question-type.ts";

type NotesProps = Omit<FieldProps<Common>, "typed">;

export const noteIds = (id: string) => ({ help: `help-${id}`, limits: `limits-${id}`, error: `error-${id}` });

/** The attributes of a field that takes the whole answer. */
export function entryAttributes({ typed, ...notes }: FieldProps<Common>) {
  const { question, error } = notes;
  return {
    value: clean(typed.text),
    id: fieldId(question.id),
    name: answerField(question.id),
    dir: "auto" as const,
    required: question.required,
    "aria-invalid": error ? ("true" as const) : undefined,
    "aria-describedby": describedBy(notes),
  };
}

/** A question whose answer is one field, with `entryAttributes`. */
export function LabelledField({ children, ...notes }: NotesProps & { children: ComponentChildren }) {
  return (
    <>
      <label class="prompt" for={fieldId(notes.question.id)}>
        <Prompt {...notes} />
      </label>
      <Notes {...notes} />
      {children}
    </>
  );
}

export function Prompt({ question: { prompt, required }, speech, author }: NotesProps) {
  return (
    <>
      <TextSpan text={prompt} lang={author("prompt").lang} />
      {!required && (
        <>
          {" "}
          <bdi class="optional">{speech.say("optional")}</bdi>
        </>
      )}
    </>
  );
}

export function Notes({ question, speech, author, limits, error }: NotesProps) {
  const ids = noteIds(question.id);
  return (
    <>
      {question.helpText && <TextBlock class="note" id={ids.help} {...author("helpText")} text={question.helpText} />}
      {limits && (
        <p class="note" id={ids.limits}>
          <bdi>{limits}</bdi>
        </p>
      )}
      {error && (
        <p class="error" id={ids.error}>
          <bdi>
            <ErrorMark speech={speech} />
            {error}
          </bdi>
        </p>
      )}
    </>
  );
}

export function describedBy({ question, limits, error }: NotesProps): string | undefined {
  const ids = noteIds(question.id);
  return (
    [question.helpText && ids.help, limits && ids.limits, error && ids.error].filter(Boolean).join(" ") || undefined
  );
}

/** Says that an error follows. A wide colon brings its own space. */
export function ErrorMark({ speech }: { speech: Speech }) {
  const mark = speech.say("errorMark");
  return (
    <>
      <strong>{mark}</strong>
      {mark.endsWith("：") ? "" : " "}
    </>
  );
}
