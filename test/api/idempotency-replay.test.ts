// What a client that retries learns: whether an answer is a replay, which job made it, and when its key is free again.

import assert from "node:assert/strict";
import { test } from "node:test";
import { whenFree } from "../../db/sqlite/when-free.ts";
import { type Answer, ASYNC, type Client, people, UNKNOWN } from "../support/client.ts";
import { type Service, sharedService } from "../support/service.ts";
import { holdWrites, writeTo } from "../support/store.ts";
import { until } from "../support/until.ts";

const service = await sharedService();

const IMPORT = "/screener-participants-import";

function withKey(client: Client, path: string, body: unknown, key: string, headers = {}): Promise<Answer> {
  return client.post(path, body, { "Idempotency-Key": key, ...headers });
}

function isReplay({ headers }: Answer): boolean {
  const value = headers.get("idempotency-replayed");
  assert.ok(value === null || value === "true", `${value}`);
  return value === "true";
}

async function jobs(client: Client): Promise<Answer["body"][]> {
  return (await client.get("/jobs")).body.items;
}

/** Changes a job's row in the ledger, as if it had been through something. */
function setJob({ context }: Service, id: string, set: string): Promise<unknown> {
  const { writer } = context.control;
  return whenFree(writer, 5000, () => writer.run(`UPDATE job SET ${set} WHERE uid = ?`, id));
}

test("an answer that is given again says so, whatever it is", async () => {
  const { client, screenerId } = await service.screener();
  await client.post("/participants", { externalUid: "holder", email: "taken@x", name: "N" });
  const cases: [string, object, object, number][] = [
    ["/screeners", { title: "T" }, {}, 201],
    ["/participants", { externalUid: "a", email: "taken@x", name: "A" }, {}, 409],
    ["/screener-publications", { screenerId }, {}, 201],
    ["/screener-publications", { screenerId: UNKNOWN }, {}, 404],
    ["/screener-publications", { screenerId }, ASYNC, 202],
    [IMPORT, { screenerId, participants: people(2) }, {}, 200],
    [IMPORT, { screenerId, participants: [{}] }, {}, 400],
  ];
  for (const [index, [path, body, headers, status]] of cases.entries()) {
    const send = (key: object) => client.post(path, body, { ...headers, ...key });
    const first = await send({ "Idempotency-Key": `key ${index}` });
    assert.deepEqual([first.status, isReplay(first)], [status, false], path);
    const again = await send({ "Idempotency-Key": `key ${index}` });
    assert.deepEqual([again.status, isReplay(again)], [status, true], path);
    assert.equal(isReplay(await send({})), false);
  }
  const other = await withKey(client, "/screeners", { title: "Other" }, "key 0");
  assert.deepEqual([other.status, isReplay(other)], [422, false]);
});

test("an answer that a job made names the job", async () => {
  const { client, screenerId } = await service.screener();
  const newest = async () => `/jobs/${(await jobs(client)).at(-1).id}`;
  const imported = await client.import(screenerId, people(2));
  assert.equal(imported.headers.get("location"), await newest());
  const published = await client.post("/screener-publications", { screenerId });
  assert.equal(published.headers.get("location"), `/screener-publications/${published.body.id}`);
  assert.equal(published.headers.get("link"), `<${await newest()}>; rel="monitor"`);
  const opened = await client.post("/screener-sessions", { screenerId });
  assert.deepEqual([opened.status, opened.headers.get("location")], [200, await newest()]);
  const failed = await client.import(UNKNOWN, people(1));
  assert.deepEqual([failed.status, `/jobs/${failed.body.jobId}`], [404, await newest()]);
  assert.equal((await jobs(client)).at(-1).problem.jobId, failed.body.jobId);
  assert.equal((await client.get(`/screeners/${UNKNOWN}`)).body.jobId, undefined);
});

test("an answer that a job made says how many warnings the job has, and where they are", async () => {
  const { client, screenerId } = await service.screener();
  const shown = async (answer: Answer, of: string) => {
    const { warnings } = (await client.get(of)).body;
    assert.deepEqual(
      [answer.headers.get("job-warnings"), answer.headers.get("link")],
      [String(warnings.length), `<${of}>; rel="monitor"`],
    );
    return warnings.length;
  };
  const rows = [{ ...people(1)[0], emial: "x", nmae: "y" }];
  const imported = await withKey(client, IMPORT, { screenerId, participants: rows }, "warned");
  assert.equal(await shown(imported, imported.headers.get("location")!), 2);
  const again = await withKey(client, IMPORT, { screenerId, participants: rows }, "warned");
  assert.deepEqual([isReplay(again), await shown(again, imported.headers.get("location")!)], [true, 2]);
  const failed = await client.import(UNKNOWN, rows);
  assert.deepEqual([failed.status, await shown(failed, `/jobs/${failed.body.jobId}`)], [404, 2]);
  const published = await client.post("/screener-publications", { screenerId });
  const monitor = published.headers.get("link")!;
  assert.equal(await shown(published, /<(.*)>/.exec(monitor)![1]!), 1);
  const clean = await client.import(screenerId, people(1));
  assert.deepEqual([clean.headers.get("job-warnings"), clean.headers.get("link")], [null, null]);
});

test("an import that is replayed says which later one was applied, of the same screener", async () => {
  const { client, screenerId } = await service.screener();
  const other = await client.screener();
  const send = (count: number, key: string, more: object = {}) =>
    withKey(client, IMPORT, { screenerId, participants: people(count), importMode: "FULL_SYNC", ...more }, key);
  const laterOf = ({ headers }: Answer) => headers.get("idempotency-superseded-by");
  const jobIn = ({ headers }: Answer) => headers.get("location")!.split("/").at(-1)!;
  const first = await send(3, "A");
  // Neither of them changes who is in this screener.
  await client.import(other, people(1));
  await client.post("/screener-publications", { screenerId });
  await send(1, "no", { dryRun: true });
  await client.import(screenerId, [{}]);
  const again = await send(3, "A");
  assert.deepEqual([isReplay(again), laterOf(again)], [true, null]);
  const second = await send(2, "B");
  assert.deepEqual([isReplay(second), laterOf(second)], [false, null]);
  const replayed = await send(3, "A");
  assert.deepEqual([replayed.status, replayed.text, laterOf(replayed)], [200, first.text, jobIn(second)]);
  const third = await send(3, `A after ${laterOf(replayed)}`);
  assert.deepEqual([isReplay(third), third.body.length], [false, 3]);
  // Always the next one: so who goes on by it finds each import again.
  assert.equal(laterOf(await send(3, "A")), jobIn(second));
  assert.equal(laterOf(await send(2, "B")), jobIn(third));
  const undone = await client.post(`/jobs/${jobIn(third)}/undo`, undefined);
  const last = await send(3, `A after ${jobIn(second)}`);
  assert.deepEqual([isReplay(last), laterOf(last)], [true, undone.body.id]);
  // Of one that failed, too; and of another key nothing is said.
  assert.deepEqual([last.status, laterOf(await send(4, "new"))], [200, null]);
});

test("a job that is given up releases its key, and the next request with it is a new one", async () => {
  const { client, screenerId } = await service.screener();
  for (const [index, [path, body]] of [
    [IMPORT, { screenerId, participants: people(3) }],
    ["/screener-publications", { screenerId }],
  ].entries()) {
    const key = `key ${index}`;
    const release = holdWrites(service, client);
    try {
      const { body: job } = await withKey(client, path as string, body, key, ASYNC);
      await until(async () => (await client.get(`/jobs/${job.id}`)).body.status === "RUNNING", "it runs");
      // As if it had crashed its worker three times.
      await setJob(service, job.id, "status = 'QUEUED', runner = NULL, crashes = 3");
      release();
      const failed = await until(async () => {
        const { body: now } = await client.get(`/jobs/${job.id}`);
        return now.finishedAt && now;
      }, "it is given up");
      assert.deepEqual([failed.status, failed.problem.code, failed.problem.jobId], ["FAILED", "job_crashed", job.id]);
      const again = await withKey(client, path as string, body, key);
      assert.ok(again.status < 300, again.text);
      assert.equal(isReplay(again), false);
      const all = await jobs(client);
      assert.equal(all.at(-2).id, job.id, "the job that failed stays");
      assert.equal(all.at(-1).status, "SUCCEEDED");
      // From here on the key stands for the new job.
      const replayed = await withKey(client, path as string, body, key);
      assert.deepEqual([replayed.text, isReplay(replayed)], [again.text, true]);
      assert.equal(
        (await withKey(client, path as string, { ...(body as object), screenerId: "another" }, key)).status,
        422,
      );
      assert.equal((await jobs(client)).length, all.length);
    } finally {
      release();
    }
  }
});

test("an unexpected error of a job releases its key, for another request too", async () => {
  const { client, screenerId } = await service.screener();
  const inWorkspace = (sql: string) => writeTo(service.context.workspaces, client.workspaceId, (db) => db.exec(sql));
  inWorkspace("CREATE TRIGGER broken BEFORE INSERT ON screener_publication BEGIN SELECT raise(ABORT, 'broken'); END");
  const failed = await withKey(client, "/screener-publications", { screenerId }, "key");
  assert.deepEqual([failed.status, failed.body.code], [500, "internal_error"]);
  inWorkspace("DROP TRIGGER broken");
  const other = await withKey(client, "/screener-publications", { screenerId, targetQualifiedParticipants: 5 }, "key");
  assert.deepEqual([other.status, isReplay(other), other.body.version], [201, false, 1]);
});

test("a job that was cancelled releases its key, at every endpoint", async () => {
  const { client, screenerId } = await service.screener();
  const body = { screenerId, participants: people(3) };
  const release = holdWrites(service, client);
  try {
    for (const key of ["again", "elsewhere"]) {
      const { body: job } = await withKey(client, IMPORT, body, key, ASYNC);
      const taken = await withKey(client, IMPORT, { ...body, more: 1 }, key, ASYNC);
      assert.deepEqual([taken.status, taken.body.code], [422, "idempotency_key_reused"]);
      assert.equal((await client.delete(`/jobs/${job.id}`)).status, 200);
    }
  } finally {
    release();
  }
  const again = await withKey(client, IMPORT, body, "again");
  assert.deepEqual([again.status, isReplay(again)], [200, false]);
  const elsewhere = await withKey(client, "/screeners", { title: "T" }, "elsewhere");
  assert.deepEqual([elsewhere.status, isReplay(elsewhere)], [201, false]);
});

test("a small write that failed by no fault of its request does not use up its key", async () => {
  const client = service.workspace();
  const { workspaces } = service.context;
  const screener = { title: "T", description: "x".repeat(10_000) };
  const send = () => withKey(client, "/screeners", screener, "key");
  const breaks: [string, string, number, string][] = [
    ["PRAGMA max_page_count = 1", "PRAGMA max_page_count = 1073741823", 503, "store_full"],
    [
      "CREATE TRIGGER broken BEFORE INSERT ON screener BEGIN SELECT raise(ABORT, 'broken'); END",
      "DROP TRIGGER broken",
      500,
      "internal_error",
    ],
  ];
  for (const [breakIt, mendIt, status, code] of breaks) {
    writeTo(workspaces, client.workspaceId, (db) => db.exec(breakIt));
    for (let i = 0; i < 2; i++) {
      const failed = await send();
      assert.deepEqual([failed.status, failed.body.code, isReplay(failed)], [status, code, false]);
    }
    writeTo(workspaces, client.workspaceId, (db) => db.exec(mendIt));
  }
  const done = await send();
  assert.deepEqual([done.status, isReplay(done)], [201, false]);
  const again = await send();
  assert.deepEqual([again.text, isReplay(again)], [done.text, true]);
});
