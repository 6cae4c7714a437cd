// Judges a session that ends by the rules of its content, in their order.

import type { Condition } from "../question-types/comparisons.ts";
import { type Question, typeOf } from "../question-types/registry.ts";
import { endsWithout, type ShownPage } from "./answers.ts";
import { askedIn, type Content, hasRules, type Outcome, type OutcomeReason, type Page } from "./content.ts";
import { type Facts, holds, type Look } from "./holds.ts";
import { truthOf } from "./open.ts";

/** A page's `disqualifyWhen`, the content's `qualifyWhen`, or that a question must be answered. */
export interface Rule {
  /** Null: `qualifyWhen`. */
  page: Page | null;
  condition: Condition;
  /** A question of the page without whose answer the session ends. */
  needed?: Question;
}

export interface Judgement {
  outcome: Outcome;
  outcomeReason: OutcomeReason | null;
}

/**
 * The rules of these pages and of the content as a whole, in the order in which they are evaluated. The first one that screens out decides:
 * a question that must be answered comes before all that is asked about.
 */
export function rulesOf({ qualifyWhen }: Content, pages: readonly Page[]): Rule[] {
  const rules: Rule[] = pages.flatMap((page) =>
    askedIn(page)
      .filter(endsWithout)
      .map((needed) => ({ page, condition: lacks(needed), needed })),
  );
  for (const page of pages) if (page.disqualifyWhen) rules.push({ page, condition: page.disqualifyWhen });
  if (qualifyWhen) rules.push({ page: null, condition: qualifyWhen });
  return rules;
}

/** Whether a session has ended otherwise before it came to a question: then it has not gone without the answer. */
export function isUnasked({ id }: Question, facts: Facts): boolean {
  return !facts.has(id);
}

function lacks({ id, showWhen }: Question): Condition {
  const isMissing = { questionId: id, answered: false };
  return showWhen ? { all: [showWhen, isMissing] } : isMissing;
}

/** Whether a rule screens out. @param look called with each comparison that is looked at */
export function screensOut({ page, condition, needed }: Rule, facts: Facts, look?: Look): boolean {
  if (needed && isUnasked(needed, facts)) return false;
  return holds(condition, facts, look) === (page !== null);
}

/** Whether a rule of the content screens out for all answers to the open questions. Undefined: it depends on them. */
export function isScreenedOut(content: Content, facts: Facts, open: ReadonlySet<string>): boolean | undefined {
  let isOut: boolean | undefined = false;
  for (const { page, condition, needed } of rulesOf(content, content.pages)) {
    if (needed && isUnasked(needed, facts) && !open.has(needed.id)) continue;
    const isShown = page?.showWhen ? truthOf(page.showWhen, facts, open) : true;
    if (isShown === false) continue;
    const isHolding = truthOf(condition, facts, open);
    const decides = page !== null;
    if (isShown && isHolding === decides) return true;
    if (isHolding !== !decides) isOut = undefined;
  }
  return isOut;
}

/**
 * The outcome of a session that ends. @param pages those that are shown
 * @param isReached whether the target is reached. It is called only if no rule screens out
 */
export function judge(
  content: Content,
  pages: readonly ShownPage[],
  facts: Facts,
  isReached: () => boolean,
): Judgement {
  // All pages are judged again: some have no questions, and answers that the rule of a page needs may have changed later.
  const rules = rulesOf(
    content,
    pages.map(({ page }) => page),
  );
  return judgedBy(
    content,
    rules.find((rule) => screensOut(rule, facts)),
    isReached,
  );
}

/** The outcome. @param out the first rule that screens out */
export function judgedBy(content: Content, out: Rule | undefined, isReached: () => boolean): Judgement {
  if (out) return { outcome: "DISQUALIFIED", outcomeReason: reasonOf(out) };
  if (!hasRules(content)) return { outcome: "UNKNOWN", outcomeReason: null };
  return isReached()
    ? { outcome: "DISQUALIFIED", outcomeReason: "OVER_QUOTA" }
    : { outcome: "QUALIFIED", outcomeReason: null };
}

/** The reason for which a rule screens out. */
function reasonOf({ needed }: Rule): OutcomeReason {
  return (needed && typeOf(needed).endsWithout) ?? "SCREENED_OUT";
}
