// POST /screener-participants-import

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { people } from "../support/client.ts";
import { type Service, startService } from "../support/service.ts";

let service: Service;
before(async () => {
  service = await startService();
});
after(() => service.close());

test("an import answers with one screener participant a row, in the payload's order", async () => {
  const client = service.workspace();
  const screenerId = await client.screener();
  const { status, body } = await client.import(screenerId, people(3).reverse());
  assert.equal(status, 200);
  assert.deepEqual(
    body.map((row: { externalParticipantUid: string }) => row.externalParticipantUid),
    ["P-2", "P-1", "P-0"],
  );
  assert.equal(body[0]._type, "ScreenerParticipant");
  assert.equal(body[0].screenerId, screenerId);
});

test("FULL_SYNC removes who is absent, and UPDATES_ONLY nobody", async () => {
  const client = service.workspace();
  const screenerId = await client.screener();
  await client.import(screenerId, people(3));
  await client.import(screenerId, people(1, 5));
  assert.equal((await client.get(`/screener-participants?filter[screenerId][eq]=${screenerId}`)).body.total, 4);
  await client.import(screenerId, people(2, 1), { importMode: "FULL_SYNC" });
  const { body } = await client.get("/screener-participants");
  assert.deepEqual(
    body.items.map((row: { externalParticipantUid: string }) => row.externalParticipantUid),
    ["P-1", "P-2"],
  );
  assert.equal((await client.get("/participants")).body.total, 4);
});
