// Pages without questions: how a session ended, and what went wrong.

import type { ComponentChildren } from "preact";
import { renderToString } from "preact-render-to-string";
import { clean } from "../base/clean-text.ts";
import type { ProblemCode } from "../base/problems.ts";
import { withZone } from "../nouns/screeners/time-zones.ts";
import type { Ending, EndView } from "./ending.ts";
import { type Frame, Layout } from "./layout.tsx";
import { LinkedText, TextLink } from "./linked-text.tsx";

interface Words {
  heading: string;
  text: string;
}

const CLOSED: Words = {
  heading: "This study is closed",
  text: "It takes no more answers. Thank you for your interest. If you think that this is a mistake, please contact the people who invited you.",
};

const EXPIRED: Words = {
  heading: "This link has expired",
  text: "It takes no more answers. If you would still like to take part, please contact the people who invited you.",
};

const FULL: Words = {
  heading: "This study is full",
  text: "Enough people have taken part already, so it takes no more answers. Thank you for your interest.",
};

/** None of these says who qualified: only the author's own text may say it. */
const endings: Record<Ending, Words> = {
  thanks: { heading: "Thank you", text: "Your answers have been sent. You can close this page now." },
  answered: {
    heading: "You have already answered",
    text: "Your answers have been sent, and there is nothing more to do. Thank you for taking part.",
  },
  archived: CLOSED,
  closed: CLOSED,
  expired: EXPIRED,
  paused: {
    heading: "This study is paused",
    text: "It takes no answers at the moment. What you have sent before is kept. Please open your link again later.",
  },
  notYetOpen: { heading: "This study is not open yet", text: "Please open your link again then." },
  removed: {
    heading: "This link is no longer available",
    text: "It has been withdrawn, and takes no more answers. If you would still like to take part, please contact the people who invited you.",
  },
  full: FULL,
  fullNow: FULL,
};

const NOT_WORKING: Words = {
  heading: "This link does not work",
  text: "Please check that you have the whole link, just as it was sent to you. If it still does not work, please contact the people who invited you.",
};

const UNREADABLE: Words = {
  heading: "That could not be read",
  text: "What was sent can’t have come from our page as it is. Please open your link again; what you have sent before is kept.",
};

const LATER: Words = {
  heading: "Please try again in a moment",
  text: "The service is very busy just now. Nothing is lost: wait a little, then open your link again.",
};

const problems: { [code in ProblemCode]?: Words } = {
  screener_session_not_found: NOT_WORKING,
  too_many_requests: {
    heading: "Please wait a minute",
    text: "Too many links that do not work were opened from your network. Please wait a minute, then open your link again.",
  },
  body_too_large: {
    heading: "That was too much at once",
    text: "Your answers on this page are longer than we can take. Please go back, and shorten them.",
  },
  screener_closed: CLOSED,
  link_expired: EXPIRED,
  workspace_suspended: {
    heading: "This study is not available at the moment",
    text: "Your answers so far are kept. Please open your link again later.",
  },
  not_acceptable: {
    heading: "Your browser can’t show this page",
    text: "It accepts no form in which we can send the page. Please open your link in another browser.",
  },
  invalid_request: UNREADABLE,
  unsupported_media_type: UNREADABLE,
  store_busy: LATER,
  store_full: LATER,
  store_migrating: LATER,
  store_unavailable: LATER,
};

const FAILED: Words = {
  heading: "Something went wrong",
  text: "That was our fault, not yours. What you have sent before is kept. Please open your link again in a while.",
};

/** What our own page says of an ending, where the author has written nothing. */
export function wordsOf(ending: Ending): Words {
  return endings[ending];
}

export function renderEnding(
  frame: Frame,
  { ending, thankYou, isTicked, leadsTo, opensAt, timeZone }: EndView,
): string {
  const { heading, text } = endings[ending];
  const mark = isTicked ? "tick" : ending === "thanks" || ending === "answered" ? "dot" : null;
  const next = leadsTo === null ? null : <Next address={leadsTo} isTrial={frame.isTrial} />;
  const opening = ending === "notYetOpen" && opensAt !== null && <OpensAt time={opensAt} timeZone={timeZone} />;
  const words =
    thankYou === null ? (
      <p class="text">
        {opening}
        {text}
      </p>
    ) : (
      <p class="text" dir="auto" lang="">
        <LinkedText text={clean(thankYou)} isTrial={frame.isTrial} />
      </p>
    );
  return render(frame, heading, [words, next], mark);
}

/** For browsers that don't go on by themselves, and in a trial, where none goes on. */
function Next({ address, isTrial }: { address: string; isTrial?: boolean | undefined }) {
  const { host } = new URL(address);
  return (
    <p class="text">
      {isTrial ? "People are led on to " : "You are led on to "}
      <TextLink address={address} isTrial={isTrial}>
        {isTrial ? address : host}
      </TextLink>
    </p>
  );
}

const MINUTE_MS = 60_000;

/** When the study opens. In the study's time zone, because without a script we don't know the participant's. */
function OpensAt({ time, timeZone }: { time: string; timeZone: string }) {
  // The next full minute, so that it is open by then.
  const shown = new Date(Math.ceil(Date.parse(time) / MINUTE_MS) * MINUTE_MS);
  const inWords = new Intl.DateTimeFormat("en-GB", { dateStyle: "full", timeStyle: "short", timeZone });
  return (
    <>
      It opens on <time dateTime={time}>{withZone(inWords.format(shown), timeZone)}</time>.{" "}
    </>
  );
}

/** The page for a problem. It does not name the workspace, because that would show that it exists. */
export function renderProblem(base: string, code: ProblemCode): string {
  const { heading, text } = problems[code] ?? FAILED;
  return render({ base, workspaceName: null }, heading, <p class="text">{text}</p>);
}

function render(frame: Frame, heading: string, text: ComponentChildren, mark: "tick" | "dot" | null = null): string {
  const page = (
    <Layout {...frame} title={heading}>
      <div class="end">
        {mark !== null && <p class={`mark mark-${mark}`} aria-hidden="true" />}
        <h1>{heading}</h1>
        {text}
      </div>
    </Layout>
  );
  return `<!doctype html>${renderToString(page)}`;
}
