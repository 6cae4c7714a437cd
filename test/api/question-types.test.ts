// Types of questions from the draft to the table: what each of them takes, and what answers to it become everywhere.

import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { test } from "node:test";
import { signedIn } from "../support/console.ts";
import { parseCsv } from "../support/csv.ts";
import { sharedService } from "../support/service.ts";
import { writeTo } from "../support/store.ts";
import { type Invitation, invite, type Published, publish } from "../support/study.ts";
import { until } from "../support/until.ts";
import { Visitor } from "../support/visitor.ts";

const service = await sharedService();
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

test("a single select is a list or a menu, and older content stays as it is", async () => {
  const options = [{ text: "Tea" }, { text: "Coffee" }];
  const selects = (...more: object[]) =>
    contentOf(
      "ScreenerSingleSelectQuestion",
      more.map((one) => ({ options, ...one })),
    );
  const kept = (await keptOf(selects({}, { display: null }, { display: "LIST" }, { display: "MENU" }))) as {
    display?: string;
  }[];
  assert.deepEqual(
    kept.map(({ display }) => display),
    [undefined, undefined, "LIST", "MENU"],
  );
  assert.deepEqual(await faultsOf(selects({ display: "WHEEL" }, { display: 1 })), {
    "0/display": "must be LIST or MENU",
    "1/display": "must be LIST or MENU",
  });
  assert.deepEqual(await faultsOf(contentOf("ScreenerMultiSelectQuestion", [{ options, display: "MENU" }])), {
    "0/display": "is not known",
  });
});

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
      "/qualifyWhen/any/1/atLeast": "must be a number, because the answers are numbers",
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

const date = "ScreenerDateQuestion";

test("a question for a date has limits of its precision, or so far from today", async () => {
  const limits = [
    {},
    { precision: "MONTH", min: "1900-01", max: "2020-12" },
    { precision: "YEAR", min: { today: "-P100Y" }, max: { today: "P0D" } },
    { min: "1990-01-01", max: { today: "-P18Y" } },
  ];
  assert.deepEqual(
    await keptOf(contentOf(date, limits)),
    limits.map((limit) => ({ _type: date, precision: "DAY", min: null, max: null, ...limit })),
  );
  const content = contentOf(date, [
    { precision: "WEEK", min: "1990-1-1", max: 1990 },
    { min: "1990-02-30", max: "1990-02" },
    { min: "2020-01-02", max: "2020-01-01" },
    { min: { today: "-P18Y" }, max: { today: "-P19Y" } },
    { min: { today: "18 years" }, max: { today: "-P201Y" } },
    { min: { today: "P0D", in: "UTC" }, max: { yesterday: "P0D" } },
    { precision: "YEAR", min: "1990" },
  ]);
  const any = [
    { questionId: "q6", before: "1990-13" },
    { questionId: "q6", after: { today: "soon" } },
    { questionId: "q6", ageAtLeast: 17.5 },
    { questionId: "q6", ageBelow: "18" },
    { questionId: "q6", equals: "1990-02" },
    { questionId: "q6", atLeast: 18 },
    { questionId: "q6", contains: "19" },
    { questionId: "q6", before: "1990", after: "1980" },
    { questionId: "q6", onOrBefore: "1990-02-28" },
  ];
  const date1 = 'must be a date such as 1990-02-28, 1990-02 or 1990, or { "today": "-P18Y" }';
  const duration = "must be a duration such as -P18Y, -P6M or P2W1D, of at most 200 years";
  const faults = await faultsOf({ ...content, qualifyWhen: { any } });
  const { "/qualifyWhen/any/7": several, ...others } = faults;
  assert.match(several!, /^must have exactly one of the operators answered, .*before, after, .*ageBelow/);
  assert.deepEqual(others, {
    "0/precision": "must be DAY, MONTH or YEAR",
    "0/min": date1,
    "0/max": 'must be a date such as 1990-02-28, or { "today": "-P18Y" }',
    "1/min": date1,
    "1/max": "must be a day such as 1990-02-28",
    "2/max": "must not be before min",
    "3/max": "must not be before min",
    "4/min/today": duration,
    "4/max/today": duration,
    "5/min": "must have today, and nothing else",
    "5/max": "must have today, and nothing else",
    "/qualifyWhen/any/0/before": date1,
    "/qualifyWhen/any/1/after": duration,
    "/qualifyWhen/any/2/ageAtLeast": "must be a whole number of years, from 0 to 150",
    "/qualifyWhen/any/3/ageBelow": "must be a whole number of years, from 0 to 150",
    "/qualifyWhen/any/4/equals": "must be a year such as 1990",
    "/qualifyWhen/any/5/atLeast":
      "does not go with a date; use before, after, onOrBefore, onOrAfter, ageAtLeast or ageBelow",
    "/qualifyWhen/any/6/contains": "does not go with a date",
  });
  const other = contentOf("ScreenerTextQuestion", [{}]);
  assert.deepEqual(await faultsOf({ ...other, qualifyWhen: { questionId: "q0", ageAtLeast: 18 } }), {
    "/qualifyWhen/ageAtLeast": "goes only with date questions",
  });
});

test("dates are checked, judged, charted and exported", async () => {
  const study = await publish(
    client,
    contentOf(
      date,
      [{ min: "1900-01-01", max: { today: "-P1D" } }, { precision: "MONTH", max: "2020-06" }, { precision: "YEAR" }],
      {
        disqualifyWhen: {
          any: [
            { questionId: "q0", onOrAfter: "2005-03-01" },
            { questionId: "q1", before: "1990" },
          ],
        },
      },
    ),
  );
  const links = await invite(client, study.screener, 4);
  const send = (given: Record<string, unknown>) =>
    client.post(`/screener-sessions/${links[0]!.session}/responses`, {
      responses: Object.entries(given).map(([key, answer]) => ({ screenerQuestionId: study.question[key], answer })),
    });
  const messages = async (...given: unknown[]) => {
    const { status, body } = await send(Object.fromEntries(given.map((one, index) => [`q${index}`, one])));
    assert.equal(status, 400);
    return body.errors.map(({ message }: { message: string }) => message);
  };
  assert.deepEqual(await messages("1990-02-30", "2020-07", "90"), [
    "is no day of the calendar: 1990-02 has 28 days",
    "must not be after 2020-06",
    "must be a string with a year such as 1990",
  ]);
  assert.deepEqual(await messages("1899-12-31", "1990-13", 1990), [
    "must not be before 1900-01-01",
    "must be a string with a month such as 1990-02",
    "must be a string with a year such as 1990",
  ]);
  const [[late = ""] = []] = [await messages("2999-01-01")];
  assert.match(late, /^must not be after 20\d\d-\d\d-\d\d$/);
  const outcomes = [];
  const given = [
    ["2005-02-28", "1990-01", "1960"],
    ["2005-03-01", "1990-01", "1961"],
    ["1980-12-31", "1989-12", "2000"],
    [" 1980-12-31 ", "", null],
  ];
  for (const [at, [q0, q1, q2]] of given.entries())
    outcomes.push((await answer(study, links[at]!, { q0, q1, q2 })).outcomeReason);
  assert.deepEqual(outcomes, [null, "SCREENED_OUT", "SCREENED_OUT", null]);
  const { sentence } = await explanationOf(links[1]!);
  assert.match(
    sentence,
    /“Question 0\?” is on or after 1 March 2005 or “Question 1\?” is before 1990\. “Question 0\?” was answered “2005-03-01”/,
  );
  const { questions } = (await client.get(`/screeners/${study.screener}/results`)).body;
  const rows = questions[0].chart.rows.filter(({ count }: { count: number }) => count > 0);
  assert.deepEqual(
    rows.map(({ label, count }: Record<string, unknown>) => [label, count]),
    [
      ["1980 to 1981", 2],
      ["2004 to 2005", 2],
    ],
  );
  assert.deepEqual([questions[0].chart.kind, questions[0].chart.statistics], ["HISTOGRAM", null]);
  assert.deepEqual(await tableOf(study), [
    { q0: "2005-02-28", q1: "1990-01", q2: "1960" },
    { q0: "2005-03-01", q1: "1990-01", q2: "1961" },
    { q0: "1980-12-31", q1: "1989-12", q2: "2000" },
    { q0: "1980-12-31", q1: "", q2: "" },
  ]);
  assert.equal(await codebookOf(study, "q1"), "date (YYYY-MM)");
});

test("ages are those of the day on which a session was started, in the time zone of the study", async () => {
  const content = contentOf(date, [{ required: true }, { required: true, max: { today: "P0D" } }]);
  const qualifyWhen = { questionId: "q0", ageAtLeast: 18 };
  /** The day on which a session was started, in a time zone, and the day 18 years before. */
  const daysOf = async (session: string, timeZone: string) => {
    const { startedAt } = (await client.get(`/screener-sessions/${session}`)).body;
    const today = new Intl.DateTimeFormat("sv-SE", { timeZone, dateStyle: "short" }).format(new Date(startedAt));
    return { today, birthday: `${Number(today.slice(0, 4)) - 18}${today.slice(4).replace("02-29", "02-28")}` };
  };
  // Between these two there are 25 hours, so it is never the same day in both.
  for (const timeZone of ["Pacific/Kiritimati", "Pacific/Niue"]) {
    const study = await publish(client, { ...content, qualifyWhen });
    assert.equal((await client.patch(`/screeners/${study.screener}`, { timeZone })).status, 200);
    const [old, young] = await invite(client, study.screener, 2);
    const send = ({ session }: Invitation, given: Record<string, unknown>, complete = false) =>
      client.post(`/screener-sessions/${session}/responses`, {
        responses: Object.entries(given).map(([key, answer]) => ({ screenerQuestionId: study.question[key], answer })),
        complete,
      });
    for (const link of [old!, young!]) assert.equal((await send(link, { q0: "2000-01-01" })).status, 200);
    const { today, birthday } = await daysOf(old!.session, timeZone);
    // A session of yesterday goes on with the day of yesterday: nothing changes at midnight.
    writeTo(service.context.workspaces, client.workspaceId, (db) =>
      db.run(
        "UPDATE screener_session SET started_at = strftime('%Y-%m-%dT%H:%M:%fZ', started_at, '-1 day') WHERE uid = ?",
        young!.session,
      ),
    );
    assert.equal((await send(old!, { q0: birthday, q1: today }, true)).status, 200);
    const late = await send(young!, { q0: birthday, q1: today }, true);
    const { today: yesterday } = await daysOf(young!.session, timeZone);
    assert.deepEqual(late.body.errors, [{ pointer: "/responses/1/answer", message: `must not be after ${yesterday}` }]);
    assert.equal((await send(young!, { q0: birthday, q1: yesterday }, true)).status, 200);
    const reasons = await Promise.all(
      [old!, young!].map(async ({ session }) => (await client.get(`/screener-sessions/${session}`)).body.outcomeReason),
    );
    const forecast = await client.post(`/screeners/${study.screener}/quota-forecast`, {
      quotas: [{ name: "Adults", when: { questionId: study.question.q0, ageAtLeast: 18 }, limit: 10 }],
    });
    const { screenedOut, quotas } = forecast.body;
    if (!today.endsWith("02-29")) assert.deepEqual([screenedOut, quotas[0].taken], [1, 1]);
    // Born 18 years before the day of the one, and 18 years less a day before that of the other; but for 29 February.
    if (!today.endsWith("02-29")) assert.deepEqual(reasons, [null, "SCREENED_OUT"], timeZone);
  }
});

const ranking = "ScreenerRankingQuestion";
const fruits = [
  { id: "apple", text: "Apple" },
  { id: "pear", text: "Pear" },
  { id: "plum", text: "Plum" },
];

test("a ranking has options, and bounds for how many are ranked", async () => {
  const content = contentOf(ranking, [
    { options: fruits, allowsWriteIn: true },
    { options: [] },
    { options: fruits, rankAtLeast: 4 },
    { options: fruits, rankAtLeast: 3, rankAtMost: 2 },
    { options: Array.from({ length: 51 }, (_, index) => ({ text: String(index) })) },
    { options: [...fruits, { id: "kiwi", text: "Pear" }] },
  ]);
  const any = [
    { questionId: "q5", first: "cherry" },
    { questionId: "q5", first: 1 },
    { questionId: "q5", rankedAtMost: 2 },
    { questionId: "q5", rankedAtMost: { optionId: "cherry", rank: 2 } },
    { questionId: "q5", rankedAtMost: { optionId: "pear", rank: 0 } },
    { questionId: "q5", rankedAtMost: { optionId: "pear", rank: 1, at: 1 } },
    { questionId: "q5", equals: "pear" },
    { questionId: "q5", atMost: 2 },
    { questionId: "q5", contains: "pear" },
  ];
  assert.deepEqual(await faultsOf({ ...content, qualifyWhen: { any } }), {
    "0/allowsWriteIn": "is not known",
    "1/options": "must have at least one option",
    "2/rankAtLeast": "must be at most 3, the number of options",
    "3/rankAtMost": "must not be less than rankAtLeast",
    "4/options": "must have at most 50 items",
    "5/options/3/text": "is the same as another option's",
    "/qualifyWhen/any/0/first": "is not an option of the question",
    "/qualifyWhen/any/1/first": "must be a string",
    "/qualifyWhen/any/2/rankedAtMost": 'must be an object such as { "optionId": …, "rank": 3 }',
    "/qualifyWhen/any/3/rankedAtMost": "has an optionId that is not an option of the question",
    "/qualifyWhen/any/4/rankedAtMost": "must have a rank from 1 to 50",
    "/qualifyWhen/any/5/rankedAtMost": "must have optionId and rank, and nothing else",
    "/qualifyWhen/any/6/equals": "does not go with a ranking; use first",
    "/qualifyWhen/any/7/atMost": "goes only with questions that are answered with a number",
  });
});

test("a ranking is kept in its order, judged, charted and exported", async () => {
  const rule = {
    all: [
      { not: { questionId: "q0", first: "plum" } },
      { questionId: "q0", rankedAtMost: { optionId: "pear", rank: 2 } },
      { questionId: "q0", contains: "apple" },
    ],
  };
  const content = contentOf(ranking, [{ options: fruits, rankAtLeast: 2 }]);
  const study = await publish(client, { ...content, qualifyWhen: rule });
  const links = await invite(client, study.screener, 4);
  const ids = Object.fromEntries(fruits.map(({ text }) => [text, study.option[`q0/${text}`]!]));
  const order = (...texts: string[]) => texts.map((text) => ({ text }));
  const refused = async (given: unknown) => {
    const { status, body } = await client.post(`/screener-sessions/${links[0]!.session}/responses`, {
      responses: [{ screenerQuestionId: study.question.q0, answer: given }],
    });
    assert.equal(status, 400);
    return body.errors[0].message;
  };
  assert.equal(await refused(order("Pear")), "must have at least 2 options");
  assert.equal(await refused(order("Pear", "Pear")), "has an option twice");
  assert.equal(await refused(order("Pear", "Kiwi")), "is not an option of this question");
  assert.equal(await refused([{ text: "Kiwi", isWriteIn: true }]), "does not allow a write-in");
  assert.equal(await refused("Pear"), "must be an array of options");
  const outcomes = [];
  for (const [at, given] of [
    order("Pear", "Apple"),
    [{ optionId: ids.Plum }, { optionId: ids.Pear }, { optionId: ids.Apple }],
    order("Apple", "Plum", "Pear"),
    order("Apple", "Pear", "Plum"),
  ].entries())
    outcomes.push((await answer(study, links[at]!, { q0: given })).outcomeReason);
  assert.deepEqual(outcomes, [null, "SCREENED_OUT", "SCREENED_OUT", null]);
  const { sentence } = await explanationOf(links[1]!);
  assert.match(
    sentence,
    /\(it is not true that “Question 0\?” has “Plum” first\) and “Question 0\?” has “Pear” among the first 2 and “Question 0\?” contains “Apple”\. “Question 0\?” was answered “Plum; Pear; Apple”/,
  );
  const { body } = await client.get(`/screener-responses?filter[screenerSessionId][eq]=${links[1]!.session}`);
  assert.deepEqual(
    body.items[0].answer,
    ["Plum", "Pear", "Apple"].map((text) => ({ optionId: ids[text], text, isWriteIn: false })),
  );
  const { questions } = (await client.get(`/screeners/${study.screener}/results`)).body;
  assert.deepEqual(
    questions[0].chart.rows.map(({ label, count, meanRank }: Record<string, unknown>) => [label, count, meanRank]),
    [
      ["Apple", 2, 7 / 4],
      ["Pear", 1, 8 / 4],
      ["Plum", 1, 6 / 3],
    ],
  );
  assert.equal(questions[0].chart.kind, "OPTIONS");
  assert.deepEqual(
    (await tableOf(study)).map(({ q0 }) => q0),
    ["Pear; Apple", "Plum; Pear; Apple", "Apple; Plum; Pear", "Apple; Pear; Plum"],
  );
  const [head = [], ...rows] = parseCsv((await client.get(`/screeners/${study.screener}/export?choices=COLUMNS`)).text);
  const columns = ["q0: Apple", "q0: Pear", "q0: Plum"].map((heading) => head.indexOf(heading));
  assert.deepEqual(
    rows.slice(0, 2).map((row) => columns.map((at) => row[at])),
    [
      ["2", "1", ""],
      ["3", "2", "1"],
    ],
  );
  const codebook = parseCsv((await client.get(`/screeners/${study.screener}/codebook?choices=COLUMNS`)).text);
  assert.deepEqual(
    codebook.filter(([column]) => column?.startsWith("q0")).map(([, , values, option]) => [values, option]),
    fruits.map(({ text }) => ["rank, from 1 on", text]),
  );
});

const consent = "ScreenerConsentQuestion";
const TERMS = "We keep your answers for three months.\nThen we delete them.";
const hashOf = (text: string) => createHash("sha256").update(text).digest("hex");

test("a consent has a text, is required unless its author says otherwise, and goes with no value in a condition", async () => {
  const wrong = [
    { text: "" },
    { text: 7, version: "x".repeat(65), withdrawText: 1, declinedText: [] },
    { text: TERMS, showWhen: { questionId: "q0", equals: true } },
  ];
  assert.deepEqual(await faultsOf(contentOf(consent, wrong)), {
    "0/text": "is required",
    "1/text": "must be a string",
    "1/version": "must be at most 64 characters",
    "1/withdrawText": "must be a string",
    "1/declinedText": "must be a string",
  });
  const compared = contentOf(consent, [{ text: TERMS }, { text: TERMS, showWhen: { questionId: "q0", equals: "x" } }]);
  assert.deepEqual(await faultsOf(compared), { "1/showWhen/equals": "does not go with a consent; use answered" });
  assert.deepEqual(await keptOf(contentOf(consent, [{ text: TERMS, version: " 2 ", withdrawText: "" }])), [
    { _type: consent, text: TERMS, version: "2", withdrawText: null, declinedText: null },
  ]);
  const screener = await client.screener();
  const content = contentOf(consent, [{ text: TERMS }, { text: TERMS, required: false }]);
  const { body } = await client.call("PUT", `/screeners/${screener}/content`, { body: content });
  assert.deepEqual(
    body.pages[0].questions.map(({ required }: { required: boolean }) => required),
    [true, false],
  );
});

test("a consent is kept with what was agreed to and when, charted, exported, and compared in conditions", async () => {
  const content = contentOf(consent, [
    { text: TERMS, version: "2026-01" },
    { text: "You may call me.", required: false },
  ]);
  const study = await publish(client, { ...content, qualifyWhen: { questionId: "q1", answered: true } });
  const links = await invite(client, study.screener, 4);
  const given = { isGiven: true };
  assert.equal((await answer(study, links[0]!, { q0: given, q1: given })).outcome, undefined);
  assert.equal((await answer(study, links[1]!, { q0: given, q1: { isGiven: false } })).outcomeReason, "SCREENED_OUT");
  assert.equal((await answer(study, links[2]!, { q0: { isGiven: false }, q1: given })).outcomeReason, "NO_CONSENT");
  for (const wrong of ["yes", {}, { isGiven: "true" }, []]) {
    const { status, body } = await client.post(`/screener-sessions/${links[3]!.session}/responses`, {
      responses: [{ screenerQuestionId: study.question.q0, answer: wrong }],
    });
    assert.equal(status, 400);
    assert.equal(body.errors[0].message, "must be an object with isGiven, which is true or false");
  }
  const responsesOf = async (at: number) => {
    const { body } = await client.get(`/screener-responses?filter[screenerSessionId][eq]=${links[at]!.session}`);
    return body.items.map(({ answer }: { answer: unknown }) => answer);
  };
  const [first, second] = await responsesOf(0);
  assert.deepEqual(
    [typeof first.at, first],
    [
      "string",
      {
        ...{ isGiven: true, textHash: hashOf(TERMS), version: "2026-01", language: "en", at: first.at },
      },
    ],
  );
  assert.equal(second.version, null);
  // Who does not agree is asked no more, and nothing else that came with it is kept.
  assert.deepEqual(await responsesOf(2), [null]);
  const explained = await explanationOf(links[2]!);
  assert.equal(explained.sentence, "No consent: “Question 0?” was not agreed to.");
  assert.deepEqual(
    explained.rules.map(({ kind, result, decides }: Record<string, unknown>) => [kind, result, decides]),
    [
      ["CONSENT", "HOLDS", true],
      ["QUALIFY_WHEN", "NOT_REACHED", false],
    ],
  );
  assert.deepEqual(explained.judgedNow, { outcome: "DISQUALIFIED", outcomeReason: "NO_CONSENT" });
  const { questions, pages } = (await client.get(`/screeners/${study.screener}/results`)).body;
  assert.deepEqual(
    questions[0].chart.rows.map(({ label, count }: Record<string, unknown>) => [label, count]),
    [["Given, version 2026-01", 2]],
  );
  assert.deepEqual([questions[0].skipped, pages[0].noConsent, pages[0].screenedOut], [1, 1, 1]);
  const [row] = await tableOf(study);
  assert.equal(row!.q0, `Given ${first.at} (version 2026-01, en)`);
  assert.match((await codebookOf(study, "q0"))!, /^consent: when it was given/);
  const refused = parseCsv(
    (await client.get(`/screeners/${study.screener}/export?filter[outcomeReason][eq]=NO_CONSENT`)).text,
  );
  assert.deepEqual(
    refused.slice(1).map(([id]) => id),
    [links[2]!.session],
  );
  const screened = parseCsv(
    (await client.get(`/screeners/${study.screener}/export?filter[outcomeReason][eq]=SCREENED_OUT`)).text,
  );
  assert.deepEqual(
    screened.slice(1).map(([id]) => id),
    [links[1]!.session],
  );
});

test("a consent that an answer has brought up, which is not kept without it, is explained as it was judged", async () => {
  const asked = [{ text: TERMS }, { text: "You may call me.", showWhen: { questionId: "q0", answered: true } }];
  const study = await publish(client, contentOf(consent, asked));
  const [link] = await invite(client, study.screener, 1);
  await answer(study, link!, { q0: { isGiven: true }, q1: { isGiven: false } });
  const { sentence, judgedNow, answers } = await explanationOf(link!);
  assert.equal(sentence, "No consent: “Question 1?” was not agreed to.");
  assert.deepEqual(judgedNow, { outcome: "DISQUALIFIED", outcomeReason: "NO_CONSENT" });
  assert.deepEqual(
    answers.map(({ state }: { state: string }) => state),
    ["NOT_KEPT", "SKIPPED"],
  );
});

test("consent that is sent again keeps the time at which it was given first", async () => {
  const study = await publish(client, contentOf(consent, [{ text: TERMS }]));
  const [link] = await invite(client, study.screener, 1);
  const send = async () => {
    const responses = [{ screenerQuestionId: study.question.q0, answer: { isGiven: true } }];
    await client.post(`/screener-sessions/${link!.session}/responses`, { responses });
    const { body } = await client.get(`/screener-responses?filter[screenerSessionId][eq]=${link!.session}`);
    return body.items[0].answer.at;
  };
  const first = await send();
  await until(() => new Date().toISOString() > first, "the clock has gone on");
  assert.equal(await send(), first);
});

test("consent that was given in another language stays as it is when a program sends it back", async () => {
  const { screener, question } = await publish(client, contentOf(consent, [{ text: TERMS }, { text: "More." }]));
  const strings = [{ id: `question/${question.q0}/text`, text: "Wir löschen alles." }];
  await client.call("PATCH", `/screeners/${screener}/translations/de`, { body: { strings } });
  await client.post("/screener-publications", { screenerId: screener });
  const [link] = await invite(client, screener);
  const visitor = new Visitor(service.url);
  const { text } = await visitor.open(`${link!.path}?lang=de`);
  const form = new URLSearchParams(
    [...text.matchAll(/<input type="hidden" name="([^"]+)" value="([^"]*)"/g)].map(([, name, value]) => [
      name!,
      value!,
    ]),
  );
  for (const id of Object.values(question)) form.append(`answer-${id}`, "given");
  await visitor.post(/ action="([^"]+)"/.exec(text)![1]!, form.toString());
  const path = `/screener-responses?filter[screenerSessionId][eq]=${link!.session}`;
  const [given] = await client.all(path);
  assert.deepEqual([given.answer.language, given.answer.textHash], ["de", hashOf("Wir löschen alles.")]);
  const responses = [{ screenerQuestionId: question.q0, answer: given.answer }];
  await client.post(`/screener-sessions/${link!.session}/responses`, { responses });
  assert.deepEqual((await client.all(path))[0], given);
});

test("an outcome without consent can be set by hand, and taken back", async () => {
  const study = await publish(client, contentOf(consent, [{ text: TERMS }]));
  const [link] = await invite(client, study.screener, 1);
  await answer(study, link!, { q0: { isGiven: false } });
  const override = async (outcome: string) => {
    const path = `/screener-sessions/${link!.session}/override`;
    return (await client.post(path, { outcome, reason: "Agreed on paper" })).body.outcomeReason;
  };
  assert.equal(await override("QUALIFIED"), null);
  assert.deepEqual((await explanationOf(link!)).override.judged, {
    outcome: "DISQUALIFIED",
    outcomeReason: "NO_CONSENT",
  });
  assert.equal(await override("BY_RULES"), "NO_CONSENT");
});

test("a test drive takes all types, carries their answers from page to page, and says what the rules come to", async () => {
  const question = (key: string, type: string, more: object) => ({
    id: key,
    key,
    _type: type,
    prompt: `${key}?`,
    ...more,
  });
  const study = await publish(client, {
    pages: [
      {
        title: "One",
        questions: [
          question("born", date, { max: { today: "-P1D" } }),
          question("likes", scale, {}),
          question("fruit", ranking, { options: fruits }),
        ],
      },
      { title: "Two", questions: [question("left", date, { precision: "YEAR" })] },
    ],
    qualifyWhen: {
      all: [
        { questionId: "born", ageAtLeast: 18 },
        { questionId: "likes", atLeast: 4 },
        { questionId: "fruit", first: "plum" },
        { questionId: "left", before: { today: "P0D" } },
      ],
    },
  });
  const browser = await signedIn(service, client.workspaceId, "researcher", "types@question-types.example.org");
  const path = `/console/studies/${study.screener}/try`;
  const { born, likes, fruit, left } = study.question;
  const first = {
    ...{ answers: "[]", attributes: "{}", page: study.page.One! },
    ...{ [`day-${born}`]: "28", [`month-${born}`]: "2", [`year-${born}`]: "1990", [`answer-${likes}`]: "5" },
    ...{ [`rank-1-${fruit}`]: study.option["fruit/Plum"]!, [`rank-2-${fruit}`]: study.option["fruit/Pear"]! },
  };
  const second = await browser.post(path, { ...first, question: [born!, likes!, fruit!] });
  assert.equal(second.status, 200, second.text);
  const carried = /name=&quot;answers&quot; value=&quot;(.*?)&quot;/.exec(second.text)?.[1] ?? "";
  const answers = carried.replaceAll("&amp;", "&").replaceAll("&quot;", '"');
  assert.deepEqual(JSON.parse(answers), [
    [born, "1990-02-28"],
    [likes, 5],
    [fruit, ["Plum", "Pear"].map((text) => ({ optionId: study.option[`fruit/${text}`], text, isWriteIn: false }))],
  ]);
  const last = { answers, attributes: "{}", page: study.page.Two!, [`answer-${left}`]: "2008", question: left! };
  const end = await browser.post(path, last);
  assert.match(end.text, /Qualified: no page screens out/);
});
