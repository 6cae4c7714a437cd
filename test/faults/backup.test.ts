// Backups: taken while everything runs, they have all that was acknowledged before their mark; damaged ones are refused.

import assert from "node:assert/strict";
import { copyFileSync, existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { openWriter } from "../../db/sqlite/open.ts";
import { storePath } from "../../db/store.ts";
import { ASYNC, type Client, people } from "../support/client.ts";
import { newFolder } from "../support/folder.ts";
import { png } from "../support/images.ts";
import { person } from "../support/imports.ts";
import { type Installation, install, ServiceProcess, type TestWorkspace } from "../support/process.ts";
import { until } from "../support/until.ts";

const IMPORTERS = 4;
const WRITERS = 2;
const ROWS = 600;

/** Runs a command that must succeed, and returns its JSON. */
async function run(installation: Installation, ...args: string[]) {
  const { code, stdout, stderr } = await installation.cli(...args, "--json");
  assert.equal(code, 0, stdout + stderr);
  return JSON.parse(stdout);
}

/** What a client has from a reply: at that time, this was there. */
interface Acknowledged {
  at: number;
  id: string;
}

/** A workspace that is written to, and what was acknowledged. */
interface Written {
  workspace: TestWorkspace;
  acknowledged: Acknowledged[];
}

test("a backup under load has all that was acknowledged before its mark", async () => {
  const source = install();
  const web = await source.web();
  const idle = await source.screener(web);
  await idle.client.import(idle.screenerId, people(500));
  const { body: image } = await idle.client.post("/workspace/images", { file: (await png(30, 20)).toString("base64") });
  const seen = { _type: "ScreenerStatement", text: "Look.", image: { id: image.id, alternativeText: "A stripe" } };
  const body = { pages: [{ title: "Look", questions: [seen] }] };
  assert.equal((await idle.client.call("PUT", `/screeners/${idle.screenerId}/content`, { body })).status, 200);
  const imageAt = async ({ url }: { url: string }) => {
    const reply = await fetch(url + new URL(image.url).pathname);
    return [reply.status, Buffer.from(await reply.arrayBuffer()).toString("base64")];
  };
  const picture = await imageAt(web);
  assert.equal(picture[0], 200);
  await idle.client.post("/screener-publications", { screenerId: idle.screenerId });
  await idle.client.post("/screener-sessions", { screenerId: idle.screenerId });
  let isLoaded = true;
  const load = async (count: number, write: (client: Client, screenerId: string, n: number) => Promise<string>) =>
    Promise.all(
      Array.from({ length: count }, async () => {
        const { workspace, client, screenerId } = await source.screener(web);
        const written: Written = { workspace, acknowledged: [] };
        const done = (async () => {
          for (let n = 0; isLoaded; n++) {
            const id = await write(client, screenerId, n);
            written.acknowledged.push({ at: Date.now(), id });
          }
        })();
        return { written, done };
      }),
    );
  const writers = await load(WRITERS, async (client, _, n) => {
    const { status, body, text } = await client.post("/participants", person(`W-${n}`));
    assert.equal(status, 201, text);
    return body.id;
  });
  const importers = await load(IMPORTERS, async (client, screenerId, n) => {
    // Half of them are still the same people, with other names.
    const participants = people(ROWS).map((row, index) => ({
      ...row,
      name: `${n}`,
      externalUid: `${index % 2 ? n : "all"}-${index}`,
      email: null,
    }));
    const named = participants.map((row, index) => ({ ...row, email: `${row.externalUid}-${index}@example.org` }));
    const { status, body, text } = await client.import(screenerId, named, {}, ASYNC);
    assert.equal(status, 202, text);
    // Two at a time: one is under way, one waits.
    if (n % 2) await client.get(`/jobs/${body.id}`, { Prefer: "wait=30" });
    return body.id;
  });
  const all = [...writers, ...importers];
  const enough = () => all.every(({ written }) => written.acknowledged.length > 2);
  await until(enough, "everybody has written", 60_000);

  const folder = newFolder();
  const first = await run(source, "backup", folder);
  // What is done after a job may still write to the idle workspace: then one more copies it.
  const second = await until(async () => {
    const next = await run(source, "backup", folder);
    return next.unchanged > 0 && next;
  }, "the idle workspace is copied once");
  isLoaded = false;
  await Promise.all(all.map(({ done }) => done));
  assert.deepEqual([first.failed, second.failed], [[], []]);
  assert.equal(first.unchanged, 0);
  assert.ok(!existsSync(join(source.dataDir, "held")) || readdirSync(join(source.dataDir, "held")).length === 0);
  await source.stop();

  for (const backup of [first, second]) {
    const mark = Date.parse(backup.mark);
    await run(source, "verify", backup.folder);
    const restored = install({}, newFolder());
    await run(restored, "restore", backup.folder);
    await run(restored, "verify");
    assert.notDeepEqual(
      restored.control("SELECT uid FROM installation"),
      source.control("SELECT uid FROM installation"),
    );
    const again = await restored.web();
    await restored.drain(120_000);
    for (const { written } of writers) {
      const there = new Set(restored.stored<string>(written.workspace, "SELECT uid FROM participant"));
      for (const { at, id } of written.acknowledged) if (at < mark) assert.ok(there.has(id), `${id} is lost`);
    }
    for (const { written } of importers) {
      const client = written.workspace.client(again);
      const before = written.acknowledged.filter(({ at }) => at < mark);
      assert.ok(before.length > 0);
      for (const { id } of before) {
        const { body } = await client.get(`/jobs/${id}`);
        assert.equal(body.status, "SUCCEEDED", JSON.stringify(body.problem));
        assert.equal(body.summary.rows, ROWS);
        assert.equal((await client.get(`/jobs/${id}/result`)).body.length, ROWS);
      }
    }
    const roster = await idle.workspace.client(again).all("/screener-sessions");
    assert.equal(roster.length, 500);
    const page = await fetch(again.url + new URL(roster[0].screenerSessionLink).pathname);
    assert.equal(page.status, 200);
    assert.ok((await page.text()).includes(new URL(image.url).pathname));
    assert.deepEqual(await imageAt(again), picture);
    const verified = await restored.cli("verify");
    assert.equal(verified.code, 0, verified.stdout + verified.stderr);
    await restored.stop();
  }
});

test("a backup that is killed leaves nothing in the way of the next one", async () => {
  const source = install();
  const web = await source.web();
  const { client, screenerId } = await source.screener(web);
  await client.import(screenerId, people(20_000));
  const folder = newFolder();
  for (let n = 0; n < 3; n++) {
    const backup = new ServiceProcess("src/cli.ts", {
      env: { DATA_DIR: source.dataDir, REDIS_URL: "" },
      args: ["backup", folder],
    });
    await until(() => readdirSync(folder).length > n || backup.end, "the backup has begun", 20_000);
    await backup.kill();
  }
  assert.deepEqual(
    readdirSync(folder).filter((name) => !name.endsWith(".partial")),
    [],
  );
  const refused = await source.cli("restore", folder);
  assert.match(refused.stderr, /has no backup\.\n$/);
  const { folder: made } = await run(source, "backup", folder);
  await run(source, "verify", folder);
  assert.deepEqual(readdirSync(join(source.dataDir, "held")), []);
  assert.deepEqual(
    readdirSync(folder)
      .filter((name) => !name.endsWith(".partial"))
      .map((name) => join(folder, name)),
    // The list of the erased is beside the backups.
    [made, join(folder, "erased")],
  );
});

test("a damaged backup is found, and is not restored", async () => {
  const source = install();
  const web = await source.web();
  const { workspace, client, screenerId } = await source.screener(web);
  await client.import(screenerId, people(300));
  const { folder } = await run(source, "backup", newFolder());
  for (const entry of [folder, ...readdirSync(folder, { recursive: true }).map((name) => join(folder, String(name)))]) {
    const stat = statSync(entry);
    assert.equal(stat.mode & 0o777, stat.isDirectory() ? 0o700 : 0o600, entry);
  }
  const path = storePath("", workspace.id);
  const bytes = readFileSync(join(folder, path));
  bytes[bytes.length >> 1]! ^= 1;
  writeFileSync(join(folder, path), bytes);
  rmSync(join(folder, "control.sqlite"));
  const { code, stdout } = await source.cli("verify", folder);
  assert.equal(code, 1);
  assert.ok(stdout.includes(`${path}: it is not the file that was backed up\n`), stdout);
  assert.ok(stdout.includes("control.sqlite: it is not there\n"), stdout);
  const restored = install({}, newFolder());
  const refused = await restored.cli("restore", folder);
  assert.equal(refused.code, 1);
  assert.match(refused.stderr, /is damaged, and nothing was restored:\n {2}control\.sqlite: it is not there\n/);
  assert.deepEqual(readdirSync(restored.dataDir), []);
  const full = await source.cli("restore", folder);
  assert.match(full.stderr, /is not empty/);
});

test("what is wrong with a data directory is found", async () => {
  const source = install();
  const web = await source.web();
  const [old, miscounted, dangling, gone, forgetful] = await Promise.all(
    Array.from({ length: 5 }, () => source.screener(web)),
  );
  const older = storePath(source.dataDir, old!.workspace.id);
  await old!.client.import(old!.screenerId, people(5));
  await forgetful!.client.screener("Another one");
  await web.kill("SIGTERM");
  copyFileSync(older, `${older}.old`);
  const next = await source.web();
  await old!.workspace.client(next).import(old!.screenerId, people(7));
  await next.kill("SIGTERM");
  assert.deepEqual((await run(source, "verify")).findings, []);

  copyFileSync(`${older}.old`, older);
  const change = ({ workspace }: typeof old & object, sql: string) => {
    const db = openWriter(storePath(source.dataDir, workspace.id), { busyTimeoutMs: 1000, checkpoints: true });
    db.exec(`PRAGMA foreign_keys = OFF; ${sql}`);
    db.close();
  };
  change(miscounted!, "INSERT INTO participant_block (block, n) VALUES (0, 7)");
  change(dangling!, "UPDATE screener SET active_publication_id = 99");
  change(forgetful!, "UPDATE event SET id = 9 WHERE id = 2");
  rmSync(storePath(source.dataDir, gone!.workspace.id));
  const { code, stdout } = await source.cli("verify", "--json");
  assert.equal(code, 1);
  const found = new Map(
    JSON.parse(stdout).findings.map(({ path, message }: { path: string; message: string }) => [path, message]),
  );
  const messageOf = ({ workspace }: typeof old & object) => String(found.get(storePath("", workspace.id)));
  assert.match(messageOf(old!), /^the job \S+ has succeeded, and the store does not know it/);
  assert.equal(messageOf(miscounted!), "the counts of participant are not those of its rows");
  assert.match(messageOf(dangling!), /^row 1 of screener refers to a row of screener_publication that is not there/);
  assert.equal(messageOf(gone!), "it is not there");
  assert.equal(messageOf(forgetful!), "the log of events has gaps");
  assert.equal(found.size, 5);
});
