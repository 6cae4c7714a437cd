// Random imports: a plan that is applied leaves what an import at once leaves, and exactly what the plan has shown; or nothing.

import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { people } from "../support/client.ts";
import { assertCounts } from "../support/counts.ts";
import {
  email,
  everything,
  idOf,
  type JobRow,
  LONG_RUNS,
  name,
  newScene,
  opened,
  openSome,
  type Payload,
  payload,
  pick,
  rowsOf,
  type Scene,
  send,
  sendAndApply,
} from "../support/random-imports.ts";
import { carrier, sharedService } from "../support/service.ts";

const service = await sharedService();

/** On a slow machine fewer sequences have to do. With Redis between, the jobs are the same. */
const ENOUGH_MS = LONG_RUNS ? Number.POSITIVE_INFINITY : carrier === "threads" ? 6000 : 3000;
const RUNS = LONG_RUNS || 60;

/** What the lists show, without what two workspaces never have in common. */
async function likeness(scene: Scene): Promise<unknown> {
  const [participants = [], assignments = [], sessions = []] = await everything(scene);
  return [
    participants.map(({ externalUid, email, name }) => ({ externalUid, email, name })),
    assignments.map(({ screenerId, externalParticipantUid, name, email, status, currentSessionId }) => ({
      screener: scene.screeners.indexOf(screenerId as string),
      externalParticipantUid,
      name,
      email,
      status,
      hasSession: currentSessionId !== null,
    })),
    sessions.map(({ status, state }) => ({ status, state })),
  ];
}

/** Rows without ids. */
function plain(rows: JobRow[]): unknown[] {
  return rows.map(({ participantId, screenerParticipantId, sessionId, ...row }) => ({
    ...row,
    hasSession: sessionId !== null,
  }));
}

const QUERIES = [
  "filter[outcome][in][]=CREATED&filter[outcome][in][]=REJECTED",
  "filter[externalUid][eq]=P-3",
  "filter[externalUid][ne]=P-3&filter[outcome][ne]=UPDATED",
  "pagination[offset]=1&pagination[limit]=2",
];

/** What queries find of a job's rows, with the totals, and the whole list as CSV; all without ids. */
async function found({ client }: Scene, id: string): Promise<unknown> {
  const { text } = await client.get(`/jobs/${id}/rows`, { Accept: "text/csv" });
  const pages: unknown[] = [];
  for (const query of QUERIES) {
    const { body } = await client.get(`/jobs/${id}/rows?${query}`);
    pages.push(query, body.total, plain(body.items));
  }
  return [pages, text.replaceAll(/[0-9a-f]{8}-[0-9a-f-]{27}/g, "…")];
}

test("a plan that is applied leaves what an import at once leaves", async (t) => {
  const started = performance.now();
  const seen: Record<string, number> = {};
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.tuple(payload, opened, fc.nat(7)), { minLength: 16, maxLength: 24, size: "max" }),
      async (steps) => {
        const isEnough = (seen[200] ?? 0) > 10 && (seen[400] ?? 0) > 3;
        if (isEnough && performance.now() - started > ENOUGH_MS) return;
        const planning = await newScene(service.workspace());
        const direct = await newScene(service.workspace());
        for (const [one, sessions, searched] of steps) {
          const planned = await send(planning, one, { dryRun: true });
          // One of the two is in memory, the other in a file.
          const done = await send(direct, { ...one, isLarge: !one.isLarge });
          const id = idOf(planned);
          const isStopped = done.body.code === "removal_limit_exceeded";
          const what = isStopped ? done.body.code : planned.status;
          seen[what] = (seen[what] ?? 0) + 1;
          if (done.status === 200 || isStopped) {
            assert.equal(planned.body.status, "PLANNED", planned.text);
            const doneId = idOf(done);
            const expected = plain(await rowsOf(direct.client, doneId));
            assert.deepEqual(plain(await rowsOf(planning.client, id)), expected);
            const applied = await planning.client.post(`/jobs/${id}/apply`, undefined);
            if (isStopped) await direct.client.post(`/jobs/${doneId}/apply`, undefined);
            assert.deepEqual([applied.status, applied.body.status], [200, "SUCCEEDED"], applied.text);
            const { body: job } = await direct.client.get(`/jobs/${doneId}`);
            assert.deepEqual(planned.body.summary, job.summary);
            assert.deepEqual([applied.body.summary, applied.body.warnings], [job.summary, job.warnings]);
            assert.deepEqual(plain(await rowsOf(planning.client, id)), expected);
            if (isStopped) assert.deepEqual(plain(await rowsOf(direct.client, doneId)), expected);
          } else {
            const refusal = ({ status, body }: typeof done) => [status, body.code, body.errors, body.errorCount];
            assert.deepEqual(refusal(planned), refusal(done));
            assert.deepEqual(plain(await rowsOf(planning.client, id)), plain(await rowsOf(direct.client, idOf(done))));
          }
          if (searched === 0) assert.deepEqual(await found(planning, id), await found(direct, idOf(done)));
          assert.deepEqual(await likeness(planning), await likeness(direct));
          await openSome(planning, sessions);
          await openSome(direct, sessions);
        }
        for (const { client } of [planning, direct]) service.context.workspaces.read(client.workspaceId, assertCounts);
      },
    ),
    { numRuns: RUNS },
  );
  t.diagnostic(JSON.stringify(seen));
  assert.ok((seen[200] ?? 0) > 10 && (seen[400] ?? 0) > 3, `too few of a kind: ${JSON.stringify(seen)}`);
});

/** Something that happens while a plan waits. @returns whether it ends the plan */
type Event = (scene: Scene, planned: Payload) => Promise<boolean>;

const event: fc.Arbitrary<Event> = fc.oneof(
  fc.tuple(pick, fc.record({ email: fc.option(email), name: fc.option(name) }, { requiredKeys: [] })).map(
    ([index, change]): Event =>
      async ({ client }) => {
        const participants = await client.all("/participants");
        const { id } = participants[index % participants.length] ?? {};
        if (id) await client.patch(`/participants/${id}`, change);
        return false;
      },
  ),
  pick.map(
    (index): Event =>
      async ({ client }) => {
        const assignments = await client.all("/screener-participants");
        const { id } = assignments[index % assignments.length] ?? {};
        if (id) await client.delete(`/screener-participants/${id}`);
        return false;
      },
  ),
  payload.map(
    (one): Event =>
      async (scene, planned) => {
        const { status } = await sendAndApply(scene, one);
        return status === "SUCCEEDED" && one.screener === planned.screener;
      },
  ),
  opened.map(
    (some): Event =>
      async (scene) => {
        await openSome(scene, some);
        return false;
      },
  ),
);

/** What the lists of participants and assignments show once these rows are applied. */
function predict(before: Record<string, unknown>[][], rows: JobRow[], screenerId: string): unknown {
  const [participants = [], assignments = []] = structuredClone(before);
  const removed = new Set(rows.flatMap((row) => (row.outcome === "REMOVED" ? [row.screenerParticipantId] : [])));
  const left = assignments.filter(({ id }) => !removed.has(id as string));
  for (const row of rows) {
    const values = Object.fromEntries(row.changes.map(({ field, to }) => [field, to]));
    if (row.outcome === "CREATED")
      participants.push({ id: row.participantId, externalUid: row.externalUid, ...values });
    const participant = participants.find(({ id }) => id === row.participantId);
    if (participant) Object.assign(participant, values);
    if (row.assigned) left.push({ id: row.screenerParticipantId, participantId: row.participantId, screenerId });
  }
  return essence([participants, left]);
}

function essence([participants = [], assignments = []]: Record<string, unknown>[][]): unknown {
  return [
    participants.map(({ id, externalUid, email, name }) => ({ id, externalUid, email, name })),
    assignments.map(({ id, participantId, screenerId }) => ({ id, participantId, screenerId })),
  ];
}

/** How an application ends: each must be seen. */
const ENDINGS = ["SUCCEEDED", "plan_outdated", "plan_superseded"];

test("a plan does exactly what it has shown, whatever has happened since, or it changes nothing", async (t) => {
  const started = performance.now();
  const seen: Record<string, number> = {};
  let runs = 0;
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.tuple(payload, fc.array(event, { maxLength: 2 })), { minLength: 16, maxLength: 24, size: "max" }),
      async (steps) => {
        const isEnough = ENDINGS.every((what) => (seen[what] ?? 0) > 1);
        if (isEnough && (runs >= RUNS || performance.now() - started > ENOUGH_MS)) return;
        runs++;
        const scene = await newScene(service.workspace());
        const { client, screeners } = scene;
        await client.import(
          screeners[0]!,
          people(3).map((row, n) => ({ ...row, externalUid: `P-${n}` })),
        );
        for (const [one, events] of steps) {
          const planned = await send(scene, one, { dryRun: true });
          if (planned.status !== 200) continue;
          const { id } = planned.body;
          const shown = plain(await rowsOf(client, id));
          let isEnded = false;
          for (const happens of events) isEnded = (await happens(scene, one)) || isEnded;
          const before = await everything(scene);
          const applied = await client.post(`/jobs/${id}/apply`, undefined);
          const after = await everything(scene);
          const what = applied.body.code ?? applied.body.status;
          seen[what] = (seen[what] ?? 0) + 1;
          if (applied.status === 200) {
            assert.equal(isEnded, false);
            const rows = await rowsOf(client, id);
            assert.deepEqual(plain(rows), shown);
            assert.deepEqual(essence(after), predict(before, rows, screeners[one.screener]!));
          } else {
            assert.equal(what, isEnded ? "plan_superseded" : "plan_outdated", applied.text);
            assert.ok(events.length > 0);
            assert.deepEqual(after, before);
            if (!isEnded) assert.equal(applied.body.errors.length, applied.body.errorCount);
          }
        }
        service.context.workspaces.read(client.workspaceId, assertCounts);
      },
    ),
    // By chance an ending may not come for long: then it goes on.
    { numRuns: 4 * RUNS },
  );
  t.diagnostic(JSON.stringify(seen));
  for (const what of ENDINGS) assert.ok((seen[what] ?? 0) > 0, `too few of a kind: ${JSON.stringify(seen)}`);
});
