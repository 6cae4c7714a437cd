// Traces how the rules of a content are judged: which were evaluated, which hold, and which one screens out.

import type { Condition, LeafCondition } from "../../question-types/comparisons.ts";
import { type Answers, shown } from "../answers.ts";
import type { Page, PersonalContent } from "../content.ts";
import { type Facts, holds } from "../holds.ts";
import { isUnasked, type Rule, rulesOf, screensOut } from "../judge.ts";
import { isSettled, type Missing, openQuestions } from "../open.ts";

export const RULE_RESULTS = ["HOLDS", "DOES_NOT_HOLD", "NOT_SHOWN", "NOT_REACHED", "UNKNOWN"] as const;

/**
 * How a rule came out. `NOT_SHOWN`: its page is not shown. `NOT_REACHED`: an earlier rule has decided. `UNKNOWN`: it depends on answers
 * that are not there.
 */
export type RuleResult = (typeof RULE_RESULTS)[number];

/** One comparison of a rule. */
interface TracedComparison {
  /** Where it is in the rule's condition, as a JSON pointer. */
  pointer: string;
  comparison: LeafCondition;
  /** Null: it was not evaluated, or the result is not known. */
  isHolding: boolean | null;
}

export interface TracedRule extends Rule {
  result: RuleResult;
  comparisons: TracedComparison[];
}

export interface Trace {
  /** All pages of the content. */
  pages: readonly Page[];
  /** All rules of the content, in its order. The pages may be looked at in another order, in which they are shown. */
  rules: TracedRule[];
  /** The rule that screens out. Undefined: none does, or it is not known which. */
  screenedOutBy: TracedRule | undefined;
  /** The first rule that certainly screens out. One before it may do so, too. */
  firstOut: TracedRule | undefined;
  /** Whether a rule screens out. Undefined: not known. */
  isScreenedOut: boolean | undefined;
  /** The answers that count. */
  facts: Facts;
  /** The questions that are shown for these answers. */
  shownQuestions: ReadonlySet<string>;
}

/** Looks at the rules as `judge` does. @param inContentOrder the pages, where those of `content` are in the order in which they are shown */
export function trace(
  content: PersonalContent,
  answers: Answers,
  missing: Missing,
  inContentOrder: readonly Page[] = content.pages,
): Trace {
  const { pages, counting: facts } = shown(content, answers);
  const shownPages = new Set(pages.map(({ page }) => page));
  const shownQuestions = new Set(pages.flatMap(({ questions }) => questions.map(({ id }) => id)));
  const open = missing === "NONE" ? new Set<string>() : openQuestions(content, answers, facts, missing);
  let isUnknown = false;
  let screening: TracedRule | undefined;
  const rules = rulesOf(content, content.pages).map((rule): TracedRule => {
    const isSettledPage = !rule.page?.showWhen || isSettled(rule.page.showWhen, facts, open);
    const isShown = !rule.page || shownPages.has(rule.page);
    const unseen = (result: RuleResult) => ({ ...rule, result, comparisons: comparisonsOf(rule, () => null) });
    if (isSettledPage && !isShown) return unseen("NOT_SHOWN");
    if (screening) return unseen("NOT_REACHED");
    if (rule.needed && isUnasked(rule.needed, facts) && !open.has(rule.needed.id)) return unseen("NOT_REACHED");
    if (!isSettledPage || !isSettled(rule.condition, facts, open)) {
      isUnknown = true;
      const result = (leaf: LeafCondition) => (isShown && isSettled(leaf, facts, open) ? holds(leaf, facts) : null);
      return { ...rule, result: "UNKNOWN", comparisons: comparisonsOf(rule, result) };
    }
    const seen = new Map<LeafCondition, boolean>();
    const isOut = screensOut(rule, facts, (leaf, isHolding) => seen.set(leaf, isHolding));
    const traced: TracedRule = {
      ...rule,
      result: isOut === (rule.page !== null) ? "HOLDS" : "DOES_NOT_HOLD",
      comparisons: comparisonsOf(rule, (leaf) => seen.get(leaf) ?? null),
    };
    if (isOut) screening = traced;
    return traced;
  });
  return {
    pages: inContentOrder,
    rules: sortedAs(inContentOrder, rules),
    // An earlier rule, whose result is not known, may have decided.
    screenedOutBy: isUnknown ? undefined : screening,
    firstOut: screening,
    isScreenedOut: screening ? true : isUnknown ? undefined : false,
    facts,
    shownQuestions,
  };
}

function sortedAs(pages: readonly Page[], rules: readonly TracedRule[]): TracedRule[] {
  const positions = new Map(pages.map(({ id }, position) => [id, position]));
  const at = ({ page }: TracedRule) => (page ? positions.get(page.id)! : pages.length);
  return rules.toSorted((one, other) => at(one) - at(other));
}

/** The comparisons of a rule, in order. @param result whether one holds */
function comparisonsOf({ condition }: Rule, result: (leaf: LeafCondition) => boolean | null): TracedComparison[] {
  const all: TracedComparison[] = [];
  const add = (inner: Condition, pointer: string) => {
    if ("all" in inner) for (const [index, one] of inner.all.entries()) add(one, `${pointer}/all/${index}`);
    else if ("any" in inner) for (const [index, one] of inner.any.entries()) add(one, `${pointer}/any/${index}`);
    else if ("not" in inner) add(inner.not, `${pointer}/not`);
    else all.push({ pointer, comparison: inner, isHolding: result(inner) });
  };
  add(condition, "");
  return all;
}
