// A page of a link that moved to another version while the page was open: what was typed comes along, and nothing is sent unseen.

import assert from "node:assert/strict";
import { test } from "node:test";
import { sharedService } from "../support/service.ts";
import { holdWrites } from "../support/store.ts";
import { type Invitation, invited, type Published, readAnswers, readSession } from "../support/study.ts";
import { isPage, Visitor } from "../support/visitor.ts";

const service = await sharedService();
const client = service.workspace();
const visitor = new Visitor(service.url);

const town = { id: "town", key: "town", _type: "ScreenerTextQuestion", prompt: "Which town?", required: true };
const age = { id: "age", key: "age", _type: "ScreenerNumericQuestion", prompt: "How old?", required: true, min: 0 };
const drink = {
  id: "drink",
  key: "drink",
  _type: "ScreenerMultiSelectQuestion",
  prompt: "What do you drink?",
  options: [{ text: "Tea" }, { text: "Coffee" }],
  allowsWriteIn: true,
};

const FIRST = { pages: [{ title: "About you", questions: [town, age, drink] }] };

type Draft = { pages: { id: string; title: string; questions: Record<string, unknown>[] }[] };

/** Publishes a changed draft, and moves the links to it. */
async function update({ screener }: Published, change: (draft: Draft) => unknown): Promise<void> {
  const draft = (await client.get(`/screeners/${screener}/content`)).body;
  change(draft);
  const put = await client.call("PUT", `/screeners/${screener}/content`, { body: draft });
  assert.equal(put.status, 200, put.text);
  await client.post("/screener-publications", { screenerId: screener });
  const moved = await client.post("/screener-sessions-move", { screenerId: screener });
  assert.equal(moved.body.summary.moved, 1, moved.text);
}

/** The hidden fields of a page, as its browser sends them back. */
function hiddenOf(html: string): [string, string][] {
  return [...html.matchAll(/<input type="hidden" name="([^"]*)" value="([^"]*)"\/?>/g)].map(([, name, value]) => [
    name!,
    value!.replaceAll("&quot;", '"').replaceAll("&lt;", "<").replaceAll("&amp;", "&"),
  ]);
}

/** Sends what a browser has open. */
function send({ path }: Invitation, html: string, typed: [string, string][]) {
  return visitor.post(path, new URLSearchParams([...hiddenOf(html), ...typed]).toString());
}

const typedFor = ({ question, option }: Published): [string, string][] => [
  [`answer-${question.town}`, 'Oslo "S" <b>'],
  [`answer-${question.age}`, "forty"],
  [`answer-${question.drink}`, option["drink/Tea"]!],
  [`answer-${question.drink}`, "write-in"],
  [`write-in-${question.drink}`, "Maté"],
];

const UPDATED = /The questions were updated/;
const CUT = /Some questions are not asked any more/;

test("a page of the former version comes back as the new one, with what was typed, and is not saved", async () => {
  const { study, link } = await invited(client, FIRST);
  const open = await visitor.open(link.path);
  isPage(open, 200, "About you");
  assert.doesNotMatch(open.text, UPDATED);
  await update(study, ({ pages: [page] }) => {
    page!.questions[0]!.prompt = "In which town do you live?";
    page!.title = "You";
  });
  const sent = await send(link, open.text, typedFor(study));
  isPage(sent, 200, "You");
  assert.match(sent.text, UPDATED);
  assert.doesNotMatch(sent.text, CUT);
  assert.match(sent.text, /In which town do you live\?/);
  assert.match(sent.text, /value="Oslo &quot;S&quot; (?:&lt;|<)b/);
  // Nobody has sent this page yet, so a wrong number is no error.
  assert.match(sent.text, /value="forty"/);
  assert.match(sent.text, /value="Maté"/);
  assert.match(sent.text, new RegExp(`value="${study.option["drink/Tea"]}" checked`));
  assert.doesNotMatch(sent.text, /There is a problem|There are \d+ problems/);
  assert.equal((await readSession(client, link.session)).state, "NOT_STARTED");
  assert.deepEqual(await readAnswers(client, link.session, study), {});
  // What it has is what the person sends next.
  const typed = typedFor(study).map(([name, value]): [string, string] => [name, value === "forty" ? "40" : value]);
  const again = await send(link, sent.text, typed);
  assert.equal(again.status, 303);
  isPage(await visitor.open(String(again.headers.location)), 200, "Thank you");
  assert.deepEqual(await readAnswers(client, link.session, study), {
    town: 'Oslo "S" <b>',
    age: 40,
    drink: [
      { text: "Tea", isWriteIn: false },
      { text: "Maté", isWriteIn: true },
    ],
  });
});

test("what was typed for questions that are on later pages now comes along to them", async () => {
  const { study, link } = await invited(client, FIRST);
  const open = await visitor.open(link.path);
  await update(study, (draft) => {
    const [first, ...others] = draft.pages[0]!.questions;
    const consent = { _type: "ScreenerTextQuestion", key: "consent", prompt: "Do you agree?", required: true };
    draft.pages = [
      { title: "Consent", questions: [consent] },
      { title: "Town", questions: [first!] },
      { title: "More", questions: others },
    ] as Draft["pages"];
  });
  const sent = await send(link, open.text, typedFor(study));
  isPage(sent, 200, "Consent");
  assert.match(sent.text, UPDATED);
  const consent = /name="question" value="([^"]+)"\/?><\/div>/.exec(sent.text)![1]!;
  const second = await send(link, sent.text, [[`answer-${consent}`, "Yes"]]);
  isPage(second, 200, "Town");
  assert.doesNotMatch(second.text, UPDATED);
  const [name, value] = typedFor(study)[0]!;
  assert.match(second.text, /value="Oslo &quot;S&quot;/);
  const third = await send(link, second.text, [[name, value]]);
  isPage(third, 200, "More");
  assert.match(third.text, /value="forty"/);
  assert.match(third.text, /value="Maté"/);
  // A mistake does not lose the rest.
  const wrong = await send(link, third.text, typedFor(study).slice(1));
  assert.equal(wrong.status, 422);
  assert.match(wrong.text, /value="Maté"/);
});

test("a question that is gone, or is of another type now, is said not to be kept", async () => {
  for (const change of ["gone", "another type"]) {
    const { study, link } = await invited(client, FIRST);
    const open = await visitor.open(link.path);
    await update(study, ({ pages: [page] }) => {
      const [first, second, third] = page!.questions;
      const numeric = { id: first!.id, key: "town", _type: "ScreenerNumericQuestion", prompt: "How many towns?" };
      page!.questions = change === "gone" ? [second!, third!] : [numeric, second!, third!];
    });
    const sent = await send(link, open.text, typedFor(study));
    isPage(sent, 200, "About you");
    assert.match(sent.text, UPDATED);
    assert.match(sent.text, CUT);
    assert.doesNotMatch(sent.text, /Oslo/);
    assert.match(sent.text, /value="forty"/);
    // Where nothing was typed for it, there is nothing to say.
    assert.doesNotMatch((await send(link, open.text, typedFor(study).slice(1))).text, CUT);
  }
});

test("a version without questions is shown as it is, and what was completed meanwhile leads to its end", async () => {
  const { study, link } = await invited(client, FIRST);
  const open = await visitor.open(link.path);
  await update(study, (draft) => {
    draft.pages = [];
  });
  const sent = await send(link, open.text, typedFor(study));
  isPage(sent, 200, "Sleep and smoke");
  assert.match(sent.text, CUT);
  const ended = await send(link, sent.text, []);
  assert.equal(ended.status, 303);
  isPage(await visitor.open(String(ended.headers.location)), 200, "Thank you");
  // The former page is still open in another window.
  assert.equal((await send(link, open.text, typedFor(study))).status, 303);
});

test("while the store is busy, the page says both, and what was typed stays", async () => {
  const { study, link } = await invited(client, FIRST);
  const open = await visitor.open(link.path);
  await update(study, ({ pages: [page] }) => {
    page!.title = "You";
  });
  const release = holdWrites(service, client, { isSeenBusy: true });
  const busy = await send(link, open.text, typedFor(study));
  release();
  isPage(busy, 503, "You");
  assert.match(busy.text, /not saved yet/);
  assert.match(busy.text, /The questions have changed since you opened this page/);
  assert.match(busy.text, /value="forty"/);
});

test("a page of a link that has moved back is treated in the same way", async () => {
  const { study, link } = await invited(client, FIRST);
  await update(study, ({ pages: [page] }) => {
    page!.title = "You";
  });
  const open = await visitor.open(link.path);
  isPage(open, 200, "You");
  const job = (await client.all("/jobs?filter[kind][eq]=SCREENER_SESSIONS_MOVE")).at(-1)!;
  assert.equal((await client.post(`/jobs/${job.id}/undo`, undefined)).body.summary.reverted, 1);
  const sent = await send(link, open.text, typedFor(study));
  isPage(sent, 200, "About you");
  assert.match(sent.text, UPDATED);
});

test("a page that the release before has made says no version, and its answers count", async () => {
  const { study, link } = await invited(client, FIRST);
  const open = await visitor.open(link.path);
  const former = open.text.replace(/<input type="hidden" name="version"[^>]*>/, "");
  assert.notEqual(former, open.text);
  const typed = typedFor(study).filter(([, value]) => value !== "forty");
  const sent = await send(link, former, [...typed, [`answer-${study.question.age}`, "40"]]);
  assert.equal(sent.status, 303);
});
