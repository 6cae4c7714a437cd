// Reads a table of answers in a thread: a page of it, or which sessions the whole table has.

import { isBehind, keepAnswerSearch } from "../../db/answer-search.ts";
import type { Page } from "../../db/list/ranges.ts";
import type { Filter } from "../../db/list/where.ts";
import type { Reader } from "../../db/sqlite/connection.ts";
import type { AskedFilter } from "../base/members.ts";
import type { ProblemDetail } from "../base/problems.ts";
import type { SideTask } from "../engine/threads/side-task.ts";
import { type NamedQuestions, namedQuestions } from "../exports/asked-questions.ts";
import { matchingOf } from "../exports/matching.ts";
import { listPlacesOf } from "../nouns/quotas/place-queries.ts";
import { listAnswers, questionIdOf } from "../nouns/responses/queries.ts";
import { findScreener } from "../nouns/screeners/queries.ts";
import { countStarted, listStarted, readStarted } from "../nouns/sessions/started.ts";
import { withoutQuestion } from "./catalogue.ts";
import { type AnswerColumn, type AnsweredSession, columnsOf, firstColumns, valueIn } from "./columns.ts";

export interface WantedAnswers {
  workspaceUid: string;
  screenerUid: string;
  /** undefined: the first ones. */
  columns: string[] | undefined;
  filters: Filter[];
  asked: AskedFilter[];
  isOldestFirst: boolean;
}

/** Why there is no table: there is no such study, or the query has errors. */
export type NoAnswers = { missing: true } | { errors: ProblemDetail[] };

/** Which sessions a table has, and its columns. */
export interface FoundAnswers {
  title: string | null;
  columns: AnswerColumn[];
  total: number;
  /** The rowids of its sessions; of a page, only those. */
  ids: number[];
  /** See `ReadAnswers`. */
  lacking: number[];
}

/** A page as JSON, and how many rows it has. `lacking`: the rowids of published questions with many answers that the index of words lacks. */
type ReadAnswers = { json: string; rows: number; lacking: number[] };

export const readAnswers: SideTask<WantedAnswers & { page: Page }, ReadAnswers | NoAnswers> = {
  name: "read-answers",
  perform: ({ workspaces }, wanted) =>
    workspaces.read(wanted.workspaceUid, (db) =>
      db.snapshot(() => {
        const found = findAnswers(db, wanted, wanted.page);
        if (!("ids" in found)) return found;
        const { columns, total, ids, lacking } = found;
        const items = rowsOf(db, ids).map((row) => itemOf(row, columns));
        const { limit, offset } = wanted.page;
        const shown = columns.map(({ name, label, questionType }) => ({ column: name, label, questionType }));
        return {
          json: JSON.stringify({ _type: "PaginatedScreenerAnswers", total, limit, offset, columns: shown, items }),
          rows: items.length,
          lacking,
        };
      }),
    ),
};

/** What the whole table has, for replies that are streamed. */
export const findAllAnswers: SideTask<WantedAnswers, FoundAnswers | NoAnswers> = {
  name: "find-all-answers",
  perform: ({ workspaces }, wanted) =>
    workspaces.read(wanted.workspaceUid, (db) =>
      db.snapshot(() => {
        const found = findAnswers(db, wanted);
        return "ids" in found ? { ...found, columns: found.columns.map(withoutQuestion) } : found;
      }),
    ),
};

/** @param page undefined: all */
export function findAnswers(db: Reader, wanted: WantedAnswers, page?: Page): FoundAnswers | NoAnswers {
  const screener = findScreener(db, wanted.screenerUid);
  if (!screener) return { missing: true };
  const questions = namedQuestions(db, screener.id);
  const all = columnsOf(db, screener.id, questions);
  const matches = matchingOf(db, screener, questions, wanted.asked);
  const errors = [...(Array.isArray(matches) ? matches : []), ...unknownColumns(wanted, all, questions)];
  if (errors.length || Array.isArray(matches)) return { errors };
  const which = { screenerId: screener.id, filters: wanted.filters, isOldestFirst: wanted.isOldestFirst };
  const columns = (wanted.columns ?? firstColumns(questions)).flatMap((name) => all.get(name) ?? []);
  const { title } = screener;
  if (!wanted.asked.length)
    return { title, columns, total: countStarted(db, which), ids: listStarted(db, which, page), lacking: [] };
  const ids = matches(listStarted(db, which));
  const { offset, limit } = page ?? { offset: 0, limit: ids.length };
  const lacking = lackingFor(db, questions, wanted.asked);
  return { title, columns, total: ids.length, ids: ids.slice(offset, offset + limit), lacking };
}

function lackingFor(db: Reader, { byName }: NamedQuestions, asked: readonly AskedFilter[]): number[] {
  return asked
    .filter(({ operator }) => operator === "matches")
    .flatMap(({ key }) => byName.get(key)?.asked ?? [])
    .map((one) => questionIdOf(db, one))
    .filter((id) => isBehind(db, id));
}

/** Adds the answers to questions to the index of words, so that the next search is faster. */
export const indexAnswers: SideTask<{ workspaceUid: string; questionIds: number[] }, void> = {
  name: "index-answers",
  perform: ({ workspaces }, { workspaceUid, questionIds }) => keepAnswerSearch(workspaces, workspaceUid, questionIds),
};

function unknownColumns(
  { columns = [] }: WantedAnswers,
  all: ReadonlyMap<string, AnswerColumn>,
  { list }: NamedQuestions,
): ProblemDetail[] {
  const unknown = columns.filter((name) => !all.has(name));
  if (!unknown.length) return [];
  const [first] = list;
  const example = first ? `, or answers.${first.name}` : "";
  return [
    {
      pointer: "columns",
      message: `${unknown.map((name) => JSON.stringify(name.slice(0, 80))).join(", ")} is no column of this study; columns are named like session.startedAt${example}`,
    },
  ];
}

/** How many sessions one step of a stream, or of a file, has: it takes only some milliseconds. */
export const ROWS_AT_ONCE = 100;

/** Sessions with their answers, in the order of the ids. */
export function rowsOf(db: Reader, ids: readonly number[]): AnsweredSession[] {
  const sessions = readStarted(db, ids);
  const answers = Map.groupBy(listAnswers(db, ids), ({ session }) => session);
  const places = Map.groupBy(listPlacesOf(db, ids, Date.now()), ({ session }) => session);
  return ids.flatMap((id) => {
    const session = sessions.get(id);
    if (!session) return [];
    const given = (answers.get(id) ?? []).map(({ position, answer }) => [position, JSON.parse(answer)] as const);
    const held = (places.get(id) ?? []).map(({ quota, state }) => [quota, state] as const);
    return [{ session, answers: new Map(given), places: new Map(held) }];
  });
}

export function itemOf(row: AnsweredSession, columns: readonly AnswerColumn[]): object {
  const { session } = row;
  return {
    _type: "ScreenerAnswers",
    screenerSessionId: session.uid,
    participantId: session.participantUid,
    values: Object.fromEntries(columns.map((column) => [column.name, valueIn(column, row)])),
  };
}
