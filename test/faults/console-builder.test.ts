// From an empty study to a published screener that screens out, in a real browser, without a line of JSON; and two people who edit
// the same draft.

import assert from "node:assert/strict";
import { test } from "node:test";
import { gzipSync } from "node:zlib";
import type { Page } from "playwright-core";
import { overflow, startBrowser, untilTrue, violations } from "../support/browser.ts";
import { PASSWORD } from "../support/console.ts";
import { enterConsole, isSaved, promptInWork, showPart, unfold } from "../support/console-browser.ts";
import { jpeg, svg } from "../support/images.ts";
import { startService } from "../support/service.ts";
import { until } from "../support/until.ts";

const service = await startService();
const browser = await startBrowser();
const client = service.workspace();

/** Goes on with the keyboard alone, until the focus is on what has this name. */
async function tabTo(page: Page, name: string): Promise<void> {
  for (let presses = 0; presses < 60; presses++) {
    await page.keyboard.press("Tab");
    const label = await page.evaluate<string>(
      "[document.activeElement.labels?.[0]?.textContent, document.activeElement.textContent].find(Boolean) ?? ''",
    );
    if (label === name) return;
  }
  assert.fail(`Tab does not lead to “${name}”.`);
}

test("by keyboard alone, an empty study becomes a published screener with a rule", async () => {
  const { page, foreign } = await enterConsole(browser, service, client, "ada@example.org");
  const { keyboard } = page;
  /** Presses a button, and waits until the field that gets the focus has it. */
  const press = async (button: string, field: string) => {
    await tabTo(page, button);
    await keyboard.press("Enter");
    await until(async () => {
      const { label, value } = await page.evaluate<{ label?: string; value?: string }>(
        "({ label: document.activeElement.labels?.[0]?.textContent, value: document.activeElement.value })",
      );
      return label === field && value === "";
    }, `“${field}” has the focus`);
  };
  await tabTo(page, "New study");
  await keyboard.press("Enter");
  await page.waitForURL("**/studies/new");
  await tabTo(page, "Title");
  await keyboard.type("Drinks");
  await Promise.all([page.waitForURL("**/build"), keyboard.press("Enter")]);
  await isSaved(page);
  await press("Add a page", "Heading");
  await keyboard.type("About you");
  await press("Number", "Question");
  await keyboard.type("How old are you?");
  await tabTo(page, "Add a rule Screen out if");
  await keyboard.press("Enter");
  await untilTrue(page, "document.activeElement.id.endsWith('-out-subject')");
  await tabTo(page, "Value");
  await keyboard.type("18");
  await page.getByText("Screen out if “How old are you?” is less than 18.").waitFor();
  await isSaved(page);
  await page.frameLocator("iframe").getByText("How old are you?").waitFor();

  // A question that is not finished is not saved, and says why when it is left.
  await page.getByRole("button", { name: "One option", exact: true }).focus();
  await keyboard.press("Enter");
  await page.getByText(/ incomplete$/).waitFor();
  assert.equal(await page.getByText("Question is required").count(), 0);
  await page.getByRole("button", { name: "Undo" }).focus();
  await page.getByText("Question is required").waitFor();
  assert.deepEqual(await violations(page), []);
  await promptInWork(page).fill("What do you drink?");
  await page.getByText("Paste a list of options").click();
  await page.getByLabel("One option in each line").fill("Tea\n Coffee\n\nTea\nWater");
  await page.getByRole("button", { name: "Add these options" }).click();
  await isSaved(page);
  assert.equal(await page.getByRole("group", { name: "Options" }).getByRole("listitem").count(), 3);

  // Undo, and redo, also by the keyboard, and what comes back is saved.
  await keyboard.press("Control+z");
  assert.equal(await page.getByRole("group", { name: "Options" }).getByRole("listitem").count(), 2);
  await keyboard.press("Control+Shift+z");
  await isSaved(page);

  // A rule of several comparisons. Who leaves at once takes along what was typed last.
  await page.getByRole("button", { name: "Add a comparison" }).click();
  const second = page.getByRole("group", { name: "Screen out if …" }).getByRole("listitem").nth(1);
  // It begins with nothing, and nothing is said of it before it is filled in.
  assert.equal(await second.getByLabel("Question").inputValue(), "");
  assert.equal(await second.getByLabel("Comparison").count(), 0);
  await second.getByLabel("Question").selectOption("1. “How old are you?”");
  await second.getByLabel("Comparison").selectOption({ label: "is at least" });
  await page.getByText("1 thing is incomplete").waitFor();
  assert.equal(await second.getByText("Value must be").count(), 0);
  assert.equal(await page.getByText("never holds").count(), 0);
  assert.equal(await page.locator(".sentence").count(), 0);
  await second.getByLabel("Value").fill("20");
  await page.getByText("never screens out: it never holds").waitFor();
  await page.getByLabel("Match", { exact: true }).selectOption("any");
  await second.getByLabel("Question").selectOption("2. “What do you drink?”");
  await second.getByLabel("Comparison").selectOption("equals");
  assert.equal(await second.getByLabel("Option", { exact: true }).inputValue(), "");
  await second.getByLabel("Option", { exact: true }).selectOption("Water");
  await page.getByText("is less than 18 or “What do you drink?” is “Water”.").waitFor();
  const id = /studies\/([^/]+)\/build/.exec(page.url())![1]!;
  await page.getByRole("link", { name: "Publish" }).focus();
  await Promise.all([page.waitForURL("**/publish"), keyboard.press("Enter")]);
  const { body: draft } = await client.get(`/screeners/${id}/content`);
  assert.deepEqual(
    draft.pages[0].questions[1].options.map(({ text }: { text: string }) => text),
    ["Tea", "Coffee", "Water"],
  );

  await page
    .getByText("rule added: Screen out if “How old are you?” is less than 18 or “What do you drink?”")
    .waitFor();
  await page.getByText("There is no target").waitFor();
  await page.getByLabel("Target").focus();
  await keyboard.type("25");
  await Promise.all([page.waitForURL("**/share?published"), keyboard.press("Enter")]);
  await page.getByText("Version 1 is live").waitFor();
  const { body } = await client.get(`/screeners/${id}/publications`);
  assert.equal(body.items[0].targetQualifiedParticipants, null);
  const [everybody] = (await client.get(`/screeners/${id}/quotas`)).body.items;
  assert.deepEqual([everybody.name, everybody.when, everybody.limit], ["Everybody", null, 25]);
  assert.deepEqual(foreign, []);
});

test("a question that is not finished is still there after leaving, and keeps the draft from being published", async () => {
  const { page } = await enterConsole(browser, service, client, "unfinished@example.org");
  const { id } = (await client.post("/screeners", { title: "Unfinished" })).body;
  const study = `${service.url}/console/studies/${id}`;
  await page.goto(`${study}/build`);
  await isSaved(page);
  await page.getByRole("button", { name: "Add a page" }).click();
  await page.getByRole("button", { name: "One option", exact: true }).click();
  await page.getByText("1 thing is incomplete").waitFor();
  await page.getByRole("link", { name: "Publish" }).click();
  await page.getByRole("heading", { name: "1 thing is incomplete" }).waitFor();
  await page
    .getByRole("main")
    .getByRole("button", { name: /^Publish/ })
    .click();
  await page.getByText("so nothing is published").first().waitFor();
  await page.getByRole("link", { name: "Page 1, question 1" }).click();
  await isSaved(page);
  const question = promptInWork(page);
  await until(() => question.evaluate((field) => field === field.ownerDocument.activeElement), "it has the focus");
  await question.fill("What do you drink?");
  await page.getByText("Paste a list of options").click();
  await page.getByLabel("One option in each line").fill("Tea\nWater");
  await page.getByRole("button", { name: "Add these options" }).click();
  await page.getByText(/incomplete$/).waitFor({ state: "detached" });
  await isSaved(page);
  const { body } = await client.get(`/screeners/${id}/content`);
  assert.deepEqual([body.pages[0].questions[0].prompt, body.incomplete], ["What do you drink?", undefined]);
});

test("who edits what somebody else has changed meanwhile keeps both changes, and chooses where both have changed the same question", async () => {
  const { page } = await enterConsole(browser, service, client, "bo@example.org");
  const { body: made } = await client.post("/screeners", { title: "Shared" });
  const path = `/screeners/${made.id}/content`;
  const draft = async () => (await client.get(path)).body;
  const prompts = async () => (await draft()).pages[0].questions.map(({ prompt }: { prompt: string }) => prompt);
  const number = (id: string, prompt: string) => ({ _type: "ScreenerNumericQuestion", id, prompt, required: true });
  const questions = [number("age", "How old are you?"), number("cups", "How many cups?")];
  await client.call("PUT", path, { body: { pages: [{ id: "you", title: "You", questions }] } });
  await page.goto(`${service.url}/console/studies/${made.id}/build`);
  await isSaved(page);
  /** Somebody else changes the text of a question, and adds one. */
  const meanwhile = async (at: number, prompt: string, added: string) => {
    const { pages, thankYou } = await draft();
    const changed = pages[0].questions.with(at, { ...pages[0].questions[at], prompt });
    const all = [...changed, number(added, added)];
    const body = { pages: [{ ...pages[0], questions: all }], thankYou };
    assert.equal((await client.call("PUT", path, { body })).status, 200);
  };

  // Different questions: nobody is asked anything.
  await meanwhile(1, "How many cups of tea?", "Theirs 1");
  await unfold(page, "1. How old are you?");
  await promptInWork(page).fill("What is your age?");
  const note = page.locator(".conflict");
  await note.getByRole("heading", { name: / has changed this draft at \d/ }).waitFor();
  await note.getByText("Question changed: “How many cups of tea?”; the text was “How many cups?”").waitFor();
  await isSaved(page);
  assert.deepEqual(await prompts(), ["What is your age?", "How many cups of tea?", "Theirs 1"]);
  assert.equal(await promptInWork(page).inputValue(), "What is your age?");
  assert.deepEqual(await violations(page), []);

  // The same question: both versions are shown, and the rest of both is kept.
  for (const button of ["Keep yours", "Keep theirs"]) {
    const typed = `Before ${button}`;
    await meanwhile(0, "Their text", `Added, ${button}`);
    await promptInWork(page).fill(typed);
    await page.getByText("Both of you have changed the same.").waitFor();
    const [ours, others] = await note.locator(".versions > .card").allInnerTexts();
    assert.match(ours!, new RegExp(`Yours.*“${typed}”`, "s"));
    assert.match(others!, /Theirs.*“Their text”/s);
    assert.equal((await prompts())[0], "Their text");
    assert.deepEqual(await violations(page), []);
    await note.getByRole("button", { name: button }).click();
    await isSaved(page);
    const kept = button === "Keep yours" ? typed : "Their text";
    await until(async () => (await prompts())[0] === kept, `${button}: it is kept`);
    assert.ok((await prompts()).includes(`Added, ${button}`));
    assert.equal(await promptInWork(page).inputValue(), kept);
  }
  // What was dropped can be had back.
  await page.getByRole("button", { name: "Undo" }).click();
  await isSaved(page);
  await until(async () => (await prompts())[0] === "Before Keep theirs", "it is back");
});

test("who was signed out while typing signs in in another tab, and loses nothing", async () => {
  const { device, page } = await enterConsole(browser, service, client, "ed@example.org");
  const { id } = (await client.post("/screeners", { title: "Long" })).body;
  await page.goto(`${service.url}/console/studies/${id}/build`);
  await isSaved(page);
  await device.clearCookies();
  await page.getByLabel("Closing text").fill("Typed for hours");
  await page.getByText("you are signed out").waitFor();
  const tab = await device.newPage();
  await tab.goto(`${service.url}/console/sign-in`);
  await tab.getByLabel("Email").fill("ed@example.org");
  await tab.getByLabel("Password").fill(PASSWORD);
  await Promise.all([tab.waitForURL("**/console/studies"), tab.getByRole("button").click()]);
  await page.getByRole("button", { name: "Save" }).click();
  await isSaved(page);
  assert.equal((await client.get(`/screeners/${id}/content`)).body.thankYou, "Typed for hours");
});

test("where people are led on to is typed into the builder, which says what is wrong", async () => {
  const { page, foreign } = await enterConsole(browser, service, client, "led@example.org");
  const { id } = (await client.post("/screeners", { title: "Led on" })).body;
  await page.goto(`${service.url}/console/studies/${id}/build`);
  await isSaved(page);
  await showPart(page, "The end");
  await page.getByText("Redirect people by outcome").click();
  const field = page.getByLabel("Address for people who qualify");
  await field.fill("http://panel.example.org/?id={sessionId}");
  await page.getByText("Address for people who qualify must begin with https://").waitFor();
  await field.fill("https://panel.example.org/?id={sessionId}");
  await isSaved(page);
  const { body } = await client.get(`/screeners/${id}/content`);
  assert.deepEqual(body.redirectByOutcome, { QUALIFIED: "https://panel.example.org/?id={sessionId}" });
  await page.reload();
  await showPart(page, "The end");
  assert.equal(await field.inputValue(), "https://panel.example.org/?id={sessionId}");
  await field.fill("");
  await isSaved(page);
  await until(
    async () => (await client.get(`/screeners/${id}/content`)).body.redirectByOutcome === undefined,
    "it is gone",
  );
  const preview = page.frameLocator("iframe");
  await preview.getByRole("heading", { name: "Thank you" }).waitFor();
  assert.equal(await preview.locator(".main").evaluate((main) => getComputedStyle(main).maxWidth), "672px");
  assert.deepEqual(foreign, []);
});

test("each type of question is set up in the builder, and compared in rules", async () => {
  const { page, foreign } = await enterConsole(browser, service, client, "types@example.org");
  const { id } = (await client.post("/screeners", { title: "Types" })).body;
  const person = { externalUid: "types", email: "types@example.org", name: "Types", attributes: { City: "York" } };
  assert.equal((await client.post("/participants", person)).status, 201);
  const readDraft = async () => (await client.get(`/screeners/${id}/content`)).body;
  await page.goto(`${service.url}/console/studies/${id}/build`);
  await isSaved(page);
  await page.getByRole("button", { name: "Add a page" }).click();
  await page.getByRole("button", { name: "Scale", exact: true }).click();
  await page.getByLabel("Question", { exact: true }).fill("Would you tell a friend?");
  await page.getByLabel("Last step", { exact: true }).fill("0");
  await page.getByRole("button", { name: "Undo" }).focus();
  await page.getByText("Last step must be greater than “First step”").waitFor();
  await page.getByLabel("Looks like").selectOption("Likelihood of a recommendation, 0 to 10 (NPS)");
  await page.getByLabel("Words at the last step").fill("At once");
  await page.getByRole("button", { name: "Add a rule Screen out if" }).click();
  await page.getByLabel("Value").fill("7");
  await page.getByText("Screen out if “Would you tell a friend?” is less than 7.").waitFor();
  await isSaved(page);
  await page.frameLocator("iframe").getByRole("radio", { name: "10 – At once" }).waitFor();
  const [{ disqualifyWhen, questions }] = (await readDraft()).pages;
  const { look, from, to, lowLabel, highLabel } = questions[0];
  assert.deepEqual(
    { look, from, to, lowLabel, highLabel },
    { look: "NPS", from: 0, to: 10, lowLabel: null, highLabel: "At once" },
  );
  assert.equal(disqualifyWhen.lessThan, 7);

  await page.getByRole("button", { name: "Date", exact: true }).click();
  await promptInWork(page).fill("When were you born?");
  await page.getByLabel("Latest").fill("16 years ago");
  await page.getByLabel("Earliest").fill("a while ago");
  await page.getByRole("button", { name: "Undo" }).focus();
  await page.getByText("Earliest must be a date such as 1990-02-28").waitFor();
  await page.getByLabel("Earliest").fill("1900-01-01");
  await page.getByRole("button", { name: "Add a comparison" }).click();
  const second = page.getByRole("group", { name: "Screen out if …" }).getByRole("listitem").nth(1);
  await second.getByLabel("Question").selectOption("2. “When were you born?”");
  await second.getByLabel("Comparison").selectOption("gives an age below");
  await second.getByLabel("Value").fill("18");
  await page.getByText("is less than 7 and “When were you born?” gives an age below 18.").waitFor();
  await isSaved(page);
  const [page1] = (await readDraft()).pages;
  const { precision, min, max, id: born } = page1.questions[1];
  assert.deepEqual({ precision, min, max }, { precision: "DAY", min: "1900-01-01", max: { today: "-P16Y" } });
  assert.deepEqual(page1.disqualifyWhen.all[1], { questionId: born, ageBelow: 18 });
  await page.reload();
  assert.equal(await page.getByLabel("Latest").inputValue(), "16 years ago");
  await second.getByLabel("Comparison").selectOption("is before");
  await second.getByLabel("Value").fill("30 years ago");
  await page.getByText("“When were you born?” is before 30 years ago.").waitFor();
  await isSaved(page);
  assert.deepEqual((await readDraft()).pages[0].disqualifyWhen.all[1], {
    questionId: born,
    before: { today: "-P30Y" },
  });

  // A text of a kind, and one with a pattern.
  await page.getByRole("button", { name: "Text", exact: true }).click();
  await promptInWork(page).fill("Your membership number?");
  await page.getByLabel("Kind of text").selectOption("Digits, such as a membership number");
  assert.equal(await page.getByLabel("What people read where it does not match").count(), 0);
  await page.getByLabel("Pattern").fill("[0-9");
  await page.getByRole("button", { name: "Undo" }).focus();
  await page.getByText("Pattern is not a regular expression of RE2").waitFor();
  const missing = "What people read where it does not match is required where there is something in “Pattern”";
  await page.getByText(missing).waitFor();
  await page.getByLabel("Pattern").fill("[0-9]{8}");
  await page.getByLabel("What people read where it does not match").fill("Enter eight digits");
  await isSaved(page);
  const { format, pattern, patternMessage } = (await readDraft()).pages[0].questions[2];
  assert.deepEqual(
    { format, pattern, patternMessage },
    {
      ...{ format: "DIGITS", pattern: "[0-9]{8}", patternMessage: "Enter eight digits" },
    },
  );
  await page.getByLabel("Kind of text").selectOption("Any");
  await isSaved(page);
  assert.equal("format" in (await readDraft()).pages[0].questions[2], false);

  // What is not so: the builder says what that means for people without an answer.
  await second.getByLabel("Comparison").selectOption("is not");
  await second.getByText("It also holds for people without an answer.").waitFor();
  await second.getByLabel("Value").fill("1990-02-28");
  await page.getByText("“When were you born?” is not 28 February 1990.").waitFor();
  await second.getByLabel("Question").selectOption("An attribute of the person");
  await second.getByText("Choose one that people have, or type another one.").waitFor();
  await second.getByLabel("Attribute").fill("Citty");
  await second.getByText("“Citty”: nobody has this. Did you mean “City”?").waitFor();
  await second.getByRole("button", { name: "Use City" }).click();
  await second.getByText("For example: York.").waitFor();
  assert.equal(await second.getByText("nobody has this").count(), 0);
  await second.getByLabel("Attribute").fill("town");
  await second.getByLabel("Comparison").selectOption("is none of");
  await second.getByText("It also holds for people who do not have the attribute.").waitFor();
  await second.getByLabel("One value in each line").fill("York\nLeeds");
  await page.getByText("the attribute “town” is not “York” or “Leeds”.").waitFor();
  await isSaved(page);
  assert.deepEqual((await readDraft()).pages[0].disqualifyWhen.all[1], {
    attribute: "town",
    noneOf: ["York", "Leeds"],
  });

  await page.getByRole("button", { name: "One option", exact: true }).click();
  await promptInWork(page).fill("Where were you born?");
  await page.getByText("Paste a list of options").click();
  await page.getByLabel("One option in each line").fill([...Array(20).keys()].map((at) => `Town ${at}`).join("\n"));
  await page.getByRole("button", { name: "Add these options" }).click();
  const looks = page.getByLabel("Looks like");
  assert.equal(await looks.inputValue(), "LIST");
  await looks.selectOption("MENU");
  await isSaved(page);
  // Without the script of participants' pages: the preview runs none.
  await page.frameLocator("iframe").getByLabel("Where were you born?").selectOption("Town 19");
  assert.equal(await page.frameLocator("iframe").getByRole("searchbox").count(), 0);
  assert.equal((await readDraft()).pages[0].questions[3].display, "MENU");
  assert.deepEqual(await violations(page), []);
  assert.deepEqual(foreign, []);
});

test("a matrix is set up in the builder, a rule asks for one of its rows, and a test drive answers it", async () => {
  const { page, foreign } = await enterConsole(browser, service, client, "rows@example.org");
  const { id } = (await client.post("/screeners", { title: "Rows" })).body;
  const readDraft = async () => (await client.get(`/screeners/${id}/content`)).body;
  await page.goto(`${service.url}/console/studies/${id}/build`);
  await isSaved(page);
  await page.getByRole("button", { name: "Add a page" }).click();
  await page.getByRole("button", { name: "Matrix", exact: true }).click();
  await page.getByLabel("Question", { exact: true }).fill("How often?");
  await page.getByLabel("Row 1").fill("Tea");
  await page.getByLabel("Row 2").fill("Tea");
  await page.getByLabel("Column 1").fill("Never");
  await page.getByRole("button", { name: "Remove column 2" }).click();
  await page.getByText("Paste a list of columns").click();
  await page.getByLabel("One column in each line").fill("Rarely\nOften");
  await page.getByRole("button", { name: "Add these columns" }).click();
  await page.getByRole("button", { name: "Undo" }).focus();
  await page.getByText("Row 2 is the same as another row's").waitFor();
  await page.getByLabel("Row 2").fill("Milk");
  await page.getByRole("button", { name: "Add a rule Screen out if" }).click();
  const rule = page.getByRole("group", { name: "Screen out if …" });
  await rule.getByLabel("Question").selectOption("1. “How often? – Tea”");
  await rule.getByLabel("Option").selectOption("Never");
  await page.getByText("Screen out if the row “Tea” of “How often?” is “Never”.").waitFor();
  await isSaved(page);
  await page.frameLocator("iframe").getByRole("radiogroup", { name: "Milk" }).getByLabel("Often").waitFor();
  const [{ questions, disqualifyWhen }] = (await readDraft()).pages;
  const { rows, columns, multiple, requireEachRow } = questions[0];
  assert.deepEqual(
    { texts: [...rows, ...columns].map(({ text }) => text), multiple, requireEachRow },
    { texts: ["Tea", "Milk", "Never", "Rarely", "Often"], multiple: false, requireEachRow: true },
  );
  assert.deepEqual(disqualifyWhen, { questionId: questions[0].id, row: rows[0].id, equals: columns[0].id });
  // With several columns in a row, the rule has to say so, too; a row that is gone is named.
  await page.getByLabel("People may choose several columns in a row").check();
  await page.getByRole("button", { name: "Undo" }).focus();
  await page.getByText("does not go with a multi select; use contains").waitFor();
  await rule.getByLabel("Comparison").selectOption("contains");
  await page.getByText("Screen out if the row “Tea” of “How often?” contains “Never”.").waitFor();
  await page.getByLabel("Shuffle the rows").check();
  await isSaved(page);
  assert.equal((await readDraft()).pages[0].questions[0].shuffle, true);
  await page.reload();
  assert.equal(await rule.getByLabel("Comparison").inputValue(), "contains");
  assert.deepEqual(await violations(page), []);
  // What can be chosen stays, when the question becomes one of another type.
  await page.getByLabel("Answer", { exact: true }).selectOption("One option");
  assert.equal(await page.getByLabel("Option 3").inputValue(), "Often");
  await page.getByRole("button", { name: "Undo" }).click();
  await isSaved(page);

  await page.goto(`${service.url}/console/studies/${id}/try`);
  const phone = page.frameLocator("iframe");
  await phone.getByRole("group", { name: "Tea" }).getByLabel("Often").check();
  await phone.getByRole("button", { name: "Finish" }).click();
  await phone.getByRole("link", { name: "Choose an answer in each row. Missing: 1" }).waitFor();
  await phone.getByRole("group", { name: "Tea" }).getByLabel("Never").check();
  await phone.getByRole("group", { name: "Milk" }).getByLabel("Rarely").check();
  await phone.getByRole("button", { name: "Finish" }).click();
  await page.getByRole("heading", { name: "Screened out" }).waitFor();
  await page.getByText("“How often?” was answered “Tea: Never, Often; Milk: Rarely”").waitFor();
  assert.deepEqual(foreign, []);
});

test("without scripts, a test drive says which rule screens out; and nothing is stored", async () => {
  const { page, foreign } = await enterConsole(browser, service, client, "cy@example.org", {
    javaScriptEnabled: false,
  });
  const study = await client.post("/screeners", { title: "Tried" });
  await client.call("PUT", `/screeners/${study.body.id}/content`, {
    body: {
      pages: [
        {
          title: "About you",
          disqualifyWhen: {
            all: [
              { questionId: "age", lessThan: 18 },
              { attribute: "country", is: "GB" },
            ],
          },
          questions: [{ _type: "ScreenerNumericQuestion", id: "age", prompt: "How old are you?", required: true }],
        },
        { title: "Thoughts", questions: [{ _type: "ScreenerTextQuestion", prompt: "What else?" }] },
      ],
      thankYou: "More at https://example.org/more.",
      redirectByOutcome: { DISQUALIFIED: "https://panel.example.org/out" },
    },
  });
  await page.goto(`${service.url}/console/studies/${study.body.id}/try`);
  const phone = page.frameLocator("iframe");
  const answer = async (age: string) => {
    await phone.getByLabel("How old are you?").fill(age);
    await phone.getByRole("button", { name: "Continue" }).click();
  };
  await answer("x");
  await phone.getByText("There is a problem").waitFor();
  await answer("16");
  // Without the attribute the rule does not hold, and the next page comes. It knows the answer, and so does the way back.
  await phone.getByRole("heading", { name: "Thoughts" }).waitFor();
  await page.getByText("Does not hold", { exact: true }).waitFor();
  await phone.getByRole("button", { name: "Back" }).click();
  assert.equal(await phone.getByLabel("How old are you?").inputValue(), "16");
  await page.getByLabel("country").fill("GB");
  await page.getByRole("button", { name: "Begin again" }).click();
  await answer("17");
  await page.getByRole("heading", { name: "Screened out" }).waitFor();
  await page.getByText("“How old are you?” was answered 17").waitFor();
  await phone.getByRole("heading", { name: "Thank you" }).waitFor();
  // It looks as it will, but nothing leads away from here.
  await phone.getByText("People are redirected to https://panel.example.org/out").waitFor();
  assert.equal(await phone.locator("a[href]").count(), 0);
  assert.equal(await phone.locator(".main").evaluate((main) => getComputedStyle(main).maxWidth), "672px");
  assert.deepEqual(foreign, []);
  assert.equal((await client.get("/screener-sessions")).body.total, 0);
});

test("axe finds nothing on a study's pages, in light, dark and forced colours; nothing is wider than a small phone, and the script is small", async () => {
  const { page } = await enterConsole(browser, service, client, "di@example.org");
  const { id } = (await client.post("/screeners", { title: "Looked at" })).body;
  const looks = [
    { colorScheme: "light", forcedColors: "none" },
    { colorScheme: "dark", forcedColors: "none" },
    { colorScheme: "light", forcedColors: "active" },
  ] as const;
  for (const end of ["new", id, `${id}/content`, `${id}/build`, `${id}/try`, `${id}/publish`, `${id}/quotas`]) {
    await page.setViewportSize({ width: 1280, height: 900 });
    await page.goto(`${service.url}/console/studies/${end}`);
    if (end.endsWith("build")) {
      await isSaved(page);
      await page.getByRole("button", { name: "Add a page" }).click();
      await page.getByRole("button", { name: "Several options" }).click();
      await page.getByRole("button", { name: "Add a rule Screen out if" }).click();
      await page.getByText(/ incomplete$/).waitFor();
    }
    // The first two have nothing that the others have not.
    for (const look of end === "new" || end.endsWith("content") ? looks.slice(0, 1) : looks) {
      await page.emulateMedia(look);
      assert.deepEqual(await violations(page), [], `${end} ${JSON.stringify(look)}`);
    }
    await page.setViewportSize({ width: 320, height: 700 });
    assert.equal(await overflow(page), 0, end);
  }
  const script = await page.goto(`${service.url}/console/studies/${id}/build`);
  const [path = ""] = /\/console\/assets\/builder\.[^"]+/.exec(await script!.text()) ?? [];
  const bytes = Buffer.from(await (await fetch(service.url + path)).arrayBuffer());
  assert.ok(gzipSync(bytes).length < 68 * 1024, `The script has ${gzipSync(bytes).length} bytes, compressed.`);
});

test("an image is sent, described, previewed, replaced and removed in the builder", async () => {
  const id = await client.screener("Pictures");
  await client.call("PUT", `/screeners/${id}/content`, { body: { pages: [{ title: "Look", questions: [] }] } });
  const { page } = await enterConsole(browser, service, client, "images@example.org");
  await page.goto(`${service.url}/console/studies/${id}/build`);
  await isSaved(page);
  await page.getByRole("button", { name: "Only a text or image" }).click();
  const file = (buffer: Buffer, mimeType: string) => ({ name: "x", mimeType, buffer });
  await page.getByLabel("Image", { exact: true }).setInputFiles(file(svg, "image/svg+xml"));
  await page.getByText("Image must be a PNG, JPEG or WebP image").waitFor();
  await page.getByLabel("Image", { exact: true }).setInputFiles(file(await jpeg(600, 300), "image/jpeg"));
  const text = page.getByLabel("What the image shows");
  await text.fill("A stripe");
  await isSaved(page);
  const shown = page.frameLocator("iframe").getByRole("img", { name: "A stripe" });
  await shown.waitFor();
  assert.ok(await shown.evaluate((one) => (one as unknown as { naturalWidth: number }).naturalWidth === 600));
  assert.deepEqual(await violations(page), []);
  await page.getByLabel("Another image").setInputFiles(file(await jpeg(400, 300), "image/jpeg"));
  await page.locator(".statement-image img[width='400']").waitFor();
  assert.equal(await text.inputValue(), "A stripe");
  await isSaved(page);
  await page.getByRole("button", { name: "Remove the image" }).click();
  await isSaved(page);
  await shown.waitFor({ state: "detached" });
  const [statement] = (await client.get(`/screeners/${id}/content`)).body.pages[0].questions;
  assert.equal(statement.image, undefined);
});
