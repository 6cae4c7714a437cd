// Filters by answers, and by attributes as rules compare them: each is a comparison of a rule, which is looked at for each answer.

import { MAX_SEARCHED_WORDS, searchedWords } from "../../db/sqlite/words.ts";
import type { AskedFilter } from "../base/members.ts";
import type { ProblemDetail } from "../base/problems.ts";
import { readOperator, rowIn } from "../nouns/content/conditions/operators.ts";
import { attributeOperandError, type LeafCondition, type ValueOperator } from "../nouns/question-types/comparisons.ts";
import { namesOfTypes, ownOperators, type Question, typeOf } from "../nouns/question-types/registry.ts";
import { type NamedQuestion, type NamedQuestions, partNames } from "./asked-questions.ts";
import { plainOperatorOf, ruleOperatorOf } from "./filters.ts";

/** A filter by the answers to a question: what each version's answers are compared with. */
export interface AnswerTest {
  /** Empty: the filter names no value, so no answer is compared. */
  conditions: { publicationId: number; position: number; question: Question; condition: LeafCondition }[];
  /** Whether it lets sessions through that have no answer. */
  holdsWithout: boolean;
  /** Whether an answer's result may depend on the day of the session. */
  needsDay: boolean;
  /** The words that are searched for: then the index of words finds the answers. */
  words?: string;
}

/** A filter by an attribute of the participants. */
export interface AttributeTest {
  condition: LeafCondition & { attribute: string };
  holdsWithout: boolean;
}

interface AskedTests {
  answers: AnswerTest[];
  attributes: AttributeTest[];
  /** Every error in the filters. */
  errors: ProblemDetail[];
}

const WITHOUT: ReadonlySet<string> = new Set(["isNot", "noneOf", "notContains"]);

/** Reads them in a thread, which can throw no problem. */
export function readAsked(questions: NamedQuestions, asked: readonly AskedFilter[]): AskedTests {
  const tests: AskedTests = { answers: [], attributes: [], errors: [] };
  for (const filter of asked) {
    const fail = (message: string) => tests.errors.push({ pointer: filter.pointer, message });
    if (filter.field === "attributes") tests.attributes.push(attributeTest(filter, fail));
    else {
      const test = answerTest(questions, filter, fail);
      if (test) tests.answers.push(test);
    }
  }
  return tests;
}

type Fail = (message: string) => void;

function attributeTest({ key: attribute, operator: sent, values }: AskedFilter, fail: Fail): AttributeTest {
  const operator = ruleOperatorOf(sent);
  const [value = ""] = values;
  const isText = operator === "contains" || operator === "notContains";
  const operand = operator === "exists" ? truthOf(value) : isText ? value : (numberOf(value) ?? value);
  const error = attributeOperandError(operator, operand);
  if (error !== undefined) fail(error);
  return {
    condition: { attribute, [operator]: operand } as AttributeTest["condition"],
    holdsWithout: operator === "notContains" || (operator === "exists" && operand === false),
  };
}

function answerTest({ byName }: NamedQuestions, filter: AskedFilter, fail: Fail): AnswerTest | undefined {
  const { key, operator: sent, values } = filter;
  // No key has a point: what follows is a row.
  const [name = "", ...rest] = key.split(".");
  const row = rest.length ? rest.join(".") : undefined;
  const named = byName.get(name) ?? byName.get(name.toLowerCase());
  if (!named) {
    fail("names no question of this study: neither a key nor an id");
    return undefined;
  }
  const operator = ruleOperatorOf(sent);
  const isList = operator === "oneOf" || operator === "noneOf";
  const test: AnswerTest = {
    conditions: [],
    holdsWithout: WITHOUT.has(operator) || (operator === "answered" && values[0] === "false"),
    needsDay: ownOperators.has(operator),
  };
  if (isList && !values.length) return test;
  if (operator === "matches") return wordsTest(named, row, values[0]!, fail) ?? test;
  const faults: string[] = [];
  for (const { publicationId, position, question } of named.asked) {
    const earlier = { question, partIds: partNames(question) };
    const { compared, fault: noRow } = row === undefined ? { compared: earlier } : rowIn(earlier, row);
    if (noRow !== undefined || !compared) {
      faults.push(noRow!);
      continue;
    }
    let fault: string | undefined;
    const operands = values.map((value) => operandOf(operator, value, compared));
    const given = isList ? operands : operands[0];
    const condition = readOperator(operator, given, compared, "", (message) => {
      fault ??= message;
      return { all: [] };
    });
    if (fault !== undefined) faults.push(inFilterWords(fault));
    else test.conditions.push({ publicationId, position, question, condition: condition as LeafCondition });
  }
  // What one version knows, such as a new option, may be unknown to another one.
  if (!test.conditions.length) fail(faults[0] ?? "names no question of this study");
  return test;
}

/** A search for words in the versions that are answered with a text. */
function wordsTest(
  { asked }: NamedQuestion,
  row: string | undefined,
  words: string,
  fail: Fail,
): AnswerTest | undefined {
  const conditions = asked
    .filter(({ question }) => row === undefined && typeOf(question).isSearched)
    .map((one) => ({ ...one, condition: { questionId: one.question.id, answered: true } }));
  const count = searchedWords(words).length;
  if (!conditions.length) fail(`goes only with ${namesOfTypes(({ isSearched }) => isSearched === true)} questions`);
  else if (!count) fail("has no words");
  else if (count > MAX_SEARCHED_WORDS) fail(`must have at most ${MAX_SEARCHED_WORDS} words`);
  else return { conditions, holdsWithout: false, needsDay: false, words };
  return undefined;
}

/** What a text in an address stands for. */
function operandOf(
  operator: string,
  text: string,
  { question, partIds }: { question: Question; partIds: ReadonlyMap<string, string> },
): unknown {
  if (operator === "answered") return truthOf(text);
  const { readOperand, own } = typeOf(question).comparisons;
  const ofType = own && Object.hasOwn(own, operator) ? own[operator]!.given : undefined;
  if (ofType?.by === "text") return ofType.read(text);
  if (ofType) return ofType.by === "rank" ? jsonOf(text) : text;
  const number = numberOf(text);
  if (number === undefined) return text;
  const read = readOperand(number, plainOperatorOf(operator) as ValueOperator, partIds, question);
  return typeof read === "object" ? text : number;
}

function truthOf(text: string): unknown {
  return text === "true" ? true : text === "false" ? false : text;
}

function numberOf(text: string): number | undefined {
  return /^-?\d+(\.\d+)?$/.test(text) ? Number(text) : undefined;
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/** What rules call `equals` is `eq` in filters. */
function inFilterWords(message: string): string {
  return message.replace(/; use (any of |all of )?equals\b/, "; use $1eq");
}
