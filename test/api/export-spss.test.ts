// Exports for SPSS: PSPP reads each value as it was answered, with its labels, and takes whatever people write.

import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { strFromU8, unzipSync } from "fflate";
import type { Client } from "../support/client.ts";
import { people } from "../support/client.ts";
import { parseCsv } from "../support/csv.ts";
import { newFolder } from "../support/folder.ts";
import { findProgram } from "../support/programs.ts";
import { sharedService } from "../support/service.ts";
import { withScopes } from "../support/store.ts";
import { publish } from "../support/study.ts";

const service = await sharedService();
const SPSS = { headers: { accept: "application/x-spss-syntax" } };
const LONG = `${"Ünï ".repeat(60)}– what's "this"?`;

const options = (...texts: string[]) => texts.map((text) => ({ id: text, text }));
const rows = options("Price", 'It\'s "taste"');
const questions = [
  { key: "why", _type: "ScreenerTextQuestion", prompt: LONG, multiline: true },
  { key: "age", _type: "ScreenerNumericQuestion", prompt: "How old are you?" },
  {
    key: "drink",
    _type: "ScreenerSingleSelectQuestion",
    prompt: "What?",
    options: options("Tea", "Café 'noir'"),
    allowsWriteIn: true,
  },
  {
    key: "eat",
    _type: "ScreenerMultiSelectQuestion",
    prompt: "Which?",
    options: options("Bread", "Jam"),
    allowsWriteIn: true,
  },
  { key: "rank", _type: "ScreenerRankingQuestion", prompt: "Rank", options: options("A", "B", "C") },
  {
    key: "likely",
    _type: "ScreenerScaleQuestion",
    prompt: "Likely?",
    from: 0,
    to: 10,
    lowLabel: "No",
    highLabel: "Yes",
  },
  { key: "born", _type: "ScreenerDateQuestion", prompt: "Born?" },
  { key: "moved", _type: "ScreenerDateQuestion", prompt: "Moved?", precision: "MONTH" },
  { key: "year", _type: "ScreenerDateQuestion", prompt: "Since?", precision: "YEAR" },
  { key: "grid", _type: "ScreenerMatrixQuestion", prompt: "How good?", rows, columns: options("Good", "Bad") },
  {
    key: "grids",
    _type: "ScreenerMatrixQuestion",
    prompt: "What of it?",
    rows,
    columns: options("Good", "Bad"),
    multiple: true,
  },
  // Names that are not those of SPSS.
  { key: "with", _type: "ScreenerTextQuestion", prompt: "A word of the language" },
  { _type: "ScreenerTextQuestion", prompt: "日本語" },
  { key: `k${"x".repeat(62)}1`, _type: "ScreenerTextQuestion", prompt: "Long" },
  { key: "Age_", _type: "ScreenerTextQuestion", prompt: "Almost the same" },
].map((one) => ({ required: false, ...one }));

const matrix = (...chosen: string[][]) => ({
  rows: chosen.map((texts, index) => ({ text: rows[index]!.text, choices: texts.map((text) => ({ text })) })),
});

/** What each person answers, and what PSPP is to read: the name of the variable, and its value. */
const SENT: { answers: Record<string, unknown>; read: Record<string, string> }[] = [
  {
    answers: {
      why: 'She said "no", and\nleft; it\'s =1+1, naïve 😀',
      age: 36.25,
      drink: [{ text: "Café 'noir'" }],
      eat: [{ text: "Jam" }, { text: 'Eggs, "boiled"', isWriteIn: true }],
      rank: [{ text: "C" }, { text: "A" }],
      likely: 10,
      born: "1999-12-31",
      moved: "2020-05",
      year: "1987",
      grid: matrix(["Bad"], ["Good"]),
      grids: matrix(["Good", "Bad"]),
      with: "w",
      日本語: "ja",
    },
    read: {
      why: 'She said "no", and left; it\'s =1+1, naïve 😀',
      age: "36.25",
      drink: "2",
      eat_1: "0",
      eat_2: "1",
      eat_other: 'Eggs, "boiled"',
      rank_1: "2",
      rank_2: "",
      rank_3: "1",
      likely: "10",
      born: "12/31/1999",
      moved: "2020-05",
      year: "1987",
      grid_1: "2",
      grid_2: "1",
      grids_1_1: "1",
      grids_1_2: "1",
      grids_2_1: "-99",
      with_2: "w",
      question_13: "ja",
    },
  },
  {
    answers: { drink: [{ text: "Water", isWriteIn: true }], age: -123456789012, why: " padded " },
    read: {
      drink: "3",
      drink_other: "Water",
      age: "-123456789012",
      eat_1: "-99",
      rank_1: "-99",
      likely: "-99",
      grid_1: "-99",
      grids_1_2: "-99",
      born: "",
      why: "padded",
    },
  },
];

async function study(client: Client) {
  const published = await publish(client, { pages: [{ questions }] });
  const { body } = await client.get(`/screener-publications/${published.publication}/content`);
  const ids = new Map<string, string>(
    body.pages[0].questions.map((one: { key: string | null; prompt: string; id: string }) => [
      one.key ?? one.prompt,
      one.id,
    ]),
  );
  const imported = await client.import(published.screener, people(SENT.length), {}, { Prefer: "wait=60" });
  for (const [index, { answers }] of SENT.entries()) {
    const opened = await client.post("/screener-sessions", { screenerParticipantId: imported.body[index].id });
    const responses = [...ids].map(([key, screenerQuestionId]) => ({
      screenerQuestionId,
      answer: answers[key] ?? null,
    }));
    const sent = await client.post(`/screener-sessions/${opened.body.id}/responses`, { responses, complete: true });
    assert.equal(sent.status, 200, sent.text);
  }
  return published.screener;
}

async function download(client: Client, screener: string): Promise<Record<string, string>> {
  const { apiKey, apiSecret } = client.credentials;
  const response = await fetch(`${client.url}/screeners/${screener}/export`, {
    headers: { ...SPSS.headers, "x-service-api-key": apiKey!, "x-service-api-secret": apiSecret! },
  });
  assert.equal(response.status, 200);
  assert.match(response.headers.get("content-disposition")!, /responses-\d{4}-\d\d-\d\d\.zip/);
  const files = unzipSync(new Uint8Array(await response.arrayBuffer()));
  return Object.fromEntries(Object.entries(files).map(([name, bytes]) => [name, strFromU8(bytes)]));
}

test("PSPP reads each value of an export, with labels, levels, missing values and sets", async (t) => {
  const client = service.workspace();
  const files = await download(client, await study(client));
  assert.deepEqual(Object.keys(files), ["responses.csv", "responses.sps"]);
  const syntax = files["responses.sps"]!;
  for (const line of syntax.split("\n")) assert.ok(Buffer.byteLength(line) <= 256, line);
  assert.match(
    syntax,
    /VALUE LABELS drink\n {2}1 'Tea'\n {2}2 'Café ''noir'''\n {2}3 'Something else, written in'\n {2}-99 'Skipped'\./,
  );
  assert.match(syntax, /VARIABLE LEVEL likely \(ORDINAL\)\./);
  assert.match(syntax, /MISSING VALUES drink \(-99\)\./);
  const [names, ...cases] = parseCsv(`\uFEFF${files["responses.csv"]}`);
  assert.equal(new Set(names!.map((name) => name.toLowerCase())).size, names!.length);
  for (const name of names!) assert.ok(/^[a-z][a-z0-9_.]*$/i.test(name) && name.length <= 64, name);
  assert.equal(cases.length, SENT.length);

  const pspp = findProgram("pspp");
  if (!pspp) {
    t.diagnostic("pspp is not on this machine, so it reads nothing (on Debian: apt-get install pspp).");
    return;
  }
  const folder = newFolder();
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
  writeFileSync(
    join(folder, "look.sps"),
    `INSERT FILE='responses.sps'.
DISPLAY DICTIONARY.
SAVE TRANSLATE /OUTFILE='read.csv' /TYPE=CSV /FIELDNAMES /CELLS=VALUES /REPLACE.
EXECUTE.
`,
  );
  const home = join(folder, "home");
  mkdirSync(home);
  const { status, stdout, stderr } = spawnSync(pspp, ["-O", "format=txt", "-O", "width=500", "look.sps"], {
    ...{ cwd: folder, encoding: "utf8", env: { ...process.env, HOME: home, LC_ALL: "C.UTF-8" } },
  });
  assert.equal(status, 0, stdout + stderr);
  assert.doesNotMatch(stdout + stderr, /error|warning/i);
  assert.ok(stdout.includes(`${LONG.slice(0, 40)}`), "the long label is there");
  assert.match(stdout, /Café 'noir'/);
  const [read, ...values] = parseCsv(
    `\uFEFF${readFileSync(join(folder, "read.csv"), "utf8").replaceAll(/(?<!\r)\n/g, "\r\n")}`,
  );
  assert.deepEqual(read, names);
  for (const [index, sent] of SENT.entries())
    for (const [name, value] of Object.entries(sent.read))
      assert.equal(values[index]![read!.indexOf(name)]?.trim(), value, `${name} of person ${index + 1}`);
  assert.match(values[0]![read!.indexOf("session.completedAt")]!, /^\d\d\/\d\d\/\d{4} \d\d:\d\d:\d\d/);
});

test("an export for SPSS without anybody has its variables, and one without rights to links has no ids of sessions", async () => {
  const client = service.workspace();
  const { screener } = await publish(client, { pages: [{ questions }] });
  const files = await download(client, screener);
  assert.equal(parseCsv(`\uFEFF${files["responses.csv"]}`).length, 1);
  const other = service.workspace();
  const filled = await study(other);
  const [session] = await other.all(`/screener-sessions?filter[screenerId][eq]=${filled}`);
  const reader = await withScopes(service, other, ["read"]);
  const { "responses.csv": csv } = await download(reader, filled);
  assert.equal(csv!.includes(session.id), (await reader.get(`/screener-sessions/${session.id}`)).status === 200);
});
