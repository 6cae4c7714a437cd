// What a link shows, and what it takes: a session's page, or how it has ended.

import type { Reader, Writer } from "../../db/connection.ts";
import type { AnswerError } from "../question-types/errors.ts";
import type { Typed } from "../question-types/form.ts";
import type { Answer, Question } from "../question-types/registry.ts";
import type { Answers } from "../screener-content/answers.ts";
import type { Content, Page } from "../screener-content/content.ts";
import type { PublishedContents } from "../screener-content/published.ts";
import { findPublicationById, type PublicationRow } from "../screener-publications/queries.ts";
import { findAnswers } from "../screener-responses/queries.ts";
import { type Submitted, submit } from "../screener-responses/submit.ts";
import { isFull } from "../screener-sessions/lifecycle.ts";
import { type Form, typedFrom } from "./input.ts";
import type { LinkedSession } from "./queries.ts";
import { broughtUp, NOTHING, review } from "./review.ts";
import { comingAfter, frontierOf, resumeAt, type Step, stepsOf } from "./steps.ts";

/** Why there is nothing (more) to answer. */
export type Ending = "thanks" | "answered" | "closed" | "removed" | "full";

/** A page of questions as a participant sees it. */
export interface Place {
  /** The screener's title. */
  title: string | null;
  /** Null where the screener has no pages: there is a button, nothing else. */
  page: Page | null;
  questions: Question[];
  typed(question: Question): Typed;
  /** What is wrong, by question, in the page's order. */
  errors: ReadonlyMap<string, AnswerError>;
  /** Questions that the page's own answers have brought up. */
  further: readonly string[];
  number: number;
  total: number;
  /** There is a page before. */
  hasBack: boolean;
  /** The store is busy: what was typed is not kept yet. */
  isBusy: boolean;
}

export type Visit =
  | { kind: "page"; place: Place }
  | { kind: "ending"; ending: Ending; thankYou: string | null }
  /** There is another address to go to: that of a page, or of the end. */
  | { kind: "go"; to: { page: string } | "end" };

const GO_TO_END: Visit = { kind: "go", to: "end" };

/**
 * What a link shows. `pageId`: a certain page, as far as the participant has come. Else it leads to where there is
 * something to answer: each page has an address of its own, so that a browser's way back is the way back.
 * `isDone`: the participant has just finished.
 */
export function look(
  db: Reader,
  published: PublishedContents,
  session: LinkedSession,
  pageId: string | undefined,
  isDone: boolean,
): Visit {
  const { content, ending, answers } = open(db, published, session);
  if (ending === "answered" && isDone)
    return { kind: "ending", ending: "thanks", thankYou: thankYou(content, session) };
  if (ending) return { kind: "ending", ending, thankYou: null };
  const steps = stepsOf(content, answers());
  const index = steps.findIndex(({ page }) => page.id === pageId);
  if (steps.length && (index < 0 || index > frontierOf(steps))) return goOn(steps);
  return { kind: "page", place: placeOf(content, session, steps, index, answers()) };
}

/** Inside a transaction: takes the answers of a page. Sent again, it changes nothing more. */
export function take(db: Writer, published: PublishedContents, session: LinkedSession, form: Form): Visit {
  const { content, ending, answers } = open(db, published, session);
  if (ending === "answered") return GO_TO_END;
  if (ending) return { kind: "ending", ending, thankYou: null };
  const steps = stepsOf(content, answers());
  const index = steps.findIndex(({ page }) => page.id === form.pageId);
  const step = steps[index];
  // Another device's answers may have taken the page away, or brought the first one up.
  if (!step && steps.length) return goOn(steps);
  const given = step ? review(content, answers(), step.page, form) : NOTHING;
  if (form.isBack && index > 0) return goBack(db, published, session, given.answers, answers(), steps[index - 1]!);
  if (given.errors.size) return { kind: "page", place: sentBack(content, session, steps, form, answers()) };
  const next = step && nextAfter(stepsOf(content, new Map([...answers(), ...given.answers])), step.page);
  const { state } = submit(db, published, session, {
    answers: submitted(given.answers),
    pageId: step?.page.id,
    complete: next === undefined,
  });
  return state === "COMPLETED" || next === undefined ? GO_TO_END : { kind: "go", to: { page: next.page.id } };
}

/** Goes to the page before. What can be kept of this one is kept, but nothing is judged by it, and nothing skipped, yet. */
function goBack(
  db: Writer,
  published: PublishedContents,
  session: LinkedSession,
  given: Answers,
  before: Answers,
  { page }: Step,
): Visit {
  const isNews = ([id, answer]: [string, Answer]) => answer !== null || (before.get(id) ?? null) !== null;
  const answers = submitted(new Map([...given].filter(isNews)));
  if (answers.length) submit(db, published, session, { answers, complete: false, isDraft: true });
  return { kind: "go", to: { page: page.id } };
}

/** Answers that are checked already. */
function submitted(answers: Answers): Submitted[] {
  return [...answers].map(([questionId, answer]) => ({
    questionId,
    answer: { checked: answer },
    pointers: { question: questionId, answer: questionId },
  }));
}

/** The page that was sent, with what was typed, while the store can't take it. */
export function lookAgain(db: Reader, published: PublishedContents, session: LinkedSession, form: Form): Visit {
  const { content, ending, answers } = open(db, published, session);
  if (ending) return look(db, published, session, undefined, true);
  const steps = stepsOf(content, answers());
  if (steps.length && !steps.some(({ page }) => page.id === form.pageId)) return goOn(steps);
  const place = { ...sentBack(content, session, steps, form, answers()), isBusy: true };
  // Who wanted to go back has not asked whether all of it is right.
  return { kind: "page", place: form.isBack ? { ...place, errors: NOTHING.errors } : place };
}

function goOn(steps: readonly Step[]): Visit {
  return { kind: "go", to: { page: steps[resumeAt(steps)]!.page.id } };
}

function open(db: Reader, published: PublishedContents, session: LinkedSession) {
  const publication = findPublicationById(db, session.screener_publication_id)!;
  const content = published.read(db, publication);
  let known: Answers | undefined;
  return {
    content,
    ending: endingOf(db, session, publication),
    answers() {
      known ??= findAnswers(
        db,
        session.id,
        content.pages.flatMap(({ questions }) => questions),
      );
      return known;
    },
  };
}

/** Why a session takes no answers: what submit() would refuse it for. */
function endingOf(db: Reader, session: LinkedSession, publication: PublicationRow): Ending | undefined {
  if (session.status === "REMOVED") return "removed";
  // Who has answered need not hear that the study was closed afterwards.
  if (session.state === "COMPLETED") return "answered";
  if (session.status !== "ACTIVE") return "closed";
  return session.state === "NOT_STARTED" && isFull(db, publication) ? "full" : undefined;
}

/** The author's words for the end. Without any, all outcomes are thanked alike. */
function thankYou({ thankYou, thankYouByOutcome }: Content, { outcome }: LinkedSession): string | null {
  return (outcome && thankYouByOutcome?.[outcome]) ?? thankYou;
}

/** Where to go from a page that was answered; undefined: nothing is left, it was the last one. */
function nextAfter(steps: readonly Step[], page: Page): Step | undefined {
  const index = steps.findIndex((step) => step.page === page);
  const here = steps[index];
  if (here?.open.length) return here;
  return steps[index + 1] ?? steps.find(({ open }) => open.length);
}

function placeOf(
  content: Content,
  session: LinkedSession,
  steps: readonly Step[],
  index: number,
  answers: Answers,
): Place {
  const step = steps[index];
  const { page = null, questions = [] } = step ?? {};
  return {
    title: session.title,
    page,
    questions,
    typed: (question) => typedFrom(question, answers.get(question.id)),
    errors: NOTHING.errors,
    further: step ? broughtUp(content, step, answers) : [],
    number: index + 1,
    total: step ? index + 1 + comingAfter(content, steps, index) : 0,
    hasBack: index > 0,
    isBusy: false,
  };
}

/** The page that a form came from, with what was typed. */
function sentBack(
  content: Content,
  session: LinkedSession,
  steps: readonly Step[],
  form: Form,
  answers: Answers,
): Place {
  const index = steps.findIndex(({ page }) => page.id === form.pageId);
  const place = placeOf(content, session, steps, index, answers);
  if (!place.page) return place;
  const { questions, errors } = review(content, answers, place.page, form);
  return {
    ...place,
    questions,
    errors,
    further: [],
    typed: (question) => (form.has(question.id) ? form.typed(question.id) : place.typed(question)),
  };
}
