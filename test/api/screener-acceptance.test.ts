// Screeners that are paused, closed, or not open yet.

import assert from "node:assert/strict";
import { test } from "node:test";
import { ASYNC } from "../support/client.ts";
import { sharedService } from "../support/service.ts";
import { everyKind, type Invitation, invite, invited, publish, readAnswers, readSession } from "../support/study.ts";
import { ABOUT, DAYS, isPage, Visitor } from "../support/visitor.ts";

const service = await sharedService();
const client = service.workspace("Acme Research");
const visitor = new Visitor(service.url);

const PAST = "2020-01-31T12:00:00.000Z";
const FUTURE = "2999-01-31T12:00:30.000Z";
const OPEN = { acceptance: "OPEN", opensAt: null, closesAt: null };

const shown = ({ body }: { body: Record<string, unknown> }) => ({
  acceptance: body.acceptance,
  opensAt: body.opensAt,
  closesAt: body.closesAt,
});

function errors(body: { errors: { pointer: string; message: string }[] }): Record<string, string> {
  return Object.fromEntries(body.errors.map(({ pointer, message }) => [pointer, message]));
}

const change = (screener: string, body: object) => client.patch(`/screeners/${screener}`, body);

/** Each way not to take answers: what is set, the page's heading, and what the API says. */
const refusals: [name: string, set: object, heading: string, detail: RegExp][] = [
  ["closed", { acceptance: "CLOSED" }, "This study is closed", /^The screener is closed\./],
  [
    "past its time",
    { closesAt: PAST },
    "This study is closed",
    /^The screener was closed at 2020-01-31T12:00:00\.000Z\./,
  ],
  ["paused", { acceptance: "PAUSED" }, "This study is paused", /^The screener is paused\./],
  [
    "not open yet",
    { opensAt: FUTURE },
    "This study is not open yet",
    /^The screener opens at 2999-01-31T12:00:30\.000Z\./,
  ],
  [
    "closed before it opens",
    { acceptance: "CLOSED", opensAt: FUTURE },
    "This study is closed",
    /^The screener is closed\./,
  ],
  [
    "paused past its time",
    { acceptance: "PAUSED", closesAt: PAST },
    "This study is closed",
    /^The screener was closed at/,
  ],
];

test("a new screener is open; it can be given another acceptance and times, and they can be changed", async () => {
  const plain = await client.post("/screeners", { title: "T" });
  assert.deepEqual(shown(plain), OPEN);
  const times = { acceptance: "PAUSED", opensAt: "2026-01-31T12:00:00+02:00", closesAt: "2026-02-28t12:00:00.123456z" };
  const kept = { acceptance: "PAUSED", opensAt: "2026-01-31T10:00:00.000Z", closesAt: "2026-02-28T12:00:00.123Z" };
  const made = await client.post("/screeners", { title: "T", ...times });
  assert.equal(made.status, 201, made.text);
  assert.deepEqual(shown(made), kept);
  const same = await change(made.body.id, times);
  assert.deepEqual(same.body, made.body, "a change of nothing does not touch updatedAt");
  assert.deepEqual(shown(await change(made.body.id, { title: "U", description: null })), kept);
  assert.deepEqual(shown(await change(made.body.id, { acceptance: "CLOSED" })), { ...kept, acceptance: "CLOSED" });
  assert.deepEqual(shown(await change(made.body.id, { opensAt: null, closesAt: null, acceptance: "OPEN" })), OPEN);
  assert.deepEqual((await client.get(`/screeners/${made.body.id}`)).body.title, "U");
});

test("what is no acceptance or no time is refused, with all that is wrong, and changes nothing", async () => {
  const { body: made } = await client.post("/screeners", { title: "T", opensAt: PAST, closesAt: FUTURE });
  for (const time of [
    "",
    "tomorrow",
    "2026-01-31",
    "2026-01-31T12:00:00",
    "2026-02-30T12:00:00Z",
    "2026-01-31T25:00:00Z",
  ]) {
    const body = { title: "x".repeat(501), acceptance: "open", opensAt: time, closesAt: 5 };
    for (const answer of [await change(made.id, body), await client.post("/screeners", body)]) {
      assert.equal(answer.status, 400);
      assert.deepEqual(Object.keys(errors(answer.body)).sort(), ["/acceptance", "/closesAt", "/opensAt", "/title"]);
    }
  }
  assert.equal(
    errors((await change(made.id, { acceptance: null })).body)["/acceptance"],
    "must be one of OPEN, PAUSED, CLOSED",
  );
  const before = "must be before closesAt";
  const after = "must be after opensAt";
  const disorders: [object, Record<string, string>][] = [
    [{ opensAt: FUTURE, closesAt: PAST }, { "/closesAt": after }],
    [{ opensAt: PAST, closesAt: PAST }, { "/closesAt": after }],
    [
      { opensAt: PAST, closesAt: "2020-01-31T13:00:00+01:00", title: 5 },
      { "/closesAt": after, "/title": "must be a string or null" },
    ],
    [{ closesAt: "2019-01-01T00:00:00Z" }, { "/closesAt": after }],
    [{ opensAt: FUTURE }, { "/opensAt": before }],
  ];
  for (const [body, expected] of disorders) {
    const answer = await change(made.id, body);
    assert.equal(answer.status, 400, answer.text);
    assert.deepEqual(errors(answer.body), expected);
  }
  const refused = await client.post("/screeners", { title: "T", opensAt: FUTURE, closesAt: PAST });
  assert.deepEqual([refused.status, errors(refused.body)], [400, { "/closesAt": after }]);
  assert.deepEqual((await client.get(`/screeners/${made.id}`)).body, made);
});

for (const [name, set, heading, detail] of refusals) {
  test(`a screener that is ${name} takes no answers and opens no sessions, and goes on where it was`, async () => {
    const study = await publish(client, everyKind);
    const [started, fresh] = (await invite(client, study.screener, 2)) as [Invitation, Invitation];
    const { body: rows } = await client.import(study.screener, [
      { externalUid: `${study.screener}-late`, email: `${study.screener}@example.org`, name: "Late" },
    ]);
    isPage(await visitor.go(started.path, study, "About you", ABOUT), 200, "Your days");
    const before = await readSession(client, started.session);
    const answers = await readAnswers(client, started.session, study);
    assert.equal((await change(study.screener, set)).status, 200);

    for (const { path } of [started, fresh]) {
      isPage(await visitor.open(path), 409, heading);
      isPage(await visitor.get(`${path}?page=${study.page["About you"]}`), 409, heading);
      isPage(await visitor.get(`${path}?done`), 409, heading);
    }
    isPage(await visitor.open(started.shortPath), 409, heading);
    isPage(await visitor.send(started.path, study, "Your days", DAYS), 409, heading);
    isPage(await visitor.send(fresh.path, study, "About you", ABOUT), 409, heading);
    const responses = [{ screenerQuestionId: study.question.age, answer: 50 }];
    const calls = [
      await client.post(`/screener-sessions/${started.session}/responses`, { responses }),
      await client.post(`/screener-sessions/${fresh.session}/responses`, { responses: [], complete: true }),
      await client.post("/screener-sessions", { screenerParticipantId: rows[0].id }),
      await client.post("/screener-sessions", { screenerId: study.screener }),
    ];
    for (const { status, body } of calls) {
      assert.deepEqual([status, body.code], [409, "screener_closed"]);
      assert.match(body.detail, detail);
    }
    // The session that is open already is still found.
    const known = await client.post("/screener-sessions", { screenerParticipantId: started.assignment });
    assert.deepEqual([known.status, known.body], [200, before]);
    assert.deepEqual(await readSession(client, started.session), before);
    assert.deepEqual(await readAnswers(client, started.session, study), answers);
    const sessions = `/screener-sessions?filter[screenerId][eq]=${study.screener}`;
    assert.equal((await client.get(sessions)).body.total, 2);

    assert.equal((await change(study.screener, OPEN)).status, 200);
    isPage(await visitor.open(started.path), 200, "Your days");
    isPage(await visitor.go(started.path, study, "Your days", DAYS), 200, "Thank you");
    isPage(await visitor.open(fresh.path), 200, "About you");
    assert.equal((await client.post("/screener-sessions", { screenerParticipantId: rows[0].id })).status, 201);
  });
}

test("a screener between its times takes answers", async () => {
  const { study, link } = await invited(client);
  await change(study.screener, { opensAt: PAST, closesAt: FUTURE });
  isPage(await visitor.go(link.path, study, "About you", ABOUT), 200, "Your days");
});

test("before the study opens, the page says when: in words, and no sooner than it is", async () => {
  const { study, link } = await invited(client);
  await change(study.screener, { opensAt: FUTURE });
  const { text } = await visitor.open(link.path);
  assert.match(
    text,
    /It opens on <time datetime="2999-01-31T12:00:30\.000Z">Thursday,? 31 January 2999 at 12:01 UTC<\/time>\./i,
  );
});

test("a participant who has answered is thanked, and one whose link was removed reads that, also when the study is closed", async () => {
  const study = await publish(client, everyKind);
  const [done, removed, archived] = (await invite(client, study.screener, 3)) as [Invitation, Invitation, Invitation];
  await visitor.send(done.path, study, "About you", { ...ABOUT, age: "3" });
  await client.delete(`/screener-sessions/${removed.session}`);
  await client.delete(`/screener-participants/${archived.assignment}`);
  await change(study.screener, { acceptance: "CLOSED" });
  isPage(await visitor.open(done.path), 200, "You have already answered");
  isPage(await visitor.open(removed.path), 410, "This link is no longer available");
  isPage(await visitor.open(archived.path), 410, "This study is closed");
  const answering = async ({ session }: Invitation) =>
    (await client.post(`/screener-sessions/${session}/responses`, { responses: [] })).body.code;
  assert.equal(await answering(done), "session_completed");
  assert.equal(await answering(removed), "session_closed");
});

test("a job that opens sessions looks at the screener when it applies: it fails, or opens all", async () => {
  const { screenerId } = await client.published(2);
  await change(screenerId, { acceptance: "PAUSED" });
  const { body: accepted } = await client.post("/screener-sessions", { screenerId }, ASYNC);
  await service.drain();
  const { body: job } = await client.get(`/jobs/${accepted.id}`);
  assert.deepEqual([job.status, job.problem.code], ["FAILED", "screener_closed"]);
  await change(screenerId, { acceptance: "OPEN" });
  const opened = await client.post("/screener-sessions", { screenerId });
  assert.deepEqual([opened.status, opened.body.length], [200, 2]);
});

test("a closed study can be published, imported into and read; archiving a publication still stops no session", async () => {
  const { study, link } = await invited(client);
  await change(study.screener, { acceptance: "CLOSED" });
  const published = await client.post("/screener-publications", { screenerId: study.screener });
  assert.equal(published.status, 201);
  assert.equal((await client.import(study.screener, [])).status, 200);
  assert.equal((await client.get(`/screeners/${study.screener}/export`)).status, 200);
  await change(study.screener, { acceptance: "OPEN" });
  await client.patch(`/screener-publications/${published.body.id}`, { status: "ARCHIVED" });
  isPage(await visitor.go(link.path, study, "About you", ABOUT), 200, "Your days");
});
