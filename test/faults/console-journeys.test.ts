// Four journeys through the console in a real browser, from an empty data directory, each photographed: a researcher, a roster
// owner, thirty people on phones, and an admin. With PICTURES=docs/pictures the photographs go there; else to a temporary folder.

import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { parse } from "csv-parse/sync";
import type { Page } from "playwright-core";
import { devices, openDevice, startBrowser, violations } from "../support/browser.ts";
import { PASSWORD } from "../support/console.ts";
import { promptInWork } from "../support/console-browser.ts";
import { install } from "../support/process.ts";

const PEOPLE = 515;
const ON_PHONES = 30;
/** Phones that answer at the same time. */
const AT_ONCE = 5;

const pictures = process.env.PICTURES ?? mkdtempSync(join(tmpdir(), "screening-pictures-"));
mkdirSync(pictures, { recursive: true });
if (!process.env.PICTURES) after(() => rmSync(pictures, { recursive: true, force: true }));

const installation = install();
const web = await installation.web();
await web.says(/A first workspace is ready/);
const { text: credentials } = installation.firstCredentials();
const browser = await startBrowser();

const owner = await openDevice(browser, web.url);
const { page } = owner;

/** Photographs a page at two widths, and lets axe look at it. */
async function film(name: string, of = page): Promise<void> {
  for (const [device, width] of [
    ["desktop", 1280],
    ["phone", 390],
  ] as const) {
    await of.setViewportSize({ width, height: 900 });
    // What sticks to the top of the screen is photographed there.
    await of.evaluate("window.scrollTo(0, 0)");
    assert.equal(await of.evaluate("document.documentElement.scrollWidth"), width, `${name} is wider than its screen`);
    await of.screenshot({ path: join(pictures, `${name}-${device}.png`), fullPage: true });
  }
  assert.deepEqual(await violations(of), [], name);
  await of.setViewportSize({ width: 1280, height: 900 });
}

async function choosePassword(of: Page, link: string): Promise<void> {
  await of.goto(link);
  await of.getByLabel("Password", { exact: true }).fill(PASSWORD);
  await of.getByLabel("The same password again").fill(PASSWORD);
}

const press = (name: string | RegExp, of = page) => of.getByRole("button", { name }).click();
const follow = (name: string | RegExp, of = page) => of.getByRole("link", { name }).click();
const heading = (name: string, of = page) => of.getByRole("heading", { name }).waitFor();
const see = (text: string | RegExp, of = page) => of.getByText(text).first().waitFor();
const isSaved = () => page.getByText("Saved", { exact: true }).waitFor();

const row = (n: number) => `P-${n};Person;Number ${n};p${n}@example.org`;
const rows = (count: number) => Array.from({ length: count }, (_, n) => row(n + 1));

/** Chooses a file on the page of a study's imports. */
async function choose(lines: string[], of = page): Promise<void> {
  const text = ["Person ID;First name;Surname;E-mail", ...lines].join("\r\n");
  await of
    .getByLabel("Choose a file")
    .setInputFiles({ name: "roster.csv", mimeType: "text/csv", buffer: Buffer.from(text) });
  await press("Continue", of);
}

test("a researcher comes from the first link to a published study", async () => {
  const link = web.url + /\/console\/sign-in\/[\w-]{43}/.exec(credentials)![0];
  await choosePassword(page, link);
  await page.getByLabel("Your name").fill("Ada Lovelace");
  await page.getByLabel("Email").fill("ada@example.org");
  await film("1-first-link");
  await Promise.all([page.waitForURL("**/console/studies"), page.getByRole("button").click()]);
  await follow("New study");
  await page.getByLabel("Title").fill("Morning drinks");
  await Promise.all([page.waitForURL("**/build"), press("Make the study")]);
  await isSaved();
  await press("Add a page");
  await page.getByLabel("Heading").fill("About you");
  await press("Number");
  await page.getByLabel("Question", { exact: true }).fill("How old are you?");
  await page.getByLabel("Only whole numbers").check();
  await page.getByLabel("An answer is required").check();
  await press("Add a rule Screen out if");
  await page.getByLabel("Value").fill("18");
  await see("Screen out if “How old are you?” is less than 18.");
  await press("One option");
  await promptInWork(page).fill("What do you drink in the morning?");
  await page.getByText("Paste a list of options").click();
  await page.getByLabel("One option in each line").fill("Tea\nCoffee\nWater");
  await press("Add these options");
  await isSaved();
  await page.frameLocator("iframe").getByText("What do you drink in the morning?").waitFor();
  await film("1-builder");
  await page.getByRole("link", { name: "Publish" }).click();
  await see("How old are you?");
  await page.getByLabel("Target").fill("30");
  await film("1-publish");
  await page
    .getByRole("main")
    .getByRole("button", { name: /^Publish/ })
    .click();
  await see("Version 1 is live");
});

test("a roster owner imports a CSV with five wrong rows, meets the guard, and undoes an import", async () => {
  const wrong = ["W-1;A;B;no email", "W-2;A;B;", ";A;B;w3@example.org", "W-4;A;B;w 4@example.org", "W-5"];
  await follow("Import people");
  await film("2-choose");
  await choose([...rows(PEOPLE), ...wrong]);
  await film("2-columns");
  await press("Show what will happen");
  await heading("What the import will do");
  await film("2-plan");
  await follow(/^5 wrong/);
  await film("2-wrong-rows");
  await page.goBack();
  await press("Import");
  await heading("Was that wrong?");
  await follow("Studies");
  await follow("Morning drinks");
  await see(String(PEOPLE));
  await follow("Import people");
  await page.waitForURL("**/import");
  await choose(rows(ON_PHONES));
  await page.getByLabel("Make the study’s list the same as this file").check();
  await press("Show what will happen");
  await heading("What the import will do");
  const removed = String(PEOPLE - ON_PHONES);
  await press("Import, and remove them");
  await see(`Type ${removed} to confirm`);
  await film("2-guard");
  await page.getByLabel(/How many people/).fill(removed);
  await press("Import, and remove them");
  await heading("Was that wrong?");
  await press("Undo this import …");
  await heading("What the undo will do");
  await film("2-undo");
  await press("Take it back");
  await page.getByRole("button", { name: "Take the undo back …" }).waitFor();
});

test("thirty people answer on phones; then there are charts", async () => {
  await follow("Studies");
  await follow("Morning drinks");
  await follow("Import people");
  await press("Create links for everybody");
  const links = page.getByRole("link", { name: /Download names and links/ });
  await links.waitFor();
  const [download] = await Promise.all([page.waitForEvent("download"), links.click()]);
  const people: Record<string, string>[] = parse(readFileSync(await download.path()), { columns: true, bom: true });
  assert.equal(people.length, PEOPLE);
  const numbers = Array.from({ length: ON_PHONES }, (_, n) => n);
  const answerAll = async () => {
    for (let n = numbers.shift(); n !== undefined; n = numbers.shift()) {
      const { device, page: phone, foreign } = await openDevice(browser, web.url, devices.phone);
      await phone.goto(web.url + new URL(people[n]!.shortLink!).pathname);
      await phone.getByLabel("How old are you?").fill(String(n % 6 ? 20 + n : 12));
      await phone.getByRole("radio", { name: ["Tea", "Coffee", "Water"][n % 3]!, exact: true }).check();
      if (n === 1) {
        await phone.screenshot({ path: join(pictures, "3-phone.png") });
        assert.deepEqual(await violations(phone), []);
      }
      await press(/^(Continue|Finish)$/, phone);
      await heading("Thank you", phone);
      assert.deepEqual(foreign, []);
      await device.close();
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, answerAll));
  await follow("Studies");
  await follow("Morning drinks");
  await follow("Results");
  const main = (await page.getByRole("main").innerText()).replace(/\s+/g, " ");
  // Five are too young.
  assert.match(main, /Started 6 % 30 Completed 6 % 30 Qualified 5 % 25 Screened out or full 1 % 5/);
  assert.match(main, /Tea 33 % 10 Coffee 33 % 10 Water 33 % 10/);
  await film("3-results");
  await page.getByLabel("Split by").selectOption("What do you drink in the morning?");
  await press("Show");
  await page.waitForURL(/[?&]splitBy=./);
  await film("3-split");
  await follow(/^Answers$/);
  await page.getByLabel("Show only people whose").selectOption("Outcome");
  await press("Add a filter");
  await page.getByRole("checkbox", { name: "Screened out", exact: true }).check();
  await press("Filter");
  await see("5 people have started, and match");
  await page.getByRole("row").filter({ hasText: "P-1" }).getByRole("link").first().click();
  await see("This decided");
  await film("3-explanation");
});

test("an admin finds out who removed 485 people, and undoes it", async () => {
  await follow("Users");
  await page.getByLabel("Name").fill("Bo");
  await page.getByLabel("Email").fill("bo@example.org");
  await press("Add the user");
  const link = await page.locator(".secret").innerText();
  const colleague = await openDevice(browser, web.url);
  await choosePassword(colleague.page, web.url + new URL(link).pathname);
  await Promise.all([colleague.page.waitForURL("**/console/studies"), colleague.page.getByRole("button").click()]);
  await follow("Morning drinks", colleague.page);
  await follow("Import people", colleague.page);
  await colleague.page.waitForURL("**/import");
  await choose(rows(ON_PHONES), colleague.page);
  await colleague.page.getByLabel("Make the study’s list the same as this file").check();
  await press("Show what will happen", colleague.page);
  await colleague.page.getByLabel(/How many people/).fill("485");
  await press("Import, and remove them", colleague.page);
  await heading("Was that wrong?", colleague.page);

  await follow("Activity");
  await page.getByLabel("About").selectOption("Imports");
  await press("Show");
  const entry = page.getByRole("listitem").filter({ hasText: "removed: 485" }).first();
  assert.match(await entry.innerText(), /^Bo imported people into /);
  await film("4-activity");
  await entry.getByRole("link", { name: "The job" }).click();
  await press("Undo this import …");
  await heading("What the undo will do");
  await film("4-undo");
  await press("Take it back");
  await page.getByRole("button", { name: "Take the undo back …" }).waitFor();
  await follow("Studies");
  await follow("Morning drinks");
  await see(String(PEOPLE));

  await follow("Appearance");
  await page.getByLabel("Choose the accent colour").fill("#0a7d55");
  await page.frameLocator("[data-scheme=dark]").getByRole("button", { name: "Finish" }).waitFor();
  await film("5-appearance");
  assert.deepEqual(owner.foreign, []);
});
