// The page from which people of a study are written to: composed, looked at, planned, confirmed, and stopped.

import assert from "node:assert/strict";
import { test } from "node:test";
import { signedIn } from "../support/console.ts";
import { startRelay } from "../support/mail-relay.ts";
import { startService } from "../support/service.ts";
import { everyKind, publish } from "../support/study.ts";
import { until } from "../support/until.ts";
import { Visitor } from "../support/visitor.ts";

const relay = await startRelay();
const service = await startService({ config: { mail: relay.config({ MAIL_PER_MINUTE: "100000" }) } });
const client = service.workspace();
const browser = await signedIn(service, client.workspaceId, "researcher", "ada@example.org");

const words = (html: string) => html.replace(/<[^>]+>/g, " ").replace(/\s+/g, " ");

test("a message is shown, sent to oneself, planned, confirmed by its number, and sent", async () => {
  const { screener, question } = await publish(client, everyKind);
  const rows = Array.from({ length: 101 }, (_, person) => ({
    ...{ externalUid: `P${person}`, name: `Person ${person}`, email: `p${person}@example.org` },
  }));
  const { body: people } = await client.import(screener, rows);
  await client.patch(`/participants/${people[100].participantId}`, { email: null });
  const page = `/console/studies/${screener}/messages`;
  const form = {
    ...{ kind: "INVITATION", name: "First", subject: "For {{name|you}}", body: "Dear {{name|you}}\n\n{{link}}" },
    ...{
      status: "NOT_STARTED,IN_PROGRESS",
      limit: "",
      at: "",
      "days-1": "3",
      "subject-1": "Again",
      "body-1": "{{link}}",
    },
  };
  assert.match(words((await browser.get(page)).text), /Write a message .* Nothing yet\./);
  const wrong = await browser.post(page, { ...form, body: "No link", make: "plan" });
  assert.equal(wrong.status, 422);
  assert.match(words(wrong.text), /Text must have \{\{link\}\}, on a line of its own/);
  const shown = await browser.post(page, { ...form, make: "preview", person: "P7" });
  assert.match(words(shown.text), /As that person gets it For Person 7 Dear Person 7/);
  assert.doesNotMatch(words(shown.text), /that person’s answers/);
  const { body: session } = await client.post("/screener-sessions", { screenerParticipantId: people[8].id });
  const responses = [{ screenerQuestionId: question.age, answer: 44 }];
  await client.post(`/screener-sessions/${session.id}/responses`, { responses });
  const asking = { ...form, subject: "At {{answer:age|your age}}", make: "preview" };
  const answered = await browser.post(page, { ...asking, person: "P8" });
  assert.match(words(answered.text), /As that person gets it At 44 Dear Person 8/);
  const [, path] = /With <a href="([^"]+)">that person’s answers<\/a>/.exec(answered.text)!;
  assert.match(words((await browser.get(path!)).text), /How old are you\? .*44/);
  assert.match(words((await browser.post(page, { ...asking, person: "P9" })).text), /gets it At your age/);
  const unknown = await browser.post(page, { ...form, body: "{{answer:age}}\n\n{{link}}", make: "plan" });
  assert.equal(unknown.status, 422);
  assert.match(
    words(unknown.text),
    /needs a fallback, as in \{\{answer:age\|…\}\}: a person may not have answered “How old are you\?”/,
  );
  const tested = await browser.post(page, { ...form, make: "test", address: "me@example.org" });
  assert.match(words(tested.text), /Sent\. The relay said: 250/);

  const planned = await browser.post(page, { ...form, make: "plan", key: "a key" });
  assert.equal(planned.status, 303, planned.text);
  const plan = String(planned.headers.location);
  const numbers = words((await browser.get(plan)).text);
  assert.match(
    numbers,
    /People who get it 100 People who are left out 1 .*Everybody \(101\) Get it \(100\) Have no email \(1\)/,
  );
  assert.match(words((await browser.get(`${plan}?who=NO_EMAIL`)).text), /Person Message Person 100 Have no email/);
  const unconfirmed = await browser.post(plan, { confirm: "99" });
  assert.equal(unconfirmed.status, 422);
  assert.match(words(unconfirmed.text), /Type 100 to confirm/);
  assert.equal((await client.get("/mailings")).body.total, 0);
  const applied = await browser.post(plan, { confirm: "100" });
  assert.equal(applied.status, 303, applied.text);
  const mailing = String(applied.headers.location);
  await until(async () => (await client.get("/mailings")).body.items[0].messages.SENT === 100, "all are sent", 60_000);
  assert.match(words((await browser.get(mailing)).text), /is being sent .*Sent 100 Waiting 100 .*Reminders 1/);
  await browser.post(mailing, { act: "pause" });
  assert.match(words((await browser.get(mailing)).text), /paused .*Go on/);
  assert.match(
    words((await browser.get(mailing)).text),
    /Stop for good Stop this mailing\? The 100 messages that wait are not sent, and no reminder follows\. .*Yes, stop it for good/,
  );
  await browser.post(mailing, { act: "stop" });
  assert.match(words((await browser.get(mailing)).text), /stopped/);
  assert.match((await browser.get(`${mailing}/messages.csv`)).text, /SENT/);
  assert.match(words((await browser.get(page)).text), /First Invitation stopped 100/);
  const all = words((await browser.get("/console/messages")).text);
  assert.match(all, /Name Study Kind State Sent Waiting Made ▼ First .* Invitation stopped 100 0/);
});

test("those whom the table of answers shows are written to, by the same filters", async () => {
  const { screener, question } = await publish(client, everyKind);
  const rows = ["Y1", "Y2", "Y3"].map((id) => ({ externalUid: id, name: id, email: `${id}@example.org` }));
  const { body: people } = await client.import(screener, rows);
  for (const [index, answer] of [30, 40].entries()) {
    const { body: session } = await client.post("/screener-sessions", { screenerParticipantId: people[index].id });
    await client.post(`/screener-sessions/${session.id}/responses`, {
      responses: [{ screenerQuestionId: question.age, answer }],
    });
  }
  const filters =
    "filter[answers.age][gte]=35&filter[state][eq]=IN_PROGRESS&filter[startedAt][gte]=2026-01-01T00:00:00.000Z";
  const table = await browser.get(`/console/studies/${screener}/answers?${filters}&filter[answers.age][answered]=true`);
  const link = /href="([^"]+)">Write to them/.exec(table.text)![1]!.replaceAll("&amp;", "&").split("#")[0]!;
  const form = (await browser.get(link)).text;
  assert.match(form, /value="MESSAGE" checked/);
  assert.match(form, /<option value="gte" selected>is at least, or on or after</);
  const typed = [...form.matchAll(/name="value"(?: value="([^"]*)")?/g)].map(([, text = ""]) => text);
  assert.deepEqual(typed, ["35", "In progress", "2026-01-01", "", ""]);
  const sent = {
    ...{
      kind: "MESSAGE",
      name: "News",
      subject: "News",
      body: "Thank you.",
      status: "",
      make: "plan",
      key: "filtered",
    },
    field: ["answers.age", "state", "startedAt", "answers.age", ""],
    operator: ["gte", "eq", "gte", "answered:true", "eq"],
    value: typed,
  };
  const planned = await browser.post(link.split("?")[0]!, sent);
  assert.equal(planned.status, 303, words(planned.text));
  const plan = String(planned.headers.location);
  assert.match(words((await browser.get(plan)).text), /People who get it 1 .*Y2/);
  const { headers } = await browser.post(plan, {});
  const mailing = (await client.get(`/mailings/${String(headers.location).split("/").at(-1)}`)).body;
  assert.deepEqual(mailing.to, {
    filter: {
      "answers.age": { gte: "35", answered: "true" },
      state: { eq: "IN_PROGRESS" },
      startedAt: { gte: "2026-01-01T00:00:00.000Z" },
    },
  });
  const wrong = await browser.post(link.split("?")[0]!, { ...sent, value: ["old", "Asleep", "2026-01-01", "", ""] });
  assert.equal(wrong.status, 422);
  assert.match(words(wrong.text), /Condition 2 must be one of/);
});

test("all that a mailing may say can be typed, and what is wrong with it is said at its field", async () => {
  const { screener } = await publish(client, { ...everyKind, quotas: [{ name: "Everybody", limit: 50 }] });
  const other = await publish(client, everyKind, { title: "Another study" });
  const people = [
    { externalUid: "X1", name: "Ada", email: "x1@example.org", attributes: { site: "Leeds", language: "de" } },
    { externalUid: "X2", name: "Ben", email: "x2@example.org", attributes: { site: "York" } },
    { externalUid: "X3", name: "Cy", email: "x3@example.org", attributes: { site: "Bath" } },
    { externalUid: "X4", name: "Di", email: "x4@example.org", attributes: { site: "Leeds" } },
  ];
  await client.import(screener, people);
  await client.import(other.screener, people.slice(3));
  const quotas = await client.all(`/screeners/${screener}/quotas`);
  const page = `/console/studies/${screener}/messages`;
  const form = {
    ...{ kind: "INVITATION", name: "All of it", subject: "For {{name|you}}", body: "{{link}}", status: "NOT_STARTED" },
    ...{
      at: "2090-01-02T10:00",
      windowDays: ["MON", "FRI"],
      windowFrom: "09:00",
      windowTo: "18:00",
      windowZone: "Europe/Berlin",
    },
    ...{ perMinute: "30", resendUncertain: "yes", limit: "10", order: "RANDOM", notInvitedSince: "2026-01-01" },
    ...{ notQualifiedSince: "2026-01-01", notInScreenerIds: other.screener, make: "plan", key: "every member" },
    ...{
      "days-1": "3",
      "subject-1": "Again",
      "body-1": "{{link}}",
      "days-2": "7",
      "subject-2": "Last",
      "body-2": "{{link}}",
    },
    ...{ field: ["attributes.site", "", ""], operator: ["in", "eq", "eq"], value: ["Leeds, York", "", ""] },
  };
  const empty = (await browser.get(page)).text;
  assert.match(words(empty), /Another study/);
  assert.match(empty, /<option value="attributes\.site">/);
  const planned = await browser.post(page, form);
  assert.equal(planned.status, 303, words(planned.text));
  const plan = String(planned.headers.location);
  assert.match(words((await browser.get(plan)).text), /People who get it 2 /);
  const applied = String((await browser.post(plan, {})).headers.location);
  const mailing = (await client.get(`/mailings/${applied.split("/").at(-1)}`)).body;
  assert.deepEqual(mailing.to, {
    ...{ status: ["NOT_STARTED"], attributes: { site: { in: ["Leeds", "York"] } } },
    ...{ notInvitedSince: "2026-01-01T00:00:00.000Z", notQualifiedSince: "2026-01-01T00:00:00.000Z" },
    ...{ notInScreenerIds: [other.screener], limit: 10, order: "RANDOM" },
  });
  assert.deepEqual(mailing.window, { days: ["MON", "FRI"], from: "09:00", to: "18:00", timeZone: "Europe/Berlin" });
  assert.deepEqual(
    [
      mailing.at,
      mailing.perMinute,
      mailing.resendUncertain,
      mailing.reminders.map((one: { afterDays: number }) => one.afterDays),
    ],
    ["2090-01-02T10:00:00.000Z", 30, true, [3, 7]],
  );
  assert.match(
    words((await browser.get(applied)).text),
    /Only Mon, Fri, 09:00 to 18:00 \(Europe\/Berlin\) .*Reminder 2, 7 days later Last/,
  );

  const wrong = await browser.post(page, {
    ...form,
    ...{ "days-1": "soon", "body-2": "Nothing", perMinute: "0", windowZone: "Mars", limit: "many", windowTo: "08:00" },
    ...{ field: ["attributes.site", "attributes.site"], operator: ["eq", "eq"], value: ["Leeds", "York"] },
  });
  assert.match(words(wrong.text), /Condition 2 says the same twice/);
  const refused = words(
    (
      await browser.post(page, {
        ...form,
        "days-1": "soon",
        "subject-2": "",
        perMinute: "0",
        windowZone: "Mars",
        limit: "many",
      })
    ).text,
  );
  for (const said of [
    "Days until reminder 1 must be",
    "Subject of reminder 2 ",
    "Maximum per minute must be",
    "Time zone must be",
    "Maximum number of people must be",
  ])
    assert.ok(refused.includes(said), `${said}: ${refused.slice(0, 800)}`);
  assert.ok(!/ \/\w/.test(refused.slice(0, refused.indexOf("Write a message"))), "no pointers");
  const ofQuota = await browser.post(page, { ...form, quotaIds: quotas[0]!.id as string, key: "quota" });
  assert.match(words((await browser.get(String(ofQuota.headers.location))).text), /People who get it 0 /);
});

test("who is asked what to do with messages of which nobody knows whether they have left", async () => {
  const { screener } = await publish(client, everyKind);
  const { body: people } = await client.import(screener, [
    { externalUid: "U1", name: "Ada", email: "u1@lost.example" },
  ]);
  relay.script.message = ({ to }) => (to[0]!.endsWith("@lost.example") ? "HANG_UP" : undefined);
  const body = { screenerId: screener, name: "Lost", kind: "INVITATION", subject: "Hello", body: "{{link}}" };
  const reminders = [{ afterDays: 5, subject: "Again", body: "{{link}}" }];
  const { id } = (await client.post("/mailings", { ...body, reminders })).body;
  await until(async () => (await client.get(`/mailings/${id}`)).body.messages.UNCERTAIN === 1, "it is uncertain");
  const page = `/console/studies/${screener}/messages/${id}`;
  await browser.post(page, { act: "pause" });
  assert.match(words((await browser.get(page)).text), /Nobody knows whether 1 message has left Do not send them again/);
  relay.script = {};
  await browser.post(page, { act: "resume", resend: "yes" });
  assert.equal((await relay.to("u1@lost.example")).length, 1);
  await browser.post(page, { act: "pause" });
  await browser.post(page, { act: "resume", resend: "no" });
  assert.equal((await client.get(`/mailings/${id}`)).body.resendUncertain, false);

  // The person's own page has it, and says what they have unsubscribed from, and when mail is stopped by staff.
  const own = `/console/people/${people[0].participantId}`;
  assert.match(
    words((await browser.get(own)).text),
    /Messages Lost , reminder 1 .* Waiting Lost Sleep and smoke , .* Sent/,
  );
  assert.match(words((await browser.get(own)).text), /This person may be written to\./);
  const { currentSessionId } = (await client.get(`/screener-participants/${people[0].id}`)).body;
  const { screenerSessionLink } = (await client.get(`/screener-sessions/${currentSessionId}`)).body;
  await new Visitor(service.url).post(new URL(screenerSessionLink).pathname, "unsubscribe=study");
  await client.post("/mail-suppressions", { address: "u1@lost.example", reason: "BOUNCED" });
  assert.match(words((await browser.get(own)).text), /takes no mail.* Has stopped emails about Sleep and smoke/);
  assert.doesNotMatch((await browser.get(own)).text, /Write to this address again/);
  const admin = await signedIn(service, client.workspaceId, "admin", "admin@example.org");
  const { id: suppression } = (await client.get("/mail-suppressions")).body.items[0];
  const again = { mark: "address", suppression };
  assert.equal((await browser.post(own, again, `${own}/contact`)).status, 403);
  for (const _ of ["first", "again"]) assert.equal((await admin.post(own, again, `${own}/contact`)).status, 303);
  assert.equal((await client.get("/mail-suppressions")).body.total, 0);
});
