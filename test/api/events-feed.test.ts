// The feed of events: what comes after a cursor, in order; and waiting for it.

import assert from "node:assert/strict";
import { test } from "node:test";
import { movePending, pendEvent } from "../../src/events/outbox.ts";
import { deleteEvents } from "../../src/events/queries.ts";
import { BY_SERVICE } from "../../src/events/record.ts";
import { ASYNC, type Client, people, UNKNOWN } from "../support/client.ts";
import { install } from "../support/process.ts";
import { startService } from "../support/service.ts";
import { inControl, writeTo } from "../support/store.ts";
import { until } from "../support/until.ts";

const service = await startService();

const WAIT = { Prefer: "wait=60" };
const person = (number: number) => people(1, number)[0]!;

async function follow(client: Client, after?: string, headers: Record<string, string> = {}, limit = 500) {
  const {
    status,
    body,
    headers: answered,
  } = await client.get(`/events/feed?limit=${limit}${after ? `&after=${after}` : ""}`, headers);
  assert.equal(status, 200, JSON.stringify(body));
  return { ...body, applied: answered.get("Preference-Applied") };
}

const typesOf = ({ items }: { items: { type: string }[] }) => items.map(({ type }) => type);

test("the feed gives page after page, and at its end the same cursor", async () => {
  const client = service.workspace();
  for (let number = 0; number < 7; number++) await client.post("/participants", person(number));
  const all = await client.all("/events");
  const seen: string[] = [];
  let cursor: string | undefined;
  for (;;) {
    const page = await follow(client, cursor, {}, 3);
    seen.push(...page.items.map(({ id }: { id: string }) => id));
    assert.equal(page.cursor, seen.at(-1));
    cursor = page.cursor;
    if (!page.items.length) break;
    assert.ok(page.items.length <= 3);
  }
  assert.deepEqual(
    seen,
    all.map(({ id }) => id),
  );
  assert.equal((await follow(client, cursor!.toUpperCase())).cursor, cursor);
});

test("limits and cursors that are none are refused; a high limit is lowered", async () => {
  const client = service.workspace();
  await client.post("/participants", person(1));
  for (const query of [
    "limit=0",
    "limit=-1",
    "limit=x",
    "limit=1.5",
    "after=x",
    "after=",
    "before=1",
    "limit=1&limit=2",
  ])
    assert.equal((await client.get(`/events/feed?${query}`)).status, 400, query);
  assert.equal((await follow(client, undefined, {}, 1_000_000)).items.length, (await client.all("/events")).length);
});

test("a reader that waits gets what a request, and what a job in a worker, has written; and so do two", async () => {
  const { client, screenerId } = await service.screener();
  const { cursor } = await follow(client);
  const waiting = [follow(client, cursor, WAIT), follow(client, cursor, WAIT)];
  await client.post("/participants", person(1));
  for (const page of await Promise.all(waiting)) {
    assert.deepEqual(typesOf(page), ["participant.created"]);
    assert.equal(page.applied, "wait=60");
  }
  const next = (await follow(client, cursor)).cursor;
  const forJob = follow(client, next, WAIT);
  assert.equal((await client.import(screenerId, people(30), {}, ASYNC)).status, 202);
  assert.deepEqual(typesOf(await forJob), ["import.completed"]);
});

test("events are numbered from 1 without a gap, and their ids rise with the numbers, whichever process writes and whatever is removed", async () => {
  const client = service.workspace();
  const writes = Array.from({ length: 60 }, (_, number) => client.post("/participants", person(number)));
  const { control, workspaces } = service.context;
  const { workspaceId } = client;
  const resource = { type: "Workspace", uid: workspaceId };
  // The control store keeps some until later; and their process dies before it has noted that they are moved.
  for (let number = 0; number < 3; number++)
    await inControl(service, (db) => pendEvent(db, workspaceId, BY_SERVICE, { type: "workspace.updated", resource }));
  await Promise.all(writes);
  const pending = control.reader.all("SELECT * FROM pending_event WHERE workspace_uid = ?", workspaceId);
  const move = () => movePending(control.writer, workspaceId, (work) => writeTo(workspaces, workspaceId, work));
  for (let tries = 0; tries < 2; tries++) {
    move();
    for (const { id, json } of tries ? [] : (pending as { id: number; json: string }[]))
      control.writer.run("INSERT INTO pending_event (id, workspace_uid, json) VALUES (?, ?, ?)", id, workspaceId, json);
  }
  const all = await client.all("/events");
  assert.equal(all.filter(({ type }) => type === "workspace.updated").length, 3);
  assert.deepEqual(
    all.map(({ sequence }) => sequence),
    all.map((_, index) => index + 1),
  );
  const ids = all.map(({ id }) => id);
  assert.deepEqual(ids, ids.toSorted());
  const { items, logId } = await follow(client);
  assert.deepEqual([...new Set(items.map((one: { logId: string }) => one.logId))], [logId]);
  assert.notEqual((await follow(service.workspace())).logId, logId);

  writeTo(workspaces, workspaceId, (db) => {
    while (deleteEvents(db, Date.now() + 3_600_000));
  });
  await client.post("/participants", person(99));
  const left = await follow(client);
  assert.deepEqual(
    left.items.map(({ sequence }: { sequence: number }) => sequence),
    [all.length, all.length + 1],
  );
  assert.equal(left.logId, logId);
});

test("who waits in vain gets an empty page with the same cursor", async () => {
  const client = service.workspace();
  await client.post("/participants", person(1));
  const { cursor } = await follow(client);
  const page = await follow(client, cursor, { Prefer: "wait=1" });
  assert.deepEqual([page.items, page.cursor, page.applied], [[], cursor, "wait=1"]);
});

test("an unknown cursor, and one that has expired, are gone; the last event never expires", async () => {
  const client = service.workspace();
  for (let number = 0; number < 3; number++) await client.post("/participants", person(number));
  const events = await client.all("/events");
  writeTo(service.context.workspaces, client.workspaceId, (db) => {
    while (deleteEvents(db, Date.now() + 3_600_000));
  });
  for (const gone of [UNKNOWN, events[0].id]) {
    const { status, body } = await client.get(`/events/feed?after=${gone}`, WAIT);
    assert.deepEqual([status, body.code], [410, "event_gone"]);
  }
  const { cursor, items } = await follow(client);
  assert.deepEqual([cursor, items.length], [events.at(-1).id, 1]);
  await client.post("/participants", person(9));
  assert.deepEqual(typesOf(await follow(client, cursor)), ["participant.created"]);
});

test("readers that wait do not count as reads of their workspace, while others are there", async () => {
  const [client, other] = [service.workspace(), service.workspace()];
  await client.post("/participants", person(1));
  const { cursor } = await follow(client);
  const waiting = Array.from({ length: 20 }, () => follow(client, cursor, WAIT));
  let done = false;
  const pinging = (async () => {
    while (!done) await other.get("/participants");
  })();
  for (let n = 0; n < 30; n++) assert.equal((await client.get("/participants")).status, 200);
  await client.post("/participants", person(2));
  for (const page of await Promise.all(waiting)) assert.equal(page.items.length, 1);
  done = true;
  await pinging;
});

test("what another process writes is seen; a process that shuts down answers those who wait", async () => {
  const installation = install({ REDIS_URL: process.env.TEST_REDIS_URL! });
  const [web, otherWeb] = await Promise.all([installation.web(), installation.web()]);
  const workspace = installation.workspace();
  const [client, other] = [workspace.client(web), workspace.client(otherWeb)];
  await client.post("/participants", person(1));
  const { cursor } = await follow(client);
  const waiting = follow(client, cursor, WAIT);
  await other.post("/participants", person(2));
  const { cursor: next } = await waiting;
  assert.notEqual(next, cursor);
  const last = follow(client, next, WAIT);
  // The request has come in before the signal: it is in the log of the requests that wait.
  await until(async () => (await client.get("/events?pagination[limit]=1")).status === 200, "the process serves");
  web.signal("SIGTERM");
  const page = await last;
  assert.deepEqual([page.items, page.cursor], [[], next]);
  assert.equal((await web.dies()).code, 0);
});
