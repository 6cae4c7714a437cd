// A page of questions as a participant sees it, from the content and the answers so far.

import type { Answers } from "../nouns/content/answers.ts";
import type { Page, PersonalContent } from "../nouns/content/content.ts";
import type { AnswerError } from "../nouns/question-types/errors.ts";
import type { Typed } from "../nouns/question-types/form.ts";
import type { Question } from "../nouns/question-types/registry.ts";
import { type Form, typedFrom } from "./input.ts";
import { followUpsOf, review } from "./review.ts";
import { progressAt, type Step } from "./steps.ts";

/** A page of questions as a participant sees it. */
export interface PageView {
  /** The screener's title. */
  title: string | null;
  /** Null if the screener has no pages: then there is only a button. */
  page: Page | null;
  questions: Question[];
  typed(question: Question): Typed;
  /** What is wrong, by question, in the page's order. */
  errors: ReadonlyMap<string, AnswerError>;
  /** Ids of questions that are only shown because of other answers on the page. */
  followUps: readonly string[];
  /** Of the pages that the participant may see, how many are done with this one. */
  number: number;
  total: number;
  /** Whether nothing comes after this page, whatever is answered. */
  isLast: boolean;
  /** Whether there is a page before. */
  hasBack: boolean;
  /** When it was shown first, in ms since 1970; undefined: now. */
  shownAt?: number | undefined;
  /** Whether the store is busy, so that what was typed is not saved yet. */
  isBusy: boolean;
}

/** The screener's title, when it was published. */
interface Titled {
  title: string | null;
}

export function pageViewOf(
  content: PersonalContent,
  { title }: Titled,
  steps: readonly Step[],
  index: number,
  answers: Answers,
): PageView {
  const step = steps[index];
  const { page = null, questions = [] } = step ?? {};
  return {
    title,
    page,
    questions,
    typed: (question) => typedFrom(question, answers.get(question.id)),
    errors: new Map(),
    followUps: step ? followUpsOf(content, step, answers) : [],
    ...(step ? progressAt(content, step, answers) : { number: 0, total: 0, isLast: true }),
    hasBack: index > 0,
    isBusy: false,
  };
}

/** The page that a form came from, with what was typed and its errors. */
export function viewOfForm(
  content: PersonalContent,
  titled: Titled,
  steps: readonly Step[],
  form: Form,
  answers: Answers,
): PageView {
  const index = steps.findIndex(({ page }) => page.id === form.pageId);
  const view = pageViewOf(content, titled, steps, index, answers);
  if (!view.page) return view;
  const { questions, errors } = review(content, answers, view.page, form);
  return {
    ...view,
    questions,
    errors,
    shownAt: form.shownAt,
    followUps: [],
    typed: (question) => (form.has(question.id) ? form.typed(question.id) : view.typed(question)),
  };
}
