// Checks answers, and works out which pages and questions are shown for the answers given so far.

import type { Today } from "../question-types/comparisons.ts";
import type { Checked } from "../question-types/question-type.ts";
import { type Answer, type Question, typeOf } from "../question-types/registry.ts";
import { type Item, isQuestion, type Page, type PersonalContent } from "./content.ts";
import { Facts, holds } from "./holds.ts";

export type Answers = ReadonlyMap<string, Answer>;

/** Checks an answer that came as JSON. Null passes, even where an answer is required. */
export function checkAnswer(question: Question, raw: unknown, today: Today): Checked<Answer> {
  return raw === null || raw === undefined ? { answer: null } : typeOf(question).check(question, raw, today);
}

/** Whether a session ends where this question is asked and not answered. */
export function endsWithout(question: Question): boolean {
  return question.required && typeOf(question).endsWithout !== undefined;
}

/** The first question that ends a session, because it is shown and was answered with nothing. */
export function refusedIn(
  pages: readonly Pick<ShownPage, "questions">[],
  answers: ReadonlyMap<string, unknown>,
): Question | undefined {
  const isRefused = (question: Question) => endsWithout(question) && answers.get(question.id) === null;
  return pages.flatMap(({ questions }) => questions).find(isRefused);
}

/** Refuses a missing answer where the question requires one. */
export function requireAnswer(question: Question, checked: Checked<Answer>): Checked<Answer> {
  const isMissing = question.required && !endsWithout(question) && "answer" in checked && checked.answer === null;
  return isMissing ? { error: { code: "required" } } : checked;
}

/** A page that is shown, with what is shown on it. */
export interface ShownPage {
  page: Page;
  items: Item[];
  /** Those of them that are asked. */
  questions: Question[];
}

/** Whether a person sees anything of a page. */
export function isSeen({ page, items }: ShownPage): boolean {
  return page.questions.length ? items.length > 0 : hasText(page);
}

export function hasText({ title, description }: Page): boolean {
  return title !== null || description !== null;
}

/**
 * The pages and questions whose condition holds for these answers and this participant. An answer counts only while its question is
 * shown, so when an answer changes, those that depended on it no longer count.
 */
export function shown(content: PersonalContent, answers: Answers): { pages: ShownPage[]; counting: Facts } {
  const counting = new Facts(content);
  const pages: ShownPage[] = [];
  for (const page of content.pages) {
    if (page.showWhen && !holds(page.showWhen, counting)) continue;
    const items: Item[] = [];
    for (const item of page.questions) {
      if (item.showWhen && !holds(item.showWhen, counting)) continue;
      items.push(item);
      if (!isQuestion(item)) continue;
      const answer = answers.get(item.id);
      if (answer !== undefined) counting.set(item.id, { question: item, answer });
    }
    pages.push({ page, items, questions: items.filter(isQuestion) });
  }
  return { pages, counting };
}
