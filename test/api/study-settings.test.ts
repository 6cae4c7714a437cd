// The settings of a study: its time zone, the end of its links, and how long a quota holds a place.

import assert from "node:assert/strict";
import { test } from "node:test";
import { signedIn } from "../support/console.ts";
import { sharedService } from "../support/service.ts";
import { everyKind, type Invitation, invite, publish, readAnswers, readSession } from "../support/study.ts";
import { ABOUT, DAYS, isPage, Visitor } from "../support/visitor.ts";

const service = await sharedService();
const client = service.workspace("Acme Research");
const visitor = new Visitor(service.url);
const browser = await signedIn(service, client.workspaceId, "researcher", "ada@study-settings.example.org");

const PAST = "2020-01-31T12:00:00.000Z";
const FUTURE = "2999-01-31T12:00:30.000Z";
const NEW = { timeZone: "UTC", linkExpiresAt: null, quotaHoldMinutes: 30 };

const shown = ({ body }: { body: Record<string, unknown> }) => ({
  timeZone: body.timeZone,
  linkExpiresAt: body.linkExpiresAt,
  quotaHoldMinutes: body.quotaHoldMinutes,
});

const errors = (body: { errors: { pointer: string; message: string }[] }): Record<string, string> =>
  Object.fromEntries(body.errors.map(({ pointer, message }) => [pointer, message]));

const change = (screener: string, body: object) => client.patch(`/screeners/${screener}`, body);
const words = (html: string) => html.replace(/<[^>]+>/g, " ").replace(/\s+/g, " ");

test("a new study has settings, others are given to it, and an event says what has changed", async () => {
  assert.deepEqual(shown(await client.post("/screeners", { title: "T" })), NEW);
  const set = { timeZone: "europe/berlin", linkExpiresAt: "2026-03-01T00:00:00+01:00", quotaHoldMinutes: 1440 };
  const kept = { ...set, timeZone: "Europe/Berlin", linkExpiresAt: "2026-02-28T23:00:00.000Z" };
  const made = await client.post("/screeners", { title: "T", ...set });
  assert.equal(made.status, 201, made.text);
  assert.deepEqual(shown(made), kept);
  const { id } = made.body;
  assert.deepEqual((await change(id, set)).body, made.body, "a change of nothing does not touch updatedAt");
  assert.deepEqual(shown(await change(id, { title: "U" })), kept);
  assert.deepEqual(shown(await change(id, NEW)), NEW);
  const [updated] = (await client.all(`/events?filter[resourceId][eq]=${id}&filter[type][eq]=screener.updated`)).slice(
    -1,
  );
  assert.deepEqual(updated.changes, [
    { field: "timeZone", from: "Europe/Berlin", to: "UTC" },
    { field: "linkExpiresAt", from: kept.linkExpiresAt, to: null },
    { field: "quotaHoldMinutes", from: 1440, to: 30 },
  ]);
});

test("what is no setting is refused, with all that is wrong, and changes nothing", async () => {
  const { body: made } = await client.post("/screeners", { title: "T", opensAt: PAST, closesAt: FUTURE });
  for (const [timeZone, linkExpiresAt, quotaHoldMinutes] of [
    ["+01:00", "tomorrow", 0],
    ["Mars/Olympus", 5, 1441],
    ["", "2026-02-30T12:00:00Z", 1.5],
    [null, "", null],
  ]) {
    const body = { title: "T", timeZone, linkExpiresAt, quotaHoldMinutes };
    for (const answer of [await change(made.id, body), await client.post("/screeners", body)]) {
      assert.equal(answer.status, 400);
      assert.deepEqual(Object.keys(errors(answer.body)).sort(), ["/linkExpiresAt", "/quotaHoldMinutes", "/timeZone"]);
    }
  }
  const both = { opensAt: FUTURE, closesAt: PAST, linkExpiresAt: PAST };
  const after = "must be after opensAt";
  for (const answer of [await change(made.id, both), await client.post("/screeners", { title: "T", ...both })]) {
    assert.equal(answer.status, 400);
    assert.deepEqual(errors(answer.body), { "/closesAt": after, "/linkExpiresAt": after });
  }
  // Against what is stored.
  assert.deepEqual(errors((await change(made.id, { linkExpiresAt: "2019-01-01T00:00:00Z" })).body), {
    "/linkExpiresAt": after,
  });
  assert.deepEqual((await client.get(`/screeners/${made.id}`)).body, made);
  await change(made.id, { closesAt: null, linkExpiresAt: "2021-01-01T00:00:00Z" });
  assert.deepEqual(errors((await change(made.id, { opensAt: FUTURE })).body), {
    "/opensAt": "must be before linkExpiresAt",
  });
});

test("links expire: they take no answers, none is made, and they go on where they were when they expire later", async () => {
  const study = await publish(client, everyKind);
  const [started, fresh, done] = (await invite(client, study.screener, 3)) as [Invitation, Invitation, Invitation];
  const { body: rows } = await client.import(study.screener, [
    { externalUid: `${study.screener}-late`, email: `${study.screener}@example.org`, name: "Late" },
  ]);
  await visitor.send(done.path, study, "About you", { ...ABOUT, age: "3" });
  isPage(await visitor.go(started.path, study, "About you", ABOUT), 200, "Your days");
  const before = await readSession(client, started.session);
  const answers = await readAnswers(client, started.session, study);
  assert.equal((await change(study.screener, { linkExpiresAt: PAST })).status, 200);

  for (const { path } of [started, fresh]) isPage(await visitor.open(path), 409, "This link has expired");
  isPage(await visitor.open(started.shortPath), 409, "This link has expired");
  isPage(await visitor.send(started.path, study, "Your days", DAYS), 409, "This link has expired");
  isPage(await visitor.open(done.path), 200, "You have already answered");
  const responses = [{ screenerQuestionId: study.question.age, answer: 50 }];
  for (const { status, body } of [
    await client.post(`/screener-sessions/${started.session}/responses`, { responses }),
    await client.post(`/screener-sessions/${fresh.session}/responses`, { responses: [], complete: true }),
    await client.post("/screener-sessions", { screenerParticipantId: rows[0].id }),
    await client.post("/screener-sessions", { screenerId: study.screener }),
  ]) {
    assert.deepEqual([status, body.code], [409, "link_expired"]);
    assert.match(body.detail, /^The links of the screener expired at 2020-01-31T12:00:00\.000Z\./);
  }
  assert.deepEqual(await readSession(client, started.session), before);
  assert.deepEqual(await readAnswers(client, started.session, study), answers);

  // Of a closed study no link would work, whenever it expires. Of a paused one it would not work later either.
  await change(study.screener, { acceptance: "CLOSED" });
  isPage(await visitor.open(fresh.path), 409, "This study is closed");
  await change(study.screener, { acceptance: "PAUSED" });
  isPage(await visitor.open(fresh.path), 409, "This link has expired");
  await change(study.screener, { acceptance: "OPEN", linkExpiresAt: FUTURE });
  isPage(await visitor.go(started.path, study, "Your days", DAYS), 200, "Thank you");
  await change(study.screener, { linkExpiresAt: null });
  isPage(await visitor.open(fresh.path), 200, "About you");
  assert.equal((await client.post("/screener-sessions", { screenerParticipantId: rows[0].id })).status, 201);
});

test("dates are typed and shown in the time zone of the study, and stay when another one is chosen", async () => {
  const study = await publish(client, everyKind);
  const [link] = await invite(client, study.screener, 1);
  const page = `/console/studies/${study.screener}`;
  const shownSettings = { "was-timeZone": "UTC" };
  const fields = {
    ...shownSettings,
    timeZone: "Europe/Berlin",
    opensAt: "2999-07-01T09:00",
    closesAt: "2999-12-01T18:30",
    linkExpiresAt: "2999-10-01T00:00",
  };
  assert.equal((await browser.post(page, fields)).headers.location, `${page}?saved`);
  const { body } = await client.get(`/screeners/${study.screener}`);
  assert.deepEqual(
    [body.timeZone, body.opensAt, body.closesAt, body.linkExpiresAt],
    ["Europe/Berlin", "2999-07-01T07:00:00.000Z", "2999-12-01T17:30:00.000Z", "2999-09-30T22:00:00.000Z"],
  );
  const { text } = await browser.get(page);
  for (const value of [fields.opensAt, fields.closesAt, fields.linkExpiresAt])
    assert.match(text, new RegExp(`type="datetime-local"[^>]*value="${value}"`));
  assert.match(text, /<option value="Europe\/Berlin" selected>|<option selected value="Europe\/Berlin">/);
  assert.match(words(text), /Not open yet opens 1 Jul 2999, 09:00 \(Europe\/Berlin\)/);
  assert.match(
    words((await visitor.open(link!.path)).text),
    /It opens on Monday,? 1 July 2999 at 09:00 \(Europe\/Berlin\)/i,
  );
  // Another zone alone.
  const again = { ...fields, "was-timeZone": "Europe/Berlin", timeZone: "Asia/Kolkata" };
  const was = Object.fromEntries(
    ["opensAt", "closesAt", "linkExpiresAt"].map((name) => [`was-${name}`, fields[name as keyof typeof fields]]),
  );
  await browser.post(page, { ...again, ...was });
  const after = (await client.get(`/screeners/${study.screener}`)).body;
  assert.deepEqual([after.timeZone, after.opensAt], ["Asia/Kolkata", body.opensAt]);
  const refused = await browser.post(page, { ...again, ...was, linkExpiresAt: "2020-01-01T00:00" });
  assert.equal(refused.status, 422);
  assert.match(words(refused.text), /Links expire must be after Opens/);
});
