// Web processes are killed while people are given arms: who has one keeps it, nobody gets two, each was one of those that the fewest had,
// and the counts are what the sessions say.

import assert from "node:assert/strict";
import { test } from "node:test";
import { faultsOfArms } from "../../src/arms/queries.ts";
import { type Answer, type Client, people } from "../support/client.ts";
import { assertCounts } from "../support/counts.ts";
import { install, ownRedis, type TestWorkspace, type WebProcess } from "../support/process.ts";
import { pages } from "../support/quota-pages.ts";
import { KILLS, seeded } from "../support/seeded.ts";
import { type Published, publish } from "../support/study.ts";

const ROUNDS = Math.ceil(KILLS / 2);
const WEBS = 2;
/** How many people come new in a round. */
const GROUP = 30;

const women = { questionId: "sex", equals: "woman" };
const men = { questionId: "sex", equals: "man" };
/** Each with those whom its rule lets in. */
const ASSIGNMENTS = {
  Concept: { A: null, B: null, C: null },
  // Drawn with the second answer, because that decides who is asked.
  Price: { Low: women, High: men, Same: null, Young: { questionId: "age", lessThan: 30 } },
};

interface Person {
  number: number;
  session: string;
  /** How many submissions were acknowledged. */
  done: number;
  /** By the names of the assignments, as the service has said first. */
  arms: Record<string, string>;
}

const isWoman = ({ number }: Pick<Person, "number">) => number % 2 === 0;
/** Every fifth is screened out by the age, and some are young. */
const ageOf = ({ number }: Pick<Person, "number">) => (number % 5 === 4 ? 12 : 20 + (number % 40));

/** What a person sends, one after the other. */
function submissionsOf(person: Person): Record<string, unknown>[] {
  const first = { sex: [{ text: isWoman(person) ? "Woman" : "Man" }] };
  return ageOf(person) < 18 ? [first, { age: 12 }] : [first, { age: ageOf(person) }, { town: "York" }];
}

/** Whether an arm is for a person, by its rule. */
const IS_FOR: Record<string, (person: Pick<Person, "number">) => boolean> = {
  Low: isWoman,
  High: (person) => !isWoman(person),
  Young: (person) => ageOf(person) < 30,
};

const redis = ownRedis();
await redis.start();

test(`web processes killed ${ROUNDS} times while people are given arms leave each with one, and exact counts`, async (t) => {
  const installation = install({ REDIS_URL: redis.url });
  const workspace = installation.workspace();
  await installation.worker();
  const webs: WebProcess[] = [];
  while (webs.length < WEBS) webs.push(await installation.web());
  const study = await publish(workspace.client(webs[0]!), {
    pages,
    assignments: Object.entries(ASSIGNMENTS).map(([name, arms]) => ({
      name,
      arms: Object.entries(arms).map(([arm, when]) => ({ name: arm, when })),
    })),
  });
  const everybody = await inviteAll(workspace.client(webs[0]!), study, GROUP * (ROUNDS + 1));
  const draw = seeded("arms");
  const tally = { answered: 0, "cut off": 0, left: 0 };
  for (let round = 0; round <= ROUNDS; round++) {
    const isLast = round === ROUNDS;
    const victim = round % WEBS;
    let deadly = isLast ? Infinity : 1 + Math.floor(draw() * GROUP * 2);
    const note = (isAnswered: boolean) => {
      tally[isAnswered ? "answered" : "cut off"]++;
      if (isAnswered && --deadly === 0) webs[victim]!.signal("SIGKILL");
    };
    const present = everybody.slice(0, GROUP * (round + 1));
    await Promise.all(
      present.map((person) => answer(study, person, workspace.client(webs[person.number % WEBS]!), note)),
    );
    if (!isLast) {
      // Too few may have come through for the kill.
      webs[victim]!.signal("SIGKILL");
      await webs[victim]!.dies();
      webs[victim] = await installation.web();
    }
    const client = workspace.client(webs[0]!);
    tally.left += await leave(client, everybody, round);
    await compare(client, study, everybody);
    installation.read(workspace, (db) => {
      assertCounts(db);
      assert.deepEqual(faultsOfArms(db), []);
    });
  }
  t.diagnostic(JSON.stringify(tally));
  assert.ok(tally["cut off"] > 0, "nothing was cut off");
  for (const person of everybody) assert.equal(person.done, submissionsOf(person).length);
  await assertLeastFull(workspace, webs[0]!, everybody);
  assert.deepEqual(installation.stored(workspace, "PRAGMA quick_check"), ["ok"]);
});

async function inviteAll(client: Client, { screener }: Published, count: number): Promise<Person[]> {
  const wait = { Prefer: "wait=60" };
  assert.equal((await client.import(screener, people(count), {}, wait)).status, 200);
  const { body } = await client.post("/screener-sessions", { screenerId: screener }, wait);
  return body.map(({ id }: { id: string }, number: number) => ({ number, session: id, done: 0, arms: {} }));
}

/** Goes on until all is said, or nobody answers. A submission that was cut off is sent again. */
async function answer(
  study: Published,
  person: Person,
  client: Client,
  note: (isAnswered: boolean) => void,
): Promise<void> {
  const submissions = submissionsOf(person);
  while (person.done < submissions.length) {
    const responses = Object.entries(submissions[person.done]!).map(([key, given]) => ({
      screenerQuestionId: study.question[key]!,
      answer: given,
    }));
    const complete = person.done === submissions.length - 1 && ageOf(person) >= 18;
    const path = `/screener-sessions/${person.session}/responses`;
    const sent: Answer | undefined = await client.post(path, { responses, complete }).catch(() => undefined);
    note(sent !== undefined);
    if (!sent) return;
    // The one that was cut off has ended the session, or somebody has taken it away.
    const isOver = sent.status === 409 && ["session_completed", "session_closed"].includes(sent.body.code);
    assert.ok(sent.status === 200 || isOver, sent.text);
    if (isOver) person.done = submissions.length;
    else {
      person.done++;
      keep(person, sent.body.arms);
    }
  }
}

/** What a person has been given once stays. */
function keep(person: Person, arms: readonly { assignmentName: string; armName: string }[]): void {
  const now = Object.fromEntries(arms.map(({ assignmentName, armName }) => [assignmentName, armName]));
  assert.equal(Object.keys(now).length, arms.length, "two arms of one assignment");
  assert.deepEqual({ ...now, ...person.arms }, now, `the arms of ${person.number} have changed`);
  person.arms = now;
}

/** Some sessions are revoked, or set to Screened out, so that their arms are free again. @returns how many */
async function leave(client: Client, everybody: readonly Person[], round: number): Promise<number> {
  const [gone, out] = everybody.slice(round * 7).filter(({ arms, done }) => arms.Price && done === 3);
  if (!gone || !out) return 0;
  assert.equal((await client.delete(`/screener-sessions/${gone.session}`)).status, 200);
  const wish = { outcome: "DISQUALIFIED", reason: "A bot" };
  const overridden = await client.post(`/screener-sessions/${out.session}/override`, wish);
  assert.ok([200, 409].includes(overridden.status), overridden.text);
  return 2;
}

/** The counts are those of the sessions, and everybody has the arms that were said. */
async function compare(client: Client, { screener }: Published, everybody: readonly Person[]): Promise<void> {
  const filter = `filter[screenerId][eq]=${screener}`;
  const sessions = await client.all(`/screener-sessions?${filter}`);
  const statuses = new Map((await client.all(`/screener-participants?${filter}`)).map((one) => [one.id, one.status]));
  const bySession = new Map(everybody.map((person) => [person.session, person]));
  const counts = new Map<string, { completed: number; inProgress: number }>();
  for (const { id, status, state, screenerParticipantId, arms } of sessions) {
    keep(bySession.get(id)!, arms);
    if (status === "REMOVED" || statuses.get(screenerParticipantId) === "DISQUALIFIED") continue;
    for (const { armId } of arms) {
      const count = counts.get(armId) ?? { completed: 0, inProgress: 0 };
      count[state === "COMPLETED" ? "completed" : "inProgress"]++;
      counts.set(armId, count);
    }
  }
  const { items } = (await client.get(`/screeners/${screener}/arms`)).body;
  for (const { id, name, completed, inProgress } of items)
    assert.deepEqual({ completed, inProgress }, counts.get(id) ?? { completed: 0, inProgress: 0 }, name);
}

interface Change {
  field: string;
  from: unknown;
  to: unknown;
}

/** By the log alone: each arm that was drawn was one of those that the fewest sessions had at that moment. */
async function assertLeastFull(workspace: TestWorkspace, web: WebProcess, everybody: readonly Person[]): Promise<void> {
  const client = workspace.client(web);
  const bySession = new Map(everybody.map((person) => [person.session, person]));
  const events = await client.all("/events");
  if (events[0]!.createdAt > events.at(-1)!.createdAt) events.reverse();
  const counted = new Map<string, Record<string, string>>();
  let draws = 0;
  for (const { resource, type, changes } of events as {
    resource: { id: string };
    type: string;
    changes: Change[] | null;
  }[]) {
    const person = bySession.get(resource.id);
    if (!person) continue;
    const given = changes?.find(({ field, from }) => field === "arms" && from !== null);
    const had = counted.get(person.session) ?? {};
    const now: Record<string, string> = { ...had };
    for (const { assignmentName, armName } of (given?.to ?? []) as { assignmentName: string; armName: string }[]) {
      if (had[assignmentName]) continue;
      const possible: string[] = Object.keys(ASSIGNMENTS[assignmentName as keyof typeof ASSIGNMENTS]).filter(
        (arm) => IS_FOR[arm]?.(person) ?? true,
      );
      const all = [...counted.values()].map((arms) => arms[assignmentName]);
      const countOf = (arm: string) => all.filter((one) => one === arm).length;
      assert.equal(
        countOf(armName),
        Math.min(...possible.map(countOf)),
        `${armName} of ${possible}, for ${person.number}`,
      );
      now[assignmentName] = armName;
      draws++;
    }
    counted.set(person.session, now);
    const isOut = changes?.some(({ field, to }) => field === "outcome" && to === "DISQUALIFIED");
    if (isOut || type === "screener-session.removed") counted.delete(person.session);
  }
  const expected = everybody.reduce((sum, { arms }) => sum + Object.keys(arms).length, 0);
  assert.equal(draws, expected);
}
