// The options of a select on the page: radio buttons or check boxes, and a field for what is written in.

import { clean } from "../text.ts";
import { describedBy, errorId, Notes, Prompt } from "./field.tsx";
import { answerField, fieldId, keptWriteInField, WRITE_IN, writeInField } from "./form.ts";
import type { FieldProps } from "./question-type.ts";
import type { SelectQuestion } from "./select.ts";

interface SelectFieldProps extends FieldProps<SelectQuestion> {
  /** What the question allows; null when there is nothing to say. */
  limits: string | null;
  /** At most one option can be chosen. */
  isSingle: boolean;
}

export function SelectField({ question, typed, error, limits, isSingle }: SelectFieldProps) {
  const { id, options, allowsWriteIn, required } = question;
  const notes = { question, limits, error };
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
    <fieldset class="group" aria-describedby={describedBy(notes)} {...group}>
      <legend class="prompt">
        <Prompt question={question} />
      </legend>
      <Notes {...notes} />
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
                aria-describedby={error && errorId(id)}
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
