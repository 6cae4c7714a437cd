// Conditions on attributes of participants: what is shown, who is disqualified, who qualifies; and the export.

import assert from "node:assert/strict";
import { test } from "node:test";
import { parseCsv } from "../support/csv.ts";
import { sharedService } from "../support/service.ts";
import { invite, publish, readAnswers, readSession, readStatus } from "../support/study.ts";
import { Visitor } from "../support/visitor.ts";

const service = await sharedService();

const text = (key: string, more: object = {}) => ({
  key,
  _type: "ScreenerTextQuestion",
  prompt: `What is ${key}?`,
  required: true,
  ...more,
});

const content = {
  pages: [
    {
      title: "All",
      disqualifyWhen: { attribute: "age", lessThan: 18 },
      questions: [text("name"), text("postcode", { showWhen: { attribute: "country", oneOf: ["GB", "IE"] } })],
    },
    {
      title: "Members",
      showWhen: { all: [{ attribute: "member", equals: true }, { not: { attribute: "plan", equals: "free" } }] },
      questions: [text("since")],
    },
  ],
  qualifyWhen: {
    any: [
      { attribute: "country", exists: true },
      { questionId: "name", equals: "x" },
    ],
  },
};

/** A study, and a person with these attributes who is invited to it. */
async function start(attributes: object) {
  const client = service.workspace();
  const study = await publish(client, { ...content, pages: content.pages.map(labelled) });
  const [link] = await invite(client, study.screener);
  const { participantId } = (await client.get(`/screener-participants/${link!.assignment}`)).body;
  const change = (changed: object | null) => client.patch(`/participants/${participantId}`, { attributes: changed });
  assert.equal((await change(attributes)).status, 200);
  const submit = (answers: Record<string, string>, complete = true) =>
    client.post(`/screener-sessions/${link!.session}/responses`, {
      responses: Object.entries(answers).map(([key, answer]) => ({ screenerQuestionId: study.question[key], answer })),
      complete,
    });
  return { client, study, link: link!, change, submit };
}

const labelled = (page: { questions: { key: string }[] }) => ({
  ...page,
  questions: page.questions.map((question) => ({ ...question, id: question.key })),
});

test("questions and pages are shown to participants with the attributes that they ask for", async () => {
  const british = await start({ country: "GB" });
  assert.equal((await british.submit({ name: "Ada" })).status, 400);
  assert.equal((await british.submit({ name: "Ada", since: "1999" })).status, 400);
  assert.equal((await british.submit({ name: "Ada", postcode: "YO1" })).status, 200);
  assert.equal(await readStatus(british.client, british.link.assignment), "QUALIFIED");
  // A plan that is not there is not "free".
  const member = await start({ member: true });
  assert.equal((await member.submit({ name: "Ada" })).status, 400);
  assert.equal((await member.submit({ name: "Ada", since: "1999" })).status, 200);
  assert.equal(await readStatus(member.client, member.link.assignment), "DISQUALIFIED");
  const free = await start({ member: true, plan: "free", country: "DE" });
  assert.equal((await free.submit({ name: "Ada", since: "1999" })).status, 400);
  assert.equal((await free.submit({ name: "Ada" })).status, 200);
  // As it comes from a CSV, which has only texts.
  const text = await start({ member: "true" });
  assert.equal((await text.submit({ name: "Ada" })).status, 400);
});

test("an attribute disqualifies as soon as its page is over; one that is missing does not", async () => {
  for (const age of [17, "17", "-1.5"]) {
    const child = await start({ age, country: "GB" });
    assert.equal((await child.submit({ name: "Ada", postcode: "YO1" }, false)).body.state, "COMPLETED");
    assert.equal(await readStatus(child.client, child.link.assignment), "DISQUALIFIED");
  }
  for (const age of [null, 18, "18", "young", "1e1", "", true]) {
    const attributes = { country: "DE", age };
    const { client, submit, link } = await start(attributes);
    assert.equal((await submit({ name: "Ada" })).status, 200);
    assert.equal(await readStatus(client, link.assignment), "QUALIFIED");
  }
});

test("what counts is the attribute when the answers are taken", async () => {
  const { client, change, submit, link, study } = await start({ country: "GB" });
  assert.equal((await submit({ name: "Ada", postcode: "YO1" }, false)).body.state, "IN_PROGRESS");
  await change({ country: "DE" });
  assert.equal((await submit({})).status, 200);
  assert.deepEqual(await readAnswers(client, link.session, study), { name: "Ada" });
});

test("the participant's page asks by attributes, and goes on when they change", async () => {
  const { client, study, change, link } = await start({ country: "GB" });
  const visitor = new Visitor(service.url);
  assert.match((await visitor.open(link.path)).text, /What is postcode\?/);
  await change({ country: null, member: true });
  assert.doesNotMatch((await visitor.open(link.path)).text, /What is postcode\?/);
  const next = await visitor.go(link.path, study, "All", { name: "Ada" });
  assert.match(next.text, /What is since\?/);
  await visitor.go(link.path, study, "Members", { since: "1999" });
  assert.equal((await readSession(client, link.session)).state, "COMPLETED");
});

test("the export ends with the attributes, as they are now", async () => {
  const { client, change, submit, study } = await start({ country: "DE", "a.b": "=1" });
  await submit({ name: "Ada" });
  await change({ age: 30 });
  const [headings, row] = parseCsv((await client.get(`/screeners/${study.screener}/export`)).text);
  assert.deepEqual(headings!.slice(-6), [
    "name",
    "postcode",
    "since",
    "attributes.a.b",
    "attributes.age",
    "attributes.country",
  ]);
  assert.deepEqual(row!.slice(-6), ["Ada", "", "", "'=1", "30", "DE"]);
});
