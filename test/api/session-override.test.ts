// Outcomes that a person sets: what follows them, what is kept of the rules, and how they are taken back.

import assert from "node:assert/strict";
import { test } from "node:test";
import { findBytes } from "../support/bytes.ts";
import { UNKNOWN } from "../support/client.ts";
import { parseCsv } from "../support/csv.ts";
import { startService } from "../support/service.ts";
import { invite, publish, readSession, readStatus } from "../support/study.ts";

const service = await startService();
const client = service.workspace();

const content = {
  pages: [
    {
      title: "About you",
      disqualifyWhen: { questionId: "age", lessThan: 18 },
      questions: [{ id: "age", key: "age", _type: "ScreenerNumericQuestion", prompt: "Age?", required: true }],
    },
  ],
};
const study = await publish(client, content, { targetQualifiedParticipants: 1 });
const [young, old, late] = await invite(client, study.screener, 3);

const answer = (session: string, age: number) =>
  client.post(`/screener-sessions/${session}/responses`, {
    responses: [{ screenerQuestionId: study.question.age, answer: age }],
    complete: true,
  });
const override = (session: string, body: object) => client.post(`/screener-sessions/${session}/override`, body);
const explained = async (session: string) => (await client.get(`/screener-sessions/${session}/explanation`)).body;
const events = async (session: string, type: string) =>
  (await client.all(`/events?filter[resourceId][eq]=${session}&filter[type][eq]=${type}`)) as {
    changes: { field: string; from: unknown; to: unknown }[];
  }[];

test("an outcome is set with a reason: the status, the quota and the explanation follow; and it is taken back", async () => {
  assert.equal(
    (await override(young!.session, { outcome: "QUALIFIED", reason: "x" })).body.code,
    "session_not_completed",
  );
  await answer(young!.session, 17);
  assert.equal(await readStatus(client, young!.assignment), "DISQUALIFIED");
  const set = await override(young!.session, { outcome: "QUALIFIED", reason: " Eighteen tomorrow " });
  assert.equal(set.status, 200, set.text);
  assert.deepEqual(set.body, await readSession(client, young!.session));
  assert.equal(set.body.outcomeReason, null);
  assert.equal(await readStatus(client, young!.assignment), "QUALIFIED");
  const { outcome, judgedNow, sentence, override: shown, rules } = await explained(young!.session);
  assert.equal(outcome, "QUALIFIED");
  assert.deepEqual(judgedNow, { outcome: "DISQUALIFIED", outcomeReason: "SCREENED_OUT" });
  assert.deepEqual(shown.judged, judgedNow);
  assert.equal(shown.reason, "Eighteen tomorrow");
  assert.equal(shown.createdBy._type, "ApplicationActor");
  assert.match(
    sentence,
    /^Qualified: set by .* on \d{4}-\d\d-\d\d, because: Eighteen tomorrow\. By the rules: Screened out by/,
  );
  assert.ok(rules.every(({ decides }: { decides: boolean }) => !decides));
  const { text } = await client.get(`/screeners/${study.screener}/export?filter[id][eq]=${young!.session}`);
  const [headings, row] = parseCsv(text);
  const cell = (name: string) => row?.[headings!.indexOf(`session.${name}`)];
  assert.deepEqual(["outcome", "judgedOutcome", "overriddenBy", "overrideReason", "overriddenAt"].map(cell), [
    "QUALIFIED",
    "DISQUALIFIED",
    shown.createdBy.name,
    "Eighteen tomorrow",
    shown.createdAt,
  ]);
  // The only place is taken.
  assert.equal((await events(study.publication, "quota.reached")).length, 1);
  assert.equal((await answer(old!.session, 40)).body.code, "quota_reached");

  const same = await override(young!.session, { outcome: "QUALIFIED", reason: "Eighteen tomorrow" });
  assert.equal(same.status, 200);
  const [first, ...more] = await events(young!.session, "screener-session.overridden");
  assert.deepEqual(more, []);
  assert.deepEqual(first!.changes, [
    { field: "outcome", from: "DISQUALIFIED", to: "QUALIFIED" },
    { field: "outcomeReason", from: "SCREENED_OUT", to: null },
    { field: "reason", from: null, to: "Eighteen tomorrow" },
    { field: "screenerParticipant.status", from: "DISQUALIFIED", to: "QUALIFIED" },
  ]);

  assert.equal(
    (await override(young!.session, { outcome: "BY_RULES", reason: "Back" })).body.outcomeReason,
    "SCREENED_OUT",
  );
  assert.equal(await readStatus(client, young!.assignment), "DISQUALIFIED");
  assert.equal((await explained(young!.session)).override, null);
  assert.equal((await answer(old!.session, 40)).status, 200);
  assert.equal(await readStatus(client, old!.assignment), "QUALIFIED");
});

test("an outcome that was set twice goes back to the rules; beyond the target, too", async () => {
  const { session, assignment } = young!;
  await override(session, { outcome: "QUALIFIED", reason: "One more" });
  assert.equal(await readStatus(client, assignment), "QUALIFIED");
  await override(session, { outcome: "DISQUALIFIED", reason: "Not after all" });
  assert.equal(await readStatus(client, assignment), "DISQUALIFIED");
  assert.equal((await readSession(client, session)).outcomeReason, null);
  await override(session, { outcome: "BY_RULES", reason: "Back" });
  assert.equal((await readSession(client, session)).outcomeReason, "SCREENED_OUT");
  const before = await events(session, "screener-session.overridden");
  assert.equal((await override(session, { outcome: "BY_RULES", reason: "again" })).status, 200);
  assert.equal((await events(session, "screener-session.overridden")).length, before.length);
});

test("what is taken back is gone, also where the rules come to the same, for the same reason", async () => {
  const { session } = old!;
  await override(session, { outcome: "QUALIFIED", reason: "Sure" });
  assert.equal((await explained(session)).override.reason, "Sure");
  await override(session, { outcome: "BY_RULES", reason: "Sure" });
  const { override: after, outcome } = await explained(session);
  assert.deepEqual([after, outcome], [null, "QUALIFIED"]);
});

test("what is wrong is said, all at once", async () => {
  const pointers = async (body: object) =>
    (await override(old!.session, body)).body.errors.map(({ pointer }: { pointer: string }) => pointer);
  assert.deepEqual(await pointers({}), ["/outcome", "/reason"]);
  assert.deepEqual(await pointers({ outcome: "UNKNOWN", reason: "" }), ["/outcome", "/reason"]);
  assert.equal(
    (await override(UNKNOWN, { outcome: "BY_RULES", reason: "Back" })).body.code,
    "screener_session_not_found",
  );
  assert.equal(
    (await override(late!.session, { outcome: "BY_RULES", reason: "Back" })).body.code,
    "session_not_completed",
  );
});

test("a reason goes with the person", async () => {
  const { session, assignment } = young!;
  const reason = "Her aunt Zenobia said so";
  await override(session, { outcome: "QUALIFIED", reason });
  const { participantId } = (await client.get(`/screener-participants/${assignment}`)).body;
  assert.equal((await client.call("DELETE", `/participants/${participantId}`)).status, 200);
  await service.drain();
  assert.deepEqual(findBytes(service.config.dataDir, ["Zenobia"]), []);
});
