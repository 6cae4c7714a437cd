// A full disk: writes are refused or wait, nothing is left half done, reads go on, and the service recovers when there
// is space.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import {
  closeSync,
  existsSync,
  mkdtempSync,
  openSync,
  readdirSync,
  rmdirSync,
  rmSync,
  statfsSync,
  writeSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { openWriter } from "../../db/sqlite/open.ts";
import { type Answer, ASYNC, type Client, people } from "../support/client.ts";
import {
  Installation,
  ownRedis,
  type ProcessOptions,
  type ServiceProcess,
  type WebProcess,
} from "../support/process.ts";
import { until } from "../support/until.ts";

const MIB = 1024 * 1024;
const ROWS = 20_000;

/** A file system of 24 MiB. */
class SmallDisk {
  readonly path = mkdtempSync(join(tmpdir(), "small-disk-"));
  readonly #ballast = join(this.path, "ballast");

  constructor() {
    try {
      execFileSync("mount", ["-t", "tmpfs", "-o", "size=24m", "tmpfs", this.path], {
        stdio: ["ignore", "ignore", "pipe"],
      });
    } catch (error) {
      rmdirSync(this.path);
      throw new Error("The disk-full tests mount a small tmpfs: run them as root, where mounting is permitted.", {
        cause: error,
      });
    }
  }

  /** Leaves `free` bytes, or a little less. */
  fill(free = 0): void {
    this.clear();
    const file = openSync(this.#ballast, "w");
    const page = Buffer.alloc(4096);
    try {
      while (this.free > free) writeSync(file, page);
    } catch (error) {
      if (!(error instanceof Error && "code" in error && error.code === "ENOSPC")) throw error;
    } finally {
      closeSync(file);
    }
  }

  get free(): number {
    const { bavail, bsize } = statfsSync(this.path);
    return bavail * bsize;
  }

  /** Makes space again. */
  clear(): void {
    rmSync(this.#ballast, { force: true });
  }

  remove(): void {
    execFileSync("umount", [this.path]);
    rmdirSync(this.path);
  }
}

test("on a full disk the API refuses writes, leaves nothing of them, reads on, and takes them when there is space", async () => {
  await onSmallDisk({ REDIS_URL: "unix:///nowhere/redis.sock" }, async (disk, installation) => {
    const { web, client, screenerId } = await begin(installation);
    const { body: waiting } = await client.import(screenerId, people(5), {}, ASYNC);
    const spooled = readdirSync(join(disk.path, "spool"));
    disk.fill();
    // Small writes find a little room in files that are there already, and then none.
    const created: string[] = [];
    const refused = await until(async () => {
      const answer = await client.post("/participants", person(created.length));
      if (answer.status !== 201) return answer;
      created.push(answer.body.id);
    }, "a small write is refused");
    assertFull(refused);
    // So does the ledger.
    let accepted = 1;
    await until(async () => {
      const { status } = await client.import(screenerId, people(50), {}, ASYNC);
      if (status === 202) accepted++;
      return status === 503;
    }, "a job is refused");
    for (let more = 0; more < 10; more++) {
      assertFull(await client.import(screenerId, people(50)));
      assertFull(await client.import(screenerId, people(50), {}, { ...ASYNC, "Idempotency-Key": `key ${more}` }));
      assertFull(await client.post("/participants", person(created.length)));
      assertFull(await client.patch(`/screeners/${screenerId}`, { title: `Title ${more}` }));
      assert.equal((await client.get("/participants?pagination[limit]=1")).body.total, created.length);
      assert.equal((await client.get(`/jobs/${waiting.id}`)).body.status, "QUEUED");
      assert.equal((await client.get("/healthz")).status, 200);
      const ready = await client.get("/readyz");
      assert.equal(ready.status, 200, ready.text);
      assert.ok(
        ready.body.details.some(({ code }: { code: string }) => code === "read_only"),
        ready.text,
      );
      assert.equal((await client.get("/readyz?writes")).status, 503);
    }
    // A body for which there is room at first, and then not.
    disk.fill(MIB);
    assertFull(await client.import(screenerId, people(40_000), {}, ASYNC));
    assert.deepEqual(readdirSync(join(disk.path, "spool")), spooled);

    disk.clear();
    assert.equal((await client.post("/participants", person(created.length))).status, 201);
    await until(async () => (await client.get("/readyz?writes")).status === 200, "it can be written again");
    const again = await client.import(screenerId, people(50), {}, { ...ASYNC, "Idempotency-Key": "key 1" });
    assert.equal(again.status, 202);
    assert.equal((await client.get("/jobs")).body.total, accepted + 1);
    assert.equal((await client.get("/participants?pagination[limit]=1")).body.total, created.length + 1);
    for (const id of created) assert.equal((await client.get(`/participants/${id}`)).status, 200);
    assert.equal((await client.get(`/screeners/${screenerId}`)).body.title, "A study");
    assert.deepEqual(installation.control("PRAGMA quick_check"), ["ok"]);
    assert.equal(web.end, undefined);
  });
});

// Nothing; then enough to begin with, and for most of what an import of 20,000 needs.
for (const free of [0, 2, 10]) {
  test(`an import that runs out of disk with ${free} MiB left changes nothing, and is done when there is space`, async (t) => {
    const redis = ownRedis();
    await onSmallDisk({ REDIS_URL: redis.url }, async (disk, installation) => {
      // Without Redis it is accepted and waits: its worker meets the full disk at the start.
      const { web, client, screenerId } = await begin(installation);
      const worker = await installation.worker();
      const { body: job } = await client.import(screenerId, people(ROWS), {}, ASYNC);
      disk.fill(free * MIB);
      await redis.start();
      await until(() => hasStruggled(worker, job.id, 2), "its worker has met the full disk twice");
      const begun = installation.control<number>("SELECT apply_begun FROM job WHERE uid = ?", job.id)[0];
      t.diagnostic(`it had ${begun ? "begun to change data" : "not begun to change data"}`);
      assert.equal((await client.get("/participants?pagination[limit]=1")).body.total, 0);
      assert.equal((await client.get("/screener-participants?pagination[limit]=1")).body.total, 0);
      assert.match((await client.get(`/jobs/${job.id}`)).body.status, /^(QUEUED|RUNNING)$/);
      disk.clear();
      await installation.drain();
      const { body: done } = await client.get(`/jobs/${job.id}`);
      assert.equal(done.status, "SUCCEEDED", JSON.stringify(done));
      const summary = { rows: ROWS, created: ROWS, updated: 0, unchanged: 0, assigned: ROWS, removed: 0 };
      assert.deepEqual(done.summary, summary);
      assert.equal((await client.get("/participants?pagination[limit]=1")).body.total, ROWS);
      assert.equal((await client.get(`/jobs/${job.id}/result`)).body.length, ROWS);
      // A full disk is nobody's crash: three of them would end the job.
      assert.deepEqual(installation.control("SELECT crashes FROM job"), [0]);
      await assertTidy(disk, installation, [web, worker]);
    });
  });
}

for (const [what, statement] of Object.entries({
  taken: "UPDATE job SET status = 'RUNNING'",
  "put back": "UPDATE job SET status = 'QUEUED', runner = NULL, failures",
  acknowledged: "UPDATE job SET status = ?, summary = ?",
})) {
  test(`a job that can't be ${what} because the ledger is full is done later, and has not crashed`, async () => {
    await onSmallDisk({}, async (disk, installation) => {
      const env = { KILL_SQL: statement, KILL_WHAT: "statement", KILL_ONCE: join(disk.path, "happened") };
      const { web, client, screenerId } = await begin(installation, { preload: ["test/support/kill-at.ts"], env });
      disk.fill(3 * MIB);
      const { body: job } = await client.import(screenerId, people(ROWS), {}, ASYNC);
      await until(() => hasStruggled(web, job.id, 1), "it has met the full disk");
      disk.clear();
      await until(() => existsSync(env.KILL_ONCE), "the ledger was full");
      await installation.drain();
      assert.equal((await client.get(`/jobs/${job.id}`)).body.summary.created, ROWS);
      assert.equal((await client.get("/participants?pagination[limit]=1")).body.total, ROWS);
      assert.deepEqual(installation.control("SELECT crashes FROM job"), [0]);
      await assertTidy(disk, installation, [web]);
    });
  });
}

test("an import that finds no space for minutes fails and says so, and the next one is done when there is space", async () => {
  await onSmallDisk({}, async (disk, installation) => {
    const { web, client, screenerId } = await begin(installation);
    const body = JSON.stringify({ screenerId, participants: people(ROWS) });
    // Enough to take it in, and to begin.
    disk.fill(body.length + MIB);
    const send = () => {
      const headers = { ...ASYNC, "Idempotency-Key": "nightly" };
      return client.call("POST", "/screener-participants-import", { raw: body, headers });
    };
    const { body: job } = await send();
    await until(() => hasStruggled(web, job.id, 1), "it has met the full disk");
    // As if minutes had passed.
    const control = openWriter(join(disk.path, "control.sqlite"), { busyTimeoutMs: 10_000, checkpoints: false });
    control.run("UPDATE job SET failures = 19, available_at = 0 WHERE uid = ?", job.id);
    control.close();
    const failed = await until(async () => {
      const { body: now } = await client.get(`/jobs/${job.id}`);
      return now.finishedAt && now;
    }, "it is given up");
    assert.equal(failed.status, "FAILED");
    assert.equal(failed.problem.code, "store_full");
    assert.equal(failed.problem.status, 503);
    assert.equal((await client.get("/participants?pagination[limit]=1")).body.total, 0);
    assert.deepEqual(readdirSync(join(disk.path, "spool")), [job.id], "it can be retried");
    disk.clear();
    // The failure has not used up the key.
    const { body: again } = await send();
    assert.notEqual(again.id, job.id);
    await installation.drain();
    assert.equal((await client.get(`/jobs/${again.id}`)).body.status, "SUCCEEDED");
    assert.equal((await client.get("/participants?pagination[limit]=1")).body.total, ROWS);
    await assertTidy(disk, installation, [web]);
  });
});

test("a disk that fills up again and again under a busy single node costs refusals, and nothing that was answered", async (t) => {
  await onSmallDisk({ WRITE_WAIT_MS: "1000" }, async (disk, installation) => {
    const { web, client, screenerId } = await begin(installation);
    const accepted: { id: string; uids: string[] }[] = [];
    const created: string[] = [];
    const refused = { imports: 0, people: 0 };
    let over = false;
    const importing = async () => {
      for (let next = 0; !over; next++) {
        // By turns: one whose rows are in the ledger, and one that has a file.
        const rows = Array.from({ length: next % 2 ? 300 : 500 }, (_, row) => person(`import-${next}-${row}`));
        const answer = await client.import(screenerId, rows, {}, ASYNC);
        if (answer.status === 202)
          accepted.push({ id: answer.body.id, uids: rows.map(({ externalUid }) => externalUid) });
        else {
          assertFull(answer);
          refused.imports++;
        }
      }
    };
    const creating = async () => {
      for (let next = 0; !over; next++) {
        const answer = await client.post("/participants", person(`single-${next}`));
        if (answer.status === 201) created.push(`single-${next}`);
        else {
          assert.equal(answer.status, 503, answer.text);
          assert.match(answer.body.code, /^store_(full|busy)$/);
          refused.people++;
        }
      }
    };
    const reading = async () => {
      while (!over) {
        assert.equal((await client.get("/screener-participants?pagination[limit]=20")).status, 200);
        assert.equal((await client.get("/jobs?pagination[limit]=1")).status, 200);
      }
    };
    const busy = Promise.all([importing(), creating(), reading()]);
    // What goes wrong is thrown where it is awaited.
    busy.catch(() => {});
    for (let round = 0; round < 4; round++) {
      disk.clear();
      const enough = accepted.length + 3;
      await Promise.race([busy, until(() => accepted.length >= enough, "imports are taken")]);
      disk.fill(round % 2 ? 0.5 * MIB : 0);
      const tooMany = refused.imports + 5;
      await Promise.race([busy, until(() => refused.imports >= tooMany, "imports are refused")]);
    }
    over = true;
    await busy;
    disk.clear();
    await installation.drain();
    t.diagnostic(`${accepted.length} imports and ${created.length} people taken, ${JSON.stringify(refused)} refused`);
    const roster = await client.all("/participants");
    const expected = [...created, ...accepted.flatMap(({ uids }) => uids)].toSorted();
    assert.deepEqual(roster.map(({ externalUid }) => externalUid).toSorted(), expected);
    for (const { id } of accepted) assert.equal((await client.get(`/jobs/${id}`)).body.status, "SUCCEEDED");
    assert.equal((await client.get("/readyz")).status, 200);
    await assertTidy(disk, installation, [web]);
  });
});

test("a full folder of temporary files does not matter", async () => {
  const disk = new SmallDisk();
  disk.fill();
  const installation = new Installation({ TMPDIR: disk.path });
  try {
    const web = await installation.web();
    const { client, screenerId } = await installation.screener(web);
    // Out of order, so that it has to be sorted.
    const rows = people(100_000).sort((a, b) => a.name.length - b.name.length || b.name.localeCompare(a.name));
    assert.equal((await client.import(screenerId, rows, {}, { Prefer: "wait=120" })).status, 200);
    assert.equal((await client.get("/participants?pagination[limit]=1")).body.total, rows.length);
  } finally {
    await installation.remove();
    disk.remove();
  }
});

async function onSmallDisk(
  env: Record<string, string>,
  act: (disk: SmallDisk, installation: Installation) => Promise<void>,
): Promise<void> {
  const disk = new SmallDisk();
  const installation = new Installation(env, disk.path);
  try {
    await act(disk, installation);
  } finally {
    await installation.stop();
    disk.remove();
  }
}

async function begin(
  installation: Installation,
  options: ProcessOptions = {},
): Promise<{ web: WebProcess; client: Client; screenerId: string }> {
  const web = await installation.web(options);
  return { web, ...(await installation.screener(web)) };
}

function person(name: string | number): { externalUid: string; email: string; name: string } {
  return { externalUid: `${name}`, email: `${name}@small.example.org`, name: `Person ${name}` };
}

function assertFull(answer: Answer): void {
  assert.equal(answer.status, 503, answer.text);
  assert.equal(answer.body.code, "store_full");
  assert.ok(Number(answer.headers.get("retry-after")) > 0);
}

/** Whether a process has logged so many times that a job could not be run. */
function hasStruggled({ log }: ServiceProcess, jobId: string, times: number): boolean {
  return log.filter(({ job, level }) => job === jobId && Number(level) >= 40).length >= times;
}

/** No process has died, no file is damaged or left over. */
async function assertTidy(disk: SmallDisk, installation: Installation, processes: ServiceProcess[]): Promise<void> {
  for (const process of processes) assert.equal(process.end, undefined, process.stderr);
  // A job is done when the ledger says so; its body goes right after, unless the job failed for want of space.
  const bodies = installation.control<string>(
    "SELECT uid FROM job WHERE body_until IS NOT NULL AND status = 'FAILED' AND problem ->> 'code' = 'store_full'",
  );
  await until(() => readdirSync(join(disk.path, "spool")).join() === bodies.join(), "the spool has no other bodies");
  const kept = installation.control<string>("SELECT result_file FROM job WHERE result_file IS NOT NULL");
  assert.deepEqual(readdirSync(join(disk.path, "results")).toSorted(), kept.toSorted());
  assert.deepEqual(installation.control("PRAGMA quick_check"), ["ok"]);
}
