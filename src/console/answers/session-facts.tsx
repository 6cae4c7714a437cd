// What is known of one session: what was answered, and why that came to its outcome.

import type { VNode } from "preact";
import { clean } from "../../base/clean-text.ts";
import type { ExplainedRule, ScreenerResponse, ScreenerSessionExplanation } from "../../client/types.ts";
import type { Markup } from "../../nouns/question-types/markup/parse.ts";
import { plainOf } from "../../nouns/question-types/markup/plain.ts";
import { answerCell } from "../../nouns/question-types/registry.ts";
import { PLACE_STATES, REASONS } from "../quotas/words.tsx";
import { inWords } from "../shell/known-words.ts";
import type { StudyFrame } from "../study/study-frame.tsx";
import type { SaidSignal } from "./evidence.ts";

export interface SessionFacts {
  explanation: ScreenerSessionExplanation;
  responses: ScreenerResponse[];
  signals: readonly SaidSignal[];
  /** How the texts of its version are read. */
  markup: Markup;
}

/** Why the session came to its outcome. */
export function Why({
  frame,
  explanation,
  markup,
}: { frame: StudyFrame } & Pick<SessionFacts, "explanation" | "markup">): VNode {
  return (
    <>
      <Rules explanation={explanation} markup={markup} />
      <Quotas frame={frame} explanation={explanation} />
      <Arms explanation={explanation} />
    </>
  );
}

/** What was answered. */
export function Given({ facts }: { facts: SessionFacts }): VNode {
  const { explanation, responses, markup } = facts;
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

const RESULTS: Record<ExplainedRule["result"], string> = {
  HOLDS: "Yes",
  DOES_NOT_HOLD: "No",
  NOT_SHOWN: "Not asked: its page is not shown for these answers",
  NOT_REACHED: "Not asked: a rule before it has decided",
  UNKNOWN: "Not known yet",
};

/** The rules, in the order in which they are looked at. */
function Rules({ explanation, markup }: Pick<SessionFacts, "explanation" | "markup">): VNode {
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
              {reason !== null && `: ${inWords(REASONS, reason).toLowerCase()}`}
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
