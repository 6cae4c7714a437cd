// Arms: each session is given one of each assignment, by chance or where the fewest are.

import assert from "node:assert/strict";
import { test } from "node:test";
import { faultsOfArms, givenUpArms } from "../../src/arms/queries.ts";
import { readCsv } from "../support/csv.ts";
import { men, pages, women } from "../support/quota-pages.ts";
import { sharedService } from "../support/service.ts";
import { writeTo } from "../support/store.ts";
import { type Invitation, invite, type Published, publish, readAnswers, readSession } from "../support/study.ts";
import { formOf, isPage, Visitor } from "../support/visitor.ts";

const service = await sharedService();
const client = service.workspace();

interface Given {
  assignmentId: string;
  assignmentName: string;
  armId: string;
  armName: string;
}

const send = (study: Published, { session }: Invitation, given: object, complete = false) => {
  const { sex, ...numbers } = given as { sex?: string };
  const responses = [
    ...(sex === undefined ? [] : [{ screenerQuestionId: study.question.sex!, answer: [{ text: sex }] }]),
    ...Object.entries(numbers).map(([key, answer]) => ({ screenerQuestionId: study.question[key]!, answer })),
  ];
  return client.post(`/screener-sessions/${session}/responses`, { responses, complete });
};

/** The names of a session's arms, by those of the assignments. */
const armsOf = async ({ session }: Invitation) =>
  Object.fromEntries(
    ((await readSession(client, session)).arms as Given[]).map(({ assignmentName, armName }) => [
      assignmentName,
      armName,
    ]),
  );

const concepts = {
  id: "concept",
  name: "Concept",
  arms: [
    { id: "a", name: "A" },
    { id: "b", name: "B" },
  ],
};

test("a session is given an arm as soon as all that the arms ask about is answered, and keeps it", async () => {
  const study = await publish(client, {
    pages,
    assignments: [
      {
        name: "Price",
        arms: [
          { name: "Low", when: women },
          { name: "High", when: men },
        ],
      },
      concepts,
    ],
  });
  const [ada, bea] = (await invite(client, study.screener, 2)) as [Invitation, Invitation];
  assert.deepEqual((await readSession(client, ada.session)).arms, []);
  // Whom the arms of the first assignment are for is not known yet.
  await send(study, ada, { age: 40 });
  assert.deepEqual(Object.keys(await armsOf(ada)), ["Concept"]);
  const first = await send(study, ada, { sex: "Woman" });
  assert.equal(first.status, 200, first.text);
  const { arms } = first.body as { arms: Given[] };
  assert.deepEqual(
    arms.map(({ assignmentName, armName }) => [assignmentName, armName === "A" || armName === "B" ? "one" : armName]),
    [
      ["Price", "Low"],
      ["Concept", "one"],
    ],
  );
  await send(study, ada, { sex: "Man" });
  const { body } = await send(study, ada, { town: "York" }, true);
  assert.equal(body.state, "COMPLETED");
  assert.deepEqual(body.arms, arms);
  // Somebody who is screened out before has none.
  await send(study, bea, { age: 12 });
  assert.deepEqual(await armsOf(bea), {});
  const table = readCsv((await client.get(`/screeners/${study.screener}/export`)).text);
  assert.deepEqual(
    table.map((row) => [row["arms.Price"], row["arms.Concept"]]),
    [
      ["Low", (await armsOf(ada)).Concept],
      ["", ""],
    ],
  );
  const codebook = readCsv((await client.get(`/screeners/${study.screener}/codebook`)).text);
  assert.deepEqual(
    codebook.flatMap(({ column, type, option }) => (column!.startsWith("arms.") ? [[column, type, option]] : [])),
    [
      ["arms.Price", "one arm", "Low"],
      ["arms.Price", "one arm", "High"],
      ["arms.Concept", "one arm", "A"],
      ["arms.Concept", "one arm", "B"],
    ],
  );
});

test("errors of assignments and of conditions that ask for arms are listed at once", async () => {
  const screener = await client.screener();
  const { status, body } = await client.call("PUT", `/screeners/${screener}/content`, {
    body: {
      pages: [
        {
          showWhen: { arm: "nothing", is: "a" },
          questions: [
            { id: "q", _type: "ScreenerTextQuestion", prompt: "Q?", showWhen: { arm: "one", is: "nothing" } },
            { id: "r", _type: "ScreenerTextQuestion", prompt: "R?", showWhen: { questionId: "q", answered: true } },
          ],
        },
      ],
      qualifyWhen: { arm: "one", is: "a", also: true },
      quotas: [{ name: "A", limit: 1, when: { arm: "one", is: 1 } }],
      assignments: [
        {
          id: "one",
          name: "One",
          arms: [
            { id: "a", name: "A", when: { arm: "one", is: "a" } },
            { id: "a", name: "A", when: { arm: "two", is: "b" } },
            { name: "", when: { questionId: "nothing", answered: true }, more: 1 },
          ],
        },
        { id: "two", name: "One ", pick: "FIRST", arms: [] },
        { id: "one", name: "Three", arms: [{ name: "C", when: { questionId: "r", answered: true } }] },
        "four",
      ],
    },
  });
  assert.equal(status, 400);
  assert.deepEqual(
    body.errors.map(({ pointer, message }: { pointer: string; message: string }) => `${pointer} ${message}`).sort(),
    [
      "/assignments/0/arms/0/when/arm refers to an assignment that does not come before this condition",
      "/assignments/0/arms/1/id is given twice",
      "/assignments/0/arms/1/name is another arm's name in this assignment",
      "/assignments/0/arms/1/when/arm refers to an assignment that does not come before this condition",
      "/assignments/0/arms/2/more is not known",
      "/assignments/0/arms/2/name is required",
      "/assignments/0/arms/2/when/questionId refers to no question of this content",
      "/assignments/1/arms must have at least one arm",
      "/assignments/1/name is another assignment's name",
      "/assignments/1/pick must be LEAST_FULL or RANDOM",
      "/assignments/2/id is given twice",
      "/assignments/3 must be an object",
      "/pages/0/questions/0/showWhen/is refers to no arm of this assignment",
      "/pages/0/showWhen/arm refers to no assignment of this content",
      "/qualifyWhen/also is not known; did you mean all?",
      "/quotas/0/when/is refers to no arm of this assignment",
    ],
  );
  const many = (length: number, item: (index: number) => object) => Array.from({ length }, (_, index) => item(index));
  const arm = (index: number) => ({ name: `Arm ${index}` });
  const tooMany = await client.call("PUT", `/screeners/${screener}/content`, {
    body: {
      pages: [],
      assignments: many(21, (index) => ({ name: `Assignment ${index}`, arms: many(index ? 1 : 51, arm) })),
    },
  });
  assert.deepEqual(tooMany.body.errors, [
    { pointer: "/assignments", message: "must have at most 20 items" },
    { pointer: "/assignments/0/arms", message: "must have at most 50 items" },
  ]);
});

test("who may be given an arm can't hang on a question that the arm itself shows", async () => {
  const screener = await client.screener();
  const question = { _type: "ScreenerTextQuestion", prompt: "Q?" };
  const put = (when: object) =>
    client.call("PUT", `/screeners/${screener}/content`, {
      body: {
        pages: [
          { showWhen: { arm: "one", is: "a" }, questions: [{ ...question, id: "q" }] },
          { questions: [{ ...question, id: "r", showWhen: { not: { questionId: "q", answered: true } } }] },
          { showWhen: { arm: "two", is: "c" }, questions: [{ ...question, id: "s" }] },
        ],
        assignments: [
          { id: "one", name: "One", arms: [{ id: "a", name: "A" }, { name: "B" }] },
          { id: "two", name: "Two", arms: [{ id: "c", name: "C", when }] },
        ],
      },
    });
  assert.equal((await put({ questionId: "r", answered: true })).status, 200);
  const { status, body } = await put({
    any: [
      { questionId: "q", answered: true },
      { questionId: "s", answered: true },
    ],
  });
  assert.deepEqual(
    [status, body.errors],
    [
      400,
      [
        {
          pointer: "/assignments/1/arms/0/when",
          message: "refers to a question that is shown by an arm of this assignment or of a later one",
        },
      ],
    ],
  );
});

const two = (more: object = {}) => ({ ...concepts, ...more });
const names = async (links: readonly Invitation[]) =>
  Promise.all(links.map(async (link) => (await armsOf(link)).Concept));
const tally = (given: readonly (string | undefined)[]) =>
  Object.fromEntries(["A", "B", "C"].map((name) => [name, given.filter((one) => one === name).length]));
const arm = (is: string) => ({ arm: "concept", is });
const quotaOf = async (screener: string, name: string) =>
  (await client.all(`/screeners/${screener}/quotas`)).find((quota) => quota.name === name) as {
    id: string;
    taken: number;
  };

test("the least full arm is drawn, exactly, however many submit at once", async () => {
  const arms = [...concepts.arms, { id: "c", name: "C" }];
  const study = await publish(client, { pages, assignments: [two({ arms })] });
  const links = await invite(client, study.screener, 51);
  const replies = await Promise.all(links.map((link) => send(study, link, { sex: "Woman" })));
  assert.deepEqual(
    replies.filter(({ status }) => status !== 200),
    [],
  );
  assert.deepEqual(tally(await names(links)), { A: 17, B: 17, C: 17 });
  // Whom it is given hangs on chance, not on the order.
  const inTurn = await publish(client, { pages, assignments: [two()] });
  const others = await invite(client, inTurn.screener, 40);
  for (const link of others) await send(inTurn, link, { sex: "Man" });
  const given = await names(others);
  for (let at = 0; at < given.length; at += 2) assert.notEqual(given[at], given[at + 1], `after ${at}`);
  const firsts = given.filter((_, index) => index % 2 === 0);
  assert.ok(firsts.includes("A") && firsts.includes("B"), String(firsts));
});

test("a session that was screened out, removed or given up does not count for its arm; an override and a return do", async () => {
  const study = await publish(client, {
    pages,
    qualifyWhen: { not: { questionId: "town", equals: "Nowhere" } },
    assignments: [two()],
  });
  const links = await invite(client, study.screener, 12);
  const next = async (link: Invitation) => {
    await send(study, link, { sex: "Man" });
    return (await armsOf(link)).Concept!;
  };
  const [ada, bea, cem, dan, eve, fay, gil, hal] = links;
  const other = (name: string) => (name === "A" ? "B" : "A");
  // Ada holds an arm, so Bea has the other one; Bea is screened out, and it is free.
  const adas = await next(ada!);
  assert.equal(await next(bea!), other(adas));
  await send(study, bea!, { age: 12 });
  assert.equal(await next(cem!), other(adas));
  await client.delete(`/screener-sessions/${cem!.session}`);
  assert.deepEqual((await armsOf(cem!)).Concept, other(adas));
  assert.equal(await next(dan!), other(adas));
  // Both have one. Eve completes and qualifies; the override takes her out.
  const eves = await next(eve!);
  await send(study, eve!, { age: 40, town: "York" }, true);
  assert.equal(await next(fay!), other(eves));
  await client.post(`/screener-sessions/${eve!.session}/override`, { outcome: "DISQUALIFIED", reason: "A bot" });
  assert.equal(await next(gil!), eves);
  await client.post(`/screener-sessions/${eve!.session}/override`, { outcome: "BY_RULES", reason: "No bot" });
  assert.equal(await next(hal!), other(eves));
});

test("who has not submitted for as long as places are held does not count, until the next submission", async () => {
  const study = await publish(client, { pages, assignments: [two()] });
  const [ada, bea, cem, dan] = (await invite(client, study.screener, 4)) as [
    Invitation,
    Invitation,
    Invitation,
    Invitation,
  ];
  await send(study, ada, { sex: "Man" });
  const { Concept: adas } = await armsOf(ada);
  writeTo(service.context.workspaces, client.workspaceId, (db) => db.run("UPDATE session_arm SET expires_at = 1"));
  // Ada is not counted, so both are empty; the next two get one each.
  await send(study, bea, { sex: "Man" });
  await send(study, cem, { sex: "Man" });
  assert.deepEqual((await names([bea, cem])).sort(), ["A", "B"]);
  // The upkeep removes what a draw has only left out.
  const times = { now: Date.now() } as Parameters<typeof givenUpArms.remove>[1];
  writeTo(service.context.workspaces, client.workspaceId, (db) => {
    assert.equal(givenUpArms.isDue(db, times), true);
    givenUpArms.remove(db, times);
    assert.equal(givenUpArms.isDue(db, times), false);
    assert.deepEqual(faultsOfArms(db), []);
  });
  await send(study, ada, { age: 40 });
  assert.equal((await armsOf(ada)).Concept, adas);
  await send(study, dan, { sex: "Man" });
  assert.notEqual((await armsOf(dan)).Concept, adas);
});

test("by even chance, each arm is drawn about as often, and another screener draws others", async () => {
  const study = await publish(client, { pages, assignments: [two({ pick: "RANDOM" })] });
  const links = await invite(client, study.screener, 200);
  await Promise.all(links.map((link) => send(study, link, { sex: "Man" })));
  const { A = 0, B = 0 } = tally(await names(links));
  // Less even once in 10 ** 8.
  assert.ok(A + B === 200 && Math.abs(A - B) < 82, `${A} and ${B}`);
});

test("an arm whose quota is full or paused is not drawn while another is open; with none open the session is over quota", async () => {
  const study = await publish(client, {
    pages,
    assignments: [two()],
    quotas: [
      { name: "A", when: arm("a"), limit: 1 },
      { name: "Women in B", when: { all: [arm("b"), women] }, limit: 1, ending: { thankYou: "Enough." } },
      { name: "All", mode: "COUNT" },
    ],
  });
  const links = await invite(client, study.screener, 8);
  const done = async (index: number, sex: string) =>
    (await send(study, links[index]!, { sex, age: 40, town: "York" }, true)).body;
  assert.equal((await done(0, "Woman")).outcomeReason, null);
  assert.equal((await done(1, "Woman")).outcomeReason, null);
  assert.deepEqual((await names(links.slice(0, 2))).sort(), ["A", "B"]);
  const turned = await done(2, "Woman");
  const [a, b] = [await quotaOf(study.screener, "A"), await quotaOf(study.screener, "Women in B")];
  assert.deepEqual([turned.outcomeReason, turned.outcomeQuotaIds, turned.arms], ["OVER_QUOTA", [a.id, b.id], []]);
  // A man is not in the second quota, so B is open for him.
  assert.deepEqual((await done(3, "Man")).arms[0].armName, "B");
  await client.patch(`/screener-quotas/${a.id}`, { limit: 2, paused: true });
  assert.deepEqual((await done(4, "Man")).arms[0].armName, "B");
  await client.patch(`/screener-quotas/${a.id}`, { paused: false });
  assert.deepEqual((await done(5, "Man")).arms[0].armName, "A");
  assert.deepEqual([(await quotaOf(study.screener, "A")).taken, (await quotaOf(study.screener, "All")).taken], [2, 5]);
  const { body: why } = await client.get(`/screener-sessions/${links[2]!.session}/explanation`);
  assert.equal(why.sentence, "Full: there was no place in the quotas “A”, “Women in B”.");
  assert.deepEqual(
    why.arms.map(({ assignmentName, armId }: Record<string, unknown>) => [assignmentName, armId]),
    [["Concept", null]],
  );
  const { body: open } = await client.get(`/screener-sessions/${links[3]!.session}/explanation`);
  assert.deepEqual(
    open.quotas.map(({ name, isIn, place }: Record<string, unknown>) => [name, isIn, place]),
    [
      ["A", false, null],
      ["Women in B", false, null],
      ["All", true, "TAKEN"],
    ],
  );
});

test("where quotas that end at the end have closed all arms, people finish, and are turned away then", async () => {
  const ending = { at: "END" };
  const arms = concepts.arms.map((one) => ({ ...one, when: { questionId: "sex", answered: true } }));
  const study = await publish(client, {
    pages,
    assignments: [two({ arms })],
    quotas: ["a", "b"].map((is) => ({ name: is, when: arm(is), limit: 0, ending })),
  });
  const [ada, bea] = (await invite(client, study.screener, 2)) as [Invitation, Invitation];
  assert.equal((await send(study, ada, { sex: "Man" })).body.state, "IN_PROGRESS");
  const turned = (await send(study, bea, { sex: "Man", age: 40, town: "York" }, true)).body;
  assert.deepEqual([turned.outcomeReason, turned.outcomeQuotaIds.length, turned.arms], ["OVER_QUOTA", 2, []]);
  await client.patch(`/screener-quotas/${(await quotaOf(study.screener, "b")).id}`, { limit: 1 });
  const { body } = await send(study, ada, { age: 40 });
  assert.deepEqual([body.state, body.arms[0].armName], ["IN_PROGRESS", "B"]);
  assert.equal((await send(study, ada, { town: "York" }, true)).body.outcomeReason, null);
});

test("where all arms are closed before anything is answered, no session can be started", async () => {
  const study = await publish(client, {
    pages,
    assignments: [two()],
    quotas: ["a", "b"].map((is) => ({ name: is, when: arm(is), limit: 1 })),
  });
  const [ada, bea, cem] = (await invite(client, study.screener, 3)) as [Invitation, Invitation, Invitation];
  await send(study, ada, { sex: "Man" });
  assert.equal((await send(study, bea, { sex: "Man" })).status, 200);
  const { status, body } = await send(study, cem, { sex: "Man" });
  assert.deepEqual([status, body.code], [409, "quota_reached"]);
  assert.match(body.detail, /^A quota of the screener has no place left/);
  isPage(await new Visitor(service.url).open(cem.path), 409, "This study is full");
});

test("a page for an arm is shown once the arm is given; a submission that was to complete goes on there, and no refusal shows the arm", async () => {
  const page = (is: string) => ({
    title: `Page of ${is}`,
    showWhen: arm(is),
    questions: [{ id: is, key: `of_${is}`, _type: "ScreenerTextQuestion", prompt: `What of ${is}?`, required: true }],
  });
  const study = await publish(client, {
    pages: [...pages, page("a"), page("b")],
    qualifyWhen: { not: { all: [arm("a"), { questionId: "a", equals: "Nothing" }] } },
    assignments: [two()],
  });
  const [ada, bea] = (await invite(client, study.screener, 2)) as [Invitation, Invitation];
  const early = await send(study, ada, { sex: "Man", age: 40, town: "York", of_a: "x" }, true);
  assert.deepEqual(early.body.errors, [
    { pointer: "/responses/3/screenerQuestionId", message: "is not shown for these answers" },
  ]);
  assert.deepEqual((await readSession(client, ada.session)).arms, []);
  const { status, body } = await send(study, ada, { sex: "Man", age: 40, town: "York" }, true);
  assert.deepEqual([status, body.state], [200, "IN_PROGRESS"]);
  const own = `of_${body.arms[0].armName.toLowerCase()}`;
  const missing = await send(study, ada, {}, true);
  assert.equal(missing.status, 400);
  assert.equal((await send(study, ada, { [own]: "Much" }, true)).body.state, "COMPLETED");

  // On the page, too: what comes after the last page is known only when it is sent.
  const visitor = new Visitor(service.url);
  await visitor.open(bea.path);
  await visitor.go(bea.path, study, "Sex", { sex: ["Man"] });
  const given = (await armsOf(bea)).Concept!;
  await visitor.go(bea.path, study, "Age", { age: "40" });
  isPage(await visitor.go(bea.path, study, "End", { town: "York" }), 200, `Page of ${given.toLowerCase()}`);
  await visitor.go(bea.path, study, `Page of ${given.toLowerCase()}`, { [`of_${given.toLowerCase()}`]: "Much" });
  assert.equal((await readSession(client, bea.session)).state, "COMPLETED");
});

test("Back saves what was typed, and draws nothing", async () => {
  const arms = concepts.arms.map((one) => ({ ...one, when: { questionId: "age", answered: true } }));
  const study = await publish(client, { pages, assignments: [two({ arms })] });
  const [ada] = (await invite(client, study.screener)) as [Invitation];
  const visitor = new Visitor(service.url);
  await visitor.go(ada.path, study, "Sex", { sex: ["Man"] });
  const back = await visitor.post(ada.path, `${formOf(study, "Age", { age: "40" })}&back=`);
  assert.equal(back.status, 303, back.text);
  assert.deepEqual(await readAnswers(client, ada.session, study), {
    sex: [{ text: "Man", isWriteIn: false }],
    age: 40,
  });
  assert.deepEqual(await armsOf(ada), {});
  await visitor.go(ada.path, study, "Sex", { sex: ["Man"] });
  assert.notDeepEqual(await armsOf(ada), {});
});

test("what the page for an arm asks is waited for by later assignments that ask about it, also where a submission was to complete", async () => {
  const much = { questionId: "much", atLeast: 5 };
  const numeric = (id: string) => ({ id, key: id, _type: "ScreenerNumericQuestion", prompt: `${id}?`, required: true });
  const study = await publish(client, {
    pages: [
      { title: "Age", questions: [numeric("age")] },
      { title: "Much", showWhen: { arm: "shown", is: "yes" }, questions: [numeric("much")] },
    ],
    assignments: [
      { id: "shown", name: "Shown", arms: [{ id: "yes", name: "Yes" }] },
      {
        name: "Price",
        arms: [
          { name: "High", when: much },
          { name: "Low", when: { not: much } },
        ],
      },
    ],
  });
  const [ada] = (await invite(client, study.screener, 1)) as [Invitation];
  assert.equal((await send(study, ada, { age: 40 }, true)).body.state, "IN_PROGRESS");
  assert.deepEqual(await armsOf(ada), { Shown: "Yes" });
  assert.equal((await send(study, ada, { much: 9 }, true)).body.state, "COMPLETED");
  assert.deepEqual(await armsOf(ada), { Shown: "Yes", Price: "High" });
});
