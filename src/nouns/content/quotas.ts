// The quotas of a content: cells, and which of them a session is in.

import type { Condition } from "../question-types/comparisons.ts";
import type { Answers } from "./answers.ts";
import type { Content, PersonalContent, Quota } from "./content.ts";
import { type Facts, holds } from "./holds.ts";
import { type Missing, openQuestions, truthOf } from "./open.ts";

const NO_QUESTION: ReadonlySet<string> = new Set();

/** A quota, and whether a session is in it. Undefined: that is not settled. */
interface TracedQuota {
  quota: Quota;
  isIn: boolean | undefined;
}

/**
 * The quotas that a session is in, as far as that is settled: all that they ask about is answered, or can't be shown any more, or
 * can't matter any more. @param hasEnded whether no answer is to come
 */
export function quotasOf(content: PersonalContent, answers: Answers, counting: Facts, hasEnded: boolean): Quota[] {
  const { quotas } = content;
  if (!quotas) return [];
  return traceQuotas(content, answers, counting, hasEnded ? "NONE" : "NOT_GIVEN").flatMap(({ quota, isIn }) =>
    isIn ? [quota] : [],
  );
}

/** All quotas of a content, and which of them a session is in. */
export function traceQuotas(
  content: PersonalContent,
  answers: Answers,
  counting: Facts,
  missing: Missing,
): TracedQuota[] {
  const open = missing === "NONE" ? NO_QUESTION : openQuestions(content, answers, counting, missing);
  return traceIn(content.quotas ?? [], counting, open);
}

/** The same for these quotas. @param open the questions whose answers may still come, or are not known */
export function traceIn(quotas: readonly Quota[], counting: Facts, open: ReadonlySet<string>): TracedQuota[] {
  return quotas.map((quota) => ({ quota, isIn: quota.when === null || truthOf(quota.when, counting, open) }));
}

/** The quotas that a participant is in before the first answer: those of everybody, and of attributes alone. */
export function quotasBeforeAnswers({ quotas = [] }: PersonalContent, facts: Facts): Quota[] {
  return quotas.filter(({ when }) => when === null || (!asksQuestions(when) && holds(when, facts)));
}

/** The address to which the browser goes where a quota had no room. @param quotaId the first one without */
export function addressOverQuota({ quotas = [], redirectByOutcome }: Content, quotaId: string): string | undefined {
  return quotas.find(({ id }) => id === quotaId)?.ending.redirect ?? redirectByOutcome?.DISQUALIFIED;
}

function asksQuestions(condition: Condition): boolean {
  if ("all" in condition) return condition.all.some(asksQuestions);
  if ("any" in condition) return condition.any.some(asksQuestions);
  if ("not" in condition) return asksQuestions(condition.not);
  return "questionId" in condition;
}
