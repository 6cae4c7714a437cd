// Mail to users about what they have chosen: a study that is full, an import that waits for approval, a webhook that fails. One of each thing, to
// those who may know it, without what mail must not have.

import assert from "node:assert/strict";
import { test } from "node:test";
import { people } from "../support/client.ts";
import { signedIn } from "../support/console.ts";
import { startRelay } from "../support/mail-relay.ts";
import { answers, startReceiver } from "../support/receiver.ts";
import { startService } from "../support/service.ts";
import { writeTo } from "../support/store.ts";
import { invite, publish } from "../support/study.ts";
import { until } from "../support/until.ts";
import { add, attempted, hasten } from "../support/webhooks.ts";

const relay = await startRelay();
const service = await startService({ config: { mail: relay.config() } });
const { workspaces, control } = service.context;
const client = service.workspace("Sleep lab");
const admin = await signedIn(service, client.workspaceId, "admin", "admin@notice.example");
const researcher = await signedIn(service, client.workspaceId, "researcher", "researcher@notice.example");
const viewer = await signedIn(service, client.workspaceId, "viewer", "viewer@notice.example");

const PAGE = "/console/sessions";
const ALL = { STUDY_FULL: "1", IMPORT_WAITS: "1", WEBHOOK_FAILS: "1" };
type Browser = typeof admin;
const choose = async (browser: Browser, kinds: object = ALL) =>
  assert.equal((await browser.post(PAGE, { ...kinds }, `${PAGE}/notices`)).status, 303);
const quiet = () => Promise.all([admin, researcher, viewer].map((browser) => choose(browser, {})));
const mailTo = (email: string) => relay.received.filter(({ to }) => to.includes(email));
const subjects = (email: string) => mailTo(email).map(({ headers }) => headers.get("subject"));

/** All that has happened so far has been looked at, and what follows from it was sent or dropped. */
async function settled(): Promise<void> {
  await until(
    () =>
      workspaces.read(client.workspaceId, (db) =>
        db.value<number>(
          `SELECT NOT EXISTS (SELECT 1 FROM notice WHERE is_new = 1) AND NOT EXISTS (SELECT 1 FROM message WHERE ended_at IS NULL)`,
        ),
      ) === 1,
    "nothing waits",
  );
}

const AGE = { id: "age", key: "age", _type: "ScreenerNumericQuestion", prompt: "Age?", required: true };
const content = { pages: [{ title: "You", disqualifyWhen: { questionId: "age", lessThan: 18 }, questions: [AGE] }] };

const EVERYBODY = { id: "everybody", name: "Everybody", when: null, mode: "LIMIT", limit: 1, ending: { at: "NOW" } };

/** A study of which one place is left. @param place of its target, or of a quota of everybody */
async function almostFull(title: string, place: "target" | "quota" = "target") {
  const study = await (place === "target"
    ? publish(client, content, { title, targetQualifiedParticipants: 1 })
    : publish(client, { ...content, quotas: [EVERYBODY] }, { title }));
  const links = await invite(client, study.screener, 2);
  const answer = (index: number) =>
    client.post(`/screener-sessions/${links[index]!.session}/responses`, {
      responses: [{ screenerQuestionId: study.question.age, answer: 40 }],
      complete: true,
    });
  return { ...study, answer };
}

test("what is chosen is kept; a role offers what it may know", async () => {
  await choose(viewer);
  const { text } = await viewer.get(`${PAGE}?saved`);
  assert.match(text, /Email viewer@notice\.example about <bdi>Sleep lab<\/bdi> when/);
  assert.match(text, /id="STUDY_FULL"[^>]* checked/);
  assert.doesNotMatch(text, /IMPORT_WAITS|WEBHOOK_FAILS/);
  await choose(viewer, {});
  assert.doesNotMatch((await viewer.get(PAGE)).text, /type="checkbox"[^>]* checked/);
});

test("a study that is full is mailed once, to those who have chosen it, with a link, and without people", async () => {
  await choose(viewer);
  await choose(admin, { IMPORT_WAITS: "1" });
  const study = await almostFull("Tea at night");
  assert.equal((await study.answer(0)).status, 200);
  const [mail] = await relay.to("viewer@notice.example");
  assert.equal(mail!.headers.get("subject"), "Tea at night is full");
  assert.match(mail!.text, new RegExp(`/console/studies/${study.screener}\n`));
  assert.match(mail!.text, /This is from the workspace Sleep lab\./);
  assert.equal((await viewer.get(`/console/studies/${study.screener}`)).status, 200);
  for (const part of [mail!.text, mail!.html]) assert.doesNotMatch(part, /Person \d|@example\.org|screeners\//);
  await study.answer(1);
  await settled();
  const other = await almostFull("Coffee at night", "quota");
  assert.equal((await other.answer(0)).status, 200);
  const [, next] = await relay.to("viewer@notice.example", 2);
  assert.equal(next!.headers.get("subject"), "Coffee at night is full");
  await settled();
  assert.deepEqual([subjects("viewer@notice.example").length, subjects("admin@notice.example").length], [2, 0]);
  await quiet();
});

test("who chooses later, takes it back, loses the role or is disabled gets none; nor is what is not so any more sent", async () => {
  const before = await almostFull("Before");
  await before.answer(0);
  await choose(viewer);
  await choose(researcher);
  await choose(admin);
  const uid = (email: string) =>
    control.reader.value<string>("SELECT uid FROM workspace_user WHERE email = ?", `${email}@notice.example`)!;
  const count = relay.received.length;
  // While the relay takes nothing, messages wait.
  relay.script.recipient = () => ({ code: 450, message: "4.2.0 later" });
  const [one, other] = [await almostFull("Taken back"), await almostFull("Larger now")];
  await one.answer(0);
  await other.answer(0);
  const waiting = () =>
    workspaces.read(client.workspaceId, (db) =>
      db.value<number>("SELECT count(*) FROM message WHERE user_uid IS NOT NULL AND state = 'DEFERRED'"),
    );
  await until(() => waiting() === 6, "six messages wait");
  await choose(viewer, {});
  await admin.post("/console/users", {}, `/console/users/${uid("researcher")}/disable`);
  const larger = await client.patch(`/screener-publications/${other.publication}`, { targetQualifiedParticipants: 9 });
  assert.equal(larger.status, 200, larger.text);
  relay.script.recipient = () => undefined;
  await writeTo(workspaces, client.workspaceId, (db) => db.run("UPDATE message SET due_at = 1 WHERE due_at > 1"));
  await settled();
  assert.deepEqual(
    relay.received.slice(count).map(({ to, headers }) => `${to}: ${headers.get("subject")}`),
    ["admin@notice.example: Taken back is full"],
  );
  await admin.post("/console/users", {}, `/console/users/${uid("researcher")}/enable`);
  await admin.post("/console/users", { role: "viewer" }, `/console/users/${uid("researcher")}/role`);
  await choose(admin, {});
});

test("imports that the limit stops are mailed once a study, until that one is decided; a plan that was asked for is not", async () => {
  await choose(admin, { IMPORT_WAITS: "1" });
  const screenerId = await client.screener("Shift work");
  const PATH = "/screener-participants-import";
  assert.equal((await client.import(screenerId, people(10, 500))).status, 200);
  const sync = { screenerId, importMode: "FULL_SYNC", participants: people(4, 500), maxRemovals: 5 };
  const stop = async () => {
    const { body } = await client.post(PATH, sync);
    assert.equal(body.code, "removal_limit_exceeded");
    return (await client.all("/jobs")).at(-1)! as { id: string };
  };
  await client.post(PATH, { ...sync, dryRun: true });
  const first = await stop();
  const [mail] = await relay.to("admin@notice.example", subjects("admin@notice.example").length + 1);
  assert.ok(mail);
  const said = mailTo("admin@notice.example").at(-1)!;
  assert.equal(said.headers.get("subject"), "An import into Shift work needs approval");
  assert.match(said.text, new RegExp(`/console/jobs/${first.id}\n`));
  assert.doesNotMatch(said.text, /@example\.org|Person/);
  const count = relay.received.length;
  const second = await stop();
  await settled();
  assert.equal(relay.received.length, count);
  for (const { id } of [first, second]) assert.equal((await client.delete(`/jobs/${id}`)).status, 200);
  await stop();
  await until(() => relay.received.length === count + 1, "the next one is mailed");
  await quiet();
});

test("a webhook that fails for an hour, and one that is disabled, are mailed once each, by the host alone", async () => {
  await choose(admin, { WEBHOOK_FAILS: "1" });
  const receiver = await startReceiver();
  const url = `${receiver.url}?token=s3cret-of-the-receiver`;
  const { body: endpoint } = await client.post("/webhook-endpoints", { url, types: ["participant.created"] });
  const count = relay.received.length;
  const later = (hours: number) =>
    writeTo(workspaces, client.workspaceId, (db) => {
      const since = Date.now() - hours * 3_600_000;
      db.run(
        "UPDATE webhook_endpoint SET failing_since = ?, failed_at = ? WHERE failing_since IS NOT NULL",
        since,
        Date.now(),
      );
    });
  let tries = 1;
  const failAgain = async () => {
    await hasten(service, client);
    await attempted(client, ++tries);
  };
  receiver.behaves = answers(500);
  await add(client, 900);
  await attempted(client, tries);
  await later(2);
  await failAgain();
  await until(() => relay.received.length === count + 1, "it is mailed");
  await failAgain();
  await failAgain();
  receiver.behaves = answers(410);
  await failAgain();
  await until(() => relay.received.length === count + 2, "that it was disabled is mailed");
  const { host } = new URL(url);
  assert.deepEqual(subjects("admin@notice.example").slice(-2), [
    `The webhook to ${host} fails`,
    `The webhook to ${host} was disabled`,
  ]);
  const { raw, text } = relay.received.at(-1)!;
  assert.match(text, new RegExp(`/console/webhooks/${endpoint.id}\n`));
  assert.equal((await admin.get(`/console/webhooks/${endpoint.id}`)).status, 200);
  assert.doesNotMatch(raw + text, /s3cret/);
});

test("a storm is no more than twenty messages a day to one user", async () => {
  await choose(admin);
  const sent = relay.received.length;
  const left = workspaces.read(client.workspaceId, (db) =>
    db.value<number>("SELECT 20 - count(*) FROM message WHERE user_uid = ?", uidOf("admin@notice.example")),
  )!;
  await writeTo(workspaces, client.workspaceId, (db) => {
    for (let number = 0; number < 40; number++)
      db.run(
        "INSERT INTO webhook_endpoint (uid, url, status, secret, last_event_id, failing_since, created_by, created_at, updated_by, updated_at) SELECT ?, 'https://example.org/', 'ENABLED', '', last_event_id, 1, created_by, created_at, updated_by, updated_at FROM webhook_endpoint LIMIT 1",
        `e${number}`,
      );
    for (let number = 0; number < 40; number++)
      db.run(
        "INSERT INTO notice (kind, subject_uid, state, created_at) VALUES ('WEBHOOK_FAILS', ?, '1', ?)",
        ...[`e${number}`, Date.now()],
      );
  });
  await settled();
  assert.equal(relay.received.length - sent, left);
});

const uidOf = (email: string) => control.reader.value<string>("SELECT uid FROM workspace_user WHERE email = ?", email)!;
