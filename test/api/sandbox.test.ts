// Workspaces for trying things out: they say what they are, send no mail, and are emptied by POST /workspace/sandbox-reset.

import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import type { Writer } from "../../db/sqlite/connection.ts";
import { emptyStore } from "../../src/sandbox/reset.ts";
import { findBytes } from "../support/bytes.ts";
import { ASYNC, type Client, people } from "../support/client.ts";
import { signedIn } from "../support/console.ts";
import { startRelay } from "../support/mail-relay.ts";
import { addresses, briefly, ended, invitation, messagesOf, send, studyWith } from "../support/mailings.ts";
import { startService } from "../support/service.ts";
import { writeTo } from "../support/store.ts";
import { invite, publish } from "../support/study.ts";
import { until } from "../support/until.ts";
import { populate } from "../support/world.ts";

const relay = await startRelay();
const service = await startService({ config: { mail: relay.config({ MAIL_PER_MINUTE: "100000" }) } });
const { control, workspaces } = service.context;
const RESET = "/workspace/sandbox-reset";
const sandbox = (name = "Try") => service.workspace(name, true);
const reset = (client: Client) => client.call("POST", RESET);

/** How many rows each table has. */
function rowsOf({ workspaceId }: Client): Record<string, number> {
  return workspaces.read(workspaceId, (db) => {
    const tables = db.values<string>(
      "SELECT name FROM sqlite_schema WHERE type = 'table' AND rootpage > 0 ORDER BY name",
    );
    return Object.fromEntries(tables.map((name) => [name, db.value<number>(`SELECT count(*) FROM ${name}`)!]));
  });
}

/** What a reset leaves: the log, who has made changes, what was sent to webhooks, and keys. */
const STAYS = /^(actor|event|event_block|webhook_.*|moved_event|job_outcome|reference_key|signing_key|sqlite_.*)$/;
const others = (rows: Record<string, number>) => Object.entries(rows).filter(([name]) => !STAYS.test(name));

test("a sandbox is as new after a reset, with its users, keys, webhooks and log", async () => {
  const { client, ...world } = await populate(service, "Trial", true);
  await signedIn(service, client.workspaceId, "admin", "admin@trial.example");
  await client.call("POST", "/workspace/signing-key/rotate", { body: { overlapHours: 0 } });
  const plan = await client.import(world.screener, people(3), { dryRun: true });
  assert.equal(plan.body.status, "PLANNED", plan.text);
  await client.get("/participants?filter[search][matches]=Trial");
  const { logId } = (await client.get("/events/feed?limit=1")).body;
  const fresh = rowsOf(sandbox());
  assert.notDeepEqual(others(rowsOf(client)), others(fresh));

  const { status, body, text } = await reset(client);
  assert.deepEqual([status, body.kind, body.status], [200, "WORKSPACE_SANDBOX_RESET", "SUCCEEDED"], text);
  const { screeners, participants, screenerParticipants, sessions, mailings, images } = body.summary;
  assert.deepEqual([screeners, participants, screenerParticipants, sessions, mailings, images], [1, 2, 2, 1, 1, 1]);
  assert.equal(body.summary.responses, 4);
  assert.deepEqual(others(rowsOf(client)), others(fresh));
  assert.deepEqual(
    (await client.all("/jobs")).map(({ id }) => id),
    [body.id],
  );
  assert.equal((await client.get("/webhook-endpoints")).body.total, 1);
  assert.equal((await client.get("/workspace/users")).body.items.length, 2);
  assert.equal((await client.get("/participants")).body.total, 0);
  const events = await client.all("/events");
  assert.equal(events.at(-1)!.type, "workspace.sandbox-reset");
  assert.ok(events.some(({ type }) => type === "screener.published"));
  assert.deepEqual(events.at(-1)!.summary, body.summary);
  const { dataDir } = service.config;
  assert.notEqual((await client.get("/events/feed?limit=1")).body.logId, logId);
  assert.deepEqual(findBytes(dataDir, ["Trial One", world.email, world.externalUid]), []);
  assert.equal(existsSync(join(dataDir, "spool", plan.body.id)), false);

  // It works as before, and is emptied again.
  const study = await publish(client, { pages: [] });
  await invite(client, study.screener, 2);
  assert.equal((await client.get("/participants?filter[search][matches]=Person")).status, 200);
  assert.equal((await reset(client)).body.summary.participants, 2);
});

test("only a sandbox can be emptied", async () => {
  const client = service.workspace();
  await client.screener();
  const { status, body } = await reset(client);
  assert.deepEqual([status, body.code], [409, "workspace_not_sandbox"]);
  assert.equal((await client.get("/screeners")).body.total, 1);
  assert.equal((await client.get("/workspace/usage")).body.isSandbox, false);
  assert.equal((await sandbox().get("/workspace/usage")).body.isSandbox, true);
});

test("jobs behind a reset find nothing, and what is sent again under the same key is done again", async () => {
  const client = sandbox();
  const screener = await client.screener();
  const twice = { headers: { "Idempotency-Key": "twice" }, body: { screenerId: screener, name: "Poster" } };
  assert.equal((await client.call("POST", "/screener-links", twice)).status, 201);
  await client.call("POST", RESET, { headers: ASYNC });
  const behind = await client.import(screener, people(1));
  assert.deepEqual([behind.status, behind.body.code], [404, "screener_not_found"], behind.text);
  await service.drain();
  assert.equal((await client.call("POST", "/screener-links", twice)).status, 404);
});

test("pages of a sandbox say what they are", async () => {
  const client = sandbox("Playground");
  const study = await publish(client, { pages: [{ questions: [{ _type: "ScreenerTextQuestion", prompt: "Why?" }] }] });
  const [link] = await invite(client, study.screener);
  const { body: open } = await client.post("/screener-links", { screenerId: study.screener, name: "Poster" });
  for (const path of [link!.path, new URL(open.link).pathname])
    assert.match(await (await fetch(service.url + path)).text(), /class="test">Test: your answers don’t count/, path);
  const admin = await signedIn(service, client.workspaceId, "admin", "admin@playground.example");
  for (const path of ["/console/studies", "/console/users", `/console/studies/${study.screener}/share`])
    assert.match((await admin.get(path)).text, /class="sandbox">Sandbox: for trying things out/, path);
  const ordinary = await signedIn(service, service.workspace().workspaceId, "admin", "admin@ordinary.example");
  assert.doesNotMatch((await ordinary.get("/console/studies")).text, /class="sandbox"/);
});

test("no mail leaves a sandbox: messages end with that reason, and their links are made", async () => {
  const client = sandbox();
  const [ada, ben] = addresses(2) as [string, string];
  const { screener } = await studyWith(client, [{ email: ada }, { email: ben }]);
  const one = await send(client, invitation(screener));
  await ended(client, one);
  assert.deepEqual(await briefly(client, one), ["P1 0 DROPPED SANDBOX", "P2 0 DROPPED SANDBOX"]);
  assert.equal((await messagesOf(client, one)).length, 2);
  assert.equal((await client.get("/screener-sessions")).body.total, 2);
  const preview = { screenerId: screener, subject: "Hello", body: "Dear {{name|friend}}" };
  const tests = [
    await client.post("/workspace/mail/test", { to: ada }),
    await client.post("/mailings-test", { ...preview, to: ada }),
  ];
  for (const { status, body } of tests) assert.deepEqual([status, body.code], [409, "sandbox_sends_no_mail"]);
  assert.equal((await client.post("/mailings-preview", preview)).status, 200);
  const admin = await signedIn(service, client.workspaceId, "admin", "admin@mail.example");
  const added = await admin.post("/console/users", { name: "Cem", email: "cem@mail.example", role: "viewer" });
  assert.match(added.text, /A sandbox sends no mail/);
  const to = [ada, ben, "cem@mail.example"];
  assert.deepEqual(
    relay.received.filter((message) => message.to.some((address) => to.includes(address))),
    [],
  );
});

test("what fails on its way leaves everything as it was", async () => {
  const { client } = await populate(service, "Half", true);
  const stop = (db: Writer) => {
    emptyStore(db, []);
    throw new Error("It stops here.");
  };
  const before = await client.all("/screener-responses");
  assert.throws(() => writeTo(workspaces, client.workspaceId, stop), /It stops here/);
  assert.deepEqual(await client.all("/screener-responses"), before);
  assert.ok(control.reader.value("SELECT 1 FROM workspace WHERE uid = ? AND is_sandbox = 1", client.workspaceId));
});

test("an admin empties a sandbox in the console, after its name is typed in; of another workspace the page offers nothing", async () => {
  const { client, screener } = await populate(service, "Emptied", true);
  const admin = await signedIn(service, client.workspaceId, "admin", "admin@emptied.example");
  const path = "/console/system";
  assert.match((await admin.get(path)).text, /Empty this sandbox/);
  const mistyped = await admin.post(path, { confirm: "Something" }, `${path}/reset`);
  assert.equal(mistyped.status, 422);
  assert.match(mistyped.text, /Type Emptied to confirm/);
  assert.equal((await client.get(`/screeners/${screener}`)).status, 200);
  const { status, headers } = await admin.post(path, { confirm: " Emptied " }, `${path}/reset`);
  assert.equal(status, 303);
  const job = String(headers.location);
  const ends = async () => (await client.get(job.replace("/console", ""))).body.finishedAt;
  await until(ends, "the sandbox is empty");
  assert.match((await admin.get(job)).text, /Done/);
  assert.equal((await client.get(`/screeners/${screener}`)).status, 404);

  const { client: real, screener: kept } = await populate(service, "Real");
  const other = await signedIn(service, real.workspaceId, "admin", "admin@real.example");
  assert.doesNotMatch((await other.get(path)).text, /Empty this sandbox/);
  const refused = await other.post(path, { confirm: "Real" }, `${path}/reset`);
  assert.equal(refused.status, 409);
  assert.equal((await real.get(`/screeners/${kept}`)).status, 200);
});
