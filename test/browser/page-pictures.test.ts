// Each page of the console, and the first of a participant, on a phone of 360 px and on a desk of 1280 px: none is wider than its window, and
// none fails. With PICTURES=docs/pictures/pages each is photographed there, as WebP, so that a change of the looks is seen in a review.

import assert from "node:assert/strict";
import { globSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import type { Page } from "playwright-core";
import { openDevice, overflow, startBrowser } from "../support/browser.ts";
import { signedInOperator } from "../support/console.ts";
import { pagesWith } from "../support/console-paths.ts";
import { startService } from "../support/service.ts";
import { everyKind, invite, publish } from "../support/study.ts";
import { populate } from "../support/world.ts";

const { PICTURES } = process.env;
const WIDTHS = [360, 1280];
/** Taller pages are cut off: WebP has at most 16,383 pixels, and nobody looks at more. */
const MAX_HEIGHT = 6000;
/** Of WebP: letters are still sharp, and all pictures together are below 4 MB. */
const QUALITY = 25;

const service = await startService();
const browser = await startBrowser();
const world = await populate(service, "Acme");

if (PICTURES) {
  mkdirSync(PICTURES, { recursive: true });
  // Those of pages that are no more.
  for (const old of globSync("*.webp", { cwd: PICTURES })) rmSync(join(PICTURES, old));
}

/** Playwright itself writes no WebP, which needs a quarter of what PNG does. */
async function photograph(page: Page, name: string, width: number): Promise<void> {
  const session = await page.context().newCDPSession(page);
  const height = Math.min(await page.evaluate<number>("document.documentElement.scrollHeight"), MAX_HEIGHT);
  const { data } = await session.send("Page.captureScreenshot", {
    ...{ format: "webp", quality: QUALITY, captureBeyondViewport: true },
    clip: { x: 0, y: 0, width, height, scale: 1 },
  });
  writeFileSync(join(PICTURES!, `${name}-${width}.webp`), Buffer.from(data, "base64"));
  await session.detach();
}

/** Looks at the page that is open. @param path as it is named in an assertion, and the picture after it */
async function look(page: Page, path: string): Promise<void> {
  const name = path
    .replaceAll(/[0-9a-f]{8}-[0-9a-f-]{27}/g, "one")
    .replace(/^\/(?:console\/)?/, "")
    .replaceAll(/[^\w]+/g, "-");
  for (const width of WIDTHS) {
    await page.setViewportSize({ width, height: 800 });
    assert.equal(await overflow(page), 0, `${path} at ${width} px`);
    if (PICTURES) await photograph(page, name, width);
  }
}

test("no page of the console is wider than its window, on a phone or on a desk", async () => {
  const { page } = await openDevice(browser, service.url);
  await page.goto(`${service.url}/console/sign-in`);
  await look(page, "/console/sign-in");
  const viewer = await signedInOperator(service, world.client.workspaceId, "admin", "ada@example.org");
  await page.context().addCookies([...viewer.cookies].map(([name, value]) => ({ name, value, url: service.url })));
  const seen: string[] = [];
  for (const path of pagesWith(world)) {
    const answer = await viewer.get(path);
    if (answer.status !== 200 || !/^text\/html/.test(String(answer.headers["content-type"]))) continue;
    if (path === "/console/sign-in") continue;
    await page.goto(service.url + path);
    if (path.endsWith("/build")) await page.getByRole("button", { name: /Add/ }).first().waitFor();
    await look(page, path);
    seen.push(path);
  }
  assert.ok(seen.length > 40, `${seen.length} pages: ${seen.join(" ")}`);
});

test("nor is the first page of a participant", async () => {
  const { page } = await openDevice(browser, service.url);
  const study = await publish(world.client, everyKind);
  const [link] = await invite(world.client, study.screener, 1);
  await page.goto(service.url + link!.path);
  await look(page, "/participant");
});
