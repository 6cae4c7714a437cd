// Results are kept as long as they are right: after each kind of write the next ones are right, and nothing of an erased person stays.

import assert from "node:assert/strict";
import { after, test } from "node:test";
import { KeptAnswers } from "../../src/engine/threads/kept-answers.ts";
import { measure } from "../../src/results/measure.ts";
import type { Client } from "../support/client.ts";
import { sharedService } from "../support/service.ts";
import { writeTo } from "../support/store.ts";
import { everyKind, type Invitation, invite, type Published, publish } from "../support/study.ts";
import { until } from "../support/until.ts";

const service = await sharedService();
const { workspaces, keptAnswers, pool } = service.context;

/** How often a thread has measured results. */
let measured = 0;
const ask = pool.ask.bind(pool);
pool.ask = (task, input) => {
  if (task.name === "measure-results") measured++;
  return ask(task, input);
};
after(() => Object.assign(pool, { ask }));

const wait = { Prefer: "wait=60" };
const choice = (text: string) => [{ text, isWriteIn: false }];

interface Scene {
  client: Client;
  study: Published;
  links: Invitation[];
}

async function scene(): Promise<Scene> {
  const client = service.workspace();
  const study = await publish(client, everyKind, { targetQualifiedParticipants: 10 });
  return { client, study, links: await invite(client, study.screener, 5) };
}

async function answer(
  { client, study, links }: Scene,
  person: number,
  answers: Record<string, unknown>,
  complete = false,
) {
  const responses = Object.entries(answers).map(([key, given]) => ({
    screenerQuestionId: study.question[key],
    answer: given,
  }));
  const reply = await client.post(`/screener-sessions/${links[person]!.session}/responses`, { responses, complete });
  assert.equal(reply.status, 200, reply.text);
}

const all = (day: string) => ({ age: 30, smokes: choice("No"), drink: choice("Tea"), day });

const SPLIT = "attributes.town";

/** Asks twice. The first answer is what was measured just now, the second is the same, and was kept. */
async function assertRight({ client, study }: Scene, what: string, isNew = true): Promise<void> {
  const before = measured;
  for (const splitBy of [undefined, SPLIT]) {
    const path = `/screeners/${study.screener}/results${splitBy ? `?splitBy=${splitBy}` : ""}`;
    const right = workspaces.read(client.workspaceId, (db) =>
      measure(db, { screenerUid: study.screener, publicationUid: undefined, splitBy, fromQuestion: 0, questions: 100 }),
    );
    for (const time of ["first", "second"]) assert.equal((await client.get(path)).text, right.json, `${what}: ${time}`);
  }
  // What the service does by itself after a write, such as its upkeep, may come between.
  if (isNew) assert.ok(measured >= before + 2, `${what}: nothing was measured`);
}

async function participantOf({ client, links }: Scene, person: number): Promise<string> {
  return (await client.get(`/screener-participants/${links[person]!.assignment}`)).body.participantId;
}

test("after each kind of write the next results are right", async () => {
  const here = await scene();
  const { client, study, links } = here;
  const done = async (what: string, write: () => Promise<{ status: number; text: string }>) => {
    const { status, text } = await write();
    assert.ok(status < 300, `${what}: ${status} ${text}`);
    await assertRight(here, what);
  };
  await assertRight(here, "nobody has answered");
  await answer(here, 0, all("Slowly and surely"), true);
  await assertRight(here, "an answer");
  await answer(here, 1, { age: 40, smokes: choice("Yes") });
  await assertRight(here, "a page");
  await answer(here, 1, { age: 41, smokes: choice("Yes") });
  await assertRight(here, "the same page once more");
  await answer(here, 2, all("With a song"), true);
  await done("an override", () =>
    client.post(`/screener-sessions/${links[0]!.session}/override`, { outcome: "DISQUALIFIED", reason: "No." }),
  );
  const person = await participantOf(here, 1);
  await done("an attribute", () => client.patch(`/participants/${person}`, { attributes: { town: "York" } }));
  await done("the deletion of a session", () => client.delete(`/screener-sessions/${links[2]!.session}`));
  const kept = { externalUid: `${study.screener.slice(-8)}-0` };
  const sync = await client.import(study.screener, [kept], { importMode: "FULL_SYNC" }, wait);
  assert.equal(sync.status, 200, sync.text);
  await assertRight(here, "an import that removes");
  await done("its undo", () => client.post(`${sync.headers.get("location")}/undo`, {}, wait));
  await done("the removal of an assignment", () => client.delete(`/screener-participants/${links[3]!.assignment}`));
  const erased = await participantOf(here, 0);
  await done("an erasure", () => client.call("DELETE", `/participants/${erased}`, { headers: wait }));
  await done("a publication", () => client.post("/screener-publications", { screenerId: study.screener }));
});

test("nothing is measured again while nothing is written, and what many ask for at once is measured once", async () => {
  const here = await scene();
  const { client, study } = here;
  await answer(here, 0, all("Slowly"), true);
  const path = `/screeners/${study.screener}/results`;
  await until(async () => {
    const before = measured;
    const replies = await Promise.all(Array.from({ length: 8 }, () => client.get(path)));
    assert.equal(new Set(replies.map(({ text }) => text)).size, 1);
    await client.get(path);
    // Not where the service itself has written something between.
    return measured <= before + 1;
  }, "nothing was written meanwhile");
});

test("results that are wrong by now are thrown away, also if nobody asks for them", async () => {
  const here = await scene();
  await answer(here, 0, all("Xylophonically"), true);
  keptAnswers.close();
  const path = `/screeners/${here.study.screener}/results`;
  assert.match((await here.client.get(path)).text, /xylophonically/);
  await until(async () => keptAnswers.size > 0 || !(await here.client.get(path)), "they are kept");
  const id = await participantOf(here, 0);
  assert.equal((await here.client.call("DELETE", `/participants/${id}`, { headers: wait })).status, 200);
  await until(() => keptAnswers.size === 0, "they are gone", 5000);
  assert.doesNotMatch((await here.client.get(path)).text, /xylophonically/);
});

test("an answer that a write has overtaken is not kept, and is not given to requests after the write", async () => {
  const { workspaceId: id } = service.workspace();
  const kept = new KeptAnswers(workspaces);
  const slow = Promise.withResolvers<{ json: string }>();
  const old = kept.get(id, "a", () => slow.promise);
  const same = kept.get(id, "a", () => assert.fail("it is under way"));
  writeTo(workspaces, id, (db) => db.run("UPDATE store SET log_uid = 'another'"));
  const young = kept.get(id, "a", async () => ({ json: "2" }));
  const alsoYoung = kept.get(id, "a", () => assert.fail("it waits"));
  slow.resolve({ json: "1" });
  assert.deepEqual(
    (await Promise.all([old, same, young, alsoYoung])).map(({ json }) => json),
    ["1", "1", "2", "2"],
  );
  assert.deepEqual(await kept.get(id, "a", () => assert.fail("it is kept")), { json: "2" });
  await assert.rejects(
    kept.get(id, "b", () => Promise.reject(new Error("It fails."))),
    /It fails/,
  );
  assert.deepEqual(await kept.get(id, "b", async () => ({ json: "b" })), { json: "b" });
  workspaces.forget(id);
  await until(() => kept.size === 0, "what belongs to a closed store is gone", 5000);
});
