// Plans the table of a screener's answers: which columns it has, and where the answers to each publication's questions go.
// It reads whole contents, so it runs in a thread.

import type { Reader } from "../../db/sqlite/connection.ts";
import { listArms } from "../arms/queries.ts";
import type { SideTask } from "../engine/threads/side-task.ts";
import type { Content } from "../nouns/content/content.ts";
import { shufflesOf } from "../nouns/content/order.ts";
import { findPublishedJson } from "../nouns/content/queries.ts";
import { asRead } from "../nouns/content/sentences.ts";
import { listPublications } from "../nouns/publications/queries.ts";
import { type Question, typeOf } from "../nouns/question-types/registry.ts";
import { listQuotas } from "../nouns/quotas/queries.ts";
import { findScreener } from "../nouns/screeners/queries.ts";
import { type ArmColumn, armColumns, headingsOf, quotaColumns } from "./headings.ts";
import { type OrderColumn, OrderColumns, type OrderSlot } from "./orders.ts";
import { type Asked, type Columns, type Slot, slotsIn } from "./slots.ts";

export const HEADINGS = ["KEYS", "READABLE"] as const;
export const CHOICES = ["JOINED", "COLUMNS"] as const;

export interface Layout {
  /** `KEYS`: a question without a key has its id as the heading. `READABLE`: one that is made from its prompt. */
  headings: (typeof HEADINGS)[number];
  /** `COLUMNS`: where several options can be chosen, each has a column of its own. */
  choices: (typeof CHOICES)[number];
}

/** A column of a question: its whole answer, whether one option was chosen, or what was written in. */
interface QuestionColumn {
  heading: string;
  has: "answer" | "choice" | "writeIn";
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
  /** The first and the last publication with it. */
  versions: [first: number, last: number];
}

/** The data that rows are made with. Threads get copies of it. */
export interface TablePlan {
  title: string | null;
  /** The headings of all columns of questions. */
  headings: string[];
  /** The quotas that have a column each. */
  quotas: { id: number; heading: string; name: string }[];
  /** The assignments to arms that have a column each. */
  arms: ArmColumn[];
  /** By rowid of the publication, the slots of its questions by position. */
  publications: ReadonlyMap<number, readonly Slot[]>;
  /** The columns of orders by chance, and what is in them by rowid of the publication. */
  orderHeadings: string[];
  orders: ReadonlyMap<number, readonly OrderSlot[]>;
}

/** A plan with what a codebook says. */
export interface FullPlan extends TablePlan {
  questions: TableQuestion[];
  orderColumns: OrderColumn[];
}

/** Why there is no plan: there is no such screener, or the table has more columns than MAX_COLUMNS. */
export type NoPlan = "missing" | "tooManyColumns";

/** As many as a spreadsheet has. The headings and each row take milliseconds of the event loop. */
export const MAX_COLUMNS = 16_384;

export interface WantedTable {
  workspaceUid: string;
  screenerUid: string;
  layout: Layout;
}

export const planTable: SideTask<WantedTable, TablePlan | NoPlan> = {
  name: "plan-table",
  perform({ workspaces }, { workspaceUid, screenerUid, layout }) {
    const plan = workspaces.read(workspaceUid, (db) => db.snapshot(() => tablePlan(db, screenerUid, layout)));
    if (typeof plan === "string") return plan;
    // Without the questions: with all their options they would take long to copy.
    const { questions: _, orderColumns: __, ...short } = plan;
    return short;
  },
};

export function tablePlan(db: Reader, screenerUid: string, layout: Layout): FullPlan | NoPlan {
  const screener = findScreener(db, screenerUid);
  if (!screener) return "missing";
  const questions = new TableQuestions();
  const publications = listPublications(db, screener.id).map(({ id, version }) => {
    const content = asRead(JSON.parse(findPublishedJson(db, id)) as Content);
    const { pages } = content;
    return {
      id,
      version,
      content: shufflesOf(content).length ? content : undefined,
      indexes: questions.add(pages, version),
    };
  });
  if (questions.countColumns(layout) > MAX_COLUMNS) return "tooManyColumns";
  const { list, columns } = questions.lay(layout);
  const slotOf = slotsIn(columns);
  const orders = new OrderColumns();
  const ordersOf = publications.map(({ id, version, content, indexes }) => {
    const laid = indexes.map(({ question }) => ({ index: question, heading: list[question]!.heading }));
    return [id, content ? orders.add(content, version, laid) : []] as const;
  });
  return {
    title: screener.title,
    questions: list,
    headings: list.flatMap((question) => question.columns.map(({ heading }) => heading)),
    quotas: quotaColumns(listQuotas(db, screener.id)),
    arms: armColumns(listArms(db, screener.id)),
    publications: new Map(publications.map(({ id, indexes }) => [id, indexes.map(slotOf)])),
    orderHeadings: orders.columns.map(({ heading }) => heading),
    orderColumns: orders.columns,
    orders: new Map(ordersOf),
  };
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
class TableQuestions {
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
      found.types.add(question._type);
      found.versions[0] = version;
      return { question: index, type: question._type, options, hasWriteIn };
    });
  }

  countColumns({ choices }: Layout): number {
    const counts = this.#found.map((one) => (isSplit(one, choices) ? one.options.size + Number(one.hasWriteIn) : 1));
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
        : [{ heading, has: "answer" as const }];
      laid.push({ first, ...(hasMany && { options: new Map(options.map((text, at) => [text, first + at])) }) });
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
            ...{ name, id, key, prompt, values, optionValues, page, hasWriteIn: false, versions: [version, version] },
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
