// Members of a body that nobody knows: ignored, but said; and refused where the caller wants it so.

import assert from "node:assert/strict";
import { test } from "node:test";
import { sharedService } from "../support/service.ts";
import { populate } from "../support/world.ts";

const service = await sharedService();
const { client, screener, participant, session } = await populate(service);
const STRICT = { Prefer: "handling=strict" };

test("a misspelt member is ignored, and Warning-Members names it with the one that was meant", async () => {
  const send = (body: object) => client.call("PATCH", `/participants/${participant}`, { body });
  const { status, headers, body } = await send({ emial: "ada@example.org" });
  assert.deepEqual([status, body.email], [200, "world@example.org"]);
  assert.equal(headers.get("warning-members"), 'emial; did-you-mean="email"');
  // Also where the request fails, perhaps for want of the member.
  const missing = await client.call("POST", "/participants", {
    body: { externalUid: "W-1", emial: "ada@example.org" },
  });
  assert.deepEqual([missing.status, missing.headers.get("warning-members")], [400, 'emial; did-you-mean="email"']);

  const many = await send({ name: { frist: "Ada", last: "L" }, "a b": 1, Größe: 2, zzzzzz: 3 });
  assert.equal(many.status, 200, many.text);
  assert.equal(
    many.headers.get("warning-members"),
    'name/frist; did-you-mean="first", "a b", %"Gr%c3%b6%c3%9fe", zzzzzz',
  );
  // Keys of attributes are the caller's own.
  const attributes = await send({ attributes: { emial: "x" } });
  assert.deepEqual([attributes.status, attributes.headers.get("warning-members")], [200, null]);
  // A header stays short, whatever was sent.
  const huge = await send({ ...Object.fromEntries(numbered(500)), ["x".repeat(50_000)]: 1 });
  assert.equal(huge.status, 200, huge.text);
  assert.ok(huge.headers.get("warning-members")!.length < 4000);
});

test("what was read can be sent back without a warning", async () => {
  for (const path of [`/participants/${participant}`, `/screeners/${screener}`, "/workspace/appearance"]) {
    const read = await client.call("GET", path);
    for (const headers of [{}, STRICT]) {
      const answer = await client.call("PATCH", path, { body: read.body, headers });
      assert.deepEqual([answer.status, answer.headers.get("warning-members")], [200, null], answer.text);
    }
  }
});

test("Prefer: handling=strict refuses all of them at once, with what else is wrong", async () => {
  const before = (await client.call("GET", "/participants")).body.total;
  const strict = await client.call("POST", "/participants", {
    body: { externalUid: "S-1", emial: "ada@example.org", email: 7, name: { frist: "Ada" } },
    headers: STRICT,
  });
  assert.deepEqual([strict.status, strict.body.code], [400, "invalid_request"]);
  const errors = strict.body.errors.map(({ pointer, message }: { pointer: string; message: string }) => [
    pointer,
    message,
  ]);
  assert.deepEqual(
    errors.find(([pointer]: [string]) => pointer === "/emial"),
    ["/emial", "is not known; did you mean email?"],
  );
  assert.ok(errors.some(([pointer]: [string]) => pointer === "/email"));
  assert.ok(errors.some(([pointer]: [string]) => pointer === "/name/frist"));
  assert.equal((await client.call("GET", "/participants")).body.total, before);

  const fine = await client.call("POST", "/participants", {
    body: { externalUid: "S-2", email: "s2@example.org", name: "Two" },
    headers: STRICT,
  });
  assert.deepEqual([fine.status, fine.headers.get("preference-applied")], [201, "handling=strict"]);
  const answers = { responses: [{ screenerQuestionId: "x", answre: 1 }] };
  const responses = await client.call("POST", `/screener-sessions/${session}/responses`, {
    body: answers,
    headers: STRICT,
  });
  assert.equal(responses.status, 400);
  assert.ok(responses.body.errors.some(({ pointer }: { pointer: string }) => pointer === "/responses/0/answre"));
});

function numbered(count: number): [string, number][] {
  return Array.from({ length: count }, (_, index) => [`unknown-${index}`, index]);
}
