// Who must not be written to: people whom staff have marked, and addresses that are suppressed; what stays of that when they are erased.

import assert from "node:assert/strict";
import { test } from "node:test";
import { findNoContact, findSuppressed, noContactSql } from "../../src/contacts/no-contact.ts";
import { noContactOfMany } from "../../src/contacts/no-contact-of-many.ts";
import type { Client } from "../support/client.ts";
import { signedIn } from "../support/console.ts";
import { parseCsv } from "../support/csv.ts";
import { startRelay } from "../support/mail-relay.ts";
import { startService } from "../support/service.ts";
import { writeTo } from "../support/store.ts";
import { invited } from "../support/study.ts";
import { until } from "../support/until.ts";
import { ABOUT, formOf, Visitor } from "../support/visitor.ts";

const service = await startService();

const person = (client: Client, uid: string, email = `${uid.toLowerCase()}@example.org`) =>
  client
    .post("/participants", { externalUid: uid, email, name: `Person ${uid}` })
    .then(({ body }) => body.id as string);

/** Why nobody may write to the participants of a workspace, by externalUid: as it is asked of one, of all, and of many by sets. */
function reasons(client: Client, now = Date.now()): Record<string, string | null> {
  return service.context.workspaces.read(client.workspaceId, (db) => {
    const { sql, values } = noContactSql(db, { participant: "p", screenerId: 1, now });
    const bySets = noContactOfMany(db, 1, now);
    const rows = db.all<{
      id: number;
      external_uid: string;
      why: string | null;
    }>(`SELECT p.id, p.external_uid, ${sql} AS why FROM participant AS p WHERE p.id > 0 ORDER BY p.id`, ...values);
    for (const { id, why } of rows) {
      assert.equal(findNoContact(db, id, 1, now) ?? null, why);
      assert.equal(bySets.get(id) ?? null, why);
    }
    assert.deepEqual(
      [...bySets.keys()].sort(),
      rows
        .filter(({ why }) => why !== null)
        .map(({ id }) => id)
        .sort(),
    );
    return Object.fromEntries(rows.map(({ external_uid, why }) => [external_uid, why]));
  });
}

const types = async (client: Client) => (await client.all("/events")).map(({ type }) => type);

test("a participant is marked with a reason, by whom and when; imports and other changes leave that", async () => {
  const client = service.workspace();
  const id = await person(client, "P1");
  const marked = await client.patch(`/participants/${id}`, { doNotContact: { reason: " Rang us up " } });
  assert.equal(marked.status, 200, marked.text);
  const { reason, by, at } = marked.body.doNotContact;
  assert.deepEqual([reason, by._type, at], ["Rang us up", "ApplicationActor", marked.body.updatedAt]);
  assert.deepEqual(reasons(client), { P1: "DO_NOT_CONTACT" });

  // What was read can be sent back, and changes nothing.
  const { headers, body } = await client.patch(`/participants/${id}`, { doNotContact: marked.body.doNotContact });
  assert.deepEqual([body, headers.get("warning-members")], [marked.body, null]);
  const { body: study } = await client.post("/screeners", { title: "Sleep" });
  await client.import(study.id, [{ externalUid: "P1", email: "p1@example.org", name: "New name" }]);
  const csv = (await client.get("/participants", { Accept: "text/csv" })).text;
  const [heading = [], row = []] = parseCsv(csv);
  const cell = (name: string) => row[heading.indexOf(name)];
  assert.deepEqual(
    [cell("name"), cell("doNotContact.reason"), cell("doNotContact.by"), cell("doNotContact.at")],
    ["New name", "Rang us up", by.name, at],
  );
  // The list itself is no roster with new attributes.
  const again = await client.call("POST", `/screener-participants-import?screenerId=${study.id}`, {
    raw: csv.replace("New name", "Third name"),
    headers: { "Content-Type": "text/csv" },
  });
  assert.ok(again.status < 300, again.text);
  await service.drain();
  const read = (await client.get(`/participants/${id}`)).body;
  assert.deepEqual([read.name, read.attributes, read.doNotContact], ["Third name", {}, marked.body.doNotContact]);

  const total = async (value: string) =>
    (await client.get(`/participants?filter[doNotContact][eq]=${value}`)).body.total;
  await person(client, "P2");
  assert.deepEqual([await total("true"), await total("false")], [1, 1]);
  assert.deepEqual((await client.get(`/participants/${id}/export`)).body.participant.doNotContact, read.doNotContact);

  for (const wrong of [{ reason: " " }, {}, "no", { reason: "x".repeat(501) }])
    assert.equal(
      (await client.patch(`/participants/${id}`, { doNotContact: wrong })).status,
      400,
      JSON.stringify(wrong),
    );
  assert.equal((await client.patch(`/participants/${id}`, { doNotContact: null })).body.doNotContact, null);
  const changes = (await client.all(`/events?filter[resourceId][eq]=${id}`))
    .flatMap((event) => event.changes)
    .filter(({ field }) => field === "doNotContact");
  assert.deepEqual(
    changes.map(({ from, to }) => [from?.reason, to?.reason]),
    [
      [undefined, undefined],
      [undefined, "Rang us up"],
      ["Rang us up", undefined],
    ].slice(-changes.length),
  );
  assert.deepEqual(reasons(client), { P1: null, P2: null });
});

test("an undo keeps whom somebody has marked since, and does not bring anybody back who was", async () => {
  const client = service.workspace();
  const { body: study } = await client.post("/screeners", { title: "Sleep" });
  const imported = await client.import(study.id, [
    { externalUid: "P1", email: "p1@example.org", name: "Ada" },
    { externalUid: "P2", email: "p2@example.org", name: "Bob" },
  ]);
  await client.patch(`/participants/${imported.body[0].participantId}`, { doNotContact: { reason: "Asked" } });
  const [job] = await client.all("/jobs?filter[kind][eq]=SCREENER_PARTICIPANTS_IMPORT");
  await client.post(`/jobs/${job.id}/undo`, {});
  await service.drain();
  assert.deepEqual(reasons(client), { P1: "DO_NOT_CONTACT" });
});

test("an address is suppressed with a reason, whoever has it, in any case; and can be written to again", async () => {
  const client = service.workspace();
  const id = await person(client, "P1", "Ada@Example.org");
  const { status, body, headers } = await client.post("/mail-suppressions", {
    address: "ADA@example.ORG",
    reason: "BOUNCED",
  });
  assert.deepEqual(
    [status, body.address, body.reason, body.participantId, headers.get("location")],
    [201, "ADA@example.ORG", "BOUNCED", id, `/mail-suppressions/${body.id}`],
  );
  const again = await client.post("/mail-suppressions", { address: "ada@example.org" });
  assert.deepEqual([again.status, again.body], [200, body]);
  await client.post("/mail-suppressions", { address: "b@example.org", reason: "COMPLAINED" });
  await person(client, "P2", "b@example.org");
  await person(client, "P3", "c@example.org");
  assert.deepEqual(reasons(client), { P1: "BOUNCED", P2: "DO_NOT_CONTACT", P3: null });
  const found = await client.get("/mail-suppressions?filter[address][eq]=aDa@example.org&filter[reason][in]=BOUNCED");
  assert.deepEqual([found.body.total, found.body.items], [1, [body]]);
  const csv = parseCsv((await client.get("/mail-suppressions", { Accept: "text/csv" })).text);
  assert.deepEqual(csv[0], [
    "id",
    "address",
    "reason",
    "detail",
    "participantId",
    "createdBy.name",
    "createdBy.id",
    "createdAt",
  ]);
  for (const wrong of [
    {},
    { address: "nobody" },
    { address: "a@example.org", reason: "UNSUBSCRIBED" },
    { adress: "a@b" },
  ])
    assert.equal((await client.post("/mail-suppressions", wrong)).status, 400, JSON.stringify(wrong));
  assert.deepEqual((await client.delete(`/mail-suppressions/${body.id}`)).body, body);
  assert.equal((await client.delete(`/mail-suppressions/${body.id}`)).status, 404);
  assert.equal((await client.get("/mail-suppressions")).body.total, 1);
  assert.deepEqual(reasons(client), { P1: null, P2: "DO_NOT_CONTACT", P3: null });
  assert.deepEqual(
    (await types(client)).filter((type) => type.startsWith("mail-suppression.")),
    ["mail-suppression.created", "mail-suppression.created", "mail-suppression.deleted"],
  );
});

test("who is erased is not written to when they come back, and no file has the address", async () => {
  const client = service.workspace();
  const [marked, suppressed, former] = [
    await person(client, "P1", "marked@example.org"),
    await person(client, "P2", "wrong@example.org"),
    await person(client, "P3", "former@example.org"),
  ];
  await client.patch(`/participants/${marked}`, { doNotContact: { reason: "Asked" } });
  await client.post("/mail-suppressions", { address: "wrong@example.org", reason: "BOUNCED" });
  await client.post("/mail-suppressions", { address: "former@example.org" });
  await client.patch(`/participants/${former}`, { email: "new@example.org" });
  for (const id of [marked, suppressed, former]) assert.equal((await client.delete(`/participants/${id}`)).status, 200);
  const { items } = (await client.get("/mail-suppressions")).body;
  assert.deepEqual(
    items.map(({ address, reason, participantId }: Record<string, string>) => [address, reason, participantId]),
    [
      [null, "BOUNCED", null],
      [null, "BY_HAND", null],
      [null, "DO_NOT_CONTACT", null],
    ],
  );
  assert.equal(
    (await client.get("/mail-suppressions?filter[address][eq]=Marked@example.org")).body.items[0].reason,
    "DO_NOT_CONTACT",
  );
  await person(client, "Q1", "MARKED@example.org");
  await person(client, "Q2", "wrong@example.org");
  await person(client, "Q3", "former@example.org");
  await person(client, "Q4", "new@example.org");
  assert.deepEqual(reasons(client), { Q1: "DO_NOT_CONTACT", Q2: "BOUNCED", Q3: "DO_NOT_CONTACT", Q4: null });
  service.context.workspaces.read(client.workspaceId, (db) => {
    assert.equal(findSuppressed(db, "Wrong@example.org"), "BOUNCED");
    assert.equal(findSuppressed(db, "new@example.org"), undefined);
  });
});

test("whoever was written to so often lately is left alone, whatever the study", async () => {
  const client = service.workspace();
  await person(client, "P1");
  assert.equal((await client.get("/workspace/mail")).body.contactCap, null);
  for (const wrong of [
    { messages: 0, days: 1 },
    { messages: 1 },
    { messages: 1, days: 366 },
    { messages: 1.5, days: 1 },
    "3",
  ])
    assert.equal((await client.patch("/workspace/mail", { contactCap: wrong })).status, 400, JSON.stringify(wrong));
  const contactCap = { messages: 2, days: 30 };
  for (const _ of ["first", "again"])
    assert.deepEqual((await client.patch("/workspace/mail", { contactCap })).body.contactCap, contactCap);
  const changed = (await client.all("/events?filter[type][eq]=workspace.updated")).map(({ changes }) => changes);
  assert.deepEqual(changed, [[{ field: "contactCap", from: null, to: contactCap }]]);
  const DAY_MS = 24 * 3_600_000;
  const now = Date.now();
  await writeTo(service.context.workspaces, client.workspaceId, (db) => {
    const participant = db.value<number>("SELECT id FROM participant WHERE external_uid = 'P1'")!;
    for (const [uid, at] of [
      ["a", now - 31 * DAY_MS],
      ["b", now - 29 * DAY_MS],
      ["c", null],
      ["d", now - 1],
    ] as const)
      db.run(
        "INSERT INTO message (uid, kind, participant_id, language, contacted_at, created_at) VALUES (?, 'INVITATION', ?, 'en', ?, ?)",
        ...[uid, participant, at, now],
      );
  });
  assert.deepEqual(reasons(client, now), { P1: "CONTACTED_RECENTLY" });
  assert.deepEqual(reasons(client, now + 2 * DAY_MS), { P1: null });
  assert.equal((await client.patch("/workspace/mail", { contactCap: null })).body.contactCap, null);
  assert.deepEqual(reasons(client, now), { P1: null });
});

test("a receiver that says that nobody has an address suppresses it; other refusals do not; and nothing is sent there any more", async () => {
  const relay = await startRelay();
  const mailing = await startService({ config: { mail: relay.config() } });
  const visitor = new Visitor(mailing.url);
  const client = mailing.workspace();
  const { study, link } = await invited(client);
  const states = () =>
    mailing.context.workspaces.read(client.workspaceId, (db) =>
      db.all<{ state: string; reply: string | null }>("SELECT state, reply FROM message ORDER BY id"),
    );
  const ask = async (to: string) => {
    const form = new URLSearchParams(formOf(study, "About you", ABOUT));
    form.append("mail-to", to);
    form.append("mail-link", "");
    assert.equal((await visitor.post(link.path, form.toString())).status, 200);
    await until(() => states().every(({ state }) => state !== "READY" && state !== "SENDING"), "it is settled");
    return states().at(-1)!;
  };
  const list = async () =>
    (await client.get("/mail-suppressions")).body.items.map(({ address, reason, detail }: Record<string, string>) => [
      address,
      reason,
      detail,
    ]);
  relay.script.recipient = () => ({ code: 550, message: "5.7.1 You are on a list" });
  assert.equal((await ask("policy@example.org")).state, "FAILED");
  assert.deepEqual(await list(), []);
  relay.script.recipient = (address) => ({ code: 550, message: `5.1.1 <${address}>: no mailbox here` });
  assert.equal((await ask("typed@example.org")).state, "FAILED");
  // It is nobody's email, and is not kept.
  await until(async () => (await list()).length === 1, "it is suppressed");
  assert.deepEqual(await list(), [[null, "BOUNCED", "550 5.1.1 <…>: no mailbox here"]]);
  relay.script = {};
  const again = await ask("TYPED@example.org");
  assert.deepEqual([again, relay.received.length], [{ state: "DROPPED", reply: "BOUNCED" }, 0]);
  await relay.close();
});

test("in the console, staff say that a person is not to be contacted, and how many messages anybody gets", async () => {
  const client = service.workspace();
  const id = await person(client, "P1", "p1@example.org");
  await client.post("/mail-suppressions", { address: "P1@example.org", reason: "COMPLAINED" });
  const viewer = await signedIn(service, client.workspaceId, "viewer", "v@example.org");
  const researcher = await signedIn(service, client.workspaceId, "researcher", "r@example.org");
  const path = `/console/people/${id}`;
  assert.match((await viewer.get(path)).text, /has complained about mail/);
  assert.doesNotMatch((await viewer.get(path)).text, /value="set"/);
  const contact = `${path}/contact`;
  const wrong = await researcher.post(path, { mark: "set", doNotContact: " " }, contact);
  assert.deepEqual([wrong.status, /Reason is required/.test(wrong.text)], [422, true]);
  assert.equal((await researcher.post(path, { mark: "set", doNotContact: "Rang <us>" }, contact)).status, 303);
  assert.match((await viewer.get(path)).text, /Do not contact:<\/strong> <bdi>Rang &lt;us><\/bdi>/);
  assert.equal((await researcher.post(path, { mark: "end" }, contact)).status, 303);
  assert.equal((await client.get(`/participants/${id}`)).body.doNotContact, null);

  const admin = await signedIn(service, client.workspaceId, "admin", "a@example.org");
  const mail = "/console/mail";
  const refused = await admin.post(mail, { messages: "many", days: "0" }, `${mail}/cap`);
  assert.deepEqual(
    [refused.status, /Messages must be a number/.test(refused.text), /Days must be at least 1/.test(refused.text)],
    [422, true, true],
  );
  assert.match(refused.text, /value="many"/);
  assert.equal((await admin.post(mail, { messages: "3", days: "30" }, `${mail}/cap`)).status, 303);
  assert.match((await admin.get(mail)).text, /at most 3 messages of mailings within 30 days/);
  assert.equal((await admin.post(mail, { messages: "1", days: "1" }, `${mail}/cap`)).status, 303);
  assert.match((await admin.get(mail)).text, /at most 1 message of a mailing within 1 day, over all studies/);
  assert.equal((await admin.post(mail, { messages: "", days: "" }, `${mail}/cap`)).status, 303);
  assert.equal((await client.get("/workspace/mail")).body.contactCap, null);
});
