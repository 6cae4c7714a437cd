// Judges a session that ends by the rules of its content, in their order.

import type { Condition } from "../question-types/comparisons.ts";
import type { ShownPage } from "./answers.ts";
import { type Content, hasRules, type Outcome, type Page } from "./content.ts";
import { type Facts, holds, type Look } from "./holds.ts";
import { truthOf } from "./open.ts";

/** A page's `disqualifyWhen`, or the content's `qualifyWhen`. */
export interface Rule {
  /** Null: `qualifyWhen`. */
  page: Page | null;
  condition: Condition;
}

export interface Judgement {
  outcome: Outcome;
  outcomeReason: "SCREENED_OUT" | "OVER_QUOTA" | null;
}

/** The rules of these pages and of the content as a whole, in the order in which they are evaluated. The first one that screens out decides. */
export function rulesOf({ qualifyWhen }: Content, pages: readonly Page[]): Rule[] {
  const rules: Rule[] = [];
  for (const page of pages) if (page.disqualifyWhen) rules.push({ page, condition: page.disqualifyWhen });
  if (qualifyWhen) rules.push({ page: null, condition: qualifyWhen });
  return rules;
}

/** Whether a rule screens out. @param look called with each comparison that is looked at */
export function screensOut({ page, condition }: Rule, facts: Facts, look?: Look): boolean {
  return holds(condition, facts, look) === (page !== null);
}

/** Whether a rule of the content screens out for all answers to the open questions. Undefined: it depends on them. */
export function isScreenedOut(content: Content, facts: Facts, open: ReadonlySet<string>): boolean | undefined {
  let isOut: boolean | undefined = false;
  for (const { page, condition } of rulesOf(content, content.pages)) {
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
  if (!hasRules(content)) return { outcome: "UNKNOWN", outcomeReason: null };
  // All pages are judged again: some have no questions, and answers that the rule of a page needs may have changed later.
  const rules = rulesOf(
    content,
    pages.map(({ page }) => page),
  );
  return judgedBy(
    rules.some((rule) => screensOut(rule, facts)),
    isReached,
  );
}

/** The outcome where there are rules. */
export function judgedBy(isScreenedOut: boolean, isReached: () => boolean): Judgement {
  if (isScreenedOut) return { outcome: "DISQUALIFIED", outcomeReason: "SCREENED_OUT" };
  return isReached()
    ? { outcome: "DISQUALIFIED", outcomeReason: "OVER_QUOTA" }
    : { outcome: "QUALIFIED", outcomeReason: null };
}
