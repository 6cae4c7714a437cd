// How long the pages of a version are usually open is counted while sessions end: of the many that come later, a part, which says the same.

import assert from "node:assert/strict";
import { test } from "node:test";
import { countPageTimes } from "../../src/signals/page-times.ts";
import { seeded } from "../support/seeded.ts";
import { startService } from "../support/service.ts";
import { writeTo } from "../support/store.ts";
import { everyKind, publish } from "../support/study.ts";

const service = await startService();
const client = service.workspace();
const random = seeded("page times");

/** Sessions of a version end one after the other. @param step between their ids @returns the medians that each was compared with, and what is counted of each page */
async function ended(count: number, timesOf: (id: number) => Map<number, number>, step = 1) {
  const { publication } = await publish(client, everyKind);
  return writeTo(service.context.workspaces, client.workspaceId, (db) => {
    const version = db.value<number>("SELECT id FROM screener_publication WHERE uid = ?", publication)!;
    const medians = Array.from({ length: count }, (_, at) =>
      countPageTimes(db, { id: 1 + at * step, screener_publication_id: version }, timesOf(at + 1)),
    );
    const bytes = db.value<Buffer>("SELECT counts FROM page_times WHERE screener_publication_id = ?", version)!;
    const counts = [...new Uint32Array(new Uint8Array(bytes).buffer)];
    const pages = Array.from({ length: counts.length / 64 }, (_, page) => counts.slice(page * 64, (page + 1) * 64));
    return { medians, counted: pages.map((steps) => steps.reduce((sum, one) => sum + one, 0)) };
  });
}

test("all sessions are counted until they are many, then one in four; medians come from 20 on, and are those of the times", async () => {
  const { medians, counted } = await ended(1256, () => new Map([[0, 10_000 * 2 ** (2 * random() - 1)]]));
  assert.deepEqual(
    medians.findIndex(([page]) => page !== undefined),
    20,
  );
  assert.ok(Math.abs(counted[0]! - 256 - 250) <= 10, `${counted}`);
  for (const at of [300, 700, 1255]) {
    const [median] = medians[at]!;
    assert.ok(median! > 8500 && median! < 11_800, `${at}: ${median}`);
  }
});

test("one in four is counted of a study whose sessions have every second, fourth or hundredth id, too", async () => {
  for (const step of [2, 4, 8, 100]) {
    const { counted } = await ended(1256, () => new Map([[0, 10_000]]), step);
    assert.ok(Math.abs(counted[0]! - 256 - 250) <= 25, `${step}: ${counted}`);
  }
});

test("a page to which few come is counted for each of them, however many have seen the others", async () => {
  const { medians, counted } = await ended(
    600,
    (id) => new Map([[0, 10_000], ...(id % 10 === 1 ? [[2, 60_000] as const] : [])]),
  );
  assert.equal(counted[2], 60);
  assert.equal(counted[1], 0);
  const [, , rare] = medians.at(-1)!;
  assert.ok(rare! > 50_000 && rare! < 70_000, `${rare}`);
});

test("a session of which no times are known counts nowhere, and has the medians of the others", async () => {
  const { medians, counted } = await ended(60, (id) => new Map(id > 30 ? [] : [[0, 10_000]]));
  assert.deepEqual(counted, [30]);
  assert.ok(medians.at(-1)![0]! > 8500);
});
