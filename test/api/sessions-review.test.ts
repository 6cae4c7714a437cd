// POST /screener-sessions-review: many sessions are accepted or rejected at once, as a job, and back.

import assert from "node:assert/strict";
import { test } from "node:test";
import { faultsOfQuotas } from "../../src/nouns/quotas/queries.ts";
import { signedIn } from "../support/console.ts";
import { assertCounts } from "../support/counts.ts";
import { readCsv } from "../support/csv.ts";
import { men, pages, women } from "../support/quota-pages.ts";
import { sharedService } from "../support/service.ts";
import { withScopes } from "../support/store.ts";
import { type Invitation, invite, type Published, publish, readSession } from "../support/study.ts";

const service = await sharedService();
const client = service.workspace();
const REVIEW = "/screener-sessions-review";

const QUOTAS = [
  { name: "Women", when: women, limit: 3 },
  { name: "Men", when: men, limit: 3 },
  { name: "Young", when: { questionId: "age", lessThan: 30 }, limit: 3 },
  { name: "All", when: null, mode: "COUNT" },
];

/** A published study whose sessions are reviewed, with people who have finished. */
async function finished(people: readonly (readonly [sex: string, age: number])[], quotas: object[] = QUOTAS) {
  const study = await publish(client, { pages, quotas });
  await client.patch(`/screeners/${study.screener}`, { review: "ALL" });
  const invited = await invite(client, study.screener, people.length + 2);
  for (const [at, [sex, age]] of people.entries()) await finish(study, invited[at]!, sex, age);
  return { study, people: invited };
}

async function finish({ question }: Published, { session }: Invitation, sex: string, age: number) {
  const responses = [
    { screenerQuestionId: question.sex, answer: [{ text: sex, isWriteIn: false }] },
    { screenerQuestionId: question.age, answer: age },
    { screenerQuestionId: question.town, answer: "Oslo" },
  ];
  const answer = await client.post(`/screener-sessions/${session}/responses`, { responses, complete: true });
  assert.equal(answer.status, 200, answer.text);
  return answer.body;
}

const review = (study: Published, body: object) => client.post(REVIEW, { screenerId: study.screener, ...body });
const apply = (job: { body: { id: string } }) => client.post(`/jobs/${job.body.id}/apply`, undefined);
const undo = (job: { body: { id: string } }, body?: object) => client.post(`/jobs/${job.body.id}/undo`, body);
const decide = ({ session }: Invitation, decision: string) =>
  client.post(`/screener-sessions/${session}/review`, { decision });
const statesOf = async (people: readonly Invitation[]) =>
  Promise.all(people.map(async ({ session }) => (await readSession(client, session)).review?.state ?? null));

interface Row {
  outcome: string;
  reason: string | null;
  sessionId: string;
  changes: object[];
  errors: { message: string }[];
}
const rowsOf = async (job: { body: { id: string } }): Promise<Row[]> =>
  (await client.get(`/jobs/${job.body.id}/rows`)).body.items;
const briefly = async (job: { body: { id: string } }) =>
  (await rowsOf(job)).map(({ outcome, reason, sessionId }) => [outcome, reason, sessionId]);

async function counts({ screener }: Published) {
  service.context.workspaces.read(client.workspaceId, (db) => {
    assertCounts(db);
    assert.deepEqual(faultsOfQuotas(db), []);
  });
  const quotas = (await client.all(`/screeners/${screener}/quotas`)) as unknown as {
    name: string;
    taken: number;
    held: number;
  }[];
  return Object.fromEntries(quotas.map(({ name, taken, held }) => [name, `${taken} + ${held}`]));
}

const WOMAN = ["Woman", 40] as const;
const MAN = ["Man", 40] as const;
const YOUNG_WOMAN = ["Woman", 20] as const;
const YOUNG_MAN = ["Man", 20] as const;

test("those who wait and whom a filter finds are rejected after a plan, and that is taken back", async () => {
  const { study, people } = await finished([YOUNG_WOMAN, WOMAN, YOUNG_MAN, MAN, YOUNG_MAN]);
  const [ada, bea, cem, dan, eli, fay] = people as [
    Invitation,
    Invitation,
    Invitation,
    Invitation,
    Invitation,
    Invitation,
  ];
  await decide(ada, "ACCEPTED");
  const before = await counts(study);
  assert.deepEqual(before, { Women: "1 + 1", Men: "0 + 3", Young: "1 + 2", All: "1 + 4" });
  const plan = await review(study, {
    filter: { "answers.age": { lt: 30 } },
    decision: "REJECTED",
    reason: " Too young ",
    dryRun: true,
  });
  assert.deepEqual(
    [plan.status, plan.body.status, plan.body.summary],
    [200, "PLANNED", { reviewed: 2, skipped: 0 }],
    plan.text,
  );
  const planned = [
    ["REVIEWED", null, cem.session],
    ["REVIEWED", null, eli.session],
  ];
  assert.deepEqual(await briefly(plan), planned);
  assert.deepEqual((await rowsOf(plan))[0]!.changes, [{ field: "review.state", from: "PENDING", to: "REJECTED" }]);
  assert.deepEqual(await counts(study), before);

  // Who comes meanwhile is not in it.
  await finish(study, fay, "Woman", 40);
  const applied = await apply(plan);
  assert.deepEqual(
    [applied.body.status, applied.body.summary],
    ["SUCCEEDED", { reviewed: 2, skipped: 0 }],
    applied.text,
  );
  assert.deepEqual(await briefly(plan), planned);
  assert.deepEqual(await statesOf([ada, bea, cem, dan, eli]), [
    "ACCEPTED",
    "PENDING",
    "REJECTED",
    "PENDING",
    "REJECTED",
  ]);
  const { review: made } = await readSession(client, cem.session);
  assert.deepEqual([made.reason, made.by._type], ["Too young", "ApplicationActor"]);
  assert.deepEqual(await counts(study), { Women: "1 + 2", Men: "0 + 1", Young: "1 + 0", All: "1 + 3" });
  const events = await client.all(`/events?filter[jobId][eq]=${plan.body.id}`);
  assert.deepEqual(
    events.map(({ type, summary }) => [type, summary]),
    [
      ["job.planned", { kind: "SCREENER_SESSIONS_REVIEW", reviewed: 2, skipped: 0 }],
      ["screener-sessions.reviewed", { reviewed: 2, skipped: 0, decision: "REJECTED" }],
      ["screener-session.rejected", null],
      ["screener-session.rejected", null],
    ],
  );

  const undone = await undo(applied);
  assert.deepEqual(undone.body.summary, { rows: 2, reverted: 2, kept: 0 }, undone.text);
  assert.deepEqual(await statesOf([ada, cem, eli]), ["ACCEPTED", "PENDING", "PENDING"]);
  assert.deepEqual(await counts(study), { Women: "1 + 2", Men: "0 + 3", Young: "1 + 2", All: "1 + 5" });
  assert.equal((await undo(undone)).body.code, "job_not_undoable");
  assert.equal((await undo(applied)).body.code, "job_not_undoable");
});

test("an undo says of whom the places are gone, and in which quotas", async () => {
  const { study, people } = await finished([WOMAN, WOMAN, WOMAN]);
  const [ada, bea, cem, dan, eli] = people as [Invitation, Invitation, Invitation, Invitation, Invitation];
  const rejected = await review(study, {
    screenerSessionIds: [cem, ada, bea].map(({ session }) => session),
    decision: "REJECTED",
  });
  assert.deepEqual(rejected.body.summary, { reviewed: 3, skipped: 0 }, rejected.text);
  assert.deepEqual(await counts(study), { Women: "0 + 0", Men: "0 + 0", Young: "0 + 0", All: "0 + 0" });
  await finish(study, dan, "Woman", 40);
  await decide(cem, "PENDING");
  const preview = await undo(rejected, { dryRun: true });
  assert.deepEqual(preview.body.summary, { rows: 3, reverted: 1, kept: 2 }, preview.text);
  const undone = await apply(preview);
  assert.deepEqual(await briefly(undone), [
    ["REVERTED", null, ada.session],
    ["KEPT", "QUOTA_FULL", bea.session],
    ["KEPT", "DECIDED", cem.session],
  ]);
  const [, kept] = await rowsOf(undone);
  assert.deepEqual(
    kept!.errors.map(({ message }) => message),
    ["The quota “Women” has no room."],
  );
  assert.deepEqual(await statesOf([ada, bea, cem]), ["PENDING", "REJECTED", "PENDING"]);
  assert.deepEqual(await counts(study), { Women: "0 + 3", Men: "0 + 0", Young: "0 + 0", All: "0 + 3" });
  assert.equal((await finish(study, eli, "Woman", 40)).outcomeReason, "OVER_QUOTA");
});

test("accepting takes what is held; those who were rejected before get places while there is room", async () => {
  const { study, people } = await finished([WOMAN, WOMAN, WOMAN]);
  const [ada, bea, cem, dan] = people as [Invitation, Invitation, Invitation, Invitation];
  await decide(ada, "REJECTED");
  await decide(bea, "REJECTED");
  await finish(study, dan, "Woman", 40);
  const accepted = await review(study, { filter: {}, decision: "ACCEPTED" });
  assert.deepEqual(accepted.body.summary, { reviewed: 2, skipped: 0 }, accepted.text);
  assert.deepEqual(await counts(study), { Women: "2 + 0", Men: "0 + 0", Young: "0 + 0", All: "2 + 0" });
  const again = await review(study, { filter: { review: { in: ["REJECTED", "ACCEPTED"] } }, decision: "ACCEPTED" });
  assert.deepEqual(await briefly(again), [
    ["REVIEWED", null, ada.session],
    ["SKIPPED", "QUOTA_FULL", bea.session],
    ["SKIPPED", "DECIDED", cem.session],
    ["SKIPPED", "DECIDED", dan.session],
  ]);
  assert.deepEqual(await counts(study), { Women: "3 + 0", Men: "0 + 0", Young: "0 + 0", All: "3 + 0" });
  // All that was before: ada was rejected, the others waited.
  await undo(again);
  const undone = await undo(accepted);
  assert.deepEqual(undone.body.summary, { rows: 2, reverted: 2, kept: 0 }, undone.text);
  assert.deepEqual(await statesOf([ada, bea, cem, dan]), ["REJECTED", "REJECTED", "PENDING", "PENDING"]);
  assert.deepEqual(await counts(study), { Women: "0 + 2", Men: "0 + 0", Young: "0 + 0", All: "0 + 2" });
});

test("a session of which somebody has decided is a row that says so, and outdates a plan", async () => {
  const { study, people } = await finished([WOMAN, WOMAN, MAN]);
  const [ada, bea, cem, dan] = people as [Invitation, Invitation, Invitation, Invitation];
  const plan = await review(study, { filter: {}, decision: "REJECTED", dryRun: true });
  await decide(bea, "ACCEPTED");
  const outdated = await apply(plan);
  assert.deepEqual([outdated.status, outdated.body.code], [409, "plan_outdated"], outdated.text);
  assert.deepEqual(await statesOf([ada, bea, cem]), ["PENDING", "ACCEPTED", "PENDING"]);
  await client.delete(`/screener-sessions/${cem.session}`);
  const sessions = [ada, bea, cem, dan].map(({ session }) => session);
  const job = await review(study, { screenerSessionIds: [...sessions, ada.session], decision: "REJECTED" });
  assert.deepEqual(
    new Set((await briefly(job)).map(String)),
    new Set(
      [
        ["REVIEWED", null, ada.session],
        ["SKIPPED", "DECIDED", bea.session],
        ["SKIPPED", "REMOVED", cem.session],
        ["SKIPPED", "NOT_REVIEWED", dan.session],
      ].map(String),
    ),
  );
  assert.deepEqual(await statesOf([ada, bea]), ["REJECTED", "ACCEPTED"]);
});

test("what is wrong is said at once, and nothing is reviewed", async () => {
  const { study, people } = await finished([WOMAN]);
  const other = await finished([WOMAN]);
  const errorsOf = async (body: object) => {
    const { status, body: problem, text } = await review(study, body);
    assert.equal(status, 400, text);
    return problem.errors.map(({ pointer }: { pointer: string }) => pointer);
  };
  assert.deepEqual(await errorsOf({ decision: "PENDING", filter: {}, extra: 1 }), ["/decision", "/extra"]);
  assert.deepEqual(await errorsOf({ decision: "REJECTED" }), [""]);
  assert.deepEqual(await errorsOf({ decision: "REJECTED", filter: {}, screenerSessionIds: [] }), [
    "/screenerSessionIds",
    "",
  ]);
  assert.deepEqual(
    await errorsOf({
      decision: "REJECTED",
      filter: { status: { eq: "OLD" }, "answers.a/b": { eq: 1 }, nothing: { eq: 1 } },
    }),
    ["/filter/status/eq", "/filter/nothing/eq"],
  );
  assert.deepEqual(
    await errorsOf({ decision: "REJECTED", filter: { "answers.nope": { eq: 1 }, "answers.a/b": { in: ["x"] } } }),
    ["/filter/answers.nope/eq", "/filter/answers.a~1b/in"],
  );
  // What is wrong with the filter, with other members, and with both together, in one answer.
  assert.deepEqual(
    await errorsOf({
      decision: "PENDING",
      reason: "x".repeat(5000),
      filter: { status: { eq: "OLD" }, "answers.age": { near: 1 } },
      screenerSessionIds: [people[0]!.session],
    }),
    ["/filter/status/eq", "/filter/answers.age/near", "/decision", "/reason", ""],
  );
  const named = [people[0]!.session, other.people[0]!.session, "nobody"];
  assert.deepEqual(await errorsOf({ decision: "REJECTED", screenerSessionIds: named }), [
    "/screenerSessionIds/1",
    "/screenerSessionIds/2",
  ]);
  assert.deepEqual(await statesOf([people[0]!]), ["PENDING"]);
  const elsewhere = await client.post(REVIEW, { screenerId: "nothing", filter: {}, decision: "REJECTED" });
  assert.equal(elsewhere.body.code, "screener_not_found", elsewhere.text);
});

test("in the console many are rejected by a filter, after a plan and a typed number; their places are offered then", async () => {
  const browser = await signedIn(service, client.workspaceId, "researcher", "many@sessions-review.example.org");
  const viewer = await signedIn(service, client.workspaceId, "viewer", "looks@sessions-review.example.org");
  const { study, people } = await finished([YOUNG_WOMAN, WOMAN, YOUNG_MAN, MAN]);
  const [ada, bea, cem, dan] = people as [Invitation, Invitation, Invitation, Invitation];
  const path = `/console/studies/${study.screener}`;
  const filter = "filter%5Banswers.age%5D%5Blt%5D=30";
  const table = await browser.get(`${path}/answers?${filter}`);
  assert.match(table.text, new RegExp(`href="${path}/review\\?${filter}#many"`));
  assert.doesNotMatch((await viewer.get(`${path}/answers?${filter}`)).text, /Accept or reject/);

  const page = await browser.get(`${path}/review?${filter}`);
  assert.match(page.text, /People who wait, and match:.*Age\? is less than “30”/s);
  const sent = JSON.stringify({ "answers.age": { lt: "30" } });
  assert.match(page.text, new RegExp(`name="filter" value="${sent.replaceAll('"', "&quot;")}"`));
  const many = (fields: object) =>
    browser.post(`${path}/review/many`, { filter: sent, reasonForAll: "Bots", key: "", ...fields });
  assert.equal((await viewer.post(`${path}/review/many`, { filter: sent, decision: "REJECTED" })).status, 403);
  const long = await many({ decision: "REJECTED", reasonForAll: "x".repeat(2001) });
  assert.equal(long.status, 422);
  assert.match(long.text, /href="#reasonForAll"[^>]*>[^<]*Why, for all of them[^<]*must be at most 2000 characters/);
  const planned = await many({ decision: "REJECTED" });
  assert.equal(planned.status, 303, planned.text);
  const job = String(planned.headers.location);
  await service.drain();
  const plan = await browser.get(job);
  assert.match(plan.text, /What the review will do.*>2<\/span> will be decided.*Type 2 to confirm.*Reject them/s);
  const { text: rows } = await browser.get(`${job}/rows?outcome=REVIEWED`);
  assert.match(rows, /Waits for a review.*Rejected/s);
  for (const { session, assignment } of [ada, cem]) {
    const { reference } = (await client.get(`/screener-sessions/${session}`)).body;
    const { participantId } = (await client.get(`/screener-participants/${assignment}`)).body;
    const { externalUid } = (await client.get(`/participants/${participantId}`)).body;
    assert.match(rows, new RegExp(`href="${path}/answers/${reference}"[^>]*><bdi>${externalUid}<`));
    assert.ok(!rows.includes(session), "the id of a session is a part of its link");
  }
  const refused = await browser.post(`${job}/apply`, { removals: "3" });
  assert.equal(refused.status, 422);
  assert.deepEqual(await statesOf([ada, cem]), ["PENDING", "PENDING"]);
  assert.equal((await browser.post(`${job}/apply`, { removals: "2" })).status, 303);
  await service.drain();
  assert.deepEqual(await statesOf([ada, bea, cem, dan]), ["REJECTED", "PENDING", "REJECTED", "PENDING"]);
  const done = await browser.get(job);
  assert.match(done.text, /There is room now/);
  const quotas = (await client.all(`/screeners/${study.screener}/quotas`)) as unknown as { id: string; name: string }[];
  const women = quotas.find(({ name }) => name === "Women")!;
  assert.match(done.text, new RegExp(`href="${path}/quotas/${women.id}#offer"[^>]*>Women<`));
  assert.match(done.text, /Undo this review/);
  assert.match(
    (await browser.get(`${path}/review`)).text,
    /Everybody who waits\..*Choose some of them by their answers/s,
  );
  const studies = await browser.get("/console/studies");
  assert.match(studies.text, /2 wait for a review, since/);
});

test("in the console the filters of the table choose whose results are shown, and whose answers are downloaded", async () => {
  const viewer = await signedIn(service, client.workspaceId, "viewer", "filters@sessions-review.example.org");
  const { study } = await finished([YOUNG_WOMAN, WOMAN, YOUNG_MAN, MAN]);
  const path = `/console/studies/${study.screener}`;
  const filter = "filter%5Banswers.age%5D%5Blt%5D=30";
  const { text: table } = await viewer.get(`${path}/answers?${filter}`);
  for (const page of ["results", "download"]) {
    assert.ok(table.includes(`href="${path}/${page}?${filter}"`), page);
    const { text } = await viewer.get(`${path}/${page}?${filter}`);
    assert.match(
      text,
      /(?:From here on|The file has) only people who have started, and match:.*Age\? is less than “30”/s,
    );
    assert.match(text, /<input type="hidden" name="filter\[answers\.age\]\[lt\]" value="30"\/>/);
    assert.ok(text.includes(`href="${path}/answers?${filter}"`), "to change them");
  }
  const answers = async (query: string) =>
    /(\d+) answers/.exec((await viewer.get(`${path}/results${query}`)).text)?.[1];
  assert.deepEqual([await answers(""), await answers(`?${filter}`)], ["4", "2"]);
  const file = await viewer.get(`${path}/download?${filter}&file=answers&format=csv`);
  assert.equal(readCsv(file.text).length, 2);
  assert.equal(readCsv((await viewer.get(`${path}/download?file=answers&format=csv`)).text).length, 4);
});

test("who may do nothing but review is told by no filter what people have answered", async () => {
  const { study } = await finished([YOUNG_WOMAN, WOMAN]);
  const reviewer = await withScopes(service, client, ["review"]);
  const plan = (filter: object) =>
    reviewer.post(REVIEW, { screenerId: study.screener, filter, decision: "REJECTED", dryRun: true });
  for (const filter of [
    { "answers.age": { lt: "30" } },
    { "attributes.site": { eq: "Leeds" } },
    { review: { eq: "PENDING" }, externalUid: { eq: "1" } },
  ]) {
    const { status, body } = await plan(filter);
    assert.deepEqual([status, body.code], [403, "insufficient_scope"], JSON.stringify(filter));
  }
  for (const filter of [{}, { review: { eq: "PENDING" } }]) assert.equal((await plan(filter)).body.summary.reviewed, 2);
});
