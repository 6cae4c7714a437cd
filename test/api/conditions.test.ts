// If-Match and its like on writes: heeded or refused, never ignored.

import assert from "node:assert/strict";
import { test } from "node:test";
import { endpoints } from "../../src/main/app.ts";
import type { Answer } from "../support/client.ts";
import { sharedService } from "../support/service.ts";
import { populate } from "../support/world.ts";

const service = await sharedService();
const world = await populate(service);
const client = world.client;

/** Nothing of its type happens here: an attempt that fails would change `failingSince`, and so the tag. */
const quietHook = { url: "http://127.0.0.1:9/hook", types: ["screener-quota.recount-undone"] };
const hook = await client.call("POST", "/webhook-endpoints", { body: quietHook });
/** An id that there is, by the first word of the path. */
const ids: Record<string, string> = {
  screeners: world.screener,
  "screener-publications": world.publication,
  participants: world.participant,
  "screener-participants": world.assignment,
  "screener-sessions": world.session,
  "screener-quotas": world.quota,
  "screener-links": world.link,
  "participant-requests": world.request,
  "participant-notes": world.note,
  "mail-suppressions": world.suppression,
  mailings: world.mailing,
  users: world.user,
  jobs: world.job,
  "webhook-endpoints": hook.body.id,
};
const pathOf = (path: string) =>
  path
    .replace(":id", ids[path.split("/")[1]!] ?? ids[path.split("/")[2]!] ?? "019a0000-0000-7000-8000-000000000000")
    .replace(":language", "de");

const writes = endpoints.filter(({ method }) => method !== "get");
const OTHERS = ["If-None-Match", "If-Modified-Since", "If-Unmodified-Since", "If-Range"];

test("each write heeds If-Match, or refuses it; and each refuses the other conditions", async () => {
  let heeded = 0;
  for (const { method, path, isConditional, headers: own = {} } of writes) {
    const heeds = isConditional || "If-Match" in own;
    const call = (headers: Record<string, string>) =>
      client.call(method.toUpperCase(), pathOf(path), { headers, body: bodyFor(path, method) });
    const { status, body } = await call({ "If-Match": '"another"' });
    if (heeds) assert.deepEqual([status, body.code], [412, "precondition_failed"], `${method} ${path}: ${body.detail}`);
    else assert.deepEqual([status, body.errors?.[0].pointer], [400, "If-Match"], `${method} ${path}: ${body.detail}`);
    heeded += Number(heeds);
    const refused = await call(Object.fromEntries(OTHERS.map((name) => [name, "x"])));
    const pointers = refused.body.errors?.map(({ pointer }: { pointer: string }) => pointer);
    assert.deepEqual([refused.status, pointers], [400, OTHERS], `${method} ${path}`);
  }
  assert.ok(heeded >= 8, "screeners, drafts, publications, participants, endpoints, the appearance");
  assert.equal((await client.call("GET", pathOf("/screeners/:id"))).status, 200);
});

/** What would be written, were it not for the condition. */
function bodyFor(path: string, method: string): object | undefined {
  if (method === "delete") return undefined;
  if (path === "/screeners/:id/content") return { pages: [] };
  if (path.endsWith("/translations/:language"))
    return method === "patch" ? { strings: [] } : { strings: [], dryRun: true };
  if (path === "/workspace/users/:id") return { role: "viewer" };
  if (path.endsWith("/words/:language")) return { words: [] };
  if (path === "/workspace/attributes") return { attributes: [] };
  if (path === "/screener-publications") return { screenerId: world.screener };
  if (path.endsWith("/review")) return { decision: "ACCEPTED" };
  return {};
}

test("a change with the tag that was read is made, and with an older one it is not", async () => {
  const changes: [path: string, one: object, other: object][] = [
    [`/screeners/${world.screener}`, { title: "One" }, { title: "Other" }],
    [`/participants/${world.participant}`, { name: "One" }, { name: "Other" }],
    [
      `/screener-publications/${world.publication}`,
      { targetQualifiedParticipants: 7 },
      { targetQualifiedParticipants: 8 },
    ],
    [`/screener-quotas/${world.quota}`, { limit: 7 }, { limit: 8 }],
    [`/webhook-endpoints/${hook.body.id}`, { status: "DISABLED" }, { status: "ENABLED" }],
    [`/workspace/users/${world.user}`, { role: "researcher" }, { role: "viewer" }],
    ["/workspace/appearance", { accentColor: "#112233" }, { accentColor: "#332211" }],
  ];
  for (const [path, one, other] of changes) {
    const read = await client.call("GET", path);
    const tag = etagOf(read);
    assert.match(tag, /^"[0-9a-f]{24}"$/, path);
    const again = await client.call("GET", path, { headers: { "If-None-Match": tag } });
    assert.deepEqual([again.status, again.text], [304, ""], path);
    const change = (body: object, tagged: string) =>
      client.call("PATCH", path, { body, headers: { "If-Match": tagged } });
    const changed = await change(one, tag);
    assert.equal(changed.status, 200, changed.text);
    assert.equal(etagOf(changed), etagOf(await client.call("GET", path)), path);
    for (const stale of [tag, `W/${etagOf(changed)}`, "nonsense"])
      assert.equal((await change(other, stale)).body.code, "precondition_failed", `${path} ${stale}`);
    assert.equal((await client.call("GET", path)).text, changed.text);
    // A list of tags, and any at all.
    assert.equal((await change(other, `"x", ${etagOf(changed)}`)).status, 200, path);
    assert.equal((await change(one, "*")).status, 200, path);
  }
});

test("what was just made can be changed with its tag, also compressed", async () => {
  const made = [
    await client.call("POST", "/screeners", { body: { title: "x", description: "y".repeat(4000) } }),
    await client.call("POST", "/participants", {
      body: { externalUid: "tagged", email: "tagged@example.org", name: "Tagged" },
    }),
    await client.call("POST", "/webhook-endpoints", { body: quietHook }),
  ];
  for (const answer of made) {
    const path = answer.headers.get("location")!;
    const tag = etagOf(answer).replace(/-gzip"$/, '"');
    assert.equal(etagOf(await client.call("GET", path, { headers: { "Accept-Encoding": "identity" } })), tag, path);
    const packed = await client.call("GET", path, { headers: { "Accept-Encoding": "gzip" } });
    const same = await client.call("PATCH", path, { body: {}, headers: { "If-Match": etagOf(packed) } });
    assert.equal(same.status, 200, same.text);
  }
});

test("a retry with its key gets the first answer, though the tag has gone on", async () => {
  const path = `/screeners/${world.screener}`;
  const { body } = await client.call("POST", "/webhook-endpoints", { body: quietHook });
  const endpoint = `/webhook-endpoints/${body.id}`;
  const headers = {
    "If-Match": etagOf(await client.call("GET", endpoint)),
    "Idempotency-Key": "rotated-once",
  };
  const rotate = () => client.call("POST", `${endpoint}/rotate-secret`, { headers });
  const first = await rotate();
  assert.equal(first.status, 200, first.text);
  const second = await rotate();
  assert.deepEqual([second.status, second.body.secret], [200, first.body.secret]);
  assert.equal((await client.call("GET", path)).status, 200);
});

function etagOf({ headers }: Answer): string {
  return headers.get("etag") ?? "";
}
