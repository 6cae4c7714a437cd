// Mail that comes back: what bounces, and who wants no more; and that nobody has an address suppressed who only says so.

import assert from "node:assert/strict";
import { test } from "node:test";
import type { Client } from "../support/client.ts";
import { type Received, startRelay } from "../support/mail-relay.ts";
import { bring, complaint, INBOUND, INBOUND_SECRET, reportOn } from "../support/returned-mail.ts";
import { startService } from "../support/service.ts";
import { everyKind, publish } from "../support/study.ts";
import { until } from "../support/until.ts";
import { ABOUT, formOf, isPage, Visitor } from "../support/visitor.ts";

const relay = await startRelay();
const mail = relay.config({
  MAIL_PER_MINUTE: "100000",
  MAIL_INBOUND: INBOUND,
  MAIL_INBOUND_SECRET: INBOUND_SECRET,
});
const service = await startService({ config: { mail } });
const visitor = new Visitor(service.url);

let unique = 0;
const newAddress = () => `p${++unique}@returned.example.com`;

/** A study with a person who was sent an invitation, and that. */
async function invited(client: Client, email = newAddress()) {
  const study = await publish(client, everyKind);
  const { body: people } = await client.import(study.screener, [{ externalUid: `P-${email}`, email, name: "Ada" }]);
  const mailing = await sent(client, study.screener, email);
  return { study, email, participant: people[0].participantId as string, ...mailing };
}

const invitation = (screenerId: string) => ({
  ...{ screenerId, name: "Invitation", kind: "INVITATION" },
  ...{ subject: "For {{name|you}}", body: "{{link}}" },
});

async function sent(client: Client, screenerId: string, email: string) {
  const { body: job, text } = await client.post("/mailings", invitation(screenerId));
  assert.equal(job.summary?.send, 1, text);
  const [message] = await relay.to(email);
  return { mailing: job.id as string, message: message!, ...addressesOf(message!) };
}

/** Where a message comes back to, and where its recipient writes to get no more. */
function addressesOf({ from, headers }: Received) {
  const [, unsubscribe = ""] = /<mailto:([^?>]+)\?subject=unsubscribe>/.exec(headers.get("list-unsubscribe")!) ?? [];
  return { returnPath: from, unsubscribe };
}

const messagesOf = async (client: Client, mailing: string) =>
  (await client.all(`/mailings/${mailing}/messages`)) as unknown as {
    id: string;
    state: string;
    reply: string;
    bounce: string | null;
    bouncedAt: string | null;
  }[];
const isIn = (client: Client, mailing: string, state: string) =>
  until(async () => (await messagesOf(client, mailing))[0]!.state === state, `the message is ${state}`);
const suppressed = (client: Client) => client.all("/mail-suppressions");
const eventsOf = async (client: Client, type: string) =>
  (await client.all("/events")).filter((event) => event.type === type) as unknown as { summary: object }[];

const outcome = async (recipient: string, text: string) => {
  const { status, body } = await bring(service.url, recipient, text);
  assert.equal(status, 200, JSON.stringify(body));
  return [body.outcome, body.reason].filter(Boolean).join(" ");
};

test("a message whose address nobody has bounces: it is written to no more, also when the person was erased", async () => {
  const client = service.workspace();
  const { study, email, participant, mailing, message, returnPath } = await invited(client);
  await isIn(client, mailing, "SENT");
  const [local = "", domain] = returnPath.split("@");
  assert.match(local, /^returned\+b[0-9a-v]+$/);
  assert.ok(local.length <= 64, "RFC 5321 allows no more");
  assert.equal(domain, "mail.example.org");
  assert.equal(message.headers.get("from"), "Sleep lab <studies@lab.example>", "people see it as before");

  assert.equal(await outcome(returnPath.toUpperCase(), reportOn({ to: email })), "BOUNCED_HARD");
  assert.equal(await outcome(returnPath, reportOn({ to: email })), "BOUNCED_HARD", "it may come twice");
  const [bounced] = await messagesOf(client, mailing);
  assert.deepEqual([bounced!.state, bounced!.bounce], ["BOUNCED", "5.1.1 550 <…>: Recipient address rejected"]);
  assert.match(bounced!.reply, /^250 /, "what the relay had said stays");
  assert.ok(bounced!.bouncedAt);
  const { body: now } = await client.get(`/mailings/${mailing}`);
  assert.deepEqual([now.messages.SENT, now.messages.BOUNCED], [0, 1]);
  const [event, ...more] = await eventsOf(client, "message.bounced");
  assert.deepEqual(more, []);
  assert.deepEqual(event!.summary, {
    ...{ mailingId: mailing, messageId: bounced!.id, step: 0 },
    ...{ isHard: true, reply: bounced!.bounce },
  });
  const [one] = await suppressed(client);
  assert.deepEqual([one!.address, one!.reason, one!.participantId], [email, "BOUNCED", participant]);

  const { body: plan } = await client.post("/mailings", { ...invitation(study.screener), dryRun: true });
  assert.deepEqual(plan.summary, { send: 0, skip: 1, bounced: 1 });
  assert.equal((await client.delete(`/participants/${participant}`)).body.status, "SUCCEEDED");
  const [hidden] = await suppressed(client);
  assert.deepEqual([hidden!.address, hidden!.reason], [null, "BOUNCED"]);
  const found = await client.all(`/mail-suppressions?filter[address][eq]=${encodeURIComponent(email)}`);
  assert.equal(found.length, 1);
  assert.equal(await outcome(returnPath, reportOn({ to: email })), "IGNORED UNKNOWN_ADDRESS", "its message has gone");
});

test("what is late, full or refused as unwanted is not suppressed; and words count where the code says nothing", async () => {
  const client = service.workspace();
  const { study, email, mailing, returnPath } = await invited(client);
  await isIn(client, mailing, "SENT");
  const late = reportOn({ to: email, action: "delayed", status: "4.4.1", diagnostic: "connect: timed out" });
  assert.equal(await outcome(returnPath, late), "IGNORED NOT_FAILED");
  await isIn(client, mailing, "SENT");
  const cases = [
    ["4.4.7", "450 4.2.1 try again", "BOUNCED_SOFT"],
    ["5.2.2", "552 5.2.2 mailbox full", "BOUNCED_SOFT"],
    ["5.7.1", "550 5.7.1 this user does not exist for spam", "BOUNCED_SOFT"],
    ["5.0.0", "554 something else", "BOUNCED_SOFT"],
    ["5.0.0", "550 No such user here", "BOUNCED_HARD"],
    ["5.4.4", "Host or domain name not found", "BOUNCED_HARD"],
  ] as const;
  for (const [status, diagnostic, expected] of cases) {
    const client = service.workspace();
    const one = await invited(client);
    assert.equal(await outcome(one.returnPath, reportOn({ to: one.email, status, diagnostic })), expected, diagnostic);
    await isIn(client, one.mailing, "BOUNCED");
    assert.equal((await suppressed(client)).length, expected === "BOUNCED_HARD" ? 1 : 0, diagnostic);
  }
  assert.equal(await outcome(returnPath, reportOn({ to: email, status: "5.2.2" })), "BOUNCED_SOFT");
  const { body: plan } = await client.post("/mailings", { ...invitation(study.screener), dryRun: true });
  assert.deepEqual(plan.summary, { send: 1, skip: 0 });
});

test("a box that was full turns out to be nobody's: that is said, once", async () => {
  const client = service.workspace();
  const { email, mailing, returnPath } = await invited(client);
  const bounces = async () =>
    (await client.all("/events?filter[type][eq]=message.bounced")).map(
      (event) => (event as unknown as { summary: { isHard: boolean; reply: string } }).summary,
    );
  const full = reportOn({ to: email, status: "5.2.2", diagnostic: "552 5.2.2 mailbox full" });
  const gone = reportOn({ to: email, status: "5.1.1", diagnostic: "550 5.1.1 no such user" });
  const come = async (report: string) => outcome(returnPath, report);
  assert.deepEqual([await come(full), await come(gone)], ["BOUNCED_SOFT", "BOUNCED_HARD"]);
  assert.deepEqual([await come(full), await come(gone)], ["BOUNCED_SOFT", "BOUNCED_HARD"]);
  assert.deepEqual((await bounces()).map(({ isHard }) => isHard).sort(), [false, true]);
  const [message] = await client.all(`/mailings/${mailing}/messages`);
  assert.match(String((message as unknown as { bounce: string }).bounce), /no such user/);
  assert.equal((await suppressed(client)).length, 1);
});

test("the address that it went to is suppressed, and no other one", async () => {
  const client = service.workspace();
  const { email, participant, mailing, returnPath } = await invited(client);
  await isIn(client, mailing, "SENT");
  const now = newAddress();
  await client.patch(`/participants/${participant}`, { email: now });
  // It was forwarded to somebody whose address does not work any more.
  assert.equal(await outcome(returnPath, reportOn({ to: "elsewhere@example.net" })), "BOUNCED_HARD");
  assert.deepEqual(await suppressed(client), []);
  assert.equal(await outcome(returnPath, reportOn({ to: email.toUpperCase() })), "BOUNCED_HARD");
  const of = async (address: string) =>
    (await client.all(`/mail-suppressions?filter[address][eq]=${encodeURIComponent(address)}`)).length;
  assert.deepEqual([await of(email), await of(now)], [1, 0]);
});

test("a message that somebody asked for bounces as well", async () => {
  const client = service.workspace();
  const { study, message } = await invited(client);
  const path = new URL(/https?:\S+\/screeners\/\S+/.exec(message.text)![0].replace(/\?.*/, "")).pathname;
  const typed = newAddress();
  const form = new URLSearchParams(formOf(study, "About you", ABOUT));
  form.append("mail-to", typed);
  form.append("mail-link", "");
  isPage(await visitor.post(path, form.toString()), 200, "About you");
  const [own] = await relay.to(typed);
  const { returnPath, headers } = {
    ...addressesOf({ ...own!, headers: new Map([["list-unsubscribe", ""]]) }),
    ...own!,
  };
  assert.equal(headers.get("list-unsubscribe"), undefined, "who asks for it needs no way to stop it");
  assert.equal(await outcome(returnPath, reportOn({ to: typed })), "BOUNCED_HARD");
  const found = await client.all(`/mail-suppressions?filter[address][eq]=${encodeURIComponent(typed)}`);
  assert.deepEqual(
    found.map(({ address, reason }) => [address, reason]),
    [[null, "BOUNCED"]],
  );
});

test("it may come back before the relay's reply is recorded", async () => {
  const client = service.workspace();
  relay.delayMs = 1500;
  try {
    const { email, mailing, returnPath } = await invited(client);
    // The relay's list of messages has it before the relay answers.
    assert.equal(await outcome(returnPath, reportOn({ to: email })), "BOUNCED_HARD");
    await until(async () => (await client.get(`/mailings/${mailing}`)).body.status === "SENT", "the mailing has ended");
    // What the relay says now is about a message that is over. Messages are given to it in turns.
    await isIn(client, (await invited(client)).mailing, "SENT");
    assert.equal((await messagesOf(client, mailing))[0]!.state, "BOUNCED");
  } finally {
    relay.delayMs = 0;
  }
});

test("who writes to the address for that gets no more mail, and a program that answers by itself does not ask for it", async () => {
  const client = service.workspace();
  const { study, mailing, message, returnPath, unsubscribe } = await invited(client);
  await isIn(client, mailing, "SENT");
  assert.match(message.headers.get("list-unsubscribe")!, /^<http[^>]+\?unsubscribe>, <mailto:returned\+u/);
  assert.match(message.headers.get("list-unsubscribe-post")!, /One-Click/);
  const away = "Auto-Submitted: auto-replied (vacation)\r\nSubject: Away\r\n\r\nI am away.\r\n";
  assert.equal(await outcome(unsubscribe, away), "IGNORED AUTOMATIC");
  assert.equal(await outcome(returnPath, away), "IGNORED NO_REPORT");
  assert.deepEqual(await eventsOf(client, "participant.unsubscribed"), []);
  const wish = "From: ada@example.org\r\nSubject: unsubscribe\r\n\r\n";
  assert.equal(await outcome(unsubscribe, wish), "UNSUBSCRIBED");
  assert.equal(await outcome(unsubscribe, wish), "UNSUBSCRIBED");
  const events = await eventsOf(client, "participant.unsubscribed");
  assert.deepEqual(
    events.map(({ summary }) => summary),
    [{ scope: "EVERYTHING" }],
  );
  const { body: plan } = await client.post("/mailings", { ...invitation(study.screener), dryRun: true });
  assert.deepEqual(plan.summary, { send: 0, skip: 1, unsubscribed: 1 });
});

test("who calls a message spam is written to no more, wherever the provider says which message it was", async () => {
  const client = service.workspace();
  const people = [];
  for (let n = 0; n < 4; n++) people.push(await invited(client));
  const [named, hidden, both, moved] = people as [(typeof people)[0], ...typeof people];
  for (const { mailing } of people) await isIn(client, mailing, "SENT");
  const reports: [recipient: string, mail: string][] = [
    // To the address that was agreed on with the provider: the message is named by its envelope, ...
    [INBOUND, complaint([`Original-Mail-From: <${named.returnPath}>`, `Original-Rcpt-To: ${named.email}`], [])],
    // ... or by a header of it alone, folded, and without the address of the person.
    [
      INBOUND,
      complaint(
        [],
        [
          `List-Unsubscribe: <https://x.example/y?unsubscribe>,\r\n <mailto:${hidden!.unsubscribe}?subject=unsubscribe>`,
        ],
      ),
    ],
    [both!.returnPath, complaint([], ["To: <redacted>"])],
  ];
  for (const [recipient, mail] of reports)
    for (let times = 0; times < 2; times++) assert.equal(await outcome(recipient, mail), "COMPLAINED");
  const found = async () => (await suppressed(client)).map(({ address, reason }) => `${address} ${reason}`);
  const expected = [named, hidden!, both!].map(({ email }) => `${email} COMPLAINED`);
  assert.deepEqual((await found()).toSorted(), expected.toSorted());
  const [first] = await suppressed(client);
  assert.equal(first!.detail, null);
  const { body: plan } = await client.post("/mailings", { ...invitation(named.study.screener), dryRun: true });
  assert.deepEqual(plan.summary, { send: 0, skip: 1, doNotContact: 1 });
  assert.equal((await messagesOf(client, named.mailing))[0]!.state, "SENT", "it has arrived");

  // The person has another address by now, and nobody says which one it was: nothing more leaves for the person.
  await client.patch(`/participants/${moved!.participant}`, { email: newAddress() });
  assert.equal(await outcome(INBOUND, complaint([`Original-Mail-From: ${moved!.returnPath}`], [])), "COMPLAINED");
  assert.equal((await suppressed(client)).length, 3);
  const { body: other } = await client.post("/mailings", { ...invitation(moved!.study.screener), dryRun: true });
  assert.deepEqual(other.summary, { send: 0, skip: 1, unsubscribed: 1 });
});

test("feedback that is no complaint, or is about a message that never left, changes nothing", async () => {
  const client = service.workspace();
  const { mailing, returnPath, email } = await invited(client);
  await isIn(client, mailing, "SENT");
  const about = [`Original-Mail-From: <${returnPath}>`, `Original-Rcpt-To: ${email}`];
  for (const type of ["auth-failure", "not-spam", "virus", "other", ""])
    assert.match(await outcome(returnPath, complaint(about, [], type)), /^IGNORED NO_REPORT/, type);
  assert.equal(await outcome(INBOUND, complaint(about, [], "not-spam")), "IGNORED UNKNOWN_ADDRESS");
  const madeUp = `${returnPath.slice(0, returnPath.indexOf("@") - 12)}000000000000@mail.example.org`;
  assert.equal(await outcome(INBOUND, complaint([`Original-Mail-From: <${madeUp}>`], [])), "IGNORED UNKNOWN_ADDRESS");
  assert.equal(await outcome(INBOUND, complaint([], [])), "IGNORED UNKNOWN_ADDRESS");
  assert.deepEqual(await suppressed(client), []);
});

test("without the secret, or with an address that is made up, nothing happens", async () => {
  const client = service.workspace();
  const [one, other] = [await invited(client), await invited(client)];
  for (const { mailing } of [one, other]) await isIn(client, mailing, "SENT");
  const { email, returnPath, unsubscribe } = one;
  const report = reportOn({ to: email });
  const refused = async (more: object, recipient = returnPath) => {
    const { status, body } = await bring(service.url, recipient, report, more);
    assert.deepEqual([status, body.code], [403, "mail_signature_invalid"]);
  };
  const now = Math.floor(Date.now() / 1000);
  await refused({ secret: "another secret of more than thirty-two characters" });
  await refused({ at: now - 3600 });
  await refused({ at: now + 3600 });
  await refused({ signature: "" });
  await refused({ signature: "00" });
  await refused({ at: Number.NaN });
  const proof = returnPath.slice(-"0123456789ab@mail.example.org".length, -"@mail.example.org".length);
  const madeUp = [
    returnPath.replace(proof, "000000000000"),
    // The proof of another message, and of another purpose.
    returnPath.replace(proof, other.returnPath.slice(-29, -17)),
    unsubscribe.replace("+u", "+b"),
    returnPath.replace("mail.example.org", "mail.example.com"),
    returnPath.replace("returned+", "returned"),
    "returned@mail.example.org",
    "",
  ];
  for (const recipient of madeUp) assert.equal(await outcome(recipient, report), "IGNORED UNKNOWN_ADDRESS", recipient);
  const [elsewhere] = [await invited(service.workspace())];
  const workspace = /\+b(.{26})/.exec(elsewhere!.returnPath)![1]!;
  assert.equal(await outcome(returnPath.replace(/(?<=\+b).{26}/, workspace), report), "IGNORED UNKNOWN_ADDRESS");
  assert.deepEqual(await suppressed(client), []);
  for (const { mailing } of [one, other]) await isIn(client, mailing, "SENT");
});

test("mail that is none, too long or made to harm is answered, and changes nothing", async () => {
  const client = service.workspace();
  const { email, mailing, returnPath } = await invited(client);
  await isIn(client, mailing, "SENT");
  const nested = (depth: number): string =>
    `Content-Type: multipart/mixed; boundary=b${depth}\r\n\r\n--b${depth}\r\n${depth ? nested(depth - 1) : "\r\n"}\r\n--b${depth}--`;
  const none = [
    "",
    "\r\n",
    "\0\0\0",
    "Content-Type: multipart/report\r\n\r\n",
    `X: ${"x".repeat(200_000)}\r\n\r\n`,
    nested(300),
  ];
  for (const text of none) assert.match(await outcome(returnPath, text), /^IGNORED (NO_REPORT|NOT_READABLE)$/);
  const empty = reportOn({ to: email }).replace(/Final-Recipient[\s\S]*?rejected\r\n/, "");
  assert.match(await outcome(returnPath, empty), /^IGNORED/);
  // A long message comes back behind its report.
  const cut = reportOn({ to: email, action: "relayed" }) + "x".repeat(900_000);
  assert.equal(await outcome(returnPath, cut), "IGNORED NOT_FAILED");
  const { status, body } = await bring(service.url, returnPath, "x".repeat(1024 * 1024 + 1));
  assert.deepEqual([status, body.code], [413, "body_too_large"]);
  const without = await fetch(`${service.url}/mail/inbound`, { method: "POST", body: "x" });
  assert.equal(without.status, 400);
  await isIn(client, mailing, "SENT");
});
