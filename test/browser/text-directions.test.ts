// Where only some texts are translated, each text of the author runs in the direction of its own language, whatever is around it.

import assert from "node:assert/strict";
import { test } from "node:test";
import type { Page } from "playwright-core";
import { openDevice, startBrowser } from "../support/browser.ts";
import { type AuthorLanguage, everyType } from "../support/every-type.ts";
import { png } from "../support/images.ts";
import { sharedService } from "../support/service.ts";
import { invite, publish } from "../support/study.ts";

const service = await sharedService();
const browser = await startBrowser();
const client = service.workspace("Acme Research");

/** Every third text is translated; these differ in where they begin. */
const STEP = 3;

type Directions = Record<string, "ltr" | "rtl">;

/** The directions of elements that have one of these texts, and nothing else, and how many of the texts there are. */
async function wrongIn(page: Page, expected: Directions): Promise<{ wrong: string[]; found: number }> {
  const script = (texts: Directions) => {
    const wrong: string[] = [];
    const found = new Set<string>();
    // Browsers draw options of menus by themselves.
    const walker = document.createTreeWalker(document.querySelector("main")!, NodeFilter.SHOW_TEXT);
    while (walker.nextNode()) {
      const element = walker.currentNode.parentElement!;
      const text = walker.currentNode.textContent!.trim();
      if (!Object.hasOwn(texts, text) || /^\d$/.test(text) || element.closest("option, .languages")) continue;
      found.add(text);
      const { direction } = getComputedStyle(element);
      if (direction !== texts[text]) wrong.push(`${text}: ${direction}`);
    }
    return { wrong, found: found.size };
  };
  return page.evaluate(script, expected);
}

for (const [base, other] of [
  ["en", "ar"],
  ["ar", "en"],
] as const)
  test(`each text runs in the direction of its language on a page in ${other}, of a study in ${base}`, async () => {
    const { id: image } = (await client.post("/workspace/images", { file: (await png(24, 16)).toString("base64") }))
      .body;
    const content = everyType(base, { id: image });
    const helped = content.pages.map((page) => ({
      ...page,
      questions: page.questions.map((question, index) =>
        "prompt" in question ? { ...question, helpText: inLanguage(base, `help ${index}`) } : question,
      ),
    }));
    const direction = (language: string) => (language === "ar" ? "rtl" : "ltr");
    for (let from = 0; from < STEP; from++) {
      const study = await publish(client, { ...content, pages: helped });
      const path = `/screeners/${study.screener}/translations/${other}`;
      const { strings } = (await client.get(path)).body as { strings: { id: string; source: string }[] };
      const chosen = strings.filter((_, index) => index % STEP === from);
      const texts = chosen.map(({ id }) => ({ id, text: inLanguage(other, id) }));
      const patched = await client.call("PATCH", path, { body: { strings: texts } });
      assert.equal(patched.status, 200, patched.text);
      await client.post("/screener-publications", { screenerId: study.screener });
      const [link] = await invite(client, study.screener);
      const expected = Object.fromEntries([
        ...strings.filter((one) => !chosen.includes(one)).map(({ source }) => [source, direction(base)] as const),
        ...texts.map(({ text }) => [text, direction(other)] as const),
      ]);
      const { device, page } = await openDevice(browser, service.url);
      await page.goto(`${service.url}${link!.path}?lang=${other}`);
      assert.equal(await page.getAttribute("html", "dir"), direction(other));
      const asked = await wrongIn(page, expected);
      assert.deepEqual(asked.wrong, []);
      assert.ok(asked.found > 30, `${asked.found} texts are there`);
      // Without it, nothing else is asked.
      await page.locator("input[type=checkbox]").first().check();
      await page.locator(".button").first().click();
      await page.locator(".summary").waitFor();
      assert.deepEqual((await wrongIn(page, expected)).wrong, []);
      await device.close();
    }
  });

/** Words that begin as words of the other direction do, as the names of products may: only their language says how they run. */
function inLanguage(language: AuthorLanguage, about: string): string {
  return language === "ar" ? `WhatsApp أو هاتف؟ ${about}` : `واتساب or WhatsApp? ${about}`;
}
