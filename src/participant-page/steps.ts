// The way through a screener: which pages a participant sees, which of them lack answers, which page comes next.

import { type Answers, hasText, isSeen, type ShownPage, shown } from "../nouns/content/answers.ts";
import type { Page, PersonalContent } from "../nouns/content/content.ts";
import { mayHold } from "../nouns/content/holds.ts";
import { undrawnIn } from "../nouns/content/open.ts";

/** A page on the way. */
export interface Step extends ShownPage {
  /** Ids of questions that were neither answered nor skipped; and of required questions without an answer. */
  unanswered: string[];
}

/** The pages that a participant sees for these answers. Pages with nothing to show are left out. */
export function stepsOf(content: PersonalContent, answers: Answers): Step[] {
  return shown(content, answers)
    .pages.filter(isSeen)
    .map(({ page, items, questions }) => ({
      page,
      items,
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
 * How far the participant is. The total has all pages that somebody with these attributes may see, whatever the answers are, so it
 * stays. What is left are the pages that may still come, for the answers to the pages before this one: pages that rules
 * leave out count as done. So the number only grows from page to page.
 */
export function progressAt(
  content: PersonalContent,
  { page: current }: Step,
  answers: Answers,
): { number: number; total: number; isLast: boolean } {
  const from = content.pages.indexOf(current);
  const { counting } = shown(content, answers);
  const toCome = content.pages.slice(from).flatMap(({ questions }) => questions.map(({ id }) => id));
  const open = new Set([...toCome, ...undrawnIn(content, counting)]);
  const mayCome = (isOpen: (id: string) => boolean) => {
    const may = ({ showWhen }: Pick<Page, "showWhen">) => !showWhen || mayHold(showWhen, counting, isOpen);
    return (page: Page) => may(page) && (page.questions.length ? page.questions.some(may) : hasText(page));
  };
  const total = content.pages.filter(mayCome(() => true)).length;
  const left = content.pages.slice(from + 1).filter(mayCome((id) => open.has(id))).length;
  return { number: total - left, total, isLast: left === 0 };
}

/** The step after a page that was answered; undefined if nothing is left to answer. */
export function nextAfter(steps: readonly Step[], page: Page): Step | undefined {
  const index = steps.findIndex((step) => step.page === page);
  const current = steps[index];
  if (current?.unanswered.length) return current;
  return steps[index + 1] ?? steps.find(({ unanswered }) => unanswered.length);
}
