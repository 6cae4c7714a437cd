// A mailing that is half sent when its backup is taken: restored, it sends nothing until a person says so, and what may have left is not sent again.

import assert from "node:assert/strict";
import { test } from "node:test";
import { newFolder } from "../support/folder.ts";
import { startRelay } from "../support/mail-relay.ts";
import { type Installation, install } from "../support/process.ts";
import { everyKind, publish } from "../support/study.ts";
import { until } from "../support/until.ts";

async function run(installation: Installation, ...args: string[]) {
  const { code, stdout, stderr } = await installation.cli(...args, "--json");
  assert.equal(code, 0, stdout + stderr);
  return JSON.parse(stdout);
}

test("after a restore every mailing is paused, and what was due since is uncertain", { timeout: 240_000 }, async () => {
  const relay = await startRelay();
  const env = { SMTP_URL: relay.url, MAIL_FROM: "studies@lab.example", MAIL_PER_MINUTE: "100000" };
  const source = install(env);
  const web = await source.web();
  const workspace = source.workspace();
  const client = workspace.client(web);
  const study = await publish(client, everyKind);
  const people = [1, 2, 3].map((n) => ({ externalUid: `P${n}`, name: "Ada", email: `p${n}@example.org` }));
  await client.import(study.screener, people);
  const mailing = { screenerId: study.screener, name: "M", kind: "MESSAGE", subject: "For you", body: "Hello" };
  // One leaves at once, and the next after a minute.
  const { body: now } = await client.post("/mailings", { ...mailing, perMinute: 1 });
  const { body: later } = await client.post("/mailings", { ...mailing, at: "2099-01-01T00:00:00.000Z" });
  await until(async () => (await client.get(`/mailings/${now.id}`)).body.messages.SENT === 1, "one has left", 60_000);
  const { folder } = await run(source, "backup", newFolder());
  await source.stop();
  const left = relay.received.length;

  const restored = install(env, newFolder());
  await run(restored, "restore", folder);
  const again = workspace.client(await restored.web());
  const read = async (id: string) => (await again.get(`/mailings/${id}`)).body;
  for (const { id } of [now, later]) {
    const { status, pausedBecause, nextAt } = await read(id);
    assert.deepEqual([status, pausedBecause, nextAt], ["PAUSED", "RESTORED", null]);
  }
  const counts = async (id: string) => {
    const { SENT, READY, UNCERTAIN } = (await read(id)).messages;
    return { SENT, READY, UNCERTAIN };
  };
  assert.deepEqual(await counts(now.id), { SENT: 1, READY: 0, UNCERTAIN: 2 });
  assert.deepEqual(await counts(later.id), { SENT: 0, READY: 3, UNCERTAIN: 0 });
  assert.equal(relay.received.length, left, "nothing leaves");
});
