// Fills the references in the texts of pages and endings.

import { answersIn, fillFrom } from "../insertions/fill.ts";
import type { Answers } from "../nouns/content/answers.ts";
import { isQuestion, type Page } from "../nouns/content/content.ts";
import { type Fill, NOTHING_FILLED } from "../nouns/question-types/markup/plain.ts";
import { PLACEHOLDER } from "../nouns/question-types/markup/references.ts";
import { typeOf } from "../nouns/question-types/registry.ts";
import type { SpokenContent } from "./spoken.ts";

/** The texts of a page that may have references, in the person's language. */
export function textsOf({ wording }: SpokenContent, page: Page): (string | null)[] {
  const { title, description } = wording.page(page);
  return [
    title,
    description,
    ...page.questions.flatMap((one) => {
      if (!isQuestion(one)) return [wording.statement(one).text];
      const question = wording.question(one);
      const own = typeOf(question).markedTexts ?? [];
      const values = question as unknown as Record<string, string | null>;
      return [question.prompt, question.helpText, ...own.map((name) => values[name] ?? null)];
    }),
  ];
}

/**
 * Fills the references in some texts. They are looked up now: when a page is rendered, its store is not at hand any more.
 * @param answersSoFar called if a text refers to one, as few do
 */
export function fillFor(content: SpokenContent, texts: readonly (string | null)[], answersSoFar: () => Answers): Fill {
  if (content.markup !== "MARKDOWN") return NOTHING_FILLED;
  const found = new Map<string, string>();
  const fill = fillFrom({
    speech: content.speech,
    answerTo: answersIn(content, answersSoFar),
    attribute: (key) => content.attributes().get(key)?.value,
  });
  for (const text of texts)
    for (const typed of (text?.includes("{{") && text.match(PLACEHOLDER)) || []) {
      const value = found.has(typed) ? undefined : fill(typed);
      if (value !== undefined) found.set(typed, value);
    }
  return found.size ? (typed) => found.get(typed) : NOTHING_FILLED;
}
