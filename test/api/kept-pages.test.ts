// Pages are rendered once for all who have not answered them. Whoever came before, a page is one's own, and as things are now.

import assert from "node:assert/strict";
import { test } from "node:test";
import { sharedService } from "../support/service.ts";
import { type Invitation, invite, publish } from "../support/study.ts";
import { timeless, Visitor } from "../support/visitor.ts";

const service = await sharedService();
const client = service.workspace("Acme Research");
const visitor = new Visitor(service.url);

const letters = [..."ABCDEFGH"].map((text) => ({ text }));

const study = await publish(client, {
  language: "en",
  markup: "MARKDOWN",
  pages: [
    {
      title: "About you",
      questions: [
        { id: "town", key: "town", _type: "ScreenerTextQuestion", prompt: "Where do you live?", required: true },
        { key: "born", _type: "ScreenerDateQuestion", prompt: "Born?", required: false, max: { today: "-P18Y" } },
      ],
    },
    {
      title: "For adults",
      showWhen: { attribute: "group", equals: "a" },
      questions: [{ key: "why", _type: "ScreenerTextQuestion", prompt: "Why?", required: false }],
    },
    {
      title: "Dear {{attribute:group|you}}",
      questions: [{ key: "dear", _type: "ScreenerTextQuestion", prompt: "How?" }],
    },
    {
      title: "Letters",
      questions: [
        { key: "l", _type: "ScreenerSingleSelectQuestion", prompt: "Which?", shuffle: true, options: letters },
      ],
    },
  ],
});
const { screener } = study;
const groups = ["a", "b", "a", "b", "c"];
const links = await invite(client, screener, groups.length, (index) => ({ group: groups[index] }));
const [ann, ben, cleo, dan, eve] = links as [Invitation, Invitation, Invitation, Invitation, Invitation];

const open = async ({ path }: Invitation, query = "") => (await visitor.open(path + query)).text;

/** A page without what is each person's own. */
const common = (html: string, { session }: Invitation) => timeless(html.replaceAll(session, "session"));

test("people get the same page with their own links, and nothing of anybody else", async () => {
  const pages = [await open(ann), await open(cleo), await open(ann)];
  const [first, other, again] = pages as [string, string, string];
  assert.equal(common(other, cleo), common(first, ann));
  assert.equal(timeless(again), timeless(first));
  assert.ok(first.includes(ann.session) && !first.includes(cleo.session) && !other.includes(ann.session));
  // Where other pages follow, another progress.
  assert.notEqual(common(await open(ben), ben), common(first, ann));
  assert.match(first, /<progress value="1" max="4"/);
  assert.match(await open(ben), /<progress value="1" max="3"/);
});

test("what somebody has typed, or typed wrongly, is on that person's page alone", async () => {
  const page = `?page=${study.page["About you"]}`;
  const untouched = await open(ben, page);
  const wrong = await visitor.send(ann.path, study, "About you", {
    town: "Ulm",
    born: { day: "x", month: "", year: "" },
  });
  assert.equal(wrong.status, 422);
  await visitor.send(ann.path, study, "About you", { town: "Ulm", born: "" });
  assert.match(await open(ann, page), /value="Ulm"/);
  assert.equal(timeless(await open(ben, page)), timeless(untouched));
  assert.match(await open(ann), /<h1[^>]*>For adults</);
});

test("what is piped in, and an order by chance, are each person's own", async () => {
  for (const [link, group] of [
    [dan, "b"],
    [eve, "c"],
    [dan, "b"],
  ] as const) {
    await visitor.send(link.path, study, "About you", { town: "Rome", born: "" });
    assert.match(await open(link), new RegExp(`<h1[^>]*>Dear <bdi>${group}</bdi></h1>`));
  }
  const orders = new Set<string>();
  for (const link of [ann, cleo, dan, eve]) {
    await visitor.send(link.path, study, "About you", { town: "Rome", born: "" });
    await visitor.send(link.path, study, "For adults", { why: "" });
    await visitor.send(link.path, study, "Dear {{attribute:group|you}}", { dear: "" });
    const order = async () => [...(await open(link)).matchAll(/class="option-text"[^>]*>(\w)</g)].join();
    orders.add(await order());
    assert.equal([...orders].at(-1), await order());
  }
  assert.ok(orders.size > 1);
});

test("a change of the workspace's words or look is on the next page, and what was before when it is taken back", async () => {
  const before = await open(ben);
  await client.call("PUT", "/workspace/words/en", { body: { words: [{ key: "continue", text: "Go on, please" }] } });
  await client.patch("/workspace/appearance", { privacyUrl: "https://a.example/privacy" });
  assert.match(await open(ben), /Go on, please.*https:\/\/a\.example\/privacy/s);
  await client.call("PUT", "/workspace/words/en", { body: { words: [] } });
  await client.patch("/workspace/appearance", { privacyUrl: null });
  assert.equal(timeless(await open(ben)), timeless(before));
});

test("a new version and each of its languages have pages of their own", async () => {
  const strings = [{ id: `page/${study.page["About you"]}/title`, text: "Über Sie" }];
  await client.call("PATCH", `/screeners/${screener}/translations/de`, { body: { strings } });
  await client.post("/screener-publications", { screenerId: screener });
  const [fay] = (await invite(client, screener, groups.length + 1)).slice(groups.length) as [Invitation];
  for (const _ of [1, 2]) {
    assert.match(await open(fay, "?lang=de"), /<h1[^>]*>Über Sie<.*Weiter</s);
    assert.match(await open(fay, "?lang=en"), /<h1[^>]*>About you<.*Continue</s);
    assert.doesNotMatch(await open(ben, "?lang=de"), /Über Sie/);
  }
});
