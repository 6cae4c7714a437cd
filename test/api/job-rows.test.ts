// The rows of jobs: of those that have none, and how one row of many is found.

import assert from "node:assert/strict";
import { test } from "node:test";
import { openScratch } from "../../db/sqlite/open.ts";
import { checkSlice } from "../../src/imports/check.ts";
import { stageRows } from "../../src/imports/stage.ts";
import { prepareTables } from "../../src/imports/tables.ts";
import { type Client, people } from "../support/client.ts";
import { sharedService } from "../support/service.ts";

const service = await sharedService();

async function lastJob(client: Client) {
  return (await client.get("/jobs?sort=-createdAt&pagination[limit]=1")).body.items[0];
}

test("a job of a kind without rows says that it has none, in every format", async () => {
  const { client, screenerId } = await service.screener();
  await client.post("/screener-publications", { screenerId });
  const { id, kind } = await lastJob(client);
  for (const accept of ["application/json", "text/csv", "application/x-ndjson"]) {
    const { status, body } = await client.get(`/jobs/${id}/rows`, { Accept: accept });
    assert.deepEqual([status, body.code, body.detail], [410, "job_result_gone", NO_ROWS], `${kind} ${accept}`);
  }
});

test("opening sessions for all has a row for each session, which stays without ids when the person is erased", async () => {
  const { client, screenerId } = await service.screener();
  await client.post("/screener-publications", { screenerId, tags: [{ category: "City", value: "Oslo" }] });
  const { body: assignments } = await client.import(screenerId, people(2600));
  const { body: sessions } = await client.post("/screener-sessions", { screenerId }, { Prefer: "wait=60" });
  const { id } = await lastJob(client);
  const rows = await client.all(`/jobs/${id}/rows`);
  assert.deepEqual(
    rows.map((row) => [row.outcome, row.sessionId, row.screenerParticipantId]),
    sessions.map((one: { id: string }, index: number) => ["OPENED", one.id, assignments[index].id]),
  );
  const { id: sessionId, _type, screenerSessionLink, ...shown } = sessions[1700];
  const said = Object.fromEntries(
    rows[1700].changes.map(({ field, to }: { field: string; to: unknown }) => [field, to]),
  );
  assert.deepEqual(said, {
    ...Object.fromEntries(Object.entries(shown).filter(([, value]) => value !== null)),
    "screenerParticipant.currentSessionId": sessionId,
  });
  const { text } = await client.get(`/jobs/${id}/rows`, { Accept: "application/x-ndjson" });
  assert.deepEqual(
    text
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line)),
    rows,
  );
  assert.equal((await client.get(`/jobs/${id}/rows?filter[outcome][ne]=OPENED`)).body.total, 0);
  assert.equal((await client.get(`/jobs/${id}/rows?filter[externalUid][eq]=P-3`)).body.total, 0);

  assert.equal((await client.delete(`/participants/${assignments[3].participantId}`)).status, 200);
  const { body } = await client.get(`/jobs/${id}/rows?pagination[offset]=3&pagination[limit]=1`);
  assert.equal(body.total, 2600);
  assert.deepEqual(
    [body.items[0].sessionId, body.items[0].screenerParticipantId, body.items[0].changes],
    [null, null, []],
  );
  assert.equal((await client.get(`/jobs/${id}/result`)).body.length, 2599);
  // Nobody is left without a session.
  assert.deepEqual((await client.post("/screener-sessions", { screenerId })).body, []);
  assert.deepEqual(await client.all(`/jobs/${(await lastJob(client)).id}/rows`), []);
});

const NO_ROWS = "The job has no rows, or they are no longer kept.";

test("a plan has no result, and says so", async () => {
  const { client, screenerId } = await service.screener();
  const planned = await client.post("/screener-participants-import", { screenerId, participants: [], dryRun: true });
  const { status, body } = await client.get(`/jobs/${planned.body.id}/result`);
  assert.deepEqual([status, body.detail], [409, "The job is a plan, failed or was cancelled, and has no result."]);
});

test("rows are found by their externalUid, of imports and of undos, in every format", async () => {
  const { client, screenerId } = await service.screener();
  await client.import(screenerId, people(700));
  // More rows than an event loop looks through.
  const removed = await client.post("/screener-participants-import", {
    screenerId,
    importMode: "FULL_SYNC",
    participants: people(300),
  });
  const path = removed.headers.get("Location")!;
  const undone = await client.post(`${path}/undo`, {}, { Prefer: "wait=60" });
  assert.equal(undone.status, 200);
  const undo = (await lastJob(client)).id;
  const uidsOf = async (id: string, filter: string) => {
    const rows = await client.all(`/jobs/${id}/rows?${filter}`);
    const ndjson = await client.get(`/jobs/${id}/rows?${filter}`, { Accept: "application/x-ndjson" });
    const streamed = ndjson.text.split("\n").filter(Boolean);
    assert.deepEqual(
      streamed.map((line) => JSON.parse(line)),
      rows,
      filter,
    );
    return rows.map(({ externalUid, outcome }) => `${externalUid} ${outcome}`);
  };
  const job = path.split("/").at(-1)!;
  assert.deepEqual(await uidsOf(job, "filter[externalUid][eq]=P-100"), ["P-100 UNCHANGED"]);
  assert.deepEqual(
    await uidsOf(job, "filter[externalUid][in][]=P-650&filter[externalUid][in][]=P-2&filter[externalUid][in][]=P-9"),
    ["P-2 UNCHANGED", "P-9 UNCHANGED", "P-650 REMOVED"],
  );
  assert.deepEqual(await uidsOf(job, "filter[externalUid][eq]=P-650&filter[outcome][eq]=UNCHANGED"), []);
  assert.equal((await uidsOf(job, "filter[externalUid][nin][]=P-650&filter[externalUid][nin][]=P-2")).length, 698);
  assert.deepEqual(await uidsOf(undo, "filter[externalUid][eq]=P-650"), ["P-650 REVERTED"]);
});

test("a row of very many is found without reading the others", () => {
  const scratch = openScratch(":memory:", 0);
  prepareTables(scratch);
  function* slices(count: number) {
    for (let first = 0; first < count; first += 1000)
      yield { first, rows: Array.from({ length: 1000 }, (_, at) => ({ externalUid: `P-${first + at}` })), badText: [] };
  }
  stageRows(
    scratch,
    slices(201_000).map((slice) => checkSlice(slice)),
    { areTexts: false, onProgress() {} },
  );
  const find = "EXPLAIN QUERY PLAN SELECT id FROM row_name WHERE external_uid = 'P-300'";
  const steps = scratch.all<{ detail: string }>(find).map(({ detail }) => detail);
  scratch.close();
  assert.deepEqual(
    steps.filter((detail) => detail.startsWith("SCAN")),
    [],
  );
});
