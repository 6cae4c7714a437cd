// Erasing a participant: nothing of the person is left in any file, nothing brings the person back, and others stay as
// they are.

import assert from "node:assert/strict";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { openScratchReader } from "../../db/sqlite/open.ts";
import { resultColumns } from "../../src/erasure/result-columns.ts";
import { findBytes } from "../support/bytes.ts";
import { ASYNC, type Client, people, UNKNOWN } from "../support/client.ts";
import { textColumns } from "../support/columns.ts";
import { startService } from "../support/service.ts";
import { holdWrites } from "../support/store.ts";
import { invite, publish } from "../support/study.ts";
import { until } from "../support/until.ts";

const service = await startService();

const content = {
  pages: [
    { title: "One", questions: [{ key: "why", _type: "ScreenerTextQuestion", prompt: "Why?", required: false }] },
  ],
};

/** A row that is easy to find in bytes. */
const hedwig = {
  externalUid: "HEDWIG-7731",
  email: "Hedwig.Courths@mahler.example",
  name: "Hedwig Zyprian",
  attributes: { town: "Nebraville", note: "Plays the theremin" },
};

/** What is searched for. */
const secrets = [
  hedwig.externalUid,
  hedwig.email,
  hedwig.name,
  "Nebraville",
  "theremin",
  "Hedwig Formerly",
  "Hedwig Newly",
  "hedwig newly",
  "hedwig.earlier@mahler.example",
  "Because of Mondays",
];

const wait = { Prefer: "wait=60" };

async function participantId(client: Client, externalUid = hedwig.externalUid): Promise<string> {
  const { body } = await client.get(`/participants?filter[externalUid][eq]=${externalUid}`);
  return body.items[0]?.id;
}

async function erase(client: Client, id: string, headers: object = wait): Promise<Record<string, number>> {
  const { status, body, text } = await client.call("DELETE", `/participants/${id}`, { headers: { ...headers } });
  assert.equal(status, 200, text);
  assert.deepEqual([body.kind, body.status, body.problem], ["PARTICIPANT_ERASURE", "SUCCEEDED", null]);
  return body.summary;
}

test("nothing of an erased participant is left in any file, and others stay", async () => {
  const client = service.workspace();
  const study = await publish(client, content);
  const other = await publish(client, content);
  // Small and large imports, before and after changes; also ones that fail, and plans.
  const early = { ...hedwig, name: "Hedwig Formerly", email: "hedwig.earlier@mahler.example" };
  await client.post("/participants", early, { "Idempotency-Key": "one of them" });
  await client.post(
    "/participants",
    { ...people(1, 9000)[0], attributes: {} },
    { "Idempotency-Key": "make HEDWIG-7731" },
  );
  const crowd = people(400);
  assert.equal((await client.import(study.screener, [early, ...crowd], {}, wait)).status, 200);
  assert.equal((await client.import(study.screener, [hedwig], {}, { ...wait, "Idempotency-Key": "k" })).status, 200);
  const large = await client.import(other.screener, [...crowd, hedwig], { importMode: "FULL_SYNC" }, wait);
  assert.equal(large.status, 200);
  const taken = { externalUid: "P-5", email: hedwig.email };
  assert.equal((await client.import(study.screener, [taken], {}, wait)).body.code, "email_taken");
  assert.equal((await client.import(study.screener, [...people(300, 10), taken], {}, wait)).body.code, "email_taken");
  assert.equal((await client.import(study.screener, [hedwig, hedwig], {}, wait)).status, 400);
  const skipped = await client.import(other.screener, [taken], { onRowError: "SKIP" }, wait);
  assert.equal(skipped.status, 200);
  // Links and answers; sessions opened one by one and all at once.
  const id = await participantId(client);
  assert.equal((await client.post("/screener-sessions", { screenerId: study.screener }, wait)).status, 200);
  const mine = `filter[participantId][eq]=${id}`;
  const [assigned] = await client.all(`/screener-participants?filter[screenerId][eq]=${study.screener}&${mine}`);
  const [assignedToo] = await client.all(`/screener-participants?filter[screenerId][eq]=${other.screener}&${mine}`);
  const { body: opened } = await client.post(
    "/screener-sessions",
    { screenerParticipantId: assignedToo.id },
    { "Idempotency-Key": "open" },
  );
  const { body: session } = await client.get(`/screener-sessions/${assigned.currentSessionId}`);
  const answer = { screenerQuestionId: study.question.why, answer: "Because of Mondays" };
  const answered = await client.post(`/screener-sessions/${session.id}/responses`, {
    responses: [answer],
    complete: true,
  });
  assert.equal(answered.status, 200);
  // Moved to another version, and back; and about to be moved again.
  await client.post("/screener-publications", { screenerId: other.screener, tags: [] });
  const moved = await client.post("/screener-sessions-move", { screenerId: other.screener }, wait);
  const movedBack = await client.post(`${moved.headers.get("location")}/undo`, {}, wait);
  assert.deepEqual([moved.body.summary, movedBack.body.summary.reverted], [{ moved: 1 }, 1]);
  const moving = await client.post("/screener-sessions-move", { screenerId: other.screener, dryRun: true }, wait);
  // Removed by a sync, brought back, changed by hand.
  const sync = { importMode: "FULL_SYNC" };
  const removal = await client.import(other.screener, crowd, sync, wait);
  const undo = await client.post(`${removal.headers.get("location")}/undo`, {}, wait);
  assert.deepEqual([undo.status, undo.body.summary.reverted], [200, 1]);
  await client.import(other.screener, crowd, sync, wait);
  await client.patch(`/participants/${id}`, { attributes: { town: "Nebraville", more: "theremin" } });
  // What callers have said of it, in events of the person and of others.
  const noted = (note: string, more = {}) => ({ ...wait, "X-Action-Note": note, ...more });
  const patched = await client.call("PATCH", `/participants/${id}`, {
    body: { name: "Hedwig Newly" },
    headers: noted("Married, says Hedwig Zyprian"),
  });
  assert.equal(patched.status, 200);
  const several = await client.import(study.screener, people(3), {}, noted("With HEDWIG-7731, and others"));
  const byRequest = { "X-Request-Id": "sync:HEDWIG-7731" };
  const another = await client.import(study.screener, people(4), {}, noted("Nothing special", byRequest));
  const plan = await client.import(study.screener, people(5), { dryRun: true }, noted("For Hedwig Formerly"));
  const applied = await client.post(`/jobs/${plan.body.id}/apply`, {}, noted("Now for hedwig newly"));
  for (const { status, text } of [several, another, applied]) assert.equal(status, 200, text);
  await until(async () => (await client.get(`/events?filter[jobId][eq]=${plan.body.id}`)).body.total === 2, "both");
  const small = await client.import(study.screener, [{ ...hedwig, name: "Hedwig Formerly" }], { dryRun: true }, wait);
  const big = await client.import(study.screener, crowd, { dryRun: true, ...sync }, wait);
  const innocent = await client.import(study.screener, people(3), { dryRun: true }, wait);
  for (const plan of [small, big, moving, innocent]) assert.equal(plan.body.status, "PLANNED", plan.text);
  const links = [session.linkSlug, opened.linkSlug, session.id, opened.id];
  const found = findBytes(service.config.dataDir, [...secrets, ...links]);
  for (const text of [...secrets, ...links])
    assert.ok(
      found.some((one) => one.endsWith(text)),
      `${text} is there before`,
    );
  const before = (await client.get("/participants")).body.total;

  const summary = await erase(client, id, noted("Asked for by Hedwig Newly", { "X-Request-Id": "HEDWIG-7731" }));
  assert.deepEqual(
    [summary.participants, summary.screenerParticipants, summary.sessions, summary.responses],
    [1, 1, 2, 1],
  );
  assert.ok(summary.jobs! >= 8, `${summary.jobs} jobs had something`);
  assert.deepEqual(findBytes(service.config.dataDir, [...secrets, ...links]), []);

  // Others are as they were.
  assert.equal((await client.get("/participants")).body.total, before - 1);
  assert.equal((await client.get(`/participants/${id}`)).status, 404);
  assert.equal((await client.call("DELETE", `/participants/${id}`)).status, 404);
  const job = large.headers.get("location")!;
  const { body: rows } = await client.get(`${job}/rows?pagination[limit]=500`);
  assert.equal(rows.total, 401);
  const gone = { externalUid: null, participantId: null, screenerParticipantId: null, changes: [], errors: [] };
  const { position, outcome, ...row } = rows.items[400];
  assert.deepEqual([position, outcome], [400, "UPDATED"].with(1, outcome));
  assert.deepEqual({ ...row, ...gone }, row);
  assert.deepEqual([rows.items[399].externalUid, rows.items[399].participantId === null], ["P-399", false]);
  const { body: result } = await client.get(`${job}/result`);
  assert.equal(result.length, 400);
  for (const { headers } of [large, skipped, removal, undo, moved, movedBack])
    assert.equal((await client.get(`${headers.get("location")}/rows`)).status, 200);

  // The log says still what was done, and what was said of others.
  const log = await client.all("/events");
  const ofJob = (location: string | null) => log.find(({ jobId }) => location === `/jobs/${jobId}`);
  assert.equal(ofJob(several.headers.get("location")).note, null);
  const { note, requestId } = ofJob(another.headers.get("location"));
  assert.deepEqual([note, requestId], ["Nothing special", null]);
  const last = log.at(-1);
  assert.deepEqual(
    [last.type, last.resource, last.note, last.changes, last.summary.participants],
    ["participant.erased", { _type: "Participant", id }, null, [], 1],
  );
  const answers = log.filter(({ type }) => type === "screener-session.started");
  assert.deepEqual(
    answers.map(({ resource, changes }) => [resource.id, changes]),
    [["00000000-0000-0000-0000-000000000000", []]],
  );

  // Plans that name the person end, others stay.
  for (const [plan, status] of [
    [small, "CANCELLED"],
    [big, "CANCELLED"],
    [moving, "CANCELLED"],
    [innocent, "PLANNED"],
  ] as const)
    assert.equal((await client.get(`/jobs/${plan.body.id}`)).body.status, status);
  assert.equal((await client.post(`/jobs/${small.body.id}/apply`, {})).body.code, "plan_outdated");

  // Neither an undo nor a repeated request brings the person back.
  for (const { headers } of [removal, undo]) {
    const again = await client.post(`${headers.get("location")}/undo`, {}, wait);
    assert.ok([200, 409].includes(again.status), again.text);
  }
  const replayed = await client.post("/participants", early, { "Idempotency-Key": "one of them" });
  assert.deepEqual([replayed.status, replayed.body.code], [404, "participant_not_found"]);
  assert.equal(await participantId(client), undefined);
  assert.deepEqual(findBytes(service.config.dataDir, [...secrets, ...links]), []);
  // The list of what is searched knows each column of each result file.
  for (const { id: jobId, kind } of await client.all("/jobs")) {
    for (const name of readdirSync(join(service.config.dataDir, "results")).filter((file) => file.startsWith(jobId))) {
      const file = openScratchReader(join(service.config.dataDir, "results", name));
      const unknown = textColumns(file).filter((column) => !(column in resultColumns[kind]!));
      file.close();
      assert.deepEqual(unknown, [], `src/erasure/result-columns.ts lacks columns of ${kind}`);
    }
  }
  const { workspaces } = service.context;
  assert.deepEqual(
    workspaces.read(client.workspaceId, (db) => db.all("PRAGMA foreign_key_check")),
    [],
  );
});

test("nothing is left of names that an erased participant had before, except those that others have now", async () => {
  const client = service.workspace();
  const screener = await client.screener();
  const row = (externalUid: string, email: string) => ({ externalUid, email, name: "A person" });
  await client.import(screener, [row("OTTILIE-1", "first@ottilie.example")], {}, wait);
  const id = await participantId(client, "OTTILIE-1");
  // An import that fails says who was wrong.
  const twice = [row("OTTILIE-1", "first@ottilie.example"), row("OTHER-1", "First@Ottilie.example")];
  assert.equal((await client.import(screener, twice, {}, wait)).status, 400);
  assert.equal((await client.import(screener, [...people(400), ...twice], {}, wait)).status, 400);
  // An import, and changes by hand.
  await client.import(screener, [row("OTTILIE-1", "second@ottilie.example")], {}, wait);
  await client.post("/screeners", { title: "Another one" }, { "Idempotency-Key": "first@ottilie.example again" });
  await client.patch(`/participants/${id}`, { externalUid: "OTTILIE-2", email: "third@ottilie.example" });
  await client.patch(`/participants/${id}`, { email: "fourth@ottilie.example" });
  const heir = await client.import(screener, [row("OTHER-3", "third@ottilie.example")], {}, wait);
  const names = ["OTTILIE-1", "OTTILIE-2", ...["first", "second", "fourth"].map((name) => `${name}@ottilie.example`)];
  const found = findBytes(service.config.dataDir, names);
  for (const name of names)
    assert.ok(
      found.some((one) => one.endsWith(name)),
      `${name} is there before`,
    );
  await erase(client, id);
  assert.deepEqual(findBytes(service.config.dataDir, names), []);
  const { body: result } = await client.get(`${heir.headers.get("location")}/result`);
  assert.deepEqual([result.length, result[0].email], [1, "third@ottilie.example"]);
});

test("texts about others lose an erased participant: reasons, notes, tags, drafts, wrong rows and warnings", async () => {
  const client = service.workspace();
  const study = await publish(client, content, { tags: [{ category: "Recruited by", value: "Wilhelmine Ostrander" }] });
  const row = { externalUid: "OSTRA-3307", email: "minna@ostrander.example", name: "Wilhelmine Ostrander" };
  const [other, third] = await invite(client, study.screener, 2);
  await client.import(study.screener, [row], {}, wait);
  const id = await participantId(client, "OSTRA-3307");
  // An override of somebody else's session, its event, its kept reply; one that is taken back.
  for (const { session } of [other!, third!])
    await client.post(`/screener-sessions/${session}/responses`, { responses: [], complete: true });
  const reason = "As Wilhelmine's sister, says Frau Ostrander";
  const override = (session: string, outcome: string, why: string) =>
    client.post(
      `/screener-sessions/${session}/override`,
      { outcome, reason: why },
      { "Idempotency-Key": `${session} ${outcome}`, "X-Action-Note": "Minna@Ostrander.example's wish" },
    );
  assert.equal((await override(other!.session, "QUALIFIED", reason)).status, 200);
  assert.equal((await override(third!.session, "QUALIFIED", "Dr. Ostrander said so")).status, 200);
  assert.equal((await override(third!.session, "BY_RULES", "Ostranders said no")).status, 200);
  assert.equal((await override(other!.session, "DISQUALIFIED", reason)).status, 200);
  // A draft, titles, and what a payload of a job says of them.
  const titled = await client.post("/screeners", { title: "Call minna@ostrander.example", description: "OSTRA-3307" });
  await client.patch(`/screeners/${titled.body.id}`, { title: "Call Wilhelmine Ostrander" });
  const drafts = `/screeners/${titled.body.id}/content`;
  const asked = [
    { key: "knows", _type: "ScreenerTextQuestion", prompt: "Do you know Wilhelmine Ostrander?", required: false },
  ];
  const draft = await client.call("PUT", drafts, {
    body: { pages: [{ title: "Rose or Oleander?", questions: asked }] },
  });
  assert.equal(draft.status, 200, draft.text);
  const translations = `/screeners/${titled.body.id}/translations/de`;
  const german = [
    { id: `question/${draft.body.pages[0].questions[0].id}/prompt`, text: "Kennen Sie Wilhelmine Ostrander?" },
  ];
  assert.equal((await client.call("PATCH", translations, { body: { strings: german } })).status, 200);
  assert.equal((await client.post("/screener-publications", { screenerId: titled.body.id }, wait)).status, 201);
  // Rows without a usable id, with the email in something else; in small and in large imports, refused and skipped.
  const mangled = [
    { email: "minna@ostrander.example x" },
    { externalUid: "", email: "mailto:MINNA@ostrander.example", name: "Wilhelmine Ostrander" },
    { externalUid: 7, name: ["OSTRA-3307"], email: "<minna@ostrander.example>" },
  ];
  const imports = [mangled, [...people(400), ...mangled]].flatMap((rows) => [
    client.import(study.screener, rows, { onRowError: "SKIP" }, wait),
    client.import(study.screener, rows, {}, wait),
  ]);
  for (const { status, text } of await Promise.all(imports)) assert.ok([200, 400].includes(status), text);
  // A file whose first person stands instead of the headings.
  const csv = `Wilhelmine Ostrander,externalUid,minna@ostrander.example\r\nx,P-1,y\r\n`;
  const columns = encodeURIComponent("Wilhelmine Ostrander=-");
  await client.call("POST", `/screener-participants-import?screenerId=${study.screener}&columns=${columns}`, {
    raw: csv,
    headers: { ...wait, "Content-Type": "text/csv" },
  });
  const texts = ["wilhelmine", "ostrander", "OSTRA-3307"];
  const found = findBytes(service.config.dataDir, texts);
  for (const text of texts)
    assert.ok(
      found.some((one) => one.endsWith(text)),
      `${text} is there before`,
    );

  await erase(client, id);
  assert.deepEqual(findBytes(service.config.dataDir, texts), []);
  const explained = (await client.get(`/screener-sessions/${other!.session}/explanation`)).body;
  assert.deepEqual([explained.outcome, explained.override.reason], ["DISQUALIFIED", "[erased]"]);
  const overridden = await client.all("/events?filter[type][eq]=screener-session.overridden");
  assert.equal(overridden.length, 4);
  for (const { changes, note } of overridden) {
    assert.equal(note, null);
    assert.ok(!changes.some(({ field }: { field: string }) => field === "reason"));
  }
  const { body: now, headers } = await client.get(drafts);
  assert.deepEqual(
    [now.pages[0].title, now.pages[0].questions[0].prompt],
    ["Rose or Oleander?", "Do you know [erased]?"],
  );
  const { strings } = (await client.get(translations)).body;
  assert.ok(strings.some(({ text }: { text: string | null }) => text === "Kennen Sie [erased]?"));
  assert.notEqual(headers.get("etag"), draft.headers.get("etag"));
  assert.equal((await client.get(`/screeners/${titled.body.id}`)).body.title, "Call [erased]");
  const { body: published } = await client.get(`/screener-publications/${study.publication}`);
  assert.deepEqual(
    published.tags.map(({ category, value }: { category: string; value: string }) => [category, value]),
    [["Recruited by", "[erased]"]],
  );
});

test("an email that went from one participant to another goes with either, and other people's own stay", async () => {
  const client = service.workspace();
  const screener = await client.screener();
  const row = (externalUid: string, email: string, name = "A person") => ({ externalUid, email, name });
  await client.import(
    screener,
    [row("FIRST-1", "walks@moved.example", "Gudrun Formerhand"), row("SECOND-2", "own@moved.example")],
    {},
    wait,
  );
  const [first, second] = [await participantId(client, "FIRST-1"), await participantId(client, "SECOND-2")];
  // The first one had it, by hand and by imports; the second one has it now, and the id and the name of before, too.
  await client.patch(`/participants/${first}`, { email: "other@moved.example" });
  await client.import(screener, [row("SECOND-2", "walks@moved.example")], {}, wait);
  await client.patch(`/participants/${first}`, {
    email: "own@moved.example",
    externalUid: "FIRST-9",
    name: "A person",
  });
  await client.patch(`/participants/${second}`, { externalUid: "FIRST-1", name: "Gudrun Formerhand" });
  await client.patch(`/participants/${second}`, { externalUid: "SECOND-3", name: "Somebody else" });
  // Another one had the email before the first one, and has it in what undoes an import.
  const texts = ["walks@moved.example", "own@moved.example", "SECOND-3", "FIRST-1", "Formerhand"];
  await erase(client, second!);
  assert.deepEqual(
    texts.filter((text) => findBytes(service.config.dataDir, [text]).length),
    ["own@moved.example", "Formerhand"],
    "only the first one's own is left: also a name that both had",
  );
  const kept = (await client.get(`/participants/${first}`)).body;
  assert.deepEqual([kept.email, kept.externalUid], ["own@moved.example", "FIRST-9"]);
});

test("erased participants keep their places in the quota", async () => {
  const client = service.workspace();
  const rules = { ...content, qualifyWhen: { not: { attribute: "never", exists: true } } };
  const study = await publish(client, rules, { targetQualifiedParticipants: 1 });
  const [first, second] = await invite(client, study.screener, 2);
  const finish = (session: string) =>
    client.post(`/screener-sessions/${session}/responses`, { responses: [], complete: true });
  assert.equal((await finish(first!.session)).status, 200);
  assert.equal((await finish(second!.session)).body.code, "quota_reached");
  const { body } = await client.get(`/screener-participants/${first!.assignment}`);
  assert.equal(body.status, "QUALIFIED");
  await erase(client, body.participantId);
  assert.equal((await finish(second!.session)).body.code, "quota_reached");
  await client.patch(`/screener-publications/${study.publication}`, { targetQualifiedParticipants: 2 });
  assert.equal((await finish(second!.session)).status, 200);
  const totals = async (list: string) => (await client.get(list)).body.total;
  assert.deepEqual(
    [await totals("/participants"), await totals("/screener-participants"), await totals("/screener-sessions")],
    [1, 1, 1],
  );
});

test("an erasure waits for the jobs before it, and jobs after it are its caller's wish", async () => {
  const client = service.workspace();
  const screener = await client.screener();
  await client.import(screener, [hedwig]);
  const id = await participantId(client);
  const release = holdWrites(service, client);
  const before = await client.import(screener, [hedwig, ...people(2)], {}, ASYNC);
  const { status, body, headers } = await client.call("DELETE", `/participants/${id}`, { headers: ASYNC });
  assert.deepEqual([status, body.status, headers.get("preference-applied")], [202, "QUEUED", "respond-async"]);
  const after = await client.import(screener, [hedwig], {}, ASYNC);
  release();
  for (const job of [before, { body }, after])
    await until(async () => (await client.get(`/jobs/${job.body.id}`)).body.status === "SUCCEEDED", "it is done");
  const anew = await participantId(client);
  assert.ok(anew && anew !== id);
  assert.equal((await client.get(`/jobs/${before.body.id}/rows`)).body.items[0].externalUid, null);
});

test("an unknown participant cannot be erased, and a second erasure finds nobody", async () => {
  const client = service.workspace();
  const { status, body } = await client.call("DELETE", `/participants/${UNKNOWN}`);
  assert.deepEqual([status, body.code], [404, "participant_not_found"]);
  const { body: made } = await client.post("/participants", people(1)[0]);
  const both = await Promise.all([1, 2].map(() => client.call("DELETE", `/participants/${made.id}`)));
  assert.deepEqual(both.map((one) => one.status).sort(), [200, 404]);
  assert.equal((await client.get("/participants")).body.total, 0);
});
