// Which answers may still come, and which conditions are settled whatever comes.

import type { Condition } from "../question-types/comparisons.ts";
import type { Answers } from "./answers.ts";
import type { Page, PersonalContent } from "./content.ts";
import { type Facts, holds } from "./holds.ts";

/**
 * Which answers may be missing: none, because the session has ended and all answers are kept; those that were not given yet; or any,
 * because the answers are not kept any more.
 */
export type Missing = "NONE" | "NOT_GIVEN" | "ANY";

/** The questions whose answers may still come, or are not known. */
export function openQuestions(content: PersonalContent, answers: Answers, facts: Facts, missing: Missing): Set<string> {
  const open = new Set<string>();
  /** Whether a page or question with this condition is shown. Undefined: that may still change. */
  const isShown = ({ showWhen }: Pick<Page, "showWhen">): boolean | undefined => {
    if (!showWhen) return true;
    return isSettled(showWhen, facts, open) ? holds(showWhen, facts) : undefined;
  };
  for (const page of content.pages) {
    const isPageShown = isShown(page);
    for (const question of page.questions) {
      const isQuestionShown = isShown(question);
      if (isPageShown === false || isQuestionShown === false) continue;
      const isHere = isPageShown && isQuestionShown && answers.has(question.id);
      if (missing === "ANY" || !isHere) open.add(question.id);
    }
  }
  return open;
}

/** Whether the result of a condition is the same for all answers to the open questions. */
export function isSettled(condition: Condition, facts: Facts, open: ReadonlySet<string>): boolean {
  const settled = (inner: Condition) => isSettled(inner, facts, open);
  if ("all" in condition)
    return condition.all.every(settled) || condition.all.some((inner) => settled(inner) && !holds(inner, facts));
  if ("any" in condition)
    return condition.any.every(settled) || condition.any.some((inner) => settled(inner) && holds(inner, facts));
  if ("not" in condition) return settled(condition.not);
  return "attribute" in condition || !open.has(condition.questionId);
}
