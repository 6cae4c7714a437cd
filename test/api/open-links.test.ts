// Open links: who answers the first page of one joins, and nobody is made before.

import assert from "node:assert/strict";
import { createHmac } from "node:crypto";
import { test } from "node:test";
import type { Client } from "../support/client.ts";
import { signedIn } from "../support/console.ts";
import { readCsv } from "../support/csv.ts";
import type { PlainAnswer } from "../support/http.ts";
import { sharedService } from "../support/service.ts";
import { everyKind, type Published, publish } from "../support/study.ts";
import { ABOUT, DAYS, formOf, isPage, Visitor } from "../support/visitor.ts";

const service = await sharedService();
const visitor = new Visitor(service.url);

const NAME = "00000000-0000-8000-8000-000000000001";
const EMAIL = "00000000-0000-8000-8000-000000000002";

// biome-ignore lint/suspicious/noExplicitAny: a test says itself what it expects of a body
type Shown = any;

async function linked(client: Client, more: object = {}, content: object = everyKind) {
  const study = await publish(client, content);
  const { status, body, text } = await client.post("/screener-links", {
    screenerId: study.screener,
    name: "Poster",
    ...more,
  });
  assert.equal(status, 201, text);
  return { study, link: body as Shown, path: new URL(body.link).pathname };
}

/** A form of the first page as a browser sends it that has shown it for a while. */
function first(
  study: Published,
  asked: Record<string, string> = {},
  entries: Parameters<typeof formOf>[2] = ABOUT,
): string {
  const form = new URLSearchParams(formOf(study, "About you", entries));
  for (const [id, text] of Object.entries(asked)) {
    form.append("question", id);
    form.append(`answer-${id}`, text);
  }
  form.append("version", "1");
  form.append("shown", String(Date.now() - 5000));
  return form.toString();
}

const everybody = async (client: Client, screener: string) => ({
  participants: await client.all("/participants"),
  assignments: await client.all(`/screener-participants?filter[screenerId][eq]=${screener}`),
  sessions: (await client.all(`/screener-sessions?filter[screenerId][eq]=${screener}`)) as Shown[],
});
const cookieOf = ({ headers }: PlainAnswer) => String(headers["set-cookie"] ?? "");

test("who sends the first page joins, and goes on at a link of their own", async () => {
  const client = service.workspace();
  const { study, link, path } = await linked(client, {
    ask: ["NAME", "EMAIL"],
    attributes: { source: "poster" },
    accept: ["pid"],
  });
  assert.match(link.link, /\/w\/[^/]+\/o\/[a-hj-km-np-z2-9]{16}$/);
  const page = await visitor.get(`${path}?pid=A-7&evil=1`);
  isPage(page, 200, "About you");
  assert.match(page.text, /Your name/);
  assert.match(page.text, new RegExp(`action="${path}\\?pid=A-7"`));
  assert.deepEqual((await everybody(client, study.screener)).participants, []);

  const wrong = await visitor.post(`${path}?pid=A-7`, first(study, { [EMAIL]: "ada at home" }, { age: "old" }));
  assert.equal(wrong.status, 422);
  assert.match(wrong.text, /There are \d problems/);
  assert.match(wrong.text, /type="email"/);
  assert.deepEqual((await everybody(client, study.screener)).participants, []);

  const joined = await visitor.post(`${path}?pid=A-7`, first(study, { [NAME]: "Ada", [EMAIL]: "ada@example.org" }));
  assert.equal(joined.status, 303, joined.text);
  assert.match(String(joined.headers.location), /\/screeners\/[^/]+\/[^/?]+\?page=/);
  assert.equal(cookieOf(joined), "");
  const { participants, assignments, sessions } = await everybody(client, study.screener);
  assert.deepEqual([participants.length, assignments.length, sessions.length], [1, 1, 1]);
  assert.deepEqual([participants[0].name, participants[0].email], ["Ada", null]);
  assert.deepEqual(participants[0].attributes, { pid: "A-7", source: "poster" });
  assert.deepEqual([assignments[0].status, sessions[0].state], ["IN_PROGRESS", "IN_PROGRESS"]);
  assert.equal(sessions[0].screenerLinkId, link.id);

  const own = String(joined.headers.location).split("?")[0]!;
  const last = await visitor.go(own, study, "Your days", DAYS);
  isPage(last, 200, "Thank you");
  const { body } = await client.get(`/screener-links/${link.id}`);
  assert.deepEqual([body.joined, body.started, body.completed], [1, 1, 1]);
  const events: Shown[] = await client.all("/events");
  const types = events.map(({ type }) => type).filter((type) => /participant|session/.test(type));
  assert.deepEqual(types, [
    "participant.created",
    "screener-participant.joined",
    "screener-session.created",
    "screener-session.started",
    "screener-session.completed",
  ]);
  const { body: session } = await client.get(`/screener-sessions/${sessions[0].id}`);
  const created = events.find(({ type }) => type === "screener-session.created");
  const said = created.changes.filter(({ field }: Shown) => !/^(?:createdAt|screenerParticipant\.)/.test(field));
  const elsewhere =
    "_type id screenerSessionLink isTest startedAt lastActiveAt completedAt outcomeReason language createdAt";
  const shown = Object.entries(session).filter(([field, to]) => to !== null && !elsewhere.split(" ").includes(field));
  assert.deepEqual(
    said,
    shown.map(([field, to]) => ({ field, from: null, to: field === "state" ? "NOT_STARTED" : to })),
  );
  const csv = readCsv((await client.get(`/screeners/${study.screener}/export`)).text);
  assert.equal(csv[0]!["attributes.pid"], "A-7");
});

test("the activity says that who joins has got a link, and its times are those of the reader", async () => {
  const client = service.workspace();
  const { study, path } = await linked(client);
  assert.equal((await visitor.post(path, first(study))).status, 303);
  await client.call("PATCH", `/screeners/${study.screener}`, { body: { closesAt: "2031-01-31T12:00:00Z" } });
  const browser = await signedIn(service, client.workspaceId, "viewer", "joins@open-links.example");
  const { text } = await browser.get("/console/activity");
  const said = text.replace(/<[^>]+>/g, " ").replace(/\s+/g, " ");
  assert.match(said, /joined-\S+ got a link to /);
  assert.doesNotMatch(said, /Somebody gave/);
  assert.match(text, /<bdi><time dateTime="2031-01-31T12:00:00\.000Z" data-local/i);
  assert.doesNotMatch(said, /\d\d:\d\d\.\d{3}Z/);
});

test("a link that is full, closed, revoked or not open yet says so, and nobody joins", async () => {
  const client = service.workspace();
  const { study, link, path } = await linked(client, { limit: 1 });
  const joins = async () => (await visitor.post(path, first(study))).status;
  assert.equal(await joins(), 303);
  isPage(await visitor.get(path), 409, "This study is full");
  assert.equal(await joins(), 409);
  const change = async (members: object) =>
    assert.equal((await client.patch(`/screener-links/${link.id}`, members)).status, 200);
  await change({ limit: null, closesAt: "2020-01-01T00:00:00Z" });
  isPage(await visitor.get(path), 409, "This study is closed");
  assert.equal(await joins(), 409);
  await change({ closesAt: null, opensAt: "2090-01-01T00:00:00Z" });
  isPage(await visitor.get(path), 409, "This study is not open yet");
  await change({ opensAt: null });
  assert.equal(await joins(), 303);
  await client.patch(`/screeners/${study.screener}`, { acceptance: "PAUSED" });
  isPage(await visitor.get(path), 409, "This study is paused");
  assert.equal(await joins(), 409);
  await client.patch(`/screeners/${study.screener}`, { acceptance: "OPEN" });
  assert.equal((await client.delete(`/screener-links/${link.id}`)).body.status, "REVOKED");
  isPage(await visitor.get(path), 410, "This link is no longer available");
  assert.equal(await joins(), 410);
  assert.equal((await client.patch(`/screener-links/${link.id}`, { limit: 5 })).body.code, "screener_link_revoked");
  const { sessions } = await everybody(client, study.screener);
  assert.equal(sessions.length, 2);
  isPage(await visitor.get(`${path}x`), 404, "This link does not work");
});

test("however many join at once, no more do than the link lets", async () => {
  const client = service.workspace();
  const { study, path, link } = await linked(client, { limit: 10 });
  const many = await Promise.all(Array.from({ length: 40 }, () => visitor.post(path, first(study))));
  assert.deepEqual(
    [303, 409].map((status) => many.filter((one) => one.status === status).length),
    [10, 30],
  );
  const { participants, assignments, sessions } = await everybody(client, study.screener);
  assert.deepEqual([participants.length, assignments.length, sessions.length], [10, 10, 10]);
  assert.equal((await client.get(`/screener-links/${link.id}`)).body.joined, 10);
  const events = ((await client.all("/events")) as Shown[]).filter(({ type }) => /participant|session/.test(type));
  assert.equal(events.length, 40);
  assert.deepEqual(
    events.map(({ id }) => id),
    events.map(({ id }) => id).sort(),
  );
  for (const { id, screenerParticipantId } of sessions) {
    const { participantId } = assignments.find((one: Shown) => one.id === screenerParticipantId);
    const own = events.filter(({ resource }) => [id, screenerParticipantId, participantId].includes(resource.id));
    assert.deepEqual(
      own.map(({ type }) => type),
      ["participant.created", "screener-participant.joined", "screener-session.created", "screener-session.started"],
    );
  }
});

test("who joins by a link, or a study, that was changed since somebody joined gets what it is now", async () => {
  const client = service.workspace();
  const { study, link, path } = await linked(client, { attributes: { source: "poster" } });
  const joins = async (form = first(study)) => (await visitor.post(`${path}?pid=A-7`, form)).status;
  assert.deepEqual([await joins(), await joins()], [303, 303]);
  await client.patch(`/screener-links/${link.id}`, { attributes: { source: "radio" }, accept: ["pid"] });
  assert.equal(await joins(), 303);
  const { participants } = await everybody(client, study.screener);
  assert.deepEqual(
    participants.map(({ attributes }: Shown) => attributes),
    [{ source: "poster" }, { source: "poster" }, { pid: "A-7", source: "radio" }],
  );
  assert.equal((await client.post("/screener-publications", { screenerId: study.screener })).status, 201);
  const form = first(study);
  const page = await visitor.post(path, form);
  assert.match(page.text, /name="version" value="2"/);
  assert.equal((await everybody(client, study.screener)).sessions.length, 3);
  assert.equal(await joins(form.replace("version=1", "version=2")), 303);
  const [, , , last] = (await everybody(client, study.screener)).sessions;
  const { body: publication } = await client.get(`/screener-publications/${last.screenerPublicationId}`);
  assert.equal(publication.version, 2);
  assert.equal((await client.patch(`/screeners/${study.screener}`, { acceptance: "CLOSED" })).status, 200);
  assert.equal(await joins(form.replace("version=1", "version=2")), 409);
});

test("with one each, the same browser goes on where it was", async () => {
  const client = service.workspace();
  const { study, path } = await linked(client, { oneEach: "BROWSER" });
  const joined = await visitor.post(path, first(study));
  const cookie = cookieOf(joined);
  assert.match(cookie, new RegExp(`^joined=[\\w.-]+; Path=${path}; Expires=.*; HttpOnly; SameSite=Lax$`));
  const headers = { Cookie: cookie.split(";")[0]! };
  const own = String(joined.headers.location).split("?")[0]!;
  const again = await visitor.post(path, first(study), headers);
  assert.deepEqual([again.status, again.headers.location], [303, own]);
  const forged = await visitor.post(path, first(study), { Cookie: "joined=a.b" });
  assert.equal(forged.status, 303);
  assert.notEqual(String(forged.headers.location).split("?")[0], own);
  assert.equal((await everybody(client, study.screener)).sessions.length, 2);
});

test("a form that is sent twice makes one participant, also at once, and when the link is full by then", async () => {
  const client = service.workspace();
  const { study, path, link } = await linked(client, { limit: 1 });
  const form = `${first(study)}&order=7f9c24e5-2b31-4d0a-9c55-0d3e8b6f1a42`;
  const both = await Promise.all([visitor.post(path, form), visitor.post(path, form)]);
  const own = both.map(({ status, headers }) => [status, String(headers.location).split("?")[0]]);
  assert.equal(own[0]![0], 303);
  assert.deepEqual(own[1], own[0]);
  const again = await visitor.post(path, form);
  assert.deepEqual([again.status, again.headers.location], own[0]);
  assert.equal((await everybody(client, study.screener)).sessions.length, 1);
  assert.equal((await client.get(`/screener-links/${link.id}`)).body.joined, 1);
});

test("attributes of an address that are too many for a participant are left out", async () => {
  const client = service.workspace();
  const accept = Array.from({ length: 20 }, (_, index) => `key${index}`);
  const { study, path } = await linked(client, { accept, attributes: { source: "poster", key0: "own" } });
  const query = accept.map((key) => `${key}=${encodeURIComponent("語".repeat(1000))}`).join("&");
  assert.equal((await visitor.post(`${path}?key0=other&key1=y`, first(study))).status, 303);
  const joined = await visitor.post(`${path}?${query.slice(0, 14_000)}`, first(study));
  assert.equal(joined.status, 303, joined.text);
  const { participants } = await everybody(client, study.screener);
  assert.deepEqual(participants[0].attributes, { key0: "own", key1: "y", source: "poster" });
  for (const { attributes } of participants) assert.ok(Buffer.byteLength(JSON.stringify(attributes)) <= 16 * 1024);
});

test("what a program sends at once, or into a field that nobody sees, is asked back and not lost", async () => {
  const client = service.workspace();
  const { study, path } = await linked(client);
  const hasty = first(study).replace(/shown=\d+/, `shown=${Date.now()}`);
  const [unsaid, empty] = ["", "&shown="].map((shown) => first(study).replace(/&shown=\d+/, shown));
  for (const form of [hasty, unsaid!, empty!, `${first(study)}&website=x`]) {
    const page = await visitor.post(path, form);
    assert.equal(page.status, 422);
    assert.match(page.text, /Nothing is sent yet/);
    assert.match(page.text, /value="44"/);
  }
  assert.deepEqual((await everybody(client, study.screener)).participants, []);
});

test("a link says what is wrong with it, all at once", async () => {
  const client = service.workspace();
  const screenerId = await client.screener();
  const send = (more: object) => client.post("/screener-links", { screenerId, name: "x", ...more });
  const pointers = async (more: object) => ((await send(more)).body.errors ?? []).map(({ pointer }: Shown) => pointer);
  assert.deepEqual(await pointers({ name: "", ask: ["PHONE"], limit: 0, accept: ["lang", "pid", "signature"] }), [
    "/name",
    "/ask/0",
    "/limit",
    "/accept/0",
    "/accept/2",
  ]);
  assert.deepEqual(
    await pointers({
      required: true,
      oneEach: "EMAIL",
      opensAt: "2030-01-01T00:00:00Z",
      closesAt: "2029-01-01T00:00:00Z",
    }),
    ["/closesAt", "/oneEach", "/required"],
  );
  assert.equal((await send({ ask: ["EMAIL"], oneEach: "EMAIL", confirmEmail: true })).body.code, "mail_not_configured");
  assert.equal((await send({ screenerId: "x" })).body.code, "screener_not_found");
  const { body } = await send({});
  isPage(await visitor.get(new URL(body.link).pathname), 409, "This study is not open yet");
});

test("a full sync leaves those who have joined, unless it is asked to remove them", async () => {
  const client = service.workspace();
  const { study, path } = await linked(client);
  for (let count = 0; count < 3; count++) assert.equal((await visitor.post(path, first(study))).status, 303);
  const row = { externalUid: "P-1", email: "p@example.org", name: "P" };
  await client.import(study.screener, [row]);
  const size = async () =>
    (await client.get(`/screener-participants?filter[screenerId][eq]=${study.screener}`)).body.total;
  const full = (rows: object[], more: object = {}) =>
    client.import(study.screener, rows, { importMode: "FULL_SYNC", ...more });
  assert.equal(await size(), 4);
  assert.equal((await full([])).status, 200);
  assert.equal(await size(), 3);
  // One of them is in the file, too.
  const [{ externalUid, name }] = await client.all("/participants");
  const named = await full([{ externalUid, name: name ?? "Somebody", email: "x@example.org" }], {
    includeJoined: true,
  });
  assert.equal(named.status, 200, named.text);
  assert.equal(await size(), 1);
});

test("the order that chance gave to the first page is that of the session", async () => {
  const client = service.workspace();
  const question = (key: string) => ({ _type: "ScreenerTextQuestion", key, prompt: `${key}?` });
  const page = { title: "About you", shuffle: true, questions: ["a", "b", "c", "d", "e", "f"].map(question) };
  const { study, path } = await linked(client, {}, { pages: [page, { title: "Next", questions: [question("g")] }] });
  const orderOn = ({ text }: PlainAnswer) => [...text.matchAll(/name="question" value="([^"]+)"/g)].map(([, id]) => id);
  for (let count = 0; count < 3; count++) {
    const shown = await visitor.get(path);
    const seed = /name="order" value="([^"]+)"/.exec(shown.text)![1];
    const joined = await visitor.post(path, `${first(study, {}, { a: "x", b: "y" })}&order=${seed}`);
    const own = String(joined.headers.location).split("?")[0]!;
    const again = await visitor.get(`${own}?page=${study.page["About you"]}`);
    assert.equal(again.status, 200, again.text);
    assert.deepEqual(orderOn(again), orderOn(shown));
  }
});

test("the form of a program that names no order has one by chance, and the session has the same", async () => {
  const client = service.workspace();
  const page = (title: string) => ({
    title,
    shuffleBlock: "all",
    questions: [{ _type: "ScreenerTextQuestion", key: title, prompt: `${title}?` }],
  });
  const { study, path } = await linked(client, {}, { pages: ["A", "B", "C", "D"].map(page) });
  const form = () => `${formOf(study, "A", { A: "x" })}&version=1&shown=${Date.now() - 5000}`;
  let joined = 0;
  for (let tries = 0; joined < 6; tries++) {
    assert.ok(tries < 150, "page A is never the first one");
    const { status, headers } = await visitor.post(path, form());
    // By chance another page is the first one: then that is shown.
    if (status === 200) continue;
    assert.equal(status, 303);
    joined++;
    const [own, next] = String(headers.location).split("?page=");
    const opened = await visitor.open(own!);
    assert.match(opened.text, new RegExp(`name="page" value="${next}"`));
  }
});

test("one person is added by whatever is known of them, once", async () => {
  const client = service.workspace();
  const { screener } = await publish(client, everyKind);
  const add = (person: object) => client.post("/screener-participants", { screenerId: screener, ...person });
  const grace = await add({ name: " Grace ", email: "grace@example.org" });
  assert.equal(grace.status, 201, grace.text);
  assert.deepEqual(
    [grace.body.name, grace.body.email, grace.body.status],
    ["Grace", "grace@example.org", "NOT_STARTED"],
  );
  assert.match(grace.body.externalParticipantUid, /^added-/);
  const again = await add({ email: "GRACE@example.org", name: "Somebody else" });
  assert.deepEqual([again.status, again.body], [200, grace.body]);
  assert.equal((await add({ name: "Grace" })).status, 201);
  assert.equal((await add({ externalUid: "P-1" })).status, 201);
  assert.equal((await add({ externalUid: "P-1", email: "grace@example.org" })).body.code, "email_taken");
  assert.equal((await add({ externalUid: "P-9", email: "grace@example.org" })).body.code, "email_taken");
  assert.deepEqual(
    (await add({})).body.errors.map(({ pointer }: Shown) => pointer),
    ["/email"],
  );
  const { participants, assignments } = await everybody(client, screener);
  assert.deepEqual([participants.length, assignments.length], [3, 3]);
  const opened = await client.post("/screener-sessions", { screenerParticipantId: grace.body.id });
  isPage(await visitor.open(new URL(opened.body.screenerSessionLink).pathname), 200, "About you");
});

/** As a receiver does it, with what the contract says of it. */
function isSigned(address: string, secret: string): boolean {
  const at = address.search(/[?&]signature=/);
  const sent = new URL(address).searchParams.getAll("signature");
  return sent.includes(createHmac("sha256", secret).update(address.slice(0, at)).digest("hex"));
}

const sign = (address: string, secret: string) =>
  `${address}${address.includes("?") ? "&" : "?"}signature=${createHmac("sha256", secret).update(address).digest("hex")}`;

const rotate = async (client: Client, overlapHours?: number): Promise<string> => {
  const sent = overlapHours === undefined ? undefined : { overlapHours };
  const { status, body, text } = await client.post("/workspace/signing-key/rotate", sent);
  assert.equal(status, 200, text);
  return body.secret;
};

test("people are led on with what is known of them, and no value changes the address around it", async () => {
  const client = service.workspace();
  const panel = "https://panel.example.org/{attribute:batch}/done";
  const study = await publish(client, {
    ...everyKind,
    qualifyWhen: null,
    quotas: [
      {
        name: "Women & others",
        when: { questionId: "age", atLeast: 18 },
        mode: "LIMIT",
        limit: 1,
        ending: { redirect: `${panel}?full={quotaCode}` },
      },
    ],
    redirectByOutcome: {
      QUALIFIED: `${panel}?uid={externalUid}&of={attribute: Home town }&no={attribute:nobody}&n={attribute:visits}&q={quotaCode}#{reference}`,
    },
  });
  const people = [
    { externalUid: "A/1?&#%", attributes: { batch: "..", "Home town": "K\u00f6ln & Bonn=?#/", visits: 3 } },
    { externalUid: "B", attributes: { batch: "../../evil" } },
  ];
  const ended: PlainAnswer[] = [];
  const sessions: Shown[] = [];
  for (const person of people) {
    const { body: added } = await client.post("/screener-participants", { screenerId: study.screener, ...person });
    const { body: session } = await client.post("/screener-sessions", { screenerParticipantId: added.id });
    const { pathname } = new URL(session.screenerSessionLink);
    await visitor.send(pathname, study, "About you", ABOUT);
    ended.push(await visitor.go(pathname, study, "Your days", DAYS));
    sessions.push((await client.get(`/screener-sessions/${session.id}`)).body);
  }
  assert.equal(
    ended[0]!.headers.refresh,
    `0;url=https://panel.example.org//done?uid=A%2F1%3F%26%23%25&of=K%C3%B6ln%20%26%20Bonn%3D%3F%23%2F&no=&n=3&q=Women%20%26%20others#${sessions[0].reference}`,
  );
  assert.equal(sessions[1].outcomeReason, "OVER_QUOTA");
  assert.equal(
    ended[1]!.headers.refresh,
    "0;url=https://panel.example.org/..%2F..%2Fevil/done?full=Women%20%26%20others",
  );
});

test("an address is signed as a whole where the study asks for it, and with both keys while one replaces the other", async () => {
  const client = service.workspace();
  const content = {
    ...everyKind,
    signRedirects: true,
    redirectByOutcome: { QUALIFIED: "https://panel.example.org/ok?id={reference}#top" },
  };
  const screener = await client.screener();
  const put = await client.call("PUT", `/screeners/${screener}/content`, { body: content });
  assert.equal(put.body.signRedirects, true, put.text);
  const refused = await client.post("/screener-publications", { screenerId: screener });
  assert.deepEqual([refused.status, refused.body.code], [409, "signing_key_missing"]);
  assert.equal((await client.get("/workspace/signing-key")).body.createdAt, null);
  const former = await rotate(client);
  const study = await publish(client, content);
  const lead = async () => {
    const { body: added } = await client.post("/screener-participants", { screenerId: study.screener, name: "Ada" });
    const { body: session } = await client.post("/screener-sessions", { screenerParticipantId: added.id });
    const { pathname } = new URL(session.screenerSessionLink);
    await visitor.send(pathname, study, "About you", ABOUT);
    return String((await visitor.go(pathname, study, "Your days", DAYS)).headers.refresh).slice("0;url=".length);
  };
  const address = await lead();
  assert.match(address, /^https:\/\/panel\.example\.org\/ok\?id=[0-9a-f-]{36}&signature=[0-9a-f]{64}#top$/);
  assert.ok(isSigned(address, former));
  assert.ok(!isSigned(address.replace("id=", "id=0"), former));
  const secret = await rotate(client, 24);
  assert.notEqual(secret, former);
  const { body: key, text } = await client.get("/workspace/signing-key");
  assert.ok(Date.parse(key.previousExpiresAt) > Date.now() && !text.includes(secret), text);
  const both = await lead();
  assert.ok(isSigned(both, former) && isSigned(both, secret));
  await rotate(client, 0);
  assert.ok(!isSigned(await lead(), secret));
  const taken = { ...content, redirectByOutcome: { QUALIFIED: "https://panel.example.org/?signature=mine" } };
  const { body } = await client.call("PUT", `/screeners/${screener}/content`, { body: taken });
  assert.equal(body.errors[0].pointer, "/redirectByOutcome/QUALIFIED");
});

test("a link that asks for it takes only addresses that were signed, and makes nobody of others", async () => {
  const client = service.workspace();
  const study = await publish(client, everyKind);
  const wanted = { screenerId: study.screener, name: "Panel", accept: ["pid"], requireSignature: true };
  const refused = await client.post("/screener-links", wanted);
  assert.deepEqual([refused.status, refused.body.code], [409, "signing_key_missing"]);
  const former = await rotate(client);
  const { body: link } = await client.post("/screener-links", wanted);
  const { body: other } = await client.post("/screener-links", wanted);
  const pathOf = (address: string) => address.slice(new URL(address).origin.length);
  const signed = sign(`${link.link}?pid=7%2F%26&x=1`, former);
  for (const forged of [
    link.link,
    `${link.link}?pid=7`,
    signed.replace("pid=7", "pid=8"),
    signed.replace("&x=1", ""),
    signed.replace("?pid", "?pid=9&pid"),
    `${link.link}?signature=`,
    `${link.link}?pid=7&signature=${"0".repeat(64)}`,
    `${link.link}?pid=7&signature=%FF`,
    sign(`${other.link}?pid=7`, former).replace(other.link, link.link),
    sign(`${link.link}?pid=7`, `${former}x`),
  ]) {
    isPage(await visitor.get(pathOf(forged)), 403, "This link does not work");
    isPage(await visitor.post(pathOf(forged), first(study)), 403, "This link does not work");
  }
  assert.deepEqual((await everybody(client, study.screener)).participants, []);
  // What comes behind the signature is not signed: it counts for nothing.
  isPage(await visitor.get(`${pathOf(signed)}&pid=8`), 200, "About you");
  const shown = await visitor.get(pathOf(signed));
  const action = /<form[^>]* action="([^"]+)"/.exec(shown.text)![1]!.replaceAll("&amp;", "&");
  assert.equal((await visitor.post(`${action}&pid=8`, first(study))).status, 303);
  await rotate(client, 1);
  assert.equal((await visitor.get(pathOf(signed))).status, 200);
  await rotate(client, 0);
  assert.equal((await visitor.get(pathOf(signed))).status, 403);
  const { participants } = await everybody(client, study.screener);
  assert.deepEqual(
    participants.map(({ attributes }) => attributes),
    [{ pid: "7/&" }],
  );
});

test("nothing in an address or a form of a link leads away, writes headers, or makes attributes that the link does not accept", async () => {
  const client = service.workspace();
  const { study, path } = await linked(client, { attributes: { source: "poster" }, accept: ["pid", "__proto__"] });
  const queries = [
    "pid=a%0d%0aSet-Cookie:%20x=1&source=evil&role=admin",
    "pid=1&pid=2&next=//evil.example&done&page=//evil.example&redirect=https://evil.example",
    "__proto__=x&constructor=y&pid=%00",
    "pid=%ff%fe&=&&&=x&%=%&lang=%0d%0aLocation:%20//evil.example",
    `pid=${"x".repeat(10_000)}`,
    "pid=<script>alert(1)</script>&withdraw",
  ];
  for (const query of queries) {
    for (const answer of [
      await visitor.get(`${path}?${query}`),
      await visitor.post(
        `${path}?${query}`,
        `${first(study)}&attributes=%7B%22role%22%3A1%7D&role=admin&order=..%2F..%2F`,
      ),
    ]) {
      assert.ok([200, 303].includes(answer.status), `${query}: ${answer.status}`);
      assert.equal(cookieOf(answer), "");
      assert.doesNotMatch(JSON.stringify(answer.headers), /evil/);
      assert.doesNotMatch(answer.text, /<script>alert/);
      if (answer.status === 303)
        assert.match(String(answer.headers.location), /^\/w\/[^/]+\/screeners\/[0-9a-f-]{36}\/[0-9a-f-]{36}/);
    }
  }
  const { participants } = await everybody(client, study.screener);
  assert.deepEqual(
    participants.map(({ attributes }) => attributes),
    [
      // A text as any other.
      { pid: "a\r\nSet-Cookie: x=1" },
      { pid: "1" },
      { ["__proto__"]: "x" },
      { pid: "\uFFFD\uFFFD" },
      {},
      { pid: "<script>alert(1)</script>" },
    ].map((own) => ({
      source: "poster",
      ...own,
    })),
  );
  assert.ok([200, 414, 431].includes((await visitor.get(`${path}?pid=${"x".repeat(60_000)}`)).status));
});

test("a link opens only in its own workspace and with its own token, and guesses are counted", async () => {
  const client = service.workspace();
  const { path } = await linked(client);
  const { path: theirs } = await linked(service.workspace());
  const guesser = new Visitor(service.url, "127.0.7.1");
  const tokenOf = (one: string) => one.slice(one.lastIndexOf("/") + 1);
  const folder = path.slice(0, path.lastIndexOf("/"));
  const wrong = [
    `${folder}/${tokenOf(theirs)}`,
    `${folder}/${tokenOf(path).toUpperCase()}`,
    `${folder}/${tokenOf(path)}x`,
    `${folder}/${tokenOf(path).slice(1)}`,
    `${folder}/%00`,
    `${folder}/..%2f..`,
    `${folder}/`,
    `${path}/`.replace("/o/", "/o//"),
    `/w/00000000-0000-7000-8000-000000000000/o/${tokenOf(path)}`,
  ];
  for (const one of wrong) {
    const { status, text } = await guesser.get(one);
    assert.equal(status, 404, one);
    assert.equal((await guesser.post(one, "")).status, 404, one);
    assert.doesNotMatch(text, /About you|Test<|Poster/, one);
  }
  let refused = 0;
  for (let guess = 0; guess < 100; guess++) {
    const token = tokenOf(path).slice(0, -2) + String(guess).padStart(2, "0");
    if ((await guesser.get(`${folder}/${token}`)).status === 429) refused++;
  }
  assert.ok(refused > 0 && refused < 100, String(refused));
  // Others are not held up by it.
  assert.equal((await visitor.get(path)).status, 200);
  for (const method of ["PUT", "DELETE", "PATCH", "OPTIONS", "HEAD"]) {
    const { status } = await fetch(service.url + path, { method });
    assert.ok(method === "HEAD" ? status === 200 : [204, 404, 405, 501].includes(status), `${method}: ${status}`);
  }
});

test("from one address no more than 300 join by a link in a minute, and nobody is made of the others", async () => {
  const client = service.workspace();
  const { study, link, path } = await linked(client);
  const hall = new Visitor(service.url, "127.0.7.2");
  const statuses: number[] = [];
  const form = `${first(study)}&order=7f9c24e5-2b31-4d0a-9c55-0d3e8b6f1a43`;
  const joined = await hall.post(path, form);
  // A form that is sent again joins nobody.
  assert.equal((await hall.post(path, form)).status, 303);
  for (let sent = 0; sent < 330; sent += 30)
    statuses.push(
      ...(await Promise.all(Array.from({ length: 30 }, async () => (await hall.post(path, first(study))).status))),
    );
  assert.deepEqual([...new Set(statuses)].sort(), [303, 429]);
  assert.equal(statuses.filter((status) => status === 303).length, 299);
  assert.equal((await client.get(`/screener-links/${link.id}`)).body.joined, 300);
  const refused = await hall.post(path, first(study));
  assert.equal(refused.status, 429, refused.text);
  assert.match(refused.text, /What you have entered is still here/);
  assert.match(refused.text, /value="44"/);
  assert.ok(Number(refused.headers["retry-after"]) > 0);
  const again = await hall.post(path, form);
  assert.deepEqual([again.status, again.headers.location], [303, String(joined.headers.location).split("?")[0]]);
  assert.equal((await visitor.post(path, first(study))).status, 303);
});

test("whoever joins while a link is revoked is there as a whole or not at all, and afterwards nobody joins", async () => {
  const client = service.workspace();
  const { study, link, path } = await linked(client);
  const joins = Array.from({ length: 24 }, async (_, at) => {
    if (at === 12) await client.delete(`/screener-links/${link.id}`);
    return (await visitor.post(path, first(study))).status;
  });
  const statuses = await Promise.all(joins);
  const joined = statuses.filter((status) => status === 303).length;
  assert.ok(
    statuses.every((status) => [303, 410].includes(status)),
    statuses.join(),
  );
  const { participants, assignments, sessions } = await everybody(client, study.screener);
  assert.deepEqual([participants.length, assignments.length, sessions.length], [joined, joined, joined]);
  assert.ok(sessions.every(({ state }: { state: string }) => state === "IN_PROGRESS"));
  assert.equal((await visitor.post(path, first(study))).status, 410);
  assert.equal((await client.get(`/screener-links/${link.id}`)).body.joined, joined);
});
