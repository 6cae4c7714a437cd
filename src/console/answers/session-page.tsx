// The page with the answers of one person, whose outcome is explained rule by rule.

import type { VNode } from "preact";
import { clean } from "../../base/clean-text.ts";
import type { ScreenerSession } from "../../client/types.ts";
import { includesRole } from "../../workspaces/rights.ts";

import { Consents } from "../people/person-page.tsx";
import type { Faults } from "../shell/faults.ts";
import { Choices, FaultSummary, fieldsOf, TextField } from "../shell/fields.tsx";
import { OUTCOMES, REVIEWS } from "../shell/known-words.ts";
import { ApiCall, Figure, Time, Token } from "../shell/layout.tsx";
import { Done, renderStudyPage, type StudyFrame } from "../study/study-frame.tsx";
import { Given, type SessionFacts, Why } from "./session-facts.tsx";
import { Signals } from "./signals.tsx";

const STATES = { NOT_STARTED: "Not started", IN_PROGRESS: "In progress", COMPLETED: "Completed" } as const;

interface SessionView extends SessionFacts {
  session: ScreenerSession;
  /** What the form has. */
  typed: TypedOutcome;
  faults: Faults;
  isSaved: boolean;
  curl: string;
}

export interface TypedOutcome {
  outcome: string;
  reason: string;
}

export function headingOf(
  { outcome, outcomeReason }: SessionView["explanation"],
  state: SessionView["session"]["state"],
): string {
  if (outcomeReason === "OVER_QUOTA") return "Full";
  if (outcomeReason === "NO_CONSENT") return "No consent";
  return outcome ? OUTCOMES[outcome] : STATES[state];
}

export function renderSession(frame: StudyFrame, view: SessionView): string {
  const { session, explanation, responses, markup, faults, isSaved, curl } = view;
  const { status, state, startedAt, completedAt, withdrawnAt, answersErasedAt } = session;
  const [first] = responses;
  const person = first && (
    <a href={`${frame.base}/console/people/${first.participantId}`}>
      <bdi>{clean(first.externalParticipantUid)}</bdi>
    </a>
  );
  return renderStudyPage(
    frame,
    { at: "/answers", heading: "Answers of one person", hasFaults: Object.keys(faults).length > 0 },
    <>
      {isSaved && <Done>The outcome is set.</Done>}
      <FaultSummary faults={faults} labels={LABELS} />
      <p class="back">
        <a href={`${frame.base}/console/studies/${frame.id}/answers`}>All answers</a>
      </p>
      <section class="card">
        <h2>{headingOf(explanation, state)}</h2>
        <p dir="auto">{clean(explanation.sentence)}</p>
        <dl class="figures">
          {person && <Figure name="Person" value={person} />}
          <Figure name="Version" value={String(explanation.version)} />
          {startedAt !== null && <Figure name="Started" value={<Time at={startedAt} />} />}
          {completedAt !== null && <Figure name="Completed" value={<Time at={completedAt} />} />}
          {session.review && <Figure name="Review" value={<ReviewLink frame={frame} session={session} />} />}
          {session.review?.by && <Figure name="Decided by" value={<bdi>{clean(session.review.by.name)}</bdi>} />}
          {withdrawnAt !== null && <Figure name="Withdrawn" value={<Time at={withdrawnAt} />} />}
          {answersErasedAt !== null && <Figure name="Answers erased" value={<Time at={answersErasedAt} />} />}
          {status !== "ACTIVE" && withdrawnAt === null && (
            <Figure name="Link" value={status === "ARCHIVED" ? "Archived" : "Removed"} />
          )}
        </dl>
        {session.review?.reason && <p dir="auto">{clean(session.review.reason)}</p>}
        {withdrawnAt !== null && <p class="note">The person has withdrawn: this counts nowhere any more.</p>}
        <Consents session={session} />
        <Signals signals={view.signals} path={`${frame.base}/console/studies/${frame.id}/answers`} />
        {withdrawnAt !== null && answersErasedAt === null && includesRole(frame.signedIn.role, "admin") && (
          <p>
            <a href={`${frame.base}/console/studies/${frame.id}/answers/${session.reference}/erase`}>
              Erase these answers …
            </a>
          </p>
        )}
      </section>
      <Why frame={frame} explanation={explanation} markup={markup} />
      <Given facts={view} />
      {session.state === "COMPLETED" && includesRole(frame.signedIn.role, "researcher") && (
        <OutcomeForm frame={frame} view={view} />
      )}
      <ApiCall curl={curl} />
    </>,
  );
}

function ReviewLink({ frame, session }: { frame: StudyFrame; session: ScreenerSession }): VNode {
  const said = REVIEWS[session.review!.state];
  if (!includesRole(frame.signedIn.role, "researcher")) return <>{said}</>;
  return <a href={`${frame.base}/console/studies/${frame.id}/review?session=${session.reference}`}>{said}</a>;
}

const LABELS = { outcome: "Outcome", reason: "Reason" };

/** Sets the outcome by hand. */
function OutcomeForm({ frame, view }: { frame: StudyFrame; view: SessionView }): VNode {
  const { session, explanation, typed, faults } = view;
  const choices = [
    { value: "QUALIFIED", label: "Qualified", hint: "Counts for the target, also beyond it." },
    { value: "DISQUALIFIED", label: "Screened out", hint: "Does not count for the target." },
  ];
  if (explanation.override)
    choices.push({ value: "BY_RULES", label: "By the rules again", hint: "What was set by hand is taken back." });
  const field = fieldsOf(LABELS, typed, faults);
  return (
    <section class="card apart">
      <h2>Set the outcome by hand</h2>
      <form method="post" action={`${frame.base}/console/studies/${frame.id}/answers/${session.reference}`} novalidate>
        <Token value={frame.signedIn.token} />
        <Choices {...field("outcome")} choices={choices} />
        <TextField {...field("reason")} hint="It is kept with the answers and in the activity, with your name." />
        <button class="button" type="submit">
          Set the outcome
        </button>
      </form>
    </section>
  );
}
