// An operator sees all cells on one page of the console, and which of them is away.

import assert from "node:assert/strict";
import { test } from "node:test";
import { openDevice, startBrowser, violations } from "../support/browser.ts";
import { startCell } from "../support/cells.ts";
import { PASSWORD } from "../support/console.ts";
import { until } from "../support/until.ts";

const [one, two] = await Promise.all([startCell("one"), startCell("two", { isWithoutWorker: true })]);
const browser = await startBrowser();

async function run(...args: string[]) {
  const { code, stdout, stderr } = await one.installation.cli(...args, "--json");
  assert.equal(code, 0, stderr);
  return JSON.parse(stdout);
}

test("all cells in one page: what each has, and one that is away", async () => {
  const { id } = one.installation.workspace("Sleep lab");
  two.installation.workspace("Elsewhere");
  const of = ["--workspace", id];
  const user = await run("user", "create", ...of, "--email", "op@example.org", "--name", "Ada", "--role", "viewer");
  await run("user", "operator", user.id, ...of);
  const { pathname, search } = new URL((await run("user", "link", user.id, ...of)).link);
  const { page, device } = await openDevice(browser, one.web.url, { viewport: { width: 1280, height: 800 } });
  await page.goto(one.web.url + pathname + search);
  await page.getByLabel("Password", { exact: true }).fill(PASSWORD);
  await page.getByLabel("The same password again").fill(PASSWORD);
  await Promise.all([page.waitForURL("**/console/studies"), page.getByRole("button").click()]);
  const rowOf = async (cell: string) => {
    await page.goto(`${one.web.url}/console/installation`);
    const row = page.locator("#cells ~ * tr", { has: page.getByRole("cell", { name: cell, exact: true }) });
    return (await row.count()) ? row.innerText() : "";
  };
  const looksRight = async (what: string) => {
    for (const width of [360, 1280]) {
      await page.setViewportSize({ width, height: 800 });
      assert.equal(await page.evaluate("document.documentElement.scrollWidth"), width, what);
      assert.deepEqual(await violations(page), [], what);
    }
  };
  // On a busy machine one may take longer to answer than the page waits.
  const shows = (cell: string, text: RegExp) =>
    until(async () => text.test(await rowOf(cell)), `${cell}: ${text}`, 30_000);
  await shows("one", /serves/);
  // It has no worker, and its own findings.
  await shows("two", /serves.*No worker is alive/s);
  await looksRight("both are there");
  await two.web.kill();
  await shows("two", /away.*last heard of/s);
  await shows("one", /serves/);
  await looksRight("one is away");
  await device.close();
});
