// Pages of lists with many rows: what they have, and where they are read.

import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import fc from "fast-check";
import { countRows } from "../../db/list/counts.ts";
import { readPage } from "../../db/list/list.ts";
import type { Filter } from "../../db/list/where.ts";
import { Workspaces } from "../../db/workspaces.ts";
import { newId } from "../../src/base/ids.ts";
import { participantList } from "../../src/nouns/participants/resource.ts";
import { assignmentList, countedAssignments } from "../../src/nouns/screener-participants/resource.ts";
import { assertCounts } from "../support/counts.ts";
import { addPeople, numbers } from "../support/rows.ts";
import { statementsOf } from "../support/statements.ts";

const STATUSES = ["QUALIFIED", "NOT_STARTED"];
/** Rowids. */
const SCREENERS = ["1", "2", "3"];

const folder = mkdtempSync(join(tmpdir(), "screening-"));
const stores = new Workspaces(folder, { busyTimeoutMs: 5000, checkpoints: true, onStale: "migrate" });
const screeners = [newId(), newId(), newId()];

after(() => {
  stores.close();
  rmSync(folder, { recursive: true, force: true });
});

test("a page of people in an order that an index has is read from it, and nothing is sorted", () => {
  const store = randomUUID();
  stores.create(store);
  stores.read(store, (db) => {
    for (const by of ["t.external_uid", "t.email", "t.name COLLATE NOCASE"])
      for (const isDescending of [false, true]) {
        const page = { offset: 25, limit: 25 };
        const list = { table: "participant", facets: [], from: "participant AS t", json: "t.uid" };
        const plans = statementsOf(db, () => readPage(db, list, [], page, [], { by, isDescending })).map(
          ([sql, ...values]) => JSON.stringify(db.all(`EXPLAIN QUERY PLAN ${sql}`, ...values)),
        );
        assert.ok(plans.some((plan) => plan.includes("USING COVERING INDEX participant_")));
        assert.deepEqual(
          plans.filter((plan) => plan.includes("B-TREE")),
          [],
          `${by} ${isDescending}`,
        );
      }
  });
});

test("a page of rare rows is read in a thread if it passes many others, and so is one of many named rows", () => {
  const large = randomUUID();
  stores.create(large);
  stores.write(large, (db) => {
    // A row in a thousand is rare. One screener has its rows beside each other.
    const counts = Array.from({ length: 400 }, (_, block) => [
      { screener: block === 7 ? 2 : 1, status: "NOT_STARTED", block, n: 1000 },
      { screener: 1, status: "QUALIFIED", block, n: 1 },
    ]).flat();
    db.run(
      `INSERT INTO screener_participant_block (screener_id, status, block, n)
       SELECT value ->> 'screener', value ->> 'status', value ->> 'block', value ->> 'n' FROM json_each(?)`,
      JSON.stringify(counts),
    );
    const isLong = (limit: number, filter: Omit<Filter, "by">, column = "status") =>
      assignmentList.longRead!(db, [{ by: { column }, ...filter }], { offset: 0, limit }) !== undefined;
    const rare: Omit<Filter, "by"> = { operator: "eq", values: ["QUALIFIED"] };
    assert.equal(isLong(500, rare), true);
    assert.equal(isLong(20, rare), false);
    assert.equal(isLong(500, { operator: "ne", values: ["NOT_STARTED"] }), true);
    assert.equal(isLong(500, { operator: "eq", values: ["NOT_STARTED"] }), false);
    assert.equal(isLong(500, { operator: "eq", values: ["2"] }, "screener_id"), false);
    const uids = Array.from({ length: 500 }, () => newId());
    assert.equal(isLong(500, { operator: "in", values: uids }, "uid"), true);
    assert.equal(isLong(500, { operator: "in", values: uids.slice(0, 20) }, "uid"), false);
    assert.equal(isLong(500, { operator: "nin", values: uids }, "uid"), false);
  });
  // A small workspace has little to pass.
  const small = randomUUID();
  stores.create(small);
  const named: Filter = { by: { column: "uid" }, operator: "in", values: Array.from({ length: 500 }, () => newId()) };
  const page = { offset: 0, limit: 500 };
  assert.equal(
    stores.read(small, (db) => assignmentList.longRead!(db, [named], page)),
    undefined,
  );
});

test("a page of a beginning that many have is read in a thread, and is that of a plain SELECT", () => {
  const store = randomUUID();
  stores.create(store);
  const startsWith = (value: string): Filter[] => [
    { by: { column: "external_uid" }, operator: "startsWith", values: [value] },
  ];
  stores.write(store, (db) => {
    addPeople(db, screeners, 6000);
    const page = { offset: 100, limit: 3 };
    const isLong = (value: string) => participantList.longRead!(db, startsWith(value), page) !== undefined;
    assert.deepEqual([isLong("P-"), isLong("P-5")], [true, false]);
    for (const value of ["P-", "P-5"]) {
      const { total, items } = participantList.page(db, startsWith(value), page);
      const all = db.values<string>(
        "SELECT external_uid FROM participant WHERE substr(external_uid, 1, ?) = ? ORDER BY id",
        value.length,
        value,
      );
      assert.equal(total, all.length);
      const shown = JSON.parse(`[${Buffer.from(items)}]`).map((one: { externalUid: string }) => one.externalUid);
      assert.deepEqual(shown, all.slice(100, 103));
    }
  });
});

test("pages of rows that lie far apart are those of a plain SELECT, wherever they are", () => {
  const wide = randomUUID();
  stores.create(wide);
  stores.write(wide, (db) => {
    addPeople(db, screeners, 4000);
    db.run(
      `${numbers(4000)} INSERT INTO screener_participant (id, uid, screener_id, participant_id, status)
       SELECT i * 170 + (i * i) % 90, 'a' || i, 1 + (i / 900) % 3, i, iif(i % 37 = 5, 'QUALIFIED', 'NOT_STARTED') FROM n`,
    );
    countRows(db, countedAssignments, "main", "TRUE", [], 1);
    assertCounts(db);
  });
  const list = { ...countedAssignments, from: "screener_participant AS t", json: "json_quote(t.uid)" };
  const chosen = fc.record({
    statuses: fc.subarray(STATUSES),
    of: fc.subarray(SCREENERS),
    without: fc.uniqueArray(fc.nat({ max: 4000 }), { maxLength: 30 }),
    offset: fc.nat({ max: 4100 }),
    limit: fc.integer({ min: 1, max: 500 }),
  });
  fc.assert(
    fc.property(chosen, ({ statuses, of, without, offset, limit }) => {
      const filters: Filter[] = [
        { by: { column: "status" }, operator: "in", values: statuses },
        { by: { column: "screener_id" }, operator: "in", values: of },
        { by: { column: "uid" }, operator: "nin", values: without.map((n) => `a${n}`) },
      ];
      const given = filters.filter(({ values }) => values.length);
      const { total, items } = stores.read(wide, (db) => readPage(db, list, given, { offset, limit }));
      const named = stores.read(wide, (db) =>
        db.values<string>(
          `SELECT uid FROM screener_participant WHERE status IN (SELECT value FROM json_each(?))
             AND screener_id IN (SELECT value FROM json_each(?))
             AND uid NOT IN (SELECT value FROM json_each(?)) ORDER BY id`,
          JSON.stringify(statuses.length ? statuses : STATUSES),
          JSON.stringify((of.length ? of : SCREENERS).map(Number)),
          JSON.stringify(without.map((n) => `a${n}`)),
        ),
      );
      assert.equal(total, named.length);
      assert.deepEqual(JSON.parse(`[${Buffer.from(items)}]`), named.slice(offset, offset + limit));
    }),
    { numRuns: Number(process.env.RANDOM_RUNS ?? 200) },
  );
  // What is removed leaves no count.
  stores.write(wide, (db) => {
    countRows(db, countedAssignments, "main", "t.screener_id = 2", [], -1);
    db.run("DELETE FROM screener_participant WHERE screener_id = 2");
    db.run("DELETE FROM screener_participant_block WHERE screener_id = 2");
    assert.deepEqual(db.values("SELECT DISTINCT screener_id FROM screener_participant_part ORDER BY 1"), [1, 3]);
    assertCounts(db);
  });
});
