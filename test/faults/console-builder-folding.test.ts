// The builder with many questions: folded to a line each, moved by dragging, keys and buttons, and never hidden below its bar.

import assert from "node:assert/strict";
import { test } from "node:test";
import type { Page } from "playwright-core";
import { overflow, startBrowser, violations } from "../support/browser.ts";
import { enterConsole, isSaved } from "../support/console-browser.ts";
import { MAX_STOPS, walk } from "../support/covered.ts";
import { startService } from "../support/service.ts";
import { until } from "../support/until.ts";

const service = await startService();
const browser = await startBrowser();
const client = service.workspace();

const number = (id: string, prompt: string, more: object = {}) => ({
  ...{ _type: "ScreenerNumericQuestion", id, prompt, required: true },
  ...more,
});

/** A study with two pages, whose first has three questions, and the builder with it. */
async function openBuilder(email: string): Promise<{ page: Page; id: string }> {
  const { page } = await enterConsole(browser, service, client, email);
  const { id } = (await client.post("/screeners", { title: email })).body;
  const questions = [
    number("age", "How old are you?"),
    { _type: "ScreenerStatement", id: "intro", text: "Now about **tea**." },
    number("cups", "How many cups a day?", { showWhen: { questionId: "age", atLeast: 18 } }),
    number("sugar", "How much sugar?"),
  ];
  const pages = [
    { title: "You", questions },
    { title: "More", questions: [number("more", "How much more?")] },
  ];
  const { status } = await client.call("PUT", `/screeners/${id}/content`, { body: { markup: "MARKDOWN", pages } });
  assert.equal(status, 200);
  await page.goto(`${service.url}/console/studies/${id}/build`);
  await isSaved(page);
  return { page, id };
}

const lines = (page: Page) => page.locator(".fold").allInnerTexts();
const orderOf = async (id: string): Promise<string[]> =>
  (await client.get(`/screeners/${id}/content`)).body.pages[0].questions.map(
    ({ prompt, text }: { prompt?: string; text?: string }) => prompt ?? text,
  );

test("questions are one line each but for the one in work, which is there again after coming back", async () => {
  const { page, id } = await openBuilder("folds@example.org");
  const plain = (await lines(page)).map((line) => line.replaceAll(/\s+/g, " "));
  assert.deepEqual(plain, [
    "1. How old are you? Number",
    "Now about tea. Text",
    "2. How many cups a day? Number Rule",
    "3. How much sugar? Number",
  ]);
  const heights = await page
    .locator(".item")
    .evaluateAll((all) => all.map((one) => one.getBoundingClientRect().height));
  assert.ok(Math.max(...heights) < 64, `Heights: ${heights}`);
  const prompt = page.getByLabel("Question", { exact: true });
  assert.equal(await prompt.count(), 0);
  const second = page.getByRole("button", { name: "2. How many cups a day?" });
  await second.focus();
  await page.keyboard.press("Enter");
  assert.equal(await second.getAttribute("aria-expanded"), "true");
  await page.keyboard.press("Tab");
  assert.equal(await page.evaluate("document.activeElement.textContent"), "Up question 2");
  assert.deepEqual(await violations(page), []);
  // Another one in its place.
  await page.getByRole("button", { name: "3. How much sugar?" }).click();
  assert.equal(await prompt.first().inputValue(), "How much sugar?");
  await prompt.first().fill("");
  await page.getByText("1 thing is incomplete").waitFor();
  await page.getByRole("button", { name: "1. How old are you?" }).click();
  await page.getByRole("button", { name: "3. A question without a text Number Incomplete" }).waitFor();
  await page.getByRole("button", { name: "2. More" }).click();
  await page.getByRole("button", { name: "4. How much more?" }).click();
  await page.getByRole("button", { name: /^1\. You/ }).click();
  assert.equal(await prompt.first().inputValue(), "How old are you?");
  await page.reload();
  await isSaved(page);
  assert.equal(await prompt.first().inputValue(), "How old are you?");
  // A link from what keeps the draft from being published unfolds it.
  await page.getByRole("link", { name: "Publish" }).click();
  await page.getByRole("link", { name: "Page 1, question 4" }).click();
  await isSaved(page);
  await page.getByText("Question is required").waitFor();
  await until(
    () => prompt.first().evaluate((field) => field === field.ownerDocument.activeElement),
    "the field has the focus",
  );
  assert.equal((await client.get(`/screeners/${id}/content`)).body.incomplete.length, 1);
});

test("a question and a page are moved by dragging, by keys and by buttons, and screen readers hear where they are", async () => {
  const { page, id } = await openBuilder("drags@example.org");
  const said = page.locator("[aria-live=polite]");
  await page.setViewportSize({ width: 1280, height: 1600 });
  const handle = (name: string) => page.getByRole("button", { name: `Move ${name}:` });
  const drag = async (from: string, to: string, end: () => Promise<void>) => {
    const [start, target] = [await handle(from).boundingBox(), await handle(to).boundingBox()];
    await page.mouse.move(start!.x + 8, start!.y + 20);
    await page.mouse.down();
    await page.mouse.move(target!.x + 8, target!.y + 10, { steps: 4 });
    assert.equal(await page.locator("[data-drop]").count(), 1);
    await end();
  };
  await drag("question 3", "question 1", () => page.mouse.up());
  assert.equal(await said.textContent(), "Moved question 3 to position 1 of 4.");
  const dragged = ["How much sugar?", "How old are you?", "Now about **tea**.", "How many cups a day?"];
  await isSaved(page);
  assert.deepEqual(await orderOf(id), dragged);
  // Escape leaves it where it was.
  await drag("question 1", "question 3", () => page.keyboard.press("Escape"));
  await page.mouse.up();
  assert.equal(await page.locator("[data-drop], [data-dragged]").count(), 0);
  assert.match((await lines(page))[0]!, /How much sugar/);
  // Keys: the focus goes along, so that it can be moved further.
  await handle("question 1").focus();
  await page.keyboard.press("ArrowDown");
  await until(async () => (await said.textContent()) === "Moved question 1 to position 2 of 4.", "it is said");
  await page.keyboard.press("ArrowDown");
  await until(async () => (await said.textContent()) === "Moved question 2 to position 3 of 4.", "it is said");
  await isSaved(page);
  await until(
    async () => JSON.stringify(await orderOf(id)) === JSON.stringify([dragged[1], dragged[2], dragged[0], dragged[3]]),
    "it is moved",
  );
  // Buttons.
  const up = page.getByRole("button", { name: "Up question 2" });
  await up.click();
  assert.equal(await said.textContent(), "Moved question 2 to position 2 of 4.");
  await until(() => page.evaluate<boolean>("document.activeElement.textContent.startsWith('Up ')"), "it has the focus");
  // To another page: by its buttons, and by letting go on that page in the list of pages.
  const pagesOf = async (): Promise<string[][]> =>
    (await client.get(`/screeners/${id}/content`)).body.pages.map(
      ({ questions }: { questions: { prompt?: string; text?: string }[] }) =>
        questions.map(({ prompt, text }) => prompt ?? text),
    );
  const sugar = dragged[0]!;
  const others = (await orderOf(id)).filter((text) => text !== sugar);
  await page.getByRole("button", { name: `2. ${sugar}` }).click();
  assert.deepEqual(await page.getByLabel("Another page for question 2").locator("option").allInnerTexts(), ["2. More"]);
  await page.getByRole("button", { name: "Move to this page question 2" }).click();
  assert.equal(await said.textContent(), "Moved question 2 to page 2.");
  await page.getByRole("heading", { name: "Page 2" }).waitFor();
  const here = page.getByRole("button", { name: `4. ${sugar}` });
  assert.equal(await here.getAttribute("aria-expanded"), "true");
  await until(() => here.evaluate((button) => button === button.ownerDocument.activeElement), "it has the focus");
  assert.deepEqual(await violations(page), []);
  await isSaved(page);
  await until(
    async () => JSON.stringify(await pagesOf()) === JSON.stringify([others, ["How much more?", sugar]]),
    "it is moved",
  );
  const [from, to] = [
    await handle("question 4").boundingBox(),
    await page.getByRole("button", { name: /^1\. You/ }).boundingBox(),
  ];
  await page.mouse.move(from!.x + 8, from!.y + 20);
  await page.mouse.down();
  await page.mouse.move(to!.x + 8, to!.y + 10, { steps: 4 });
  assert.equal(await page.locator("[data-drop=into]").count(), 1);
  await page.mouse.up();
  await until(async () => (await said.textContent()) === "Moved question 4 to page 1.", "it is said");
  await isSaved(page);
  await until(
    async () => JSON.stringify(await pagesOf()) === JSON.stringify([[...others, sugar], ["How much more?"]]),
    "it is back",
  );
  // Pages.
  await drag("page 2", "page 1", () => page.mouse.up());
  assert.equal(await said.textContent(), "Moved page 2 to position 1 of 2.");
  await isSaved(page);
  const titles = async () =>
    (await client.get(`/screeners/${id}/content`)).body.pages.map(({ title }: { title: string }) => title);
  await until(async () => (await titles()).join() === "More,You", "the page is moved");
  await page.getByRole("button", { name: "Undo" }).click();
  await until(async () => (await titles()).join() === "You,More", "it is taken back");
});

for (const width of [360, 1280])
  test(`what has the focus is never below a bar, forwards and backwards, at ${width} px`, async () => {
    const { page } = await openBuilder(`focus-${width}@example.org`);
    await page.setViewportSize({ width, height: 640 });
    await page.getByRole("button", { name: "2. How many cups a day?" }).click();
    for (const key of ["Tab", "Shift+Tab"] as const) {
      const { stops, covered } = await walk(page, key);
      assert.deepEqual(covered, [], key);
      assert.ok(stops > 30 && stops < MAX_STOPS, `${stops} stops with ${key}`);
    }
    assert.equal(await overflow(page), 0);
  });
