// The examples of the API description, as requests to a real service.

import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { exampleIds } from "../../src/base/examples.ts";
import { type Answer, ASYNC, type Client, people } from "./client.ts";
import { invite } from "./console.ts";
import { type Described, type DescribedOperation, type Media, type Operation, pathWith } from "./description.ts";
import { failedImport } from "./failed-job.ts";
import { png } from "./images.ts";
import type { Service } from "./service.ts";
import { holdWrites, pausedMailing, withdraw } from "./store.ts";
import { pendingReview } from "./study.ts";
import { until } from "./until.ts";
import { askForData, NOBODYS_URL } from "./world.ts";

/** A reply that an example shows. */
export interface Shown {
  name: string;
  status: number;
  type: string;
  media: Media;
  reply: unknown;
}

/** The replies that an operation's examples show. */
export function shownBy(operation: Operation): Shown[] {
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
export function bodyOf(operation: Operation, name: string): { type: string; text: string } | undefined {
  for (const [type, { examples }] of Object.entries(operation.requestBody?.content ?? {})) {
    const value = examples?.[name]?.value;
    if (value !== undefined) return { type, text: typeof value === "string" ? value : JSON.stringify(value) };
  }
  return undefined;
}

/** Sends the request of an example, with real ids instead of the example's. */
export async function sendExample(
  { method, path, operation }: DescribedOperation,
  { name, media }: Pick<Shown, "name" | "media">,
  { client, ids }: Pick<Prepared, "client" | "ids">,
  headers: Record<string, string> = {},
): Promise<Answer> {
  const real = (text: string) => withRealIds(text, ids, operation.operationId);
  const body = bodyOf(operation, name);
  const inPath = operation.parameters.find((parameter) => parameter.in === "path") as { example?: string };
  const query = media.examples?.[name]?.["x-query"];
  const target = real(pathWith(path, inPath?.example ?? "")) + (query ? `?${query}` : "");
  return client.call(method.toUpperCase(), target, {
    headers: { ...media.examples?.[name]?.["x-headers"], ...(body && { "Content-Type": body.type }), ...headers },
    ...(body && { raw: real(body.text) }),
  });
}

function withRealIds(text: string, ids: ReadonlyMap<string, string>, operationId: string): string {
  return Object.values(exampleIds).reduce((changed, id) => {
    if (!changed.includes(id)) return changed;
    const real = ids.get(id);
    assert.ok(
      real,
      `${operationId}: an example has the id ${id}; let prepare() in test/support/examples.ts make what it stands for`,
    );
    return changed.replaceAll(id, real);
  }, text);
}

/** A workspace for an example. */
export interface Prepared {
  client: Client;
  /** The real ids, by those of the examples. */
  ids: Map<string, string>;
  end(): void;
}

/** Makes a workspace that has what the examples of an operation are about. */
export async function prepare(service: Service, described: Described, operationId: string): Promise<Prepared> {
  const client = service.workspace("Test", operationId === "resetSandbox");
  const screener = await client.screener();
  await client.patch(`/screeners/${screener}`, { description: "To be cleared" });
  const content = described.operations.get("putScreenerContent")!.operation;
  const sent = content.requestBody!.content["application/json"]!.examples!.draft!.value;
  const draft = (await client.call("PUT", `/screeners/${screener}/content`, { body: sent })).body;
  const target = { targetQualifiedParticipants: 50 };
  const publication = (await client.post("/screener-publications", { screenerId: screener, ...target })).body;
  const row = { externalUid: "P-17", email: "ada@example.org", name: "Ada Lovelace" };
  const imported = await client.import(screener, [row]);
  const { id: assignment, participantId } = imported.body[0];
  const jobs = await client.all("/jobs?filter[kind][eq]=SCREENER_PARTICIPANTS_IMPORT");
  const ids = new Map<string, string>([
    [exampleIds.screener, screener],
    [exampleIds.publication, publication.id],
    [exampleIds.quota, (await client.get(`/screeners/${screener}/quotas`)).body.items[0].id],
    [exampleIds.link, (await client.post("/screener-links", { screenerId: screener, name: "Poster" })).body.id],
    [exampleIds.participant, participantId],
    [exampleIds.screenerParticipant, assignment],
    [exampleIds.job, jobs[0].id],
    [exampleIds.event, (await client.get("/events")).body.items[0].id],
  ]);
  pairIds(shownBy(content)[0]!.reply, draft, ids);
  // Opening a session is shown where there is none.
  const session = operationId === "openScreenerSession" ? randomUUID() : (await client.open(assignment)).body.id;
  ids.set(exampleIds.session, session);
  if (operationId === "listScreenerQuotaPlaces") {
    const responses = [{ screenerQuestionId: ids.get(exampleIds.ageQuestion), answer: 36 }];
    await client.post(`/screener-sessions/${session}/responses`, { responses });
    const { body: held } = await client.get(`/screener-quotas/${ids.get(exampleIds.quota)}/places`);
    ids.set(exampleIds.place, held.items[0].id);
  }
  if (operationId === "reviewScreenerSession") ids.set(exampleIds.session, await pendingReview(client));
  if (/Mailing/.test(operationId) && operationId !== "createMailing") {
    const mailing = pausedMailing(service, client, { screener, participant: participantId });
    ids.set(exampleIds.mailing, mailing);
    // A paused one alone can be resumed.
    if (operationId !== "resumeMailing") await client.post(`/mailings/${mailing}/resume`, {});
    const { body: messages } = await client.get(`/mailings/${mailing}/messages`);
    ids.set(exampleIds.mailingMessage, messages.items[0].id);
  }
  if (/User/.test(operationId)) {
    await invite(service, client.workspaceId, { name: "Ada", email: `${randomUUID()}@example.org`, role: "viewer" });
    ids.set(exampleIds.user, (await client.get("/workspace/users")).body.items[0].id);
  }
  if (/ParticipantRequest/.test(operationId)) {
    await askForData(client, (await client.get(`/screener-sessions/${session}`)).body);
    ids.set(exampleIds.participantRequest, (await client.get("/participant-requests")).body.items[0].id);
  }
  if (/ParticipantNote$/.test(operationId) && !operationId.startsWith("create"))
    ids.set(
      exampleIds.participantNote,
      (await client.post("/participant-notes", { participantId: ids.get(exampleIds.participant), note: "Likes tea" }))
        .body.id,
    );
  if (/MailSuppression$/.test(operationId) && !operationId.startsWith("create"))
    ids.set(
      exampleIds.mailSuppression,
      (await client.post("/mail-suppressions", { address: "gone@example.org" })).body.id,
    );
  if (operationId === "eraseScreenerResponses") {
    const responses = [{ screenerQuestionId: ids.get(exampleIds.ageQuestion), answer: 36 }];
    await client.post(`/screener-sessions/${session}/responses`, { responses });
    withdraw(service, client, session);
  }
  if (operationId === "overrideScreenerSession") {
    const responses = [{ screenerQuestionId: ids.get(exampleIds.ageQuestion), answer: 16 }];
    await client.post(`/screener-sessions/${session}/responses`, { responses, complete: true });
  }
  if (operationId === "deleteScreenerTranslation")
    await client.call("PATCH", `/screeners/${screener}/translations/de`, { body: { strings: [] } });
  // The draft is another one by now.
  if (operationId === "restoreScreenerPublication")
    await client.call("PUT", `/screeners/${screener}/content`, { body: { pages: [] } });
  if (operationId === "getImage") {
    const file = (await png(24, 16)).toString("base64");
    ids.set(exampleIds.image, (await client.post("/workspace/images", { file })).body.id);
  }
  const endpoint = (await client.post("/webhook-endpoints", { url: NOBODYS_URL })).body;
  const delivery = (await client.call("POST", `/webhook-endpoints/${endpoint.id}/test`)).body;
  // It has failed: one that is just being sent can't be sent again.
  const path = `/webhook-deliveries/${delivery.id}`;
  await until(async () => (await client.get(path)).body.attemptCount > 0, "nobody has taken it");
  ids.set(exampleIds.webhookEndpoint, endpoint.id).set(exampleIds.webhookDelivery, delivery.id);
  if (operationId === "deleteScreener") await client.patch(`/screeners/${screener}`, { title: "Hot drinks" });
  if (operationId === "applyJob") {
    const planned = await client.import(screener, people(1), { dryRun: true });
    ids.set(exampleIds.job, planned.body.id);
  }
  if (operationId === "retryJob") ids.set(exampleIds.job, await failedImport(service, client));
  if (operationId !== "cancelJob") return { client, ids, end: () => {} };
  // The first job waits for the lock, and the second one for the first.
  const release = holdWrites(service, client);
  await client.import(screener, people(1), {}, ASYNC);
  const second = await client.import(screener, people(1), {}, ASYNC);
  return { client, ids: ids.set(exampleIds.job, second.body.id), end: release };
}

/** Pairs the ids of an example with those at the same paths of the real thing. */
function pairIds(example: unknown, real: unknown, ids: Map<string, string>): void {
  if (typeof example !== "object" || example === null) return;
  for (const [key, value] of Object.entries(example)) {
    const realValue = (real as Record<string, unknown>)[key];
    if (key === "id") ids.set(String(value), String(realValue));
    else pairIds(value, realValue, ids);
  }
}
