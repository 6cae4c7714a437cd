// /screener-participants: assignments of participants to screeners

import assert from "node:assert/strict";
import { test } from "node:test";
import { people, UNKNOWN, UUID_V7 } from "../support/client.ts";
import { sharedService } from "../support/service.ts";
import { setSession, writeTo } from "../support/store.ts";

const service = await sharedService();

function ids(body: { items: { id: string }[] }): string[] {
  return body.items.map(({ id }) => id);
}

test("a screener participant has every field of the specification and no other", async () => {
  const { client, screenerId } = await service.screener();
  const { body } = await client.import(screenerId, [{ externalUid: "U-1", email: "ada@x", name: "Ada" }]);
  const [row] = body;
  const participant = (await client.get("/participants")).body.items[0];
  assert.deepEqual(row, {
    _type: "ScreenerParticipant",
    id: row.id,
    screenerId,
    participantId: participant.id,
    externalParticipantUid: "U-1",
    currentSessionId: null,
    name: "Ada",
    email: "ada@x",
    status: "NOT_STARTED",
  });
  assert.match(row.id, UUID_V7);
  assert.match(participant.id, UUID_V7);
  assert.notEqual(row.id, participant.id);
  assert.deepEqual((await client.get(`/screener-participants/${row.id}`)).body, row);
  assert.deepEqual((await client.get("/screener-participants")).body, {
    _type: "PaginatedScreenerParticipant",
    total: 1,
    limit: 100,
    offset: 0,
    items: [row],
  });
});

test("name, email and externalParticipantUid show the participant as it is now", async () => {
  const client = service.workspace();
  const one = await client.screener();
  const other = await client.screener();
  const [first] = (await client.import(one, people(1))).body;
  const [second] = (await client.import(other, people(1))).body;
  assert.notEqual(first.id, second.id);
  assert.equal(first.participantId, second.participantId);
  await client.patch(`/participants/${first.participantId}`, { name: "Renamed", email: "new@x" });
  const now = { name: "Renamed", email: "new@x" };
  assert.deepEqual((await client.get(`/screener-participants/${first.id}`)).body, { ...first, ...now });
  assert.deepEqual((await client.get("/screener-participants")).body.items, [
    { ...first, ...now },
    { ...second, ...now },
  ]);
  await client.patch(`/participants/${first.participantId}`, { name: null, email: null });
  const cleared = (await client.get(`/screener-participants/${first.id}`)).body;
  assert.deepEqual([cleared.name, cleared.email], [null, null]);
});

test("an opened session shows on its assignment, and a removed one no longer does", async () => {
  const client = service.workspace();
  const { rows } = await client.published(2);
  const session = (await client.post("/screener-sessions", { screenerParticipantId: rows[0].id })).body;
  const open = (await client.get(`/screener-participants/${rows[0].id}`)).body;
  assert.deepEqual(open, { ...rows[0], currentSessionId: session.id });
  assert.deepEqual((await client.get(`/screener-participants/${rows[1].id}`)).body, rows[1]);
  await client.delete(`/screener-sessions/${session.id}`);
  assert.deepEqual((await client.get(`/screener-participants/${rows[0].id}`)).body, rows[0]);
});

test("the status comes from the latest session that is not removed", async () => {
  const client = service.workspace();
  const { rows } = await client.published(3);
  const path = (index: number) => `/screener-participants/${rows[index].id}`;
  for (const [index, outcome] of ["QUALIFIED", "DISQUALIFIED", null].entries()) {
    const screenerParticipantId = rows[index].id;
    const first = (await client.post("/screener-sessions", { screenerParticipantId })).body;
    writeTo(service.context.workspaces, client.workspaceId, (db) =>
      setSession(db, first.id, { state: "COMPLETED", outcome }),
    );
    const second = await client.post("/screener-sessions", { screenerParticipantId });
    assert.equal(second.status, 201);
    const during = (await client.get(path(index))).body;
    assert.deepEqual([during.status, during.currentSessionId], ["NOT_STARTED", second.body.id]);
    await client.delete(`/screener-sessions/${second.body.id}`);
    assert.equal((await client.get(path(index))).body.status, outcome ?? "UNKNOWN");
    const found = await client.get(`/screener-participants?filter[status][eq]=${outcome ?? "UNKNOWN"}`);
    assert.deepEqual(ids(found.body), [rows[index].id]);
    await client.delete(`/screener-sessions/${first.id}`);
    const after = (await client.get(path(index))).body;
    assert.deepEqual([after.status, after.currentSessionId], ["NOT_STARTED", null]);
  }
  assert.equal((await client.get("/screener-participants?filter[status][eq]=NOT_STARTED")).body.total, 3);
});

test("a removed assignment is answered as REMOVED, and then is gone; the participant stays", async () => {
  const client = service.workspace();
  const { screenerId, rows } = await client.published(3);
  const session = (await client.post("/screener-sessions", { screenerParticipantId: rows[1].id })).body;
  const { status, body } = await client.delete(`/screener-participants/${rows[1].id}`);
  assert.equal(status, 200);
  assert.deepEqual(body, { ...rows[1], currentSessionId: session.id, status: "REMOVED" });
  for (const answer of [
    await client.get(`/screener-participants/${rows[1].id}`),
    await client.delete(`/screener-participants/${rows[1].id}`),
    await client.post("/screener-sessions", { screenerParticipantId: rows[1].id }),
  ]) {
    assert.equal(answer.status, 404);
    assert.equal(answer.body.code, "screener_participant_not_found");
  }
  for (const filter of ["", `filter[screenerId][eq]=${screenerId}`, "filter[status][eq]=NOT_STARTED"]) {
    const list = (await client.get(`/screener-participants?${filter}`)).body;
    assert.deepEqual([list.total, ids(list)], [2, [rows[0].id, rows[2].id]]);
  }
  const person = `filter[participantId][eq]=${rows[1].participantId}`;
  assert.equal((await client.get(`/screener-participants?${person}`)).body.total, 0);
  assert.equal((await client.get(`/participants/${rows[1].participantId}`)).status, 200);
  assert.equal((await client.get("/participants")).body.total, 3);
});

test("the sessions of a removed assignment are archived, stay readable, and can still be removed", async () => {
  const client = service.workspace();
  const { rows } = await client.published(2);
  const screenerParticipantId = rows[0].id;
  const removed = (await client.post("/screener-sessions", { screenerParticipantId })).body;
  await client.delete(`/screener-sessions/${removed.id}`);
  const open = (await client.post("/screener-sessions", { screenerParticipantId })).body;
  const bystander = (await client.post("/screener-sessions", { screenerParticipantId: rows[1].id })).body;
  await client.delete(`/screener-participants/${screenerParticipantId}`);
  const archived = { ...open, status: "ARCHIVED" };
  assert.deepEqual((await client.get(`/screener-sessions/${open.id}`)).body, archived);
  const list = async (filter: string) => (await client.get(`/screener-sessions?${filter}`)).body;
  assert.deepEqual((await list("filter[status][eq]=ARCHIVED")).items, [archived]);
  assert.deepEqual(ids(await list("filter[status][eq]=ACTIVE")), [bystander.id]);
  assert.deepEqual(ids(await list("filter[status][eq]=REMOVED")), [removed.id]);
  assert.deepEqual(ids(await list(`filter[screenerParticipantId][eq]=${screenerParticipantId}`)), [
    removed.id,
    open.id,
  ]);
  assert.equal((await client.delete(`/screener-sessions/${open.id}`)).body.status, "REMOVED");
});

test("a removed participant can be imported again, and gets a new assignment without the old one's sessions", async () => {
  const client = service.workspace();
  const { screenerId, rows } = await client.published(1);
  await client.post("/screener-sessions", { screenerParticipantId: rows[0].id });
  await client.delete(`/screener-participants/${rows[0].id}`);
  const [again] = (await client.import(screenerId, people(1))).body;
  assert.notEqual(again.id, rows[0].id);
  assert.deepEqual(again, { ...rows[0], id: again.id });
  const session = await client.post("/screener-sessions", { screenerParticipantId: again.id });
  assert.equal(session.status, 201);
  assert.equal((await client.get("/screener-sessions")).body.total, 2);
});

test("an assignment that is not there answers 404", async () => {
  const client = service.workspace();
  const stranger = service.workspace();
  const { rows } = await stranger.published(1);
  for (const id of [UNKNOWN, "x", rows[0].id, rows[0].participantId]) {
    for (const answer of [
      await client.get(`/screener-participants/${id}`),
      await client.delete(`/screener-participants/${id}`),
    ]) {
      assert.equal(answer.status, 404);
      assert.equal(answer.body.code, "screener_participant_not_found");
    }
  }
  assert.equal((await stranger.get(`/screener-participants/${rows[0].id}`)).status, 200);
});

test("assignments are found by screener, participant, externalUid and status", async () => {
  const client = service.workspace();
  const one = await client.screener();
  const other = await client.screener();
  const empty = await client.screener();
  const a = (await client.import(one, people(3))).body;
  const b = (await client.import(other, people(3, 1))).body;
  const get = async (...filters: string[]) => {
    const { body } = await client.get(`/screener-participants?${filters.map((one) => `filter${one}`).join("&")}`);
    assert.equal(body.total, body.items.length);
    return ids(body);
  };
  const pick = (...rows: { id: string }[]) => rows.map(({ id }) => id);
  assert.deepEqual(await get(`[screenerId][eq]=${one}`), pick(...a));
  assert.deepEqual(await get(`[screenerId][eq]=${one.toUpperCase()}`), pick(...a));
  assert.deepEqual(await get(`[screenerId][ne]=${one}`), pick(...b));
  assert.deepEqual(await get(`[screenerId][in][]=${one}`, `[screenerId][in][]=${other}`), pick(...a, ...b));
  assert.deepEqual(await get(`[screenerId][nin][]=${one}`, `[screenerId][nin][]=${other}`), []);
  assert.deepEqual(await get(`[screenerId][eq]=${empty}`), []);
  assert.deepEqual(await get(`[screenerId][eq]=${UNKNOWN}`), []);
  assert.deepEqual(await get(`[screenerId][ne]=${UNKNOWN}`), pick(...a, ...b));
  assert.deepEqual(await get(`[screenerId][nin][]=${UNKNOWN}`, `[screenerId][nin][]=${one}`), pick(...b));
  assert.deepEqual(await get(`[participantId][eq]=${a[1].participantId}`), pick(a[1], b[0]));
  assert.deepEqual(await get(`[participantId][ne]=${a[1].participantId}`), pick(a[0], a[2], b[1], b[2]));
  assert.deepEqual(await get(`[participantId][eq]=${UNKNOWN}`), []);
  assert.deepEqual(await get(`[participantId][ne]=${UNKNOWN}`), pick(...a, ...b));
  assert.deepEqual(await get("[externalParticipantUid][eq]=P-2"), pick(a[2], b[1]));
  assert.deepEqual(await get("[externalParticipantUid][eq]=p-2"), []);
  assert.deepEqual(
    await get("[externalParticipantUid][nin][]=P-2", "[externalParticipantUid][nin][]=P-0"),
    pick(a[1], b[0], b[2]),
  );
  assert.deepEqual(await get("[externalParticipantUid][in][]=P-2", `[screenerId][eq]=${other}`), pick(b[1]));
  assert.deepEqual(await get("[status][eq]=NOT_STARTED"), pick(...a, ...b));
  assert.deepEqual(await get("[status][ne]=NOT_STARTED"), []);
  assert.deepEqual(await get("[status][in][]=QUALIFIED", "[status][in][]=NOT_STARTED"), pick(...a, ...b));
  assert.deepEqual(await get("[status][eq]=QUALIFIED", `[screenerId][eq]=${one}`), []);
});

test("assignments are found by the publication of their session", async () => {
  const client = service.workspace();
  const { screenerId, publication: first, rows } = await client.published(3);
  const open = async (row: { id: string }) => assert.equal((await client.open(row.id)).status, 201);
  await open(rows[0]);
  const { body: second } = await client.post("/screener-publications", { screenerId });
  await open(rows[1]);
  const found = async (filter: string) =>
    ids((await client.get(`/screener-participants?filter[screenerId][eq]=${screenerId}&filter${filter}`)).body);
  const pick = (...indexes: number[]) => indexes.map((index) => rows[index].id);
  assert.deepEqual(await found(`[screenerPublicationId][eq]=${first.id}`), pick(0));
  assert.deepEqual(await found(`[screenerPublicationId][eq]=${second.id.toUpperCase()}`), pick(1));
  assert.deepEqual(await found(`[screenerPublicationId][in][]=${first.id}&filter[status][eq]=QUALIFIED`), []);
  assert.deepEqual(await found(`[screenerPublicationId][ne]=${first.id}`), pick(1, 2));
  assert.deepEqual(await found(`[screenerPublicationId][eq]=${UNKNOWN}`), []);
  const csv = await client.get(`/screener-participants?filter[screenerPublicationId][eq]=${first.id}`, {
    Accept: "text/csv",
  });
  assert.equal(csv.text.trim().split("\r\n").length, 2);
});

test("a filter by the status REMOVED is refused", async () => {
  const client = service.workspace();
  const { status, body } = await client.get("/screener-participants?filter[status][eq]=REMOVED");
  assert.equal(status, 400);
  assert.equal(body.errors[0].pointer, "filter[status][eq]");
});
