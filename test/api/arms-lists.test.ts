// GET /screeners/{id}/arms, and lists and exports of the sessions that were given an arm.

import assert from "node:assert/strict";
import { test } from "node:test";
import { faultsOfArms } from "../../src/arms/queries.ts";
import { readCsv } from "../support/csv.ts";
import { pages } from "../support/quota-pages.ts";
import { sharedService } from "../support/service.ts";
import { writeTo } from "../support/store.ts";
import { type Invitation, invite, type Published, publish, readSession } from "../support/study.ts";

const service = await sharedService();
const client = service.workspace();

const concept = { id: "concept", name: "Concept", arms: ["A", "B"].map((name) => ({ id: name, name })) };

interface Arm {
  id: string;
  assignmentId: string;
  assignmentName: string;
  name: string;
  completed: number;
  inProgress: number;
  status: string;
}

const send = (study: Published, session: string, given: { age?: number; town?: string }, complete = false) =>
  client.post(`/screener-sessions/${session}/responses`, {
    responses: [
      { screenerQuestionId: study.question.sex!, answer: [{ text: "Man" }] },
      ...Object.entries(given).map(([key, answer]) => ({ screenerQuestionId: study.question[key]!, answer })),
    ],
    complete,
  });
const finish = (study: Published, session: string) => send(study, session, { age: 40, town: "York" }, true);
const armOf = async (session: string): Promise<string> => (await readSession(client, session)).arms[0].armName;
const armsOf = async (study: Published): Promise<Arm[]> =>
  (await client.get(`/screeners/${study.screener}/arms`)).body.items;
const counts = async (study: Published) =>
  Object.fromEntries(
    (await armsOf(study)).map(({ name, completed, inProgress, status }) => [
      name,
      `${completed} + ${inProgress} ${status}`,
    ]),
  );
const nothingWrong = () => assert.deepEqual(service.context.workspaces.read(client.workspaceId, faultsOfArms), []);

test("a study's arms say how many have completed with each and how many are in progress, and which are gone", async () => {
  const study = await publish(client, {
    pages,
    assignments: [concept, { name: "Price", pick: "RANDOM", arms: [{ name: "Low" }] }],
  });
  assert.deepEqual(await counts(study), { A: "0 + 0 OPEN", B: "0 + 0 OPEN", Low: "0 + 0 OPEN" });
  const links = await invite(client, study.screener, 5);
  const [ada, bea, cem, dan, eve] = links as [Invitation, Invitation, Invitation, Invitation, Invitation];
  await finish(study, ada.session);
  await send(study, bea.session, {});
  const [first, second] = [await armOf(ada.session), await armOf(bea.session)] as [string, string];
  assert.deepEqual(await counts(study), { [first]: "1 + 0 OPEN", [second]: "0 + 1 OPEN", Low: "1 + 1 OPEN" });
  // Who is screened out, gives up or is removed does not count.
  await send(study, bea.session, { age: 12 });
  await send(study, cem.session, {});
  await send(study, dan.session, {});
  writeTo(service.context.workspaces, client.workspaceId, (db) =>
    db.run(
      "UPDATE session_arm SET expires_at = 1 WHERE session_id = (SELECT id FROM screener_session WHERE uid = ?)",
      cem.session,
    ),
  );
  await send(study, eve.session, {});
  await client.delete(`/screener-sessions/${eve.session}`);
  const { [await armOf(dan.session)]: dans } = await counts(study);
  assert.match(dans!, /^[01] \+ 1 OPEN$/);
  assert.equal((await counts(study)).Low, "1 + 1 OPEN");
  // The next version lacks the price, and has the arms in another order.
  const draft = (await client.get(`/screeners/${study.screener}/content`)).body;
  const [assignment] = draft.assignments;
  const next = { ...draft, assignments: [{ ...assignment, arms: assignment.arms.toReversed() }] };
  await client.call("PUT", `/screeners/${study.screener}/content`, { body: next });
  await client.post("/screener-publications", { screenerId: study.screener });
  assert.deepEqual(
    (await armsOf(study)).map(({ name, status, assignmentName }) => [assignmentName, name, status]),
    [
      ["Concept", "B", "OPEN"],
      ["Concept", "A", "OPEN"],
      ["Price", "Low", "RETIRED"],
    ],
  );
  const table = readCsv((await client.get(`/screeners/${study.screener}/arms`, { Accept: "text/csv" })).text);
  assert.deepEqual(
    table.map(({ name, completed }) => [name, completed]),
    (await armsOf(study)).map(({ name, completed }) => [name, String(completed)]),
  );
  nothingWrong();
});

test("sessions and exports are found by the arm that they were given, also those that do not count for it", async () => {
  const study = await publish(client, { pages, assignments: [concept] });
  const other = await publish(client, { pages, assignments: [concept] });
  const links = await invite(client, study.screener, 7);
  for (const { session } of links.slice(0, 6)) await send(study, session, {});
  await send(study, links[0]!.session, { age: 12 });
  await finish(study, links[1]!.session);
  const [tested, untouched] = [
    (await client.post("/screener-sessions", { screenerId: study.screener, isTest: true })).body.id,
    links[6]!.session,
  ];
  await send(study, tested, {});
  const arms = await armsOf(study);
  const given: Record<string, string[]> = { A: [], B: [] };
  for (const { session } of links.slice(0, 6)) given[await armOf(session)]!.push(session);
  const idOf = (name: string) => arms.find((arm) => arm.name === name)!.id;
  const found = async (filter: string) => {
    const path = `/screener-sessions?filter[screenerId][eq]=${study.screener}&${filter}`;
    const { total, items } = (await client.get(path)).body;
    assert.equal(total, items.length);
    const whole = (await client.get(path, { Accept: "application/x-ndjson" })).text.trim().split("\n").filter(Boolean);
    const ids = items.map(({ id }: { id: string }) => id);
    assert.deepEqual(
      whole.map((line) => JSON.parse(line).id),
      ids,
    );
    return ids;
  };
  for (const name of ["A", "B"]) {
    assert.deepEqual(await found(`filter[armId][eq]=${idOf(name)}`), given[name]);
    const row = readCsv((await client.get(`/screeners/${study.screener}/export?filter[armId][eq]=${idOf(name)}`)).text);
    assert.deepEqual(
      row.map((cells) => cells["session.id"]),
      given[name],
    );
  }
  const [a, b] = [idOf("A"), idOf("B")];
  assert.equal((await found(`filter[armId][in][]=${a}&filter[armId][in][]=${b}`)).length, 6);
  assert.deepEqual(await found(`filter[armId][eq]=${a}&filter[state][eq]=COMPLETED&filter[status][eq]=ACTIVE`), [
    ...given.A!.filter((id) => [links[0]!.session, links[1]!.session].includes(id)),
  ]);
  assert.deepEqual((await found(`filter[armId][ne]=${a}`)).sort(), [...given.B!, untouched].sort());
  assert.deepEqual(await found(`filter[armId][nin][]=${a}&filter[armId][nin][]=${b}`), [untouched]);
  assert.deepEqual(await found(`filter[armId][eq]=${(await armsOf(other))[0]!.id}`), []);
  assert.deepEqual(await found(`filter[isTest][eq]=true&filter[armId][in][]=${a}&filter[armId][in][]=${b}`), [tested]);
  const wrong = await client.get("/screener-sessions?filter[armId][eq]=A");
  assert.deepEqual([wrong.status, wrong.body.errors[0].pointer], [400, "filter[armId][eq]"]);
  // Tests that are deleted and people who are erased are in none.
  await client.delete(`/screeners/${study.screener}/test-sessions`);
  const [ada] = links as [Invitation];
  const { participantId } = (await client.get(`/screener-participants/${ada.assignment}`)).body;
  assert.equal((await client.delete(`/participants/${participantId}`)).status, 200);
  assert.equal((await found(`filter[armId][in][]=${a}&filter[armId][in][]=${b}`)).length, 5);
  nothingWrong();
});

test("an arm that most of thousands were given is found like any other", async () => {
  const study = await publish(client, { pages, assignments: [concept] });
  const count = 5100;
  const participants = Array.from({ length: count }, (_, at) => ({
    externalUid: `many-${at}`,
    email: `many-${at}@example.org`,
    name: `Person ${at}`,
  }));
  await client.post("/screener-participants-import", { screenerId: study.screener, participants });
  await client.post("/screener-sessions", { screenerId: study.screener });
  const [a, b] = (await armsOf(study)) as [Arm, Arm];
  // As if they had answered, but for ten: every hundredth has B.
  writeTo(service.context.workspaces, client.workspaceId, (db) =>
    db.run(
      `UPDATE screener_session SET arms = json_object(?, iif(n % 100 = 0, ?, ?))
       FROM (SELECT s.id AS session_id, row_number() OVER (ORDER BY s.id) AS n FROM screener_session AS s
         WHERE s.screener_id = (SELECT id FROM screener WHERE uid = ?)) WHERE id = session_id AND n > 10`,
      ...[a.assignmentId, b.id, a.id, study.screener],
    ),
  );
  const all = `/screener-sessions?filter[screenerId][eq]=${study.screener}&pagination[limit]=500`;
  const total = async (filter: string) => (await client.get(`${all}&${filter}`)).body.total;
  assert.equal(await total(`filter[armId][eq]=${a.id}`), count - 10 - count / 100);
  assert.equal(await total(`filter[armId][eq]=${b.id}`), count / 100);
  assert.equal(await total(`filter[armId][ne]=${a.id}`), count / 100 + 10);
  assert.equal(await total(`filter[armId][ne]=${b.id}`), count - count / 100);
  const page = (await client.get(`${all}&filter[armId][eq]=${a.id}&pagination[offset]=5000`)).body;
  assert.equal(page.items.length, count - 10 - count / 100 - 5000);
  const rows = (
    await client.get(`${all}&filter[armId][eq]=${a.id}`.replace("&pagination[limit]=500", ""), { Accept: "text/csv" })
  ).text;
  assert.equal(readCsv(rows).length, count - 10 - count / 100);
  nothingWrong();
});
