// A page of questions.

import { setImmediate as nextTurn } from "node:timers/promises";
import { renderToString } from "preact-render-to-string";
import { clean } from "../base/clean-text.ts";
import { imageFile } from "../images/resource.ts";
import { GoOnLater, LaterNotice } from "../mail/page/later.tsx";
import type { Later } from "../mail/page/my-link.ts";
import { isQuestion, type Statement } from "../nouns/content/content.ts";
import { isLine } from "../nouns/content/statement.ts";
import { ALTERNATIVE_TEXT, pageString, TITLE } from "../nouns/content/strings.ts";
import type { AnswerError } from "../nouns/question-types/errors.ts";
import type { Typed } from "../nouns/question-types/form.ts";
import { plainOf } from "../nouns/question-types/markup/plain.ts";
import { type Reading, TextBlock, TextLine, Texts } from "../nouns/question-types/markup/texts.tsx";
import { type Question, typeOf } from "../nouns/question-types/registry.ts";
import type { TextAttributes } from "../words/speech.ts";
import { menuScript } from "./assets/assets.ts";
import {
  BACK_FIELD,
  ORDER_FIELD,
  PAGE_FIELD,
  QUESTION_FIELD,
  SHOWN_FIELD,
  SHOWN_IN_FIELD,
  TRAP_FIELD,
  VERSION_FIELD,
} from "./input.ts";
import { FORM, Languages } from "./language-choice.tsx";
import { type Addressed, type Frame, Layout, shorten } from "./layout.tsx";
import { authorOfQuestion, type PageView } from "./page-view.ts";
import { authorOf } from "./spoken.ts";
import { explain, Summary } from "./summary.tsx";

export interface PageProps extends Frame, Addressed {
  view: PageView;
  /** Undefined: the link can't be mailed. */
  later?: Later | undefined;
  /** Whether it has a field that people do not see. Where somebody joins, it always has. */
  hasTrap?: boolean | undefined;
  /** Where the form is sent: the link's own path. */
  path: string;
  /** When the page was shown first, in ms since 1970. Missing: now. */
  shownAt?: string;
  /** Where the page is shown inside of another one: the form's further fields. What comes back replaces that other page. */
  within?: readonly (readonly [name: string, value: string])[];
}

/** A page may have 2,000 questions of many options each. Rendering blocks other requests for no longer than this. */
const SLICE_MS = 15;

/** Renders a page, question by question. @returns its HTML, in several pieces if it took longer than SLICE_MS */
export async function renderQuestionPage(props: PageProps): Promise<string[]> {
  const { items, typed, errors, asShown } = props.view;
  const reading = readingOf(props);
  const followUps = new Set(props.view.followUps);
  const [before = "", after = ""] = `<!doctype html>${renderToString(
    <Texts value={reading}>
      <QuestionPage {...props} />
    </Texts>,
  )}`.split(PLACEHOLDER);
  const pieces: string[] = [];
  let piece = before;
  let since = performance.now();
  for (const item of items) {
    const { id } = item;
    piece += renderToString(
      <Texts value={reading}>
        {isQuestion(item) ? (
          <QuestionFields
            question={asShown(item)}
            typed={typed(item)}
            error={errors.get(id)}
            view={props.view}
            isFollowUp={followUps.has(id)}
          />
        ) : (
          <StatementText statement={item} view={props.view} images={props.images} />
        )}
      </Texts>,
    );
    if (performance.now() - since > SLICE_MS) {
      pieces.push(piece);
      piece = "";
      await nextTurn();
      since = performance.now();
    }
  }
  pieces.push(piece + after);
  return pieces;
}

function readingOf({ view: { markup, fill }, isTrial }: PageProps): Reading {
  return { markup, fill, isTrial, opensTabs: true };
}

/** Marks where the questions go. Nothing else can contain it, because all text is escaped. */
const PLACEHOLDER = "<slot></slot>";

interface FieldsProps {
  question: Question;
  typed: Typed;
  error: AnswerError | undefined;
  view: PageView;
  /** Whether it is only shown because of another answer on the page. */
  isFollowUp: boolean;
}

function QuestionFields({ question, typed, error, view, isFollowUp }: FieldsProps) {
  const { speech, today } = view;
  const { Field, limitsText } = typeOf(question);
  const { dir } = authorOfQuestion(view, question.id, "prompt");
  // Within a question that reads the other way than the page, all texts have a direction of their own.
  const around = dir === undefined ? {} : { dir: speech.dir };
  const ofOwn = view.wording.isOwn ? { ...around, ...authorOfQuestion(view, question.id, "prompt") } : undefined;
  const author = (...names: string[]) => ofOwn ?? { ...around, ...authorOfQuestion(view, question.id, ...names) };
  const classes = ["question", error && "question-wrong", isFollowUp && "question-further"].filter(Boolean).join(" ");
  return (
    <div class={classes} dir={dir}>
      <Field
        question={question}
        typed={typed}
        speech={speech}
        author={author}
        limits={limitsText(question, speech, today)}
        error={error && explain(question, error, speech)}
        wrong={error}
      />
      <input type="hidden" name={QUESTION_FIELD} value={question.id} />
    </div>
  );
}

interface StatementProps {
  statement: Statement;
  view: PageView;
  images: string | undefined;
}

/** What stands between questions: a text, an image, or a line. */
function StatementText({ statement, view, images }: StatementProps) {
  const { id, text, image } = view.wording.statement(statement);
  if (isLine(statement)) return <hr class="break" />;
  return (
    <>
      {text !== null && <TextBlock class="text statement" {...authorOfQuestion(view, id, "text")} text={text} />}
      {image && (
        <p class="picture">
          {/* With both, the page leaves room for it before it comes. */}
          <img
            src={`${images}/${imageFile(image.id)}`}
            width={image.width}
            height={image.height}
            alt={clean(image.alternativeText)}
            {...authorOfQuestion(view, id, ...ALTERNATIVE_TEXT)}
          />
        </p>
      )}
    </>
  );
}

function QuestionPage({ view, later, hasTrap, path, shownAt, within, address, ...frame }: PageProps) {
  const { title, speech, wording, errors, number, total, isLast, hasBack } = view;
  const page = view.page && wording.page(view.page);
  const heading =
    page?.title == null ? (title ?? speech.say("questions")) : plainOf(page.title, view.markup, view.fill);
  const where = total > 1 ? speech.say("pageOf", { number, total }) : null;
  const tab = [errors.size ? speech.say("error") : null, shorten(heading, 60), where].filter(Boolean).join(" – ");
  return (
    <Layout {...frame} speech={speech} title={tab} address={address}>
      <Languages view={view} />
      <Summary view={view} />
      {later && <LaterNotice later={later} speech={speech} />}
      {where && (
        <div class="progress">
          <p id="progress">{where}</p>
          <progress value={number} max={total} aria-labelledby="progress" />
        </div>
      )}
      {page?.title != null && title !== null && (
        <p class="study" {...authorOf(view, TITLE)}>
          {clean(title)}
        </p>
      )}
      <h1 {...headingOf(view)}>{page?.title == null ? clean(heading) : <TextLine text={page.title} />}</h1>
      {page?.description && (
        <TextBlock class="text" {...authorOf(view, pageString(page.id, "description"))} text={page.description} />
      )}
      {!page && <p class="text">{speech.say("nothingToAnswer", { finish: speech.say("finish") })}</p>}
      <form id={FORM} method="post" action={path} target={within && "_top"} novalidate>
        {within?.map(([name, value]) => (
          <input type="hidden" key={name} name={name} value={clean(value)} />
        ))}
        {page && <input type="hidden" name={PAGE_FIELD} value={page.id} />}
        {view.version !== undefined && <input type="hidden" name={VERSION_FIELD} value={view.version} />}
        {view.carried.map(([name, value]) => (
          <input type="hidden" key={`${name} ${value}`} name={name} value={clean(value)} />
        ))}
        {view.languages.length > 1 && <input type="hidden" name={SHOWN_IN_FIELD} value={view.language} />}
        <input type="hidden" name={SHOWN_FIELD} value={shownAt ?? Date.now()} />
        <slot />
        {view.joining && <input type="hidden" name={ORDER_FIELD} value={view.joining.seed} />}
        {(view.joining || hasTrap) && (
          <div class="unseen" aria-hidden="true">
            {/* Only programs fill it in. */}
            <label for={TRAP_FIELD}>Website</label>
            <input type="text" id={TRAP_FIELD} name={TRAP_FIELD} tabIndex={-1} autocomplete="off" />
          </div>
        )}
        <div class="buttons">
          <button class="button" type="submit">
            {speech.say(isLast ? "finish" : "continue")}
          </button>
          {/* A button, so that it sends what was entered; the second one, because the enter key presses the first. */}
          {hasBack && (
            <button class="button button-back" type="submit" name={BACK_FIELD}>
              {speech.say("back")}
            </button>
          )}
        </div>
        {later && <GoOnLater later={later} speech={speech} />}
      </form>
      {!frame.isTrial && view.questions.some((question) => typeOf(question).needsMenuScript?.(question)) && (
        <script dangerouslySetInnerHTML={{ __html: menuScript.text }} />
      )}
    </Layout>
  );
}

/** The attributes of the heading: the page's title, the study's, or our own word. */
function headingOf(view: PageView): TextAttributes {
  if (view.page?.title != null) return authorOf(view, pageString(view.page.id, "title"));
  return view.title === null ? {} : authorOf(view, TITLE);
}
