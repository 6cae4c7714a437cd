// Rows of a list in which words are that many have: read beside whom the index finds, they are those that comparing each row finds.

import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { test } from "node:test";
import { idsBeside } from "../../db/list/beside.ts";
import type { Reader } from "../../db/sqlite/connection.ts";
import { Workspaces } from "../../db/workspaces.ts";
import { newFolder } from "../support/folder.ts";
import { seeded } from "../support/seeded.ts";
import { statementsOf } from "../support/statements.ts";

const stores = new Workspaces(newFolder(), { busyTimeoutMs: 5000, checkpoints: true, onStale: "migrate" });
const PEOPLE = 30_000;
const MOST = 1001;

/** Who has the word, by rowid: `p`. */
const WORDS = {
  "by chance": "p * 7919 % 30011 < 9000",
  "the last ones alone": "p > 20000",
  "some in the middle": "p BETWEEN 15000 AND 17500",
  "here and there, then all": "p % 50 = 0 OR p > 29000",
  "too few for a page": "p % 29 = 3",
  nobody: "FALSE",
};

const ORDERS = { "as they came": "p", "the last first": "-p", "in any order": "p * 7919 % 30011" };

/** People in two studies, and one in ten in neither. */
function newStore(order: string): string {
  const store = randomUUID();
  stores.create(store);
  stores.write(store, (db) => {
    db.run(
      `WITH RECURSIVE n (p) AS (SELECT 1 UNION ALL SELECT p + 1 FROM n WHERE p < ?)
       INSERT INTO participant (id, uid, external_uid, name, created_by, created_at, updated_by, updated_at)
       SELECT p, concat('u', p), concat('e', p), '', 1, '', 1, '' FROM n`,
      PEOPLE,
    );
    db.run(
      "INSERT INTO screener (id, uid, created_by, created_at, updated_by, updated_at) VALUES (1, 's1', 1, '', 1, ''), (2, 's2', 1, '', 1, '')",
    );
    db.run(
      `INSERT INTO screener_participant (uid, screener_id, participant_id)
       SELECT concat('a', p), 1 + (p % 10 = 1), p FROM (SELECT id AS p FROM participant) WHERE p > 0 AND p % 10 <> 2 ORDER BY ${order}`,
    );
  });
  return store;
}

const table = "screener_participant";
const column = "participant_id";
const named = { sql: "t.screener_id = ?", values: [1] };

/** What the index finds: some of them have lost the word, and some stand in it twice. */
const gathersOf = (word: string) => [
  { sql: `SELECT id FROM (SELECT id, id AS p FROM participant WHERE id > 0) WHERE ${word} OR p % 11 = 5`, values: [] },
  {
    sql: `SELECT id FROM (SELECT id, id AS p FROM participant WHERE id > 0) WHERE (${word}) AND p % 2 = ?`,
    values: [1],
  },
];
const holds = (word: string) => `EXISTS (SELECT 1 FROM (SELECT t.participant_id AS p) WHERE ${word})`;

function beside(db: Reader, word: string, rows: number, most = MOST): number[] | undefined {
  const all = { sql: `${named.sql} AND ${holds(word)}`, values: named.values };
  return idsBeside(db, { table, column, gathers: gathersOf(word), named, all, rows }, most);
}

const rowsOf = (db: Reader) => db.value<number>("SELECT count(*) FROM screener_participant WHERE screener_id = 1")!;

for (const [name, order] of Object.entries(ORDERS))
  test(`the first rows with a word, as comparing each row finds them: ${name}`, () => {
    const store = newStore(order);
    stores.read(store, (db) => {
      for (const [who, word] of Object.entries(WORDS)) {
        const compared = db.values<number>(
          `SELECT t.id FROM screener_participant AS t WHERE t.screener_id = 1 AND ${holds(word)} ORDER BY t.id`,
        );
        for (const most of [1, 20, MOST, 8000]) {
          // Also where the counts say that there are few rows, or fewer than there are.
          for (const rows of [rowsOf(db), 100]) {
            const ids = beside(db, word, rows, most);
            if (ids || rows === 100) assert.deepEqual(ids, compared.slice(0, most), `${who}, ${most} of ${rows}`);
          }
        }
      }
    });
  });

test("rows are read as far as the last one that is wanted, and few of them are compared", () => {
  const random = seeded("rows beside");
  const store = newStore("p");
  stores.read(store, (db) => {
    const from = 12_000 + Math.floor(random() * 6000);
    const word = `p > ${from}`;
    const asked = statementsOf(db, () => assert.equal(beside(db, word, rowsOf(db))!.length, MOST));
    const compared = asked.map(([, hits]) => JSON.parse(hits as string).length).reduce((sum, one) => sum + one, 0);
    assert.ok(compared >= MOST && compared < 9000, `${compared} are compared, and ${PEOPLE - from} have the word`);
  });
});

test("of few whom the index finds among many rows, none are read: they are looked up", () => {
  stores.read(newStore("p"), (db) => {
    assert.equal(beside(db, "p % 100 = 0", 1_000_000), undefined);
  });
});
