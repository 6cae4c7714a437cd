// Conditions as they are stored, and how a question type compares its answers in them.

import { type AttributeValue, attributeValueError } from "../../base/attributes.ts";

export type Condition = { all: Condition[] } | { any: Condition[] } | { not: Condition } | LeafCondition;

/** A condition that has no others in it: one comparison. */
export type LeafCondition =
  /** `row`: of a question that has rows, one of them is compared, as a question of its own. */
  ({ questionId: string; row?: string } & Comparison) | ({ attribute: string } & AttributeComparison) | ArmComparison;

/** Whether a session has an arm of an assignment. Both are ids. */
export interface ArmComparison {
  arm: string;
  is: string;
}

/** The value that an answer is compared with. */
export type Operand = string | number;

type Comparison =
  | { answered: boolean }
  | { equals: Operand }
  | { oneOf: Operand[] }
  | { contains: Operand }
  | { isNot: Operand }
  | { noneOf: Operand[] }
  | { notContains: Operand }
  | OrderComparison<Operand>
  | OwnComparison;

/** One by an `OwnOperator`: its name, with the operand. Only the type of question knows the names, so the compiler does not. */
type OwnComparison = object;

/** How an attribute of the participant is compared. */
export type AttributeComparison =
  | { exists: boolean }
  | { is: AttributeValue }
  | { equals: AttributeValue }
  | { oneOf: AttributeValue[] }
  | { contains: string }
  | { isNot: AttributeValue }
  | { noneOf: AttributeValue[] }
  | { notContains: string }
  | OrderComparison<number>;

type OrderComparison<Value> = { lessThan: Value } | { atMost: Value } | { greaterThan: Value } | { atLeast: Value };

export const MAX_DEPTH = 10;
/** In one condition. Each comparison, `all`, `any` and `not` is a part. */
export const MAX_PARTS = 200;
/** In all conditions of a content, because each page that is shown or submitted checks them all. */
export const MAX_TOTAL_PARTS = 10_000;
/** In a list of values. As many as a question may have options. */
export const MAX_ONE_OF_VALUES = 500;

export const ORDER_OPERATORS = ["lessThan", "atMost", "greaterThan", "atLeast"] as const;
const VALUE_OPERATORS = ["equals", "oneOf", "contains", ...ORDER_OPERATORS] as const;
export type ValueOperator = (typeof VALUE_OPERATORS)[number];

/**
 * The operators that hold exactly where another one does not. So they hold, too, where there is no answer or no attribute, as `not` around
 * the other one does. All other operators need a value.
 */
export const OPPOSITES = { isNot: "equals", noneOf: "oneOf", notContains: "contains" } as const satisfies Record<
  string,
  ValueOperator
>;
type Negation = keyof typeof OPPOSITES;
export const NEGATIONS = Object.keys(OPPOSITES) as readonly Negation[];

export const OPERATORS = ["answered", ...VALUE_OPERATORS, ...NEGATIONS] as const;
export const ATTRIBUTE_OPERATORS = ["exists", "is", ...VALUE_OPERATORS, ...NEGATIONS] as const;
/** Every member that a condition may have, beside the operators of single types. */
export const CONDITION_MEMBERS = [
  "all",
  "any",
  "not",
  "questionId",
  "row",
  "attribute",
  "arm",
  ...OPERATORS,
  "exists",
  "is",
] as const;

export function isNegation(operator: string): operator is Negation {
  return Object.hasOwn(OPPOSITES, operator);
}

/** The operator of a comparison, if it holds where another one does not. */
export function negationIn(comparison: object): Negation | undefined {
  // Not `find`: a submission asks for each quota of its study.
  for (const operator of NEGATIONS) if (operator in comparison) return operator;
  return undefined;
}

/** What is wrong with the value that an attribute is compared with, by an operator that has no list of values. */
export function attributeOperandError(operator: string, value: unknown): string | undefined {
  switch (operator) {
    case "exists":
      return typeof value === "boolean" ? undefined : "must be true or false";
    case "is":
    case "equals":
    case "isNot":
      return attributeValueError(value);
    case "contains":
    case "notContains":
      return typeof value === "string" && value !== "" ? undefined : "must be a string that is not empty";
    case "lessThan":
    case "atMost":
    case "greaterThan":
    case "atLeast":
      return Number.isFinite(value) ? undefined : "must be a number";
    default:
      return `is not an operator of attributes; it must be one of ${ATTRIBUTE_OPERATORS.join(", ")}`;
  }
}

/** The operator of a comparison with a question, and its operand. */
export function operatorIn(comparison: object): [operator: string, operand: unknown] {
  return Object.entries(comparison).find(([member]) => member !== "questionId" && member !== "row") ?? ["", undefined];
}

/** Whether `value` is less than the bound of the comparison, at most the bound, and so on. */
export function isInOrder<Value extends Operand>(
  comparison: OrderComparison<Value> | OwnComparison,
  value: Value,
): boolean {
  if ("lessThan" in comparison) return value < comparison.lessThan;
  if ("atMost" in comparison) return value <= comparison.atMost;
  if ("greaterThan" in comparison) return value > comparison.greaterThan;
  return "atLeast" in comparison && value >= comparison.atLeast;
}

/** Values that are computed once for an answer, because many conditions may need them. */
export interface Memo {
  /** The answer in lower case, if it is a text, which may be long; of a format, with its normalized form. */
  lowerCase?: string;
}

/** How conditions compare a type's answers. A text instead of a function says why the operator does not fit the type. */
export interface Comparisons<Question, Answer, Value> {
  /**
   * Reads the value that an author compares answers with (of `oneOf`: each value alone).
   * @param partIds the ids of the question's parts, by every id or label that the author may use for them
   */
  readOperand(
    raw: unknown,
    operator: ValueOperator,
    partIds: ReadonlyMap<string, string>,
    question: Question,
  ): Value | { message: string };
  /** The value that `equals` and `oneOf` compare, and their negations; undefined equals nothing. */
  equality: ((answer: Answer, question: Question) => Value | undefined) | { equals: string; oneOf: string };
  contains: ((answer: Answer, piece: Value, memo: Memo, question: Question) => boolean) | string;
  /** A value that answers are compared with, as part of a sentence. */
  operandText(question: Question, value: Value): string;
  /** The value that `lessThan`, `atMost`, `greaterThan` and `atLeast` compare. */
  order: ((answer: Answer) => Value) | string;
  /** The numbers that answers can be, where they are numbers: what never holds is found by them. */
  range?(question: Question): NumberRange;
  /** The operators that few types have, by their names. */
  own?: Readonly<Record<string, OwnOperator<Question, Answer>>>;
  /** Whether no answer fulfils all of some comparisons. False: not known. */
  excludesAll?(all: readonly (readonly [operator: string, operand: unknown])[], question: Question): boolean;
}

/** The day that it is, as `2026-01-31`: that on which the session was started, in the time zone of the study. */
export type Today = () => string;

/** An operator of one type, or of few. Its operand is any JSON. */
export interface OwnOperator<Question, Answer> {
  /** Reads the operand that an author compares answers with. */
  read(
    raw: unknown,
    about: { question: Question; partIds: ReadonlyMap<string, string> },
  ): { operand: unknown } | { message: string };
  holds(answer: Answer, operand: unknown, today: Today, question: Question): boolean;
  /** The comparison as part of a sentence: `is before 10 May 1990`. */
  text(operand: unknown, question: Question): string;
  /** For the API description: the JSON schema of the operand, and when the comparison holds. */
  schema: object;
  description: string;
  /** What the builder calls it, and how its operand is given there. */
  choice: string;
  given: GivenOperand;
}

/** How an operand is given in the builder: typed; one of the question's options; or such an option and a rank, as `{ optionId, rank }`. */
type GivenOperand = ({ by: "text" } & TypedValue) | { by: "option" } | { by: "rank" };

/** How a value is typed as a text. */
export interface TypedValue {
  hint: string;
  /** Any text: what it does not understand becomes a value that is refused later. */
  read(text: string): unknown;
  show(value: unknown): string;
}

/** Null: without an end. */
interface NumberRange {
  min: number | null;
  max: number | null;
  isWhole: boolean;
}

/** Of a text in a sentence, in UTF-16 units. */
const MAX_QUOTED_LENGTH = 80;

/** A text of an author or a participant, as part of a sentence. */
export function quoted(text: string): string {
  return `“${onOneLine(text)}”`;
}

/** The same without the marks: on one line, and shortened where it is long. */
export function onOneLine(text: string): string {
  // First cut: long texts are quoted many times.
  const line = text
    .trim()
    .slice(0, 3 * MAX_QUOTED_LENGTH)
    .replace(/\s+/g, " ")
    .trim();
  return line.length > MAX_QUOTED_LENGTH ? `${line.slice(0, MAX_QUOTED_LENGTH).toWellFormed().trimEnd()}…` : line;
}

/** Why a type has no order operators. */
export const NO_ORDER = "goes only with questions that are answered with a number";
