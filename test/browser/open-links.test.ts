// Somebody joins by an open link in a real browser, with scripts and without, on a phone and at a desk.

import assert from "node:assert/strict";
import { test } from "node:test";
import { openDevice, startBrowser, violations } from "../support/browser.ts";
import { startService } from "../support/service.ts";
import { everyKind, publish } from "../support/study.ts";

const browser = await startBrowser();
const service = await startService();
const client = service.workspace();

for (const [width, javaScriptEnabled] of [
  [360, false],
  [360, true],
  [1280, true],
] as const)
  test(`somebody joins at ${width} px ${javaScriptEnabled ? "with" : "without"} scripts, and goes on where they were`, async () => {
    const { screener } = await publish(client, everyKind);
    const ask = ["NAME", "EMAIL"];
    const { body } = await client.post("/screener-links", {
      screenerId: screener,
      name: "Poster",
      ask,
      oneEach: "BROWSER",
    });
    const address = service.url + new URL(body.link).pathname;
    const viewport = { width, height: 800 };
    const { device, page, foreign } = await openDevice(browser, service.url, { viewport, javaScriptEnabled });
    const isSound = async () => {
      // axe is a script of its own, which runs all the same.
      if (javaScriptEnabled) {
        assert.deepEqual(await violations(page), []);
        assert.equal(await page.evaluate("document.documentElement.scrollWidth"), width);
      }
    };
    await page.goto(address);
    await isSound();
    await page.getByLabel("Your name").fill("Ada");
    await page.getByLabel("Your email address").fill("ada at home");
    // Nobody sees what programs fill in.
    assert.equal(await page.getByRole("textbox", { name: "Website" }).count(), 0);
    await page.waitForTimeout(1000);
    await page.getByRole("button", { name: "Continue" }).click();
    await page.getByText("There are 3 problems").waitFor();
    await isSound();
    await page.getByLabel("Your email address").fill("ada@example.org");
    await page.getByLabel("How old are you?").fill("44");
    await page.getByLabel("No", { exact: true }).check();
    await page.getByRole("button", { name: "Continue" }).click();
    await page.getByRole("heading", { name: "Your days" }).waitFor();
    await page.goto(address);
    await page.getByRole("heading", { name: "Your days" }).waitFor();
    await client.delete(`/screener-links/${body.id}`);
    await device.clearCookies();
    await page.goto(address);
    await page.getByRole("heading", { name: "This link is no longer available" }).waitFor();
    await isSound();
    assert.deepEqual(foreign, []);
    await device.close();
    const { total } = (await client.get(`/screener-sessions?filter[screenerId][eq]=${screener}`)).body;
    assert.equal(total, 1);
  });
