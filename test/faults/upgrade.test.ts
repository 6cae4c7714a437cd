// Data that the last release wrote: this version opens all of it, says the same as that release, and goes on with it.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { globSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { people } from "../support/client.ts";
import { readCsv } from "../support/csv.ts";
import { install, ownRedis } from "../support/process.ts";
import { findOrInstall } from "../support/programs.ts";
import { ask } from "../support/releases/answers.ts";
import { clientOf, type Kept } from "../support/releases/write.ts";
import { until } from "../support/until.ts";

const RELEASE = "1.0.0";
const TEXT = ["title", "detail", "message"];

/** The release's data, unpacked, and a clock that is an hour later than the end of its last process: nothing has expired yet. */
function unpack() {
  const folder = mkdtempSync(join(tmpdir(), "upgrade-"));
  after(() => rmSync(folder, { recursive: true, force: true }));
  execFileSync("tar", ["-xzf", `test/support/releases/${RELEASE}.tar.gz`, "-C", folder]);
  const kept: Kept = JSON.parse(readFileSync(join(folder, "kept.json"), "utf8"));
  findOrInstall(["faketime"], "faketime");
  const [library] = globSync("/usr/lib/**/faketime/libfaketimeMT.so.1");
  assert.ok(library, "faketime brings its library");
  const seconds = Math.round((Date.parse(kept.writtenAt) - Date.now()) / 1000) + 3600;
  const env = {
    LD_PRELOAD: library,
    FAKETIME: `${seconds < 0 ? "" : "+"}${seconds}s`,
    DONT_FAKE_MONOTONIC: "1",
    NO_FAKE_STAT: "1",
    PUBLIC_URL: "http://127.0.0.1:3000",
  };
  return { kept, folder, env, dataDir: join(folder, "data") };
}

/** Whether all that was said is said still. Members may be new; so may the words of a problem. */
function holds(was: unknown, is: unknown, place: string): void {
  if (Array.isArray(was)) {
    assert.ok(Array.isArray(is) && is.length === was.length, `${place}: ${JSON.stringify(is)}`);
    for (const [index, one] of was.entries()) holds(one, is[index], `${place}/${index}`);
  } else if (typeof was === "object" && was !== null) {
    assert.ok(typeof is === "object" && is !== null, `${place}: ${JSON.stringify(is)}`);
    const isProblem = "code" in was || "pointer" in was;
    for (const [key, value] of Object.entries(was)) {
      if (isProblem && (TEXT.includes(key) || key === "requestId")) continue;
      holds(value, (is as Record<string, unknown>)[key], `${place}/${key}`);
    }
  } else assert.equal(is, was, place);
}

/** A table by its headings, NDJSON by its lines. */
function parsed(text: string, request: string): unknown {
  if (request.endsWith("text/csv")) return readCsv(text);
  return text
    .split("\n")
    .filter((line) => line)
    .map((line) => JSON.parse(line));
}

test("data of the last release opens, all of it says the same, and work goes on where it was", async () => {
  const { kept, env, folder, dataDir } = unpack();
  const redis = ownRedis();
  await redis.start();
  const installation = install({ ...env, REDIS_URL: redis.url }, dataDir);
  // Without a worker: the jobs that waited wait still.
  const web = await installation.web();
  const [acme, beta] = kept.workspaces.map((workspace) =>
    workspace.callers.map((caller) => clientOf(web.url, workspace.id, caller)),
  );
  let compared = 0;
  for (const { id, callers, revoked, answers, repeated } of kept.workspaces) {
    const client = clientOf(web.url, id, callers[0]!);
    // A thread migrates the store; meanwhile the answer is 503.
    await until(async () => (await client.get("/screeners")).status === 200, "the store is migrated");
    for (const [request, was] of Object.entries(answers)) {
      const is = await ask(client, request);
      assert.equal(is.status, was.status, request);
      holds(was.json, is.json, request);
      if (was.text !== undefined && was.text !== is.text)
        holds(parsed(was.text, request), parsed(is.text!, request), request);
      compared++;
    }
    for (const caller of callers) assert.equal((await clientOf(web.url, id, caller).get("/jobs")).status, 200);
    for (const caller of revoked) assert.equal((await clientOf(web.url, id, caller).get("/jobs")).status, 401);
    for (const { path, key, body, status, answer } of repeated) {
      const headers = { "Idempotency-Key": key, Prefer: "wait=60" };
      const again = await client.post(path, body, headers);
      assert.deepEqual([again.status, again.headers.get("Idempotency-Replayed")], [status, "true"], again.text);
      holds(answer, again.body, `${path} again`);
    }
  }
  assert.ok(compared > 200, `${compared} answers`);

  const [client] = acme!;
  const waiting = (await client!.get("/jobs?filter[status][eq]=QUEUED")).body.items;
  assert.deepEqual(
    waiting.map(({ kind }: { kind: string }) => kind),
    ["SCREENER_PARTICIPANTS_IMPORT", "SCREENER_PUBLICATION"],
  );
  await installation.worker();
  for (const { id } of waiting) {
    const { body } = await client!.get(`/jobs/${id}`, { Prefer: "wait=60" });
    assert.equal(body.status, "SUCCEEDED", JSON.stringify(body));
    assert.equal((await client!.get(`/jobs/${id}/result`)).status, 200);
  }
  const waited = await client!.get(`/jobs/${waiting[0].id}`);
  assert.deepEqual([waited.body.summary.created, waited.body.idempotencyKey], [300, "waiting"]);

  for (const one of [client!, beta![0]!, acme![3]!]) {
    const [study] = (await one.get("/screeners")).body.items;
    assert.equal((await one.patch(`/screeners/${study.id}`, { acceptance: "OPEN", title: "Goes on" })).status, 200);
    const imported = await one.import(study.id, people(20, 20), { importMode: "FULL_SYNC" }, { Prefer: "wait=60" });
    assert.equal(imported.status, 200, imported.text);
    const [latest] = (await one.get("/jobs?sort=-createdAt&pagination[limit]=1")).body.items;
    const undone = await one.post(`/jobs/${latest.id}/undo`, {}, { Prefer: "wait=60" });
    assert.deepEqual([undone.status, undone.body.summary?.kept], [200, 0], undone.text);
    const [first] = (await one.get("/jobs?filter[status][eq]=SUCCEEDED&filter[kind][eq]=SCREENER_PARTICIPANTS_IMPORT"))
      .body.items;
    assert.equal((await one.post(`/jobs/${first.id}/undo`, {})).body.code, "undo_gone");
  }

  // A session that was begun is answered to its end, by the questions that its publication has.
  const begun = (await client!.get("/screener-sessions?filter[state][eq]=IN_PROGRESS&filter[status][eq]=ACTIVE")).body
    .items;
  assert.equal(begun.length, 1);
  const { pages } = (await client!.get(`/screener-publications/${begun[0].screenerPublicationId}/content`)).body;
  const [shifts, , , drinks] = pages[1].questions;
  const responses = [
    { screenerQuestionId: shifts.id, answer: [{ text: "Sometimes", isWriteIn: false }] },
    { screenerQuestionId: drinks.id, answer: [{ text: "Tea", isWriteIn: false }] },
  ];
  const ended = await client!.post(`/screener-sessions/${begun[0].id}/responses`, { responses, complete: true });
  assert.deepEqual([ended.status, ended.body.state], [200, "COMPLETED"], ended.text);
  const person = (await client!.get(`/screener-participants/${begun[0].screenerParticipantId}`)).body;
  assert.equal(person.status, "QUALIFIED");
  const erased = await client!.call("DELETE", `/participants/${person.participantId}`, {
    headers: { Prefer: "wait=60" },
  });
  assert.deepEqual([erased.status, erased.body.status], [200, "SUCCEEDED"], erased.text);

  const backup = await installation.cli("backup", join(folder, "backup"));
  assert.equal(backup.code, 0, backup.stdout + backup.stderr);
  for (const args of [["verify"], ["verify", join(folder, "backup")]]) {
    const verified = await installation.cli(...args);
    assert.equal(verified.code, 0, verified.stdout + verified.stderr);
  }
});

test("the command line brings data of the last release up to date before a process does", async () => {
  const { kept, env, dataDir } = unpack();
  const installation = install(env, dataDir);
  const listed = await installation.cli("workspace", "list", "--json");
  assert.deepEqual(
    JSON.parse(listed.stdout).map(({ id }: { id: string }) => id),
    kept.workspaces.map(({ id }) => id),
  );
  const migrated = await installation.cli("migrate");
  assert.equal(migrated.code, 0, migrated.stderr);
  const verified = await installation.cli("verify");
  assert.equal(verified.code, 0, verified.stdout + verified.stderr);
  const web = await installation.web();
  const [{ id, callers, answers }] = kept.workspaces as [Kept["workspaces"][0]];
  const lists = Object.entries(answers).filter(([request]) => /^\/screener-responses/.test(request));
  assert.equal(lists.length, 3);
  for (const [request, was] of lists)
    assert.equal((await ask(clientOf(web.url, id, callers[0]!), request)).status, was.status);
  // Here the process runs the jobs itself.
  await installation.drain();
  assert.equal((await clientOf(web.url, id, callers[0]!).get("/jobs?filter[status][eq]=QUEUED")).body.total, 0);
});
