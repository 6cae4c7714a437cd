// The columns of an export with the orders by chance in which sessions were shown pages, questions and options.

import { shownPositions } from "../chance/shuffle.ts";
import { askedIn, type Content } from "../nouns/content/content.ts";
import { type Shuffle, shufflesOf } from "../nouns/content/order.ts";
import { shuffleWords } from "../nouns/content/sentences.ts";
import type { StartedSession } from "../nouns/sessions/started.ts";
import { distinctHeadings } from "./headings.ts";

/** A column, as in the newest publication that has it. */
export interface OrderColumn {
  heading: string;
  /** What it is about, in a sentence. */
  about: string;
  /** What the items are called, in the content's order. */
  items: string[];
  page: string | null;
  key: string | null;
  /** Null: it is of pages, or of the questions of a page. */
  questionId: string | null;
  versions: [first: number, last: number];
}

/** A list that a publication shuffles. */
export interface OrderSlot {
  column: number;
  /** What the order is drawn for. */
  id: string;
  items: { fixed?: true | undefined; exclusive?: true | undefined }[];
  /** The positions of the questions that it shows: it was shown if one of them was answered or skipped. */
  from: number;
  to: number;
}

/** A question of a content, and what the table calls it. */
interface Laid {
  index: number;
  heading: string;
}

export class OrderColumns {
  readonly columns: OrderColumn[] = [];
  readonly #byList = new Map<string, number>();
  readonly #headingOf = distinctHeadings("orders");

  /** Adds a publication. The newest one comes first. @param laid its questions by position */
  add(content: Content, version: number, laid: readonly Laid[]): OrderSlot[] {
    const found = locate(content);
    return shufflesOf(content).map((shuffle) => {
      const { from, to, ...named } = found(shuffle);
      const { subject, items: names } = shuffleWords(shuffle, content);
      const question = shuffle.of === "OPTIONS" || shuffle.of === "ROWS" ? laid[from] : undefined;
      const list = `${shuffle.of} ${question ? question.index : shuffle.id}`;
      let column = this.#byList.get(list);
      if (column === undefined) {
        const uid = shuffle.of === "PAGES" ? "block" : shuffle.id;
        const heading = this.#headingOf(question?.heading ?? named.name ?? uid, uid);
        const { page, key } = named;
        const about = `The order in which the ${subject} were shown`;
        const questionId = question ? shuffle.id : null;
        const versions: OrderColumn["versions"] = [version, version];
        column = this.columns.push({ heading, about, items: names, page, key, questionId, versions }) - 1;
        this.#byList.set(list, column);
      }
      this.columns[column]!.versions[0] = version;
      const items = shuffle.items.map(({ fixed, exclusive }) => ({
        ...(fixed && { fixed }),
        ...(exclusive && { exclusive }),
      }));
      return { column, id: shuffle.id, items, from, to };
    });
  }
}

/** Says of a list that is shuffled where its questions are, and what its column is called. */
function locate({ pages }: Content) {
  let position = 0;
  const asked = pages.map(askedIn);
  const starts = asked.map(({ length }) => {
    position += length;
    return position - length;
  });
  const end = (page: number) => starts[page]! + asked[page]!.length;
  return ({ of, id, items }: Shuffle) => {
    if (of === "PAGES") {
      const first = pages.findIndex(({ shuffleBlock }) => shuffleBlock === id);
      const last = first + items.length - 1;
      return { from: starts[first]!, to: end(last), name: id, page: null, key: null };
    }
    if (of === "QUESTIONS") {
      const at = pages.findIndex((page) => page.id === id);
      const { title } = pages[at]!;
      return { from: starts[at]!, to: end(at), name: title, page: title, key: null };
    }
    const at = asked.findIndex((questions) => questions.some((question) => question.id === id));
    const on = asked[at]!.findIndex((question) => question.id === id);
    const { key } = asked[at]![on]!;
    const from = starts[at]! + on;
    return { from, to: from + 1, name: key, page: pages[at]!.title, key };
  };
}

/** The cells of a session. @param answered the positions of the questions that it has answered or skipped */
export function orderCells(
  columns: number,
  slots: readonly OrderSlot[],
  { seed, shuffleVersion: version }: Pick<StartedSession, "seed" | "shuffleVersion">,
  answered: readonly number[],
): (string | undefined)[] {
  const cells = new Array<string | undefined>(columns).fill(undefined);
  for (const { column, id, items, from, to } of slots) {
    if (!answered.some((position) => position >= from && position < to)) continue;
    cells[column] = shownPositions(items, { seed, version }, id)
      .map((position) => position + 1)
      .join("; ");
  }
  return cells;
}
