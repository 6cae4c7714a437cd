// What a workspace keeps for a time only: answers for months, participants without an assignment for days.

import assert from "node:assert/strict";
import { test } from "node:test";
import { whenFree } from "../../db/sqlite/when-free.ts";
import { previewRetention, retain } from "../../src/screening/retention.ts";
import { setRetention } from "../../src/workspaces/lives.ts";
import { findWorkspace } from "../../src/workspaces/queries.ts";
import { findBytes } from "../support/bytes.ts";
import type { Client } from "../support/client.ts";
import { startService } from "../support/service.ts";
import { everyKind, invite, publish } from "../support/study.ts";
import { ABOUT, formOf, Visitor } from "../support/visitor.ts";

const service = await startService();
const DAY_MS = 24 * 3_600_000;

const content = {
  pages: [{ title: "One", questions: [{ key: "why", _type: "ScreenerTextQuestion", prompt: "Why?" }] }],
};

const rowOf = (client: Client) => findWorkspace(service.context.control.reader, client.workspaceId)!;

async function set(client: Client, answersMonths: number | null, unassignedDays: number | null): Promise<void> {
  const { writer } = service.context.control;
  await whenFree(writer, 5000, () => setRetention(writer, rowOf(client).id, { answersMonths, unassignedDays }));
}

const upkeep = (afterDays: number) => retain(service.context, Date.now() + afterDays * DAY_MS);

const preview = (client: Client, afterDays: number) =>
  service.context.workspaces.read(client.workspaceId, (db) =>
    previewRetention(db, rowOf(client), Date.now() + afterDays * DAY_MS),
  );

const total = async (client: Client, list: string): Promise<number> => (await client.get(`/${list}`)).body.total;

test("how long pages were open goes with the answers, and is in the export of the person before", async () => {
  const client = service.workspace();
  const study = await publish(client, everyKind);
  const [link] = await invite(client, study.screener, 1);
  const form = `${formOf(study, "About you", ABOUT)}&shown=${Date.now() - 5000}`;
  assert.equal((await new Visitor(service.url).post(link!.path, form)).status, 303);
  const { body: assignment } = await client.get(`/screener-participants/${link!.assignment}`);
  const times = async () => (await client.get(`/participants/${assignment.participantId}/export`)).body.pageTimes;
  const [time, ...others] = await times();
  const { _type, screenerSessionId, screenerPageId, seconds } = time;
  assert.deepEqual(
    [others, _type, screenerSessionId, screenerPageId],
    [[], "PageTime", link!.session, study.page["About you"]],
  );
  assert.ok(seconds >= 5 && seconds < 30, String(seconds));
  await set(client, 6, null);
  upkeep(150);
  assert.equal((await times()).length, 1);
  upkeep(190);
  assert.deepEqual(await times(), []);
});

test("answers go after the months that the workspace sets; sessions and outcomes stay", async () => {
  const client = service.workspace();
  const study = await publish(client, content);
  const [link] = await invite(client, study.screener, 2);
  const answer = { screenerQuestionId: study.question.why, answer: "Ephemeral words" };
  await client.post(`/screener-sessions/${link!.session}/responses`, { responses: [answer], complete: true });
  upkeep(10_000);
  assert.equal(await total(client, "screener-responses"), 1, "kept for ever, unless somebody says otherwise");

  await set(client, 6, null);
  assert.deepEqual(preview(client, 150), { sessions: 0, responses: 0, unassigned: 0, participants: 0 });
  upkeep(150);
  assert.equal(await total(client, "screener-responses"), 1);
  assert.deepEqual(preview(client, 190), { sessions: 1, responses: 1, unassigned: 0, participants: 0 });
  upkeep(190);
  assert.equal(await total(client, "screener-responses"), 0);
  assert.deepEqual(findBytes(service.config.dataDir, ["Ephemeral words"]), []);
  upkeep(190);
  const { body: applied } = await client.get("/events?filter[type][eq]=retention.applied");
  const [{ actor, resource, summary }] = applied.items;
  assert.deepEqual([applied.total, actor._type, summary], [1, "ServiceActor", { responses: 1 }]);
  assert.deepEqual(resource, { _type: "Workspace", id: client.workspaceId });
  const session = (await client.get(`/screener-sessions/${link!.session}`)).body;
  assert.deepEqual([session.state, session.completedAt === null], ["COMPLETED", false]);
  assert.equal((await client.get(`/screener-participants/${link!.assignment}`)).body.status, "UNKNOWN");
});

test("participants go after so many days without an assignment, counted from when the upkeep saw it first", async () => {
  const client = service.workspace();
  const study = await publish(client, content);
  const [link] = await invite(client, study.screener, 3);
  const answer = { screenerQuestionId: study.question.why, answer: "Fleeting words" };
  await client.post(`/screener-sessions/${link!.session}/responses`, { responses: [answer], complete: true });
  const alone = { externalUid: "ALONE-1", email: "alone@nobody.example", name: "Alone Somebody" };
  await client.post("/participants", alone);
  await set(client, null, 30);
  upkeep(0);
  await client.delete(`/screener-participants/${link!.assignment}`);
  upkeep(20);
  assert.deepEqual(preview(client, 31), { sessions: 0, responses: 0, unassigned: 2, participants: 1 });
  assert.equal(await total(client, "participants"), 4);
  upkeep(31);
  assert.equal(await total(client, "participants"), 3, "only the one who was alone at first");
  assert.deepEqual(findBytes(service.config.dataDir, Object.values(alone)), []);
  const { body: erased } = await client.get("/events?filter[type][eq]=participant.erased");
  assert.deepEqual(
    erased.items.map(({ actor, summary }: Record<string, Record<string, unknown>>) => [
      actor!._type,
      summary!.participants,
    ]),
    [["ServiceActor", 1]],
  );
  // Who is assigned again begins anew.
  await client.import(study.screener, [{ externalUid: `${study.screener.slice(-8)}-0` }]);
  upkeep(40);
  const [again] = await client.all(`/screener-participants?filter[screenerId][eq]=${study.screener}`);
  assert.ok(again);
  assert.equal(await total(client, "participants"), 3);
  await client.import(study.screener, [], { importMode: "FULL_SYNC" });
  upkeep(60);
  assert.equal(await total(client, "participants"), 3);
  upkeep(89);
  assert.equal(await total(client, "participants"), 3);
  upkeep(91);
  assert.deepEqual([await total(client, "participants"), await total(client, "screener-responses")], [0, 0]);
  assert.equal(await total(client, "screener-sessions"), 0);
  const { workspaces } = service.context;
  const left = workspaces.read(client.workspaceId, (db) => db.value("SELECT count(*) FROM unassigned"));
  assert.equal(left, 0);
});
