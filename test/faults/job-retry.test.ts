// A job that failed for a reason of the service's own can be retried: it runs again under its id, and takes effect once.

import assert from "node:assert/strict";
import { existsSync, rmSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { openWriter } from "../../db/sqlite/open.ts";
import { Workspaces } from "../../db/workspaces.ts";
import { ASYNC, type Client, people, UNKNOWN } from "../support/client.ts";
import { assertCounts } from "../support/counts.ts";
import { endOf } from "../support/killed-jobs.ts";
import { type Installation, install, ServiceProcess, type TestWorkspace } from "../support/process.ts";
import { until } from "../support/until.ts";

/** So many that the body is a file. */
const MANY = 2000;
const PATIENT = { busyTimeoutMs: 10_000, checkpoints: false } as const;

/** Lets imports of a workspace fail as if there were a bug, or ends that. */
function setBug(installation: Installation, workspace: TestWorkspace, isThere: boolean): void {
  const path = new Workspaces(installation.dataDir, { ...PATIENT, onStale: "migrate" }).path(workspace.id);
  const db = openWriter(path, PATIENT);
  db.exec(isThere ? "ALTER TABLE effect RENAME TO gone" : "ALTER TABLE gone RENAME TO effect");
  db.close();
}

/** An import that has failed, and whose reason is gone. @returns its job's id */
async function failedImport(
  installation: Installation,
  { workspace, client, screenerId }: { workspace: TestWorkspace; client: Client; screenerId: string },
  rows: unknown[],
  headers: Record<string, string> = {},
): Promise<string> {
  setBug(installation, workspace, true);
  const { body } = await client.import(screenerId, rows, {}, { ...ASYNC, ...headers });
  const { status, problem } = await endOf(client, body.id);
  assert.deepEqual([status, problem.code], ["FAILED", "internal_error"]);
  setBug(installation, workspace, false);
  return body.id;
}

for (const carrier of ["threads", "redis"] as const) {
  test(`${carrier}: an import that failed for a reason of ours is retried, whether its body is long or short`, async () => {
    const installation = install(carrier === "redis" ? { REDIS_URL: process.env.TEST_REDIS_URL! } : {});
    const web = await installation.web();
    if (carrier === "redis") await installation.worker();
    const scene = await installation.screener(web);
    const { workspace, client } = scene;
    for (const [key, rows] of [
      ["long", people(MANY)],
      ["short", people(3, MANY)],
    ] as const) {
      const job = await failedImport(installation, scene, rows, { "Idempotency-Key": key });
      assert.equal(existsSync(join(installation.dataDir, "spool", job)), key === "long");
      const shown = await installation.cli("job", "show", job, "--json");
      assert.equal(JSON.parse(shown.stdout).whyNoRetry, null, shown.stdout);
      const retried = await installation.cli(
        "job",
        "retry",
        job.toUpperCase(),
        "--json",
        "--note",
        "The bug is mended",
      );
      assert.equal(retried.code, 0, retried.stderr);
      assert.equal(JSON.parse(retried.stdout).id, job);
      const { status, summary, problem, attempts } = await endOf(client, job);
      assert.deepEqual([status, summary.created, problem, attempts], ["SUCCEEDED", rows.length, null, 4]);
      const events = installation.stored<string>(
        workspace,
        "SELECT type FROM event WHERE job_uid = ? ORDER BY id",
        job,
      );
      assert.deepEqual(events, ["import.failed", "job.retried", "import.completed"]);
      // Its caller, who has not given up, gets what the retry has done.
      const again = await client.import(scene.screenerId, rows, {}, { "Idempotency-Key": key });
      assert.deepEqual([again.status, again.headers.get("idempotency-replayed")], [200, "true"]);
      await until(() => !existsSync(join(installation.dataDir, "spool", job)), "its body is gone");
    }
    assert.deepEqual(installation.control("SELECT count(*) FROM job_body"), [0]);
    assert.deepEqual(installation.stored(workspace, "SELECT count(*) FROM job_outcome"), [2]);
    assert.equal((await client.get("/participants?pagination[limit]=1")).body.total, MANY + 3);
    installation.read(workspace, assertCounts);
  });
}

test("the application of a plan that failed for a reason of ours plans anew when it is retried, and can be applied then", async () => {
  const installation = install();
  const scene = await installation.screener(await installation.web());
  const { workspace, client, screenerId } = scene;
  const { body: plan } = await client.import(screenerId, people(MANY), { dryRun: true });
  setBug(installation, workspace, true);
  const failed = await client.post(`/jobs/${plan.id}/apply`, {}, { Prefer: "wait=60" });
  assert.equal(failed.body.code, "internal_error");
  setBug(installation, workspace, false);
  assert.equal((await installation.cli("job", "retry", plan.id)).code, 0);
  const again = await endOf(client, plan.id);
  assert.deepEqual([again.status, again.summary, again.plan.reason], ["PLANNED", plan.summary, "DRY_RUN"]);
  assert.equal((await client.get("/participants")).body.total, 0);
  const applied = await client.post(`/jobs/${plan.id}/apply`, {}, { Prefer: "wait=60" });
  assert.deepEqual([applied.status, applied.body.summary.created], [200, MANY]);
});

test("a job that can't be retried says why, and stays as it is", async () => {
  const installation = install();
  const scene = await installation.screener(await installation.web());
  const { client, screenerId } = scene;
  const done = (await client.import(screenerId, people(1), {}, ASYNC)).body.id;
  const wrong = (await client.import(screenerId, [{ externalUid: "X" }], {}, ASYNC)).body.id;
  await endOf(client, wrong);
  const lost = await failedImport(installation, scene, people(MANY, 10));
  rmSync(join(installation.dataDir, "spool", lost));
  const sentAgain = await failedImport(installation, scene, people(2, 20), { "Idempotency-Key": "again" });
  await client.import(screenerId, people(2, 20), {}, { "Idempotency-Key": "again" });
  const before = installation.control("SELECT json_array(uid, id, status, body_until) FROM job ORDER BY uid");
  for (const [job, why] of [
    [UNKNOWN, /^There is no job /],
    [done, /has not failed: it is SUCCEEDED\.$/],
    [wrong, /failed because of what was sent \(invalid_request\): run again, it would fail again\.$/],
    [lost, /has no body any more\. Its caller has to send it again\.$/],
    [sentAgain, /has no Idempotency-Key any more: its caller has sent it again/],
  ] as const) {
    const { code, stderr } = await installation.cli("job", "retry", job);
    assert.equal(code, 1, job);
    assert.match(stderr.trim(), why);
  }
  assert.deepEqual(
    installation.control("SELECT json_array(uid, id, status, body_until) FROM job ORDER BY uid"),
    before,
  );
});

test("a retry that is killed at any line leaves the job retried, or failed as it was", async () => {
  const installation = install();
  let web = await installation.web();
  const scene = await installation.screener(web);
  const job = await failedImport(installation, scene, people(MANY));
  await web.kill("SIGTERM");
  const statements = [
    "DELETE FROM job_outcome",
    "UPDATE job SET id",
    "UPDATE sqlite_sequence",
    "INSERT INTO pending_event",
  ];
  for (const KILL_SQL of [...statements, "COMMIT", "DELETE FROM pending_event"]) {
    const env = { DATA_DIR: installation.dataDir, REDIS_URL: "", KILL_SQL };
    const options = { args: ["job", "retry", job], preload: ["test/support/kill-at.ts"], env };
    assert.equal((await new ServiceProcess("src/cli.ts", options).ended).signal, "SIGKILL", KILL_SQL);
    const [status] = installation.control<string>("SELECT status FROM job");
    assert.equal(status, KILL_SQL === "DELETE FROM pending_event" ? "QUEUED" : "FAILED", KILL_SQL);
    assert.ok(existsSync(join(installation.dataDir, "spool", job)), KILL_SQL);
  }
  web = await installation.web();
  const client = scene.workspace.client(web);
  assert.equal((await endOf(client, job)).status, "SUCCEEDED");
  assert.equal((await client.get("/participants?pagination[limit]=1")).body.total, MANY);
  const types = (await client.all("/events")).map(({ type }) => type);
  assert.deepEqual(types.filter((type) => type === "job.retried").length, 1, `${types}`);
});
