// Deleting a screener with everything, which is asked for twice.

import assert from "node:assert/strict";
import { test } from "node:test";
import { findBytes } from "../support/bytes.ts";
import { ASYNC, type Client, people, UNKNOWN } from "../support/client.ts";
import { startService } from "../support/service.ts";
import { invite, publish } from "../support/study.ts";

const service = await startService();
const wait = { Prefer: "wait=60" };

const content = {
  pages: [{ title: "One", questions: [{ key: "why", _type: "ScreenerTextQuestion", prompt: "Why Zanzibar?" }] }],
};

const confirmed = (client: Client, id: string, title: string) =>
  client.call("DELETE", `/screeners/${id}?confirm=${encodeURIComponent(title)}`, { headers: wait });

test("without its title a screener stays, and the answer says how much would go", async () => {
  const client = service.workspace();
  const study = await publish(client, content, { title: "Tea & coffee" });
  await invite(client, study.screener, 3);
  for (const query of ["", "?confirm=", "?confirm=tea", "?confirm=Tea"]) {
    const { status, body } = await client.delete(`/screeners/${study.screener}${query}`);
    assert.deepEqual([status, body.code], [409, "confirmation_required"], query);
    assert.match(body.detail, /"Tea & coffee" with 1 publication, 3 screener participants, 3 sessions and 0 answers/);
    assert.match(body.detail, /confirm=Tea%20%26%20coffee/);
  }
  const wrong = await client.delete(`/screeners/${study.screener}?conform=x`);
  assert.deepEqual([wrong.status, wrong.body.code], [400, "invalid_request"]);
  assert.equal((await client.get(`/screeners/${study.screener}`)).status, 200);
  assert.equal((await confirmed(client, UNKNOWN, "x")).status, 404);
  assert.equal((await client.get("/jobs?filter[kind][eq]=SCREENER_DELETION")).body.total, 0);
});

test("a deleted screener is gone with its answers, links and results; participants and other screeners stay", async () => {
  const client = service.workspace();
  const study = await publish(client, content, { title: "Going" });
  const other = await publish(client, content, { title: "Staying" });
  const [link] = await invite(client, study.screener, 3);
  const [stays] = await invite(client, other.screener, 2);
  const large = await client.import(study.screener, people(300), {}, wait);
  await client.post("/screener-sessions", { screenerId: study.screener }, { ...wait, "Idempotency-Key": "all" });
  const plan = await client.import(study.screener, people(1), { dryRun: true });
  const answer = (session: string, question: string, text: string) =>
    client.post(`/screener-sessions/${session}/responses`, {
      responses: [{ screenerQuestionId: question, answer: text }],
    });
  assert.equal((await answer(link!.session, study.question.why!, "Cloves and pepper")).status, 200);
  assert.equal((await answer(stays!.session, other.question.why!, "Sea and sand")).status, 200);
  const total = (await client.get("/participants")).body.total;
  const slug = link!.shortPath.split("/").at(-1)!;

  const { status, body } = await confirmed(client, study.screener, "Going");
  assert.deepEqual([status, body.status, body.screenerId], [200, "SUCCEEDED", study.screener]);
  assert.deepEqual(body.summary, { publications: 1, screenerParticipants: 303, sessions: 303, responses: 1 });
  assert.deepEqual(findBytes(service.config.dataDir, ["Cloves and pepper", slug]), []);

  for (const path of [`/screeners/${study.screener}`, `/screener-sessions/${link!.session}`])
    assert.equal((await client.get(path)).status, 404);
  assert.equal((await fetch(service.url + link!.path)).status, 404);
  assert.equal((await confirmed(client, study.screener, "Going")).status, 404);
  assert.equal((await client.get(`${large.headers.get("location")}/rows`)).status, 410);
  assert.equal((await client.get(`/jobs/${plan.body.id}`)).body.problem.code, "plan_superseded");
  const totals = Object.fromEntries(
    await Promise.all(
      ["screeners", "participants", "screener-participants", "screener-sessions", "screener-responses"].map(
        async (list) => [list, (await client.get(`/${list}`)).body.total],
      ),
    ),
  );
  assert.deepEqual(totals, {
    screeners: 1,
    participants: total,
    "screener-participants": 2,
    "screener-sessions": 2,
    "screener-responses": 1,
  });
  assert.equal((await fetch(service.url + stays!.path)).status, 200);
  const check = service.context.workspaces.read(client.workspaceId, (db) => db.all("PRAGMA foreign_key_check"));
  assert.deepEqual(check, []);
});

test("a screener without a title is confirmed by its id; and the deletion waits for the jobs before it", async () => {
  const client = service.workspace();
  const id = await client.screener();
  await client.patch(`/screeners/${id}`, { title: null });
  const before = await client.import(id, people(2000), {}, ASYNC);
  const refused = await client.delete(`/screeners/${id}`);
  assert.match(refused.body.detail, new RegExp(`without a title .*confirm=${id}`));
  const { body } = await confirmed(client, id, id);
  assert.equal(body.summary.screenerParticipants, 2000);
  assert.equal((await client.get(`/jobs/${before.body.id}`)).body.status, "SUCCEEDED");
  assert.equal((await client.get("/participants")).body.total, 2000);
});
