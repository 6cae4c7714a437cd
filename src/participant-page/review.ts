// What a page makes of its own answers: which of its questions they bring up, and what is wrong with them.

import type { AnswerError } from "../question-types/errors.ts";
import type { Answer, Question } from "../question-types/registry.ts";
import { type Answers, shown } from "../screener-content/answers.ts";
import { type Counting, holds } from "../screener-content/conditions.ts";
import type { Content, Page } from "../screener-content/content.ts";
import { checkTyped, type Form } from "./input.ts";
import type { Step } from "./steps.ts";

export interface Reviewed {
  /** What the page shows for what was typed. */
  questions: Question[];
  answers: Map<string, Answer>;
  errors: Map<string, AnswerError>;
}

/** Of a page without questions. */
export const NOTHING: Reviewed = { questions: [], answers: new Map(), errors: new Map() };

/** Goes through what was typed question by question, because one answer may bring up the next question. */
export function review(content: Content, before: Answers, page: Page, form: Form): Reviewed {
  const { questions, answers, errors }: Reviewed = { questions: [], answers: new Map(), errors: new Map() };
  const counting = countingWithout(content, before, page);
  for (const question of page.questions) {
    const { id, showWhen } = question;
    const wasThere = form.has(id);
    if (showWhen && !holds(showWhen, counting)) {
      // It may hang on an answer that has to be corrected first; until then what was typed stays.
      if (wasThere && errors.size) questions.push(question);
      continue;
    }
    questions.push(question);
    const checked = wasThere ? checkTyped(question, form.typed(id)) : { answer: before.get(id) };
    if ("error" in checked) {
      errors.set(id, checked.error);
      // Who goes back leaves what is wrong behind, and what was there before goes on to count.
      if (form.isBack && before.has(id)) counting.set(id, { question, answer: before.get(id)! });
    } else if (checked.answer !== undefined) {
      counting.set(id, { question, answer: checked.answer });
      if (wasThere) answers.set(id, checked.answer);
    }
  }
  return { questions, answers, errors };
}

/** The questions of a page that lack an answer, and would not be there without those to others of the page. */
export function broughtUp(content: Content, { page, open: lacking }: Step, answers: Answers): string[] {
  if (!lacking.length) return [];
  const elsewhere = countingWithout(content, answers, page);
  return page.questions
    .filter(({ id, showWhen }) => showWhen && lacking.includes(id) && !holds(showWhen, elsewhere))
    .map(({ id }) => id);
}

/** The answers that count, but for those to a page's own questions. */
function countingWithout(content: Content, answers: Answers, page: Page): Map<string, Counting> {
  const { counting } = shown(content, answers);
  for (const { id } of page.questions) counting.delete(id);
  return counting;
}
