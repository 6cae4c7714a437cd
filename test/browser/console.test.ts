// The console in a real browser, without scripts: from the first link to the jobs by keyboard alone; and how it looks and reads.

import assert from "node:assert/strict";
import { test } from "node:test";
import type { Page } from "playwright-core";
import { openDevice, startBrowser, violations } from "../support/browser.ts";
import { invite, PASSWORD } from "../support/console.ts";
import { startService } from "../support/service.ts";
import { ALL_ON, Browser, watch } from "../support/signals.ts";
import { everyKind, type Invitation, invite as participate, pendingReview, publish } from "../support/study.ts";
import { populate } from "../support/world.ts";

const service = await startService();
const browser = await startBrowser();
const { client } = await populate(service, "Sleep-laboratory-of-the-hospital");
const link = await invite(service, client.workspaceId, {
  name: "Ada Lovelace",
  email: "ada@example.org",
  role: "admin",
});

test("by keyboard alone, without scripts, a person chooses a password, signs in, looks around and signs out", async () => {
  const { page, foreign } = await openDevice(browser, service.url, { javaScriptEnabled: false });
  const press = async (key: string, times = 1) => {
    for (let i = 0; i < times; i++) await page.keyboard.press(key);
  };
  await page.goto(service.url + link);
  await press("Tab", 4);
  await page.keyboard.type(PASSWORD);
  await press("Tab");
  await page.keyboard.type(PASSWORD);
  await Promise.all([page.waitForURL("**/console/studies"), press("Enter")]);
  assert.equal(await page.getByRole("heading", { level: 1 }).innerText(), "Studies");
  // The skip link is first, and then the navigation.
  await press("Tab", 7);
  await Promise.all([page.waitForURL("**/console/jobs"), press("Enter")]);
  assert.ok((await page.locator(".card").count()) > 0);
  await page.getByRole("button", { name: "Sign out" }).focus();
  await Promise.all([page.waitForURL("**/console/sign-in"), press("Enter")]);
  await page.goto(`${service.url}/console/jobs`);
  await press("Tab", 3);
  await page.keyboard.type("ada@example.org");
  await press("Tab");
  await page.keyboard.type(PASSWORD);
  await Promise.all([page.waitForURL("**/console/jobs"), press("Enter")]);
  assert.deepEqual(foreign, []);
});

/** Headings of tables that have no room for their words. */
const squeezed = (page: Page) =>
  page
    .locator("thead th")
    .evaluateAll((headings) =>
      headings
        .filter((one) => getComputedStyle(one).clipPath === "none" && one.getBoundingClientRect().height > 80)
        .map(({ textContent }) => textContent),
    );

test("axe finds nothing, in light, dark and forced colours; and nothing is wider than a small phone", async () => {
  const { device, page } = await openDevice(browser, service.url);
  const again = await invite(service, client.workspaceId, { name: "Bo", email: "bo@example.org", role: "admin" });
  const looks = [
    { colorScheme: "light", forcedColors: "none" },
    { colorScheme: "dark", forcedColors: "none" },
    { colorScheme: "light", forcedColors: "active" },
  ] as const;
  const check = async (path: string) => {
    await page.goto(service.url + path);
    for (const look of looks) {
      await page.emulateMedia(look);
      assert.deepEqual(await violations(page), [], `${path} ${JSON.stringify(look)}`);
    }
    await page.setViewportSize({ width: 320, height: 700 });
    assert.equal(await page.evaluate("document.documentElement.scrollWidth"), 320, path);
    assert.deepEqual(await squeezed(page), [], path);
    await page.setViewportSize({ width: 1280, height: 900 });
  };
  await check("/console/sign-in");
  await check(again);
  await page.getByLabel("Password", { exact: true }).fill("short");
  await page.getByRole("button").click();
  assert.deepEqual(await violations(page), []);
  await page.getByLabel("Password", { exact: true }).fill(PASSWORD);
  await page.getByLabel("The same password again").fill(PASSWORD);
  await Promise.all([page.waitForURL("**/console/studies"), page.getByRole("button").click()]);
  const { writer } = service.context.control;
  writer.run("INSERT INTO operator SELECT id, 0 FROM workspace_user");
  const { screener } = await publish(client, everyKind);
  await client.post("/screener-sessions", { screenerId: screener, isTest: true });
  const reviewed = await pendingReview(client);
  const { screenerId } = (await client.get(`/screener-sessions/${reviewed}`)).body;
  for (const path of [
    `studies/${screenerId}/review`,
    "studies",
    `studies/${screener}`,
    `studies/${screener}/try`,
    `studies/${screenerId}/answers`,
    `studies/${screenerId}/answers?add=outcome`,
    "messages",
    "words",
    "mail",
    "requests",
    `requests/${(await client.get("/participant-requests")).body.items[0].id}`,
    `studies/${screener}/withdrawn`,
    `studies/${screener}/feasibility`,
    "jobs",
    "activity",
    "users",
    "keys",
    "webhooks",
    "appearance",
    "attributes",
    "system",
    "installation",
    "sessions",
    "nowhere",
  ])
    await check(`/console/${path}`);
  for (const path of await quotaPages()) await check(path);
  await page.goto(`${service.url}/console/studies`);
  await page.getByText("The API call behind this page").click();
  assert.deepEqual(await violations(page), []);
  await device.close();
});

test("on a phone the header is one low line with a menu, which opens without scripts, and a study's tabs are one line", async () => {
  const { screener } = await publish(client, everyKind);
  for (const javaScriptEnabled of [false, true]) {
    const size = { viewport: { width: 360, height: 700 }, javaScriptEnabled };
    const { device, page } = await openDevice(browser, service.url, size);
    const user = { name: "Eve", email: `eve-${javaScriptEnabled}@example.org`, role: "admin" } as const;
    await page.goto(service.url + (await invite(service, client.workspaceId, user)));
    await page.getByText("Screening", { exact: true }).waitFor();
    await page.getByLabel("Password", { exact: true }).fill(PASSWORD);
    await page.getByLabel("The same password again").fill(PASSWORD);
    await Promise.all([page.waitForURL("**/console/studies"), page.getByRole("button").click()]);
    await page.goto(`${service.url}/console/studies/${screener}/publish`);
    const height = async (selector: string) => (await page.locator(selector).boundingBox())!.height;
    assert.ok((await height(".banner")) <= 64, `${await height(".banner")} px`);
    assert.ok((await height(".tabs")) <= 64, `${await height(".tabs")} px`);
    assert.ok((await height(".menu-button")) < 48, "its word is on one line");
    assert.equal(await page.evaluate("document.documentElement.scrollWidth"), 360);
    // Of the tabs that of the page is in sight.
    const { x, width } = (await page.locator(".tabs [aria-current]").boundingBox())!;
    assert.ok(x >= 0 && x + width <= 360, `${x}`);
    assert.equal(await page.getByRole("link", { name: "Jobs" }).isVisible(), false);
    await page.getByRole("button", { name: "Menu" }).click();
    if (javaScriptEnabled) assert.deepEqual(await violations(page), []);
    for (const group of ["Research", "Workspace"]) await page.getByRole("list", { name: group }).waitFor();
    await page.getByRole("link", { name: "Jobs" }).click();
    await page.waitForURL("**/console/jobs");
    await device.close();
  }
});

/** The pages of a study with a grid of quotas, and of a quota with places in each state. */
async function quotaPages(): Promise<string[]> {
  const option = (id: string) => ({ id, text: `A rather long answer to that, ${id}` });
  const select = (id: string) => ({
    id,
    key: id,
    _type: "ScreenerSingleSelectQuestion",
    prompt: `Which ${id}?`,
    options: ["a", "b", "c", "d"].map((one) => option(`${id}-${one}`)),
  });
  const answers = (id: string) => ["a", "b", "c", "d"].map((one) => ({ questionId: id, equals: `${id}-${one}` }));
  const cells = answers("one").flatMap((one) => answers("two").map((two) => ({ all: [one, two] })));
  const study = await publish(client, {
    pages: [{ questions: [select("one"), select("two")] }, { questions: [{ ...select("three"), required: true }] }],
    quotas: [
      { name: "Everybody", when: null, limit: 1 },
      ...cells.map((when, index) => ({ name: `Cell ${index}`, when, limit: 20_040 })),
    ],
  });
  const [{ session }, other] = (await participate(client, study.screener, 2)) as [Invitation, Invitation];
  const send = (id: string, complete: boolean) =>
    client.post(`/screener-sessions/${id}/responses`, { responses: [], complete });
  await send(session, false);
  await client.call("DELETE", `/screener-sessions/${session}`);
  await send(other.session, false);
  const [everybody] = (await client.get(`/screeners/${study.screener}/quotas`)).body.items;
  const path = `/console/studies/${study.screener}`;
  await client.post("/screener-links", { screenerId: study.screener, name: "Poster in the hall" });
  return [`${path}/share`, `${path}/quotas`, `${path}/quotas/${everybody.id}`, `${path}/publish`, path];
}

test("in a split chart no number is broken, on any screen", async () => {
  const study = await publish(client, {
    pages: [{ questions: [{ id: "why", key: "why", _type: "ScreenerTextQuestion", prompt: "Why?" }] }],
  });
  const countries = ["Bosnia and Herzegovina", "GB", "Liechtenstein", "NL", "Trinidad and Tobago", "US", "ZA", "AT"];
  const people = countries.flatMap((country, at) =>
    [0, 1].map((more) => ({
      externalUid: `split-${at}-${more}`,
      email: `split-${at}-${more}@example.org`,
      name: "S",
      attributes: { country },
    })),
  );
  await client.import(study.screener, people);
  await client.post("/screener-sessions", { screenerId: study.screener });
  for (const { id } of await client.all(`/screener-sessions?filter[screenerId][eq]=${study.screener}`))
    await client.post(`/screener-sessions/${id}/responses`, {
      responses: [{ screenerQuestionId: study.question.why, answer: "because of a word" }],
      complete: true,
    });
  const { page } = await openDevice(browser, service.url);
  await page.goto(
    service.url + (await invite(service, client.workspaceId, { name: "Cy", email: "cy@example.org", role: "viewer" })),
  );
  await page.getByLabel("Password", { exact: true }).fill(PASSWORD);
  await page.getByLabel("The same password again").fill(PASSWORD);
  await Promise.all([page.waitForURL("**/console/studies"), page.getByRole("button").click()]);
  await page.goto(`${service.url}/console/studies/${study.screener}/results?splitBy=attributes.country`);
  for (const width of [1280, 1024, 768, 320]) {
    await page.setViewportSize({ width, height: 900 });
    const lines = await page.evaluate(`[...document.querySelectorAll(".share-number, .share .note")].map((one) => {
      const range = document.createRange();
      range.selectNodeContents(one);
      return range.getClientRects().length;
    })`);
    assert.ok((lines as number[]).length > 20);
    assert.deepEqual(new Set(lines as number[]), new Set([1]), `${width}`);
    assert.equal(await page.evaluate("document.documentElement.scrollWidth"), width);
  }
});

test("without scripts, results and answers are of the study or of a version, and say so", async () => {
  const prompt = (text: string) => ({
    pages: [{ questions: [{ id: "age", key: "age", _type: "ScreenerNumericQuestion", prompt: text }] }],
  });
  const study = await publish(client, prompt("How old?"), { targetQualifiedParticipants: 5 });
  const question = { screenerQuestionId: study.question.age, answer: 40 };
  const [person] = await participate(client, study.screener, 2);
  const path = `/screener-sessions/${person!.session}/responses`;
  assert.equal((await client.post(path, { responses: [question], complete: true })).status, 200);
  const { body } = await client.get(`/screeners/${study.screener}/content`);
  body.pages[0].questions[0].prompt = "How old are you?";
  await client.call("PUT", `/screeners/${study.screener}/content`, { body });
  await client.post("/screener-publications", { screenerId: study.screener, targetQualifiedParticipants: 1 });
  const { page } = await openDevice(browser, service.url, { javaScriptEnabled: false });
  await page.goto(
    service.url + (await invite(service, client.workspaceId, { name: "Di", email: "di@example.org", role: "viewer" })),
  );
  await page.getByLabel("Password", { exact: true }).fill(PASSWORD);
  await page.getByLabel("The same password again").fill(PASSWORD);
  await Promise.all([page.waitForURL("**/console/studies"), page.getByRole("button").click()]);
  const base = `${service.url}/console/studies/${study.screener}`;
  const fits = async () => {
    for (const width of [1280, 360]) {
      await page.setViewportSize({ width, height: 900 });
      assert.equal(await page.evaluate("document.documentElement.scrollWidth"), width);
    }
  };
  const choose = async (version: string) => {
    await page.getByLabel("Version").selectOption({ label: version });
    await page.getByRole("button", { name: "Show" }).click();
  };
  const sees = (text: string) => page.getByText(text).first().waitFor();
  await page.goto(base);
  await sees("Version 2: 0 of 1 qualified");
  await fits();
  await page.goto(`${base}/results`);
  await sees("From here on: all 2 versions together");
  await sees("1 answer ·");
  await sees("In these words since version 2");
  await fits();
  // On paper, also from a dark screen: light, without what leads elsewhere, and with the tables that stay closed on screens.
  await page.emulateMedia({ media: "print", colorScheme: "dark" });
  assert.equal(await page.evaluate("getComputedStyle(document.body).color"), "rgb(29, 36, 48)");
  assert.equal(await page.locator(".banner, .tabs, .button").filter({ visible: true }).count(), 0);
  assert.ok(await page.locator("details td").first().isVisible());
  await page.emulateMedia({ media: null, colorScheme: null });
  assert.ok(await page.locator("details td").first().isHidden());
  await choose("2 (live)");
  await sees("From here on: version 2 alone");
  await sees("0 answers");
  await choose("1");
  await sees("From here on: version 1 alone");
  await sees("1 answer ·");
  await page.goto(`${base}/answers`);
  await sees("1 person has started");
  await page.getByLabel("Show only people whose").selectOption("Version");
  await page.getByRole("button", { name: "Add a filter" }).click();
  await page.getByRole("checkbox", { name: "2", exact: true }).check();
  await page.getByRole("button", { name: "Filter" }).click();
  await sees("Version is “2”");
  await sees("0 people have started, and match");
  await page.getByRole("link", { name: /^Remove/ }).click();
  await sees("1 person has started");
  await page.getByText("Choose columns").click();
  await fits();
});

test("with keys, people are accepted and rejected one after the other; and the keys can be switched off", async () => {
  const age = { id: "age", key: "age", _type: "ScreenerNumericQuestion", prompt: "How old are you?" };
  const study = await publish(client, { pages: [{ questions: [age] }] });
  await client.patch(`/screeners/${study.screener}`, { review: "ALL" });
  const people = await participate(client, study.screener, 3);
  for (const { session } of people) {
    const responses = [{ screenerQuestionId: study.question.age, answer: 40 }];
    await client.post(`/screener-sessions/${session}/responses`, { responses, complete: true });
  }
  const states = () =>
    Promise.all(
      people.map(async ({ session }) => (await client.get(`/screener-sessions/${session}`)).body.review.state),
    );
  const { device, page } = await openDevice(browser, service.url);
  const user = { name: "Flo", email: "flo@example.org", role: "researcher" } as const;
  await page.goto(service.url + (await invite(service, client.workspaceId, user)));
  await page.getByLabel("Password", { exact: true }).fill(PASSWORD);
  await page.getByLabel("The same password again").fill(PASSWORD);
  await Promise.all([page.waitForURL("**/console/studies"), page.getByRole("button").click()]);
  const path = `${service.url}/console/studies/${study.screener}/review`;
  const press = async (key: string, wanted: string | RegExp) => {
    await Promise.all([page.waitForURL(wanted), page.keyboard.press(key)]);
    await page.locator(".shortcuts").waitFor();
  };
  await page.goto(path);
  await page.locator(".shortcuts").waitFor();
  const names = await page.locator("ol.rows a").allInnerTexts();
  assert.equal(new Set(names).size, people.length, `each has a name of its own: ${names}`);
  // In a field, letters are letters.
  await page.getByLabel("Reason").fill("");
  await page.getByLabel("Reason").press("a");
  assert.equal(await page.getByLabel("Reason").inputValue(), "a");
  await page.getByLabel("Reason").fill("");
  await page.getByRole("heading", { level: 1 }).click();
  await press("j", /review\?session=/);
  await press("r", /done=REJECTED/);
  assert.deepEqual(await states(), ["PENDING", "REJECTED", "PENDING"]);
  // The one behind comes next, and not the one that was skipped.
  await press("a", /done=ACCEPTED/);
  assert.deepEqual(await states(), ["PENDING", "REJECTED", "ACCEPTED"]);
  await page.getByLabel(/Use the keys/).uncheck();
  await page.reload();
  await page.locator(".shortcuts").waitFor();
  await page.keyboard.press("a");
  assert.deepEqual(await states(), ["PENDING", "REJECTED", "ACCEPTED"]);
  for (const width of [1280, 360]) {
    await page.setViewportSize({ width, height: 900 });
    assert.equal(await page.evaluate("document.documentElement.scrollWidth"), width);
  }
  await page.setViewportSize({ width: 1280, height: 900 });
  await device.close();
});

test("signals are read where people review and in the rows of answers, and set with their numbers: axe, at 360 and 1280 px", async () => {
  const study = await watch(client, { review: "ALL", signals: ALL_ON });
  const people = await participate(client, study.screener, 3);
  const shared = new Browser(service);
  const given = { why: "They are cheap here, and everybody eats them.", line: [1, 1, 1, 1, 1], trap: "x" };
  for (const person of people) await shared.answer(study, person, { ...given, read: "Red" });
  const { device, page } = await openDevice(browser, service.url);
  const user = { name: "Sil", email: "sil@example.org", role: "researcher" } as const;
  await page.goto(service.url + (await invite(service, client.workspaceId, user)));
  await page.getByLabel("Password", { exact: true }).fill(PASSWORD);
  await page.getByLabel("The same password again").fill(PASSWORD);
  await Promise.all([page.waitForURL("**/console/studies"), page.getByRole("button").click()]);
  const path = `${service.url}/console/studies/${study.screener}`;
  const check = async (what: string) => {
    for (const width of [1280, 360]) {
      await page.setViewportSize({ width, height: 900 });
      assert.deepEqual(await violations(page), [], `${what} at ${width} px`);
      assert.equal(await page.evaluate("document.documentElement.scrollWidth"), width, what);
    }
    // In a card, no label and no answer runs over the other, or is cut.
    const cells = page.locator(".cards-when-narrow td");
    const cut = cells.evaluateAll((all) =>
      all.flatMap((one) => (one.scrollWidth > one.clientWidth ? [one.textContent] : [])),
    );
    assert.deepEqual(await cut, [], what);
    await page.setViewportSize({ width: 1280, height: 900 });
  };
  await page.goto(`${path}/review`);
  await page.getByRole("heading", { name: "Reasons to doubt the answers" }).waitFor();
  assert.ok((await page.getByRole("link", { name: "One of them" }).count()) >= 2);
  await check("Review");
  await page.goto(`${path}/answers`);
  await check("Answers");
  await page.getByRole("link", { name: "The same browser" }).first().click();
  await page.getByText("Signal is “The same browser”").first().waitFor();
  await check("Answers with a filter");
  await page.goto(path);
  await page.getByLabel("Straight lines: Rows").fill("60");
  await page.getByRole("button", { name: "Save the signals" }).click();
  await page.getByText("Rows must be at most 50").last().waitFor();
  await check("Settings that are refused");
  await page.getByLabel("Straight lines: Rows").fill("7");
  await page.getByRole("button", { name: "Save the signals" }).click();
  await page.getByText("Saved", { exact: true }).waitFor();
  await check("Settings");
  const { signals } = (await client.get(`/screeners/${study.screener}`)).body;
  assert.deepEqual(signals, { ...ALL_ON, straightLines: { minRows: 7 } });
  await device.close();
});

test("a researcher rejects those whom a filter finds, undoes it, and writes a note on one of them", async () => {
  const age = { id: "age", key: "age", _type: "ScreenerNumericQuestion", prompt: "How old are you?" };
  const study = await publish(client, {
    pages: [{ questions: [age] }],
    quotas: [{ name: "Everybody", when: null, limit: 3 }],
  });
  await client.patch(`/screeners/${study.screener}`, { review: "ALL" });
  const people = await participate(client, study.screener, 3);
  for (const [at, { session }] of people.entries()) {
    const responses = [{ screenerQuestionId: study.question.age, answer: 97 + at }];
    await client.post(`/screener-sessions/${session}/responses`, { responses, complete: true });
  }
  const { device, page } = await openDevice(browser, service.url);
  const user = { name: "Gus", email: "gus@example.org", role: "researcher" } as const;
  await page.goto(service.url + (await invite(service, client.workspaceId, user)));
  await page.getByLabel("Password", { exact: true }).fill(PASSWORD);
  await page.getByLabel("The same password again").fill(PASSWORD);
  await Promise.all([page.waitForURL("**/console/studies"), page.getByRole("button").click()]);
  const look = async () => {
    for (const width of [1280, 360]) {
      await page.setViewportSize({ width, height: 900 });
      assert.equal(await page.evaluate("document.documentElement.scrollWidth"), width, page.url());
      assert.deepEqual(await violations(page), [], page.url());
    }
  };
  const states = () =>
    Promise.all(
      people.map(async ({ session }) => (await client.get(`/screener-sessions/${session}`)).body.review.state),
    );
  const press = (name: string | RegExp) => page.getByRole("button", { name }).click();

  await page.goto(`${service.url}/console/studies/${study.screener}/answers`);
  await page.getByLabel("Show only people whose").selectOption({ label: "Outcome" });
  await press("Add a filter");
  await page.locator("#operator").selectOption({ label: "is none of" });
  for (const outcome of ["Qualified", "Screened out"])
    await page.getByRole("checkbox", { name: outcome, exact: true }).check();
  await look();
  await press("Filter");
  await page.getByText("Outcome is none of “Qualified” or “Screened out”").first().waitFor();
  await page.getByLabel("Show only people whose").selectOption({ label: "How old are you?" });
  await press("Add a filter");
  await page.locator("#operator").selectOption("in");
  await page.getByLabel("Value").fill("98, 99");
  await look();
  await press("Filter");
  await page.getByText("2 people have started, and match").waitFor();
  await page.getByRole("link", { name: "Remove How old are you?" }).click();
  await page.getByRole("link", { name: "Remove Outcome" }).click();
  await page.getByLabel("Show only people whose").selectOption({ label: "How old are you?" });
  await press("Add a filter");
  await page.locator("#operator").selectOption("gte");
  await page.getByLabel("Value").fill("98");
  await press("Filter");
  await look();
  await page.getByRole("link", { name: "Accept or reject those of them who wait …" }).click();
  await page.getByText("People who wait, and match:").waitFor();
  await page.getByLabel("Why, for all of them").fill("Nobody is that old");
  await look();
  await press("See who would be rejected …");
  await page.getByText("Nothing has happened yet").waitFor();
  await look();
  await page.getByLabel("How many people are affected?").fill("2");
  await press("Reject them");
  await page.getByText("There is room now").waitFor();
  await look();
  assert.deepEqual(await states(), ["PENDING", "REJECTED", "REJECTED"]);
  await press("Undo this review …");
  await page.getByText("What the undo will do").first().waitFor();
  await press("Take it back");
  await page.getByText("taken back").first().waitFor();
  await look();
  assert.deepEqual(await states(), ["PENDING", "PENDING", "PENDING"]);

  const { participantId } = (await client.get(`/screener-participants/${people[0]!.assignment}`)).body;
  await page.goto(`${service.url}/console/people/${participantId}`);
  await page.getByLabel("A note").fill("Says to be 97, and sounds so");
  await press("Write it down");
  await page.getByText("Says to be 97, and sounds so").first().waitFor();
  await look();
  await device.close();
});
