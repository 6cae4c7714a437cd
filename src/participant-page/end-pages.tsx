// Pages without questions: how a session ended, and what went wrong.

import type { ComponentChildren } from "preact";
import { renderToString } from "preact-render-to-string";
import { clean } from "../base/clean-text.ts";
import type { ProblemCode } from "../base/problems.ts";
import { SubscriptionPart, type SubscriptionView, subscriptionHeading } from "../contacts/page/subscription.tsx";
import { LinkedText, TextLink } from "../nouns/question-types/markup/linked-text.tsx";
import { TextBlock, Texts } from "../nouns/question-types/markup/texts.tsx";
import { withZone } from "../nouns/screeners/time-zones.ts";
import type { Speech } from "../words/speech.ts";
import { type Ending, type EndView, JUST_NOW, type Offered } from "./ending.ts";
import { CONFIRM_FIELD } from "./input.ts";
import { EndLanguages } from "./language-choice.tsx";
import { type Frame, Layout } from "./layout.tsx";
import {
  headingOf,
  OwnData,
  OwnDataPart,
  RequestPart,
  type RequestView,
  Said,
  WayBack,
  WithdrawForm,
} from "./own-data.tsx";

/** The words of a page: the beginning of their keys. */
type Name =
  | "thanks"
  | "answered"
  | "closed"
  | "expired"
  | "paused"
  | "notYetOpen"
  | "removed"
  | "full"
  | "noConsent"
  | "withdraw"
  | "withdrawn"
  | "confirmSent"
  | "confirm"
  | "noLink"
  | "unreadable"
  | "later"
  | "wait"
  | "tooLarge"
  | "suspended"
  | "browser"
  | "failed";

/** None of these says who qualified: only the author's own text may say it. */
const endings: Record<Ending, Name> = {
  thanks: "thanks",
  answered: "answered",
  archived: "closed",
  closed: "closed",
  expired: "expired",
  paused: "paused",
  notYetOpen: "notYetOpen",
  removed: "removed",
  full: "full",
  fullNow: "full",
  noConsent: "noConsent",
  refused: "noConsent",
  withdraw: "withdraw",
  withdrawn: "withdrawn",
  forged: "noLink",
  confirmSent: "confirmSent",
  confirm: "confirm",
};

const problems: { [code in ProblemCode]?: Name } = {
  screener_session_not_found: "noLink",
  too_many_requests: "wait",
  body_too_large: "tooLarge",
  screener_closed: "closed",
  link_expired: "expired",
  workspace_suspended: "suspended",
  not_acceptable: "browser",
  invalid_request: "unreadable",
  unsupported_media_type: "unreadable",
  mail_not_configured: "later",
  store_busy: "later",
  store_full: "later",
  store_migrating: "later",
  store_unavailable: "later",
};

/** What our own page says of an ending, where the author has written nothing. */
export function wordsOf(ending: Ending, speech: Speech): { heading: string; text: string } {
  return wordsNamed(endings[ending], speech);
}

function wordsNamed(name: Name, speech: Speech): { heading: string; text: string } {
  return { heading: speech.say(`${name}Heading`), text: speech.say(`${name}Text`) };
}

export function renderEnding(frame: Frame, view: EndView): string {
  const { ending, offered, thankYou, markup, fill, author, isTicked, leadsTo, opensAt, timeZone, speech } = view;
  const { heading, text } = wordsOf(ending, speech);
  const mark = isTicked ? "tick" : ending === "thanks" || ending === "answered" ? "outline" : null;
  const { isTrial, isFramed } = frame;
  const next = leadsTo === null ? null : <Next address={leadsTo} speech={speech} frame={frame} />;
  const opening = ending === "notYetOpen" && opensAt !== null && (
    <OpensAt time={opensAt} timeZone={timeZone} speech={speech} />
  );
  const words =
    thankYou === null ? (
      <p class="text">
        {opening}
        {text}
      </p>
    ) : markup === "MARKDOWN" ? (
      <Texts value={{ markup, fill, isTrial, opensTabs: isFramed }}>
        <TextBlock class="text" {...author} text={thankYou} />
      </Texts>
    ) : (
      <p class="text" {...author}>
        <LinkedText text={clean(thankYou)} isTrial={isTrial} opensTab={isFramed} />
      </p>
    );
  return render(
    frame,
    speech,
    heading,
    [
      words,
      next,
      ending === "withdraw" && <WithdrawForm speech={speech} frame={frame} />,
      view.token !== undefined && <ConfirmForm speech={speech} token={view.token} />,
      view.erasedAt && <Said word="answersErased" at={view.erasedAt} timeZone={timeZone} speech={speech} />,
      (ending === "withdraw" || ending === "withdrawn") && <OwnData speech={speech} frame={frame} />,
    ],
    mark,
    offered,
    JUST_NOW.has(ending) ? (leadsTo ?? "") : undefined,
  );
}

/** The page of what people may ask for at their links. */
export function renderRequest(frame: Frame, view: RequestView & { offered: Offered }): string {
  const { offered, speech } = view;
  return render(frame, speech, headingOf(view), <RequestPart view={view} frame={frame} />, null, offered);
}

/** The page that offers what people may ask for. */
export function renderOwnData(frame: Frame, { offered, speech }: { offered: Offered; speech: Speech }): string {
  const part = <OwnDataPart speech={speech} frame={frame} />;
  return render(frame, speech, speech.say("ownDataHeading"), part, null, offered);
}

/** The page where people stop mail, or have it again. */
export function renderSubscription(frame: Frame, view: SubscriptionView & { offered: Offered }): string {
  const { offered, speech } = view;
  const part = (
    <>
      <SubscriptionPart view={view} sender={frame.workspaceName ?? ""} action={frame.subscriptionPath} />
      <WayBack speech={speech} path={frame.path} />
    </>
  );
  return render(frame, speech, subscriptionHeading(view), part, null, offered);
}

/** A button, because programs that look at mail open its links. */
function ConfirmForm({ speech, token }: { speech: Speech; token: string }) {
  return (
    <form method="post">
      <div class="buttons">
        <button class="button" type="submit" name={CONFIRM_FIELD} value={token}>
          {speech.say("confirmButton")}
        </button>
      </div>
    </form>
  );
}

/** For browsers that don't go on by themselves; in a trial, where none goes on; and in a frame, which only the person can leave. */
function Next({ address, speech, frame }: { address: string; speech: Speech; frame: Frame }) {
  const { isTrial, isFramed } = frame;
  const { host } = new URL(address);
  // In a trial, its author reads it.
  const [before, after] = isTrial ? ["People are redirected to ", ""] : speech.around("leadsTo");
  const site = isFramed ? (
    host
  ) : (
    <TextLink address={address} isTrial={isTrial}>
      {isTrial ? address : host}
    </TextLink>
  );
  return (
    <>
      <p class="text">
        {before}
        <bdi>{site}</bdi>
        {after}
      </p>
      {isFramed && (
        <p class="buttons">
          <a class="button" href={address} target="_top" rel="noreferrer noopener">
            {speech.say("continue")}
          </a>
        </p>
      )}
    </>
  );
}

const MINUTE_MS = 60_000;

/** When the study opens. In the study's time zone, because without a script we don't know the participant's. */
function OpensAt({ time, timeZone, speech }: { time: string; timeZone: string; speech: Speech }) {
  // The next full minute, so that it is open by then.
  const shown = new Date(Math.ceil(Date.parse(time) / MINUTE_MS) * MINUTE_MS);
  const [before, after] = speech.around("opensOn");
  return (
    <>
      {before}
      <time dateTime={time}>{withZone(speech.moment(shown, timeZone), timeZone)}</time>
      {after}{" "}
    </>
  );
}

/** The page for a problem. It does not name the workspace, because that would show that it exists. */
export function renderProblem(base: string, code: ProblemCode, speech: Speech): string {
  const { heading, text } = wordsNamed(problems[code] ?? "failed", speech);
  return render({ base, workspaceName: null }, speech, heading, <p class="text">{text}</p>);
}

function render(
  frame: Frame,
  speech: Speech,
  heading: string,
  text: ComponentChildren,
  mark: "tick" | "outline" | null = null,
  offered?: Offered,
  ended?: string,
): string {
  const page = (
    <Layout {...frame} speech={speech} title={heading} ended={ended}>
      {offered && frame.languageForm && <EndLanguages offered={offered} form={frame.languageForm} speech={speech} />}
      <div class="end">
        {mark !== null && <p class={`mark mark-${mark}`} aria-hidden="true" />}
        <h1>{heading}</h1>
        {text}
      </div>
    </Layout>
  );
  return `<!doctype html>${renderToString(page)}`;
}
