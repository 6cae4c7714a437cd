// Conditions decide which pages and questions are shown, and who qualifies or is disqualified.
//
//   { "all": [condition, …] }   { "any": [condition, …] }   { "not": condition }
//   { "questionId": id, "answered": true | false }
//   { "questionId": id, "equals": value }        text, number, or an option's id
//   { "questionId": id, "oneOf": [value, …] }    equals one of these
//   { "questionId": id, "contains": value }      a piece of a text, or one of the chosen options
//   { "questionId": id, "lessThan" | "atMost" | "greaterThan" | "atLeast": number }
//
// A question that was not shown, or was skipped, is not answered, and no comparison with it holds.

import type { ProblemDetail } from "../problems.ts";
import { type Condition, type Memo, OPERATORS, type Operand } from "../question-types/comparisons.ts";
import { type Answer, type Question, typeOf } from "../question-types/registry.ts";
import { idOf } from "../schemas.ts";
import { escapePointer } from "../text.ts";

const MAX_DEPTH = 10;
/** In one condition. Each comparison, `all`, `any` and `not` is a part. */
const MAX_PARTS = 200;
/** In all conditions of a content, because each page that is shown or submitted checks them all. */
const MAX_TOTAL_PARTS = 10_000;
/** As many as a question may have options. */
const MAX_ONE_OF_VALUES = 500;

/** Stands for a condition that has errors. The draft is refused then. */
const NOTHING: Condition = { all: [] };

/** What a condition may refer to at its position. */
export interface Scope {
  /** The questions before it, by every id or label that an author may use for them. */
  earlier: ReadonlyMap<string, EarlierQuestion>;
  /** The labels of all questions, to distinguish a later question from an unknown one. */
  all: ReadonlySet<string>;
  /** The labels of earlier questions that have errors. Comparisons with them can't be checked. */
  invalid: ReadonlySet<string>;
  /** The number of parts in all conditions so far. */
  parts: number;
}

export interface EarlierQuestion {
  question: Question;
  /** The ids of its parts, such as options, by every id or label that an author may use for them. */
  partIds: ReadonlyMap<string, string>;
}

/** Reads a condition that an author sent: labels become ids. Adds what is wrong with it to `errors`. */
export function readCondition(raw: unknown, pointer: string, scope: Scope, errors: ProblemDetail[]): Condition | null {
  if (raw === undefined || raw === null) return null;
  let parts = 0;
  /** Counts more parts. @returns whether they are within the limits, each of which is reported once */
  const count = (more: number): boolean => {
    const before = { here: parts, inAll: scope.parts };
    parts = Math.min(parts + more, MAX_PARTS + 1);
    scope.parts += parts - before.here;
    if (before.here <= MAX_PARTS && parts > MAX_PARTS)
      errors.push({ pointer, message: `has more than ${MAX_PARTS} parts` });
    if (before.inAll <= MAX_TOTAL_PARTS && scope.parts > MAX_TOTAL_PARTS)
      errors.push({ pointer, message: `brings all conditions together above ${MAX_TOTAL_PARTS} parts` });
    return parts <= MAX_PARTS && scope.parts <= MAX_TOTAL_PARTS;
  };
  const read = (value: unknown, at: string, depth: number): Condition => {
    const fail = (message: string, where = at) => {
      errors.push({ pointer: where, message });
      return NOTHING;
    };
    if (!count(1)) return NOTHING;
    if (depth > MAX_DEPTH) return fail(`is nested more than ${MAX_DEPTH} levels deep`);
    if (typeof value !== "object" || value === null || Array.isArray(value))
      return fail("must be a condition, an object");
    const keys = Object.keys(value);
    const given = value as Record<string, unknown>;
    const [key = ""] = keys;
    if (keys.length === 1 && (key === "all" || key === "any")) {
      const list = given[key];
      if (!Array.isArray(list) || !list.length)
        return fail("must be an array with at least one condition", `${at}/${key}`);
      if (list.length > MAX_PARTS && !count(list.length)) return NOTHING;
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
  const { questionId: named } = given;
  const operators = Object.keys(given).filter((key) => key !== "questionId");
  const [operator = ""] = operators;
  if (typeof named !== "string") return fail("must have questionId, or only one of all, any and not");
  if (operators.length !== 1) return fail(`must have exactly one of the operators ${OPERATORS.join(", ")}`);
  if (!isOperator(operator))
    return fail(`is not an operator; it must be one of ${OPERATORS.join(", ")}`, `${at}/${escapePointer(operator)}`);
  const label = idOf(named);
  const earlier = scope.earlier.get(label);
  if (!earlier && scope.invalid.has(label)) return NOTHING;
  if (!earlier) {
    const message = scope.all.has(label)
      ? "refers to a question that does not come before this condition"
      : "refers to no question of this content";
    return fail(message, `${at}/questionId`);
  }
  const where = `${at}/${operator}`;
  const value = given[operator];
  const questionId = earlier.question.id;
  if (operator === "answered")
    return typeof value === "boolean" ? { questionId, answered: value } : fail("must be true or false", where);
  const { readOperand, equality, contains, order } = typeOf(earlier.question).comparisons;
  const read = (item: unknown, at: string): Operand => {
    const operand = readOperand(item, operator, earlier.partIds);
    if (typeof operand !== "object") return operand;
    fail(operand.message, at);
    return "";
  };
  switch (operator) {
    case "equals":
      if (typeof equality !== "function") return fail(equality.equals, where);
      return { questionId, equals: read(value, where) };
    case "oneOf": {
      if (typeof equality !== "function") return fail(equality.oneOf, where);
      if (!Array.isArray(value) || !value.length) return fail("must be an array with at least one value", where);
      if (value.length > MAX_ONE_OF_VALUES) return fail(`must have at most ${MAX_ONE_OF_VALUES} values`, where);
      return { questionId, oneOf: value.map((item, index) => read(item, `${where}/${index}`)) };
    }
    case "contains":
      if (typeof contains !== "function") return fail(contains, where);
      return { questionId, contains: read(value, where) };
    default:
      if (typeof order !== "function") return fail(order, where);
      return { questionId, [operator]: read(value, where) } as Condition;
  }
}

/** An answer that counts, because its question is shown. */
export interface Counting extends Memo {
  readonly question: Question;
  readonly answer: Answer;
}

/** Whether a condition holds for the answers that count, by question id. */
export function holds(condition: Condition, answers: ReadonlyMap<string, Counting>): boolean {
  if ("all" in condition) return condition.all.every((inner) => holds(inner, answers));
  if ("any" in condition) return condition.any.some((inner) => holds(inner, answers));
  if ("not" in condition) return !holds(condition.not, answers);
  const given = answers.get(condition.questionId);
  const answer = given?.answer ?? null;
  if ("answered" in condition) return (answer !== null) === condition.answered;
  if (!given || answer === null) return false;
  const { equality, contains, order } = typeOf(given.question).comparisons;
  if ("equals" in condition) return typeof equality === "function" && equality(answer) === condition.equals;
  if ("oneOf" in condition) return typeof equality === "function" && condition.oneOf.includes(equality(answer) ?? "");
  if ("contains" in condition) return typeof contains === "function" && contains(answer, condition.contains, given);
  if (typeof order !== "function") return false;
  const value = order(answer);
  if ("lessThan" in condition) return value < condition.lessThan;
  if ("atMost" in condition) return value <= condition.atMost;
  if ("greaterThan" in condition) return value > condition.greaterThan;
  return value >= condition.atLeast;
}

/** Whether a condition refers to one of these questions. */
export function refersTo(condition: Condition, questions: ReadonlySet<string>): boolean {
  if ("all" in condition) return condition.all.some((inner) => refersTo(inner, questions));
  if ("any" in condition) return condition.any.some((inner) => refersTo(inner, questions));
  if ("not" in condition) return refersTo(condition.not, questions);
  return questions.has(condition.questionId);
}

function isOperator(text: string): text is (typeof OPERATORS)[number] {
  return (OPERATORS as readonly string[]).includes(text);
}
