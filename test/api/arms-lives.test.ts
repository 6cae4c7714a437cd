// Arms over versions, tests, erasure and deletion; what shows them, and that nothing shows what comes next.

import assert from "node:assert/strict";
import { test } from "node:test";
import { faultsOfArms } from "../../src/arms/queries.ts";
import { readCsv } from "../support/csv.ts";
import { men, pages, women } from "../support/quota-pages.ts";
import { sharedService } from "../support/service.ts";
import { writeTo } from "../support/store.ts";
import { type Invitation, invite, type Published, publish, readSession } from "../support/study.ts";

const service = await sharedService();
const client = service.workspace();

interface Given {
  assignmentId: string;
  assignmentName: string;
  armId: string;
  armName: string;
}

const SEX = { Woman: "woman", Man: "man" };

const send = (study: Published, session: string, given: object, complete = false) => {
  const { sex, ...others } = given as { sex?: keyof typeof SEX };
  const responses = [
    ...(sex === undefined ? [] : [{ screenerQuestionId: study.question.sex!, answer: [{ text: sex }] }]),
    ...Object.entries(others).map(([key, answer]) => ({ screenerQuestionId: study.question[key]!, answer })),
  ];
  return client.post(`/screener-sessions/${session}/responses`, { responses, complete });
};

const armsOf = async (session: string): Promise<Given[]> => (await readSession(client, session)).arms;
const armOf = async (session: string) => (await armsOf(session))[0]?.armName;
const concept = (...names: string[]) => ({
  id: "concept",
  name: "Concept",
  arms: names.map((name) => ({ id: name, name })),
});
const arm = (is: string) => ({ arm: "concept", is });
const draftOf = async (screener: string) => (await client.get(`/screeners/${screener}/content`)).body;
const put = (screener: string, body: object) => client.call("PUT", `/screeners/${screener}/content`, { body });
const several = (study: Published, count: number) => invite(client, study.screener, count);

test("an assignment and its arms keep their ids and their counts over versions; an arm that is gone stays with its sessions, and may come back", async () => {
  const study = await publish(client, { pages, assignments: [concept("A", "B")] });
  const links = await several(study, 9);
  for (const { session } of links.slice(0, 4)) await send(study, session, { sex: "Man" });
  const first = await draftOf(study.screener);
  const [assignment] = first.assignments;
  const [a, b] = assignment.arms;
  // B is gone, A has another name, C is new.
  const second = { ...assignment, name: "Idea", arms: [{ ...a, name: "A1" }, { name: "C" }] };
  const changed = await put(study.screener, { ...first, assignments: [second] });
  assert.deepEqual([changed.body.assignments[0].id, changed.body.assignments[0].arms[0].id], [assignment.id, a.id]);
  await client.post("/screener-publications", { screenerId: study.screener });
  const shown = await Promise.all(links.slice(0, 4).map(async ({ session }) => (await armsOf(session))[0]!));
  assert.deepEqual(shown.map(({ assignmentName, armName }) => `${assignmentName} ${armName}`).sort(), [
    "Idea A1",
    "Idea A1",
    "Idea B",
    "Idea B",
  ]);
  // Who has begun keeps the version, and the counts are of all versions: A has two, so C is drawn twice.
  await client.post("/screener-sessions-move", { screenerId: study.screener });
  for (const { session } of links.slice(4, 6)) await send(study, session, { sex: "Man" });
  assert.deepEqual([await armOf(links[4]!.session), await armOf(links[5]!.session)], ["C", "C"]);
  assert.deepEqual((await armsOf(links[0]!.session))[0], shown[0]);
  // B comes back with its count.
  const third = { ...second, arms: [a, { ...b, name: "B" }] };
  const back = await put(study.screener, { ...first, assignments: [third] });
  assert.equal(back.body.assignments[0].arms[1].id, b.id);
  await client.post("/screener-publications", { screenerId: study.screener });
  const table = readCsv((await client.get(`/screeners/${study.screener}/export`)).text);
  assert.deepEqual(table.map((row) => row["arms.Idea"]).sort(), ["A", "A", "B", "B", "C", "C"]);
  // An arm of one assignment can't become that of another one.
  const stolen = await put(study.screener, {
    ...first,
    assignments: [{ name: "Other", arms: [{ id: a.id, name: "A" }] }],
  });
  assert.notEqual(stolen.body.assignments[0].arms[0].id, a.id);
});

test("the seed is in no answer, export or event; each screener has its own, for good", async () => {
  const study = await publish(client, { pages, assignments: [concept("A", "B")] });
  const [{ session }] = (await several(study, 1)) as [Invitation];
  await send(study, session, { sex: "Man", age: 40, town: "York" }, true);
  const { workspaces } = service.context;
  const seeds = () =>
    workspaces.read(client.workspaceId, (db) =>
      db.all<{ uid: string; seed: Uint8Array }>(
        "SELECT s.uid, d.seed FROM draw_seed AS d JOIN screener AS s ON s.id = d.screener_id",
      ),
    );
  const before = seeds();
  const seed = Buffer.from(before.find(({ uid }) => uid === study.screener)!.seed);
  assert.equal(seed.length, 32);
  assert.equal(new Set(before.map((one) => Buffer.from(one.seed).toString("hex"))).size, before.length);
  await client.post("/screener-publications", { screenerId: study.screener });
  assert.deepEqual(seeds(), before);
  const { participantId } = (
    await client.get(`/screener-participants/${(await readSession(client, session)).screenerParticipantId}`)
  ).body;
  const texts = await Promise.all(
    [
      `/screeners/${study.screener}`,
      `/screeners/${study.screener}/content`,
      `/screener-publications/${study.publication}/content`,
      `/screener-sessions/${session}`,
      `/screener-sessions/${session}/explanation`,
      "/screener-sessions",
      `/screeners/${study.screener}/export`,
      `/screeners/${study.screener}/codebook`,
      `/screeners/${study.screener}/results`,
      `/participants/${participantId}/export`,
      "/events?pagination[limit]=500",
    ].map(async (path) => (await client.get(path)).text),
  );
  for (const text of texts)
    for (const form of ["hex", "base64", "base64url"] as const)
      assert.ok(!text.includes(seed.toString(form).slice(0, 20)), text.slice(0, 200));
  assert.equal((await client.delete(`/screeners/${study.screener}?confirm=Sleep%20and%20smoke`)).status, 200);
  assert.equal(
    seeds().some(({ uid }) => uid === study.screener),
    false,
  );
});

test("a test is given an arm, also of a full quota, and counts for nobody", async () => {
  const study = await publish(client, {
    pages,
    assignments: [concept("A", "B")],
    quotas: [{ name: "B", when: arm("B"), limit: 0 }],
  });
  const [ada] = (await several(study, 1)) as [Invitation];
  const drawn = new Set<string | undefined>();
  for (let at = 0; at < 40; at++) {
    const { body } = await client.post("/screener-sessions", { screenerId: study.screener, isTest: true });
    await send(study, body.id, { sex: "Man" });
    drawn.add(await armOf(body.id));
  }
  assert.deepEqual([...drawn].sort(), ["A", "B"]);
  const counted = service.context.workspaces.read(client.workspaceId, (db) =>
    db.value(
      "SELECT sum(given) FROM screener_arm AS a JOIN screener AS s ON s.id = a.screener_id WHERE s.uid = ?",
      study.screener,
    ),
  );
  assert.equal(counted, 0);
  await send(study, ada.session, { sex: "Man" });
  assert.equal(await armOf(ada.session), "A");
  const exported = readCsv((await client.get(`/screeners/${study.screener}/export?includeTests=true`)).text);
  assert.deepEqual(new Set(exported.map((row) => row["arms.Concept"])), new Set(["A", "B"]));
});

test("people who are erased go with their arms, and the next ones make up for them; a recount finds nothing wrong", async () => {
  const study = await publish(client, { pages, assignments: [concept("A", "B")] });
  const links = await several(study, 4);
  const [ada, bea, cem, dan] = links as [Invitation, Invitation, Invitation, Invitation];
  await send(study, ada.session, { sex: "Man", age: 40, town: "York" }, true);
  await send(study, bea.session, { sex: "Man", age: 40, town: "York" }, true);
  const adas = await armOf(ada.session);
  const { participantId } = (await client.get(`/screener-participants/${ada.assignment}`)).body;
  assert.equal((await client.delete(`/participants/${participantId}`)).status, 200);
  await send(study, cem.session, { sex: "Man" });
  assert.equal(await armOf(cem.session), adas);
  await send(study, dan.session, { sex: "Man" });
  assert.deepEqual(service.context.workspaces.read(client.workspaceId, faultsOfArms), []);
  writeTo(service.context.workspaces, client.workspaceId, (db) =>
    db.run("UPDATE screener_arm SET given = given + 1 WHERE name = 'A'"),
  );
  assert.match(
    service.context.workspaces.read(client.workspaceId, faultsOfArms).join(),
    /the arm .* says \d+ sessions, and there are \d+/,
  );
  writeTo(service.context.workspaces, client.workspaceId, (db) =>
    db.run("UPDATE screener_arm SET given = given - 1 WHERE name = 'A'"),
  );
});

test("the events of a session say which arms it was given, once", async () => {
  const study = await publish(client, { pages, assignments: [concept("A", "B")] });
  const [{ session }] = (await several(study, 1)) as [Invitation];
  await send(study, session, { sex: "Man" });
  await send(study, session, { age: 40, town: "York" }, true);
  const events = await client.all(`/events?filter[resourceId][eq]=${session}`);
  const changes = events.flatMap(
    ({ type, changes: all }) =>
      (all as unknown as { field: string; from: unknown; to: unknown }[] | null)?.flatMap((one) =>
        one.field === "arms" ? [[type, one.from, one.to]] : [],
      ) ?? [],
  );
  assert.deepEqual(changes, [
    ["screener-session.created", null, []],
    ["screener-session.started", [], await armsOf(session)],
  ]);
});

test("results are split by an assignment's arms", async () => {
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
      concept("A", "B"),
    ],
  });
  const links = await several(study, 6);
  for (const [at, { session }] of links.entries())
    await send(study, session, at < 4 ? { sex: "Woman" } : { sex: "Man" });
  await send(study, links[5]!.session, { age: 12 });
  const results = async (splitBy = "") => (await client.get(`/screeners/${study.screener}/results${splitBy}`)).body;
  const { splitAssignments } = await results();
  assert.deepEqual(
    splitAssignments.map(({ name }: { name: string }) => name),
    ["Price", "Concept"],
  );
  const { groups, questions } = await results(`?splitBy=arms.${splitAssignments[0].assignmentId}`);
  assert.deepEqual(
    groups.map(({ label, sessions }: Record<string, unknown>) => [label, sessions]),
    [
      ["Low", 4],
      ["High", 2],
    ],
  );
  assert.deepEqual(
    questions[0].chart.rows.map(({ label, groupCounts }: Record<string, unknown>) => [label, groupCounts]),
    [
      ["Woman", [4, 0]],
      ["Man", [0, 2]],
    ],
  );
  const wrong = await client.get(`/screeners/${study.screener}/results?splitBy=arms.nothing`);
  assert.deepEqual([wrong.status, wrong.body.errors[0].pointer], [400, "splitBy"]);
});

test("an explanation names the arms that rules are about; a rule may hang on an arm that is still to come", async () => {
  const study = await publish(client, {
    pages,
    qualifyWhen: { not: arm("B") },
    assignments: [
      {
        ...concept("A", "B"),
        arms: [
          { id: "A", name: "A", when: women },
          { id: "B", name: "B", when: men },
        ],
      },
    ],
  });
  const [ada, bea] = (await several(study, 2)) as [Invitation, Invitation];
  const why = async (session: string) => (await client.get(`/screener-sessions/${session}/explanation`)).body;
  await send(study, ada.session, { age: 40 });
  const before = await why(ada.session);
  assert.deepEqual([before.judgedNow, before.rules[1].result, before.arms[0].armId], [null, "UNKNOWN", null]);
  await send(study, ada.session, { sex: "Man" });
  const after = await why(ada.session);
  assert.equal(after.judgedNow.outcome, "DISQUALIFIED");
  const [comparison] = after.rules[1].comparisons;
  assert.deepEqual(
    [comparison.sentence, comparison.assignmentId, comparison.holds],
    ["the arm of “Concept” is “B”", after.arms[0].assignmentId, true],
  );
  assert.match(after.sentence, /The arm of “Concept” is “B”\.$/);
  const done = await send(study, bea.session, { sex: "Woman", age: 40, town: "York" }, true);
  assert.equal(done.body.outcomeReason, null);
});

test("publishing warns of pages that ask for an arm before it is drawn", async () => {
  const body = {
    pages: [{ ...pages[0], showWhen: arm("A") }, pages[1], { ...pages[2], showWhen: arm("A") }],
    assignments: [concept("A", "B")],
  };
  const screener = await client.screener();
  assert.equal((await put(screener, body)).status, 200);
  const job = async () => {
    const { headers } = await client.post("/screener-publications", { screenerId: screener });
    return (await client.get(/<([^>]+)>/.exec(headers.get("link")!)![1]!)).body.warnings;
  };
  assert.deepEqual(await job(), [
    {
      code: "arm_not_drawn_yet",
      message:
        "The page “Sex” asks for the arm of “Concept”, which is drawn only when the page “Sex” is answered: until then nobody has one.",
    },
  ]);
  const assignments = [
    { ...concept("A", "B"), arms: [{ id: "A", name: "A", when: { questionId: "town", answered: true } }] },
  ];
  const late = { pages: [...pages, { title: "More", description: "For A", showWhen: arm("A"), questions: [] }] };
  assert.equal((await put(screener, { ...late, assignments })).status, 200);
  // A page after that is in time.
  assert.equal(await job(), null);
});

test("a forecast gives people the arms that they have, and others by the same rules", async () => {
  // Else a session could not be started once both are full.
  const asked = { ...concept("A", "B") };
  asked.arms = asked.arms.map((one) => ({ ...one, when: { questionId: "sex", answered: true } }));
  const study = await publish(client, {
    pages,
    assignments: [asked],
    quotas: [
      { name: "A", when: arm("A"), limit: 3 },
      { name: "B", when: arm("B"), limit: 2 },
    ],
  });
  const links = await several(study, 8);
  for (const { session } of links) await send(study, session, { sex: "Man", age: 40, town: "York" }, true);
  const outcomes = await Promise.all(
    links.map(async ({ session }) => (await readSession(client, session)).outcomeReason),
  );
  assert.equal(outcomes.filter((reason) => reason === "OVER_QUOTA").length, 3);
  const forecast = async (body: object = {}) =>
    (await client.post(`/screeners/${study.screener}/quota-forecast`, body)).body.quotas.map(
      ({ name, taken, turnedAway }: Record<string, unknown>) => [name, taken, turnedAway],
    );
  assert.deepEqual(await forecast(), [
    ["A", 3, 3],
    ["B", 2, 3],
  ]);
  const { quotas } = await draftOf(study.screener);
  const more = quotas.map(({ id: _, ...quota }: Record<string, unknown>) => ({ ...quota, limit: 10 }));
  // Those who have an arm keep it; the three others get the least full ones.
  assert.deepEqual(await forecast({ quotas: more }), [
    ["A", 4, 0],
    ["B", 4, 0],
  ]);
  const { assignments, ...draft } = await draftOf(study.screener);
  const [{ arms, ...assignment }] = assignments;
  const forAll = { ...assignment, arms: arms.map(({ id, name }: Record<string, unknown>) => ({ id, name })) };
  await put(study.screener, { ...draft, assignments: [forAll], quotas: draft.quotas });
  assert.deepEqual(await forecast({ quotas: more, basis: "ROSTER" }), [
    ["A", 4, 0],
    ["B", 4, 0],
  ]);
});

test("places of a quota that had closed an arm are offered, and give the arm; a new quota of an arm counts those who have it", async () => {
  const asked = { ...concept("A", "B") };
  asked.arms = asked.arms.map((one) => ({ ...one, when: { questionId: "sex", answered: true } }));
  const study = await publish(client, {
    pages,
    assignments: [asked],
    quotas: [
      { name: "A", when: arm("A"), limit: 1 },
      { name: "B", when: arm("B"), limit: 0 },
    ],
  });
  const [ada, bea] = (await several(study, 2)) as [Invitation, Invitation];
  const answers = { sex: "Man", age: 40, town: "York" };
  await send(study, ada.session, answers, true);
  assert.equal((await send(study, bea.session, answers, true)).body.outcomeReason, "OVER_QUOTA");
  const quotas = async () =>
    (await client.all(`/screeners/${study.screener}/quotas`)) as unknown as {
      id: string;
      name: string;
      taken: number;
      held: number;
    }[];
  const { id } = (await quotas())[0]!;
  const full = await client.post(`/screener-quotas/${id}/offer`, { holdHours: 24 });
  assert.deepEqual(full.body.summary, { offered: 0, skipped: 1 }, full.text);
  await client.patch(`/screener-quotas/${id}`, { limit: 2 });
  const offered = await client.post(`/screener-quotas/${id}/offer`, { holdHours: 24 });
  assert.equal(offered.body.summary.offered, 1, offered.text);
  assert.deepEqual(
    (await quotas()).map(({ taken, held }) => [taken, held]),
    [
      [1, 1],
      [0, 0],
    ],
  );
  const { body } = await send(study, bea.session, { town: "Bath" }, true);
  assert.deepEqual([body.outcomeReason, body.arms[0].armName], [null, "A"]);
  assert.deepEqual(
    (await quotas()).map(({ taken, held }) => [taken, held]),
    [
      [2, 0],
      [0, 0],
    ],
  );

  const draft = await draftOf(study.screener);
  const [{ when }] = draft.quotas;
  await put(study.screener, { ...draft, quotas: [...draft.quotas, { name: "A again", when, limit: 9 }] });
  await client.post("/screener-publications", { screenerId: study.screener });
  const again = (await quotas()).find(({ name }) => name === "A again")!;
  const recounted = await client.post(`/screener-quotas/${again.id}/recount`, {});
  assert.equal(recounted.body.summary.counted, 2, recounted.text);
});

test("an offer holds a place in the quota that had closed an arm, also where another quota is not settled yet", async () => {
  const asked = concept("A");
  asked.arms = asked.arms.map((one) => ({ ...one, when: { questionId: "sex", answered: true } }));
  const townless = { not: { questionId: "town", answered: true } };
  const study = await publish(client, {
    pages,
    assignments: [asked],
    quotas: [
      { name: "A", when: arm("A"), limit: 1 },
      { name: "Townless", when: townless, mode: "COUNT" },
    ],
  });
  const [ada, bea] = (await several(study, 2)) as [Invitation, Invitation];
  await send(study, ada.session, { sex: "Man", age: 40, town: "York" }, true);
  assert.equal((await send(study, bea.session, { sex: "Man" })).body.outcomeReason, "OVER_QUOTA");
  const quotas = () => client.all(`/screeners/${study.screener}/quotas`);
  const { id } = (await quotas())[0]!;
  const full = await client.post(`/screener-quotas/${id}/offer`, {});
  assert.deepEqual(full.body.summary, { offered: 0, skipped: 1 }, full.text);
  await client.patch(`/screener-quotas/${id}`, { limit: 2 });
  const offered = await client.post(`/screener-quotas/${id}/offer`, {});
  assert.deepEqual(offered.body.summary, { offered: 1, skipped: 0 }, offered.text);
  assert.equal((await quotas())[0]!.held, 1);
});

test("an offer asks for no place in a quota of those without an arm, as long as the arm is still to come", async () => {
  const asked = concept("A", "B");
  asked.arms = asked.arms.map((one) => ({ ...one, when: { questionId: "town", answered: true } }));
  const study = await publish(client, {
    pages,
    assignments: [asked],
    quotas: [
      { name: "Women", when: women, limit: 0 },
      { name: "Without A", when: { not: arm("A") }, limit: 0 },
    ],
  });
  const [ada] = (await several(study, 1)) as [Invitation];
  const { body } = await send(study, ada.session, { sex: "Woman" });
  const { id } = (await client.all(`/screeners/${study.screener}/quotas`))[0]!;
  assert.deepEqual(body.outcomeQuotaIds, [id]);
  await client.patch(`/screener-quotas/${id}`, { limit: 1 });
  const offered = await client.post(`/screener-quotas/${id}/offer`, {});
  assert.deepEqual(offered.body.summary, { offered: 1, skipped: 0 }, offered.text);
  const { body: done } = await send(study, ada.session, { age: 40, town: "York" }, true);
  assert.deepEqual([done.outcomeReason, done.arms[0].armName], [null, "A"]);
});
