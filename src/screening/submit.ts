// Takes answers from the participant's page and from the API, with the same checks, in one transaction.

import type { Reader, Writer } from "../../db/sqlite/connection.ts";
import type { Parsed } from "../base/parsed.ts";
import { invalidRequest, Problem } from "../base/problems.ts";
import type { Change, NewEvent, RecordEvent } from "../events/record.ts";
import { type Answers, refusedIn, shown } from "../nouns/content/answers.ts";
import type { Page } from "../nouns/content/content.ts";
import { type Facts, holds } from "../nouns/content/holds.ts";
import { judge } from "../nouns/content/judge.ts";
import { isTargetReached, watchTarget } from "../nouns/publications/target.ts";
import type { Answer } from "../nouns/question-types/registry.ts";
import { deleteResponses, findAnswers, writeResponses } from "../nouns/responses/queries.ts";
import { deriveAssignment } from "../nouns/screener-participants/derived.ts";
import { type Acceptance, getAcceptance, noteAnswer, requireAccepting } from "../nouns/screeners/queries.ts";
import type { Begun } from "../nouns/sessions/insert.ts";
import { outcomeReasonOf } from "../nouns/sessions/outcome-reasons.ts";
import { type PageTime, pageTimeKey, type SessionProgress, updateProgress } from "../nouns/sessions/progress.ts";
import type { SessionRow } from "../nouns/sessions/queries.ts";
import { shownReview } from "../nouns/sessions/reviews.ts";
import { findSignals, noteTrap, type Visitor } from "../signals/found/find.ts";
import { signalsOf } from "../signals/settings.ts";
import { type Answering, answeringOf } from "./answering.ts";
import { armChanges, countArms, drawFor, type Seen, showsMore } from "./arms.ts";
import {
  checkAll,
  endedPages,
  hiddenAnswers,
  missingRequired,
  passedOver,
  reachedPages,
  type Submitted,
  skippedRequired,
  undecidedBy,
} from "./checked.ts";
import type { JoiningSession } from "./join.ts";
import { sessionEvent } from "./lifecycle.ts";
import { isFullAtStart, NO_QUOTAS, settlePlaces } from "./places.ts";

export interface Submission {
  answers: Submitted[];
  /** The page that was sent, if any: even a page without questions may disqualify. */
  pageId?: string | undefined;
  /** How long that page was open, in ms, as far as that is known. */
  pageMs?: number | undefined;
  /** In which the page was shown. A session that has no language yet gets it. */
  language?: string | undefined;
  /** Whether this completes the session: then all required answers must be there. */
  complete: boolean;
  /** Whether the participant left the page early: then the submission ends no page, and disqualifies nobody. */
  isPartial?: boolean;
  /** Of the browser that has sent a page. Missing: a program has sent the answers. */
  visitor?: Visitor;
  /** Of somebody who joins by it: the session as it was made for it, so that nothing is written twice. */
  joining?: JoiningSession | undefined;
}

/** What checks of a submission need. */
export interface Answered extends Answering {
  /** The answers so far. */
  before: Answers;
}

export function readAnswered(db: Reader, published: Parsed, session: SessionRow): Answered {
  const answering = answeringOf(db, published, session);
  return { ...answering, before: findAnswers(db, session.id, answering.questions) };
}

/**
 * Inside a transaction. New answers replace older ones. Writes events. @returns the session's progress
 * @throws Problem 400 with all errors; session_closed, session_completed, screener_closed, link_expired, quota_reached
 */
export function submit(
  db: Writer,
  answered: Answered,
  session: SessionRow,
  submission: Submission,
  record: RecordEvent,
): SessionProgress {
  const { at, publication, questions, before } = answered;
  const screener = getAcceptance(db, session.screener_id);
  requireOpen(db, session, answered, screener);
  const { given, errors, wrong } = checkAll(questions, submission.answers, before, answered.content);
  const undecided = undecidedBy(wrong, answered.content);
  const merged = new Map([...before, ...given]);
  const sent: Seen = { content: answered.content, ...shown(answered.content, merged) };
  const decided = submission.answers.filter(({ questionId }) => !undecided.has(questionId));
  if (!submission.isPartial) errors.push(...hiddenAnswers(decided, given, sent.counting));
  errors.push(...skippedRequired(decided, given, sent.counting));
  const ended = submission.isPartial ? [] : endedPages(sent.pages, submission, given, merged);
  const refused = submission.isPartial ? undefined : refusedIn(sent.pages, given);
  const isOutBy = ({ counting }: Seen) =>
    refused !== undefined || ended.some(({ page }) => disqualifies(page, counting));
  const isOutBefore = !errors.length && isOutBy(sent);
  if (submission.complete && !isOutBefore) errors.push(...missingRequired(sent.pages, merged, given, undecided));
  if (errors.length) throw invalidRequest(errors);

  // In the same transaction as the completion, so that sessions that complete at once can't exceed the target.
  const isReachedForThis = () => !session.is_test && isTargetReached(db, publication, session.participant_id);
  // Refusals come before: they would show what is drawn.
  const drawing = { session, answers: merged, complete: submission.complete, isReached: isReachedForThis };
  const drawn = submission.isPartial || isOutBefore ? { seen: sent, full: [] } : drawFor(db, sent, drawing);
  const { content, pages, counting } = drawn.seen;
  const screenedOut = isOutBefore || (drawn.seen !== sent && isOutBy(drawn.seen));
  // A session that is given an arm with pages of its own goes on.
  const isComplete = submission.complete && !screenedOut && !showsMore(sent, drawn.seen);

  const positions = new Map(questions.map(({ id }, position) => [id, position]));
  // Answers to questions that are hidden now are deleted. Shown questions without an answer are kept as skipped.
  const hidden = [...before.keys()].filter((id) => !counting.has(id)).map((id) => positions.get(id)!);
  deleteResponses(db, session, hidden);
  // Without consent, nothing more of the person is kept.
  const isKept = (id: string) => (refused ? id === refused.id : counting.has(id));
  const kept = new Map([...given].filter(([id]) => isKept(id)));
  const write = (answers: ReadonlyMap<string, Answer>): number => {
    const responses = [...answers].map(([id, answer]) => {
      const position = positions.get(id)!;
      return { position, question: questions[position]!, answer, isNew: !before.has(id) };
    });
    writeResponses(db, session, answered.questionIds(), responses);
    return responses.length;
  };
  const reached = isComplete ? pages : reachedPages(sent.pages, ended);
  const asked = isComplete ? reached.flatMap(({ questions }) => questions) : passedOver(reached);
  const skipped = asked.filter(({ id }) => !merged.has(id)).map(({ id }) => [id, null] as const);
  let written = write(new Map([...kept, ...(isComplete || (screenedOut && !refused) ? skipped : [])]));

  const judgement = isComplete || screenedOut ? judge(content, pages, counting, isReachedForThis) : NO_OUTCOME;
  // Said after what has brought them about.
  const turned: NewEvent[] = [];
  const holdMinutes = screener.quota_hold_minutes;
  const answers = { content, answers: merged, counting };
  const time = pageTimeOf(answered, submission);
  const signals = session.is_test ? null : signalsOf(screener.signals);
  const ending = { session, content, reached, counting, time, visitor: submission.visitor, at };
  const look = () => (signals ? findSignals(db, signals, ending) : () => false);
  // Without consent, nothing is kept by which people are compared.
  const isLookedAt = judgement.outcome !== null && judgement.outcomeReason !== "NO_CONSENT";
  const hasSignals = isLookedAt ? look() : () => false;
  const isReviewed = !session.is_test && (screener.review === "ALL" || (screener.review === "SIGNALS" && hasSignals()));
  const claiming = { session, judgement, armless: drawn.full, holdMinutes, isReviewed, at };
  const settled = submission.isPartial
    ? { ...judgement, ...NO_QUOTAS }
    : settlePlaces(db, answers, { ...claiming, record: (event) => turned.push(event) });
  const completes = settled.outcome !== null;
  // Whom a quota turns away on the way.
  if (completes && !isComplete && !screenedOut) {
    written += write(new Map(skipped));
    look();
  } else if (signals && !completes) noteTrap(db, signals, session, submission.visitor, at);
  const state = completes ? "COMPLETED" : "IN_PROGRESS";
  const refusedUid = settled.outcomeReason === "NO_CONSENT" ? refusedIn(pages, merged)?.id : undefined;
  const language = session.language ?? submission.language ?? null;
  const progress: SessionProgress = {
    state,
    ...settled,
    refusedUid,
    arms: drawn.arms,
    language,
    isPending: isReviewed && completes && settled.outcome !== "DISQUALIFIED",
    now: at.toISOString(),
  };
  const arms = drawn.arms ?? session.arms;
  const { joining } = submission;
  const advance = () => {
    if (joining) updateProgress(db, joining.session, progress);
    else updateProgress(db, session, progress, time);
    if (!submission.isPartial) countArms(db, { ...session, arms }, progress.outcome, holdMinutes);
    if (!session.is_test) noteAnswer(db, session.screener_id, screener.last_answer_at, at);
    // An assignment shows only these two of its sessions, and nothing of tests.
    const isDerived = !session.is_test && (state !== session.state || progress.outcome !== session.outcome);
    const derive = () => (isDerived ? deriveAssignment(db, session.screener_participant_uid) : []);
    const derived = joining ? joining.assign(progress) : derive();
    const changes = [...changesOf(session, progress), ...armChanges(db, session, drawn.arms), ...derived];
    const summary = { answers: written, removedAnswers: hidden.length };
    const isFirst = session.state === "NOT_STARTED";
    if (isFirst || !completes)
      record({ ...sessionEvent(isFirst ? "started" : "answered", session, summary), changes, at });
    if (!completes) return;
    if (isFirst) record({ ...sessionEvent("completed", session), at });
    else record({ ...sessionEvent("completed", session, summary), changes, at });
    for (const event of turned) record(event);
  };
  if (progress.outcome === "QUALIFIED" && !session.is_test) watchTarget(db, publication.id, record, advance);
  else advance();
  return progress;
}

/** How long the page was open that was sent. */
function pageTimeOf(
  { inContentOrder }: Answering,
  { pageId, pageMs }: Pick<Submission, "pageId" | "pageMs">,
): PageTime | undefined {
  const index = inContentOrder.pages.findIndex(({ id }) => id === pageId);
  return index >= 0 && pageMs !== undefined ? { index, ms: pageMs } : undefined;
}

/** What a session has from its first submission, if it does not end by it. */
export function begunBy(answering: Answering, submission: Submission): Begun {
  const time = pageTimeOf(answering, submission);
  const pageTimes = time ? JSON.stringify({ [pageTimeKey(time)]: time.ms }) : null;
  return { at: answering.at, language: submission.language ?? null, pageTimes };
}

/** A session as it was before its first submission. */
export function unbegun(session: SessionRow): SessionRow {
  return { ...session, state: "NOT_STARTED", started_at: null, last_active_at: null, language: null, page_times: null };
}

/** What a submission changes of its session. */
function changesOf(
  session: SessionRow,
  { state, outcome, outcomeReason, outcomeQuotaIds, language, isPending, now }: SessionProgress,
): Change[] {
  const isCompleted = state === "COMPLETED";
  return [
    { field: "state", from: session.state, to: state },
    { field: "outcome", from: session.outcome, to: outcome },
    { field: "outcomeReason", from: outcomeReasonOf(session), to: outcomeReason },
    { field: "language", from: session.language, to: language },
    { field: "startedAt", from: session.started_at, to: session.started_at ?? now },
    { field: "lastActiveAt", from: session.last_active_at, to: now },
    { field: "completedAt", from: null, to: isCompleted ? now : null },
    ...(isPending ? [{ field: "review", from: null, to: shownReview("PENDING", null) }] : []),
    ...(outcomeQuotaIds.length ? [{ field: "outcomeQuotaIds", from: [], to: outcomeQuotaIds }] : []),
  ].filter(({ from, to }) => from !== to);
}

/** @throws Problem unless the session takes answers */
function requireOpen(db: Writer, session: SessionRow, answering: Answering, screener: Acceptance): void {
  if (session.status !== "ACTIVE") throw new Problem("session_closed");
  if (session.state === "COMPLETED") throw new Problem("session_completed");
  // A test goes on whatever the study does.
  if (session.is_test) return;
  requireAccepting(screener);
  if (isFullAtStart(db, answering, session)) throw new Problem("quota_reached", whyFull(db, answering));
}

/** What a session that can't be started is told, where it is not the publication's target. */
const whyFull = (db: Writer, { publication }: Answering) =>
  isTargetReached(db, publication)
    ? {}
    : { detail: "A quota of the screener has no place left for this session, so that it can't be started." };

const NO_OUTCOME = { outcome: null, outcomeReason: null };

/** Whether a page that is over screens out. */
export function disqualifies({ disqualifyWhen }: Page, counting: Facts): boolean {
  return disqualifyWhen !== null && holds(disqualifyWhen, counting);
}
