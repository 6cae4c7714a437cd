// Many publish one screener at the same time.

import assert from "node:assert/strict";
import { test } from "node:test";
import { sharedService } from "../support/service.ts";

interface Publication {
  id: string;
  version: number;
  status: string;
}

const service = await sharedService();

test("40 who publish one screener at once get versions 1 to 40, and only the newest is active", async () => {
  const { client, screenerId } = await service.screener();
  const answers = await Promise.all(
    Array.from({ length: 40 }, () => client.post("/screener-publications", { screenerId })),
  );
  assert.deepEqual(new Set(answers.map(({ status }) => status)), new Set([201]));
  const numbers = Array.from({ length: 40 }, (_, index) => index + 1);
  const versions = answers.map(({ body }) => body.version).sort((one, other) => one - other);
  assert.deepEqual(versions, numbers);

  const list = (await client.get(`/screeners/${screenerId}/publications`)).body;
  assert.equal(list.total, 40);
  const items: Publication[] = list.items;
  assert.deepEqual(
    items.map(({ version }) => version),
    numbers.toReversed(),
  );
  assert.deepEqual(
    items.filter(({ status }) => status === "ACTIVE").map(({ version }) => version),
    [40],
  );
  const screener = (await client.get(`/screeners/${screenerId}`)).body;
  assert.equal(screener.activePublicationId, items[0]?.id);
});
