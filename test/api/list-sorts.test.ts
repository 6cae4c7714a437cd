// Lists by time, in other orders, and sessions with what belongs to them.

import assert from "node:assert/strict";
import { globSync, readFileSync } from "node:fs";
import { test } from "node:test";
import { setTimeout as wait } from "node:timers/promises";
import { people } from "../support/client.ts";
import { sharedService } from "../support/service.ts";
import { writeTo } from "../support/store.ts";

const service = await sharedService();
const { client, screenerId } = await service.screener();
await client.post("/screener-publications", { screenerId });
const rows = (await client.import(screenerId, people(4))).body;
const sessions: { id: string }[] = [];
for (const { id } of rows.slice(0, 3))
  sessions.push((await client.post("/screener-sessions", { screenerParticipantId: id })).body);

const at = (day: number) => `2026-03-0${day}T10:00:00.000Z`;
writeTo(service.context.workspaces, client.workspaceId, (db) => {
  for (const [id, created, updated] of [
    [1, 1, 4],
    [2, 2, 2],
    [3, 3, 3],
    [4, 4, 4],
  ])
    db.run("UPDATE participant SET created_at = ?, updated_at = ? WHERE id = ?", at(created!), at(updated!), id!);
  const times = "UPDATE screener_session SET created_at = ?, started_at = ?, completed_at = ? WHERE id = ?";
  db.run(times, at(1), at(5), null, 1);
  db.run(times, at(2), at(4), at(6), 2);
  db.run(times, at(3), null, null, 3);
});

async function found(path: string, query: string, member: string): Promise<string[]> {
  const { status, body } = await client.get(`${path}?${query}`);
  assert.deepEqual([status, body.total], [200, body.items?.length], `${query} ${JSON.stringify(body)}`);
  const { text } = await client.call("GET", `${path}?${query.replace(/&?sort=[^&]*/, "")}`, {
    headers: { Accept: "application/x-ndjson" },
  });
  const whole = text
    .trim()
    .split("\n")
    .filter(Boolean)
    .map((line) => JSON.parse(line)[member]);
  const names = body.items.map((item: Record<string, string>) => item[member]);
  assert.deepEqual(whole.sort(), [...names].sort(), query);
  return names;
}

test("participants are found by when they came and when they changed, and sorted", async () => {
  const uids = (query: string) => found("/participants", query, "externalUid");
  assert.deepEqual(await uids(`filter[updatedAt][gte]=${at(4)}`), ["P-0", "P-3"]);
  assert.deepEqual(await uids(`filter[updatedAt][gte]=${at(2)}&filter[updatedAt][lt]=${at(4)}`), ["P-1", "P-2"]);
  assert.deepEqual(await uids(`filter[createdAt][lt]=2026-03-02T12:00:00%2B02:00`), ["P-0"]);
  assert.deepEqual(await uids(`filter[createdAt][gte]=${at(2)}&filter[externalUid][ne]=P-3`), ["P-1", "P-2"]);
  assert.deepEqual(await uids("sort=createdAt"), ["P-0", "P-1", "P-2", "P-3"]);
  assert.deepEqual(await uids("sort=-createdAt"), ["P-3", "P-2", "P-1", "P-0"]);
  // Of the same time: in the order of creation, or against it.
  assert.deepEqual(await uids("sort=updatedAt"), ["P-1", "P-2", "P-0", "P-3"]);
  assert.deepEqual(await uids("sort=-updatedAt"), ["P-3", "P-0", "P-2", "P-1"]);
  assert.deepEqual(await uids(`sort=-updatedAt&filter[updatedAt][lt]=${at(4)}`), ["P-2", "P-1"]);
  const { body } = await client.get("/participants?sort=-updatedAt&pagination[limit]=2&pagination[offset]=1");
  assert.deepEqual(
    [body.total, body.items.map((one: { externalUid: string }) => one.externalUid)],
    [4, ["P-0", "P-2"]],
  );
});

test("sessions are found by their times and sorted; those without a time come last", async () => {
  const ids = sessions.map(({ id }) => id);
  const look = (query: string) => found("/screener-sessions", query, "id");
  assert.deepEqual(await look(`filter[completedAt][gte]=${at(1)}`), [ids[1]]);
  assert.deepEqual(await look(`filter[startedAt][lt]=${at(5)}&filter[screenerId][eq]=${screenerId}`), [ids[1]]);
  assert.deepEqual(await look(`filter[createdAt][gte]=${at(2)}`), [ids[1], ids[2]]);
  assert.deepEqual(await look("sort=startedAt"), [ids[1], ids[0], ids[2]]);
  assert.deepEqual(await look("sort=-startedAt"), [ids[0], ids[1], ids[2]]);
  assert.deepEqual(await look("sort=-completedAt&filter[state][eq]=NOT_STARTED"), [ids[1], ids[2], ids[0]]);
  const { body } = await client.get("/screener-sessions?sort=-createdAt&pagination[limit]=1");
  assert.deepEqual([body.items[0].id, body.items[0].createdAt, body.total], [ids[2], at(3), 3]);
  assert.deepEqual(
    await found("/screener-participants", "sort=-createdAt", "id"),
    rows.map(({ id }: { id: string }) => id).reverse(),
  );
});

test("a session is shown with its participant and its outcome where that is asked for", async () => {
  const path = "/screener-sessions?pagination[limit]=1&expand=";
  const [session] = (await client.get("/screener-sessions?pagination[limit]=1")).body.items;
  const person = (await client.get("/participants?filter[externalUid][eq]=P-0")).body.items[0];
  const { id, externalUid, email, name } = person;
  const participant = { id, externalUid, email, name };
  const shown = async (expand: string) => (await client.get(path + expand)).body.items[0];
  assert.deepEqual(await shown("participant"), { ...session, participant });
  assert.deepEqual(await shown("outcome"), { ...session, outcome: null });
  assert.deepEqual(await shown("outcome,participant"), { ...session, participant, outcome: null });
  writeTo(service.context.workspaces, client.workspaceId, (db) =>
    db.run("UPDATE screener_session SET outcome = 'QUALIFIED' WHERE id = 1"),
  );
  assert.equal((await shown("outcome")).outcome, "QUALIFIED");
  await client.post("/screener-sessions", { screenerId, isTest: true });
  const { items } = (await client.get("/screener-sessions?expand=participant&filter[isTest][eq]=true")).body;
  assert.deepEqual([items.length, items[0].participant], [1, null]);
});

/** Runs `change`. @returns the external ids of the assignments that have changed since, and the ids of the sessions */
async function changedBy(change: () => Promise<unknown>): Promise<{ people: string[]; sessions: string[] }> {
  // A time that only the change comes after.
  await wait(5);
  const since = new Date().toISOString();
  await change();
  const query = `filter[updatedAt][gte]=${since}`;
  const former = `filter[updatedAt][lt]=${since}`;
  for (const path of ["/screener-participants", "/screener-sessions"]) {
    const all = (await client.get(path)).body.total;
    const [after, before] = await Promise.all([query, former].map((one) => found(path, one, "id")));
    assert.equal(after!.length + before!.length, all, path);
  }
  return {
    people: await found("/screener-participants", query, "externalParticipantUid"),
    sessions: await found("/screener-sessions", query, "id"),
  };
}

test("sessions and assignments are found by when they last changed, whatever has changed them", async () => {
  const study = await client.screener();
  await client.post("/screener-publications", { screenerId: study });
  const crowd = [1, 2, 3].map((n) => ({ externalUid: `C-${n}`, email: `c${n}@example.org`, name: `C ${n}` }));
  const uids = ["C-1", "C-2", "C-3"];
  assert.deepEqual(await changedBy(() => client.import(study, crowd)), { people: uids, sessions: [] });
  const listed = (await client.get(`/screener-participants?filter[screenerId][eq]=${study}`)).body.items;
  const ids: string[] = listed.map(({ id }: { id: string }) => id);
  const opened: string[] = [];
  const open = async (at: number) =>
    opened.push((await client.post("/screener-sessions", { screenerParticipantId: ids[at] })).body.id);
  assert.deepEqual(await changedBy(() => open(1)), { people: ["C-2"], sessions: [opened[0]] });
  await open(2);
  const remove = () => client.call("DELETE", `/screener-sessions/${opened[0]}`);
  assert.deepEqual(await changedBy(remove), { people: ["C-2"], sessions: [opened[0]] });
  const sorted = await client.get(`/screener-participants?filter[screenerId][eq]=${study}&sort=-updatedAt`);
  assert.deepEqual(
    sorted.body.items.map((one: { externalParticipantUid: string }) => one.externalParticipantUid),
    ["C-2", "C-3", "C-1"],
  );
  assert.equal((await found("/screener-sessions", "sort=-updatedAt", "id"))[0], opened[0]);
  const page = `filter[screenerId][eq]=${study}&sort=updatedAt&pagination[limit]=1&pagination[offset]=1`;
  assert.equal((await client.get(`/screener-participants?${page}`)).body.items[0].externalParticipantUid, "C-3");
  const unassign = () => client.call("DELETE", `/screener-participants/${ids[2]}`);
  assert.deepEqual(await changedBy(unassign), { people: [], sessions: [opened[1]] });
  await open(0);
  const other = { externalUid: "C-4", email: "c4@example.org", name: "C 4" };
  let job = "";
  const sync = async () => {
    const { status, headers } = await client.import(study, [other], { importMode: "FULL_SYNC" });
    assert.equal(status, 200);
    job = headers.get("location")!;
  };
  assert.deepEqual(await changedBy(sync), { people: ["C-4"], sessions: [opened[2]] });
  const undo = async () => assert.equal((await client.post(`${job}/undo`, {})).body.status, "SUCCEEDED");
  assert.deepEqual(await changedBy(undo), { people: ["C-1", "C-2"], sessions: [opened[2]] });
});

test("assignments are found by when they were made, in every format", async () => {
  await wait(5);
  const before = new Date().toISOString();
  const study = await client.screener();
  await client.import(study, [{ externalUid: "L-1", email: "l1@example.org", name: "L 1" }]);
  await wait(5);
  const between = new Date().toISOString();
  await client.import(study, [{ externalUid: "L-2", email: "l2@example.org", name: "L 2" }]);
  const look = (query: string) => found("/screener-participants", query, "externalParticipantUid");
  assert.deepEqual(await look(`filter[createdAt][gte]=${before}`), ["L-1", "L-2"]);
  assert.deepEqual(await look(`filter[createdAt][gte]=${before}&filter[createdAt][lt]=${between}`), ["L-1"]);
  assert.deepEqual(await look(`filter[createdAt][lt]=${between}&filter[screenerId][eq]=${study}`), ["L-1"]);
  const hour = between.replace("Z", "%2B01:00");
  assert.equal((await look(`filter[createdAt][gte]=${hour}`)).length, (await look("")).length);
  const csv = { headers: { Accept: "text/csv" } };
  const { text } = await client.call("GET", `/screener-participants?filter[createdAt][gte]=${between}`, csv);
  assert.deepEqual([text.trim().split("\r\n").length, text.includes("L-2")], [2, true]);
});

/** What writes of a session or an assignment nothing that is shown, or says when in another column. */
const NOT_SHOWN = [
  /SET page_times = NULL/,
  /SET quota_ids = /,
  /SET offered_until = NULL, offer = NULL WHERE/,
  /withdrawn_at = \?/,
  // With `last_active_at`.
  /SET \$\{sets\} WHERE/,
  // The session is new.
  /SET current_session_id = \? \+ o\.position/,
];

test("whatever writes a session or an assignment says when", () => {
  const updates = globSync("src/**/*.ts").flatMap((file) =>
    [...readFileSync(file, "utf8").matchAll(/UPDATE \S*screener_(?:session|participant)\b[^;]{0,500}/g)].map(
      ([sql]) => `${file}: ${sql.slice(0, sql.search(/ WHERE|\n *FROM| FROM \(/) + 40)}`,
    ),
  );
  assert.ok(updates.length > 15, `${updates.length}`);
  assert.deepEqual(
    updates.filter((sql) => !sql.includes("CHANGED_NOW") && !NOT_SHOWN.some((other) => other.test(sql))),
    [],
  );
});

test("what does not go together is refused, and says why", async () => {
  const refusal = async (path: string, accept = "application/json") => {
    const { status, body } = await client.call("GET", path, { headers: { Accept: accept } });
    assert.equal(status, 400, path);
    return body.errors.map(({ pointer, message }: { pointer: string; message: string }) => `${pointer} ${message}`);
  };
  const csv = "text/csv";
  assert.match((await refusal("/participants?sort=-createdAt", csv))[0], /^sort does not go with text\/csv/);
  assert.match(
    (await refusal("/participants?sort=-name&filter[search][matches]=ada"))[0],
    /^sort does not go with filter/,
  );
  assert.match((await refusal("/screener-sessions?expand=participant", csv))[0], /^expand does not go with text\/csv/);
  assert.match((await refusal("/screener-sessions?expand=answers&sort=status"))[0], /^sort must be one of createdAt/);
  assert.match((await refusal("/screener-sessions?expand=answers"))[0], /^expand must be participant or outcome/);
  assert.match((await refusal("/participants?filter[updatedAt][gte]=yesterday"))[0], /must be a timestamp/);
  assert.match((await refusal(`/participants?filter[updatedAt][eq]=${at(1)}`))[0], /is not a filter/);
});
