// Fills the references in authors' texts: with the answers that count, and with attributes. What is inserted is kept nowhere.

import { type Answers, shown } from "../nouns/content/answers.ts";
import { askedIn, isQuestion, type Page } from "../nouns/content/content.ts";
import type { Facts } from "../nouns/content/holds.ts";
import { type Fill, NOTHING_FILLED } from "../nouns/question-types/markup/plain.ts";
import { inserted, PLACEHOLDER, type Reference, referenceOf } from "../nouns/question-types/markup/references.ts";
import { typeOf } from "../nouns/question-types/registry.ts";
import { dayIn } from "../nouns/screeners/time-zones.ts";
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
  const found = new Map<string, string>();
  let counting: Facts | undefined;
  const answerTo = (key: string): string | undefined => {
    counting ??= shown(content, answersSoFar()).counting;
    const question = content.pages.flatMap(askedIn).find((one) => one.key === key);
    const answer = question && counting.get(question.id)?.answer;
    if (!question || answer === undefined || answer === null) return undefined;
    const dayOf = (at: string) => dayIn(content.timeZone(), at);
    return typeOf(question).inWords?.(content.wording.question(question), answer, content.speech, dayOf);
  };
  const attribute = (key: string): string | undefined => {
    const value = content.attributes().get(key)?.value;
    return typeof value === "number" ? content.speech.number(value) : value === undefined ? value : String(value);
  };
  const fill = filling(({ of, key }) => (of === "answer" ? answerTo(key) : attribute(key)));
  if (content.markup === "MARKDOWN")
    for (const text of texts)
      for (const typed of (text?.includes("{{") && text.match(PLACEHOLDER)) || []) {
        const value = found.has(typed) ? undefined : fill(typed);
        if (value !== undefined) found.set(typed, value);
      }
  return found.size ? (typed) => found.get(typed) : NOTHING_FILLED;
}

/** For an author who looks at a draft: what is shown where there is nothing, or the name. */
export const sampleFill: Fill = filling(({ key, fallback }) => fallback ?? `[${key}]`);

function filling(find: (reference: Reference) => string | undefined): Fill {
  return (typed) => {
    const reference = referenceOf(typed);
    return reference && inserted(find(reference) || (reference.fallback ?? ""));
  };
}
