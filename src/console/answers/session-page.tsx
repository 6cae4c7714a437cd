// The page with the answers of one person, whose outcome is explained rule by rule.

import type { VNode } from "preact";
import { clean } from "../../base/clean-text.ts";
import type {
  ExplainedRule,
  ScreenerResponse,
  ScreenerSession,
  ScreenerSessionExplanation,
} from "../../client/types.ts";
import type { Markup } from "../../nouns/question-types/markup/parse.ts";
import { plainOf } from "../../nouns/question-types/markup/plain.ts";
import { answerCell } from "../../nouns/question-types/registry.ts";
import { includesRole } from "../../workspaces/console-users.ts";
import { PLACE_STATES, REASONS } from "../quotas/words.tsx";
import type { Faults } from "../shell/faults.ts";
import { Choices, FaultSummary, fieldsOf, TextField } from "../shell/fields.tsx";
import { ApiCall, Figure, Time, Token } from "../shell/layout.tsx";
import { Done, renderStudyPage, type StudyFrame } from "../study/study-frame.tsx";

const STATES = { NOT_STARTED: "Not started", IN_PROGRESS: "In progress", COMPLETED: "Completed" } as const;

export interface SessionView {
  session: ScreenerSession;
  explanation: ScreenerSessionExplanation;
  responses: ScreenerResponse[];
  /** How the texts of its version are read. */
  markup: Markup;
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

export const REVIEWS = { PENDING: "Waits for a review", ACCEPTED: "Accepted", REJECTED: "Rejected" } as const;

const OUTCOMES = { QUALIFIED: "Qualified", DISQUALIFIED: "Screened out", UNKNOWN: "Completed" } as const;

export function headingOf(
  { outcome, outcomeReason }: SessionView["explanation"],
  state: SessionView["session"]["state"],
): string {
  if (outcomeReason === "OVER_QUOTA") return "Over quota";
  if (outcomeReason === "NO_CONSENT") return "No consent";
  return outcome ? OUTCOMES[outcome] : STATES[state];
}

export function renderSession(frame: StudyFrame, view: SessionView): string {
  const { session, explanation, responses, markup, faults, isSaved, curl } = view;
  const { status, state, startedAt, completedAt } = session;
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
          {status !== "ACTIVE" && <Figure name="Link" value={status === "ARCHIVED" ? "Archived" : "Removed"} />}
        </dl>
      </section>
      <Why frame={frame} explanation={explanation} markup={markup} />
      <Given view={view} />
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

/** Why the session came to its outcome. */
export function Why({
  frame,
  explanation,
  markup,
}: { frame: StudyFrame } & Pick<SessionView, "explanation" | "markup">): VNode {
  return (
    <>
      <Rules explanation={explanation} markup={markup} />
      <Quotas frame={frame} explanation={explanation} />
      <Arms explanation={explanation} />
    </>
  );
}

/** What was answered. */
export function Given({ view }: { view: Pick<SessionView, "explanation" | "responses" | "markup"> }): VNode {
  const { explanation, responses, markup } = view;
  return (
    <section>
      <h2>What was answered</h2>
      {explanation.basis.answers === "NOT_KEPT" && <p>The answers are not kept any more.</p>}
      {responses.length === 0 && explanation.basis.answers === "KEPT" && <p>Nothing yet.</p>}
      <dl class="answers">
        {responses.map(({ screenerQuestionId, screenerQuestionPrompt, questionType, answer, normalizedAnswer }) => (
          <div key={screenerQuestionId}>
            <dt dir="auto">{clean(plainOf(screenerQuestionPrompt, markup))}</dt>
            <dd dir="auto">
              {answer === null ? <span class="note">Skipped</span> : clean(String(answerCell(questionType, answer)))}
              {normalizedAnswer !== undefined && normalizedAnswer !== answer && (
                <span class="note">
                  {" "}
                  In standard form: <bdi>{clean(normalizedAnswer)}</bdi>
                </span>
              )}
            </dd>
          </div>
        ))}
      </dl>
    </section>
  );
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

const RESULTS: Record<ExplainedRule["result"], string> = {
  HOLDS: "Yes",
  DOES_NOT_HOLD: "No",
  NOT_SHOWN: "Not asked: its page is not shown for these answers",
  NOT_REACHED: "Not asked: a rule before it has decided",
  UNKNOWN: "Not known yet",
};

/** The rules, in the order in which they are looked at. */
function Rules({ explanation, markup }: Pick<SessionView, "explanation" | "markup">): VNode {
  const { rules, basis } = explanation;
  return (
    <section>
      <h2>Why, rule by rule</h2>
      {rules.length === 0 && <p>This version has no rules.</p>}
      <ol class="rules">
        {rules.map(({ sentence, pageTitle, result, decides, comparisons }, at) => (
          <li key={`${at} ${sentence}`} class={decides ? "rule rule-decides" : "rule"}>
            <p class="strong" dir="auto">
              {clean(sentence)}
              {pageTitle !== null && <span class="note"> (page “{clean(plainOf(pageTitle, markup))}”)</span>}
            </p>
            <p>
              {RESULTS[result]}
              {decides && <span class="state">This decided</span>}
            </p>
            {comparisons.length > 1 && (
              <ul>
                {comparisons.map((one) => (
                  <li key={one.pointer} dir="auto">
                    {clean(one.sentence)}: {one.holds === null ? "not looked at" : one.holds ? "yes" : "no"}
                  </li>
                ))}
              </ul>
            )}
          </li>
        ))}
      </ol>
      {basis.attributes === "MAY_HAVE_CHANGED" && (
        <p class="note">
          Rules or quotas are about attributes of the person, who was changed since. They are shown as they are now.
        </p>
      )}
    </section>
  );
}

/** The quotas that the person counts in, or had a place in. */
function Quotas({
  frame,
  explanation: { quotas },
}: {
  frame: StudyFrame;
  explanation: ScreenerSessionExplanation;
}): VNode | null {
  const own = quotas.filter(({ isIn, place }) => isIn || place !== null);
  if (!own.length) return null;
  return (
    <section>
      <h2>Quotas</h2>
      <ul class="rows">
        {own.map(({ screenerQuotaId, name, isIn, place, reason }) => (
          <li key={screenerQuotaId}>
            <a href={`${frame.base}/console/studies/${frame.id}/quotas/${screenerQuotaId}`} dir="auto">
              {clean(name)}
            </a>
            <span>
              {place === null ? "No place" : PLACE_STATES[place]}
              {reason !== null && `: ${REASONS[reason].toLowerCase()}`}
              {isIn === false && " (does not count in it now)"}
            </span>
          </li>
        ))}
      </ul>
    </section>
  );
}

/** The arms that the person was given. */
function Arms({ explanation: { arms, state } }: { explanation: ScreenerSessionExplanation }): VNode | null {
  if (!arms.length) return null;
  return (
    <section>
      <h2>Arms</h2>
      <ul class="rows">
        {arms.map(({ assignmentId, assignmentName, armName }) => (
          <li key={assignmentId}>
            <span dir="auto">{clean(assignmentName)}</span>
            <span dir="auto">{armName === null ? (state === "COMPLETED" ? "None" : "None yet") : clean(armName)}</span>
          </li>
        ))}
      </ul>
    </section>
  );
}
