// A team in a real browser: two-factor sign-in, several workspaces, roles. Nothing that axe finds, at the width of a phone and of a screen.

import assert from "node:assert/strict";
import { test } from "node:test";
import { Secret, TOTP } from "otpauth";
import type { Page } from "playwright-core";
import { openDevice, startBrowser, violations } from "../support/browser.ts";
import { invite, PASSWORD } from "../support/console.ts";
import { startService } from "../support/service.ts";

const service = await startService();
const browser = await startBrowser();

async function looked(page: Page): Promise<void> {
  for (const width of [360, 1280]) {
    await page.setViewportSize({ width, height: 800 });
    assert.deepEqual(await violations(page), [], `${page.url()} ${width}`);
    const isWider = await page.evaluate(
      () => document.documentElement.scrollWidth > document.documentElement.clientWidth,
    );
    assert.equal(isWider, false, `${page.url()} ${width}`);
  }
}

test("somebody joins a second workspace, sets two-factor sign-in up, switches, and is given another role", async () => {
  const [first, second] = [service.workspace("Sleep lab"), service.workspace("Heart lab")];
  const email = "bo@team.example";
  const link = await invite(service, first.workspaceId, { name: "Bo", email, role: "researcher" });
  const { page, foreign } = await openDevice(browser, service.url);
  await page.goto(service.url + link);
  await page.getByLabel("Password", { exact: true }).fill(PASSWORD);
  await page.getByLabel("The same password again").fill(PASSWORD);
  await page.getByRole("button", { name: "Save, and sign in" }).click();
  await page.waitForURL("**/console/studies");
  await page.goto(`${service.url}/console/two-factor`);
  await looked(page);
  const secret = await page.locator("[data-copy='the secret']").evaluate((one) => one.firstChild!.textContent!.trim());
  const code = (periods: 0 | 1) =>
    new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: Date.now() + periods * 30_000 });
  await page.getByLabel("Code").fill(code(0));
  await page.getByLabel("Your password").fill(PASSWORD);
  await page.getByRole("button", { name: "Set it up" }).click();
  await page.getByRole("heading", { name: "Your recovery codes" }).waitFor();
  await looked(page);
  const [recovery = ""] = await page.locator("main li code").allInnerTexts();
  await page.getByRole("link", { name: "I have kept them" }).click();
  await page.waitForURL("**/console/studies");
  await page.goto(`${service.url}/console/two-factor`);
  await looked(page);

  const other = await invite(service, second.workspaceId, { name: "Bo", email, role: "admin" });
  await invite(service, second.workspaceId, { name: "Cy", email: "cy@team.example", role: "viewer" });
  await page.goto(service.url + other);
  await looked(page);
  await page.getByLabel("Password of your account").fill(PASSWORD);
  await page.getByLabel("Code, if you have two-factor sign-in").fill(recovery);
  await page.getByRole("button", { name: "Join, and sign in" }).click();
  await page.waitForURL("**/console/studies");
  await page.goto(`${service.url}/console/users`);
  await looked(page);
  await page.getByLabel("Role of Cy").selectOption("researcher");
  await page.getByRole("button", { name: "Change the role – Cy" }).click();
  assert.equal(await page.getByLabel("Role of Cy").inputValue(), "researcher");
  await page.getByRole("button", { name: "Require it of all users" }).click();
  await page.getByRole("button", { name: "Leave it to each user" }).waitFor();
  await page.getByRole("link", { name: "Switch workspace" }).click();
  await looked(page);
  await page.getByRole("button", { name: "Switch to Sleep lab" }).click();
  await page.waitForURL("**/console/studies");
  assert.match(await page.title(), /Sleep lab/);

  await page.getByRole("button", { name: "Sign out" }).click();
  await page.getByLabel("Email").fill(email);
  await page.getByLabel("Password").fill(PASSWORD);
  await page.getByRole("button", { name: "Sign in" }).click();
  await page.getByRole("heading", { name: "Enter a code" }).waitFor();
  await looked(page);
  await page.getByLabel("Code").fill(code(1));
  await page.getByRole("button", { name: "Sign in" }).click();
  await page.waitForURL("**/console/studies");
  assert.deepEqual(foreign, []);
});
