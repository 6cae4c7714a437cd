// What has changed since a moment is found by indexes where it is little: the same rows that looking at all of them finds.

import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { test } from "node:test";
import { isLongRead } from "../../db/list/list.ts";
import { type Filter, splitScans, whereWithScans } from "../../db/list/where.ts";
import type { Reader } from "../../db/sqlite/connection.ts";
import { Workspaces } from "../../db/workspaces.ts";
import { assignmentList, countedAssignments } from "../../src/nouns/screener-participants/resource.ts";
import { sessionList } from "../../src/nouns/sessions/resource.ts";
import { newFolder } from "../support/folder.ts";
import { seeded } from "../support/seeded.ts";

const stores = new Workspaces(newFolder(), { busyTimeoutMs: 5000, checkpoints: true, onStale: "migrate" });
const ASSIGNMENTS = 14_000;
const FIRST = Date.parse("2026-03-01T00:00:00.000Z");
const SPAN_MS = 10_000_000;

const LISTS = {
  screener_participant: assignmentList.filters,
  screener_session: sessionList.filters,
};

type Table = keyof typeof LISTS;

/** Assignments, sessions of half of them, and changes of some of both, each at a time by chance. */
const store = randomUUID();
stores.create(store);
stores.write(store, (db) => {
  const random = seeded("changes");
  const at = () => FIRST + Math.floor(random() * SPAN_MS);
  const iso = (one: number, share = 1) => (random() < share ? new Date(one).toISOString() : null);
  const of = Array.from({ length: ASSIGNMENTS }, (_, index) => index + 1);
  const people = JSON.stringify(of);
  db.run(
    "INSERT INTO screener (id, uid, created_by, created_at, updated_by, updated_at) VALUES (1, 's', 1, '', 1, '')",
  );
  db.run(
    `INSERT INTO screener_publication (id, uid, screener_id, version, status, tag_set_id, created_by, created_at, updated_by, updated_at)
     VALUES (1, 'v', 1, 1, 'ACTIVE', 1, 1, '', 1, '')`,
  );
  db.run(
    `INSERT INTO participant (id, uid, external_uid, name, created_by, created_at, updated_by, updated_at)
     SELECT value, concat('u', value), concat('e', value), '', 1, '', 1, '' FROM json_each(?)`,
    people,
  );
  const rows = of.map((id) => [id, at(), iso(at(), 0.1), iso(at()), iso(at(), 0.5), iso(at(), 0.1)]);
  db.run(
    `INSERT INTO screener_participant (id, uid, screener_id, participant_id, changed_at)
     SELECT value ->> 0, printf('%08x-%04x-7000-8000-%012x', (value ->> 1) >> 16, (value ->> 1) & 0xffff, value ->> 0), 1, value ->> 0, value ->> 2
     FROM json_each(?)`,
    JSON.stringify(rows),
  );
  db.run(
    `INSERT INTO screener_session (id, uid, slug, screener_id, screener_participant_uid, participant_id, screener_publication_id, tag_set_id,
       created_at, last_active_at, changed_at)
     SELECT value ->> 0, concat('c', value ->> 0), concat('l', value ->> 0), 1, '', value ->> 0, 1, 1, value ->> 3, value ->> 4, value ->> 5
     FROM json_each(?)`,
    JSON.stringify(rows.filter(([id]) => Number(id) % 2)),
  );
  db.run(
    "INSERT INTO screener_participant_part (screener_id, status, part, n) VALUES (1, 'NOT_STARTED', 0, ?)",
    ASSIGNMENTS,
  );
  db.run("UPDATE screener_participant SET current_session_id = id WHERE id % 2");
});

function since(table: Table, field: string, at: number): Filter {
  const rule = LISTS[table][field];
  assert.ok(rule && "by" in rule);
  return { by: rule.by, operator: "gte", values: [new Date(at).toISOString()] };
}

function askedFor(db: Reader, table: Table, filters: readonly Filter[]) {
  const split = splitScans(db, filters);
  const { sql, values } = whereWithScans(split);
  const asked = `SELECT t.id FROM ${table} AS t WHERE ${sql} ORDER BY t.id`;
  const plan = db.all<{ detail: string }>(`EXPLAIN QUERY PLAN ${asked}`, ...values).map(({ detail }) => detail);
  return { ids: db.values<number>(asked, ...values), isScan: split.scans.length > 0, plan };
}

/** The same without what finds it by indexes. */
function byScan({ by, ...filter }: Filter): Filter {
  assert.ok(by.scan && "value" in by.scan && by.scan.since !== undefined);
  return { ...filter, by: { ...by, scan: { value: by.scan.value } } };
}

test("what indexes find is what looking at each row finds, and no row but those is looked at", () => {
  const random = seeded("moments");
  stores.read(store, (db) => {
    let few = 0;
    for (const [table, field] of [
      ["screener_participant", "updatedAt"],
      ["screener_participant", "createdAt"],
      ["screener_session", "updatedAt"],
    ] as const)
      for (let round = 0; round < 40; round++) {
        // More often the last moments; and some before and after all.
        const filter = since(table, field, FIRST + Math.floor(SPAN_MS * (1.05 - 1.2 * random() ** 3)));
        const { ids, isScan, plan } = askedFor(db, table, [filter]);
        const expected = askedFor(db, table, [byScan(filter)]);
        assert.ok(expected.isScan);
        assert.deepEqual(ids, expected.ids, `${table} ${field} ${filter.values}`);
        if (isScan) assert.ok(ids.length > 2000, "few are found by indexes");
        else {
          few++;
          assert.ok(ids.length <= 5000);
          assert.deepEqual(
            plan.filter((detail) => /^SCAN [a-z]/.test(detail)),
            [],
          );
        }
      }
    assert.ok(few > 40 && few < 119, `${few}`);
  });
});

test("a moment of which an assignment or a session is, is not before it", () => {
  stores.read(store, (db) => {
    const [newest] = db.values<number>(
      "SELECT max(('0x' || substr(uid, 1, 8) || substr(uid, 10, 4)) ->> '$') FROM screener_participant",
    );
    const found = (at: number) =>
      askedFor(db, "screener_participant", [since("screener_participant", "createdAt", at)]);
    assert.equal(found(newest!).ids.length, 1);
    assert.equal(found(newest! + 1).ids.length, 0);
    assert.equal(found(Date.parse("1950-01-01T00:00:00Z")).ids.length, ASSIGNMENTS);
  });
});

test("however few they are, of a long list they are read in a thread", () => {
  stores.read(store, (db) => {
    const filter = since("screener_participant", "updatedAt", FIRST + SPAN_MS);
    assert.ok(isLongRead(db, countedAssignments, [filter], { offset: 0, limit: 100 }));
  });
});
