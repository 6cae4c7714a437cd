// How the texts of a draft are read, in the builder; and fields into which answers of earlier questions, and attributes of the person, can be
// inserted.

import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { attributesUsed } from "../../nouns/content/advice/warnings.ts";
import { askedIn, isQuestion } from "../../nouns/content/content.ts";
import { attributesReferredTo, mayBeMissing, type Position } from "../../nouns/content/draft-references.ts";
import { keyFrom } from "../../nouns/question-types/entries.ts";
import type { Markup } from "../../nouns/question-types/markup/parse.ts";
import { type Question, typeOf } from "../../nouns/question-types/registry.ts";
import { declared } from "./attributes.tsx";
import { Button, SelectField, TextField, type TextProps } from "./inputs.tsx";
import { change, content, isMarkdown } from "./state/draft.ts";

const MARKUPS: readonly (readonly [Markup, string])[] = [
  ["MARKDOWN", "With bold, emphasis, lists and links (Markdown)"],
  ["PLAIN", "As they are typed"],
];

const SIGNS: readonly (readonly [typed: string, meaning: string])[] = [
  ["**bold**", "bold"],
  ["*emphasis*", "emphasis"],
  ["[our plan](https://example.org/plan)", "a link; also to mailto: and tel:"],
  ["- one", "an item of a list: each on a line of its own"],
  ["1. one", "an item of a list with numbers"],
  ["\\*", "the sign itself"],
  ["{{answer:drink|that}}", "the answer to the question with the heading “drink” in tables, or “that”"],
  ["{{attribute:City|your town}}", "the person’s City, or “your town”"],
];

/** Under the field of a text. */
export function signsHint(): string | undefined {
  return isMarkdown.value ? "**bold**, *emphasis*, [a link](https://…)" : undefined;
}

export function TextsEditor(): JSX.Element {
  return (
    <section class="card">
      <h2 id="shown-page" tabIndex={-1}>
        Texts
      </h2>
      <SelectField
        id="markup"
        at="end/markup"
        label="How texts are shown"
        hint="Headings and texts of pages, questions, their help, and closing texts."
        value={isMarkdown.value ? "MARKDOWN" : "PLAIN"}
        options={MARKUPS}
        onChoice={(markup) => change({ ...content.value, markup: markup as Markup })}
      />
      {isMarkdown.value && (
        <table>
          <caption>What can be typed</caption>
          <thead>
            <tr>
              <th scope="col">Typed</th>
              <th scope="col">Meaning</th>
            </tr>
          </thead>
          <tbody>
            {SIGNS.map(([typed, meaning]) => (
              <tr key={typed}>
                <td>
                  <code>{typed}</code>
                </td>
                <td>{meaning}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </section>
  );
}

/** @param position where people read it */
type MarkedProps = TextProps & { position: Position };

export function MarkedField({ position, ...field }: MarkedProps): JSX.Element {
  return (
    <div>
      <TextField {...field} />
      {isMarkdown.value && <Insert position={position} field={field} />}
    </div>
  );
}

function Insert({ position, field }: { position: Position; field: TextProps }): JSX.Element {
  const [isOpen, setOpen] = useState(false);
  return (
    <details class="more insert" open={isOpen} onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary>
        Insert an answer<span class="unseen"> into: {field.label}</span>
      </summary>
      {isOpen && (
        <Choices
          position={position}
          onChoice={(reference, key) => {
            insert(field, reference, key);
            setOpen(false);
          }}
        />
      )}
    </details>
  );
}

interface ChoicesProps {
  position: Position;
  /** @param key that the question gets, if it has none */
  onChoice: (reference: string, key?: { questionId: string; key: string }) => void;
}

function Choices({ position, onChoice }: ChoicesProps): JSX.Element {
  const { pages } = content.value;
  const before = "page" in position ? pages.slice(0, position.page) : pages;
  const questions = before.flatMap(askedIn).filter((question) => typeOf(question).inWords);
  const used = new Set([...attributesUsed(content.value), ...attributesReferredTo(content.value)]);
  const attributes = declared.length
    ? declared.slice(0, MAX_OFFERED)
    : [...used].map((key): (typeof declared)[number] => ({ key, label: key }));
  return (
    <>
      {questions.length === 0 && (
        <p class="note">There is no question before this text whose answer can be inserted.</p>
      )}
      <ul class="insertions">
        {questions.map((question) => (
          <li key={question.id}>
            <Button
              onPress={() => {
                const key = question.key ?? freeKey(question);
                const end = mayBeMissing(content.value, question, position) ? `|${FALLBACK}}}` : "}}";
                const given = question.key === null ? { questionId: question.id, key } : undefined;
                onChoice(`{{answer:${key}${end}`, given);
              }}
            >
              {question.prompt || question.key || "A question without a text"}
            </Button>
          </li>
        ))}
        {attributes.map(({ key, label }) => (
          <li key={key}>
            <Button onPress={() => onChoice(`{{attribute:${key}|${FALLBACK}}}`)}>The person’s {label}</Button>
          </li>
        ))}
      </ul>
      <p class="note">
        Of another {declared.length > 0 && "declared "}attribute, write {"{{attribute:City|your town}}"}. What comes
        after the line is shown where there is nothing to show.
      </p>
    </>
  );
}

const MAX_OFFERED = 20;

/** The author writes over it. */
const FALLBACK = "…";

/** A key that no other question has. */
function freeKey({ prompt }: Question): string {
  const taken = new Set(content.value.pages.flatMap(askedIn).map(({ key }) => key));
  const start = keyFrom(prompt) || "question";
  let key = start;
  for (let number = 2; taken.has(key); number++) key = `${start}_${number}`;
  return key;
}

/** Puts it where the cursor is in the field, and marks what is to be written over. */
function insert(
  { id, value, onText }: TextProps,
  reference: string,
  key: { questionId: string; key: string } | undefined,
): void {
  const element = document.getElementById(id) as HTMLInputElement | HTMLTextAreaElement;
  const text = value ?? "";
  const [from, to] = [element.selectionStart ?? text.length, element.selectionEnd ?? text.length];
  onText(text.slice(0, from) + reference + text.slice(to));
  if (key) giveKey(key);
  const fallback = reference.indexOf(`|${FALLBACK}`);
  const [start, end] =
    fallback < 0 ? [reference.length, reference.length] : [fallback + 1, fallback + 1 + FALLBACK.length];
  requestAnimationFrame(() =>
    setTimeout(() => {
      element.focus();
      element.setSelectionRange(from + start, from + end);
    }),
  );
}

function giveKey({ questionId, key }: { questionId: string; key: string }): void {
  const pages = content.value.pages.map((page) => ({
    ...page,
    questions: page.questions.map((item) => (isQuestion(item) && item.id === questionId ? { ...item, key } : item)),
  }));
  change({ ...content.value, pages });
}
