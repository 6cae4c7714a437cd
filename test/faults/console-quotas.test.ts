// Quotas in a real browser, from a grid in the builder to a limit that is raised; and links that go on with a corrected version. On a desk
// and on a phone.

import assert from "node:assert/strict";
import { test } from "node:test";
import type { Page } from "playwright-core";
import { openDevice, startBrowser, violations } from "../support/browser.ts";
import { people } from "../support/client.ts";
import { enterConsole, isSaved, promptInWork, showPart, unfold } from "../support/console-browser.ts";
import { startService } from "../support/service.ts";
import { invite } from "../support/study.ts";
import { until } from "../support/until.ts";

const LINKS = 1000;

const service = await startService();
const browser = await startBrowser();
const client = service.workspace();

const content = {
  pages: [
    {
      title: "About you",
      disqualifyWhen: { questionId: "age", lessThan: 18 },
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
        { id: "age", _type: "ScreenerNumericQuestion", prompt: "How old are you?", required: true, wholeNumber: true },
      ],
    },
  ],
};

/** A page of a researcher who has signed in. */
async function enter(email: string, width: number): Promise<Page> {
  return (await enterConsole(browser, service, client, email, { viewport: { width, height: 900 } })).page;
}

async function newStudy(title: string, body: object): Promise<string> {
  const { id } = (await client.post("/screeners", { title })).body;
  await client.call("PUT", `/screeners/${id}/content`, { body });
  return id;
}

/** Nothing is wider than the screen, and axe finds nothing. */
async function looksGood(page: Page): Promise<void> {
  // The builder's bar stays at the top, over whatever is scrolled below it.
  await page.evaluate("scrollTo(0, 0)");
  assert.equal(
    await page.evaluate("document.documentElement.scrollWidth"),
    page.viewportSize()!.width,
    `${page.url()} is too wide`,
  );
  assert.deepEqual(await brokenWords(page), [], `${page.url()} breaks headings of a table within a word`);
  assert.deepEqual(await violations(page), []);
}

/** The words of headings of tables that go on in another line. */
const brokenWords = (page: Page): Promise<string[]> =>
  page.locator("thead th").evaluateAll((headings) =>
    headings.flatMap((heading) => {
      const texts = [...heading.childNodes].filter((node) => node.nodeType === 3);
      return texts.flatMap((text) =>
        [...text.textContent!.matchAll(/\S+/g)].flatMap(({ 0: word, index }) => {
          const range = document.createRange();
          range.setStart(text, index);
          range.setEnd(text, index + word.length);
          return range.getClientRects().length > 1 ? [word] : [];
        }),
      );
    }),
  );

/** Answers a link's page. @returns what is read at the end */
async function answer(path: string, who: string, age: string): Promise<string> {
  const { device, page } = await openDevice(browser, service.url);
  await page.goto(service.url + path);
  await page.getByLabel(who, { exact: true }).check();
  await page.getByLabel("How old are you?").fill(age);
  await page.getByRole("button", { name: "Finish" }).click();
  await page.locator(".end").waitFor();
  const text = await page.getByRole("main").innerText();
  await device.close();
  return text;
}

test("headings of tables break only between words, however long what is below them is", async () => {
  const page = await enter("hedy@example.org", 1280);
  const limits = [1, 2].map((limit) => ({ name: `Another gender, ${limit * 25} years and over`, when: null, limit }));
  const id = await newStudy("Long names", { ...content, quotas: limits });
  for (const width of [1280, 800]) {
    await page.setViewportSize({ width, height: 900 });
    await page.goto(`${service.url}/console/studies/${id}/feasibility`);
    await page.getByRole("cell", { name: limits[0]!.name }).waitFor();
    await looksGood(page);
  }
});

for (const width of [1280, 360])
  test(`at ${width} px: a grid is built and published, a cell is filled, its limit is raised, and a place offered`, async () => {
    const page = await enter(`ada-${width}@example.org`, width);
    const id = await newStudy(`Grid ${width}`, content);
    const study = `${service.url}/console/studies/${id}`;
    await page.goto(`${study}/build`);
    await isSaved(page);
    await showPart(page, "Quotas");
    await page.getByRole("button", { name: "Make a grid" }).click();
    // What is missing is said when it is pressed.
    await page.getByRole("button", { name: "Make the quotas" }).click();
    await page.getByText("Choose two or three questions.").waitFor();
    await page.getByLabel("First question").selectOption({ label: "1. “Who are you?”" });
    await page.getByLabel("Second question").selectOption({ label: "2. “How old are you?”" });
    await page.getByLabel("Ranges for “How old are you?”").fill("under 30\nyoungish");
    await page.getByText("“youngish” is no range.").waitFor();
    await page.getByLabel("Ranges for “How old are you?”").fill("under 30\n30 to 49\n50 and over");
    await page.getByLabel("People in total").fill("5");
    await page.getByLabel("Women").fill("50");
    await page.getByText("The percentages for “Who are you?” are 50 together, and not 100.").waitFor();
    await page.getByLabel("Men", { exact: true }).fill("50");
    // 5 people in 6 combinations: 3 and 2, and 2, 2 and 1.
    const sums = page.getByRole("row", { name: /^Together/ });
    await sums.getByText("5", { exact: true }).waitFor();
    assert.deepEqual(await sums.getByRole("cell").allInnerTexts(), ["2", "2", "1", "5"]);
    await looksGood(page);
    const [frame, make] = [page.getByRole("region", { name: "Places for each combination" }), "Make 6 quotas"];
    const [above, below] = [await frame.boundingBox(), await page.getByRole("button", { name: make }).boundingBox()];
    assert.ok(below!.y - (above!.y + above!.height) >= 8, "the button is apart from the table");
    await page.getByRole("button", { name: make }).click();
    await page.getByRole("heading", { name: "Women, under 30" }).waitFor();
    await isSaved(page);
    await looksGood(page);
    // Undone as a whole, and redone.
    await page.getByRole("button", { name: "Undo" }).click();
    await page.getByRole("heading", { name: "Women, under 30" }).waitFor({ state: "detached" });
    await page.getByRole("button", { name: "Redo" }).click();
    await isSaved(page);
    const { quotas } = (await client.get(`/screeners/${id}/content`)).body;
    assert.deepEqual(
      quotas.map(({ name, limit }: { name: string; limit: number }) => [name, limit]),
      [
        ["Women, under 30", 1],
        ["Women, 30 to 49", 1],
        ["Women, 50 and over", 1],
        ["Men, under 30", 1],
        ["Men, 30 to 49", 1],
        ["Men, 50 and over", 0],
      ],
    );

    await page.goto(`${study}/publish`);
    await page.getByText("Quota added: “Women, under 30”").waitFor();
    await page.getByText("The quota “Men, 50 and over” has the limit 0").waitFor();
    await looksGood(page);
    await page
      .getByRole("main")
      .getByRole("button", { name: /^Publish/ })
      .click();
    await page.getByText("Version 1 is live").waitFor();

    const [first, second, third] = await invite(client, id, 3);
    assert.match(await answer(first!.path, "Women", "25"), /Thank you/);
    const refused = await answer(second!.path, "Women", "29");
    assert.match(refused, /full/);
    assert.doesNotMatch(refused, /Women|30/);

    await page.getByRole("navigation", { name: "Study" }).getByRole("link", { name: "Quotas" }).click();
    const cell = page.getByRole("cell", { name: /^1 of 1 taken.*Women, under 30.*Full$/ });
    await cell.waitFor();
    await looksGood(page);
    await cell.getByRole("link").click();
    await page.getByRole("heading", { name: "Women, under 30", exact: true }).waitFor();
    await page.getByText("1 person was turned away because it had no room. None of them would fit now.").waitFor();
    await page.getByLabel("Places", { exact: true }).fill("3");
    await looksGood(page);
    await page.getByRole("button", { name: "Change the limit" }).click();
    await page.getByText("1 of 3 taken").waitFor();
    await page.getByText("1 would fit now.").waitFor();
    const offer = page.getByRole("button", { name: "See who would get an offer …" });
    await page.getByLabel("Hours for which the places are held").fill("500");
    await offer.click();
    await page.getByText("must be a whole number from 1 to 336").first().waitFor();
    await looksGood(page);
    await page.getByLabel("Hours for which the places are held").fill("72");
    await offer.click();
    await page.getByRole("heading", { name: "What the offer will do" }).waitFor();
    await page.getByText("1 will get an offer").waitFor();
    await looksGood(page);
    await page.getByRole("button", { name: "Offer the places" }).click();
    await page.getByRole("link", { name: "1 got an offer" }).click();
    await page.getByText("Goes on, with a place held in each of the person’s quotas.").waitFor();
    await looksGood(page);
    assert.match(await answer(second!.path, "Women", "29"), /Thank you/);
    assert.match(await answer(third!.path, "Women", "18"), /Thank you/);

    // In the builder, the rule of a quota that is published can't be changed, and its places are live.
    await page.goto(`${study}/build`);
    await isSaved(page);
    await showPart(page, "Quotas (6)");
    await page.getByText("3 of 3 places taken").waitFor();
    await page.getByRole("button", { name: "Change Women, under 30" }).click();
    await page.getByText("The quota is published").waitFor();
    assert.equal(await page.getByRole("button", { name: "Add a comparison" }).count(), 0);
    await page.getByRole("link", { name: /^Change it on its page.*Women, under 30$/ }).waitFor();
    await page.getByLabel("Name").fill("Young women");
    await isSaved(page);
    await looksGood(page);
    await until(
      async () => (await client.get(`/screeners/${id}/content`)).body.quotas[0].name === "Young women",
      "it is renamed",
    );
  });

for (const width of [1280, 360])
  test(`at ${width} px: a text is corrected, and 1,000 links that nobody has opened go on with it`, async () => {
    const page = await enter(`cy-${width}@example.org`, width);
    const id = await newStudy(`Corrected ${width}`, content);
    const study = `${service.url}/console/studies/${id}`;
    await client.post("/screener-publications", { screenerId: id });
    const rows = people(LINKS, width * LINKS);
    assert.equal((await client.import(id, rows, {}, { Prefer: "wait=60" })).status, 200);
    const { body: sessions } = await client.post("/screener-sessions", { screenerId: id }, { Prefer: "wait=60" });
    assert.equal(sessions.length, LINKS);
    // One is open meanwhile, and another one begun.
    const path = (at: number) => new URL(sessions[at].screenerSessionLink).pathname;
    await client.post(`/screener-sessions/${sessions[1].id}/responses`, { responses: [] });

    await page.goto(`${study}/build`);
    await isSaved(page);
    await unfold(page, "1. Who are you?");
    await promptInWork(page).fill("Who are you, please?");
    await isSaved(page);
    await page.goto(`${study}/publish`);
    await page.getByText("Who are you, please?").first().waitFor();
    await page
      .getByRole("main")
      .getByRole("button", { name: /^Publish/ })
      .click();
    await page.getByText("Version 2 is live").waitFor();
    await page.getByText("999 links that nobody has opened keep the old version. Move them to version 2?").waitFor();
    await looksGood(page);
    await page.getByRole("button", { name: "Move them to version 2" }).click();
    await page.getByRole("link", { name: "999 moved" }).waitFor();
    await looksGood(page);
    const asks = async (at: number) =>
      (await (await fetch(service.url + path(at))).text()).includes("Who are you, please?");
    assert.deepEqual([await asks(0), await asks(1), await asks(LINKS - 1)], [true, false, true]);
    // It is taken back from the same page.
    await page.getByRole("button", { name: "Undo this move …" }).click();
    await page.getByRole("button", { name: "Take it back" }).click();
    await page.getByRole("link", { name: "999 taken back" }).waitFor();
    assert.equal(await asks(0), false);
  });

test("a quota is made by hand, with errors at its fields; it survives another's change, and keeps its place in the draft", async () => {
  const page = await enter("bo@example.org", 1280);
  const id = await newStudy("By hand", { ...content, quotas: [{ name: "Everybody", limit: 9 }] });
  const draft = async () => (await client.get(`/screeners/${id}/content`)).body;
  await page.goto(`${service.url}/console/studies/${id}/build`);
  await isSaved(page);
  await showPart(page, "Quotas (1)");
  await page.getByText("Everybody counts. 9 places.").waitFor();
  await page.getByRole("button", { name: "Add a quota" }).click();
  // What is just being added is not wrong yet.
  await page.getByText(/ incomplete$/).waitFor();
  assert.equal(await page.getByText("Name is required").count(), 0);
  await page.getByRole("button", { name: "Undo" }).focus();
  await page.getByText("Name is required").waitFor();
  await looksGood(page);
  const cards = page.locator(".cards > .card");
  const card = cards.nth(1);
  await card.getByLabel("Name").fill("Everybody");
  await page.getByText("Places is required", { exact: true }).waitFor();
  await card.getByLabel("Places").fill("2");
  await page.getByText("Name is another quota’s name").or(page.getByText("Name is another quota's name")).waitFor();
  await card.getByLabel("Name").fill("Men");
  await isSaved(page);
  await card.getByRole("button", { name: "Add a rule Counts people if" }).click();
  await card.getByLabel("Question").selectOption({ label: "1. “Who are you?”" });
  await card.getByLabel("Comparison", { exact: true }).selectOption("equals");
  await card.getByLabel("Option", { exact: true }).selectOption("Men");
  await card.getByText("Counts people if “Who are you?” is “Men”.").waitFor();
  await card.getByText("What people see who find it full").click();
  await card.getByLabel("When they are turned away").selectOption("END");
  await card.getByLabel("Closing text").fill("Enough.");
  await card.getByLabel("Redirect to").fill("http://panel.example.org");
  await page.getByText("Redirect to must begin with https://").waitFor();
  await card.getByLabel("Redirect to").fill("https://panel.example.org/full");
  await isSaved(page);
  await page.getByRole("button", { name: "Up Men" }).click();
  await isSaved(page);
  const { quotas, pages } = await draft();
  assert.deepEqual(
    quotas.map(({ id: _, ...quota }: { id: string }) => quota),
    [
      {
        name: "Men",
        when: { questionId: pages[0].questions[0].id, equals: pages[0].questions[0].options[1].id },
        mode: "LIMIT",
        limit: 2,
        ending: { at: "END", thankYou: "Enough.", redirect: "https://panel.example.org/full" },
      },
      {
        name: "Everybody",
        when: null,
        mode: "LIMIT",
        limit: 9,
        ending: { at: "NOW", thankYou: null, redirect: null },
      },
    ],
  );
  // A change elsewhere in the builder does not drop them. Somebody else's is taken over, and said.
  await client.call("PUT", `/screeners/${id}/content`, { body: { ...(await draft()), quotas: quotas.slice(1) } });
  await showPart(page, "The end");
  await page.getByLabel("Closing text").fill("Bye");
  await page.getByRole("heading", { name: / has changed this draft at / }).waitFor();
  await page.getByText("Quota removed: “Men”").waitFor();
  await until(async () => (await draft()).thankYou === "Bye", "ours is saved, too");
  assert.deepEqual(
    (await draft()).quotas.map(({ name }: { name: string }) => name),
    ["Everybody"],
  );
  await showPart(page, "Quotas (1)");
  await page.getByRole("button", { name: "Remove Everybody" }).click();
  await isSaved(page);
  await until(async () => (await draft()).quotas === undefined, "they are gone");
  assert.equal(await page.evaluate("document.activeElement.id"), "add-quota");
});
