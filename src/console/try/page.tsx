// The test drive: a page as people see it, and beside it what the rules come to.

import type { VNode } from "preact";
import { clean } from "../../base/clean-text.ts";
import type { ArmAssignment } from "../../nouns/content/content.ts";
import { LabelledField } from "../shell/fault-list.tsx";
import { TextField } from "../shell/fields.tsx";
import { nameOf } from "../shell/language-name.tsx";
import { Token } from "../shell/layout.tsx";
import { renderStudyPage, type StudyFrame } from "../study/study-frame.tsx";
import type { TryExplanation } from "./explain.ts";
import { DRAW, ORDER } from "./person.ts";
import { SPOKEN } from "./said.ts";
import { type TestLinks, TestLinksCard } from "./test-links-card.tsx";

interface TryView {
  /** The page as people see it. */
  html: string;
  explanation: TryExplanation;
  /** The attributes that rules are about, as typed. */
  attributes: (readonly [key: string, value: string])[];
  assignments: readonly ArmAssignment[];
  /** What the orders by chance come from. */
  seed: string;
  /** Those that the draft can be tried in, and the one that it is in. */
  languages: readonly string[];
  language: string;
  /** Undefined: the visitor may not open them. */
  tests: TestLinks | undefined;
}

type Rule = TryExplanation["rules"][number];

const RESULTS: Record<Rule["result"], string> = {
  HOLDS: "Holds",
  DOES_NOT_HOLD: "Does not hold",
  NOT_SHOWN: "Its page is not shown",
  NOT_REACHED: "Not looked at: a rule before it has decided",
  UNKNOWN: "Open: it depends on answers to come",
};

const OUTCOMES = { QUALIFIED: "Qualified", DISQUALIFIED: "Screened out", UNKNOWN: "No rule decides" };

export function renderTry(
  frame: StudyFrame,
  { html, explanation, attributes, assignments, seed, languages, language, tests }: TryView,
): string {
  const path = `${frame.base}/console/studies/${frame.id}/try`;
  const { outcome, reason, rules, quotas, arms, orders } = explanation;
  return renderStudyPage(
    frame,
    { at: "/try", heading: "Test drive", isWide: true },
    <>
      <p>Answer the draft as a person would. Nothing is stored, and nothing is counted.</p>
      <div class="drive">
        <iframe class="phone" title="The page as people see it" srcDoc={html} />
        <div>
          {outcome !== null && (
            <div class="done" role="status">
              <h2>{OUTCOMES[outcome]}</h2>
              <p>{reason && clean(reason)}</p>
            </div>
          )}
          <h2>Rules</h2>
          {rules.length === 0 && <p>There is no rule: nobody is screened out, and nobody qualifies.</p>}
          <ul class="cards">
            {rules.map((rule) => (
              <RuleCard key={rule.sentence} rule={rule} />
            ))}
          </ul>
          {quotas && (
            <>
              <h2>Quotas</h2>
              <p>
                Counts in:{" "}
                <bdi>{quotas.length ? clean(quotas.join("; ")) : outcome === null ? "none so far" : "none"}</bdi>
              </p>
            </>
          )}
          {arms && (
            <>
              <h2>Arms</h2>
              <ul>
                {arms.map(({ assignment, arm }) => (
                  <li key={assignment}>
                    <bdi>{clean(assignment)}</bdi>:{" "}
                    <bdi>{arm === null ? (outcome === null ? "none so far" : "none") : clean(arm)}</bdi>
                  </li>
                ))}
              </ul>
            </>
          )}
          {orders.length > 0 && <Orders orders={orders} />}
          <form class="again" method="post" action={path}>
            <Token value={frame.signedIn.token} />
            <input type="hidden" name="begin" value="yes" />
            <input type="hidden" name={ORDER} value={clean(seed)} />
            {languages.length > 1 && (
              <LabelledField id={SPOKEN} label="Language">
                {() => (
                  <select class="entry" id={SPOKEN} name={SPOKEN}>
                    {languages.map((one) => (
                      <option key={one} value={one} selected={one === language}>
                        {nameOf(one)}
                      </option>
                    ))}
                  </select>
                )}
              </LabelledField>
            )}
            {attributes.length > 0 && <h2>Attributes of the person</h2>}
            {attributes.map(([key, value], index) => (
              <TextField key={key} name={`attribute-${index}`} label={key} value={value} />
            ))}
            {assignments.map(({ id, name, arms: ofIt }, index) => (
              <LabelledField key={id} id={`arm-${index}`} label={`Arm of “${name}”`}>
                {() => (
                  <select class="entry" id={`arm-${index}`} name={`arm-${index}`}>
                    <option value="">As it is drawn</option>
                    {ofIt.map((arm) => (
                      <option key={arm.id} value={arm.id}>
                        {clean(arm.name)}
                      </option>
                    ))}
                  </select>
                )}
              </LabelledField>
            ))}
            <button class="button button-quiet" type="submit">
              Begin again
            </button>
            {orders.length > 0 && (
              <button class="button button-quiet" type="submit" name={DRAW} value="yes">
                Begin again in another order
              </button>
            )}
          </form>
        </div>
      </div>
      {tests && <TestLinksCard frame={frame} tests={tests} />}
    </>,
  );
}

/** What is shuffled, as this person is shown it. */
function Orders({ orders }: { orders: TryExplanation["orders"] }): VNode {
  return (
    <>
      <h2>Order by chance</h2>
      <p>Each person sees these in an order of their own. This is one of them.</p>
      <ul>
        {orders.map(({ subject, items }) => (
          <li key={subject}>
            The <bdi>{clean(subject)}</bdi>: <bdi>{clean(items.join("; "))}</bdi>
          </li>
        ))}
      </ul>
    </>
  );
}

function RuleCard({ rule: { sentence, result, decides, comparisons } }: { rule: Rule }): VNode {
  const unknown = result === "UNKNOWN" ? "open" : "not looked at";
  return (
    <li class="card">
      <p dir="auto">{clean(sentence)}</p>
      <p class="states">
        <span class={decides ? "state state-failed" : result === "HOLDS" ? "state state-live" : "state"}>
          {decides ? `${RESULTS[result]}: this screens out` : RESULTS[result]}
        </span>
      </p>
      {comparisons.length > 1 && (
        <ul class="differences">
          {comparisons.map(({ sentence: text, isHolding }) => (
            <li key={text}>
              <bdi>{clean(text)}</bdi>: {isHolding === null ? unknown : isHolding ? "holds" : "does not hold"}
            </li>
          ))}
        </ul>
      )}
    </li>
  );
}
