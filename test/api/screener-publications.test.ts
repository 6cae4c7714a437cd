// /screener-publications, and a screener's own list of them

import assert from "node:assert/strict";
import { test } from "node:test";
import { openWriter } from "../../db/sqlite/open.ts";
import { type Client, UNKNOWN, UUID_V7 } from "../support/client.ts";
import { sharedService } from "../support/service.ts";
import { tokenFor } from "../support/store.ts";
import { until } from "../support/until.ts";

const service = await sharedService();

/** Publishes a screener. @returns the publication */
async function publish(client: Client, screenerId: string, more: object = {}) {
  const { status, body } = await client.post("/screener-publications", { screenerId, ...more });
  assert.equal(status, 201);
  return body;
}

/** Resolves when the clock has gone on, so that a later change bears another time. */
async function tick(): Promise<void> {
  const now = Date.now();
  await until(() => Date.now() > now, "the clock goes on");
}

test("the first publication is version 1, ACTIVE, and the screener's active one", async () => {
  const { client, screenerId } = await service.screener();
  const { status, headers, body } = await client.post("/screener-publications", { screenerId });
  assert.equal(status, 201);
  const { id, createdBy, createdAt, updatedBy, updatedAt, ...rest } = body;
  assert.deepEqual(rest, {
    _type: "ScreenerPublication",
    screenerId,
    version: 1,
    status: "ACTIVE",
    targetQualifiedParticipants: null,
    tags: [],
    languages: ["en"],
  });
  assert.match(id, UUID_V7);
  assert.equal(createdBy._type, "ApplicationActor");
  assert.deepEqual(updatedBy, createdBy);
  assert.match(createdAt, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
  assert.equal(updatedAt, createdAt);
  assert.equal(headers.get("location"), `/screener-publications/${id}`);
  assert.deepEqual((await client.get(`/screener-publications/${id}`)).body, body);
  assert.equal((await client.get(`/screeners/${screenerId}`)).body.activePublicationId, id);
});

test("publishing again archives the publication that was active, and says who did", async () => {
  const { client, screenerId } = await service.screener();
  const other = await client.screener();
  const elsewhere = await publish(client, other);
  const first = await publish(client, screenerId);
  const { accessToken, user } = await tokenFor(service, client, "Ada");
  await tick();
  const { body: second } = await client.post(
    "/screener-publications",
    { screenerId },
    { Authorization: `Bearer ${accessToken}` },
  );
  assert.deepEqual([second.version, second.status], [2, "ACTIVE"]);
  const archived = (await client.get(`/screener-publications/${first.id}`)).body;
  const actor = { _type: "TenantUserActor", id: user.id, name: "Ada" };
  assert.deepEqual(archived, { ...first, status: "ARCHIVED", updatedBy: actor, updatedAt: archived.updatedAt });
  assert.ok(archived.updatedAt > first.updatedAt);
  const screener = (await client.get(`/screeners/${screenerId}`)).body;
  assert.equal(screener.activePublicationId, second.id);
  assert.deepEqual(screener.updatedBy, actor);
  // Another screener's versions and active publication are its own.
  assert.deepEqual((await client.get(`/screener-publications/${elsewhere.id}`)).body, elsewhere);
});

test("publications are listed newest version first, page by page", async () => {
  const { client, screenerId } = await service.screener();
  const empty = await client.get(`/screeners/${screenerId}/publications`);
  assert.deepEqual(empty.body, { _type: "PaginatedScreenerPublication", total: 0, limit: 100, offset: 0, items: [] });
  for (let i = 0; i < 7; i++) await publish(client, screenerId);
  await publish(client, await client.screener());
  const path = `/screeners/${screenerId}/publications`;
  const { body } = await client.get(path);
  assert.equal(body.total, 7);
  assert.deepEqual(
    body.items.map((one: { version: number; status: string }) => `${one.version} ${one.status}`),
    ["7 ACTIVE", "6 ARCHIVED", "5 ARCHIVED", "4 ARCHIVED", "3 ARCHIVED", "2 ARCHIVED", "1 ARCHIVED"],
  );
  for (let offset = 0; offset < 9; offset++) {
    const page = (await client.get(`${path}?pagination[limit]=3&pagination[offset]=${offset}`)).body;
    assert.deepEqual(page, { ...body, limit: 3, offset, items: body.items.slice(offset, offset + 3) });
  }
});

test("a publication stays as it was, whatever happens to the screener", async () => {
  const client = service.workspace();
  const screenerId = (await client.post("/screeners", { title: "First", description: "D" })).body.id;
  const first = await publish(client, screenerId);
  await client.patch(`/screeners/${screenerId}`, { title: "Second", description: null });
  const second = await publish(client, screenerId);
  // The API has no content yet.
  const content = (id: string) =>
    service.context.workspaces.read(client.workspaceId, (db) =>
      db.get("SELECT title, description FROM screener_publication WHERE uid = ?", id),
    );
  assert.deepEqual(content(first.id), { title: "First", description: "D" });
  assert.deepEqual(content(second.id), { title: "Second", description: null });
});

test("a screener whose title was cleared can be published", async () => {
  const { client, screenerId } = await service.screener();
  await client.patch(`/screeners/${screenerId}`, { title: null });
  assert.equal((await publish(client, screenerId)).version, 1);
});

test("publishing without a question succeeds with a warning of the job, and with one without", async () => {
  const { client, screenerId } = await service.screener();
  const question = { _type: "ScreenerTextQuestion", prompt: "Why?" };
  const published: [pages: object[], warnings: string[] | null][] = [
    [[], ["no_questions"]],
    [[{ title: "Hello", questions: [] }], ["no_questions"]],
    [[{ title: "Hello", questions: [] }, { questions: [question] }], null],
  ];
  for (const [pages, codes] of published) {
    await client.call("PUT", `/screeners/${screenerId}/content`, { body: { pages } });
    const { status, headers } = await client.post("/screener-publications", { screenerId });
    assert.equal(status, 201);
    const path = /^<([^>]+)>; rel="monitor"$/.exec(headers.get("link") ?? "")?.[1];
    const job = (await client.get(path!)).body;
    assert.equal(job.status, "SUCCEEDED");
    assert.deepEqual(job.warnings?.map(({ code }: { code: string }) => code) ?? null, codes);
    for (const { message } of job.warnings ?? []) assert.match(message, /no questions/);
  }
});

test("publishing warns of an attribute in a rule that nobody has, and says which was probably meant", async () => {
  const { client, screenerId } = await service.screener();
  const person = { externalUid: "P-1", email: "p1@example.org", name: "P 1", attributes: { country: "GB" } };
  assert.equal((await client.post("/participants", person)).status, 201);
  const rule = (attribute: string) => ({ attribute, equals: "GB" });
  const question = { _type: "ScreenerTextQuestion", prompt: "Why?", showWhen: rule("contry") };
  const pages = [{ questions: [question], disqualifyWhen: { not: rule("zone") } }];
  await client.call("PUT", `/screeners/${screenerId}/content`, { body: { pages, qualifyWhen: rule("country") } });
  const { headers } = await client.post("/screener-publications", { screenerId });
  const path = /^<([^>]+)>; rel="monitor"$/.exec(headers.get("link") ?? "")?.[1];
  const { warnings } = (await client.get(path!)).body;
  assert.deepEqual(warnings, [
    {
      code: "unknown_attribute",
      attribute: "zone",
      message: "A rule uses the attribute “zone”, which nobody has.",
    },
    {
      code: "unknown_attribute",
      attribute: "contry",
      message: "A rule uses the attribute “contry”, which nobody has. Did you mean “country”?",
    },
  ]);
});

test("publishing warns of an address that gives a session's id to another site, and of none with its reference", async () => {
  const { client, screenerId } = await service.screener();
  const redirectByOutcome = {
    QUALIFIED: "https://p.example/?r={reference}",
    DISQUALIFIED: "https://p.example/?i={sessionId}",
  };
  const pages = [{ questions: [{ _type: "ScreenerTextQuestion", prompt: "Why?" }] }];
  await client.call("PUT", `/screeners/${screenerId}/content`, { body: { pages, redirectByOutcome } });
  const { headers } = await client.post("/screener-publications", { screenerId });
  const path = /^<([^>]+)>; rel="monitor"$/.exec(headers.get("link") ?? "")?.[1];
  const [warning, ...others] = (await client.get(path!)).body.warnings;
  assert.deepEqual([warning.code, warning.outcome, others], ["link_given_away", "DISQUALIFIED", []]);
  assert.match(warning.message, /screened out are led has \{sessionId\}: .* Use \{reference\}\.$/);
});

test("with If-Match, only the draft that it names is published, however late the job runs", async () => {
  const { client, screenerId } = await service.screener();
  const path = `/screeners/${screenerId}/content`;
  const send = (headers: Record<string, string>) => client.post("/screener-publications", { screenerId }, headers);
  const seen = { pages: [{ title: "Seen", questions: [] }] };
  const etag = (await client.call("PUT", path, { body: seen })).headers.get("etag")!;
  const key = { "If-Match": etag, "Idempotency-Key": "seen" };
  const first = await send(key);
  assert.equal(first.status, 201);

  // The job is accepted while the draft is still the one that it names, and waits for who changes it.
  const store = openWriter(service.context.workspaces.path(client.workspaceId), {
    busyTimeoutMs: 1000,
    checkpoints: false,
  });
  store.run("BEGIN IMMEDIATE");
  const { body: job } = await send({ "If-Match": etag, Prefer: "respond-async" });
  store.run("UPDATE screener_content SET revision = revision + 1, json = replace(json, 'Seen', 'Unseen')");
  store.run("COMMIT");
  store.close();
  await until(async () => (await client.get(`/jobs/${job.id}`)).body.finishedAt !== null, "the job ends");
  const { status, problem } = (await client.get(`/jobs/${job.id}`)).body;
  assert.deepEqual([status, problem.status, problem.code], ["FAILED", 412, "precondition_failed"]);
  for (const stale of [etag, "", '"99"', 'W/"2"'])
    assert.equal((await send({ "If-Match": stale })).body.code, "precondition_failed", stale);
  assert.equal((await client.get(`/screeners/${screenerId}/publications`)).body.total, 1);
  assert.deepEqual((await send(key)).body, first.body, "sent again");
  assert.equal((await send({ ...key, "If-Match": '"2"' })).body.code, "idempotency_key_reused");
  for (const now of ['"99", "2"', "*"]) assert.equal((await send({ "If-Match": now })).status, 201, now);
});

test("a publication can be made with a target and tags", async () => {
  const { client, screenerId } = await service.screener();
  const body = await publish(client, screenerId, {
    targetQualifiedParticipants: 25,
    tags: [
      { category: " region ", value: "north" },
      { category: "wave", value: "1" },
      { category: "region", value: " north " },
    ],
  });
  assert.equal(body.targetQualifiedParticipants, 25);
  const [region, wave] = body.tags;
  assert.deepEqual(body.tags, [
    { _type: "Tag", id: region.id, category: "region", value: "north" },
    { _type: "Tag", id: wave.id, category: "wave", value: "1" },
  ]);
  assert.match(region.id, UUID_V7);
  assert.notEqual(region.id, wave.id);
  assert.deepEqual((await client.get(`/screener-publications/${body.id}`)).body, body);
  const bare = await publish(client, screenerId, { targetQualifiedParticipants: null, tags: [] });
  assert.deepEqual([bare.targetQualifiedParticipants, bare.tags], [null, []]);
});

test("the same category and value is the same tag throughout the workspace, and another one elsewhere", async () => {
  const client = service.workspace();
  const stranger = service.workspace();
  const north = { category: "region", value: "north" };
  const south = { category: "region", value: "south" };
  const upper = { category: "Region", value: "north" };
  const one = await publish(client, await client.screener(), { tags: [north, south] });
  const other = await publish(client, await client.screener(), { tags: [upper, south] });
  const changed = await client.patch(`/screener-publications/${other.id}`, { tags: [south, north, upper] });
  assert.deepEqual(
    changed.body.tags.map(({ id }: { id: string }) => id),
    [one.tags[1].id, one.tags[0].id, other.tags[0].id],
  );
  assert.equal(other.tags[1].id, one.tags[1].id);
  assert.notEqual(other.tags[0].id, one.tags[0].id);
  // Read back and sent again, tags are the same ones.
  const again = await client.patch(`/screener-publications/${one.id}`, { tags: one.tags });
  assert.deepEqual(again.body, one);
  const foreign = await publish(stranger, await stranger.screener(), { tags: [north] });
  assert.notEqual(foreign.tags[0].id, one.tags[0].id);
});

test("a bad target or bad tags are refused with all that is wrong, and nothing is published", async () => {
  const { client, screenerId } = await service.screener();
  const made = await publish(client, screenerId);
  const jobs = (await client.get("/jobs")).body.total;
  const cases: [object, string[]][] = [
    [{ targetQualifiedParticipants: 0 }, ["/targetQualifiedParticipants"]],
    [{ targetQualifiedParticipants: -3 }, ["/targetQualifiedParticipants"]],
    [{ targetQualifiedParticipants: 1.5 }, ["/targetQualifiedParticipants"]],
    [{ targetQualifiedParticipants: "5" }, ["/targetQualifiedParticipants"]],
    [{ targetQualifiedParticipants: 1e300 }, ["/targetQualifiedParticipants"]],
    [{ tags: "north" }, ["/tags"]],
    [{ tags: { category: "c", value: "v" } }, ["/tags"]],
    [{ tags: [{ category: "c", value: "v" }, null] }, ["/tags/1"]],
    [{ tags: [{ category: "", value: 5 }, { category: "c" }] }, ["/tags/0/category", "/tags/0/value", "/tags/1/value"]],
    [{ tags: [{ category: "x".repeat(256), value: "v" }] }, ["/tags/0/category"]],
    [{ tags: Array.from({ length: 101 }, (_, i) => ({ category: "c", value: `${i}` })) }, ["/tags"]],
    [
      { targetQualifiedParticipants: 0, tags: [{}] },
      ["/tags/0/category", "/tags/0/value", "/targetQualifiedParticipants"],
    ],
  ];
  for (const [fields, pointers] of cases) {
    for (const answer of [
      await client.post("/screener-publications", { screenerId, ...fields }),
      await client.patch(`/screener-publications/${made.id}`, fields),
    ]) {
      assert.equal(answer.status, 400, JSON.stringify(fields).slice(0, 80));
      assert.equal(answer.body.code, "invalid_request");
      const found = answer.body.errors.map(({ pointer }: { pointer: string }) => pointer).sort();
      assert.deepEqual(found, pointers);
    }
  }
  for (const bad of [undefined, null, 5, {}]) {
    const { status, body } = await client.post("/screener-publications", { screenerId: bad });
    assert.equal(status, 400);
    assert.equal(body.errors[0].pointer, "/screenerId");
  }
  assert.equal((await client.get(`/screeners/${screenerId}/publications`)).body.total, 1);
  assert.equal((await client.get("/jobs")).body.total, jobs);
});

test("a misspelt member is refused with the nearest name, and what was read can be sent back", async () => {
  const { client, screenerId } = await service.screener();
  const tags = [{ category: "region", value: "north" }];
  const made = await publish(client, screenerId, { targetQualifiedParticipants: 3, tags });
  const misspelt = {
    quota: 5,
    targetQualifiedParticipant: 5,
    tag: [],
    tags: [{ category: "a", value: "b", valeu: "c" }],
  };
  const messages = {
    "/quota": "is not known",
    "/tag": "is not known; did you mean tags?",
    "/tags/0/valeu": "is not known; did you mean value?",
    "/targetQualifiedParticipant": "is not known; did you mean targetQualifiedParticipants?",
  };
  for (const answer of [
    await client.post("/screener-publications", { screenerId, ...misspelt }),
    await client.patch(`/screener-publications/${made.id}`, misspelt),
  ]) {
    assert.equal(answer.status, 400, answer.text);
    const errors: { pointer: string; message: string }[] = answer.body.errors;
    assert.deepEqual(Object.fromEntries(errors.map(({ pointer, message }) => [pointer, message])), messages);
  }
  const status = await client.post("/screener-publications", { screenerId, status: "ARCHIVED" });
  assert.deepEqual([status.status, status.body.errors[0].pointer], [400, "/status"]);
  assert.equal((await client.get(`/screeners/${screenerId}/publications`)).body.total, 1);
  const back = await client.patch(`/screener-publications/${made.id}`, made);
  assert.deepEqual([back.status, back.body], [200, made]);
  const again = await client.post("/screener-publications", { screenerId, tags: made.tags });
  assert.deepEqual([again.status, again.body.tags], [201, made.tags]);
});

test("of many members that nobody knows, a hundred are listed", async () => {
  const { client, screenerId } = await service.screener();
  const many = Object.fromEntries(Array.from({ length: 30_000 }, (_, index) => [`targetQualified${index}`, 0]));
  const { status, body } = await client.post("/screener-publications", { screenerId, ...many });
  assert.deepEqual([status, body.errors.length], [400, 100]);
});

test("a screener that is not there can't be published", async () => {
  const client = service.workspace();
  for (const screenerId of [UNKNOWN, "x", ""]) {
    const { status, body } = await client.post("/screener-publications", { screenerId });
    assert.equal(status, 404);
    assert.equal(body.code, "screener_not_found");
  }
});

test("target and tags can be changed and cleared; what is not sent stays, and so does the version", async () => {
  const { client, screenerId } = await service.screener();
  const tags = [{ category: "region", value: "north" }];
  const made = await publish(client, screenerId, { targetQualifiedParticipants: 5, tags });
  const { accessToken, user } = await tokenFor(service, client, "Ada");
  await tick();
  const path = `/screener-publications/${made.id}`;
  const { status, body } = await client.call("PATCH", path, {
    body: { targetQualifiedParticipants: 9, version: 7, screenerId: UNKNOWN },
    headers: { Authorization: `Bearer ${accessToken}` },
  });
  assert.equal(status, 200);
  const updatedBy = { _type: "TenantUserActor", id: user.id, name: "Ada" };
  assert.deepEqual(body, { ...made, targetQualifiedParticipants: 9, updatedBy, updatedAt: body.updatedAt });
  assert.ok(body.updatedAt > made.updatedAt);
  const untagged = (await client.patch(path, { tags: [] })).body;
  assert.deepEqual([untagged.tags, untagged.targetQualifiedParticipants], [[], 9]);
  const cleared = (await client.patch(path, { targetQualifiedParticipants: null })).body;
  assert.equal(cleared.targetQualifiedParticipants, null);
  assert.equal(cleared.status, "ACTIVE");
  assert.deepEqual((await client.get(path)).body, cleared);
});

test("publishing again takes over target and tags of the latest publication, unless others are given; null means none", async () => {
  const { client, screenerId } = await service.screener();
  const [north, south] = ["north", "south"].map((value) => ({ category: "region", value }));
  const shown = ({ targetQualifiedParticipants: target, tags }: Awaited<ReturnType<typeof publish>>) => [
    target,
    tags.map(({ value }: { value: string }) => value),
  ];
  const again = async (more: object) => shown(await publish(client, screenerId, more));
  assert.deepEqual(await again({}), [null, []]);
  const first = await publish(client, screenerId, { targetQualifiedParticipants: 5, tags: [north] });
  const second = await publish(client, screenerId);
  assert.deepEqual(shown(second), [5, ["north"]]);
  assert.deepEqual(second.tags, first.tags);
  assert.deepEqual(await again({ tags: [south] }), [5, ["south"]]);
  assert.deepEqual(await again({ targetQualifiedParticipants: 6 }), [6, ["south"]]);
  const changed = { targetQualifiedParticipants: 7, tags: [north, south], status: "ARCHIVED" };
  const latest = (await client.get(`/screeners/${screenerId}/publications`)).body.items[0];
  await client.patch(`/screener-publications/${latest.id}`, changed);
  assert.deepEqual(await again({}), [7, ["north", "south"]]);
  assert.deepEqual(await again({ targetQualifiedParticipants: null }), [null, ["north", "south"]]);
  assert.deepEqual(await again({ tags: [] }), [null, []]);
  await publish(client, screenerId, { targetQualifiedParticipants: 5, tags: [north] });
  assert.deepEqual(await again({ tags: null }), [5, []]);
  const stranger = await publish(client, await client.screener());
  assert.deepEqual(shown(stranger), [null, []]);
});

test("a change that changes nothing leaves updatedBy and updatedAt as they were", async () => {
  const client = service.workspace();
  const tags = [{ category: "region", value: "north" }];
  const made = await publish(client, await client.screener(), { targetQualifiedParticipants: 5, tags });
  const { accessToken } = await tokenFor(service, client, "Ada");
  await tick();
  for (const change of [{}, { tags }, { targetQualifiedParticipants: 5 }, { status: "ACTIVE" }, made]) {
    const { status, body } = await client.call("PATCH", `/screener-publications/${made.id}`, {
      body: change,
      headers: { Authorization: `Bearer ${accessToken}` },
    });
    assert.equal(status, 200);
    assert.deepEqual(body, made);
  }
});

test("archiving the active publication leaves the screener with none, until it is published again", async () => {
  const { client, screenerId } = await service.screener();
  const first = await publish(client, screenerId);
  const second = await publish(client, screenerId);
  const { status, body } = await client.patch(`/screener-publications/${second.id}`, { status: "ARCHIVED" });
  assert.equal(status, 200);
  assert.equal(body.status, "ARCHIVED");
  assert.equal((await client.get(`/screeners/${screenerId}`)).body.activePublicationId, null);
  // The one before does not come back by itself, nor when asked.
  assert.equal((await client.get(`/screener-publications/${first.id}`)).body.status, "ARCHIVED");
  for (const { id } of [first, second]) {
    const back = await client.patch(`/screener-publications/${id}`, { status: "ACTIVE" });
    assert.equal(back.status, 400);
    assert.equal(back.body.errors[0].pointer, "/status");
  }
  const third = await publish(client, screenerId);
  assert.deepEqual([third.version, third.status], [3, "ACTIVE"]);
  assert.equal((await client.get(`/screeners/${screenerId}`)).body.activePublicationId, third.id);
});

test("archiving a publication that is archived already changes nothing", async () => {
  const { client, screenerId } = await service.screener();
  const first = await publish(client, screenerId);
  const second = await publish(client, screenerId);
  const archived = (await client.get(`/screener-publications/${first.id}`)).body;
  await tick();
  const again = await client.patch(`/screener-publications/${first.id}`, { status: "ARCHIVED" });
  assert.deepEqual(again.body, archived);
  assert.equal((await client.get(`/screeners/${screenerId}`)).body.activePublicationId, second.id);
});

test("an unknown status is refused", async () => {
  const client = service.workspace();
  const made = await publish(client, await client.screener());
  for (const status of ["DRAFT", "archived", "", null, 5]) {
    const answer = await client.patch(`/screener-publications/${made.id}`, { status });
    assert.equal(answer.status, 400);
    assert.equal(answer.body.errors[0].pointer, "/status");
  }
  assert.deepEqual((await client.get(`/screener-publications/${made.id}`)).body, made);
});

test("a publication that is not there answers 404", async () => {
  const client = service.workspace();
  const made = await publish(client, await client.screener());
  for (const id of [UNKNOWN, "x", made.screenerId]) {
    for (const answer of [
      await client.get(`/screener-publications/${id}`),
      await client.patch(`/screener-publications/${id}`, { tags: [] }),
    ]) {
      assert.equal(answer.status, 404);
      assert.equal(answer.body.code, "screener_publication_not_found");
    }
  }
});
