// Translations as files: what goes out as CSV, XLIFF or JSON comes back as it was, and what is broken on the way is refused with its place.

import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import type { Answer, Client } from "../support/client.ts";
import { sharedService } from "../support/service.ts";
import { unitsOf, withTargets } from "../support/translations.ts";

const service = await sharedService();

const XLIFF = "application/xliff+xml";
const CSV = "text/csv";
const TYPES = [CSV, XLIFF, "application/json"];

const LINK = "[our list](https://example.org/drinks)";
const PROMPT = `What do you **drink**, {{attribute:name|friend}}? See ${LINK}.`;

interface Study {
  client: Client;
  path: string;
  id: string;
}

async function study(texts: string[] = ["Tea", "Milk"]): Promise<Study> {
  const client = service.workspace();
  const { body } = await client.post("/screeners", { title: "Sleep study" });
  const path = `/screeners/${body.id}`;
  const options = texts.map((text) => ({ text }));
  const question = { _type: "ScreenerMultiSelectQuestion", prompt: PROMPT, options };
  const put = await client.call("PUT", `${path}/content`, {
    body: { pages: [{ questions: [question] }], markup: "MARKDOWN" },
  });
  assert.equal(put.status, 200, put.text);
  return { client, path, id: body.id };
}

const get = ({ client, path }: Study, type: string, language = "de") =>
  client.call("GET", `${path}/translations/${language}`, { headers: { Accept: type } });

function put(
  { client, path }: Study,
  type: string,
  raw: string | Uint8Array,
  query = "",
  language = "de",
): Promise<Answer> {
  return client.call("PUT", `${path}/translations/${language}${query}`, { raw, headers: { "Content-Type": type } });
}

async function textsOf(of: Study, language = "de"): Promise<Record<string, [string | null, string]>> {
  const { body } = await get(of, "application/json", language);
  return Object.fromEntries(
    body.strings.map(({ source, text, state }: Record<string, string>) => [source, [text, state]]),
  );
}

const GERMAN: Record<string, string> = {
  "Sleep study": "Schlafstudie",
  [PROMPT]: "Was **trinken** Sie, {{attribute:name|Freund}}? Siehe [unsere Liste](https://example.org/drinks).",
  Tea: "Tee & „Kräuter“",
  Milk: "Milch <kalt>",
};

test("an XLIFF is translated and comes back; first it says what would change", async () => {
  const of = await study();
  const exported = await get(of, XLIFF);
  assert.equal(exported.status, 200);
  assert.match(exported.headers.get("content-disposition") ?? "", /filename="Sleep-study-de-\d{4}-\d\d-\d\d\.xliff"/);
  assert.match(
    exported.text,
    /<xliff xmlns="urn:oasis:names:tc:xliff:document:2\.0" version="2\.0" srcLang="en" trgLang="de">/,
  );
  assert.deepEqual(
    unitsOf(exported.text).map(({ source, target, state }) => [source, target, state]),
    ["Sleep study", PROMPT, "Tea", "Milk"].map((source) => [source, undefined, "initial"]),
  );
  const file = withTargets(exported.text, (source) => GERMAN[source]);
  const dry = await put(of, XLIFF, file, "?dryRun=true");
  assert.deepEqual([dry.status, dry.body.dryRun], [200, true], dry.text);
  assert.deepEqual((await textsOf(of)).Tea, [null, "MISSING"]);
  const done = await put(of, XLIFF, file);
  assert.deepEqual({ ...done.body, dryRun: true }, dry.body);
  assert.deepEqual(
    done.body.changes.map(({ from, to, state }: Record<string, string>) => [from, to, state]),
    Object.values(GERMAN).map((text) => [null, text, "DONE"]),
  );
  assert.deepEqual(
    Object.entries(await textsOf(of)).map(([source, [text]]) => [source, text]),
    Object.entries(GERMAN),
  );
});

test("a broken placeholder or link is refused with its line, and nothing of the file is taken", async () => {
  const of = await study();
  const wrong = "Was trinken Sie, {{attribute:Name|Freund}}? Siehe unsere Liste.";
  for (const type of [XLIFF, CSV]) {
    const exported = await get(of, type);
    const file =
      type === XLIFF
        ? withTargets(exported.text, (source) => (source === PROMPT ? wrong : GERMAN[source]))
        : exported.text
            .replace(`${PROMPT}",,MISSING`, `${PROMPT}","${wrong}",DONE`)
            .replace("Tea,,MISSING", "Tea,Tee,DONE");
    const refused = await put(of, type, file);
    assert.equal(refused.status, 400, type);
    assert.equal(refused.body.errorCount, 1);
    const [error] = refused.body.errors;
    assert.match(error.pointer, /^\/question\/[0-9a-f-]+\/prompt$/);
    assert.equal(
      error.message,
      "must have the placeholder {{attribute:name|…}}; must have the link to https://example.org/drinks; " +
        "must not have the placeholder {{attribute:Name|…}}",
    );
    const line = file.split(/\r?\n/).findIndex((one) => one.includes(wrong)) + 1;
    assert.equal(error.line, line);
    assert.deepEqual((await textsOf(of)).Tea, [null, "MISSING"]);
  }
});

test("a source that is wrong is all that is said of a text that lacks what another source has", async () => {
  const of = await study();
  const { body } = await get(of, "application/json");
  const { id } = body.strings.find(({ source }: { source: string }) => source === PROMPT);
  const errorsOf = async (source: unknown) => {
    const file = JSON.stringify({ strings: [{ id, text: "Was trinken Sie?", source }] });
    const refused = await put(of, "application/json", file);
    return [refused.status, (refused.body.errors ?? []).map(({ pointer }: { pointer: string }) => pointer)];
  };
  assert.deepEqual(await errorsOf(undefined), [400, ["/strings/0"]]);
  assert.deepEqual(await errorsOf("What do you drink?"), [200, []]);
  assert.deepEqual(await errorsOf(5), [400, ["/strings/0/source"]]);
});

test("a stale text that comes back as it was stays stale, unless the file says that it fits", async () => {
  const of = await study();
  await put(
    of,
    XLIFF,
    withTargets((await get(of, XLIFF)).text, (source) => GERMAN[source]),
  );
  const { client, path } = of;
  const { body: draft } = await client.get(`${path}/content`);
  draft.pages[0].questions[0].options[0].text = "Black tea";
  const old = await get(of, XLIFF);
  await client.call("PUT", `${path}/content`, { body: draft });
  for (const type of TYPES) {
    const same = await get(of, type);
    const back = await put(of, type, same.text);
    assert.deepEqual([back.status, back.body.changes, back.body.ignored], [200, [], []], `${type} ${back.text}`);
  }
  assert.equal((await textsOf(of))["Black tea"]?.[1], "STALE");
  const csv = (await get(of, CSV)).text;
  const fits = await put(of, CSV, csv.replace("STALE", "DONE"));
  assert.deepEqual(
    fits.body.changes.map(({ source, state }: Record<string, string>) => [source, state]),
    [["Black tea", "DONE"]],
  );
  // A file from before the change has another translation of the former text: there is one of the present text.
  const late = await put(of, XLIFF, old.text.replace("Tee &amp;", "Tee und"));
  assert.deepEqual(
    late.body.ignored.map(({ reason }: { reason: string }) => reason),
    ["MADE_FROM_FORMER_TEXT"],
  );
  // And a text that is gone is passed over.
  draft.pages[0].questions[0].options.pop();
  await client.call("PUT", `${path}/content`, { body: draft });
  const gone = await put(of, CSV, csv.replace("Milch <kalt>", "Milch"));
  assert.deepEqual(
    gone.body.ignored.map(({ reason }: { reason: string }) => reason),
    ["NOT_IN_DRAFT"],
  );
});

test("a CSV comes back from spreadsheets that use semicolons, UTF-16 or another order of columns", async () => {
  const of = await study();
  const texts = await get(of, "application/json");
  const [title] = texts.body.strings;
  const rows: [Uint8Array | string, string][] = [
    [`text;id\r\nSchlaf; ${title.id}\r\n`, "Schlaf"],
    [Buffer.from(`\uFEFFid\ttext\n${title.id}\tSchlaf 2\n`, "utf16le"), "Schlaf 2"],
    [`id,note,text\n\n${title.id},,"Schlaf, ""3"""`, 'Schlaf, "3"'],
    [`id,text\n${title.id},'=Schlaf`, "=Schlaf"],
  ];
  for (const [raw, text] of rows) {
    const { status, text: reply } = await put(of, CSV, raw);
    assert.equal(status, 200, reply);
    assert.deepEqual((await textsOf(of))["Sleep study"], [text, "DONE"]);
  }
  const wrong: [string | Uint8Array, RegExp][] = [
    ["id;texts\r\na;b", /^lacks the column text; is it texts\?$/],
    ['id,text\n"a', /^is no CSV/],
    [Buffer.from("id,text\ntitle,Schl\xe4fer", "latin1"), /^must be in UTF-8/],
    ["", /^lacks the column id$/],
  ];
  for (const [raw, message] of wrong) {
    const { status, body } = await put(of, CSV, raw);
    assert.equal(status, 400, String(raw));
    assert.match(body.errors[0].message, message);
  }
});

const head = (more = "", languages = 'srcLang="en" trgLang="de"') =>
  `<?xml version="1.0"?>${more}<xliff xmlns="urn:oasis:names:tc:xliff:document:2.0" version="2.0" ${languages}><file id="f">`;
const unit = (inner: string) => `<unit id="title">${inner}</unit></file></xliff>`;
const segment = (target: string) => `<segment><source>Sleep study</source><target>${target}</target></segment>`;

test("an XLIFF that is none, is for other languages, or is made to do harm is refused", async () => {
  const of = await study();
  const bomb = '<!DOCTYPE x [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;">]>';
  const cases: [string | Uint8Array, RegExp][] = [
    [head(bomb) + unit(segment("&b;")), /^must not have a document type$/],
    [head('<!DOCTYPE x SYSTEM "file:///etc/passwd">') + unit(segment("x")), /^must not have a document type$/],
    [head() + unit(segment("&c;")), /^is no XML: .*undefined entity/],
    [head() + unit(segment("<b>x</b>")), /^has the element b in a text: see line 1$/],
    [`${head()}<unit>`, /^has a unit without id/],
    [head() + unit("<segment>"), /^is no XML/],
    ["", /^is no XML|^has no element/],
    ["<html/>", /^must be XLIFF 2/],
    ['<xliff version="1.2" xmlns="urn:oasis:names:tc:xliff:document:1.2"/>', /^must be XLIFF 2/],
    [head("", 'srcLang="fr" trgLang="de"') + unit(""), /^is from fr, but the texts of the study are in en$/],
    [head("", 'srcLang="en" trgLang="pl"') + unit(""), /^is in pl, and not in de$/],
    [Buffer.from(`${head()}\xff`, "latin1"), /^must be in UTF-8$/],
    ["<a>".repeat(100_000), /^must be XLIFF 2|^has elements that are too deep/],
    [head() + "<group id='g'>".repeat(100_000), /^has elements that are too deep/],
  ];
  for (const [raw, message] of cases) {
    const { status, body } = await put(of, XLIFF, raw);
    assert.equal(status, 400, String(raw).slice(0, 300));
    assert.match(body.errors[0].message, message);
  }
  const large = await put(of, XLIFF, Buffer.alloc(65 * 1024 * 1024, 32));
  assert.equal(large.status, 413);
});

test("an XLIFF may come back with segments, marks, matches and references of its program", async () => {
  const of = await study();
  const file =
    head() +
    unit(
      '<mtc:matches xmlns:mtc="urn:oasis:names:tc:xliff:matches:2.0"><mtc:match ref="#1"><source>A</source><target>B</target></mtc:match></mtc:matches>' +
        "<notes><note>Sleep</note></notes>" +
        '<segment state="final"><source>Sleep</source><target>Schlaf<mrk id="m">-</mrk></target></segment>' +
        "<ignorable><source> </source></ignorable>" +
        "<segment><source>study</source><target><![CDATA[<Studie>]]>&#x21;</target></segment>",
    );
  assert.equal((await put(of, XLIFF, file)).status, 200);
  assert.deepEqual((await textsOf(of))["Sleep study"], ["Schlaf- <Studie>!", "DONE"]);
});

test("whatever the texts are, what goes out comes back without a change", async () => {
  const signs = [
    "'",
    '"',
    "=",
    "+",
    "@",
    ";",
    ",",
    "\t",
    "\n",
    "\r\n",
    "\r",
    "&",
    "<",
    "]]>",
    "{{",
    "}}",
    "|",
    "*",
    "\u0001",
    "\uFFFE",
    "\u202E",
    "ق",
    "𝄞",
    " ",
    "-",
  ];
  const wild = fc.oneof(
    fc.string({ unit: fc.constantFrom(...signs, "a"), minLength: 1, maxLength: 12 }),
    fc.string({ unit: "grapheme", minLength: 1, maxLength: 20 }),
  );
  const clean = wild.filter((text) => text.trim() !== "" && !text.includes("\0") && text.isWellFormed());
  // As a translation has it.
  const read = (text: string) => text.replaceAll(/\r\n?/g, "\n").trim();
  await fc.assert(
    fc.asyncProperty(
      fc.uniqueArray(clean, { minLength: 1, maxLength: 8, selector: read }),
      clean,
      async (texts, other) => {
        fc.pre(!texts.map(read).includes(read(other)));
        const of = await study(texts);
        const { body } = await get(of, "application/json");
        const strings = body.strings
          .filter(({ path }: { path: string }) => path.includes("options"))
          .map(({ id, source }: { id: string; source: string }, index: number) => ({
            id,
            // No two are the same.
            text: index % 2 ? source : `${index || ""}${other}`,
          }));
        const sent = await of.client.call("PATCH", `${of.path}/translations/de`, { body: { strings } });
        // Two texts may differ in what must stay of them.
        if (sent.status === 400)
          return assert.match(sent.body.errors[0].message, /must (?:not )?have the (?:link|placeholder)/);
        const before = await get(of, "application/json");
        for (const type of TYPES) {
          const back = await put(of, type, (await get(of, type)).bytes);
          assert.deepEqual([back.status, back.body.changes], [200, []], `${type}: ${back.text}`);
        }
        assert.equal((await get(of, "application/json")).text, before.text);
        // Another study gets the same texts from the file.
        const xliff = (await get(of, XLIFF)).text;
        const units = unitsOf(xliff).filter(({ target }) => target !== undefined);
        const kept = new Map(before.body.strings.map(({ id, text }: Record<string, string>) => [id, text]));
        for (const { name, target } of units) assert.equal(target, kept.get(name));
      },
    ),
    { numRuns: 40 },
  );
});

test("a CSV that an older program has saved in Windows-1252 is read when its charset says so", async () => {
  const of = await study();
  const { text } = await get(of, CSV);
  const [, id] = /^([^,]+),[^,]+,Tea,/m.exec(text)!;
  const file = Buffer.from(`id;text\n${id};Käsewürfel\n`, "latin1");
  const unsaid = await put(of, CSV, file);
  assert.equal(unsaid.status, 400, unsaid.text);
  const said = await put(of, `${CSV}; charset=windows-1252`, file);
  assert.equal(said.status, 200, said.text);
  assert.deepEqual((await textsOf(of)).Tea, ["Käsewürfel", "DONE"]);
});
