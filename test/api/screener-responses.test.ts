// /screener-responses. Responses are put into the store, so that some are of kinds that no question allows.

import assert from "node:assert/strict";
import { test } from "node:test";
import { countRow } from "../../db/list/counts.ts";
import { newId } from "../../src/base/ids.ts";
import { countedResponses } from "../../src/nouns/responses/resource.ts";
import { type Client, UNKNOWN } from "../support/client.ts";
import { sharedService } from "../support/service.ts";
import { writeTo } from "../support/store.ts";

const service = await sharedService();

interface Question {
  uid: string;
  pageUid: string;
  type: string;
  prompt: string;
}

/** Adds a question to a publication. */
function ask(client: Client, publicationId: string, type: string, prompt: string): Question {
  const question = { uid: newId(), pageUid: newId(), type, prompt };
  writeTo(service.context.workspaces, client.workspaceId, (db) =>
    db.run(
      `INSERT INTO publication_question (screener_publication_id, place, uid, page_uid, type, prompt)
       SELECT id, (SELECT count(*) FROM publication_question AS q WHERE q.screener_publication_id = p.id), ?, ?, ?, ?
       FROM screener_publication AS p WHERE uid = ?`,
      question.uid,
      question.pageUid,
      type,
      prompt,
      publicationId,
    ),
  );
  return question;
}

/** Answers a question in a session. */
function answer(client: Client, sessionId: string, question: Question, value: unknown): void {
  writeTo(service.context.workspaces, client.workspaceId, (db) => {
    const session = db.get<{ id: number; screener_id: number; screener_publication_id: number }>(
      "SELECT * FROM screener_session WHERE uid = ?",
      sessionId,
    )!;
    const { lastInsertRowid } = db.run(
      `INSERT INTO screener_response (id, screener_id, screener_publication_id, screener_session_id, publication_question_id, answer)
       SELECT ? * 4096 + place, ?, ?, ?, id, ? FROM publication_question WHERE uid = ?`,
      session.id,
      session.screener_id,
      session.screener_publication_id,
      session.id,
      JSON.stringify(value),
      question.uid,
    );
    countRow(db, countedResponses, Number(lastInsertRowid), session, 1);
  });
}

test("a response of each kind has every field of the specification", async () => {
  const client = service.workspace();
  const { screenerId, publication, rows } = await client.published(1);
  const session = (await client.open(rows[0].id)).body;
  const kinds: [string, unknown][] = [
    ["Text", 'He said "no"\n😀'],
    ["Numeric", 12.5],
    ["Numeric", 0],
    ["SingleSelect", [{ text: "Tea", isWriteIn: false }]],
    [
      "MultiSelect",
      [
        { text: "Tea", isWriteIn: false },
        { text: "Mate", isWriteIn: true },
      ],
    ],
    ["MultiSelect", []],
    ["Text", null],
    ["Text", ""],
  ];
  const expected = kinds.map(([kind, value], index) => {
    const question = ask(client, publication.id, `Screener${kind}Question`, `"${kind}" ${index}?`);
    answer(client, session.id, question, value);
    return {
      _type: `Screener${kind}Response`,
      questionType: `Screener${kind}Question`,
      screenerSessionId: session.id,
      screenerPageId: question.pageUid,
      screenerQuestionId: question.uid,
      screenerId,
      screenerPublicationId: publication.id,
      participantId: rows[0].participantId,
      externalParticipantUid: "P-0",
      screenerParticipantId: rows[0].id,
      screenerQuestionPrompt: `"${kind}" ${index}?`,
      answer: value,
    };
  });
  const { status, body } = await client.get("/screener-responses");
  assert.equal(status, 200);
  assert.deepEqual(body, {
    _type: "PaginatedScreenerResponse",
    total: kinds.length,
    limit: 100,
    offset: 0,
    items: expected,
  });
  for (let offset = 0; offset <= kinds.length; offset++) {
    const page = (await client.get(`/screener-responses?pagination[offset]=${offset}&pagination[limit]=3`)).body;
    assert.deepEqual([page.total, page.items], [kinds.length, expected.slice(offset, offset + 3)]);
  }
});

test("responses are found by screener, publication, session and screener participant", async () => {
  const client = service.workspace();
  const one = await client.published(2);
  const other = await client.published(1);
  const first = ask(client, one.publication.id, "ScreenerTextQuestion", "First?");
  const second = ask(client, one.publication.id, "ScreenerTextQuestion", "Second?");
  const elsewhere = ask(client, other.publication.id, "ScreenerTextQuestion", "Other?");
  // The first participant has two sessions, on two publications.
  const a = (await client.open(one.rows[0].id)).body;
  const b = (await client.open(one.rows[1].id)).body;
  answer(client, a.id, first, "a1");
  answer(client, b.id, first, "b1");
  answer(client, a.id, second, "a2");
  await client.delete(`/screener-sessions/${a.id}`);
  const later = (await client.post("/screener-publications", { screenerId: one.screenerId })).body;
  const third = ask(client, later.id, "ScreenerTextQuestion", "Third?");
  const c = (await client.open(one.rows[0].id)).body;
  assert.equal(c.screenerPublicationId, later.id);
  answer(client, c.id, third, "c3");
  const d = (await client.open(other.rows[0].id)).body;
  answer(client, d.id, elsewhere, "d1");

  const get = async (...filters: string[]) => {
    const query = filters.map((one) => `filter${one}`).join("&");
    const { status, body } = await client.get(`/screener-responses?${query}`);
    assert.equal(status, 200, query);
    assert.equal(body.total, body.items.length, query);
    return body.items.map((item: { answer: string }) => item.answer);
  };
  // By session, then by question, whenever they were answered.
  assert.deepEqual(await get(), ["a1", "a2", "b1", "c3", "d1"]);
  assert.deepEqual(await get(`[screenerId][eq]=${one.screenerId}`), ["a1", "a2", "b1", "c3"]);
  assert.deepEqual(await get(`[screenerId][eq]=${other.screenerId}`), ["d1"]);
  assert.deepEqual(await get(`[screenerPublicationId][eq]=${one.publication.id}`), ["a1", "a2", "b1"]);
  assert.deepEqual(await get(`[screenerPublicationId][eq]=${later.id}`), ["c3"]);
  assert.deepEqual(await get(`[screenerSessionId][eq]=${a.id}`), ["a1", "a2"]);
  assert.deepEqual(await get(`[screenerSessionId][in][]=${b.id}`, `[screenerSessionId][in][]=${d.id}`), ["b1", "d1"]);
  assert.deepEqual(await get(`[screenerSessionId][in]=${a.id}`), ["a1", "a2"]);
  // All of a participant's sessions, the removed one included.
  assert.deepEqual(await get(`[screenerParticipantId][eq]=${one.rows[0].id}`), ["a1", "a2", "c3"]);
  assert.deepEqual(await get(`[screenerParticipantId][in][]=${one.rows[0].id}`), ["a1", "a2", "c3"]);
  assert.deepEqual(
    await get(`[screenerParticipantId][in][]=${one.rows[0].id}`, `[screenerParticipantId][in][]=${other.rows[0].id}`),
    ["a1", "a2", "c3", "d1"],
  );
  assert.deepEqual(
    await get(`[screenerParticipantId][eq]=${one.rows[0].id}`, `[screenerPublicationId][eq]=${later.id}`),
    ["c3"],
  );
  assert.deepEqual(await get(`[screenerId][eq]=${other.screenerId}`, `[screenerSessionId][eq]=${a.id}`), []);
  for (const field of ["screenerId", "screenerPublicationId", "screenerSessionId", "screenerParticipantId"]) {
    assert.deepEqual(await get(`[${field}][eq]=${UNKNOWN}`), []);
  }
});

test("responses of a removed assignment stay readable", async () => {
  const client = service.workspace();
  const { publication, rows } = await client.published(1);
  const question = ask(client, publication.id, "ScreenerTextQuestion", "Why?");
  const session = (await client.open(rows[0].id)).body;
  answer(client, session.id, question, "because");
  const before = (await client.get("/screener-responses")).body;
  await client.delete(`/screener-participants/${rows[0].id}`);
  assert.deepEqual((await client.get("/screener-responses")).body, before);
  const filter = `filter[screenerParticipantId][eq]=${rows[0].id}`;
  assert.deepEqual((await client.get(`/screener-responses?${filter}`)).body, before);
});

test("a filter that responses don't take is refused", async () => {
  const client = service.workspace();
  for (const name of [
    "filter[screenerId][in][]",
    "filter[screenerId][ne]",
    "filter[screenerPublicationId][in][]",
    "filter[screenerSessionId][ne]",
    "filter[screenerParticipantId][nin][]",
    "filter[participantId][eq]",
  ]) {
    const { status, body } = await client.get(`/screener-responses?${name}=${UNKNOWN}`);
    assert.equal(status, 400, name);
    assert.equal(body.errors[0].pointer, name);
  }
});
