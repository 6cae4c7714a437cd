// Every operation is described with an example that works: its request is sent to a real service, with real ids in place of
// the example's, and its reply is one that the operation could give.

import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { test } from "node:test";
import { exampleIds } from "../../src/examples.ts";
import { ASYNC, type Client, people } from "../support/client.ts";
import { Described, type Media, type Operation } from "../support/description.ts";
import { startService } from "../support/service.ts";
import { holdWrites } from "../support/store.ts";

const service = await startService();
const described = new Described((await service.workspace().get("/openapi.json")).body);

interface Shown {
  name: string;
  status: number;
  type: string;
  media: Media;
  reply: unknown;
}

/** The replies that an operation's examples show. */
function shownBy(operation: Operation): Shown[] {
  return Object.entries(operation.responses).flatMap(([status, { content = {} }]) =>
    Object.entries(content).flatMap(([type, media]) =>
      Object.entries(media.examples ?? {}).map(([name, { value: reply }]) => ({
        name,
        status: Number(status),
        type,
        media,
        reply,
      })),
    ),
  );
}

/** The media type and the body of an example's request. */
function bodyOf(operation: Operation, name: string): { type: string; text: string } | undefined {
  for (const [type, { examples }] of Object.entries(operation.requestBody?.content ?? {})) {
    const value = examples?.[name]?.value;
    if (value !== undefined) return { type, text: typeof value === "string" ? value : JSON.stringify(value) };
  }
  return undefined;
}

const HOW = "see `Example` in src/http/example.ts";

test("every operation has an example of its request and its reply", () => {
  const missing: string[] = [];
  for (const [operationId, { path, operation }] of described.operations) {
    const shown = shownBy(operation);
    if (!shown.length) missing.push(`${operationId} has no example: give its endpoint \`examples\`, ${HOW}`);
    for (const parameter of operation.parameters.filter((one) => one.in === "path"))
      if (!("example" in parameter)) missing.push(`src/examples.ts has no id for the path ${path}`);
    for (const { name } of operation.requestBody ? shown : [])
      if (!bodyOf(operation, name)) missing.push(`the example ${name} of ${operationId} has no body: ${HOW}`);
  }
  assert.deepEqual(missing, []);
});

/** Whether a value fits; else why not. */
function faults(media: Media, value: unknown): string {
  const validate = described.compile(media.schema);
  return validate(value) ? "" : JSON.stringify(validate.errors);
}

for (const [operationId, { method, path, operation }] of described.operations) {
  for (const { name, status, type, media, reply } of shownBy(operation)) {
    test(`the example "${name}" of ${operationId} works`, async () => {
      assert.equal(faults(media, reply), "", `the reply of the example does not fit its schema: ${HOW}`);
      const { client, ids, end } = await prepare(operationId);
      try {
        const real = (text: string) => withRealIds(text, ids, operationId);
        const body = bodyOf(operation, name);
        const headers = media.examples?.[name]?.["x-headers"];
        const inPath = operation.parameters.find((parameter) => parameter.in === "path") as { example?: string };
        const query = media.examples?.[name]?.["x-query"];
        const target = real(path.replace("{id}", inPath?.example ?? "")) + (query ? `?${query}` : "");
        const answer = await client.call(method.toUpperCase(), target, {
          headers: { ...headers, ...(body && { "Content-Type": body.type }) },
          ...(body && { raw: real(body.text) }),
        });
        assert.equal(answer.status, status, answer.text);
        assert.equal(answer.headers.get("content-type")?.replace(/;.*/, "") ?? "", type);
        assert.equal(faults(media, answer.body ?? answer.text), "", answer.text);
      } finally {
        end();
        await service.drain();
      }
    });
  }
}

function withRealIds(text: string, ids: ReadonlyMap<string, string>, operationId: string): string {
  return Object.values(exampleIds).reduce((changed, id) => {
    if (!changed.includes(id)) return changed;
    const real = ids.get(id);
    assert.ok(real, `${operationId}: an example has the id ${id}; let prepare() in this file make what it stands for`);
    return changed.replaceAll(id, real);
  }, text);
}

interface Prepared {
  client: Client;
  /** The real ids, by those of the examples. */
  ids: Map<string, string>;
  end(): void;
}

/** A workspace that has what the examples are about. */
async function prepare(operationId: string): Promise<Prepared> {
  const client = service.workspace();
  const screener = await client.screener();
  const content = described.operations.get("putScreenerContent")!.operation;
  const sent = content.requestBody!.content["application/json"]!.examples!.draft!.value;
  const draft = (await client.call("PUT", `/screeners/${screener}/content`, { body: sent })).body;
  const publication = (await client.post("/screener-publications", { screenerId: screener })).body;
  const row = { externalUid: "P-17", email: "ada@example.org", name: "Ada Lovelace" };
  const imported = await client.import(screener, [row]);
  const { id: assignment, participantId } = imported.body[0];
  const jobs = await client.all("/jobs?filter[kind][eq]=SCREENER_PARTICIPANTS_IMPORT");
  const ids = new Map<string, string>([
    [exampleIds.screener, screener],
    [exampleIds.publication, publication.id],
    [exampleIds.participant, participantId],
    [exampleIds.screenerParticipant, assignment],
    [exampleIds.job, jobs[0].id],
    [exampleIds.event, (await client.get("/events")).body.items[0].id],
  ]);
  pairIds(shownBy(content)[0]!.reply, draft, ids);
  // Opening a session is shown where there is none.
  const session = operationId === "openScreenerSession" ? randomUUID() : (await client.open(assignment)).body.id;
  ids.set(exampleIds.session, session);
  if (operationId === "deleteScreener") await client.patch(`/screeners/${screener}`, { title: "Hot drinks" });
  if (operationId === "applyJob") {
    const planned = await client.import(screener, people(1), { dryRun: true });
    ids.set(exampleIds.job, planned.body.id);
  }
  if (operationId !== "cancelJob") return { client, ids, end: () => {} };
  // The first job waits for the lock, and the second one for the first.
  const release = holdWrites(service, client);
  await client.import(screener, people(1), {}, ASYNC);
  const second = await client.import(screener, people(1), {}, ASYNC);
  return { client, ids: ids.set(exampleIds.job, second.body.id), end: release };
}

/** Pairs the ids of an example with those at the same places of the real thing. */
function pairIds(example: unknown, real: unknown, ids: Map<string, string>): void {
  if (typeof example !== "object" || example === null) return;
  for (const [key, value] of Object.entries(example)) {
    const realValue = (real as Record<string, unknown>)[key];
    if (key === "id") ids.set(String(value), String(realValue));
    else pairIds(value, realValue, ids);
  }
}
