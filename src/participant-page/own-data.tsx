// What people may do at their links besides answering: ask for their data, or to be erased, which are tasks for the workspace's staff; withdraw;
// and stop mail. The pages ask first.

import type { VNode } from "preact";
import type { Reader, Writer } from "../../db/sqlite/connection.ts";
import { type SubscriptionView, UNSUBSCRIBE_FIELD } from "../contacts/page/subscription.tsx";
import { findUnsubscribed, subscribe, unsubscribe } from "../contacts/unsubscriptions.ts";
import type { RecordEvent } from "../events/record.ts";
import { findLastRequest, openRequest } from "../nouns/participant-requests/queries.ts";
import type { RequestKind } from "../nouns/participant-requests/resource.ts";
import { withZone } from "../nouns/screeners/time-zones.ts";
import { withdrawSession } from "../screening/lifecycle.ts";
import type { Speech } from "../words/speech.ts";
import type { PlainKey } from "../words/words.ts";
import { canWithdraw } from "./ending.ts";
import { ASK_FIELD, type Asks, type Form, WITHDRAW_FIELD } from "./input.ts";
import type { Frame } from "./layout.tsx";
import type { LinkedSession } from "./queries.ts";

const KINDS: Record<Asks, RequestKind> = { data: "DATA", erasure: "ERASURE" };

/** The page where people stop mail, or have it again. */
export const TO_SUBSCRIPTION = { [UNSUBSCRIBE_FIELD]: "" } as const;

/** The words of a request. */
const WORDS = {
  data: { heading: "dataHeading", text: "dataText", button: "dataButton", asked: "dataAskedHeading" },
  erasure: { heading: "eraseHeading", text: "eraseText", button: "eraseButton", asked: "eraseAskedHeading" },
} as const satisfies Record<Asks, Record<string, PlainKey>>;

/** What a page shows of a request. */
export interface RequestView {
  asks: Asks;
  /** The last one of that kind. */
  last: { state: "OPEN" | "DONE"; at: string } | undefined;
  timeZone: string;
  speech: Speech;
}

/** Tests are nobody's own, although somebody's attributes may count in them. */
export function canAsk({ is_test }: LinkedSession): boolean {
  return is_test === 0;
}

export function subscriptionView(db: Reader, session: LinkedSession, speech: Speech): SubscriptionView {
  return { unsubscribed: findUnsubscribed(db, session.participant_id, session.screener_id), speech };
}

export function requestView(db: Reader, session: LinkedSession, asks: Asks, speech: Speech): RequestView {
  const last = findLastRequest(db, session.participant_id, KINDS[asks]);
  return {
    asks,
    last: last && { state: last.state, at: last.closed_at ?? last.created_at },
    timeZone: session.time_zone,
    speech,
  };
}

/**
 * Inside a transaction: takes a form by which people withdraw, ask for something, or stop mail. Another time it changes nothing. @returns where
 * they go on; "shown": the page is shown at once; undefined: it is another form
 */
export function takeOwn(
  db: Writer,
  session: LinkedSession,
  { isWithdrawal, asks, unsubscribes, subscribes, isOneClick }: Form,
  record: RecordEvent,
): "end" | "shown" | { ask: Asks } | typeof TO_SUBSCRIPTION | undefined {
  if (isWithdrawal && canWithdraw(db, session)) {
    withdrawSession(db, session, record);
    return "end";
  }
  if (!canAsk(session)) return undefined;
  if (unsubscribes) unsubscribe(db, session, unsubscribes, record);
  if (subscribes) subscribe(db, session, subscribes, record);
  // Programs that unsubscribe by themselves do not follow a redirect (RFC 8058, section 3.1).
  if (unsubscribes ?? subscribes) return isOneClick ? "shown" : TO_SUBSCRIPTION;
  if (!asks) return undefined;
  openRequest(db, session, KINDS[asks], record);
  return { ask: asks };
}

export function headingOf({ asks, last, speech }: RequestView): string {
  return speech.say(last?.state === "OPEN" ? WORDS[asks].asked : WORDS[asks].heading);
}

/** The question before a request, or that there is one. */
export function RequestPart({ view, frame }: { view: RequestView; frame: Frame }): VNode {
  const { asks, last, timeZone, speech } = view;
  const { text, button } = WORDS[asks];
  return (
    <>
      {last && <Said word={last.state === "OPEN" ? "askedOn" : "askedBefore"} at={last.at} {...{ timeZone, speech }} />}
      {last?.state !== "OPEN" && (
        <>
          <p class="text">{speech.say(text)}</p>
          <form method="post" action={frame.askPaths?.[asks]}>
            <div class="buttons">
              <button class="button" type="submit" name={ASK_FIELD} value={asks}>
                {speech.say(button)}
              </button>
            </div>
          </form>
        </>
      )}
      <WayBack speech={speech} path={frame.path} />
    </>
  );
}

interface InFrame {
  speech: Speech;
  frame: Frame;
}

/** What else people may do at their link, besides withdrawing. */
export function OwnData({ speech, frame }: InFrame): VNode | null {
  if (!frame.askPaths) return null;
  return (
    <section aria-labelledby="own-data">
      <h2 id="own-data">{speech.say("ownDataHeading")}</h2>
      <Ways speech={speech} frame={frame} />
    </section>
  );
}

/** The same as a page of its own. */
export function OwnDataPart({ speech, frame }: InFrame): VNode {
  return (
    <>
      <Ways speech={speech} frame={frame} />
      <WayBack speech={speech} path={frame.path} />
    </>
  );
}

function Ways({ speech, frame: { askPaths, subscriptionPath } }: InFrame): VNode {
  return (
    <ul class="ways">
      {(["data", "erasure"] as const).map((asks) => (
        <li key={asks}>
          <a class="away" href={askPaths![asks]}>
            {speech.say(WORDS[asks].heading)}
          </a>
        </li>
      ))}
      <li>
        <a class="away" href={subscriptionPath!}>
          {speech.say("unsubscribeHeading")}
        </a>
      </li>
    </ul>
  );
}

/** To the page that the link shows. */
export function WayBack({ speech, path }: { speech: Speech; path: string | undefined }): VNode | null {
  if (path === undefined) return null;
  return (
    <p class="text">
      <a class="away way" href={path}>
        {speech.say("back")}
      </a>
    </p>
  );
}

interface SaidProps {
  word: "askedOn" | "askedBefore" | "answersErased";
  at: string;
  timeZone: string;
  speech: Speech;
}

/** A sentence with a time. In the study's time zone, because without a script we don't know the participant's. */
export function Said({ word, at, timeZone, speech }: SaidProps): VNode {
  const [before, after] = speech.around(word);
  return (
    <p class="text">
      {before}
      <time dateTime={at}>{withZone(speech.moment(new Date(at), timeZone), timeZone)}</time>
      {after}
    </p>
  );
}

/** The button that withdraws. */
export function WithdrawForm({ speech, frame }: { speech: Speech; frame: Frame }) {
  return (
    <>
      <form method="post" action={frame.withdrawPath}>
        <div class="buttons">
          <button class="button" type="submit" name={WITHDRAW_FIELD}>
            {speech.say("withdrawButton")}
          </button>
        </div>
      </form>
      <WayBack speech={speech} path={frame.path} />
    </>
  );
}
