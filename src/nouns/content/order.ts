// The order in which a session is shown pages, questions and options, where chance decides.

import { type OrderSeed, shownPositions } from "../../chance/shuffle.ts";
import { type Question, typeOf } from "../question-types/registry.ts";
import { askedIn, type Content, type Page } from "./content.ts";

/** A list of a content that is shuffled. */
export interface Shuffle {
  of: "PAGES" | "QUESTIONS" | "OPTIONS" | "ROWS";
  /** Of the page or the question that has the list; of a block its name. */
  id: string;
  items: readonly { id: string; fixed?: true | undefined; exclusive?: true | undefined }[];
}

/** Pages that stand next to each other, with their block. */
interface Run {
  block: string | undefined;
  pages: Page[];
}

/** The pages of a content by their blocks. Pages without a block are in runs of their own. */
export function runsOf(pages: readonly Page[]): Run[] {
  const runs: Run[] = [];
  for (const page of pages) {
    const last = runs.at(-1);
    if (last && last.block === page.shuffleBlock) last.pages.push(page);
    else runs.push({ block: page.shuffleBlock, pages: [page] });
  }
  return runs;
}

/** The lists of a content that are shuffled, in its order. A page without questions has none. */
export function shufflesOf({ pages }: Pick<Content, "pages">): Shuffle[] {
  return runsOf(pages).flatMap(({ block, pages: ofRun }) => [
    ...(block === undefined ? [] : [{ of: "PAGES" as const, id: block, items: ofRun }]),
    ...ofRun.flatMap((page) => [
      ...(page.shuffle && page.questions.length
        ? [{ of: "QUESTIONS" as const, id: page.id, items: page.questions }]
        : []),
      ...askedIn(page).flatMap((question) => shuffleOf(question) ?? []),
    ]),
  ]);
}

/** The list of a question that is shuffled. */
function shuffleOf(question: Question): Shuffle | undefined {
  const list = typeOf(question).shuffledList;
  if (!list || !("shuffle" in question && question.shuffle)) return undefined;
  const items = (question as unknown as Record<string, Shuffle["items"]>)[list]!;
  return { of: list === "options" ? "OPTIONS" : "ROWS", id: question.id, items };
}

/** The ids of a list's items in the order in which they are shown. */
export function shownIds({ items, id }: Shuffle, order: OrderSeed): string[] {
  return arranged(items, order, id).map((item) => item.id);
}

function arranged<Item extends Shuffle["items"][number]>(items: readonly Item[], order: OrderSeed, id: string): Item[] {
  return shownPositions(items, order, id).map((position) => items[position]!);
}

/** A content with its pages and questions in the order in which they are shown. Those of options do not matter but for the page. */
export function inShownOrder<Of extends Content & { order?: OrderSeed }>(content: Of): Of {
  const { order, pages } = content;
  if (!order || !pages.some(({ shuffle, shuffleBlock }) => shuffle || shuffleBlock !== undefined)) return content;
  const ofRun = ({ block, pages: all }: Run) => (block === undefined ? all : arranged(all, order, block));
  const withQuestions = (page: Page) =>
    page.shuffle ? { ...page, questions: arranged(page.questions, order, page.id) } : page;
  return { ...content, pages: runsOf(pages).flatMap(ofRun).map(withQuestions) };
}

/** Whether a page shows something in an order by chance. */
export function isByChance(page: Page): boolean {
  return page.shuffle === true || askedIn(page).some((question) => shuffleOf(question));
}

/** A question with its options as they are shown. Answers are kept in the content's order. */
export function asShown(question: Question, order: OrderSeed | undefined): Question {
  const shuffle = order && shuffleOf(question);
  if (!shuffle) return question;
  const list = typeOf(question).shuffledList!;
  return { ...question, [list]: arranged(shuffle.items, order, shuffle.id) };
}
