// Backups and erasures: a backup that is older than an erasure does not bring the person back, however it is restored; and a backup
// that is taken afterwards has nothing of the person.

import assert from "node:assert/strict";
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { openControl } from "../../db/control.ts";
import { immediate } from "../../db/sqlite/write.ts";
import { storePath } from "../../db/store.ts";
import { findBytes } from "../support/bytes.ts";
import { ASYNC, type Client, people } from "../support/client.ts";
import { newFolder } from "../support/folder.ts";
import { type Installation, install, ownRedis, type TestWorkspace, type WebProcess } from "../support/process.ts";
import { until } from "../support/until.ts";

const redis = ownRedis();
await redis.start();
const wait = { Prefer: "wait=60" };

const hedwig = { externalUid: "HEDWIG-7731", email: "hedwig@mahler.example", name: "Hedwig Zyprian" };
/** Somebody who is imported by a job that waits while the backup is taken. */
const later = { externalUid: "LATE-4471", email: "late@mahler.example", name: "Ludmilla Belated" };
const secrets = (row: typeof hedwig) => Object.values(row);

async function run(installation: Installation, ...args: string[]) {
  const { code, stdout, stderr } = await installation.cli(...args, "--json");
  assert.equal(code, 0, stdout + stderr);
  return JSON.parse(stdout);
}

const idOf = async (client: Client, { externalUid }: typeof hedwig): Promise<string | undefined> =>
  (await client.get(`/participants?filter[externalUid][eq]=${externalUid}`)).body.items[0]?.id;

async function erase(client: Client, row: typeof hedwig): Promise<string> {
  const id = (await idOf(client, row))!;
  const { status, body, text } = await client.call("DELETE", `/participants/${id}`, { headers: wait });
  assert.deepEqual([status, body.status], [200, "SUCCEEDED"], text);
  return id;
}

const source = install({ REDIS_URL: redis.url, ERASED_DIR: join(newFolder(), "erased") });
const lists = join(newFolder(), "lists");
const backups = newFolder();
const web = await source.web();
let worker = await source.worker();
const { workspace, client, screenerId } = await source.screener(web);
const large = await client.import(screenerId, [...people(400), hedwig], {}, wait);
assert.equal(large.status, 200);
const plan = await client.import(screenerId, [later], { dryRun: true }, wait);
assert.equal(plan.body.status, "PLANNED", plan.text);
await worker.kill();
const waiting = await client.import(screenerId, [later, { externalUid: "P-1", name: "Another name" }], {}, ASYNC);
assert.equal(waiting.status, 202);
const before = await run(source, "backup", backups);
worker = await source.worker();
await until(async () => (await idOf(client, later)) !== undefined, "the job that waited is done");
const erased = [await erase(client, hedwig), await erase(client, later)];

test("a backup that is taken after an erasure has nothing of the person", async () => {
  const next = await run(source, "backup", backups);
  assert.ok(findBytes(before.folder, secrets(hedwig)).length >= 3, "the backup before has the person");
  assert.deepEqual(findBytes(next.folder, [...secrets(hedwig), ...secrets(later)]), []);
});

test("the list of the erased says nothing about them, and lies apart from the stores and in no backup", async () => {
  const list = join(backups, "erased");
  assert.deepEqual(readdirSync(list), [workspace.id]);
  const [key, ...lines] = readFileSync(join(list, workspace.id), "utf8").trimEnd().split("\n");
  assert.match(key!, /^key [0-9a-f]{64}$/);
  for (const line of lines) assert.match(line, /^\d{4}-\d\d-\d\dT[\d:.]{12}Z [0-9a-f]{64}$/);
  assert.equal(lines.length, 2);
  assert.deepEqual(findBytes(list, [...secrets(hedwig), ...secrets(later), ...erased]), []);
  assert.ok(!existsSync(join(source.dataDir, "erased")));
  assert.deepEqual(findBytes(before.folder, [key!.slice(4)]), []);
  cpSync(list, lists, { recursive: true });
});

test("restoring a backup from before an erasure does not bring the person back, nor does a job that waited in it", async () => {
  const restored = install({}, newFolder());
  const { code, stdout, stderr } = await restored.cli("restore", before.folder);
  assert.equal(code, 0, stderr);
  assert.match(stdout, /Erased again, because the list of the erased has them: 1 participant\./);
  assert.match(stdout, /somebody was erased after they were accepted: 2 imports or undos\./);
  // Before anything is served.
  assert.deepEqual(findBytes(restored.dataDir, [...secrets(hedwig), ...secrets(later)]), []);
  await run(restored, "verify");
  const again = workspace.client(await restored.web());
  await restored.drain(60_000);
  assert.equal((await again.get(`/participants/${erased[0]}`)).status, 404);
  assert.deepEqual([await idOf(again, hedwig), await idOf(again, later)], [undefined, undefined]);
  assert.equal((await again.get("/participants")).body.total, 400);
  const [{ body: ended }, { body: passed }] = [
    await again.get(`/jobs/${plan.body.id}`),
    await again.get(`/jobs/${waiting.body.id}`),
  ];
  assert.deepEqual([ended.status, ended.problem.code], ["CANCELLED", "plan_outdated"]);
  assert.deepEqual([passed.status, passed.problem.code], ["FAILED", "job_overtaken"]);
  const [end] = await until(async () => {
    const events = await again.all(`/events?filter[jobId][eq]=${waiting.body.id}`);
    return events.length ? events : undefined;
  }, "its end is in the log");
  assert.deepEqual([end.type, end.summary.code], ["import.failed", "job_overtaken"]);
  assert.match(passed.problem.detail, /was erased after it/);
  const { body: rows } = await again.get(
    `/jobs/${large.headers.get("location")!.split("/").at(-1)}/rows?pagination[limit]=500`,
  );
  assert.deepEqual([rows.total, rows.items[400].externalUid], [401, null]);
  const [event] = await again.all("/events?filter[type][eq]=participant.erased");
  assert.deepEqual([event.resource.id, event.summary.participants], [erased[0], 1]);
  assert.equal((await again.get("/healthz")).status, 200);
});

test("who has come back by a later import is not erased again; and stores of another program are treated the same", async () => {
  assert.equal((await client.import(screenerId, [hedwig], {}, wait)).status, 200);
  const anew = await idOf(client, hedwig);
  const { folder } = await run(source, "backup", backups);
  // Litestream has put the stores there; the list is of another disk.
  const restored = install({ ERASED_DIR: join(newFolder(), "erased") }, newFolder());
  cpSync(folder, restored.dataDir, { recursive: true });
  const { erased: report } = await run(restored, "restore", "--in-place", "--erased", lists);
  assert.deepEqual(report, { isListThere: true, participants: 0, jobs: 0, failed: [] });
  assert.equal(await idOf(workspace.client(await restored.web()), hedwig), anew);
  const older = install({ ERASED_DIR: lists }, newFolder());
  cpSync(before.folder, older.dataDir, { recursive: true });
  assert.equal((await run(older, "restore", "--in-place")).erased.participants, 1);
  assert.deepEqual(findBytes(older.dataDir, secrets(hedwig)), []);
});

test("without a list nothing is restored, unless that is wanted; then it is said loudly, and is made again from what the stores know", async () => {
  const alone = join(newFolder(), "alone");
  mkdirSync(alone);
  const latest = readdirSync(backups)
    .filter((name) => name !== "erased")
    .sort()
    .at(-1)!;
  cpSync(join(backups, latest), join(alone, latest), { recursive: true });
  const restored = install({}, newFolder());
  const refused = await restored.cli("restore", alone);
  assert.deepEqual([refused.code, refused.stdout], [1, ""]);
  assert.match(refused.stderr, /There is no list of the erased.*--erased DIR.*--without-erased/s);
  assert.ok(!existsSync(join(restored.dataDir, "control.sqlite")));
  const inPlace = install({}, newFolder());
  cpSync(join(alone, latest), inPlace.dataDir, { recursive: true });
  assert.equal((await inPlace.cli("restore", "--in-place")).code, 1);
  const { code, stderr, stdout } = await restored.cli("restore", alone, "--without-erased");
  assert.equal(code, 0, stderr);
  assert.match(stderr, /WARNING: there is no list of the erased/);
  assert.doesNotMatch(stdout, /Erased again/);
  assert.equal(
    readFileSync(join(restored.dataDir, "erased", workspace.id), "utf8").match(/Z [0-9a-f]{64}$/gm)?.length,
    2,
  );
});

/** An installation that has erased somebody since a backup. Nothing runs on it. */
async function withErasure() {
  const installation = install({ ERASED_DIR: join(newFolder(), "erased") });
  const first = await installation.web();
  const { workspace, client: of, screenerId: screener } = await installation.screener(first);
  assert.equal((await of.import(screener, [...people(50), hedwig], {}, wait)).status, 200);
  const { folder } = await run(installation, "backup", newFolder());
  const uid = await erase(of, hedwig);
  return { installation, web: first, workspace, folder, uid };
}

/** Puts a store back by hand, as it is in a backup. */
function putBack({ dataDir }: Installation, { id }: TestWorkspace, folder: string): void {
  const path = storePath(dataDir, id);
  for (const end of ["", "-wal", "-shm"]) rmSync(path + end, { force: true });
  cpSync(storePath(folder, id), path);
}

async function detailsOf({ url }: WebProcess, { id }: TestWorkspace): Promise<string[]> {
  const { details } = (await (await fetch(`${url}/readyz`)).json()) as {
    details: { code: string; workspace?: string }[];
  };
  return details.filter((one) => one.workspace === id).map(({ code }) => code);
}

test("a store that is put back by hand is not accepted before those who were erased are erased again", async () => {
  const { installation, workspace: one, folder, uid } = await withErasure();
  await installation.stop();
  putBack(installation, one, folder);
  const again = await installation.web();
  const of = one.client(again);
  assert.equal((await of.get("/participants")).status, 503);
  const doctor = await installation.cli("doctor");
  assert.match(doctor.stdout, /has 1 of the people again who were erased: .*accept-store/);
  const accepted = await run(installation, "workspace", "accept-store", "--workspace", one.id);
  assert.deepEqual(accepted.erased, { participants: 1, jobs: 0 });
  await until(async () => (await of.get("/participants")).status === 200, "it is served");
  assert.deepEqual([(await of.get("/participants")).body.total, await idOf(of, hedwig)], [50, undefined]);
  assert.equal((await of.get(`/participants/${uid}`)).status, 404);
  await until(() => !findBytes(installation.dataDir, secrets(hedwig)).length, "no file has a byte of the person");
  assert.equal((await of.import(await of.screener(), people(3), {}, wait)).status, 200);
});

for (const isRunning of [false, true]) {
  test(`an older store of which the ledger knows nothing better is found ${isRunning ? "while the service runs" : "at the start"}, and said`, async () => {
    const made = await withErasure();
    const { installation, workspace: one, folder } = made;
    // As after a month: the ledger does not know any more what the store lacks.
    const control = openControl(installation.dataDir, { busyTimeoutMs: 10_000, checkpoints: true });
    immediate(control.writer, () => {
      control.writer.run("UPDATE job SET finished_at = finished_at - ?", 26 * 24 * 3_600_000);
      // All stores were checked a moment ago.
      control.writer.run("INSERT OR REPLACE INTO store_check SELECT uid, ? FROM workspace", Date.now());
    });
    control.close();
    if (!isRunning) await installation.stop();
    putBack(installation, one, folder);
    const now = isRunning ? made.web : await installation.web();
    const of = one.client(now);
    await until(async () => (await idOf(of, hedwig)) !== undefined, "the store is served, and the person is back");
    await until(async () => (await detailsOf(now, one)).includes("erased_back"), "it is found", 90_000);
    assert.equal((await installation.cli("doctor")).code, 1);
    assert.equal((await run(installation, "workspace", "accept-store", "--workspace", one.id)).erased.participants, 1);
    await until(async () => !(await detailsOf(now, one)).length, "nothing is wrong any more", 75_000);
    await until(async () => (await of.get("/participants")).body.total === 50, "the others are served");
    assert.deepEqual(
      [await idOf(of, hedwig), (await installation.cli("doctor")).stdout.match(/were erased/)],
      [undefined, null],
    );
  });
}

test("while the list of the erased is lost with the disk of the data, the start and doctor say so", async () => {
  const said = async (installation: Installation) => {
    const web = await installation.web();
    await web.hasLogged();
    const lines = web.log.filter(({ msg }) => /list of the erased/.test(String(msg)));
    return [lines.length, (await installation.cli("doctor")).stdout.match(/^\w+ +list of the erased/m)?.[0]];
  };
  assert.deepEqual(await said(install()), [1, "warning  list of the erased"]);
  assert.deepEqual(await said(install({ ERASED_DIR: join(newFolder(), "erased") })), [
    0,
    "ok       list of the erased",
  ]);
});
