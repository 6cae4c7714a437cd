// The index by which people are found: kept up in short steps, after the fact, so that neither an import nor a small write takes longer
// for it. It has the participants up to a rowid, `indexed_until`; triggers note who of them was changed or removed since
// (`participant_reindex`). A search compares all others one by one, so it misses nobody.

import type { Search } from "./list/where.ts";
import type { Reader, SqlValue, Writer } from "./sqlite/connection.ts";
import { scanPeopleForWords, searchedWords } from "./sqlite/words.ts";
import { isTransient } from "./sqlite/write.ts";
import type { Workspaces } from "./workspaces.ts";

const UNTIL = "(SELECT coalesce(max(indexed_until), 0) FROM participant_search_state)";

const HOLDS = "search_finds(p.name, p.email, p.external_uid, ?)";

/** Rowids of participants. @param holds SQL condition on a row of the list: whether its participant has the words */
export function searchBy(holds: string): Search {
  return {
    indexed: "SELECT rowid AS id FROM participant_search WHERE participant_search MATCH search_expression(?)",
    isCurrent: "rowid NOT IN (SELECT id FROM participant_reindex)",
    others: `SELECT p.id FROM participant_reindex AS r CROSS JOIN participant AS p ON p.id = r.id WHERE p.id <= ${UNTIL} AND ${HOLDS}
      UNION ALL
      ${scanPeopleForWords(UNTIL)}`,
    holds,
  };
}

/** Participants that one step adds: the store is locked for some 30 ms. */
const STEP_ROWS = 3000;

/** So many who were changed are taken out of the index's pages at once. It takes 100 times as long as to add them. */
const MAX_TAKEN_OUT = 50;

/** Pages that one step of a rewrite copies. */
const STEP_PAGES = 100;

/** Adds participants to the index, and takes out who was removed, until it has all; or until `mustStop`. Blocks. */
export function keepSearch(workspaces: Workspaces, workspaceUid: string, mustStop = () => false): void {
  try {
    while (!mustStop()) {
      if (workspaces.read(workspaceUid, isComplete)) return;
      workspaces.write(workspaceUid, step);
    }
  } catch (error) {
    // The next job, or the upkeep, goes on.
    if (!isTransient(error)) throw error;
  }
}

function isComplete(db: Reader): boolean {
  return (
    db.value(`SELECT (SELECT max(id) FROM participant) IS NULL OR (SELECT max(id) FROM participant) <= indexed_until
      FROM participant_search_state`) === 1 && db.value("SELECT 1 FROM participant_reindex LIMIT 1") === undefined
  );
}

function step(db: Writer): void {
  if (reindexSome(db)) return;
  const until = indexedUntil(db);
  const last = db.value<number | null>(
    "SELECT max(id) FROM (SELECT id FROM participant WHERE id > ? ORDER BY id LIMIT ?)",
    until,
    STEP_ROWS,
  );
  if (last == null) return;
  db.run(
    `INSERT INTO participant_search (rowid, words) SELECT id, search_words(name, email, external_uid)
     FROM participant WHERE id > ? AND id <= ? ORDER BY id`,
    until,
    last,
  );
  db.run("UPDATE participant_search_state SET indexed_until = CAST(? AS INTEGER)", last);
}

/** @returns whether there was somebody */
function reindexSome(db: Writer): boolean {
  const few = db.values<number>(`SELECT id FROM participant_reindex LIMIT ${MAX_TAKEN_OUT + 1}`);
  if (few.length <= MAX_TAKEN_OUT) {
    reindex(db, few);
    return few.length > 0;
  }
  // Marks that they are gone take a hundredth of the time. What they leave is gone when the index is rewritten.
  db.run("INSERT INTO participant_search (participant_search, rank) VALUES ('secure-delete', 0)");
  reindex(db, db.values<number>(`SELECT id FROM participant_reindex LIMIT ${STEP_ROWS}`));
  db.run("INSERT INTO participant_search (participant_search, rank) VALUES ('secure-delete', 1)");
  noteLeftovers(db);
  return true;
}

/** Brings these participants up to date who are in `participant_reindex`. */
function reindex(db: Writer, ids: readonly number[]): void {
  if (!ids.length) return;
  const these = "IN (SELECT value FROM json_each(?))";
  const listed = JSON.stringify(ids);
  const gone = db.values<string>(
    `SELECT concat_ws(' ', former_name, former_email, former_external_uid) FROM participant_reindex
     WHERE id ${these} AND former_external_uid IS NOT NULL`,
    listed,
  );
  db.run(
    `INSERT INTO participant_search (participant_search, rowid, words)
     SELECT 'delete', id, search_words(former_name, former_email, former_external_uid)
     FROM participant_reindex WHERE id ${these} AND former_external_uid IS NOT NULL ORDER BY id`,
    listed,
  );
  db.run(
    `INSERT INTO participant_search (rowid, words) SELECT id, search_words(name, email, external_uid)
     FROM participant WHERE id ${these} AND id <= (SELECT indexed_until FROM participant_search_state) ORDER BY id`,
    listed,
  );
  db.run(`DELETE FROM participant_reindex WHERE id ${these}`, listed);
  // The next participant gets the rowid after the last one, which may have been in the index.
  db.run(
    "UPDATE participant_search_state SET indexed_until = min(indexed_until, coalesce((SELECT max(id) FROM participant), 0))",
  );
  if (ids.length <= MAX_TAKEN_OUT && gone.some((text) => isLeft(db, "participant_search", text))) noteLeftovers(db);
}

/**
 * Whether a word, or more than its first three bytes, is left where the index keeps which words its pages begin with: those are not
 * changed when a word is removed.
 */
export function isLeft(db: Reader, index: string, text: string): boolean {
  return searchedWords(text).some(
    (word) =>
      db.value(
        `SELECT 1 FROM ${index}_idx
         WHERE length(term) > 4 AND substr(CAST(concat('0', ?) AS BLOB), 1, length(term)) = term LIMIT 1`,
        word,
      ) === 1,
  );
}

function noteLeftovers(db: Writer): void {
  db.run("UPDATE participant_search_state SET leftovers = leftovers + 1");
}

function indexedUntil(db: Reader): number {
  return db.value<number>("SELECT indexed_until FROM participant_search_state")!;
}

/** Takes a participant, who was deleted in the same transaction, out of the index. */
export function forgetSearched(db: Writer, id: number): void {
  reindex(db, db.values<number>("SELECT id FROM participant_reindex WHERE id = ?", id));
}

/** Notes participants who have come back with rowids that the index may have passed. Call it after they were inserted. @param ids a SELECT */
export function searchAgain(db: Writer, schema: string, ids: string, ...values: SqlValue[]): void {
  db.run(
    `INSERT INTO ${schema}.participant_reindex (id) SELECT p.id FROM ${schema}.participant AS p
     WHERE p.id IN (${ids}) AND p.id <= (SELECT indexed_until FROM ${schema}.participant_search_state) ON CONFLICT DO NOTHING`,
    ...values,
  );
}

/**
 * Takes out of the index who was changed or removed, and rewrites it if words of people who are gone may be left in it: some seconds for a million people, in short steps. Blocks.
 * @param write runs its argument in a transaction
 */
export function rewriteSearch(write: <T>(work: (db: Writer) => T) => T): void {
  // It has former names, too.
  while (write(reindexSome));
  const leftovers = write(countLeftovers);
  if (!leftovers) return;
  write(beginRewrite);
  while (write((db) => mergeSome(db, "participant_search")));
  // Those that came meanwhile are still there.
  write((db) => db.run("UPDATE participant_search_state SET leftovers = 0 WHERE leftovers = ?", leftovers));
}

/** The same of a workspace's store. Most have nothing to rewrite, and are only read. */
export function rewriteSearchOf(workspaces: Workspaces, workspaceUid: string): void {
  if (workspaces.read(workspaceUid, countLeftovers)) rewriteSearch((work) => workspaces.write(workspaceUid, work));
}

function countLeftovers(db: Reader): number {
  return db.value<number>("SELECT leftovers FROM participant_search_state") ?? 0;
}

/** All of the index is written anew when its parts are merged; so it must have two. */
function beginRewrite(db: Writer): void {
  const id = db.value<number>(
    `SELECT p.id FROM participant AS p WHERE p.id > 0 AND p.id <= (SELECT indexed_until FROM participant_search_state)
       AND p.id NOT IN (SELECT id FROM participant_reindex) ORDER BY p.id LIMIT 1`,
  );
  if (id === undefined) {
    db.run("INSERT INTO participant_search (participant_search) VALUES ('delete-all')");
    db.run("UPDATE participant_search_state SET indexed_until = 0");
    db.run("DELETE FROM participant_reindex");
    return;
  }
  const words = "SELECT id, search_words(name, email, external_uid) FROM participant WHERE id = ?";
  db.run(`INSERT INTO participant_search (participant_search, rowid, words) SELECT 'delete', * FROM (${words})`, id);
  db.run(`INSERT INTO participant_search (rowid, words) ${words}`, id);
}

/** @returns whether there is more */
export function mergeSome(db: Writer, index: string): boolean {
  const before = db.value<number>("SELECT total_changes()")!;
  db.run(`INSERT INTO ${index} (${index}, rank) VALUES ('merge', -${STEP_PAGES})`);
  return db.value<number>("SELECT total_changes()")! - before >= 2;
}
