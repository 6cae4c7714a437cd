// POST /screener-participants-import

import assert from "node:assert/strict";
import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { gzipSync } from "node:zlib";
import { type Answer, type Client, people } from "../support/client.ts";
import { startService } from "../support/service.ts";
import { seeded, tokenFor } from "../support/store.ts";
import { until } from "../support/until.ts";

const UNKNOWN = "019a0000-0000-7000-8000-000000000000";

const service = await startService();

interface Person {
  externalUid: string;
  email?: string | null;
  name?: unknown;
}

function person(
  externalUid: string,
  email: string | null = `${externalUid}@example.org`,
  name = `Name ${externalUid}`,
) {
  return { externalUid, email, name };
}

function pointers(body: { errors: { pointer: string }[] }): string[] {
  return body.errors.map(({ pointer }) => pointer);
}

function uids(rows: { externalParticipantUid: string }[]): string[] {
  return rows.map(({ externalParticipantUid }) => externalParticipantUid);
}

/** The participants of the workspace: externalUid, email, name. */
async function roster(client: Client): Promise<unknown[]> {
  return (await client.all("/participants")).map(({ externalUid, email, name }) => ({ externalUid, email, name }));
}

/** What the newest job did. */
async function summary(client: Client): Promise<unknown> {
  return (await client.get("/jobs?pagination[limit]=500")).body.items.at(-1).summary;
}

/** Imports a payload that is written by hand. */
function importRaw(client: Client, raw: string | Uint8Array, headers: Record<string, string> = {}): Promise<Answer> {
  return client.call("POST", "/screener-participants-import", { raw, headers });
}

/** Asserts that an import is refused with these errors in this order, and that nothing changes. */
async function refused(client: Client, answer: Promise<Answer>, status: number, expected: string[]): Promise<void> {
  const before = [await client.all("/participants"), await client.all("/screener-participants")];
  const { status: answered, body, headers } = await answer;
  assert.equal(answered, status, JSON.stringify(body));
  assert.equal(body.code, status === 409 ? "email_taken" : "invalid_request");
  assert.match(headers.get("content-type")!, /^application\/problem\+json/);
  assert.deepEqual(pointers(body), expected);
  assert.equal(body.errorCount, expected.length);
  assert.deepEqual([await client.all("/participants"), await client.all("/screener-participants")], before);
}

test("an import answers with one screener participant a row, in the payload's order", async () => {
  const client = service.workspace();
  const screenerId = await client.screener();
  const { status, headers, body } = await client.import(screenerId, people(3).reverse());
  assert.equal(status, 200);
  assert.match(headers.get("content-type")!, /^application\/json/);
  assert.deepEqual(
    body,
    people(3)
      .reverse()
      .map(({ externalUid, email, name }, index) => ({
        _type: "ScreenerParticipant",
        id: body[index].id,
        screenerId,
        participantId: body[index].participantId,
        externalParticipantUid: externalUid,
        currentSessionId: null,
        name,
        email,
        status: "NOT_STARTED",
      })),
  );
  // New participants and assignments come into being in the payload's order, too.
  assert.deepEqual((await client.get("/screener-participants")).body.items, body);
  assert.deepEqual(await roster(client), people(3).reverse());
  assert.equal(
    new Set(body.flatMap((row: { id: string; participantId: string }) => [row.id, row.participantId])).size,
    6,
  );
  // Known and new ones, mixed.
  const mixed = [...people(2, 7), ...people(3), ...people(1, 9)].reverse();
  const again = (await client.import(screenerId, mixed)).body;
  assert.deepEqual(uids(again), uids(mixed.map(({ externalUid }) => ({ externalParticipantUid: externalUid }))));
  for (const row of body)
    assert.deepEqual(
      again.find(({ id }: { id: string }) => id === row.id),
      row,
    );
});

test("imported participants are the workspace's: created by the caller, found by id, shared by screeners", async () => {
  const client = service.workspace();
  const one = await client.screener();
  const other = await client.screener();
  const before = new Date().toISOString();
  const [row] = (await client.import(one, people(1))).body;
  const participant = (await client.get(`/participants/${row.participantId}`)).body;
  assert.equal(participant.createdBy._type, "ApplicationActor");
  assert.deepEqual(participant.updatedBy, participant.createdBy);
  assert.ok(participant.createdAt >= before && participant.createdAt <= new Date().toISOString());
  assert.equal(participant.updatedAt, participant.createdAt);
  const [again] = (await client.import(other, people(1))).body;
  assert.equal(again.participantId, row.participantId);
  assert.notEqual(again.id, row.id);
  assert.deepEqual(await summary(client), { rows: 1, created: 0, updated: 0, unchanged: 1, assigned: 1, removed: 0 });
  // Who was created by hand is matched as well.
  const made = (await client.post("/participants", person("by-hand"))).body;
  const [matched] = (await client.import(one, [{ externalUid: "by-hand" }])).body;
  assert.equal(matched.participantId, made.id);
});

test("FULL_SYNC removes who is absent, and UPDATES_ONLY nobody", async () => {
  const client = service.workspace();
  const screenerId = await client.screener();
  const bystander = await client.screener();
  await client.import(bystander, people(3));
  await client.import(screenerId, people(3));
  await client.import(screenerId, people(1, 5));
  const ofScreener = `/screener-participants?filter[screenerId][eq]=${screenerId}`;
  assert.equal((await client.get(ofScreener)).body.total, 4);
  await client.import(screenerId, people(1, 6), { importMode: "UPDATES_ONLY" });
  await client.import(screenerId, people(1, 7), { importMode: null });
  assert.equal((await client.get(ofScreener)).body.total, 6);
  const { body } = await client.import(screenerId, [...people(2, 1), ...people(1, 8)], { importMode: "FULL_SYNC" });
  assert.deepEqual(uids(body), ["P-1", "P-2", "P-8"]);
  assert.deepEqual(await summary(client), { rows: 3, created: 1, updated: 0, unchanged: 2, assigned: 1, removed: 4 });
  assert.deepEqual(uids((await client.get(ofScreener)).body.items), ["P-1", "P-2", "P-8"]);
  // The participants stay, and other screeners keep theirs.
  assert.equal((await client.get("/participants")).body.total, 7);
  assert.equal((await client.get(`/screener-participants?filter[screenerId][eq]=${bystander}`)).body.total, 3);
});

test("FULL_SYNC with an empty list removes everyone; UPDATES_ONLY with one does nothing", async () => {
  const client = service.workspace();
  const screenerId = await client.screener();
  await client.import(screenerId, people(3));
  const nothing = await client.import(screenerId, []);
  assert.deepEqual([nothing.status, nothing.body], [200, []]);
  assert.equal((await client.get("/screener-participants")).body.total, 3);
  const { status, body } = await client.import(screenerId, [], { importMode: "FULL_SYNC" });
  assert.deepEqual([status, body], [200, []]);
  assert.deepEqual(await summary(client), { rows: 0, created: 0, updated: 0, unchanged: 0, assigned: 0, removed: 3 });
  assert.equal((await client.get("/screener-participants")).body.total, 0);
  assert.equal((await client.get("/participants")).body.total, 3);
});

test("who FULL_SYNC removes is gone, with sessions archived, and comes back with a new assignment", async () => {
  const client = service.workspace();
  const screenerId = await client.screener();
  await client.post("/screener-publications", { screenerId });
  const rows = (await client.import(screenerId, people(2))).body;
  const sessions = [];
  for (const { id } of rows)
    sessions.push((await client.post("/screener-sessions", { screenerParticipantId: id })).body);
  const [staying] = (await client.import(screenerId, people(1), { importMode: "FULL_SYNC" })).body;
  assert.deepEqual(staying, { ...rows[0], currentSessionId: sessions[0].id });
  const gone = await client.get(`/screener-participants/${rows[1].id}`);
  assert.deepEqual([gone.status, gone.body.code], [404, "screener_participant_not_found"]);
  assert.deepEqual((await client.get(`/screener-sessions/${sessions[0].id}`)).body, sessions[0]);
  const archived = { ...sessions[1], status: "ARCHIVED" };
  assert.deepEqual((await client.get(`/screener-sessions/${sessions[1].id}`)).body, archived);
  assert.deepEqual((await client.get("/screener-sessions?filter[status][eq]=ARCHIVED")).body.items, [archived]);
  assert.equal((await client.get("/screener-sessions?filter[status][eq]=ACTIVE")).body.total, 1);
  const [back] = (await client.import(screenerId, people(1, 1))).body;
  assert.notEqual(back.id, rows[1].id);
  assert.equal(back.participantId, rows[1].participantId);
  assert.equal(back.currentSessionId, null);
  assert.equal((await client.get(`/screener-sessions/${sessions[1].id}`)).body.screenerParticipantId, rows[1].id);
});

test("an existing participant takes what the row says, and keeps what it leaves out", async () => {
  const client = service.workspace();
  const screenerId = await client.screener();
  await client.import(
    screenerId,
    ["a", "b", "c", "d"].map((uid) => person(uid)),
  );
  const { accessToken, user } = await tokenFor(service, client, "Ada");
  const before = (await client.get("/participants")).body.items;
  await until(() => new Date().toISOString() > before[0].updatedAt, "the clock goes on");
  const rows: Person[] = [
    { externalUid: "a", name: "New name" },
    { externalUid: "b", email: "new@example.org", name: null },
    { externalUid: "c", email: null, name: null },
    { externalUid: "d", email: " ", name: { first: "", last: " " } },
  ];
  const { body } = await client.import(screenerId, rows, {}, { Authorization: `Bearer ${accessToken}` });
  const after = (await client.get("/participants")).body.items;
  const updatedBy = { _type: "TenantUserActor", id: user.id, name: "Ada" };
  const { updatedAt } = after[0];
  assert.ok(updatedAt > before[0].updatedAt);
  assert.deepEqual(after, [
    { ...before[0], name: "New name", updatedBy, updatedAt },
    { ...before[1], email: "new@example.org", updatedBy, updatedAt },
    before[2],
    before[3],
  ]);
  assert.deepEqual(
    body.map(({ name, email }: Person) => [name, email]),
    after.map(({ name, email }: Person) => [name, email]),
  );
  assert.deepEqual(await summary(client), { rows: 4, created: 0, updated: 2, unchanged: 2, assigned: 0, removed: 0 });
});

test("a participant whose email or name was cleared keeps none, until a row gives one", async () => {
  const client = service.workspace();
  const screenerId = await client.screener();
  const [row] = (await client.import(screenerId, [person("a")])).body;
  await client.patch(`/participants/${row.participantId}`, { email: null, name: null });
  const [kept] = (await client.import(screenerId, [{ externalUid: "a" }])).body;
  assert.deepEqual([kept.email, kept.name], [null, null]);
  const [given] = (await client.import(screenerId, [person("a")])).body;
  assert.deepEqual(given, row);
});

test("a row needs an externalUid, and one that creates a participant an email and a name", async () => {
  const client = service.workspace();
  const screenerId = await client.screener();
  await client.import(screenerId, [person("known")]);
  await refused(
    client,
    client.import(screenerId, [person("x"), { email: "a@b", name: "N" }, { externalUid: null }, { externalUid: " " }]),
    400,
    ["/participants/1/externalUid", "/participants/2/externalUid", "/participants/3/externalUid"],
  );
  await refused(
    client,
    client.import(screenerId, [
      { externalUid: "known" },
      { externalUid: "n1" },
      { externalUid: "n2", email: "n2@x" },
      { externalUid: "n3", name: "N" },
      { externalUid: "n4", email: null, name: "" },
      person("n5"),
    ]),
    400,
    [
      "/participants/1/email",
      "/participants/1/name",
      "/participants/2/name",
      "/participants/3/email",
      "/participants/4/email",
      "/participants/4/name",
    ],
  );
});

test("rows are read like participants: trimmed, names in two parts, limits, formats", async () => {
  const client = service.workspace();
  const screenerId = await client.screener();
  const { body } = await client.import(screenerId, [
    { externalUid: " a ", email: "\ta@x\n", name: "  Ada  " },
    { externalUid: "b", email: "b@x", name: { first: " Grace ", last: "Hopper" } },
    { externalUid: "c", email: "c@x", name: { last: "Lovelace" }, id: UNKNOWN, more: { deep: [[]] } },
    { externalUid: "😀".repeat(255), email: `${"x".repeat(318)}@x`, name: "é".repeat(500) },
  ]);
  assert.deepEqual(
    body.map(({ externalParticipantUid, email, name }: Record<string, string>) => [
      externalParticipantUid,
      email,
      name,
    ]),
    [
      ["a", "a@x", "Ada"],
      ["b", "b@x", "Grace Hopper"],
      ["c", "c@x", "Lovelace"],
      ["😀".repeat(255), `${"x".repeat(318)}@x`, "é".repeat(500)],
    ],
  );
  await refused(
    client,
    client.import(screenerId, [
      { externalUid: 5, email: "a b@x", name: "N" },
      { externalUid: "x".repeat(256), email: `${"x".repeat(320)}@x`, name: "x".repeat(501) },
      { externalUid: "d", email: 5, name: ["N"] },
      person("fine"),
      { externalUid: "e", email: "e", name: { first: 1 } },
    ]),
    400,
    [
      "/participants/0/externalUid",
      "/participants/0/email",
      "/participants/1/externalUid",
      "/participants/1/email",
      "/participants/1/name",
      "/participants/2/email",
      "/participants/2/name",
      "/participants/4/email",
      "/participants/4/name",
    ],
  );
});

test("rows that are no objects are refused, each at its position", async () => {
  const client = service.workspace();
  const screenerId = await client.screener();
  await refused(
    client,
    client.import(screenerId, [null, person("a"), 5, "x", [person("b")], true, {}]),
    400,
    [0, 2, 3, 4, 5].map((position) => `/participants/${position}`).concat("/participants/6/externalUid"),
  );
});

test("an externalUid or email that is in the payload twice is refused, with every position", async () => {
  const client = service.workspace();
  const screenerId = await client.screener();
  await refused(
    client,
    client.import(screenerId, [
      person("a"),
      person("b", "same@example.org"),
      { ...person("a"), externalUid: " a " },
      person("A", "SAME@example.org"),
      person("c"),
      { externalUid: "a" },
      { externalUid: "d" },
      { externalUid: "e" },
    ]),
    400,
    [
      "/participants/0/externalUid",
      "/participants/0/email",
      "/participants/1/email",
      "/participants/2/externalUid",
      "/participants/2/email",
      "/participants/3/email",
      "/participants/5/externalUid",
    ],
  );
  // A row counts even where something else about it is wrong.
  await refused(
    client,
    client.import(
      screenerId,
      [
        person("a", "1@x"),
        { externalUid: "a", email: "none", name: 5 },
        { externalUid: 5, email: "1@X", name: "N" },
        { externalUid: "b", email: "none", name: "N" },
      ],
      { importMode: "ALL" },
    ),
    400,
    [
      "/importMode",
      "/participants/0/externalUid",
      "/participants/0/email",
      "/participants/1/email",
      "/participants/1/name",
      "/participants/1/externalUid",
      "/participants/2/externalUid",
      "/participants/2/email",
      "/participants/3/email",
    ],
  );
  // Only ASCII letters have a case, and an externalUid is matched exactly.
  const alike = [person("ä", "ä@x"), person("Ä", "Ä@x"), person("a"), person("A", "other@x")];
  assert.equal((await client.import(screenerId, alike)).status, 200);
});

test("an email of someone outside the payload is refused, with every position, and nothing changes", async () => {
  const client = service.workspace();
  const screenerId = await client.screener();
  await client.import(screenerId, [person("a", "a@x"), person("b", "b@x"), person("c", "c@x")]);
  await refused(
    client,
    client.import(screenerId, [person("new", "A@X"), person("other", "other@x"), person("c", "b@x")], {
      importMode: "FULL_SYNC",
    }),
    409,
    ["/participants/0/email", "/participants/2/email"],
  );
  // The same, by someone in the payload who keeps it: by saying so, or by saying nothing.
  await refused(client, client.import(screenerId, [{ externalUid: "a" }, person("new", "a@x")]), 409, [
    "/participants/1/email",
  ]);
  await refused(client, client.import(screenerId, [{ externalUid: "a", email: null }, person("new", "a@x")]), 409, [
    "/participants/1/email",
  ]);
  await refused(client, client.import(screenerId, [person("a", "A@x"), person("new", "a@x")]), 400, [
    "/participants/0/email",
    "/participants/1/email",
  ]);
});

test("participants may swap emails, pass them on in a circle, and take what another gives up", async () => {
  const client = service.workspace();
  const screenerId = await client.screener();
  await client.import(screenerId, [person("a", "a@x"), person("b", "b@x"), person("c", "c@x"), person("d", "d@x")]);
  const emails = async () => (await client.get("/participants")).body.items.map((row: Person) => row.email);
  assert.equal((await client.import(screenerId, [person("a", "b@x"), person("b", "a@x")])).status, 200);
  assert.deepEqual(await emails(), ["b@x", "a@x", "c@x", "d@x"]);
  const circle = [person("a", "A@x"), person("b", "C@x"), person("c", "D@x"), person("d", "B@x")];
  assert.equal((await client.import(screenerId, circle)).status, 200);
  assert.deepEqual(await emails(), ["A@x", "C@x", "D@x", "B@x"]);
  const chain = [person("new", "a@x"), person("a", "c@x"), person("b", "free@x")];
  const { status, body } = await client.import(screenerId, chain);
  assert.equal(status, 200);
  assert.deepEqual(await emails(), ["c@x", "free@x", "D@x", "B@x", "a@x"]);
  assert.deepEqual(
    body.map((row: Person) => row.email),
    ["a@x", "c@x", "free@x"],
  );
});

test("thousands may pass their emails on at once, as when a list has slipped by one row", async () => {
  const client = service.workspace();
  const screenerId = await client.screener();
  const rows = people(8000);
  await client.import(screenerId, rows);
  const slipped = rows.map((row, index) => ({ ...row, email: rows[(index + 1) % rows.length]!.email }));
  const { status, body } = await client.import(screenerId, slipped);
  assert.equal(status, 200);
  assert.deepEqual(
    body.map((row: Person) => row.email),
    slipped.map(({ email }) => email),
  );
  assert.equal(
    (await client.get("/participants?filter[email][eq]=person0@example.org")).body.items[0].externalUid,
    "P-7999",
  );
});

test("an email whose case alone changes is a change", async () => {
  const client = service.workspace();
  const screenerId = await client.screener();
  await client.import(screenerId, [person("a", "ada@example.org")]);
  const { status, body } = await client.import(screenerId, [person("a", "Ada@Example.org")]);
  assert.deepEqual([status, body[0].email], [200, "Ada@Example.org"]);
  assert.equal((await client.get("/participants")).body.items[0].email, "Ada@Example.org");
  assert.deepEqual(await summary(client), { rows: 1, created: 0, updated: 1, unchanged: 0, assigned: 0, removed: 0 });
});

test("an email that was cleared, or that left with its case, is free", async () => {
  const client = service.workspace();
  const screenerId = await client.screener();
  const [row] = (await client.import(screenerId, [person("a", "a@x")])).body;
  await client.patch(`/participants/${row.participantId}`, { email: null });
  assert.equal((await client.import(screenerId, [person("b", "A@X")])).status, 200);
  await refused(client, client.import(screenerId, [person("a", "a@x")]), 409, ["/participants/0/email"]);
});

test("an import that changes nothing writes no row, in either mode", async () => {
  const client = service.workspace();
  const screenerId = await client.screener();
  const rows = people(1500);
  const first = (await client.import(screenerId, rows)).body;
  const tables = ["participant", "participant_block", "screener_participant", "screener_participant_block"];
  const dump = () =>
    service.context.workspaces.read(client.workspaceId, (db) =>
      tables.map((table) => db.all(`SELECT ${table.endsWith("block") ? "" : "rowid, "}* FROM ${table}`)),
    );
  const before = dump();
  service.context.workspaces.write(client.workspaceId, (db) => {
    db.exec("CREATE TABLE written (what TEXT NOT NULL) STRICT");
    for (const table of tables)
      for (const change of ["INSERT", "UPDATE", "DELETE"])
        db.exec(
          `CREATE TRIGGER ${table}_${change} AFTER ${change} ON ${table} BEGIN INSERT INTO written VALUES ('${change} ${table}'); END`,
        );
  });
  const sent = rows.map((row) => ({ ...row, email: ` ${row.email}`, name: { first: row.name, last: "" } }));
  for (const [participants, importMode] of [
    [rows, "FULL_SYNC"],
    [rows, "UPDATES_ONLY"],
    [sent, "FULL_SYNC"],
    [rows.map(({ externalUid }) => ({ externalUid })), "FULL_SYNC"],
  ] as const) {
    const { body } = await client.import(screenerId, [...participants], { importMode });
    assert.deepEqual(body, first);
    assert.deepEqual(await summary(client), {
      rows: 1500,
      created: 0,
      updated: 0,
      unchanged: 1500,
      assigned: 0,
      removed: 0,
    });
  }
  assert.deepEqual(dump(), before);
  const written = () =>
    service.context.workspaces.read(client.workspaceId, (db) => db.values<string>("SELECT what FROM written"));
  assert.deepEqual(written(), []);
  // One row that does change is one row that is written.
  await client.import(screenerId, [...rows.slice(1), { ...rows[0], name: "Changed" }], { importMode: "FULL_SYNC" });
  assert.deepEqual(written(), ["UPDATE participant"]);
});

test("a payload of many megabytes, in many characters and escapes, comes back exactly", async () => {
  const client = service.workspace();
  const screenerId = await client.screener();
  const odd = [
    '"quote"',
    "back\\slash",
    "}],{[",
    "日本語",
    "😀👩‍👩‍👧",
    "tab\tline\n",
    "\u2028\u2029\u0001\u007f",
    "é".repeat(90),
    "\\u0000",
  ];
  const rows = Array.from({ length: 30_000 }, (_, index) => ({
    externalUid: `${index}·${odd[index % odd.length]!.trim()}`,
    email: `ünï${index}@exämple.org`,
    name: `x${odd[(index * 7) % odd.length]}|${index}|${odd[(index * 11) % odd.length]!}.`,
  }));
  // Every other row is written in escapes and with white space.
  const written = rows.map((row, index) => {
    if (index % 2) return JSON.stringify(row);
    const escaped = JSON.stringify(row).replace(
      /[^ -~]/g,
      (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`,
    );
    return index % 4 ? escaped : `\n\t ${escaped.replace(',"email":', ' ,\r\n "email" : ')}  `;
  });
  const raw = `{"importMode":"FULL_SYNC","participants":[${written.join(",")}],"screenerId":"${screenerId}"}`;
  assert.ok(Buffer.byteLength(raw) > 20 * 256 * 1024);
  const { status, body } = await importRaw(client, raw);
  assert.equal(status, 200);
  assert.equal(body.length, rows.length);
  for (const [index, { externalParticipantUid, email, name }] of body.entries()) {
    assert.deepEqual({ externalUid: externalParticipantUid, email, name }, rows[index]);
  }
  for (const offset of [0, 14_750, 29_500]) {
    const page = (await client.get(`/participants?pagination[limit]=500&pagination[offset]=${offset}`)).body;
    assert.equal(page.total, rows.length);
    assert.deepEqual(
      page.items.map(({ externalUid, email, name }: Person) => ({ externalUid, email, name })),
      rows.slice(offset, offset + 500),
    );
  }
  // Compressed, it is the same: nothing changes.
  const compressed = await importRaw(client, gzipSync(raw), { "Content-Encoding": "gzip" });
  assert.equal(compressed.status, 200);
  assert.deepEqual(compressed.body, body);
  assert.deepEqual(await summary(client), {
    rows: 30_000,
    created: 0,
    updated: 0,
    unchanged: 30_000,
    assigned: 0,
    removed: 0,
  });
});

test("the keys of a payload may come in any order, with others between, and with any white space", async () => {
  const client = service.workspace();
  const screenerId = await client.screener();
  const row = (uid: string) => JSON.stringify(person(uid));
  const payloads = [
    `{"participants":[${row("a")}],"importMode":"UPDATES_ONLY","screenerId":"${screenerId}"}`,
    `{"importMode":null,"screenerId":"${screenerId}","participants":[${row("b")}]}`,
    `\n{\t"participants"\r\n:\n\n[ \n${row("c")} ,${row("d")}\t] ,"screenerId" : "${screenerId}" } \n`,
    `{"a":[1,[2]],"b":{"participants":[{"externalUid":"no"}]},"screenerId":"${screenerId}","participants":[${row("e")}],"z":[[]]}`,
    `{"\\u0070articipants":[${row("f")}],"screenerId":"${screenerId}"}`,
    `{"x":"\\"participants\\":[","screenerId":"${screenerId}","participants":[${row("g")}]}`,
    `{"xparticipants":[1],"participants ":[2],"Participants":[3],"screenerId":"${screenerId}","participants":[${row("h")}]}`,
  ];
  for (const raw of payloads) {
    const { status, text } = await importRaw(client, raw);
    assert.equal(status, 200, `${raw}\n${text}`);
  }
  const items = (await client.get("/screener-participants")).body.items;
  assert.equal(uids(items).join(""), "abcdefgh");
});

test("a key that comes twice in a row counts as JSON.parse counts it: the last one", async () => {
  const client = service.workspace();
  const screenerId = await client.screener();
  const raw = `{"screenerId":"x","participants":[{"externalUid":"a","email":"1@x","name":"N","email":"2@x","externalUid":"b"}],"screenerId":"${screenerId}"}`;
  const { status, body } = await importRaw(client, raw);
  assert.equal(status, 200);
  assert.deepEqual([body[0].externalParticipantUid, body[0].email], ["b", "2@x"]);
});

test("a payload that gives its participants twice is refused, whatever they are", async () => {
  const client = service.workspace();
  const screenerId = await client.screener();
  const row = JSON.stringify(person("a"));
  for (const twice of [
    `"participants":[${row}],"participants":[]`,
    `"participants":[],"participants":[${row}]`,
    `"participants":[],"\\u0070articipants":[${row}]`,
    `"participants":[${row}],"participants":null`,
  ]) {
    await refused(client, importRaw(client, `{"screenerId":"${screenerId}",${twice}}`), 400, ["/participants"]);
  }
});

test("a payload without its list, or with bad settings, is refused with all that is wrong", async () => {
  const client = service.workspace();
  const screenerId = await client.screener();
  for (const participants of ['{"a":1}', "null", '"x"', "5", "true", "{}"]) {
    const raw = `{"screenerId":"${screenerId}","participants":${participants}}`;
    await refused(client, importRaw(client, raw), 400, ["/participants"]);
  }
  await refused(client, importRaw(client, `{"screenerId":"${screenerId}"}`), 400, ["/participants"]);
  for (const importMode of ["full_sync", "", 5, {}, []]) {
    await refused(client, client.import(screenerId, [], { importMode }), 400, ["/importMode"]);
  }
  const bad = { screenerId: 5, importMode: "ALL", participants: [null, person("a")] };
  const { status, body } = await client.post("/screener-participants-import", bad);
  assert.equal(status, 400);
  assert.deepEqual(pointers(body).sort(), ["/importMode", "/participants/0", "/screenerId"]);
  for (const raw of ["[]", "null", "5", '"x"', `[{"screenerId":"${screenerId}","participants":[]}]`]) {
    await refused(client, importRaw(client, raw), 400, [""]);
  }
});

test("an import into a screener that is not there answers 404, and leaves nothing", async () => {
  const client = service.workspace();
  const stranger = service.workspace();
  for (const screenerId of [UNKNOWN, "x", "", await stranger.screener()]) {
    const { status, body } = await client.import(screenerId, people(2));
    assert.deepEqual([status, body.code], [404, "screener_not_found"]);
  }
  assert.equal((await client.get("/participants")).body.total, 0);
});

test("JSON that breaks is pinpointed: in its row, or around the rows", async () => {
  const client = service.workspace();
  const screenerId = await client.screener();
  const row = JSON.stringify(person("x"));
  const around = (participants: string) => `{"screenerId":"${screenerId}","participants":[${participants}]}`;
  const cases: [string, string][] = [
    ["", ""],
    [" \n", ""],
    ["{", ""],
    ["}", ""],
    ["not json", ""],
    [`{"screenerId":"${screenerId}","participants":[`, ""],
    [`{"screenerId":"${screenerId}","participants":[${row}`, ""],
    [`{"screenerId":"${screenerId}","participants":[${row}]`, ""],
    [`{"screenerId":"${screenerId}","participants":[${row}}`, ""],
    [`{"screenerId":"${screenerId}" "participants":[${row}]}`, ""],
    [`{"screenerId":"${screenerId}",participants:[${row}]}`, ""],
    [`{"screenerId":"${screenerId}","participants":[${row}],}`, ""],
    [`${around(row)} {}`, ""],
    [`${around(row)}]`, ""],
    [`${around(row)}\0`, ""],
    [around(`{"externalUid":"x`), ""],
    [around(`${row},`), "/participants/1"],
    [around(`,${row}`), "/participants/0"],
    [around(`${row},,${row}`), "/participants/1"],
    [around(","), "/participants/0"],
    [around(`${row} ${row}`), "/participants/0"],
    [around(`${row},${row},{externalUid:"x"},${row}`), "/participants/2"],
    [around(`${row},{"externalUid":"x",}`), "/participants/1"],
    [around(`${row},{'externalUid':'x'}`), "/participants/1"],
    [around(`${row},{"externalUid":"a\nb"}`), "/participants/1"],
    [around(`${row},{"externalUid":"\\x"}`), "/participants/1"],
    [around(`${row},{"externalUid":"\\u12"}`), "/participants/1"],
    [around(`${row},undefined`), "/participants/1"],
    [around(`${row},NaN,${row}`), "/participants/1"],
    [around(`${row}/* comment */`), "/participants/0"],
    [around(`${row},{"a":[1,2}]}`), "/participants/1"],
  ];
  for (const [raw, pointer] of cases) await refused(client, importRaw(client, raw), 400, [pointer]);
  assert.equal((await client.get("/participants")).body.total, 0);
});

test("JSON that breaks deep in a long payload is pinpointed as well", async () => {
  const client = service.workspace();
  const screenerId = await client.screener();
  const rows = people(40_000).map((row) => JSON.stringify(row));
  const raw = (position: number, text: string) =>
    `{"screenerId":"${screenerId}","participants":[${rows.with(position, text).join(",")}]}`;
  assert.ok(raw(0, "").length > 2.5 * 1024 * 1024);
  for (const [position, text] of [
    [39_999, "{]}"],
    [25_000, '{"externalUid":x}'],
    [30_001, ""],
  ] as const) {
    await refused(client, importRaw(client, raw(position, text)), 400, [`/participants/${position}`]);
  }
  const wrong = raw(31_234, '{"externalUid":"a","email":"none"}');
  await refused(client, importRaw(client, wrong), 400, ["/participants/31234/email"]);
  await refused(client, importRaw(client, raw(39_999, rows[7]!)), 400, [
    "/participants/7/externalUid",
    "/participants/7/email",
    "/participants/39999/externalUid",
    "/participants/39999/email",
  ]);
});

test("what is not UTF-8 is refused", async () => {
  const client = service.workspace();
  const screenerId = await client.screener();
  const bytes = (text: string, bad: number[]) => {
    const [start, end] = text.split("?");
    return Buffer.concat([Buffer.from(start!), Buffer.from(bad), Buffer.from(end!)]);
  };
  for (const bad of [[0xff], [0xc3], [0xed, 0xa0, 0x80], [0xc0, 0x80], [0xf5, 0x80, 0x80, 0x80]]) {
    const row = `{"screenerId":"${screenerId}","participants":[{"externalUid":"a","email":"a@x","name":"a?b"}]}`;
    const { status, body } = await importRaw(client, bytes(row, bad));
    assert.equal(status, 400);
    assert.match(pointers(body)[0]!, /^\/participants/);
    const around = `{"screenerId":"${screenerId}","x":"?","participants":[]}`;
    await refused(client, importRaw(client, bytes(around, bad)), 400, [""]);
  }
  assert.equal((await client.get("/participants")).body.total, 0);
});

test("U+0000 and lone surrogates are refused where they are, known field or not", async () => {
  const client = service.workspace();
  const screenerId = await client.screener();
  const row = (uid: string, more = "") => `{"externalUid":"${uid}","email":"x${uid.length}@x","name":"N"${more}}`;
  const raw = (rows: string[], more = "") => `{"screenerId":"${screenerId}"${more},"participants":[${rows.join(",")}]}`;
  await refused(client, importRaw(client, raw([row("a"), row("b\\u0000c")])), 400, ["/participants/1/externalUid"]);
  await refused(client, importRaw(client, raw([row("\\ud83d"), row("\\ude00\\ud83d")])), 400, [
    "/participants/0/externalUid",
    "/participants/1/externalUid",
  ]);
  await refused(client, importRaw(client, raw([row("a", ',"more":{"deep":["x","\\u0000"]}')])), 400, [
    "/participants/0/more/deep/1",
  ]);
  await refused(client, importRaw(client, raw([row("a", ',"\\ud800":1')])), 400, ["/participants/0"]);
  await refused(client, importRaw(client, raw([row("a")], ',"more":"\\u0000"')), 400, ["/more"]);
  const { status, body } = await importRaw(client, raw([row("\\ud83d\\ude00"), row("\\\\u0000")]));
  assert.equal(status, 200);
  assert.deepEqual(uids(body), ["😀", "\\u0000"]);
});

test("a hundred errors are listed, in the rows' order, and all are counted", async () => {
  const client = service.workspace();
  const screenerId = await client.screener();
  await client.import(screenerId, people(300));
  const listed = (of: (position: number) => string) => Array.from({ length: 100 }, (_, position) => of(position));
  const cases: [Promise<Answer>, number, number, string[]][] = [
    // Formats.
    [
      client.import(
        screenerId,
        people(250, 1000).map(({ externalUid }) => ({ externalUid, email: "none", name: 5 })),
      ),
      400,
      500,
      listed((index) => `/participants/${index >> 1}/${index % 2 ? "name" : "email"}`),
    ],
    // Twice in the payload: each of the two.
    [
      client.import(screenerId, [...people(130, 500), ...people(130, 500)]),
      400,
      520,
      listed((index) => `/participants/${index >> 1}/${index % 2 ? "email" : "externalUid"}`),
    ],
    // Missing for a new participant.
    [
      client.import(
        screenerId,
        people(170, 900).map(({ externalUid }) => ({ externalUid })),
      ),
      400,
      340,
      listed((index) => `/participants/${index >> 1}/${index % 2 ? "name" : "email"}`),
    ],
    // Someone else's.
    [
      client.import(
        screenerId,
        people(150).map((row) => ({ ...row, externalUid: `Q-${row.externalUid}` })),
      ),
      409,
      150,
      listed((index) => `/participants/${index}/email`),
    ],
    [
      client.import(
        screenerId,
        people(101).map((row) => ({ ...row, externalUid: `Q-${row.externalUid}` })),
      ),
      409,
      101,
      listed((index) => `/participants/${index}/email`),
    ],
  ];
  for (const [answer, expectedStatus, count, expected] of cases) {
    const { status, body } = await answer;
    assert.equal(status, expectedStatus);
    assert.equal(body.errorCount, count);
    assert.deepEqual(pointers(body), expected);
  }
  assert.equal((await client.get("/participants")).body.total, 300);
});

test("errors of different kinds are told together, in the rows' order", async () => {
  const client = service.workspace();
  const screenerId = await client.screener();
  const bad = people(60).map((row) => `{"externalUid":"${row.externalUid}","email":"none","name":"\\u0000"}`);
  const around = `{"screenerId":"${screenerId}","participants":[${bad.join(",")}]}`;
  const { body } = await importRaw(client, around);
  assert.equal(body.errorCount, 120);
  assert.deepEqual(
    pointers(body).map((pointer) => pointer.split("/")[2]),
    Array.from({ length: 100 }, (_, index) => String(index >> 1)),
  );
  const raw = `{"screenerId":"${screenerId}","participants":[${[
    '{"externalUid":"a","email":"none","name":"N"}',
    JSON.stringify(person("twice", "1@x")),
    "7",
    '{"externalUid":"b","email":"2@x","name":"\\u0000"}',
    JSON.stringify(person("twice", "3@x")),
  ].join(",")}]}`;
  await refused(client, importRaw(client, raw), 400, [
    "/participants/0/email",
    "/participants/1/externalUid",
    "/participants/2",
    "/participants/3/name",
    "/participants/4/externalUid",
  ]);
});

test("a row of more than 1 MiB is refused at its position, before it fills the memory", async () => {
  const client = service.workspace();
  const screenerId = await client.screener();
  const huge = { ...person("huge"), more: "x".repeat(1.5 * 1024 * 1024) };
  await refused(client, client.import(screenerId, [person("a"), person("b"), huge, person("c")]), 400, [
    "/participants/2",
  ]);
  await refused(client, client.import(screenerId, [...people(20_000), huge]), 400, ["/participants/20000"]);
  const around = { more: "x".repeat(1.5 * 1024 * 1024) };
  await refused(client, client.import(screenerId, [person("a")], around), 400, [""]);
  // What is large and ignored, and within bounds, is no trouble.
  const large = { ...person("large"), more: "x".repeat(900 * 1024) };
  assert.equal((await client.import(screenerId, [person("a"), large, person("c")])).status, 200);
});

test("a payload must say that it is JSON, and how it is compressed", async () => {
  const client = service.workspace();
  const screenerId = await client.screener();
  const raw = JSON.stringify({ screenerId, participants: people(1) });
  for (const headers of [
    { "Content-Type": "text/csv" },
    { "Content-Type": "application/x-ndjson" },
    { "Content-Encoding": "zstd" },
    { "Content-Encoding": "gzip, gzip" },
  ]) {
    const { status, body } = await importRaw(client, raw, headers);
    assert.deepEqual([status, body.code], [415, "unsupported_media_type"], JSON.stringify(headers));
  }
  for (const bytes of [raw, gzipSync(raw).subarray(0, 40), Buffer.from("")]) {
    const { status, body } = await importRaw(client, bytes, { "Content-Encoding": "gzip" });
    assert.deepEqual([status, body.code], [400, "invalid_request"]);
  }
  assert.equal((await client.get("/jobs")).body.total, 0);
  assert.equal((await client.get("/participants")).body.total, 0);
});

test("a payload larger than its limit is refused, as it comes and when it unfolds, and leaves nothing behind", async () => {
  const small = await startService({ config: { importMaxBytes: 20_000 } });
  const client = small.workspace();
  const screenerId = await client.screener();
  const fitting = (bytes: number) => {
    const bare = JSON.stringify({ screenerId, participants: people(2), more: "" });
    return bare.replace('"more":""', `"more":"${"x".repeat(bytes - bare.length)}"`);
  };
  assert.equal((await importRaw(client, fitting(20_000))).status, 200);
  const zipped = gzipSync(fitting(20_001));
  assert.ok(zipped.length < 1000);
  for (const answer of [
    await importRaw(client, fitting(20_001)),
    await importRaw(client, zipped, { "Content-Encoding": "gzip" }),
    await importRaw(client, gzipSync(fitting(20_000_000)), { "Content-Encoding": "gzip" }),
  ]) {
    assert.deepEqual([answer.status, answer.body.code], [413, "body_too_large"]);
  }
  assert.equal((await importRaw(client, gzipSync(fitting(20_000)), { "Content-Encoding": "gzip" })).status, 200);
  assert.equal((await client.get("/jobs")).body.total, 2);
  await small.drain();
  const spool = join(small.config.dataDir, "spool");
  await until(() => !existsSync(spool) || !readdirSync(spool).length, "the spool is empty");
});

test("random imports do exactly what a plain model of the rules does", async () => {
  const client = service.workspace();
  const random = seeded(11);
  const pick = <T>(from: readonly T[]): T => from[Math.floor(random() * from.length)]!;
  const screeners = [await client.screener(), await client.screener()];
  const known = new Map<string, { email: string; name: string }>();
  const assigned = new Map(screeners.map((id) => [id, [] as string[]]));
  const lower = (email: string) => email.toLowerCase();
  const seen = new Map<number, number>();
  for (let round = 0; round < 120; round++) {
    const screenerId = pick(screeners);
    const importMode = pick(["FULL_SYNC", "UPDATES_ONLY"]);
    const rows = Array.from({ length: Math.floor(random() * 6) }, () => {
      const externalUid = pick(["a", "b", "c", "d", "e", "f", "g", "h", "i", "j"]);
      const letter = pick(["a", "b", "c", "d", "e", "f", "g", "h", "i", "j"]);
      const email = random() < 0.2 ? undefined : random() < 0.8 ? `${letter}@x` : `${letter.toUpperCase()}@x`;
      return { externalUid, email, name: random() < 0.2 ? undefined : pick(["N", "M"]) };
    });
    const unique = rows.filter(
      (row, index) => random() < 0.1 || rows.findIndex((one) => one.externalUid === row.externalUid) === index,
    );
    const { status, body } = await client.import(screenerId, unique, { importMode });

    const twice = (of: (row: (typeof rows)[number]) => string | undefined) => (row: (typeof rows)[number]) =>
      of(row) !== undefined && unique.filter((one) => of(one) === of(row)).length > 1;
    const at = (field: string, is: (row: (typeof rows)[number]) => boolean) =>
      unique.flatMap((row, index) => (is(row) ? [`/participants/${index}/${field}`] : []));
    const duplicates = [
      ...at(
        "externalUid",
        twice((row) => row.externalUid),
      ),
      ...at(
        "email",
        twice((row) => row.email && lower(row.email)),
      ),
    ];
    const lacking = [
      ...at("email", (row) => !known.has(row.externalUid) && row.email === undefined),
      ...at("name", (row) => !known.has(row.externalUid) && row.name === undefined),
    ];
    const taken = at("email", ({ externalUid, email }) =>
      [...known].some(([uid, holder]) => {
        if (!email || uid === externalUid || lower(holder.email) !== lower(email)) return false;
        const given = unique.find((row) => row.externalUid === uid)?.email;
        return given === undefined || lower(given) === lower(email);
      }),
    );
    const [expectedStatus, errors] = duplicates.length
      ? [400, duplicates]
      : lacking.length
        ? [400, lacking]
        : taken.length
          ? [409, taken]
          : [200, []];
    assert.equal(status, expectedStatus, JSON.stringify({ unique, known: [...known], body }));
    seen.set(status, (seen.get(status) ?? 0) + 1);
    if (status !== 200) {
      assert.deepEqual(pointers(body).sort(), errors.sort());
      assert.equal(body.errorCount, errors.length);
      continue;
    }
    const counts = { rows: unique.length, created: 0, updated: 0, unchanged: 0, assigned: 0, removed: 0 };
    let here = assigned.get(screenerId)!;
    for (const { externalUid, email, name } of unique) {
      const before = known.get(externalUid);
      const after = { email: email ?? before!.email, name: name ?? before!.name };
      if (!before) counts.created++;
      else if (before.email === after.email && before.name === after.name) counts.unchanged++;
      else counts.updated++;
      known.set(externalUid, after);
    }
    if (importMode === "FULL_SYNC") {
      const staying = here.filter((uid) => unique.some((row) => row.externalUid === uid));
      counts.removed = here.length - staying.length;
      here = staying;
    }
    for (const { externalUid } of unique) {
      if (here.includes(externalUid)) continue;
      here.push(externalUid);
      counts.assigned++;
    }
    assigned.set(screenerId, here);
    assert.deepEqual(
      body.map((row: Person & { externalParticipantUid: string }) => [row.externalParticipantUid, row.email, row.name]),
      unique.map(({ externalUid }) => [externalUid, known.get(externalUid)!.email, known.get(externalUid)!.name]),
    );
    assert.deepEqual(await summary(client), counts);
    assert.deepEqual(
      await roster(client),
      [...known].map(([externalUid, rest]) => ({ externalUid, ...rest })),
    );
    const list = (await client.get(`/screener-participants?filter[screenerId][eq]=${screenerId}`)).body;
    assert.deepEqual([list.total, uids(list.items)], [here.length, here]);
  }
  assert.ok(seen.get(200)! > 20 && seen.get(400)! > 20 && seen.get(409)! > 10, JSON.stringify([...seen]));
});

test("a screener's id can't smuggle SQL into a job", async () => {
  const client = service.workspace();
  await client.screener();
  const elsewhere = join(service.config.dataDir, "smuggled.sqlite");
  const sql = `ATTACH '${elsewhere}' AS x; CREATE TABLE x.t (a); --`;
  for (const id of ["'", `x"' AS json; ${sql}`, `x"') AS json FROM plan AS q; ${sql}`, `x"' || '" AS json; ${sql}`]) {
    const { status, body } = await client.import(id, people(1));
    assert.deepEqual([status, body.code], [404, "screener_not_found"]);
  }
  assert.equal(existsSync(elsewhere), false);
});
