// One workspace is restored in place, and as a new one, while web processes and workers with Redis serve it and another one: they have it open,
// import into it, and go on with it afterwards.

import assert from "node:assert/strict";
import { existsSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { ASYNC, Client, people } from "../support/client.ts";
import { assertCounts } from "../support/counts.ts";
import { newFolder } from "../support/folder.ts";
import { install, ServiceProcess } from "../support/process.ts";
import { until } from "../support/until.ts";

const env = { REDIS_URL: process.env.TEST_REDIS_URL ?? "", WORKER_CONCURRENCY: "2" };
const installation = install(env);
const webs = [await installation.web(), await installation.web()];
const workers = [await installation.worker(), await installation.worker()];
const { workspace, client: first, screenerId } = await installation.screener(webs[0]!);
const neighbour = await installation.screener(webs[1]!);
const clients = webs.map((web) => workspace.client(web));
const wait = { Prefer: "wait=60" };
const PEOPLE = 300;
const ROWS = 5;
assert.equal((await first.import(screenerId, people(PEOPLE), {}, wait)).status, 200);
const backups = newFolder();
await run("backup", backups);
const inPlace = ["restore", backups, "--workspace", workspace.id, "--in-place"];

// biome-ignore lint/suspicious/noExplicitAny: a test says itself what it expects
async function run(...args: string[]): Promise<any> {
  const { code, stdout, stderr } = await installation.cli(...args, "--json");
  assert.equal(code, 0, `${args.join(" ")}: ${stderr}`);
  return JSON.parse(stdout);
}

/** An import that was accepted. */
interface Accepted {
  job: string;
  /** Where its rows begin. */
  from: number;
}

let rows = 10_000;

/** Imports and reads without end, through both web processes. @returns what was accepted, and how to end it */
function load(targets: readonly Client[], screener: string) {
  const accepted: Accepted[] = [];
  const refused = new Set<string>();
  let isOver = false;
  const loops = targets.map(async (target) => {
    while (!isOver) {
      const from = rows;
      rows += ROWS;
      const { status, body, headers } = await target.import(screener, people(ROWS, from), {}, ASYNC);
      if (status === 202) accepted.push({ job: headers.get("location")!.split("/").at(-1)!, from });
      else refused.add(`${status} ${body.code}`);
      const read = await target.get("/participants?pagination[limit]=5");
      if (read.status !== 200) refused.add(`${read.status} ${read.body.code}`);
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  });
  const end = async () => {
    isOver = true;
    await Promise.all(loops);
  };
  return { accepted, refused, end };
}

const jobOf = async (target: Client, { job }: Accepted) => (await target.get(`/jobs/${job}`)).body;
const countAt = async (target: Client) => (await target.get("/participants?pagination[limit]=1")).body.total as number;
const succeeded = async (some: readonly Accepted[]) => {
  const jobs = await Promise.all(some.map((one) => jobOf(clients[0]!, one)));
  return jobs.filter(({ status }) => status === "SUCCEEDED").length;
};

/** Of each accepted import, what its job says is what is in the store; and all processes see the same. */
async function assertAllTrue(accepted: readonly Accepted[]): Promise<{ there: number; lost: number }> {
  await installation.drain();
  const uids = new Set((await clients[1]!.all("/participants")).map(({ externalUid }) => String(externalUid)));
  let [there, lost] = [0, 0];
  for (const one of accepted) {
    const { status, problem } = await jobOf(clients[0]!, one);
    const known = people(ROWS, one.from).filter(({ externalUid }) => uids.has(externalUid)).length;
    if (status === "SUCCEEDED") {
      there++;
      assert.equal(known, ROWS, `${one.job} has succeeded`);
    } else {
      lost++;
      assert.deepEqual([status, problem?.code, known], ["FAILED", "job_lost", 0], one.job);
    }
  }
  assert.equal(uids.size, PEOPLE + there * ROWS);
  for (const target of clients) assert.equal(await countAt(target), uids.size);
  installation.read(workspace, (db) => assertCounts(db));
  return { there, lost };
}

test("in place under load: what was imported since is lost and says so, what waits runs afterwards, and the neighbour notices nothing", async () => {
  const [own, other] = [load(clients, screenerId), load([neighbour.client], neighbour.screenerId)];
  await until(
    async () => (await succeeded(own.accepted.slice(0, 10))) === 10,
    "ten imports have come since the backup",
  );
  await run("workspace", "suspend", "--workspace", workspace.id);
  const before = own.accepted.length;
  // One that takes part in nothing meanwhile.
  const { plan, counts, jobs } = await run(...inPlace);
  assert.ok(counts.people.lost >= 10 * ROWS && jobs >= 10);
  const { lostJobs, kept } = await run(...inPlace, "--apply", plan);
  assert.ok(existsSync(kept));
  await run("workspace", "resume", "--workspace", workspace.id);
  await until(() => own.accepted.length > before + 10, "imports go on");
  await own.end();
  await other.end();
  const { there, lost } = await assertAllTrue(own.accepted);
  assert.ok(there > 10 && lost >= 10, `${there} and ${lost}`);
  assert.equal(lost, lostJobs.length);
  assert.deepEqual([...own.refused], ["403 workspace_suspended"]);
  assert.deepEqual([...other.refused], []);
  for (const { job } of other.accepted)
    assert.equal((await neighbour.client.get(`/jobs/${job}`)).body.status, "SUCCEEDED");
  for (const { log } of [...webs, ...workers])
    assert.deepEqual(
      log.filter(({ level }) => Number(level) >= 50),
      [],
    );
});

test("as a new one under load: neither the former one nor the neighbour notices, and jobs run in it", async () => {
  const [own, other] = [load(clients, screenerId), load([neighbour.client], neighbour.screenerId)];
  const before = await countAt(clients[0]!);
  const made = await run("restore", backups, "--workspace", workspace.id, "--name", "Copy");
  const copies = webs.map((web) => new Client(web.url, made.workspace.id, made));
  for (const copy of copies) assert.equal(await countAt(copy), PEOPLE);
  const [screener] = await copies[0]!.all("/screeners");
  assert.equal((await copies[1]!.import(String(screener!.id), people(ROWS, 1), {}, wait)).status, 200);
  await until(() => own.accepted.length > 5, "imports go on");
  await own.end();
  await other.end();
  await installation.drain();
  assert.equal(await countAt(clients[1]!), before + own.accepted.length * ROWS);
  assert.deepEqual([[...own.refused], [...other.refused]], [[], []]);
});

/** A statement before, and one after the files have changed places. */
for (const [nth, sql] of [
  [1, "VACUUM INTO"],
  [1, "INSERT INTO pending_event"],
] as const)
  test(`in place, killed at “${sql}” while all run: nobody serves a half, and it is taken back or goes on`, async () => {
    const before = await countAt(clients[0]!);
    assert.equal((await clients[0]!.import(screenerId, people(ROWS, 90_000), {}, wait)).status, 200);
    const { plan } = await run(...inPlace);
    const other = load([neighbour.client], neighbour.screenerId);
    const file = join(newFolder(), "kill");
    writeFileSync(file, `${nth} ${sql}`);
    const args = [...inPlace, "--apply", plan];
    const preload = ["test/support/kill-at.ts"];
    const command = new ServiceProcess("src/cli.ts", {
      args,
      preload,
      env: { ...env, DATA_DIR: installation.dataDir, KILL_FILE: file },
    });
    assert.equal((await command.ended).signal, "SIGKILL");
    if (sql === "VACUUM INTO") {
      const seen = new Set<number | undefined>();
      await until(
        async () => {
          seen.add(await countAt(clients[1]!));
          return (
            !readdirSync(join(installation.dataDir, "restoring")).length && (await countAt(clients[1]!)) !== undefined
          );
        },
        "a process has taken it back",
        90_000,
      );
      assert.deepEqual(
        [...seen].filter((one) => one !== undefined && one !== before + ROWS),
        [],
      );
      assert.equal(await countAt(clients[0]!), before + ROWS);
    } else {
      // What is wrong is looked at now and then.
      for (const { url } of webs)
        await until(async () => {
          const { details } = await (await fetch(`${url}/readyz`)).json();
          return details.some(({ code }: { code: string }) => code === "restore_interrupted");
        }, "it says that a restore was interrupted");
      for (const target of clients) assert.equal((await target.get("/participants")).body.code, "workspace_suspended");
      await run(...args);
      for (const target of clients) assert.equal(await countAt(target), PEOPLE);
    }
    assert.equal((await clients[1]!.import(screenerId, people(ROWS, 95_000), {}, wait)).status, 200, "jobs run");
    await other.end();
    assert.deepEqual([...other.refused], []);
    await installation.drain();
    installation.read(workspace, (db) => assertCounts(db));
  });
