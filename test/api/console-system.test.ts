// What admins see of what their workspace takes and runs on, and operators of all workspaces: figures, and never who is in another one.

import assert from "node:assert/strict";
import { join } from "node:path";
import { test } from "node:test";
import { openWriter } from "../../db/sqlite/open.ts";
import { whenFree } from "../../db/sqlite/when-free.ts";
import { Refused } from "../../src/access/faults.ts";
import { makeOperator, setDisabled } from "../../src/access/users.ts";
import { ADVISED, adviceOn } from "../../src/api/system/advice.ts";
import { takeBackup } from "../../src/backup/take.ts";
import { RELEASE } from "../../src/base/release.ts";
import { moveEvents } from "../../src/upkeep/housekeeping.ts";
import { issueSignInLink } from "../../src/workspaces/console-users.ts";
import { suspendWorkspace } from "../../src/workspaces/lives.ts";
import { findWorkspace } from "../../src/workspaces/queries.ts";
import { ASYNC, people } from "../support/client.ts";
import { ConsoleBrowser, invite, PASSWORD, signedIn } from "../support/console.ts";
import type { PlainAnswer } from "../support/http.ts";
import { answers } from "../support/receiver.ts";
import { startService } from "../support/service.ts";
import { holdWrites } from "../support/store.ts";
import { until } from "../support/until.ts";
import { add, attempted, subscribe } from "../support/webhooks.ts";
import { populate } from "../support/world.ts";

const service = await startService();
const { control, findings, pool } = service.context;
const mine = await populate(service, "Mine");
const theirs = await populate(service, "Theirs");
const own = mine.client.workspaceId;
// Its receiver is not there, which the page would say.
await mine.client.patch(`/webhook-endpoints/${mine.webhookEndpoint}`, { status: "DISABLED" });
const admin = await signedIn(service, own, "admin", "admin@example.org");

const wordsOf = ({ text }: PlainAnswer) => text.replace(/<[^>]+>/g, " ").replace(/\s+/g, " ");

async function read(browser: ConsoleBrowser, path: string): Promise<string> {
  const answer = await browser.get(path);
  assert.equal(answer.status, 200, answer.text);
  return wordsOf(answer);
}

/** The user behind a browser, by email. */
function userOf(email: string): { id: number; uid: string; workspace: number } {
  return control.reader.get("SELECT id, uid, workspace_id AS workspace FROM workspace_user WHERE email = ?", email)!;
}

/** The path of another link for a user. */
function linkAgain(email: string): Promise<string> {
  const { id, workspace } = userOf(email);
  return whenFree(control.writer, 5000, () => issueSignInLink(control.writer, workspace, id, Date.now()));
}

test("the usage of a workspace counts its own rows, bytes and jobs, and nobody else's", async () => {
  const { client, screenerId } = await service.screener();
  await client.import(screenerId, people(7));
  const { body } = await client.get("/workspace/usage");
  assert.deepEqual(
    [body._type, body.rows.screeners, body.rows.participants, body.rows.screenerParticipants],
    ["WorkspaceUsage", 1, 7, 7],
  );
  assert.equal(body.rows.events, (await client.get("/events")).body.total);
  assert.deepEqual([body.unfinishedJobs, body.oldestUnfinishedJobAt, body.spoolBytes], [0, null, 0]);
  assert.ok(body.storeBytes + body.walBytes > 0 && body.resultsBytes > 0 && body.maxSpoolBytes > 0);
  assert.equal(body.lastActivityAt, (await client.all("/events")).at(-1).createdAt);
  const release = holdWrites(service, client);
  const { body: job } = await client.import(screenerId, people(5000), {}, ASYNC);
  const waiting = (await client.get("/workspace/usage")).body;
  release();
  assert.deepEqual([waiting.unfinishedJobs, waiting.oldestUnfinishedJobAt], [1, job.createdAt]);
  assert.ok(waiting.spoolBytes > 100_000);
  await service.drain();
});

test("an admin sees what the workspace takes, what is wrong with what to do, the versions, and how old the backup is", async () => {
  const before = await read(admin, "/console/system");
  assert.match(before, /What is wrong Nothing\. This workspace Studies 1 People 2 /);
  assert.match(before, /Last backup None is known/);
  const { version, build, schema } = RELEASE;
  assert.match(
    before,
    new RegExp(`Service ${version} Build ${build ?? "not compiled"} Node ${process.version} SQLite 3\\.`),
  );
  assert.match(
    before,
    new RegExp(`Schema of the control store ${schema.control} Schema of workspaces ${schema.workspace}`),
  );
  assert.match(before, /Processes that run jobs \d/);
  const { manifest, isNoted } = await takeBackup(service.config, join(service.config.dataDir, "backups"), () => {});
  assert.ok(isNoted && manifest.workspaces.includes(own));
  assert.match(await read(admin, "/console/system"), /Last backup \d+ seconds? ago/);
  const blocking = { code: "disk_nearly_full", message: "Only 5 MiB are free.", blocking: false };
  findings.report(blocking);
  findings.report({
    ...blocking,
    code: "store_damaged",
    message: "Page 7 is torn.",
    workspace: theirs.client.workspaceId,
  });
  const wrong = await read(admin, "/console/system");
  assert.match(wrong, /The disk is nearly full Only 5 MiB are free\. What to do: Make room/);
  assert.doesNotMatch(wrong, /torn|Theirs/);
  findings.clear(blocking);
  assert.equal(adviceOn("unheard_of").heading, "Something is wrong");
  for (const code of ADVISED) assert.ok(adviceOn(code).advice, code);
});

test("an operator sees figures of every workspace, and nothing of who is in them; an admin finds no such page", async () => {
  assert.equal((await admin.get("/console/installation")).status, 404);
  assert.doesNotMatch((await admin.get("/console/system")).text, /Installation/);
  await invite(service, own, { name: "Olu", email: "olu@example.org", role: "viewer" });
  const before = await signedIn(service, own, "viewer", "operator@example.org");
  const { uid, workspace } = userOf("operator@example.org");
  const later = await linkAgain("operator@example.org");
  const set = (isOperator: boolean) =>
    whenFree(control.writer, 5000, () => makeOperator(control.writer, () => {}, workspace, uid, isOperator));
  assert.equal((await set(true)).is_operator, 1);
  // An admin may have come by them.
  assert.match(String((await before.get("/console/studies")).headers.location), /sign-in/);
  assert.equal((await before.get(later)).status, 404);
  assert.equal((await before.signIn("operator@example.org")).status, 422);
  const operator = new ConsoleBrowser(service.url);
  const link = await linkAgain("operator@example.org");
  assert.equal((await operator.post(link, { password: PASSWORD, again: PASSWORD })).status, 303);
  const idle = service.workspace("Suspended one");
  suspendWorkspace(control.writer, findWorkspace(control.reader, idle.workspaceId)!.id, Date.now());
  const { text } = await operator.get("/console/installation");
  const shown = wordsOf({ text } as PlainAnswer);
  assert.match(shown, /Workspaces: 4 Name State People Studies Unfinished jobs Size Last change Mine /);
  assert.match(shown, /Theirs [0-9a-f-]{36} active 2 1 0 [\d.]+ (?:kB|MB) \d+ \w+ \d{4}/);
  assert.match(shown, /Suspended one [0-9a-f-]{36} suspended 0 0 0 /);
  for (const secret of ["Theirs One", theirs.email, theirs.externalUid, "Theirs&#39;s study", "Theirs's study", "olu@"])
    assert.ok(!text.includes(secret), secret);
  // A viewer stays a viewer of the own workspace, and nobody of another one.
  assert.equal((await operator.get("/console/users")).status, 403);
  assert.equal((await operator.get(`/console/people/${theirs.participant}`)).status, 404);
  await set(false);
  assert.equal((await operator.get("/console/installation")).status, 404);
  assert.doesNotMatch((await operator.get("/console/studies")).text, /Installation/);
});

test("two admins who are disabled in one transaction: the second one is the last, and stays", async () => {
  const { client } = await populate(service, "Together");
  for (const name of ["ada", "bo"]) await signedIn(service, client.workspaceId, "admin", `${name}@together.example`);
  await signedIn(service, client.workspaceId, "researcher", "cy@together.example");
  const disable = (name: string) => {
    const { uid, workspace } = userOf(`${name}@together.example`);
    const change = { isDisabled: true, by: "admin", keepsAdmin: true } as const;
    return whenFree(control.writer, 5000, () => setDisabled(control.writer, () => {}, workspace, uid, change));
  };
  const [first, second, third] = await Promise.allSettled([disable("ada"), disable("bo"), disable("cy")]);
  assert.deepEqual([first!.status, second!.status, third!.status], ["fulfilled", "rejected", "fulfilled"]);
  assert.ok(second!.status === "rejected" && second!.reason instanceof Refused, String(second));
});

test("of two admins who disable each other at the same time, one stays", async () => {
  const { client } = await populate(service, "Duel");
  const [ada, bo] = [
    await signedIn(service, client.workspaceId, "admin", "ada@duel.example"),
    await signedIn(service, client.workspaceId, "admin", "bo@duel.example"),
  ];
  const path = (email: string) => `/console/users/${userOf(email).uid}/disable`;
  const [tokenOfAda, tokenOfBo] = [await ada.token("/console/users"), await bo.token("/console/users")];
  // Both wait for the lock, and then share a transaction. What comes after them is answered when they wait.
  const blocker = openWriter(join(service.config.dataDir, "control.sqlite"), {
    busyTimeoutMs: 5000,
    checkpoints: false,
  });
  blocker.run("BEGIN IMMEDIATE");
  const sent = Promise.all([
    ada.postRaw(path("bo@duel.example"), { token: tokenOfAda }, ada.ours),
    bo.postRaw(path("ada@duel.example"), { token: tokenOfBo }, bo.ours),
  ]);
  for (let i = 0; i < 3; i++) assert.equal((await admin.get("/console/sessions")).status, 200);
  blocker.run("ROLLBACK");
  blocker.close();
  const answers = await sent;
  assert.equal(
    answers.filter(({ status, headers }) => status === 303 && !/sign-in/.test(String(headers.location))).length,
    1,
  );
  const left = control.reader.value(
    "SELECT count(*) FROM workspace_user WHERE workspace_id = ? AND role = 'admin' AND disabled_at IS NULL",
    userOf("ada@duel.example").workspace,
  );
  assert.equal(left, 1);
  await pool.ask(moveEvents, undefined);
  assert.equal((await client.get("/events?filter[type][eq]=user.disabled")).body.total, 1);
});

test("a page that says what does not work has the menu for who has signed in, and a way back", async () => {
  const nobody = await admin.send("GET", "/console/people/00000000-0000-7000-8000-000000000000", {
    Referer: `${service.url}/console/people?q=ada`,
  });
  assert.equal(nobody.status, 404);
  assert.match(nobody.text, /<nav class="navigation" aria-label="Console">/);
  assert.match(nobody.text, /href="\/console\/people\?q=ada">Back to the page before/);
  for (const path of ["/console/nowhere", "/console/people/nobody"]) {
    const { status, text } = await admin.get(path);
    assert.equal(status, 404);
    assert.match(text, /<nav class="navigation" aria-label="Console">.*To the console/s);
    assert.doesNotMatch(text, /<script|page before/);
  }
  const old = await admin.postRaw(
    "/console/users",
    { token: "x" },
    { ...admin.ours, Referer: "https://evil.example/console/users" },
  );
  assert.equal(old.status, 403);
  assert.match(old.text, /That did not come from our page/);
  assert.match(old.text, /<nav class="navigation" aria-label="Console">/);
  assert.doesNotMatch(old.text, /evil/);
});

test("an admin sees which webhooks fail or are disabled, and what to do; those of other workspaces are not shown", async () => {
  const client = service.workspace();
  const other = await signedIn(service, client.workspaceId, "admin", "hooks@example.org");
  const { receiver, endpoint } = await subscribe(service, null, client);
  assert.match(await read(other, "/console/system"), /What is wrong Nothing\./);
  receiver.behaves = answers(500);
  await add(client, 1);
  await attempted(client, 1);
  const failing = await read(other, "/console/system");
  assert.match(
    failing,
    /A receiver of webhooks takes no messages http:\S+ has taken nothing since \d+ \w+ \d{4}, \d\d:\d\d UTC \. What to do: Look under Webhooks/,
  );
  receiver.behaves = answers(410);
  await add(client, 2);
  const isDisabled = async () => (await client.get(`/webhook-endpoints/${endpoint.id}`)).body.disabledReason === "GONE";
  await until(isDisabled, "it is disabled");
  assert.match(
    await read(other, "/console/system"),
    /A webhook is disabled Nothing has been sent to http:\S+ since \d+ \w+ \d{4}, \d\d:\d\d UTC \. What to do: /,
  );
  assert.doesNotMatch(await read(admin, "/console/system"), /of webhooks|webhook is/);
  await client.patch(`/webhook-endpoints/${endpoint.id}`, { status: "DISABLED" });
  await client.patch(`/webhook-endpoints/${endpoint.id}`, { status: "ENABLED" });
  assert.match(await read(other, "/console/system"), /What is wrong Nothing\./);
});
