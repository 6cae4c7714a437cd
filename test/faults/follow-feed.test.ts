// A reader follows the feed during thousands of mixed writes by several processes. All of them, and the reader, are killed and
// started again. The reader has seen each event once, in order, and its copy is what the lists show.

import assert from "node:assert/strict";
import { join } from "node:path";
import { test } from "node:test";
import { isDeepStrictEqual } from "node:util";
import fc from "fast-check";
import type { Client } from "../support/client.ts";
import { assertCounts } from "../support/counts.ts";
import { newFolder } from "../support/folder.ts";
import { Mirror } from "../support/mirror.ts";
import { install, ownRedis, type ServiceProcess, type WebProcess } from "../support/process.ts";
import { KILLS } from "../support/seeded.ts";
import { until } from "../support/until.ts";

/** After so many events something is killed. */
const KILL_EVERY = 400;
const EVENTS = KILLS * KILL_EVERY;
const WRITERS = 8;
/** On a slow machine fewer have to do. */
const MAX_MS = 200_000;
/** A reader that starts anew downloads these: participants, assignments and sessions. */
const COPIED_LISTS = 3;
const MIN_EVENTS = Math.min(EVENTS, 3000);

const random = fc.sample(fc.nat(1_000_000), { numRuns: 50_000, seed: 20_260_124 });
let drawn = 0;
const below = (end: number) => random[drawn++ % random.length]! % end;
const one = <T>(list: readonly T[]): T | undefined => list[below(list.length)];

test("a reader that follows writes of several processes, all of them killed at random, has the lists' copy", {
  timeout: MAX_MS + 90_000,
}, async () => {
  const redis = ownRedis();
  await redis.start();
  const installation = install({ REDIS_URL: redis.url });
  const workspace = installation.workspace();
  const webs: WebProcess[] = await Promise.all([installation.web(), installation.web()]);
  const workers: ServiceProcess[] = await Promise.all([installation.worker(), installation.worker()]);
  const clientOf = (index: number) => workspace.client(webs[index % webs.length]!);
  const mirror = new Mirror();
  const screeners = [await published(clientOf(0)), await published(clientOf(1))];
  mirror.start(clientOf(0), "--from-start");

  const logged = () => installation.stored<number>(workspace, "SELECT max(id) FROM event")[0]!;
  const started = performance.now();
  let isOver = false;
  let failures = 0;
  const done: Record<string, number> = {};
  /** By chance a rare one comes so late that a slow machine has ended before: the first writer begins with what has not succeeded yet. */
  const writesOf = (number: number) => {
    const missing = number === 0 ? WRITES.filter(([name]) => !done[name]) : [];
    return missing.length ? missing : number < 2 ? WRITES : SMALL;
  };
  const writer = async (number: number) => {
    while (!isOver) {
      // Jobs of a workspace run one after the other. Some writers do not wait for them.
      const [name, write] = one(writesOf(number))!;
      try {
        const { status } = await write(clientOf(number + below(2)), screeners);
        if (status < 300) done[name] = (done[name] ?? 0) + 1;
        if (status >= 500) failures++;
      } catch {
        // The process was killed. Who asks without a pause takes the processor from the one that starts.
        failures++;
        await new Promise((resolve) => setTimeout(resolve, 20));
      }
    }
  };
  const writers = Array.from({ length: WRITERS }, (_, number) => writer(number));
  let kills = 0;
  for (let next = KILL_EVERY; logged() < EVENTS && performance.now() - started < MAX_MS; ) {
    await new Promise((resolve) => setTimeout(resolve, 200));
    if (logged() < next) continue;
    next += KILL_EVERY;
    kills++;
    const what = below(5);
    if (what < 1) {
      await mirror.kill();
      mirror.start(clientOf(below(2)), "--from-start");
    } else if (what < 3) {
      const index = below(2);
      await webs[index]!.kill();
      webs[index] = await installation.web();
      await mirror.kill();
      mirror.start(clientOf(index + below(2)), "--from-start");
    } else {
      const index = below(2);
      await workers[index]!.kill();
      workers[index] = await installation.worker();
    }
  }
  isOver = true;
  await Promise.all(writers);
  await installation.drain(120_000);
  const client = clientOf(0);
  await mirror.caughtUp(client, 120_000);
  console.log(JSON.stringify({ events: logged(), kills, failures, done, ms: performance.now() - started }));
  assert.ok(logged() >= MIN_EVENTS);
  if (EVENTS > MIN_EVENTS) for (const [name] of WRITES) assert.ok(done[name], `${name} never succeeded`);
  // What the reader has downloaded at its last start comes into the log some time later.
  await until(async () => {
    const listed = (await client.all("/events")).map(({ id }) => id);
    return new Set(listed).size === logged() && isDeepStrictEqual(mirror.events(), listed);
  }, "the reader has each event of the log once, in order");
  await mirror.assertSame(client);
  installation.read(workspace, assertCounts);
});

test("after a backup was restored, a cursor that it does not have is gone, and an earlier one goes on", async () => {
  const [source, folder] = [install(), join(newFolder(), "backup")];
  const workspace = source.workspace();
  const web = await source.web();
  const client = workspace.client(web);
  const write = async (name: string) => {
    const { status, text } = await client.post("/participants", { externalUid: name, email: `${name}@x.org`, name });
    assert.equal(status, 201, text);
  };
  const total = async (type: string) =>
    (await client.get(`/events?filter[type][eq]=${type}&pagination[limit]=1`)).body.total;
  const cursorOf = async () => (await client.get("/events/feed?limit=500")).body.cursor;
  await write("P-1");
  const early = await cursorOf();
  const mirror = new Mirror();
  mirror.start(client);
  // They are in the backup: what was downloaded comes into the log some time later.
  await until(async () => (await total("data.exported")) === COPIED_LISTS, "the downloads are in the log");
  await write("P-2");
  assert.equal((await source.cli("backup", folder)).code, 0);
  await write("P-3");
  const lost = await cursorOf();
  const { items: before, logId } = (await client.get("/events/feed?limit=500")).body;
  await mirror.caughtUp(client);
  await mirror.kill();
  await source.stop();

  const restored = install({}, newFolder());
  const { code, stdout, stderr } = await restored.cli("restore", folder);
  assert.equal(code, 0, stdout + stderr);
  const again = workspace.client(await restored.web());
  // The rowid of the lost one is another's now.
  await again.post("/participants", { externalUid: "P-4", email: "p4@x.org", name: "P-4" });
  const { status, body } = await again.get(`/events/feed?after=${lost}`);
  assert.deepEqual([status, body.code], [410, "event_gone"]);
  const { items } = (await again.get(`/events/feed?after=${early}`)).body;
  const last = items.filter(({ type }: { type: string }) => type === "participant.created").at(-1);
  assert.equal(last.changes.find(({ field }: { field: string }) => field === "externalUid").to, "P-4");
  // Numbers that were given before come again, in a log with another id.
  const { items: all, logId: another } = (await again.get("/events/feed?limit=500")).body;
  assert.notEqual(another, logId);
  assert.ok(
    all.every(
      (one: { logId: string; sequence: number }, index: number) => one.logId === another && one.sequence === index + 1,
    ),
  );
  const numbers = (items: { sequence: number; type: string }[]) =>
    items.map(({ sequence, type }) => `${sequence} ${type}`);
  assert.deepEqual(numbers(all), numbers(before));
  mirror.start(again);
  await mirror.caughtUp(again);
  await mirror.assertSame(again);
  // A store that was put back by hand, and is accepted, is another log, too.
  assert.equal((await restored.cli("workspace", "accept-store", "--workspace", workspace.id)).code, 0);
  assert.notEqual((await again.get("/events/feed")).body.logId, another);
});

const TITLE = "A study";

async function published(client: Client): Promise<string> {
  const id = await client.screener(TITLE);
  await client.post("/screener-publications", { screenerId: id });
  return id;
}

type Write = (client: Client, screeners: string[]) => Promise<{ status: number; body?: { id?: string } }>;

const uid = () => `P-${below(400)}`;
const email = () => `e${below(600)}@example.org`;
const rows = (count: number) =>
  [...new Set(Array.from({ length: count }, uid))].map((externalUid) => ({
    externalUid,
    // Each has an email of its own, so that few imports are refused.
    email: `${externalUid}-${below(3)}@example.org`,
    name: `Name ${below(50)}`,
    ...(below(3) ? {} : { attributes: { n: below(9) } }),
  }));

/** Items of lists that were read a moment ago, so that most writes are one request. Some are gone by now. */
const known = new Map<string, { items: { id: string }[]; uses: number }>();

/** One item of a list. */
async function some(client: Client, path: string): Promise<{ id: string } | undefined> {
  const found = known.get(path);
  if (found?.items.length && found.uses-- > 0) return one(found.items);
  const { total } = (await client.get(`${path}?pagination[limit]=1`)).body;
  const page = `${path}?pagination[limit]=100&pagination[offset]=${below(Math.max(total - 99, 1))}`;
  const { items } = (await client.get(page)).body;
  known.set(path, { items, uses: 60 });
  return one(items);
}

const NONE = { status: 404 };

const create: Write = (client) => client.post("/participants", { externalUid: uid(), email: email(), name: "New" });
const change: Write = async (client) => {
  const found = await some(client, "/participants");
  return found
    ? client.patch(`/participants/${found.id}`, { name: `Name ${below(1000)}`, attributes: { k: below(5) } })
    : NONE;
};
const answer: Write = async (client) => {
  const found = await some(client, "/screener-sessions");
  return found
    ? client.post(`/screener-sessions/${found.id}/responses`, { responses: [], complete: below(4) === 0 })
    : NONE;
};
const open: Write = async (client) => {
  const found = await some(client, "/screener-participants");
  return found ? client.open(found.id) : NONE;
};

const imported =
  (importMode: string, more: object = {}): Write =>
  async (client, screeners) => {
    const participants = rows(importMode === "FULL_SYNC" ? 120 : 1 + below(30));
    const answered = await client.import(one(screeners)!, participants, { importMode, ...more });
    if (!("dryRun" in more) || answered.status >= 300) return answered;
    return client.post(`/jobs/${answered.body.id}/apply`, undefined);
  };

/** Writes, each as often as it is here. */
const WRITES: [string, Write][] = [
  ...Array.from({ length: 8 }, (): [string, Write] => ["create", create]),
  ...Array.from({ length: 24 }, (): [string, Write] => ["change", change]),
  ...Array.from({ length: 24 }, (): [string, Write] => ["answer", answer]),
  ...Array.from({ length: 12 }, (): [string, Write] => ["open", open]),
  ["import", imported("UPDATES_ONLY")],
  ["import", imported("UPDATES_ONLY")],
  ["sync", imported("FULL_SYNC")],
  ["plan and apply", imported("UPDATES_ONLY", { dryRun: true })],
  [
    "undo",
    async (client) => {
      const kinds =
        "filter[status][eq]=SUCCEEDED&filter[kind][in][]=SCREENER_PARTICIPANTS_IMPORT&filter[kind][in][]=SCREENER_PARTICIPANTS_IMPORT_UNDO&filter[kind][in][]=SCREENER_SESSIONS_MOVE";
      const { body } = await client.get(`/jobs?sort=-createdAt&pagination[limit]=3&${kinds}`);
      const job = one<{ id: string }>(body.items);
      return job ? client.post(`/jobs/${job.id}/undo`, undefined) : NONE;
    },
  ],
  ["open all", (client, screeners) => client.post("/screener-sessions", { screenerId: one(screeners) })],
  [
    "publish and move",
    async (client, screeners) => {
      const screenerId = one(screeners);
      await client.post("/screener-publications", { screenerId });
      return client.post("/screener-sessions-move", { screenerId });
    },
  ],
  [
    "remove",
    async (client) => {
      const found = await some(client, "/screener-participants");
      return found ? client.delete(`/screener-participants/${found.id}`) : NONE;
    },
  ],
  [
    "remove a session",
    async (client) => {
      const found = await some(client, "/screener-sessions");
      return found ? client.delete(`/screener-sessions/${found.id}`) : NONE;
    },
  ],
  [
    "erase",
    async (client) => {
      const found = await some(client, "/participants");
      return found && below(4) === 0 ? client.delete(`/participants/${found.id}`) : NONE;
    },
  ],
  [
    "delete a screener",
    async (client, screeners) => {
      if (below(6)) return NONE;
      const fresh = await published(client);
      const index = below(screeners.length);
      const [gone] = screeners.splice(index, 1, fresh);
      return client.delete(`/screeners/${gone}?confirm=${encodeURIComponent(TITLE)}`);
    },
  ],
];

const SMALL = WRITES.filter(([name]) => ["create", "change", "answer", "open", "remove a session"].includes(name));
