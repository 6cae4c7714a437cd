// The questions of a screener's answers as a table: which are one over several publications, and the columns of each.

import type { Content } from "../nouns/content/content.ts";
import { type Question, typeOf } from "../nouns/question-types/registry.ts";
import { headingsOf } from "./headings.ts";
import type { Asked, Columns } from "./slots.ts";

export const HEADINGS = ["KEYS", "READABLE"] as const;
export const CHOICES = ["JOINED", "COLUMNS"] as const;

export interface Layout {
  /** `KEYS`: a question without a key has its id as the heading. `READABLE`: one that is made from its prompt. */
  headings: (typeof HEADINGS)[number];
  /** `COLUMNS`: where several options can be chosen, each has a column of its own. */
  choices: (typeof CHOICES)[number];
}

/** A column of a question: its whole answer, that in the form for programs, whether one option was chosen, or what was written in. */
interface QuestionColumn {
  heading: string;
  has: "answer" | "normalized" | "choice" | "writeIn";
  /** The text of the option, if it is a choice. */
  option?: string;
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
    const all = pages.flatMap(({ title, questions }) => questions.map((question) => ({ question, page: title })));
    const indexes = this.#indexesOf(all, version);
    return all.map(({ question }, position) => {
      const index = indexes[position]!;
      const found = this.#found[index]!;
      const options = "options" in question ? question.options.map(({ text }) => text) : [];
      const hasWriteIn = "allowsWriteIn" in question && question.allowsWriteIn;
      for (const text of options) found.options.add(text);
      found.hasWriteIn ||= hasWriteIn;
      found.isNormalized ||= typeOf(question).normalizer?.(question) !== undefined;
      found.types.add(question._type);
      found.versions[0] = version;
      return { question: index, type: question._type, options, hasWriteIn };
    });
  }

  countColumns({ choices }: Layout): number {
    const counts = this.#found.map((one) =>
      isSplit(one, choices) ? one.options.size + Number(one.hasWriteIn) : 1 + Number(one.isNormalized),
    );
    return counts.reduce((sum, count) => sum + count, 0);
  }

  /** Lays the questions side by side. @returns them, and the first column of each */
  lay({ headings: style, choices }: Layout): { list: TableQuestion[]; columns: Columns[] } {
    const names = style === "READABLE" ? headingsOf(this.#found) : this.#found.map(({ name }) => name);
    const laid: Columns[] = [];
    let first = 0;
    const list = this.#found.map((found, index): TableQuestion => {
      const { name: _, types: __, options: texts, ...question } = found;
      const heading = names[index]!;
      const options = [...texts];
      const hasMany = isSplit(found, choices);
      const columns = hasMany
        ? columnsOf(heading, options, question.hasWriteIn)
        : [
            { heading, has: "answer" as const },
            // No key has a point.
            ...(question.isNormalized ? [{ heading: `${heading}.normalized`, has: "normalized" as const }] : []),
          ];
      laid.push({
        first,
        ...(!hasMany && question.isNormalized && { normalized: first + 1 }),
        ...(hasMany && { options: new Map(options.map((text, at) => [text, first + at])) }),
      });
      first += columns.length;
      return { ...question, heading, options, columns };
    });
    return { list, columns: laid };
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
              page,
              hasWriteIn: false,
              isNormalized: false,
              versions: [version, version],
            },
            ...{ options: new Set(), types: new Set() },
          }) - 1;
      if (!isFree) this.#byName.set(name, index);
      this.#byId.set(id, index);
      indexes[position] = index;
      taken.add(index);
    }
    return indexes;
  }
}

/** A column for each option, and one for the write-in. */
function columnsOf(heading: string, options: readonly string[], hasWriteIn: boolean): QuestionColumn[] {
  return [
    ...options.map((option) => ({ heading: `${heading}: ${option}`, has: "choice" as const, option })),
    ...(hasWriteIn ? [{ heading: `${heading} (write-in)`, has: "writeIn" as const }] : []),
  ];
}

/** Whether each option has a column of its own: not where the question was of another type once. */
function isSplit({ types }: Found, choices: Layout["choices"]): boolean {
  return (
    choices === "COLUMNS" &&
    types.size === 1 &&
    types.values().every((type) => typeOf({ _type: type }).optionCells !== undefined)
  );
}
