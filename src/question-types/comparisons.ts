// Conditions as they are stored, and what a type of question says of comparisons with its answers.

export type Condition =
  | { all: Condition[] }
  | { any: Condition[] }
  | { not: Condition }
  | ({ questionId: string } & Comparison);

/** What an answer is compared with. */
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

export const ORDER_OPERATORS = ["lessThan", "atMost", "greaterThan", "atLeast"] as const;
const VALUE_OPERATORS = ["equals", "oneOf", "contains", ...ORDER_OPERATORS] as const;
export const OPERATORS = ["answered", ...VALUE_OPERATORS] as const;
export type ValueOperator = (typeof VALUE_OPERATORS)[number];

/** What is kept of an answer while conditions look at it. */
export interface Memo {
  /** Of a text: itself in lower case. Many conditions may look into one long text. */
  lowerCase?: string;
}

/** What conditions may ask of a type's answers. A text in place of a function: why the operator does not go with it. */
export interface Comparisons<Answer, Value> {
  /**
   * Reads what an author compares answers with (each value of `oneOf` by itself).
   * @param partIds the ids of the question's parts, by every id or label that the author may use for them
   */
  readOperand(raw: unknown, operator: ValueOperator, partIds: ReadonlyMap<string, string>): Value | { message: string };
  /** What `equals` and `oneOf` compare; undefined equals nothing. */
  equality: ((answer: Answer) => Value | undefined) | { equals: string; oneOf: string };
  contains: ((answer: Answer, piece: Value, memo: Memo) => boolean) | string;
  /** What `lessThan`, `atMost`, `greaterThan` and `atLeast` compare. */
  order: ((answer: Answer) => Value) | string;
}

/** Why a type has no order. */
export const NO_ORDER = "goes with numeric questions only";
