// Filters of answers in plain words, and what a filter can be added by.

import type { ScreenerAnswerColumn } from "../../client/types.ts";
import { VERBS } from "../../nouns/content/sentences.ts";
import { ownOperators } from "../../nouns/question-types/registry.ts";
import { clockTime } from "../../nouns/screeners/time-zones.ts";
import { PLACE_STATES } from "../quotas/words.tsx";
import type { Named } from "../shell/fields.tsx";
import { OUTCOMES, REVIEWS } from "../shell/known-words.ts";
import { SIGNAL_CHOICES } from "../study/signal-words.ts";
import { type AskedFilter, isList } from "./asked.ts";

/** What sessions can be filtered by. */
export interface FilterField {
  field: string;
  label: string;
  group: string;
  /** Each as the form has it: an operator, or with its value where it has only two. */
  operators: (readonly [operator: string, words: string])[];
  /** What its values are chosen from; undefined: they are typed. */
  options?: Named;
  /** Whether they are ticked, several of them if need be. Otherwise options are only proposed: some operators take what is none. */
  isTicked: boolean;
  /** How they are typed. */
  typed: "text" | "day";
}

/** With several values. */
export const LISTED = [
  ["in", "is one of"],
  ["nin", "is none of"],
] as const;

const WORDS: Record<string, string> = {
  eq: VERBS.equals,
  ne: VERBS.isNot,
  ...Object.fromEntries(LISTED),
  matches: "has the words",
  contains: VERBS.contains,
  notContains: VERBS.notContains,
  lt: VERBS.lessThan,
  lte: VERBS.atMost,
  gt: VERBS.greaterThan,
  gte: VERBS.atLeast,
  "answered:true": "is answered",
  "answered:false": "is not answered",
  "exists:true": "is there",
  "exists:false": "is not there",
};

export function wordsOf(operator: string): string {
  return WORDS[operator] ?? ownOperators.get(operator)?.choice ?? operator;
}

const IS = [
  ["eq", "is"],
  ["ne", "is not"],
] as const;

/** The operators that take several values instead. */
const OF_SEVERAL: Readonly<Record<string, string>> = { eq: "in", ne: "nin" };

/** The operator for so many values. */
export function operatorFor(operator: string, values: readonly unknown[]): string {
  return (values.length > 1 ? OF_SEVERAL[operator] : undefined) ?? operator;
}

const WHEN = [
  ["gte", "on or after"],
  ["lt", "before"],
] as const;

export function fieldsOfSessions(of: { versions: Named; arms: Named; quotas: Named; links: Named }): FilterField[] {
  const chosen = (
    field: string,
    label: string,
    options: Named,
    operators: FilterField["operators"] = [...IS],
  ): FilterField => ({
    ...{ field, label, group: "People", operators, options, isTicked: true, typed: "text" },
  });
  const fields = [
    chosen("outcome", "Outcome", OUTCOME_CHOICES),
    chosen("outcomeReason", "Why screened out", REASONS),
    chosen("review", "Review", REVIEW_CHOICES, IS.slice(0, 1)),
    chosen("signal", "Signal", SIGNAL_CHOICES),
    chosen("state", "State", STATES),
    chosen("version", "Version", of.versions),
    chosen("screenerQuotaId", "Place in the quota", of.quotas),
    chosen("armId", "Arm", of.arms),
    chosen("screenerLinkId", "Open link", of.links),
  ].filter(({ options }) => options!.length > 0);
  const text = (field: string, label: string): FilterField => ({
    ...{ field, label, group: "People", operators: [...IS, ...LISTED], isTicked: false, typed: "text" },
  });
  const time = (field: string, label: string): FilterField => ({
    ...{ field, label, group: "People", operators: [...WHEN], isTicked: false, typed: "day" },
  });
  return [
    ...fields,
    text("language", "Language"),
    text("externalUid", "Id"),
    time("startedAt", "Started"),
    time("completedAt", "Completed"),
  ];
}

const REASONS = [
  { id: "SCREENED_OUT", text: "By a rule" },
  { id: "OVER_QUOTA", text: "Full" },
  { id: "NO_CONSENT", text: "No consent" },
];

const choicesOf = (words: Readonly<Record<string, string>>): Named =>
  Object.entries(words).map(([id, text]) => ({ id, text }));

const OUTCOME_CHOICES = choicesOf(OUTCOMES);
const REVIEW_CHOICES = choicesOf(REVIEWS);
const PLACES = choicesOf(PLACE_STATES);

const STATES = [
  { id: "IN_PROGRESS", text: "In progress" },
  { id: "COMPLETED", text: "Completed" },
];

const SAID = [...OUTCOME_CHOICES, ...STATES, ...REASONS, ...REVIEW_CHOICES, ...PLACES];

/** What a session's member, or its place in a quota, says in words. */
export function memberInWords(value: unknown): string {
  return SAID.find(({ id }) => id === value)?.text ?? String(value ?? "–");
}

/** The fields of questions and attributes. */
export function fieldsOfColumns(columns: readonly ScreenerAnswerColumn[]): FilterField[] {
  return columns
    .filter(({ operators }) => operators.length > 0)
    .map(({ column, label, operators, options, questionType }) => {
      const isTicked = options.length > 0 && operators.some(isList);
      return {
        ...{ field: column, label, group: questionType === null ? "Attributes" : "Answers" },
        operators: operators
          // How many are ticked says which of both it is.
          .filter((operator) => !isTicked || !isList(operator))
          .flatMap((operator) =>
            operator === "answered" || operator === "exists" ? [`${operator}:true`, `${operator}:false`] : [operator],
          )
          .map((operator) => [operator, wordsOf(operator)] as const),
        ...(options.length && { options }),
        ...{ isTicked, typed: "text" },
      };
    });
}

/** A filter as a sentence: of the label, the operator and the values. */
export function filterInWords(
  { field, operator, values }: AskedFilter,
  fields: readonly FilterField[],
  timeZone: string,
): string {
  const known = fields.find((one) => one.field === field);
  const label = known?.label ?? field.replace(/^\w+\./, "");
  if (operator === "answered" || operator === "exists") return `${label} ${wordsOf(`${operator}:${values[0]}`)}`;
  const verb = known?.operators.find(([one]) => one === operator)?.[1] ?? wordsOf(operator);
  const shown = values.map((value) => {
    const option = known?.options?.find(({ id }) => id === value);
    if (option) return option.text;
    return known?.typed === "day" ? dayOf(value, timeZone) : value;
  });
  return `${label} ${verb} ${shown.map((value) => `“${value}”`).join(" or ")}`;
}

/** As it is typed: the day, or the time if it is not its beginning. What is no time stays as it is. */
export function dayOf(at: string, timeZone: string): string {
  if (Number.isNaN(Date.parse(at))) return at;
  const clock = clockTime(timeZone, at);
  return clock.endsWith("T00:00:00") ? clock.slice(0, "2026-01-31".length) : clock.replace("T", " ");
}
