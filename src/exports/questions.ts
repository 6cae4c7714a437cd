// The questions of a screener's answers as a table: which are one over several publications, and the columns of each.

import { askedIn, type Content } from "../nouns/content/content.ts";
import type { Part, PartList } from "../nouns/question-types/entries.ts";
import type { OptionStatistics, Statistics } from "../nouns/question-types/question-type.ts";
import { partsOf, type Question, rowsOf, typeOf } from "../nouns/question-types/registry.ts";
import { columnsFrom, hasCells, type Laid, type QuestionColumn, rowsFrom, type Shape } from "./columns.ts";
import { headingsOf } from "./headings.ts";
import type { Asked, Columns } from "./slots.ts";

export const HEADINGS = ["KEYS", "READABLE"] as const;
export const CHOICES = ["JOINED", "COLUMNS"] as const;

export interface Layout {
  /** `KEYS`: a question without a key has its id as the heading. `READABLE`: one that is made from its prompt. */
  headings: (typeof HEADINGS)[number];
  /** `COLUMNS`: where several options can be chosen, each has a column of its own. `CODES`: that, and one that is chosen is a number. */
  choices: (typeof CHOICES)[number] | "CODES";
}

/** A question of the table, as in the newest publication that has it. */
export interface TableQuestion {
  heading: string;
  columns: QuestionColumn[];
  id: string;
  key: string | null;
  prompt: string;
  /** What its cells can have; and those of its options. */
  values: string;
  optionValues: string;
  /** What its cells are in statistics programs; and those of its options. */
  statistics: Statistics;
  optionStatistics: OptionStatistics | undefined;
  page: string | null;
  /** The texts of all options that it has or had. */
  options: string[];
  hasWriteIn: boolean;
  /** Whether its answers have or had a form for programs. */
  isNormalized: boolean;
  /** The first and the last publication with it. */
  versions: [first: number, last: number];
}

/** A question while publications are read. */
interface Found extends Omit<TableQuestion, "heading" | "columns" | "options"> {
  /** Its heading where headings are keys. */
  name: string;
  options: Set<string>;
  types: Set<Question["_type"]>;
  /** The texts of the rows that it has or had, by their ids. */
  rows: Map<string, string>;
  /** The types of these rows, as questions of their own. */
  rowTypes: Set<Question["_type"]>;
}

/**
 * The questions of a screener: those of the newest publication in their order, then those that only older ones have.
 * Questions with the same id or key are one. Two of one publication never are.
 */
export class TableQuestions {
  readonly #found: Found[] = [];
  readonly #byId = new Map<string, number>();
  readonly #byName = new Map<string, number>();

  /** Adds a publication's questions. The newest publication comes first. @returns them by position */
  add(pages: Content["pages"], version: number): Asked[] {
    const all = pages.flatMap((page) => askedIn(page).map((question) => ({ question, page: page.title })));
    const indexes = this.#indexesOf(all, version);
    return all.map(({ question }, position) => {
      const index = indexes[position]!;
      const found = this.#found[index]!;
      const options = optionTexts(question);
      for (const row of rowsOf(question).values()) found.rowTypes.add(row._type);
      if ("rows" in question)
        for (const { id, text } of question.rows) if (!found.rows.has(id)) found.rows.set(id, text);
      const hasWriteIn = "allowsWriteIn" in question && question.allowsWriteIn;
      for (const text of options) found.options.add(text);
      found.hasWriteIn ||= hasWriteIn;
      found.isNormalized ||= typeOf(question).normalizer?.(question) !== undefined;
      found.types.add(question._type);
      const statistics = statisticsOf(question);
      if (found.statistics.are !== statistics.are) found.statistics = { are: "TEXTS" };
      found.versions[0] = version;
      return { question: index, type: question._type, options, hasWriteIn };
    });
  }

  countColumns({ choices }: Layout): number {
    const counts = this.#found.map((one) => {
      const shape = shapeOf(one, choices);
      const each =
        shape === "WHOLE"
          ? 1 + Number(one.isNormalized)
          : Number(one.hasWriteIn) + (shape === "SPLIT" ? one.options.size : 1);
      return isInRows(one) ? one.rows.size * each : each;
    });
    return counts.reduce((sum, count) => sum + count, 0);
  }

  /** Lays the questions side by side. @returns them, and the columns of each */
  lay({ headings: style, choices }: Layout): { list: TableQuestion[]; columns: Columns[] } {
    const names = style === "READABLE" ? headingsOf(this.#found) : this.#found.map(({ name }) => name);
    const places: Columns[] = [];
    let first = 0;
    const list = this.#found.map((found, index): TableQuestion => {
      const { name: _, types: __, rows: ___, rowTypes: ____, options: texts, ...question } = found;
      const options = [...texts];
      const heading = names[index]!;
      const shape = shapeOf(found, choices);
      const marksSkipped = choices === "CODES" && (shape !== "WHOLE" || found.statistics.are === "STEPS");
      const laid: Laid = { ...question, heading, first, options, marksSkipped };
      const { columns, place } = isInRows(found) ? rowsFrom(laid, found, shape) : columnsFrom(laid, shape);
      places.push(place);
      first += columns.length;
      return { ...question, heading, options, columns };
    });
    return { list, columns: places };
  }

  /** Which question each of a publication's is, by position. */
  #indexesOf(all: readonly { question: Question; page: string | null }[], version: number): number[] {
    const indexes: number[] = [];
    const taken = new Set<number>();
    for (const [position, { question }] of all.entries()) {
      const index = this.#byId.get(question.id);
      if (index === undefined) continue;
      indexes[position] = index;
      taken.add(index);
    }
    for (const [position, { question, page }] of all.entries()) {
      if (indexes[position] !== undefined) continue;
      const { id, key = null, prompt } = question;
      const { card, codebookText, optionCells } = typeOf(question);
      const values = codebookText?.(question) ?? card.label.toLowerCase();
      const optionValues = optionCells?.inWords ?? "";
      const namesake = this.#byName.get(key ?? id);
      const isFree = namesake !== undefined && !taken.has(namesake);
      // If the name belongs to another question of this publication, the id becomes the name.
      const name = namesake === undefined ? (key ?? id) : id;
      const index = isFree
        ? namesake
        : this.#found.push({
            ...{
              name,
              id,
              key,
              prompt,
              values,
              optionValues,
              statistics: statisticsOf(question),
              optionStatistics: optionStatisticsOf(question),
              page,
              hasWriteIn: false,
              isNormalized: false,
              versions: [version, version],
            },
            ...{ options: new Set(), types: new Set(), rows: new Map(), rowTypes: new Set() },
          }) - 1;
      if (!isFree) this.#byName.set(name, index);
      this.#byId.set(id, index);
      indexes[position] = index;
      taken.add(index);
    }
    return indexes;
  }
}

/** Whether each row has columns of its own: not where the question was of another type once. */
function isInRows({ types, rows }: Found): boolean {
  return types.size === 1 && rows.size > 0;
}

/** Not where the question was of another type once. */
function shapeOf(found: Found, choices: Layout["choices"]): Shape {
  if (choices === "JOINED" || found.types.size > 1) return "WHOLE";
  const inRows = isInRows(found);
  const types = [...(inRows ? found.rowTypes : found.types)];
  if (inRows ? types.some(hasCells) : types.every(hasCells)) return "SPLIT";
  return choices === "CODES" && found.statistics.are === "CODES" ? "CODED" : "WHOLE";
}

/** Of a question in rows, what those of one row are. */
function statisticsOf(question: Question): Statistics {
  const [row] = rowsOf(question).values();
  const { statistics } = typeOf(row ?? question);
  return statistics?.(row ?? question) ?? { are: "TEXTS" };
}

function optionStatisticsOf(question: Question): OptionStatistics | undefined {
  const [row] = rowsOf(question).values();
  return typeOf(row ?? question).optionCells?.statistics;
}

/** The texts of the options, or of the columns that are options of each row. */
function optionTexts(question: Question): string[] {
  const { options, columns = [] } = Object.fromEntries(partsOf(question)) as { [list in PartList]?: readonly Part[] };
  return (options ?? columns).map(({ text }) => text);
}
