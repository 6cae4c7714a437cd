// Stores that are lost, or not the ones that they should be: nothing looks empty, the others are served, and when the right
// store is back, so is its workspace.

import assert from "node:assert/strict";
import {
  copyFileSync,
  existsSync,
  openSync,
  renameSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
  writeSync,
} from "node:fs";
import { join } from "node:path";
import { before, suite, test } from "node:test";
import { openWriter } from "../../db/sqlite/open.ts";
import { type Client, people } from "../support/client.ts";
import { type Installation, install, ServiceProcess, type TestWorkspace, type WebProcess } from "../support/process.ts";
import { until } from "../support/until.ts";

const PATIENT = { busyTimeoutMs: 10_000, checkpoints: true } as const;

function pathOf({ dataDir }: Installation, { id }: TestWorkspace): string {
  return join(dataDir, "workspaces", id.slice(-2), `${id}.sqlite`);
}

/** All that is committed is in the file itself. */
function settle(path: string): void {
  const db = openWriter(path, PATIENT);
  db.checkpoint("TRUNCATE");
  db.close();
}

async function details({ url }: WebProcess): Promise<{ code: string; message: string; workspace?: string }[]> {
  const response = await fetch(`${url}/readyz`);
  assert.equal(response.status, 200);
  return ((await response.json()) as { details: [] }).details;
}

async function assertRefused(client: Client, screenerId: string): Promise<void> {
  const headers = { Prefer: "wait=1" };
  for (const answer of [
    await client.get("/participants"),
    await client.get(`/screeners/${screenerId}`),
    await client.get("/participants", { Accept: "text/csv" }),
    await client.post("/participants", people(1)[0]),
    await client.import(screenerId, people(3), {}, headers),
    await client.import(screenerId, people(3), {}, { ...headers, "Idempotency-Key": "k" }),
  ]) {
    assert.deepEqual([answer.status, answer.body?.code], [503, "store_refused"], answer.text);
    assert.ok(answer.headers.get("retry-after"));
    assert.ok(!answer.text.includes("sqlite"), "callers need not know where it is");
  }
}

const FAULTS: Record<string, (path: string, other: string) => void> = {
  missing: (path) => rmSync(path),
  empty: (path) => truncateSync(path),
  "empty of tables": (path) => {
    rmSync(path);
    const db = openWriter(path, PATIENT);
    db.exec("CREATE TABLE t (a); DROP TABLE t");
    db.close();
  },
  "another workspace's": (path, other) => copyFileSync(other, path),
  "no database": (path) => writeFileSync(path, "This is a text. ".repeat(1000)),
  damaged: (path) => {
    const file = openSync(path, "r+");
    const pages = statSync(path).size / 4096;
    for (let page = 1; page < pages; page++) writeSync(file, Buffer.alloc(4096, 0xff), 0, 4096, page * 4096);
  },
};

type Made = Awaited<ReturnType<Installation["screener"]>>;

/** Each has a workspace of its own, in an installation that is started once for each of both. */
suite("a store that is lost", () => {
  const installation = install();
  const made = { "all at once": new Map<string, Made>(), "at the start": new Map<string, Made>() };
  let other: Made;
  let web: WebProcess;

  before(async () => {
    web = await installation.web();
    other = await installation.screener(web);
    for (const some of Object.values(made))
      for (const what of Object.keys(FAULTS)) {
        const one = await installation.screener(web);
        assert.equal((await one.client.import(one.screenerId, people(20))).status, 200);
        some.set(what, one);
      }
  });

  const pathsOf = ({ workspace }: Made) =>
    [workspace, other.workspace].map((one) => pathOf(installation, one)) as [string, string];

  for (const [what, damage] of Object.entries(FAULTS))
    test(`a store that is ${what} all at once is refused, the others are served, and it comes back`, async () => {
      const one = made["all at once"].get(what)!;
      const [path, others] = pathsOf(one);
      for (const store of [path, others]) settle(store);
      copyFileSync(path, `${path}.saved`);
      // As somebody would do it who puts another file there.
      renameSync(path, `${path}.away`);
      copyFileSync(`${path}.saved`, path);
      damage(path, others);
      await assertLost(one);
    });

  test("all of them are damaged while nothing runs", async () => {
    await installation.stop();
    for (const [what, damage] of Object.entries(FAULTS)) {
      const [path, others] = pathsOf(made["at the start"].get(what)!);
      for (const store of [path, others]) settle(store);
      copyFileSync(path, `${path}.saved`);
      damage(path, others);
    }
    web = await installation.web();
  });

  for (const what of Object.keys(FAULTS))
    test(`a store that is ${what} at the start is refused, the others are served, and it comes back`, () =>
      assertLost(made["at the start"].get(what)!));

  /** It is refused, and that is said; and it is served again when the right store is back. */
  async function assertLost({ workspace, screenerId }: Made): Promise<void> {
    const path = pathOf(installation, workspace);
    const now = workspace.client(web);
    await until(async () => (await now.get("/participants")).status !== 200, "it is refused");
    await assertRefused(now, screenerId);
    const otherNow = other.workspace.client(web);
    assert.equal((await otherNow.get("/participants")).status, 200);
    assert.equal((await otherNow.import(other.screenerId, people(3))).status, 200);
    const found = await until(
      async () => (await details(web)).find((one) => one.workspace === workspace.id),
      "/readyz names it",
    );
    assert.equal(found.code, "store_refused");
    assert.ok(!found.message.includes(path));
    const named = () => web.log.some((line) => JSON.stringify(line).includes(path));
    await until(named, "the log names its path");
    // Nothing has made a new store of it.
    assert.equal((await now.get("/participants")).status, 503);

    rmSync(path, { force: true });
    for (const end of ["-wal", "-shm"]) rmSync(path + end, { force: true });
    renameSync(`${path}.saved`, path);
    const back = await until(async () => {
      const answer = await now.get("/participants");
      return answer.status === 200 ? answer : undefined;
    }, "it is served again");
    assert.equal(back.body.total, 20);
    assert.equal((await now.post("/participants", { ...people(1, 500)[0] })).status, 201);
    await until(async () => !(await details(web)).some((one) => one.workspace === workspace.id), "/readyz is clear");
  }
});

test("a store that is older than the ledger is refused, and answers for no key; accepted, its keys are free", async () => {
  const installation = install();
  let web = await installation.web();
  const { workspace, client, screenerId } = await installation.screener(web);
  await client.import(screenerId, people(5), {}, { "Idempotency-Key": "first" });
  await installation.stop();
  const path = pathOf(installation, workspace);
  settle(path);
  copyFileSync(path, `${path}.older`);
  web = await installation.web();
  const send = (key: string, count: number) =>
    workspace.client(web).import(screenerId, people(count), {}, { "Idempotency-Key": key });
  const imported = await send("second", 30);
  assert.equal(imported.status, 200);
  await installation.stop();
  settle(path);
  renameSync(`${path}.older`, path);

  web = await installation.web();
  const now = workspace.client(web);
  const list = await now.get("/participants");
  assert.deepEqual([list.status, list.body.code], [503, "store_refused"]);
  for (const key of ["first", "second"]) assert.equal((await send(key, key === "first" ? 5 : 30)).status, 503);
  const found = await until(async () => (await details(web)).find((one) => one.workspace === workspace.id), "said");
  assert.match(found.message, /older than the ledger.*accept-store/);
  const index = await installation.cli("attribute", "list", "--workspace", workspace.id);
  assert.equal(index.code, 1);
  assert.match(index.stderr, /older than the ledger/);

  const accepted = await installation.cli("workspace", "accept-store", "--workspace", workspace.id, "--json");
  assert.equal(accepted.code, 0, accepted.stderr);
  assert.equal(JSON.parse(accepted.stdout).lostJobs.length, 1);
  await until(async () => (await now.get("/participants")).body?.total === 5, "the older store is served");
  const [lost] = (await now.get("/jobs?sort=-createdAt")).body.items;
  assert.deepEqual([lost.status, lost.problem.code], ["FAILED", "job_lost"]);
  const { body: events } = await now.get(`/events?filter[jobId][eq]=${lost.id}`);
  const [{ type, actor, summary }] = events.items;
  assert.deepEqual(
    [events.total, type, actor._type, summary.code],
    [1, "import.failed", "OperatorActor", "job_lost"],
    "what the lost store had said of it is lost, too",
  );
  const first = await send("first", 5);
  assert.deepEqual([first.status, first.headers.get("idempotency-replayed")], [200, "true"]);
  const second = await send("second", 30);
  assert.deepEqual([second.status, second.headers.get("idempotency-replayed")], [200, null]);
  assert.equal((await now.get("/participants")).body.total, 30);
  for (const { participantId } of second.body)
    assert.equal((await now.get(`/participants/${participantId}`)).status, 200);
});

for (const [what, lose] of Object.entries({
  missing: (path: string) => rmSync(path),
  empty: (path: string) => truncateSync(path),
})) {
  test(`where control.sqlite is ${what} beside workspaces, every process refuses to start, and makes no new one`, async () => {
    const installation = install();
    installation.workspace();
    const path = join(installation.dataDir, "control.sqlite");
    settle(path);
    copyFileSync(path, `${path}.saved`);
    lose(path);
    const env = { DATA_DIR: installation.dataDir, PORT: "0", REDIS_URL: process.env.TEST_REDIS_URL ?? "" };
    for (const [script, ...args] of [
      ["src/web.ts"],
      ["workers/main.ts"],
      ["src/cli.ts", "workspace", "list"],
    ] as const) {
      const { code, stderr, stdout } = await ended(new ServiceProcess(script, { env, args: [...args] }));
      assert.deepEqual([code, stdout], [1, ""], script);
      assert.match(
        stderr,
        /control\.sqlite is missing or empty, but there are stores of 1 workspaces beside it: [^\n]+\n$/,
      );
    }
    const doctor = await installation.cli("doctor");
    assert.equal(doctor.code, 1);
    assert.match(
      doctor.stdout,
      /^error {4}stores and files: \S+control\.sqlite is (?:not there|empty)\. What to do: put it/m,
    );
    const backup = await installation.cli("backup", join(installation.dataDir, "backups"));
    assert.equal(backup.code, 1);
    assert.match(
      backup.stderr,
      /control\.sqlite: DATA_DIR is not an installation|control\.sqlite is empty: put it back/,
    );
    assert.ok(!existsSync(path) || statSync(path).size === 0);
    copyFileSync(`${path}.saved`, path);
    assert.equal((await installation.cli("workspace", "list")).code, 0);
  });
}

async function ended(process: ServiceProcess): Promise<{ code: number | null; stdout: string; stderr: string }> {
  const { code } = await process.ended;
  return { code, stdout: process.stdout, stderr: process.stderr };
}
