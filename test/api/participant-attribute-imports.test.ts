// Attributes in imports: rows merge them, and plans and undo show and take back each.

import assert from "node:assert/strict";
import { test } from "node:test";
import type { Client } from "../support/client.ts";
import { person } from "../support/imports.ts";
import { sharedService } from "../support/service.ts";

const service = await sharedService();

const row = (uid: string, attributes?: unknown) => ({
  ...person(uid),
  ...(attributes !== undefined && { attributes }),
});

/** The attributes of all participants, by externalUid. */
async function attributes(client: Client): Promise<Record<string, unknown>> {
  const all = await client.all("/participants");
  return Object.fromEntries(all.map((one) => [one.externalUid, one.attributes]));
}

/** `pointer message` of each error. */
const errors = ({ body }: { body: { errors: { pointer: string; message: string }[] } }) =>
  body.errors.map(({ pointer, message }) => `${pointer} ${message}`);

async function changesOf(client: Client, job: string): Promise<Record<string, unknown>> {
  const { body } = await client.get(`/jobs/${job}/rows`);
  return Object.fromEntries(
    body.items.map((item: { externalUid: string; changes: unknown }) => [item.externalUid, item.changes]),
  );
}

// A small import has its scratch store in memory, a large one in a file.
for (const [size, more] of [
  ["small", []],
  ["large", Array.from({ length: 300 }, (_, index) => row(`more-${index}`))],
] as const) {
  test(`the rows of a ${size} import merge attributes, and null removes a key`, async () => {
    const { client, screenerId } = await service.screener();
    const first = [
      row("A", { country: "GB", age: 42, member: true }),
      row("B", { " country ": "DE", gone: null }),
      row("C"),
      row("D", null),
      row("E", {}),
      ...more,
    ];
    assert.equal((await client.import(screenerId, first)).status, 200);
    const { A, B, C, D, E } = await attributes(client);
    assert.deepEqual(
      { A, B, C, D, E },
      { A: { country: "GB", age: 42, member: true }, B: { country: "DE" }, C: {}, D: {}, E: {} },
    );
    const second = [
      row("A", { age: 43, member: null, zip: "1" }),
      row("B", { country: null }),
      row("C", { country: "FR" }),
      row("D"),
      row("E", null),
      ...more,
    ];
    assert.equal((await client.import(screenerId, second)).status, 200);
    const now = await attributes(client);
    assert.deepEqual(now.A, { country: "GB", age: 43, zip: "1" });
    assert.deepEqual([now.B, now.C, now.D, now.E], [{}, { country: "FR" }, {}, {}]);
    const { text } = await client.get("/participants", { Accept: "text/csv" });
    assert.match(text, /,attributes\.age,attributes\.country,attributes\.member,attributes\.zip\r\n/);
  });

  test(`our own CSV, sent back in a ${size} import, changes nothing`, async () => {
    const { client, screenerId } = await service.screener();
    const rows = [row("A", { n: 42, yes: true, text: "7", e: 1e21 }), row("B", { n: "x" }), ...more];
    await client.import(screenerId, rows);
    const before = await client.all("/participants");
    const { text } = await client.get("/participants", { Accept: "text/csv" });
    const send = (raw: string) =>
      client.call("POST", `/screener-participants-import?screenerId=${screenerId}`, {
        raw,
        headers: { "Content-Type": "text/csv" },
      });
    assert.equal((await send(text)).status, 200);
    assert.deepEqual(await client.all("/participants"), before);
    assert.equal((await send(text.replace(",42,", ",43,"))).status, 200);
    assert.deepEqual((await attributes(client)).A, { n: "43", yes: true, text: "7", e: 1e21 });
  });

  test(`a row of a ${size} import that changes no attribute leaves updatedAt alone`, async () => {
    const { client, screenerId } = await service.screener();
    const rows = [row("A", { b: 1, a: "x", 10: true, 9: null }), row("B", { n: 1.5 }), row("C"), ...more];
    await client.import(screenerId, rows);
    const before = await client.all("/participants");
    for (const again of [rows, [row("A", { a: "x" }), row("B", { x: null })], [row("A", {}), row("B", null)]]) {
      assert.equal((await client.import(screenerId, again)).status, 200);
      assert.deepEqual(await client.all("/participants"), before);
    }
  });

  test(`a plan of a ${size} import shows each attribute that changes, and is applied as shown`, async () => {
    const { client, screenerId } = await service.screener();
    await client.import(screenerId, [
      row("A", { country: "GB", age: 42, member: true, "a.b": 1e21 }),
      row("C"),
      ...more,
    ]);
    const before = await attributes(client);
    const rows = [
      row("A", { age: "42", member: null, country: "GB", "a.b": 1 }),
      row("B", { new: false }),
      row("C", {}),
      ...more,
    ];
    const planned = await client.import(screenerId, rows, { dryRun: true });
    assert.equal(planned.body.status, "PLANNED");
    assert.deepEqual(await attributes(client), before);
    const changes = await changesOf(client, planned.body.id);
    assert.deepEqual(changes.A, [
      { field: "attributes.a.b", from: 1e21, to: 1 },
      { field: "attributes.age", from: 42, to: "42" },
      { field: "attributes.member", from: true, to: null },
    ]);
    assert.deepEqual((changes.B as unknown[]).at(-1), { field: "attributes.new", from: null, to: false });
    assert.deepEqual(changes.C, []);
    const applied = await client.post(`/jobs/${planned.body.id}/apply`, {});
    assert.equal(applied.status, 200, applied.text);
    const after = await attributes(client);
    assert.deepEqual([after.A, after.B], [{ country: "GB", age: "42", "a.b": 1 }, { new: false }]);

    // A plan is outdated when an attribute has changed since.
    const other = await client.import(screenerId, [row("A", { age: 1 }), ...more], { dryRun: true });
    const [{ id }] = (await client.get("/participants?filter[externalUid][eq]=A")).body.items;
    await client.patch(`/participants/${id}`, { attributes: { age: 2 } });
    const outdated = await client.post(`/jobs/${other.body.id}/apply`, {});
    assert.deepEqual([outdated.status, outdated.body.code], [409, "plan_outdated"]);
  });

  test(`an undo of a ${size} import takes attributes back, and its own undo brings them again`, async () => {
    const { client, screenerId } = await service.screener();
    await client.import(screenerId, [row("A", { country: "GB", age: 42 }), ...more]);
    const before = await attributes(client);
    await client.import(screenerId, [row("A", { age: null, zip: 1 }), row("B", { country: "DE" }), ...more]);
    const after = await attributes(client);
    const job = (await client.all("/jobs")).at(-1);
    const undone = await client.post(`/jobs/${job.id}/undo`, {});
    assert.equal(undone.status, 200, undone.text);
    assert.deepEqual(await attributes(client), before);
    const undo = (await client.all("/jobs")).at(-1);
    assert.deepEqual((await changesOf(client, undo.id)).A, [
      { field: "attributes.age", from: null, to: 42 },
      { field: "attributes.zip", from: 1, to: null },
    ]);
    assert.equal((await client.post(`/jobs/${undo.id}/undo`, {})).status, 200);
    assert.deepEqual(await attributes(client), after);
  });
}

test("wrong attributes are listed by row and key, and nothing is imported", async () => {
  const { client, screenerId } = await service.screener();
  const keys = (count: number, from = 0) =>
    Object.fromEntries(Array.from({ length: count }, (_, index) => [`key ${from + index}`, index]));
  const answer = await client.import(screenerId, [
    row("A", { country: ["GB"], long: "x".repeat(1001) }),
    row("B", "text"),
    { ...row("C", { " ": 1 }), email: "no" },
    row("D", keys(151)),
  ]);
  assert.equal(answer.status, 400);
  const found = errors(answer);
  for (const [index, expected] of [
    /^\/participants\/0\/attributes\/country must be a string, a number, true or false \(row 1, A/,
    /^\/participants\/0\/attributes\/long must be at most 1000 characters/,
    /^\/participants\/1\/attributes must be an object or null/,
    /^\/participants\/2\/email must be an email/,
    /^\/participants\/2\/attributes\/ {2}must have a key/,
    /^\/participants\/3\/attributes must have at most 150 keys/,
  ].entries())
    assert.match(found[index] ?? "", expected, JSON.stringify(found));
  assert.equal(found.length, 6);
  assert.deepEqual(await client.all("/participants"), []);

  // What a row brings together with what is there.
  await client.import(screenerId, [row("A", keys(149)), row("B")]);
  const before = await client.all("/participants");
  const merged = [row("A", { more: 1, "one more": 2 }), row("B", { a: 1 })];
  const refused = await client.import(screenerId, merged);
  assert.equal(refused.status, 400);
  assert.match(
    errors(refused).join(),
    /^\/participants\/0\/attributes must have at most 150 keys, together with those that the participant has \(row 1, A: "\{[^,]*"key 0[^)]*\)$/,
  );
  assert.deepEqual(await client.all("/participants"), before);
  // The same row may also be skipped, or remove as many as it adds.
  assert.equal((await client.import(screenerId, merged, { onRowError: "SKIP" })).status, 200);
  const { A, B } = await attributes(client);
  assert.deepEqual([A, B], [keys(149), { a: 1 }]);
  assert.equal((await client.import(screenerId, [row("A", { more: 1, "one more": 2, "key 0": null })])).status, 200);
});

test("an import can't bring a workspace above its number of keys", async () => {
  const { client, screenerId } = await service.screener();
  const keys = (from: number) =>
    Object.fromEntries(Array.from({ length: 125 }, (_, index) => [`key ${from + index}`, 1]));
  const rows = Array.from({ length: 8 }, (_, index) => row(`P-${index}`, keys(index * 125)));
  assert.equal((await client.import(screenerId, rows)).status, 200);
  const refused = await client.import(screenerId, [row("P-0", { "key 5": 2, more: 1 })]);
  assert.deepEqual(errors(refused), [
    "/participants have new keys of attributes, and the participants of a workspace may have 1000 different keys",
  ]);
  assert.equal((await client.import(screenerId, [row("P-0", { "key 5": 2 })])).status, 200);
});
