// What all lists share: pages, filters, order and totals.

import assert from "node:assert/strict";
import { test } from "node:test";
import { getAssignment, updateAssignment } from "../../src/nouns/screener-participants/queries.ts";
import { tidyStores } from "../../src/upkeep/housekeeping.ts";
import { type Client, people, UNKNOWN } from "../support/client.ts";
import { startService } from "../support/service.ts";
import { seeded, writeTo } from "../support/store.ts";
import { until } from "../support/until.ts";

/** Every list, with its items' `_type` and the filters that it takes. */
interface List {
  path: string;
  type: string;
  filters: Record<string, { operators: string[]; good: string[]; bad: string[] }>;
}

const all = ["eq", "ne", "in", "nin"];
const every = [...all, "startsWith"];
const uuids = (operators = all) => ({ operators, good: [UNKNOWN], bad: ["x", "", UNKNOWN.slice(1), `${UNKNOWN}0`] });
const text = { operators: all, good: ["x"], bad: ["%00", "a%00b"] };
const indexed = { ...text, operators: every };
const prefix = { ...text, operators: ["startsWith"] };
const words = (...good: string[]) => ({ operators: all, good, bad: [good[0]!.toLowerCase(), "OTHER", ""] });

const service = await startService();
const { client, screenerId } = await service.screener();
await client.screener();
for (let i = 0; i < 3; i++) await client.post("/screener-publications", { screenerId });
const rows = (await client.import(screenerId, people(3))).body;
for (const { id } of rows) await client.post("/screener-sessions", { screenerParticipantId: id });
const lists: List[] = [
  { path: "/screeners", type: "Screener", filters: {} },
  { path: `/screeners/${screenerId}/publications`, type: "ScreenerPublication", filters: {} },
  { path: "/participants", type: "Participant", filters: { externalUid: indexed, email: indexed, name: prefix } },
  {
    path: "/screener-participants",
    type: "ScreenerParticipant",
    filters: {
      screenerId: uuids(),
      participantId: uuids(),
      externalParticipantUid: text,
      status: words("NOT_STARTED", "IN_PROGRESS", "QUALIFIED", "DISQUALIFIED", "UNKNOWN"),
    },
  },
  {
    path: "/screener-sessions",
    type: "ScreenerSession",
    filters: {
      id: uuids(),
      screenerId: uuids(),
      screenerParticipantId: uuids(),
      status: words("ACTIVE", "ARCHIVED", "REMOVED"),
      state: words("NOT_STARTED", "IN_PROGRESS", "COMPLETED"),
    },
  },
  {
    path: "/screener-responses",
    type: "ScreenerResponse",
    filters: {
      screenerId: uuids(["eq"]),
      screenerPublicationId: uuids(["eq"]),
      screenerSessionId: uuids(["eq", "in"]),
      screenerParticipantId: uuids(["eq", "in"]),
    },
  },
  {
    path: "/jobs",
    type: "Job",
    filters: {
      status: words("QUEUED", "RUNNING", "SUCCEEDED", "FAILED", "CANCELLED"),
      kind: words("SCREENER_PARTICIPANTS_IMPORT", "SCREENER_PUBLICATION"),
    },
  },
];

function ids(body: { items: { id: string }[] }): string[] {
  return body.items.map(({ id }) => id);
}

/** Asserts that a query is refused, for these parameters and no others. */
async function refused(path: string, query: string, pointers: string[]): Promise<void> {
  const { status, body } = await client.get(`${path}?${query}`);
  assert.equal(status, 400, `${path}?${query}`);
  assert.equal(body.code, "invalid_request");
  const found = new Set(body.errors.map(({ pointer }: { pointer: string }) => pointer));
  assert.deepEqual(found, new Set(pointers), `${path}?${query}`);
  assert.equal(body.items, undefined);
}

test("a list without parameters is its first 100 items, in an envelope with its own _type", async () => {
  for (const { path, type } of lists) {
    const { status, body } = await client.get(path);
    assert.equal(status, 200, path);
    assert.deepEqual(Object.keys(body), ["_type", "total", "limit", "offset", "items"]);
    assert.deepEqual([body._type, body.limit, body.offset], [`Paginated${type}`, 100, 0]);
    assert.equal(body.items.length, body.total);
    assert.equal(body.total > 0, type !== "ScreenerResponse", path);
    for (const item of body.items) assert.equal(item._type, type);
  }
});

test("a limit above 500 is clamped, and the answer shows the one that applies", async () => {
  for (const { path } of lists) {
    for (const limit of ["501", "1000", "999999999999999", "99999999999999999999", "9".repeat(400)]) {
      const { status, body } = await client.get(`${path}?pagination[limit]=${limit}`);
      assert.equal(status, 200, `${path} ${limit}`);
      assert.equal(body.limit, 500);
    }
    for (const limit of [1, 2, 499, 500]) {
      const { body } = await client.get(`${path}?pagination[limit]=${limit}`);
      assert.equal(body.limit, limit);
      assert.equal(body.items.length, Math.min(limit, body.total));
    }
  }
});

test("a limit below 1, a negative offset, or what is no whole number is refused", async () => {
  for (const { path } of lists) {
    for (const limit of ["0", "-1", "1.5", "1.0", "abc", "", "%205", "+5", "1e2", "0x10", "NaN", "Infinity", "٣"]) {
      await refused(path, `pagination[limit]=${limit}`, ["pagination[limit]"]);
    }
    for (const offset of ["-1", "-0.5", "0.5", "abc", "", "%200", "+1", "1e2", "null", "--1"]) {
      await refused(path, `pagination[offset]=${offset}`, ["pagination[offset]"]);
    }
  }
});

test("an offset past the end answers no items, and still the true total", async () => {
  for (const { path } of lists) {
    const { total } = (await client.get(path)).body;
    for (const offset of [total, total + 1, 1_000_000, 999_999_999_999_999]) {
      const { status, body } = await client.get(`${path}?pagination[offset]=${offset}`);
      assert.equal(status, 200, path);
      assert.deepEqual([body.total, body.offset, body.items], [total, offset, []]);
    }
    for (const offset of ["9007199254740993", "99999999999999999999", "9".repeat(400)]) {
      const { status, body } = await client.get(`${path}?pagination[offset]=${offset}`);
      assert.deepEqual([status, body.total, body.items], [200, total, []], `${path} ${offset}`);
    }
  }
});

test("a parameter that the list does not know is refused, and never ignored", async () => {
  for (const { path } of lists) {
    for (const name of [
      "limit",
      "offset",
      "page",
      "pagination",
      "pagination[page]",
      "pagination[limit][]",
      "pagination[__proto__]",
      "Pagination[limit]",
      "filter",
      "filter[]",
      "filter[title]",
      "filter[title][eq]",
      "filter[__proto__][eq]",
      "filter[constructor][eq]",
      "filter[toString][eq]",
      "filter[hasOwnProperty][in][]",
      "filter[status][__proto__]",
      "filter[status][constructor]",
      "filter[externalUid]",
      "filter[externalUid][like]",
      "filter[externalUid][EQ]",
      "filter[externalUid][eq][eq]",
      "filter[externalUid][eq",
      "filter[createdAt][gt]",
      "filter.status.eq",
      "sort",
      "",
    ]) {
      await refused(path, `${encodeURIComponent(name)}=1`, [name]);
    }
  }
});

test("every filter takes the operators that it should, and no others", async () => {
  for (const { path, filters } of lists) {
    for (const [field, { operators, good }] of Object.entries(filters)) {
      for (const operator of every) {
        const name = `filter[${field}][${operator}]${operator.endsWith("in") ? "[]" : ""}`;
        if (!operators.includes(operator)) await refused(path, `${name}=${good[0]}`, [name]);
        else
          for (const value of good) {
            const { status } = await client.get(`${path}?${name}=${value}`);
            assert.equal(status, 200, `${path}?${name}=${value}`);
          }
      }
    }
  }
});

test("an impossible filter value is refused: an id that is no UUID, an unknown status", async () => {
  for (const { path, filters } of lists) {
    for (const [field, { operators, good, bad }] of Object.entries(filters)) {
      for (const value of bad) {
        await refused(path, `filter[${field}][eq]=${value}`, [`filter[${field}][eq]`]);
        if (!operators.includes("in") || !value) continue;
        const name = `filter[${field}][in][]`;
        await refused(path, `${name}=${good[0]}&${name}=${value}`, [name]);
      }
    }
  }
});

test("the answer lists everything that is wrong with a query", async () => {
  await refused(
    "/screener-participants",
    "pagination[limit]=0&pagination[offset]=-1&filter[screenerId][eq]=x&filter[name][eq]=y&filter[status][eq]=z&sort=1",
    [
      "pagination[limit]",
      "pagination[offset]",
      "filter[screenerId][eq]",
      "filter[name][eq]",
      "filter[status][eq]",
      "sort",
    ],
  );
  await refused("/participants", "filter[externalUid][eq]=%ff", [""]);
  await refused("/participants", "filter[externalUid][eq]=%", [""]);
});

test("a parameter that is allowed once is refused when it comes twice", async () => {
  await refused("/participants", "pagination[limit]=1&pagination[limit]=2", ["pagination[limit]"]);
  await refused("/participants", "pagination[offset]=1&pagination[offset]=1", ["pagination[offset]"]);
  for (const operator of ["eq", "ne"]) {
    const name = `filter[externalUid][${operator}]`;
    await refused("/participants", `${name}=a&${name}=b`, [name]);
    await refused("/participants", `${name}[]=a`, [`${name}[]`]);
  }
});

test("in and nin take one value or many, with brackets or without, percent-encoded or not", async () => {
  const all = ids((await client.get("/participants")).body);
  const one = [
    "filter[externalUid][in][]=P-1",
    "filter[externalUid][in]=P-1",
    "filter[externalUid][in][0]=P-1",
    "filter%5BexternalUid%5D%5Bin%5D%5B%5D=P-1",
    "filter[externalUid][in][]=P-1&filter[externalUid][in][]=P-1",
  ];
  for (const query of one) {
    const { status, body } = await client.get(`/participants?${query}`);
    assert.deepEqual([status, body.total, ids(body)], [200, 1, [all[1]]], query);
    const others = await client.get(`/participants?${query.replaceAll("in]", "nin]").replaceAll("in%5D", "nin%5D")}`);
    assert.deepEqual([others.body.total, ids(others.body)], [2, [all[0], all[2]]], query);
  }
  for (const two of [
    "filter[externalUid][in][]=P-2&filter[externalUid][in][]=P-0",
    "filter[externalUid][in]=P-2&filter[externalUid][in]=P-0",
    "filter[externalUid][in][0]=P-2&filter[externalUid][in][1]=P-0",
  ]) {
    assert.deepEqual(ids((await client.get(`/participants?${two}`)).body), [all[0], all[2]], two);
  }
});

test("startsWith finds texts by their beginning, emails in any case, and neither more nor fewer", async () => {
  const client = service.workspace();
  for (const [externalUid, email] of [
    ["ab", "Ann@example.org"],
    ["aB", "anna@example.org"],
    ["ab%_", "bo@example.org"],
    ["b", "a\u{10FFFF}@example.org"],
    ["ab\u{10FFFF}x", "x@example.org"],
  ])
    await client.post("/participants", { externalUid, email, name: "X" });
  const found = async (field: string, value: string, more = "") => {
    const path = `/participants?filter[${field}][startsWith]=${encodeURIComponent(value)}${more}`;
    const { body } = await client.get(path);
    const { text: lines } = await client.call("GET", path, { headers: { Accept: "application/x-ndjson" } });
    const whole = lines.trim().split("\n").filter(Boolean);
    assert.deepEqual([body.total, whole.length], [body.items.length, body.items.length], path);
    return body.items.map((one: { externalUid: string }) => one.externalUid);
  };
  assert.deepEqual(await found("externalUid", "ab"), ["ab", "ab%_", "ab\u{10FFFF}x"]);
  assert.deepEqual(await found("externalUid", "ab%"), ["ab%_"]);
  assert.deepEqual(await found("externalUid", "abc"), []);
  assert.equal((await found("externalUid", "")).length, 5);
  assert.deepEqual(await found("email", "ANN"), ["ab", "aB"]);
  assert.deepEqual(await found("email", "ann", "&filter[externalUid][startsWith]=aB"), ["aB"]);
  assert.deepEqual(await found("email", "a", "&filter[externalUid][ne]=b"), ["ab", "aB"]);
});

test("people are found by the beginning of their name in any case, also until a large import's index is there", async () => {
  const { client, screenerId } = await service.screener();
  const names = ["Ada Lovelace", "ada byron", "Adam", "Bo Ada", null];
  await client.import(
    screenerId,
    names.map((name, index) => ({ externalUid: `N-${index}`, email: `n${index}@example.org`, name: name ?? "x" })),
  );
  const [last] = (await client.get("/participants?filter[externalUid][eq]=N-4")).body.items;
  await client.patch(`/participants/${last.id}`, { name: null });
  const found = async (value: string) => {
    const { body } = await client.get(`/participants?filter[name][startsWith]=${encodeURIComponent(value)}`);
    assert.equal(body.total, body.items.length);
    return body.items.map(({ name }: { name: string }) => name);
  };
  const look = async () => {
    assert.deepEqual(await found("ADA"), names.slice(0, 3));
    assert.deepEqual(await found("ada "), names.slice(0, 2));
    assert.deepEqual(await found("Lovelace"), []);
  };
  await look();
  assert.deepEqual(await found(""), names.slice(0, 4));
  const { workspaces } = service.context;
  writeTo(workspaces, client.workspaceId, (db) => db.exec("DROP INDEX participant_name"));
  await look();
  // More than an event loop scans: a thread does. The import drops the index, and it is there again when it has ended.
  await client.import(screenerId, people(6000, 10));
  await look();
  const isThere = () =>
    workspaces.read(client.workspaceId, (db) =>
      db.value("SELECT 1 FROM sqlite_schema WHERE name = 'participant_name'"),
    ) === 1;
  await until(isThere, "the index is there");
  const plan = workspaces.read(client.workspaceId, (db) =>
    db.all(
      "EXPLAIN QUERY PLAN SELECT count(*) FROM participant AS t WHERE (t.name COLLATE NOCASE >= ? AND t.name COLLATE NOCASE < ?)",
      "a",
      "b",
    ),
  );
  assert.match(JSON.stringify(plan), /USING (?:COVERING )?INDEX participant_name/);
  await look();
  // A process that dies before that leaves it to the upkeep.
  writeTo(workspaces, client.workspaceId, (db) => db.exec("DROP INDEX participant_name"));
  assert.ok(!isThere());
  await service.context.pool.ask(tidyStores, undefined);
  assert.ok(isThere());
});

test("in with no value matches nothing, and nin with none everything", async () => {
  for (const { path, filters } of lists) {
    const { total } = (await client.get(path)).body;
    for (const [field, { operators }] of Object.entries(filters)) {
      for (const brackets of ["", "[]"]) {
        if (operators.includes("in")) {
          const { status, body } = await client.get(`${path}?filter[${field}][in]${brackets}=`);
          assert.deepEqual([status, body.total, body.items], [200, 0, []], `${path} ${field}`);
        }
        if (operators.includes("nin")) {
          const { status, body } = await client.get(`${path}?filter[${field}][nin]${brackets}=`);
          assert.deepEqual([status, body.total, body.items.length], [200, total, total], `${path} ${field}`);
        }
      }
    }
  }
});

test("in and nin take 500 values, and not one more", async () => {
  const [first] = ids((await client.get("/screener-sessions")).body);
  const many = (count: number, operator: string) =>
    Array.from({ length: count }, (_, index) =>
      index === count - 1 ? first : `019a0000-0000-7000-8000-${String(index).padStart(12, "0")}`,
    )
      .map((id) => `filter%5Bid%5D%5B${operator}%5D%5B%5D=${id}`)
      .join("&");
  const found = await client.get(`/screener-sessions?${many(500, "in")}`);
  assert.deepEqual([found.status, found.body.total, ids(found.body)], [200, 1, [first]]);
  const rest = await client.get(`/screener-sessions?${many(500, "nin")}`);
  assert.deepEqual([rest.status, rest.body.total], [200, 2]);
  for (const operator of ["in", "nin"]) {
    await refused("/screener-sessions", many(501, operator), [`filter[id][${operator}][]`]);
  }
});

test("pages cover a list in the order of creation, without a gap and without an overlap", async () => {
  for (const { path } of lists) {
    const { total, items } = (await client.get(path)).body;
    for (const limit of [1, 2, 3]) {
      const seen = [];
      for (let offset = 0; offset < total; offset += limit) {
        const { body } = await client.get(`${path}?pagination[offset]=${offset}&pagination[limit]=${limit}`);
        assert.equal(body.total, total);
        seen.push(...body.items);
      }
      assert.deepEqual(seen, items, path);
    }
  }
});

test("a list is read by HEAD as well, without its body", async () => {
  for (const { path } of lists) {
    const { status, headers, text } = await client.call("HEAD", path);
    assert.deepEqual([status, text], [200, ""], path);
    assert.match(headers.get("content-type")!, /^application\/json/);
  }
});

interface Row {
  id: string;
  [field: string]: string;
}

/** Compares random queries with a model that is simply filtered and sliced. */
async function compare(
  reader: Client,
  path: string,
  model: Row[],
  values: Record<string, readonly string[]>,
  rounds: number,
  seed: number,
): Promise<void> {
  const random = seeded(seed);
  const pick = <T>(from: readonly T[]): T => from[Math.floor(random() * from.length)]!;
  for (let round = 0; round < rounds; round++) {
    const filters = new Map<string, { field: string; operator: string; wanted: string[] }>();
    for (let count = Math.floor(random() * 4); count > 0; count--) {
      const field = pick(Object.keys(values));
      const operator = pick(all);
      const length = operator.endsWith("in") ? 1 + Math.floor(random() * 5) : 1;
      filters.set(`${field} ${operator}`, {
        field,
        operator,
        wanted: Array.from({ length }, () => pick(values[field]!)),
      });
    }
    const matching = model.filter((row) =>
      [...filters.values()].every(
        ({ field, operator, wanted }) => wanted.includes(row[field]!) === ["eq", "in"].includes(operator),
      ),
    );
    const limit = pick([1, 7, 100, 500]);
    const offset = pick([0, Math.max(matching.length - limit, 0), Math.floor(random() * (matching.length + 2))]);
    const query = [`pagination[offset]=${offset}`, `pagination[limit]=${limit}`];
    for (const { field, operator, wanted } of filters.values()) {
      const name = `filter[${field}][${operator}]${operator.endsWith("in") ? "[]" : ""}`;
      query.push(...wanted.map((value) => `${name}=${encodeURIComponent(value)}`));
    }
    const { status, body } = await reader.get(`${path}?${query.join("&")}`);
    assert.equal(status, 200, query.join("&"));
    assert.equal(body.total, matching.length, query.join("&"));
    const expected = matching.slice(offset, offset + limit).map(({ id }) => id);
    assert.deepEqual(ids(body), expected, query.join("&"));
  }
}

test("deep pages and totals of thousands of participants are true, whatever filters leave out", async () => {
  const reader = service.workspace();
  await reader.import(await reader.screener(), people(4500));
  const model: Row[] = (await reader.all("/participants")).map(({ id, externalUid, email }) => ({
    id,
    externalUid,
    email,
  }));
  assert.deepEqual(
    model.map(({ externalUid }) => externalUid),
    people(4500).map(({ externalUid }) => externalUid),
  );
  // Values at the edges of blocks of 1,024 rows, in clusters and alone.
  const numbers = [0, 1, 2, 1021, 1022, 1023, 1024, 1025, 2046, 2047, 2048, 3000, 3001, 3002, 4095, 4096, 4499, 9999];
  const values = {
    externalUid: numbers.map((number) => `P-${number}`),
    email: numbers.map((number) => `person${number}@example.org`),
  };
  await compare(reader, "/participants", model, values, 120, 1);
});

test("deep pages and totals of assignments are true, with many removed and all filters combined", async () => {
  const reader = service.workspace();
  const one = await reader.screener();
  const other = await reader.screener();
  const empty = await reader.screener();
  const random = seeded(2);
  let model: Row[] = [];
  const add = (rows: Row[]) => {
    const known = new Set(model.map(({ id }) => id));
    model.push(...rows.filter(({ id }) => !known.has(id)));
  };
  add((await reader.import(one, people(3000))).body);
  add((await reader.import(other, people(2500, 1500))).body);
  // Every seventh, and one whole block and more, are removed; some come back, at the end.
  const number = (row: Row) => Number(row.externalParticipantUid!.slice(2));
  const kept = model.filter(
    (row) => row.screenerId === one && number(row) % 7 && (number(row) < 900 || number(row) > 2200),
  );
  const listed = kept.map((row) => ({ externalUid: row.externalParticipantUid }));
  const sync = await reader.import(one, listed, { importMode: "FULL_SYNC" });
  assert.equal(sync.status, 200);
  model = model.filter((row) => row.screenerId !== one || kept.includes(row));
  add((await reader.import(one, people(300, 1000))).body);
  for (let i = 0; i < 25; i++) {
    const [removed] = model.splice(Math.floor(random() * model.length), 1);
    assert.equal((await reader.delete(`/screener-participants/${removed!.id}`)).status, 200);
  }
  const statuses = ["NOT_STARTED", "IN_PROGRESS", "QUALIFIED", "DISQUALIFIED", "UNKNOWN"] as const;
  writeTo(service.context.workspaces, reader.workspaceId, (db) => {
    for (const [index, row] of model.entries()) {
      // A long stretch of one status, a few lone ones of another.
      const likely = index > 1500 && index < 3200 ? "QUALIFIED" : statuses[Math.floor(random() * 3)]!;
      const status = index % 611 === 0 ? "UNKNOWN" : likely;
      const assignment = getAssignment(db, row.id);
      updateAssignment(db, assignment, { status, currentSessionId: assignment.current_session_id });
      row.status = status;
    }
  });
  assert.ok(model.length > 4 * 1024);
  const sample = model.filter((_, index) => index % 97 === 0 || (index > 2000 && index < 2006));
  const values = {
    screenerId: [one, other, empty, UNKNOWN],
    status: statuses,
    participantId: [...sample.map((row) => row.participantId!), UNKNOWN],
    externalParticipantUid: [...sample.map((row) => row.externalParticipantUid!), "none"],
  };
  await compare(reader, "/screener-participants", model, values, 250, 3);
  assert.deepEqual(
    (await reader.all("/screener-participants")).map(({ id }) => id),
    model.map(({ id }) => id),
  );
});
