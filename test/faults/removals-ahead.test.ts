// An import that removes many plans that before it locks the workspace. What others write meanwhile counts as if they had
// written it before.

import assert from "node:assert/strict";
import { existsSync, rmSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { ASYNC, type Client, people } from "../support/client.ts";
import { type Installation, install, type WebProcess } from "../support/process.ts";
import { until } from "../support/until.ts";

const EVERYBODY = 5300;
const STAYING = 100;
/** They are named by the import, and have a session each: not opened, begun, completed. Others, who go, have them, too. */
const SESSIONS = 40;

/** Between the plan of the removals and what is kept for their undo; and after that, before the workspace is locked. */
const MOMENTS = ["DELETE FROM plan WHERE id =", "CREATE INDEX IF NOT EXISTS stage_external_uid"];

/** Some of those who stay were there before those who go, and the last who go come before the others who stay. */
const FIRST_STAYING = [300, 301];
const LAST_GOING = EVERYBODY - STAYING + FIRST_STAYING.length - 1;

const content = { pages: [{ questions: [{ _type: "ScreenerNumericQuestion", prompt: "How old are you?" }] }] };

interface Scene {
  client: Client;
  workspace: ReturnType<Installation["workspace"]>;
  screenerId: string;
  question: string;
  /** By externalUid. */
  assignments: Map<string, { id: string; participantId: string; currentSessionId: string | null }>;
}

for (const isUndone of [false, true])
  test(`what is written while removals are planned counts as if it had come before${isUndone ? ", and is there after an undo" : ""}`, async () => {
    const { installation, web, moments } = await start();
    const [meanwhile, before] = [await makeScene(installation, web), await makeScene(installation, web)];
    const { body: job } = await sync(meanwhile);
    await moments((turn) => write(meanwhile, turn));
    await installation.drain();
    for (const [turn] of MOMENTS.entries()) await write(before, turn);
    const { body: other } = await sync(before);
    await moments();
    await installation.drain();

    for (const { client } of isUndone ? [meanwhile, before] : []) {
      const { body } = await client.get("/jobs?filter[kind][eq]=SCREENER_PARTICIPANTS_IMPORT");
      const { status, text } = await client.post(`/jobs/${body.items.at(-1).id}/undo`, undefined, {
        Prefer: "wait=60",
      });
      assert.equal(status, 200, text);
    }
    const [one, two] = [await shown(meanwhile, job.id), await shown(before, other.id)];
    assert.deepEqual(one.summary, two.summary);
    assert.ok(one.summary.removed > EVERYBODY - STAYING - 20, JSON.stringify(one.summary));
    for (const what of ["rows", "assignments", "participants", "sessions"] as const)
      assert.deepEqual(one[what], two[what], what);
    assertTidy(installation, meanwhile);
  });

for (const isTouched of [false, true])
  test(`an approved plan of many removals ${isTouched ? "changes nothing when one of them is another now" : "is applied while others write"}`, async () => {
    const { installation, web, moments } = await start();
    const scene = await makeScene(installation, web);
    const { client } = scene;
    const { body: job } = await sync(scene, { dryRun: true });
    await until(async () => (await client.get(`/jobs/${job.id}`)).body.status === "PLANNED", "it is planned");
    const { total } = (await client.get("/screener-participants")).body;
    assert.equal((await client.post(`/jobs/${job.id}/apply`, undefined, ASYNC)).status, 202);
    await moments(async (turn) => {
      await create(scene, turn);
      if (isTouched && turn === 1) await open(scene, 200);
    });
    await installation.drain();
    const { body: done } = await client.get(`/jobs/${job.id}`);
    const { total: left } = (await client.get("/screener-participants")).body;
    if (isTouched) {
      assert.deepEqual([done.status, done.problem.code, done.problem.errorCount], ["FAILED", "plan_outdated", 1]);
      assert.equal(left, total);
    } else {
      assert.deepEqual([done.status, done.summary.removed], ["SUCCEEDED", EVERYBODY - STAYING]);
      assert.equal(left, STAYING + 2);
    }
    assertTidy(installation, scene);
  });

test("an import that is cancelled while its removals are kept leaves nothing of them", async () => {
  const { installation, web, moments } = await start();
  const scene = await makeScene(installation, web);
  const { client, workspace } = scene;
  // A short body is first taken for an import of few.
  const body = { screenerId: scene.screenerId, importMode: "FULL_SYNC", participants: people(STAYING) };
  const raw = JSON.stringify(body) + " ".repeat(40_000);
  const { body: job } = await client.call("POST", "/screener-participants-import", { raw, headers: ASYNC });
  await moments(async (turn) => {
    if (turn === 0) return;
    assert.ok(installation.stored<number>(workspace, "SELECT count(*) FROM effect_assignment")[0]! > 5000);
    const { status, text } = await client.delete(`/jobs/${job.id}`);
    assert.ok(status < 300, text);
  });
  await until(
    () => installation.stored(workspace, "SELECT count(*) FROM effect_assignment")[0] === 0,
    "what was kept is gone",
  );
  assert.equal((await client.get(`/jobs/${job.id}`)).body.status, "CANCELLED");
  assert.equal((await client.get("/screener-participants")).body.total, EVERYBODY);
  assertTidy(installation, scene);
});

test("a process that is killed when its removals are kept leaves nothing of them once the job is done", async () => {
  const { installation, web, moments } = await start();
  const scene = await makeScene(installation, web);
  const { body: job } = await sync(scene);
  await moments(async (turn) => {
    if (turn > 0) await web.kill();
  });
  const left = installation.stored<number>(
    scene.workspace,
    "SELECT count(*) FROM effect_assignment WHERE kind = 'REMOVED'",
  );
  assert.deepEqual(left, [EVERYBODY - STAYING]);
  const client = scene.workspace.client(await installation.web());
  await installation.drain();
  const done = (await client.get(`/jobs/${job.id}`)).body;
  assert.deepEqual([done.status, done.summary.removed, done.attempts], ["SUCCEEDED", EVERYBODY - STAYING, 2]);
  assert.equal((await client.get("/screener-participants")).body.total, STAYING + 2);
  assertTidy(installation, scene);
});

/** A service that waits at each of the moments until somebody has written. */
async function start() {
  const installation = install({});
  const file = join(installation.dataDir, "paused");
  const web = await installation.web({
    preload: ["test/support/pause-at.ts"],
    env: { PAUSE_SQL: JSON.stringify(MOMENTS), PAUSE_FILE: file },
  });
  const moments = async (act?: (turn: number) => Promise<void>) => {
    for (const [turn] of MOMENTS.entries()) {
      await until(() => existsSync(file), "it has come to the next moment");
      await act?.(turn);
      rmSync(file);
    }
  };
  return { installation, web, moments };
}

async function makeScene(installation: Installation, web: WebProcess): Promise<Scene> {
  const workspace = installation.workspace();
  const client = workspace.client(web);
  const screenerId = await client.screener();
  await client.call("PUT", `/screeners/${screenerId}/content`, { body: content });
  const { body: publication } = await client.post("/screener-publications", { screenerId });
  const { body } = await client.get(`/screener-publications/${publication.id}/content`);
  await client.import(screenerId, people(EVERYBODY), {}, { Prefer: "wait=60" });
  const listed = await client.all("/screener-participants");
  const assignments = new Map(listed.map((one) => [one.externalParticipantUid as string, one]));
  const scene = { client, workspace, screenerId, question: body.pages[0].questions[0].id, assignments };
  const [first, last] = [EVERYBODY - STAYING, EVERYBODY];
  for (let n = 0; n < SESSIONS; n++) await open(scene, n % 2 ? n : first + (n % (last - first)));
  return scene;
}

function nameOf(n: number): string {
  return (people(1, n)[0] as { externalUid: string }).externalUid;
}

async function open({ client, assignments }: Scene, n: number): Promise<void> {
  const assignment = assignments.get(nameOf(n))!;
  const { status, text, body } = await client.open(assignment.id);
  assert.equal(status, 201, text);
  assignment.currentSessionId = body.id;
}

async function answer({ client, assignments, question }: Scene, n: number): Promise<void> {
  const responses = [{ screenerQuestionId: question, answer: 40 + n }];
  const session = assignments.get(nameOf(n))!.currentSessionId;
  const { status, text } = await client.post(`/screener-sessions/${session}/responses`, { responses });
  assert.equal(status, 200, text);
}

/** The import: it names the last, and somebody who does not exist yet. */
function sync({ client, screenerId }: Scene, options: object = {}) {
  const rows = [...people(STAYING - FIRST_STAYING.length, EVERYBODY - STAYING + FIRST_STAYING.length)];
  for (const n of FIRST_STAYING) rows.push(...people(1, n));
  const more = { externalUid: "renamed", email: "renamed@example.org", name: "Renamed" };
  return client.import(
    screenerId,
    [...rows, more, { ...more, externalUid: "renamed-2", email: "r2@example.org" }],
    { importMode: "FULL_SYNC", ...options },
    ASYNC,
  );
}

/** What others write: to those who go, and to those who stay. */
async function write(scene: Scene, turn: number): Promise<void> {
  const { client, assignments } = scene;
  const at = turn * 20;
  const stays = EVERYBODY - STAYING + 50 + at;
  const patch = async (n: number, body: object) => {
    const { status, text } = await client.patch(`/participants/${assignments.get(nameOf(n))!.participantId}`, body);
    assert.equal(status, 200, text);
  };
  const remove = async (path: string) => assert.ok((await client.delete(path)).status < 300, path);
  for (const n of [at + 100, stays]) await open(scene, n);
  // These were opened before.
  for (const n of [at + 1, at + 3]) await answer(scene, n);
  await remove(`/screener-sessions/${assignments.get(nameOf(at + 5))!.currentSessionId}`);
  for (const n of [at + 7, at + 101, stays + 1])
    await remove(`/screener-participants/${assignments.get(nameOf(n))!.id}`);
  await patch(at + 102, { name: "Changed" });
  // Somebody becomes one whom the import names, and others whom it names are that no more. As many go as before.
  await patch(at + 103, { externalUid: turn ? "renamed-2" : "renamed" });
  for (const n of [2, 3])
    await patch(stays + n, { externalUid: `former-${turn}-${n}`, email: `former-${turn}-${n}@example.org` });
  // The last of the plan is planned again, and somebody else comes behind it.
  await patch(LAST_GOING, { name: `Last ${turn}` });
  await patch(FIRST_STAYING[turn]!, { externalUid: `early-${turn}`, email: `early-${turn}@example.org` });
  await patch(at + 104, { externalUid: `other-${turn}` });
  await create(scene, turn);
}

async function create({ client }: Scene, turn: number): Promise<void> {
  const person = { externalUid: `new-${turn}`, email: `new-${turn}@example.org`, name: "New" };
  assert.equal((await client.post("/participants", person)).status, 201);
}

/** What everybody sees, without ids and times. */
async function shown({ client }: Scene, job: string) {
  const participants = await client.all("/participants");
  const names = new Map(participants.map(({ id, externalUid }) => [id, externalUid as string]));
  const sorted = (lines: string[]) => lines.sort();
  const rows = await client.all(`/jobs/${job}/rows`);
  const sessions = await client.all("/screener-sessions");
  const states = new Map(sessions.map(({ id, status, state }) => [id, `${status} ${state}`]));
  return {
    summary: (await client.get(`/jobs/${job}`)).body.summary,
    // Those who go meanwhile come last.
    rows: sorted(
      rows.map(({ position, externalUid, outcome, assigned, status, sessionId, changes }) =>
        JSON.stringify([position, externalUid, outcome, assigned, status, states.get(sessionId), changes]),
      ),
    ),
    participants: sorted(
      participants.map(({ externalUid, email, name }) => JSON.stringify([externalUid, email, name])),
    ),
    assignments: sorted(
      (await client.all("/screener-participants")).map(({ externalParticipantUid, status, currentSessionId }) =>
        JSON.stringify([externalParticipantUid, status, states.get(currentSessionId)]),
      ),
    ),
    sessions: sorted(
      sessions.map(({ participantId, status, state, outcome }) =>
        JSON.stringify([names.get(participantId), status, state, outcome]),
      ),
    ),
  };
}

/** The counts of the lists are those of their rows, and nothing is left of what was not applied. */
function assertTidy(installation: Installation, { workspace }: Scene): void {
  const [counted] = installation.stored<number>(workspace, "SELECT sum(n) FROM screener_participant_block");
  assert.deepEqual(installation.stored(workspace, "SELECT count(*) FROM screener_participant"), [counted]);
  const of = "effect_id NOT IN (SELECT id FROM effect WHERE stamp <> '')";
  assert.deepEqual(installation.stored(workspace, `SELECT count(*) FROM effect_assignment WHERE ${of}`), [0]);
}
