// What a link shows (a page of a session, or how the session ended), and how it takes a page's answers.

import type { Reader, Writer } from "../../db/sqlite/connection.ts";
import type { Parsed } from "../base/parsed.ts";
import type { SubscriptionView } from "../contacts/page/subscription.tsx";
import type { RecordEvent } from "../events/record.ts";
import type { Answers } from "../nouns/content/answers.ts";
import type { Page } from "../nouns/content/content.ts";
import { findAnswers } from "../nouns/responses/queries.ts";
import { answeringOf } from "../screening/answering.ts";
import { chooseLanguage } from "../screening/language.ts";
import { type Submission, submit } from "../screening/submit.ts";
import type { Speech } from "../words/speech.ts";
import { type AskedLanguages, NOTHING_ASKED } from "./asked.ts";
import {
  alreadyAnswered,
  beforeWithdrawal,
  canWithdraw,
  type Ending,
  type EndView,
  endingOf,
  endingWith,
  endOf,
  type Offered,
} from "./ending.ts";
import type { Asks, Form, Offer } from "./input.ts";
import { canAsk, type RequestView, requestView, subscriptionView, type TO_SUBSCRIPTION, takeOwn } from "./own-data.tsx";
import {
  carriedBy,
  isOfOther,
  type PageView,
  pageViewOf,
  viewInLanguage,
  viewOfForm,
  viewOfOther,
  viewOfTyped,
} from "./page-view.ts";
import type { LinkedSession } from "./queries.ts";
import { EMPTY_REVIEW, nextStep, review, saveForBack, sentPage } from "./review.ts";
import { type SpokenContent, spoken } from "./spoken.ts";
import { frontierOf, resumeAt, type Step, stepsOf } from "./steps.ts";

export type Visit = Shown & {
  /** Whether it is of a test. */
  isTest?: boolean;
  /** Whether its participant can withdraw. */
  canWithdraw?: boolean;
  /** Whether the participant can ask for something, and stop mail. */
  canAsk?: boolean;
};

type Shown =
  | { kind: "page"; view: PageView /** Set: the page is not the one that was asked for. */; isResumed?: boolean }
  | ({ kind: "ending" } & EndView)
  | ({ kind: "request"; offered: Offered } & RequestView)
  | { kind: "own-data"; offered: Offered; speech: Speech }
  | ({ kind: "subscription"; offered: Offered } & SubscriptionView)
  | { kind: "redirect"; to: { page: string } | { ask: Asks } | typeof TO_SUBSCRIPTION | "end" };

export const TO_END: Visit = { kind: "redirect", to: "end" };

/** How a link is opened. */
interface Opened {
  /** Null: the link as it was sent. */
  pageId: string | null;
  /** Whether the participant has just finished. */
  isDone: boolean;
  asked: AskedLanguages;
  /** Whether the participant may want to withdraw; what they may want to ask for. */
  withdraws?: boolean;
  asks?: Offer | undefined;
  /** Whether they may want to stop mail. */
  unsubscribes?: boolean;
}

/** A form that was sent. */
type Sent = { form: Form; asked: AskedLanguages } & Pick<Submission, "visitor">;

/**
 * What a link shows. Each page has its own URL, so that the browser's back button works. Without a page id it shows the page
 * to answer at once; with that of a page that the participant may not see yet, it redirects there.
 */
export function showLink(
  db: Reader,
  published: Parsed,
  session: LinkedSession,
  { pageId, isDone, asked, withdraws, asks, unsubscribes }: Opened,
): Visit {
  const { content, ending, readAnswers } = readSession(db, published, session, asked);
  if (asks && canAsk(session)) {
    const { speech } = content;
    if (asks === "any") return { kind: "own-data", offered: content, speech };
    return { kind: "request", offered: content, ...requestView(db, session, asks, speech) };
  }
  if (unsubscribes && canAsk(session)) return showMail(db, session, content);
  if (withdraws && canWithdraw(db, session)) return ended(content, beforeWithdrawal(content));
  if (ending === "answered")
    return ended(
      content,
      isDone ? endOf(db, content, session, readAnswers) : alreadyAnswered(content, session, readAnswers),
    );
  if (ending) return showEnding(session, ending, content);
  const answers = readAnswers();
  const steps = stepsOf(content, answers);
  const isResumed = pageId === null && steps.length > 0;
  const index = isResumed ? steps.indexOf(resumeAt(steps)) : steps.findIndex(({ page }) => page.id === pageId);
  if (steps.length && (index < 0 || index > frontierOf(steps))) return redirectTo(resumeAt(steps));
  return { kind: "page", isResumed, view: pageViewOf(content, session, steps, index, answers) };
}

/** Inside a transaction: takes the answers of a page. Sending a form again changes nothing. */
export function takeForm(
  db: Writer,
  published: Parsed,
  session: LinkedSession,
  { form, asked, visitor }: Sent,
  record: RecordEvent,
): Visit {
  const { ending, readAnswers, ...answering } = readSession(db, published, session, asked);
  const { content } = answering;
  const own = takeOwn(db, session, form, record);
  if (own) return own === "shown" ? showMail(db, session, content) : { kind: "redirect", to: own };
  if (ending === "answered") return TO_END;
  if (ending) return showEnding(session, ending, content);
  const before = readAnswers();
  const chosen = content.languages.find((one) => one === form.language);
  if (isOfOther(session, form)) {
    const other = chosen === undefined ? content : inLanguage(db, published, session, chosen, record);
    return { kind: "page", view: viewOfOther(db, other, session, form, before) };
  }
  const answered = { ...answering, before };
  const steps = stepsOf(content, before);
  const index = steps.findIndex(({ page }) => page.id === form.pageId);
  const step = steps[index];
  // Answers from another device may have hidden the page, or made a first page visible.
  if (!step && steps.length) return redirectTo(resumeAt(steps));
  const given = step ? review(content, before, step.page, form) : EMPTY_REVIEW;
  if (chosen !== undefined) {
    saveForBack(db, answered, session, given.answers, record);
    const spokenNow = inLanguage(db, published, session, chosen, record);
    const now = new Map([...before, ...given.answers].filter(([id, answer]) => answer !== null || before.has(id)));
    const isSaved = (id: string) => given.answers.has(id);
    return { kind: "page", view: viewInLanguage(spokenNow, session, stepsOf(spokenNow, now), form, now, isSaved) };
  }
  if (form.mailTo !== undefined) {
    saveForBack(db, answered, session, given.answers, record);
    return { kind: "page", view: { ...viewOfForm(content, session, steps, form, before), errors: new Map() } };
  }
  if (step && form.isBack && index > 0) {
    saveForBack(db, answered, session, given.answers, record);
    return goTo(content, session, form, before, step.page, steps[index - 1]!);
  }
  if (given.errors.size) return { kind: "page", view: viewOfForm(content, session, steps, form, before) };
  const sent = sentPage(answered, step?.page, given.answers, { form, language: content.language, visitor });
  const following = nextStep(sent, submit(db, answered, session, sent.submission, record));
  if (!following) return TO_END;
  const { next, arms } = following;
  const shown = arms ? { ...content, arms } : content;
  return step ? goTo(shown, session, form, sent.answers, step.page, next) : redirectTo(next);
}

/** The content in a language that the person has chosen, which is kept. */
function inLanguage(
  db: Writer,
  published: Parsed,
  session: LinkedSession,
  language: string,
  record: RecordEvent,
): SpokenContent {
  chooseLanguage(db, session, language, record);
  return readSession(db, published, { ...session, language }, NOTHING_ASKED).content;
}

/** Goes from a page to another one. What was typed for questions of other pages, on a page of another version, goes along. */
function goTo(
  content: SpokenContent,
  session: LinkedSession,
  form: Form,
  answers: Answers,
  from: Page,
  to: Step,
): Visit {
  const carried = form.fieldsOf(carriedBy(content, form, from));
  if (!carried.length) return redirectTo(to);
  return { kind: "page", view: viewOfTyped(content, session, stepsOf(content, answers), to, carried, answers) };
}

/** The page that was sent, with what was typed, because the store is busy and could not save it. */
export function showUnsaved(db: Reader, published: Parsed, session: LinkedSession, { form, asked }: Sent): Visit {
  const { content, ending, readAnswers } = readSession(db, published, session, asked);
  if (ending) return showLink(db, published, session, { pageId: null, isDone: true, asked });
  const answers = readAnswers();
  if (isOfOther(session, form))
    return { kind: "page", view: { ...viewOfOther(db, content, session, form, answers), isBusy: true } };
  const steps = stepsOf(content, answers);
  if (steps.length && !steps.some(({ page }) => page.id === form.pageId)) return redirectTo(resumeAt(steps));
  const view = { ...viewOfForm(content, session, steps, form, answers), isBusy: true };
  // A participant who goes back, or chooses a language, gets no error messages.
  return { kind: "page", view: form.isBack || form.language !== undefined ? { ...view, errors: new Map() } : view };
}

function showMail(db: Reader, session: LinkedSession, content: SpokenContent): Visit {
  return { kind: "subscription", offered: content, ...subscriptionView(db, session, content.speech) };
}

function showEnding(session: LinkedSession, ending: Ending, content: SpokenContent): Visit {
  const view = endingWith(ending, content.speech, session.opens_at, session.time_zone);
  return ended(content, { ...view, ...(ending === "withdrawn" && { erasedAt: session.answers_erased_at }) });
}

function ended(offered: Offered, view: EndView): Visit {
  return { kind: "ending", ...view, offered };
}

export function redirectTo({ page }: Step): Visit {
  return { kind: "redirect", to: { page: page.id } };
}

function readSession(db: Reader, published: Parsed, session: LinkedSession, asked: AskedLanguages) {
  const answering = answeringOf(db, published, session);
  const { publication } = answering;
  const content = spoken(db, published, answering.content, {
    publication,
    screenerId: session.screener_id,
    chosen: session.language,
    asked,
    hasWords: session.has_words === 1,
  });
  return {
    ...answering,
    content,
    ending: endingOf(db, session, answering),
    readAnswers: () => findAnswers(db, session.id, answering.questions),
  };
}
