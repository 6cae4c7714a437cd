// People stop mail at their link, about a study or all of it, and have it again: by hand, and by a mail program.

import assert from "node:assert/strict";
import { test } from "node:test";
import { findNoContact } from "../../src/contacts/no-contact.ts";
import { WORDS } from "../../src/words/languages.ts";
import type { Client } from "../support/client.ts";
import { sharedService } from "../support/service.ts";
import { invited as invite } from "../support/study.ts";
import { isPage, Visitor } from "../support/visitor.ts";

const languages = Object.keys(WORDS);

const service = await sharedService();
const visitor = new Visitor(service.url);

async function invited(client: Client) {
  const { study, link } = await invite(client);
  return { study, ...link };
}

/** Why nobody may write to the participant of a session: about its study, and about another one. */
const why = (client: Client, session: string) =>
  service.context.workspaces.read(client.workspaceId, (db) => {
    const { participant_id: participant, screener_id: screener } = db.get<{
      participant_id: number;
      screener_id: number;
    }>("SELECT participant_id, screener_id FROM screener_session WHERE uid = ?", session)!;
    return [screener, 1000].map((one) => findNoContact(db, participant, one));
  });

const events = async (client: Client) =>
  (await client.all("/events"))
    .filter(({ type }) => /^participant\.(?:un)?subscribed$/.test(type))
    .map(({ type, actor, summary }) => [type, actor._type, summary.scope]);

const oneClick = (path: string, raw: string, type = "application/x-www-form-urlencoded") =>
  visitor.post(`${path}?unsubscribe`, raw, { "Content-Type": type });

test("to look changes nothing; a button stops mail about the study or all mail, and another one has it again", async () => {
  const client = service.workspace("Sleep & <more>");
  const { path, session } = await invited(client);
  const page = await visitor.get(`${path}?unsubscribe`);
  isPage(page, 200, "Stop emails");
  assert.match(page.text, /Stop all emails from Sleep &amp; &lt;more>/);
  for (const query of ["?unsubscribe=everything", "?unsubscribe=study", "?unsubscribe&List-Unsubscribe=One-Click"])
    await visitor.get(path + query);
  assert.deepEqual([why(client, session), await events(client)], [[undefined, undefined], []]);

  const send = async (form: string) => {
    const sent = await visitor.post(path, form);
    assert.equal(sent.status, 303, sent.text);
    return visitor.get(String(sent.headers.location));
  };
  const less = await send("unsubscribe=study");
  assert.match(less.text, /You get no more emails about this study\./);
  assert.deepEqual(why(client, session), ["UNSUBSCRIBED", undefined]);
  await send("unsubscribe=study");
  isPage(await send("unsubscribe=everything"), 200, "Emails are stopped");
  assert.deepEqual(why(client, session), ["UNSUBSCRIBED", "UNSUBSCRIBED"]);
  // What was said of the study stays.
  assert.match((await send("subscribe=everything")).text, /Get emails about this study again/);
  assert.deepEqual(why(client, session), ["UNSUBSCRIBED", undefined]);
  isPage(await send("subscribe=study"), 200, "Stop emails");
  await send("subscribe=study");
  assert.deepEqual(why(client, session), [undefined, undefined]);
  assert.deepEqual(await events(client), [
    ["participant.unsubscribed", "ScreenerSessionActor", "STUDY"],
    ["participant.unsubscribed", "ScreenerSessionActor", "EVERYTHING"],
    ["participant.subscribed", "ScreenerSessionActor", "EVERYTHING"],
    ["participant.subscribed", "ScreenerSessionActor", "STUDY"],
  ]);
});

test("a mail program unsubscribes from everything with one POST, in either form, and follows no redirect", async () => {
  const parts = '--x\r\nContent-Disposition: form-data; name="List-Unsubscribe"\r\n\r\nOne-Click\r\n--x--\r\n';
  for (const [raw, type] of [
    ["List-Unsubscribe=One-Click", "application/x-www-form-urlencoded"],
    [parts, "multipart/form-data; boundary=x"],
  ] as const) {
    const client = service.workspace();
    const { path, session } = await invited(client);
    for (const _ of ["first", "again"]) isPage(await oneClick(path, raw, type), 200, "Emails are stopped");
    assert.deepEqual(why(client, session), ["UNSUBSCRIBED", "UNSUBSCRIBED"]);
    assert.equal((await events(client)).length, 1);
  }
});

test("other forms in parts, long ones and broken ones are refused, and change nothing", async () => {
  const client = service.workspace();
  const { path, session } = await invited(client);
  const part = (name: string, value: string) =>
    `--x\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n--x--\r\n`;
  const multipart = "multipart/form-data; boundary=x";
  const refused = [
    [await oneClick(path, part("unsubscribe", "everything"), multipart), 415],
    [await oneClick(path, part("List-Unsubscribe", "x".repeat(5000)), multipart), 413],
    [await oneClick(path, "--x\r\nnothing", multipart), 415],
    [
      await oneClick(
        path.replace(
          session,
          session.replace(/^./, (digit) => (digit === "0" ? "1" : "0")),
        ),
        "List-Unsubscribe=One-Click",
      ),
      404,
    ],
  ] as const;
  for (const [{ status }, expected] of refused) assert.equal(status, expected);
  // What is no such form is one of answers.
  await oneClick(path, "List-Unsubscribe=Two-Clicks");
  assert.deepEqual([why(client, session), await events(client)], [[undefined, undefined], []]);
});

test("it works where the study is over, or was withdrawn from, or the link was removed", async () => {
  const client = service.workspace();
  const { path, session, study } = await invited(client);
  await client.patch(`/screeners/${study.screener}`, { acceptance: "CLOSED" });
  isPage(await visitor.get(`${path}?unsubscribe`), 200, "Stop emails");
  assert.equal((await client.delete(`/screener-sessions/${session}`)).status, 200);
  isPage(await oneClick(path, "List-Unsubscribe=One-Click"), 200, "Emails are stopped");
  assert.deepEqual(why(client, session), ["UNSUBSCRIBED", "UNSUBSCRIBED"]);
});

test("the export of a person says so; who is erased, and comes back, is unsubscribed until they say otherwise", async () => {
  const client = service.workspace();
  const { path, assignment, study } = await invited(client);
  await visitor.post(path, "unsubscribe=study");
  await visitor.post(path, "unsubscribe=everything");
  const { participantId, email } = (await client.get(`/screener-participants/${assignment}`)).body;
  const { unsubscriptions } = (await client.get(`/participants/${participantId}/export`)).body;
  assert.deepEqual(
    unsubscriptions.map(({ screenerId, createdAt }: Record<string, string>) => [screenerId, typeof createdAt]),
    [
      [study.screener, "string"],
      [null, "string"],
    ],
  );
  assert.equal((await client.delete(`/participants/${participantId}`)).status, 200);
  const kept = (await client.get("/mail-suppressions")).body.items;
  assert.deepEqual([kept.length, kept[0].reason, kept[0].address], [1, "UNSUBSCRIBED", null]);
  const { body: back } = await client.import(study.screener, [{ externalUid: "new", email, name: "New" }]);
  const { body } = await client.post("/screener-sessions", { screenerParticipantId: back[0].id });
  const link = new URL(body.screenerSessionLink).pathname;
  assert.deepEqual(why(client, body.id), ["UNSUBSCRIBED", "UNSUBSCRIBED"]);
  const page = await visitor.get(`${link}?unsubscribe`);
  isPage(page, 200, "Emails are stopped");
  await visitor.post(link, "subscribe=everything");
  assert.deepEqual(why(client, body.id), [undefined, undefined]);
  assert.equal((await client.get("/mail-suppressions")).body.total, 0);
});

test("each language has the page", async () => {
  const client = service.workspace("Acme");
  const headings = new Set<string>();
  for (const language of languages) {
    const { link } = await invite(client, { language, pages: [{ title: "1", questions: [] }] });
    const { text, status } = await visitor.get(`${link.path}?unsubscribe`);
    assert.deepEqual([status, /<html lang="([^"]+)"/.exec(text)?.[1]], [200, language]);
    headings.add(/<h1>([^<]+)/.exec(text)![1]!);
    assert.equal(text.match(/Acme/g)!.length >= 4, true, "the title, the banner, the sentence and the button");
  }
  assert.equal(headings.size, languages.length);
});
