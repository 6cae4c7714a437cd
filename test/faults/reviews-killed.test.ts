// Many are rejected at once, which frees exactly their places in cells that overlap; these are offered once; and the undo brings all back, or
// says which places are gone. The same while people finish, and processes are killed at random. The counts are those of an independent model.

import assert from "node:assert/strict";
import { test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { faultsOfQuotas } from "../../src/nouns/quotas/queries.ts";
import type { Answer, Client } from "../support/client.ts";
import { people as rowsOf } from "../support/client.ts";
import { assertCounts } from "../support/counts.ts";
import { type Installation, install, ownRedis, type ServiceProcess, type TestWorkspace } from "../support/process.ts";
import { cellsOf, type Value, type Version } from "../support/quota-model.ts";
import { KILLS, seeded } from "../support/seeded.ts";

const redis = ownRedis();
await redis.start();

/** What those who are to be rejected have answered. */
const SUSPICIOUS = 99;
const AT_ONCE = 8;
const MAX_TURNS = 40;

const question = (key: string) => ({ key, required: true, showWhen: null });
const page = (key: string) => ({ title: key, showWhen: null, disqualifyWhen: null, questions: [question(key)] });
const PAGES = ["sex", "age", "kids"].map(page);
const woman = { questionId: "sex", equals: "woman" };
const young = { questionId: "age", lessThan: 30 };
const cell = (name: string, when: Version["cells"][number]["when"], mode: "LIMIT" | "COUNT" = "LIMIT") => ({
  ...{ name, when, mode, limit: mode === "LIMIT" ? 0 : null, at: "NOW" as const },
});
const CELLS = [
  cell("Women", woman),
  cell("Men", { questionId: "sex", equals: "man" }),
  cell("Young", young),
  cell("Young women", { all: [woman, young] }),
  cell("Everybody", null, "COUNT"),
];
const VERSION: Version = { pages: PAGES, qualifyWhen: null, cells: CELLS };

type Given = { sex: string; age: number; kids: number };
type Job = Answer["body"];

interface Slot {
  start(): Promise<ServiceProcess & { url?: string }>;
  /** Undefined while it is being started. */
  process: (ServiceProcess & { url?: string }) | undefined;
}

class Scene {
  readonly installation: Installation;
  readonly workspace: TestWorkspace;
  readonly slots: Slot[];
  readonly draw: () => number;
  readonly given = new Map<string, Given>();
  readonly quotas = new Map<string, string>();
  readonly questions = new Map<string, string>();
  screener = "";
  isOver = false;
  kills = 0;

  constructor(name: string, env: Record<string, string>) {
    this.installation = install(env);
    this.workspace = this.installation.workspace();
    this.draw = seeded(`reviews ${name}`);
    const slot = (start: Slot["start"]): Slot => ({ start, process: undefined });
    const web = () => this.installation.web();
    this.slots = env.REDIS_URL ? [slot(web), slot(web), slot(() => this.installation.worker())] : [slot(web)];
  }

  below(end: number): number {
    return Math.floor(this.draw() * end);
  }

  async start(slots = this.slots): Promise<void> {
    for (const slot of slots) slot.process = await slot.start();
  }

  /** Asks processes until one has answered that is not too busy. What was asked may be done twice. */
  async persist(ask: (client: Client) => Promise<Answer>): Promise<Answer> {
    for (;;) {
      const alive = this.slots.flatMap(({ process }) => (process?.url ? [process as { url: string }] : []));
      const one = alive[this.below(alive.length)];
      const answer = one && (await ask(this.workspace.client(one)).catch(() => undefined));
      if (answer && answer.status < 500 && answer.status !== 202) return answer;
      await sleep(50);
    }
  }

  /** A job that has ended, however often it has to be asked for. */
  async job(path: string, body: object): Promise<Job> {
    const headers = { "Idempotency-Key": `job ${this.draw()}`, Prefer: "wait=20" };
    const answer = await this.persist((client) => client.post(path, body, headers));
    assert.equal(answer.status, 200, answer.text);
    return answer.body;
  }

  // biome-ignore lint/suspicious/noExplicitAny: the service's own answers
  async all(path: string): Promise<any[]> {
    const { text, status } = await this.persist((client) => client.get(path, { Accept: "application/x-ndjson" }));
    assert.equal(status, 200, text);
    return text
      .split("\n")
      .filter(Boolean)
      .map((line) => JSON.parse(line));
  }

  /** A study whose sessions are reviewed, and people with links to it. @returns the ids of their sessions */
  async publish(count: number): Promise<string[]> {
    this.screener = (
      await this.persist((client) => client.post("/screeners", { title: "Cells", review: "ALL" }))
    ).body.id;
    const select = { _type: "ScreenerSingleSelectQuestion", options: ["woman", "man"].map((id) => ({ id, text: id })) };
    const number = { _type: "ScreenerNumericQuestion" };
    const pages = PAGES.map(({ title }) => ({
      title,
      questions: [
        { id: title, key: title, prompt: `${title}?`, required: true, ...(title === "sex" ? select : number) },
      ],
    }));
    const quotas = CELLS.map(({ at, ...one }) => ({ ...one, ending: { at } }));
    const body = { pages, quotas };
    const put = await this.persist((client) => client.call("PUT", `/screeners/${this.screener}/content`, { body }));
    assert.equal(put.status, 200, put.text);
    for (const { questions } of put.body.pages) this.questions.set(questions[0].key, questions[0].id);
    for (const { name, id } of put.body.quotas) this.quotas.set(name, id);
    const wait = { Prefer: "wait=120" };
    const { screener: screenerId } = this;
    await this.persist((client) => client.post("/screener-publications", { screenerId }, wait));
    await this.persist((client) => client.import(screenerId, rowsOf(count), {}, wait));
    const opened = await this.persist((client) => client.post("/screener-sessions", { screenerId }, wait));
    return opened.body.map(({ id }: { id: string }) => id);
  }

  /** As many places as these people take. */
  async limit(people: readonly Given[]): Promise<void> {
    for (const { name, mode } of CELLS) {
      const limit = people.filter((one) => isIn(one, name)).length;
      if (mode === "LIMIT")
        await this.persist((client) => client.patch(`/screener-quotas/${this.quotas.get(name)}`, { limit }));
    }
  }

  /** One of these people answers. What was cut off may have been taken. */
  async finish(session: string): Promise<void> {
    const { sex, age, kids } = this.given.get(session)!;
    const answers = { sex: [{ text: sex, isWriteIn: false }], age, kids };
    const responses = Object.entries(answers).map(([key, answer]) => ({
      screenerQuestionId: this.questions.get(key),
      answer,
    }));
    await this.persist((client) =>
      client.post(`/screener-sessions/${session}/responses`, { responses, complete: true }),
    );
  }

  async finishAll(sessions: readonly string[]): Promise<void> {
    const waiting = [...sessions];
    const lane = async () => {
      for (let one = waiting.shift(); one !== undefined; one = waiting.shift()) await this.finish(one);
    };
    await Promise.all(Array.from({ length: AT_ONCE }, lane));
  }

  /** Those who were offered places, and all others who are under way, finish. */
  async finishOffered(): Promise<void> {
    const sessions = await this.all(`/screener-sessions?filter[screenerId][eq]=${this.screener}`);
    await this.finishAll(sessions.filter(({ state }) => state === "IN_PROGRESS").map(({ id }) => id));
  }

  /** Places to all who are over quota and for whom there is room. @returns how many were offered */
  async offer(): Promise<number> {
    let offered = 0;
    for (const { name, mode } of CELLS)
      if (mode === "LIMIT")
        offered += (await this.job(`/screener-quotas/${this.quotas.get(name)}/offer`, {})).summary.offered;
    return offered;
  }

  /** Kills a process now and then, until it is over. */
  async disturb(): Promise<void> {
    while (!this.isOver) {
      await sleep(200 + this.below(1500));
      const alive = this.slots.filter(({ process }) => process);
      const slot = alive[this.below(alive.length)]!;
      const { process } = slot;
      slot.process = undefined;
      await process!.kill("SIGKILL");
      this.kills++;
      slot.process = await slot.start();
    }
  }

  /** Compares counts and places, cell by cell, with those whom the model sees in it. @returns the places, as text */
  async check(): Promise<string> {
    const sessions = await this.all(`/screener-sessions?filter[screenerId][eq]=${this.screener}`);
    const lines: string[] = [];
    for (const quota of await this.all(`/screeners/${this.screener}/quotas`)) {
      const expected = sessions.flatMap(({ id, state, review }) => {
        const counts = state === "COMPLETED" && review !== null && review.state !== "REJECTED";
        if (!counts || !isIn(this.given.get(id)!, quota.name)) return [];
        return [`${quota.name} ${id} ${review.state === "PENDING" ? "HELD" : "TAKEN"}`];
      });
      const places = (await this.all(`/screener-quotas/${quota.id}/places`)).filter(
        ({ state }) => state !== "RELEASED",
      );
      const found = places.map(({ screenerSessionId, state }) => `${quota.name} ${screenerSessionId} ${state}`);
      assert.deepEqual(found.sort(), expected.sort(), quota.name);
      assert.equal(quota.taken + quota.held, found.length, quota.name);
      if (quota.mode === "LIMIT") assert.ok(found.length <= quota.limit, `${quota.name}: ${found.length}`);
      lines.push(...found);
    }
    this.installation.read(this.workspace, (db) => {
      assertCounts(db);
      assert.deepEqual(faultsOfQuotas(db), []);
    });
    return lines.join("\n");
  }

  review(decision: "ACCEPTED" | "REJECTED", kids: object): Promise<Job> {
    const filter = { "answers.kids": kids };
    return this.job("/screener-sessions-review", { screenerId: this.screener, filter, decision, reason: "By a test" });
  }

  undo({ id }: Job): Promise<Job> {
    return this.job(`/jobs/${id}/undo`, {});
  }

  /** Each that was kept has no place in a quota that is full; all others are as they were. */
  async checkUndo(undone: Job): Promise<void> {
    const full = new Set<string>();
    for (const { name, limit, taken, held } of await this.all(`/screeners/${this.screener}/quotas`))
      if (limit !== null && taken + held >= limit) full.add(name);
    for (const { outcome, reason, errors } of await this.all(`/jobs/${undone.id}/rows`)) {
      if (outcome === "REVERTED") continue;
      assert.deepEqual([outcome, reason], ["KEPT", "QUOTA_FULL"]);
      const named = errors.map(({ message }: { message: string }) => /“(.*)”/.exec(message)![1]);
      assert.ok(named.length > 0 && named.every((name: string) => full.has(name)), named.join());
    }
  }
}

const isIn = (given: Given, name: string) =>
  cellsOf(VERSION, new Map<string, Value>(Object.entries(given)), {}, true).some((one) => one.name === name);

/** Of ten people three are suspicious. */
function drawPeople(scene: Scene, sessions: readonly string[]): Given[] {
  return sessions.map((session, index) => {
    const kids = index % 10 < 3 ? SUSPICIOUS : scene.below(5);
    const person = { sex: scene.below(2) ? "woman" : "man", age: 18 + scene.below(40), kids };
    scene.given.set(session, person);
    return person;
  });
}

test("300 of 1,000 who are rejected free exactly their places, which are offered once, and come back as far as there are some", async () => {
  const scene = new Scene("quiet", {});
  await scene.start();
  const sessions = await scene.publish(1200);
  const people = drawPeople(scene, sessions);
  await scene.limit(people.slice(0, 1000));
  await scene.finishAll(sessions.slice(0, 1000));
  await scene.finishAll(sessions.slice(1000));
  const before = await scene.check();
  assert.equal(before.split("\n").filter((line) => line.startsWith("Everybody")).length, 1000);

  const suspicious = { eq: SUSPICIOUS };
  const rejected = await scene.review("REJECTED", suspicious);
  assert.deepEqual(rejected.summary, { reviewed: 300, skipped: 0 });
  const without = await scene.check();
  const undone = await scene.undo(rejected);
  assert.deepEqual(undone.summary, { rows: 300, reverted: 300, kept: 0 });
  assert.equal(await scene.check(), before);

  const again = await scene.review("REJECTED", suspicious);
  assert.equal(await scene.check(), without);
  const offered = await scene.offer();
  assert.ok(offered > 0 && offered <= 200, `${offered} were offered places`);
  assert.equal(await scene.offer(), 0);
  await scene.finishOffered();
  await scene.check();
  const back = await scene.undo(again);
  const { rows, reverted, kept } = back.summary;
  assert.deepEqual([rows, reverted + kept], [300, 300]);
  // Nobody whose places are all there is left out: the offered ones have the others.
  assert.ok(reverted > 0 && kept > 0 && kept <= offered * 2, JSON.stringify(back.summary));
  await scene.checkUndo(back);
  await scene.check();
});

for (const [name, env] of [
  ["threads", {}],
  ["Redis", { REDIS_URL: redis.url, WORKER_CONCURRENCY: "1" }],
] as const)
  test(`the same while people finish, and processes are killed at random, on ${name}`, async (t) => {
    const scene = new Scene(name, env);
    await scene.start();
    const sessions = await scene.publish(360);
    const people = drawPeople(scene, sessions);
    await scene.limit(people.slice(0, 200));
    await scene.finishAll(sessions.slice(0, 200));
    const killing = scene.disturb();
    // One that does not start ends the test.
    killing.catch(() => {
      scene.isOver = true;
    });
    let finishing: Promise<void> | undefined;
    const seen = { reviewed: 0, reverted: 0, kept: 0, offered: 0 };
    const isSeen = () => seen.reverted > 0 && seen.offered > 0;
    const isEnough = (turn: number) => turn >= 3 && scene.kills >= KILLS / 4 && (isSeen() || turn >= MAX_TURNS);
    for (let turn = 0; !isEnough(turn) && !scene.isOver; turn++) {
      const rejected = await scene.review("REJECTED", { eq: SUSPICIOUS });
      seen.reviewed += rejected.summary.reviewed;
      if (turn % 2) seen.offered += await scene.offer();
      if (turn % 3 === 1) await scene.review("ACCEPTED", { lt: 2 });
      const undone = await scene.undo(rejected);
      await scene.checkUndo(undone);
      seen.reverted += undone.summary.reverted;
      seen.kept += undone.summary.kept;
      // They may take all that a rejection gives back, so that the first one is undone before them.
      finishing ??= scene.finishAll(sessions.slice(200));
    }
    scene.isOver = true;
    await killing;
    await finishing;
    await scene.finishOffered();
    await scene.check();
    t.diagnostic(`${JSON.stringify(seen)}, ${scene.kills} kills`);
    assert.ok(isSeen(), JSON.stringify(seen));
    assert.equal(seen.reverted + seen.kept, seen.reviewed);
  });
