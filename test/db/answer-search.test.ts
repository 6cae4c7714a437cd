// The index of the search in answers: a search finds the same with it and without, and nothing of what was removed is left in it.

import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { test } from "node:test";
import { findAnswersWith, isBehind, keepAnswerSearch } from "../../db/answer-search.ts";
import { wipeWorkspace } from "../../db/wipe.ts";
import { Workspaces } from "../../db/workspaces.ts";
import { eraseRows } from "../../src/screening/erase.ts";
import { findBytes } from "../support/bytes.ts";
import { newFolder } from "../support/folder.ts";
import { seeded } from "../support/seeded.ts";

const SESSIONS = 6000;
const QUESTION = 1;

/** A word that nobody else has written: it differs from others at its beginning, or at its end. */
const word = (id: number) =>
  id % 2 ? `${((id * 7919) % 99_991).toString(36)}wort${id}x` : `kindergarten${100_000 + id}`;

/** A store in which each session has answered one question with a text; every tenth has skipped it. */
function newStore() {
  const folder = newFolder();
  const stores = new Workspaces(folder, { busyTimeoutMs: 5000, checkpoints: true, onStale: "migrate" });
  const id = randomUUID();
  stores.create(id);
  stores.write(id, (db) => {
    db.exec("PRAGMA defer_foreign_keys = ON");
    db.exec(`
      INSERT OR IGNORE INTO actor (id, type, uid, name) VALUES (1, 'a', 'a', 'a');
      INSERT OR IGNORE INTO tag_set (id, json) VALUES (1, '[]');
      INSERT INTO screener (id, uid, created_by, created_at, updated_by, updated_at) VALUES (1, 's', 1, '', 1, '');
      INSERT INTO screener_publication (id, uid, screener_id, version, status, tag_set_id, created_by, created_at, updated_by, updated_at)
        VALUES (1, 'p', 1, 1, 'ACTIVE', 1, 1, '', 1, '');
      INSERT INTO publication_question (id, screener_publication_id, place, uid, page_uid, type, prompt)
        VALUES (${QUESTION}, 1, 0, 'q', 'q', 'ScreenerTextQuestion', 'Why?');`);
    const rows = JSON.stringify(
      Array.from({ length: SESSIONS }, (_, index) => [index + 1, index % 10 ? `Grund Nr. ${word(index + 1)}` : null]),
    );
    db.run(
      `INSERT INTO participant (id, uid, external_uid, created_by, created_at, updated_by, updated_at)
       SELECT value ->> 0, concat('u', value ->> 0), concat('e', value ->> 0), 1, '', 1, '' FROM json_each(?)`,
      rows,
    );
    db.run(
      `INSERT INTO screener_session (id, uid, slug, screener_id, screener_participant_uid, participant_id, screener_publication_id, tag_set_id, created_at)
       SELECT value ->> 0, concat('z', value ->> 0), concat('z', value ->> 0), 1, '', value ->> 0, 1, 1, '' FROM json_each(?)`,
      rows,
    );
    db.run(
      `INSERT INTO screener_response (id, screener_id, screener_publication_id, screener_session_id, publication_question_id, answer)
       SELECT (value ->> 0) << 12, 1, 1, value ->> 0, ${QUESTION}, json_quote(value ->> 1) FROM json_each(?)`,
      rows,
    );
  });
  const found = (asked: string) =>
    stores.read(id, (db) => findAnswersWith(db, QUESTION, asked).map((one) => one >> 12)).sort((a, b) => a - b);
  return { folder, stores, store: id, found };
}

test("a search finds the same before, while and after the index has the answers, and after answers were changed and removed", () => {
  const { stores, store, found } = newStore();
  const expected = Array.from({ length: SESSIONS }, (_, index) => index + 1).filter((id) => id % 10 !== 1);
  assert.deepEqual(found("grund"), expected);
  assert.deepEqual(found(word(12)), [12]);
  assert.equal(
    stores.read(store, (db) => isBehind(db, QUESTION)),
    true,
  );
  keepAnswerSearch(stores, store, [QUESTION]);
  assert.equal(
    stores.read(store, (db) => isBehind(db, QUESTION)),
    false,
  );
  assert.deepEqual(found("GRUND"), expected);
  assert.deepEqual(found(word(12)), [12]);
  stores.write(store, (db) => {
    db.run("UPDATE screener_response SET answer = '\"Anders\"' WHERE id = 12 << 12");
    db.run("DELETE FROM screener_response WHERE id = 13 << 12");
    // Hidden, and answered again.
    db.run(
      "INSERT INTO screener_response (id, screener_id, screener_publication_id, screener_session_id, publication_question_id, answer) VALUES (13 << 12, 1, 1, 13, 1, '\"Neu\"')",
    );
    db.run("DELETE FROM screener_response WHERE id = 14 << 12");
  });
  for (let round = 0; round < 2; round++) {
    assert.deepEqual(found(word(12)), []);
    assert.deepEqual([found("anders"), found("neu")], [[12], [13]]);
    assert.deepEqual(
      found("grund"),
      expected.filter((id) => id < 12 || id > 14),
    );
    keepAnswerSearch(stores, store, [QUESTION]);
  }
});

test("no word of an answer that was erased or removed is left: of few, of many, and of those that begin the index's pages", () => {
  const { folder, stores, store, found } = newStore();
  keepAnswerSearch(stores, store, [QUESTION]);
  const random = seeded("erased from the index of answers");
  const first = stores.read(store, (db) =>
    db.values<string>("SELECT substr(CAST(term AS TEXT), 2) FROM answer_search_idx WHERE length(term) > 6"),
  );
  const all = Array.from({ length: 3000 }, (_, index) => index + 1).filter((id) => id % 10 !== 1);
  const beginning = all.filter((id) => first.some((term) => word(id).startsWith(term))).slice(0, 30);
  assert.ok(beginning.length > 2, `${beginning.length} begin pages`);
  const erased = new Set([...beginning, ...Array.from({ length: 30 }, () => all[Math.floor(random() * all.length)]!)]);
  for (const id of erased) stores.write(store, (db) => eraseRows(db, id));
  wipeWorkspace(stores, store, false);
  assert.deepEqual(findBytes(folder, [...erased].map(word)), []);
  // As retention does.
  stores.write(store, (db) => db.run("DELETE FROM screener_response WHERE screener_session_id BETWEEN 3001 AND 4000"));
  wipeWorkspace(stores, store, false);
  const removed = Array.from({ length: 1000 }, (_, index) => word(index + 3001));
  assert.deepEqual(findBytes(folder, removed), []);
  assert.ok(findBytes(folder, [word(5002)]).length > 0, "others stay");
  assert.deepEqual(found(word(5002)), [5002]);
  assert.deepEqual(
    stores.read(store, (db) => db.values("PRAGMA integrity_check")),
    ["ok"],
  );
});
