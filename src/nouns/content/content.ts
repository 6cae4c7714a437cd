// A screener's content: pages and questions in order, and the rules that qualify. Drafts and publications have it.

import type { Condition } from "../question-types/comparisons.ts";
import type { Markup } from "../question-types/markup/parse.ts";
import type { Question } from "../question-types/registry.ts";
import type { Circumstances } from "./holds.ts";

export interface Content {
  /** How its texts are read: prompts, help, pages and endings. Missing: PLAIN. */
  markup?: Markup;
  /** Of its texts: a canonical BCP 47 tag. Missing: `en`, as `baseLanguageOf` has it. */
  language?: string;
  pages: Page[];
  /** Checked at the end, over all answers. Null: everyone qualifies who is not disqualified. */
  qualifyWhen: Condition | null;
  /** The closing text. Null: a plain thank you. */
  thankYou: string | null;
  /** The closing text for one outcome, instead of `thankYou`. It may reveal the outcome: the author decides. */
  thankYouByOutcome: ByOutcome | null;
  /** Where people are led after the end, as `redirectTo` reads it. Missing: nowhere. */
  redirectByOutcome?: ByOutcome;
  /** The addresses to which people are led are signed. */
  signRedirects?: true;
  /** Missing: none. */
  quotas?: Quota[];
  /** Missing: none. */
  assignments?: ArmAssignment[];
}

/** A text for each outcome that has one. */
export type ByOutcome = { [outcome in Outcome]?: string | undefined };

/** Content, and the participant who answers it. */
export interface PersonalContent extends Content, Circumstances {}

export type Outcome = "QUALIFIED" | "DISQUALIFIED" | "UNKNOWN";

/** Why a session is disqualified: by a rule, because others have come first, or without consent. */
export const OUTCOME_REASONS = ["SCREENED_OUT", "OVER_QUOTA", "NO_CONSENT"] as const;
export type OutcomeReason = (typeof OUTCOME_REASONS)[number];

export interface Page {
  _type: "ScreenerPage";
  id: string;
  title: string | null;
  description: string | null;
  showWhen: Condition | null;
  /** Checked when the page is done, and again at the end, over all answers. Where it holds, the session ends at once. */
  disqualifyWhen: Condition | null;
  /** Where it holds at the end, the person has not read what is asked: a signal for those who review. Missing: there is no check. */
  attentionCheck?: { when: Condition };
  /** Where it holds at the end, answers go against each other or against an attribute: a signal. Missing: none is looked for. */
  contradictsWhen?: Condition;
  questions: Item[];
  /** Its questions are shown in an order by chance. */
  shuffle?: true;
  /** The pages of a block stand next to each other, and are shown in an order by chance. */
  shuffleBlock?: string;
  /** It keeps its position in the block. */
  fixed?: true;
}

/** What stands on a page. */
export type Item = Question | Statement;

/** A text or an image between questions. It has no answer: nothing counts it, and no condition asks about it. */
export interface Statement {
  _type: typeof STATEMENT;
  id: string;
  /** Null, and no image: a line, which parts what is above from what is below. */
  text: string | null;
  /** Below the text. Missing: none. */
  image?: StatementImage;
  showWhen: Condition | null;
  /** It keeps its position where the page's questions are shuffled. */
  fixed?: true;
}

/** An image of the workspace. */
export interface StatementImage {
  id: string;
  /** For those who do not see it. */
  alternativeText: string;
  /** In pixels. The image never changes, so they stand here, too: a page leaves room for it before it comes. */
  width: number;
  height: number;
}

export const STATEMENT = "ScreenerStatement";

export function isQuestion(item: Item): item is Question {
  return item._type !== STATEMENT;
}

/** What is asked on a page: all that makes answers goes through it. The position of an answer is that of its question in these of all pages. */
export function askedIn({ questions }: { questions: readonly Item[] }): Question[] {
  return questions.filter(isQuestion);
}

/** A cell, as it is drafted and published. */
export interface Quota {
  id: string;
  name: string;
  /** Who is in it. Null: everybody. */
  when: Condition | null;
  /** COUNT: it counts, and turns nobody away. */
  mode: "LIMIT" | "COUNT";
  /** The first limit of a new cell. From its publication on, the limit of the screener's quota counts. */
  limit: number | null;
  ending: QuotaEnding;
}

/** What those see who find it full. */
interface QuotaEnding {
  /** END: they may finish, and do not learn which answer it was. */
  at: "NOW" | "END";
  thankYou: string | null;
  redirect: string | null;
}

/** Gives each session one of several arms, as it is drafted and published. */
export interface ArmAssignment {
  id: string;
  name: string;
  /** LEAST_FULL: one that the fewest sessions have. */
  pick: "LEAST_FULL" | "RANDOM";
  arms: Arm[];
}

export interface Arm {
  id: string;
  name: string;
  /** Who may be given it. Null: everybody. */
  when: Condition | null;
}

/** In one content. */
export const MAX_QUOTAS = 500;
/** In one content, and of each of them. */
export const MAX_ASSIGNMENTS = 20;
export const MAX_ARMS = 50;

const EMPTY: Content = { pages: [], qualifyWhen: null, thankYou: null, thankYouByOutcome: null };

/** What a screener has to which nothing was written yet. */
export const EMPTY_CONTENT: Content = { markup: "MARKDOWN", ...EMPTY };

/** The same before contents had a markup: publications have it. */
export const FORMER_EMPTY_CONTENT: Content = EMPTY;

/** In one content. The key of a response has room for 4,096 questions. */
export const MAX_QUESTIONS = 2000;

/** All conditions of a content. */
export function conditionsOf({ pages, qualifyWhen, quotas = [], assignments = [] }: Content): Condition[] {
  const ofPages = pages.flatMap(({ showWhen, disqualifyWhen, attentionCheck, contradictsWhen, questions }) => [
    showWhen,
    disqualifyWhen,
    attentionCheck?.when ?? null,
    contradictsWhen ?? null,
    ...questions.map((question) => question.showWhen),
  ]);
  const ofArms = assignments.flatMap(({ arms }) => arms.map(({ when }) => when));
  return [...ofPages, qualifyWhen, ...quotas.map(({ when }) => when), ...ofArms].filter((one) => one !== null);
}

/** Whether any rule qualifies or disqualifies. */
export function hasRules({ pages, qualifyWhen }: Content): boolean {
  return qualifyWhen !== null || pages.some(({ disqualifyWhen }) => disqualifyWhen !== null);
}
