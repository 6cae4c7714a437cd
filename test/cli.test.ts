// The operator's command line: what it prints, how it ends, and that what it does takes effect at once.

import assert from "node:assert/strict";
import { readFileSync, rmSync } from "node:fs";
import { test } from "node:test";
import { currentVersion } from "../db/migrate.ts";
import { openWriter } from "../db/sqlite/open.ts";
import { storePath } from "../db/store.ts";
import { writeEarlier } from "./db/earlier.ts";
import { Client, people, TIMESTAMP } from "./support/client.ts";
import { plain } from "./support/http.ts";
import { install } from "./support/process.ts";

const installation = install({ LOG_LEVEL: "warn" });
/** Runs a command with --json. @returns the one value that it prints */
const json = (...args: string[]) => jsonOf(installation, ...args);

// biome-ignore lint/suspicious/noExplicitAny: a test says itself what it expects
async function jsonOf(installed: typeof installation, ...args: string[]): Promise<any> {
  const { code, stdout, stderr } = await installed.cli(...args, "--json");
  assert.deepEqual([code, stderr], [0, ""], args.join(" "));
  assert.match(stdout, /^[[{].*[\]}]\n$/, "one line, and nothing else");
  return JSON.parse(stdout);
}

const made = await json("workspace", "create", "Acme");
const workspace: { id: string; name: string } = made.workspace;
const web = await installation.web();
const client = new Client(web.url, workspace.id, made);

async function statusWith(headers: Record<string, string>): Promise<number> {
  return (await plain(web.url, { method: "GET", path: "/screeners", headers })).status;
}

const withKey = (apiKey: string, apiSecret: string) =>
  statusWith({ "X-Service-Api-Key": apiKey, "X-Service-Api-Secret": apiSecret });
const withToken = (accessToken: string) => statusWith({ Authorization: `Bearer ${accessToken}` });

const ID = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}$/;

test("workspace create makes a workspace with a key, while the service runs", async () => {
  const made = await json("workspace", "create", "  Other  ");
  assert.deepEqual(Object.keys(made), ["workspace", "apiKey", "apiSecret"]);
  assert.deepEqual(Object.keys(made.workspace), ["id", "name"]);
  assert.match(made.workspace.id, ID);
  assert.equal(made.workspace.name, "Other");
  assert.equal(await withKey(made.apiKey, made.apiSecret), 200);
  const other = new Client(web.url, made.workspace.id, made);
  assert.equal((await other.post("/screeners", { title: "x" })).status, 201);
  assert.equal((await client.get("/screeners")).body.total, 0);
});

test("workspace list prints all of them, the oldest first", async () => {
  const all: { id: string; name: string; createdAt: string }[] = await json("workspace", "list");
  assert.deepEqual(
    all.map(({ name }) => name),
    ["Acme", "Other"],
  );
  assert.deepEqual(Object.keys(all[0]!), [
    "id",
    "name",
    "createdAt",
    "maxRemovals",
    "suspendedAt",
    "answersMonths",
    "unassignedDays",
    "isSandbox",
  ]);
  assert.equal(all[0]!.id, workspace.id);
  assert.match(all[0]!.createdAt, TIMESTAMP);
});

test("workspace set limits how many an import may remove, unless the import says it itself", async () => {
  const { workspace, ...credentials } = await json("workspace", "create", "Limited");
  const limited = new Client(web.url, workspace.id, credentials);
  const screenerId = await limited.screener();
  const set = (limit: string) => json("workspace", "set", "--workspace", workspace.id, "--max-removals", limit);
  const listed = async () =>
    (await json("workspace", "list")).find(({ id }: { id: string }) => id === workspace.id).maxRemovals;
  const sync = (count: number, more: object = {}) =>
    limited.import(screenerId, people(count), { importMode: "FULL_SYNC", ...more });
  assert.equal(await listed(), null);
  assert.equal((await sync(100)).status, 200);

  assert.deepEqual([(await set("20%")).maxRemovals, await listed()], ["20%", "20%"]);
  const stopped = await sync(79);
  const { code, removals, assignments, maxRemovals } = stopped.body;
  assert.deepEqual(
    [stopped.status, code, removals, assignments, maxRemovals],
    [409, "removal_limit_exceeded", 21, 100, "20%"],
  );
  assert.equal((await limited.get("/screener-participants")).body.total, 100);
  assert.equal((await sync(80)).status, 200, "20 of 100 are not too many");
  assert.equal((await sync(40, { maxRemovals: "100%" })).status, 200, "the request's own limit counts");

  assert.deepEqual([(await set("5")).maxRemovals, await listed()], [5, 5]);
  assert.deepEqual([(await sync(34)).body.maxRemovals, (await sync(35)).status], [5, 200]);
  assert.deepEqual([(await set("none")).maxRemovals, await listed()], [null, null]);
  assert.equal((await sync(0)).status, 200);
});

test("keys are created, listed, rotated and revoked, each at once", async () => {
  const of = ["--workspace", workspace.id];
  const key = await json("key", "create", ...of, "--name", "Sync");
  assert.deepEqual(Object.keys(key), ["id", "apiKey", "apiSecret"]);
  assert.equal(await withKey(key.apiKey, key.apiSecret), 200);
  const made = await client.call("POST", "/screeners", {
    body: { title: "x" },
    headers: { "X-Service-Api-Key": key.apiKey, "X-Service-Api-Secret": key.apiSecret },
  });
  assert.deepEqual(made.body.createdBy, { _type: "ApplicationActor", id: key.id, name: "Sync" });

  const listed = await json("key", "list", ...of);
  assert.deepEqual(
    listed.map(({ name }: { name: string }) => name),
    ["Acme API key", "Sync"],
  );
  const members = ["id", "apiKey", "name", "createdAt", "revokedAt", "lastUsedAt", "secrets", "scopes"];
  assert.deepEqual(Object.keys(listed[1]), members);
  assert.deepEqual([listed[1].id, listed[1].apiKey, listed[1].revokedAt], [key.id, key.apiKey, null]);
  assert.ok(!JSON.stringify(listed).includes("secret_"));

  const second = await json("key", "rotate", key.id, ...of);
  assert.deepEqual([second.id, second.apiKey], [key.id, key.apiKey]);
  assert.notEqual(second.apiSecret, key.apiSecret);
  assert.deepEqual(
    [await withKey(key.apiKey, key.apiSecret), await withKey(key.apiKey, second.apiSecret)],
    [200, 200],
    "both secrets are live, so that a key is rotated without an outage",
  );
  const third = await json("key", "rotate", key.id.toUpperCase(), ...of, "--overlap-hours", "0");
  assert.deepEqual(
    [
      await withKey(key.apiKey, key.apiSecret),
      await withKey(key.apiKey, second.apiSecret),
      await withKey(key.apiKey, third.apiSecret),
    ],
    [401, 401, 200],
  );
  const short = await json("key", "create", ...of, "--name", "Short", "--expires-in-days", "7");
  await json("key", "rotate", short.id, ...of);
  const expiries = installation.control<number>(
    "SELECT round((s.expires_at - s.created_at) / 86400000.0) FROM api_key_secret AS s JOIN api_key AS k ON k.id = s.api_key_id WHERE k.uid = ? ORDER BY s.id",
    short.id,
  );
  assert.deepEqual(expiries, [1, 7], "a new secret lives no longer than the one before it was meant to");
  const revoked = await json("key", "revoke", key.id, ...of);
  assert.match(revoked.revokedAt, TIMESTAMP);
  assert.equal(await withKey(key.apiKey, third.apiSecret), 401);
  assert.equal((await json("key", "list", ...of))[1].revokedAt, revoked.revokedAt);
  const again = await installation.cli("key", "rotate", key.id, ...of);
  assert.deepEqual([again.code, again.stderr], [1, `The workspace has no live key ${key.id}.\n`]);
});

test("a key and a token do what their scopes allow, also after a rotation; without --scopes they do everything", async () => {
  const of = ["--workspace", workspace.id];
  const make = async (key: { apiKey: string; apiSecret: string }) =>
    (
      await plain(web.url, {
        method: "POST",
        path: "/screeners",
        headers: {
          "X-Service-Api-Key": key.apiKey,
          "X-Service-Api-Secret": key.apiSecret,
          "Content-Type": "application/json",
        },
        body: JSON.stringify({ title: "x" }),
      })
    ).status;
  const key = await json("key", "create", ...of, "--name", "Warehouse", "--scopes", "respond, read");
  assert.deepEqual([await withKey(key.apiKey, key.apiSecret), await make(key)], [200, 403]);
  const rotated = await json("key", "rotate", key.id, ...of);
  assert.deepEqual([await withKey(key.apiKey, rotated.apiSecret), await make(rotated)], [200, 403]);
  const token = await json("token", "create", ...of, "--user-name", "Kiosk", "--scopes", "respond");
  assert.equal(await withToken(token.accessToken), 403);
  const keys: { name: string; scopes: string[] }[] = await json("key", "list", ...of);
  assert.deepEqual(keys.find(({ name }) => name === "Warehouse")?.scopes, ["read", "respond"]);
  assert.deepEqual(keys[0]?.scopes, ["read", "import", "respond", "author", "review", "admin"]);
  const tokens: { id: string; scopes: string[] }[] = await json("token", "list", ...of);
  assert.deepEqual(tokens.find(({ id }) => id === token.id)?.scopes, ["respond"]);
  await json("token", "revoke", token.id, ...of);
});

test("tokens are created, listed and revoked, each at once; a user is made once", async () => {
  const of = ["--workspace", workspace.id];
  const token = await json("token", "create", ...of, "--user-name", "Ada");
  assert.deepEqual(Object.keys(token), ["id", "accessToken", "user"]);
  assert.deepEqual(Object.keys(token.user), ["id", "name"]);
  assert.equal(token.user.name, "Ada");
  assert.match(token.user.id, ID);
  assert.equal(await withToken(token.accessToken), 200);
  const second = await json("token", "create", ...of, "--user-name", " Ada ", "--expires-in-days", "2");
  assert.deepEqual(second.user, token.user);

  const listed = (await json("token", "list", ...of)).slice(-2);
  assert.deepEqual(Object.keys(listed[0]), [
    "id",
    "user",
    "createdAt",
    "expiresAt",
    "revokedAt",
    "lastUsedAt",
    "scopes",
  ]);
  assert.deepEqual([listed[0].user, listed[0].expiresAt], [token.user, null]);
  const days = (Date.parse(listed[1].expiresAt) - Date.parse(listed[1].createdAt)) / 86_400_000;
  assert.ok(Math.abs(days - 2) < 0.01);
  assert.ok(!JSON.stringify(listed).includes("token_"));

  const revoked = await json("token", "revoke", listed[0].id.toUpperCase(), ...of);
  assert.match(revoked.revokedAt, TIMESTAMP);
  assert.deepEqual([await withToken(token.accessToken), await withToken(second.accessToken)], [401, 200]);
});

test("migrate brings all stores up to date, and says how many", async () => {
  assert.deepEqual(await json("migrate"), { workspaces: 3 });
});

test("migrate --plan says which stores would be migrated, and changes none", async () => {
  // One without a service: a running one migrates what it comes upon.
  const stopped = install({ LOG_LEVEL: "warn" });
  const json = (...args: string[]) => jsonOf(stopped, ...args);
  const made = await json("workspace", "create", "Written before");
  await json("workspace", "create", "Up to date");
  const path = storePath(stopped.dataDir, made.workspace.id);
  for (const end of ["", "-wal", "-shm"]) rmSync(path + end, { force: true });
  const db = openWriter(path, { busyTimeoutMs: 1000, checkpoints: true });
  writeEarlier(db, "workspace 3");
  db.close();
  const before = readFileSync(path);
  const { changed, stores } = await json("migrate", "--plan");
  const [{ store, from, to, seconds, bytes }, ...others] = stores;
  assert.deepEqual([changed, store, from, to, others], [false, made.workspace.id, 3, currentVersion("workspace"), []]);
  assert.ok(seconds >= 0 && bytes === before.length);
  const { stdout } = await stopped.cli("migrate", "--plan");
  assert.match(stdout, /\(Written before\): from schema version 3 to \d+, about a second or less; .* MB more\.\n/);
  assert.match(stdout, /\n1 of 3 stores would be migrated, 2 are up to date\. Nothing was changed\.\n$/);
  assert.deepEqual(readFileSync(path), before);
  const migrated = await stopped.cli("migrate", "--json");
  assert.deepEqual([migrated.code, JSON.parse(migrated.stdout)], [0, { workspaces: 2 }], migrated.stderr);
  assert.match(migrated.stderr, /^Migrating the store of .* from schema version 3 to \d+ .*\n.*MB have become/);
  assert.deepEqual((await json("migrate", "--plan")).stores, []);
});

test("--version prints the release", async () => {
  const { code, stdout } = await installation.cli("--version");
  assert.deepEqual([code, stdout], [0, `${JSON.parse(readFileSync("package.json", "utf8")).version}\n`]);
});

test("without --json the output is for people", async () => {
  const of = ["--workspace", workspace.id];
  const made = await installation.cli("key", "create", ...of, "--name", "For people");
  assert.equal(made.code, 0);
  assert.match(made.stdout, /^id {6}\S+\nkey {5}key_\S+\nsecret {2}secret_\S+\nThe secret is shown only once\.\n$/);
  for (const args of [["workspace", "list"], ["key", "list", ...of], ["token", "list", ...of], ["migrate"]]) {
    const { code, stdout } = await installation.cli(...args);
    assert.equal(code, 0);
    assert.ok(stdout.trim());
    assert.throws(() => JSON.parse(stdout), args.join(" "));
  }
});

test("a missing or wrong argument prints a message and the usage, and ends with 2", async () => {
  const of = ["--workspace", workspace.id];
  // When a key was used is written some time later.
  const keys = async () => (await json("key", "list", ...of)).map((key: object) => ({ ...key, lastUsedAt: null }));
  const before = await keys();
  const wrong = [
    [],
    ["workspace"],
    ["workspace", "nonsense"],
    ["workspace", "create"],
    ["workspace", "create", "   "],
    ["workspace", "list", "--nonsense"],
    ["workspace", "set", ...of],
    ["workspace", "set", ...of, "--max-removals", "20 %"],
    ["workspace", "set", ...of, "--max-removals", "101%"],
    ["key", "create", "--name", "x"],
    ["key", "create", ...of, "--name", "x", "--expires-in-days", "0"],
    ["key", "create", ...of, "--name"],
    ["key", "create", ...of, "--name", "x", "--scopes", "read,write"],
    ["token", "create", ...of, "--user-name", "x", "--scopes", ""],
    ["key", "rotate", "x", ...of, "--overlap-hours", "-1"],
    ["key", "revoke", ...of],
    ["token", "create", ...of, "--user-name", "  "],
    ["migrate", "now"],
  ];
  const check = async (args: string[]) => {
    const { code, stdout, stderr } = await installation.cli(...args);
    const what = `cli ${args.map((one) => JSON.stringify(one)).join(" ")}: ${stderr}`;
    assert.equal(code, 2, what);
    assert.equal(stdout, "", what);
    assert.match(stderr, /^Usage: /m, what);
  };
  for (let first = 0; first < wrong.length; first += 4) await Promise.all(wrong.slice(first, first + 4).map(check));
  assert.deepEqual(await keys(), before);
  assert.equal((await json("workspace", "list")).length, 3);
});

test("an unknown id prints one sentence and ends with 1; nothing of another workspace changes", async () => {
  const [, other] = await json("workspace", "list");
  const [foreign] = await json("key", "list", "--workspace", other.id);
  const missing: [string[], RegExp][] = [
    [["workspace", "set", "--workspace", "nowhere", "--max-removals", "5"], /^There is no workspace nowhere\.\n$/],
    [["key", "list", "--workspace", "nowhere"], /^There is no workspace nowhere\.\n$/],
    [["key", "revoke", "nothing", "--workspace", workspace.id], /^The workspace has no key nothing\.\n$/],
    [["key", "revoke", foreign.id, "--workspace", workspace.id], /^The workspace has no key \S+\.\n$/],
    [["key", "rotate", foreign.id, "--workspace", workspace.id], /^The workspace has no live key \S+\.\n$/],
    [["token", "revoke", "nothing", "--workspace", workspace.id], /^The workspace has no token nothing\.\n$/],
  ];
  for (const [args, sentence] of missing) {
    const { code, stdout, stderr } = await installation.cli(...args);
    assert.deepEqual([code, stdout], [1, ""], args.join(" "));
    assert.match(stderr, sentence);
  }
  assert.equal((await json("key", "list", "--workspace", other.id))[0].revokedAt, null);
});

test("an attribute is indexed, listed and unindexed, while the service runs", async () => {
  const of = ["--workspace", workspace.id];
  const attributes = { "home town": "York", Home: 1 };
  await client.post("/participants", { externalUid: "A", email: "a@example.org", name: "A", attributes });
  const find = async () => (await client.get("/participants?filter[attributes.home%20town][eq]=York")).body.total;
  assert.deepEqual(await json("attribute", "index", " home town ", ...of), { key: "home town", participants: 1 });
  assert.deepEqual(await json("attribute", "index", "home town", ...of), { key: "home town", participants: 1 });
  assert.deepEqual(await json("attribute", "index", "home", ...of), { key: "home", participants: 0 });
  assert.equal(await find(), 1);
  assert.deepEqual(await json("attribute", "list", ...of), [
    { key: "Home", isIndexed: false },
    { key: "home town", isIndexed: true },
    { key: "home", isIndexed: true },
  ]);
  assert.deepEqual(await json("attribute", "unindex", "home", ...of), { key: "home" });
  const { code, stderr } = await installation.cli("attribute", "unindex", "home", ...of);
  assert.deepEqual([code, stderr], [1, "The workspace has no index on home.\n"]);
  assert.equal(await find(), 1);
});

test("help is no mistake", async () => {
  for (const args of [["--help"], ["key", "--help"], ["key", "create", "--help"]]) {
    const { code, stdout, stderr } = await installation.cli(...args);
    assert.deepEqual([code, stderr], [0, ""]);
    assert.match(stdout, /^Usage: cli/);
  }
});
