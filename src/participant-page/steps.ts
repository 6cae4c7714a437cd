// The way through a screener: which pages a participant sees, which of them still lack something, which comes next.

import { type Answers, type ShownPage, shown } from "../screener-content/answers.ts";
import { refersTo } from "../screener-content/conditions.ts";
import type { Content } from "../screener-content/content.ts";

/** A page on the way. */
export interface Step extends ShownPage {
  /** Questions that were not answered yet, and not passed over either. */
  open: string[];
}

/** The pages that a participant sees for these answers. A page that has nothing to show is none. */
export function stepsOf(content: Content, answers: Answers): Step[] {
  return shown(content, answers)
    .pages.filter(({ page, questions }) =>
      page.questions.length ? questions.length : page.title !== null || page.description !== null,
    )
    .map(({ page, questions }) => ({
      page,
      questions,
      open: questions
        .filter(({ id, required }) => !answers.has(id) || (required && answers.get(id) === null))
        .map(({ id }) => id),
    }));
}

/** How far a participant may go: the first page that lacks something, or the last one. */
export function frontierOf(steps: readonly Step[]): number {
  const lacking = steps.findIndex(({ open }) => open.length);
  return lacking < 0 ? steps.length - 1 : lacking;
}

/** Where a participant goes on: at the frontier, or at what there is to read right before it. */
export function resumeAt(steps: readonly Step[]): number {
  let index = frontierOf(steps);
  while (index > 0 && !steps[index - 1]!.questions.length) index--;
  return index;
}

/**
 * How many pages are still to come after this one. One that is not shown so far counts if this page's answers, or
 * later ones, may bring it up: better to be done early than to see the end move away.
 */
export function comingAfter(content: Content, steps: readonly Step[], index: number): number {
  const from = content.pages.indexOf(steps[index]!.page);
  const later = content.pages.slice(from + 1);
  const undecided = new Set(content.pages.slice(from).flatMap(({ questions }) => questions.map(({ id }) => id)));
  const onTheWay = new Set(steps.map(({ page }) => page));
  return later.filter((page) => onTheWay.has(page) || (page.showWhen && refersTo(page.showWhen, undecided))).length;
}
