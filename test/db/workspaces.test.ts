// One file for each workspace, lent to many: handles are opened and closed as needed, and nobody waits for long.

import assert from "node:assert/strict";
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readlinkSync,
  renameSync,
  rmSync,
  statSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { after, test } from "node:test";
import { setImmediate } from "node:timers/promises";
import { countRow } from "../../db/list/counts.ts";
import { SchemaTooNewError } from "../../db/migrate.ts";
import type { Reader, Writer } from "../../db/sqlite/connection.ts";
import { openWriter } from "../../db/sqlite/open.ts";
import { STEADY_TABLES } from "../../db/sqlite/reader.ts";
import { StoreRefusedError } from "../../db/sqlite/refused.ts";
import { StoreBusyError } from "../../db/sqlite/write.ts";
import { StoreStaleError } from "../../db/store.ts";
import { Workspaces } from "../../db/workspaces.ts";
import { newId } from "../../src/base/ids.ts";
import { countedParticipants } from "../../src/nouns/participants/resource.ts";
import { makeNewer, makeTooNew } from "../support/newer.ts";
import { startService } from "../support/service.ts";
import { holdWrites } from "../support/store.ts";
import { until } from "../support/until.ts";
import { writeEarlier } from "./earlier.ts";

const folder = mkdtempSync(join(tmpdir(), "screening-workspaces-"));
const EAGER = { busyTimeoutMs: 0, checkpoints: true } as const;
const workspaces = new Workspaces(folder, { ...EAGER, onStale: "migrate" });
const ids = Array.from({ length: 100 }, () => newId());
for (const id of ids) workspaces.create(id);
after(() => {
  workspaces.close();
  rmSync(folder, { recursive: true, force: true });
});

const INSERT = "INSERT INTO tag (uid, category, value) VALUES (?, 'a', ?)";

function insert(id: string, waitMs = 0): Promise<void> {
  return workspaces.writeWhenFree(id, waitMs, (db) => {
    db.run(INSERT, newId(), newId());
  });
}

function count(id: string, of = workspaces): number {
  return of.read(id, (db) => db.value<number>("SELECT count(*) FROM tag")!);
}

/** Makes a store as an earlier release did. */
function writeOld(path: string): void {
  const db = openWriter(path, EAGER);
  writeEarlier(db, "workspace 3");
  db.close();
}

/** @returns the id of a new workspace whose store an earlier release has made */
function stale(): string {
  const id = newId();
  mkdirSync(dirname(workspaces.path(id)), { recursive: true });
  writeOld(workspaces.path(id));
  return id;
}

/** The workspaces whose files this process has open. */
function openFiles(): number {
  const files = readdirSync("/proc/self/fd").flatMap((fd) => {
    try {
      return [readlinkSync(`/proc/self/fd/${fd}`)];
    } catch {
      // The one that listed them.
      return [];
    }
  });
  return new Set(files.filter((file) => file.startsWith(folder) && file.endsWith(".sqlite"))).size;
}

/** Takes the lock of a workspace from outside. @returns a function that releases it */
function hold(id: string): () => void {
  const writer = openWriter(workspaces.path(id), EAGER);
  writer.run("BEGIN IMMEDIATE");
  return () => {
    writer.run("ROLLBACK");
    writer.close();
  };
}

test("however many workspaces are used, 64 files are open at most, and all are written and read", async () => {
  for (let round = 1; round <= 2; round++) {
    for (const id of ids) {
      await insert(id);
      assert.equal(count(id), round);
      assert.ok(openFiles() <= 64, `${openFiles()} files are open`);
    }
  }
});

test("a writer that waits for a lock keeps its file open, however many others come", async () => {
  const release = hold(ids[0]!);
  const before = count(ids[0]!);
  const waiting = insert(ids[0]!, 30_000);
  for (const id of ids.slice(1)) assert.ok(count(id) >= 0);
  release();
  await waiting;
  assert.equal(count(ids[0]!), before + 1);
});

test("when all files that may be open wait for a lock, the next workspace is served all the same", async () => {
  const busy = ids.slice(0, 64);
  const releases = busy.map((id) => hold(id));
  const waiting = busy.map((id) => insert(id, 30_000));
  const free = ids[70]!;
  const before = count(free);
  await insert(free);
  assert.equal(count(free), before + 1);
  for (const release of releases) release();
  await Promise.all(waiting);
  for (const id of ids) assert.ok(count(id) > 0);
  assert.ok(openFiles() <= 65);
});

test("a writer that waits too long for a lock gets an error, and the event loop goes on meanwhile", async () => {
  const [id] = ids as [string];
  const before = count(id);
  const release = hold(id);
  let turns = 0;
  const turn = setInterval(() => turns++, 1);
  try {
    await assert.rejects(insert(id, 200), StoreBusyError);
    assert.ok(turns > 10, `the event loop turned ${turns} times`);
    assert.equal(count(id), before, "a reader waits for no writer");
    // Nothing was kept of the attempt: the lock is free for others.
    const patient = insert(id, 30_000);
    release();
    await patient;
  } finally {
    clearInterval(turn);
  }
  assert.equal(count(id), before + 1);
});

test("an error inside a write leaves nothing, and releases the lock", async () => {
  const [id] = ids as [string];
  const before = count(id);
  const fail = (db: { run(sql: string, ...values: string[]): unknown }) => {
    db.run(INSERT, newId(), newId());
    throw new Error("no");
  };
  assert.throws(() => workspaces.write(id, fail), /no/);
  await assert.rejects(workspaces.writeWhenFree(id, 0, fail), /no/);
  assert.equal(count(id), before);
  await insert(id);
});

test("counts of a write that fails are taken back alone, also if it has read them; those of the others are written", async () => {
  const [, id] = ids as [string, string];
  const sum = (db: Reader) => db.value<number | null>("SELECT sum(n) FROM participant_part") ?? 0;
  const add = (db: Writer) => countRow(db, countedParticipants, 1, {}, 1);
  const [before, seen] = [workspaces.read(id, sum), [] as number[]];
  const write = (work: (db: Writer) => void) => workspaces.writeWhenFree(id, 1000, work);
  const refused = async (reads: boolean) => {
    const done = write((db) => {
      add(db);
      if (reads) seen.push(sum(db) - before);
      throw new Error("no");
    });
    await assert.rejects(done, /no/);
  };
  await Promise.all([
    write(add),
    refused(true),
    write(add),
    refused(false),
    write(add),
    write((db) => void seen.push(sum(db) - before)),
  ]);
  assert.deepEqual(seen, [2, 3]);
  assert.equal(workspaces.read(id, sum), before + 3);
  assert.throws(() => workspaces.write(id, (db) => [add(db), assert.fail("no")]), /no/);
  workspaces.write(id, add);
  assert.equal(workspaces.read(id, sum), before + 4);
});

test("of writes without savepoints that come together, one that fails takes nothing with it; the others are written once", async () => {
  const [, id] = ids as [string, string];
  const before = count(id);
  const runs = [0, 0, 0];
  const write = (which: number, fails = false) =>
    workspaces.writeWhenFree(
      id,
      1000,
      (db) => {
        runs[which]!++;
        db.run(INSERT, newId(), newId());
        if (fails) throw new Error("no");
        return which;
      },
      true,
    );
  const outcomes = await Promise.allSettled([write(0), write(1, true), write(2)]);
  assert.deepEqual(
    outcomes.map((one) => (one.status === "fulfilled" ? one.value : String(one.reason))),
    [0, "Error: no", 2],
  );
  // The first one was rolled back with the one that failed, and has run again.
  assert.deepEqual(runs, [2, 2, 1]);
  assert.equal(count(id), before + 2);
});

test("writes that share a transaction run once where one of them may not run again", async () => {
  const [, id] = ids as [string, string];
  const before = count(id);
  let runs = 0;
  const write = (mayRunAgain: boolean, fails: boolean) =>
    workspaces.writeWhenFree(
      id,
      1000,
      (db) => {
        runs++;
        db.run(INSERT, newId(), newId());
        if (fails) throw new Error("no");
      },
      mayRunAgain,
    );
  const outcomes = await Promise.allSettled([write(true, false), write(true, true), write(false, false)]);
  assert.deepEqual(
    outcomes.map(({ status }) => status),
    ["fulfilled", "rejected", "fulfilled"],
  );
  assert.equal(runs, 3);
  assert.equal(count(id), before + 2);
});

test("writes of which each turn brings another share a transaction; one that comes alone, or for ever, holds nobody up", async () => {
  const id = newId();
  let transactions = 0;
  const counted = new Workspaces(folder, { ...EAGER, onStale: "migrate", onHeld: () => void transactions++ });
  counted.create(id);
  const write = () => counted.writeWhenFree(id, 1000, (db) => void db.run(INSERT, newId(), newId()));
  const writes: Promise<void>[] = [write()];
  await writes[0];
  // A turn takes longer where others use the processors.
  for (let tries = 0; transactions !== 1 || tries === 0; tries++) {
    assert.ok(tries < 50, `${transactions} transactions`);
    transactions = 0;
    for (let turn = 0; turn < 4; turn++) {
      writes.push(write());
      await setImmediate();
    }
    await Promise.all(writes);
  }
  assert.equal(count(id, counted), writes.length);
  // The first is written while others still come.
  const first = write();
  let isWritten = false;
  first.then(() => {
    isWritten = true;
  });
  while (!isWritten) {
    writes.push(write());
    await setImmediate();
  }
  await Promise.all(writes);
  counted.close();
});

/** How many connections this process has to a workspace's file. */
function connections(id: string): number {
  const path = workspaces.path(id);
  return readdirSync("/proc/self/fd").filter((fd) => {
    try {
      return readlinkSync(`/proc/self/fd/${fd}`) === path;
    } catch {
      return false;
    }
  }).length;
}

test("a store that is only read has one connection, and a second one from its first write on", async () => {
  const id = newId();
  workspaces.create(id);
  assert.equal(count(id), 0);
  assert.equal(connections(id), 1);
  await insert(id);
  assert.equal(connections(id), 2);
  assert.equal(count(id), 1);
});

test("what was read is not written once another file has replaced it", async () => {
  const [id, other] = [newId(), newId()];
  for (const one of [id, other]) workspaces.create(one);
  const path = workspaces.path(id);
  assert.equal(count(id), 0);
  // Within the time in which it is not looked for.
  renameSync(path, `${path}.away`);
  copyFileSync(workspaces.path(other), path);
  await assert.rejects(insert(id), (error) => error instanceof StoreRefusedError && error.fault === "foreign");
  assert.throws(() => workspaces.write(id, (db) => db.run(INSERT, newId(), newId())), StoreRefusedError);
  rmSync(path);
  renameSync(`${path}.away`, path);
  await insert(id);
  assert.equal(count(id), 1);
});

test("a reader can't write", () => {
  assert.throws(() => workspaces.read(ids[0]!, (db) => db.get(`${INSERT} RETURNING id`, newId(), "x")), /readonly/);
});

test("a workspace without a file is an error, and not a new, empty one", () => {
  const id = newId();
  assert.throws(() => workspaces.read(id, () => 1), StoreRefusedError);
  assert.throws(() => workspaces.read(id, () => 1), StoreRefusedError);
  assert.throws(() => workspaces.migrate(id), StoreRefusedError);
  assert.ok(!existsSync(workspaces.path(id)));
});

test("a process that has a file open which a newer release has changed writes nothing more to it", async () => {
  const [id] = ids as [string];
  const before = count(id);
  const newer = openWriter(workspaces.path(id), EAGER);
  const takeBack = makeTooNew(newer);
  await assert.rejects(insert(id), SchemaTooNewError);
  assert.throws(() => workspaces.write(id, (db) => db.run(INSERT, newId(), newId())), SchemaTooNewError);
  takeBack();
  newer.close();
  assert.equal(count(id), before);
  await insert(id);
});

test("a file that a newer release has only expanded is read and written on, by who has it open and by who opens it", async () => {
  const id = newId();
  workspaces.create(id);
  await insert(id);
  const newer = openWriter(workspaces.path(id), EAGER);
  newer.exec("ALTER TABLE tag ADD COLUMN colour TEXT");
  const takeBack = makeNewer(newer);
  await insert(id);
  workspaces.write(id, (db) => db.run(INSERT, newId(), newId()));
  const later = new Workspaces(folder, { ...EAGER, onStale: () => assert.fail("it is not stale") });
  assert.equal(
    later.read(id, (db) => db.value<number>("SELECT count(*) FROM tag")),
    3,
  );
  await later.writeWhenFree(id, 0, (db) => db.run(INSERT, newId(), newId()));
  workspaces.migrate(id);
  assert.equal(newer.value("PRAGMA user_version"), 999);
  takeBack();
  newer.close();
  later.close();
});

test("a long log is reported, and closing a file does not copy it", async () => {
  const reported: string[] = [];
  const options = { busyTimeoutMs: 0, checkpoints: false, onStale: "migrate" } as const;
  const light = new Workspaces(folder, { ...options, onGrown: (id) => reported.push(id) });
  const id = newId();
  light.create(id);
  for (let i = 0; i < 20; i++) {
    assert.deepEqual(reported, []);
    await light.writeWhenFree(id, 0, (db) => db.run(INSERT, newId(), `${i}`.padEnd(1024 * 1024)));
  }
  assert.deepEqual(reported, [id]);
  const log = () => statSync(`${light.path(id)}-wal`).size;
  const long = log();
  for (const other of ids) light.read(other, () => 1);
  assert.ok(reported.length > 1, "it is reported again when the file ought to be closed");
  assert.equal(log(), long);
  workspaces.checkpoint(id);
  assert.equal(log(), 0);
  for (const other of ids) light.read(other, () => 1);
  assert.ok(openFiles() <= 2 * 64);
  light.close();
});

test("a file of an older schema is brought up to date on the spot, or reported", () => {
  assert.equal(count(stale()), 0);
  const reported: string[] = [];
  const careful = new Workspaces(folder, { ...EAGER, onStale: (id) => reported.push(id) });
  const id = stale();
  assert.throws(() => careful.read(id, () => 1), StoreStaleError);
  assert.deepEqual(reported, [id]);
  workspaces.migrate(id);
  assert.equal(
    careful.read(id, (db) => db.value<number>("SELECT count(*) FROM tag")),
    0,
  );
  careful.close();
});

test("a file that somebody else has brought up to date, just before it is reported, is read and written", () => {
  const id = stale();
  // Called when it was found to be of an older schema, and before it is refused.
  const late = new Workspaces(folder, { ...EAGER, onStale: (found) => workspaces.migrate(found) });
  assert.equal(count(id, late), 0);
  const other = stale();
  late.write(other, (db) => db.run(INSERT, newId(), newId()));
  assert.equal(count(other, late), 1);
  late.close();
});

test("the service answers 503 for a workspace that is being brought up to date, and then serves it", async () => {
  const service = await startService();
  const client = service.workspace();
  const path = service.context.workspaces.path(client.workspaceId);
  for (const end of ["", "-wal", "-shm"]) rmSync(path + end, { force: true });
  writeOld(path);
  // Nobody can bring it up to date while somebody holds it.
  const release = holdWrites(service, client);
  // The service has the former file open. It looks again after a while.
  const get = () => client.get("/participants");
  await until(async () => (await get()).status === 503, "the service has found the other file");
  const { body, headers } = await get();
  assert.equal(body.code, "store_migrating");
  assert.ok(headers.get("retry-after"));
  release();
  await until(async () => (await get()).status === 200, "the workspace is served");
});

test("what a transaction reads once is read again when it has changed, or was taken back", () => {
  const [id] = ids as [string];
  const rename = (db: Writer, name: string) => db.run("UPDATE actor SET name = ? WHERE uid = 'once'", name);
  const name = (db: Reader) => db.once("name", () => db.value<string>("SELECT name FROM actor WHERE uid = 'once'"));
  workspaces.write(id, (db) => db.run("INSERT INTO actor (type, uid, name) VALUES ('ServiceActor', 'once', 'A')"));
  let reads = 0;
  workspaces.write(id, (db) => {
    const counted = () => db.once("count", () => ++reads);
    assert.equal(counted(), counted());
    db.run("UPDATE participant SET name = name");
    assert.equal(reads, counted());
    assert.equal(name(db), "A");
    rename(db, "B");
    assert.equal(name(db), "B");
    const fails = () => [rename(db, "C"), assert.equal(name(db), "C"), assert.fail("taken back")];
    assert.throws(() => db.savepoint(fails), /taken back/);
    assert.equal(name(db), "B");
    db.exec("UPDATE actor SET name = 'D' WHERE uid = 'once'");
    assert.equal(name(db), "D");
  });
  assert.throws(() => workspaces.write(id, (db) => [rename(db, "E"), name(db), assert.fail("no")]), /no/);
  assert.equal(
    workspaces.write(id, (db) => name(db)),
    "D",
  );
  assert.equal(workspaces.read(id, name), "D");
});

test("rows that a transaction keeps for the log are there for whatever reads it, and go with what is taken back", () => {
  const [id] = ids as [string];
  const statements: number[] = [];
  const into =
    "INSERT INTO event (uid, type, created_at, actor_id, resource_type, resource_uid) VALUES (?, 'late', 0, 0, 'none', 'none')";
  const add = (db: Writer, ...uids: string[]) =>
    db.writeLate(uids, (all) => {
      statements.push(all.length);
      for (const uid of all) db.run(into, uid);
    });
  const late = (db: Reader) => db.values("SELECT uid FROM event WHERE type = 'late' ORDER BY id");
  workspaces.write(id, (db) => {
    add(db, "late-1");
    add(db, "late-2", "late-3");
    db.run("UPDATE participant SET name = name");
    assert.deepEqual([db.lateRows, statements], [["late-1", "late-2", "late-3"], []]);
    assert.deepEqual([late(db), db.lateRows, statements], [["late-1", "late-2", "late-3"], [], [3]]);
    add(db, "late-4");
    const fails = () => [add(db, "late-5"), assert.deepEqual(db.lateRows, []), assert.fail("taken back")];
    assert.throws(() => db.savepoint(fails), /taken back/);
    add(db, "late-6");
  });
  assert.deepEqual(statements, [3, 1, 1, 1]);
  assert.throws(() => workspaces.write(id, (db) => [add(db, "late-7"), assert.fail("no")]), /no/);
  workspaces.write(id, (db) => add(db, "late-8"));
  assert.deepEqual(
    workspaces.read(id, late),
    [1, 2, 3, 4, 6, 8].map((number) => `late-${number}`),
  );
  workspaces.write(id, (db) => db.run("DELETE FROM event WHERE type = 'late'"));
});

test("no trigger finds the log of events, of which a transaction may keep rows", () => {
  const db = openWriter(workspaces.path(ids[0]!), EAGER, true);
  const all = db.all<{ name: string; sql: string }>(
    "SELECT name, sql FROM sqlite_schema WHERE type IN ('trigger', 'view')",
  );
  assert.ok(all.length > 30);
  assert.deepEqual(
    all.filter(({ sql }) => /\bevent\b/.test(sql)).map(({ name }) => name),
    [],
  );
  db.close();
});

test("no trigger and no other row changes a table of which a transaction reads once", () => {
  const db = openWriter(workspaces.path(ids[0]!), EAGER, true);
  const steady = new RegExp(
    `\\b(?:INTO|UPDATE|FROM|REPLACE)\\s+(?:OR \\w+ )?(?:INTO )?(?:${STEADY_TABLES.join("|")})\\b`,
    "i",
  );
  const triggers = db.all<{ name: string; sql: string }>("SELECT name, sql FROM sqlite_schema WHERE type = 'trigger'");
  const writes = (sql: string) => sql.slice(sql.indexOf("BEGIN")).replaceAll(/\bSELECT\b[^;]*/g, "");
  assert.ok(triggers.length > 30);
  assert.deepEqual(
    triggers.filter(({ sql }) => steady.test(writes(sql))).map(({ name }) => name),
    [],
  );
  for (const table of STEADY_TABLES) {
    const rules = db.all<{ parent: string; rule: string }>(
      `SELECT "table" AS parent, on_delete AS rule FROM pragma_foreign_key_list('${table}')`,
    );
    // What names the other table is seen itself.
    const others = rules.filter(({ rule, parent }) => rule !== "NO ACTION" && !STEADY_TABLES.includes(parent));
    assert.deepEqual(others, [], table);
  }
  db.close();
});

test("what is read before a write comes from the connection that writes, once that is open", async () => {
  const [, , id] = ids as [string, string, string];
  let writer: Reader | undefined;
  const reader = workspaces.read(id, (db) => db);
  assert.equal(
    workspaces.read(id, (db) => db, true),
    reader,
  );
  await workspaces.writeWhenFree(id, 1000, (db) => {
    writer = db;
  });
  assert.equal(
    workspaces.read(id, (db) => db, true),
    writer,
  );
  assert.equal(
    workspaces.read(id, (db) => db),
    reader,
  );
});
