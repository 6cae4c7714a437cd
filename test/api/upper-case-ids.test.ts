// Ids that a caller writes in upper case are the same ids.

import assert from "node:assert/strict";
import { test } from "node:test";
import { sharedService } from "../support/service.ts";
import { everyKind, invited } from "../support/study.ts";
import { ABOUT, isPage, Visitor } from "../support/visitor.ts";
import { populate } from "../support/world.ts";

const service = await sharedService();
const upper = (id: string) => id.toUpperCase();

test("in every path that has an id", async () => {
  const { client, screener, publication, participant, assignment, session, job } = await populate(service, "Paths");
  const paths: [string, string, string?][] = [
    ["/screeners/", screener],
    ["/screeners/", screener, "/publications"],
    ["/screeners/", screener, "/content"],
    ["/screeners/", screener, "/export"],
    ["/screener-publications/", publication],
    ["/screener-publications/", publication, "/content"],
    ["/participants/", participant],
    ["/screener-participants/", assignment],
    ["/screener-sessions/", session],
    ["/jobs/", job],
    ["/jobs/", job, "/result"],
  ];
  for (const [before, id, after = ""] of paths) {
    const lower = await client.get(before + id + after);
    assert.equal(lower.status, 200);
    assert.notEqual(upper(id), id);
    assert.equal((await client.get(before + upper(id) + after)).text, lower.text, before + after);
  }
  assert.equal((await client.patch(`/screeners/${upper(screener)}`, { title: "New" })).body.title, "New");
  assert.equal((await client.delete(`/screener-sessions/${upper(session)}`)).body.id, session);
  assert.equal((await client.delete(`/screener-participants/${upper(assignment)}`)).body.id, assignment);
});

test("in a path that an Idempotency-Key stands for", async () => {
  const { client, screener } = await populate(service, "Keys");
  const { headers } = await client.import(screener, []);
  const undo = `${headers.get("Location")}/undo`;
  const key = { "Idempotency-Key": "undo" };
  const first = await client.post(undo, {}, key);
  assert.equal(first.status, 200);
  const again = await client.post(undo.replace(/[^/]{36}/, upper), {}, key);
  assert.deepEqual([again.status, again.body.id], [200, first.body.id]);
});

test("in bodies and filters", async () => {
  const { client, screener, publication, session, assignment } = await populate(service, "Bodies");
  const published = await client.post("/screener-publications", { screenerId: upper(screener) });
  assert.deepEqual([published.status, published.body.screenerId], [201, screener]);
  const again = await client.post("/screener-sessions", { screenerParticipantId: upper(assignment) });
  assert.deepEqual([again.status, again.body.id], [200, session]);
  const opened = await client.post("/screener-sessions", { screenerId: upper(screener) });
  assert.deepEqual([opened.status, opened.body.length], [200, 1]);
  const row = { externalUid: "new", email: "new@example.org", name: "New" };
  const imported = await client.import(upper(screener), [row]);
  assert.deepEqual([imported.status, imported.body[0].screenerId], [200, screener]);
  const filter = `filter[screenerId][eq]=${upper(screener)}&filter[id][in][]=${upper(session)}`;
  assert.equal((await client.get(`/screener-sessions?${filter}`)).body.total, 1);

  const { pages } = (await client.get(`/screener-publications/${publication}/content`)).body;
  const select = pages[0].questions.find(({ options }: { options?: unknown }) => options);
  const sent = await client.post(`/screener-sessions/${session}/responses`, {
    responses: [{ screenerQuestionId: upper(select.id), answer: [{ optionId: upper(select.options[1].id) }] }],
  });
  assert.equal(sent.status, 200, sent.text);
});

test("in content: what has its id of the draft keeps it, and conditions find it", async () => {
  const { client, screenerId } = await service.screener();
  const path = `/screeners/${screenerId}/content`;
  const select = {
    _type: "ScreenerSingleSelectQuestion",
    id: "select",
    prompt: "Which?",
    options: [{ id: "one", text: "One" }],
  };
  const text = { _type: "ScreenerTextQuestion", id: "text", prompt: "Why?" };
  const conditions = (question: string, option: string, other: string) => ({
    qualifyWhen: {
      all: [
        { questionId: question, equals: option },
        { questionId: other, equals: "ABC" },
      ],
    },
  });
  const first = await client.call("PUT", path, {
    body: { pages: [{ id: "page", questions: [select, text] }], ...conditions("select", "one", "text") },
  });
  assert.equal(first.status, 200, first.text);
  const [page] = first.body.pages;
  const [{ id, options }, { id: textId }] = page.questions;
  const { body } = await client.call("PUT", path, {
    body: {
      pages: [
        {
          id: upper(page.id),
          questions: [
            { ...select, id: upper(id), options: [{ id: upper(options[0].id), text: "One" }] },
            { ...text, id: upper(textId) },
          ],
        },
      ],
      ...conditions(upper(id), upper(options[0].id), upper(textId)),
    },
  });
  assert.deepEqual(body, first.body);
  const twice = await client.call("PUT", path, {
    body: { pages: [{ questions: [text, { ...text, id: textId }, { ...text, id: upper(textId) }] }] },
  });
  assert.deepEqual(
    [twice.status, twice.body.errors],
    [400, [{ pointer: "/pages/0/questions/2/id", message: "is given twice" }]],
  );
});

test("in a participant's links", async () => {
  const client = service.workspace();
  const visitor = new Visitor(service.url);
  const { study, link } = await invited(client, everyKind);
  const path = `/w/${upper(client.workspaceId)}/screeners/${upper(link.screener)}/${upper(link.session)}`;
  const opened = await visitor.get(path);
  isPage(opened, 200, "About you");
  assert.ok(opened.text.includes(`action="${link.path}"`));
  isPage(await visitor.get(`${path}?page=${upper(study.page["About you"]!)}`), 200, "About you");
  isPage(await visitor.go(path, study, "About you", ABOUT), 200, "Your days");
  const short = await visitor.get(link.shortPath.replace(client.workspaceId, upper));
  isPage(short, 200, "Your days");
});
