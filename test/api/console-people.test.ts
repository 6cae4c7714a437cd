// People in the console: files that are sent to be imported, what is refused, and what is left of them on the disk; who is found,
// and what is shown of one person.

import assert from "node:assert/strict";
import { existsSync, readdirSync, readFileSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Readable } from "node:stream";
import { test } from "node:test";
import { strToU8, unzipSync, zipSync } from "fflate";
import { wrongRows } from "../../src/console/imports/wrong-rows.ts";
import { chosenFilesPath } from "../../src/engine/files/chosen-files.ts";
import { tidy } from "../../src/upkeep/housekeeping.ts";
import type { Client } from "../support/client.ts";
import { type ConsoleBrowser, signedIn } from "../support/console.ts";
import { dial, type PlainAnswer } from "../support/http.ts";
import { startService } from "../support/service.ts";
import { storesOf } from "../support/store.ts";
import { until } from "../support/until.ts";
import { workbook } from "../support/workbooks.ts";
import { populate } from "../support/world.ts";

const MAX_BYTES = 64 * 1024;
const service = await startService({ config: { importMaxBytes: MAX_BYTES, workspaceSpoolMaxBytes: 2 * MAX_BYTES } });
const { config } = service;

let people = 0;

/** A study, and a researcher's browser. */
async function study() {
  const { client, screenerId } = await service.screener();
  const browser = await signedIn(service, client.workspaceId, "researcher", `${++people}@example.org`);
  return { client, screenerId, browser, path: `/console/studies/${screenerId}/import` };
}

const CSV =
  "Person ID,E-mail,First name,Last name,Town\nP-1,a@example.org,Ada,Lovelace,London\nP-2,b@example.org,Bo,,Bonn\n";

interface Sent {
  name?: string;
  file?: string | Buffer;
  pasted?: string;
  token?: string;
}

const BOUNDARY = "----boundary";

function multipart({ name = "roster.csv", file = "", pasted = "", token = "" }: Sent): Buffer {
  const part = (disposition: string, bytes: string | Buffer) =>
    Buffer.concat([
      Buffer.from(`--${BOUNDARY}\r\nContent-Disposition: form-data; ${disposition}\r\n`),
      Buffer.from(disposition.includes("filename") ? "Content-Type: text/csv\r\n\r\n" : "\r\n"),
      Buffer.from(bytes),
      Buffer.from("\r\n"),
    ]);
  return Buffer.concat([
    part('name="token"', token),
    part(`name="file"; filename="${name}"`, file),
    part('name="pasted"', pasted),
    Buffer.from(`--${BOUNDARY}--\r\n`),
  ]);
}

/** Sends a file as a browser does. */
async function upload(browser: ConsoleBrowser, path: string, sent: Sent): Promise<PlainAnswer> {
  const token = sent.token ?? (await browser.token(path));
  const headers = { "Content-Type": `multipart/form-data; boundary=${BOUNDARY}`, ...browser.ours };
  return browser.send("POST", path, headers, multipart({ ...sent, token }));
}

/** The files that a workspace has sent and not imported. */
function kept({ workspaceId }: Client): string[] {
  const folder = chosenFilesPath(config.dataDir, workspaceId);
  return existsSync(folder) ? readdirSync(folder) : [];
}

const locationOf = ({ headers }: PlainAnswer) => String(headers.location);

/** Sends what the page of a file's columns has chosen itself. @returns the replies, one for each click */
async function plan(
  browser: ConsoleBrowser,
  mapping: string,
  clicks = 1,
): Promise<{ chosen: string[]; replies: PlainAnswer[] }> {
  const { text } = await browser.get(mapping);
  const chosen = [...text.matchAll(/<option value="([^"]*)" selected>/g)].map(([, value]) => value!);
  const form = new URLSearchParams([
    ["token", await browser.token(mapping)],
    ["key", /name="key" value="([^"]+)"/.exec(text)![1]!],
    ["mode", "UPDATES_ONLY"],
    ...chosen.map((value) => ["column", value]),
  ]).toString();
  const headers = { "Content-Type": "application/x-www-form-urlencoded", ...browser.ours };
  const replies: PlainAnswer[] = [];
  for (let i = 0; i < clicks; i++) replies.push(await browser.send("POST", mapping, headers, form));
  await service.drain();
  return { chosen, replies };
}

test("a file becomes a plan by the guess from its headings, is applied, and nothing of it stays behind", async () => {
  const { browser, client, path } = await study();
  const sent = await upload(browser, path, { file: CSV });
  assert.equal(sent.status, 303, sent.text);
  const { chosen, replies } = await plan(browser, locationOf(sent), 2);
  assert.deepEqual(chosen, ["externalUid", "email", "name.first", "name.last", "attributes"]);
  const [planned, again] = replies as [PlainAnswer, PlainAnswer];
  assert.deepEqual(
    [planned.status, locationOf(again)],
    [303, locationOf(planned)],
    "a second click makes no second job",
  );
  const job = locationOf(planned);
  assert.match((await browser.get(job)).text, /What the import will do/);
  assert.equal((await client.all("/participants")).length, 0);
  assert.equal((await browser.post(job, {}, `${job}/apply`)).status, 303);
  await service.drain();
  assert.match((await browser.get(job)).text, /Undo this import/);
  const all = await client.all("/participants");
  assert.deepEqual(
    all.map(({ externalUid, name, attributes }) => [externalUid, name, attributes]),
    [
      ["P-1", "Ada Lovelace", { Town: "London" }],
      ["P-2", "Bo", { Town: "Bonn" }],
    ],
  );
  assert.deepEqual(kept(client), []);
});

test("a sheet of a workbook is chosen and imported, and its wrong rows come back as a table", async () => {
  const { browser, client, path } = await study();
  const attributes = [
    { key: "Weight", type: "NUMBER" },
    { key: "Born", type: "DATE" },
  ];
  await client.call("PUT", "/workspace/attributes", { body: { attributes } });
  const file = await workbook({
    "Read me": [["About"], ["this list"]],
    People: [
      ["Person ID", "E-mail", "Name", "Weight", "Born"],
      ["P-1", "a@example.org", "Ada", 72.5, "28.02.1990"],
      ["P-2", "none", "Bo\nDiddley", 80, new Date("2000-12-01")],
    ],
  });
  const sent = await upload(browser, path, { name: "people.xlsx", file });
  assert.equal(sent.status, 303, sent.text);
  const mapping = locationOf(sent);
  assert.match((await browser.get(mapping)).text, /<option value="Read me" selected>/);
  const wrong = await browser.post(mapping, { sheet: "Gone" }, `${mapping}/sheet`);
  assert.match(wrong.text, /The file has no sheet .*Gone.*; its sheets are/);
  assert.equal((await browser.post(mapping, { sheet: "People" }, `${mapping}/sheet`)).status, 303);
  const { text } = await browser.get(mapping);
  assert.deepEqual(
    [...text.matchAll(/<option value="([^"]*)" selected>/g)].map(([, value]) => value),
    ["People", "externalUid", "email", "name", "attributes", "attributes", "POINT", "DMY"],
  );
  const chosen = { dates: "DMY", column: ["externalUid", "email", "name", "attributes", "attributes"] };
  const planned = await browser.post(mapping, { mode: "UPDATES_ONLY", ...chosen });
  assert.equal(planned.status, 303, planned.text);
  await service.drain();
  const job = locationOf(planned);
  assert.match((await browser.get(`${job}/rows?outcome=REJECTED`)).text, /B3, P-2/);
  const rows = (await browser.get(`${mapping}/wrong-rows.csv`)).text;
  assert.match(rows, /\r\n3,"email must be .*",P-2,none,"Bo\nDiddley",80,2000-12-01\r\n$/s);
  assert.equal((await browser.post(job, {}, `${job}/apply`)).status, 303);
  await service.drain();
  const [ada] = await client.all("/participants");
  assert.deepEqual(ada!.attributes, { Weight: 72.5, Born: "1990-02-28" });
  assert.match((await browser.get(job)).text, /Undo this import/);
  assert.deepEqual(kept(client), []);
});

test("a cell of a workbook whose formula has an error is named in a sentence", async () => {
  const { browser, path } = await study();
  const files = unzipSync(await workbook({ People: [["Person ID"], ["P-1"]] }));
  const sheet = "xl/worksheets/sheet1.xml";
  const broken = '<row r="3"><c r="A3" t="e"><f>1/0</f><v>#DIV/0!</v></c></row></sheetData>';
  files[sheet] = strToU8(Buffer.from(files[sheet]!).toString("utf8").replace("</sheetData>", broken));
  const sent = await upload(browser, path, { name: "people.xlsx", file: Buffer.from(zipSync(files)) });
  assert.equal(sent.status, 422, sent.text);
  assert.match(sent.text, /Cell A3: the formula has an error; fix it, or clear the cell\./);
});

test("a table in Windows-1252 is imported once somebody says that its words are right", async () => {
  const { browser, client, path } = await study();
  const latin = Buffer.from(
    "Person ID;E-mail;Name\nP-1;a@example.org;Zo\xeb M\xfcller\nP-2;b@example.org;\x80uro\n",
    "latin1",
  );
  const mapping = locationOf(await upload(browser, path, { file: latin }));
  const { text } = await browser.get(mapping);
  assert.deepEqual(
    [...text.matchAll(/<li><bdi>(.*?)<\/bdi>/g)].map(([, word]) => word),
    ["Zoë", "Müller", "€uro"],
  );
  const chosen = { mode: "UPDATES_ONLY", column: ["externalUid", "email", "name"] };
  const unsaid = await browser.post(mapping, chosen);
  assert.deepEqual([unsaid.status, /Choose whether these words are right/.test(unsaid.text)], [422, true]);
  const planned = await browser.post(mapping, { ...chosen, isReadRightly: "yes" });
  await service.drain();
  const job = locationOf(planned);
  await browser.post(job, {}, `${job}/apply`);
  await service.drain();
  assert.deepEqual(
    (await client.all("/participants")).map(({ name }) => name),
    ["Zoë Müller", "€uro"],
  );
  // No text has these bytes.
  const neither = await upload(browser, path, { file: Buffer.from("Person ID\nP\x81\n", "latin1") });
  assert.match(neither.text, /neither UTF-8 nor Windows-1252/);
});

test("a plan that a later import has put out of date leads to a new one, and to what was done since", async () => {
  const { browser, path } = await study();
  const files = [await upload(browser, path, { file: CSV }), await upload(browser, path, { file: CSV })].map(
    locationOf,
  );
  const [first, second] = [await plan(browser, files[0]!), await plan(browser, files[1]!)].map(({ replies }) =>
    locationOf(replies[0]!),
  );
  await browser.post(second!, { removals: "" }, `${second}/apply`);
  await service.drain();
  const { text } = await browser.get(first!);
  assert.match(text, /Out of date: something was done since\./);
  assert.match(text, new RegExp(`<a href="${second}">See what was done since`));
  assert.match(text, new RegExp(`<a class="button" href="${files[0]}">\\s*Plan again`));
  assert.match((await browser.get(files[0]!)).text, /First name/);
});

test("wrong rows come back as they stand in the file, and are imported when they are mended", async () => {
  const { browser, client, path } = await study();
  const wrong = 'P-3,none,"Cy\nIV",,Rome\nP-4,d@example.org,Di,,"Köln"\nP-5,e@example.org\n';
  const mapping = locationOf(await upload(browser, path, { file: CSV + wrong }));
  assert.equal((await browser.get(`${mapping}/wrong-rows.csv`)).status, 409);
  const { replies } = await plan(browser, mapping);
  const page = (await browser.get(locationOf(replies[0]!))).text;
  const [file = ""] = /[^"]+wrong-rows\.csv/.exec(page) ?? [];
  const { headers, text } = await browser.get(file);
  assert.match(String(headers["content-disposition"]), /filename="roster . wrong rows\.csv"/);
  const [head, ...rows] = text.slice(1).split("\r\n");
  assert.equal(head, `#line,#errors,${CSV.split("\n")[0]}`);
  assert.match(rows[0]!, /^4,"email must be an email.*",P-3,none,"Cy\nIV",,Rome$/s);
  assert.match(rows[1]!, /^7,"line 7, column 3: the row has 2 cells, the headings have 5",P-5,e@example\.org$/);
  assert.deepEqual(rows.slice(2), [""]);
  const mended = text.replace("P-3,none", "P-3,c@example.org").replace("P-5,e@example.org", "P-5,e@example.org,Ed,,");
  const second = await plan(browser, locationOf(await upload(browser, path, { file: mended })));
  assert.deepEqual(second.chosen.slice(0, 3), ["ignore", "ignore", "externalUid"]);
  const job = locationOf(second.replies[0]!);
  await browser.post(job, {}, `${job}/apply`);
  await service.drain();
  const names = (await client.all("/participants")).map(({ externalUid, name }) => [externalUid, name]);
  assert.deepEqual(names, [
    ["P-3", "Cy\nIV"],
    ["P-5", "Ed"],
  ]);
});

test("other work gets its turn while wrong rows are looked for: by rows, by their length, and where all are wrong", async () => {
  const path = join(config.dataDir, "turns.csv");
  const turnsFor = async (rows: number, length: number, wrong: number[]) => {
    writeFileSync(path, `externalUid\n${`${"x".repeat(length)}\n`.repeat(rows)}`);
    let turns = 0;
    const rejected = wrong.map((line) => `${JSON.stringify({ line, errors: [] })}\n`);
    const found = wrongRows({ path }, Readable.from(rejected), async () => {
      turns++;
    });
    assert.equal((await Array.fromAsync(found)).length, 1 + wrong.length);
    return turns;
  };
  assert.equal(await turnsFor(3000, 1, [3001]), 3);
  assert.equal(await turnsFor(16, 128 * 1024, [17]), 8);
  assert.equal(
    await turnsFor(
      2000,
      1,
      Array.from({ length: 2000 }, (_, at) => at + 2),
    ),
    2,
  );
});

test("what can't be imported is refused with its reason, keeps what was pasted, and leaves no file", async () => {
  const { browser, client, path } = await study();
  const cases: [Sent, RegExp, status?: number][] = [
    [{ name: "" }, /Choose a file, or paste cells\./],
    [{ file: CSV, pasted: "a\tb" }, /Not both\.[\s\S]*>a\tb<\/textarea>/],
    [{ file: "" }, /The file is empty\./],
    [{ file: " \n" }, /The file has no line with headings\./],
    [{ file: "Id,".repeat(500) }, /The file has 501 columns, and can have at most 500/],
    [{ pasted: "x".repeat(MAX_BYTES + 1) }, /too many to be shown here again[\s\S]*><\/textarea>/],
    [{ file: CSV, pasted: "Zoë\t雪" }, /Not both\.[\s\S]*>Zoë\t雪<\/textarea>/],
    [{ file: "PK\x03\x04…", name: "roster.xlsx" }, /The file is no workbook \(\.xlsx\), or a damaged one/],
    [{ file: Buffer.from([0x61, 0x2c, 0x81, 0x0a]) }, /The file is neither UTF-8 nor Windows-1252\./],
    [{ file: "x".repeat(MAX_BYTES + 1) }, new RegExp(`at most ${MAX_BYTES} bytes`)],
    [{ file: "x".repeat(2 * MAX_BYTES) }, /at most/, 413],
    [{ file: CSV, token: "x" }, /That did not come from our page/, 403],
  ];
  for (const [sent, message, status = 422] of cases) {
    const answer = await upload(browser, path, sent);
    assert.equal(answer.status, status, `${JSON.stringify(sent).slice(0, 80)} ${answer.text}`);
    assert.match(answer.text, message);
    assert.deepEqual(kept(client), []);
  }
  const headers = { "Content-Type": "multipart/form-data; boundary=", ...browser.ours };
  assert.equal((await browser.send("POST", path, headers, "x")).status, 400);
});

test("a file that breaks off leaves nothing, and files that are not imported have a budget", async () => {
  const { browser, client, path } = await study();
  const socket = await dial(service.url);
  const body = multipart({ file: CSV.repeat(100), token: await browser.token(path) });
  const cookies = [...browser.cookies].map(([name, value]) => `${name}=${value}`).join("; ");
  socket.write(
    `POST ${path} HTTP/1.1\r\nHost: ${new URL(service.url).host}\r\nCookie: ${cookies}\r\nOrigin: ${service.url}\r\n` +
      `Content-Type: multipart/form-data; boundary=${BOUNDARY}\r\nContent-Length: ${body.length}\r\n\r\n`,
  );
  socket.write(body.subarray(0, body.length - 2000));
  await until(() => kept(client).length === 1, "it has begun to come");
  socket.destroy();
  await until(() => kept(client).length === 0, "it is gone");
  const rows = `${CSV}${"x".repeat(MAX_BYTES - 2000)}\n`;
  for (const status of [303, 303, 303, 422]) assert.equal((await upload(browser, path, { file: rows })).status, status);
  assert.match((await upload(browser, path, { file: CSV })).text, /Too many files wait to be imported/);
  const { text } = await browser.get(path);
  const [discard = ""] = /\/console\/files\/[^"]+\/discard/.exec(text) ?? [];
  assert.equal((await browser.post(path, {}, discard)).status, 303);
  assert.equal((await upload(browser, path, { file: CSV })).status, 303);
});

test("removals past the limit, or without one, are typed in; those within it are not", async () => {
  const { browser, client, screenerId } = await study();
  const person = (n: number) => ({ externalUid: `P-${n}`, email: `${n}@example.org`, name: "P" });
  const all = Array.from({ length: 6 }, (_, n) => person(n));
  await client.import(screenerId, all);
  let left = all.length;
  for (const [maxRemovals, isTyped] of [
    [null, true],
    [0, true],
    [1, false],
  ] as const) {
    const settings = { importMode: "FULL_SYNC", dryRun: true, maxRemovals };
    const { body } = await client.import(screenerId, all.slice(0, left - 1), settings);
    const path = `/console/jobs/${body.id}`;
    assert.equal((await browser.get(path)).text.includes('name="removals"'), isTyped);
    if (isTyped)
      for (const removals of ["", "2", "yes"])
        assert.equal((await browser.post(path, { removals }, `${path}/apply`)).status, 422, removals);
    assert.equal((await client.all("/screener-participants")).length, left);
    assert.equal((await browser.post(path, { removals: isTyped ? " 1 " : "" }, `${path}/apply`)).status, 303);
    await service.drain();
    left--;
    assert.equal((await client.all("/screener-participants")).length, left);
  }
});

test("a file is its workspace's alone, goes after a day, and when a person is erased", async () => {
  const [mine, theirs] = [await study(), await study()];
  const sent = locationOf(await upload(mine.browser, mine.path, { pasted: CSV.replaceAll(",", "\t"), name: "" }));
  assert.equal((await mine.browser.get(sent)).status, 200);
  assert.equal((await theirs.browser.get(sent)).status, 404);
  assert.equal((await mine.browser.get("/console/files/..%2f..%2fcontrol.sqlite")).status, 404);
  const folder = chosenFilesPath(config.dataDir, mine.client.workspaceId);
  assert.match(readFileSync(join(folder, kept(mine.client).sort()[0]!), "utf8"), /^Person ID\tE-mail/);
  tidy(storesOf(service));
  assert.equal(kept(mine.client).length, 2);
  const yesterday = new Date(Date.now() - 25 * 3_600_000);
  for (const name of kept(mine.client)) utimesSync(join(folder, name), yesterday, yesterday);
  tidy(storesOf(service));
  assert.deepEqual(kept(mine.client), []);
  assert.equal((await mine.browser.get(sent)).status, 404);

  await upload(mine.browser, mine.path, { file: CSV });
  await upload(theirs.browser, theirs.path, { file: CSV });
  const person = { externalUid: "P-9", email: "p9@example.org", name: "P" };
  const { body } = await mine.client.post("/participants", person);
  await mine.client.delete(`/participants/${body.id}`);
  assert.deepEqual([kept(mine.client).length, kept(theirs.client).length], [0, 2]);
});

const wordsOf = ({ text }: PlainAnswer) => text.replace(/<[^>]+>/g, " ").replace(/\s+/g, " ");

test("people are found by a beginning, an attribute, or a study; one has links, a timeline, and what the role may do", async () => {
  const { client, screener, participant, session } = await populate(service, "Found");
  const own = client.workspaceId;
  const viewer = await signedIn(service, own, "viewer", "viewer@example.org");
  const admin = await signedIn(service, own, "admin", "admin@example.org");
  await client.patch(`/participants/${participant}`, { name: "Ada <b>", attributes: { country: "GB" } });
  const found = async (query: string) => {
    const { text } = await viewer.get(`/console/people?${query}`);
    return [...text.matchAll(/console\/people\/[^"]+"><bdi>([^<]+)</g)].map(([, id]) => id);
  };
  assert.deepEqual(await found(""), ["Found-1", "Found-2"]);
  const heading = async (query: string, name: string) => {
    const { text } = await viewer.get(`/console/people?${query}`);
    const [, order, path = ""] = new RegExp(
      `<th scope="col"(?: aria-sort="(\\w+)")?><a class="sorts" href="([^"]+)">${name}`,
    ).exec(text)!;
    return { order, query: path.replaceAll("&amp;", "&").replace(/^.*\?/, "") };
  };
  const up = await heading("key=country&value=GB", "Name");
  assert.deepEqual(up, { order: undefined, query: "key=country&value=GB&sort=name" });
  assert.deepEqual(await found(up.query), ["Found-1"]);
  const down = await heading("sort=externalUid", "Id");
  assert.deepEqual(down, { order: "ascending", query: "sort=-externalUid" });
  assert.deepEqual(await found(down.query), ["Found-2", "Found-1"]);
  assert.equal((await heading(down.query, "Id")).order, "descending");
  assert.deepEqual(await found("q=Found-2"), ["Found-2"]);
  assert.deepEqual(await found("q=found2@"), ["Found-2"]);
  assert.deepEqual(await found("q=found"), ["Found-1", "Found-2"]);
  assert.match(wordsOf(await viewer.get("/console/people?q=found")), / 2 people /);
  assert.deepEqual(await found("q=ada"), ["Found-1"]);
  assert.match(wordsOf(await viewer.get("/console/people?q=%40")), /Type a letter or a digit\./);
  assert.deepEqual(await found(`study=${screener}&q=ADA`), ["Found-1"]);
  assert.deepEqual(await found("key=country&value=GB"), ["Found-1"]);
  assert.deepEqual(await found(`study=${screener}&status=NOT_STARTED`), ["Found-2"]);
  assert.deepEqual(await found(`study=${screener}&q=found@example.org`), ["Found-1", "Found-2"]);
  assert.deepEqual(await found(`study=${screener}&q=found2@example.org`), ["Found-2"]);
  assert.deepEqual(await found(`study=${screener}&q=nobody`), []);
  const list = await admin.get(`/console/people?study=${screener}&status=IN_PROGRESS`);
  const [, file = ""] = /href="(\/console\/people\.csv[^"]+)"/.exec(list.text) ?? [];
  const csv = await admin.get(file.replaceAll("&amp;", "&"));
  assert.match(csv.text, /^[^\n]*\bemail\b[^\n]*\n[^\n]*found@example\.org[^\n]*\n$/);
  assert.equal((await viewer.get(`/console/people.csv?study=${screener}`)).status, 403);
  const unclear = await viewer.get("/console/people?status=QUALIFIED&value=GB");
  assert.equal(unclear.status, 422);
  assert.match(wordsOf(unclear), /Choose the study of the status\. Name the attribute\./);

  const path = `/console/people/${participant}`;
  const shown = wordsOf(await viewer.get(path));
  assert.match(shown, /Ada (?:<|&lt;)b(?:>|&gt;) Id Found-1 Email found@example\.org country GB/);
  assert.match(
    shown,
    /What has happened Found API key changed the name and country of Ada .*\. Name: Found One → .* began to answer .* Found API key gave Ada .* a link to .*\./,
  );
  assert.doesNotMatch(shown, /Erase|Revoke|Create a link/);
  const { linkSlug: slug } = (await client.get(`/screener-sessions/${session}`)).body;
  // Who has a link can answer for the person.
  assert.ok(!shown.includes(slug) && shown.includes("Has a link"));
  assert.ok((await admin.get(path)).text.includes(`/s/${slug}`));
  assert.equal((await viewer.get(`${path}/export.json`)).status, 403);
  const [, other] = await client.all("/participants");
  const elsewhere = `/console/people/${other.id}`;
  assert.equal((await admin.post(path, {}, `${elsewhere}/links/${session}/revoke`)).status, 404);

  assert.equal((await admin.post(path, {}, `${path}/links/${session}/revoke`)).status, 303);
  assert.match(wordsOf(await admin.get(path)), /No open link/);
  const { items } = (await client.get(`/screener-participants?filter[participantId][eq]=${participant}`)).body;
  for (let clicks = 0; clicks < 2; clicks++)
    assert.equal((await admin.post(path, { assignment: items[0].id }, `${path}/links`)).status, 303);
  const open = await client.all(`/screener-sessions?filter[status][eq]=ACTIVE&filter[screenerId][eq]=${screener}`);
  assert.equal(open.length, 1);
  assert.ok((await admin.get(path)).text.includes(open[0].linkSlug));

  const wrong = await admin.post(`${path}/erase`, { confirm: "Found-2" });
  assert.equal(wrong.status, 422);
  assert.match(wrong.text, /value="Found-2"/);
  assert.equal((await client.get(`/participants/${participant}`)).status, 200);
  const erased = await admin.post(`${path}/erase`, { confirm: "Found-1" });
  await service.drain();
  assert.match(wordsOf(await admin.get(locationOf(erased))), /Erasure of a person Done/);
  assert.equal((await viewer.get(path)).status, 404);
});
