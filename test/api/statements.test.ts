// Texts between questions: they are read, and nothing else. No answer, column, chart or rule knows them.

import assert from "node:assert/strict";
import { test } from "node:test";
import { sharedService } from "../support/service.ts";
import { type Invitation, invite, publish, readAnswers } from "../support/study.ts";
import { isPage, Visitor } from "../support/visitor.ts";

const service = await sharedService();
const client = service.workspace("Acme Research");
const visitor = new Visitor(service.url);

const put = (screener: string, body: object) => client.call("PUT", `/screeners/${screener}/content`, { body });
const statement = (more: object = {}) => ({ _type: "ScreenerStatement", ...more });
const number = (key: string, more: object = {}) => ({
  _type: "ScreenerNumericQuestion",
  id: key,
  key,
  prompt: `${key}?`,
  ...more,
});

const CONTENT = {
  pages: [
    { title: "Welcome", questions: [statement({ text: "First, **two** things." }), statement()] },
    {
      title: "About you",
      disqualifyWhen: { questionId: "age", lessThan: 18 },
      questions: [
        statement({ id: "before", text: "Now the *first*." }),
        number("age", { required: true }),
        statement({ text: "Only for some.", showWhen: { questionId: "age", atLeast: 50 } }),
        number("height"),
      ],
    },
    {
      title: "For elders",
      questions: [statement({ text: "You are fifty.", showWhen: { questionId: "age", atLeast: 50 } })],
    },
  ],
};

test("a text is kept as it was sent, with a default for all that is left out, and keeps its id", async () => {
  const { screener } = await publish(client, CONTENT);
  const { body } = await client.get(`/screeners/${screener}/content`);
  const [first, line] = body.pages[0].questions;
  assert.deepEqual(first, { _type: "ScreenerStatement", id: first.id, text: "First, **two** things.", showWhen: null });
  assert.deepEqual(line, { _type: "ScreenerStatement", id: line.id, text: null, showWhen: null });
  const again = await put(screener, body);
  assert.deepEqual(again.body, body);
});

test("people read texts and lines on their way, by their rules; a page that has only those is a page", async () => {
  const study = await publish(client, CONTENT);
  const [one, two] = (await invite(client, study.screener, 2)) as [Invitation, Invitation];
  const welcome = await visitor.open(one.path);
  isPage(welcome, 200, "Welcome");
  assert.match(welcome.text, /First, <strong>two<\/strong> things\.<\/p><hr class="break"\/><div class="buttons">/);
  const about = await visitor.go(one.path, study, "Welcome", {});
  isPage(about, 200, "About you");
  assert.match(about.text, /Now the <em>first<\/em>\./);
  assert.doesNotMatch(about.text, /Only for some/);
  assert.equal(about.text.match(/name="question"/g)!.length, 2);
  isPage(await visitor.go(one.path, study, "About you", { age: "30", height: "170" }), 200, "Thank you");
  // Who is fifty reads more.
  await visitor.send(two.path, study, "Welcome", {});
  isPage(await visitor.go(two.path, study, "About you", { age: "50", height: "" }), 200, "For elders");
  assert.match((await visitor.get(`${two.path}?page=${study.page["About you"]}`)).text, /Only for some/);
  isPage(await visitor.go(two.path, study, "For elders", {}), 200, "Thank you");
  assert.deepEqual(await readAnswers(client, one.session, study), { age: 30, height: 170 });
  assert.deepEqual(await readAnswers(client, two.session, study), { age: 50, height: null });
});

test("texts have no answers, columns, charts or lines in the codebook, and the API asks for none", async () => {
  const study = await publish(client, CONTENT);
  const [one, two] = (await invite(client, study.screener, 2)) as [Invitation, Invitation];
  const id = (await client.get(`/screeners/${study.screener}/content`)).body.pages[1].questions[0].id;
  const answer = (session: string, responses: object[]) =>
    client.post(`/screener-sessions/${session}/responses`, { responses, complete: true });
  const refused = await answer(one.session, [{ screenerQuestionId: id, answer: 1 }]);
  assert.deepEqual([refused.status, refused.body.errors[0].message], [400, "is not a question of this publication"]);
  assert.equal((await answer(one.session, [{ screenerQuestionId: study.question.age, answer: 60 }])).status, 200);
  assert.equal((await answer(two.session, [{ screenerQuestionId: study.question.age, answer: 10 }])).status, 200);
  const responses = (await client.get(`/screener-responses?filter[screenerSessionId][eq]=${one.session}`)).body;
  assert.deepEqual(
    responses.items.map((item: { screenerQuestionPrompt: string }) => item.screenerQuestionPrompt),
    ["age?", "height?"],
  );
  const table = await client.call("GET", `/screeners/${study.screener}/export`, { headers: { Accept: "text/csv" } });
  assert.match(table.text.split("\r\n")[0]!, /,age,height$/);
  assert.match(table.text, /,60,\r\n/);
  const codebook = await client.call("GET", `/screeners/${study.screener}/codebook`, {
    headers: { Accept: "text/csv" },
  });
  assert.doesNotMatch(codebook.text, /Now the|fifty/);
  const results = (await client.get(`/screeners/${study.screener}/results`)).body;
  assert.deepEqual(
    results.questions.map(({ prompt, answered }: { prompt: string; answered: number }) => [prompt, answered]),
    [
      ["age?", 2],
      ["height?", 0],
    ],
  );
  const explained = (await client.get(`/screener-sessions/${two.session}/explanation`)).body;
  assert.equal(explained.outcome, "DISQUALIFIED");
  assert.match(explained.sentence, /“age\?” was answered 10/);
});

test("what does not go with a text is refused at once, and no rule asks about one", async () => {
  const { id } = (await client.post("/screeners", { title: "Wrong" })).body;
  const wrong = await put(id, {
    pages: [
      {
        questions: [
          statement({ id: "s", text: "a".repeat(5001), required: true, prompt: "No" }),
          number("n", { showWhen: { questionId: "s", answered: true } }),
          { _type: "ScreenerPicture" },
        ],
      },
    ],
  });
  assert.equal(wrong.status, 400);
  const errors = wrong.body.errors.map(({ pointer, message }: { pointer: string; message: string }) => [
    pointer,
    message,
  ]);
  const of = (pointer: string) => errors.find(([at]: [string]) => at === pointer)?.[1];
  assert.match(of("/pages/0/questions/0/text"), /at most 5000 characters/);
  assert.ok(of("/pages/0/questions/0/required") && of("/pages/0/questions/0/prompt"), JSON.stringify(errors));
  assert.equal(of("/pages/0/questions/1/showWhen/questionId"), "refers to a statement, which has no answer");
  assert.match(of("/pages/0/questions/2/_type"), /or ScreenerStatement$/);
});
