// Each page of the console, and two of a participant, on a phone and on a desk: none is wider than its window, and no bar hides what has
// the focus, forwards and backwards. With PICTURES=docs/pictures/pages each is photographed there, so that a review sees a change of its looks.

import assert from "node:assert/strict";
import { test } from "node:test";
import type { Page } from "playwright-core";
import { openDevice, overflow, startBrowser } from "../support/browser.ts";
import { signedInOperator } from "../support/console.ts";
import { pagesWith } from "../support/console-paths.ts";
import { MAX_STOPS, walk } from "../support/covered.ts";
import { photograph, removePictures } from "../support/photograph.ts";
import { startService } from "../support/service.ts";
import { everyKind, invite, publish } from "../support/study.ts";
import { populate } from "../support/world.ts";

const WIDTHS = [360, 1280];
const KEYS = ["Tab", "Shift+Tab"] as const;

const service = await startService();
const browser = await startBrowser();
const world = await populate(service, "Acme");
const { client } = world;
const { PICTURES } = process.env;
if (PICTURES) removePictures(PICTURES);

/** Whether something stays where it is while the page scrolls. Nothing else can come over what has the focus. */
const hasBars = (page: Page) =>
  page.evaluate<boolean>(
    `[...document.querySelectorAll("body *")].some((one) => ["sticky", "fixed"].includes(getComputedStyle(one).position))`,
  );

/** Goes through the page that is open. @returns whether it has a bar */
async function check(page: Page, what: string): Promise<boolean> {
  let isFound = false;
  for (const width of WIDTHS) {
    await page.setViewportSize({ width, height: 640 });
    assert.equal(await overflow(page), 0, `${what} at ${width} px`);
    if (PICTURES) await photograph(page, PICTURES, what);
    if (!(await hasBars(page))) continue;
    isFound = true;
    for (const key of KEYS) {
      const { stops, covered } = await walk(page, key);
      assert.deepEqual(covered, [], `${what} at ${width} px with ${key}`);
      assert.ok(stops > 1 && stops < MAX_STOPS, `${what} at ${width} px with ${key}: ${stops} stops`);
    }
  }
  return isFound;
}

test("no page of the console is wider than its window, and on none is what has the focus below a bar", async () => {
  const { page } = await openDevice(browser, service.url);
  await page.goto(`${service.url}/console/sign-in`);
  await check(page, "/console/sign-in");
  const viewer = await signedInOperator(service, client.workspaceId, "admin", "ada@example.org");
  const cookies = [...viewer.cookies].map(([name, value]) => ({ name, value, url: service.url }));
  await page.context().addCookies(cookies);
  const seen: string[] = [];
  const withBars: string[] = [];
  for (const path of pagesWith(world)) {
    const answer = await viewer.get(path);
    if (answer.status !== 200 || !/^text\/html/.test(String(answer.headers["content-type"]))) continue;
    if (path === "/console/sign-in") continue;
    await page.goto(service.url + path);
    if (path.endsWith("/build")) await page.getByRole("button", { name: /Add/ }).first().waitFor();
    seen.push(path);
    if (await check(page, path)) withBars.push(path);
  }
  assert.ok(seen.length > 40, `${seen.length} pages: ${seen.join(" ")}`);
  assert.deepEqual(withBars, [`/console/studies/${world.screener}/build`]);
});

test("nor a page of a participant, with a table's heading that stays", async () => {
  const { page } = await openDevice(browser, service.url);
  const study = await publish(client, everyKind);
  const [link] = await invite(client, study.screener, 1);
  await page.goto(service.url + link!.path);
  await check(page, "/participant");
  const screener = await client.screener("Drinks");
  const rows = Array.from({ length: 20 }, (_, at) => ({ text: `Drink ${at + 1}` }));
  const columns = ["Never", "Now and then", "Each day"].map((text) => ({ text }));
  const table = { _type: "ScreenerMatrixQuestion", prompt: "How often?", required: true, rows, columns };
  const before = { _type: "ScreenerTextQuestion", prompt: "Your name?", required: true };
  const pages = [{ title: "Drinks", questions: [before, table, { ...before, prompt: "Why?" }] }];
  const { status, text } = await client.call("PUT", `/screeners/${screener}/content`, { body: { pages } });
  assert.equal(status, 200, text);
  await client.post("/screener-publications", { screenerId: screener });
  const [matrix] = await invite(client, screener, 1);
  await page.goto(service.url + matrix!.path);
  assert.ok(await check(page, "/participant-matrix"), "its heading stays");
});
