// An API process is killed while people answer, and while they withdraw: what was acknowledged is kept; what was cut off is kept
// whole, or not at all.

import assert from "node:assert/strict";
import { test } from "node:test";
import { type Client, people } from "../support/client.ts";
import { assertCounts } from "../support/counts.ts";
import { type Installation, install, type TestWorkspace, type WebProcess } from "../support/process.ts";
import { KILLS } from "../support/seeded.ts";
import { everyKind, type Published, publish, readAnswers } from "../support/study.ts";
import { type Entries, Visitor } from "../support/visitor.ts";

const KILLS_HERE = Math.ceil(KILLS / 5);
const GROUP = 24;

/** Somebody who answers, and how far they have come. */
interface Person {
  number: number;
  session: string;
  assignment: string;
  path: string;
  /** Submissions that were answered, or were found to be there. */
  done: number;
  /** The one after them was sent, and nobody answered. */
  isCutOff: boolean;
}

/** What goes in at once. */
interface Submission {
  page: string;
  entries: Entries;
  /** Whether it ends the session. */
  ends: boolean;
  /** All answers of the session afterwards. */
  leaves: Record<string, unknown>;
}

test(`an API process killed ${KILLS_HERE} times while people answer keeps every answer that it took, once`, async (t) => {
  const installation = install();
  const workspace = installation.workspace();
  let web = await installation.web();
  const study = await publish(workspace.client(web), everyKind);
  const everybody = await inviteAll(workspace.client(web), study, GROUP * (KILLS_HERE + 1));
  const counts = { answered: 0, "cut off, there": 0, "cut off, not there": 0 };
  for (let round = 0; round <= KILLS_HERE; round++) {
    // Those of the rounds before go on where they were cut off.
    const present = everybody.slice(0, GROUP * (round + 1));
    counts.answered += await answerAll(
      present,
      study,
      workspace,
      web,
      round < KILLS_HERE ? deadlyCount(round) : Infinity,
    );
    if (round < KILLS_HERE) {
      await web.dies();
      web = await installation.web();
    }
    const client = workspace.client(web);
    for (const person of present) {
      const before = person.done;
      const isCutOff = person.isCutOff;
      await compare(client, study, person);
      if (isCutOff) counts[person.done > before ? "cut off, there" : "cut off, not there"]++;
    }
    await inStep(client, installation, workspace, study, everybody);
  }
  t.diagnostic(JSON.stringify(counts));
  assert.ok(counts["cut off, there"] + counts["cut off, not there"] > KILLS_HERE, "hardly anything was cut off");
  for (const person of everybody) assert.equal(person.done, submissionsOf(person).length);
});

test(`an API process killed ${KILLS_HERE} times while people withdraw has each withdrawal whole, and gives each place back once`, async (t) => {
  const installation = install();
  const workspace = installation.workspace();
  let web = await installation.web();
  const all = GROUP * KILLS_HERE;
  const study = await publish(workspace.client(web), {
    pages: [
      {
        title: "Consent",
        questions: [
          { key: "agreed", _type: "ScreenerConsentQuestion", prompt: "I agree", text: "We keep it.", version: "1" },
        ],
      },
    ],
    quotas: [{ name: "All", limit: all }],
  });
  const everybody = await inviteAll(workspace.client(web), study, all);
  for (const { session } of everybody) {
    const responses = [{ screenerQuestionId: study.question.agreed, answer: { isGiven: true } }];
    const body = { responses, complete: true };
    const sent = await workspace.client(web).post(`/screener-sessions/${session}/responses`, body);
    assert.equal(sent.status, 200, sent.text);
  }
  const acknowledged = new Set<string>();
  const counts = { acknowledged: 0, "cut off, there": 0, "cut off, not there": 0 };
  for (let round = 0; round < KILLS_HERE; round++) {
    const present = everybody.slice(GROUP * round, GROUP * (round + 1));
    const deadly = Math.ceil((GROUP * (round + 0.5)) / KILLS_HERE);
    const visitor = new Visitor(web.url);
    let answered = 0;
    await Promise.all(
      present.map(async ({ path, session }) => {
        const sent = await visitor.post(path, "withdraw=").catch(() => undefined);
        if (!sent) return;
        assert.equal(sent.status, 303, sent.text);
        acknowledged.add(session);
        if (++answered === deadly) web.signal("SIGKILL");
      }),
    );
    await web.dies();
    web = await installation.web();
    const withdrawn = await wholeWithdrawals(workspace.client(web), study);
    for (const session of acknowledged) assert.ok(withdrawn.has(session), `the withdrawal of ${session} is lost`);
    for (const { session } of present)
      counts[
        acknowledged.has(session) ? "acknowledged" : withdrawn.has(session) ? "cut off, there" : "cut off, not there"
      ]++;
  }
  t.diagnostic(JSON.stringify(counts));
  // Everybody sends it once more, also those who have withdrawn.
  const visitor = new Visitor(web.url);
  for (const { path } of everybody) await visitor.post(path, "withdraw=");
  assert.equal((await wholeWithdrawals(workspace.client(web), study)).size, all);
  const opened = await workspace.client(web).all("/events?filter[type][eq]=screener-quota.opened");
  assert.equal(opened.length, 1, "the quota was full, and has had room since");
  installation.read(workspace, assertCounts);
});

/** Those who have withdrawn, each with all that follows from it. */
async function wholeWithdrawals(client: Client, { screener }: Published): Promise<Set<string>> {
  const sessions = await client.all(`/screener-sessions?filter[screenerId][eq]=${screener}`);
  const withdrawn = sessions.filter(({ withdrawnAt }) => withdrawnAt !== null);
  for (const { status, withdrawnConsents } of withdrawn)
    assert.deepEqual([status, withdrawnConsents.length], ["ARCHIVED", 1]);
  const [quota] = await client.all(`/screeners/${screener}/quotas`);
  assert.equal(quota.taken, sessions.length - withdrawn.length);
  const places = await client.all(`/screener-quotas/${quota.id}/places`);
  const released = places.filter(({ state, reason }) => state === "RELEASED" && reason === "WITHDRAWN");
  const ids = (rows: Record<string, string>[], member: string) => rows.map((row) => row[member]).sort();
  assert.deepEqual(ids(released, "screenerSessionId"), ids(withdrawn, "id"));
  const events = await client.all("/events?filter[type][eq]=screener-session.withdrawn");
  assert.deepEqual(events.map(({ resource }) => resource.id).sort(), ids(withdrawn, "id"));
  return new Set(ids(withdrawn, "id") as string[]);
}

/** After how many answered submissions of a round the process dies: while the first answer, and while the last. */
function deadlyCount(round: number): number {
  return Math.ceil((GROUP * 3 * (round + 0.5)) / KILLS_HERE);
}

/** What a person sends: they change their mind twice; every fifth is screened out by it. */
function submissionsOf({ number }: Pick<Person, "number">): Submission[] {
  const about = (entries: Entries, leaves: Record<string, unknown>, ends = false): Submission => {
    return { page: "About you", entries, leaves, ends };
  };
  const age = 20 + (number % 80);
  const no = [{ text: "No", isWriteIn: false }];
  const sometimes = [{ text: "Sometimes", isWriteIn: false }];
  const first = [
    about({ age: String(age), smokes: ["No"] }, { age, smokes: no }),
    about(
      { age: String(age), smokes: ["Sometimes"], how_often: `Rarely ${number}` },
      { age, smokes: sometimes, how_often: `Rarely ${number}` },
    ),
  ];
  if (number % 5 === 4) return [...first, about({ age: "17", smokes: ["No"] }, { age: 17, smokes: no }, true)];
  const last = { town: `Town ${number}`, day: `Day ${number} of many` };
  return [
    ...first,
    about({ age: String(age + 1), smokes: ["No"] }, { age: age + 1, smokes: no }),
    {
      page: "Your days",
      entries: { ...last, drink: [`+Drink ${number}`] },
      leaves: { age: age + 1, smokes: no, drink: [{ text: `Drink ${number}`, isWriteIn: true }], ...last },
      ends: true,
    },
  ];
}

/** Imports people, and opens a session for each of them. */
async function inviteAll(client: Client, { screener }: Published, count: number): Promise<Person[]> {
  const imported = await client.import(screener, people(count));
  assert.equal(imported.status, 200, imported.text);
  const { status, body } = await client.post("/screener-sessions", { screenerId: screener });
  assert.equal(status, 200);
  return body.map(
    (session: { id: string; screenerParticipantId: string; screenerSessionLink: string }, number: number) => ({
      number,
      session: session.id,
      assignment: session.screenerParticipantId,
      path: new URL(session.screenerSessionLink).pathname,
      done: 0,
      isCutOff: false,
    }),
  );
}

/**
 * Everybody answers at once, until they are through, or nobody takes it any more: the process is killed when it has
 * answered so many. @returns how many were answered
 */
async function answerAll(
  present: Person[],
  study: Published,
  workspace: TestWorkspace,
  web: WebProcess,
  deadly: number,
): Promise<number> {
  let answered = 0;
  const send = { page: sendForm(study, new Visitor(web.url)), api: sendToApi(study, workspace.client(web)) };
  await Promise.all(
    present.map(async (person) => {
      const submissions = submissionsOf(person);
      const way = person.number % 2 ? send.api : send.page;
      while (person.done < submissions.length) {
        const next = submissions[person.done]!;
        person.isCutOff = true;
        // Only that nobody answered is no answer; a wrong one fails the test.
        const follow = await way(person, next).catch(() => undefined);
        if (!follow) return;
        person.isCutOff = false;
        person.done++;
        if (++answered === deadly) web.signal("SIGKILL");
        await follow();
      }
    }),
  );
  return answered;
}

/** Sends something. Rejects when nobody answers; resolves with what checks the answer, and follows it. */
type Send = (person: Person, submission: Submission) => Promise<() => Promise<void>>;

function sendForm(study: Published, visitor: Visitor): Send {
  return async ({ path }, { page, entries, ends }) => {
    const sent = await visitor.send(path, study, page, entries);
    return async () => {
      assert.equal(sent.status, 303, sent.text);
      const location = String(sent.headers.location);
      assert.equal(location.endsWith("?done"), ends, location);
      const opened = await visitor.open(location).catch(() => undefined);
      if (opened) assert.equal(opened.status, 200, opened.text);
    };
  };
}

function sendToApi(study: Published, client: Client): Send {
  return async ({ session }, { entries, ends }) => {
    const responses = Object.entries(entries).map(([key, entry]) => ({
      screenerQuestionId: study.question[key],
      answer: typeof entry === "string" ? (key === "age" ? Number(entry) : entry) : entry.map(choiceOf),
    }));
    const sent = await client.post(`/screener-sessions/${session}/responses`, { responses, complete: ends });
    return async () => {
      assert.equal(sent.status, 200, sent.text);
    };
  };
}

function choiceOf(text: string) {
  return text.startsWith("+") ? { text: text.slice(1), isWriteIn: true } : { text, isWriteIn: false };
}

/** A person has the answers that were acknowledged; of a submission that was cut off, all or nothing. */
async function compare(client: Client, study: Published, person: Person): Promise<void> {
  const leaves = [{}, ...submissionsOf(person).map((submission) => submission.leaves)];
  const answers = await readAnswers(client, person.session, study);
  if (person.isCutOff && JSON.stringify(sorted(answers)) === JSON.stringify(sorted(leaves[person.done + 1]!))) {
    person.done++;
  }
  person.isCutOff = false;
  assert.deepEqual(answers, leaves[person.done], `${person.number}, after ${person.done}`);
}

function sorted(answers: Record<string, unknown>): [string, unknown][] {
  return Object.entries(answers).sort(([one], [other]) => (one < other ? -1 : 1));
}

/** Sessions, assignments and counts say the same about how far everybody is. */
async function inStep(
  client: Client,
  installation: Installation,
  workspace: TestWorkspace,
  study: Published,
  everybody: Person[],
): Promise<void> {
  const filter = `filter[screenerId][eq]=${study.screener}`;
  const sessions = new Map((await client.all(`/screener-sessions?${filter}`)).map((one) => [one.id, one]));
  const assignments = new Map((await client.all(`/screener-participants?${filter}`)).map((one) => [one.id, one]));
  assert.deepEqual([sessions.size, assignments.size], [everybody.length, everybody.length]);
  for (const person of everybody) {
    const { state, outcomeReason } = sessions.get(person.session);
    const { status, currentSessionId } = assignments.get(person.assignment);
    assert.equal(currentSessionId, person.session);
    assert.deepEqual([status, state, outcomeReason], standing(person));
  }
  const responses = await client.all(`/screener-responses?${filter}`);
  const expected = everybody.flatMap((person) => {
    const last = submissionsOf(person)[person.done - 1];
    return Object.keys(last?.leaves ?? {}).map((key) => `${person.session} ${study.question[key]}`);
  });
  const listed = responses.map((one) => `${one.screenerSessionId} ${one.screenerQuestionId}`);
  assert.deepEqual(listed.sort(), expected.sort());
  installation.read(workspace, assertCounts);
  assert.deepEqual(installation.stored(workspace, "PRAGMA quick_check"), ["ok"]);
}

/** Status of the assignment; state of the session, and the reason of its outcome. */
function standing(person: Person): [string, string, string | null] {
  const submissions = submissionsOf(person);
  if (!person.done) return ["NOT_STARTED", "NOT_STARTED", null];
  if (person.done < submissions.length) return ["IN_PROGRESS", "IN_PROGRESS", null];
  return submissions.length === 3 ? ["DISQUALIFIED", "COMPLETED", "SCREENED_OUT"] : ["QUALIFIED", "COMPLETED", null];
}
