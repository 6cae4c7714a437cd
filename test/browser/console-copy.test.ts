// The scripts of the console's pages: buttons that copy links, secrets and calls, and times of the reader; and that nothing is missing without them.

import assert from "node:assert/strict";
import { test } from "node:test";
import { openDevice, startBrowser, violations } from "../support/browser.ts";
import { invite, PASSWORD } from "../support/console.ts";
import { startService } from "../support/service.ts";
import { populate } from "../support/world.ts";

const service = await startService();
const browser = await startBrowser();
const { client, participant, session } = await populate(service, "Acme");
const link = await invite(service, client.workspaceId, { name: "Ada", email: "ada@example.org", role: "admin" });

async function open(options: Parameters<typeof openDevice>[2]) {
  const opened = await openDevice(browser, service.url, options);
  const { page } = opened;
  await page.goto(`${service.url}/console/sign-in`);
  await page.getByLabel("Email").fill("ada@example.org");
  await page.getByLabel("Password", { exact: true }).fill(PASSWORD);
  await Promise.all([page.waitForURL("**/console/studies"), page.getByRole("button").click()]);
  return opened;
}

test("a link, a secret and a call are copied by a button, which says so", async () => {
  const first = await openDevice(browser, service.url);
  await first.page.goto(service.url + link);
  await first.page.getByLabel("Password", { exact: true }).fill(PASSWORD);
  await first.page.getByLabel("The same password again").fill(PASSWORD);
  await Promise.all([first.page.waitForURL("**/console/studies"), first.page.getByRole("button").click()]);
  await first.device.close();

  const { page, device, foreign } = await open({ permissions: ["clipboard-read", "clipboard-write"] });
  const copied = () => page.evaluate<string>("navigator.clipboard.readText()");
  const copy = async (what: string) => {
    await page.getByRole("button", { name: `Copy ${what}` }).click();
    await page.getByRole("status").filter({ hasText: "Copied" }).waitFor({ state: "attached" });
  };
  await page.goto(`${service.url}/console/people/${participant}`);
  await copy("the link");
  const { linkSlug } = (await client.get(`/screener-sessions/${session}`)).body;
  assert.ok((await copied()).endsWith(`/s/${linkSlug}`));
  await page.getByText("The API call behind this page").click();
  await copy("the call");
  assert.match(await copied(), /^curl -g "http.*\\\n {2}-H /);
  assert.deepEqual(await violations(page), []);
  await page.setViewportSize({ width: 320, height: 700 });
  assert.equal(await page.evaluate("document.documentElement.scrollWidth"), 320);

  await page.goto(`${service.url}/console/keys`);
  await page.getByLabel("Name").fill("Nightly");
  await page.locator("input[name=scopes]").first().check();
  await page.getByRole("button", { name: "Issue the key" }).click();
  await copy("the secret");
  const secret = await copied();
  assert.match(secret, /^secret_/);
  assert.ok((await page.content()).includes(secret));
  assert.deepEqual(foreign, []);
  await device.close();
});

test("without scripts there is no button, and the text is there to be selected", async () => {
  const { page, device } = await open({ javaScriptEnabled: false });
  await page.goto(`${service.url}/console/people/${participant}`);
  assert.equal(await page.getByRole("button", { name: /^Copy/ }).count(), 0);
  assert.match(await page.locator("[data-copy='the link']").innerText(), /\/s\//);
  await device.close();
});

test("a script says times and days by the clocks of the reader, and shows UTC on hover", async () => {
  const there = { timezoneId: "Pacific/Kiritimati" };
  const { page } = await open(there);
  await page.goto(`${service.url}/console/activity?kind=studies`);
  const row = page.locator(".rows > li").first();
  const time = row.locator("time");
  const at = new Date((await time.getAttribute("datetime"))!);
  const said = (options: Intl.DateTimeFormatOptions, timeZone: string) =>
    new Intl.DateTimeFormat("en-GB", { ...options, timeZone }).format(at);
  const short = { dateStyle: "medium", timeStyle: "short" } as const;
  assert.equal(await time.innerText(), said(short, there.timezoneId));
  assert.equal(await time.getAttribute("title"), `${said(short, "UTC")} UTC`);
  assert.equal(await page.locator("h2").first().innerText(), said({ dateStyle: "full" }, there.timezoneId));
  await page.getByRole("button", { name: "Show" }).click();
  await page.waitForURL(/zone=Pacific%2FKiritimati/);
});
