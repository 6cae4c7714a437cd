// What happens in a workspace before it is kept: screeners, a roster, jobs, sessions and answers, by the API of release 1.0.0.

import { gzipSync } from "node:zlib";
import { type Answer, ASYNC, type Client, people } from "../client.ts";
import { CONTENT, SHORT_CONTENT } from "./content.ts";

/** A POST with an Idempotency-Key, to be sent again. */
export interface Repeated {
  path: string;
  key: string;
  body: unknown;
  status: number;
  answer: unknown;
}

const COMPLETE = { Prefer: "wait=60" };

/** @throws Error where the answer is not the expected one */
function checked(answer: Answer, status: number): Answer["body"] {
  if (answer.status !== status) throw new Error(`${answer.status} instead of ${status}: ${answer.text}`);
  return answer.body;
}

/** Fills a workspace. `user` acts with a token. @returns the requests that can be sent again */
export async function live(client: Client, user: Client): Promise<Repeated[]> {
  const repeated: Repeated[] = [];
  const once = async (path: string, body: unknown, status: number) => {
    const key = `key-${repeated.length}`;
    const answer = checked(await client.post(path, body, { "Idempotency-Key": key, ...COMPLETE }), status);
    repeated.push({ path, key, body, status, answer });
    return answer;
  };
  const study = await once("/screeners", { title: "Sleep — Schläft", description: "With\nlines" }, 201);
  checked(await client.call("PUT", `/screeners/${study.id}/content`, { body: CONTENT }), 200);
  const tags = [
    { category: "team", value: "sleep" },
    { category: "site", value: "Köln" },
  ];
  const first = checked(await client.post("/screener-publications", { screenerId: study.id, tags }, COMPLETE), 201);
  const draft = { ...CONTENT, thankYou: "Thank you very much." };
  checked(await client.call("PUT", `/screeners/${study.id}/content`, { body: draft }), 200);
  const publication = await once(
    "/screener-publications",
    { screenerId: study.id, targetQualifiedParticipants: 50 },
    201,
  );
  checked(await user.patch(`/screener-publications/${publication.id}`, { tags: [tags[0]] }), 200);
  checked(await client.patch(`/screeners/${study.id}`, { description: "Changed" }), 200);
  checked(await user.post("/screeners", { title: "Never published" }), 201);

  const imported = "/screener-participants-import";
  await once(imported, { screenerId: study.id, participants: people(30) }, 200);
  const changed = people(31).map((row, n) => (n % 7 ? row : { ...row, name: `Changed, "${n}"; =1+1` }));
  const body = gzipSync(
    JSON.stringify({ screenerId: study.id, importMode: "FULL_SYNC", participants: changed.slice(2) }),
  );
  const headers = { "Content-Encoding": "gzip", ...COMPLETE };
  checked(await client.call("POST", imported, { raw: body, headers }), 200);
  const taken = { externalUid: "P-900", email: "person5@example.org", name: "Taken" };
  checked(await client.import(study.id, [taken], {}, COMPLETE), 409);
  checked(await client.import(study.id, [{ externalUid: "", email: "x" }], {}, COMPLETE), 400);
  checked(await client.import("019a0000-0000-7000-8000-000000000000", people(1), {}, ASYNC), 202);
  const person = { externalUid: "Q-1", email: "Ada@Example.org", name: { first: "Ada", last: "Lovelace" } };
  const ada = await once("/participants", person, 201);
  checked(await user.patch(`/participants/${ada.id}`, { email: null }), 200);

  const roster = await client.all(`/screener-participants?filter[screenerId][eq]=${study.id}`);
  const content = checked(await client.get(`/screener-publications/${publication.id}/content`), 200);
  const [you, work] = content.pages;
  const answers = (age: number) => [
    { screenerQuestionId: you.questions[0].id, answer: age },
    { screenerQuestionId: you.questions[1].id, answer: 'Köln, "=a"' },
  ];
  const [shifts, nights, , drinks] = work.questions;
  const more = [
    { screenerQuestionId: shifts.id, answer: [{ text: "Sometimes", isWriteIn: false }] },
    { screenerQuestionId: nights.id, answer: 3.5 },
    {
      screenerQuestionId: drinks.id,
      answer: [
        { text: "Tea", isWriteIn: false },
        { text: "Hot milk", isWriteIn: true },
      ],
    },
  ];
  const open = async (index: number) => checked(await client.open(roster[index].id), 201);
  const submit = async (session: { id: string }, responses: unknown[], complete: boolean) =>
    checked(await client.post(`/screener-sessions/${session.id}/responses`, { responses, complete }), 200);
  await open(0);
  await submit(await open(1), answers(30), false);
  await submit(await open(2), [...answers(40), ...more], true);
  await submit(await open(3), answers(12), true);
  const removed = await open(4);
  await submit(removed, answers(50), false);
  checked(await client.delete(`/screener-sessions/${removed.id}`), 200);
  await submit(await open(5), answers(60), false);
  checked(await client.delete(`/screener-participants/${roster[5].id}`), 200);
  checked(await client.post("/screener-sessions", { screenerId: study.id }, COMPLETE), 200);

  const short = checked(await client.post("/screeners", { title: "Quota" }), 201);
  checked(await client.call("PUT", `/screeners/${short.id}/content`, { body: SHORT_CONTENT }), 200);
  const target = { screenerId: short.id, targetQualifiedParticipants: 1 };
  const full = checked(await client.post("/screener-publications", target, COMPLETE), 201);
  const two = checked(await client.import(short.id, people(2), {}, COMPLETE), 200);
  const { pages } = checked(await client.get(`/screener-publications/${full.id}/content`), 200);
  const said = [{ screenerQuestionId: pages[0].questions[0].id, answer: "Yes" }];
  const sessions = [];
  for (const { id } of two) sessions.push(checked(await client.open(id), 201));
  for (const session of sessions) await submit(session, [], false);
  for (const session of sessions) await submit(session, said, true);
  checked(await client.patch(`/screener-publications/${full.id}`, { status: "ARCHIVED" }), 200);
  checked(await client.get(`/screener-publications/${first.id}`), 200);
  return repeated;
}

/** Jobs that nobody takes: one with a body in the spool, one without, and one that is cancelled. */
export async function leaveJobs(client: Client): Promise<void> {
  const [study] = await client.all("/screeners");
  const many = people(300, 1000);
  checked(await client.import(study.id, many, {}, { ...ASYNC, "Idempotency-Key": "waiting" }), 202);
  checked(await client.post("/screener-publications", { screenerId: study.id }, ASYNC), 202);
  const cancelled = checked(await client.import(study.id, people(1, 9000), {}, ASYNC), 202);
  checked(await client.delete(`/jobs/${cancelled.id}`), 200);
}
