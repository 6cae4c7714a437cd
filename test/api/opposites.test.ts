// Rules that say what is not so, and how many options were chosen: what they mean where there is no answer, everywhere that it shows.

import assert from "node:assert/strict";
import { test } from "node:test";
import { sharedService } from "../support/service.ts";
import { type Invitation, invite, type Published, publish } from "../support/study.ts";

const service = await sharedService();
const client = service.workspace();

const options = (...texts: string[]) => texts.map((text) => ({ id: text.toLowerCase(), text }));

/** Whether somebody works, and in which trade: this is asked only of who works. Which brands somebody knows may be left out. */
const pages = (rules: { disqualifyWhen?: object; showLast?: object } = {}) => [
  {
    title: "Work",
    questions: [
      {
        ...{ id: "works", key: "works", _type: "ScreenerSingleSelectQuestion", prompt: "Do you work?", required: true },
        options: options("Yes", "No"),
      },
    ],
  },
  {
    title: "Trade",
    showWhen: { questionId: "works", equals: "yes" },
    questions: [
      {
        ...{ id: "trade", key: "trade", _type: "ScreenerSingleSelectQuestion", prompt: "In which trade?" },
        options: options("Media", "Farming"),
      },
    ],
  },
  {
    title: "Brands",
    ...(rules.disqualifyWhen && { disqualifyWhen: rules.disqualifyWhen }),
    questions: [
      {
        ...{ id: "brands", key: "brands", _type: "ScreenerMultiSelectQuestion", prompt: "Which brands do you know?" },
        options: [...options("Ash", "Birch", "Cedar"), { id: "none", text: "None of these", exclusive: true }],
        allowsWriteIn: true,
      },
    ],
  },
];

async function submit(study: Published, { session }: Invitation, given: Record<string, unknown>, complete = true) {
  const responses = Object.entries(given).map(([key, answer]) => ({ screenerQuestionId: study.question[key], answer }));
  const { status, body, text } = await client.post(`/screener-sessions/${session}/responses`, { responses, complete });
  assert.equal(status, 200, text);
  return body;
}

const explanationOf = async ({ session }: Invitation) =>
  (await client.get(`/screener-sessions/${session}/explanation`)).body;

const chosen = (...texts: string[]) => texts.map((text) => ({ text }));

test("“is not” holds for who was not asked, or left the answer out, as “none of these” does", async () => {
  const isNot = { questionId: "trade", isNot: "media" };
  for (const qualifyWhen of [
    isNot,
    { not: { any: [{ questionId: "trade", equals: "media" }] } },
    { ...isNot, isNot: undefined, noneOf: ["media"] },
  ]) {
    const study = await publish(client, { pages: pages(), qualifyWhen });
    const links = await invite(client, study.screener, 4);
    const outcomes = [];
    for (const [at, given] of [
      { works: chosen("Yes"), trade: chosen("Media") },
      { works: chosen("Yes"), trade: chosen("Farming") },
      { works: chosen("Yes"), trade: null },
      { works: chosen("No") },
    ].entries())
      outcomes.push((await submit(study, links[at]!, given)).outcomeReason);
    assert.deepEqual(outcomes, ["SCREENED_OUT", null, null, null], JSON.stringify(qualifyWhen));
  }
});

test("an explanation says the opposites in words, and what the answers were", async () => {
  const study = await publish(client, {
    pages: pages({
      disqualifyWhen: {
        any: [
          { questionId: "brands", notContains: "ash" },
          { attribute: "plan", isNot: "gold" },
        ],
      },
    }),
  });
  const [link] = await invite(client, study.screener, 1);
  await submit(study, link!, { works: chosen("No"), brands: chosen("Ash") });
  const { sentence, rules } = await explanationOf(link!);
  assert.match(
    sentence,
    /^Screened out by the page “Brands”: “Which brands do you know\?” does not contain “Ash” or the attribute “plan” is not “gold”\./,
  );
  assert.match(sentence, /The attribute “plan” is missing|the attribute “plan” is missing/);
  assert.deepEqual(
    rules[0].comparisons.map((one: { sentence: string; holds: boolean }) => [one.sentence, one.holds]),
    [
      ["“Which brands do you know?” does not contain “Ash”", false],
      ["the attribute “plan” is not “gold”", true],
    ],
  );
});

test("how many options were chosen counts a write-in, and no “none of these”; without an answer no count holds", async () => {
  const judge = async (condition: object, brands: unknown) => {
    const study = await publish(client, { pages: pages({ disqualifyWhen: { questionId: "brands", ...condition } }) });
    const [link] = await invite(client, study.screener, 1);
    return (await submit(study, link!, { works: chosen("No"), brands })).outcomeReason === "SCREENED_OUT";
  };
  const withOne = [{ text: "Ash" }, { text: "Larch", isWriteIn: true }];
  assert.equal(await judge({ chosenAtLeast: 2 }, withOne), true);
  assert.equal(await judge({ chosenAtLeast: 3 }, withOne), false);
  assert.equal(await judge({ chosenAtMost: 1 }, withOne), false);
  assert.equal(await judge({ chosenAtLeast: 1 }, chosen("None of these")), false);
  assert.equal(await judge({ chosenAtMost: 0 }, chosen("None of these")), true);
  assert.equal(await judge({ chosenAtMost: 3 }, null), false);
});

test("a quota takes who is in by an opposite only when no other answer can come", async () => {
  const study = await publish(client, {
    pages: pages(),
    quotas: [{ name: "Not media", when: { questionId: "trade", noneOf: ["media"] }, limit: 10 }],
  });
  const [one, other] = await invite(client, study.screener, 2);
  const held = async () => {
    const { items } = (await client.get(`/screeners/${study.screener}/quotas`)).body;
    return items[0].held;
  };
  await submit(study, one!, { works: chosen("Yes") }, false);
  assert.equal(await held(), 0);
  assert.equal((await explanationOf(one!)).quotas[0].isIn, null);
  await submit(study, one!, { trade: chosen("Farming") }, false);
  assert.equal(await held(), 1);
  // Nobody will ask this person.
  await submit(study, other!, { works: chosen("No") }, false);
  assert.equal(await held(), 2);
});

test("an opposite is refused where the plain operator is, and says what to write", async () => {
  const screener = await client.screener();
  const any = [
    { questionId: "brands", isNot: "ash" },
    { questionId: "brands", noneOf: ["ash"] },
    { questionId: "trade", notContains: "media" },
    { questionId: "trade", noneOf: ["media", "spying"] },
    { questionId: "trade", noneOf: [] },
    { questionId: "trade", chosenAtLeast: 1 },
    { questionId: "brands", chosenAtMost: -1 },
    { questionId: "brands", chosenAtLeast: "2" },
    { attribute: "plan", notContains: "" },
    { attribute: "plan", noneOf: [null] },
    { attribute: "plan", chosenAtLeast: 1 },
  ];
  const { status, body } = await client.call("PUT", `/screeners/${screener}/content`, {
    body: { pages: pages(), qualifyWhen: { any } },
  });
  assert.equal(status, 400);
  assert.deepEqual(
    body.errors.map(({ pointer, message }: { pointer: string; message: string }) => [
      pointer.replace("/qualifyWhen/any/", ""),
      message,
    ]),
    [
      ["0/isNot", "does not go with a multi select; use notContains"],
      ["1/noneOf", "does not go with a multi select; use all of notContains"],
      ["2/notContains", "does not go with a single select; use isNot"],
      ["3/noneOf/1", "is not an option of the question"],
      ["4/noneOf", "must be an array with at least one value"],
      ["5/chosenAtLeast", "goes only with multi select and ranking questions"],
      ["6/chosenAtMost", "must be a whole number of options, from 0 to 501"],
      ["7/chosenAtLeast", "must be a whole number of options, from 0 to 501"],
      ["8/notContains", "must be a string that is not empty"],
      ["9/noneOf/0", "must be a string, a number, true or false"],
      [
        "10/chosenAtLeast",
        "is not an operator of attributes; it must be one of exists, is, equals, oneOf, contains, lessThan, atMost, greaterThan, atLeast, isNot, noneOf, notContains",
      ],
    ],
  );
});
