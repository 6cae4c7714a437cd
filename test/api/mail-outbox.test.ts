// Messages that wait in a workspace until the relay takes them: each is sent once at most, and nobody gets what is not so any more.

import assert from "node:assert/strict";
import { test } from "node:test";
import { removeExpired } from "../../db/expiry.ts";
import { expiring } from "../../src/main/registry.ts";
import type { Client } from "../support/client.ts";
import { startRelay } from "../support/mail-relay.ts";
import { type Service, startService } from "../support/service.ts";
import { writeTo } from "../support/store.ts";
import { everyKind, publish } from "../support/study.ts";
import { until } from "../support/until.ts";
import { ABOUT, formOf, isPage, Visitor } from "../support/visitor.ts";

const relay = await startRelay();
const service = await startService({ config: { mail: relay.config() } });
const visitor = new Visitor(service.url);

/** A study with somebody who has a link, and the path of that. */
async function invited(client: Client) {
  const study = await publish(client, everyKind);
  const person = { externalUid: "P1", email: "known@example.org", name: "Ada" };
  const [assignment] = (await client.import(study.screener, [person])).body;
  const { body: session } = await client.post("/screener-sessions", { screenerParticipantId: assignment.id });
  const link: string = session.screenerSessionLink;
  return { study, session, participant: assignment.participantId as string, link, path: new URL(link).pathname };
}

const messages = (client: Client, { context }: Service = service) =>
  context.workspaces.read(client.workspaceId, (db) =>
    db.all<{ state: string; attempts: number; reply: string | null; address: string | null }>(
      "SELECT state, attempts, reply, address FROM message ORDER BY id",
    ),
  );
const states = (client: Client) => messages(client).map(({ state }) => state);
const settled = (client: Client, state: string) =>
  until(() => states(client).at(-1) === state, `a message is ${state}`);

/** As if the time had come. */
const hasten = (client: Client) =>
  writeTo(service.context.workspaces, client.workspaceId, (db) =>
    db.run("UPDATE message SET due_at = 1 WHERE due_at > 1"),
  );

/** Asks for the link on the page of questions. */
function ask(to: string, study: Awaited<ReturnType<typeof invited>>["study"], path: string, entries: object = ABOUT) {
  const form = new URLSearchParams(formOf(study, "About you", entries as typeof ABOUT));
  form.append("mail-to", to);
  form.append("mail-link", "");
  return visitor.post(path, form.toString());
}

test("somebody has the own link mailed, and what was entered is saved", async () => {
  const client = service.workspace("Sleep & more");
  const { study, session, link, path } = await invited(client);
  assert.match((await visitor.open(path)).text, /Email me my link/);
  const page = await ask("me@example.org", study, path, { age: "44" });
  isPage(page, 200, "About you");
  assert.match(page.text, /on its way to me@example\.org/);
  assert.match(page.text, /value="44"/);
  const [message] = await relay.to("me@example.org");
  assert.equal(message!.headers.get("subject"), "Your link");
  assert.match(message!.text, new RegExp(`\\n\\n${link.replaceAll(/[.?]/g, "\\$&")}\\n\\n`), "a line of its own");
  assert.ok(message!.html.includes(`<a href="${link}">${link}</a>`));
  await settled(client, "SENT");
  assert.match(messages(client)[0]!.reply!, /^250 /);
  const { body } = await client.get(`/screener-sessions/${session.id}`);
  assert.equal(body.state, "IN_PROGRESS");
  assert.equal((await client.all(`/screener-responses?filter[screenerSessionId][eq]=${session.id}`)).length, 1);
});

test("after a day nobody needs the address of a message, and after a month nobody the message; all that expires is looked for", async () => {
  const client = service.workspace();
  const { study, path } = await invited(client);
  isPage(await ask("me@example.org", study, path), 200, "About you");
  await settled(client, "SENT");
  const after = (days: number) =>
    removeExpired(service.context.workspaces, client.workspaceId, expiring, {
      now: Date.now() + days * 24 * 3_600_000,
      jobsSince: 0,
      eventsSince: 0,
    });
  const addresses = () => messages(client).map(({ address }) => address);
  after(0);
  assert.deepEqual(addresses(), ["me@example.org"]);
  after(2);
  assert.deepEqual(addresses(), [null]);
  after(31);
  assert.deepEqual(addresses(), []);
});

test("what can't be an address is said at the field, and has no second recipient and no header", async () => {
  const client = service.workspace();
  const { study, path } = await invited(client);
  for (const to of ["me", "a@example.org,b@example.org", "a@example.org\r\nBcc: b@example.org", ""]) {
    const page = await ask(to, study, path);
    assert.equal(page.status, 422, to);
    assert.match(page.text, /id="mail-to-error"/);
  }
  assert.deepEqual(messages(client), []);
});

test("a session has it mailed so often in an hour; and an address that others have typed gets no more, which nobody learns", async () => {
  const client = service.workspace();
  const { study, path } = await invited(client);
  for (let count = 0; count < 3; count++)
    assert.match((await ask("often@example.org", study, path)).text, /on its way/);
  assert.match((await ask("often@example.org", study, path)).text, /already been sent several times/);
  const others = await client.import(study.screener, [
    { externalUid: "P2", email: "p2@example.org", name: "B" },
    { externalUid: "P3", email: "p3@example.org", name: "C" },
  ]);
  for (const { id } of others.body) {
    const { body } = await client.post("/screener-sessions", { screenerParticipantId: id });
    for (let count = 0; count < 2; count++)
      assert.match(
        (await ask("OFTEN@example.org", study, new URL(body.screenerSessionLink).pathname)).text,
        /on its way/,
      );
  }
  await until(() => !states(client).includes("READY") && !states(client).includes("SENDING"), "all are settled");
  assert.deepEqual(states(client), ["SENT", "SENT", "SENT", "SENT", "SENT", "DROPPED", "DROPPED"]);
});

test("what the relay will not take now is tried again, what it refuses is not, and what nobody knows is not", async () => {
  const client = service.workspace();
  const { study, path } = await invited(client);
  const to = "grey@example.org";
  let tries = 0;
  relay.script = {
    recipient: (address) => (address === to && ++tries < 3 ? { code: 451, message: "Greylisted" } : undefined),
  };
  await ask(to, study, path);
  await settled(client, "DEFERRED");
  assert.equal(messages(client)[0]!.reply, "451 Greylisted");
  hasten(client);
  await until(() => tries === 2, "it was tried again");
  await settled(client, "DEFERRED");
  hasten(client);
  await settled(client, "SENT");
  assert.deepEqual([messages(client)[0]!.attempts, (await relay.to(to)).length], [3, 1]);

  relay.script = { recipient: () => ({ code: 550, message: `<${to}> unknown` }) };
  await ask("gone@example.org", study, path);
  await settled(client, "FAILED");
  relay.script = { message: () => "HANG_UP" };
  await ask("lost@example.org", study, path);
  await settled(client, "UNCERTAIN");
  relay.script = {};
  hasten(client);
  assert.deepEqual(states(client), ["SENT", "FAILED", "UNCERTAIN"]);
  const [first, second] = await relay.to("me@example.org");
  assert.ok(!second || first!.headers.get("message-id") !== second.headers.get("message-id"));
});

test("a suspended workspace sends nothing until it is resumed; a link that was revoked is not sent; an erased person's message goes", async () => {
  const client = service.workspace();
  const { study, session, participant, path } = await invited(client);
  const hold = { recipient: () => ({ code: 451, message: "Later" }) } as const;
  relay.script = hold;
  await ask("held@example.org", study, path);
  await settled(client, "DEFERRED");
  relay.script = {};
  const suspend = (at: number | null) =>
    service.context.control.writer.run("UPDATE workspace SET suspended_at = ? WHERE uid = ?", at, client.workspaceId);
  suspend(Date.now());
  hasten(client);
  service.context.mail!.mailer.kick(client.workspaceId);
  const other = service.workspace();
  const theirs = await invited(other);
  await ask("other@example.org", theirs.study, theirs.path);
  await relay.to("other@example.org");
  assert.deepEqual(states(client), ["DEFERRED"]);
  suspend(null);
  await relay.to("held@example.org");

  relay.script = hold;
  await ask("revoked@example.org", study, path);
  await settled(client, "DEFERRED");
  await client.call("DELETE", `/screener-sessions/${session.id}`);
  relay.script = {};
  hasten(client);
  await settled(client, "DROPPED");
  await client.call("DELETE", `/participants/${participant}`);
  assert.deepEqual(messages(client), []);
});
