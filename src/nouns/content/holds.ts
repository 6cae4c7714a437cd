// Whether conditions hold, for the answers and the attributes of a participant.

import type { ArmIds } from "../../arms/queries.ts";
import { type AttributeValue, areEqualAttributes, numberOf, parseAttributes } from "../../base/attributes.ts";
import type { OrderSeed } from "../../chance/shuffle.ts";
import {
  type AttributeComparison,
  type Condition,
  isInOrder,
  type LeafCondition,
  type Memo,
  negationIn,
  OPPOSITES,
  operatorIn,
  type Today,
} from "../question-types/comparisons.ts";
import { type Answer, type Question, rowsOf, typeOf } from "../question-types/registry.ts";

/** An answer that counts, because its question is shown. */
export interface Counting extends Memo {
  readonly question: Question;
  readonly answer: Answer;
}

/** An attribute of the participant. */
export interface KnownAttribute extends Memo {
  readonly value: AttributeValue;
}

/** The participant's attributes by key. They are read when a condition first asks for them. */
type KnownAttributes = () => ReadonlyMap<string, KnownAttribute>;

/** @param load the stored attributes. It is called when a condition first asks for them, as few contents do */
export function knownAttributes(load: () => string): KnownAttributes {
  let known: ReturnType<KnownAttributes> | undefined;
  return () => {
    known ??= new Map([...parseAttributes(load())].map(([key, value]) => [key, { value }]));
    return known;
  };
}

/** Who answers, and when. */
export interface Circumstances {
  attributes: KnownAttributes;
  today: Today;
  /** Those that the session has. Missing: none. */
  arms?: ArmIds;
  /** What orders by chance come from. Missing: all is in the content's order. */
  order?: OrderSeed;
}

/** The values that conditions compare: the answers that count, by question id, the participant's attributes, the day, and the session's arms. */
export class Facts extends Map<string, Counting> {
  readonly attributes: KnownAttributes;
  readonly today: Today;
  readonly arms: ArmIds;

  constructor({ attributes, today, arms = NO_ARMS }: Circumstances) {
    super();
    this.attributes = attributes;
    this.today = today;
    this.arms = arms;
  }
}

const NO_ARMS: ArmIds = new Map();

/** Called with a comparison that was looked at, and whether it holds. */
export type Look = (comparison: LeafCondition, isHolding: boolean) => void;

/** Whether a condition holds. @param look called with each comparison that is evaluated, in order. Comparisons that can't change the result are not evaluated */
export function holds(condition: Condition, facts: Facts, look?: Look): boolean {
  if ("all" in condition) return condition.all.every((inner) => holds(inner, facts, look));
  if ("any" in condition) return condition.any.some((inner) => holds(inner, facts, look));
  if ("not" in condition) return !holds(condition.not, facts, look);
  const isHolding = comparisonHolds(condition, facts);
  look?.(condition, isHolding);
  return isHolding;
}

export function comparisonHolds(condition: LeafCondition, facts: Facts): boolean {
  const negated = withoutNegation(condition);
  if (negated) return !comparisonHolds(negated, facts);
  if ("attribute" in condition) return attributeHolds(condition, facts.attributes().get(condition.attribute));
  if ("arm" in condition) return facts.arms.get(condition.arm) === condition.is;
  const whole = facts.get(condition.questionId);
  const given = whole && condition.row !== undefined ? inRow(whole, condition.row) : whole;
  const answer = given?.answer ?? null;
  if ("answered" in condition) return (answer !== null) === condition.answered;
  if (!given || answer === null) return false;
  const { question } = given;
  const { equality, contains, order, own } = typeOf(question).comparisons;
  if (own) {
    const [operator, operand] = operatorIn(condition);
    if (Object.hasOwn(own, operator)) return own[operator]!.holds(answer, operand, facts.today, question);
  }
  if ("equals" in condition) return typeof equality === "function" && equality(answer, question) === condition.equals;
  if ("oneOf" in condition)
    return typeof equality === "function" && condition.oneOf.includes(equality(answer, question) ?? "");
  if ("contains" in condition)
    return typeof contains === "function" && contains(answer, condition.contains, given, question);
  return typeof order === "function" && isInOrder(condition, order(answer));
}

/** Of a comparison such as `isNot`: the one that holds exactly where it does not. Undefined: it has none. */
function withoutNegation(condition: LeafCondition): LeafCondition | undefined {
  const operator = negationIn(condition);
  if (operator === undefined) return undefined;
  const { [operator]: value, ...subject } = condition as Record<string, unknown>;
  return { ...subject, [OPPOSITES[operator]]: value } as unknown as LeafCondition;
}

function attributeHolds(condition: AttributeComparison, known: KnownAttribute | undefined): boolean {
  if ("exists" in condition) return (known !== undefined) === condition.exists;
  if (!known) return false;
  const { value } = known;
  if ("is" in condition) return areEqualAttributes(value, condition.is);
  if ("equals" in condition) return areEqualAttributes(value, condition.equals);
  if ("oneOf" in condition) return condition.oneOf.some((one) => areEqualAttributes(value, one));
  if ("contains" in condition) {
    if (typeof value !== "string") return false;
    known.lowerCase ??= value.toLowerCase();
    return known.lowerCase.includes(condition.contains.toLowerCase());
  }
  const number = numberOf(value);
  return number !== undefined && isInOrder(condition, number);
}

/** Whether a condition refers to one of these questions. */
export function refersTo(condition: Condition, questions: ReadonlySet<string>): boolean {
  if ("all" in condition) return condition.all.some((inner) => refersTo(inner, questions));
  if ("any" in condition) return condition.any.some((inner) => refersTo(inner, questions));
  if ("not" in condition) return refersTo(condition.not, questions);
  return "questionId" in condition && questions.has(condition.questionId);
}

/**
 * Whether a condition may come to `wanted`, while the answers to some questions, or some arms, are open. Each comparison with one of them
 * may be true or false, independently of the others. So the result may be true for what is impossible, but never false for what is possible.
 * @param isOpen of the id of a question, or of an assignment
 */
export function mayHold(condition: Condition, facts: Facts, isOpen: (id: string) => boolean, wanted = true): boolean {
  const may = (inner: Condition) => mayHold(inner, facts, isOpen, wanted);
  if ("all" in condition) return wanted ? condition.all.every(may) : condition.all.some(may);
  if ("any" in condition) return wanted ? condition.any.some(may) : condition.any.every(may);
  if ("not" in condition) return mayHold(condition.not, facts, isOpen, !wanted);
  const subject = subjectOf(condition);
  if (subject !== undefined && isOpen(subject)) return true;
  return comparisonHolds(condition, facts) === wanted;
}

/** The answer in a row of a question. Undefined: there is no such row. */
function inRow({ question, answer }: Counting, rowId: string): Counting | undefined {
  const row = rowsOf(question).get(rowId);
  if (!row) return undefined;
  return { question: row, answer: answer === null ? null : (typeOf(question).rows?.answer(answer, rowId) ?? null) };
}

/** The id of the question, or of the assignment, that a comparison is about. Undefined: it is about an attribute. */
export function subjectOf(condition: LeafCondition): string | undefined {
  if ("questionId" in condition) return condition.questionId;
  return "arm" in condition ? condition.arm : undefined;
}

/** The ids of the questions that a condition is about. */
export function questionsIn(condition: Condition): string[] {
  if ("all" in condition) return condition.all.flatMap(questionsIn);
  if ("any" in condition) return condition.any.flatMap(questionsIn);
  if ("not" in condition) return questionsIn(condition.not);
  return "questionId" in condition ? [condition.questionId] : [];
}

/** The keys of the attributes that a condition is about. */
export function attributesIn(condition: Condition): string[] {
  if ("all" in condition) return condition.all.flatMap(attributesIn);
  if ("any" in condition) return condition.any.flatMap(attributesIn);
  if ("not" in condition) return attributesIn(condition.not);
  return "attribute" in condition ? [condition.attribute] : [];
}

/** The ids of the assignments whose arms a condition asks for. */
export function assignmentsIn(condition: Condition): string[] {
  if ("all" in condition) return condition.all.flatMap(assignmentsIn);
  if ("any" in condition) return condition.any.flatMap(assignmentsIn);
  if ("not" in condition) return assignmentsIn(condition.not);
  return "arm" in condition ? [condition.arm] : [];
}
