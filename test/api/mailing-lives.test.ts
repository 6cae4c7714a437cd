// What happens around a mailing: days and hours, links that expire, a study that is deleted, a person who is erased, and texts that would be headers.

import assert from "node:assert/strict";
import { test } from "node:test";
import { type Hours, openAt } from "../../src/mailings/hours.ts";
import { findBytes } from "../support/bytes.ts";
import { assertAllCounts } from "../support/counts.ts";
import { startRelay } from "../support/mail-relay.ts";
import {
  addresses,
  briefly,
  ended,
  hasten,
  invitation,
  messagesOf,
  read,
  send,
  studyWith,
} from "../support/mailings.ts";
import { startService } from "../support/service.ts";
import { until } from "../support/until.ts";

const relay = await startRelay();
const service = await startService({ config: { mail: relay.config({ MAIL_PER_MINUTE: "100000" }) } });

const DAYS = ["SUN", "MON", "TUE", "WED", "THU", "FRI", "SAT"] as const;
const DAY_MS = 24 * 3_600_000;

test("a window opens on its days, from one time of the clock to another, also when clocks change", () => {
  const window: Hours = { days: ["MON", "SUN"], from: "02:30", to: "18:00", timeZone: "Europe/Berlin" };
  const opens = (at: string) => new Date(openAt(window, Date.parse(at))).toISOString();
  // A Monday: before it, in it, at its end.
  assert.equal(opens("2026-01-05T00:00:00Z"), "2026-01-05T01:30:00.000Z");
  assert.equal(opens("2026-01-05T12:34:56Z"), "2026-01-05T12:34:56.000Z");
  assert.equal(opens("2026-01-05T17:00:00Z"), "2026-01-11T01:30:00.000Z");
  // On Tuesday in New York it is Wednesday in Berlin: the day is that of the time zone.
  assert.equal(opens("2026-01-04T23:30:00Z"), "2026-01-05T01:30:00.000Z");
  // That Sunday has no 02:30, and another one has two.
  assert.equal(opens("2026-03-28T12:00:00Z").slice(0, 10), "2026-03-29");
  assert.equal(opens("2026-10-24T12:00:00Z").slice(0, 10), "2026-10-25");
});

test("a mailing outside its window waits for it, also when it is due", async () => {
  const client = service.workspace();
  const [ada] = addresses(1) as [string];
  const { screener } = await studyWith(client, [{ email: ada }]);
  const later = new Date(Date.now() + 2 * DAY_MS);
  const closed = { days: [DAYS[later.getUTCDay()]!], from: "09:00", to: "17:00", timeZone: "UTC" };
  const one = await send(client, invitation(screener, { window: closed }));
  const nextAt = async () => ((await read(client, one)) as unknown as { nextAt: string | null }).nextAt;
  const opens = `${later.toISOString().slice(0, 10)}T09:00:00.000Z`;
  await until(async () => (await nextAt()) === opens, "it waits for the window");
  assert.deepEqual(await briefly(client, one), ["P1 0 READY"]);
  await hasten(service, client);
  await until(async () => (await nextAt()) === opens, "it waits, though it is due");
  assert.equal(relay.received.filter(({ to }) => to.includes(ada)).length, 0);
});

test("no reminder follows once links have expired", async () => {
  const client = service.workspace();
  const [ada] = addresses(1) as [string];
  const study = await studyWith(client, [{ email: ada }]);
  const reminders = [
    { afterDays: 3, subject: "Again", body: "{{link}}" },
    { afterDays: 3, subject: "Last", body: "{{link}}" },
  ];
  const one = await send(client, invitation(study.screener, { reminders }));
  await until(async () => (await read(client, one)).messages.SENT === 1, "the first one is sent");
  const linkExpiresAt = new Date(Date.now() - 1000).toISOString();
  const { status, text } = await client.patch(`/screeners/${study.screener}`, { linkExpiresAt });
  assert.equal(status, 200, text);
  await hasten(service, client);
  await ended(client, one);
  assert.deepEqual(await briefly(client, one), ["P1 0 SENT", "P1 1 DROPPED LINK_EXPIRED"]);
});

test("a deleted study takes its mailings along, and what waits; that people were written to still counts", async () => {
  const client = service.workspace();
  const [ada, ben] = addresses(2) as [string, string];
  const study = await studyWith(client, [{ email: ada }]);
  const other = await studyWith(client, [{ email: ada }, { externalUid: "P9", email: ben }]);
  const reminders = [{ afterDays: 3, subject: "Again", body: "{{link}}" }];
  const one = await send(client, invitation(study.screener, { reminders }));
  await until(async () => (await read(client, one)).messages.SENT === 1, "it is sent");
  const { status, text } = await client.delete(`/screeners/${study.screener}?confirm=Sleep%20and%20smoke`);
  assert.equal(status, 200, text);
  await service.drain();
  assert.equal((await client.get(`/mailings/${one.id}`)).status, 404);
  assert.equal((await client.get(`/mailings/${one.id}/messages`)).status, 404);
  assert.equal((await client.get("/mailings")).body.total, 0);
  await hasten(service, client);
  await client.patch("/workspace/mail", { contactCap: { messages: 1, days: 30 } });
  const { body: plan } = await client.post("/mailings", invitation(other.screener, { dryRun: true }));
  assert.deepEqual(plan.summary, { send: 1, skip: 1, contactedRecently: 1 });
  const { body: exported } = await client.get(`/participants/${study.people[0]!.participantId}/export`);
  assert.ok(exported.messages.every(({ screenerId }: { screenerId: string | null }) => screenerId !== study.screener));
  assert.equal(relay.received.filter(({ to }) => to.includes(ada)).length, 1);
});

test("nothing of an erased person is left of mailings but the hash of an address that is not written to", async () => {
  const client = service.workspace();
  const secrets = ["ottilie-7731", "ottilie@mahler.example", "Ottilie Zyprian"];
  const [uid, email, name] = secrets as [string, string, string];
  const study = await studyWith(client, [
    { externalUid: uid, email, name },
    { externalUid: "P2", email: addresses(1)[0] },
  ]);
  const reminders = [{ afterDays: 3, subject: "For {{name|you}}", body: "{{link}}" }];
  const sent = await send(client, invitation(study.screener, { reminders }));
  await until(async () => (await read(client, sent)).messages.SENT === 2, "both are sent");
  relay.script.recipient = (address) =>
    address === email ? { code: 550, message: `5.1.1 <${address}>: no mailbox of ${name}` } : undefined;
  const refused = await send(client, invitation(study.screener));
  await ended(client, refused);
  relay.script = {};
  const planned = (await client.post("/mailings", invitation(study.screener, { dryRun: true }))).body;
  assert.equal(planned.summary.bounced, 1);
  assert.equal((await client.get("/mail-suppressions")).body.total, 1);
  assert.ok(findBytes(service.config.dataDir, secrets).length > 0);
  const { participantId } = study.people[0]!;
  assert.equal((await client.delete(`/participants/${participantId}`)).status, 200);
  await service.drain();
  assert.deepEqual(findBytes(service.config.dataDir, secrets), []);
  for (const one of [sent, refused])
    assert.deepEqual([...new Set((await messagesOf(client, one)).map((row) => row.externalParticipantUid))], ["P2"]);
  const { items } = (await client.get("/mail-suppressions")).body;
  assert.deepEqual([items.length, items[0].address, items[0].participantId], [1, null, null]);
  // Who comes back with the address is still not written to.
  await client.import(study.screener, [{ externalUid: "New", email, name: "New" }]);
  const again = (await client.post("/mailings", invitation(study.screener, { dryRun: true }))).body;
  assert.equal(again.summary.bounced, 1);
});

test("no name, attribute or subject makes a header, a second recipient or markup", async () => {
  const client = service.workspace();
  const [ada] = addresses(1) as [string];
  const evil = "x\r\nBcc: all@example.org\r\n\r\n<script>alert(1)</script>\u2028[a](https://evil.example)";
  const { screener } = await studyWith(client, [{ email: ada, name: evil, attributes: { site: evil } }]);
  const words = {
    subject: "For {{name|you}} in {{attribute:site|town}}",
    body: "{{name|you}}\n\n{{link}}\n\n{{attribute:site|town}}",
  };
  await ended(client, await send(client, invitation(screener, words)));
  const [mail] = await relay.to(ada);
  assert.deepEqual(mail!.to, [ada]);
  assert.deepEqual([mail!.headers.get("bcc"), mail!.headers.get("cc")], [undefined, undefined]);
  const [head = ""] = mail!.raw.split("\r\n\r\n");
  assert.doesNotMatch(head, /^Bcc/im);
  assert.match(mail!.headers.get("subject")!, /^For x Bcc: all@example.org/);
  assert.doesNotMatch(mail!.html, /<script>alert|href="https:\/\/evil/);
  for (const subject of ["One\nTwo", "One\r\nBcc: x@example.org", "One\u0000"]) {
    const refused = await client.post("/mailings", invitation(screener, { subject, dryRun: true }));
    assert.equal(refused.status, 400, JSON.stringify(subject));
  }
});

test("reminders are in the person’s language, too", async () => {
  const client = service.workspace();
  const [ada] = addresses(1) as [string];
  const { screener } = await studyWith(client, [{ email: ada, attributes: { language: "pt-BR" } }]);
  const one = await send(
    client,
    invitation(screener, {
      translations: [{ language: "pt", subject: "Convite", body: "{{link}}" }],
      reminders: [
        {
          afterDays: 1,
          subject: "Again",
          body: "{{link}}",
          translations: [{ language: "pt", subject: "De novo", body: "{{link}}" }],
        },
      ],
    }),
  );
  await until(async () => (await read(client, one)).messages.SENT === 1, "the first one is sent");
  await hasten(service, client);
  await ended(client, one);
  const [first, second] = await relay.to(ada, 2);
  assert.deepEqual([first!.headers.get("subject"), second!.headers.get("subject")], ["Convite", "De novo"]);
  assert.match(second!.html, /<html lang="pt/);
});

test("the counts of messages are those of the rows after all this", () => {
  assertAllCounts(service);
});
