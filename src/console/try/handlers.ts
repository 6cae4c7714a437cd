// The preview and the test drive of a draft, with the pages that participants see. Nothing is kept: the answers of a test drive
// travel in its form.

import { Problem } from "../../base/problems.ts";
import type { Reply } from "../../http/wire/reply.ts";
import { sampleFill } from "../../insertions/fill.ts";
import { type Answers, checkAnswer } from "../../nouns/content/answers.ts";
import { askedIn, type Content } from "../../nouns/content/content.ts";
import { redirectTo } from "../../nouns/content/redirects.ts";
import { TITLE } from "../../nouns/content/strings.ts";
import { NOTHING_TYPED } from "../../nouns/question-types/form.ts";
import { type Answer, type Question, typeOf } from "../../nouns/question-types/registry.ts";
import { renderEnding } from "../../participant-page/end-pages.tsx";
import { thanksFor, withoutConsent } from "../../participant-page/ending.ts";
import { Form } from "../../participant-page/input.ts";
import { renderQuestionPage } from "../../participant-page/question-page.tsx";
import { endRehearsal, type Rehearsed, rehearse, resumeRehearsal } from "../../participant-page/rehearsal.ts";
import type { SpokenContent } from "../../participant-page/spoken.ts";
import { TOKEN_FIELD } from "../shell/forms.ts";
import { page, Refusal, type VisitorRequest } from "../shell/request.ts";
import { readContent } from "../study/draft.ts";
import { studyFrame } from "../study/handlers.ts";
import { imagesIn, lookIn } from "../study/look.ts";
import type { StudyFrame } from "../study/study-frame.tsx";
import { explain } from "./explain.ts";
import { renderTry } from "./page.tsx";
import {
  armsOf,
  attributesFrom,
  attributesOf,
  chosenArms,
  ORDER,
  parsed,
  personal,
  seedOf,
  somebody,
  typedAttributes,
} from "./person.ts";
import { SPOKEN, saidIn } from "./said.ts";
import { testLinksOf } from "./test-links.ts";

/** Of the form: the page as participants send it, and the answers of all pages before. */
export const MAX_TRY_FORM_BYTES = 4 * 1024 * 1024;

/** What the service calls the end, where the others are pages. */
const END = "end";

/** GET of a page of the draft, as people see it, with all its questions. */
export async function showPreview(request: VisitorRequest): Promise<Reply> {
  const draft = await readDraft(request);
  const { frame, screener } = await studyFrame(request);
  const content = personal(draft, screener, somebody(), await saidIn(request, draft, [request.query.get("lang")]));
  const shown = request.query.get("page");
  const screen = await screenOf(request);
  if (shown === END)
    return page(
      200,
      renderEnding(screen, {
        ...thanksFor({ ...content, thankYouByOutcome: null }, null, leadNowhere(content), () => NO_ANSWERS),
        fill: sampleFill,
      }),
    );
  const index = draft.pages.findIndex(({ id }) => id === shown);
  const found = draft.pages[index];
  if (!found) throw new Problem("route_not_found");
  const view = {
    title: frame.title === null ? null : content.wording.text(TITLE, frame.title),
    markup: content.markup ?? "PLAIN",
    fill: sampleFill,
    page: found,
    items: found.questions,
    questions: askedIn(found),
    typed: () => NOTHING_TYPED,
    asShown: (question: Question) => content.wording.question(question),
    errors: new Map(),
    followUps: [],
    number: index + 1,
    total: content.pages.length,
    today: content.today,
    speech: content.speech,
    wording: content.wording,
    languages: content.languages,
    language: content.language,
    isLast: index === content.pages.length - 1,
    hasBack: index > 0,
    isBusy: false,
    version: undefined,
    carried: [],
  };
  const pieces = await renderQuestionPage({ ...screen, view, path: "", within: [] });
  return page(200, pieces.join(""));
}

/** GET of the test drive: its first page. */
export async function showTry(request: VisitorRequest): Promise<Reply> {
  const { frame, screener } = await studyFrame(request);
  const draft = await readDraft(request);
  const content = personal(draft, screener, somebody(), await saidIn(request, draft, []));
  const begun = resumeRehearsal(content, frame.title, new Map());
  return replyWithTry(request, frame, { draft, content, attributes: {} }, begun);
}

/** POST: takes a page of the test drive, or begins again with other attributes. */
export async function takeTry(request: VisitorRequest): Promise<Reply> {
  const { fields } = request;
  const draft = await readDraft(request);
  const { frame, screener } = await studyFrame(request);
  const isNew = fields("begin") !== "";
  const attributes = isNew ? typedAttributes(draft, fields) : attributesFrom(fields(ATTRIBUTES));
  const arms = isNew ? chosenArms(draft, fields) : armsOf(draft, fields(ARMS));
  const form = new Form(fields.pairs());
  const said = await saidIn(request, draft, [form.language, fields(SPOKEN), attributes.language]);
  const content = personal(draft, screener, { attributes, arms, seed: seedOf(fields) }, said);
  const answers = isNew ? NO_ANSWERS : answersFrom(content, fields(ANSWERS));
  const next = isNew
    ? resumeRehearsal(content, frame.title, answers)
    : fields(ENDED)
      ? endRehearsal(content, answers)
      : rehearse(content, frame.title, answers, form);
  return replyWithTry(request, frame, { draft, content, attributes }, next);
}

const NO_ANSWERS: Answers = new Map();

const ANSWERS = "answers";
const ATTRIBUTES = "attributes";
const ARMS = "arms";
/** Set where it is over: only its language can be chosen. */
const ENDED = "ended";

/** What is tried. */
interface Trial {
  draft: Content;
  /** As the person is shown it. */
  content: ReturnType<typeof personal>;
  /** As typed. */
  attributes: Record<string, string>;
}

async function replyWithTry(
  request: VisitorRequest,
  frame: StudyFrame,
  { draft, content, attributes }: Trial,
  { answers, arms, view, judgement, refusedId }: Rehearsed,
): Promise<Reply> {
  const screen = await screenOf(request);
  const path = `${request.base}/console/studies/${frame.id}/try`;
  const within = [
    [TOKEN_FIELD, request.token],
    [ANSWERS, JSON.stringify(shownAnswers(content, answers))],
    [ATTRIBUTES, JSON.stringify(attributes)],
    [ARMS, JSON.stringify(Object.fromEntries(arms))],
    [ORDER, content.order.seed],
    [SPOKEN, content.language],
  ] as const;
  const html = view
    ? (await renderQuestionPage({ ...screen, view, path, within })).join("")
    : renderEnding(
        { ...screen, languageForm: { method: "post", path, fields: [...within, [ENDED, "yes"]] } },
        {
          ...(refusedId === undefined
            ? thanksFor({ ...content, arms }, judgement?.outcome ?? null, leadNowhere(content), () => answers)
            : withoutConsent({ ...content, arms }, refusedId, leadNowhere(content), () => answers)),
          offered: content,
        },
      );
  const explanation = explain(draft, { ...content, arms }, answers, judgement);
  const keys = attributesOf(content).map((key) => [key, attributes[key] ?? ""] as const);
  const { assignments = [] } = content;
  const tests = await testLinksOf(request, frame);
  const text = renderTry(frame, {
    ...{ html, explanation, attributes: keys, assignments, seed: content.order.seed, tests },
    ...{ languages: content.languages, language: content.language },
  });
  return page(view?.errors.size ? 422 : 200, text);
}

/** @throws Refusal for a draft that is too long */
async function readDraft(request: VisitorRequest): Promise<Content> {
  const { content } = await readContent(request, "getScreenerContent", request.params.id!);
  if (!content) throw new Refusal(409, "This draft is too long", "A draft of more than 1 MiB can’t be shown here.");
  return content;
}

async function screenOf(request: VisitorRequest) {
  const { base, visitor } = request;
  return {
    base,
    images: imagesIn(request),
    workspaceName: visitor.workspace_name,
    look: await lookIn(request),
    isTrial: true,
  };
}

/** The address for a session that there is not. It is not signed. */
const leadNowhere =
  ({ quotas }: Content) =>
  (address: string) =>
    redirectTo(address, {
      sessionId: "00000000-0000-4000-8000-000000000000",
      reference: "00000000-0000-8000-8000-000000000000",
      externalUid: "P-17",
      quotaCode: quotas?.[0]?.name ?? "",
      attribute: (key) => `[${key}]`,
    });

function shownAnswers(content: Content, answers: Answers): unknown[] {
  return content.pages.flatMap((page) =>
    askedIn(page).flatMap((question) => {
      const answer = answers.get(question.id);
      if (answer === undefined) return [];
      return [[question.id, answer === null ? null : typeOf(question).toShown(answer)]];
    }),
  );
}

/** The answers that came with a form. What does not fit the draft any more, or never did, is left out. */
function answersFrom(content: SpokenContent, json: string): Answers {
  const sent = parsed(json);
  const given = new Map<unknown, unknown>(
    Array.isArray(sent) ? sent.filter(Array.isArray).map(([id, answer]) => [id, answer]) : [],
  );
  const answers = new Map<string, Answer>();
  for (const question of content.pages.flatMap(askedIn)) {
    if (!given.has(question.id)) continue;
    const checked = checkAnswer(question, given.get(question.id), content.today);
    if ("answer" in checked) answers.set(question.id, checked.answer);
  }
  return answers;
}
