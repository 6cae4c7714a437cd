// A screener's content: pages in order, questions in order, and what qualifies. Drafts and publications have the same.

import type { Condition } from "../question-types/comparisons.ts";
import type { Question } from "../question-types/registry.ts";

export interface Content {
  pages: Page[];
  /** Over all answers. Null: whoever is not disqualified on the way. */
  qualifyWhen: Condition | null;
  /** What is said at the end, whatever the outcome; null: a plain thank you. */
  thankYou: string | null;
  /** What is said instead for an outcome. It tells the participant which it was: the author's choice. */
  thankYouByOutcome: { [outcome in Outcome]?: string | undefined } | null;
}

export type Outcome = "QUALIFIED" | "DISQUALIFIED" | "UNKNOWN";

export interface Page {
  _type: "ScreenerPage";
  id: string;
  title: string | null;
  description: string | null;
  showWhen: Condition | null;
  /** Judged when the page is over, which ends the session at once; and again at the end, over all answers. */
  disqualifyWhen: Condition | null;
  questions: Question[];
}

export const EMPTY_CONTENT: Content = { pages: [], qualifyWhen: null, thankYou: null, thankYouByOutcome: null };

/** How many questions a screener has at most: a response's key has room for 4,096. */
export const MAX_QUESTIONS = 2000;

/** Whether there are rules by which someone qualifies or not. */
export function hasRules({ pages, qualifyWhen }: Content): boolean {
  return qualifyWhen !== null || pages.some(({ disqualifyWhen }) => disqualifyWhen !== null);
}
