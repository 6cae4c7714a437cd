// What a draft says of orders by chance: its members, and whether an order may put a condition before its question.

import * as v from "valibot";
import type { ProblemDetail } from "../../base/problems.ts";
import type { Condition } from "../question-types/comparisons.ts";
import { quoted } from "../question-types/comparisons.ts";
import { flag, text, type ValuesOf } from "../question-types/entries.ts";
import type { Question } from "../question-types/registry.ts";
import { type ArmAssignment, askedIn, type Content, isQuestion, type Page } from "./content.ts";
import { assignmentsIn, questionsIn } from "./holds.ts";
import { runsOf } from "./order.ts";
import { placeName } from "./sentences.ts";

const MAX_BLOCK_LENGTH = 64;

/** What authors send of a page's order. */
export const orderInput = { shuffle: flag, shuffleBlock: text(MAX_BLOCK_LENGTH), fixed: flag };

/** The same as it is kept and shown. */
export const orderView = {
  shuffle: v.pipe(v.optional(v.literal(true)), v.description("Its questions are shown in an order by chance")),
  shuffleBlock: v.pipe(
    v.optional(v.string()),
    v.description("The block whose pages stand next to each other, and are shown in an order by chance"),
  ),
  fixed: v.pipe(v.optional(v.literal(true)), v.description("It keeps its position in the block")),
};

export function shuffleMembers(
  input: Partial<ValuesOf<typeof orderInput>>,
): Pick<Page, "shuffle" | "fixed" | "shuffleBlock"> {
  const block = input.shuffleBlock?.trim();
  return {
    ...(input.shuffle && { shuffle: true as const }),
    ...(block && { shuffleBlock: block }),
    ...(input.fixed && { fixed: true as const }),
  };
}

/** What is wrong with orders by chance. @param pointerOf where a page or a question is, by its id */
export function shuffleFaults(content: Content, pointerOf: (id: string) => string): ProblemDetail[] {
  return [...splitBlocks(content, pointerOf), ...earlyConditions(content, pointerOf)];
}

function splitBlocks({ pages }: Content, pointerOf: (id: string) => string): ProblemDetail[] {
  const known = new Set<string>();
  return runsOf(pages).flatMap(({ block, pages: [page] }) => {
    if (block === undefined) return [];
    const isSplit = known.has(block);
    known.add(block);
    return isSplit
      ? [
          {
            pointer: `${pointerOf(page!.id)}/shuffleBlock`,
            message: `must stand next to the other pages of the block ${quoted(block)}: another page is between them`,
          },
        ]
      : [];
  });
}

/** Whether an item of a shuffled list may be shown before another one of it. */
function mayPrecede(items: readonly { fixed?: true | undefined }[], first: number, second: number): boolean {
  const free = items.flatMap(({ fixed }, position) => (fixed ? [] : [position]));
  const from = items[first]!.fixed ? first : free[0]!;
  const to = items[second]!.fixed ? second : free.at(-1)!;
  return first !== second && from < to;
}

/** Whether a page may be shown before one that is before it in the content. @param first the index of the page @param second of the other one */
export function mayComeBefore(pages: readonly Page[], first: number, second: number): boolean {
  const [one, other] = [pages[first]!, pages[second]!];
  if (one.shuffleBlock === undefined || one.shuffleBlock !== other.shuffleBlock) return false;
  const run = runsOf(pages).find((each) => each.pages.includes(one))!.pages;
  // A draft whose block is split is refused for that.
  return run.includes(other) && mayPrecede(run, run.indexOf(one), run.indexOf(other));
}

function earlyConditions(content: Content, pointerOf: (id: string) => string): ProblemDetail[] {
  const behind = questionsBehind(content.assignments ?? []);
  const faults: ProblemDetail[] = [];
  for (const { block, pages } of runsOf(content.pages)) {
    for (const [shownAt, page] of pages.entries()) {
      const asks = (condition: Condition | null, at: string, own: string, position: number | undefined) => {
        if (!condition) return;
        for (const { pointer, direct, asked } of comparisonsIn(condition, at, behind)) {
          const fault = (question: Question, by: string) =>
            faults.push({
              pointer,
              message: `refers to ${quoted(question.prompt)}, which the order by chance of ${by} may put after ${own}`,
            });
          if (page.shuffle && position !== undefined)
            for (const [index, question] of page.questions.entries())
              if (isQuestion(question) && direct === question.id && mayPrecede(page.questions, position, index))
                fault(question, "this page");
          if (block === undefined) continue;
          for (const [index, other] of pages.entries())
            for (const question of askedIn(other))
              if (asked.has(question.id) && mayPrecede(pages, shownAt, index))
                fault(question, `the block ${quoted(block)}`);
        }
      };
      const name = placeName(page, content.pages.indexOf(page), content.markup);
      asks(page.showWhen, `${pointerOf(page.id)}/showWhen`, name, undefined);
      for (const [position, item] of page.questions.entries()) {
        const own = isQuestion(item) ? quoted(item.prompt) : "this text";
        asks(item.showWhen, `${pointerOf(item.id)}/showWhen`, own, position);
      }
      asks(page.disqualifyWhen, `${pointerOf(page.id)}/disqualifyWhen`, name, undefined);
    }
  }
  return faults;
}

interface Asked {
  pointer: string;
  /** The id of the question, unless it asks for an arm. */
  direct: string | undefined;
  /** The ids of the questions that it hangs on. */
  asked: ReadonlySet<string>;
}

/** What each comparison of a condition asks for. */
function comparisonsIn(condition: Condition, at: string, behind: ReadonlyMap<string, readonly string[]>): Asked[] {
  const inner = (list: readonly Condition[], name: string) =>
    list.flatMap((one, index) => comparisonsIn(one, `${at}/${name}/${index}`, behind));
  if ("all" in condition) return inner(condition.all, "all");
  if ("any" in condition) return inner(condition.any, "any");
  if ("not" in condition) return comparisonsIn(condition.not, `${at}/not`, behind);
  if ("arm" in condition)
    return [{ pointer: `${at}/arm`, direct: undefined, asked: new Set(behind.get(condition.arm)) }];
  if (!("questionId" in condition)) return [];
  const { questionId } = condition;
  return [{ pointer: `${at}/questionId`, direct: questionId, asked: new Set([questionId]) }];
}

/** The questions that it hangs on which arm a session is given, by the id of the assignment. An arm may ask for arms of earlier ones. */
function questionsBehind(assignments: readonly ArmAssignment[]): Map<string, string[]> {
  const behind = new Map<string, string[]>();
  for (const { id, arms } of assignments) {
    const rules = arms.flatMap(({ when }) => when ?? []);
    behind.set(id, [
      ...rules.flatMap(questionsIn),
      ...rules.flatMap(assignmentsIn).flatMap((other) => behind.get(other) ?? []),
    ]);
  }
  return behind;
}
