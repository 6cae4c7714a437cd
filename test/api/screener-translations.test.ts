// A study's texts in other languages: what translators get, send back, and see become stale; and what a publication keeps of it.

import assert from "node:assert/strict";
import { test } from "node:test";
import { type Answer, type Client, people } from "../support/client.ts";
import { sharedService } from "../support/service.ts";

const service = await sharedService();

const CONTENT = {
  markup: "MARKDOWN",
  pages: [
    {
      title: "About you",
      questions: [
        {
          _type: "ScreenerSingleSelectQuestion",
          key: "drink",
          prompt: "What do you **drink**? See [the list](https://example.org/drinks).",
          options: [{ text: "Tea" }, { text: "Milk" }],
        },
        {
          _type: "ScreenerScaleQuestion",
          prompt: "How well do you sleep?",
          lowLabel: "Badly",
          highLabel: "Well",
        },
      ],
    },
  ],
  thankYou: "Thank you",
  thankYouByOutcome: { QUALIFIED: "You are in" },
};

/** The German of each text. */
const GERMAN: Record<string, string> = {
  "Sleep study": "Schlafstudie",
  "About you": "Über Sie",
  "What do you **drink**? See [the list](https://example.org/drinks).":
    "Was **trinken** Sie? Siehe [die Liste](https://example.org/drinks).",
  Tea: "Tee",
  Milk: "Milch",
  "How well do you sleep?": "Wie gut schlafen Sie?",
  Badly: "Schlecht",
  Well: "Gut",
  "Thank you": "Danke",
  "You are in": "Sie sind dabei",
};

interface Text {
  id: string;
  path: string;
  source: string;
  text: string | null;
  state: string;
}

interface Fault {
  pointer: string;
  message: string;
}

async function study(content: object = CONTENT) {
  const client = service.workspace();
  const { body } = await client.post("/screeners", { title: "Sleep study" });
  const path = `/screeners/${body.id}`;
  const put = await client.call("PUT", `${path}/content`, { body: content });
  assert.equal(put.status, 200, put.text);
  return { client, id: body.id as string, path, draft: put.body };
}

async function textsOf(client: Client, path: string, language: string): Promise<Text[]> {
  const { status, body, text } = await client.get(`${path}/translations/${language}`);
  assert.equal(status, 200, text);
  return body.strings;
}

function patch(client: Client, path: string, language: string, strings: object[], headers = {}): Promise<Answer> {
  return client.call("PATCH", `${path}/translations/${language}`, { body: { strings }, headers });
}

/** Translates all to German. */
async function translate(client: Client, path: string, language = "de"): Promise<void> {
  const strings = (await textsOf(client, path, language)).map(({ id, source }) => ({ id, text: GERMAN[source] }));
  const { status, text } = await patch(client, path, language, strings);
  assert.equal(status, 200, text);
}

test("a translator gets all texts that people read, and each says whether its translation fits", async () => {
  const { client, path, draft } = await study();
  const texts = await textsOf(client, path, "de");
  assert.deepEqual(texts.map(({ source }) => source).sort(), Object.keys(GERMAN).sort());
  assert.ok(texts.every(({ text, state }) => text === null && state === "MISSING"));
  const [question] = draft.pages[0].questions;
  const tea = texts.find(({ source }) => source === "Tea");
  assert.equal(tea?.id, `question/${question.id}/option/${question.options[0].id}`);
  assert.equal(tea?.path, "/pages/0/questions/0/options/0/text");
  assert.deepEqual((await client.get(`${path}/translations`)).body.items, []);
  await translate(client, path);
  // A changed source makes its translation stale; a removed one takes it out of the count.
  draft.pages[0].questions[1].prompt = "How long do you sleep?";
  draft.thankYou = null;
  assert.equal((await client.call("PUT", `${path}/content`, { body: draft })).status, 200);
  const { body } = await client.get(`${path}/translations`);
  assert.equal(body.language, "en");
  assert.deepEqual(body.items, [{ language: "de", direction: "ltr", total: 9, translated: 8, stale: 1, missing: 0 }]);
  const stale = (await textsOf(client, path, "de")).filter(({ state }) => state === "STALE");
  assert.deepEqual(
    stale.map(({ source, text }) => [source, text]),
    [["How long do you sleep?", "Wie gut schlafen Sie?"]],
  );
  await patch(client, path, "de", [{ id: stale[0]!.id, text: "Wie gut schlafen Sie?" }]);
  assert.equal((await client.get(`${path}/translations`)).body.items[0].stale, 0);
  // What comes back has its translation still.
  draft.thankYou = "Thank you";
  assert.equal((await client.call("PUT", `${path}/content`, { body: draft })).status, 200);
  assert.equal((await client.get(`${path}/translations`)).body.items[0].translated, 10);
});

test("a translator never makes an author's save fail, nor an author a translator's; two translators see each other", async () => {
  const { client, path } = await study();
  const draft = await client.get(`${path}/content`);
  const screener = await client.get(path);
  const first = await client.get(`${path}/translations/de`);
  await translate(client, path);
  const saved = await client.call("PUT", `${path}/content`, {
    body: { ...draft.body, thankYou: "Bye" },
    headers: { "If-Match": draft.headers.get("etag")! },
  });
  assert.equal(saved.status, 200);
  assert.equal((await client.get(path)).body.title, screener.body.title);
  const late = await patch(client, path, "de", [], { "If-Match": first.headers.get("etag")! });
  assert.deepEqual([late.status, late.body.code], [412, "precondition_failed"]);
  const second = await client.get(`${path}/translations/de`);
  assert.equal((await client.call("PUT", `${path}/content`, { body: draft.body })).status, 200);
  const [title] = second.body.strings;
  const fine = await patch(client, path, "de", [{ id: title.id, text: "Schlaf" }], {
    "If-Match": second.headers.get("etag")!,
  });
  assert.equal(fine.status, 200);
  // A text that was translated from a former source is stale at once.
  const former = await patch(client, path, "fr", [{ id: title.id, text: "Sommeil", source: "A former title" }]);
  assert.equal(former.body.strings[0].state, "STALE");
});

test("wrong translations are refused all at once, and nothing is half-done", async () => {
  const { client, path } = await study();
  const texts = await textsOf(client, path, "de");
  const prompt = texts.find(({ source }) => source.startsWith("What do"))!;
  const answer = await patch(client, path, "de", [
    { id: texts[0]!.id, text: "Schlafstudie" },
    { id: prompt.id, text: "Was trinken Sie? Siehe [die Liste](https://example.org/getraenke)." },
    { id: "question/none/prompt", text: "Nichts" },
    { id: texts[1]!.id, text: "  " },
    { id: texts[0]!.id, text: "Schlaf" },
  ]);
  assert.equal(answer.status, 400);
  assert.deepEqual(answer.body.errors, [
    {
      pointer: "/strings/1/text",
      message:
        "must have the link to https://example.org/drinks; must not have the link to https://example.org/getraenke",
    },
    { pointer: "/strings/2/text", message: "is no text of the draft" },
    { pointer: "/strings/3/text", message: "must not be empty; null takes a translation away" },
    { pointer: "/strings/4/text", message: "is given twice" },
  ]);
  // An entry that is wrong by itself hides none of it, and of a text whose source is wrong nobody can say what it lacks.
  const behind = await client.call("PATCH", `${path}/translations/de`, {
    body: {
      strings: [
        { id: 7, text: null },
        5,
        { id: "question/none/prompt", text: "Nichts" },
        { id: prompt.id, text: "Was trinken Sie?", source: 5 },
        { id: "question/other/prompt", text: [] },
        { id: prompt.id, text: "Was?" },
        { id: texts[1]!.id, text: "  " },
      ],
    },
  });
  assert.equal(behind.status, 400);
  assert.deepEqual(behind.body.errors.map(({ pointer, message }: Fault) => `${pointer} ${message}`).sort(), [
    "/strings/0/id must be a string",
    "/strings/1 must be an object",
    "/strings/2/text is no text of the draft",
    "/strings/3/source must be a string",
    "/strings/4/id is no text of the draft",
    "/strings/4/text must be a string",
    "/strings/5/text is given twice",
    "/strings/6/text must not be empty; null takes a translation away",
  ]);
  const nowhere = await patch(client, path, "German", [5, { id: "a", text: "b" }, { id: "a", text: "c" }] as object[]);
  assert.deepEqual(nowhere.body.errors.map(({ pointer }: Fault) => pointer).sort(), [
    "/strings/0",
    "/strings/2/text",
    "language",
  ]);
  const unknown = await patch(client, `/screeners/${crypto.randomUUID()}`, "de", [5] as unknown as object[]);
  assert.deepEqual([unknown.status, unknown.body.errors.length], [400, 1]);
  assert.ok((await textsOf(client, path, "de")).every(({ state }) => state === "MISSING"));
  for (const [language, message] of [
    ["German", /must be a language such as/],
    ["en", /is the language of the texts themselves/],
  ] as const) {
    const wrong = await client.get(`${path}/translations/${language}`);
    assert.equal(wrong.status, 400);
    assert.match(wrong.body.errors[0].message, message);
  }
});

test("two options of a question can't have the same translation, whichever of them is sent", async () => {
  const { client, path } = await study();
  await translate(client, path);
  const texts = await textsOf(client, path, "de");
  const [tea, milk] = ["Tea", "Milk"].map((text) => texts.find(({ source }) => source === text)!.id);
  const faults = async (...strings: object[]) =>
    ((await patch(client, path, "de", strings)).body.errors ?? []).map(({ pointer, message }: Fault) => [
      pointer,
      message,
    ]);
  const message = "is the same as another option's";
  assert.deepEqual(await faults({ id: milk, text: "Tee" }), [["/strings/0/text", message]]);
  assert.deepEqual(await faults({ id: tea, text: "Milch" }), [["/strings/0/text", message]]);
  assert.deepEqual(await faults({ id: tea, text: "Saft" }, { id: milk, text: "Saft" }), [["/strings/1/text", message]]);
  // Both at once, and what options of others have, or what is no option.
  assert.deepEqual(await faults({ id: tea, text: "Milch" }, { id: milk, text: "Danke" }), []);
  assert.deepEqual(await faults({ id: tea, text: null }, { id: milk, text: "Milch" }), []);
});

test("a publication keeps the translations of its moment, and can insist on all of them", async () => {
  const { client, id, path, draft } = await study();
  await translate(client, path);
  assert.equal((await patch(client, path, "ar", [{ id: "title", text: "دراسة" }])).status, 200);
  const wanted = { screenerId: id, requireTranslations: true };
  const refused = await client.post("/screener-publications", wanted);
  assert.deepEqual([refused.status, refused.body.code, refused.body.errorCount], [409, "translations_incomplete", 9]);
  assert.equal(refused.body.errors[0].pointer.startsWith("/ar/"), true);
  assert.equal((await client.call("DELETE", `${path}/translations/ar`)).status, 200);
  assert.equal((await client.call("DELETE", `${path}/translations/ar`)).status, 404);
  const published = await client.post("/screener-publications", wanted);
  assert.equal(published.status, 201, published.text);
  assert.deepEqual(published.body.languages, ["en", "de"]);
  draft.pages[0].title = "Your habits";
  await client.call("PUT", `${path}/content`, { body: draft });
  const stale = await client.post("/screener-publications", wanted);
  assert.deepEqual(
    stale.body.errors.map(({ pointer, message }: { pointer: string; message: string }) => [pointer, message]),
    [[`/de/page/${draft.pages[0].id}/title`, "translates a former text"]],
  );
  const anyway = await client.post("/screener-publications", { screenerId: id });
  assert.deepEqual([anyway.status, anyway.body.languages], [201, ["en", "de"]]);
});

test("changes of translations are events", async () => {
  const { client, path, id } = await study();
  await translate(client, path);
  await client.call("DELETE", `${path}/translations/de`);
  const events = await client.all(`/events?filter[resourceId][eq]=${id}`);
  assert.deepEqual(
    events
      .filter(({ type }) => String(type).startsWith("screener-translation."))
      .map(({ type, summary }) => [type, summary]),
    [
      ["screener-translation.updated", { language: "de", strings: 10 }],
      ["screener-translation.deleted", { language: "de" }],
    ],
  );
});

test("answers are the same in every language: an option is chosen by its id or its own text, and has both", async () => {
  const { client, id, path, draft } = await study();
  await translate(client, path);
  assert.equal((await client.post("/screener-publications", { screenerId: id })).status, 201);
  const [question] = draft.pages[0].questions;
  const [tea, milk] = question.options;
  const imported = await client.import(id, people(3));
  const given = [[{ optionId: tea.id }], [{ text: "Milk" }], [{ text: "Milch" }]];
  for (const [index, answer] of given.entries()) {
    const session = (await client.open(imported.body[index].id)).body.id;
    const responses = [{ screenerQuestionId: question.id, answer }];
    const { status, text } = await client.post(`/screener-sessions/${session}/responses`, { responses });
    assert.equal(status, index < 2 ? 200 : 400, text);
  }
  const items = await client.all(`/screener-responses?filter[screenerId][eq]=${id}`);
  assert.deepEqual(
    items.map(({ screenerQuestionPrompt, answer }) => [screenerQuestionPrompt, answer]),
    [tea, milk].map(({ id: optionId, text }) => [question.prompt, [{ optionId, text, isWriteIn: false }]]),
  );
});

test("a former version that comes back into the draft has its translations, and a text of another one by now is stale", async () => {
  const { client, id, path, draft } = await study();
  await translate(client, path);
  const { body: publication } = await client.post("/screener-publications", { screenerId: id });
  const [page] = draft.pages;
  const shorter = { ...draft, pages: [{ ...page, title: "Your habits", questions: page.questions.slice(0, 1) }] };
  await client.call("PUT", `${path}/content`, { body: shorter });
  await patch(client, path, "de", [{ id: `page/${page.id}/title`, text: "Ihre Gewohnheiten" }]);
  assert.equal((await client.get(`${path}/translations`)).body.items[0].total, 7);
  assert.equal((await client.post(`/screener-publications/${publication.id}/restore`, {})).status, 200);
  const { items } = (await client.get(`${path}/translations`)).body;
  assert.deepEqual(items, [{ language: "de", direction: "ltr", total: 10, translated: 9, stale: 1, missing: 0 }]);
});

test("the longest text that people can agree to has a translation, by a request and by files", async () => {
  const text = "同".repeat(50_000);
  const asked = { _type: "ScreenerConsentQuestion", prompt: "Agree?", text, required: true };
  const { client, path } = await study({ pages: [{ title: "About you", questions: [asked] }] });
  const longest = (await textsOf(client, path, "de")).find(({ source }) => source === text)!;
  const long = "意".repeat(100_000);
  const change = (changed: string) => patch(client, path, "de", [{ id: longest.id, text: changed }]);
  assert.equal((await change(long)).status, 200);
  for (const type of ["text/csv", "application/xliff+xml"]) {
    const { bytes } = await client.call("GET", `${path}/translations/de`, { headers: { Accept: type } });
    const raw = Buffer.from(Buffer.from(bytes).toString().replace("意意", "義義"));
    const back = await client.call("PUT", `${path}/translations/de`, { raw, headers: { "Content-Type": type } });
    assert.deepEqual([back.status, back.body.changes?.length], [200, 1], back.text.slice(0, 1000));
    assert.equal((await change(long)).status, 200);
  }
  const wrong = await patch(client, path, "de", [
    { id: longest.id, text: `${long}意` },
    { id: "title", text: "x".repeat(10_001) },
  ]);
  assert.deepEqual(
    wrong.body.errors.map(({ pointer, message }: Fault) => `${pointer} ${message}`),
    ["/strings/0/text must be at most 100000 characters", "/strings/1/text must be at most 10000 characters"],
  );
});

test("a study of twenty thousand texts is translated by a file, and published with it", async () => {
  const options = Array.from({ length: 100 }, (_, index) => ({ text: `Option ${index}` }));
  const questions = Array.from({ length: 200 }, () => ({
    ...{ _type: "ScreenerMultiSelectQuestion", prompt: "Which?", options },
  }));
  const { client, id, path } = await study({ pages: [{ questions }] });
  const csv = await client.call("GET", `${path}/translations/de`, { headers: { Accept: "text/csv" } });
  const raw = csv.text.replaceAll(/,(Option \d+),,MISSING/g, ",$1,$1 (de),DONE");
  const sent = await client.call("PUT", `${path}/translations/de`, { raw, headers: { "Content-Type": "text/csv" } });
  assert.equal(sent.status, 200, sent.text.slice(0, 1000));
  assert.equal(sent.body.changes.length, 20_000);
  const xliff = await client.call("GET", `${path}/translations/de`, { headers: { Accept: "application/xliff+xml" } });
  const back = await client.call("PUT", `${path}/translations/de`, {
    raw: xliff.bytes,
    headers: { "Content-Type": "application/xliff+xml" },
  });
  assert.deepEqual([back.status, back.body.changes], [200, []], back.text.slice(0, 1000));
  const published = await client.post("/screener-publications", { screenerId: id }, { Prefer: "wait=60" });
  assert.deepEqual([published.status, published.body.languages], [201, ["en", "de"]]);
});
