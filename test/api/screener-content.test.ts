// A screener's content: what an author sends is what is kept, two authors don't overwrite each other, and what was
// published stays as it was.

import assert from "node:assert/strict";
import { test } from "node:test";
import { createApp } from "../../src/main/app.ts";
import { PARTS } from "../../src/nouns/question-types/entries.ts";
import { findType, typeNames } from "../../src/nouns/question-types/registry.ts";
import { type Answer, type Client, UNKNOWN } from "../support/client.ts";
import { sharedService } from "../support/service.ts";
import { everyKind, invite, publish } from "../support/study.ts";
import { populate } from "../support/world.ts";

const service = await sharedService();

const text = (more: object = {}) => ({ _type: "ScreenerTextQuestion", prompt: "Why?", ...more });
const numeric = (more: object = {}) => ({ _type: "ScreenerNumericQuestion", prompt: "How many?", ...more });
const single = (more: object = {}) => ({
  _type: "ScreenerSingleSelectQuestion",
  prompt: "Which?",
  options: [
    { id: "tea", text: "Tea" },
    { id: "milk", text: "Milk" },
  ],
  ...more,
});
const multi = (more: object = {}) => ({ ...single(more), _type: "ScreenerMultiSelectQuestion" });

function put(client: Client, screener: string, body: unknown, headers: Record<string, string> = {}): Promise<Answer> {
  return client.call("PUT", `/screeners/${screener}/content`, { body, headers });
}

const draft = (client: Client, screener: string) => client.get(`/screeners/${screener}/content`);
const published = (client: Client, publication: string) => client.get(`/screener-publications/${publication}/content`);

type Ids = Awaited<ReturnType<typeof publish>>;

/** The pages of a content, and what else an author writes. */
function written(body: Record<string, unknown>): unknown {
  const { pages, qualifyWhen, thankYou, thankYouByOutcome } = body;
  return { pages, qualifyWhen, thankYou, thankYouByOutcome };
}

test("a screener begins empty, and an unknown one has no content", async () => {
  const { client, screenerId: screener } = await service.screener();
  const { status, body } = await draft(client, screener);
  assert.equal(status, 200);
  assert.deepEqual(body, {
    _type: "ScreenerContent",
    screenerId: screener,
    markup: "MARKDOWN",
    pages: [],
    qualifyWhen: null,
    thankYou: null,
    thankYouByOutcome: null,
  });
  const stranger = service.workspace();
  for (const answer of [
    await draft(client, UNKNOWN),
    await put(client, UNKNOWN, { pages: [] }),
    await draft(stranger, screener),
    await put(stranger, screener, { pages: [] }),
  ]) {
    assert.deepEqual([answer.status, answer.body.code], [404, "screener_not_found"]);
  }
});

test("what is sent is kept, with defaults filled in and labels made into ids wherever conditions use them", async () => {
  const { client, screenerId: screener } = await service.screener();
  const sent = {
    pages: [
      {
        id: "first",
        title: " First ",
        description: "All about you",
        disqualifyWhen: { any: [{ questionId: "n", lessThan: 3 }, { not: { questionId: "s", answered: true } }] },
        questions: [
          numeric({ id: "n", key: "n", required: true, min: 0, max: 9.5 }),
          single({ id: "s", helpText: "Pick", showWhen: { questionId: "n", atLeast: 1 } }),
          multi({ id: "m", allowsWriteIn: true, minChoices: 1, maxChoices: 3 }),
        ],
      },
      {
        showWhen: { all: [{ questionId: "s", oneOf: ["tea", "milk"] }] },
        questions: [
          text({
            id: "t",
            multiline: true,
            minLength: 2,
            maxLength: 20,
            showWhen: { questionId: "s", equals: "milk" },
          }),
          text({ showWhen: { questionId: "t", contains: "because" } }),
        ],
      },
    ],
    qualifyWhen: { questionId: "m", contains: "tea" },
    thankYou: "Thanks",
    thankYouByOutcome: { QUALIFIED: "Welcome" },
  };
  const { status, body } = await put(client, screener, sent);
  assert.equal(status, 200, JSON.stringify(body));
  const [first, second] = body.pages;
  const [n, s, m] = first.questions;
  const [t, last] = second.questions;
  const plain = { key: null, helpText: null, required: false, showWhen: null };
  const optionsOf = (question: { options: { id: string }[] }) => [
    { id: question.options[0]?.id, text: "Tea" },
    { id: question.options[1]?.id, text: "Milk" },
  ];
  assert.deepEqual(written(body), {
    pages: [
      {
        _type: "ScreenerPage",
        id: first.id,
        title: "First",
        description: "All about you",
        showWhen: null,
        disqualifyWhen: { any: [{ questionId: n.id, lessThan: 3 }, { not: { questionId: s.id, answered: true } }] },
        questions: [
          { ...numeric(), ...plain, id: n.id, key: "n", required: true, min: 0, max: 9.5, wholeNumber: false },
          {
            ...single(),
            ...plain,
            id: s.id,
            helpText: "Pick",
            options: optionsOf(s),
            allowsWriteIn: false,
            showWhen: { questionId: n.id, atLeast: 1 },
          },
          { ...multi(), ...plain, id: m.id, options: optionsOf(m), allowsWriteIn: true, minChoices: 1, maxChoices: 3 },
        ],
      },
      {
        _type: "ScreenerPage",
        id: second.id,
        title: null,
        description: null,
        showWhen: { all: [{ questionId: s.id, oneOf: [s.options[0].id, s.options[1].id] }] },
        disqualifyWhen: null,
        questions: [
          {
            ...text(),
            ...plain,
            id: t.id,
            multiline: true,
            minLength: 2,
            maxLength: 20,
            showWhen: { questionId: s.id, equals: s.options[1].id },
          },
          {
            ...text(),
            ...plain,
            id: last.id,
            multiline: false,
            minLength: null,
            maxLength: null,
            showWhen: { questionId: t.id, contains: "because" },
          },
        ],
      },
    ],
    qualifyWhen: { questionId: m.id, contains: m.options[0].id },
    thankYou: "Thanks",
    thankYouByOutcome: { QUALIFIED: "Welcome" },
  });
  const ids = JSON.stringify(body.pages).match(/"id":"[0-9a-f-]{36}"/g) ?? [];
  assert.equal(ids.length, 2 + 5 + 4);
  assert.equal(new Set(ids).size, ids.length);
  assert.deepEqual((await draft(client, screener)).body, body);
});

test("ids that are sent back stay, wherever they move; all else gets new ones", async () => {
  const client = service.workspace();
  const [screener, other] = [await client.screener(), await client.screener()];
  const sent = { pages: [{ questions: [single({ id: "a" }), text({ id: "b" })] }, { questions: [text()] }] };
  const { body } = await put(client, screener, sent);
  const [one, two] = body.pages;
  const [a, b] = one.questions;
  // Pages swap, a question moves, an option is renamed, one goes and one comes.
  const moved = await put(client, screener, {
    pages: [
      { ...two, questions: [{ ...a, options: [{ ...a.options[1], text: "Oat milk" }, { text: "Tea" }] }] },
      { ...one, questions: [b, text({ id: a.options[0].id, prompt: "New" }), text({ id: UNKNOWN })] },
    ],
  });
  assert.equal(moved.status, 200, moved.text);
  const [first, second] = moved.body.pages;
  assert.deepEqual([first.id, second.id], [two.id, one.id]);
  assert.equal(first.questions[0].id, a.id);
  assert.deepEqual(first.questions[0].options[0], { id: a.options[1].id, text: "Oat milk" });
  assert.ok(!JSON.stringify(moved.body).includes(a.options[0].id), "an option's id became something else's");
  assert.equal(second.questions[0].id, b.id);
  assert.notEqual(second.questions[2].id, UNKNOWN);
  // What is in another screener is new here.
  const elsewhere = await put(client, other, written(moved.body));
  assert.equal(elsewhere.status, 200);
  for (const { id } of moved.body.pages.flatMap((page: { questions: object[] }) => [page, ...page.questions]))
    assert.ok(!elsewhere.text.includes(id), "two screeners share an id");
  // What was removed and comes back is new, too.
  await put(client, screener, { pages: [] });
  const again = await put(client, screener, written(moved.body));
  assert.notEqual(again.body.pages[0].id, first.id);
});

/** Contents that are wrong, and everything that is said about it. */
const wrong: [name: string, content: unknown, errors: Record<string, RegExp>][] = [
  ["no pages", {}, { "/pages": /is required/ }],
  ["pages that are none", { pages: "x" }, { "/pages": /array/ }],
  ["a page that is none", { pages: [1, { questions: {} }] }, { "/pages/0": /object/, "/pages/1/questions": /array/ }],
  [
    "questions without what they need",
    { pages: [{ questions: [{ _type: "Nonsense" }, text({ prompt: " " }), single({ options: [] }), 5] }] },
    {
      "/pages/0/questions/0/_type": /ScreenerTextQuestion/,
      "/pages/0/questions/1/prompt": /required/,
      "/pages/0/questions/2/options": /at least one/,
      "/pages/0/questions/3": /object/,
    },
  ],
  [
    "values of a wrong type or size",
    {
      pages: [
        {
          title: 5,
          questions: [
            text({ required: "yes", maxLength: 10_001, key: "1st" }),
            numeric({ min: "1", wholeNumber: 1 }),
            multi({ minChoices: 0 }),
          ],
        },
      ],
      thankYouByOutcome: { QUALIFIED: 5 },
    },
    {
      "/pages/0/title": /string/,
      "/pages/0/questions/0/required": /true or false/,
      "/pages/0/questions/0/maxLength": /at most/,
      "/pages/0/questions/0/key": /letter/,
      "/pages/0/questions/1/min": /number/,
      "/pages/0/questions/1/wholeNumber": /true or false/,
      "/pages/0/questions/2/minChoices": /at least 1/,
      "/thankYouByOutcome/QUALIFIED": /string/,
    },
  ],
  [
    "addresses to be led on to that can't be",
    {
      pages: [],
      redirectByOutcome: {
        QUALIFIED: "http://panel.example.org/",
        DISQUALIFIED: "https://panel.example.org/?id={session}&x={sessionId}",
        UNKNOWN: "panel.example.org",
      },
    },
    {
      "/redirectByOutcome/QUALIFIED": /must begin with https:/,
      "/redirectByOutcome/DISQUALIFIED": /has \{session\}, but only \{reference\}, \{sessionId\}, .* can be filled in/,
      "/redirectByOutcome/UNKNOWN": /must be a web address/,
    },
  ],
  [
    "addresses that would show somebody's password, or that a session's id would make another site's",
    {
      pages: [],
      redirectByOutcome: {
        QUALIFIED: "https://me:secret@panel.example.org/",
        DISQUALIFIED: "https://{reference}.example.org/",
        UNKNOWN: "https://panel.example.org/a b",
        OTHER: "https://panel.example.org/",
      },
    },
    {
      "/redirectByOutcome/QUALIFIED": /user name or password/,
      "/redirectByOutcome/DISQUALIFIED": /in the name of the site/,
      "/redirectByOutcome/UNKNOWN": /must be a web address/,
      "/redirectByOutcome/OTHER": /is not known/,
    },
  ],
  [
    "misspelt members, at every level",
    {
      pages: [
        {
          disqualifywhen: { questionId: "a", answered: true },
          questions: [
            text({ id: "a", requried: true, max_length: 5, nothingLikeIt: 1 }),
            single({
              options: [
                { id: "x", txt: "A" },
                { text: "B", ID: "y" },
              ],
            }),
            { ...text(), prompt: undefined, Prompt: "Why?" },
          ],
        },
        {
          questions: [text({ id: "b" })],
          showWhen: { al: [{ questionId: "a", answered: true }], any: [{ questionId: "a", aswered: true }] },
        },
      ],
      qualifywhen: { questionId: "a", answered: true },
      thankYouByOutcome: { QUALIFED: "Thanks" },
    },
    {
      "/pages/0/disqualifywhen": /did you mean disqualifyWhen\?/,
      "/pages/0/questions/0/requried": /did you mean required\?/,
      "/pages/0/questions/0/max_length": /did you mean maxLength\?/,
      "/pages/0/questions/0/nothingLikeIt": /is not known$/,
      "/pages/0/questions/1/options/0/text": /is required/,
      "/pages/0/questions/1/options/0/txt": /did you mean text\?/,
      "/pages/0/questions/1/options/1/ID": /did you mean id\?/,
      "/pages/0/questions/2/prompt": /is required/,
      "/pages/0/questions/2/Prompt": /did you mean prompt\?/,
      "/pages/1/showWhen/al": /did you mean all\?/,
      "/pages/1/showWhen/any/0/aswered": /did you mean answered\?/,
      "/qualifywhen": /did you mean qualifyWhen\?/,
      "/thankYouByOutcome/QUALIFED": /did you mean QUALIFIED\?/,
    },
  ],
  [
    "what is there twice",
    {
      pages: [
        { id: "p", questions: [text({ id: "a", key: "k" }), text({ id: "a", key: "k" }), text({ id: "p" })] },
        {
          id: "p",
          questions: [
            single({
              options: [
                { id: "x", text: "A" },
                { id: "x", text: " A" },
              ],
            }),
          ],
        },
      ],
    },
    {
      "/pages/0/questions/1/id": /twice/,
      "/pages/0/questions/1/key": /another/,
      "/pages/1/id": /twice/,
      "/pages/1/questions/0/options/1/text": /another option/,
      "/pages/1/questions/0/options/1/id": /twice/,
    },
  ],
  [
    "conditions beside what is wrong in itself, but none that hang on it",
    {
      pages: [
        {
          title: 5,
          showWhen: { questionId: "a", answered: true },
          questions: [
            text({ id: "a", prompt: " ", showWhen: { questionId: "", answered: true } }),
            text({ id: "b", showWhen: { questionId: "a", equals: 5 } }),
            numeric({ min: 1, max: 0, showWhen: { questionId: "b", lessThan: 5 } }),
          ],
        },
      ],
      qualifyWhen: {
        all: [
          { questionId: "a", contains: "x" },
          { questionId: "nowhere", answered: true },
        ],
      },
    },
    {
      "/pages/0/title": /string/,
      "/pages/0/questions/0/prompt": /required/,
      "/pages/0/questions/0/showWhen/questionId": /no question/,
      "/pages/0/showWhen/questionId": /does not come before/,
      "/pages/0/questions/2/max": /min/,
      "/pages/0/questions/2/showWhen/lessThan": /number/,
      "/qualifyWhen/all/1/questionId": /no question/,
    },
  ],
  [
    "bounds that exclude each other",
    {
      pages: [
        {
          questions: [
            text({ minLength: 5, maxLength: 4 }),
            numeric({ min: 1, max: 0 }),
            numeric({ min: 1.2, max: 1.8, wholeNumber: true }),
            multi({ minChoices: 2, maxChoices: 1 }),
            multi({ minChoices: 3 }),
            multi({ minChoices: 3, allowsWriteIn: true }),
          ],
        },
      ],
    },
    {
      "/pages/0/questions/0/maxLength": /minLength/,
      "/pages/0/questions/1/max": /min/,
      "/pages/0/questions/2/max": /no whole number/,
      "/pages/0/questions/3/maxChoices": /minChoices/,
      "/pages/0/questions/4/minChoices": /at most 2/,
    },
  ],
  [
    "what only one type of question has",
    {
      pages: [
        {
          questions: [
            { _type: "ScreenerDateQuestion", prompt: "When?", min: "1990-02-30", max: "soon" },
            { _type: "ScreenerScaleQuestion", prompt: "How?", from: 5, to: 5 },
            { _type: "ScreenerRankingQuestion", prompt: "In which order?", options: [{ text: "A" }], rankAtLeast: 2 },
            text({ pattern: "(", patternMessage: "No" }),
          ],
        },
      ],
    },
    {
      "/pages/0/questions/0/min": /date/,
      "/pages/0/questions/0/max": /date/,
      "/pages/0/questions/1/to": /greater than from/,
      "/pages/0/questions/2/rankAtLeast": /at most 1/,
      "/pages/0/questions/3/pattern": /pattern|parenthesis|regular/,
    },
  ],
  [
    "what only one type of question has, beside a wrong form of other members of its own",
    {
      pages: [
        {
          questions: [
            { _type: "ScreenerDateQuestion", prompt: "When?", precision: "WEEK", min: "1990-02-30", max: "1990-02" },
            { _type: "ScreenerDateQuestion", prompt: "When?", precision: "WEEK", min: "1990-02", max: "1990-01" },
            { _type: "ScreenerScaleQuestion", prompt: "How?", look: "NPS", from: "0", to: 9 },
            { _type: "ScreenerScaleQuestion", prompt: "How?", from: "0", to: 1, lowLabel: 1 },
            { _type: "ScreenerScaleQuestion", prompt: "How?", look: "CIRCLES", from: 5, to: 5 },
            text({ format: "EMAIL", multiline: "no", minLength: 5, maxLength: 4, pattern: "(", patternMessage: 5 }),
            text({ format: "FAX", multiline: true, pattern: 5, patternMessage: "No", maxLength: 300 }),
            numeric({ min: 1, max: 0, wholeNumber: "yes" }),
            multi({ minChoices: 3, maxChoices: "all", allowsWriteIn: "yes" }),
            multi({ options: [{ text: "A" }, { text: 5 }, "C", { text: "A", exclusive: "no" }], minChoices: 6 }),
            multi({ options: "A, B", minChoices: 6 }),
            {
              _type: "ScreenerRankingQuestion",
              prompt: "In which order?",
              options: [{ text: "A", fixed: 1 }, { text: "A" }],
              rankAtLeast: 3,
              rankAtMost: 0,
            },
            {
              _type: "ScreenerMatrixQuestion",
              prompt: "What?",
              rows: [],
              columns: [{ text: "A" }, { text: "A" }],
            },
          ],
        },
      ],
    },
    {
      "/pages/0/questions/0/precision": /DAY/,
      "/pages/0/questions/0/min": /date/,
      "/pages/0/questions/1/precision": /DAY/,
      "/pages/0/questions/1/max": /before min/,
      "/pages/0/questions/2/from": /whole number/,
      "/pages/0/questions/2/to": /must be 10/,
      "/pages/0/questions/3/from": /whole number/,
      "/pages/0/questions/3/lowLabel": /string/,
      "/pages/0/questions/4/look": /NUMBERS/,
      "/pages/0/questions/4/to": /greater than from/,
      "/pages/0/questions/5/multiline": /true or false/,
      "/pages/0/questions/5/maxLength": /minLength/,
      "/pages/0/questions/5/pattern": /regular/,
      "/pages/0/questions/5/patternMessage": /string/,
      "/pages/0/questions/6/format": /EMAIL/,
      "/pages/0/questions/6/pattern": /string/,
      "/pages/0/questions/7/wholeNumber": /true or false/,
      "/pages/0/questions/7/max": /min/,
      "/pages/0/questions/8/maxChoices": /whole number/,
      "/pages/0/questions/8/allowsWriteIn": /true or false/,
      "/pages/0/questions/9/options/1/text": /string/,
      "/pages/0/questions/9/options/2": /object/,
      "/pages/0/questions/9/options/3/text": /another option/,
      "/pages/0/questions/9/options/3/exclusive": /true or false/,
      "/pages/0/questions/9/minChoices": /at most 4/,
      "/pages/0/questions/10/options": /array/,
      "/pages/0/questions/11/options/0/fixed": /true or false/,
      "/pages/0/questions/11/options/1/text": /another option/,
      "/pages/0/questions/11/rankAtLeast": /at most 2/,
      "/pages/0/questions/11/rankAtMost": /at least 1/,
      "/pages/0/questions/12/rows": /at least one row/,
      "/pages/0/questions/12/columns/1/text": /another column/,
    },
  ],
];

for (const [name, content, expected] of wrong) {
  test(`the answer names everything that is wrong: ${name}`, async () => {
    const { client, screenerId: screener } = await service.screener();
    const { status, body } = await put(client, screener, content);
    assert.deepEqual([status, body.code], [400, "invalid_request"]);
    isExactly(body.errors, expected);
    assert.deepEqual((await draft(client, screener)).body.pages, []);
    const all = (await put(client, screener, misspelt(content))).body.errors.map(({ pointer }: Wrong) => pointer);
    const ofQuestions = Object.keys(expected).filter((pointer) =>
      /^\/pages\/\d+\/questions\/\d+\/(?!showWhen)/.test(pointer),
    );
    assert.deepEqual(
      ofQuestions.filter((pointer) => !all.includes(pointer)),
      [],
      "not named where the question has a member that is not known, too",
    );
  });
}

/** Values of which each is wrong for some members, also inside of lists. */
const SHAPES = [null, true, 5, "no", "2024-02-30", [], {}, [null], ["A", "A"], [{}], [{ text: "A" }, { text: 5 }, 5]];

test("two members of a type's own may be anything: what is wrong is named at the question, and nothing breaks", async () => {
  const { client, screenerId: screener } = await service.screener();
  const parts = [{ text: "A" }, { text: "B" }];
  const wrongs = typeNames.flatMap((_type) => {
    const { memberNames, texts } = findType(_type)!;
    const lists = Object.keys(texts).filter((member) => Object.hasOwn(PARTS, member));
    const base = { _type, prompt: "What?", ...Object.fromEntries(lists.map((member) => [member, parts])) };
    const own = [...lists, ...Object.keys(memberNames)];
    return own.flatMap((one, at) =>
      own
        .slice(at + 1)
        .flatMap((other) =>
          SHAPES.map((shape, turn) => ({ ...base, [one]: shape, [other]: SHAPES[(turn * 7 + 3) % SHAPES.length] })),
        ),
    );
  });
  assert.ok(wrongs.length > 300, `${wrongs.length}`);
  for (let from = 0; from < wrongs.length; from += 20) {
    const questions = wrongs.slice(from, from + 20);
    const { status, body, text } = await put(client, screener, { pages: [{ questions }] });
    assert.ok(status === 200 || body.code === "invalid_request", text);
    for (const { pointer } of (body.errors ?? []) as Wrong[])
      assert.match(pointer, /^\/pages\/0\/questions\/\d+\//, text);
  }
});

type Wrong = { pointer: string; message: string };

/** The content with a member that is not known in each of its questions. */
function misspelt(content: unknown): object {
  const { pages, ...rest } = Object(content);
  if (!Array.isArray(pages)) return Object(content);
  const inQuestion = (question: unknown) => (question instanceof Object ? { ...question, colour: "red" } : question);
  return {
    ...rest,
    pages: pages.map((page) =>
      Array.isArray(page?.questions) ? { ...page, questions: page.questions.map(inQuestion) } : page,
    ),
  };
}

function isExactly(errors: Wrong[], expected: Record<string, RegExp>): void {
  assert.deepEqual(errors.map(({ pointer }) => pointer).sort(), Object.keys(expected).sort(), JSON.stringify(errors));
  for (const { pointer, message } of errors) assert.match(message, expected[pointer]!, pointer);
}

let deep: object = { questionId: "n", equals: 1 };
for (let depth = 0; depth < 10; depth++) deep = { not: deep };

/** Conditions that are wrong at the end of a content, with where (below the condition) and why. */
const wrongConditions: [condition: unknown, pointer: string, why: RegExp][] = [
  [5, "", /object/],
  [[], "", /object/],
  [{}, "", /questionId/],
  [{ all: [] }, "/all", /at least one/],
  [{ any: {} }, "/any", /at least one/],
  [{ not: null }, "/not", /object/],
  [{ all: [{ questionId: "n", equals: 1 }], any: [] }, "", /questionId/],
  [{ questionId: "n" }, "", /exactly one/],
  [{ questionId: "n", equals: 1, lessThan: 2 }, "", /exactly one/],
  [{ questionId: "n", like: 1 }, "/like", /is not known/],
  [{ questionId: "n", equal: 1 }, "/equal", /did you mean equals\?/],
  [{ questionid: "n", equals: 1 }, "/questionid", /did you mean questionId\?/],
  [{ al: [{ questionId: "n", equals: 1 }] }, "/al", /did you mean all\?/],
  [{ not: { questionId: "n", lesThan: 1 } }, "/not/lesThan", /did you mean lessThan\?/],
  [{ questionId: "n", "a/b~": 1 }, "/a~1b~0", /is not known/],
  [{ questionId: "nobody", equals: 1 }, "/questionId", /no question/],
  [{ questionId: 7, equals: 1 }, "", /questionId/],
  [{ questionId: "n", equals: "1" }, "/equals", /number/],
  [{ questionId: "n", oneOf: [1, "2"] }, "/oneOf/1", /number/],
  [{ questionId: "n", oneOf: [] }, "/oneOf", /at least one/],
  [{ questionId: "n", contains: 1 }, "/contains", /number/],
  [{ questionId: "n", lessThan: null }, "/lessThan", /number/],
  [{ questionId: "n", answered: 1 }, "/answered", /true or false/],
  [{ questionId: "t", equals: 1 }, "/equals", /string/],
  [{ questionId: "t", greaterThan: 1 }, "/greaterThan", /number/],
  [{ questionId: "s", equals: "coffee" }, "/equals", /not an option/],
  [{ questionId: "s", equals: "Tea" }, "/equals", /not an option/],
  [{ questionId: "s", oneOf: ["tea", "x"] }, "/oneOf/1", /not an option/],
  [{ questionId: "s", contains: "tea" }, "/contains", /equals/],
  [{ questionId: "m", equals: "tea" }, "/equals", /contains/],
  [{ questionId: "m", oneOf: ["tea"] }, "/oneOf", /contains/],
  [{ questionId: "m", contains: "x" }, "/contains", /not an option/],
  [{ attribute: "", equals: 1 }, "/attribute", /1 to 100/],
  [{ attribute: "x".repeat(101), equals: 1 }, "/attribute", /1 to 100/],
  [{ attribute: 5, equals: 1 }, "/attribute", /1 to 100/],
  [{ attribute: "a" }, "", /exactly one/],
  [{ attribute: "a", equals: 1, atLeast: 2 }, "", /exactly one/],
  [{ attribute: "a", questionId: "n", equals: 1 }, "", /exactly one/],
  [{ attribute: "a", answered: true }, "/answered", /is not known|not an operator of attributes/],
  [{ attribute: "a", "a/b~": 1 }, "/a~1b~0", /is not known|not an operator of attributes/],
  [{ attribute: "a", exists: 1 }, "/exists", /true or false/],
  [{ attribute: "a", equals: null }, "/equals", /string, a number, true or false/],
  [{ attribute: "a", equals: "x".repeat(1001) }, "/equals", /1000/],
  [{ attribute: "a", oneOf: [] }, "/oneOf", /at least one/],
  [{ attribute: "a", oneOf: [1, ["2"]] }, "/oneOf/1", /string, a number, true or false/],
  [{ attribute: "a", contains: "" }, "/contains", /empty/],
  [{ attribute: "a", contains: 1 }, "/contains", /string/],
  [{ attribute: "a", atLeast: "1" }, "/atLeast", /number/],
  [{ any: [{ questionId: "n", equals: 1 }, { not: { questionId: "x", equals: 1 } }] }, "/any/1/not/questionId", /no q/],
  [deep, "/not".repeat(10), /nested/],
  [{ any: Array.from({ length: 200 }, () => ({ questionId: "n", equals: 1 })) }, "", /200 parts/],
];

test("the answer names every wrong part of a condition, wherever it is", async () => {
  const { client, screenerId: screener } = await service.screener();
  const questions = [numeric({ id: "n" }), text({ id: "t" }), single({ id: "s" }), multi({ id: "m" })];
  for (const [condition, pointer, why] of wrongConditions) {
    const contents: [string, unknown][] = [
      ["/qualifyWhen", { pages: [{ questions }], qualifyWhen: condition }],
      ["/pages/0/disqualifyWhen", { pages: [{ questions, disqualifyWhen: condition }] }],
      ["/pages/1/showWhen", { pages: [{ questions }, { questions: [], showWhen: condition }] }],
      ["/pages/0/questions/4/showWhen", { pages: [{ questions: [...questions, text({ showWhen: condition })] }] }],
    ];
    for (const [at, content] of contents) {
      const { status, body } = await put(client, screener, content);
      assert.equal(status, 400, JSON.stringify(condition));
      isExactly(body.errors, { [at + pointer]: why });
    }
  }
});

test("a condition can't refer to what does not come before", async () => {
  const { client, screenerId: screener } = await service.screener();
  const on = (questionId: string) => ({ questionId, answered: true });
  const { status, body } = await put(client, screener, {
    pages: [
      {
        showWhen: on("a"),
        disqualifyWhen: on("c"),
        questions: [text({ id: "a", showWhen: on("a") }), text({ id: "b", showWhen: on("c") })],
      },
      { showWhen: on("b"), disqualifyWhen: on("c"), questions: [text({ id: "c", showWhen: on("a") })] },
    ],
    qualifyWhen: on("c"),
  });
  assert.equal(status, 400);
  isExactly(body.errors, {
    "/pages/0/showWhen/questionId": /come before/,
    "/pages/0/disqualifyWhen/questionId": /come before/,
    "/pages/0/questions/0/showWhen/questionId": /come before/,
    "/pages/0/questions/1/showWhen/questionId": /come before/,
  });
});

test("more questions than there may be are refused", async () => {
  const { client, screenerId: screener } = await service.screener();
  const questions = Array.from({ length: 1001 }, () => text());
  const { status, body } = await put(client, screener, { pages: [{ questions }, { questions }] });
  assert.equal(status, 400);
  isExactly(body.errors, { "/pages": /2000/ });
});

test("a long draft full of mistakes is refused at once, and other requests need not wait", async () => {
  const { client, screenerId: screener } = await service.screener();
  const zeros = (count: number) => Array(count).fill(0);
  const deep = { any: zeros(500_000) };
  for (const [content, pointer, message] of [
    [{ pages: zeros(1_000_000) }, "/pages", /at most 500/],
    [{ pages: [{ questions: zeros(1_000_000) }] }, "/pages/0/questions", /at most 2000/],
    [{ pages: Array(400).fill({ questions: zeros(2000) }) }, "/pages", /2000 questions in all/],
    [{ pages: [{ questions: zeros(2000) }] }, "/pages/0/questions/0", /object/],
    [
      { pages: [{ questions: [single({ options: zeros(1_000_000) })] }] },
      "/pages/0/questions/0/options",
      /at most 500/,
    ],
    [{ pages: [], qualifyWhen: deep }, "/qualifyWhen", /200 parts/],
    [
      { pages: [{ questions: [text({ id: "a" })], disqualifyWhen: { questionId: "a", oneOf: zeros(500_000) } }] },
      "/pages/0/disqualifyWhen/oneOf",
      /at most 500 values/,
    ],
  ] as const) {
    const { status, body } = await put(client, screener, content);
    assert.equal(status, 400);
    assert.ok(body.errors.length <= 100);
    const found = body.errors.find((error: { pointer: string }) => error.pointer === pointer);
    assert.match(found?.message ?? JSON.stringify(body), message);
  }
});

test("all conditions together have a limit, so that each page can check them", async () => {
  const { client, screenerId: screener } = await service.screener();
  const any = Array.from({ length: 150 }, () => ({ questionId: "a", contains: "x" }));
  const questions = [text({ id: "a" }), ...Array.from({ length: 80 }, () => text({ showWhen: { any } }))];
  const { status, body } = await put(client, screener, { pages: [{ questions }] });
  assert.equal(status, 400);
  assert.deepEqual(body.errors, [
    {
      pointer: "/pages/0/questions/67/showWhen",
      message: "brings all conditions together above 10000 parts",
    },
  ]);
});

test("a text in a condition is compared as answers are kept: without the space around it", async () => {
  const { client, screenerId: screener } = await service.screener();
  const pages = [{ questions: [text({ id: "a" })], disqualifyWhen: { questionId: "a", oneOf: [" yes ", "no"] } }];
  const { body } = await put(client, screener, { pages });
  assert.deepEqual(body.pages[0].disqualifyWhen.oneOf, ["yes", "no"]);
  // A piece of an answer may begin and end with a space.
  const piece = await put(client, screener, { pages, qualifyWhen: { questionId: "a", contains: " art " } });
  assert.equal(piece.body.qualifyWhen.contains, " art ");
  for (const nothing of [{ contains: "" }, { equals: " " }]) {
    const { body: problem } = await put(client, screener, { pages, qualifyWhen: { questionId: "a", ...nothing } });
    assert.match(problem.errors[0].message, /must not be empty/);
  }
});

test("with If-Match, a draft that someone else has changed is not overwritten", async () => {
  const { client, screenerId: screener } = await service.screener();
  const empty = await draft(client, screener);
  const content = (prompt: string) => ({ pages: [{ questions: [text({ prompt })] }] });
  const tagOf = ({ headers }: Answer) => headers.get("etag") ?? "";
  const first = await put(client, screener, content("One"), { "If-Match": tagOf(empty) });
  assert.equal(first.status, 200);
  assert.notEqual(tagOf(first), tagOf(empty));
  assert.equal(tagOf(await draft(client, screener)), tagOf(first));
  for (const stale of [tagOf(empty), '"x"', `W/${tagOf(first)}`, ""]) {
    const refused = await put(client, screener, content("Two"), { "If-Match": stale });
    assert.deepEqual([refused.status, refused.body.code], [412, "precondition_failed"], stale);
  }
  assert.deepEqual((await draft(client, screener)).body, first.body);
  // Nothing changed is no new draft.
  assert.equal(tagOf(await put(client, screener, written(first.body))), tagOf(first));
  for (const fresh of [`"x", ${tagOf(first)}`, "*"]) {
    const { status } = await put(client, screener, content(fresh), { "If-Match": fresh });
    assert.equal(status, 200, fresh);
  }
  assert.equal((await put(client, screener, content("No condition"))).status, 200);
});

for (const [what, path] of [
  ["a draft", ({ screener }: Ids) => `/screeners/${screener}/content`],
  ["a publication", ({ publication }: Ids) => `/screener-publications/${publication}/content`],
] as const) {
  test(`content of ${what} that the caller has already is not sent again`, async () => {
    const client = service.workspace();
    const at = path(await publish(client, everyKind));
    const ask = (encoding: string, named?: string, method = "GET") =>
      client.call(method, at, {
        headers: { "Accept-Encoding": encoding, ...(named !== undefined && { "If-None-Match": named }) },
      });
    const plain = await ask("identity");
    const packed = await ask("gzip");
    assert.equal(packed.headers.get("content-encoding"), "gzip");
    const [tag = "", packedTag = ""] = [plain, packed].map(({ headers }) => headers.get("etag")!);
    assert.match(tag, /^"[^"]+"$/);
    assert.match(packedTag, /^"[^"]+"$/);
    assert.notEqual(tag, packedTag, "other bytes have another tag");
    for (const one of [tag, packedTag]) {
      for (const named of [one, `W/${one}`, `"x", W/"y,z" ,${one}`, `"x",W/${one}, "y"`]) {
        for (const encoding of ["identity", "gzip", "gzip, identity;q=0"]) {
          const answer = await ask(encoding, named);
          assert.deepEqual([answer.status, answer.text], [304, ""], named);
          assert.equal(answer.headers.get("etag"), one);
          assert.equal(answer.headers.get("content-type"), null);
          assert.match(answer.headers.get("vary") ?? "", /Accept-Encoding/);
        }
      }
    }
    assert.equal((await ask("gzip", " * ")).status, 304);
    assert.equal((await ask("gzip", tag, "HEAD")).status, 304);
    for (const other of [
      "",
      '"x"',
      tag.slice(1),
      tag.slice(0, -1),
      tag.replaceAll('"', ""),
      `w/${tag}`,
      `"x-gzip", W/"0"`,
    ]) {
      const answer = await ask("identity", other);
      assert.deepEqual([answer.status, answer.text, answer.headers.get("etag")], [200, plain.text, tag], other);
    }
    // Nothing else has a tag, so there it means nothing.
    const screeners = await client.get("/screeners", { "If-None-Match": "*" });
    assert.deepEqual([screeners.status, screeners.headers.get("etag")], [200, null]);
    assert.equal((await service.workspace().get(at, { "If-None-Match": "*" })).status, 404);
  });
}

test("a draft that was changed is sent again, under another tag; either tag of it lets an author write", async () => {
  const client = service.workspace();
  const { screener } = await publish(client, everyKind);
  const path = `/screeners/${screener}/content`;
  const tags = new Set<string>();
  for (const encoding of ["gzip", "identity", "zstd", "deflate"]) {
    const { body, headers } = await client.get(path, { "Accept-Encoding": encoding });
    const tag = headers.get("etag")!;
    tags.add(tag);
    const changed = await put(client, screener, { ...body, thankYou: `By ${encoding}` }, { "If-Match": tag });
    assert.equal(changed.status, 200, tag);
    assert.equal((await client.get(path, { "If-None-Match": tag })).status, 200);
    assert.equal((await put(client, screener, body, { "If-Match": tag })).status, 412);
  }
  assert.equal(tags.size, 4);
});

test("of many authors who write the same draft at once, the first succeeds, and the others get a 412", async () => {
  const { client, screenerId: screener } = await service.screener();
  const tag = (await draft(client, screener)).headers.get("etag") ?? "";
  const answers = await Promise.all(
    Array.from({ length: 8 }, (_, index) =>
      put(client, screener, { pages: [{ title: `Of ${index}`, questions: [text()] }] }, { "If-Match": tag }),
    ),
  );
  assert.deepEqual(answers.map(({ status }) => status).sort(), [200, ...Array<number>(7).fill(412)]);
  const kept = answers.find(({ status }) => status === 200);
  assert.deepEqual((await draft(client, screener)).body, kept?.body);
});

test("a publication has the draft as it was, and edits of the draft leave it alone", async () => {
  const client = service.workspace();
  const { screener, publication } = await publish(client, everyKind);
  const before = (await draft(client, screener)).body;
  const { body, text: bytes } = await published(client, publication);
  const { version, screenerPublicationId, ...rest } = body;
  assert.deepEqual([version, screenerPublicationId], [1, publication]);
  assert.deepEqual(rest, { ...before, _type: "ScreenerPublicationContent" });
  const [first, second] = before.pages;
  for (const pages of [[second && { ...second, showWhen: null }], [{ ...first, title: "Other" }], []]) {
    assert.equal((await put(client, screener, { pages, thankYou: "Changed" })).status, 200);
    assert.equal((await published(client, publication)).text, bytes);
  }
  const next = (await client.post("/screener-publications", { screenerId: screener })).body;
  assert.deepEqual((await published(client, next.id)).body.pages, []);
  assert.equal((await published(client, publication)).text, bytes);
  for (const unknown of [UNKNOWN, screener]) {
    const { status, body: problem } = await published(client, unknown);
    assert.deepEqual([status, problem.code], [404, "screener_publication_not_found"]);
  }
  assert.equal((await published(service.workspace(), publication)).status, 404);
});

test("no route changes what was published", async () => {
  const world = await populate(service, "Walk");
  const { client, screener, publication, session, assignment, participant, job } = world;
  const linked = new URL((await client.get(`/screener-sessions/${session}`)).body.screenerSessionLink).pathname;
  const { text: bytes, body: content } = await published(client, publication);
  const responses = content.pages[0].questions.map(({ id }: { id: string }) => ({ screenerQuestionId: id }));
  const changed = { pages: [{ questions: [text({ id: content.pages[0].questions[0].id, prompt: "Forged" })] }] };
  /** What all routes find something in. */
  const everything = {
    ...changed,
    ...{ content: changed, screenerId: screener, version: 7, title: "Forged", description: "Forged" },
    ...{ targetQualifiedParticipants: 3, tags: [{ category: "City", value: "Forged" }], qualifyWhen: null },
    ...{ externalUid: "Forged", email: "forged@example.org", name: "Forged", responses, complete: false },
    ...{ participants: [{ externalUid: "F2", email: "f2@example.org", name: "F" }], prompt: "Forged" },
  };
  const ids: Record<string, string> = {
    "/screeners/": screener,
    "/screener-publications/": publication,
    "/participants/": participant,
    "/screener-participants/": assignment,
    "/screener-sessions/": session,
    "/jobs/": job,
    "/problems/": "email_taken",
    "/docs/": "start.js",
  };
  const routes = createApp(service.context).routes.stack.flatMap(({ path, methods }) =>
    methods.map((method) => ({ method, path: String(path) })),
  );
  // What removes comes last, so that everything else finds what it is about.
  const ordered = [
    ...routes.filter(({ method }) => method !== "DELETE"),
    ...routes.filter(({ method }) => method === "DELETE"),
  ];
  const done = new Set<string>();
  for (const { method, path } of ordered) {
    const real = /^\/w\/:workspace\/screeners/.test(path)
      ? linked
      : path.replace(/^(\/[a-z-]+\/):\w+/, (_, prefix: string) => prefix + ids[prefix]);
    const takesBody = !["GET", "HEAD", "DELETE"].includes(method);
    for (const body of takesBody ? [everything, { ...everything, status: "ARCHIVED" }] : [undefined]) {
      let { status, body: answer } = await client.call(method, real, body ? { body } : {});
      if (status === 400 && body) {
        // Some routes refuse members that they do not know. They get the others.
        const unknown: string[] = answer.errors.map(({ pointer }: { pointer: string }) => pointer.slice(1));
        const known = Object.fromEntries(Object.entries(body).filter(([name]) => !unknown.includes(name)));
        ({ status, body: answer } = await client.call(method, real, { body: known }));
      }
      assert.ok(status < 500, `${method} ${real}: ${status}`);
      if (status < 300 && takesBody) done.add(`${method} ${path}`);
      assert.equal((await published(client, publication)).text, bytes, `${method} ${path} changed a publication`);
    }
  }
  for (const written of [
    "PATCH /screeners/:id",
    "PUT /screeners/:id/content",
    "POST /screener-publications",
    "PATCH /screener-publications/:id",
    "POST /screener-participants-import",
    "POST /screener-sessions/:id/responses",
  ])
    assert.ok(done.has(written), `${written} was refused: this shows nothing`);
  // Nor are there methods on it that its routes don't tell of.
  for (const method of ["PUT", "PATCH", "POST", "DELETE"]) {
    const { status } = await client.call(method, `/screener-publications/${publication}/content`, { body: changed });
    assert.equal(status, 405, method);
  }
  assert.equal((await published(client, publication)).text, bytes);
});

test("an address to be led on to is kept as the URL parser writes it, and without what turns text around", async () => {
  const client = service.workspace();
  const screener = await client.screener();
  const kept = async (address: string) => {
    const { status, body } = await put(client, screener, { pages: [], redirectByOutcome: { QUALIFIED: address } });
    return status === 200 ? body.redirectByOutcome.QUALIFIED : body.errors[0].message;
  };
  for (const [typed, is] of [
    ["https://evil.example\\@good.example", "https://evil.example/@good.example"],
    ["https:evil.example?to=https://good.example", "https://evil.example/?to=https://good.example"],
    ["HTTPS://Panel.Example.ORG:443/a/../b/{reference}", "https://panel.example.org/b/{reference}"],
    [
      "https://good.example/\u202Egpj.x\u2069?id={sessionId}&r={reference}#{reference}",
      "https://good.example/gpj.x?id={sessionId}&r={reference}#{reference}",
    ],
    ["\u200Ehttps://b\u00FCcher.example/\u00E4", "https://xn--bcher-kva.example/%C3%A4"],
    ["https://a.example/place0r/{reference}", "https://a.example/place0r/{reference}"],
  ]) {
    assert.equal(await kept(typed!), is);
    assert.equal(await kept(is!), is, "and can be sent back");
  }
  for (const typed of [
    "https:\\\\{reference}.example.org/",
    "https:{sessionId}.example.org/",
    "https:///{reference}/x",
  ])
    assert.match(await kept(typed), /in the name of the site/, typed);
});

test("what was read can be sent back as it is: a draft, and the content of a publication", async () => {
  const client = service.workspace();
  const { screener, publication } = await publish(client, {
    ...everyKind,
    thankYouByOutcome: { QUALIFIED: "Welcome", UNKNOWN: null },
    redirectByOutcome: { DISQUALIFIED: "https://panel.example.org/?out={sessionId}", UNKNOWN: null },
  });
  const before = await draft(client, screener);
  const same = await put(client, screener, before.body);
  assert.deepEqual([same.status, same.text], [200, before.text], same.text);
  assert.equal(same.headers.get("etag"), before.headers.get("etag"));
  const restored = await put(client, screener, (await published(client, publication)).body);
  assert.deepEqual([restored.status, restored.text], [200, before.text], restored.text);
});

test("a publication goes on serving its sessions, with its own questions, after two newer ones", async () => {
  const client = service.workspace();
  const study = await publish(client, { pages: [{ title: "P", questions: [single({ key: "old" })] }] });
  const { screener } = study;
  const [early, begun] = await invite(client, screener, 2);
  assert.ok(early && begun);
  const answer = (session: string, id: string, chosen: string, complete = false) => {
    const responses = [{ screenerQuestionId: id, answer: [{ text: chosen }] }];
    return client.post(`/screener-sessions/${session}/responses`, { responses, complete });
  };
  const old = study.question.old!;
  assert.equal((await answer(begun.session, old, "Tea")).status, 200);
  // The same question with other options; then another question altogether.
  const { body } = await draft(client, screener);
  const [page] = body.pages;
  const other = { ...page.questions[0], prompt: "Which now?", options: [{ text: "Water" }] };
  await put(client, screener, { pages: [{ ...page, questions: [other] }] });
  await client.post("/screener-publications", { screenerId: screener });
  const replaced = await put(client, screener, { pages: [{ questions: [text()] }] });
  await client.post("/screener-publications", { screenerId: screener });
  assert.equal((await answer(early.session, old, "Water")).status, 400);
  const refused = await client.post(`/screener-sessions/${early.session}/responses`, {
    responses: [{ screenerQuestionId: replaced.body.pages[0].questions[0].id, answer: "x" }],
  });
  assert.equal(refused.body.errors[0].pointer, "/responses/0/screenerQuestionId");
  for (const { session } of [early, begun]) {
    const { status, body: shown } = await answer(session, old, "Milk", true);
    assert.equal(status, 200);
    assert.deepEqual([shown.state, shown.screenerPublicationId], ["COMPLETED", study.publication]);
  }
  const items: Record<string, unknown>[] = await client.all(`/screener-responses?filter[screenerId][eq]=${screener}`);
  assert.deepEqual(
    items.map(({ screenerQuestionPrompt, answer: given }) => [
      screenerQuestionPrompt,
      (given as { text: string; isWriteIn: boolean }[]).map(({ text, isWriteIn }) => [text, isWriteIn]),
    ]),
    Array(2).fill(["Which?", [["Milk", false]]]),
  );
});

test("a screener of 2,000 questions with 50 options each is published by one job, as it is", async () => {
  const { client, screenerId: screener } = await service.screener();
  const options = Array.from({ length: 50 }, (_, index) => ({ text: `Option ${index}` }));
  const pages = Array.from({ length: 20 }, (_, page) => ({
    title: `Page ${page}`,
    questions: Array.from({ length: 100 }, (_, index) => multi({ key: `q${page}_${index}`, options })),
  }));
  const { status, body } = await put(client, screener, { pages });
  assert.equal(status, 200);
  const publication = await client.post("/screener-publications", { screenerId: screener });
  assert.equal(publication.status, 201);
  const jobs = await client.all("/jobs");
  assert.deepEqual(
    jobs.map(({ kind, status: ended }) => [kind, ended]),
    [["SCREENER_PUBLICATION", "SUCCEEDED"]],
  );
  const content = (await published(client, publication.body.id)).body;
  assert.deepEqual(content.pages, body.pages);
  const questions: { id: string; key: string; options: { id: string; text: string }[] }[] = content.pages.flatMap(
    (page: { questions: object[] }) => page.questions,
  );
  assert.equal(questions.length, 2000);
  assert.equal(new Set(questions.flatMap((question) => question.options.map(({ id }) => id))).size, 100_000);
  // The very last option of the very last question can be chosen.
  const [link] = await invite(client, screener);
  const { id, key, options: last } = questions.at(-1)!;
  assert.equal(key, "q19_99");
  const answered = await client.post(`/screener-sessions/${link?.session}/responses`, {
    responses: [{ screenerQuestionId: id, answer: [{ text: last.at(-1)?.text }] }],
  });
  assert.equal(answered.status, 200, answered.text);
});

test("a content says in which language its texts are, and one that says nothing stays as it is", async () => {
  const { client, screenerId: screener } = await service.screener();
  const pages = [{ questions: [text()] }];
  assert.equal((await put(client, screener, { pages, language: "de-at" })).body.language, "de-AT");
  assert.equal((await draft(client, screener)).body.language, "de-AT");
  for (const language of [undefined, null])
    assert.equal("language" in (await put(client, screener, { pages, language })).body, false);
  for (const language of ["German", "de_AT", "und", "", 7]) {
    const { status, body } = await put(client, screener, { pages, language });
    assert.equal(status, 400, String(language));
    assert.deepEqual(body.errors, [
      { pointer: "/language", message: "must be a language such as en, de-AT or zh-Hans" },
    ]);
  }
});
