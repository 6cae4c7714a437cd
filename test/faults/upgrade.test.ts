// Data that releases wrote: this version opens all of it, says the same as that release, and goes on with it.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { currentVersion } from "../../db/migrate.ts";
import { people } from "../support/client.ts";
import { readCsv } from "../support/csv.ts";
import { newFolder } from "../support/folder.ts";
import { hold } from "../support/hold.ts";
import { install, ownRedis, ServiceProcess } from "../support/process.ts";
import { findOrInstall } from "../support/programs.ts";
import { freePort } from "../support/proxies.ts";
import { ask } from "../support/releases/answers.ts";
import { addCrowd } from "../support/releases/crowd.ts";
import { clientOf, type Kept } from "../support/releases/write.ts";
import { until } from "../support/until.ts";

/** Each from the last release back to the first one from which an upgrade is tested. */
const RELEASES = ["1.1.0", "1.0.0"] as const;
const TEXT = ["title", "detail", "message"];

/** The release's data, unpacked, and a clock that is an hour later than the end of its last process: nothing has expired yet. */
function unpack(release: string) {
  const folder = newFolder();
  execFileSync("tar", ["-xzf", `test/support/releases/${release}.tar.gz`, "-C", folder]);
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
function holds(was: unknown, is: unknown, path: string): void {
  if (Array.isArray(was)) {
    assert.ok(Array.isArray(is) && is.length === was.length, `${path}: ${JSON.stringify(is)}`);
    for (const [index, one] of was.entries()) holds(one, is[index], `${path}/${index}`);
  } else if (typeof was === "object" && was !== null) {
    assert.ok(typeof is === "object" && is !== null, `${path}: ${JSON.stringify(is)}`);
    const isProblem = "code" in was || "pointer" in was;
    for (const [key, value] of Object.entries(was)) {
      if (isProblem && (TEXT.includes(key) || key === "requestId")) continue;
      holds(value, (is as Record<string, unknown>)[key], `${path}/${key}`);
    }
  } else assert.equal(is, was, path);
}

/** A table by its headings, NDJSON by its lines. */
function parsed(text: string, request: string): unknown {
  // Later releases make more formulas harmless: also those behind spaces.
  if (request.endsWith("text/csv")) return readCsv(text.replaceAll(/'(?=\s*[=+@-])/g, ""));
  return text
    .split("\n")
    .filter((line) => line)
    .map((line) => JSON.parse(line));
}

for (const release of RELEASES)
  test(`data of release ${release} opens, all of it says the same, and work goes on where it was`, () => goOn(release));

async function goOn(release: (typeof RELEASES)[number]): Promise<void> {
  const { kept, env, folder, dataDir } = unpack(release);
  const redis = ownRedis();
  await redis.start();
  const installation = install({ ...env, REDIS_URL: redis.url }, dataDir);
  const holding = new Map(kept.workspaces.map(({ id }) => [id, hold(dataDir, id)]));
  // Without a worker: the jobs that waited wait still.
  const web = await installation.web();
  const [acme, beta] = kept.workspaces.map((workspace) =>
    workspace.callers.map((caller) => clientOf(web.url, workspace.id, caller)),
  );
  let compared = 0;
  for (const { id, callers, revoked, answers, repeated } of kept.workspaces) {
    const client = clientOf(web.url, id, callers[0]!);
    // Nobody can migrate the store, and all of it is read nevertheless.
    for (const [request, was] of Object.entries(answers)) {
      const is = await ask(client, request);
      assert.equal(is.status, was.status, `${request}: ${is.text ?? JSON.stringify(is.json)}`);
      holds(was.json, is.json, request);
      if (was.text !== undefined && was.text !== is.text)
        holds(parsed(was.text, request), parsed(is.text!, request), request);
      compared++;
    }
    // What writes waits until it is migrated.
    const [first] = repeated as [Kept["workspaces"][0]["repeated"][0]];
    const written = client.post(first.path, first.body, { "Idempotency-Key": first.key, Prefer: "wait=60" });
    holding.get(id)!();
    assert.equal((await written).status, first.status, (await written).text);
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
    // 1.0.0 kept nothing to undo it with.
    if (release === "1.0.0") assert.equal((await one.post(`/jobs/${first.id}/undo`, {})).body.code, "undo_gone");
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
}

test("the command line brings data of a release up to date before a process does", async () => {
  const { kept, env, dataDir } = unpack("1.0.0");
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

test("a store that is being migrated is read, writes are refused with that reason, and the log, /readyz and the metrics say how far it is", async () => {
  const { kept, env, dataDir } = unpack("1.0.0");
  const [first] = kept.workspaces as [Kept["workspaces"][0]];
  const path = join(dataDir, "workspaces", first.id.slice(-2), `${first.id}.sqlite`);
  addCrowd(path, 60_000);
  const metricsPort = String(await freePort());
  const installation = install({ ...env, METRICS_PORT: metricsPort, WRITE_WAIT_MS: "100" }, dataDir);
  const migrating = new ServiceProcess("src/cli.ts", {
    args: ["migrate", "--json"],
    env: { ...env, REDIS_URL: "", DATA_DIR: dataDir },
  });
  // It stops in the middle, with the lock.
  await until(() => {
    if (migrating.end) throw new Error(`It ended: ${migrating.stdout}${migrating.stderr}`);
    return /Migrating the store/.test(migrating.stderr) && installation.control("SELECT 1 FROM store_migration").length;
  }, "it has begun");
  migrating.signal("SIGSTOP");

  const web = await installation.web();
  const client = clientOf(web.url, first.id, first.callers[0]!);
  const found = async () => {
    const { body } = await client.get("/readyz");
    return body.details.find(({ code }: { code: string }) => code === "store_migrating");
  };
  const detail = await until(found, "/readyz says so");
  assert.equal(detail.workspace, first.id);
  const last = currentVersion("workspace");
  assert.match(
    detail.message,
    new RegExp(`is being migrated from schema version 5 to ${last}: \\d+ is reached after \\d+ s\\.`),
  );
  const metrics = async () => (await fetch(`http://127.0.0.1:${metricsPort}/metrics`)).text();
  const [, reached] = /: (\d+) is reached/.exec(detail.message)!;
  const shown = await metrics();
  assert.match(shown, /^screening_findings\{.*code="store_migrating".*\} 1$/m);
  assert.match(shown, /^screening_stores_migrating 1$/m);
  assert.match(shown, new RegExp(`^screening_store_migration_version\\{version="reached"\\} ${reached}$`, "m"));
  assert.match(shown, new RegExp(`^screening_store_migration_version\\{version="target"\\} ${last}$`, "m"));
  assert.equal((await client.get("/participants?pagination[limit]=1")).status, 200);
  const refused = await client.post("/participants", people(1, 900)[0]);
  assert.deepEqual([refused.status, refused.body.code], [503, "store_migrating"], refused.text);
  assert.equal(refused.headers.get("Retry-After"), "5");

  migrating.signal("SIGCONT");
  assert.equal((await migrating.ended).code, 0, migrating.stderr);
  assert.match(migrating.stderr, /It is migrated, in \d+\.\d s: \d+ MB have become \d+ MB\./);
  await until(async () => !(await found()), "/readyz does not say it any more");
  assert.match(await metrics(), /^screening_stores_migrating 0$/m);
  assert.doesNotMatch(await metrics(), /^screening_store_migration_version/m);
  // A thread that fills indexes may have the lock for longer than a write waits here.
  const isWritten = async () => (await client.post("/participants", people(1, 900)[0])).status === 201;
  await until(isWritten, "it is written again");
});

test("the log says when the migration of a store begins, which version is reached, and when it has ended", async () => {
  const { kept, env, dataDir } = unpack("1.0.0");
  const web = await install(env, dataDir).web();
  const [from, to] = [5, currentVersion("workspace")];
  for (const { id: workspace } of kept.workspaces) {
    const of = (what: string) => web.log.find((line) => line.msg === what && line.workspace === workspace);
    const ended = await until(() => of("store migrated"), "it is migrated");
    const begun = of("store migrating")!;
    assert.deepEqual([begun.from, begun.to, ended.from, ended.to], [from, to, from, to]);
    assert.equal(ended.bytesBefore, begun.bytes);
    const steps = web.log.filter((line) => line.msg === "store migration step" && line.workspace === workspace);
    assert.deepEqual(
      steps.map(({ at }) => at),
      Array.from({ length: to - from - 1 }, (_, index) => from + 1 + index),
    );
    assert.ok(steps.every((line) => line.to === to && Number(line.ms) >= 0));
    assert.ok(Number(ended.bytes) > Number(ended.bytesBefore) && Number(ended.ms) >= 0, JSON.stringify(ended));
  }
});
