// References in texts: answers and attributes that people read in later questions and at the end.

import assert from "node:assert/strict";
import { test } from "node:test";
import { sharedService } from "../support/service.ts";
import { type Invitation, invite, invited, publish } from "../support/study.ts";
import { Visitor } from "../support/visitor.ts";

const service = await sharedService();
const client = service.workspace();
const visitor = new Visitor(service.url);

const question = (key: string, type: string, more: object = {}) => ({
  ...{ id: key, key, _type: `Screener${type}Question`, prompt: `${key}?`, required: true },
  ...more,
});

const options = [{ text: "Tea" }, { text: "Coffee & *milk*" }, { text: "Juice" }];

/** Each type whose answers can be inserted, on a first page; and a page that refers to all of them. */
const everyType = {
  pages: [
    {
      title: "First",
      questions: [
        question("name", "Text", { maxLength: 10_000 }),
        question("age", "Numeric"),
        question("drink", "SingleSelect", { options, allowsWriteIn: true }),
        question("drinks", "MultiSelect", { options, allowsWriteIn: true }),
        question("likes", "Scale"),
        question("born", "Date"),
        question("best", "Ranking", { options }),
        question("more", "Text", { required: false }),
      ],
    },
    {
      title: "About {{answer:drink}}",
      description: "Dear {{ answer : name }}, from {{attribute:City|your town}}:",
      questions: [
        question("last", "Text", {
          prompt:
            "{{answer:age}} / {{answer:drink}} / {{answer:drinks}} / {{answer:likes}} / {{answer:born}} / {{answer:best}}",
          helpText: "More: {{answer:more|nothing *more*}}, later: {{answer:last|—}}",
          required: false,
        }),
      ],
    },
  ],
  thankYou: "Thank you, **{{answer:name}}** {{answer:more|}}!",
};

const FIRST = {
  ...{ name: "Ada", age: 36.5, drink: [{ text: "Coffee & *milk*" }], likes: 4, born: "1990-02-28" },
  ...{ drinks: [{ text: "Tea" }, { text: "Mate", isWriteIn: true }], best: [{ text: "Juice" }, { text: "Tea" }] },
};

const answer = (study: { question: Record<string, string> }, link: Invitation, given: object, complete = false) =>
  client.post(`/screener-sessions/${link.session}/responses`, {
    complete,
    responses: Object.entries(given).map(([key, value]) => ({
      screenerQuestionId: study.question[key]!,
      answer: value,
    })),
  });

/** What people read, without tags. */
const words = (html: string) =>
  html
    .replaceAll(/<(style|script)[^>]*>.*?<\/\1>/gs, "")
    .replaceAll(/<[^>]*>/g, "")
    .replaceAll("&amp;", "&")
    .replaceAll("&lt;", "<");

test("a later page says what was answered, for each type of question, and what is known of the person", async () => {
  const { study, link } = await invited(client, everyType);
  const sent = await answer(study, link, { ...FIRST, more: null });
  assert.equal(sent.status, 200, sent.text);
  const { text } = await visitor.open(link.path);
  const read = words(text);
  assert.match(read, /<title>|About Coffee & \*milk\*/);
  assert.match(text, /<title>[^<]*About Coffee &amp; \*milk\*/);
  assert.match(read, /Dear Ada, from your town:/);
  assert.match(read, /36\.5 \/ Coffee & \*milk\* \/ Tea, Mate \/ 4 \/ 28 February 1990 \/ Juice, Tea/);
  assert.match(read, /More: nothing \*more\*, later: —/);
  assert.ok(!text.includes("{{"));
  // Lists and exports keep the texts as they are.
  const { body } = await client.get(`/screener-responses?filter[screenerSessionId][eq]=${link.session}`);
  await answer(study, link, { last: "x" }, true);
  const all = await client.all(`/screener-responses?filter[screenerSessionId][eq]=${link.session}`);
  const prompts = (all as { screenerQuestionPrompt: string }[]).map(({ screenerQuestionPrompt: prompt }) => prompt);
  assert.ok(prompts.some((prompt) => prompt.startsWith("{{answer:age}} / ")));
  assert.equal(body.total, 8);
  const done = await visitor.get(`${link.path}?done`);
  assert.match(done.text, /Thank you, <strong><bdi>Ada<\/bdi><\/strong> !/);
});

test("what people have typed stays text: no HTML, no Markdown, no reference, in one line of at most 200 characters", async () => {
  const study = await publish(client, everyType);
  const family = "👩‍👩‍👧";
  for (const [typed, shown] of [
    [
      "<b>x</b> & **y** [z](https://z.example) {{answer:age}}",
      "&lt;b>x&lt;/b> &amp; **y** [z](https://z.example) {{answer:age}}",
    ],
    ["https://z.example", "https://z.example"],
    ["\u202Egnp.x", "gnp.x"],
    [family.repeat(60), `${family.repeat(39)}…`],
    ["x".repeat(200), "x".repeat(200)],
    ["x".repeat(201), `${"x".repeat(199)}…`],
  ] as const) {
    const [link] = await invite(client, study.screener);
    await answer(study, link!, { ...FIRST, name: typed, more: null });
    const { text } = await visitor.open(link!.path);
    const inserted = /Dear <bdi>(.*?)<\/bdi>, from/s.exec(text)?.[1];
    assert.equal(inserted, shown);
  }
});

test("an answer that counts no more is not read any more, and Back changes what is read", async () => {
  const { study, link } = await invited(client, {
    pages: [
      { title: "One", questions: [question("age", "Numeric")] },
      {
        title: "Two",
        questions: [question("pet", "Text", { showWhen: { questionId: "age", atLeast: 18 }, required: false })],
        description: "You are {{answer:age}}.",
      },
      {
        title: "Three",
        description: "Your pet: {{answer:pet|none}}",
        questions: [question("x", "Text", { required: false })],
      },
    ],
  });
  await answer(study, link, { age: 40, pet: "Rex" });
  assert.match(words((await visitor.open(link.path)).text), /Your pet: Rex/);
  await answer(study, link, { age: 7 });
  assert.match(words((await visitor.open(link.path)).text), /Your pet: none/);
});

test("attributes are read as they are when the page is shown", async () => {
  const { study, link } = await invited(client, everyType);
  await answer(study, link, { ...FIRST, more: null });
  const { body } = await client.get(`/screener-participants/${link.assignment}`);
  await client.patch(`/participants/${body.participantId}`, { attributes: { City: "Łódź <1>" } });
  assert.match((await visitor.open(link.path)).text, /from <bdi>Łódź &lt;1><\/bdi>:/);
});

const refused = async (content: object) => {
  const screener = await client.screener("References");
  const put = await client.call("PUT", `/screeners/${screener}/content`, { body: content });
  assert.equal(put.status, 400, put.text);
  return (put.body.errors as { pointer: string; message: string }[]).map(({ pointer, message }) => [pointer, message]);
};

const number = (key: string, more: object = {}) => question(key, "Numeric", more);
const note = (prompt: string, more: object = {}) => ({ _type: "ScreenerTextQuestion", prompt, ...more });

test("a reference that leads nowhere is refused where it stands, with what may be meant", async () => {
  const first = { questions: [number("age"), { ...number("x"), key: null }] };
  const faults = await refused({
    pages: [
      first,
      {
        title: "{{answer:agee}}",
        description: "{{answer:}} {{anwser:age}} {{age}} {{attribute:|x}} {{answer:age",
        questions: [
          note("{{other}} {{answer:age + 1}}"),
          { ...question("tea", "SingleSelect"), options: [{ text: "{{answer:age}}" }, { text: "{{x}}" }] },
          note("a", { helpText: "[a](https://a.example/{{answer:age}})" }),
        ],
      },
    ],
    thankYouByOutcome: { UNKNOWN: "{{answer:gone}}" },
  });
  assert.deepEqual(faults, [
    ["/pages/1/title", "has {{answer:agee}}, which refers to no question: none has the key “agee”; did you mean age?"],
    ["/pages/1/description", "has “{{answer:age”, which does not end: {{answer:KEY}}, or {{answer:KEY|fallback}}"],
    ["/pages/1/description", "has {{answer:}}, which refers to no question: none has the key “”"],
    ["/pages/1/description", "has {{anwser:age}}, which is no reference; did you mean {{answer:age}}?"],
    ["/pages/1/description", "has {{age}}, which is no reference; did you mean {{answer:age}}?"],
    ["/pages/1/description", "has {{attribute:|x}}, which names no attribute: a key has 1 to 100 characters"],
    ["/pages/1/questions/0/prompt", "has {{answer:age + 1}}, which refers to no question: none has the key “age + 1”"],
    ["/pages/1/questions/2/helpText", "has a reference in the address of a link"],
    ["/thankYouByOutcome/UNKNOWN", "has {{answer:gone}}, which refers to no question: none has the key “gone”"],
  ]);
});

test("where there may be nothing to read, a fallback is required", async () => {
  const block = { shuffleBlock: "Two" };
  const faults = await refused({
    pages: [
      {
        title: "{{answer:sure}}",
        questions: [
          number("sure"),
          number("optional", { required: false }),
          number("some", { showWhen: { questionId: "sure", atLeast: 1 } }),
        ],
      },
      { ...block, questions: [number("chance")] },
      {
        ...block,
        questions: [
          note(
            "{{answer:sure}} {{answer:optional}} {{answer:some}} {{answer:chance}} {{attribute:City}} {{answer:later}}",
          ),
        ],
      },
      { questions: [number("later")], disqualifyWhen: { questionId: "later", atLeast: 5 } },
    ],
    thankYou: "{{answer:sure}}",
    thankYouByOutcome: {
      QUALIFIED: "{{answer:sure}} {{answer:chance}} {{answer:later}}",
      DISQUALIFIED: "{{answer:later}}",
    },
  });
  const needs = (name: string, why: string) => `has {{${name}}}, which needs a fallback, as in {{${name}|…}}: ${why}`;
  assert.deepEqual(faults, [
    ["/pages/0/title", needs("answer:sure", "“sure?” is on the same page")],
    ["/pages/2/questions/0/prompt", needs("answer:optional", "“optional?” may be skipped")],
    ["/pages/2/questions/0/prompt", needs("answer:some", "“some?” is not asked in any case")],
    ["/pages/2/questions/0/prompt", needs("answer:chance", "“chance?” may come later, by chance")],
    ["/pages/2/questions/0/prompt", needs("attribute:City", "a person may not have this attribute")],
    ["/pages/2/questions/0/prompt", needs("answer:later", "“later?” is on a later page")],
    ["/thankYou", needs("answer:sure", "“sure?” may not have been asked when the session ends")],
    [
      "/thankYouByOutcome/DISQUALIFIED",
      needs("answer:later", "“later?” may not have been asked when the session ends"),
    ],
  ]);
});

test("in a content whose texts are plain, braces are braces", async () => {
  const { link } = await invited(client, {
    markup: "PLAIN",
    pages: [{ title: "One", questions: [note("{{answer:nobody}} {{x}}", { key: "a" })] }],
  });
  assert.match((await visitor.open(link.path)).text, /{{answer:nobody}} {{x}}/);
});

test("publishing warns of an attribute in a text that nobody has", async () => {
  const screener = await client.screener("Warned");
  await client.call("PUT", `/screeners/${screener}/content`, {
    body: { pages: [{ questions: [note("In {{attribute:Citty|town}}?")] }] },
  });
  await client.post("/screener-publications", { screenerId: screener });
  const { body } = await client.get(`/jobs?filter[screenerId][eq]=${screener}`);
  assert.deepEqual(body.items[0].warnings, [
    {
      code: "unknown_attribute",
      attribute: "Citty",
      message: "A text uses the attribute “Citty”, which nobody has. Did you mean “City”?",
    },
  ]);
});

test("where a workspace declares attributes, a text refers to these alone, and to what the draft had before", async () => {
  const declaring = service.workspace();
  const screener = await declaring.screener();
  const save = (...prompts: string[]) =>
    declaring.call("PUT", `/screeners/${screener}/content`, {
      body: { pages: [{ questions: prompts.map((prompt) => note(prompt)) }] },
    });
  const before = "In {{attribute:Town|town}}?";
  assert.equal((await save(before)).status, 200);
  const attributes = [{ key: "City", type: "TEXT" }];
  await declaring.call("PUT", "/workspace/attributes", { body: { attributes } });
  assert.equal((await save(before, "In {{attribute:City|}}?")).status, 200);
  const { status, body } = await save(before, "{{attribute:Citty|}} {{attribute:plan|}}");
  assert.equal(status, 400);
  const refers = "which refers to an attribute that the workspace does not declare";
  assert.deepEqual(body.errors, [
    { pointer: "/pages/0/questions/1/prompt", message: `has {{attribute:Citty|}}, ${refers}; did you mean City?` },
    { pointer: "/pages/0/questions/1/prompt", message: `has {{attribute:plan|}}, ${refers}` },
  ]);
  // What an import brings is declared first, too.
  await declaring.import(screener, [{ externalUid: "1", attributes: { plan: "gold" } }]);
  assert.equal((await save("{{attribute:plan|}}")).status, 400);
  await declaring.call("PUT", "/workspace/attributes", { body: { attributes: [{ key: "plan", type: "TEXT" }] } });
  assert.equal((await save("{{attribute:plan|}}")).status, 200);
});

test("in another language an answer is read in its words: options, numbers and dates, and the fallback as it is translated", async () => {
  const study = await publish(client, everyType);
  const texts = {
    [`question/${study.question.drink}/option/${study.option["drink/Tea"]}`]: "Tee",
    [`question/${study.question.best}/option/${study.option["best/Tea"]}`]: "Tee *zwei*",
    [`question/${study.question.last}/helpText`]: "Mehr: {{answer:more|nichts}}, später: {{answer:last|–}}",
    [`page/${study.page["About {{answer:drink}}"]}/title`]: "Über {{answer:drink}}",
    thankYou: "Danke, {{answer:name}} {{answer:more|}}!",
  };
  const strings = Object.entries(texts).map(([id, text]) => ({ id, text }));
  const path = `/screeners/${study.screener}/translations/de`;
  const patched = await client.call("PATCH", path, { body: { strings } });
  assert.equal(patched.status, 200, patched.text);
  await client.post("/screener-publications", { screenerId: study.screener });
  const [link] = await invite(client, study.screener);
  await answer(study, link!, { ...FIRST, drink: [{ text: "Tea" }], more: null });
  const { text } = await visitor.open(`${link!.path}?lang=de`);
  assert.match(text, /<html lang="de"/);
  assert.match(words(text), /36,5 \/ Tee \/ Tea, Mate \/ 4 \/ 28\. Februar 1990 \/ Juice, Tee \*zwei\*/);
  assert.match(words(text), /Mehr: nichts, später: –/);
  assert.match(text, /<h1[^>]*>Über <bdi>Tee<\/bdi><\/h1>/);
});
