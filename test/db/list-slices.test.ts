// Slices of a list: together they are the list, whatever changes between two of them.

import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { countRow, countRows } from "../../db/list/counts.ts";
import type { Slices } from "../../db/list/slices.ts";
import type { Filter } from "../../db/list/where.ts";
import type { Reader } from "../../db/sqlite/connection.ts";
import { Workspaces } from "../../db/workspaces.ts";
import { newId } from "../../src/base/ids.ts";
import { deleteAssignment, getAssignment, updateAssignment } from "../../src/nouns/screener-participants/queries.ts";
import { assignment, assignmentList, countedAssignments } from "../../src/nouns/screener-participants/resource.ts";
import { addPeople, numbers } from "../support/rows.ts";

const ROWS = 12_000;

const folder = mkdtempSync(join(tmpdir(), "screening-"));
const stores = new Workspaces(folder, { busyTimeoutMs: 5000, checkpoints: true, onStale: "migrate" });
const store = randomUUID();
const screeners = [newId(), newId(), newId()];

before(() => {
  stores.create(store);
  stores.write(store, (db) => {
    addPeople(db, screeners, ROWS);
    // Two screeners side by side, the third one far apart; half of the rowids are not there.
    db.run(
      `${numbers(ROWS)} INSERT INTO screener_participant (id, uid, screener_id, participant_id, status)
       SELECT i * 2, 'a' || i, iif(i % 1500 = 7, 3, 1 + (i / 700) % 2), i,
         CASE WHEN i % 4000 = 9 THEN 'QUALIFIED' WHEN i % 3 = 0 THEN 'IN_PROGRESS' ELSE 'NOT_STARTED' END FROM n`,
    );
    countRows(db, countedAssignments, "main", "TRUE", [], 1);
  });
});
after(() => {
  stores.close();
  rmSync(folder, { recursive: true, force: true });
});

const uidOf = (json: string): string => JSON.parse(json).id;

/** What the pages have. */
function pages(filters: Filter[]): string[] {
  return stores.read(store, (db) => {
    const all: string[] = [];
    for (;;) {
      const { total, items } = assignmentList.page(db, filters, { offset: all.length, limit: 500 });
      const found = JSON.parse(`[${Buffer.from(items)}]`) as { id: string }[];
      all.push(...found.map(({ id }) => id));
      if (!found.length) {
        assert.equal(all.length, total);
        return all;
      }
    }
  });
}

const open = (filters: Filter[]) => stores.read(store, (db) => assignmentList.slices(db, filters));

/** What the slices have; `between` happens after each. */
function slices(of: Slices, between: (slice: string[]) => void = () => {}): string[] {
  const all: string[] = [];
  for (;;) {
    const items = stores.read(store, (db: Reader) => of.next(db));
    if (!items) return all;
    assert.ok(items.length <= 500);
    const uids = items.map(uidOf);
    all.push(...uids);
    between(uids);
  }
}

type Field = "screenerId" | "participantId" | "externalParticipantUid" | "status";

const filter = (field: Field, operator: Filter["operator"], ...values: string[]): Filter => ({
  by: assignment.members[field].filter.by,
  operator,
  values,
});
const manyUids = (count: number) => Array.from({ length: count }, (_, index) => `P-${index * 3}`);

const cases: Record<string, Filter[]> = {
  everything: [],
  "one screener": [filter("screenerId", "eq", screeners[0]!)],
  "a screener whose rows are far apart": [filter("screenerId", "eq", screeners[2]!)],
  "two screeners": [filter("screenerId", "in", screeners[0]!, screeners[2]!)],
  "all but a screener": [filter("screenerId", "ne", screeners[1]!)],
  "a status that few have": [filter("status", "eq", "QUALIFIED")],
  "a status that none has": [filter("status", "eq", "UNKNOWN")],
  "a screener and a status": [filter("screenerId", "eq", screeners[1]!), filter("status", "nin", "NOT_STARTED")],
  "an unknown screener": [filter("screenerId", "eq", newId())],
  "no screener": [filter("screenerId", "in")],
  "one participant": [filter("externalParticipantUid", "eq", "P-4711")],
  "some participants": [filter("externalParticipantUid", "in", "P-9000", "P-3", "P-4711", "nobody")],
  "many participants": [filter("externalParticipantUid", "in", ...manyUids(1800))],
  "more participants than are kept as ids": [filter("externalParticipantUid", "in", ...people(5500))],
  "all but some participants": [filter("externalParticipantUid", "nin", "P-1", "P-500", "P-12000")],
  "participants of a screener, but one": [
    filter("externalParticipantUid", "in", ...manyUids(1800)),
    filter("screenerId", "eq", screeners[1]!),
    filter("participantId", "ne", "p3"),
  ],
};

function people(count: number): string[] {
  return Array.from({ length: count }, (_, index) => `P-${ROWS - index}`);
}

for (const [name, filters] of Object.entries(cases)) {
  test(`the slices are the list: ${name}`, () => {
    assert.deepEqual(slices(open(filters)), pages(filters));
  });
}

test("rows that are added meanwhile are left out, so that the list ends", () => {
  const expected = pages([]);
  let next = ROWS * 2;
  const got = slices(open([]), () => {
    stores.write(store, (db) => {
      for (let i = 0; i < 600; i++) {
        next++;
        db.run(
          `INSERT INTO participant (id, uid, external_uid, email, name, created_by, created_at, updated_by, updated_at)
           VALUES (?, ?, ?, NULL, 'N', 1, '', 1, '')`,
          next,
          `p${next}`,
          `N-${next}`,
        );
        db.run(
          "INSERT INTO screener_participant (id, uid, screener_id, participant_id) VALUES (?, ?, 1, ?)",
          next,
          `n${next}`,
          next,
        );
        countRow(db, countedAssignments, next, { screener_id: 1, status: "NOT_STARTED" }, 1);
      }
    });
  });
  assert.deepEqual(got, expected);
});

test("rows that are removed meanwhile are left out, rows that change are shown as they are then, and none comes twice", () => {
  const filters = [filter("screenerId", "eq", screeners[0]!), filter("status", "eq", "NOT_STARTED")];
  const expected = pages(filters);
  const positions = new Map(expected.map((uid, position) => [uid, position]));
  const gone = new Set<string>();
  const got = slices(open(filters), (slice) => {
    const last = positions.get(slice.at(-1)!)!;
    // One goes that was given; of those ahead, one goes and one changes.
    const [given, next, later] = [expected[last - 1]!, expected[last + 1], expected[last + 700]];
    stores.write(store, (db) => {
      deleteAssignment(db, getAssignment(db, given));
      if (next) deleteAssignment(db, getAssignment(db, next));
      if (later) updateAssignment(db, getAssignment(db, later), { status: "IN_PROGRESS", currentSessionId: null });
    });
    for (const uid of [next, later]) if (uid) gone.add(uid);
  });
  assert.ok(gone.size > 10);
  assert.deepEqual(
    got,
    expected.filter((uid) => !gone.has(uid)),
  );
});
