// The tour: a person who knows nothing, and reads no documentation, comes from the first start to a qualified answer. It sees the
// visible texts alone, and clicks what the three steps on the first page say.

import assert from "node:assert/strict";
import { test } from "node:test";
import type { Locator, Page } from "playwright-core";
import { devices, openDevice, startBrowser } from "../support/browser.ts";
import { PASSWORD } from "../support/console.ts";
import { install } from "../support/process.ts";
import { until } from "../support/until.ts";

const MAX_CLICKS = 25;

const installation = install();
const web = await installation.web();
await web.says(/A first workspace is ready/);
const browser = await startBrowser();

let clicks = 0;

/** Clicks what has a text, and can be clicked. */
async function click(page: Page, text: string | RegExp, among: Locator = page.locator("body")): Promise<void> {
  clicks++;
  await among.locator("a, button, label, summary").filter({ hasText: text }).filter({ visible: true }).first().click();
}

/** Writes into the field that has a text. */
async function write(page: Page, label: string, text: string): Promise<void> {
  await page.getByLabel(label, { exact: true }).filter({ visible: true }).fill(text);
}

/** The step that is next: it is a link. */
async function nextStep(page: Page): Promise<string> {
  const step = page
    .getByRole("listitem")
    .filter({ hasText: /it\b|study/ })
    .getByRole("link");
  return (
    await page.getByRole("region", { name: "From nothing to the first answer" }).locator(step).innerText()
  ).trim();
}

test(`from the first start to a qualified answer, with at most ${MAX_CLICKS} clicks`, async () => {
  const { page } = await openDevice(browser, web.url);
  await page.goto(web.url + /\/console\/sign-in\/[\w-]{43}/.exec(installation.firstCredentials().text)![0]);
  await write(page, "Your name", "Ada Lovelace");
  await write(page, "Your email", "ada@example.org");
  await write(page, "Password", PASSWORD);
  await write(page, "The same password again", PASSWORD);
  await click(page, "Save, and sign in");

  // The first step.
  await click(page, await nextStep(page));
  await write(page, "Title", "Our product");
  await click(page, "Customer interview");
  await click(page, "Make the study");
  await page.getByText("Saved", { exact: true }).waitFor();

  // The second one: all the way back to the steps.
  await click(page, "Studies");
  await click(page, await nextStep(page));
  await click(page, /^Publish$/, page.getByRole("main").locator("form"));
  await page.getByText("Version 1 is live").waitFor();

  // The third one.
  await click(page, "Studies");
  await click(page, await nextStep(page));
  await click(page, "Create an open link");
  const link = (
    await page
      .getByText(/^https?:\/\/\S+$/)
      .first()
      .innerText()
  ).trim();
  assert.ok(await page.getByAltText(/^QR code/).isVisible());

  // Somebody answers.
  const phone = (await openDevice(browser, web.url, devices.phone)).page;
  await phone.goto(web.url + new URL(link).pathname);
  await write(phone, "How old are you?", "34");
  await click(phone, "Every week");
  await click(phone, "None of these");
  // Who sends a first page within a second is asked to look again: people take longer.
  await until(() => phone.evaluate<boolean>("performance.now() > 1200"), "the page was read");
  await click(phone, "Continue");
  await click(phone, /^9$/);
  await phone.getByLabel("Tell us about the last time that you used it.").fill("Yesterday, at home");
  await click(phone, "At the weekend");
  await click(phone, "Finish");
  await phone.getByText("Thank you!").waitFor();

  // The steps have gone, and the study has an answer.
  await click(page, "Studies");
  const figures = page.getByRole("listitem").filter({ hasText: "Our product" });
  assert.match(await figures.innerText(), /Qualified\s+1\b/);
  assert.equal(await page.getByText("From nothing to the first answer").count(), 0);
  console.log(`${clicks} clicks`);
  assert.ok(clicks <= MAX_CLICKS, `${clicks} clicks`);
});
