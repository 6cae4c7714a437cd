// Mailings: planned, explained, sent once, paused, stopped; and never to those who should not be written to.

import assert from "node:assert/strict";
import { test } from "node:test";
import type { Client } from "../support/client.ts";
import { assertAllCounts } from "../support/counts.ts";
import { startRelay } from "../support/mail-relay.ts";
import {
  addresses,
  briefly,
  ended,
  hasten as hastenIn,
  invitation,
  type Mailing,
  messagesOf,
  read,
  rowsOf,
  send,
  studyWith,
} from "../support/mailings.ts";
import { startService } from "../support/service.ts";
import { inControl } from "../support/store.ts";
import { until } from "../support/until.ts";

const relay = await startRelay();
const service = await startService({ config: { mail: relay.config({ MAIL_PER_MINUTE: "100000" }) } });

/** As if the time had come for all that waits. */
const hasten = (client: Client) => hastenIn(service, client);

test("an invitation is planned, applied, and sent to each person once, with the name, an attribute and the own link", async () => {
  const client = service.workspace("Sleep lab");
  const [ada, ben] = addresses(2) as [string, string];
  const { screener, people } = await studyWith(client, [
    { email: ada, name: "Ada", attributes: { site: "Leeds" } },
    { email: ben, name: "Ben\r\nBcc: all@example.org" },
    { email: addresses(1)[0] },
  ]);
  await client.patch(`/participants/${people[2]!.participantId}`, { email: null });
  const { body: plan } = await client.post("/mailings", invitation(screener, { dryRun: true }));
  assert.deepEqual(
    [plan.kind, plan.status, plan.summary],
    ["MAILING_PLANNING", "PLANNED", { send: 2, skip: 1, noEmail: 1 }],
  );
  assert.deepEqual(await rowsOf(client, plan.id), ["SEND", "SEND", "SKIP NO_EMAIL"]);
  assert.equal((await client.get("/mailings")).body.total, 0);
  const { body: applied } = await client.post(`/jobs/${plan.id}/apply`, {});
  assert.equal(applied.status, "SUCCEEDED");
  const one = { id: applied.id } as Mailing;
  const { messages } = await ended(client, one);
  assert.deepEqual([messages.SENT, messages.READY], [2, 0]);

  const [first] = await relay.to(ada);
  assert.equal(first!.headers.get("subject"), "For Ada");
  const { body: assignment } = await client.get(`/screener-participants/${people[0]!.id}`);
  const { body: session } = await client.get(`/screener-sessions/${assignment.currentSessionId}`);
  assert.ok(first!.text.includes(`\n\n${session.screenerSessionLink}\n\nThe team in Leeds`), first!.text);
  const stop = `${session.screenerSessionLink}?unsubscribe`;
  assert.equal(first!.headers.get("list-unsubscribe"), `<${stop}>`);
  // Not every mail program shows what the header says.
  assert.ok(first!.text.endsWith(`\nStop emails: ${stop}`), first!.text);
  const [second] = await relay.to(ben);
  assert.deepEqual(second!.to, [ben]);
  assert.equal(second!.headers.get("bcc"), undefined);
  assert.match(second!.headers.get("subject")!, /^For Ben/);
  assert.match(second!.text, /The team in town/);

  const csv = (await client.get(`/mailings/${one.id}/messages`, { Accept: "text/csv" })).text;
  assert.equal(csv.trim().split("\r\n").length, 3);
  const again = await client.post(`/jobs/${plan.id}/apply`, {});
  assert.equal(again.body.id, one.id);
  assert.equal(relay.received.filter(({ to }) => to.includes(ada)).length, 1);
  const { body: events } = await client.get("/events?filter[type][in][]=message.sent&filter[type][in][]=mailing.sent");
  assert.equal(events.total, 3);
  const undone = await client.post(`/jobs/${plan.id}/undo`, {});
  assert.equal(undone.body.code, "job_not_undoable");
});

test("whom a plan leaves out is said, and who changes before the plan is applied, or before a message leaves, gets none", async () => {
  const client = service.workspace();
  const [ada, ben, cy, dan] = addresses(4) as [string, string, string, string];
  const study = await studyWith(client, [{ email: ada }, { email: ben }, { email: cy }, { email: dan }]);
  const { screener, people } = study;
  const { body: plan } = await client.post(
    "/mailings",
    invitation(screener, { dryRun: true, at: "2090-01-01T00:00:00Z" }),
  );
  await client.patch(`/participants/${people[0]!.participantId}`, { email: null });
  await client.import(screener, [{ externalUid: "P5", name: "Late", email: addresses(1)[0] }]);
  const { body: applied } = await client.post(`/jobs/${plan.id}/apply`, {});
  assert.deepEqual(applied.summary, { send: 3, skip: 1, noEmail: 1 });
  assert.deepEqual(await rowsOf(client, plan.id), ["SKIP NO_EMAIL", "SEND", "SEND", "SEND"]);
  const one = { id: applied.id } as Mailing;
  assert.equal((await read(client, one)).status, "SCHEDULED");

  // Ben finishes, Cy is removed from the study.
  const { body: session } = await client.post("/screener-sessions", { screenerParticipantId: people[1]!.id });
  const finished = await client.post(`/screener-sessions/${session.id}/responses`, {
    responses: [
      // Who is under 18 is screened out at once.
      { screenerQuestionId: study.question.age, answer: 17 },
      { screenerQuestionId: study.question.smokes, answer: [{ text: "No", isWriteIn: false }] },
    ],
  });
  assert.equal(finished.status, 200, finished.text);
  await client.delete(`/screener-participants/${people[2]!.id}`);
  await hasten(client);
  await ended(client, one);
  assert.deepEqual(await briefly(client, one), ["P2 0 DROPPED FINISHED", "P3 0 DROPPED REMOVED", "P4 0 SENT"]);
  assert.equal((await relay.to(dan)).length, 1);
});

test("a closed study sends nothing, a paused one waits", async () => {
  const client = service.workspace();
  const [ada, ben] = addresses(2) as [string, string];
  const { screener, people } = await studyWith(client, [{ email: ada }, { email: ben }]);
  await client.patch(`/screeners/${screener}`, { acceptance: "PAUSED" });
  const one = await send(client, invitation(screener));
  await until(
    async () => ((await read(client, one)) as unknown as { nextAt: string }).nextAt > new Date().toISOString(),
    "it waits",
  );
  assert.equal((await read(client, one)).messages.READY, 2);
  await client.patch(`/screeners/${screener}`, { acceptance: "CLOSED" });
  await hasten(client);
  await ended(client, one);
  assert.deepEqual(await briefly(client, one), ["P1 0 DROPPED STUDY_CLOSED", "P2 0 DROPPED STUDY_CLOSED"]);
  await client.patch(`/participants/${people[1]!.participantId}`, { doNotContact: { reason: "Rang us up" } });
  const { body: plan } = await client.post("/mailings", invitation(screener, { dryRun: true }));
  assert.deepEqual(plan.summary, { send: 0, skip: 2, doNotContact: 1, studyClosed: 1 });
});

test("each is written to in the own language", async () => {
  const client = service.workspace();
  const [ada, ben] = addresses(2) as [string, string];
  const { screener } = await studyWith(client, [
    { email: ada, attributes: { language: "de-AT" } },
    { email: ben, attributes: { language: "fi" } },
  ]);
  const translations = [{ language: "de", subject: "Für {{name|Sie}}", body: "Guten Tag\n\n{{link}}" }];
  await ended(client, await send(client, invitation(screener, { translations })));
  assert.equal((await relay.to(ada))[0]!.headers.get("subject"), "Für Person P1");
  assert.match((await relay.to(ada))[0]!.html, /<html lang="de"/);
  assert.equal((await relay.to(ben))[0]!.headers.get("subject"), "For Person P2");
});

test("what is wrong with a mailing is said all at once, each with where", async () => {
  const client = service.workspace();
  const { screener } = await studyWith(client, []);
  const { status, body } = await client.post(
    "/mailings",
    invitation(screener, {
      subject: "For {{nmae|you}} {{link}}",
      body: "Dear {{name}}, click {{link}} or [here](https://example.org/{{attribute:x|y}})",
      translations: [{ language: "de", subject: "Hallo", body: "Ohne" }],
      reminders: [{ afterDays: 3, subject: "Again", body: "{{answer:age}}" }],
      to: { attributes: { age: { near: 3 } } },
    }),
  );
  assert.equal(status, 400);
  const found = (body.errors as { pointer: string; message: string }[]).map(
    ({ pointer, message }) => `${pointer} ${message}`,
  );
  for (const [index, wanted] of [
    /^\/subject has \{\{nmae\|you\}\}, which is no placeholder of messages; did you mean \{\{name\|…\}\}\?$/,
    /^\/subject must not have \{\{link\}\}/,
    /^\/body has \{\{name\}\}, which needs a fallback/,
    /^\/body has \{\{link\}\} within a line/,
    /^\/body has a placeholder in the address of a link$/,
    /^\/translations\/0\/body must have \{\{link\}\}, on a line of its own$/,
    /^\/reminders\/0\/body has \{\{answer:age\}\}, which needs a fallback/,
    /^\/reminders\/0\/body must have \{\{link\}\}/,
    /^\/to\/attributes\/age\/near is not an operator of attributes/,
  ].entries())
    assert.match(found[index]!, wanted);
  assert.equal(found.length, 9, found.join("\n"));

  const schema = await client.post("/mailings", {
    ...invitation(screener, { subject: "One\nBcc: x@example.org", perMinute: 0, wnidow: null }),
    window: { days: ["MON"], from: "18:00", to: "09:00", timeZone: "Mars" },
  });
  assert.equal(schema.status, 400);
  assert.deepEqual(schema.body.errors.map(({ pointer }: { pointer: string }) => pointer).sort(), [
    "/perMinute",
    "/subject",
    "/window/timeZone",
    "/window/to",
    "/wnidow",
  ]);
});

test("what is wrong with one text of a message hides nothing that is wrong with its others, or in another language", async () => {
  const client = service.workspace();
  const { screener } = await studyWith(client, []);
  const wrong = { language: "de", subject: "Zwei\nZeilen", body: "{{nmae}}" };
  const typo = { language: "fr", subject: "{{nmae|x}}", body: "{{link}}" };
  const languages = [wrong, typo];
  const faultsOf = async (path: string, body: object) => {
    const { status, body: problem, text } = await client.post(path, body);
    assert.equal(status, 400, text);
    return problem.errors.map(({ pointer, message }: { pointer: string; message: string }) => `${pointer} ${message}`);
  };
  const ofWords = (at: string, lines: string[]) => lines.map((line) => at + line);
  const ofLanguages = [
    "/0/body has {{nmae}}, which is no placeholder of messages; did you mean {{name|…}}?",
    "/0/body must have {{link}}, on a line of its own",
    "/0/subject must be one line",
    "/1/subject has {{nmae|x}}, which is no placeholder of messages; did you mean {{name|…}}?",
  ];
  const mailing = invitation(screener, {
    translations: languages,
    reminders: [{ afterDays: 0.5, subject: "{{attribute:city}}", body: "Now", translations: languages }],
  });
  assert.deepEqual((await faultsOf("/mailings", mailing)).sort(), [
    ...ofWords("/reminders/0", [
      "/afterDays must be a whole number from 1 to 60",
      "/body must have {{link}}, on a line of its own",
      "/subject has {{attribute:city}}, which needs a fallback, as in {{attribute:city|…}}: a person may not have this attribute",
      ...ofWords("/translations", ofLanguages),
    ]),
    ...ofWords("/translations", ofLanguages),
  ]);
  const shown = { screenerId: screener, subject: "Hello", body: "{{x}}", translations: languages };
  const ofShown = [
    "/body has {{x}}, which is no placeholder of messages",
    ...ofWords("/translations", [
      "/0/body has {{nmae}}, which is no placeholder of messages; did you mean {{name|…}}?",
      "/0/subject must be one line",
      "/1/subject has {{nmae|x}}, which is no placeholder of messages; did you mean {{name|…}}?",
    ]),
  ];
  assert.deepEqual((await faultsOf("/mailings-preview", shown)).sort(), ofShown);
  const test = { ...shown, to: "nobody" };
  const [to, ...others] = (await faultsOf("/mailings-test", test)).sort((one: string) =>
    one.startsWith("/to ") ? -1 : 1,
  );
  assert.match(to, /^\/to must be/);
  assert.deepEqual(others.sort(), ofShown);
});

test("a mailing goes to those alone who are asked for", async () => {
  const client = service.workspace();
  const [ada, ben, cy] = addresses(3) as [string, string, string];
  const study = await studyWith(client, [
    { email: ada, attributes: { site: "Leeds", age: 30 } },
    { email: ben, attributes: { site: "York", age: 40 } },
    { email: cy, attributes: { site: "Leeds", age: 50 } },
  ]);
  const { screener, people, question } = study;
  const other = await studyWith(
    client,
    [{ email: cy, attributes: { site: "Leeds", age: 50 } }].map((row) => ({ ...row, externalUid: "P3" })),
  );
  const { body: session } = await client.post("/screener-sessions", { screenerParticipantId: people[0]!.id });
  await client.post(`/screener-sessions/${session.id}/responses`, {
    responses: [{ screenerQuestionId: question.age, answer: 33 }],
  });
  const planned = async (to: object) => {
    const { status, body, text } = await client.post("/mailings", invitation(screener, { to, dryRun: true }));
    assert.equal(status, 200, text);
    const rows = (await client.all(`/jobs/${body.id}/rows`)) as unknown as {
      screenerParticipantId: string;
      externalUid: string;
    }[];
    const numbers = rows.map((row) => people.findIndex(({ id }) => id === row.screenerParticipantId) + 1);
    assert.deepEqual(
      rows.map(({ externalUid }) => externalUid),
      numbers.map((number) => `P${number}`),
    );
    if (numbers.length) {
      const last = `P${numbers.at(-1)}`;
      const { body: found } = await client.get(`/jobs/${body.id}/rows?filter[externalUid][eq]=${last}`);
      assert.deepEqual([found.total, found.items[0].externalUid], [1, last]);
    }
    return numbers.join();
  };
  assert.equal(await planned({}), "1,2,3");
  assert.equal(await planned({ status: ["IN_PROGRESS"] }), "1");
  assert.equal(await planned({ attributes: { site: { eq: "Leeds" } } }), "1,3");
  assert.equal(await planned({ attributes: { site: { ne: "Leeds" } } }), "2");
  assert.equal(await planned({ attributes: { age: { gte: 40 }, site: { in: ["York", "Leeds"] } } }), "2,3");
  assert.equal(await planned({ answers: { age: { gte: 18 } } }), "1");
  assert.equal(await planned({ answers: { age: { lt: 18 } } }), "");
  assert.equal(await planned({ answers: { age: { lt: 18 } }, filter: { outcome: { eq: "QUALIFIED" } } }), "");
  assert.equal(await planned({ notInScreenerIds: [other.screener] }), "1,2");
  assert.equal(await planned({ limit: 2 }), "1,2");
  assert.equal((await planned({ limit: 2, order: "RANDOM" })).split(",").length, 2);
  assert.equal(await planned({ review: ["PENDING"] }), "");
  assert.equal(await planned({ notQualifiedSince: "2020-01-01T00:00:00Z" }), "1,2,3");
  await ended(client, await send(client, invitation(screener, { to: { limit: 1 } })));
  assert.equal(await planned({ notInvitedSince: "2020-01-01T00:00:00Z" }), "2,3");
  const wrong = await client.post(
    "/mailings",
    invitation(screener, { to: { answers: { nothing: { eq: 1 } } }, dryRun: true }),
  );
  assert.deepEqual([wrong.status, wrong.body.errors[0].pointer], [400, "/to/answers/nothing/eq"]);
  const tooMany = await client.post("/mailings", invitation(screener, { maxRecipients: 2 }));
  assert.deepEqual([tooMany.status, tooMany.body.code], [409, "recipient_limit_exceeded"]);
});

test("reminders follow after days, and stop when somebody has finished", async () => {
  const client = service.workspace();
  const [ada, ben] = addresses(2) as [string, string];
  const study = await studyWith(client, [{ email: ada }, { email: ben }]);
  const reminders = [{ afterDays: 3, subject: "Again", body: "{{link}}" }];
  const one = await send(client, invitation(study.screener, { reminders }));
  await until(async () => (await read(client, one)).messages.SENT === 2, "both are sent");
  assert.deepEqual([(await read(client, one)).status, (await read(client, one)).messages.READY], ["SENDING", 2]);
  const { body: assignment } = await client.get(`/screener-participants/${study.people[0]!.id}`);
  await client.post(`/screener-sessions/${assignment.currentSessionId}/responses`, {
    responses: [
      // Who is under 18 is screened out at once.
      { screenerQuestionId: study.question.age, answer: 17 },
      { screenerQuestionId: study.question.smokes, answer: [{ text: "No", isWriteIn: false }] },
    ],
  });
  await hasten(client);
  await ended(client, one);
  assert.deepEqual((await briefly(client, one)).slice(2).sort(), ["P1 1 DROPPED FINISHED", "P2 1 SENT"]);
  assert.deepEqual(
    (await relay.to(ben, 2)).map(({ headers }) => headers.get("subject")),
    ["For Person P2", "Again"],
  );
});

test("a mailing is paused, resumed, and stopped", async () => {
  const client = service.workspace();
  const { screener } = await studyWith(
    client,
    addresses(3).map((email) => ({ email })),
  );
  const one = await send(client, invitation(screener, { at: "2090-01-01T00:00:00Z" }));
  const act = (what: string, body?: object) => client.post(`/mailings/${one.id}/${what}`, body);
  assert.equal((await act("pause")).body.status, "PAUSED");
  await hasten(client);
  assert.equal((await act("resume")).body.status, "SCHEDULED");
  await ended(client, one);
  assert.equal((await act("stop")).body.code, "mailing_ended");
  const other = await send(client, invitation(screener, { at: "2090-01-01T00:00:00Z" }));
  assert.equal((await client.post(`/mailings/${other.id}/stop`, undefined)).body.status, "STOPPED");
  await until(async () => (await read(client, other)).messages.DROPPED === 3, "what waited is dropped");
  assert.equal((await client.post(`/mailings/${other.id}/resume`, {})).body.code, "mailing_ended");
  assert.equal((await client.post(`/mailings/${other.id}/stop`, {})).body.status, "STOPPED");
});

test("a workspace that is suspended, or moves, sends nothing, and goes on afterwards", async () => {
  const client = service.workspace();
  const { screener } = await studyWith(
    client,
    addresses(3).map((email) => ({ email })),
  );
  const mailing = await send(client, invitation(screener, { at: "2099-01-01T00:00:00.000Z" }));
  const { context } = service;
  const states = () =>
    context.workspaces.read(client.workspaceId, (db) => db.values<string>("SELECT state FROM message"));
  const set = (change: string) =>
    inControl(service, (db) => db.run(`UPDATE workspace SET ${change} WHERE uid = ?`, client.workspaceId));
  for (const change of ["suspended_at = 1", "moving = 'PAUSED'"]) {
    await set(change);
    await hasten(client);
    context.mail!.mailer.kick(client.workspaceId);
    // What another workspace sends afterwards leaves all the same.
    const other = service.workspace();
    const { screener: theirs } = await studyWith(
      other,
      addresses(1).map((email) => ({ email })),
    );
    await ended(other, await send(other, invitation(theirs)));
    assert.deepEqual(states(), ["READY", "READY", "READY"], change);
    // Of the two one holds at each moment, until the end.
    if (change.startsWith("suspended")) await set("moving = 'PAUSED'");
    await set("suspended_at = NULL");
  }
  await set("moving = NULL");
  assert.equal((await ended(client, mailing)).messages.SENT, 3);
});

test("refusals for now put the receiver's domain off, those for good fail, and what nobody knows is sent again only if the mailing says so", async () => {
  const client = service.workspace();
  const { screener } = await studyWith(client, [
    { email: "a@slow.example" },
    { email: "b@slow.example" },
    { email: "c@gone.example" },
    { email: "d@lost.example" },
  ]);
  let isSlow = true;
  relay.script = {
    recipient: (address) =>
      address.endsWith("@slow.example") && isSlow
        ? { code: 451, message: "Later" }
        : address.endsWith("@gone.example")
          ? { code: 550, message: "No such user" }
          : undefined,
    message: ({ to }) => (to[0]!.endsWith("@lost.example") ? "HANG_UP" : undefined),
  };
  const one = await send(client, invitation(screener, { perMinute: 100_000 }));
  await until(async () => {
    const { messages } = await read(client, one);
    return messages.FAILED === 1 && messages.UNCERTAIN === 1 && messages.DEFERRED! >= 1;
  }, "each has come to something");
  isSlow = false;
  relay.script = { message: undefined } as never;
  const before = await messagesOf(client, one);
  assert.match(before.find(({ state }) => state === "FAILED")!.reply!, /^550 /);
  await client.post(`/mailings/${one.id}/pause`, {});
  await client.post(`/mailings/${one.id}/resume`, { resendUncertain: true });
  await relay.to("d@lost.example");
  const ids = relay.received
    .filter(({ to }) => to.includes("d@lost.example"))
    .map(({ headers }) => headers.get("message-id"));
  const lost = (await messagesOf(client, one)).find(({ externalParticipantUid }) => externalParticipantUid === "P4")!;
  assert.equal(lost.attempts, 2);
  assert.equal(ids.length, 1);
});

test("a message is shown as one person would get it, and sent to oneself", async () => {
  const client = service.workspace();
  const { screener, people } = await studyWith(client, [{ email: "x@example.org", name: "Ada" }]);
  const words = { screenerId: screener, subject: "Hello {{name|you}}", body: "Dear {{name|you}}\n\n{{link}}" };
  const shown = await client.post("/mailings-preview", { ...words, participantId: people[0]!.participantId });
  assert.deepEqual([shown.status, shown.body.subject, shown.body.language], [200, "Hello Ada", "en"]);
  assert.match(shown.body.text, /^Dear Ada\n\nhttp/);
  const [me] = addresses(1) as [string];
  const tested = await client.post("/mailings-test", { ...words, to: me });
  assert.deepEqual([tested.status, tested.body.status], [200, "SENT"]);
  assert.equal((await relay.to(me))[0]!.headers.get("subject"), "Hello you");
});

test("the counts of messages are those of the rows, after all this, and when people and studies go", async () => {
  assertAllCounts(service);
  const client = service.workspace();
  const { screener, people } = await studyWith(
    client,
    addresses(2100).map((email) => ({ email })),
  );
  // The messages of the second do not begin with a block of their own.
  const [first, second] = [{ at: "2090-01-01T00:00:00Z" }, { at: "2090-01-02T00:00:00Z" }];
  for (const more of [first, second]) {
    const mailing = await send(client, invitation(screener, more));
    assert.equal(mailing.messages.READY, 2100);
    assertAllCounts(service);
  }
  assert.equal((await client.delete(`/participants/${people[1030]!.participantId}`)).status, 200);
  assertAllCounts(service);
  assert.equal((await client.delete(`/screener-participants/${people[5]!.id}`)).status, 200);
  assertAllCounts(service);
  const { status, text } = await client.delete(`/screeners/${screener}?confirm=Sleep%20and%20smoke`);
  assert.equal(status, 200, text);
  assertAllCounts(service);
});
