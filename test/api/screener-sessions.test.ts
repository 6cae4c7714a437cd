// /screener-sessions

import assert from "node:assert/strict";
import { test } from "node:test";
import { insertSession } from "../../src/nouns/sessions/insert.ts";
import { type Client, people, UNKNOWN, UUID_V4 } from "../support/client.ts";
import { startService } from "../support/service.ts";
import { seeded, setSession, writeTo } from "../support/store.ts";

const service = await startService({ config: { publicUrl: "https://screening.example.org/base" } });

/** Moves a session on, as answers would. */
function move(client: Client, uid: string, state: string, outcome: string | null = null): void {
  writeTo(service.context.workspaces, client.workspaceId, (db) => setSession(db, uid, { state, outcome }));
}

test("a new session has every field of the specification, and is where its Location says", async () => {
  const client = service.workspace();
  const tags = [{ category: "region", value: "north" }];
  const { screenerId, publication, rows } = await client.published(1, { tags });
  const { status, headers, body } = await client.open(rows[0].id);
  assert.equal(status, 201);
  const { screenerSessionLink, ...rest } = body;
  assert.deepEqual(rest, {
    _type: "ScreenerSession",
    id: body.id,
    screenerId,
    screenerParticipantId: rows[0].id,
    screenerPublicationId: publication.id,
    linkSlug: body.linkSlug,
    status: "ACTIVE",
    state: "NOT_STARTED",
    outcomeReason: null,
    startedAt: null,
    lastActiveAt: null,
    completedAt: null,
    assignedTags: publication.tags,
    reference: body.reference,
    isTest: false,
    outcomeQuotaIds: [],
    screenerLinkId: null,
    arms: [],
    language: null,
    withdrawnAt: null,
    withdrawnConsents: [],
    answersErasedAt: null,
    review: null,
    createdAt: body.createdAt,
  });
  assert.match(body.reference, /^[0-9a-f-]{36}$/);
  assert.match(body.id, UUID_V4);
  // One app_url a workspace, below PUBLIC_URL.
  const appUrl = screenerSessionLink.slice(0, -`/screeners/${screenerId}/${body.id}`.length);
  assert.equal(screenerSessionLink, `${appUrl}/screeners/${screenerId}/${body.id}`);
  assert.ok(appUrl.startsWith("https://screening.example.org/base/"));
  const elsewhere = service.workspace();
  const foreign = (await elsewhere.open((await elsewhere.published(1)).rows[0].id)).body;
  assert.ok(!foreign.screenerSessionLink.startsWith(`${appUrl}/`));
  assert.equal(headers.get("location"), `/screener-sessions/${body.id}`);
  assert.deepEqual((await client.get(`/screener-sessions/${body.id}`)).body, body);
  assert.deepEqual((await client.get("/screener-sessions")).body, {
    _type: "PaginatedScreenerSession",
    total: 1,
    limit: 100,
    offset: 0,
    items: [body],
  });
});

test("slugs are short, fit into a URL, and hold 128 bits", async () => {
  const client = service.workspace();
  const { rows } = await client.published(40);
  const slugs = new Set<string>();
  for (const { id } of rows) slugs.add((await client.open(id)).body.linkSlug);
  assert.equal(slugs.size, 40);
  for (const slug of slugs) assert.match(slug, /^[\w-]{22}$/);
  // Every character takes many values, so that none of it is a counter or a clock. The last one has only two bits.
  for (let position = 0; position < 21; position++) {
    assert.ok(new Set([...slugs].map((slug) => slug[position])).size > 10, `position ${position}`);
  }
});

test("opening again gives the session that is open", async () => {
  const client = service.workspace();
  const { rows } = await client.published(2);
  const first = (await client.open(rows[0].id)).body;
  const again = await client.open(rows[0].id);
  assert.equal(again.status, 200);
  assert.deepEqual(again.body, first);
  assert.equal(again.headers.get("location"), null);
  move(client, first.id, "IN_PROGRESS");
  const during = await client.open(rows[0].id);
  assert.deepEqual([during.status, during.body.id, during.body.state], [200, first.id, "IN_PROGRESS"]);
  assert.notEqual((await client.open(rows[1].id)).body.id, first.id);
  assert.equal((await client.get("/screener-sessions")).body.total, 2);
});

test("many requests at once open one session", async () => {
  const client = service.workspace();
  const { rows } = await client.published(1);
  const answers = await Promise.all(Array.from({ length: 12 }, () => client.open(rows[0].id)));
  assert.deepEqual(answers.map(({ status }) => status).sort(), [...Array<number>(11).fill(200), 201]);
  assert.equal(new Set(answers.map(({ body }) => body.id)).size, 1);
});

test("after a session is completed or removed, another one can be opened", async () => {
  const client = service.workspace();
  const { rows } = await client.published(1);
  const first = (await client.open(rows[0].id)).body;
  move(client, first.id, "COMPLETED", "QUALIFIED");
  const second = await client.open(rows[0].id);
  assert.equal(second.status, 201);
  await client.delete(`/screener-sessions/${second.body.id}`);
  const third = await client.open(rows[0].id);
  assert.equal(third.status, 201);
  assert.equal(new Set([first.id, second.body.id, third.body.id]).size, 3);
  assert.equal((await client.get(`/screener-participants/${rows[0].id}`)).body.currentSessionId, third.body.id);
});

test("a session opens on the active publication only", async () => {
  const { client, screenerId } = await service.screener();
  const [row, late] = (await client.import(screenerId, people(2))).body;
  const refused = async (id: string) => {
    const { status, body } = await client.open(id);
    assert.deepEqual([status, body.code], [409, "screener_not_published"]);
  };
  await refused(row.id);
  const first = (await client.post("/screener-publications", { screenerId })).body;
  const session = (await client.open(row.id)).body;
  assert.equal(session.screenerPublicationId, first.id);
  const tags = [{ category: "wave", value: "2" }];
  const second = (await client.post("/screener-publications", { screenerId, tags })).body;
  // What was begun on an archived publication goes on there.
  const again = await client.open(row.id);
  assert.deepEqual([again.status, again.body], [200, session]);
  await client.patch(`/screener-publications/${second.id}`, { status: "ARCHIVED" });
  await refused(late.id);
  assert.equal((await client.open(row.id)).status, 200);
  const third = (await client.post("/screener-publications", { screenerId, tags })).body;
  const opened = (await client.open(late.id)).body;
  assert.equal(opened.screenerPublicationId, third.id);
  assert.deepEqual(opened.assignedTags, third.tags);
});

test("no session opens on a publication whose target is reached", async () => {
  const client = service.workspace();
  const { screenerId, publication, rows } = await client.published(4, { targetQualifiedParticipants: 2 });
  for (const [index, outcome] of ["QUALIFIED", "DISQUALIFIED", "QUALIFIED"].entries()) {
    const { status, body } = await client.open(rows[index].id);
    assert.equal(status, 201);
    move(client, body.id, "COMPLETED", outcome);
  }
  const full = await client.open(rows[3].id);
  assert.deepEqual([full.status, full.body.code], [409, "quota_reached"]);
  await client.patch(`/screener-publications/${publication.id}`, { targetQualifiedParticipants: 3 });
  assert.equal((await client.open(rows[3].id)).status, 201);
  // Another publication counts anew.
  await client.post("/screener-publications", { screenerId, targetQualifiedParticipants: 1 });
  assert.equal((await client.open(rows[0].id)).status, 201);
});

test("a session needs a screener participant that is there", async () => {
  const client = service.workspace();
  const stranger = service.workspace();
  const foreign = (await stranger.published(1)).rows[0];
  for (const id of [UNKNOWN, "x", "", foreign.id, foreign.participantId]) {
    const { status, body } = await client.open(id);
    assert.deepEqual([status, body.code], [404, "screener_participant_not_found"]);
  }
  for (const body of [{}, { screenerParticipantId: null }, { screenerParticipantId: 5 }]) {
    const answer = await client.post("/screener-sessions", body);
    assert.equal(answer.status, 400);
    assert.equal(answer.body.errors[0].pointer, "/screenerParticipantId");
  }
});

test("a removed session keeps its record and tags, and loses its progress; removing it twice is the same as once", async () => {
  const client = service.workspace();
  const { rows } = await client.published(1, { tags: [{ category: "region", value: "north" }] });
  const session = (await client.open(rows[0].id)).body;
  move(client, session.id, "COMPLETED", "QUALIFIED");
  const completed = (await client.get(`/screener-sessions/${session.id}`)).body;
  assert.ok(completed.startedAt && completed.lastActiveAt && completed.completedAt);
  const { status, body } = await client.delete(`/screener-sessions/${session.id}`);
  assert.equal(status, 200);
  assert.deepEqual(body, { ...session, status: "REMOVED" });
  assert.equal(body.assignedTags.length, 1);
  for (const answer of [
    await client.delete(`/screener-sessions/${session.id}`),
    await client.get(`/screener-sessions/${session.id}`),
  ]) {
    assert.equal(answer.status, 200);
    assert.deepEqual(answer.body, body);
  }
  assert.equal((await client.get("/screener-sessions")).body.total, 1);
  const assignment = (await client.get(`/screener-participants/${rows[0].id}`)).body;
  assert.deepEqual([assignment.status, assignment.currentSessionId], ["NOT_STARTED", null]);
});

test("a session that is not there answers 404", async () => {
  const client = service.workspace();
  const stranger = service.workspace();
  const { id, linkSlug } = (await stranger.open((await stranger.published(1)).rows[0].id)).body;
  for (const unknown of [UNKNOWN, "x", id, linkSlug]) {
    for (const answer of [
      await client.get(`/screener-sessions/${unknown}`),
      await client.delete(`/screener-sessions/${unknown}`),
    ]) {
      assert.deepEqual([answer.status, answer.body.code], [404, "screener_session_not_found"]);
    }
  }
  assert.equal((await stranger.get(`/screener-sessions/${id}`)).body.status, "ACTIVE");
});

test("sessions are found by each filter and by all together, page by page, over many blocks of rows", async () => {
  const client = service.workspace();
  const screeners = [await client.published(30), await client.published(30)];
  const random = seeded(7);
  const pick = <T>(values: readonly T[]): T => values[Math.floor(random() * values.length)]!;
  const statuses = ["ACTIVE", "ACTIVE", "ARCHIVED", "REMOVED"];
  const states = ["NOT_STARTED", "IN_PROGRESS", "COMPLETED"];
  interface Model {
    id: string;
    screenerId: string;
    screenerParticipantId: string;
    status: string;
    state: string;
  }
  const model: Model[] = [];
  writeTo(service.context.workspaces, client.workspaceId, (db) => {
    const rowId = (table: string, uid: string) => db.value<number>(`SELECT id FROM ${table} WHERE uid = ?`, uid)!;
    for (let number = 0; number < 2500; number++) {
      const { screenerId, publication, rows } = pick(screeners);
      const row = pick<{ id: string; participantId: string }>(rows);
      const uid = crypto.randomUUID();
      insertSession(db, {
        uid,
        slug: `slug-${number}`,
        screenerId: rowId("screener", screenerId),
        assignmentUid: row.id,
        participantId: rowId("participant", row.participantId),
        publicationId: rowId("screener_publication", publication.id),
        tagSetId: 1,
        now: new Date().toISOString(),
      });
      // The second thousand is all alike, so that some blocks hold nothing of the other kinds.
      const status = number >= 1000 && number < 2100 ? "ACTIVE" : pick(statuses);
      const state = number >= 1000 && number < 2100 ? "COMPLETED" : pick(states);
      setSession(db, uid, { status, state });
      model.push({ id: uid, screenerId, screenerParticipantId: row.id, status, state });
    }
  });
  const fields: Record<keyof Model, string[]> = {
    id: [...model.map(({ id }) => id).filter((_, index) => index % 60 === 0), UNKNOWN],
    screenerId: [...screeners.map(({ screenerId }) => screenerId), UNKNOWN],
    screenerParticipantId: [...screeners.flatMap(({ rows }) => rows.map(({ id }: { id: string }) => id)), UNKNOWN],
    status: ["ACTIVE", "ARCHIVED", "REMOVED"],
    state: states,
  };
  for (let round = 0; round < 150; round++) {
    const filters = Array.from({ length: Math.floor(random() * 3) }, () => {
      const field = pick(Object.keys(fields) as (keyof Model)[]);
      const operator = pick(["eq", "ne", "in", "nin"]);
      const many = operator === "in" || operator === "nin";
      const values = Array.from({ length: many ? 1 + Math.floor(random() * 4) : 1 }, () => pick(fields[field]));
      return { field, operator, values };
    });
    // A field and operator may come once only; a second `in` would add to the first.
    if (new Set(filters.map(({ field, operator }) => `${field} ${operator}`)).size < filters.length) continue;
    const matching = model.filter((row) =>
      filters.every(
        ({ field, operator, values }) => values.includes(row[field]) === (operator === "eq" || operator === "in"),
      ),
    );
    const offset = Math.floor(random() * (matching.length + 3));
    const limit = pick([1, 10, 100, 500]);
    const query = [
      ...filters.flatMap(({ field, operator, values }) =>
        values.map((value) => `filter[${field}][${operator}]${operator.endsWith("in") ? "[]" : ""}=${value}`),
      ),
      `pagination[offset]=${offset}`,
      `pagination[limit]=${limit}`,
    ].join("&");
    const { status, body } = await client.get(`/screener-sessions?${query}`);
    assert.equal(status, 200, query);
    assert.equal(body.total, matching.length, query);
    assert.deepEqual(
      body.items.map(({ id }: { id: string }) => id),
      matching.slice(offset, offset + limit).map(({ id }) => id),
      query,
    );
  }
});
