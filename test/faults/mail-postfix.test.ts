// A mailing over Debian's Postfix: what is delivered is signed rightly, what nobody has comes back and is suppressed, and who unsubscribes by mail is
// written to no more; as docs/operations.md has it set up.

import assert from "node:assert/strict";
import { generateKeyPairSync } from "node:crypto";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { createTransport } from "nodemailer";
import { isSigned } from "../support/dkim.ts";
import { newFolder } from "../support/folder.ts";
import { BOX, EMPTY, Postfix, whyNoPostfix } from "../support/postfix.ts";
import { install } from "../support/process.ts";
import { freePort } from "../support/proxies.ts";
import { INBOUND, INBOUND_SECRET } from "../support/returned-mail.ts";
import { everyKind, publish } from "../support/study.ts";
import { until } from "../support/until.ts";

test("a mailing over Postfix: signed, delivered, returned, and stopped by mail", {
  skip: whyNoPostfix ?? false,
  timeout: 240_000,
}, async () => {
  const port = await freePort();
  const postfix = new Postfix(port);
  const { privateKey, publicKey } = generateKeyPairSync("rsa", { modulusLength: 2048 });
  const key = join(newFolder(), "dkim.pem");
  writeFileSync(key, privateKey.export({ type: "pkcs8", format: "pem" }));
  const installation = install({
    ...{ SMTP_URL: `smtp://127.0.0.1:${port}`, MAIL_FROM: `studies@${EMPTY}`, MAIL_PER_MINUTE: "100000" },
    ...{ MAIL_INBOUND: INBOUND, MAIL_INBOUND_SECRET: INBOUND_SECRET },
    ...{ MAIL_DKIM_DOMAIN: EMPTY, MAIL_DKIM_SELECTOR: "s1", MAIL_DKIM_KEY_FILE: key },
  });
  const web = await installation.web();
  const client = installation.workspace().client(web);
  const study = await publish(client, everyKind);
  const addresses = [`ada@${BOX}`, `gone@${EMPTY}`, `full@${EMPTY}`];
  await client.import(
    study.screener,
    addresses.map((email, index) => ({ externalUid: `P${index}`, name: "Ada", email })),
  );
  const mailing = {
    screenerId: study.screener,
    name: "Invitation",
    kind: "INVITATION",
    subject: "For you",
    body: "{{link}}",
  };
  const { body: job, text } = await client.post("/mailings", mailing);
  assert.equal(job.status, "SUCCEEDED", text);
  const counts = async () => (await client.get(`/mailings/${job.id}`)).body.messages;
  await until(async () => (await counts()).SENT === 3, "Postfix has taken all", 60_000);

  // The service is away: what comes back waits in the queue.
  const waiting = () => new Set(postfix.log.match(/(\w+): to=<returned\+b\w+@(?=.*status=deferred)/g));
  await until(() => waiting().size >= 2, "both wait", 60_000);
  postfix.bringTo(web.url);
  postfix.flush();
  await until(async () => (await counts()).BOUNCED === 2, "both have come back", 60_000);
  const suppressed = await client.all("/mail-suppressions");
  assert.deepEqual(
    suppressed.map(({ address, reason }) => [address, reason]),
    [[`gone@${EMPTY}`, "BOUNCED"]],
  );
  const bounces = (await client.all(`/mailings/${job.id}/messages`)).map(
    ({ state, bounce }) => `${state} ${bounce ?? ""}`,
  );
  assert.deepEqual(bounces.map((one) => one.split(" ").slice(0, 2).join(" ")).sort(), [
    "BOUNCED 5.1.1",
    "BOUNCED 5.2.2",
    "SENT ",
  ]);
  for (const bounce of bounces) assert.ok(!bounce.includes("@"), bounce);

  const message = postfix.messageOf("ada");
  assert.ok(await isSigned(message, publicKey, ["from", "to", "list-unsubscribe", "list-unsubscribe-post"]));
  assert.ok(!(await isSigned(message.replace("For you", "For me"), publicKey, ["from"])));
  const to = /<mailto:([^?>]+)\?/.exec(message.replaceAll(/\r\n[ \t]+/g, " "))![1]!;
  await createTransport({ host: "127.0.0.1", port, ignoreTLS: true }).sendMail({
    from: `ada@${BOX}`,
    to,
    subject: "unsubscribe",
    text: "",
  });
  await until(
    async () => (await client.all("/events")).some(({ type }) => type === "participant.unsubscribed"),
    "Ada wants no more",
    60_000,
  );
  const { body: plan } = await client.post("/mailings", { ...mailing, dryRun: true });
  assert.deepEqual(plan.summary, { send: 1, skip: 2, bounced: 1, unsubscribed: 1 });
});
