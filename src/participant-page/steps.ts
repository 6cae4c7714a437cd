// The way through a screener: which pages a participant sees, which of them lack answers, which page comes next.

import { type Answers, type ShownPage, shown } from "../screener-content/answers.ts";
import type { Page, PersonalContent } from "../screener-content/content.ts";
import { refersTo } from "../screener-content/holds.ts";

/** A page on the way. */
export interface Step extends ShownPage {
  /** Ids of questions that were neither answered nor skipped; and of required questions without an answer. */
  unanswered: string[];
}

/** The pages that a participant sees for these answers. Pages with nothing to show are left out. */
export function stepsOf(content: PersonalContent, answers: Answers): Step[] {
  return shown(content, answers)
    .pages.filter(({ page, questions }) =>
      page.questions.length ? questions.length : page.title !== null || page.description !== null,
    )
    .map(({ page, questions }) => ({
      page,
      questions,
      unanswered: questions
        .filter(({ id, required }) => !answers.has(id) || (required && answers.get(id) === null))
        .map(({ id }) => id),
    }));
}

/** How far a participant may go: the index of the first page that lacks an answer, or of the last page. */
export function frontierOf(steps: readonly Step[]): number {
  const index = steps.findIndex(({ unanswered }) => unanswered.length);
  return index < 0 ? steps.length - 1 : index;
}

/** The step where a participant continues: at the frontier, or at the pages without questions right before it. */
export function resumeAt(steps: readonly Step[]): Step {
  let index = frontierOf(steps);
  while (index > 0 && !steps[index - 1]!.questions.length) index--;
  return steps[index]!;
}

/**
 * How many pages come after this one. A page that is not shown so far counts if this page's answers, or later ones, may
 * make it visible: a total that shrinks is better than one that grows.
 */
export function comingAfter(content: PersonalContent, steps: readonly Step[], index: number): number {
  const from = content.pages.indexOf(steps[index]!.page);
  const later = content.pages.slice(from + 1);
  const undecided = new Set(content.pages.slice(from).flatMap(({ questions }) => questions.map(({ id }) => id)));
  const onTheWay = new Set(steps.map(({ page }) => page));
  return later.filter((page) => onTheWay.has(page) || (page.showWhen && refersTo(page.showWhen, undecided))).length;
}

/** The step after a page that was answered; undefined if nothing is left to answer. */
export function nextAfter(steps: readonly Step[], page: Page): Step | undefined {
  const index = steps.findIndex((step) => step.page === page);
  const current = steps[index];
  if (current?.unanswered.length) return current;
  return steps[index + 1] ?? steps.find(({ unanswered }) => unanswered.length);
}
