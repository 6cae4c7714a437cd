// The clock of the machine is set back by a day: no job waits for longer than its longest pause. It jumps ahead: nothing is removed
// because its time is over.

import assert from "node:assert/strict";
import { cpSync } from "node:fs";
import { test } from "node:test";
import { openControl } from "../../db/control.ts";
import { FENCED } from "../../db/migrate.ts";
import { COMMAND_LINE } from "../../db/profiles.ts";
import { openWriter } from "../../db/sqlite/open.ts";
import { storePath } from "../../db/store.ts";
import { Workspaces } from "../../db/workspaces.ts";
import { ASYNC, type Client, people } from "../support/client.ts";
import { clock } from "../support/clock.ts";
import { ConsoleBrowser, PASSWORD } from "../support/console.ts";
import { type Installation, install, ownRedis, type TestWorkspace } from "../support/process.ts";
import { everyKind, invite, publish } from "../support/study.ts";
import { until } from "../support/until.ts";
import { ABOUT, Visitor } from "../support/visitor.ts";

/** Longer than the longest pause, and much shorter than a day. */
const MAX_MS = 60_000;

/** Longer than anything is kept. */
const YEARS_H = 800 * 24;
const HOUR_MS = 3_600_000;

/** An installation with much that is kept for a time, and whose processes have seen the right time. None runs. Each test has a copy. */
async function makeData() {
  const { env, setBack } = clock();
  setBack();
  const installation = install(env);
  const web = await installation.web();
  const workspace = installation.workspace();
  const client = workspace.client(web);
  const study = await publish(client, everyKind);
  const [link] = await invite(client, study.screener);
  assert.equal((await new Visitor(web.url).send(link!.path, study, "About you", ABOUT)).status, 303);
  assert.equal((await client.import(study.screener, people(2000), {}, { Prefer: "wait=60" })).status, 200);
  const { body: alone } = await onceAt(client);
  const kept = { workspace: workspace.id, "answers-months": "1", "unassigned-days": "1" };
  const options = Object.entries(kept).flatMap(([name, value]) => [`--${name}`, value]);
  assert.equal((await installation.cli("workspace", "set", ...options)).code, 0);
  const plan = await client.import(study.screener, people(3), { dryRun: true }, { Prefer: "wait=60" });
  assert.equal(plan.body.status, "PLANNED");
  await failImport(installation, client);
  const browser = await signUp(installation, workspace, web);
  await details(web);
  await web.kill("SIGTERM");
  return { dataDir: installation.dataDir, workspace, alone, browser };
}

const onceAt = (client: Client) => {
  const someone = { externalUid: "ALONE", email: "alone@nobody.example", name: "Alone Somebody" };
  return client.post("/participants", someone, { "Idempotency-Key": "once" });
};

/** A copy of it, with a clock of its own. */
function withData() {
  const { dataDir, workspace, alone, browser } = made;
  const { env, set, setBack } = clock();
  setBack();
  const installation = install({ ...env, LOG_LEVEL: "debug" });
  cpSync(dataDir, installation.dataDir, { recursive: true });
  const once = (at: { url: string }) => onceAt(workspace.client(at));
  const data = () => ({
    answers: installation.stored(workspace, "SELECT count(*) FROM screener_response")[0],
    alone: installation.stored(workspace, "SELECT count(*) FROM participant WHERE external_uid = 'ALONE'")[0],
    firstEvent: installation.stored(workspace, "SELECT min(id) FROM event")[0],
    results: installation.control("SELECT count(*) FROM job WHERE result_file IS NOT NULL")[0],
    plans: installation.control("SELECT count(*) FROM job WHERE status = 'PLANNED'")[0],
    bodies: installation.control("SELECT count(*) FROM job WHERE body_until IS NOT NULL")[0],
    undos: installation.stored(workspace, "SELECT count(*) FROM effect")[0],
    sessions: installation.control("SELECT count(*) FROM console_session WHERE browser = 'Test browser'")[0],
  });
  /** A process whose upkeep has looked at all that may go. */
  const tidied = async () => {
    const started = await installation.web();
    await until(() => started.log.some(({ msg }) => msg === "upkeep done"), "the upkeep has come to its end");
    return started;
  };
  /** Each sign-in removes sessions that have expired. */
  const somebodySignsIn = async ({ url }: { url: string }) => {
    const other = new ConsoleBrowser(url);
    const headers = { ...other.ours, "User-Agent": "Another", "Content-Type": "application/x-www-form-urlencoded" };
    const token = await other.token("/console/sign-in");
    const form = new URLSearchParams({ token, email: EMAIL, password: PASSWORD }).toString();
    assert.equal((await other.send("POST", "/console/sign-in", headers, form)).status, 303);
  };
  const before = data();
  assert.ok(
    Object.values(before).every((one) => Number(one) > 0),
    JSON.stringify(before),
  );
  return { installation, set, setBack, once, alone, data, before, tidied, browser, somebodySignsIn };
}

/** An import that fails for a reason of the service's own, so that its body is kept. */
async function failImport({ dataDir }: Installation, client: Client): Promise<void> {
  const rename = (from: string, to: string) => {
    const db = openWriter(storePath(dataDir, client.workspaceId), COMMAND_LINE);
    db.exec(`ALTER TABLE ${from} RENAME TO ${to}`);
    db.close();
  };
  const screenerId = await client.screener();
  rename("effect", "gone");
  const { body } = await client.import(screenerId, people(2, 40), {}, { Prefer: "wait=60" });
  rename("gone", "effect");
  assert.equal(body.code, "internal_error");
}

const EMAIL = "somebody@example.org";

/** A browser that is signed in to the console. */
async function signUp(installation: Installation, { id }: TestWorkspace, { url }: { url: string }) {
  const options = ["--workspace", id, "--name", "Somebody", "--email", EMAIL, "--role", "admin"];
  const { stdout, stderr } = await installation.cli("user", "create", ...options);
  const [, path] = /(\/console\/sign-in\/[\w-]{43})/.exec(stdout) ?? [];
  assert.ok(path, stdout + stderr);
  const browser = new ConsoleBrowser(url);
  assert.equal((await browser.post(path, { password: PASSWORD, again: PASSWORD })).status, 303);
  return browser;
}

/** What /readyz says of the clock. */
async function details({ url }: { url: string }): Promise<string[]> {
  const answer = (await (await fetch(`${url}/readyz`)).json()) as { details: { code: string; message: string }[] };
  return answer.details.filter(({ code }) => code === "clock_ahead").map(({ message }) => message);
}

const made = await makeData();

test("a clock that jumps ahead removes nothing until somebody says that it is right", async () => {
  const { installation, set, once, alone, data, before, tidied, somebodySignsIn } = withData();
  const { answers, alone: persons, firstEvent: first, results, plans, bodies } = before;
  assert.deepEqual([answers, persons, first, results, plans, bodies], [2, 1, 1, 1, 1, 1]);
  set(YEARS_H);
  let web = await tidied();
  await somebodySignsIn(web);
  assert.deepEqual(data(), before);
  assert.match((await details(web))[0]!, /more than a day ahead.*`clock accept`/);
  const again = await once(web);
  assert.deepEqual([again.headers.get("idempotency-replayed"), again.body.id], ["true", alone.id]);
  const { stdout } = await installation.cli("doctor");
  assert.match(stdout, /warning .*The clock is more than a day ahead/);
  // Another start changes nothing of that.
  await web.kill("SIGTERM");
  web = await tidied();
  assert.deepEqual(data(), before);
  assert.equal((await details(web)).length, 1);
  await web.kill("SIGTERM");

  const { code, stdout: said } = await installation.cli("clock", "accept");
  assert.equal(code, 0);
  assert.match(said, /What is kept for a time has not been removed since/);
  web = await tidied();
  assert.deepEqual(await details(web), []);
  await somebodySignsIn(web);
  const { firstEvent, ...rest } = data();
  assert.deepEqual(rest, { answers: 0, alone: 0, results: 0, plans: 0, bodies: 0, undos: 0, sessions: 0 });
  assert.notEqual(firstEvent, before.firstEvent);
});

test("a clock that jumps ahead and is set back has removed nothing, and all is well again", async () => {
  const { set, setBack, data, before, tidied, browser, somebodySignsIn } = withData();
  set(YEARS_H);
  let web = await tidied();
  assert.equal((await details(web)).length, 1);
  await somebodySignsIn(web);
  await web.kill("SIGTERM");
  setBack();
  web = await tidied();
  assert.deepEqual(await details(web), []);
  assert.deepEqual(data(), before);
  const later = new ConsoleBrowser(web.url);
  for (const [name, value] of browser.cookies) later.cookies.set(name, value);
  assert.equal((await later.get("/console/studies")).status, 200, "the session goes on");
});

test("a clock that jumps ahead while a process runs is found, and counts when it has gone on for a day", async () => {
  const { installation, set, data, before, tidied } = withData();
  let web = await tidied();
  assert.deepEqual(await details(web), []);
  const found = (wanted: number, what: string) => until(async () => (await details(web)).length === wanted, what);
  set(YEARS_H);
  await found(1, "/readyz says that the clock is ahead");
  set(YEARS_H + 23);
  const seen = () => installation.control<number>("SELECT checked_at FROM installation")[0]!;
  const [since] = installation.control<number>("SELECT clock_ahead_at FROM installation");
  await until(async () => (await details(web)) && seen() - since! > 22 * HOUR_MS, "it is seen 23 hours later");
  assert.equal((await details(web)).length, 1);
  assert.deepEqual(data(), before);
  set(YEARS_H + 25);
  await found(0, "the clock counts");
  await web.kill("SIGTERM");
  web = await tidied();
  assert.equal(data().answers, 0);
});

test("a job that waits to be tried again when the clock is set back is tried soon", async () => {
  const { env, setBack } = clock();
  const installation = install(env);
  const web = await installation.web();
  const { client, screenerId } = await installation.screener(web);
  const store = new Workspaces(installation.dataDir, { ...COMMAND_LINE }).path(client.workspaceId);
  const version = setVersion(store, FENCED);
  const { body: job } = await client.import(screenerId, people(2000), {}, ASYNC);
  assert.ok(Date.parse(job.createdAt) > Date.now() + 3_600_000, "the clock is a day ahead");
  // The pause is 8 s now, long enough for the clock to be set back in it.
  await until(() => installation.control<number>("SELECT failures FROM job")[0]! > 5, "it has failed several times");
  setBack();
  setVersion(store, version);
  await installation.drain(MAX_MS);
  assert.deepEqual(installation.control("SELECT status FROM job"), ["SUCCEEDED"]);
  assert.equal((await client.get("/participants")).body.total, 2000);
});

test("a job is set aside by how long it was tried, and not by a clock that jumps; and is tried within the hour", async () => {
  const { env, setBack } = clock();
  const installation = install(env);
  const web = await installation.web();
  const { client, screenerId } = await installation.screener(web);
  const store = new Workspaces(installation.dataDir, { ...COMMAND_LINE }).path(client.workspaceId);
  const version = setVersion(store, FENCED);
  const { body: job } = await client.import(screenerId, people(2000), {}, ASYNC);
  const ledger = <Value>(column: string) => installation.control<Value>(`SELECT ${column} FROM job`)[0]!;
  await until(() => ledger<number>("failures") > 1, "it has failed");
  setBack();
  const tried = ledger<number>("failures");
  await until(() => ledger<number>("failures") > tried, "it was tried since", MAX_MS);
  assert.equal(ledger("blocked_since"), null);
  assert.ok(ledger<number>("tried_ms") < MAX_MS);

  const control = openControl(installation.dataDir, COMMAND_LINE);
  control.writer.run("UPDATE job SET tried_ms = 15 * 60000, available_at = 0");
  await until(() => ledger("blocked_since") !== null, "it is set aside", MAX_MS);
  assert.equal((await client.get(`/jobs/${job.id}`)).body.blocked.code, "store_unavailable");
  setVersion(store, version);
  // As if the clock had been a day ahead when it was set aside.
  control.writer.run("UPDATE job SET blocked_since = blocked_since + 86400000, available_at = available_at + 86400000");
  control.close();
  await installation.drain(MAX_MS);
  assert.deepEqual(installation.control("SELECT status FROM job"), ["SUCCEEDED"]);
});

test("a job that Redis has lost when the clock is set back is handed over again soon", async () => {
  const { env, setBack } = clock();
  const redis = ownRedis();
  await redis.start();
  const installation = install({ ...env, REDIS_URL: redis.url });
  const web = await installation.web();
  const { client, screenerId } = await installation.screener(web);
  await client.import(screenerId, people(10), {}, ASYNC);
  const admin = redis.client();
  await until(async () => (await admin.keys("*:jobs:wait")).length > 0, "it was handed over");
  await admin.flushall();
  setBack();
  await until(async () => {
    const { body } = await client.post("/screeners", { title: "When" });
    return Date.parse(body.createdAt) < Date.now() + 3_600_000;
  }, "the clock is back");
  await until(async () => (await admin.keys("*:jobs:wait")).length > 0, "it is handed over again", MAX_MS);
  admin.disconnect();
  await installation.worker();
  await installation.drain(MAX_MS);
  assert.deepEqual(installation.control("SELECT status FROM job"), ["SUCCEEDED"]);
});

/** Makes a store look as if another release had written it: its jobs wait, and are tried again. @returns the version before */
function setVersion(path: string, version: number): number {
  const db = openWriter(path, COMMAND_LINE);
  const before = db.value<number>("PRAGMA user_version")!;
  db.exec(`PRAGMA user_version = ${version}`);
  db.close();
  return before;
}
