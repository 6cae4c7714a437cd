// The columns of a table of answers: what they are called, and what is in them.

import type { Reader } from "../../db/sqlite/connection.ts";
import { listArms } from "../arms/queries.ts";
import { attributeKeys } from "../base/attributes.ts";
import type { Cell } from "../base/members.ts";
import type { NamedQuestion, NamedQuestions } from "../exports/asked-questions.ts";
import { armColumns, quotaColumns } from "../exports/headings.ts";
import { attributeCell } from "../nouns/participants/attribute-members.ts";
import { answerCell, type Question, rowsOf, typeOf } from "../nouns/question-types/registry.ts";
import { listQuotas } from "../nouns/quotas/queries.ts";
import type { readStarted } from "../nouns/sessions/started.ts";

type Session = ReturnType<typeof readStarted> extends Map<number, infer One> ? One : never;

/** A session with what it has answered. */
export interface AnsweredSession {
  session: Session;
  /** By the positions of questions. */
  answers: ReadonlyMap<number, unknown>;
  /** TAKEN or HELD, by the rowids of quotas. */
  places: ReadonlyMap<number, string>;
}

/** A column as data, which threads can hand on. */
export interface AnswerColumn {
  name: string;
  label: string;
  /** Of a question: as in the newest version that has it. */
  questionType: Question["_type"] | null;
  of: Source;
  /** The same as a whole; of a row, the row as a question. */
  question?: Question;
}

/** Where its values come from. */
type Source =
  | { session: string }
  /** By the rowids of publications, where the question stands. `row`: only what is in one of its rows. */
  | { asked: ReadonlyMap<number, { position: number; type: Question["_type"] }>; row?: string }
  | { quota: number }
  | { assignment: string; arms: ReadonlyMap<string, string> }
  | { attribute: string };

/** What is said of every session, whatever the study asks. */
const OF_SESSIONS: [name: string, label: string, of: (session: Session) => Cell][] = [
  ["session.id", "Session", ({ uid }) => uid],
  ["participant.externalUid", "Id", ({ externalUid }) => externalUid],
  ["participant.id", "Participant", ({ participantUid }) => participantUid],
  ["participant.name", "Name", ({ name }) => name ?? null],
  ["participant.email", "Email", ({ email }) => email ?? null],
  ["publication.version", "Version", ({ version }) => version],
  ["publication.id", "Publication", ({ publicationUid }) => publicationUid],
  ["session.status", "Status", ({ status }) => status],
  ["session.state", "State", ({ state }) => state],
  ["session.outcome", "Outcome", ({ outcome }) => outcome],
  ["session.outcomeReason", "Reason of the outcome", ({ outcomeReason }) => outcomeReason],
  ["session.startedAt", "Started", ({ startedAt }) => startedAt],
  ["session.lastActiveAt", "Last answer", ({ lastActiveAt }) => lastActiveAt],
  ["session.completedAt", "Completed", ({ completedAt }) => completedAt],
  ["session.judgedOutcome", "Outcome by the rules", ({ judged }) => judged],
  ["session.overriddenBy", "Outcome set by", ({ overriddenBy }) => overriddenBy],
  ["session.overrideReason", "Why it was set", ({ overrideReason }) => overrideReason],
  ["session.overriddenAt", "Outcome set", ({ overriddenAt }) => overriddenAt],
  ["session.review", "Review", ({ review }) => review ?? null],
  ["session.reviewedBy", "Reviewed by", ({ reviewedBy }) => reviewedBy ?? null],
  ["session.reviewReason", "Why so", ({ reviewReason }) => reviewReason ?? null],
  ["session.reviewedAt", "Reviewed", ({ reviewedAt }) => reviewedAt ?? null],
  ["session.language", "Language", ({ language }) => language ?? null],
  ["session.link", "Open link", ({ link }) => link ?? null],
  ["session.signals", "Signals", ({ signals }) => signals ?? null],
];

/** The columns that are shown where none are chosen, beside the first questions. */
const FIRST = ["participant.externalUid", "session.startedAt", "session.outcome"];
const FIRST_QUESTIONS = 20;

const SESSION_VALUES = new Map(OF_SESSIONS.map(([name, , of]) => [name, of]));

/** All columns of a study, by their names. */
export function columnsOf(db: Reader, screenerId: number, { list }: NamedQuestions): Map<string, AnswerColumn> {
  const columns: AnswerColumn[] = [
    ...OF_SESSIONS.map(([name, label]) => ({ name, label, questionType: null, of: { session: name } })),
    ...list.flatMap(columnsOfQuestion),
    ...quotaColumns(listQuotas(db, screenerId)).map(({ id, heading, name }) => ({
      ...{ name: heading, label: name, questionType: null, of: { quota: id } },
    })),
    ...armColumns(listArms(db, screenerId)).map(({ assignmentId, heading, name, arms }) => ({
      ...{ name: heading, label: name, questionType: null, of: { assignment: assignmentId, arms } },
    })),
    ...attributeKeys(db).map((key) => ({
      ...{ name: `attributes.${key}`, label: key, questionType: null, of: { attribute: key } },
    })),
  ];
  return new Map(columns.map((column) => [column.name, column]));
}

/** Its answers; and those in each of its rows. */
function columnsOfQuestion({ name, asked: versions }: NamedQuestion): AnswerColumn[] {
  const { question } = versions[0]!;
  const asked = new Map(
    versions.map((one) => [one.publicationId, { position: one.position, type: one.question._type }]),
  );
  const textOf = new Map("rows" in question ? question.rows.map(({ id, text }) => [id, text]) : []);
  return [
    { name: `answers.${name}`, label: question.prompt, questionType: question._type, of: { asked }, question },
    ...[...rowsOf(question)].map(([row, ofRow]) => ({
      name: `answers.${name}.${row}`,
      label: `${question.prompt} – ${textOf.get(row)}`,
      questionType: ofRow._type,
      of: { asked, row },
      question: ofRow,
    })),
  ];
}

/** What a row has in a column. Undefined: there is nothing to say, such as of a question that was not shown. */
export function valueIn({ of }: AnswerColumn, row: AnsweredSession): unknown {
  const { session, answers, places } = row;
  if ("session" in of) return SESSION_VALUES.get(of.session)!(session);
  if ("quota" in of) return places.get(of.quota) ?? null;
  if ("attribute" in of) return attributeCell(session.attributes, of.attribute) ?? undefined;
  if ("arms" in of) return of.arms.get(session.arms?.[of.assignment] ?? "") ?? null;
  const asked = of.asked.get(session.publicationId);
  const shown = asked && answers.get(asked.position);
  if (!asked || of.row === undefined || shown === undefined || shown === null) return shown;
  // A version in which the question was of another type has no rows.
  return typeOf({ _type: asked.type }).rows?.shown(shown, of.row);
}

/** The same as a cell of a file. */
export function cellIn(column: AnswerColumn, row: AnsweredSession): Cell {
  const value = valueIn(column, row);
  if (!("asked" in column.of) || value === undefined || value === null) return value as Cell;
  const type =
    column.of.row === undefined ? column.of.asked.get(row.session.publicationId)!.type : column.questionType!;
  return answerCell(type, value);
}

/** The names of the columns that are shown where none are chosen. */
export function firstColumns({ list }: NamedQuestions): string[] {
  return [...FIRST, ...list.slice(0, FIRST_QUESTIONS).map(({ name }) => `answers.${name}`)];
}
