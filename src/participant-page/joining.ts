// What an open link shows to somebody who has not joined yet: the first page of the study, with what the link asks. Who sends it joins.

import type { Reader, Writer } from "../../db/sqlite/connection.ts";
import { newUnguessableId } from "../base/ids.ts";
import type { Parsed } from "../base/parsed.ts";
import type { RecordEvent } from "../events/record.ts";
import type { Answers } from "../nouns/content/answers.ts";
import type { Page } from "../nouns/content/content.ts";
import { askedBy, type LinkRow } from "../nouns/links/queries.ts";
import type { Asked } from "../nouns/links/resource.ts";
import type { Question } from "../nouns/question-types/registry.ts";
import type { Answering } from "../screening/answering.ts";
import { join } from "../screening/join.ts";
import { begunBy, submit, unbegun } from "../screening/submit.ts";
import type { Visitor } from "../signals/found/find.ts";
import type { Speech } from "../words/speech.ts";
import { type Admitted, type Arrival, admit, studyOf } from "./admission.ts";
import type { Form } from "./input.ts";
import { type PageView, pageViewOf, viewOfForm, viewOfTyped } from "./page-view.ts";
import type { Opened } from "./queries.ts";
import { EMPTY_REVIEW, nextStep, review, sentPage } from "./review.ts";
import { type SpokenContent, speechOfForm, spoken } from "./spoken.ts";
import { resumeAt, type Step, stepsOf } from "./steps.ts";
import { redirectTo, TO_END, type Visit } from "./visit.ts";

/** Nobody reads and answers a page faster. */
const LEAST_PAGE_MS = 1000;

const NO_ANSWERS: Answers = new Map();

/** The session of somebody who has joined, and what comes next. Null: its link shows it. */
export interface Joined {
  screener: string;
  session: string;
  visit: Visit | null;
}

/** What a link shows before anything is sent. */
export function showJoining(db: Reader, published: Parsed, arrival: Arrival): Visit {
  const opened = openedBy(db, published, arrival, newUnguessableId());
  return "kind" in opened ? opened : opened.shown(opened.view());
}

/** What the first page says that somebody has sent who has not joined yet. */
export interface Reviewed extends Admitted {
  given: Answers;
  /** In which the page was shown. */
  language: string;
  /** In which numbers and dates were typed. Its language is undefined where the form names none that the study has. */
  typedIn: { language: string | undefined; speech: Speech };
}

/** Looks at the form of somebody who has not joined yet. @returns why it can't be taken, as a page; or what it says */
export function reviewJoining(db: Reader, published: Parsed, arrival: Arrival, form: Form): Visit | Reviewed {
  const opened = openedBy(db, published, arrival, form.seed, form.language);
  if ("kind" in opened) return opened;
  const { content, answering, titled, steps, step, view, shown } = opened;
  if (form.version !== titled.version || (step && form.pageId !== step.page.id)) {
    if (!step) return shown({ ...view(), update: "ALL_KEPT" });
    const fields = form.fieldsOf(step.page.questions.map(({ id }) => id));
    return shown({ ...viewOfTyped(content, titled, steps, step, fields, NO_ANSWERS), update: "PARTLY_KEPT" });
  }
  const again = () => (step ? viewOfForm(content, titled, steps, form, NO_ANSWERS) : view());
  // Nothing is saved yet.
  if (form.language !== undefined) return shown({ ...again(), errors: new Map() });
  const { answers, errors } = step ? review(content, NO_ANSWERS, step.page, form) : EMPTY_REVIEW;
  if (errors.size) return shown(again());
  const isHasty = form.shownAt === undefined || Date.now() - form.shownAt < LEAST_PAGE_MS;
  if (isHasty || form.hasTrap) return shown({ ...again(), isUnsure: true });
  const own = Object.values(ASKED_IDS);
  const given = new Map([...answers].filter(([id]) => !own.includes(id)));
  const typedIn = {
    language: content.languages.find((one) => one === form.shownIn),
    speech: speechOfForm(content, form),
  };
  return { opened: titled, answering, given, language: content.language, typedIn };
}

/** A study that somebody joins by a form, and what that says. */
export type Joinable = Admitted & Pick<Reviewed, "given" | "language" | "typedIn">;

/**
 * The same once more, under the lock: others may have joined meanwhile. What was looked at before is looked at again only where it has changed.
 * @param before the link as it was then
 */
export function admitNow(
  db: Reader,
  published: Parsed,
  arrival: Arrival,
  form: Form,
  before: { link: LinkRow; reviewed: Reviewed },
): Visit | Joinable {
  const isSame = arrival.link.updated_at === before.link.updated_at;
  const answering = isSame ? before.reviewed.answering : undefined;
  const admitted = admit(db, published, arrival, form.seed, answering);
  if ("kind" in admitted) return admitted;
  // Worked out again, it has another list of them. What is said in a study's languages depends on what these are.
  const isStill =
    admitted.answering.questions === answering?.questions && speaksAs(admitted.opened, before.reviewed.opened);
  const reviewed = isStill ? before.reviewed : reviewJoining(db, published, arrival, form);
  if ("kind" in reviewed) return reviewed;
  const { given, language, typedIn } = reviewed;
  return { ...admitted, given, language, typedIn };
}

/** Whether the pages of a study speak as they did before. */
function speaksAs(now: Opened, before: Opened): boolean {
  return (["languages", "time_zone", "has_words"] as const).every((one) => now[one] === before[one]);
}

/** Inside a transaction: takes the form of somebody who joins by it. @param mark what the slug of the session begins with */
export function takeJoining(
  db: Writer,
  { link, attributes }: Arrival,
  form: Form,
  { joinable, mark, visitor }: { joinable: Joinable; mark: string; visitor?: Visitor },
  record: RecordEvent,
): Joined {
  const typed = (asked: Asked) => form.typed(ASKED_IDS[asked]).text.trim() || null;
  const asked = new Set(askedBy(link));
  const who = {
    name: asked.has("NAME") ? typed("NAME") : null,
    email: asked.has("EMAIL") ? typed("EMAIL") : null,
    attributes,
    // Never the session's id, which another site may learn: whoever knows the order is led to the session.
    seed: form.seed,
  };
  const { answering, given, language } = joinable;
  const { content } = answering;
  const page = content.pages.find(({ id }) => id === form.pageId);
  const answered = { ...answering, before: NO_ANSWERS };
  const sent = sentPage(answered, page, given, { form, language, visitor });
  const study = studyOf(joinable);
  const joining = join(db, link, study, who, mark, record, begunBy(answering, sent.submission));
  const { session } = joining;
  const submission = { ...sent.submission, joining };
  const following = nextStep(sent, submit(db, answered, unbegun(session), submission, record));
  return { screener: study.screener, session: session.uid, visit: following ? redirectTo(following.next) : TO_END };
}

/** The page with what was typed, because the store is busy and could not save it. */
export function showUnjoined(db: Reader, published: Parsed, arrival: Arrival, form: Form): Visit {
  const opened = openedBy(db, published, arrival, form.seed);
  if ("kind" in opened) return opened;
  const { content, titled, steps, step, view, shown } = opened;
  const typed = step && form.pageId === step.page.id ? viewOfForm(content, titled, steps, form, NO_ANSWERS) : view();
  return shown({ ...typed, isBusy: true });
}

/** The ids of what a link asks: those of questions that no content has. */
export const ASKED_IDS: Record<Asked, string> = {
  NAME: "00000000-0000-8000-8000-000000000001",
  EMAIL: "00000000-0000-8000-8000-000000000002",
};
/** Where the study has no page that is shown at first. */
const OWN_PAGE = "00000000-0000-8000-8000-000000000000";

const MAX_LENGTHS: Record<Asked, number> = { NAME: 500, EMAIL: 320 };

/** What a link asks, as questions: so they look, and are checked, as the others of the page. */
function askedOf(link: LinkRow, speech: Speech): Question[] {
  const prompts: Record<Asked, string> = { NAME: speech.say("yourName"), EMAIL: speech.say("yourEmail") };
  return askedBy(link).map((asked) => ({
    _type: "ScreenerTextQuestion",
    id: ASKED_IDS[asked],
    key: null,
    prompt: prompts[asked],
    helpText: null,
    required: link.is_required === 1 || (asked === "EMAIL" && link.confirms_email === 1),
    showWhen: null,
    multiline: false,
    minLength: null,
    maxLength: MAX_LENGTHS[asked],
    ...(asked === "EMAIL" && { format: "EMAIL" as const }),
  }));
}

interface FirstPage {
  content: SpokenContent;
  answering: Answering;
  titled: Opened;
  steps: readonly Step[];
  /** Undefined: the study has no pages. */
  step: Step | undefined;
  view(): PageView;
  /** A view of it, with what only the page of an open link has. */
  shown(view: PageView): Visit;
}

/** The first page of a study for somebody who comes by a link; or why there is none. @param seed of the order by chance */
function openedBy(
  db: Reader,
  published: Parsed,
  arrival: Arrival,
  seed: string,
  chosen: string | null = null,
): FirstPage | Visit {
  const admitted = admit(db, published, arrival, seed);
  if ("kind" in admitted) return admitted;
  const { opened, answering } = admitted;
  const { publication } = answering;
  const { link, asked } = arrival;
  const own = spoken(db, published, answering.content, {
    publication,
    screenerId: link.screener_id,
    chosen,
    asked,
    hasWords: opened.has_words === 1,
  });
  const questions = askedOf(link, own.speech);
  const content = asking(own, questions);
  const joining = { seed, asked: new Set(questions.map(({ id }) => id)) };
  const steps = stepsOf(content, NO_ANSWERS);
  const step = steps.length ? resumeAt(steps) : undefined;
  const index = step ? steps.indexOf(step) : -1;
  return {
    content,
    answering,
    titled: opened,
    steps,
    step,
    view: () => pageViewOf(content, opened, steps, index, NO_ANSWERS),
    shown: (view) => ({ kind: "page", view: { ...view, joining } }),
  };
}

/** The content with what the link asks before the first page that is shown. */
function asking(content: SpokenContent, asked: readonly Question[]): SpokenContent {
  if (!asked.length) return content;
  const steps = stepsOf(content, NO_ANSWERS);
  const first = steps.length ? resumeAt(steps).page : undefined;
  const page: Page = first ?? {
    _type: "ScreenerPage",
    id: OWN_PAGE,
    title: null,
    description: null,
    showWhen: null,
    disqualifyWhen: null,
    questions: [],
  };
  const asks = { ...page, questions: [...asked, ...page.questions] };
  return { ...content, pages: first ? content.pages.map((one) => (one === first ? asks : one)) : [asks] };
}
