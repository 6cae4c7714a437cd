// Takes answers in: from the participant's page and from integrators alike, with the same checks, in one transaction.

import type { Writer } from "../../db/connection.ts";
import { invalidRequest, Problem, type ProblemDetail } from "../problems.ts";
import { apiMessage } from "../question-types/errors.ts";
import type { Answer, Question } from "../question-types/registry.ts";
import { checkAnswer, type ShownPage, shown } from "../screener-content/answers.ts";
import { type Counting, holds, refersTo } from "../screener-content/conditions.ts";
import { type Content, hasRules, type Outcome, type Page } from "../screener-content/content.ts";
import type { PublishedContents } from "../screener-content/published.ts";
import { findPublicationById, type PublicationRow } from "../screener-publications/queries.ts";
import { deriveAssignment, isFull } from "../screener-sessions/lifecycle.ts";
import { type SessionProgress, type SessionRow, updateProgress } from "../screener-sessions/queries.ts";
import { deleteResponses, findAnswers, writeResponses } from "./queries.ts";

/** One answer that is handed in, with where an error about it points. */
export interface Submitted {
  questionId: string;
  /** JSON; or what the question has made of it already. */
  answer: { raw: unknown } | { checked: Answer };
  /** Where the question and the answer stand in what was sent. */
  pointers: { question: string; answer: string };
}

export interface Submission {
  answers: Submitted[];
  /** The page that they come from, if it was one: it may have nothing to answer, and disqualify all the same. */
  pageId?: string | undefined;
  /** Whether this is the last of it: everything that is required must be there then. */
  complete: boolean;
  /** Its page is left for another, and not over: nothing is judged by it yet. */
  isPartial?: boolean;
}

/** Where the session stands afterwards. */
export interface Submittal {
  state: "IN_PROGRESS" | "COMPLETED";
  outcome: Outcome | null;
}

/**
 * Inside a transaction. Answering again replaces. @throws Problem 400 with everything that is wrong;
 * session_closed, session_completed, quota_reached
 */
export function submit(
  db: Writer,
  published: PublishedContents,
  session: SessionRow,
  submission: Submission,
): Submittal {
  const publication = findPublicationById(db, session.screener_publication_id)!;
  requireOpen(db, session, publication);
  const content = published.read(db, publication);
  const questions = content.pages.flatMap((page) => page.questions);
  const before = findAnswers(db, session.id, questions);
  const { given, errors, wrong } = checkAll(questions, submission.answers);
  const unsure = hangingOn(wrong, content);
  const merged = new Map([...before, ...given]);
  const { pages, counting } = shown(content, merged);
  if (!submission.isPartial) errors.push(...notShown(submission.answers, given, counting, unsure));
  errors.push(...passedOver(submission.answers, questions, given, counting, unsure));
  const ended = submission.isPartial ? [] : endedPages(pages, submission, given, merged);
  const screenedOut = !errors.length && ended.some(({ page }) => disqualifies(page, counting));
  if (submission.complete && !screenedOut) errors.push(...missing(pages, merged, given, unsure));
  if (errors.length) throw invalidRequest(errors);

  const completes = submission.complete || screenedOut;
  const positions = new Map(questions.map(({ id }, position) => [id, position]));
  // What a change of mind has hidden is taken back; what was shown and passed over is kept as skipped.
  deleteResponses(
    db,
    session,
    [...before.keys()].filter((id) => !counting.has(id)).map((id) => positions.get(id)!),
  );
  const kept = new Map([...given].filter(([id]) => counting.has(id)));
  if (submission.complete && !screenedOut) {
    for (const { id } of pages.flatMap((page) => page.questions)) if (!merged.has(id)) kept.set(id, null);
  }
  writeResponses(
    db,
    session,
    [...kept].map(([id, answer]) => {
      const position = positions.get(id)!;
      return { position, question: questions[position]!, answer };
    }),
  );

  const verdict = completes ? judge(db, content, publication, session, pages, counting) : undefined;
  const now = new Date().toISOString();
  const progress: SessionProgress = {
    state: verdict ? "COMPLETED" : "IN_PROGRESS",
    outcome: verdict?.outcome ?? null,
    outcomeReason: verdict?.reason ?? null,
    now,
  };
  updateProgress(db, session, progress);
  deriveAssignment(db, session.screener_participant_uid);
  return { state: progress.state, outcome: progress.outcome };
}

/** @throws Problem unless the session takes answers */
function requireOpen(db: Writer, session: SessionRow, publication: PublicationRow): void {
  if (session.status !== "ACTIVE") throw new Problem("session_closed");
  if (session.state === "COMPLETED") throw new Problem("session_completed");
  if (session.state === "NOT_STARTED" && isFull(db, publication)) throw new Problem("quota_reached");
}

function checkAll(
  questions: readonly Question[],
  answers: readonly Submitted[],
): { given: Map<string, Answer>; errors: ProblemDetail[]; wrong: Set<string> } {
  const byId = new Map(questions.map((question) => [question.id, question]));
  const given = new Map<string, Answer>();
  const errors: ProblemDetail[] = [];
  const wrong = new Set<string>();
  for (const { questionId, answer, pointers } of answers) {
    const question = byId.get(questionId);
    if (!question) errors.push({ pointer: pointers.question, message: "is no question of this publication" });
    else if (given.has(questionId)) errors.push({ pointer: pointers.question, message: "is given twice" });
    else {
      // Whether something is required is seen when it is known what is shown.
      const checked = "checked" in answer ? { answer: answer.checked } : checkAnswer(question, answer.raw);
      if ("error" in checked) {
        errors.push({ pointer: pointers.answer, message: apiMessage(checked.error) });
        wrong.add(questionId);
      } else given.set(questionId, checked.answer);
    }
  }
  return { given, errors, wrong };
}

/** Those with a wrong answer, and those of which it can't be told because of that whether they are shown. */
function hangingOn(wrong: ReadonlySet<string>, { pages }: Content): ReadonlySet<string> {
  const all = new Set(wrong);
  if (!all.size) return all;
  for (const page of pages) {
    const isUnsure = page.showWhen !== null && refersTo(page.showWhen, all);
    for (const { id, showWhen } of page.questions) if (isUnsure || (showWhen && refersTo(showWhen, all))) all.add(id);
  }
  return all;
}

/** Answers to questions that these very answers do not bring up. Nothing is as good as not sent. */
function notShown(
  answers: readonly Submitted[],
  given: ReadonlyMap<string, Answer>,
  counting: ReadonlyMap<string, Counting>,
  unsure: ReadonlySet<string>,
): ProblemDetail[] {
  return answers
    .filter(({ questionId: id }) => (given.get(id) ?? null) !== null && !counting.has(id) && !unsure.has(id))
    .map(({ pointers }) => ({ pointer: pointers.question, message: "is not shown for these answers" }));
}

/** Required questions that are shown, and that were sent without an answer. */
function passedOver(
  answers: readonly Submitted[],
  questions: readonly Question[],
  given: ReadonlyMap<string, Answer>,
  counting: ReadonlyMap<string, Counting>,
  unsure: ReadonlySet<string>,
): ProblemDetail[] {
  const required = new Set(questions.filter((question) => question.required).map(({ id }) => id));
  return answers
    .filter(({ questionId: id }) => given.get(id) === null && counting.has(id) && required.has(id) && !unsure.has(id))
    .map(({ pointers }) => ({ pointer: pointers.answer, message: "is required" }));
}

function missing(
  pages: readonly ShownPage[],
  merged: ReadonlyMap<string, Answer>,
  given: ReadonlyMap<string, Answer>,
  unsure: ReadonlySet<string>,
): ProblemDetail[] {
  return pages
    .flatMap((page) => page.questions)
    .filter(({ id, required }) => required && (merged.get(id) ?? null) === null && !given.has(id) && !unsure.has(id))
    .map(({ id }) => ({ pointer: "/responses", message: `lacks an answer to ${id}, which is required` }));
}

/**
 * The pages that a submission brings to their end: those before the last one that it has something for, and that one
 * when all that it shows is answered or skipped: who completes has skipped the rest. What is required must be there.
 */
function endedPages(
  pages: readonly ShownPage[],
  { pageId, complete }: Submission,
  given: ReadonlyMap<string, Answer>,
  merged: ReadonlyMap<string, Answer>,
): ShownPage[] {
  // Who completes hands in what was answered before as well.
  const handedIn = complete ? merged : given;
  const last = pages.findLastIndex(
    ({ page, questions }) => page.id === pageId || questions.some(({ id }) => handedIn.has(id)),
  );
  return pages.slice(0, last + 1).filter(({ questions }, index) =>
    questions.every(({ id, required }) => {
      const answer = merged.get(id);
      return required ? (answer ?? null) !== null : index < last || complete || answer !== undefined;
    }),
  );
}

function disqualifies({ disqualifyWhen }: Page, counting: ReadonlyMap<string, Counting>): boolean {
  return disqualifyWhen !== null && holds(disqualifyWhen, counting);
}

function judge(
  db: Writer,
  content: Content,
  publication: PublicationRow,
  session: SessionRow,
  pages: readonly ShownPage[],
  counting: ReadonlyMap<string, Counting>,
): { outcome: Outcome; reason: "SCREENED_OUT" | "OVER_QUOTA" | null } {
  if (!hasRules(content)) return { outcome: "UNKNOWN", reason: null };
  // All pages once more: some have nothing to answer, and what a page hangs on may have changed after it.
  const screenedOut = pages.some(({ page }) => disqualifies(page, counting));
  if (screenedOut || (content.qualifyWhen && !holds(content.qualifyWhen, counting))) {
    return { outcome: "DISQUALIFIED", reason: "SCREENED_OUT" };
  }
  // In the transaction of the completion itself, so that however many finish at once, none is over.
  return isFull(db, publication, session.participant_id)
    ? { outcome: "DISQUALIFIED", reason: "OVER_QUOTA" }
    : { outcome: "QUALIFIED", reason: null };
}
