// A real browser for tests: Debian's Chromium, which a test drives as a participant would.
//
// Its shell has no windows. Chromium without a screen still draws the buttons and menus around each page: a page that opens took a second
// of processor time, and takes a fifth of that.

import { readFileSync } from "node:fs";
import { basename } from "node:path";
import { after } from "node:test";
import { fileURLToPath } from "node:url";
import type { AxeResults, RunOptions } from "axe-core";
import { type Browser, type BrowserContext, type BrowserContextOptions, chromium, type Page } from "playwright-core";
import { launchFirefox } from "./firefox.ts";
import { afterGroup, isGrouped } from "./grouped.ts";
import { findOrInstall } from "./programs.ts";
import { until } from "./until.ts";

const SHELL = "chromium-headless-shell";

const isFirefox = basename(process.env.TEST_BROWSER ?? "").startsWith("firefox");
if (isFirefox) process.stderr.write("axe-core is left out in Firefox.\n");

/** Where Chromium is on this machine; installed from Debian when that may be done. @throws Error that says what to install */
export function findBrowser(): string {
  try {
    return findOrInstall([SHELL], SHELL);
  } catch {
    // Not every machine has the shell, or may get it.
    return findOrInstall(["chromium", "chromium-browser", "google-chrome"], "chromium");
  }
}

let shared: Promise<Browser> | undefined;

/**
 * Starts the browser of this run, which loads only the pages that a test opens. It ends with the test, or the file, that starts it. Files of
 * a group share one: with each go the devices that it has opened.
 */
export async function startBrowser(): Promise<Browser> {
  if (!isGrouped()) {
    const browser = await launch();
    after(() => browser.close());
    return browser;
  }
  if (!shared) {
    shared = launch();
    afterGroup(async () => (await shared)?.close());
  }
  const browser = await shared;
  after(() => Promise.all(browser.contexts().map((device) => device.close())));
  return browser;
}

function launch(): Promise<Browser> {
  const path = process.env.TEST_BROWSER ?? findBrowser();
  return isFirefox ? launchFirefox(path) : launchChromium(path);
}

function launchChromium(executablePath: string): Promise<Browser> {
  return chromium.launch({
    executablePath,
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

/**
 * Waits until an expression is true in the page. `waitForFunction` does that in the page itself, and fails where the page's policy forbids
 * `eval`, unless the expression is true at once.
 */
export function untilTrue(page: Pick<Page, "evaluate">, expression: string): Promise<unknown> {
  return until(() => page.evaluate<boolean>(expression), `${expression} is true`);
}

/** By how many pixels the page is wider than its window. Firefox takes the width of its scrollbar from the window. */
export function overflow(page: Page): Promise<number> {
  // A phone lays a page out wider than its screen when the page does not say how wide it is.
  const { width } = page.viewportSize()!;
  return page.evaluate<number>(
    `document.documentElement.scrollWidth - Math.min(document.documentElement.clientWidth, ${width})`,
  );
}

/** What axe-core finds wrong with the page, or with the parts of it that selectors name; each with where. @param rules that it looks at besides its own choice and the size of what is hit by a thumb */
export async function violations(page: Page, parts: string[] = ["html"], rules: string[] = []): Promise<string[]> {
  return found(page, parts, {
    rules: Object.fromEntries([...rules, "target-size"].map((rule) => [rule, { enabled: true }])),
  });
}

/** What axe-core finds wrong with the colours of the page, in the stricter measure. A look that changes nothing else needs no more. */
export async function faintColors(page: Page): Promise<string[]> {
  return found(page, ["html"], { runOnly: ["color-contrast", "color-contrast-enhanced", "link-in-text-block"] });
}

async function found(page: Page, parts: string[], options: RunOptions): Promise<string[]> {
  // axe-core ends the process of a page of Firefox. What it looks at is the same HTML and CSS: Chromium is asked.
  if (isFirefox) return [];
  if (!(await page.evaluate("'axe' in window"))) await loadAxe(page);
  const include = parts.map((part) => [part]);
  const { violations } = await page.evaluate<Pick<AxeResults, "violations">>(
    `axe.run(${JSON.stringify({ include })}, ${JSON.stringify({ ...options, resultTypes: ["violations"] })}).then(({ violations }) => ({ violations }))`,
  );
  return violations.flatMap(({ id, help, nodes }) =>
    nodes.map(({ html, failureSummary }) => `${id} (${help}): ${html}\n${failureSummary ?? ""}`),
  );
}

let axeSource: string | undefined;

/** Each new page has to read axe-core. Sent so, and in its small form, it takes a half of the time. */
async function loadAxe(page: Page): Promise<void> {
  axeSource ??= readFileSync(fileURLToPath(import.meta.resolve("axe-core/axe.min.js")), "utf8");
  const session = await page.context().newCDPSession(page);
  await session.send("Runtime.evaluate", { expression: `${axeSource}; undefined` });
  await session.detach();
}
