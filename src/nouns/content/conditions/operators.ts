// Reads what an operator of a condition compares, and with what: for questions, and for rows of questions.

import { idOf } from "../../../base/schemas.ts";
import {
  type Condition,
  isNegation,
  MAX_ONE_OF_VALUES,
  NEGATIONS,
  OPERATORS,
  OPPOSITES,
  type Operand,
  type ValueOperator,
} from "../../question-types/comparisons.ts";
import { namesOfTypes, partsOf, type Question, rowsOf, typeOf, typesWithOwn } from "../../question-types/registry.ts";

export interface EarlierQuestion {
  question: Question;
  /** The ids of its parts, such as options, by every id or label that an author may use for them. */
  partIds: ReadonlyMap<string, string>;
}

/** Reports an error. @returns what replaces the condition */
export type Fail = (message: string, where?: string) => Condition;

/** Checks the values of `oneOf` or `noneOf` as a whole, and makes the condition from them. */
export function withValues(
  value: unknown,
  where: string,
  fail: Fail,
  make: (items: unknown[]) => Condition,
): Condition {
  if (!Array.isArray(value) || !value.length) return fail("must be an array with at least one value", where);
  if (value.length > MAX_ONE_OF_VALUES) return fail(`must have at most ${MAX_ONE_OF_VALUES} values`, where);
  return make(value);
}

/** What a type says of an operator that does not fit, said of its opposite: `use contains` becomes `use notContains`. */
function aboutOpposite(message: string): string {
  return message.replace(/; use (any of )?(\w+)$/, (_, any: string | undefined, fitting: string) => {
    const opposite = NEGATIONS.find((negation) => OPPOSITES[negation] === fitting);
    return opposite ? `; use ${any ? "all of " : ""}${opposite}` : `; use ${any ?? ""}${fitting}, and not around it`;
  });
}

export function isOperator(text: string): text is (typeof OPERATORS)[number] {
  return OPERATORS.some((operator) => operator === text);
}

/** What an operator compares: a question, or a row of it. */
interface Compared extends EarlierQuestion {
  rowId?: string;
}

/** A row as a question whose parts are the columns. With a fault: what another row would be, so that what is compared with it is looked at, too. */
export function rowIn({ question, partIds }: EarlierQuestion, named: unknown): { compared?: Compared; fault?: string } {
  const rows = rowsOf(question);
  const [first] = rows.keys();
  if (first === undefined)
    return { fault: `goes only with ${namesOfTypes((type) => type.rows !== undefined)} questions` };
  const given = typeof named === "string" ? partIds.get(idOf(named)) : undefined;
  const isRow = given !== undefined && rows.has(given);
  const rowId = isRow ? given : first;
  const row = rows.get(rowId)!;
  const own = new Set(partsOf(row).flatMap(([, parts]) => parts.map(({ id }) => id)));
  const compared = { question: row, partIds: new Map([...partIds].filter(([, id]) => own.has(id))), rowId };
  return isRow ? { compared } : { compared, fault: "is not a row of the question" };
}

export function readOperator(
  operator: string,
  value: unknown,
  compared: Compared,
  where: string,
  fail: Fail,
): Condition {
  const { question, partIds, rowId } = compared;
  const subject = { questionId: question.id, ...(rowId !== undefined && { row: rowId }) };
  const { readOperand, equality, contains, order, own } = typeOf(question).comparisons;
  if (!isOperator(operator)) {
    if (!own || !Object.hasOwn(own, operator)) return fail(`goes only with ${typesWithOwn(operator)} questions`, where);
    const found = own[operator]!.read(value, compared);
    return "message" in found
      ? fail(found.message, where)
      : ({ ...subject, [operator]: found.operand } as unknown as Condition);
  }
  if (operator === "answered")
    return typeof value === "boolean" ? { ...subject, answered: value } : fail("must be true or false", where);
  const plain: ValueOperator = isNegation(operator) ? OPPOSITES[operator] : operator;
  const unfit = (message: string) => fail(plain === operator ? message : aboutOpposite(message), where);
  const read = (item: unknown, at: string): Operand => {
    const operand = readOperand(item, plain, partIds, question);
    if (typeof operand !== "object") return operand;
    fail(operand.message, at);
    return "";
  };
  const make = (operand: unknown) => ({ ...subject, [operator]: operand }) as unknown as Condition;
  switch (plain) {
    case "equals":
    case "oneOf":
      if (typeof equality !== "function") return unfit(equality[plain]);
      break;
    case "contains":
      if (typeof contains !== "function") return unfit(contains);
      break;
    default:
      if (typeof order !== "function") return unfit(order);
  }
  if (plain !== "oneOf") return make(read(value, where));
  return withValues(value, where, fail, (items) => make(items.map((item, index) => read(item, `${where}/${index}`))));
}
