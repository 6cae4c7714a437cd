// The condition language: what a page or question is shown for, and what qualifies or disqualifies.
//
//   { "all": [condition, …] }   { "any": [condition, …] }   { "not": condition }
//   { "questionId": id, "answered": true | false }
//   { "questionId": id, "equals": value }        text, number, or an option's id
//   { "questionId": id, "oneOf": [value, …] }    the same, several
//   { "questionId": id, "contains": value }      a piece of a text, or an option among those chosen
//   { "questionId": id, "lessThan" | "atMost" | "greaterThan" | "atLeast": number }
//
// A question that was not shown, or was skipped, is not answered, and no comparison with it holds.

import type { ProblemDetail } from "../problems.ts";
import { escapePointer } from "../text.ts";
import type { Answer } from "./answers.ts";
import type { Question } from "./content.ts";

export type Condition =
  | { all: Condition[] }
  | { any: Condition[] }
  | { not: Condition }
  | ({ questionId: string } & Comparison);

export type Comparison =
  | { answered: boolean }
  | { equals: string | number }
  | { oneOf: (string | number)[] }
  | { contains: string }
  | { lessThan: number }
  | { atMost: number }
  | { greaterThan: number }
  | { atLeast: number };

const NUMBER_OPERATORS = ["lessThan", "atMost", "greaterThan", "atLeast"] as const;
const OPERATORS = ["answered", "equals", "oneOf", "contains", ...NUMBER_OPERATORS] as const;
type ComparisonOperator = (typeof OPERATORS)[number];

const MAX_DEPTH = 10;
/** Of one condition: comparisons, and what holds them together. */
const MAX_PARTS = 200;
/** Of all conditions of a content: they are gone through each time that a page is shown or sent. */
const MAX_TOTAL_PARTS = 10_000;
/** Of `oneOf`: as many as a question may have options. */
const MAX_ONE_OF_VALUES = 500;

/** What a condition may refer to where it stands. */
export interface Scope {
  /** The questions that come before it, by every id or label that a caller may use for them. */
  earlier: ReadonlyMap<string, Question>;
  /** All questions, to tell one that comes later from one that there is not. */
  all: ReadonlySet<string>;
  /** Earlier ones that are wrong themselves: whether a comparison goes with them can't be told yet. */
  unread: ReadonlySet<string>;
  /** How many parts the conditions have so far. */
  parts: number;
  /** Gives an option's id for an id or label that a caller uses. */
  optionOf(question: Question, label: string): string | undefined;
}

/** Reads a condition as a caller wrote it: labels become ids. What is wrong with it goes to `errors`. */
export function readCondition(raw: unknown, pointer: string, scope: Scope, errors: ProblemDetail[]): Condition | null {
  if (raw === undefined || raw === null) return null;
  const nothing: Condition = { all: [] };
  let parts = 0;
  /** Whether there may be so many parts more. Told once. */
  const count = (more: number): boolean => {
    const before = { here: parts, inAll: scope.parts };
    parts = Math.min(parts + more, MAX_PARTS + 1);
    scope.parts += parts - before.here;
    if (before.here <= MAX_PARTS && parts > MAX_PARTS)
      errors.push({ pointer, message: `has more than ${MAX_PARTS} parts` });
    if (before.inAll <= MAX_TOTAL_PARTS && scope.parts > MAX_TOTAL_PARTS)
      errors.push({
        pointer,
        message: `is where the conditions of all pages come to have more than ${MAX_TOTAL_PARTS} parts`,
      });
    return parts <= MAX_PARTS && scope.parts <= MAX_TOTAL_PARTS;
  };
  const read = (value: unknown, at: string, depth: number): Condition => {
    const fail = (message: string, where = at) => {
      errors.push({ pointer: where, message });
      return nothing;
    };
    if (!count(1)) return nothing;
    if (depth > MAX_DEPTH) return fail(`is nested more than ${MAX_DEPTH} deep`);
    if (typeof value !== "object" || value === null || Array.isArray(value))
      return fail("must be a condition, an object");
    const keys = Object.keys(value);
    const given = value as Record<string, unknown>;
    const [key = ""] = keys;
    if (keys.length === 1 && (key === "all" || key === "any")) {
      const list = given[key];
      if (!Array.isArray(list) || !list.length)
        return fail("must be an array with at least one condition", `${at}/${key}`);
      if (list.length > MAX_PARTS && !count(list.length)) return nothing;
      const inner = list.map((item, index) => read(item, `${at}/${key}/${index}`, depth + 1));
      return key === "all" ? { all: inner } : { any: inner };
    }
    if (keys.length === 1 && key === "not") return { not: read(given.not, `${at}/not`, depth + 1) };
    return readComparison(given, at, scope, fail);
  };
  return read(raw, pointer, 1);
}

function readComparison(
  given: Record<string, unknown>,
  at: string,
  scope: Scope,
  fail: (message: string, where?: string) => Condition,
): Condition {
  const { questionId: label } = given;
  const operators = Object.keys(given).filter((key) => key !== "questionId");
  const [operator = ""] = operators;
  if (typeof label !== "string") return fail("must have questionId, or be one of all, any and not");
  if (operators.length !== 1) return fail(`must compare with exactly one of ${OPERATORS.join(", ")}`);
  if (!isOperator(operator))
    return fail(`is not an operator; it must be one of ${OPERATORS.join(", ")}`, `${at}/${escapePointer(operator)}`);
  const question = scope.earlier.get(label);
  if (!question && scope.unread.has(label)) return { all: [] };
  if (!question) {
    const message = scope.all.has(label)
      ? "refers to a question that does not come before"
      : "refers to no question of this content";
    return fail(message, `${at}/questionId`);
  }
  const where = `${at}/${operator}`;
  const value = given[operator];
  const one = (item: unknown, place: string): string | number | undefined => {
    if (question._type === "ScreenerNumericQuestion") {
      if (typeof item === "number" && Number.isFinite(item)) return item;
      fail("must be a number, because the question is numeric", place);
    } else if (typeof item !== "string") fail("must be a string", place);
    else if (question._type === "ScreenerTextQuestion") {
      // A whole answer is compared as answers are kept (answers.ts); a piece of one may begin and end with a space.
      const lines = item.replaceAll(/\r\n?/g, "\n");
      const text = operator === "contains" ? lines : lines.trim();
      if (text) return text;
      fail("must not be empty; use answered", place);
    } else {
      const option = scope.optionOf(question, item);
      if (option !== undefined) return option;
      fail("is not an option of the question", place);
    }
    return undefined;
  };
  const questionId = question.id;
  switch (operator) {
    case "answered":
      return typeof value === "boolean" ? { questionId, answered: value } : fail("must be true or false", where);
    case "equals": {
      if (question._type === "ScreenerMultiSelectQuestion")
        return fail("does not go with a multi select; use contains", where);
      return { questionId, equals: one(value, where) ?? "" };
    }
    case "oneOf": {
      if (question._type === "ScreenerMultiSelectQuestion")
        return fail("does not go with a multi select; use any of contains", where);
      if (!Array.isArray(value) || !value.length) return fail("must be an array with at least one value", where);
      if (value.length > MAX_ONE_OF_VALUES) return fail(`must have at most ${MAX_ONE_OF_VALUES} values`, where);
      return { questionId, oneOf: value.map((item, index) => one(item, `${where}/${index}`) ?? "") };
    }
    case "contains": {
      if (question._type === "ScreenerNumericQuestion") return fail("does not go with a numeric question", where);
      if (question._type === "ScreenerSingleSelectQuestion")
        return fail("does not go with a single select; use equals", where);
      return { questionId, contains: String(one(value, where) ?? "") };
    }
    default: {
      if (question._type !== "ScreenerNumericQuestion") return fail("goes with numeric questions only", where);
      if (typeof value !== "number" || !Number.isFinite(value)) return fail("must be a number", where);
      return { questionId, [operator]: value } as Condition;
    }
  }
}

/** Whether a condition holds for these answers: by question id, and only those that count. */
export function holds(condition: Condition, answers: ReadonlyMap<string, Answer>): boolean {
  if ("all" in condition) return condition.all.every((inner) => holds(inner, answers));
  if ("any" in condition) return condition.any.some((inner) => holds(inner, answers));
  if ("not" in condition) return !holds(condition.not, answers);
  const answer = answers.get(condition.questionId) ?? null;
  if ("answered" in condition) return (answer !== null) === condition.answered;
  if (answer === null) return false;
  if ("equals" in condition) return comparedBy(answer) === condition.equals;
  if ("oneOf" in condition) return condition.oneOf.includes(comparedBy(answer) ?? "");
  if ("contains" in condition) {
    if (typeof answer === "string") return folded(answer).includes(folded(condition.contains));
    return Array.isArray(answer) && answer.some(({ optionId }) => optionId === condition.contains);
  }
  if (typeof answer !== "number") return false;
  if ("lessThan" in condition) return answer < condition.lessThan;
  if ("atMost" in condition) return answer <= condition.atMost;
  if ("greaterThan" in condition) return answer > condition.greaterThan;
  return answer >= condition.atLeast;
}

// Many comparisons may look into one long text.
const fold = { text: "", folded: "" };

/** The same in lower case. */
function folded(text: string): string {
  if (text.length < 100) return text.toLowerCase();
  if (fold.text !== text) Object.assign(fold, { text, folded: text.toLowerCase() });
  return fold.folded;
}

/** Whether a condition hangs on one of these questions. */
export function refersTo(condition: Condition, questions: ReadonlySet<string>): boolean {
  if ("all" in condition) return condition.all.some((inner) => refersTo(inner, questions));
  if ("any" in condition) return condition.any.some((inner) => refersTo(inner, questions));
  if ("not" in condition) return refersTo(condition.not, questions);
  return questions.has(condition.questionId);
}

/** What an answer is compared by: the text, the number, or the id of the one option that was chosen. */
function comparedBy(answer: NonNullable<Answer>): string | number | undefined {
  return Array.isArray(answer) ? (answer[0]?.optionId ?? undefined) : answer;
}

function isOperator(text: string): text is ComparisonOperator {
  return (OPERATORS as readonly string[]).includes(text);
}
