// Conditions as they are stored, and how a question type compares its answers in them.

export type Condition =
  | { all: Condition[] }
  | { any: Condition[] }
  | { not: Condition }
  | ({ questionId: string } & Comparison);

/** The value that an answer is compared with. */
export type Operand = string | number;

export type Comparison =
  | { answered: boolean }
  | { equals: Operand }
  | { oneOf: Operand[] }
  | { contains: Operand }
  | { lessThan: Operand }
  | { atMost: Operand }
  | { greaterThan: Operand }
  | { atLeast: Operand };

export const MAX_DEPTH = 10;
/** In one condition. Each comparison, `all`, `any` and `not` is a part. */
export const MAX_PARTS = 200;
/** In all conditions of a content, because each page that is shown or submitted checks them all. */
export const MAX_TOTAL_PARTS = 10_000;
/** As many as a question may have options. */
export const MAX_ONE_OF_VALUES = 500;

export const ORDER_OPERATORS = ["lessThan", "atMost", "greaterThan", "atLeast"] as const;
const VALUE_OPERATORS = ["equals", "oneOf", "contains", ...ORDER_OPERATORS] as const;
export const OPERATORS = ["answered", ...VALUE_OPERATORS] as const;
/** Every member that a condition may have. */
export const CONDITION_MEMBERS = ["all", "any", "not", "questionId", ...OPERATORS] as const;
export type ValueOperator = (typeof VALUE_OPERATORS)[number];

/** What is computed once for an answer, because many conditions may need it. */
export interface Memo {
  /** The answer in lower case, if it is a text, which may be long. */
  lowerCase?: string;
}

/** How conditions compare a type's answers. A text instead of a function says why the operator does not fit the type. */
export interface Comparisons<Answer, Value> {
  /**
   * Reads the value that an author compares answers with (of `oneOf`: each value alone).
   * @param partIds the ids of the question's parts, by every id or label that the author may use for them
   */
  readOperand(raw: unknown, operator: ValueOperator, partIds: ReadonlyMap<string, string>): Value | { message: string };
  /** The value that `equals` and `oneOf` compare; undefined equals nothing. */
  equality: ((answer: Answer) => Value | undefined) | { equals: string; oneOf: string };
  contains: ((answer: Answer, piece: Value, memo: Memo) => boolean) | string;
  /** The value that `lessThan`, `atMost`, `greaterThan` and `atLeast` compare. */
  order: ((answer: Answer) => Value) | string;
}

/** Why a type has no order operators. */
export const NO_ORDER = "goes with numeric questions only";
