// Feasibility says how many people of the roster fit by their attributes, in which quotas, and how many of them can be written to.

import assert from "node:assert/strict";
import { test } from "node:test";
import { findLastOf } from "../../src/feasibility/queries.ts";
import { type Client, UNKNOWN } from "../support/client.ts";
import { signedIn } from "../support/console.ts";
import { pages } from "../support/quota-pages.ts";
import { sharedService } from "../support/service.ts";
import { pausedMailing, seeded, writeTo } from "../support/store.ts";
import { type Published, publish } from "../support/study.ts";

const service = await sharedService();

const site = (is: string) => ({ attribute: "site", is });
const older = { attribute: "age", atLeast: 40 };

interface Counts {
  fit: number;
  finished: number;
  noContact: Record<string, number>;
  remaining: number;
}
interface Cell extends Counts {
  id: string | null;
  name: string;
  placesLeft: number | null;
  dependsOnAnswers: number;
}
interface Feasibility extends Counts {
  people: number;
  counted: number;
  quotas: Cell[];
}

async function feasibilityOf(client: Client, screener: string, body: object = {}): Promise<Feasibility> {
  const reply = await client.post(`/screeners/${screener}/feasibility`, body);
  assert.equal(reply.status, 200, reply.text);
  return reply.body;
}

const briefly = ({ name, fit, dependsOnAnswers, remaining }: Cell) =>
  `${name}: ${fit} fit, ${dependsOnAnswers} by answers, ${remaining} remain`;

interface Person {
  externalUid: string;
  name: string;
  email: string;
  attributes: Record<string, string | number | boolean>;
}

async function add(
  client: Client,
  study: Published,
  people: Person[],
): Promise<{ id: string; participantId: string }[]> {
  const { status, text, body } = await client.import(study.screener, people);
  assert.equal(status, 200, text);
  return body;
}

const made = (count: number, attributes: (at: number) => Person["attributes"]): Person[] =>
  Array.from({ length: count }, (_, at) => ({
    ...{ externalUid: `P${at}`, name: `Person ${at}`, email: `p${at}@example.org` },
    attributes: attributes(at),
  }));

test("who is screened out by attributes does not fit; who may be in a quota counts there, and it says for how many answers decide", async () => {
  const client = service.workspace();
  const random = seeded(31);
  const study = await publish(client, {
    pages: [{ ...pages[0], disqualifyWhen: { attribute: "panel", is: "closed" } }, pages[1], pages[2]],
    qualifyWhen: {
      any: [
        { attribute: "country", oneOf: ["GB", "IE"] },
        { questionId: "town", equals: "York" },
      ],
    },
    quotas: [
      { name: "Leeds", when: site("Leeds"), limit: 5 },
      { name: "Older women", when: { all: [older, { questionId: "sex", equals: "woman" }] }, limit: 5 },
      { name: "Odd key", when: { attribute: "__proto__", exists: true }, mode: "COUNT" },
      { name: "Everybody", when: null, limit: 50 },
    ],
  });
  const people = made(120, () => ({
    ...(random() < 0.8 && { site: random() < 0.5 ? "Leeds" : "York" }),
    ...(random() < 0.9 && { age: Math.floor(20 + 50 * random()) }),
    panel: random() < 0.2 ? "closed" : "open",
    country: random() < 0.5 ? "GB" : "FR",
    note: `${random()}`,
  }));
  people[0]!.attributes = JSON.parse('{"__proto__":"yes","country":"GB"}');
  await add(client, study, people);
  // Of a text, an answer may still come: so a rule that asks for both screens nobody out before it.
  const fitting = people.filter(({ attributes }) => attributes.panel !== "closed");
  const of = (isIn: (attributes: Person["attributes"]) => boolean) =>
    fitting.filter(({ attributes }) => isIn(attributes)).length;
  const [leeds, old] = [of(({ site }) => site === "Leeds"), of(({ age }) => Number(age) >= 40)];
  assert.ok(leeds > 10 && old > 10 && fitting.length < 120);
  const { people: all, counted, fit, remaining, quotas } = await feasibilityOf(client, study.screener);
  assert.deepEqual([all, counted, fit, remaining], [120, 120, fitting.length, fitting.length]);
  assert.deepEqual(quotas.map(briefly), [
    `Leeds: ${leeds} fit, 0 by answers, ${leeds} remain`,
    `Older women: ${old} fit, ${old} by answers, ${old} remain`,
    "Odd key: 1 fit, 0 by answers, 1 remain",
    `Everybody: ${fitting.length} fit, 0 by answers, ${fitting.length} remain`,
  ]);
  // Where attributes alone decide, the last rule counts, too.
  const { body: draft } = await client.get(`/screeners/${study.screener}/content`);
  await client.call("PUT", `/screeners/${study.screener}/content`, {
    body: { ...draft, qualifyWhen: { attribute: "country", is: "GB" }, quotas: [] },
  });
  const british = await feasibilityOf(client, study.screener);
  assert.deepEqual([british.fit, british.quotas], [of(({ country }) => country === "GB"), []]);
});

test("people are told apart by each attribute that rules name, whatever its key and its value, and however many there are", async () => {
  const client = service.workspace();
  const odd = ['a"b', "a\\b", "it's", "$.x", "x[0]", "é", "constructor", "a.b", "?"];
  const values = [1, "1", true, "true", 'say "x", [1]', "ü\u2028"];
  const many = Array.from({ length: 760 }, (_, at) => `k${at}`);
  const has = (attribute: string) => ({ attribute, exists: true });
  // What a quota asks for, and how many people are in it.
  const wanted: [when: object, fit: number][] = [
    ...odd.map((key): [object, number] => [has(key), key === "é" ? 1 + values.length : 1]),
    [{ attribute: "é", atLeast: 1 }, 2],
    [{ attribute: "é", is: "1" }, 2],
    [{ attribute: "é", contains: "t" }, 1],
    [{ attribute: "é", oneOf: ["true", "ü\u2028"] }, 3],
    [{ attribute: "é", contains: '"x", [1]' }, 1],
    ...[0, 190, 380, 570].map((from): [object, number] => [{ any: many.slice(from, from + 190).map(has) }, 2]),
  ];
  const quotas = wanted.map(([when], at) => ({ name: `Quota ${at}`, when, mode: "COUNT" }));
  const study = await publish(client, { pages, quotas });
  const owned: Person["attributes"][] = [
    ...odd.map((key) => ({ [key]: "yes", other: "é" })),
    ...values.map((value) => ({ é: value })),
    ...[0, 189, 190, 379, 380, 499, 700, 759].map((at) => ({ [many[at]!]: at })),
    {},
  ];
  await add(
    client,
    study,
    made(owned.length, (at) => owned[at]!),
  );
  const found = await feasibilityOf(client, study.screener);
  assert.equal(found.fit, owned.length);
  assert.deepEqual(
    found.quotas.map((quota, at) => [wanted[at]![0], quota.fit]),
    wanted,
  );
  // A single key.
  const alone = await feasibilityOf(client, study.screener, { quotas: quotas.slice(odd.length, odd.length + 1) });
  assert.deepEqual(
    alone.quotas.map(({ fit }) => fit),
    [2],
  );
});

test("who has finished, or is not to be written to, does not remain: each counts once, by the first reason", async () => {
  const client = service.workspace();
  const study = await publish(client, {
    pages,
    quotas: [
      { name: "Leeds", when: site("Leeds"), limit: 4 },
      { name: "York", when: site("York"), mode: "COUNT" },
    ],
  });
  const added = await add(
    client,
    study,
    made(10, (at) => ({ site: at < 8 ? "Leeds" : "York" })),
  );
  const [done, silent, marked, left, , contacted] = added.map(({ participantId }) => participantId);
  const { question } = study;
  const { body: session } = await client.post("/screener-sessions", { screenerParticipantId: added[0]!.id });
  const finished = await client.post(`/screener-sessions/${session.id}/responses`, {
    responses: [
      { screenerQuestionId: question.sex, answer: [{ text: "Woman", isWriteIn: false }] },
      { screenerQuestionId: question.age, answer: 40 },
      { screenerQuestionId: question.town, answer: "Leeds" },
    ],
    complete: true,
  });
  assert.equal(finished.status, 200, finished.text);
  // They have finished, whatever else is there.
  await client.patch(`/participants/${done}`, { email: null });
  await client.patch(`/participants/${silent}`, { email: null });
  await client.patch(`/participants/${marked}`, { doNotContact: { reason: "Asked" } });
  await client.post("/mail-suppressions", { address: "p4@example.org", reason: "BOUNCED" });
  pausedMailing(service, client, { screener: study.screener, participant: contacted! });
  writeTo(service.context.workspaces, client.workspaceId, (db) => {
    db.run("UPDATE message SET contacted_at = ?, state = 'SENT'", Date.now() - 1000);
    db.run(
      "INSERT INTO unsubscription (participant_id, screener_id, created_at) SELECT id, NULL, 'now' FROM participant WHERE uid = ?",
      left!,
    );
  });
  const before = await feasibilityOf(client, study.screener);
  assert.equal(before.noContact.contactedRecently, 0);
  await client.patch("/workspace/mail", { contactCap: { messages: 1, days: 7 } });
  const counts: Counts = {
    fit: 10,
    finished: 1,
    noContact: { noEmail: 1, doNotContact: 1, unsubscribed: 1, bounced: 1, contactedRecently: 1 },
    remaining: 4,
  };
  const { fit, finished: ended, noContact, remaining, quotas } = await feasibilityOf(client, study.screener);
  assert.deepEqual({ fit, finished: ended, noContact, remaining }, counts);
  const [leeds, york] = quotas as [Cell, Cell];
  assert.deepEqual({ ...leeds, id: null }, { ...leeds, ...counts, id: null, fit: 8, remaining: 2 });
  assert.deepEqual([leeds.placesLeft, york.placesLeft, york.remaining], [3, null, 2]);
});

test("without rules about attributes, as many remain as are counted without those who have finished or are not to be written to", async () => {
  const client = service.workspace();
  const study = await publish(client, { pages, quotas: [{ name: "Everybody", when: null, limit: 50 }] });
  const added = await add(
    client,
    study,
    made(9, () => ({})),
  );
  const ids = added.map(({ participantId }) => participantId);
  const { body: session } = await client.post("/screener-sessions", { screenerParticipantId: added[0]!.id });
  const done = await client.post(`/screener-sessions/${session.id}/responses`, {
    responses: [
      { screenerQuestionId: study.question.sex, answer: [{ text: "Woman", isWriteIn: false }] },
      { screenerQuestionId: study.question.age, answer: 40 },
      { screenerQuestionId: study.question.town, answer: "Leeds" },
    ],
    complete: true,
  });
  assert.equal(done.status, 200, done.text);
  for (const id of ids.slice(0, 2)) await client.patch(`/participants/${id}`, { doNotContact: { reason: "Asked" } });
  await client.patch(`/participants/${ids[2]}`, { email: null });
  await client.post("/mail-suppressions", { address: "P3@example.org", reason: "BOUNCED" });
  await client.post("/mail-suppressions", { address: "nobody@example.org", reason: "BOUNCED" });
  // Their address is kept as a hash alone, and comes back.
  await client.post("/mail-suppressions", { address: "p4@example.org", reason: "BOUNCED" });
  assert.equal((await client.delete(`/participants/${ids[4]}`)).status, 200);
  await client.post("/participants", { externalUid: "Back", email: "p4@EXAMPLE.org", name: "Back" });
  const found = await feasibilityOf(client, study.screener);
  const counts: Counts = {
    fit: 9,
    finished: 1,
    noContact: { noEmail: 1, doNotContact: 1, unsubscribed: 0, bounced: 2, contactedRecently: 0 },
    remaining: 4,
  };
  assert.deepEqual([found.people, found.counted], [9, 9]);
  for (const { fit, finished, noContact, remaining } of [found, found.quotas[0]!])
    assert.deepEqual({ fit, finished, noContact, remaining }, counts);
});

test("the last of the first people is found in each block of counts, with gaps between them", async () => {
  const client = service.workspace();
  const study = await publish(client, { pages });
  await add(
    client,
    study,
    made(2100, () => ({})),
  );
  const gone = (await client.get("/participants?pagination[limit]=3&sort=createdAt")).body.items;
  for (const { id } of gone) await client.delete(`/participants/${id}`);
  service.context.workspaces.read(client.workspaceId, (db) => {
    const ids = db.values<number>("SELECT id FROM participant WHERE id > 0 ORDER BY id");
    assert.ok(ids.length === 2097 && ids.at(-1)! >> 10 === 2);
    assert.deepEqual(
      ids.map((_, at) => findLastOf(db, at + 1)),
      ids,
    );
    assert.equal(findLastOf(db, ids.length + 1), undefined);
  });
});

test("other quotas are looked at instead of the draft's, and all that is wrong with them is said; nothing changes", async () => {
  const client = service.workspace();
  const study = await publish(client, { pages, quotas: [{ name: "Leeds", when: site("Leeds"), limit: 4 }] });
  await add(
    client,
    study,
    made(3, (at) => ({ site: at ? "York" : "Leeds" })),
  );
  const path = `/screeners/${study.screener}/feasibility`;
  const events = await client.all("/events");
  const given = await feasibilityOf(client, study.screener, {
    quotas: [{ name: "York", when: site("York"), limit: 9 }],
  });
  assert.deepEqual(given.quotas.map(briefly), ["York: 2 fit, 0 by answers, 2 remain"]);
  assert.deepEqual([given.quotas[0]!.id, given.quotas[0]!.placesLeft], [null, 9]);
  assert.equal((await client.call("POST", path)).body.quotas[0].name, "Leeds");
  const wrong = await client.post(path, {
    quotas: [
      { name: "", when: site("York"), limit: 9 },
      { name: "X", when: { questionId: "no" }, limit: -1 },
    ],
    basis: "ROSTER",
  });
  assert.equal(wrong.status, 400);
  const pointers = wrong.body.errors.map(({ pointer }: { pointer: string }) => pointer);
  for (const pointer of ["/basis", "/quotas/0/name", "/quotas/1/limit"])
    assert.ok(pointers.includes(pointer), `${pointer} is not among ${pointers}`);
  assert.equal((await client.post(`/screeners/${UNKNOWN}/feasibility`, {})).body.code, "screener_not_found");
  assert.deepEqual(await client.all("/events"), events);
});

test("in the console, a button on the quotas' page leads to it", async () => {
  const client = service.workspace();
  const study = await publish(client, { pages, quotas: [{ name: "Leeds", when: site("Leeds"), limit: 4 }] });
  const people = await add(
    client,
    study,
    made(5, (at) => ({ site: at < 2 ? "York" : "Leeds" })),
  );
  await client.patch(`/participants/${people[4]!.participantId}`, { doNotContact: { reason: "Asked" } });
  const viewer = await signedIn(service, client.workspaceId, "viewer", "vi@feasibility.example.org");
  const path = `/console/studies/${study.screener}`;
  for (const from of [path, `${path}/quotas`])
    assert.match((await viewer.get(from)).text, new RegExp(`href="${path}/feasibility"`));
  const { status, text } = await viewer.get(`${path}/feasibility`);
  assert.equal(status, 200);
  assert.match(text, /Of 5 people in the workspace/);
  assert.match(text, /<dt>Fit<\/dt><dd>5<\/dd>.*<dt>Remain<\/dt><dd>4<\/dd>/);
  assert.match(text, /<li>1 person is marked “Do not contact”<\/li>/);
  assert.match(
    text,
    /<td data-label="Remain">2<\/td><td data-label="Places left">4<\/td><td data-label="Enough\?">No: 2 people too few/,
  );
});
