// Places in quotas that lapse, that several sessions of one participant share, and that cells of several versions give.

import assert from "node:assert/strict";
import { test } from "node:test";
import { sharedService } from "../support/service.ts";
import { writeTo } from "../support/store.ts";
import { type Invitation, invite, type Published, publish, readSession } from "../support/study.ts";

const service = await sharedService();
const client = service.workspace();

const select = (id: string, texts: string[]) => ({
  id,
  key: id,
  _type: "ScreenerSingleSelectQuestion",
  prompt: `${id}?`,
  required: true,
  options: texts.map((text) => ({ id: text, text })),
});
/** Two pages. Who has a red car is screened out. */
const pages = [
  { title: "Sex", questions: [select("sex", ["woman", "man"])] },
  {
    title: "Car",
    disqualifyWhen: { questionId: "car", equals: "red" },
    questions: [select("car", ["red", "blue", "none"])],
  },
];
const women = { questionId: "sex", equals: "woman" };
const drivers = { questionId: "car", equals: "blue" };
const british = { attribute: "country", is: "GB" };

interface Place {
  state: string;
  reason: string | null;
  screenerSessionId: string;
  isOverLimit: boolean;
  expiresAt: string | null;
}

const quotasOf = (screener: string) => client.all(`/screeners/${screener}/quotas`);
const counts = async ({ screener }: Published) =>
  Object.fromEntries(
    (await quotasOf(screener)).map(({ name, taken, held, status }) => [name, `${taken} + ${held} ${status}`]),
  );
async function placesOf({ screener }: Published, name: string, filter = ""): Promise<Place[]> {
  const { id } = (await quotasOf(screener)).find((quota) => quota.name === name)!;
  return client.all(`/screener-quotas/${id}/places${filter}`);
}
const linesOf = async (study: Published, name: string) =>
  (await placesOf(study, name)).map(({ state, reason, screenerSessionId }) => [state, reason, screenerSessionId]);

async function send({ question }: Published, session: string, given: Record<string, string>, complete = false) {
  const responses = Object.entries(given).map(([key, text]) => ({
    screenerQuestionId: question[key],
    answer: [{ text, isWriteIn: false }],
  }));
  const answer = await client.post(`/screener-sessions/${session}/responses`, { responses, complete });
  assert.equal(answer.status, 200, answer.text);
  return answer.body;
}
const outcome = ({ state, outcomeReason }: { state: string; outcomeReason: string | null }) => [state, outcomeReason];
const override = (session: string, to: string) =>
  client.post(`/screener-sessions/${session}/override`, { outcome: to, reason: "Said so" });
const remove = (session: string) => client.delete(`/screener-sessions/${session}`);

/** Another session of the same assignment, after the first one was completed. */
async function again({ assignment }: Invitation): Promise<string> {
  const { status, body } = await client.open(assignment);
  assert.equal(status, 201);
  return body.id;
}

async function setAttributes({ assignment }: Invitation, attributes: object): Promise<void> {
  const { participantId } = (await client.get(`/screener-participants/${assignment}`)).body;
  assert.equal((await client.patch(`/participants/${participantId}`, { attributes })).status, 200);
}

/** As if what a session holds had been held for longer than it may be. */
function lapse(session: string): void {
  writeTo(service.context.workspaces, client.workspaceId, (db) =>
    db.run(
      `UPDATE quota_place SET expires_at = 1 WHERE state = 'HELD'
         AND session_id = (SELECT id FROM screener_session WHERE uid = ?)`,
      session,
    ),
  );
}

async function several<Count extends number>(study: Published, count: Count): Promise<Invitation[]> {
  const links = await invite(client, study.screener, count);
  assert.equal(links.length, count);
  return links;
}

test("a hold that has lapsed is free in all lists without a write, and is claimed again by those who come back", async () => {
  const study = await publish(client, { pages, quotas: [{ name: "Women", when: women, limit: 1 }] });
  const [ada, bea] = (await several(study, 2)) as [Invitation, Invitation];
  const before = Date.now();
  await send(study, ada.session, { sex: "woman" });
  const [held] = await placesOf(study, "Women");
  const expiresAt = Date.parse(held!.expiresAt!);
  assert.ok(expiresAt >= before + 30 * 60_000 && expiresAt <= Date.now() + 30 * 60_000, held!.expiresAt!);
  assert.deepEqual(await counts(study), { Women: "0 + 1 HELD_FULL" });

  lapse(ada.session);
  const stored = () => service.context.workspaces.read(client.workspaceId, (db) => db.all("SELECT * FROM quota_place"));
  const untouched = stored();
  assert.deepEqual(await counts(study), { Women: "0 + 0 OPEN" });
  assert.deepEqual(await linesOf(study, "Women"), [["RELEASED", "LAPSED", ada.session]]);
  assert.equal((await placesOf(study, "Women", "?filter[state][eq]=HELD")).length, 0);
  assert.equal((await placesOf(study, "Women", "?filter[state][eq]=RELEASED")).length, 1);
  assert.deepEqual(stored(), untouched);

  // There is room, so it is as if it had not lapsed.
  await send(study, ada.session, { sex: "woman" });
  assert.deepEqual(await counts(study), { Women: "0 + 1 HELD_FULL" });
  lapse(ada.session);
  // Somebody else takes what is free.
  await send(study, bea.session, { sex: "woman", car: "none" }, true);
  assert.deepEqual(await counts(study), { Women: "1 + 0 FULL" });
  assert.deepEqual(outcome(await send(study, ada.session, { car: "blue" })), ["COMPLETED", "OVER_QUOTA"]);
  assert.deepEqual(await linesOf(study, "Women"), [
    ["RELEASED", "LAPSED", ada.session],
    ["RELEASED", "LAPSED", ada.session],
    ["TAKEN", null, bea.session],
  ]);
});

test("a claim gives back as many lapsed holds of others as it needs, and they stay given back when the clock is set back", async () => {
  const study = await publish(client, { pages, quotas: [{ name: "Women", when: women, limit: 3 }] });
  const [ada, bea, cleo, dora] = (await several(study, 4)) as [Invitation, Invitation, Invitation, Invitation];
  const first = [ada, bea, cleo];
  for (const { session } of first) await send(study, session, { sex: "woman" });
  for (const { session } of first) lapse(session);
  const stored = () =>
    service.context.workspaces.read(client.workspaceId, (db) =>
      db.values<string>(
        `SELECT p.state FROM quota_place AS p JOIN screener_session AS s ON s.id = p.session_id JOIN screener AS r ON r.id = s.screener_id
         WHERE r.uid = ? ORDER BY p.id`,
        study.screener,
      ),
    );
  await send(study, dora.session, { sex: "woman", car: "none" }, true);
  assert.deepEqual(stored().sort(), ["HELD", "HELD", "RELEASED", "TAKEN"]);
  assert.deepEqual(await counts(study), { Women: "1 + 0 OPEN" });

  writeTo(service.context.workspaces, client.workspaceId, (db) =>
    db.run("UPDATE quota_place SET expires_at = ? WHERE state = 'HELD' AND expires_at = 1", Date.now() + 60_000),
  );
  assert.deepEqual(await counts(study), { Women: "1 + 2 HELD_FULL" });
  const ends: unknown[] = [];
  for (const { session } of first) ends.push(outcome(await send(study, session, { car: "blue" }, true))[1]);
  assert.deepEqual(ends.sort(), ["OVER_QUOTA", null, null]);
  assert.deepEqual(await counts(study), { Women: "3 + 0 FULL" });
});

test("of a session that enters and leaves a quota again and again the last place that it gave back is kept", async () => {
  const study = await publish(client, { pages, quotas: [{ name: "Women", when: women, limit: 5 }] });
  const [ada, bea] = (await several(study, 2)) as [Invitation, Invitation];
  const left = ["RELEASED", "ANSWERS_CHANGED", ada.session];
  for (let times = 0; times < 4; times++) {
    await send(study, ada.session, { sex: "woman" });
    assert.deepEqual(await linesOf(study, "Women"), [...(times ? [left] : []), ["HELD", null, ada.session]]);
    await send(study, ada.session, { sex: "man" });
  }
  await send(study, bea.session, { sex: "woman" });
  await send(study, ada.session, { sex: "woman" });
  assert.deepEqual(await linesOf(study, "Women"), [left, ["HELD", null, bea.session], ["HELD", null, ada.session]]);
  assert.deepEqual(await counts(study), { Women: "0 + 2 OPEN" });
});

test("a hold that has lapsed keeps that reason, whatever becomes of its session", async () => {
  const study = await publish(client, { pages, quotas: [{ name: "Women", when: women, limit: 9 }] });
  const [screenedOut, changed, removed, unassigned] = await several(study, 4);
  const ends: [Invitation, () => Promise<unknown>][] = [
    [screenedOut!, () => send(study, screenedOut!.session, { car: "red" })],
    [changed!, () => send(study, changed!.session, { sex: "man" })],
    [removed!, () => remove(removed!.session)],
    [unassigned!, () => client.delete(`/screener-participants/${unassigned!.assignment}`)],
  ];
  for (const [{ session }, end] of ends) {
    await send(study, session, { sex: "woman" });
    lapse(session);
    const before = (await placesOf(study, "Women")).at(-1);
    await end();
    assert.deepEqual((await placesOf(study, "Women")).at(-1), before);
    assert.deepEqual([before?.state, before?.reason], ["RELEASED", "LAPSED"]);
  }
});

test("sessions of one participant share a place; when the one that has it goes, another one that counts gets it", async () => {
  const quotas = [
    { name: "Women", when: women, limit: 1 },
    { name: "Drivers", when: drivers, limit: 1 },
  ];
  const study = await publish(client, { pages, quotas });
  const [ada, bea] = (await several(study, 2)) as [Invitation, Invitation];
  await send(study, ada.session, { sex: "woman", car: "none" }, true);
  const second = await again(ada);
  // First in another cell, then in that of the session before.
  await send(study, second, { sex: "man" });
  assert.deepEqual(await counts(study), { Women: "1 + 0 FULL", Drivers: "0 + 0 OPEN" });
  await send(study, second, { sex: "woman", car: "blue" }, true);
  assert.deepEqual(await counts(study), { Women: "1 + 0 FULL", Drivers: "1 + 0 FULL" });
  await remove(ada.session);
  assert.deepEqual(await counts(study), { Women: "1 + 0 FULL", Drivers: "1 + 0 FULL" });
  assert.deepEqual(await linesOf(study, "Women"), [["TAKEN", null, second]]);
  assert.deepEqual(outcome(await send(study, bea.session, { sex: "woman" })), ["COMPLETED", "OVER_QUOTA"]);
  await remove(second);
  assert.deepEqual(await counts(study), { Women: "0 + 0 OPEN", Drivers: "0 + 0 OPEN" });
});

test("which cells a completed session is in is not decided again: attributes may change, and answers may go", async () => {
  const quotas = [
    { name: "British", when: british, limit: 1 },
    { name: "Women", when: women, limit: 1 },
    { name: "Others", when: { not: british }, limit: 9 },
  ];
  const study = await publish(client, { pages, quotas });
  const [ada] = (await several(study, 1)) as [Invitation];
  await setAttributes(ada, { country: "GB" });
  await send(study, ada.session, { sex: "woman", car: "none" }, true);
  const second = await again(ada);
  await send(study, second, { sex: "woman", car: "none" }, true);
  await setAttributes(ada, { country: "FR" });
  writeTo(service.context.workspaces, client.workspaceId, (db) => db.run("DELETE FROM screener_response"));
  const full = { British: "1 + 0 FULL", Women: "1 + 0 FULL", Others: "0 + 0 OPEN" };
  assert.deepEqual(await counts(study), full);
  await remove(ada.session);
  assert.deepEqual(await counts(study), full);
  await override(second, "DISQUALIFIED");
  assert.deepEqual(await counts(study), { British: "0 + 0 OPEN", Women: "0 + 0 OPEN", Others: "0 + 0 OPEN" });
  await override(second, "BY_RULES");
  assert.deepEqual(await counts(study), full);
});

test("overrides there and back: places go and come, and only those over the limit are marked", async () => {
  const study = await publish(client, { pages, quotas: [{ name: "Women", when: women, limit: 1 }] });
  const [ada, bea] = (await several(study, 2)) as [Invitation, Invitation];
  await send(study, ada.session, { sex: "woman", car: "none" }, true);
  await override(ada.session, "DISQUALIFIED");
  await send(study, bea.session, { sex: "woman", car: "none" }, true);
  await override(ada.session, "BY_RULES");
  assert.deepEqual(await counts(study), { Women: "2 + 0 FULL" });
  const marks = async () =>
    (await placesOf(study, "Women", "?filter[state][eq]=TAKEN")).map((one) => [one.screenerSessionId, one.isOverLimit]);
  assert.deepEqual(await marks(), [
    [bea.session, false],
    [ada.session, true],
  ]);
  await override(ada.session, "QUALIFIED");
  assert.equal((await marks()).length, 2);
  await override(bea.session, "DISQUALIFIED");
  await override(ada.session, "DISQUALIFIED");
  const { id } = (await quotasOf(study.screener))[0]!;
  await client.patch(`/screener-quotas/${id}`, { paused: true });
  // It is paused, and has room.
  await override(ada.session, "QUALIFIED");
  assert.deepEqual(await marks(), [[ada.session, false]]);
});

test("attributes that change between two pages: what is held in the former cell is given back, and the other one is claimed", async () => {
  const quotas = [
    { name: "British", when: british, limit: 1 },
    { name: "French", when: { attribute: "country", is: "FR" }, limit: 1 },
  ];
  const study = await publish(client, { pages, quotas });
  const [ada, bea] = (await several(study, 2)) as [Invitation, Invitation];
  for (const one of [ada, bea]) await setAttributes(one, { country: "GB" });
  await send(study, ada.session, { sex: "woman" });
  assert.deepEqual(await counts(study), { British: "0 + 1 HELD_FULL", French: "0 + 0 OPEN" });
  await setAttributes(ada, { country: "FR" });
  await send(study, ada.session, { sex: "woman" });
  assert.deepEqual(await counts(study), { British: "0 + 0 OPEN", French: "0 + 1 HELD_FULL" });
  await send(study, bea.session, { sex: "woman" });
  await setAttributes(bea, { country: "FR" });
  assert.deepEqual(outcome(await send(study, bea.session, { sex: "man" })), ["COMPLETED", "OVER_QUOTA"]);
  assert.deepEqual(await counts(study), { British: "0 + 0 OPEN", French: "0 + 1 HELD_FULL" });
});

test("an older version claims its own cells as it has them: retired, or with another mode since", async () => {
  const quotas = [
    { name: "Women", when: women, limit: 1 },
    { name: "Drivers", when: drivers, mode: "COUNT", limit: 1 },
  ];
  const study = await publish(client, { pages, quotas });
  const old = await several(study, 4);
  const path = `/screeners/${study.screener}/content`;
  const { body: draft } = await client.get(path);
  const republish = async (cells: object[]) => {
    const { status, text } = await client.call("PUT", path, { body: { ...draft, quotas: cells } });
    assert.equal(status, 200, text);
    assert.equal((await client.post("/screener-publications", { screenerId: study.screener })).status, 201);
  };
  // "Women" is gone, and "Drivers" has a limit.
  await republish([{ ...draft.quotas[1], mode: "LIMIT" }]);
  await send(study, old[0]!.session, { sex: "woman", car: "blue" }, true);
  assert.deepEqual(await counts(study), { Drivers: "1 + 0 FULL", Women: "1 + 0 RETIRED" });
  assert.deepEqual(outcome(await send(study, old[1]!.session, { sex: "woman" })), ["COMPLETED", "OVER_QUOTA"]);
  // By their version it only counts, so nobody is turned away; but it is marked.
  await send(study, old[2]!.session, { sex: "man", car: "blue" }, true);
  assert.deepEqual(await counts(study), { Drivers: "2 + 0 FULL", Women: "1 + 0 RETIRED" });
  assert.deepEqual(
    (await placesOf(study, "Drivers")).map(({ isOverLimit }) => isOverLimit),
    [false, true],
  );
  const [invited] = await client
    .import(study.screener, [{ externalUid: "NEW", email: "new@example.org", name: "New" }])
    .then(({ body }) => body);
  const newer = (await client.open(invited.id)).body.id;
  assert.deepEqual(outcome(await send(study, newer, { sex: "man", car: "blue" }, true)), ["COMPLETED", "OVER_QUOTA"]);
  // Back, with the same id: it has counted on.
  await republish(draft.quotas);
  assert.deepEqual(await counts(study), { Women: "1 + 0 FULL", Drivers: "2 + 0 OPEN" });
});

test("of two cells that are full at once the session names both, in their order, and ends if one of them ends it now", async () => {
  const quotas = [
    { name: "Women", when: women, limit: 0, ending: { at: "END", thankYou: "Enough women" } },
    { name: "Drivers", when: drivers, limit: 0, ending: { at: "NOW", thankYou: "Enough drivers" } },
    { name: "All", when: { any: [women, { not: women }] }, limit: 5 },
  ];
  const study = await publish(client, { pages, quotas });
  const [ada] = (await several(study, 1)) as [Invitation];
  assert.deepEqual(outcome(await send(study, ada.session, { sex: "woman" })), ["IN_PROGRESS", null]);
  assert.deepEqual(await counts(study), { Women: "0 + 0 FULL", Drivers: "0 + 0 FULL", All: "0 + 0 OPEN" });
  assert.deepEqual(outcome(await send(study, ada.session, { car: "blue" })), ["COMPLETED", "OVER_QUOTA"]);
  const ids = (await quotasOf(study.screener)).map(({ id }) => id);
  assert.deepEqual((await readSession(client, ada.session)).outcomeQuotaIds, ids.slice(0, 2));
  const page = await (await fetch(`${service.url}${ada.path}?done`)).text();
  assert.match(page, /Enough women/);
  assert.doesNotMatch(page, /Enough drivers/);
});

test("removal and return: what was held is free, what was taken stays the participant's one place", async () => {
  const study = await publish(client, { pages, quotas: [{ name: "Women", when: women, limit: 2 }] });
  const [ada, bea] = (await several(study, 2)) as [Invitation, Invitation];
  const rows = (await client.all("/participants"))
    .filter(({ externalUid }) => externalUid.startsWith(study.screener.slice(-8)))
    .map(({ externalUid, email, name }) => ({ externalUid, email, name }));
  await send(study, ada.session, { sex: "woman", car: "none" }, true);
  await send(study, bea.session, { sex: "woman" });
  assert.deepEqual(await counts(study), { Women: "1 + 1 HELD_FULL" });
  const stranger = { externalUid: "SOMEBODY", email: "somebody@example.org", name: "Somebody" };
  const sync = await client.import(study.screener, [stranger], { importMode: "FULL_SYNC", maxRemovals: 2 });
  assert.equal(sync.status, 200, sync.text);
  assert.deepEqual(await counts(study), { Women: "1 + 0 OPEN" });
  assert.deepEqual((await linesOf(study, "Women"))[1], ["RELEASED", "UNASSIGNED", bea.session]);
  const jobs = await client.all("/jobs?filter[kind][eq]=SCREENER_PARTICIPANTS_IMPORT&sort=-createdAt");
  assert.equal((await client.post(`/jobs/${jobs[0].id}/undo`, undefined)).status, 200);
  // The undo restores no hold; the next submission claims.
  assert.deepEqual(await counts(study), { Women: "1 + 0 OPEN" });
  await send(study, bea.session, { sex: "woman" });
  assert.deepEqual(await counts(study), { Women: "1 + 1 HELD_FULL" });
  await client.import(study.screener, [stranger], { importMode: "FULL_SYNC", maxRemovals: 2 });
  // Assigned again, each has another session.
  const back = await client.import(study.screener, rows);
  assert.equal(back.status, 200, back.text);
  const sessions: string[] = [];
  for (const { id } of back.body) sessions.push((await client.open(id)).body.id);
  const [adaAgain, beaAgain] = sessions as [string, string];
  for (const session of sessions) await send(study, session, { sex: "woman", car: "none" }, true);
  assert.deepEqual(await counts(study), { Women: "2 + 0 FULL" });
  await remove(ada.session);
  assert.deepEqual(await counts(study), { Women: "2 + 0 FULL" });
  await remove(adaAgain);
  await remove(beaAgain);
  assert.deepEqual(await counts(study), { Women: "0 + 0 OPEN" });
});
