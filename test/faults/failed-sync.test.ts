// A disk that fails to sync: what was answered stays, what was not is there or not, and a retry shows which.

import assert from "node:assert/strict";
import { closeSync, existsSync, openSync, readdirSync, readFileSync, statSync, writeSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { BadDisk } from "../support/bad-disk.ts";
import { ASYNC, type Client, people } from "../support/client.ts";
import { type Installation, install, type TestWorkspace, type WebProcess } from "../support/process.ts";
import { until } from "../support/until.ts";

interface Begun {
  installation: Installation;
  disk: BadDisk;
  web: WebProcess;
  workspace: TestWorkspace;
  client: Client;
  screenerId: string;
}

async function begin(): Promise<Begun> {
  const installation = install();
  const disk = new BadDisk(installation.dataDir);
  // Everything is made under the bad disk, so that it knows what a power cut leaves.
  const web = await installation.web({ env: disk.env });
  const made = await installation.cliWith(disk.env, "workspace", "create", "Test", "--json");
  const workspace = installation.known(JSON.parse(made.stdout));
  const client = workspace.client(web);
  return { installation, disk, web, workspace, client, screenerId: await client.screener() };
}

const nobodyInDoubt = ({ installation }: Begun) =>
  until(() => {
    const folder = join(installation.dataDir, "in-doubt");
    // It is made for the first store that is.
    return !existsSync(folder) || !readdirSync(folder).length;
  }, "no store is in doubt");

test("an import whose row in the ledger can't be synced goes on, and a retry with its key finds it", async () => {
  const begun = await begin();
  const { disk, client, screenerId, installation } = begun;
  const send = () => client.import(screenerId, people(200), {}, { ...ASYNC, "Idempotency-Key": "nightly" });
  const hasHit = disk.fail({ on: "sync", code: "EIO", path: "control.sqlite-wal" });
  const refused = await send();
  assert.ok(hasHit());
  assert.deepEqual([refused.status, refused.body.code], [503, "store_unavailable"]);
  assert.ok(refused.headers.get("retry-after"));
  await nobodyInDoubt(begun);
  const again = await send();
  assert.equal(again.status, 202, again.text);
  await installation.drain();
  const { body: jobs } = await client.get("/jobs");
  assert.equal(jobs.total, 1);
  assert.deepEqual([jobs.items[0].id, jobs.items[0].status], [again.body.id, "SUCCEEDED"]);
  assert.equal((await client.get("/participants")).body.total, 200);
  await until(() => !readdirSync(join(installation.dataDir, "spool")).length, "the spool is empty");
});

test("a small write that can't be synced is there or not, and a retry with its key shows which", async () => {
  const begun = await begin();
  const { disk, client, workspace } = begun;
  const send = () =>
    client.post(
      "/participants",
      { externalUid: "P-1", email: "p@example.org", name: "P" },
      { "Idempotency-Key": "one" },
    );
  const hasHit = disk.fail({ on: "sync", code: "EIO", path: `${workspace.id}.sqlite-wal` });
  const refused = await send();
  assert.ok(hasHit());
  assert.deepEqual([refused.status, refused.body.code], [503, "store_unavailable"]);
  await nobodyInDoubt(begun);
  const again = await send();
  assert.equal(again.status, 201, again.text);
  assert.equal((await client.get("/participants")).body.total, 1);
  assert.equal((await client.get(`/participants/${again.body.id}`)).status, 200);
});

/** The numbers of the pages that a WAL has from a position on. https://www.sqlite.org/fileformat2.html#walformat */
function pagesIn(path: string, from: number): number[] {
  const bytes = readFileSync(path);
  const frame = 24 + bytes.readUInt32BE(8);
  const pages: number[] = [];
  for (let at = from; at + frame <= bytes.length; at += frame) pages.push(bytes.readUInt32BE(at));
  return pages;
}

for (const [what, description, isFirstLost] of [
  ["what it could not write", "short", false],
  // A file that becomes longer has its length on its first page. Without that one SQLite can't open it.
  ["the first page of a store", "long ".repeat(1900), true],
] as const) {
  test(`where the kernel has lost ${what}, the process ends at once, and what was answered is there`, async () => {
    const begun = await begin();
    const { disk, client, workspace, web, installation, screenerId } = begun;
    const path = join(installation.dataDir, "workspaces", workspace.id.slice(-2), `${workspace.id}.sqlite-wal`);
    for (const person of people(10)) assert.equal((await client.post("/participants", person)).status, 201);
    let size: number;
    let before = "";
    // After a write that has made the file longer there is room for one that does not.
    do {
      ({ size } = statSync(path));
      before += "before ";
      assert.equal((await client.patch(`/screeners/${screenerId}`, { description: before })).status, 200);
    } while (!pagesIn(path, size).includes(1));
    ({ size } = statSync(path));
    disk.fail({ on: "sync", code: "EIO", path: `${workspace.id}.sqlite-wal`, always: true });
    const refused = await client.patch(`/screeners/${screenerId}`, { description });
    assert.equal(refused.status, 503, refused.text);
    assert.equal(pagesIn(path, size).includes(1), isFirstLost);
    await until(() => web.log.some(({ msg }) => msg === "the store stays in doubt"), "it can't be written anew");
    assert.equal((await client.post("/participants", people(1, 11)[0])).status, 503);
    assert.equal((await client.get("/participants")).status, 200);
    const ready = await fetch(`${web.url}/readyz`).then((response) => response.json());
    assert.deepEqual(
      (ready as { details: { code: string }[] }).details.map(({ code }) => code),
      ["store_in_doubt"],
    );
    // As if the kernel had dropped these pages, and read them again.
    const log = openSync(path, "r+");
    writeSync(log, Buffer.alloc(statSync(path).size - size), 0, undefined, size);
    closeSync(log);
    disk.heal();
    assert.deepEqual(await web.dies(), { code: null, signal: "SIGKILL" });
    assert.match(web.stderr, /has lost what could not be written/);

    const next = await installation.web();
    await nobodyInDoubt(begun);
    const again = workspace.client(next);
    assert.equal((await again.get("/participants")).body.total, 10);
    assert.equal((await again.get(`/screeners/${screenerId}`)).body.description, before);
    assert.equal((await again.post("/participants", people(1, 12)[0])).status, 201);
    assert.deepEqual(installation.stored(workspace, "PRAGMA integrity_check"), ["ok"]);
  });
}

for (const [what, path] of [
  ["log", ".sqlite-wal"],
  ["file", ".sqlite$"],
] as const) {
  test(`what is answered after one sync of a ${what} has failed is there after a power cut`, async (t) => {
    const begun = await begin();
    const { disk, client, workspace, screenerId, web, installation } = begun;
    const created: string[] = [];
    const imported: string[] = [];
    let refused = 0;
    let next = 0;
    const write = async () => {
      const uid = `S-${next++}`;
      const answer = await client.post("/participants", { externalUid: uid, email: `${uid}@example.org`, name: uid });
      if (answer.status === 201) created.push(uid);
      else {
        assert.equal(answer.status, 503, answer.text);
        refused++;
      }
    };
    const importSome = async (count: number) => {
      const rows = people(count, 100_000 + 10_000 * next++);
      const answer = await client.import(screenerId, rows, {}, { Prefer: "wait=20" });
      if (answer.status === 200) imported.push(...rows.map(({ externalUid }) => externalUid));
      else assert.ok(answer.status === 503 || answer.status === 202, answer.text);
    };
    for (let i = 0; i < 5; i++) await write();
    // The ledger's file is copied too seldom to wait for it.
    const names = what === "log" ? [workspace.id, "control"] : [workspace.id];
    for (const name of names.map((one) => `${one}${path}`)) {
      const hasHit = disk.fail({ on: "sync", code: "EIO", path: name });
      // A log is synced by each write, a file when its log is copied.
      for (let i = 0; !hasHit() || i < 30; i++) {
        await Promise.all([write(), write()]);
        if (i % 10 === 0) await importSome(what === "log" ? 10 : 3000);
      }
      await nobodyInDoubt(begun);
      for (let i = 0; i < 20; i++) await write();
    }
    await web.kill();
    const left = install({}, disk.powerCut());
    const after = await left.web();
    const client2 = workspace.client(after);
    await left.drain();
    const kept = new Set((await client2.all("/participants")).map(({ externalUid }) => externalUid));
    t.diagnostic(`${created.length} written, ${imported.length} imported, ${refused} refused, ${kept.size} kept`);
    assert.deepEqual(
      [...created, ...imported].filter((uid) => !kept.has(uid)),
      [],
    );
    assert.ok(created.length > 50);
    assert.deepEqual(left.control("PRAGMA integrity_check"), ["ok"]);
    assert.deepEqual(left.stored(workspace, "PRAGMA integrity_check"), ["ok"]);
    assert.ok(installation.dataDir !== left.dataDir);
  });
}
