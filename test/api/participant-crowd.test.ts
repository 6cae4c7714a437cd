// Random forms, and many participants at once: nothing invalid is kept, and no answer is lost.

import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { people } from "../support/client.ts";
import { sharedService } from "../support/service.ts";
import { everyKind, invite, invited, type Published, publish, readAnswers, readStatus } from "../support/study.ts";
import { formOf, Visitor } from "../support/visitor.ts";

const service = await sharedService();
const client = service.workspace("Acme Research");
const visitor = new Visitor(service.url);

type Choices = { text: string; isWriteIn: boolean }[];

const isWritten = (text: unknown, most: number, least = 1) =>
  typeof text === "string" &&
  [...text].length >= least &&
  [...text].length <= most &&
  text === text.trim() &&
  !text.includes("\0") &&
  text.isWellFormed();
const areChoices = (answer: unknown, options: string[], writeIn: boolean, most: number) => {
  const choices = answer as Choices;
  return (
    Array.isArray(choices) &&
    choices.length > 0 &&
    choices.length <= most &&
    new Set(choices.map(({ text, isWriteIn }) => isWriteIn || text)).size === choices.length &&
    choices.every(({ text, isWriteIn }) => (isWriteIn ? writeIn && isWritten(text, 500) : options.includes(text)))
  );
};

/** What each question of `everyKind` allows, written a second time, independently of the product. */
const allowed: Record<string, (answer: unknown) => boolean> = {
  age: (answer) => Number.isInteger(answer) && (answer as number) >= 0 && (answer as number) <= 120,
  smokes: (answer) => areChoices(answer, ["Yes", "Sometimes", "No"], false, 1),
  how_often: (answer) => isWritten(answer, 10_000) && !(answer as string).includes("\n"),
  brands: (answer) => areChoices(answer, ["Cigarettes", "Cigars", "A pipe"], true, 3),
  drink: (answer) => areChoices(answer, ["Tea", "Coffee"], true, 1),
  town: (answer) => answer === null || (isWritten(answer, 100) && !(answer as string).includes("\n")),
  day: (answer) => isWritten(answer, 10_000, 5),
};

test("whatever is sent in a form, nothing breaks, and nothing is kept that its question does not allow", async () => {
  const study = await publish(client, everyKind);
  const links = await invite(client, study.screener, 40);
  const ids = Object.values(study.question);
  const values = fc.oneof(
    { weight: 4, arbitrary: fc.constantFrom(...Object.values(study.option), "write-in") },
    { weight: 2, arbitrary: fc.constantFrom("44", "3", "1e3", "0x10", "12,5", "-0", "Infinity", "NaN", "٤٤", "", " ") },
    { weight: 2, arbitrary: fc.string({ unit: "binary", maxLength: 40 }) },
    fc.constantFrom("a\0b", "a\nb", "\ufeff", "x".repeat(101), "y".repeat(501), "z".repeat(10_001), "[]", "null"),
    fc.constantFrom(...ids, ...Object.values(study.page)),
  );
  const names = fc.oneof(
    { weight: 8, arbitrary: fc.constantFrom(...ids.flatMap((id) => [`answer-${id}`, `write-in-${id}`])) },
    fc.constantFrom("page", "question", "__proto__", "constructor", "answer-", "answer-__proto__", "complete"),
    fc.string({ unit: "binary", maxLength: 10 }),
  );
  const form = fc.record({
    page: fc.oneof({ weight: 9, arbitrary: fc.constantFrom(...Object.values(study.page)) }, values),
    questions: fc.subarray(ids, { minLength: 3 }),
    fields: fc.array(fc.tuple(names, values), { maxLength: 12 }),
    // So that some of it gets further.
    entries: fc.record(
      {
        age: fc.constantFrom("44", "17"),
        smokes: fc.constantFrom(["Yes"], ["Sometimes"], ["No"]),
        how_often: fc.constant("Seldom"),
        brands: fc.constantFrom(["Cigars"], ["Cigars", "+Snuff"]),
        drink: fc.constantFrom(["Tea"], ["+Maté"]),
        day: fc.constant("Early."),
      },
      { requiredKeys: [] },
    ),
  });
  const seen = new Map<number, number>();
  let turn = 0;
  await fc.assert(
    fc.asyncProperty(fc.array(form, { minLength: 1, maxLength: 6 }), async (forms) => {
      const { path } = links[turn++ % links.length]!;
      for (const { page, questions, fields, entries } of forms) {
        const body = new URLSearchParams(formOf(study, page, entries));
        for (const question of questions) body.append("question", question);
        for (const [name, value] of fields) body.append(name, value);
        const { status, headers } = await visitor.post(path, body.toString());
        seen.set(status, (seen.get(status) ?? 0) + 1);
        // 200: the next page, with what was typed for its questions.
        assert.ok([200, 303, 422].includes(status), `${status}: ${body}`);
        if (status === 303) assert.ok(String(headers.location).startsWith(path));
      }
    }),
    { numRuns: 150 },
  );
  await fc.assert(
    fc.asyncProperty(fc.uint8Array({ maxLength: 200 }), async (bytes) => {
      const { status } = await visitor.post(links[turn++ % links.length]!.path, bytes);
      assert.ok([303, 400, 422].includes(status), String(status));
    }),
    { numRuns: 60 },
  );
  let kept = 0;
  for (const { session } of links) {
    for (const [key, answer] of Object.entries(await readAnswers(client, session, study))) {
      assert.ok(allowed[key]?.(answer), `${key}: ${JSON.stringify(answer)}`);
      kept++;
    }
  }
  assert.ok(kept > 60, `only ${kept} answers came through`);
  assert.ok((seen.get(422) ?? 0) > 30, "hardly anything was refused");
});

test("of 500 people who answer at once every answer is kept, once, and no more qualify than the target", async () => {
  const TARGET = 50;
  const study = await publish(client, everyKind, { targetQualifiedParticipants: TARGET });
  const links = await everybody(study, 500);
  // A participant who begins when the quota is reached is refused; so all begin first.
  await inChunks(links, (link, number) =>
    visitor.send(link, study, "About you", { age: String(18 + (number % 80)), smokes: ["No"] }),
  );
  const ends = await inChunks(links, async (link, number) => {
    const last = { drink: [`+Drink ${number}`], town: `Town ${number}`, day: `Day ${number} of many` };
    // Half of them are impatient.
    const clicks = [visitor.send(link, study, "Your days", last)];
    if (number % 2) clicks.push(visitor.send(link, study, "Your days", last));
    return (await Promise.all(clicks)).map(({ status, headers }) => [status, headers.location === `${link}?done`]);
  });
  assert.deepEqual(new Set(ends.flat().map(String)), new Set(["303,true"]));

  const sessions = await client.all(`/screener-sessions?filter[screenerId][eq]=${study.screener}`);
  assert.deepEqual(new Set(sessions.map(({ state, status }) => `${status} ${state}`)), new Set(["ACTIVE COMPLETED"]));
  const statuses = (await client.all(`/screener-participants?filter[screenerId][eq]=${study.screener}`)).map(
    ({ status }) => status,
  );
  assert.equal(statuses.filter((status) => status === "QUALIFIED").length, TARGET);
  assert.equal(statuses.filter((status) => status === "DISQUALIFIED").length, 500 - TARGET);
  assert.equal(sessions.filter(({ outcomeReason }) => outcomeReason === "OVER_QUOTA").length, 500 - TARGET);

  const responses = await client.all(`/screener-responses?filter[screenerId][eq]=${study.screener}`);
  assert.equal(responses.length, 500 * 5);
  const said = new Map(responses.map((one) => [`${one.screenerSessionId} ${one.screenerQuestionId}`, one.answer]));
  assert.equal(said.size, responses.length);
  links.forEach((link, number) => {
    const session = link.split("/").at(-1);
    assert.equal(said.get(`${session} ${study.question.age}`), 18 + (number % 80));
    assert.equal(said.get(`${session} ${study.question.day}`), `Day ${number} of many`);
    assert.deepEqual(said.get(`${session} ${study.question.drink}`), [
      { optionId: null, text: `Drink ${number}`, isWriteIn: true },
    ]);
  });
});

test("a participant who answers on two devices at once has the answers of one device on each page", async () => {
  const { study, link } = await invited(client);
  const pages = ["About you", "Your days"] as const;
  const entries = (device: number) => ({
    "About you": { age: String(30 + device), smokes: ["No"] },
    "Your days": { drink: ["Tea"], town: `Town ${device}`, day: `Day of ${device}` },
  });
  for (const page of pages) {
    const sent = await Promise.all(
      Array.from({ length: 10 }, (_, device) => visitor.send(link.path, study, page, entries(device)[page])),
    );
    assert.deepEqual(new Set(sent.map(({ status }) => status)), new Set([303]));
  }
  assert.equal(await readStatus(client, link.assignment), "QUALIFIED");
  const { town, day } = await readAnswers(client, link.session, study);
  assert.equal(String(town).split(" ").at(-1), String(day).split(" ").at(-1));
});

/** Opens a session for each of so many people. @returns their links */
async function everybody({ screener }: Published, count: number): Promise<string[]> {
  const imported: { id: string }[] = (await client.import(screener, people(count))).body;
  return inChunks(imported, async ({ id }) => {
    const { body } = await client.post("/screener-sessions", { screenerParticipantId: id });
    return new URL(body.screenerSessionLink).pathname;
  });
}

/** As many at once as a machine has sockets for. */
async function inChunks<T, U>(items: readonly T[], act: (item: T, index: number) => Promise<U>): Promise<U[]> {
  const done: U[] = [];
  for (let from = 0; from < items.length; from += 100) {
    done.push(...(await Promise.all(items.slice(from, from + 100).map((item, index) => act(item, from + index)))));
  }
  return done;
}
