// Imports that are taken back.

import assert from "node:assert/strict";
import { statSync } from "node:fs";
import { test } from "node:test";
import { tidy } from "../../src/upkeep/housekeeping.ts";
import { type Client, people } from "../support/client.ts";
import { assertCounts } from "../support/counts.ts";
import { person } from "../support/imports.ts";
import { sharedService } from "../support/service.ts";
import { storesOf } from "../support/store.ts";
import { until } from "../support/until.ts";

const service = await sharedService();

const IMPORT = "/screener-participants-import";

/** All that the lists show of a workspace, but for when participants were last changed. */
async function everything(client: Client): Promise<unknown> {
  const lists = ["/participants", "/screener-participants", "/screener-sessions", "/screener-responses"];
  const all = await Promise.all(lists.map((path) => client.all(path)));
  return all.map((items) => items.map(({ updatedAt, ...item }) => item));
}

async function lastJob(client: Client) {
  return (await client.all("/jobs")).at(-1)!;
}

async function rowsOf(client: Client, id: unknown) {
  const { body } = await client.get(`/jobs/${id}/rows`);
  return body.items.map(({ externalUid, outcome, reason }: Record<string, unknown>) => [externalUid, outcome, reason]);
}

test("an import is undone: what it removed, changed and created is as before, with the same ids and links", async () => {
  const { client, screenerId } = await service.screener();
  assert.equal((await client.post("/screener-publications", { screenerId })).status, 201);
  const first = await client.post(IMPORT, { screenerId, participants: ["a", "b", "c", "d"].map((uid) => person(uid)) });
  const { body: opened } = await client.open(first.body[1].id);
  const before = await everything(client);
  const participants = [
    // a and c swap their emails; b and d are absent; e is new.
    person("a", "c@example.org"),
    { ...person("c", "a@example.org"), name: "Another" },
    person("e"),
  ];
  assert.equal((await client.post(IMPORT, { screenerId, importMode: "FULL_SYNC", participants })).status, 200);
  const imported = await lastJob(client);
  const after = await everything(client);
  assert.notDeepEqual(after, before);

  const dry = await client.post(`/jobs/${imported.id}/undo`, { dryRun: true });
  assert.deepEqual(
    [dry.status, dry.body.status, dry.body.summary],
    [200, "PLANNED", { rows: 5, reverted: 5, kept: 0, leaving: 1, returning: 2, changedBack: 2 }],
  );
  assert.deepEqual(await everything(client), after);
  const rows = (await client.get(`/jobs/${dry.body.id}/rows`)).body.items;
  assert.deepEqual(rows[2].changes.toSorted(), [
    { field: "email", from: "a@example.org", to: "c@example.org" },
    { field: "name", from: "Another", to: "Name c" },
  ]);

  const undone = await client.post(`/jobs/${imported.id}/undo`, undefined);
  assert.deepEqual([undone.status, undone.body._type, undone.body.status], [200, "Job", "SUCCEEDED"]);
  assert.deepEqual(await everything(client), before);
  assert.equal((await client.get(`/screener-sessions/${opened.id}`)).body.status, "ACTIVE");
  const again = await client.post(`/jobs/${imported.id}/undo`, undefined);
  assert.deepEqual([again.status, again.body.code], [409, "job_not_undoable"]);

  // An undo is undone as well, and so on.
  const redone = await client.post(`/jobs/${undone.body.id}/undo`, undefined);
  assert.equal(redone.status, 200);
  assert.deepEqual(await everything(client), after);
  const last = await client.post(`/jobs/${redone.body.id}/undo`, undefined);
  assert.equal(last.status, 200);
  assert.deepEqual(await everything(client), before);
  assert.equal((await client.get("/participants?filter[externalUid][eq]=e")).body.total, 0);
});

test("what was touched since an import stays when that is undone, and is named", async () => {
  const { client, screenerId } = await service.screener();
  const other = await client.screener();
  assert.equal((await client.post("/screener-publications", { screenerId })).status, 201);
  await client.post(IMPORT, { screenerId, participants: ["kept", "gone", "left"].map((uid) => person(uid)) });
  const participants = [
    { ...person("kept"), name: "Imported" },
    { ...person("edited", "edited@example.org") },
    person("opened"),
    person("elsewhere"),
    person("unassigned"),
    person("plain"),
  ];
  const done = await client.post(IMPORT, { screenerId, importMode: "FULL_SYNC", participants });
  const job = await lastJob(client);
  const of = (uid: string) => done.body.find((row: Record<string, unknown>) => row.externalParticipantUid === uid);
  await client.patch(`/participants/${of("edited").participantId}`, { name: "Edited" });
  await client.open(of("opened").id);
  await client.post(IMPORT, { screenerId: other, participants: [person("elsewhere")] });
  await client.delete(`/screener-participants/${of("unassigned").id}`);
  await client.post(IMPORT, { screenerId, participants: [person("gone")] });
  const undone = await client.post(`/jobs/${job.id}/undo`, undefined);
  assert.equal(undone.status, 200, undone.text);
  assert.deepEqual(await rowsOf(client, undone.body.id), [
    ["kept", "REVERTED", null],
    ["gone", "KEPT", "ASSIGNED_AGAIN"],
    ["left", "REVERTED", null],
    ["edited", "KEPT", "EDITED"],
    ["opened", "KEPT", "OPENED"],
    ["elsewhere", "KEPT", "ASSIGNED_ELSEWHERE"],
    ["unassigned", "KEPT", "UNASSIGNED"],
    ["plain", "REVERTED", null],
  ]);
  assert.deepEqual(undone.body.summary, { rows: 8, reverted: 3, kept: 5, leaving: 1, returning: 1, changedBack: 1 });
  const people = (await client.all("/participants")).map(({ externalUid, name }) => [externalUid, name]);
  assert.deepEqual(people, [
    ["kept", "Name kept"],
    ["gone", "Name gone"],
    ["left", "Name left"],
    ["edited", "Edited"],
    ["opened", "Name opened"],
    ["elsewhere", "Name elsewhere"],
    ["unassigned", "Name unassigned"],
  ]);
});

test("an assignment does not come back to somebody else, when its participant is gone", async () => {
  const { client, screenerId } = await service.screener();
  const other = await client.screener();
  const imported: string[] = [];
  for (const id of [screenerId, other]) {
    await client.import(id, [person("gone")]);
    imported.push((await lastJob(client)).id);
  }
  const undone = await client.post(`/jobs/${imported[1]}/undo`, undefined);
  await client.post(`/jobs/${imported[0]}/undo`, undefined);
  // The store gives its rowid to the next one.
  await client.post("/participants", person("next"));
  const redone = await client.post(`/jobs/${undone.body.id}/undo`, undefined);
  assert.deepEqual(redone.body.summary, { rows: 1, reverted: 0, kept: 1, leaving: 0, returning: 0, changedBack: 0 });
  const [row] = (await client.get(`/jobs/${redone.body.id}/rows`)).body.items;
  const [before] = (await client.get(`/jobs/${undone.body.id}/rows`)).body.items;
  assert.deepEqual(
    [row.outcome, row.reason, row.externalUid, row.participantId],
    ["KEPT", "GONE", null, before.participantId],
  );
  assert.deepEqual(await client.all("/screener-participants"), []);
});

test("an assignment comes back with the status that its sessions give it now", async () => {
  const { client, screenerId } = await service.screener();
  await client.post("/screener-publications", { screenerId });
  const [{ id }] = (await client.import(screenerId, [person("a")])).body;
  const { body: first } = await client.open(id);
  await client.post(`/screener-sessions/${first.id}/responses`, { responses: [], complete: true });
  const { body: second } = await client.open(id);
  await client.import(screenerId, [], { importMode: "FULL_SYNC" });
  const job = await lastJob(client);
  await client.delete(`/screener-sessions/${second.id}`);
  assert.equal((await client.post(`/jobs/${job.id}/undo`, undefined)).status, 200);
  const { body } = await client.get(`/screener-participants/${id}`);
  assert.deepEqual([body.status, body.currentSessionId], ["UNKNOWN", null]);
  service.context.workspaces.read(client.workspaceId, assertCounts);
});

test("an import that changes nothing takes hardly any space in the workspace's store, however many rows it has", async () => {
  const { client, screenerId } = await service.screener();
  const { workspaces } = service.context;
  const bytes = () => {
    workspaces.checkpoint(client.workspaceId);
    return statSync(workspaces.path(client.workspaceId)).size;
  };
  const count = 12_500;
  const sync = () => client.import(screenerId, people(count), { importMode: "FULL_SYNC" }, { Prefer: "wait=60" });
  assert.equal((await sync()).status, 200);
  // A thread adds those who are new to the search, and takes space for it.
  await until(() => {
    tidy(storesOf(service));
    return (
      workspaces.read(client.workspaceId, (db) => db.value("SELECT indexed_until FROM participant_search_state")) ===
      count
    );
  }, "all are in the search");
  const before = bytes();
  assert.ok(before > count * 200, "the first one takes space");
  assert.equal((await sync()).status, 200);
  assert.deepEqual((await lastJob(client)).summary.unchanged, count);
  // A megabyte for 250,000.
  assert.ok(bytes() - before <= (1024 * 1024 * count) / 250_000, `${bytes() - before} bytes`);
});

test("a plan of an undo is not applied when something has moved, and takes nothing back", async () => {
  const { client, screenerId } = await service.screener();
  const imported = await client.import(screenerId, [person("a"), person("b")]);
  const planned = await client.post(`/jobs/${(await lastJob(client)).id}/undo`, { dryRun: true });
  await client.patch(`/participants/${imported.body[1].participantId}`, { name: "Edited" });
  const before = await everything(client);
  const { status, body } = await client.post(`/jobs/${planned.body.id}/apply`, undefined);
  assert.deepEqual([status, body.code, body.errorCount], [409, "plan_outdated", 1]);
  assert.match(body.errors[0].message, /was planned as REVERTED, and would now be KEPT \(b\)/);
  assert.deepEqual(await everything(client), before);
  const { summary, status: ended } = (await client.get(`/jobs/${planned.body.id}`)).body;
  assert.deepEqual([ended, summary, await rowsOf(client, planned.body.id)], ["FAILED", null, []]);
});

test("only what an import or an undo has done can be undone", async () => {
  const { client, screenerId } = await service.screener();
  const planned = await client.post(IMPORT, { screenerId, participants: [person("a")], dryRun: true });
  for (const id of [planned.body.id, (await lastJob(client)).id]) {
    const { status, body } = await client.post(`/jobs/${id}/undo`, undefined);
    assert.deepEqual([status, body.code], [409, "job_not_undoable"]);
  }
  const unknown = await client.post(`/jobs/${crypto.randomUUID()}/undo`, undefined);
  assert.deepEqual([unknown.status, unknown.body.code], [404, "job_not_found"]);
  const wrong = await client.post(`/jobs/${planned.body.id}/undo`, { dryrun: true });
  assert.deepEqual([wrong.status, wrong.body.errors[0].message], [400, "is not known; did you mean dryRun?"]);
  assert.equal(wrong.body.detail, `${wrong.body.errors[0].pointer} is not known; did you mean dryRun?`);
});
