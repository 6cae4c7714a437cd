// What only a look at several members, or at what is stored, finds wrong in a body is said at once with what is wrong with single members.

import assert from "node:assert/strict";
import { test } from "node:test";
import { startService } from "../support/service.ts";

const service = await startService({
  config: { publicUrl: "https://screening.example.org", webhookAllowPrivate: false },
});
const client = service.workspace();

interface Case {
  what: string;
  method: "post" | "patch";
  path: string;
  /** What does not go together, or with what is stored. */
  apart: object;
  /** What is wrong by itself. */
  wrong: object;
}

async function pointersOf({ method, path }: Case, body: object): Promise<string[]> {
  const reply = await client[method](path, body);
  assert.equal(reply.status, 400, `${method} ${path} ${JSON.stringify(body)}: ${JSON.stringify(reply.body)}`);
  return reply.body.errors.map(({ pointer }: { pointer: string }) => pointer);
}

async function cases(): Promise<Case[]> {
  const screenerId = await client.screener();
  const screener = `/screeners/${screenerId}`;
  const quotas = [{ name: "Everybody", when: null, limit: 5 }];
  await client.call("PUT", `${screener}/content`, { body: { pages: [], quotas } });
  const { body: publication } = await client.post("/screener-publications", { screenerId });
  await client.patch(`/screener-publications/${publication.id}`, { status: "ARCHIVED" });
  const [{ id: quota }] = (await client.get(`${screener}/quotas`)).body.items;
  await client.patch(screener, { opensAt: "2030-01-01T00:00:00Z" });
  const opensAt = "2030-01-01T00:00:00Z";
  const { body: link } = await client.post("/screener-links", { screenerId, name: "Poster", ask: ["NAME"], opensAt });
  const { body: webhook } = await client.post("/webhook-endpoints", { url: "https://hooks.example.org/" });
  await client.call("PUT", "/workspace/attributes", { body: { attributes: [{ key: "birth", type: "DATE" }] } });
  const { body: person } = await client.post("/participants", {
    externalUid: "P-1",
    email: "p1@example.org",
    name: "P",
  });
  const closed = { closesAt: "2029-01-01T00:00:00Z" };
  const apart = { ...closed, opensAt, oneEach: "EMAIL", required: true };
  const mailing = { screenerId, kind: "INVITATION", subject: "Hello {{naem}}", body: "No link" };
  const attributes = { birth: "yesterday" };
  return [
    {
      what: "new link",
      method: "post",
      path: "/screener-links",
      apart: { screenerId, name: "x", ...apart },
      wrong: { limit: 0 },
    },
    { what: "link", method: "patch", path: `/screener-links/${link.id}`, apart: closed, wrong: { limit: 0 } },
    {
      what: "link's rule",
      method: "patch",
      path: `/screener-links/${link.id}`,
      apart: { confirmEmail: true },
      wrong: { name: "" },
    },
    {
      what: "new screener",
      method: "post",
      path: "/screeners",
      apart: { title: "x", ...closed, opensAt },
      wrong: { review: "x" },
    },
    { what: "screener", method: "patch", path: screener, apart: closed, wrong: { acceptance: "x" } },
    { what: "quota", method: "patch", path: `/screener-quotas/${quota}`, apart: { limit: null }, wrong: { paused: 1 } },
    {
      what: "publication",
      method: "patch",
      path: `/screener-publications/${publication.id}`,
      apart: { status: "ACTIVE" },
      wrong: { targetQualifiedParticipants: -1 },
    },
    {
      what: "new webhook",
      method: "post",
      path: "/webhook-endpoints",
      apart: { url: "http://127.0.0.1/" },
      wrong: { types: ["x"] },
    },
    {
      what: "webhook",
      method: "patch",
      path: `/webhook-endpoints/${webhook.id}`,
      apart: { url: "http://10.0.0.1/" },
      wrong: { types: ["x"] },
    },
    { what: "mailing", method: "post", path: "/mailings", apart: mailing, wrong: { maxRecipients: 0 } },
    {
      what: "preview",
      method: "post",
      path: "/mailings-preview",
      apart: { ...mailing, kind: undefined },
      wrong: { participantId: 1 },
    },
    {
      what: "new participant",
      method: "post",
      path: "/participants",
      apart: { externalUid: "P-2", email: "p2@example.org", name: "P", attributes },
      wrong: { email: "x" },
    },
    {
      what: "participant",
      method: "patch",
      path: `/participants/${person.id}`,
      apart: { attributes },
      wrong: { email: "x" },
    },
    {
      what: "one person",
      method: "post",
      path: "/screener-participants",
      apart: { screenerId, externalUid: "P-3", attributes },
      wrong: { email: "x" },
    },
  ];
}

test("what is wrong with members together is said with what is wrong with others", async () => {
  for (const one of await cases()) {
    const [apart, wrong] = [await pointersOf(one, one.apart), Object.keys(one.wrong)];
    const both = await pointersOf(one, { ...one.apart, ...one.wrong });
    const said = (pointer: string) => both.some((other) => other === pointer || other.startsWith(`${pointer}/`));
    const missing = [...apart, ...wrong.map((name) => `/${name}`)].filter((pointer) => !said(pointer));
    assert.deepEqual(missing, [], `${one.what}: ${JSON.stringify(both)}`);
    assert.equal(new Set(both).size, both.length, `${one.what} says one thing twice: ${JSON.stringify(both)}`);
  }
});

test("nothing is said of members together if one of them is wrong by itself", async () => {
  const screenerId = await client.screener();
  const body = {
    screenerId,
    name: "x",
    oneEach: "EMAIL",
    confirmEmail: "yes",
    opensAt: "2030-01-01T00:00:00Z",
    closesAt: "x",
  };
  const one = { what: "link", method: "post", path: "/screener-links", apart: {}, wrong: {} } as const;
  assert.deepEqual(await pointersOf(one, body), ["/closesAt", "/confirmEmail"]);
});

test("what is wrong with entries of a list together is said beside entries that are wrong by themselves", async () => {
  const attributes = [
    { key: "plan", type: "CHOICE" },
    { key: "city", type: "TOWN", values: ["Rome"] },
    { key: "city", type: "TEXT", values: ["Rome"], label: 5 },
    "weight",
    { key: "level", type: "CHOICE", values: ["one", "One", ""] },
    { key: "", type: "CHOICE", values: ["one", "One"], colour: "red" },
    { key: 5, type: "DATE", values: [] },
    { key: "plan", type: "NUMBER", values: null },
  ];
  const reply = await client.call("PUT", "/workspace/attributes", { body: { attributes } });
  assert.equal(reply.status, 400);
  const errors = reply.body.errors.map(({ pointer, message }: Record<string, string>) => `${pointer} ${message}`);
  assert.deepEqual(errors.sort(), [
    "/attributes/0/values is required, with at least one value, because type is CHOICE",
    "/attributes/1/type must be TEXT, NUMBER, DATE, BOOLEAN or CHOICE",
    "/attributes/2/key is given twice",
    "/attributes/2/label must be a string",
    "/attributes/2/values goes only with type CHOICE",
    "/attributes/3 must be an object",
    "/attributes/4/values/2 must not be empty",
    "/attributes/5/colour is not known",
    "/attributes/5/key must be a key of 1 to 100 characters",
    "/attributes/5/values has a value twice, in upper or lower case",
    "/attributes/6/key must be a string",
    "/attributes/7/key is given twice",
  ]);
  // Too many are one error: each of them could have several.
  const many = await client.call("PUT", "/workspace/attributes", { body: { attributes: Array(20_000).fill(5) } });
  assert.deepEqual([many.status, many.body.errorCount], [400, 1], many.text.slice(0, 300));
});

test("an array is no object, and asks for nothing: settings stay, and no filter finds everybody", async () => {
  const screenerId = await client.screener();
  const screener = `/screeners/${screenerId}`;
  const signals = { hiddenField: {}, sameText: { minLength: 40 } };
  assert.equal((await client.patch(screener, { signals })).status, 200);
  const mailing = { screenerId, name: "M", kind: "MESSAGE", subject: "Hello", body: "There" };
  const review = { screenerId, decision: "ACCEPTED" };
  const faults: [method: "post" | "patch" | "put", path: string, body: object, pointers: string[]][] = [
    ["patch", screener, { signals: [] }, ["/signals"]],
    ["patch", screener, { signals: { hiddenField: [], sameText: [] } }, ["/signals/hiddenField", "/signals/sameText"]],
    ["put", `${screener}/content`, { pages: [], thankYouByOutcome: [] }, ["/thankYouByOutcome"]],
    ["put", `${screener}/content`, { pages: [], redirectByOutcome: [] }, ["/redirectByOutcome"]],
    ["post", "/mailings", { ...mailing, to: [] }, ["/to"]],
    ["post", "/mailings", { ...mailing, to: { filter: [], answers: [] } }, ["/to/filter", "/to/answers"]],
    ["post", "/mailings", { ...mailing, to: { attributes: { site: {} } } }, ["/to/attributes/site"]],
    ["post", "/screener-sessions-review", { ...review, filter: [] }, ["/filter"]],
    ["post", "/screener-sessions-review", { ...review, filter: { "answers.age": [] } }, ["/filter/answers.age"]],
    ["post", "/screener-sessions-review", { ...review, filter: { "answers.age": {} } }, ["/filter/answers.age"]],
    ["post", "/screener-sessions-review", { ...review, filter: { constructor: { eq: 1 } } }, ["/filter/constructor"]],
  ];
  for (const [method, path, body, pointers] of faults) {
    const reply = await client.call(method.toUpperCase(), path, { body });
    const said = reply.body.errors?.map(({ pointer }: { pointer: string }) => pointer);
    assert.deepEqual([reply.status, said], [400, pointers], `${path} ${JSON.stringify(body)}`);
  }
  assert.deepEqual((await client.get(screener)).body.signals.sameText, { minLength: 40 });
});
