// GET /screeners/{id}/export with headings, columns of options, filters, and as a file of Excel; GET /screeners/{id}/codebook

import assert from "node:assert/strict";
import { test } from "node:test";
import readSheets from "read-excel-file/node";
import { parseCsv, readCsv } from "../support/csv.ts";
import { answer, type OnePage, onOnePage, publishPage } from "../support/one-page.ts";
import { sharedService } from "../support/service.ts";
import { invite } from "../support/study.ts";

const XLSX = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet";
const SESSION_COLUMNS = 23;

const service = await sharedService();

const number = { _type: "ScreenerNumericQuestion", prompt: "¿Cuántos años tienes?" };
const brands = {
  _type: "ScreenerMultiSelectQuestion",
  prompt: "Which of these have you smoked in the last week, if any?",
  options: [{ text: "Cigars" }, { text: "A pipe" }],
  allowsWriteIn: true,
};
const town = { _type: "ScreenerTextQuestion", prompt: "Town?", key: "town" };

const chosen = (...texts: string[]) => texts.map((text) => ({ text, isWriteIn: false }));

async function exported({ client, screener }: OnePage, query = ""): Promise<Record<string, string>[]> {
  const { status, text } = await client.get(`/screeners/${screener}/export?${query}`);
  assert.equal(status, 200, text);
  return readCsv(text);
}

/** The cells of questions. */
function cells(row: Record<string, string> | undefined): Record<string, string> {
  return Object.fromEntries(Object.entries(row ?? {}).filter(([heading]) => !heading.includes(".")));
}

test("headings are made from prompts where there are no keys, and are never the same", async () => {
  const twice = { _type: "ScreenerTextQuestion", prompt: "Town" };
  const made = await onOnePage(
    service,
    [number, brands, town, twice, { ...twice, prompt: "好きな飲み物は？" }, { ...twice, prompt: "7 days" }],
    1,
  );
  await answer(made.client, made.sessions[0]!, { [made.question[0]!]: 36 });
  assert.deepEqual(cells((await exported(made, "headings=READABLE"))[0]), {
    cuantos_anos_tienes: "36",
    which_of_these_have_you_smoked_in_the: "",
    town: "",
    town_2: "",
    question_5: "",
    q_7_days: "",
  });
});

test("where several options can be chosen, each can have a column", async () => {
  const made = await onOnePage(service, [brands, town], 3);
  const [brandsId, townId] = made.question;
  const [one, other, skipped] = made.sessions;
  const snus = { text: "Snus; loose", isWriteIn: true };
  await answer(made.client, one!, { [brandsId!]: [...chosen("A pipe"), snus], [townId!]: "Bonn" });
  await answer(made.client, other!, { [brandsId!]: chosen("Cigars", "A pipe") });
  await answer(made.client, skipped!, { [townId!]: "Ulm" });
  const rows = await exported(made, "headings=READABLE&choices=COLUMNS");
  const heading = "which_of_these_have_you_smoked_in_the";
  const row = (cigars: string, pipe: string, writeIn: string, where: string) => ({
    [`${heading}: Cigars`]: cigars,
    [`${heading}: A pipe`]: pipe,
    [`${heading} (write-in)`]: writeIn,
    town: where,
  });
  assert.deepEqual(rows.map(cells), [
    row("0", "1", "Snus; loose", "Bonn"),
    row("1", "1", "", ""),
    row("", "", "", "Ulm"),
  ]);
});

test("an option that a version did not have has an empty cell there, not a 0", async () => {
  const made = await onOnePage(service, [{ ...brands, key: "brands" }], 1);
  await answer(made.client, made.sessions[0]!, { [made.question[0]!]: chosen("Cigars") });
  const more = { ...brands, key: "brands", options: [{ text: "Cigars" }, { text: "Snus" }] };
  const [id] = await publishPage(made.client, made.screener, [more]);
  const [, second] = await invite(made.client, made.screener, 2);
  await answer(made.client, second!.session, { [id!]: chosen("Snus") });
  assert.deepEqual((await exported(made, "choices=COLUMNS")).map(cells), [
    { "brands: Cigars": "1", "brands: Snus": "", "brands: A pipe": "0", "brands (write-in)": "" },
    { "brands: Cigars": "0", "brands: Snus": "1", "brands: A pipe": "", "brands (write-in)": "" },
  ]);
});

test("a table has the sessions that all filters let through", async () => {
  const made = await onOnePage(service, [town], 4);
  const [a, b, begun] = made.sessions;
  await answer(made.client, a!, { [made.question[0]!]: "a" });
  const between = new Date(Date.now() + 1).toISOString();
  while (new Date().toISOString() <= between);
  await answer(made.client, b!, { [made.question[0]!]: "b" });
  await answer(made.client, begun!, { [made.question[0]!]: "begun" }, false);
  const people = (await made.client.get("/participants")).body.items as { id: string; externalUid: string }[];
  await made.client.patch(`/participants/${people[1]!.id}`, { attributes: { country: "DE" } });
  const towns = async (query: string) => (await exported(made, query)).map((row) => row.town);
  assert.deepEqual(await towns(""), ["a", "b", "begun"]);
  assert.deepEqual(await towns("filter[state][eq]=COMPLETED"), ["a", "b"]);
  assert.deepEqual(await towns("filter[state][ne]=COMPLETED"), ["begun"]);
  assert.deepEqual(await towns(`filter[completedAt][gte]=${between}`), ["b"]);
  assert.deepEqual(await towns(`filter[startedAt][lt]=${between}`), ["a"]);
  assert.deepEqual(await towns(`filter[id][in][]=${a}&filter[id][in][]=${begun}`), ["a", "begun"]);
  assert.deepEqual(await towns(`filter[externalUid][eq]=${people[2]!.externalUid}`), ["begun"]);
  assert.deepEqual(await towns("filter[attributes.country][eq]=DE&filter[outcome][eq]=UNKNOWN"), ["b"]);
  assert.deepEqual(await towns("filter[outcome][eq]=QUALIFIED"), []);
  assert.deepEqual(await towns("filter[status][eq]=REMOVED"), []);
});

test("what is wrong with a query is said at once, of filters and of others", async () => {
  const { client, screener } = await onOnePage(service, [town], 0);
  const query = "filter[state][eq]=OVER&filter[colour][eq]=red&headings=PRETTY&choices=MANY&more=1";
  const { status, body } = await client.get(`/screeners/${screener}/export?${query}`);
  assert.equal(status, 400);
  assert.deepEqual(body.errors.map(({ pointer }: { pointer: string }) => pointer).sort(), [
    "choices",
    "filter[colour][eq]",
    "filter[state][eq]",
    "headings",
    "more",
  ]);
});

test("the codebook says what each column is, and has a row for each option", async () => {
  const made = await onOnePage(service, [number, brands, town], 0);
  const codebook = async (query: string) =>
    parseCsv((await made.client.get(`/screeners/${made.screener}/codebook?${query}`)).text).slice(1 + SESSION_COLUMNS);
  const about = (
    column: string,
    question: { prompt: string; key?: string },
    type: string,
    option: string,
    id: number,
  ) => [...[column, question.prompt, type, option, "All", "1", question.key ?? "", made.question[id]]];
  const heading = "which_of_these_have_you_smoked_in_the";
  assert.deepEqual(await codebook("headings=READABLE"), [
    about("cuantos_anos_tienes", number, "number", "", 0),
    about(heading, brands, "several options", "Cigars", 1),
    about(heading, brands, "several options", "A pipe", 1),
    about(heading, brands, "several options", "(write-in)", 1),
    about("town", town, "text", "", 2),
  ]);
  assert.deepEqual(
    (await codebook("headings=READABLE&choices=COLUMNS"))
      .map(([column, , type, option]) => [column, type, option])
      .slice(1, 4),
    [
      [`${heading}: Cigars`, "1 or 0", "Cigars"],
      [`${heading}: A pipe`, "1 or 0", "A pipe"],
      [`${heading} (write-in)`, "text", "(write-in)"],
    ],
  );
});

test("a file of Excel has the same table, with numbers and times as such, and the codebook", async () => {
  const made = await onOnePage(service, [number, { ...town, multiline: true }], 2);
  const [numberId, townId] = made.question;
  await answer(made.client, made.sessions[0]!, { [numberId!]: 36.5, [townId!]: "=1+1 \u0001 <b>\nBonn" });
  await answer(made.client, made.sessions[1]!, { [numberId!]: 0 });
  const url = `/screeners/${made.screener}/export?headings=READABLE&filter[state][eq]=COMPLETED`;
  const { status, headers, bytes } = await made.client.get(url, { Accept: XLSX });
  assert.equal(status, 200);
  assert.equal(headers.get("content-type"), XLSX);
  assert.match(headers.get("content-disposition") ?? "", /responses-\d{4}-\d\d-\d\d\.xlsx/);
  const [answers, codebook] = await readSheets(bytes);
  assert.deepEqual([answers?.sheet, codebook?.sheet], ["Answers", "Codebook"]);
  const [headings, first, second] = answers!.data;
  assert.deepEqual(headings?.slice(SESSION_COLUMNS), ["cuantos_anos_tienes", "town"]);
  assert.deepEqual(first?.slice(SESSION_COLUMNS), [36.5, "=1+1  <b>\nBonn"]);
  assert.deepEqual(second?.slice(SESSION_COLUMNS), [0, null]);
  assert.equal(first?.[headings!.indexOf("publication.version")], 1);
  const [shown] = await exported(made, "headings=READABLE");
  const completedAt = first?.[headings!.indexOf("session.completedAt")] as unknown as Date;
  assert.ok(Math.abs(completedAt.getTime() - Date.parse(shown!["session.completedAt"]!)) < 1000);
  assert.deepEqual(codebook!.data.at(-1)?.slice(0, 3), ["town", "Town?", "text"]);
});
