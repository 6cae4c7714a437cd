// The states of sessions: what can happen to a session in each state, and what follows.

import assert from "node:assert/strict";
import { test } from "node:test";
import type { Answer } from "../support/client.ts";
import { sharedService } from "../support/service.ts";
import { type Invitation, invited, type Published, readSession } from "../support/study.ts";
import { until } from "../support/until.ts";

const service = await sharedService();
const client = service.workspace();

const content = {
  pages: [
    {
      title: "P",
      questions: [
        { id: "a", key: "a", _type: "ScreenerNumericQuestion", prompt: "a", required: true },
        { id: "b", key: "b", _type: "ScreenerNumericQuestion", prompt: "b", required: true },
      ],
      disqualifyWhen: { questionId: "b", lessThan: 0 },
    },
  ],
  qualifyWhen: { questionId: "a", equals: 1 },
};

/** A session, and what can be done to it. */
interface Subject {
  study: Published;
  link: Invitation;
}

type Action = (subject: Subject) => Promise<Answer>;

function submit({ study, link }: Subject, given: Record<string, number>, complete?: boolean): Promise<Answer> {
  const responses = Object.entries(given).map(([key, answer]) => ({
    screenerQuestionId: study.question[key] ?? key,
    answer,
  }));
  return client.post(`/screener-sessions/${link.session}/responses`, { responses, complete });
}

const actions = {
  "a submission": (subject) => submit(subject, { a: 1 }),
  "the final submission": (subject) => submit(subject, { a: 1, b: 1 }, true),
  "a final submission that does not qualify": (subject) => submit(subject, { a: 2, b: 1 }, true),
  "a submission that is screened out": (subject) => submit(subject, { a: 1, b: -1 }),
  "a submission with an error": (subject) => submit(subject, { a: 1, nobody: 1 }),
  "a final submission that lacks something": (subject) => submit(subject, { b: 1 }, true),
  "DELETE of the session": ({ link }) => client.delete(`/screener-sessions/${link.session}`),
  "removal of the assignment": ({ link }) => client.delete(`/screener-participants/${link.assignment}`),
  "archiving of the publication": ({ study }) =>
    client.patch(`/screener-publications/${study.publication}`, { status: "ARCHIVED" }),
  "another publication": ({ study }) => client.post("/screener-publications", { screenerId: study.screener }),
} satisfies Record<string, Action>;

type ActionName = keyof typeof actions;

/** How a session comes to each of the states that it can be in. */
const ways = {
  "ACTIVE NOT_STARTED": [],
  "ACTIVE IN_PROGRESS": ["a submission"],
  "ACTIVE COMPLETED": ["the final submission"],
  "ARCHIVED NOT_STARTED": ["removal of the assignment"],
  "ARCHIVED IN_PROGRESS": ["a submission", "removal of the assignment"],
  "ARCHIVED COMPLETED": ["the final submission", "removal of the assignment"],
  REMOVED: ["a submission", "DELETE of the session"],
} satisfies Record<string, ActionName[]>;

type State = keyof typeof ways;

/**
 * What the API shows after an action. `session`: status and state. `has`: which of startedAt, lastActiveAt and
 * completedAt are set. `moved`: which of them the action changed. Of the assignment: its status, and whether the session
 * is its current one.
 */
interface Seen {
  session: string;
  reason?: string;
  has: string;
  moved?: string;
  assignment: string;
}

const GONE = "gone";
const notStarted: Seen = { session: "ACTIVE NOT_STARTED", has: "", assignment: "NOT_STARTED current" };
const begun: Seen = { session: "ACTIVE IN_PROGRESS", has: "SL", assignment: "IN_PROGRESS current" };
const qualified: Seen = { session: "ACTIVE COMPLETED", has: "SLC", assignment: "QUALIFIED current" };
const out: Seen = {
  session: "ACTIVE COMPLETED",
  reason: "SCREENED_OUT",
  has: "SLC",
  assignment: "DISQUALIFIED current",
};
const removed: Seen = { session: "REMOVED NOT_STARTED", has: "", assignment: "NOT_STARTED -" };

type Outcome = Seen | "the same" | { code: string };

const closed: Outcome = { code: "session_closed" };
const completed: Outcome = { code: "session_completed" };
const invalid: Outcome = { code: "invalid_request" };
const noAssignment: Outcome = { code: "screener_participant_not_found" };

/** Every submission is answered alike where none is taken. */
const submissions = (outcome: Outcome) => ({
  "a submission": outcome,
  "the final submission": outcome,
  "a final submission that does not qualify": outcome,
  "a submission that is screened out": outcome,
  "a submission with an error": outcome,
  "a final submission that lacks something": outcome,
});

const untouched = { "archiving of the publication": "the same", "another publication": "the same" } as const;
const archived = {
  ...submissions(closed),
  "DELETE of the session": { ...removed, assignment: GONE },
  "removal of the assignment": noAssignment,
  ...untouched,
} as const;

const table: Record<State, Record<ActionName, Outcome>> = {
  "ACTIVE NOT_STARTED": {
    "a submission": { ...begun, moved: "SL" },
    "the final submission": { ...qualified, moved: "SLC" },
    "a final submission that does not qualify": { ...out, moved: "SLC" },
    "a submission that is screened out": { ...out, moved: "SLC" },
    "a submission with an error": invalid,
    "a final submission that lacks something": invalid,
    "DELETE of the session": removed,
    "removal of the assignment": { ...notStarted, session: "ARCHIVED NOT_STARTED", assignment: GONE },
    ...untouched,
  },
  "ACTIVE IN_PROGRESS": {
    "a submission": { ...begun, moved: "L" },
    "the final submission": { ...qualified, moved: "LC" },
    "a final submission that does not qualify": { ...out, moved: "LC" },
    "a submission that is screened out": { ...out, moved: "LC" },
    "a submission with an error": invalid,
    // What it lacks was there before.
    "a final submission that lacks something": { ...qualified, moved: "LC" },
    "DELETE of the session": { ...removed, moved: "SL" },
    "removal of the assignment": { ...begun, session: "ARCHIVED IN_PROGRESS", assignment: GONE },
    ...untouched,
  },
  "ACTIVE COMPLETED": {
    ...submissions(completed),
    "DELETE of the session": { ...removed, moved: "SLC" },
    "removal of the assignment": { ...qualified, session: "ARCHIVED COMPLETED", assignment: GONE },
    ...untouched,
  },
  "ARCHIVED NOT_STARTED": archived,
  "ARCHIVED IN_PROGRESS": { ...archived, "DELETE of the session": { ...removed, moved: "SL", assignment: GONE } },
  "ARCHIVED COMPLETED": { ...archived, "DELETE of the session": { ...removed, moved: "SLC", assignment: GONE } },
  REMOVED: {
    ...submissions(closed),
    "DELETE of the session": "the same",
    "removal of the assignment": { ...removed, assignment: GONE },
    ...untouched,
  },
};

const TIMES = { S: "startedAt", L: "lastActiveAt", C: "completedAt" } as const;
type Times = Record<(typeof TIMES)[keyof typeof TIMES], string | null>;

async function look({ link }: Subject, earlier?: Times): Promise<{ seen: Seen; times: Times }> {
  const session = await readSession(client, link.session);
  const { body, status } = await client.get(`/screener-participants/${link.assignment}`);
  const those = (test: (name: keyof Times) => boolean) =>
    Object.entries(TIMES)
      .flatMap(([letter, name]) => (test(name) ? letter : []))
      .join("");
  const moved = earlier && those((name) => session[name] !== earlier[name]);
  const current = body.currentSessionId === link.session ? "current" : (body.currentSessionId ?? "-");
  const seen: Seen = {
    session: `${session.status} ${session.state}`,
    ...(session.outcomeReason && { reason: session.outcomeReason }),
    has: those((name) => session[name] !== null),
    ...(moved && { moved }),
    assignment: status === 404 ? GONE : `${body.status} ${current}`,
  };
  return { seen, times: session };
}

/** Lists show the session and its assignment as they are read one by one, and find them by their states. */
async function isInStep({ link, study }: Subject): Promise<void> {
  const session = await readSession(client, link.session);
  const by = `filter[screenerId][eq]=${study.screener}`;
  const all: { id: string }[] = await client.all(`/screener-sessions?${by}`);
  assert.deepEqual(
    all.find(({ id }) => id === link.session),
    session,
  );
  const states = `filter[status][eq]=${session.status}&filter[state][eq]=${session.state}`;
  const found: { id: string }[] = await client.all(`/screener-sessions?${by}&${states}`);
  assert.ok(found.some(({ id }) => id === link.session));
  const { status, body } = await client.get(`/screener-participants/${link.assignment}`);
  const listed: object[] = await client.all(`/screener-participants?${by}`);
  assert.deepEqual(listed, status === 404 ? [] : [body]);
  if (status === 200) {
    assert.deepEqual(await client.all(`/screener-participants?${by}&filter[status][eq]=${body.status}`), [body]);
  }
}

for (const [state, row] of Object.entries(table) as [State, Record<ActionName, Outcome>][]) {
  test(`a session that is ${state}, whatever happens to it`, async () => {
    for (const [name, expected] of Object.entries(row) as [ActionName, Outcome][]) {
      const { study, link } = await invited(client, content);
      const subject = { study, link };
      for (const step of ways[state]) assert.equal((await actions[step](subject)).status, 200);
      const start = await look(subject);
      // A clock of milliseconds must have gone on, for what moves to be seen.
      const now = Date.now();
      await until(() => Date.now() > now, "the next millisecond");
      const answer = await actions[name](subject);
      const { seen, times } = await look(subject, start.times);
      const what = `${state}, then ${name}: ${answer.text}`;
      if (expected === "the same" || "code" in expected) {
        assert.deepEqual(seen, start.seen, what);
        assert.deepEqual(times, start.times, what);
        const code = expected === "the same" ? undefined : expected.code;
        assert.equal(answer.body.code, code, what);
        assert.equal(answer.status >= 400, code !== undefined, what);
      } else {
        assert.ok(answer.status < 300, what);
        assert.deepEqual(seen, expected, what);
        if (seen.moved?.includes("C") && times.completedAt) assert.equal(times.completedAt, times.lastActiveAt, what);
        if (seen.moved?.includes("S") && times.startedAt) assert.equal(times.startedAt, times.lastActiveAt, what);
      }
      await isInStep(subject);
    }
  });
}

test("a session on an archived publication, or below a newer one, goes on to its end", async () => {
  for (const between of ["archiving of the publication", "another publication"] as const) {
    for (const before of [[], ["a submission"]] as ActionName[][]) {
      const { study, link } = await invited(client, content);
      const subject = { study, link };
      for (const step of [...before, between]) assert.ok((await actions[step](subject)).status < 300);
      assert.equal((await actions["a submission"](subject)).body.state, "IN_PROGRESS");
      assert.equal((await actions["the final submission"](subject)).body.state, "COMPLETED");
      assert.deepEqual((await look(subject)).seen, qualified);
    }
  }
});

test("an assignment follows its latest session, over all that were before", async () => {
  const { study, link } = await invited(client, content);
  const assignment = async () => {
    const { body } = await client.get(`/screener-participants/${link.assignment}`);
    return [body.status, body.currentSessionId];
  };
  const reopen = async (): Promise<Invitation> => {
    const { body } = await client.post("/screener-sessions", { screenerParticipantId: link.assignment });
    return { ...link, session: body.id };
  };
  await submit({ study, link }, { a: 1, b: 1 }, true);
  assert.deepEqual(await assignment(), ["QUALIFIED", link.session]);
  const second = await reopen();
  assert.deepEqual(await assignment(), ["NOT_STARTED", second.session]);
  await submit({ study, link: second }, { a: 2, b: 1 }, true);
  assert.deepEqual(await assignment(), ["DISQUALIFIED", second.session]);
  // One that was removed does not count; the one before is the latest then, though no link leads there any more.
  await client.delete(`/screener-sessions/${second.session}`);
  assert.deepEqual(await assignment(), ["QUALIFIED", null]);
  const third = await reopen();
  await submit({ study, link: third }, { a: 1 });
  assert.deepEqual(await assignment(), ["IN_PROGRESS", third.session]);
  // Removing an older one changes nothing.
  await client.delete(`/screener-sessions/${link.session}`);
  assert.deepEqual(await assignment(), ["IN_PROGRESS", third.session]);
  await client.delete(`/screener-sessions/${third.session}`);
  assert.deepEqual(await assignment(), ["NOT_STARTED", null]);
});
