// What the sessions of a study are filtered by, wherever their answers are read: in the table of answers, in exports and in results.

import { armFilter } from "../arms/queries.ts";
import { ANY_OPERATOR, RANGE, refersTo, type StudyFilterRule } from "../base/members.ts";
import type { FilterRules } from "../base/resource.ts";
import { OUTCOME_REASONS } from "../nouns/content/content.ts";
import { attributeFilter } from "../nouns/participants/attribute-members.ts";
import { OPPOSITES } from "../nouns/question-types/comparisons.ts";
import { namesOfTypes, ownOperators, type Question, typeOf, typesWithOwn } from "../nouns/question-types/registry.ts";
import { placeFilter } from "../nouns/quotas/place-filter.ts";
import { OUTCOME_REASON_SQL } from "../nouns/sessions/outcome-reasons.ts";
import { OUTCOMES, STATES, STATUSES } from "../nouns/sessions/resource.ts";
import { reviewFilter } from "../nouns/sessions/reviews.ts";
import { signalFilter } from "../signals/signal-filter.ts";

const ofParticipant = (sql: string) => `(SELECT ${sql} FROM participant WHERE id = t.participant_id)`;

/** The operators of rules, by what filters call them. Those that only few types have are called the same in both. */
const RULE_OPERATORS = {
  eq: "equals",
  ne: "isNot",
  in: "oneOf",
  nin: "noneOf",
  contains: "contains",
  notContains: "notContains",
  lt: "lessThan",
  lte: "atMost",
  gt: "greaterThan",
  gte: "atLeast",
} as const;

const questionsWith = (comparison: "equality" | "contains" | "order") =>
  `For ${namesOfTypes(({ comparisons }) => typeof comparisons[comparison] === "function")} questions.`;

const ALSO_WITHOUT = "also without an answer";

const SEARCHED = `For ${namesOfTypes(({ isSearched }) => isSearched === true)} questions.`;

const ORDER = {
  lt: "Below this number.",
  lte: "This number or below.",
  gt: "Above this number.",
  gte: "This number or above.",
} as const;

/** Each holds where the rule of the same operator does, for the version that the session has. */
const answerFilter: StudyFilterRule = {
  operators: [],
  values: "text",
  more: {
    eq: `The answer is this: a text, a number, or an option by its text or its id. ${questionsWith("equality")}`,
    ne: `The answer is not this, ${ALSO_WITHOUT}. ${questionsWith("equality")}`,
    in: `The answer is one of these. ${questionsWith("equality")}`,
    nin: `The answer is none of these, ${ALSO_WITHOUT}. ${questionsWith("equality")}`,
    contains: `The text has this piece, in upper or lower case; or this option is among those chosen. ${questionsWith("contains")}`,
    notContains: `The opposite of \`contains\`, ${ALSO_WITHOUT}. ${questionsWith("contains")}`,
    ...Object.fromEntries(
      Object.entries(ORDER).map(([operator, meaning]) => [operator, `${meaning} ${questionsWith("order")}`]),
    ),
    matches: `The text has all of these words, in any order, whatever their case and accents; a word of two letters or more also stands for words that begin with it. ${SEARCHED}`,
    answered: "`true`: there is an answer. `false`: there is none. For any question.",
    ...Object.fromEntries(
      [...ownOperators].map(([operator, { description }]) => [
        operator,
        `${description} For ${typesWithOwn(operator)} questions.`,
      ]),
    ),
  },
};

const attributes = {
  ...attributeFilter("participant_id", ofParticipant),
  more: {
    contains: "The attribute is a text that has this piece, in upper or lower case.",
    notContains: "The opposite of `contains`, also without the attribute.",
    ...Object.fromEntries(
      Object.entries(ORDER).map(([operator, meaning]) => [
        operator,
        `${meaning} Of an attribute that is a number, or a text like -7.5.`,
      ]),
    ),
    exists: "`true`: the participant has the attribute. `false`: the participant lacks it.",
  },
};

export const sessionFilters: FilterRules = {
  id: { operators: ANY_OPERATOR, values: "uuid", by: { column: "uid" } },
  externalUid: {
    operators: ANY_OPERATOR,
    values: "text",
    by: refersTo("participant_id", "participant", "external_uid"),
  },
  screenerPublicationId: {
    operators: ANY_OPERATOR,
    values: "uuid",
    by: refersTo("screener_publication_id", "screener_publication", "uid"),
  },
  version: {
    operators: ANY_OPERATOR,
    values: "number",
    by: {
      column: "screener_publication_id",
      references: { table: "screener_publication", by: "version", many: true },
      scan: { value: "(SELECT version FROM screener_publication WHERE id = t.screener_publication_id)", index: "" },
    },
  },
  status: { operators: ANY_OPERATOR, values: STATUSES, by: { column: "status" } },
  state: { operators: ANY_OPERATOR, values: STATES, by: { column: "state" } },
  outcome: { operators: ANY_OPERATOR, values: OUTCOMES, by: { column: "outcome" } },
  outcomeReason: {
    operators: ANY_OPERATOR,
    values: OUTCOME_REASONS,
    by: { column: "outcome_reason", scan: { value: OUTCOME_REASON_SQL, index: "" } },
  },
  review: reviewFilter,
  language: { operators: ANY_OPERATOR, values: "text", by: { column: "language" } },
  screenerLinkId: {
    operators: ANY_OPERATOR,
    values: "uuid",
    by: refersTo("screener_link_id", "screener_link", "uid"),
  },
  startedAt: { operators: RANGE, values: "timestamp", by: { column: "started_at" } },
  lastActiveAt: { operators: RANGE, values: "timestamp", by: { column: "last_active_at" } },
  completedAt: { operators: RANGE, values: "timestamp", by: { column: "completed_at" } },
  armId: armFilter,
  screenerQuotaId: placeFilter,
  signal: signalFilter,
  attributes,
  answers: answerFilter,
};

/** The operators of filters that fit a question, or an attribute. undefined: none. */
export function operatorsFor(what: Question | "attribute" | undefined): string[] {
  if (what === undefined) return [];
  if (what === "attribute") return [...attributes.operators, ...Object.keys(attributes.more)];
  const { comparisons, isSearched } = typeOf(what);
  const { equality, contains, order, own = {} } = comparisons;
  return [
    ...(isSearched ? ["matches"] : []),
    ...(typeof equality === "function" ? ["eq", "ne", "in", "nin"] : []),
    ...(typeof contains === "function" ? ["contains", "notContains"] : []),
    ...(typeof order === "function" ? Object.keys(ORDER) : []),
    ...Object.keys(own),
    "answered",
  ];
}

/** The operator of rules that a filter has. */
export function ruleOperatorOf(operator: string): string {
  return Object.hasOwn(RULE_OPERATORS, operator) ? RULE_OPERATORS[operator as keyof typeof RULE_OPERATORS] : operator;
}

/** The operator by which values are read: that of the opposite, if it has one. */
export function plainOperatorOf(ruleOperator: string): string {
  return Object.hasOwn(OPPOSITES, ruleOperator) ? OPPOSITES[ruleOperator as keyof typeof OPPOSITES] : ruleOperator;
}
