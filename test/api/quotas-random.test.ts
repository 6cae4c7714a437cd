// Random studies with quotas, and random things that happen to them: after each one the counts, the places and the sessions are what a model
// says that is written beside the service.

import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import type { Answer, Client } from "../support/client.ts";
import { assertCounts } from "../support/counts.ts";
import {
  type Cell,
  type Page,
  type Question,
  QuotaModel,
  type Rule,
  shownOf,
  shownQuota,
  type Value,
  type Version,
} from "../support/quota-model.ts";
import { LONG_RUNS } from "../support/random-imports.ts";
import { sharedService } from "../support/service.ts";
import { writeTo } from "../support/store.ts";
import { formOf, Visitor } from "../support/visitor.ts";

const service = await sharedService();

/** On a slow machine fewer studies have to do. */
const ENOUGH_MS = LONG_RUNS ? Number.POSITIVE_INFINITY : 5000;
const RUNS = LONG_RUNS || 50;
const MIN_STEPS = 60;
const PEOPLE = 6;

/** The questions of each study, in their order. What is asked about, required and shown when differs. */
const KINDS = { sex: ["a", "b"], age: 4, job: ["a", "b", "c"], kids: 3 } as const;
type Key = keyof typeof KINDS;
const KEYS = Object.keys(KINDS) as Key[];
const PAGES: Key[][] = [["sex"], ["age"], ["job", "kids"]];
const GROUPS = ["x", "y"];

const half = fc.boolean();

/** A rule about some of the first questions, and about attributes. */
function ruleOver(count: number): fc.Arbitrary<Rule> {
  const attribute = fc.oneof(
    fc.constantFrom(...GROUPS).map((is): Rule => ({ attribute: "group", is })),
    half.map((exists): Rule => ({ attribute: "group", exists })),
  );
  const answer = fc.constantFrom(...KEYS.slice(0, count)).chain((questionId): fc.Arbitrary<Rule> => {
    const kind = KINDS[questionId];
    const answered = half.map((isAnswered): Rule => ({ questionId, answered: isAnswered }));
    const compared =
      typeof kind === "number"
        ? fc.integer({ min: 1, max: kind }).map((lessThan): Rule => ({ questionId, lessThan }))
        : fc
            .constantFrom<string>(...kind)
            .chain((value) =>
              fc.constantFrom<Rule>(
                { questionId, equals: value },
                { questionId, equals: value },
                { questionId, isNot: value },
              ),
            );
    return fc.oneof({ weight: 5, arbitrary: compared }, { weight: 1, arbitrary: answered });
  });
  const leaf = count
    ? fc.oneof({ weight: 6, arbitrary: answer }, { weight: 1, arbitrary: attribute })
    : (attribute as fc.Arbitrary<Rule>);
  const some = fc.array(leaf, { minLength: 1, maxLength: 3 });
  return fc.oneof(
    { weight: 4, arbitrary: leaf },
    { weight: 1, arbitrary: some.map((all): Rule => ({ all })) },
    { weight: 1, arbitrary: some.map((any): Rule => ({ any })) },
    { weight: 1, arbitrary: leaf.map((inner): Rule => ({ not: inner })) },
  );
}

const maybe = <T>(arbitrary: fc.Arbitrary<T>, freq: number) => fc.option(arbitrary, { freq });
const mode = fc.constantFrom<"LIMIT" | "COUNT">("LIMIT", "LIMIT", "LIMIT", "COUNT");
const at = fc.constantFrom<"NOW" | "END">("NOW", "NOW", "END");

const cell: fc.Arbitrary<Omit<Cell, "name">> = fc.record({
  when: maybe(ruleOver(KEYS.length), 12),
  mode,
  limit: fc.constantFrom(0, 1, 1, 2, 2, 3, 4, 5),
  at,
});

const page = (keys: Key[]): fc.Arbitrary<Page> => {
  const first = KEYS.indexOf(keys[0]!);
  const question = (key: Key): fc.Arbitrary<Question> =>
    fc.record({
      key: fc.constant(key),
      required: half,
      showWhen: key === "sex" ? fc.constant(null) : fc.option(ruleOver(KEYS.indexOf(key)), { freq: 1 }).map(oftenNull),
    });
  return fc.record({
    title: fc.constant(keys.join()),
    showWhen: first ? fc.option(ruleOver(first), { freq: 1 }).map(oftenNull) : fc.constant(null),
    disqualifyWhen: fc.option(ruleOver(first + keys.length), { freq: 1 }).map(oftenNull),
    questions: fc.tuple(...keys.map(question)),
  });
};

const oftenNull = (rule: Rule | null) => (rule !== null && JSON.stringify(rule).length % 2 ? rule : null);

const study: fc.Arbitrary<Version> = fc.record({
  pages: fc.tuple(...PAGES.map(page)),
  qualifyWhen: maybe(ruleOver(KEYS.length), 1),
  cells: fc
    .array(cell, { minLength: 1, maxLength: 12, size: "max" })
    .map((cells) => cells.map((one, index) => ({ name: `Cell ${index}`, ...one }))),
});

/** What is done, and numbers that choose to whom and how. */
type Step = [keyof typeof STEPS, number, number, number];
const number = fc.noBias(fc.nat(10_000));

const names = (weights: Partial<Record<keyof typeof STEPS, number>>) =>
  fc.oneof(
    ...Object.entries(weights).map(([name, weight]) => ({
      weight,
      arbitrary: fc.constant(name as keyof typeof STEPS),
    })),
  );

interface ShownSession {
  id: string;
  status: string;
  screenerParticipantId: string;
}

/** A study, what the model says of it, and what is needed to reach it. */
class Scene {
  readonly client: Client;
  readonly screener: string;
  readonly model = new QuotaModel();
  version: Version;
  /** All cells that there may be, as the first version has them. */
  readonly cells: Cell[];
  /** The draft with all cells that there may be, as the service has read it; and ids by keys of questions, names of cells and labels. */
  // biome-ignore lint/suspicious/noExplicitAny: the service's own answer
  readonly draft: any;
  readonly ids = new Map<string, string>();
  /** Who an assignment is of, by its id. */
  readonly people = new Map<string, string>();
  lastImport: string | undefined;
  salt = 0;

  // biome-ignore lint/suspicious/noExplicitAny: as above
  constructor(client: Client, screener: string, version: Version, draft: any) {
    this.client = client;
    this.screener = screener;
    this.version = version;
    this.cells = version.cells;
    this.draft = draft;
    for (const { questions } of draft.pages) for (const { key, id } of questions) this.ids.set(key, id);
  }

  async put(cells: Cell[]): Promise<void> {
    const quotas = cells.map(({ name, mode, limit, at }) => {
      const known = this.draft.quotas.find((quota: { name: string }) => quota.name === name);
      return { ...known, id: this.ids.get(name) ?? null, mode, limit, ending: { at } };
    });
    const { body, status, text } = await this.client.call("PUT", `/screeners/${this.screener}/content`, {
      body: { ...this.draft, quotas },
    });
    assert.equal(status, 200, text);
    for (const { name, id } of body.quotas ?? []) this.ids.set(name, id);
    const published = await this.client.post("/screener-publications", { screenerId: this.screener });
    assert.equal(published.status, 201, published.text);
    this.version = { ...this.version, cells };
    this.model.publish(this.version);
  }

  /** Reads who is there, after an import: what that does to people and assignments is not the model's. */
  async meet(): Promise<void> {
    const of = `filter[screenerId][eq]=${this.screener}`;
    const [participants, assignments, sessions] = await Promise.all([
      this.client.all("/participants"),
      this.client.all(`/screener-participants?${of}`),
      this.client.all(`/screener-sessions?${of}`),
    ]);
    for (const { id, attributes } of participants) this.model.attributes.set(id, attributes);
    for (const { id, participantId } of assignments) this.people.set(id, participantId);
    for (const { id, status } of sessions) this.model.setStatus(id, status);
  }

  async openAll(): Promise<void> {
    const opened = await this.client.post("/screener-sessions", { screenerId: this.screener });
    assert.equal(opened.status, 200, opened.text);
    for (const session of opened.body) this.noteOpened(session);
  }

  noteOpened({ id, screenerParticipantId }: ShownSession): void {
    this.model.open(id, screenerParticipantId, this.people.get(screenerParticipantId)!, this.version);
  }

  /** One of the sessions, an open one if there is one and `prefersOpen`. */
  session(pick: number, prefersOpen = true) {
    const all = [...this.model.sessions.values()];
    const open = all.filter(({ status, state }) => status === "ACTIVE" && state !== "COMPLETED");
    const list = prefersOpen && open.length ? open : all;
    return list[pick % list.length];
  }

  import(externalUids: string[], more: object): Promise<Answer> {
    const rows = externalUids.map((externalUid) => person(externalUid));
    return this.client.import(this.screener, rows, { maxRemovals: PEOPLE, ...more });
  }
}

const person = (externalUid: string) => ({ externalUid, email: `${externalUid}@example.org`, name: externalUid });

async function begin(version: Version): Promise<Scene> {
  const client = service.workspace();
  const screener = await client.screener();
  const question = ({ key, ...more }: Question) => {
    const kind = KINDS[key as Key];
    const type =
      typeof kind === "number"
        ? { _type: "ScreenerNumericQuestion" }
        : { _type: "ScreenerSingleSelectQuestion", options: kind.map((id) => ({ id, text: id.toUpperCase() })) };
    return { id: key, key, prompt: `${key}?`, ...more, ...type };
  };
  const content = {
    qualifyWhen: version.qualifyWhen,
    pages: version.pages.map(({ questions, ...one }) => ({ ...one, questions: questions.map(question) })),
    quotas: version.cells.map(({ at: endsAt, ...one }) => ({ ...one, ending: { at: endsAt } })),
  };
  const draft = await client.call("PUT", `/screeners/${screener}/content`, { body: content });
  assert.equal(draft.status, 200, draft.text);
  const scene = new Scene(client, screener, version, draft.body);
  for (const { name, id } of draft.body.quotas) scene.ids.set(name, id);
  // Some cells come later.
  await scene.put(version.cells.slice(0, Math.max(1, version.cells.length - 2)));
  const rows = Array.from({ length: PEOPLE }, (_, index) => ({
    ...person(`P-${index}`),
    ...(index < 5 && { attributes: { group: GROUPS[index % 2] } }),
  }));
  const imported = await client.import(screener, rows);
  assert.equal(imported.status, 200, imported.text);
  await scene.meet();
  await scene.openAll();
  return scene;
}

/** The answer to a question that a number chooses; undefined: none. */
function drawnValue({ key, required }: Question, drawn: number): Value | undefined {
  if (drawn % 7 === 0 && !required) return drawn % 2 ? null : undefined;
  const kind = KINDS[key as Key];
  return typeof kind === "number" ? drawn % (kind + 1) : kind[drawn % kind.length]!;
}

/** Fills pages in, one question after the other, because an answer may show the next one. */
function fillIn(scene: Scene, id: string, isFilled: (page: number) => boolean, drawn: number): Map<string, Value> {
  const { version, answers, participant } = scene.model.sessions.get(id)!;
  const attributes = scene.model.attributes.get(participant)!;
  const given = new Map<string, Value>();
  for (const [index, { questions }] of version.pages.entries())
    for (const [at, { key }] of questions.entries()) {
      const shown = shownOf(version.pages, new Map([...answers, ...given]), attributes);
      const question = shown.flatMap((one) => one.questions).find((one) => one.key === key);
      const value =
        question && isFilled(index) ? drawnValue(question, Math.floor(drawn / (1 + index * 3 + at))) : undefined;
      if (value !== undefined) given.set(key, value);
    }
  // Later answers may have hidden earlier ones of this submission.
  return given;
}

const replyOf = ({ status, body }: Answer) => (status === 200 ? "ok" : body.code);

async function submit(scene: Scene, id: string, given: Map<string, Value>, complete: boolean): Promise<void> {
  const responses = [...given].map(([key, value]) => ({
    screenerQuestionId: scene.ids.get(key),
    answer: typeof value === "string" ? [{ text: value.toUpperCase(), isWriteIn: false }] : value,
  }));
  const expected = scene.model.submit(id, given, { complete });
  const answer = await scene.client.post(`/screener-sessions/${id}/responses`, { responses, complete });
  assert.equal(replyOf(answer), expected, answer.text);
  count(expected);
}

/** How often what happened. */
const seen: Record<string, number> = {};
const count = (what: string) => {
  seen[what] = (seen[what] ?? 0) + 1;
};

const STEPS = {
  async page(scene: Scene, pick: number, upTo: number, drawn: number) {
    const session = scene.session(pick, pick % 9 > 0);
    if (!session) return;
    await submit(
      scene,
      session.id,
      fillIn(scene, session.id, (index) => index <= upTo % PAGES.length, drawn),
      false,
    );
  },
  async complete(scene: Scene, pick: number, leaves: number, drawn: number) {
    const session = scene.session(pick, pick % 9 > 0);
    if (!session) return;
    const given = fillIn(scene, session.id, (index) => index !== leaves % 12, drawn);
    await submit(scene, session.id, given, true);
  },
  /** Somebody changes answers, and goes back. */
  async back(scene: Scene, pick: number, where: number, drawn: number) {
    const session = scene.session(pick);
    if (session?.status !== "ACTIVE" || session.state === "COMPLETED") return;
    const { version, participant, answers } = session;
    const shown = shownOf(version.pages, answers, scene.model.attributes.get(participant)!).filter(
      ({ questions }) => questions.length,
    );
    const onto = shown[1 + (where % 2)];
    if (!onto) return;
    const given = fillIn(scene, session.id, (index) => version.pages[index]!.title === onto.title, drawn);
    for (const [key, value] of given) if (value === null) given.delete(key);
    const entries = [...given].map(([key, value]) => [
      key,
      typeof value === "string" ? [value.toUpperCase()] : String(value),
    ]);
    const option: Record<string, string> = {};
    for (const { questions } of scene.draft.pages)
      for (const { key, options = [] } of questions) for (const { text, id } of options) option[`${key}/${text}`] = id;
    const pages = Object.fromEntries(scene.draft.pages.map(({ title, id }: Record<string, string>) => [title, id]));
    const study = {
      screener: scene.screener,
      publication: "",
      page: pages,
      option,
      question: Object.fromEntries(scene.ids),
    };
    const form = `${formOf(study, onto.title, Object.fromEntries(entries))}&back=1`;
    const link = (await scene.client.get(`/screener-sessions/${session.id}`)).body.screenerSessionLink;
    const { status, text } = await new Visitor(service.url).post(new URL(link).pathname, form);
    const isRefused = session.state === "NOT_STARTED" && scene.model.isFullAtStart(session);
    // Without an answer there is nothing to save.
    const expected = given.size || isRefused ? scene.model.submit(session.id, given, { isPartial: true }) : "ok";
    assert.equal(status, expected === "ok" ? 303 : 409, text);
    count("back");
  },
  async override(scene: Scene, pick: number, choice: number, _drawn: number) {
    const session = scene.session(pick, false);
    if (!session) return;
    const outcome = (["QUALIFIED", "DISQUALIFIED", "BY_RULES"] as const)[choice % 3]!;
    const isAllowed = scene.model.override(session.id, outcome);
    const reason = `Reason ${scene.salt++}`;
    const answer = await scene.client.post(`/screener-sessions/${session.id}/override`, { outcome, reason });
    assert.equal(replyOf(answer), isAllowed ? "ok" : "session_not_completed");
    count("override");
  },
  async removeSession(scene: Scene, pick: number, _choice: number, _drawn: number) {
    const session = scene.session(pick, false);
    if (!session) return;
    scene.model.remove(session.id);
    assert.equal((await scene.client.delete(`/screener-sessions/${session.id}`)).status, 200);
    count("remove a session");
  },
  async open(scene: Scene, pick: number, _choice: number, _drawn: number) {
    const assignments = await scene.client.all(`/screener-participants?filter[screenerId][eq]=${scene.screener}`);
    if (!assignments.length) return;
    const { status, body } = await scene.client.open(assignments[pick % assignments.length].id);
    assert.ok(status === 200 || status === 201);
    scene.noteOpened(body);
    count(status === 201 ? "open" : "is open");
  },
  async unassign(scene: Scene, pick: number, _choice: number, _drawn: number) {
    const session = scene.session(pick);
    if (session) await scene.client.delete(`/screener-participants/${session.assignment}`);
    await scene.meet();
  },
  /** A list of everybody, which leaves some out; with others who come again. */
  async sync(scene: Scene, pick: number, _choice: number, _drawn: number) {
    const some = Array.from({ length: PEOPLE }, (_, index) => `P-${index}`).filter((_, index) => (pick >> index) % 2);
    await done(scene, await scene.import(some, { importMode: "FULL_SYNC" }));
  },
  async add(scene: Scene, pick: number, choice: number, _drawn: number) {
    const both = [`P-${pick % PEOPLE}`, `P-${choice % PEOPLE}`];
    await done(scene, await scene.import([...new Set(both)], { importMode: "UPDATES_ONLY" }));
    await scene.openAll();
  },
  async undo(scene: Scene, _pick: number, _choice: number, _drawn: number) {
    if (!scene.lastImport) return;
    const answer = await scene.client.post(`/jobs/${scene.lastImport}/undo`, undefined);
    assert.ok(answer.status === 200 || answer.status === 409, answer.text);
    scene.lastImport = undefined;
    await scene.meet();
    count("undo");
  },
  async erase(scene: Scene, pick: number, choice: number, _drawn: number) {
    const session = scene.session(pick, false);
    if (!session || choice % 2) return;
    scene.model.erase(session.participant);
    assert.equal((await scene.client.delete(`/participants/${session.participant}`)).status, 200);
    await scene.meet();
    count("erase");
  },
  async limit(scene: Scene, pick: number, limit: number, pauses: number) {
    const [name, quota] = [...scene.model.quotas][pick % scene.model.quotas.size]!;
    quota.limit = limit % 6;
    quota.isPaused = pauses % 3 === 0;
    const body = { limit: quota.limit, paused: quota.isPaused };
    const { status, text } = await scene.client.patch(`/screener-quotas/${scene.ids.get(name)}`, body);
    assert.equal(status, 200, text);
  },
  async attribute(scene: Scene, pick: number, choice: number, _drawn: number) {
    const session = scene.session(pick, choice % 2 > 0);
    if (!session) return;
    const attributes = { group: [...GROUPS, null][choice % 3] };
    const { status, body } = await scene.client.patch(`/participants/${session.participant}`, { attributes });
    assert.equal(status, 200);
    scene.model.attributes.set(session.participant, body.attributes);
  },
  /** A version with other cells, of which some count only now, or no longer, and with other endings. */
  async publish(scene: Scene, leaves: number, modes: number, ends: number) {
    const cells = scene.cells
      .filter((_, index) => (leaves >> index) % 4)
      .map(
        (one, index): Cell => ({
          ...one,
          mode: (modes >> index) % 4 ? "LIMIT" : "COUNT",
          at: ends % 2 ? one.at : "NOW",
        }),
      );
    await scene.put(cells);
    count("publish");
  },
  async lapse(scene: Scene, pick: number, _choice: number, _drawn: number) {
    const session = scene.session(pick);
    if (!session) return;
    scene.model.lapse(session.id);
    writeTo(service.context.workspaces, scene.client.workspaceId, (db) =>
      db.run(
        `UPDATE quota_place SET expires_at = 1 WHERE state = 'HELD'
           AND session_id = (SELECT id FROM screener_session WHERE uid = ?)`,
        session.id,
      ),
    );
    count("lapse");
  },
};

async function done(scene: Scene, answer: Answer): Promise<void> {
  assert.equal(answer.status, 200, answer.text);
  scene.lastImport = answer.headers.get("location")?.slice("/jobs/".length);
  await scene.meet();
  count("import");
}

/** Compares all that lists show with the model. */
async function compare(scene: Scene, what: string): Promise<void> {
  const { client, model, screener } = scene;
  const quotas = await client.all(`/screeners/${screener}/quotas`);
  const nameOf = new Map<string, string>(quotas.map(({ id, name }) => [id, name]));
  const shown = ({ mode, limit, paused, taken, held, remaining, status }: Record<string, unknown>) => ({
    mode,
    limit,
    paused,
    taken,
    held,
    remaining,
    status,
  });
  assert.deepEqual(
    Object.fromEntries(quotas.map((quota) => [quota.name, shown(quota)])),
    Object.fromEntries([...model.quotas].map(([name, quota]) => [name, shownQuota(quota)])),
    what,
  );
  const sessions = await client.all(`/screener-sessions?filter[screenerId][eq]=${screener}`);
  assert.deepEqual(
    Object.fromEntries(
      sessions.map(({ id, status, state, outcomeReason, outcomeQuotaIds }) => [
        id,
        [status, state, outcomeReason, outcomeQuotaIds.map((quota: string) => nameOf.get(quota))],
      ]),
    ),
    Object.fromEntries(
      [...model.sessions.values()].map(({ id, status, state, outcomeReason, full }) => [
        id,
        [status, state, outcomeReason, outcomeReason === "OVER_QUOTA" ? full : []],
      ]),
    ),
    what,
  );
  await Promise.all(
    quotas.map(async ({ id, name }) => {
      const places: Record<string, unknown>[] = await client.all(`/screener-quotas/${id}/places`);
      const line = (...values: unknown[]) => values.join(" ");
      assert.deepEqual(
        places
          .map((one) => line(one.participantId, one.screenerSessionId, one.state, one.reason, one.isOverLimit))
          .sort(),
        model.quotas
          .get(name)!
          .places.map((one) => line(one.participant, one.session, one.state, one.reason, one.isOverLimit))
          .sort(),
        `${what}: ${name}`,
      );
    }),
  );
}

const steps: fc.Arbitrary<Step[]> = fc.array(
  fc.tuple(
    names({
      page: 14,
      complete: 10,
      back: 3,
      override: 4,
      removeSession: 3,
      open: 7,
      unassign: 1,
      sync: 1,
      add: 3,
      undo: 2,
      erase: 1,
      limit: 3,
      attribute: 4,
      publish: 1,
      lapse: 3,
    }),
    number,
    number,
    number,
  ),
  { minLength: 25, maxLength: 60, size: "max" },
);

test("whatever happens to a study, its quotas, their places and the outcomes of its sessions are what a model says", async (t) => {
  const started = performance.now();
  let taken = 0;
  await fc.assert(
    fc.asyncProperty(study, steps, async (version, all) => {
      if (taken > MIN_STEPS && performance.now() - started > ENOUGH_MS) return;
      const scene = await begin(version);
      for (const [index, [name, ...numbers]] of all.entries()) {
        await STEPS[name](scene, ...numbers);
        await compare(scene, `after ${index} ${name}`);
        taken++;
      }
      service.context.workspaces.read(scene.client.workspaceId, assertCounts);
    }),
    // A step is several requests: to look for a shorter example takes minutes.
    { numRuns: RUNS, endOnFailure: true },
  );
  t.diagnostic(`${taken} steps: ${JSON.stringify(seen)}`);
  assert.ok(taken > MIN_STEPS, `only ${taken} steps`);
});
