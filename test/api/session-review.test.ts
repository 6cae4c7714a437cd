// Reviews: who would take places holds them until a person has decided.

import assert from "node:assert/strict";
import { test } from "node:test";
import { signedIn } from "../support/console.ts";
import { readCsv } from "../support/csv.ts";
import { men, pages, women } from "../support/quota-pages.ts";
import { sharedService } from "../support/service.ts";
import { withScopes } from "../support/store.ts";
import { type Invitation, invite, type Published, publish, readSession, readStatus } from "../support/study.ts";

const service = await sharedService();
const client = service.workspace();

interface Quota {
  id: string;
  name: string;
  taken: number;
  held: number;
  status: string;
}

const QUOTAS = [
  { name: "Women", when: women, limit: 1 },
  { name: "Men", when: men, limit: 5 },
  { name: "All", when: null, mode: "COUNT" },
];

/** A published study whose sessions are reviewed, with people. */
async function reviewed(count: number): Promise<{ study: Published; people: Invitation[] }> {
  const study = await publish(client, { pages, quotas: QUOTAS });
  const changed = await client.patch(`/screeners/${study.screener}`, { review: "ALL", quotaHoldMinutes: 1 });
  assert.equal(changed.body.review, "ALL", changed.text);
  return { study, people: await invite(client, study.screener, count) };
}

const finish = (study: Published, { session }: Invitation, sex: string, age = 40) =>
  client.post(`/screener-sessions/${session}/responses`, {
    responses: [
      { screenerQuestionId: study.question.sex!, answer: [{ text: sex, isWriteIn: false }] },
      { screenerQuestionId: study.question.age!, answer: age },
      ...(study.question.town ? [{ screenerQuestionId: study.question.town, answer: "Oslo" }] : []),
    ],
    complete: true,
  });
const decide = ({ session }: Invitation, decision: string, reason?: string, headers = {}) =>
  client.call("POST", `/screener-sessions/${session}/review`, { body: { decision, reason }, headers });
const counts = async ({ screener }: Published) =>
  Object.fromEntries(
    ((await client.all(`/screeners/${screener}/quotas`)) as unknown as Quota[]).map(({ name, taken, held, status }) => [
      name,
      `${taken} + ${held} ${status}`,
    ]),
  );
const typesOf = async ({ session }: Invitation) =>
  (await client.all(`/events?filter[resourceId][eq]=${session}`)).map(({ type }) => type).sort();

test("who qualifies waits for a review with the places held; accepted, they are taken", async () => {
  const { study, people } = await reviewed(3);
  const [ada, bea, cem] = people as [Invitation, Invitation, Invitation];
  const ended = await finish(study, ada, "Woman");
  assert.equal(ended.status, 200, ended.text);
  assert.deepEqual(ended.body.review, { state: "PENDING", by: null, at: null, reason: null });
  // The outcome is what the rules say, and others find no room.
  const status = await readStatus(client, ada.assignment);
  assert.deepEqual(await counts(study), { Women: "0 + 1 HELD_FULL", Men: "0 + 0 OPEN", All: "0 + 1 OPEN" });
  assert.equal((await finish(study, bea, "Woman")).body.outcomeReason, "OVER_QUOTA");
  assert.equal((await readSession(client, bea.session)).review, null);
  assert.equal((await decide(bea, "ACCEPTED")).body.code, "session_not_reviewed");
  assert.equal((await decide(cem, "ACCEPTED")).body.code, "session_not_reviewed");

  const found = `/screener-sessions?filter[screenerId][eq]=${study.screener}&filter[review][eq]=PENDING`;
  assert.deepEqual(
    (await client.all(found)).map(({ id }) => id),
    [ada.session],
  );
  const accepted = await decide(ada, "ACCEPTED", " Plausible ");
  assert.equal(accepted.status, 200, accepted.text);
  const { state, by, at, reason } = accepted.body.review;
  assert.deepEqual([state, by._type, reason], ["ACCEPTED", "ApplicationActor", "Plausible"]);
  assert.match(at, /^\d{4}-.*Z$/);
  assert.deepEqual(accepted.body, await readSession(client, ada.session));
  assert.deepEqual(await counts(study), { Women: "1 + 0 FULL", Men: "0 + 0 OPEN", All: "1 + 0 OPEN" });
  assert.equal(await readStatus(client, ada.assignment), status);
  assert.deepEqual(await client.all(found), []);
  assert.deepEqual(
    (await typesOf(ada)).filter((type) => String(type).endsWith("accepted")),
    ["screener-session.accepted"],
  );
  // The same again changes nothing.
  assert.deepEqual((await decide(ada, "ACCEPTED", "Plausible")).body, accepted.body);
});

test("rejecting gives the places back for others, and is taken back only while there is room", async () => {
  const { study, people } = await reviewed(2);
  const [ada, bea] = people as [Invitation, Invitation];
  await finish(study, ada, "Woman");
  const rejected = await decide(ada, "REJECTED", "Copied");
  assert.equal(rejected.body.review.state, "REJECTED", rejected.text);
  assert.deepEqual(await counts(study), { Women: "0 + 0 OPEN", Men: "0 + 0 OPEN", All: "0 + 0 OPEN" });
  assert.equal((await decide(ada, "PENDING")).body.review.state, "PENDING");
  assert.deepEqual(await counts(study), { Women: "0 + 1 HELD_FULL", Men: "0 + 0 OPEN", All: "0 + 1 OPEN" });
  await decide(ada, "REJECTED");
  await finish(study, bea, "Woman");
  for (const decision of ["ACCEPTED", "PENDING"]) {
    const refused = await decide(ada, decision);
    assert.deepEqual([refused.status, refused.body.code], [409, "quota_reached"], refused.text);
  }
  assert.equal((await readSession(client, ada.session)).review.state, "REJECTED");
  await decide(bea, "ACCEPTED");
  assert.deepEqual(await counts(study), { Women: "1 + 0 FULL", Men: "0 + 0 OPEN", All: "1 + 0 OPEN" });
  await decide(bea, "PENDING");
  assert.deepEqual(await counts(study), { Women: "0 + 1 HELD_FULL", Men: "0 + 0 OPEN", All: "0 + 1 OPEN" });
  assert.ok((await typesOf(bea)).includes("screener-session.review-reopened"));
});

test("two people do not decide of the same session unseen", async () => {
  const { study, people } = await reviewed(1);
  await finish(study, people[0]!, "Man");
  const read = await client.get(`/screener-sessions/${people[0]!.session}`);
  const seen = { "If-Match": read.headers.get("etag")! };
  assert.equal((await decide(people[0]!, "REJECTED", "Too fast", seen)).status, 200);
  assert.equal((await decide(people[0]!, "ACCEPTED", undefined, seen)).status, 412);
  assert.equal((await readSession(client, people[0]!.session)).review.state, "REJECTED");
});

test("who sets the outcome by hand has reviewed it; by the rules again, it waits", async () => {
  const { study, people } = await reviewed(1);
  const [ada] = people as [Invitation];
  await finish(study, ada, "Woman");
  const override = async (outcome: string) =>
    (await client.post(`/screener-sessions/${ada.session}/override`, { outcome, reason: "x" })).body.review;
  assert.equal(await override("DISQUALIFIED"), null);
  assert.deepEqual(await counts(study), { Women: "0 + 0 OPEN", Men: "0 + 0 OPEN", All: "0 + 0 OPEN" });
  assert.equal((await override("BY_RULES")).state, "PENDING");
  assert.deepEqual(await counts(study), { Women: "0 + 1 HELD_FULL", Men: "0 + 0 OPEN", All: "0 + 1 OPEN" });
  assert.equal((await override("QUALIFIED")).state, "ACCEPTED");
  assert.deepEqual(await counts(study), { Women: "1 + 0 FULL", Men: "0 + 0 OPEN", All: "1 + 0 OPEN" });
});

test("a place that waits for a review is not given back when time goes by", async () => {
  const { study, people } = await reviewed(1);
  await finish(study, people[0]!, "Woman");
  const [quota] = (await client.all(`/screeners/${study.screener}/quotas`)) as unknown as [Quota];
  const [place] = await client.all(`/screener-quotas/${quota.id}/places`);
  assert.deepEqual([place!.state, place!.expiresAt], ["HELD", null]);
});

test("a reason that names somebody who is erased is forgotten, also in the log", async () => {
  const { study, people } = await reviewed(2);
  const [ada, bea] = people as [Invitation, Invitation];
  await finish(study, bea, "Man");
  const { participantId } = (await client.get(`/screener-participants/${ada.assignment}`)).body;
  await client.patch(`/participants/${participantId}`, { email: "mirabelle.unusual@example.org" });
  await decide(bea, "REJECTED", "The same answers as mirabelle.unusual@example.org");
  assert.equal((await client.delete(`/participants/${participantId}`)).status, 200);
  assert.equal((await readSession(client, bea.session)).review.reason, "[erased]");
  const [event] = await client.all("/events?filter[type][eq]=screener-session.rejected");
  assert.doesNotMatch(JSON.stringify(event), /mirabelle/);
});

test("what was decided is said of people in studies, in tables and in exports, which can be filtered by it", async () => {
  const { study, people } = await reviewed(3);
  const [ada, bea, cem] = people as [Invitation, Invitation, Invitation];
  await finish(study, ada, "Woman");
  await finish(study, bea, "Man");
  // Signals are said only of a single session, to reviewers.
  const { signals, ...review } = (await decide(bea, "ACCEPTED", "Plausible")).body.review;
  assert.deepEqual(signals, []);
  const assignment = async ({ assignment }: Invitation) =>
    (await client.get(`/screener-participants/${assignment}`)).body.review;
  assert.deepEqual(await assignment(ada), { state: "PENDING", by: null, at: null, reason: null });
  assert.deepEqual([await assignment(bea), await assignment(cem)], [review, undefined]);
  const accepted = "filter[review][eq]=ACCEPTED";
  const found = await client.all(`/screener-participants?filter[screenerId][eq]=${study.screener}&${accepted}`);
  assert.deepEqual(
    found.map(({ id }) => id),
    [bea.assignment],
  );
  const columns = ["review", "reviewedBy", "reviewReason", "reviewedAt"].map((name) => `session.${name}`);
  const { items } = (
    await client.get(`/screeners/${study.screener}/answers?columns=${columns.join()}&filter[review][in][]=ACCEPTED`)
  ).body;
  const said = ["ACCEPTED", review.by.name, "Plausible", review.at];
  assert.deepEqual(
    items.map(({ values }: { values: object }) => Object.values(values)),
    [said],
  );
  const csv = (path: string) => client.call("GET", path, { headers: { Accept: "text/csv" } });
  const rows = readCsv((await csv(`/screeners/${study.screener}/export?${accepted}`)).text);
  assert.deepEqual(
    rows.map((row) => columns.map((column) => row[column])),
    [said],
  );
  const codebook = readCsv((await csv(`/screeners/${study.screener}/codebook`)).text);
  assert.ok(columns.every((column) => codebook.some((row) => row.column === column)));
  const results = async (filter: string) =>
    (await client.get(`/screeners/${study.screener}/results?${filter}`)).body.questions[0].answered;
  assert.deepEqual([await results(""), await results(accepted)], [2, 1]);
});

test("publishing warns of a target beside reviews", async () => {
  const { study } = await reviewed(1);
  const warningsOf = async (targetQualifiedParticipants: number | null) => {
    const body = { screenerId: study.screener, targetQualifiedParticipants };
    const published = await client.post("/screener-publications", body);
    const job = /jobs\/([\w-]+)/.exec(published.headers.get("link")!)![1];
    const { warnings } = (await client.get(`/jobs/${job}`)).body;
    return (warnings ?? []).map(({ code }: { code: string }) => code);
  };
  assert.deepEqual([await warningsOf(5), await warningsOf(null)], [["target_with_review"], []]);
});

test("without a review, and of tests, sessions take their places at once", async () => {
  const study = await publish(client, { pages, quotas: QUOTAS });
  const [ada] = await invite(client, study.screener, 1);
  assert.equal((await finish(study, ada!, "Woman")).body.review, null);
  assert.deepEqual(await counts(study), { Women: "1 + 0 FULL", Men: "0 + 0 OPEN", All: "1 + 0 OPEN" });
  assert.equal((await client.patch(`/screeners/${study.screener}`, { review: "SOME" })).status, 400);
});

test("on its page people are reviewed one after the other, the one who has waited longest first", async () => {
  const browser = await signedIn(service, client.workspaceId, "researcher", "ada@session-review.example.org");
  const viewer = await signedIn(service, client.workspaceId, "viewer", "vi@session-review.example.org");
  const { study, people } = await reviewed(3);
  const [ada, bea, cem] = people as [Invitation, Invitation, Invitation];
  for (const [person, sex] of [
    [cem, "Man"],
    [ada, "Woman"],
    [bea, "Man"],
  ] as const)
    await finish(study, person, sex);
  const path = `/console/studies/${study.screener}/review`;
  const field = (html: string, name: string) => new RegExp(`name="${name}" value="([^"]*)"`).exec(html)?.[1] ?? "";
  const stateOf = async (one: Invitation) => (await readSession(client, one.session)).review.state;
  const form = async (from: string) => {
    const { text } = await browser.get(from);
    return { text, fields: { session: field(text, "session"), was: field(text, "was") } };
  };

  const first = await form(path);
  assert.match(first.text, /3 people wait/);
  assert.match(first.text, /Review \(3\)/);
  assert.doesNotMatch(first.text, new RegExp(`session=${cem.session}`));
  assert.equal((await viewer.get(path)).status, 403);
  const sent = await browser.post(path, { ...first.fields, decision: "ACCEPTED", reason: "Fine" });
  const { reference: adas } = await readSession(client, ada.session);
  assert.deepEqual([sent.status, sent.headers.location], [303, `${path}?done=ACCEPTED&session=${adas}`], sent.text);
  assert.equal(await stateOf(cem), "ACCEPTED");
  // Sent again, it decides of nobody else.
  await browser.post(path, { ...first.fields, decision: "ACCEPTED", reason: "Fine" });
  assert.equal(await stateOf(ada), "PENDING");

  const second = await form(String(sent.headers.location));
  assert.match(second.text, /Accepted\. The places are taken\./);
  await decide(ada, "REJECTED", "Copied");
  const stale = await browser.post(path, { ...second.fields, decision: "ACCEPTED", reason: "" });
  assert.equal(stale.status, 422);
  assert.match(stale.text, /Somebody has decided about this person since you opened the page/);
  assert.match(stale.text, /Copied/);
  assert.equal(await stateOf(ada), "REJECTED");
  const again = { session: field(stale.text, "session"), was: field(stale.text, "was") };
  assert.equal((await browser.post(path, { ...again, decision: "PENDING", reason: "" })).status, 303);
  assert.equal(await stateOf(ada), "PENDING");
  const answers = await viewer.get(`/console/studies/${study.screener}/answers/${again.session}`);
  assert.match(answers.text, /Waits for a review/);

  // Who was skipped is not shown again before those who wait behind the one that is decided.
  const { reference: beas } = await readSession(client, bea.session);
  const last = await form(`${path}?session=${beas}`);
  const rejected = await browser.post(path, { ...last.fields, decision: "REJECTED", reason: "Copied" });
  assert.equal(rejected.headers.location, `${path}?done=REJECTED`);
  const beasAnswers = await viewer.get(`/console/studies/${study.screener}/answers/${beas}`);
  assert.match(beasAnswers.text, /Rejected[\s\S]*Decided by[\s\S]*The researcher[\s\S]*Copied/);

  const elsewhere = await reviewed(1);
  const foreign = `/console/studies/${elsewhere.study.screener}/review?session=${again.session}`;
  assert.equal((await browser.get(foreign)).status, 404);
  assert.match((await browser.get(foreign.replace(/\?.*/, ""))).text, /Nobody waits for a review/);
});

test("who may do nothing but review gets no links of those whom it decides about", async () => {
  const { study, people } = await reviewed(2);
  for (const one of people) assert.equal((await finish(study, one, "Man")).status, 200);
  const reviewer = await withScopes(service, client, ["review"]);
  const sessions = await Promise.all(people.map(({ session }) => readSession(client, session)));
  const [one, other] = sessions as unknown as { id: string; reference: string; linkSlug: string }[];
  const decided = await reviewer.post(`/screener-sessions/${one!.reference}/review`, { decision: "ACCEPTED" });
  assert.deepEqual([decided.status, decided.body.id, decided.body.review.state], [200, one!.reference, "ACCEPTED"]);
  const plan = await reviewer.post("/screener-sessions-review", {
    screenerId: study.screener,
    screenerSessionIds: [other!.reference],
    decision: "REJECTED",
    reason: "Copied",
  });
  assert.equal(plan.status, 200, plan.text);
  assert.equal((await readSession(client, other!.id)).review?.state, "REJECTED");
  const read = await reviewer.get(`/jobs/${plan.body.id}`);
  for (const { text } of [decided, plan, read])
    for (const { id, linkSlug } of [one!, other!]) assert.ok(!text.includes(id) && !text.includes(linkSlug), text);
});
