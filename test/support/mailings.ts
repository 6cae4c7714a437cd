// What tests of mailings share: a study with people, a mailing to them, and what has become of each message.

import assert from "node:assert/strict";
import type { Client } from "./client.ts";
import type { Service } from "./service.ts";
import { writeTo } from "./store.ts";
import { everyKind, publish } from "./study.ts";
import { until } from "./until.ts";

const BODY = "Dear {{name|friend}},\n\nplease tell us more.\n\n{{link}}\n\nThe team in {{attribute:site|town}}";

/** A study with people: `P1`, `P2` … */
export async function studyWith(client: Client, people: object[], content: object = everyKind) {
  const study = await publish(client, content);
  const rows = people.map((person, index) => ({
    ...{ externalUid: `P${index + 1}`, name: `Person P${index + 1}` },
    ...person,
  }));
  const { status, text, body } = await client.import(study.screener, rows);
  assert.equal(status, 200, text);
  return { ...study, people: body as { id: string; participantId: string }[] };
}

let unique = 0;
/** Addresses that no other test has. */
export const addresses = (count: number) => {
  const of = ++unique;
  return Array.from({ length: count }, (_, index) => `p${index + 1}.t${of}@example.org`);
};

export const invitation = (screener: string, more: object = {}) => ({
  screenerId: screener,
  name: "Invitation",
  kind: "INVITATION",
  subject: "For {{name|you}}",
  body: BODY,
  ...more,
});

export interface Mailing {
  id: string;
  status: string;
  pausedBecause: string | null;
  messages: Record<string, number>;
}

export async function send(client: Client, body: object): Promise<Mailing> {
  const { status, body: job, text } = await client.post("/mailings", body);
  assert.equal(status, 200, text);
  assert.equal(job.status, "SUCCEEDED", text);
  return (await client.get(`/mailings/${job.id}`)).body;
}

export const read = async (client: Client, { id }: Mailing): Promise<Mailing> =>
  (await client.get(`/mailings/${id}`)).body;
export const messagesOf = async (client: Client, { id }: Mailing) =>
  (await client.all(`/mailings/${id}/messages`)) as unknown as {
    externalParticipantUid: string;
    step: number;
    state: string;
    reason: string | null;
    reply: string | null;
    attempts: number;
  }[];
export const briefly = async (client: Client, one: Mailing) =>
  (await messagesOf(client, one)).map(({ externalParticipantUid, step, state, reason }) =>
    [externalParticipantUid, step, state, reason].filter((part) => part !== null).join(" "),
  );
export async function ended(client: Client, one: Mailing, status = "SENT") {
  let now: Mailing;
  await until(async () => {
    now = await read(client, one);
    return now.status === status;
  }, `a mailing is ${status}`);
  return now!;
}

export async function rowsOf(client: Client, job: string) {
  const rows = (await client.all(`/jobs/${job}/rows`)) as unknown as { outcome: string; reason: string | null }[];
  return rows.map(({ outcome, reason }) => [outcome, reason].filter(Boolean).join(" "));
}

/** As if the time had come for all that waits. */
export const hasten = ({ context }: Service, client: Client) =>
  writeTo(context.workspaces, client.workspaceId, (db) => {
    db.run("UPDATE message SET due_at = 1 WHERE due_at > 1");
    db.run("UPDATE mailing SET next_at = 1 WHERE next_at > 1");
  });
