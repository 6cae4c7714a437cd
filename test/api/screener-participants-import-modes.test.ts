// Import modes: whom FULL_SYNC removes, and what is left of them.

import assert from "node:assert/strict";
import { test } from "node:test";
import { people } from "../support/client.ts";
import { summary, uids } from "../support/imports.ts";
import { sharedService } from "../support/service.ts";

const service = await sharedService();

test("FULL_SYNC removes who is absent, and UPDATES_ONLY nobody", async () => {
  const { client, screenerId } = await service.screener();
  const bystander = await client.screener();
  await client.import(bystander, people(3));
  await client.import(screenerId, people(3));
  await client.import(screenerId, people(1, 5));
  const ofScreener = `/screener-participants?filter[screenerId][eq]=${screenerId}`;
  assert.equal((await client.get(ofScreener)).body.total, 4);
  await client.import(screenerId, people(1, 6), { importMode: "UPDATES_ONLY" });
  await client.import(screenerId, people(1, 7), { importMode: null });
  assert.equal((await client.get(ofScreener)).body.total, 6);
  const { body } = await client.import(screenerId, [...people(2, 1), ...people(1, 8)], { importMode: "FULL_SYNC" });
  assert.deepEqual(uids(body), ["P-1", "P-2", "P-8"]);
  assert.deepEqual(await summary(client), { rows: 3, created: 1, updated: 0, unchanged: 2, assigned: 1, removed: 4 });
  assert.deepEqual(uids((await client.get(ofScreener)).body.items), ["P-1", "P-2", "P-8"]);
  // The participants stay, and other screeners keep theirs.
  assert.equal((await client.get("/participants")).body.total, 7);
  assert.equal((await client.get(`/screener-participants?filter[screenerId][eq]=${bystander}`)).body.total, 3);
});

test("FULL_SYNC with an empty list removes everyone; UPDATES_ONLY with one does nothing", async () => {
  const { client, screenerId } = await service.screener();
  await client.import(screenerId, people(3));
  const nothing = await client.import(screenerId, []);
  assert.deepEqual([nothing.status, nothing.body], [200, []]);
  assert.equal((await client.get("/screener-participants")).body.total, 3);
  const { status, body } = await client.import(screenerId, [], { importMode: "FULL_SYNC" });
  assert.deepEqual([status, body], [200, []]);
  assert.deepEqual(await summary(client), { rows: 0, created: 0, updated: 0, unchanged: 0, assigned: 0, removed: 3 });
  assert.equal((await client.get("/screener-participants")).body.total, 0);
  assert.equal((await client.get("/participants")).body.total, 3);
});

test("an assignment that FULL_SYNC removes is gone, its sessions are archived, and importing the person again makes a new one", async () => {
  const { client, screenerId } = await service.screener();
  await client.post("/screener-publications", { screenerId });
  const rows = (await client.import(screenerId, people(2))).body;
  const sessions = [];
  for (const { id } of rows)
    sessions.push((await client.post("/screener-sessions", { screenerParticipantId: id })).body);
  const [staying] = (await client.import(screenerId, people(1), { importMode: "FULL_SYNC" })).body;
  assert.deepEqual(staying, { ...rows[0], currentSessionId: sessions[0].id });
  const gone = await client.get(`/screener-participants/${rows[1].id}`);
  assert.deepEqual([gone.status, gone.body.code], [404, "screener_participant_not_found"]);
  assert.deepEqual((await client.get(`/screener-sessions/${sessions[0].id}`)).body, sessions[0]);
  const archived = { ...sessions[1], status: "ARCHIVED" };
  assert.deepEqual((await client.get(`/screener-sessions/${sessions[1].id}`)).body, archived);
  assert.deepEqual((await client.get("/screener-sessions?filter[status][eq]=ARCHIVED")).body.items, [archived]);
  assert.equal((await client.get("/screener-sessions?filter[status][eq]=ACTIVE")).body.total, 1);
  const [back] = (await client.import(screenerId, people(1, 1))).body;
  assert.notEqual(back.id, rows[1].id);
  assert.equal(back.participantId, rows[1].participantId);
  assert.equal(back.currentSessionId, null);
  assert.equal((await client.get(`/screener-sessions/${sessions[1].id}`)).body.screenerParticipantId, rows[1].id);
});
