// /screeners

import assert from "node:assert/strict";
import { test } from "node:test";
import { ALL_OFF } from "../../src/signals/settings.ts";
import { TIMESTAMP, UNKNOWN, UUID_V7 } from "../support/client.ts";
import { sharedService } from "../support/service.ts";
import { tokenFor } from "../support/store.ts";
import { until } from "../support/until.ts";

const service = await sharedService();

/** What is wrong, by pointer. */
function errors(body: { errors: { pointer: string; message: string }[] }): Record<string, string> {
  return Object.fromEntries(body.errors.map(({ pointer, message }) => [pointer, message]));
}

test("a new screener is answered whole, and is where its Location says", async () => {
  const client = service.workspace();
  const before = new Date().toISOString();
  const { status, headers, body } = await client.post("/screeners", { title: "Coffee", description: "Who drinks it" });
  assert.equal(status, 201);
  assert.match(headers.get("content-type")!, /^application\/json/);
  const { id, createdBy, createdAt, updatedBy, updatedAt, ...rest } = body;
  assert.deepEqual(rest, {
    _type: "Screener",
    title: "Coffee",
    description: "Who drinks it",
    activePublicationId: null,
    acceptance: "OPEN",
    opensAt: null,
    closesAt: null,
    timeZone: "UTC",
    linkExpiresAt: null,
    quotaHoldMinutes: 30,
    review: "NONE",
    archived: false,
    signals: ALL_OFF,
  });
  assert.match(id, UUID_V7);
  assert.equal(createdBy._type, "ApplicationActor");
  assert.deepEqual(Object.keys(createdBy), ["_type", "id", "name"]);
  assert.deepEqual(updatedBy, createdBy);
  assert.match(createdAt, TIMESTAMP);
  assert.ok(createdAt >= before && createdAt <= new Date().toISOString());
  assert.equal(updatedAt, createdAt);
  assert.equal(headers.get("location"), `/screeners/${id}`);
  const read = await client.get(headers.get("location")!);
  assert.equal(read.status, 200);
  assert.deepEqual(read.body, body);
});

test("a description is optional", async () => {
  const client = service.workspace();
  for (const description of [undefined, null]) {
    const { status, body } = await client.post("/screeners", { title: "T", description });
    assert.equal(status, 201);
    assert.equal(body.description, null);
  }
});

test("a title is trimmed; a description is kept as it was written", async () => {
  const client = service.workspace();
  const { body } = await client.post("/screeners", { title: "\t Tea \n", description: " two\n lines " });
  assert.equal(body.title, "Tea");
  assert.equal(body.description, " two\n lines ");
  const changed = await client.patch(`/screeners/${body.id}`, { title: "  Mate " });
  assert.equal(changed.body.title, "Mate");
});

test("a title has 1 to 500 characters, a description at most 10,000", async () => {
  const client = service.workspace();
  const longest = { title: "😀".repeat(500), description: "é".repeat(10_000) };
  const { status, body } = await client.post("/screeners", longest);
  assert.equal(status, 201);
  assert.deepEqual({ title: body.title, description: body.description }, longest);
  for (const one of [
    await client.post("/screeners", { title: "😀".repeat(501), description: "é".repeat(10_001) }),
    await client.patch(`/screeners/${body.id}`, { title: "x".repeat(501), description: "x".repeat(10_001) }),
  ]) {
    assert.equal(one.status, 400);
    assert.deepEqual(Object.keys(errors(one.body)).sort(), ["/description", "/title"]);
    assert.equal(one.body.errorCount, 2);
  }
  assert.equal((await client.post("/screeners", { title: `  ${"x".repeat(500)}  ` })).status, 201);
  assert.deepEqual((await client.get(`/screeners/${body.id}`)).body, body);
});

test("a screener without a title is refused, and the answer lists everything that is wrong", async () => {
  const client = service.workspace();
  for (const title of [undefined, null, "", " \t\n", 5, true, [], {}]) {
    const { status, body } = await client.post("/screeners", { title, description: 7 });
    assert.equal(status, 400);
    assert.equal(body.code, "invalid_request");
    assert.equal(body.status, 400);
    assert.deepEqual(Object.keys(errors(body)).sort(), ["/description", "/title"]);
  }
  assert.equal(errors((await client.post("/screeners", {})).body)["/title"], "is required");
  assert.equal(errors((await client.post("/screeners", { title: " " })).body)["/title"], "is required");
  assert.equal((await client.get("/screeners")).body.total, 0);
});

test("a change changes the members that were sent, and records who made it and when", async () => {
  const client = service.workspace();
  const made = (await client.post("/screeners", { title: "Old", description: "Keep" })).body;
  const { accessToken, user } = await tokenFor(service, client, "Ada");
  await until(() => new Date().toISOString() > made.createdAt, "the clock goes on");
  const { status, body } = await client.call("PATCH", `/screeners/${made.id}`, {
    body: { title: "New" },
    headers: { Authorization: `Bearer ${accessToken}` },
  });
  assert.equal(status, 200);
  const updatedBy = { _type: "TenantUserActor", id: user.id, name: "Ada" };
  assert.deepEqual(body, { ...made, title: "New", updatedBy, updatedAt: body.updatedAt });
  assert.ok(body.updatedAt > made.updatedAt);
  assert.deepEqual((await client.get(`/screeners/${made.id}`)).body, body);
});

test("null clears a title and a description", async () => {
  const client = service.workspace();
  const { body } = await client.post("/screeners", { title: "T", description: "D" });
  const cleared = await client.patch(`/screeners/${body.id}`, { title: null, description: null });
  assert.equal(cleared.status, 200);
  assert.deepEqual([cleared.body.title, cleared.body.description], [null, null]);
  const again = await client.patch(`/screeners/${body.id}`, { title: "T2" });
  assert.deepEqual([again.body.title, again.body.description], ["T2", null]);
});

test("a change that changes nothing, such as sending back what was read, leaves updatedBy and updatedAt as they were", async () => {
  const client = service.workspace();
  const made = (await client.post("/screeners", { title: "T", description: null })).body;
  const { accessToken } = await tokenFor(service, client, "Ada");
  await until(() => new Date().toISOString() > made.createdAt, "the clock goes on");
  for (const change of [{}, { title: "T" }, { title: " T " }, { title: "  " }, { description: null }, made]) {
    const { status, body } = await client.call("PATCH", `/screeners/${made.id}`, {
      body: change,
      headers: { Authorization: `Bearer ${accessToken}` },
    });
    assert.equal(status, 200);
    assert.deepEqual(body, made, JSON.stringify(change));
  }
});

test("fields that are not known are ignored, and ids and audit fields can't be written", async () => {
  const client = service.workspace();
  const foreign = { id: UNKNOWN, _type: "Other", createdAt: null, activePublicationId: UNKNOWN, more: { deep: [1] } };
  const made = await client.post("/screeners", { title: "T", ...foreign });
  assert.equal(made.status, 201);
  const changed = await client.patch(`/screeners/${made.body.id}`, { ...foreign, title: "T2" });
  for (const { body } of [made, changed]) {
    assert.equal(body._type, "Screener");
    assert.notEqual(body.id, UNKNOWN);
    assert.equal(body.activePublicationId, null);
    assert.match(body.createdAt, TIMESTAMP);
    assert.equal(body.more, undefined);
  }
});

test("an unknown id, or text that is no id, answers 404", async () => {
  const client = service.workspace();
  const id = await client.screener();
  for (const unknown of [UNKNOWN, "x", "1", "null", `${id}0`, "%00", "a%2Fb", "💥", "__proto__"]) {
    for (const answer of [
      await client.get(`/screeners/${unknown}`),
      await client.patch(`/screeners/${unknown}`, { title: "T" }),
      await client.get(`/screeners/${unknown}/publications`),
    ]) {
      assert.equal(answer.status, 404, unknown);
      assert.equal(answer.body.code, "screener_not_found", unknown);
      assert.match(answer.headers.get("content-type")!, /^application\/problem\+json/);
    }
  }
});

test("screeners are listed oldest first", async () => {
  const client = service.workspace();
  const made = [];
  for (let i = 0; i < 12; i++) made.push((await client.post("/screeners", { title: `T${i}` })).body);
  await client.patch(`/screeners/${made[0].id}`, { description: "changed last" });
  made[0] = (await client.get(`/screeners/${made[0].id}`)).body;
  const { body } = await client.get("/screeners");
  assert.deepEqual(body, { _type: "PaginatedScreener", total: 12, limit: 100, offset: 0, items: made });
  const some = await client.get("/screeners?pagination[offset]=5&pagination[limit]=3");
  assert.deepEqual(some.body, {
    _type: "PaginatedScreener",
    total: 12,
    limit: 3,
    offset: 5,
    items: made.slice(5, 8),
  });
});

test("any text comes back as it was sent", async () => {
  const client = service.workspace();
  const controls = Array.from({ length: 31 }, (_, code) => String.fromCharCode(code + 1)).join("");
  for (const description of [
    `"quoted" \\ back / slash`,
    controls,
    "\u007f\u0080\u2028\u2029\ufeff\ufffd\uffff",
    "日本語 😀 e\u0301 👩‍👩‍👧 עברית",
    "'; DROP TABLE screener; --",
    '{"json":[1]}',
    "</script>%00\\u0000",
  ]) {
    const { status, body } = await client.post("/screeners", { title: "T", description });
    assert.equal(status, 201);
    assert.equal(body.description, description);
    assert.equal((await client.get(`/screeners/${body.id}`)).body.description, description);
  }
  const listed = (await client.get("/screeners")).body.items;
  assert.equal(listed[1].description, controls);
});

test("text with U+0000 or a lone surrogate is refused, wherever it is", async () => {
  const client = service.workspace();
  const cases: [string, string[]][] = [
    ['{"title":"a\\u0000b"}', ["/title"]],
    ['{"title":"\\ud83d"}', ["/title"]],
    ['{"title":"\\uDE00\\uD83D"}', ["/title"]],
    ['{"title":"T","more":[1,{"a/b~c":"\\u0000"}]}', ["/more/1/a~1b~0c"]],
    ['{"title":"T","\\u0000":1}', [""]],
    ['{"title":"\\u0000","description":"\\ud800"}', ["/title", "/description"]],
  ];
  for (const [raw, pointers] of cases) {
    const { status, body } = await client.call("POST", "/screeners", { raw });
    assert.equal(status, 400, raw);
    assert.equal(body.code, "invalid_request");
    assert.deepEqual(new Set(Object.keys(errors(body))), new Set(pointers), raw);
  }
  const pair = await client.call("POST", "/screeners", { raw: '{"title":"\\ud83d\\ude00 \\\\u0000"}' });
  assert.equal(pair.body.title, "😀 \\u0000");
});

test("a body that is no JSON object is refused", async () => {
  const client = service.workspace();
  const id = await client.screener();
  const bodies = [
    "",
    " ",
    "{",
    '{"title":"T"',
    "null",
    "5",
    '"T"',
    "[]",
    '[{"title":"T"}]',
    '{"title":"T",}',
    "{title:1}",
  ];
  for (const raw of [...bodies, Buffer.from([0x7b, 0xff, 0x7d]), Buffer.from('{"title":"T"}', "utf16le")]) {
    for (const [method, path] of [
      ["POST", "/screeners"],
      ["PATCH", `/screeners/${id}`],
    ] as const) {
      const { status, body } = await client.call(method, path, { raw });
      assert.equal(status, 400, `${method} ${raw}`);
      assert.equal(body.code, "invalid_request");
      assert.deepEqual(Object.keys(errors(body)), [""]);
    }
  }
  assert.equal((await client.get("/screeners")).body.total, 1);
});

test("a body that does not say that it is JSON is refused with 415", async () => {
  const client = service.workspace();
  const raw = '{"title":"T"}';
  for (const type of [
    "text/plain",
    "application/x-www-form-urlencoded",
    "application/jsonp",
    "application/json; charset=latin1",
  ]) {
    const { status, body } = await client.call("POST", "/screeners", { raw, headers: { "Content-Type": type } });
    assert.equal(status, 415, type);
    assert.equal(body.code, "unsupported_media_type");
  }
  const bytes = Buffer.from(raw);
  assert.equal((await client.call("POST", "/screeners", { raw: bytes, headers: { "Content-Type": "" } })).status, 415);
  for (const type of ["application/json", "Application/JSON; Charset=UTF-8", "application/merge-patch+json"]) {
    const { status } = await client.call("POST", "/screeners", { raw, headers: { "Content-Type": type } });
    assert.equal(status, 201, type);
  }
});

test("a body may have 1 MiB, and not a byte more", async () => {
  const client = service.workspace();
  const padded = (bytes: number) => {
    const start = '{"title":"T","more":"';
    return `${start}${"x".repeat(bytes - start.length - 2)}"}`;
  };
  assert.equal((await client.call("POST", "/screeners", { raw: padded(1024 * 1024) })).status, 201);
  const { status, body } = await client.call("POST", "/screeners", { raw: padded(1024 * 1024 + 1) });
  assert.equal(status, 413);
  assert.equal(body.code, "body_too_large");
  assert.equal((await client.get("/screeners")).body.total, 1);
});
