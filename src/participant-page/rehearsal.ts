// A session that is only rehearsed: a link's pages for a draft, without a store. Nothing is kept, and nothing counts.

import type { ArmIds } from "../arms/queries.ts";
import { type Answers, refusedIn, shown } from "../nouns/content/answers.ts";
import { type Draws, drawArms, givenArms } from "../nouns/content/arms.ts";
import { type Judgement, judge } from "../nouns/content/judge.ts";
import type { Answer } from "../nouns/question-types/registry.ts";
import { endedPages } from "../screening/checked.ts";
import { disqualifies } from "../screening/submit.ts";
import type { Form } from "./input.ts";
import { type PageView, pageViewOf, viewInLanguage, viewOfForm } from "./page-view.ts";
import { EMPTY_REVIEW, review } from "./review.ts";
import type { SpokenContent } from "./spoken.ts";
import { nextAfter, resumeAt, type Step, stepsOf } from "./steps.ts";

export interface Rehearsed {
  /** The answers so far. */
  answers: Answers;
  /** The arms so far. */
  arms: ArmIds;
  /** What the person sees next; null: it is over. */
  view: PageView | null;
  /** What the rules come to. Null: it is not over. The target does not matter. */
  judgement: Judgement | null;
  /** The id of the question without whose answer it is over. */
  refusedId?: string | undefined;
}

const NO_ARMS: ArmIds = new Map();

/** The page where a person with these answers goes on. */
export function resumeRehearsal(content: SpokenContent, title: string | null, answers: Answers): Rehearsed {
  const steps = stepsOf(content, answers);
  return atStep(content, title, answers, steps, steps.length ? resumeAt(steps) : undefined);
}

/** Any arm that is open; no place is claimed. */
const DRAWS: Draws = {
  choose: (_, arms) => arms[Math.floor(Math.random() * arms.length)]!.id,
  withoutRoom: () => [],
};

/** Takes the form of a page, as `takeForm` does. */
export function rehearse(content: SpokenContent, title: string | null, before: Answers, form: Form): Rehearsed {
  const steps = stepsOf(content, before);
  const index = steps.findIndex(({ page }) => page.id === form.pageId);
  const step = steps[index];
  if (!step && steps.length) return resumeRehearsal(content, title, before);
  const given = step ? review(content, before, step.page, form) : EMPTY_REVIEW;
  const answers: Answers = new Map<string, Answer>([...before, ...given.answers]);
  if (form.language !== undefined && step) return inOtherLanguage(content, title, before, given.answers, form);
  if (form.isBack && index > 0) return goBack(content, title, before, given.answers, steps[index - 1]!);
  if (given.errors.size)
    return {
      ...atStep(content, title, before, steps, step),
      view: viewOfForm(content, { title }, steps, form, before),
    };
  const isLast = !step || nextAfter(stepsOf(content, answers), step.page) === undefined;
  const refused = refusedIn(shown(content, answers).pages, given.answers);
  const ended = endedPages(
    shown(content, answers).pages,
    { pageId: step?.page.id, complete: isLast },
    given.answers,
    answers,
  );
  const isScreenedOut = (one: SpokenContent) => {
    const { counting } = shown(one, answers);
    return refused !== undefined || ended.some(({ page }) => disqualifies(page, counting));
  };
  const armed = isScreenedOut(content)
    ? content
    : { ...content, arms: givenArms(drawArms(content, answers, isLast, DRAWS).arms) };
  const stepsNow = stepsOf(armed, answers);
  const next = step && nextAfter(stepsNow, step.page);
  if (next && !isScreenedOut(armed)) return atStep(armed, title, answers, stepsNow, next);
  const { pages, counting } = shown(armed, answers);
  return {
    answers,
    arms: counting.arms,
    view: null,
    judgement: judge(armed, pages, counting, () => false),
    refusedId: refused?.id,
  };
}

/** The same page in a language that the person has chosen, in which `content` is. What was right is kept. */
function inOtherLanguage(
  content: SpokenContent,
  title: string | null,
  before: Answers,
  given: Answers,
  form: Form,
): Rehearsed {
  const answers = new Map([...before, ...[...given].filter(([id, answer]) => answer !== null || before.has(id))]);
  const view = viewInLanguage(content, { title }, stepsOf(content, answers), form, answers, (id) => given.has(id));
  return { answers, arms: content.arms ?? NO_ARMS, view, judgement: null };
}

/** The end of a person with these answers. */
export function endRehearsal(content: SpokenContent, answers: Answers): Rehearsed {
  const { pages, counting } = shown(content, answers);
  return {
    answers,
    arms: counting.arms,
    view: null,
    judgement: judge(content, pages, counting, () => false),
    refusedId: refusedIn(pages, answers)?.id,
  };
}

/** The page before. What was answered stays; what was left empty is not skipped yet. */
function goBack(
  content: SpokenContent,
  title: string | null,
  before: Answers,
  given: Answers,
  { page }: Step,
): Rehearsed {
  const kept = [...given].filter(([id, answer]) => answer !== null || (before.get(id) ?? null) !== null);
  const answers = new Map([...before, ...kept]);
  const steps = stepsOf(content, answers);
  return atStep(content, title, answers, steps, steps.find((step) => step.page === page) ?? resumeAt(steps));
}

function atStep(
  content: SpokenContent,
  title: string | null,
  answers: Answers,
  steps: readonly Step[],
  step: Step | undefined,
): Rehearsed {
  const index = step ? steps.indexOf(step) : -1;
  const { arms = NO_ARMS } = content;
  return { answers, arms, view: pageViewOf(content, { title }, steps, index, answers), judgement: null };
}
