// Conditions as sentences that a person can read.

import { type Condition, type LeafCondition, type Operand, operatorIn, quoted } from "../question-types/comparisons.ts";
import type { Markup } from "../question-types/markup/parse.ts";
import { plainOf } from "../question-types/markup/plain.ts";
import { type Question, rowsOf, typeOf } from "../question-types/registry.ts";
import { type ArmAssignment, askedIn, type Content, type Item, isQuestion, type Page } from "./content.ts";
import type { Rule } from "./judge.ts";
import type { Shuffle } from "./order.ts";

/** The longest sentence of a rule, in UTF-16 units. Its comparisons have sentences of their own. */
const MAX_SENTENCE_LENGTH = 1000;

/** How many values of a list are named. */
const MAX_NAMED_VALUES = 5;

interface Read {
  markup?: Markup;
  pages: readonly { title?: string | null; questions: readonly Item[] }[];
}

/** A content with its titles and prompts as people read them in lists and sentences: without the signs of Markdown. */
export function asRead<Of extends Read>(content: Of): Of {
  const { markup, pages } = content;
  if (markup !== "MARKDOWN") return content;
  const read = pages.map((page) => ({
    ...page,
    ...(page.title && { title: plainOf(page.title, markup) }),
    questions: page.questions.map((item) => {
      if (!isQuestion(item)) return item.text === null ? item : { ...item, text: plainOf(item.text, markup) };
      const prompt = plainOf(item.prompt, markup);
      return prompt === item.prompt ? item : { ...item, prompt };
    }),
  }));
  return { ...content, markup: "PLAIN", pages: read };
}

interface Named extends Read {
  assignments?: readonly ArmAssignment[];
}

/** What sentences name: the questions of a content by id, and the assignments to arms. */
export class ContentNames extends Map<string, Question> {
  readonly assignments: ReadonlyMap<string, ArmAssignment>;
  readonly #markup: Markup;

  constructor({ markup = "PLAIN", pages, assignments = [] }: Named) {
    super(pages.flatMap((page) => askedIn(page).map((question) => [question.id, question] as const)));
    this.assignments = new Map(assignments.map((assignment) => [assignment.id, assignment]));
    this.#markup = markup;
  }

  /** What a question asks, as people read it; its id if it is not known. */
  promptOf(questionId: string): string {
    const question = this.get(questionId);
    return question ? this.read(question.prompt) : questionId;
  }

  /** A title or a prompt of the content as people read it. */
  read(text: string): string {
    return plainOf(text, this.#markup);
  }
}

/** A page as part of a sentence. */
export function placeName({ title }: Pick<Page, "title">, index: number, markup: Markup | undefined): string {
  return title === null ? `page ${index + 1}` : `the page ${quoted(plainOf(title, markup))}`;
}

/** What is shuffled, and what its items are called. */
export function shuffleWords(
  { of, id, items }: Shuffle,
  { markup, pages }: Pick<Content, "markup" | "pages">,
): { subject: string; items: string[] } {
  const names = items.map((item) => {
    if ("prompt" in item) return plainOf(String(item.prompt), markup);
    if ("text" in item) return item.text === null ? "a line" : String(item.text);
    const at = pages.findIndex((page) => page.id === item.id);
    const title = pages[at]?.title ?? null;
    return title === null ? `page ${at + 1}` : plainOf(title, markup);
  });
  if (of === "PAGES") return { subject: `pages of the block ${quoted(id)}`, items: names };
  if (of === "QUESTIONS") {
    const at = pages.findIndex((page) => page.id === id);
    return { subject: `questions of ${placeName(pages[at]!, at, markup)}`, items: names };
  }
  const prompt = pages.flatMap(askedIn).find((question) => question.id === id)?.prompt ?? id;
  return { subject: `${of.toLowerCase()} of ${quoted(plainOf(prompt, markup))}`, items: names };
}

/** What a rule says: `Screen out if “How old are you?” is less than 18`. */
export function ruleSentence({ page, condition, needed }: Rule, questions: ContentNames): string {
  if (needed) return shortened(`No consent if ${conditionText(condition, questions)}`);
  return shortened(`${page ? "Screen out" : "Qualify only"} if ${conditionText(condition, questions)}`);
}

/** The sentence, cut to the length that people read. */
export function shortened(sentence: string): string {
  if (sentence.length <= MAX_SENTENCE_LENGTH) return sentence;
  return `${sentence.slice(0, MAX_SENTENCE_LENGTH).toWellFormed().trimEnd()}…`;
}

/** A condition as a part of a sentence. */
export function conditionText(condition: Condition, questions: ContentNames): string {
  if ("all" in condition) return rangeText(condition, questions) ?? joined(condition.all, " and ", questions);
  if ("any" in condition) return joined(condition.any, " or ", questions);
  if ("not" in condition) return `it is not true that ${inBrackets(condition.not, questions)}`;
  return comparisonText(condition, questions);
}

function joined(conditions: readonly Condition[], word: string, questions: ContentNames): string {
  const [only] = conditions;
  if (only && conditions.length === 1) return conditionText(only, questions);
  // A range among others that hold, too, names its question once: nothing else can be meant.
  const part = (inner: Condition) => (word === " and " ? rangeText(inner, questions) : undefined);
  return conditions.map((inner) => part(inner) ?? inBrackets(inner, questions)).join(word);
}

/** Two ends for one number: `“How old are you?” is at least 18 and at most 29`. Undefined: it is something else. */
function rangeText(condition: Condition, questions: ContentNames): string | undefined {
  if (!("all" in condition) || condition.all.length !== 2) return undefined;
  const [from, to] = condition.all as [Condition, Condition];
  if (!("questionId" in from && "questionId" in to) || from.questionId !== to.questionId || from.row !== to.row)
    return undefined;
  const isFrom = "atLeast" in from || "greaterThan" in from;
  const isTo = "atMost" in to || "lessThan" in to;
  if (!isFrom || !isTo) return undefined;
  const [subject, text] = [subjectText(questions, to), comparisonText(to, questions)];
  return `${comparisonText(from, questions)} and ${text.slice(`${subject} is `.length)}`;
}

/** How the rule of a quota begins. */
export const COUNTS = "Counts people if";

/** Who counts in a quota. */
export function quotaRule({ when }: { when: Condition | null }, questions: ContentNames): string {
  return when ? shortened(`${COUNTS} ${conditionText(when, questions)}`) : "Everybody counts";
}

/** Brackets show what belongs together. */
function inBrackets(condition: Condition, questions: ContentNames): string {
  const text = conditionText(condition, questions);
  return "all" in condition || "any" in condition || "not" in condition ? `(${text})` : text;
}

/** One comparison as a part of a sentence: `“How old are you?” is less than 18`. */
export function comparisonText(comparison: LeafCondition, questions: ContentNames): string {
  if ("attribute" in comparison) {
    const attribute = quoted(comparison.attribute);
    if ("exists" in comparison) return `the participant has ${comparison.exists ? "the" : "no"} attribute ${attribute}`;
    const value = (one: string | number | boolean) => (typeof one === "string" ? quoted(one) : String(one));
    return `the attribute ${attribute} ${comparedText(comparison, value)}`;
  }
  if ("arm" in comparison) {
    const assignment = questions.assignments.get(comparison.arm);
    const arm = assignment?.arms.find(({ id }) => id === comparison.is);
    return `the arm of ${quoted(assignment?.name ?? comparison.arm)} is ${quoted(arm?.name ?? comparison.is)}`;
  }
  const whole = questions.get(comparison.questionId);
  const question = whole && comparison.row !== undefined ? rowsOf(whole).get(comparison.row) : whole;
  const subject = subjectText(questions, comparison);
  if ("answered" in comparison) return `${subject} is ${comparison.answered ? "" : "not "}answered`;
  const [operator, operand] = operatorIn(comparison);
  if (!isWorded(operator)) {
    const own = question && typeOf(question).comparisons.own?.[operator];
    return `${subject} ${own ? own.text(operand, question) : operator}`;
  }
  const value = (one: Operand) =>
    question ? typeOf(question).comparisons.operandText(question, one) : quoted(String(one));
  return `${subject} ${comparedText(comparison as Compared<Operand>, value)}`;
}

/** `“How old are you?”`, or `the row “Tea” of “How often do you drink it?”`. */
function subjectText(questions: ContentNames, { questionId, row }: { questionId: string; row?: string }): string {
  const name = quoted(questions.promptOf(questionId));
  if (row === undefined) return name;
  const question = questions.get(questionId);
  const found = question && "rows" in question ? question.rows.find(({ id }) => id === row) : undefined;
  return `the row ${quoted(found?.text ?? row)} of ${name}`;
}

/** Whether an operator has its words here: the others have them from their types. */
function isWorded(operator: string): boolean {
  return operator === "oneOf" || operator === "noneOf" || operator in VERBS;
}

/** A comparison with a value of `Value`, or several. */
type Compared<Value> = { [operator in keyof typeof VERBS]?: Value } & { oneOf?: Value[]; noneOf?: Value[] };

/** Operators with one value, as part of a sentence. */
export const VERBS = {
  is: "is",
  equals: "is",
  contains: "contains",
  lessThan: "is less than",
  atMost: "is at most",
  greaterThan: "is greater than",
  atLeast: "is at least",
  isNot: "is not",
  notContains: "does not contain",
} as const;

function comparedText<Value>(comparison: Compared<Value>, valueText: (value: Value) => string): string {
  const { oneOf, noneOf } = comparison;
  if (oneOf) return `is ${listed(oneOf, "one", valueText)}`;
  if (noneOf) return `is ${noneOf.length > MAX_NAMED_VALUES ? "" : "not "}${listed(noneOf, "none", valueText)}`;
  for (const [operator, verb] of Object.entries(VERBS)) {
    const value = comparison[operator as keyof typeof VERBS];
    if (value !== undefined) return `${verb} ${valueText(value)}`;
  }
  throw new Error(`A comparison has no known operator: ${Object.keys(comparison).join(", ")}`);
}

/** Values as part of a sentence: `A, B or C`; of many, `one of A, B, C, D, E and 7 more`. */
function listed<Value>(values: readonly Value[], word: string, valueText: (value: Value) => string): string {
  const named = values.slice(0, MAX_NAMED_VALUES).map(valueText);
  const more = values.length - named.length;
  if (more > 0) return `${word} of ${named.join(", ")} and ${more} more`;
  const last = named.pop() ?? "";
  return named.length ? `${named.join(", ")} or ${last}` : last;
}
