// A select on the page: radio buttons or check boxes, or the browser's own menu, and a field for the write-in.

import { clean } from "../../base/clean-text.ts";
import type { Speech } from "../../words/speech.ts";
import { describedBy, LabelledField, Notes, noteIds, Prompt } from "./field.tsx";
import { answerField, fieldId, KEPT_WRITE_IN, partField, WRITE_IN, writeInOf } from "./form.ts";
import type { FieldProps } from "./question-type.ts";
import type { SelectQuestion } from "./select.ts";

interface SelectFieldProps extends FieldProps<SelectQuestion> {
  /** Whether at most one option can be chosen. */
  isSingle: boolean;
}

export function SelectField({ typed, isSingle, ...notes }: SelectFieldProps) {
  const { question, speech, author, error } = notes;
  const { id, options, allowsWriteIn, required } = question;
  const { chosen } = typed;
  const wrong = error ? ("true" as const) : undefined;
  // An error is marked once on a group of radio buttons, but on each check box.
  const group = isSingle ? { role: "radiogroup" as const, "aria-invalid": wrong, "aria-required": required } : {};
  const box = (value: string) => ({
    class: "box",
    type: isSingle ? ("radio" as const) : ("checkbox" as const),
    name: answerField(id),
    value,
    checked: chosen.has(value),
    ...(!isSingle && wrong && { "aria-invalid": wrong }),
  });
  const written = writeInOf(typed);
  // A write-in counts as ticked, but not if another radio button is ticked: then we don't know which one is meant.
  const isWrittenIn = chosen.has(WRITE_IN) || (written.trim() !== "" && !(isSingle && chosen.size));
  return (
    <fieldset class="group" aria-describedby={describedBy(notes)} {...group}>
      <legend class="prompt">
        <Prompt {...notes} />
      </legend>
      <Notes {...notes} />
      <div class="options">
        {options.map((option, index) => (
          <label class={option.exclusive ? "option option-exclusive" : "option"} key={option.id}>
            <input {...box(option.id)} id={index === 0 ? fieldId(id) : undefined} />
            <span class="option-text" {...author("option", option.id)}>
              {clean(option.text)}
            </span>
          </label>
        ))}
        {allowsWriteIn && (
          <div class="option-own">
            <label class="option">
              <input {...box(WRITE_IN)} checked={isWrittenIn} />
              <span class="option-text">
                <bdi>{speech.say("somethingElse")}</bdi>
              </span>
            </label>
            <WriteIn {...notes} written={written} isWrittenIn={isWrittenIn} />
          </div>
        )}
        {isSingle && !required && chosen.size > 0 && (
          <label class="option">
            <input {...box("")} />
            <span class="option-text">
              <bdi>{speech.say("noAnswer")}</bdi>
            </span>
          </label>
        )}
      </div>
    </fieldset>
  );
}

interface WriteInProps extends Omit<FieldProps<SelectQuestion>, "typed"> {
  written: string;
  /** Whether it counts. */
  isWrittenIn: boolean;
}

function WriteIn({ question: { id }, speech, error, written, isWrittenIn }: WriteInProps) {
  const field = partField(WRITE_IN, id);
  return (
    <div class="write-in">
      <label for={field}>
        <bdi>{speech.say("ownAnswer")}</bdi>
      </label>
      <input
        class="entry"
        type="text"
        id={field}
        name={field}
        value={clean(written)}
        dir="auto"
        // The stylesheet asks whether it is shown: then nothing is typed yet.
        placeholder=" "
        aria-invalid={error ? "true" : undefined}
        aria-describedby={error && noteIds(id).error}
      />
      {isWrittenIn && <input type="hidden" name={partField(KEPT_WRITE_IN, id)} value={clean(written)} />}
    </div>
  );
}

/** From so many options on, a menu can be searched. */
const SEARCHED_FROM = 20;

export const isSearched = ({ options }: SelectQuestion) => options.length >= SEARCHED_FROM;

/** A menu. Where it is long, there is a field above it, by which a script searches it. */
export function MenuField({ typed, ...notes }: FieldProps<SelectQuestion>) {
  const { question, speech, author, error } = notes;
  const { id, options, allowsWriteIn, required } = question;
  const { chosen } = typed;
  const wrong = error ? ("true" as const) : undefined;
  const written = writeInOf(typed);
  // A write-in counts as chosen, but not if an option is: then we don't know which one is meant.
  const isWrittenIn = chosen.has(WRITE_IN) || (written.trim() !== "" && !options.some((one) => chosen.has(one.id)));
  return (
    <LabelledField {...notes}>
      <div class="menu">
        {isSearched(question) && <Search id={id} speech={speech} />}
        <select
          class="entry"
          id={fieldId(id)}
          name={answerField(id)}
          dir="auto"
          required={required}
          aria-invalid={wrong}
          aria-describedby={describedBy(notes)}
        >
          {/* With a direction of its own, it has no say in that of the menu. */}
          <option value="" dir="auto">
            {speech.say(required ? "chooseAnswer" : "noAnswer")}
          </option>
          {options.map((option) => (
            <option
              key={option.id}
              value={option.id}
              lang={author("option", option.id).lang}
              selected={chosen.has(option.id)}
            >
              {clean(option.text)}
            </option>
          ))}
          {allowsWriteIn && (
            <option value={WRITE_IN} dir="auto" selected={isWrittenIn}>
              {speech.say("somethingElse")}
            </option>
          )}
        </select>
        {allowsWriteIn && <WriteIn {...notes} written={written} isWrittenIn={isWrittenIn} />}
      </div>
    </LabelledField>
  );
}

/** The script shows it: without one it does nothing. It has no name, so it is not sent. */
function Search({ id, speech }: { id: string; speech: Speech }) {
  const field = partField("search", id);
  const found = partField("found", id);
  return (
    <div class="menu-search" hidden>
      <label for={field}>
        <bdi>{speech.say("searchByTyping")}</bdi>
      </label>
      <input
        class="entry"
        type="search"
        id={field}
        dir="auto"
        autocomplete="off"
        spellcheck={false}
        aria-controls={fieldId(id)}
        aria-describedby={found}
      />
      <p class="note" id={found} role="status" data-found={speech.say("found", { number: "#" })} />
    </div>
  );
}
