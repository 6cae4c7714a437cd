// /participants

import assert from "node:assert/strict";
import { test } from "node:test";
import { people, UNKNOWN, UUID_V7 } from "../support/client.ts";
import { sharedService } from "../support/service.ts";
import { tokenFor } from "../support/store.ts";
import { until } from "../support/until.ts";

const service = await sharedService();

const ada = { externalUid: "U-1", email: "ada@example.org", name: "Ada Lovelace" };

function pointers(body: { errors: { pointer: string }[] }): string[] {
  return body.errors.map(({ pointer }) => pointer).sort();
}

function uids(body: { items: { externalUid: string }[] }): string[] {
  return body.items.map(({ externalUid }) => externalUid);
}

test("a new participant is answered whole, and is where its Location says", async () => {
  const client = service.workspace();
  const { status, headers, body } = await client.post("/participants", ada);
  assert.equal(status, 201);
  const { id, createdBy, createdAt, updatedBy, updatedAt, ...rest } = body;
  assert.deepEqual(rest, { _type: "Participant", ...ada, doNotContact: null, attributes: {} });
  assert.match(id, UUID_V7);
  assert.equal(createdBy._type, "ApplicationActor");
  assert.deepEqual(updatedBy, createdBy);
  assert.match(createdAt, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
  assert.equal(updatedAt, createdAt);
  assert.equal(headers.get("location"), `/participants/${id}`);
  assert.deepEqual((await client.get(`/participants/${id}`)).body, body);
  assert.deepEqual((await client.get("/participants")).body, {
    _type: "PaginatedParticipant",
    total: 1,
    limit: 100,
    offset: 0,
    items: [body],
  });
});

test("a name may be sent as first and last, and is read back as one", async () => {
  const client = service.workspace();
  const names: [unknown, string][] = [
    [{ first: "Ada", last: "Lovelace" }, "Ada Lovelace"],
    [{ first: " Ada ", last: "\tLovelace " }, "Ada Lovelace"],
    [{ first: "Ada" }, "Ada"],
    [{ last: "Lovelace" }, "Lovelace"],
    [{ first: "", last: "Lovelace" }, "Lovelace"],
    [{ first: null, last: "Lovelace" }, "Lovelace"],
    ["  Ada  Lovelace ", "Ada  Lovelace"],
  ];
  for (const [index, [name, read]] of names.entries()) {
    const { status, body } = await client.post("/participants", { externalUid: `${index}`, email: `${index}@x`, name });
    assert.equal(status, 201);
    assert.equal(body.name, read);
    const changed = await client.patch(`/participants/${body.id}`, { name: { first: "Grace", last: "Hopper" } });
    assert.equal(changed.body.name, "Grace Hopper");
  }
});

test("white space around externalUid, email and name is not kept", async () => {
  const client = service.workspace();
  const padded = { externalUid: " U-1\n", email: "\tada@example.org ", name: " Ada Lovelace " };
  const { status, body } = await client.post("/participants", padded);
  assert.equal(status, 201);
  assert.deepEqual([body.externalUid, body.email, body.name], [ada.externalUid, ada.email, ada.name]);
  assert.equal((await client.post("/participants", { ...ada, email: "b@x" })).status, 409);
});

test("the answer lists everything that is missing or wrong", async () => {
  const client = service.workspace();
  const all = ["/email", "/externalUid", "/name"];
  for (const body of [
    {},
    { externalUid: null, email: null, name: null },
    { externalUid: "", email: " ", name: "\t" },
    { externalUid: 5, email: {}, name: ["Ada"] },
    { externalUid: [], email: true, name: { first: " ", last: "" } },
    { externalUid: "x".repeat(256), email: `${"x".repeat(320)}@x`, name: "x".repeat(501) },
    { externalUid: { a: 1 }, email: "ada", name: { first: 5, last: "L" } },
  ]) {
    const answer = await client.post("/participants", body);
    assert.equal(answer.status, 400);
    assert.equal(answer.body.code, "invalid_request");
    assert.deepEqual([...new Set(pointers(answer.body))], all, JSON.stringify(body).slice(0, 80));
  }
  const missing = (await client.post("/participants", {})).body.errors;
  assert.deepEqual(new Set(missing.map(({ message }: { message: string }) => message)), new Set(["is required"]));
  assert.equal((await client.get("/participants")).body.total, 0);
});

test("the longest externalUid, email and name are kept whole", async () => {
  const client = service.workspace();
  const longest = {
    externalUid: "😀".repeat(255),
    email: `${"x".repeat(300)}@${"y".repeat(19)}`,
    name: "é".repeat(500),
  };
  const { status, body } = await client.post("/participants", longest);
  assert.equal(status, 201);
  assert.deepEqual({ externalUid: body.externalUid, email: body.email, name: body.name }, longest);
});

test("an email is local@domain without white space", async () => {
  const client = service.workspace();
  const good = ["a@b", "a+b@example.org", "ünï@exämple.org", "o'hara@x.y", "日本@例え"];
  for (const [index, email] of good.entries()) {
    const { status, body } = await client.post("/participants", { ...ada, externalUid: `${index}`, email });
    assert.equal(status, 201, email);
    assert.equal(body.email, email);
  }
  for (const email of ["ada", "@", "a@", "@b", "a b@c", "a@b c", "a@b@c", "a@b\tc", "a\u00a0b@c", "a\n@b"]) {
    const { status, body } = await client.post("/participants", { ...ada, email });
    assert.equal(status, 400, JSON.stringify(email));
    assert.deepEqual(pointers(body), ["/email"]);
  }
});

test("an externalUid is taken once in a workspace, and is matched exactly", async () => {
  const client = service.workspace();
  const stranger = service.workspace();
  assert.equal((await client.post("/participants", ada)).status, 201);
  const taken = await client.post("/participants", { ...ada, email: "other@example.org" });
  assert.equal(taken.status, 409);
  assert.equal(taken.body.code, "external_uid_taken");
  assert.deepEqual(pointers(taken.body), ["/externalUid"]);
  assert.equal((await client.post("/participants", { ...ada, externalUid: "u-1", email: "b@x" })).status, 201);
  assert.equal((await client.post("/participants", { ...ada, externalUid: "U-1.", email: "c@x" })).status, 201);
  assert.equal((await stranger.post("/participants", ada)).status, 201);
  assert.equal((await client.get("/participants")).body.total, 3);
});

test("an email is taken once in a workspace, whatever its ASCII case, and is kept as sent", async () => {
  const client = service.workspace();
  const stranger = service.workspace();
  const sent = { ...ada, email: "Ada@Example.ORG" };
  assert.equal((await client.post("/participants", sent)).body.email, "Ada@Example.ORG");
  for (const email of ["Ada@Example.ORG", "ada@example.org", "ADA@EXAMPLE.ORG"]) {
    const { status, body } = await client.post("/participants", { ...ada, externalUid: "U-2", email });
    assert.equal(status, 409);
    assert.equal(body.code, "email_taken");
    assert.deepEqual(pointers(body), ["/email"]);
  }
  assert.equal((await stranger.post("/participants", ada)).status, 201);
  // Only ASCII letters have a case here.
  assert.equal((await client.post("/participants", { ...ada, externalUid: "U-3", email: "ä@x" })).status, 201);
  assert.equal((await client.post("/participants", { ...ada, externalUid: "U-4", email: "Ä@x" })).status, 201);
});

test("a change changes the members that were sent, and records who made it and when", async () => {
  const client = service.workspace();
  const made = (await client.post("/participants", ada)).body;
  const { accessToken, user } = await tokenFor(service, client, "Grace");
  await until(() => new Date().toISOString() > made.createdAt, "the clock goes on");
  const { status, body } = await client.call("PATCH", `/participants/${made.id}`, {
    body: { email: "countess@example.org" },
    headers: { Authorization: `Bearer ${accessToken}` },
  });
  assert.equal(status, 200);
  const updatedBy = { _type: "TenantUserActor", id: user.id, name: "Grace" };
  assert.deepEqual(body, { ...made, email: "countess@example.org", updatedBy, updatedAt: body.updatedAt });
  assert.ok(body.updatedAt > made.updatedAt);
  const renamed = (await client.patch(`/participants/${made.id}`, { name: " Ada King " })).body;
  assert.deepEqual([renamed.name, renamed.email], ["Ada King", "countess@example.org"]);
  assert.deepEqual((await client.get(`/participants/${made.id}`)).body, renamed);
});

test("a change that changes nothing, such as sending back what was read, leaves updatedBy and updatedAt as they were", async () => {
  const client = service.workspace();
  const made = (await client.post("/participants", ada)).body;
  const { accessToken } = await tokenFor(service, client, "Grace");
  await until(() => new Date().toISOString() > made.createdAt, "the clock goes on");
  const name = { first: "Ada", last: "Lovelace" };
  for (const change of [{}, { email: ` ${ada.email}` }, { name }, made]) {
    const { status, body } = await client.call("PATCH", `/participants/${made.id}`, {
      body: change,
      headers: { Authorization: `Bearer ${accessToken}` },
    });
    assert.equal(status, 200);
    assert.deepEqual(body, made, JSON.stringify(change));
  }
});

test("an externalUid can be changed, everywhere it shows, but not cleared; an id can't be changed", async () => {
  const { client, screenerId } = await service.screener();
  const [row] = (await client.import(screenerId, [ada])).body;
  const path = `/participants/${row.participantId}`;
  const { status, body } = await client.patch(path, { externalUid: " other ", id: UNKNOWN });
  assert.equal(status, 200);
  assert.deepEqual([body.externalUid, body.id], ["other", row.participantId]);
  assert.equal((await client.get(`/screener-participants/${row.id}`)).body.externalParticipantUid, "other");
  for (const [externalUid, total] of Object.entries({ other: 1, [ada.externalUid]: 0 })) {
    assert.equal((await client.get(`/participants?filter[externalUid][eq]=${externalUid}`)).body.total, total);
  }
  // An import knows the participant by the new one, and the old one is free.
  const [again] = (await client.import(screenerId, [{ externalUid: "other", name: "Ada King" }])).body;
  assert.deepEqual([again.id, again.name], [row.id, "Ada King"]);
  const second = await client.post("/participants", { ...ada, email: "b@example.org" });
  assert.equal(second.status, 201);
  const taken = await client.patch(path, { externalUid: ada.externalUid, name: "Changed" });
  assert.deepEqual(
    [taken.status, taken.body.code, pointers(taken.body)],
    [409, "external_uid_taken", ["/externalUid"]],
  );
  for (const externalUid of [null, "", " ", 5, "x".repeat(256)]) {
    const refused = await client.patch(path, { externalUid, name: "Changed" });
    assert.deepEqual([refused.status, pointers(refused.body)], [400, ["/externalUid"]], refused.text);
  }
  assert.equal((await client.get(path)).body.name, "Ada King");
});

test("nothing, or white space alone, clears email and name in a change; in an import it leaves them", async () => {
  const { client, screenerId } = await service.screener();
  const [row] = (await client.import(screenerId, [ada])).body;
  const path = `/participants/${row.participantId}`;
  for (const change of [
    { email: "", name: "" },
    { email: " \t", name: " \n" },
    { email: null, name: { first: " ", last: null } },
  ]) {
    const { body } = await client.patch(path, change);
    assert.deepEqual([body.email, body.name], [null, null], JSON.stringify(change));
    assert.equal((await client.patch(path, { email: ada.email, name: ada.name })).status, 200);
    assert.equal((await client.import(screenerId, [{ externalUid: ada.externalUid, ...change }])).status, 200);
    const left = (await client.get(path)).body;
    assert.deepEqual([left.email, left.name], [ada.email, ada.name], JSON.stringify(change));
  }
});

test("null clears email and name, and a cleared email is free for others", async () => {
  const client = service.workspace();
  const first = (await client.post("/participants", ada)).body;
  const cleared = await client.patch(`/participants/${first.id}`, { email: null, name: null });
  assert.equal(cleared.status, 200);
  assert.deepEqual([cleared.body.email, cleared.body.name], [null, null]);
  const second = await client.post("/participants", { ...ada, externalUid: "U-2" });
  assert.equal(second.status, 201);
  // Any number of participants may have none.
  assert.equal((await client.patch(`/participants/${second.body.id}`, { email: null })).status, 200);
  const back = await client.patch(`/participants/${first.id}`, { email: ada.email });
  assert.equal(back.body.email, ada.email);
  assert.equal(back.body.name, null);
});

test("a change can't take another participant's email, but may change the case of its own", async () => {
  const client = service.workspace();
  const first = (await client.post("/participants", ada)).body;
  const second = (await client.post("/participants", { ...ada, externalUid: "U-2", email: "b@example.org" })).body;
  const taken = await client.patch(`/participants/${second.id}`, { email: "ADA@example.org", name: "Changed" });
  assert.equal(taken.status, 409);
  assert.equal(taken.body.code, "email_taken");
  assert.deepEqual((await client.get(`/participants/${second.id}`)).body, second);
  const own = await client.patch(`/participants/${first.id}`, { email: "ADA@example.org" });
  assert.equal(own.status, 200);
  assert.equal(own.body.email, "ADA@example.org");
  assert.deepEqual((await client.get(`/participants/${first.id}`)).body, own.body);
});

test("a change that is wrong is refused with all that is wrong", async () => {
  const client = service.workspace();
  const made = (await client.post("/participants", ada)).body;
  for (const change of [
    { email: "ada", name: 5 },
    { email: 5, name: { first: 5 } },
    { email: [], name: [] },
    { email: ["b@x"], name: ["Ada"] },
    { email: {}, name: { given: "Ada" } },
    { email: `${"x".repeat(320)}@x`, name: "x".repeat(501) },
  ]) {
    const { status, body } = await client.patch(`/participants/${made.id}`, change);
    assert.equal(status, 400);
    assert.deepEqual([...new Set(pointers(body))], ["/email", "/name"]);
  }
  assert.deepEqual((await client.get(`/participants/${made.id}`)).body, made);
});

test("a participant that is not there answers 404", async () => {
  const client = service.workspace();
  const stranger = service.workspace();
  const { id } = (await stranger.post("/participants", ada)).body;
  for (const unknown of [UNKNOWN, "x", "U-1", id]) {
    for (const answer of [
      await client.get(`/participants/${unknown}`),
      await client.patch(`/participants/${unknown}`, { name: "X" }),
      await client.delete(`/participants/${unknown}`),
    ]) {
      assert.equal(answer.status, 404);
      assert.equal(answer.body.code, "participant_not_found");
    }
  }
});

test("participants are found by externalUid", async () => {
  const client = service.workspace();
  for (const row of people(5)) await client.post("/participants", row);
  const get = async (query: string) => (await client.get(`/participants?${query}`)).body;
  const one = await get("filter[externalUid][eq]=P-3");
  assert.deepEqual([one.total, uids(one)], [1, ["P-3"]]);
  const others = await get("filter[externalUid][ne]=P-3");
  assert.deepEqual([others.total, uids(others)], [4, ["P-0", "P-1", "P-2", "P-4"]]);
  const some = await get("filter[externalUid][in][]=P-4&filter[externalUid][in][]=P-1&filter[externalUid][in][]=none");
  assert.deepEqual([some.total, uids(some)], [2, ["P-1", "P-4"]]);
  const rest = await get("filter[externalUid][nin][]=P-4&filter[externalUid][nin][]=P-1");
  assert.deepEqual([rest.total, uids(rest)], [3, ["P-0", "P-2", "P-3"]]);
  const both = await get("filter[externalUid][in][]=P-4&filter[externalUid][in][]=P-1&filter[externalUid][ne]=P-4");
  assert.deepEqual([both.total, uids(both)], [1, ["P-1"]]);
  for (const unlike of ["p-3", "P-3 ", "P", "", "P-%", "*"]) {
    const none = await get(`filter[externalUid][eq]=${encodeURIComponent(unlike)}`);
    assert.deepEqual([none.total, none.items], [0, []], unlike);
  }
});

test("an externalUid with any characters can be asked for", async () => {
  const client = service.workspace();
  for (const [index, externalUid] of ["a&b=c", "a+b", "50%", "[x]", "é 😀", '"q"', "a,b", "null", "1"].entries()) {
    await client.post("/participants", { externalUid, email: `${index}@x`, name: "N" });
    const value = encodeURIComponent(externalUid);
    for (const query of [`filter[externalUid][eq]=${value}`, `filter%5BexternalUid%5D%5Bin%5D%5B%5D=${value}`]) {
      const { body } = await client.get(`/participants?${query}`);
      assert.deepEqual(uids(body), [externalUid]);
    }
  }
});

test("participants are found by email, whatever its ASCII case; those without an email match no value", async () => {
  const client = service.workspace();
  for (const row of people(4)) await client.post("/participants", row);
  const { items } = (await client.get("/participants")).body;
  await client.patch(`/participants/${items[2].id}`, { email: null });
  const get = async (query: string) => uids((await client.get(`/participants?${query}`)).body);
  assert.deepEqual(await get("filter[email][eq]=PERSON1@example.org"), ["P-1"]);
  assert.deepEqual(await get("filter[email][in][]=PERSON1@example.org&filter[email][in][]=person3@EXAMPLE.org"), [
    "P-1",
    "P-3",
  ]);
  assert.deepEqual(await get("filter[email][ne]=PERSON1@example.org"), ["P-0", "P-2", "P-3"]);
  assert.deepEqual(await get("filter[email][nin][]=PERSON1@example.org&filter[email][nin][]=person0@example.org"), [
    "P-2",
    "P-3",
  ]);
});

test("any text comes back as it was sent, from every answer", async () => {
  const client = service.workspace();
  const names = [
    'a"b\\c/d',
    "tab\tline\nbell\u0007del\u007f",
    "a\u2028b\u2029c",
    "日本 😀 e\u0301",
    "</script>",
    '{"a":1}',
    "null",
  ];
  for (const [index, name] of names.entries()) {
    const { body } = await client.post("/participants", { externalUid: `${name}${index}`, email: `${index}@x`, name });
    assert.deepEqual([body.externalUid, body.name], [`${name}${index}`, name]);
    assert.deepEqual((await client.get(`/participants/${body.id}`)).body, body);
  }
  const { items } = (await client.get("/participants")).body;
  assert.deepEqual(
    items.map(({ name }: { name: string }) => name),
    names,
  );
});
