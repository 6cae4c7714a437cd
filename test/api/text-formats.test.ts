// Texts of some kinds: what is taken for an email, a phone number and so on, what becomes of them everywhere, and the patterns of authors.

import assert from "node:assert/strict";
import { test } from "node:test";
import { parseCsv } from "../support/csv.ts";
import { sharedService } from "../support/service.ts";
import { type Invitation, invite, type Published, publish } from "../support/study.ts";
import { Visitor } from "../support/visitor.ts";

const service = await sharedService();
const client = service.workspace();

const type = "ScreenerTextQuestion";
const contentOf = (questions: object[], more: object = {}) => ({
  pages: [
    {
      title: "All",
      questions: questions.map((question, index) => ({
        ...{ id: `q${index}`, key: `q${index}`, _type: type, prompt: `Question ${index}?` },
        ...question,
      })),
      ...more,
    },
  ],
});

const submit = async (study: Published, { session }: Invitation, given: Record<string, unknown>) =>
  client.post(`/screener-sessions/${session}/responses`, {
    responses: Object.entries(given).map(([key, answer]) => ({ screenerQuestionId: study.question[key], answer })),
    complete: true,
  });

const responsesOf = async ({ session }: Invitation) =>
  (await client.get(`/screener-responses?filter[screenerSessionId][eq]=${session}`)).body.items;

/** What is typed, and its normalized form; null: it is refused. */
const TYPED: Record<string, [typed: string, normalized: string | null][]> = {
  EMAIL: [
    ["Ada.Lovelace+x@Example.ORG", "Ada.Lovelace+x@example.org"],
    ["  ada@mail.example.org ", "ada@mail.example.org"],
    ["ada@bücher.example", "ada@bücher.example"],
    ["ada@mail-1.example.org", "ada@mail-1.example.org"],
    ["ada@-example.org", null],
    ["ada@mail-.example.org", null],
    ["ada@example.org-", null],
    ["ada@example", null],
    ["ada.example.org", null],
    ["ada@@example.org", null],
    ["Ada <ada@example.org>", null],
    ["ada..l@example.org", null],
    ["ada@example.org, bob@example.org", null],
    [`${"a".repeat(250)}@example.org`, null],
  ],
  PHONE: [
    ["+44 20 7946 0958", "+442079460958"],
    ["0044 (0)20 7946-0958", "+442079460958"],
    ["+49 (0) 30/901820", "+4930901820"],
    ["020 7946 0958", "02079460958"],
    ["(020) 7946 0958", "02079460958"],
    ["٠٢٠ ٧٩٤٦ ٠٩٥٨", "02079460958"],
    ["\u202a+1.212.555.0100\u202c", "+12125550100"],
    ["+0 20 7946", null],
    ["1234", null],
    ["+1234567890123456", null],
    ["call me", null],
    ["020 7946 0958 ext 5", null],
  ],
  POSTCODE: [
    ["sw1a  1aa", "SW1A 1AA"],
    ["〒100-0001", "100-0001"],
    ["d04 k2w9", "D04 K2W9"],
    ["101", "101"],
    ["10115 Berlin, Germany", null],
    ["-", null],
  ],
  URL: [
    ["https://Example.org/Path?q=1#x", "https://example.org/Path?q=1#x"],
    ["www.example.org", "https://www.example.org/"],
    ["example.org:8080/a", "https://example.org:8080/a"],
    ["http://münchen.example", "http://xn--mnchen-3ya.example/"],
    ["javascript:alert(1)", null],
    ["ftp://example.org", null],
    ["https://user:secret@example.org", null],
    ["example", null],
    ["not a link.", null],
  ],
  DIGITS: [
    ["1234 5678", "12345678"],
    ["00-12", "0012"],
    ["１２３４", "1234"],
    ["12a", null],
    ["1.5", null],
    ["-5", null],
  ],
};

for (const [format, rows] of Object.entries(TYPED))
  test(`${format}: what people type is kept as it is, and beside it what programs compare; what is none is refused`, async () => {
    const study = await publish(client, contentOf([{ format }, {}]));
    const links = await invite(client, study.screener, rows.length);
    for (const [at, [typed, normalized]] of rows.entries()) {
      const { status, body } = await submit(study, links[at]!, { q0: typed, q1: typed });
      if (normalized === null) {
        assert.equal(status, 400, typed);
        assert.match(body.errors[0].message, /^must be .* such as /, typed);
        continue;
      }
      assert.equal(status, 200, `${typed}: ${JSON.stringify(body)}`);
      const [first, second] = await responsesOf(links[at]!);
      assert.deepEqual([first.answer, first.normalizedAnswer], [typed.trim(), normalized]);
      assert.equal("normalizedAnswer" in second, false);
    }
  });

test("rules compare the normalized forms, and an explanation has both", async () => {
  const study = await publish(
    client,
    contentOf([{ format: "PHONE" }, { format: "POSTCODE" }, { format: "EMAIL" }], {
      disqualifyWhen: {
        any: [
          { questionId: "q0", equals: "0044 20 7946 0958" },
          { questionId: "q1", oneOf: ["sw1a 1aa"] },
          {
            all: [
              { questionId: "q2", answered: true },
              { questionId: "q2", notContains: "@EXAMPLE.org" },
            ],
          },
        ],
      },
    }),
  );
  const judge = async (given: object) => {
    const [link] = await invite(client, study.screener, 1);
    const { body } = await submit(study, link!, { ...given });
    return [body.outcomeReason, link!.session];
  };
  assert.equal((await judge({ q0: "+44 (0)20 79460958" }))[0], "SCREENED_OUT");
  assert.equal((await judge({ q1: "SW1A  1aa" }))[0], "SCREENED_OUT");
  assert.equal((await judge({ q2: "ada@else.org" }))[0], "SCREENED_OUT");
  const [none, session] = await judge({ q0: "+44 20 7946 0959", q1: "SW1A 1AB", q2: "ada@example.ORG" });
  assert.equal(none, null);
  const { answers } = (await client.get(`/screener-sessions/${session}/explanation`)).body;
  assert.deepEqual(
    answers.map((one: Record<string, unknown>) => [one.answer, one.normalizedAnswer]),
    [
      ["+44 20 7946 0959", "+442079460959"],
      ["SW1A 1AB", "SW1A 1AB"],
      ["ada@example.ORG", "ada@example.org"],
    ],
  );
});

test("the table has a column for the normalized form, also where the question got its format later", async () => {
  const screener = await publish(client, contentOf([{ key: "phone" }, { key: "town" }]));
  const [before] = await invite(client, screener.screener, 1);
  await submit(screener, before!, { phone: "020 7946 0958", town: "York" });
  const { body: draft } = await client.get(`/screeners/${screener.screener}/content`);
  const { screenerId: _, ...content } = draft;
  content.pages[0].questions[0].format = "PHONE";
  assert.equal((await client.call("PUT", `/screeners/${screener.screener}/content`, { body: content })).status, 200);
  assert.equal((await client.post("/screener-publications", { screenerId: screener.screener })).status, 201);
  const [after] = await invite(client, screener.screener, 1);
  await submit(screener, after!, { phone: "+44 20 7946 0958", town: "Leeds" });
  const rows = parseCsv((await client.get(`/screeners/${screener.screener}/export`)).text);
  const at = rows[0]!.indexOf("phone");
  assert.deepEqual(
    rows.map((row) => row.slice(at, at + 3)),
    [
      ["phone", "phone.normalized", "town"],
      ["020 7946 0958", "", "York"],
      // As texts that spreadsheets would take for formulas.
      ["'+44 20 7946 0958", "'+442079460958", "Leeds"],
    ],
  );
  const codebook = parseCsv((await client.get(`/screeners/${screener.screener}/codebook`)).text);
  assert.deepEqual(
    codebook.filter(([column]) => column?.startsWith("phone")).map((row) => row.slice(0, 3)),
    [
      ["phone", "Question 0?", "phone number, as it was typed"],
      ["phone.normalized", "Question 0?", "the same in the form that programs can compare"],
    ],
  );
});

test("digits have limits of their own, and a changed answer a new normalized form", async () => {
  const study = await publish(client, contentOf([{ format: "DIGITS", minLength: 8, maxLength: 8 }]));
  const [link] = await invite(client, study.screener, 1);
  const { status, body } = await submit(study, link!, { q0: "1234 567" });
  assert.deepEqual([status, body.errors[0].message], [400, "must have at least 8 digits"]);
  for (const typed of ["1234 5678", "87654321"]) {
    const reply = await client.post(`/screener-sessions/${link!.session}/responses`, {
      responses: [{ screenerQuestionId: study.question.q0, answer: typed }],
    });
    assert.equal(reply.status, 200, reply.text);
    const [response] = await responsesOf(link!);
    assert.equal(response.normalizedAnswer, typed.replace(" ", ""));
  }
});

test("an answer has to match the author's pattern as a whole, or people read the author's message", async () => {
  const study = await publish(
    client,
    contentOf([
      { pattern: "[A-Z]{2}[0-9]{6}", patternMessage: "Enter two letters and six digits" },
      { format: "POSTCODE", pattern: "YO\\d+ .*", patternMessage: "Enter a postcode in York" },
    ]),
  );
  const [link] = await invite(client, study.screener, 1);
  const refused = await submit(study, link!, { q0: "xAB123456", q1: "SW1A 1AA" });
  assert.deepEqual(
    refused.body.errors.map(({ message }: { message: string }) => message),
    [
      "does not match the question's pattern: Enter two letters and six digits",
      "does not match the question's pattern: Enter a postcode in York",
    ],
  );
  const visitor = new Visitor(service.url);
  const again = await visitor.send(link!.path, study, "All", { q0: "AB12345", q1: "yo1  7hh" });
  assert.match(again.text, /Enter two letters and six digits/);
  assert.doesNotMatch(again.text, /Enter a postcode in York/);
  assert.equal((await submit(study, link!, { q0: "AB123456", q1: "yo1  7hh" })).status, 200);
});

test("a pattern that can't be matched, or would take too long, is refused with the draft", async () => {
  const screener = await client.screener();
  const questions = [
    { pattern: "(", patternMessage: "x" },
    { pattern: "a(?=b)", patternMessage: "x" },
    { pattern: "(a)\\1", patternMessage: "x" },
    { pattern: "((a{1,30}){1,30})", patternMessage: "x" },
    { pattern: "x".repeat(201), patternMessage: "x" },
    { pattern: "x" },
    { patternMessage: "x" },
    { pattern: "x", patternMessage: "x", maxLength: 251 },
    { format: "EMAIL", multiline: true },
    { format: "NAME" },
  ];
  const put = async (list: object[]) => client.call("PUT", `/screeners/${screener}/content`, { body: contentOf(list) });
  const { status, body } = await put(questions);
  assert.equal(status, 400);
  assert.deepEqual(
    body.errors.map(({ pointer, message }: { pointer: string; message: string }) => [
      pointer.replace("/pages/0/questions/", ""),
      message,
    ]),
    [
      ["0/pattern", "is not a regular expression of RE2: missing closing ): `(`"],
      ["1/pattern", "is not a regular expression of RE2: invalid or unsupported Perl syntax: `(?=`"],
      ["2/pattern", "is not a regular expression of RE2: invalid escape sequence: `\\1`"],
      ["3/pattern", "is too large: it takes 1863 instructions, and at most 300 are allowed"],
      ["4/pattern", "must be at most 200 characters"],
      ["5/patternMessage", "is required where there is a pattern"],
      ["6/pattern", "is required where there is a patternMessage"],
      ["7/maxLength", "must be at most 250 where there is a pattern"],
      ["8/format", "goes only with one line: multiline must be false"],
      ["9/format", "must be EMAIL, PHONE, POSTCODE, URL or DIGITS"],
    ],
  );
  const many = await put(Array.from({ length: 200 }, () => ({ pattern: "[a-z]{1,50}", patternMessage: "x" })));
  assert.match(many.body.errors[0].message, /^brings all patterns of the content together above 2500/);
});

test("patterns on which others work for ever are decided at once", async () => {
  const hard = ["(a*)*b", "(a|aa)+c", "([a-z]+)+d", "(.*)(.*)(.*)(.*)(.*)x"];
  const study = await publish(
    client,
    contentOf(hard.map((pattern) => ({ pattern, patternMessage: "Something else" }))),
  );
  const [link] = await invite(client, study.screener, 1);
  const { status, body } = await submit(
    study,
    link!,
    Object.fromEntries(hard.map((_, index) => [`q${index}`, "a".repeat(250)])),
  );
  assert.deepEqual([status, body.errors.length], [400, hard.length]);
  const { body: long } = await submit(study, link!, { q0: `${"a".repeat(250)}b` });
  assert.equal(long.errors[0].message, "must have at most 250 characters");
});

test("phones show the right keyboard, and browsers offer what they know", async () => {
  const formats = Object.keys(TYPED);
  const study = await publish(client, contentOf(formats.map((format) => ({ format, required: true }))));
  const [link] = await invite(client, study.screener, 1);
  const visitor = new Visitor(service.url);
  const { text } = await visitor.open(link!.path);
  const inputs = formats.map(
    (_, index) => new RegExp(`<input[^>]*name="answer-${study.question[`q${index}`]}"[^>]*>`).exec(text)![0],
  );
  const attribute = (name: string) => inputs.map((input) => new RegExp(` ${name}="([^"]*)"`).exec(input)?.[1]);
  assert.deepEqual(attribute("type"), ["email", "tel", "text", "text", "text"]);
  assert.deepEqual(attribute("inputmode"), ["email", "tel", undefined, "url", "numeric"]);
  assert.deepEqual(attribute("autocomplete"), ["email", "tel", "postal-code", "url", "off"]);
  // The author's pattern would be run by the browser's own regular expressions.
  assert.doesNotMatch(text, / pattern=/);
  const wrong = await visitor.send(link!.path, study, "All", {
    ...Object.fromEntries(formats.map((_, index) => [`q${index}`, "x"])),
  });
  for (const words of [
    "an email address, such as",
    "a phone number, such as",
    "a postcode",
    "a web address, such as",
    "digits only",
  ])
    assert.ok(wrong.text.includes(`Enter ${words}`), words);
});
