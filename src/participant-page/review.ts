// Checks the answers of one page: which of its questions they make visible, and what is wrong with them; saves the others; and says where a participant
// goes on.

import type { Writer } from "../../db/sqlite/connection.ts";
import { armsFrom } from "../arms/queries.ts";
import type { RecordEvent } from "../events/record.ts";
import { DEFAULT_LANGUAGE } from "../languages/tags.ts";
import { type Answers, endsWithout, shown } from "../nouns/content/answers.ts";
import { type Item, isQuestion, type Page, type PersonalContent } from "../nouns/content/content.ts";
import { type Facts, holds } from "../nouns/content/holds.ts";
import { questionString } from "../nouns/content/strings.ts";
import type { AnswerError } from "../nouns/question-types/errors.ts";
import { type Answer, type Question, typeOf } from "../nouns/question-types/registry.ts";
import type { SessionProgress } from "../nouns/sessions/progress.ts";
import type { Submitted } from "../screening/checked.ts";
import { type Answered, type Submission, submit } from "../screening/submit.ts";
import type { Visitor } from "../signals/found/find.ts";
import { checkTyped, type Form } from "./input.ts";
import type { LinkedSession } from "./queries.ts";
import { type SpokenContent, speechOfForm } from "./spoken.ts";
import { nextAfter, resumeAt, type Step, stepsOf } from "./steps.ts";

interface Reviewed {
  /** What the page shows for the answers that were typed. */
  items: Item[];
  answers: Map<string, Answer>;
  errors: Map<string, AnswerError>;
}

/** The review of a page without questions. */
export const EMPTY_REVIEW: Reviewed = { items: [], answers: new Map(), errors: new Map() };

/** Checks what was typed, question by question, because an answer may make the next question visible. */
export function review(content: SpokenContent, before: Answers, page: Page, form: Form): Reviewed {
  const { items, answers, errors }: Reviewed = { items: [], answers: new Map(), errors: new Map() };
  const counting = countingWithout(content, before, page);
  const speech = speechOfForm(content, form);
  for (const question of page.questions) {
    const { id, showWhen } = question;
    const wasOnPage = form.has(id);
    if (showWhen && !holds(showWhen, counting)) {
      // Whether it is shown may depend on an answer with an error. Until that is corrected, what was typed stays.
      if (wasOnPage && errors.size) items.push(question);
      continue;
    }
    items.push(question);
    if (!isQuestion(question)) continue;
    const checked = wasOnPage
      ? checkTyped(question, form.typed(id), speech, content.today)
      : { answer: before.get(id) };
    if ("error" in checked) {
      errors.set(id, checked.error);
      // Going back drops an answer with an error, and the answer from before still counts.
      if (form.isBack && before.has(id)) counting.set(id, { question, answer: before.get(id)! });
    } else if (isRefusal(question, checked.answer) && !form.isBack) {
      // Nothing more is asked, and nothing more of the page is kept.
      return { items: [question], answers: new Map([[id, null]]), errors: new Map() };
    } else if (checked.answer !== undefined) {
      counting.set(id, { question, answer: checked.answer });
      if (wasOnPage) answers.set(id, asReadBy(content, question, checked.answer));
    }
  }
  return { items, answers, errors };
}

/** The answer, if it depends on the words that the person has read. */
function asReadBy({ wording }: SpokenContent, question: Question, answer: Answer): Answer {
  const { asRead } = typeOf(question);
  if (!asRead || answer === null) return answer;
  const languageOf = (member: string) => wording.languageOf(questionString(question.id, member)) ?? DEFAULT_LANGUAGE;
  return asRead(answer, wording.question(question), languageOf);
}

function isRefusal(question: Question, answer: Answer | undefined): boolean {
  return answer === null && endsWithout(question);
}

/** The unanswered questions of a page that are only shown because of other answers on the page. */
export function followUpsOf(content: PersonalContent, { page, unanswered }: Step, answers: Answers): string[] {
  if (!unanswered.length) return [];
  const elsewhere = countingWithout(content, answers, page);
  return page.questions
    .filter(({ id, showWhen }) => showWhen && unanswered.includes(id) && !holds(showWhen, elsewhere))
    .map(({ id }) => id);
}

/** The answers that count, without those to a page's own questions. */
function countingWithout(content: PersonalContent, answers: Answers, page: Page): Facts {
  const { counting } = shown(content, answers);
  for (const { id } of page.questions) counting.delete(id);
  return counting;
}

/** A page that was sent, without errors. */
interface SentPage {
  content: PersonalContent;
  page: Page | undefined;
  /** All that was answered so far. */
  answers: Answers;
  /** The step that comes next, unless an arm is given. */
  next: Step | undefined;
  submission: Submission;
}

/** What a page submits. @param page undefined: the study has none */
export function sentPage(
  { content, before }: Pick<Answered, "content" | "before">,
  page: Page | undefined,
  given: Answers,
  { form, language, visitor }: { form: Form; language: string; visitor?: Visitor | undefined },
): SentPage {
  const answers = new Map([...before, ...given]);
  const next = page && nextAfter(stepsOf(content, answers), page);
  const submission = {
    answers: submitted(given),
    pageId: page?.id,
    pageMs: form.pageMs,
    language,
    complete: next === undefined,
    ...(visitor && { visitor }),
  };
  return { content, page, answers, next, submission };
}

/** Where a participant goes on after a page that was taken, and the arms then; undefined: at the end. */
export function nextStep(
  { content, page, answers, next }: SentPage,
  { state, arms }: SessionProgress,
): { next: Step; arms: PersonalContent["arms"] } | undefined {
  if (state === "COMPLETED") return undefined;
  if (arms === undefined) return next && { next, arms: content.arms };
  // An arm that was given just now may have pages of its own.
  const armed = { ...content, arms: armsFrom(arms) };
  const steps = stepsOf(armed, answers);
  return { next: (page && nextAfter(steps, page)) ?? resumeAt(steps), arms: armed.arms };
}

/** Answers that were checked already, as a submission has them. */
function submitted(answers: Answers): Submitted[] {
  return [...answers].map(([questionId, answer]) => ({
    questionId,
    answer: { checked: answer },
    pointers: { question: questionId, answer: questionId },
  }));
}

/** Saves the valid answers of a page, but does not end the page or skip a question yet. */
export function saveForBack(
  db: Writer,
  answered: Answered,
  session: LinkedSession,
  given: Answers,
  record: RecordEvent,
): void {
  const mustSave = ([id, answer]: [string, Answer]) => answer !== null || (answered.before.get(id) ?? null) !== null;
  const answers = submitted(new Map([...given].filter(mustSave)));
  if (answers.length) submit(db, answered, session, { answers, complete: false, isPartial: true }, record);
}
