// Mailings that are half sent when their backup is taken, or when their machine is lost: restored, they send nothing until a person says so. What may
// have left is sent again only where the mailing, or that person, wants that.

import assert from "node:assert/strict";
import { test } from "node:test";
import type { Client } from "../support/client.ts";
import { newFolder } from "../support/folder.ts";
import { kill, litestream, replicated } from "../support/litestream-script.ts";
import { startRelay } from "../support/mail-relay.ts";
import { type Installation, install } from "../support/process.ts";
import { everyKind, publish } from "../support/study.ts";
import { until } from "../support/until.ts";

const relay = await startRelay();
const env = { SMTP_URL: relay.url, MAIL_FROM: "studies@lab.example", MAIL_PER_MINUTE: "100000" };

async function run(installation: Installation, ...args: string[]) {
  const { code, stdout, stderr } = await installation.cli(...args, "--json");
  assert.equal(code, 0, stdout + stderr);
  return JSON.parse(stdout);
}

/** Mailings to three people: two of which one message has left, one of which sends again what is uncertain, and one that begins later. */
async function halfSent(client: Client) {
  const study = await publish(client, everyKind);
  const people = [1, 2, 3].map((n) => ({ externalUid: `P${n}`, name: "Ada", email: `p${n}@example.org` }));
  await client.import(study.screener, people);
  const created = async (subject: string, more: object): Promise<string> => {
    const body = { screenerId: study.screener, name: "M", kind: "MESSAGE", subject, body: "Hello", ...more };
    return (await client.post("/mailings", body)).body.id;
  };
  // One leaves at once, and the next after a minute.
  const once = await created("once", { perMinute: 1 });
  const again = await created("again", { perMinute: 1, resendUncertain: true });
  const later = await created("later", { at: "2099-01-01T00:00:00.000Z" });
  for (const id of [once, again])
    await until(async () => (await client.get(`/mailings/${id}`)).body.messages.SENT === 1, "one has left", 60_000);
  return { once, again, later };
}

const came = (subject: string) => relay.received.filter(({ headers }) => headers.get("subject") === subject);

async function counts(client: Client, id: string) {
  const { status, messages } = (await client.get(`/mailings/${id}`)).body;
  const { SENT, READY, UNCERTAIN } = messages;
  return { status, SENT, READY, UNCERTAIN };
}

async function assertPaused(client: Client, { once, again, later }: Awaited<ReturnType<typeof halfSent>>) {
  for (const id of [once, again, later]) {
    const { status, pausedBecause, nextAt } = (await client.get(`/mailings/${id}`)).body;
    assert.deepEqual([status, pausedBecause, nextAt], ["PAUSED", "RESTORED", null]);
  }
  for (const id of [once, again])
    assert.deepEqual(await counts(client, id), { status: "PAUSED", SENT: 1, READY: 0, UNCERTAIN: 2 });
  assert.deepEqual(await counts(client, later), { status: "PAUSED", SENT: 0, READY: 3, UNCERTAIN: 0 });
}

test("after a restore every mailing is paused, and what was due since is uncertain until a person resumes", {
  timeout: 240_000,
}, async () => {
  const source = install(env);
  const workspace = source.workspace();
  const mailings = await halfSent(workspace.client(await source.web()));
  const { folder } = await run(source, "backup", newFolder());
  await source.stop();
  const left = relay.received.length;

  const restored = install(env, newFolder());
  await run(restored, "restore", folder);
  const client = workspace.client(await restored.web());
  await assertPaused(client, mailings);
  // What leaves after others were asked for leaves after them.
  const probe = await client.post("/workspace/mail/test", { to: "probe@example.org" });
  assert.equal(probe.body.status, "SENT");
  assert.equal(relay.received.length, left + 1, "nothing leaves but that");

  const resume = async (id: string, body: object = {}) =>
    assert.equal((await client.post(`/mailings/${id}/resume`, body)).status, 200);
  const { once, again, later } = mailings;
  await resume(once);
  await until(async () => (await counts(client, once)).status === "SENT", "nothing waits any more");
  assert.deepEqual(await counts(client, once), { status: "SENT", SENT: 1, READY: 0, UNCERTAIN: 2 });
  assert.equal(came("once").length, 1, "nobody said that they should be sent again");
  // As the mailing says; another one as who resumes it says.
  await resume(again);
  await until(() => came("again").length === 2, "what is uncertain leaves", 120_000);
  assert.equal(new Set(came("again").map(({ to }) => to[0])).size, 2);
  await resume(later, { resendUncertain: true });
  assert.deepEqual(await counts(client, later), { status: "SCHEDULED", SENT: 0, READY: 3, UNCERTAIN: 0 });
  await restored.stop();
});

test("after a machine was lost and its replica restored, every mailing is paused as well", {
  timeout: 240_000,
}, async () => {
  const source = install(env);
  const workspace = source.workspace();
  const client = workspace.client(await source.web());
  const replica = `file://${newFolder()}`;
  const replicating = litestream("replicate", source.dataDir, replica);
  const mailings = await halfSent(client);
  const sent = "SELECT count(*) FROM message WHERE state = 'SENT'";
  await until(async () => (await replicated(replica, workspace, sent))[0] === 2, "it is replicated", 60_000);
  kill(replicating.child);
  await source.stop();

  const promoted = install(env, newFolder());
  const restoring = litestream("restore", promoted.dataDir, replica);
  assert.equal(await new Promise((resolve) => restoring.child.once("exit", resolve)), 0, restoring.output());
  await run(promoted, "restore", "--in-place", "--without-erased");
  await assertPaused(workspace.client(await promoted.web()), mailings);
  await promoted.stop();
});
