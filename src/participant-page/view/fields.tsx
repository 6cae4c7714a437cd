// A question: its prompt, what it allows, what is wrong, and its fields.
//
// A question runs in the direction of its prompt (dir="auto" goes by the first letter outside of bdi and of what has a
// direction of its own). Our own words stand in bdi, so that they neither decide that nor get mixed up in it.

import type { MultiSelectQuestion, Question, SingleSelectQuestion } from "../../screener-content/content.ts";
import { answerField, keptWriteInField, QUESTION_FIELD, type Typed, WRITE_IN, writeInField } from "../input.ts";
import { limits, type Mistake } from "../messages.ts";
import { clean } from "./layout.tsx";

interface FieldProps {
  question: Question;
  typed: Typed;
  error: Mistake | undefined;
  /** It was brought up by another answer on the same page. */
  isFurther: boolean;
}

/** Where a link to a question leads: to its (first) field, or to the one that is wrong. */
export function fieldId(questionId: string, error?: Mistake): string {
  return error?.isInWriteIn ? writeInField(questionId) : answerField(questionId);
}

const parts = (id: string) => ({ help: `help-${id}`, limits: `limits-${id}`, error: `error-${id}` });

export function QuestionFields(props: FieldProps) {
  const { question, error, isFurther } = props;
  const classes = ["question", error && "question-wrong", isFurther && "question-further"].filter(Boolean).join(" ");
  return (
    <div class={classes} dir="auto">
      {"options" in question ? <SelectField {...props} question={question} /> : <EntryField {...props} />}
      <input type="hidden" name={QUESTION_FIELD} value={question.id} />
    </div>
  );
}

function EntryField({ question, typed, error }: FieldProps) {
  const common = {
    id: fieldId(question.id),
    name: answerField(question.id),
    dir: "auto" as const,
    required: question.required,
    "aria-invalid": error ? ("true" as const) : undefined,
    "aria-describedby": describedBy(question, error),
  };
  const text = clean(typed.text);
  return (
    <>
      <label class="prompt" for={common.id}>
        <Prompt question={question} />
      </label>
      <Notes question={question} error={error} />
      {question._type === "ScreenerNumericQuestion" ? (
        <input
          class="entry entry-number"
          type="text"
          inputMode={keyboard(question)}
          autocomplete="off"
          value={text}
          {...common}
        />
      ) : question._type === "ScreenerTextQuestion" && question.multiline ? (
        <textarea class="entry" rows={5} value={text} {...common} />
      ) : (
        <input class="entry" type="text" value={text} {...common} />
      )}
    </>
  );
}

function SelectField({
  question,
  typed,
  error,
}: FieldProps & { question: SingleSelectQuestion | MultiSelectQuestion }) {
  const { id, options, allowsWriteIn, required } = question;
  const isSingle = question._type === "ScreenerSingleSelectQuestion";
  const described = describedBy(question, error);
  const wrong = error ? ("true" as const) : undefined;
  // What is wrong belongs to the whole group of radio buttons, but to each check box.
  const group = isSingle ? { role: "radiogroup" as const, "aria-invalid": wrong, "aria-required": required } : {};
  const box = (value: string) => ({
    class: "box",
    type: isSingle ? ("radio" as const) : ("checkbox" as const),
    name: answerField(id),
    value,
    checked: typed.chosen.has(value),
    ...(!isSingle && wrong && { "aria-invalid": wrong }),
  });
  const writeIn = writeInField(id);
  const { chosen } = typed;
  // Who writes something in means it; beside another radio button it is not clear what is meant.
  const isWrittenIn = chosen.has(WRITE_IN) || (typed.writeIn.trim() !== "" && !(isSingle && chosen.size));
  return (
    <fieldset class="group" aria-describedby={described} {...group}>
      <legend class="prompt">
        <Prompt question={question} />
      </legend>
      <Notes question={question} error={error} />
      <div class="options">
        {options.map((option, index) => (
          <label class="option" key={option.id}>
            <input {...box(option.id)} id={index === 0 ? fieldId(id) : undefined} />
            <span class="option-text" dir="auto" lang="">
              {clean(option.text)}
            </span>
          </label>
        ))}
        {allowsWriteIn && (
          <div class="option-own">
            <label class="option">
              <input {...box(WRITE_IN)} checked={isWrittenIn} />
              <span class="option-text">
                <bdi>Something else</bdi>
              </span>
            </label>
            <div class="write-in">
              <label for={writeIn}>
                <bdi>Your own answer</bdi>
              </label>
              <input
                class="entry"
                type="text"
                id={writeIn}
                name={writeIn}
                value={clean(typed.writeIn)}
                dir="auto"
                aria-invalid={wrong}
                aria-describedby={error && parts(id).error}
              />
              {isWrittenIn && <input type="hidden" name={keptWriteInField(id)} value={clean(typed.writeIn)} />}
            </div>
          </div>
        )}
        {isSingle && !required && chosen.size > 0 && (
          <label class="option">
            <input {...box("")} />
            <span class="option-text">
              <bdi>No answer</bdi>
            </span>
          </label>
        )}
      </div>
    </fieldset>
  );
}

function Prompt({ question: { prompt, required } }: { question: Question }) {
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

function Notes({ question, error }: { question: Question; error: Mistake | undefined }) {
  const ids = parts(question.id);
  const allowed = limits(question);
  return (
    <>
      {question.helpText && (
        <p class="note" id={ids.help} lang="">
          {clean(question.helpText)}
        </p>
      )}
      {allowed && (
        <p class="note" id={ids.limits}>
          <bdi>{allowed}</bdi>
        </p>
      )}
      {error && (
        <p class="error" id={ids.error}>
          <bdi>
            <strong>Error:</strong> {error.text}
          </bdi>
        </p>
      )}
    </>
  );
}

function describedBy(question: Question, error: Mistake | undefined): string | undefined {
  const ids = parts(question.id);
  const described = [question.helpText && ids.help, limits(question) && ids.limits, error && ids.error];
  return described.filter(Boolean).join(" ") || undefined;
}

/** Keyboards of digits often have no minus, so they are for numbers that need none. */
function keyboard({ min, wholeNumber }: { min: number | null; wholeNumber: boolean }): "text" | "numeric" | "decimal" {
  if (min === null || min < 0) return "text";
  return wholeNumber ? "numeric" : "decimal";
}
