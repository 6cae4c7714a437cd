// A page of questions as a participant sees it, from the content and the answers so far.

import type { Reader } from "../../db/sqlite/connection.ts";
import type { Answers } from "../nouns/content/answers.ts";
import { type Item, isQuestion, type Page, type PersonalContent } from "../nouns/content/content.ts";
import { asShown } from "../nouns/content/order.ts";
import { questionString, TITLE } from "../nouns/content/strings.ts";
import type { Wording } from "../nouns/content/wording.ts";
import type { Today } from "../nouns/question-types/comparisons.ts";
import type { AnswerError } from "../nouns/question-types/errors.ts";
import { isTyped, type Typed } from "../nouns/question-types/form.ts";
import type { Markup } from "../nouns/question-types/markup/parse.ts";
import type { Fill } from "../nouns/question-types/markup/plain.ts";
import type { Question } from "../nouns/question-types/registry.ts";
import type { Speech, TextAttributes } from "../words/speech.ts";
import { type Field, Form, PAGE_FIELD, typedFrom } from "./input.ts";
import { type LinkedSession, questionTypes } from "./queries.ts";
import { fillFor, textsOf } from "./references.ts";
import { followUpsOf, review } from "./review.ts";
import { authorOf, type SpokenContent } from "./spoken.ts";
import { frontierOf, progressAt, resumeAt, type Step, stepsOf } from "./steps.ts";

/** A page of questions as a participant sees it. */
export interface PageView {
  /** The id of the publication whose page it is. Undefined: it is a draft, or of somebody who joins. */
  publication?: string | undefined;
  /** The screener's title. */
  title: string | null;
  markup: Markup;
  /** The references in its texts. */
  fill: Fill;
  /** Null if the screener has no pages: then there is only a button. */
  page: Page | null;
  /** What stands on it. */
  items: Item[];
  /** Those of them that are asked. */
  questions: Question[];
  typed(question: Question): Typed;
  /** What is wrong, by question, in the page's order. */
  errors: ReadonlyMap<string, AnswerError>;
  /** In the words and with its options in the order in which it is shown. */
  asShown(question: Question): Question;
  /** Ids of questions that are only shown because of other answers on the page. */
  followUps: readonly string[];
  /** Of the pages that the participant may see, how many are done with this one. */
  number: number;
  total: number;
  speech: Speech;
  wording: Wording;
  /** Those that the person can choose from, and the one of them that the page is in. */
  languages: readonly string[];
  language: string;
  /** The day, for questions whose limits depend on it. */
  today: Today;
  /** Whether nothing comes after this page, whatever is answered. */
  isLast: boolean;
  /** Whether there is a page before. */
  hasBack: boolean;
  /** When it was shown first, in ms since 1970; undefined: now. */
  shownAt?: number | undefined;
  /** Whether the store is busy, so that what was typed is not saved yet. */
  isBusy: boolean;
  /** The version that the questions are of; undefined: it is a draft. */
  version: number | undefined;
  /** Whether a program may have sent it: then it is to be sent once more. */
  isUnsure?: boolean;
  /** Of the page of an open link: what the order by chance comes from, and the ids of the questions that are the page's own. */
  joining?: { seed: string; asked: ReadonlySet<string> };
  /** The fields of questions of other pages, which come back with the form. */
  carried: readonly Field[];
  /** Set: the form was of another version. It says whether something was typed for questions that are not asked any more. */
  update?: "ALL_KEPT" | "PARTLY_KEPT";
}

/** The screener's title, when it was published; the version, and the id of the publication. */
interface Titled {
  title: string | null;
  version?: number;
  publication_uid?: string;
}

export function pageViewOf(
  content: SpokenContent,
  { title, version, publication_uid }: Titled,
  steps: readonly Step[],
  index: number,
  answers: Answers,
): PageView {
  const step = steps[index];
  const { page = null, items = [], questions = [] } = step ?? {};
  return {
    publication: publication_uid,
    title: title === null ? null : content.wording.text(TITLE, title),
    markup: content.markup ?? "PLAIN",
    fill: fillFor(content, page ? textsOf(content, page) : [], () => answers),
    page,
    items,
    questions,
    typed: (question) => typedFrom(question, content.speech, answers.get(question.id)),
    errors: new Map(),
    asShown: (question) => content.wording.question(asShown(question, content.order)),
    followUps: step ? followUpsOf(content, step, answers) : [],
    ...(step ? progressAt(content, step, answers) : { number: 0, total: 0, isLast: true }),
    today: content.today,
    speech: content.speech,
    wording: content.wording,
    languages: content.languages,
    language: content.language,
    hasBack: index > 0,
    isBusy: false,
    version,
    carried: [],
  };
}

/** The attributes of an element with a text of a question. */
export function authorOfQuestion(view: PageView, id: string, ...names: string[]): TextAttributes {
  return view.joining?.asked.has(id) ? {} : authorOf(view, questionString(id, ...names));
}

/** The page that a form came from, with what was typed and its errors. */
export function viewOfForm(
  content: SpokenContent,
  titled: Titled,
  steps: readonly Step[],
  form: Form,
  answers: Answers,
): PageView {
  const index = steps.findIndex(({ page }) => page.id === form.pageId);
  const view = pageViewOf(content, titled, steps, index, answers);
  if (!view.page) return view;
  const { items, errors } = review(content, answers, view.page, form);
  return {
    ...view,
    items,
    questions: items.filter(isQuestion),
    errors,
    carried: form.fieldsOf(carriedBy(content, form, view.page)),
    shownAt: form.shownAt,
    followUps: [],
    typed: (question) => (form.has(question.id) ? form.typed(question.id) : view.typed(question)),
  };
}

/** The questions of a form that are on other pages now: it was of another version, or carries what one of that version had. */
export function carriedBy({ pages }: PersonalContent, form: Form, page: Page): string[] {
  return pages
    .flatMap((other) => (other === page ? [] : other.questions))
    .flatMap(({ id }) => (form.has(id) ? [id] : []));
}

/** A page with what was typed for its questions on another one. Nobody has sent it as it is now, so it shows no errors. */
export function viewOfTyped(
  content: SpokenContent,
  titled: Titled,
  steps: readonly Step[],
  { page }: Step,
  typed: readonly Field[],
  answers: Answers,
): PageView {
  const view = viewOfForm(content, titled, steps, new Form([[PAGE_FIELD, page.id], ...typed]), answers);
  return { ...view, errors: new Map() };
}

/** The page that a form came from in another language: what was saved as that language writes it, and the rest as it was typed. */
export function viewInLanguage(
  content: SpokenContent,
  titled: Titled,
  steps: readonly Step[],
  form: Form,
  answers: Answers,
  isSaved: (questionId: string) => boolean,
): PageView {
  const index = steps.findIndex(({ page }) => page.id === form.pageId);
  const view = pageViewOf(content, titled, steps, index, answers);
  if (!view.page) return view;
  return {
    ...view,
    carried: form.fieldsOf(carriedBy(content, form, view.page)),
    shownAt: form.shownAt,
    typed: (question) =>
      form.has(question.id) && !isSaved(question.id) ? form.typed(question.id) : view.typed(question),
  };
}

/** Whether a form is of another version than its link: somebody has moved the link since the page was opened. */
export function isOfOther({ version }: LinkedSession, form: Form): boolean {
  return form.version !== undefined && form.version !== version;
}

/**
 * The page to answer in the version that the link has now, for a form of another version: with what was typed for the questions that both
 * have. It is not saved: the person has not seen these questions yet.
 */
export function viewOfOther(
  db: Reader,
  content: SpokenContent,
  session: LinkedSession,
  form: Form,
  answers: Answers,
): PageView {
  const former = questionTypes(db, session.screener_id, form.version!);
  const same = content.pages.flatMap(({ questions }) =>
    questions.flatMap(({ id, _type }) => (form.has(id) && former.get(id) === _type ? [id] : [])),
  );
  const isCut = [...form.questions].some((id) => !same.includes(id) && isTyped(form.typed(id)));
  const steps = stepsOf(content, answers);
  const update = isCut ? "PARTLY_KEPT" : "ALL_KEPT";
  if (!steps.length) return { ...pageViewOf(content, session, steps, -1, answers), update };
  const reached = steps.slice(0, frontierOf(steps) + 1);
  const step = reached.find(({ page }) => page.questions.some(({ id }) => same.includes(id))) ?? resumeAt(steps);
  return { ...viewOfTyped(content, session, steps, step, form.fieldsOf(same), answers), update };
}
