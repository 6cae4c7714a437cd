// A real browser for tests: Debian's Chromium, which a test drives as a participant would.

import { after } from "node:test";
import axe from "axe-core";
import { type Browser, type BrowserContext, type BrowserContextOptions, chromium, type Page } from "playwright-core";
import { findOrInstall } from "./programs.ts";

/** Where Chromium is on this machine; installed from Debian when that may be done. @throws Error that says what to install */
export function findBrowser(): string {
  return findOrInstall(["chromium", "chromium-browser", "google-chrome"], "chromium");
}

/** Starts Chromium, which loads only the pages that a test opens. It ends with the test, or the file, that starts it. */
export async function startBrowser(): Promise<Browser> {
  const browser = await chromium.launch({
    executablePath: findBrowser(),
    args: [
      "--no-sandbox",
      "--disable-gpu",
      "--disable-quic",
      "--no-first-run",
      "--disable-background-networking",
      "--disable-component-update",
      "--disable-sync",
    ],
  });
  after(() => browser.close());
  return browser;
}

/** What a participant holds in hand. */
export const devices = {
  phone: { viewport: { width: 390, height: 844 }, deviceScaleFactor: 2, isMobile: true, hasTouch: true },
  desktop: { viewport: { width: 1280, height: 900 } },
} satisfies Record<string, BrowserContextOptions>;

/** A device of its own, with nothing on it from before; and everything that it asked of others than `origin`. */
export async function openDevice(
  browser: Browser,
  origin: string,
  options: BrowserContextOptions = {},
): Promise<{ device: BrowserContext; page: Page; foreign: string[] }> {
  const device = await browser.newContext({ ...devices.desktop, ...options });
  const foreign: string[] = [];
  device.on("request", (request) => {
    if (!request.url().startsWith(`${origin}/`)) foreign.push(request.url());
  });
  const page = await device.newPage();
  page.setDefaultTimeout(20_000);
  return { device, page, foreign };
}

/** What axe-core finds wrong with the page, or with the parts of it that selectors name; each with where. @param rules that it looks at besides its own choice and the size of what is hit by a thumb */
export async function violations(page: Page, parts: string[] = ["html"], rules: string[] = []): Promise<string[]> {
  if (!(await page.evaluate("'axe' in window"))) await page.evaluate(axe.source);
  const found = await page.evaluate<{ id: string; help: string; nodes: { html: string; failureSummary?: string }[] }[]>(
    `axe.run({ include: ${JSON.stringify(parts.map((part) => [part]))} }, { resultTypes: ['violations'], rules: ${JSON.stringify(Object.fromEntries([...rules, "target-size"].map((rule) => [rule, { enabled: true }])))} }).then(({ violations }) => violations)`,
  );
  return found.flatMap(({ id, help, nodes }) =>
    nodes.map(({ html, failureSummary }) => `${id} (${help}): ${html}\n${failureSummary ?? ""}`),
  );
}
