// Rules as the builder edits them: a list of comparisons of which all, any or none hold. And which comparisons a question has.

import type { ArmAssignment } from "../../../nouns/content/content.ts";
import { VERBS } from "../../../nouns/content/sentences.ts";
import {
  type ArmComparison,
  ATTRIBUTE_OPERATORS,
  type Condition,
  isNegation,
  type LeafCondition,
  NEGATIONS,
  negationIn,
  OPPOSITES,
  type OwnOperator,
} from "../../../nouns/question-types/comparisons.ts";
import { type Question, rowsOf, typeOf } from "../../../nouns/question-types/registry.ts";

export const JOINS = [
  ["all", "all"],
  ["any", "any"],
  ["none", "none"],
] as const;

export type Join = (typeof JOINS)[number][0];

export interface Group {
  join: Join;
  parts: readonly Condition[];
  /** Where the parts are, as a JSON pointer. */
  pointer: string;
}

/** The parts of a condition; undefined: it is one comparison. */
export function groupOf(condition: Condition): Group | undefined {
  if ("all" in condition) return { join: "all", parts: condition.all, pointer: "/all" };
  if ("any" in condition) return { join: "any", parts: condition.any, pointer: "/any" };
  if (!("not" in condition)) return undefined;
  const { not } = condition;
  return "any" in not
    ? { join: "none", parts: not.any, pointer: "/not/any" }
    : { join: "none", parts: [not], pointer: "/not" };
}

/** The condition with these parts; null: there are none. */
export function joined(join: Join, parts: readonly Condition[]): Condition | null {
  const [only] = parts;
  if (!only) return null;
  if (join === "none") return { not: { any: [...parts] } };
  if (parts.length === 1) return only;
  return join === "all" ? { all: [...parts] } : { any: [...parts] };
}

/** An operator as a person chooses it: with its value, where it has only two. */
type Choice = readonly [value: string, text: string];

/** The operators that go with a question; undefined: with an attribute. */
export function choicesOf(question: Question | undefined): Choice[] {
  if (!question) {
    const others = ATTRIBUTE_OPERATORS.filter((operator) => operator !== "exists" && operator !== "equals");
    return [...withNegations(others).map(choiceOf), ["exists:true", "is there"], ["exists:false", "is not there"]];
  }
  const { equality, contains, order, own = {} } = typeOf(question).comparisons;
  return [
    ...Object.entries(own).map(([operator, { choice }]): Choice => [operator, choice]),
    ...(typeof order === "function" ? (["lessThan", "atMost", "greaterThan", "atLeast"] as const).map(choiceOf) : []),
    ...(typeof equality === "function" ? withNegations(["equals", "oneOf"]).map(choiceOf) : []),
    ...(typeof contains === "function" ? withNegations(["contains"]).map(choiceOf) : []),
    ["answered:true", "is answered"],
    ["answered:false", "is not answered"],
  ];
}

type Worded = keyof typeof VERBS | "oneOf" | "noneOf";

function choiceOf(operator: Worded): Choice {
  const text = { oneOf: "is one of", noneOf: "is none of", ...VERBS }[operator];
  return [operator, text];
}

/** The operators, each followed by the one that holds where it does not. */
function withNegations(operators: readonly Worded[]): Worded[] {
  return operators
    .filter((operator) => !isNegation(operator))
    .flatMap((operator) => [
      operator,
      ...NEGATIONS.filter((negation) => OPPOSITES[negation] === (operator === "is" ? "equals" : operator)),
    ]);
}

/** What a person may not expect of an operator where there is no answer. */
export function noteOn(comparison: OfPerson): string | undefined {
  if (negationIn(comparison) === undefined) return undefined;
  return "attribute" in comparison
    ? "It also holds for people who do not have the attribute."
    : "It also holds for people without an answer.";
}

/** A comparison with an answer or an attribute. */
export type OfPerson = Exclude<LeafCondition, ArmComparison>;

/** A comparison with an arm of an assignment: the first one. */
export function newArmComparison({ id, arms }: ArmAssignment): ArmComparison {
  return { arm: id, is: arms[0]?.id ?? "" };
}

/** The operator of a comparison, as in `choicesOf`, and its value. */
export function operatorOf(comparison: OfPerson): { choice: string; value: unknown } {
  const { questionId, row, attribute, ...rest } = comparison as Record<string, unknown>;
  const [operator = "", value] = Object.entries(rest)[0] ?? [];
  const choice = operator === "answered" || operator === "exists" ? `${operator}:${value}` : operator;
  return { choice: attribute !== undefined && operator === "equals" ? "is" : choice, value };
}

/** What a comparison is about: a question, or a row of it; undefined: an attribute. */
export interface Asked {
  question: Question;
  rowId?: string;
}

/** The questions that a rule may be about, each followed by its rows. */
export function askedIn(questions: readonly Question[]): Asked[] {
  return questions.flatMap((question): Asked[] => [
    { question },
    ...[...rowsOf(question)].map(([rowId, row]) => ({ question: row, rowId })),
  ]);
}

/** A comparison about a question or an attribute, with the first operator that goes with it. */
export function newComparison(asked: Asked | undefined): OfPerson {
  const { question, rowId } = asked ?? {};
  const [[choice] = [""]] = choicesOf(question);
  return withOperator(
    question
      ? { questionId: question.id, ...(rowId !== undefined && { row: rowId }), answered: true }
      : { attribute: "", exists: true },
    choice,
    question,
  );
}

/** A comparison for which nothing is chosen yet. */
export const emptyComparison = (): OfPerson => ({ questionId: "", answered: true });

/** Whether nothing is chosen yet. */
export const isEmpty = (comparison: LeafCondition): boolean =>
  "questionId" in comparison && comparison.questionId === "";

function subjectIn(comparison: OfPerson) {
  if ("attribute" in comparison) return { attribute: comparison.attribute };
  const { questionId, row } = comparison;
  return { questionId, ...(row !== undefined && { row }) };
}

/** The comparison with another operator. A value stays, where it fits. */
export function withOperator(comparison: OfPerson, choice: string, question: Question | undefined): OfPerson {
  const subject = subjectIn(comparison);
  const [operator = "", fixed] = choice.split(":");
  if (fixed !== undefined) return { ...subject, [operator]: fixed === "true" } as OfPerson;
  const { value } = operatorOf(comparison);
  const own = ownOperatorOf(question, operator);
  if (own) {
    const before = ownOperatorOf(question, operatorOf(comparison).choice);
    const fits = before && isSameGiven(before.given, own.given);
    return { ...subject, [operator]: fits ? value : freshOperand(own.given) } as OfPerson;
  }
  // Another list has the same values.
  if (hasValues(operator) && Array.isArray(value)) return { ...subject, [operator]: value } as OfPerson;
  const former = Array.isArray(value) ? value[0] : value;
  const kept = isText(former) ? former : "";
  return { ...subject, [operator]: hasValues(operator) ? (kept === "" ? [] : [kept]) : kept } as OfPerson;
}

type Given = OwnOperator<never, never>["given"];

function isSameGiven(one: Given, other: Given): boolean {
  return one.by === "text" && other.by === "text" ? one.read === other.read : one.by === other.by;
}

function freshOperand(given: Given): unknown {
  if (given.by === "text") return given.read("");
  return given.by === "option" ? "" : { optionId: "", rank: 1 };
}

/** Whether an operator has a list of values. */
export function hasValues(operator: string): boolean {
  return operator === "oneOf" || operator === "noneOf";
}

const isText = (value: unknown) => typeof value === "string" || typeof value === "number";

/** The operator of a question's type, if it is one. */
export function ownOperatorOf(question: Question | undefined, choice: string) {
  return question && typeOf(question).comparisons.own?.[choice];
}

/** The comparison with another value. */
export function withValue(comparison: OfPerson, value: unknown): OfPerson {
  const subject = subjectIn(comparison);
  const [operator = ""] = operatorOf(comparison).choice.split(":");
  return { ...subject, [operator]: value } as OfPerson;
}

/** What was typed as a value: a number where one is needed, and where it is one. */
export function typedValue(text: string, question: Question | undefined, choice: string): string | number {
  const isNumeric = question
    ? typeof typeOf(question).comparisons.order === "function"
    : ["lessThan", "atMost", "greaterThan", "atLeast"].includes(choice);
  const plain = text.trim().replace(",", ".");
  return isNumeric && /^-?\d+(\.\d+)?$/.test(plain) ? Number(plain) : text;
}
