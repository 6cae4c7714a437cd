// A participant in a real browser: on a phone without JavaScript, with a keyboard alone, on two devices, in a hurry.

import assert from "node:assert/strict";
import { test } from "node:test";
import type { BrowserContextOptions, Page } from "playwright-core";
import { devices, openDevice, startBrowser } from "../support/browser.ts";
import { startService } from "../support/service.ts";
import { everyKind, type Invitation, invited, type Published, readAnswers, readStatus } from "../support/study.ts";

const service = await startService();
const browser = await startBrowser();
const client = service.workspace("Acme Research");

/** Runs `visit` as someone with a link, on a device; fails when the page has asked others for anything, or complains. */
async function as(
  options: BrowserContextOptions,
  visit: (page: Page, link: Invitation, study: Published) => Promise<void>,
  content: object = everyKind,
): Promise<void> {
  const { study, link } = await invited(client, content);
  await on(options, (page) => visit(page, link, study));
}

async function on(options: BrowserContextOptions, visit: (page: Page) => Promise<void>): Promise<void> {
  const { device, page, foreign } = await openDevice(browser, service.url, options);
  const complaints: string[] = [];
  // A page that is refused, or that shows errors, is no reason to complain.
  page.on("console", (message) => {
    if (message.type() === "error" && !/status of (4|5)\d\d/.test(message.text())) complaints.push(message.text());
  });
  try {
    await visit(page);
    assert.deepEqual({ foreign, complaints }, { foreign: [], complaints: [] });
  } finally {
    await device.close();
  }
}

const WITHOUT_SCRIPTS = { ...devices.phone, javaScriptEnabled: false };
const heading = (page: Page) => page.getByRole("heading", { level: 1 }).textContent();
const next = (page: Page) => page.getByRole("button", { name: /^(Continue|Finish)$/ }).click();
const progress = (page: Page) => page.locator("#progress").textContent();

async function fillAbout(page: Page, age = "44", smokes = "Yes"): Promise<void> {
  await page.getByLabel("How old are you?").fill(age);
  await page.getByRole("radio", { name: smokes, exact: true }).check();
  await next(page);
}

async function fillDays(page: Page): Promise<void> {
  await page.getByRole("radio", { name: "Tea" }).check();
  await page.getByLabel("How does a usual day of yours begin?").fill("With the birds.");
  await next(page);
}

test("a whole screener can be answered on a phone without JavaScript, from the short link to the thank you", () =>
  as(WITHOUT_SCRIPTS, async (page, link, study) => {
    await page.goto(service.url + link.shortPath);
    assert.equal(await page.title(), "About you – Page 1 of 3 – Acme Research");
    assert.equal(await progress(page), "Page 1 of 3");
    await fillAbout(page, "44", "Sometimes");
    // The answer has brought up another question, here and not later.
    assert.equal(await heading(page), "About you");
    assert.match((await page.locator(":focus").textContent()) ?? "", /One more question on this page/);
    await page.getByRole("link", { name: "How often is sometimes?" }).click();
    await page.locator(":focus").fill("On Sundays");
    await next(page);
    assert.equal(await heading(page), "Smoking");
    assert.equal(await progress(page), "Page 2 of 3");
    await page.getByRole("checkbox", { name: "Cigars" }).check();
    assert.ok(!(await page.getByLabel("Your own answer").isVisible()));
    await page.getByRole("checkbox", { name: "Something else" }).check();
    await page.getByLabel("Your own answer").fill("Shisha");
    // What was typed is not hidden, and counts.
    await page.getByRole("checkbox", { name: "Something else" }).uncheck();
    assert.ok(await page.getByLabel("Your own answer").isVisible());
    await next(page);
    assert.equal(await heading(page), "Your days");
    assert.equal(await page.getByRole("button", { name: /Continue|Finish/ }).textContent(), "Finish");
    await page.getByRole("radio", { name: "Something else" }).check();
    await page.getByLabel("Your own answer").fill("Maté");
    await page.getByLabel("Which town do you live in?").fill("Oslo");
    await page.getByLabel("How does a usual day of yours begin?").fill("Up at six.\nCoffee.");
    await next(page);
    assert.equal(await heading(page), "Thank you");
    assert.equal(await readStatus(client, link.assignment), "QUALIFIED");
    assert.deepEqual(await readAnswers(client, link.session, study), {
      age: 44,
      smokes: [{ text: "Sometimes", isWriteIn: false }],
      how_often: "On Sundays",
      brands: [
        { text: "Cigars", isWriteIn: false },
        { text: "Shisha", isWriteIn: true },
      ],
      drink: [{ text: "Maté", isWriteIn: true }],
      town: "Oslo",
      day: "Up at six.\nCoffee.",
    });
    await page.reload();
    assert.equal(await heading(page), "Thank you");
    await page.goto(service.url + link.path);
    assert.equal(await heading(page), "You have already answered");
  }));

test("pages that do not concern someone are left out, and people who are screened out are thanked at once", async () => {
  await as(WITHOUT_SCRIPTS, async (page, link) => {
    await page.goto(service.url + link.path);
    await fillAbout(page, "44", "No");
    assert.equal(await heading(page), "Your days");
    assert.equal(await progress(page), "Page 3 of 3");
    await fillDays(page);
    assert.equal(await heading(page), "Thank you");
    assert.equal(await readStatus(client, link.assignment), "QUALIFIED");
  });
  await as(WITHOUT_SCRIPTS, async (page, link) => {
    await page.goto(service.url + link.path);
    await fillAbout(page, "17", "Yes");
    assert.equal(await heading(page), "Thank you");
    assert.equal(await readStatus(client, link.assignment), "DISQUALIFIED");
  });
});

test("a participant who stops half-way goes on with another device, and finds everything as it was", () =>
  as(devices.phone, async (page, link) => {
    await page.goto(service.url + link.path);
    await fillAbout(page);
    await page.getByRole("checkbox", { name: "A pipe" }).check();
    await page.getByRole("checkbox", { name: "Something else" }).check();
    await page.getByLabel("Your own answer").fill("Shisha");
    await next(page);
    assert.equal(await heading(page), "Your days");
    assert.equal(await readStatus(client, link.assignment), "IN_PROGRESS");
    await on(devices.desktop, async (other) => {
      await other.goto(service.url + link.path);
      assert.equal(await heading(other), "Your days");
      await other.getByRole("button", { name: "Back" }).click();
      assert.ok(await other.getByRole("checkbox", { name: "A pipe" }).isChecked());
      assert.ok(!(await other.getByRole("checkbox", { name: "Cigars" }).isChecked()));
      assert.ok(await other.getByRole("checkbox", { name: "Something else" }).isChecked());
      assert.equal(await other.getByLabel("Your own answer").inputValue(), "Shisha");
      await other.getByRole("button", { name: "Back" }).click();
      assert.equal(await other.getByLabel("How old are you?").inputValue(), "44");
      assert.ok(await other.getByRole("radio", { name: "Yes" }).isChecked());
      assert.equal(await other.getByRole("button", { name: "Back" }).count(), 0);
      // A change of mind takes the page on smoking away.
      await other.getByRole("radio", { name: "No", exact: true }).check();
      await next(other);
      await fillDays(other);
      assert.equal(await heading(other), "Thank you");
    });
    // The first device still shows its page; what it sends comes too late, and a friendly page says so.
    await fillDays(page);
    assert.equal(await heading(page), "Thank you");
    assert.equal(await readStatus(client, link.assignment), "QUALIFIED");
  }));

for (const javaScriptEnabled of [true, false]) {
  test(`errors take the focus, lead to their fields and keep what was typed, ${javaScriptEnabled ? "with" : "without"} JavaScript`, () =>
    as({ ...devices.phone, javaScriptEnabled }, async (page, link) => {
      await page.goto(service.url + link.path);
      await page.getByLabel("How old are you?").fill("two hundred");
      await next(page);
      assert.match(await page.title(), /^Error – /);
      const alert = page.getByRole("alert");
      assert.ok(await alert.evaluate((element) => element.matches(":focus")));
      assert.deepEqual(await alert.getByRole("link").allTextContents(), [
        "How old are you? – Enter a number, such as 12",
        "Do you smoke? – Choose an answer",
      ]);
      const age = page.getByLabel("How old are you?");
      assert.equal(await age.inputValue(), "two hundred");
      assert.equal(await age.getAttribute("aria-invalid"), "true");
      const described = ((await age.getAttribute("aria-describedby")) ?? "").split(" ");
      const notes = await Promise.all(described.map((id) => page.locator(`[id="${id}"]`).textContent()));
      assert.deepEqual(notes, ["A whole number from 0 to 120", "Error: Enter a number, such as 12"]);
      await alert.getByRole("link", { name: "How old" }).click();
      assert.ok(await age.evaluate((element) => element.matches(":focus")));
      await age.fill("44");
      await alert.getByRole("link", { name: "Do you smoke?" }).click();
      assert.ok(await page.getByRole("radio", { name: "Yes" }).evaluate((element) => element.matches(":focus")));
      await page.keyboard.press("Space");
      await next(page);
      assert.equal(await heading(page), "Smoking");
    }));
}

test("the keyboard alone is enough, and the focus is visible", () =>
  as({ ...devices.desktop, javaScriptEnabled: false }, async (page, link, study) => {
    const press = async (...keys: string[]) => {
      for (const key of keys) {
        await page.keyboard.press(key);
        if (key !== "Tab") continue;
        const outlined = await page.locator(":focus").evaluate((element) =>
          [element, element.closest(".option")].some((one) => {
            const { outlineStyle, outlineWidth } = getComputedStyle(one ?? element);
            return outlineStyle !== "none" && Number.parseFloat(outlineWidth) > 2;
          }),
        );
        assert.ok(outlined, "the focus can't be seen");
      }
    };
    await page.goto(service.url + link.path);
    await press("Tab");
    await page.keyboard.type("44");
    await press("Tab", "Space", "Tab", "Enter");
    await page.getByRole("heading", { name: "Smoking" }).waitFor();
    await press("Tab", "Tab", "Space", "Tab", "Space", "Tab", "Tab", "Enter");
    await page.getByRole("heading", { name: "Your days" }).waitFor();
    await press("Tab", "Space", "ArrowDown", "Tab");
    await page.keyboard.type("Oslo");
    await press("Tab");
    await page.keyboard.type("Late.");
    await press("Tab", "Enter");
    await page.getByRole("heading", { name: "Thank you" }).waitFor();
    const { age, brands, drink, town, day } = await readAnswers(client, link.session, study);
    assert.deepEqual([age, town, day], [44, "Oslo", "Late."]);
    assert.deepEqual(
      [brands, drink].map((answer) => (answer as { text: string }[]).map(({ text }) => text)),
      [["Cigars", "A pipe"], ["Coffee"]],
    );
  }));

test("a double click, going back and sending again change nothing twice", () =>
  as(devices.desktop, async (page, link, study) => {
    await page.goto(service.url + link.path);
    await page.getByLabel("How old are you?").fill("44");
    await page.getByRole("radio", { name: "No", exact: true }).check();
    await page.getByRole("button", { name: /Continue|Finish/ }).dblclick();
    await page.getByRole("heading", { name: "Your days" }).waitFor();
    await page.goBack();
    await page.getByRole("heading", { name: "About you" }).waitFor();
    await next(page);
    await page.getByRole("heading", { name: "Your days" }).waitFor();
    await page.getByRole("radio", { name: "Tea" }).check();
    await page.getByLabel("How does a usual day of yours begin?").fill("With the birds.");
    await page.getByRole("button", { name: /Continue|Finish/ }).dblclick();
    await page.getByRole("heading", { name: "Thank you" }).waitFor();
    const answers = await readAnswers(client, link.session, study);
    assert.deepEqual(Object.keys(answers), ["age", "smokes", "drink", "town", "day"]);
    await page.goBack();
    await page.getByRole("heading", { level: 1 }).waitFor();
    assert.equal(await heading(page), "You have already answered");
    assert.deepEqual(await readAnswers(client, link.session, study), answers);
  }));

test("a link is answered with its page at once, and the browser's way back leads through all pages", async () => {
  for (const kind of ["path", "shortPath"] as const) {
    await as(devices.phone, async (page, link, study) => {
      const release = Promise.withResolvers<void>();
      // What else the page asks for gets no answer: nobody waits for it.
      await page.route("**/w/assets/**", async (route) => {
        await release.promise;
        await route.continue();
      });
      const documents: number[] = [];
      page.on("response", (response) => {
        if (response.request().isNavigationRequest()) documents.push(response.status());
      });
      await page.goto(service.url + link[kind], { waitUntil: "domcontentloaded" });
      assert.deepEqual(documents, [200]);
      await page.getByLabel("How old are you?").fill("44");
      assert.equal(await page.locator(".main").evaluate((main) => getComputedStyle(main).maxWidth), "672px");
      const { pathname, search } = new URL(page.url());
      assert.deepEqual([pathname, search], [link.path, `?page=${study.page["About you"]}`]);
      release.resolve();
      await fillAbout(page);
      assert.equal(await heading(page), "Smoking");
      await page.waitForLoadState();
      assert.equal(await page.locator(".main").evaluate((main) => getComputedStyle(main).maxWidth), "672px");
      await page.goBack();
      assert.equal(await heading(page), "About you");
      assert.equal(await page.getByLabel("How old are you?").inputValue(), "44");
      await page.goForward();
      assert.equal(await heading(page), "Smoking");
      // Who comes back goes on where something is missing.
      await page.goto(service.url + link[kind]);
      assert.equal(await heading(page), "Smoking");
      await page.reload();
      assert.equal(await heading(page), "Smoking");
    });
  }
});

for (const javaScriptEnabled of [true, false]) {
  test(`the browser goes on to the address for the outcome, ${javaScriptEnabled ? "with" : "without"} JavaScript`, async () => {
    const address = "https://panel.example.org/done";
    const content = { ...everyKind, redirectByOutcome: { DISQUALIFIED: `${address}?id={sessionId}` } };
    const { link } = await invited(client, content);
    const { device, page } = await openDevice(browser, service.url, { ...devices.phone, javaScriptEnabled });
    const referers: (string | undefined)[] = [];
    await device.route(`${address}**`, (route) => {
      referers.push(route.request().headers().referer);
      return route.fulfill({ contentType: "text/html", body: "<h1>The panel</h1>" });
    });
    try {
      await page.goto(service.url + link.path);
      await fillAbout(page, "17", "Yes");
      await page.waitForURL(`${address}?id=${link.session}`);
      assert.equal(await heading(page), "The panel");
      assert.deepEqual(referers, [undefined]);
    } finally {
      await device.close();
    }
  });
}

test("hostile content runs nothing", () => {
  const hostile = `"><script>document.title = "owned"</script><img src="https://evil.example/x" onerror="document.title = 'owned'">`;
  const content = {
    pages: [
      {
        title: hostile,
        description: hostile,
        questions: [
          { key: "a", _type: "ScreenerTextQuestion", prompt: hostile, helpText: hostile, required: true, minLength: 5 },
          { key: "b", _type: "ScreenerSingleSelectQuestion", prompt: hostile, options: [{ text: hostile }] },
        ],
      },
    ],
    thankYou: hostile,
  };
  return as(
    devices.desktop,
    async (page, link) => {
      await page.goto(service.url + link.path);
      assert.equal(await heading(page), hostile);
      await page.getByRole("textbox").fill("</i>");
      await next(page);
      assert.equal(await page.getByRole("textbox").inputValue(), "</i>");
      assert.match(await page.title(), /^Error – /);
      await page.getByRole("textbox").fill(hostile);
      await next(page);
      assert.equal(await page.title(), "Thank you – Acme Research");
      assert.equal(await page.locator("main .text").textContent(), hostile);
    },
    content,
  );
});

const animals = ["Ångström’s adder", "Antelope", "Ant", "Badger", "Bear", "Beaver", "Camel", "Cat", "Dingo", "Dog"]
  .concat(["Eagle", "Eel", "Fox", "Frog", "Goat", "Heron", "Ibex", "Jackal", "Koala", "Lynx"])
  .map((text) => ({ text }));
const menu = {
  pages: [
    {
      title: "Animals",
      questions: [
        {
          ...{ key: "animal", _type: "ScreenerSingleSelectQuestion", display: "MENU", required: true },
          ...{ prompt: "Which animal are you?", options: animals, allowsWriteIn: true },
        },
      ],
    },
    { title: "End", questions: [{ key: "why", _type: "ScreenerTextQuestion", prompt: "Why?" }] },
  ],
};

test("a menu works without scripts, write-in included", () =>
  as(
    WITHOUT_SCRIPTS,
    async (page, link, study) => {
      await page.goto(service.url + link.path);
      assert.equal(await page.getByRole("searchbox").count(), 0);
      const own = page.getByLabel("Your own answer");
      assert.ok(!(await own.isVisible()));
      const select = page.getByLabel("Which animal are you?");
      await select.selectOption("Something else");
      await own.fill("A unicorn");
      await next(page);
      assert.equal(await heading(page), "End");
      assert.deepEqual((await readAnswers(client, link.session, study)).animal, [
        { text: "A unicorn", isWriteIn: true },
      ]);
      await page.getByRole("button", { name: "Back" }).click();
      assert.equal(await own.inputValue(), "A unicorn");
      await select.selectOption("Frog");
      await next(page);
      assert.deepEqual((await readAnswers(client, link.session, study)).animal, [{ text: "Frog", isWriteIn: false }]);
    },
    menu,
  ));

test("a long menu is searched by typing, by keyboard alone; a search changes no answer", () =>
  as(
    devices.desktop,
    async (page, link, study) => {
      await page.goto(service.url + link.path);
      const search = page.getByRole("searchbox", { name: "Search by typing" });
      const select = page.getByLabel("Which animal are you?");
      const shown = () => select.locator("option").allTextContents();
      const all = await shown();
      await search.focus();
      await page.keyboard.type("an");
      assert.deepEqual(await shown(), [
        ...["Choose an answer", "Ångström’s adder", "Antelope", "Ant"],
        "Something else",
      ]);
      assert.equal(await page.getByRole("status").textContent(), "Found: 3");
      // The enter key sends no page with a search.
      await page.keyboard.press("Enter");
      assert.equal(await heading(page), "Animals");
      assert.equal(await select.inputValue(), "");
      await search.fill("angstrom");
      await search.press("Enter");
      assert.deepEqual(await shown(), all);
      assert.equal(await select.inputValue(), study.option["animal/Ångström’s adder"]);
      assert.equal(await search.inputValue(), "");
      // What is chosen stays, whatever is searched.
      await search.fill("frog");
      assert.equal(await select.inputValue(), study.option["animal/Ångström’s adder"]);
      await search.press("ArrowDown");
      assert.equal(await select.inputValue(), study.option["animal/Frog"]);
      await page.keyboard.press("Tab");
      assert.deepEqual(await shown(), all);
      assert.equal(await select.inputValue(), study.option["animal/Frog"]);
      await search.fill("o");
      await select.locator("option", { hasText: "Dog" }).click();
      assert.deepEqual(await shown(), all);
      await next(page);
      assert.deepEqual((await readAnswers(client, link.session, study)).animal, [{ text: "Dog", isWriteIn: false }]);
    },
    menu,
  ));
