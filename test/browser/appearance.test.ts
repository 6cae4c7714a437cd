// A workspace's look, from the console's form to the pages of participants: in light and dark, and within the console's frames.

import assert from "node:assert/strict";
import { test } from "node:test";
import type { BrowserContextOptions } from "playwright-core";
import { tonesOf } from "../../src/appearance/accent.ts";
import { openDevice, startBrowser, violations } from "../support/browser.ts";
import { invite, PASSWORD } from "../support/console.ts";
import { png, svg } from "../support/images.ts";
import { startService } from "../support/service.ts";
import { everyKind, invited } from "../support/study.ts";
import { until } from "../support/until.ts";

/** Where pictures go, if somebody wants them. */
const { PICTURES } = process.env;

const service = await startService();
const browser = await startBrowser();
const client = service.workspace("Acme Research");

/** Signs in as an admin, on the page Appearance. */
async function openAppearance(email: string, options: BrowserContextOptions = {}) {
  const link = await invite(service, client.workspaceId, { name: "Ada", email, role: "admin" });
  const opened = await openDevice(browser, service.url, options);
  const { page } = opened;
  await page.goto(service.url + link);
  await page.getByLabel("Password", { exact: true }).fill(PASSWORD);
  await page.getByLabel("The same password again").fill(PASSWORD);
  await Promise.all([page.waitForURL("**/console/studies"), page.getByRole("button").click()]);
  await page.getByRole("link", { name: "Appearance" }).click();
  return opened;
}

test("the preview shows the colour and the logo before they are saved, on light screens and on dark ones", async () => {
  const { page, foreign } = await openAppearance("bo@example.org");
  const faults: string[] = [];
  page.on("console", (message) => message.type() === "error" && faults.push(message.text()));
  const colors = () =>
    Promise.all(
      ["light", "dark"].map((scheme) =>
        page
          .frameLocator(`[data-scheme=${scheme}]`)
          .locator(".button")
          .evaluate((button) => getComputedStyle(button).backgroundColor),
      ),
    );
  const rgb = (hex: string) => `rgb(${[1, 3, 5].map((at) => Number.parseInt(hex.slice(at, at + 2), 16)).join(", ")})`;
  const toned = (hex: string) => Object.values(tonesOf(hex)).map(({ accent }) => rgb(accent));
  const becomes = (expected: string[]) =>
    until(async () => JSON.stringify(await colors()) === JSON.stringify(expected), `${expected}`);
  await becomes([rgb("#1f4fa0"), rgb("#9dc1ff")]);
  await page.getByLabel("Choose the accent colour").fill("#b00060");
  assert.equal(await page.getByLabel("Accent colour", { exact: true }).inputValue(), "#b00060");
  await becomes(toned("#b00060"));
  await page.getByLabel("Accent colour", { exact: true }).fill("#0a7d55");
  assert.equal(await page.getByLabel("Choose the accent colour").inputValue(), "#0a7d55");
  await becomes(toned("#0a7d55"));
  const logo = { name: "logo.png", mimeType: "image/png", buffer: await png(800, 160) };
  await page.getByLabel("Logo", { exact: true }).setInputFiles(logo);
  await page.frameLocator("[data-scheme=dark]").getByRole("img", { name: "The chosen logo" }).waitFor();
  assert.deepEqual(await violations(page), []);
  for (const width of [320, 1280]) {
    await page.setViewportSize({ width, height: 844 });
    assert.equal(await page.evaluate("document.documentElement.scrollWidth"), width);
  }
  await page.getByRole("button", { name: "Save" }).click();
  await page.getByText("Saved.").waitFor();
  await becomes(toned("#0a7d55"));
  // What is saved is taken away in the preview first.
  await page.getByLabel("Accent colour", { exact: true }).fill("");
  await becomes([rgb("#1f4fa0"), rgb("#9dc1ff")]);
  const preview = page.frameLocator("[data-scheme=light]");
  const saved = preview.getByRole("img", { name: "Acme Research" });
  await saved.waitFor();
  await page.getByLabel("Remove the logo").check();
  await preview.locator(".logo").getByText("Acme Research").waitFor();
  assert.equal(await saved.count(), 0);
  await page.getByLabel("Logo", { exact: true }).setInputFiles(logo);
  await preview.getByRole("img", { name: "The chosen logo" }).waitFor();
  await page.getByLabel("Logo", { exact: true }).setInputFiles([]);
  await preview.locator(".logo").getByText("Acme Research").waitFor();
  await page.getByLabel("Remove the logo").uncheck();
  await saved.waitFor();
  assert.deepEqual([faults, foreign], [[], []]);
});

test("an admin gives the pages a colour, links and a logo, without scripts; and all of it can be read", async () => {
  const { page, foreign } = await openAppearance("ada@example.org", { javaScriptEnabled: false });
  await page.getByLabel("Accent colour", { exact: true }).fill("#ffb000");
  await page.getByLabel("Privacy link").fill("http://example.org/privacy");
  await page.getByLabel("Contact link").fill("mailto:studies@example.org");
  const logo = page.getByLabel("Logo", { exact: true });
  await logo.setInputFiles({ name: "logo.svg", mimeType: "image/svg+xml", buffer: svg });
  await page.getByRole("button", { name: "Save" }).click();
  await page.getByRole("alert").getByText("Privacy link must begin with https://").waitFor();
  await page.getByLabel("Privacy link").fill("https://example.org/privacy");
  await logo.setInputFiles({ name: "logo.svg", mimeType: "image/svg+xml", buffer: svg });
  await page.getByRole("button", { name: "Save" }).click();
  await page.getByRole("alert").getByText("an SVG may have scripts in it").waitFor();
  assert.equal(await page.getByLabel("Accent colour", { exact: true }).inputValue(), "#ffb000");
  await logo.setInputFiles({ name: "logo.png", mimeType: "image/png", buffer: await png(800, 160) });
  const sites = page.getByLabel("Sites that may show the pages in a frame");
  await sites.fill("https://portal.example.org");
  await page.getByRole("button", { name: "Save" }).click();
  await page.getByText("Saved.").waitFor();
  // It comes after the file.
  assert.equal(await sites.inputValue(), "https://portal.example.org");
  await page.getByText("So that everybody can read it, #ffb000 becomes").waitFor();
  const now = page.getByRole("img", { name: "The logo as it is now" });
  assert.ok(await now.isVisible());
  if (PICTURES) await page.screenshot({ path: `${PICTURES}/appearance-console.png`, fullPage: true });

  const { study, link } = await invited(client, everyKind);
  const people = await openDevice(browser, service.url);
  for (const colorScheme of ["light", "dark"] as const) {
    await people.page.emulateMedia({ colorScheme });
    await people.page.goto(service.url + link.path);
    await people.page.getByRole("radio", { name: "No", exact: true }).check();
    assert.deepEqual(await violations(people.page, ["html"], ["color-contrast-enhanced"]), [], colorScheme);
    assert.ok(
      await people.page
        .getByRole("img", { name: "Acme Research" })
        .evaluate((image) => Reflect.get(image, "naturalWidth") > 0),
    );
    for (const width of [320, 390, 1280]) {
      await people.page.setViewportSize({ width, height: 844 });
      assert.equal(await people.page.evaluate("document.documentElement.scrollWidth"), width);
      const path = `${PICTURES}/appearance-${width}-${colorScheme}.png`;
      if (PICTURES) await people.page.screenshot({ path, fullPage: true });
    }
  }
  const accent = await people.page.locator(".button").evaluate((button) => getComputedStyle(button).backgroundColor);
  // The test drive's frame has the same colour, and its links lead nowhere.
  await page.emulateMedia({ colorScheme: "dark" });
  await page.goto(`${service.url}/console/studies/${study.screener}/try`);
  const phone = page.frameLocator("iframe");
  assert.equal(await phone.locator(".button").evaluate((button) => getComputedStyle(button).backgroundColor), accent);
  await phone.getByText("Privacy").waitFor();
  assert.equal(await phone.locator("a[href]").count(), 0);

  await page.goto(`${service.url}/console/appearance`);
  await page.getByLabel("Remove the logo").check();
  await page.getByRole("button", { name: "Save" }).click();
  await page.getByText("Saved.").waitFor();
  assert.equal(await now.count(), 0);
  assert.deepEqual([foreign, people.foreign], [[], []]);
});
