// POST /screener-sessions for a whole screener

import assert from "node:assert/strict";
import { test } from "node:test";
import { whenFree } from "../../db/sqlite/when-free.ts";
import { ASYNC, people, UUID_V4 } from "../support/client.ts";
import { install } from "../support/process.ts";
import { carrier, startService } from "../support/service.ts";

const service = await startService({ config: { publicUrl: "https://screening.example.org" } });

interface Session {
  id: string;
  linkSlug: string;
  screenerParticipantId: string;
}

test("everybody without a session gets one, and the answer has them in the order of the screener participants", async () => {
  const client = service.workspace();
  const { screenerId } = await client.published(1201, { tags: [{ category: "region", value: "north" }] });
  const rows = await client.all("/screener-participants");
  const other = (await client.post("/screener-sessions", { screenerParticipantId: rows[3].id })).body;
  const { status, body } = await client.post("/screener-sessions", { screenerId }, { Prefer: "wait=60" });
  assert.equal(status, 200);
  const expected = rows.filter((_, index) => index !== 3).map(({ id }) => id);
  assert.deepEqual(
    body.map((session: Session) => session.screenerParticipantId),
    expected,
  );
  assert.equal((await client.get("/screener-sessions")).body.total, 1201);
  // What was answered is what is there.
  const listed = new Map((await client.all("/screener-sessions")).map((session) => [session.id, session]));
  for (const session of body) assert.deepEqual(listed.get(session.id), session);
  const now = await client.all("/screener-participants");
  const current = new Map(now.map(({ id, currentSessionId }) => [id, currentSessionId]));
  for (const session of body) assert.equal(current.get(session.screenerParticipantId), session.id);
  assert.equal(current.get(rows[3].id), other.id);
  assert.deepEqual(new Set(now.map((row) => row.status)), new Set(["NOT_STARTED"]));
  const { items } = (await client.get("/jobs?filter[kind][eq]=SCREENER_SESSIONS_OPENING")).body;
  assert.deepEqual(items[0].summary, { opened: 1200 });
});

test("ids are random UUIDs, and slugs have 128 bits; none comes twice", async () => {
  const client = service.workspace();
  const { screenerId } = await client.published(300);
  const sessions: Session[] = (await client.post("/screener-sessions", { screenerId })).body;
  for (const { id, linkSlug } of sessions) {
    assert.match(id, UUID_V4);
    assert.equal(Buffer.from(linkSlug, "base64url").length, 16);
  }
  assert.equal(new Set(sessions.map(({ id }) => id)).size, 300);
  assert.equal(new Set(sessions.map(({ linkSlug }) => linkSlug)).size, 300);
  // In no order: one says nothing about the next.
  assert.notDeepEqual(
    sessions.map(({ id }) => id),
    sessions.map(({ id }) => id).sort(),
  );
});

test("asked again it opens only for who is new, or whose session was removed", async () => {
  const client = service.workspace();
  const { screenerId } = await client.published(3);
  const first: Session[] = (await client.post("/screener-sessions", { screenerId })).body;
  assert.deepEqual((await client.post("/screener-sessions", { screenerId })).body, []);
  await client.delete(`/screener-sessions/${first[1]!.id}`);
  await client.import(screenerId, people(1, 10));
  const { status, body } = await client.post("/screener-sessions", { screenerId });
  assert.equal(status, 200);
  const rows = await client.all("/screener-participants");
  assert.deepEqual(
    body.map((session: Session) => session.screenerParticipantId),
    [rows[1].id, rows[3].id],
  );
  assert.equal((await client.get("/screener-sessions?filter[status][eq]=ACTIVE")).body.total, 4);
});

test("the sessions of other screeners stay as they are", async () => {
  const client = service.workspace();
  const { screenerId } = await client.published(2);
  await client.published(2);
  await client.post("/screener-sessions", { screenerId });
  assert.equal((await client.get("/screener-sessions")).body.total, 2);
  assert.equal((await client.get(`/screener-sessions?filter[screenerId][eq]=${screenerId}`)).body.total, 2);
});

test("without an active publication, or with its quota reached, nothing opens", async () => {
  const { client, screenerId } = await service.screener();
  await client.import(screenerId, people(2));
  const unpublished = await client.post("/screener-sessions", { screenerId });
  assert.deepEqual([unpublished.status, unpublished.body.code], [409, "screener_not_published"]);

  const pages = [
    { questions: [{ id: "q", _type: "ScreenerNumericQuestion", prompt: "How many?" }] },
    { disqualifyWhen: { questionId: "q", atLeast: 1000 }, questions: [] },
  ];
  const content = await client.call("PUT", `/screeners/${screenerId}/content`, { body: { pages } });
  assert.equal(content.status, 200);
  await client.post("/screener-publications", { screenerId, targetQualifiedParticipants: 1 });
  const rows = await client.all("/screener-participants");
  const session = (await client.post("/screener-sessions", { screenerParticipantId: rows[0].id })).body;
  const answered = await client.post(`/screener-sessions/${session.id}/responses`, { responses: [], complete: true });
  assert.equal(answered.status, 200);
  assert.equal((await client.all("/screener-participants"))[0].status, "QUALIFIED");
  const full = await client.post("/screener-sessions", { screenerId });
  assert.deepEqual([full.status, full.body.code], [409, "quota_reached"]);
  assert.equal((await client.get("/screener-sessions")).body.total, 1);
});

test("an unknown screener, none at all, or a participant beside it is refused", async () => {
  const client = service.workspace();
  const { screenerId } = await client.published(1);
  const unknown = await client.post("/screener-sessions", { screenerId: "019a0000-0000-7000-8000-000000000000" });
  assert.deepEqual([unknown.status, unknown.body.code], [404, "screener_not_found"]);
  for (const body of [{}, { screenerId: null }, { screenerId, screenerParticipantId: screenerId }]) {
    const answer = await client.post("/screener-sessions", body);
    assert.equal(answer.status, 400);
    assert.equal(answer.body.errors[0].pointer, "/screenerParticipantId");
  }
  assert.equal((await client.post("/screener-sessions", { screenerId: "" })).status, 404);
  const stranger = await service.workspace().post("/screener-sessions", { screenerId });
  assert.equal(stranger.status, 404);
});

test("with respond-async it is a job with the same result; the same Idempotency-Key gives the same job", async () => {
  const client = service.workspace();
  const { screenerId } = await client.published(5);
  const headers = { ...ASYNC, "Idempotency-Key": "open-1" };
  const first = await client.post("/screener-sessions", { screenerId }, headers);
  assert.equal(first.status, 202);
  await service.drain();
  const again = await client.post("/screener-sessions", { screenerId }, { "Idempotency-Key": "open-1" });
  assert.equal(again.status, 200);
  assert.equal(again.body.length, 5);
  assert.deepEqual((await client.get(`/jobs/${first.body.id}/result`)).body, again.body);
  assert.equal((await client.get("/screener-sessions")).body.total, 5);
});

test("a job that has ended and is delivered again opens no session twice", async () => {
  const client = service.workspace();
  const { screenerId } = await client.published(50);
  const { body: job } = await client.post("/screener-sessions", { screenerId }, ASYNC);
  await service.drain();
  // The ledger has lost what became of it; the workspace knows.
  const { writer } = service.context.control;
  const before = (await client.get(`/jobs/${job.id}/result`)).body;
  const forget = "UPDATE job SET status = 'QUEUED', runner = NULL, finished_at = NULL, apply_begun = 0 WHERE uid = ?";
  await whenFree(writer, 5000, () => writer.run(forget, job.id));
  await service.drain();
  assert.deepEqual((await client.get(`/jobs/${job.id}/result`)).body, before);
  assert.equal((await client.get("/screener-sessions")).body.total, 50);
});

test("a process that is killed in the middle of it opens all, once", async () => {
  const env = carrier === "redis" ? { REDIS_URL: process.env.TEST_REDIS_URL! } : {};
  const installation = install({ ...env, WORKER_CONCURRENCY: "1" });
  const workspace = installation.workspace();
  // When the sessions are written, and the participants don't know them yet.
  const deadly = {
    KILL_SQL: "UPDATE w.screener_participant SET current_session_id",
    KILL_ONCE: `${installation.dataDir}/killed`,
  };
  const preload = ["test/support/kill-at.ts"];
  const web = await installation.web(carrier === "threads" ? { preload, env: deadly } : {});
  const worker = carrier === "redis" ? await installation.worker({ preload, env: deadly }) : undefined;
  const client = workspace.client(web);
  const { screenerId } = await client.published(2000);
  const { body: job } = await client.post("/screener-sessions", { screenerId }, ASYNC);
  await (worker ?? web).ended;
  assert.equal(installation.stored<number>(workspace, "SELECT count(*) FROM screener_session")[0], 0);
  if (worker) await installation.worker();
  const after = worker ? client : workspace.client(await installation.web());
  await installation.drain();
  const { status, summary } = (await after.get(`/jobs/${job.id}`)).body;
  assert.deepEqual([status, summary], ["SUCCEEDED", { opened: 2000 }]);
  assert.equal((await after.get("/screener-sessions")).body.total, 2000);
  assert.equal((await after.get(`/jobs/${job.id}/result`)).body.length, 2000);
  const [without] = installation.stored<number>(
    workspace,
    "SELECT count(*) FROM screener_participant WHERE current_session_id IS NULL",
  );
  assert.equal(without, 0);
});
