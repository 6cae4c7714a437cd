// Random sequences of writes leave exactly what a plain model of the rules says, in every list and in every count.

import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import type { CountedTable } from "../../db/list.ts";
import { countedParticipants } from "../../src/participants/queries.ts";
import { countedAssignments } from "../../src/screener-participants/queries.ts";
import { countedResponses } from "../../src/screener-responses/queries.ts";
import { countedSessions } from "../../src/screener-sessions/queries.ts";
import { type Answer, type Client, people } from "../support/client.ts";
import { startService } from "../support/service.ts";

const service = await startService();

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
}

interface Session {
  id: string;
  screenerId: string;
  screenerParticipantId: string;
  screenerPublicationId: string;
  status: "ACTIVE" | "ARCHIVED" | "REMOVED";
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

/** What the rules say there is, in the order in which it came to be. */
class Model {
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

  openSession(assignmentId: string): Session | undefined {
    return this.sessions.find((one) => one.screenerParticipantId === assignmentId && one.status === "ACTIVE");
  }

  remove(assignment: Assignment): void {
    this.assignments = this.assignments.filter((one) => one !== assignment);
    const open = this.openSession(assignment.id);
    if (open) open.status = "ARCHIVED";
  }

  shown({ id, screenerId, participant }: Assignment): object {
    return {
      _type: "ScreenerParticipant",
      id,
      screenerId,
      participantId: participant.id,
      externalParticipantUid: participant.externalUid,
      currentSessionId: this.openSession(id)?.id ?? null,
      name: participant.name,
      email: participant.email,
      status: "NOT_STARTED",
    };
  }
}

/** A write: done through the API, foretold by the model. */
type Action = (client: Client, model: Model) => Promise<void>;

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

async function doImport(
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
        model.sessions.push({
          id: answer.body.id,
          screenerId: assignment.screenerId,
          screenerParticipantId: assignment.id,
          screenerPublicationId: publication.id,
          status: "ACTIVE",
        });
      }
    },
);

const closings = pick.map(
  (index): Action =>
    async (client, model) => {
      const session = model.sessions[index % model.sessions.length];
      if (!session) return;
      const { status, body } = await client.delete(`/screener-sessions/${session.id}`);
      session.status = "REMOVED";
      assert.equal(status, 200);
      assert.equal(body.status, "REMOVED");
    },
);

const publishings = pick.map(
  (index): Action =>
    async (client, model) => {
      const screenerId = model.screeners[index % model.screeners.length]!;
      const { status, body } = await client.post("/screener-publications", { screenerId });
      assert.equal(status, 201);
      const earlier = model.publications.filter((one) => one.screenerId === screenerId);
      for (const one of earlier) one.status = "ARCHIVED";
      model.publications.push({ id: body.id, screenerId, version: earlier.length + 1, status: "ACTIVE" });
    },
);

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

const action = fc.oneof(
  { weight: 6, arbitrary: imports },
  { weight: 2, arbitrary: creates },
  { weight: 2, arbitrary: patches },
  { weight: 1, arbitrary: removals },
  { weight: 4, arbitrary: openings },
  { weight: 2, arbitrary: closings },
  { weight: 2, arbitrary: publishings },
  { weight: 1, arbitrary: archivings },
);

/** The members of each item that the model knows. */
function only<Item extends object>(items: Record<string, unknown>[], like: Item): unknown[] {
  const names = Object.keys(like);
  return items.map((item) => Object.fromEntries(names.map((member) => [member, item[member]])));
}

async function compareLists(client: Client, model: Model): Promise<void> {
  const list = (path: string) => client.all(path);
  const participantLike = { id: "", externalUid: "", email: "", name: "" };
  assert.deepEqual(only(await list("/participants"), participantLike), model.participants);
  assert.deepEqual(
    await list("/screener-participants"),
    model.assignments.map((one) => model.shown(one)),
  );
  const sessionLike = { id: "", screenerId: "", screenerParticipantId: "", screenerPublicationId: "", status: "" };
  assert.deepEqual(only(await list("/screener-sessions"), sessionLike), model.sessions);
  for (const status of ["ACTIVE", "ARCHIVED", "REMOVED"]) {
    assert.deepEqual(
      only(await list(`/screener-sessions?filter[status][eq]=${status}`), { id: "" }),
      model.sessions.filter((one) => one.status === status).map(({ id }) => ({ id })),
    );
  }
  const screeners = await list("/screeners");
  for (const [index, screenerId] of model.screeners.entries()) {
    assert.equal(screeners[index].id, screenerId);
    assert.equal(screeners[index].activePublicationId, model.active(screenerId)?.id ?? null);
    const own = `filter[screenerId][eq]=${screenerId}`;
    const isOwn = (one: { screenerId: string }) => one.screenerId === screenerId;
    assert.deepEqual(
      await list(`/screener-participants?${own}`),
      model.assignments.filter(isOwn).map((one) => model.shown(one)),
    );
    assert.deepEqual(
      only(await list(`/screener-sessions?${own}&filter[status][ne]=ARCHIVED`), { id: "" }),
      model.sessions.filter((one) => isOwn(one) && one.status !== "ARCHIVED").map(({ id }) => ({ id })),
    );
    assert.deepEqual(
      only(await list(`/screeners/${screenerId}/publications`), { id: "", screenerId: "", version: 0, status: "" }),
      model.publications.filter(isOwn).reverse(),
    );
  }
}

/** Beside each listed table, its counts by block are what counting would give. */
function compareCounts(client: Client): void {
  const counted: CountedTable[] = [
    { table: "screener", facets: [] },
    countedParticipants,
    countedAssignments,
    countedSessions,
    countedResponses,
  ];
  service.context.workspaces.read(client.workspaceId, (db) => {
    for (const { table, facets } of counted) {
      const columns = [...facets, "block"].join(", ");
      assert.deepEqual(
        db.all(`SELECT ${columns}, n FROM ${table}_block WHERE n <> 0 ORDER BY ${columns}`),
        db.all(
          `SELECT ${[...facets, "id >> 10 AS block"].join(", ")}, count(*) AS n FROM ${table} GROUP BY ${columns} ORDER BY ${columns}`,
        ),
        table,
      );
    }
    assert.equal(db.value("PRAGMA foreign_key_check"), undefined);
  });
}

test("random imports, changes, removals, sessions and publications leave what the rules say", async () => {
  const started = performance.now();
  let changes = 0;
  await fc.assert(
    fc.asyncProperty(
      fc.array(action, { minLength: 1, maxLength: 25, size: "max" }),
      // Now and then around the place where the counts of the first 1,024 rows end.
      fc.integer({ min: 0, max: 5 }).map((number) => number === 0),
      async (actions, isLong) => {
        // On a slow machine fewer sequences have to do.
        if (performance.now() - started > 12_000) return;
        const client = service.workspace();
        const model = new Model([await client.screener("One"), await client.screener("Other")]);
        if (isLong) await doImport(client, model, 0, undefined, people(1021, 7));
        for (const act of actions) {
          await act(client, model);
          changes++;
        }
        await compareLists(client, model);
        compareCounts(client);
      },
    ),
    { numRuns: 60 },
  );
  assert.ok(changes > 100, `only ${changes} changes were made`);
});
