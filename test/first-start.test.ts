// The first start: what it prints can be pasted, and works; and secrets are shown only once.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { Client } from "./support/client.ts";
import { install } from "./support/process.ts";

const empty = install({}, join(mkdtempSync(join(tmpdir(), "screening-first-")), "not", "yet"));
after(() => rmSync(join(empty.dataDir, "../.."), { recursive: true, force: true }));

let apiKey = "";
let apiSecret = "";
let workspace = "";

test("a first start makes a workspace, and prints a curl that can be pasted and imports two people", async () => {
  const web = await empty.web();
  await web.says(/"Alan Turing"\}\]\}'\n/);
  workspace = /workspace {2}(\S+)/.exec(web.stdout)?.[1] ?? "";
  apiKey = /key {8}(\S+)/.exec(web.stdout)?.[1] ?? "";
  apiSecret = /secret {5}(\S+)/.exec(web.stdout)?.[1] ?? "";
  const commands = web.stdout.slice(web.stdout.indexOf("AUTH=("));
  const script = commands.slice(0, commands.indexOf("}]}'") + "}]}'".length);
  const printed = execFileSync("bash", ["-euo", "pipefail", "-c", script], { encoding: "utf8" });
  const assignments = JSON.parse(printed) as { name: string; _type: string }[];
  assert.deepEqual(
    assignments.map(({ _type, name }) => `${_type} ${name}`),
    ["ScreenerParticipant Ada Lovelace", "ScreenerParticipant Alan Turing"],
  );
  const client = new Client(web.url, workspace, { apiKey, apiSecret });
  assert.equal((await client.get("/screeners")).body.items[0].title, "Sleep study");
  assert.equal((await client.get("/participants")).body.total, 2);
  assert.equal((await fetch(`${web.url}/docs`)).status, 200);
  assert.equal((await web.kill("SIGTERM")).code, 0);
});

test("the next start makes and prints nothing, and the credentials go on", async () => {
  const web = await empty.web();
  const client = new Client(web.url, workspace, { apiKey, apiSecret });
  assert.equal((await client.get("/participants")).body.total, 2);
  assert.equal((await web.kill("SIGTERM")).code, 0);
  assert.doesNotMatch(web.stdout, /secret|AUTH|key_/);
  assert.equal(web.stdout.match(/^Listening on /gm)?.length, 1);
  assert.deepEqual(empty.control("SELECT name FROM workspace"), ["First workspace"]);
});

test("the secret is nowhere in the data directory", () => {
  const files = readdirSync(empty.dataDir, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  assert.ok(files.length >= 2);
  for (const file of files)
    assert.ok(!readFileSync(join(file.parentPath, file.name)).includes(apiSecret), `${file.name} holds the secret`);
});

test("a start in an installation with a workspace makes no other workspace", async () => {
  const installation = install();
  installation.workspace("Made before");
  const web = await installation.web();
  assert.equal((await web.kill("SIGTERM")).code, 0);
  assert.doesNotMatch(web.stdout, /secret|AUTH/);
  assert.deepEqual(installation.control("SELECT name FROM workspace"), ["Made before"]);
});
