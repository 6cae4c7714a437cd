// Mail leaves by a relay: what it looks like, what becomes of it, and what people learn of it.

import assert from "node:assert/strict";
import { generateKeyPairSync } from "node:crypto";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { checkMail } from "../../src/doctor/mail.ts";
import { Relay } from "../../src/mail/relay/relay.ts";
import { isSigned } from "../support/dkim.ts";
import { startRelay } from "../support/mail-relay.ts";
import { startService } from "../support/service.ts";

const relay = await startRelay();
const service = await startService({ config: { mail: relay.config({ MAIL_REPLY_TO: "team@lab.example" }) } });

test("a test mail says what the relay has said, and comes as text and as HTML that loads nothing", async () => {
  const client = service.workspace("Sömn & <Schlaf>");
  const { status, body } = await client.post("/workspace/mail/test", { to: " ada@example.org " });
  assert.deepEqual([status, body._type, body.status], [200, "MailTest", "SENT"]);
  assert.match(body.reply, /^250 /);
  const [message] = await relay.to("ada@example.org");
  const { headers, text, html } = message!;
  assert.equal(headers.get("from"), "Sleep lab <studies@lab.example>");
  assert.equal(headers.get("reply-to"), "team@lab.example");
  assert.equal(headers.get("subject"), "A test from Sömn & <Schlaf>");
  assert.equal(headers.get("auto-submitted"), "auto-generated");
  assert.match(headers.get("message-id")!, /^<[0-9a-f-]{36}@lab\.example>$/);
  assert.ok(text.startsWith("This is a test from Sömn & <Schlaf>."), text);
  assert.ok(html.includes("<strong><bdi>Sömn &amp; &lt;Schlaf></bdi></strong>"), html);
  assert.ok(html.includes("prefers-color-scheme:dark"));
  assert.ok(!/<img|src=|url\(|@import/.test(html), "nothing is loaded");
});

test("what the relay refuses is said in its words, without the address", async () => {
  const client = service.workspace();
  const to = "no@example.org";
  relay.script.recipient = (address) =>
    address === to ? { code: 550, message: `5.1.1 <${to}>: unknown\tuser` } : undefined;
  const { body } = await client.post("/workspace/mail/test", { to });
  assert.deepEqual([body.status, body.reply], ["FAILED", "550 5.1.1 <…>: unknown user"]);
  relay.script.recipient = () => ({ code: 451, message: "4.7.1 Greylisted, try again in 5 minutes" });
  const later = await client.post("/workspace/mail/test", { to });
  assert.deepEqual([later.body.status, later.body.reply], ["DEFERRED", "451 4.7.1 Greylisted, try again in 5 minutes"]);
  relay.script.recipient = () => "HANG_UP";
  const hungUp = await client.post("/workspace/mail/test", { to });
  assert.deepEqual([hungUp.body.status, hungUp.body.reply], ["DEFERRED", "The relay ended the connection."]);
  relay.script = { message: () => "HANG_UP" };
  const lost = await client.post("/workspace/mail/test", { to });
  assert.deepEqual([lost.body.status, lost.body.reply], ["UNCERTAIN", "The relay ended the connection."]);
  relay.script = { message: () => ({ code: 554, message: "5.7.1 It looks like advertising" }) };
  const spam = await client.post("/workspace/mail/test", { to });
  assert.deepEqual([spam.body.status, spam.body.reply], ["FAILED", "554 5.7.1 It looks like advertising"]);
  relay.script = {};
});

test("a workspace sends so many tests in an hour, and only to what can be an address", async () => {
  const client = service.workspace();
  for (const to of ["ada", "a@example.org, b@example.org", "a@example.org\nBcc: b@example.org", "<a@example.org>", 7]) {
    const { status, body } = await client.post("/workspace/mail/test", { to });
    assert.deepEqual([status, body.errors?.[0].pointer], [400, "/to"], String(to));
  }
  const before = relay.received.length;
  for (let count = 0; count < 20; count++) await client.post("/workspace/mail/test", { to: "many@example.org" });
  const { status, body } = await client.post("/workspace/mail/test", { to: "many@example.org" });
  assert.deepEqual([status, body.code], [429, "too_many_requests"]);
  assert.equal(relay.received.length, before + 20);
  assert.ok(relay.connections() < 15, "connections are kept");
});

test("the settings are shown without secrets; and without a relay it is said that there is none", async () => {
  const { body } = await service.workspace().get("/workspace/mail");
  assert.deepEqual(body, {
    _type: "MailSettings",
    isConfigured: true,
    relay: `127.0.0.1:${relay.port}`,
    from: "Sleep lab <studies@lab.example>",
    replyTo: "team@lab.example",
    perMinute: 600,
    dkimDomain: null,
    contactCap: null,
  });
  const without = await startService();
  const client = without.workspace();
  assert.equal((await client.get("/workspace/mail")).body.isConfigured, false);
  const refused = await client.post("/workspace/mail/test", { to: "ada@example.org" });
  assert.deepEqual([refused.status, refused.body.code], [409, "mail_not_configured"]);
});

test("a receiver verifies the signature of the service", async () => {
  const { privateKey, publicKey } = generateKeyPairSync("rsa", { modulusLength: 2048 });
  const pem = String(privateKey.export({ type: "pkcs8", format: "pem" }));
  const dkim = { domain: "lab.example", selector: "s1", privateKey: pem };
  const signing = await startService({ config: { mail: { ...relay.config(), dkim } } });
  const client = signing.workspace("Zoë’s lab");
  assert.equal((await client.get("/workspace/mail")).body.dkimDomain, "lab.example");
  await client.post("/workspace/mail/test", { to: "signed@example.org" });
  const [message] = await relay.to("signed@example.org");
  assert.match(message!.headers.get("dkim-signature")!, / d=lab\.example;.* s=s1;/);
  assert.ok(await isSigned(message!.raw, publicKey, ["from", "to", "subject", "message-id"]));
  assert.ok(!(await isSigned(message!.raw.replace("inbox", "outbox"), publicKey, ["from"])));
});

test("a message that its recipient can stop says where, in headers that the signature covers", async () => {
  const { privateKey, publicKey } = generateKeyPairSync("rsa", { modulusLength: 2048 });
  const pem = String(privateKey.export({ type: "pkcs8", format: "pem" }));
  const sender = new Relay({ ...relay.config(), dkim: { domain: "lab.example", selector: "s1", privateKey: pem } });
  const unsubscribe = "https://study.example.org/w/1/screeners/2/3?unsubscribe";
  const letter = { subject: "Sleep", text: "Sleep", html: "<p>Sleep</p>", messageId: sender.messageId("1") };
  assert.equal((await sender.send({ ...letter, to: "stop@example.org", unsubscribe })).state, "SENT");
  assert.equal((await sender.send({ ...letter, to: "asked@example.org" })).state, "SENT");
  await sender.close();
  const [message] = await relay.to("stop@example.org");
  assert.equal(message!.headers.get("list-unsubscribe"), `<${unsubscribe}>`);
  assert.equal(message!.headers.get("list-unsubscribe-post"), "List-Unsubscribe=One-Click");
  assert.ok(await isSigned(message!.raw, publicKey, ["from", "to", "list-unsubscribe", "list-unsubscribe-post"]));
  assert.equal((await relay.to("asked@example.org"))[0]!.headers.get("list-unsubscribe"), undefined);
});

test("where the relay is elsewhere, nothing leaves without TLS, nor to one whose certificate nobody knows", async () => {
  const plain = await startRelay();
  const tls = (name: string) => readFileSync(`test/support/tls/${name}.pem`);
  const expired = await startRelay({ disabledCommands: [] });
  const unknown = await startRelay({ disabledCommands: [], key: tls("key"), cert: tls("certificate") });
  for (const [{ port, received }, said] of [
    [plain, /^The relay does not speak TLS as it should/],
    [expired, /^The certificate of the relay is not valid now/],
    [unknown, /^The certificate of the relay is not to be trusted; .* NODE_EXTRA_CA_CERTS names its file/],
  ] as const) {
    const local = plain.config({ SMTP_URL: `smtp://user:secret@127.0.0.1:${port}` });
    const mail = { ...local, relay: { ...local.relay, isLoopback: false } };
    const client = (await startService({ config: { mail } })).workspace();
    const { body } = await client.post("/workspace/mail/test", { to: "ada@example.org" });
    assert.deepEqual([body.status, received.length], ["DEFERRED", 0], body.reply);
    assert.match(body.reply, said);
    assert.ok(!JSON.stringify(body).includes("secret"));
  }
});

test("the doctor says what the relay refuses, and what receivers miss in the DNS", async () => {
  const { privateKey } = generateKeyPairSync("ed25519");
  const pem = String(privateKey.export({ type: "pkcs8", format: "pem" }));
  const config = { ...relay.config(), dkim: { domain: "lab.example", selector: "s1", privateKey: pem } };
  const none = Object.assign(new Error(), { code: "ENOTFOUND" });
  const names = (texts: Record<string, string[]>) => ({
    resolveTxt: async (name: string) => {
      if (!texts[name]) throw none;
      return texts[name].map((text) => [text.slice(0, 5), text.slice(5)]);
    },
  });
  const said = async (of: Parameters<typeof checkMail>[1]) =>
    (await checkMail(config, of)).map(({ level, message }) => `${level}: ${message}`);
  assert.deepEqual(await said(names({})), [
    "warning: lab.example has no SPF record: receivers may refuse its mail",
    "error: s1._domainkey.lab.example has no TXT record: nobody can check the signatures",
    "warning: lab.example has no DMARC record: large providers may refuse its mail",
  ]);
  const [, { advice }] = (await checkMail(config, names({}))) as [unknown, { advice: string }];
  const good = {
    "lab.example": ["google-site-verification=x", "v=spf1 -all"],
    "s1._domainkey.lab.example": [advice.replace(/^add one that says: /, "")],
    "_dmarc.lab.example": ["v=DMARC1; p=none"],
  };
  assert.deepEqual(await said(names(good)), []);
  const other = { ...good, "lab.example": ["v=spf1 a", "v=spf1 mx"], "s1._domainkey.lab.example": ["v=DKIM1; p=AAAA"] };
  assert.deepEqual(await said(names(other)), [
    "error: lab.example has 2 SPF records, so none of them counts",
    "error: s1._domainkey.lab.example has another key than MAIL_DKIM_KEY_FILE",
  ]);
  const silent = {
    resolveTxt: async () => {
      throw Object.assign(new Error(), { code: "ETIMEOUT" });
    },
  };
  const unknown = "warning: the DNS does not answer, so nobody knows whether it lets the service send as lab.example";
  assert.deepEqual(await said(silent), [unknown]);
  const inbound = { name: "returned", domain: "mail.lab.example", secret: "hidden" };
  const servers = async (found: object[]) =>
    (await checkMail({ ...config, inbound }, { ...names(good), resolveMx: async () => found as never })).map(
      ({ message }) => message,
    );
  assert.deepEqual(await servers([{ exchange: "mx.lab.example", priority: 10 }]), []);
  assert.deepEqual(await servers([]), [
    "mail.lab.example has no MX record: what comes back to MAIL_INBOUND arrives nowhere",
  ]);
  await relay.close();
  assert.deepEqual(await said(silent), ["error: no mail can be sent. Nothing listens where SMTP_URL says", unknown]);
});
