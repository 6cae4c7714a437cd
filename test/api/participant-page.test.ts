// A participant's way through a screener, over HTTP: which pages are shown, which answers are kept, and how it ends.

import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { test } from "node:test";
import { sharedService } from "../support/service.ts";
import { holdWrites } from "../support/store.ts";
import {
  everyKind,
  type Invitation,
  invite,
  invited,
  type Published,
  publish,
  readAnswers,
  readSession,
  readStatus,
} from "../support/study.ts";
import { ABOUT, DAYS, type Entries, formOf, isPage, Visitor } from "../support/visitor.ts";

const service = await sharedService();
const client = service.workspace("Acme Research");
const visitor = new Visitor(service.url);

const sessionOf = ({ session }: Invitation) => readSession(client, session);
const statusOf = ({ assignment }: Invitation) => readStatus(client, assignment);
const answersOf = ({ session }: Invitation, of: Published) => readAnswers(client, session, of);

test("answers that are given page by page arrive, and lead to the end", async () => {
  const { study, link } = await invited(client);
  isPage(await visitor.open(link.path), 200, "About you");
  isPage(await visitor.go(link.path, study, "About you", { age: "44", smokes: ["Yes"] }), 200, "Smoking");
  assert.equal(await statusOf(link), "IN_PROGRESS");
  const brands = { brands: ["A pipe", "Cigars", "+Shisha <i>"] };
  isPage(await visitor.go(link.path, study, "Smoking", brands), 200, "Your days");
  const days = { drink: ["+Maté"], town: " Oslo ", day: "Up at six.\r\nCoffee?" };
  isPage(await visitor.go(link.path, study, "Your days", days), 200, "Thank you");
  assert.equal(await statusOf(link), "QUALIFIED");
  assert.equal((await sessionOf(link)).state, "COMPLETED");
  assert.deepEqual(await answersOf(link, study), {
    age: 44,
    smokes: [{ text: "Yes", isWriteIn: false }],
    brands: [
      { text: "Cigars", isWriteIn: false },
      { text: "A pipe", isWriteIn: false },
      { text: "Shisha <i>", isWriteIn: true },
    ],
    drink: [{ text: "Maté", isWriteIn: true }],
    town: "Oslo",
    day: "Up at six.\nCoffee?",
  });
  isPage(await visitor.open(link.path), 200, "You have already answered");
});

test("a participant who comes back goes on where something is missing, with everything filled in", async () => {
  const { study, link } = await invited(client);
  await visitor.send(link.path, study, "About you", ABOUT);
  isPage(await visitor.open(link.path), 200, "Your days");
  const first = await visitor.get(`${link.path}?page=${study.page["About you"]}`);
  isPage(first, 200, "About you");
  assert.match(first.text, /value="44"/);
  assert.match(first.text, new RegExp(`value="${study.option["smokes/No"]}" checked`));
  // Nobody gets ahead of what they have answered, nor to a page that is not theirs.
  for (const page of [study.page.Smoking, randomUUID(), "x", ""]) {
    const { status, headers } = await visitor.get(`${link.path}?page=${page}`);
    assert.deepEqual([status, headers.location], [303, `${link.path}?page=${study.page["Your days"]}`]);
  }
});

test("a changed answer hides the pages that depended on it, and removes their answers", async () => {
  const { study, link } = await invited(client);
  await visitor.send(link.path, study, "About you", { age: "44", smokes: ["Yes"] });
  await visitor.send(link.path, study, "Smoking", { brands: ["Cigars"] });
  isPage(await visitor.go(link.path, study, "About you", { age: "44", smokes: ["No"] }), 200, "Your days");
  assert.deepEqual(Object.keys(await answersOf(link, study)), ["age", "smokes"]);
  // The page that is gone, sent from another device, is not taken.
  const late = await visitor.send(link.path, study, "Smoking", { brands: ["Cigars"] });
  assert.deepEqual([late.status, late.headers.location], [303, `${link.path}?page=${study.page["Your days"]}`]);
  assert.deepEqual(Object.keys(await answersOf(link, study)), ["age", "smokes"]);
});

test("a question that an answer brings up on the same page is asked before the next page", async () => {
  const { study, link } = await invited(client);
  const again = await visitor.go(link.path, study, "About you", { age: "44", smokes: ["Sometimes"] });
  isPage(again, 200, "About you");
  assert.match(again.text, /One more question on this page/);
  assert.match(again.text, new RegExp(`href="#answer-${study.question.how_often}"`));
  assert.equal((await answersOf(link, study)).age, 44);
  // Left empty, it is an error now; what hangs on a wrong answer stays as it was typed.
  const empty = { age: "44", smokes: ["Sometimes"], how_often: "" };
  isPage(await visitor.send(link.path, study, "About you", empty), 422, "About you");
  const wrong = { age: "x", smokes: [], how_often: "On Sundays" };
  const shown = await visitor.send(link.path, study, "About you", wrong);
  assert.match(shown.text, /value="On Sundays"/);
  const full = { age: "44", smokes: ["Sometimes"], how_often: "On Sundays" };
  isPage(await visitor.go(link.path, study, "About you", full), 200, "Smoking");
});

test("errors are listed at the top and at each field, and nothing of the page is kept", async () => {
  const { study, link } = await invited(client);
  const sent = await visitor.send(link.path, study, "About you", { age: "two hundred", smokes: [] });
  isPage(sent, 422, "About you");
  const { age, smokes } = study.question;
  assert.match(sent.text, /<title>Error – /);
  assert.match(sent.text, /role="alert"[^>]*tabindex="-1"[^>]*autofocus/);
  assert.match(sent.text, new RegExp(`<a href="#answer-${age}">`));
  assert.match(sent.text, new RegExp(`<a href="#answer-${smokes}">`));
  assert.match(sent.text, /Enter a number, such as 12/);
  assert.match(sent.text, new RegExp(`id="error-${age}"`));
  assert.match(sent.text, /value="two hundred"/);
  assert.equal((await sessionOf(link)).state, "NOT_STARTED");

  const said = async (page: string, entries: Parameters<Visitor["send"]>[3]) => {
    const { status, text } = await visitor.send(link.path, study, page, entries);
    assert.equal(status, 422);
    return [...text.matchAll(/<strong>Error:<\/strong> ([^<]*)</g)].map((match) => match[1]);
  };
  assert.deepEqual(await said("About you", { age: "121", smokes: ["Yes", "No"] }), [
    "Enter a number that is 120 or less",
    "Choose only one answer: select one, or write your own, but not both",
  ]);
  assert.deepEqual(await said("About you", { age: "3,5", smokes: ["Yes"] }), ["Enter a whole number, such as 12"]);
  assert.deepEqual(await said("About you", { age: "-1", smokes: ["Yes"] }), ["Enter a number that is 0 or more"]);
  await visitor.send(link.path, study, "About you", { age: "44", smokes: ["Yes"] });
  const four = { brands: ["Cigars", "Cigarettes", "A pipe", "+Snuff"] };
  assert.deepEqual(await said("Smoking", four), ["Choose no more than 3"]);
  assert.deepEqual(await said("Smoking", { brands: ["+ "] }), ["Write your own answer, or choose another one"]);
  assert.deepEqual(await said("Smoking", { brands: [] }), ["Choose at least one answer"]);
  await visitor.send(link.path, study, "Smoking", { brands: ["Cigars"] });
  assert.deepEqual(await said("Your days", { drink: ["Tea", "+Maté"], town: "x".repeat(101), day: "Up" }), [
    "Choose only one answer: select one, or write your own, but not both",
    "Shorten your answer to 100 characters",
    "Write at least 5 characters",
  ]);
  assert.deepEqual(await said("Your days", { drink: [], town: "a\0b", day: "x".repeat(10_001) }), [
    "Choose an answer",
    "Your answer has characters that we can’t keep. Please type it again",
    "Shorten your answer to 10000 characters",
  ]);
});

test("a write-in counts whether its box is ticked or not", async () => {
  const { study, link } = await invited(client);
  await visitor.send(link.path, study, "About you", ABOUT);
  const form = new URLSearchParams(formOf(study, "Your days", { ...DAYS, drink: [] }));
  form.append(`write-in-${study.question.drink}`, "Maté");
  await visitor.post(link.path, form.toString());
  assert.deepEqual((await answersOf(link, study)).drink, [{ text: "Maté", isWriteIn: true }]);
});

test("a participant who chooses an option need not erase an earlier write-in", async () => {
  const { study, link } = await invited(client);
  await visitor.send(link.path, study, "About you", ABOUT);
  const { drink, day } = study.question;
  const form = (chosen: string, written: string) => {
    const fields = new URLSearchParams(formOf(study, "Your days", { day: "" }));
    for (const [name, value] of [
      [`answer-${drink}`, chosen],
      [`write-in-${drink}`, written],
      [`kept-write-in-${drink}`, "Maté"],
      ["question", drink!],
    ]) {
      fields.append(name!, value!);
    }
    return fields.toString();
  };
  const tea = study.option["drink/Tea"]!;
  const isTicked = (text: string, value: string) => new RegExp(`value="${value}" checked`).test(text);
  const changed = await visitor.post(link.path, form(tea, "Maté"));
  assert.match(changed.text, new RegExp(`id="error-${day}"`));
  assert.doesNotMatch(changed.text, new RegExp(`id="error-${drink}"`));
  assert.ok(isTicked(changed.text, tea) && !isTicked(changed.text, "write-in"));
  // Words that are new, and a choice beside them: it is asked which of the two is meant, and neither is dropped.
  const unclear = await visitor.post(link.path, form(tea, "Coca"));
  assert.match(unclear.text, new RegExp(`id="error-${drink}"`));
  assert.ok(isTicked(unclear.text, tea) && !isTicked(unclear.text, "write-in"));
  assert.match(unclear.text, /value="Coca"/);
  const kept = await visitor.post(link.path, form("write-in", "Maté"));
  assert.match(kept.text, new RegExp(`name="kept-write-in-${drink}" value="Maté"`));
  assert.ok(isTicked(kept.text, "write-in"));
});

test("an optional question's answer can be removed again", async () => {
  const question = {
    key: "pet",
    _type: "ScreenerSingleSelectQuestion",
    prompt: "A pet?",
    options: [{ text: "Cat" }],
    allowsWriteIn: true,
  };
  const { study: other, link } = await invited(client, {
    pages: [
      { title: "Home", questions: [question] },
      { title: "End", questions: [] },
    ],
  });
  assert.doesNotMatch((await visitor.open(link.path)).text, /No answer/);
  await visitor.send(link.path, other, "Home", { pet: ["Cat"] });
  assert.match((await visitor.get(`${link.path}?page=${other.page.Home}`)).text, /No answer/);
  // Beside words of one's own it is not clear what is meant.
  const { pet } = other.question;
  const both = `${formOf(other, "Home", { pet: "" })}&write-in-${pet}=Newt`;
  assert.match((await visitor.post(link.path, both)).text, /Choose only one answer/);
  await visitor.send(link.path, other, "Home", { pet: "" });
  assert.deepEqual(await answersOf(link, other), { pet: null });
});

test("a menu has nothing chosen at first, takes an option or a write-in, and has it again for those who go back", async () => {
  const menu = { _type: "ScreenerSingleSelectQuestion", display: "MENU", allowsWriteIn: true };
  const options = ["Tea", "Coffee"].map((text) => ({ text }));
  const { study, link } = await invited(client, {
    pages: [
      {
        title: "Drinks",
        questions: [
          { key: "drink", prompt: "What do you drink?", required: true, options, ...menu },
          { key: "else", prompt: "What else?", options, ...menu },
        ],
      },
      { title: "End", questions: [] },
    ],
  });
  const { text } = await visitor.open(link.path);
  assert.doesNotMatch(text, /<option[^>]*selected|type="radio"|type="search"/);
  const shown = async () => {
    const { text } = await visitor.get(`${link.path}?page=${study.page.Drinks}`);
    return [...text.matchAll(/<option[^>]*selected[^>]*>([^<]+)</g)].map(([, text]) => text);
  };
  const tea = study.option["drink/Tea"]!;
  /** As a menu sends it: always something, and what its field for a write-in has. */
  const send = (drink: string, other: object) =>
    visitor.send(link.path, study, "Drinks", {
      drink: { answer: drink, "write-in": "" },
      else: { answer: "", ...other },
    });
  const refused = await send("", {});
  isPage(refused, 422, "Drinks");
  assert.match(refused.text, /<bdi>Choose an answer<\/bdi>/);
  // What is written counts though the menu says nothing.
  assert.equal((await send(tea, { "write-in": "Milk" })).status, 303);
  assert.deepEqual(await answersOf(link, study), {
    drink: [{ text: "Tea", isWriteIn: false }],
    else: [{ text: "Milk", isWriteIn: true }],
  });
  assert.deepEqual(await shown(), ["Tea", "Something else"]);
  // Who chooses nothing again need not erase it.
  assert.equal((await send(tea, { "write-in": "Milk", "kept-write-in": "Milk" })).status, 303);
  assert.deepEqual((await answersOf(link, study)).else, null);
  assert.deepEqual(await shown(), ["Tea"]);
  isPage(await send("coffee", {}), 422, "Drinks");
  const twice = await visitor.send(link.path, study, "Drinks", { drink: { answer: tea, "write-in": "Rooibos" } });
  assert.match(twice.text, /Choose only one answer/);
});

test("a scale is answered with a step, by those who see stars and by those who hear of them", async () => {
  const scale = (key: string, more: object) => ({ key, _type: "ScreenerScaleQuestion", prompt: `${key}?`, ...more });
  const { study, link } = await invited(client, {
    pages: [
      {
        title: "Sleep",
        questions: [
          scale("well", { required: true, lowLabel: "Badly", highLabel: "<Well>" }),
          scale("bed", { look: "STARS", required: true }),
          scale("tell", { look: "NPS" }),
        ],
      },
    ],
  });
  const { well, bed, tell } = study.question;
  const { text } = await visitor.open(link.path);
  const steps = (id: string | undefined) =>
    [...text.matchAll(new RegExp(`name="answer-${id}" value="(\\d*)"`, "g"))].map(([, value]) => Number(value));
  assert.deepEqual(steps(well), [1, 2, 3, 4, 5]);
  assert.deepEqual(steps(bed), [1, 2, 3, 4, 5]);
  assert.deepEqual(steps(tell), [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
  assert.match(text, /Badly.*&lt;Well>.*1 star<.*5 stars<.*Not at all likely.*Extremely likely/s);
  const wrong = await visitor.send(link.path, study, "Sleep", { well: "6", bed: "", tell: "x" });
  assert.equal(wrong.status, 422);
  assert.deepEqual(
    [...wrong.text.matchAll(/<strong>Error:<\/strong> ([^<]*)</g)].map((match) => match[1]),
    ["Enter a number that is 5 or less", "Choose a number of stars", "Enter a number, such as 12"],
  );
  await visitor.send(link.path, study, "Sleep", { well: "5", bed: "4", tell: "0" });
  assert.deepEqual(await answersOf(link, study), { well: 5, bed: 4, tell: 0 });
});

test("a date is typed into a field for each of its parts, and what is wrong is said of that field", async () => {
  const date = (key: string, more: object) => ({ key, _type: "ScreenerDateQuestion", prompt: `${key}?`, ...more });
  const { study, link } = await invited(client, {
    pages: [
      {
        title: "Dates",
        questions: [
          date("born", { required: true, min: "1900-01-01", max: { today: "-P18Y" } }),
          date("moved", { precision: "MONTH" }),
          date("left", { precision: "YEAR", max: "2020" }),
          date("came", { precision: "MONTH", min: "1995-06" }),
        ],
      },
      { title: "End", questions: [] },
    ],
  });
  const { born, moved } = study.question;
  const { text } = await visitor.open(link.path);
  for (const [label, id, name] of [
    ["Day", `answer-${born}`, `day-${born}`],
    ["Month", `month-${born}`, `month-${born}`],
    ["Year", `year-${born}`, `year-${born}`],
    ["Month", `answer-${moved}`, `month-${moved}`],
    ["Year", `year-${moved}`, `year-${moved}`],
  ]) {
    assert.ok(text.includes(`for="${id}"><bdi>${label}</bdi>`), `${label} ${id}`);
    assert.ok(text.includes(`id="${id}" name="${name}"`), name);
  }
  assert.match(text, /For example, 28\/2\/1990\. From 1 January 1900 to \d+ [A-Z]\w+ 20\d\d/);
  assert.match(text, /For example, 2\/1990</);
  assert.match(text, /For example, 1990\. 2020 or earlier/);
  assert.match(text, /For example, 6\/1995\. June 1995 or later/);
  /** The errors, each with the field that its link leads to, and the fields that are marked. */
  const faults = async (entries: Parameters<Visitor["send"]>[3]) => {
    const { status, text } = await visitor.send(link.path, study, "Dates", entries);
    assert.equal(status, 422);
    const names = Object.entries(study.question);
    const short = (field = "") => names.reduce((name, [key, id]) => name.replace(id, key), field);
    return {
      said: [...text.matchAll(/<a href="#([^"]*)">.*?<bdi>([^<]*)<\/bdi><\/a>/g)].map(([, to, why]) => [
        short(to),
        why,
      ]),
      marked: [...text.matchAll(/name="([^"]*)"[^>]*aria-invalid="true"/g)].map(([, name]) => short(name)),
    };
  };
  assert.deepEqual(await faults({ born: { day: "", month: "", year: "" } }), {
    said: [["answer-born", "Enter a date"]],
    marked: ["day-born", "month-born", "year-born"],
  });
  assert.deepEqual(
    await faults({ born: { day: "28", month: "feb", year: "90" }, moved: { month: "", year: "1990" }, left: "2021" }),
    {
      said: [
        ["year-born", "Enter the year with four digits, such as 1990"],
        ["answer-moved", "Enter the month, too"],
        ["answer-left", "Enter a date that is 2020 or earlier"],
      ],
      marked: ["year-born", "month-moved", "answer-left"],
    },
  );
  assert.deepEqual(await faults({ born: { day: "31", month: "4", year: "1990" } }), {
    said: [["answer-born", "April 1990 has only 30 days"]],
    marked: ["day-born"],
  });
  assert.deepEqual((await faults({ born: { day: "1", month: "1", year: "2999" } })).marked.length, 3);
  await visitor.send(link.path, study, "Dates", {
    born: { day: "28", month: "Feb", year: "1990" },
    moved: {},
    left: "",
  });
  assert.deepEqual(await answersOf(link, study), { born: "1990-02-28", moved: null, left: null });
  // It comes back as it was answered.
  const back = (await visitor.get(`${link.path}?page=${study.page.Dates}`)).text;
  for (const [part, value] of Object.entries({ day: "28", month: "2", year: "1990" }))
    assert.match(back, new RegExp(`name="${part}-${born}" value="${value}"`));
});

test("a ranking is chosen rank by rank, and no order is taken that nobody has chosen", async () => {
  const options = ["Apple", "Pear", "Plum"].map((text) => ({ text }));
  const question = { key: "fruit", _type: "ScreenerRankingQuestion", prompt: "Which fruit?", required: true, options };
  const { study, link } = await invited(client, {
    pages: [
      { title: "Fruit", questions: [{ ...question, rankAtLeast: 2 }] },
      { title: "End", questions: [] },
    ],
  });
  const { fruit } = study.question;
  const [apple, pear, plum] = ["Apple", "Pear", "Plum"].map((text) => study.option[`fruit/${text}`]!);
  const { text } = await visitor.open(link.path);
  assert.deepEqual(
    [...text.matchAll(/<bdi>(\w+) choice<\/bdi>/g)].map(([, rank]) => rank),
    ["1st", "2nd", "3rd"],
  );
  assert.doesNotMatch(text, /<option[^>]*selected/);
  /** What is said of the ranks, and where its link leads. */
  const said = async (...ranks: (string | undefined)[]) => {
    const fields = Object.fromEntries(ranks.map((id, index) => [`rank-${index + 1}`, id ?? ""]));
    const { status, text } = await visitor.send(link.path, study, "Fruit", { fruit: fields });
    assert.equal(status, 422, text);
    const [, to, why] = /<a href="#([^"]*)">.*?<bdi>([^<]*)<\/bdi><\/a>/s.exec(text)!;
    assert.ok(text.includes(`id="${to}"`));
    return [to!.replace(fruit!, "fruit"), why];
  };
  assert.deepEqual(await said("", "", ""), ["answer-fruit", "Rank at least 2"]);
  assert.deepEqual(await said(pear, "", ""), ["rank-2-fruit", "Rank at least 2"]);
  assert.deepEqual(await said("", pear, ""), ["answer-fruit", "Leave no rank out"]);
  assert.deepEqual(await said(pear, "", plum), ["rank-2-fruit", "Leave no rank out"]);
  assert.deepEqual(await said(pear, plum, pear), ["rank-3-fruit", "Choose each one only once"]);
  assert.deepEqual(await said(pear, "x", ""), ["answer-fruit", "Please check this answer"]);
  await visitor.send(link.path, study, "Fruit", { fruit: { "rank-1": plum!, "rank-2": apple!, "rank-3": "" } });
  assert.deepEqual(
    ((await answersOf(link, study)).fruit as { text: string }[]).map(({ text }) => text),
    ["Plum", "Apple"],
  );
  const back = (await visitor.get(`${link.path}?page=${study.page.Fruit}`)).text;
  assert.deepEqual(
    [...back.matchAll(/<option[^>]*selected[^>]*>(\w+)</g)].map(([, text]) => text),
    ["Plum", "Apple"],
  );
});

test("a matrix is answered row by row, and what is missing is said of its rows", async () => {
  const parts = (...texts: string[]) => texts.map((text) => ({ text }));
  const question = { _type: "ScreenerMatrixQuestion", rows: parts("Tea", "Milk"), columns: parts("Never", "Often") };
  const { study, link } = await invited(client, {
    pages: [
      {
        title: "Drinks",
        questions: [
          { key: "how", prompt: "How often?", required: true, requireEachRow: true, ...question },
          { key: "when", prompt: "When?", multiple: true, ...question },
          { key: "any", prompt: "Any?", ...question },
        ],
      },
      { title: "End", questions: [] },
    ],
  });
  const { how, when, any } = study.question;
  const { body } = await client.get(`/screener-publications/${study.publication}/content`);
  const ids: Record<string, string> = {};
  for (const { key, rows, columns } of body.pages[0].questions)
    for (const { id, text } of [...rows, ...columns]) ids[`${key} ${text}`] = id;
  const { text } = await visitor.open(link.path);
  assert.equal(text.match(/<legend><span[^>]*>(Tea|Milk)<\/span><\/legend>/g)?.length, 6);
  assert.equal(text.match(/type="radio"/g)?.length, 8);
  assert.equal(text.match(/type="checkbox"/g)?.length, 4);
  assert.doesNotMatch(text, / checked[ /]/);
  /** Sends radio buttons as `how Tea: Often`, and check boxes as `when Tea Often`. */
  const send = (...chosen: string[]) => {
    const entries: Record<string, Record<string, string>> = { how: {}, when: {}, any: {} };
    for (const one of chosen) {
      const [, key = "", row, colon, column] = /^(\w+) (\w+)(:?) (\w+)$/.exec(one)!;
      const [rowId, columnId] = [ids[`${key} ${row}`]!, ids[`${key} ${column}`]!];
      entries[key]![colon ? `row-${rowId}` : `row-${rowId}-${columnId}`] = columnId;
    }
    return visitor.send(link.path, study, "Drinks", entries);
  };
  const nothing = await send();
  isPage(nothing, 422, "Drinks");
  assert.match(nothing.text, new RegExp(`<a href="#answer-${how}">.*?<bdi>Choose one answer in each row</bdi></a>`));
  assert.equal(nothing.text.match(/aria-invalid="true"/g)?.length, 2);
  const half = await send("how Tea: Often", "when Milk Never");
  isPage(half, 422, "Drinks");
  const field = `row-${ids["how Milk"]}-${how}`;
  assert.match(half.text, new RegExp(`<a href="#${field}">.*?<bdi>Choose an answer in each row. Missing: 1</bdi></a>`));
  assert.match(half.text, new RegExp(`<input[^>]* id="${field}"`));
  // What was chosen is still there, and only the row that lacks something is marked.
  assert.equal(half.text.match(/ checked[ /]/g)?.length, 2);
  assert.equal(half.text.match(/aria-invalid="true"/g)?.length, 1);
  assert.equal(
    (await send("how Tea: Often", "how Milk: Never", "when Milk Never", "when Milk Often", "any Tea: Never")).status,
    303,
  );
  const answers = (await answersOf(link, study)) as Record<
    string,
    { rows: { text: string; choices: { text: string }[] }[] }
  >;
  const said = Object.entries(answers).map(([key, { rows }]) => [
    key,
    rows.map((row) => `${row.text} ${row.choices.map((one) => one.text)}`).join("; "),
  ]);
  assert.deepEqual(said, [
    ["how", "Tea Often; Milk Never"],
    ["when", "Milk Never,Often"],
    ["any", "Tea Never"],
  ]);
  const back = (await visitor.get(`${link.path}?page=${study.page.Drinks}`)).text;
  assert.equal(back.match(/ checked[ /]/g)?.length, 5);
  // An optional row can be cleared again.
  assert.equal(back.match(/<bdi>No answer<\/bdi>/g)?.length, 1);
  assert.match(back, new RegExp(`name="row-${ids["any Tea"]}-${any}" value[ /]`));
  assert.equal((await send("how Tea: Never", "how Milk: Never")).status, 303);
  assert.deepEqual((await answersOf(link, study)).when, null);
  assert.deepEqual((await answersOf(link, study)).any, null);
  const unknown = await visitor.send(link.path, study, "Drinks", { how: { [`row-${ids["how Tea"]}`]: when! } });
  assert.match(unknown.text, /Please check this answer/);
});

test("nobody’s consent is ticked for them, and those who go back see what they have given", async () => {
  const { study, link } = await invited(client, consentStudy());
  const first = (await visitor.open(link.path)).text;
  assert.match(first, /We keep your answers\./);
  assert.match(first, /If you do not agree, leave the box empty/);
  assert.match(first, /type="checkbox"/);
  assert.doesNotMatch(first, /<input[^>]*\bchecked\b/);
  const next = await visitor.go(link.path, study, "Consent", { agreed: ["given"], name: "Ada" });
  isPage(next, 200, "More");
  const back = (await visitor.get(`${link.path}?page=${study.page.Consent}`)).text;
  assert.match(back, /type="checkbox"[^>]*\bchecked\b/);
  // Who takes it back there goes on without.
  isPage(await visitor.go(link.path, study, "Consent", { agreed: [], name: "Ada" }), 200, "You have not agreed");
  assert.equal((await sessionOf(link)).outcomeReason, "NO_CONSENT");
});

test("who does not agree is asked nothing more, and reads an ending of its own", async () => {
  const { study, link } = await invited(client, consentStudy());
  // The name is required: it is not asked for any more.
  isPage(await visitor.go(link.path, study, "Consent", { agreed: [], name: "" }), 200, "You have not agreed");
  const again = await visitor.open(link.path);
  isPage(again, 200, "You have not agreed");
  assert.doesNotMatch(again.text, /answers have been sent/);
  assert.deepEqual(await answersOf(link, study), { agreed: null });
  assert.equal(await statusOf(link), "DISQUALIFIED");
  const { study: other, link: second } = await invited(client, consentStudy({ declinedText: "Then not. Goodbye." }));
  const end = await visitor.go(second.path, other, "Consent", { agreed: [], name: "Ada" });
  assert.match(end.text, /Then not\. Goodbye\./);
  assert.match((await visitor.open(second.path)).text, /Then not\. Goodbye\./);
  assert.deepEqual(await answersOf(second, other), { agreed: null });
});

test("going back keeps the valid answers of the page; it neither disqualifies nor skips a question", async () => {
  const { study, link } = await invited(client);
  await visitor.send(link.path, study, "About you", ABOUT);
  const back = (form: string) => visitor.post(link.path, `${form}&back=`);
  const untouched = await back(formOf(study, "Your days", { drink: [], town: "", day: "" }));
  assert.deepEqual(
    [untouched.status, untouched.headers.location],
    [303, `${link.path}?page=${study.page["About you"]}`],
  );
  const before = await answersOf(link, study);
  await back(formOf(study, "Your days", { drink: [], town: "Ghent", day: "Hm" }));
  assert.deepEqual(await answersOf(link, study), { ...before, town: "Ghent" });
  const shown = (await visitor.get(`${link.path}?page=${study.page["Your days"]}`)).text;
  assert.match(shown, /value="Ghent"/);
  assert.doesNotMatch(shown, /more questions? on this page/);
  // What is erased is erased.
  await back(formOf(study, "Your days", { drink: [], town: "", day: "" }));
  assert.deepEqual(await answersOf(link, study), { ...before, town: null });
  // There is no page before the first one: the way back from there is no way out of its errors.
  const first = await back(formOf(study, "About you", { age: "17", smokes: [] }));
  assert.equal(first.status, 422);

  const one = { id: "one", key: "one", _type: "ScreenerTextQuestion", prompt: "One" };
  const two = { id: "two", key: "two", _type: "ScreenerTextQuestion", prompt: "Two" };
  const { study: other, link: judged } = await invited(client, {
    pages: [
      { title: "One", questions: [one] },
      { title: "Two", questions: [two], disqualifyWhen: { questionId: "two", equals: "no" } },
    ],
  });
  await visitor.send(judged.path, other, "One", { one: "1" });
  const returned = await visitor.post(judged.path, `${formOf(other, "Two", { two: "no" })}&back=`);
  isPage(await visitor.get(String(returned.headers.location)), 200, "One");
  assert.equal(await statusOf(judged), "IN_PROGRESS");
  isPage(await visitor.go(judged.path, other, "Two", { two: "no" }), 200, "Thank you");
  assert.equal(await statusOf(judged), "DISQUALIFIED");
});

test("going back drops a wrong answer, and keeps what depends on the answer before it", async () => {
  const text = (key: string, more: object = {}) => ({
    id: key,
    key,
    _type: "ScreenerTextQuestion",
    prompt: key,
    ...more,
  });
  const number = (key: string) => ({ id: key, key, _type: "ScreenerNumericQuestion", prompt: key, max: 100 });
  const { study: other, link } = await invited(client, {
    pages: [
      { title: "First", questions: [text("town")] },
      {
        title: "Second",
        questions: [
          number("age"),
          text("job", { showWhen: { questionId: "age", atLeast: 18 } }),
          text("hobby", { showWhen: { questionId: "job", answered: false } }),
        ],
      },
    ],
  });
  await visitor.send(link.path, other, "First", { town: "Ghent" });
  const back = (entries: Entries) => visitor.post(link.path, `${formOf(other, "Second", entries)}&back=`);
  const second = async () => (await visitor.get(`${link.path}?page=${other.page.Second}`)).text;
  // A question that was there from the beginning is no further one, and one that an answer has brought up is.
  assert.match(await second(), />hobby</);
  await back({ age: "20", hobby: "" });
  assert.match(await second(), /One more question on this page/);
  await back({ age: "20", job: "old", hobby: "" });
  assert.doesNotMatch(await second(), /on this page/);
  await back({ age: "900", job: "new" });
  assert.deepEqual(await answersOf(link, other), { town: "Ghent", age: 20, job: "new" });
});

test("a form that is sent twice, or five times at once, changes nothing twice", async () => {
  const { study, link } = await invited(client);
  const first = await Promise.all(Array.from({ length: 5 }, () => visitor.send(link.path, study, "About you", ABOUT)));
  const next = `${link.path}?page=${study.page["Your days"]}`;
  assert.deepEqual(
    new Set(first.map(({ status, headers }) => `${status} ${headers.location}`)),
    new Set([`303 ${next}`]),
  );
  const last = await Promise.all(Array.from({ length: 5 }, () => visitor.send(link.path, study, "Your days", DAYS)));
  assert.deepEqual(
    new Set(last.map(({ status, headers }) => `${status} ${headers.location}`)),
    new Set([`303 ${link.path}?done`]),
  );
  const done = await sessionOf(link);
  const answers = await answersOf(link, study);
  // Later still, with other answers: it is over.
  const again = await visitor.go(link.path, study, "Your days", { ...DAYS, day: "Something else." });
  isPage(again, 200, "Thank you");
  assert.deepEqual(await sessionOf(link), done);
  assert.deepEqual(await answersOf(link, study), answers);
});

test("the last page ends nothing while something is missing elsewhere", async () => {
  const { study, link } = await invited(client);
  const { status, headers } = await visitor.send(link.path, study, "Your days", DAYS);
  assert.deepEqual([status, headers.location], [303, `${link.path}?page=${study.page["About you"]}`]);
  assert.equal((await sessionOf(link)).state, "IN_PROGRESS");
  isPage(await visitor.go(link.path, study, "About you", ABOUT), 200, "Your days");
  isPage(await visitor.go(link.path, study, "Your days", DAYS), 200, "Thank you");
});

test("a participant who is screened out reads the same thanks as everyone else", async () => {
  const { study, link } = await invited(client);
  const out = await visitor.go(link.path, study, "About you", { ...ABOUT, age: "17" });
  isPage(out, 200, "Thank you");
  assert.equal(await statusOf(link), "DISQUALIFIED");
  const { study: same, link: other } = await invited(client);
  await visitor.send(other.path, same, "About you", ABOUT);
  const qualified = await visitor.go(other.path, same, "Your days", DAYS);
  assert.equal(out.text.replaceAll(link.path, ""), qualified.text.replaceAll(other.path, ""));
});

test("an author's own words for the end are shown, by outcome where there are some", async () => {
  const content = {
    ...everyKind,
    thankYou: "Thanks a lot.\nGoodbye <b>!",
    thankYouByOutcome: { DISQUALIFIED: "Not this time." },
  };
  const other = await publish(client, content);
  const [one, two] = (await invite(client, other.screener, 2)) as [Invitation, Invitation];
  const out = await visitor.go(one.path, other, "About you", { ...ABOUT, age: "17" });
  assert.match(out.text, /Not this time\./);
  await visitor.send(two.path, other, "About you", ABOUT);
  const end = await visitor.go(two.path, other, "Your days", DAYS);
  assert.match(end.text, /Thanks a lot\.\nGoodbye &lt;b>!/);
});

test("only an author's own text for who qualifies has a tick, where rules decide; and an address in a text is a link", async () => {
  const content = {
    ...everyKind,
    markup: "PLAIN",
    thankYouByOutcome: {
      QUALIFIED:
        "See https://a.example/x?b=1&c=2. Or <https://b.example/>! https://c.example\\@b.example https://d.example/\u202Ex",
    },
  };
  const other = await publish(client, content);
  const [one, two] = (await invite(client, other.screener, 2)) as [Invitation, Invitation];
  const out = await visitor.go(one.path, other, "About you", { ...ABOUT, age: "17" });
  assert.match(out.text, /class="mark mark-outline"/);
  await visitor.send(two.path, other, "About you", ABOUT);
  const end = await visitor.go(two.path, other, "Your days", DAYS);
  assert.match(end.text, /class="mark mark-tick"/);
  assert.deepEqual(
    [...end.text.matchAll(/<a class="away" href="([^"]*)" rel="noreferrer noopener">([^<]*)</g)].map(
      ([, ...link]) => link,
    ),
    [
      ["https://a.example/x?b=1&amp;c=2", "https://a.example/x?b=1&amp;c=2"],
      ["https://b.example/", "https://b.example/"],
      ["https://c.example/@b.example", "https://c.example/@b.example"],
      ["https://d.example/", "https://d.example/"],
    ],
  );
  for (const { path } of [one, two]) assert.match((await visitor.open(path)).text, /class="mark mark-outline"/);
  const { study: without, link } = await invited(client, { pages: [everyKind.pages[2]] });
  assert.match((await visitor.go(link.path, without, "Your days", DAYS)).text, /class="mark mark-tick"/);
});

test("people are led on from the end, by their outcome and with the session's reference or id, once", async () => {
  const content = {
    ...everyKind,
    redirectByOutcome: {
      QUALIFIED: "https://panel.example.org/ok/{reference}?id={sessionId}#{reference}",
      UNKNOWN: null,
    },
  };
  const other = await publish(client, content);
  const [one, two] = (await invite(client, other.screener, 2)) as [Invitation, Invitation];
  const out = await visitor.go(one.path, other, "About you", { ...ABOUT, age: "17" });
  assert.equal(out.headers.refresh, undefined);
  await visitor.send(two.path, other, "About you", ABOUT);
  const end = await visitor.go(two.path, other, "Your days", DAYS);
  const { reference } = (await client.get(`/screener-sessions/${two.session}`)).body;
  const address = `https://panel.example.org/ok/${reference}?id=${two.session}#${reference}`;
  assert.equal(end.headers.refresh, `0;url=${address}`);
  assert.ok(end.text.includes(`href="${address}"`));
  const again = await visitor.open(two.path);
  isPage(again, 200, "You have already answered");
  assert.equal(again.headers.refresh, undefined);
});

test("a session that has ended or was removed says so, and takes no answer", async () => {
  const { study, link: removed } = await invited(client);
  await visitor.send(removed.path, study, "About you", ABOUT);
  await client.delete(`/screener-sessions/${removed.session}`);
  const { study: inClosed, link: closed } = await invited(client);
  await visitor.send(closed.path, inClosed, "About you", ABOUT);
  await client.delete(`/screener-participants/${closed.assignment}`);
  const full = await publish(client, everyKind, { targetQualifiedParticipants: 1 });
  const [first, started, late] = (await invite(client, full.screener, 3)) as [Invitation, Invitation, Invitation];
  await visitor.send(started.path, full, "About you", ABOUT);
  await visitor.send(first.path, full, "About you", ABOUT);
  await visitor.send(first.path, full, "Your days", DAYS);
  assert.equal(await statusOf(first), "QUALIFIED");

  const cases: [Invitation, Published, number, string][] = [
    [removed, study, 410, "This link is no longer available"],
    [closed, inClosed, 410, "This study is closed"],
    [late, full, 409, "This study is full"],
  ];
  for (const [link, of, status, heading] of cases) {
    const before = [await sessionOf(link), await answersOf(link, of)];
    isPage(await visitor.open(link.path), status, heading);
    isPage(await visitor.get(`${link.path}?done`), status, heading);
    isPage(await visitor.send(link.path, of, "Your days", DAYS), status, heading);
    isPage(await visitor.send(link.path, of, "About you", ABOUT), status, heading);
    assert.deepEqual([await sessionOf(link), await answersOf(link, of)], before, heading);
  }
  // Who had begun may finish; the place is taken, which is nobody's to know.
  const end = await visitor.go(started.path, full, "Your days", DAYS);
  isPage(end, 200, "Thank you");
  assert.equal((await sessionOf(started)).outcomeReason, "OVER_QUOTA");
});

test("a publication goes on serving its own questions after newer ones", async () => {
  const { study, link } = await invited(client);
  await visitor.send(link.path, study, "About you", ABOUT);
  for (const title of ["Newer", "Newest"]) {
    const pages = [{ title, questions: [{ _type: "ScreenerTextQuestion", prompt: "?", required: true }] }];
    await client.call("PUT", `/screeners/${study.screener}/content`, { body: { pages } });
    assert.equal((await client.post("/screener-publications", { screenerId: study.screener })).status, 201);
  }
  isPage(await visitor.open(link.path), 200, "Your days");
  isPage(await visitor.go(link.path, study, "Your days", DAYS), 200, "Thank you");
  assert.equal(await statusOf(link), "QUALIFIED");
});

test("while the store is busy, what was typed stays on the page and can be sent again", async () => {
  const { study, link } = await invited(client);
  const release = holdWrites(service, client, { isSeenBusy: true });
  try {
    const busy = await visitor.send(link.path, study, "About you", { age: "44", smokes: ["No"] });
    isPage(busy, 503, "About you");
    assert.ok(Number(busy.headers["retry-after"]) > 0);
    assert.match(busy.text, /not saved yet/);
    assert.match(busy.text, /value="44"/);
    assert.match(busy.text, new RegExp(`value="${study.option["smokes/No"]}" checked`));
    isPage(await visitor.open(link.path), 200, "About you");
  } finally {
    release();
  }
  isPage(await visitor.go(link.path, study, "About you", ABOUT), 200, "Your days");
});

test("a screener without questions can be finished all the same", async () => {
  const { study: empty, link } = await invited(client, { pages: [] });
  const start = await visitor.open(link.path);
  isPage(start, 200, "Sleep and smoke");
  assert.match(start.text, />Finish</);
  isPage(await visitor.go(link.path, empty, "", {}), 200, "Thank you");
  assert.equal(await statusOf(link), "UNKNOWN");
});

test("pages without questions are read in their order, and none is shown that has nothing to show", async () => {
  const question = (key: string, more: object = {}) => ({
    key,
    _type: "ScreenerTextQuestion",
    prompt: key,
    required: true,
    ...more,
  });
  const content = {
    pages: [
      { title: "Welcome", questions: [] },
      { title: "One", questions: [question("one", { id: "one" })] },
      { title: "Hidden", questions: [question("hidden", { showWhen: { questionId: "one", equals: "never" } })] },
      { questions: [] },
      { title: "Halfway", questions: [] },
      { title: "Two", questions: [question("two")] },
      { title: "Read this", questions: [] },
    ],
  };
  const { study: other, link } = await invited(client, content);
  isPage(await visitor.open(link.path), 200, "Welcome");
  isPage(await visitor.go(link.path, other, "Welcome", {}), 200, "One");
  isPage(await visitor.go(link.path, other, "One", { one: "1" }), 200, "Halfway");
  isPage(await visitor.open(link.path), 200, "Halfway");
  isPage(await visitor.go(link.path, other, "Halfway", {}), 200, "Two");
  isPage(await visitor.go(link.path, other, "Two", { two: "2" }), 200, "Read this");
  isPage(await visitor.go(link.path, other, "Read this", {}), 200, "Thank you");
});

test("a page that only says goodbye ends the session where it disqualifies", async () => {
  const bye = { questionId: "one", equals: "no" };
  const one = { id: "one", key: "one", _type: "ScreenerTextQuestion", prompt: "One" };
  const content = {
    pages: [
      { title: "One", questions: [one] },
      { title: "This is not for you", showWhen: bye, disqualifyWhen: bye, questions: [] },
      { title: "Two", questions: [{ _type: "ScreenerTextQuestion", key: "two", prompt: "Two" }] },
    ],
  };
  const { study: other, link } = await invited(client, content);
  isPage(await visitor.go(link.path, other, "One", { one: "no" }), 200, "This is not for you");
  assert.equal(await statusOf(link), "IN_PROGRESS");
  isPage(await visitor.go(link.path, other, "This is not for you", {}), 200, "Thank you");
  assert.equal(await statusOf(link), "DISQUALIFIED");
});

/** A page with a consent and another question, and a second page. */
function consentStudy(more: object = {}) {
  const agreed = { key: "agreed", _type: "ScreenerConsentQuestion", prompt: "I agree", text: "We keep your answers." };
  const name = { key: "name", _type: "ScreenerTextQuestion", prompt: "Name", required: true };
  return {
    pages: [
      { title: "Consent", questions: [{ ...agreed, ...more }, name] },
      { title: "More", questions: [{ key: "more", _type: "ScreenerTextQuestion", prompt: "More?" }] },
    ],
  };
}
