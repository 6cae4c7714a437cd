// The index of the search for people: nothing of who was erased is left in it, and it is filled in short steps.

import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { test } from "node:test";
import { readPage } from "../../db/list/list.ts";
import { foundBy } from "../../db/list/where.ts";
import { keepSearch, searchBy } from "../../db/people-search.ts";
import type { Reader, SqlValue, Writer } from "../../db/sqlite/connection.ts";
import { searchedWords } from "../../db/sqlite/words.ts";
import { wipeWorkspace } from "../../db/wipe.ts";
import { Workspaces } from "../../db/workspaces.ts";
import { eraseRows } from "../../src/screening/erase.ts";
import { newFolder } from "../support/folder.ts";
import { seeded } from "../support/seeded.ts";
import { statementsOf } from "../support/statements.ts";

const stores = new Workspaces(newFolder(), { busyTimeoutMs: 5000, checkpoints: true, onStale: "migrate" });
const PEOPLE = 12_000;

/** A word that nobody else has: it differs from others at its beginning, or at its end. */
const word = (id: number, of: string) =>
  of === "mail" ? `person${100_000 + id}` : `${((id * 7919) % 99_991).toString(36)}${of}${id}x`;

function newStore(people = PEOPLE): string {
  const id = randomUUID();
  stores.create(id);
  stores.write(id, (db) =>
    db.run(
      `INSERT INTO participant (id, uid, external_uid, email, name, created_by, created_at, updated_by, updated_at)
       SELECT value ->> 0, concat('u', value ->> 0), value ->> 1, value ->> 2, value ->> 3, 1, '', 1, '' FROM json_each(?)`,
      JSON.stringify(
        Array.from({ length: people }, (_, index) => [
          index + 1,
          word(index + 1, "uid"),
          `${word(index + 1, "mail")}@example.org`,
          `Anna ${word(index + 1, "name")}`,
        ]),
      ),
    ),
  );
  return id;
}

const wordsOf = (id: number) => [word(id, "uid"), word(id, "mail"), word(id, "name")];

/** Those of these words that are in pages of the index. What else a store has of a person: test/api/participant-erasure.test.ts. */
function leftIn(store: string, words: readonly string[]): string[] {
  const pages = stores.read(store, (db) => [
    ...db.values<Uint8Array>("SELECT block FROM participant_search_data"),
    ...db.values<Uint8Array>("SELECT CAST(term AS BLOB) FROM participant_search_idx"),
  ]);
  const bytes = Buffer.concat(pages);
  return words.filter((one) => bytes.includes(one));
}

function count(db: Writer, asked: string): number {
  return db.value<number>(
    "SELECT count(*) FROM participant_search WHERE participant_search MATCH search_expression(?)",
    asked,
  )!;
}

test("no word of a person who is erased is left in the index: of few, of many who were changed before, and of those who begin its pages", () => {
  const store = newStore();
  keepSearch(stores, store);
  const random = seeded("erased from the index");
  const draw = (from: number, to: number) => from + Math.floor(random() * (to - from));
  const first = stores.read(store, (db) =>
    db.values<string>("SELECT substr(CAST(term AS TEXT), 2) FROM participant_search_idx WHERE length(term) > 6"),
  );
  // The last word that is not above such a term is often the one that it was made from.
  const beginning = Array.from({ length: 6000 }, (_, index) => index + 1)
    .filter((id) => wordsOf(id).some((one) => first.some((term) => one.startsWith(term))))
    .slice(0, 40);
  assert.ok(beginning.length > 10, "some begin pages");
  const erased = [...beginning, ...Array.from({ length: 40 }, () => draw(1, 6000))];
  for (const id of new Set(erased)) stores.write(store, (db) => eraseRows(db, id));
  wipeWorkspace(stores, store, false);
  assert.deepEqual(leftIn(store, erased.flatMap(wordsOf)), []);
  // Many are renamed, the index follows, and then one of them goes.
  stores.write(store, (db) =>
    db.run("UPDATE participant SET name = concat('Renamed ', id) WHERE id > 6000 AND id <= 8000"),
  );
  keepSearch(stores, store);
  assert.equal(
    stores.write(store, (db) => count(db, "renamed")),
    2000,
  );
  stores.write(store, (db) => eraseRows(db, 7000));
  wipeWorkspace(stores, store, false);
  assert.deepEqual(leftIn(store, wordsOf(7000)), []);
  // Renamed, and erased before the index has followed.
  stores.write(store, (db) => db.run("UPDATE participant SET name = 'Somebody' WHERE id = 9000"));
  stores.write(store, (db) => eraseRows(db, 9000));
  wipeWorkspace(stores, store, false);
  assert.deepEqual(leftIn(store, wordsOf(9000)), []);
  assert.equal(
    stores.write(store, (db) => count(db, word(9001, "name"))),
    1,
  );
  assert.deepEqual(
    stores.read(store, (db) => db.values("PRAGMA integrity_check")),
    ["ok"],
  );
  assert.equal(
    stores.write(store, (db) => count(db, "anna")),
    stores.read(store, (db) => db.value("SELECT count(*) FROM participant WHERE name LIKE 'Anna%'")),
  );
});

test("the index is filled in steps, which end when something else is to be done", () => {
  const store = newStore();
  const until = () =>
    stores.read(store, (db) => db.value<number>("SELECT indexed_until FROM participant_search_state")!);
  let steps = 0;
  keepSearch(stores, store, () => steps++ === 2);
  const reached = until();
  assert.ok(reached > 0 && reached < PEOPLE, `${reached} are in it`);
  keepSearch(stores, store);
  assert.equal(until(), PEOPLE);
});

/** What the search for the first people takes whole: of SQLite's plans for the statements that `read` runs, the sorts at their end. */
function sortsOf(db: Reader, read: () => unknown): string[] {
  const asked = statementsOf(db, read);
  assert.ok(asked.some(([sql]) => sql.includes("participant_search MATCH")));
  return asked
    .flatMap(([sql, ...given]) => db.all<{ parent: number; detail: string }>(`EXPLAIN QUERY PLAN ${sql}`, ...given))
    .flatMap(({ parent, detail }) => (parent === 0 && detail.includes("B-TREE") ? [detail] : []));
}

test("a search for words that many have, but not the first people of the list, ends with the last one that is wanted", () => {
  const store = newStore();
  keepSearch(stores, store);
  stores.write(store, (db) => db.run("UPDATE participant SET name = concat('Person11 ', id) WHERE id = 11500"));
  const list = { table: "participant", facets: [], from: "participant AS t", json: "t.id" };
  // Of the numbers from 100,001 on, those from 110,000 on.
  const search = searchBy("search_finds(t.name, t.email, t.external_uid, ?)");
  const filters = [{ by: { column: "id", search }, operator: "matches" as const, values: ["person11"] }];
  const page = (db: Reader) => readPage(db, list, filters, { offset: 0, limit: 3 });
  assert.deepEqual(
    stores.read(store, (db) => page(db).total),
    1001,
  );
  assert.equal(
    stores.read(store, (db) => page(db).items.toString()),
    "10000,10001,10002",
  );
  assert.deepEqual(
    stores.read(store, (db) => sortsOf(db, () => page(db))),
    [],
  );
});

const OF_ASSIGNMENT =
  "EXISTS (SELECT 1 FROM participant AS p WHERE p.id = t.participant_id AND search_finds(p.name, p.email, p.external_uid, ?))";

/** The first people of the first study in whom words are. */
function inStudy(db: Reader, words: string, offset = 0) {
  const table = "screener_participant";
  const list = { table, facets: ["screener_id"], from: `${table} AS t`, json: "t.id" };
  const search = { column: "participant_id", search: searchBy(OF_ASSIGNMENT) };
  const filters = [
    { by: { column: "screener_id" }, operator: "eq" as const, values: ["1"] },
    { by: search, operator: "matches" as const, values: [words] },
  ];
  return readPage(db, list, filters, { offset, limit: 20 });
}

/** A store of people in two studies; from one on they have the word "Later". */
function newStudies(people: number, laterFrom: number, order: string): string {
  const store = newStore(people);
  stores.write(store, (db) => {
    db.run(
      "UPDATE participant SET name = concat(name, iif(id > ?, ' Later', ''), iif(id % 7 = 0, ' Seventh', ''))",
      laterFrom,
    );
    db.run(
      "INSERT INTO screener (id, uid, created_by, created_at, updated_by, updated_at) VALUES (1, 's1', 1, '', 1, ''), (2, 's2', 1, '', 1, '')",
    );
    db.run(
      `INSERT INTO screener_participant (uid, screener_id, participant_id)
       SELECT concat('a', id), 1 + (id % 5 = 0), id FROM participant ORDER BY ${order}`,
    );
    countStudies(db);
  });
  keepSearch(stores, store);
  return store;
}

/** @param times so often each row is counted: a list that is longer is searched in another way */
function countStudies(db: Writer, times = 1): void {
  db.run("DELETE FROM screener_participant_block");
  db.run(
    `INSERT INTO screener_participant_block (screener_id, status, block, n)
     SELECT screener_id, status, id >> 10, count(*) * ? FROM screener_participant GROUP BY screener_id, status, id >> 10`,
    times,
  );
}

const ORDERS = { "as they came": "id", "the last first": "-id", "in any order": "id * 7919 % 12011" };
const WORDS = [
  "later",
  "anna later",
  "later org",
  "seventh",
  "seventh later",
  "anna example",
  "person10",
  "nobody anna",
];

/** The first people of the first study, and some of those behind them, are those whom comparing all of them finds. */
function assertAsCompared(db: Reader): void {
  for (const words of WORDS) {
    const all = db.values<number>(
      `SELECT t.id FROM screener_participant AS t WHERE t.screener_id = 1 AND ${OF_ASSIGNMENT} ORDER BY t.id`,
      words,
    );
    for (const offset of [0, 900]) {
      const { total, items } = inStudy(db, words, offset);
      const wanted = all.slice(offset, offset + 20).join();
      assert.deepEqual([total, items.toString()], [Math.min(all.length, 1001), wanted], words);
    }
  }
}

/** Most of the people who have the word "Later" go to the second study. */
function moveLater(store: string): void {
  stores.write(store, (db) => {
    db.run(
      "UPDATE screener_participant SET screener_id = 2 WHERE screener_id = 1 AND participant_id BETWEEN 4001 AND 24990",
    );
    countStudies(db);
  });
}

for (const [name, order] of Object.entries(ORDERS)) {
  test(`the first people of a study in whom words are, as comparing all of them finds them: ${name}`, () => {
    stores.read(newStudies(PEOPLE, 6000, order), assertAsCompared);
  });

  test(`the same of words that very many have: ${name}`, () => {
    const store = newStudies(25_000, 4000, order);
    stores.read(store, assertAsCompared);
    moveLater(store);
    stores.read(store, assertAsCompared);
    // As in a study with hundreds of thousands of others.
    stores.write(store, (db) => countStudies(db, 1000));
    stores.read(store, assertAsCompared);
  });

  test(`the same while the index is behind, and people have got other names: ${name}`, () => {
    const store = newStudies(25_000, 4000, order);
    moveLater(store);
    stores.write(store, (db) => {
      db.run("UPDATE participant SET name = 'Later, now' WHERE id % 1000 = 3");
      db.run("UPDATE participant SET name = 'No more' WHERE id % 1000 = 995");
      db.run(
        `INSERT INTO participant (id, uid, external_uid, email, name, created_by, created_at, updated_by, updated_at)
         SELECT id + 100000, concat('n', id), concat('n', id), NULL, 'Later Seventh', 1, '', 1, '' FROM participant WHERE id % 1000 = 7`,
      );
      db.run(
        "INSERT INTO screener_participant (uid, screener_id, participant_id) SELECT concat('a', id), 1, id FROM participant WHERE id > 100000",
      );
    });
    stores.read(store, assertAsCompared);
    stores.write(store, (db) => countStudies(db, 1000));
    stores.read(store, assertAsCompared);
  });
}

test("words that the last of very many people have are not looked for from the first one on", () => {
  const people = 25_000;
  stores.read(newStudies(people, 4000, "id"), (db) => {
    const asked = statementsOf(db, () => assert.equal(inStudy(db, "anna later").total, 1001));
    // What walks through all assignments to compare them.
    const scans = asked.filter(([sql]) =>
      db
        .all<{ detail: string }>(`EXPLAIN QUERY PLAN ${sql}`, ...Array(sql.split("?").length - 1).fill(1))
        .some(({ detail }) => detail === "SCAN t"),
    );
    assert.deepEqual(scans, []);
  });
});

test("words that very many have, but few of a study, are gathered, and not compared with all of the study", () => {
  const store = newStudies(25_000, 4000, "id");
  moveLater(store);
  stores.read(store, (db) => {
    for (const words of ["later", "anna later"]) {
      const asked = statementsOf(db, () => assert.equal(inStudy(db, words).total, 8, words));
      // The first rows are compared, up to a limit: in a subquery.
      const scans = asked.filter(([sql, ...given]) => {
        const plan = db.all<{ detail: string }>(`EXPLAIN QUERY PLAN ${sql}`, ...given).map(({ detail }) => detail);
        const isOfAll = plan.some((detail) =>
          /^(?:SCAN t$|SEARCH t USING (?:COVERING )?INDEX screener_participant_screener)/.test(detail),
        );
        return sql.includes("search_finds(p.name") && isOfAll && !plan.includes("CO-ROUTINE t");
      });
      assert.deepEqual(scans, [], words);
    }
  });
});

test("words that very many have, but few of a study, are not looked up one by one: its people are read once, from an index", () => {
  const store = newStudies(25_000, 4000, "id");
  moveLater(store);
  // As in a study of tens of thousands.
  stores.write(store, (db) => countStudies(db, 10));
  stores.read(store, (db) => {
    const read: string[] = [];
    const { value } = db;
    db.value = <Value>(sql: string, ...given: SqlValue[]) => {
      if (sql.includes("group_concat(t.participant_id)"))
        read.push(...db.all<{ detail: string }>(`EXPLAIN QUERY PLAN ${sql}`, ...given).map(({ detail }) => detail));
      return value.call(db, sql, ...given) as Value | undefined;
    };
    const asked = statementsOf(db, () => assert.equal(inStudy(db, "later").total, 8));
    db.value = value;
    assert.ok(read.length > 0);
    for (const detail of read)
      assert.ok(detail.startsWith("SEARCH t USING COVERING INDEX screener_participant_screener"), detail);
    assert.deepEqual(
      asked.filter(([sql]) => /LIMIT \?\) AS t WHERE EXISTS/.test(sql)),
      [],
      "the first 10,000 are compared",
    );
    assert.deepEqual(
      asked.filter(([sql]) => sql.includes("participant_search MATCH") && sql.includes(" AS f CROSS JOIN ")),
      [],
      "each is looked up",
    );
  });
});

test("a page far down has no long list of people go through memory", () => {
  stores.read(newStudies(PEOPLE, 6000, "id"), (db) => {
    const asked = statementsOf(db, () => assert.equal(inStudy(db, "example", 30_000).total, 1001));
    const longest = Math.max(...asked.flatMap(([, ...values]) => values.map((value) => String(value).length)));
    assert.ok(longest < 1000, `${longest} characters`);
  });
});

test("whom the index lacks is found as comparing everybody finds them: texts of all letters, and words of all letters", () => {
  const random = seeded("words of all letters");
  const draw = <Item>(items: readonly Item[]): Item => items[Math.floor(random() * items.length)]!;
  const LETTERS = [
    ..."abAB19kK",
    "ß",
    "ä",
    "a\u0308",
    "Å",
    "\u212a",
    "İ",
    "ſ",
    "Ａ",
    "é",
    "田",
    "中",
    "ж",
    "Ж",
    "\u00ad",
    "\u200d",
    "😀",
  ];
  const SIGNS = [" ", " ", ".", "@", "-", "_", "%", "'", "\\", "\u00a0", "\u007f"];
  const text = (length: number) => Array.from({ length }, () => draw(random() < 0.8 ? LETTERS : SIGNS)).join("");
  const plain = (length: number) => Array.from({ length }, () => draw([..."abAB19kK .@-_%"])).join("");
  const one = () => (random() < 0.5 ? plain(12) : text(8));
  const store = newStore(0);
  stores.write(store, (db) =>
    db.run(
      `INSERT INTO participant (uid, external_uid, email, name, created_by, created_at, updated_by, updated_at)
       SELECT concat('u', key), concat(value ->> 0, key), value ->> 1, value ->> 2, 1, '', 1, '' FROM json_each(?)`,
      JSON.stringify(
        Array.from({ length: 400 }, (_, n) => [one(), random() < 0.2 ? null : `${one()}@${n}`, draw([null, one()])]),
      ),
    ),
  );
  const search = searchBy("TRUE");
  let found = 0;
  for (let round = 0; round < 150; round++) {
    const asked = draw([plain, text])(1 + Math.floor(random() * 4));
    if (!searchedWords(asked).length) continue;
    const compared = "SELECT id FROM participant WHERE search_finds(name, email, external_uid, ?) ORDER BY id";
    const { sql, values } = foundBy(search, asked);
    const [those, all] = stores.read(store, (db) => [
      db.values<number>(sql, ...values),
      db.values<number>(compared, asked),
    ]);
    assert.deepEqual(those, all, JSON.stringify(asked));
    if (all.length && all.length < 200) found++;
  }
  assert.ok(found > 30, `${found} searches found some, but not most`);
});

test("a text has the same words, whether its signs are folded one by one or all together", () => {
  const random = seeded("signs by themselves");
  const store = newStore(0);
  const unit = () => String.fromCharCode(1 + Math.floor(random() * 0xd7fe));
  const later = () => String.fromCharCode(0xe000 + Math.floor(random() * 0x1ffe));
  const word = () => Array.from({ length: 12 }, () => (random() < 0.8 ? unit() : random() < 0.5 ? later() : "a"));
  const texts = Array.from({ length: 3000 }, () => word().join(""));
  const byThree = [..."ΝΊΚΟΣ Σ ς ẞß İı Ǆ ﬁ ﬃ ﷺ ½ Ⅷ ｶﾞ ﾞ ｱﾡ 가\u11a8 \u1100\u1161 e\u0301 \u0301e के ์ำ"];
  const words = "SELECT search_words(value, NULL, NULL) FROM json_each(?)";
  // A sign of two units is no word, and has all folded together.
  const those = [...texts, ...byThree, byThree.join("")];
  const all = those.map((text) => `${text}\u{1f600}`);
  const split = (list: string[]) =>
    stores.read(store, (db) =>
      db.values<string>(words, JSON.stringify(list)).map((one) => one.split(" ").filter(Boolean)),
    );
  assert.deepEqual(split(those), split(all));
});

test("people whom the index lacks are compared by SQLite itself, and those with other letters are found by an index", () => {
  const store = newStore(0);
  stores.read(store, (db) => {
    const { sql, values } = foundBy(searchBy("TRUE"), "fischer");
    const plan = db.all<{ detail: string }>(`EXPLAIN QUERY PLAN ${sql}`, ...values).map(({ detail }) => detail);
    assert.ok(plan.includes("SEARCH p USING INDEX participant_other_letters (<expr>=? AND rowid>?)"), plan.join("\n"));
  });
});
