// Random imports that are undone: all is as before, but for what was touched since; and that stays.

import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { assertCounts } from "../support/counts.ts";
import {
  everything,
  type JobRow,
  LONG_RUNS,
  newScene,
  opened,
  openSome,
  type Payload,
  payload,
  pick,
  rowsOf,
  type Scene,
  sendAndApply,
} from "../support/random-imports.ts";
import { carrier, sharedService } from "../support/service.ts";
import { timeless } from "../support/visitor.ts";

const service = await sharedService();

/** On a slow machine fewer sequences have to do. With Redis between, the jobs are the same. */
const ENOUGH_MS = LONG_RUNS ? Number.POSITIVE_INFINITY : carrier === "threads" ? 6000 : 3000;
const RUNS = LONG_RUNS || 150;
/** So many meet all reasons why something is kept. */
const ENOUGH_RUNS = 60;
const MIN_UNDOS = LONG_RUNS ? Math.floor(LONG_RUNS / 3) : 20;

/** Some imports, and some sessions, to begin with. */
const beginning = fc.array(fc.tuple(payload, opened), { minLength: 2, maxLength: 3, size: "max" });

async function begin(steps: [Payload, [number, boolean][]][]): Promise<Scene> {
  const scene = await newScene(service.workspace());
  for (const [one, sessions] of steps) {
    await sendAndApply(scene, one);
    await openSome(scene, sessions);
  }
  return scene;
}

/** All that the lists show, but for when participants were last changed; and what each session's link answers. */
async function seen(scene: Scene): Promise<unknown> {
  const lists = await everything(scene);
  const pages: string[] = [];
  for (const { screenerSessionLink } of lists[2]!) {
    const { pathname } = new URL(screenerSessionLink as string);
    const page = await fetch(service.url + pathname);
    pages.push(`${page.status} ${timeless(await page.text())}`);
  }
  return [lists.map((items) => items.map(({ updatedAt, ...item }) => item)), pages];
}

test("an import that is undone leaves everything as before, and an undo that is undone as after it", async (t) => {
  const started = performance.now();
  let undone = 0;
  await fc.assert(
    fc.asyncProperty(
      beginning,
      fc.array(payload, { minLength: 3, maxLength: 6, size: "max" }),
      async (steps, imports) => {
        if (undone > MIN_UNDOS && performance.now() - started > ENOUGH_MS) return;
        const scene = await begin(steps);
        const { client } = scene;
        for (const one of imports) {
          const before = await seen(scene);
          const job = await sendAndApply(scene, one);
          if (job.status !== "SUCCEEDED") continue;
          const after = await seen(scene);
          let last = job.id;
          for (const expected of [before, after, before]) {
            const planned = await client.post(`/jobs/${last}/undo`, { dryRun: true });
            assert.deepEqual([planned.status, planned.body.summary.kept], [200, 0], planned.text);
            const shown = await rowsOf(client, planned.body.id);
            // By turns: what was planned, and at once.
            const isPlanned = expected === after;
            const done = isPlanned
              ? await client.post(`/jobs/${planned.body.id}/apply`, undefined)
              : await client.post(`/jobs/${last}/undo`, undefined);
            assert.deepEqual([done.status, done.body.status], [200, "SUCCEEDED"], done.text);
            assert.deepEqual(done.body.summary, planned.body.summary);
            assert.deepEqual(await rowsOf(client, done.body.id), shown);
            assert.deepEqual(await seen(scene), expected);
            last = done.body.id;
            undone++;
          }
          service.context.workspaces.read(client.workspaceId, assertCounts);
          // Now it is there again, and the next import comes after it.
          if (undone % 2) await client.post(`/jobs/${last}/undo`, undefined);
        }
      },
    ),
    { numRuns: RUNS },
  );
  t.diagnostic(`${undone} undos`);
  assert.ok(undone > MIN_UNDOS, `only ${undone} undos`);
});

/** The lists of `everything`. */
type Lists = Record<string, unknown>[][];

/** What somebody does to one after an import. @returns why its row is kept now, if it is */
type Act = (scene: Scene, row: JobRow, number: number, before: Lists) => Promise<string | undefined>;

/** Does it to one of the rows that `fits`. */
const toOne = (fits: (row: JobRow) => boolean, act: Act) => pick.map((index) => ({ index, fits, act }));

const isThere = ({ outcome }: JobRow) => ["CREATED", "UPDATED", "UNCHANGED"].includes(outcome);

const touch = fc.oneof(
  toOne(isThere, async ({ client }, { participantId, outcome }, number) => {
    const { status } = await client.patch(`/participants/${participantId}`, { name: `Edited ${number}` });
    assert.equal(status, 200);
    return outcome === "UNCHANGED" ? undefined : "EDITED";
  }),
  toOne(
    ({ assigned }) => assigned,
    async ({ client }, { screenerParticipantId }, number) => {
      const { status, body } = await client.open(screenerParticipantId!);
      if (status === 404) return undefined;
      assert.ok(status === 200 || status === 201);
      if (number % 2) return "OPENED";
      const answers = { responses: [], complete: true };
      assert.equal((await client.post(`/screener-sessions/${body.id}/responses`, answers)).status, 200);
      return "ANSWERED";
    },
  ),
  toOne(
    ({ assigned }) => assigned,
    async ({ client }, { screenerParticipantId }) => {
      const { status } = await client.delete(`/screener-participants/${screenerParticipantId}`);
      return status === 200 ? "UNASSIGNED" : undefined;
    },
  ),
  toOne(
    ({ outcome }) => outcome === "REMOVED",
    async ({ client }, { externalUid, screenerParticipantId }, _number, before) => {
      const { screenerId } = before[1]!.find(({ id }) => id === screenerParticipantId)!;
      const { status } = await client.import(screenerId as string, [{ externalUid }]);
      return status === 200 ? "ASSIGNED_AGAIN" : undefined;
    },
  ),
  toOne(
    ({ outcome }) => outcome === "UPDATED",
    async ({ client }, { changes }, number) => {
      const former = changes.find(({ field, from }) => field === "email" && from !== null);
      if (!former) return undefined;
      const thief = { externalUid: `thief-${number}`, email: former.from, name: "Thief" };
      return (await client.post("/participants", thief)).status === 201 ? "EMAIL_TAKEN" : undefined;
    },
  ),
);

/** Who stays as it is, by externalUid, with the reasons. */
class Kept extends Map<string | null, string[]> {
  touch({ externalUid, outcome }: JobRow, reason: string): void {
    const isGone = reason === "UNASSIGNED" && outcome !== "CREATED";
    // With the assignment of one who was there before, all goes that could be taken back of it.
    const reasons = (this.get(externalUid) ?? []).filter((one) => !isGone || !["OPENED", "ANSWERED"].includes(one));
    if (!isGone) reasons.push(reason);
    if (reasons.length) this.set(externalUid, reasons);
    else this.delete(externalUid);
  }
}

/** Those also stay whose former email somebody has who stays. */
function addRobbed(kept: Kept, rows: JobRow[], people: Record<string, unknown>[]): void {
  const formerOf = (row: JobRow) => row.changes.find(({ field }) => field === "email")?.from?.toLowerCase();
  for (let size = -1; size !== kept.size; ) {
    size = kept.size;
    for (const row of rows) {
      const former = row.outcome === "UPDATED" && !kept.has(row.externalUid) ? formerOf(row) : undefined;
      if (former === undefined) continue;
      const holder = people.find(({ email }) => (email as string | null)?.toLowerCase() === former)?.externalUid;
      if (holder === undefined || holder === row.externalUid) continue;
      const held = rows.find(({ externalUid }) => externalUid === holder);
      const givesItBack =
        held &&
        !kept.has(held.externalUid) &&
        (held.outcome === "CREATED" || held.changes.some((c) => c.field === "email"));
      if (!givesItBack) kept.touch(row, "EMAIL_TAKEN");
    }
  }
}

test("what was touched since an import stays when that is undone, and nothing else does", async (t) => {
  const started = performance.now();
  const reasons: Record<string, number> = {};
  let undone = 0;
  await fc.assert(
    fc.asyncProperty(
      beginning,
      payload,
      fc.array(touch, { minLength: 1, maxLength: 4 }),
      async (steps, one, touches) => {
        const isEnough = undone > MIN_UNDOS && Object.keys(reasons).length > 2;
        if (isEnough && performance.now() - started > ENOUGH_MS) return;
        const scene = await begin(steps);
        const { client } = scene;
        const before = await everything(scene);
        const job = await sendAndApply(scene, one);
        if (job.status !== "SUCCEEDED") return;
        const rows = await rowsOf(client, job.id);
        const kept = new Kept();
        for (const [number, { index, fits, act }] of touches.entries()) {
          const fitting = rows.filter(fits);
          const row = fitting[index % fitting.length];
          const reason = row && (await act(scene, row, number, before));
          if (reason) kept.touch(row, reason);
        }
        const touched = await everything(scene);
        addRobbed(kept, rows, touched[0]!);
        const undo = await client.post(`/jobs/${job.id}/undo`, undefined);
        assert.equal(undo.status, 200, undo.text);
        const undoRows = await rowsOf(client, undo.body.id);
        const names = (outcome: string) =>
          undoRows.flatMap((row) => (row.outcome === outcome ? [row.externalUid] : [])).sort();
        assert.deepEqual(names("KEPT"), [...kept.keys()].sort());
        const assignments = new Set(touched[1]!.map(({ id }) => id));
        const hasEffect = ({ outcome, assigned, screenerParticipantId }: JobRow) =>
          ["CREATED", "UPDATED", "REMOVED"].includes(outcome) || (assigned && assignments.has(screenerParticipantId));
        assert.deepEqual(
          names("REVERTED"),
          rows.flatMap((row) => (hasEffect(row) && !kept.has(row.externalUid) ? [row.externalUid] : [])).sort(),
        );
        for (const { reason } of undoRows) if (reason) reasons[reason] = (reasons[reason] ?? 0) + 1;
        undone++;
        checkPeople(await everything(scene), { before, touched, rows, kept });
        service.context.workspaces.read(client.workspaceId, assertCounts);
      },
    ),
    { numRuns: Math.max(RUNS, ENOUGH_RUNS) },
  );
  assert.ok(undone > MIN_UNDOS, `only ${undone} undos`);
  t.diagnostic(`${undone} undos: ${JSON.stringify(reasons)}`);
  assert.ok(Object.keys(reasons).length > 2, JSON.stringify(reasons));
});

/** Kept people are as after the touch, and reverted ones as before the import. */
function checkPeople(
  [people = [], assignments = [], sessions = []]: Lists,
  seen: {
    before: Lists;
    touched: Lists;
    rows: JobRow[];
    kept: Kept;
  },
): void {
  const { before, touched, rows, kept } = seen;
  const byUid = (list: Record<string, unknown>[] = []) => new Map(list.map((one) => [one.externalUid, one]));
  const [now, then, meanwhile] = [byUid(people), byUid(before[0]), byUid(touched[0])];
  const reverted = rows.filter(({ externalUid, outcome }) => !kept.has(externalUid) && outcome !== "REJECTED");
  const revertedUids = new Set(reverted.map(({ externalUid }) => externalUid));
  for (const [uid, one] of meanwhile) if (!revertedUids.has(uid as string)) assert.deepEqual(now.get(uid), one);
  for (const { externalUid, outcome } of reverted) {
    if (outcome === "CREATED") assert.equal(now.has(externalUid), false);
    if (outcome !== "UPDATED") continue;
    const values = (one?: Record<string, unknown>) => [one?.id, one?.email, one?.name];
    assert.deepEqual(values(now.get(externalUid)), values(then.get(externalUid)));
  }
  // Of assignments and sessions, what was there after the touches and is kept stays as it was.
  const ofKept = (one: Record<string, unknown>) => !revertedUids.has(one.externalParticipantUid as string);
  assert.deepEqual(assignments.filter(ofKept), touched[1]!.filter(ofKept));
  for (const row of reverted.filter(({ outcome }) => outcome === "REMOVED")) {
    const was = before[1]!.find(({ id }) => id === row.screenerParticipantId);
    const { name, email, ...is } = assignments.find(({ id }) => id === row.screenerParticipantId)!;
    const { name: formerName, email: formerEmail, ...expected } = was!;
    assert.deepEqual(is, expected);
  }
  assert.equal(sessions.length, touched[2]!.length);
}
