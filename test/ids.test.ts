// Ids sort in the order in which they were made.

import assert from "node:assert/strict";
import { test } from "node:test";
import { idAfter, newId } from "../src/base/ids.ts";
import { UUID_V7 } from "./support/client.ts";

test("ids of one process sort in the order in which they were made, within a millisecond, too", () => {
  const ids = Array.from({ length: 50_000 }, () => newId());
  const within = new Map(ids.map((id) => [id.slice(0, 13), 0]));
  assert.ok(within.size < ids.length / 5, "many were made in the same millisecond");
  for (const id of ids) assert.match(id, UUID_V7);
  assert.deepEqual(ids, ids.toSorted());
  assert.equal(new Set(ids).size, ids.length);
});

test("an id sorts after another of any time, whatever its bits are", () => {
  for (const other of [
    "",
    newId(),
    "ffff0000-0000-7000-8000-000000000000",
    "ffff0000-0000-7000-bfff-ffffffffffff",
    "fffe0000-ffff-7fff-bfff-ffffffffffff",
    "fffeffff-ffff-7fff-bfff-ffffffffffff",
  ]) {
    const id = idAfter(other);
    assert.match(id, UUID_V7);
    assert.ok(id > other, `${id} ${other}`);
  }
  assert.equal(idAfter("fffe0000-ffff-7fff-bfff-ffffffffffff").slice(0, 20), "fffe0001-0000-7000-8");
});
