// What the rules of a draft come to in a test drive, in words.

import { shownPositions } from "../../chance/shuffle.ts";
import { type RuleResult, trace } from "../../nouns/content/advice/trace.ts";
import { type Answers, shown } from "../../nouns/content/answers.ts";
import type { Content, PersonalContent } from "../../nouns/content/content.ts";
import type { Judgement } from "../../nouns/content/judge.ts";
import { shufflesOf } from "../../nouns/content/order.ts";
import { quotasOf } from "../../nouns/content/quotas.ts";
import { ContentNames, comparisonText, ruleSentence, shuffleWords } from "../../nouns/content/sentences.ts";
import { reasonOf } from "../../screening/sentence.ts";

export interface TryExplanation {
  /** What decided. Null: it is not over. */
  reason: string | null;
  /** The outcome. Null: it is not over. */
  outcome: Judgement["outcome"] | null;
  rules: {
    sentence: string;
    result: RuleResult;
    /** Whether it screens out. */
    decides: boolean;
    comparisons: { sentence: string; isHolding: boolean | null }[];
  }[];
  /** The names of the quotas that the answers count in so far. Null: the draft has none. */
  quotas: string[] | null;
  /** The arms so far, with the names of their assignments. Null: the draft has none. */
  arms: { assignment: string; arm: string | null }[] | null;
  /** What is shuffled, and its items in the order in which they are shown. */
  orders: { subject: string; items: string[] }[];
}

/** @param content as it is shown @param judgement null: it is not over */
export function explain(
  draft: Content,
  content: PersonalContent,
  answers: Answers,
  judgement: Judgement | null,
): TryExplanation {
  const questions = new ContentNames(content);
  const traced = trace(content, answers, judgement ? "NONE" : "NOT_GIVEN", draft.pages);
  return {
    reason: judgement && reasonOf(judgement, traced, { rules: [] }, questions),
    outcome: judgement?.outcome ?? null,
    rules: traced.rules.map((rule) => ({
      sentence: ruleSentence(rule, questions),
      result: rule.result,
      decides: rule === traced.screenedOutBy,
      comparisons: rule.comparisons.map(({ comparison, isHolding }) => ({
        sentence: comparisonText(comparison, questions),
        isHolding,
      })),
    })),
    quotas: content.quotas ? namesOfQuotas(content, answers, judgement) : null,
    arms:
      content.assignments?.map(({ id, name, arms }) => ({
        assignment: name,
        arm: arms.find((arm) => arm.id === content.arms?.get(id))?.name ?? null,
      })) ?? null,
    orders: shufflesOf(draft).map((shuffle) => {
      const { subject, items } = shuffleWords(shuffle, draft);
      return { subject, items: shownPositions(shuffle.items, content.order!, shuffle.id).map((at) => items[at]!) };
    }),
  };
}

/** No place is claimed: this only says in which quotas they would be. */
function namesOfQuotas(content: PersonalContent, answers: Answers, judgement: Judgement | null): string[] {
  if (judgement?.outcome === "DISQUALIFIED") return [];
  return quotasOf(content, answers, shown(content, answers).counting, judgement !== null).map(({ name }) => name);
}
