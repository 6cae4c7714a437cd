// What jobs and requests need is away for a while: a store, the spool, the right to write, descriptors. Jobs wait with their
// bodies and go on when it is back. Requests are answered 503, and the log names the path.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { existsSync, renameSync } from "node:fs";
import { join } from "node:path";
import { describe, test } from "node:test";
import { BadDisk } from "../support/bad-disk.ts";
import { ASYNC, type Client, people } from "../support/client.ts";
import { type Installation, install, ownRedis, type ServiceProcess, type TestWorkspace } from "../support/process.ts";
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
  for (const [what, take] of Object.entries(AWAY))
    test(`an import waits while ${what}, and is done when that is over`, async () => {
      const redis = ownRedis();
      const installation = install({ REDIS_URL: redis.url });
      const disk = new BadDisk(installation.dataDir);
      // Without Redis it is accepted and waits, and no process has its store open.
      const web = await installation.web();
      const { workspace, client, screenerId } = await installation.screener(web);
      const { body: job } = await client.import(screenerId, people(2000), {}, ASYNC);
      await web.kill("SIGTERM");
      const path = join(installation.dataDir, "workspaces", workspace.id.slice(-2), `${workspace.id}.sqlite`);
      const spool = join(installation.dataDir, "spool");
      const giveBack = take({ installation, disk, workspace, path, spool });
      try {
        await redis.start();
        const worker = await installation.worker({ env: disk.env });
        await until(() => tries(worker, job.id) > TRIES, "it was tried", 60_000);
        assert.deepEqual(installation.control("SELECT status FROM job WHERE finished_at IS NOT NULL"), []);
        assert.equal(worker.end, undefined);
      } finally {
        giveBack();
      }
      await installation.drain();
      assert.deepEqual(installation.control("SELECT status FROM job"), ["SUCCEEDED"]);
      assert.deepEqual(installation.stored(workspace, "SELECT count(*) FROM participant"), [2000]);
      assert.deepEqual(installation.stored(workspace, "SELECT count(*) FROM screener_participant"), [2000]);
      await until(() => !existsSync(join(spool, job.id)), "its body is removed");
    });
});

for (const code of ["EROFS", "EACCES", "EIO", "EMFILE"] as const) {
  test(`requests whose store or spool gives ${code} are answered 503, the log names the path, and it passes`, async () => {
    const installation = install();
    const first = await installation.web();
    const { workspace, screenerId } = await installation.screener(first);
    const other = await installation.screener(first);
    await installation.stop();
    const disk = new BadDisk(installation.dataDir);
    const web = await installation.web({ env: disk.env });
    const client = workspace.client(web);
    const name = `${workspace.id}.sqlite`;
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
      const named = () => web.log.some((line) => Number(line.level) >= 40 && JSON.stringify(line).includes(path));
      await until(named, `the log names ${path}`);
      assert.equal((await write(other.workspace.client(web))).status, 201);
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
}

/** How often the log says that a job could not be run. */
function tries({ log }: ServiceProcess, jobId: string): number {
  return log.filter(({ job, level }) => job === jobId && Number(level) >= 40).length;
}
