// What jobs and requests need is away for a while: a store, the spool, the right to write, descriptors. Jobs wait with their
// bodies and go on when it is back. Requests are answered 503, and the log names the path.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { cpSync, existsSync, globSync, renameSync } from "node:fs";
import { join } from "node:path";
import { before, describe, test } from "node:test";
import { openControl } from "../../db/control.ts";
import { COMMAND_LINE } from "../../db/profiles.ts";
import { MAX_TRIED_MS } from "../../src/engine/ledger/queue.ts";
import { BadDisk } from "../support/bad-disk.ts";
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
  installation: Installation;
  disk: BadDisk;
  workspace: TestWorkspace;
  path: string;
  spool: string;
}

/** What is away, and how it comes back. */
const AWAY: Record<string, (waiting: Waiting) => () => void> = {
  "its store is renamed": ({ path }) => {
    renameSync(path, `${path}.away`);
    return () => renameSync(`${path}.away`, path);
  },
  "the spool is renamed": ({ spool }) => {
    renameSync(spool, `${spool}.away`);
    return () => renameSync(`${spool}.away`, spool);
  },
  "its body is renamed": ({ spool, installation }) => {
    const [job] = installation.control<string>("SELECT uid FROM job");
    renameSync(join(spool, job!), `${spool}-away`);
    return () => renameSync(`${spool}-away`, join(spool, job!));
  },
  "its store can only be read": ({ path }) => {
    const folder = join(path, "..");
    execFileSync("mount", ["--bind", folder, folder]);
    execFileSync("mount", ["-o", "remount,bind,ro", folder]);
    return () => execFileSync("umount", ["-l", folder]);
  },
  ...Object.fromEntries(
    (["EIO", "EACCES", "EROFS", "EMFILE"] as const).flatMap((code) => [
      [
        `its store can't be opened (${code})`,
        ({ disk, workspace }: Waiting) => {
          disk.fail({ on: "open", code, path: `${workspace.id}.sqlite`, always: true });
          return () => disk.heal();
        },
      ],
      [
        `its body can't be opened (${code})`,
        ({ disk }: Waiting) => {
          disk.fail({ on: "open", code, path: "/spool/", always: true });
          return () => disk.heal();
        },
      ],
    ]),
  ),
  "its store can't be written (EIO)": ({ disk, workspace }) => {
    disk.fail({ on: "write", code: "EIO", path: `${workspace.id}.sqlite`, always: true });
    return () => disk.heal();
  },
  "its store can't be synced (EIO)": ({ disk, workspace }) => {
    disk.fail({ on: "sync", code: "EIO", path: `${workspace.id}.sqlite`, always: true });
    return () => disk.heal();
  },
  "results can't be made (EROFS)": ({ disk }) => {
    disk.fail({ on: "open", code: "EROFS", path: "/results/", always: true });
    return () => disk.heal();
  },
};

// Most of the time they wait for the next try.
describe("what is away", { concurrency: 4 }, () => {
  const accepted = install({ REDIS_URL: "unix:///nowhere/redis.sock" });
  let workspace: TestWorkspace;
  let jobId: string;

  // Without Redis it is accepted and waits, and no process has its store open. Each test has a copy.
  before(async () => {
    const web = await accepted.web();
    const { client, screenerId, ...made } = await accepted.screener(web);
    workspace = made.workspace;
    jobId = (await client.import(screenerId, people(2000), {}, ASYNC)).body.id;
    assert.equal((await web.kill("SIGTERM")).code, 0);
  });

  for (const [what, take] of Object.entries(AWAY))
    test(`an import waits while ${what}, and is done when that is over`, async () => {
      const redis = ownRedis();
      const installation = install({ REDIS_URL: redis.url });
      cpSync(accepted.dataDir, installation.dataDir, { recursive: true });
      const disk = new BadDisk(installation.dataDir);
      const path = join(installation.dataDir, "workspaces", workspace.id.slice(-2), `${workspace.id}.sqlite`);
      const spool = join(installation.dataDir, "spool");
      const giveBack = take({ installation, disk, workspace, path, spool });
      try {
        await redis.start();
        const worker = await installation.worker({ env: disk.env });
        await until(() => tries(worker, jobId) > TRIES, "it was tried", 60_000);
        assert.deepEqual(installation.control("SELECT status FROM job WHERE finished_at IS NOT NULL"), []);
        assert.equal(worker.end, undefined);
      } finally {
        giveBack();
      }
      await installation.drain();
      assert.deepEqual(installation.control("SELECT status FROM job"), ["SUCCEEDED"]);
      assert.deepEqual(installation.stored(workspace, "SELECT count(*) FROM participant"), [2000]);
      assert.deepEqual(installation.stored(workspace, "SELECT count(*) FROM screener_participant"), [2000]);
      await until(() => !existsSync(join(spool, jobId)), "its body is removed");
      await installation.stop();
    });
});

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
