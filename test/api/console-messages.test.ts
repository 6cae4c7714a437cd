// The page from which people of a study are written to: composed, looked at, planned, confirmed, and stopped.

import assert from "node:assert/strict";
import { test } from "node:test";
import { signedIn } from "../support/console.ts";
import { startRelay } from "../support/mail-relay.ts";
import { startService } from "../support/service.ts";
import { everyKind, publish } from "../support/study.ts";
import { until } from "../support/until.ts";

const relay = await startRelay();
const service = await startService({ config: { mail: relay.config({ MAIL_PER_MINUTE: "100000" }) } });
const client = service.workspace();
const browser = await signedIn(service, client.workspaceId, "researcher", "ada@example.org");

const words = (html: string) => html.replace(/<[^>]+>/g, " ").replace(/\s+/g, " ");

test("a message is shown, sent to oneself, planned, confirmed by its number, and sent", async () => {
  const { screener } = await publish(client, everyKind);
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
      reminderDays: "3",
      reminderSubject: "Again",
      reminderBody: "{{link}}",
    },
  };
  assert.match(words((await browser.get(page)).text), /Write a message .* Nothing yet\./);
  const wrong = await browser.post(page, { ...form, body: "No link", make: "plan" });
  assert.equal(wrong.status, 422);
  assert.match(words(wrong.text), /Text must have \{\{link\}\}, on a line of its own/);
  const shown = await browser.post(page, { ...form, make: "preview", person: "P7" });
  assert.match(words(shown.text), /As that person gets it For Person 7 Dear Person 7/);
  const tested = await browser.post(page, { ...form, make: "test", to: "me@example.org" });
  assert.match(words(tested.text), /Sent\. The relay said: 250/);

  const planned = await browser.post(page, { ...form, make: "plan", key: "a key" });
  assert.equal(planned.status, 303, planned.text);
  const plan = String(planned.headers.location);
  const numbers = words((await browser.get(plan)).text);
  assert.match(numbers, /People who get it 100 People who are left out 1 .*Have no email 1/);
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
  await browser.post(mailing, { act: "stop" });
  assert.match(words((await browser.get(mailing)).text), /stopped/);
  assert.match((await browser.get(`${mailing}/messages.csv`)).text, /SENT/);
  assert.match(words((await browser.get(page)).text), /First Invitation stopped 100/);
});
