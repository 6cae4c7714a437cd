// Types of questions from the draft to the table: what each of them takes, and what answers to it become everywhere.

import assert from "node:assert/strict";
import { test } from "node:test";
import { parseCsv } from "../support/csv.ts";
import { startService } from "../support/service.ts";
import { type Invitation, invite, type Published, publish } from "../support/study.ts";

const service = await startService();
const client = service.workspace();

/** A study whose questions have the keys `q0`, `q1`, … */
const contentOf = (type: string, questions: object[], more: object = {}) => ({
  pages: [
    {
      title: "All",
      ...more,
      questions: questions.map((question, index) => ({
        ...{ id: `q${index}`, key: `q${index}`, _type: type, prompt: `Question ${index}?` },
        ...question,
      })),
    },
  ],
});

/** What is wrong with a draft: messages by pointers from the first page's questions on. */
async function faultsOf(content: object): Promise<Record<string, string>> {
  const screener = await client.screener();
  const { status, body } = await client.call("PUT", `/screeners/${screener}/content`, { body: content });
  if (status === 200) return {};
  assert.deepEqual([status, body.code], [400, "invalid_request"]);
  return Object.fromEntries(
    body.errors.map(({ pointer, message }: { pointer: string; message: string }) => [
      pointer.replace("/pages/0/questions/", ""),
      message,
    ]),
  );
}

/** The members of a draft's questions that are of their type alone, as they are kept. */
async function keptOf(content: object): Promise<object[]> {
  const screener = await client.screener();
  const { status, body, text } = await client.call("PUT", `/screeners/${screener}/content`, { body: content });
  assert.equal(status, 200, text);
  const common = ["id", "key", "prompt", "helpText", "required", "showWhen"];
  return body.pages[0].questions.map((question: object) =>
    Object.fromEntries(Object.entries(question).filter(([member]) => !common.includes(member))),
  );
}

/** Sends answers by keys, and ends the session. @returns the reply */
async function answer(study: Published, link: Invitation, given: Record<string, unknown>) {
  const responses = Object.entries(given).map(([key, answer]) => ({
    screenerQuestionId: study.question[key],
    answer,
  }));
  const { status, body, text } = await client.post(`/screener-sessions/${link.session}/responses`, {
    responses,
    complete: true,
  });
  assert.equal(status, 200, text);
  return body;
}

const explanationOf = async ({ session }: Invitation) =>
  (await client.get(`/screener-sessions/${session}/explanation`)).body;

/** The rows of the export, by headings, without what is of the session. */
async function tableOf({ screener, question }: Published): Promise<Record<string, string>[]> {
  const [head = [], ...rows] = parseCsv((await client.get(`/screeners/${screener}/export`)).text);
  return rows.map((row) => Object.fromEntries(Object.keys(question).map((key) => [key, row[head.indexOf(key)] ?? ""])));
}

/** What the codebook says of the cells of a question. */
async function codebookOf({ screener }: Published, key: string): Promise<string | undefined> {
  const rows = parseCsv((await client.get(`/screeners/${screener}/codebook`)).text);
  return rows.find(([column]) => column === key)?.[2];
}

const scale = "ScreenerScaleQuestion";

test("a scale has the steps that its look allows", async () => {
  assert.deepEqual(
    await keptOf(contentOf(scale, [{}, { look: "STARS", to: 3, lowLabel: "  " }, { look: "NPS" }, { from: 7 }])),
    [
      { _type: scale, look: "NUMBERS", from: 1, to: 5, lowLabel: null, highLabel: null },
      { _type: scale, look: "STARS", from: 1, to: 3, lowLabel: null, highLabel: null },
      { _type: scale, look: "NPS", from: 0, to: 10, lowLabel: null, highLabel: null },
      { _type: scale, look: "NUMBERS", from: 7, to: 8, lowLabel: null, highLabel: null },
    ],
  );
  const content = contentOf(scale, [
    { from: -1, to: 11, lowLabel: "x".repeat(101), look: "SMILEYS" },
    { from: 5, to: 5 },
    { look: "NPS", from: 1, to: 9 },
    { look: "STARS", from: 0, to: 5 },
    { from: 1.5, steps: 5 },
  ]);
  assert.deepEqual(
    await faultsOf({
      ...content,
      qualifyWhen: {
        any: [
          { questionId: "q1", contains: 1 },
          { questionId: "q1", atLeast: "3" },
        ],
      },
    }),
    {
      "0/from": "must be at least 0",
      "0/to": "must be at most 10",
      "0/lowLabel": "must be at most 100 characters",
      "0/look": "must be NUMBERS, STARS or NPS",
      "1/to": "must be greater than from",
      "2/from": "must be 0, because look is NPS",
      "2/to": "must be 10, because look is NPS",
      "3/from": "must be 1, because look is STARS",
      "4/from": "must be a whole number",
      "4/steps": "is not known",
      "/qualifyWhen/any/0/contains": "does not go with a question that is answered with a number",
      "/qualifyWhen/any/1/atLeast": "must be a number",
    },
  );
});

test("the steps that people choose are judged, charted and exported as numbers", async () => {
  const study = await publish(
    client,
    contentOf(scale, [{ look: "NPS", highLabel: "At once" }, { look: "STARS" }], {
      disqualifyWhen: { questionId: "q0", lessThan: 7 },
    }),
  );
  const links = await invite(client, study.screener, 4);
  const outcomes = [];
  for (const [at, [q0, q1]] of [
    [0, 5],
    [10, 4],
    [9, null],
    [10, 2],
  ].entries())
    outcomes.push((await answer(study, links[at]!, { q0, q1 })).outcomeReason);
  assert.deepEqual(outcomes, ["SCREENED_OUT", null, null, null]);
  const { sentence } = await explanationOf(links[0]!);
  assert.match(sentence, /“Question 0\?” is less than 7\. “Question 0\?” was answered 0\./);
  const { body } = await client.get(`/screener-responses?filter[screenerSessionId][eq]=${links[1]!.session}`);
  assert.deepEqual(
    body.items.map((item: Record<string, unknown>) => [item._type, item.questionType, item.answer]),
    [
      ["ScreenerScaleResponse", scale, 10],
      ["ScreenerScaleResponse", scale, 4],
    ],
  );
  const { questions } = (await client.get(`/screeners/${study.screener}/results`)).body;
  const charts = questions.map(({ chart }: { chart: { kind: string; rows: object[]; statistics: object } }) => chart);
  assert.deepEqual(
    charts[0].rows.map(({ label, from, to, count }: Record<string, unknown>) => [label, from, to, count]),
    [
      ["0", 0, 1, 1],
      ...[1, 2, 3, 4, 5, 6, 7, 8].map((step) => [String(step), step, step + 1, 0]),
      ["9", 9, 10, 1],
      ["10 (At once)", 10, 11, 2],
    ],
  );
  assert.deepEqual([charts[0].kind, charts[0].statistics], ["HISTOGRAM", { min: 0, max: 10, mean: 7.25, median: 9.5 }]);
  assert.deepEqual(charts[1].statistics, { min: 2, max: 5, mean: 11 / 3, median: 4 });
  assert.deepEqual(await tableOf(study), [
    { q0: "0", q1: "5" },
    { q0: "10", q1: "4" },
    { q0: "9", q1: "" },
    { q0: "10", q1: "2" },
  ]);
  assert.equal(await codebookOf(study, "q0"), "scale from 0 to 10; 10: At once");
});
