// Which credentials are accepted, which actor a write has, and which version of the API answers.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { whenFree } from "../../db/sqlite/when-free.ts";
import { MAX_FAILED_LOGINS } from "../../src/main/context.ts";
import { Credentials } from "../../src/workspaces/credentials.ts";
import { issueKey, rotateKey } from "../../src/workspaces/issue.ts";
import { findApiKey, revokeApiKey } from "../../src/workspaces/queries.ts";
import { findTokenByUid, revokeToken } from "../../src/workspaces/token-queries.ts";
import type { Answer, Client } from "../support/client.ts";
import { startService } from "../support/service.ts";
import { tokenFor } from "../support/store.ts";

const service = await startService();

/** A request with these headers and no others. */
async function call(
  path: string,
  headers: Record<string, string>,
  sent?: unknown,
): Promise<Omit<Answer, "text" | "bytes">> {
  const response = await fetch(service.url + path, {
    method: sent === undefined ? "GET" : "POST",
    headers: { ...headers, ...(sent !== undefined && { "Content-Type": "application/json" }) },
    ...(sent !== undefined && { body: JSON.stringify(sent) }),
  });
  const body: Answer["body"] = await response.json();
  return { status: response.status, headers: response.headers, body };
}

function pair({ credentials }: Client): Record<string, string> {
  return { "X-Service-Api-Key": credentials.apiKey, "X-Service-Api-Secret": credentials.apiSecret };
}

function bearer(token: string): Record<string, string> {
  return { Authorization: `Bearer ${token}` };
}

function ledger<T>(write: () => T): Promise<T> {
  return whenFree(service.context.control.writer, 5000, write);
}

test("a write with a key has the key as its actor", async () => {
  const client = service.workspace("Acme");
  const { id } = keyRow(client);
  const { status, body } = await call("/screeners", pair(client), { title: "T" });
  assert.equal(status, 201);
  const actor = { _type: "ApplicationActor", id, name: "Acme API key" };
  assert.deepEqual([body.createdBy, body.updatedBy], [actor, actor]);
});

test("a write with a token has the user as its actor", async () => {
  const client = service.workspace();
  const { accessToken, user } = await tokenFor(service, client, "Ada Lovelace");
  const { status, body } = await call("/screeners", bearer(accessToken), { title: "T" });
  assert.equal(status, 201);
  assert.deepEqual(body.createdBy, { _type: "TenantUserActor", id: user.id, name: "Ada Lovelace" });
  assert.equal((await call("/screeners", { Authorization: `bearer ${accessToken}` })).status, 200);
});

test("a write with a key and a token has the user as its actor", async () => {
  const client = service.workspace();
  const { accessToken, user } = await tokenFor(service, client, "Grace");
  const { status, body } = await call("/screeners", { ...pair(client), ...bearer(accessToken) }, { title: "T" });
  assert.equal(status, 201);
  assert.deepEqual(body.createdBy, { _type: "TenantUserActor", id: user.id, name: "Grace" });
});

test("a job has the actor that asked for it, and so has everything that it writes", async () => {
  const { client, screenerId } = await service.screener();
  const { accessToken, user } = await tokenFor(service, client, "Ada");
  const actor = { _type: "TenantUserActor", id: user.id, name: "Ada" };
  const participants = [{ externalUid: "a", email: "a@example.org", name: "A" }];
  await call("/screener-participants-import", bearer(accessToken), { screenerId, participants });
  const publication = await call("/screener-publications", bearer(accessToken), { screenerId });
  assert.deepEqual(publication.body.createdBy, actor);
  assert.deepEqual((await client.get("/participants")).body.items[0].createdBy, actor);
  for (const job of (await client.get("/jobs")).body.items) assert.deepEqual(job.createdBy, actor);
});

test("whatever is wrong with credentials, the answer is the same 401", async () => {
  const client = service.workspace();
  const other = service.workspace();
  const { control } = service.context;
  const valid = (await tokenFor(service, client, "Ada")).accessToken;
  const elsewhere = (await tokenFor(service, other, "Ada")).accessToken;
  const expired = (await tokenFor(service, client, "Ada", Date.now() - 1)).accessToken;
  const revoked = await tokenFor(service, client, "Ada");
  const workspaceId = keyRow(client).workspaceId;
  await ledger(() =>
    revokeToken(control.writer, findTokenByUid(control.reader, workspaceId, revoked.id)!.id, Date.now()),
  );
  const revokedKey = await ledger(() => issueKey(control.writer, workspaceId, { name: "old", expiresAt: null }));
  await ledger(() => revokeApiKey(control.writer, findApiKey(control.reader, revokedKey.apiKey)!.id, Date.now()));
  const expiredKey = await ledger(() => issueKey(control.writer, workspaceId, { name: "old", expiresAt: 1 }));
  const key = pair(client);
  const cases: Record<string, Record<string, string>> = {
    none: {},
    "key alone": { "X-Service-Api-Key": client.credentials.apiKey },
    "secret alone": { "X-Service-Api-Secret": client.credentials.apiSecret },
    "unknown key": { ...key, "X-Service-Api-Key": "key_unknown" },
    "wrong secret": { ...key, "X-Service-Api-Secret": "secret_wrong" },
    "empty secret": { ...key, "X-Service-Api-Secret": "" },
    "another key's secret": { ...key, "X-Service-Api-Secret": other.credentials.apiSecret },
    "revoked key": { "X-Service-Api-Key": revokedKey.apiKey, "X-Service-Api-Secret": revokedKey.apiSecret },
    "expired secret": { "X-Service-Api-Key": expiredKey.apiKey, "X-Service-Api-Secret": expiredKey.apiSecret },
    "unknown token": bearer("token_unknown"),
    "empty token": { Authorization: "Bearer" },
    "another scheme": { Authorization: `Basic ${valid}` },
    "expired token": bearer(expired),
    "revoked token": bearer(revoked.accessToken),
    "valid key, unknown token": { ...key, ...bearer("token_unknown") },
    "valid key, another scheme": { ...key, Authorization: "Basic YTpi" },
    "valid token, wrong secret": { ...key, ...bearer(valid), "X-Service-Api-Secret": "secret_wrong" },
    "valid token, key alone": { ...bearer(valid), "X-Service-Api-Key": client.credentials.apiKey },
    "key and token of two workspaces": { ...key, ...bearer(elsewhere) },
  };
  for (const [name, headers] of Object.entries(cases)) {
    const answer = await call("/screeners", headers);
    assert.equal(answer.status, 401, name);
    assert.match(answer.headers.get("content-type")!, /^application\/problem\+json/);
    assert.match(answer.headers.get("www-authenticate") ?? "", /^Bearer\b/, name);
    const { requestId, ...problem } = answer.body;
    assert.equal(requestId, answer.headers.get("x-request-id"));
    assert.deepEqual(
      problem,
      {
        type: "/problems/unauthenticated",
        title: "Authentication required",
        status: 401,
        detail: "The credentials are missing, unknown, revoked or expired.",
        code: "unauthenticated",
      },
      name,
    );
  }
  assert.equal((await call("/screeners", bearer(valid))).status, 200);
});

test("credentials are asked for before anything else of the request is judged", async () => {
  const paths = ["/screeners/unknown", "/participants?filter[x][eq]=y", "/jobs/unknown/result"];
  for (const path of paths) assert.equal((await call(path, {})).status, 401, path);
  const version = await call("/screeners", { "X-Service-Api-Version": "9.0.0" });
  assert.equal(version.status, 401);
  assert.equal((await call("/screeners", {}, { title: 1 })).status, 401);
});

test("a key is rotated without an outage: both secrets work until the old one's time is over", async () => {
  const client = service.workspace();
  const { rowId } = keyRow(client);
  const { writer } = service.context.control;
  const second = await ledger(() => rotateKey(writer, rowId, 3_600_000));
  const withSecond = { ...pair(client), "X-Service-Api-Secret": second };
  assert.equal((await call("/screeners", pair(client))).status, 200);
  assert.equal((await call("/screeners", withSecond)).status, 200);
  const third = await ledger(() => rotateKey(writer, rowId, 0));
  assert.equal((await call("/screeners", pair(client))).status, 401);
  assert.equal((await call("/screeners", withSecond)).status, 401);
  assert.equal((await call("/screeners", { ...pair(client), "X-Service-Api-Secret": third })).status, 200);
});

test("no secret and no token is on the disk", async () => {
  const client = service.workspace();
  const { accessToken } = await tokenFor(service, client, "Ada");
  await client.screener();
  for (const file of ["control.sqlite", "control.sqlite-wal"]) {
    const bytes = readFileSync(join(service.config.dataDir, file));
    assert.ok(!bytes.includes(client.credentials.apiSecret), file);
    assert.ok(!bytes.includes(accessToken), file);
  }
});

test("the last use of a key and of a token is recorded", async () => {
  const client = service.workspace();
  const token = await tokenFor(service, client, "Ada");
  const before = Date.now();
  await client.get("/screeners");
  await call("/screeners", bearer(token.accessToken));
  const { control, credentials } = service.context;
  await ledger(() => credentials.flush(control.writer));
  assert.ok(findApiKey(control.reader, client.credentials.apiKey)!.last_used_at! >= before);
  assert.ok(findTokenByUid(control.reader, keyRow(client).workspaceId, token.id)!.last_used_at! >= before);
});

test("the last use of a key is recorded to the minute, and no more often", async () => {
  const client = service.workspace();
  const { control } = service.context;
  // A process of its own, as far as it knows what it has recorded.
  const credentials = new Credentials(control.reader);
  const start = Date.now();
  const usedAt = async (seconds: number) => {
    credentials.verify({ ...client.credentials, bearer: undefined }, start + seconds * 1000);
    await ledger(() => credentials.flush(control.writer));
    return findApiKey(control.reader, client.credentials.apiKey)!.last_used_at! - start;
  };
  const recorded: number[] = [];
  for (const seconds of [0, 59, 60, 61, 119, 120, 3600]) recorded.push((await usedAt(seconds)) / 1000);
  assert.deepEqual(recorded, [0, 0, 60, 60, 60, 120, 3600]);
});

test("any 1.x.y is served, and every answer says which version answered", async () => {
  const client = service.workspace();
  for (const version of ["1.0.0", "1.0.1", "1.99.7"]) {
    const answer = await client.get("/screeners", { "X-Service-Api-Version": version });
    assert.equal(answer.status, 200, version);
    assert.equal(answer.headers.get("x-service-api-version"), "1.0.0");
  }
  const answers = [
    await client.get("/screeners"),
    await client.get("/screeners/unknown"),
    await client.get("/no-such-path"),
    await client.delete("/screeners"),
    await call("/screeners", {}),
    await call("/healthz", {}),
  ];
  assert.deepEqual(
    answers.map(({ status }) => status),
    [200, 404, 404, 405, 401, 200],
  );
  for (const { headers } of answers) assert.equal(headers.get("x-service-api-version"), "1.0.0");
});

test("a version that is not served is refused, and the answer lists those that are", async () => {
  const client = service.workspace();
  for (const version of ["2.0.0", "0.9.0", "10.0.0", "1", "1.0", "1.0.0.0", "v1.0.0", "1.0.x", "01.0.0", "latest"]) {
    const { status, body } = await client.get("/screeners", { "X-Service-Api-Version": version });
    assert.equal(status, 400, version);
    assert.equal(body.code, "unsupported_api_version", version);
    assert.deepEqual(body.supportedVersions, ["1.0.0"]);
    assert.match(body.detail, /1\.0\.0/);
  }
});

test("every answer carries a request id: the caller's when it is a sane one", async () => {
  const client = service.workspace();
  const sent = await client.get("/screeners", { "X-Request-Id": "trace-42/a:b" });
  assert.equal(sent.headers.get("x-request-id"), "trace-42/a:b");
  const ids = new Set<string>();
  for (const insane of ["", "x".repeat(129), "a b", "<script>", 'a"b']) {
    const { headers, body } = await client.get("/screeners/unknown", { "X-Request-Id": insane });
    const id = headers.get("x-request-id")!;
    assert.match(id, /^[\w-]{8,}$/);
    assert.notEqual(id, insane);
    assert.equal(body.requestId, id);
    ids.add(id);
  }
  assert.equal(ids.size, 5);
});

test("a request without an id of its own has that of its trace, if its traceparent is valid", async () => {
  const client = service.workspace();
  const [trace, parent] = ["4bf92f3577b34da6a3ce929d0e0e4736", "00f067aa0ba902b7"];
  const idWith = async (headers: Record<string, string>) =>
    (await client.get("/screeners", headers)).headers.get("x-request-id")!;
  for (const traceparent of [`00-${trace}-${parent}-01`, `00-${trace}-${parent}-00`, `cc-${trace}-${parent}-01-more`])
    assert.equal(await idWith({ traceparent }), `${trace}-${parent}`, traceparent);
  assert.equal(await idWith({ traceparent: `00-${trace}-${parent}-01`, "X-Request-Id": "mine" }), "mine");
  for (const traceparent of [
    "",
    `ff-${trace}-${parent}-01`,
    `00-${trace}-${parent}-01-more`,
    `cc-${trace}-${parent}-01more`,
    `00-${"0".repeat(32)}-${parent}-01`,
    `00-${trace}-${"0".repeat(16)}-01`,
    `00-${trace.toUpperCase()}-${parent}-01`,
    `00-${trace.slice(1)}-${parent}-01`,
    `00-${trace}-${parent}`,
    `00-${trace}-${parent}-01, 00-${trace}-${parent}-01`,
  ])
    assert.match(await idWith({ traceparent }), /^req_[\da-f-]{36}$/, traceparent);
});

// Last, because from here on this address is slowed down.
test("a client that guesses credentials is slowed down; one with valid credentials, from the same address, is not", async () => {
  const client = service.workspace();
  let refused: Omit<Answer, "text" | "bytes"> | undefined;
  for (let i = 0; i <= MAX_FAILED_LOGINS && !refused; i++) {
    const answer = await call("/screeners", bearer(`token_${i}`));
    if (answer.status === 429) refused = answer;
    else assert.equal(answer.status, 401);
  }
  assert.equal(refused?.body.code, "too_many_requests");
  const seconds = Number(refused?.headers.get("retry-after"));
  assert.ok(seconds >= 1 && seconds <= 60);
  assert.match(refused?.headers.get("ratelimit") ?? "", /r=0/);
  assert.match(refused?.headers.get("ratelimit-policy") ?? "", /q=\d+;w=60/);
  assert.equal((await client.get("/screeners")).status, 200);
});

/** The client's key as the store has it. */
function keyRow({ credentials }: Client): { id: string; rowId: number; workspaceId: number } {
  const row = findApiKey(service.context.control.reader, credentials.apiKey)!;
  return { id: row.uid, rowId: row.id, workspaceId: row.workspace_id };
}
