// The example that follows the feed: its copy of a workspace is what the lists show, whatever was written.

import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { assertCounts } from "../support/counts.ts";
import { Mirror } from "../support/mirror.ts";
import { action, newModel } from "../support/model.ts";
import { LONG_RUNS, newScene, opened, openSome, payload, sendAndApply } from "../support/random-imports.ts";
import { sharedService } from "../support/service.ts";
import { withdraw, writeTo } from "../support/store.ts";
import { invite, publish } from "../support/study.ts";

const service = await sharedService();

const idsOf = async (path: string, client: { all(path: string): Promise<{ id: string }[]> }) =>
  (await client.all(path)).map(({ id }) => id);

test("a copy that follows the feed is what the lists show: participants, assignments, sessions and answers", async () => {
  const client = service.workspace();
  const model = await newModel(client);
  const mirror = new Mirror();
  mirror.start(client, "--from-start");
  for (const act of fc.sample(action, { numRuns: 150, seed: 20_260_122 })) await act(client, model);
  await mirror.caughtUp(client);
  await mirror.assertSame(client);
  assert.deepEqual(mirror.events(), await idsOf("/events", client));
  assert.ok(!mirror.output.includes("are gone"), mirror.output);
});

test("a copy has what people decide of sessions, and what they withdraw from", async () => {
  const client = service.workspace();
  const terms = { id: "terms", key: "terms", _type: "ScreenerConsentQuestion", prompt: "Agreed?", text: "We keep it." };
  const study = await publish(client, { pages: [{ title: "Terms", questions: [terms] }] });
  await client.patch(`/screeners/${study.screener}`, { review: "ALL" });
  const people = await invite(client, study.screener, 5);
  const mirror = new Mirror();
  mirror.start(client, "--from-start");
  const responses = [{ screenerQuestionId: study.question.terms, answer: { isGiven: true } }];
  for (const { session } of people)
    await client.post(`/screener-sessions/${session}/responses`, { responses, complete: true });
  const [accepted, rejected, overridden, withdrawn] = people.map(({ session }) => session);
  await client.post(`/screener-sessions/${accepted}/review`, { decision: "ACCEPTED" });
  await client.post(`/screener-sessions/${rejected}/review`, { decision: "REJECTED", reason: "Copied" });
  await client.post(`/screener-sessions/${overridden}/override`, { outcome: "DISQUALIFIED", reason: "x" });
  await client.post(`/screener-sessions/${overridden}/override`, { outcome: "BY_RULES", reason: "x" });
  withdraw(service, client, withdrawn!);
  await mirror.caughtUp(client);
  await mirror.assertSame(client);
  assert.equal((await client.delete(`/screener-sessions/${withdrawn}/responses`)).status, 200);
  await mirror.caughtUp(client);
  await mirror.assertSame(client);
});

/** More of them in a long run. */
const seeds = Array.from({ length: 1 + LONG_RUNS }, (_, index) => 20_260_123 + index);

for (const seed of seeds)
  test(`copies follow imports with plans, undos, what is erased and what is deleted, however late: seed ${seed}`, async () => {
    const client = service.workspace();
    const scene = await newScene(client);
    // One reader is killed now and then, one is away from the first third on, and one begins when all is over.
    const [mirror, away, late] = [new Mirror(), new Mirror(), new Mirror()];
    const start = (one: Mirror) => one.start(client, "--from-start");
    start(mirror);
    start(away);
    const steps = fc.sample(fc.tuple(payload, opened, fc.nat(14), fc.nat(1000), fc.nat(1000)), { numRuns: 60, seed });
    let undone = 0;
    let erased = 0;
    for (const [index, [one, sessions, what, pick, other]] of steps.entries()) {
      if (index === 20) {
        await away.caughtUp(client);
        await away.kill();
      }
      const job = await sendAndApply(scene, one);
      await openSome(scene, sessions);
      const participants = await idsOf("/participants", client);
      const participant = participants[pick % participants.length];
      if (what < 4 && job.status === "SUCCEEDED") {
        const { body } = await client.post(`/jobs/${job.id}/undo`, { dryRun: what === 1 });
        if (what === 1) await client.post(`/jobs/${body.id}/apply`, undefined);
        if (what === 2) await client.post(`/jobs/${body.id}/undo`, undefined);
        undone++;
      }
      if ([4, 8, 13, 14].includes(what) && participant) {
        assert.equal((await client.delete(`/participants/${participant}`)).status, 200);
        erased++;
      }
      if (what === 5) await client.post("/screener-sessions", { screenerId: scene.screeners[pick % 2] });
      if (what === 8) {
        const screenerId = scene.screeners[pick % 2];
        await client.post("/screener-publications", { screenerId });
        const { body } = await client.post("/screener-sessions-move", { screenerId });
        if (pick % 3 === 0) await client.post(`/jobs/${body.id}/undo`, undefined);
      }
      if (what === 6 && participant)
        await client.patch(`/participants/${participant}`, { attributes: { visits: pick, "a.b": "c", gone: null } });
      if (what === 7) {
        await mirror.kill();
        start(mirror);
      }
      if (what === 9) {
        const [assignment] = await idsOf("/screener-participants", client);
        if (assignment) await client.delete(`/screener-participants/${assignment}`);
      }
      // Names, emails and ids go from one to another; those that somebody has are refused.
      if (what > 9 && what < 13 && participant)
        for (const change of [
          { name: `Name ${other % 4}` },
          { email: `e${other % 8}@x.org` },
          { externalUid: `P-${other % 10}` },
        ])
          await client.patch(`/participants/${participant}`, change);
    }
    assert.ok(undone > 5 && erased > 2, `${undone} ${erased}`);
    for (const one of [away, late]) start(one);
    const assertSame = async () => {
      for (const one of [mirror, away, late]) {
        await one.caughtUp(client);
        await one.assertSame(client);
      }
    };
    await assertSame();
    assert.equal((await client.delete(`/screeners/${scene.screeners[0]}?confirm=A%20study`)).status, 200);
    await assertSame();
    const events = await idsOf("/events", client);
    for (const one of [mirror, away, late]) assert.deepEqual(one.events(), events);
    service.context.workspaces.read(client.workspaceId, assertCounts);
  });

test("a copy loses whom an undo removed, though somebody of the same name is erased before it sees that", async () => {
  const client = service.workspace();
  const screenerId = await client.screener();
  const send = () => client.import(screenerId, [{ externalUid: "P-6", email: "six@example.org", name: "Six" }]);
  const mirror = new Mirror();
  mirror.start(client, "--from-start");
  const { headers } = await send();
  await mirror.caughtUp(client);
  await mirror.kill();
  assert.equal((await client.post(`${headers.get("location")}/undo`, undefined)).body.summary.reverted, 1);
  await send();
  const [again] = await idsOf("/participants", client);
  assert.equal((await client.delete(`/participants/${again}`)).status, 200);
  mirror.start(client, "--from-start");
  await mirror.caughtUp(client);
  await mirror.assertSame(client);
  assert.ok(!mirror.output.includes("are gone"), mirror.output);
});

test("a reader that begins late, or whose cursor is gone, begins with the lists", async () => {
  const client = service.workspace();
  const { screenerId } = await client.published(20);
  await client.post("/screener-sessions", { screenerId });
  const mirror = new Mirror();
  mirror.start(client);
  await mirror.caughtUp(client);
  await mirror.assertSame(client);
  assert.deepEqual(mirror.events(), []);
  await mirror.kill();
  const [assignment] = await idsOf("/screener-participants", client);
  await client.delete(`/screener-participants/${assignment}`);
  // As upkeep does, after EVENTS_TTL_DAYS.
  writeTo(service.context.workspaces, client.workspaceId, (db) =>
    db.run("UPDATE event SET uid = 'gone-' || uid WHERE id < (SELECT max(id) FROM event)"),
  );
  mirror.start(client);
  await mirror.caughtUp(client);
  await mirror.assertSame(client);
});
