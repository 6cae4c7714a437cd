// Grids: quotas for all combinations of the answers to two or three questions. A grid is not stored: its quotas' rules show it.

import type { Condition, LeafCondition } from "../../question-types/comparisons.ts";
import { type ContentNames, conditionText } from "../sentences.ts";

/** A quota, as far as a grid needs it. */
interface Ruled {
  when: Condition | null;
}

export interface Grid<Q extends Ruled> {
  questionIds: readonly string[];
  /** For each question its answers. */
  answers: readonly (readonly Condition[])[];
  /** The quota of a combination: the position of the answer to each question. */
  quotaOf: (positions: readonly number[]) => Q;
}

/** The rule of a quota of a grid. @param answers one to each question */
export function ruleOfCell(answers: readonly Condition[]): Condition {
  return { all: [...answers] };
}

/** All combinations of positions. The last one changes first. */
export function combinations(lengths: readonly number[]): number[][] {
  return lengths.reduce<number[][]>(
    (all, length) => all.flatMap((one) => Array.from({ length }, (_, index) => [...one, index])),
    [[]],
  );
}

/** The grids among quotas: each combination has exactly one. */
export function gridsOf<Q extends Ruled>(quotas: readonly Q[]): Grid<Q>[] {
  const byQuestions = new Map<string, { quota: Q; parts: Condition[] }[]>();
  for (const quota of quotas) {
    const parts = quota.when && "all" in quota.when ? quota.when.all : [];
    const subjects = parts.map(subjectOf);
    const isCell = (parts.length === 2 || parts.length === 3) && new Set(subjects).size === parts.length;
    if (!isCell || subjects.includes(undefined)) continue;
    const key = subjects.join(" ");
    byQuestions.set(key, [...(byQuestions.get(key) ?? []), { quota, parts }]);
  }
  return [...byQuestions].flatMap(([key, cells]) => gridOf(key.split(" "), cells) ?? []);
}

function gridOf<Q extends Ruled>(
  questionIds: string[],
  cells: readonly { quota: Q; parts: Condition[] }[],
): Grid<Q> | undefined {
  const texts = questionIds.map((_, at) => [...new Set(cells.map(({ parts }) => JSON.stringify(parts[at])))]);
  const size = texts.reduce((product, { length }) => product * length, 1);
  const byPositions = new Map(
    cells.map(({ quota, parts }) => [parts.map((part, at) => texts[at]!.indexOf(JSON.stringify(part))).join(), quota]),
  );
  if (cells.length < 2 || cells.length !== size || byPositions.size !== size) return undefined;
  return {
    questionIds,
    answers: texts.map((all) => all.map((text) => JSON.parse(text) as Condition)),
    quotaOf: (positions) => byPositions.get(positions.join())!,
  };
}

/** The one question that a condition is about: one comparison, or a range. */
function subjectOf(part: Condition): string | undefined {
  if ("questionId" in part) return part.questionId;
  if (!("all" in part) || !part.all.length) return undefined;
  const subjects = new Set(part.all.map((one) => ("questionId" in one ? one.questionId : undefined)));
  return subjects.size === 1 ? [...subjects][0] : undefined;
}

/** The answer that a part of a grid's rule asks for: `Women`, `under 30`, `30 to 49`. */
export function answerName(part: Condition, questions: ContentNames): string {
  if ("all" in part && part.all.length === 2) {
    const [from, to] = part.all as [LeafCondition, LeafCondition];
    if ("atLeast" in from && "atMost" in to) return `${from.atLeast} to ${to.atMost}`;
  }
  if ("lessThan" in part) return `under ${part.lessThan}`;
  if ("atMost" in part) return `up to ${part.atMost}`;
  if ("greaterThan" in part) return `over ${part.greaterThan}`;
  if ("atLeast" in part) return `${part.atLeast} and over`;
  const question = "questionId" in part ? questions.get(part.questionId) : undefined;
  if (question && "equals" in part) {
    const option = "options" in question ? question.options.find(({ id }) => id === part.equals) : undefined;
    return option?.text ?? String(part.equals);
  }
  return conditionText(part, questions);
}

/** Numbers from one to another. Null: without an end. */
export interface Range {
  from: number | null;
  to: number | null;
  /** Whether `from` and `to` themselves are in it. */
  includesFrom: boolean;
  includesTo: boolean;
}

const NUMBER = String.raw`(-?\d+(?:[.,]\d+)?)`;
const FORMS: readonly (readonly [RegExp, (one: number, other: number) => Range])[] = [
  [new RegExp(`^(?:under|less than|below|<) ?${NUMBER}$`), (to) => range(null, to, true, false)],
  [new RegExp(`^(?:up to|at most|≤|<=) ?${NUMBER}$`), (to) => range(null, to)],
  [new RegExp(`^(?:over|more than|above|>) ?${NUMBER}$`), (from) => range(from, null, false)],
  [new RegExp(`^(?:from|at least|≥|>=) ?${NUMBER}$`), (from) => range(from, null)],
  [
    new RegExp(`^${NUMBER} ?(?:\\+|and over|and more|or over|or more|or older|and older)$`),
    (from) => range(from, null),
  ],
  [new RegExp(`^${NUMBER} ?(?:-|–|to|until) ?${NUMBER}$`), (from, to) => range(from, to)],
  [new RegExp(`^${NUMBER}$`), (one) => range(one, one)],
];

function range(from: number | null, to: number | null, includesFrom = true, includesTo = true): Range {
  return { from, to, includesFrom, includesTo };
}

/** The range that a line names: `under 30`, `30 to 49`, `50 and over`. Undefined: it names none. */
export function readRange(line: string): Range | undefined {
  const text = line.trim().replace(/\s+/g, " ").toLowerCase();
  for (const [form, make] of FORMS) {
    const found = form.exec(text);
    if (!found) continue;
    const [one, other] = found.slice(1).map((number) => Number(number.replace(",", ".")));
    const read = make(one!, other!);
    return read.from !== null && read.to !== null && read.from > read.to ? undefined : read;
  }
  return undefined;
}

/** The condition that an answer is in a range. */
export function inRange(questionId: string, { from, to, includesFrom, includesTo }: Range): Condition {
  if (from !== null && from === to) return { questionId, equals: from };
  const parts: Condition[] = [
    ...(from === null ? [] : [includesFrom ? { questionId, atLeast: from } : { questionId, greaterThan: from }]),
    ...(to === null ? [] : [includesTo ? { questionId, atMost: to } : { questionId, lessThan: to }]),
  ];
  return parts.length === 1 ? parts[0]! : { all: parts };
}

/** The positions of two ranges that have a number in common. */
export function overlapOf(ranges: readonly Range[]): [number, number] | undefined {
  for (const [index, one] of ranges.entries())
    for (let other = 0; other < index; other++)
      if (!isBelow(one, ranges[other]!) && !isBelow(ranges[other]!, one)) return [other, index];
  return undefined;
}

/** Whether all of a range is below another one. */
function isBelow(one: Range, other: Range): boolean {
  if (one.to === null || other.from === null) return false;
  return one.to < other.from || (one.to === other.from && !(one.includesTo && other.includesFrom));
}
