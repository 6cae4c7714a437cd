// Idempotency-Key: a POST that is sent again has its effect once, and its first answer again.

import assert from "node:assert/strict";
import { test } from "node:test";
import { gzipSync } from "node:zlib";
import { whenFree } from "../../db/sqlite/when-free.ts";
import { createApp } from "../../src/main/app.ts";
import { type Answer, type Client, people, UNKNOWN } from "../support/client.ts";
import { failedImport } from "../support/failed-job.ts";
import { png } from "../support/images.ts";
import { startRelay } from "../support/mail-relay.ts";
import { startService } from "../support/service.ts";
import { holdWrites, pausedMailing, tokenFor, writeTo } from "../support/store.ts";
import { pendingReview, publish } from "../support/study.ts";
import { askForData } from "../support/world.ts";

const DAY_MS = 24 * 3_600_000;

// Its log would be full of errors: a job fails on purpose.
const relay = await startRelay();
const service = await startService({ config: { logLevel: "silent", mail: relay.config() } });

/** A POST with a body and another one that would be as good (if it can be done twice), its answer's status, and how a list grows by it. */
interface Case {
  /** The endpoint's path, where it differs from the request's. */
  endpoint?: string;
  path: string;
  body: object;
  other?: object;
  status: number;
  list: string;
  grows: number;
}

/** One of each POST, in a workspace where all of them can be done: a sandbox, which is emptied at the end. */
async function cases(client: Client): Promise<Case[]> {
  const { screener: screenerId, question } = await publish(client, {
    pages: [{ title: "Page", questions: [{ _type: "ScreenerTextQuestion", key: "why", prompt: "Why?" }] }],
  });
  const [one, other, third, fourth] = (await client.import(screenerId, people(4))).body;
  const session = (await client.post("/screener-sessions", { screenerParticipantId: third.id })).body.id;
  const ended = (await client.post("/screener-sessions", { screenerParticipantId: fourth.id })).body.id;
  await client.post(`/screener-sessions/${ended}/responses`, { responses: [], complete: true });
  const person = { externalUid: "new", email: "new@x", name: "N" };
  const left = await leftBehind(client);
  const { screener: counted } = await publish(client, { pages: [], quotas: [{ name: "Everybody", limit: 1 }] });
  const quota = (await client.get(`/screeners/${counted}/quotas`)).body.items[0].id;
  const paused = () => pausedMailing(service, client, { screener: screenerId, participant: one.participantId });
  const mailings = { resume: paused(), pause: paused(), stop: paused() };
  for (const mailing of [mailings.pause, mailings.stop]) await client.post(`/mailings/${mailing}/resume`, {});
  const responses = (answer: string) => ({ responses: [{ screenerQuestionId: question.why, answer }] });
  const somebody = (await client.get("/participants")).body.items[0].id;
  return [
    { path: "/screeners", body: { title: "A" }, other: { title: "B" }, status: 201, list: "/screeners", grows: 1 },
    {
      path: "/participants",
      body: person,
      other: { ...person, externalUid: "b" },
      status: 201,
      list: "/participants",
      grows: 1,
    },
    {
      path: "/screener-sessions",
      body: { screenerParticipantId: one.id },
      other: { screenerParticipantId: other.id },
      status: 201,
      list: "/screener-sessions",
      grows: 1,
    },
    {
      path: "/screener-participants",
      body: { screenerId, name: "One" },
      other: { screenerId, name: "Two" },
      status: 201,
      list: "/screener-participants",
      grows: 1,
    },
    {
      path: "/screener-links",
      body: { screenerId, name: "Poster" },
      other: { screenerId, name: "Flyer" },
      status: 201,
      list: "/screener-links",
      grows: 1,
    },
    {
      path: "/workspace/images",
      body: { file: (await png(4, 4)).toString("base64") },
      other: { file: (await png(5, 5)).toString("base64") },
      status: 201,
      list: "/events?filter[type][eq]=image.created",
      grows: 1,
    },
    {
      path: "/workspace/signing-key/rotate",
      body: { overlapHours: 1 },
      other: { overlapHours: 2 },
      status: 200,
      list: "/events?filter[type][eq]=workspace.updated",
      grows: 1,
    },
    {
      path: "/screener-publications",
      body: { screenerId },
      other: { screenerId, targetQualifiedParticipants: 3 },
      status: 201,
      list: `/screeners/${screenerId}/publications`,
      grows: 1,
    },
    {
      endpoint: "/screener-publications/:id/restore",
      path: `/screener-publications/${await changedSince(client)}/restore`,
      body: {},
      status: 200,
      list: "/events?filter[type][eq]=screener.updated",
      grows: 1,
    },
    {
      path: "/screener-sessions-move",
      body: { screenerId: left },
      status: 200,
      list: "/events?filter[type][eq]=screener-sessions.moved",
      grows: 1,
    },
    {
      path: "/screener-participants-removal",
      body: { screenerId: left, screenerParticipantIds: [UNKNOWN] },
      status: 200,
      list: "/events?filter[type][eq]=screener-participants.removed",
      grows: 1,
    },
    {
      path: "/participants-erasure",
      body: { participantIds: [UNKNOWN] },
      status: 200,
      list: "/events?filter[type][eq]=participants.erased",
      grows: 1,
    },
    {
      path: "/screener-sessions-review",
      body: { screenerId: left, filter: {}, decision: "ACCEPTED" },
      status: 200,
      list: "/events?filter[type][eq]=screener-sessions.reviewed",
      grows: 1,
    },
    ...(["recount", "offer"] as const).map((what) => ({
      endpoint: `/screener-quotas/:id/${what}`,
      path: `/screener-quotas/${quota}/${what}`,
      body: {},
      status: 200,
      list: `/events?filter[type][eq]=screener-quota.${what}ed`,
      grows: 1,
    })),
    {
      path: "/screener-participants-import",
      body: { screenerId, participants: people(3, 10) },
      other: { screenerId, participants: people(4, 10) },
      status: 200,
      list: "/screener-participants",
      grows: 3,
    },
    {
      endpoint: "/screener-sessions/:id/responses",
      path: `/screener-sessions/${session}/responses`,
      body: responses("Because"),
      other: responses("Why not"),
      status: 200,
      list: "/screener-responses",
      grows: 1,
    },
    {
      endpoint: "/screener-sessions/:id/override",
      path: `/screener-sessions/${ended}/override`,
      body: { outcome: "QUALIFIED", reason: "Said so on the phone" },
      other: { outcome: "QUALIFIED", reason: "Wrote a letter" },
      status: 200,
      list: "/events?filter[type][eq]=screener-session.overridden",
      grows: 1,
    },
    {
      endpoint: "/screener-sessions/:id/review",
      path: `/screener-sessions/${await pendingReview(client)}/review`,
      body: { decision: "ACCEPTED" },
      other: { decision: "REJECTED" },
      status: 200,
      list: "/events?filter[type][eq]=screener-session.accepted",
      grows: 1,
    },
    {
      endpoint: "/participant-requests/:id/close",
      path: `/participant-requests/${await asked(client, session)}/close`,
      body: {},
      status: 200,
      list: "/participant-requests?filter[state][eq]=DONE",
      grows: 1,
    },
    ...(["resume", "pause", "stop"] as const).map((what) => ({
      endpoint: `/mailings/:id/${what}`,
      path: `/mailings/${mailings[what]}/${what}`,
      body: {},
      status: 200,
      list: `/events?filter[type][eq]=mailing.${{ resume: "resumed", pause: "paused", stop: "stopped" }[what]}`,
      grows: 1,
    })),
    {
      path: "/mailings",
      body: { screenerId, name: "x", kind: "MESSAGE", subject: "Hello", body: "Hello" },
      status: 200,
      list: "/mailings",
      grows: 1,
    },
    {
      endpoint: "/participant-notes",
      path: "/participant-notes",
      body: { participantId: somebody, note: "Likes tea" },
      other: { participantId: somebody, note: "Likes coffee" },
      status: 201,
      list: "/participant-notes",
      grows: 1,
    },
    {
      endpoint: "/mail-suppressions",
      path: "/mail-suppressions",
      body: { address: "gone@example.org" },
      other: { address: "away@example.org" },
      status: 201,
      list: "/mail-suppressions",
      grows: 1,
    },
    {
      endpoint: "/jobs/:id/apply",
      path: `/jobs/${await importElsewhere(client, people(2, 20), { dryRun: true })}/apply`,
      body: {},
      status: 200,
      list: "/participants",
      grows: 2,
    },
    {
      endpoint: "/jobs/:id/undo",
      path: `/jobs/${await importElsewhere(client, people(1, 30))}/undo`,
      body: {},
      status: 200,
      list: "/participants",
      grows: -1,
    },
    {
      endpoint: "/jobs/:id/retry",
      path: `/jobs/${await failedImport(service, client)}/retry`,
      body: {},
      status: 200,
      list: "/jobs?filter[status][eq]=FAILED",
      grows: -1,
    },
    {
      path: "/workspace/sandbox-reset",
      body: {},
      status: 200,
      list: "/events?filter[type][eq]=workspace.sandbox-reset",
      grows: 1,
    },
  ];
}

/** What the participant of a session has asked for. */
async function asked(client: Client, session: string): Promise<string> {
  await askForData(client, (await client.get(`/screener-sessions/${session}`)).body);
  return (await client.get("/participant-requests")).body.items[0].id;
}

/** Those that can be done twice. */
async function repeatable(client: Client): Promise<Required<Omit<Case, "endpoint">>[]> {
  return (await cases(client)).flatMap(({ other, ...one }) => (other ? [{ ...one, other }] : []));
}

/** A publication whose screener has another draft since. */
async function changedSince(client: Client): Promise<string> {
  const screenerId = await client.screener();
  const { body } = await client.post("/screener-publications", { screenerId });
  await client.call("PUT", `/screeners/${screenerId}/content`, { body: { pages: [], thankYou: "Bye" } });
  return body.id;
}

/** A screener with a link to a former version. */
async function leftBehind(client: Client): Promise<string> {
  const screenerId = await client.screener();
  await client.post("/screener-publications", { screenerId });
  const { body } = await client.import(screenerId, people(1, 40));
  await client.open(body[0].id);
  await client.post("/screener-publications", { screenerId });
  return screenerId;
}

/** Imports into a screener of its own. @returns the job */
async function importElsewhere(client: Client, rows: object[], more: Record<string, unknown> = {}): Promise<string> {
  const { headers } = await client.import(await client.screener(), rows, more);
  return headers.get("location")!.slice("/jobs/".length);
}

test("every POST of the API that changes something is tried with a key below", async () => {
  const tried = (await cases(service.workspace("Test", true))).map(({ endpoint, path }) => endpoint ?? path);
  const { routes } = createApp(service.context);
  const served = routes.stack.filter(
    ({ methods, path }) =>
      methods.includes("POST") &&
      !/^\/(?:w(?!orkspace)|console|mail\/)|-forecast$|\/feasibility$|\/mail\/test$|\/mailings-(?:preview|test)$/.test(
        String(path),
      ),
  );
  assert.deepEqual(tried.sort(), served.map(({ path }) => String(path)).sort());
});

async function total(client: Client, path: string): Promise<number> {
  return (await client.get(path)).body.total;
}

function withKey(client: Client, path: string, body: unknown, key: string): Promise<Answer> {
  return client.post(path, body, { "Idempotency-Key": key });
}

/** An answer without its request id. */
function comparable({ status, headers, body }: Answer): unknown[] {
  const { requestId, ...rest } = Array.isArray(body) ? { requestId: undefined, rows: body } : body;
  return [status, headers.get("location"), headers.get("content-type"), rest];
}

function reused({ status, body }: Answer): void {
  assert.deepEqual([status, body.code], [422, "idempotency_key_reused"]);
}

test("the same key and body give the first answer again, and have their effect once", async () => {
  const client = service.workspace("Test", true);
  for (const [index, { path, body, status, list }] of (await cases(client)).entries()) {
    const first = await withKey(client, path, body, `key ${index}`);
    assert.equal(first.status, status, path);
    const after = await total(client, list);
    for (let i = 0; i < 3; i++)
      assert.deepEqual(comparable(await withKey(client, path, body, `key ${index}`)), comparable(first));
    assert.equal(await total(client, list), after, path);
  }
});

test("the same key with another body is refused, and has no effect", async () => {
  const client = service.workspace();
  for (const [index, { path, body, other, list }] of (await repeatable(client)).entries()) {
    const first = await withKey(client, path, body, `key ${index}`);
    const after = await total(client, list);
    const jobs = await total(client, "/jobs");
    reused(await withKey(client, path, other, `key ${index}`));
    assert.equal(await total(client, list), after, path);
    assert.equal(await total(client, "/jobs"), jobs);
    assert.deepEqual(comparable(await withKey(client, path, body, `key ${index}`)), comparable(first));
  }
});

test("a key that was used at one endpoint is refused at every other", async () => {
  const client = service.workspace("Test", true);
  const all = await cases(client);
  for (const [index, { path, body }] of all.entries()) {
    assert.ok((await withKey(client, path, body, `key ${index}`)).status < 300);
    // In a sandbox that was emptied, only what names nothing that was there is as good as before.
    const isEmpty = path.endsWith("/sandbox-reset");
    for (const elsewhere of isEmpty ? all.slice(0, 2) : all) {
      if (elsewhere.path !== path) reused(await withKey(client, elsewhere.path, elsewhere.body, `key ${index}`));
    }
  }
});

test("requests with one key at the same time have one effect and one answer", async () => {
  const client = service.workspace("Test", true);
  for (const [index, { path, body, list, grows }] of (await cases(client)).entries()) {
    const before = await total(client, list);
    const answers = await Promise.all(Array.from({ length: 8 }, () => withKey(client, path, body, `key ${index}`)));
    for (const answer of answers) assert.deepEqual(comparable(answer), comparable(answers[0]!), path);
    assert.ok(answers[0]!.status < 300);
    assert.equal(await total(client, list), before + grows, path);
  }
});

test("of requests with one key and different bodies at once, one has its effect", async () => {
  const client = service.workspace();
  for (const [index, { path, body, other }] of (await repeatable(client)).entries()) {
    const answers = await Promise.all(
      Array.from({ length: 8 }, (_, turn) => withKey(client, path, turn % 2 ? other : body, `key ${index}`)),
    );
    const even = answers.filter((_, turn) => turn % 2 === 0).map(({ status }) => status);
    const odd = answers.filter((_, turn) => turn % 2 === 1).map(({ status }) => status);
    for (const statuses of [even, odd]) assert.equal(new Set(statuses).size, 1, `${path} ${statuses}`);
    assert.deepEqual([even[0]! < 300, odd[0]! < 300].sort(), [false, true], path);
    assert.ok([even[0], odd[0]].includes(422), path);
  }
});

test("requests without a key, or with keys of their own, each have their effect", async () => {
  const client = service.workspace();
  for (const key of ["one", "two", undefined, undefined]) {
    const { status } = await client.post("/screeners", { title: "T" }, key ? { "Idempotency-Key": key } : {});
    assert.equal(status, 201);
  }
  assert.equal(await total(client, "/screeners"), 4);
});

test("a key belongs to its workspace, whichever actor of the workspace uses it", async () => {
  const client = service.workspace();
  const stranger = service.workspace();
  const { accessToken } = await tokenFor(service, client, "Ada");
  const first = await withKey(client, "/screeners", { title: "T" }, "key");
  const foreign = await withKey(stranger, "/screeners", { title: "Other" }, "key");
  assert.equal(foreign.status, 201);
  const headers = { "Idempotency-Key": "key", Authorization: `Bearer ${accessToken}` };
  assert.deepEqual(comparable(await client.post("/screeners", { title: "T" }, headers)), comparable(first));
  reused(await client.post("/screeners", { title: "Other" }, headers));
  for (const one of [client, stranger]) {
    const screenerId = await one.screener();
    assert.equal((await withKey(one, "/screener-publications", { screenerId }, "publish")).status, 201);
  }
});

test("the first answer is given again as it was, whatever has happened since", async () => {
  const { client, screenerId } = await service.screener();
  const made = await withKey(client, "/participants", { externalUid: "a", email: "a@x", name: "A" }, "create");
  const body = { screenerId, participants: [{ externalUid: "a" }, ...people(2)] };
  const imported = await withKey(client, "/screener-participants-import", body, "import");
  const published = await withKey(client, "/screener-publications", { screenerId }, "publish");
  const opened = await withKey(client, "/screener-sessions", { screenerParticipantId: imported.body[0].id }, "open");
  await client.post("/screener-publications", { screenerId });
  await client.patch(`/participants/${made.body.id}`, { name: "Changed", email: null });
  await client.delete(`/screener-sessions/${opened.body.id}`);
  await client.import(screenerId, [], { importMode: "FULL_SYNC" });
  const again = [
    await withKey(client, "/participants", { externalUid: "a", email: "a@x", name: "A" }, "create"),
    await withKey(client, "/screener-participants-import", body, "import"),
    await withKey(client, "/screener-publications", { screenerId }, "publish"),
    await withKey(client, "/screener-sessions", { screenerParticipantId: imported.body[0].id }, "open"),
  ];
  assert.deepEqual(again.map(comparable), [made, imported, published, opened].map(comparable));
  assert.equal(await total(client, "/screener-participants"), 0);
});

test("a first answer that was a refusal is given again, too", async () => {
  const { client, screenerId } = await service.screener();
  const person = { externalUid: "a", email: "a@x", name: "A" };
  const holder = (await client.post("/participants", { ...person, externalUid: "holder" })).body;
  const [row] = (await client.import(screenerId, people(1))).body;
  const wrong = { screenerId, participants: [{ externalUid: "b" }] };
  const tries: [string, object, number][] = [
    ["/participants", person, 409],
    ["/screener-sessions", { screenerParticipantId: row.id }, 409],
    ["/screener-publications", { screenerId: "unknown" }, 404],
    ["/screener-participants-import", wrong, 400],
    ["/screener-participants-import", { screenerId, participants: [person] }, 409],
  ];
  const first = [];
  for (const [index, [path, body, status]] of tries.entries()) {
    const answer = await withKey(client, path, body, `key ${index}`);
    assert.equal(answer.status, status, path);
    first.push(comparable(answer));
  }
  // Now all of it could be done.
  await client.patch(`/participants/${holder.id}`, { email: null });
  await client.post("/screener-publications", { screenerId });
  await client.post("/participants", { externalUid: "b", email: "b@x", name: "B" });
  for (const [index, [path, body]] of tries.entries()) {
    assert.deepEqual(comparable(await withKey(client, path, body, `key ${index}`)), first[index], path);
    const other = path === "/screener-publications" ? { tags: [] } : { more: 1 };
    reused(await withKey(client, path, { ...body, ...other }, `key ${index}`));
  }
  // With another key it is another request.
  assert.equal((await withKey(client, "/participants", person, "another")).status, 201);
  assert.equal(await total(client, "/screener-sessions"), 0);
});

test("an import is the same, compressed or not", async () => {
  const { client, screenerId } = await service.screener();
  const raw = JSON.stringify({ screenerId, participants: people(5) });
  const send = (bytes: string | Uint8Array, headers: Record<string, string> = {}) =>
    client.call("POST", "/screener-participants-import", {
      raw: bytes,
      headers: { "Idempotency-Key": "import", ...headers },
    });
  const zipped = { "Content-Encoding": "gzip" };
  const first = await send(gzipSync(raw), zipped);
  assert.equal(first.status, 200);
  assert.deepEqual(comparable(await send(raw)), comparable(first));
  assert.deepEqual(comparable(await send(gzipSync(raw, { level: 1 }), zipped)), comparable(first));
  assert.equal(await total(client, "/jobs"), 1);
  reused(await send(gzipSync(`${raw} `), zipped));
});

test("a request that is sent again while its job runs gets the same job, and can wait for it", async () => {
  const { client, screenerId } = await service.screener();
  const body = { screenerId, participants: people(3) };
  const release = holdWrites(service, client);
  try {
    const key = { "Idempotency-Key": "import", Prefer: "respond-async" };
    const first = await client.post("/screener-participants-import", body, key);
    const again = await client.post("/screener-participants-import", body, key);
    assert.deepEqual([first.status, again.status], [202, 202]);
    assert.equal(again.body.id, first.body.id);
    assert.equal(again.headers.get("location"), first.headers.get("location"));
    const waiting = withKey(client, "/screener-participants-import", body, "import");
    release();
    const answer = await waiting;
    assert.equal(answer.status, 200);
    assert.deepEqual(answer.body, (await client.get("/screener-participants")).body.items);
    assert.equal(await total(client, "/jobs"), 1);
  } finally {
    release();
  }
});

test("a key is remembered for 24 hours, and then is free", async () => {
  const client = service.workspace();
  const all = await repeatable(client);
  const age = async (ms: number) => {
    const then = Date.now() - ms;
    writeTo(service.context.workspaces, client.workspaceId, (db) =>
      db.run("UPDATE idempotent_reply SET created_at = ?", then),
    );
    const { writer } = service.context.control;
    await whenFree(writer, 5000, () =>
      writer.run("UPDATE job SET created_at = ? WHERE idempotency_key IS NOT NULL", then),
    );
  };
  const first = [];
  for (const [index, { path, body }] of all.entries())
    first.push(comparable(await withKey(client, path, body, `key ${index}`)));
  await age(DAY_MS - 60_000);
  for (const [index, { path, body, other }] of all.entries()) {
    assert.deepEqual(comparable(await withKey(client, path, body, `key ${index}`)), first[index]);
    reused(await withKey(client, path, other, `key ${index}`));
  }
  await age(DAY_MS + 1000);
  for (const [index, { path, other }] of all.entries()) {
    const { status, body } = await withKey(client, path, other, `key ${index}`);
    // Another participant has had this email for more than a day.
    if (path === "/participants") assert.deepEqual([status, body.code], [409, "email_taken"]);
    else assert.ok(status < 300, `${path} ${status}`);
    // And from here on the key stands for this.
    reused(await withKey(client, path, all[index]!.body, `key ${index}`));
  }
});

test("a key that was free again can be used at any endpoint", async () => {
  const { client, screenerId } = await service.screener();
  await withKey(client, "/screener-publications", { screenerId }, "job first");
  await withKey(client, "/screeners", { title: "T" }, "write first");
  const { writer } = service.context.control;
  await whenFree(writer, 5000, () => writer.run("UPDATE job SET created_at = created_at - ?", DAY_MS));
  writeTo(service.context.workspaces, client.workspaceId, (db) =>
    db.run("UPDATE idempotent_reply SET created_at = created_at - ?", DAY_MS),
  );
  assert.equal((await withKey(client, "/screeners", { title: "T" }, "job first")).status, 201);
  assert.equal((await withKey(client, "/screener-publications", { screenerId }, "write first")).status, 201);
});

test("a key has 1 to 255 characters, at every POST", async () => {
  const client = service.workspace("Test", true);
  for (const { path, body, list } of await cases(client)) {
    const before = await total(client, list);
    for (const key of ["", "   ", "x".repeat(256), "x".repeat(5000)]) {
      const answer = await withKey(client, path, body, key);
      assert.equal(answer.status, 400, `${path} ${key.length}`);
      assert.equal(answer.body.code, "invalid_request");
      assert.equal(answer.body.errors[0].pointer, "Idempotency-Key");
    }
    assert.equal(await total(client, list), before);
    const longest = `${path}${"x".repeat(255 - path.length)}`;
    assert.ok((await withKey(client, path, body, longest)).status < 300, path);
  }
  assert.equal((await withKey(client, "/screeners", { title: "T" }, "x")).status, 201);
});

test("changes and removals take no notice of a key", async () => {
  const client = service.workspace();
  const id = (await withKey(client, "/screeners", { title: "T" }, "key")).body.id;
  for (const title of ["One", "Two"]) {
    const headers = { "Idempotency-Key": "key" };
    const { status, body } = await client.call("PATCH", `/screeners/${id}`, { body: { title }, headers });
    assert.deepEqual([status, body.title], [200, title]);
  }
});
