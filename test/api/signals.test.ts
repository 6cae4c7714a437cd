// Signals: what speaks against answers holds a session for a review, is explained there, and decides nothing.

import assert from "node:assert/strict";
import { test } from "node:test";
import { findScreenerKey } from "../../src/signals/keys.ts";
import { signedIn } from "../support/console.ts";
import { readCsv } from "../support/csv.ts";
import { sharedService } from "../support/service.ts";
import { ALL_ON, Browser, COLUMNS, signalsOf, type Watched, watch, watched } from "../support/signals.ts";
import { withScopes } from "../support/store.ts";
import { type Invitation, invite, publish, readSession } from "../support/study.ts";

const service = await sharedService();
const client = service.workspace();

const ONE_LINE = [2, 2, 2, 2, 2];

/** A study with these signals on, whose sessions are all reviewed; and people. */
async function studyWith(signals: object, people: number, review = "ALL") {
  const study = await watch(client, { review, signals });
  return { study, people: await invite(client, study.screener, people) };
}

const kindsOf = async (person: Invitation) => (await signalsOf(client, person))?.map(({ kind }) => kind);
const answer = (study: Watched, person: Invitation, given = {}) => new Browser(service).answer(study, person, given);

test("all are off at first; what is sent replaces them, with what it leaves out", async () => {
  const { study, people } = await studyWith({ hurried: {}, sameText: { minLength: 12 } }, 1);
  const read = async () => (await client.get(`/screeners/${study.screener}`)).body.signals;
  const off = Object.fromEntries(Object.keys(ALL_ON).map((name) => [name, null]));
  assert.deepEqual(await read(), { ...off, hurried: { share: 0.4 }, sameText: { minLength: 12 } });
  const wrong = await client.patch(`/screeners/${study.screener}`, {
    signals: { hurried: { share: 2 }, sameAddress: { minSessions: 1 } },
  });
  assert.equal(wrong.status, 400);
  assert.deepEqual(
    wrong.body.errors.map(({ pointer }: { pointer: string }) => pointer),
    ["/signals/hurried/share", "/signals/sameAddress/minSessions"],
  );
  await client.patch(`/screeners/${study.screener}`, { signals: {} });
  assert.deepEqual(await read(), off);
  // Nothing is looked for, and no cookie is set.
  const browser = new Browser(service);
  await browser.answer(study, people[0]!, { line: ONE_LINE, read: "Red", trap: "x" });
  assert.deepEqual(await kindsOf(people[0]!), []);
  assert.equal(browser.cookie, "");
});

test("with SIGNALS, who qualifies waits for a review if anything speaks against it", async () => {
  const { study, people } = await studyWith({ straightLines: {}, attentionCheck: {} }, 3, "SIGNALS");
  const [ada, bea, cem] = people as [Invitation, Invitation, Invitation];
  await answer(study, ada);
  await answer(study, bea, { line: ONE_LINE, read: "Red" });
  assert.equal((await readSession(client, ada.session)).review, null);
  const held = await readSession(client, bea.session);
  assert.equal(held.review.state, "PENDING");
  const [line, check] = held.review.signals;
  assert.deepEqual([line.kind, line.screenerQuestionIds], ["STRAIGHT_LINES", [study.question.often]]);
  assert.deepEqual([check.kind, check.screenerPageIds], ["ATTENTION_CHECK", [study.page.Food]]);
  // The outcome is what the rules say.
  const { body: explained } = await client.get(`/screener-sessions/${bea.session}/explanation`);
  assert.equal(explained.outcome, "UNKNOWN");
  // A program's answers are looked at, too.
  const { question, option, rows, columns } = study;
  const sent = await client.post(`/screener-sessions/${cem.session}/responses`, {
    responses: [
      {
        screenerQuestionId: question.often,
        answer: { rows: rows.map((rowId) => ({ rowId, choices: [{ columnId: columns[1] }] })) },
      },
      { screenerQuestionId: question.why, answer: "Because" },
      { screenerQuestionId: question.read, answer: [{ optionId: option["read/Blue"] }] },
      { screenerQuestionId: question.age, answer: 44 },
    ],
    complete: true,
  });
  assert.equal(sent.status, 200, sent.text);
  assert.deepEqual(await kindsOf(cem), ["STRAIGHT_LINES"]);
  assert.equal(sent.body.review.signals, undefined);
});

test("one straight matrix among several says nothing; more than half of them do", async () => {
  const matrix = (key: string) => ({
    ...{ id: key, key, _type: "ScreenerMatrixQuestion", prompt: key, required: true },
    ...{ rows: ["a", "b", "c", "d", "e"].map((text) => ({ text })), columns: COLUMNS.map((text) => ({ text })) },
  });
  const study = await publish(client, { pages: [{ title: "Food", questions: ["one", "two", "three"].map(matrix) }] });
  await client.patch(`/screeners/${study.screener}`, { review: "ALL", signals: { straightLines: {} } });
  const { pages } = (await client.get(`/screener-publications/${study.publication}/content`)).body;
  const { questions } = pages[0];
  const [ada, bea] = (await invite(client, study.screener, 2)) as [Invitation, Invitation];
  /** @param straight in how many of the matrices all rows have the same column */
  const submit = async ({ session }: Invitation, straight: number) => {
    const responses = questions.map(({ id, rows, columns }: (typeof questions)[number], at: number) => ({
      screenerQuestionId: id,
      answer: {
        rows: rows.map((row: { id: string }, index: number) => ({
          rowId: row.id,
          choices: [{ columnId: columns[at < straight ? 1 : index % 3].id }],
        })),
      },
    }));
    const sent = await client.post(`/screener-sessions/${session}/responses`, { responses, complete: true });
    assert.equal(sent.status, 200, sent.text);
  };
  await submit(ada, 1);
  await submit(bea, 2);
  assert.deepEqual(await kindsOf(ada), []);
  const [line] = (await signalsOf(client, bea))!;
  assert.deepEqual(
    [line!.kind, line!.screenerQuestionIds],
    ["STRAIGHT_LINES", [study.question.one, study.question.two]],
  );
});

test("several texts that are the same are named in the order of the questions", async () => {
  const keys = ["one", "two", "three", "four", "five", "six"];
  const text = (key: string) => ({ id: key, key, _type: "ScreenerTextQuestion", prompt: key });
  const study = await publish(client, { pages: [{ title: "Food", questions: keys.map(text) }] });
  await client.patch(`/screeners/${study.screener}`, { review: "ALL", signals: { sameText: { minLength: 20 } } });
  const people = (await invite(client, study.screener, 2)) as [Invitation, Invitation];
  for (const { session } of people) {
    const responses = keys.map((key) => ({
      screenerQuestionId: study.question[key],
      answer: `What I think of ${key} is long enough to be compared`,
    }));
    const sent = await client.post(`/screener-sessions/${session}/responses`, { responses, complete: true });
    assert.equal(sent.status, 200, sent.text);
  }
  const [same] = (await signalsOf(client, people[1]))!;
  assert.deepEqual(
    same!.screenerQuestionIds,
    keys.map((key) => study.question[key]),
  );
});

test("two people are told of each other, and a reviewer alone learns who", async () => {
  const { study, people } = await studyWith(ALL_ON, 4);
  const [ada, bea, cem, dan] = people as [Invitation, Invitation, Invitation, Invitation];
  await answer(study, ada, { why: "They taste good, and my children eat them." });
  await answer(study, bea, { why: "THEY TASTE GOOD – and my children eat them!!" });
  const [copied] = (await signalsOf(client, bea))!;
  const { reference } = await readSession(client, ada.session);
  assert.deepEqual(
    [copied!.kind, copied!.others, copied!.otherReference, copied!.screenerQuestionIds],
    ["SAME_TEXT", 1, reference, [study.question.why]],
  );
  assert.deepEqual(await kindsOf(ada), ["SAME_TEXT"]);
  const reviewer = await signedIn(service, client.workspaceId, "researcher", "re@example.org");
  const shown = await reviewer.get(
    `/console/studies/${study.screener}/review?session=${(await readSession(client, bea.session)).reference}`,
  );
  assert.match(shown.text, /The same text as 1 other person, apart from case and punctuation: “Why\?”\./);
  assert.ok(shown.text.includes(`/answers/${reference}`));
  const answers = await reviewer.get(`/console/studies/${study.screener}/answers/${reference}`);
  assert.match(answers.text, /Reasons to doubt the answers[\s\S]*The same text as 1 other person/);
  // Short answers may be the same.
  await answer(study, cem, { why: "I like them" });
  await answer(study, dan, { why: "I like them" });
  assert.deepEqual(await kindsOf(dan), []);

  const reader = await withScopes(service, client, ["read"]);
  assert.equal(await signalsOf(reader, bea), undefined);
  assert.equal((await readSession(reader, bea.session)).review.state, "PENDING");
  const viewer = await signedIn(service, client.workspaceId, "viewer", "vi@example.org");
  const seen = await viewer.get(`/console/studies/${study.screener}/answers/${reference}`);
  assert.equal(seen.status, 200);
  assert.doesNotMatch(seen.text, /same text/i);
  const exported = async () => {
    const { participantId } = (await client.get(`/screener-participants/${bea.assignment}`)).body;
    return (await client.get(`/participants/${participantId}/export`)).text;
  };
  assert.doesNotMatch(await exported(), /SAME_TEXT|signals/);
  assert.ok(!(await exported()).includes(reference));
  const { text: page } = await new Browser(service).get(bea.path);
  assert.doesNotMatch(page, /SAME_TEXT|signal/i);
  // An erasure of either removes it from both.
  const { participantId } = (await client.get(`/screener-participants/${ada.assignment}`)).body;
  assert.equal((await client.delete(`/participants/${participantId}`)).status, 200);
  assert.deepEqual(await kindsOf(bea), []);
});

test("of three who have the same in common, the other two have it still when one is erased", async () => {
  const { study, people } = await studyWith({ sameText: { minLength: 12 } }, 4);
  const [ada, bea, cem, dan] = people as [Invitation, Invitation, Invitation, Invitation];
  const why = "They taste great on the street.";
  await answer(study, ada, { why: why.replace("street", "straße") });
  for (const person of [bea, cem]) await answer(study, person, { why: why.toUpperCase().replace("STREET", "STRASSE") });
  const named = async (person: Invitation) =>
    (await signalsOf(client, person))!.map(({ kind, otherReference }) => [kind, otherReference]);
  const [first, second, third] = await Promise.all(
    [ada, bea, cem].map(async ({ session }) => (await readSession(client, session)).reference),
  );
  assert.deepEqual(await named(bea), [["SAME_TEXT", first]]);
  assert.deepEqual(await named(cem), [["SAME_TEXT", first]]);
  assert.equal((await signalsOf(client, ada))![0]!.others, 2, "also those who came later");
  const erase = async ({ assignment }: Invitation) => {
    const { participantId } = (await client.get(`/screener-participants/${assignment}`)).body;
    assert.equal((await client.delete(`/participants/${participantId}`)).status, 200);
  };
  await erase(ada);
  assert.deepEqual(await named(bea), [["SAME_TEXT", third]]);
  assert.deepEqual(await named(cem), [["SAME_TEXT", second]]);
  assert.equal((await signalsOf(client, cem))![0]!.others, 1);
  // Who comes later is compared with those who are left.
  await answer(study, dan, { why: why.replace("street", "Strasse") });
  assert.deepEqual(await named(dan), [["SAME_TEXT", second]]);
  await erase(bea);
  assert.deepEqual((await named(cem))[0]![0], "SAME_TEXT");
  await erase(cem);
  assert.deepEqual(await named(dan), []);
});

test("who came first, and was not to be reviewed, has what others are found to have in common with them", async () => {
  const { study, people } = await studyWith({ sameText: { minLength: 12 } }, 2, "SIGNALS");
  const [ada, bea] = people as [Invitation, Invitation];
  await answer(study, ada, { why: "They taste good, and my children eat them." });
  assert.equal((await readSession(client, ada.session)).signals, undefined);
  await answer(study, bea, { why: "They taste good, and my children eat them." });
  const first = await readSession(client, ada.session);
  const { reference } = await readSession(client, bea.session);
  assert.deepEqual([first.review, first.signals.length], [null, 1]);
  assert.deepEqual([first.signals[0].kind, first.signals[0].otherReference], ["SAME_TEXT", reference]);
  const reader = await withScopes(service, client, ["read"]);
  assert.equal((await readSession(reader, ada.session)).signals, undefined);
  const reviewer = await signedIn(service, client.workspaceId, "researcher", "first@example.org");
  const page = await reviewer.get(`/console/studies/${study.screener}/answers/${first.reference}`);
  assert.match(page.text, /The same text as 1 other person/);
});

test("one browser, one block of addresses, one mailbox", async () => {
  const { study, people } = await studyWith(ALL_ON, 8);
  const [ada, bea, ...others] = people as [Invitation, Invitation, ...Invitation[]];
  const browser = new Browser(service);
  await browser.answer(study, ada);
  assert.match(browser.cookie, new RegExp(`^browser-${study.screener}=[\\w-]{22}\\.[\\w-]{22}$`));
  await browser.answer(study, bea);
  assert.deepEqual(await kindsOf(bea), ["SAME_BROWSER"]);
  assert.deepEqual(await kindsOf(ada), ["SAME_BROWSER"]);
  const [cem, dan, eva, fay, gus, hal] = others as Invitation[];
  // A cookie that the study has not signed says nothing.
  const forged = new Browser(service);
  forged.cookie = browser.cookie.replace(/.$/, (last) => (last === "A" ? "B" : "A"));
  await forged.answer(study, cem!);
  assert.deepEqual(await kindsOf(cem!), []);
  for (const [index, person] of [dan!, eva!, fay!].entries())
    await new Browser(service, `127.200.7.${index + 1}`).answer(study, person);
  for (const person of [dan!, eva!, fay!]) assert.deepEqual(await kindsOf(person), ["SAME_ADDRESS"]);
  assert.equal((await signalsOf(client, fay!))![0]!.others, 2);
  for (const [person, email] of [
    [gus!, "gus.smith+a@gmail.com"],
    [hal!, "GusSmith@googlemail.com"],
  ] as const) {
    const { participantId } = (await client.get(`/screener-participants/${person.assignment}`)).body;
    await client.patch(`/participants/${participantId}`, { email });
    await answer(study, person);
  }
  assert.deepEqual(await kindsOf(hal!), ["SAME_EMAIL"]);
});

test("a closed study forgets browsers and addresses; opened again, it begins anew", async () => {
  const { study, people } = await studyWith({ sameBrowser: {} }, 3);
  const [ada, bea, cem] = people as [Invitation, Invitation, Invitation];
  const keyOf = () => findScreenerKey(service.context.control.reader, client.workspaceId, study.screener);
  const first = keyOf();
  assert.equal(first?.length, 32);
  const browser = new Browser(service);
  await browser.answer(study, ada);
  const acceptance = (value: string) => client.patch(`/screeners/${study.screener}`, { acceptance: value });
  await acceptance("CLOSED");
  assert.equal(keyOf(), undefined);
  await acceptance("OPEN");
  assert.notDeepEqual(keyOf(), first);
  const former = browser.cookie;
  await browser.answer(study, bea);
  assert.notEqual(browser.cookie, former);
  assert.deepEqual(await kindsOf(bea), []);
  await browser.answer(study, cem);
  assert.deepEqual(await kindsOf(cem), ["SAME_BROWSER"]);
  // Without signals that need it, there is none.
  await client.patch(`/screeners/${study.screener}`, { signals: { sameText: {} } });
  assert.equal(keyOf(), undefined);
});

test("a contradiction with an attribute, and a field that people do not see", async () => {
  const study = await watch(client, { review: "ALL", signals: { contradiction: {}, hiddenField: {} } });
  const people = await invite(client, study.screener, 3, (index) => ({ generation: index ? "older" : "younger" }));
  const [ada, bea, cem] = people as [Invitation, Invitation, Invitation];
  await answer(study, ada, { age: 20 });
  await answer(study, bea, { age: 20 });
  await answer(study, cem, { trap: "https://example.org" });
  assert.deepEqual(await kindsOf(ada), []);
  assert.deepEqual(await kindsOf(bea), ["CONTRADICTION"]);
  assert.deepEqual(await kindsOf(cem), ["HIDDEN_FIELD"]);
  const { reference } = await readSession(client, bea.session);
  const reviewer = await signedIn(service, client.workspaceId, "researcher", "evidence@example.org");
  const shown = await reviewer.get(`/console/studies/${study.screener}/answers/${reference}`);
  assert.match(shown.text, /A contradiction: [^<]*: “Age\?” is less than 30 and [^<]*generation[^<]*older/);
  const { text } = await new Browser(service).get((await invite(client, study.screener, 4))[3]!.path);
  assert.match(text, /class="unseen" aria-hidden="true"><label for="website">/);
});

test("nobody fails a check of what was not asked", async () => {
  const choice = (key: string, more = {}) => ({
    ...{ id: key, key, _type: "ScreenerSingleSelectQuestion", prompt: key, required: true, ...more },
    options: ["Yes", "No"].map((text) => ({ id: text.toLowerCase(), text })),
  });
  const isNot = (questionId: string) => ({ questionId, isNot: "yes" });
  const study = await publish(client, {
    pages: [
      { title: "First", disqualifyWhen: isNot("in"), questions: [choice("in"), choice("more")] },
      {
        title: "Second",
        attentionCheck: { when: { any: [isNot("hidden"), isNot("seen")] } },
        contradictsWhen: { all: [isNot("more"), { attribute: "country", exists: false }] },
        questions: [choice("hidden", { showWhen: { questionId: "more", equals: "yes" } }), choice("seen")],
      },
    ],
  });
  await client.patch(`/screeners/${study.screener}`, {
    review: "SIGNALS",
    signals: { attentionCheck: {}, contradiction: {} },
  });
  const people = await invite(client, study.screener, 4);
  const submit = async ({ session }: Invitation, given: Record<string, "Yes" | "No">) => {
    const responses = Object.entries(given).map(([key, text]) => ({
      screenerQuestionId: study.question[key],
      answer: [{ optionId: study.option[`${key}/${text}`] }],
    }));
    const sent = await client.post(`/screener-sessions/${session}/responses`, { responses, complete: true });
    assert.equal(sent.status, 200, sent.text);
    const { review, signals = [] } = await readSession(client, session);
    return [...(review?.signals ?? []), ...signals].map(({ kind }: { kind: string }) => kind);
  };
  const [ada, bea, cem, dan] = people as [Invitation, Invitation, Invitation, Invitation];
  assert.deepEqual(await submit(ada, { in: "Yes", more: "Yes", hidden: "Yes", seen: "Yes" }), []);
  assert.deepEqual(await submit(bea, { in: "Yes", more: "No", seen: "Yes" }), ["CONTRADICTION"], "hidden is not asked");
  assert.deepEqual(await submit(cem, { in: "Yes", more: "Yes", hidden: "No", seen: "Yes" }), ["ATTENTION_CHECK"]);
  assert.deepEqual(await submit(dan, { in: "No", more: "No" }), [], "screened out before");
});

test("whom a quota turns away on the way is compared with others, too", async () => {
  const quotas = [{ name: "Nobody", when: { questionId: "read", equals: "red" }, mode: "LIMIT", limit: 0 }];
  const [page] = watched.pages;
  const study = await publish(client, {
    quotas,
    pages: [page, { title: "More", questions: [{ key: "more", _type: "ScreenerTextQuestion", prompt: "More?" }] }],
  });
  await client.patch(`/screeners/${study.screener}`, { review: "SIGNALS", signals: { sameText: { minLength: 12 } } });
  const people = (await invite(client, study.screener, 2)) as [Invitation, Invitation];
  for (const { session } of people) {
    const responses = [
      { screenerQuestionId: study.question.why, answer: "They taste good, and my children eat them." },
      { screenerQuestionId: study.question.read, answer: [{ optionId: study.option["read/Red"] }] },
      { screenerQuestionId: study.question.age, answer: 40 },
    ];
    const rows = (await client.get(`/screener-publications/${study.publication}/content`)).body.pages[0].questions[0];
    const answer = {
      rows: rows.rows.map(({ id }: { id: string }) => ({ rowId: id, choices: [{ columnId: rows.columns[0].id }] })),
    };
    const all = [{ screenerQuestionId: study.question.often, answer }, ...responses];
    const sent = await client.post(`/screener-sessions/${session}/responses`, { responses: all });
    assert.equal(sent.body.outcomeReason, "OVER_QUOTA", sent.text);
  }
  for (const { session } of people)
    assert.deepEqual(
      (await readSession(client, session)).signals.map(({ kind }: { kind: string }) => kind),
      ["SAME_TEXT"],
    );
});

test("who hurries is much faster than half of the others, as soon as enough have answered", async () => {
  const { study, people } = await studyWith({ hurried: { share: 0.4 } }, 24);
  for (const [index, person] of people.slice(0, 20).entries())
    await answer(study, person, { ms: index ? 20_000 + 500 * index : 1000 });
  // There were no others yet.
  assert.deepEqual(await kindsOf(people[0]!), []);
  await answer(study, people[20]!, { ms: 5000 });
  await answer(study, people[21]!, { ms: 15_000 });
  assert.deepEqual(await kindsOf(people[21]!), []);
  const [hurried] = (await signalsOf(client, people[20]!))!;
  const { kind, pages, fasterPages, seconds, medianSeconds } = hurried!;
  assert.deepEqual([kind, pages, fasterPages], ["HURRIED", 1, 1]);
  assert.ok(Number(seconds) >= 5 && Number(seconds) < 10, `${seconds}`);
  assert.ok(Math.abs(Number(medianSeconds) - 24.5) < 4, `${medianSeconds}`);
});

test("answers and exports have the kinds, and are filtered by them", async () => {
  const { study, people } = await studyWith({ straightLines: {} }, 2);
  await answer(study, people[0]!);
  await answer(study, people[1]!, { line: ONE_LINE });
  const path = `/screeners/${study.screener}/answers?columns=session.signals&filter[signal]`;
  const [found] = (await client.get(`${path}[eq]=STRAIGHT_LINES`)).body.items;
  assert.deepEqual(
    [found.screenerSessionId, found.values],
    [people[1]!.session, { "session.signals": "STRAIGHT_LINES" }],
  );
  assert.equal((await client.get(`${path}[in][]=HURRIED&filter[signal][in][]=SAME_TEXT`)).body.total, 0);
  assert.equal((await client.get(`${path}[ne]=STRAIGHT_LINES`)).body.total, 1);
  const csv = await client.call("GET", `/screeners/${study.screener}/export?filter[signal][eq]=STRAIGHT_LINES`, {
    headers: { Accept: "text/csv" },
  });
  const rows = readCsv(csv.text);
  assert.equal(rows.length, 1);
  assert.equal(rows[0]!["session.signals"], "STRAIGHT_LINES");
  // In the console each is a chip in the row, which leads to all who have it.
  const viewer = await signedIn(service, client.workspaceId, "viewer", "chips@example.org");
  const table = `/console/studies/${study.screener}/answers`;
  const { text } = await viewer.get(table);
  const chips = [...text.matchAll(/<ul class="chips"><li><a href="([^"]*)">Straight lines<\/a>/g)];
  assert.equal(chips.length, 1);
  const filtered = await viewer.get(chips[0]![1]!.replaceAll("&amp;", "&"));
  assert.match(filtered.text, /Signal is “Straight lines”/);
  assert.match(filtered.text, /1 person has started, and match/);
});
