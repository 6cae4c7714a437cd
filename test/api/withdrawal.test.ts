// Participants who withdraw at their link: what counts no more, what is given back, and what stays.

import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { test } from "node:test";
import { signedIn } from "../support/console.ts";
import { assertCounts } from "../support/counts.ts";
import { parseCsv } from "../support/csv.ts";
import type { PlainAnswer } from "../support/http.ts";
import { sharedService } from "../support/service.ts";
import { withScopes } from "../support/store.ts";
import { invite, publish, readSession } from "../support/study.ts";
import { isPage, Visitor } from "../support/visitor.ts";

const service = await sharedService();
const client = service.workspace();
const visitor = new Visitor(service.url);

const content = {
  pages: [
    {
      title: "Consent",
      questions: [
        {
          ...{ key: "agreed", _type: "ScreenerConsentQuestion", prompt: "I agree", text: "We keep your answers." },
          ...{ version: "2", withdrawText: "We then delete what you said." },
        },
      ],
    },
    {
      title: "More",
      description: "You agreed on {{answer:agreed}}.",
      questions: [{ key: "more", _type: "ScreenerTextQuestion", prompt: "More?" }],
    },
  ],
  quotas: [{ name: "All", limit: 1 }],
};

test("whoever has begun can withdraw at the link, after a question, and counts no more", async () => {
  const study = await publish(client, content);
  const [link, other] = await invite(client, study.screener, 2);
  const { path, session, assignment } = link!;
  assert.doesNotMatch((await visitor.open(path)).text, /Withdraw/);
  const next = await visitor.go(path, study, "Consent", { agreed: ["given"] });
  assert.match(next.text, /href="[^"]*\?withdraw"/);
  // A later text says when it was.
  assert.match(next.text, /You agreed on <bdi>\d+ \w+ \d{4}<\/bdi>\./);
  isPage(await visitor.go(path, study, "More", { more: "Tea" }), 200, "Thank you");
  const taken = async () => (await client.all(`/screeners/${study.screener}/quotas`)).map((one) => one.taken);
  assert.deepEqual(await taken(), [1]);

  const asked = await visitor.get(`${path}?withdraw`);
  isPage(asked, 200, "Withdraw from this study");
  assert.match(asked.text, /We then delete what you said\./);
  // To look changes nothing.
  assert.equal((await readSession(client, session)).withdrawnAt, null);
  const done = await visitor.post(path, "withdraw=");
  assert.equal(done.status, 303);
  isPage(await visitor.get(String(done.headers.location)), 200, "You have withdrawn");
  isPage(await visitor.open(path), 200, "You have withdrawn");
  await visitor.post(path, "withdraw=");

  const { status, state, withdrawnAt } = await readSession(client, session);
  assert.deepEqual([status, state, typeof withdrawnAt], ["ARCHIVED", "COMPLETED", "string"]);
  assert.equal((await client.get(`/screener-participants/${assignment}`)).body.status, "UNKNOWN");
  assert.deepEqual(await taken(), [0]);
  const rows = async (query: string) =>
    parseCsv((await client.get(`/screeners/${study.screener}/export${query}`)).text).length - 1;
  assert.deepEqual([await rows(""), await rows("?includeWithdrawn=true")], [0, 1]);
  const results = (await client.get(`/screeners/${study.screener}/results`)).body;
  assert.equal(results.questions[0].answered, 0);
  const events = await client.all(`/events?filter[resourceId][eq]=${session}`);
  assert.equal(events.filter(({ type }) => type === "screener-session.withdrawn").length, 1);
  // The place is another one's now.
  await visitor.go(other!.path, study, "Consent", { agreed: ["given"] });
  isPage(await visitor.go(other!.path, study, "More", { more: "" }), 200, "Thank you");
  assert.deepEqual(await taken(), [1]);
});

test("a text that refers to a consent has the day in the study's time zone", async () => {
  // At any time, one of them has another day than UTC.
  for (const timeZone of ["Pacific/Kiritimati", "Pacific/Pago_Pago"]) {
    const study = await publish(client, content);
    assert.equal((await client.patch(`/screeners/${study.screener}`, { timeZone })).status, 200);
    const [link] = await invite(client, study.screener, 1);
    const next = await visitor.go(link!.path, study, "Consent", { agreed: ["given"] });
    const [{ answer }] = await client.all(`/screener-responses?filter[screenerSessionId][eq]=${link!.session}`);
    const day = new Date(answer.at).toLocaleDateString("en-GB", { timeZone, dateStyle: "long" });
    assert.ok(next.text.includes(`You agreed on <bdi>${day}</bdi>.`), `${day}: ${next.text}`);
  }
});

test("every page of a person's own link leads to what they may ask for, also where no consent is asked for", async () => {
  const pages = [{ title: "More", questions: [{ key: "more", _type: "ScreenerTextQuestion", prompt: "More?" }] }];
  const study = await publish(client, { pages });
  const [first, second] = await invite(client, study.screener, 2);
  const leads = async (page: PlainAnswer, heading: string, status = 200) => {
    isPage(page, status, heading);
    const [, href] = /<footer.*<a class="away" href="([^"]*\?ask)">Your data<\/a>/s.exec(page.text)!;
    const offered = await visitor.get(href!);
    isPage(offered, 200, "Your data");
    assert.match(offered.text, /\?ask=data".*\?ask=erasure"/s);
  };
  await leads(await visitor.open(first!.path), "More");
  await leads(await visitor.go(first!.path, study, "More", { more: "Tea" }), "Thank you");
  await leads(await visitor.open(first!.path), "You have already answered");
  await leads(await visitor.get(`${first!.path}?ask=data`), "Ask for your data");
  await client.patch(`/screeners/${study.screener}`, { acceptance: "PAUSED" });
  await leads(await visitor.open(second!.path), "This study is paused", 409);

  // A test is nobody's.
  await client.patch(`/screeners/${study.screener}`, { acceptance: "OPEN" });
  const { body } = await client.post("/screener-sessions", { screenerId: study.screener, isTest: true });
  const path = new URL(body.screenerSessionLink).pathname;
  for (const page of [await visitor.open(path), await visitor.open(`${path}?ask`)]) {
    isPage(page, 200, "More");
    assert.doesNotMatch(page.text, /\?ask/);
  }
});

test("nobody can withdraw from what they have not begun, or where no consent was asked for", async () => {
  const study = await publish(client, content);
  const [link] = await invite(client, study.screener, 1);
  await visitor.post(link!.path, "withdraw=");
  assert.equal((await readSession(client, link!.session)).status, "ACTIVE");
  const plain = await publish(client, { pages: [{ ...content.pages[1], description: null }] });
  const [second] = await invite(client, plain.screener, 1);
  await visitor.go(second!.path, plain, "More", { more: "Tea" });
  await visitor.post(second!.path, "withdraw=");
  assert.equal((await readSession(client, second!.session)).withdrawnAt, null);
});

/** Somebody who has agreed and answered. */
async function answered() {
  const study = await publish(client, content);
  const [link] = await invite(client, study.screener, 1);
  await visitor.go(link!.path, study, "Consent", { agreed: ["given"] });
  isPage(await visitor.go(link!.path, study, "More", { more: "Tea" }), 200, "Thank you");
  return { study, ...link! };
}

test("what people ask for at their link is a task, once, and they see so", async () => {
  const { path, assignment, session } = await answered();
  const participantId = (await client.get(`/screener-participants/${assignment}`)).body.participantId;
  const of = `filter[participantId][eq]=${participantId}`;
  const withdrawal = await visitor.get(`${path}?withdraw`);
  assert.match(withdrawal.text, /href="[^"]*\?ask=data".*href="[^"]*\?ask=erasure"/s);
  isPage(await visitor.get(`${path}?ask=data`), 200, "Ask for your data");
  isPage(await visitor.get(`${path}?ask=erasure`), 200, "Ask to be erased");
  assert.equal((await client.get(`/participant-requests?${of}`)).body.total, 0, "to look changes nothing");
  for (const asks of ["data", "data", "erasure"]) {
    const sent = await visitor.post(path, `ask=${asks}`);
    assert.equal(sent.status, 303, sent.text);
    const heading = asks === "data" ? "You have asked for your data" : "You have asked to be erased";
    isPage(await visitor.get(String(sent.headers.location)), 200, heading);
  }
  const { items } = (await client.get(`/participant-requests?${of}`)).body;
  assert.deepEqual(
    items.map(({ kind, state, screenerSessionId, closedAt }: Record<string, string>) => [
      kind,
      state,
      screenerSessionId,
      closedAt,
    ]),
    [
      ["DATA", "OPEN", session, null],
      ["ERASURE", "OPEN", session, null],
    ],
  );
  const [data, erasure] = items;
  const asked = await visitor.get(`${path}?ask=data`);
  assert.match(asked.text, new RegExp(`You asked for this on <time datetime="${data.createdAt}">`, "i"));
  assert.doesNotMatch(asked.text, /<form/);

  // An erasure that is not done is for admins to close.
  const key = await withScopes(service, client, ["import"]);
  assert.equal((await key.post(`/participant-requests/${erasure.id}/close`, {})).status, 403);
  const closed = await key.post(`/participant-requests/${data.id}/close`, {});
  assert.deepEqual([closed.status, closed.body.state, typeof closed.body.closedAt], [200, "DONE", "string"]);
  assert.deepEqual((await key.post(`/participant-requests/${data.id}/close`, {})).body, closed.body);
  const again = await visitor.get(`${path}?ask=data`);
  isPage(again, 200, "Ask for your data");
  assert.match(again.text, /marked as done on/);
  await visitor.post(path, "ask=data");
  assert.equal((await client.get(`/participant-requests?${of}&filter[state][eq]=OPEN`)).body.total, 2);
  const exported = (await client.get(`/participants/${participantId}/export`)).body;
  assert.deepEqual(
    exported.requests.map(({ kind, state }: Record<string, string>) => [kind, state]),
    [
      ["DATA", "DONE"],
      ["ERASURE", "OPEN"],
      ["DATA", "OPEN"],
    ],
  );
  const types = (
    await client.all(`/events?filter[resourceId][in][]=${session}&filter[resourceId][in][]=${participantId}`)
  )
    .map(({ type }) => type)
    .filter((type) => type.startsWith("participant-request."));
  assert.deepEqual(types.sort(), [
    "participant-request.closed",
    ...Array.from({ length: 3 }, () => "participant-request.created"),
  ]);

  // The erasure takes what was asked for along.
  assert.equal((await client.delete(`/participants/${participantId}`)).status, 200);
  assert.equal((await client.get(`/participant-requests/${erasure.id}`)).status, 404);
  isPage(await visitor.get(`${path}?ask=data`), 404, "This link does not work");
  const [{ total }] = [(await client.get("/participant-requests?filter[state][eq]=OPEN")).body];
  assert.equal(total, 0);
  service.context.workspaces.read(client.workspaceId, assertCounts);
});

test("the answers of somebody who has withdrawn can be erased, and what was agreed to stays", async () => {
  const { path, session, study } = await answered();
  const erase = () => client.delete(`/screener-sessions/${session}/responses`);
  assert.deepEqual([(await erase()).status, (await erase()).body.code], [409, "session_not_withdrawn"]);
  await visitor.post(path, "withdraw=");
  const before = await readSession(client, session);
  const [consent] = before.withdrawnConsents;
  assert.deepEqual(
    { ...consent, at: typeof consent.at },
    {
      screenerQuestionId: study.question.agreed,
      textHash: createHash("sha256").update("We keep your answers.").digest("hex"),
      version: "2",
      language: "en",
      at: "string",
    },
  );
  const since = `filter[screenerId][eq]=${study.screener}&filter[withdrawnAt][gte]=`;
  assert.equal((await client.get(`/screener-sessions?${since}2000-01-01T00:00:00Z`)).body.total, 1);
  assert.equal((await client.get(`/screener-sessions?${since}2100-01-01T00:00:00Z`)).body.total, 0);
  const results = async (query = "") => {
    const { startedSessions, questions, funnel } = (await client.get(`/screeners/${study.screener}/results${query}`))
      .body;
    return [startedSessions, questions[1].answered, funnel.completed, funnel.unknown];
  };
  assert.deepEqual(await results(), [0, 0, 0, 0]);
  assert.deepEqual(await results("?includeWithdrawn=true"), [1, 1, 1, 1]);
  const table = parseCsv((await client.get(`/screeners/${study.screener}/export?includeWithdrawn=true`)).text);
  assert.deepEqual([table[0]!.at(-1), table[1]!.at(-1)], ["session.withdrawnAt", before.withdrawnAt]);

  const erased = await erase();
  assert.deepEqual([erased.status, erased.body.status, erased.body.summary], [200, "SUCCEEDED", { responses: 2 }]);
  const after = await readSession(client, session);
  assert.deepEqual([after.withdrawnConsents, after.state], [before.withdrawnConsents, "COMPLETED"]);
  assert.equal(typeof after.answersErasedAt, "string");
  assert.equal((await client.get(`/screener-responses?filter[screenerSessionId][eq]=${session}`)).body.total, 0);
  assert.equal((await client.get(`/screener-sessions/${session}/explanation`)).body.basis.answers, "NOT_KEPT");
  const shown = await visitor.open(path);
  isPage(shown, 200, "You have withdrawn");
  assert.match(shown.text, /Your answers were erased on <time/);
  const events = await client.all(`/events?filter[resourceId][eq]=${session}`);
  assert.deepEqual(events.at(-1).summary, { responses: 2 });
  assert.equal(events.at(-1).type, "screener-session.answers-erased");
  // Once more, there is nothing left; and the time stays.
  assert.deepEqual((await erase()).body.summary, { responses: 0 });
  assert.equal((await readSession(client, session)).answersErasedAt, after.answersErasedAt);
  service.context.workspaces.read(client.workspaceId, assertCounts);
});

test("in the console, requests are tasks that lead to what does them", async () => {
  const { path, assignment, study } = await answered();
  const { participantId, externalParticipantUid: uid } = (await client.get(`/screener-participants/${assignment}`))
    .body;
  await visitor.post(path, "ask=data");
  await visitor.post(path, "ask=erasure");
  const viewer = await signedIn(service, client.workspaceId, "viewer", "viewer@withdrawal.example.org");
  const researcher = await signedIn(service, client.workspaceId, "researcher", "researcher@withdrawal.example.org");
  const admin = await signedIn(service, client.workspaceId, "admin", "admin@withdrawal.example.org");
  assert.equal((await viewer.get("/console/requests")).status, 403);
  const list = await researcher.get("/console/requests");
  assert.match(list.text, /Requests <span class="count">2<span class="unseen"> open/);
  assert.match((await researcher.get(`/console/people/${participantId}`)).text, /Asks to be erased/);
  const tasks = (await client.all(`/participant-requests?filter[participantId][eq]=${participantId}`)).map(
    ({ id }) => `/console/requests/${id}`,
  );
  for (const one of tasks) assert.match(list.text, new RegExp(`href="${one}"`));
  const [data, erasure] = tasks as [string, string];
  const shown = await researcher.get(data);
  assert.match(shown.text, new RegExp(`href="/console/people/${participantId}/export.json"`));
  assert.match(shown.text, new RegExp(`href="/console/studies/${study.screener}"`));
  assert.equal((await researcher.post(data, {})).status, 303);
  assert.match((await researcher.get(data)).text, /Marked as done by/);
  assert.match((await researcher.get("/console/requests?state=DONE")).text, new RegExp(`href="${data}"`));

  // Whoever may not erase may not say that it need not be done, either.
  assert.doesNotMatch((await researcher.get(erasure)).text, /Close without erasing/);
  assert.equal((await researcher.post(data, {}, erasure)).status, 403);
  const refused = await admin.post(erasure, { note: " " });
  assert.match(refused.text, /Reason must not be empty/);
  assert.equal(refused.status, 422);
  assert.match((await admin.get(erasure)).text, new RegExp(`href="/console/people/${participantId}/erase"`));
  assert.equal((await admin.post(erasure, { note: "Wir müssen sie behalten" })).status, 303);
  const closed = (await client.all("/events?filter[type][eq]=participant-request.closed")).at(-1);
  assert.deepEqual([closed.note, closed.resource.id], ["Wir müssen sie behalten", participantId]);
  await visitor.post(path, "ask=erasure");
  assert.equal((await admin.post(`/console/people/${participantId}/erase`, { confirm: uid })).status, 303);
  await service.drain();
  assert.match((await admin.get("/console/requests")).text, /Nothing is open\./);
  assert.doesNotMatch((await admin.get("/console/requests")).text, /class="count"/);
});

test("in the console, who has withdrawn is shown as withdrawn, and an admin erases the answers", async () => {
  const { path, session, assignment, study } = await answered();
  await visitor.post(path, "withdraw=");
  const { reference, withdrawnAt } = await readSession(client, session);
  const { participantId } = (await client.get(`/screener-participants/${assignment}`)).body;
  const admin = await signedIn(service, client.workspaceId, "admin", "admin2@withdrawal.example.org");
  const answers = `/console/studies/${study.screener}/answers`;
  const one = `${answers}/${reference}`;
  assert.match((await admin.get(answers)).text, /1 person has withdrawn/);
  const list = await admin.get(`/console/studies/${study.screener}/withdrawn`);
  assert.match(list.text, new RegExp(`datetime="${withdrawnAt}"[^]*href="${one}"`.replace("[^]", "(?:.|\\n)")));
  const shown = await admin.get(one);
  assert.match(shown.text, /<dt>Withdrawn<\/dt>/);
  assert.doesNotMatch(shown.text, /Archived/);
  assert.match(shown.text, /Had agreed .* to version <bdi>2<\/bdi>/s);
  const person = await admin.get(`/console/people/${participantId}`);
  assert.match(person.text, /Withdrew <time/);
  assert.match(person.text, new RegExp(`href="${one}"`));
  assert.match(shown.text, new RegExp(`href="${one}/erase"`));
  const researcher = await signedIn(service, client.workspaceId, "researcher", "researcher2@withdrawal.example.org");
  assert.equal((await researcher.get(`${one}/erase`)).status, 403);
  assert.equal((await admin.post(`${one}/erase`, { confirm: "yes" })).status, 422);
  assert.equal((await readSession(client, session)).answersErasedAt, null);
  assert.equal((await admin.post(`${one}/erase`, { confirm: "Erase" })).status, 303);
  await service.drain();
  const erased = await admin.get(one);
  assert.match(erased.text, /The answers are not kept any more/);
  assert.match(erased.text, /<dt>Answers erased<\/dt>/);
  assert.match(erased.text, /Had agreed/);
  const results = `/console/studies/${study.screener}/results`;
  assert.match(
    (await admin.get(`${results}?includeWithdrawn=true`)).text,
    /name="includeWithdrawn" value="true" checked/,
  );
  const file = await admin.get(`/console/studies/${study.screener}/download?file=answers&format=csv&withdrawn=true`);
  assert.match(file.text, /session\.withdrawnAt/);
});
