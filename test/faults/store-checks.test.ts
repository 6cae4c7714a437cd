// The weekly check of all stores: damage that no request meets is found, and shown.

import assert from "node:assert/strict";
import { copyFileSync, renameSync, rmSync } from "node:fs";
import { test } from "node:test";
import Database from "better-sqlite3";
import { openControl } from "../../db/control.ts";
import { immediate } from "../../db/sqlite/write.ts";
import { storePath } from "../../db/store.ts";
import { people } from "../support/client.ts";
import { install, type WebProcess } from "../support/process.ts";
import { until } from "../support/until.ts";

async function damagedIn({ url }: WebProcess): Promise<{ workspace?: string; message: string }[]> {
  const response = await fetch(`${url}/readyz`);
  assert.equal(response.status, 200);
  const { details } = (await response.json()) as { details: { code: string; message: string; workspace?: string }[] };
  return details.filter(({ code }) => code === "store_damaged");
}

test("each store is checked once a week, and what is wrong shows until it is right", async () => {
  const installation = install();
  let web = await installation.web();
  const good = await installation.screener(web);
  const bad = await installation.screener(web);
  await bad.client.import(bad.screenerId, people(50));
  await installation.stop();

  const { path, name } = damage(installation.dataDir, bad.workspace.id);
  expireChecks(installation.dataDir, 8 * 24);

  const started = Date.now();
  web = await installation.web();
  const [found] = await until(async () => {
    const all = await damagedIn(web);
    return all.length ? all : undefined;
  }, "the damage is found");
  assert.equal(found!.workspace, bad.workspace.id);
  assert.match(found!.message, new RegExp(`is damaged .*${name}`));
  await until(
    () => web.log.some(({ msg, store: of }) => msg === "store damaged" && of === bad.workspace.id),
    "it is logged",
  );
  const { code, stdout } = await installation.cli("doctor", "--json");
  assert.equal(code, 1);
  assert.ok(stdout.includes(`${bad.workspace.id}: The workspace's store is damaged`), stdout);
  const checked = () => installation.control<string>("SELECT workspace_uid FROM store_check ORDER BY 1");
  // A third workspace is there if the service has made one before the test.
  const due = `SELECT uid FROM (SELECT uid FROM workspace UNION ALL SELECT 'control')
    LEFT JOIN store_check ON workspace_uid = uid WHERE coalesce(checked_at, 0) < ?`;
  await until(() => !installation.control(due, started).length, "all stores are checked", 120_000);
  assert.ok(checked().includes(good.workspace.id) && checked().includes("control"));
  assert.equal((await damagedIn(web)).length, 1);

  // What was damaged is looked at again and again, the others are not.
  const others = `SELECT checked_at FROM store_check WHERE workspace_uid <> '${bad.workspace.id}'`;
  const before = installation.control(others);
  const mended = new Database(path);
  mended.exec("REINDEX");
  mended.close();
  await until(async () => !(await damagedIn(web)).length, "it is right again", 60_000);
  assert.deepEqual(installation.control(others), before);
});

/** Leaves an index that lacks rows: reads by it find nobody, and nothing else notices. */
function damage(dataDir: string, workspaceId: string): { path: string; name: string } {
  const path = storePath(dataDir, workspaceId);
  const store = new Database(path);
  store.unsafeMode();
  store.pragma("writable_schema = ON");
  const name = "screener_participant_screener";
  const sql = store.prepare("SELECT sql FROM sqlite_schema WHERE name = ?").pluck().get(name) as string;
  store.prepare("UPDATE sqlite_schema SET sql = ? WHERE name = ?").run(`${sql} WHERE 0`, name);
  store.pragma("schema_version = 100000");
  store.close();
  const again = new Database(path);
  again.unsafeMode();
  again.exec(`REINDEX ${name}`);
  again.pragma("writable_schema = ON");
  again.prepare("UPDATE sqlite_schema SET sql = ? WHERE name = ?").run(sql, name);
  again.pragma("schema_version = 100001");
  again.close();
  return { path, name };
}

test("a damaged store that another file replaces is no finding any more, however long its check takes", async () => {
  const installation = install();
  let web = await installation.web();
  const { workspace, client, screenerId } = await installation.screener(web);
  await client.import(screenerId, people(50));
  await installation.stop();
  const path = storePath(installation.dataDir, workspace.id);
  const sound = new Database(path);
  sound.pragma("wal_checkpoint(TRUNCATE)");
  sound.close();
  copyFileSync(path, `${path}.good`);
  damage(installation.dataDir, workspace.id);
  expireChecks(installation.dataDir, 8 * 24);
  web = await installation.web();
  await until(() => web.log.some(({ msg }) => msg === "store damaged"), "the damage is found");
  assert.equal((await damagedIn(web)).length, 1);
  // As if no check came for an hour.
  expireChecks(installation.dataDir, -1);
  for (const end of ["", "-wal", "-shm"]) rmSync(path + end, { force: true });
  renameSync(`${path}.good`, path);
  await until(async () => !(await damagedIn(web)).length, "it is no finding any more", 90_000);
  assert.equal((await workspace.client(web).get("/participants")).status, 200);
});

/** As if so much time had passed. */
function expireChecks(dataDir: string, hours: number): void {
  const control = openControl(dataDir, { busyTimeoutMs: 10_000, checkpoints: true });
  immediate(control.writer, () =>
    control.writer.run("UPDATE store_check SET checked_at = checked_at - ?", hours * 3_600_000),
  );
  control.close();
}
