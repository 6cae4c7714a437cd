// The first start: what it shows can be pasted, and works; and secrets stay out of logs.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { Client } from "./support/client.ts";
import { ConsoleBrowser, PASSWORD } from "./support/console.ts";
import { install } from "./support/process.ts";

const empty = install({}, join(mkdtempSync(join(tmpdir(), "screening-first-")), "not", "yet"));
after(() => rmSync(join(empty.dataDir, "../.."), { recursive: true, force: true }));

let first: ReturnType<typeof empty.firstCredentials>;

test("a first start makes a workspace, and keeps a curl that can be pasted and imports two people", async () => {
  const web = await empty.web();
  await web.says(/^A first workspace is ready\. .*\n/m);
  first = empty.firstCredentials();
  const commands = first.text.slice(first.text.indexOf("AUTH=("));
  const script = commands.slice(0, commands.indexOf("}]}'") + "}]}'".length);
  const printed = execFileSync("bash", ["-euo", "pipefail", "-c", script], { encoding: "utf8" });
  const assignments = JSON.parse(printed) as { name: string; _type: string }[];
  assert.deepEqual(
    assignments.map(({ _type, name }) => `${_type} ${name}`),
    ["ScreenerParticipant Ada Lovelace", "ScreenerParticipant Alan Turing"],
  );
  const client = new Client(web.url, first.workspace, first);
  assert.equal((await client.get("/screeners")).body.items[0].title, "Sleep study");
  const events: { type: string; actor: { _type: string } }[] = (await client.get("/events")).body.items;
  assert.deepEqual(
    events.map(({ type, actor }) => `${type} ${actor._type}`),
    [
      "workspace.created ServiceActor",
      "api-key.created ServiceActor",
      "screener.created ApplicationActor",
      "import.completed ApplicationActor",
    ],
  );
  assert.equal((await client.get("/participants")).body.total, 2);
  assert.equal((await fetch(`${web.url}/docs`)).status, 200);
  const link = /\/console\/sign-in\/[\w-]{43}/.exec(first.text)?.[0] ?? "";
  const owner = new ConsoleBrowser(web.url);
  const choice = { name: "Ada", email: "ada@example.org", password: PASSWORD, again: PASSWORD };
  assert.equal((await owner.post(link, { ...choice, email: "ada" })).status, 422);
  assert.equal((await owner.post(link, choice)).status, 303);
  assert.match((await owner.get("/console/studies")).text, /Sleep study/);
  assert.match((await owner.get("/console/users")).text, /Ada.*admin.*ada@example\.org/);
  assert.equal((await web.kill("SIGTERM")).code, 0);
  const log = web.stdout + web.stderr;
  assert.doesNotMatch(
    log,
    /secret_|key_|AUTH|sign-in\/[\w-]{43}|example\.org/,
    "a log is read by more people than may have the secret",
  );
  assert.ok(log.includes(join(empty.dataDir, "first-credentials")), "it says where they are");
});

test("where the system chooses the port, links have it, and the command line says that it does not know it", async () => {
  const web = await empty.web();
  const client = new Client(web.url, first.workspace, first);
  const screenerId = await client.screener();
  const made = (await client.post("/screener-publications", { screenerId })).body;
  assert.equal(made._type, "ScreenerPublication", JSON.stringify(made));
  await client.post("/screener-participants-import", {
    screenerId,
    participants: [{ externalUid: "P-1", email: "ada@example.org", name: "Ada" }],
  });
  const opened = await client.post("/screener-sessions", { screenerId });
  const [{ screenerSessionLink: link }] = (await client.get("/screener-sessions")).body.items;
  assert.ok(link.startsWith(`${web.url}/`), link);
  assert.ok(!JSON.stringify(opened.body).includes(":0/"), JSON.stringify(opened.body));
  assert.equal((await fetch(link)).status, 200);
  const user = [
    "user",
    "create",
    "--workspace",
    first.workspace,
    "--email",
    "b@example.org",
    "--name",
    "B",
    "--role",
    "viewer",
  ];
  const { stderr } = await empty.cli(...user);
  assert.match(stderr, /PORT is 0, and PUBLIC_URL is not set: .* Set PUBLIC_URL\.\n/);
  assert.equal((await web.kill("SIGTERM")).code, 0);
});

test("the next start makes and prints nothing, and the credentials go on", async () => {
  const web = await empty.web();
  const client = new Client(web.url, first.workspace, first);
  assert.equal((await client.get("/participants")).body.total, 2);
  assert.equal((await web.kill("SIGTERM")).code, 0);
  assert.doesNotMatch(web.stdout, /secret|AUTH|key_|first-cred/);
  assert.equal(web.stdout.match(/^Listening on /gm)?.length, 1);
  assert.deepEqual(empty.control("SELECT name FROM workspace"), ["First workspace"]);
});

test("the secret is in one file of the data directory, which only its owner can read", () => {
  const files = readdirSync(empty.dataDir, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  assert.ok(files.length >= 2);
  const having = files.filter((file) => readFileSync(join(file.parentPath, file.name)).includes(first.apiSecret));
  assert.deepEqual(
    having.map(({ name }) => name),
    ["first-credentials"],
  );
  assert.equal(statSync(join(empty.dataDir, "first-credentials")).mode & 0o777, 0o600);
});

test("on a terminal the first start shows the credentials, too; and a file of that name does not keep its permissions", async () => {
  const installation = install({ FIRST_WORKSPACE_NAME: "  Sleep lab " });
  writeFileSync(join(installation.dataDir, "first-credentials"), "old", { mode: 0o644 });
  const shell = "exec node_modules/.bin/node --max-semi-space-size=4 src/run.mjs --build web";
  const web = await installation.web({ command: ["script", "-qefc", shell, "/dev/null"] });
  await web.says(/^A first workspace is ready\. /m);
  const { workspace, apiKey, apiSecret } = installation.firstCredentials();
  for (const shown of [workspace, apiKey, apiSecret]) assert.ok(web.stdout.includes(shown), web.stdout);
  assert.equal(statSync(join(installation.dataDir, "first-credentials")).mode & 0o777, 0o600);
  assert.equal((await new Client(web.url, workspace, { apiKey, apiSecret }).get("/screeners")).status, 200);
  assert.deepEqual(installation.control("SELECT name FROM workspace"), ["Sleep lab"]);
  await web.kill();
});

test("who waits until it says where it listens finds the first workspace, and its credentials", async () => {
  const installation = install();
  const web = await installation.web();
  const { workspace, ...credentials } = installation.firstCredentials();
  assert.equal((await new Client(web.url, workspace, credentials).get("/screeners")).status, 200);
  await web.kill();
});

test("processes that start together on an empty data directory make one workspace, and all serve it", async () => {
  const installation = install();
  const all = await Promise.all([1, 2, 3, 4].map(() => installation.web()));
  await Promise.any(all.map((web) => web.says(/^A first workspace is ready/m)));
  const { workspace, ...credentials } = installation.firstCredentials();
  for (const web of all) {
    assert.equal((await new Client(web.url, workspace, credentials).get("/screeners")).status, 200);
  }
  const ends = await Promise.all(all.map((web) => web.kill("SIGTERM")));
  for (const end of ends) assert.deepEqual(end, { code: 0, signal: null });
  assert.equal(all.filter((web) => /A first workspace is ready/.test(web.stdout)).length, 1);
  assert.deepEqual(installation.control("SELECT uid FROM workspace"), [workspace]);
  const stores = readdirSync(join(installation.dataDir, "workspaces"), { recursive: true, encoding: "utf8" });
  assert.equal(stores.filter((name) => name.endsWith(".sqlite")).length, 1);
});

test("a start in an installation with a workspace makes no other workspace", async () => {
  const installation = install();
  installation.workspace("Made before");
  const web = await installation.web();
  assert.equal((await web.kill("SIGTERM")).code, 0);
  assert.doesNotMatch(web.stdout, /secret|AUTH|first/);
  assert.deepEqual(installation.control("SELECT name FROM workspace"), ["Made before"]);
});
