// Quotas that one can pay by: 200 people finish at once on three web processes, which are killed at random, with a clock that is set back,
// while others import, undo, erase, override, remove sessions, change limits and offer places. No place is given beyond a limit, none is lost.

import assert from "node:assert/strict";
import { test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import type { Answer, Client } from "../support/client.ts";
import { clock } from "../support/clock.ts";
import { assertCounts } from "../support/counts.ts";
import { type Installation, install, ownRedis, type ServiceProcess, type TestWorkspace } from "../support/process.ts";
import { cellsOf, type Page, type Rule, recount, type Value, type Version } from "../support/quota-model.ts";
import { KILLS, seeded } from "../support/seeded.ts";
import { until } from "../support/until.ts";

const FINISHERS = 200;
const WEBS = 3;
const LIMIT = 50;
/** People who are erased when they have finished. Nobody else touches them. */
const TO_ERASE = 40;
/** While a process lives, somebody gets a place at least so often. */
const MAX_GAP_MS = 8000;
/** A kill waits until two web processes live. On a slow machine that takes longer than a second, and fewer kills have to do. */
const MAX_MS = KILLS * 1800;
const MIN_KILLS = Math.ceil(KILLS / 4);
/** How long somebody waits for an offer. */
const REST_MS = 2000;
/** How many come at once for the places that are left. */
const LATE = 8;

const select = (key: string, texts: string[]) => ({
  id: key,
  key,
  _type: "ScreenerSingleSelectQuestion",
  prompt: `${key}?`,
  required: true,
  options: texts.map((id) => ({ id, text: id })),
});
const number = (key: string) => ({ id: key, key, _type: "ScreenerNumericQuestion", prompt: `${key}?`, required: true });
const OPTIONS: Record<string, string[]> = { sex: ["woman", "man"], car: ["red", "blue", "none"] };

const women: Rule = { questionId: "sex", equals: "woman" };
const men: Rule = { questionId: "sex", equals: "man" };
const young: Rule = { questionId: "age", lessThan: 30 };

const cell = (name: string, when: Rule | null, more: object = {}) => ({
  name,
  when,
  mode: "LIMIT" as const,
  limit: LIMIT,
  at: "NOW" as const,
  ...more,
});
/** Limits that stay; then those that are changed meanwhile. */
const CELLS = [
  cell("Women", women),
  cell("Men", men),
  cell("Young women", { all: [women, young] }, { limit: 20 }),
  cell("North", { attribute: "region", is: "north" }),
  cell("Everybody", null, { mode: "COUNT" }),
  cell("Young men", { all: [men, young] }, { mode: "COUNT" }),
  cell("Young", young),
  cell("Drivers", { questionId: "car", equals: "blue" }, { at: "END" }),
] as Version["cells"];
/** A later version lacks one, and has another one. */
const LATER = [
  ...CELLS.filter(({ name }) => name !== "Young men"),
  ...([cell("Old men", { all: [men, { not: young }] })] as Version["cells"]),
];
const CHANGING = ["Young", "Drivers"];

const PAGES: Page[] = [
  { title: "Sex", showWhen: null, disqualifyWhen: null, questions: [{ key: "sex", required: true, showWhen: null }] },
  {
    title: "Age",
    showWhen: null,
    disqualifyWhen: { questionId: "age", lessThan: 18 },
    questions: [{ key: "age", required: true, showWhen: null }],
  },
  {
    title: "Car",
    showWhen: { not: { questionId: "age", lessThan: 20 } },
    disqualifyWhen: null,
    questions: [{ key: "car", required: true, showWhen: null }],
  },
  { title: "End", showWhen: null, disqualifyWhen: null, questions: [{ key: "kids", required: true, showWhen: null }] },
];

interface Slot {
  start: () => Promise<ServiceProcess>;
  /** Undefined while it is being started. */
  process: ServiceProcess | undefined;
}

type Given = Record<string, Value>;

/** A session of somebody who was erased, and had places by then. */
interface ErasedSession {
  publication: string;
  given: Given;
  region: string;
}

class Scene {
  readonly installation: Installation;
  readonly workspace: TestWorkspace;
  readonly webs: Slot[];
  readonly workers: Slot[];
  readonly draw = seeded("quotas");
  readonly questions = new Map<string, string>();
  readonly quotas = new Map<string, string>();
  readonly versions = new Map<string, Version>();
  readonly erased = { people: new Set<number>(), sessions: [] as ErasedSession[] };
  /** Sessions that were completed by people who stay. */
  readonly completed: { id: string; isWoman: boolean }[] = [];
  readonly counts: Record<string, number> = {};
  readonly restarts: Promise<void>[] = [];
  /** When the last place was given, and the longest time without. */
  lastAt = 0;
  longestMs = 0;
  screener = "";
  /** The look that `watch` takes just now; and until when it takes no other. */
  looking: Promise<void> = Promise.resolve();
  standstill: Promise<void> = Promise.resolve();
  isOver = false;

  constructor(installation: Installation, workspace: TestWorkspace) {
    this.installation = installation;
    this.workspace = workspace;
    const slot = (start: () => Promise<ServiceProcess>): Slot => ({ start, process: undefined });
    this.webs = Array.from({ length: WEBS }, () => slot(() => installation.web()));
    this.workers = [slot(() => installation.worker())];
  }

  below(end: number): number {
    return Math.floor(this.draw() * end);
  }

  count(what: string): void {
    this.counts[what] = (this.counts[what] ?? 0) + 1;
  }

  /** Clients at all web processes that live. */
  clients(): Client[] {
    const alive = this.webs.flatMap(({ process }) => (process ? [process as unknown as { url: string }] : []));
    return alive.map((process) => this.workspace.client(process));
  }

  /** A client at one of them. */
  client(): Client {
    const clients = this.clients();
    return clients[this.below(clients.length)]!;
  }

  /** Asks until a process has answered, and is not too busy. What was asked may be done twice. */
  async persist(ask: (client: Client) => Promise<Answer>): Promise<Answer> {
    for (;;) {
      const answer = await ask(this.client()).catch(() => undefined);
      if (answer && answer.status < 500) return answer;
      this.count(answer ? `answered ${answer.status}` : "cut off");
      await sleep(20);
    }
  }

  /** Somebody has got, or has kept, a place. */
  noteClaim(): void {
    const now = performance.now();
    if (this.lastAt) this.longestMs = Math.max(this.longestMs, now - this.lastAt);
    this.lastAt = now;
    this.count("claims");
  }

  async submit(session: string, given: Given, complete: boolean): Promise<Answer> {
    const responses = Object.entries(given).map(([key, value]) => ({
      screenerQuestionId: this.questions.get(key),
      answer: OPTIONS[key] ? [{ text: value, isWriteIn: false }] : value,
    }));
    const answer = await this.persist((client) =>
      client.post(`/screener-sessions/${session}/responses`, { responses, complete }),
    );
    if (answer.status === 200) {
      if (answer.body.outcomeReason === null) this.noteClaim();
      else this.count(answer.body.outcomeReason);
    } else this.count(answer.body.code);
    return answer;
  }

  async publish(cells: Version["cells"]): Promise<void> {
    const path = `/screeners/${this.screener}/content`;
    const known = (await this.persist((client) => client.get(path))).body;
    const pages = known.pages.length
      ? known.pages
      : PAGES.map(({ questions, ...page }) => ({
          ...page,
          questions: questions.map(({ key }) => (OPTIONS[key] ? select(key, OPTIONS[key]) : number(key))),
        }));
    const quotas = cells.map(({ at, when, ...one }) => {
      const published = known.quotas?.find(({ name }: { name: string }) => name === one.name);
      return { ...one, when: published ? published.when : this.named(when), id: published?.id, ending: { at } };
    });
    const put = await this.persist((client) => client.call("PUT", path, { body: { pages, quotas } }));
    assert.equal(put.status, 200, put.text);
    for (const { questions } of put.body.pages)
      for (const { key, id, options = [] } of questions) {
        this.questions.set(key, id);
        for (const option of options) this.questions.set(option.text, option.id);
      }
    for (const { name, id } of put.body.quotas) this.quotas.set(name, id);
    const published = await this.persist((client) =>
      client.post("/screener-publications", { screenerId: this.screener }, { Prefer: "wait=60" }),
    );
    assert.equal(published.status, 201, published.text);
    // A publication that was cut off may be there, too.
    for (const { id } of await this.all(`/screeners/${this.screener}/publications`))
      if (!this.versions.has(id)) this.versions.set(id, { pages: PAGES, qualifyWhen: null, cells });
  }

  /** A rule with the ids that questions and options have now. */
  named(rule: Rule | null): unknown {
    return JSON.parse(JSON.stringify(rule), (_, value) =>
      typeof value === "string" ? (this.questions.get(value) ?? value) : value,
    );
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

  async start(): Promise<void> {
    await Promise.all([...this.webs, ...this.workers].map((slot) => this.restart(slot)));
  }

  async restart(slot: Slot): Promise<void> {
    slot.process = await slot.start();
  }
}

const uidOf = (person: number) => `P-${person}`;
/** Whose attributes change meanwhile. What these were when they finished is in no list. */
const isMoving = (person: number) => person % 30 === 0;
const regionOf = (person: number) => (person % 3 ? "south" : "north");
const rowOf = (person: number) => ({
  externalUid: uidOf(person),
  email: `${uidOf(person)}@example.org`,
  name: uidOf(person),
});
const range = (from: number, to: number) => Array.from({ length: to - from }, (_, index) => from + index);
/** Everybody who is invited: those who finish, and those who are erased. */
const ALL = range(0, FINISHERS + TO_ERASE);

async function assignmentOf(scene: Scene, person: number): Promise<string | undefined> {
  const path = `/screener-participants?filter[screenerId][eq]=${scene.screener}&filter[externalParticipantUid][eq]=${uidOf(person)}`;
  return (await scene.persist((client) => client.get(path))).body.items[0]?.id;
}

/** Somebody who takes part again and again: by several pages, of which some are sent twice or changed, or all at once. */
async function finish(scene: Scene, person: number): Promise<void> {
  while (!scene.isOver) {
    const assignment = await assignmentOf(scene, person);
    const opened = assignment && (await scene.persist((client) => client.open(assignment)));
    if (!opened || opened.status >= 300) {
      await sleep(100);
      continue;
    }
    const reason = await takePart(scene, opened.body.id);
    // Some who were turned away wait for an offer.
    if (reason === "OVER_QUOTA" && scene.below(2)) await sleep(REST_MS);
  }
}

/** @returns why it has ended, if it was completed and there is a reason */
async function takePart(scene: Scene, session: string): Promise<string | undefined> {
  const given: Given = {
    sex: OPTIONS.sex![scene.below(2)]!,
    age: 17 + scene.below(40),
    car: OPTIONS.car![scene.below(3)]!,
    kids: scene.below(4),
  };
  const age = given.age as number;
  if (age < 20) delete given.car;
  const isAtOnce = scene.below(4) === 0;
  const steps: [Given, boolean][] = [];
  if (!isAtOnce) {
    if (scene.below(4) === 0) steps.push([{ sex: OPTIONS.sex![scene.below(2)]! }, false]);
    steps.push([{ sex: given.sex! }, false], [{ age }, false]);
    if (given.car) steps.push([{ car: given.car }, false]);
    // Some give up, and what they hold goes on being held.
    if (scene.below(6) === 0) steps.length--;
  }
  if (isAtOnce || scene.below(5)) steps.push([given, true]);
  for (const [answers, complete] of steps) {
    if (scene.isOver) return undefined;
    const { status, body } = await scene.submit(session, answers, complete);
    if (status !== 200) {
      // Full before it has begun, or removed. A submission that was cut off may have ended it.
      if (body.code !== "session_completed") await sleep(50);
      return undefined;
    }
    if (body.state === "COMPLETED") {
      scene.completed.push({ id: session, isWoman: given.sex === "woman" });
      return body.outcomeReason ?? undefined;
    }
  }
  return undefined;
}

/** People who finish, and are erased. What they have taken stays taken, as a number. */
async function eraseSome(scene: Scene): Promise<void> {
  for (const person of range(FINISHERS, FINISHERS + TO_ERASE)) {
    if (scene.isOver) return;
    const assignment = await assignmentOf(scene, person);
    if (!assignment) continue;
    const { participantId } = (await scene.persist((client) => client.get(`/screener-participants/${assignment}`)))
      .body;
    const opened = await scene.persist((client) => client.open(assignment));
    if (opened.status >= 300) continue;
    const given: Given = { sex: "woman", age: 25 + scene.below(10), car: "none", kids: 1 };
    await scene.submit(opened.body.id, given, true);
    const ended = (await scene.persist((client) => client.get(`/screener-sessions/${opened.body.id}`))).body;
    scene.erased.people.add(person);
    await until(
      async () => (await scene.persist((client) => client.delete(`/participants/${participantId}`))).status === 404,
      "somebody is erased",
      60_000,
    );
    scene.count("erased");
    if (ended.state === "COMPLETED" && ended.outcomeReason === null) {
      scene.count("erased with places");
      scene.erased.sessions.push({ publication: ended.screenerPublicationId, given, region: regionOf(person) });
    }
  }
}

/** Imports that change attributes, that leave people out, and bring them back or are undone. */
async function importAgain(scene: Scene): Promise<void> {
  const { screener } = scene;
  const send = async (participants: object[], importMode: string) => {
    const key = `import-${scene.draw()}`;
    const more = { importMode, maxRemovals: FINISHERS };
    const headers = { "Idempotency-Key": key, Prefer: "wait=20" };
    const answer = await scene.persist((client) => client.import(screener, participants, more, headers));
    scene.count(`${importMode} ${answer.status}`);
    return answer;
  };
  while (!scene.isOver) {
    const invited = ALL.filter((person) => !scene.erased.people.has(person));
    const attributes = { region: scene.below(2) ? "north" : "east" };
    const moving = range(0, FINISHERS).filter(isMoving);
    await send(
      moving.map((person) => ({ ...rowOf(person), attributes })),
      "UPDATES_ONLY",
    );
    const leftOut = new Set(Array.from({ length: 20 }, () => scene.below(FINISHERS)));
    const synced = await send(invited.filter((person) => !leftOut.has(person)).map(rowOf), "FULL_SYNC");
    const job = synced.headers.get("location");
    if (job && scene.below(2)) {
      const undone = await scene.persist((client) => client.post(`${job}/undo`, undefined, { Prefer: "wait=20" }));
      scene.count(`undo ${undone.status}`);
    } else await send([...leftOut].map(rowOf), "UPDATES_ONLY");
    // Erasures are jobs, too.
    await sleep(300);
  }
}

/** Sessions that are removed, so that there is room again; and outcomes that are set by hand, but not of men. */
async function disturb(scene: Scene): Promise<void> {
  const outcomes = ["QUALIFIED", "DISQUALIFIED", "BY_RULES"] as const;
  while (!scene.isOver) {
    const { completed } = scene;
    const one = completed.length ? completed[scene.below(completed.length)] : undefined;
    if (one?.isWoman && scene.below(2)) {
      const body = { outcome: outcomes[scene.below(3)]!, reason: `Reason ${scene.draw()}` };
      const { status } = await scene.persist((client) => client.post(`/screener-sessions/${one.id}/override`, body));
      scene.count(`override ${status}`);
    } else if (one) {
      await scene.persist((client) => client.delete(`/screener-sessions/${one.id}`));
      scene.count("removed");
    }
    await sleep(30);
  }
}

/** Offers of places to those who were turned away; some are taken back. */
async function offerPlaces(scene: Scene): Promise<void> {
  while (!scene.isOver) {
    const quota = `/screener-quotas/${scene.quotas.get(CHANGING[scene.below(CHANGING.length)]!)}`;
    const { limit } = (await scene.persist((client) => client.get(quota))).body;
    await scene.persist((client) => client.patch(quota, { limit: Math.min(limit + 10, 60), paused: false }));
    const path = `${quota}/offer`;
    const headers = { "Idempotency-Key": `offer-${scene.draw()}`, Prefer: "wait=20" };
    const offered = await scene.persist((client) => client.post(path, { holdHours: 1 }, headers));
    scene.count(offered.body.summary?.offered ? "offers" : "offers of nothing");
    const job = offered.headers.get("location");
    if (job && scene.below(3) === 0) {
      const { status } = await scene.persist((client) => client.post(`${job}/undo`, undefined, { Prefer: "wait=20" }));
      scene.count(`offer undone ${status}`);
    }
    await sleep(200);
  }
}

async function changeLimits(scene: Scene): Promise<void> {
  while (!scene.isOver) {
    const id = scene.quotas.get(CHANGING[scene.below(CHANGING.length)]!)!;
    const body = { limit: 40 + scene.below(21), paused: scene.below(5) === 0 };
    assert.equal((await scene.persist((client) => client.patch(`/screener-quotas/${id}`, body))).status, 200);
    scene.count("limits");
    await sleep(200);
  }
}

interface Sample {
  name: string;
  mode: string;
  limit: number;
  changed: string;
  taken: number;
  held: number;
  over: number;
}

/** What is stored at one moment: the counts, and how many of the places are over the limit by an override. */
function sample(scene: Scene): Sample[] {
  return scene.installation.read(scene.workspace, (db) =>
    db.all<Sample>(
      `SELECT q.name, q.mode, q.max_places AS "limit", q.updated_at AS changed, q.taken + q.erased_taken AS taken, q.held,
         (SELECT count(*) FROM quota_place AS p WHERE p.quota_id = q.id AND p.state <> 'RELEASED' AND p.is_over_limit) AS over
       FROM screener_quota AS q`,
    ),
  );
}

type Last = Map<string, Sample & { within: number }>;

/** At no moment a limit is exceeded, but by overrides, and where it was lowered. */
async function watch(scene: Scene): Promise<void> {
  const last: Last = new Map();
  while (!scene.isOver) {
    await scene.standstill;
    scene.looking = look(scene, last);
    await scene.looking;
    await sleep(50);
  }
}

async function look(scene: Scene, last: Last): Promise<void> {
  for (const now of sample(scene).filter(({ mode }) => mode === "LIMIT")) {
    const { name, limit, changed, taken, held, over } = now;
    const before = last.get(name);
    const within = taken + held - over;
    // Below the limit it may grow to it; above, which a lower limit has made, it may only shrink.
    const most = before?.changed === changed ? Math.max(limit, before.within) : CHANGING.includes(name) ? 60 : limit;
    assert.ok(within <= most, `${name}: ${JSON.stringify({ now, before })}`);
    last.set(name, { ...now, within });
  }
  const { body } = await scene.persist((client) => client.get(`/screeners/${scene.screener}/quotas`));
  const shownMen = body.items.find(({ name }: { name: string }) => name === "Men");
  // Those over the limit are looked at later, so there are as many at least.
  const { over } = sample(scene).find(({ name }) => name === "Men")!;
  assert.ok(shownMen.taken + shownMen.held <= LIMIT + over, JSON.stringify({ shownMen, over }));
  scene.count("samples");
}

/** Kills one of those that live, but for the last web process. */
async function killOne(scene: Scene): Promise<void> {
  const victims = await until(
    () => {
      const alive = ({ process }: Slot) => process !== undefined;
      const webs = scene.webs.filter(alive);
      return webs.length > 1 ? [...webs, ...scene.workers.filter(alive)] : undefined;
    },
    "a process may be killed",
    60_000,
  );
  const slot = victims[scene.below(victims.length)]!;
  const { process } = slot;
  slot.process = undefined;
  await process!.kill("SIGKILL");
  scene.count(scene.workers.includes(slot) ? "workers killed" : "web processes killed");
  scene.restarts.push(scene.restart(slot));
}

/** What the lists say, read one after the other while nothing happens. */
async function readAll(scene: Scene) {
  const of = `filter[screenerId][eq]=${scene.screener}`;
  const ids = new Map((await scene.all("/participants")).map(({ externalUid, id }) => [externalUid, id]));
  const roster = await scene.all(`/screener-sessions?${of}`);
  const keys = new Map([...scene.questions].map(([key, id]) => [id, key]));
  const answers = new Map<string, Map<string, Value>>();
  for (const { screenerSessionId, screenerQuestionId, answer } of await scene.all(`/screener-responses?${of}`)) {
    const given = answers.get(screenerSessionId) ?? new Map<string, Value>();
    answers.set(screenerSessionId, given.set(keys.get(screenerQuestionId)!, answer?.[0]?.text ?? answer));
  }
  const sessions = roster.map((session) => ({
    ...session,
    participant: ids.get(session.externalParticipantUid),
    publication: session.screenerPublicationId,
  }));
  const quotas = await scene.all(`/screeners/${scene.screener}/quotas`);
  const places = new Map<string, Place[]>();
  for (const { id, name } of quotas) places.set(name, await scene.all(`/screener-quotas/${id}/places`));
  const counted = recount({ versions: scene.versions, sessions, answers, events: await scene.all("/events") });
  const movers = new Set(
    range(0, FINISHERS)
      .filter(isMoving)
      .map((person) => ids.get(uidOf(person))),
  );
  return { quotas, places, sessions: new Map(sessions.map((one) => [one.id, one])), counted, movers };
}

interface Place {
  participantId: string;
  screenerSessionId: string;
  state: string;
  reason: string | null;
  isOverLimit: boolean;
}

/** How many of those who were erased had a place in a cell. */
function erasedIn({ erased, versions }: Scene, name: string): number {
  return erased.sessions.filter(({ publication, given, region }) =>
    cellsOf(versions.get(publication)!, new Map(Object.entries(given)), { region }, true).some(
      (one) => one.name === name,
    ),
  ).length;
}

/** Compares the counts and the ledger with the recount. */
async function compare(scene: Scene) {
  const lists = await readAll(scene);
  const { quotas, places, sessions, counted, movers } = lists;
  for (const { name, mode, limit, taken, held } of quotas) {
    const isKnown = ({ participantId }: Place) => name !== "North" || !movers.has(participantId);
    const all = places.get(name)!;
    const inState = (state: string) => all.filter((place) => place.state === state);
    const erased = erasedIn(scene, name);
    assert.deepEqual([taken, held], [inState("TAKEN").length + erased, inState("HELD").length], name);
    const active = all.filter(({ state }) => state !== "RELEASED");
    assert.equal(new Set(active.map(({ participantId }) => participantId)).size, active.length, `${name}: one each`);
    const who = (some: Place[]) => some.filter(isKnown).map(({ participantId }) => participantId);
    const expected = [...(counted.taken.get(name) ?? [])].filter((one) => name !== "North" || !movers.has(one));
    assert.deepEqual(who(inState("TAKEN")).sort(), expected.sort(), `${name}: who has taken a place`);
    for (const one of who(inState("HELD")))
      assert.ok(counted.wanted.get(name)?.has(one), `${name}: ${one} holds a place`);
    for (const { screenerSessionId, participantId, state } of active) {
      const session = sessions.get(screenerSessionId);
      assert.equal(session.participant, participantId);
      if (state === "TAKEN") assert.deepEqual([session.state, session.status === "REMOVED"], ["COMPLETED", false]);
      else assert.deepEqual([session.state, session.status], ["IN_PROGRESS", "ACTIVE"]);
    }
    const within = active.filter(({ isOverLimit }) => !isOverLimit).length + erased;
    if (mode === "LIMIT" && !CHANGING.includes(name)) assert.ok(within <= limit, `${name}: ${within}`);
  }
  return lists;
}

/** All who are under way claim once more: afterwards nobody lacks a place for which there is room. */
async function claimAgain(scene: Scene): Promise<void> {
  const open = [...(await readAll(scene)).sessions.values()].filter(
    ({ status, state }) => status === "ACTIVE" && state === "IN_PROGRESS",
  );
  for (const { id } of open) assert.equal((await scene.submit(id, {}, false)).status, 200);
  const { quotas, places, counted, movers } = await compare(scene);
  const has = (name: string, participant: string) =>
    places.get(name)!.some(({ participantId, state }) => participantId === participant && state !== "RELEASED");
  const drivers = counted.wanted.get("Drivers") ?? new Set();
  // Without a place among the drivers they may finish, and get no other place until then.
  const isTurnedAway = (participant: string) => drivers.has(participant) && !has("Drivers", participant);
  for (const { name } of quotas)
    for (const participant of counted.wanted.get(name) ?? [])
      if (!movers.has(participant) && !isTurnedAway(participant))
        assert.ok(has(name, participant), `${name}: ${participant} has no place`);
  if (drivers.size && [...drivers].some(isTurnedAway)) {
    const { status, remaining } = quotas.find(({ name }) => name === "Drivers");
    assert.ok(status === "PAUSED" || remaining === 0, status);
  }
  scene.counts["under way at the end"] = open.length;
}

/** What those who come late answer, and how many of them get a place: as many as the fullest of their cells has room for. */
const LATE_ONES: [Given, region: string, places: number][] = [
  [{ sex: "woman", age: 25, car: "none", kids: 0 }, "south", 3],
  [{ sex: "man", age: 25, car: "none", kids: 0 }, "south", 3],
  [{ sex: "woman", age: 40, car: "blue", kids: 0 }, "south", 4],
  [{ sex: "man", age: 40, car: "none", kids: 0 }, "north", 2],
];
const ROOM = { Women: 7, Men: 5, "Young women": 3, North: 4, Young: 6, Drivers: 4, "Old men": 3 };
const LEFT = { Women: 0, Men: 0, "Young women": 0, North: 2, Young: 0, Drivers: 0, "Old men": 1 };

/** Exactly so many get a place as there is room. */
async function fillUp(scene: Scene): Promise<void> {
  for (const { id, name, taken } of await scene.all(`/screeners/${scene.screener}/quotas`)) {
    const room = ROOM[name as keyof typeof ROOM];
    if (room === undefined) continue;
    const { status, text } = await scene
      .client()
      .patch(`/screener-quotas/${id}`, { limit: taken + room, paused: false });
    assert.equal(status, 200, text);
  }
  for (const [index, [given, region, expected]] of LATE_ONES.entries()) {
    const from = 10_000 + index * LATE;
    const rows = range(from, from + LATE).map((person) => ({ ...rowOf(person), attributes: { region } }));
    const imported = await scene.client().import(scene.screener, rows);
    assert.equal(imported.status, 200, imported.text);
    const sessions: string[] = [];
    for (const { id } of imported.body) sessions.push((await scene.client().open(id)).body.id);
    const answers = await Promise.all(sessions.map((session) => scene.submit(session, given, true)));
    const reasons = answers.map(({ status, body }) => (status === 200 ? body.outcomeReason : body.code));
    assert.equal(reasons.filter((reason) => reason === null).length, expected, JSON.stringify(reasons));
    assert.equal(reasons.filter((reason) => reason === "OVER_QUOTA").length, LATE - expected, JSON.stringify(reasons));
  }
  const left = (await scene.all(`/screeners/${scene.screener}/quotas`)).map(({ name, remaining }) => [name, remaining]);
  for (const [name, expected] of Object.entries(LEFT)) assert.equal(Object.fromEntries(left)[name], expected, name);
}

test(`${FINISHERS} people who finish at once while processes are killed ${KILLS} times never exceed a quota, and lose no place`, {
  timeout: 240_000 + MAX_MS,
}, async (t) => {
  const redis = ownRedis();
  await redis.start();
  const time = clock(1);
  const installation = install({ ...time.env, REDIS_URL: redis.url });
  const scene = new Scene(installation, installation.workspace());
  await scene.start();
  scene.screener = await scene.client().screener("Exact");
  await scene.publish(CELLS);
  const rows = ALL.map((person) => ({ ...rowOf(person), attributes: { region: regionOf(person) } }));
  const imported = await scene.client().import(scene.screener, rows, {}, { Prefer: "wait=60" });
  assert.equal(imported.status, 200, imported.text);

  const failures: unknown[] = [];
  const loops = [
    ...range(0, FINISHERS).map((person) => finish(scene, person)),
    ...[eraseSome, importAgain, disturb, disturb, disturb, disturb, changeLimits, offerPlaces, watch].map((loop) =>
      loop(scene),
    ),
  ].map((loop) =>
    loop.catch((error) => {
      failures.push(error);
      scene.isOver = true;
    }),
  );
  const started = performance.now();
  const passed = () => (performance.now() - started) / MAX_MS;
  let kills = 0;
  // While processes have different clocks, one may take as lapsed what another has just held. A process looks at the clock's file once a
  // second: all stand still until each has to look anew.
  const setBack = async () => {
    await Promise.all(scene.restarts);
    const { promise, resolve: goOn } = Promise.withResolvers<void>();
    scene.standstill = promise;
    // An answer that is read before and comes after would say what was.
    await scene.looking.catch(() => {});
    const all = [...scene.webs, ...scene.workers].map(({ process }) => process!);
    for (const one of all) one.signal("SIGSTOP");
    time.setBack();
    await sleep(2500);
    for (const one of all) one.signal("SIGCONT");
    goOn();
  };
  for (const steps = [setBack, () => scene.publish(LATER)]; kills < KILLS && passed() < 1 && !scene.isOver; ) {
    await sleep(1000);
    await killOne(scene);
    kills++;
    // A third of it each.
    const isNext = Math.max(passed(), kills / KILLS) > (3 - steps.length) / 3;
    if (isNext) await steps.shift()?.();
  }
  scene.isOver = true;
  await Promise.all([...loops, ...scene.restarts]);
  scene.longestMs = Math.max(scene.longestMs, performance.now() - scene.lastAt);
  t.diagnostic(JSON.stringify({ kills, ...scene.counts, longestMs: Math.round(scene.longestMs) }));
  if (failures.length) throw failures[0];
  assert.ok(kills >= MIN_KILLS, `only ${kills} kills`);
  for (const what of ["erased", "removed", "override 200", "limits", "FULL_SYNC 200", "OVER_QUOTA", "cut off"])
    assert.ok(scene.counts[what], `${what}: never`);
  assert.ok(scene.longestMs < MAX_GAP_MS, `nobody got a place for ${scene.longestMs} ms`);

  await installation.drain();
  const { places } = await compare(scene);
  // A clock that was set back lets nothing lapse: all of this took less than half an hour.
  for (const [name, all] of places)
    assert.ok(
      all.every(({ reason }) => reason !== "LAPSED"),
      name,
    );
  await claimAgain(scene);
  time.set(3);
  // Not all see at once that the clock was set.
  await until(async () => {
    const seen = await Promise.all(scene.clients().map((client) => client.all(`/screeners/${scene.screener}/quotas`)));
    return seen.flat().every(({ held }) => held === 0);
  }, "what is held has lapsed for all processes");
  await fillUp(scene);
  await compare(scene);
  installation.read(scene.workspace, assertCounts);
  assert.deepEqual(installation.stored(scene.workspace, "PRAGMA quick_check"), ["ok"]);
});
