// The index by which answers to text questions are found. Answering must not take longer for it, so nothing is added by a submission: a search
// compares the answers that the index lacks one by one, and afterwards they are added, in short steps. A study that nobody searches costs
// nothing. Triggers note which of its answers were changed or removed since (`answer_former`).

import { isLeft, mergeSome } from "./people-search.ts";
import type { Reader, Writer } from "./sqlite/connection.ts";
import { scanForWords } from "./sqlite/words.ts";
import { isTransient } from "./sqlite/write.ts";
import type { Workspaces } from "./workspaces.ts";

/** One step adds so many answers, with about so many characters: the store is locked for some 30 ms. */
const STEP_ROWS = 2000;
const STEP_CHARACTERS = 200_000;

/** So many are taken out of the index's pages at once. It takes 100 times as long as to add them. */
const MAX_TAKEN_OUT = 50;

const INDEX = "answer_search";

const words = (answer: string) => `search_words(${answer} ->> '$', NULL, NULL)`;

/** The responses `r` to a question whose answers the index lacks as they are. They are found before any answer is read. */
const LACKING = `(
    SELECT i.id FROM screener_response AS i INDEXED BY screener_response_question LEFT JOIN answer_searched AS d ON d.id = i.id
    WHERE i.publication_question_id = ? AND (d.id IS NULL OR d.id IN (SELECT id FROM answer_former))
  ) AS l CROSS JOIN screener_response AS r ON r.id = l.id WHERE r.answer <> 'null'`;

/** The rowids of the responses to a question that have all words. @param questionId rowid of the published question */
export function findAnswersWith(db: Reader, questionId: number, asked: string): number[] {
  const known = db.values<number>(
    `SELECT r.id FROM ${INDEX} AS s CROSS JOIN screener_response AS r ON r.id = s.rowid
     WHERE ${INDEX} MATCH search_expression(?) AND s.rowid NOT IN (SELECT id FROM answer_former) AND r.publication_question_id = ?`,
    asked,
    questionId,
  );
  const others = db.values<number>(
    `SELECT r.id FROM ${LACKING} AND ${scanForWords("r.answer ->> '$'")}`,
    questionId,
    asked,
    asked,
  );
  return [...known, ...others];
}

/** Whether so many answers to a question are not in the index that adding them is worth a transaction. */
export function isBehind(db: Reader, questionId: number): boolean {
  return db.value(`SELECT 1 FROM ${LACKING} LIMIT 1 OFFSET 500`, questionId) === 1;
}

/** Adds the answers to questions, until the index has all. Blocks. */
export function keepAnswerSearch(workspaces: Workspaces, workspaceUid: string, questionIds: readonly number[]): void {
  try {
    while (workspaces.write(workspaceUid, takeOutSome));
    for (const id of questionIds) while (workspaces.write(workspaceUid, (db) => addSome(db, id)));
  } catch (error) {
    // The next search goes on.
    if (!isTransient(error)) throw error;
  }
}

/** @returns whether there were some */
function addSome(db: Writer, questionId: number): boolean {
  const found = db.all<{ id: number; length: number }>(
    `SELECT r.id, length(r.answer) AS length FROM ${LACKING} AND r.id NOT IN (SELECT id FROM answer_searched) ORDER BY r.id LIMIT ${STEP_ROWS}`,
    questionId,
  );
  const ids: number[] = [];
  let characters = 0;
  for (const { id, length } of found) {
    ids.push(id);
    characters += length;
    if (characters >= STEP_CHARACTERS) break;
  }
  if (!ids.length) return false;
  const these = JSON.stringify(ids);
  db.run(
    `INSERT INTO ${INDEX} (rowid, words) SELECT r.id, ${words("r.answer")} FROM json_each(?) AS i CROSS JOIN screener_response AS r ON r.id = i.value`,
    these,
  );
  db.run("INSERT INTO answer_searched (id) SELECT value FROM json_each(?)", these);
  return true;
}

/** Takes answers out of the index that were changed or removed. @returns whether there were some */
function takeOutSome(db: Writer): boolean {
  const few = db.values<number>(`SELECT id FROM answer_former LIMIT ${MAX_TAKEN_OUT + 1}`);
  if (few.length <= MAX_TAKEN_OUT) {
    takeOut(db, few);
    return few.length > 0;
  }
  // Marks that they are gone take a hundredth of the time. What they leave is gone when the index is rewritten.
  db.run(`INSERT INTO ${INDEX} (${INDEX}, rank) VALUES ('secure-delete', 0)`);
  takeOut(db, db.values<number>(`SELECT id FROM answer_former LIMIT ${STEP_ROWS}`));
  db.run(`INSERT INTO ${INDEX} (${INDEX}, rank) VALUES ('secure-delete', 1)`);
  noteLeftovers(db);
  return true;
}

function takeOut(db: Writer, ids: readonly number[]): void {
  if (!ids.length) return;
  const these = JSON.stringify(ids);
  const those = "IN (SELECT value FROM json_each(?))";
  const gone = db.values<string>(`SELECT answer ->> '$' FROM answer_former WHERE id ${those}`, these);
  db.run(
    `INSERT INTO ${INDEX} (${INDEX}, rowid, words) SELECT 'delete', id, ${words("answer")} FROM answer_former WHERE id ${those} ORDER BY id`,
    these,
  );
  db.run(`DELETE FROM answer_searched WHERE id ${those}`, these);
  db.run(`DELETE FROM answer_former WHERE id ${those}`, these);
  // SQLite moves rows when it splits a page, and leaves copies of them behind. An empty table that is emptied has none.
  if (db.value("SELECT 1 FROM answer_former LIMIT 1") === undefined) db.run("DELETE FROM answer_former");
  if (ids.length <= MAX_TAKEN_OUT && gone.some((text) => isLeft(db, INDEX, text))) noteLeftovers(db);
}

/** Takes the answers of sessions, which were removed in the same transaction, out of the index. */
export function forgetSearchedAnswers(db: Writer, sessionIds: readonly number[]): void {
  const ids = db.values<number>(
    `SELECT d.id FROM json_each(?) AS s CROSS JOIN answer_former AS d ON d.id >= s.value << 12 AND d.id < (s.value + 1) << 12`,
    JSON.stringify(sessionIds),
  );
  for (let at = 0; at < ids.length; at += MAX_TAKEN_OUT) takeOut(db, ids.slice(at, at + MAX_TAKEN_OUT));
}

function noteLeftovers(db: Writer): void {
  db.run("UPDATE answer_search_state SET leftovers = leftovers + 1");
}

/** Takes out of the index what was changed or removed, and rewrites it if words of that may be left. Blocks. @param write runs its argument in a transaction */
export function rewriteAnswerSearch(write: <T>(work: (db: Writer) => T) => T): void {
  while (write(takeOutSome));
  const leftovers = write(countLeftovers);
  if (!leftovers) return;
  write(beginRewrite);
  while (write((db) => mergeSome(db, INDEX)));
  // Those that came meanwhile are still there.
  write((db) => db.run("UPDATE answer_search_state SET leftovers = 0 WHERE leftovers = ?", leftovers));
}

/** The same of a workspace's store. Most have nothing to rewrite, and are only read. */
export function rewriteAnswerSearchOf(workspaces: Workspaces, workspaceUid: string): void {
  const isNeeded = (db: Reader) => countLeftovers(db) > 0 || db.value("SELECT 1 FROM answer_former LIMIT 1") === 1;
  if (workspaces.read(workspaceUid, isNeeded)) rewriteAnswerSearch((work) => workspaces.write(workspaceUid, work));
}

function countLeftovers(db: Reader): number {
  return db.value<number>("SELECT leftovers FROM answer_search_state") ?? 0;
}

/** All of the index is written anew when its parts are merged; so it must have two. */
function beginRewrite(db: Writer): void {
  const id = db.value<number>("SELECT id FROM answer_searched WHERE id NOT IN (SELECT id FROM answer_former) LIMIT 1");
  if (id === undefined) {
    db.run(`INSERT INTO ${INDEX} (${INDEX}) VALUES ('delete-all')`);
    db.run("DELETE FROM answer_searched");
    db.run("DELETE FROM answer_former");
    return;
  }
  const one = `SELECT id, ${words("answer")} FROM screener_response WHERE id = ?`;
  db.run(`INSERT INTO ${INDEX} (${INDEX}, rowid, words) SELECT 'delete', * FROM (${one})`, id);
  db.run(`INSERT INTO ${INDEX} (rowid, words) ${one}`, id);
}
