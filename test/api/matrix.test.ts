// Matrices from the draft to the table: what they take, what is wrong with them, rules about their rows, and what is said of their answers.

import assert from "node:assert/strict";
import { test } from "node:test";
import { signedIn } from "../support/console.ts";
import { parseCsv, readCsv } from "../support/csv.ts";
import { sharedService } from "../support/service.ts";
import { type Invitation, invite, type Published, publish } from "../support/study.ts";
import { Visitor } from "../support/visitor.ts";

const service = await sharedService();
const client = service.workspace();

const texts = (...all: string[]) => all.map((text) => ({ id: text.toLowerCase().replaceAll(" ", "-"), text }));
const ROWS = texts("Tea", "Coffee", "Milk");
const COLUMNS = texts("Never", "Some days", "Every day");

const matrix = (more: object = {}) => ({
  ...{ id: "q", key: "q", _type: "ScreenerMatrixQuestion", prompt: "How often do you drink it?" },
  ...{ rows: ROWS, columns: COLUMNS },
  ...more,
});
const contentOf = (question: object, more: object = {}) => ({
  pages: [{ title: "All", questions: [question] }],
  ...more,
});

/** The ids of rows and columns by their texts. */
async function idsOf(study: Published): Promise<Record<string, string>> {
  const { body } = await client.get(`/screener-publications/${study.publication}/content`);
  const [{ rows, columns }] = body.pages[0].questions;
  return Object.fromEntries([...rows, ...columns].map(({ id, text }: { id: string; text: string }) => [text, id]));
}

/** An answer by texts: `{ Tea: ["Never"] }`. */
const given = (by: Record<string, string[]>) => ({
  rows: Object.entries(by).map(([text, choices]) => ({ text, choices: choices.map((one) => ({ text: one })) })),
});

const send = (study: Published, { session }: Invitation, answer: unknown, complete = true) =>
  client.post(`/screener-sessions/${session}/responses`, {
    responses: [{ screenerQuestionId: study.question.q, answer }],
    complete,
  });

const draft = async (content: object) => {
  const screener = await client.screener();
  return client.call("PUT", `/screeners/${screener}/content`, { body: content });
};

const messages = (errors: { pointer: string; message: string }[]) =>
  errors.map(({ pointer, message }) => `${pointer} ${message}`);

test("a matrix has rows and columns, each of them once", async () => {
  const { body } = await draft(contentOf(matrix()));
  const [{ id: _, rows, columns, ...question }] = body.pages[0].questions;
  assert.deepEqual(
    [...rows, ...columns].map(({ text }) => text),
    ["Tea", "Coffee", "Milk", "Never", "Some days", "Every day"],
  );
  assert.deepEqual(question, {
    ...{ _type: "ScreenerMatrixQuestion", key: "q", prompt: "How often do you drink it?", helpText: null },
    ...{ required: false, showWhen: null, multiple: false, requireEachRow: false },
  });
  // Who sends what is there keeps it.
  const again = await client.call("PUT", `/screeners/${body.screenerId}/content`, { body });
  assert.deepEqual(again.body, body);
  const many = (count: number) => Array.from({ length: count }, (_, at) => ({ text: String(at) }));
  const wrong = async (more: object) => messages((await draft(contentOf(matrix(more)))).body.errors);
  const at = "/pages/0/questions/0";
  assert.deepEqual(await wrong({ rows: [], columns: null }), [
    `${at}/rows must have at least one row`,
    `${at}/columns must be an array`,
  ]);
  assert.deepEqual(await wrong({ rows: many(51), columns: many(21) }), [
    `${at}/rows must have at most 50 items`,
    `${at}/columns must have at most 20 items`,
  ]);
  assert.deepEqual(await wrong({ rows: [{ text: "Tea" }, { text: "Tea" }], columns: texts("No", "No") }), [
    `${at}/rows/1/text is the same as another row's`,
    `${at}/columns/1/text is the same as another column's`,
    `${at}/columns/1/id is given twice`,
  ]);
  assert.deepEqual(await wrong({ multiple: 1, options: [] }), [
    `${at}/multiple must be true or false`,
    `${at}/options is not known`,
  ]);
});

test("an answer names rows and columns by ids, texts or both; all that is wrong with it is said, and where", async () => {
  const study = await publish(client, contentOf(matrix({ requireEachRow: true })));
  const [link] = (await invite(client, study.screener, 1)) as [Invitation];
  const ids = await idsOf(study);
  const wrong = async (answer: unknown) => {
    const { status, body } = await send(study, link, answer, false);
    assert.equal(status, 400);
    return messages(body.errors).map((one) => one.replace("/responses/0/answer", ""));
  };
  const shape = ' must be an object such as { "rows": [{ "rowId": …, "choices": [{ "columnId": … }] }] }';
  for (const answer of ["Tea", [], 3, { rows: {} }, { choices: [] }]) assert.deepEqual(await wrong(answer), [shape]);
  const never = [{ text: "Never" }];
  assert.deepEqual(
    await wrong({
      rows: [
        7,
        { text: "Beer", choices: never },
        { rowId: ids.Tea, text: "Coffee", choices: never },
        { rowId: ids.Tea, choices: "Never" },
        { rowId: ids.Tea?.toUpperCase(), choices: [{ text: "Never" }, { columnId: ids.Never }] },
        { text: "Milk", choices: [{ text: "Often" }] },
        { rowId: ids.Coffee, choices: [{ columnId: ids.Never, text: "Every day" }] },
        // A row is no column.
        { rowId: ids.Never, choices: [{ columnId: ids.Tea }] },
      ],
    }),
    [
      "/rows/0 must be an object with rowId and choices",
      "/rows/1 is not a row of this question",
      "/rows/2 has a rowId and the text of another row",
      "/rows/3/choices must be an array of choices, each an object with columnId",
      "/rows/4 is a row that is there before",
      "/rows/4/choices must be one choice",
      "/rows/4/choices/1 is a column that is there before",
      "/rows/5/choices/0 is not a column of this question",
      "/rows/6/choices/0 has a columnId and the text of another column",
      "/rows/7 is not a row of this question",
      "/rows/7/choices/0 is not a column of this question",
    ],
  );
  assert.deepEqual(await wrong(given({ Coffee: ["Never"] })), [" lacks a choice in the rows “Tea”, “Milk”"]);
  assert.deepEqual(
    await wrong({ rows: [{ text: "Tea", choices: never }, { text: "Milk", choices: never }, { text: "Coffee" }] }),
    [" lacks a choice in the row “Coffee”"],
  );
  // Without any choice it is skipped.
  assert.equal((await send(study, link, { rows: [{ text: "Tea", choices: [] }] }, false)).status, 200);
  const mixed = {
    rows: [
      { text: "Milk", choices: [{ columnId: ids["Every day"] }] },
      { rowId: ids.Coffee, text: "Coffee", choices: [{ columnId: ids.Never, text: "Never" }] },
      { rowId: ids.Tea, choices: never },
    ],
  };
  assert.equal((await send(study, link, mixed)).status, 200);
  const { body } = await client.get(`/screener-responses?filter[screenerSessionId][eq]=${link.session}`);
  const row = (text: string, column: string) => ({
    ...{ rowId: ids[text], text },
    choices: [{ columnId: ids[column], text: column }],
  });
  assert.equal(body.items[0]._type, "ScreenerMatrixResponse");
  assert.deepEqual(body.items[0].answer, {
    rows: [row("Tea", "Never"), row("Coffee", "Never"), row("Milk", "Every day")],
  });
});

test("results are split by what was chosen in a row, also where a later version words it otherwise", async () => {
  const study = await publish(client, contentOf(matrix({ multiple: true })));
  const ids = await idsOf(study);
  const answers = [
    given({ Tea: ["Never", "Some days"], Milk: ["Never"] }),
    given({ Tea: ["Every day"] }),
    given({ Coffee: ["Never"] }),
  ];
  const links = await invite(client, study.screener, answers.length);
  for (const [at, answer] of answers.entries()) await send(study, links[at]!, answer);
  const { body: content } = await client.get(`/screeners/${study.screener}/content`);
  const [question] = content.pages[0].questions;
  question.columns[2].text = "Each day";
  question.rows = question.rows.filter(({ text }: { text: string }) => text !== "Milk");
  question.rows[0].text = "Black tea";
  await client.call("PUT", `/screeners/${study.screener}/content`, { body: content });
  await client.post("/screener-publications", { screenerId: study.screener });
  const results = async (splitBy: string) =>
    (await client.get(`/screeners/${study.screener}/results?splitBy=${splitBy}`)).body;
  const { groups, questions, splitRows } = await results(`${question.id}.${ids.Tea}`);
  assert.deepEqual(
    groups.map(({ label, sessions }: { label: string; sessions: number }) => [label, sessions]),
    [
      ["Each day", 1],
      ["Never; Some days", 1],
      [null, 1],
    ],
  );
  assert.deepEqual(questions[0].groupAnswered, [1, 1, 1]);
  assert.deepEqual(
    splitRows.map(({ rowId, text }: { rowId: string; text: string }) => [rowId, text]),
    [
      [ids.Tea, "Black tea"],
      [ids.Coffee, "Coffee"],
      [ids.Milk, "Milk"],
    ],
  );
  for (const splitBy of [`${question.id}.${ids.Never}`, `${question.id}.`, `${ids.Tea}.${ids.Tea}`])
    assert.equal((await results(splitBy)).status, 400, splitBy);
  const viewer = await signedIn(service, client.workspaceId, "viewer", "rows@matrix.example.org");
  const { text } = await viewer.get(`/console/studies/${study.screener}/results?splitBy=${question.id}.${ids.Milk}`);
  assert.match(text, /selected>How often do you drink it\? – Milk<\/option>/);
});

test("a rule about a row is as one about a select whose options are the columns", async () => {
  const rule = (...rules: object[]) => ({ qualifyWhen: { all: rules.map((one) => ({ questionId: "q", ...one })) } });
  const faults = async (question: object, ...rules: object[]) =>
    messages((await draft(contentOf(question, rule(...rules)))).body.errors ?? []);
  const [single, several] = [matrix(), matrix({ multiple: true })];
  assert.deepEqual(
    await faults(
      single,
      { row: "tea", equals: "never" },
      { row: "tea", oneOf: ["never", "some-days"] },
      { row: "milk", isNot: "never" },
      { row: "milk", noneOf: ["never"] },
      { row: "milk", answered: true },
      { answered: true },
    ),
    [],
  );
  assert.deepEqual(
    await faults(
      several,
      { row: "tea", contains: "never" },
      { row: "tea", notContains: "every-day" },
      { row: "tea", chosenAtLeast: 1 },
    ),
    [],
  );
  const at = (index: number, member: string) => `/qualifyWhen/all/${index}/${member}`;
  assert.deepEqual(
    await faults(
      single,
      { equals: "never" },
      { row: "beer", equals: "never" },
      { row: "never", equals: "tea" },
      { row: "tea", equals: "milk" },
      { row: "tea", contains: "never" },
      { row: "tea", atLeast: 1 },
      { row: "tea" },
      { row: 1, answered: true },
    ),
    [
      `${at(0, "equals")} does not go with a whole matrix; say which row`,
      `${at(1, "row")} is not a row of the question`,
      `${at(2, "row")} is not a row of the question`,
      `${at(2, "equals")} is not an option of the question`,
      `${at(3, "equals")} is not an option of the question`,
      `${at(4, "contains")} does not go with a single select; use equals`,
      `${at(5, "atLeast")} goes only with questions that are answered with a number`,
      `/qualifyWhen/all/6 must have exactly one of the operators ${OPERATORS}`,
      `${at(7, "row")} is not a row of the question`,
    ],
  );
  const text = { id: "q", _type: "ScreenerTextQuestion", prompt: "Why?" };
  assert.deepEqual(await faults(text, { row: "tea", equals: "x" }), [
    `${at(0, "row")} goes only with matrix questions`,
  ]);
});

const OPERATORS = [
  ...["answered", "equals", "oneOf", "contains", "lessThan", "atMost", "greaterThan", "atLeast"],
  ...["isNot", "noneOf", "notContains", "chosenAtLeast", "chosenAtMost", "before", "after", "onOrBefore", "onOrAfter"],
  ...["ageAtLeast", "ageBelow", "first", "rankedAtMost"],
].join(", ");

test("answers to a matrix are judged by row, explained, charted and exported with a column for each row", async () => {
  const qualifyWhen = {
    all: [
      { questionId: "q", row: "tea", oneOf: ["some-days", "every-day"] },
      { not: { questionId: "q", row: "milk", equals: "every-day" } },
      { questionId: "q", row: "coffee", answered: true },
    ],
  };
  const study = await publish(client, contentOf(matrix(), { qualifyWhen }));
  const links = await invite(client, study.screener, 4);
  const outcomes = [];
  for (const [at, answer] of [
    given({ Tea: ["Every day"], Coffee: ["Never"] }),
    given({ Tea: ["Every day"], Milk: ["Every day"], Coffee: ["Never"] }),
    given({ Tea: ["Some days"], Milk: ["Never"] }),
    null,
  ].entries())
    outcomes.push((await send(study, links[at]!, answer)).body.outcomeReason);
  assert.deepEqual(outcomes, [null, "SCREENED_OUT", "SCREENED_OUT", "SCREENED_OUT"]);
  const { sentence } = (await client.get(`/screener-sessions/${links[1]!.session}/explanation`)).body;
  assert.match(
    sentence,
    /the row “Tea” of “How often do you drink it\?” is “Some days” or “Every day” and \(it is not true that the row “Milk” of “How often do you drink it\?” is “Every day”\)/,
  );
  assert.match(sentence, /was answered “Tea: Every day; Coffee: Never; Milk: Every day”/);
  const { chart, answered, skipped } = (await client.get(`/screeners/${study.screener}/results`)).body.questions[0];
  assert.deepEqual([answered, skipped, chart.kind, chart.rows], [3, 1, "MATRIX", []]);
  const counted = chart.matrixRows.map(
    (row: { label: string; answered: number; rows: { label: string; count: number }[] }) => [
      row.label,
      row.answered,
      row.rows.map(({ label, count }) => `${label} ${count}`).join(),
    ],
  );
  assert.deepEqual(counted, [
    ["Tea", 3, "Never 0,Some days 1,Every day 2"],
    ["Coffee", 2, "Never 2,Some days 0,Every day 0"],
    ["Milk", 2, "Never 1,Some days 0,Every day 1"],
  ]);
  const cells = ["q: Tea", "q: Coffee", "q: Milk"];
  for (const choices of ["JOINED", "COLUMNS"]) {
    const table = readCsv((await client.get(`/screeners/${study.screener}/export?choices=${choices}`)).text);
    assert.deepEqual(
      table.map((row) => cells.map((heading) => row[heading])),
      [
        ["Every day", "Never", ""],
        ["Every day", "Never", "Every day"],
        ["Some days", "", "Never"],
        ["", "", ""],
      ],
    );
  }
  const codebook = readCsv((await client.get(`/screeners/${study.screener}/codebook`)).text);
  assert.deepEqual(
    codebook.filter(({ column }) => column === "q: Milk").map(({ question, type, option }) => [question, type, option]),
    COLUMNS.map(({ text }) => ["How often do you drink it? – Milk", "matrix, one option in a row", text]),
  );
  const list = await client.get(`/screener-responses?filter[screenerId][eq]=${study.screener}`, { Accept: "text/csv" });
  assert.ok(
    parseCsv(list.text).some((row) => row.includes("Tea: Some days; Milk: Never")),
    list.text,
  );
  const browser = await signedIn(service, client.workspaceId, "researcher", "matrix@matrix.example.org");
  const page = await browser.get(`/console/studies/${study.screener}/results`);
  assert.match(page.text, /<th scope="row" dir="auto">Coffee<span class="note"> 2 answers<\/span><\/th>/);
});

test("where several columns may be chosen, each has a column of its own in tables if that is wanted", async () => {
  const qualifyWhen = { questionId: "q", row: "tea", chosenAtLeast: 2 };
  const study = await publish(client, contentOf(matrix({ multiple: true, required: true }), { qualifyWhen }));
  const [one, other] = (await invite(client, study.screener, 2)) as [Invitation, Invitation];
  const missing = await send(study, one, { rows: [] });
  assert.deepEqual(messages(missing.body.errors), ["/responses/0/answer is required"]);
  const qualified = await send(study, one, given({ Tea: ["Every day", "Never"], Milk: ["Some days"] }));
  assert.equal(qualified.body.outcomeReason, null, qualified.text);
  assert.equal((await send(study, other, given({ Tea: ["Never"] }))).body.outcomeReason, "SCREENED_OUT");
  const exported = async (choices: string) =>
    readCsv((await client.get(`/screeners/${study.screener}/export?choices=${choices}`)).text);
  assert.deepEqual(
    (await exported("JOINED")).map((row) => [row["q: Tea"], row["q: Coffee"], row["q: Milk"]]),
    [
      ["Never; Every day", "", "Some days"],
      ["Never", "", ""],
    ],
  );
  const columns = ["Tea", "Coffee", "Milk"].flatMap((row) => COLUMNS.map(({ text }) => `q: ${row}: ${text}`));
  assert.deepEqual(
    (await exported("COLUMNS")).map((row) => columns.map((heading) => row[heading]).join("|")),
    ["1|0|1||||0|1|0", "1|0|0||||||"],
  );
});

test("rows and columns keep their answers over versions, in the newest words; what is gone stays in tables and charts", async () => {
  const study = await publish(client, contentOf(matrix()));
  const [first] = (await invite(client, study.screener, 1)) as [Invitation];
  await send(study, first, given({ Tea: ["Never"], Coffee: ["Every day"] }));
  const { body: content } = await client.get(`/screeners/${study.screener}/content`);
  const [question] = content.pages[0].questions;
  question.rows = [{ id: question.rows[0].id, text: "Black tea" }, question.rows[2], { text: "Coffee" }];
  question.columns[0].text = "Not at all";
  await client.call("PUT", `/screeners/${study.screener}/content`, { body: content });
  const browser = await signedIn(service, client.workspaceId, "researcher", "versions@matrix.example.org");
  const { text } = await browser.get(`/console/studies/${study.screener}/publish`);
  for (const change of ["row “Coffee” removed", "row “Tea” is now “Black tea”", "column “Never” is now “Not at all”"])
    assert.ok(text.includes(change), change);
  await client.post("/screener-publications", { screenerId: study.screener });
  const second = (await invite(client, study.screener, 2))[1]!;
  const sent = await send(study, second, given({ "Black tea": ["Not at all"], Milk: ["Every day"] }));
  assert.equal(sent.status, 200, sent.text);
  const { chart } = (await client.get(`/screeners/${study.screener}/results`)).body.questions[0];
  assert.deepEqual(
    chart.matrixRows.map(({ label, isFormer, answered, rows }: Record<string, unknown>) => [
      ...[label, isFormer, answered],
      (rows as { label: string; count: number }[]).map((row) => `${row.label} ${row.count}`).join(),
    ]),
    [
      ["Black tea", false, 2, "Not at all 2,Some days 0,Every day 0"],
      ["Milk", false, 1, "Not at all 0,Some days 0,Every day 1"],
      ["Coffee", false, 0, "Not at all 0,Some days 0,Every day 0"],
      ["Coffee", true, 1, "Not at all 0,Some days 0,Every day 1"],
    ],
  );
  const [head = []] = parseCsv((await client.get(`/screeners/${study.screener}/export`)).text);
  const columns = head.filter((heading) => heading.startsWith("q: "));
  assert.deepEqual(columns.slice(0, 3), ["q: Black tea", "q: Milk", "q: Coffee"]);
  assert.match(columns[3]!, /^q: Coffee \([-0-9a-f]{36}\)$/);
});

test("rows and columns are translated, and inserted into later texts in the person's language; answers stay in the base language", async () => {
  const screener = await client.screener();
  const content = {
    ...{ language: "en", markup: "MARKDOWN" },
    pages: [
      { title: "Drinks", questions: [matrix({ multiple: true })] },
      {
        title: "Then",
        questions: [{ key: "t", _type: "ScreenerTextQuestion", prompt: "You said: {{answer:q|nothing}}. Why?" }],
      },
    ],
  };
  const put = await client.call("PUT", `/screeners/${screener}/content`, { body: content });
  assert.equal(put.status, 200, put.text);
  const german: Record<string, string> = { Tea: "Tee", Coffee: "Kaffee", Never: "Nie", "Every day": "Täglich" };
  const { strings } = (await client.get(`/screeners/${screener}/translations/de`)).body;
  const translated = strings.flatMap(({ id, source }: { id: string; source: string }) =>
    german[source] === undefined ? [] : [{ id, text: german[source] }],
  );
  assert.equal(translated.length, 4);
  const patched = await client.call("PATCH", `/screeners/${screener}/translations/de`, {
    body: { strings: translated },
  });
  assert.equal(patched.status, 200, patched.text);
  const published = await client.post("/screener-publications", { screenerId: screener });
  assert.equal(published.status, 201, published.text);
  const [{ questions, id: page }] = put.body.pages;
  const [{ id, rows, columns }] = questions;
  const [link] = (await invite(client, screener, 1)) as [Invitation];
  const visitor = new Visitor(service.url);
  const { text } = await visitor.open(`${link.path}?lang=de`);
  assert.match(text, /<legend><span[^>]*>Tee<\/span><\/legend>/);
  const form = new URLSearchParams({ page, question: id });
  for (const column of [columns[0], columns[2]]) form.append(`row-${rows[0].id}-${column.id}-${id}`, column.id);
  form.append(`row-${rows[2].id}-${columns[0].id}-${id}`, columns[0].id);
  const sent = await visitor.post(`${link.path}?lang=de`, form.toString());
  assert.equal(sent.status, 303, sent.text);
  const next = await visitor.open(String(sent.headers.location));
  assert.match(next.text, /You said: <bdi>Tee: Nie, Täglich; Milk: Nie<\/bdi>\. Why\?/);
  const { body } = await client.get(`/screener-responses?filter[screenerSessionId][eq]=${link.session}`);
  assert.deepEqual(
    body.items[0].answer.rows.map((row: { text: string; choices: { text: string }[] }) => [
      row.text,
      row.choices.map((one) => one.text),
    ]),
    [
      ["Tea", ["Never", "Every day"]],
      ["Milk", ["Never"]],
    ],
  );
});
