// A workspace with one of everything, for tests that go through all routes.

import type { Client } from "./client.ts";
import { invite } from "./console.ts";
import { png } from "./images.ts";
import type { Service } from "./service.ts";
import { pausedMailing } from "./store.ts";

export interface World {
  client: Client;
  screener: string;
  publication: string;
  participant: string;
  externalUid: string;
  email: string;
  assignment: string;
  session: string;
  /** The job that imported the participants; it is done. */
  job: string;
  /** A webhook endpoint where nobody listens, and a delivery to it. */
  webhookEndpoint: string;
  webhookDelivery: string;
  /** A quota of the screener, in which the session holds a place. */
  quota: string;
  /** An image that nothing shows. */
  image: string;
  /** An open link of the screener. */
  link: string;
  /** That a participant has asked for their data. */
  request: string;
  /** An address that is not written to. */
  suppression: string;
  note: string;
  /** A user of the console. Empty where the service's stores can't be reached. */
  user: string;
  /** A paused mailing. Empty where the service's stores can't be reached. */
  mailing: string;
  /** The creation of the screener. */
  event: string;
}

/** Nobody listens there. */
export const NOBODYS_URL = "http://127.0.0.1:9/hook";

/** What an answer of each kind of question looks like. */
export const answers: Record<string, unknown> = {
  Text: "Three cups",
  Numeric: 2.5,
  SingleSelect: [{ text: "Tea", isWriteIn: false }],
  MultiSelect: [
    { text: "Tea", isWriteIn: false },
    { text: "Maté", isWriteIn: true },
  ],
};

/** Fills a new workspace: two participants of one published screener, a session, and an answer of every kind. */
export async function populate(
  service: Pick<Service, "workspace"> & Partial<Pick<Service, "context">>,
  name = "World",
  isSandbox = false,
): Promise<World> {
  const client = service.workspace(name, isSandbox);
  const screener = await client.screener(`${name}'s study`);
  await client.call("PUT", `/screeners/${screener}/content`, { body: content });
  const published = await client.post("/screener-publications", {
    screenerId: screener,
    tags: [{ category: "City", value: name }],
    targetQualifiedParticipants: 10,
  });
  const externalUid = `${name}-1`;
  const email = `${name.toLowerCase()}@example.org`;
  const imported = await client.import(screener, [
    { externalUid, email, name: `${name} One` },
    { externalUid: `${name}-2`, email: `${name.toLowerCase()}2@example.org`, name: `${name} Two` },
  ]);
  const assignment: string = imported.body[0].id;
  const opened = await client.post("/screener-sessions", { screenerParticipantId: assignment });
  const jobs = await client.all("/jobs?filter[kind][eq]=SCREENER_PARTICIPANTS_IMPORT");
  await answer(client, published.body.id, opened.body.id);
  const { body: endpoint } = await client.post("/webhook-endpoints", { url: NOBODYS_URL });
  const { body: delivery } = await client.call("POST", `/webhook-endpoints/${endpoint.id}/test`);
  const file = (await png(2, 2)).toString("base64");
  const { body: image } = await client.post("/workspace/images", { file });
  const { body: link } = await client.post("/screener-links", { screenerId: screener, name: "Poster" });
  await askForData(client, opened.body);
  const { context } = service;
  const written = { screener, participant: imported.body[0].participantId as string };
  return {
    client,
    screener,
    publication: published.body.id,
    participant: imported.body[0].participantId,
    externalUid,
    email,
    assignment,
    session: opened.body.id,
    job: jobs[0].id,
    webhookEndpoint: endpoint.id,
    webhookDelivery: delivery.id,
    quota: (await client.get(`/screeners/${screener}/quotas`)).body.items[0].id,
    image: image.id,
    link: link.id,
    request: (await client.get("/participant-requests")).body.items[0].id,
    suppression: (await client.post("/mail-suppressions", { address: `gone@${name.toLowerCase()}.example` })).body.id,
    note: (
      await client.post("/participant-notes", { participantId: imported.body[0].participantId, note: "Likes tea" })
    ).body.id,
    user: context ? await user(service as Service, client, name) : "",
    mailing: context ? pausedMailing({ context }, client, written) : "",
    event: (await client.get("/events")).body.items[0].id,
  };
}

async function user(service: Service, { workspaceId }: Client, name: string): Promise<string> {
  const email = `user@${name.toLowerCase()}.example`;
  await invite(service, workspaceId, { name: "The user", email, role: "viewer" });
  const sql = "SELECT uid FROM workspace_user WHERE email = ? ORDER BY id DESC";
  return service.context.control.reader.value(sql, email)!;
}

/** What a participant does at the link of a session. */
export async function askForData(client: Client, session: { screenerSessionLink: string }): Promise<void> {
  const headers = { "Content-Type": "application/x-www-form-urlencoded" };
  const path = new URL(session.screenerSessionLink).pathname;
  const { status, text } = await client.call("POST", path, { raw: "ask=data", headers });
  if (status !== 200) throw new Error(text);
}

const options = [{ text: "Tea" }, { text: "Coffee" }];

/** A question of each kind. */
const content = {
  pages: [
    {
      questions: Object.keys(answers).map((kind) => ({
        _type: `Screener${kind}Question`,
        prompt: `What about ${kind}?`,
        ...(kind.endsWith("Select") && { options, allowsWriteIn: true }),
      })),
    },
  ],
  quotas: [{ name: "Everybody", when: null, mode: "COUNT" }],
  assignments: [{ name: "Concept", arms: [{ name: "Red" }] }],
};

/** Answers the questions of all kinds in a session. */
async function answer(client: Client, publication: string, session: string): Promise<void> {
  const { body } = await client.get(`/screener-publications/${publication}/content`);
  const questions: { id: string; _type: string }[] = body.pages[0].questions;
  const responses = questions.map(({ id, _type }) => ({
    screenerQuestionId: id,
    answer: answers[_type.slice("Screener".length, -"Question".length)],
  }));
  const { status, text } = await client.post(`/screener-sessions/${session}/responses`, { responses });
  if (status !== 200) throw new Error(text);
}
