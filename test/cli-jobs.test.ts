// The commands of jobs: over all workspaces, while the service runs and while it is stopped.

import assert from "node:assert/strict";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { ASYNC, people, UNKNOWN } from "./support/client.ts";
import { install, nodeArguments, ServiceProcess } from "./support/process.ts";

const TRACE = "4bf92f3577b34da6a3ce929d0e0e4736";

// Without a worker, jobs wait.
const installation = install({ REDIS_URL: process.env.TEST_REDIS_URL! });
const web = await installation.web();
const [one, other] = [await installation.screener(web), await installation.screener(web)];
const ids = { "X-Request-Id": "nightly", traceparent: `00-${TRACE}-00f067aa0ba902b7-01` };
const first = (await one.client.import(one.screenerId, people(2000), {}, { ...ASYNC, ...ids })).body.id;
const second = (await one.client.post("/screener-publications", { screenerId: one.screenerId }, ASYNC)).body.id;
const third = (await other.client.import(other.screenerId, people(2000), {}, ASYNC)).body.id;

// biome-ignore lint/suspicious/noExplicitAny: a test says itself what it expects
async function json(...args: string[]): Promise<any> {
  const { code, stdout, stderr } = await installation.cli("job", ...args, "--json");
  assert.deepEqual([code, stderr], [0, ""], args.join(" "));
  return JSON.parse(stdout);
}

/** Starts a command, which goes on until it is ended. */
function watching(command?: string[]): ServiceProcess {
  const env = { DATA_DIR: installation.dataDir };
  return new ServiceProcess("src/cli.ts", { args: ["job", "list", "--watch"], env, ...(command && { command }) });
}

test("job list has the jobs of all workspaces, the newest first, and those that are asked for", async () => {
  const listed = async (...args: string[]) => {
    const { total, items } = await json("list", ...args);
    assert.equal(total, items.length);
    return items.map(({ id }: { id: string }) => id);
  };
  assert.deepEqual(await listed(), [third, second, first]);
  assert.deepEqual(await listed("--workspace", one.workspace.id.toUpperCase()), [second, first]);
  for (const id of ["nightly", TRACE]) assert.deepEqual(await listed("--request-id", id), [first]);
  assert.deepEqual(await listed("--status", "queued", "--older-than", "0s"), [third, second, first]);
  assert.deepEqual(await listed("--older-than", "1h"), []);
  assert.deepEqual(await listed("--status", "FAILED"), []);
  const { stdout } = await installation.cli("job", "list", "--request-id", "nightly");
  assert.match(
    stdout,
    new RegExp(`^${first}  \\S+  SCREENER_PARTICIPANTS_IMPORT  queued  workspace \\S+  request nightly\n$`),
  );
});

test("wrong arguments are explained", async () => {
  for (const [args, code, said] of [
    [["show", UNKNOWN], 1, /^There is no job /],
    [["cancel", UNKNOWN], 1, /^There is no job /],
    [["list", "--workspace", UNKNOWN], 1, /^There is no workspace /],
    [["list", "--status", "lost"], 2, /It must be one of queued, /],
    [["list", "--older-than", "1 day"], 2, /It must be a whole number and a unit/],
    [["list", "--watch", "--json"], 2, /--watch goes on for ever/],
  ] as const) {
    const end = await installation.cli("job", ...args);
    assert.equal(end.code, code, args.join(" "));
    assert.match(end.stderr, said);
  }
});

test("job show has the job as the API has it, its workspace, and why it can't be retried", async () => {
  const { workspaceId, crashes, failures, nextTryAt, bodyUntil, whyNoRetry, ...job } = await json("show", first);
  assert.deepEqual(job, (await one.client.get(`/jobs/${first}`)).body);
  assert.deepEqual([workspaceId, crashes, failures, nextTryAt, bodyUntil], [one.workspace.id, 0, 0, null, null]);
  assert.equal(whyNoRetry, `The job ${first} has not failed: it is QUEUED.`);
  const { stdout } = await installation.cli("job", "show", first);
  assert.match(stdout, /^status +QUEUED$/m);
});

test("job list --watch shows jobs begin and end; plain lines where there is no terminal", async () => {
  const [plain, terminal] = [
    watching(),
    watching([
      "script",
      "-qec",
      [process.execPath, ...nodeArguments("src/cli.ts"), "job list --watch"].join(" "),
      "/dev/null",
    ]),
  ];
  for (const one of [plain, terminal])
    for (const id of [first, second, third]) await one.says(new RegExp(`${id}  .* queued `));
  const worker = await installation.worker();
  for (const one of [plain, terminal])
    for (const id of [first, second, third]) await one.says(new RegExp(`${id}  .* succeeded `));
  assert.deepEqual(await plain.kill("SIGINT"), { code: 0, signal: null });
  assert.doesNotMatch(plain.stdout, /\x1b/);
  await terminal.kill("SIGINT");
  await worker.kill("SIGTERM");
});

test("job cancel cancels a job that waits, and discards a plan, also while the service is stopped", async () => {
  const { client, screenerId, workspace } = other;
  const worker = await installation.worker();
  const { body: plan } = await client.import(screenerId, people(2000, 10), { dryRun: true });
  await worker.kill("SIGTERM");
  const { body: waiting } = await client.import(screenerId, people(2000, 20), {}, ASYNC);
  await web.kill("SIGTERM");
  for (const id of [plan.id, waiting.id]) {
    const { status, problem } = await json("cancel", id, "--note", "By mistake");
    assert.deepEqual([status, problem.code], ["CANCELLED", "job_cancelled"]);
  }
  assert.deepEqual(readdirSync(join(installation.dataDir, "spool")), []);
  const events = installation.stored<string>(
    workspace,
    `SELECT concat(e.job_uid, a.type, e.note) FROM event AS e JOIN actor AS a ON a.id = e.actor_id WHERE e.type = 'job.cancelled' ORDER BY e.id`,
  );
  assert.deepEqual(
    events,
    [plan.id, waiting.id].map((id) => `${id}OperatorActorBy mistake`),
  );
  const late = await installation.cli("job", "cancel", first);
  assert.equal(late.code, 1);
  assert.match(late.stderr, /^The job has started to change data, or has ended\.$/m);
});
