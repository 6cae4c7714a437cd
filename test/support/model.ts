// A plain model of what the rules say of participants, assignments, sessions and answers; and random writes, each done
// through the API and predicted by the model.

import assert from "node:assert/strict";
import fc from "fast-check";
import type { Answer, Client } from "./client.ts";

interface Participant {
  id: string;
  externalUid: string;
  email: string | null;
  name: string | null;
}

interface Publication {
  id: string;
  screenerId: string;
  version: number;
  status: "ACTIVE" | "ARCHIVED";
  /** The ids of its questions, by their keys; none where the screener has no content. */
  questions: Record<string, string>;
}

interface Session {
  id: string;
  screenerId: string;
  screenerParticipantId: string;
  screenerPublicationId: string;
  status: "ACTIVE" | "ARCHIVED" | "REMOVED";
  state: "NOT_STARTED" | "IN_PROGRESS" | "COMPLETED";
  outcomeReason: "SCREENED_OUT" | null;
  answers: Answers;
}

interface Assignment {
  id: string;
  screenerId: string;
  participant: Participant;
}

interface Row {
  externalUid: string;
  email?: string | null;
  name?: string | null;
}

/** The questions of a screener with content, in order. */
const QUESTIONS = ["age", "smokes", "brand", "town"] as const;
type Answers = Partial<Record<(typeof QUESTIONS)[number], unknown>>;

const YES = [{ text: "Yes", isWriteIn: false }];
const NO = [{ text: "No", isWriteIn: false }];

/** The first page screens out people under 18; only smokers are asked for a brand. */
const content = {
  pages: [
    {
      disqualifyWhen: { questionId: "age", lessThan: 18 },
      questions: [
        { id: "age", key: "age", _type: "ScreenerNumericQuestion", prompt: "Age?", required: true, min: 0 },
        {
          id: "smokes",
          key: "smokes",
          _type: "ScreenerSingleSelectQuestion",
          prompt: "Do you smoke?",
          options: [{ id: "yes", text: "Yes" }, { text: "No" }],
        },
        {
          key: "brand",
          _type: "ScreenerTextQuestion",
          prompt: "Which brand?",
          showWhen: { questionId: "smokes", equals: "yes" },
        },
      ],
    },
    { questions: [{ key: "town", _type: "ScreenerTextQuestion", prompt: "Which town?" }] },
  ],
};

/** What a submission makes of a session, or undefined when something is wrong with it. */
function answered(
  session: Session,
  given: Answers,
  complete: boolean,
  hasContent: boolean,
): Pick<Session, "answers" | "state" | "outcomeReason"> | undefined {
  const ended = { state: "COMPLETED", outcomeReason: null } as const;
  if (!hasContent) return { answers: {}, ...(complete ? ended : { ...ended, state: "IN_PROGRESS" }) };
  const merged: Answers = { ...session.answers, ...given };
  const shown = QUESTIONS.filter((key) => key !== "brand" || merged.smokes === YES);
  const isWrong = given.age === -1 || given.age === null || (given.brand && !shown.includes("brand"));
  const handedIn = complete ? merged : given;
  // The first page is over when all that it shows is answered or passed over.
  const isLater = "town" in handedIn;
  const isReached = isLater || shown.some((key) => key in handedIn);
  const firstPage = shown.filter((key) => key !== "town" && key !== "age");
  const isOver =
    isReached && merged.age !== undefined && (isLater || complete || firstPage.every((key) => key in merged));
  const screenedOut = isOver && Number(merged.age) < 18;
  if (isWrong || (complete && merged.age === undefined)) return undefined;
  const answers: Answers = {};
  for (const key of shown) {
    if (key in merged) answers[key] = merged[key];
    // Who is screened out has reached the first page; the second one, too, if it has an answer.
    else if (screenedOut ? key !== "town" : complete) answers[key] = null;
  }
  if (screenedOut) return { answers, ...ended, outcomeReason: "SCREENED_OUT" };
  return { answers, ...ended, ...(!complete && { state: "IN_PROGRESS" as const }) };
}

/** What the rules say there is, in the order in which it came to be. */
export class Model {
  participants: Participant[] = [];
  assignments: Assignment[] = [];
  sessions: Session[] = [];
  publications: Publication[] = [];
  readonly screeners: string[];

  constructor(screeners: string[]) {
    this.screeners = screeners;
  }

  participant(externalUid: string): Participant | undefined {
    return this.participants.find((participant) => participant.externalUid === externalUid);
  }

  /** Whether these participants could have these emails, all others keeping theirs. */
  isFree(changes: ReadonlyMap<string, string | null>): boolean {
    const others = this.participants.filter(({ externalUid }) => !changes.has(externalUid)).map(({ email }) => email);
    const all = [...others, ...changes.values()].flatMap((email) => (email === null ? [] : [email.toLowerCase()]));
    return new Set(all).size === all.length;
  }

  assignment(screenerId: string, participant: Participant): Assignment | undefined {
    return this.assignments.find((one) => one.screenerId === screenerId && one.participant === participant);
  }

  active(screenerId: string): Publication | undefined {
    return this.publications.find((one) => one.screenerId === screenerId && one.status === "ACTIVE");
  }

  sessionsOf(assignmentId: string): Session[] {
    return this.sessions.filter((one) => one.screenerParticipantId === assignmentId);
  }

  /** The session that takes answers. */
  openSession(assignmentId: string): Session | undefined {
    return this.sessionsOf(assignmentId).find((one) => one.status === "ACTIVE" && one.state !== "COMPLETED");
  }

  /** The newest session, unless it was removed. */
  currentSession(assignmentId: string): Session | undefined {
    const newest = this.sessionsOf(assignmentId).at(-1);
    return newest?.status === "ACTIVE" ? newest : undefined;
  }

  status(assignmentId: string): string {
    const newest = this.sessionsOf(assignmentId).findLast((one) => one.status !== "REMOVED");
    if (newest?.state !== "COMPLETED") return newest?.state ?? "NOT_STARTED";
    if (newest.outcomeReason) return "DISQUALIFIED";
    return this.hasContent(newest) ? "QUALIFIED" : "UNKNOWN";
  }

  publication({ screenerPublicationId }: Session): Publication {
    return this.publications.find(({ id }) => id === screenerPublicationId)!;
  }

  hasContent(session: Session): boolean {
    return Object.keys(this.publication(session).questions).length > 0;
  }

  open(id: string, { id: screenerParticipantId, screenerId }: Assignment, screenerPublicationId: string): void {
    const session = { id, screenerId, screenerParticipantId, screenerPublicationId };
    this.sessions.push({ ...session, status: "ACTIVE", state: "NOT_STARTED", outcomeReason: null, answers: {} });
  }

  remove(assignment: Assignment): void {
    this.assignments = this.assignments.filter((one) => one !== assignment);
    for (const session of this.sessionsOf(assignment.id)) if (session.status === "ACTIVE") session.status = "ARCHIVED";
  }

  /** The responses of a session, as they are shown. */
  responses(session: Session): object[] {
    const { questions } = this.publication(session);
    return QUESTIONS.filter((key) => key in session.answers).map((key) => ({
      screenerId: session.screenerId,
      screenerPublicationId: session.screenerPublicationId,
      screenerSessionId: session.id,
      screenerParticipantId: session.screenerParticipantId,
      screenerQuestionId: questions[key],
      answer: session.answers[key],
    }));
  }

  shown({ id, screenerId, participant }: Assignment): object {
    return {
      _type: "ScreenerParticipant",
      id,
      screenerId,
      participantId: participant.id,
      externalParticipantUid: participant.externalUid,
      currentSessionId: this.currentSession(id)?.id ?? null,
      name: participant.name,
      email: participant.email,
      status: this.status(id),
    };
  }
}

/** A model of a new workspace: one screener with content, one without. */
export async function newModel(client: Client): Promise<Model> {
  const screeners = [await client.screener("With questions"), await client.screener("Without")];
  const { status } = await client.call("PUT", `/screeners/${screeners[0]}/content`, { body: content });
  assert.equal(status, 200);
  return new Model(screeners);
}

/** A write: done through the API, predicted by the model. */
export type Action = (client: Client, model: Model) => Promise<void>;

const EMAIL = /^[^\s@]+@[^\s@]+$/;
const uid = fc.nat(6).map((number) => `P-${number}`);
// Few, in two cases, so that they meet; and some that are none.
const email = fc.oneof(
  { weight: 12, arbitrary: fc.tuple(fc.nat(6), fc.boolean()).map(([n, up]) => (up ? `E${n}@X.ORG` : `e${n}@x.org`)) },
  { weight: 1, arbitrary: fc.constantFrom("nobody", "a b@x.org") },
);
const name = fc.nat(3).map((number) => `Name ${number}`);
const pick = fc.nat(1000);

const imports = fc
  .record({
    screener: pick,
    importMode: fc.constantFrom("FULL_SYNC", "UPDATES_ONLY", null, undefined),
    rows: fc.array(
      fc.record(
        { externalUid: uid, email: fc.option(email, { freq: 6 }), name: fc.option(name, { freq: 6 }) },
        { requiredKeys: ["externalUid"] },
      ),
      { maxLength: 6 },
    ),
    // Most payloads are meant well: nobody in them twice.
    distinct: fc.integer({ min: 0, max: 4 }).map((number) => number > 0),
  })
  .map(({ screener, importMode, rows, distinct }): Action => {
    const unlike = (list: Row[], member: "externalUid" | "email") =>
      list.filter(
        (row, index) =>
          row[member] == null ||
          list.findIndex((one) => one[member]?.toLowerCase() === row[member]?.toLowerCase()) === index,
      );
    const participants = distinct ? unlike(unlike(rows, "externalUid"), "email") : rows;
    return (client, model) => doImport(client, model, screener, importMode, participants);
  });

export async function doImport(
  client: Client,
  model: Model,
  screener: number,
  importMode: string | null | undefined,
  rows: Row[],
): Promise<void> {
  const screenerId = model.screeners[screener % model.screeners.length]!;
  const answer = await client.import(screenerId, rows, { importMode });
  const uids = rows.map(({ externalUid }) => externalUid);
  const emails = rows.flatMap((row) => (row.email ? [row.email.toLowerCase()] : []));
  const isValid =
    new Set(uids).size === uids.length &&
    new Set(emails).size === emails.length &&
    emails.every((one) => EMAIL.test(one)) &&
    rows.every((row) => model.participant(row.externalUid) || (row.email && row.name));
  if (!isValid) return refused(answer, 400);
  const wanted = rows.map((row): [string, string | null] => [
    row.externalUid,
    row.email ?? model.participant(row.externalUid)?.email ?? null,
  ]);
  if (!model.isFree(new Map(wanted))) return refused(answer, 409);

  assert.equal(answer.status, 200, answer.text);
  assert.equal(answer.body.length, rows.length);
  rows.forEach((row, index) => {
    const { id, participantId } = answer.body[index];
    let participant = model.participant(row.externalUid);
    if (!participant) {
      participant = { id: participantId, externalUid: row.externalUid, email: row.email!, name: row.name! };
      model.participants.push(participant);
    }
    participant.email = row.email ?? participant.email;
    participant.name = row.name ?? participant.name;
    if (!model.assignment(screenerId, participant)) model.assignments.push({ id, screenerId, participant });
  });
  if (importMode === "FULL_SYNC") {
    for (const one of model.assignments) {
      if (one.screenerId === screenerId && !uids.includes(one.participant.externalUid)) model.remove(one);
    }
  }
  assert.deepEqual(
    answer.body,
    uids.map((externalUid) => model.shown(model.assignment(screenerId, model.participant(externalUid)!)!)),
  );
}

function refused(answer: Answer, status: 400 | 409): void {
  assert.equal(answer.status, status, answer.text);
  assert.equal(answer.body.code, status === 400 ? "invalid_request" : "email_taken");
}

const creates = fc.tuple(uid, email, name).map(
  ([externalUid, given, called]): Action =>
    async (client, model) => {
      const answer = await client.post("/participants", { externalUid, email: given, name: called });
      if (!EMAIL.test(given)) return refused(answer, 400);
      if (model.participant(externalUid)) {
        assert.equal(answer.body.code, "external_uid_taken");
      } else if (!model.isFree(new Map([[externalUid, given]]))) {
        refused(answer, 409);
      } else {
        assert.equal(answer.status, 201, answer.text);
        model.participants.push({ id: answer.body.id, externalUid, email: given, name: called });
      }
    },
);

const patches = fc.tuple(pick, fc.record({ email: fc.option(email), name: fc.option(name) }, { requiredKeys: [] })).map(
  ([index, change]): Action =>
    async (client, model) => {
      const participant = model.participants[index % model.participants.length];
      if (!participant) return;
      const answer = await client.patch(`/participants/${participant.id}`, change);
      if (change.email && !EMAIL.test(change.email)) return refused(answer, 400);
      if (change.email && !model.isFree(new Map([[participant.externalUid, change.email]])))
        return refused(answer, 409);
      assert.equal(answer.status, 200, answer.text);
      Object.assign(participant, change);
    },
);

const removals = pick.map(
  (index): Action =>
    async (client, model) => {
      const assignment = model.assignments[index % model.assignments.length];
      if (!assignment) return;
      const before = model.shown(assignment);
      const { status, body } = await client.delete(`/screener-participants/${assignment.id}`);
      assert.equal(status, 200);
      assert.deepEqual(body, { ...before, status: "REMOVED" });
      model.remove(assignment);
    },
);

const openings = pick.map(
  (index): Action =>
    async (client, model) => {
      const assignment = model.assignments[index % model.assignments.length];
      if (!assignment) return;
      const answer = await client.post("/screener-sessions", { screenerParticipantId: assignment.id });
      const open = model.openSession(assignment.id);
      const publication = model.active(assignment.screenerId);
      if (open) {
        assert.deepEqual([answer.status, answer.body.id], [200, open.id]);
      } else if (!publication) {
        assert.equal(answer.body.code, "screener_not_published");
      } else {
        assert.equal(answer.status, 201, answer.text);
        model.open(answer.body.id, assignment, publication.id);
      }
    },
);

/** Opens a session for everyone of a screener who has none. */
const openingsForAll = pick.map(
  (index): Action =>
    (client, model) =>
      doOpenAll(client, model, index),
);

export async function doOpenAll(client: Client, model: Model, index: number): Promise<void> {
  const screenerId = model.screeners[index % model.screeners.length]!;
  const publication = model.active(screenerId);
  const { status, body } = await client.post("/screener-sessions", { screenerId });
  if (!publication) return assert.equal(body.code, "screener_not_published");
  const without = model.assignments.filter(
    (one) => one.screenerId === screenerId && !model.currentSession(one.id) && model.status(one.id) === "NOT_STARTED",
  );
  assert.equal(status, 200);
  assert.deepEqual(
    body.map((session: { screenerParticipantId: string }) => session.screenerParticipantId),
    without.map(({ id }) => id),
  );
  without.forEach((assignment, position) => {
    model.open(body[position].id, assignment, publication.id);
  });
}

/** Moves the sessions of a screener that nobody has begun to its active publication; now and then back again. */
const moves = fc.tuple(pick, fc.boolean()).map(
  ([index, isUndone]): Action =>
    async (client, model) => {
      const screenerId = model.screeners[index % model.screeners.length]!;
      const publication = model.active(screenerId);
      const { status, body } = await client.post("/screener-sessions-move", { screenerId });
      if (!publication) return assert.equal(body.code, "screener_not_published");
      const moved = model.sessions.filter(
        (one) =>
          one.screenerId === screenerId &&
          one.status === "ACTIVE" &&
          one.state === "NOT_STARTED" &&
          one.screenerPublicationId !== publication.id,
      );
      assert.deepEqual([status, body.summary], [200, { moved: moved.length }]);
      if (isUndone) {
        const { body: undone } = await client.post(`/jobs/${body.id}/undo`, undefined);
        assert.deepEqual(undone.summary, { rows: moved.length, reverted: moved.length, kept: 0 });
      } else for (const session of moved) session.screenerPublicationId = publication.id;
    },
);

/** Answers that a participant may send: some wrong, and some that others take back. */
const answers = fc.record<Answers>(
  {
    age: fc.constantFrom(30, 45, 45, 60, 17, null, -1),
    smokes: fc.constantFrom(YES, YES, NO, null),
    brand: fc.constantFrom("Some brand", null),
    town: fc.constantFrom("Oslo", "Ghent", null),
  },
  { requiredKeys: [] },
);

/** How often a submission was taken, refused or came too late: a model that never answers proves nothing. */
export const submissions = { "a session goes on": 0, "a session ends": 0, "400": 0, "409": 0 };

const answerings = fc.tuple(pick, answers, fc.integer({ min: 0, max: 2 })).map(
  ([index, given, number]): Action =>
    async (client, model) => {
      const session = model.sessions[index % model.sessions.length];
      if (!session) return;
      const complete = number === 0;
      const hasContent = model.hasContent(session);
      const { questions } = model.publication(session);
      const responses = Object.entries(hasContent ? given : {}).map(([key, answer]) => ({
        screenerQuestionId: questions[key],
        answer,
      }));
      const { status, body, text } = await client.post(`/screener-sessions/${session.id}/responses`, {
        responses,
        complete,
      });
      if (session.status !== "ACTIVE" || session.state === "COMPLETED") {
        submissions["409"]++;
        assert.equal(body.code, session.status === "ACTIVE" ? "session_completed" : "session_closed", text);
        return;
      }
      const after = answered(session, given, complete, hasContent);
      if (!after) {
        submissions["400"]++;
        assert.deepEqual([status, body.code], [400, "invalid_request"], text);
        return;
      }
      submissions[after.state === "COMPLETED" ? "a session ends" : "a session goes on"]++;
      assert.equal(status, 200, text);
      Object.assign(session, after);
      assert.deepEqual([body.state, body.outcomeReason], [after.state, after.outcomeReason]);
    },
);

const closings = pick.map(
  (index): Action =>
    async (client, model) => {
      const session = model.sessions[index % model.sessions.length];
      if (!session) return;
      const { status, body } = await client.delete(`/screener-sessions/${session.id}`);
      session.status = "REMOVED";
      session.state = "NOT_STARTED";
      session.outcomeReason = null;
      assert.equal(status, 200);
      assert.equal(body.status, "REMOVED");
    },
);

const publishings = pick.map(
  (index): Action =>
    (client, model) =>
      doPublish(client, model, index),
);

export async function doPublish(client: Client, model: Model, index: number): Promise<void> {
  const screenerId = model.screeners[index % model.screeners.length]!;
  const { status, body } = await client.post("/screener-publications", { screenerId });
  assert.equal(status, 201);
  const earlier = model.publications.filter((one) => one.screenerId === screenerId);
  for (const one of earlier) one.status = "ARCHIVED";
  const { pages } = (await client.get(`/screener-publications/${body.id}/content`)).body;
  const asked: { key: string; id: string }[] = pages.flatMap((page: { questions: object[] }) => page.questions);
  model.publications.push({
    id: body.id,
    screenerId,
    version: earlier.length + 1,
    status: "ACTIVE",
    questions: Object.fromEntries(asked.map(({ key, id }) => [key, id])),
  });
}

const archivings = pick.map(
  (index): Action =>
    async (client, model) => {
      const publication = model.publications[index % model.publications.length];
      if (!publication) return;
      const { status } = await client.patch(`/screener-publications/${publication.id}`, { status: "ARCHIVED" });
      assert.equal(status, 200);
      publication.status = "ARCHIVED";
    },
);

export const action = fc.oneof(
  { weight: 6, arbitrary: imports },
  { weight: 2, arbitrary: creates },
  { weight: 2, arbitrary: patches },
  { weight: 1, arbitrary: removals },
  { weight: 4, arbitrary: openings },
  { weight: 1, arbitrary: openingsForAll },
  { weight: 2, arbitrary: moves },
  { weight: 18, arbitrary: answerings },
  { weight: 2, arbitrary: closings },
  { weight: 2, arbitrary: publishings },
  { weight: 1, arbitrary: archivings },
);
