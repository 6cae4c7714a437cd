// The words of participants' pages in any language, as a workspace or a study has them.

import assert from "node:assert/strict";
import { test } from "node:test";
import { plain } from "../support/http.ts";
import { sharedService } from "../support/service.ts";
import { invite, publish } from "../support/study.ts";

const service = await sharedService();
const client = service.workspace("Acme Research");

const content = (language: string) => ({
  language,
  pages: [
    {
      title: "Sleep",
      questions: [
        {
          key: "hours",
          _type: "ScreenerMultiSelectQuestion",
          prompt: "Hours?",
          required: true,
          minChoices: 2,
          options: [{ text: "A" }, { text: "B" }, { text: "C" }],
        },
      ],
    },
    { title: "Dreams", questions: [{ key: "dream", _type: "ScreenerTextQuestion", prompt: "Dreams?" }] },
  ],
});

interface Word {
  key: string;
  text: string;
  source: string;
  isOwn: boolean;
}

async function pageOf(language: string, before?: (screener: string) => Promise<unknown>): Promise<string> {
  const study = await publish(client, content(language));
  await before?.(study.screener);
  const [link] = await invite(client, study.screener);
  return (await plain(service.url, { method: "GET", path: link!.path })).text;
}

const put = (path: string, words: object[], headers = {}) => client.call("PUT", path, { body: { words }, headers });

test("the languages and all words of each can be read", async () => {
  const { body } = await client.get("/workspace/words");
  assert.deepEqual(body.items[0], {
    _type: "PageLanguage",
    language: "en",
    direction: "ltr",
    isBuiltIn: true,
    ownTexts: 0,
  });
  assert.equal(body.items.length, 12);
  const arabic = (await client.get("/workspace/words/ar")).body;
  assert.equal(arabic.direction, "rtl");
  const forms = arabic.words.filter(({ key }: Word) => key.startsWith("problems.")).map(({ key }: Word) => key);
  assert.deepEqual(
    forms,
    ["zero", "one", "two", "few", "many", "other"].map((form) => `problems.${form}`),
  );
  // A language without words has those of English, in its own plural forms.
  const danish = (await client.get("/workspace/words/da")).body;
  assert.equal(danish.words.find(({ key }: Word) => key === "continue").text, "Continue");
  assert.equal((await client.get("/workspace/words/de-at")).body.language, "de-AT");
  assert.equal((await client.get("/workspace/words/german")).status, 400);
});

test("a workspace gives words to a language that the service does not speak, and the rest stays English", async () => {
  const words = [
    { key: "continue", text: "Fortsæt" },
    { key: "pageOf", text: "Side {number} af {total}" },
    { key: "chooseAtLeast.other", text: "Vælg mindst {count}" },
  ];
  const { status, body, headers } = await put("/workspace/words/da", words);
  assert.equal(status, 200);
  assert.equal(body.words.filter(({ isOwn }: Word) => isOwn).length, 3);
  const page = await pageOf("da");
  assert.match(page, /<html lang="da" dir="ltr">/);
  assert.match(page, />Fortsæt<\/button>/);
  assert.match(page, /Side 1 af 2/);
  assert.match(page, /Vælg mindst 2/);
  const { items } = (await client.get("/workspace/words")).body;
  assert.deepEqual(items.at(-1), {
    _type: "PageLanguage",
    language: "da",
    direction: "ltr",
    isBuiltIn: false,
    ownTexts: 3,
  });
  // What was read can be sent back; and an older state can't be written over a newer one.
  const again = await client.call("PUT", "/workspace/words/da", {
    body,
    headers: { "If-Match": headers.get("etag")! },
  });
  assert.deepEqual(again.body, body);
  assert.equal((await put("/workspace/words/da", [])).status, 200);
  assert.equal((await put("/workspace/words/da", words, { "If-Match": headers.get("etag")! })).status, 412);
  assert.match(await pageOf("da"), /<html lang="en" dir="ltr">/);
});

test("a study's own words come before the workspace's, and these before the service's", async () => {
  await put("/workspace/words/de", [
    { key: "continue", text: "Nächste Seite" },
    { key: "privacy", text: "Ihre Daten" },
  ]);
  const page = await pageOf("de-AT", async (screener) => {
    const path = `/screeners/${screener}/words/de`;
    const { body } = await put(path, [{ key: "pageOf", text: "{number} / {total}" }]);
    assert.deepEqual(
      body.words.filter(({ isOwn }: Word) => isOwn).map(({ key }: Word) => key),
      ["pageOf"],
    );
    // Here the workspace's are what the pages would say anyway.
    assert.equal(body.words.find(({ key }: Word) => key === "continue").text, "Nächste Seite");
  });
  assert.match(page, />Nächste Seite<\/button>/);
  assert.match(page, /<p id="progress">1 \/ 2</);
  assert.match(page, /Wählen Sie mindestens 2 aus/);
  assert.match(await pageOf("de"), /Seite 1 von 2/, "another study has the service's");
  await put("/workspace/words/de", []);
  const log = (await client.get("/events?filter[type][eq]=workspace.updated&pagination[limit]=500")).body.items;
  assert.ok(
    log.some(({ changes }: { changes: { field: string }[] }) =>
      changes.some(({ field }) => field === "words.de.continue"),
    ),
  );
});

test("wrong words are refused, all at once", async () => {
  const { status, body } = await put("/workspace/words/de", [
    { key: "contineu", text: "Weiter" },
    { key: "pageOf", text: "Seite {number}" },
    { key: "pageOf", text: "Seite {number} von {total}" },
    { key: "problems.few", text: "{count} Probleme" },
    { key: "problems.one", text: "Ein Problem" },
    { key: "problems.other", text: "Probleme" },
    { key: "finish", text: "Fertig, {name}" },
    { key: "back", text: " " },
  ]);
  assert.equal(status, 400);
  assert.deepEqual(
    body.errors.map(({ pointer, message }: { pointer: string; message: string }) => `${pointer} ${message}`).sort(),
    [
      "/words/0/key is not known; did you mean continue?",
      "/words/1/text must have {total}",
      "/words/2/key is given twice",
      "/words/3/key is not known; did you mean problems.one?",
      "/words/5/text must have {count}",
      "/words/6/text must not have {name}, which stands for nothing here",
      "/words/7/text is required",
    ],
  );
  assert.equal((await client.get("/screeners/019a0000-0000-7000-8000-000000000000/words/de")).status, 404);
});
