// A date on the page: a field for each of its parts, in the order of the page's language.

import { clean } from "../../base/clean-text.ts";
import type { DatePart } from "../../words/speech.ts";
import { type DateQuestion, fieldsOf } from "./date-view.ts";
import type { AnswerError } from "./errors.ts";
import { describedBy, entryAttributes, LabelledField, Notes, noteIds, Prompt } from "./field.tsx";
import { fieldId, partField } from "./form.ts";
import type { FieldProps } from "./question-type.ts";

export function DateField(props: FieldProps<DateQuestion>) {
  const { typed, wrong, ...notes } = props;
  const { speech } = notes;
  const { id, precision, required } = notes.question;
  if (precision === "YEAR")
    return (
      <LabelledField {...notes}>
        <input
          class="entry entry-year"
          type="text"
          inputMode="numeric"
          autocomplete="off"
          maxLength={30}
          {...entryAttributes(props)}
        />
      </LabelledField>
    );
  return (
    <fieldset class="group" aria-describedby={describedBy(notes)}>
      <legend class="prompt">
        <Prompt {...notes} />
      </legend>
      <Notes {...notes} />
      <div class="date">
        {fieldsOf(precision, speech).map((part, index) => {
          const field = index === 0 ? fieldId(id) : partField(part, id);
          const isWrong = wrong !== undefined && isIn(wrong, part);
          return (
            <div key={part}>
              <label class="date-part" for={field}>
                <bdi>{speech.say(part)}</bdi>
              </label>
              <input
                class={part === "year" ? "entry entry-year" : "entry entry-day"}
                type="text"
                inputMode="numeric"
                autocomplete="off"
                maxLength={30}
                id={field}
                name={partField(part, id)}
                value={clean(typed.parts[part] ?? "")}
                required={required}
                aria-invalid={isWrong ? "true" : undefined}
                aria-describedby={isWrong ? noteIds(id).error : undefined}
              />
            </div>
          );
        })}
      </div>
    </fieldset>
  );
}

/** Whether an error is in a field: in one of them, or in all. */
function isIn(error: AnswerError, part: DatePart): boolean {
  if ("field" in error) return error.field === part;
  return error.code === "no_such_day" ? part === "day" : true;
}
