// The language of a participant's pages: which one it is, how it is chosen, and what stays in another one.

import assert from "node:assert/strict";
import { test } from "node:test";
import { gzipSync } from "node:zlib";
import { type PlainAnswer, plain } from "../support/http.ts";
import { sharedService } from "../support/service.ts";
import { holdWrites } from "../support/store.ts";
import { type Invitation, invite, type Published, publish, readAnswers, readSession } from "../support/study.ts";
import { MAX_PAGE_KIB, tenQuestions } from "../support/ten-questions.ts";
import { formOf, headingOf, isPage, timeless, Visitor } from "../support/visitor.ts";

const service = await sharedService();
const client = service.workspace("Acme Research");
const visitor = new Visitor(service.url);

const content = {
  language: "en",
  pages: [
    {
      title: "Sleep",
      questions: [
        { key: "born", _type: "ScreenerDateQuestion", prompt: "When were you born?", required: true },
        { key: "hours", _type: "ScreenerNumericQuestion", prompt: "How long do you sleep?", required: true, max: 24 },
        {
          key: "drink",
          _type: "ScreenerMultiSelectQuestion",
          prompt: "What do you drink?",
          required: false,
          options: [{ text: "Tea" }, { text: "Milk" }, { text: "None of these", exclusive: true }],
          allowsWriteIn: true,
        },
      ],
    },
    { title: "Dreams", questions: [{ key: "dream", _type: "ScreenerTextQuestion", prompt: "What do you dream of?" }] },
  ],
  thankYou: "Sleep well!",
};

const german = (study: Published) => ({
  title: "Schlafstudie",
  [`page/${study.page.Sleep}/title`]: "Schlaf",
  [`question/${study.question.born}/prompt`]: "Wann sind Sie geboren?",
  [`question/${study.question.drink}/prompt`]: "Was trinken Sie?",
  [`question/${study.question.drink}/option/${study.option["drink/Tea"]}`]: "Tee",
  [`question/${study.question.drink}/option/${study.option["drink/None of these"]}`]: "Nichts davon",
  thankYou: "Schlafen Sie gut!",
});

const arabic = (study: Published) => ({ [`question/${study.question.born}/prompt`]: "متى وُلدت؟" });

/** A study in English, German and Arabic, and somebody who is invited to it. */
async function invitedInThree(attributes?: Record<string, string>): Promise<{ study: Published; link: Invitation }> {
  const study = await publish(client, content, { title: "Sleep study" });
  for (const [language, texts] of Object.entries({ de: german(study), ar: arabic(study) })) {
    const strings = Object.entries(texts).map(([id, text]) => ({ id, text }));
    const path = `/screeners/${study.screener}/translations/${language}`;
    const patched = await client.call("PATCH", path, { body: { strings } });
    assert.equal(patched.status, 200, patched.text);
  }
  const published = await client.post("/screener-publications", { screenerId: study.screener });
  assert.ok(published.status < 300, published.text);
  const [link] = await invite(client, study.screener);
  if (attributes) {
    const { body } = await client.get(`/screener-participants/${link!.assignment}`);
    await client.call("PATCH", `/participants/${body.participantId}`, { body: { attributes } });
  }
  return { study, link: link! };
}

const get = (path: string, language = ""): Promise<PlainAnswer> =>
  plain(service.url, { method: "GET", path, headers: { "Accept-Language": language } });

const langOf = ({ text }: PlainAnswer) => /<html lang="([^"]*)" dir="([^"]*)"/.exec(text)!.slice(1).join(" ");
/** The text of an element with what its tag has to have. */
const shown = ({ text }: PlainAnswer, tag: RegExp) =>
  new RegExp(`<[a-z0-9]+[^>]*${tag.source}[^>]*>([^<]*)`).exec(text)?.[1];

test("the page is in the language of the link, of the person, of the browser, or in the content's own", async () => {
  const { link } = await invitedInThree();
  const own = await get(link.path);
  assert.equal(langOf(own), "en ltr");
  assert.match(own.text, /Page 1 of 2/);
  const browser = await get(link.path, "fr, de-AT;q=0.8, en;q=0.5");
  assert.equal(langOf(browser), "de ltr");
  assert.match(browser.text, /Seite 1 von 2/);
  assert.equal(browser.headers["content-language"], "de");
  assert.match(String(browser.headers.vary), /Accept-Language/);
  const ofLink = await get(`${link.path}?lang=ar`, "de");
  assert.equal(langOf(ofLink), "ar rtl");
  assert.equal(langOf(await get(`${link.shortPath}?lang=ar`, "de")), "ar rtl");
  assert.equal(langOf(await get(`${link.path}?lang=fr`, "de")), "de ltr", "one that is not offered");
  assert.equal(langOf(await get(`${link.path}?lang=%22%3E`, "de")), "de ltr");
  const { link: person } = await invitedInThree({ language: "de-CH" });
  assert.equal(langOf(await get(person.path, "ar")), "de ltr");
  assert.equal(langOf(await get(`${person.path}?lang=ar`, "en")), "ar rtl");
});

test("texts without a translation stay in their own language, and say so", async () => {
  const { study, link } = await invitedInThree();
  const german = await get(`${link.path}?lang=de`);
  isPage(german, 200, "Schlaf");
  assert.match(german.text, /<span>Wann sind Sie geboren\?<\/span>/);
  assert.match(german.text, /<span lang="en">How long do you sleep\?<\/span>/);
  assert.match(german.text, /<title>Schlaf – Seite 1 von 2/);
  assert.match(german.text, /<p class="study">Schlafstudie/);
  assert.match(german.text, /Tee<\/span>/);
  assert.match(german.text, /<span class="option-text" lang="en" dir="ltr">Milk/);
  const arabicPage = await get(`${link.path}?lang=ar`);
  assert.match(arabicPage.text, /<h1 lang="en" dir="ltr">Sleep<\/h1>/);
  assert.match(
    arabicPage.text,
    new RegExp(`<div class="question" dir="ltr"><label[^>]*for="answer-${study.question.hours}"`),
  );
  assert.match(arabicPage.text, /متابعة/);
});

test("what is wrong is said in the language, and numbers and dates are read and written as it does", async () => {
  const { study, link } = await invitedInThree();
  const path = `${link.path}?lang=de`;
  const both = [study.option["drink/Tea"]!, study.option["drink/None of these"]!];
  const wrong = { born: { day: "31", month: "Febr.", year: "1990" }, hours: "25", drink: both };
  const answer = await visitor.send(path, study, "Sleep", wrong);
  assert.equal(answer.status, 422);
  assert.match(answer.text, /<title>Fehler – Schlaf/);
  assert.match(answer.text, /Februar 1990 hat nur 28 Tage/);
  assert.match(answer.text, /Geben Sie eine Zahl ein, die höchstens 24 ist/);
  assert.match(answer.text, /Wählen Sie entweder nur „Nichts davon“ aus/);
  assert.equal((await readSession(client, link.session)).language, null, "nothing was saved yet");

  const right = { born: { day: "28", month: "März", year: "1990" }, hours: "7,5", drink: ["Tea", "+Mate"] };
  const sent = await visitor.send(path, study, "Sleep", right);
  assert.deepEqual([sent.status, sent.headers.location], [303, `${link.path}?page=${study.page.Dreams}&lang=de`]);
  const { language, state } = await readSession(client, link.session);
  assert.deepEqual([language, state], ["de", "IN_PROGRESS"]);
  assert.deepEqual(await readAnswers(client, link.session, study), {
    born: "1990-03-28",
    hours: 7.5,
    drink: [
      { text: "Tea", isWriteIn: false },
      { text: "Mate", isWriteIn: true },
    ],
  });
  // From now on, the language is the session's.
  const back = await get(`${link.path}?page=${study.page.Sleep}`, "ar");
  assert.equal(langOf(back), "de ltr");
  assert.match(back.text, /value="7,5"/);
  await visitor.send(link.path, study, "Dreams", { dream: "" });
  const end = await get(`${link.path}?done`);
  assert.equal(langOf(end), "de ltr");
  assert.match(end.text, /Schlafen Sie gut!/);
  assert.equal(headingOf(end), "Vielen Dank");
});

test("a language that is chosen on the page is kept, with what was typed, and without errors", async () => {
  const { study, link } = await invitedInThree();
  const page = await get(link.path);
  for (const [language, name] of Object.entries({ de: "Deutsch", ar: "العربية" }))
    assert.equal(shown(page, new RegExp(`value="${language}"`)), name);
  assert.match(page.text, /<span class="language" lang="en" dir="ltr" aria-current="true">English<\/span>/);
  // The enter key sends the page.
  assert.ok(page.text.indexOf('<button class="unseen"') < page.text.indexOf('<button class="language"'));

  const typed = { born: { day: "28", month: "March", year: "1990" }, hours: "a lot", drink: ["Tea"] };
  const form = `${formOf(study, "Sleep", typed)}&shown-in=en&language=de`;
  const chosen = await visitor.post(link.path, form);
  isPage(chosen, 200, "Schlaf");
  assert.equal(langOf(chosen), "de ltr");
  assert.match(chosen.text, /value="3"/, "the month, as it was saved");
  assert.match(chosen.text, /value="a lot"/, "what could not be saved");
  assert.doesNotMatch(chosen.text, /class="error"/);
  const session = await readSession(client, link.session);
  assert.deepEqual([session.language, session.state], ["de", "IN_PROGRESS"]);
  assert.deepEqual(Object.keys(await readAnswers(client, link.session, study)), ["born", "drink"]);
  assert.equal(timeless((await visitor.post(link.path, form)).text), timeless(chosen.text), "sent again");
  // Another link, another browser: it stays, until another one is chosen.
  assert.equal(langOf(await get(`${link.path}?lang=ar`, "en")), "de ltr");
  assert.equal(
    langOf(await visitor.post(link.path, `${formOf(study, "Sleep", { hours: "x" })}&language=xx`)),
    "de ltr",
  );
  const { body: log } = await client.get("/events?pagination[limit]=500");
  const types: string[] = log.items
    .filter(({ resource }: { resource: { id: string } }) => resource.id === link.session)
    .map(({ type }: { type: string }) => type);
  assert.deepEqual(types, [
    "screener-session.created",
    "screener-session.started",
    "screener-session.language-chosen",
    "screener-session.answered",
  ]);
});

test("a language can be chosen before anything is answered, and while the store is busy nothing that was typed is lost", async () => {
  const { study, link } = await invitedInThree();
  const empty = await visitor.post(link.path, `${formOf(study, "Sleep", { hours: "" })}&language=ar`);
  assert.equal(langOf(empty), "ar rtl");
  const { language, state, startedAt } = await readSession(client, link.session);
  assert.deepEqual([language, state, startedAt], ["ar", "NOT_STARTED", null]);
  const release = holdWrites(service, client, { isSeenBusy: true });
  try {
    const busy = await visitor.post(link.path, `${formOf(study, "Sleep", { hours: "7,5" })}&language=de`);
    assert.equal(busy.status, 503);
    assert.equal(langOf(busy), "ar rtl");
    assert.match(busy.text, /value="7,5"/);
    assert.match(busy.text, /لم تُحفظ إجاباتك بعد/);
  } finally {
    release();
  }
});

test("a study in one language offers none to choose, whatever the browser wants", async () => {
  const study = await publish(client, { pages: content.pages });
  const [link] = await invite(client, study.screener);
  const page = await get(`${link!.path}?lang=de`, "de");
  assert.equal(langOf(page), "en ltr");
  assert.doesNotMatch(page.text, /class="language/);
  // Nobody has said what language its texts are in.
  assert.match(page.text, /<h1 lang dir="auto">Sleep/);
  const own = await publish(client, { ...content, language: "de" });
  const [ownLink] = await invite(client, own.screener);
  const german = await get(ownLink!.path, "en");
  assert.equal(langOf(german), "de ltr");
  assert.match(german.text, /<h1>Sleep<\/h1>/);
});

test("a page for a broken link is in the language of the link or of the browser", async () => {
  const broken = `/w/${client.workspaceId}/screeners/x/y`;
  const german = await get(broken, "de-CH, fr;q=0.8");
  isPage(german, 404, "Dieser Link funktioniert nicht");
  assert.equal(german.headers["content-language"], "de");
  assert.equal(langOf(await get(`${broken}?lang=ar`, "de")), "ar rtl");
  isPage(await get(broken, "xx"), 404, "This link does not work");
});

test("sessions are listed by their language", async () => {
  const { study, link } = await invitedInThree();
  await visitor.send(`${link.path}?lang=de`, study, "Sleep", {
    born: { day: "1", month: "1", year: "1990" },
    hours: "8",
  });
  const list = (filter: string) => client.all(`/screener-sessions?filter[screenerId][eq]=${study.screener}&${filter}`);
  assert.deepEqual(
    (await list("filter[language][eq]=de")).map(({ id }: { id: string }) => id),
    [link.session],
  );
  assert.deepEqual(await list("filter[language][eq]=ar"), []);
  const rows = async (language: string) =>
    (await client.get(`/screeners/${study.screener}/export?filter[language][eq]=${language}`)).text.trim().split("\n")
      .length;
  assert.deepEqual([await rows("de"), await rows("ar")], [2, 1]);
});

test("a page of ten questions has at most 12 KiB as it is sent, with its stylesheet, and with an error at each question", async (t) => {
  const sizes: Record<string, number[]> = {};
  for (const language of ["en", "ar", "ja"]) {
    const study = await publish(client, { language, pages: [{ title: "Ten", questions: tenQuestions }] });
    const [link] = await invite(client, study.screener);
    const first = await get(link!.path);
    const entries = Object.fromEntries(Object.keys(study.question).map((key) => [key, ""]));
    const wrong = await visitor.send(link!.path, study, "Ten", entries);
    assert.equal(wrong.status, 422);
    sizes[language] = [first, wrong].map(({ text }) => gzipSync(text).length);
  }
  const largest = Math.max(...Object.values(sizes).flat());
  t.diagnostic(
    `a page of ten questions: ${largest} of ${MAX_PAGE_KIB * 1024} bytes, gzipped; ${JSON.stringify(sizes)}`,
  );
  assert.ok(largest <= MAX_PAGE_KIB * 1024, JSON.stringify(sizes));
});

test("a page that ends can be read in each language of the study, which keeps nothing", async () => {
  const { study, link } = await invitedInThree();
  const typed = { born: { day: "28", month: "3", year: "1990" }, hours: "7", drink: [] };
  await visitor.go(link.path, study, "Sleep", typed);
  const end = await visitor.go(`${link.path}?lang=en`, study, "Dreams", { dream: "" });
  isPage(end, 200, "Thank you");
  assert.equal(langOf(end), "en ltr");
  const form = /<form class="language-form" method="get" action="([^"]*)">(.*?)<\/form>/s.exec(end.text)!;
  assert.equal(form[1], link.path);
  const fields = [...form[2]!.matchAll(/<input type="hidden" name="([^"]*)" value(?:="([^"]*)")?/g)].map(
    ([, name, value = ""]) => `${name}=${value}`,
  );
  const german = await get(`${link.path}?${[...fields, "language=de"].join("&")}`, "en");
  assert.equal(langOf(german), "de ltr");
  assert.ok(german.text.includes("Schlafen Sie gut!"), german.text);
  assert.match(german.text, /<span class="language" lang="de" dir="ltr" aria-current="true">Deutsch<\/span>/);
  const arabic = await get(`${link.path}?language=ar`, "en");
  assert.equal(langOf(arabic), "ar rtl");
  assert.equal((await readSession(client, link.session)).language, "en");
  // The study is closed: who comes then reads why in a language of theirs.
  const [late] = await invite(client, study.screener);
  await client.patch(`/screeners/${study.screener}`, { acceptance: "CLOSED" });
  const closed = await get(late!.path, "de");
  isPage(closed, 409, headingOf(closed));
  assert.equal(shown(closed, /value="ar"/), "العربية");
  assert.equal(langOf(await get(`${late!.path}?language=ar`, "de")), "ar rtl");
  const { body: open } = await client.post("/screener-links", { screenerId: study.screener, name: "Poster" });
  const { pathname } = new URL(open.link);
  assert.equal(shown(await get(pathname, "de"), /value="ar"/), "العربية");
  assert.equal(langOf(await get(`${pathname}?language=ar`, "de")), "ar rtl");
});
