// The HTML of the pages for people, as the Nu HTML checker sees it: as it is sent, and as scripts leave it.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { after, test } from "node:test";
import type { Page } from "playwright-core";
import { ROOT } from "../../db/root.ts";
import { typeNames } from "../../src/nouns/question-types/registry.ts";
import { openDevice, startBrowser } from "../support/browser.ts";
import { type ConsoleBrowser, signedInOperator } from "../support/console.ts";
import { pagesWith } from "../support/console-paths.ts";
import { everyType } from "../support/every-type.ts";
import { HtmlChecker } from "../support/html-checker.ts";
import type { PlainAnswer } from "../support/http.ts";
import { startService } from "../support/service.ts";
import { type Invitation, invite, invited } from "../support/study.ts";
import { Visitor } from "../support/visitor.ts";
import { populate } from "../support/world.ts";

const service = await startService();
const browser = await startBrowser();
const world = await populate(service, "Acme");
const { client } = world;
const visitor = new Visitor(service.url);
const checker = new HtmlChecker();
after(() => checker.remove());

interface Example {
  // biome-ignore lint/suspicious/noExplicitAny: a content as the API takes it
  content: any;
  translations: Record<string, Record<string, string>>;
}

const { content, translations }: Example = JSON.parse(
  // A page that stands alone refers to no answers.
  readFileSync(new URL("src/demo/example-every-kind.json", ROOT), "utf8").replaceAll("{{answer:", "{{attribute:"),
);
const question = (type: string, more: object) => ({ _type: `Screener${type}Question`, prompt: type, ...more });
const texts = (...all: string[]) => all.map((text) => ({ text }));
const towns = [...Array(25).keys()].map((at) => `Town ${at}`);
/** What the example does not have of each type. */
const more = {
  title: "More <of> & “these”",
  questions: [
    question("Date", { precision: "MONTH" }),
    question("Date", { precision: "YEAR" }),
    question("Scale", { lowLabel: "low", highLabel: "high" }),
    question("Matrix", { multiple: true, requireEachRow: true, rows: texts("A", "B"), columns: texts("1", "2") }),
    question("SingleSelect", { display: "MENU", options: texts(...towns), allowsWriteIn: true }),
    question("SingleSelect", { options: texts("One", "Two"), allowsWriteIn: true }),
    question("MultiSelect", { options: texts("One", "Two"), minChoices: 2, allowsWriteIn: true }),
    question("Ranking", { options: texts("One", "Two", "Three"), rankAtLeast: 2 }),
    question("Numeric", { min: 3, max: 2000 }),
    question("Text", { multiline: true, minLength: 10 }),
    ...["EMAIL", "PHONE", "POSTCODE", "URL", "DIGITS"].map((format) => question("Text", { format })),
    question("Text", { pattern: "[a-z]+", patternMessage: "Letters" }),
    question("Consent", { text: "I agree.\n\nTo all." }),
    { _type: "ScreenerStatement", text: "- one\n- two\n\n1. first\n2. second\n\n**bold** <b>" },
    { _type: "ScreenerStatement", text: null },
    {
      _type: "ScreenerStatement",
      text: "The hall",
      image: { id: world.image, alternativeText: "Our “hall” & garden" },
    },
  ],
};

/** Each page of a study with every type, in a study of its own, so that all of them can be opened at once. All is required, but for consents. */
async function studies(): Promise<Invitation[]> {
  const links: Invitation[] = [];
  const asked: Set<string> = new Set();
  for (const page of [...content.pages, more]) {
    const questions = page.questions.map((one: { _type: string }) => {
      asked.add(one._type);
      const isAsked = one._type !== "ScreenerStatement";
      return { ...one, ...(isAsked && { required: one._type !== "ScreenerConsentQuestion" }) };
    });
    const screener = await client.screener("Every kind");
    const body = { markup: "MARKDOWN", language: "en", pages: [{ ...page, showWhen: null, questions }] };
    const put = await client.call("PUT", `/screeners/${screener}/content`, { body });
    assert.equal(put.status, 200, put.text);
    const path = `/screeners/${screener}/translations/ar`;
    const { strings } = (await client.get(path)).body;
    const translated = strings.flatMap(({ id, source }: { id: string; source: string }) =>
      translations.ar![source] === undefined ? [] : [{ id, text: translations.ar![source] }],
    );
    assert.equal((await client.call("PATCH", path, { body: { strings: translated } })).status, 200);
    await client.post("/screener-publications", { screenerId: screener });
    links.push(...(await invite(client, screener)));
  }
  assert.deepEqual([...asked].filter((one) => one !== "ScreenerStatement").sort(), typeNames.toSorted());
  return links;
}

/** Every type on one page: an example in this language. As above, no consent is required. */
function japanese() {
  const body = everyType("ja", { id: world.image });
  for (const one of body.pages.flatMap<{ _type: string }>(({ questions }) => questions))
    if (one._type === "ScreenerConsentQuestion") Object.assign(one, { required: false });
  return body;
}

const pageOf = ({ text, headers, status }: PlainAnswer) => {
  assert.match(String(headers["content-type"]), /^text\/html/, `${status}`);
  return text;
};

/** The fields of a form, with something in those that are typed into. */
function typed(html: string, text: string): string {
  const fields = [...html.matchAll(/<(?:input|textarea)\b[^>]*>/g)].map(([tag]) => tag);
  const form = fields.flatMap((tag): [string, string][] => {
    const [, name] = / name="([^"]*)"/.exec(tag) ?? [];
    const [, type = "text"] = / type="([^"]*)"/.exec(tag) ?? [];
    if (name === undefined || type === "checkbox" || type === "radio") return [];
    return [[name, type === "hidden" ? (/ value="([^"]*)"/.exec(tag)?.[1] ?? "") : text]];
  });
  return new URLSearchParams(form).toString();
}

const actionOf = (html: string) => / action="([^"]+)"/.exec(html)![1]!.replaceAll("&amp;", "&");

/** Pages with questions of every type, without answers, with none where they are required, and with wrong ones. */
async function addQuestions(links: readonly Invitation[], language: string): Promise<void> {
  for (const [index, { path }] of links.entries()) {
    const name = `page ${index} in ${language}`;
    const html = pageOf(await visitor.open(`${path}?lang=${language}`));
    assert.match(html, new RegExp(`<html lang="${language}"`));
    checker.add(name, html);
    for (const [of, text] of Object.entries({ missing: "", wrong: "?!" })) {
      const sent = await visitor.post(actionOf(html), typed(html, text));
      assert.equal(sent.status, 422, sent.text);
      checker.add(`${name}, ${of}`, pageOf(sent));
    }
  }
}

/** The same as a browser has it whose scripts have run. */
async function addRun(page: Page, links: readonly Invitation[], language: string): Promise<void> {
  for (const [index, { path }] of links.entries()) {
    await page.goto(`${service.url}${path}?lang=${language}`);
    checker.add(`page ${index} in ${language}, with scripts`, await page.content());
    await page.locator("form button:not([name])").last().click();
    await page.getByRole("alert").waitFor();
    checker.add(`page ${index} in ${language}, with scripts and errors`, await page.content());
  }
}

/** What is said before and after the questions, and where there are none. */
async function addOthers(language: string): Promise<void> {
  const add = async (name: string, path: string) =>
    checker.add(`${name} in ${language}`, pageOf(await visitor.open(`${path}?lang=${language}`)));
  const [link, ended] = (await invite(client, world.screener, 2)) as [Invitation, Invitation];
  const screener = await client.screener("Closed");
  const consent = question("Consent", { text: "Yes." });
  await client.call("PUT", `/screeners/${screener}/content`, { body: { pages: [{ questions: [consent] }] } });
  await client.post("/screener-publications", { screenerId: screener });
  const [asked, closed] = (await invite(client, screener, 2)) as [Invitation, Invitation];
  await client.post(`/screener-sessions/${ended.session}/responses`, { responses: [], complete: false });
  const html = pageOf(await visitor.open(asked.path));
  const answers = [...html.matchAll(/name="question" value="([^"]+)"/g)].map(([, id]) => ({
    screenerQuestionId: id,
    answer: { isGiven: true },
  }));
  await client.post(`/screener-sessions/${asked.session}/responses`, { responses: answers, complete: true });
  await add("thanks", asked.path);
  await add("withdrawal", `${asked.path}`);
  checker.add(`withdrawal in ${language}`, pageOf(await visitor.get(`${asked.path}?withdraw&lang=${language}`)));
  await add("a link", link.path);
  await client.delete(`/screener-sessions/${link.session}`);
  await add("a removed link", link.path);
  await client.patch(`/screeners/${screener}`, { status: "CLOSED" });
  await add("a closed study", closed.path);
  await add("a broken link", "/w/nothing");
}

/** A message of a mailing, with all that Markdown makes. */
async function addMail(language: string): Promise<void> {
  const email = `ada.${language}@example.org`;
  const person = { externalUid: `Mail ${language}`, email, name: "Ada & <Ben>", attributes: { language } };
  const { body: participant } = await client.post("/participants", person);
  await client.patch("/workspace/appearance", { privacyUrl: "https://example.org/privacy?a=1&b=2" });
  const body =
    "Dear {{name|friend}},\n\n- **one**\n- two & <three>\n  1. third\n\n{{link}}\n\n[Words](https://example.org/?a=1&b=2)\n\n{{link}}";
  const said = { subject: "For <you> & {{name|you}}", body };
  const { body: mail, text } = await client.post("/mailings-preview", {
    ...{ screenerId: world.screener, participantId: participant.id, ...said },
    translations: language === "en" ? [] : [{ language, ...said }],
  });
  assert.equal(mail.language, language, text);
  assert.match(mail.html, new RegExp(`<html lang="${language}".*<p class="foot">`));
  checker.add(`mail in ${language}`, mail.html);
}

test("the Nu HTML checker finds nothing in the pages of participants and of the console", async (t) => {
  const links = await studies();
  const { device, page } = await openDevice(browser, service.url);
  const { link } = await invited(client, japanese(), { title: "Japanese" });
  for (const [language, asked] of Object.entries({ en: links, ar: links, ja: [link] })) {
    await addQuestions(asked, language);
    await addRun(page, asked, language);
    await addOthers(language);
    await addMail(language);
  }
  await addConsole(page);
  await device.close();
  const found = checker.check();
  if (!found)
    return t.diagnostic(
      "Java is not on this machine, so the HTML checker checks nothing (on Debian: apt-get install default-jre-headless).",
    );
  assert.ok(checker.size > 80, `${checker.size}`);
  assert.deepEqual(found, []);
});

async function addConsole(page: Page): Promise<void> {
  const viewer = await signedInOperator(service, client.workspaceId, "admin", "ada@example.org");
  for (const to of pagesWith(world)) {
    const { status, headers, text } = await viewer.get(to);
    if (status === 200 && /^text\/html/.test(String(headers["content-type"]))) checker.add(to, text);
  }
  checker.add("signing in", pageOf(await visitor.get("/console/sign-in")));
  await addWithScripts(page, viewer);
}

/** Pages that scripts make, or add to. */
async function addWithScripts(page: Page, viewer: ConsoleBrowser): Promise<void> {
  const cookies = [...viewer.cookies].map(([name, value]) => ({ name, value, url: service.url }));
  await page.context().addCookies(cookies);
  const study = `/console/studies/${world.screener}`;
  await page.goto(`${service.url}${study}/build`);
  await page.getByRole("button", { name: /Add/ }).first().waitFor();
  checker.add("the builder", await page.content());
  await page.goto(`${service.url}${study}/share`);
  checker.add("sharing, with scripts", await page.content());
}
