// Notes of staff on participants: who wrote what and when; they go with the participant, who never sees them at a link.

import assert from "node:assert/strict";
import { test } from "node:test";
import { findBytes } from "../support/bytes.ts";
import { signedIn } from "../support/console.ts";
import { assertCounts } from "../support/counts.ts";
import { startService } from "../support/service.ts";
import { invited } from "../support/study.ts";
import { Visitor } from "../support/visitor.ts";

const service = await startService();
const client = service.workspace();

const personOf = async (assignment: string) =>
  (await client.get(`/screener-participants/${assignment}`)).body.participantId;
const write = (participantId: string, note: string) => client.post("/participant-notes", { participantId, note });
const notesOf = async (participantId: string) =>
  (await client.all(`/participant-notes?filter[participantId][eq]=${participantId}`)).map(({ note }) => note);

test("a note says who wrote it and when; it is listed, deleted, and refused without words or a participant", async () => {
  const { link } = await invited(client);
  const id = await personOf(link.assignment);
  const made = await write(id, "  Called on Monday ");
  assert.equal(made.status, 201, made.text);
  const { note, participantId, createdBy, createdAt } = made.body;
  assert.deepEqual([note, participantId, createdBy._type], ["Called on Monday", id, "ApplicationActor"]);
  assert.match(createdAt, /^\d{4}-.*Z$/);
  assert.deepEqual((await client.get(made.headers.get("location")!)).body, made.body);
  await write(id, "Called again");
  assert.deepEqual(await notesOf(id), ["Called on Monday", "Called again"]);
  assert.equal((await write(id, " ")).status, 400);
  assert.equal((await write("nobody", "x")).body.code, "participant_not_found");
  assert.deepEqual((await client.delete(`/participant-notes/${made.body.id}`)).body, made.body);
  assert.equal((await client.delete(`/participant-notes/${made.body.id}`)).body.code, "participant_note_not_found");
  assert.deepEqual(await notesOf(id), ["Called again"]);
  const events = await client.all(`/events?filter[resourceId][eq]=${id}`);
  assert.deepEqual(
    events.map(({ type }) => type).filter((type) => String(type).startsWith("participant-note.")),
    ["participant-note.written", "participant-note.written", "participant-note.deleted"],
  );
  assert.doesNotMatch(JSON.stringify(events), /Called/);
});

test("notes are in the participant's export, not at the link, and are erased; also where other people's notes name the participant", async () => {
  const [{ link }, other] = [await invited(client), await invited(client)];
  const [id, another] = [await personOf(link.assignment), await personOf(other.link.assignment)];
  await client.patch(`/participants/${id}`, { email: "octavia.unusual@example.org" });
  await client.call("POST", "/participant-notes", {
    body: { participantId: id, note: "Speaks of zeppelins" },
    headers: { "Idempotency-Key": "a note" },
  });
  await client.call("POST", "/participant-notes", {
    body: { participantId: another, note: "Knows octavia.unusual@example.org well" },
    headers: { "Idempotency-Key": "another note" },
  });
  const { notes } = (await client.get(`/participants/${id}/export`)).body;
  assert.deepEqual(
    notes.map(({ note }: { note: string }) => note),
    ["Speaks of zeppelins"],
  );
  const page = await new Visitor(service.url).get(link.path);
  assert.equal(page.status, 200);
  assert.doesNotMatch(page.text, /zeppelins/);
  assert.equal((await client.delete(`/participants/${id}`)).status, 200);
  assert.deepEqual(await notesOf(another), ["Knows [erased] well"]);
  assert.deepEqual(findBytes(service.config.dataDir, ["zeppelins", "octavia.unusual"]), []);
  service.context.workspaces.read(client.workspaceId, assertCounts);
});

test("a participant whom an import made goes with the notes when that is undone", async () => {
  const screener = await client.screener();
  const person = { externalUid: "N-1", email: "n1@example.org", name: "N" };
  const imported = await client.import(screener, [person]);
  const [row] = imported.body;
  await write(row.participantId, "Made by mistake");
  const undone = await client.post(`${imported.headers.get("location")}/undo`, {});
  assert.equal(undone.body.summary.reverted, 1, undone.text);
  assert.deepEqual(await notesOf(row.participantId), []);
  service.context.workspaces.read(client.workspaceId, assertCounts);
});

test("in the console researchers write and delete notes, and viewers read them", async () => {
  const browser = await signedIn(service, client.workspaceId, "researcher", "notes@example.org");
  const viewer = await signedIn(service, client.workspaceId, "viewer", "reads@example.org");
  const { link } = await invited(client);
  const id = await personOf(link.assignment);
  const path = `/console/people/${id}`;
  assert.match((await browser.get(path)).text, /Nobody has written a note/);
  const empty = await browser.post(`${path}/notes`, { note: " ", key: "" });
  assert.equal(empty.status, 422);
  assert.match(empty.text, /href="#note"[^>]*>[^<]*A note[^<]*is required/);
  assert.equal((await viewer.post(`${path}/notes`, { note: "x" })).status, 403);
  assert.equal((await browser.post(`${path}/notes`, { note: "<b>Late</b> & kind", key: "one" })).status, 303);
  assert.equal((await browser.post(`${path}/notes`, { note: "<b>Late</b> & kind", key: "one" })).status, 303);
  assert.deepEqual(await notesOf(id), ["<b>Late</b> & kind"]);
  assert.match((await viewer.get(path)).text, /&lt;b>Late&lt;\/b> &amp; kind.*The researcher/s);
  assert.doesNotMatch((await viewer.get(path)).text, /Write it down/);
  const [note] = await client.all(`/participant-notes?filter[participantId][eq]=${id}`);
  const elsewhere = await personOf((await invited(client)).link.assignment);
  assert.equal((await browser.post(`/console/people/${elsewhere}/notes/${note!.id}/deletion`, {})).status, 404);
  assert.equal((await browser.post(`${path}/notes/${note!.id}/deletion`, {})).status, 303);
  assert.deepEqual(await notesOf(id), []);
});
