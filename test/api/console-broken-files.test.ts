// Translated files with texts that are wrong, in the console: a line for each text, with where it is in the study and in the file.

import assert from "node:assert/strict";
import { test } from "node:test";
import { type ConsoleBrowser, signedIn } from "../support/console.ts";
import { sharedService } from "../support/service.ts";
import { publish } from "../support/study.ts";
import { withTargets } from "../support/translations.ts";

const service = await sharedService();
const client = service.workspace();
const browser = await signedIn(service, client.workspaceId, "researcher", "console-broken-files@example.org");

const words = (html: string) =>
  html
    .replace(/<[^>]+>/g, " ")
    .replaceAll("&quot;", '"')
    .replace(/\s+/g, " ")
    .trim();

const question = (key: string, prompt: string) => ({
  ...{ key, prompt, _type: "ScreenerSingleSelectQuestion", required: true },
  options: Array.from({ length: 14 }, (_, index) => ({ text: `${key} **${index}** {{attribute:city|there}}` })),
});

/** Of 33 texts: more than the table shows on a page. */
const CONTENT = {
  markup: "MARKDOWN",
  pages: [{ title: "Habits", questions: [question("tea", "Do you like tea?"), question("milk", "And milk?")] }],
  thankYou: "Thanks {{answer:tea}}",
};

const BOUNDARY = "a-boundary";

async function look(at: ConsoleBrowser, path: string, name: string, file: string) {
  const part = (head: string, text: string) =>
    `--${BOUNDARY}\r\nContent-Disposition: form-data; ${head}\r\n\r\n${text}\r\n`;
  const body = `${part('name="token"', await at.token(path))}${part(`name="file"; filename="${name}"`, file)}--${BOUNDARY}--\r\n`;
  const headers = { "Content-Type": `multipart/form-data; boundary=${BOUNDARY}`, ...at.ours };
  return at.send("POST", `${path}/file`, headers, Buffer.from(body));
}

/** The rows of the list, as cells of words; and where each leads. */
function listIn(html: string): { cells: string[]; leadsTo: string | undefined }[] {
  const section = /<section[^>]* aria-labelledby="broken">.*?<\/section>/s.exec(html)?.[0] ?? "";
  return [...section.matchAll(/<tr>(<td.*?)<\/tr>/gs)].map(([, row]) => ({
    cells: [...row!.matchAll(/<td[^>]*>(.*?)<\/td>/gs)].map(([, cell]) => words(cell!)),
    leadsTo: /href="([^"]+)"/.exec(row!)?.[1]?.replaceAll("&amp;", "&"),
  }));
}

test("each text of a broken file has a line: where it is in the study and in the file, what is wrong, and a link to its translation", async () => {
  const study = await publish(client, CONTENT);
  const path = `/console/studies/${study.screener}/languages/de`;
  await client.call("PATCH", `/screeners/${study.screener}/translations/de`, { body: { strings: [] } });
  const csv = (await browser.get(`${path}/file?format=csv`)).text;
  const lines = csv.split("\r\n");
  const lineOf = (text: string) => lines.findIndex((line) => line.includes(`,${text},`)) + 1;
  const broken = [
    "tea **3** {{attribute:city|there}}",
    "milk **11** {{attribute:city|there}}",
    "Thanks {{answer:tea}}",
  ];
  const option = (name: string) => `question/${study.question[name.split("/")[0]!]}/option/${study.option[name]}`;
  const ids = [option(`tea/${broken[0]}`), option(`milk/${broken[1]}`), "thankYou"];
  const wrong = "Must have the placeholder {{attribute:city|…}}.";
  const expected = (inFile: (id: string, text: string) => string) => [
    [`${broken[0]} of Do you like tea? : page 1, question 1, option 4`, inFile(ids[0]!, broken[0]!), wrong],
    [`${broken[1]} of And milk? : page 1, question 2, option 12`, inFile(ids[1]!, broken[1]!), wrong],
    [`${broken[2]} closing text`, inFile(ids[2]!, broken[2]!), "Must have the placeholder {{answer:tea}}."],
  ];

  const withoutSigns = lines.map((line) =>
    broken.some((text) => line.includes(`,${text},`)) ? line.replace(",,MISSING", ",Kaputt,MISSING") : line,
  );
  const asCsv = await look(browser, path, "texte.csv", withoutSigns.join("\r\n"));
  assert.equal(asCsv.status, 422, asCsv.text);
  assert.match(words(asCsv.text), /The file can’t be taken: 3 texts are wrong .* What is wrong in texte\.csv/);
  assert.deepEqual(
    listIn(asCsv.text).map(({ cells }) => cells),
    expected((id, text) => `Line ${lineOf(text)} id ${id}`),
  );

  const xliff = (await browser.get(`${path}/file?format=xliff`)).text;
  const asXliff = await look(
    browser,
    path,
    "texte.xlf",
    withTargets(xliff, (source) => (broken.includes(source) ? "Kaputt" : undefined)),
  );
  assert.equal(asXliff.status, 422, asXliff.text);
  const units = xliff.split("\n");
  const unitLine = (id: string) => units.findIndex((line) => line.includes(`id="${id.replaceAll("/", ".")}"`)) + 1;
  const list = listIn(asXliff.text);
  assert.deepEqual(
    list.map(({ cells }) => cells),
    expected((id) => `Line ${unitLine(id)} unit ${id.replaceAll("/", ".")}`),
  );

  // Each leads to the field of its translation.
  for (const [index, { leadsTo }] of list.entries()) {
    const [page, field] = leadsTo!.split("#") as [string, string];
    const { text } = await browser.get(page);
    const row = new RegExp(`<tr>(?:(?!</tr>).)*<textarea[^>]* id="${field}"`, "s").exec(text)?.[0] ?? "";
    assert.ok(row.includes(`name="id" value="${ids[index]}"`), `${leadsTo} ${row}`);
  }
  assert.match(list[1]!.leadsTo!, /\?page=2#text-\d+$/);
});

test("a file that is wrong as a whole says so in a sentence; of many wrong texts the number is said", async () => {
  const options = Array.from({ length: 120 }, (_, index) => ({ text: `Tea ${index} {{attribute:city|x}}` }));
  const study = await publish(client, {
    markup: "MARKDOWN",
    pages: [{ title: "P", questions: [{ ...question("tea", "Tea?"), options }] }],
  });
  const path = `/console/studies/${study.screener}/languages/de`;
  await client.call("PATCH", `/screeners/${study.screener}/translations/de`, { body: { strings: [] } });
  const lacking = await look(browser, path, "a.csv", "name,texts\nx,y\n");
  assert.equal(lacking.status, 422);
  assert.match(
    words(lacking.text),
    /The file can’t be taken: it lacks the column id; lacks the column text; is it texts\?/,
  );
  assert.deepEqual(listIn(lacking.text), []);
  const csv = (await browser.get(`${path}/file?format=csv`)).text;
  const many = await look(browser, path, "b.csv", csv.replaceAll("}},,MISSING", "}},Kaputt,MISSING"));
  assert.match(words(many.text), /The file can’t be taken: 120 texts are wrong/);
  assert.equal(listIn(many.text).length, 100);
  assert.match(words(many.text), /… and 20 more/);
});

test("each text to be translated says what it is, also those that one kind of question alone has", async () => {
  const ask = (_type: string, more: object) => ({ _type, prompt: `${_type}?`, required: true, ...more });
  const study = await publish(client, {
    pages: [
      {
        questions: [
          ask("ScreenerConsentQuestion", { text: "A", version: "1", withdrawText: "B", declinedText: "C" }),
          ask("ScreenerScaleQuestion", { from: 1, to: 5, lowLabel: "D", highLabel: "E" }),
          ask("ScreenerTextQuestion", { pattern: "[0-9]+", patternMessage: "F", helpText: "G" }),
        ],
      },
    ],
  });
  const path = `/console/studies/${study.screener}/languages/de`;
  await client.call("PATCH", `/screeners/${study.screener}/translations/de`, { body: { strings: [] } });
  const { text } = await browser.get(path);
  const said = [...text.matchAll(/Text \d+: (.*?) <span[^>]*>.*?<p class="text"[^>]*>(.*?)<\/p>/gs)];
  const own = said.filter(([, , shown]) => shown!.length === 1).map(([, place, shown]) => `${shown}: ${place}`);
  assert.deepEqual(own.sort(), [
    "A: page 1, question 1, what people agree to",
    "B: page 1, question 1, what people read before they withdraw",
    "C: page 1, question 1, the ending for people who do not agree",
    "D: page 1, question 2, the words at the first step",
    "E: page 1, question 2, the words at the last step",
    "F: page 1, question 3, the message where the pattern does not match",
    "G: page 1, question 3, help",
  ]);
});
