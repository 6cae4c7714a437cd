// No route shows or changes what belongs to another workspace, or answers without credentials.

import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { test } from "node:test";
import { whenFree } from "../../db/sqlite/when-free.ts";
import { nameOf } from "../../src/http/list-query.ts";
import { createApp, endpoints } from "../../src/main/app.ts";
import { issueKey, issueToken, rotateKey } from "../../src/workspaces/issue.ts";
import { findWorkspace, revokeApiKey } from "../../src/workspaces/queries.ts";
import { revokeToken } from "../../src/workspaces/token-queries.ts";
import { type Answer, type Client, people, UNKNOWN } from "../support/client.ts";
import { type PlainAnswer, plain } from "../support/http.ts";
import { png } from "../support/images.ts";
import { startService } from "../support/service.ts";
import { NOBODYS_URL, populate, type World } from "../support/world.ts";

const service = await startService();
const mine = await populate(service, "Mine");
// Both have it already.
const dot = (await png(2, 2)).toString("base64");
const letter = { subject: "Hello", body: "Hello" };
const theirs = await populate(service, "Theirs");

/** The names by which a request may point at something of a workspace. */
type Ids = Omit<World, "client">;

interface Case {
  /** Path below the route's, with ids in it. The route's own path when it has none. */
  path?: (ids: Ids) => string;
  body?: (ids: Ids) => unknown;
  /** The status for a client that names another workspace's ids, or unknown ids. */
  answers: number;
  /** The status for the owner: the ids are real. */
  owner: number;
}

const byId = (prefix: string, name: keyof Ids, suffix = "") => ({
  path: (ids: Ids) => `${prefix}${prefix.endsWith("=") ? "" : "/"}${ids[name]}${suffix}`,
});
const reads = { answers: 404, owner: 200 };
const lists = { answers: 200, owner: 200 };

// In this order, so that what removes comes after what reads.
const cases: Record<string, Case> = {
  "GET /": lists,
  "GET /healthz": lists,
  "GET /readyz": lists,
  "GET /openapi.json": lists,
  "GET /docs": lists,
  "GET /docs/:file": { path: () => "/docs/start.js", ...lists },
  "GET /problems/:code": { path: () => "/problems/email_taken", ...lists },
  "GET /screeners": lists,
  "GET /screeners/:id": { ...byId("/screeners", "screener"), ...reads },
  "GET /screeners/:id/publications": { ...byId("/screeners", "screener", "/publications"), ...reads },
  "GET /screeners/:id/content": { ...byId("/screeners", "screener", "/content"), ...reads },
  "GET /screeners/:id/translations": { ...byId("/screeners", "screener", "/translations"), ...reads },
  "GET /screeners/:id/translations/:language": { ...byId("/screeners", "screener", "/translations/de"), ...reads },
  "PATCH /screeners/:id/translations/:language": {
    ...byId("/screeners", "screener", "/translations/de"),
    body: () => ({ strings: [] }),
    ...reads,
  },
  "PUT /screeners/:id/translations/:language": {
    ...byId("/screeners", "screener", "/translations/de"),
    body: () => ({ strings: [] }),
    ...reads,
  },
  "DELETE /screeners/:id/translations/:language": { ...byId("/screeners", "screener", "/translations/de"), ...reads },
  "GET /screeners/:id/export": { ...byId("/screeners", "screener", "/export"), ...reads },
  "GET /screeners/:id/answer-columns": { ...byId("/screeners", "screener", "/answer-columns"), ...reads },
  "GET /screeners/:id/answers": { ...byId("/screeners", "screener", "/answers"), ...reads },
  "GET /screeners/:id/codebook": { ...byId("/screeners", "screener", "/codebook"), ...reads },
  "GET /screener-publications/:id/content": { ...byId("/screener-publications", "publication", "/content"), ...reads },
  "GET /screener-publications/:id": { ...byId("/screener-publications", "publication"), ...reads },
  "GET /screeners/:id/quotas": { ...byId("/screeners", "screener", "/quotas"), ...reads },
  "GET /screeners/:id/arms": { ...byId("/screeners", "screener", "/arms"), ...reads },
  "POST /screeners/:id/quota-forecast": { ...byId("/screeners", "screener", "/quota-forecast"), ...reads },
  "POST /screeners/:id/feasibility": { ...byId("/screeners", "screener", "/feasibility"), ...reads },
  "GET /screener-quotas/:id": { ...byId("/screener-quotas", "quota"), ...reads },
  "GET /screener-quotas/:id/places": { ...byId("/screener-quotas", "quota", "/places"), ...reads },
  "PATCH /screener-quotas/:id": { ...byId("/screener-quotas", "quota"), body: () => ({ limit: 3 }), ...reads },
  "GET /screener-sessions/:id/orders": { ...byId("/screener-sessions", "session", "/orders"), ...reads },
  "GET /screener-links": lists,
  "GET /screener-links/:id": { ...byId("/screener-links", "link"), ...reads },
  "PATCH /screener-links/:id": { ...byId("/screener-links", "link"), body: () => ({ limit: 3 }), ...reads },
  "POST /screener-links": { body: ({ screener }) => ({ screenerId: screener, name: "x" }), answers: 404, owner: 201 },
  "DELETE /screener-links/:id": { ...byId("/screener-links", "link"), ...reads },
  "POST /screener-quotas/:id/recount": { ...byId("/screener-quotas", "quota", "/recount"), ...reads },
  "POST /screener-quotas/:id/offer": { ...byId("/screener-quotas", "quota", "/offer"), ...reads },
  "GET /mailings": lists,
  "POST /mailings": {
    body: ({ screener }) => ({ ...letter, screenerId: screener, name: "x", kind: "MESSAGE" }),
    answers: 404,
    owner: 409,
  },
  "POST /mailings-preview": { body: ({ screener }) => ({ ...letter, screenerId: screener }), ...reads },
  "POST /mailings-test": {
    body: ({ screener }) => ({ ...letter, screenerId: screener, to: "ada@example.org" }),
    answers: 404,
    owner: 409,
  },
  "GET /mailings/:id": { ...byId("/mailings", "mailing"), ...reads },
  "GET /mailings/:id/messages": { ...byId("/mailings", "mailing", "/messages"), ...reads },
  "POST /mailings/:id/pause": { ...byId("/mailings", "mailing", "/pause"), ...reads },
  "POST /mailings/:id/resume": { ...byId("/mailings", "mailing", "/resume"), ...reads },
  "POST /mailings/:id/stop": { ...byId("/mailings", "mailing", "/stop"), ...reads },
  "GET /participant-requests": lists,
  "GET /participant-requests/:id": { ...byId("/participant-requests", "request"), ...reads },
  "POST /participant-requests/:id/close": { ...byId("/participant-requests", "request", "/close"), ...reads },
  "GET /participant-notes": lists,
  "GET /participant-notes/:id": { ...byId("/participant-notes", "note"), ...reads },
  "POST /participant-notes": {
    body: ({ participant }) => ({ participantId: participant, note: "x" }),
    answers: 404,
    owner: 201,
  },
  "DELETE /participant-notes/:id": { ...byId("/participant-notes", "note"), ...reads },
  "GET /mail-suppressions": lists,
  "GET /mail-suppressions/:id": { ...byId("/mail-suppressions", "suppression"), ...reads },
  "POST /mail-suppressions": { body: ({ email }) => ({ address: email }), answers: 201, owner: 201 },
  "DELETE /mail-suppressions/:id": { ...byId("/mail-suppressions", "suppression"), ...reads },
  "GET /participants": lists,
  "GET /participants/:id": { ...byId("/participants", "participant"), ...reads },
  "GET /participants/:id/export": { ...byId("/participants", "participant", "/export"), ...reads },
  "GET /screener-participants": lists,
  "GET /screener-participants/:id": { ...byId("/screener-participants", "assignment"), ...reads },
  "GET /screener-sessions": lists,
  "GET /screener-sessions/:id": { ...byId("/screener-sessions", "session"), ...reads },
  "GET /screener-sessions/:id/explanation": { ...byId("/screener-sessions", "session", "/explanation"), ...reads },
  "GET /screeners/:id/results": { ...byId("/screeners", "screener", "/results"), ...reads },
  "GET /screener-responses": lists,
  "GET /jobs": lists,
  "GET /jobs/:id": { ...byId("/jobs", "job"), ...reads },
  "GET /jobs/:id/result": { ...byId("/jobs", "job", "/result"), ...reads },
  "GET /jobs/:id/rows": { ...byId("/jobs", "job", "/rows"), ...reads },
  "GET /events": lists,
  "GET /events/:id": { ...byId("/events", "event"), ...reads },
  "GET /events/feed": { ...byId("/events/feed?after=", "event"), answers: 410, owner: 200 },
  "GET /workspace/appearance": lists,
  "PATCH /workspace/appearance": { body: () => ({ accentColor: "#0a7d55" }), ...lists },
  "GET /workspace/images/:id": { ...byId("/workspace/images", "image"), ...reads },
  "POST /workspace/images": { body: () => ({ file: dot }), ...lists },
  "GET /workspace/attributes": lists,
  "PUT /workspace/attributes": { body: () => ({ attributes: [] }), ...lists },
  "GET /workspace/words": lists,
  "GET /workspace/words/:language": { path: () => "/workspace/words/de", ...lists },
  "PUT /workspace/words/:language": { path: () => "/workspace/words/de", body: () => ({ words: [] }), ...lists },
  "GET /screeners/:id/words/:language": { ...byId("/screeners", "screener", "/words/de"), ...reads },
  "PUT /screeners/:id/words/:language": {
    ...byId("/screeners", "screener", "/words/de"),
    body: () => ({ words: [] }),
    ...reads,
  },
  "GET /workspace/signing-key": lists,
  // The second key would have one before.
  "POST /workspace/signing-key/rotate": { body: () => ({ overlapHours: 0 }), ...lists },
  "GET /workspace/users": lists,
  "GET /workspace/users/:id": { ...byId("/workspace/users", "user"), ...reads },
  "PATCH /workspace/users/:id": { ...byId("/workspace/users", "user"), body: () => ({ role: "viewer" }), ...reads },
  "GET /workspace/mail": lists,
  "PATCH /workspace/mail": { body: () => ({ contactCap: null }), ...lists },
  "POST /workspace/mail/test": { body: () => ({ to: "ada@example.org" }), answers: 409, owner: 409 },
  "GET /workspace/usage": lists,
  // Neither of both is a sandbox.
  "POST /workspace/sandbox-reset": { answers: 409, owner: 409 },
  "GET /webhook-endpoints": lists,
  "GET /webhook-endpoints/:id": { ...byId("/webhook-endpoints", "webhookEndpoint"), ...reads },
  "GET /webhook-deliveries": lists,
  "GET /webhook-deliveries/:id": { ...byId("/webhook-deliveries", "webhookDelivery"), ...reads },
  "POST /webhook-endpoints": { body: () => ({ url: NOBODYS_URL }), answers: 201, owner: 201 },
  "PATCH /webhook-endpoints/:id": {
    ...byId("/webhook-endpoints", "webhookEndpoint"),
    body: () => ({ types: ["quota.reached"] }),
    ...reads,
  },
  "POST /webhook-endpoints/:id/rotate-secret": {
    ...byId("/webhook-endpoints", "webhookEndpoint", "/rotate-secret"),
    ...reads,
  },
  "POST /webhook-endpoints/:id/replay": {
    ...byId("/webhook-endpoints", "webhookEndpoint", "/replay"),
    body: () => ({ from: "2026-01-01T00:00:00Z" }),
    answers: 404,
    owner: 202,
  },
  "POST /webhook-endpoints/:id/test": {
    ...byId("/webhook-endpoints", "webhookEndpoint", "/test"),
    answers: 404,
    owner: 201,
  },
  "POST /webhook-deliveries/:id/retry": { ...byId("/webhook-deliveries", "webhookDelivery", "/retry"), ...reads },
  "DELETE /webhook-endpoints/:id": { ...byId("/webhook-endpoints", "webhookEndpoint"), ...reads },
  "POST /screeners": {
    body: (ids) => ({ title: "New", id: ids.screener, activePublicationId: ids.publication }),
    answers: 201,
    owner: 201,
  },
  "PATCH /screeners/:id": {
    ...byId("/screeners", "screener"),
    body: (ids) => ({ title: "Changed", activePublicationId: ids.publication }),
    ...reads,
  },
  "PUT /screeners/:id/content": {
    ...byId("/screeners", "screener", "/content"),
    body: () => ({ pages: [] }),
    ...reads,
  },
  "POST /screener-publications/:id/restore": { ...byId("/screener-publications", "publication", "/restore"), ...reads },
  "POST /screener-participants-removal": {
    body: ({ screener, assignment }) => ({ screenerId: screener, screenerParticipantIds: [assignment], dryRun: true }),
    ...reads,
  },
  // Of another workspace it is as if they were not there: test/api/many-people.test.ts.
  "POST /participants-erasure": { body: () => ({ participantIds: [UNKNOWN], dryRun: true }), answers: 200, owner: 200 },
  "POST /screener-sessions-move": { body: ({ screener }) => ({ screenerId: screener }), ...reads },
  "POST /screener-sessions-review": {
    body: ({ screener }) => ({ screenerId: screener, filter: {}, decision: "REJECTED" }),
    ...reads,
  },
  "POST /screener-publications": { body: (ids) => ({ screenerId: ids.screener }), answers: 404, owner: 201 },
  "PATCH /screener-publications/:id": {
    ...byId("/screener-publications", "publication"),
    body: () => ({ targetQualifiedParticipants: 3 }),
    ...reads,
  },
  "POST /participants": {
    body: (ids) => ({ id: ids.participant, externalUid: ids.externalUid, email: ids.email, name: "New" }),
    answers: 201,
    owner: 409,
  },
  "PATCH /participants/:id": {
    ...byId("/participants", "participant"),
    body: () => ({ name: "Changed" }),
    ...reads,
  },
  "POST /screener-participants": {
    body: (ids) => ({ screenerId: ids.screener, externalUid: ids.externalUid }),
    answers: 404,
    owner: 200,
  },
  "POST /screener-participants-import": {
    body: (ids) => ({
      screenerId: ids.screener,
      participants: [{ externalUid: ids.externalUid, email: ids.email, name: "New" }],
    }),
    answers: 404,
    owner: 200,
  },
  "POST /screener-sessions": { body: (ids) => ({ screenerParticipantId: ids.assignment }), answers: 404, owner: 200 },
  "POST /screener-sessions/:id/responses": {
    ...byId("/screener-sessions", "session", "/responses"),
    body: () => ({ responses: [] }),
    ...reads,
  },
  // The owner's participant has not withdrawn.
  "DELETE /screener-sessions/:id/responses": {
    ...byId("/screener-sessions", "session", "/responses"),
    answers: 404,
    owner: 409,
  },
  "POST /screener-sessions/:id/override": {
    ...byId("/screener-sessions", "session", "/override"),
    body: () => ({ outcome: "BY_RULES", reason: "x" }),
    answers: 404,
    owner: 409,
  },
  "POST /screener-sessions/:id/review": {
    ...byId("/screener-sessions", "session", "/review"),
    body: () => ({ decision: "ACCEPTED" }),
    answers: 404,
    owner: 409,
  },
  "POST /jobs/:id/apply": { ...byId("/jobs", "job", "/apply"), answers: 404, owner: 409 },
  "POST /jobs/:id/retry": { ...byId("/jobs", "job", "/retry"), answers: 404, owner: 409 },
  "POST /jobs/:id/undo": { ...byId("/jobs", "job", "/undo"), body: () => ({ dryRun: true }), ...reads },
  "DELETE /jobs/:id": { ...byId("/jobs", "job"), answers: 404, owner: 409 },
  "DELETE /screener-sessions/:id": { ...byId("/screener-sessions", "session"), ...reads },
  "DELETE /screener-participants/:id": { ...byId("/screener-participants", "assignment"), ...reads },
  "DELETE /participants/:id": { ...byId("/participants", "participant"), ...reads },
  "DELETE /screeners/:id/test-sessions": {
    ...byId("/screeners", "screener", "/test-sessions"),
    answers: 404,
    owner: 200,
  },
  // The owner has not confirmed it.
  "DELETE /screeners/:id": { ...byId("/screeners", "screener"), answers: 404, owner: 409 },
};

/** Routes that need no credentials. */
const OPEN = [
  "GET /",
  "GET /healthz",
  "GET /readyz",
  "GET /openapi.json",
  "GET /docs",
  "GET /docs/:file",
  "GET /problems/:code",
];

/**
 * Every route of the API, as `METHOD /path`. Participants have links, not credentials: participant-links.test.ts. Users of the
 * console have sessions: console-roles.test.ts.
 */
function routes(): string[] {
  const { stack } = createApp(service.context).routes;
  // What mail servers bring has a proof of its own: returned-mail.test.ts.
  return stack
    .filter(({ path }) => !/^\/(?:(?:w|console)\b|mail\/inbound$)/.test(String(path)))
    .flatMap(({ methods, path }) => methods.filter((method) => method !== "HEAD").map((method) => `${method} ${path}`));
}

/** Ids that nobody has, shaped like those of `ids`. */
function unknown(ids: Ids): Ids {
  const one = randomUUID();
  return {
    ...(Object.fromEntries(Object.keys(ids).map((name) => [name, randomUUID()])) as unknown as Ids),
    externalUid: `Nobody-${one}`,
    email: `nobody-${one}@example.org`,
  };
}

function ask(client: Client, route: string, { path, body }: Case, ids: Ids): Promise<Answer> {
  const [method = "", own = ""] = route.split(" ");
  return client.call(method, path?.(ids) ?? own, body ? { body: body(ids) } : {});
}

/** An answer without what differs from one request to the next. */
function essence({ status, headers, text }: Answer, ids: Ids): unknown {
  const kept = ["content-type", "www-authenticate", "retry-after", "allow", "location"];
  const plain = Object.values(ids).reduce((shown, id) => shown.replaceAll(id, "…"), text);
  return {
    status,
    headers: kept.map((name) => headers.get(name)?.replace(/[0-9a-f-]{36}/, "…")),
    text: plain
      .replace(/(?:whsec|sign)_[^"]*/, "…")
      .replace(/"requestId":"[^"]*"/, '"requestId":"…"')
      .replace(/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g, "…")
      .replace(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, "…"),
  };
}

const listPaths = (world: World) => [
  "/screeners",
  `/screeners/${world.screener}/publications`,
  "/participants",
  "/screener-participants",
  "/screener-sessions",
  "/screener-responses",
  "/jobs",
  "/events",
];

/** Everything that the API shows of a workspace. */
function everything(world: World): Promise<unknown[][]> {
  return Promise.all(listPaths(world).map((path) => world.client.all(path)));
}

test("every route is looked at here, so that a new one can't be forgotten", () => {
  assert.deepEqual(routes().sort(), Object.keys(cases).sort());
});

test("another workspace's ids answer exactly like ids that nobody has", async () => {
  const before = await everything(theirs);
  const { client: _, ...ids } = theirs;
  for (const [route, one] of Object.entries(cases)) {
    const strangers = await ask(mine.client, route, one, ids);
    const nobodys = unknown(ids);
    const nobody = await ask(mine.client, route, one, nobodys);
    assert.equal(strangers.status, one.answers, `${route}: ${strangers.text}`);
    if (OPEN.includes(route)) continue;
    // A list without a filter shows what the caller has, which the case before may just have added to.
    if (route.startsWith("POST") || one.answers === 404)
      assert.deepEqual(essence(strangers, ids), essence(nobody, nobodys), route);
    for (const id of [ids.screener, ids.participant, ids.assignment, ids.session, ids.publication, ids.job])
      assert.ok(!strangers.text.includes(id), `${route} shows an id of another workspace`);
  }
  assert.deepEqual(await everything(theirs), before, "a stranger has changed something");
});

test("a filter by another workspace's ids finds what a filter by unknown ones finds", async () => {
  const { client, job, mailing, screener } = await populate(service, "Filtering");
  const { client: _, ...ids } = theirs;
  const nobodys = unknown(ids);
  let asked = 0;
  for (const { path, filters = {} } of endpoints) {
    for (const [field, rule] of Object.entries(filters)) {
      const { operators, values } = rule;
      if (values !== "uuid" && values !== "text") continue;
      for (const operator of operators) {
        // What an unknown id finds is the same for each.
        let ofNobodysId: Answer | undefined;
        for (const name of Object.keys(ids) as (keyof Ids)[]) {
          const isId = !["externalUid", "email"].includes(name);
          if (isId !== (values === "uuid")) continue;
          const brackets = operator.endsWith("in") ? "[]" : "";
          const query = (value: string) =>
            `${path.replace(":id", path.startsWith("/screeners/") ? screener : path.startsWith("/mailings/") ? mailing : job)}?filter[${nameOf(field, rule)}][${operator}]${brackets}=${value}`;
          const strangers = await client.get(query(ids[name]));
          const nobody = ofNobodysId ?? (await client.get(query(nobodys[name])));
          if (isId) ofNobodysId = nobody;
          assert.equal(strangers.status, 200, query(ids[name]));
          assert.equal(steady(strangers.text), steady(nobody.text), query(ids[name]));
          const isNone = operator === "eq" || operator === "in";
          // A table has its headings alone.
          const none = strangers.body
            ? (strangers.body.total ?? strangers.body.sessions) === 0
            : strangers.text.trimEnd().split("\r\n").length === 1;
          if (isNone) assert.ok(none, query(ids[name]));
          asked++;
        }
      }
    }
  }
  assert.ok(asked > 60, `only ${asked} filters were tried`);
});

/** Without how far a delivery is, which is tried all the while. */
function steady(text: string): string {
  return text.replace(/"attemptCount":\d+,"nextAttemptAt":"[^"]*"/g, "");
}

test("the ids that strangers are refused are real: their owner is served", async () => {
  const { client, ...ids } = theirs;
  for (const [route, one] of Object.entries(cases)) {
    const { status, text } = await ask(client, route, one, ids);
    assert.equal(status, one.owner, `${route}: ${text}`);
  }
});

test("the same externalUid, email, tag and Idempotency-Key in two workspaces are two different things", async () => {
  const one = service.workspace();
  const other = service.workspace();
  const key = { "Idempotency-Key": "the very same" };
  const made = await one.post("/screeners", { title: "One" }, key);
  const unlike = await other.post("/screeners", { title: "Other" }, key);
  assert.deepEqual([made.status, unlike.status], [201, 201]);
  assert.notEqual(made.body.id, unlike.body.id);
  const imported = await one.import(made.body.id, people(2), {}, { "Idempotency-Key": "import" });
  const also = await other.import(unlike.body.id, people(2), {}, { "Idempotency-Key": "import" });
  assert.deepEqual([imported.status, also.status], [200, 200]);
  const ids = (answer: Answer): string[] =>
    answer.body.flatMap((row: { id: string; participantId: string }) => [row.id, row.participantId]);
  assert.equal(new Set([...ids(imported), ...ids(also)]).size, 8);
  const tags = [{ category: "City", value: "Oslo" }];
  const [tagged, taggedToo] = await Promise.all([
    one.post("/screener-publications", { screenerId: made.body.id, tags }),
    other.post("/screener-publications", { screenerId: unlike.body.id, tags }),
  ]);
  assert.notEqual(tagged.body.tags[0].id, taggedToo.body.tags[0].id);
});

test("every route that is not open answers one and the same 401, whatever is wrong with the credentials", async () => {
  const { control } = service.context;
  const { apiKey, apiSecret } = mine.client.credentials;
  const workspace = findWorkspace(control.reader, mine.client.workspaceId)!;
  const other = findWorkspace(control.reader, theirs.client.workspaceId)!;
  const past = Date.now() - 1;
  const issued = await whenFree(control.writer, 5000, () => {
    const key = (name: string, expiresAt: number | null) => issueKey(control.writer, workspace.id, { name, expiresAt });
    const token = (workspaceId: number, expiresAt: number | null) =>
      issueToken(control.writer, workspaceId, { userName: "Ada", expiresAt });
    const all = {
      revoked: key("Revoked", null),
      expired: key("Expired", past),
      rotated: key("Rotated", null),
      withdrawn: token(workspace.id, null),
      outdated: token(workspace.id, past),
      valid: token(workspace.id, null),
      foreign: token(other.id, null),
    };
    revokeApiKey(control.writer, row(all.revoked.id), past);
    rotateKey(control.writer, row(all.rotated.id), -1);
    revokeToken(control.writer, tokenRow(all.withdrawn.id), past);
    return all;
  });
  const { revoked, expired, rotated, withdrawn, outdated, valid, foreign } = issued;
  const pair = (key: string, secret: string) => ({ "X-Service-Api-Key": key, "X-Service-Api-Secret": secret });
  const bearer = (value: string) => ({ Authorization: `Bearer ${value}` });
  const wrong: Record<string, Record<string, string>> = {
    none: {},
    "a key alone": { "X-Service-Api-Key": apiKey },
    "a secret alone": { "X-Service-Api-Secret": apiSecret },
    "an unknown key": pair("key_unknown", apiSecret),
    "a wrong secret": pair(apiKey, `${apiSecret}x`),
    "an empty pair": pair("", ""),
    "another workspace's secret": pair(apiKey, theirs.client.credentials.apiSecret),
    "a revoked key": pair(revoked.apiKey, revoked.apiSecret),
    "an expired secret": pair(expired.apiKey, expired.apiSecret),
    "a secret that was rotated away": pair(rotated.apiKey, rotated.apiSecret),
    "an unknown token": bearer("token_unknown"),
    "a revoked token": bearer(withdrawn.accessToken),
    "an expired token": bearer(outdated.accessToken),
    "a token under another scheme": { Authorization: `Basic ${valid.accessToken}` },
    "a valid pair and an unknown token": { ...pair(apiKey, apiSecret), ...bearer("token_unknown") },
    "a valid token and a wrong secret": { ...pair(apiKey, "x"), ...bearer(valid.accessToken) },
    "a pair and a token of two workspaces": {
      ...pair(apiKey, apiSecret),
      ...bearer(foreign.accessToken),
    },
  };
  const { client: _, ...ids } = mine;
  const unlike = new Set<string>();
  let address = 1;
  for (const [route, { path, body }] of Object.entries(cases)) {
    const [method = "", own = ""] = route.split(" ");
    // Each route from an address of its own: many failures from one are slowed down.
    const from = `127.0.1.${address++}`;
    for (const [what, headers] of Object.entries(wrong)) {
      const answer = await plain(service.url, {
        method,
        path: path?.(ids) ?? own,
        headers: { ...headers, ...(body && { "Content-Type": "application/json" }) },
        ...(body && { body: JSON.stringify(body(ids)) }),
        from,
      });
      if (OPEN.includes(route)) {
        assert.equal(answer.status, 200, `${route} with ${what}`);
      } else {
        assert.equal(answer.status, 401, `${route} with ${what}`);
        assert.equal(answer.headers["www-authenticate"], 'Bearer realm="screening"');
        unlike.add(anonymous(answer));
      }
    }
  }
  assert.equal(unlike.size, 1, [...unlike].join("\n"));

  function row(uid: string): number {
    return control.writer.value<number>("SELECT id FROM api_key WHERE uid = ?", uid)!;
  }
  function tokenRow(uid: string): number {
    return control.writer.value<number>("SELECT id FROM access_token WHERE uid = ?", uid)!;
  }
});

/** A refusal, without what differs from one request to the next. */
function anonymous({ status, headers, text }: PlainAnswer): string {
  // What is left of a limit goes down with each failure.
  const { date, "x-request-id": requestId, ratelimit, ...rest } = headers;
  assert.ok(date && ratelimit);
  return JSON.stringify([status, rest, text.replace(String(requestId), "…")]);
}

test("a request with wrong credentials is refused before anything else in it is checked", async () => {
  const strange = {
    "X-Service-Api-Version": "9.9.9",
    "Content-Type": "text/plain",
    "Idempotency-Key": "x".repeat(999),
  };
  for (const path of ["/screeners", "/screener-participants-import", "/participants"]) {
    const { status } = await plain(service.url, {
      method: "POST",
      path: `${path}?nonsense=1`,
      headers: strange,
      body: "{",
      from: "127.0.2.1",
    });
    assert.equal(status, 401, path);
  }
});
