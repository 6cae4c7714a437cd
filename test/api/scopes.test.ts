// What a key or a token may do is what its scopes say, on every route.

import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { test } from "node:test";
import { whenFree } from "../../db/sqlite/when-free.ts";
import { endpoints } from "../../src/main/app.ts";
import { issueToken } from "../../src/workspaces/issue.ts";
import { findWorkspace } from "../../src/workspaces/queries.ts";
import { SCOPES, type Scope } from "../../src/workspaces/rights.ts";
import { people } from "../support/client.ts";
import { plain } from "../support/http.ts";
import { startService } from "../support/service.ts";
import { withScopes } from "../support/store.ts";

const service = await startService();
const client = service.workspace();

/** What is needed for each route. `admin` may do everything, and `read-without-links` what `read` may (test/api/references.test.ts). */
const NEEDS: Record<string, Scope[]> = {
  "get /screeners": ["read"],
  "get /screeners/:id": ["read"],
  "get /screeners/:id/publications": ["read"],
  "get /screeners/:id/content": ["read"],
  "get /screeners/:id/translations": ["read"],
  "get /screeners/:id/translations/:language": ["read"],
  "patch /screeners/:id/translations/:language": ["author"],
  "put /screeners/:id/translations/:language": ["author"],
  "delete /screeners/:id/translations/:language": ["author"],
  "get /screeners/:id/export": ["read"],
  "get /screeners/:id/answers": ["read"],
  "get /screeners/:id/answer-columns": ["read"],
  "get /screeners/:id/codebook": ["read"],
  "get /screeners/:id/results": ["read"],
  "get /screeners/:id/quotas": ["read"],
  "get /screeners/:id/arms": ["read"],
  "get /screener-quotas/:id": ["read"],
  "get /screener-quotas/:id/places": ["read"],
  "patch /screener-quotas/:id": ["author"],
  "post /screener-quotas/:id/recount": ["author"],
  "post /screener-quotas/:id/offer": ["author"],
  "post /screeners/:id/quota-forecast": ["read"],
  "post /screeners/:id/feasibility": ["read"],
  "get /screener-sessions/:id/orders": ["read", "respond"],
  "post /screener-participants": ["import"],
  "get /screener-links": ["read"],
  "get /screener-links/:id": ["read"],
  "post /screener-links": ["author"],
  "patch /screener-links/:id": ["author"],
  "delete /screener-links/:id": ["author"],
  "get /mailings": ["read"],
  "post /mailings": ["author"],
  "post /mailings-preview": ["author"],
  "post /mailings-test": ["author"],
  "get /mailings/:id": ["read"],
  "get /mailings/:id/messages": ["read"],
  "post /mailings/:id/pause": ["author"],
  "post /mailings/:id/resume": ["author"],
  "post /mailings/:id/stop": ["author"],
  "get /participant-requests": ["read"],
  "get /participant-requests/:id": ["read"],
  "post /participant-requests/:id/close": ["import"],
  "get /participant-notes": ["read"],
  "get /participant-notes/:id": ["read"],
  "post /participant-notes": ["import"],
  "delete /participant-notes/:id": ["import"],
  "get /mail-suppressions": ["read"],
  "get /mail-suppressions/:id": ["read"],
  "post /mail-suppressions": ["import"],
  "delete /mail-suppressions/:id": ["admin"],
  "get /screener-publications/:id": ["read"],
  "get /screener-publications/:id/content": ["read", "respond"],
  "get /participants": ["read"],
  "get /participants/:id": ["read"],
  "get /participants/:id/export": ["read"],
  "get /screener-participants": ["read"],
  "get /screener-participants/:id": ["read"],
  "get /screener-sessions": ["read"],
  "get /screener-sessions/:id": ["read", "respond"],
  "get /screener-sessions/:id/explanation": ["read"],
  "get /screener-responses": ["read"],
  "get /jobs": ["read", "import"],
  "get /jobs/:id": ["read", "import", "respond", "review"],
  "get /jobs/:id/result": ["read", "import"],
  "get /jobs/:id/rows": ["read", "import"],
  "get /events": ["read"],
  "get /events/:id": ["read"],
  "get /events/feed": ["read"],
  "get /workspace/usage": ["read"],
  "post /workspace/sandbox-reset": ["admin"],
  "post /participants": ["import"],
  "patch /participants/:id": ["import"],
  "post /screener-participants-import": ["import"],
  "delete /screener-participants/:id": ["import"],
  "post /screener-participants-removal": ["import"],
  "post /jobs/:id/apply": ["import", "author", "review"],
  "post /jobs/:id/undo": ["import", "author", "review"],
  "post /jobs/:id/retry": ["import", "author", "review"],
  "delete /jobs/:id": ["import", "author", "review"],
  "post /screener-sessions": ["respond"],
  "post /screener-sessions-move": ["author"],
  "post /screener-sessions/:id/responses": ["respond"],
  "delete /screener-sessions/:id/responses": ["admin"],
  "post /screener-sessions/:id/override": ["author"],
  "post /screener-sessions/:id/review": ["review"],
  "post /screener-sessions-review": ["review"],
  "delete /participants/:id": ["admin"],
  "post /participants-erasure": ["admin"],
  "delete /screeners/:id": ["admin"],
  "delete /screeners/:id/test-sessions": ["author"],
  "post /screeners": ["author"],
  "patch /screeners/:id": ["author"],
  "put /screeners/:id/content": ["author"],
  "post /screener-publications": ["author"],
  "patch /screener-publications/:id": ["author"],
  "post /screener-publications/:id/restore": ["author"],
  "delete /screener-sessions/:id": ["admin"],
  "get /workspace/attributes": ["read"],
  "put /workspace/attributes": ["admin"],
  "post /workspace/images": ["author"],
  "get /workspace/images/:id": ["read"],
  "get /workspace/signing-key": ["admin"],
  "post /workspace/signing-key/rotate": ["admin"],
  "get /workspace/words": ["read"],
  "get /workspace/words/:language": ["read"],
  "put /workspace/words/:language": ["admin"],
  "get /screeners/:id/words/:language": ["read"],
  "put /screeners/:id/words/:language": ["author"],
  "get /workspace/users": ["admin"],
  "get /workspace/users/:id": ["admin"],
  "patch /workspace/users/:id": ["admin"],
  "get /workspace/mail": ["admin"],
  "patch /workspace/mail": ["admin"],
  "post /workspace/mail/test": ["admin"],
  "get /workspace/appearance": ["read"],
  "patch /workspace/appearance": ["admin"],
  "get /webhook-endpoints": ["admin"],
  "get /webhook-endpoints/:id": ["admin"],
  "post /webhook-endpoints": ["admin"],
  "patch /webhook-endpoints/:id": ["admin"],
  "delete /webhook-endpoints/:id": ["admin"],
  "post /webhook-endpoints/:id/rotate-secret": ["admin"],
  "post /webhook-endpoints/:id/test": ["admin"],
  "post /webhook-endpoints/:id/replay": ["admin"],
  "get /webhook-deliveries": ["admin"],
  "get /webhook-deliveries/:id": ["admin"],
  "post /webhook-deliveries/:id/retry": ["admin"],
};

const guarded = endpoints.filter(({ isPublic }) => !isPublic);
const nameOf = ({ method, path }: (typeof endpoints)[number]) => `${method} ${path}`;

test("every route that needs credentials has scopes, and none that is open", () => {
  assert.deepEqual(guarded.map(nameOf).sort(), Object.keys(NEEDS).sort());
  for (const endpoint of endpoints) assert.deepEqual(endpoint.scopes, NEEDS[nameOf(endpoint)], nameOf(endpoint));
});

test("each scope alone opens its routes and no other: 403 there, which says what is needed and what there is", async () => {
  for (const scope of [undefined, ...SCOPES]) {
    const limited = await withScopes(service, client, scope ? [scope] : []);
    for (const endpoint of guarded) {
      const what = `${nameOf(endpoint)} with ${scope}`;
      const path = endpoint.path.replace(":id", randomUUID()).replace(":language", "de");
      const answer = await limited.call(endpoint.method.toUpperCase(), path, endpoint.body ? { body: {} } : {});
      const needs = NEEDS[nameOf(endpoint)]!;
      const opens = scope === "read-without-links" ? "read" : scope;
      if (scope === "admin" || (opens && needs.includes(opens))) {
        const isRefused = answer.body?.code === "workspace_not_sandbox";
        assert.ok([200, 400, 404].includes(answer.status) || isRefused, `${what}: ${answer.text}`);
        continue;
      }
      assert.deepEqual([answer.status, answer.body.code], [403, "insufficient_scope"], what);
      const has = scope ?? "none";
      assert.equal(answer.body.detail, `This needs the scope ${needs.join(" or ")}. The credentials have ${has}.`);
      assert.match(answer.headers.get("www-authenticate")!, /error="insufficient_scope", scope="[a-z ]+"$/);
    }
  }
});

test("a refused import leaves nothing, and its Idempotency-Key is free", async () => {
  const { client, screenerId } = await service.screener();
  const reader = await withScopes(service, client, ["read", "respond"]);
  const key = { "Idempotency-Key": "roster" };
  assert.equal((await reader.import(screenerId, people(3), {}, key)).status, 403);
  assert.deepEqual([(await client.get("/jobs")).body.total, (await client.get("/participants")).body.total], [0, 0]);
  assert.equal((await client.import(screenerId, people(3), {}, key)).status, 200);
});

test("an importer sees how its job goes, and what became of its rows", async () => {
  const screenerId = await client.screener();
  const importer = await withScopes(service, client, ["import"]);
  const accepted = await importer.import(screenerId, people(2), {}, { Prefer: "respond-async" });
  assert.equal(accepted.status, 202);
  await service.drain();
  for (const path of ["", "/result", "/rows"])
    assert.equal((await importer.get(`/jobs/${accepted.body.id}${path}`)).status, 200, path);
});

test("with a key and a token, both must have the scope", async () => {
  const { control } = service.context;
  const { id } = findWorkspace(control.reader, client.workspaceId)!;
  const token = (scopes: Scope[]) =>
    whenFree(control.writer, 5000, () => issueToken(control.writer, id, { userName: "Ada", expiresAt: null, scopes }));
  const { credentials } = await withScopes(service, client, ["read", "import"]);
  const status = async (scopes: Scope[]) => {
    const { accessToken } = await token(scopes);
    const headers = {
      "X-Service-Api-Key": credentials.apiKey,
      "X-Service-Api-Secret": credentials.apiSecret,
      Authorization: `Bearer ${accessToken}`,
    };
    return (await plain(service.url, { method: "GET", path: "/screeners", headers })).status;
  };
  assert.deepEqual([await status(["read"]), await status(["import"]), await status(["admin"])], [200, 403, 200]);
});
