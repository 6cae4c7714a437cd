// In the builder, with a real browser: orders by chance are switched on, and answers are inserted into texts.

import assert from "node:assert/strict";
import { test } from "node:test";
import { startBrowser, untilTrue, violations } from "../support/browser.ts";
import { enterConsole, isSaved, promptInWork, unfold } from "../support/console-browser.ts";
import { startService } from "../support/service.ts";

const service = await startService();
const browser = await startBrowser();
const client = service.workspace();

const select = (prompt: string, ...texts: string[]) => ({
  ...{ _type: "ScreenerSingleSelectQuestion", prompt, required: true },
  options: texts.map((text) => ({ text })),
});

async function study(title: string, content: object) {
  const { body } = await client.post("/screeners", { title });
  const path = `/screeners/${body.id}/content`;
  const put = await client.call("PUT", path, { body: content });
  assert.equal(put.status, 200, put.text);
  return { url: `${service.url}/console/studies/${body.id}`, draft: async () => (await client.get(path)).body };
}

test("options, questions and pages are shuffled by switches, and what would come too early is said at its rule", async () => {
  const { page } = await enterConsole(browser, service, client, "ada@example.org");
  const { url, draft } = await study("Orders", {
    pages: [
      { title: "Red", questions: [select("Which tea?", "Green", "Black"), select("And then?", "One", "Two")] },
      {
        title: "Blue",
        questions: [{ _type: "ScreenerNumericQuestion", id: "n", prompt: "How many?", required: true }],
      },
    ],
  });
  await page.goto(`${url}/build`);
  await unfold(page, "1. Which tea?");
  await page.getByLabel("Shuffle the options").check();
  await page.getByLabel("Keeps its position", { exact: true }).nth(1).check();
  await page.getByText("Order by chance", { exact: true }).click();
  await page.getByLabel("Shuffle the questions").check();
  await unfold(page, "2. And then?");
  await page.getByLabel("Keeps its position on the page").check();
  await page.getByLabel("Block of this page").fill("Concepts");
  await page.getByLabel("Keeps its position in the block").check();
  await isSaved(page);
  assert.deepEqual(await violations(page), []);
  const [red] = (await draft()).pages;
  assert.deepEqual([red.shuffle, red.shuffleBlock, red.fixed], [true, "Concepts", true]);
  assert.deepEqual(
    [red.questions[0].shuffle, red.questions[0].options[1].fixed, red.questions[1].fixed],
    [true, true, true],
  );
  await page.getByLabel("Keeps its position in the block").uncheck();
  await isSaved(page);

  await page.getByRole("button", { name: /Blue/ }).click();
  await page.getByText("Order by chance", { exact: true }).click();
  await page.getByLabel("Block of this page").fill("Concepts");
  await isSaved(page);
  await page.getByRole("button", { name: "Add a rule Show this page only if" }).click();
  await page.getByLabel("Comparison").selectOption({ label: "is answered" });
  await page.getByLabel("Block of this page").focus();
  await page.getByText("which the order by chance of the block “Concepts” may put after the page “Blue”").waitFor();
  await page.getByLabel("Block of this page").fill("");
  await isSaved(page);

  await page.goto(`${url}/try`);
  const said = () => page.getByRole("listitem").filter({ hasText: "options of “Which tea?”" }).innerText();
  assert.match(await said(), /Green; Black/);
  await page.getByText("The questions of the page “Red”").waitFor();
  assert.deepEqual(await violations(page), []);
  await page.getByRole("button", { name: "Begin again in another order" }).click();
  await page.waitForLoadState();
  assert.match(await said(), /Green; Black/);
  await page.close();
});

test("an answer is inserted where the cursor is; the preview shows the fallback, and the test drive what was answered", async () => {
  const { page } = await enterConsole(browser, service, client, "bo@example.org");
  const { url, draft } = await study("Insertions", {
    pages: [
      {
        title: "First",
        questions: [
          select("What do you drink?", "Tea", "Coffee"),
          { _type: "ScreenerTextQuestion", key: "why", prompt: "Why?", required: false },
        ],
      },
      { title: "Second", questions: [{ _type: "ScreenerTextQuestion", prompt: "How often ?", required: false }] },
    ],
  });
  await page.goto(`${url}/build`);
  await page.getByRole("button", { name: /Second/ }).click();
  await unfold(page, "3. How often ?");
  const prompt = promptInWork(page);
  await prompt.focus();
  await page.keyboard.press("End");
  await page.keyboard.press("ArrowLeft");
  await page.getByText("Insert an answer into: Question").click();
  assert.deepEqual(await violations(page), []);
  await page.getByRole("button", { name: "What do you drink?", exact: true }).click();
  await isSaved(page);
  assert.equal(await prompt.inputValue(), "How often {{answer:what_do_you_drink}}?");
  await page.keyboard.type("!");
  await page.getByText("Insert an answer into: Heading").click();
  await page.getByRole("button", { name: "Why?", exact: true }).click();
  // What is to be written over is marked when the list has closed.
  await untilTrue(
    page,
    "document.activeElement.value?.slice(document.activeElement.selectionStart, document.activeElement.selectionEnd) === '…'",
  );
  await page.keyboard.type("you said nothing");
  await isSaved(page);
  const [first, second] = (await draft()).pages;
  assert.equal(first.questions[0].key, "what_do_you_drink");
  assert.equal(second.title, "Second{{answer:why|you said nothing}}");
  assert.equal(second.questions[0].prompt, "How often {{answer:what_do_you_drink}}!?");
  const preview = page.frameLocator("iframe");
  await preview.getByRole("heading", { name: "Secondyou said nothing" }).waitFor();
  await preview.getByText("How often [what_do_you_drink]!?").waitFor();

  // A key that is changed names the text that refers to it.
  await page.getByRole("button", { name: /First/ }).click();
  await unfold(page, "1. What do you drink?");
  await page.getByText("Help text, heading in tables").click();
  await page.getByLabel("Heading in tables").fill("drink");
  await page.getByText(/ incomplete$/).waitFor();
  await page.getByRole("button", { name: /Second.*needs fixing/ }).click();
  await page.getByText("none has the key “what_do_you_drink”").waitFor();
  await page.getByRole("button", { name: "Undo" }).click();
  await isSaved(page);

  await page.goto(`${url}/try`);
  const frame = page.frameLocator("iframe");
  await frame.getByLabel("Coffee").check();
  await Promise.all([page.waitForNavigation(), frame.getByRole("button", { name: "Continue" }).click()]);
  await frame.getByText("How often Coffee!?").waitFor();
  await page.close();
});
