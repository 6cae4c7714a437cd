// The quotas of a content: cells, and which of them a session is in.

import type * as v from "valibot";
import { type Condition, negationIn } from "../question-types/comparisons.ts";
import type { Answers } from "./answers.ts";
import type { Content, PersonalContent, Quota } from "./content.ts";
import { type Facts, holds } from "./holds.ts";
import { type Missing, openQuestions, truthOf } from "./open.ts";
import type { QuotaInput as QuotaSchema } from "./resource.ts";

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
  const open = openFor(content, answers, counting, hasEnded ? "NONE" : "NOT_GIVEN");
  return quotas.filter((quota) => isInQuota(quota, counting, open));
}

/** All quotas of a content, and which of them a session is in. */
export function traceQuotas(
  content: PersonalContent,
  answers: Answers,
  counting: Facts,
  missing: Missing,
): TracedQuota[] {
  return traceIn(content.quotas ?? [], counting, openFor(content, answers, counting, missing));
}

function openFor(content: PersonalContent, answers: Answers, counting: Facts, missing: Missing): ReadonlySet<string> {
  return missing === "NONE" ? NO_QUESTION : openQuestions(content, answers, counting, missing);
}

/** The same for these quotas. @param open the questions whose answers may still come, or are not known */
export function traceIn(quotas: readonly Quota[], counting: Facts, open: ReadonlySet<string>): TracedQuota[] {
  return quotas.map((quota) => ({ quota, isIn: isInQuota(quota, counting, open) }));
}

function isInQuota({ when }: Quota, counting: Facts, open: ReadonlySet<string>): boolean | undefined {
  return when === null || truthOf(when, counting, open);
}

/** The quotas that a participant is in before the first answer: those of everybody, and of attributes alone. */
export function quotasBeforeAnswers({ quotas }: PersonalContent, facts: Facts): Quota[] {
  return quotas ? withoutLater(quotas).filter(({ when }) => when === null || holds(when, facts)) : [];
}

/** By all quotas of a content, which requests share: each first submission asks for them. */
const knownWithoutLater = new WeakMap<readonly Quota[], Quota[]>();

function withoutLater(quotas: readonly Quota[]): Quota[] {
  let found = knownWithoutLater.get(quotas);
  if (!found) {
    found = quotas.filter(({ when }) => when === null || !asksLater(when));
    knownWithoutLater.set(quotas, found);
  }
  return found;
}

/** The address to which the browser goes where a quota had no room. @param quotaId the first one without */
export function addressOverQuota({ quotas = [], redirectByOutcome }: Content, quotaId: string): string | undefined {
  return quotas.find(({ id }) => id === quotaId)?.ending.redirect ?? redirectByOutcome?.DISQUALIFIED;
}

/** Whether a condition that holds while answers and arms are missing holds whatever they will be. */
export function isKeptByAnswers(condition: Condition): boolean {
  if ("all" in condition) return condition.all.every(isKeptByAnswers);
  if ("any" in condition) return condition.any.every(isKeptByAnswers);
  if ("not" in condition) return !asksLater(condition.not);
  if ("attribute" in condition) return true;
  return !("answered" in condition && !condition.answered) && negationIn(condition) === undefined;
}

/** Whether a quota may be the target of its study, because it limits how many people there are at all. The first one in the draft's order is. */
export function isTarget({ when, mode }: { when: object | null; mode: Quota["mode"] }): boolean {
  return when === null && mode === "LIMIT";
}

/** Whether a condition asks for what a session has only later: answers, and arms. */
function asksLater(condition: Condition): boolean {
  if ("all" in condition) return condition.all.some(asksLater);
  if ("any" in condition) return condition.any.some(asksLater);
  if ("not" in condition) return asksLater(condition.not);
  return !("attribute" in condition);
}

type QuotaInput = v.InferOutput<typeof QuotaSchema>;

/** A quota of a draft, with the defaults filled in. */
export function draftedQuota({ name, mode, limit = null, ending }: QuotaInput, id: string, when: Quota["when"]): Quota {
  const { at, thankYou, redirect } = ending ?? {};
  return {
    ...{ id, name, when, mode: mode ?? "LIMIT", limit },
    ending: { at: at ?? "NOW", thankYou: thankYou ?? null, redirect: redirect ?? null },
  };
}
