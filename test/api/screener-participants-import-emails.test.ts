// An import keeps each email with one participant, and lets participants exchange theirs.

import assert from "node:assert/strict";
import { test } from "node:test";
import { people } from "../support/client.ts";
import { type Person, person, refused, summary } from "../support/imports.ts";
import { startService } from "../support/service.ts";

const service = await startService();

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
