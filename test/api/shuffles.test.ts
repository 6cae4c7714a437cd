// Orders by chance: what each person is shown in an order of its own, and what is the same for all.

import assert from "node:assert/strict";
import { test } from "node:test";
import { signedIn } from "../support/console.ts";
import { readCsv } from "../support/csv.ts";
import { sharedService } from "../support/service.ts";
import { type Invitation, invite, type Published, publish, readAnswers } from "../support/study.ts";
import { headingOf, Visitor } from "../support/visitor.ts";

const service = await sharedService();
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
    assert.deepEqual((await client.get(`/screener-sessions/${session}`)).body.orders, body.orders);
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
        pointer: "/pages/0/questions/1/showWhen/questionId",
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
      { pointer: "/pages/1/showWhen/questionId", message: `refers to “Number a?”, ${behindBlock} the page “b”` },
      {
        pointer: "/pages/1/disqualifyWhen/not/questionId",
        message: `refers to “Number a?”, ${behindBlock} the page “b”`,
      },
      {
        pointer: "/pages/2/questions/0/showWhen/questionId",
        message: `refers to “Number b?”, ${behindBlock} “Number c?”`,
      },
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
    [{ pointer: "/pages/1/showWhen/arm", message: `refers to “Number a?”, ${behindBlock} the page “b”` }],
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

test("a block that is split is refused for that, also where a text refers to a page of its other part", async () => {
  const block = { shuffleBlock: "Two" };
  const question = number("c", { helpText: "Before: {{answer:a|nothing}}" });
  const content = { pages: [page("a", block), page("b"), { ...block, title: "c", questions: [question] }] };
  assert.deepEqual(
    (await refused({ ...content, markup: "MARKDOWN" })).map(({ pointer }) => pointer),
    ["/pages/2/shuffleBlock"],
  );
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

test("the export has the orders that were shown, and the codebook says what their positions mean", async () => {
  const content = {
    pages: [
      page("red", { shuffleBlock: "Concepts" }),
      { ...page("blue", { shuffleBlock: "Concepts" }), shuffle: true },
      {
        title: "Tea",
        questions: [
          {
            ...{ key: "tea", _type: "ScreenerMultiSelectQuestion", prompt: "Which tea?", shuffle: true },
            options: options("Green", "Black", "White"),
          },
        ],
      },
    ],
  };
  content.pages[1]!.questions = [number("blue"), number("navy")];
  const study = await publish(client, content);
  const [all, some] = await invite(client, study.screener, 2);
  const answer = (link: Invitation, given: Record<string, unknown>) =>
    client.post(`/screener-sessions/${link.session}/responses`, {
      responses: Object.entries(given).map(([key, value]) => ({
        screenerQuestionId: study.question[key]!,
        answer: value,
      })),
    });
  await answer(all!, { red: 1, blue: 2, navy: null, tea: [{ text: "White" }] });
  await answer(some!, { red: 1 });
  const rows = readCsv((await client.get(`/screeners/${study.screener}/export?choices=COLUMNS`)).text);
  const headings = ["orders.Concepts", "orders.blue", "orders.tea"];
  assert.deepEqual(
    Object.keys(rows[0]!).filter((heading) => heading.startsWith("orders.")),
    headings,
  );
  const { body } = await client.get(`/screener-sessions/${all!.session}/orders`);
  const { body: drafted } = await client.get(`/screener-publications/${study.publication}/content`);
  const lists = [drafted.pages.slice(0, 2), drafted.pages[1].questions, drafted.pages[2].questions[0].options] as {
    id: string;
  }[][];
  const positions = lists.map((list, index) =>
    body.orders[index].ids.map((id: string) => 1 + list.findIndex((item) => item.id === id)).join("; "),
  );
  assert.deepEqual(
    headings.map((heading) => rows[0]![heading]),
    positions,
  );
  assert.deepEqual([rows[1]!["orders.blue"], rows[1]!["orders.tea"]], ["", ""]);
  assert.match(rows[1]!["orders.Concepts"]!, /^(1; 2|2; 1)$/);
  const codebook = readCsv((await client.get(`/screeners/${study.screener}/codebook`)).text);
  assert.deepEqual(
    codebook.filter(({ column }) => column!.startsWith("orders.")).map(({ column, option }) => [column, option]),
    [
      ...[1, 2].map((at) => ["orders.Concepts", `${at}: ${["red", "blue"][at - 1]}`]),
      ...[1, 2].map((at) => ["orders.blue", `${at}: Number ${["blue", "navy"][at - 1]}?`]),
      ...["1: Green", "2: Black", "3: White"].map((option) => ["orders.tea", option]),
    ],
  );
});

const ordersOf = async (session: string) => (await client.get(`/screener-sessions/${session}/orders`)).body.orders;

test("the copy of a session that an offer makes has the orders of the session", async () => {
  const study = await publish(client, {
    pages: [
      {
        ...{ title: "Many", shuffle: true },
        questions: Array.from({ length: 20 }, (_, index) => number(`n${index}`)),
      },
    ],
    quotas: [
      {
        ...{ name: "Some", when: { questionId: "n0", atLeast: 1 }, limit: 0 },
        ending: { redirect: "https://panel.example.org/full?s={sessionId}" },
      },
    ],
  });
  const [link] = await invite(client, study.screener, 1);
  const responses = [{ screenerQuestionId: study.question.n0!, answer: 1 }];
  const sent = await client.post(`/screener-sessions/${link!.session}/responses`, { responses });
  assert.equal(sent.body.outcomeReason, "OVER_QUOTA", sent.text);
  const { body } = await client.get(`/screeners/${study.screener}/quotas`);
  await client.patch(`/screener-quotas/${body.items[0].id}`, { limit: 5 });
  const offered = await client.post(`/screener-quotas/${body.items[0].id}/offer`, {});
  assert.equal(offered.body.status, "SUCCEEDED", offered.text);
  const { body: assignment } = await client.get(`/screener-participants/${link!.assignment}`);
  assert.notEqual(assignment.currentSessionId, link!.session);
  assert.deepEqual(await ordersOf(assignment.currentSessionId), await ordersOf(link!.session));
});

test("a test drive shows an order, keeps it from page to page, and draws another one", async () => {
  const options = Array.from({ length: 12 }, (_, index) => ({ text: `Tea ${index}` }));
  const select = { _type: "ScreenerSingleSelectQuestion", required: true, shuffle: true, options };
  const study = await publish(client, {
    pages: ["One", "Two"].map((title) => ({ title, questions: [{ ...select, key: title, prompt: `${title}?` }] })),
  });
  const browser = await signedIn(service, client.workspaceId, "researcher", "orders@shuffles.example.org");
  const path = `/console/studies/${study.screener}/try`;
  const said = (html: string) =>
    ["One", "Two"].map((title) => new RegExp(`options of “${title}\\?”</bdi>: <bdi>([^<]*)`).exec(html)?.[1]);
  const hidden = (html: string, name: string) => new RegExp(`name="${name}" value="([^"]*)"`).exec(html)?.[1] ?? "";
  const plain = (html: string) =>
    html.replaceAll("&quot;", '"').replaceAll("&amp;", "&").replaceAll("&lt;", "<").replaceAll("&gt;", ">");
  const first = plain((await browser.get(path)).text);
  const [one, two] = said(first);
  assert.equal(
    inOrder(
      first.slice(first.indexOf("<iframe")),
      options.map(({ text }) => text),
    ).join("; "),
    one,
  );
  const [question] = [study.question.One!];
  const second = plain(
    (
      await browser.post(path, {
        ...{ answers: "[]", attributes: "{}", order: hidden(first, "order"), page: study.page.One!, question },
        [`answer-${question}`]: study.option["One/Tea 3"]!,
      })
    ).text,
  );
  assert.deepEqual(said(second), [one, two]);
  const shown = second.slice(second.indexOf("<iframe"));
  assert.equal(
    inOrder(
      shown,
      options.map(({ text }) => text),
    ).join("; "),
    two,
  );
  const again = await browser.post(path, { begin: "yes", order: hidden(first, "order") });
  assert.deepEqual(said(plain(again.text)), [one, two]);
  const drawn = await browser.post(path, { begin: "yes", order: hidden(first, "order"), draw: "yes" });
  assert.notDeepEqual(said(plain(drawn.text)), [one, two]);
});

test("the rows of a matrix are shuffled, and texts between questions are shuffled with them unless they are fixed", async () => {
  const rows = ["Red", "Green", "Blue", "Black"];
  const study = await publish(client, {
    pages: [
      {
        ...{ title: "Many", shuffle: true },
        questions: [
          { _type: "ScreenerStatement", text: "At first", fixed: true },
          {
            ...{ key: "colours", _type: "ScreenerMatrixQuestion", prompt: "How nice?", shuffle: true },
            rows: rows.map((text) => ({ text, ...(text === "Black" && { fixed: true }) })),
            columns: options("Nice", "Ugly"),
          },
          number("x"),
        ],
      },
    ],
  });
  const links = await invite(client, study.screener, PEOPLE);
  const seen = new Set<string>();
  for (const { session, path } of links) {
    const { orders } = (await client.get(`/screener-sessions/${session}/orders`)).body;
    assert.deepEqual(
      orders.map(({ of }: { of: string }) => of),
      ["QUESTIONS", "ROWS"],
    );
    const html = (await visitor.open(path)).text;
    const shown = rows.toSorted((one, other) => html.indexOf(`${one}<`) - html.indexOf(`${other}<`));
    assert.equal(shown[3], "Black");
    assert.ok(html.indexOf("At first") < Math.min(html.indexOf("How nice?"), html.indexOf("Number x?")));
    seen.add(shown.join());
  }
  assert.ok(seen.size > 2);
});
