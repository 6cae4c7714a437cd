// GET /screeners/{id}/answers, and the filters that it shares with exports, results and mailings.

import assert from "node:assert/strict";
import { test } from "node:test";
import readXlsx from "read-excel-file/node";
import type { Client } from "../support/client.ts";
import { parseCsv, readCsv } from "../support/csv.ts";
import { startRelay } from "../support/mail-relay.ts";
import { startService } from "../support/service.ts";
import { type Invitation, invite, type Published, publish } from "../support/study.ts";

const relay = await startRelay();
const service = await startService({ config: { mail: relay.config({}) } });

const content = {
  pages: [
    {
      title: "One",
      questions: [
        { key: "age", _type: "ScreenerNumericQuestion", prompt: "How old are you?", required: true },
        {
          key: "drink",
          _type: "ScreenerSingleSelectQuestion",
          prompt: "What do you drink?",
          options: [{ text: "Tea" }, { text: "Coffee" }, { text: "7" }],
          allowsWriteIn: true,
        },
        {
          key: "sports",
          _type: "ScreenerMultiSelectQuestion",
          prompt: "Which sports?",
          options: [{ text: "Chess, in clubs" }, { text: "Golf" }, { text: "Judo" }],
        },
        { key: "why", _type: "ScreenerTextQuestion", prompt: "Why?", multiline: true },
        { key: "born", _type: "ScreenerDateQuestion", prompt: "When were you born?", precision: "DAY" },
        {
          key: "habits",
          _type: "ScreenerMatrixQuestion",
          prompt: "How often?",
          rows: [{ text: "At home" }, { text: "At work" }],
          columns: [{ text: "Daily" }, { text: "Rarely" }],
        },
      ],
    },
  ],
};

interface Given {
  age: number;
  drink?: string;
  sports?: string[];
  why?: string;
  born?: string;
  home?: string;
}

const PEOPLE: Given[] = [
  { age: 20, drink: "Tea", sports: ["Golf", "Judo"], why: "Straße im Regen", born: "2000-05-10", home: "Daily" },
  { age: 30, drink: "Coffee", sports: ["Chess, in clubs"], why: "No reason", born: "1990-01-02", home: "Rarely" },
  { age: 40, drink: "7", why: "REGEN again" },
  { age: 50 },
];

async function answer(client: Client, { question }: Published, { session }: Invitation, given: Given): Promise<void> {
  const { age, drink, sports, why, born, home } = given;
  const choices = (texts: string[]) => texts.map((text) => ({ text, isWriteIn: false }));
  const answers: Record<string, unknown> = {
    age,
    ...(drink && { drink: choices([drink]) }),
    ...(sports && { sports: choices(sports) }),
    ...(why && { why }),
    ...(born && { born }),
    ...(home && { habits: { rows: [{ text: "At home", choices: [{ text: home }] }] } }),
  };
  const responses = Object.entries(answers).map(([key, answer]) => ({ screenerQuestionId: question[key], answer }));
  const { status, text } = await client.post(`/screener-sessions/${session}/responses`, { responses, complete: true });
  assert.equal(status, 200, text);
}

async function answered() {
  const client = service.workspace();
  const study = await publish(client, content);
  const links = await invite(client, study.screener, PEOPLE.length + 1);
  for (const [index, given] of PEOPLE.entries()) await answer(client, study, links[index]!, given);
  return { client, study, links };
}

const shared = await answered();

/** The ages of the sessions that are found, from the oldest to the newest. */
async function agesBy(filter: string, { client, study } = shared): Promise<number[]> {
  const { status, body, text } = await client.get(
    `/screeners/${study.screener}/answers?columns=answers.age&sort=startedAt${filter && `&${filter}`}`,
  );
  assert.equal(status, 200, text);
  const ages = body.items.map(({ values }: { values: Record<string, number> }) => values["answers.age"]);
  assert.equal(body.total, ages.length);
  return ages;
}

/** Plans a mailing to those whom the filters of a query let through. */
function planBy(filter: string) {
  const { client, study } = shared;
  const sent: Record<string, Record<string, string | string[]>> = {};
  for (const [name, value] of new URLSearchParams(filter)) {
    const [, field = "", operator = ""] = /^filter\[(.+)\]\[(\w+)\](?:\[\])?$/.exec(name) ?? [];
    sent[field] ??= {};
    const of = sent[field];
    const known = (of[operator] ?? []) as string[];
    of[operator] = /^n?in$/.test(operator) ? [...known, ...(value ? [value] : [])] : value;
  }
  const words = { kind: "MESSAGE", name: "News", subject: "News", body: "We are done." };
  return client.post("/mailings", { screenerId: study.screener, ...words, to: { filter: sent }, dryRun: true });
}

/** The ages of those to whom it would go. */
async function mailedBy(filter: string): Promise<number[]> {
  const { client, links } = shared;
  const { status, body, text } = await planBy(filter);
  assert.equal(status, 200, text);
  const rows = (await client.all(`/jobs/${body.id}/rows`)) as unknown as { screenerParticipantId: string }[];
  const ageOf = new Map(links.map(({ assignment }, index) => [assignment, PEOPLE[index]?.age]));
  return rows.map(({ screenerParticipantId }) => ageOf.get(screenerParticipantId)!);
}

test("the table has a row for each session that has started, the newest first, with the columns that were asked for", async () => {
  const { client, study, links } = shared;
  const { body } = await client.get(
    `/screeners/${study.screener}/answers?columns=participant.externalUid,answers.drink,session.state&pagination[limit]=3`,
  );
  assert.deepEqual([body.total, body.limit, body.offset], [4, 3, 0]);
  assert.deepEqual(body.columns, [
    { column: "participant.externalUid", label: "Id", questionType: null },
    { column: "answers.drink", label: "What do you drink?", questionType: "ScreenerSingleSelectQuestion" },
    { column: "session.state", label: "State", questionType: null },
  ]);
  assert.deepEqual(
    body.items.map(({ screenerSessionId }: { screenerSessionId: string }) => screenerSessionId),
    [3, 2, 1].map((index) => links[index]!.session),
  );
  assert.deepEqual(body.items[2].values["answers.drink"], [
    { optionId: study.option["drink/Coffee"], text: "Coffee", isWriteIn: false },
  ]);
  assert.deepEqual(body.items[0].values, {
    "participant.externalUid": `${study.screener.slice(-8)}-3`,
    // Skipped.
    "answers.drink": null,
    "session.state": "COMPLETED",
  });
  const second = await client.get(`/screeners/${study.screener}/answers?pagination[limit]=3&pagination[offset]=3`);
  assert.deepEqual(second.body.items.map(({ values }: { values: object }) => values)[0]["answers.age"], 20);
});

const home = `habits.${"{row}"}`;

for (const [filter, ages] of [
  ["", [20, 30, 40, 50]],
  ["filter[answers.age][eq]=30", [30]],
  ["filter[answers.age][in][]=30&filter[answers.age][in][]=50", [30, 50]],
  ["filter[answers.age][in]=", []],
  ["filter[answers.age][nin]=", [20, 30, 40, 50]],
  ["filter[answers.age][gte]=30&filter[answers.age][lt]=50", [30, 40]],
  ["filter[answers.age][gt]=30", [40, 50]],
  ["filter[answers.age][lte]=20", [20]],
  ["filter[answers.drink][eq]=Tea", [20]],
  ["filter[answers.drink][eq]=7", [40]],
  ["filter[answers.drink][ne]=Tea", [30, 40, 50]],
  ["filter[answers.drink][nin][]=Tea&filter[answers.drink][nin][]=Coffee", [40, 50]],
  ["filter[answers.drink][answered]=true", [20, 30, 40]],
  ["filter[answers.drink][answered]=false", [50]],
  ["filter[answers.sports][contains]=Golf", [20]],
  ["filter[answers.sports][contains]=Chess, in clubs", [30]],
  ["filter[answers.sports][notContains]=Golf", [30, 40, 50]],
  ["filter[answers.sports][chosenAtLeast]=2", [20]],
  ["filter[answers.why][contains]=regen", [20, 40]],
  ["filter[answers.why][contains]=regen&filter[answers.drink][ne]=Tea", [40]],
  ["filter[answers.why][matches]=strasse", [20]],
  ["filter[answers.why][matches]=regen stra", [20]],
  ["filter[answers.why][matches]=Régen", [20, 40]],
  ["filter[answers.why][matches]=regen no", []],
  ["filter[answers.born][before]=1995-01-01", [30]],
  ["filter[answers.born][ageAtLeast]=18", [20, 30]],
  [`filter[answers.${home}][eq]=Daily`, [20]],
  [`filter[answers.${home}][ne]=Daily`, [30, 40, 50]],
  ["filter[version][eq]=1", [20, 30, 40, 50]],
  ["filter[version][ne]=1", []],
  ["filter[version][eq]=2", []],
  ["filter[language][eq]=en", []],
  ["filter[outcome][eq]=UNKNOWN", [20, 30, 40, 50]],
  ["filter[startedAt][lt]=2020-01-01T00:00:00Z", []],
  ["filter[startedAt][gte]=2020-01-01T00:00:00Z", [20, 30, 40, 50]],
] as const)
  test(`the table is filtered by ${filter || "nothing"}, and so are the export and mailings`, async () => {
    const { client, study } = shared;
    const { body } = await client.get(`/screeners/${study.screener}/content`);
    const row = body.pages[0].questions[5].rows[0].id;
    const query = filter.replace("{row}", row);
    assert.deepEqual(await agesBy(query), ages);
    const { text, status } = await client.get(`/screeners/${study.screener}/export?${query}`);
    assert.equal(status, 200, text);
    assert.deepEqual(
      readCsv(text).map(({ age }) => Number(age)),
      ages,
    );
    if (filter) assert.deepEqual(await mailedBy(query), ages);
  });

test("results count the sessions that filters let through, and say what is wrong with a filter", async () => {
  const { client, study } = shared;
  const path = `/screeners/${study.screener}/results`;
  const { body } = await client.get(`${path}?filter[answers.drink][nin][]=Tea&filter[answers.age][lt]=50`);
  assert.deepEqual([body.sessions, body.startedSessions, body.countedSessions], [2, 2, 2]);
  assert.equal(body.funnel.started, 4);
  const [age, drink] = body.questions;
  assert.deepEqual([age.answered, age.chart.statistics.min, age.chart.statistics.max], [2, 30, 40]);
  assert.deepEqual(
    drink.chart.rows.map(({ label, count }: { label: string; count: number }) => [label, count]),
    [
      ["Tea", 0],
      ["Coffee", 1],
      ["7", 1],
      ["Something else", 0],
    ],
  );
  assert.deepEqual(
    body.days.map(({ started, completed }: Record<string, number>) => [started, completed]),
    [[2, 2]],
  );
  const split = await client.get(`${path}?filter[outcome][eq]=QUALIFIED&splitBy=${study.question.drink}`);
  assert.deepEqual([split.body.sessions, split.body.groups], [0, []]);
  for (const query of ["filter[answers.x][eq]=1", "filter[answers.age][eq]=x", "pagination[limit]=1", "sort=startedAt"])
    assert.equal((await client.get(`${path}?${query}`)).status, 400, query);
});

test("a filter that fits no question, or not its type, says so at its parameter", async () => {
  const { client, study } = shared;
  const filters = [
    "filter[answers.ages][eq]=1",
    "filter[answers.age][matches]=1",
    "filter[answers.why][matches]=-",
    "filter[answers.drink][eq]=Milk",
    "filter[answers.age][contains]=1",
    "filter[answers.why][lt]=1",
    "filter[answers.age][ageBelow]=1",
    "filter[answers.age][eq]=old",
    "filter[answers.age][answered]=yes",
    "filter[attributes.town][lt]=x",
    "filter[answers.habits.x][eq]=Daily",
  ];
  for (const path of ["answers", "export"]) {
    const { status, body } = await client.get(`/screeners/${study.screener}/${path}?${filters.join("&")}`);
    assert.equal(status, 400);
    assert.deepEqual(
      body.errors.map(({ pointer }: { pointer: string }) => pointer).sort(),
      filters.map((filter) => filter.replace(/=.*/, "")).sort(),
    );
  }
  const mailing = await planBy(filters.join("&"));
  assert.equal(mailing.status, 400);
  assert.deepEqual(
    mailing.body.errors.map(({ pointer }: { pointer: string }) => pointer).sort(),
    filters.map((filter) => filter.replace(/^filter\[(.+)\]\[(\w+)\]=.*/, "/to/filter/$1/$2")).sort(),
  );
  const bad = await client.get(`/screeners/${study.screener}/answers?columns=answers.age,answers.ages`);
  assert.deepEqual(bad.body.errors, [
    {
      pointer: "columns",
      message: '"answers.ages" is no column of this study; columns are named like session.startedAt, or answers.age',
    },
  ]);
  for (const query of ["columns=", "columns=a,,b", "filter[answers.age]=1", "filter[answers.age][like]=1", "sort=age"])
    assert.equal((await client.get(`/screeners/${study.screener}/answers?${query}`)).status, 400, query);
});

test("CSV, NDJSON and Excel have the whole table, with the columns that were chosen", async () => {
  const { client, study, links } = shared;
  const path = `/screeners/${study.screener}/answers?columns=answers.age,"answers.sports",session.id&filter[answers.why][contains]=r`;
  const expected = [
    ["40", "", links[2]!.session],
    ["30", "Chess, in clubs", links[1]!.session],
    ["20", "Golf; Judo", links[0]!.session],
  ];
  const csv = await client.get(path, { Accept: "text/csv" });
  assert.deepEqual(parseCsv(csv.text), [["answers.age", "answers.sports", "session.id"], ...expected]);
  const ndjson = await client.get(path, { Accept: "application/x-ndjson" });
  const items = ndjson.text
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));
  assert.deepEqual(items, (await client.get(path)).body.items);
  const xlsx = await client.get(path, {
    Accept: "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
  });
  const [{ data }] = (await readXlsx(xlsx.bytes)) as unknown as [{ data: unknown[][] }];
  assert.deepEqual(
    data.slice(1).map((row) => row.map((cell) => (cell === null ? "" : String(cell)))),
    expected,
  );
});
