// Which answers may still come, and which conditions are settled whatever comes.

import type { Condition } from "../question-types/comparisons.ts";
import type { Answers } from "./answers.ts";
import type { Content, Page, PersonalContent } from "./content.ts";
import { comparisonHolds, type Facts, subjectOf } from "./holds.ts";

/**
 * Which answers may be missing: none, because the session has ended and all answers are kept; those that were not given yet; or any,
 * because the answers are not kept any more.
 */
export type Missing = "NONE" | "NOT_GIVEN" | "ANY";

/** The questions whose answers may still come, or are not known; and the assignments of which the session may still be given an arm. By their ids. */
export function openQuestions(content: PersonalContent, answers: Answers, facts: Facts, missing: Missing): Set<string> {
  const undrawn = missing === "NOT_GIVEN" ? undrawnIn(content, facts) : [];
  const open = new Set<string>(undrawn);
  /** Whether a page or question with this condition is shown. Undefined: that may still change. */
  const isShown = ({ showWhen }: Pick<Page, "showWhen">): boolean | undefined => {
    return showWhen ? truthOf(showWhen, facts, open) : true;
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

/** The assignments of which a session has no arm, by id. */
export function undrawnIn({ assignments = [] }: Content, { arms }: Facts): string[] {
  return assignments.flatMap(({ id }) => (arms.has(id) ? [] : [id]));
}

/** What a condition comes to for all answers to the open questions, and all arms that are open. Undefined: it depends on them. */
export function truthOf(condition: Condition, facts: Facts, open: ReadonlySet<string>): boolean | undefined {
  if ("all" in condition) return joined(condition.all, false, facts, open);
  if ("any" in condition) return joined(condition.any, true, facts, open);
  if ("not" in condition) {
    const inner = truthOf(condition.not, facts, open);
    return inner === undefined ? undefined : !inner;
  }
  const subject = subjectOf(condition);
  return subject !== undefined && open.has(subject) ? undefined : comparisonHolds(condition, facts);
}

/** Of several conditions, each of which alone decides when it comes to `decisive`. */
function joined(
  conditions: readonly Condition[],
  decisive: boolean,
  facts: Facts,
  open: ReadonlySet<string>,
): boolean | undefined {
  let isOpen = false;
  for (const condition of conditions) {
    const truth = truthOf(condition, facts, open);
    if (truth === decisive) return decisive;
    isOpen ||= truth === undefined;
  }
  return isOpen ? undefined : !decisive;
}

/** Whether the result of a condition is the same for all answers to the open questions. */
export function isSettled(condition: Condition, facts: Facts, open: ReadonlySet<string>): boolean {
  return truthOf(condition, facts, open) !== undefined;
}
