// A single select on the page as a menu: the browser's own, and where it is long, a field above it by which a script searches it.

import { clean } from "../../base/clean-text.ts";
import type { Speech } from "../../words/speech.ts";
import { describedBy, LabelledField, noteIds } from "./field.tsx";
import { answerField, fieldId, KEPT_WRITE_IN, partField, WRITE_IN, writeInOf } from "./form.ts";
import type { FieldProps } from "./question-type.ts";
import type { SelectQuestion } from "./select.ts";

/** From so many options on, a menu can be searched. */
const SEARCHED_FROM = 20;

export const isSearched = ({ options }: SelectQuestion) => options.length >= SEARCHED_FROM;

export function MenuField({ typed, ...notes }: FieldProps<SelectQuestion>) {
  const { question, speech, author, error } = notes;
  const { id, options, allowsWriteIn, required } = question;
  const { chosen } = typed;
  const wrong = error ? ("true" as const) : undefined;
  const writeIn = partField(WRITE_IN, id);
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
        {allowsWriteIn && (
          <div class="write-in">
            <label for={writeIn}>
              <bdi>{speech.say("ownAnswer")}</bdi>
            </label>
            <input
              class="entry"
              type="text"
              id={writeIn}
              name={writeIn}
              value={clean(written)}
              dir="auto"
              // The stylesheet asks whether it is shown: then nothing is typed yet.
              placeholder=" "
              aria-invalid={wrong}
              aria-describedby={error && noteIds(id).error}
            />
            {isWrittenIn && <input type="hidden" name={partField(KEPT_WRITE_IN, id)} value={clean(written)} />}
          </div>
        )}
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
