// Attributes of participants: POST, PATCH and GET.

import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { sharedService } from "../support/service.ts";

const service = await sharedService();
const client = service.workspace();

let number = 0;

/** A new participant with these attributes. */
async function create(attributes?: unknown, of = client) {
  const externalUid = `A-${number++}`;
  return of.post("/participants", { externalUid, email: `${externalUid}@example.org`, name: "Ada", attributes });
}

/** What a problem says: `pointer message`. */
function errors(body: { errors: { pointer: string; message: string }[] }): string[] {
  return body.errors.map(({ pointer, message }) => `${pointer} ${message}`).sort();
}

const keys = (count: number, from = 0) =>
  Object.fromEntries(Array.from({ length: count }, (_, index) => [`key ${from + index}`, index]));

test("a new participant has the attributes that it is given, or none", async () => {
  const given = {
    country: "GB",
    age: 42,
    "is.member": true,
    balance: -0.5,
    " spaced ": " kept ",
    empty: "",
    gone: null,
  };
  const kept = { country: "GB", age: 42, "is.member": true, balance: -0.5, spaced: " kept ", empty: "" };
  const { status, body } = await create(given);
  assert.equal(status, 201);
  assert.deepEqual(body.attributes, kept);
  assert.deepEqual((await client.get(`/participants/${body.id}`)).body, body);
  for (const none of [undefined, null, {}]) assert.deepEqual((await create(none)).body.attributes, {});
  const listed = await client.all("/participants");
  assert.deepEqual(listed.find(({ id }) => id === body.id).attributes, kept);
});

test("a change merges key by key: what is left out stays, null removes, null for all clears", async () => {
  const { body } = await create({ country: "GB", age: 42, plan: "gold" });
  const path = `/participants/${body.id}`;
  const changed = await client.patch(path, { attributes: { age: 43, plan: null, " town ": "York", unknown: null } });
  assert.equal(changed.status, 200);
  assert.deepEqual(changed.body.attributes, { age: 43, country: "GB", town: "York" });
  assert.ok(changed.body.updatedAt > body.updatedAt);
  assert.deepEqual((await client.patch(path, { name: "Grace" })).body.attributes, changed.body.attributes);
  assert.deepEqual((await client.patch(path, { attributes: null })).body.attributes, {});
});

test("a change that changes no attribute leaves updatedAt alone", async () => {
  const { body } = await create({ b: 1, a: "x", 10: true, 9: "1" });
  const path = `/participants/${body.id}`;
  for (const attributes of [
    {},
    { a: "x" },
    { 9: "1", b: 1 },
    { b: 1.0, " a": "x" },
    { unknown: null },
    body.attributes,
  ])
    assert.deepEqual((await client.patch(path, { attributes })).body, body);
  // The type is a part of the value.
  for (const attributes of [{ b: "1" }, { 9: 1 }, { 10: "true" }])
    assert.notEqual((await client.patch(path, { attributes })).body.updatedAt, body.updatedAt);
});

test("everything that is wrong is listed, each with its pointer", async () => {
  const { body: kept } = await create({ a: 1 });
  const attributes = {
    country: ["GB"],
    "a/b": { first: "x" },
    long: "x".repeat(1001),
    " ": 1,
    [`k${"k".repeat(100)}`]: 1,
    twice: 1,
    "twice ": 2,
    right: 3,
    " ignored": null,
  };
  const expected = [
    "/attributes/  must have a key of 1 to 100 characters",
    `/attributes/k${"k".repeat(100)} must have a key of 1 to 100 characters`,
    "/attributes/a~1b must be a string, a number, true or false",
    "/attributes/country must be a string, a number, true or false",
    "/attributes/long must be at most 1000 characters",
    "/attributes/twice  is given twice",
  ];
  const posted = await client.post("/participants", { externalUid: "W", email: "no", name: "W", attributes });
  assert.equal(posted.status, 400);
  assert.deepEqual(errors(posted.body), ["/email must be an email, local@domain", ...expected].sort());
  const patched = await client.patch(`/participants/${kept.id}`, { attributes, email: "no" });
  assert.deepEqual(errors(patched.body), errors(posted.body));
  for (const wrong of ["text", 5, true, [], [{}]]) {
    const { status, body } = await create(wrong);
    assert.equal(status, 400);
    assert.deepEqual(errors(body), ["/attributes must be an object or null"]);
  }
  const raw = (text: string) =>
    client.call("PATCH", `/participants/${kept.id}`, { raw: `{"attributes":{"n":${text}}}` });
  assert.deepEqual(errors((await raw("1e999")).body), ["/attributes/n must be a finite number"]);
  assert.deepEqual(errors((await raw('"\\u0000"')).body), ["/attributes/n holds U+0000 or a lone surrogate"]);
  assert.deepEqual((await client.get(`/participants/${kept.id}`)).body, kept);
});

test("limits hold for what is sent, and for what a participant then has", async () => {
  const many = await create(keys(150));
  assert.equal(many.status, 201);
  const tooMany = "must have at most 150 keys";
  assert.deepEqual(errors((await create(keys(151))).body), [`/attributes ${tooMany}`]);
  const path = `/participants/${many.body.id}`;
  const oneMore = await client.patch(path, { attributes: { more: 1 } });
  assert.equal(oneMore.status, 400);
  assert.deepEqual(errors(oneMore.body), [`/attributes ${tooMany}, together with those that it has`]);
  const exchanged = await client.patch(path, { attributes: { more: 1, "key 0": null } });
  assert.equal(Object.keys(exchanged.body.attributes).length, 150);

  // 15 values and their keys, and one that fills 16 KiB to the last byte. An ä has two bytes.
  const texts = Object.fromEntries(Array.from({ length: 15 }, (_, index) => [`text ${index + 10}`, "x".repeat(1000)]));
  const room = 16 * 1024 - JSON.stringify({ ...texts, last: "" }).length;
  const full = await create({ ...texts, last: `${"ä".repeat(room / 2)}${"x".repeat(room % 2)}` });
  assert.equal(full.status, 201);
  const tooLong = "must have at most 16384 bytes as JSON";
  const over = { ...texts, last: `${"ä".repeat(room / 2)}${"x".repeat((room % 2) + 1)}` };
  assert.deepEqual(errors((await create(over)).body), [`/attributes ${tooLong}`]);
  const merged = await client.patch(`/participants/${full.body.id}`, { attributes: { b: 1 } });
  assert.deepEqual(errors(merged.body), [`/attributes ${tooLong}, together with those that it has`]);
  assert.deepEqual((await client.get(`/participants/${full.body.id}`)).body, full.body);
});

test("a workspace has at most a thousand different keys", async () => {
  const own = service.workspace();
  for (let from = 0; from < 1000; from += 125) assert.equal((await create(keys(125, from), own)).status, 201);
  const { status, body } = await create({ "key 7": 1, "one more": 1 }, own);
  assert.equal(status, 400);
  assert.deepEqual(errors(body), [
    "/attributes/one more is a new key, and the participants of a workspace may have 1000 different keys",
  ]);
  assert.equal((await create({ "key 7": 1 }, own)).status, 201);
  assert.equal((await own.get("/participants")).body.total, 9);
});

test("whatever keys and values: a participant has what was set last, and what was removed is gone", async () => {
  const key = fc.oneof(
    fc.constantFrom(
      "a",
      "b",
      "__proto__",
      "constructor",
      "1",
      "10",
      "a.b",
      'a"b',
      "a\\b",
      "[0]",
      "$",
      "é",
      "😀",
      "it's",
    ),
    fc.string({ unit: "binary", minLength: 1, maxLength: 20 }).map((text) => text.replaceAll("\0", "").trim() || "x"),
  );
  const value = fc.oneof(
    fc.string({ unit: "binary", maxLength: 30 }).map((text) => text.replaceAll("\0", "")),
    fc.double({ noNaN: true, noDefaultInfinity: true }),
    fc.boolean(),
  );
  const step = fc.array(fc.tuple(key, fc.option(value)), { maxLength: 6 });
  const own = service.workspace();
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 4 }), async (steps) => {
      const model = new Map<string, unknown>();
      const { body } = await create(undefined, own);
      for (const changes of steps) {
        const sent = new Map(changes);
        for (const [name, set] of sent) set === null ? model.delete(name) : model.set(name, set);
        // An object literal can't have a member __proto__.
        const raw = `{"attributes":{${[...sent].map(([name, set]) => `${JSON.stringify(name)}:${JSON.stringify(set)}`)}}}`;
        const patched = await own.call("PATCH", `/participants/${body.id}`, { raw });
        assert.equal(patched.status, 200, patched.text);
        const expected = [...model].map(([name, set]) => [name, Object.is(set, -0) ? 0 : set]);
        assert.deepEqual(new Map(Object.entries(patched.body.attributes)), new Map(expected as [string, unknown][]));
        const again = await own.call("PATCH", `/participants/${body.id}`, { raw });
        assert.equal(again.text, patched.text);
      }
    }),
    { numRuns: 40 },
  );
});
