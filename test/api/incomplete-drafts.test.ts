// Drafts that are not finished: what is missing or wrong is kept beside the rest, comes back where it was, and is not published.

import assert from "node:assert/strict";
import { test } from "node:test";
import { sharedService } from "../support/service.ts";

const service = await sharedService();
const client = service.workspace();

const AGE = { id: "age", key: "age", _type: "ScreenerNumericQuestion", prompt: "How old are you?" };
const option = (id: string) => ({ id, text: id });
const drink = (more: object = {}) => ({
  id: "drink",
  _type: "ScreenerSingleSelectQuestion",
  prompt: "What do you drink?",
  options: [option("tea"), option("water")],
  ...more,
});

async function study(): Promise<string> {
  return (await client.post("/screeners", { title: "Unfinished" })).body.id;
}

const put = (id: string, body: object) => client.call("PUT", `/screeners/${id}/content`, { body });
const get = async (id: string) => (await client.get(`/screeners/${id}/content`)).body;
const pointers = (body: { incomplete?: { pointer: string }[] }) => body.incomplete?.map(({ pointer }) => pointer);

test("without allowIncomplete what is missing is refused as before; with it, it is kept, and comes back where it was", async () => {
  const id = await study();
  const pages = [{ title: "One", questions: [AGE, drink({ prompt: "" }), { ...AGE, id: "more", key: "more" }] }];
  const refused = await put(id, { pages });
  assert.deepEqual([refused.status, refused.body.errors[0].pointer], [400, "/pages/0/questions/1/prompt"]);
  assert.equal((await get(id)).pages.length, 0);

  const kept = await put(id, { pages, allowIncomplete: true });
  assert.equal(kept.status, 200, kept.text);
  assert.equal(kept.body.pages[0].questions.length, 2);
  assert.equal(kept.body.allowIncomplete, true);
  const [piece] = kept.body.incomplete;
  assert.deepEqual([piece.pointer, piece.errors], ["/pages/0/questions/1", [refused.body.errors[0]]]);
  assert.deepEqual(piece.value.options, drink().options);
  assert.notEqual(piece.value.id, "drink");
  assert.deepEqual(await get(id), kept.body);

  // What was read can be sent back as it is, and changes nothing.
  const { headers, body } = await put(id, kept.body);
  assert.deepEqual(body, kept.body);
  assert.equal(headers.get("etag"), kept.headers.get("etag"));
  // It must say that it may be incomplete.
  assert.equal((await put(id, { ...kept.body, allowIncomplete: false })).status, 400);

  // Finished, it is a question with the id that it had; and nothing is incomplete any more.
  const finished = { ...kept.body, incomplete: [{ ...piece, value: { ...piece.value, prompt: "What?" } }] };
  const whole = (await put(id, finished)).body;
  assert.deepEqual(
    whole.pages[0].questions.map((question: { prompt: string }) => question.prompt),
    ["How old are you?", "What?", "How old are you?"],
  );
  assert.equal(whole.pages[0].questions[1].id, piece.value.id);
  assert.deepEqual([whole.incomplete, whole.allowIncomplete], [undefined, undefined]);
});

test("a question that is emptied for a while keeps its id and those of its options; what asks about it waits with it", async () => {
  const id = await study();
  const asked = { questionId: "drink", equals: "water" };
  const first = (
    await put(id, {
      pages: [{ questions: [drink()] }, { questions: [AGE], showWhen: asked }],
      quotas: [{ name: "Water", when: asked, limit: 3 }],
      qualifyWhen: { not: asked },
    })
  ).body;
  const [question] = first.pages[0].questions;
  const emptied = structuredClone(first);
  emptied.pages[0].questions[0].prompt = "";
  const kept = (await put(id, { ...emptied, allowIncomplete: true })).body;
  assert.deepEqual(pointers(kept), ["/pages/0/questions/0", "/pages/1/showWhen", "/quotas/0", "/qualifyWhen"]);
  assert.deepEqual(kept.incomplete[0].value, { ...question, prompt: "" });
  // Conditions go on with the ids.
  assert.deepEqual(kept.incomplete[1].value, { questionId: question.id, equals: question.options[1].id });
  const again = structuredClone(kept);
  again.incomplete[0].value.prompt = question.prompt;
  assert.deepEqual((await put(id, again)).body, first);
});

test("labels of what is set aside become ids, so that a draft that was left can be finished", async () => {
  const id = await study();
  const pages = [
    { questions: [drink({ prompt: "" }), AGE] },
    {
      questions: [
        {
          ...AGE,
          id: "more",
          key: null,
          prompt: "",
          showWhen: {
            any: [
              { questionId: "age", atLeast: 18 },
              { questionId: "drink", equals: "tea" },
            ],
          },
        },
      ],
    },
  ];
  const kept = (await put(id, { pages, allowIncomplete: true })).body;
  assert.deepEqual(pointers(kept), ["/pages/0/questions/0", "/pages/1/questions/0"]);
  const [first, second] = kept.incomplete.map(({ value }: { value: object }) => value);
  assert.deepEqual(second.showWhen.any[0], { questionId: kept.pages[0].questions[0].id, atLeast: 18 });
  assert.equal(second.showWhen.any[1].questionId, first.id);
  first.prompt = "What?";
  second.prompt = "And?";
  const whole = (await put(id, kept)).body;
  const { questionId, equals } = whole.pages[1].questions[0].showWhen.any[1];
  assert.deepEqual([questionId, equals], [first.id, whole.pages[0].questions[0].options[0].id]);
});

test("what is wrong in another way is refused with allowIncomplete, too, all at once", async () => {
  const id = await study();
  const { status, body } = await put(id, {
    pages: [{ questions: [{ ...AGE, prompt: "" }], titel: "Misspelt" }, { questions: [{ ...AGE, promt: "Misspelt" }] }],
    allowIncomplete: true,
  });
  assert.equal(status, 400);
  assert.deepEqual(
    body.errors.map(({ pointer }: { pointer: string }) => pointer).filter((one: string) => /tit|promt/.test(one)),
    ["/pages/0/titel", "/pages/1/questions/0/promt"],
  );
  for (const incomplete of [
    [{ pointer: "/pages", value: [] }],
    [{ pointer: "/pages/0/questions/0", value: {} }],
    [7],
    {},
  ]) {
    const wrong = await put(id, { pages: [], incomplete, allowIncomplete: true });
    assert.equal(wrong.status, 400, JSON.stringify(incomplete));
    assert.match(wrong.body.errors[0].pointer, /^\/incomplete/);
  }
  assert.equal((await get(id)).pages.length, 0);
});

test("an incomplete draft is not published: 409 names each; a version that is restored is whole", async () => {
  const id = await study();
  await put(id, { pages: [{ questions: [AGE] }] });
  const publication = (await client.post("/screener-publications", { screenerId: id })).body;
  const pages = [{ questions: [AGE, drink({ options: [] }), drink({ id: "other", prompt: "" })] }];
  const kept = await put(id, { pages, allowIncomplete: true });
  const refused = await client.post("/screener-publications", { screenerId: id });
  assert.deepEqual([refused.status, refused.body.code], [409, "draft_incomplete"]);
  assert.deepEqual(
    refused.body.errors,
    kept.body.incomplete.flatMap(({ errors }: { errors: object[] }) => errors),
  );
  assert.equal((await client.get(`/screeners/${id}`)).body.activePublicationId, publication.id);
  const restored = await client.post(`/screener-publications/${publication.id}/restore`, {});
  assert.equal(restored.status, 200, restored.text);
  assert.equal(restored.body.incomplete, undefined);
  assert.equal((await client.post("/screener-publications", { screenerId: id })).status, 201);
});
