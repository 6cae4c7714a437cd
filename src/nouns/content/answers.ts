// Checks answers, and works out which pages and questions are shown for the answers given so far.

import type { Today } from "../question-types/comparisons.ts";
import type { Checked } from "../question-types/question-type.ts";
import { type Answer, type Question, typeOf } from "../question-types/registry.ts";
import type { Page, PersonalContent } from "./content.ts";
import { Facts, holds } from "./holds.ts";

export type Answers = ReadonlyMap<string, Answer>;

/** Checks an answer that came as JSON. Null passes, even where an answer is required. */
export function checkAnswer(question: Question, raw: unknown, today: Today): Checked<Answer> {
  return raw === null || raw === undefined ? { answer: null } : typeOf(question).check(question, raw, today);
}

/** Refuses a missing answer where the question requires one. */
export function requireAnswer(question: Question, checked: Checked<Answer>): Checked<Answer> {
  const isMissing = question.required && "answer" in checked && checked.answer === null;
  return isMissing ? { error: { code: "required" } } : checked;
}

/** A page that is shown, with its questions that are shown. */
export interface ShownPage {
  page: Page;
  questions: Question[];
}

/** Whether a person sees anything of a page. */
export function isSeen({ page, questions }: ShownPage): boolean {
  return page.questions.length ? questions.length > 0 : hasText(page);
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
    const questions: Question[] = [];
    for (const question of page.questions) {
      if (question.showWhen && !holds(question.showWhen, counting)) continue;
      questions.push(question);
      const answer = answers.get(question.id);
      if (answer !== undefined) counting.set(question.id, { question, answer });
    }
    pages.push({ page, questions });
  }
  return { pages, counting };
}
