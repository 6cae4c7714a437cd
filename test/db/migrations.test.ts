// Migrations: a file has the old schema or the new one, whatever happens on the way; and nobody works on a newer one.

import assert from "node:assert/strict";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import type { Writer } from "../../db/connection.ts";
import { openControl } from "../../db/control.ts";
import { dumpSchema } from "../../db/dump-schema.ts";
import { currentVersion, migrate, migrationsOf, SchemaTooNewError } from "../../db/migrate.ts";
import { openWriter } from "../../db/open.ts";
import { Workspaces } from "../../db/workspaces.ts";
import { Installation, ServiceProcess } from "../support/process.ts";
import { until } from "../support/until.ts";
import { LATER } from "./child.ts";

const folder = mkdtempSync(join(tmpdir(), "screening-migrations-"));
after(() => rmSync(folder, { recursive: true, force: true }));

const KINDS = ["control", "workspace"] as const;
const PATIENT = { busyTimeoutMs: 10_000, checkpoints: true } as const;
const PEOPLE = 20_000;

let files = 0;

/** A workspace's file of the present schema, with people in it. */
function workspaceFile(): string {
  const path = join(folder, `${files++}.sqlite`);
  const db = openWriter(path, PATIENT);
  migrate(db, "workspace");
  db.run(
    `WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ?)
     INSERT INTO participant (uid, external_uid, created_by, created_at, updated_by, updated_at)
     SELECT 'u' || i, 'x' || i, 1, '', 1, '' FROM n`,
    PEOPLE,
  );
  db.close();
  return path;
}

function schemaOf(db: Writer): string {
  return db.values<string>("SELECT coalesce(sql, name) FROM sqlite_schema ORDER BY name").join("\n");
}

/** Looks at a file as the next process would find it. */
function look(path: string): { version: number; schema: string; check: string; later: number } {
  const db = openWriter(path, PATIENT);
  try {
    const schema = schemaOf(db);
    return {
      version: db.value<number>("PRAGMA user_version") ?? -1,
      schema,
      check: db.value<string>("PRAGMA quick_check") ?? "",
      later: schema.includes("later") ? db.value<number>("SELECT count(later) FROM participant")! : 0,
    };
  } finally {
    db.close();
  }
}

function child(...args: string[]): ServiceProcess {
  return new ServiceProcess("test/db/child.ts", { args });
}

test("schema.sql is what the migrations add up to", () => {
  for (const kind of KINDS) {
    const written = readFileSync(new URL(`../../db/${kind}/schema.sql`, import.meta.url), "utf8");
    assert.equal(dumpSchema(kind), written, `run npm run schema`);
  }
});

test("each migration opens with its reason", () => {
  for (const kind of KINDS) {
    for (const { sql, name } of migrationsOf(kind)) assert.match(sql, /^-- \S.{20}/, `${kind}/${name}`);
  }
});

test("every foreign key has an index, so that no change of what it points to is a scan", () => {
  for (const kind of KINDS) {
    const db = openWriter(":memory:", PATIENT);
    migrate(db, kind);
    const keys = db.all<{ table: string; column: string; id: number; seq: number }>(
      `SELECT m.name AS "table", k."from" AS column, k.id, k.seq FROM sqlite_schema AS m
       JOIN pragma_foreign_key_list(m.name) AS k WHERE m.type = 'table'`,
    );
    assert.ok(keys.length > 3, kind);
    for (const { table, column } of keys) {
      const leading = db.values<string>(
        `SELECT c.name FROM pragma_index_list(?) AS i JOIN pragma_index_info(i.name) AS c WHERE c.seqno = 0
         UNION ALL SELECT name FROM pragma_table_info(?) WHERE pk = 1`,
        table,
        table,
      );
      assert.ok(leading.includes(column), `${kind}: ${table}.${column} has no index`);
    }
    db.close();
  }
});

test("a migration that fails at any statement leaves everything as it was", () => {
  const path = workspaceFile();
  const before = look(path);
  const statements = LATER.at(-1)!.sql.split(";\n");
  for (let position = 0; position <= statements.length; position++) {
    const broken = statements.toSpliced(position, 0, "INSERT INTO nowhere VALUES (1)").join(";\n");
    const db = openWriter(path, PATIENT);
    assert.throws(
      () => migrate(db, "workspace", [...LATER.slice(0, -1), { ...LATER.at(-1)!, sql: broken }]),
      /nowhere/,
    );
    assert.equal(db.inTransaction, false);
    db.close();
    assert.deepEqual(look(path), before);
  }
  // One that is whole, before one that fails, does not stay either: the release needs both.
  const db = openWriter(path, PATIENT);
  const more = { version: LATER.length + 1, name: "1000-broken.sql", sql: "INSERT INTO nowhere VALUES (1)" };
  assert.throws(() => migrate(db, "workspace", [...LATER, more]), /nowhere/);
  db.close();
  assert.deepEqual(look(path), before);
});

test("a process that is killed while it migrates leaves the old schema or the new one", async () => {
  const reference = workspaceFile();
  const old = look(reference);
  const db = openWriter(reference, PATIENT);
  const began = performance.now();
  migrate(db, "workspace", LATER);
  const took = performance.now() - began;
  db.close();
  const next = look(reference);
  assert.equal(next.later, PEOPLE);
  assert.notEqual(old.schema, next.schema);

  const statements = LATER.at(-1)!.sql.split(";\n").length;
  const seen = new Set<number>();
  const check = (path: string, when: string) => {
    const found = look(path);
    assert.deepEqual(found, found.version === old.version ? old : next, when);
    seen.add(found.version);
    // And whoever comes next finishes it.
    const again = openWriter(path, PATIENT);
    migrate(again, "workspace", LATER);
    again.close();
    assert.deepEqual(look(path), next, when);
  };
  // Before each statement, with the version among them, and before the commit.
  for (let after = 1; after <= statements + 2; after++) {
    const path = workspaceFile();
    const { signal, code } = await child("migrate", path, String(after)).ended;
    if (after <= statements + 1) assert.deepEqual([code, signal], [null, "SIGKILL"], `${after}`);
    check(path, `killed after ${after} statements`);
  }
  // At any moment, inside of statements and of the commit.
  for (let round = 0; round < 8; round++) {
    const path = workspaceFile();
    const process = child("migrate", path);
    await process.says(/begins/);
    await new Promise((resolve) => setTimeout(resolve, (took * round) / 6));
    await process.kill();
    check(path, `killed in round ${round}`);
  }
  assert.ok(seen.has(old.version));
});

test("processes that migrate one file at once do it once", async () => {
  const path = workspaceFile();
  const ends = await Promise.all([1, 2, 3].map(() => child("migrate", path).ended));
  assert.deepEqual(
    ends.map(({ code }) => code),
    [0, 0, 0],
  );
  const { version, later, check } = look(path);
  assert.deepEqual([version, later, check], [LATER.length, PEOPLE, "ok"]);
});

test("a process that is older than a store refuses it in a sentence, and leaves it alone", () => {
  for (const kind of KINDS) {
    const db = openWriter(":memory:", PATIENT);
    migrate(db, kind);
    const newer = currentVersion(kind) + 1;
    db.exec(`PRAGMA user_version = ${newer}`);
    const before = schemaOf(db);
    assert.throws(
      () => migrate(db, kind),
      (error: Error) => {
        assert.ok(error instanceof SchemaTooNewError);
        assert.match(error.message, new RegExp(`^This ${kind} store has schema version ${newer}, .*start a release`));
        return true;
      },
    );
    assert.equal(schemaOf(db), before);
    db.close();
  }
});

test("every process says so and ends when the control store is newer", async () => {
  const installation = new Installation({ REDIS_URL: process.env.TEST_REDIS_URL ?? "" });
  try {
    const control = openControl(installation.dataDir, PATIENT);
    control.writer.exec("PRAGMA user_version = 999");
    control.close();
    const env = { DATA_DIR: installation.dataDir, PORT: "0", REDIS_URL: process.env.TEST_REDIS_URL ?? "" };
    for (const [script, ...args] of [
      ["src/web.ts"],
      ["workers/main.ts"],
      ["src/cli.ts", "workspace", "list"],
    ] as const) {
      const old = new ServiceProcess(script, { env, args: [...args] });
      const { code } = await old.ended;
      assert.equal(code, 1, script);
      assert.equal(old.stdout, "", script);
      assert.match(old.stderr, /^This control store has schema version 999, [^\n]+\n$/, script);
    }
  } finally {
    await installation.remove();
  }
});

test("where one workspace's store is newer, the others go on, and the log says what is the matter", async () => {
  const installation = new Installation();
  try {
    const newer = installation.workspace();
    const other = installation.workspace();
    const path = new Workspaces(installation.dataDir, { ...PATIENT, onStale: "migrate" }).path(newer.id);
    const db = openWriter(path, PATIENT);
    db.exec("PRAGMA user_version = 999");
    db.close();
    const web = await installation.web();
    const { status, body, headers } = await newer.client(web).get("/participants");
    assert.deepEqual([status, body.code], [503, "store_unavailable"]);
    assert.ok(headers.get("retry-after"));
    const told = () => /This workspace store has schema version 999/.test(JSON.stringify(web.log));
    await until(told, "the log says what is the matter");
    assert.equal((await other.client(web).get("/participants")).status, 200);
    const migrated = await installation.cli("migrate");
    assert.equal(migrated.code, 1);
    const failed = `It failed for 1 of 2 workspaces. ${newer.id}: This workspace store has schema version 999, `;
    assert.ok(migrated.stderr.startsWith(failed), migrated.stderr);
  } finally {
    await installation.remove();
  }
});
