// Pages and slices of a log, against a plain SELECT: whatever it is filtered by, and wherever a page is.

import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import fc from "fast-check";
import { countRows } from "../../db/list/counts.ts";
import type { Filter } from "../../db/list/where.ts";
import { type Reader, Writer } from "../../db/sqlite/connection.ts";
import { Workspaces } from "../../db/workspaces.ts";
import type { FilterRule } from "../../src/base/members.ts";
import { deleteEvents } from "../../src/events/queries.ts";
import { countedEvents } from "../../src/events/record.ts";
import { eventList } from "../../src/events/resource.ts";
import type { EventType } from "../../src/events/types.ts";
import { assertCounts } from "../support/counts.ts";

const ROWS = 30_000;
/** The first ones expire. */
const EXPIRED = 5_000;
const START = Date.UTC(2026, 0, 1);
const TYPES: EventType[] = ["participant.created", "participant.updated", "screener.updated", "api-key.rotated"];
/** A resource that has many events, and a session that has done many. */
const [MUCH, SESSION] = [randomUUID(), randomUUID()];
const ACTORS = Array.from({ length: 4 }, () => randomUUID());
const JOBS = Array.from({ length: 50 }, () => randomUUID());

const folder = mkdtempSync(join(tmpdir(), "screening-"));
const stores = new Workspaces(folder, { busyTimeoutMs: 5000, checkpoints: true, onStale: "migrate" });
const store = randomUUID();

before(() => {
  stores.create(store);
  stores.write(store, (db) => {
    ACTORS.forEach((uid, index) => {
      db.run("INSERT INTO actor (id, type, uid, name) VALUES (?, 'ApplicationActor', ?, 'Test')", index + 1, uid);
    });
    // Times stand still for some rows, and leap for others. One type is rare, and comes in one run of rows only.
    let time = START;
    const rows = Array.from({ length: ROWS }, (_, index) => {
      const at = (n: number) => (Math.imul(index + 1, 0x85ebca6b + n) >>> 8) % 97;
      if (at(1) > 60) time += at(2) > 90 ? 5_000_000 : at(3);
      const actor = at(5) % 5;
      return [
        index + 1,
        randomUUID(),
        index >= 17_000 && index < 17_040 ? TYPES[3] : TYPES[at(4) % 3],
        time,
        actor,
        actor ? (at(6) < 40 ? MUCH : randomUUID()) : SESSION,
        at(7) < 5 ? JOBS[index % JOBS.length]! : null,
      ];
    });
    db.run(
      `INSERT INTO event (id, uid, type, created_at, actor_id, resource_type, resource_uid, job_uid)
       SELECT value ->> 0, value ->> 1, value ->> 2, value ->> 3, value ->> 4, 'Test', value ->> 5, value ->> 6 FROM json_each(?)`,
      JSON.stringify(rows),
    );
    countRows(db, countedEvents, "main", "TRUE", [], 1);
    const end = db.value<number>("SELECT created_at FROM event WHERE id = ?", EXPIRED)!;
    while (deleteEvents(db, end));
  });
});
after(() => {
  stores.close();
  rmSync(folder, { recursive: true, force: true });
});

const read = <T>(look: (db: Reader) => T): T => stores.read(store, look);

/** What a filter means, for a plain SELECT. */
const MEANING: Record<string, string> = {
  type: "type",
  createdAt: "created_at",
  actorId: "coalesce((SELECT uid FROM actor WHERE actor.id = actor_id), resource_uid)",
  resourceId: "resource_uid",
  jobId: "coalesce(job_uid, '')",
};
const SIGNS: Partial<Record<Filter["operator"], string>> = { eq: "IN", in: "IN", ne: "NOT IN", nin: "NOT IN" };

interface Asked {
  field: string;
  operator: Filter["operator"];
  values: string[];
}

function naive(db: Reader, asked: readonly Asked[]): string[] {
  const where = asked.map(({ field, operator, values }) =>
    operator === "gte" || operator === "lt"
      ? `created_at ${operator === "gte" ? ">=" : "<"} ${Number(values[0])}`
      : `${MEANING[field]} ${SIGNS[operator]} (SELECT value FROM json_each('${JSON.stringify(values)}'))`,
  );
  return db.values<string>(`SELECT uid FROM event NOT INDEXED WHERE ${["TRUE", ...where].join(" AND ")} ORDER BY id`);
}

const filtersOf = (asked: readonly Asked[]): Filter[] =>
  asked.map(({ field, operator, values }) => {
    const { by, operators } = eventList.filters[field] as FilterRule;
    assert.ok(operators.includes(operator), `${field} ${operator}`);
    return { by, operator, values };
  });

const idsOf = (items: readonly string[]): string[] => items.map((json) => JSON.parse(json).id);

const one = <T>(...values: T[]) => fc.constantFrom(...values);
const time = fc.oneof(
  // Times of rows, their neighbours, and times before and after all.
  fc
    .tuple(fc.integer({ min: 1, max: ROWS }), fc.integer({ min: -1, max: 1 }))
    .map(([id, more]) =>
      String(
        (read((db) => db.value<number>("SELECT created_at FROM event WHERE id >= ? ORDER BY id", id)) ?? START) + more,
      ),
    ),
  one(String(START - 1), String(START + 1e12)),
);
const maybe = (arbitrary: fc.Arbitrary<Asked>) => fc.option(arbitrary, { nil: undefined, freq: 2 });
const filters: fc.Arbitrary<Asked[]> = fc
  .tuple(
    maybe(
      fc
        .record({
          field: one("type"),
          operator: one<Filter["operator"]>("eq", "ne", "in", "nin"),
          values: fc.uniqueArray(one<string>(...TYPES), { minLength: 0, maxLength: 3 }),
        })
        .map((asked) => ({
          ...asked,
          values: /n$/.test(asked.operator) ? asked.values : [asked.values[0] ?? TYPES[3]!],
        })),
    ),
    maybe(time.map((value) => ({ field: "createdAt", operator: "gte", values: [value] }))),
    maybe(time.map((value) => ({ field: "createdAt", operator: "lt", values: [value] }))),
    maybe(one(...ACTORS, SESSION, randomUUID()).map((uid) => ({ field: "actorId", operator: "eq", values: [uid] }))),
    fc.option(
      fc.oneof(
        fc
          .uniqueArray(one(MUCH, SESSION, randomUUID()), { maxLength: 2 })
          .map((values) => ({ field: "resourceId", operator: "in" as const, values })),
        fc
          .integer({ min: 0, max: 49 })
          .map((index) => ({ field: "jobId", operator: "eq" as const, values: [JOBS[index]!] })),
      ),
      { nil: undefined, freq: 1 },
    ),
  )
  .map((all) => all.filter((asked) => asked !== undefined));

test("the counts of a log are right after its first rows have expired", () => {
  read((db) => {
    assert.ok(db.value<number>("SELECT min(id) FROM event")! > 4000);
    assertCounts(db);
  });
});

test("a page has the rows that a plain SELECT has, and the right total", () => {
  fc.assert(
    fc.property(filters, fc.double({ min: 0, max: 1.05, noNaN: true }), one(1, 3, 100, 500), (asked, part, limit) => {
      read((db) => {
        const all = naive(db, asked);
        const offset = Math.floor(all.length * part);
        const { total, items } = eventList.page(db, filtersOf(asked), { offset, limit });
        assert.equal(total, all.length);
        assert.deepEqual(
          JSON.parse(`[${Buffer.from(items)}]`).map(({ id }: { id: string }) => id),
          all.slice(offset, offset + limit),
        );
      });
    }),
    { numRuns: Number(process.env.RANDOM_RUNS ?? 400) },
  );
});

test("the slices of a log together are what a plain SELECT has", () => {
  fc.assert(
    fc.property(filters, (asked) => {
      const slices = read((db) => eventList.slices(db, filtersOf(asked)));
      const all: string[] = [];
      for (;;) {
        const items = read((db) => slices.next(db));
        if (!items) break;
        assert.ok(items.length <= 500);
        all.push(...idsOf(items));
      }
      assert.deepEqual(
        all,
        read((db) => naive(db, asked)),
      );
    }),
    { numRuns: Number(process.env.RANDOM_RUNS ?? 100) },
  );
});

test("a resource with very many events is read in a thread, one with few is not", () => {
  const isLong = (...asked: Asked[]) =>
    read((db) => eventList.longRead!(db, filtersOf(asked), { offset: 0, limit: 100 })) !== undefined;
  assert.equal(isLong({ field: "resourceId", operator: "eq", values: [MUCH] }), true);
  assert.equal(isLong({ field: "actorId", operator: "eq", values: [SESSION] }), true);
  assert.equal(isLong({ field: "resourceId", operator: "eq", values: [randomUUID()] }), false);
  assert.equal(isLong({ field: "jobId", operator: "eq", values: [JOBS[0]!] }), false);
  assert.equal(isLong({ field: "actorId", operator: "eq", values: [ACTORS[0]!] }), false);
});

test("an empty log has an empty page", () => {
  const empty = randomUUID();
  stores.create(empty);
  stores.read(empty, (db) => {
    assert.equal(db instanceof Writer, false);
    for (const asked of [[], [{ field: "createdAt", operator: "gte" as const, values: ["0"] }]])
      assert.deepEqual(eventList.page(db, filtersOf(asked), { offset: 0, limit: 100 }).total, 0);
    assert.equal(
      eventList.page(db, filtersOf([{ field: "type", operator: "eq", values: [TYPES[0]!] }]), { offset: 0, limit: 1 })
        .total,
      0,
    );
  });
});
