// What Share offers besides an open link, in a real browser on a phone and at a desk: one person is added, an email is confirmed before
// somebody joins, and a link is mailed to go on later. Pictures go to PICTURES, if that is set.

import assert from "node:assert/strict";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import type { Page } from "playwright-core";
import { openDevice, startBrowser, violations } from "../support/browser.ts";
import { enterConsole } from "../support/console-browser.ts";
import { type Received, startRelay } from "../support/mail-relay.ts";
import { startService } from "../support/service.ts";
import { everyKind, publish } from "../support/study.ts";

const relay = await startRelay();
const service = await startService({ config: { mail: relay.config() } });
const client = service.workspace();
const browser = await startBrowser();
const { PICTURES } = process.env;
if (PICTURES) mkdirSync(PICTURES, { recursive: true });

/** Axe finds nothing, and the page is no wider than its window. */
async function isSound(page: Page, name: string): Promise<void> {
  const width = page.viewportSize()!.width;
  assert.deepEqual(await violations(page), [], name);
  assert.equal(await page.evaluate("document.documentElement.scrollWidth"), width, name);
  if (PICTURES) await page.screenshot({ path: join(PICTURES, `${name}-${width}.png`), fullPage: true });
}

const linkIn = ({ text }: Received) => {
  const { pathname, search } = new URL(/^http\S+$/m.exec(text)![0]);
  return service.url + pathname + search;
};

for (const width of [360, 1280]) {
  const viewport = { width, height: 800 };

  test(`one person is added at ${width} px: what is wrong is said, and the link that is shown leads to the study`, async () => {
    const { screener } = await publish(client, everyKind);
    const { device, page } = await enterConsole(browser, service, client, `ada${width}@example.org`, { viewport });
    await page.goto(`${service.url}/console/studies/${screener}/share`);
    const form = page.getByRole("region", { name: "One person" });
    await form.getByRole("button").click();
    await form.getByText("Email is required, unless a name or an id is given").waitFor();
    await form.getByLabel("Email").fill("bea at home");
    await form.getByRole("button").click();
    await form.getByLabel("Email").and(page.locator("[aria-invalid=true]")).waitFor();
    await isSound(page, "person-wrong");
    await form.getByLabel("Email").fill(`bea${width}@example.org`);
    await form.getByLabel("Their name").fill("Bea");
    await form.getByRole("button").click();
    await page.getByText("The link of Bea").waitFor();
    await isSound(page, "person-added");
    const address = await page.getByRole("status").locator("code").innerText();
    const phone = await openDevice(browser, service.url, { viewport });
    await phone.page.goto(service.url + new URL(address).pathname);
    await phone.page.getByRole("heading", { name: "About you" }).waitFor();
    await phone.device.close();
    await device.close();
    const [person] = await client.all(`/participants?filter[email][eq]=bea${width}@example.org`);
    assert.equal(person.name, "Bea");
  });

  test(`an email is confirmed at ${width} px before somebody joins, and a link is mailed to go on later`, async () => {
    const { screener } = await publish(client, everyKind);
    const settings = { screenerId: screener, name: "Hall", ask: ["EMAIL"], oneEach: "EMAIL", confirmEmail: true };
    const { body: open } = await client.post("/screener-links", settings);
    const { device, page } = await openDevice(browser, service.url, { viewport });
    const email = `cem${width}@example.org`;
    await page.goto(service.url + new URL(open.link).pathname);
    await page.getByLabel("Your email address").fill(email);
    await page.getByLabel("How old are you?").fill("44");
    await page.getByLabel("No", { exact: true }).check();
    await page.waitForTimeout(1000);
    await page.getByRole("button", { name: "Continue" }).click();
    await page.getByRole("heading", { name: "Check your email" }).waitFor();
    await isSound(page, "confirm-sent");
    const [message] = await relay.to(email);
    await page.goto(linkIn(message!));
    await page.getByRole("heading", { name: "Confirm your email address" }).waitFor();
    await isSound(page, "confirm");
    await page.getByRole("button", { name: "Confirm and go on" }).click();
    await page.getByRole("heading", { name: "Your days" }).waitFor();

    await page.getByText("Go on later").click();
    await isSound(page, "later");
    const later = page.locator("details", { hasText: "Go on later" });
    await later.getByRole("textbox").fill("cem at home");
    await later.getByRole("button").click();
    await later.getByRole("textbox").and(page.locator("[aria-invalid=true]")).waitFor();
    await isSound(page, "later-wrong");
    await later.getByRole("textbox").fill(`home${width}@example.org`);
    await later.getByRole("button").click();
    const [own] = await relay.to(`home${width}@example.org`);
    await isSound(page, "later-sent");
    await device.close();

    const other = await openDevice(browser, service.url, { viewport });
    await other.page.goto(linkIn(own!));
    await other.page.getByRole("heading", { name: "Your days" }).waitFor();
    await other.device.close();
  });
}
