// The log of events: what each write leaves there, as a list and as a feed.

import assert from "node:assert/strict";
import { test } from "node:test";
import { sharedService } from "../support/service.ts";

const service = await sharedService();

test("a write leaves an event, with who, what and from what", async () => {
  const client = service.workspace();
  const created = await client.post("/participants", { externalUid: "P-1", email: "ada@example.org", name: "Ada" });
  assert.equal(created.status, 201);
  const { id, createdAt, createdBy } = created.body;
  const changed = await client.call("PATCH", `/participants/${id}`, {
    body: { name: "Ada King" },
    // Headers are bytes; fetch takes each for a character.
    headers: { "X-Action-Note": Buffer.from("Heirat – läuft").toString("latin1") },
  });
  assert.equal(changed.status, 200);
  assert.equal((await client.patch(`/participants/${id}`, { name: "Ada King" })).status, 200);
  const { body } = await client.get("/events");
  assert.equal(body.total, 2);
  const [first, second] = body.items;
  assert.equal(first.type, "participant.created");
  assert.equal(first.createdAt, createdAt);
  assert.deepEqual(first.actor, createdBy);
  assert.deepEqual(first.resource, { _type: "Participant", id });
  assert.deepEqual(
    first.changes.map(({ field, to }: { field: string; to: unknown }) => [field, to]),
    [
      ["externalUid", "P-1"],
      ["email", "ada@example.org"],
      ["name", "Ada"],
    ],
  );
  assert.deepEqual(second.changes, [{ field: "name", from: "Ada", to: "Ada King" }]);
  assert.equal(second.note, "Heirat – läuft");
  assert.equal(second.createdAt, changed.body.updatedAt);
});
