// Statements on responses.

import { findAnswersWith } from "../../../db/answer-search.ts";
import { countRow, countRows } from "../../../db/list/counts.ts";
import type { Reader, SqlValue, Writer } from "../../../db/sqlite/connection.ts";
import { withRows } from "../../../db/sqlite/reader.ts";
import { type Answer, type Question, typeOf } from "../question-types/registry.ts";
import type { SessionRow } from "../sessions/queries.ts";
import { countedResponses } from "./resource.ts";

/** A response's key is its session's rowid × POSITIONS + its question's position: keys have the order of the list. */
const POSITIONS = 4096;

/** The answers of some sessions as JSON, each with its session's rowid, its question's position, and its form for programs. */
export function listAnswers(
  db: Reader,
  sessionIds: readonly number[],
): { session: number; position: number; answer: string; normalized: string | null }[] {
  return db.all(
    `SELECT s.value AS session, r.id % ${POSITIONS} AS position, r.answer, r.normalized_answer AS normalized FROM json_each(?) AS s
     CROSS JOIN screener_response AS r ON r.id >= s.value * ${POSITIONS} AND r.id < (s.value + 1) * ${POSITIONS}`,
    JSON.stringify(sessionIds),
  );
}

/**
 * The same as one list, because a million rows take seconds: for each answer the position of its session in `sessionIds`, that of its
 * question, and the answer, in this order.
 */
export function readAnswers(db: Reader, sessionIds: readonly number[]): unknown[] {
  return joined(
    db,
    `(s.key || ',' || (r.id % ${POSITIONS}) || ',' || r.answer) FROM json_each(?) AS s
     CROSS JOIN screener_response AS r ON r.id >= s.value * ${POSITIONS} AND r.id < (s.value + 1) * ${POSITIONS}`,
    sessionIds,
  );
}

/** The answers to one question in each of some sessions: for each answer the position of its session, and the answer, in this order. */
export function readAnswersTo(
  db: Reader,
  sessions: readonly { id: number; position: number | undefined }[],
): unknown[] {
  const ids = sessions.map(({ id, position }) => (position === undefined ? null : id * POSITIONS + position));
  return joined(
    db,
    "(s.key || ',' || r.answer) FROM json_each(?) AS s CROSS JOIN screener_response AS r ON r.id = s.value",
    ids,
  );
}

/** The JSON that a statement joins with commas, as one array. */
function joined(db: Reader, statement: string, ids: readonly (number | null)[]): unknown[] {
  const json = db.value<string | null>(`SELECT group_concat${statement}`, JSON.stringify(ids));
  return JSON.parse(`[${json ?? ""}]`);
}

/** A question of a publication. */
interface AskedQuestion {
  publicationId: number;
  position: number;
}

/** The rowid of a published question. */
export function questionIdOf(db: Reader, { publicationId, position }: AskedQuestion): number {
  return db.value<number>(
    "SELECT id FROM publication_question WHERE screener_publication_id = ? AND place = ?",
    publicationId,
    position,
  )!;
}

/** The rowids of the sessions whose answer to a question has all of the words. */
export function sessionsWith(db: Reader, asked: AskedQuestion, words: string): number[] {
  return findAnswersWith(db, questionIdOf(db, asked), words).map((id) => Math.floor(id / POSITIONS));
}

/** How many answers are read at once. */
const ANSWERS_AT_ONCE = 5000;

/** Which answers to a question are read. */
interface WantedAnswers extends AskedQuestion {
  /** Whether it is said when each session was started. */
  needsDay: boolean;
  /** Of these sessions alone, by their rowids. undefined: all. */
  only?: readonly number[] | undefined;
}

interface AnswerOfSession {
  session: number;
  answer: string;
  startedAt: string | null;
}

/** The answers to a question of a publication, slice by slice. */
export function* readAnswersOf(db: Reader, { needsDay, only, ...asked }: WantedAnswers): Generator<AnswerOfSession[]> {
  const question = questionIdOf(db, asked);
  const day = needsDay ? "(SELECT started_at FROM screener_session WHERE id = r.screener_session_id)" : "NULL";
  const columns = `r.id >> 12 AS session, r.answer, ${day} AS startedAt`;
  if (only) {
    const sql = `SELECT ${columns} FROM json_each(?) AS s CROSS JOIN screener_response AS r ON r.id = s.value * ${POSITIONS} + ?
      WHERE r.publication_question_id = ?`;
    for (let at = 0; at < only.length; at += ANSWERS_AT_ONCE)
      yield db.all(sql, JSON.stringify(only.slice(at, at + ANSWERS_AT_ONCE)), asked.position, question);
    return;
  }
  const sql = `SELECT ${columns} FROM screener_response AS r INDEXED BY screener_response_question
    WHERE r.publication_question_id = ? AND r.id > ? ORDER BY r.id LIMIT ?`;
  for (let after = 0; ; ) {
    const slice = db.all<AnswerOfSession>(sql, question, after, ANSWERS_AT_ONCE);
    if (slice.length) yield slice;
    if (slice.length < ANSWERS_AT_ONCE) return;
    after = slice.at(-1)!.session * POSITIONS + asked.position;
  }
}

/** The answers of a session so far, by question id. `questions` are those of its publication, in order. */
export function findAnswers(db: Reader, sessionId: number, questions: readonly Question[]): Map<string, Answer> {
  const rows = db.all<{ position: number; answer: string }>(
    `SELECT id - ? AS position, answer FROM screener_response WHERE id >= ? AND id < ? ORDER BY id`,
    sessionId * POSITIONS,
    sessionId * POSITIONS,
    (sessionId + 1) * POSITIONS,
  );
  const answers = new Map<string, Answer>();
  for (const { position, answer } of rows) {
    const question = questions[position];
    if (!question) continue;
    const shown: unknown = JSON.parse(answer);
    answers.set(question.id, shown === null ? null : typeOf(question).fromShown(question, shown));
  }
  return answers;
}

/** So many answers are written at once. Each number of them is a statement of its own. */
const WRITTEN_AT_ONCE = 10;

const INTO = `INSERT INTO screener_response (id, screener_id, screener_publication_id, screener_session_id, publication_question_id, answer,
  normalized_answer)`;
const REPLACING = "ON CONFLICT DO UPDATE SET answer = excluded.answer, normalized_answer = excluded.normalized_answer";

/** Writes answers, and replaces those that are not new. @param questionIds the rowids of the publication's questions, by position */
export function writeResponses(
  db: Writer,
  session: SessionRow,
  questionIds: readonly number[],
  answers: readonly { position: number; question: Question; answer: Answer; isNew: boolean }[],
): void {
  const { id, screener_id, screener_publication_id } = session;
  const rows = answers.map(({ position, question, answer }): SqlValue[] => {
    const type = typeOf(question);
    const shown = answer === null ? null : type.toShown(answer);
    const normalized = shown === null ? null : (type.normalizer?.(question)?.(shown) ?? null);
    const keys = [id * POSITIONS + position, screener_id, screener_publication_id, id, questionIds[position]!];
    return [...keys, JSON.stringify(shown), normalized];
  });
  for (let at = 0; at < rows.length; at += WRITTEN_AT_ONCE) {
    const some = rows.slice(at, at + WRITTEN_AT_ONCE);
    db.run(withRows(INTO, 7, some.length, REPLACING), ...some.flat());
  }
  if (session.is_test) return;
  for (const { position, isNew } of answers)
    if (isNew) countRow(db, countedResponses, session.id * POSITIONS + position, session, 1);
}

export function deleteResponses(db: Writer, session: SessionRow, positions: readonly number[]): void {
  if (!positions.length) return;
  const ids = JSON.stringify(positions.map((position) => session.id * POSITIONS + position));
  const these = "id IN (SELECT value FROM json_each(?))";
  if (!session.is_test) countRows(db, countedOfSession, "main", `t.${these}`, [ids], -1);
  db.run(`DELETE FROM screener_response WHERE ${these}`, ids);
}

/** Copies answers to sessions that have none. The workspace is attached as `w`. @param pairs SQL of rowids of sessions: `from` and `to` */
export function copyAnswers(db: Writer, pairs: string, values: readonly SqlValue[]): void {
  db.run(
    `INSERT INTO w.screener_response (id, screener_id, screener_publication_id, screener_session_id, publication_question_id, answer,
       normalized_answer)
     SELECT j."to" * ${POSITIONS} + r.id % ${POSITIONS}, r.screener_id, r.screener_publication_id, j."to", r.publication_question_id, r.answer,
       r.normalized_answer
     FROM (${pairs}) AS j CROSS JOIN w.screener_response AS r ON r.id >= j."from" * ${POSITIONS} AND r.id < (j."from" + 1) * ${POSITIONS}`,
    ...values,
  );
  countRows(db, countedOfSession, "w", `t.screener_session_id IN (SELECT j."to" FROM (${pairs}) AS j)`, values, 1);
}

/** Removes all answers of sessions, which are no tests. */
export function removeAnswers(db: Writer, sessionIds: readonly number[], schema: string): void {
  const ids = JSON.stringify(sessionIds);
  const theirs = "screener_session_id IN (SELECT value FROM json_each(?))";
  countRows(db, countedOfSession, schema, `t.${theirs}`, [ids], -1);
  db.run(`DELETE FROM ${schema}.screener_response WHERE ${theirs}`, ids);
}

/** Without looking which sessions are tests. */
const { apart: _, ...countedOfSession } = countedResponses;
