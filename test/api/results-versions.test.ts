// Results of a study over its versions: what stays the same is counted together, and nothing depends on those who have not started.

import assert from "node:assert/strict";
import { test } from "node:test";
import type { Client } from "../support/client.ts";
import { people } from "../support/client.ts";
import { comparable, modelOf } from "../support/results-model.ts";
import { KILLS, seeded } from "../support/seeded.ts";
import { sharedService } from "../support/service.ts";

const service = await sharedService();

// biome-ignore lint/suspicious/noExplicitAny: a test says itself what it expects of a body
type Row = Record<string, any>;

const choice = (text: string, isWriteIn = false) => ({ text, isWriteIn });
const option = (text: string) => ({ text });

/** Writes the draft, and publishes it. @returns the content, and the publication */
async function publishNext(client: Client, screenerId: string, content: object): Promise<{ content: Row; id: string }> {
  const put = await client.call("PUT", `/screeners/${screenerId}/content`, { body: content });
  assert.equal(put.status, 200, put.text);
  const { body } = await client.post("/screener-publications", { screenerId });
  return { content: put.body, id: body.id };
}

async function openFor(client: Client, screener: string, rows: object[]): Promise<string[]> {
  const imported = await client.import(screener, rows, {}, { Prefer: "wait=60" });
  assert.equal(imported.status, 200, imported.text);
  const ids: string[] = [];
  for (const { id } of imported.body) ids.push((await client.open(id)).body.id);
  return ids;
}

async function send(client: Client, session: string, answers: Record<string, unknown>, complete: boolean) {
  const responses = Object.entries(answers).map(([screenerQuestionId, answer]) => ({ screenerQuestionId, answer }));
  const reply = await client.post(`/screener-sessions/${session}/responses`, { responses, complete });
  assert.equal(reply.status, 200, reply.text);
}

const first = {
  pages: [
    {
      title: "You",
      questions: [
        { key: "age", _type: "ScreenerNumericQuestion", prompt: "Your age?", wholeNumber: true },
        {
          key: "drink",
          _type: "ScreenerSingleSelectQuestion",
          prompt: "What do you drink?",
          options: ["Tea", "Coffee", "Milk"].map(option),
          allowsWriteIn: true,
        },
      ],
    },
    { title: "Words", questions: [{ key: "why", _type: "ScreenerTextQuestion", prompt: "Why?" }] },
  ],
};

test("three versions of a study are counted together, and each alone", async () => {
  const client = service.workspace();
  const screener = await client.screener();
  const results = async (query = "") => (await client.get(`/screeners/${screener}/results${query}`)).body;
  const one = await publishNext(client, screener, first);
  const [age, drink] = one.content.pages[0].questions;
  const [why] = one.content.pages[1].questions;
  const [anna] = await openFor(client, screener, people(1, 0));
  await send(client, anna!, { [age.id]: 30, [drink.id]: [choice("Milk")], [why.id]: "because" }, true);
  // The second version asks in other words, and has no milk; the third has no reasons, and calls tea something else.
  const [tea, coffee] = drink.options;
  const asked = { ...drink, prompt: "What do you drink in the morning?", options: [tea, coffee] };
  const two = await publishNext(client, screener, {
    pages: [{ ...one.content.pages[0], questions: [age, asked] }, one.content.pages[1]],
  });
  const [bo, cy] = await openFor(client, screener, people(2, 1));
  await send(client, bo!, { [age.id]: 40, [drink.id]: [choice("Tea")] }, false);
  await send(client, cy!, { [age.id]: null, [drink.id]: [choice("Cocoa", true)], [why.id]: "because" }, true);
  const more = { _type: "ScreenerNumericQuestion", prompt: "How many cups?" };
  const renamed = { ...asked, options: [{ ...tea, text: "Any tea" }, coffee], allowsWriteIn: false };
  await publishNext(client, screener, { pages: [{ ...one.content.pages[0], questions: [more, renamed, age] }] });
  const before = await results();
  assert.deepEqual([before.screenerPublicationId, before.version], [null, null]);
  assert.deepEqual(
    before.versions.map(({ version, sessions }: Row) => [version, sessions]),
    [
      [3, 0],
      [2, 2],
      [1, 1],
    ],
  );
  const [cups, drinks, ages, reasons] = before.questions;
  assert.equal(before.questions.length, before.questionCount);
  assert.deepEqual([cups.answered, cups.prompt, cups.changedInVersion], [0, "How many cups?", null]);
  assert.deepEqual(
    [drinks.answered, drinks.prompt, drinks.changedInVersion, drinks.lastVersion],
    [3, "What do you drink in the morning?", 2, null],
  );
  assert.deepEqual(drinks.formerPrompts, [{ prompt: "What do you drink?", fromVersion: 1, toVersion: 1 }]);
  assert.deepEqual(
    drinks.chart.rows.map(({ label, isFormer, count }: Row) => [label, isFormer, count]),
    [
      ["Any tea", false, 1],
      ["Coffee", false, 0],
      ["Milk", true, 1],
      ["Something else", true, 1],
    ],
  );
  assert.deepEqual([ages.answered, ages.skipped, ages.chart.statistics.mean], [2, 1, 35]);
  assert.deepEqual([reasons.lastVersion, reasons.answered, reasons.chart.rows[0].count], [2, 2, 2]);
  assert.deepEqual(
    before.pages.map(({ title, lastVersion, answered, left }: Row) => [title, lastVersion, answered, left]),
    [
      ["You", null, 3, 1],
      ["Words", 2, 2, 0],
    ],
  );
  // A group has the name that its option has now.
  const { groups } = await results(`?splitBy=${drink.id}`);
  assert.deepEqual(
    groups.map(({ label, sessions }: Row) => [label, sessions]),
    [
      ["Any tea", 1],
      ["Cocoa (write-in)", 1],
      ["Milk", 1],
    ],
  );
  const second = await results(`?publicationId=${two.id}`);
  assert.deepEqual([second.version, second.sessions, second.questionCount], [2, 2, 3]);
  assert.deepEqual(
    second.questions.map(({ changedInVersion, lastVersion }: Row) => [changedInVersion, lastVersion]),
    [
      [null, null],
      [null, null],
      [null, null],
    ],
  );
  for (const publicationId of [undefined, one.id, two.id])
    for (const splitBy of [undefined, drink.id, why.id]) {
      const query = new URLSearchParams({ ...(publicationId && { publicationId }), ...(splitBy && { splitBy }) });
      assert.deepEqual(
        comparable(await results(`?${query}`)),
        await modelOf(client, screener, { publicationId, splitBy }),
        String(query),
      );
    }
});

test("a question whose type was changed is another one from then on", async () => {
  const client = service.workspace();
  const screener = await client.screener();
  const { content } = await publishNext(client, screener, first);
  const [page] = content.pages;
  const [age] = page.questions;
  const [anna] = await openFor(client, screener, people(1));
  await send(client, anna!, { [age.id]: 30 }, true);
  const inWords = { _type: "ScreenerTextQuestion", id: age.id, key: "age", prompt: "Your age, in words?" };
  await publishNext(client, screener, { pages: [{ ...page, questions: [inWords] }] });
  const { questions } = (await client.get(`/screeners/${screener}/results`)).body;
  assert.deepEqual(
    questions.slice(0, 2).map((one: Row) => [one.questionType, one.answered, one.changedInVersion, one.lastVersion]),
    [
      ["ScreenerTextQuestion", 0, null, null],
      ["ScreenerNumericQuestion", 1, null, 1],
    ],
  );
  assert.equal(questions[0].screenerQuestionId, questions[1].screenerQuestionId);
});

test("people who have not started change no share, however many they are", async () => {
  const client = service.workspace();
  const screener = await client.screener();
  const { content } = await publishNext(client, screener, first);
  const [age, drink] = content.pages[0].questions;
  const started = await openFor(client, screener, people(30));
  for (const [at, session] of started.entries())
    await send(client, session, { [age.id]: 20 + at, [drink.id]: [choice(at % 3 ? "Tea" : "Milk")] }, at % 2 === 0);
  const path = `/screeners/${screener}/results?splitBy=${drink.id}`;
  const before = (await client.get(path)).body;
  const wait = { Prefer: "wait=60" };
  assert.equal((await client.import(screener, people(12_000, 100), {}, wait)).status, 200);
  assert.equal((await client.post("/screener-sessions", { screenerId: screener }, wait)).status, 200);
  const after = (await client.get(path)).body;
  assert.deepEqual([after.sessions, after.startedSessions, after.countedSessions], [12_030, 30, 12_030]);
  assert.deepEqual([after.questions, after.groups, after.pages], [before.questions, before.groups, before.pages]);
  assert.equal(
    after.days.reduce((sum: number, { opened }: Row) => sum + opened, 0),
    12_030,
  );
});

/** Changes a content as authors do: words, options and questions come, go and move. */
function changed(content: Row, draw: () => number): Row {
  const pick = (n: number) => Math.floor(draw() * n);
  const pages: Row[] = structuredClone(content.pages);
  const questions = pages.flatMap((page) => page.questions);
  for (const question of questions) {
    if (draw() < 0.3) question.prompt = `Wording ${pick(4)}?`;
    if (!question.options) continue;
    if (draw() < 0.3) question.options[pick(question.options.length)].text = `Option ${pick(1000)}`;
    if (draw() < 0.3 && question.options.length > 1) question.options.splice(pick(question.options.length), 1);
    if (draw() < 0.3) question.options.unshift({ text: `New ${pick(1e9)}` });
    if (draw() < 0.2) question.allowsWriteIn = !question.allowsWriteIn;
  }
  const full = pages.filter((page) => page.questions.length > 1);
  if (full.length && draw() < 0.5) full[pick(full.length)]!.questions.splice(0, 1);
  if (draw() < 0.4) pages.reverse();
  if (draw() < 0.4)
    pages.push({ title: `Page ${pick(99)}`, questions: [{ _type: "ScreenerTextQuestion", prompt: "?" }] });
  if (pages.length > 1 && draw() < 0.3) pages.shift();
  return { pages };
}

function answerTo(question: Row, draw: () => number): unknown {
  const pick = (n: number) => Math.floor(draw() * n);
  if (draw() < 0.2) return null;
  if (question._type === "ScreenerNumericQuestion") return pick(90);
  if (question._type === "ScreenerTextQuestion") return ["yes and no", "because", "no"][pick(3)];
  const { options, allowsWriteIn } = question;
  const chosen = [options[pick(options.length)]!.text];
  if (question._type === "ScreenerMultiSelectQuestion" && draw() < 0.5)
    chosen.push(options[pick(options.length)]!.text);
  return [...new Set(chosen)]
    .map((text) => choice(text))
    .concat(allowsWriteIn && draw() < 0.3 ? [choice("My own", true)] : [])
    .slice(0, question._type === "ScreenerMultiSelectQuestion" ? 9 : 1);
}

const many = {
  pages: [
    ...first.pages,
    {
      title: "Several",
      questions: [
        {
          _type: "ScreenerMultiSelectQuestion",
          prompt: "Which?",
          options: ["Red", "Green", "Blue"].map(option),
          allowsWriteIn: true,
        },
        { _type: "ScreenerNumericQuestion", prompt: "How many?" },
      ],
    },
  ],
};

test("random studies have the results that are counted from the lists of the API", async () => {
  for (let study = 0; study < Math.max(3, KILLS / 5); study++) {
    const draw = seeded(`study ${study}`);
    const client = service.workspace();
    const screener = await client.screener();
    let content: Row = many;
    let number = 0;
    const publications: (string | undefined)[] = [undefined];
    for (let version = 1; version <= 4; version++) {
      const published = await publishNext(client, screener, version === 1 ? content : changed(content, draw));
      content = published.content;
      publications.push(published.id);
      const rows = Array.from({ length: 6 }, () => ({
        ...people(1, number++)[0],
        attributes: { town: ["York", "Bath", 7, true][Math.floor(draw() * 4)] },
      }));
      for (const session of await openFor(client, screener, rows)) {
        if (draw() < 0.2) continue;
        const answers: Record<string, unknown> = {};
        let isOver = false;
        for (const page of content.pages) {
          isOver ||= draw() < 0.2 && Object.keys(answers).length > 0;
          if (!isOver) for (const question of page.questions) answers[question.id] = answerTo(question, draw);
        }
        await send(client, session, answers, !isOver);
        if (draw() < 0.1) await client.delete(`/screener-sessions/${session}`);
      }
      const questions = content.pages.flatMap((page: Row) => page.questions.map(({ id }: Row) => id));
      const older = publications[Math.floor(draw() * publications.length)];
      const asked = [
        { splitBy: undefined },
        { publicationId: older },
        { splitBy: "attributes.town" },
        { splitBy: questions[Math.floor(draw() * questions.length)] },
      ];
      for (const { publicationId, splitBy } of asked as Row[]) {
        const query = new URLSearchParams({ ...(publicationId && { publicationId }), ...(splitBy && { splitBy }) });
        const { body } = await client.get(`/screeners/${screener}/results?${query}`);
        assert.deepEqual(
          comparable(body),
          await modelOf(client, screener, { publicationId, splitBy }),
          `${study} ${query}`,
        );
      }
    }
  }
});
