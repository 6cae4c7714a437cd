// Callers who may not answer for participants get references instead of sessions' ids, slugs and links: in every reply and format.

import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { test } from "node:test";
import readSheets from "read-excel-file/node";
import { consolePages } from "../../src/console/routes.ts";
import { endpoints } from "../../src/main/app.ts";
import { type Client, people, UUID_V4 } from "../support/client.ts";
import { signedIn } from "../support/console.ts";
import { sharedService } from "../support/service.ts";
import { withScopes, writeTo } from "../support/store.ts";
import { until } from "../support/until.ts";
import { answers, populate } from "../support/world.ts";

const service = await sharedService();
const world = await populate(service, "World");
const { client, screener } = world;
const { workspaces } = service.context;
const limited = await withScopes(service, client, ["read-without-links"]);
const viewer = await signedIn(service, client.workspaceId, "viewer", "viewer@references.example.org");
const admin = await signedIn(service, client.workspaceId, "admin", "admin@references.example.org");

interface Session {
  id: string;
  reference: string;
  linkSlug: string;
  screenerSessionLink: string;
  screenerParticipantId: string;
}

/** A customer's own id, which looks like that of a session. */
const foreign = randomUUID();

// Sessions of every kind: answered in full, opened by itself and by a job, removed, archived, of a person who is erased, and one that
// somebody has written about.
const completed = await client.post(`/screener-sessions/${world.session}/responses`, { responses: [], complete: true });
assert.equal(completed.status, 200, completed.text);
await client.post(`/screener-sessions/${world.session}/override`, { outcome: "QUALIFIED", reason: "By hand" });
await client.import(screener, [...people(4), { externalUid: foreign, email: "f@example.org", name: "Foreign" }]);
const opening = await client.post("/screener-sessions", { screenerId: screener });
const opened: Session[] = opening.body;
await client.delete(`/screener-sessions/${opened[1]!.id}`);
await client.delete(`/screener-participants/${opened[2]!.screenerParticipantId}`);
await client.call("PATCH", `/screeners/${screener}`, {
  body: { description: `Look at ${opened[0]!.id.toUpperCase()}\n${opened[3]!.linkSlug} and ${foreign}` },
  headers: { "X-Action-Note": `About ${opened[0]!.id}` },
});
const sessions: Session[] = await client.all("/screener-sessions");
const secrets = sessions.flatMap(({ id, linkSlug }) => [id, linkSlug]);

/** What must not be there, and is. */
const leaksIn = (text: string) =>
  secrets.filter((secret) => text.includes(secret) || text.toLowerCase().includes(secret.toLowerCase()));

const jobs: { id: string }[] = await client.all("/jobs");
const deliveries = await client.all("/webhook-deliveries");
const events: { id: string }[] = await client.all("/events");
const participants: { id: string }[] = await client.all("/participants");

/** The paths of a route, with ids of everything that it may be about. `names` sessions as the caller would. */
function pathsOf(path: string, names: (session: Session) => string): string[] {
  const ids = (of: string): string[] => {
    if (of === "studies" || of === "screeners") return [screener];
    if (of === "screener-publications") return [world.publication];
    if (of === "people" || of === "participants") return participants.map(({ id }) => id);
    if (of === "screener-participants") return sessions.map((one) => one.screenerParticipantId);
    if (of === "screener-sessions" || of === "session") return sessions.map(names);
    if (of === "jobs") return jobs.map(({ id }) => id);
    if (of === "events") return events.map(({ id }) => id);
    if (of === "webhook-endpoints") return [world.webhookEndpoint];
    if (of === "webhook-deliveries") return deliveries.map(({ id }) => id);
    if (of === "screener-links" || of === "share") return [world.link];
    if (of === "images") return [world.image];
    if (of === "participant-notes") return [world.note];
    if (of === "mail-suppressions") return [world.suppression];
    if (of === "mailings") return [world.mailing];
    if (of === "participant-requests" || of === "requests") return [world.request];
    if (of === "translations" || of === "words") return ["de"];
    return ["nothing"];
  };
  let paths = [path.replace("{/*rest}", "")];
  for (const [, before = "", name = ""] of path.matchAll(/([\w-]+)\/:(\w+)/g)) {
    const values = ids(name === "session" ? "session" : before);
    paths = paths.flatMap((one) => values.map((value) => one.replace(`:${name}`, value)));
  }
  return paths;
}

test("a session has a reference, which is no id of a session, stays the same, and finds it", async () => {
  assert.equal(new Set(sessions.map(({ reference }) => reference)).size, sessions.length);
  for (const { id, reference, linkSlug } of sessions) {
    assert.match(reference, /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/);
    assert.deepEqual(leaksIn(reference), []);
    const { body } = await client.get(`/screener-sessions?filter[reference][eq]=${reference.toUpperCase()}`);
    assert.deepEqual(
      body.items.map((one: Session) => [one.id, one.linkSlug]),
      [[id, linkSlug]],
    );
    // It is no id: links, and callers who get ids, know it by the filter alone.
    assert.equal((await client.get(`/screener-sessions/${reference}`)).status, 404);
    const page = `${service.url}/w/${client.workspaceId}/screeners/${screener}/${reference}`;
    assert.equal((await fetch(page)).status, 404);
  }
  const [a, b] = sessions;
  const among = `filter[reference][in][]=${a!.reference}&filter[reference][in][]=${b!.reference}`;
  assert.equal((await client.get(`/screener-sessions?${among}`)).body.total, 2);
  const others = (await client.get(`/screener-sessions?filter[reference][ne]=${a!.reference}`)).body;
  assert.equal(others.total, sessions.length - 1);
  assert.ok(!others.items.some(({ id }: Session) => id === a!.id));
  assert.equal((await client.get("/screener-sessions?filter[reference][eq]=x")).status, 400);
});

test("a session of the release before, which knew no references, has the same one", async () => {
  writeTo(workspaces, client.workspaceId, (db) => db.run("UPDATE screener_session SET reference = NULL"));
  assert.deepEqual(await client.all("/screener-sessions"), sessions);
  const { body } = await limited.get(`/screener-sessions/${sessions[0]!.reference}`);
  assert.equal(body.reference, sessions[0]!.reference);
});

test("each workspace has a key of its own: the same id has another reference there", async () => {
  const other = service.workspace("Other");
  const keys = [client, other].map(({ workspaceId }) =>
    workspaces.read(workspaceId, (db) => db.value<Buffer>("SELECT key FROM reference_key")!.toString("hex")),
  );
  assert.equal(new Set(keys).size, 2);
});

test("nothing that a viewer can fetch from the console has the id, the slug or the link of a session", async () => {
  const seen = new Set<string>();
  const fetched = async (path: string) => {
    if (seen.has(path)) return;
    seen.add(path);
    const { status, text, headers } = await viewer.get(path);
    assert.ok(status < 500, `${path}: ${status}`);
    assert.deepEqual(leaksIn(JSON.stringify(headers) + text), [], path);
    if (status === 200)
      for (const [, to = ""] of text.matchAll(/(?:href|src|action)="(\/console\/[^"#]*)"/g))
        if (!/\/console\/(?:assets|sign-)/.test(to)) await fetched(to.replaceAll("&amp;", "&"));
  };
  for (const { method, path } of consolePages)
    if (method === "get" && !path.includes("/sign-"))
      for (const one of pathsOf(path, (s) => s.reference)) await fetched(one);
  for (const query of ["?file=table&format=csv", "?file=codebook"])
    await fetched(`/console/studies/${screener}/download${query}`);
  // It did look at sessions, and by their references.
  const answersPage = `/console/studies/${screener}/answers/${sessions[0]!.reference}`;
  assert.ok(seen.has(answersPage));
  assert.equal((await viewer.get(answersPage)).status, 200);
  const csv = await viewer.get(`/console/studies/${screener}/download?file=table&format=csv`);
  assert.ok(csv.text.includes(sessions[0]!.reference), csv.text);
});

test("the console's addresses have references for everybody; an admin opens those that a viewer has, and makes changes by them", async () => {
  const [first] = sessions;
  const path = `/console/studies/${screener}/answers/${first!.reference}`;
  assert.match((await admin.get(path)).text, /By hand/);
  const set = await admin.post(path, { outcome: "BY_RULES", reason: "Back" });
  assert.equal(set.headers.location, `${path}?saved`);
  const person = `/console/people/${world.participant}`;
  for (const page of [path, person, `/console/studies/${screener}/answers`]) {
    const { text } = await admin.get(page);
    const addresses = [...text.matchAll(/(?:href|action)="([^"]*)"/g)].map(([, to]) => to).join("\n");
    assert.deepEqual(leaksIn(addresses), [], page);
    assert.ok(addresses.includes(first!.reference), page);
  }
  const revoke = `${person}/links/${first!.reference}/revoke`;
  assert.equal((await admin.get(revoke)).status, 200);
});

const FORMATS = ["application/json", "text/csv", "application/x-ndjson"];

test("a key that reads without links gets none from any endpoint, in any format", async () => {
  for (const { method, path, isPublic } of endpoints) {
    if (method !== "get" || isPublic) continue;
    for (const one of pathsOf(path, (s) => s.reference))
      for (const Accept of FORMATS) {
        const { status, text, headers } = await limited.get(one, { Accept });
        assert.ok([200, 403, 404, 406, 409, 410].includes(status), `${one}: ${status} ${text}`);
        assert.deepEqual(leaksIn(JSON.stringify([...headers]) + text), [], `${one} as ${Accept}`);
      }
  }
  const { bytes } = await limited.get(`/screeners/${screener}/export`, {
    Accept: "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
  });
  const [sheet] = await readSheets(bytes);
  const ids = sheet!.data.slice(1).map(([id]) => String(id));
  assert.deepEqual(leaksIn(JSON.stringify(sheet)), []);
  for (const id of ids)
    assert.ok(
      sessions.some(({ reference }) => reference === id),
      id,
    );
});

test("the answers are the same but for sessions, which are named by references; ids of customers stay", async () => {
  const byId = new Map(
    sessions.flatMap(
      (one) =>
        [
          [one.id, one],
          [one.linkSlug, one],
        ] as const,
    ),
  );
  const masked = (one: Session) => ({
    ...one,
    id: one.reference,
    linkSlug: one.reference,
    screenerSessionLink: `urn:uuid:${one.reference}`,
  });
  assert.deepEqual(await limited.all("/screener-sessions"), sessions.map(masked));
  const [first] = sessions;
  assert.deepEqual((await limited.get(`/screener-sessions/${first!.reference}`)).body, masked(first!));
  const reading = async (caller: Client, names: (session: Session) => string) =>
    caller.all(`/screener-responses?filter[screenerSessionId][eq]=${names(first!)}`);
  const full = await reading(client, ({ id }) => id);
  assert.equal(full.length, Object.keys(answers).length);
  assert.deepEqual(
    await reading(limited, ({ reference }) => reference),
    full.map((one) => ({ ...one, screenerSessionId: first!.reference })),
  );
  const about = `/events?filter[resourceId][eq]=`;
  const ofFirst = await limited.all(about + first!.reference);
  assert.deepEqual(
    ofFirst.map(({ id }) => id),
    (await client.all(about + first!.id)).map(({ id }) => id),
  );
  assert.ok(ofFirst.length >= 3 && ofFirst.every(({ resource }) => resource.id === first!.reference));
  const assignment = (await limited.get(`/screener-participants/${first!.screenerParticipantId}`)).body;
  assert.equal(assignment.currentSessionId, first!.reference);
  const { description } = (await limited.get(`/screeners/${screener}`)).body;
  const [a, b] = [opened[0]!, opened[3]!].map(({ id }) => byId.get(id)!.reference);
  assert.equal(description, `Look at ${a}\n${b} and ${foreign}`);
  const found = await limited.all(`/participants?filter[externalUid][eq]=${foreign}`);
  assert.deepEqual([foreign.match(UUID_V4) !== null, found.length, found[0].externalUid], [true, 1, foreign]);
  const roster = (await limited.get("/screener-sessions", { Accept: "text/csv" })).text;
  assert.ok(roster.includes(`urn:uuid:${first!.reference},urn:uuid:${first!.reference}`), roster);
  // Those who get links still do.
  const whole = (await client.get("/screener-sessions", { Accept: "text/csv" })).text;
  for (const { screenerSessionLink, linkSlug } of sessions)
    assert.ok(whole.includes(screenerSessionLink) && whole.includes(linkSlug));
});

test("writes answer without links, too; a scope that may answer for people gets them", async () => {
  const importer = await withScopes(service, client, ["read-without-links", "import"]);
  const key = { "Idempotency-Key": "again" };
  const importing = () => importer.import(screener, [{ externalUid: "World-1" }], {}, key);
  for (const { status, text, body } of [await importing(), await importing()]) {
    assert.equal(status, 200, text);
    assert.deepEqual(leaksIn(text), []);
    assert.equal(body[0].currentSessionId, sessions[0]!.reference);
  }
  const author = await withScopes(service, client, ["read-without-links", "author"]);
  const body = { outcome: "QUALIFIED", reason: "By a machine" };
  const set = await author.post(`/screener-sessions/${sessions[0]!.reference}/override`, body);
  assert.deepEqual([set.status, set.body.id, leaksIn(set.text)], [200, sessions[0]!.reference, []]);
  for (const scope of ["read", "respond", "admin"] as const) {
    const both = await withScopes(service, client, ["read-without-links", scope]);
    assert.equal((await both.get(`/screener-sessions/${sessions[0]!.id}`)).body.id, sessions[0]!.id, scope);
  }
  assert.equal((await limited.post("/screeners", { title: "x" })).status, 403);
});

test("a deleted study's sessions keep their references in the log", async () => {
  const { body: gone } = await client.post("/screeners", { title: "Gone" });
  await client.call("PUT", `/screeners/${gone.id}/content`, { body: { pages: [] } });
  await client.post("/screener-publications", { screenerId: gone.id });
  const [row] = (await client.import(gone.id, [{ externalUid: "World-2" }])).body;
  const { body: session } = await client.post("/screener-sessions", { screenerParticipantId: row.id });
  const log = async () => (await limited.all("/events?filter[type][eq]=screener-session.created")).at(-1).resource.id;
  assert.equal(await log(), session.reference);
  await client.delete(`/screeners/${gone.id}?confirm=Gone`);
  await service.drain();
  await until(async () => (await client.get(`/screeners/${gone.id}`)).status === 404, "the study is gone");
  assert.equal(await log(), session.reference);
});
