// GET /screeners/{id}/export

import assert from "node:assert/strict";
import { test } from "node:test";
import type { Client } from "../support/client.ts";
import { parseCsv, readCsv } from "../support/csv.ts";
import { sharedService } from "../support/service.ts";
import { everyKind, invite, publish } from "../support/study.ts";

const SESSION_HEADINGS = [
  "session.id",
  "participant.externalUid",
  "participant.id",
  "publication.version",
  "publication.id",
  "session.status",
  "session.state",
  "session.outcome",
  "session.outcomeReason",
  "session.startedAt",
  "session.lastActiveAt",
  "session.completedAt",
  "session.judgedOutcome",
  "session.overriddenBy",
  "session.overrideReason",
  "session.overriddenAt",
  "session.language",
  "session.link",
  "session.review",
  "session.reviewedBy",
  "session.reviewReason",
  "session.reviewedAt",
  "session.signals",
];

const service = await sharedService();

async function exported(client: Client, screener: string): Promise<string> {
  const { status, text } = await client.get(`/screeners/${screener}/export`);
  assert.equal(status, 200, text);
  return text;
}

async function submit(client: Client, session: string, answers: Record<string, unknown>, complete = false) {
  const responses = Object.entries(answers).map(([screenerQuestionId, answer]) => ({ screenerQuestionId, answer }));
  const answer = await client.post(`/screener-sessions/${session}/responses`, { responses, complete });
  assert.equal(answer.status, 200, answer.text);
  return answer.body;
}

const chosen = (...texts: string[]) => texts.map((text) => ({ text, isWriteIn: false }));
const written = (text: string) => ({ text, isWriteIn: true });

const text = (key: string | null, id?: string) => ({
  ...(id && { id }),
  key,
  _type: "ScreenerTextQuestion",
  prompt: `What is ${key ?? id}?`,
});

/** Puts questions into a screener's one page. @returns their ids, in order */
async function put(client: Client, screener: string, questions: object[]): Promise<string[]> {
  const { status, body, text } = await client.call("PUT", `/screeners/${screener}/content`, {
    body: { pages: [{ questions }] },
  });
  assert.equal(status, 200, text);
  return body.pages[0].questions.map(({ id }: { id: string }) => id);
}

test("each started session is a row, each question a column, and write-ins are marked", async () => {
  const client = service.workspace();
  const study = await publish(client, everyKind);
  const q = study.question;
  const [done, out, begun, removed, removedUnanswered, untouched] = await invite(client, study.screener, 6);
  const completed = await submit(
    client,
    done!.session,
    {
      [q.age!]: 30,
      [q.smokes!]: chosen("Yes"),
      [q.brands!]: [...chosen("Cigars", "A pipe"), written("Snus; loose")],
      [q.drink!]: [written('=HYPERLINK("http://x")')],
      [q.town!]: "-1 °C, always",
      [q.day!]: 'He said "now"\nand then',
    },
    true,
  );
  await submit(client, out!.session, { [q.age!]: 17, [q.smokes!]: chosen("No") });
  await submit(client, begun!.session, { [q.age!]: 40, [q.smokes!]: chosen("No") });
  await submit(client, removed!.session, { [q.age!]: 50, [q.smokes!]: chosen("Sometimes"), [q.how_often!]: "@night" });
  await client.delete(`/screener-sessions/${removed!.session}`);
  await client.delete(`/screener-sessions/${removedUnanswered!.session}`);

  const csv = await exported(client, study.screener);
  assert.deepEqual(parseCsv(csv)[0], [
    ...SESSION_HEADINGS,
    "age",
    "smokes",
    "how_often",
    "brands",
    "drink",
    "town",
    "day",
  ]);
  const rows = readCsv(csv);
  assert.deepEqual(
    rows.map((row) => row["session.id"]),
    [done, out, begun, removed].map((invitation) => invitation!.session),
  );
  assert.ok(!csv.includes(untouched!.session));
  assert.deepEqual(rows[0], {
    "session.id": done!.session,
    "participant.externalUid": `${study.screener.slice(-8)}-0`,
    "participant.id": (await client.get(`/screener-participants/${done!.assignment}`)).body.participantId,
    "publication.version": "1",
    "publication.id": study.publication,
    "session.status": "ACTIVE",
    "session.state": "COMPLETED",
    "session.outcome": "QUALIFIED",
    "session.outcomeReason": "",
    "session.startedAt": completed.startedAt,
    "session.lastActiveAt": completed.lastActiveAt,
    "session.completedAt": completed.completedAt,
    "session.judgedOutcome": "",
    "session.overriddenBy": "",
    "session.overrideReason": "",
    "session.overriddenAt": "",
    "session.language": "",
    "session.link": "",
    "session.review": "",
    "session.reviewedBy": "",
    "session.reviewReason": "",
    "session.reviewedAt": "",
    "session.signals": "",
    age: "30",
    smokes: "Yes",
    how_often: "",
    brands: "Cigars; A pipe; Snus; loose (write-in)",
    drink: '\'=HYPERLINK("http://x") (write-in)',
    town: "'-1 °C, always",
    day: 'He said "now"\nand then',
  });
  const brief = (row?: Record<string, string>) =>
    ["session.status", "session.state", "session.outcome", "session.outcomeReason", "age", "how_often", "day"].map(
      (heading) => row?.[heading],
    );
  assert.deepEqual(brief(rows[1]), ["ACTIVE", "COMPLETED", "DISQUALIFIED", "SCREENED_OUT", "17", "", ""]);
  assert.deepEqual(brief(rows[2]), ["ACTIVE", "IN_PROGRESS", "", "", "40", "", ""]);
  assert.deepEqual(brief(rows[3]), ["REMOVED", "NOT_STARTED", "", "", "50", "'@night", ""]);
});

test("a question with the same id or key has one column in all publications; questions of old publications alone come last", async () => {
  const { client, screenerId: screener } = await service.screener();
  const [kept, renamed, unnamed] = await put(client, screener, [
    text("kept"),
    text("before"),
    text(null),
    text("gone"),
  ]);
  await client.post("/screener-publications", { screenerId: screener });
  const [first] = await invite(client, screener, 1);
  const v1: string[] = (await client.get(`/screeners/${screener}/content`)).body.pages[0].questions.map(
    ({ id }: { id: string }) => id,
  );
  await submit(client, first!.session, { [v1[0]!]: "k1", [v1[1]!]: "r1", [v1[2]!]: "u1", [v1[3]!]: "g1" });

  // In another order, one with another key; and one that is new, but has the key of one that went before.
  await put(client, screener, [text("new"), text("after", renamed), text("named", unnamed), text("kept")]);
  await client.post("/screener-publications", { screenerId: screener });
  const v2: string[] = (await client.get(`/screeners/${screener}/content`)).body.pages[0].questions.map(
    ({ id }: { id: string }) => id,
  );
  assert.notEqual(v2[3], kept);
  const rows = (await client.import(screener, [{ externalUid: "second", email: "s@b", name: "S" }])).body;
  const second = (await client.post("/screener-sessions", { screenerParticipantId: rows[0].id })).body;
  await submit(client, second.id, { [v2[0]!]: "n2", [v2[1]!]: "r2", [v2[2]!]: "u2", [v2[3]!]: "k2" });

  const [headings, ...table] = parseCsv(await exported(client, screener));
  assert.deepEqual(headings?.slice(SESSION_HEADINGS.length), ["new", "after", "named", "kept", "gone"]);
  assert.deepEqual(
    table.map((row) => [row[3], ...row.slice(SESSION_HEADINGS.length)]),
    [
      ["1", "", "r1", "u1", "k1", "g1"],
      ["2", "n2", "r2", "u2", "k2", ""],
    ],
  );
});

test("two questions of one publication never share a column, whatever their keys were before", async () => {
  const { client, screenerId: screener } = await service.screener();
  const [x, y] = await put(client, screener, [text("x"), text("y")]);
  await client.post("/screener-publications", { screenerId: screener });
  const [first] = await invite(client, screener, 1);
  await submit(client, first!.session, { [x!]: "first x", [y!]: "first y" });
  // What was called x is called y now; x is something new, and y is gone.
  await put(client, screener, [text("y", x), text("x")]);
  await client.post("/screener-publications", { screenerId: screener });
  const [headings, row] = parseCsv(await exported(client, screener));
  assert.deepEqual(headings?.slice(SESSION_HEADINGS.length), ["y", "x", y]);
  assert.deepEqual(row?.slice(SESSION_HEADINGS.length), ["first x", "", "first y"]);
});

test("a screener of 2,000 questions is exported, with each answer in its column", async () => {
  const { client, screenerId: screener } = await service.screener();
  const questions = Array.from({ length: 2000 }, (_, index) => text(`q${index}`));
  const ids = await put(client, screener, questions);
  await client.post("/screener-publications", { screenerId: screener });
  const invitations = await invite(client, screener, 4);
  for (const [index, { session }] of invitations.entries()) {
    const some = ids.flatMap((id, position) => (position % 4 === index ? [[id, `a${position}`]] : []));
    await submit(client, session, Object.fromEntries(some));
  }
  const [headings, ...rows] = parseCsv(await exported(client, screener));
  assert.deepEqual(
    headings?.slice(SESSION_HEADINGS.length),
    questions.map(({ key }) => key),
  );
  assert.equal(rows.length, 4);
  for (const [index, row] of rows.entries()) {
    const expected = questions.map((_, position) => (position % 4 === index ? `a${position}` : ""));
    assert.deepEqual(row.slice(SESSION_HEADINGS.length), expected);
  }
});

test("a screener without publications has a table of headings alone, under the screener's name", async () => {
  const client = service.workspace();
  const screener = await client.screener("Schlaf: Köln / 2");
  const { headers, text: csv } = await client.get(`/screeners/${screener}/export`);
  assert.deepEqual(parseCsv(csv), [SESSION_HEADINGS]);
  assert.equal(headers.get("content-type"), "text/csv; charset=utf-8");
  const today = new Date().toISOString().slice(0, 10);
  const disposition = headers.get("content-disposition") ?? "";
  assert.match(disposition, /^attachment; /);
  assert.ok(disposition.includes(`filename*=UTF-8''Schlaf%20K%C3%B6ln%202-responses-${today}.csv`), disposition);
});

test("an unknown screener, another workspace's, another format and a parameter are refused", async () => {
  const { client, screenerId: screener } = await service.screener();
  assert.equal((await client.get("/screeners/nobody/export")).body.code, "screener_not_found");
  assert.equal((await service.workspace().get(`/screeners/${screener}/export`)).status, 404);
  const json = await client.get(`/screeners/${screener}/export`, { Accept: "application/json" });
  assert.deepEqual([json.status, json.body.code], [406, "not_acceptable"]);
  assert.equal((await client.get(`/screeners/${screener}/export?pagination[limit]=1`)).status, 400);
});
