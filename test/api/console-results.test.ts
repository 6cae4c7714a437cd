// The console's pages of what has come in: results as charts, who has answered, and one person's answers.

import assert from "node:assert/strict";
import { test } from "node:test";
import { durationOf } from "../../src/console/results/page-by-page.tsx";
import { signedIn } from "../support/console.ts";
import { readCsv } from "../support/csv.ts";
import { sharedService } from "../support/service.ts";
import { everyKind, invite, publish } from "../support/study.ts";

const service = await sharedService();
const client = service.workspace();
const study = await publish(client, everyKind, { targetQualifiedParticipants: 5 });
const people = await invite(client, study.screener, 3);
const viewer = await signedIn(service, client.workspaceId, "viewer", "viewer@console-results.example.org");
const base = `/console/studies/${study.screener}`;

const choice = (text: string) => [{ text, isWriteIn: false }];
const given = [
  { age: 16, smokes: choice("No") },
  { age: 30, smokes: choice("Yes"), brands: choice("Cigars"), drink: choice("Tea"), day: "With <b>tea</b> & toast" },
];
for (const [at, answers] of given.entries()) {
  const responses = Object.entries(answers).map(([key, answer]) => ({
    screenerQuestionId: study.question[key],
    answer,
  }));
  const path = `/screener-sessions/${people[at]!.session}/responses`;
  assert.equal((await client.post(path, { responses, complete: at === 1 })).status, 200);
}

/** The text of a page, without markup. */
async function read(path: string): Promise<string> {
  const { status, text } = await viewer.get(path);
  assert.equal(status, 200, text);
  return text
    .replace(/<style.*?<\/style>/gs, " ")
    .replace(/<[^>]+>/g, " ")
    .replace(/\s+/g, " ");
}

test("times are said in tenths of a second, in seconds, and in minutes", () => {
  const said = [null, 0.1 + 0.2, 9.96, 59.4, 61].map(durationOf);
  assert.deepEqual(said, ["–", "0.3 s", "10 s", "59 s", "1 min 1 s"]);
});

test("results are charts with their numbers, and can be split", async () => {
  const text = await read(`${base}/results`);
  assert.match(text, /Completed 2 of 2 who started \(100 %\) Qualified 1 \(50 %\) How far people have come/);
  assert.match(text, /Assigned 100 % 3 Got a link 100 % 3 Started 67 % 2 Completed 67 % 2 Qualified 33 % 1 /);
  assert.match(text, /About you 2 0 1 – Smoking 1 0 0 – Your days 1 0 0 –/);
  assert.match(text, /How old are you\? 2 answers · from 16 to 30, average 23, half are at most 23/);
  assert.match(text, /Do you smoke\? 2 answers .*Yes 50 % 1 Sometimes 0 % 0 No 50 % 1/);
  assert.match(text, /Which town do you live in\? 0 answers/);
  const split = await read(`${base}/results?publicationId=${study.publication}&splitBy=${study.question.smokes}`);
  assert.match(split, /What do you drink in the morning\? .* All of 1 .* Yes of 1 .* Tea 100 % 1 0 % 0 100 % 1/);
  const table = await viewer.get(`${base}/answers.csv`);
  const headings = table.text.split("\r\n")[0]!;
  assert.match(headings, /session\.outcome.*,age,smokes/);
  assert.match(String(table.headers["content-disposition"]), /attachment/);
});

test("days are named with the time zone of the study", async () => {
  assert.match(await read(`${base}/results`), /People by day \(UTC\)/);
  await client.patch(`/screeners/${study.screener}`, { timeZone: "Pacific/Kiritimati" });
  assert.match(await read(`${base}/results`), /People by day \(Pacific\/Kiritimati\)/);
  await client.patch(`/screeners/${study.screener}`, { timeZone: "UTC" });
});

test("results are of the study, and say what was changed; each version can be chosen", async () => {
  const { body } = await client.get(`/screeners/${study.screener}/content`);
  await client.call("PUT", `/screeners/${study.screener}/content`, {
    body: { ...body, pages: [{ questions: [{ _type: "ScreenerTextQuestion", prompt: "Anything else?" }] }] },
  });
  const newest = await client.post("/screener-publications", { screenerId: study.screener });
  const split = `splitBy=${study.question.smokes}`;
  const whole = await read(`${base}/results?publicationId=&${split}`);
  assert.match(whole, /Version All versions 2 \(live\) 1 .*From here on: all 2 versions together/);
  assert.match(
    whole,
    /Anything else\? 0 answers .*Do you smoke\? Not in the newest version: version 1 was the last with it\. 2 answers/,
  );
  assert.match(whole, /Page 1 0 0 0 – About you \(until version 1\) 2 0 1 –/);
  const first = await read(`${base}/results?publicationId=${study.publication}&${split}`);
  assert.match(first, /From here on: version 1 alone.*Do you smoke\? 2 answers/);
  const second = await read(`${base}/results?publicationId=${newest.body.id}&${split}`);
  assert.match(second, /From here on: version 2 alone.*does not have what the results were split by.*Anything else\?/);
});

test("a question whose words were changed says so, and a target is counted by its version", async () => {
  const content = (prompt: string) => ({ pages: [{ questions: [{ _type: "ScreenerNumericQuestion", prompt }] }] });
  const other = await publish(
    client,
    { ...content("How old?"), qualifyWhen: null },
    { targetQualifiedParticipants: 5 },
  );
  const { body } = await client.get(`/screeners/${other.screener}/content`);
  const [page] = body.pages;
  const [question] = page.questions;
  const rule = { questionId: question.id, atLeast: 18 };
  const asked = (prompt: string) => ({
    ...body,
    pages: [{ ...page, questions: [{ ...question, prompt }] }],
    qualifyWhen: rule,
  });
  const next = async (prompt: string, targetQualifiedParticipants: number) => {
    const put = await client.call("PUT", `/screeners/${other.screener}/content`, { body: asked(prompt) });
    assert.equal(put.status, 200, put.text);
    const screenerId = other.screener;
    await client.post("/screener-publications", { screenerId, targetQualifiedParticipants });
  };
  await next("How old are you?", 7);
  for (const { session } of await invite(client, other.screener, 2)) {
    const responses = [{ screenerQuestionId: question.id, answer: 40 }];
    await client.post(`/screener-sessions/${session}/responses`, { responses, complete: true });
  }
  await next("What is your age?", 3);
  const results = await read(`/console/studies/${other.screener}/results`);
  assert.match(
    results,
    /What is your age\? In these words since version 3 Version 2: How old are you\? Version 1: How old\? 2 answers/,
  );
  const overview = await viewer.get(`/console/studies/${other.screener}`);
  assert.match(
    await read(`/console/studies/${other.screener}`),
    /Qualified 2 Screened out 0 Version 3: 0 of 3 qualified/,
  );
  assert.match(overview.text, /<progress value="0" max="3" aria-label="Version 3: 0 of 3 qualified"/);
});

test("answers are a table whose columns and filters are in the address, and a row leads to the person's answers", async () => {
  const page = await viewer.get(`${base}/answers`);
  const first = await read(`${base}/answers`);
  assert.match(first, /2 people have started/);
  assert.match(
    first,
    /Id Name Email Started ▼ Outcome .*How old are you\? Do you smoke\? How often is sometimes\? .*Qualified – 30 Yes .*Screened out – 16 No/,
  );
  const [, reference] = /href="[^"]*\/answers\/([0-9a-f-]{36})"/.exec(page.text)!;
  assert.match(await read(`${base}/answers/${reference}`), /Answers of one person/);
  assert.ok(!people.some(({ session }) => page.text.includes(session)), "no link of a person is in the page");
  const column = "column=answers.drink&column=participant.name";
  assert.match(await read(`${base}/answers?${column}`), /Id What do you drink in the morning\? Name .*Tea Person 1 /);
});

test("a filter is added by what it is about, is said in plain words, and is taken off again", async () => {
  const path = `${base}/answers?column=answers.drink`;
  const choosing = await viewer.get(`${path}&add=answers.age`);
  assert.match(choosing.text, /<input type="hidden" name="column" value="answers.drink"/);
  assert.match(choosing.text, /<option value="lt">is less than<\/option>/);
  assert.match(choosing.text, /<option value="in">is one of<\/option>.*Several values of “is one of” have commas/s);
  const added = await viewer.get(`${path}&field=answers.age&operator=gte&value=18`);
  assert.equal(added.headers.location, `${path}&filter%5Banswers.age%5D%5Bgte%5D=18`);
  const filtered = await viewer.get(String(added.headers.location));
  assert.match(filtered.text, /How old are you\? is at least “18”/);
  assert.match(filtered.text, /1 person has started, and match/);
  assert.match(filtered.text, new RegExp(`href="${path.replace("?", "\\?")}">Remove`));
  const option = study.option["smokes/No"];
  assert.match(
    await read(`${base}/answers?filter[answers.smokes][ne]=${option}`),
    /Do you smoke\? is not “No” .*1 person has started/,
  );
  for (const [query, words, count] of [
    ["field=outcome&operator=eq&value=QUALIFIED", "Outcome is “Qualified”", "1 person has"],
    [
      "field=answers.drink&operator=answered:false&value=",
      "What do you drink in the morning? is not answered",
      "1 person has",
    ],
    ["field=startedAt&operator=gte&value=2020-01-31", "Started on or after “2020-01-31”", "2 people have"],
    // Of what is ticked, more than one are a list; of what is typed, what has commas between.
    [
      "field=outcome&operator=eq&value=QUALIFIED&value=DISQUALIFIED",
      "Outcome is one of “Qualified” or “Screened out”",
      "2 people have",
    ],
    [
      "field=outcome&operator=ne&value=QUALIFIED&value=DISQUALIFIED",
      "Outcome is none of “Qualified” or “Screened out”",
      "0 people have",
    ],
    ["field=answers.age&operator=in&value=16,+17", "How old are you? is one of “16” or “17”", "1 person has"],
    ["field=answers.age&operator=nin&value=16,17,", "How old are you? is none of “16” or “17”", "1 person has"],
    ["field=externalUid&operator=in&value=nobody", "Id is one of “nobody”", "0 people have"],
  ]) {
    const { headers, text: refused } = await viewer.get(`${base}/answers?${query}`);
    assert.ok(headers.location, refused);
    const text = await read(String(headers.location));
    assert.ok(text.includes(words!), text);
    assert.ok(text.includes(count!), text);
  }
  // Several values take the place of one.
  const one = "filter[outcome][eq]=QUALIFIED";
  const both = "field=outcome&operator=eq&value=QUALIFIED&value=DISQUALIFIED";
  const { headers: replaced } = await viewer.get(`${base}/answers?${one}&${both}`);
  assert.match(
    String(replaced.location),
    /answers\?filter%5Boutcome%5D%5Bin%5D%5B%5D=QUALIFIED&filter%5Boutcome%5D%5Bin%5D%5B%5D=DISQUALIFIED$/,
  );
  const ticked = await viewer.get(`${base}/answers?add=answers.smokes`);
  assert.match(ticked.text, new RegExp(`<input type="checkbox" id="[^"]+" name="value" value="${option}"`));
  for (const query of ["field=outcome&operator=eq", "field=answers.age&operator=in&value=+,"]) {
    const nothing = await viewer.get(`${base}/answers?${query}`);
    assert.equal(nothing.status, 400);
    assert.match(nothing.text, /Choose a value for the filter\./);
  }
  const wrong = await viewer.get(`${base}/answers?field=answers.age&operator=gte&value=old`);
  assert.equal(wrong.status, 400);
  assert.match(wrong.text, /must be a number, because the answers are numbers/);
  assert.match(wrong.text, /value="old"/);
  assert.equal((await viewer.get(`${base}/answers?filter[answers.x][eq]=1`)).status, 400);
});

test("the table that is shown is downloaded as it is, and texts are read one below the other", async () => {
  const csv = await viewer.get(`${base}/answers?column=answers.age&filter[outcome][eq]=QUALIFIED&file=csv`);
  assert.deepEqual(
    readCsv(csv.text).map((row) => row["answers.age"]),
    ["30"],
  );
  const texts = await viewer.get(`${base}/answers?texts=answers.day`);
  assert.match(texts.text, /<p class="answer-whole" dir="auto">With &lt;b>tea&lt;\/b> &amp; toast<\/p>/);
  assert.match(texts.text, /1 person has written something here/);
  const search = `${base}/answers?texts=answers.day&filter%5Banswers.day%5D%5Bmatches%5D`;
  assert.match(await read(`${search}=T%C3%89A+toa`), /has the words “TÉA toa” .*1 person has written something here/);
  assert.match(await read(`${search}=coffee`), /0 people have written something here/);
  assert.match(await read(`${search}=`), /1 person has written something here/);
  assert.match(await read(`${search}=%22+*`), /1 person has written something here/);
});

test("a person's outcome is explained", async () => {
  const out = await read(`${base}/answers/${people[0]!.session}`);
  assert.match(out, /Screened out Screened out by the page “About you”/);
  assert.match(out, /is less than 18 \(page “About you”\) Yes This decided/);
  assert.match(out, /How old are you\? 16 Do you smoke\? No/);
  const one = await viewer.get(`${base}/answers/${people[1]!.session}`);
  assert.ok(one.text.includes("With &lt;b>tea&lt;/b> &amp; toast"), one.text);
});

test("a researcher sets an outcome with a reason, and takes it back", async () => {
  const researcher = await signedIn(
    service,
    client.workspaceId,
    "researcher",
    "researcher@console-results.example.org",
  );
  const path = `${base}/answers/${people[0]!.session}`;
  assert.doesNotMatch(await read(path), /Set the outcome/);
  const wrong = await researcher.post(path, { outcome: "QUALIFIED", reason: " " });
  assert.equal(wrong.status, 400);
  assert.match(wrong.text, /href="#reason"/);
  const set = await researcher.post(path, { outcome: "QUALIFIED", reason: "Eighteen & <tomorrow>" });
  assert.equal(set.headers.location, `${path}?saved`);
  assert.match(
    await read(`${path}?saved`),
    /The outcome is set\. .*Qualified: set by The researcher on .*Eighteen &amp; &lt;tomorrow>/,
  );
  assert.match(await read(`${base}/answers?filter[outcome][eq]=QUALIFIED`), /2 people have started/);
  assert.equal((await researcher.post(path, { outcome: "BY_RULES", reason: "Back" })).status, 303);
  assert.match(await read(path), /Screened out Screened out by/);
});

test("an outcome is set with its own study alone", async () => {
  const researcher = await signedIn(service, client.workspaceId, "researcher", "other@console-results.example.org");
  const { screener } = await publish(client, { pages: [] });
  const path = `/console/studies/${screener}/answers/${people[0]!.session}`;
  const fields = { outcome: "QUALIFIED", reason: "Elsewhere" };
  assert.equal((await researcher.post(base, fields, path)).status, 404);
  assert.doesNotMatch(await read(`${base}/answers/${people[0]!.session}`), /Elsewhere/);
});

test("a session is shown with its own study alone, and another workspace's studies are nobody's", async () => {
  const other = await publish(client, { pages: [] });
  assert.equal((await viewer.get(`/console/studies/${other.screener}/answers/${people[0]!.session}`)).status, 404);
  assert.match(await read(`/console/studies/${await client.screener()}/results`), /Nothing is published yet/);
  const strangers = await signedIn(
    service,
    service.workspace().workspaceId,
    "admin",
    "them@console-results.example.org",
  );
  for (const path of ["/results", "/answers", "/answers.csv", "/download", `/answers/${people[0]!.session}`])
    assert.equal((await strangers.get(base + path)).status, 404, path);
});

test("answers are downloaded as chosen: as Excel, as CSV, filtered; and so is the codebook", async () => {
  const form = await read(`${base}/download`);
  assert.match(form, /Everybody who has started/);
  const csv = await viewer.get(
    `${base}/download?file=answers&format=csv&headings=READABLE&choices=COLUMNS&who=QUALIFIED`,
  );
  assert.equal(csv.headers["content-type"], "text/csv; charset=utf-8");
  const rows = readCsv(csv.text);
  assert.ok(rows.length > 0 && rows.every((row) => row["session.outcome"] === "QUALIFIED"));
  const excel = await viewer.get(`${base}/download?file=answers`);
  assert.match(String(excel.headers["content-disposition"]), /\.xlsx/);
  assert.ok(excel.text.startsWith("PK"));
  const spss = await viewer.get(`${base}/download?file=answers&format=spss`);
  assert.match(String(spss.headers["content-disposition"]), /\.zip/);
  assert.ok(spss.text.startsWith("PK"));
  const codebook = await viewer.get(`${base}/download?file=codebook&choices=COLUMNS`);
  assert.match(codebook.text, /How old are you\?,number/);
  const future = await viewer.get(`${base}/download?file=answers&format=csv&from=2999-01-01`);
  assert.deepEqual(readCsv(future.text), []);
});

test("what is wrong with a download is said at its fields", async () => {
  const { status, text } = await viewer.get(`${base}/download?file=answers&from=2026-02-30&until=tomorrow`);
  assert.equal(status, 400);
  assert.match(text, /href="#from"/);
  assert.match(text, /href="#until"/);
  const backwards = await viewer.get(`${base}/download?file=answers&from=2026-02-02&until=2026-02-01`);
  assert.match(backwards.text, /must not be before the first day/);
});

test("results begin with what they come down to: who has completed, and where most people stop", async () => {
  const other = await publish(client, everyKind);
  const [one] = await invite(client, other.screener, 2);
  const page = async () => read(`/console/studies/${other.screener}/results`);
  assert.doesNotMatch(await page(), /who started \(/);
  const responses = [
    { screenerQuestionId: other.question.age, answer: 30 },
    { screenerQuestionId: other.question.smokes, answer: choice("Yes") },
  ];
  const sent = await client.post(`/screener-sessions/${one!.session}/responses`, { responses, complete: false });
  assert.equal(sent.status, 200, sent.text);
  const text = await page();
  assert.match(text, /Completed 0 of 1 who started \(0 %\) Most people stop after About you \(1, 100 %\) How far/);
});
