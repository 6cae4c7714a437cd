// What jobs and requests need is away for a while: a store, the spool, the right to write, descriptors. Jobs wait with their
// bodies and go on when it is back. Requests are answered 503, and the log names the path.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { cpSync, existsSync, globSync, renameSync } from "node:fs";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { openControl } from "../../db/control.ts";
import { COMMAND_LINE } from "../../db/profiles.ts";
import { MAX_TRIED_MS } from "../../src/engine/ledger/queue.ts";
import { BadDisk, type Fault } from "../support/bad-disk.ts";
import { type Answer, ASYNC, Client, people } from "../support/client.ts";
import {
  type Installation,
  install,
  ownRedis,
  type ServiceProcess,
  type TestWorkspace,
  type WebProcess,
} from "../support/process.ts";
import { until } from "../support/until.ts";

/** More tries than an unexpected error has. */
const TRIES = 4;

interface Waiting {
  disk: BadDisk;
  jobId: string;
  /** The file of its workspace: its name, and its path. */
  store: string;
  path: string;
  spool: string;
  body: string;
}

/** What is away for one job alone, and how it comes back. */
const AWAY: Record<string, (waiting: Waiting) => () => void> = {
  "its store is renamed": ({ path }) => {
    renameSync(path, `${path}.away`);
    return () => renameSync(`${path}.away`, path);
  },
  "its body is renamed": ({ body }) => {
    renameSync(body, `${body}-away`);
    return () => renameSync(`${body}-away`, body);
  },
  "its store can only be read": ({ path }) => {
    const folder = join(path, "..");
    execFileSync("mount", ["--bind", folder, folder]);
    execFileSync("mount", ["-o", "remount,bind,ro", folder]);
    return () => execFileSync("umount", ["-l", folder]);
  },
  ...Object.fromEntries(
    (["EIO", "EACCES", "EROFS", "EMFILE"] as const).flatMap((code) => [
      [`its store can't be opened (${code})`, ({ disk, store }: Waiting) => broken(disk, "open", code, store)],
      [
        `its body can't be opened (${code})`,
        ({ disk, jobId }: Waiting) => broken(disk, "open", code, `/spool/${jobId}`),
      ],
    ]),
  ),
  "its store can't be written (EIO)": ({ disk, store }) => broken(disk, "write", "EIO", store),
  "its store can't be synced (EIO)": ({ disk, store }) => broken(disk, "sync", "EIO", store),
};

/** What is away for all jobs. */
const AWAY_FOR_ALL: typeof AWAY = {
  "the spool is renamed": ({ spool }) => {
    renameSync(spool, `${spool}.away`);
    return () => renameSync(`${spool}.away`, spool);
  },
  "results can't be made (EROFS)": ({ disk }) => broken(disk, "open", "EROFS", "/results/"),
};

function broken(disk: BadDisk, on: Fault["on"], code: Fault["code"], path: string): () => void {
  disk.fail({ on, code, path, always: true });
  return () => disk.heal(path);
}

// Most of the time they wait for the next try.
describe("what is away", { concurrency: true }, () => {
  const alone = install({ REDIS_URL: "unix:///nowhere/redis.sock" });
  const jobs = new Map<string, Job>();
  const redis = ownRedis();
  const installation = install({ REDIS_URL: redis.url });
  const disk = new BadDisk(installation.dataDir);
  const comeBack = new Map<string, () => void>();
  let worker: ServiceProcess;
  let single: Job;

  // Without Redis they are accepted and wait, and no process has their stores open.
  before(async () => {
    const [first, other] = await Promise.all([installation.web(), alone.web()]);
    for (const what of Object.keys(AWAY)) jobs.set(what, await accept(installation, first, [...jobs.values()]));
    single = await accept(alone, other, []);
    for (const web of [first, other]) assert.equal((await web.kill("SIGTERM")).code, 0);
    await redis.start();
    for (const [what, take] of Object.entries(AWAY))
      comeBack.set(what, take(waitingOf(installation, disk, jobs.get(what)!)));
    worker = await installation.worker({ env: disk.env });
  });
  after(() => {
    for (const giveBack of comeBack.values()) giveBack();
  });

  for (const what of Object.keys(AWAY))
    test(`an import waits while ${what}, and is done when that is over`, async () => {
      const giveBack = () => {
        comeBack.get(what)!();
        comeBack.delete(what);
      };
      await assertWaits({ installation, worker, giveBack }, jobs.get(what)!);
    });

  for (const [what, take] of Object.entries(AWAY_FOR_ALL))
    test(`an import waits while ${what}, and is done when that is over`, async () => {
      const own = ownRedis();
      const copy = install({ REDIS_URL: own.url });
      cpSync(alone.dataDir, copy.dataDir, { recursive: true });
      const badDisk = new BadDisk(copy.dataDir);
      const giveBack = take(waitingOf(copy, badDisk, single));
      await own.start();
      await assertWaits({ installation: copy, worker: await copy.worker({ env: badDisk.env }), giveBack }, single);
      await copy.stop();
    });
});

/** An import into a workspace of its own. */
interface Job {
  workspace: TestWorkspace;
  jobId: string;
}

/** Has an import accepted. Its store is in a folder that those of the others are not in. */
async function accept(installation: Installation, web: WebProcess, others: Job[]): Promise<Job> {
  const folderOf = ({ id }: TestWorkspace) => id.slice(-2);
  let workspace = installation.workspace();
  while (others.some((other) => folderOf(other.workspace) === folderOf(workspace)))
    workspace = installation.workspace();
  const client = workspace.client(web);
  const { status, body } = await client.import(await client.screener(), people(2000), {}, ASYNC);
  assert.equal(status, 202);
  return { workspace, jobId: body.id };
}

function waitingOf({ dataDir }: Installation, disk: BadDisk, { workspace: { id }, jobId }: Job): Waiting {
  const [store, spool] = [`${id}.sqlite`, join(dataDir, "spool")];
  return {
    disk,
    jobId,
    store,
    path: join(dataDir, "workspaces", id.slice(-2), store),
    spool,
    body: join(spool, jobId),
  };
}

/** It is tried again and again and stays, until what it needs is given back; then it is done. */
async function assertWaits(
  { installation, worker, giveBack }: { installation: Installation; worker: ServiceProcess; giveBack: () => void },
  { workspace, jobId }: Job,
): Promise<void> {
  const isOver = () =>
    installation.control("SELECT 1 FROM job WHERE uid = ? AND finished_at IS NOT NULL", jobId).length;
  try {
    await until(() => tries(worker, jobId) > TRIES, "it was tried", 60_000);
    assert.equal(isOver(), 0);
    assert.equal(worker.end, undefined);
  } finally {
    giveBack();
  }
  await until(isOver, "it is done", 60_000);
  assert.deepEqual(installation.control("SELECT status FROM job WHERE uid = ?", jobId), ["SUCCEEDED"]);
  assert.deepEqual(installation.stored(workspace, "SELECT count(*) FROM participant"), [2000]);
  assert.deepEqual(installation.stored(workspace, "SELECT count(*) FROM screener_participant"), [2000]);
  await until(() => !existsSync(join(installation.dataDir, "spool", jobId)), "its body is removed");
}

describe("a store or the spool that gives an error", () => {
  const installation = install();
  const codes = ["EROFS", "EACCES", "EIO", "EMFILE"] as const;
  const made = new Map<string, Awaited<ReturnType<Installation["screener"]>>>();
  const disk = new BadDisk(installation.dataDir);
  let web: WebProcess;

  before(async () => {
    const first = await installation.web();
    for (const name of [...codes, "other"]) made.set(name, await installation.screener(first));
    await installation.stop();
    // It has no store open that it was not asked for.
    web = await installation.web({ env: disk.env });
  });

  for (const code of codes)
    test(`requests whose store or spool gives ${code} are answered 503, the log names the path, and it passes`, async () => {
      const { workspace, screenerId } = made.get(code)!;
      const other = made.get("other")!.workspace.client(web);
      const client = workspace.client(web);
      const name = `${workspace.id}.sqlite`;
      const before = web.log.length;
      const write = (one: Client) => one.post("/participants", people(1, Math.floor(performance.now() * 1000))[0]);
      const refuses = async (
        on: "open" | "write",
        path: string,
        act: () => Promise<{ status: number; text: string }>,
      ) => {
        disk.fail({ on, code, path, always: true });
        const answer = await act();
        assert.equal(answer.status, 503, answer.text);
        assert.match(answer.text, /"store_(unavailable|refused)"/);
        const lines = () => web.log.slice(before);
        const named = () => lines().some((line) => Number(line.level) >= 40 && JSON.stringify(line).includes(path));
        await until(named, `the log names ${path}`);
        assert.equal((await write(other)).status, 201);
        disk.heal();
      };
      await refuses("open", name, () => client.get("/participants"));
      assert.equal((await client.get("/participants")).status, 200);
      await refuses("write", name, () => write(client));
      assert.equal((await write(client)).status, 201);
      await refuses("open", "/spool/", () => client.import(screenerId, people(2000)));
      await refuses("write", "/spool/", () => client.import(screenerId, people(2000)));
      assert.equal((await client.import(screenerId, people(3))).status, 200);
      assert.equal(web.end, undefined);
    });
});

test("jobs that could not open their store are done in the order in which they were accepted when it is back", async () => {
  const { installation, redis, client, screenerId, accepted } = await waiting();
  const named = (name: string) => [{ ...people(1)[0], name }];
  const ids = [await accepted(client.import(screenerId, named("Old"), {}, ASYNC))];
  ids.push(await accepted(client.import(screenerId, named("New"), {}, ASYNC)));
  await installation.stop();
  const [store] = globSync(join(installation.dataDir, "workspaces", "*", `${client.workspaceId}.sqlite`));
  renameSync(store!, `${store}.away`);
  // As if they had been tried for nearly 15 minutes.
  change(installation, "UPDATE job SET tried_ms = ?", MAX_TRIED_MS - 1);
  await redis.start();
  const worker = await installation.worker();
  const codes = () =>
    installation.control<string>("SELECT blocked_code FROM job WHERE blocked_since IS NOT NULL AND status = 'QUEUED'");
  await until(() => codes().length === 2, "both are set aside");
  assert.deepEqual(codes(), ["store_refused", "store_refused"]);
  await worker.kill();
  renameSync(`${store}.away`, store!);
  // As if that had been two minutes ago.
  change(installation, "UPDATE job SET available_at = available_at - 120000");
  const again = new Client((await installation.web()).url, client.workspaceId, client.credentials);
  // Nobody takes it yet. If it did not let them go first, they would be overtaken.
  ids.push(await accepted(again.import(screenerId, named("Newest"), {}, ASYNC)));
  await installation.worker();
  await installation.drain();
  assert.deepEqual(installation.control("SELECT status FROM job ORDER BY id"), ["SUCCEEDED", "SUCCEEDED", "SUCCEEDED"]);
  assert.deepEqual(installation.control("SELECT uid FROM job ORDER BY finished_at, id"), ids);
  assert.equal((await again.get("/participants")).body.items[0].name, "Newest");
});

test("a job that was set aside because no worker knew it is done when one starts that does", async () => {
  const { installation, redis, client, screenerId, accepted } = await waiting();
  await accepted(client.import(screenerId, people(3), {}, ASYNC));
  const kind = installation.control<string>("SELECT kind FROM job")[0]!;
  change(installation, "UPDATE job SET kind = 'OF_A_LATER_RELEASE', tried_ms = ?", MAX_TRIED_MS - 1);
  await redis.start();
  const worker = await installation.worker();
  const code = () => installation.control<string>("SELECT blocked_code FROM job WHERE blocked_since IS NOT NULL")[0];
  await until(code, "it is set aside");
  assert.equal(code(), "newer_worker_needed");
  await worker.kill();
  change(installation, "UPDATE job SET kind = ?", kind);
  await installation.worker();
  await installation.drain();
  assert.deepEqual(installation.control("SELECT status FROM job"), ["SUCCEEDED"]);
});

/** An installation whose jobs wait, because its Redis has not started. */
async function waiting() {
  const redis = ownRedis();
  const installation = install({ REDIS_URL: redis.url });
  const web = await installation.web();
  const accepted = async (answer: Promise<Answer>): Promise<string> => {
    const { status, body, text } = await answer;
    assert.equal(status, 202, text);
    return body.id;
  };
  return { installation, redis, accepted, ...(await installation.screener(web)) };
}

/** Changes the ledger. */
function change({ dataDir }: Installation, sql: string, ...values: (string | number)[]): void {
  const control = openControl(dataDir, COMMAND_LINE);
  control.writer.run(sql, ...values);
  control.close();
}

/** How often the log says that a job could not be run. */
function tries({ log }: ServiceProcess, jobId: string): number {
  return log.filter(({ job, level }) => job === jobId && Number(level) >= 40).length;
}
