// The columns of a question in the table: one for its whole answer, one for each row, or one for each option.

import { type Question, typeOf } from "../nouns/question-types/registry.ts";
import type { Columns } from "./slots.ts";

/** A column of a question: its whole answer, that in the form for programs, whether one option was chosen, or what was written in. */
export interface QuestionColumn {
  heading: string;
  has: "answer" | "normalized" | "choice" | "writeIn";
  /** The cells of its options, if they are codes: 1 is the first, and the one after the last is a write-in. */
  codes?: readonly string[];
  /** The text of the option, if it is a choice. */
  option?: string;
  /** The text of the row, if it is only about that. */
  row?: string;
}

/** What is laid from one column on: a question, or a row of it. */
export interface Laid {
  heading: string;
  first: number;
  options: readonly string[];
  hasWriteIn: boolean;
  /** Whether its answers have or had a form for programs. */
  isNormalized: boolean;
  /** Whether a number says that it was skipped. */
  marksSkipped: boolean;
}

/** How a question is laid. CODED: one column with codes, and one for the write-in. SPLIT: one for each option, and one for the write-in. */
export type Shape = "WHOLE" | "CODED" | "SPLIT";

export function columnsFrom({ heading, first, options, hasWriteIn, isNormalized, marksSkipped }: Laid, shape: Shape) {
  const writeIns = hasWriteIn ? [{ heading: `${heading} (write-in)`, has: "writeIn" as const }] : [];
  const marks = marksSkipped ? { marksSkipped } : {};
  if (shape === "CODED") {
    const columns: QuestionColumn[] = [{ heading, has: "answer", codes: options }, ...writeIns];
    return { columns, place: { first, codes: new Map(options.map((text, at) => [text, at + 1])) } };
  }
  if (shape === "WHOLE") {
    const answer: QuestionColumn = { heading, has: "answer" };
    if (!isNormalized) return { columns: [answer], place: { first, ...marks } };
    // No key has a point.
    const normalized: QuestionColumn = { heading: `${heading}.normalized`, has: "normalized" };
    return { columns: [answer, normalized], place: { first, normalized: first + 1 } };
  }
  const columns: QuestionColumn[] = [
    ...options.map((option) => ({ heading: `${heading}: ${option}`, has: "choice" as const, option })),
    ...writeIns,
  ];
  return { columns, place: { first, options: new Map(options.map((text, at) => [text, first + at])), ...marks } };
}

/** The rows of a question. */
interface LaidRows {
  /** The texts of those that it has or had, by their ids. */
  rows: ReadonlyMap<string, string>;
  /** Their types, as questions of their own. */
  rowTypes: ReadonlySet<Question["_type"]>;
}

/** The same for each row. One that is gone may have had the text of another one. */
export function rowsFrom(laid: Laid, { rows, rowTypes }: LaidRows, shape: Shape) {
  const taken = new Set<string>();
  const columns: QuestionColumn[] = [];
  const places = new Map<string, Columns>();
  for (const [id, text] of rows) {
    const name = taken.has(text) ? `${text} (${id})` : text;
    taken.add(name);
    const heading = `${laid.heading}: ${name}`;
    const row = columnsFrom({ ...laid, heading, first: laid.first + columns.length }, shape);
    columns.push(...row.columns.map((column) => ({ ...column, row: text })));
    places.set(id, row.place);
  }
  const [type] = [...rowTypes].sort((one, other) => Number(hasCells(other)) - Number(hasCells(one)));
  return { columns, place: { first: laid.first, rows: { type: type!, places } } };
}

/** Whether each option can have a column of its own. */
export function hasCells(type: Question["_type"]): boolean {
  return typeOf({ _type: type }).optionCells !== undefined;
}
