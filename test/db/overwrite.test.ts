// Nothing of what was deleted is left in a store's file: neither in tables nor in indexes, and not where SQLite has moved rows from one page
// to another. And what is there stays as it is.

import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { OVERWRITE } from "../../db/root.ts";
import type { Reader } from "../../db/sqlite/connection.ts";
import { openWriter } from "../../db/sqlite/open.ts";
import { sizesOf, unusedBytes } from "../../db/sqlite/unused-bytes.mjs";
import { immediate } from "../../db/sqlite/write.ts";
import { overwriteUnused } from "../../db/wipe.ts";
import { newFolder } from "../support/folder.ts";
import { KILLS, seeded } from "../support/seeded.ts";

const RUNS = Number(process.env.RANDOM_RUNS || 1);
const ROWS = 2000;
const OPTIONS = { busyTimeoutMs: 10_000, checkpoints: false };
const folder = newFolder();

/** Of a row, and of no other. */
const nameOf = (id: number) => `name-${(id * 7919) % 999_983}-${id}-of-one`;

function newStore(random: () => number): string {
  const path = join(folder, `${randomUUID()}.sqlite`);
  const db = openWriter(path, { ...OPTIONS, checkpoints: true });
  db.exec(`CREATE TABLE row (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, text TEXT);
    CREATE INDEX row_text ON row (text); CREATE TABLE kept (name TEXT PRIMARY KEY, text TEXT) WITHOUT ROWID`);
  for (let from = 1; from <= ROWS; from += 500) {
    const ids = Array.from({ length: 500 }, (_, at) => from + at).sort(() => random() - 0.5);
    // Some texts take pages of their own.
    const rows = ids.map((id) => [id, nameOf(id), nameOf(id).repeat(random() < 0.02 ? 100 : Math.ceil(random() * 4))]);
    immediate(db, () => {
      for (const table of ["row (id, name, text) SELECT value ->> 0,", "kept (name, text) SELECT"])
        db.run(`INSERT INTO ${table} value ->> 1, value ->> 2 FROM json_each(?)`, JSON.stringify(rows));
    });
  }
  db.close();
  return path;
}

function remove(path: string, ids: readonly number[]): void {
  const db = openWriter(path, OPTIONS);
  immediate(db, () => {
    const names = JSON.stringify(ids.map(nameOf));
    for (const table of ["row", "kept"])
      db.run(`DELETE FROM ${table} WHERE name IN (SELECT value FROM json_each(?))`, names);
  });
  db.close();
}

/** Which of these rows the file has something of. */
function leftIn(path: string, ids: readonly number[]): number[] {
  const bytes = readFileSync(path);
  return ids.filter((id) => bytes.includes(nameOf(id)));
}

function unusedPages(path: string): number {
  const bytes = readFileSync(path);
  const { size, usable } = sizesOf(bytes);
  let found = 0;
  for (let at = size; at < bytes.length; at += size)
    found += Number(unusedBytes(bytes.subarray(at, at + size), usable).length > 0);
  return found;
}

const contentOf = (db: Reader) =>
  db.values<string>("SELECT concat(name, text) FROM row UNION ALL SELECT concat(name, text) FROM kept");

function draw(random: () => number, count: number): number[] {
  return [...new Set(Array.from({ length: count }, () => 1 + Math.floor(random() * ROWS)))];
}

test("nothing of rows that were deleted is left, and the others stay as they are", () => {
  let left = 0;
  for (let run = 0; run < RUNS; run++) {
    const random = seeded(`overwrite ${run}`);
    const path = newStore(random);
    const gone: number[] = [];
    for (let round = 0; round < 3; round++) {
      const ids = draw(random, 80);
      remove(path, ids);
      gone.push(...ids);
      left += unusedPages(path);
      const db = openWriter(path, OPTIONS);
      const before = contentOf(db);
      overwriteUnused([path]);
      assert.deepEqual(contentOf(db), before);
      assert.deepEqual(db.values("PRAGMA integrity_check"), ["ok"]);
      db.close();
      assert.deepEqual(leftIn(path, gone), [], `run ${run}, round ${round}`);
      assert.equal(unusedPages(path), 0);
    }
  }
  assert.ok(left > 0, "SQLite has left some");
});

test("a connection that remembers pages as they were does not bring back what was overwritten", () => {
  const path = newStore(seeded("remembered"));
  remove(path, [1, 2, 3]);
  const db = openWriter(path, OPTIONS);
  db.exec("DROP INDEX row_text");
  assert.ok(contentOf(db).length > 0);
  overwriteUnused([path]);
  // As long as before: cells stay where they are.
  immediate(db, () => db.run("UPDATE row SET text = upper(text)"));
  db.checkpoint("TRUNCATE");
  db.close();
  assert.equal(unusedPages(path), 0);
});

/** Changes rows until its input ends, over a connection that remembers all pages. */
const OTHER = `
  import Database from "better-sqlite3";
  const db = new Database(process.argv[1], { timeout: 10000 });
  db.exec("PRAGMA wal_autocheckpoint = 20; PRAGMA secure_delete = ON; PRAGMA cache_size = -64000");
  const one = "(SELECT name FROM row WHERE id >= abs(random()) % ${ROWS} LIMIT 1)";
  const changes = ["row", "kept"].map((table) => db.prepare(\`UPDATE \${table} SET text = hex(randomblob(abs(random()) % 60)) WHERE name = \${one}\`));
  let writes = 0;
  process.stdin.on("end", () => { process.stdout.write(String(writes)); process.exit(); }).resume();
  setInterval(() => { db.transaction(() => changes.forEach((change) => change.run())).immediate(); writes++; }, 1);
`;

test("it may be killed at any moment while another process writes: the next run goes on", async () => {
  const random = seeded("overwrite killed");
  const path = newStore(random);
  const other = spawn(process.execPath, ["--input-type=module", "-e", OTHER, path], {
    stdio: ["pipe", "pipe", "inherit"],
  });
  let said = "";
  other.stdout.on("data", (data) => {
    said += data;
  });
  const ended = once(other, "close");
  const gone: number[] = [];
  try {
    for (let kill = 0; kill < Math.ceil(KILLS / 4); kill++) {
      const ids = draw(random, 40);
      remove(path, ids);
      gone.push(...ids);
      const child = spawn(process.execPath, [fileURLToPath(OVERWRITE)], { stdio: ["pipe", "ignore", "inherit"] });
      const closed = once(child, "close");
      child.stdin.end(path);
      await sleep(random() * 250);
      child.kill("SIGKILL");
      await closed;
    }
    overwriteUnused([path]);
    // What it remembers it may write again.
    await sleep(100);
  } finally {
    other.stdin.end();
    await ended;
  }
  const db = openWriter(path, { ...OPTIONS, checkpoints: true });
  assert.deepEqual(db.values("PRAGMA integrity_check"), ["ok"]);
  db.checkpoint("TRUNCATE");
  db.close();
  assert.ok(Number(said) > 0, "the other has written");
  assert.equal(statSync(`${path}-wal`, { throwIfNoEntry: false })?.size ?? 0, 0);
  assert.deepEqual(leftIn(path, gone), []);
});
