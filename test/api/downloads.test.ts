// Who has got people's data: an event for each file, also one that was broken off, and for many rows in pages.

import assert from "node:assert/strict";
import { test } from "node:test";
import { moveEvents } from "../../src/upkeep/housekeeping.ts";
import { type Client, people } from "../support/client.ts";
import { signedIn } from "../support/console.ts";
import { startService } from "../support/service.ts";
import { holdWrites, withScopes } from "../support/store.ts";
import { publish } from "../support/study.ts";
import { until } from "../support/until.ts";

const service = await startService();
const wait = { Prefer: "wait=60" };
const content = {
  pages: [{ questions: [{ key: "why", _type: "ScreenerTextQuestion", prompt: "Why?", required: false }] }],
  quotas: [{ name: "Everybody", when: null, limit: 9 }],
};

// biome-ignore lint/suspicious/noExplicitAny: a test says itself what it expects
async function downloads(client: Client): Promise<any[]> {
  await service.context.pool.ask(moveEvents, undefined);
  return client.all("/events?filter[type][eq]=data.exported");
}

const as = (accept: string) => ({ headers: { accept } });

test("each file with people's data leaves one event that says who, what, how many and by which filters", async () => {
  const client = service.workspace();
  const { screener, question } = await publish(client, content);
  const imported = await client.import(screener, people(3), {}, wait);
  const person = imported.body[0].participantId;
  const session = await client.post("/screener-sessions", { screenerParticipantId: imported.body[0].id });
  const responses = [{ screenerQuestionId: question.why, answer: "Because" }];
  await client.post(`/screener-sessions/${session.body.id}/responses`, { responses, complete: true });
  const plan = await client.import(screener, people(4), { dryRun: true }, wait);
  await client.patch(`/participants/${person}`, { attributes: { town: "Bath" } });
  await client.post("/participant-notes", { participantId: person, note: "Called back" });
  const [quota] = (await client.get(`/screeners/${screener}/quotas`)).body.items;
  const csv = as("text/csv");
  for (const [path, options] of [
    [`/screeners/${screener}/export?filter[state][eq]=COMPLETED&filter[startedAt][gte]=2026-01-01T00:00:00Z`, csv],
    [`/screeners/${screener}/export`, as("application/vnd.openxmlformats-officedocument.spreadsheetml.sheet")],
    [`/screeners/${screener}/codebook`, csv],
    [`/screeners/${screener}/answers`, as("application/x-ndjson")],
    [`/participants/${person}/export`, {}],
    [
      "/participants?filter[email][startsWith]=person&filter[search][matches]=example&filter[attributes.town][ne]=York",
      csv,
    ],
    [
      `/screener-participants?filter[screenerId][eq]=${screener}&filter[participantId][nin][]=${person}`,
      as("application/x-ndjson"),
    ],
    ["/screener-sessions?filter[status][in][]=ACTIVE&filter[status][in][]=ARCHIVED", csv],
    ["/screener-responses", as("application/x-ndjson")],
    [`/jobs/${plan.body.id}/rows`, csv],
    ["/participant-notes", csv],
    ["/participant-requests", csv],
    ["/mail-suppressions", as("application/x-ndjson")],
    [`/screener-quotas/${quota.id}/places`, csv],
  ] as const) {
    const { status, text } = await client.call("GET", path, options);
    assert.equal(status, 200, text);
  }
  // Pages of few rows, lists of studies, the log itself and refused downloads.
  for (const path of ["/participants", "/screener-sessions", `/jobs/${plan.body.id}/rows`]) await client.get(path);
  for (const path of ["/screeners", "/events", "/jobs"]) await client.call("GET", path, csv);
  assert.equal((await client.call("GET", "/participants?filter[color][eq]=red", csv)).status, 400);
  assert.equal((await client.call("GET", `/screeners/${person}/export`, csv)).status, 404);
  assert.equal((await client.call("HEAD", "/participants", csv)).status, 200);

  const events = await downloads(client);
  assert.deepEqual(
    events.map(({ summary }) => [summary.data, summary.format, summary.rows, summary.isWhole]),
    [
      ["ANSWERS", "CSV", 1, true],
      ["ANSWERS", "XLSX", 1, true],
      ["CODEBOOK", "CSV", events[2].summary.rows, true],
      ["ANSWERS", "NDJSON", 1, true],
      ["PERSON", "JSON", 1, true],
      ["PARTICIPANTS", "CSV", 3, true],
      ["SCREENER_PARTICIPANTS", "NDJSON", 2, true],
      ["SCREENER_SESSIONS", "CSV", 1, true],
      ["SCREENER_RESPONSES", "NDJSON", 1, true],
      ["JOB_ROWS", "CSV", 4, true],
      ["PARTICIPANT_NOTES", "CSV", 1, true],
      ["PARTICIPANT_REQUESTS", "CSV", 0, true],
      ["MAIL_SUPPRESSIONS", "NDJSON", 0, true],
      ["SCREENER_QUOTA_PLACES", "CSV", 1, true],
    ],
  );
  assert.deepEqual(events[0].summary.filters, [
    { field: "state", operator: "eq", values: ["COMPLETED"] },
    { field: "startedAt", operator: "gte", values: ["2026-01-01T00:00:00Z"] },
  ]);
  // Texts and ids of people are left out.
  assert.deepEqual(events[5].summary.filters, [
    { field: "email", operator: "startsWith" },
    { field: "search", operator: "matches" },
    { field: "attributes.town", operator: "ne" },
  ]);
  assert.deepEqual(events[6].summary.filters, [
    { field: "screenerId", operator: "eq", values: [screener] },
    { field: "participantId", operator: "nin" },
  ]);
  assert.deepEqual(events[7].summary.filters, [{ field: "status", operator: "in", values: ["ACTIVE", "ARCHIVED"] }]);
  assert.deepEqual(events[0].resource, { _type: "Screener", id: screener });
  assert.deepEqual(events[4].resource, { _type: "Participant", id: person });
  assert.equal(events[5].resource._type, "Workspace");
  assert.equal(events[0].actor._type, "ApplicationActor");
});

test("a download that is broken off leaves its event, and one is not held up by who locks the workspace", async () => {
  const client = service.workspace();
  const screener = await client.screener();
  assert.equal((await client.import(screener, people(5000), {}, wait)).status, 200);
  const { apiKey, apiSecret } = client.credentials;
  const response = await fetch(`${client.url}/participants`, {
    headers: { accept: "text/csv", "x-service-api-key": apiKey!, "x-service-api-secret": apiSecret! },
  });
  assert.equal(response.status, 200);
  const reader = response.body!.getReader();
  await reader.read();
  await reader.cancel();
  await until(async () => (await downloads(client)).length === 1, "the event is there");
  const [broken] = await downloads(client);
  assert.equal(broken.summary.isWhole, false);
  assert.ok(broken.summary.rows > 0 && broken.summary.rows < 5000, `${broken.summary.rows} rows were read`);
  const release = holdWrites(service, client);
  try {
    assert.equal((await client.call("GET", "/participants", as("text/csv"))).status, 200);
  } finally {
    release();
  }
  await until(async () => (await downloads(client)).length === 2, "both are there");
});

test("many rows in pages leave an event, at 100 of the same filters and at 1,000 of all, and then tenfold", async () => {
  const client = service.workspace();
  const screener = await client.screener();
  assert.equal((await client.import(screener, people(1200), {}, wait)).status, 200);
  const look = async (path: string) => assert.equal((await client.call("GET", path)).status, 200);
  const shown = async (path: string) => {
    const before = (await downloads(client)).length;
    await look(path);
    await until(async () => (await downloads(client)).length > before, `${path} leaves an event`);
    return (await downloads(client)).slice(before).map(({ summary }) => summary);
  };
  const people99 = "/participants?pagination[limit]=99";
  await look(people99);
  const filters = [{ field: "email", operator: "startsWith" }];
  const summary = { data: "PARTICIPANTS", format: "JSON" };
  assert.deepEqual(await shown("/participants?filter[email][startsWith]=person&pagination[limit]=100"), [
    { ...summary, rows: 100, filters },
  ]);
  // What was shown so far: 99 without a filter.
  assert.deepEqual(await shown("/participants?pagination[limit]=1&pagination[offset]=1199"), [
    { ...summary, rows: 100 },
  ]);
  assert.equal((await client.call("HEAD", "/participants?pagination[limit]=500")).status, 200);
  // No more of these until there are 1,000: of all there are 900 then.
  await look("/participants?pagination[limit]=500&pagination[offset]=1000");
  await look("/participants?pagination[limit]=500&pagination[offset]=1300");
  await look("/participants?filter[email][startsWith]=person&pagination[limit]=500");
  assert.deepEqual(await shown("/participants?filter[updatedAt][gte]=2026-01-01T00:00:00Z&pagination[limit]=100"), [
    { ...summary, rows: 100, filters: [{ field: "updatedAt", operator: "gte", values: ["2026-01-01T00:00:00Z"] }] },
    { ...summary, rows: 1000, isMixed: true },
  ]);
  const all = await downloads(client);
  assert.deepEqual(
    all.map(({ summary: one }) => one.rows),
    [100, 100, 100, 1000],
  );
});

test("what is shown is counted as it is: searches to their end, whoever looks by themselves, and the same filters in any form", async () => {
  const client = service.workspace();
  const screener = await client.screener();
  assert.equal((await client.import(screener, people(1700), {}, wait)).status, 200);
  const told = async (rows: unknown) =>
    until(
      async () => {
        const events = await downloads(client);
        return JSON.stringify(events.map(({ summary }) => summary.rows)) === JSON.stringify(rows);
      },
      `events of ${JSON.stringify(rows)} rows`,
    );
  // The total of a search is counted up to 1,001.
  await client.get("/participants?filter[search][matches]=person&pagination[limit]=500&pagination[offset]=1200");
  await told([500]);
  // Another key begins anew.
  const other = await withScopes(service, client, ["read"]);
  const look = async (path: string) => assert.equal((await other.get(path)).status, 200);
  await look("/participants?filter[search][matches]=person&pagination[limit]=99");
  const nobody = "nobody@example.org";
  const forms = ["filter[email][nin][0]", "filter%5Bemail%5D%5Bnin%5D[1]", "filter[email][nin][]"];
  for (const form of forms) await look(`/participants?${form}=${nobody}&pagination[limit]=33`);
  await told([500]);
  await look(`/participants?%66ilter[email][nin][7]=${nobody}&pagination[limit]=1`);
  await told([500, 100]);
  // The name of an attribute that nobody has may be a person's.
  await look("/participants?filter[attributes.anna@example.org][ne]=x&pagination[limit]=100");
  await told([500, 100, 100]);
  const [, ofEmails, ofAttribute] = await downloads(client);
  assert.deepEqual(ofEmails.summary.filters, [{ field: "email", operator: "nin" }]);
  assert.deepEqual(ofAttribute.summary.filters, [{ field: "attributes", operator: "ne" }]);
});

test("of pages with very many filters each, the event of all says it", async () => {
  const client = service.workspace();
  const screener = await client.screener();
  assert.equal((await client.import(screener, people(100), {}, wait)).status, 200);
  for (let one = 0; one < 25; one++)
    assert.equal((await client.get(`/participants?filter[attributes.a${one}][ne]=x`)).status, 200);
  const rows = async () => (await downloads(client)).map(({ summary }) => summary.rows).sort((a, b) => a - b);
  await until(async () => (await rows()).at(-1) === 1000, "all together are a bulk view");
  assert.deepEqual(await rows(), [...Array(20).fill(100), 1000]);
});

test("pages of the console count for who looks, but neither what they only count, nor HEAD, nor the answers of one person", async () => {
  const client = service.workspace();
  const { screener, question } = await publish(client, content);
  const imported = await client.import(screener, people(60), {}, wait);
  const session = await client.post("/screener-sessions", { screenerParticipantId: imported.body[0].id });
  const responses = [{ screenerQuestionId: question.why, answer: "Because" }];
  await client.post(`/screener-sessions/${session.body.id}/responses`, { responses, complete: true });
  const viewer = await signedIn(service, client.workspaceId, "viewer", "viewer@downloads.example.org");
  for (let time = 0; time < 40; time++) assert.equal((await viewer.get("/console/studies")).status, 200);
  for (let time = 0; time < 3; time++) assert.equal((await viewer.send("HEAD", "/console/people", {})).status, 200);
  const ofOne = `/screener-responses?filter[screenerSessionId][eq]=${session.body.id}`;
  for (let time = 0; time < 99; time++) await client.get(ofOne);
  assert.deepEqual(await downloads(client), []);
  assert.equal((await viewer.get("/console/people")).status, 200);
  assert.equal((await viewer.get("/console/people")).status, 200);
  await until(async () => (await downloads(client)).length === 1, "the viewer has seen 50 people twice");
  const [event] = await downloads(client);
  assert.equal(event.actor._type, "TenantUserActor");
});
