// POST /screener-publications/{id}/restore: a former version's content comes back into the draft.

import assert from "node:assert/strict";
import { test } from "node:test";
import { UNKNOWN } from "../support/client.ts";
import { sharedService } from "../support/service.ts";
import { everyKind } from "../support/study.ts";

const service = await sharedService();

/** A study whose draft has changed since its version 1. */
async function changed() {
  const client = service.workspace();
  const screenerId = await client.screener();
  const put = (body: unknown) => client.call("PUT", `/screeners/${screenerId}/content`, { body });
  const { body: draft } = await put(everyKind);
  const { body: publication } = await client.post("/screener-publications", { screenerId });
  const now = await put({ pages: draft.pages.slice(0, 1), thankYou: "Bye" });
  assert.equal(now.status, 200, now.text);
  const path = `/screener-publications/${publication.id}/restore`;
  return { client, screenerId, draft, publication, path, etag: now.headers.get("etag")! };
}

test("a version's content replaces the draft, with the ids of all pages, questions and options", async () => {
  const { client, screenerId, draft, publication, path } = await changed();
  const { status, body, headers } = await client.post(path, undefined);
  assert.deepEqual([status, body], [200, draft]);
  const read = await client.get(`/screeners/${screenerId}/content`);
  assert.deepEqual([read.body, read.headers.get("etag")], [draft, headers.get("etag")]);
  const event = (await client.all("/events")).at(-1)!;
  assert.deepEqual(
    [event.type, event.resource.id, event.changes, event.summary],
    [
      "screener.updated",
      screenerId,
      [{ field: "content.revision", from: 2, to: 3 }],
      { screenerPublicationId: publication.id, version: 1 },
    ],
  );
  // Nothing is published, and the same again changes nothing.
  assert.equal((await client.get(`/screeners/${screenerId}/publications`)).body.total, 1);
  const again = await client.post(path, {});
  assert.equal(again.headers.get("etag"), headers.get("etag"));
  assert.equal((await client.all("/events")).at(-1)!.id, event.id);
  const published = await client.post("/screener-publications", { screenerId });
  const { pages } = (await client.get(`/screener-publications/${published.body.id}/content`)).body;
  assert.deepEqual(pages, draft.pages);
});

test("with If-Match nobody's draft is overwritten unseen", async () => {
  const { client, screenerId, draft, path, etag } = await changed();
  const before = (await client.get(`/screeners/${screenerId}/content`)).body;
  const stale = await client.post(path, {}, { "If-Match": '"1"' });
  assert.deepEqual([stale.status, stale.body.code], [412, "precondition_failed"]);
  assert.deepEqual((await client.get(`/screeners/${screenerId}/content`)).body, before);
  const key = { "Idempotency-Key": "restore", "If-Match": etag };
  assert.equal((await client.post(path, {}, key)).status, 200);
  const again = await client.post(path, {}, key);
  assert.deepEqual(
    [
      again.status,
      again.body,
      again.headers.get("etag")!.replace("-gzip", ""),
      again.headers.get("idempotency-replayed"),
    ],
    [200, draft, '"3"', "true"],
  );
});

test("only a publication of the workspace is restored", async () => {
  const { client, path } = await changed();
  for (const [caller, at] of [
    [client, `/screener-publications/${UNKNOWN}/restore`],
    [service.workspace(), path],
  ] as const) {
    const { status, body } = await caller.post(at, {});
    assert.deepEqual([status, body.code], [404, "screener_publication_not_found"]);
  }
  assert.equal((await client.post(path, { version: 1 })).status, 400);
});
