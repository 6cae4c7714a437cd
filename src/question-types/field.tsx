// What questions of all types show on the page: the prompt, what it allows, and what is wrong.
//
// A question runs in the direction of its prompt (dir="auto" goes by the first letter outside of bdi and of what has a
// direction of its own). Our own words stand in bdi, so that they neither decide that nor get mixed up in it.

import type { VNode } from "preact";
import { clean } from "../text.ts";
import { answerField, fieldId } from "./form.ts";
import type { Common } from "./question-type.ts";

interface NoteProps {
  question: Common;
  /** What the question allows, said before anyone can get it wrong; null when there is nothing to say. */
  limits: string | null;
  error: string | undefined;
}

const noteIds = (id: string) => ({ help: `help-${id}`, limits: `limits-${id}`, error: `error-${id}` });

export const errorId = (questionId: string) => noteIds(questionId).error;

/** The attributes of a field that is for a whole answer. */
function entryAttributes({ question, limits, error }: NoteProps) {
  return {
    id: fieldId(question.id),
    name: answerField(question.id),
    dir: "auto" as const,
    required: question.required,
    "aria-invalid": error ? ("true" as const) : undefined,
    "aria-describedby": describedBy({ question, limits, error }),
  };
}

/** A question with one field for its answer. */
export function EntryField({
  entry,
  ...notes
}: NoteProps & { entry(attributes: ReturnType<typeof entryAttributes>): VNode }) {
  return (
    <>
      <label class="prompt" for={fieldId(notes.question.id)}>
        <Prompt question={notes.question} />
      </label>
      <Notes {...notes} />
      {entry(entryAttributes(notes))}
    </>
  );
}

export function Prompt({ question: { prompt, required } }: { question: Common }) {
  return (
    <>
      <span lang="">{clean(prompt)}</span>
      {!required && (
        <>
          {" "}
          <bdi class="optional">(optional)</bdi>
        </>
      )}
    </>
  );
}

export function Notes({ question, limits, error }: NoteProps) {
  const ids = noteIds(question.id);
  return (
    <>
      {question.helpText && (
        <p class="note" id={ids.help} lang="">
          {clean(question.helpText)}
        </p>
      )}
      {limits && (
        <p class="note" id={ids.limits}>
          <bdi>{limits}</bdi>
        </p>
      )}
      {error && (
        <p class="error" id={ids.error}>
          <bdi>
            <strong>Error:</strong> {error}
          </bdi>
        </p>
      )}
    </>
  );
}

export function describedBy({ question, limits, error }: NoteProps): string | undefined {
  const ids = noteIds(question.id);
  return (
    [question.helpText && ids.help, limits && ids.limits, error && ids.error].filter(Boolean).join(" ") || undefined
  );
}
