// The export: all answers to a screener as one table, with a row for each started session, and a column for each question
// and for each attribute of participants.

import type { Reader } from "../../db/connection.ts";
import type { Slices } from "../../db/list-slices.ts";
import { attributeCell } from "../attributes.ts";
import type { Cell } from "../members.ts";
import { answerCell, type Question } from "../question-types/registry.ts";
import { listPublishedQuestions, type PublishedQuestionRow } from "../screener-content/queries.ts";
import { listPublicationIds } from "../screener-publications/queries.ts";
import { type StartedSession, sliceStarted } from "../screener-sessions/queries.ts";
import { listAnswers } from "./queries.ts";

/** The first columns. A question's key has no point, so it never equals one of these headings. */
const SESSION_COLUMNS: [heading: string, name: Exclude<keyof StartedSession, "attributes">][] = [
  ["session.id", "uid"],
  ["participant.externalUid", "externalUid"],
  ["participant.id", "participantUid"],
  ["publication.version", "version"],
  ["publication.id", "publicationUid"],
  ["session.status", "status"],
  ["session.state", "state"],
  ["session.outcome", "outcome"],
  ["session.outcomeReason", "outcomeReason"],
  ["session.startedAt", "startedAt"],
  ["session.lastActiveAt", "lastActiveAt"],
  ["session.completedAt", "completedAt"],
];

// Limits of a slice, so that it takes only some milliseconds.
const MAX_SLICE_CELLS = 8000;
const MAX_SLICE_SESSIONS = 200;

/** The column of a question of a publication. */
interface QuestionColumn {
  column: number;
  type: Question["_type"];
}

/**
 * The columns of a screener's questions: those of the newest publication in their order, then those that only older
 * ones have. Publications are read one by one, the newest first. Questions with the same id or key share a column. Its
 * heading is the key in the newest publication that has the question, or the id if it has no key there.
 */
export class QuestionColumns implements Slices<never> {
  readonly headings: string[] = [];
  /** For each publication: its questions by position. */
  readonly #byPublication = new Map<number, QuestionColumn[]>();
  readonly #byId = new Map<string, number>();
  readonly #byHeading = new Map<string, number>();
  readonly #publications: number[];

  constructor(db: Reader, screenerId: number) {
    this.#publications = listPublicationIds(db, screenerId);
  }

  /** Reads the next publication's questions. */
  next(db: Reader): never[] | undefined {
    const publication = this.#publications.shift();
    if (publication === undefined) return undefined;
    const questions = listPublishedQuestions(db, publication);
    const columns = this.#columnsFor(questions);
    this.#byPublication.set(
      publication,
      questions.map(({ position, type }) => ({ column: columns[position]!, type })),
    );
    return [];
  }

  /** A publication's questions by position; undefined if it was published after the columns were read. */
  ofPublication(publication: number): readonly QuestionColumn[] | undefined {
    return this.#byPublication.get(publication);
  }

  /** The column of each position. */
  #columnsFor(questions: readonly PublishedQuestionRow[]): number[] {
    const columns: number[] = [];
    const taken = new Set<number>();
    for (const { uid, position } of questions) {
      const column = this.#byId.get(uid);
      if (column === undefined) continue;
      columns[position] = column;
      taken.add(column);
    }
    for (const { uid, key, position } of questions) {
      if (columns[position] !== undefined) continue;
      const namesake = this.#byHeading.get(key ?? uid);
      const isFree = namesake !== undefined && !taken.has(namesake);
      // If the heading belongs to another question of this publication, the id becomes the heading.
      const column = isFree ? namesake : this.#add(namesake === undefined ? (key ?? uid) : uid);
      this.#byId.set(uid, column);
      columns[position] = column;
      taken.add(column);
    }
    return columns;
  }

  #add(heading: string): number {
    this.#byHeading.set(heading, this.headings.length);
    return this.headings.push(heading) - 1;
  }
}

/** @param keys of attributes, which are the last columns */
export function exportHeadings(columns: QuestionColumns, keys: readonly string[]): string[] {
  return [
    ...SESSION_COLUMNS.map(([heading]) => heading),
    ...columns.headings,
    ...keys.map((key) => `attributes.${key}`),
  ];
}

/** The table's rows, in the order in which the sessions were opened. */
export function exportRows(
  db: Reader,
  screenerUid: string,
  columns: QuestionColumns,
  keys: readonly string[],
): Slices<Cell[]> {
  const width = exportHeadings(columns, keys).length;
  const sessions = sliceStarted(db, screenerUid, Math.min(Math.ceil(MAX_SLICE_CELLS / width), MAX_SLICE_SESSIONS));
  return {
    next(reader) {
      const slice = sessions.next(reader)?.map((json): StartedSession => JSON.parse(json));
      return slice && rowsOf(reader, slice, columns, keys);
    },
  };
}

function rowsOf(
  db: Reader,
  sessions: readonly StartedSession[],
  columns: QuestionColumns,
  keys: readonly string[],
): Cell[][] {
  const ids = sessions.map(({ id }) => id);
  const answers = Map.groupBy(listAnswers(db, ids), ({ session }) => session);
  return sessions.flatMap((session) => {
    const given = answers.get(session.id) ?? [];
    const positions = columns.ofPublication(session.publicationId);
    // A removed session without answers counts as never started.
    if (!positions || (session.status === "REMOVED" && !given.length)) return [];
    const row: Cell[] = SESSION_COLUMNS.map(([, name]) => session[name]);
    row.length += columns.headings.length;
    row.push(...keys.map((key) => attributeCell(session.attributes, key)));
    for (const { position, answer } of given) {
      const { column, type } = positions[position]!;
      row[SESSION_COLUMNS.length + column] = answerCell(type, JSON.parse(answer));
    }
    return [row];
  });
}
