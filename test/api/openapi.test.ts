// The API answers as its description says, errors included, and describes all its answers.

import assert from "node:assert/strict";
import { test } from "node:test";
import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js";
import fc from "fast-check";
import { openWriter } from "../../db/sqlite/open.ts";
import { whenFree } from "../../db/sqlite/when-free.ts";
import { expireResults } from "../../src/engine/ledger/expiry.ts";
import { MAX_IMAGES } from "../../src/images/resource.ts";
import { createApp } from "../../src/main/app.ts";
import { suspendWorkspace } from "../../src/workspaces/lives.ts";
import { findWorkspace } from "../../src/workspaces/queries.ts";
import { type Answer, type Client, people } from "../support/client.ts";
import { type ApiDescription, Described, type Operation, pathWith, type Schema } from "../support/description.ts";
import { failedImport } from "../support/failed-job.ts";
import { plain } from "../support/http.ts";
import { png } from "../support/images.ts";
import { startRelay } from "../support/mail-relay.ts";
import { startService } from "../support/service.ts";
import { pausedMailing, waitBriefly, withdraw, withScopes, writeTo } from "../support/store.ts";
import { pendingReview } from "../support/study.ts";
import { until } from "../support/until.ts";
import { askForData, NOBODYS_URL, populate } from "../support/world.ts";

/** Pages that describe the API, and are no part of it. */
const ABOUT = ["GET /", "GET /openapi.json", "GET /docs", "GET /docs/:file", "GET /problems/:code"];

// Its log would be full of errors: a job fails on purpose.
const relay = await startRelay();
const service = await startService({ config: { logLevel: "silent", mail: relay.config() } });
let world = await populate(service);
const description: ApiDescription = (await world.client.get("/openapi.json")).body;
const described = new Described(description);
const { operations } = described;

test("the description is OpenAPI 3.1, whole and without loose ends", () => {
  const string = { type: "string", minLength: 1 };
  const content = {
    type: "object",
    minProperties: 1,
    additionalProperties: { type: "object", required: ["schema"], properties: { schema: { type: "object" } } },
  };
  const parameter = {
    type: "object",
    required: ["name", "in", "schema"],
    properties: { name: string, in: { enum: ["path", "query", "header"] }, schema: { type: "object" } },
  };
  const operation = {
    type: "object",
    required: ["operationId", "summary", "description", "tags", "responses", "parameters"],
    properties: {
      operationId: { type: "string", pattern: "^[a-z][A-Za-z]+$" },
      summary: string,
      description: string,
      tags: { type: "array", minItems: 1, items: string },
      security: { type: "array" },
      parameters: { type: "array", items: parameter },
      requestBody: { type: "object", required: ["content"], properties: { required: { type: "boolean" }, content } },
      responses: {
        type: "object",
        propertyNames: { pattern: "^[1-5]\\d\\d$" },
        minProperties: 2,
        // The one that has no body.
        properties: { 304: { type: "object", properties: { content: false } } },
        additionalProperties: {
          type: "object",
          required: ["description", "headers", "content"],
          properties: { description: string, headers: { type: "object" }, content },
        },
      },
    },
    additionalProperties: false,
  };
  const ajv = new Ajv2020({ allErrors: true });
  const isDescription = ajv.compile({
    type: "object",
    required: ["openapi", "info", "paths", "components", "security", "servers", "tags"],
    properties: {
      openapi: { type: "string", pattern: "^3\\.1\\.\\d+$" },
      info: { type: "object", required: ["title", "version"], properties: { title: string, version: string } },
      paths: {
        type: "object",
        propertyNames: { pattern: "^/[a-z{}/.-]*$" },
        additionalProperties: {
          type: "object",
          propertyNames: { enum: ["get", "put", "post", "patch", "delete"] },
          additionalProperties: operation,
        },
      },
    },
  });
  assert.equal(isDescription(description), true, ajv.errorsText(isDescription.errors));

  const all = Object.values(description.paths).flatMap((methods) => Object.values(methods));
  assert.equal(operations.size, all.length, "two operations share an id");
  assert.equal(new Set(description.tags.map(({ name }) => name)).size, description.tags.length);
  for (const [id, { path, operation: one }] of operations) {
    const named = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);
    const inPath = one.parameters.filter((parameter) => parameter.in === "path");
    assert.deepEqual(
      inPath.map(({ name }) => name),
      named,
      id,
    );
    assert.ok(inPath.every(({ required }) => required));
    const names = one.parameters.map((parameter) => `${parameter.in} ${parameter.name}`);
    assert.equal(new Set(names).size, names.length, `${id} names a parameter twice`);
    for (const tag of one.tags) assert.ok(description.tags.some(({ name }) => name === tag));
  }
  const refs = [...JSON.stringify(description).matchAll(/"\$ref":"([^"]*)"/g)].map(([, ref]) => ref!);
  assert.ok(refs.length > 20);
  const { schemas, headers } = description.components;
  for (const ref of refs) {
    const [, kind, name] = /^#\/components\/(schemas|headers)\/([\w-]+)$/.exec(ref) ?? [];
    assert.ok((kind === "headers" ? headers : schemas)[name!], `${ref} leads nowhere`);
  }
  // Whatever is kept among the components is used.
  for (const name of Object.keys(schemas))
    assert.ok(refs.includes(`#/components/schemas/${name}`), `${name} is not used`);
  for (const { operation: one } of operations.values()) {
    for (const { content: body = {} } of [
      ...Object.values(one.responses),
      ...(one.requestBody ? [one.requestBody] : []),
    ])
      for (const { schema } of Object.values(body))
        assert.ok(described.isValidSchema(schema), `a schema of ${one.operationId}`);
    for (const { schema } of one.parameters)
      assert.ok(described.isValidSchema(schema), `a parameter of ${one.operationId}`);
  }
});

test("lists, bodies and variants have names, and variants say by which member they differ", () => {
  const { schemas } = description.components;
  for (const [operationId, { operation }] of operations) {
    const body = operation.requestBody?.content["application/json"]?.schema;
    if (body) assert.ok(body.$ref, `the body of ${operationId} has no name: give its schema a v.title()`);
    if (!operation.parameters.some(({ name }) => name === "pagination[limit]")) continue;
    assert.match(
      operation.responses[200]!.content["application/json"]!.schema.$ref ?? "",
      /\/Paginated\w+$/,
      operationId,
    );
  }
  const variants = Object.entries(schemas).filter(([, { discriminator }]) => discriminator);
  assert.deepEqual(variants.map(([name]) => name).sort(), [
    "Event",
    "Job",
    "ScreenerQuestion",
    "ScreenerQuestionInput",
    "ScreenerResponse",
  ]);
  for (const [name, { oneOf = [], discriminator }] of variants) {
    assert.deepEqual(Object.values(discriminator!.mapping).sort(), oneOf.map(({ $ref }) => $ref).sort(), name);
    for (const [value, ref] of Object.entries(discriminator!.mapping)) {
      const variant = described.resolve({ $ref: ref });
      const own = variant.allOf?.at(-1) ?? variant;
      assert.equal(own.properties?.[discriminator!.propertyName]?.const, value);
    }
  }
});

test("words that may become more are marked in answers, and in nothing that is sent", () => {
  const markOf = (name: string, member: string) =>
    (description.components.schemas[name]!.properties![member] as { "x-extensible"?: true })["x-extensible"];
  assert.equal(markOf("Problem", "code"), true);
  const orNull = description.components.schemas.ScreenerQuotaPlace!.properties!.reason!.anyOf!;
  assert.equal((orNull[0] as { "x-extensible"?: true })["x-extensible"], true);
  for (const [name, member] of [
    ["JobMembers", "kind"],
    ["Mailing", "kind"],
    ["EventMembers", "type"],
    ["EventActor", "_type"],
  ] as const)
    assert.equal(markOf(name, member), true, name);
  for (const union of ["Event", "Job"])
    assert.equal((description.components.schemas[union] as { "x-extensible"?: true })["x-extensible"], true);
  assert.equal(markOf("Problem", "title"), undefined);
  assert.equal(markOf("JobMembers", "status"), undefined);
  assert.equal(markOf("NewMailing", "kind"), undefined);
});

test("the language of conditions is described as it is read", () => {
  const fits = described.compile({ $ref: "#/components/schemas/Condition" });
  const isOlder = { questionId: "age", atLeast: 18 };
  const right = [
    isOlder,
    { not: { all: [isOlder, { any: [isOlder] }] } },
    { questionId: "q", answered: false },
    { questionId: "q", equals: "x" },
    { questionId: "q", oneOf: [1, "x"] },
    { questionId: "q", contains: "x" },
  ];
  const wrong = [
    {},
    { questionId: "q" },
    { all: [] },
    { all: [isOlder], any: [isOlder] },
    { questionId: "q", equal: 1 },
    { questionId: "q", lessThan: "1" },
    { questionId: "q", atMost: 1, atLeast: 0 },
    { not: [isOlder] },
  ];
  for (const condition of right) assert.equal(fits(condition), true, JSON.stringify(condition));
  for (const condition of wrong) assert.equal(fits(condition), false, JSON.stringify(condition));
});

test("every route is described, and every description has its route", () => {
  // Pages for people: participant-page.test.ts, console-pages.test.ts. What mail servers bring: returned-mail.test.ts.
  const routes = createApp(service.context)
    .routes.stack.filter(({ path }) => !/^\/(?:(?:w|console)\b|mail\/inbound$)/.test(String(path)))
    .flatMap(({ methods, path }) => methods.filter((method) => method !== "HEAD").map((method) => `${method} ${path}`));
  const all = [...operations.values()].map(
    ({ method, path }) => `${method.toUpperCase()} ${path.replace(/\{(\w+)\}/g, ":$1")}`,
  );
  assert.deepEqual([...all, ...ABOUT].sort(), routes.sort());
});

// What was answered so far (`200 text/csv`), by operation: a test below looks whether all that is described was seen.
const seen = new Map<string, Set<string>>();
/** Headers that HTTP itself or a security policy wants, which say nothing about the operation. */
const OF_HTTP = new Set(
  "cache-control connection content-encoding content-length content-type date keep-alive transfer-encoding vary x-content-type-options".split(
    " ",
  ),
);
const validators = new Map<string, ValidateFunction>();

/** Calls an operation as its description says, and holds the answer against it. */
/** The media types of the answers to conditions. */
const STATUS_TYPES = { 412: "application/problem+json", 304: "" };

async function call(
  operationId: string,
  wanted: number,
  {
    id = "",
    query = "",
    client = world.client,
    ...options
  }: {
    id?: string;
    query?: string;
    client?: Client;
    body?: unknown;
    raw?: string;
    headers?: Record<string, string>;
  } = {},
): Promise<Answer> {
  const { method, path, operation } = operations.get(operationId)!;
  const send = (headers: Record<string, string>) =>
    client.call(method.toUpperCase(), pathWith(path, id) + query, {
      ...options,
      headers: { ...options.headers, ...headers },
    });
  // What it says of conditions is seen first, once.
  for (const [status, headers] of [
    [412, { "If-Match": '"another"' }],
    [304, { "If-None-Match": "*" }],
  ] as const) {
    const isNew = operation.responses[status] && !seen.get(operationId)?.has(`${status} ${STATUS_TYPES[status]}`);
    if (!isNew || wanted >= 300) continue;
    const conditional = await send(headers);
    assert.equal(conditional.status, status, `${operationId}: ${conditional.text}`);
    isDescribed(operationId, conditional);
  }
  const answer = await send({});
  assert.equal(answer.status, wanted, `${operationId}: ${answer.text.slice(0, 1000)}`);
  isDescribed(operationId, answer);
  return answer;
}

/** The answer is one of those that the operation is described with. */
function isDescribed(
  operationId: string,
  { status, text, headers }: Pick<Answer, "status" | "text" | "headers">,
): void {
  const { operation } = operations.get(operationId)!;
  const response = operation.responses[status];
  assert.ok(response, `${operationId} is not described to answer ${status}: ${text}`);
  const type = headers.get("content-type")?.replace(/;.*/, "") ?? "";
  const key = `${operationId} ${status}`;
  for (const [name, header] of Object.entries(response.headers))
    if (described.header(header).required) assert.ok(headers.get(name), `${key} lacks ${name}`);
  for (const name of headers.keys()) {
    if (OF_HTTP.has(name)) continue;
    const isDescribedHeader = Object.keys(response.headers).some((known) => known.toLowerCase() === name);
    assert.ok(isDescribedHeader, `${key} is not described to have ${name}`);
  }
  seen.set(operationId, (seen.get(operationId) ?? new Set()).add(`${status} ${type}`));
  if (!response.content) {
    assert.deepEqual([type, text], ["", ""], `${key} has a body`);
    return;
  }
  assert.ok(response.content[type], `${operationId}, ${status}: ${type} is not described`);
  const fits = (schema: Schema, what: string, value: unknown) => {
    const validate = validators.get(what) ?? described.compile(schema);
    validators.set(what, validate);
    assert.equal(validate(value), true, `${what}: ${JSON.stringify(validate.errors)} in ${text.slice(0, 1000)}`);
  };
  assert.ok(text, `${key} is empty`);
  if (type === "application/x-ndjson") {
    const item = described.resolve(response.content["application/json"]!.schema).properties!.items!.items!;
    for (const line of text.trimEnd().split("\n")) {
      // The roster's lines have more than a session, and say whose it is in words.
      const { shortLink, name, email, externalParticipantUid, screenerParticipantStatus, attributes, ...session } =
        JSON.parse(line);
      const { attributes: _, ...assignment } = JSON.parse(line);
      const shown = item.properties?.attributes || described.resolve(item).properties?.attributes;
      fits(item, `${key}, a line`, shortLink !== undefined ? session : shown ? JSON.parse(line) : assignment);
    }
  } else if (/\bjson\b/.test(type)) {
    const body = JSON.parse(text);
    fits(response.content[type].schema, key, body);
    if (type === "application/problem+json") {
      assert.equal(body.status, status);
      assert.ok(response.description.includes(`\`${body.code}\``), `${key} is not described to be ${body.code}`);
    }
  }
}

test("successful answers are as described", async () => {
  const { screener, publication, participant, assignment, session, job, event } = world;
  const lists = [...operations].filter(([, { operation }]) =>
    operation.parameters.some(({ name }) => name === "pagination[limit]"),
  );
  const idFor = (path: string) =>
    path.startsWith("/jobs/")
      ? job
      : path.startsWith("/screener-quotas/")
        ? world.quota
        : path.startsWith("/mailings/")
          ? world.mailing
          : screener;
  for (const [operationId, { path, operation }] of lists) {
    const id = idFor(path);
    const { body } = await call(operationId, 200, { id });
    assert.ok(body.items.length > 0, `${operationId} has nothing to show`);
    // Every parameter that is described is taken, and so are ten filters at once with their names encoded.
    const filters: string[] = [];
    for (const { name, in: location, schema } of operation.parameters) {
      if (location !== "query") continue;
      const { type, format, enum: words } = schema.items ?? schema;
      const formatted: Record<string, string> = { uuid: screener, "date-time": "2026-01-31T12:00:00Z" };
      const value =
        name === "columns" ? "session.id" : type === "integer" ? 1 : (words?.[0] ?? formatted[format ?? ""] ?? "x");
      // The study has no question with the key `{key}`, and these compare with no text.
      const status = /\[answers\.|\[attributes\..*\]\[(?:[lg]te?|exists)\]/.test(name) ? 400 : 200;
      await call(operationId, status, { id, query: `?${name}=${value}` });
      const encoded = `${encodeURIComponent(name)}=${value}`;
      if (status === 200 && name.startsWith("filter[")) filters.push(encoded);
      else await call(operationId, status, { id, query: `?${encoded}` });
    }
    for (let from = 0; from < filters.length; from += 10)
      await call(operationId, 200, { id, query: `?${filters.slice(from, from + 10).join("&")}` });
  }
  for (const [operationId, { path, operation }] of operations) {
    const id = idFor(path);
    for (const type of Object.keys(operation.responses[200]?.content ?? {}))
      if (type !== "application/json") await call(operationId, 200, { id, headers: { Accept: type } });
  }
  for (const [operationId, id] of Object.entries({
    getScreener: screener,
    getScreenerContent: screener,
    listScreenerTranslations: screener,
    getScreenerTranslation: screener,
    getScreenerPublication: publication,
    getScreenerPublicationContent: publication,
    getParticipant: participant,
    getScreenerParticipant: assignment,
    getScreenerSession: session,
    explainScreenerSession: session,
    getScreenerSessionOrders: session,
    getScreenerResults: screener,
    listScreenerAnswerColumns: screener,
    getScreenerQuota: world.quota,
    getScreenerLink: world.link,
    getParticipantRequest: world.request,
    getParticipantNote: world.note,
    getJob: job,
    getJobResult: job,
    getEvent: event,
    followEvents: "",
    getAppearance: "",
    getMail: "",
    getMailing: world.mailing,
    getMailSuppression: world.suppression,
    getImage: world.image,
    getWorkspaceAttributes: "",
    listPageWords: "",
    getPageWords: "",
    getScreenerPageWords: screener,
    getHealth: "",
    getReadiness: "",
  })) {
    await call(operationId, 200, { id });
  }
  const body = { screenerId: screener, participants: people(3) };
  const prefer = { Prefer: "respond-async" };
  await call("changeAppearance", 200, { body: { accentColor: "#0a7d55" } });
  await call("sendTestMail", 200, { body: { to: "ada@example.org" } });
  await call("putWorkspaceAttributes", 200, { body: { attributes: [] } });
  const spoken = { words: [{ key: "continue", text: "Weiter geht’s" }] };
  await call("putPageWords", 200, { body: spoken });
  await call("putScreenerPageWords", 200, { id: screener, body: spoken });
  await call("createScreener", 201, { body: { title: "x", description: null } });
  const strings = { strings: [{ id: "title", text: "Umfrage" }] };
  await call("changeScreenerTranslation", 200, { id: screener, body: strings });
  await call("putScreenerTranslation", 200, { id: screener, body: strings });
  await call("deleteScreenerTranslation", 200, { id: screener });
  await call("changeScreener", 200, { id: screener, body: { description: "y" } });
  const draft = await call("getScreenerContent", 200, { id: screener });
  const matching = { "If-Match": draft.headers.get("etag")! };
  const known = { "If-None-Match": "*" };
  await call("getScreenerContent", 304, { id: screener, headers: known });
  await call("getScreenerPublicationContent", 304, { id: publication, headers: known });
  await call("getWorkspaceAttributes", 304, { headers: known });
  await call("listUsers", 200);
  await call("getUser", 200, { id: world.user });
  await call("getUser", 304, { id: world.user, headers: known });
  await call("changeUser", 200, { id: world.user, body: { role: "researcher" } });
  const rules = { qualifyWhen: { questionId: draft.body.pages[0].questions[0].id, answered: true } };
  await call("putScreenerContent", 200, { id: screener, body: { ...draft.body, ...rules }, headers: matching });
  await call("publishScreener", 201, { body: { screenerId: screener, tags: [{ category: "a", value: "b" }] } });
  await call("publishScreener", 202, { body: { screenerId: screener }, headers: prefer });
  await service.drain();
  const { items } = (await call("listScreenerPublications", 200, { id: screener })).body;
  await call("changeScreenerPublication", 200, { id: items[0].id, body: { targetQualifiedParticipants: null } });
  await call("restoreScreenerPublication", 200, { id: publication, body: {} });
  await call("changeScreenerQuota", 200, { id: world.quota, body: { limit: 5 } });
  await call("forecastScreenerQuotas", 200, { id: screener, body: {} });
  await call("assessScreenerFeasibility", 200, { id: screener, body: {} });
  const file = (await png(3, 3)).toString("base64");
  for (const status of [201, 200]) await call("createImage", status, { body: { file } });
  await call("createScreenerLink", 201, { body: { screenerId: screener, name: "Flyer" } });
  await call("changeScreenerLink", 200, { id: world.link, body: { limit: 5 } });
  const { body: once } = await call("createScreenerLink", 201, {
    body: { screenerId: screener, name: "Once", oneEach: "BROWSER" },
  });
  await call("changeAppearance", 409, { body: { frameAncestors: ["https://portal.example.org"] } });
  await call("revokeScreenerLink", 200, { id: once.id });
  await call("revokeScreenerLink", 200, { id: world.link });
  await call("createParticipant", 201, { body: { externalUid: "new", email: "new@example.org", name: "New" } });
  await call("changeParticipant", 200, { id: participant, body: { name: { first: "A", last: "B" } } });
  const gone = { body: { address: "gone@example.org" } };
  await call("createParticipantNote", 201, { body: { participantId: world.participant, note: "Likes tea" } });
  await call("deleteParticipantNote", 200, { id: world.note });
  await call("createMailSuppression", 201, gone);
  await call("createMailSuppression", 200, gone);
  await call("changeMail", 200, { body: { contactCap: { messages: 1, days: 1 } } });
  await call("deleteMailSuppression", 200, { id: world.suppression });
  await call("addScreenerParticipant", 201, { body: { screenerId: screener, email: "one@example.org" } });
  await call("addScreenerParticipant", 200, { body: { screenerId: screener, email: "one@example.org" } });
  const imported = await call("importScreenerParticipants", 200, { body });
  const later = await call("importScreenerParticipants", 202, { body, headers: prefer });
  await service.drain();
  await call("getJobResult", 200, { id: later.body.id });
  for (const [status, headers] of [
    [200, {}],
    [202, prefer],
  ] as const) {
    const planned = await call("importScreenerParticipants", 200, { body: { ...body, dryRun: true } });
    await call("applyJob", status, { id: planned.body.id, headers });
    await service.drain();
    await call("undoJob", status, { id: later.body.id, body: { dryRun: true }, headers });
    await service.drain();
  }
  const opened = await call("openScreenerSession", 201, { body: { screenerParticipantId: imported.body[0].id } });
  await call("openScreenerSession", 200, { body: { screenerParticipantId: imported.body[0].id } });
  await call("openScreenerSession", 200, { body: { screenerId: screener } });
  await call("openScreenerSession", 202, { body: { screenerId: screener }, headers: prefer });
  await service.drain();
  await call("moveScreenerSessions", 200, { body: { screenerId: screener } });
  await call("moveScreenerSessions", 202, { body: { screenerId: screener }, headers: prefer });
  await service.drain();
  const reviewing = { screenerId: screener, filter: {}, decision: "ACCEPTED" };
  await call("reviewScreenerSessions", 200, { body: reviewing });
  await call("reviewScreenerSessions", 202, { body: reviewing, headers: prefer });
  await service.drain();
  for (const operationId of ["recountScreenerQuota", "offerScreenerQuota"]) {
    await call(operationId, 200, { id: world.quota, body: {} });
    await call(operationId, 202, { id: world.quota, body: {}, headers: prefer });
    await service.drain();
  }
  const letter = { screenerId: screener, subject: "Hello", body: "Hello" };
  const mailing = { ...letter, name: "Hello", kind: "MESSAGE" };
  await call("createMailing", 200, { body: mailing });
  await call("createMailing", 202, { body: { ...mailing, at: "2090-01-01T00:00:00Z" }, headers: prefer });
  await service.drain();
  await call("previewMailing", 200, { body: letter });
  await call("testMailing", 200, { body: { ...letter, to: "ada@example.org" } });
  for (const operationId of ["resumeMailing", "pauseMailing", "stopMailing"])
    await call(operationId, 200, { id: world.mailing, ...(operationId === "resumeMailing" && { body: {} }) });
  await call("submitScreenerResponses", 200, { id: opened.body.id, body: { responses: [] } });
  const responses = [{ screenerQuestionId: rules.qualifyWhen.questionId, answer: "Some" }];
  await call("submitScreenerResponses", 200, { id: opened.body.id, body: { responses, complete: true } });
  await call("overrideScreenerSession", 200, {
    id: opened.body.id,
    body: { outcome: "DISQUALIFIED", reason: "x" },
  });
  await call("reviewScreenerSession", 200, { id: await pendingReview(world.client), body: { decision: "ACCEPTED" } });
  await call("getScreenerSession", 200, { id: opened.body.id });
  await call("removeScreenerSession", 200, { id: opened.body.id });
  const going = { screenerId: screener, screenerParticipantIds: [crypto.randomUUID()] };
  await call("removeScreenerParticipants", 200, { body: going });
  await call("removeScreenerParticipants", 202, { body: going, headers: prefer });
  await call("removeScreenerParticipant", 200, { id: imported.body[0].id });
  await call("closeParticipantRequest", 200, { id: world.request, body: {} });
  const { id: left } = imported.body[1];
  const begun = (await call("openScreenerSession", 200, { body: { screenerParticipantId: left } })).body.id;
  await call("submitScreenerResponses", 200, { id: begun, body: { responses } });
  withdraw(service, world.client, begun);
  await call("eraseScreenerResponses", 200, { id: begun });
  await call("eraseScreenerResponses", 202, { id: begun, headers: prefer });
  await service.drain();
  await call("exportParticipant", 200, { id: participant });
  await call("eraseParticipants", 200, { body: { participantIds: [crypto.randomUUID()] } });
  await call("eraseParticipants", 202, { body: { participantIds: [crypto.randomUUID()] }, headers: prefer });
  await call("eraseParticipant", 200, { id: imported.body[1].participantId });
  await call("eraseParticipant", 202, { id: imported.body[2].participantId, headers: prefer });
  // It holds the lock, while the next writes wait for less than it may take.
  await service.drain();
  const ofOther = async () => {
    const { body: made } = await call("createScreener", 201, { body: { title: "Other" } });
    return { id: made.id, query: "?confirm=Other" };
  };
  const endpoint = (await call("createWebhookEndpoint", 201, { body: { url: NOBODYS_URL } })).body.id;
  await call("getWebhookEndpoint", 200, { id: endpoint });
  await call("changeWebhookEndpoint", 200, { id: endpoint, body: { types: ["quota.reached"] } });
  await call("rotateWebhookSecret", 200, { id: endpoint });
  await call("getSigningKey", 200);
  await call("rotateSigningKey", 200);
  const tested = await call("testWebhookEndpoint", 201, { id: endpoint });
  await call("getWebhookDelivery", 200, { id: tested.body.id });
  await call("retryWebhookDelivery", 200, { id: tested.body.id });
  await call("replayWebhookEvents", 202, { id: endpoint, body: { from: "2026-01-01T00:00:00Z" } });
  await call("deleteWebhookEndpoint", 200, { id: endpoint });
  const trial = service.workspace("Trial", true);
  await call("resetSandbox", 200, { client: trial });
  await call("resetSandbox", 202, { client: trial, headers: prefer });
  await call("deleteScreenerTestSessions", 200, { id: screener });
  await call("deleteScreenerTestSessions", 202, { id: screener, headers: prefer });
  await service.drain();
  await call("deleteScreener", 200, await ofOther());
  await call("deleteScreener", 202, { ...(await ofOther()), headers: prefer });
  await service.drain();
});

test("failures that all routes share answer as described", async () => {
  const other = service.workspace();
  const suspended = service.workspace();
  const { writer, reader } = service.context.control;
  const { id: suspendedId } = findWorkspace(reader, suspended.workspaceId)!;
  await whenFree(writer, 5000, () => suspendWorkspace(writer, suspendedId, Date.now()));
  const empty = { client: other, headers: { "X-Service-Api-Key": "key_unknown" } };
  const powerless = await withScopes(service, other, []);
  for (const [operationId, { operation }] of operations) {
    const anyhow = { id: crypto.randomUUID(), ...(operation.requestBody && { body: {} }) };
    const is = (status: number) => operation.responses[status] !== undefined;
    await call(operationId, 400, { query: "?surely[not]=1", ...anyhow });
    await call(operationId, 400, { headers: { "X-Service-Api-Version": "9.0.0" }, ...anyhow });
    if (operation.parameters.some(({ name }) => name === "X-Action-Note")) {
      const { body } = await call(operationId, 400, { headers: { "X-Action-Note": "x".repeat(501) }, ...anyhow });
      assert.deepEqual(
        body.errors.map(({ pointer }: { pointer: string }) => pointer),
        ["X-Action-Note"],
      );
    }
    await call(operationId, 431, { headers: { "X-Large": "x".repeat(200_000) }, ...anyhow });
    if (is(401)) await call(operationId, 401, { ...empty, ...anyhow });
    if (is(403)) {
      await call(operationId, 403, { client: powerless, ...anyhow });
      await call(operationId, 403, { client: suspended, ...anyhow });
    }
    if (operation.security?.length !== 0) assert.ok(is(401), `${operationId} does not say that it wants credentials`);
    await call(operationId, 406, { headers: { "Accept-Encoding": "identity;q=0" }, ...anyhow });
    if (operation.responses[200]?.content?.["text/csv"])
      await call(operationId, 406, { id: world.screener, headers: { Accept: "image/png" } });
    if (operation.requestBody) {
      // A screener's content, and its translations, are parsed only once the screener is found.
      const isOfFound = operationId === "putScreenerContent" || operationId === "putScreenerTranslation";
      const id = isOfFound ? world.screener : anyhow.id;
      await call(operationId, 400, { id, raw: "{" });
      await call(operationId, 415, { id, raw: "{}", headers: { "Content-Type": "text/plain" } });
      await call(operationId, 415, { id, raw: "{}", headers: { "Content-Encoding": "rot13" } });
      assert.ok(is(413));
    }
    if (is(404)) {
      for (const id of [crypto.randomUUID(), "x", "%00"]) {
        const missing: Record<string, unknown> = {
          publishScreener: { screenerId: id },
          importScreenerParticipants: { screenerId: id, participants: [] },
          openScreenerSession: { screenerParticipantId: id },
          moveScreenerSessions: { screenerId: id },
          removeScreenerParticipants: { screenerId: id, screenerParticipantIds: [id] },
          createParticipantNote: { participantId: id, note: "x" },
          reviewScreenerSessions: { screenerId: id, filter: {}, decision: "ACCEPTED" },
          createScreenerLink: { screenerId: id, name: "x" },
          createMailing: { screenerId: id, name: "x", kind: "MESSAGE", subject: "x", body: "x" },
          previewMailing: { screenerId: id, subject: "x", body: "x" },
          testMailing: { screenerId: id, subject: "x", body: "x", to: "ada@example.org" },
          addScreenerParticipant: { screenerId: id, name: "x" },
          changeUser: { role: "viewer" },
          changeScreenerTranslation: { strings: [] },
          putScreenerTranslation: { strings: [] },
          putScreenerPageWords: { words: [] },
          submitScreenerResponses: { responses: [] },
          overrideScreenerSession: { outcome: "BY_RULES", reason: "x" },
          reviewScreenerSession: { decision: "ACCEPTED" },
          replayWebhookEvents: { from: "2026-01-01T00:00:00Z" },
        };
        await call(operationId, 404, { id, ...(operation.requestBody && { body: missing[operationId] ?? {} }) });
      }
    }
  }
  const { body } = await call("openScreenerSession", 404, { body: { screenerId: crypto.randomUUID() } });
  assert.equal(body.code, "screener_not_found");
  await call("followEvents", 410, { query: `?after=${crypto.randomUUID()}` });
});

/** What is sent by POST, and changes nothing all the same. */
const READING_POSTS = [
  "forecastScreenerQuotas",
  "assessScreenerFeasibility",
  "sendTestMail",
  "previewMailing",
  "testMailing",
];

function isRead(operationId: string, { method }: { method: string }): boolean {
  return method === "get" || READING_POSTS.includes(operationId);
}

test("every write takes a note, and no read does", () => {
  const takesNote = ({ operation }: { operation: Operation }) =>
    operation.parameters.some(({ name }) => name === "X-Action-Note");
  for (const [operationId, one] of operations) assert.equal(takesNote(one), !isRead(operationId, one), operationId);
});

test("a body that is too large, too many failures and a key used twice answer as described", async () => {
  const small = await startService({ config: { bodyMaxBytes: 1024, importMaxBytes: 1024 } });
  const client = small.workspace();
  for (const [operationId, { method, path, operation }] of operations) {
    if (!operation.requestBody) continue;
    if (operationId === "putScreenerContent") continue;
    const raw = `{"title":"${"x".repeat(1024)}"}`;
    const large = await client.call(method.toUpperCase(), pathWith(path, "x"), { raw });
    assert.equal(large.status, 413, operationId);
    isDescribed(operationId, large);
  }
  // Content has a limit of its own. A length is enough to be refused.
  const { apiKey, apiSecret } = world.client.credentials;
  const huge = await plain(service.url, {
    method: "PUT",
    path: `/screeners/${world.screener}/content`,
    headers: {
      "X-Service-Api-Key": apiKey,
      "X-Service-Api-Secret": apiSecret,
      "Content-Type": "application/json",
      "Content-Length": String(32 * 1024 * 1024 + 1),
    },
  });
  assert.equal(huge.status, 413);
  isDescribed("putScreenerContent", { ...huge, headers: new Headers(huge.headers as Record<string, string>) });
  const from = "127.0.3.1";
  for (let failures = 0; failures < 300; failures++) await plain(service.url, { method: "GET", path: "/jobs", from });
  // Each refusal takes its time.
  const refused = [...operations].filter(([, { operation }]) => operation.security?.length !== 0);
  await Promise.all(
    refused.map(async ([operationId, { method, path }]) => {
      const answer = await plain(service.url, { method: method.toUpperCase(), path, from });
      assert.equal(answer.status, 429, operationId);
      isDescribed(operationId, { ...answer, headers: new Headers(answer.headers as Record<string, string>) });
    }),
  );
  const { screener, session: id } = world;
  const assignments = await world.client.all("/screener-participants");
  const twice: Record<string, [object, object]> = {
    createScreener: [{ title: "a" }, { title: "b" }],
    createParticipant: [
      { externalUid: "k1", email: "k1@example.org", name: "a" },
      { externalUid: "k2", email: "k2@example.org", name: "b" },
    ],
    publishScreener: [{ screenerId: screener }, { screenerId: screener, tags: [] }],
    importScreenerParticipants: [
      { screenerId: screener, participants: [] },
      { screenerId: screener, participants: people(1) },
    ],
    restoreScreenerPublication: [{}, {}],
    closeParticipantRequest: [{}, {}],
    createParticipantNote: [
      { participantId: world.participant, note: "a" },
      { participantId: world.participant, note: "b" },
    ],
    createMailSuppression: [{ address: "gone@example.org" }, { address: "away@example.org" }],
    addScreenerParticipant: [
      { screenerId: screener, name: "a" },
      { screenerId: screener, name: "b" },
    ],
    createImage: [{ file: (await png(8, 1)).toString("base64") }, { file: (await png(9, 1)).toString("base64") }],
    createScreenerLink: [
      { screenerId: screener, name: "a" },
      { screenerId: screener, name: "b" },
    ],
    openScreenerSession: [{ screenerParticipantId: assignments[0].id }, { screenerParticipantId: assignments[1].id }],
    moveScreenerSessions: [{ screenerId: screener }, { screenerId: screener, dryRun: true }],
    removeScreenerParticipants: [
      { screenerId: screener, screenerParticipantIds: [crypto.randomUUID()] },
      { screenerId: screener, screenerParticipantIds: [crypto.randomUUID()] },
    ],
    eraseParticipants: [{ participantIds: [crypto.randomUUID()] }, { participantIds: [crypto.randomUUID()] }],
    reviewScreenerSessions: [
      { screenerId: screener, filter: {}, decision: "ACCEPTED" },
      { screenerId: screener, filter: {}, decision: "REJECTED" },
    ],
    recountScreenerQuota: [{}, { dryRun: true }],
    offerScreenerQuota: [{}, { dryRun: true }],
    createMailing: [
      { screenerId: screener, name: "a", kind: "MESSAGE", subject: "a", body: "a" },
      { screenerId: screener, name: "b", kind: "MESSAGE", subject: "b", body: "b" },
    ],
    pauseMailing: [{}, {}],
    resumeMailing: [{}, { resendUncertain: true }],
    stopMailing: [{}, {}],
    submitScreenerResponses: [{ responses: [] }, { responses: [], complete: true }],
    overrideScreenerSession: [
      { outcome: "QUALIFIED", reason: "a" },
      { outcome: "QUALIFIED", reason: "b" },
    ],
    reviewScreenerSession: [{ decision: "ACCEPTED" }, { decision: "REJECTED" }],
    undoJob: [{ dryRun: true }, { dryRun: false }],
    applyJob: [{}, {}],
    retryJob: [{}, {}],
    createWebhookEndpoint: [{ url: NOBODYS_URL }, { url: NOBODYS_URL, types: ["quota.reached"] }],
    rotateWebhookSecret: [{ overlapHours: 1 }, { overlapHours: 2 }],
    rotateSigningKey: [{ overlapHours: 1 }, { overlapHours: 2 }],
    replayWebhookEvents: [{ from: "2026-01-01T00:00:00Z" }, { from: "2026-01-02T00:00:00Z" }],
    testWebhookEndpoint: [{}, {}],
    retryWebhookDelivery: [{}, {}],
  };
  const planned = async () =>
    (await world.client.import(screener, people(1), { dryRun: true }, { Prefer: "wait=60" })).body.id;
  const made = await world.client.post("/screener-sessions", { screenerParticipantId: assignments.at(-1).id });
  const completed = async () => {
    await world.client.post(`/screener-sessions/${made.body.id}/responses`, { responses: [], complete: true });
    return made.body.id;
  };
  const waiting = await pendingReview(world.client);
  const endpoint = async () => (await world.client.post("/webhook-endpoints", { url: NOBODYS_URL })).body.id;
  for (const [operationId, { method, path, operation }] of operations) {
    if (method === "get" || !operation.responses[422] || operationId === "resetSandbox") continue;
    const [first, second] = twice[operationId]!;
    const headers = { "Idempotency-Key": operationId };
    // What has no body is another request on another path.
    const ids: Record<string, () => Promise<string>> = {
      restoreScreenerPublication: async () =>
        (await world.client.post("/screener-publications", { screenerId: screener })).body.id,
      applyJob: planned,
      retryJob: () => failedImport(service, world.client),
      undoJob: async () => world.job,
      overrideScreenerSession: completed,
      reviewScreenerSession: async () => waiting,
      recountScreenerQuota: async () => world.quota,
      offerScreenerQuota: async () => world.quota,
      ...Object.fromEntries(
        ["pauseMailing", "resumeMailing", "stopMailing"].map((name) => [
          name,
          async () => {
            const mailing = pausedMailing(service, world.client, world);
            if (name !== "resumeMailing") await world.client.post(`/mailings/${mailing}/resume`, {});
            return mailing;
          },
        ]),
      ),
      closeParticipantRequest: async () => {
        await askForData(world.client, (await world.client.get(`/screener-sessions/${id}`)).body);
        return (await world.client.get("/participant-requests?filter[state][eq]=OPEN")).body.items[0].id;
      },
      rotateWebhookSecret: async () => world.webhookEndpoint,
      replayWebhookEvents: async () => world.webhookEndpoint,
      testWebhookEndpoint: endpoint,
      retryWebhookDelivery: async () =>
        (await world.client.call("POST", `/webhook-endpoints/${world.webhookEndpoint}/test`)).body.id,
    };
    const idOf = ids[operationId] ?? (async () => id);
    const { status, text } = await world.client.post(pathWith(path, await idOf()), first, headers);
    assert.ok(status < 300, `${operationId}: ${text}`);
    await call(operationId, 422, { id: await idOf(), body: second, headers });
  }
  // The same key can't stand for a write and for a job.
  const headers = { "Idempotency-Key": "openScreenerSession" };
  await call("openScreenerSession", 422, { body: { screenerId: screener }, headers });
  // It has neither a body nor an id.
  const trial = service.workspace("Trial", true);
  await trial.post("/screeners", { title: "a" }, headers);
  await call("resetSandbox", 422, { client: trial, headers });
});

test("conflicts answer as described", async () => {
  const { client, ...mine } = await populate(service, "Conflicts");
  const options = { client };
  const participant = { externalUid: "c", email: "c@example.org", name: "C" };
  await call("createParticipant", 409, { ...options, body: { ...participant, externalUid: mine.externalUid } });
  await call("createParticipant", 409, { ...options, body: { ...participant, email: mine.email.toUpperCase() } });
  const other = (await client.post("/participants", participant)).body;
  const twoPeople = { externalUid: other.externalUid, email: mine.email };
  await call("addScreenerParticipant", 409, { ...options, body: { screenerId: mine.screener, ...twoPeople } });
  await call("changeParticipant", 409, { ...options, id: other.id, body: { email: mine.email } });
  await call("importScreenerParticipants", 409, {
    ...options,
    body: { screenerId: mine.screener, participants: [{ ...participant, externalUid: "d" }] },
  });
  await call("deleteScreener", 409, { ...options, id: mine.screener });
  await call("resetSandbox", 409, options);
  const confirmed = { ask: ["EMAIL"], confirmEmail: true };
  const { client: unmailed, ...theirs } = await populate(await startService(), "Unmailed");
  const withoutMail = { ...options, client: unmailed };
  await call("sendTestMail", 409, { ...withoutMail, body: { to: "ada@example.org" } });
  const letter = { screenerId: theirs.screener, subject: "x", body: "x" };
  await call("createMailing", 409, { ...withoutMail, body: { ...letter, name: "x", kind: "MESSAGE" } });
  await call("testMailing", 409, { ...withoutMail, body: { ...letter, to: "ada@example.org" } });
  await call("stopMailing", 200, { ...options, id: mine.mailing });
  await call("pauseMailing", 409, { ...options, id: mine.mailing });
  await call("resumeMailing", 409, { ...options, id: mine.mailing, body: {} });
  writeTo(service.context.workspaces, client.workspaceId, (db) => db.run("UPDATE mailing SET status = 'SENT'"));
  await call("stopMailing", 409, { ...options, id: mine.mailing });
  const link = { screenerId: theirs.screener, name: "x", ...confirmed };
  await call("createScreenerLink", 409, { ...withoutMail, body: link });
  await call("changeScreenerLink", 409, { ...withoutMail, id: theirs.link, body: confirmed });
  writeTo(service.context.workspaces, client.workspaceId, (db) =>
    db.run(
      `WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ?)
       INSERT INTO image (uid, hash, width, height, bytes, wanted_at) SELECT i, i, 1, 1, x'00', 0 FROM n`,
      MAX_IMAGES,
    ),
  );
  await call("createImage", 409, { ...options, body: { file: (await png(7, 7)).toString("base64") } });
  await call("cancelJob", 409, { ...options, id: mine.job });
  await call("applyJob", 409, { ...options, id: mine.job });
  await call("retryJob", 409, { ...options, id: mine.job });
  await call("retryJob", 200, { ...options, id: await failedImport(service, client) });
  const publishing = await client.all("/jobs?filter[kind][eq]=SCREENER_PUBLICATION");
  await call("getWorkspaceUsage", 200, options);
  await call("undoJob", 409, { ...options, id: publishing[0].id, body: {} });
  const stale = { "If-Match": '"99"' };
  await call("putScreenerContent", 412, { ...options, id: mine.screener, body: { pages: [] }, headers: stale });
  await call("restoreScreenerPublication", 412, { ...options, id: mine.publication, body: {}, headers: stale });
  await call("publishScreener", 412, { ...options, body: { screenerId: mine.screener }, headers: stale });
  await call("putPageWords", 412, { ...options, body: { words: [] }, headers: stale });
  await call("changeUser", 412, { ...options, id: mine.user, body: { role: "viewer" }, headers: stale });
  await call("changeUser", 200, { ...options, id: mine.user, body: { role: "admin" } });
  await call("changeUser", 409, { ...options, id: mine.user, body: { role: "viewer" } });
  await call("putWorkspaceAttributes", 412, { ...options, body: { attributes: [] }, headers: stale });
  await call("overrideScreenerSession", 409, {
    ...options,
    id: mine.session,
    body: { outcome: "QUALIFIED", reason: "x" },
  });
  await call("reviewScreenerSession", 409, { ...options, id: mine.session, body: { decision: "ACCEPTED" } });
  await call("eraseScreenerResponses", 409, { ...options, id: mine.session });
  await call("submitScreenerResponses", 200, {
    ...options,
    id: mine.session,
    body: { responses: [], complete: true },
  });
  const answering = async (id: string) =>
    (await call("submitScreenerResponses", 409, { ...options, id, body: { responses: [] } })).body.code;
  assert.equal(await answering(mine.session), "session_completed");
  await client.delete(`/screener-sessions/${mine.session}`);
  assert.equal(await answering(mine.session), "session_closed");

  const url = NOBODYS_URL;
  while ((await client.all("/webhook-endpoints")).length < 20) await client.post("/webhook-endpoints", { url });
  await call("createWebhookEndpoint", 409, { ...options, body: { url } });
  await client.patch(`/webhook-endpoints/${mine.webhookEndpoint}`, { status: "DISABLED" });
  await call("testWebhookEndpoint", 409, { ...options, id: mine.webhookEndpoint });
  const body = { from: "2026-01-01T00:00:00Z" };
  await call("replayWebhookEvents", 409, { ...options, id: mine.webhookEndpoint, body });
  await call("retryWebhookDelivery", 409, { ...options, id: mine.webhookDelivery });

  const screener = await client.screener();
  const assignments: { id: string }[] = (await client.import(screener, people(3))).body;
  const opening = async (body: object) => (await call("openScreenerSession", 409, { ...options, body })).body.code;
  assert.equal(await opening({ screenerParticipantId: assignments[0]!.id }), "screener_not_published");
  assert.equal(await opening({ screenerId: screener }), "screener_not_published");
  const moving = await call("moveScreenerSessions", 409, { ...options, body: { screenerId: screener } });
  assert.equal(moving.body.code, "screener_not_published");
  await call("putScreenerContent", 200, {
    ...options,
    id: screener,
    body: {
      pages: [{ questions: [{ id: "q", _type: "ScreenerTextQuestion", prompt: "Why?" }] }],
      qualifyWhen: { questionId: "q", answered: false },
    },
  });
  await client.post("/screener-publications", { screenerId: screener, targetQualifiedParticipants: 1 });
  const sessions: string[] = [];
  for (const { id } of assignments.slice(0, 2))
    sessions.push((await client.post("/screener-sessions", { screenerParticipantId: id })).body.id);
  const [first = "", second = ""] = sessions;
  await call("submitScreenerResponses", 200, { ...options, id: first, body: { responses: [], complete: true } });
  assert.equal(await answering(second), "quota_reached");
  assert.equal(await opening({ screenerParticipantId: assignments[2]!.id }), "quota_reached");
  assert.equal(await opening({ screenerId: screener }), "quota_reached");
  const failed = await client.import(crypto.randomUUID(), [], {}, { Prefer: "respond-async" });
  await service.drain();
  assert.equal((await call("getJobResult", 409, { ...options, id: failed.body.id })).body.code, "job_not_succeeded");
  assert.equal((await call("getJob", 200, { ...options, id: failed.body.id })).body.problem.code, "screener_not_found");
  const { writer } = service.context.control;
  await whenFree(writer, 5000, () => expireResults(writer, Date.now() + 1));
  await call("getJobResult", 410, { ...options, id: mine.job });
  await call("listJobRows", 410, { ...options, id: mine.job });
  writeTo(service.context.workspaces, client.workspaceId, (db) => db.run("UPDATE effect SET decided_at = 0"));
  await call("undoJob", 410, { ...options, id: mine.job, body: {} });
});

test("a store that is locked, and jobs that wait for it, answer as described", async () => {
  const { client, ...mine } = await populate(service, "Locked");
  const options = { client };
  withdraw(service, client, mine.session);
  const failed = await failedImport(service, client);
  const path = service.context.workspaces.path(client.workspaceId);
  const blocker = openWriter(path, { busyTimeoutMs: 1000, checkpoints: false });
  const ledger = openWriter(`${service.config.dataDir}/control.sqlite`, { busyTimeoutMs: 1000, checkpoints: false });
  blocker.run("BEGIN IMMEDIATE");
  let waitAgain = () => {};
  try {
    const first = await client.import(mine.screener, people(1), {}, { Prefer: "respond-async" });
    await until(async () => (await client.get(`/jobs/${first.body.id}`)).body.status === "RUNNING", "a job runs");
    const { body } = await call("getJobResult", 409, { ...options, id: first.body.id });
    assert.equal(body.code, "job_not_finished");
    await call("listJobRows", 409, { ...options, id: first.body.id });
    // The jobs behind it can be cancelled, and the clients that wait for them get an answer.
    const publishing = call("publishScreener", 409, { ...options, body: { screenerId: mine.screener } });
    const importing = call("importScreenerParticipants", 409, {
      ...options,
      body: { screenerId: mine.screener, participants: [] },
    });
    const opening = call("openScreenerSession", 409, { ...options, body: { screenerId: mine.screener } });
    const moving = call("moveScreenerSessions", 409, { ...options, body: { screenerId: mine.screener } });
    const reviewing = call("reviewScreenerSessions", 409, {
      ...options,
      body: { screenerId: mine.screener, filter: {}, decision: "ACCEPTED" },
    });
    const recounting = call("recountScreenerQuota", 409, { ...options, id: mine.quota, body: {} });
    const offering = call("offerScreenerQuota", 409, { ...options, id: mine.quota, body: {} });
    const erasing = call("eraseParticipant", 409, { ...options, id: mine.participant });
    const going = { screenerId: mine.screener, screenerParticipantIds: [mine.assignment] };
    const removing = call("removeScreenerParticipants", 409, { ...options, body: going });
    const erasingMany = call("eraseParticipants", 409, { ...options, body: { participantIds: [mine.participant] } });
    const deleting = call("deleteScreenerTestSessions", 409, { ...options, id: mine.screener });
    const forgetting = call("eraseScreenerResponses", 409, { ...options, id: mine.session });
    await until(
      async () => (await client.get("/jobs?filter[status][eq]=QUEUED")).body.total === 12,
      "twelve jobs wait",
    );
    const queued = await client.all("/jobs?filter[status][eq]=QUEUED");
    // Until here they wait for each other's locks, too.
    waitAgain = waitBriefly(service);
    ledger.run("BEGIN IMMEDIATE");
    await call("cancelJob", 503, { ...options, id: queued[0].id });
    ledger.run("ROLLBACK");
    // And those that are cancelled, too.
    waitAgain();
    for (const { id } of queued) await call("cancelJob", 200, { ...options, id });
    assert.equal((await publishing).body.code, "job_cancelled");
    assert.equal((await importing).body.code, "job_cancelled");
    assert.equal((await opening).body.code, "job_cancelled");
    for (const one of [moving, reviewing, recounting, offering]) assert.equal((await one).body.code, "job_cancelled");
    assert.equal((await erasing).body.code, "job_cancelled");
    for (const one of [removing, erasingMany, deleting, forgetting])
      assert.equal((await one).body.code, "job_cancelled");

    waitAgain = waitBriefly(service);
    const participant = { externalUid: "l", email: "l@example.org", name: "L" };
    await call("changeAppearance", 503, { ...options, body: { accentColor: null } });
    await call("putWorkspaceAttributes", 503, { ...options, body: { attributes: [] } });
    await call("createImage", 503, { ...options, body: { file: (await png(6, 6)).toString("base64") } });
    await call("putPageWords", 503, { ...options, body: { words: [] } });
    await call("putScreenerPageWords", 503, { ...options, id: mine.screener, body: { words: [] } });
    await call("createScreener", 503, { ...options, body: { title: "x" } });
    await call("changeScreener", 503, { ...options, id: mine.screener, body: { title: "x" } });
    await call("putScreenerContent", 503, { ...options, id: mine.screener, body: { pages: [] } });
    const german = { ...options, id: mine.screener, body: { strings: [] } };
    await call("changeScreenerTranslation", 503, german);
    await call("putScreenerTranslation", 503, german);
    await call("deleteScreenerTranslation", 503, { ...options, id: mine.screener });
    await call("changeScreenerPublication", 503, { ...options, id: mine.publication, body: { tags: [] } });
    await call("restoreScreenerPublication", 503, { ...options, id: mine.publication, body: {} });
    await call("createParticipantNote", 503, { ...options, body: { participantId: mine.participant, note: "x" } });
    await call("deleteParticipantNote", 503, { ...options, id: mine.note });
    await call("createMailSuppression", 503, { ...options, body: { address: "gone@example.org" } });
    await call("deleteMailSuppression", 503, { ...options, id: mine.suppression });
    await call("changeMail", 503, { ...options, body: { contactCap: { messages: 1, days: 1 } } });
    await call("addScreenerParticipant", 503, { ...options, body: { screenerId: mine.screener, name: "x" } });
    await call("createScreenerLink", 503, { ...options, body: { screenerId: mine.screener, name: "x" } });
    await call("changeScreenerLink", 503, { ...options, id: mine.link, body: { limit: 7 } });
    await call("revokeScreenerLink", 503, { ...options, id: mine.link });
    await call("changeScreenerQuota", 503, { ...options, id: mine.quota, body: { limit: 7 } });
    await call("createParticipant", 503, { ...options, body: participant });
    await call("changeParticipant", 503, { ...options, id: mine.participant, body: { name: "x" } });
    await call("removeScreenerParticipant", 503, { ...options, id: mine.assignment });
    await call("openScreenerSession", 503, { ...options, body: { screenerParticipantId: mine.assignment } });
    await call("submitScreenerResponses", 503, { ...options, id: mine.session, body: { responses: [] } });
    await call("overrideScreenerSession", 503, {
      ...options,
      id: mine.session,
      body: { outcome: "QUALIFIED", reason: "x" },
    });
    await call("reviewScreenerSession", 503, { ...options, id: mine.session, body: { decision: "ACCEPTED" } });
    await call("removeScreenerSession", 503, { ...options, id: mine.session });
    await call("closeParticipantRequest", 503, { ...options, id: mine.request, body: {} });
    await call("pauseMailing", 503, { ...options, id: mine.mailing });
    await call("resumeMailing", 503, { ...options, id: mine.mailing, body: {} });
    await call("stopMailing", 503, { ...options, id: mine.mailing });
    const id = mine.webhookEndpoint;
    await call("createWebhookEndpoint", 503, { ...options, body: { url: NOBODYS_URL } });
    await call("changeWebhookEndpoint", 503, { ...options, id, body: { types: null } });
    await call("rotateWebhookSecret", 503, { ...options, id });
    await call("rotateSigningKey", 503, options);
    await call("testWebhookEndpoint", 503, { ...options, id });
    await call("replayWebhookEvents", 503, { ...options, id, body: { from: "2026-01-01T00:00:00Z" } });
    await call("retryJob", 503, { ...options, id: failed });
    await call("retryWebhookDelivery", 503, { ...options, id: mine.webhookDelivery });
    await call("deleteWebhookEndpoint", 503, { ...options, id });
  } finally {
    waitAgain();
    blocker.run("ROLLBACK");
    blocker.close();
  }
  await service.drain();
  const trial = service.workspace("Trial", true);
  const waiting = await client.import(mine.screener, people(1), {}, { Prefer: "respond-async" });
  const plan = await client.import(mine.screener, people(1), { dryRun: true }, { Prefer: "respond-async" });
  await service.drain();
  ledger.run("BEGIN IMMEDIATE");
  waitAgain = waitBriefly(service);
  try {
    await call("changeUser", 503, { ...options, id: mine.user, body: { role: "admin" } });
    await call("publishScreener", 503, { ...options, body: { screenerId: mine.screener } });
    await call("openScreenerSession", 503, { ...options, body: { screenerId: mine.screener } });
    await call("moveScreenerSessions", 503, { ...options, body: { screenerId: mine.screener } });
    await call("removeScreenerParticipants", 503, {
      ...options,
      body: { screenerId: mine.screener, screenerParticipantIds: [mine.assignment] },
    });
    await call("eraseParticipants", 503, { ...options, body: { participantIds: [mine.participant] } });
    await call("reviewScreenerSessions", 503, {
      ...options,
      body: { screenerId: mine.screener, filter: {}, decision: "ACCEPTED" },
    });
    await call("createMailing", 503, {
      ...options,
      body: { screenerId: mine.screener, name: "x", kind: "MESSAGE", subject: "x", body: "x" },
    });
    await call("recountScreenerQuota", 503, { ...options, id: mine.quota, body: {} });
    await call("offerScreenerQuota", 503, { ...options, id: mine.quota, body: {} });
    await call("importScreenerParticipants", 503, {
      ...options,
      body: { screenerId: mine.screener, participants: [] },
    });
    await call("applyJob", 503, { ...options, id: plan.body.id });
    await call("eraseParticipant", 503, { ...options, id: mine.participant });
    await call("eraseScreenerResponses", 503, { ...options, id: mine.session });
    await call("resetSandbox", 503, { client: trial });
    await call("deleteScreenerTestSessions", 503, { ...options, id: mine.screener });
    const { title } = (await client.get(`/screeners/${mine.screener}`)).body;
    const query = `?confirm=${encodeURIComponent(title)}`;
    await call("deleteScreener", 503, { ...options, id: mine.screener, query });
    await call("undoJob", 503, { ...options, id: waiting.body.id, body: {} });
    await call("getReadiness", 200);
    await call("getJob", 200, { ...options, id: waiting.body.id });
  } finally {
    waitAgain();
    ledger.run("ROLLBACK");
    ledger.close();
  }
});

test("every described answer was seen, except those that no caller can cause", () => {
  for (const [operationId, { method, operation }] of operations) {
    // A bug; a sender that falls silent; trouble with the store that stops reading, too; and a file that is too large (export-limits.test.ts).
    const excused = ["500", "408", ...(isRead(operationId, { method }) ? ["503", "422"] : [])];
    const missing = Object.entries(operation.responses)
      .filter(([status]) => !excused.includes(status))
      .flatMap(([status, { content = { "": {} } }]) => Object.keys(content).map((type) => `${status} ${type}`))
      .filter((described) => !seen.get(operationId)?.has(described));
    assert.deepEqual(missing, [], operationId);
  }
});

/** A question to write for, in `world`: of the kind that takes text. */
let textQuestion: string;

/** Values that a schema allows; ids are real ones. */
function valid(schema: Schema, name = ""): fc.Arbitrary<unknown> {
  if (schema.$ref) return valid(described.resolve(schema), name);
  if (name === "screenerId") return fc.constant(world.screener);
  if (name === "screenerParticipantId") return fc.constant(world.assignment);
  if (name === "participantId") return fc.constant(world.participant);
  if (name === "screenerQuestionId") return fc.constant(textQuestion);
  // Two that have no type, only words: what a question takes hangs on the question, and a condition on what is before.
  if (name === "answer") return fc.constantFrom(null, "x", "😀".repeat(10_000));
  if (/^(show|qualify|disqualify|contradicts)When$|^when$/.test(name))
    return fc.oneof({ weight: 49, arbitrary: fc.constant(null) }, { weight: 1, arbitrary: fc.constant(UNKNOWN) });
  if (schema.const !== undefined) return fc.constant(schema.const);
  if (schema.enum) return fc.constantFrom(...schema.enum);
  const choices = schema.anyOf ?? schema.oneOf;
  if (choices) return fc.oneof(...choices.map((choice) => valid(choice, name)));
  switch (schema.type) {
    case undefined:
      // It is ignored, whatever it is.
      return fc.constant("x");
    case "null":
      return fc.constant(null);
    case "boolean":
      return fc.boolean();
    case "integer":
      return fc.integer({ min: schema.minimum ?? -100, max: schema.maximum ?? 100 });
    case "number":
      return fc.double({
        noNaN: true,
        noDefaultInfinity: true,
        min: schema.minimum ?? -1e308,
        max: schema.maximum ?? 1e308,
      });
    case "string": {
      if (schema.pattern) return fc.stringMatching(new RegExp(schema.pattern));
      if (schema.format === "date-time")
        return fc
          .date({ noInvalidDate: true, min: new Date("1970"), max: new Date("9999") })
          .map((date) => date.toISOString());
      if (schema.format === "uri") return fc.webPath().map((path) => `http://127.0.0.1:9${path}`);
      if (schema.format === "email") return fc.emailAddress({ size: "large" });
      const { minLength = 0, maxLength = 200 } = schema;
      // White space alone counts as nothing, which no schema can say.
      return fc
        .oneof(
          fc.string({ unit: "binary", minLength, maxLength: Math.min(maxLength, 30) }),
          fc.constant("x".repeat(maxLength)),
          fc.constant("😀".repeat(maxLength)),
        )
        .filter((text) => !text.includes("\0") && (minLength === 0 || text.trim() !== ""));
    }
    case "array":
      return fc.array(valid(schema.items!), {
        minLength: schema.minItems ?? 0,
        maxLength: Math.min(schema.maxItems ?? 3, 3),
      });
    case "object": {
      const { properties = {}, required = [], minProperties = 0, propertyNames, additionalProperties } = schema;
      if (propertyNames && additionalProperties)
        return fc.dictionary(valid(propertyNames) as fc.Arbitrary<string>, valid(additionalProperties), {
          minKeys: minProperties,
          maxKeys: 3,
        });
      const members = Object.entries(properties).map(([key, inner]) => [key, valid(inner, key)] as const);
      const object = fc.record(Object.fromEntries(members), { requiredKeys: required });
      return object.filter((given) => Object.keys(given).length >= minProperties);
    }
    default:
      return assert.fail(`No values for ${JSON.stringify(schema)}`);
  }
}

/** A condition on a question that there is not. */
const UNKNOWN = { questionId: "there-is-not", answered: true };

/** What is wrong with quotas of a forecast, and of a look at who fits. */
const WRONG_QUOTAS =
  /^is given twice$|^refers to (no question of this content|a statement, which has no answer)$|^must be a web address, such as|^must begin with https|^must be at most 2000 characters$|^is required, unless mode is COUNT$|^is another quota's name$/;

/**
 * What a schema can't say, by operation. A name of two empty parts is none; ids come twice in an import, and people who
 * are not there yet need their emails and names; two keys of attributes are one when they are trimmed; an archived publication stays so; a session is opened for a
 * participant or for a screener; a review has filters that there are, or names sessions; a screener closes after it opens, and has a time zone that there is, and a time range ends after it begins; a question is answered once; and in a content ids, keys and the texts of options are
 * there once, bounds are in order, and conditions refer to questions that there are, and redirects to web addresses; links of an appearance to https or mailto, and its
 * logo an image; so is what a statement shows.
 */
const ELSEWHERE: Record<string, RegExp> = {
  createScreener: /^must be after opensAt$|^must be the name of a time zone/,
  putPageWords: /^is not known|^is given twice$|^is required$|^must (not )?have \{/,
  putScreenerPageWords: /^is not known|^is given twice$|^is required$|^must (not )?have \{/,
  addScreenerParticipant: /^is required|^is given twice$/,
  createScreenerLink:
    /^is required$|^is given twice$|^must be after opensAt$|^can be EMAIL only with|^needs (EMAIL|something) in ask$|^must not name one twice$|^must not be one of|^must have 1 to 100 characters$/,
  changeScreenerLink:
    /^is required$|^is given twice$|^must be after opensAt$|^can be EMAIL only with|^needs (EMAIL|something) in ask$|^must not name one twice$|^must not be one of|^must have 1 to 100 characters$/,
  changeScreener: /^must be (after opensAt|before (closesAt|linkExpiresAt))$|^must be the name of a time zone/,
  changeAppearance:
    /^must begin with https|^must be an origin|^must be a PNG, JPEG or WebP image|^must be base64$|^must be at most 2048 characters$|^must not have a user|^must have an email/,
  changeScreenerTranslation: /^is no text of the draft$|^is given twice$/,
  putScreenerTranslation: /^is given twice$/,
  sendTestMail: /^must be an email address/,
  createMailing:
    /^must be one line$|^must have \{\{link\}\}|^is required$|^must be empty: a MESSAGE|^names no question|^is not an operator of attributes|^must be (a language|a time zone|a time of the day|later than from)|^must not name (one|a language) twice|^must not be empty$|^must have a key|is not a (filter|parameter) of this list|^(?:needs|must have) an operator|^is a name that can't be used$/,
  previewMailing: /^must be one line$|^is required$|^must be a language|^must not name a language twice/,
  testMailing:
    /^must be one line$|^is required$|^must be a language|^must not name a language twice|^must be an email address/,
  createParticipant: /^is required|^is given twice$/,
  changeParticipant: /^is required|^is given twice$|together with those that it has$/,
  importScreenerParticipants: /^is required|^must be left out, because|more than once/,
  putWorkspaceAttributes:
    /^is given twice$|^is required, with at least one value|^goes only with type CHOICE$|^has a value twice|^must not be empty$|^must be a key of 1/,
  changeScreenerPublication: /can't become ACTIVE again/,
  reviewScreenerSessions:
    /^must have either filter or|^names no session of|is not a (filter|parameter) of this list|^(?:needs|must have) an operator|^is a name that can't be used$/,
  replayWebhookEvents: /^must be after from$/,
  openScreenerSession: /^is required, unless screenerId is given$|^is required$|^does not go with screenerId$/,
  submitScreenerResponses: /^is given twice$/,
  forecastScreenerQuotas: WRONG_QUOTAS,
  assessScreenerFeasibility: WRONG_QUOTAS,
  putScreenerContent:
    /^is given twice$|^is no image of this workspace|^is another question's key$|^is the same as another (option|row|column)'s$|^must not be less than (min|minLength|minChoices|rankAtLeast)$|^leaves no whole number$|^must be at most \d+, the number of options$|^refers to (no question of this content|a statement, which has no answer)$|^must be a web address, such as|^must begin with https|^must be at most 2000 characters$|^is required, unless mode is COUNT$|^is another quota's name$|^is another assignment's name$|^is another arm's name in this assignment$|^must be (greater than from|\d+, because look is [A-Z]+)$|^must be a (date|day|month|year) such as|^must be a duration such as|^must not be before min$|^must be a language such as|^is required where there is a pattern|^is not a regular expression of RE2: |^goes only with one line|^must be at most 250 where there is a pattern$|^brings all patterns of the content together|^must stand next to the other pages of the block/,
};

/** Whether the operation before has only looked, or added something. */
let isGentle = false;

for (const [operationId, { operation }] of operations) {
  const schema = operation.requestBody?.content["application/json"]?.schema;
  // No text is an image by chance.
  if (!schema || operationId === "createImage") continue;
  test(`any body of ${operationId} that fits its description is taken, or refused for a reason that lies elsewhere`, async () => {
    // What one operation has removed or archived, the next one would miss.
    if (!isGentle) world = await populate(service, operationId);
    isGentle = /^(?:create|preview|forecast|assess|test|send|replay|recount)/.test(operationId);
    const { client, assignment } = world;
    const { pages } = (await client.get(`/screener-publications/${world.publication}/content`)).body;
    textQuestion = pages[0].questions.find(({ _type }: { _type: string }) => _type === "ScreenerTextQuestion").id;
    const ids: Record<string, string> = {
      changeScreener: world.screener,
      changeScreenerPublication: world.publication,
      restoreScreenerPublication: world.publication,
      changeScreenerQuota: world.quota,
      changeScreenerLink: world.link,
      recountScreenerQuota: world.quota,
      offerScreenerQuota: world.quota,
      forecastScreenerQuotas: world.screener,
      assessScreenerFeasibility: world.screener,
      resumeMailing: world.mailing,
      changeParticipant: world.participant,
      changeUser: world.user,
      putScreenerContent: world.screener,
      changeScreenerTranslation: world.screener,
      putScreenerTranslation: world.screener,
      putScreenerPageWords: world.screener,
      undoJob: world.job,
      changeWebhookEndpoint: world.webhookEndpoint,
      rotateWebhookSecret: world.webhookEndpoint,
      replayWebhookEvents: world.webhookEndpoint,
      applyJob: (await client.import(world.screener, [], { dryRun: true })).body.id,
    };
    // A session that takes answers: another one, once the last is completed.
    const session = async (): Promise<string> =>
      (await client.post("/screener-sessions", { screenerParticipantId: assignment })).body.id;
    if (operationId === "reviewScreenerSession") ids[operationId] = await pendingReview(client);
    if (operationId === "overrideScreenerSession") {
      ids[operationId] = world.session;
      await client.post(`/screener-sessions/${world.session}/responses`, { responses: [], complete: true });
    }
    const taken = new Set<number>();
    const isTaken = () => [...taken].some((status) => status < 300);
    const fits = fc.asyncProperty(valid(schema), async (body) => {
      const { method, path } = operations.get(operationId)!;
      const id = operationId === "submitScreenerResponses" ? await session() : (ids[operationId] ?? "");
      // A value that was set aside may be anything, and is looked at as what it stands for.
      const sent = operationId === "putScreenerContent" ? { ...(body as object), incomplete: undefined } : body;
      const answer = await client.call(method.toUpperCase(), pathWith(path, id), { body: sent });
      isDescribed(operationId, answer);
      taken.add(answer.status);
      if (answer.status === 400) {
        const { errors } = answer.body;
        for (const { message } of errors) assert.match(message, ELSEWHERE[operationId] ?? /^$/, answer.text);
      }
    });
    // Few of the large ones have nothing in them that their description can't say, a missing reference for example.
    for (let round = 0; round === 0 || (round < 40 && !isTaken()); round++) await fc.assert(fits, { numRuns: 40 });
    assert.ok(isTaken(), `${operationId} took none of them`);
  });
}

test("a body that lacks a required member, or has one of another type, is refused, and the answer names the member", async () => {
  // Without these, nothing else is looked at.
  const least: Record<string, object> = {
    putScreenerContent: { pages: [] },
    submitScreenerResponses: { responses: [] },
  };
  for (const [operationId, { operation }] of operations) {
    const body = operation.requestBody?.content["application/json"]?.schema;
    const schema = body && described.resolve(body);
    for (const [name, member] of Object.entries(schema?.properties ?? {})) {
      // Of what is ignored, anything is taken.
      if (Object.keys(member).join() === "description") continue;
      const id = operationId === "submitScreenerResponses" ? world.session : world.screener;
      const required = schema?.required?.includes(name);
      const another = [member, ...(member.anyOf ?? [])].some(({ type }) => type === "boolean") ? "true" : true;
      for (const wrong of required ? [undefined, another, null] : [another]) {
        const { body } = await call(operationId, 400, { id, body: { ...least[operationId], [name]: wrong } });
        assert.ok(
          body.errors.some(({ pointer }: { pointer: string }) => pointer === `/${name}`),
          `${operationId}: ${JSON.stringify(body)}`,
        );
      }
    }
  }
});
