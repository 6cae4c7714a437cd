// An import keeps each email with one participant, lets participants exchange theirs, and finds them by it where they have no id.

import assert from "node:assert/strict";
import { test } from "node:test";
import { people } from "../support/client.ts";
import { type Person, person, pointers, refused, roster, summary } from "../support/imports.ts";
import { sharedService } from "../support/service.ts";

const service = await sharedService();

test("an email of someone outside the payload is refused, with every position, and nothing changes", async () => {
  const { client, screenerId } = await service.screener();
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
  const { client, screenerId } = await service.screener();
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
  const { client, screenerId } = await service.screener();
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
  const { client, screenerId } = await service.screener();
  await client.import(screenerId, [person("a", "ada@example.org")]);
  const { status, body } = await client.import(screenerId, [person("a", "Ada@Example.org")]);
  assert.deepEqual([status, body[0].email], [200, "Ada@Example.org"]);
  assert.equal((await client.get("/participants")).body.items[0].email, "Ada@Example.org");
  assert.deepEqual(await summary(client), { rows: 1, created: 0, updated: 1, unchanged: 0, assigned: 0, removed: 0 });
});

test("an email that was cleared, or that left with its case, is free", async () => {
  const { client, screenerId } = await service.screener();
  const [row] = (await client.import(screenerId, [person("a", "a@x")])).body;
  await client.patch(`/participants/${row.participantId}`, { email: null });
  assert.equal((await client.import(screenerId, [person("b", "A@X")])).status, 200);
  await refused(client, client.import(screenerId, [person("a", "a@x")]), 409, ["/participants/0/email"]);
});

const IMPORT = "/screener-participants-import";

/** Rows of people without ids. */
const mails = (from: number, to: number, name = "Name") =>
  Array.from({ length: to - from }, (_, index) => ({ email: `m${from + index}@x`, name: `${name} ${from + index}` }));

// Small and large imports work differently, and so do many removals.
for (const [size, count] of [
  ["small", 10],
  ["large", 400],
  ["very large", 6000],
] as const) {
  test(`a ${size} list without ids makes nobody twice, changes those it names, and can be undone`, async () => {
    const { client, screenerId } = await service.screener();
    const send = (participants: object[], more = {}) =>
      client.post(IMPORT, { screenerId, participants, matchBy: "email", ...more });
    const counts = (rows: number, created: number, updated: number, removed = 0) => ({
      ...{ rows, created, updated, unchanged: rows - created - updated, assigned: created, removed },
    });
    const first = await send(mails(0, count));
    assert.equal(first.status, 200, first.text);
    assert.deepEqual(await summary(client), counts(count, count, 0));
    const ids = first.body.map((row: { externalParticipantUid: string }) => row.externalParticipantUid);
    assert.equal(new Set(ids).size, count);
    assert.match(ids[0], /^added-[0-9a-f-]{36}$/);
    const shouted = mails(0, count).map(({ email, name }) => ({ email: ` ${email} `, name }));
    const again = await send(shouted);
    assert.deepEqual(again.body, first.body);
    assert.deepEqual(await summary(client), counts(count, 0, 0));

    const before = await client.all("/participants");
    const changed = [...mails(0, 2, "Other"), ...mails(2, 4), ...mails(count, count + 3)];
    const { body: plan } = await send(changed, { importMode: "FULL_SYNC", dryRun: true });
    assert.deepEqual([plan.status, plan.summary], ["PLANNED", counts(7, 3, 2, count - 4)]);
    const planned = (await client.get(`/jobs/${plan.id}/rows?filter[outcome][ne]=REMOVED`)).body.items;
    assert.deepEqual(
      planned.map((row: { externalUid: string | null }) => row.externalUid),
      [...ids.slice(0, 4), null, null, null],
    );
    assert.deepEqual(await client.all("/participants"), before);
    const applied = await client.post(`/jobs/${plan.id}/apply`, {});
    assert.deepEqual([applied.body.status, applied.body.summary], ["SUCCEEDED", plan.summary]);
    assert.deepEqual(
      (await client.all(`/screener-participants?filter[screenerId][eq]=${screenerId}`)).map(({ email, name }) => ({
        ...{ email, name },
      })),
      changed,
    );
    const [row] = (await client.get(`/jobs/${plan.id}/rows?filter[externalUid][eq]=${ids[1]}`)).body.items;
    assert.deepEqual([row.position, row.outcome], [1, "UPDATED"]);
    const undone = await client.post(`/jobs/${plan.id}/undo`, {});
    assert.equal(undone.body.status, "SUCCEEDED", undone.text);
    const plain = (all: Person[]) => all.map(({ externalUid, email, name }) => ({ externalUid, email, name }));
    assert.deepEqual(plain(await client.all("/participants")), plain(before));
  });
}

test("a plan by email is outdated once somebody has one of its emails", async () => {
  const { client, screenerId } = await service.screener();
  const participants = mails(0, 3);
  const { body: plan } = await client.post(IMPORT, { screenerId, participants, matchBy: "email", dryRun: true });
  await client.post("/participants", person("known", "M1@X"));
  const { status, body } = await client.post(`/jobs/${plan.id}/apply`, {});
  assert.deepEqual([status, body.code, pointers(body)], [409, "plan_outdated", ["/participants/1"]]);
});

test("each wrong row of a list without ids is named, whatever order the members of the payload have", async () => {
  const { client, screenerId } = await service.screener();
  const known = await client.post("/participants", person("known", "known@x"));
  const rows: unknown[] = [
    { email: "twice@x", name: "A" },
    { email: "TWICE@x", name: "B" },
    { name: "Without" },
    { externalUid: "P-1", email: "known@x" },
    { externalUid: "P-2" },
    { email: "no email", name: "C" },
    { email: "good@x" },
    7,
    { email: null, externalUid: 7 },
  ];
  const expected = [
    "/participants/0/email",
    "/participants/1/email",
    "/participants/2/email",
    "/participants/3/externalUid",
    "/participants/4/externalUid",
    "/participants/4/email",
    "/participants/5/email",
    "/participants/7",
    "/participants/8/email",
    "/participants/8/externalUid",
  ];
  await refused(client, client.post(IMPORT, { screenerId, matchBy: "email", participants: rows }), 400, expected);
  await refused(client, client.post(IMPORT, { participants: rows, matchBy: "email", screenerId }), 400, expected);
  const { body: people } = await client.post(IMPORT, {
    ...{ screenerId, matchBy: "email", onRowError: "SKIP", importMode: "FULL_SYNC" },
    participants: [...rows.slice(0, 2), ...rows.slice(3, 4), ...rows.slice(5, 7)],
  });
  assert.deepEqual(
    people.map(({ email, name }: Person) => ({ email, name })),
    [{ email: "good@x", name: null }],
  );
  assert.equal((await client.get(`/participants/${known.body.id}`)).status, 200);
  // Without the member, rows need an id as ever.
  await refused(client, client.post(IMPORT, { screenerId, participants: [{ email: "a@x", name: "A" }] }), 400, [
    "/participants/0/externalUid",
  ]);
});

test("a FULL_SYNC by email keeps whom a wrong row means, and nobody goes where it may mean anybody", async () => {
  const { client, screenerId } = await service.screener();
  await client.post(IMPORT, { screenerId, participants: mails(0, 4), matchBy: "email" });
  const sync = (participants: object[]) =>
    client.post(IMPORT, { screenerId, participants, matchBy: "email", importMode: "FULL_SYNC", onRowError: "SKIP" });
  const wrong = { email: "M1@x", name: 7 };
  assert.equal((await sync([...mails(0, 1), wrong])).status, 200);
  const left = await client.all(`/screener-participants?filter[screenerId][eq]=${screenerId}`);
  assert.deepEqual(
    left.map(({ email }) => email),
    ["m0@x", "m1@x"],
  );
  assert.equal((await sync([...mails(0, 1), { name: "Nobody knows" }])).status, 200);
  assert.equal((await client.all(`/screener-participants?filter[screenerId][eq]=${screenerId}`)).length, 2);
});

test("a CSV without a column of ids is matched by its emails, and one with such a column is refused", async () => {
  const { client, screenerId } = await service.screener();
  const send = (csv: string, query = "") =>
    client.call("POST", `${IMPORT}?screenerId=${screenerId}&matchBy=email${query}`, {
      raw: csv,
      headers: { "Content-Type": "text/csv" },
    });
  const csv = "E-Mail;First name;city\r\nada@x;Ada, L.;Bath\r\nbo@x;Bo;\r\n";
  const columns = "&columns[First%20name]=name.first";
  const sent = await send(csv, columns);
  assert.equal(sent.status, 200, sent.text);
  const people = await roster(client);
  assert.deepEqual((await send(csv, columns)).body, sent.body);
  assert.deepEqual(await roster(client), people);
  const { status, body } = await send("id,External UID,email\r\n1,P-1,ada@x\r\n");
  assert.deepEqual([status, body.errors.length], [400, 1]);
  assert.match(body.errors[0].message, /^line 1, column 2: is the externalUid, and rows are matched by email/);
  assert.match((await send("name\r\nAda\r\n")).body.errors[0].message, /the file has no column email/);
  const mapped = await send("External UID,email\r\nP-1,ada@x\r\n", "&columns[External%20UID]=attributes");
  assert.equal(mapped.status, 200, mapped.text);
});

test("somebody who is erased is forgotten by a plan that knows only the email", async () => {
  const { client, screenerId } = await service.screener();
  for (const count of [3, 400]) {
    const participants = [{ email: "gone@x", name: "Dorothea Quux" }, ...mails(0, count)];
    const { body: plan } = await client.post(IMPORT, { screenerId, participants, matchBy: "email", dryRun: true });
    const { body: known } = await client.post("/participants", person("D-1", "Gone@x", "D. Q."));
    assert.equal((await client.delete(`/participants/${known.id}`)).status, 200);
    const job = (await client.get(`/jobs/${plan.id}`)).body;
    assert.deepEqual([job.status, job.problem?.code], ["CANCELLED", "plan_outdated"]);
    assert.doesNotMatch((await client.get(`/jobs/${plan.id}/rows?pagination[limit]=500`)).text, /Quux|gone@x/i);
  }
});
