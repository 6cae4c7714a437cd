// Headers that all answers have: what is left of a limit, and that an endpoint is going to end.

import assert from "node:assert/strict";
import { after, test } from "node:test";
import { defineEndpoint, ok } from "../../src/http/endpoint.ts";
import { endpoints } from "../../src/main/app.ts";
import { people, UNKNOWN } from "../support/client.ts";
import { startService } from "../support/service.ts";

const former = defineEndpoint({
  method: "get",
  path: "/former-things/:id",
  operationId: "getFormerThing",
  tag: "Screeners",
  summary: "Get a former thing",
  scopes: ["read"],
  deprecated: { since: "2026-10-01", endsOn: "2027-05-01", instead: "Use `GET /screeners/{id}`." },
  replies: { 200: { description: "The thing" } },
  problems: [],
  handle: ({ context, principal, params }) =>
    ok(context.workspaces.read(principal.workspaceUid, (db) => JSON.stringify(db.value("SELECT ?", params.id!)))),
});
endpoints.push(former);
const service = await startService();
const { client, screenerId } = await service.screener();

// Other tests of this process look at all endpoints.
after(() => endpoints.splice(endpoints.indexOf(former), 1));

const READ_TIME = /^"read-time";r=\d+;t=\d+$/;

test("every answer to valid credentials says what is left of the workspace's time, also an error", async () => {
  const imported = await client.import(screenerId, people(2));
  const answers = [
    imported,
    await client.get("/participants"),
    await client.get("/participants?filter[x][eq]=1"),
    await client.get(`/participants/${UNKNOWN}`),
    await client.get(`/screeners/${UNKNOWN}/answers`),
    await client.post("/screeners", { title: 5 }),
    await client.call("GET", "/participants", { headers: { Accept: "text/csv" } }),
    await client.call("GET", "/participants", { headers: { "Accept-Encoding": "gzip" } }),
  ];
  for (const { status, headers } of answers) {
    assert.match(headers.get("ratelimit")!, READ_TIME, String(status));
    assert.match(headers.get("ratelimit-policy")!, /^"read-time";q=\d+;w=1$/, String(status));
  }
  assert.deepEqual(
    answers.map(({ status }) => status),
    [200, 200, 400, 404, 404, 400, 200, 200],
  );
  const tag = (await client.get(`/screeners/${screenerId}`)).headers.get("etag")!;
  const unchanged = await client.get(`/screeners/${screenerId}`, { "If-None-Match": tag });
  assert.equal(unchanged.status, 304);
  assert.match(unchanged.headers.get("ratelimit")!, READ_TIME);
});

test("a workspace that has used up its time has none left", async () => {
  service.context.turns.spend(client.workspaceId, 10_000);
  const { headers } = await client.post("/screeners", { title: "Sleep" });
  assert.match(headers.get("ratelimit")!, /^"read-time";r=0;t=[1-9]\d*$/);
});

test("without valid credentials an answer says how many more failures the address has", async () => {
  const left = async () => {
    const { status, headers } = await fetch(`${service.url}/participants`);
    assert.deepEqual([status, headers.get("ratelimit-policy")], [401, '"failed-authentication";q=300;w=60']);
    return Number(/^"failed-authentication";r=(\d+);t=\d+$/.exec(headers.get("ratelimit")!)![1]);
  };
  const first = await left();
  assert.equal(await left(), first - 1);
});

test("every other answer says how many failures the address has left, and counts none", async () => {
  const paths = [
    "/healthz",
    "/openapi.json",
    "/docs",
    "/console/sign-in",
    "/problems/unauthenticated",
    "/w/nothing-here",
  ];
  const answers = [
    ...paths.map((path) => ["GET", path] as const),
    ["GET", "/nothing-here"],
    ["GET", "/w/%E0%A4%A"],
    ["PATCH", "/screeners"],
    ["OPTIONS", "/screeners"],
    ["HEAD", "/healthz"],
  ] as const;
  const before = (await fetch(`${service.url}/healthz`)).headers.get("ratelimit")!;
  const of = (text: string) => Number(/^"failed-authentication";r=(\d+);t=\d+$/.exec(text)?.[1]);
  for (const [method, path] of answers)
    for (const headers of [{}, { "Accept-Encoding": "gzip" }]) {
      const answer = await fetch(service.url + path, { method, headers, redirect: "manual" });
      assert.equal(answer.headers.get("ratelimit-policy"), '"failed-authentication";q=300;w=60', `${method} ${path}`);
      assert.equal(of(answer.headers.get("ratelimit")!), of(before), `${method} ${path}`);
    }
  assert.equal((await fetch(`${service.url}/screeners`)).status, 401);
  assert.equal(of((await fetch(`${service.url}/healthz`)).headers.get("ratelimit")!), of(before) - 1);
});

test("an answer that any cache may keep says nothing about who has asked", async () => {
  const page = await (await fetch(`${service.url}/docs/reference`)).text();
  const [, style] = /href="([^"]+\.css)"/.exec(page)!;
  const { headers } = await fetch(new URL(style!, `${service.url}/docs/reference`));
  assert.match(headers.get("cache-control")!, /^public/);
  assert.deepEqual([headers.get("ratelimit"), headers.get("ratelimit-policy")], [null, null]);
});

test("a deprecated endpoint says since when, and when it may be gone, in every answer and in the description", async () => {
  const path = `/former-things/${UNKNOWN}`;
  const refused = await fetch(service.url + path);
  const answers = [await client.get(path), await client.get(`${path}?x=1`), refused];
  assert.deepEqual(
    answers.map(({ status, headers }) => [status, headers.get("deprecation"), headers.get("sunset")]),
    [200, 400, 401].map((status) => [status, "@1790812800", "Sat, 01 May 2027 00:00:00 GMT"]),
  );
  assert.equal(new Date(1_790_812_800_000).toISOString(), "2026-10-01T00:00:00.000Z");
  const { paths } = (await client.get("/openapi.json")).body;
  const { deprecated, description, responses } = paths["/former-things/{id}"].get;
  assert.equal(deprecated, true);
  assert.match(
    description,
    /^Deprecated since 2026-10-01\. Use `GET \/screeners\/\{id\}`\. It may be gone from 2027-05-01 on\./,
  );
  assert.ok(responses[200].headers.Sunset);
  assert.equal((await client.get("/participants")).headers.get("deprecation"), null);
});

test("behind a proxy that has the service below a path, the API reference and the description go on from there", async () => {
  const below = await startService({ config: { publicUrl: "https://example.org/screening" } });
  const page = await (await fetch(`${below.url}/docs/reference`)).text();
  const paths = [...page.matchAll(/(?:src|href|data-description)="([^"]+)"/g)].map(([, path]) => path!);
  assert.equal(paths.length, 7);
  for (const path of paths) {
    assert.ok(path.startsWith("/screening/"), path);
    assert.equal((await fetch(below.url + path.slice("/screening".length))).status, 200, path);
  }
  const { servers } = (await below.workspace().get("/openapi.json")).body;
  assert.deepEqual(servers, [{ url: "/screening" }]);
});
