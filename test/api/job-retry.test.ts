// A job that failed for a reason of the service's own is retried by its owner: through the API, and on its page in the console.

import assert from "node:assert/strict";
import { test } from "node:test";
import { moveEvents } from "../../src/upkeep/housekeeping.ts";
import { people, UNKNOWN } from "../support/client.ts";
import { signedIn } from "../support/console.ts";
import { failedImport } from "../support/failed-job.ts";
import { startService } from "../support/service.ts";
import { inControl, writeTo } from "../support/store.ts";
import { until } from "../support/until.ts";

// Its log would be full of errors.
const service = await startService({ config: { logLevel: "silent" } });

test("a failed import is retried, and takes effect once, however often it is asked for", async () => {
  const client = service.workspace();
  const job = await failedImport(service, client);
  const note = { "X-Action-Note": "Try again" };
  const retried = await client.post(`/jobs/${job.toUpperCase()}/retry`, {}, note);
  assert.equal(retried.status, 200, retried.text);
  assert.deepEqual([retried.body.id, retried.body.problem], [job, null]);
  assert.equal((await client.post(`/jobs/${job}/retry`, {})).status, 200);
  const ended = await client.get(`/jobs/${job}`, { Prefer: "wait=60" });
  assert.deepEqual([ended.body.status, ended.body.summary.created], ["SUCCEEDED", 2]);
  const again = await client.post(`/jobs/${job}/retry`, {});
  assert.deepEqual([again.status, again.body.status], [200, "SUCCEEDED"]);
  assert.equal((await client.get("/participants")).body.total, 2);
  await service.context.pool.ask(moveEvents, undefined);
  const [event, ...others] = await client.all("/events?filter[type][eq]=job.retried");
  assert.deepEqual([event.jobId, event.note, event.actor._type, others], [job, "Try again", "ApplicationActor", []]);
});

test("a retry with a key is one retry, also when the job has failed again since", async () => {
  const client = service.workspace();
  const job = await failedImport(service, client);
  const breakIt = (from: string, to: string) =>
    writeTo(service.context.workspaces, client.workspaceId, (db) => db.exec(`ALTER TABLE ${from} RENAME TO ${to}`));
  breakIt("effect", "gone");
  const key = { "Idempotency-Key": "once" };
  const first = await client.post(`/jobs/${job}/retry`, {}, key);
  assert.equal(first.status, 200);
  const { body: failed } = await client.get(`/jobs/${job}`, { Prefer: "wait=60" });
  assert.equal(failed.status, "FAILED");
  breakIt("gone", "effect");
  const replayed = await client.post(`/jobs/${job}/retry`, {}, key);
  assert.deepEqual([replayed.text, replayed.headers.get("idempotency-replayed")], [first.text, "true"]);
  assert.equal((await client.get(`/jobs/${job}`)).body.status, "FAILED");
  assert.equal((await client.post(`/jobs/${job}/retry`, {}, { "Idempotency-Key": "twice" })).status, 200);
  assert.equal((await client.get(`/jobs/${job}`, { Prefer: "wait=60" })).body.status, "SUCCEEDED");
});

test("a job that can't be retried says why", async () => {
  const { client, screenerId } = await service.screener();
  const done = (await client.import(screenerId, people(1))).headers.get("location")!.slice("/jobs/".length);
  const wrong = (await client.import(screenerId, [{ externalUid: "X" }])).body.jobId;
  for (const [job, why] of [
    [done, /has not failed: it is SUCCEEDED\.$/],
    [wrong, /failed because of what was sent \(invalid_request\)/],
  ] as const) {
    const { status, body } = await client.post(`/jobs/${job}/retry`, {}, { "Idempotency-Key": job });
    assert.deepEqual([status, body.code], [409, "job_not_retryable"]);
    assert.match(body.detail, why);
  }
  assert.equal((await client.post(`/jobs/${UNKNOWN}/retry`, {})).body.code, "job_not_found");
});

test("its page has a button for who may import, and says why it can't be", async () => {
  const client = service.workspace();
  const job = await failedImport(service, client);
  const path = `/console/jobs/${job}`;
  const viewer = await signedIn(service, client.workspaceId, "viewer", "viewer@example.org");
  assert.doesNotMatch((await viewer.get(path)).text, /run it again/i);
  const researcher = await signedIn(service, client.workspaceId, "researcher", "researcher@example.org");
  assert.match((await researcher.get(path)).text, /Yes, run it again/);
  const lost = await failedImport(service, client);
  await inControl(service, (db) => db.run("UPDATE job SET body_until = NULL WHERE uid = ?", lost));
  const refused = await researcher.post(`/console/jobs/${lost}`, {}, `/console/jobs/${lost}/retry`);
  assert.equal(refused.status, 409);
  assert.match(refused.text, /has no body any more/);
  assert.equal((await researcher.post(path, {}, `${path}/retry`)).status, 303);
  await until(async () => (await client.get(`/jobs/${job}`)).body.status === "SUCCEEDED", "it has run again");
  assert.doesNotMatch((await researcher.get(path)).text, /run it again/i);
});
