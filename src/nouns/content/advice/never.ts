// Finds conditions that hold for no answers: by contradictions between comparisons with the same question or assignment. It finds no other contradictions,
// and never reports a condition that can hold.

import {
  type ArmComparison,
  type Condition,
  type LeafCondition,
  negationIn,
  type Operand,
  operatorIn,
} from "../../question-types/comparisons.ts";
import { type Question, rowsOf, typeOf } from "../../question-types/registry.ts";

type OfQuestion = Extract<LeafCondition, { questionId: string }>;

/** Whether a condition never holds. @param questions those that somebody may be asked, by id */
export function neverHolds(condition: Condition, questions: ReadonlyMap<string, Question>): boolean {
  if ("any" in condition) return condition.any.every((one) => neverHolds(one, questions));
  if ("not" in condition) return false;
  const parts = "all" in condition ? flat(condition.all) : [condition];
  const leaves = new Map<string, OfQuestion[]>();
  const arms: ArmComparison[] = [];
  for (const part of parts) {
    // What is to be compared with is not typed yet, as in the builder.
    if (isBlank(part)) continue;
    if ("questionId" in part) {
      const of = `${part.questionId} ${part.row ?? ""}`;
      leaves.set(of, [...(leaves.get(of) ?? []), part]);
    } else if ("arm" in part) arms.push(part);
    else if (!("attribute" in part) && neverHolds(part, questions)) return true;
  }
  // A session has one arm of an assignment.
  if (arms.some(({ arm, is }) => arms.some((other) => other.arm === arm && other.is !== is))) return true;
  return leaves.values().some((comparisons) => contradict(comparisons, comparedIn(comparisons[0]!, questions)));
}

/** Whether a condition has a comparison that is not filled in yet, as in the builder: without a question, or without a value. */
export function hasBlank(condition: Condition): boolean {
  if ("all" in condition) return condition.all.some(hasBlank);
  if ("any" in condition) return condition.any.some(hasBlank);
  return "not" in condition ? hasBlank(condition.not) : isBlank(condition);
}

function isBlank(condition: Condition): boolean {
  if ("all" in condition || "any" in condition || "not" in condition) return false;
  return Object.values(condition).some((value) => isNothing(value));
}

/** Whether it is no value yet: of a rank, the option or the number may be missing. */
function isNothing(value: unknown): boolean {
  if (value === "" || value === null) return true;
  if (Array.isArray(value)) return value.length === 0;
  return typeof value === "object" && Object.values(value).some(isNothing);
}

/** The question that a comparison is about, or its row. */
function comparedIn({ questionId, row }: OfQuestion, questions: ReadonlyMap<string, Question>): Question | undefined {
  const question = questions.get(questionId);
  return question && row !== undefined ? rowsOf(question).get(row) : question;
}

/** The parts of `all`. Nested `all`s are flattened. */
function flat(parts: readonly Condition[]): Condition[] {
  return parts.flatMap((part) => ("all" in part ? flat(part.all) : [part]));
}

/** Whether no answer fulfils all comparisons. @param question undefined: nobody is asked */
function contradict(comparisons: readonly OfQuestion[], question: Question | undefined): boolean {
  const isMissing = comparisons.some((one) => "answered" in one && !one.answered);
  const isNeeded = comparisons.some((one) => ("answered" in one ? one.answered : negationIn(one) === undefined));
  if (isMissing) return isNeeded;
  // The others hold without an answer.
  if (!isNeeded) return false;
  if (!question) return true;
  const { excludesAll } = typeOf(question).comparisons;
  return (
    valuesLeft(comparisons, question)?.length === 0 ||
    hasNoPiece(comparisons) ||
    hasNoNumber(comparisons, question) ||
    (excludesAll?.(comparisons.map(operatorIn), question) ?? false)
  );
}

/** The values that these comparisons by equality leave. Undefined: nobody knows which there are. */
function valuesLeft(comparisons: readonly OfQuestion[], question: Question): Operand[] | undefined {
  let left = allValues(question);
  for (const one of comparisons) {
    const values = "equals" in one ? [one.equals] : "oneOf" in one ? one.oneOf : undefined;
    if (values) left = left ? left.filter((value) => values.includes(value)) : values;
  }
  const excluded = comparisons.flatMap((one) => ("isNot" in one ? [one.isNot] : "noneOf" in one ? one.noneOf : []));
  return left?.filter((value) => !excluded.includes(value));
}

/** The values that equality can find in answers, where these are only some: one option of several. */
function allValues(question: Question): Operand[] | undefined {
  const { equality } = typeOf(question).comparisons;
  const isOne = typeof equality === "function" && "options" in question;
  return isOne && !("allowsWriteIn" in question && question.allowsWriteIn)
    ? question.options.map(({ id }) => id)
    : undefined;
}

/** Whether what must be in an answer has a piece that must not. Of options these are their ids. */
function hasNoPiece(comparisons: readonly OfQuestion[]): boolean {
  const plain = (piece: Operand) => String(piece).toLowerCase();
  const wanted = comparisons.flatMap((one) => ("contains" in one ? [plain(one.contains)] : []));
  return comparisons.some(
    (one) => "notContains" in one && wanted.some((piece) => piece.includes(plain(one.notContains))),
  );
}

/** Whether the bounds of the comparisons and of the question leave no number. */
function hasNoNumber(comparisons: readonly OfQuestion[], question: Question): boolean {
  const range = typeOf(question).comparisons.range?.(question);
  if (!range) return false;
  const { isWhole } = range;
  let low = range.min ?? Number.NEGATIVE_INFINITY;
  let high = range.max ?? Number.POSITIVE_INFINITY;
  /** Whether the bounds themselves are excluded. */
  let [isAbove, isBelow] = [false, false];
  const raise = (to: number, isOpen: boolean) => {
    if (to > low || (to === low && isOpen)) [low, isAbove] = [to, isOpen];
  };
  const lower = (to: number, isOpen: boolean) => {
    if (to < high || (to === high && isOpen)) [high, isBelow] = [to, isOpen];
  };
  for (const one of comparisons) {
    if ("atLeast" in one) raise(Number(one.atLeast), false);
    if ("greaterThan" in one) raise(Number(one.greaterThan), true);
    if ("atMost" in one) lower(Number(one.atMost), false);
    if ("lessThan" in one) lower(Number(one.lessThan), true);
  }
  const isPossible = (value: number) =>
    (isAbove ? value > low : value >= low) &&
    (isBelow ? value < high : value <= high) &&
    (!isWhole || Number.isInteger(value));
  const exact = valuesLeft(comparisons, question);
  if (exact) return !exact.some((value) => typeof value === "number" && isPossible(value));
  if (low > high || (low === high && (isAbove || isBelow))) return true;
  if (!isWhole || !Number.isFinite(low) || !Number.isFinite(high)) return false;
  const first = Math.floor(low) + 1;
  const least = isAbove || !Number.isInteger(low) ? first : low;
  return !isPossible(least);
}
