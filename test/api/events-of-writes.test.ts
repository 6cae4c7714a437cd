// Every write leaves an event, whatever its endpoint; a write that is refused, or that changes nothing, leaves none.

import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { test } from "node:test";
import { createApp } from "../../src/main/app.ts";
import { moveEvents } from "../../src/upkeep/housekeeping.ts";
import { type Answer, type Client, people } from "../support/client.ts";
import { Described, type DescribedOperation, pathWith } from "../support/description.ts";
import { type Prepared, prepare, type Shown, sendExample, shownBy } from "../support/examples.ts";
import { startRelay } from "../support/mail-relay.ts";
import { startService } from "../support/service.ts";
import { tokenFor } from "../support/store.ts";
import { everyKind, invite, invited, publish } from "../support/study.ts";
import { ABOUT, DAYS, Visitor } from "../support/visitor.ts";

// Its log would be full of errors: a job fails on purpose.
const relay = await startRelay();
const service = await startService({ config: { logLevel: "silent", mail: relay.config() } });
const described = new Described((await service.workspace().get("/openapi.json")).body);

/** Every write that the router has, as `METHOD /path`; but signing in and out of the console (console-sign-in.test.ts), and returned mail. */
const writes = createApp(service.context)
  .routes.stack.flatMap(({ methods, path }) =>
    methods.filter((method) => !["HEAD", "GET", "OPTIONS"].includes(method)).map((method) => `${method} ${path}`),
  )
  .filter((name) => !/^POST \/(?:console\b|mail\/)/.test(name));

const nameOf = ({ method, path }: DescribedOperation) => `${method.toUpperCase()} ${path.replace(/\{(\w+)\}/g, ":$1")}`;
const operations = new Map([...described.operations.values()].map((endpoint) => [nameOf(endpoint), endpoint]));

/** What participants' browsers send: tested below. */
const PAGES = writes.filter((name) => /^POST \/w\b/.test(name));

// biome-ignore lint/suspicious/noExplicitAny: a test says itself what it expects
type Events = any[];

/** Whether an event is as its type is described. */
const isOfType = new Map(
  Object.entries(described.whole.components.schemas.Event!.discriminator!.mapping).map(([type, $ref]) => [
    type,
    described.compile({ $ref }),
  ]),
);

/** All events of a workspace, when all jobs are done, and after what the upkeep does twice a second. Each is as its type is described. */
async function eventsOf(client: Client): Promise<Events> {
  await service.drain();
  await service.context.pool.ask(moveEvents, undefined);
  const events = await client.all("/events");
  for (const event of events) {
    const fits = isOfType.get(event.type)!;
    assert.ok(fits(event), `${JSON.stringify(event)}: ${JSON.stringify(fits.errors)}`);
  }
  return events;
}

/** The events that `act` leaves. */
async function during<T>(client: Client, act: () => Promise<T>): Promise<{ result: T; added: Events }> {
  const before = (await eventsOf(client)).length;
  const result = await act();
  return { result, added: (await eventsOf(client)).slice(before) };
}

/** Examples of requests that change nothing. */
const SAME_AGAIN = ['putScreenerContent ("guarded")'];

/** Jobs that can be asked for again: each leaves its event, also when it has nothing to do. */
const JOBS_AGAIN = ["deleteScreenerTestSessions", "eraseScreenerResponses"];

/** Without the ends of other jobs: of those that kept the one of `cancelJob` from running, and of the one that runs again. */
const OWN: Record<string, string> = { cancelJob: "job.cancelled", retryJob: "job.retried" };
const othersEnd = (operationId: string) => (event: Events[number]) => event.type === (OWN[operationId] ?? event.type);

test("every write of the router is looked at here", () => {
  assert.deepEqual([...operations.keys()].filter((name) => !name.startsWith("GET ")).sort(), [
    ...writes.filter((name) => !PAGES.includes(name)).sort(),
  ]);
  // The last one is for links that lead nowhere.
  assert.deepEqual(PAGES.sort(), [
    "POST /w/:workspace/o/:token",
    "POST /w/:workspace/screeners/:screener/:session",
    "POST /w{/*rest}",
  ]);
});

/** What is sent by POST, and changes nothing. */
const READS = [
  "POST /screeners/:id/quota-forecast",
  "POST /screeners/:id/feasibility",
  "POST /workspace/mail/test",
  "POST /mailings-preview",
  "POST /mailings-test",
];

for (const name of writes.filter((one) => !PAGES.includes(one) && !READS.includes(one))) {
  const endpoint = operations.get(name)!;
  const { operationId } = endpoint.operation;
  for (const shown of shownBy(endpoint.operation)) {
    test(`${operationId} ("${shown.name}") leaves an event with its note; when it is repeated, it leaves none`, async () => {
      const prepared = await prepare(service, described, operationId);
      const { client, end } = prepared;
      // While a job waits, `eventsOf` would wait, too.
      const before = operationId === "cancelJob" ? await client.all("/events") : await eventsOf(client);
      const headers = {
        "X-Action-Note": `Because of ${operationId}`,
        "X-Request-Id": `r-${randomUUID()}`,
        ...(endpoint.method === "post" && { "Idempotency-Key": "once" }),
      };
      const answer = await sendExample(endpoint, shown, prepared, headers);
      end();
      assert.equal(answer.status, shown.status, answer.text);
      const added = (await eventsOf(client)).slice(before.length).filter(othersEnd(operationId));
      const changesNothing = SAME_AGAIN.includes(`${operationId} ("${shown.name}")`);
      assert.equal(added.length > 0, !changesNothing, `${name} has succeeded with ${added.length} events`);
      for (const { note, requestId, actor, createdAt } of added) {
        assert.deepEqual([note, requestId], [headers["X-Action-Note"], headers["X-Request-Id"]]);
        assert.deepEqual([actor._type, actor.name], ["ApplicationActor", "Test API key"]);
        assert.ok(createdAt >= before.at(-1).createdAt);
      }
      const again = await during(client, () => repeat(endpoint, shown, prepared, headers, answer));
      const left = JOBS_AGAIN.includes(operationId) ? again.added.slice(1) : again.added;
      assert.deepEqual(left, [], `${name} was repeated: ${again.result.status}`);
    });
  }

  test(`${operationId} leaves no event when it is refused`, async () => {
    const client = service.workspace();
    const path = pathWith(endpoint.path, randomUUID());
    const { result, added } = await during(client, () =>
      client.call(
        endpoint.method.toUpperCase(),
        path,
        endpoint.operation.requestBody ? { raw: "{}", headers: { "Content-Type": "text/plain" } } : {},
      ),
    );
    // One has neither an id nor a body: the workspace is no sandbox.
    const refused = operationId === "resetSandbox" ? [409] : [404, 415];
    assert.ok(refused.includes(result.status), result.text);
    assert.deepEqual(added, []);
  });
}

/** Sends the request again. A draft has got ids: with these it is the same again. */
function repeat(
  endpoint: DescribedOperation,
  shown: Shown,
  prepared: Prepared,
  headers: Record<string, string>,
  { body }: Answer,
): Promise<Answer> {
  if (endpoint.operation.operationId !== "putScreenerContent") return sendExample(endpoint, shown, prepared, headers);
  return prepared.client.call("PUT", `/screeners/${body.screenerId}/content`, { body });
}

test("a write that changes nothing leaves no event, also without an Idempotency-Key", async () => {
  const client = service.workspace();
  const { study, link } = await invited(client);
  const [row] = people(1);
  const made = await client.post("/participants", row);
  const plan = await client.import(study.screener, people(2), { dryRun: true });
  const applied = await client.post(`/jobs/${plan.body.id}/apply`, {});
  const undone = await client.post(`/jobs/${plan.body.id}/undo`, {});
  for (const { status, text } of [made, applied, undone]) assert.ok(status < 300, text);
  const repeated: [status: number, act: () => Promise<Answer>][] = [
    [409, () => client.post("/participants", row)],
    [200, () => client.patch(`/participants/${made.body.id}`, { ...row, attributes: {} })],
    [200, () => client.patch(`/screeners/${study.screener}`, { title: "Sleep and smoke", acceptance: "OPEN" })],
    [200, () => client.patch(`/screener-publications/${study.publication}`, { status: "ACTIVE", tags: [] })],
    [200, () => client.open(link.assignment)],
    [200, () => client.post(`/jobs/${plan.body.id}/apply`, {})],
    [409, () => client.delete(`/jobs/${plan.body.id}`)],
  ];
  for (const [index, [status, act]] of repeated.entries()) {
    const { result, added } = await during(client, act);
    assert.deepEqual([result.status, added], [status, []], `${index}: ${result.text}`);
  }
});

test("a job leaves one event, whatever becomes of it", async () => {
  const { client, screenerId } = await service.screener();
  const first = await client.import(screenerId, people(1));
  assert.equal(first.status, 200);
  const job = (await client.all("/jobs"))[0].id;
  assert.equal((await client.post(`/jobs/${job}/undo`, {})).status, 200);
  const acts: [type: string, summary: object, act: () => Promise<Answer>][] = [
    ["import.completed", { rows: 0, unchanged: 0 }, () => client.import(screenerId, [])],
    ["import.failed", { code: "job_not_undoable" }, () => client.post(`/jobs/${job}/undo`, {})],
    ["import.failed", { code: "invalid_request" }, () => client.import(screenerId, [{}])],
    ["job.failed", { code: "screener_not_published" }, () => client.post("/screener-sessions", { screenerId })],
    ["screener.published", { version: 1 }, () => client.post("/screener-publications", { screenerId })],
    ["screener-sessions.opened", { opened: 0 }, () => client.post("/screener-sessions", { screenerId })],
  ];
  for (const [type, summary, act] of acts) {
    const { result, added } = await during(client, act);
    assert.deepEqual([added.length, added[0]?.type], [1, type], result.text);
    assert.deepEqual({ ...added[0].summary, ...summary }, added[0].summary);
  }
});

test("an import of a plan is attributed to the actor who applied it, the plan to the actor who asked for it", async () => {
  const { client, screenerId } = await service.screener();
  const asked = { "X-Action-Note": "Please look", "X-Request-Id": "asked" };
  const plan = await client.import(screenerId, people(2), { dryRun: true }, asked);
  const user = await tokenClient(client);
  const applied = await user.call("POST", `/jobs/${plan.body.id}/apply`, {
    headers: { "X-Action-Note": "Looks good", "X-Request-Id": "applied" },
  });
  assert.equal(applied.status, 200, applied.text);
  const written = (await eventsOf(client)).filter(({ jobId }) => jobId === plan.body.id);
  assert.deepEqual(
    written.map(({ type, actor, note, requestId }) => [type, actor._type, note, requestId]),
    [
      ["import.planned", "ApplicationActor", "Please look", "asked"],
      ["import.completed", "TenantUserActor", "Looks good", "applied"],
    ],
  );
});

/** Calls as a user of the client's workspace. */
async function tokenClient(client: Client): Promise<Pick<Client, "call">> {
  const { accessToken } = await tokenFor(service, client, "Ada");
  return {
    call: (method, path, options = {}) =>
      client.call(method, path, {
        ...options,
        headers: { ...options.headers, Authorization: `Bearer ${accessToken}` },
      }),
  };
}

test("a participant's forms leave events of the session; a form with errors leaves none", async () => {
  const client = service.workspace();
  const visitor = new Visitor(service.url);
  const study = await publish(client, everyKind);
  for (const { path } of await invite(client, study.screener, 2)) {
    const about = await during(client, async () => {
      const wrong = await visitor.send(path, study, "About you", { ...ABOUT, age: "" });
      assert.equal(wrong.status, 422, wrong.text);
    });
    assert.deepEqual(about.added, []);
    const types = [];
    for (const [page, entries] of [
      ["About you", ABOUT],
      ["Your days", DAYS],
    ] as const) {
      const { added } = await during(client, () => visitor.go(path, study, page, entries));
      for (const { type, actor, resource, requestId } of added) {
        types.push(type);
        assert.deepEqual(actor, { _type: "ScreenerSessionActor", id: resource.id, name: "Participant" });
        assert.ok(requestId);
      }
    }
    assert.deepEqual(types, ["screener-session.started", "screener-session.completed"]);
    const late = await during(client, () => visitor.send(path, study, "Your days", DAYS));
    assert.deepEqual(late.added, [], "it is over");
  }
});

test("a target that is reached leaves one event, until it is reached anew", async () => {
  const client = service.workspace();
  const rules = { ...everyKind, pages: [], qualifyWhen: { not: { attribute: "never", exists: true } } };
  const study = await publish(client, rules, { targetQualifiedParticipants: 2 });
  const links = await invite(client, study.screener, 4);
  const finish = (index: number) =>
    client.post(`/screener-sessions/${links[index]!.session}/responses`, { responses: [], complete: true });
  const target = (count: number | null) =>
    client.patch(`/screener-publications/${study.publication}`, { targetQualifiedParticipants: count });
  const reached = async (act: () => Promise<Answer>) => {
    const { result, added } = await during(client, act);
    assert.equal(result.status, 200, result.text);
    return added.filter(({ type }) => type === "quota.reached");
  };
  assert.deepEqual(await reached(() => finish(0)), []);
  const [event, ...others] = await reached(() => finish(1));
  assert.deepEqual(others, []);
  assert.deepEqual(event.resource, { _type: "ScreenerPublication", id: study.publication });
  assert.deepEqual([event.actor._type, event.note, event.changes], ["ServiceActor", null, []]);
  assert.deepEqual(event.summary, { target: 2, qualified: 2, screenerId: study.screener });
  assert.deepEqual(await reached(() => target(1)), [], "it stays reached");
  assert.deepEqual(await reached(() => target(3)), []);
  const [anew] = await reached(() => finish(2));
  assert.equal(anew.summary.qualified, 3);
  assert.deepEqual(await reached(() => target(null)), []);
  const [lowered] = await reached(() => target(2));
  assert.deepEqual(lowered.summary, { target: 2, qualified: 3, screenerId: study.screener });
});
