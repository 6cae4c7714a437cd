// What tests of imports share: rows, payloads written by hand, and what is there afterwards.

import assert from "node:assert/strict";
import type { Answer, Client } from "./client.ts";

/** A participant as an import knows it. */
export interface Person {
  externalUid: string;
  email?: string | null;
  name?: unknown;
}

/** A row for a participant. */
export function person(
  externalUid: string,
  email: string | null = `${externalUid}@example.org`,
  name = `Name ${externalUid}`,
) {
  return { externalUid, email, name };
}

/** Where the errors of a problem are. */
export function pointers(body: { errors: { pointer: string }[] }): string[] {
  return body.errors.map(({ pointer }) => pointer);
}

/** The participants of the rows. */
export function uids(rows: { externalParticipantUid: string }[]): string[] {
  return rows.map(({ externalParticipantUid }) => externalParticipantUid);
}

/** The participants of the workspace: externalUid, email, name. */
export async function roster(client: Client): Promise<unknown[]> {
  return (await client.all("/participants")).map(({ externalUid, email, name }) => ({ externalUid, email, name }));
}

/** What the newest job did. */
export async function summary(client: Client): Promise<unknown> {
  return (await client.get("/jobs?pagination[limit]=500")).body.items.at(-1).summary;
}

/** Imports a payload that is written by hand. */
export function importRaw(
  client: Client,
  raw: string | Uint8Array,
  headers: Record<string, string> = {},
): Promise<Answer> {
  return client.call("POST", "/screener-participants-import", { raw, headers });
}

/** Asserts that an import is refused with these errors in this order, and that nothing changes. */
export async function refused(
  client: Client,
  answer: Promise<Answer>,
  status: number,
  expected: string[],
): Promise<void> {
  const before = [await client.all("/participants"), await client.all("/screener-participants")];
  const { status: answered, body, headers } = await answer;
  assert.equal(answered, status, JSON.stringify(body));
  assert.equal(body.code, status === 409 ? "email_taken" : "invalid_request");
  assert.match(headers.get("content-type")!, /^application\/problem\+json/);
  assert.deepEqual(pointers(body), expected);
  assert.equal(body.errorCount, expected.length);
  assert.deepEqual([await client.all("/participants"), await client.all("/screener-participants")], before);
}
