// Participants who withdraw at their link: what counts no more, what is given back, and what stays.

import assert from "node:assert/strict";
import { test } from "node:test";
import { parseCsv } from "../support/csv.ts";
import { startService } from "../support/service.ts";
import { invite, publish, readSession } from "../support/study.ts";
import { isPage, Visitor } from "../support/visitor.ts";

const service = await startService();
const client = service.workspace();
const visitor = new Visitor(service.url);

const content = {
  pages: [
    {
      title: "Consent",
      questions: [
        {
          ...{ key: "agreed", _type: "ScreenerConsentQuestion", prompt: "I agree", text: "We keep your answers." },
          ...{ version: "2", withdrawText: "We then delete what you said." },
        },
      ],
    },
    { title: "More", questions: [{ key: "more", _type: "ScreenerTextQuestion", prompt: "More?" }] },
  ],
  quotas: [{ name: "All", limit: 1 }],
};

test("whoever has begun can withdraw at the link, after a question, and counts no more", async () => {
  const study = await publish(client, content);
  const [link, other] = await invite(client, study.screener, 2);
  const { path, session, assignment } = link!;
  assert.doesNotMatch((await visitor.open(path)).text, /Withdraw/);
  const next = await visitor.go(path, study, "Consent", { agreed: ["given"] });
  assert.match(next.text, /href="[^"]*\?withdraw"/);
  isPage(await visitor.go(path, study, "More", { more: "Tea" }), 200, "Thank you");
  const taken = async () => (await client.all(`/screeners/${study.screener}/quotas`)).map((one) => one.taken);
  assert.deepEqual(await taken(), [1]);

  const asked = await visitor.get(`${path}?withdraw`);
  isPage(asked, 200, "Withdraw from this study");
  assert.match(asked.text, /We then delete what you said\./);
  // To look changes nothing.
  assert.equal((await readSession(client, session)).withdrawnAt, null);
  const done = await visitor.post(path, "withdraw=");
  assert.equal(done.status, 303);
  isPage(await visitor.get(String(done.headers.location)), 200, "You have withdrawn");
  isPage(await visitor.open(path), 200, "You have withdrawn");
  await visitor.post(path, "withdraw=");

  const { status, state, withdrawnAt } = await readSession(client, session);
  assert.deepEqual([status, state, typeof withdrawnAt], ["ARCHIVED", "COMPLETED", "string"]);
  assert.equal((await client.get(`/screener-participants/${assignment}`)).body.status, "UNKNOWN");
  assert.deepEqual(await taken(), [0]);
  const rows = async (query: string) =>
    parseCsv((await client.get(`/screeners/${study.screener}/export${query}`)).text).length - 1;
  assert.deepEqual([await rows(""), await rows("?includeWithdrawn=true")], [0, 1]);
  const results = (await client.get(`/screeners/${study.screener}/results`)).body;
  assert.equal(results.questions[0].answered, 0);
  const events = await client.all(`/events?filter[resourceId][eq]=${session}`);
  assert.equal(events.filter(({ type }) => type === "screener-session.withdrawn").length, 1);
  // The place is another one's now.
  await visitor.go(other!.path, study, "Consent", { agreed: ["given"] });
  isPage(await visitor.go(other!.path, study, "More", { more: "" }), 200, "Thank you");
  assert.deepEqual(await taken(), [1]);
});

test("nobody can withdraw from what they have not begun, or where no consent was asked for", async () => {
  const study = await publish(client, content);
  const [link] = await invite(client, study.screener, 1);
  await visitor.post(link!.path, "withdraw=");
  assert.equal((await readSession(client, link!.session)).status, "ACTIVE");
  const plain = await publish(client, { pages: [content.pages[1]] });
  const [second] = await invite(client, plain.screener, 1);
  await visitor.go(second!.path, plain, "More", { more: "Tea" });
  await visitor.post(second!.path, "withdraw=");
  assert.equal((await readSession(client, second!.session)).withdrawnAt, null);
});
