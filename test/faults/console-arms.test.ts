// Arms in a real browser: an assignment is made in the builder, a page and a quota ask for its arm, and people answer.

import assert from "node:assert/strict";
import { test } from "node:test";
import { openDevice, startBrowser, violations } from "../support/browser.ts";
import { enterConsole, isSaved, showPart } from "../support/console-browser.ts";
import { startService } from "../support/service.ts";
import { invite } from "../support/study.ts";
import { until } from "../support/until.ts";

const service = await startService();
const browser = await startBrowser();
const client = service.workspace();

const content = {
  pages: [
    {
      title: "About you",
      questions: [
        {
          id: "sex",
          _type: "ScreenerSingleSelectQuestion",
          prompt: "Who are you?",
          required: true,
          options: [
            { id: "women", text: "Women" },
            { id: "men", text: "Men" },
          ],
        },
      ],
    },
    { title: "The red one", description: "Look at the red one.", questions: [] },
  ],
};

/** Answers a link, and goes through the pages of its arm. @returns the headings of all pages */
async function answer(path: string, who: string): Promise<string[]> {
  const { device, page } = await openDevice(browser, service.url);
  await page.goto(service.url + path);
  await page.getByLabel(who, { exact: true }).check();
  const headings: string[] = [];
  for (;;) {
    headings.push(await page.getByRole("heading", { level: 1 }).innerText());
    const button = page.getByRole("button", { name: /^(Continue|Finish)$/ });
    if ((await button.count()) === 0) break;
    await button.click();
    await page.waitForLoadState();
  }
  await device.close();
  return headings;
}

test("an assignment is made in the builder, with errors at its fields; a page and a quota ask for its arm, and people are led through it", async () => {
  const page = (await enterConsole(browser, service, client, "ada@example.org")).page;
  const { id } = (await client.post("/screeners", { title: "Two concepts" })).body;
  await client.call("PUT", `/screeners/${id}/content`, { body: content });
  const draft = async () => (await client.get(`/screeners/${id}/content`)).body;
  const study = `${service.url}/console/studies/${id}`;
  await page.goto(`${study}/build`);
  await isSaved(page);
  await showPart(page, "Arms");
  await page.getByRole("button", { name: "Add an assignment" }).click();
  // What is just being added is not wrong yet.
  await page.getByText(/ incomplete$/).waitFor();
  assert.equal(await page.getByText("Name is required").count(), 0);
  await page.getByRole("button", { name: "Undo" }).focus();
  await page.getByText("Name is required").waitFor();
  await page.getByLabel("Name", { exact: true }).fill("Concept");
  await page.getByLabel("Arm 1", { exact: true }).fill("Red");
  await page.getByLabel("Arm 2", { exact: true }).fill("Red");
  await page.getByText("Arm 2 is another arm's name in this assignment").waitFor();
  await page.getByLabel("Arm 2", { exact: true }).fill("Blue");
  await isSaved(page);
  await page.getByRole("button", { name: "Add an arm Concept" }).click();
  await page.getByLabel("Arm 3", { exact: true }).fill("Green");
  await page.getByLabel("Give", { exact: true }).selectOption("RANDOM");
  const green = page.locator("ol.parts > li").nth(2);
  await green.getByRole("button", { name: "Add a rule Given only if" }).click();
  await green.getByLabel("Comparison", { exact: true }).selectOption("equals");
  await green.getByLabel("Option", { exact: true }).selectOption("Men");
  await green.getByText("Given only if “Who are you?” is “Men”.").waitFor();
  await isSaved(page);
  await page.evaluate("scrollTo(0, 0)");
  assert.deepEqual(await violations(page), []);

  // The page is for the red ones alone.
  await showPart(page, "2. The red one");
  await page.getByRole("button", { name: "Add a rule Show this page only if" }).click();
  await page.getByLabel("Question", { exact: true }).selectOption({ label: "The arm of “Concept”" });
  await page.getByText("Show this page only if the arm of “Concept” is “Red”.").waitFor();
  // A quota closes blue and green.
  await showPart(page, "Quotas");
  for (const name of ["Blue", "Green"]) {
    await page.getByRole("button", { name: "Add a quota" }).click();
    const card = page.locator(".cards.quotas > .card").last();
    await card.getByLabel("Name", { exact: true }).fill(name);
    await card.getByLabel("Places").fill("0");
    await card.getByRole("button", { name: "Add a rule Counts people if" }).click();
    await card.getByLabel("Question", { exact: true }).selectOption({ label: "The arm of “Concept”" });
    await card.getByLabel("Arm", { exact: true }).selectOption(name);
    await isSaved(page);
  }
  const { assignments, quotas, pages } = await draft();
  const [{ id: concept, arms }] = assignments;
  assert.deepEqual(
    [assignments[0].name, assignments[0].pick, arms.map(({ name }: { name: string }) => name)],
    ["Concept", "RANDOM", ["Red", "Blue", "Green"]],
  );
  assert.deepEqual(pages[1].showWhen, { arm: concept, is: arms[0].id });
  assert.deepEqual(
    quotas.map(({ when }: { when: object }) => when),
    [1, 2].map((at) => ({ arm: concept, is: arms[at].id })),
  );

  // The test drive can begin with an arm.
  await page.goto(`${study}/try`);
  await page.getByLabel("Arm of “Concept”").selectOption("Red");
  await page.getByRole("button", { name: "Begin again" }).click();
  await page.getByRole("listitem").filter({ hasText: "Concept: Red" }).waitFor();
  const phone = page.frameLocator("iframe");
  await phone.getByLabel("Women", { exact: true }).check();
  await phone.getByRole("button", { name: "Continue" }).click();
  await phone.getByRole("heading", { name: "The red one" }).waitFor();

  await page.goto(`${study}/publish`);
  await page
    .getByText("Assignment to arms added: “Concept”")
    .or(page.getByText("This is the first version"))
    .first()
    .waitFor();
  await client.post("/screener-publications", { screenerId: id });
  const [ada, bea] = await invite(client, id, 2);
  assert.deepEqual((await answer(ada!.path, "Women")).slice(0, 2), ["About you", "The red one"]);
  assert.deepEqual((await answer(bea!.path, "Men")).slice(0, 2), ["About you", "The red one"]);
  await until(
    async () => (await client.get(`/screener-sessions/${bea!.session}`)).body.state === "COMPLETED",
    "Bea has finished",
  );
  await page.goto(`${study}/quotas`);
  const red = page.getByRole("row").filter({ hasText: "Red" });
  assert.deepEqual((await red.getByRole("cell").allInnerTexts()).slice(0, 3), ["Red", "2", "0"]);
  assert.deepEqual(await violations(page), []);
  await red.getByRole("link").click();
  await page.getByRole("heading", { name: "Download answers", level: 2 }).waitFor();
  assert.equal(await page.getByLabel("Arm").locator("option:checked").innerText(), "Concept: Red");
  const { reference } = (await client.get(`/screener-sessions/${ada!.session}`)).body;
  await page.goto(`${study}/answers/${reference}`);
  await page.getByRole("listitem").filter({ hasText: "Concept" }).filter({ hasText: "Red" }).waitFor();
  await page.goto(`${study}/results`);
  await page.getByLabel("Split by").selectOption({ label: "Concept" });
  await page.getByRole("button", { name: "Show" }).click();
  await page.waitForURL(/splitBy=arms/);
  await page.getByText("Red").first().waitFor();
  assert.deepEqual(await violations(page), []);
});
