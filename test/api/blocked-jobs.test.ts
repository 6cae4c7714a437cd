// A job that was tried in vain for 15 minutes is set aside: it says so everywhere, the workspace's other jobs go on, and nothing
// takes effect out of its order.

import assert from "node:assert/strict";
import { existsSync, mkdirSync, readdirSync, renameSync, rmdirSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { Registry } from "prom-client";
import { whenFree } from "../../db/sqlite/when-free.ts";
import { MAX_TRIED_MS } from "../../src/engine/ledger/queue.ts";
import { installationGauges } from "../../src/metrics/gauges.ts";
import { type Answer, ASYNC, type Client, people } from "../support/client.ts";
import { signedIn } from "../support/console.ts";
import { startService } from "../support/service.ts";
import { holdWrites } from "../support/store.ts";
import { until } from "../support/until.ts";

const HOUR_MS = 3_600_000;
const service = await startService({ config: { logLevel: "silent" } });
const { dataDir } = service.config;
const { reader, writer } = service.context.control;
const wait = { Prefer: "wait=60" };
/** So many people are in a file of the spool. */
const MANY = 2000;

type Job = Answer["body"];

function inLedger(sql: string, ...values: (string | number)[]): Promise<unknown> {
  return whenFree(writer, 5000, () => writer.run(sql, ...values));
}

async function job(client: Client, id: string): Promise<Job> {
  return (await client.get(`/jobs/${id}`)).body;
}

/** Resolves with the job when it has ended. */
function ended(client: Client, id: string): Promise<Job> {
  return until(async () => {
    const found = await job(client, id);
    return found.finishedAt && found;
  }, "the job has ended");
}

/** Has a job set aside. @param taken takes something away that it needs, and returns how to give it back */
async function setAside<Mend>(
  client: Client,
  accept: () => Promise<Answer>,
  taken: (id: string) => Mend,
): Promise<{ id: string; mend: Mend }> {
  const other = await client.screener();
  const release = holdWrites(service, client);
  // It holds the queue until then.
  await client.import(other, people(1, 90_000), {}, ASYNC);
  const { status, body, text } = await accept();
  assert.equal(status, 202, text);
  const mend = taken(body.id);
  await inLedger("UPDATE job SET tried_ms = ? WHERE uid = ?", MAX_TRIED_MS - 1, body.id);
  release();
  await until(async () => (await job(client, body.id)).blocked !== null, "it is set aside");
  return { id: body.id, mend };
}

/** Takes the body of a job away. */
function takeBody(id: string): () => void {
  const path = join(dataDir, "spool", id);
  renameSync(path, `${path}.away`);
  return () => renameSync(`${path}.away`, path);
}

function importAside(client: Client, screenerId: string, headers: Record<string, string> = {}) {
  return setAside(client, () => send(client, screenerId, { ...ASYNC, ...headers }), takeBody);
}

/** An import of many, whose screener is known before its body is read. */
function send(client: Client, screenerId: string, headers: Record<string, string>): Promise<Answer> {
  const raw = `externalUid,email,name\n${people(MANY)
    .map((one) => Object.values(one).join())
    .join("\n")}\n`;
  const path = `/screener-participants-import?screenerId=${screenerId}`;
  return client.call("POST", path, { raw, headers: { "Content-Type": "text/csv", ...headers } });
}

/** An erasure for which the result of an earlier import can't be opened. */
async function erasureAside(client: Client) {
  const { headers } = await client.import(await client.screener(), people(MANY, 50_000), {}, wait);
  const imported = headers.get("location")!.replace("/jobs/", "");
  const { body } = await client.get("/participants?filter[externalUid][eq]=P-50000");
  const participantId: string = body.items[0].id;
  const erase = () => client.call("DELETE", `/participants/${participantId}`, { headers: ASYNC });
  const aside = await setAside(client, erase, () => {
    const results = join(dataDir, "results");
    const path = join(results, readdirSync(results).find((name) => name.startsWith(imported))!);
    renameSync(path, `${path}.away`);
    mkdirSync(path);
    return () => {
      rmdirSync(path);
      renameSync(`${path}.away`, path);
    };
  });
  return { ...aside, participantId };
}

test("a job that is tried in vain for 15 minutes is set aside, says so everywhere, and others go on", async () => {
  const { client, screenerId } = await service.screener();
  const key = { "Idempotency-Key": "nightly" };
  const { id, mend } = await importAside(client, screenerId, key);
  const before = Date.now();
  const found = await job(client, id);
  assert.deepEqual([found.status, found.blocked.code, found.finishedAt], ["QUEUED", "spool_unavailable", null]);
  const [since, nextTryAt] = [Date.parse(found.blocked.since), Date.parse(found.blocked.nextTryAt)];
  assert.ok(since <= before && nextTryAt - since === HOUR_MS, JSON.stringify(found.blocked));

  const details = async () =>
    ((await (await fetch(`${service.url}/readyz`)).json()) as { details: Record<string, unknown>[] }).details.filter(
      (one) => one.job === id,
    );
  await until(async () => (await details()).length, "/readyz names it");
  const [{ message, ...detail }] = (await details()) as [Record<string, unknown>];
  assert.deepEqual(detail, {
    code: "job_blocked",
    blocking: false,
    workspace: client.workspaceId,
    job: id,
    blocked: found.blocked,
  });
  assert.match(String(message), /set aside/);
  const csv = await client.get("/jobs", { Accept: "text/csv" });
  assert.match(csv.text, /,blocked\.since,blocked\.code,blocked\.nextTryAt\r\n/);

  const admin = await signedIn(service, client.workspaceId, "admin", "admin@example.org");
  for (const path of ["/console/jobs", `/console/jobs/${id}`]) {
    const { text } = await admin.get(path);
    assert.match(text.replace(/<[^>]+>/g, " ").replace(/\s+/g, " "), /Set aside/, path);
  }
  const registry = new Registry();
  await installationGauges(registry, service.context)();
  const labels = 'kind="SCREENER_PARTICIPANTS_IMPORT",code="spool_unavailable"';
  assert.ok((await registry.metrics()).includes(`screening_jobs_blocked{${labels}} 1\n`));

  // Others go on, also of another screener; the key stands for the job that is set aside.
  assert.equal((await client.import(await client.screener(), people(2, 70_000), {}, wait)).status, 200);
  const again = await send(client, screenerId, { ...ASYNC, ...key });
  assert.deepEqual([again.status, again.body.id, again.headers.get("idempotency-replayed")], [202, id, "true"]);
  assert.equal((await job(client, id)).blocked.code, "spool_unavailable");

  // It is tried at once when somebody says so: in vain first, and then it is done.
  const { attempts } = await job(client, id);
  const retry = await client.post(`/jobs/${id}/retry`, {});
  assert.equal(retry.status, 200, retry.text);
  assert.equal(retry.body.id, id);
  await until(async () => (await job(client, id)).attempts > attempts, "it is tried");
  // The try without a body was its last one: it was away for longer than an hour of tries.
  assert.deepEqual((await ended(client, id)).problem.code, "job_body_lost");
  mend();
});

test("what was set aside is done when what it needs is back, before what comes after it", async () => {
  const client = service.workspace();
  const { id, mend, participantId } = await erasureAside(client);
  assert.equal((await job(client, id)).blocked.code, "results_unavailable");
  mend();
  // An erasure is tried again before the next import.
  const { body: imported } = await client.import(await client.screener(), people(3, 60_000), {}, ASYNC);
  const last = await ended(client, imported.id);
  const erased = await job(client, id);
  assert.deepEqual([erased.status, erased.blocked, last.status], ["SUCCEEDED", null, "SUCCEEDED"]);
  assert.ok(erased.finishedAt <= last.finishedAt);
  assert.equal((await client.get(`/participants/${participantId}`)).status, 404);
});

test("an erasure that is set aside lets imports go on while what it needs is away, and can be cancelled", async () => {
  const client = service.workspace();
  const { id, mend } = await erasureAside(client);
  for (const from of [1, 2]) {
    const { attempts } = await job(client, id);
    assert.equal((await client.import(await client.screener(), people(1, from), {}, wait)).status, 200);
    assert.equal((await job(client, id)).attempts, attempts + 1, "it had a try before each");
  }
  const { status, body } = await client.delete(`/jobs/${id}`);
  assert.deepEqual([status, body.status, body.blocked], [200, "CANCELLED", null]);
  mend();
});

/** @param earlier what was answered before */
type Act = (client: Client, screenerId: string, earlier?: Answer) => Promise<Answer>;

/** What comes after an import that is set aside, and is over then; and what has to be there before. */
const LATER: Record<string, { act: Act; before?: Act }> = {
  "an import of its screener": {
    act: (client, screenerId) => client.import(screenerId, people(5, 10_000), {}, wait),
  },
  "the undo of an import of its screener": {
    before: (client, screenerId) => client.import(screenerId, people(4, 30_000), {}, wait),
    act: (client, _, earlier) => client.post(`${earlier!.headers.get("location")}/undo`, {}, wait),
  },
  "the deletion of its screener": {
    act: (client, screenerId) => client.call("DELETE", `/screeners/${screenerId}?confirm=A%20study`, { headers: wait }),
  },
  "an erasure": {
    act: async (client) => {
      const { body } = await client.post("/participants", people(1, 20_000)[0]);
      return client.call("DELETE", `/participants/${body.id}`, { headers: wait });
    },
  },
};

for (const [what, { act, before }] of Object.entries(LATER))
  test(`an import that is set aside ends when ${what} was applied after it, and never takes effect`, async () => {
    const { client, screenerId } = await service.screener();
    const earlier = await before?.(client, screenerId);
    const { id, mend } = await importAside(client, screenerId, { "Idempotency-Key": "one" });
    mend();
    // What changes nothing does not overtake it.
    const dry = await client.import(screenerId, people(2), { dryRun: true }, wait);
    assert.equal(dry.body.status, "PLANNED", dry.text);
    assert.equal((await client.import(screenerId, [{ externalUid: "" }], {}, wait)).status, 400);
    assert.notEqual((await job(client, id)).blocked, null);

    const later = await act(client, screenerId, earlier);
    assert.equal(later.status, 200, later.text);
    const found = await job(client, id);
    assert.deepEqual([found.status, found.problem?.code, found.blocked], ["FAILED", "job_overtaken", null]);
    assert.match(found.problem.detail, /accepted after it/);
    assert.ok(!existsSync(join(dataDir, "spool", id)));
    const { body } = await client.get("/participants?filter[externalUid][eq]=P-0");
    assert.equal(body.total, 0);
    // Sent again with its key it is the same job; it can't be retried.
    const again = await send(client, screenerId, { ...wait, "Idempotency-Key": "one" });
    assert.deepEqual([again.status, again.body.code], [409, "job_overtaken"]);
    assert.equal((await client.post(`/jobs/${id}/retry`, {})).status, 409);
    const { body: log } = await client.get("/events?filter[type][eq]=import.failed");
    assert.ok(log.items.some((event: { jobId: string }) => event.jobId === id));
  });

test("a job of a suspended workspace is not tried, and not set aside", async () => {
  const { client, screenerId } = await service.screener();
  const release = holdWrites(service, client);
  await client.import(screenerId, people(1), {}, ASYNC);
  const { body } = await client.import(screenerId, people(2), {}, ASYNC);
  const suspend = (at: string) =>
    inLedger(`UPDATE workspace SET suspended_at = ${at} WHERE uid = ?`, client.workspaceId);
  await suspend("1");
  await inLedger("UPDATE job SET tried_ms = ? WHERE uid = ?", MAX_TRIED_MS - 1, body.id);
  release();
  const found = () =>
    reader.get<object>("SELECT attempts, blocked_since FROM job WHERE uid = ? AND finished_at IS NULL", body.id);
  // Another workspace has its turn meanwhile.
  const next = await service.screener();
  assert.equal((await next.client.import(next.screenerId, people(3), {}, wait)).status, 200);
  assert.deepEqual({ ...found() }, { attempts: 0, blocked_since: null });
  await suspend("NULL");
  assert.equal((await ended(client, body.id)).status, "SUCCEEDED");
});

test("an undo that is set aside fails when a later import of its screener is applied, and never takes effect", async () => {
  const { client, screenerId } = await service.screener();
  const { headers } = await client.import(screenerId, people(5), {}, wait);
  const other = await client.screener();
  const release = holdWrites(service, client);
  await client.import(other, people(1, 90_000), {}, ASYNC);
  const { status, body, text } = await client.post(`${headers.get("location")}/undo`, {}, ASYNC);
  assert.equal(status, 202, text);
  // As after 15 minutes of tries.
  const sql =
    "UPDATE job SET tried_ms = ?, blocked_since = ?, blocked_code = 'store_busy', available_at = ? WHERE uid = ?";
  await inLedger(sql, MAX_TRIED_MS, Date.now(), Date.now() + HOUR_MS, body.id);
  release();
  assert.equal((await client.import(screenerId, people(5, 10), {}, wait)).status, 200);
  const passed = await job(client, body.id);
  assert.deepEqual([passed.status, passed.problem.code, passed.blocked], ["FAILED", "job_overtaken", null]);
  assert.equal((await client.get(`/screener-participants?filter[screenerId][eq]=${screenerId}`)).body.total, 10);
});

test("a job that only a newer worker knows is set aside, too", async () => {
  const { client, screenerId } = await service.screener();
  const release = holdWrites(service, client);
  await client.import(screenerId, people(1), {}, ASYNC);
  const { body } = await client.post("/screener-publications", { screenerId }, ASYNC);
  await inLedger("UPDATE job SET kind = 'SCREENER_TRANSLATION', tried_ms = ? WHERE uid = ?", MAX_TRIED_MS - 1, body.id);
  const { body: next } = await client.import(screenerId, people(2), {}, ASYNC);
  release();
  assert.equal((await ended(client, next.id)).status, "SUCCEEDED");
  const found = reader.get<{ status: string; blocked_code: string }>(
    "SELECT status, blocked_code FROM job WHERE uid = ?",
    body.id,
  );
  assert.deepEqual({ ...found }, { status: "QUEUED", blocked_code: "newer_worker_needed" });
  await inLedger("UPDATE job SET kind = 'SCREENER_PUBLICATION' WHERE uid = ?", body.id);
  assert.equal((await client.post(`/jobs/${body.id}/retry`, {})).status, 200);
  assert.equal((await ended(client, body.id)).status, "SUCCEEDED");
});
