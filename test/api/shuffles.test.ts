// Orders by chance: what each person is shown in an order of its own, and what is the same for all.

import assert from "node:assert/strict";
import { test } from "node:test";
import { startService } from "../support/service.ts";
import { type Invitation, invite, type Published, publish, readAnswers } from "../support/study.ts";
import { headingOf, Visitor } from "../support/visitor.ts";

const service = await startService();
const client = service.workspace();
const visitor = new Visitor(service.url);

const options = (...texts: string[]) => texts.map((text) => ({ text }));

const number = (key: string, more: object = {}) => ({
  ...{ id: key, key, _type: "ScreenerNumericQuestion", prompt: `Number ${key}?` },
  ...more,
});

const page = (title: string, more: object = {}) => ({ title, questions: [number(title)], ...more });

/** What a page shows of these texts, in its order. */
const inOrder = (html: string, texts: readonly string[]) =>
  texts.toSorted((one, other) => html.indexOf(`>${one}<`) - html.indexOf(`>${other}<`));

const PEOPLE = 30;

/** What each of some people sees first. */
const firstPages = (links: readonly Invitation[]) =>
  Promise.all(links.map(async ({ path }) => (await visitor.open(path)).text));

test("the options of a question come in an order of each person's own, the same on each visit", async () => {
  const drinks = ["Tea", "Coffee", "Milk", "Juice", "None of these"];
  const study = await publish(client, {
    pages: [
      {
        title: "Drinks",
        questions: [
          {
            ...{ key: "drinks", _type: "ScreenerMultiSelectQuestion", prompt: "What do you drink?" },
            ...{ shuffle: true, allowsWriteIn: true },
            options: [
              { text: "Tea" },
              { text: "None of these", exclusive: true },
              { text: "Coffee", fixed: true },
              ...options("Milk", "Juice"),
            ],
          },
        ],
      },
    ],
  });
  const links = await invite(client, study.screener, PEOPLE);
  const first = await firstPages(links);
  assert.deepEqual(
    first.map((html) => inOrder(html, drinks)),
    (await firstPages(links)).map((html) => inOrder(html, drinks)),
  );
  const orders = first.map((html) => inOrder(html, [...drinks, "Something else"]));
  for (const order of orders) {
    assert.equal(order[2], "Coffee");
    assert.deepEqual(order.slice(4), ["None of these", "Something else"]);
  }
  assert.ok(new Set(orders.map((order) => order.join())).size > 2);

  const [link] = links;
  await visitor.send(link!.path, study, "Drinks", { drinks: ["Juice", "Tea"] });
  const { drinks: kept } = await readAnswers(client, link!.session, study);
  // As in the content, whatever was shown first.
  assert.deepEqual(
    (kept as { text: string }[]).map(({ text }) => text),
    ["Tea", "Juice"],
  );
});

test("a ranking lists its options in a shuffled order, and a question without `shuffle` does not", async () => {
  const tools = ["Saw", "Hammer", "Drill", "Plane"];
  const ranking = {
    key: "tools",
    _type: "ScreenerRankingQuestion",
    prompt: "Which first?",
    options: options(...tools),
  };
  for (const shuffle of [true, false]) {
    const study = await publish(client, { pages: [{ title: "Tools", questions: [{ ...ranking, shuffle }] }] });
    const shown = await firstPages(await invite(client, study.screener, PEOPLE));
    const orders = new Set(shown.map((html) => inOrder(html, tools).join()));
    assert.equal(orders.size > 1, shuffle);
  }
});

test("the questions of a page are shuffled around those that keep their position", async () => {
  const study = await publish(client, {
    pages: [
      {
        title: "Numbers",
        shuffle: true,
        questions: [number("a"), number("b", { fixed: true }), number("c"), number("d")],
      },
    ],
  });
  const prompts = ["a", "b", "c", "d"].map((key) => `Number ${key}?`);
  const shown = await firstPages(await invite(client, study.screener, PEOPLE));
  const orders = shown.map((html) => inOrder(html, prompts));
  for (const order of orders) assert.equal(order[1], "Number b?");
  assert.ok(new Set(orders.map((order) => order.join())).size > 2);
});

test("the orders of a session are said as they are shown, before the first answer, too", async () => {
  const study = await publish(client, {
    pages: [
      page("red", { shuffleBlock: "Concepts" }),
      {
        ...{ title: "Many", shuffle: true, shuffleBlock: "Concepts" },
        questions: [
          number("x"),
          {
            ...{ key: "tea", _type: "ScreenerSingleSelectQuestion", prompt: "Which tea?", shuffle: true },
            options: options("Green", "Black", "White"),
          },
        ],
      },
    ],
  });
  const names = new Map([
    ...Object.entries(study.page).map(([title, id]) => [id, title] as const),
    ...Object.entries(study.question).map(([key, id]) => [id, key] as const),
    ...Object.entries(study.option).map(([key, id]) => [id, key.split("/")[1]!] as const),
  ]);
  for (const { session, path } of await invite(client, study.screener, 5)) {
    const { body } = await client.get(`/screener-sessions/${session}/orders`);
    assert.equal(body.screenerPublicationId, study.publication);
    const [pages, questions, teas] = body.orders;
    assert.deepEqual([pages.of, pages.block], ["PAGES", "Concepts"]);
    assert.deepEqual([questions.of, questions.screenerPageId], ["QUESTIONS", study.page.Many]);
    assert.deepEqual([teas.of, teas.screenerQuestionId], ["OPTIONS", study.question.tea]);
    const shown = (ids: string[]) => ids.map((id) => names.get(id));
    const [first] = shown(pages.ids);
    let html = await visitor.open(path);
    assert.equal(headingOf(html), first);
    if (first === "red") html = await visitor.go(path, study, "red", { red: "1" });
    const prompts: Record<string, string> = { x: "Number x?", tea: "Which tea?" };
    assert.deepEqual(
      inOrder(html.text, Object.values(prompts)),
      shown(questions.ids).map((key) => prompts[key!]),
    );
    assert.deepEqual(inOrder(html.text, ["Green", "Black", "White"]), shown(teas.ids));
  }
});

/** Goes through all pages. @returns their headings */
async function walk(study: Published, { path }: Invitation): Promise<string[]> {
  const headings: string[] = [];
  let shown = await visitor.open(path);
  while (study.page[headingOf(shown)] !== undefined) {
    const heading = headingOf(shown);
    headings.push(heading);
    shown = await visitor.go(path, study, heading, { [heading]: "1" });
  }
  return headings;
}

test("the pages of a block are gone through in an order of each person's own, forth and back", async () => {
  const block = { shuffleBlock: "Concepts" };
  const titles = ["start", "red", "middle", "blue", "green", "end"];
  const study = await publish(client, {
    pages: [
      page("start"),
      page("red", block),
      page("middle", { ...block, fixed: true }),
      page("blue", block),
      page("green", block),
      page("end"),
    ],
  });
  const links = await invite(client, study.screener, 12);
  const walks: string[][] = [];
  for (const link of links) {
    const walked = await walk(study, link);
    assert.deepEqual(walked.toSorted(), titles.toSorted());
    assert.deepEqual([walked[0], walked[2], walked[5]], ["start", "middle", "end"]);
    walks.push(walked);
  }
  assert.ok(new Set(walks.map((one) => one.join())).size > 1);

  const [link] = await invite(client, study.screener, 1);
  const { path } = link!;
  await visitor.go(path, study, "start", { start: "1" });
  const second = headingOf(await visitor.open(path));
  await visitor.go(path, study, second, { [second]: "2" });
  const sent = await visitor.post(path, new URLSearchParams({ page: study.page.middle!, back: "" }).toString());
  const back = await visitor.open(String(sent.headers.location));
  assert.equal(headingOf(back), second);
  assert.match(back.text, /Page 2 of 6/);
});

test("somebody who would be screened out by two pages is screened out by the one that is shown first", async () => {
  const block = { shuffleBlock: "Both" };
  const study = await publish(client, {
    pages: [
      page("red", { ...block, disqualifyWhen: { questionId: "red", atLeast: 1 } }),
      page("blue", { ...block, disqualifyWhen: { questionId: "blue", atLeast: 1 } }),
    ],
  });
  const decided = new Set<string>();
  for (const link of await invite(client, study.screener, PEOPLE)) {
    const first = headingOf(await visitor.open(link.path));
    const other = first === "red" ? "blue" : "red";
    const answers = [first, other].map((key) => ({ screenerQuestionId: study.question[key]!, answer: 1 }));
    const sent = await client.post(`/screener-sessions/${link.session}/responses`, { responses: answers });
    assert.equal(sent.body.state, "COMPLETED");
    const { body } = await client.get(`/screener-sessions/${link.session}/explanation`);
    // In the content's order; the one that decides is the first one that was shown.
    assert.deepEqual(
      body.rules.map((rule: { pageTitle: string }) => rule.pageTitle),
      ["red", "blue"],
    );
    assert.deepEqual(
      body.rules.map((rule: { decides: boolean }) => rule.decides),
      [first === "red", first === "blue"],
    );
    assert.match(body.sentence, new RegExp(`Screened out by the page “${first}”`));
    assert.deepEqual(
      body.answers.map((one: { prompt: string }) => one.prompt),
      ["Number red?", "Number blue?"],
    );
    decided.add(first);
  }
  assert.equal(decided.size, 2);
});

const refused = async (content: object) => {
  const screener = await client.screener("Orders");
  const put = await client.call("PUT", `/screeners/${screener}/content`, { body: content });
  assert.equal(put.status, 400, put.text);
  return put.body.errors as { pointer: string; message: string }[];
};

test("an order that may put a condition before its question is refused, and both are named", async () => {
  const asksA = { questionId: "a", atLeast: 1 };
  assert.deepEqual(
    await refused({ pages: [{ shuffle: true, questions: [number("a"), number("b", { showWhen: asksA })] }] }),
    [
      {
        pointer: "/pages/0/questions/1/showWhen",
        message: "refers to “Number a?”, which the order by chance of this page may put after “Number b?”",
      },
    ],
  );
  const block = { shuffleBlock: "Two" };
  const behindBlock = "which the order by chance of the block “Two” may put after";
  assert.deepEqual(
    await refused({
      pages: [
        page("a", block),
        page("b", { ...block, showWhen: asksA, disqualifyWhen: { not: asksA } }),
        { ...block, questions: [number("c", { showWhen: { questionId: "b", answered: true } })] },
      ],
    }),
    [
      { pointer: "/pages/1/showWhen", message: `refers to “Number a?”, ${behindBlock} the page “b”` },
      { pointer: "/pages/1/disqualifyWhen", message: `refers to “Number a?”, ${behindBlock} the page “b”` },
      { pointer: "/pages/2/questions/0/showWhen", message: `refers to “Number b?”, ${behindBlock} “Number c?”` },
    ],
  );
  const arms = [
    { id: "low", name: "Low", when: { questionId: "a", atLeast: 1 } },
    { id: "high", name: "High", when: { not: asksA } },
  ];
  assert.deepEqual(
    await refused({
      pages: [page("a", block), page("b", { ...block, showWhen: { arm: "price", is: "low" } })],
      assignments: [{ id: "price", name: "Price", arms }],
    }),
    [{ pointer: "/pages/1/showWhen", message: `refers to “Number a?”, ${behindBlock} the page “b”` }],
  );
});

test("an order that can't put a condition before its question is taken", async () => {
  const asksA = { questionId: "a", atLeast: 1 };
  const block = { shuffleBlock: "Two" };
  await publish(client, {
    pages: [
      { shuffle: true, questions: [number("a"), number("x"), number("b", { fixed: true, showWhen: asksA })] },
      page("c", { ...block, showWhen: asksA, disqualifyWhen: { questionId: "c", atLeast: 1 } }),
      page("d", block),
      page("e", { ...block, fixed: true, showWhen: { questionId: "c", answered: true } }),
    ],
    qualifyWhen: { questionId: "d", answered: true },
    quotas: [{ name: "C", when: { questionId: "c", atLeast: 1 }, limit: 3 }],
  });
});

test("the pages of a block must stand next to each other", async () => {
  const block = { shuffleBlock: "Two" };
  assert.deepEqual(await refused({ pages: [page("a", block), page("b"), page("c", block)] }), [
    {
      pointer: "/pages/2/shuffleBlock",
      message: "must stand next to the other pages of the block “Two”: another page is between them",
    },
  ]);
});

test("a draft keeps what it says of orders, and members that say nothing are not there", async () => {
  const screener = await client.screener("Kept");
  const path = `/screeners/${screener}/content`;
  const select = {
    ...{ _type: "ScreenerSingleSelectQuestion", prompt: "Which?", fixed: true, shuffle: true },
    options: [
      { text: "A", fixed: true },
      { text: "B", fixed: false },
    ],
  };
  const body = {
    pages: [{ shuffle: true, shuffleBlock: " One ", fixed: null, questions: [select] }, { questions: [] }],
  };
  const { body: draft } = await client.call("PUT", path, { body });
  const [shuffled, plain] = draft.pages;
  assert.deepEqual([shuffled.shuffle, shuffled.shuffleBlock, "fixed" in shuffled], [true, "One", false]);
  const [question] = shuffled.questions;
  assert.deepEqual([question.fixed, question.shuffle, question.options[0].fixed], [true, true, true]);
  assert.ok(!("fixed" in question.options[1]) && !("shuffle" in plain) && !("shuffleBlock" in plain));
  assert.deepEqual((await client.call("PUT", path, { body: draft })).body, draft);
});
