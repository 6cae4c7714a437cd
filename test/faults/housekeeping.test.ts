// Files and rows that have expired are removed, and nothing that is still needed.

import assert from "node:assert/strict";
import { existsSync, mkdirSync, readdirSync, renameSync, rmSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { openControl } from "../../db/control.ts";
import { immediate } from "../../db/sqlite/write.ts";
import { Workspaces } from "../../db/workspaces.ts";
import { newId } from "../../src/base/ids.ts";
import type { Stores } from "../../src/engine/threads/side-task.ts";
import { migrateAll, moveEvents, tidy } from "../../src/upkeep/housekeeping.ts";
import { ASYNC, type Client, people } from "../support/client.ts";
import { assertCounts } from "../support/counts.ts";
import { type Service, startService } from "../support/service.ts";
import { storesOf } from "../support/store.ts";
import { until } from "../support/until.ts";

const DAY_MS = 24 * 3_600_000;
const HOUR_MS = 3_600_000;
/** So many that the answer is a file of its own. */
const MANY = 500;

test("the body of an import is removed when its job ends, however it ends", () =>
  withService(async ({ service, client, screenerId }) => {
    assert.equal((await client.import(screenerId, people(MANY))).status, 200);
    assert.equal((await client.import(screenerId, [{ externalUid: "X" }])).status, 400);
    // The client is answered as soon as the ledger knows how it ended.
    await until(() => !files(service, "spool").length, "the bodies are gone");
    assert.equal(files(service, "results").length, 1, "of the one that succeeded");
  }));

test("the body of an import that was cancelled while it waited is removed", () =>
  withService(
    async ({ service, store, client, screenerId }) => {
      const { body } = await client.import(screenerId, people(2000), {}, ASYNC);
      assert.deepEqual(files(service, "spool"), [body.id]);
      assert.equal((await client.delete(`/jobs/${body.id}`)).status, 200);
      tidy(store);
      assert.deepEqual(files(service, "spool"), []);
    },
    { taken: false },
  ));

test("a file of Excel that a killed process has left is removed after a day, and nothing else of that folder", () =>
  withService(async ({ service, store }) => {
    const [workbook, other] = ["left.xlsx", "other"];
    for (const name of [workbook, other]) writeFileSync(join(service.config.dataDir, "tmp", name!), "");
    tidy(store, Date.now() + 23 * HOUR_MS);
    assert.deepEqual(files(service, "tmp").sort(), [workbook, other]);
    tidy(store, Date.now() + 25 * HOUR_MS);
    assert.deepEqual(files(service, "tmp"), [other]);
  }));

test("a result can be fetched for seven days, and is then answered with 410", () =>
  withService(async ({ service, store, client, screenerId }) => {
    await client.import(screenerId, people(3));
    await client.post("/screener-publications", { screenerId });
    const jobs: { id: string }[] = (await client.get("/jobs")).body.items;
    const results = () => Promise.all(jobs.map(({ id }) => client.get(`/jobs/${id}/result`)));
    const first = (await results()).map(({ text }) => text);

    tidy(store, Date.now() + 7 * DAY_MS - HOUR_MS);
    assert.deepEqual(
      (await results()).map(({ text }) => text),
      first,
    );
    tidy(store, Date.now() + 7 * DAY_MS + HOUR_MS);
    assert.deepEqual(
      (await results()).map(({ status, body }) => [status, body.code]),
      [
        [410, "job_result_gone"],
        [410, "job_result_gone"],
      ],
    );
    assert.deepEqual(files(service, "results"), []);
    assert.equal((await client.get("/jobs")).body.total, 2, "what they were and how they ended can still be read");
  }));

test("a job that ended a month ago is removed, with its outcome", () =>
  withService(async ({ service, store, client, screenerId }) => {
    await client.import(screenerId, people(3));
    await client.import(screenerId, [{ externalUid: "X" }]);
    const [job] = (await client.get("/jobs")).body.items;
    const outcomes = () =>
      service.context.workspaces.read(client.workspaceId, (db) => db.value("SELECT count(*) FROM job_outcome"));
    tidy(store, Date.now() + 29 * DAY_MS);
    assert.equal((await client.get(`/jobs/${job.id}`)).status, 200);
    assert.equal(outcomes(), 2);
    tidy(store, Date.now() + 31 * DAY_MS);
    assert.equal((await client.get(`/jobs/${job.id}`)).status, 404);
    assert.equal((await client.get("/jobs")).body.total, 0);
    assert.equal(outcomes(), 0);
    assert.equal((await client.get("/participants")).body.total, 3, "what it has made stays");
  }));

test("places of quotas that have lapsed are given back, however many, and no others", () =>
  withService(async ({ service, store, client, screenerId }) => {
    const pages = [{ questions: [{ _type: "ScreenerTextQuestion", prompt: "Anything?" }] }];
    const quotas = [{ name: "Everybody", when: null, limit: 5000 }];
    const { body } = await client.call("PUT", `/screeners/${screenerId}/content`, { body: { pages, quotas } });
    await client.post("/screener-publications", { screenerId });
    const [{ id: assignment }] = (await client.import(screenerId, people(1))).body;
    const session = (await client.open(assignment)).body.id;
    const responses = [{ screenerQuestionId: body.pages[0].questions[0].id, answer: "No" }];
    assert.equal((await client.post(`/screener-sessions/${session}/responses`, { responses })).status, 200);
    // As if others had held places, too, for longer than they may.
    service.context.workspaces.write(client.workspaceId, (db) =>
      db.run(
        `WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 2500)
         INSERT INTO quota_place (uid, quota_id, participant_id, session_id, state, created_at, expires_at)
         SELECT hex(randomblob(16)), quota_id, -i, session_id, 'HELD', created_at, i FROM quota_place CROSS JOIN n`,
      ),
    );
    const stored = () =>
      service.context.workspaces.read(client.workspaceId, (db) =>
        db.all(
          "SELECT state, reason, count(*) AS n, (SELECT held FROM screener_quota) AS held FROM quota_place GROUP BY 1, 2",
        ),
      );
    tidy(store);
    assert.deepEqual(stored(), [
      { state: "HELD", reason: null, n: 1, held: 1 },
      { state: "RELEASED", reason: "LAPSED", n: 2500, held: 1 },
    ]);
  }));

test("the files of a job that still waits stay, however long it has waited", () =>
  withService(
    async ({ service, store, client, screenerId }) => {
      const { body: job } = await client.import(screenerId, people(3), {}, ASYNC);
      tidy(store, Date.now() + 1000 * DAY_MS);
      const end = (await service.context.pool.run(job.id))?.status;
      assert.equal(end, "SUCCEEDED");
      assert.equal((await client.get(`/jobs/${job.id}/result`)).body.length, 3);
    },
    { taken: false },
  ));

test("the files of a job that is running stay", () =>
  withService(async ({ store, client, screenerId }) => {
    const { body: job } = await client.import(screenerId, people(30_000), {}, ASYNC);
    let rounds = 0;
    const ended = await until(async () => {
      tidy(store);
      rounds++;
      const { body } = await client.get(`/jobs/${job.id}`);
      return body.finishedAt && body;
    }, "the import ends");
    assert.ok(rounds > 2, `tidied ${rounds} times meanwhile`);
    assert.equal(ended.status, "SUCCEEDED");
    assert.equal((await client.get(`/jobs/${job.id}/result`)).body.length, 30_000);
  }));

test("a file without a job is removed after a day, because a request may still be sending it", () =>
  withService(async ({ service, store, client, screenerId }) => {
    await client.import(screenerId, people(MANY));
    for (const folder of ["spool", "results"])
      writeFileSync(join(service.config.dataDir, folder, newId()), "left over");
    tidy(store);
    assert.equal(files(service, "spool").length, 1);
    assert.equal(files(service, "results").length, 2);
    tidy(store, Date.now() + DAY_MS + HOUR_MS);
    assert.equal(files(service, "spool").length, 0);
    assert.equal(files(service, "results").length, 1, "the result of a job of yesterday");
  }));

test("what is kept to undo an import is removed after 30 days, a part at a time", () =>
  withService(async ({ store, client, screenerId }) => {
    const count = 12_000;
    const wait = { Prefer: "wait=60" };
    await client.import(screenerId, people(count), {}, wait);
    const renamed = people(count, 1).map((row) => ({ ...row, name: "Another" }));
    assert.equal((await client.import(screenerId, renamed, { importMode: "FULL_SYNC" }, wait)).status, 200);
    await client.import(screenerId, [], { importMode: "FULL_SYNC" }, wait);
    const jobs: { id: string }[] = await client.all("/jobs");
    const tables = ["effect", "effect_participant", "effect_assignment"];
    const kept = () =>
      store.workspaces.read(client.workspaceId, (db) =>
        tables.map((table) => db.value(`SELECT count(*) FROM ${table}`)),
      );
    assert.deepEqual(kept(), [3, count - 1, count + 1]);
    tidy(store, Date.now() + 29 * DAY_MS);
    assert.deepEqual(kept(), [3, count - 1, count + 1]);
    const planned = await client.post(`/jobs/${jobs[2]!.id}/undo`, { dryRun: true }, wait);
    assert.equal(planned.body.summary.reverted, count);
    const write = store.workspaces.write.bind(store.workspaces);
    let writes = 0;
    store.workspaces.write = (uid, change) => {
      writes++;
      return write(uid, change);
    };
    tidy(store, Date.now() + 31 * DAY_MS);
    assert.deepEqual(kept(), [0, 0, 0]);
    assert.ok(writes > (2 * count) / 5000, `the store was locked ${writes} times`);
  }));

test("events are kept for 400 days, and the last one for ever: the next goes on from it", () =>
  withService(async ({ store, client, screenerId }) => {
    for (let i = 0; i < 4; i++) await client.patch(`/screeners/${screenerId}`, { title: `Title ${i}` });
    const { items } = (await client.get("/events")).body;
    assert.equal(items.length, 5);
    tidy(store, Date.now() + 400 * DAY_MS - HOUR_MS);
    assert.deepEqual((await client.get("/events")).body.items, items);
    tidy(store, Date.now() + 400 * DAY_MS + HOUR_MS);
    assert.deepEqual((await client.get("/events")).body.items, items.slice(4));
    assert.equal((await client.get(`/events/feed?after=${items[0].id}`)).body.code, "event_gone");
    await client.patch(`/screeners/${screenerId}`, { title: "Later" });
    const { body } = await client.get(`/events/feed?after=${items[4].id}`);
    assert.equal(body.items[0].changes[0].to, "Later");
    store.workspaces.read(client.workspaceId, assertCounts);
  }));

test("a plan that expires, and one that a later import supersedes, end with an event of the service", () =>
  withService(async ({ store, client, screenerId }) => {
    const plan = async () => (await client.import(screenerId, people(2), { dryRun: true })).body.id;
    const superseded = await plan();
    await client.import(screenerId, people(3));
    const expired = await plan();
    tidy(store, Date.now() + 8 * DAY_MS);
    moveEvents.perform(store, undefined);
    const { items } = (await client.get("/events?filter[type][eq]=job.cancelled")).body;
    assert.deepEqual(
      items.map(({ jobId, actor, summary }: Record<string, Record<string, string>>) => [
        jobId,
        actor!._type,
        summary!.code,
      ]),
      [
        [superseded, "ServiceActor", "plan_superseded"],
        [expired, "ServiceActor", "plan_expired"],
      ],
    );
    moveEvents.perform(store, undefined);
    tidy(store, Date.now() + 8 * DAY_MS);
    assert.equal((await client.get("/events?filter[type][eq]=job.cancelled")).body.total, 2);
  }));

test("a workspace whose store is away does not keep events of others from their logs, nor lose its own", () =>
  withService(
    async ({ service, store, client, screenerId }) => {
      const others = service.workspace();
      const jobs = await Promise.all([
        client.import(screenerId, people(1), {}, ASYNC),
        others.import(await others.screener(), people(1), {}, ASYNC),
      ]);
      for (const [index, one] of [client, others].entries())
        assert.equal((await one.delete(`/jobs/${jobs[index]!.body.id}`)).status, 200);
      const path = store.workspaces.path(client.workspaceId);
      store.workspaces.close();
      renameSync(path, `${path}.away`);
      const fresh = { ...store, workspaces: new Workspaces(store.dataDir, PATIENT) };
      moveEvents.perform(fresh, undefined);
      const ended = "/events?filter[type][eq]=job.cancelled";
      assert.equal((await others.get(ended)).body.total, 1);
      renameSync(`${path}.away`, path);
      moveEvents.perform(fresh, undefined);
      fresh.workspaces.close();
      await until(async () => (await client.get(ended)).body.total === 1, "it is in the log");
    },
    { taken: false },
  ));

test("a store that is busy does not stop the others from being cleaned up", () =>
  withService(async ({ service, store, client, screenerId }) => {
    await client.import(screenerId, people(MANY));
    const busy = service.workspace();
    const impatient = { ...store, workspaces: new Workspaces(store.dataDir, { ...PATIENT, busyTimeoutMs: 0 }) };
    const holder = store.workspaces;
    holder.write(busy.workspaceId, () => tidy(impatient, Date.now() + 31 * DAY_MS));
    impatient.workspaces.close();
    assert.deepEqual(files(service, "results"), []);
    assert.equal((await client.get("/jobs")).body.total, 0);
  }));

test("a store without its file does not stop the others from being cleaned up, is named, and is not created anew", () =>
  withService(async ({ service, store, client, screenerId }) => {
    const lost = service.workspace().workspaceId;
    await client.import(screenerId, people(MANY));
    const path = store.workspaces.path(lost);
    for (const end of ["", "-wal", "-shm"]) rmSync(path + end, { force: true });
    assert.throws(() => migrateAll(store), new RegExp(`1 of \\d+ workspaces.*${lost}.*is missing`));
    assert.throws(() => tidy(store, Date.now() + 31 * DAY_MS), new RegExp(`${lost}.*is missing`));
    assert.ok(!existsSync(path));
    assert.deepEqual(files(service, "results"), []);
    assert.equal((await client.get("/jobs")).body.total, 0);
  }));

test("a folder among the files, or a file among the folders, does not stop the rest from being cleaned up", () =>
  withService(async ({ service, store, client, screenerId }) => {
    const { dataDir } = service.config;
    for (const folder of ["spool", "results", "tmp"])
      mkdirSync(join(dataDir, folder, "lost+found"), { recursive: true });
    mkdirSync(join(dataDir, "chosen"), { recursive: true });
    writeFileSync(join(dataDir, "chosen", "stray"), "");
    await client.import(screenerId, people(MANY));
    await until(() => files(service, "results").length === 2, "it has ended");
    tidy(store, Date.now() + 401 * DAY_MS);
    assert.deepEqual(files(service, "results"), ["lost+found"]);
    assert.deepEqual((await client.get("/events")).body.items.length, 1);
  }));

test("results that are kept in the ledger are removed after seven days, however many there are", () =>
  withService(async ({ store, client, screenerId }) => {
    await client.import(screenerId, people(3));
    const { writer } = store.control;
    const copies = `INSERT INTO job (uid, workspace_id, kind, status, payload, actor_type, actor_uid, actor_name, result, created_at, finished_at)
      SELECT uid || key, workspace_id, kind, status, payload, actor_type, actor_uid, actor_name, result, created_at, finished_at
      FROM job, json_each(?)`;
    immediate(writer, () => writer.run(copies, JSON.stringify(Array(2500).fill(0))));
    const kept = () => writer.value<number>("SELECT count(*) FROM job WHERE result IS NOT NULL");
    assert.equal(kept(), 2501);
    tidy(store, Date.now() + 8 * DAY_MS);
    assert.equal(kept(), 0);
  }));

test("the log of a workspace is cut back after a large import", () =>
  withService(async ({ service, client, screenerId }) => {
    const path = service.context.workspaces.path(client.workspaceId);
    assert.equal((await client.import(screenerId, people(60_000))).status, 200);
    // The index on names is built after that, and leaves its own pages.
    await until(() => size(`${path}-wal`) < 8 * 1024 * 1024, "the log is cut back");
    assert.ok(size(path) > 16 * 1024 * 1024, "all of this went through the log");
  }));

test("the log of the control store does not grow for ever, even when there are no jobs", () =>
  withService(async ({ service, store }) => {
    const log = join(service.config.dataDir, "control.sqlite-wal");
    const { writer } = service.context.control;
    const work = () => {
      for (let i = 0; i < 1000; i++) immediate(writer, () => writer.run("UPDATE installation SET checked_at = ?", i));
      tidy(store);
      return size(log);
    };
    const first = work();
    assert.ok(first > 1000 * 1024, `it grew to ${first} bytes`);
    assert.equal(work(), first);
  }));

test("the lock file of a killed process is removed, and those of living processes stay", () =>
  withService(async ({ service }) => {
    const folder = join(service.config.dataDir, "locks");
    const living = readdirSync(folder);
    const left = join(folder, "of-one-who-was-killed");
    writeFileSync(left, "");
    const longAgo = new Date(Date.now() - DAY_MS);
    for (const name of readdirSync(folder)) utimesSync(join(folder, name), longAgo, longAgo);
    service.context.startUpkeep();
    await until(() => !existsSync(left), "it is gone");
    assert.deepEqual(readdirSync(folder), living);
  }));

const PATIENT = { busyTimeoutMs: 10_000, checkpoints: true, onStale: "migrate" } as const;

interface Scene {
  service: Service;
  store: Stores;
  client: Client;
  screenerId: string;
}

/** Runs `look` with a service of its own. Not `taken`: nobody takes its jobs. */
async function withService(look: (scene: Scene) => Promise<void>, { taken = true } = {}): Promise<void> {
  const redisUrl = process.env.TEST_REDIS_URL;
  const service = await startService(taken ? {} : { config: { redisUrl }, workers: 0 });
  const { dataDir } = service.config;
  const control = openControl(dataDir, PATIENT);
  const workspaces = new Workspaces(dataDir, PATIENT);
  try {
    const client = service.workspace();
    const store = storesOf(service, { control, workspaces });
    await look({ service, store, client, screenerId: await client.screener() });
  } finally {
    workspaces.close();
    control.close();
  }
}

function files({ config }: Service, folder: string): string[] {
  const path = join(config.dataDir, folder);
  return existsSync(path) ? readdirSync(path) : [];
}

function size(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.size ?? 0;
}
