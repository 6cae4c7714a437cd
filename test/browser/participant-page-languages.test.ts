// The participants' pages in other languages, on the smallest phone: the words of the page fit, and are in one language. Photographed into
// the folder PICTURES, if that is given.

import assert from "node:assert/strict";
import { test } from "node:test";
import type { Page } from "playwright-core";
import { WORDS } from "../../src/words/languages.ts";
import { openDevice, startBrowser, violations } from "../support/browser.ts";
import { startService } from "../support/service.ts";
import { holdWrites } from "../support/store.ts";
import { invite, publish } from "../support/study.ts";

const { PICTURES } = process.env;
const WIDTH = 320;

const service = await startService();
const browser = await startBrowser();
const client = service.workspace("Acme Research");

const options = (...texts: string[]) => texts.map((text) => ({ text }));

/** A page with questions of all kinds, which has an error at each where nothing is chosen. Names that are the same in all languages. */
const everything = (language: string) => ({
  language,
  pages: [
    {
      title: "Acme",
      questions: [
        {
          key: "day",
          _type: "ScreenerDateQuestion",
          prompt: "1",
          required: true,
          min: "1920-01-31",
          max: "2020-12-31",
        },
        { key: "year", _type: "ScreenerDateQuestion", prompt: "2", required: true, precision: "YEAR" },
        { key: "number", _type: "ScreenerNumericQuestion", prompt: "3", required: true, min: 10_000, max: 99_999.5 },
        { key: "text", _type: "ScreenerTextQuestion", prompt: "4", required: true, minLength: 5, maxLength: 1000 },
        { key: "stars", _type: "ScreenerScaleQuestion", prompt: "5", required: true, look: "STARS" },
        { key: "nps", _type: "ScreenerScaleQuestion", prompt: "6", required: true, look: "NPS" },
        {
          ...{ key: "several", _type: "ScreenerMultiSelectQuestion", prompt: "7", required: true, minChoices: 2 },
          ...{ options: options("A", "B", "C"), allowsWriteIn: true, maxChoices: 3 },
        },
        { key: "one", _type: "ScreenerSingleSelectQuestion", prompt: "8", required: true, options: options("A", "B") },
        {
          ...{ key: "menu", _type: "ScreenerSingleSelectQuestion", prompt: "9", required: true, display: "MENU" },
          ...{ options: options(...Array.from({ length: 25 }, (_, index) => `${index}`)), allowsWriteIn: true },
        },
        {
          ...{ key: "rank", _type: "ScreenerRankingQuestion", prompt: "10", required: true, rankAtLeast: 2 },
          options: options("A", "B", "C"),
        },
        { key: "email", _type: "ScreenerTextQuestion", prompt: "11", required: true, format: "EMAIL" },
        { key: "note", _type: "ScreenerTextQuestion", prompt: "12", required: false },
      ],
    },
    { title: "Acme 2", questions: [{ key: "last", _type: "ScreenerTextQuestion", prompt: "13", required: false }] },
  ],
});

async function look(page: Page, name: string): Promise<void> {
  const width = await page.evaluate("document.documentElement.scrollWidth");
  assert.ok(Number(width) <= WIDTH, `${name}: ${width} px`);
  const cut = await page.evaluate<string[]>(
    `[...document.querySelectorAll("button, summary, legend, label, p, h1, h2")]
       .filter((one) => !one.closest(".unseen, [hidden]") && one.scrollWidth > one.clientWidth + 1 && one.clientWidth > 0)
       .map((one) => one.textContent)`,
  );
  assert.deepEqual(cut, [], `${name}: words are cut off`);
  assert.deepEqual(await violations(page), [], name);
  if (PICTURES) await page.screenshot({ path: `${PICTURES}/${name}.png`, fullPage: true });
}

const small = () => openDevice(browser, service.url, { viewport: { width: WIDTH, height: 640 } });

for (const language of Object.keys(WORDS))
  test(`${language}: every kind of question and page fits a small phone, with errors, too`, async () => {
    const study = await publish(client, everything(language), { title: "Acme" });
    const [link] = await invite(client, study.screener);
    const { device, page } = await small();
    await page.goto(`${service.url}${link!.path}`);
    assert.equal(await page.getAttribute("html", "lang"), language);
    await look(page, `${language}-page`);
    await page.locator(".button").first().click();
    await page.locator(".summary").waitFor();
    assert.equal(await page.locator(".summary li").count(), 11);
    await look(page, `${language}-errors`);
    // Of what is said on a page in another language, nothing is English.
    if (language !== "en") {
      const said = await page.locator("body").innerText();
      assert.doesNotMatch(said, /\b(?:the|choose|enter|write|least|answer|optional)\b/i);
    }
    const release = holdWrites(service, client, { isSeenBusy: true });
    try {
      await page.locator(".button").first().click();
      await page.locator(".summary h2").waitFor();
      await look(page, `${language}-busy`);
    } finally {
      release();
    }
    await client.call("PATCH", `/screeners/${study.screener}`, { body: { opensAt: "2099-06-30T10:00:00Z" } });
    await page.goto(`${service.url}${link!.path}`);
    await look(page, `${language}-not-yet-open`);
    await page.goto(`${service.url}${link!.path}x?lang=${language}`);
    assert.equal(await page.getAttribute("html", "lang"), language);
    await look(page, `${language}-no-link`);
    await device.close();
  });

test("a person chooses among many languages by keyboard, without scripts, and keeps what was typed", async () => {
  const study = await publish(client, everything("en"), { title: "Acme" });
  for (const language of ["de", "ar", "ja", "fr", "zh-Hans"]) {
    const path = `/screeners/${study.screener}/translations/${language}`;
    const strings = [{ id: `page/${study.page.Acme}/title`, text: `Acme ${language}` }];
    assert.equal((await client.call("PATCH", path, { body: { strings } })).status, 200);
  }
  await client.post("/screener-publications", { screenerId: study.screener });
  const [link] = await invite(client, study.screener);
  const { device, page } = await openDevice(browser, service.url, {
    viewport: { width: WIDTH, height: 640 },
    javaScriptEnabled: false,
  });
  await page.goto(`${service.url}${link!.path}`);
  await page.fill(`#answer-${study.question.text}`, "What I typed");
  // The enter key sends the page: it chooses no language.
  await page.press(`#answer-${study.question.text}`, "Enter");
  await page.locator(".summary").waitFor();
  assert.equal(await page.getAttribute("html", "lang"), "en");
  await page.focus("summary");
  await page.keyboard.press("Enter");
  await page.getByRole("button", { name: "العربية" }).focus();
  await page.keyboard.press("Enter");
  await page.locator("html[lang=ar]").waitFor();
  assert.equal(await page.getAttribute("html", "dir"), "rtl");
  assert.equal(await page.inputValue(`#answer-${study.question.text}`), "What I typed");
  assert.equal(await page.locator("h1").innerText(), "Acme ar");
  if (PICTURES) await page.screenshot({ path: `${PICTURES}/choice-ar.png`, fullPage: true });
  await device.close();
  const shown = await small();
  await shown.page.goto(`${service.url}${link!.path}`);
  await shown.page.locator("summary").click();
  await look(shown.page, "choice-open");
  await shown.device.close();
});
