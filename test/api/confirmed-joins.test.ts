// Open links that confirm emails: nobody joins before the link in the mail, and nobody learns who is there.

import assert from "node:assert/strict";
import { test } from "node:test";
import type { Client } from "../support/client.ts";
import { signedIn } from "../support/console.ts";
import type { PlainAnswer } from "../support/http.ts";
import { type Received, startRelay } from "../support/mail-relay.ts";
import { startService } from "../support/service.ts";
import { writeTo } from "../support/store.ts";
import { everyKind, type Published, publish, readAnswers } from "../support/study.ts";
import { until } from "../support/until.ts";
import { ABOUT, DAYS, formOf, isPage, Visitor } from "../support/visitor.ts";

const relay = await startRelay();
const service = await startService({ config: { mail: relay.config() } });
const visitor = new Visitor(service.url);

const EMAIL = "00000000-0000-8000-8000-000000000002";

async function linked(client: Client, more: object = {}, content: object = everyKind) {
  const study = await publish(client, content);
  const settings = { screenerId: study.screener, name: "Poster", ask: ["EMAIL"], oneEach: "EMAIL", confirmEmail: true };
  const { status, body, text } = await client.post("/screener-links", { ...settings, ...more });
  assert.equal(status, 201, text);
  return { study, link: body.id as string, path: new URL(body.link).pathname };
}

/** The first page, as a browser sends it. */
function first(study: Published, email: string, order: string = crypto.randomUUID(), entries = ABOUT): string {
  const form = new URLSearchParams(formOf(study, "About you", entries));
  form.append("question", EMAIL);
  form.append(`answer-${EMAIL}`, email);
  for (const [name, value] of Object.entries({ version: "1", shown: String(Date.now() - 5000), order }))
    form.append(name, value);
  return form.toString();
}

const confirmationOf = ({ text }: Received) => {
  const url = new URL(/^http\S+$/m.exec(text)![0]);
  return { path: url.pathname + url.search, token: url.searchParams.get("confirm")! };
};

async function confirm(message: Received): Promise<PlainAnswer> {
  const { path, token } = confirmationOf(message);
  isPage(await visitor.get(path), 200, "Confirm your email address");
  return visitor.post(path, `confirm=${token}`);
}

const everybody = async (client: Client, screener: string) => ({
  participants: await client.all("/participants"),
  sessions: await client.all(`/screener-sessions?filter[screenerId][eq]=${screener}`),
});

/** What differs each time: ids of one page. */
const bare = ({ text }: PlainAnswer) => text.replaceAll(/[0-9a-f]{8}-[0-9a-f-]{27}|\d{13}/g, "");

test("nobody is made until the link in the mail is confirmed; then somebody new joins with that email, and goes on", async () => {
  const client = service.workspace();
  const { study, link, path } = await linked(client, { accept: ["pid"], limit: 1 });
  const without = new URLSearchParams(first(study, ""));
  assert.equal((await visitor.post(path, without.toString())).status, 422, "it must be said");
  const form = first(study, "new@example.org");
  isPage(await visitor.post(`${path}?pid=7`, form), 200, "Check your email");
  isPage(await visitor.post(`${path}?pid=7`, form), 200, "Check your email");
  const [message] = await relay.to("new@example.org");
  assert.equal(message!.headers.get("subject"), "Confirm your email address");
  const none = await everybody(client, study.screener);
  assert.deepEqual([none.participants.length, none.sessions.length], [0, 0]);
  assert.equal((await client.get(`/screener-links/${link}`)).body.joined, 0);
  // A scanner opens the link.
  await visitor.get(confirmationOf(message!).path);
  assert.equal((await everybody(client, study.screener)).participants.length, 0);

  const joined = await confirm(message!);
  assert.equal(joined.status, 303, joined.text);
  const own = String(joined.headers.location);
  const { participants, sessions } = await everybody(client, study.screener);
  assert.deepEqual([participants.length, participants[0].email], [1, "new@example.org"]);
  assert.deepEqual(participants[0].attributes, { pid: "7" });
  assert.deepEqual([sessions.length, sessions[0].screenerLinkId, sessions[0].state], [1, link, "IN_PROGRESS"]);
  assert.equal((await client.get(`/screener-links/${link}`)).body.joined, 1);
  await visitor.go(own.split("?")[0]!, study, "Your days", DAYS);
  // The link in the mail leads there again, also when the open link is full; the form does not.
  assert.equal((await confirm(message!)).headers.location, own.split("?")[0]);
  assert.doesNotMatch((await visitor.post(path, form)).text, /screeners\//);
  assert.equal(relay.received.filter(({ to }) => to[0] === "new@example.org").length, 1);
});

test("somebody who is known goes on as that person, by the mail alone; and the pages are the same for everybody", async () => {
  const client = service.workspace();
  const { study, path } = await linked(client);
  const person = { externalUid: "P1", email: "Known@example.org", name: "Ada" };
  const [assigned] = (await client.import(study.screener, [person])).body;
  const { body: session } = await client.post("/screener-sessions", { screenerParticipantId: assigned.id });
  const other = await publish(client, everyKind);
  await client.import(other.screener, [{ externalUid: "P2", email: "elsewhere@example.org", name: "Bo" }]);

  const pages = [];
  for (const email of ["known@example.org", "elsewhere@example.org", "stranger@example.org"])
    pages.push(await visitor.post(path, first(study, email)));
  assert.deepEqual(new Set(pages.map(bare)).size, 1);
  assert.deepEqual(new Set(pages.map(({ status }) => status)), new Set([200]));

  const [mail] = await relay.to("known@example.org");
  const own = await confirm(mail!);
  assert.equal(own.headers.location, new URL(session.screenerSessionLink).pathname);
  const [theirs] = await relay.to("elsewhere@example.org");
  const joined = await confirm(theirs!);
  assert.equal(joined.status, 303);
  const { participants, sessions } = await everybody(client, study.screener);
  assert.deepEqual(participants.map(({ externalUid }: { externalUid: string }) => externalUid).sort(), ["P1", "P2"]);
  assert.equal(sessions.length, 2);
  assert.equal((await client.all("/events?filter[type][eq]=screener-participant.joined")).length, 1);
});

test("the order that chance gave to the first page is that of the session; the mail alone leads there, and to a session that replaces it", async () => {
  const client = service.workspace();
  const question = (key: string) => ({ _type: "ScreenerTextQuestion", key, prompt: `${key}?` });
  const page = { title: "About you", shuffle: true, questions: ["a", "b", "c", "d", "e", "f"].map(question) };
  const { study, link, path } = await linked(
    client,
    { oneEach: "BROWSER" },
    { pages: [page, { title: "Next", questions: [question("g")] }] },
  );
  const orderOn = ({ text }: PlainAnswer) =>
    [...text.matchAll(/name="question" value="([^"]+)"/g)].map(([, id]) => id).filter((id) => id !== EMAIL);
  for (const [count, seed] of [crypto.randomUUID(), crypto.randomUUID()].entries()) {
    const form = first(study, `order${count}@example.org`, seed, { a: "x", b: "y" });
    // What was sent is shown again, with the order that the form has.
    const shown = await visitor.post(path, form.replace(/shown=\d+/, `shown=${Date.now()}`));
    assert.equal(shown.status, 422, shown.text);
    isPage(await visitor.post(path, form), 200, "Check your email");
    const [message] = await relay.to(`order${count}@example.org`);
    const joined = await confirm(message!);
    const own = String(joined.headers.location).split("?")[0]!;
    const again = await visitor.get(`${own}?page=${study.page["About you"]}`);
    assert.deepEqual(orderOn(again), orderOn(shown));

    const session = await client.get(`/screener-sessions/${own.split("/").at(-1)}`);
    const { screenerParticipantId } = session.body;
    await client.delete(`/screener-sessions/${session.body.id}`);
    const { body: next } = await client.post("/screener-sessions", { screenerParticipantId });
    const Cookie = String(joined.headers["set-cookie"]).split(";")[0]!;
    const places = [await confirm(message!), await visitor.post(path, form, { Cookie })];
    for (const { headers } of places) assert.equal(headers.location, new URL(next.screenerSessionLink).pathname);
    await client.patch(`/screener-links/${link}`, { oneEach: "NONE", confirmEmail: false });
    const other = await visitor.post(path, form);
    assert.equal(other.status, 303, other.text);
    assert.ok(
      !String(other.headers.location).startsWith(String(places[0]!.headers.location)),
      "the form alone leads there",
    );
    await client.patch(`/screener-links/${link}`, { oneEach: "BROWSER", confirmEmail: true });
  }
});

test("one person an address, however often it is confirmed; a token that is wrong or too old opens nothing", async () => {
  const client = service.workspace();
  const { study, path } = await linked(client);
  for (let count = 0; count < 2; count++) await visitor.post(path, first(study, "twice@example.org"));
  const [one, two] = await relay.to("twice@example.org", 2);
  const both = await Promise.all([confirm(one!), confirm(two!)]);
  const places = both.map(({ headers }) => String(headers.location).split("?")[0]);
  assert.equal(places[0], places[1]);
  assert.equal((await everybody(client, study.screener)).participants.length, 1);

  for (const token of ["", "x", crypto.randomUUID(), "../../x"]) {
    assert.equal((await visitor.get(`${path}?confirm=${token}`)).status, 404, token);
    assert.equal((await visitor.post(path, `confirm=${token}`)).status, 404, token);
  }
  await visitor.post(path, first(study, "late@example.org"));
  const [late] = await relay.to("late@example.org");
  writeTo(service.context.workspaces, client.workspaceId, (db) =>
    db.run("UPDATE unconfirmed_join SET created_at = 1 WHERE email = 'late@example.org'"),
  );
  assert.equal((await visitor.get(confirmationOf(late!).path)).status, 404);
});

test("a link that is revoked or full meanwhile says so; who is erased leaves nothing that waits", async () => {
  const client = service.workspace();
  const { study, link, path } = await linked(client, { limit: 1 });
  await visitor.post(path, first(study, "early@example.org"));
  await visitor.post(path, first(study, "slow@example.org"));
  const [early] = await relay.to("early@example.org");
  const [slow] = await relay.to("slow@example.org");
  assert.equal((await confirm(early!)).status, 303);
  const { path: address, token } = confirmationOf(slow!);
  isPage(await visitor.post(address, `confirm=${token}`), 409, "This study is full");
  await client.call("DELETE", `/screener-links/${link}`);
  assert.equal((await visitor.post(address, `confirm=${token}`)).status, 410);

  const waiting = () =>
    service.context.workspaces.read(client.workspaceId, (db) =>
      db.values<string>("SELECT email FROM unconfirmed_join WHERE email IS NOT NULL"),
    );
  assert.deepEqual(waiting(), ["slow@example.org"]);
  const { body: them } = await client.post("/participants", {
    externalUid: "S",
    email: "Slow@example.org",
    name: "S",
  });
  await client.call("DELETE", `/participants/${them.id}`);
  assert.deepEqual(waiting(), []);
});

test("what else a form has is not kept, and keeps no mail back", async () => {
  const client = service.workspace();
  const { study, path } = await linked(client);
  const sentWith = async (email: string, more: Record<string, string>) => {
    const form = new URLSearchParams(first(study, email));
    for (const [name, value] of Object.entries(more)) form.append(name, value);
    isPage(await visitor.post(path, form.toString()), 200, "Check your email");
  };
  const other = crypto.randomUUID();
  const much = "z".repeat(100_000);
  await sentWith("tag@example.org", { "shown-in": `x"><${much}` });
  await sentWith("other@example.org", { question: other, [`answer-${other}`]: much });
  await sentWith("again@example.org", { [`answer-${study.question.age}`]: much, [`x-${study.question.age}`]: much });
  await sentWith("last@example.org", {});
  const { workspaces } = service.context;
  const kept = workspaces.read(client.workspaceId, (db) =>
    db.values<number>("SELECT length(form) + length(language) FROM unconfirmed_join"),
  );
  assert.equal(new Set(kept).size, 1, String(kept));
  for (const name of ["tag", "other", "again", "last"]) {
    const [message] = await relay.to(`${name}@example.org`);
    const { headers } = await confirm(message!);
    const session = String(headers.location).split("?")[0]!.split("/").at(-1)!;
    assert.deepEqual(await readAnswers(client, session, study), {
      age: 44,
      smokes: [{ text: "No", isWriteIn: false }],
    });
  }
});

test("a message that can't be prepared keeps back none of the others, and is tried again", async () => {
  const client = service.workspace();
  const { study, path } = await linked(client);
  const { workspaces } = service.context;
  relay.script.recipient = () => ({ code: 451, message: "4.7.1 Later" });
  await visitor.post(path, first(study, "broken@example.org"));
  const states = () =>
    workspaces.read(client.workspaceId, (db) =>
      db.all<{ state: string; attempts: number; reply: string | null }>(
        "SELECT state, attempts, reply FROM message ORDER BY id",
      ),
    );
  await until(() => states()[0]?.state === "DEFERRED", "the relay has not taken it");
  relay.script = {};
  writeTo(workspaces, client.workspaceId, (db) => db.run("UPDATE message SET language = '<', due_at = 1"));
  await visitor.post(path, first(study, "whole@example.org"));
  assert.equal((await relay.to("whole@example.org")).length, 1);
  await until(() => states()[1]?.state === "SENT", "the other one is sent");
  const { state, attempts, reply } = states()[0]!;
  assert.deepEqual([state, attempts, reply], ["DEFERRED", 2, "The service could not write it."]);
});

test("a researcher ticks it on the page Share, and an admin finds out on the page Mail whether mail can be sent", async () => {
  const client = service.workspace();
  const study = await publish(client, everyKind);
  const browser = await signedIn(service, client.workspaceId, "admin", "admin@example.org");
  const page = `/console/studies/${study.screener}/share`;
  const { status, text } = await browser.post(page, {
    make: "link",
    key: crypto.randomUUID(),
    name: "Hall",
    confirmEmail: "yes",
  });
  assert.equal(status, 303, text);
  const [link] = await client.all("/screener-links");
  assert.deepEqual([link.ask, link.oneEach, link.confirmEmail], [["EMAIL"], "EMAIL", true]);

  const sent = await browser.post("/console/mail", { to: "admin@example.org" });
  assert.match(sent.text, /The relay has taken the test/);
  assert.equal((await relay.to("admin@example.org")).length, 1);
  const wrong = await browser.post("/console/mail", { to: "admin" });
  assert.equal(wrong.status, 422);
  assert.match(wrong.text, /Address must be an email address/);
  const without = await startService();
  const other = await signedIn(without, without.workspace().workspaceId, "admin", "admin@example.org");
  assert.match((await other.get("/console/mail")).text, /SMTP_URL=smtps:\/\//);
});
