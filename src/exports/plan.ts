// Plans the table of a screener's answers: which columns it has, and where the answers to each publication's questions go.
// It reads whole contents, so it runs in a thread.

import type { Reader } from "../../db/connection.ts";
import type { SideTask } from "../jobs/side-task.ts";
import type { Question } from "../question-types/registry.ts";
import type { Content } from "../screener-content/content.ts";
import { findPublishedJson } from "../screener-content/queries.ts";
import { listPublications } from "../screener-publications/queries.ts";
import { findScreener } from "../screeners/queries.ts";
import { headingsOf } from "./headings.ts";

export const HEADINGS = ["KEYS", "READABLE"] as const;
export const CHOICES = ["JOINED", "COLUMNS"] as const;

export interface Layout {
  /** `KEYS`: a question without a key has its id as the heading. `READABLE`: one that is made from its prompt. */
  headings: (typeof HEADINGS)[number];
  /** `COLUMNS`: where several options can be chosen, each has a column of its own. */
  choices: (typeof CHOICES)[number];
}

/** Where the answers to a question of a publication go. */
export interface Place {
  type: Question["_type"];
  column: number;
  /** The columns of the options by their texts, and that of the write-in; undefined where the answer is in one cell. */
  options?: ReadonlyMap<string, number>;
  writeIn?: number;
}

/** A column of a question: its whole answer, whether one option was chosen, or what was written in. */
export interface QuestionColumn {
  heading: string;
  has: "answer" | "choice" | "writeIn";
  /** The text of the option, if it is a choice. */
  option?: string;
}

/** A question of the table, as in the newest publication that has it. */
export interface TableQuestion {
  columns: QuestionColumn[];
  id: string;
  key: string | null;
  prompt: string;
  type: Question["_type"];
  page: string | null;
  /** The texts of all options that it has or had. */
  options: string[];
  hasWriteIn: boolean;
  /** The first and the last publication with it. */
  versions: [first: number, last: number];
}

export interface TablePlan {
  title: string | null;
  questions: TableQuestion[];
  /** The headings of all columns of questions. */
  headings: string[];
  /** By rowid of the publication, the places of its questions by position. */
  publications: ReadonlyMap<number, readonly Place[]>;
}

/** undefined: there is no such screener. */
export const planTable: SideTask<{ workspaceUid: string; screenerUid: string; layout: Layout }, TablePlan | undefined> =
  {
    name: "plan-table",
    perform: ({ workspaces }, { workspaceUid, screenerUid, layout }) =>
      workspaces.read(workspaceUid, (db) => db.snapshot(() => tablePlan(db, screenerUid, layout))),
  };

export function tablePlan(db: Reader, screenerUid: string, layout: Layout): TablePlan | undefined {
  const screener = findScreener(db, screenerUid);
  if (!screener) return undefined;
  const questions = new TableQuestions();
  const publications = listPublications(db, screener.id).map(({ id, version }) => {
    const { pages } = JSON.parse(findPublishedJson(db, id)) as Content;
    return { id, places: questions.add(pages, version) };
  });
  const { list, places: columns } = questions.lay(layout);
  return {
    title: screener.title,
    questions: list,
    headings: list.flatMap((question) => question.columns.map(({ heading }) => heading)),
    publications: new Map(publications.map(({ id, places }) => [id, places.map((place) => placeOf(place, columns))])),
  };
}

/** A question of a publication, and which of the table's questions it is. */
interface Asked {
  question: number;
  type: Question["_type"];
  options: string[];
  hasWriteIn: boolean;
}

/** A question while publications are read. */
interface Found extends Omit<TableQuestion, "columns" | "options"> {
  /** Its heading where headings are keys. */
  name: string;
  options: Set<string>;
  types: Set<Question["_type"]>;
}

/** The columns of a question. */
interface Columns {
  first: number;
  /** Where each option has its own. */
  options?: Map<string, number>;
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
    const places = this.#placesOf(all, version);
    return all.map(({ question }, position) => {
      const place = places[position]!;
      const found = this.#found[place]!;
      const options = "options" in question ? question.options.map(({ text }) => text) : [];
      const hasWriteIn = "allowsWriteIn" in question && question.allowsWriteIn;
      for (const text of options) found.options.add(text);
      found.hasWriteIn ||= hasWriteIn;
      found.types.add(question._type);
      found.versions[0] = version;
      return { question: place, type: question._type, options, hasWriteIn };
    });
  }

  /** Lays the questions side by side. @returns them, and the first column of each */
  lay({ headings: style, choices }: Layout): { list: TableQuestion[]; places: Columns[] } {
    const names = style === "READABLE" ? headingsOf(this.#found) : this.#found.map(({ name }) => name);
    const places: Columns[] = [];
    let first = 0;
    const list = this.#found.map(({ name: _, types, options: texts, ...question }, index): TableQuestion => {
      const heading = names[index]!;
      const options = [...texts];
      const isSplit = choices === "COLUMNS" && types.size === 1 && types.has("ScreenerMultiSelectQuestion");
      const columns = isSplit
        ? columnsOf(heading, options, question.hasWriteIn)
        : [{ heading, has: "answer" as const }];
      places.push({ first, ...(isSplit && { options: new Map(options.map((text, at) => [text, first + at])) }) });
      first += columns.length;
      return { ...question, options, columns };
    });
    return { list, places };
  }

  /** Which question each of a publication's is, by position. */
  #placesOf(all: readonly { question: Question; page: string | null }[], version: number): number[] {
    const places: number[] = [];
    const taken = new Set<number>();
    for (const [position, { question }] of all.entries()) {
      const place = this.#byId.get(question.id);
      if (place === undefined) continue;
      places[position] = place;
      taken.add(place);
    }
    for (const [position, { question, page }] of all.entries()) {
      if (places[position] !== undefined) continue;
      const { id, key = null, prompt, _type: type } = question;
      const namesake = this.#byName.get(key ?? id);
      const isFree = namesake !== undefined && !taken.has(namesake);
      // If the name belongs to another question of this publication, the id becomes the name.
      const name = namesake === undefined ? (key ?? id) : id;
      const place = isFree
        ? namesake
        : this.#found.push({
            ...{ name, id, key, prompt, type, page, hasWriteIn: false, versions: [version, version] },
            ...{ options: new Set(), types: new Set() },
          }) - 1;
      if (!isFree) this.#byName.set(name, place);
      this.#byId.set(id, place);
      places[position] = place;
      taken.add(place);
    }
    return places;
  }
}

/** A column for each option, and one for the write-in. */
function columnsOf(heading: string, options: readonly string[], hasWriteIn: boolean): QuestionColumn[] {
  return [
    ...options.map((option) => ({ heading: `${heading}: ${option}`, has: "choice" as const, option })),
    ...(hasWriteIn ? [{ heading: `${heading} (write-in)`, has: "writeIn" as const }] : []),
  ];
}

function placeOf({ question, type, options, hasWriteIn }: Asked, columns: readonly Columns[]): Place {
  const { first, options: all } = columns[question]!;
  if (!all) return { type, column: first };
  return {
    type,
    column: first,
    options: new Map(options.map((text) => [text, all.get(text)!])),
    ...(hasWriteIn && { writeIn: first + all.size }),
  };
}
