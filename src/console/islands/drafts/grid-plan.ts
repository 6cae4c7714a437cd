// What a grid comes to: a quota for each combination of answers, or what is missing or wrong.

import { MAX_QUOTAS, type Quota } from "../../../nouns/content/content.ts";
import {
  answerName,
  combinations,
  inRange,
  overlapOf,
  readRange,
  ruleOfCell,
} from "../../../nouns/content/grids/grids.ts";
import { divided, table } from "../../../nouns/content/grids/shares.ts";
import { ContentNames } from "../../../nouns/content/sentences.ts";
import { type Condition, quoted } from "../../../nouns/question-types/comparisons.ts";
import { type Question, typeOf } from "../../../nouns/question-types/registry.ts";

export type How = "PERCENT" | "NUMBER" | "CELL_PERCENT" | "CELL_NUMBER";

interface GridAnswer {
  name: string;
  condition: Condition;
}

export interface GridQuestion {
  id: string;
  prompt: string;
  answers: GridAnswer[];
  /** What was typed as ranges, and is none. */
  unread: string[];
  overlap: readonly [string, string] | undefined;
}

interface GridChoice {
  questions: readonly GridQuestion[];
  how: How;
  total: number | null;
  /** The numbers as typed: by `fieldOf`. */
  typed: Readonly<Record<string, string>>;
  present: readonly Quota[];
}

export type NewCell = Pick<Quota, "name" | "when"> & { limit: number };

/** The field of an answer: the question and the answer, by their positions; or that of a combination. */
export const fieldOf = (positions: readonly number[], isCell = false) =>
  `${isCell ? "cell" : "answer"}-${positions.join("-")}`;

export const isByCell = (how: How) => how === "CELL_PERCENT" || how === "CELL_NUMBER";
export const isPercent = (how: How) => how === "PERCENT" || how === "CELL_PERCENT";

/** Whether a grid can ask a question: one of its options is chosen, or a number is given. */
export function isForGrid(question: Question): boolean {
  const { equality, order } = typeOf(question).comparisons;
  return "options" in question ? typeof equality === "function" : typeof order === "function";
}

/** A question with its answers: its options, or the ranges that are typed, one in each line. */
export function gridQuestion(question: Question, lines: string): GridQuestion {
  const { id, prompt } = question;
  if ("options" in question) {
    const answers = question.options.map((option) => ({
      name: option.text,
      condition: { questionId: id, equals: option.id },
    }));
    return { id, prompt, answers, unread: [], overlap: undefined };
  }
  const typed = lines.split("\n").flatMap((line) => line.trim() || []);
  const read = typed.flatMap((line) => readRange(line) ?? []);
  const unread = typed.filter((line) => readRange(line) === undefined);
  const answers = read.map((range) => {
    const condition = inRange(id, range);
    return { name: answerName(condition, NO_NAMES), condition };
  });
  const found = overlapOf(read);
  return { id, prompt, answers, unread, overlap: found && [answers[found[0]]!.name, answers[found[1]]!.name] };
}

const NO_NAMES = new ContentNames({ pages: [] });

export function planGrid(choice: GridChoice): { faults: string[]; cells: NewCell[] } {
  const { questions, how, present } = choice;
  const faults = questions.flatMap(faultsOfQuestion);
  if (questions.length < 2) faults.push("Choose two or three questions");
  if (new Set(questions.map(({ id }) => id)).size < questions.length) faults.push("Choose each question once");
  if (faults.length) return { faults, cells: [] };
  const positions = combinations(questions.map(({ answers }) => answers.length));
  const sum = present.length + positions.length;
  if (sum > MAX_QUOTAS)
    return { faults: [`A study has at most ${MAX_QUOTAS} quotas, and these would be ${sum}`], cells: [] };
  const names = positions.map((at) =>
    answersAt(questions, at)
      .map(({ name }) => name)
      .join(", "),
  );
  const known = new Set(present.map(({ name }) => name));
  for (const name of names) {
    if (known.has(name)) faults.push(`There is a quota ${quoted(name)} already`);
    known.add(name);
  }
  const limits = isByCell(how) ? limitsOfCells(choice, positions, faults) : limitsOfAnswers(choice, faults);
  const cells = positions.map((at, index) => ({
    name: names[index]!,
    when: ruleOfCell(answersAt(questions, at).map(({ condition }) => condition)),
    limit: limits[index] ?? 0,
  }));
  return { faults, cells: faults.length ? [] : cells };
}

function faultsOfQuestion({ prompt, answers, unread, overlap }: GridQuestion): string[] {
  return [
    ...unread.map((line) => `${quoted(line)} is no range. Ranges are “under 30”, “30 to 49” or “50 and over”`),
    ...(overlap ? [`${quoted(overlap[0])} and ${quoted(overlap[1])} have numbers in common`] : []),
    ...(answers.length < 2 && !unread.length ? [`${quoted(prompt)} needs two or more answers or ranges`] : []),
  ];
}

const answersAt = (questions: readonly GridQuestion[], positions: readonly number[]) =>
  positions.map((at, index) => questions[index]!.answers[at]!);

function limitsOfAnswers({ questions, how, total, typed }: GridChoice, faults: string[]): number[] {
  const given = questions.map(({ prompt, answers }, index) => {
    const numbers = answers.map((_, at) => numberIn(typed, fieldOf([index, at]), isPercent(how), faults));
    return isPercent(how) ? sharesOf(total, numbers, quoted(prompt), faults) : numbers;
  });
  const [first = 0, ...others] = given.map(sumOf);
  const other = others.findIndex((sum) => sum !== first);
  if (other >= 0 && !faults.length)
    faults.push(
      `The numbers for ${quoted(questions[other + 1]!.prompt)} are ${others[other]} together, and those for ${quoted(questions[0]!.prompt)} ${first}`,
    );
  return faults.length ? [] : table(given);
}

function limitsOfCells({ how, total, typed }: GridChoice, positions: number[][], faults: string[]): number[] {
  const numbers = positions.map((at) => numberIn(typed, fieldOf(at, true), isPercent(how), faults));
  return isPercent(how) ? sharesOf(total, numbers, "the combinations", faults) : numbers;
}

/** How far percentages may be from 100 together, because they were rounded. */
const ROUNDED = 0.5;

/** A total divided by percentages. Without any, all get the same. */
function sharesOf(total: number | null, percentages: number[], of: string, faults: string[]): number[] {
  const sum = sumOf(percentages);
  const text = "The total must be a whole number of people";
  if ((total === null || !Number.isInteger(total) || total < 0) && !faults.includes(text)) faults.push(text);
  if (sum !== 0 && Math.abs(sum - 100) > ROUNDED)
    faults.push(`The percentages for ${of} are ${Number(sum.toFixed(2))} together, and not 100`);
  return faults.length ? [] : divided(total ?? 0, sum === 0 ? percentages.map(() => 1) : percentages);
}

function numberIn(typed: GridChoice["typed"], field: string, isShare: boolean, faults: string[]): number {
  const text = (typed[field] ?? "").trim().replace(",", ".").replace(/ ?%$/, "");
  const isNumber = isShare ? /^(\d+(\.\d+)?)?$/.test(text) : /^\d{0,10}$/.test(text);
  if (!isNumber) faults.push(`${quoted(typed[field]!)} is no ${isShare ? "percentage" : "whole number"}`);
  return isNumber ? Number(text) : 0;
}

const sumOf = (numbers: readonly number[]) => numbers.reduce((one, other) => one + other, 0);
