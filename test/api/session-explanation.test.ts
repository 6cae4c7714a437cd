// Why a session ended as it did: the explanation of its outcome, rule by rule.

import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { whenFree } from "../../db/sqlite/when-free.ts";
import { retain } from "../../src/screening/retention.ts";
import { setRetention } from "../../src/workspaces/lives.ts";
import { findWorkspace } from "../../src/workspaces/queries.ts";
import type { Client } from "../support/client.ts";
import { startService } from "../support/service.ts";
import { invited, type Published, publish } from "../support/study.ts";

const service = await startService();
const client = service.workspace();

const single = (id: string, more: object = {}) => ({
  id,
  key: id,
  _type: "ScreenerSingleSelectQuestion",
  prompt: `${id}?`,
  options: [
    { id: `${id}-tea`, text: "Tea" },
    { id: `${id}-coffee`, text: "Coffee" },
  ],
  allowsWriteIn: true,
  ...more,
});
const numeric = (id: string, more: object = {}) => ({
  id,
  key: id,
  _type: "ScreenerNumericQuestion",
  prompt: `${id}?`,
  ...more,
});

/** Under 18: out. Who drinks is asked what. Out by what is drunk; qualified by age and country. */
const content = {
  pages: [
    {
      title: "You",
      disqualifyWhen: { questionId: "age", lessThan: 18 },
      questions: [numeric("age", { required: true }), numeric("cups")],
    },
    {
      title: "Drinks",
      showWhen: { questionId: "cups", atLeast: 1 },
      disqualifyWhen: {
        not: {
          any: [
            { questionId: "drink", equals: "drink-tea" },
            { questionId: "cups", atMost: 2 },
          ],
        },
      },
      questions: [single("drink")],
    },
  ],
  qualifyWhen: {
    all: [
      { questionId: "age", atMost: 65 },
      { attribute: "country", oneOf: ["GB", "IE"] },
    ],
  },
};

// biome-ignore lint/suspicious/noExplicitAny: what the service answers is looked at as it comes
type Shown = any;

async function explained(session: string, by: Client = client): Promise<Shown> {
  const { status, body, text } = await by.get(`/screener-sessions/${session}/explanation`);
  assert.equal(status, 200, text);
  return body;
}

/** A session of a new participant who lives in a country. */
async function open(study: Published, country: string | null): Promise<{ session: string; participant: string }> {
  const externalUid = `P-${Math.random()}`;
  const row = { externalUid, email: `${externalUid}@example.org`, name: "N", attributes: { country } };
  const imported = await client.import(study.screener, [row]);
  const { body } = await client.open(imported.body[0].id);
  return { session: body.id, participant: imported.body[0].participantId };
}

function submit({ question }: Published, session: string, given: Record<string, unknown>, complete?: boolean) {
  const responses = Object.entries(given).map(([key, answer]) => ({ screenerQuestionId: question[key], answer }));
  return client.post(`/screener-sessions/${session}/responses`, { responses, complete });
}

/** The results of the rules, with a mark at the one that decides. */
const results = ({ rules }: Shown) =>
  rules.map(({ kind, result, decides }: Shown) => `${kind} ${result}${decides ? " decides" : ""}`);
const states = ({ answers }: Shown) => Object.fromEntries(answers.map((one: Shown) => [one.prompt, one.state]));
const tea = [{ text: "Tea" }];
const maté = [{ text: "Tea", isWriteIn: true }];

const cases: {
  given: Record<string, unknown>;
  country: string | null;
  results: string[];
  sentence: string;
  states: Record<string, string>;
}[] = [
  {
    given: { age: 16 },
    country: "GB",
    results: ["DISQUALIFY_WHEN HOLDS decides", "DISQUALIFY_WHEN NOT_SHOWN", "QUALIFY_WHEN NOT_REACHED"],
    sentence: "Screened out by the page “You”: “age?” is less than 18. “age?” was answered 16.",
    states: { "age?": "ANSWERED", "cups?": "SKIPPED", "drink?": "NOT_SHOWN" },
  },
  {
    given: { age: 30, cups: 3, drink: maté },
    country: "GB",
    results: ["DISQUALIFY_WHEN DOES_NOT_HOLD", "DISQUALIFY_WHEN HOLDS decides", "QUALIFY_WHEN NOT_REACHED"],
    sentence:
      "Screened out by the page “Drinks”: it is not true that (“drink?” is “Tea” or “cups?” is at most 2). " +
      "“drink?” was answered “Tea (write-in)”, “cups?” was answered 3.",
    states: { "age?": "ANSWERED", "cups?": "ANSWERED", "drink?": "ANSWERED" },
  },
  {
    given: { age: 30, cups: null },
    country: null,
    results: ["DISQUALIFY_WHEN DOES_NOT_HOLD", "DISQUALIFY_WHEN NOT_SHOWN", "QUALIFY_WHEN DOES_NOT_HOLD decides"],
    sentence:
      "Screened out, because this does not hold: “age?” is at most 65 and the attribute “country” is “GB” or “IE”. " +
      "“age?” was answered 30, the attribute “country” is missing.",
    states: { "age?": "ANSWERED", "cups?": "SKIPPED", "drink?": "NOT_SHOWN" },
  },
  {
    given: { age: 30, cups: 3, drink: tea },
    country: "IE",
    results: ["DISQUALIFY_WHEN DOES_NOT_HOLD", "DISQUALIFY_WHEN DOES_NOT_HOLD", "QUALIFY_WHEN HOLDS"],
    sentence:
      "Qualified: no page screens out, and this holds: “age?” is at most 65 and the attribute “country” is “GB” or “IE”. " +
      "“age?” was answered 30, the attribute “country” is “IE”.",
    states: { "age?": "ANSWERED", "cups?": "ANSWERED", "drink?": "ANSWERED" },
  },
];

test("a completed session shows which rule decided, and by what; also when a newer publication has other rules", async () => {
  const study = await publish(client, content);
  const shown: [session: string, before: Shown][] = [];
  for (const { given, country, ...expected } of cases) {
    const { session } = await open(study, country);
    assert.equal((await submit(study, session, given, true)).body.state, "COMPLETED");
    const explanation = await explained(session);
    const { sentence, judgedNow, basis, outcome, outcomeReason } = explanation;
    assert.deepEqual({ results: results(explanation), sentence, states: states(explanation) }, expected);
    assert.deepEqual(judgedNow, { outcome, outcomeReason });
    assert.deepEqual(basis, { answers: "KEPT", attributes: "AS_JUDGED" });
    shown.push([session, explanation]);
  }
  const [, second] = shown[1]!;
  assert.deepEqual(
    second.rules[1].comparisons.map(({ pointer, sentence, holds }: Shown) => [pointer, sentence, holds]),
    [
      ["/not/any/0", "“drink?” is “Tea”", false],
      ["/not/any/1", "“cups?” is at most 2", false],
    ],
  );
  assert.equal(second.rules[1].screenerPageId, study.page.Drinks);
  assert.deepEqual(second.answers.at(-1).answer, [{ optionId: null, text: "Tea", isWriteIn: true }]);
  const [, last] = shown[3]!;
  assert.deepEqual(
    last.rules[1].comparisons.map(({ holds }: Shown) => holds),
    [true, null],
    "what cannot matter any more is not looked at",
  );
  await client.call("PUT", `/screeners/${study.screener}/content`, { body: { pages: [] } });
  await client.post("/screener-publications", { screenerId: study.screener });
  for (const [session, before] of shown) assert.deepEqual(await explained(session), before);
});

test("a session that is not completed shows what is known: what it would come to, or nothing", async () => {
  const study = await publish(client, content);
  const { session } = await open(study, "GB");
  const none = await explained(session);
  assert.deepEqual(
    [none.judgedNow, none.sentence],
    [null, "The session is not started. What it would come to depends on answers that are not there."],
  );
  assert.deepEqual(results(none), ["DISQUALIFY_WHEN UNKNOWN", "DISQUALIFY_WHEN UNKNOWN", "QUALIFY_WHEN UNKNOWN"]);
  await submit(study, session, { age: 70 });
  // Whatever else is answered, the age is too high.
  const old = await explained(session);
  assert.equal(states(old)["cups?"], "NOT_ANSWERED");
  assert.deepEqual(results(old), [
    "DISQUALIFY_WHEN DOES_NOT_HOLD",
    "DISQUALIFY_WHEN UNKNOWN",
    "QUALIFY_WHEN DOES_NOT_HOLD",
  ]);
  await submit(study, session, { age: 17, cups: 3 });
  const { session: second } = await open(study, "GB");
  await submit(study, second, { age: 40, cups: 0 });
  const known = await explained(second);
  assert.deepEqual(known.judgedNow, { outcome: "QUALIFIED", outcomeReason: null });
  assert.match(known.sentence, /^The session is not completed. By what is known it would come to this: Qualified: /);
  assert.equal(known.basis.attributes, "CURRENT");
  const { body: shown } = await client.get(`/screener-sessions/${second}`);
  await client.delete(`/screener-participants/${shown.screenerParticipantId}`);
  const archived = await explained(second);
  assert.match(
    archived.sentence,
    /^The session takes no more answers, and has no outcome. By what is known .*Qualified: /,
  );

  assert.equal((await client.delete(`/screener-sessions/${session}`)).status, 200);
  const removed = await explained(session);
  assert.deepEqual([removed.status, removed.outcome], ["REMOVED", null]);
  assert.match(
    removed.sentence,
    /^The session was removed, and has no outcome. By what is known it would come to this: Screened out by the page “You”/,
  );
});

test("over quota, and a target that has changed since", async () => {
  const { study, link } = await invited(client, { pages: content.pages }, { targetQualifiedParticipants: 1 });
  const { session } = await open(study, null);
  await submit(study, session, { age: 30 });
  await submit(study, link.session, { age: 30, cups: 0 }, true);
  const would = await explained(session);
  assert.deepEqual(results(would).at(-1), "QUOTA UNKNOWN");
  await submit(study, session, { cups: 0 }, true);
  const over = await explained(session);
  assert.deepEqual(results(over).at(-1), "QUOTA HOLDS decides");
  assert.match(over.sentence, /^Full: no rule screens out, but other participants had taken all places/);
  const first = await explained(link.session);
  assert.deepEqual(results(first).at(-1), "QUOTA DOES_NOT_HOLD");
  const change = { targetQualifiedParticipants: null };
  await client.patch(`/screener-publications/${study.publication}`, change);
  const still = await explained(session);
  assert.deepEqual([still.outcomeReason, results(still).at(-1)], ["OVER_QUOTA", "QUOTA HOLDS decides"]);
  assert.equal(results(await explained(link.session)).length, 2);
});

test("attributes that only a quota asks for count as used", async () => {
  const study = await publish(client, {
    pages: [{ questions: [numeric("age")] }],
    quotas: [{ name: "Britain", when: { attribute: "country", is: "GB" }, limit: 5 }],
  });
  const { session, participant } = await open(study, "GB");
  assert.equal((await explained(session)).basis.attributes, "CURRENT");
  await submit(study, session, { age: 30 }, true);
  assert.equal((await explained(session)).basis.attributes, "AS_JUDGED");
  await client.patch(`/participants/${participant}`, { attributes: { country: "US" } });
  const changed = await explained(session);
  assert.deepEqual([changed.basis.attributes, changed.quotas[0].isIn], ["MAY_HAVE_CHANGED", false]);
});

test("what has changed since is said: attributes of the participant, answers that are not kept", async () => {
  const study = await publish(client, content);
  const { session, participant } = await open(study, "GB");
  await submit(study, session, { age: 30, cups: 0 }, true);
  await client.patch(`/participants/${participant}`, { attributes: { country: "US" } });
  const changed = await explained(session);
  assert.deepEqual([changed.outcome, changed.judgedNow.outcomeReason], ["QUALIFIED", "SCREENED_OUT"]);
  assert.equal(changed.basis.attributes, "MAY_HAVE_CHANGED");
  assert.ok(changed.rules.every(({ decides }: Shown) => !decides));
  assert.equal(
    changed.sentence,
    "Qualified, when the rules were looked at; they would come to this now: Screened out. " +
      "The participant was changed since, so other attributes may have been judged.",
  );
  await client.patch(`/participants/${participant}`, { attributes: { country: "IE" } });
  const same = await explained(session);
  assert.deepEqual([same.judgedNow.outcome, same.basis.attributes], ["QUALIFIED", "MAY_HAVE_CHANGED"]);
  assert.match(same.sentence, /^Qualified: .* The participant was changed since, so other attributes may have been/);

  const { session: early } = await open(study, "GB");
  await submit(study, early, { age: 16 }, true);
  const { control, workspaces } = service.context;
  const { id } = findWorkspace(control.reader, client.workspaceId)!;
  const months = { answersMonths: 1, unassignedDays: null };
  await whenFree(control.writer, 5000, () => setRetention(control.writer, id, months));
  retain({ control, workspaces }, Date.now() + 90 * 24 * 3_600_000);
  for (const one of [session, early]) {
    const { basis, sentence, ...rest } = await explained(one);
    assert.equal(basis.answers, "NOT_KEPT");
    assert.match(
      sentence,
      /^(Qualified|Screened out)\. The answers are not kept any more, so it is not known what decided\.$/,
    );
    assert.ok(Object.values(states(rest)).every((state) => state === "NOT_KEPT"));
    assert.deepEqual(results(rest).slice(0, 2), ["DISQUALIFY_WHEN UNKNOWN", "DISQUALIFY_WHEN UNKNOWN"]);
  }
  assert.equal((await explained(early)).judgedNow, null);
});

test("a session that had no answers is no session without its answers", async () => {
  const study = await publish(client, {
    pages: [
      { questions: [], disqualifyWhen: { attribute: "country", is: "US" } },
      { title: "You", questions: [numeric("age")] },
    ],
  });
  const { session } = await open(study, "US");
  await submit(study, session, {}, true);
  const explanation = await explained(session);
  assert.equal(explanation.basis.answers, "KEPT");
  assert.equal(
    explanation.sentence,
    "Screened out by page 1: the attribute “country” is “US”. The attribute “country” is “US”.",
  );
  const { study: plain, link } = await invited(client, { pages: [{ title: "P", questions: [numeric("age")] }] });
  await submit(plain, link.session, { age: 1 }, true);
  const without = await explained(link.session);
  assert.equal(without.sentence, "Neither qualified nor screened out: the content has no rules.");
  assert.deepEqual([without.rules, without.answers], [[], []]);
});

const KEYS = ["a", "b", "c", "d"];
const leaf = (before: readonly string[]) =>
  fc.oneof(
    fc.constantFrom("GB", "US").map((is) => ({ attribute: "country", is })),
    ...(before.length
      ? [
          fc
            .tuple(fc.constantFrom(...before), fc.constantFrom("equals", "lessThan", "atLeast", "answered"), fc.nat(2))
            .map(([questionId, operator, n]) => ({ questionId, [operator]: operator === "answered" ? n > 0 : n })),
        ]
      : []),
  );
const condition = (before: readonly string[]): fc.Arbitrary<object> => {
  const { node } = fc.letrec<{ node: object }>((tie) => ({
    node: fc.oneof(
      { maxDepth: 2, depthSize: "small" },
      leaf(before),
      fc.array(tie("node"), { minLength: 1, maxLength: 3 }).map((all) => ({ all })),
      fc.array(tie("node"), { minLength: 1, maxLength: 3 }).map((any) => ({ any })),
      tie("node").map((not) => ({ not })),
    ),
  }));
  return node;
};
const maybe = (before: readonly string[]) => fc.option(condition(before), { nil: null, freq: 2 });
/** Two pages with two questions each, and conditions wherever they may be. */
const contents = fc
  .tuple(
    maybe([]),
    maybe(["a"]),
    maybe(["a", "b"]),
    maybe(["a", "b"]),
    maybe(["a", "b", "c"]),
    maybe(KEYS),
    maybe(KEYS),
  )
  .map(([a, b, out, second, d, late, qualifyWhen]) => ({
    pages: [
      { title: "1", disqualifyWhen: out, questions: [numeric("a", { showWhen: a }), numeric("b", { showWhen: b })] },
      {
        title: "2",
        showWhen: second,
        disqualifyWhen: late,
        questions: [numeric("c"), numeric("d", { showWhen: d })],
      },
    ],
    qualifyWhen,
  }));
const given = fc.array(fc.dictionary(fc.constantFrom(...KEYS), fc.option(fc.nat(2)), { maxKeys: 4 }), {
  minLength: 1,
  maxLength: 3,
});

test("whatever the content and the answers: the rules come to what was recorded, and what is known early stays", async () => {
  const property = fc.asyncProperty(
    contents,
    fc.array(given, { minLength: 3, maxLength: 3 }),
    fc.constantFrom("GB", "US", null),
    async (random, people, country) => {
      const study = await publish(client, random);
      for (const submissions of people) {
        const { session } = await open(study, country);
        let early = (await explained(session)).judgedNow;
        for (const answers of submissions) {
          const { status, body, text } = await submit(study, session, answers);
          assert.ok(status === 200 || status === 400, text);
          early = body.state === "COMPLETED" ? null : (await explained(session)).judgedNow;
          if (body.state === "COMPLETED") break;
        }
        await submit(study, session, {}, true);
        const { outcome, outcomeReason, judgedNow, rules, state } = await explained(session);
        assert.equal(state, "COMPLETED");
        assert.deepEqual(judgedNow, { outcome, outcomeReason });
        const deciding = rules.filter(({ decides }: Shown) => decides);
        assert.equal(deciding.length, outcome === "DISQUALIFIED" ? 1 : 0);
        assert.ok(rules.every(({ result }: Shown) => result !== "UNKNOWN"));
        // Since then nothing was answered.
        if (early) assert.deepEqual(early, judgedNow);
      }
    },
  );
  await fc.assert(property, { numRuns: 12 });
});

test("sentences stay short, however long texts and rules are", async () => {
  const long = "x".repeat(5000);
  const every = Array.from({ length: 199 }, (_, index) => ({
    questionId: "t",
    contains: `${index}${"z".repeat(500)}`,
  }));
  const question = { id: "t", key: "t", _type: "ScreenerTextQuestion", prompt: long };
  const page = { title: "Long", questions: [question], disqualifyWhen: { any: every } };
  const { study, link } = await invited(client, { pages: [page] });
  await submit(study, link.session, { t: `198${"z".repeat(9000)}` }, true);
  const { rules, sentence, outcome } = await explained(link.session);
  assert.equal(outcome, "DISQUALIFIED");
  const longest = Math.max(...[...rules, ...rules[0].comparisons].map((one: Shown) => one.sentence.length));
  assert.ok(longest <= 1001 && sentence.length < 2000, `${longest}, ${sentence.length}`);
});
