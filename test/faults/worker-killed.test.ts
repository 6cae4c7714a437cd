// A worker is killed at any line: an import is never there in part, and finally there exactly once.

import assert from "node:assert/strict";
import { join } from "node:path";
import { test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { type Answer, ASYNC, type Client, people } from "../support/client.ts";
import { END_MS } from "../support/killed-jobs.ts";
import {
  type Installation,
  install,
  ownRedis,
  type ServiceProcess,
  type TestWorkspace,
  type WebProcess,
} from "../support/process.ts";
import { KILLS, seeded } from "../support/seeded.ts";
import { until } from "../support/until.ts";

const ROWS = 8000;
const MOVED = 2000;
/** The statement that writes the outcome of a job to the ledger. */
const ACKNOWLEDGE = "UPDATE job SET status = ?, summary = ?";
/** The one that takes a job. */
const TAKE = "UPDATE job SET status = 'RUNNING'";
const KILL_AT = "test/support/kill-at.ts";

const redis = ownRedis();
await redis.start();

/** One import of a known effect, and what readers may see. */
interface Shape {
  body: string;
  summary: object;
  /** What a reader sees: only this before, only that after. */
  seenBefore: Seen;
  seenAfter: Seen;
}

interface Seen {
  people: number;
  assigned: number;
  /** How the names in the middle of the list begin; undefined where there is nobody. */
  name: string | undefined;
}

/** First everybody is new; then a quarter leaves, a quarter is new, and everybody else has another name. */
function shapesOf(screenerId: string): [Shape, Shape] {
  const renamed = people(ROWS, MOVED).map((row) => ({ ...row, name: `Renamed ${row.externalUid}` }));
  const none: Seen = { people: 0, assigned: 0, name: undefined };
  const first: Seen = { people: ROWS, assigned: ROWS, name: "Person" };
  return [
    {
      body: JSON.stringify({ screenerId, participants: people(ROWS) }),
      summary: { rows: ROWS, created: ROWS, updated: 0, unchanged: 0, assigned: ROWS, removed: 0 },
      seenBefore: none,
      seenAfter: first,
    },
    {
      body: JSON.stringify({ screenerId, importMode: "FULL_SYNC", participants: renamed }),
      summary: { rows: ROWS, created: MOVED, updated: ROWS - MOVED, unchanged: 0, assigned: MOVED, removed: MOVED },
      seenBefore: first,
      seenAfter: { people: ROWS + MOVED, assigned: ROWS, name: "Renamed" },
    },
  ];
}

test(`a worker killed at ${KILLS} moments of an import leaves all of it or nothing, and finally all of it, once`, async (t) => {
  const moments: Record<string, number> = {};
  const lanes = await Promise.all([killInLane(0, moments), killInLane(1, moments)]);
  const shown = lanes.map(({ lengths }) =>
    lengths.map(({ before, applying }) => `${before} + ${applying} ms`).join(", "),
  );
  t.diagnostic(`undisturbed, until it applies and until it is done: ${shown.join(", ")}`);
  const slowest = Math.max(...lanes.map((lane) => lane.slowest));
  t.diagnostic(`killed when ${JSON.stringify(moments)}; done at most ${Math.round(slowest)} ms after the kill`);
});

/** Kills half of the workers, in an installation of its own, an import each. */
async function killInLane(
  lane: number,
  moments: Record<string, number>,
): Promise<{ lengths: Length[]; slowest: number }> {
  const kills = KILLS / 2;
  const draw = seeded(`import ${lane}`);
  const installation = install({ REDIS_URL: redis.url, WORKER_CONCURRENCY: "1" });
  const web = await installation.web();
  const lengths = await undisturbed(installation, web);
  let worker = await installation.worker();
  let slowest = 0;
  for (let pair = 0; pair < kills / 2; pair++) {
    const { workspace, client, screenerId } = await installation.screener(web);
    for (const [index, shape] of shapesOf(screenerId).entries()) {
      const { body: job } = await accept(client, shape);
      const reading = readAll(client, screenerId, shape, job.id);
      // By turns before it begins to change data, and from then on; spread over each of the two, at random within a part.
      const { before, applying } = lengths[index]!;
      const spread = (pair + draw()) / (kills / 2);
      if ((pair + index) % 2) await sleep(before * spread);
      else {
        await until(() => hasBegun(installation, job.id), "it begins to change data");
        await sleep(applying * spread);
      }
      await worker.kill();
      const killed = performance.now();
      const moment = momentOf(installation, workspace, job.id);
      moments[moment] = (moments[moment] ?? 0) + 1;
      worker = await installation.worker();
      await reading;
      slowest = Math.max(slowest, performance.now() - killed);
      await checkApplied(installation, workspace, client, shape, job.id);
    }
  }
  assert.deepEqual(installation.control("PRAGMA quick_check"), ["ok"]);
  assert.equal(web.end, undefined);
  return { lengths, slowest };
}

/** How far a job was when its worker was killed. */
function momentOf(installation: Installation, workspace: TestWorkspace, jobId: string): string {
  const [decided] = installation.stored<number>(workspace, "SELECT count(*) FROM job_outcome WHERE job_uid = ?", jobId);
  const [how] = installation.control<string>(
    "SELECT iif(status = 'RUNNING', iif(apply_begun, 'applying', 'staging'), lower(status)) FROM job WHERE uid = ?",
    jobId,
  );
  return how === "applying" && decided ? "committed" : how!;
}

for (const carrier of ["redis", "threads"] as const) {
  test(`a process killed between commit and acknowledgement: the retry has the stored outcome (${carrier})`, async () => {
    const installation = install(carrier === "redis" ? { REDIS_URL: redis.url } : {});
    const marker = join(installation.dataDir, "killed");
    const preload = [KILL_AT];
    const env = { KILL_SQL: ACKNOWLEDGE, KILL_ONCE: marker };
    let web = await installation.web({ preload, env: carrier === "redis" ? {} : env });
    let victim: ServiceProcess = carrier === "redis" ? await installation.worker({ preload, env }) : web;
    const workspace = installation.workspace();
    const screenerId = await workspace.client(web).screener();
    const [shape] = shapesOf(screenerId);
    const { body: job } = await accept(workspace.client(web), shape);
    assert.equal((await victim.dies()).signal, "SIGKILL");
    // The data is there, and with it the outcome; the ledger has yet to hear of it.
    const outcome = "SELECT json_array(summary, result_file, decided_at) FROM job_outcome WHERE job_uid = ?";
    const decided = installation.stored<string>(workspace, outcome, job.id);
    assert.equal(decided.length, 1);
    assert.deepEqual(installation.stored(workspace, "SELECT count(*) FROM screener_participant"), [ROWS]);
    // It still runs, unless another process has found by now that its worker is dead, and has put it back.
    const heard =
      "SELECT json_array(status IN ('RUNNING', 'QUEUED'), finished_at, summary, result_file) FROM job WHERE uid = ?";
    assert.deepEqual(installation.control(heard, job.id), ["[1,null,null,null]"]);

    victim = carrier === "redis" ? await installation.worker() : await installation.web();
    if (carrier === "threads") web = victim as WebProcess;
    await installation.drain();
    assert.deepEqual(installation.stored(workspace, outcome, job.id), decided);
    const [file] = installation.control<string>("SELECT result_file FROM job WHERE uid = ?", job.id);
    assert.equal(file, JSON.parse(decided[0]!)[1]);
    await checkApplied(installation, workspace, workspace.client(web), shape, job.id);
  });
}

test("a job whose worker is killed before it has begun is run by the next one, soon", async (t) => {
  const installation = install({ REDIS_URL: redis.url });
  const web = await installation.web();
  const env = { KILL_SQL: TAKE, KILL_ONCE: join(installation.dataDir, "killed") };
  const victim = await installation.worker({ preload: [KILL_AT], env });
  const { client, screenerId } = await installation.screener(web);
  const { body: job } = await client.import(screenerId, people(2), {}, ASYNC);
  assert.equal((await victim.dies()).signal, "SIGKILL");
  assert.equal((await client.get(`/jobs/${job.id}`)).body.status, "QUEUED");
  const killed = performance.now();
  await installation.worker();
  // What Redis believes to be under way must not stand in the way for long.
  await installation.drain(20_000);
  t.diagnostic(`done ${Math.round(performance.now() - killed)} ms after the kill`);
  assert.equal((await client.get("/participants")).body.total, 2);
});

for (const how of ["worker process", "single process", "thread"] as const) {
  test(`a job that brings its ${how} down three times is given up, and the next one runs`, async () => {
    const installation = install(how === "worker process" ? { REDIS_URL: redis.url } : {});
    const options = {
      preload: [KILL_AT],
      env: { KILL_SQL: "INSERT INTO stage", KILL_VALUE: "deadly", ...(how === "thread" && { KILL_WHAT: "thread" }) },
    };
    let web = await installation.web(how === "worker process" ? {} : options);
    let victim: ServiceProcess = how === "worker process" ? await installation.worker(options) : web;
    const workspace = installation.workspace();
    const other = installation.workspace();
    const screenerId = await workspace.client(web).screener();
    const otherScreenerId = await other.client(web).screener();
    // Sent again with its key when the process dies before it answers: it may have been accepted.
    const following = (client: Client): Promise<Answer> =>
      client.import(screenerId, people(3), {}, { ...ASYNC, "Idempotency-Key": "after the deadly one" });
    // Accepted before anything dies: what brings the process down, and what comes after it.
    const [deadly, next] = await Promise.all([
      workspace.client(web).import(screenerId, [{ ...people(1)[0], name: "deadly" }], {}, ASYNC),
      until(() => installation.control<number>("SELECT count(*) FROM job")[0] === 1, "the deadly job is accepted").then(
        () => following(workspace.client(web)).catch(() => undefined),
      ),
    ]);
    assert.equal(deadly.status, 202);
    if (how !== "thread") {
      for (let deaths = 1; deaths <= 3; deaths++) {
        assert.equal((await victim.dies()).signal, "SIGKILL");
        if (how === "worker process") victim = await installation.worker(options);
        else victim = web = await installation.web(options);
      }
    }
    const client = workspace.client(web);
    const after = next ?? (await following(client));
    assert.equal(after.status, 202);
    assert.equal((await other.client(web).import(otherScreenerId, people(2))).status, 200);
    await installation.drain();
    const { body: failed } = await client.get(`/jobs/${deadly.body.id}`);
    assert.equal(failed.status, "FAILED");
    assert.equal(failed.problem.code, "job_crashed");
    assert.equal(failed.problem.status, 500);
    const { body: done } = await client.get(`/jobs/${after.body.id}`);
    assert.equal(done.status, "SUCCEEDED");
    assert.deepEqual(done.summary, { rows: 3, created: 3, updated: 0, unchanged: 0, assigned: 3, removed: 0 });
    const { body } = await client.get("/participants");
    assert.deepEqual(
      body.items.map(({ name }: { name: string }) => name),
      people(3).map(({ name }) => name),
    );
    assert.equal(victim.end, undefined);
  });
}

/** How long a job takes, in ms. */
interface Length {
  /** From being accepted until it begins to change data. */
  before: number;
  /** From then on. */
  applying: number;
}

/** How long each shape takes in a worker that has just started and is not killed. */
async function undisturbed(installation: Installation, web: WebProcess): Promise<Length[]> {
  const workspace = installation.workspace();
  const client = workspace.client(web);
  const lengths: Length[] = [];
  for (const shape of shapesOf(await client.screener())) {
    const worker = await installation.worker();
    const { body: job } = await accept(client, shape);
    const accepted = performance.now();
    await until(() => hasBegun(installation, job.id), "it begins to change data");
    const begun = performance.now();
    await until(async () => (await client.get(`/jobs/${job.id}`)).body.finishedAt, "an import is done");
    lengths.push({ before: Math.round(begun - accepted), applying: Math.round(performance.now() - begun) });
    await checkApplied(installation, workspace, client, shape, job.id);
    await worker.kill();
  }
  return lengths;
}

function hasBegun(installation: Installation, jobId: string): boolean {
  return installation.control<number>("SELECT apply_begun FROM job WHERE uid = ?", jobId)[0] === 1;
}

async function accept(client: Client, { body }: Shape): Promise<Answer> {
  const answer = await client.call("POST", "/screener-participants-import", { raw: body, headers: ASYNC });
  assert.equal(answer.status, 202);
  return answer;
}

/** Reads until the job is done, and insists on seeing either what was there before it or what it has made. */
async function readAll(client: Client, screenerId: string, shape: Shape, jobId: string): Promise<void> {
  let isAfter = false;
  const middle = `/screener-participants?filter[screenerId][eq]=${screenerId}&pagination[offset]=${ROWS / 2}`;
  await until(
    async () => {
      const { body: job } = await client.get(`/jobs/${jobId}`);
      const { body: roster } = await client.get("/participants?pagination[limit]=1");
      const { body: assignments } = await client.get(middle);
      const names = new Set(assignments.items.map(({ name }: { name: string }) => name.split(" ")[0]));
      assert.ok(names.size <= 1, `one page shows ${[...names].join(" and ")}`);
      const seen: Seen = {
        people: roster.total,
        assigned: assignments.total,
        name: [...names][0] as string | undefined,
      };
      // The two lists are two requests: the import may come between them.
      for (const field of ["people", "assigned", "name"] as const) {
        const { seenBefore, seenAfter } = shape;
        const expected = isAfter ? [seenAfter[field]] : [seenBefore[field], seenAfter[field]];
        assert.ok(
          expected.includes(seen[field]),
          `a reader sees ${field} ${seen[field]}, not ${expected.join(" or ")}`,
        );
        if (seen[field] !== seenBefore[field]) isAfter = true;
      }
      return job.finishedAt;
    },
    "an import is done",
    END_MS,
  );
}

/** Checks that the import is there, all of it and once: by what the API says, and by what is stored. */
async function checkApplied(
  installation: Installation,
  workspace: TestWorkspace,
  client: Client,
  shape: Shape,
  jobId: string,
): Promise<void> {
  const { body: job } = await client.get(`/jobs/${jobId}`);
  assert.equal(job.status, "SUCCEEDED", JSON.stringify(job));
  assert.deepEqual(job.summary, shape.summary);
  const stored = <Value>(sql: string, ...values: (string | number)[]) =>
    installation.stored<Value>(workspace, sql, ...values);
  assert.deepEqual(stored("PRAGMA quick_check"), ["ok"]);
  assert.deepEqual(stored("PRAGMA foreign_key_check"), []);
  const { people: peopleCount, assigned } = shape.seenAfter;
  for (const [table, count] of Object.entries({ participant: peopleCount, screener_participant: assigned })) {
    assert.deepEqual(stored(`SELECT count(*) FROM ${table}`), [count]);
    assert.deepEqual(stored(`SELECT sum(n) FROM ${table}_block`), [count], `${table} is counted right`);
  }
  assert.equal((await client.get("/participants?pagination[limit]=1")).body.total, peopleCount);
  // Everybody whom it wrote, it wrote at one moment of its life.
  const { created, updated } = job.summary;
  const written = stored<string>(
    "SELECT updated_at FROM participant GROUP BY updated_at HAVING count(*) = ?",
    created + updated,
  );
  assert.equal(written.length, 1);
  assert.ok(written[0]! >= job.createdAt && written[0]! <= job.finishedAt, `written at ${written[0]}`);
  assert.deepEqual(stored("SELECT count(*) FROM job_outcome WHERE job_uid = ?", jobId), [1]);
  // The answer names, in the payload's order, the assignments that are stored.
  const { body: result } = await client.get(`/jobs/${jobId}/result`);
  assert.equal(result.length, ROWS);
  const assignments = stored<string>(
    `SELECT a.uid || p.uid || p.external_uid || p.name FROM screener_participant AS a JOIN participant AS p ON p.id = a.participant_id
     ORDER BY CAST(substr(p.external_uid, 3) AS INTEGER)`,
  );
  assert.deepEqual(
    result.map((row: Record<string, string>) => row.id! + row.participantId + row.externalParticipantUid + row.name),
    assignments,
  );
}
