// The texts of a content: a small Markdown where the content says so, and as they were typed where it does not.

import assert from "node:assert/strict";
import { test } from "node:test";
import { sharedService } from "../support/service.ts";
import { type Invitation, invite, publish } from "../support/study.ts";
import { Visitor } from "../support/visitor.ts";

const service = await sharedService();
const client = service.workspace("Acme Research");
const visitor = new Visitor(service.url);

const put = (screener: string, body: object) => client.call("PUT", `/screeners/${screener}/content`, { body });
const markupOf = async (path: string) => (await client.get(`${path}/content`)).body.markup;

const question = (more: object = {}) => ({ _type: "ScreenerTextQuestion", key: "why", prompt: "Why?", ...more });
const asking = (more: object, content: object = {}) => ({
  pages: [{ id: "one", title: "One", questions: [question(more)] }],
  ...content,
});

/** The page of a content, as a participant gets it. */
async function pageOf(content: object): Promise<string> {
  const study = await publish(client, content);
  const [{ path }] = (await invite(client, study.screener, 1)) as [Invitation];
  return (await visitor.open(path)).text;
}

/** Checks that a page has a piece of HTML. */
function has(page: string, piece: string): void {
  assert.ok(page.includes(piece), `${piece} is not in ${page.slice(page.indexOf("<main"))}`);
}

/** What a prompt looks like on the page. */
async function promptOf(prompt: string): Promise<string> {
  const text = await pageOf(asking({ prompt, required: true }));
  return text.match(/<label class="prompt"[^>]*><span lang>(.*?)<\/span><\/label>/s)![1]!;
}

test("a new draft is Markdown; a draft keeps what it is when a client does not say it; and a publication shows it", async () => {
  const { id: screener } = (await client.post("/screeners", { title: "Texts" })).body;
  const path = `/screeners/${screener}`;
  assert.equal(await markupOf(path), "MARKDOWN");
  assert.equal((await put(screener, asking({}))).body.markup, "MARKDOWN");
  assert.equal((await put(screener, asking({}, { markup: "PLAIN" }))).body.markup, "PLAIN");
  assert.equal((await put(screener, asking({}))).body.markup, "PLAIN", "a client that does not know it");
  assert.equal((await put(screener, asking({}, { markup: null }))).body.markup, "PLAIN");
  assert.equal(await markupOf(path), "PLAIN");
  const { body: first } = await client.post("/screener-publications", { screenerId: screener });
  await put(screener, asking({}, { markup: "MARKDOWN" }));
  const { body: second } = await client.post("/screener-publications", { screenerId: screener });
  assert.equal(await markupOf(`/screener-publications/${first.id}`), "PLAIN");
  assert.equal(await markupOf(`/screener-publications/${second.id}`), "MARKDOWN");
  await client.post(`/screener-publications/${first.id}/restore`, {});
  assert.equal(await markupOf(path), "PLAIN");
  const wrong = await put(screener, asking({}, { markup: "HTML" }));
  assert.equal(wrong.status, 400);
  assert.deepEqual(wrong.body.errors, [{ pointer: "/markup", message: "must be PLAIN or MARKDOWN" }]);
});

test("bold, emphasis, lists and links are shown in titles, texts, prompts, help and endings", async () => {
  const link =
    '<a class="away" href="https://a.example/b?c=1&amp;d" target="_blank" rel="noreferrer noopener">the <strong>plan</strong></a>';
  const study = await publish(client, {
    pages: [
      {
        title: "About *you* – [x](tel:+49301234)",
        description: "See [the **plan**](https://a.example/b?c=1&d).\n\n1. One\n2. Two\n   - inner\n",
        questions: [
          {
            _type: "ScreenerSingleSelectQuestion",
            key: "which",
            prompt: "Which **one**?\n\n- a\n- *b*",
            helpText: "Write to [us](mailto:us@a.example)",
            required: true,
            options: [{ text: "*Tea*" }, { text: "Milk" }],
          },
        ],
      },
    ],
    thankYou: "**Done**\n\nhttps://b.example",
  });
  const [{ path }] = (await invite(client, study.screener, 1)) as [Invitation];
  const { text } = await visitor.open(path);
  assert.match(text, /<title>About you – x – /);
  has(
    text,
    '<h1 lang dir="auto">About <em>you</em> – <a class="away" href="tel:+49301234" rel="noreferrer noopener">x</a></h1>',
  );
  has(
    text,
    `<div class="text" lang dir="auto"><p>See ${link}.</p><ol><li>One</li><li>Two<ul><li>inner</li></ul></li></ol></div>`,
  );
  has(
    text,
    '<legend class="prompt"><span lang><span class="paragraph">Which <strong>one</strong>?</span> <span class="list"><span class="item item-dot">a </span><span class="item item-dot"><em>b</em> </span></span></span></legend>',
  );
  assert.match(text, /<p class="note" id="[^"]*" dir="auto" lang>Write to <a class="away" href="mailto:us@a.example"/);
  assert.match(text, />\*Tea\*</, "options are not texts of this kind");
  const end = await visitor.go(path, study, study.page[Object.keys(study.page)[0]!]!, { which: ["Milk"] });
  has(
    end.text,
    '<p><strong>Done</strong></p><p><a class="away" href="https://b.example/" rel="noreferrer noopener">https://b.example/</a></p>',
  );
});

test("all else of Markdown, all HTML, and links elsewhere stay as they were typed", async () => {
  for (const [typed, shown] of [
    ["# No heading", "# No heading"],
    ["`no code`", "`no code`"],
    ["> no quote", "> no quote"],
    ["3. How old are you?", "3. How old are you?"],
    ["1990. Then?", "1990. Then?"],
    ["![i](/logo.png)", "![i](/logo.png)"],
    ["<b onclick=x>a</b> &amp;", "&lt;b onclick=x>a&lt;/b> &amp;amp;"],
    ["[a](javascript:alert(1))", "[a](javascript:alert(1))"],
    ["[a](http://a.example)", "[a](http://a.example)"],
    ["[a](/relative)", "[a](/relative)"],
    ["[a](https://me:pw@a.example)", "[a](https://me:pw@a.example)"],
    ["[a]()", "a"],
    ["\\*a\\*", "*a*"],
    ["2*3*4 snake_case_name", "2<em>3</em>4 snake_case_name"],
    ["a\nb", "a\nb"],
    ["{{a_b|*c*}} **{{x}}**", "{{a_b|*c*}} <strong>{{x}}</strong>"],
    [
      "[{{x}}](https://a.example/{{y}})",
      '<a class="away" href="https://a.example/%7B%7By%7D%7D" target="_blank" rel="noreferrer noopener">{{x}}</a>',
    ],
  ] as const)
    assert.equal(await promptOf(typed), shown, typed);
});

test("a content whose texts are plain looks as it always did, to the byte", async () => {
  const typed = "**a** _b_\n\n- c\n- [d](https://d.example) {{answer:x|y}}";
  const text = await pageOf(asking({ prompt: typed, helpText: typed, required: true }, { markup: "PLAIN" }));
  has(text, `<span lang>${typed}</span>`);
  has(text, `lang>${typed}</p>`);
});

test("sentences, results and codebooks have no signs; the members of the API have what was typed", async () => {
  const prompt = "How **old** are [you](https://a.example)?";
  const study = await publish(client, {
    pages: [
      {
        title: "About *you*",
        disqualifyWhen: { questionId: "age", lessThan: 18 },
        questions: [{ _type: "ScreenerNumericQuestion", id: "age", key: "age", prompt, required: true }],
      },
    ],
  });
  const [{ path, session }] = (await invite(client, study.screener, 1)) as [Invitation];
  await visitor.send(path, study, "About *you*", { age: "17" });
  const { body: explained } = await client.get(`/screener-sessions/${session}/explanation`);
  assert.equal(explained.rules[0].sentence, "Screen out if “How old are you?” is less than 18");
  assert.match(explained.sentence, /^Screened out by the page “About you”: .*“How old are you\?” was answered 17\.$/);
  assert.deepEqual([explained.rules[0].pageTitle, explained.answers[0].prompt], ["About *you*", prompt]);
  const query = `?filter[screenerSessionId][eq]=${session}`;
  const { body: responses } = await client.get(`/screener-responses${query}`);
  assert.equal(responses.items[0].screenerQuestionPrompt, prompt);
  const { body: results } = await client.get(`/screeners/${study.screener}/results`);
  assert.deepEqual([results.questions[0].prompt, results.pages[0].title], ["How old are you?", "About you"]);
  const codebook = await client.call("GET", `/screeners/${study.screener}/codebook`, {
    headers: { Accept: "text/csv" },
  });
  assert.match(codebook.text, /age,How old are you\?,.*,About you,/);
});
