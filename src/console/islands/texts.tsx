// How the texts of a draft are read, in the builder.

import type { JSX } from "preact";
import type { Markup } from "../../nouns/question-types/markup/parse.ts";
import { SelectField } from "./inputs.tsx";
import { change, content } from "./state.ts";

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
];

/** Under the field of a text. */
export function signsHint(): string | undefined {
  return isMarkdown() ? "**bold**, *emphasis*, [a link](https://…)" : undefined;
}

const isMarkdown = () => content.value.markup === "MARKDOWN";

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
        value={isMarkdown() ? "MARKDOWN" : "PLAIN"}
        options={MARKUPS}
        onChoice={(markup) => change({ ...content.value, markup: markup as Markup })}
      />
      {isMarkdown() && (
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
