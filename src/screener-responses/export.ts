// All answers of a screener as one table: a row a session, a column a question, over all of its publications.

import type { Reader } from "../../db/connection.ts";
import type { Slices } from "../../db/list-slices.ts";
import type { Cell } from "../members.ts";
import { answerCell, type Question } from "../question-types/registry.ts";
import { listPublishedQuestions, type PublishedQuestionRow } from "../screener-content/queries.ts";
import { listPublicationIds } from "../screener-publications/queries.ts";
import { type StartedSession, sliceStarted } from "../screener-sessions/queries.ts";
import { listAnswers } from "./queries.ts";

/** What each row begins with. A question's key has no point in it, so none of these can be one. */
const SESSION_COLUMNS: [heading: string, value: (session: StartedSession) => string | number | null][] = [
  ["session.id", ({ uid }) => uid],
  ["participant.externalUid", ({ externalUid }) => externalUid],
  ["participant.id", ({ participantUid }) => participantUid],
  ["publication.version", ({ version }) => version],
  ["publication.id", ({ publicationUid }) => publicationUid],
  ["session.status", ({ status }) => status],
  ["session.state", ({ state }) => state],
  ["session.outcome", ({ outcome }) => outcome],
  ["session.outcomeReason", ({ outcomeReason }) => outcomeReason],
  ["session.startedAt", ({ startedAt }) => startedAt],
  ["session.lastActiveAt", ({ lastActiveAt }) => lastActiveAt],
  ["session.completedAt", ({ completedAt }) => completedAt],
];

// A slice has few enough cells to be made in some milliseconds.
const CELLS = 8000;
const MAX_SESSIONS = 200;

/** A question of a publication, in the table. */
interface PlacedQuestion {
  column: number;
  type: Question["_type"];
}

/**
 * The columns of a screener's questions, read publication by publication, the newest first: its questions in their order,
 * then those that only older ones have. A question is the same when its id is, or its key; its heading is its key, else
 * its id, and stays what it is in the newest publication that has the question.
 */
export class QuestionColumns implements Slices<never> {
  readonly headings: string[] = [];
  /** Of each publication the question of each place. */
  readonly #byPlace = new Map<number, PlacedQuestion[]>();
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
    const columns = this.#place(questions);
    this.#byPlace.set(
      publication,
      questions.map(({ place, type }) => ({ column: columns[place]!, type })),
    );
    return [];
  }

  /** A publication's questions, by their places; undefined of one that came later. */
  of(publication: number): readonly PlacedQuestion[] | undefined {
    return this.#byPlace.get(publication);
  }

  #place(questions: readonly PublishedQuestionRow[]): number[] {
    const columns: number[] = [];
    const taken = new Set<number>();
    for (const { uid, place } of questions) {
      const column = this.#byId.get(uid);
      if (column === undefined) continue;
      columns[place] = column;
      taken.add(column);
    }
    for (const { uid, key, place } of questions) {
      if (columns[place] !== undefined) continue;
      const namesake = this.#byHeading.get(key ?? uid);
      const isFree = namesake !== undefined && !taken.has(namesake);
      // The key stands over another question of this very publication: an older one had its name.
      const column = isFree ? namesake : this.#add(namesake === undefined ? (key ?? uid) : uid);
      this.#byId.set(uid, column);
      columns[place] = column;
      taken.add(column);
    }
    return columns;
  }

  #add(heading: string): number {
    this.#byHeading.set(heading, this.headings.length);
    return this.headings.push(heading) - 1;
  }
}

/** The table's headings. */
export function exportHeadings(columns: QuestionColumns): string[] {
  return [...SESSION_COLUMNS.map(([heading]) => heading), ...columns.headings];
}

/** The table's rows, in the order in which the sessions were opened. */
export function exportRows(db: Reader, screenerUid: string, columns: QuestionColumns): Slices<Cell[]> {
  const width = SESSION_COLUMNS.length + columns.headings.length;
  const sessions = sliceStarted(db, screenerUid, Math.min(Math.ceil(CELLS / width), MAX_SESSIONS));
  return {
    next(reader) {
      const slice = sessions.next(reader);
      return (
        slice &&
        rowsOf(
          reader,
          slice.map((json): StartedSession => JSON.parse(json)),
          columns,
        )
      );
    },
  };
}

function rowsOf(db: Reader, sessions: readonly StartedSession[], columns: QuestionColumns): Cell[][] {
  const answers = Map.groupBy(
    listAnswers(
      db,
      sessions.map(({ id }) => id),
    ),
    ({ session }) => session,
  );
  return sessions.flatMap((session) => {
    const given = answers.get(session.id) ?? [];
    const places = columns.of(session.publicationId);
    // One that was removed before anything was answered was never started.
    if (!places || (session.status === "REMOVED" && !given.length)) return [];
    const row: Cell[] = SESSION_COLUMNS.map(([, value]) => value(session));
    row.length += columns.headings.length;
    for (const { place, answer } of given) {
      const { column, type } = places[place]!;
      row[SESSION_COLUMNS.length + column] = answerCell(type, JSON.parse(answer));
    }
    return [row];
  });
}
