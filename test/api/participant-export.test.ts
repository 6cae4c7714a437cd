// The export of everything about one person, for a person who wants to know what is kept.

import assert from "node:assert/strict";
import { test } from "node:test";
import { UNKNOWN } from "../support/client.ts";
import { sharedService } from "../support/service.ts";
import { populate } from "../support/world.ts";

const service = await sharedService();

test("an export has all about one person, as the API shows it, and nothing about others", async () => {
  const { client, screener, participant, externalUid, assignment, session, email } = await populate(
    service,
    "Exported",
  );
  const renamed = await client.import(screener, [{ externalUid, name: "New name", attributes: { town: "Ulm" } }]);
  const removed = await client.import(screener, [], { importMode: "FULL_SYNC" });
  const undone = await client.post(`${removed.headers.get("location")}/undo`, {});
  const { status, body } = await client.get(`/participants/${participant}/export`);
  assert.equal(status, 200);
  assert.equal(body._type, "ParticipantExport");
  assert.deepEqual(body.participant, (await client.get(`/participants/${participant}`)).body);
  assert.deepEqual(body.screenerParticipants, [(await client.get(`/screener-participants/${assignment}`)).body]);
  assert.deepEqual(body.sessions, [(await client.get(`/screener-sessions/${session}`)).body]);
  assert.deepEqual(body.responses, await client.all("/screener-responses"));
  assert.equal(body.responses.length, 4);
  const did = body.imports.map(({ did, formerValues }: { did: string[]; formerValues: object }) => [did, formerValues]);
  assert.deepEqual(did, [
    [["CREATED", "ASSIGNED"], null],
    [["UPDATED"], { name: "Exported One", attributes: {} }],
    [["REMOVED"], null],
    [["ASSIGNED"], null],
  ]);
  assert.deepEqual(
    body.imports.slice(1).map(({ jobId }: { jobId: string }) => `/jobs/${jobId}`),
    [renamed, removed, undone].map(({ headers }) => headers.get("location")),
  );
  assert.ok(!JSON.stringify(body).includes("Exported Two"));
  assert.ok(JSON.stringify(body).includes(email));
});

test("a participant of whom little is known has a short export, and an unknown one has none", async () => {
  const client = service.workspace();
  const { body: made } = await client.post("/participants", { externalUid: "1", email: "a@b.example", name: "A" });
  const { body } = await client.get(`/participants/${made.id.toUpperCase()}/export`);
  const { exportedAt, ...rest } = body;
  assert.match(exportedAt, /Z$/);
  const lists = ["screenerParticipants", "sessions", "responses", "pageTimes", "imports", "requests", "notes"];
  const empty = Object.fromEntries(
    [...lists, "unsubscriptions", "mailSuppressions", "messages"].map((name) => [name, []]),
  );
  assert.deepEqual(rest, { _type: "ParticipantExport", participant: made, ...empty });
  const unknown = await client.get(`/participants/${UNKNOWN}/export`);
  assert.deepEqual([unknown.status, unknown.body.code], [404, "participant_not_found"]);
});
