// A study in three languages, from the builder's draft to answers in Arabic on a phone.

import assert from "node:assert/strict";
import { test } from "node:test";
import { startBrowser, violations } from "../support/browser.ts";
import { enterConsole } from "../support/console-browser.ts";
import { startService } from "../support/service.ts";
import { withTargets } from "../support/translations.ts";

const service = await startService();
const browser = await startBrowser();
const client = service.workspace();

const PROMPT = "What do you **drink**, {{attribute:name|friend}}?";
const CONTENT = {
  markup: "MARKDOWN",
  pages: [
    {
      title: "About you",
      questions: [
        {
          _type: "ScreenerSingleSelectQuestion",
          key: "drink",
          prompt: PROMPT,
          required: true,
          options: [{ text: "Tea" }, { text: "Milk" }],
        },
      ],
    },
  ],
  thankYou: "Thank you",
};

const ARABIC: Record<string, string> = {
  Drinks: "مشروبات",
  "About you": "عنك",
  [PROMPT]: "ماذا **تشرب** يا {{attribute:name|صديقي}}؟",
  Tea: "شاي",
  Milk: "حليب",
  "Thank you": "شكرا لك",
};

test("a study in three languages: XLIFF out and in, a stale text, publishing, and answers in Arabic on a phone", async () => {
  const { body: screener } = await client.post("/screeners", { title: "Drinks" });
  const { body: draft } = await client.call("PUT", `/screeners/${screener.id}/content`, { body: CONTENT });
  const phone = { viewport: { width: 360, height: 740 }, acceptDownloads: true };
  const { page, device } = await enterConsole(browser, service, client, "ada@example.org", phone);
  const looksRight = async (what: string) => {
    assert.equal(await page.evaluate("document.documentElement.scrollWidth"), 360, what);
    assert.deepEqual(await violations(page), [], what);
  };
  const at = `${service.url}/console/studies/${screener.id}`;
  await page.goto(`${at}/languages`);
  await page.getByLabel("Language", { exact: true }).fill("Deutsch");
  await page.getByRole("button", { name: "Add the language" }).click();
  await page.getByText("Language must be a language such as en, de-AT or zh-Hans").first().waitFor();
  await looksRight("a language that is none");
  for (const language of ["de", "ar"]) {
    await page.goto(`${at}/languages`);
    await page.getByLabel("Language", { exact: true }).fill(language);
    await page.getByRole("button", { name: "Add the language" }).click();
    await page.waitForURL(`**/languages/${language}`);
  }
  await page.getByText("From English (en). 0 of 6 texts translated, 6 missing.").waitFor();
  await page.getByLabel("Translation of text 1", { exact: true }).fill("شراب");
  await page.getByRole("button", { name: "Save", exact: true }).click();
  await page.getByText("Saved 1 text.").waitFor();
  await looksRight("a table");

  // What is broken on the way is refused, and the rest with it.
  const [download] = await Promise.all([
    page.waitForEvent("download"),
    page.getByRole("link", { name: "Download XLIFF" }).click(),
  ]);
  const xliff = await streamOf(await download.createReadStream());
  const send = async (file: string) => {
    const buffer = Buffer.from(file);
    await page
      .getByLabel("Translated file")
      .setInputFiles({ name: "ar.xlf", mimeType: "application/xliff+xml", buffer });
    await page.getByRole("button", { name: "Look at the file" }).click();
  };
  await send(withTargets(xliff, (source) => (source === PROMPT ? "ماذا تشرب؟" : ARABIC[source])));
  await page.getByText("Must have the placeholder {{attribute:name|…}}").first().waitFor();
  await looksRight("a file with a broken placeholder");
  const list = page.getByRole("region", { name: "What is wrong in ar.xlf" });
  await page.setViewportSize({ width: 320, height: 640 });
  assert.equal(await page.evaluate("document.documentElement.scrollWidth"), 320, "a broken file");
  assert.deepEqual(await violations(page), []);
  const [, ...lines] = await list.getByRole("row").allInnerTexts();
  assert.equal(lines.length, 1, lines.join());
  assert.match(
    lines[0]!,
    /page 1, question 1[\s\S]*Line \d+[\s\S]*Must have the placeholder \{\{attribute:name\|…\}\}\./,
  );
  await list.getByRole("link", { name: PROMPT }).click();
  await page.waitForURL(/languages\/ar#text-\d+$/);
  assert.equal(await page.locator("textarea:target").count(), 1);
  await page.setViewportSize(phone.viewport);
  await send(withTargets(xliff, (source) => ARABIC[source]));
  await page.getByText("6 texts change. Nothing is saved yet.").waitFor();
  await looksRight("what a file changes");
  await page.getByRole("button", { name: "Take these changes" }).click();
  await page.getByText("6 of 6 texts translated.").waitFor();

  // A text that changes makes its translation stale, until somebody says that it fits.
  draft.pages[0].title = "About yourself";
  await client.call("PUT", `/screeners/${screener.id}/content`, { body: draft });
  await page.goto(`${at}/languages/ar?show=stale`);
  await page.getByText("5 of 6 texts translated, 1 stale.").waitFor();
  await looksRight("a stale text");
  await page.goto(`${at}/publish`);
  await page.getByText("5 of 6 texts translated, 1 stale").waitFor();
  await page.getByLabel("Only if all texts are translated to ar, de").check();
  await page.getByRole("button", { name: "Publish" }).click();
  await page.getByText("Not all texts are translated, so nothing is published").waitFor();
  await looksRight("a draft that is not translated");
  await page.goto(`${at}/languages/ar?show=stale`);
  await page.getByLabel("It fits the text as it is now").check();
  await page.getByRole("button", { name: "Save", exact: true }).click();
  await page.getByText("6 of 6 texts translated.").waitFor();
  await page.goto(`${at}/languages/de`);
  await page.getByRole("button", { name: "Delete the language" }).click();
  await page.waitForURL("**/languages");
  await page.goto(`${at}/publish`);
  await page.getByLabel("Only if all texts are translated to ar").check();
  await page.getByRole("button", { name: "Publish" }).click();
  await page.getByText("Version 1 is live").waitFor();

  // A person answers in Arabic. What is kept is in the study's own language.
  const imported = await client.import(screener.id, [{ externalUid: "P-1", email: "a@example.org", name: "A" }]);
  const { body: session } = await client.open(imported.body[0].id);
  await page.goto(`${service.url}${new URL(session.screenerSessionLink).pathname}?lang=ar`);
  assert.deepEqual(await page.evaluate("[document.documentElement.lang, document.documentElement.dir]"), ["ar", "rtl"]);
  await page.getByText("تشرب").first().waitFor();
  await looksRight("a page in Arabic");
  await page.getByLabel("حليب").check();
  await page.locator("button.button").first().click();
  await page.getByText("شكرا لك").waitFor();
  await looksRight("the end in Arabic");
  const [response] = await client.all(`/screener-responses?filter[screenerId][eq]=${screener.id}`);
  const [, milk] = draft.pages[0].questions[0].options;
  assert.deepEqual(
    [response?.screenerQuestionPrompt, response?.answer],
    [PROMPT, [{ optionId: milk.id, text: "Milk", isWriteIn: false }]],
  );
  assert.equal((await client.get(`/screener-sessions/${session.id}`)).body.language, "ar");
  await device.close();
});

async function streamOf(stream: AsyncIterable<Uint8Array>): Promise<string> {
  const pieces: Uint8Array[] = [];
  for await (const piece of stream) pieces.push(piece);
  return Buffer.concat(pieces).toString("utf8");
}
