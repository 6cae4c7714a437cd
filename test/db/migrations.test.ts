// Migrations: a file has the old schema or the new one, whatever happens on the way; and nobody works on a newer one.

import assert from "node:assert/strict";
import { readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { openControl } from "../../db/control.ts";
import { dumpSchema } from "../../db/dump-schema.ts";
import {
  currentVersion,
  migrate,
  migrationsOf,
  SchemaTooNewError,
  SchemaUnknownError,
  type StoreKind,
} from "../../db/migrate.ts";
import { findFaults } from "../../db/migration-plan.ts";
import { findChanged, hashMigrations, readReleased, recordRelease } from "../../db/record-release.ts";
import type { Writer } from "../../db/sqlite/connection.ts";
import { openWriter } from "../../db/sqlite/open.ts";
import { Workspaces } from "../../db/workspaces.ts";
import { tables } from "../../src/cells/ledger.ts";
import { newFolder } from "../support/folder.ts";
import { makeTooNew } from "../support/newer.ts";
import { Installation, ServiceProcess } from "../support/process.ts";
import { until } from "../support/until.ts";
import { LATER } from "./child.ts";
import { EARLIER, writeEarlier } from "./earlier.ts";

const folder = newFolder();

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

test("no released migration has changed or is gone, and a release's are recorded; what comes after it has a version of its own", () => {
  const released = readReleased();
  assert.deepEqual(findChanged(released, hashMigrations()), []);
  const { version } = JSON.parse(readFileSync(new URL("../../package.json", import.meta.url), "utf8"));
  if (!version.includes("-")) assert.ok(released[version], "run npm run record-release");
  else {
    assert.match(version, /^\d+\.\d+\.\d+-dev$/);
    const [next, last] = [version.replace("-dev", ""), Object.keys(released).at(-1)!];
    assert.equal(last.localeCompare(next, "en", { numeric: true }), -1, `${version} comes after ${last}`);
  }
});

test("a released migration that changes or goes is named, and only new ones are recorded with the next release", () => {
  const released = { "1.0.0": { "control/001-a.sql": "aa", "control/002-b.sql": "bb" } };
  const grown = { "control/001-a.sql": "aa", "control/002-b.sql": "bb", "control/003-c.sql": "cc" };
  assert.deepEqual(findChanged(released, grown), []);
  assert.deepEqual(recordRelease(released, "1.1.0", grown), {
    ...released,
    "1.1.0": { "control/003-c.sql": "cc" },
  });
  assert.throws(() => recordRelease(released, "1.0.0", grown), /1\.0\.0 is recorded already/);
  const changed = { ...grown, "control/001-a.sql": "a" };
  assert.match(findChanged(released, changed).join(), /^db\/control\/001-a\.sql has changed since release 1\.0\.0: /);
  assert.throws(() => recordRelease(released, "1.1.0-dev", grown), /1\.1\.0-dev is no release/);
  assert.throws(() => recordRelease(released, "1.1.0", changed), /001-a\.sql has changed/);
  assert.match(
    findChanged(released, { "control/001-a.sql": "aa" }).join(),
    /^db\/control\/002-b\.sql is gone since release 1\.0\.0: /,
  );
});

/** From the release after this one on, the last release works on with the new schema. */
const EXPANDED_SINCE = "1.1.0";

test("each migration of the next release leaves the last release working, or contracts what nobody needs any more", () => {
  const releases = readReleased();
  const known = new Set(Object.values(releases).flatMap((files) => Object.keys(files)));
  const older = Object.keys(releases).indexOf(EXPANDED_SINCE);
  const before = new Set(
    Object.values(releases)
      .slice(0, older < 0 ? undefined : older + 1)
      .flatMap((files) => Object.keys(files)),
  );
  for (const kind of KINDS) {
    const all = migrationsOf(kind);
    const released = all.filter(({ name }) => known.has(`${kind}/${name}`)).length;
    for (const migration of all.filter(({ name }) => !before.has(`${kind}/${name}`)))
      assert.deepEqual(findFaults(kind, migration, released), []);
  }
});

test("a migration that would break the release before it is named", () => {
  const faults = (sql: string) =>
    findFaults("workspace", { version: 22, name: "022-x.sql", sql: `-- Why.\n${sql}\n` }, 21).map((one) =>
      one.replace("db/workspace/022-x.sql ", ""),
    );
  for (const sql of [
    "CREATE TABLE a (\n  b TEXT NOT NULL -- c; d\n) STRICT;\nCREATE UNIQUE INDEX e ON a (b);\nINSERT INTO a SELECT uid FROM tag;",
    "ALTER TABLE tag ADD COLUMN colour TEXT;\nALTER TABLE tag ADD COLUMN n INTEGER NOT NULL DEFAULT 0;\nUPDATE tag SET n = 1;",
    "CREATE TRIGGER t AFTER DELETE ON tag BEGIN\n  DELETE FROM a;\nEND;\nDROP INDEX i;\nCREATE INDEX i ON tag (uid);",
  ])
    assert.deepEqual(faults(`-- Expands.\n${sql}`), [], sql);
  for (const sql of [
    "ALTER TABLE tag DROP COLUMN uid",
    "ALTER TABLE tag RENAME COLUMN uid TO id",
    "ALTER TABLE tag ADD COLUMN n INTEGER NOT NULL",
    "DROP TABLE tag",
    "DROP INDEX i",
    "CREATE UNIQUE INDEX i ON tag (uid)",
    "UPDATE tag SET uid = ''",
    "DELETE FROM tag",
    "INSERT INTO tag SELECT * FROM tag",
  ])
    assert.deepEqual(faults(`-- Expands.\n${sql};`), [`does not only expand: ${sql}`]);
  assert.match(faults("DROP TABLE tag;").join(), /^has no line "-- Expands\."/);
  const contracts = (oldest: number) =>
    `-- Contracts: the oldest schema version is ${oldest}.\nDROP TABLE tag;\nUPDATE schema_oldest SET version = ${oldest};`;
  assert.deepEqual(faults(contracts(21)), []);
  assert.match(faults(contracts(22)).join(), /^locks the last release out, which knows version 21/);
  assert.match(faults(contracts(21).replace("UPDATE schema_oldest", "-- ")).join(), /^does not say so in the store/);
});

test("a store that an earlier version wrote gets the schema of today, and keeps its rows", () => {
  for (const { what, kind, version } of EARLIER) {
    const db = openWriter(":memory:", PATIENT);
    writeEarlier(db, what);
    assert.equal(db.value("PRAGMA user_version"), version, what);
    const tables = db.values<string>(
      "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%'",
    );
    const count = () => tables.map((name) => [name, db.value<number>(`SELECT count(*) FROM "${name}"`)]);
    const before = Object.fromEntries(count());
    migrate(db, kind);
    const fresh = openWriter(":memory:", PATIENT);
    migrate(fresh, kind);
    const shape = (of: Writer) =>
      of.values<string>(
        `SELECT m.name || coalesce('.' || c.name || ' ' || c.type || c."notnull", m.sql, '') FROM sqlite_schema AS m
         LEFT JOIN pragma_table_xinfo(m.name) AS c ON m.type = 'table' ORDER BY 1`,
      );
    assert.deepEqual(shape(db), shape(fresh), what);
    if (kind === "control") before.installation = 1;
    assert.deepEqual(Object.fromEntries(count()), before, what);
    assert.equal(db.value("PRAGMA quick_check"), "ok", what);
    assert.deepEqual(db.all("PRAGMA foreign_key_check"), [], what);
    fresh.close();
    db.close();
  }
});

test("a store that no release wrote is refused in a sentence, and left alone", () => {
  const cases: [kind: StoreKind, change: string, difference: string, earlier?: string][] = [
    ["control", "ALTER TABLE job DROP COLUMN crashes; PRAGMA user_version = 3", "no such column: crashes"],
    ["workspace", "ALTER TABLE tag ADD COLUMN colour TEXT", "it has tag.colour TEXT", "workspace 3"],
    ["workspace", "PRAGMA user_version = 1", "table screener_content already exists"],
    ["control", "PRAGMA user_version = 0", "table installation already exists"],
  ];
  for (const [kind, change, difference, earlier] of cases) {
    const db = openWriter(":memory:", PATIENT);
    if (earlier) writeEarlier(db, earlier);
    else migrate(db, kind);
    db.exec(change);
    // What the third migration drops.
    if (kind === "control") db.exec("CREATE INDEX IF NOT EXISTS job_workspace ON job (workspace_id)");
    const version = db.value<number>("PRAGMA user_version");
    const before = schemaOf(db);
    assert.throws(
      () => migrate(db, kind),
      (error: Error) => {
        assert.ok(error instanceof SchemaUnknownError);
        const said = `This ${kind} store has schema version ${version}, but no release wrote it (${difference}): start the version`;
        assert.ok(error.message.startsWith(said), error.message);
        return true;
      },
    );
    assert.equal(schemaOf(db), before);
    assert.equal(db.value("PRAGMA user_version"), version);
    db.close();
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
  const more = { version: LATER.at(-1)!.version + 1, name: "1000-broken.sql", sql: "INSERT INTO nowhere VALUES (1)" };
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
    // And the next process finishes it.
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
  assert.deepEqual([version, later, check], [LATER.at(-1)!.version, PEOPLE, "ok"]);
});

test("a process that is older than a store refuses it in a sentence, and leaves it alone", () => {
  for (const kind of KINDS) {
    const db = openWriter(":memory:", PATIENT);
    migrate(db, kind);
    const newer = currentVersion(kind) + 1;
    db.exec(`PRAGMA user_version = ${newer}; UPDATE schema_oldest SET version = ${newer}`);
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
    makeTooNew(control.writer);
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

test("every process says so and ends when no release wrote the control store", async () => {
  const installation = new Installation();
  try {
    const control = openControl(installation.dataDir, PATIENT);
    control.writer.exec("ALTER TABLE job DROP COLUMN crashes; PRAGMA user_version = 3");
    control.close();
    const { code, stdout, stderr } = await installation.cli("workspace", "list");
    assert.deepEqual([code, stdout], [1, ""]);
    assert.match(stderr, /^This control store has schema version 3, but no release wrote it \([^\n]+\n$/);
  } finally {
    await installation.remove();
  }
});

/** Takes back the migration 007 of the control store. */
const OWN_BUDGETS =
  "DROP INDEX job_spooled; ALTER TABLE job DROP COLUMN spooled_bytes; DROP TABLE workspace_results; DROP TRIGGER workspace_result_changed; DROP TRIGGER workspace_result_deleted;";
const BODIES = "DROP TRIGGER job_body_ended; DROP TRIGGER job_body_deleted; DROP TABLE job_body;";
const EVENTS = "DROP TABLE pending_event; ALTER TABLE job DROP COLUMN note; ALTER TABLE job DROP COLUMN cause;";
const CELLS = `DROP TABLE workspace_move; DROP TABLE moved_workspace; DROP TABLE moved_credential; DROP TABLE arrival;
  ALTER TABLE installation DROP COLUMN cell; ALTER TABLE installation DROP COLUMN former_cells; ALTER TABLE workspace DROP COLUMN moving; ALTER TABLE workspace DROP COLUMN former_cells;`;
const CONSOLE = `DROP INDEX workspace_user_notices; ALTER TABLE workspace_user DROP COLUMN notices; ALTER TABLE workspace_user DROP COLUMN notices_since; DROP INDEX workspace_user_account; ALTER TABLE workspace DROP COLUMN requires_two_factor; ALTER TABLE workspace_user DROP COLUMN totp_secret;
  ALTER TABLE workspace_user DROP COLUMN totp_step; ALTER TABLE workspace_user DROP COLUMN recovery_codes; ALTER TABLE workspace_user DROP COLUMN account_uid; ALTER TABLE workspace_user DROP COLUMN entered_at; DROP TABLE operator; ALTER TABLE installation DROP COLUMN backup_at; ALTER TABLE installation DROP COLUMN backup_failed;
  DROP INDEX workspace_user_oidc; ALTER TABLE workspace_user DROP COLUMN oidc_issuer;
  ALTER TABLE workspace_user DROP COLUMN oidc_subject; DROP TABLE console_session; DROP TABLE sign_in_link; DROP INDEX workspace_user_email;
  ALTER TABLE workspace_user DROP COLUMN email; ALTER TABLE workspace_user DROP COLUMN role; ALTER TABLE workspace_user DROP COLUMN password;`;
const LIVES = ["is_sandbox", "suspended_at", "answers_months", "unassigned_days", "is_overwritten"]
  .map((column) => `ALTER TABLE workspace DROP COLUMN ${column};`)
  .concat(
    "ALTER TABLE installation DROP COLUMN is_overwritten;",
    "ALTER TABLE installation DROP COLUMN backup_for;",
    "ALTER TABLE installation DROP COLUMN backup_runner;",
    "ALTER TABLE installation DROP COLUMN backup_begun_at;",
    "ALTER TABLE installation DROP COLUMN backup_dir;",
    "ALTER TABLE installation DROP COLUMN clock_before;",
    "ALTER TABLE installation DROP COLUMN clock_ahead_at;",
    "ALTER TABLE workspace_user DROP COLUMN disabled_at;",
  )
  .join(" ");

test("an installation that earlier versions wrote is served: lists, imports, publications and exports", async () => {
  const installation = new Installation();
  try {
    const of = EARLIER.filter(({ kind }) => kind === "workspace").map(({ what }) => {
      const workspace = installation.workspace();
      const path = new Workspaces(installation.dataDir, { ...PATIENT, onStale: "migrate" }).path(workspace.id);
      for (const end of ["", "-wal", "-shm"]) rmSync(path + end, { force: true });
      const db = openWriter(path, PATIENT);
      writeEarlier(db, what);
      db.close();
      return { what, workspace };
    });
    const control = openControl(installation.dataDir, PATIENT);
    control.writer.exec(
      `DROP TABLE store_migration; DROP TABLE schema_oldest; ${CONSOLE} ${CELLS} DROP TABLE screener_key; DROP TABLE mail_budget; DROP TABLE mail_workspace; DROP TABLE webhook_workspace; ${BODIES} ${EVENTS} ${OWN_BUDGETS} DROP TABLE store_finding; DROP TABLE store_check; DROP TRIGGER job_result_changed; DROP TRIGGER job_result_deleted; DROP TABLE result_total; ALTER TABLE workspace DROP COLUMN max_removals; ALTER TABLE api_key DROP COLUMN scopes; ALTER TABLE access_token DROP COLUMN scopes; ${LIVES} CREATE INDEX job_workspace ON job (workspace_id); PRAGMA user_version = 2`,
    );
    control.close();
    assert.equal((await installation.cli("migrate")).code, 0);
    const web = await installation.web();
    for (const { what, workspace } of of) {
      const client = workspace.client(web);
      for (const path of ["/screeners", "/participants", "/screener-participants", "/screener-sessions"]) {
        const { status, body } = await client.get(path);
        assert.deepEqual([status, body.total], [200, 1], `${what}: ${path}`);
      }
      const screenerId = (await client.get("/screeners")).body.items[0].id;
      const question = { id: "q", key: "age", _type: "ScreenerTextQuestion", prompt: "How old are you?" };
      const content = { pages: [{ questions: [question] }] };
      assert.equal((await client.call("PUT", `/screeners/${screenerId}/content`, { body: content })).status, 200, what);
      assert.equal((await client.post("/screener-publications", { screenerId })).status, 201, what);
      const participants = ["x1", "x2"].map((uid) => ({ externalUid: uid, email: `${uid}@example.org`, name: uid }));
      const imported = await client.post("/screener-participants-import", { screenerId, participants });
      assert.deepEqual([imported.status, imported.body.length], [200, 2], what);
      assert.equal((await client.post("/screener-sessions", { screenerId })).status, 200, what);
      assert.equal((await client.get(`/screeners/${screenerId}/export`)).status, 200, what);
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
    makeTooNew(db);
    db.close();
    const web = await installation.web();
    const { status, body, headers } = await newer.client(web).get("/participants");
    assert.deepEqual([status, body.code], [503, "store_unavailable"]);
    assert.ok(headers.get("retry-after"));
    const isLogged = () => /This workspace store has schema version 999/.test(JSON.stringify(web.log));
    await until(isLogged, "the log says what is the matter");
    assert.equal((await other.client(web).get("/participants")).status, 200);
    const migrated = await installation.cli("migrate");
    assert.equal(migrated.code, 1);
    const failed = `It failed for 1 of 2 workspaces. ${newer.id}: This workspace store has schema version 999, `;
    assert.ok(migrated.stderr.startsWith(failed), migrated.stderr);
  } finally {
    await installation.remove();
  }
});

test("what the control store has of a workspace moves with it, or is named here with the reason why not", () => {
  const control = openWriter(":memory:", PATIENT);
  try {
    migrate(control, "control");
    const stays = {
      store_finding: "it is of the store's file here",
      store_migration: "as above",
      store_check: "as above",
      workspace_results: "triggers count it",
      sign_in_link: "it works for minutes",
      workspace_move: "it is of moves from here",
      moved_workspace: "as above",
      moved_credential: "as above",
      arrival: "it is of moves to here",
      operator: "it is of the installation here",
      mail_workspace: "it is noted where it arrives",
      screener_key: "a study that moves gets new ones: nothing from before is found again",
    };
    const ofWorkspaces = control.values<string>(
      `SELECT DISTINCT m.name FROM sqlite_schema AS m JOIN pragma_table_info(m.name) AS c WHERE m.type = 'table'
         AND c.name IN ('workspace_id', 'workspace_uid', 'workspace_user_id', 'api_key_id', 'job_uid') ORDER BY 1`,
    );
    assert.deepEqual(
      ofWorkspaces.filter((name) => !(name in stays)),
      tables.filter((name) => name !== "workspace").sort(),
    );
  } finally {
    control.close();
  }
});

test("a new store has its own secrets, though it is a copy of one that the migrations have made", () => {
  const drawn = migrationsOf("workspace").filter(({ sql }) => /\brandom/.test(sql));
  assert.deepEqual(
    drawn.map(({ name }) => name),
    ["022-references.sql"],
    "createStore draws again what a migration has drawn",
  );
  const stores = new Workspaces(newFolder(), { ...PATIENT, onStale: "migrate" });
  const keys = ["one", "two"].map((name) => {
    stores.create(name);
    return stores.read(name, (db) => db.value<Buffer>("SELECT key FROM reference_key")!.toString("hex"));
  });
  assert.notEqual(keys[0], keys[1]);
});
