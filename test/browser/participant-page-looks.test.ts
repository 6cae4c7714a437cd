// How the participants' pages look and read: for everyone, in any light, on any screen. Every kind of page is checked with
// axe-core and measured; and photographed, into the folder PICTURES, if that is given.

import assert from "node:assert/strict";
import { test } from "node:test";
import type { Page } from "playwright-core";
import { MAX_MISSES } from "../../src/participant-page/requests.ts";
import { faintColors, openDevice, startBrowser, violations } from "../support/browser.ts";
import { startService } from "../support/service.ts";
import { holdWrites } from "../support/store.ts";
import { everyKind, type Invitation, invite, invited, publish } from "../support/study.ts";
import { DAYS, type Entries, Visitor } from "../support/visitor.ts";

const { PICTURES } = process.env;
const WIDTHS = { "small-phone": 320, phone: 390, desktop: 1280 };

const LOOKS = {
  light: { colorScheme: "light", forcedColors: "none" },
  dark: { colorScheme: "dark", forcedColors: "none" },
  forced: { colorScheme: "light", forcedColors: "active" },
} as const;

const service = await startService();
const browser = await startBrowser();
const client = service.workspace("Acme Research");
const visitor = new Visitor(service.url);
const study = await publish(client, everyKind);
const links = await invite(client, study.screener, 20);

const about = (smokes: string): Entries => ({ age: "44", smokes: [smokes] });

const arabic = {
  pages: [
    {
      title: "معلومات عنك",
      description: "شكرًا لمساعدتك لنا.\nيستغرق هذا دقيقتين.",
      questions: [
        {
          key: "age",
          _type: "ScreenerNumericQuestion",
          prompt: "كم عمرك؟",
          helpText: "بالسنوات",
          required: true,
          min: 0,
        },
        {
          key: "drink",
          _type: "ScreenerSingleSelectQuestion",
          prompt: "ماذا تشرب في الصباح؟",
          options: [{ text: "شاي" }, { text: "قهوة (espresso)" }, { text: "Coca-Cola" }],
          allowsWriteIn: true,
        },
        { key: "day", _type: "ScreenerTextQuestion", prompt: "كيف يبدأ يومك؟", required: true, multiline: true },
      ],
    },
  ],
};

const lengthy = {
  pages: [
    {
      title: "Donaudampfschifffahrtselektrizitätenhauptbetriebswerkbauunterbeamtengesellschaft",
      description: "x".repeat(300),
      questions: [
        {
          key: "one",
          _type: "ScreenerMultiSelectQuestion",
          prompt: `${"Which of these, all things considered, would you say is the one that you would most likely choose? ".repeat(2)}`,
          helpText: "y".repeat(200),
          required: true,
          options: [
            { text: "z".repeat(150) },
            { text: "A rather long option, which goes on for more than one line on a small screen" },
          ],
          allowsWriteIn: true,
          minChoices: 2,
        },
      ],
    },
    { title: "Two", questions: [{ key: "two", _type: "ScreenerTextQuestion", prompt: "Two?", maxLength: 20 }] },
  ],
};

const scales = {
  pages: [
    {
      title: "Sleep",
      questions: [
        {
          ...{ key: "well", _type: "ScreenerScaleQuestion", prompt: "How well do you sleep?", required: true },
          ...{ from: 1, to: 7, lowLabel: "Very badly, or not at all", highLabel: "Very well" },
        },
        { key: "bed", _type: "ScreenerScaleQuestion", prompt: "How good is your bed?", look: "STARS" },
        {
          ...{ key: "tell", _type: "ScreenerScaleQuestion", look: "NPS", required: true },
          prompt: "How likely is it that you would tell a friend of us?",
        },
      ],
    },
  ],
};

const arabicScales = {
  pages: [
    {
      title: "نومك",
      questions: [
        {
          ...{ key: "well", _type: "ScreenerScaleQuestion", prompt: "كيف تنام؟", required: true },
          ...{ lowLabel: "سيئ جدًا", highLabel: "جيد جدًا" },
        },
        { key: "bed", _type: "ScreenerScaleQuestion", prompt: "كيف سريرك؟", look: "STARS", to: 10 },
        { key: "tell", _type: "ScreenerScaleQuestion", prompt: "هل ستخبر صديقًا عنا؟", look: "NPS" },
      ],
    },
  ],
};

const dates = {
  pages: [
    {
      title: "Dates",
      questions: [
        {
          ...{ key: "born", _type: "ScreenerDateQuestion", prompt: "When were you born?", required: true },
          ...{ helpText: "We ask because of the insurance.", min: "1900-01-01", max: { today: "P0D" } },
        },
        { key: "moved", _type: "ScreenerDateQuestion", prompt: "When did you move here?", precision: "MONTH" },
        { key: "left", _type: "ScreenerDateQuestion", prompt: "When did you leave school?", precision: "YEAR" },
      ],
    },
  ],
};

const arabicDates = {
  pages: [
    {
      title: "تواريخ",
      questions: [
        { key: "born", _type: "ScreenerDateQuestion", prompt: "متى ولدت؟", required: true },
        { key: "moved", _type: "ScreenerDateQuestion", prompt: "متى انتقلت إلى هنا؟", precision: "MONTH" },
      ],
    },
  ],
};

const rankingOf = (title: string, prompt: string, texts: string[]) => ({
  pages: [
    {
      title,
      questions: [
        {
          ...{ key: "fruit", _type: "ScreenerRankingQuestion", prompt, required: true, rankAtMost: 3 },
          options: texts.map((text) => ({ text })),
        },
      ],
    },
  ],
});

const matrixOf = (title: string, prompt: string, rows: string[], columns: string[], more: object = {}) => ({
  pages: [
    {
      title,
      questions: [
        {
          ...{ key: "matrix", _type: "ScreenerMatrixQuestion", prompt, required: true, requireEachRow: true, ...more },
          ...{ rows: rows.map((text) => ({ text })), columns: columns.map((text) => ({ text })) },
        },
      ],
    },
  ],
});

const DRINKS = ["Tea", "Coffee", `Milk, ${"and what is made of it, ".repeat(4)}or cream`];
const OFTEN = ["Never", "Rarely", "Some days", "Most days", "Every day"];

const menuOf = (title: string, prompt: string, texts: string[]) => ({
  pages: [
    {
      title,
      questions: [
        {
          ...{ key: "menu", _type: "ScreenerSingleSelectQuestion", display: "MENU", prompt, required: true },
          ...{ options: texts.map((text) => ({ text })), allowsWriteIn: true },
        },
      ],
    },
  ],
});

const consentOf = (title: string, prompt: string, text: string) => ({
  pages: [
    {
      title,
      questions: [
        { key: "agreed", _type: "ScreenerConsentQuestion", prompt, text, version: "2026-01" },
        { key: "name", _type: "ScreenerTextQuestion", prompt: "Name", required: true },
      ],
    },
  ],
});

const TERMS = `We ask about your days.\n\nWe keep your answers for three months, ${"and then we delete them ".repeat(12)}.`;

const TOWNS = [...Array(24).keys()].map((at) => `Town ${at}${" with a long name".repeat(at)}`);

const formats = {
  pages: [
    {
      title: "Reaching you",
      questions: [
        ["Your email?", { format: "EMAIL" }],
        ["Your phone?", { format: "PHONE" }],
        ["Your postcode?", { format: "POSTCODE" }],
        ["Your site?", { format: "URL" }],
        ["Your number?", { format: "DIGITS", minLength: 8, maxLength: 8 }],
        ["Your code?", { pattern: "[A-Z]{2}[0-9]{6}", patternMessage: "Enter two letters and six digits" }],
      ].map(([prompt, more]) => ({ _type: "ScreenerTextQuestion", prompt, required: true, ...(more as object) })),
    },
  ],
};

/** Brings someone as far as a page is to be seen, and shows it. */
const scenes: Record<string, [heading: string, show: (page: Page) => Promise<void>]> = {
  questions: ["About you", (page) => open(page, newLink())],
  errors: [
    "About you",
    async (page) => {
      await open(page, newLink());
      await page.getByLabel("How old are you?").fill("two hundred");
      await finish(page);
      assert.ok(await page.getByRole("alert").isVisible());
    },
  ],
  "one-more-question": [
    "About you",
    async (page) => {
      const link = newLink();
      await visitor.send(link.path, study, "About you", about("Sometimes"));
      await open(page, link);
      assert.ok(await page.getByRole("status").isVisible());
    },
  ],
  "several-answers": [
    "Smoking",
    async (page) => {
      const link = newLink();
      await visitor.send(link.path, study, "About you", about("Yes"));
      await open(page, link);
      await page.getByRole("checkbox", { name: "Cigars" }).check();
      await page.getByRole("checkbox", { name: "Something else" }).check();
      await page.getByLabel("Your own answer").fill("Shisha");
    },
  ],
  "several-answers-errors": [
    "Smoking",
    async (page) => {
      const link = newLink();
      await visitor.send(link.path, study, "About you", about("Yes"));
      await open(page, link);
      for (const box of await page.getByRole("checkbox").all()) await box.check();
      await finish(page);
    },
  ],
  texts: [
    "Your days",
    async (page) => {
      const link = newLink();
      await visitor.send(link.path, study, "About you", about("No"));
      await open(page, link);
      await page.getByRole("radio", { name: "Coffee" }).check();
    },
  ],
  "texts-errors": [
    "Your days",
    async (page) => {
      const link = newLink();
      await visitor.send(link.path, study, "About you", about("No"));
      await open(page, link);
      await page.getByRole("radio", { name: "Something else" }).check();
      await page.getByLabel("How does a usual day").fill("Up");
      await finish(page);
    },
  ],
  scales: [
    "Sleep",
    async (page) => {
      await open(page, await linkTo(scales));
      await page.getByRole("radio", { name: "6" }).first().check();
      await page.getByRole("radio", { name: "4 stars" }).check();
      assert.ok(await page.getByRole("radio", { name: "10 – Extremely likely" }).isVisible());
    },
  ],
  "scales-errors": [
    "Sleep",
    async (page) => {
      await open(page, await linkTo(scales));
      await page.getByRole("radio", { name: "4 stars" }).check();
      await finish(page);
      // An optional answer can be removed again.
      assert.ok(await page.getByRole("radio", { name: "No answer" }).isVisible());
    },
  ],
  "right-to-left-scales": [
    "نومك",
    async (page) => {
      await open(page, await linkTo(arabicScales));
      await page.getByRole("radio", { name: "7 stars" }).check();
      const [first, last] = await Promise.all([0, 4].map((at) => page.locator(".step").nth(at).boundingBox()));
      assert.ok(first && last && first.x > last.x, "the first step is on the right");
    },
  ],
  dates: [
    "Dates",
    async (page) => {
      await open(page, await linkTo(dates));
      const born = page.getByRole("group", { name: "When were you born?" });
      for (const [label, text] of Object.entries({ Day: "28", Month: "February", Year: "1990" }))
        await born.getByLabel(label).fill(text);
    },
  ],
  "dates-errors": [
    "Dates",
    async (page) => {
      await open(page, await linkTo(dates));
      const born = page.getByRole("group", { name: "When were you born?" });
      for (const [label, text] of Object.entries({ Day: "30", Month: "2", Year: "1990" }))
        await born.getByLabel(label).fill(text);
      await page.getByLabel("When did you leave school?").fill("last");
      await finish(page);
      await page.getByRole("link", { name: "February 1990 has only 28 days" }).click();
      assert.equal(await page.evaluate("document.activeElement.labels[0].textContent"), "Day");
    },
  ],
  "right-to-left-dates": ["تواريخ", async (page) => open(page, await linkTo(arabicDates))],
  ranking: [
    "Fruit",
    async (page) => {
      const texts = ["Apple", "Pear", `A plum, ${"and a very large one ".repeat(5)}`, "Kiwi"];
      await open(page, await linkTo(rankingOf("Fruit", "Which fruit do you like best?", texts)));
      await page.getByLabel("1st choice").selectOption("Pear");
      await page.getByLabel("2nd choice").selectOption("Pear");
      await finish(page);
      await page.getByRole("link", { name: "Choose each one only once" }).click();
      assert.equal(await page.evaluate("document.activeElement.labels[0].textContent"), "2nd choice");
    },
  ],
  "right-to-left-ranking": [
    "فاكهة",
    async (page) => open(page, await linkTo(rankingOf("فاكهة", "أي فاكهة تفضل؟", ["تفاح", "كمثرى", "Kiwi"]))),
  ],
  matrix: [
    "Drinks",
    async (page) => {
      await open(page, await linkTo(matrixOf("Drinks", "How often do you drink these?", DRINKS, OFTEN)));
      await page.getByRole("radiogroup", { name: "Coffee" }).getByRole("radio", { name: "Some days" }).check();
      // What is a table for the eye reads as a list of groups.
      const tree = await page.locator(".matrix").ariaSnapshot();
      assert.match(
        tree,
        /^- radiogroup "Tea":\n\s+- text: Tea\n(\s+- radio "(Never|Rarely|Some days|Most days|Every day)"( \[checked\])?(\n\s+- text: [\w ]+)?\n){5}- radiogroup "Coffee":/,
      );
    },
  ],
  "matrix-errors": [
    "Drinks",
    async (page) => {
      await open(page, await linkTo(matrixOf("Drinks", "How often do you drink these?", DRINKS, OFTEN)));
      await page.getByRole("radiogroup", { name: "Tea" }).getByRole("radio", { name: "Never" }).check();
      await finish(page);
      await page.getByRole("link", { name: "Choose an answer in each row. Missing: 2" }).click();
      assert.equal(
        await page.evaluate("document.activeElement.closest('.matrix-row').querySelector('legend').textContent"),
        "Coffee",
      );
    },
  ],
  "matrix-several": [
    "Drinks",
    async (page) => {
      const columns = [...OFTEN, "With a columntextthatisverylong", "At night", "On Sundays", "Another one"];
      await open(
        page,
        await linkTo(matrixOf("Drinks", "When do you drink these?", DRINKS, columns, { multiple: true })),
      );
      await page.getByRole("group", { name: "Tea" }).getByRole("checkbox", { name: "At night" }).check();
      await finish(page);
    },
  ],
  "right-to-left-matrix": [
    "مشروبات",
    async (page) => {
      await open(
        page,
        await linkTo(matrixOf("مشروبات", "كم مرة تشرب؟", ["شاي", "قهوة"], ["أبدًا", "أحيانًا", "كل يوم"])),
      );
      await page.getByRole("radiogroup", { name: "شاي" }).getByRole("radio", { name: "كل يوم" }).check();
      const [first, last] = await Promise.all([0, 2].map((at) => page.locator(".cells .option").nth(at).boundingBox()));
      assert.ok(first && last && (first.x > last.x || first.y < last.y), "the first column is on the right, or above");
    },
  ],
  consent: [
    "Before we begin",
    async (page) => {
      await open(page, await linkTo(consentOf("Before we begin", "I have read this, and agree", TERMS)));
      await page.getByLabel("I have read this, and agree").check();
      await finish(page);
      assert.ok(await page.getByLabel("I have read this, and agree").isChecked());
    },
  ],
  "no-consent": [
    "You have not agreed",
    async (page) => {
      await open(page, await linkTo(consentOf("Before we begin", "I have read this, and agree", TERMS)));
      await finish(page);
    },
  ],
  "right-to-left-consent": [
    "موافقة",
    async (page) => open(page, await linkTo(consentOf("موافقة", "قرأت هذا وأوافق", "نحتفظ بإجاباتك ثلاثة أشهر."))),
  ],
  withdraw: [
    "Withdraw from this study",
    async (page) => {
      await agreed(page, consentOf("Before we begin", "I have read this, and agree", TERMS));
      await page.getByRole("link", { name: "Withdraw from this study" }).click();
    },
  ],
  withdrawn: [
    "You have withdrawn",
    async (page) => {
      await agreed(page, consentOf("Before we begin", "I have read this, and agree", TERMS));
      await page.getByRole("link", { name: "Withdraw from this study" }).click();
      await page.getByRole("button", { name: "Withdraw" }).click();
    },
  ],
  "ask-to-be-erased": [
    "Ask to be erased",
    async (page) => {
      await agreed(page, consentOf("Before we begin", "I have read this, and agree", TERMS));
      await page.goto(`${page.url().split("?")[0]}?ask=erasure`);
    },
  ],
  "asked-for-data": [
    "You have asked for your data",
    async (page) => {
      await agreed(page, consentOf("Before we begin", "I have read this, and agree", TERMS));
      await page.getByRole("link", { name: "Withdraw from this study" }).click();
      await page.getByRole("link", { name: "Ask for your data" }).click();
      await page.getByRole("button", { name: "Ask for my data" }).click();
    },
  ],
  "right-to-left-withdraw": ["الانسحاب من هذه الدراسة", (page) => inArabic(page, "withdraw")],
  "right-to-left-ask-to-be-erased": ["طلب محو بياناتك", (page) => inArabic(page, "ask=erasure")],
  menu: [
    "Towns",
    async (page) => {
      await open(page, await linkTo(menuOf("Towns", "Where do you live?", TOWNS)));
      await page.getByLabel("Where do you live?").selectOption("Something else");
      await page.getByLabel("Your own answer").fill("The sea");
    },
  ],
  "menu-searched": [
    "Towns",
    async (page) => {
      await open(page, await linkTo(menuOf("Towns", "Where do you live?", TOWNS)));
      await page.getByLabel("Search by typing").fill("2");
      await page.getByText("Found: 6").waitFor();
    },
  ],
  "menu-errors": [
    "Towns",
    async (page) => {
      await open(page, await linkTo(menuOf("Towns", "Where do you live?", TOWNS)));
      await finish(page);
      await page.getByRole("link", { name: "Choose an answer" }).click();
      assert.equal(await page.evaluate("document.activeElement.tagName"), "SELECT");
    },
  ],
  "right-to-left-menu": [
    "مدن",
    async (page) => {
      await open(page, await linkTo(menuOf("مدن", "أين تسكن؟", ["القاهرة", "بيروت", ...TOWNS])));
      const direction = await page.locator("select").evaluate((select) => getComputedStyle(select).direction);
      assert.equal(direction, "rtl");
    },
  ],
  formats: ["Reaching you", async (page) => open(page, await linkTo(formats))],
  "formats-errors": [
    "Reaching you",
    async (page) => {
      await open(page, await linkTo(formats));
      for (const label of ["Your email?", "Your phone?", "Your postcode?", "Your site?", "Your number?", "Your code?"])
        await page.getByLabel(label).fill("-");
      await finish(page);
      await page.getByRole("link", { name: "Enter two letters and six digits" }).click();
      assert.equal(await page.evaluate("document.activeElement.labels[0].textContent"), "Your code?");
    },
  ],
  busy: [
    "About you",
    async (page) => {
      await open(page, newLink());
      await page.getByLabel("How old are you?").fill("44");
      await page.getByRole("radio", { name: "No", exact: true }).check();
      const release = holdWrites(service, client, { isSeenBusy: true });
      await finish(page);
      await page.getByRole("alert").waitFor();
      release();
    },
  ],
  "right-to-left": ["معلومات عنك", async (page) => open(page, await linkTo(arabic, "دراسة النوم"))],
  "right-to-left-errors": [
    "معلومات عنك",
    async (page) => {
      await open(page, await linkTo(arabic, "دراسة النوم"));
      await page.getByRole("textbox").first().fill("كثير");
      await page.getByRole("radio", { name: "Something else" }).check();
      await page.getByLabel("Your own answer").fill("مته");
      await finish(page);
    },
  ],
  "screened-out": [
    "Thank you",
    async (page) => {
      const link = await linkTo({
        ...everyKind,
        thankYouByOutcome: { DISQUALIFIED: "Not this time.\nMore at https://example.org/more." },
      });
      await open(page, link);
      await page.getByLabel("How old are you?").fill("12");
      await page.getByRole("radio", { name: "No", exact: true }).check();
      await finish(page);
    },
  ],
  "long-words": [lengthy.pages[0]!.title, async (page) => open(page, await linkTo(lengthy))],
  "long-words-errors": [
    lengthy.pages[0]!.title,
    async (page) => {
      await open(page, await linkTo(lengthy));
      await finish(page);
    },
  ],
  empty: ["Sleep and smoke", async (page) => open(page, await linkTo({ pages: [] }))],
  "thank-you": [
    "Thank you",
    async (page) => {
      const link = newLink();
      await visitor.send(link.path, study, "About you", about("No"));
      await open(page, link);
      await page.getByRole("radio", { name: "Tea" }).check();
      await page.getByLabel("How does a usual day").fill("With the birds.");
      await finish(page);
    },
  ],
  "thank-you-in-their-words": [
    "Thank you",
    async (page) => {
      const thankYou = "Many thanks!\n\nWe will write to you within two weeks, whatever comes of it.\nAnna and Björn";
      await open(page, await linkTo({ pages: [], thankYou }));
      await finish(page);
    },
  ],
  "already-answered": [
    "You have already answered",
    async (page) => {
      const link = newLink();
      await visitor.send(link.path, study, "About you", { age: "3", smokes: ["No"] });
      await open(page, link);
    },
  ],
  closed: [
    "This study is closed",
    async (page) => {
      const link = newLink();
      await client.delete(`/screener-participants/${link.assignment}`);
      await open(page, link);
    },
  ],
  "closed-study": ["This study is closed", async (page) => open(page, await linkInto({ acceptance: "CLOSED" }))],
  paused: ["This study is paused", async (page) => open(page, await linkInto({ acceptance: "PAUSED" }))],
  "not-open-yet": [
    "This study is not open yet",
    async (page) => open(page, await linkInto({ opensAt: "2999-09-30T23:59:00Z" })),
  ],
  expired: [
    "This link has expired",
    async (page) => open(page, await linkInto({ linkExpiresAt: "2020-01-01T00:00:00Z" })),
  ],
  "test-link": ["About you", async (page) => open(page, await testLink())],
  "test-link-done": [
    "Thank you",
    async (page) => {
      const link = await testLink();
      await visitor.send(link.path, study, "About you", about("No"));
      await open(page, link);
      await page.getByRole("radio", { name: "Tea" }).check();
      await page.getByLabel("How does a usual day").fill("With the birds.");
      await finish(page);
      await page.getByText("Test: your answers don’t count").waitFor();
    },
  ],
  removed: [
    "This link is no longer available",
    async (page) => {
      const link = newLink();
      await client.delete(`/screener-sessions/${link.session}`);
      await open(page, link);
    },
  ],
  full: [
    "This study is full",
    async (page) => {
      const full = await publish(client, everyKind, { targetQualifiedParticipants: 1 });
      const [first, late] = (await invite(client, full.screener, 2)) as [Invitation, Invitation];
      await visitor.send(first.path, full, "About you", about("No"));
      await visitor.send(first.path, full, "Your days", DAYS);
      await open(page, late);
    },
  ],
  "link-that-does-not-work": [
    "This link does not work",
    async (page) => {
      await page.goto(`${service.url}/w/nothing`);
    },
  ],
  "too-many-links": [
    "Please wait a minute",
    async (page) => {
      for (let i = 0; i < MAX_MISSES; i++) await visitor.get("/w/nothing");
      await page.goto(`${service.url}/w/nothing`);
    },
  ],
};

const newLink = () => links.pop()!;

async function linkTo(content: object, title = "Sleep and smoke"): Promise<Invitation> {
  return (await invited(client, content, { title })).link;
}

/** A link into a study that takes no answers. */
async function linkInto(set: object): Promise<Invitation> {
  const link = await linkTo(everyKind);
  await client.patch(`/screeners/${link.screener}`, set);
  return link;
}

async function testLink(): Promise<Pick<Invitation, "path">> {
  const { body } = await client.post("/screener-sessions", { screenerId: study.screener, isTest: true });
  return { path: new URL(body.screenerSessionLink).pathname };
}

async function open(page: Page, { path }: Pick<Invitation, "path">): Promise<void> {
  await page.goto(service.url + path);
}

/** Agrees, and leaves the rest of the page open. */
async function agreed(page: Page, content: object): Promise<void> {
  const { study, link } = await invited(client, content);
  const responses = [{ screenerQuestionId: study.question.agreed, answer: { isGiven: true } }];
  await client.post(`/screener-sessions/${link.session}/responses`, { responses });
  await open(page, link);
}

async function inArabic(page: Page, query: string): Promise<void> {
  const consent = consentOf("موافقة", "قرأت هذا وأوافق", "نحتفظ بإجاباتك ثلاثة أشهر.");
  await agreed(page, { ...consent, language: "ar" });
  await page.goto(`${page.url().split("?")[0]}?${query}`);
}

async function finish(page: Page): Promise<void> {
  await page.locator("button:not([name])").click();
}

// Each scene has a link that nobody has followed. A device for each would take more of the processor than what is done with it.
const { device: shared, page: shown, foreign } = await openDevice(browser, service.url);

for (const [name, [heading, show]] of Object.entries(scenes)) {
  test(`everyone can use and read this page: ${name}`, async () => {
    await shared.clearCookies();
    await shown.emulateMedia(LOOKS.light);
    await shown.setViewportSize({ width: 390, height: 844 });
    await show(shown);
    assert.deepEqual(await shown.locator("h1").allTextContents(), [heading]);
    for (const [look, media] of Object.entries(LOOKS)) {
      await shown.emulateMedia(media);
      // Another look has other colours. Of sizes, what follows measures more than axe-core.
      const found = look === "light" ? violations(shown, ["html"], ["color-contrast-enhanced"]) : faintColors(shown);
      assert.deepEqual(await found, [], look);
      for (const [screen, width] of Object.entries(WIDTHS)) {
        await shown.setViewportSize({ width, height: width < 500 ? 844 : 900 });
        const path = `${PICTURES}/${name}-${screen}-${look}.png`;
        if (PICTURES) await shown.screenshot({ path, fullPage: true });
        assert.deepEqual(await shown.evaluate<string[]>(FLAWS), [], `${screen} ${look}`);
      }
    }
    assert.deepEqual(foreign, []);
  });
}

/** What axe-core does not measure: what is wider than the screen, what is too small to be hit by a thumb, what moves. */
const FLAWS = `(() => {
  const flaws = [];
  const { scrollWidth, clientWidth } = document.documentElement;
  if (scrollWidth > clientWidth) flaws.push("scrolls sideways: " + scrollWidth);
  for (const field of document.querySelectorAll("a, button, input:not([type=hidden]), select, textarea")) {
    if (!field.checkVisibility()) continue;
    // A box is hit by its whole row.
    const { width, height } = (field.closest(".option") ?? field).getBoundingClientRect();
    if (width < 44 || height < 44) flaws.push("too small: " + width + " x " + height + " " + field.outerHTML);
  }
  for (const element of document.querySelectorAll("*")) {
    const { animationName, transitionDuration } = getComputedStyle(element);
    if (animationName !== "none" || Number.parseFloat(transitionDuration)) flaws.push("moves: " + element.outerHTML);
  }
  return flaws;
})()`;

test("a question runs in the direction of its words, ours within it do not", async () => {
  const { device, page } = await openDevice(browser, service.url, { viewport: { width: 390, height: 844 } });
  try {
    await open(page, await linkTo(arabic));
    const direction = (selector: string) =>
      page
        .locator(selector)
        .first()
        .evaluate((element) => getComputedStyle(element).direction);
    assert.equal(await direction("html"), "ltr");
    for (const part of ["h1", ".question", ".prompt", ".option", ".write-in"]) {
      assert.equal(await direction(part), "rtl", part);
    }
    assert.equal(await direction(".progress, .button"), "ltr");
    assert.equal(await direction("bdi"), "ltr");
    // The boxes are on the right, before the words.
    const box = await page.getByRole("radio").first().boundingBox();
    assert.ok(box && box.x > 195, JSON.stringify(box));
  } finally {
    await device.close();
  }
});
