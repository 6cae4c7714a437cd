// What tests share that go through the console in a real browser.

import type { Browser, BrowserContextOptions, Locator, Page } from "playwright-core";
import { openDevice } from "./browser.ts";
import type { Client } from "./client.ts";
import { invite, PASSWORD } from "./console.ts";
import type { Service } from "./service.ts";

/** Opens the console as a researcher of the client's workspace, who makes the account by the link of an invitation. */
export async function enterConsole(
  browser: Browser,
  service: Service,
  { workspaceId }: Client,
  email: string,
  options: BrowserContextOptions = {},
): ReturnType<typeof openDevice> {
  const link = await invite(service, workspaceId, { name: "Ada", email, role: "researcher" });
  const opened = await openDevice(browser, service.url, options);
  const { page } = opened;
  await page.goto(service.url + link);
  await page.getByLabel("Password", { exact: true }).fill(PASSWORD);
  await page.getByLabel("The same password again").fill(PASSWORD);
  await Promise.all([page.waitForURL("**/console/studies"), page.getByRole("button").click()]);
  return opened;
}

/** Until the builder has saved the draft. */
export const isSaved = (page: Page): Promise<void> => page.getByText("Saved", { exact: true }).waitFor();

/** Shows a page of the draft, or what all of it has. Its heading gets the focus a moment later: what is typed before goes astray. */
export async function showPart(page: Page, name: string | RegExp): Promise<void> {
  await page.getByRole("button", { name, exact: true }).click();
  await page.locator("#shown-page:focus").waitFor();
}

/** The field with the text of the question that is unfolded in the builder. */
export const promptInWork = (page: Page): Locator =>
  page.locator(".item").getByLabel("Question", { exact: true }).first();

/** Unfolds a question in the builder. @param line `2. How old are you?`, or a part of it */
export const unfold = (page: Page, line: string): Promise<void> =>
  page.getByRole("button", { name: line, expanded: false }).click();
