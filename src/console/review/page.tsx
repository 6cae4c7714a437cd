// The page on which people accept or reject who qualifies: the answers, why they qualify, and what to decide.

import type { VNode } from "preact";
import { clean } from "../../base/clean-text.ts";
import type { NewReview, ScreenerSession } from "../../client/types.ts";
import { counted } from "../../languages/counted.ts";
import { Given, type SessionFacts, Why } from "../answers/session-facts.tsx";
import { headingOf } from "../answers/session-page.tsx";
import { Signals } from "../answers/signals.tsx";
import { shortcutScript } from "../shell/assets.ts";
import type { Faults } from "../shell/faults.ts";
import { FaultSummary, fieldsOf, TextField } from "../shell/fields.tsx";
import { REVIEWS } from "../shell/known-words.ts";
import { ApiCall, Figure, Time, Token } from "../shell/layout.tsx";
import { Done, renderStudyPage, type StudyFrame } from "../study/study-frame.tsx";
import { MANY_LABELS, Many, type ManyView } from "./many.tsx";

type Decision = NewReview["decision"];

export interface Reviewed extends SessionFacts {
  session: ScreenerSession;
}

/** Somebody who waits. */
export interface Waiting {
  reference: string;
  externalUid: string;
  completedAt: string;
}

interface ReviewView {
  /** Those who have waited longest. */
  waiting: Waiting[];
  shown: Reviewed | undefined;
  /** What the form has. */
  reason: string;
  faults: Faults;
  many: ManyView;
  /** What was just decided. */
  done: Decision | null;
  curl: string;
}

const SAID: Record<Decision, string> = {
  ACCEPTED: "Accepted. The places are taken.",
  REJECTED: "Rejected. The places are free for others.",
  PENDING: "Taken back. This person waits for a review again.",
};

export function isDecision(text: string): text is Decision {
  return text in SAID;
}

const LABELS = { reason: "Reason", ...MANY_LABELS };

export function renderReview(frame: StudyFrame, view: ReviewView): string {
  const { waiting, shown, faults, many, done, curl } = view;
  return renderStudyPage(
    frame,
    {
      at: "/review",
      heading: "Review",
      hasFaults: Object.keys(faults).length > 0,
      isWide: true,
      script: `${frame.base}/console/assets/${shortcutScript.file}`,
    },
    <>
      {done && <Done>{SAID[done]}</Done>}
      <FaultSummary faults={faults} labels={LABELS} />
      {!shown && <p>Nobody waits for a review.</p>}
      {shown && <Person frame={frame} view={view} shown={shown} />}
      {(waiting.length > 0 || many.words.length > 0) && <Many frame={frame} many={many} faults={faults} />}
      {waiting.length > 0 && <Queue frame={frame} waiting={waiting} shown={shown} />}
      <ApiCall curl={curl} />
    </>,
  );
}

function Person({ frame, view, shown }: { frame: StudyFrame; view: ReviewView; shown: Reviewed }): VNode {
  const { session, explanation, responses, signals, markup } = shown;
  const { completedAt, review } = session;
  const [first] = responses;
  return (
    <>
      <section class="card">
        <h2>{review!.state === "PENDING" ? headingOf(explanation, session.state) : REVIEWS[review!.state]}</h2>
        <p dir="auto">{clean(explanation.sentence)}</p>
        <dl class="figures">
          {first && (
            <Figure
              name="Person"
              value={
                <a href={`${frame.base}/console/people/${first.participantId}`}>
                  <bdi>{clean(first.externalParticipantUid)}</bdi>
                </a>
              }
            />
          )}
          {completedAt !== null && <Figure name="Completed" value={<Time at={completedAt} />} />}
          {review!.by && <Figure name="Decided by" value={<bdi>{clean(review!.by.name)}</bdi>} />}
          {review!.at && <Figure name="Decided" value={<Time at={review!.at} />} />}
        </dl>
        {review!.reason !== null && <p dir="auto">{clean(review!.reason)}</p>}
        <Signals signals={signals} path={`${frame.base}/console/studies/${frame.id}/answers`} />
        <DecisionForm frame={frame} view={view} session={session} />
      </section>
      <div class="side-by-side">
        <div>
          <Given facts={shown} />
        </div>
        <div>
          <Why frame={frame} explanation={explanation} markup={markup} />
        </div>
      </div>
    </>
  );
}

/** The buttons, with the keys that press them where scripts run. */
const BUTTONS: readonly (readonly [Decision, string, string])[] = [
  ["ACCEPTED", "Accept", "a"],
  ["REJECTED", "Reject", "r"],
  ["PENDING", "Take it back", "u"],
];

function DecisionForm({
  frame,
  view: { reason, faults },
  session,
}: {
  frame: StudyFrame;
  view: ReviewView;
  session: ScreenerSession;
}): VNode {
  const field = fieldsOf({ reason: LABELS.reason }, { reason }, faults);
  return (
    <form method="post" action={`${frame.base}/console/studies/${frame.id}/review`} novalidate>
      <Token value={frame.signedIn.token} />
      <input type="hidden" name="session" value={session.reference} />
      <input type="hidden" name="was" value={session.review!.state} />
      <TextField
        {...field("reason")}
        hint="Optional. It is kept with the answers and in the activity, with your name."
      />
      <p>
        {BUTTONS.filter(([decision]) => decision !== session.review!.state).map(([decision, label, key]) => (
          <button
            key={decision}
            class={decision === "ACCEPTED" ? "button" : "button button-quiet"}
            type="submit"
            name="decision"
            value={decision}
            data-shortcut={key}
          >
            {label}
          </button>
        ))}
      </p>
    </form>
  );
}

/** Those who wait, and the way to the ones beside the one that is shown. */
function Queue({
  frame,
  waiting,
  shown,
}: {
  frame: StudyFrame;
  waiting: ReviewView["waiting"];
  shown: Reviewed | undefined;
}): VNode {
  const path = `${frame.base}/console/studies/${frame.id}/review?session=`;
  const at = waiting.findIndex(({ reference }) => reference === shown?.session.reference);
  const [before, after] = [waiting[at - 1], waiting[at + 1]];
  return (
    <section>
      <h2>{counted(frame.pending, "person waits", "people wait")}</h2>
      <p>
        {before && (
          <a href={path + before.reference} data-shortcut="k">
            Previous
          </a>
        )}{" "}
        {after && (
          <a href={path + after.reference} data-shortcut="j">
            Next
          </a>
        )}
      </p>
      <ol class="rows">
        {waiting.map(({ reference, externalUid, completedAt }) => (
          <li key={reference}>
            <a href={path + reference} aria-current={reference === shown?.session.reference ? "true" : undefined}>
              <bdi>{clean(externalUid)}</bdi>
            </a>{" "}
            <span>
              completed <Time at={completedAt} />
            </span>
          </li>
        ))}
      </ol>
      {frame.pending > waiting.length && <p class="note">The {waiting.length} who have waited longest are listed.</p>}
    </section>
  );
}
