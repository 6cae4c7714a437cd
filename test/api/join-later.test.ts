// What somebody sends to an open link is looked at first, and joined later: a moment in which the workspace's store may be closed.

import assert from "node:assert/strict";
import { test } from "node:test";
import { Workspaces } from "../../db/workspaces.ts";
import { NO_ATTRIBUTES } from "../../src/base/attributes.ts";
import { Parsed } from "../../src/base/parsed.ts";
import { findPublicationById } from "../../src/nouns/publications/queries.ts";
import { answeringAtFirst, stillAnswering } from "../../src/screening/answering.ts";
import { sharedService } from "../support/service.ts";
import { everyKind, publish } from "../support/study.ts";

const service = await sharedService();

test("who has sent a page joins, also if the store was closed and opened again since it was looked at", async () => {
  const [client, other] = [service.workspace(), service.workspace()];
  await publish(client, everyKind);
  const stores = new Workspaces(service.config.dataDir, {
    ...{ busyTimeoutMs: 0, checkpoints: false, onStale: "migrate" },
    keptStores: 1,
  });
  const published = new Parsed();
  const before = stores.read(client.workspaceId, (db) =>
    answeringAtFirst(db, published, findPublicationById(db, 1)!, NO_ATTRIBUTES, "seed"),
  );
  stores.read(other.workspaceId, () => {});
  stores.read(client.workspaceId, (db) => {
    const still = stillAnswering(db, published, before.publication, before)!;
    assert.equal(still.questionIds().length, before.questions.length);
    assert.match(still.content.today(), /^\d{4}-\d\d-\d\d$/);
    assert.deepEqual(still.questions, before.questions);
  });
  assert.throws(() => before.content.today(), /not open/);
  stores.close();
});
